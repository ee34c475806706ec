//! Unspoken: a table for games that are played without words.

mod examples;
mod play;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A table for games that are played without words.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Play in the terminal, with machine players in the other seats
    Play(play::Options),
    /// Run files of worked examples against the rules
    Examples(examples::Options),
}

fn main() -> ExitCode {
    let task = Arguments::parse().task.unwrap_or_else(|| Task::Play(play::Options::default()));
    let done = match task {
        Task::Play(options) => play::run(&options).map(|()| ExitCode::SUCCESS),
        Task::Examples(options) => examples::run(&options),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
