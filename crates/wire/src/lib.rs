//! Every message between browser and server, as closed enums.
//!
//! Nothing but these types reaches a socket. What a message says is described in
//! `docs/protocol.md`.
//!
//! ```
//! use wire::ClientMessage;
//!
//! let text = r#"{"t":"do","table":"k3f9ab","id":17,"seq":41,"pressed":123456.7,
//!                "command":{"mind":{"play":34}}}"#;
//! let message = ClientMessage::read(text).unwrap();
//! assert!(matches!(message, ClientMessage::Do { id: 17, .. }));
//! ```

mod client;
mod server;
mod splice;

mod code;
mod game;
mod judgement;
mod name;
mod past;
mod quality;
mod reader;
mod replay;
mod table;
mod together;

#[cfg(feature = "ts")]
pub mod typescript;

pub use client::{ClientMessage, Request};
pub use code::{Code, CodeError};
pub use game::{Command, Help, Known, Options, Setup, Sight, View};
pub use judgement::{Between, JudgedRound, JudgedRow, Judgement};
pub use name::{Name, NameError};
pub use past::{
    Companion, Consent, GameResult, History, Lender, Partner, Played, Reached, Record, SameDeal,
    Synced, Tally, Team,
};
pub use quality::{Grade, Pause, PhotoFinish, Quality, Trouble};
pub use reader::Reader;
pub use replay::{Frame, GameId, GameIdError, Replay, Rerun, Shown};
pub use server::{Farewell, Me, ServerMessage, Update};
pub use splice::{Around, Last, TableText, Updates, WriteView};
pub use table::{BotKind, Chair, Listing, Offered, Repeat, Sitter, Stage, Table};
pub use together::{Course, Eyes, Gesture, Member, Speed};

/// The version of the protocol, which a client names in its hello.
pub const PROTOCOL: u32 = 3;
