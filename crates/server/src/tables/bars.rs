//! Addresses from which newcomers are refused after a removal, stored for as long as that holds.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use journal::{Bar, Fault, Key, Operations};
use table::fair::Stamp;
use table::{BARRED_FOR, Origin};
use tokio::time::sleep;
use tracing::warn;

use super::Shared;
use crate::address::Subnet;
use crate::blocks::Subject;
use crate::calendar::now_s;

/// Stores that newcomers from these addresses are refused at a table. The requests are queued by
/// the call: in a file, lines that are appended afterwards become durable with them or later.
pub(super) fn store(shared: &Shared, key: &Key, addresses: HashSet<Subnet>) {
    let now_s = now_s();
    let until_s = now_s.saturating_add(BARRED_FOR.as_secs());
    for address in addresses {
        let subject = Subject::Address(address).to_string().into();
        let stored = shared.operations.bar(key, Bar { subject, until_s }, now_s);
        report(key.clone(), stored);
    }
    tokio::spawn(expire_later(shared.operations.clone()));
}

/// Ends all bars of a table, in the same way.
pub(super) fn end(shared: &Shared, key: &Key) {
    report(key.clone(), shared.operations.unbar(key));
}

/// The bars that still hold at a table that wakes, and until when.
pub(super) async fn read(shared: &Shared, key: &Key) -> Result<Vec<(Origin, Stamp)>, Fault> {
    let (now, now_s) = (shared.stamp(), now_s());
    let mut bars = Vec::new();
    for Bar { subject, until_s } in shared.operations.bars(key).await? {
        match subject.parse() {
            Ok(Subject::Address(address)) if until_s > now_s => {
                // Not longer than from now on, should the calendar have been set back.
                let left = Duration::from_secs(until_s - now_s).min(BARRED_FOR);
                bars.push((shared.origin_of(address), now.after(left)));
            }
            Ok(Subject::Address(_)) => {}
            Ok(Subject::Person(_)) | Err(_) => warn!(table = %key, "a bar cannot be read"),
        }
    }
    Ok(bars)
}

/// Deletes the bars that hold no longer, so that no address is stored without need.
pub(crate) async fn expire(operations: &dyn Operations) {
    if let Err(fault) = operations.expire_bars(now_s()).await {
        warn!(%fault, "addresses that are barred no longer could not be deleted");
    }
}

async fn expire_later(operations: Arc<dyn Operations>) {
    sleep(BARRED_FOR + Duration::from_secs(1)).await;
    expire(&*operations).await;
}

fn report(key: Key, stored: journal::BoxFuture<Result<(), Fault>>) {
    tokio::spawn(async move {
        if let Err(fault) = stored.await {
            warn!(table = %key, %fault, "a removed person's address is barred until a restart only");
        }
    });
}
