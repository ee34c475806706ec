//! Machine players.
