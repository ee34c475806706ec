//! What the lab has to know of a game beside its rules.

use bots::Paced;
use rules::extreme::{self, Extreme};
use rules::mind::{self, Mind};
use rules::soulmates::{self, Soulmates};
use tempo::Timed;

/// A game that can be studied.
pub trait Study: Paced + Timed {
    /// Whether cards are being played.
    fn is_playing(view: &Self::View) -> bool;
    /// Whether the team has won, even if it may go on.
    fn is_won(view: &Self::View) -> bool;
    /// Level, lives and stars.
    fn score(view: &Self::View) -> (u8, u8, u8);
    /// How many mistakes the event tells of.
    fn mistakes(event: &Self::Event) -> u8;
    /// What a level is completed with, if the event tells of that.
    fn completed(event: &Self::Event) -> bool;
}

impl Study for Mind {
    fn is_playing(view: &mind::View) -> bool {
        matches!(view.public.phase, mind::Phase::Playing { .. })
    }

    fn is_won(view: &mind::View) -> bool {
        matches!(view.public.phase, mind::Phase::Offer { .. } | mind::Phase::Over { won: true })
    }

    fn score(view: &mind::View) -> (u8, u8, u8) {
        (view.public.level, view.public.lives, view.public.stars)
    }

    fn mistakes(event: &mind::Event) -> u8 {
        match event {
            mind::Event::Notice(mind::Notice::Erred { .. }) => 1,
            mind::Event::Notice(mind::Notice::Turned { mistakes, .. }) => *mistakes,
            _ => 0,
        }
    }

    fn completed(event: &mind::Event) -> bool {
        matches!(event, mind::Event::Notice(mind::Notice::Completed { .. }))
    }
}

impl Study for Extreme {
    fn is_playing(view: &extreme::View) -> bool {
        matches!(view.public.phase, extreme::Phase::Playing { .. })
    }

    fn is_won(view: &extreme::View) -> bool {
        matches!(view.public.phase, extreme::Phase::Over { won: true })
    }

    fn score(view: &extreme::View) -> (u8, u8, u8) {
        (view.public.level, view.public.lives, view.public.stars)
    }

    fn mistakes(event: &extreme::Event) -> u8 {
        match event {
            extreme::Event::Notice(extreme::Notice::Erred { .. }) => 1,
            extreme::Event::Notice(extreme::Notice::Turned { mistakes, .. }) => *mistakes,
            _ => 0,
        }
    }

    fn completed(event: &extreme::Event) -> bool {
        matches!(event, extreme::Event::Notice(extreme::Notice::Completed { .. }))
    }
}

impl Study for Soulmates {
    fn is_playing(view: &soulmates::View) -> bool {
        view.public.phase == soulmates::Phase::Playing
    }

    fn is_won(view: &soulmates::View) -> bool {
        use soulmates::Phase;
        matches!(view.public.phase, Phase::Offer { .. } | Phase::Over { won: true })
    }

    fn score(view: &soulmates::View) -> (u8, u8, u8) {
        (view.public.level, view.public.lives, 0)
    }

    fn mistakes(event: &soulmates::Event) -> u8 {
        u8::from(matches!(event, soulmates::Event::Failed { .. }))
    }

    fn completed(event: &soulmates::Event) -> bool {
        matches!(event, soulmates::Event::Notice(soulmates::Notice::Completed { .. }))
    }
}
