//! `unspoken play GAME`: one person in the terminal, machine players in the other seats.
//!
//! Everything printed comes from the views and sights of the person's seat.

mod told;
mod told_extreme;
mod told_mind;
mod told_royale;
mod told_soulmates;

use std::io::{self, BufRead, ErrorKind, Write};
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

/// Plays one game in the terminal.
pub fn run(options: &Options) -> Result<()> {
    let (lines, out) = (read_lines(), &mut io::stdout());
    match options.game {
        GameName::Mind => Table::<mind::Mind>::open(options)?.play(&lines, out),
        GameName::Extreme => Table::<extreme::Extreme>::open(options)?.play(&lines, out),
        GameName::Soulmates => Table::<soulmates::Soulmates>::open(options)?.play(&lines, out),
        GameName::Royale => Table::<royale::Royale>::open(options)?.play(&lines, out),
    }
    .or_else(|error| match error.kind() {
        // Whoever was reading has gone, as with `unspoken play | head`.
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error).context("the terminal cannot be written to"),
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

    fn play(mut self, lines: &Receiver<String>, out: &mut impl Write) -> io::Result<()> {
        let (title, me) = (G::TITLE, self.me);
        writeln!(
            out,
            "{title}. You are {me}; the others are machines that know the rules and no more."
        )?;
        writeln!(out, "Type a command and Enter, Enter alone to see the table, quit to leave.")?;
        self.show(&self.view(), out)?;
        self.plan();
        while self.live.outcome().is_none() {
            let next = self.plans.iter().copied().min_by_key(|(at, seat, _)| (*at, *seat));
            match wait(lines, next.map(|(at, ..)| self.now().until(at))) {
                Line::Typed(line) if line.trim() == "quit" => return Ok(()),
                Line::Typed(line) => self.obey(line.trim(), out)?,
                Line::End => return Ok(()),
                Line::Nothing => {
                    if let Some((_, seat, command)) = next {
                        self.act(seat, command, out)?;
                    }
                }
            }
        }
        if let Some(outcome) = self.live.outcome() {
            writeln!(out, "The game is over: {}", told::outcome(outcome, self.me))?;
        }
        Ok(())
    }

    fn obey(&mut self, line: &str, out: &mut impl Write) -> io::Result<()> {
        match line {
            "" => self.show(&self.view(), out),
            line => match line.parse::<G::Command>() {
                Ok(command) => self.act(self.me, command, out),
                Err(wrong) => writeln!(out, "  ! {wrong}"),
            },
        }
    }

    fn act(&mut self, seat: Seat, command: G::Command, out: &mut impl Write) -> io::Result<()> {
        match self.live.submit(self.now(), seat, command) {
            Ok(step) => {
                self.tell(&step, out)?;
                self.live = step.commit();
                self.plan();
            }
            Err(refusal) if seat == self.me => writeln!(out, "  ! {refusal}")?,
            // What a machine had in mind is no longer possible: it thinks again.
            Err(_) => self.plan(),
        }
        Ok(())
    }

    /// Says what the person noticed, and shows the table when it has changed much.
    fn tell(&self, step: &Step<G>, out: &mut impl Write) -> io::Result<()> {
        for sight in step.sights(Viewer::Seat(self.me)) {
            writeln!(out, "  {}", G::news(&sight, self.me))?;
        }
        let after = step.next().view(Viewer::Seat(self.me));
        if G::chapter(&self.view()) == G::chapter(&after) { Ok(()) } else { self.show(&after, out) }
    }

    fn show(&self, view: &G::View, out: &mut impl Write) -> io::Result<()> {
        writeln!(out)?;
        for line in G::table(view, self.me) {
            writeln!(out, "{line}")?;
        }
        let options = view.options().iter().map(ToString::to_string).collect::<Vec<_>>();
        match options.len() {
            0 => writeln!(out, "You may: wait for the others"),
            1..=12 => writeln!(out, "You may: {}", options.join(", ")),
            all => writeln!(out, "You may: {}, … ({all} in all)", options[..4].join(", ")),
        }?;
        out.flush()
    }

    fn view(&self) -> G::View {
        self.live.view(Viewer::Seat(self.me))
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
