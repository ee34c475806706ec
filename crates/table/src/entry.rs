//! The lines of a table's journal, as typed entries.

use rules::kit::{Moment, Outcome, Seat, Seats};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wire::Setup;

use crate::deal::Deal;
use crate::person::{PersonId, hex};
use crate::refused::Refused;
use crate::seating::Seating;

/// One line. Lines are never edited; what a table is follows from reading them in order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Entry {
    /// The table was opened, always the first line.
    Opened {
        /// What is played.
        setup: Setup,
        /// Whether strangers find it in the list.
        public: bool,
        /// Who opened it, and is its host once they sit.
        by: PersonId,
        /// The deal of another game, if it was opened for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deal: Option<Deal>,
    },
    /// Who sits where from now on.
    Seated {
        /// All chairs.
        seating: Seating,
        /// Who asked for it; `None` if it came of itself, as when a host has gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Asker>,
    },
    /// Something else is played from now on.
    Arranged {
        /// What.
        setup: Setup,
        /// All chairs, as many as it is for.
        seating: Seating,
        /// Who asked for it.
        by: Asker,
    },
    /// A game began: what it takes to repeat it.
    Started {
        /// What is played.
        setup: Setup,
        /// All its luck, as hexadecimal digits.
        seed: String,
        /// Who asked for it; `None` for a lesson, which begins by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Asker>,
        /// If it has the deal that the table was opened for: who had seen it before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        knows: Option<Seats>,
    },
    /// Something happened in the game.
    Event(Happening),
    /// The game is over.
    Ended {
        /// How; `None` if the players ended it early.
        outcome: Option<Outcome>,
        /// Who was the last to agree, if the players ended it early.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Asker>,
    },
}

impl Entry {
    /// The same for somebody who must not learn what is dealt elsewhere.
    #[must_use]
    pub fn without_luck(self) -> Self {
        match self {
            Self::Opened { setup, public, by, .. } => {
                Self::Opened { setup, public, by, deal: None }
            }
            Self::Started { setup, by, knows, .. } => {
                Self::Started { setup, seed: hex(&[0; 32]), by, knows }
            }
            other => other,
        }
    }
}

impl Entry {
    /// Reads a line.
    pub fn read(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| error.to_string())
    }

    /// The entry as a line. An entry that cannot be written refuses the change that it is for.
    pub fn line(&self) -> Result<Box<str>, Refused> {
        line(self)
    }

    /// Whether a new command begins with it.
    pub fn is_command(&self) -> bool {
        matches!(self, Self::Event(Happening { by: Some(_), .. }))
    }

    /// Who sits where from this entry on, if it says so.
    pub fn seating(&self) -> Option<&Seating> {
        match self {
            Self::Seated { seating, .. } | Self::Arranged { seating, .. } => Some(seating),
            Self::Opened { .. } | Self::Started { .. } | Self::Event(_) | Self::Ended { .. } => {
                None
            }
        }
    }

    /// The same, to be changed.
    pub fn seating_mut(&mut self) -> Option<&mut Seating> {
        match self {
            Self::Seated { seating, .. } | Self::Arranged { seating, .. } => Some(seating),
            Self::Opened { .. } | Self::Started { .. } | Self::Event(_) | Self::Ended { .. } => {
                None
            }
        }
    }
}

/// An event as a line, written from the game's own type. It reads back as [`Entry::Event`].
pub(crate) fn event_line<E: Serialize>(
    at: Moment,
    by: Option<&Cause>,
    event: &E,
) -> Result<Box<str>, Refused> {
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum Written<'a, E> {
        Event {
            at: Moment,
            #[serde(skip_serializing_if = "Option::is_none")]
            by: Option<&'a Cause>,
            event: &'a E,
        },
    }
    line(&Written::Event { at, by, event })
}

fn line<T: Serialize>(entry: &T) -> Result<Box<str>, Refused> {
    // Large enough for an event with its cause, so that the text is not copied while it grows.
    let mut text = Vec::with_capacity(384);
    serde_json::to_writer(&mut text, entry).map_err(Refused::not_kept)?;
    String::from_utf8(text).map(String::into_boxed_str).map_err(Refused::not_kept)
}

/// By what a message is known again when it is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ticket {
    /// The number of the page that it came from.
    pub client: u32,
    /// The page's own number for it.
    pub id: u32,
    /// Tells it from other messages of the same number.
    pub print: u32,
}

impl Ticket {
    /// The ticket of a message with this content.
    pub fn of(client: u32, id: u32, content: &impl Serialize) -> Self {
        let mut print = Print(0x811c_9dc5);
        // Neither the messages, which are plain data, nor this writer can fail.
        let _infallible = serde_json::to_writer(&mut print, content);
        Self { client, id, print: print.0 }
    }
}

/// FNV-1a of what is written to it: prints stand in journals, so they have to be the same for ever.
struct Print(u32);

impl std::io::Write for Print {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mix = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        self.0 = bytes.iter().fold(self.0, mix);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Who asked for something, and with which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asker {
    /// Who.
    pub person: PersonId,
    /// The message.
    pub ticket: Ticket,
}

/// An event with where it came from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Happening {
    /// When it counts, in microseconds since the game began.
    pub at: Moment,
    /// The command behind it, on the first event of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Cause>,
    /// The event, in the game's own form.
    pub event: Box<RawValue>,
}

/// The command that brought an event about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// Whose.
    pub seat: Seat,
    /// The message that it came in; `None` for machines and for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<Ticket>,
    /// When it reached the server.
    pub arrived: Moment,
    /// When the player says they pressed, on their own clock: in journals from before presses
    /// were told by the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressed: Option<f64>,
    /// How its place was found; `None` for machines and for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair: Option<Fair>,
}

/// How a command found its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fair {
    /// When the player says they pressed.
    pub claim: Moment,
    /// How far before the arrival that was believed, in microseconds.
    pub bound: u64,
    /// How long it was held for others, in microseconds.
    pub hold: u64,
    /// How many events of the game are before it.
    pub place: u64,
    /// How close another press was that it was put before by a photo finish, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<u64>,
}

impl Cause {
    /// A command that no message asked for.
    pub fn of_itself(seat: Seat, arrived: Moment) -> Self {
        Self { seat, ticket: None, arrived, pressed: None, fair: None }
    }
}
