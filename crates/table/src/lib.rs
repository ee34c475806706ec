//! The table as one pure machine: inputs and time in, effects out.
//!
//! [`Table::handle`] takes what people, connections, the journal and the clock bring, and answers
//! with what is to be done: append lines, send texts, wake me at this time. It opens no socket,
//! reads no clock and draws no randomness: the server's task and the simulation drive the same
//! code.
//!
//! ```
//! use rules::kit::Seed;
//! use table::fair::Stamp;
//! use table::{ConnId, Effect, Founding, Input, LinkState, Origin, Person, PersonId, Settings, Table};
//!
//! let setup = wire::Setup::of(rules::door::GameName::Mind, 2, rules::kit::Preset::Faithful).unwrap();
//! let ada = Person { id: PersonId::from_hash([1; 32]), name: "Ada".parse().unwrap(), mark: None, lends_tempo: false };
//! let code = "k3f9ab".parse().unwrap();
//! let founded = Founding { setup, public: false, by: ada.id, deal: None }.found(code).unwrap();
//! let start = Stamp::default();
//! let mut table = Table::new(code, founded.state, Settings::default(), Seed::from(1), start);
//!
//! let joined = Input::Joined { conn: ConnId(1), person: ada, by: code, from: Origin(1), link: LinkState::default() };
//! let effects = table.handle(start, joined);
//! assert!(effects.list.iter().any(|effect| matches!(effect, Effect::Send { to: ConnId(1), .. })));
//! ```
//!
//! **Durable, then true, then told.** What changes a table is written first: `handle` answers with
//! [`Effect::Append`], and the change is made when [`Input::Appended`] comes in. While the journal
//! writes, other inputs wait in the table in the order in which they came.

pub mod fair;

mod effect;
mod input;
mod table;

mod admission;
mod advice;
mod answers;
mod arrivals;
mod budget;
mod chat;
mod clock;
mod commitment;
mod host;
mod moves;
mod plans;
mod presence;
mod presses;
mod probe;
mod referee;
mod requests;
mod shown_table;
mod spectators;
mod viewers;
mod writing;

mod any_match;
mod daily;
mod deal;
mod entry;
mod events;
mod founding;
mod game;
mod ghost;
mod link;
mod listing;
mod live_match;
mod person;
mod reading;
mod refused;
mod returning;
mod seating;
mod stage;
mod starting;
mod state;

pub use admission::{Admission, BARRED_FOR, Origin, Removed};
pub use advice::Question;
pub use answers::{Answers, Heard};
pub use any_match::{AnyMatch, Luck, Thinking};
pub use budget::Allowance;
pub use chat::{CHAT_CHARS_MOST, plain_text};
pub use commitment::commitment;
pub use daily::{DailyDealId, Day};
pub use deal::{Deal, DealOrigin, DealOriginError, FixedDeal, is_luck};
pub use effect::{Append, Effect, Effects, Lookup, Note, Noted};
pub use entry::{Asker, Cause, Entry, Fair, Happening, Ticket};
pub use events::{Events, Unplayed};
pub use founding::{Founded, Founding};
pub use game::{Aids, Encore, ExportedPlay, Lesson, Race, TableGame, is_offer, is_race, is_won};
pub use ghost::Ghost;
pub use input::{AppendFailure, Found, Input, Message, StartCheck};
pub use link::LinkState;
pub use live_match::{open_match, player};
pub use person::{Person, PersonId};
pub use plans::PlanId;
pub use presence::ConnId;
pub use probe::Probe;
pub use reading::BadLine;
pub use refused::Refused;
pub use seating::{Occupant, Seating};
pub use stage::Stage;
pub use state::{SharedDeal, TableState};
pub use table::{Settings, Table};
