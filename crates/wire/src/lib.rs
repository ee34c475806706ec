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
mod update_text;

mod audience;
mod code;
mod commitment;
mod companion;
mod daily;
mod device;
mod game;
mod hex;
mod judgement;
mod mark;
mod name;
mod partners;
mod quality;
mod reaction;
mod reader;
mod record;
mod refusal;
mod replay;
mod study;
mod table;

#[cfg(feature = "ts")]
pub mod typescript;

pub use audience::{AudienceRequest, Member, Playback, PointOfView, Speed};
pub use client::{ClientMessage, Request};
pub use code::{Code, CodeError};
pub use commitment::Commitment;
pub use companion::{Companion, Invitation};
pub use daily::{DailyDeal, DailyDeals, DailyTeam, RevealedDeal};
pub use device::{DeviceLink, DeviceLinkState, DeviceRequest, Devices, Phrase, SignIn};
pub use game::{Command, Help, Options, Setup, Sight, View, WireGame, games};
pub use hex::{NotHex, hex, unhex};
pub use judgement::{Between, JudgedRound, JudgedRow, Judgement};
pub use mark::{Mark, MarkColour, MarkPicture};
pub use name::{Name, NameError, is_hidden};
pub use partners::{Language, PartnerSearch};
pub use quality::{Grade, Pause, PhotoFinish, Quality, Trouble};
pub use reaction::Reaction;
pub use reader::Reader;
pub use record::{
    BotGames, Consent, GameResult, GameSummary, History, Lender, Participant, Progress, Record,
    SameDeal, SyncScore, Tally, Team,
};
pub use refusal::Refusal;
pub use replay::{Frame, FrameView, GameId, GameIdError, Replay, SameDealGame};
pub use server::{CloseReason, Me, Problem, Refused, ServerMessage, Update};
pub use study::{
    StudyAnswer, StudyAnswers, StudyArrival, StudyConsent, StudyDeal, StudyEnd, StudyForm,
    StudyInput, StudyItem, StudyItemKind, StudyName, StudyNameError, StudyNote, StudyNoteKind,
    StudyNotes, StudyOption, StudyPage, StudyProgress, StudyResult, StudyStep, StudyTable,
};
pub use table::{
    Admission, BotKind, Chair, CheckedSetup, Listing, NamedSetup, Removed, RepeatedDeal,
    SeatedChair, SeatedTable, Sitter, Spectator, Stage, Strangers, Table,
};
pub use update_text::{CachedText, TableText, UpdateHead, UpdateWriter, WriteView};

/// The JSON Schemas of everything that reaches a browser: `{"Listing": {…}, …}`. Generated from the
/// TypeScript declarations by `cargo xtask gen`, so that there is one derive for both.
pub const SCHEMAS: &str = include_str!("../schemas.gen.json");

/// The version of the protocol, which a client names in its hello.
pub const PROTOCOL: u32 = 11;
