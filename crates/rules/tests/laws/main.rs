//! The laws that hold in every game, for every chair, at every step.
//!
//! `cargo xtask laws --games N --seed S` plays as many games as wanted.

mod extreme;
mod harness;
mod mind;
mod royale;
mod soulmates;

use harness::hold;
use rules::door::GameName;
use rules::extreme::Extreme;
use rules::mind::Mind;
use rules::royale::Royale;
use rules::soulmates::Soulmates;

/// The laws of a game: the compiler names a game that has none.
fn laws_of(game: GameName) -> fn() {
    match game {
        GameName::Mind => hold::<Mind>,
        GameName::Extreme => hold::<Extreme>,
        GameName::Soulmates => hold::<Soulmates>,
        GameName::Royale => hold::<Royale>,
    }
}

#[test]
fn the_laws_hold_in_the_mind() {
    laws_of(GameName::Mind)();
}

#[test]
fn the_laws_hold_in_extreme() {
    laws_of(GameName::Extreme)();
}

#[test]
fn the_laws_hold_in_soulmates() {
    laws_of(GameName::Soulmates)();
}

#[test]
fn the_laws_hold_in_royale() {
    laws_of(GameName::Royale)();
}
