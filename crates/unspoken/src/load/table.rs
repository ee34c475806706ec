//! The people of one table: what they send next, and when all of them have seen it. Sockets and
//! clocks are not known here.

use anyhow::{Context, Result, bail};
use wire::{ClientMessage, Code, Request};

use super::choice::Choice;
use super::update::{self, Update};

/// A press that lies ahead of the server's clock counts as it arrives.
const AS_IT_ARRIVES: f64 = 1e15;

/// The people of one table, as one client.
pub trait Table {
    /// Writes the next message to `text` and returns whose it is. Called again only after an
    /// answer that is not [`Answer::Pending`].
    fn send(&mut self, text: &mut Vec<u8>) -> Result<usize>;

    /// Takes in what the server said to one of them.
    fn receive(&mut self, place: usize, text: &[u8]) -> Result<Received>;
}

/// What a message of the server means.
#[derive(Debug, PartialEq, Eq)]
pub struct Received {
    /// What it means for the message that was sent last.
    pub answer: Answer,
    /// Whether it was an update that brought one played card and nothing else.
    pub one_card: bool,
}

/// The result of the message that was sent last.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// Not all have seen it yet, or nothing was sent.
    Pending,
    /// All have seen it, and it was a move.
    Moved,
    /// All have seen it, and a new game has begun.
    Begun,
    /// It was refused, with this code.
    Refused(String),
}

/// A table of the table server.
pub struct GameTable {
    code: Code,
    people: Vec<Person>,
    /// The number of the last message.
    id: u32,
    /// Grows with each move, so that each person is first in turn.
    turn: usize,
    sent: Option<Sent>,
}

/// What one person was sent.
struct Person {
    seq: u64,
    /// The text that `choice` was made from.
    options: Option<Vec<u8>>,
    choice: Choice,
    /// Whether the update that answers the last message is still missing.
    waits: bool,
}

#[derive(Clone, Copy)]
enum Sent {
    Move { place: usize },
    Rematch,
}

impl Sent {
    fn place(self) -> usize {
        match self {
            Self::Move { place } => place,
            Self::Rematch => 0,
        }
    }
}

impl GameTable {
    /// A table with `people` people who have seen nothing yet; `turn` says who comes first.
    pub fn new(code: Code, people: usize, turn: usize) -> Self {
        let unseen = || Person { seq: 0, options: None, choice: Choice::NoGame, waits: false };
        let people = (0..people).map(|_| unseen()).collect();
        Self { code, people, id: 0, turn, sent: None }
    }

    /// Whether one of them has seen that a game is on.
    pub fn plays(&self, place: usize) -> bool {
        self.people[place].choice != Choice::NoGame
    }

    /// A request and its number.
    pub fn request(&mut self, request: Request) -> (u32, ClientMessage) {
        self.id += 1;
        (self.id, ClientMessage::Ask { table: self.code, id: self.id, request })
    }

    /// Who does what next; `None` when the game is over.
    fn choose(&self) -> Result<Option<(usize, wire::Command)>> {
        let mut best: Option<(u32, usize, wire::Command)> = None;
        // The first person wins a tie, so each begins in turn.
        for place in (0..self.people.len()).map(|place| (place + self.turn) % self.people.len()) {
            if let Some((rank, command)) = self.people[place].choice.command(self.turn)
                && best.is_none_or(|(other, ..)| rank < other)
            {
                best = Some((rank, place, command));
            }
        }
        match best {
            Some((_, place, command)) => Ok(Some((place, command))),
            None if self.people.iter().all(|person| person.choice == Choice::NoGame) => Ok(None),
            None => bail!("a game is on and no person has a command that advances it"),
        }
    }

    fn take(&mut self, place: usize, update: &Update, text: &[u8]) -> Result<Answer> {
        let person = &mut self.people[place];
        let noticed = person.seq != update.seq;
        person.seq = update.seq;
        // After another person's move the options are mostly the same.
        if person.options.as_deref() != update.options {
            person.choice = Choice::of(update.options, text)?;
            match (&mut person.options, update.options) {
                (Some(old), Some(new)) => {
                    old.clear();
                    old.extend_from_slice(new);
                }
                (old, new) => *old = new.map(<[u8]>::to_vec),
            }
        }
        let Some(sent) = self.sent else { return Ok(Answer::Pending) };
        // All people notice a move and the beginning of a game. Other updates may come in between.
        let answers = if place == sent.place() { update.ack == Some(self.id) } else { noticed };
        if answers {
            person.waits = false;
        }
        if self.people.iter().any(|person| person.waits) {
            return Ok(Answer::Pending);
        }
        self.sent = None;
        Ok(match sent {
            Sent::Move { .. } => Answer::Moved,
            Sent::Rematch => Answer::Begun,
        })
    }
}

impl Table for GameTable {
    fn send(&mut self, text: &mut Vec<u8>) -> Result<usize> {
        let (sent, message) = match self.choose()? {
            Some((place, command)) => {
                self.id += 1;
                self.turn += 1;
                let (table, id, seq) = (self.code, self.id, self.people[place].seq);
                let message = ClientMessage::Do { table, id, seq, pressed: AS_IT_ARRIVES, command };
                (Sent::Move { place }, message)
            }
            None => (Sent::Rematch, self.request(Request::Rematch).1),
        };
        serde_json::to_writer(text, &message)?;
        self.people.iter_mut().for_each(|person| person.waits = true);
        self.sent = Some(sent);
        Ok(sent.place())
    }

    fn receive(&mut self, place: usize, text: &[u8]) -> Result<Received> {
        if update::is_update(text) {
            let update = Update::scan(text)?;
            let answer = self.take(place, &update, text)?;
            return Ok(Received { answer, one_card: update.one_card });
        }
        let code = update::refusal(text)
            .with_context(|| format!("the server says {}", String::from_utf8_lossy(text)))?;
        self.sent = None;
        Ok(Received { answer: Answer::Refused(code.to_owned()), one_card: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> GameTable {
        let mut table = GameTable::new("k3f9ab".parse().unwrap(), 2, 0);
        for (place, card) in [(0, 40), (1, 7)] {
            assert!(!table.plays(place));
            hear(&mut table, place, &update(1, "", &options(card)));
            assert!(table.plays(place));
        }
        table
    }

    fn options(card: u8) -> String {
        format!(r#","options":{{"mind":["stop",{{"play":{card}}}]}}"#)
    }

    fn update(seq: u64, ack: &str, options: &str) -> String {
        format!(r#"{{"t":"update","code":"k3f9ab","seq":{seq}{ack}{options},"show_at":1}}"#)
    }

    fn hear(table: &mut GameTable, place: usize, text: &str) -> Answer {
        table.receive(place, text.as_bytes()).unwrap().answer
    }

    fn say(table: &mut GameTable) -> (usize, String) {
        let mut text = Vec::new();
        let place = table.send(&mut text).unwrap();
        (place, String::from_utf8(text).unwrap())
    }

    #[test]
    fn a_move_is_done_when_the_last_has_it() {
        let mut table = table();
        let (place, text) = say(&mut table);
        assert_eq!(place, 1);
        assert!(text.contains(r#""id":1,"seq":1,"#) && text.contains(r#"{"mind":{"play":7}}"#));
        let answer = update(2, r#","ack":1"#, r#","options":{"mind":["stop"]}"#);
        assert_eq!(hear(&mut table, 1, &answer), Answer::Pending);
        // Not the other person's update: it was sent before the move was made.
        assert_eq!(hear(&mut table, 0, &update(1, "", &options(40))), Answer::Pending);
        assert_eq!(hear(&mut table, 0, &update(2, "", &options(40))), Answer::Moved);
        let (place, text) = say(&mut table);
        assert_eq!(place, 0);
        assert!(text.contains(r#""id":2,"seq":2,"#) && text.contains(r#"{"mind":{"play":40}}"#));
    }

    #[test]
    fn after_a_game_there_is_a_rematch() {
        let mut table = table();
        for place in 0..2 {
            hear(&mut table, place, &update(3, "", ""));
        }
        let (place, text) = say(&mut table);
        assert!(place == 0 && text.contains(r#""request":"rematch""#), "{text}");
        assert_eq!(hear(&mut table, 1, &update(4, "", &options(9))), Answer::Pending);
        let answer = update(4, r#","ack":1"#, &options(8));
        assert_eq!(hear(&mut table, 0, &answer), Answer::Begun);
    }

    #[test]
    fn a_refused_move_is_not_waited_for() {
        let mut table = table();
        say(&mut table);
        let refused = r#"{"t":"refused","table":"k3f9ab","id":1,"code":"stale","text":""}"#;
        assert_eq!(hear(&mut table, 1, refused), Answer::Refused("stale".to_owned()));
        assert_eq!(hear(&mut table, 1, &update(2, "", &options(7))), Answer::Pending);
        assert!(say(&mut table).1.contains(r#""id":2,"seq":2,"#));
        assert!(table.receive(0, br#"{"t":"bye","why":"slow"}"#).is_err());
    }
}
