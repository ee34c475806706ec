//! `unspoken journal copy`: everything that a server stores, from its file into a cluster and out of
//! it again.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use server::{ClusterAccess, Copied, Progress, Step, copy_into_cluster, copy_out_of_cluster};

use super::runtime;
use crate::out::outln;

/// Which way to copy.
#[derive(Subcommand)]
pub enum Copy {
    /// Copy a data file that no server uses into a cluster that no node serves
    IntoCluster {
        /// The data file; it stays as it is
        file: PathBuf,
        #[command(flatten)]
        common: Common,
        /// How many streams the cluster gets if it is new, 1 to 64
        #[arg(long = "cluster-streams", env = "UNSPOKEN_CLUSTER_STREAMS", default_value_t = 16)]
        streams: u16,
    },
    /// Copy a cluster that no node serves into a new data file
    OutOfCluster {
        /// The data file to make; no file is overwritten
        file: PathBuf,
        #[command(flatten)]
        common: Common,
    },
}

/// Which cluster, and how the answer is written.
#[derive(Args)]
pub struct Common {
    #[command(flatten)]
    access: ClusterAccess,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Common {
    /// The cluster.
    fn access(&self) -> Result<&ClusterAccess> {
        if self.access.brokers.is_empty() {
            bail!("name the brokers, as in --cluster nats://a:4222,b:4222,c:4222");
        }
        Ok(&self.access)
    }
}

/// Copies everything, with a bar on a terminal.
pub fn run(copy: &Copy) -> Result<()> {
    let (runtime, mut bar) = (runtime()?, Bar::default());
    match copy {
        Copy::IntoCluster { file, common, streams } => {
            let access = common.access()?;
            let see = &mut |progress| bar.show(progress);
            let copying = copy_into_cluster(file, access, *streams, see);
            let copied = runtime.block_on(copying)?;
            bar.end();
            if common.json {
                let mut value = serde_json::to_value(&copied)?;
                value["cluster"] = json!(access.name.as_str());
                value["file"] = json!(file);
                outln!("{value}");
            } else {
                say(&copied);
                outln!(
                    "the cluster {} has everything that {} has; nodes can serve it now. Keep the \
                     file until you have seen that",
                    access.name,
                    file.display()
                );
            }
        }
        Copy::OutOfCluster { file, common } => {
            let access = common.access()?;
            let see = &mut |progress| bar.show(progress);
            let (copied, bytes) = runtime.block_on(copy_out_of_cluster(file, access, see))?;
            bar.end();
            if common.json {
                let mut value = serde_json::to_value(&copied)?;
                value["cluster"] = json!(access.name.as_str());
                value["file"] = json!(file);
                value["bytes"] = json!(bytes);
                outln!("{value}");
            } else {
                say(&copied);
                let (file, name) = (file.display(), &access.name);
                outln!("{file} has everything that the cluster {name} has, {bytes} bytes");
            }
        }
    }
    Ok(())
}

/// Says what a copy has.
pub fn say(copied: &Copied) {
    let Copied { tables, people, administration, digest } = copied;
    outln!(
        "{} tables and logs, {} of them listed, {} lines ({} of them now)",
        tables.tables,
        tables.notes,
        tables.lines,
        tables.copied_now
    );
    outln!(
        "{} people, {} deleted, {} devices, {} recovery phrases, {} invitations",
        people.people,
        people.deleted,
        people.devices,
        people.phrases,
        people.invitations
    );
    outln!(
        "{} blocks, {} addresses barred from tables, {} lines of the audit log",
        administration.blocks,
        administration.bars,
        administration.audit
    );
    outln!("all of it was read back from the copy and is the same, digest {}", &digest[..16]);
}

/// A bar on a terminal for each step of a copy.
#[derive(Default)]
pub struct Bar(Option<(Step, ProgressBar)>);

impl Bar {
    /// Shows how far the copy is.
    pub fn show(&mut self, progress: Progress) {
        let Progress { step, done, all } = progress;
        if self.0.as_ref().is_none_or(|(shown, _)| *shown != step) {
            self.end();
            let bar = ProgressBar::new(all);
            let style = "{msg:26} {bar:30} {pos}/{len} {elapsed_precise}, {eta_precise} left";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar.set_message(match step {
                Step::Tables => "tables",
                Step::People => "people",
                Step::CheckingTables => "tables, read back",
                Step::CheckingPeople => "people, read back",
            });
            self.0 = Some((step, bar));
        }
        if let Some((_, bar)) = &self.0 {
            bar.set_length(all);
            bar.set_position(done);
        }
    }

    /// Leaves the last step as it is.
    pub fn end(&mut self) {
        if let Some((_, bar)) = self.0.take() {
            bar.abandon();
        }
    }
}
