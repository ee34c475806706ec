//! A player who asks any row that may be right, after a human reaction time.

use rules::kit::{Chance, Moment};
use rules::royale::{Card, Code, Command, Row, Royale, View, Zone};

use crate::Bot;
use crate::span::{Intent, Resolve};

/// Hides a random code, and asks rows that may be right.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guesser {
    resolve: Resolve<Command>,
}

impl Bot<Royale> for Guesser {
    fn plan(&mut self, view: &View, now: Moment, chance: &mut Chance) -> Option<(Moment, Command)> {
        let intent = command(view, chance).map_or(Intent::Wait, Intent::Soon);
        // There is no wait before a card in Royale.
        self.resolve.settle(intent, now, chance, |_, _| 0.0)
    }
}

fn command(view: &View, chance: &mut Chance) -> Option<Command> {
    if view.may_hide() {
        let mut cards = view.public.pack.iter().collect::<Vec<_>>();
        let hidden = <[Card; 3]>::try_from(&*chance.draw(&mut cards, 3)).ok();
        return hidden.and_then(Code::new).map(Command::Hide);
    }
    let open = [Zone::Colours, Zone::Shapes].into_iter().filter(|zone| view.may_ask(*zone));
    let zone = *chance.pick(&open.collect::<Vec<_>>())?;
    let possible = view.public.possible();
    let code = possible.nth(chance.below(possible.count()))?;
    Some(Command::Ask(Row::new(zone, code.zone(zone))))
}
