//! Joining: the connection, what is checked before anything is stored, and the streams.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use async_nats::jetstream::context::{
    AccountErrorKind, Context, CreateStreamErrorKind, GetStreamErrorKind,
};
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, Info, PersistenceMode, RetentionPolicy, StorageType,
};
use async_nats::jetstream::{self, ErrorCode};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use tokio::time::{Instant, sleep};
use tracing::{info, warn};

use crate::error::OpenError;
use crate::hex::hex;
use crate::monitoring::{Broker, check_version, usual_address};
use crate::options::STREAMS_MOST;
use crate::{ClusterName, Options, SyncCheck};

/// How many brokers have each line.
const REPLICAS: usize = 3;
/// What the metadata of each stream say: the version of its messages, the cluster that it was made
/// for, and how many streams that has.
const FORMAT_FIELD: &str = "unspoken-format";
const IDENTITY_FIELD: &str = "unspoken-cluster";
const STREAMS_FIELD: &str = "unspoken-streams";
const FORMAT: &str = "1";
/// How long a broker may take to greet this node.
const CONNECTING: Duration = Duration::from_secs(2);
/// How often the connection is tried. A broker that has not answered the last two is left for
/// another one, so a node leaves a frozen one before the other nodes take its tables over.
const PING_EVERY: Duration = Duration::from_millis(500);
/// The pause before another attempt to connect, times the attempts so far, up to ten.
const RECONNECT: Duration = Duration::from_millis(50);
/// How long to wait before a request is made again that got no answer.
const PAUSE: Duration = Duration::from_millis(200);

/// A cluster that this node has joined.
pub(crate) struct Joined {
    pub(crate) context: Context,
    pub(crate) streams: u16,
    /// What was drawn when the cluster was made.
    pub(crate) identity: String,
    pub(crate) message_bytes_most: usize,
}

/// What is done about a cluster that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Its streams are made.
    Make,
    /// It is refused: a wrong name must not make a cluster.
    Refuse,
}

/// Connects, checks the brokers and makes the streams that are missing, if they may be.
pub(crate) async fn join(options: &Options, missing: Missing) -> Result<Joined, OpenError> {
    if !(1..=STREAMS_MOST).contains(&options.streams) {
        return Err(OpenError::Streams { number: options.streams });
    }
    let client = connect(options).await?;
    let info = client.server_info();
    check_version(&info.server_name, &info.version)?;
    let broker = || format!("broker {}", info.server_name);
    if !info.jetstream {
        return Err(OpenError::NoStorage(broker()));
    }
    let of_brokers = info.cluster.clone();
    let of_brokers = of_brokers
        .ok_or_else(|| OpenError::TooFewBrokers(format!("{} is in no cluster", broker())))?;
    let syncing = syncing(options, &of_brokers).await?;

    // An append waits as long as the context says, whatever the client's own options are.
    let mut context = jetstream::new(client);
    context.set_timeout(options.answer);
    let deadline = Instant::now() + options.patience * 2;
    account(&context, deadline).await?;
    if missing == Missing::Refuse {
        check_there(&context, &options.name, deadline).await?;
    }
    let (streams, identity) = streams(options, &context, syncing.as_ref(), deadline).await?;
    let bucket = bucket_config(&options.name, &identity);
    check_stream(&context, &bucket, syncing.as_ref(), deadline).await?;
    info!(name = %options.name, streams, brokers = of_brokers, "joined the cluster");
    Ok(Joined { context, streams, identity, message_bytes_most: info.max_payload })
}

async fn connect(options: &Options) -> Result<Client, OpenError> {
    let addresses = options.brokers.iter().map(|text| address(text));
    let addresses = addresses.collect::<Result<Vec<_>, _>>()?;
    let mut connecting = ConnectOptions::new()
        .name("unspoken")
        .connection_timeout(CONNECTING)
        .ping_interval(PING_EVERY)
        .reconnect_delay_callback(|attempts| RECONNECT.saturating_mul(attempts.min(10) as u32))
        .event_callback(|event| async move { log(&event) });
    if let Some(broker) = addresses.iter().find(|broker| broker.has_user_pass()) {
        let user = broker.username().unwrap_or_default().to_owned();
        connecting = match broker.password() {
            Some(password) => connecting.user_and_password(user, password.to_owned()),
            None => connecting.token(user),
        };
    }
    if let Some(path) = &options.credentials {
        connecting = connecting.credentials_file(path).await.map_err(|error| {
            let (path, error) = (path.display().to_string(), error.to_string());
            OpenError::CredentialsFile { path, error }
        })?;
    }
    connecting.connect(addresses).await.map_err(|error| match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            OpenError::Credentials
        }
        _ => {
            OpenError::Unreachable { brokers: hosts(options).join(", "), error: error.to_string() }
        }
    })
}

fn address(text: &str) -> Result<ServerAddr, OpenError> {
    text.parse().map_err(|_| OpenError::Address(without_secrets(text)))
}

/// An address without the user, the password or the token in it.
fn without_secrets(address: &str) -> String {
    address.rsplit('@').next().unwrap_or_default().to_owned()
}

/// The hosts of the brokers that were named, with their ports.
fn hosts(options: &Options) -> Vec<String> {
    options.brokers.iter().map(|address| without_secrets(address)).collect()
}

fn log(event: &Event) {
    match event {
        Event::Connected => info!("connected to a broker"),
        Event::Disconnected | Event::LameDuckMode => warn!(%event, "the connection to a broker"),
        Event::SlowConsumer(_) | Event::ServerError(_) | Event::ClientError(_) => {
            warn!(%event, "a broker");
        }
        Event::Draining | Event::Closed => info!(%event, "the connection to a broker"),
    }
}

/// The brokers that sync every append, or `None` if the operator vouches for all.
async fn syncing(
    options: &Options,
    of_brokers: &str,
) -> Result<Option<BTreeSet<String>>, OpenError> {
    let addresses = match &options.sync {
        SyncCheck::Trust => {
            warn!(
                "whether the brokers sync every append is not checked: the operator vouches for it"
            );
            return Ok(None);
        }
        SyncCheck::Ask(addresses) if !addresses.is_empty() => addresses.clone(),
        SyncCheck::Ask(_) => {
            let brokers = options.brokers.iter().map(|text| address(text));
            let usual = brokers.map(|broker| Ok(usual_address(broker?.host())));
            usual.collect::<Result<_, OpenError>>()?
        }
    };
    let mut found = BTreeSet::new();
    for address in addresses {
        let broker = Broker::ask(&address).await?;
        broker.check(of_brokers)?;
        found.insert(broker.name);
    }
    Ok(Some(found))
}

/// Fails if there is no cluster of this name.
async fn check_there(
    context: &Context,
    name: &ClusterName,
    deadline: Instant,
) -> Result<(), OpenError> {
    let stream = name.stream(0);
    while let Err(error) = context.get_stream(&stream).await {
        let is_missing = matches!(error.kind(), GetStreamErrorKind::JetStream(said)
            if said.error_code() == ErrorCode::STREAM_NOT_FOUND);
        if is_missing {
            return Err(OpenError::NoCluster { name: name.to_string() });
        }
        if Instant::now() >= deadline {
            return Err(OpenError::Brokers(format!("stream {stream}: {error}")));
        }
        sleep(PAUSE).await;
    }
    Ok(())
}

/// Makes the streams that are missing, and checks them all. Returns how many there are, and the
/// identity of the cluster.
async fn streams(
    options: &Options,
    context: &Context,
    syncing: Option<&BTreeSet<String>>,
    deadline: Instant,
) -> Result<(u16, String), OpenError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| OpenError::Brokers(error.to_string()))?;
    let wanted = config(&options.name, 0, options.streams, &hex(&bytes));
    let first = find_or_make(context, &wanted, deadline).await?;
    let (count, identity) = founded(&first)?;
    for number in 0..count {
        let wanted = config(&options.name, number, count, &identity);
        check_stream(context, &wanted, syncing, deadline).await?;
    }
    Ok((count, identity))
}

/// Makes a stream if there is none, and checks that it loses nothing.
async fn check_stream(
    context: &Context,
    wanted: &Config,
    syncing: Option<&BTreeSet<String>>,
    deadline: Instant,
) -> Result<(), OpenError> {
    let found = find_or_make(context, wanted, deadline).await?;
    if let Some(difference) = difference(wanted, &found.config) {
        return Err(OpenError::OtherStream { stream: wanted.name.clone(), difference });
    }
    if let Some(broker) = syncing.and_then(|syncing| unknown(&found, syncing)) {
        let error = "it has a replica and no monitoring address was named for it".to_owned();
        return Err(OpenError::UnknownSync { broker, error });
    }
    Ok(())
}

/// A broker with a replica of the stream that is not among these.
fn unknown(found: &Info, syncing: &BTreeSet<String>) -> Option<String> {
    let cluster = found.cluster.as_ref()?;
    let replicas = cluster.replicas.iter().map(|peer| &peer.name);
    let mut all = replicas.chain(&cluster.leader);
    all.find(|name| !syncing.contains(*name)).cloned()
}

/// Asks what this node's account may store. Brokers that have just been started need some time to
/// agree on who leads.
async fn account(context: &Context, deadline: Instant) -> Result<(), OpenError> {
    while let Err(error) = context.query_account().await {
        let is_off = matches!(error.kind(), AccountErrorKind::JetStream(said)
            if [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT]
                .contains(&said.error_code()));
        if is_off || Instant::now() >= deadline {
            return Err(OpenError::NoStorage(error.to_string()));
        }
        sleep(PAUSE).await;
    }
    Ok(())
}

/// The stream of this name, made if there is none.
async fn find_or_make(
    context: &Context,
    wanted: &Config,
    deadline: Instant,
) -> Result<Info, OpenError> {
    loop {
        let trouble = match context.get_stream(&wanted.name).await {
            Ok(stream) => return Ok(stream.cached_info().clone()),
            Err(error) => match error.kind() {
                GetStreamErrorKind::JetStream(said)
                    if said.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                {
                    match make(context, wanted).await? {
                        None => continue,
                        Some(trouble) => trouble,
                    }
                }
                _ => OpenError::Brokers(format!("stream {}: {error}", wanted.name)),
            },
        };
        if Instant::now() >= deadline {
            return Err(trouble);
        }
        sleep(PAUSE).await;
    }
}

/// Makes a stream. Returns nothing if there is one now, or what is wrong if it may work in a moment.
async fn make(context: &Context, wanted: &Config) -> Result<Option<OpenError>, OpenError> {
    let Err(error) = context.create_stream(wanted.clone()).await else { return Ok(None) };
    let told = |error: &dyn std::fmt::Display| {
        OpenError::Brokers(format!("stream {} cannot be made: {error}", wanted.name))
    };
    let CreateStreamErrorKind::JetStream(said) = error.kind() else {
        return Ok(Some(told(&error)));
    };
    match said.error_code() {
        // Another node was faster.
        ErrorCode::STREAM_NAME_EXIST => Ok(None),
        // Also while brokers that were just started look for each other.
        ErrorCode::CLUSTER_NO_PEERS | ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED => {
            Ok(Some(OpenError::TooFewBrokers(said.to_string())))
        }
        ErrorCode::STREAM_SUBJECT_OVERLAP => {
            let difference = "another stream has its subjects".to_owned();
            Err(OpenError::OtherStream { stream: wanted.name.clone(), difference })
        }
        _ => Ok(Some(told(&said))),
    }
}

/// A stream as it is made.
fn config(name: &ClusterName, number: u16, streams: u16, identity: &str) -> Config {
    Config {
        name: name.stream(number),
        description: Some("lines of Unspoken's tables".to_owned()),
        subjects: vec![name.subjects(number)],
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        num_replicas: REPLICAS,
        // Many messages of a table are read at once, from any replica, and checked by their hashes.
        allow_direct: true,
        metadata: HashMap::from([
            (FORMAT_FIELD.to_owned(), FORMAT.to_owned()),
            (IDENTITY_FIELD.to_owned(), identity.to_owned()),
            (STREAMS_FIELD.to_owned(), streams.to_string()),
        ]),
        ..Config::default()
    }
}

/// The stream of a cluster's bucket as it is made: the last message of each subject counts, and some
/// are to be removed after a time.
fn bucket_config(name: &ClusterName, identity: &str) -> Config {
    let config = config(name, 0, 0, identity);
    Config {
        name: name.bucket(),
        description: Some("people of Unspoken".to_owned()),
        subjects: vec![format!("{}>", name.bucket_prefix())],
        max_messages_per_subject: 1,
        allow_message_ttl: true,
        metadata: HashMap::from([
            (FORMAT_FIELD.to_owned(), FORMAT.to_owned()),
            (IDENTITY_FIELD.to_owned(), identity.to_owned()),
        ]),
        ..config
    }
}

/// How many streams a cluster was made with, and its identity, by its first stream.
fn founded(first: &Info) -> Result<(u16, String), OpenError> {
    let metadata = &first.config.metadata;
    let streams = metadata.get(STREAMS_FIELD).and_then(|number| number.parse().ok());
    let founded = streams.zip(metadata.get(IDENTITY_FIELD).cloned());
    founded.ok_or_else(|| OpenError::OtherStream {
        stream: first.config.name.clone(),
        difference: "its metadata do not name Unspoken".to_owned(),
    })
}

/// The first setting of a stream with which it could lose lines, or which belongs to another
/// cluster.
fn difference(wanted: &Config, found: &Config) -> Option<String> {
    let differs = |what: &str, is_different: bool| is_different.then(|| what.to_owned());
    let metadata = wanted
        .metadata
        .iter()
        .find(|(field, value)| found.metadata.get(*field).is_none_or(|other| other != *value));
    differs("subjects", wanted.subjects != found.subjects)
        .or_else(|| differs("num_replicas", found.num_replicas != wanted.num_replicas))
        .or_else(|| differs("storage", found.storage != wanted.storage))
        .or_else(|| differs("retention", found.retention != wanted.retention))
        .or_else(|| differs("discard", found.discard != wanted.discard))
        .or_else(|| differs("max_age", !found.max_age.is_zero()))
        .or_else(|| differs("max_msgs", found.max_messages > 0))
        .or_else(|| differs("max_bytes", found.max_bytes > 0))
        .or_else(|| {
            let most = |config: &Config| config.max_messages_per_subject.max(0);
            differs("max_msgs_per_subject", most(found) != most(wanted))
        })
        .or_else(|| differs("allow_msg_ttl", found.allow_message_ttl != wanted.allow_message_ttl))
        .or_else(|| differs("allow_rollup_hdrs", found.allow_rollup))
        .or_else(|| differs("allow_direct", !found.allow_direct))
        .or_else(|| differs("no_ack", found.no_ack))
        .or_else(|| differs("sources", found.sources.is_some() || found.mirror.is_some()))
        .or_else(|| differs("persist_mode", found.persist_mode == Some(PersistenceMode::Async)))
        .or_else(|| metadata.map(|(field, value)| format!("metadata {field} is not {value}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Config {
        config(&"unspoken".parse().unwrap(), 3, 16, "id")
    }

    /// Checks which setting is named when this one is changed.
    fn check(change: impl FnOnce(&mut Config), named: &str) {
        let mut other = usual();
        change(&mut other);
        let found = difference(&usual(), &other).unwrap_or_default();
        assert!(found.contains(named) && !found.is_empty(), "{found} instead of {named}");
    }

    #[test]
    fn a_stream_that_could_lose_lines_is_refused() {
        check(|config| config.num_replicas = 1, "num_replicas");
        check(|config| config.storage = StorageType::Memory, "storage");
        check(|config| config.max_age = Duration::from_secs(1), "max_age");
        check(|config| config.max_messages = 1, "max_msgs");
        check(|config| config.max_bytes = 1, "max_bytes");
        check(|config| config.max_messages_per_subject = 1, "max_msgs_per_subject");
        check(|config| config.allow_message_ttl = true, "allow_msg_ttl");
        check(|config| config.retention = RetentionPolicy::WorkQueue, "retention");
        check(|config| config.discard = DiscardPolicy::Old, "discard");
        check(|config| config.subjects = vec!["x".into()], "subjects");
        check(|config| config.allow_rollup = true, "allow_rollup_hdrs");
        check(|config| config.persist_mode = Some(PersistenceMode::Async), "persist_mode");
    }

    #[test]
    fn a_stream_of_another_cluster_is_refused() {
        check(|config| config.metadata.clear(), "metadata");
        let other = |config: &mut Config| {
            config.metadata.insert(IDENTITY_FIELD.to_owned(), "other".to_owned());
        };
        check(other, IDENTITY_FIELD);
    }

    #[test]
    fn what_the_brokers_fill_in_is_no_difference() {
        let mut found = usual();
        found.max_messages = -1;
        found.max_bytes = -1;
        found.max_messages_per_subject = -1;
        found.max_consumers = -1;
        found.duplicate_window = Duration::from_mins(2);
        found.metadata.insert("_nats.level".to_owned(), "0".to_owned());
        assert_eq!(difference(&usual(), &found), None);
    }

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        assert_eq!(without_secrets("nats://ada:secret@host:4222"), "host:4222");
        assert_eq!(without_secrets("nats://host:4222"), "nats://host:4222");
    }
}
