//! The laws that hold in every game, for every chair, at every step.
//!
//! `cargo xtask laws --games N --seed S` plays as many games as wanted.

mod extreme;
mod harness;
mod mind;
mod royale;
mod soulmates;

use harness::hold;
use rules::extreme::Extreme;
use rules::mind::Mind;
use rules::royale::Royale;
use rules::soulmates::Soulmates;

#[test]
fn the_laws_hold_in_the_mind() {
    hold::<Mind>();
}

#[test]
fn the_laws_hold_in_extreme() {
    hold::<Extreme>();
}

#[test]
fn the_laws_hold_in_soulmates() {
    hold::<Soulmates>();
}

#[test]
fn the_laws_hold_in_royale() {
    hold::<Royale>();
}
