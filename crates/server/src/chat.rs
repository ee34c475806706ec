//! What people may say to each other, wherever they do.

use crate::limits::Limits;
use crate::person::PersonId;
use crate::room::Refused;
use crate::table::Shared;

/// A line of chat as it is told: plain text, not too long.
pub(crate) fn plain<'a>(text: &'a str, limits: &Limits) -> Result<&'a str, Refused> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > limits.chat_chars_most {
        let text = format!("say something of 1 to {} characters", limits.chat_chars_most);
        return Err(Refused { code: "chat-length", text });
    }
    if text.chars().any(|letter| letter.is_control() && letter != '\n') {
        let text = "chat is plain text without control characters".to_owned();
        return Err(Refused { code: "chat-control", text });
    }
    Ok(text)
}

/// Counts a line, whichever way somebody says it.
pub(crate) fn count(shared: &Shared, person: PersonId) -> Result<(), Refused> {
    if shared.chats.take(person) {
        return Ok(());
    }
    let text = "that was much at once, wait a moment".to_owned();
    Err(Refused { code: "chat-rate", text })
}
