//! How much people may write to each other.

use table::{PersonId, Refused};

use crate::tables::Shared;

/// Counts a line of chat, wherever it is written.
pub(crate) fn count(shared: &Shared, person: PersonId) -> Result<(), Refused> {
    if shared.chats.take(person) {
        return Ok(());
    }
    Err(Refused::new("chat-rate", "that was much at once, wait a moment"))
}
