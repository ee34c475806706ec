//! Changes to the catalogue, in small pieces: no player waits for them, so they must not hold up
//! lines that players wait for.

use std::collections::VecDeque;

use rusqlite::Connection;

use super::catalogue;
use super::link::Trouble;
use super::writer::{Answer, Done, tell};
use crate::{Card, Fault};

/// How many cards go into one commit. Each is written to some twenty pages.
pub(super) const CARDS_MOST: usize = 4;

/// How many changes to the catalogue can wait.
const JOBS_MOST: usize = 64;

/// What ends a change to the catalogue, after all of its cards.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// The catalogue has everything up to this turn of the notes.
    Turn(u64),
    /// Cards of other editions are thrown away.
    Edition(u32),
}

/// The changes to the catalogue that are not complete, in order.
#[derive(Default)]
pub(super) struct Filing(VecDeque<Job>);

struct Job {
    cards: Vec<Card>,
    /// How many of the cards are filed.
    filed: usize,
    end: End,
    answer: Answer,
}

impl Filing {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a change, to be answered when all of it is durable.
    pub(super) fn push(&mut self, cards: Vec<Card>, end: End, answer: Answer) {
        if self.0.len() < JOBS_MOST {
            self.0.push_back(Job { cards, filed: 0, end, answer });
        } else {
            tell(answer, Err(Fault::Busy));
        }
    }

    /// Writes the next piece. A crash after it leaves cards that are filed and a turn that is not
    /// reached, so the same cards are filed again, which changes nothing.
    pub(super) fn write(&self, connection: &Connection) -> Result<(), Trouble> {
        let Some(Job { cards, filed, end, .. }) = self.0.front() else { return Ok(()) };
        let left = cards.get(*filed..).unwrap_or_default();
        catalogue::add(connection, left.iter().take(CARDS_MOST))?;
        if left.len() <= CARDS_MOST {
            match *end {
                End::Turn(turn) => catalogue::reach(connection, turn)?,
                End::Edition(edition) => catalogue::begin(connection, edition)?,
            }
        }
        Ok(())
    }

    /// The piece is durable.
    pub(super) fn committed(&mut self) {
        let Some(job) = self.0.front_mut() else { return };
        job.filed += CARDS_MOST;
        if job.filed >= job.cards.len()
            && let Some(job) = self.0.pop_front()
        {
            tell(job.answer, Ok(Done::Written));
        }
    }

    /// The piece could not be written. The rest of its change is given up.
    pub(super) fn failed(&mut self, fault: &Fault) {
        if let Some(job) = self.0.pop_front() {
            tell(job.answer, Err(fault.clone()));
        }
    }
}
