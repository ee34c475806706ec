//! The people of a table of the yardstick, the bare durable room (`server`'s example
//! `bare_room`).

use std::io::Write;

use anyhow::{Context, Result, ensure};
use memchr::memmem;

use super::table::{Answer, Received, Table};
use super::update::refusal;

/// A room where the seats take turns and each plays the first card of its hand.
pub struct BareTable {
    room: u32,
    /// How many moves have been made.
    moves: u64,
    seats: Vec<Seat>,
    waiting: bool,
}

#[derive(Clone, Copy, Default)]
struct Seat {
    /// How many moves it has seen.
    moves: u64,
    card: u64,
}

impl BareTable {
    pub fn new(room: u32, seats: usize) -> Self {
        Self { room, moves: 0, seats: vec![Seat::default(); seats], waiting: false }
    }
}

impl Table for BareTable {
    fn send(&mut self, text: &mut Vec<u8>) -> Result<usize> {
        let seat = (self.moves % self.seats.len() as u64) as usize;
        let Self { room, moves, .. } = self;
        let card = self.seats[seat].card;
        write!(
            text,
            r#"{{"t":"play","room":"{room}","seat":{seat},"move":{moves},"card":{card}}}"#
        )?;
        self.waiting = true;
        Ok(seat)
    }

    fn receive(&mut self, place: usize, text: &[u8]) -> Result<Received> {
        if let Some(code) = refusal(text) {
            self.waiting = false;
            let answer = Answer::Refused(code.to_owned());
            return Ok(Received { answer, one_card: false });
        }
        let seat = &mut self.seats[place];
        let moves = number(text, br#""move":"#).context("a view says which move it is after")?;
        let one_card = moves > seat.moves;
        *seat = Seat { moves, card: number(text, br#""hand":["#).unwrap_or_default() };
        if !self.waiting {
            // The room may have played before.
            self.moves = moves;
            return Ok(Received { answer: Answer::Pending, one_card });
        }
        if self.seats.iter().any(|seat| seat.moves == self.moves) {
            return Ok(Received { answer: Answer::Pending, one_card });
        }
        ensure!(self.seats.iter().all(|seat| seat.moves == self.moves + 1), "a move is missing");
        self.moves += 1;
        self.waiting = false;
        Ok(Received { answer: Answer::Moved, one_card })
    }
}

/// The number behind a key.
fn number(text: &[u8], key: &[u8]) -> Option<u64> {
    let rest = &text[memmem::find(text, key)? + key.len()..];
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..length]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(moves: u64, hand: &str) -> String {
        format!(r#"{{"t":"view","move":{moves},"by":0,"card":9,"turn":1,"hand":[{hand}]}}"#)
    }

    #[test]
    fn a_move_is_done_when_the_last_has_it() {
        let mut table = BareTable::new(7, 2);
        for place in 0..2 {
            let received = table.receive(place, view(0, "33,4").as_bytes()).unwrap();
            assert_eq!(received, Received { answer: Answer::Pending, one_card: false });
        }
        let mut text = Vec::new();
        assert_eq!(table.send(&mut text).unwrap(), 0);
        let expected = r#"{"t":"play","room":"7","seat":0,"move":0,"card":33}"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        let received = table.receive(0, view(1, "4").as_bytes()).unwrap();
        assert_eq!(received, Received { answer: Answer::Pending, one_card: true });
        let received = table.receive(1, view(1, "").as_bytes()).unwrap();
        assert_eq!(received, Received { answer: Answer::Moved, one_card: true });
        assert_eq!(table.send(&mut Vec::new()).unwrap(), 1);
        let refused = br#"{"t":"refused","code":"stale"}"#;
        let received = table.receive(1, refused).unwrap();
        assert_eq!(received.answer, Answer::Refused("stale".to_owned()));
    }
}
