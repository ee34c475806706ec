//! Four hands of thirteen cards: the seats take turns and play any card they hold.

use serde::{Deserialize, Serialize};

/// How many play.
pub const SEATS: usize = 4;
/// How many cards each is dealt.
const HAND: usize = 13;

/// What the seat on turn sends.
#[derive(Deserialize)]
struct Play<'a> {
    t: &'a str,
    room: &'a str,
    seat: usize,
    r#move: u32,
    card: u8,
}

/// What a seat is told after each move.
#[derive(Serialize)]
struct View<'a> {
    t: &'static str,
    r#move: u32,
    by: usize,
    card: u8,
    turn: usize,
    trick: &'a [u8],
    counts: [usize; SEATS],
    hand: &'a [u8],
}

/// What is on the table.
pub struct Game {
    luck: u64,
    moves: u32,
    by: usize,
    trick: Vec<u8>,
    hands: [Vec<u8>; SEATS],
}

impl Game {
    /// A deal that depends on `seed` alone.
    pub fn new(seed: u64) -> Self {
        let mut game = Self {
            luck: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            moves: 0,
            by: 0,
            trick: Vec::with_capacity(SEATS),
            hands: Default::default(),
        };
        game.deal();
        game
    }

    /// How many moves have been made.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Makes the move that `text` asks for, or says in a word why not.
    pub fn play(&mut self, seat: usize, text: &str) -> Result<(), &'static str> {
        let play = serde_json::from_str::<Play>(text).map_err(|_| "malformed")?;
        if play.t != "play" || play.room.len() > 16 || play.seat != seat {
            return Err("malformed");
        }
        if seat != self.turn() {
            return Err("not-your-turn");
        }
        if play.r#move != self.moves {
            return Err("stale");
        }
        let hand = &mut self.hands[seat];
        let place = hand.iter().position(|card| *card == play.card).ok_or("not-your-card")?;
        hand.remove(place);
        if self.trick.len() == SEATS {
            self.trick.clear();
        }
        self.trick.push(play.card);
        self.moves += 1;
        self.by = seat;
        if self.hands.iter().all(Vec::is_empty) {
            self.deal();
        }
        Ok(())
    }

    /// What a seat sees, as JSON.
    pub fn view(&self, seat: usize) -> serde_json::Result<String> {
        serde_json::to_string(&View {
            t: "view",
            r#move: self.moves,
            by: self.by,
            card: self.trick.last().copied().unwrap_or_default(),
            turn: self.turn(),
            trick: &self.trick,
            counts: self.hands.each_ref().map(Vec::len),
            hand: &self.hands[seat],
        })
    }

    fn turn(&self) -> usize {
        self.moves as usize % SEATS
    }

    fn deal(&mut self) {
        let mut cards: Vec<u8> = (0..(SEATS * HAND) as u8).collect();
        for last in (1..cards.len()).rev() {
            // xorshift64: any shuffle does.
            self.luck ^= self.luck << 13;
            self.luck ^= self.luck >> 7;
            self.luck ^= self.luck << 17;
            cards.swap(last, (self.luck % (last as u64 + 1)) as usize);
        }
        for (hand, cards) in self.hands.iter_mut().zip(cards.chunks(HAND)) {
            *hand = cards.to_vec();
        }
    }
}
