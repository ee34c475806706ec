//! `cargo xtask soak`: hours of games, people who come and go, and tables that sleep and wake, with
//! memory, files and latency over time as a picture.

mod figures;
mod picture;
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use self::figures::{Figures, Sample, Wait};
use self::server::{Seen, Server};
use crate::shell::{built, cargo, root, run as sh};

/// How often the server's process is looked at.
const LOOK: Duration = Duration::from_secs(10);

/// One round of load, again and again: the game, how it is set up, and how many players.
const GAMES: &[(&str, &str, &str)] = &[
    ("mind", "levels=2", "4"),
    ("extreme", "levels=1", "3"),
    ("royale", "", "3"),
    ("soulmates", "", "2"),
    ("mind", "", "2"),
];

/// How long it goes on, and how much is asked of the server.
#[derive(Args)]
pub struct Options {
    /// How many hours
    #[arg(long, default_value_t = 1.0)]
    hours: f64,
    /// Tables that play at once; as many people again come and go
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    tables: u32,
    /// Moves a second of all tables together
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=5_000))]
    rate: u32,
    /// Minutes after which the server is started again: drained and killed by turns
    #[arg(long, default_value_t = 20.0)]
    restart_minutes: f64,
    /// A server that was built before, in place of the release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Where the picture goes
    #[arg(long, default_value = "docs/images/soak.svg")]
    picture: PathBuf,
}

/// Runs until the time is over, then checks the file, writes the picture and prints a summary.
/// Fails if a table broke off without a restart, the file is damaged or memory keeps growing.
pub fn run(options: &Options) -> Result<()> {
    ensure!(options.hours > 0.0 && options.hours <= 168.0, "--hours: write 0.01 to 168");
    ensure!(options.restart_minutes >= 0.1, "--restart-minutes: write 0.1 or more");
    if options.program.is_none() {
        sh(&mut cargo(&["build", "--release", "--package", "unspoken"]))?;
    }
    let program = options.program.clone().unwrap_or_else(|| built("release", "unspoken"));
    // The server is started in another folder.
    let program = program.canonicalize().with_context(|| program.display().to_string())?;
    let folder = tempfile::tempdir()?;
    let soak = Soak {
        program: &program,
        folder: folder.path(),
        options,
        start: Instant::now(),
        server: Mutex::new(Server::start(&program, folder.path())?),
        figures: Mutex::new(Figures::default()),
        done: AtomicBool::new(false),
    };
    let watched = thread::scope(|scope| {
        let spectator = scope.spawn(|| soak.watch());
        let played = soak.play();
        soak.done.store(true, Ordering::Relaxed);
        let watched = spectator.join().map_err(|_| anyhow::anyhow!("the watching thread panicked"));
        played.and(watched?)
    });
    let checked = soak.lock_server().check();
    let figures = soak.lock_figures();
    let path = root().join(&options.picture);
    fs::write(&path, picture::draw(&figures)).context("the picture cannot be written")?;
    println!("{}", figures.summary());
    println!("the picture is in {}", options.picture.display());
    watched?;
    println!("{}", checked?);
    figures.judge()
}

/// A run.
struct Soak<'a> {
    program: &'a Path,
    folder: &'a Path,
    options: &'a Options,
    start: Instant,
    server: Mutex<Server>,
    figures: Mutex<Figures>,
    done: AtomicBool,
}

impl Soak<'_> {
    /// Rounds of load until the time is over.
    fn play(&self) -> Result<()> {
        let end = Duration::from_secs_f64(self.options.hours * 3_600.0);
        let life = Duration::from_secs_f64(self.options.restart_minutes * 60.0);
        let mut restarts = 0_u32;
        let mut next_restart = life;
        for round in 0.. {
            if self.start.elapsed() >= end {
                break;
            }
            self.games(round)?;
            self.visitors()?;
            self.wake()?;
            if round % 3 == 2 {
                self.sleep_as_a_laptop()?;
            }
            if round % 8 == 7 {
                self.lock_server().back_up()?;
                self.lock_figures().backups += 1;
            }
            if self.start.elapsed() >= next_restart && self.start.elapsed() < end {
                self.restart(restarts % 2 == 1)?;
                restarts += 1;
                next_restart = self.start.elapsed() + life;
            }
        }
        Ok(())
    }

    /// Tables of one game that play for half a minute; their people leave without a word.
    fn games(&self, round: usize) -> Result<()> {
        let (game, setup, players) = GAMES[round % GAMES.len()];
        let (tables, rate) = (self.options.tables.to_string(), self.options.rate.to_string());
        let words = ["--game", game, "--setup", setup, "--players", players, "--tables", &tables];
        let words = [&words[..], &["--rate", &rate, "--seconds", "30"]].concat();
        let load = self.lock_server().load(self.program, &words);
        let report = load.run()?;
        let mut figures = self.lock_figures();
        figures.moves += report["moves"].as_u64().unwrap_or(0);
        figures.games += report["games"].as_u64().unwrap_or(0);
        figures.tables += u64::from(self.options.tables);
        figures.people += report["connections"].as_u64().unwrap_or(0);
        figures.lost += report["lost"].as_u64().unwrap_or(0);
        let wait = |name: &str| report["latency"][name].as_f64().unwrap_or(f64::NAN);
        let minutes = self.minutes();
        figures.waits.push(Wait { minutes, p50_ms: wait("p50_ms"), p99_ms: wait("p99_ms") });
        Ok(())
    }

    /// People who come, sit idle for a moment and go.
    fn visitors(&self) -> Result<()> {
        let people = self.options.tables.to_string();
        let load = self.lock_server().load(self.program, &["--idle", &people, "--seconds", "2"]);
        let report = load.run()?;
        let mut figures = self.lock_figures();
        figures.people += u64::from(self.options.tables);
        figures.lost += report["lost"].as_u64().unwrap_or(0);
        Ok(())
    }

    /// Wakes some of the tables that sleep on disk, and lets them fall asleep again.
    fn wake(&self) -> Result<()> {
        let asleep = self.lock_server().asleep()?;
        if asleep.is_empty() {
            return Ok(());
        }
        let codes = asleep.join(",");
        let load = self.lock_server().load(self.program, &["--wake", &codes]);
        let report = load.run()?;
        let mut figures = self.lock_figures();
        figures.wakes += asleep.len() as u64;
        let most_ms = report["wake"]["most_ms"].as_f64().unwrap_or(f64::NAN);
        figures.wake_ms_most = figures.wake_ms_most.max(most_ms);
        Ok(())
    }

    /// Stops the whole process for some seconds, as a machine does that is put to sleep.
    fn sleep_as_a_laptop(&self) -> Result<()> {
        let server = self.lock_server();
        server.signal("-STOP")?;
        thread::sleep(Duration::from_secs(3));
        server.signal("-CONT")?;
        drop(server);
        self.lock_figures().freezes += 1;
        Ok(())
    }

    /// Drains or kills the server while tables play, and starts it again on its file.
    fn restart(&self, kill: bool) -> Result<()> {
        let tables = self.options.tables.to_string();
        let words = ["--tables", &tables, "--rate", "20", "--seconds", "30"];
        let load = self.lock_server().load(self.program, &words);
        thread::scope(|scope| {
            // Every table breaks off, because the server goes away under it.
            let lost = self.options.tables.into();
            let playing = scope.spawn(move || {
                load.run().map_or(true, |report| report["lost"].as_u64() == Some(lost))
            });
            thread::sleep(Duration::from_secs(8));
            let mut server = self.lock_server();
            let minutes = self.minutes();
            server.end(kill)?;
            self.lock_figures().restarts.push((minutes, if kill { "killed" } else { "drained" }));
            *server = Server::start(self.program, self.folder)?;
            drop(server);
            let broke_off = playing.join().map_err(|_| anyhow::anyhow!("a thread panicked"))?;
            ensure!(broke_off, "the tables went on without a server");
            Ok(())
        })
    }

    /// Takes a sample every few seconds.
    fn watch(&self) -> Result<()> {
        let mut next = Duration::ZERO;
        while !self.done.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(200));
            if self.start.elapsed() < next {
                continue;
            }
            next = self.start.elapsed() + LOOK;
            let server = self.lock_server();
            let seen = server.look()?;
            let sample = Sample { minutes: self.minutes(), life: server.life(), seen };
            drop(server);
            self.lock_figures().samples.push(sample);
        }
        Ok(())
    }

    fn minutes(&self) -> f64 {
        self.start.elapsed().as_secs_f64() / 60.0
    }

    fn lock_server(&self) -> std::sync::MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn lock_figures(&self) -> std::sync::MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
