//! What the laws need to know about Royale Mastermind.

use rules::kit::{Chance, Game, Seat, Viewer};
use rules::royale::{
    Card, Code, Command, Pack, Phase, Public, Row, Royale, SeenCode, Triple, Variant, Zone,
};

use crate::harness::Lawful;

impl Lawful for Royale {
    const SETUPS: &'static [&'static str] = &[
        "players=2",
        "players=2 rounds=2 unsolved=9 preset=research",
        "players=2 variant=series",
        "players=2 variant=series rounds=6 preset=friendly",
        "players=3",
        "players=3 rounds=6 unsolved=9",
        "players=3 rounds=3 aid_count=on aid_shade=on",
        "players=2 rounds=4 first_maker=B",
        "players=3 rounds=3 first_maker=C",
    ];

    const REVEALS: &'static [&'static str] = &["asked", "scored"];

    fn any_command(chance: &mut Chance) -> Command {
        let cards = Pack::WHOLE.iter().collect::<Vec<_>>();
        let card = |chance: &mut Chance| *chance.pick(&cards).unwrap();
        let row =
            |chance: &mut Chance| Triple::new([(); 3].map(|()| chance.below(5) as u8)).unwrap();
        match chance.below(5) {
            0 => {
                let mut cards = cards.clone();
                chance.draw(&mut cards, 3);
                Command::Hide(Code::new([cards[0], cards[1], cards[2]]).unwrap())
            }
            1 => Command::Ask(Row::Colours(row(chance))),
            2 => Command::Ask(Row::Shapes(row(chance))),
            3 => Command::Mark(card(chance)),
            _ => Command::Unmark(card(chance)),
        }
    }

    fn guide(state: &Self) -> (Seat, Command) {
        let table = state.view(Viewer::Spectator).public;
        let maker = state.view(Viewer::Seat(table.roles.maker));
        match maker.code {
            Some(SeenCode::Known(code)) => {
                let open = Zone::ALL.iter().find(|zone| table.rows[**zone].are_open()).unwrap();
                let row = Row::new(*open, code.zone(*open));
                (table.roles.breakers[*open], Command::Ask(row))
            }
            _ => (table.roles.maker, Command::Hide(some_code(&table))),
        }
    }

    /// Every card is in the pack or was taken out of it, and every point is on the sheet.
    fn conserved(state: &Self) -> Result<(), String> {
        let Public { setup, round, pack, phase, scores, sheet, .. } =
            state.view(Viewer::Spectator).public;
        let over = u8::from(phase == Phase::Over);
        if sheet.len() != round - 1 + over {
            return Err(format!("{} lines in round {round}", sheet.len()));
        }
        let points = sheet.iter().map(|line| u32::from(line.points)).sum::<u32>();
        if scores.values().map(u32::from).sum::<u32>() != points {
            return Err(format!("{points} points on the sheet"));
        }
        let covered = Pack::WHOLE - pack;
        if setup.players == 3 {
            let groups = (round - 1) / 3;
            return check(covered.len() == 3 * groups, covered);
        }
        let whole = match setup.variant {
            Variant::Series if sheet.len() >= setup.rounds / 2 => setup.rounds / 2,
            Variant::Series | Variant::Alternate => 0,
        };
        let used = sheet.iter().skip(usize::from(whole)).map(|line| line.code.pack());
        check(
            used.collect::<Pack>() == covered && covered.len() == 3 * (sheet.len() - whole),
            covered,
        )
    }
}

fn check(right: bool, covered: Pack) -> Result<(), String> {
    if right { Ok(()) } else { Err(format!("{covered} are covered")) }
}

/// Another one every round, with cards from all over the grid.
fn some_code(table: &Public) -> Code {
    let cards = table.pack.iter().collect::<Vec<Card>>();
    let at = |step: usize| cards[(usize::from(table.round) + step) % cards.len()];
    let third = cards.len() / 3;
    Code::new([at(2 * third), at(0), at(third)]).unwrap()
}
