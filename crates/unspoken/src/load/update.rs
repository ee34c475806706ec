//! The few fields of an update that the generator needs.
//!
//! Parsing whole updates would cost the generator more than the server spends on writing them.
//! The server writes the fields in the order of [`wire::Update`], and a name cannot contain a
//! quotation mark that is not escaped, so a field is found by its key.

use anyhow::{Context, Result};
use memchr::memmem;

/// What an update says about the game.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Update<'a> {
    /// How much the viewer has noticed.
    pub seq: u64,
    /// The message that it answers.
    pub ack: Option<u32>,
    /// Whether it brings one played card and nothing else.
    pub one_card: bool,
    /// What the viewer may do, as JSON; `None` while no game is on.
    pub options: Option<&'a [u8]>,
}

/// Whether a message is an update.
pub fn is_update(text: &[u8]) -> bool {
    text.starts_with(br#"{"t":"update""#)
}

/// The code of a refusal; `None` for any other message.
pub fn refusal(text: &[u8]) -> Option<&str> {
    text.starts_with(br#"{"t":"refused""#).then_some(())?;
    let (_, rest) = after(text, br#","code":""#)?;
    std::str::from_utf8(&rest[..memchr::memchr(b'"', rest)?]).ok()
}

impl<'a> Update<'a> {
    /// Reads the fields of an update's text. Fails if it has no `seq`.
    pub fn scan(text: &'a [u8]) -> Result<Self> {
        let (_, rest) = after(text, br#","seq":"#).context("an update has a seq")?;
        let (seq, rest) = number(rest).context("a seq is a number")?;
        // What follows is in a fixed order, each field only if it is there. Protocol 2 writes all
        // of them, with `null` and `[]`.
        let (ack, rest) = match rest.strip_prefix(br#","ack":"#) {
            Some(ack) => number(ack)
                .map_or((None, ack.strip_prefix(b"null").unwrap_or(ack)), |(ack, rest)| {
                    (u32::try_from(ack).ok(), rest)
                }),
            None => (None, rest),
        };
        let one_card = rest.strip_prefix(br#","sights":"#).is_some_and(is_one_card);
        let options = memmem::rfind(rest, br#","options":"#).map(|at| &rest[at + 11..]);
        let options = options.filter(|options| !options.starts_with(b"null")).map(value);
        Ok(Self { seq, ack, one_card, options })
    }
}

/// Whether a list of sights is one played card, as in `[{"mind":{"played":…}}]`.
fn is_one_card(sights: &[u8]) -> bool {
    let list = value(sights);
    let first = value(list.get(1..).unwrap_or_default());
    let is_play =
        after(first, br#"":{"played":"#).is_some_and(|(before, _)| !before.contains(&b':'));
    is_play && list.len() == first.len() + 2
}

/// The object or list at the beginning of a text. Brackets in strings are not expected: neither
/// options nor sights contain names.
fn value(text: &[u8]) -> &[u8] {
    let mut depth = 0_u32;
    for (place, byte) in text.iter().enumerate() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return &text[..=place];
        }
    }
    text
}

/// What stands before and behind a key.
fn after<'a>(text: &'a [u8], key: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = memmem::find(text, key)?;
    Some((&text[..at], &text[at + key.len()..]))
}

/// The number at the beginning of a text, and what follows it.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    Some((std::str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, seq: u64, ack: Option<u32>, one_card: bool, options: Option<&str>) {
        let options = options.map(str::as_bytes);
        let expected = Update { seq, ack, one_card, options };
        assert_eq!(Update::scan(text.as_bytes()).unwrap(), expected, "{text}");
        assert!(is_update(text.as_bytes()), "{text}");
        assert_eq!(refusal(text.as_bytes()), None, "{text}");
    }

    #[test]
    fn fields_are_found_and_missing_ones_are_not() {
        check(
            r#"{"t":"update","code":"k3f9ab","seq":412,"ack":17,"sights":[{"mind":{"played":"A18"}}],"view":{"mind":{"public":{"level":3},"hands":[[40,77],2,2,2],"pile":"A7,B14"}},"options":{"mind":["stop","raise",{"play":40}]},"show_at":1234567.8}"#,
            412,
            Some(17),
            true,
            Some(r#"{"mind":["stop","raise",{"play":40}]}"#),
        );
        check(
            r#"{"t":"update","code":"k3f9ab","table":{"chairs":["\",\"seq\":9"]},"you":"A","seq":0,"show_at":1.5}"#,
            0,
            None,
            false,
            None,
        );
        check(
            r#"{"t":"update","code":"k3f9ab","seq":7,"sights":[{"extreme":{"played":{"seat":"B","card":{"colour":"red","value":8}}}}],"options":{"extreme":[]},"help":{"codes":3},"show_at":1}"#,
            7,
            None,
            true,
            Some(r#"{"extreme":[]}"#),
        );
        check(
            r#"{"t":"update","code":"k3f9ab","seq":7,"sights":[{"royale":{"asked":[1,2,3]}}],"options":{"royale":{"hide":false,"colours":true,"shapes":true,"mark":true}},"show_at":1}"#,
            7,
            None,
            false,
            Some(r#"{"royale":{"hide":false,"colours":true,"shapes":true,"mark":true}}"#),
        );
    }

    #[test]
    fn a_card_with_consequences_is_not_one_card() {
        for (sights, one_card) in [
            (r#"[{"mind":{"played":"A18"}}]"#, true),
            (r#"[{"mind":{"played":"A18"}},{"mind":"level-won"}]"#, false),
            (r#"[{"mind":{"rested":"A"}},{"mind":{"played":"A18"}}]"#, false),
            (r#"[{"mind":{"rested":{"played":1}}}]"#, false),
            ("[]", false),
        ] {
            check(
                &format!(r#"{{"t":"update","seq":1,"sights":{sights},"show_at":1}}"#),
                1,
                None,
                one_card,
                None,
            );
        }
    }

    #[test]
    fn protocol_2_is_still_read() {
        check(
            r#"{"t":"update","table":{"code":"k3f9ab"},"seq":41,"ack":null,"sights":[{"mind":{"played":{"known":{"seat":"A","card":18}}}}],"view":null,"options":{"commands":[{"mind":"stop"}]},"help":null,"talk":false,"photo_finish":null,"show_at":98765.5}"#,
            41,
            None,
            true,
            Some(r#"{"commands":[{"mind":"stop"}]}"#),
        );
        check(
            r#"{"t":"update","table":{"code":"k3f9ab"},"seq":41,"ack":3,"sights":[],"view":null,"options":null,"help":null,"talk":false,"photo_finish":null,"show_at":98765.5}"#,
            41,
            Some(3),
            false,
            None,
        );
    }

    #[test]
    fn a_refusal_has_a_code() {
        let text = br#"{"t":"refused","table":"k3f9ab","id":3,"code":"stale","text":"look"}"#;
        assert_eq!(refusal(text), Some("stale"));
        assert!(Update::scan(br#"{"t":"update"}"#).is_err());
    }

    /// The protocol's own page: what is found is what a full reading finds.
    #[test]
    fn the_scan_agrees_with_the_wire() {
        let page = include_str!("../../../../docs/protocol.md");
        let blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
        let (mut compared, mut reader) = (0, wire::Reader::default());
        for message in blocks.filter_map(|text| reader.read(text).ok()) {
            let wire::ServerMessage::Update(whole) = &message else { continue };
            let text = serde_json::to_string(&message).unwrap();
            let update = Update::scan(text.as_bytes()).unwrap();
            let options = update.options.map(|text| serde_json::from_slice(text).unwrap());
            assert_eq!((update.seq, update.ack, &options), (whole.seq, whole.ack, &whole.options));
            compared += 1;
        }
        assert!(compared > 0);
    }
}
