//! What the laws need to know about The Mind.

use rules::family::{Card, Cards, FocusCommand, OfferCommand, Seen, VoteCommand};
use rules::kit::{Chance, Seat};
use rules::mind::{Command, Mind, Phase, View};

use crate::harness::{Lawful, first_who_may, views};

impl Lawful for Mind {
    const SETUPS: &'static [&'static str] = &[
        "players=2",
        "players=3",
        "players=4",
        "players=2 levels=2 blind_cost=one-per-level preset=friendly",
        "players=4 levels=12 lives=5 stars=3 preset=research",
        "players=3 levels=1 lives=1 stars=0",
        "players=2 levels=14 first_level=11 lives=5 stars=2",
        "players=3 levels=4 face=blind lives=5",
        "players=4 levels=25 first_level=25 lives=5",
        "players=5",
        "players=6",
    ];

    const REVEALS: &'static [&'static str] = &["dealt", "erred", "starred", "turned"];

    fn any_command(chance: &mut Chance) -> Command {
        let card = Card::new(1 + chance.below(100) as u8).unwrap();
        let mut all = Vec::new();
        all.extend(FocusCommand::ALL.iter().copied().map(Command::Focus));
        all.extend(VoteCommand::ALL.iter().copied().map(Command::Vote));
        all.extend(OfferCommand::ALL.iter().copied().map(Command::Offer));
        all.push(Command::Play(card));
        *chance.pick(&all).unwrap()
    }

    fn guide(state: &Self) -> (Seat, Command) {
        let (_, table) = views(state).next().unwrap();
        match table.public.phase {
            Phase::Focus(_) => first_who_may(state, FocusCommand::Rest.into()),
            Phase::Offer { .. } => first_who_may(state, OfferCommand::Continue.into()),
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
