//! Soulmates by the clock: all cards are face down, so it runs from the lifting of hands.

use rules::family::{Cards, FocusCommand, FocusNotice, Hand, OfferCommand};
use rules::kit::{Chance, Moment, View as _};
use rules::soulmates::{Command, Notice, Phase, Setup, Sight, Soulmates, View};

use crate::Bot;
use crate::chair::{Kind, Playable};
use crate::paced::{Paced, Run, is_rare_answer, is_rare_focus, paced_bot, soon};
use crate::span::{Intent, Span};

impl Playable for Soulmates {
    fn is_rare(command: &Command) -> bool {
        match command {
            Command::Focus(command) => is_rare_focus(*command),
            Command::Offer(command) => is_rare_answer(*command),
            Command::Look | Command::Hint(_) | Command::Play(_) => false,
        }
    }

    fn bot(kind: Kind) -> Option<Box<dyn Bot<Self> + Send>> {
        paced_bot(kind)
    }
}

impl Paced for Soulmates {
    fn intent(view: &View, run: &Run, chance: &mut Chance) -> Intent<Command> {
        match view.public.phase {
            Phase::Looking => soon(view, &[Command::Look]),
            Phase::Hinting | Phase::Amending => hint(view, chance),
            Phase::Focus(_) => soon(view, &[FocusCommand::Rest.into()]),
            Phase::Playing => {
                let Some(card) = view.hand().lowest() else { return Intent::Wait };
                Intent::After { span: span(view, run, card.number()), command: Command::Play(card) }
            }
            Phase::Offer { .. } => soon(view, &[OfferCommand::Continue.into()]),
            Phase::Over { .. } => Intent::Wait,
        }
    }

    fn count(run: &mut Run, _: &Setup, at: Moment, sight: &Sight) {
        match sight {
            Sight::Dealt(_) => run.reset(run.level),
            Sight::Played(_) => run.laid(at),
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => run.start(at),
            Sight::Notice(Notice::Focus(FocusNotice::Stopped(_))) => run.stand(at),
            // The next deal resets the clock.
            Sight::Notice(Notice::Next { level, .. }) => run.level = *level,
            Sight::Notice(_)
            | Sight::Drawn { .. }
            | Sight::Looked { .. }
            | Sight::Failed { .. } => {}
        }
    }
}

/// A bot with only a pace does not rank hints; it writes as many as it may.
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
