//! People who do anything that they are offered.

use rules::kit::Chance;
use rules::royale::{Row, Zone};
use wire::{Command, Options, Update, View};

/// Something that an update offers. In Royale, where anything would take for ever, it is a code of
/// the pack to hide, and to ask mostly what may be right.
pub fn any_option(update: &Update, chance: &mut Chance) -> Option<Command> {
    let options = update.options.as_ref()?;
    let Options::Royale { hide, colours, shapes, mark: _ } = *options else {
        return chance.pick(&options.commands()).copied();
    };
    let kinds = (hide, colours, shapes);
    let Some(View::Royale(view)) = &update.view else { return None };
    if let (true, ..) = kinds {
        let cards = view.public.pack.iter().map(|card| card.to_string());
        let cards = chance.draw(&mut cards.collect::<Vec<_>>(), 3).join(",");
        return Some(Command::Royale(format!("hide {cards}").parse().ok()?));
    }
    let zone = match kinds {
        (_, true, _) => Zone::Colours,
        (_, _, true) => Zone::Shapes,
        _ => return None,
    };
    let possible = view.public.possible();
    let kinds = possible.nth(chance.below(possible.count()))?.zone(zone);
    let row = match zone {
        Zone::Colours => Row::Colours(kinds),
        Zone::Shapes => Row::Shapes(kinds),
    };
    Some(Command::Royale(rules::royale::Command::Ask(row)))
}
