//! One append from its request to its end, as a pure machine: it says what to do next and hears what
//! came of it.
//!
//! The append names the last message that it follows (the fence), and the brokers store it only
//! behind that one. An append without an answer may have been stored, may be stored later, or never:
//! the machine looks at the end of the table and finds its own message by the id. If it is not there
//! the same message is sent again with the same fence, so that of all copies at most one is ever
//! stored. Nothing is sent again before such a look.

use journal::{Key, Note};

use crate::bundle::{Bundle, BundleId, Link};
use crate::tail::Tail;

/// An append on its way.
pub(crate) struct Attempt {
    id: BundleId,
    table: Key,
    after: u64,
    lines: Vec<Box<str>>,
    note: Option<Note>,
    /// The last tail that was seen or written.
    known: Option<Tail>,
    sent: Option<Sent>,
    /// The last look found less than there was before.
    is_behind: bool,
}

/// What was sent, and what the table's tail is once it is stored.
struct Sent {
    follows: Tail,
    bundle: Bundle,
    link: Link,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Do {
    /// Ask for the table's last message.
    Look,
    /// The same, after a pause: what was heard does not decide anything.
    LookAgain,
    /// Ask for the table's first message behind this place of the stream.
    LookBehind(u64),
    /// Send this message, which follows the one at this place.
    Send { message: Vec<u8>, follows: u64 },
    /// The append has come to its end.
    Done(Done),
}

/// How an append ended. Both ends know the table's tail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// The lines are stored.
    Stored(Tail),
    /// They are not, and will not be: the table has another number of lines.
    Conflict(Tail),
}

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The table's last message, if it has one.
    Last(Option<Seen>),
    /// The table's first message behind the place that was asked for, if there is one.
    Behind(Option<Seen>),
    /// What was sent is stored at this place.
    Stored(u64),
    /// What was sent does not follow the last message.
    Refused,
    /// No answer, or one that leaves open what happened.
    Nothing,
}

/// A message as far as an append is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) id: BundleId,
    pub(crate) tail: Tail,
}

/// Why an append had not ended when its time was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// Nothing was sent.
    NotSent,
    /// It was sent, and may be stored or not.
    Unanswered,
    /// The table has fewer messages than were there before.
    Behind,
}

impl Attempt {
    /// An append to a table that has `after` lines, of which this tail is known.
    pub(crate) fn new(
        id: BundleId,
        table: Key,
        (after, lines, note): (u64, Vec<Box<str>>, Option<Note>),
        known: Option<Tail>,
    ) -> Self {
        Self { id, table, after, lines, note, known, sent: None, is_behind: false }
    }

    /// The first thing to do.
    pub(crate) fn begin(&mut self) -> Do {
        match self.known {
            Some(tail) if tail.lines == self.after && !self.is_empty() => self.send(tail),
            _ => Do::Look,
        }
    }

    /// What to do after something was heard.
    pub(crate) fn hear(&mut self, heard: Heard) -> Do {
        match heard {
            Heard::Stored(sequence) => match &self.sent {
                Some(sent) => Do::Done(Done::Stored(Tail::of(sequence, &sent.bundle, sent.link))),
                None => Do::LookAgain,
            },
            Heard::Last(seen) => self.looked(seen),
            Heard::Behind(Some(first)) => {
                // The last look found the tail.
                let tail = self.known.unwrap_or(first.tail);
                let is_mine = first.id == self.id;
                Do::Done(if is_mine { Done::Stored(tail) } else { Done::Conflict(tail) })
            }
            Heard::Refused => Do::Look,
            Heard::Behind(None) | Heard::Nothing => Do::LookAgain,
        }
    }

    /// Why it has not ended.
    pub(crate) fn overdue(&self) -> Overdue {
        match &self.sent {
            _ if self.is_behind => Overdue::Behind,
            Some(_) => Overdue::Unanswered,
            None => Overdue::NotSent,
        }
    }

    fn looked(&mut self, seen: Option<Seen>) -> Do {
        let tail = seen.map_or(Tail::NONE, |seen| seen.tail);
        // A broker that does not know yet that it no longer leads may answer with an older end.
        let least = self.known.map_or(0, |known| known.sequence);
        self.is_behind = tail.sequence < least;
        if self.is_behind {
            return Do::LookAgain;
        }
        self.known = Some(tail);
        match &self.sent {
            // Something follows what mine follows: it is mine, or mine can never follow it.
            Some(sent) if tail.sequence > sent.follows.sequence => {
                Do::LookBehind(sent.follows.sequence)
            }
            _ if tail.lines != self.after => Do::Done(Done::Conflict(tail)),
            _ if self.is_empty() => Do::Done(Done::Stored(tail)),
            _ => self.send(tail),
        }
    }

    fn send(&mut self, follows: Tail) -> Do {
        let bundle = Bundle {
            id: self.id,
            table: self.table.clone(),
            after: self.after,
            before: follows.link,
            noted: follows.noted,
            lines: self.lines.clone(),
            note: self.note.clone(),
        };
        let (message, link) = bundle.message();
        self.sent = Some(Sent { follows, bundle, link });
        Do::Send { message, follows: follows.sequence }
    }

    /// Whether there is nothing to store: then it only checks the number of lines.
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.note.is_none()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn table() -> Key {
        "t".parse().unwrap()
    }

    fn id(number: u8) -> BundleId {
        BundleId([number; 16])
    }

    fn attempt(number: u8, after: u64, known: Option<Tail>) -> Attempt {
        Attempt::new(id(number), table(), (after, vec!["line".into()], None), known)
    }

    /// A stream with one table, and messages that are on their way to it.
    #[derive(Default)]
    struct Stream {
        stored: Vec<Seen>,
        on_the_way: Vec<(Vec<u8>, u64)>,
    }

    impl Stream {
        fn last(&self) -> u64 {
            self.stored.last().map_or(0, |seen| seen.tail.sequence)
        }

        /// What the brokers do with a message that arrives. Places have gaps: other tables.
        fn arrive(&mut self, message: &[u8], follows: u64, luck: &mut impl Rng) -> Heard {
            if follows != self.last() {
                return Heard::Refused;
            }
            let (bundle, link) = Bundle::read(message, &table()).unwrap();
            let sequence = self.last() + luck.random_range(1..4);
            self.stored.push(Seen { id: bundle.id, tail: Tail::of(sequence, &bundle, link) });
            Heard::Stored(sequence)
        }

        fn deliver_one(&mut self, luck: &mut impl Rng) {
            if !self.on_the_way.is_empty() {
                let (message, follows) =
                    self.on_the_way.swap_remove(luck.random_range(0..self.on_the_way.len()));
                self.arrive(&message, follows, luck);
            }
        }

        fn last_seen(&self, back: usize) -> Option<Seen> {
            self.stored.len().checked_sub(1 + back).map(|at| self.stored[at].clone())
        }
    }

    /// Another owner, who writes in an orderly way.
    fn rival(stream: &mut Stream, number: u8, luck: &mut impl Rng) {
        let tail = stream.last_seen(0).map_or(Tail::NONE, |seen| seen.tail);
        let Do::Send { message, follows } = attempt(number, tail.lines, Some(tail)).begin() else {
            unreachable!("it knows the tail")
        };
        stream.arrive(&message, follows, luck);
    }

    /// One step of an attempt over a bad network.
    fn step(stream: &mut Stream, next: Do, luck: &mut impl Rng) -> Result<Heard, Done> {
        Ok(match next {
            Do::Done(done) => return Err(done),
            Do::Look | Do::LookAgain => match luck.random_range(0..10) {
                0..2 => Heard::Nothing,
                2 => Heard::Last(stream.last_seen(1)),
                _ => Heard::Last(stream.last_seen(0)),
            },
            Do::LookBehind(place) => match luck.random_range(0..10) {
                0..2 => Heard::Nothing,
                _ => Heard::Behind(
                    stream.stored.iter().find(|seen| seen.tail.sequence > place).cloned(),
                ),
            },
            Do::Send { message, follows } => match luck.random_range(0..10) {
                // Lost, late, stored without an answer, and stored.
                0 => Heard::Nothing,
                1..4 => {
                    stream.on_the_way.push((message, follows));
                    Heard::Nothing
                }
                4..6 => {
                    stream.arrive(&message, follows, luck);
                    Heard::Nothing
                }
                _ => stream.arrive(&message, follows, luck),
            },
        })
    }

    /// Plays one append among rivals. Returns whether it ended well.
    fn play(seed: u64) -> bool {
        let luck = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut stream = Stream::default();
        let before = luck.random_range(0..3);
        (0..before).for_each(|number| rival(&mut stream, 100 + number, luck));
        let tail = stream.last_seen(0).map_or(Tail::NONE, |seen| seen.tail);
        // Some attempts believe in fewer lines than there are, and some know nothing.
        let after = tail.lines - u64::from(tail.lines > 0 && luck.random_ratio(1, 8));
        let mut mine = attempt(1, after, luck.random_bool(0.5).then_some(tail));
        let (mut next, mut end, mut rivals) = (mine.begin(), None, 200);
        for _ in 0..luck.random_range(1..30) {
            match luck.random_range(0..12) {
                0 => {
                    rivals += 1;
                    rival(&mut stream, rivals, luck);
                }
                1..4 => stream.deliver_one(luck),
                _ => {}
            }
            match step(&mut stream, next, luck) {
                Ok(heard) => next = mine.hear(heard),
                Err(done) => {
                    end = Some(done);
                    break;
                }
            }
        }
        let was_stored =
            |stream: &Stream| stream.stored.iter().filter(|seen| seen.id == id(1)).count();
        let at_end = was_stored(&stream);
        // All that is still on its way arrives late.
        while !stream.on_the_way.is_empty() {
            stream.deliver_one(luck);
        }
        let later = was_stored(&stream);
        assert!(later <= 1, "seed {seed}: stored {later} times");
        match &end {
            Some(Done::Stored(_)) => assert_eq!((at_end, later), (1, 1), "seed {seed}: not stored"),
            Some(Done::Conflict(_)) => assert_eq!(later, 0, "seed {seed}: stored after a conflict"),
            None => {}
        }
        // What is stored follows line by line.
        for (before, seen) in (0..).zip(&stream.stored) {
            assert_eq!(seen.tail.lines, before + 1, "seed {seed}");
        }
        matches!(end, Some(Done::Stored(_)))
    }

    #[test]
    fn an_append_is_stored_once_or_not_at_all() {
        let stored = (0..100_000).filter(|seed| play(*seed)).count();
        assert!((20_000..95_000).contains(&stored), "{stored} were stored: one end is missing");
    }

    #[test]
    fn a_known_tail_saves_the_look() {
        let mut known = attempt(1, 0, Some(Tail::NONE));
        assert!(matches!(known.begin(), Do::Send { follows: 0, .. }));
        assert_eq!(attempt(1, 0, None).begin(), Do::Look);
        // Another node may have written meanwhile.
        assert_eq!(attempt(1, 3, Some(Tail::NONE)).begin(), Do::Look);
    }

    #[test]
    fn a_silent_append_is_looked_for_and_only_then_sent_again() {
        let mut mine = attempt(1, 0, Some(Tail::NONE));
        let Do::Send { message, .. } = mine.begin() else { panic!("it knows the tail") };
        assert_eq!(mine.hear(Heard::Nothing), Do::LookAgain);
        assert_eq!(mine.hear(Heard::Nothing), Do::LookAgain);
        assert_eq!(mine.overdue(), Overdue::Unanswered);
        assert_eq!(mine.hear(Heard::Last(None)), Do::Send { message, follows: 0 });
    }

    #[test]
    fn an_acknowledged_message_that_is_gone_is_no_conflict() {
        let tail = Tail { sequence: 7, lines: 3, ..Tail::NONE };
        let mut mine = attempt(1, 3, Some(tail));
        assert!(matches!(mine.begin(), Do::Send { follows: 7, .. }));
        assert_eq!(mine.hear(Heard::Refused), Do::Look);
        let older = Tail { sequence: 5, lines: 2, ..Tail::NONE };
        let seen = Seen { id: id(9), tail: older };
        assert_eq!(mine.hear(Heard::Last(Some(seen))), Do::LookAgain);
        assert_eq!(mine.overdue(), Overdue::Behind);
    }

    proptest! {
        #[test]
        fn an_empty_append_sends_nothing(lines in 0..3_u64, after in 0..3_u64) {
            let tail = Tail { sequence: lines, lines, ..Tail::NONE };
            let mut empty = Attempt::new(id(1), table(), (after, Vec::new(), None), Some(tail));
            prop_assert_eq!(empty.begin(), Do::Look);
            let seen = (lines > 0).then_some(Seen { id: id(2), tail });
            let done = if lines == after { Done::Stored(tail) } else { Done::Conflict(tail) };
            prop_assert_eq!(empty.hear(Heard::Last(seen)), Do::Done(done));
        }
    }
}
