//! An independent fold of the table's durable lines. Everything that viewers are sent is compared
//! with it.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use rules::kit::{Moment, Outcome, Seat, Viewer};
use table::{Asker, Cause, Entry, Occupant, PersonId, Seating, Ticket};
use wire::{Request, Setup};

use crate::game::{AnyGame, open};

/// What identifies a message: its person, its page and its number.
pub(crate) type Key = (PersonId, u32, u32);

/// The table by its durable lines.
pub(crate) struct Reference {
    pub(crate) setup: Setup,
    pub(crate) public: bool,
    pub(crate) seating: Seating,
    pub(crate) stage: Stage,
    pub(crate) games: u32,
    /// Whether the game that is over may go on: it was won, and its players sit as they did.
    resumable: bool,
    pub(crate) lines: u64,
    /// Where the game's clock stands when the table is read.
    pub(crate) clock_at: Moment,
    /// Which messages have lines. It is only asked, never listed.
    done: HashMap<Key, Ticket>,
}

/// Before, in or after a game.
pub(crate) enum Stage {
    Gathering { seq: u64 },
    Playing(Box<dyn AnyGame>),
    Over(Box<dyn AnyGame>, Option<Outcome>),
}

/// What a line changes, as far as the checks of presses need it.
pub(crate) enum Change {
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
            resumable: false,
            lines: 1,
            clock_at: Moment::START,
            done: HashMap::new(),
        })
    }

    /// Whether what a person asks for is so already: such a request is done without a line.
    pub(crate) fn is_already_so(&self, person: PersonId, request: &Request) -> bool {
        let chair = |seat: Seat| self.seating.chairs.get(seat.index());
        match request {
            Request::Sit(seat) => self.seating.seat_of(person) == Some(*seat),
            Request::Arrange(setup) => {
                matches!(self.stage, Stage::Gathering { .. }) && *setup == self.setup
            }
            Request::AddBot { seat, kind } => chair(*seat) == Some(&Occupant::Bot(*kind)),
            Request::AddGhost { seat, .. } => matches!(chair(*seat), Some(Occupant::Ghost(_))),
            Request::PassHost(seat) => {
                self.seating.host.and_then(|host| self.seating.seat_of(host)) == Some(*seat)
            }
            _ => false,
        }
    }

    /// Whether a person has a seat.
    pub(crate) fn has_people(&self) -> bool {
        self.seating.chairs.iter().any(|chair| matches!(chair, Occupant::Person { .. }))
    }

    /// Folds one more line. Fails if it cannot follow, or if it does a message again.
    pub(crate) fn fold(&mut self, line: &str) -> Result<Change, String> {
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
                self.resumable &= self.seating.has_players_of(&seating);
                self.seating = seating;
                self.asked(by)?;
                Ok(Change::Nothing)
            }
            Entry::Arranged { setup, seating, by } => {
                if self.is_playing() {
                    return Err("the set-up changed during a game".to_owned());
                }
                self.resumable = false;
                self.stage = Stage::Gathering { seq: self.next_seq() };
                (self.setup, self.seating) = (setup, seating);
                self.asked(Some(by))?;
                Ok(Change::Nothing)
            }
            Entry::Started { setup, by, .. } => {
                if self.is_playing() || setup != self.setup {
                    return Err("a game began that cannot begin".to_owned());
                }
                if self.seating.chairs.contains(&Occupant::Empty) {
                    return Err("a game began with an empty chair".to_owned());
                }
                self.stage = Stage::Playing(open(&setup, self.next_seq()));
                self.games += 1;
                self.resumable = false;
                self.clock_at = Moment::START;
                self.asked(by)?;
                Ok(Change::Began)
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
                let viewer = viewer.unwrap_or(Viewer::Spectator);
                let fresh = game.fresh_from(viewer)..=game.seq(viewer);
                game.fold(at, &happening.event)?;
                self.clock_at = at;
                let Some(cause) = happening.by else { return Ok(Change::Nothing) };
                if let Some(ticket) = cause.ticket {
                    match self.seating.chairs.get(cause.seat.index()) {
                        Some(Occupant::Person { id, .. }) => self.do_once(*id, ticket)?,
                        _ => return Err(format!("no person sits at {} to move", cause.seat)),
                    }
                }
                Ok(Change::Moved { cause, at, before, fresh })
            }
            Entry::Ended { outcome, by } => {
                let seq = self.next_seq();
                let stage = std::mem::replace(&mut self.stage, Stage::Gathering { seq });
                let Stage::Playing(game) = stage else {
                    return Err("a game ended while none was on".to_owned());
                };
                let won = game.is_offer().then_some(Outcome::Won);
                if outcome != game.outcome().or(won) && by.is_none() {
                    return Err("a game ended otherwise than the rules say".to_owned());
                }
                self.resumable = outcome == Some(Outcome::Won) && game.is_offer();
                self.stage = Stage::Over(game, outcome);
                self.asked(by)?;
                Ok(Change::Ended)
            }
            Entry::Admission { by, .. } => {
                self.asked(Some(by))?;
                Ok(Change::Nothing)
            }
            Entry::Resumed => {
                let seq = self.next_seq();
                let stage = std::mem::replace(&mut self.stage, Stage::Gathering { seq });
                let (Stage::Over(game, _), true) = (stage, self.resumable) else {
                    return Err("a game went on that could not".to_owned());
                };
                self.stage = Stage::Playing(game);
                self.resumable = false;
                Ok(Change::Nothing)
            }
            Entry::Takeover { .. } => Ok(Change::Nothing),
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

    /// Whether a game is on, or goes on if its players want to.
    pub(crate) fn is_open(&self) -> bool {
        self.is_playing() || self.resumable
    }

    /// The game that is on or over.
    pub(crate) fn game(&self) -> Option<&dyn AnyGame> {
        match &self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(game) | Stage::Over(game, _) => Some(game.as_ref()),
        }
    }

    /// The same, to be asked what viewers have to be sent.
    pub(crate) fn game_mut(&mut self) -> Option<&mut Box<dyn AnyGame>> {
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
        self.seat_of(person).map_or(Viewer::Spectator, Viewer::Seat)
    }
}
