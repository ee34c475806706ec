//! Royale Mastermind in plain words.

use rules::kit::Seat;
use rules::royale::{Effort, Notice, Pack, Phase, Row, Royale, SeenCode, Sight, View, Zone};

use super::text::{GameText, count, name, who};

impl GameText for Royale {
    const TITLE: &'static str = "Royale Mastermind";

    fn table(view: &View, me: Seat) -> Vec<String> {
        let public = &view.public;
        let scores = public.scores.iter().map(|(seat, score)| format!("{} {score}", who(seat, me)));
        let mut lines = vec![
            format!("Round {} of {}", public.round, public.setup.rounds),
            format!("Scores: {}", scores.collect::<Vec<_>>().join(" · ")),
            "Colours: A red, B yellow, C green, D brown, E blue".to_owned(),
            "Shapes:  1 circle, 2 rectangle, 3 triangle, 4 square, 5 hexagon".to_owned(),
            format!("Cards in the pack: {}", public.pack),
        ];
        lines.extend(Zone::ALL.iter().map(|zone| rows(view, *zone)));
        if view.marks != Pack::NONE {
            lines.push(format!("Your marks: {}", view.marks));
        }
        lines.extend(view.codes_left().map(|codes| format!("Codes still possible: {codes}")));
        lines.extend(view.possible_cards().map(|cards| format!("Cards still possible: {cards}")));
        lines.push(phase(view, me));
        lines
    }

    fn news(sight: &Sight, me: Seat) -> String {
        match sight {
            Sight::Hidden { seat, code: SeenCode::Known(code) } => {
                format!("{} hid the code {code}.", name(*seat, me))
            }
            Sight::Hidden { seat, code: SeenCode::Backs } => {
                format!("{} hid a code.", name(*seat, me))
            }
            Sight::Marked(card) => format!("You marked {card}."),
            Sight::Unmarked(card) => format!("You took the mark off {card}."),
            Sight::Notice(notice) => notice_text(notice, me),
        }
    }

    fn chapter(view: &View) -> String {
        let public = &view.public;
        let asked = public.rows.colours.len() + public.rows.shapes.len();
        let mine = view.me.seat().is_some_and(|me| public.roles.all_breakers().contains(me));
        format!("{} {} {}", public.round, public.phase, if mine { asked } else { 0 })
    }
}

fn rows(view: &View, zone: Zone) -> String {
    let rows = view.public.rows[zone].iter();
    let rows = rows.map(|asked| format!("{} {}", Row::new(zone, asked.row), asked.pegs));
    let rows = rows.collect::<Vec<_>>();
    format!(
        "Rows for the {zone}: {}",
        if rows.is_empty() { "-".to_owned() } else { rows.join(" · ") }
    )
}

fn phase(view: &View, me: Seat) -> String {
    let roles = &view.public.roles;
    let maker = name(roles.maker, me);
    match (view.public.phase, view.code) {
        (Phase::Choosing, _) if roles.maker == me => {
            "You hide a code of three cards, such as: hide A1,B2,C3".to_owned()
        }
        (Phase::Choosing, _) => format!("{maker} chooses a code."),
        (Phase::Breaking, Some(SeenCode::Known(code))) => format!("Your code is {code}."),
        (Phase::Breaking, _) if roles.all_breakers().contains(me) => {
            "You break the code: ask for colours (ask AAB) or shapes (ask 112).".to_owned()
        }
        (Phase::Breaking, _) => "The code is being broken.".to_owned(),
        (Phase::Over, _) => "Over.".to_owned(),
    }
}

fn notice_text(notice: &Notice, me: Seat) -> String {
    match notice {
        Notice::Begun { round } => format!("Round {round} begins."),
        Notice::Asked { seat, row, pegs } => {
            format!("{} asked {row}: {}", name(*seat, me), pegs_text(pegs.black(), pegs.white()))
        }
        Notice::Scored(entry) => {
            let effort = |zone: Zone| match entry.efforts[zone] {
                Effort::Solved(rows) => format!("{zone} in {}", count(rows, "row")),
                Effort::Unsolved => format!("{zone} not found"),
            };
            let efforts = format!("{}, {}", effort(Zone::Colours), effort(Zone::Shapes));
            let maker = name(entry.maker, me);
            format!("The code was {}: {efforts}. {maker} scored {}.", entry.code, entry.points)
        }
        Notice::Covered(cards) => format!("Covered on the grid: {cards}."),
        Notice::Restored => "The pack is whole again.".to_owned(),
        Notice::Ended => "That was the last round.".to_owned(),
    }
}

fn pegs_text(black: u8, white: u8) -> String {
    match (black, white) {
        (3, _) => "three black pegs, solved!".to_owned(),
        (0, 0) => "no peg.".to_owned(),
        (black, white) => format!("{black} black, {white} white."),
    }
}
