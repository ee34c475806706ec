//! Royale Mastermind as an environment.

use std::sync::LazyLock;

use bots::Playable;
use lab::Player;
use rules::kit::{Chance, Moment, Seat};
use rules::royale::{
    Asked, Card, Code, Command, Event, Notice, Pack, Phase, Row, Rows, Royale, SeenCode, Setup,
    Triple, View, Zone,
};
use table::player;

use super::{EnvironmentGame, PASS, places_to, seat_from};
use crate::field::Fields;
use crate::partner::{Partner, PartnerError, SeatPlan};
use crate::reward::Gain;

/// All codes and cards, in the order in which commands name them.
static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| Code::all(Pack::WHOLE).collect());
static CARDS: LazyLock<Vec<Card>> = LazyLock::new(|| Pack::WHOLE.iter().collect());

const CARD_COUNT: usize = Card::COUNT as usize;
const CODE_COUNT: usize = CARD_COUNT * (CARD_COUNT - 1) * (CARD_COUNT - 2);
const ROW_COUNT: usize = Triple::COUNT as usize;
/// The place of the first command of each kind.
const HIDE: usize = 1;
const ASK_COLOURS: usize = HIDE + CODE_COUNT;
const ASK_SHAPES: usize = ASK_COLOURS + ROW_COUNT;
const MARK: usize = ASK_SHAPES + ROW_COUNT;
const UNMARK: usize = MARK + CARD_COUNT;
const COMMANDS: usize = UNMARK + CARD_COUNT;

/// The place of a card on the grid.
fn place_of(card: Card) -> usize {
    usize::from(card.colour()) * 5 + usize::from(card.shape())
}

/// The place of a code among all codes.
fn code_place(code: Code) -> usize {
    let [first, second, third] = code.cards().map(place_of);
    let left_second = second - usize::from(second > first);
    let left_third = third - usize::from(third > first) - usize::from(third > second);
    (first * (CARD_COUNT - 1) + left_second) * (CARD_COUNT - 2) + left_third
}

/// The rows of a zone: each row's tokens, then its black and white pegs.
fn observe_rows(name: &'static str, rows: &Rows, fields: &mut impl Fields) {
    const TOKENS: usize = 15;
    const ROW: usize = TOKENS + 2;
    let mut values = [0.0; Rows::MOST as usize * ROW];
    for (Asked { row, pegs }, cells) in rows.iter().zip(values.chunks_exact_mut(ROW)) {
        for (place, kind) in row.kinds().into_iter().enumerate() {
            cells[place * 5 + usize::from(kind)] = 1.0;
        }
        cells[TOKENS] = f32::from(pegs.black());
        cells[TOKENS + 1] = f32::from(pegs.white());
    }
    fields.numbers(name, values.len(), 3.0, |place| values[place]);
}

fn observe_pack(name: &'static str, pack: Pack, fields: &mut impl Fields) {
    fields.places(name, CARD_COUNT, pack.iter().map(place_of));
}

impl EnvironmentGame for Royale {
    fn observe(view: &View, _: Moment, fields: &mut impl Fields) {
        let public = &view.public;
        let (players, me) = (public.setup.players, view.me);
        let seats = usize::from(players);
        fields.number("round", 24.0, f32::from(public.round));
        fields.number("rounds", 24.0, f32::from(public.setup.rounds));
        let phase = match public.phase {
            Phase::Choosing => 0,
            Phase::Breaking => 1,
            Phase::Over => 2,
        };
        fields.one_of("phase", 3, Some(phase));
        let role = |seat: Seat| Some(places_to(me, seat, players));
        fields.one_of("maker", seats, role(public.roles.maker));
        fields.one_of("colours_by", seats, role(public.roles.breakers.colours));
        fields.one_of("shapes_by", seats, role(public.roles.breakers.shapes));
        fields.numbers("scores", seats, 255.0, |place| {
            f32::from(public.scores[seat_from(me, place, players)])
        });
        observe_pack("pack", public.pack, fields);
        observe_pack("marks", view.marks, fields);
        let code = view.code.and_then(|code| match code {
            SeenCode::Known(code) => Some(code.cards()),
            SeenCode::Backs => None,
        });
        for (place, name) in ["code_first", "code_second", "code_third"].into_iter().enumerate() {
            fields.one_of(name, CARD_COUNT, code.map(|cards| place_of(cards[place])));
        }
        observe_rows("colours", &public.rows.colours, fields);
        observe_rows("shapes", &public.rows.shapes, fields);
        // Help of the table (Y10): zero unless its set-up gives it.
        let codes_left = view.codes_left().unwrap_or(0);
        fields.number("codes_left", CODE_COUNT as f32, codes_left as f32);
        observe_pack("possible", view.possible_cards().unwrap_or(Pack::NONE), fields);
    }

    fn command_names(_: &Setup) -> Vec<String> {
        let all = (1..COMMANDS).filter_map(any_command).map(|command| command.to_string());
        std::iter::once(PASS.to_owned()).chain(all).collect()
    }

    fn command(_: &View, place: usize) -> Option<Command> {
        any_command(place)
    }

    fn mask(view: &View, mask: &mut [i8]) {
        mask.fill(0);
        mask[0] = 1;
        if view.may_hide() {
            Code::all(view.public.pack).for_each(|code| mask[HIDE + code_place(code)] = 1);
        }
        for (zone, from) in [(Zone::Colours, ASK_COLOURS), (Zone::Shapes, ASK_SHAPES)] {
            mask[from..from + ROW_COUNT].fill(i8::from(view.may_ask(zone)));
        }
        if view.may_mark() {
            let unmarked = view.public.pack - view.marks;
            unmarked.iter().for_each(|card| mask[MARK + place_of(card)] = 1);
            view.marks.iter().for_each(|card| mask[UNMARK + place_of(card)] = 1);
        }
    }

    fn gain(event: &Event, seat: Seat, players: u8) -> Gain {
        let Event::Notice(Notice::Scored(entry)) = event else { return Gain::default() };
        let points = f32::from(entry.points);
        let levels =
            if entry.maker == seat { points } else { -points / f32::from(players.max(2) - 1) };
        Gain { levels, lives: 0.0 }
    }

    fn check_partner(partner: &Partner, _: u8) -> Result<(), PartnerError> {
        match partner {
            Partner::Bot(_) => Ok(()),
            other @ Partner::Role { .. } => {
                Err(PartnerError::Game { partner: other.to_string(), game: "royale" })
            }
        }
    }

    fn cast(seats: &[SeatPlan], _: bool, luck: &mut Chance) -> Vec<Option<Player<Self>>> {
        let chosen = |seat: &SeatPlan| match seat.choose(luck)? {
            Partner::Bot(kind) => Self::bot(player(*kind)),
            Partner::Role { .. } => None,
        };
        seats.iter().map(chosen).collect()
    }
}

fn any_command(place: usize) -> Option<Command> {
    Some(match place {
        HIDE..ASK_COLOURS => Command::Hide(CODES[place - HIDE]),
        ASK_COLOURS..ASK_SHAPES => {
            Command::Ask(Row::Colours(Triple::all().nth(place - ASK_COLOURS)?))
        }
        ASK_SHAPES..MARK => Command::Ask(Row::Shapes(Triple::all().nth(place - ASK_SHAPES)?)),
        MARK..UNMARK => Command::Mark(CARDS[place - MARK]),
        UNMARK..COMMANDS => Command::Unmark(CARDS[place - UNMARK]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_one_place() {
        let names = Royale::command_names(&"players=2".parse().unwrap());
        assert_eq!((names.len(), COMMANDS), (14_101, 14_101));
        for (place, code) in CODES.iter().enumerate() {
            assert_eq!(code_place(*code), place);
        }
        assert_eq!(names[MARK], "mark A1");
        assert_eq!(names[COMMANDS - 1], "unmark E5");
    }
}
