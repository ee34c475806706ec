//! What is to be done after an input.

use bytes::Bytes;
use rules::kit::Seat;
use wire::{CloseReason, Code, GameId, Listing, Refusal};

use crate::advice::Question;
use crate::any_match::Thinking;
use crate::deal::DealOrigin;
use crate::fair::Stamp;
use crate::person::PersonId;
use crate::plans::PlanId;
use crate::presence::ConnId;
use crate::refused::Refused;

/// What is to be done after an input, in this order.
#[derive(Debug, Default)]
pub struct Effects {
    /// One thing after the other.
    pub list: Vec<Effect>,
    /// When the table wants [`Input::Woke`](crate::Input::Woke) unless another input comes first.
    /// It replaces what an earlier answer said.
    pub wake_at: Option<Stamp>,
}

impl Effects {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.list.push(effect);
    }

    pub(crate) fn note(&mut self, noted: Noted) {
        self.list.push(Effect::Noted(noted));
    }
}

/// One thing to be done.
#[derive(Debug)]
pub enum Effect {
    /// Make lines durable, and answer with `Appended` or `AppendFailed`. There is at most one at
    /// a time.
    Append(Append),
    /// Send a text to a connection. It never waits for a slow reader.
    Send {
        /// Which connection.
        to: ConnId,
        /// A message of the protocol.
        text: Bytes,
    },
    /// The connection was taken in: its first update has been sent.
    Admit(ConnId),
    /// The connection was not taken in.
    TurnAway {
        /// Which connection.
        conn: ConnId,
        /// Why.
        refused: Refused,
    },
    /// The connection was here and may not stay; it was told why.
    SendAway(ConnId),
    /// Store that newcomers from the addresses of these connections are refused for
    /// [`BARRED_FOR`](crate::BARRED_FOR). It comes before the `Append` of the removal, and has to
    /// be durable by the time that is.
    Bar(Vec<ConnId>),
    /// Newcomers from everywhere may come in again. It comes before an `Append`, too.
    Unbar,
    /// Measure a connection every second, or only now and then.
    Ping {
        /// Which connection.
        conn: ConnId,
        /// Every second.
        often: bool,
    },
    /// Look something up and answer with `Found`.
    LookUp(Lookup),
    /// Ask the solver and answer with `Advised`.
    Advise {
        /// For whom.
        seat: Seat,
        /// What.
        question: Question,
    },
    /// Let a bot think apart from the table and answer with `Planned`.
    Think {
        /// What the plan is for.
        plan: PlanId,
        /// The thinking.
        thinking: Thinking,
    },
    /// The table's line in the public list from now on.
    List(Option<Listing>),
    /// People watch a game: they may watch it again. Nothing waits for it.
    Watched {
        /// Which game.
        game: GameId,
        /// Who.
        people: Vec<PersonId>,
    },
    /// People have seen a deal. Nothing waits for it.
    DealSeen {
        /// Which deal.
        of: DealOrigin,
        /// Who.
        people: Vec<PersonId>,
    },
    /// A game is over: its record can be made.
    GameOver,
    /// Something for the operator's counters.
    Noted(Noted),
    /// End a connection with a last word.
    Close {
        /// Which connection.
        conn: ConnId,
        /// The last word.
        why: CloseReason,
    },
    /// The table is done: it leaves the memory.
    Sleep,
}

/// Lines for the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// How many lines the journal has to have before.
    pub expected: u64,
    /// The lines.
    pub lines: Vec<Box<str>>,
    /// What is kept beside the lines, if it changes.
    pub note: Option<Note>,
    /// The person whom the lines are charged to.
    pub by: Option<PersonId>,
}

/// What is kept of a table beside its lines, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The table's line in the public list.
    pub text: Box<str>,
    /// Whether strangers find it there.
    pub listed: bool,
    /// Whether its last game is over.
    pub ended: bool,
}

impl Note {
    pub(crate) fn new(listing: &Listing, listed: bool, ended: bool) -> Result<Self, Refused> {
        let text = serde_json::to_string(listing).map_err(Refused::not_kept)?;
        Ok(Self { text: text.into(), listed, ended })
    }
}

/// What a table wants to know from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Who has seen a deal.
    DealSeenBy {
        /// Which deal.
        of: DealOrigin,
    },
    /// What has to hold before a game starts.
    BeforeStart {
        /// Of these people, who does not lend their tempo any more?
        lenders: Vec<PersonId>,
        /// Who has seen this deal?
        deal: Option<DealOrigin>,
        /// Who is going to play it. A deal of the day begins at one table for each of them.
        players: Vec<PersonId>,
    },
    /// A new code for this table.
    NewCode {
        /// The table's id.
        table: Code,
    },
    /// The tempo of a person as a bot.
    Ghost {
        /// Who asks for it.
        asker: PersonId,
        /// A game in which that person sat.
        game: GameId,
        /// Where they sat.
        of: Seat,
    },
}

/// Something for the operator's counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// A move was made.
    Moved {
        /// When it arrived; `None` for bots and pauses.
        arrived: Option<Stamp>,
    },
    /// A message was refused.
    Refused(Refusal),
}
