//! The tablebase: solved packs in a compact, versioned file.
//!
//! Eight bytes say what the file is; then follows one record after the other. A record is the
//! number of the class (4 bytes, the lowest first, as all numbers here), the total (4), the least
//! worst case (1, 0 if it is not known), the least total of strategies with that worst case (4),
//! the length of the tree (2), the tree, and a print of all that (4). A later record of a class
//! replaces an earlier one. An incomplete record at the end is ignored.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rules::royale::Pack;

use super::class::{Class, Renaming};
use super::solution::{Solution, Worst};
use super::tree::Tree;

/// What a file begins with: its name, and the version of the format.
pub const HEADER: [u8; 8] = *b"royale\x00\x01";

/// Solved packs by class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tablebase {
    solutions: BTreeMap<Class, Solution>,
}

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is something else, or of another version.
    #[error("this is not a tablebase of version 1, name another file")]
    Header,
    /// Something in the middle is wrong.
    #[error("the record at byte {0} is damaged, delete the file and compute it again")]
    Record(usize),
}

/// The tablebase that is part of the program.
pub fn shipped() -> &'static Tablebase {
    static BYTES: &[u8] = include_bytes!("../data/royale.tablebase");
    static SHIPPED: LazyLock<Tablebase> = LazyLock::new(|| {
        Tablebase::read(BYTES).map_or_else(|_| Tablebase::default(), |read| read.0)
    });
    &SHIPPED
}

impl Tablebase {
    /// Reads a file: the tablebase, and how many bytes of it are whole.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), Unreadable> {
        let mut rest = bytes.strip_prefix(&HEADER).ok_or(Unreadable::Header)?;
        let mut table = Self::default();
        loop {
            let at = bytes.len() - rest.len();
            match read_solution(rest) {
                Ok((solution, len)) => {
                    table.insert(solution);
                    rest = &rest[len..];
                }
                Err(Fault::Torn) => return Ok((table, at)),
                Err(Fault::Wrong) => return Err(Unreadable::Record(at)),
            }
        }
    }

    /// The whole file.
    pub fn write(&self) -> Vec<u8> {
        let records = self.solutions.values().flat_map(write_solution);
        HEADER.into_iter().chain(records).collect()
    }

    /// Adds a solution, in place of an earlier one of its class.
    pub fn insert(&mut self, solution: Solution) {
        self.solutions.insert(solution.class, solution);
    }

    /// The solution of a class.
    pub fn get(&self, class: Class) -> Option<&Solution> {
        self.solutions.get(&class)
    }

    /// The solution of a pack, and how its names become those of the solution.
    pub fn find(&self, pack: Pack) -> Option<(&Solution, Renaming)> {
        let (class, renaming) = Class::of(pack);
        self.get(class).map(|solution| (solution, renaming))
    }

    /// Every solution, small packs first.
    pub fn iter(&self) -> impl Iterator<Item = &Solution> + Clone {
        self.solutions.values()
    }
}

/// One record of a file.
pub fn write_solution(solution: &Solution) -> Vec<u8> {
    let tree = solution.tree.as_bytes();
    let (rows, total) = solution.worst.map_or((0, 0), |worst| (worst.rows as u8, worst.total));
    let mut record = Vec::with_capacity(tree.len() + 19);
    record.extend(solution.class.number().to_le_bytes());
    record.extend(solution.total.to_le_bytes());
    record.push(rows);
    record.extend(total.to_le_bytes());
    record.extend((tree.len() as u16).to_le_bytes());
    record.extend(tree);
    record.extend(print(&record).to_le_bytes());
    record
}

enum Fault {
    Torn,
    Wrong,
}

fn read_solution(bytes: &[u8]) -> Result<(Solution, usize), Fault> {
    let mut rest = bytes;
    let number = u32::from_le_bytes(take(&mut rest)?);
    let total = u32::from_le_bytes(take(&mut rest)?);
    let [rows] = take::<1>(&mut rest)?;
    let worst_total = u32::from_le_bytes(take(&mut rest)?);
    let len = usize::from(u16::from_le_bytes(take(&mut rest)?));
    let tree = rest.get(..len).ok_or(Fault::Torn)?;
    rest = &rest[len..];
    let said = &bytes[..bytes.len() - rest.len()];
    if u32::from_le_bytes(take(&mut rest)?) != print(said) {
        // A record that was being written may have its length and not all of its tree.
        return Err(if rest.is_empty() { Fault::Torn } else { Fault::Wrong });
    }
    let class = Class::from_number(number).ok_or(Fault::Wrong)?;
    let worst = (rows > 0).then_some(Worst { rows: u32::from(rows), total: worst_total });
    let solution = Solution { class, total, worst, tree: Tree::from_bytes(tree) };
    Ok((solution, bytes.len() - rest.len()))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Fault> {
    let (first, rest) = bytes.split_first_chunk::<N>().ok_or(Fault::Torn)?;
    *bytes = rest;
    Ok(*first)
}

/// FNV-1a in 32 bits: enough to notice what was torn or mistyped.
fn print(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0x811C_9DC5, |print, byte| (print ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
