//! Limits on what clients may use. Each is an option of `serve`; `docs/operating.md` lists them.

mod bucket;
mod counts;
mod rate;

use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::Args;
use clap::builder::RangedU64ValueParser;

pub(crate) use bucket::{Bucket, Buckets};
pub(crate) use counts::{Counted, Counts};
pub use rate::{Rate, Seconds};

/// All limits.
#[derive(Clone, Copy, Debug, Args)]
pub struct Limits {
    /// TCP connections, and the requests on them.
    #[command(flatten)]
    pub sockets: SocketLimits,
    /// The connections of players and spectators.
    #[command(flatten)]
    pub connections: ConnectionLimits,
    /// The messages of connections.
    #[command(flatten)]
    pub messages: MessageLimits,
    /// What one address may do.
    #[command(flatten)]
    pub addresses: AddressLimits,
    /// What one person may do.
    #[command(flatten)]
    pub people: PersonLimits,
    /// What one table takes.
    #[command(flatten)]
    pub tables: TableLimits,
}

/// TCP connections, and the requests on them.
#[derive(Clone, Copy, Debug, Args)]
pub struct SocketLimits {
    /// TCP connections in all, those of players included
    #[arg(id = "sockets", long = "sockets",  env = "UNSPOKEN_SOCKETS", default_value_t = 24_000, value_parser = count(1, 1_000_000))]
    pub most: usize,
    /// TCP connections from one address, unless it is a trusted proxy
    #[arg(id = "sockets_per_address", long = "sockets-per-address",  env = "UNSPOKEN_SOCKETS_PER_ADDRESS", default_value_t = 400, value_parser = count(1, 1_000_000))]
    pub per_address_most: usize,
    /// Bytes of the head of a request
    #[arg(id = "head_bytes", long = "head-bytes",  env = "UNSPOKEN_HEAD_BYTES", default_value_t = 16_384, value_parser = count(8_192, 1 << 20))]
    pub head_bytes_most: usize,
    /// Headers of a request
    #[arg(id = "headers", long = "headers",  env = "UNSPOKEN_HEADERS", default_value_t = 64, value_parser = count(16, 1_000))]
    pub headers_most: usize,
    /// Seconds that a request may take to arrive, and again to be answered
    #[arg(id = "request_s", long = "request-s", env = "UNSPOKEN_REQUEST_S", default_value = "10")]
    pub request_within: Seconds,
    /// Seconds that a connection may be used for requests
    #[arg(
        id = "keep_alive_s",
        long = "keep-alive-s",
        env = "UNSPOKEN_KEEP_ALIVE_S",
        default_value = "120"
    )]
    pub keep_alive: Seconds,
}

/// The connections of players and spectators.
#[derive(Clone, Copy, Debug, Args)]
pub struct ConnectionLimits {
    /// Connections in all
    #[arg(id = "connections", long = "connections",  env = "UNSPOKEN_CONNECTIONS", default_value_t = 20_000, value_parser = count(1, 1_000_000))]
    pub most: usize,
    /// Connections of one person
    #[arg(id = "connections_per_person", long = "connections-per-person",  env = "UNSPOKEN_CONNECTIONS_PER_PERSON", default_value_t = 8, value_parser = count(1, 1_000_000))]
    pub per_person_most: usize,
    /// Connections from one address
    #[arg(id = "connections_per_address", long = "connections-per-address",  env = "UNSPOKEN_CONNECTIONS_PER_ADDRESS", default_value_t = 200, value_parser = count(1, 1_000_000))]
    pub per_address_most: usize,
    /// Tables at one connection
    #[arg(id = "tables_per_connection", long = "tables-per-connection",  env = "UNSPOKEN_TABLES_PER_CONNECTION", default_value_t = 4, value_parser = count(1, 1_000))]
    pub tables_most: usize,
    /// Messages that may wait for one connection
    #[arg(id = "queue", long = "queue",  env = "UNSPOKEN_QUEUE", default_value_t = 32, value_parser = count(1, 100_000))]
    pub queue_most: usize,
    /// Seconds that one message may take to be sent
    #[arg(id = "send_s", long = "send-s", env = "UNSPOKEN_SEND_S", default_value = "10")]
    pub send_within: Seconds,
    /// Seconds within which a connection has to send its hello
    #[arg(id = "hello_s", long = "hello-s", env = "UNSPOKEN_HELLO_S", default_value = "10")]
    pub hello_within: Seconds,
    /// Seconds of silence after which a connection is closed
    #[arg(id = "idle_s", long = "idle-s", env = "UNSPOKEN_IDLE_S", default_value = "60")]
    pub idle_after: Seconds,
}

/// The messages of connections.
#[derive(Clone, Copy, Debug, Args)]
pub struct MessageLimits {
    /// Bytes of one message
    #[arg(id = "message_bytes", long = "message-bytes",  env = "UNSPOKEN_MESSAGE_BYTES", default_value_t = 4_096, value_parser = count(1_024, 1 << 20))]
    pub bytes_most: usize,
    /// Messages of one connection: at once / a second
    #[arg(
        id = "message_rate",
        long = "message-rate",
        env = "UNSPOKEN_MESSAGE_RATE",
        default_value = "40/20"
    )]
    pub rate: Rate,
    /// Chat messages of one person: at once / a second
    #[arg(
        id = "chat_rate",
        long = "chat-rate",
        env = "UNSPOKEN_CHAT_RATE",
        default_value = "5/0.5"
    )]
    pub chat: Rate,
    /// Characters of one chat message
    #[arg(id = "chat_chars", long = "chat-chars",  env = "UNSPOKEN_CHAT_CHARS", default_value_t = 300, value_parser = count(1, 10_000))]
    pub chat_chars_most: usize,
}

/// What one address may do.
#[derive(Clone, Copy, Debug, Args)]
pub struct AddressLimits {
    /// Requests and new connections of one address: at once / a second
    #[arg(
        id = "address_rate",
        long = "address-rate",
        env = "UNSPOKEN_ADDRESS_RATE",
        default_value = "120/20"
    )]
    pub requests: Rate,
    /// Bytes of the journal that are written for one address: at once / a second
    #[arg(
        id = "address_byte_rate",
        long = "address-byte-rate",
        env = "UNSPOKEN_ADDRESS_BYTE_RATE",
        default_value = "4000000/16000"
    )]
    pub bytes: Rate,
    /// Codes without a table that one address may try: at once / a second
    #[arg(
        id = "guess_rate",
        long = "guess-rate",
        env = "UNSPOKEN_GUESS_RATE",
        default_value = "10/0.1"
    )]
    pub guesses: Rate,
    /// New people from one address, after which each costs their browser some work: at once / a second
    #[arg(
        id = "newcomer_rate",
        long = "newcomer-rate",
        env = "UNSPOKEN_NEWCOMER_RATE",
        default_value = "20/0.02"
    )]
    pub newcomers: Rate,
}

/// What one person may do.
#[derive(Clone, Copy, Debug, Args)]
pub struct PersonLimits {
    /// Bytes of the journal that one person has written: at once / a second
    #[arg(
        id = "byte_rate",
        long = "byte-rate",
        env = "UNSPOKEN_BYTE_RATE",
        default_value = "1000000/4000"
    )]
    pub bytes: Rate,
    /// Tables that one person opens: at once / a second
    #[arg(
        id = "table_rate",
        long = "table-rate",
        env = "UNSPOKEN_TABLE_RATE",
        default_value = "10/0.01"
    )]
    pub tables: Rate,
}

/// What one table takes.
#[derive(Clone, Copy, Debug, Args)]
pub struct TableLimits {
    /// Changes of one table outside of play: at once / a second
    #[arg(
        id = "change_rate",
        long = "change-rate",
        env = "UNSPOKEN_CHANGE_RATE",
        default_value = "120/1"
    )]
    pub changes: Rate,
    /// Spectators at one table, at least 1: people look at a table before they sit down
    #[arg(id = "spectators", long = "spectators",  env = "UNSPOKEN_SPECTATORS", default_value_t = 100, value_parser = count(1, 10_000))]
    pub spectators_most: usize,
    /// Messages that may wait for one table
    #[arg(id = "inbox", long = "inbox",  env = "UNSPOKEN_INBOX", default_value_t = 256, value_parser = count(1, 100_000))]
    pub inbox_most: usize,
    /// Seconds that an empty table stays in memory
    #[arg(
        id = "table_idle_s",
        long = "table-idle-s",
        env = "UNSPOKEN_TABLE_IDLE_S",
        default_value = "120"
    )]
    pub idle_after: Seconds,
}

/// A number of things. The bounds keep it to what the system and the libraries can do.
fn count(least: u64, most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=most)
}

/// Locks a mutex, also after a holder panicked: the data are plain counts, which stay valid.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
