//! What people may write to each other.

use crate::refused::Refused;

/// How many characters a line of chat has at the most, unless the operator says otherwise.
pub const CHAT_CHARS_MOST: usize = 500;

/// A line of chat as it is sent on: plain text of 1 to `chars_most` characters.
pub fn plain_text(text: &str, chars_most: usize) -> Result<&str, Refused> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > chars_most {
        let text = format!("say something of 1 to {chars_most} characters");
        return Err(Refused::new("chat-length", text));
    }
    if text.chars().any(|letter| letter.is_control() && letter != '\n') {
        let text = "chat is plain text without control characters";
        return Err(Refused::new("chat-control", text));
    }
    Ok(text)
}
