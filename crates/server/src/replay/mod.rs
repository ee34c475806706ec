//! Games that are over: the journal folded by the rules once more, for everyone's eyes.

mod frames;
mod open;
mod past;
mod plays;
mod tempo;
mod told;
mod verify;

mod again;
mod album;
mod aside;
mod audience;
mod audiences;
mod deals;
mod packed;

pub(crate) use again::{others, play};

pub(crate) mod http;
pub(crate) mod judgement;

pub(crate) use album::Album;
pub(crate) use audience::Attendant;
pub(crate) use audiences::Audiences;
pub(crate) use deals::Deals;
pub(crate) use frames::end as end_of;
pub(crate) use http::Gate;
pub(crate) use past::{NoReplay, Past};
pub(crate) use plays::write as write_plays;
pub(crate) use tempo::of_past as tempo_of;
pub(crate) use tempo::waits_of;
pub(crate) use told::write as write_told;
