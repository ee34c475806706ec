//! What a game needs to be studied in the lab.

use bots::Paced;
use rules::family::LevelGame;
use tempo::Timed;

/// A game that can be studied: one of levels whose players keep time, with bots that do.
pub trait Study: Paced + Timed + LevelGame {}

impl<G: Paced + Timed + LevelGame> Study for G {}
