//! The rate limit of chat.

use table::{PersonId, Refused};
use wire::Refusal;

use crate::tables::Shared;

/// Counts a chat message, at a table or in an audience.
pub(crate) fn count(shared: &Shared, person: PersonId) -> Result<(), Refused> {
    if shared.chats.take(person) {
        return Ok(());
    }
    Err(Refused::new(Refusal::ChatRate, "too many messages at once, wait a moment"))
}
