//! What the laws need to know about Extreme.

use rules::extreme::{Card, Colour, Command, Extreme, Holding, Phase, View};
use rules::family::{self, FocusCommand, Seen, VoteCommand};
use rules::kit::{Chance, Seat, View as _};

use crate::harness::{Lawful, views};

impl Lawful for Extreme {
    const SETUPS: &'static [&'static str] = &[
        "players=2",
        "players=3",
        "players=4",
        "players=2 table=bb+star,bo,ob+life blind_cost=one-per-level preset=friendly",
        "players=4 levels=12 lives=5 stars=3 preset=research",
        "players=3 table=oo lives=1 stars=0",
    ];

    const REVEALS: &'static [&'static str] = &["dealt", "erred", "starred", "turned"];

    fn any_command(chance: &mut Chance) -> Command {
        let colour = *chance.pick(Colour::ALL).unwrap();
        let value = family::Card::new(1 + chance.below(50) as u8).unwrap();
        let mut all = Vec::new();
        all.extend(FocusCommand::ALL.iter().copied().map(Command::Focus));
        all.extend(VoteCommand::ALL.iter().copied().map(Command::Vote));
        all.extend([Command::Choose(colour), Command::Play(Card { colour, value })]);
        *chance.pick(&all).unwrap()
    }

    fn guide(state: &Self) -> (Seat, Command) {
        let wanted = |view: &View| match view.public.phase {
            Phase::Focus(_) => vec![FocusCommand::Rest.into()],
            Phase::Choosing { .. } => Colour::ALL.iter().copied().map(Command::Choose).collect(),
            Phase::Playing { .. } | Phase::Over { .. } => {
                let first = Colour::ALL.iter().filter_map(|&colour| first_of_all(state, colour));
                first.map(Command::Play).collect()
            }
        };
        let may = |(seat, view): (Seat, View)| {
            let command = wanted(&view).into_iter().find(|command| view.permits(command).is_ok());
            command.map(|command| (seat, command))
        };
        views(state).find_map(may).unwrap()
    }

    /// Everyone was dealt as many different cards as the level says, and each is in one place.
    fn conserved(state: &Self) -> Result<(), String> {
        let mut seen = Holding::NONE;
        for (seat, view) in views(state) {
            let laid = Holding::new(|colour| {
                let own = view.piles[colour].iter().filter(|card| card.seat() == seat);
                own.filter_map(Seen::card).collect()
            });
            let own = view.hand().with(&laid).with(&view.public.aside[seat]);
            if own.len() != view.public.level || !seen.common(&own).is_empty() {
                return Err(format!("{seat} has {own} at level {}", view.public.level));
            }
            seen = seen.with(&own);
        }
        Ok(())
    }
}

/// The card of a colour that has to go before all others.
fn first_of_all(state: &Extreme, colour: Colour) -> Option<Card> {
    let all = views(state).map(|(_, view)| view.hand()[colour]).collect::<family::Cards>();
    colour.first(all).map(|value| Card { colour, value })
}
