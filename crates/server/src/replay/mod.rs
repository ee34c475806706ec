//! Games that are over: the journal folded by the rules once more, for everyone's eyes.

mod frames;
mod open;
mod past;
mod plays;

mod album;
mod packed;

pub(crate) mod http;

pub(crate) use album::Album;
pub(crate) use http::Gate;
