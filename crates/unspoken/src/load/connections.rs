//! All connections of a load, on one thread.

use std::time::Duration;

use anyhow::{Error, Result};

use super::connection::{Buffers, Connection};
use super::poll::Poll;

/// Open connections, each known by its index.
pub struct Connections {
    poll: Poll,
    buffers: Buffers,
    /// `None` for lost connections.
    open: Vec<Option<Connection>>,
}

impl Connections {
    pub fn new() -> Result<Self> {
        Ok(Self { poll: Poll::new()?, buffers: Buffers::new(), open: Vec::new() })
    }

    /// Takes one more and returns its index. What it received before is handed to `take`.
    pub fn add(&mut self, connection: Connection, take: impl FnMut(&[u8])) -> Result<usize> {
        let index = self.open.len();
        let mut connection = connection.unblocked()?;
        self.poll.add(connection.stream(), index)?;
        connection.receive(&mut self.buffers, false, take)?;
        self.open.push(Some(connection));
        Ok(index)
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.open.iter().flatten().count()
    }

    /// Sends a text over one of them; nothing if it was lost.
    pub fn send(&mut self, index: usize, text: &[u8]) -> Result<()> {
        let Some(connection) = &mut self.open[index] else { return Ok(()) };
        connection.send(&mut self.buffers, text)
    }

    /// Waits at most this long, and passes on what came over each connection: a text, or why it was
    /// lost.
    pub fn wait(
        &mut self,
        most: Duration,
        mut take: impl FnMut(usize, Result<&[u8], Error>),
    ) -> Result<()> {
        self.poll.wait(most)?;
        for ready in self.poll.ready() {
            let Some(connection) = &mut self.open[ready.index] else { continue };
            let texts = |text: &[u8]| take(ready.index, Ok(text));
            let received = connection
                .flush()
                .and_then(|()| connection.receive(&mut self.buffers, ready.hung_up, texts));
            if let Err(error) = received {
                self.open[ready.index] = None;
                take(ready.index, Err(error));
            }
        }
        Ok(())
    }
}
