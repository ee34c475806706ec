//! The table as its durable lines tell it: an independent fold, against which all that viewers are
//! sent is compared.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use rules::kit::{Moment, Outcome, Seat, Viewer};
use table::{Asker, Cause, Entry, Occupant, PersonId, Seating, Ticket};
use wire::Setup;

use crate::game::{Played, open};

/// By what a message is known: its person, its page and its number.
pub(crate) type Key = (PersonId, u32, u32);

/// The table as its durable lines tell it.
pub(crate) struct Reference {
    pub(crate) setup: Setup,
    pub(crate) public: bool,
    pub(crate) seating: Seating,
    pub(crate) stage: Stage,
    pub(crate) games: u32,
    pub(crate) lines: u64,
    /// Where the game's clock stands when the table is read.
    pub(crate) clock_at: Moment,
    /// Which messages have lines. It is only asked, never listed.
    done: HashMap<Key, Ticket>,
}

/// Before, in or after a game.
pub(crate) enum Stage {
    Gathering { seq: u64 },
    Playing(Box<dyn Played>),
    Over(Box<dyn Played>, Option<Outcome>),
}

/// What a line says that the checks of presses need.
pub(crate) enum Told {
    /// Nothing.
    Nothing,
    /// A game began.
    Began,
    /// A command was carried out.
    Moved {
        cause: Cause,
        at: Moment,
        /// When the last move was made before it.
        before: Moment,
        /// Which `seq` the player may have been looking at.
        fresh: RangeInclusive<u64>,
    },
    /// A game ended.
    Ended,
}

impl Reference {
    /// The table that a first line opens.
    pub(crate) fn new(line: &str) -> Result<Self, String> {
        let Entry::Opened { setup, public, .. } = Entry::read(line)? else {
            return Err("the first line opens no table".to_owned());
        };
        Ok(Self {
            setup,
            public,
            seating: Seating::empty(setup.players()),
            stage: Stage::Gathering { seq: 0 },
            games: 0,
            lines: 1,
            clock_at: Moment::START,
            done: HashMap::new(),
        })
    }

    /// Folds one more line. Fails if it cannot follow, or if it does a message again.
    pub(crate) fn fold(&mut self, line: &str) -> Result<Told, String> {
        self.lines += 1;
        match Entry::read(line)? {
            Entry::Opened { .. } => Err("a table was opened twice".to_owned()),
            Entry::Seated { seating, by } => {
                if seating.chairs.len() != usize::from(self.setup.players()) {
                    return Err("a seating has another number of chairs".to_owned());
                }
                if seating.host.is_some_and(|host| seating.seat_of(host).is_none()) {
                    return Err("the host does not sit at the table".to_owned());
                }
                self.seating = seating;
                self.asked(by)?;
                Ok(Told::Nothing)
            }
            Entry::Arranged { setup, seating, by } => {
                if self.is_playing() {
                    return Err("the set-up changed during a game".to_owned());
                }
                self.stage = Stage::Gathering { seq: self.next_seq() };
                (self.setup, self.seating) = (setup, seating);
                self.asked(Some(by))?;
                Ok(Told::Nothing)
            }
            Entry::Started { setup, by, .. } => {
                if self.is_playing() || setup != self.setup {
                    return Err("a game began that cannot begin".to_owned());
                }
                if self.seating.chairs.contains(&Occupant::Nobody) {
                    return Err("a game began with an empty chair".to_owned());
                }
                self.stage = Stage::Playing(open(&setup, self.next_seq()));
                self.games += 1;
                self.clock_at = Moment::START;
                self.asked(by)?;
                Ok(Told::Began)
            }
            Entry::Event(happening) => {
                let Stage::Playing(game) = &mut self.stage else {
                    return Err("something happened while no game was on".to_owned());
                };
                let (at, before) = (happening.at, game.at());
                if at < before {
                    return Err(format!("the game's time went back from {before} to {at}"));
                }
                let viewer = happening.by.as_ref().map(|cause| Viewer::Seat(cause.seat));
                let viewer = viewer.unwrap_or(Viewer::Watcher);
                let fresh = game.fresh_from(viewer)..=game.seq(viewer);
                game.fold(at, &happening.event)?;
                self.clock_at = at;
                let Some(cause) = happening.by else { return Ok(Told::Nothing) };
                if let Some(ticket) = cause.ticket {
                    match self.seating.chairs.get(cause.seat.index()) {
                        Some(Occupant::Person { id, .. }) => self.do_once(*id, ticket)?,
                        _ => return Err(format!("no person sits at {} to move", cause.seat)),
                    }
                }
                Ok(Told::Moved { cause, at, before, fresh })
            }
            Entry::Ended { outcome, by } => {
                let seq = self.next_seq();
                let stage = std::mem::replace(&mut self.stage, Stage::Gathering { seq });
                let Stage::Playing(game) = stage else {
                    return Err("a game ended while none was on".to_owned());
                };
                if outcome != game.outcome() && by.is_none() {
                    return Err("a game ended otherwise than the rules say".to_owned());
                }
                self.stage = Stage::Over(game, outcome);
                self.asked(by)?;
                Ok(Told::Ended)
            }
        }
    }

    fn asked(&mut self, by: Option<Asker>) -> Result<(), String> {
        by.map_or(Ok(()), |Asker { person, ticket }| self.do_once(person, ticket))
    }

    fn do_once(&mut self, person: PersonId, ticket: Ticket) -> Result<(), String> {
        match self.done.insert((person, ticket.client, ticket.id), ticket) {
            None => Ok(()),
            Some(_) => {
                Err(format!("message {} of page {} was done twice", ticket.id, ticket.client))
            }
        }
    }

    /// Whether a message has a line.
    pub(crate) fn is_done(&self, key: Key, ticket: Ticket) -> bool {
        self.done.get(&key) == Some(&ticket)
    }

    pub(crate) fn is_playing(&self) -> bool {
        matches!(self.stage, Stage::Playing(_))
    }

    /// The game that is on or over.
    pub(crate) fn game(&self) -> Option<&dyn Played> {
        match &self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(game) | Stage::Over(game, _) => Some(game.as_ref()),
        }
    }

    /// The same, to be asked what viewers have to be sent.
    pub(crate) fn game_mut(&mut self) -> Option<&mut Box<dyn Played>> {
        match &mut self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(game) | Stage::Over(game, _) => Some(game),
        }
    }

    pub(crate) fn next_seq(&self) -> u64 {
        match &self.stage {
            Stage::Gathering { seq } => *seq,
            Stage::Playing(game) | Stage::Over(game, _) => game.next_seq(),
        }
    }

    pub(crate) fn seat_of(&self, person: PersonId) -> Option<Seat> {
        self.seating.seat_of(person)
    }

    pub(crate) fn viewer(&self, person: PersonId) -> Viewer {
        self.seat_of(person).map_or(Viewer::Watcher, Viewer::Seat)
    }
}
