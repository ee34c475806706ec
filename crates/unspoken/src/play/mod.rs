//! `unspoken play GAME`: one person in the terminal, machine players in the other seats.
//!
//! Everything printed comes from the views and sights of the person's seat.

mod told;
mod told_extreme;
mod told_mind;
mod told_royale;
mod told_soulmates;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bots::{Bot, Random};
use clap::Args;
use rules::door::GameName;
use rules::kit::{Chance, Match, Moment, Seat, Seed, Step, View, Viewer};
use rules::{extreme, mind, royale, soulmates};
use told::Told;

/// What to play.
#[derive(Args)]
pub struct Options {
    /// mind, extreme, soulmates or royale
    #[arg(default_value = "mind")]
    game: GameName,
    /// How many play, you included; the smallest table if not given
    #[arg(long)]
    players: Option<u8>,
    /// The rest of the set-up in the game's notation, such as "lives=5 preset=friendly"
    #[arg(long, default_value = "")]
    setup: String,
    /// Where you sit
    #[arg(long, default_value = "A")]
    seat: Seat,
    /// The luck of the table: the same seed deals the same cards
    #[arg(long)]
    seed: Option<Seed>,
}

impl Default for Options {
    fn default() -> Self {
        let (setup, seat) = (String::new(), Seat::A);
        Self { game: GameName::Mind, players: None, setup, seat, seed: None }
    }
}

/// Plays one game.
pub fn run(options: &Options) -> Result<ExitCode> {
    Ok(match options.game {
        GameName::Mind => Table::<mind::Mind>::open(options)?.play(),
        GameName::Extreme => Table::<extreme::Extreme>::open(options)?.play(),
        GameName::Soulmates => Table::<soulmates::Soulmates>::open(options)?.play(),
        GameName::Royale => Table::<royale::Royale>::open(options)?.play(),
    })
}

/// A table with one person at it. It owns the match and reads the only clock.
struct Table<G: Told> {
    live: Match<G>,
    me: Seat,
    opened: Instant,
    /// The luck of the machine players, apart from that of the deals.
    luck: Seed,
    plans: Vec<(Moment, Seat, G::Command)>,
}

impl<G: Told> Table<G> {
    fn open(options: &Options) -> Result<Self> {
        let players = options.players.unwrap_or(2);
        let setup = format!("players={players} {}", options.setup);
        let setup = setup.parse::<G::Setup>().map_err(|e| anyhow::anyhow!("the set-up: {e}"))?;
        let seed = options.seed.map_or_else(fresh_seed, Ok)?;
        let live = Match::<G>::open(&setup, seed).commit();
        let (me, players) = (options.seat, live.state().players());
        ensure!(me.index() < usize::from(players), "there is no seat {me} at a table of {players}");
        let mut luck = *seed.bytes();
        luck.reverse();
        let luck = Seed::new(luck);
        Ok(Self { live, me, opened: Instant::now(), luck, plans: Vec::new() })
    }

    fn play(mut self) -> ExitCode {
        println!(
            "{}. You are {}; the others are machines that know the rules and no more.",
            G::TITLE,
            self.me
        );
        println!("Type a command and Enter, Enter alone to see the table, quit to leave.");
        let lines = read_lines();
        self.show();
        self.plan();
        while self.live.outcome().is_none() {
            let next = self.plans.iter().copied().min_by_key(|(at, seat, _)| (*at, *seat));
            match wait(&lines, next.map(|(at, ..)| self.now().until(at))) {
                Line::Typed(line) if line.trim() == "quit" => return ExitCode::SUCCESS,
                Line::Typed(line) => self.obey(line.trim()),
                Line::End => return ExitCode::SUCCESS,
                Line::Nothing => {
                    if let Some((_, seat, command)) = next {
                        self.act(seat, command);
                    }
                }
            }
        }
        if let Some(outcome) = self.live.outcome() {
            println!("The game is over: {}", told::outcome(outcome, self.me));
        }
        ExitCode::SUCCESS
    }

    fn obey(&mut self, line: &str) {
        match line {
            "" => self.show(),
            line => match line.parse::<G::Command>() {
                Ok(command) => self.act(self.me, command),
                Err(wrong) => println!("  ! {wrong}"),
            },
        }
    }

    fn act(&mut self, seat: Seat, command: G::Command) {
        match self.live.submit(self.now(), seat, command) {
            Ok(step) => {
                self.tell(&step);
                self.live = step.commit();
                self.plan();
            }
            Err(refusal) if seat == self.me => println!("  ! {refusal}"),
            // What a machine had in mind is no longer possible: it thinks again.
            Err(_) => self.plan(),
        }
    }

    /// Says what the person noticed, and shows the table when it has changed much.
    fn tell(&self, step: &Step<G>) {
        for sight in step.sights(Viewer::Seat(self.me)) {
            if let Some(text) = G::news(&sight, self.me) {
                println!("  {text}");
            }
        }
        let before = self.live.view(Viewer::Seat(self.me));
        let after = step.next().view(Viewer::Seat(self.me));
        if G::chapter(&before) != G::chapter(&after) {
            show::<G>(&after, self.me);
        }
    }

    fn show(&self) {
        show::<G>(&self.live.view(Viewer::Seat(self.me)), self.me);
    }

    /// Asks every machine player again: something has happened.
    fn plan(&mut self) {
        let (live, now) = (&self.live, self.now());
        let others = Seat::all(live.state().players()).filter(|seat| *seat != self.me);
        let plans = others.filter_map(|seat| {
            let stream = live.seq() * Seat::MOST as u64 + seat.index() as u64;
            let mut chance = Chance::new(self.luck, stream);
            let view = live.view(Viewer::Seat(seat));
            let (at, command) = Bot::<G>::plan(&mut Random, &view, now, &mut chance)?;
            Some((at, seat, command))
        });
        self.plans = plans.collect();
    }

    /// Never before the last event, even if the clock is coarser than the computer.
    fn now(&self) -> Moment {
        Moment::START.after(self.opened.elapsed()).max(self.live.at())
    }
}

fn show<G: Told>(view: &G::View, me: Seat) {
    println!();
    for line in G::table(view, me) {
        println!("{line}");
    }
    let options = view.options();
    let mut shown = options.iter().take(12).map(ToString::to_string).collect::<Vec<_>>();
    if options.len() > shown.len() {
        shown.push(format!("… ({} in all)", options.len()));
    }
    let shown = if shown.is_empty() { "wait for the others".to_owned() } else { shown.join(", ") };
    println!("You may: {shown}");
    let _ = io::stdout().flush();
}

enum Line {
    Typed(String),
    Nothing,
    End,
}

/// Waits for a line, at most until the next plan of a machine.
fn wait(lines: &Receiver<String>, limit: Option<Duration>) -> Line {
    let line = match limit {
        Some(limit) => lines.recv_timeout(limit),
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match line {
        Ok(line) => Line::Typed(line),
        Err(RecvTimeoutError::Timeout) => Line::Nothing,
        Err(RecvTimeoutError::Disconnected) => Line::End,
    }
}

/// Reads the terminal beside the game, so that the machines need not wait for a line.
fn read_lines() -> Receiver<String> {
    let (sender, receiver) = mpsc::sync_channel(16);
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

fn fresh_seed() -> Result<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("the system gives no randomness, name a --seed")?;
    Ok(Seed::new(bytes))
}
