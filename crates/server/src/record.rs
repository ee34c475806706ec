//! The lines of a table's journal.

use rules::kit::{Moment, Outcome, Seat};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wire::{BotKind, Name, Setup};

use crate::person::PersonId;

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
    },
    /// Who sits where from now on.
    Seated(Seating),
    /// A game began: what it takes to repeat it.
    Started {
        /// What is played.
        setup: Setup,
        /// All its luck, as hexadecimal digits.
        seed: String,
    },
    /// Something happened in the game.
    Event(Happening),
    /// The game is over.
    Ended {
        /// How; `None` if the players ended it early.
        outcome: Option<Outcome>,
    },
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
    /// The person's own number for it; `None` for machines and for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<u32>,
    /// The number of the page that it came from; lines from before there were any have none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) client: u32,
    /// When it reached the server.
    pub(crate) arrived: Moment,
    /// When the player says they pressed, on their own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pressed: Option<f64>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
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

    /// How many chairs are taken.
    pub(crate) fn taken(&self) -> u8 {
        self.chairs.iter().filter(|chair| **chair != Occupant::Nobody).count() as u8
    }

    /// Who sits there, if the table has the seat.
    pub(crate) fn chair(&mut self, seat: Seat) -> Option<&mut Occupant> {
        self.chairs.get_mut(seat.index())
    }
}
