//! Names, tables and seats, over real sockets.

mod arranging;
mod games;
mod host;
mod missing;
mod names;
mod reactions;
mod returning;
mod seats;
mod tables;
mod watching;

use crate::common::scenes::{
    act, begun, gathered, look, lowest, missing, phase, playing, seat, stage,
};
use serde_json::Value;
use wire::{Sitter, Update};

/// A table of The Mind for two.
const TWO: &str = r#"{"game":"mind","players":2}"#;
/// A table of The Mind for three.
const THREE: &str = r#"{"game":"mind","players":3}"#;

/// Who sits where: names, `*` for a bot, `-` for an empty seat.
fn sitters(update: &Update) -> Vec<String> {
    let sitters = update.table().chairs.iter().map(|chair| match &chair.sitter {
        Sitter::Empty => "-".to_owned(),
        Sitter::Bot(_) | Sitter::Ghost { .. } => "*".to_owned(),
        Sitter::Person { name, .. } => name.to_string(),
    });
    sitters.collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
