//! Counts the continuation frames of a connection.
//!
//! The WebSocket library puts the frames of a message together and hands out whole messages. A
//! client that never ends a message would cost work and be counted by no limit.

/// Reads the heads of frames as they arrive, in pieces of any size.
#[derive(Default)]
pub(crate) struct Frames {
    /// The bytes of a head that is not complete.
    head: Vec<u8>,
    /// Bytes of the payload that are still to come.
    payload_left: u64,
}

/// The longest head: two bytes, a length of eight and a mask of four.
const HEAD_BYTES_MOST: usize = 14;

/// The opcode of a frame that continues a message.
const CONTINUATION: u8 = 0;

impl Frames {
    /// Takes bytes in; how many continuation frames began in them.
    pub(crate) fn read(&mut self, mut bytes: &[u8]) -> u32 {
        let mut continued = 0;
        while !bytes.is_empty() {
            if self.payload_left > 0 {
                let skipped =
                    bytes.len().min(usize::try_from(self.payload_left).unwrap_or(usize::MAX));
                self.payload_left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.head.push(bytes[0]);
            bytes = &bytes[1..];
            if let Some(payload) = payload_bytes(&self.head) {
                let opcode = self.head[0] & 0x0f;
                continued += u32::from(opcode == CONTINUATION);
                self.payload_left = payload;
                self.head.clear();
            }
        }
        continued
    }
}

/// How long the payload is, if the head is complete.
fn payload_bytes(head: &[u8]) -> Option<u64> {
    debug_assert!(head.len() <= HEAD_BYTES_MOST, "a head ends by then");
    let &[_, second, ref rest @ ..] = head else { return None };
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    let (bytes, length) = match second & 0x7f {
        126 => (2, rest.get(..2).map(|it| u64::from(u16::from_be_bytes([it[0], it[1]])))),
        127 => (8, rest.first_chunk::<8>().map(|it| u64::from_be_bytes(*it))),
        short => (0, Some(u64::from(short))),
    };
    length.filter(|_| rest.len() == bytes + mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A masked frame as a client sends it.
    fn frame(opcode: u8, payload: usize) -> Vec<u8> {
        let mut bytes = vec![opcode];
        match payload {
            0..126 => bytes.push(0x80 | payload as u8),
            126..65_536 => {
                bytes.push(0x80 | 0x7e);
                bytes.extend((payload as u16).to_be_bytes());
            }
            _ => {
                bytes.push(0x80 | 0x7f);
                bytes.extend((payload as u64).to_be_bytes());
            }
        }
        bytes.extend([1, 2, 3, 4]);
        bytes.extend(vec![0; payload]);
        bytes
    }

    #[test]
    fn continuation_frames_are_counted_however_they_arrive() {
        let frames = [(0x01, 3), (0x00, 0), (0x00, 200), (0x89, 5), (0x80, 70_000), (0x81, 9)];
        let bytes = frames.iter().flat_map(|&(opcode, payload)| frame(opcode, payload));
        let bytes = bytes.collect::<Vec<_>>();
        for piece in [1, 2, 7, 256, bytes.len()] {
            let mut counter = Frames::default();
            let counted = bytes.chunks(piece).map(|bytes| counter.read(bytes)).sum::<u32>();
            assert_eq!(counted, 3, "in pieces of {piece}");
        }
    }
}
