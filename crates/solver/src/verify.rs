//! Playing a tree against every code of its pack, with nothing that the search uses: the codes
//! come from the rules one by one, and pegs are counted as people count them.

use rules::royale::{Code, Pack, Row, Zone};

use super::tree::{Tree, byte_row};

/// What a strategy needs over all codes of a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// The rows over all codes together.
    pub total: u32,
    /// The most rows for any code.
    pub worst: u32,
    /// The most rows in one zone for any code.
    pub zone_most: u32,
}

/// What is wrong with a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It has no row where one is needed.
    #[error("the tree ends where codes are left, compute it again")]
    Short,
    /// It goes on where nothing is left.
    #[error("the tree goes on where no code is left, compute it again")]
    Long,
    /// A byte of it is no row.
    #[error("the tree has a byte that is no row, compute it again")]
    NoRow,
    /// It asks in a zone that is solved.
    #[error("the tree asks in a solved zone, compute it again")]
    Solved,
    /// A row leaves all codes as they were.
    #[error("the tree asks a row that tells nothing, compute it again")]
    Nothing,
}

/// Plays the tree against every code.
pub fn play(tree: &Tree, pack: Pack) -> Result<RowCounts, Broken> {
    let mut player = Player { bytes: tree.as_bytes(), played: RowCounts::default() };
    player.play(Code::all(pack).collect(), [None; 2], [0; 2])?;
    if player.bytes.is_empty() { Ok(player.played) } else { Err(Broken::Long) }
}

struct Player<'a> {
    bytes: &'a [u8],
    played: RowCounts,
}

impl Player<'_> {
    /// Plays on with the codes that are left, the zones that are solved, and the rows so far.
    fn play(
        &mut self,
        codes: Vec<Code>,
        solved: [Option<()>; 2],
        rows: [u32; 2],
    ) -> Result<(), Broken> {
        if codes.len() <= 1 {
            if codes.len() == 1 {
                let rows = [0, 1].map(|zone| rows[zone] + u32::from(solved[zone].is_none()));
                let sum = rows[0] + rows[1];
                self.played.total += sum;
                self.played.worst = self.played.worst.max(sum);
                self.played.zone_most = self.played.zone_most.max(rows[0]).max(rows[1]);
            }
            return Ok(());
        }
        let (byte, rest) = self.bytes.split_first().ok_or(Broken::Short)?;
        self.bytes = rest;
        let row = byte_row(*byte).ok_or(Broken::NoRow)?;
        let zone = usize::from(row.zone() == Zone::Shapes);
        if solved[zone].is_some() {
            return Err(Broken::Solved);
        }
        let mut rows = rows;
        rows[zone] += 1;
        let count = codes.len();
        for pegs in PEGS {
            let part = codes.iter().copied().filter(|code| pegs_of(row, *code) == pegs);
            let part = part.collect::<Vec<_>>();
            let mut solved = solved;
            if pegs == (3, 0) {
                solved[zone] = Some(());
            } else if part.len() == count {
                return Err(Broken::Nothing);
            }
            self.play(part, solved, rows)?;
        }
        Ok(())
    }
}

/// Every answer, in the order of a tree.
const PEGS: [(u8, u8); 9] =
    [(3, 0), (0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0)];

/// Takes tokens off the table one by one: first those in their place, then the misplaced ones.
fn pegs_of(row: Row, code: Code) -> (u8, u8) {
    let hidden = match row.zone() {
        Zone::Colours => code.cards().map(|card| Some(card.colour())),
        Zone::Shapes => code.cards().map(|card| Some(card.shape())),
    };
    let (mut hidden, mut asked) = (hidden, row.triple().kinds().map(Some));
    let (mut black, mut white) = (0, 0);
    for place in 0..3 {
        if asked[place] == hidden[place] {
            (asked[place], hidden[place]) = (None, None);
            black += 1;
        }
    }
    for kind in asked.into_iter().flatten() {
        if let Some(place) = hidden.iter().position(|other| *other == Some(kind)) {
            hidden[place] = None;
            white += 1;
        }
    }
    (black, white)
}
