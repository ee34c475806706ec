//! The lines of a table's journal, as typed entries.

use rules::kit::{Moment, Outcome, Seat, Seats};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use wire::{Setup, hex};

use crate::admission::Admission;
use crate::deal::Deal;
use crate::person::PersonId;
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
        /// The deal of another group, if it was opened for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deal: Option<Deal>,
        /// Whether its players found each other by a search.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        strangers: bool,
    },
    /// Who sits where from now on.
    Seated {
        /// All chairs.
        seating: Seating,
        /// Who asked for it; `None` if no message did, as when a host has gone.
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
        /// Who asked for it; `None` for a lesson or a table for strangers, which begin by
        /// themselves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Asker>,
        /// Who had seen its deal before, if it is the one that the table was opened for or a
        /// fixed one. A game with a fixed seed from before fixed deals were drawn by their keys
        /// has none, and draws by the number of the step.
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
    /// Who may come to the table from now on.
    Admission {
        /// What the host has decided.
        admission: Admission,
        /// Who asked for it.
        by: Asker,
    },
    /// The game that was won goes on, by the players' offer of an encore. The events that follow
    /// belong to the same game, and another `Ended` closes it.
    Resumed,
    /// A node of a cluster owns the table from now on. It wrote this before it read anything, so
    /// that no line of the owner before can follow.
    Takeover {
        /// Grows with every owner that the cluster knows of.
        epoch: u64,
        /// The node, as its cluster calls it.
        node: String,
    },
}

impl Entry {
    /// The same for a person who must not learn the deals of other tables.
    #[must_use]
    pub fn without_luck(self) -> Self {
        match self {
            Self::Opened { setup, public, by, strangers, .. } => {
                Self::Opened { setup, public, by, deal: None, strangers }
            }
            // Games of one deal still have one seed, and no card can be found from it. The deal
            // cannot be repeated without its luck, so it counts as the game's own.
            Self::Started { setup, seed, by, .. } => {
                let digest = Sha256::new_with_prefix("exported").chain_update(seed).finalize();
                Self::Started { setup, seed: hex(&digest), by, knows: None }
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
            Self::Opened { .. }
            | Self::Started { .. }
            | Self::Event(_)
            | Self::Ended { .. }
            | Self::Admission { .. }
            | Self::Resumed
            | Self::Takeover { .. } => None,
        }
    }

    /// The people who are named in it.
    pub fn people(&self) -> Vec<PersonId> {
        match self {
            Self::Seated { seating, .. } | Self::Arranged { seating, .. } => seating.named(),
            Self::Admission { admission, .. } => admission.people().collect(),
            Self::Opened { .. }
            | Self::Started { .. }
            | Self::Event(_)
            | Self::Ended { .. }
            | Self::Resumed
            | Self::Takeover { .. } => Vec::new(),
        }
    }

    /// Takes the names of these people away; whether there were any.
    pub fn forget(&mut self, forgotten: impl Fn(PersonId) -> bool) -> bool {
        match self {
            Self::Admission { admission, .. } => admission.forget(forgotten),
            other => other.seating_mut().is_some_and(|seating| seating.forget(forgotten)),
        }
    }

    /// Who sits where from this entry on, to be changed.
    fn seating_mut(&mut self) -> Option<&mut Seating> {
        match self {
            Self::Seated { seating, .. } | Self::Arranged { seating, .. } => Some(seating),
            Self::Opened { .. }
            | Self::Started { .. }
            | Self::Event(_)
            | Self::Ended { .. }
            | Self::Admission { .. }
            | Self::Resumed
            | Self::Takeover { .. } => None,
        }
    }
}

/// An event as a line, written from the game's own type. It reads back as [`Entry::Event`].
///
/// Put together by hand: a line is written for every move, and serde escapes each name of a field
/// again. A test holds that the text is the one that serde writes.
pub(crate) fn event_line<E: Serialize>(
    at: Moment,
    by: Option<&Cause>,
    event: &E,
) -> Result<Box<str>, Refused> {
    let event = serde_json::to_string(event).map_err(Refused::not_kept)?;
    // Large enough for the numbers of a cause.
    let mut text = String::with_capacity(event.len() + 320);
    number(&mut text, "{\"event\":{\"at\":", at.micros());
    if let Some(by) = by {
        by.write(&mut text)?;
    }
    text.push_str(",\"event\":");
    text.push_str(&event);
    text.push_str("}}");
    Ok(text.into_boxed_str())
}

/// Writes a number after the text that leads to it.
fn number(text: &mut String, before: &str, number: u64) {
    text.push_str(before);
    text.push_str(itoa::Buffer::new().format(number));
}

fn line<T: Serialize>(entry: &T) -> Result<Box<str>, Refused> {
    let text = serde_json::to_string(entry).map_err(Refused::not_kept)?;
    Ok(text.into_boxed_str())
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// Writes the field `by` of an event's line.
    fn write(&self, text: &mut String) -> Result<(), Refused> {
        text.push_str(",\"by\":{\"seat\":\"");
        text.push(self.seat.into());
        text.push('"');
        if let Some(Ticket { client, id, print }) = self.ticket {
            number(text, ",\"ticket\":{\"client\":", client.into());
            number(text, ",\"id\":", id.into());
            number(text, ",\"print\":", print.into());
            text.push('}');
        }
        number(text, ",\"arrived\":", self.arrived.micros());
        if let Some(pressed) = self.pressed {
            text.push_str(",\"pressed\":");
            text.push_str(&serde_json::to_string(&pressed).map_err(Refused::not_kept)?);
        }
        if let Some(Fair { claim, bound, hold, place, photo }) = self.fair {
            number(text, ",\"fair\":{\"claim\":", claim.micros());
            number(text, ",\"bound\":", bound);
            number(text, ",\"hold\":", hold);
            number(text, ",\"place\":", place);
            if let Some(photo) = photo {
                number(text, ",\"photo\":", photo);
            }
            text.push('}');
        }
        text.push('}');
        Ok(())
    }

    /// A command that no message asked for.
    pub fn of_itself(seat: Seat, arrived: Moment) -> Self {
        Self { seat, ticket: None, arrived, pressed: None, fair: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_written_as_serde_writes_it() {
        let (seat, arrived) = (Seat::A, Moment::from_micros(1_234_567));
        let ticket = Ticket { client: 4_000_000_000, id: 7, print: 0 };
        let fair = Fair { claim: Moment::START, bound: 2, hold: u64::MAX, place: 3, photo: None };
        let close = Fair { photo: Some(5_000), ..fair };
        let bare = Cause::of_itself(seat, arrived);
        let pressed = Cause { ticket: Some(ticket), fair: Some(fair), ..bare.clone() };
        let close = Cause { fair: Some(close), ..pressed.clone() };
        let old = Cause { pressed: Some(12.5), ..bare.clone() };
        for by in [None, Some(bare), Some(pressed), Some(close), Some(old)] {
            let event = serde_json::json!({ "played": "A\"7" });
            let written = event_line(arrived, by.as_ref(), &event).unwrap();
            let event = RawValue::from_string(event.to_string()).unwrap();
            let entry = Entry::Event(Happening { at: arrived, by, event });
            assert_eq!(written, entry.line().unwrap());
        }
    }
}
