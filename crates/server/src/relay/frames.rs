//! WebSocket frames on their way between nodes: those of a client are written anew, those for a
//! client are cut out of the bytes that arrive.

use bytes::Bytes;

/// The bit of a frame's first byte that says that its message ends with it.
const LAST: u8 = 0x80;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PONG: u8 = 10;

/// A whole frame of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WholeFrame {
    /// Header and payload.
    pub(crate) bytes: Bytes,
    payload_at: usize,
}

impl WholeFrame {
    /// The payload of a text; `None` for another frame.
    pub(crate) fn text(&self) -> Option<&[u8]> {
        (self.bytes[0] & 0x0f == TEXT).then(|| &self.bytes[self.payload_at..])
    }

    /// Whether it ends the connection.
    pub(crate) fn is_close(&self) -> bool {
        self.bytes[0] & 0x0f == CLOSE
    }
}

/// Cuts frames out of what a server has sent.
#[derive(Debug, Default)]
pub(crate) struct FrameSplitter(Vec<u8>);

impl FrameSplitter {
    /// Takes more bytes in, and returns the frames that are whole now.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<WholeFrame> {
        self.0.extend_from_slice(bytes);
        let (mut frames, mut from) = (Vec::new(), 0);
        while let Some((payload_at, length)) = measured(&self.0[from..]) {
            let frame = Bytes::copy_from_slice(&self.0[from..from + length]);
            frames.push(WholeFrame { bytes: frame, payload_at });
            from += length;
        }
        self.0.drain(..from);
        frames
    }
}

/// Where the payload of the first frame begins and where it ends; `None` if it is not all there.
fn measured(bytes: &[u8]) -> Option<(usize, usize)> {
    let (payload_at, length) = match bytes.get(1)? & 0x7f {
        126 => (4, u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?).into()),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)),
        length => (2, length.into()),
    };
    let end = payload_at + usize::try_from(length).ok()?;
    (bytes.len() >= end).then_some((payload_at, end))
}

/// A text of a client as a frame.
pub(crate) fn client_text(text: &[u8]) -> Bytes {
    client_frame(TEXT, text)
}

/// A pong of a client as a frame.
pub(crate) fn client_pong(payload: &[u8]) -> Bytes {
    client_frame(PONG, payload)
}

/// Frames of a client are masked; this mask changes nothing.
fn client_frame(opcode: u8, payload: &[u8]) -> Bytes {
    const MASKED: u8 = 0x80;
    /// The length follows in two bytes, or in eight.
    const LENGTH_OF_TWO: u8 = 0x7e;
    const LENGTH_OF_EIGHT: u8 = 0x7f;
    let mut bytes = Vec::with_capacity(payload.len() + 14);
    bytes.push(LAST | opcode);
    match payload.len() {
        length @ 0..126 => bytes.push(MASKED | length as u8),
        length @ 126..=0xffff => {
            bytes.push(MASKED | LENGTH_OF_TWO);
            bytes.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            bytes.push(MASKED | LENGTH_OF_EIGHT);
            bytes.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(payload);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor, Read, Write};

    use tungstenite::Message;
    use tungstenite::protocol::{Role, WebSocketContext};

    use super::*;

    /// A stream of received bytes that keeps what is written to it.
    struct Stream {
        read: Cursor<Vec<u8>>,
        written: Vec<u8>,
    }

    impl Read for Stream {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.read.read(buffer)
        }
    }

    impl Write for Stream {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.written.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn text(length: usize) -> String {
        "x".repeat(length)
    }

    #[test]
    fn a_library_reads_what_is_written_for_a_client() {
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            let read = Cursor::new(client_text(text(length).as_bytes()).to_vec());
            let mut stream = Stream { read, written: Vec::new() };
            let mut server = WebSocketContext::new(Role::Server, None);
            assert_eq!(server.read(&mut stream).unwrap(), Message::text(text(length)));
        }
        let read = Cursor::new(client_pong(b"12345678").to_vec());
        let mut server = WebSocketContext::new(Role::Server, None);
        let pong = server.read(&mut Stream { read, written: Vec::new() }).unwrap();
        assert_eq!(pong, Message::Pong(Bytes::from_static(b"12345678")));
    }

    #[test]
    fn frames_of_a_server_are_cut_wherever_they_are_torn() {
        let mut stream = Stream { read: Cursor::new(Vec::new()), written: Vec::new() };
        let mut server = WebSocketContext::new(Role::Server, None);
        let lengths = [3, 0, 125, 126, 70_000];
        for length in lengths {
            server.write(&mut stream, Message::text(text(length))).unwrap();
        }
        server.write(&mut stream, Message::Ping(Bytes::from_static(b"ping"))).unwrap();
        server.close(&mut stream, None).unwrap();
        server.flush(&mut stream).unwrap();
        for piece in [1, 7, 1_000, 100_000] {
            let mut splitter = FrameSplitter::default();
            let frames = stream
                .written
                .chunks(piece)
                .flat_map(|bytes| splitter.push(bytes))
                .collect::<Vec<_>>();
            let texts = frames.iter().filter_map(WholeFrame::text).map(<[u8]>::len);
            assert_eq!(texts.collect::<Vec<_>>(), lengths, "pieces of {piece} bytes");
            assert_eq!(frames.len(), lengths.len() + 2);
            assert!(frames[lengths.len() + 1].is_close() && !frames[0].is_close());
            let all = frames.iter().flat_map(|frame| frame.bytes.iter().copied());
            assert!(all.eq(stream.written.iter().copied()));
        }
    }
}
