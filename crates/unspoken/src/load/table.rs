//! Tables of people who play: one task for each table, with the connections of all its people.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rules::kit::Seat;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout_at;
use wire::{ClientMessage, Code, Command, Request};

use super::Options;
use super::choice::choose;
use super::person::{Heard, News, Person};
use super::process::Process;
use super::report::{Memory, PlayReport, Times};

/// How many tables are set up at the same time.
const AT_ONCE: usize = 64;
/// How long after the end an answer is still waited for.
const GRACE: Duration = Duration::from_secs(1);
/// How long a table waits after a refusal.
const CALM: Duration = Duration::from_millis(20);
/// A press that lies ahead of the server's clock counts as it arrives.
const AS_IT_ARRIVES: f64 = 1e15;

/// Plays and measures.
pub async fn measure(
    options: &Options,
    seconds: Duration,
    process: Option<Process>,
) -> Result<PlayReport> {
    let before = process.map(Process::resident_bytes).transpose()?;
    let (begin, begun) = watch::channel(None);
    let doors = Arc::new(Semaphore::new(AT_ONCE));
    let (mut opening, mut playing) = (JoinSet::new(), JoinSet::new());
    for number in 0..options.tables {
        let (doors, wish) = (doors.clone(), Wish::of(options, number));
        opening.spawn(async move {
            let _one_of_a_few = doors.acquire().await?;
            Table::open(wish).await
        });
    }
    while let Some(table) = opening.join_next().await {
        let (table, mut begun) = (table??, begun.clone());
        playing.spawn(async move {
            let begun = begun.wait_for(Option::is_some).await.ok().and_then(|begun| *begun);
            table.play(begun.unwrap_or_else(Instant::now), seconds).await
        });
    }
    // A moment of rest, so that what belongs to the opening is not measured.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let cpu = process.map(Process::cpu).transpose()?;
    let started = Instant::now();
    begin.send(Some(started)).context("nobody plays")?;
    let mut all = Tally::default();
    while let Some(tally) = playing.join_next().await {
        all.add(tally?);
    }
    let elapsed = started.elapsed().as_secs_f64();
    let moves = all.waits.len() as u64;
    let cpu_us_per_move = match (process, cpu) {
        (Some(process), Some(cpu)) => {
            let used = process.cpu()?.saturating_sub(cpu).as_secs_f64();
            Some(used * 1e6 / f64::from(u32::try_from(moves.max(1))?))
        }
        _ => None,
    };
    let connections = options.tables * u32::from(options.players);
    let memory = Memory::since(process, before, connections)?;
    let late = all.late.len() as u64;
    let lost = all.lost.len() as u32;
    let waits = all.waits.into_iter().chain(all.late).collect();
    Ok(PlayReport {
        tables: options.tables,
        connections,
        rate: options.rate,
        seconds: elapsed,
        moves,
        moves_per_s: f64::from(u32::try_from(moves)?) / elapsed,
        games: all.games,
        latency: Times::of(waits),
        late,
        refusals: all.refusals,
        lost,
        lost_why: all.lost.into_iter().next(),
        cpu_us_per_move,
        memory,
    })
}

/// What one table is to do.
struct Wish {
    target: super::Target,
    game: rules::door::GameName,
    players: u8,
    number: u32,
    /// From one move to the next, and when the first is; `None` for flat out.
    pace: Option<(Duration, Duration)>,
}

impl Wish {
    fn of(options: &Options, number: u32) -> Self {
        let pace = options.rate.map(|rate| {
            let between = Duration::from_secs_f64(f64::from(options.tables) / f64::from(rate));
            (between, between * number / options.tables)
        });
        Self { target: options.url, game: options.game, players: options.players, number, pace }
    }
}

/// What came of a table.
#[derive(Default)]
struct Tally {
    waits: Vec<Duration>,
    late: Vec<Duration>,
    games: u64,
    refusals: BTreeMap<String, u64>,
    lost: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.waits.extend(other.waits);
        self.late.extend(other.late);
        self.games += other.games;
        self.lost.extend(other.lost);
        for (code, count) in other.refusals {
            *self.refusals.entry(code).or_default() += count;
        }
    }
}

/// A table where everyone sits and a game is on.
struct Table {
    code: Code,
    people: Vec<Person>,
    /// The last update of each. While a game is on every move brings everyone exactly one.
    news: Vec<News>,
    ids: u32,
    turn: usize,
    pace: Option<(Duration, Duration)>,
    tally: Tally,
}

impl Table {
    async fn open(wish: Wish) -> Result<Self> {
        let mut http = wish.target.http().await?;
        let (mut people, mut cookies) = (Vec::new(), Vec::new());
        for place in 0..u32::from(wish.players) {
            let number = wish.number * u32::from(wish.players) + place;
            let cookie = http.name(&format!("load {number}")).await?;
            people.push(Person::connect(wish.target, number, &cookie).await?);
            cookies.push(cookie);
        }
        let code = http.open(&cookies[0], wish.game, wish.players).await?;
        for joined in 0..people.len() {
            people[joined].send(&ClientMessage::Join { table: code }).await?;
            for person in &mut people[..=joined] {
                person.update().await?;
            }
        }
        let (turn, pace) = (wish.number as usize, wish.pace);
        let tally = Tally::default();
        let mut table = Self { code, people, news: Vec::new(), ids: 0, turn, pace, tally };
        for place in 0..table.people.len() {
            let seat = Seat::new(place).context("there are that many seats")?;
            table.ask(place, Request::Sit(seat)).await?;
        }
        table.ask(0, Request::Start).await?;
        Ok(table)
    }

    /// Plays until the end, one move after the other, each as soon as it is due.
    async fn play(mut self, begin: Instant, seconds: Duration) -> Tally {
        let end = begin + seconds;
        let mut due = begin + self.pace.map_or(Duration::ZERO, |(_, first)| first);
        loop {
            if self.pace.is_none() {
                due = Instant::now();
            }
            if due >= end || Instant::now() >= end {
                break;
            }
            tokio::time::sleep_until(due.into()).await;
            match timeout_at((end + GRACE).into(), self.advance()).await {
                Err(_) => break,
                Ok(Ok(true)) => self.tally.waits.push(due.elapsed()),
                Ok(Ok(false)) => tokio::time::sleep(CALM).await,
                Ok(Err(error)) => {
                    self.tally.lost.push(format!("{error:#}"));
                    break;
                }
            }
            due += self.pace.map_or(Duration::ZERO, |(between, _)| between);
        }
        while let Some((between, _)) = self.pace.filter(|_| due < end) {
            self.tally.late.push(due.elapsed());
            due += between;
        }
        self.tally
    }

    /// One move, after a rematch if need be. Done when the last player has the update; false if it
    /// was refused.
    async fn advance(&mut self) -> Result<bool> {
        let (place, command) = match choose(&self.news, self.turn)? {
            Some(choice) => choice,
            None => {
                self.tally.games += 1;
                self.ask(0, Request::Rematch).await?;
                choose(&self.news, self.turn)?.context("a game that was begun is over")?
            }
        };
        self.turn += 1;
        self.act(place, command).await
    }

    async fn act(&mut self, place: usize, command: Command) -> Result<bool> {
        self.ids += 1;
        let (table, id, seq) = (self.code, self.ids, self.news[place].seq()?);
        let message = ClientMessage::Do { table, id, seq, pressed: AS_IT_ARRIVES, command };
        self.say(place, &message).await
    }

    async fn ask(&mut self, place: usize, request: Request) -> Result<()> {
        self.ids += 1;
        let message = ClientMessage::Ask { table: self.code, id: self.ids, request };
        ensure!(self.say(place, &message).await?, "the server refuses {request:?}");
        Ok(())
    }

    /// Says something, and waits until it is refused or everyone has the update.
    async fn say(&mut self, place: usize, message: &ClientMessage) -> Result<bool> {
        self.people[place].send(message).await?;
        let answer = match self.people[place].hear().await? {
            Heard::Update(news) => news,
            Heard::Refused(code) => {
                if code == "stale" {
                    self.news[place] = self.people[place].update().await?;
                }
                *self.tally.refusals.entry(code).or_default() += 1;
                return Ok(false);
            }
        };
        ensure!(answer.ack() == Some(self.ids), "the server answers something else");
        let mut answer = Some(answer);
        self.news.clear();
        // They are all on their way: waiting for one after the other takes as long as for the last.
        for (other, person) in self.people.iter_mut().enumerate() {
            let news = if other == place { answer.take() } else { None };
            self.news.push(match news {
                Some(news) => news,
                None => person.update().await?,
            });
        }
        Ok(true)
    }
}
