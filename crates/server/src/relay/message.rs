//! What nodes send each other about relayed sockets: a short head, and a body.

use bytes::Bytes;
use cluster::NodeId;

/// A client's socket: the node that it is at, and that node's number for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SocketId {
    pub(crate) node: NodeId,
    pub(crate) number: u64,
}

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A socket is relayed from now on; the body says whose it is.
    Open,
    /// Frames of the client.
    Up,
    /// The client has gone.
    HungUp,
    /// Frames for the client.
    Down,
    /// The session has ended.
    Ended,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Open, Self::Up, Self::HungUp, Self::Down, Self::Ended];

    fn byte(self) -> u8 {
        match self {
            Self::Open => 1,
            Self::Up => 2,
            Self::HungUp => 3,
            Self::Down => 4,
            Self::Ended => 5,
        }
    }
}

/// A message about a relayed socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) kind: Kind,
    pub(crate) socket: SocketId,
    /// Counts the messages about this socket in this direction: a gap ends it.
    pub(crate) sequence: u64,
    pub(crate) body: Bytes,
}

const HEAD_BYTES: usize = 33;

impl Message {
    /// The message as bytes.
    pub(crate) fn written(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(HEAD_BYTES + self.body.len());
        bytes.push(self.kind.byte());
        bytes.extend_from_slice(self.socket.node.bytes());
        bytes.extend_from_slice(&self.socket.number.to_be_bytes());
        bytes.extend_from_slice(&self.sequence.to_be_bytes());
        bytes.extend_from_slice(&self.body);
        bytes.into()
    }

    /// Reads a message; `None` if it is none.
    pub(crate) fn read(bytes: &Bytes) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let kind = Kind::ALL.into_iter().find(|it| it.byte() == *kind)?;
        let (node, rest) = rest.split_first_chunk::<16>()?;
        let (number, rest) = rest.split_first_chunk::<8>()?;
        let (sequence, _) = rest.split_first_chunk::<8>()?;
        let socket = SocketId { node: NodeId::new(*node), number: u64::from_be_bytes(*number) };
        let body = bytes.slice(HEAD_BYTES..);
        Some(Self { kind, socket, sequence: u64::from_be_bytes(*sequence), body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_back_as_they_were_written() {
        for kind in Kind::ALL {
            let socket = SocketId { node: NodeId::new([7; 16]), number: 1 << 40 };
            let message = Message { kind, socket, sequence: 9, body: Bytes::from_static(b"body") };
            assert_eq!(Message::read(&message.written()), Some(message));
        }
        for other in [&b""[..], b"x", &[1; 32], &[9; 40]] {
            assert_eq!(Message::read(&Bytes::copy_from_slice(other)), None);
        }
    }
}
