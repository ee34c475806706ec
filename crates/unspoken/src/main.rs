//! Unspoken: a table for games that are played without words.

// They panic when the reader of a pipe has gone: use `outln!`.
#![deny(clippy::print_stdout)]

mod crossplay;
mod examples;
mod fairness;
mod fit;
mod healthcheck;
mod journal;
mod load;
mod manual;
mod notify;
mod numbers;
mod operate;
mod out;
mod play;
mod replay;
mod serve;
mod simulate;
mod solve;
mod sync;
mod verify;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// A table for games that are played without words.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Serve tables over HTTP and WebSocket (the default command)
    Serve(Box<serve::Options>),
    /// Ask a server on this machine whether it is ready; the exit code is 0 if it is
    Healthcheck(healthcheck::Options),
    /// Check the server, its disk and its public address, and say what to change; the exit code is
    /// 1 if something is wrong
    Doctor(operate::Doctor),
    /// List the tables: what is played, who is there, when they last changed
    Tables(operate::Tables),
    /// Send everyone away from a table and put it to sleep; it wakes when a person joins it again
    Close(operate::Close),
    /// List the people: when they were last seen, their games and tables
    People(operate::People),
    /// Delete a person for good: their name is in no byte of the file afterwards
    Forget(operate::Forget),
    /// Keep an address or a person out: their connections are closed and new ones refused
    Block(operate::Block),
    /// Let an address or a person in again
    Unblock(operate::Unblock),
    /// List what is blocked
    Blocks(operate::Blocks),
    /// Show a sentence on all pages that are connected
    Announce(operate::Announce),
    /// Remove old tables; without --really it is only said which
    Prune(operate::Prune),
    /// Run studies with people: check a file, rehearse it, add it, export its data
    Study(operate::Studies),
    /// List what operators did with these tools
    Audit(operate::Audit),
    /// Copy the data file or a cluster into a new file and check the copy; a server may be using it
    /// meanwhile
    Backup(operate::BackUp),
    /// Put a backup in the place of the data file; no server may be using it
    Restore(operate::Restore),
    /// Check the data file or a cluster and make every game in it again; the exit code is 1 if
    /// something is wrong
    Check(operate::Check),
    /// Play in the terminal, with bots in the other seats
    Play(play::Options),
    /// Export and import tables as JSON lines, or copy everything into a cluster and out of it
    Journal(journal::Options),
    /// Print the games of a table that was exported, and check every move by the rules
    Replay(replay::Options),
    /// Check that the deals of games were decided before the games began; the exit code is 1 if
    /// that cannot be shown
    Verify(verify::Options),
    /// Put load on a server on this machine and measure it
    Load(load::Options),
    /// Simulate bad networks: the order of presses against the order of arrival
    Fairness(fairness::Options),
    /// Find the best row in Royale Mastermind, or solve whole packs
    Solve(solve::Options),
    /// Play many games with bots and simulated people, and measure them
    Simulate(Box<simulate::Options>),
    /// Play every bot with every other and with simulated people, as a matrix
    Crossplay(Box<crossplay::Options>),
    /// Fit a population of simulated people to logs of rounds, and play bots with it on the same
    /// deals
    Fit(fit::Options),
    /// Study whether the sync score orders simulated teams by how far apart their clocks are
    Sync(sync::Options),
    /// Run files of worked examples against the rules
    Examples(examples::Options),
    /// Print the completions of a shell: source <(unspoken completions bash)
    Completions(manual::Completions),
    /// Write the man pages of all commands into a folder
    Manual(manual::Manual),
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        if out::is_closed(&error) {
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode> {
    let mut arguments = std::env::args().collect::<Vec<_>>();
    if arguments.len() < 2 {
        arguments.push("serve".to_owned());
    }
    let mut command = Arguments::command();
    if arguments[1] == "serve" {
        command = serve::with_file(command, &arguments)?;
    }
    let matches = command.get_matches_from(arguments);
    match Arguments::from_arg_matches(&matches).map_err(|error| error.exit())?.task {
        Task::Serve(options) => serve::run(*options).map(|()| ExitCode::SUCCESS),
        Task::Healthcheck(options) => Ok(healthcheck::run(&options)),
        Task::Doctor(options) => operate::doctor(&options),
        Task::Tables(options) => operate::tables(&options).map(|()| ExitCode::SUCCESS),
        Task::Close(options) => operate::close(&options).map(|()| ExitCode::SUCCESS),
        Task::People(options) => operate::people(&options).map(|()| ExitCode::SUCCESS),
        Task::Forget(options) => operate::forget(&options).map(|()| ExitCode::SUCCESS),
        Task::Block(options) => operate::block(&options).map(|()| ExitCode::SUCCESS),
        Task::Unblock(options) => operate::unblock(&options).map(|()| ExitCode::SUCCESS),
        Task::Blocks(options) => operate::blocks(&options).map(|()| ExitCode::SUCCESS),
        Task::Announce(options) => operate::announce(&options).map(|()| ExitCode::SUCCESS),
        Task::Prune(options) => operate::prune(&options).map(|()| ExitCode::SUCCESS),
        Task::Study(options) => operate::studies(&options),
        Task::Audit(options) => operate::audit(&options).map(|()| ExitCode::SUCCESS),
        Task::Backup(options) => operate::back_up(&options).map(|()| ExitCode::SUCCESS),
        Task::Restore(options) => operate::restore(&options).map(|()| ExitCode::SUCCESS),
        Task::Check(options) => operate::check(&options),
        Task::Play(options) => play::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Journal(options) => journal::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Replay(options) => replay::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Verify(options) => verify::run(&options),
        Task::Load(options) => load::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Fairness(options) => fairness::run(&options),
        Task::Solve(options) => solve::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Simulate(options) => simulate::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Sync(options) => sync::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Crossplay(options) => crossplay::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Fit(options) => fit::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Examples(options) => examples::run(&options),
        Task::Completions(options) => {
            manual::print_completions(&options, Arguments::command());
            Ok(ExitCode::SUCCESS)
        }
        Task::Manual(options) => {
            manual::write_manual(&options, Arguments::command()).map(|()| ExitCode::SUCCESS)
        }
    }
}
