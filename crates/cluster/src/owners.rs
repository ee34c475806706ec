//! Which node owns a table: the hints in the bucket, and taking over. What decides is in
//! `takeover.rs`.

use journal::{AppendError, Fault, Journal, Key};
use serde_json::{from_slice, to_vec};
use tracing::{debug, warn};

use crate::Cluster;
use crate::bucket::{Change, Held};
use crate::members::NodeId;
use crate::nodes::Nodes;
use crate::stream::{Sent, Silent};
use crate::takeover::{Hint, Takeover, TakeoverEnd, TakeoverNews, TakeoverStep};
use crate::wait::Wait;

fn key_of(table: &Key) -> String {
    format!("owner.{table}")
}

fn read(value: &[u8]) -> Result<Hint, Fault> {
    from_slice(value).map_err(|error| Fault::Damaged(format!("the hint of a table: {error}")))
}

fn written(hint: &Hint) -> Result<Vec<u8>, Fault> {
    to_vec(hint).map_err(|error| Fault::Disk(error.to_string()))
}

impl Cluster {
    /// Takes a table over for this node, unless another one that is there owns it. `line` writes
    /// the line that says so, for an epoch. The table may be read when it is this node's.
    pub async fn take_over(
        &self,
        nodes: &Nodes,
        table: &Key,
        line: impl Fn(u64) -> Result<Box<str>, Fault>,
    ) -> Result<TakeoverEnd, Fault> {
        let key = key_of(table);
        let mut wait = Wait::new(self.patience());
        let mut takeover = Takeover::new(nodes.me());
        let mut step = takeover.begin();
        loop {
            debug!(%table, ?step, "a table is taken over");
            if wait.is_over() {
                return Ok(TakeoverEnd::Contested);
            }
            let news = match step {
                TakeoverStep::Done(end) => return Ok(end),
                TakeoverStep::Count => TakeoverNews::Lines(self.lines(table).await?),
                TakeoverStep::Look => self.hint(&key).await?,
                TakeoverStep::LookAgain => {
                    wait.pause().await;
                    self.hint(&key).await?
                }
                TakeoverStep::Claim { hint, follows } => {
                    let value = written(&hint)?.into();
                    match self.bucket().send(&key, value, Some(follows), None).await {
                        Sent::Stored(_) => TakeoverNews::Claimed,
                        Sent::Refused => TakeoverNews::Outrun,
                        Sent::Nothing => TakeoverNews::Nothing,
                    }
                }
                TakeoverStep::Append { epoch, after } => {
                    let lines = vec![line(epoch)?];
                    match self.append(table, after, lines, None).await {
                        Ok(()) => TakeoverNews::Appended,
                        Err(AppendError::Conflict { found }) => TakeoverNews::Conflict { found },
                        Err(AppendError::Fault(Fault::Unanswered)) => TakeoverNews::Nothing,
                        Err(AppendError::Fault(fault)) => return Err(fault),
                    }
                }
            };
            step = takeover.hear(news, |node| nodes.standing(node));
        }
    }

    /// Says that this node owns a table that it has just opened. It is a hint: without it the first
    /// node to which people come takes the table over.
    pub async fn own_new(&self, nodes: &Nodes, table: &Key) {
        let hint = Hint { node: nodes.me(), epoch: 1, offered: false };
        let stored = async {
            let value = written(&hint)?;
            self.bucket().change(&key_of(table), |_| Ok(Change::Set(value.clone(), ()))).await
        };
        if let Err(fault) = stored.await {
            warn!(%table, %fault, "the other nodes do not learn who owns a table");
        }
    }

    /// Lets go of a table that this node owned in an epoch, and hands it to another node if one is
    /// named. Does nothing if another owner has claimed it.
    pub async fn release(&self, nodes: &Nodes, table: &Key, epoch: u64, to: Option<NodeId>) {
        let mine = Hint { node: nodes.me(), epoch, offered: false };
        let offered = to.map(|node| written(&Hint { node, epoch, offered: true }));
        let released = async {
            let offered = offered.transpose()?;
            let decide = |value: Option<&[u8]>| {
                let is_mine = value.is_some_and(|value| read(value).is_ok_and(|it| it == mine));
                Ok(match &offered {
                    _ if !is_mine => Change::Keep(()),
                    Some(offered) => Change::Set(offered.clone(), ()),
                    None => Change::Remove(()),
                })
            };
            self.bucket().change(&key_of(table), decide).await
        };
        if let Err(fault) = released.await {
            debug!(%table, %fault, "the hint of a table stays until it is taken over");
        }
    }

    async fn hint(&self, key: &str) -> Result<TakeoverNews, Fault> {
        match self.bucket().look(key).await {
            Ok(Held { value, revision }) => {
                let hint = value.map(|value| read(&value)).transpose()?;
                Ok(TakeoverNews::Hint(hint, revision))
            }
            Err(Silent(error)) => {
                debug!(error, "the hint of a table is not known");
                Ok(TakeoverNews::Nothing)
            }
        }
    }
}
