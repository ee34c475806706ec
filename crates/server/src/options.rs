//! What an operator can set. Each option is also an environment variable and a line of
//! `unspoken.toml`.

use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{NonEmptyStringValueParser, RangedI64ValueParser, RangedU64ValueParser};

use crate::address::{ProxyHeader, PublicUrl};
use crate::base_path::BasePath;
use crate::calendar::WallClock;
use crate::contact::Contact;
use crate::limits::{Limits, Rate, Seconds};
use crate::partner_queue::BOTS_AFTER;
use crate::store::ClusterOptions;
use table::fair::Tuning;

/// How the server is run.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// What day it is
    #[arg(skip)]
    pub wall_clock: WallClock,
    /// How long a search for partners waits for people before bots take seats
    #[arg(skip = BOTS_AFTER)]
    pub bots_after: Duration,
    /// Where to listen
    #[arg(long, env = "UNSPOKEN_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Where to listen for /metrics
    #[arg(long, env = "UNSPOKEN_METRICS", default_value = "127.0.0.1:9090")]
    pub metrics: SocketAddr,
    /// The file in which the tables are stored; in a cluster this node's own index of it
    #[arg(long, env = "UNSPOKEN_DATA", default_value = "unspoken.db")]
    pub data: PathBuf,
    /// An address at which people reach the server, if it differs from --listen
    #[arg(long, env = "UNSPOKEN_PUBLIC_URL", value_delimiter = ',')]
    pub public_url: Vec<PublicUrl>,
    /// The certificate chain for TLS of the server's own, a PEM file; read again on SIGHUP
    #[arg(long, env = "UNSPOKEN_TLS_CERT", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of the certificate, a PEM file
    #[arg(long, env = "UNSPOKEN_TLS_KEY", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// The path of that address below which the server is reached, as in /games/unspoken
    #[arg(long, env = "UNSPOKEN_BASE_PATH", default_value_t)]
    pub base_path: BasePath,
    /// A reverse proxy that is trusted to name its clients' addresses
    #[arg(long, env = "UNSPOKEN_TRUSTED_PROXY", value_delimiter = ',')]
    pub trusted_proxy: Vec<IpAddr>,
    /// The header in which a trusted proxy names the client; no other is read
    #[arg(long, env = "UNSPOKEN_PROXY_HEADER", value_enum, default_value_t)]
    pub proxy_header: ProxyHeader,
    /// Where players report problems, shown on the accessibility page: an address that begins with
    /// mailto: or https://
    #[arg(long, env = "UNSPOKEN_CONTACT")]
    pub contact: Option<Contact>,
    /// The secret that fixed seeds are derived from, in place of the random one that is kept in the
    /// file: servers with the same one deal alike. Keep it from players
    #[arg(long, env = "UNSPOKEN_DEALS", value_parser = NonEmptyStringValueParser::new())]
    pub deals: Option<String>,
    /// A cluster
    #[command(flatten)]
    pub cluster: ClusterOptions,
    /// Fair time
    #[command(flatten)]
    pub fair: FairOptions,
    /// Limits
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// A number of things. The bounds keep it to what the system and the libraries can do.
fn count(least: u64, most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=most)
}

/// A number of milliseconds.
fn ms(range: RangeInclusive<i64>) -> RangedI64ValueParser<u16> {
    RangedI64ValueParser::new().range(range)
}

/// Fair time as options; `docs/fair-time.md` says what they are about.
#[derive(Clone, Copy, Debug, Args)]
pub struct FairOptions {
    /// Whether plays count in the order in which they were pressed, not in which they arrive
    #[arg(long, env = "UNSPOKEN_FAIR_ORDER", default_value_t = true, action = clap::ArgAction::Set)]
    pub fair_order: bool,
    /// The most milliseconds that a press may be claimed before its arrival
    #[arg(
        long,
        env = "UNSPOKEN_CLAIM_MS_MAX",
        default_value_t = 500,
        value_parser = ms(0..=10_000)
    )]
    pub claim_ms_max: u16,
    /// The most milliseconds that a play waits for earlier ones
    #[arg(long, env = "UNSPOKEN_HOLD_MS_MAX", default_value_t = 250, value_parser = ms(0..=10_000))]
    pub hold_ms_max: u16,
    /// The most milliseconds after which all viewers see a play
    #[arg(long, env = "UNSPOKEN_SHOW_MS_MAX", default_value_t = 250, value_parser = ms(0..=10_000))]
    pub show_ms_max: u16,
    /// Milliseconds between pings of a player's connection
    #[arg(long, env = "UNSPOKEN_PING_MS", default_value_t = 1_000, value_parser = ms(50..=60_000))]
    pub ping_ms: u16,
    /// Milliseconds without an answer to a ping after which a level pauses
    #[arg(
        long,
        env = "UNSPOKEN_SILENT_MS",
        default_value_t = 2_000,
        value_parser = ms(100..=60_000)
    )]
    pub silent_ms: u16,
}

impl From<FairOptions> for Tuning {
    fn from(options: FairOptions) -> Self {
        let ms = |ms: u16| Duration::from_millis(u64::from(ms));
        Self {
            fair_order: options.fair_order,
            claim_max: ms(options.claim_ms_max),
            hold_max: ms(options.hold_ms_max),
            show_max: ms(options.show_ms_max),
            ping_every: ms(options.ping_ms),
            silent_after: ms(options.silent_ms),
        }
    }
}

/// The limits as options; `docs/operating.md` lists them.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitOptions {
    /// Bytes of one message
    #[arg(
        long,
        env = "UNSPOKEN_MESSAGE_BYTES",
        default_value_t = 4_096,
        value_parser = count(1_024, 1 << 20)
    )]
    pub message_bytes: usize,
    /// Messages of one connection: at once / a second
    #[arg(long, env = "UNSPOKEN_MESSAGE_RATE", default_value = "40/20")]
    pub message_rate: Rate,
    /// Requests and new connections of one address: at once / a second
    #[arg(long, env = "UNSPOKEN_ADDRESS_RATE", default_value = "120/20")]
    pub address_rate: Rate,
    /// Chat messages of one person: at once / a second
    #[arg(long, env = "UNSPOKEN_CHAT_RATE", default_value = "5/0.5")]
    pub chat_rate: Rate,
    /// Characters of one chat message
    #[arg(
        long,
        env = "UNSPOKEN_CHAT_CHARS",
        default_value_t = 300,
        value_parser = count(1, 10_000)
    )]
    pub chat_chars: usize,
    /// Connections in all
    #[arg(
        long,
        env = "UNSPOKEN_CONNECTIONS",
        default_value_t = 20_000,
        value_parser = count(1, 1_000_000)
    )]
    pub connections: usize,
    /// Connections of one person
    #[arg(
        long,
        env = "UNSPOKEN_CONNECTIONS_PER_PERSON",
        default_value_t = 8,
        value_parser = count(1, 1_000_000)
    )]
    pub connections_per_person: usize,
    /// Connections from one address
    #[arg(
        long,
        env = "UNSPOKEN_CONNECTIONS_PER_ADDRESS",
        default_value_t = 200,
        value_parser = count(1, 1_000_000)
    )]
    pub connections_per_address: usize,
    /// TCP connections in all, those of players included
    #[arg(
        long,
        env = "UNSPOKEN_SOCKETS",
        default_value_t = 24_000,
        value_parser = count(1, 1_000_000)
    )]
    pub sockets: usize,
    /// TCP connections from one address, unless it is a trusted proxy
    #[arg(
        long,
        env = "UNSPOKEN_SOCKETS_PER_ADDRESS",
        default_value_t = 400,
        value_parser = count(1, 1_000_000)
    )]
    pub sockets_per_address: usize,
    /// Bytes of the head of a request
    #[arg(
        long,
        env = "UNSPOKEN_HEAD_BYTES",
        default_value_t = 16_384,
        value_parser = count(8_192, 1 << 20)
    )]
    pub head_bytes: usize,
    /// Headers of a request
    #[arg(long, env = "UNSPOKEN_HEADERS", default_value_t = 64, value_parser = count(16, 1_000))]
    pub headers: usize,
    /// Seconds that a request may take to arrive, and again to be answered
    #[arg(long, env = "UNSPOKEN_REQUEST_S", default_value = "10")]
    pub request_s: Seconds,
    /// Seconds that a connection may be used for requests
    #[arg(long, env = "UNSPOKEN_KEEP_ALIVE_S", default_value = "120")]
    pub keep_alive_s: Seconds,
    /// Bytes of the journal that one person has written: at once / a second
    #[arg(long, env = "UNSPOKEN_BYTE_RATE", default_value = "1000000/4000")]
    pub byte_rate: Rate,
    /// Bytes of the journal that are written for one address: at once / a second
    #[arg(long, env = "UNSPOKEN_ADDRESS_BYTE_RATE", default_value = "4000000/16000")]
    pub address_byte_rate: Rate,
    /// Codes without a table that one address may try: at once / a second
    #[arg(long, env = "UNSPOKEN_GUESS_RATE", default_value = "10/0.1")]
    pub guess_rate: Rate,
    /// New people from one address, after which each costs their browser some work: at once / a second
    #[arg(long, env = "UNSPOKEN_NEWCOMER_RATE", default_value = "20/0.02")]
    pub newcomer_rate: Rate,
    /// Changes of one table outside of play: at once / a second
    #[arg(long, env = "UNSPOKEN_CHANGE_RATE", default_value = "120/1")]
    pub change_rate: Rate,
    /// Tables that one person opens: at once / a second
    #[arg(long, env = "UNSPOKEN_TABLE_RATE", default_value = "10/0.01")]
    pub table_rate: Rate,
    /// Spectators at one table, at least 1: people look at a table before they sit down
    #[arg(
        long,
        env = "UNSPOKEN_SPECTATORS",
        default_value_t = 100,
        value_parser = count(1, 10_000)
    )]
    pub spectators: usize,
    /// Tables at one connection
    #[arg(
        long,
        env = "UNSPOKEN_TABLES_PER_CONNECTION",
        default_value_t = 4,
        value_parser = count(1, 1_000)
    )]
    pub tables_per_connection: usize,
    /// Messages that may wait for one table
    #[arg(long, env = "UNSPOKEN_INBOX", default_value_t = 256, value_parser = count(1, 100_000))]
    pub inbox: usize,
    /// Messages that may wait for one connection
    #[arg(long, env = "UNSPOKEN_QUEUE", default_value_t = 32, value_parser = count(1, 100_000))]
    pub queue: usize,
    /// Seconds that one message may take to be sent
    #[arg(long, env = "UNSPOKEN_SEND_S", default_value = "10")]
    pub send_s: Seconds,
    /// Seconds within which a connection has to send its hello
    #[arg(long, env = "UNSPOKEN_HELLO_S", default_value = "10")]
    pub hello_s: Seconds,
    /// Seconds of silence after which a connection is closed
    #[arg(long, env = "UNSPOKEN_IDLE_S", default_value = "60")]
    pub idle_s: Seconds,
    /// Seconds that an empty table stays in memory
    #[arg(long, env = "UNSPOKEN_TABLE_IDLE_S", default_value = "120")]
    pub table_idle_s: Seconds,
}

impl From<LimitOptions> for Limits {
    fn from(options: LimitOptions) -> Self {
        Self {
            message_bytes_most: options.message_bytes,
            messages: options.message_rate,
            address: options.address_rate,
            chat: options.chat_rate,
            chat_chars_most: options.chat_chars,
            connections_most: options.connections,
            connections_per_person_most: options.connections_per_person,
            connections_per_address_most: options.connections_per_address,
            bytes_per_person: options.byte_rate,
            bytes_per_address: options.address_byte_rate,
            guesses: options.guess_rate,
            newcomers: options.newcomer_rate,
            changes: options.change_rate,
            tables_per_person: options.table_rate,
            spectators_most: options.spectators,
            tables_per_connection_most: options.tables_per_connection,
            sockets_most: options.sockets,
            sockets_per_address_most: options.sockets_per_address,
            head_bytes_most: options.head_bytes,
            headers_most: options.headers,
            request_within: options.request_s.0,
            keep_alive: options.keep_alive_s.0,
            inbox_most: options.inbox,
            queue_most: options.queue,
            send_within: options.send_s.0,
            hello_within: options.hello_s.0,
            idle_after: options.idle_s.0,
            table_idle: options.table_idle_s.0,
        }
    }
}
