//! How far a game of Soulmates has come.

use super::event::{Event, Notice};
use super::state::{Phase, Soulmates};
use super::view::View;
use crate::family::LevelGame;

impl LevelGame for Soulmates {
    fn is_playing(view: &View) -> bool {
        view.public.phase == Phase::Playing
    }

    fn is_won(view: &View) -> bool {
        matches!(view.public.phase, Phase::Offer { .. } | Phase::Over { won: true })
    }

    fn score(view: &View) -> (u8, u8, u8) {
        (view.public.level, view.public.lives, 0)
    }

    fn mistakes(event: &Event) -> u8 {
        u8::from(matches!(event, Event::Failed { .. }))
    }

    fn completed(event: &Event) -> bool {
        matches!(event, Event::Notice(Notice::Completed { .. }))
    }
}
