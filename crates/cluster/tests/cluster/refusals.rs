//! What a node does not join, and what it says then.

use std::time::Duration;

use async_nats::jetstream;
use cluster::{Cluster, OpenError, Options, SyncCheck};

use crate::brokers::{Brokers, SYNCING, Setting};
use crate::{join, options};

const NAME: &str = "refusals";
const ACCOUNT: &str = "authorization { user: ada, password: secret }";

/// Joins, and returns what is said instead.
async fn refused(options: Options) -> OpenError {
    match Cluster::join(options).await {
        Ok(_) => panic!("it joined"),
        Err(error) => error,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_broker_is_refused() {
    let setting = Setting { count: 1, more: ACCOUNT, ..SYNCING };
    let brokers = Brokers::start(setting);
    let folder = tempfile::tempdir().unwrap();
    let with = |start: &str| {
        let mut options = options(&brokers, NAME, folder.path());
        let address = brokers.addresses()[0].replace("nats://", start);
        options.brokers = vec![address];
        options
    };
    assert!(matches!(refused(with("nats://")).await, OpenError::Credentials));
    assert!(matches!(refused(with("nats://ada:wrong@")).await, OpenError::Credentials));
    let single = refused(with("nats://ada:secret@")).await;
    assert!(matches!(single, OpenError::TooFewBrokers(_)), "{single}");

    let mut nowhere = options(&brokers, NAME, folder.path());
    nowhere.brokers = vec!["nats://ada:secret@127.0.0.1:9".to_owned()];
    let said = refused(nowhere).await.to_string();
    assert!(said.contains("no broker of 127.0.0.1:9 answers"), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn brokers_without_storage_are_refused() {
    let brokers = Brokers::start(Setting { jetstream: None, ..SYNCING });
    let folder = tempfile::tempdir().unwrap();
    let said = refused(options(&brokers, NAME, folder.path())).await;
    assert!(matches!(said, OpenError::NoStorage(_)), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn brokers_that_sync_later_are_refused() {
    let brokers = Brokers::start(Setting { jetstream: Some(""), ..SYNCING });
    let folder = tempfile::tempdir().unwrap();
    let said = refused(options(&brokers, NAME, folder.path())).await;
    assert!(matches!(said, OpenError::LazySync { .. }), "{said}");
    let mut unasked = options(&brokers, NAME, folder.path());
    unasked.sync = SyncCheck::Ask(vec!["http://127.0.0.1:9".to_owned()]);
    let said = refused(unasked).await;
    assert!(matches!(said, OpenError::UnknownSync { .. }), "{said}");
}

/// Streams with other settings, and another cluster with the same name.
pub async fn check(brokers: &Brokers) {
    let folder = tempfile::tempdir().unwrap();
    let options = || options(brokers, NAME, folder.path());
    let mut trusted = options();
    trusted.sync = SyncCheck::Trust;
    Cluster::join(trusted).await.unwrap().close().await;

    // A broker of which nothing is known may have a replica.
    let mut partly = options();
    partly.sync = SyncCheck::Ask(brokers.monitors()[..2].to_vec());
    let said = refused(partly).await;
    assert!(
        matches!(&said, OpenError::UnknownSync { broker, .. } if broker == "broker-2"),
        "{said}"
    );

    // The number of streams is that of the cluster, whatever a node asks for.
    let mut more = options();
    more.streams = crate::STREAMS + 1;
    Cluster::join(more).await.unwrap().close().await;

    let context = jetstream::new(async_nats::connect(brokers.addresses()).await.unwrap());
    let mut config =
        context.get_stream("refusals-lines-01").await.unwrap().cached_info().config.clone();
    config.max_age = Duration::from_hours(1);
    context.update_stream(config).await.unwrap();
    let said = refused(options()).await;
    assert!(
        matches!(&said, OpenError::OtherStream { stream, difference }
            if stream == "refusals-lines-01" && difference == "max_age"),
        "{said}"
    );

    // Another cluster with the same name: made anew, with other lines.
    let elsewhere = tempfile::tempdir().unwrap();
    for number in 0..crate::STREAMS {
        context.delete_stream(format!("refusals-lines-{number:02}")).await.unwrap();
    }
    // Not while the people of the one before are there.
    let said = refused(self::options(brokers, NAME, elsewhere.path())).await;
    assert!(
        matches!(&said, OpenError::OtherStream { stream, .. } if stream == "KV_refusals-people"),
        "{said}"
    );
    context.delete_stream("KV_refusals-people").await.unwrap();
    join(brokers, NAME, elsewhere.path()).await.close().await;
    let said = refused(options()).await;
    assert!(matches!(said, OpenError::OtherCluster { .. }), "{said}");
}
