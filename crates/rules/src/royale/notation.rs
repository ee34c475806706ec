//! Royale Mastermind in writing: `docs/notation.md` describes it, `position.rs` reads states.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::card::Pack;
use super::event::{Event, Notice, Sight};
use super::row::Row;
use super::rows::Rows;
use super::score::{Entry, Sheet};
use super::state::{Phase, Public, Royale};
use super::view::View;
use super::zone::Zone;
use crate::kit::text::{Misprint, Words, by_seat, listed};
use crate::kit::{Seat, Viewer};

impl Public {
    fn write(&self, f: &mut fmt::Formatter, code: &str, marks: &str) -> fmt::Result {
        let Self { setup, round, roles, pack, phase, rows, scores, sheet } = self;
        write!(f, "{setup} | round={round} maker={}", roles.maker)?;
        write!(f, " colours_by={} shapes_by={}", roles.breakers.colours, roles.breakers.shapes)?;
        write!(f, " covered={} phase={phase} code={code}", Pack::WHOLE - *pack)?;
        for zone in Zone::ALL {
            write!(f, " {zone}={}", rows[*zone].written(*zone))?;
        }
        write!(f, " marks={marks} scores={} sheet={sheet}", by_seat(scores))
    }
}

impl Rows {
    fn written(&self, zone: Zone) -> String {
        let asked =
            self.iter().map(|asked| format!("{}:{}", Row::new(zone, asked.row), asked.pegs));
        listed(asked, ",")
    }
}

/// The rounds one after the other, written `A1,B2,C3:5+x;D1,D2,D3:3+4`, `-` for none.
impl Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&listed(self.iter().map(|line| format!("{}:{}", line.code, line.efforts)), ";"))
    }
}

impl Display for Royale {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.public.write(f, &listed(self.code, ""), &by_seat(&self.marks))
    }
}

/// The fields that a viewer knows, a hidden code and another breaker's marks as `*`, and what the
/// aids tell.
impl Display for View {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let breakers = self.public.roles.all_breakers();
        let marks = Seat::all(self.public.setup.players).map(|seat| match self.public.phase {
            Phase::Choosing | Phase::Breaking
                if breakers.contains(seat) && self.me != Viewer::Seat(seat) =>
            {
                "*".to_owned()
            }
            _ if self.me == Viewer::Seat(seat) => self.marks.to_string(),
            Phase::Choosing | Phase::Breaking | Phase::Over => "-".to_owned(),
        });
        self.public.write(f, &listed(self.code, ""), &listed(marks, "/"))?;
        if let Some(left) = self.codes_left() {
            write!(f, " left={left}")?;
        }
        if let Some(cards) = self.possible_cards() {
            write!(f, " shaded={cards}")?;
        }
        Ok(())
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Hidden { seat, code } => write!(f, "hidden {seat} {code}"),
            Self::Marked { seat, card } => write!(f, "marked {seat} {card}"),
            Self::Unmarked { seat, card } => write!(f, "unmarked {seat} {card}"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Hidden { seat, code } => write!(f, "hidden {seat} {code}"),
            Self::Marked(card) => write!(f, "marked {card}"),
            Self::Unmarked(card) => write!(f, "unmarked {card}"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Begun { round } => write!(f, "begun {round}"),
            Self::Asked { seat, row, pegs } => write!(f, "asked {seat} {row} {pegs}"),
            Self::Scored(Entry { maker, code, efforts, points }) => {
                write!(f, "scored {maker} {code}:{efforts} {points}")
            }
            Self::Covered(cards) => write!(f, "covered {cards}"),
            Self::Restored => f.write_str("restored"),
            Self::Ended => f.write_str("ended"),
        }
    }
}

impl FromStr for Event {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut words = Words::parse(text);
        let event = match words.word("an event")? {
            "hidden" => {
                Self::Hidden { seat: words.read("the seat")?, code: words.read("the code")? }
            }
            "marked" => {
                Self::Marked { seat: words.read("the seat")?, card: words.read("the card")? }
            }
            "unmarked" => {
                Self::Unmarked { seat: words.read("the seat")?, card: words.read("the card")? }
            }
            word => Self::Notice(Notice::read(word, &mut words)?),
        };
        words.end(event)
    }
}

impl Notice {
    fn read(word: &str, words: &mut Words) -> Result<Self, Misprint> {
        Ok(match word {
            "begun" => Self::Begun { round: words.read("the round")? },
            "asked" => {
                let (seat, row) = (words.read("the seat")?, words.read("the row")?);
                Self::Asked { seat, row, pegs: words.read("the pegs")? }
            }
            "scored" => {
                let maker = words.read("the seat")?;
                let (code, efforts) = read_line(words.word("the code and its rows")?)?;
                Self::Scored(Entry { maker, code, efforts, points: words.read("the points")? })
            }
            "covered" => Self::Covered(words.read("the cards")?),
            "restored" => Self::Restored,
            "ended" => Self::Ended,
            other => return Err(Misprint::new(format_args!("{other:?} is no event of royale"))),
        })
    }
}

/// Reads a line of the sheet, written `A1,B2,C3:5+x`.
pub(super) fn read_line<C, E>(text: &str) -> Result<(C, E), Misprint>
where
    C: FromStr<Err: Display>,
    E: FromStr<Err: Display>,
{
    let (code, efforts) = text.split_once(':').ok_or_else(|| {
        Misprint::new(format_args!("write {text:?} as a code and its rows, as in A1,B2,C3:5+x"))
    })?;
    Ok((code.parse().map_err(Misprint::new)?, efforts.parse().map_err(Misprint::new)?))
}
