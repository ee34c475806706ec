//! The Mind by the clock.

use rules::family::{Card, Cards, Face, Hand};
use rules::family::{FocusCommand, FocusNotice, OfferCommand, VoteCommand};
use rules::kit::{Chance, Moment};
use rules::mind::{Command, Mind, Notice, Phase, Setup, Sight, View};

use crate::Bot;
use crate::chair::{Kind, Playable};
use crate::paced::{Paced, Run, Star, is_rare_answer, is_rare_focus, paced_bot, soon};
use crate::span::{Intent, Span};

impl Playable for Mind {
    fn is_rare(command: &Command) -> bool {
        match command {
            Command::Focus(command) => is_rare_focus(*command),
            Command::Offer(command) => is_rare_answer(*command),
            Command::Vote(_) => true,
            Command::Play(_) => false,
        }
    }

    fn bot(kind: Kind) -> Option<Box<dyn Bot<Self> + Send>> {
        paced_bot(kind)
    }
}

impl Paced for Mind {
    const RAISE: Option<Command> = Some(Command::Vote(VoteCommand::Raise));

    fn star(view: &View) -> Star {
        match view.public.phase {
            Phase::Playing(vote) => Star::of(view.public.stars, vote.raised, view.me),
            _ => Star::Absent,
        }
    }

    fn intent(view: &View, run: &Run, _: &mut Chance) -> Intent<Command> {
        match view.public.phase {
            Phase::Focus(_) => soon(view, &[FocusCommand::Rest.into()]),
            Phase::Playing { .. } => {
                let Some(card) = view.hand().lowest() else { return Intent::Wait };
                Intent::After { span: span(view, run, card.number()), command: Command::Play(card) }
            }
            Phase::Offer { .. } => soon(view, &[OfferCommand::Continue.into()]),
            Phase::Over { .. } => Intent::Wait,
        }
    }

    fn count(run: &mut Run, _: &Setup, at: Moment, sight: &Sight) {
        match sight {
            Sight::Dealt { level, .. } => run.reset(*level),
            // Open cards set the clock by the view; this counts face-down cards.
            Sight::Played(_) => run.laid(at),
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => run.start(at),
            Sight::Notice(
                Notice::Focus(FocusNotice::Stopped(_))
                | Notice::Erred { .. }
                | Notice::Starred { .. },
            ) => run.stand(at),
            Sight::Notice(_) => {}
        }
    }
}

/// The wait before a card, as the view has it.
pub(crate) fn span(view: &View, run: &Run, card: u8) -> Span {
    let out = view.hands.values().map(Hand::len).sum::<u8>();
    let alone = view.hand().len() == out;
    let since = view.public.since;
    match view.public.face() {
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
        // Face-down cards do not show where the clock stands: it runs from the lifting of hands.
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

/// Where waits are counted from: the pile, or the floors that a star made public. Only the player
/// with the lowest floor can hold a card below the second-lowest floor. So no player has to wait
/// for cards below that floor, and above it all players count from the same place.
pub(crate) fn reference(view: &View) -> u8 {
    let (mut lowest, mut second) = (u8::MAX, u8::MAX);
    for (_, floor) in floors(view) {
        second = second.min(floor.max(lowest));
        lowest = lowest.min(floor);
    }
    // The only player with cards counts from their own floor.
    if second == u8::MAX { lowest } else { second }
}

/// The public floor of each player with cards: the player holds no card below it.
pub(crate) fn floors(view: &View) -> impl Iterator<Item = (rules::kit::Seat, u8)> + '_ {
    let top = match view.public.face() {
        Face::Open => view.pile.top().map_or(0, Card::number),
        Face::Blind => 0,
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
