//! How far a game of levels has come, asked of any of them.

use crate::kit::Game;

/// A game that a team plays level by level, with lives.
pub trait LevelGame: Game {
    /// Whether cards are being played.
    fn is_playing(view: &Self::View) -> bool;

    /// Whether the team has won, even if it may go on.
    fn is_won(view: &Self::View) -> bool;

    /// Level, lives and stars.
    fn score(view: &Self::View) -> (u8, u8, u8);

    /// How many mistakes the event tells of.
    fn mistakes(event: &Self::Event) -> u8;

    /// Whether the event completes a level.
    fn completed(event: &Self::Event) -> bool;
}
