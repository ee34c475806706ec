//! What the laws need to know about The Mind.

use rules::family::{Card, Cards, Seen};
use rules::kit::{Chance, Seat};
use rules::mind::{Command, Event, Mind, Notice, Phase, Setup, View};

use crate::harness::{Lawful, first_who_may, views};

impl Lawful for Mind {
    fn setups() -> Vec<Setup> {
        [
            "players=2",
            "players=3",
            "players=4",
            "players=2 levels=2 blind_cost=one-per-level preset=friendly",
            "players=4 levels=12 lives=5 stars=3 preset=research",
            "players=3 levels=1 lives=1 stars=0",
        ]
        .map(|text| text.parse().unwrap())
        .to_vec()
    }

    fn reveals(event: &Event) -> bool {
        matches!(
            event,
            Event::Dealt { .. }
                | Event::Notice(
                    Notice::Erred { .. } | Notice::Starred { .. } | Notice::Turned { .. }
                )
        )
    }

    fn any_command(chance: &mut Chance) -> Command {
        use Command::{Continue, Finish, Lift, Lower, Play, Raise, Rest, Stop};
        let card = Card::new(1 + chance.below(100) as u8).unwrap();
        let all = [Rest, Lift, Stop, Raise, Lower, Continue, Finish, Play(card)];
        *chance.pick(&all).unwrap()
    }

    fn guide(state: &Self) -> (Seat, Command) {
        let (_, table) = views(state).next().unwrap();
        match table.public.phase {
            Phase::Focus(_) => first_who_may(state, Command::Rest),
            Phase::Offer { .. } => first_who_may(state, Command::Continue),
            Phase::Playing { .. } | Phase::Over { .. } => {
                let lowest = |(seat, view): (Seat, View)| Some((view.hand().lowest()?, seat));
                let (card, seat) = views(state).filter_map(lowest).min().unwrap();
                (seat, Command::Play(card))
            }
        }
    }

    /// Everyone was dealt as many different cards as the level says, and each is in one place.
    fn conserved(state: &Self) -> Result<(), String> {
        let mut seen = Cards::NONE;
        for (seat, view) in views(state) {
            let laid = view.pile.iter().filter(|card| card.seat() == seat);
            let laid = laid.filter_map(Seen::card).collect::<Cards>();
            let own = view.hand() | laid | view.public.aside[seat];
            if own.len() != view.public.level || !(seen & own).is_empty() {
                return Err(format!("{seat} has {own} at level {}", view.public.level));
            }
            seen |= own;
        }
        Ok(())
    }
}
