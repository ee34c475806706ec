//! `unspoken play GAME`: one person in the terminal, bots in the other seats.
//!
//! Everything printed comes from the views and sights of the person's seat.

mod extreme;
mod mind;
mod ritual;
mod royale;
mod soulmates;
mod text;

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bots::{Bot, Random};
use clap::Args;
use rules::door::GameName;
use rules::kit::{Chance, Match, Moment, Seat, Seed, Step, View, Viewer};
use rules::with_name;
use text::GameText;

/// The names of all games, for help texts.
pub(crate) fn games() -> String {
    GameName::ALL.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What to play.
#[derive(Args)]
pub struct Options {
    #[arg(help = games(), default_value = "mind")]
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
    /// The seed: the same seed deals the same cards
    #[arg(long)]
    seed: Option<Seed>,
}

/// Plays one game in the terminal.
pub fn run(options: &Options) -> Result<()> {
    let (lines, out) = (read_lines(), &mut io::stdout());
    let played = with_name!(options.game, G => Table::<G>::open(options)?.play(&lines, out));
    played.or_else(|error| match error.kind() {
        // The reader of the output is gone, as with `unspoken play | head`.
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error).context("the terminal cannot be written to"),
    })
}

/// A table with one person at it. It owns the match and reads the only clock.
struct Table<G: GameText> {
    live: Match<G>,
    me: Seat,
    opened: Instant,
    /// The seed of the bots, separate from that of the deals.
    luck: Seed,
    plans: Vec<(Moment, Seat, G::Command)>,
}

impl<G: GameText> Table<G> {
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
        writeln!(out, "{title}. You are {me}; the others are bots that play at random.")?;
        writeln!(out, "Type a command and Enter, Enter alone to see the table, quit to leave.")?;
        self.show(&self.view(), out)?;
        self.plan();
        while self.live.outcome().is_none() {
            let next = self.plans.iter().copied().min_by_key(|(at, seat, _)| (*at, *seat));
            match wait(lines, next.map(|(at, ..)| self.now().until(at))) {
                TerminalInput::Typed(line) if line.trim() == "quit" => return Ok(()),
                TerminalInput::Typed(line) => self.obey(line.trim(), out)?,
                TerminalInput::End => return Ok(()),
                TerminalInput::Nothing => {
                    if let Some((_, seat, command)) = next {
                        self.act(seat, command, out)?;
                    }
                }
            }
        }
        if let Some(outcome) = self.live.outcome() {
            writeln!(out, "The game is over: {}", text::outcome(outcome, self.me))?;
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
            // The bot's plan is no longer permitted: it plans again.
            Err(_) => self.plan(),
        }
        Ok(())
    }

    /// Prints what the person noticed, and the whole table when a chapter begins.
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

    /// Asks every bot for a new plan after an event.
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

    /// The time now, never before the last event: the clock may be coarse.
    fn now(&self) -> Moment {
        Moment::START.after(self.opened.elapsed()).max(self.live.at())
    }
}

enum TerminalInput {
    Typed(String),
    Nothing,
    End,
}

/// Waits for a line, at most until the next plan of a bot is due.
fn wait(lines: &Receiver<String>, limit: Option<Duration>) -> TerminalInput {
    let line = match limit {
        Some(limit) => lines.recv_timeout(limit),
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match line {
        Ok(line) => TerminalInput::Typed(line),
        Err(RecvTimeoutError::Timeout) => TerminalInput::Nothing,
        Err(RecvTimeoutError::Disconnected) => TerminalInput::End,
    }
}

/// Reads the terminal in its own thread, so that bots need not wait for a line.
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
