//! Changes to the catalogue, in small pieces: no player waits for them, so they must not hold up
//! lines that players wait for.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::answers::Answer;
use super::catalogue;
use super::database::Trouble;
use super::writer::Done;
use crate::{Card, Fault};

/// How many cards go into a commit that no player waits for. Each is written to some twenty pages.
const CARDS_MOST: usize = 8;

/// How many cards go into a commit that players wait for.
const CARDS_BESIDE_LINES: usize = 2;

/// While players wait for lines, commits with a piece take at most one part in this number of the
/// writer's time. Cards that come faster wait until fewer lines come.
const SHARE: u32 = 10;

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
pub(super) struct Filing {
    jobs: VecDeque<Job>,
    /// Until when no piece is written while players wait for lines.
    rests_until: Option<Instant>,
}

struct Job {
    cards: Vec<Card>,
    /// How many of the cards are filed.
    filed: usize,
    end: End,
    answer: Answer,
}

/// The part of a change that is committed at once.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    cards: &'a [Card],
    /// What ends the change, if these are its last cards.
    end: Option<End>,
}

impl Filing {
    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Adds a change, to be answered when all of it is durable.
    pub(super) fn push(&mut self, cards: Vec<Card>, end: End, answer: Answer) {
        if self.jobs.len() < JOBS_MOST {
            self.jobs.push_back(Job { cards, filed: 0, end, answer });
        } else {
            let _dropped = answer.send(Err(Fault::Busy));
        }
    }

    /// The next piece, if a commit with `waiting` other requests should include it. After a crash
    /// between two pieces the turn is not reached, so all cards of the change are filed again;
    /// a card that says the same already stays as it is.
    pub(super) fn next(&self, waiting: usize, now: Instant) -> Option<Piece<'_>> {
        let Job { cards, filed, end, .. } = self.jobs.front()?;
        if waiting > 0 && self.rests_until.is_some_and(|until| now < until) {
            return None;
        }
        let most = if waiting > 0 { CARDS_BESIDE_LINES } else { CARDS_MOST };
        let left = cards.get(*filed..).unwrap_or_default();
        let is_last = left.len() <= most;
        Some(Piece { cards: &left[..left.len().min(most)], end: is_last.then_some(*end) })
    }

    /// A piece of `cards` cards is durable by a commit that began at `begun` and took `took`. The
    /// answer to its change, if it was the last piece of it.
    pub(super) fn committed(
        &mut self,
        cards: usize,
        begun: Instant,
        took: Duration,
    ) -> Option<(Answer, Result<Done, Fault>)> {
        self.rests_until = Some(begun + took * SHARE);
        let job = self.jobs.front_mut()?;
        job.filed += cards;
        let job = self.jobs.pop_front_if(|job| job.filed >= job.cards.len())?;
        Some((job.answer, Ok(Done::Written)))
    }

    /// The piece could not be written: drops the rest of its change and answers with the fault.
    pub(super) fn failed(&mut self, fault: &Fault) -> Option<(Answer, Result<Done, Fault>)> {
        let job = self.jobs.pop_front()?;
        Some((job.answer, Err(fault.clone())))
    }
}

impl Piece<'_> {
    /// How many cards it has.
    pub(super) fn cards(&self) -> usize {
        self.cards.len()
    }

    pub(super) fn write(&self, connection: &Connection) -> Result<(), Trouble> {
        catalogue::add(connection, self.cards)?;
        match self.end {
            Some(End::Turn(turn)) => catalogue::reach(connection, turn),
            Some(End::Edition(edition)) => catalogue::begin(connection, edition),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn card() -> Card {
        let key = "k3f9ab".parse().unwrap();
        Card { key, number: 1, text: "{}".into(), places: Vec::new(), names: Vec::new() }
    }

    #[test]
    fn while_players_wait_pieces_are_small_and_take_a_tenth_of_the_time() {
        let (mut filing, now) = (Filing::default(), Instant::now());
        assert!(filing.next(0, now).is_none(), "there is nothing to file");
        let cards = (0..CARDS_MOST + CARDS_BESIDE_LINES).map(|_| card()).collect();
        filing.push(cards, End::Turn(1), oneshot::channel().0);
        let piece = filing.next(5, now).unwrap();
        assert_eq!((piece.cards(), piece.end.is_some()), (CARDS_BESIDE_LINES, false));
        let took = Duration::from_millis(1);
        assert!(filing.committed(CARDS_BESIDE_LINES, now, took).is_none(), "cards are left");
        assert!(filing.next(5, now + Duration::from_millis(9)).is_none());
        assert!(filing.next(5, now + Duration::from_millis(10)).is_some());
        let piece = filing.next(0, now).unwrap();
        assert_eq!((piece.cards(), piece.end.is_some()), (CARDS_MOST, true), "no player waits");
        assert!(filing.committed(CARDS_MOST, now, took).is_some(), "it was the last piece");
    }
}
