//! What comes in: from people, connections, the journal, the clock, and lookups that are done.

use rules::kit::{Moment, Seat};
use rules::royale::Row;
use wire::{Code, Command, Reaction, Request};

use crate::admission::Origin;
use crate::advice::Question;
use crate::daily::Day;
use crate::entry::Ticket;
use crate::fair::{Claim, Stamp};
use crate::ghost::Ghost;
use crate::link::LinkState;
use crate::person::{Person, PersonId};
use crate::plans::PlanId;
use crate::presence::ConnId;
use crate::refused::Refused;

/// What comes in.
#[derive(Debug)]
pub enum Input {
    /// A connection looks at the table.
    Joined {
        /// Which.
        conn: ConnId,
        /// Whose it is.
        person: Person,
        /// The code by which it came.
        by: Code,
        /// Where it comes from.
        from: Origin,
        /// Its link.
        link: LinkState,
    },
    /// A connection looks elsewhere or is gone.
    Left {
        /// Which.
        conn: ConnId,
        /// Until when its player is known to have seen the table.
        seen_until: Stamp,
    },
    /// A message of a connection.
    Message {
        /// Which connection.
        conn: ConnId,
        /// By what the message is known again when it is repeated.
        ticket: Ticket,
        /// What it says.
        message: Message,
    },
    /// The state of a connection's link has changed.
    Linked {
        /// Which connection.
        conn: ConnId,
        /// Its link.
        link: LinkState,
    },
    /// A person was deleted.
    Forgotten(PersonId),
    /// The lines of the last `Append` are durable.
    Appended,
    /// The lines of the last `Append` are not there.
    AppendFailed(AppendFailure),
    /// The answer to a `LookUp`.
    Found(Found),
    /// The solver's answer.
    Advised {
        /// For whom.
        seat: Seat,
        /// To what.
        question: Question,
        /// The row to ask.
        row: Option<Row>,
    },
    /// What a bot will do, thought out apart from the table.
    Planned {
        /// What the plan is for.
        plan: PlanId,
        /// What it does and when.
        act: Option<(Moment, Command)>,
    },
    /// The time that was asked for has come, or the table has just been woken.
    Woke,
    /// The deals of this day, and of those before, are not played any more: their seeds become
    /// public.
    DayOver(Day),
    /// The study that the table belongs to ends the game: a player has left for good.
    StudyEndsGame,
    /// The server goes down: finish what was pressed, then sleep.
    Closing,
    /// The operator closes the table: finish what was pressed, tell everyone, then sleep.
    Dismissed,
}

impl Input {
    /// The connection that it comes from.
    pub(crate) fn conn(&self) -> Option<ConnId> {
        match self {
            Self::Joined { conn, .. }
            | Self::Left { conn, .. }
            | Self::Message { conn, .. }
            | Self::Linked { conn, .. } => Some(*conn),
            _ => None,
        }
    }
}

/// What a player or spectator sends.
#[derive(Debug)]
pub enum Message {
    /// A move.
    Do {
        /// The `seq` that the player was looking at.
        seq: u64,
        /// When it was pressed, as far as that is believed.
        claim: Claim,
        /// The move.
        command: Command,
    },
    /// Something about the seats, the start or the end.
    Ask(Request),
    /// A chat message.
    Say(String),
    /// A sign to the others.
    React(Reaction),
}

/// Why lines were not appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendFailure {
    /// The journal has other lines than the table knows: the table has to be read again.
    Conflict,
    /// It cannot write now; the reason, for people.
    Fault(String),
}

/// The answer to a lookup.
#[derive(Debug)]
pub enum Found {
    /// Who has seen the deal; an error if that cannot be read now.
    DealSeenBy(Result<Vec<PersonId>, String>),
    /// Who of the lenders does not lend any more, and who has seen the deal.
    BeforeStart(Result<StartCheck, String>),
    /// The bot.
    Ghost(Result<Ghost, Refused>),
    /// A code that leads to this table as soon as the table says so, and to no other.
    NewCode(Result<Code, Refused>),
}

/// What was found before a start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartCheck {
    /// Lenders who do not lend their tempo any more.
    pub not_lending: Vec<PersonId>,
    /// Who has seen the deal.
    pub know_deal: Vec<PersonId>,
    /// Whether it is the deal of a day that is over.
    pub day_over: bool,
}
