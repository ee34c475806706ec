//! What an operator can set. Each option is also an environment variable and a line of
//! `unspoken.toml`.

use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{NonEmptyStringValueParser, RangedI64ValueParser};

use crate::address::{ProxyHeader, PublicUrl};
use crate::base_path::BasePath;
use crate::calendar::WallClock;
use crate::contact::Contact;
use crate::limits::Limits;
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
    pub limits: Limits,
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
