//! The lines of a table's journal.

use rules::kit::{Moment, Outcome, Seat, Seats};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wire::{BotKind, Name, Setup};

use crate::deal::Deal;
use crate::ghost::Ghost;
use crate::person::{PersonId, hex};

/// One line. Lines are never edited; what a table is follows from reading them in order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Record {
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

impl Record {
    /// The same for somebody who must not learn what is dealt elsewhere.
    pub(crate) fn without_luck(self) -> Self {
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

impl Record {
    /// Whether a new command begins with it.
    pub(crate) fn is_command(&self) -> bool {
        matches!(self, Self::Event(Happening { by: Some(_), .. }))
    }
}

/// By what a message is known again when it is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ticket {
    /// The number of the page that it came from.
    pub(crate) client: u32,
    /// The page's own number for it.
    pub(crate) id: u32,
    /// Tells it from other messages of the same number.
    pub(crate) print: u32,
}

impl Ticket {
    /// The ticket of a message with this content.
    pub(crate) fn of(client: u32, id: u32, content: &impl Serialize) -> Self {
        // Messages are plain data, which can always be written; this only has to be the same
        // again after a restart, so it is FNV-1a and not the hash of the day.
        let text = serde_json::to_string(content).unwrap_or_default();
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        Self { client, id, print: text.bytes().fold(0x811c_9dc5, mix) }
    }
}

/// Who asked for something, and with which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asker {
    /// Who.
    pub(crate) person: PersonId,
    /// The message.
    pub(crate) ticket: Ticket,
}

/// An event with where it came from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Happening {
    /// When it counts, in microseconds since the game began.
    pub(crate) at: Moment,
    /// The command behind it, on the first event of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<Cause>,
    /// The event, in the game's own form.
    pub(crate) event: Box<RawValue>,
}

/// The command that brought an event about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cause {
    /// Whose.
    pub(crate) seat: Seat,
    /// The message that it came in; `None` for machines and for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ticket: Option<Ticket>,
    /// When it reached the server.
    pub(crate) arrived: Moment,
    /// When the player says they pressed, on their own clock: in journals from before presses
    /// were told by the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pressed: Option<f64>,
    /// How its place was found; `None` for machines and for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fair: Option<Fair>,
}

/// How a command found its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fair {
    /// When the player says they pressed.
    pub(crate) claim: Moment,
    /// How far before the arrival that was believed, in microseconds.
    pub(crate) bound: u64,
    /// How long it was held for others, in microseconds.
    pub(crate) hold: u64,
    /// How many events of the game are before it.
    pub(crate) place: u64,
    /// How close another press was that it was put before by a photo finish, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) photo: Option<u64>,
}

impl Cause {
    /// A command that no message asked for.
    pub(crate) fn of_itself(seat: Seat, arrived: Moment) -> Self {
        Self { seat, ticket: None, arrived, pressed: None, fair: None }
    }
}

/// Who sits where, who is host, and who plays for whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seating {
    /// Who may start the game.
    pub(crate) host: Option<PersonId>,
    /// The chairs, seat A first.
    pub(crate) chairs: Vec<Occupant>,
}

/// Who sits in a chair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Occupant {
    /// Nobody.
    Nobody,
    /// A person.
    Person {
        /// Who.
        id: PersonId,
        /// What they were called when they sat down.
        name: Name,
        /// Whether a machine plays for them until they are back.
        held: bool,
    },
    /// A machine.
    Bot(BotKind),
    /// A machine with the recorded tempo of somebody.
    Ghost(Ghost),
}

impl Occupant {
    /// Whether a machine sits there, and nobody whose place it holds.
    pub(crate) fn is_machine(&self) -> bool {
        matches!(self, Self::Bot(_) | Self::Ghost(_))
    }
}

impl Seating {
    /// Empty chairs.
    pub(crate) fn empty(players: u8) -> Self {
        Self { host: None, chairs: vec![Occupant::Nobody; usize::from(players)] }
    }

    /// Where a person sits.
    pub(crate) fn seat_of(&self, person: PersonId) -> Option<Seat> {
        self.iter().find_map(|(seat, occupant)| match occupant {
            Occupant::Person { id, .. } if *id == person => Some(seat),
            _ => None,
        })
    }

    /// Every seat and who sits there.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Seat, &Occupant)> {
        let seats = (0..self.chairs.len()).filter_map(Seat::new);
        seats.zip(&self.chairs)
    }

    /// The same people around so many chairs, each in their own where it is still there; `None`
    /// if there are more of them than chairs. Machines make room.
    pub(crate) fn for_players(&self, players: u8) -> Option<Self> {
        let mut chairs = self.chairs.clone();
        let beyond = chairs.split_off(chairs.len().min(usize::from(players)));
        chairs.resize(usize::from(players), Occupant::Nobody);
        for person in beyond.into_iter().filter(|chair| matches!(chair, Occupant::Person { .. })) {
            let free = chairs.iter().position(|chair| *chair == Occupant::Nobody);
            let machine = || chairs.iter().position(Occupant::is_machine);
            let chair = free.or_else(machine)?;
            chairs[chair] = person;
        }
        Some(Self { host: self.host, chairs })
    }

    /// How many chairs are taken.
    pub(crate) fn taken(&self) -> u8 {
        self.chairs.iter().filter(|chair| **chair != Occupant::Nobody).count() as u8
    }

    /// Who sits there, if the table has the seat.
    pub(crate) fn chair(&mut self, seat: Seat) -> Option<&mut Occupant> {
        self.chairs.get_mut(seat.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// People by letter, machines as stars, empty chairs as dots.
    fn seating(chairs: &str) -> Seating {
        let occupant = |letter: char| match letter {
            '.' => Occupant::Nobody,
            '*' => Occupant::Bot(BotKind::Steady),
            letter => {
                let id = serde_json::from_str(&format!("\"{}\"", letter.to_string().repeat(64)));
                let name = letter.to_string().parse().unwrap();
                Occupant::Person { id: id.unwrap(), name, held: false }
            }
        };
        Seating { host: None, chairs: chairs.chars().map(occupant).collect() }
    }

    fn check(before: &str, players: u8, after: Option<&str>) {
        assert_eq!(
            seating(before).for_players(players),
            after.map(seating),
            "{before} → {players}"
        );
    }

    #[test]
    fn people_keep_a_seat_when_the_number_of_chairs_changes() {
        check("ab", 4, Some("ab.."));
        check("a..b", 2, Some("ab"));
        check("a*b", 2, Some("ab"));
        check("a**", 2, Some("a*"));
        check("a.*b", 3, Some("ab*"));
        check("abc", 2, None);
    }
}
