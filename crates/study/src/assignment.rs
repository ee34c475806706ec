//! Which condition a group gets, and in which order it plays the games.
//!
//! Everything follows from the version of the file and the groups before: no luck is needed.

use sha2::{Digest, Sha256};

use crate::group::Group;
use crate::study::{Order, Study};

/// The condition of the next group: the one with the fewest groups that are open or complete. Ties
/// are broken by a hash of the file's version and the number of the group.
pub(crate) fn next_condition(study: &Study, groups: &[Group]) -> usize {
    let number = groups.len();
    let filled = |condition: usize| {
        groups.iter().filter(|group| group.counts() && group.condition == condition).count()
    };
    let key = |condition: &usize| (filled(*condition), hash(study, "tie", number, *condition));
    (0..study.conditions.len()).min_by_key(key).unwrap_or(0)
}

/// The order in which the next group of a condition plays its games.
pub(crate) fn order(study: &Study, condition: usize, groups: &[Group]) -> Vec<u8> {
    let Some(found) = study.conditions.get(condition) else { return Vec::new() };
    let mut order = (0..found.games.len() as u8).collect::<Vec<_>>();
    match found.order {
        Order::AsWritten => {}
        Order::Shuffled => {
            order.sort_by_key(|game| hash(study, "order", groups.len(), usize::from(*game)));
        }
        Order::Rotated => {
            let counts = |group: &&Group| group.counts() && group.condition == condition;
            let before = groups.iter().filter(counts).count();
            order.rotate_left(before % found.games.len().max(1));
        }
    }
    order
}

fn hash(study: &Study, what: &str, number: usize, of: usize) -> [u8; 32] {
    let text = format!("{}\n{what}\n{number}\n{of}", study.about.version);
    Sha256::digest(text).into()
}
