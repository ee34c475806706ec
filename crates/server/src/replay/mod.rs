//! Replays of finished games: the journal folded by the rules once more.

mod finished;
mod frames;
mod plays;
mod tempo;
mod transcript;
mod verify;

mod access;
mod audience;
mod audiences;
mod deals;
mod packed;

pub(crate) mod again;
pub(crate) mod http;
pub(crate) mod judgement;
pub(crate) mod side_log;

pub(crate) use access::{ReplayAccess, key as watched_key};
pub(crate) use audience::Attendant;
pub(crate) use audiences::Audiences;
pub(crate) use deals::Deals;
pub(crate) use finished::{FinishedGame, Games, Move, NoReplay, Purpose};
pub(crate) use frames::{WriteError, mistakes, reached, revealed_seed};
pub(crate) use http::Opening;
pub(crate) use plays::write as write_plays;
pub(crate) use tempo::of_past as tempo_of;
pub(crate) use tempo::waits_of;
pub(crate) use transcript::{check, write as write_transcript};
pub(crate) use verify::Repeated;
