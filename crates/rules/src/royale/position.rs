//! Reading a state of Royale Mastermind, and saying what is wrong with one.

use std::fmt::Display;
use std::str::FromStr;

use super::answer::{Pegs, answer};
use super::card::{Card, Pack};
use super::code::Code;
use super::notation::read_line;
use super::role::Roles;
use super::row::Row;
use super::rows::Rows;
use super::score::{Effort, Entry, Sheet};
use super::setup::{Setup, Variant};
use super::state::{Phase, Public, Royale};
use super::zone::{ByZone, Zone};
use crate::kit::BySeat;
use crate::kit::text::{Fields, Misprint, by_seat, read_for, read_list};

impl FromStr for Royale {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (setup, position) = text.split_once('|').unwrap_or((text, ""));
        let setup = setup.parse::<Setup>()?;
        let mut fields = Fields::parse(position)?;
        let code = fields.read_with("code", read_code)?.flatten();
        let hidden = if code.is_some() { Phase::Breaking } else { Phase::Choosing };
        let phase = fields.read("phase")?.unwrap_or(hidden);
        let past = Past::read(&setup, phase, &mut fields)?;
        let round = past.round;
        let read_rows = |zone, text: &str| read_rows(zone, text, code);
        let colours = fields.read_with("colours", |text| read_rows(Zone::Colours, text))?;
        let shapes = fields.read_with("shapes", |text| read_rows(Zone::Shapes, text))?;
        let marks = fields.read_with("marks", |text| read_for(setup.players, text, str::parse))?;
        let public = Public {
            setup,
            round,
            roles: Roles::of(&setup, round),
            pack: Pack::WHOLE - past.covered,
            phase,
            rows: ByZone {
                colours: colours.unwrap_or_default(),
                shapes: shapes.unwrap_or_default(),
            },
            scores: past.sheet.scores(setup.players),
            sheet: past.sheet,
        };
        // What follows from the rest may be said, but not otherwise than it is.
        agree(&mut fields, "maker", public.roles.maker)?;
        agree(&mut fields, "colours_by", public.roles.breakers.colours)?;
        agree(&mut fields, "shapes_by", public.roles.breakers.shapes)?;
        agree(&mut fields, "scores", by_seat(&public.scores))?;
        fields.finish()?;
        let marks = marks.unwrap_or_else(|| BySeat::new(setup.players, |_| Pack::NONE));
        let royale = Self { public, code, marks };
        royale.check().map(|()| royale).map_err(Misprint::new)
    }
}

impl Royale {
    /// Fails with the reason if play cannot have led here.
    fn check(&self) -> Result<(), &'static str> {
        let Self { public, code, marks } = self;
        let Public { roles, pack, phase, rows, .. } = public;
        let wrong = [
            (
                (*phase == Phase::Breaking) != code.is_some(),
                "a code is broken once it is hidden, give code= with phase=break only",
            ),
            (
                code.is_some_and(|code| !pack.contain(code.pack())),
                "the code has a covered card, choose cards of the pack",
            ),
            (
                !rows.values().any(Rows::are_open),
                "the round is over when no zone is open, leave the last row out",
            ),
            (marks.values().any(|marks| !pack.contain(marks)), "only cards of the pack are marked"),
            (
                marks.iter().any(|(seat, marks)| {
                    let breaks = *phase != Phase::Over && roles.all_breakers().contains(seat);
                    !breaks && !marks.is_empty()
                }),
                "only codebreakers mark cards",
            ),
        ];
        wrong.iter().find(|(found, _)| *found).map_or(Ok(()), |(_, text)| Err(text))
    }
}

/// What the rounds that are over have left behind.
struct Past {
    /// The round that is played.
    round: u8,
    covered: Pack,
    sheet: Sheet,
}

impl Past {
    /// Reads the round, the covered cards and the sheet; what is not given follows from the rest.
    /// Rounds of which nothing is said were solved by the first rows, with the first cards of the
    /// grid that are covered.
    fn read(setup: &Setup, phase: Phase, fields: &mut Fields) -> Result<Self, Misprint> {
        let sheet = fields.read_with("sheet", |text| read_sheet(setup, text))?;
        let over = phase == Phase::Over;
        let round = fields.read::<u8>("round")?.unwrap_or_else(|| match &sheet {
            _ if over => setup.rounds,
            Some(sheet) => sheet.len() + 1,
            None => 1,
        });
        if !(1..=setup.rounds).contains(&round) {
            return Err(wrong("round", format_args!("the rounds are 1 to {}", setup.rounds)));
        }
        if over && round < setup.rounds {
            return Err(wrong("round", format_args!("the game is over after {}", setup.rounds)));
        }
        let rounds = if over { round } else { round - 1 };
        if let Some(sheet) = &sheet
            && sheet.len() != rounds
        {
            return Err(wrong("sheet", format_args!("give the {rounds} rounds that are over")));
        }
        let count = covered_after(setup, round, rounds);
        let covered = match (fields.read::<Pack>("covered")?, &sheet) {
            (Some(covered), _) => covered,
            (None, Some(sheet)) if setup.players == 2 => codes(sheet, rounds - count / 3),
            (None, _) => Pack::first(count),
        };
        if covered.len() != count {
            return Err(wrong("covered", format_args!("{count} cards are covered in this round")));
        }
        let sheet = sheet.unwrap_or_else(|| plain_sheet(setup, rounds, covered));
        let past = Self { round, covered, sheet };
        past.check(setup, rounds).map(|()| past)
    }

    /// Whether the cards on the sheet were in the pack when they were hidden.
    fn check(&self, setup: &Setup, rounds: u8) -> Result<(), Misprint> {
        let Self { round, covered, sheet } = self;
        if setup.players == 3 {
            // A card is taken out after the last group that used it: so those used from some group
            // on fit into the threes taken out from then on.
            let group = (round - 1) / 3;
            let late = (0..=group)
                .any(|from| (codes(sheet, 3 * from) & *covered).len() > 3 * (group - from));
            return if late {
                Err(wrong("covered", "a card was used after it was taken out, give other cards"))
            } else {
                Ok(())
            };
        }
        let before = rounds - covered.len() / 3;
        if codes(sheet, before) != *covered {
            return Err(wrong("covered", "the cards of the codes on the sheet are covered"));
        }
        // Only a series has rounds before the pack was last whole.
        let earlier = sheet.iter().take(usize::from(before)).map(|line| line.code.pack());
        if earlier.collect::<Pack>().len() < 3 * before {
            return Err(wrong("sheet", "a card that is covered is in no later code"));
        }
        Ok(())
    }
}

/// How many cards are covered after that number of rounds.
fn covered_after(setup: &Setup, round: u8, rounds: u8) -> u8 {
    let half = setup.rounds / 2;
    match setup.variant {
        Variant::Alternate if setup.players == 3 => (round - 1) / 3 * 3,
        Variant::Series if rounds >= half => 3 * (rounds - half),
        Variant::Alternate | Variant::Series => 3 * rounds,
    }
}

/// The cards of all codes from that line of the sheet on.
fn codes(sheet: &Sheet, from: u8) -> Pack {
    sheet.iter().skip(usize::from(from)).map(|line| line.code.pack()).collect()
}

/// Rounds of which only the covered cards are known: each zone took one row.
fn plain_sheet(setup: &Setup, rounds: u8, covered: Pack) -> Sheet {
    let before = rounds.saturating_sub(covered.len() / 3);
    let mut sheet = Sheet::default();
    for index in 0..rounds {
        let (cards, place) = match setup.players {
            // The cards return to the pack, so the last ones of it serve every time.
            3 => (Pack::WHOLE - covered, Card::COUNT - covered.len() - 3),
            _ if index < before => (Pack::WHOLE, index * 3),
            _ => (covered, (index - before) * 3),
        };
        let mut cards = cards.iter().skip(usize::from(place));
        let code = [(); 3].map(|()| cards.next().unwrap_or_default());
        let code = Code::new(code).unwrap_or_default();
        let efforts = ByZone::new(|_| Effort::Solved(1));
        sheet.add(Entry::of(setup, index + 1, code, efforts));
    }
    sheet
}

fn read_code(text: &str) -> Result<Option<Code>, Misprint> {
    if text == "-" { Ok(None) } else { text.parse().map(Some).map_err(Misprint::new) }
}

fn read_sheet(setup: &Setup, text: &str) -> Result<Sheet, Misprint> {
    let mut sheet = Sheet::default();
    for line in text.split(';').filter(|line| *line != "-") {
        if sheet.len() == setup.rounds {
            return Err(Misprint::new(format_args!("there are only {} rounds", setup.rounds)));
        }
        let (code, efforts) = read_line(line)?;
        sheet.add(Entry::of(setup, sheet.len() + 1, code, efforts));
    }
    Ok(sheet)
}

/// Reads rows written `AAB:1b` or `AAB`: the pegs follow from the code, but may be said.
fn read_rows(zone: Zone, text: &str, code: Option<Code>) -> Result<Rows, Misprint> {
    let mut rows = Rows::default();
    for (row, said) in read_list(text, read_row)? {
        let Some(code) = code else {
            return Err(Misprint::new("rows are answered by a code, give code="));
        };
        if row.zone() != zone {
            return Err(Misprint::new(format_args!("{row} is no row of {zone}")));
        }
        if !rows.are_open() {
            return Err(Misprint::new("a zone has 8 rows, and none after three blacks"));
        }
        let pegs = answer(row.triple(), code.zone(zone));
        if said.is_some_and(|said| said != pegs) {
            return Err(Misprint::new(format_args!("{row} gets {pegs} from {code}")));
        }
        rows.ask(row.triple(), pegs);
    }
    Ok(rows)
}

fn read_row(text: &str) -> Result<(Row, Option<Pegs>), Misprint> {
    let (row, pegs) = text.split_once(':').map_or((text, None), |(row, pegs)| (row, Some(pegs)));
    let pegs = pegs.map(str::parse).transpose().map_err(Misprint::new)?;
    Ok((row.parse().map_err(Misprint::new)?, pegs))
}

/// Takes a field out that follows from the others.
fn agree(fields: &mut Fields, key: &str, found: impl Display) -> Result<(), Misprint> {
    let found = found.to_string();
    match fields.take(key) {
        Some(said) if said != found => Err(wrong(key, format_args!("it is {found} here"))),
        _ => Ok(()),
    }
}

fn wrong(key: &str, text: impl Display) -> Misprint {
    Misprint::new(text).within(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = text.parse::<Royale>().map(|royale| royale.to_string());
        let found = found.unwrap_or_else(|e| e.to_string());
        let position = found.split_once(" | ").map_or(found.as_str(), |(_, position)| position);
        assert_eq!(position, expected, "{text}");
    }

    #[test]
    fn what_follows_need_not_be_said() {
        check(
            "players=2",
            "round=1 maker=A colours_by=B shapes_by=B covered=- phase=choose code=- colours=- \
             shapes=- marks=-/- scores=0/0 sheet=-",
        );
        check(
            "players=2 | code=B1,C2,D3 sheet=A1,A2,A3:5+x colours=BBC,BCD:3b marks=E5/-",
            "round=2 maker=B colours_by=A shapes_by=A covered=A1,A2,A3 phase=break code=B1,C2,D3 \
             colours=BBC:1b1w,BCD:3b shapes=- marks=E5/- scores=13/0 sheet=A1,A2,A3:5+x",
        );
        check(
            "players=2 | round=3 covered=A1,B1,C1,D1,E1,A2",
            "round=3 maker=A colours_by=B shapes_by=B covered=A1,A2,B1,C1,D1,E1 phase=choose \
             code=- colours=- shapes=- marks=-/- scores=2/2 sheet=A1,A2,B1:1+1;C1,D1,E1:1+1",
        );
        check(
            "players=3 rounds=6 | phase=over",
            "round=6 maker=C colours_by=A shapes_by=B covered=A1,A2,A3 phase=over code=- \
             colours=- shapes=- marks=-/-/- scores=4/4/4 sheet=E3,E4,E5:1+1;E3,E4,E5:1+1;\
             E3,E4,E5:1+1;E3,E4,E5:1+1;E3,E4,E5:1+1;E3,E4,E5:1+1",
        );
        check(
            "players=2 variant=series rounds=4 | round=4",
            "round=4 maker=B colours_by=A shapes_by=A covered=A1,A2,A3 phase=choose code=- \
             colours=- shapes=- marks=-/- scores=4/2 sheet=A1,A2,A3:1+1;A4,A5,B1:1+1;A1,A2,A3:1+1",
        );
    }

    #[test]
    fn every_round_can_be_named() {
        for setup in ["players=2", "players=2 variant=series", "players=3"] {
            let rounds = setup.parse::<Setup>().unwrap().rounds;
            for text in
                (1..=rounds).map(|round| format!("round={round}")).chain(["phase=over".into()])
            {
                let royale = format!("{setup} | {text}").parse::<Royale>().unwrap();
                assert_eq!(royale.to_string().parse(), Ok(royale), "{royale}");
            }
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        check("players=2 | round=0", "round: the rounds are 1 to 8");
        check("players=2 | round=9", "round: the rounds are 1 to 8");
        check("players=2 | round=7 phase=over", "round: the game is over after 8");
        check("players=2 | round=3 sheet=A1,A2,A3:1+1", "sheet: give the 2 rounds that are over");
        check("players=2 | covered=A1", "covered: 0 cards are covered in this round");
        check(
            "players=2 | covered=A1,A2,A4 sheet=A1,A2,A3:1+1",
            "covered: the cards of the codes on the sheet are covered",
        );
        check(
            "players=2 | sheet=A1,A2,A3:1+1;A3,A4,A5:1+1",
            "covered: 6 cards are covered in this round",
        );
        check(
            "players=2 variant=series rounds=4 | sheet=A1,A2,A3:1+1;A3,A4,A5:1+1",
            "sheet: a card that is covered is in no later code",
        );
        check(
            "players=2 | sheet=A1,A2,A3:0+9",
            "sheet: a zone takes 1 to 8 rows, or x if it was not solved",
        );
        check(
            "players=2 rounds=2 | sheet=A1,A2,A3:1+1;B1,B2,B3:1+1;C1,C2,C3:1+1",
            "sheet: there are only 2 rounds",
        );
        check(
            "players=2 | phase=break",
            "a code is broken once it is hidden, give code= with phase=break only",
        );
        check(
            "players=2 | phase=choose code=A1,A2,A3",
            "a code is broken once it is hidden, give code= with phase=break only",
        );
        check(
            "players=2 | round=2 code=A1,B2,B3",
            "the code has a covered card, choose cards of the pack",
        );
        check("players=2 | colours=AAB", "colours: rows are answered by a code, give code=");
        check("players=2 | code=A1,B2,C3 shapes=AAB", "shapes: AAB is no row of shapes");
        check("players=2 | code=A1,B2,C3 colours=AAB:2b", "colours: AAB gets 1b1w from A1,B2,C3");
        check(
            "players=2 | code=A1,B2,C3 colours=ABC,AAB",
            "colours: a zone has 8 rows, and none after three blacks",
        );
        check(
            "players=2 | code=A1,B2,C3 shapes=111,111,111,111,111,111,111,111,111",
            "shapes: a zone has 8 rows, and none after three blacks",
        );
        check(
            "players=2 | code=A1,B2,C3 colours=ABC shapes=123",
            "the round is over when no zone is open, leave the last row out",
        );
        check("players=2 | marks=A1/-", "only codebreakers mark cards");
        check("players=2 | phase=over marks=E5/-", "only codebreakers mark cards");
        check("players=2 | round=2 marks=A1/-", "only cards of the pack are marked");
        check("players=2 | maker=B", "maker: it is A here");
        check("players=2 | round=2 scores=3/0", "scores: it is 2/0 here");
        check("players=2 | pack=A1", "pack: no such field, take it out");
    }

    #[test]
    fn no_card_is_used_after_it_was_taken_out() {
        let six = |first: &str, second: &str| {
            format!("sheet={first};{first};{first};{second};{second};{second}")
        };
        let (early, late) = ("A1,A2,A3:1+1", "B1,B2,B3:1+1");
        let check = |sheet: &str, covered: &str, right: bool| {
            let text = format!("players=3 | {sheet} covered={covered}");
            assert_eq!(text.parse::<Royale>().is_ok(), right, "{text}");
        };
        check(&six(early, late), "A1,A2,A3,B1,B2,B3", true);
        check(&six(early, late), "C1,C2,C3,D1,D2,D3", true);
        check(&six(late, late), "B1,B2,B3,C1,C2,C3", true);
        check(&six(early, "B1,B2,C3:1+1"), "A1,B1,B2,C3,D1,D2", true);
        // Four cards of the second group cannot all have been taken out after it.
        let four =
            "sheet=A1,A2,A3:1+1;A1,A2,A3:1+1;A1,A2,A3:1+1;B1,B2,B3:1+1;B1,B2,B4:1+1;C1,C2,C3:1+1";
        check(four, "B1,B2,B3,B4,D1,D2", false);
        check(four, "A1,A2,B3,B4,D1,D2", true);
        // Nor can a card of the present group have been taken out at all.
        check("sheet=A1,A2,A3:1+1;A1,A2,A3:1+1;A1,A2,A3:1+1;B1,B2,B3:1+1", "B1,D1,D2", false);
    }
}
