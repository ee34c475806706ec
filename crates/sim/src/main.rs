//! `cargo xtask sim`: simulates tables until something is wrong or the time is over.

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use sim::{
    Faults, Fence, Run, STEPS, Takeovers, Tally, repeat, shrink, simulate, simulate_takeovers,
};

/// Simulates whole tables of all games with faults, and checks what they do at every step.
///
/// Each table follows from one number: the first from --seed, the next from the number after it.
/// Every step of every game is checked; pairs of worlds that differ in hidden cards are compared at
/// one table in eight.
#[derive(Parser)]
#[command(name = "sim", bin_name = "cargo xtask sim")]
struct Options {
    /// The number that the first table follows from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after this number of minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// Stop after this number of games; 1000 if no time is given
    #[arg(long)]
    games: Option<u64>,
    /// What goes wrong: all, none, or a list such as latency,crash
    #[arg(long, default_value_t = Faults::ALL)]
    faults: Faults,
    /// After how many events of a table faults stop
    #[arg(long, default_value_t = STEPS)]
    steps: u64,
    /// How many tables are simulated at a time
    #[arg(long, default_value = "2")]
    threads: NonZeroUsize,
    /// Go on after a failure and list all of them
    #[arg(long)]
    list: bool,
    /// Simulate nodes of a cluster instead, until tables were taken over this often
    #[arg(long)]
    takeovers: Option<u64>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(most) = options.takeovers {
        return take_over(&options, most);
    }
    let start = Instant::now();
    let games_most =
        options.games.unwrap_or(if options.minutes.is_some() { u64::MAX } else { 1_000 });
    let time_most = options.minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    let (next, games) = (AtomicU64::new(options.seed), AtomicU64::new(0));
    let is_over = AtomicBool::new(false);
    let work = || {
        let mut tally = Tally::default();
        while !is_over.load(Ordering::Relaxed)
            && games.load(Ordering::Relaxed) < games_most
            && time_most.is_none_or(|most| start.elapsed() < most)
        {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let (faults, steps) = (options.faults, options.steps);
            let run = Run { seed, faults, steps, trace: false, tamper: None };
            match simulate(run) {
                Ok(one) => {
                    games.fetch_add(one.games, Ordering::Relaxed);
                    tally += one;
                }
                Err(failure) if options.list => {
                    let text = failure.violation.to_string();
                    println!("seed {seed}: {}", text.chars().take(300).collect::<String>());
                    games.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => {
                    is_over.store(true, Ordering::Relaxed);
                    return (tally, Some(run));
                }
            }
        }
        (tally, None)
    };
    let mut tally = Tally::default();
    let mut failed = Vec::new();
    std::thread::scope(|scope| {
        let threads = (0..options.threads.get()).map(|_| scope.spawn(work)).collect::<Vec<_>>();
        for thread in threads {
            let (one, run) = thread.join().expect("a simulation does not panic");
            tally += one;
            failed.extend(run);
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("{tally}");
    println!("{:.0} games a second on {} threads", tally.games as f64 / seconds, options.threads);
    failed.sort_by_key(|run| run.seed);
    let Some(run) = failed.first() else { return ExitCode::SUCCESS };
    report(*run);
    ExitCode::FAILURE
}

/// Simulates clusters of nodes until tables were taken over often enough.
fn take_over(options: &Options, most: u64) -> ExitCode {
    let start = Instant::now();
    let (next, done) = (AtomicU64::new(options.seed), AtomicU64::new(0));
    let is_over = AtomicBool::new(false);
    let work = || {
        let mut all = Takeovers::default();
        while !is_over.load(Ordering::Relaxed) && done.load(Ordering::Relaxed) < most {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            match simulate_takeovers(seed, Fence::Kept) {
                Ok(one) => {
                    done.fetch_add(one.takeovers, Ordering::Relaxed);
                    all += one;
                }
                Err(wrong) => {
                    is_over.store(true, Ordering::Relaxed);
                    println!(
                        "Wrong: {wrong}\nOnce more:  cargo xtask sim --takeovers 1 --seed {seed}"
                    );
                    return (all, false);
                }
            }
        }
        (all, true)
    };
    let mut all = Takeovers::default();
    let mut held = true;
    std::thread::scope(|scope| {
        let threads = (0..options.threads.get()).map(|_| scope.spawn(work)).collect::<Vec<_>>();
        for thread in threads {
            let (one, is_well) = thread.join().expect("a simulation does not panic");
            all += one;
            held &= is_well;
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("{all}");
    println!(
        "{:.0} take-overs a second on {} threads",
        all.takeovers as f64 / seconds,
        options.threads
    );
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says what is wrong, what led there, and how to see it again.
fn report(run: Run) {
    let Err(failure) = simulate(Run { trace: true, ..run }) else {
        println!("\nthe table of seed {} failed once and not again", run.seed);
        return;
    };
    println!("\nThe last inputs:");
    for line in &failure.trace {
        println!("  {}", line.chars().take(240).collect::<String>());
    }
    println!("\nWrong: {}", failure.violation);
    println!("\nOnce more:  {}", repeat(run));
    let (small, violation) = shrink(run, &failure.violation);
    println!("Smaller:    {}", repeat(small));
    println!("  which ends with: {violation}");
}
