//! What people may write to each other.

use std::borrow::Cow;

use wire::{Refusal, is_hidden};

use crate::refused::Refused;

/// How many characters a chat message has at the most, unless the operator says otherwise.
pub const CHAT_CHARS_MOST: usize = 500;

/// A chat message as it is sent on: plain text of 1 to `chars_most` characters. Control characters,
/// invisible ones, those that turn text around, and blank lines are dropped.
pub fn plain_text(text: &str, chars_most: usize) -> Result<Cow<'_, str>, Refused> {
    let text = text.trim();
    let is_dropped = |letter: char| letter != '\n' && is_hidden(letter);
    let text = if text.contains(is_dropped) || text.contains('\n') {
        let text = text.replace("\r\n", "\n").replace(is_dropped, "");
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
    } else {
        Cow::Borrowed(text)
    };
    if text.is_empty() || text.chars().count() > chars_most {
        let most = chars_most.try_into().unwrap_or(u32::MAX);
        let text = format!("say something of 1 to {chars_most} characters");
        return Err(Refused::new(Refusal::ChatLength { most }, text));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let found = plain_text(text, 10);
        assert_eq!(found.as_deref().ok(), expected, "{text:?}");
    }

    #[test]
    fn what_hides_something_is_dropped() {
        check(" hello ", Some("hello"));
        check("a\u{7}b\u{1b}[1m", Some("ab[1m"));
        check("\u{202e}abc\u{2066}", Some("abc"));
        check("a\n\n \n\nb", Some("a\nb"));
        check("a\r\nb", Some("a\nb"));
        check("👨\u{200d}👩", Some("👨\u{200d}👩"));
        check("\u{200b}\u{7}", None);
        check("\n\n", None);
        check("12345678901", None);
    }
}
