//! The Mind by the clock.

use rules::family::{Card, Cards, Face, Hand};
use rules::kit::{Chance, Moment};
use rules::mind::{Command, Mind, Mode, Notice, Phase, Setup, Sight, View};

use crate::paced::{Paced, Run, Star, soon};
use crate::span::{Intent, Span};

impl Paced for Mind {
    const RAISE: Option<Command> = Some(Command::Raise);

    fn star(view: &View) -> Star {
        match view.public.phase {
            Phase::Playing { raised } => Star::of(view.public.stars, raised, view.me),
            _ => Star::Absent,
        }
    }

    fn intent(view: &View, run: &Run, _: &mut Chance) -> Intent<Command> {
        match view.public.phase {
            Phase::Focus(_) => soon(view, &[Command::Rest]),
            Phase::Playing { .. } => {
                let Some(card) = view.hand().lowest() else { return Intent::Wait };
                Intent::After { span: span(view, run, card.number()), command: Command::Play(card) }
            }
            Phase::Offer { .. } => soon(view, &[Command::Continue]),
            Phase::Over { .. } => Intent::Wait,
        }
    }

    fn count(run: &mut Run, _: &Setup, at: Moment, sight: &Sight) {
        match sight {
            Sight::Dealt { level, .. } => run.reset(*level),
            // Where cards lie open the view tells where the clock stands; this is for the others.
            Sight::Played(_) => run.laid(at),
            Sight::Notice(Notice::Begun) => run.start(at),
            Sight::Notice(Notice::Stopped(_) | Notice::Erred { .. } | Notice::Starred { .. }) => {
                run.stand(at);
            }
            Sight::Notice(_) => {}
        }
    }
}

/// The wait before a card, as the view has it.
pub(crate) fn span(view: &View, run: &Run, card: u8) -> Span {
    let out = view.hands.values().map(Hand::len).sum::<u8>();
    let alone = view.hand().len() == out;
    let since = view.public.since;
    match view.public.mode.face() {
        Face::Open => {
            let reference = reference(view);
            let (gap, among) = (between(view, reference, card), between(view, reference, 100));
            Span {
                since,
                run_s: 0.0,
                gap,
                out: f64::from(out),
                among,
                alone,
                blind: false,
                deck_share: 1.0,
                beside: 0.0,
            }
        }
        // Face down nobody sees where the clock stands: it runs from the lifting of hands.
        Face::Blind => Span {
            since,
            run_s: run.run_s,
            gap: f64::from(card),
            out: f64::from(out + run.laid),
            among: 100.0,
            alone,
            blind: true,
            deck_share: 1.0,
            beside: 0.0,
        },
    }
}

/// Where waits are counted from: the pile, or what a star made public. Only whoever has the
/// lowest floor can hold a card below the second-lowest, so up to there nobody has to wait, and
/// beyond it everyone counts from the same place.
pub(crate) fn reference(view: &View) -> u8 {
    let (mut lowest, mut second) = (u8::MAX, u8::MAX);
    for (_, floor) in floors(view) {
        second = second.min(floor.max(lowest));
        lowest = lowest.min(floor);
    }
    // Whoever is alone with their cards counts from their own.
    if second == u8::MAX { lowest } else { second }
}

/// Below which card each of those who hold any cannot hold one, as everyone knows.
pub(crate) fn floors(view: &View) -> impl Iterator<Item = (rules::kit::Seat, u8)> + '_ {
    let top = match view.public.mode {
        Mode::Open => view.pile.top().map_or(0, Card::number),
        Mode::Blind { .. } => 0,
    };
    view.hands.iter().filter(|(_, hand)| !hand.is_empty()).map(move |(seat, _)| {
        let aside = view.public.aside[seat].highest().map_or(0, Card::number);
        (seat, top.max(aside))
    })
}

/// How many cards there are from above the reference up to a card, those set aside left out.
fn between(view: &View, reference: u8, card: u8) -> f64 {
    let aside = view.public.aside.values().collect::<Cards>();
    let gone = aside.iter().filter(|gone| (reference + 1..=card).contains(&gone.number())).count();
    (f64::from(card) - f64::from(reference) - gone as f64).max(0.0)
}
