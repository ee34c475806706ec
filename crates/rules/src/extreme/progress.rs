//! How far a game of Extreme has come.

use super::event::{Event, Notice};
use super::state::{Extreme, Phase};
use super::view::View;
use crate::family::LevelGame;

impl LevelGame for Extreme {
    fn is_playing(view: &View) -> bool {
        matches!(view.public.phase, Phase::Playing { .. })
    }

    fn is_won(view: &View) -> bool {
        matches!(view.public.phase, Phase::Over { won: true })
    }

    fn score(view: &View) -> (u8, u8, u8) {
        (view.public.level, view.public.lives, view.public.stars)
    }

    fn mistakes(event: &Event) -> u8 {
        match event {
            Event::Notice(Notice::Erred { .. }) => 1,
            Event::Notice(Notice::Turned { mistakes, .. }) => *mistakes,
            _ => 0,
        }
    }

    fn completed(event: &Event) -> bool {
        matches!(event, Event::Notice(Notice::Completed { .. }))
    }
}
