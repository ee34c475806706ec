//! The journal of a simulated table: it can be slow, refuse to write, or report a failure after
//! writing.

use std::time::Duration;

use table::fair::Stamp;
use table::{Append, AppendFailure, Input};

use crate::faults::Fault;
use crate::violation::{Checked, hold};
use crate::world::{Event, World};

/// The journal of the table.
pub(crate) struct Journal {
    pub(crate) lines: Vec<Box<str>>,
    pub(crate) writing: Option<Writing>,
    number: u64,
}

pub(crate) struct Writing {
    pub(crate) append: Append,
    is_durable: bool,
    answer: Option<AppendFailure>,
    since: Stamp,
}

impl Journal {
    pub(crate) fn new(lines: Vec<Box<str>>) -> Self {
        Self { lines, writing: None, number: 0 }
    }
}

impl World {
    pub(crate) fn append(&mut self, append: Append) -> Checked {
        let journal = &mut self.server.journal;
        hold!(journal.writing.is_none(), Contract, "two appends at a time");
        let known = self.server.reference.lines;
        let expected = append.expected;
        hold!(expected == known, Contract, "an append expects {expected} lines, {known} are known");
        hold!(!append.lines.is_empty(), Contract, "an append without lines");
        hold!(append.lines.len() <= 64, Bounds, "an append of {} lines", append.lines.len());
        let mut delay_us = 200 + self.chance.below(2_000);
        let (mut is_durable, mut answer) = (true, None);
        if expected != self.server.journal.lines.len() as u64 {
            (is_durable, answer) = (false, Some(AppendFailure::Conflict));
        } else if self.has(Fault::Refuse) && self.chance.once_in(40) {
            (is_durable, answer) = (false, Some(AppendFailure::Fault("the disk is full".into())));
            self.tally.journal_faults += 1;
        } else if self.has(Fault::Lost) && self.chance.once_in(150) {
            answer = Some(AppendFailure::Fault("no answer".to_owned()));
            self.tally.journal_faults += 1;
        }
        if self.has(Fault::Slow) && self.chance.once_in(25) {
            let most = [40_000, 400_000, 3_000_000][self.chance.below(3) as usize];
            delay_us += self.chance.below(most);
            self.tally.journal_faults += 1;
        }
        let since = self.now;
        let journal = &mut self.server.journal;
        journal.writing = Some(Writing { append, is_durable, answer, since });
        journal.number += 1;
        let at = self.now.after(Duration::from_micros(u64::from(delay_us)));
        self.agenda.add(at, Event::Written(self.server.journal.number));
        Ok(())
    }

    pub(crate) fn written(&mut self, number: u64) -> Checked {
        if number != self.server.journal.number {
            return Ok(());
        }
        let Some(writing) = self.server.journal.writing.take() else { return Ok(()) };
        if writing.is_durable {
            self.server.journal.lines.extend(writing.append.lines.iter().cloned());
        }
        match writing.answer {
            Some(failure) => {
                self.presses.failed(self.now);
                self.hand(Input::AppendFailed(failure))
            }
            None => {
                for line in &writing.append.lines {
                    self.fold(line, Some(writing.since))?;
                }
                self.take_snapshot();
                self.hand(Input::Appended)
            }
        }
    }
}
