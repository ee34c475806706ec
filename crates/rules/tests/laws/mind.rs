//! What the laws need to know about The Mind.

use rules::family::{Card, Cards, Seen};
use rules::kit::{Chance, Game, Seat, View as _, Viewer};
use rules::mind::{Command, Event, Mind, Notice, Phase, Setup, View};

use crate::harness::Lawful;

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
        let views = || views(state);
        let (_, table) = views().next().unwrap();
        match table.public.phase {
            Phase::Focus(_) => first_who_may(views(), Command::Rest),
            Phase::Offer { .. } => first_who_may(views(), Command::Continue),
            Phase::Playing { .. } | Phase::Over { .. } => {
                let lowest = |(seat, view): (Seat, View)| Some((view.hand().lowest()?, seat));
                let (card, seat) = views().filter_map(lowest).min().unwrap();
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

fn views(state: &Mind) -> impl Iterator<Item = (Seat, View)> + '_ {
    Seat::all(state.players()).map(|seat| (seat, state.view(Viewer::Seat(seat))))
}

fn first_who_may(
    mut views: impl Iterator<Item = (Seat, View)>,
    command: Command,
) -> (Seat, Command) {
    let (seat, _) = views.find(|(_, view)| view.permits(&command).is_ok()).unwrap();
    (seat, command)
}
