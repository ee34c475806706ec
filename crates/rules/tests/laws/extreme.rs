//! What the laws need to know about Extreme.

use rules::extreme::{Card, Colour, Command, Event, Extreme, Holding, Notice, Phase, View};
use rules::family::{self, FocusCommand, Seen, VoteCommand};
use rules::kit::{Chance, Match, Moment, Seat, Seed, View as _, Viewer};

use crate::harness::{Lawful, views};

impl Lawful for Extreme {
    const SETUPS: &'static [&'static str] = &[
        "players=2",
        "players=3",
        "players=4",
        "players=2 table=bb+star,bo,ob+life blind_cost=one-per-level preset=friendly",
        "players=4 levels=12 lives=5 stars=3 preset=research",
        "players=3 table=oo lives=1 stars=0",
        "players=3 first_level=8 lives=5",
        "players=2 levels=4 face=blind lives=5",
        "players=5",
        "players=6",
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

/// The card that is next on the one clock of both colours, and who holds it. Cards of one place
/// may go in either order, so `first` decides.
fn next_on_the_clock(state: &Extreme, first: Colour) -> Option<(Seat, Card)> {
    let held = views(state).flat_map(|(seat, view)| {
        let card = |&colour: &Colour| {
            let value = colour.first(view.hand()[colour])?;
            Some((seat, Card { colour, value }))
        };
        Colour::ALL.iter().filter_map(card).collect::<Vec<_>>()
    });
    held.min_by_key(|(_, card)| (card.place(), card.colour != first))
}

/// Plays a whole game without a mistake, each card when it is its turn. Returns how many levels
/// were complete, and in how many of them one colour was finished before the other was begun.
fn play_on_the_clock(setup: &str, seed: u64) -> (u32, u32) {
    let setup = setup.parse().unwrap();
    let mut live = Match::<Extreme>::open(&setup, Seed::from(seed)).commit();
    let (mut levels, mut led, mut order) = (0, 0, Vec::new());
    while live.outcome().is_none() {
        let first = *Chance::new(Seed::from(seed), live.seq()).pick(Colour::ALL).unwrap();
        let (seat, command) = match live.view(Viewer::Spectator).public.phase {
            Phase::Playing { .. } => {
                let (seat, card) = next_on_the_clock(live.state(), first).unwrap();
                order.push(card.colour);
                (seat, Command::Play(card))
            }
            _ => Extreme::guide(live.state()),
        };
        let step = live.submit(Moment::from_millis(live.seq()), seat, command).unwrap();
        for event in step.events() {
            let text = event.to_string();
            assert!(!text.starts_with("erred"), "seed {seed}: {text}");
            if let Event::Notice(Notice::Completed { level, one_sided, .. }) = event {
                assert_eq!(*one_sided, None, "level {level}, seed {seed}, {order:?}");
                let changes = order.windows(2).filter(|pair| pair[0] != pair[1]).count();
                (levels, led) = (levels + 1, led + u32::from(changes == 1));
                order.clear();
            }
        }
        live = step.commit();
    }
    (levels, led)
}

/// X6 reproaches no team that plays every card at its place on one clock.
#[test]
fn perfect_play_on_one_clock_is_never_one_sided() {
    for setup in ["players=2", "players=3", "players=4"] {
        let games = (0..60).map(|seed| play_on_the_clock(setup, seed));
        let (levels, led) = games.fold((0, 0), |sum, game| (sum.0 + game.0, sum.1 + game.1));
        assert!(levels >= 60 * 8, "{setup}: {levels} levels");
        assert!(led > 10, "{setup}: only {led} levels could have been taken for one-sided");
    }
}
