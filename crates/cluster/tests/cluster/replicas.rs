//! What the brokers say of the replicas of their streams.

use std::time::{Duration, Instant};

use async_nats::jetstream;
use serde_json::Value;

use crate::brokers::{Brokers, PATIENCE};

impl Brokers {
    /// Waits until every replica of these streams has everything.
    pub async fn wait_until_whole(&self, context: &jetstream::Context, streams: &[String]) {
        let begun = Instant::now();
        for stream in streams {
            while !is_whole(context, stream).await {
                assert!(begun.elapsed() < PATIENCE, "stream {stream} is not whole again");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }

    /// The number of the broker that leads a stream.
    pub async fn leader(&self, context: &jetstream::Context, stream: &str) -> usize {
        let begun = Instant::now();
        loop {
            if let Some(name) = info(context, stream).await.and_then(leader_in)
                && let Some(number) = self.number(&name)
            {
                return number;
            }
            assert!(begun.elapsed() < PATIENCE, "stream {stream} has no leader");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn info(context: &jetstream::Context, stream: &str) -> Option<Value> {
    context.request(format!("STREAM.INFO.{stream}"), &()).await.ok()
}

fn leader_in(info: Value) -> Option<String> {
    info["cluster"]["leader"].as_str().map(str::to_owned)
}

async fn is_whole(context: &jetstream::Context, stream: &str) -> bool {
    let Some(info) = info(context, stream).await else { return false };
    let replicas = info["cluster"]["replicas"].as_array().map_or(&[][..], Vec::as_slice);
    let is_current = |replica: &Value| {
        replica["current"].as_bool() == Some(true) && replica["offline"].as_bool() != Some(true)
    };
    replicas.len() == 2 && replicas.iter().all(is_current)
}
