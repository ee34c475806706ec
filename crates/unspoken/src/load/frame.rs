//! WebSocket frames as a client reads and writes them (RFC 6455), without allocating.

use anyhow::{Result, bail};

/// The masking key. A real client draws one per frame; undoing it costs the server the same.
const KEY: [u8; 4] = [0x5a, 0xc3, 0x19, 0x76];
const FINAL: u8 = 0x80;
const MASKED: u8 = 0x80;
/// The length follows in two bytes.
const LENGTH_2: u8 = 126;
/// The length follows in eight bytes.
const LENGTH_8: u8 = 127;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text = 1,
    Close = 8,
    Ping = 9,
    Pong = 10,
}

/// One whole frame of the server.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    pub kind: Kind,
    pub payload: &'a [u8],
}

/// The frame at the beginning of `bytes` and what follows it; `None` if not all of it is there.
/// Fails on frames that the table server never sends: parts of messages, binary and masked ones.
pub fn split(bytes: &[u8]) -> Result<Option<(Frame<'_>, &[u8])>> {
    let [first, second, rest @ ..] = bytes else { return Ok(None) };
    let kind = match first ^ FINAL {
        1 => Kind::Text,
        8 => Kind::Close,
        9 => Kind::Ping,
        10 => Kind::Pong,
        other => bail!("the server sends a frame that starts with {other:#x}"),
    };
    let (length, rest) = match (second, rest) {
        (0..=125, rest) => (usize::from(*second), rest),
        (&LENGTH_2, [a, b, rest @ ..]) => (usize::from(u16::from_be_bytes([*a, *b])), rest),
        (&LENGTH_8, [0, 0, 0, 0, a, b, c, d, rest @ ..]) => {
            (u32::from_be_bytes([*a, *b, *c, *d]) as usize, rest)
        }
        (&LENGTH_2, _) | (&LENGTH_8, [] | [0, ..]) => return Ok(None),
        _ => bail!("the server sends a frame that is masked or too long"),
    };
    if rest.len() < length {
        return Ok(None);
    }
    let (payload, rest) = rest.split_at(length);
    Ok(Some((Frame { kind, payload }, rest)))
}

/// Appends a whole masked frame to `out`.
pub fn write(out: &mut Vec<u8>, kind: Kind, payload: &[u8]) {
    out.push(FINAL | kind as u8);
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length @ 0..=125), _) => out.push(MASKED | length),
        (_, Ok(length)) => {
            out.push(MASKED | LENGTH_2);
            out.extend_from_slice(&length.to_be_bytes());
        }
        (_, Err(_)) => {
            out.push(MASKED | LENGTH_8);
            out.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(&KEY);
    let from = out.len();
    out.extend_from_slice(payload);
    for part in out[from..].chunks_mut(KEY.len()) {
        part.iter_mut().zip(KEY).for_each(|(byte, key)| *byte ^= key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame as a server writes it: not masked.
    fn served(kind: u8, payload: &[u8]) -> Vec<u8> {
        let length = match payload.len() {
            length @ 0..=125 => vec![length as u8],
            length @ 126..=65_535 => [&[LENGTH_2], &(length as u16).to_be_bytes()[..]].concat(),
            length => [&[LENGTH_8], &(length as u64).to_be_bytes()[..]].concat(),
        };
        [&[FINAL | kind], &length[..], payload].concat()
    }

    #[test]
    fn a_frame_is_read_when_all_of_it_is_there() {
        for length in [0, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
            let payload = vec![b'x'; length];
            let bytes = served(1, &payload);
            let (frame, rest) = split(&bytes).unwrap().unwrap();
            assert_eq!((frame.kind, frame.payload, rest), (Kind::Text, &payload[..], &[][..]));
            for cut in [0, 1, 2, 3, 5, 9, bytes.len() - 1] {
                if cut < bytes.len() {
                    assert_eq!(split(&bytes[..cut]).unwrap(), None, "{length} bytes, cut at {cut}");
                }
            }
        }
    }

    #[test]
    fn frames_follow_each_other() {
        let bytes = [served(9, b"p"), served(1, b"text"), served(8, b"")].concat();
        let (ping, rest) = split(&bytes).unwrap().unwrap();
        let (text, rest) = split(rest).unwrap().unwrap();
        let (close, rest) = split(rest).unwrap().unwrap();
        assert_eq!(ping, Frame { kind: Kind::Ping, payload: b"p" });
        assert_eq!(text, Frame { kind: Kind::Text, payload: b"text" });
        assert_eq!((close.kind, rest), (Kind::Close, &[][..]));
    }

    #[test]
    fn what_the_server_never_sends_is_an_error() {
        for bytes in [[0x01, 1], [0x82, 1], [0xc1, 1], [0x81, 0x81]] {
            assert!(split(&bytes).is_err(), "{bytes:x?}");
        }
    }

    #[test]
    fn a_written_frame_is_masked_by_its_key() {
        for length in [0, 3, 57, 125, 126, 65_536] {
            let payload = (0..length).map(|place| place as u8).collect::<Vec<_>>();
            let mut out = Vec::new();
            write(&mut out, Kind::Text, &payload);
            assert_eq!((out[0], out[1] & MASKED), (0x81, MASKED));
            let head = out.len() - length;
            assert_eq!(out[head - 4..head], KEY);
            let unmasked = out[head..].iter().zip(KEY.iter().cycle()).map(|(byte, key)| byte ^ key);
            assert_eq!(unmasked.collect::<Vec<_>>(), payload);
        }
    }
}
