//! Soulmates by the clock: all cards are face down, so it runs from the lifting of hands.

use rules::family::{Cards, Hand};
use rules::kit::{Chance, Moment, View as _};
use rules::soulmates::{Command, Notice, Phase, Setup, Sight, Soulmates, View};

use crate::paced::{Paced, Run, Star, soon};
use crate::span::{Intent, Span};

impl Paced for Soulmates {
    const RAISE: Option<Command> = None;

    fn star(_: &View) -> Star {
        Star::Absent
    }

    fn intent(view: &View, run: &Run, chance: &mut Chance) -> Intent<Command> {
        match view.public.phase {
            Phase::Looking => soon(view, &[Command::Look]),
            Phase::Hinting | Phase::Amending => hint(view, chance),
            Phase::Focus(_) => soon(view, &[Command::Rest]),
            Phase::Playing => {
                let Some(card) = view.hand().lowest() else { return Intent::Wait };
                Intent::After { span: span(view, run, card.number()), command: Command::Play(card) }
            }
            Phase::Offer { .. } => soon(view, &[Command::Continue]),
            Phase::Over { .. } => Intent::Wait,
        }
    }

    fn count(run: &mut Run, _: &Setup, at: Moment, sight: &Sight) {
        match sight {
            Sight::Dealt(_) => run.reset(run.level),
            Sight::Played(_) => run.laid(at),
            Sight::Notice(Notice::Begun) => run.start(at),
            Sight::Notice(Notice::Stopped(_)) => run.stand(at),
            Sight::Notice(Notice::Next { level, .. }) => run.reset(*level),
            Sight::Notice(_)
            | Sight::Drawn { .. }
            | Sight::Looked { .. }
            | Sight::Failed { .. } => {}
        }
    }
}

/// Which hints are worth most is beyond somebody who only has a pace; most of them are worth more
/// than few.
fn hint(view: &View, chance: &mut Chance) -> Intent<Command> {
    let hints = hints(view);
    let most = hints.iter().map(|cards| cards.len()).max();
    let full = hints.into_iter().filter(|cards| Some(cards.len()) == most).collect::<Vec<_>>();
    chance.pick(&full).map_or(Intent::Wait, |cards| Intent::Soon(Command::Hint(*cards)))
}

/// Every way to write on the slate now.
pub(crate) fn hints(view: &View) -> Vec<Cards> {
    let hints = view.options().into_iter().filter_map(|command| match command {
        Command::Hint(cards) => Some(cards),
        _ => None,
    });
    hints.collect()
}

fn span(view: &View, run: &Run, card: u8) -> Span {
    let out = view.hands.values().map(Hand::len).sum::<u8>();
    Span {
        since: view.public.since,
        run_s: run.run_s,
        gap: f64::from(card),
        out: f64::from(out + run.laid),
        among: f64::from(Soulmates::HIGHEST),
        alone: view.hand().len() == out,
        blind: true,
        deck_share: 2.0,
        beside: 0.0,
    }
}
