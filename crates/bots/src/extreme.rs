//! Extreme by the clock: white counts up while red counts down, both on one clock (X6).

use rules::extreme::{Card, Colour, Command, Extreme, Hand, Notice, Phase, Setup, Sight, View};
use rules::family::{Face, FocusCommand, FocusNotice, Seen, VoteCommand};
use rules::kit::{Chance, Moment};

use crate::Bot;
use crate::chair::{Kind, Playable};
use crate::paced::{Paced, Run, Star, is_rare_focus, paced_bot, soon};
use crate::span::{Intent, Span};

impl Playable for Extreme {
    fn is_rare(command: &Command) -> bool {
        match command {
            Command::Focus(command) => is_rare_focus(*command),
            Command::Vote(_) => true,
            Command::Play(_) | Command::Choose(_) => false,
        }
    }

    fn bot(kind: Kind) -> Option<Box<dyn Bot<Self> + Send>> {
        paced_bot(kind)
    }
}

impl Paced for Extreme {
    const RAISE: Option<Command> = Some(Command::Vote(VoteCommand::Raise));

    fn star(view: &View) -> Star {
        match view.public.phase {
            Phase::Playing(vote) => Star::of(view.public.stars, vote.raised, view.me),
            _ => Star::Absent,
        }
    }

    fn intent(view: &View, run: &Run, chance: &mut Chance) -> Intent<Command> {
        match view.public.phase {
            Phase::Focus(_) => soon(view, &[FocusCommand::Rest.into()]),
            Phase::Playing { .. } => match next(view) {
                None => Intent::Wait,
                Some(card) => Intent::After {
                    span: span(view, run, card.place()),
                    command: Command::Play(card),
                },
            },
            Phase::Choosing { .. } => match next(view) {
                // The card that is due first is the one that others are closest to; which one
                // that is stays a secret until all have chosen.
                Some(card) => soon(view, &[Command::Choose(card.colour)]),
                None => {
                    let first = usize::from(chance.once_in(2));
                    let colours = [Colour::White, Colour::Red];
                    soon(view, &[colours[first], colours[1 - first]].map(Command::Choose))
                }
            },
            Phase::Over { .. } => Intent::Wait,
        }
    }

    fn count(run: &mut Run, setup: &Setup, at: Moment, sight: &Sight) {
        match sight {
            Sight::Dealt { level, .. } => run.reset(*level),
            Sight::Played { colour, card } => match (setup.level(run.level).faces[*colour], card) {
                (Face::Open, Seen::Known(laid)) => {
                    run.set(at, Card { colour: *colour, value: laid.card }.place());
                }
                // One's own card too: the others see its back.
                (Face::Open | Face::Blind, _) => run.laid(at),
            },
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => run.start(at),
            Sight::Notice(
                Notice::Focus(FocusNotice::Stopped(_))
                | Notice::Erred { .. }
                | Notice::Choosing
                | Notice::Starred { .. },
            ) => run.stand(at),
            Sight::Notice(_) | Sight::Chose { .. } => {}
        }
    }
}

/// The card of one's own hand that is due first.
pub(crate) fn next(view: &View) -> Option<Card> {
    let hand = view.hand();
    let first = |colour: Colour| Some(Card { colour, value: colour.first(hand[colour])? });
    [Colour::White, Colour::Red].into_iter().filter_map(first).min_by_key(|card| card.place())
}

fn span(view: &View, run: &Run, place: u8) -> Span {
    let out = view.hands.values().map(Hand::len).sum::<u8>();
    Span {
        since: view.public.since,
        run_s: run.run_s,
        gap: f64::from(place.saturating_sub(run.place)),
        out: f64::from(out + run.laid),
        among: f64::from(Colour::HIGHEST - run.place.min(Colour::HIGHEST)),
        alone: view.hand().len() == out,
        blind: Colour::ALL.iter().any(|colour| view.public.face(*colour) == Face::Blind),
        deck_share: 2.0,
        beside: 0.5,
    }
}
