//! What a broker's monitoring address says about it.

use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::error::{OpenError, VERSION_LEAST};

/// The port of a broker's monitoring address, if none is named.
const PORT: u16 = 8222;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many bytes of an answer are read.
const ANSWER_BYTES_MOST: u64 = 1 << 20;

/// A broker as it describes itself.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Broker {
    #[serde(rename = "server_name")]
    pub(crate) name: String,
    version: String,
    #[serde(default)]
    cluster: BrokerCluster,
    jetstream: JetStream,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
struct BrokerCluster {
    #[serde(default)]
    name: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
struct JetStream {
    config: Option<JetStreamConfig>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
struct JetStreamConfig {
    #[serde(default)]
    sync_always: bool,
}

impl Broker {
    /// Asks at a monitoring address.
    pub(crate) async fn ask(address: &str) -> Result<Self, OpenError> {
        let failed = |error| OpenError::UnknownSync { broker: address.to_owned(), error };
        let answer = timeout(PATIENCE, get(address)).await;
        let answer = answer.map_err(|_| failed("it does not answer in time".to_owned()))?;
        serde_json::from_slice(&answer.map_err(failed)?)
            .map_err(|error| failed(format!("its answer is not that of a broker: {error}")))
    }

    /// Fails unless the broker can be trusted with lines and belongs to this cluster of brokers.
    pub(crate) fn check(&self, cluster: &str) -> Result<(), OpenError> {
        let broker = self.name.clone();
        check_version(&broker, &self.version)?;
        if self.cluster.name != cluster {
            let error =
                format!("the address leads to the cluster of brokers {}", self.cluster.name);
            return Err(OpenError::UnknownSync { broker, error });
        }
        match &self.jetstream.config {
            None => Err(OpenError::NoStorage(format!("broker {broker}"))),
            Some(JetStreamConfig { sync_always: false }) => Err(OpenError::LazySync { broker }),
            Some(JetStreamConfig { sync_always: true }) => Ok(()),
        }
    }
}

/// Fails for a broker that is too old.
pub(crate) fn check_version(broker: &str, version: &str) -> Result<(), OpenError> {
    let old = || OpenError::Old { broker: broker.to_owned(), found: version.to_owned() };
    let mut numbers = version.split('.').map_while(|part| part.parse::<u64>().ok());
    let found = (numbers.next().ok_or_else(old)?, numbers.next().ok_or_else(old)?);
    if found < VERSION_LEAST { Err(old()) } else { Ok(()) }
}

/// The monitoring address of a broker, if it has the usual port.
pub(crate) fn usual_address(host: &str) -> String {
    format!("http://{host}:{PORT}")
}

/// The body of the answer.
async fn get(address: &str) -> Result<Vec<u8>, String> {
    let authority = address.strip_prefix("http://").ok_or("write it as http://host:8222")?;
    let authority = authority.trim_end_matches('/');
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let place = if has_port { authority.to_owned() } else { format!("{authority}:{PORT}") };
    let told = |error: std::io::Error| error.to_string();
    let mut socket = TcpStream::connect(&place).await.map_err(told)?;
    // Before 1.1, so that the answer comes in one piece and the connection is closed behind it.
    let request = format!("GET /varz HTTP/1.0\r\nHost: {authority}\r\n\r\n");
    socket.write_all(request.as_bytes()).await.map_err(told)?;
    let mut answer = Vec::new();
    socket.take(ANSWER_BYTES_MOST).read_to_end(&mut answer).await.map_err(told)?;
    let head = answer.windows(4).position(|end| end == b"\r\n\r\n").ok_or("it answers no HTTP")?;
    let status = answer.split(|byte| *byte == b'\r').next().unwrap_or_default();
    if !status.ends_with(b" 200 OK") {
        return Err(format!("it answers {}", String::from_utf8_lossy(status)));
    }
    Ok(answer.split_off(head + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broker(version: &str, sync: &str) -> Broker {
        let text = format!(
            r#"{{"server_name":"a","version":"{version}","cluster":{{"name":"c","port":1}},
                 "jetstream":{{"config":{{"max_memory":1,"sync_interval":120000000000{sync}}}}}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn only_a_new_broker_that_syncs_and_is_of_the_cluster_passes() {
        let check = |broker: Broker| broker.check("c").map_err(|error| error.to_string());
        assert_eq!(check(broker("2.14.0", r#","sync_always":true"#)), Ok(()));
        assert_eq!(check(broker("3.0.0-RC.1", r#","sync_always":true"#)), Ok(()));
        let lazy = check(broker("2.15.1", "")).unwrap_err();
        assert!(lazy.contains("broker a does not sync every append"), "{lazy}");
        let old = check(broker("2.13.9", r#","sync_always":true"#)).unwrap_err();
        assert!(old.contains("version 2.13.9") && old.contains("needs 2.14"), "{old}");
        let other = broker("2.14.0", r#","sync_always":true"#).check("d").unwrap_err().to_string();
        assert!(other.contains("cluster of brokers c"), "{other}");
        let without =
            r#"{"server_name":"a","version":"2.15.1","cluster":{"name":"c"},"jetstream":{}}"#;
        let without = check(serde_json::from_str(without).unwrap()).unwrap_err();
        assert!(without.contains("JetStream turned off"), "{without}");
    }

    #[test]
    fn a_version_that_is_none_is_too_old() {
        for version in ["", "x", "2", "2.x", "1.99.0"] {
            assert!(check_version("a", version).is_err(), "{version}");
        }
    }
}
