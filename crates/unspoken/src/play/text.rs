//! A game as text for the terminal, as one seat sees it.

use bots::Playable;
use rules::kit::{Outcome, Seat, Seats};

/// A game that can be played in the terminal. Both functions get only what the seat may know.
pub trait GameText: Playable {
    /// What the game is called.
    const TITLE: &'static str;

    /// The table as the seat sees it, a few lines.
    fn table(view: &Self::View, me: Seat) -> Vec<String>;

    /// One event in one line.
    fn news(sight: &Self::Sight, me: Seat) -> String;

    /// Changes whenever the whole table is worth showing again.
    fn chapter(view: &Self::View) -> String;
}

/// `you` or the seat's letter.
pub fn who(seat: Seat, me: Seat) -> String {
    if seat == me { "you".to_owned() } else { seat.to_string() }
}

/// The same at the beginning of a sentence.
pub fn name(seat: Seat, me: Seat) -> String {
    if seat == me { "You".to_owned() } else { seat.to_string() }
}

/// Several of them.
pub fn all_of(seats: Seats, me: Seat) -> String {
    let names = seats.iter().map(|seat| who(seat, me)).collect::<Vec<_>>();
    if names.is_empty() { "no player".to_owned() } else { names.join(", ") }
}

/// A number and its noun.
pub fn count(number: u8, noun: &str) -> String {
    let plural = match (number, noun) {
        (1, _) => noun.to_owned(),
        (_, "life") => "lives".to_owned(),
        _ => format!("{noun}s"),
    };
    format!("{number} {plural}")
}

/// How it ended.
pub fn outcome(outcome: Outcome, me: Seat) -> String {
    match outcome {
        Outcome::Won => "the team has won.".to_owned(),
        Outcome::Lost => "the team has lost.".to_owned(),
        Outcome::Best(seats) => format!("the best score is held by {}.", all_of(seats, me)),
    }
}
