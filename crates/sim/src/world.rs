//! One simulated world: a table, its journal, its people and the network between them.

use std::collections::VecDeque;
use std::time::Duration;

use rules::kit::{Chance, Moment, Seed};
use table::fair::Stamp;
use table::{Found, Founding, Input, Person, PersonId, Settings, Table};
use wire::Code;

use crate::agenda::Agenda;
use crate::check::Outstanding;
use crate::connection::{Conn, Down, Up};
use crate::faults::{Fault, Faults};
use crate::journal::Journal;
use crate::order::Presses;
use crate::people::{Human, Page};
use crate::reference::Reference;
use crate::scenario::Scenario;
use crate::tally::Tally;
use crate::tamper::Tamper;
use crate::violation::{Check, Checked, Violation, hold};

/// The longest time from the end of faults to the end of the run.
const CALM_MOST: Duration = Duration::from_mins(15);
/// The most events of a run: a run that reaches it does not end.
const EVENTS_MOST: u64 = 400_000;

/// What one run simulates.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Everything follows from it.
    pub seed: u64,
    /// The faults that can happen.
    pub faults: Faults,
    /// After how many events faults stop.
    pub steps: u64,
    /// Whether the last inputs are kept to be shown.
    pub trace: bool,
    /// A fault of the table that the checks have to find, in tests.
    pub tamper: Option<Tamper>,
}

/// An event of the simulated world.
#[derive(Debug)]
pub(crate) enum Event {
    /// The table asked to be woken; only the last time counts.
    Wake(u64),
    /// The journal answers.
    Written(u64),
    /// Something arrives at the server.
    Up(usize, Up),
    /// Something arrives at the page.
    Down(usize, Down),
    /// The server pings a connection.
    Ping(usize, u32),
    /// A ping may be late by now.
    Late(usize),
    /// The server notices that a connection is broken.
    Noticed(usize),
    /// A page connects.
    Connect(usize),
    /// A person presses what they planned.
    Press(usize, u32),
    /// A person looks around at the table.
    Tick(usize),
    /// Something goes wrong.
    Trouble,
    /// An answer to the table that was started with that number.
    Answer(u32, Box<Input>),
}

/// The server's side.
pub(crate) struct Server {
    pub(crate) code: Code,
    pub(crate) settings: Settings,
    pub(crate) table: Option<Table>,
    /// How often the table was started.
    pub(crate) starts: u32,
    pub(crate) journal: Journal,
    /// The fold of the lines that the journal has confirmed to the table.
    pub(crate) reference: Reference,
    /// When the game's clock stood where.
    pub(crate) clock: (Stamp, Moment),
    pub(crate) forgotten: Vec<PersonId>,
    pub(crate) wakes: Wakes,
    pub(crate) is_closing: bool,
    pub(crate) lookups: u32,
}

/// When the table wants to be woken, and how often it was.
#[derive(Default)]
pub(crate) struct Wakes {
    pub(crate) number: u64,
    pub(crate) at: Option<Stamp>,
    /// How often in a row it asked to be woken at once.
    pub(crate) at_once: u32,
    pub(crate) second: u64,
    pub(crate) in_second: u32,
    pub(crate) inputs_in_second: u32,
}

/// The lines of a table in the middle of a game, from which twins start.
pub(crate) struct Snapshot {
    pub(crate) after_moves: u64,
    pub(crate) lines: Option<Vec<Box<str>>>,
}

/// A simulated world.
pub(crate) struct World {
    pub(crate) run: Run,
    pub(crate) scenario: Scenario,
    pub(crate) chance: Chance,
    pub(crate) now: Stamp,
    pub(crate) agenda: Agenda<Event>,
    pub(crate) server: Server,
    pub(crate) humans: Vec<Human>,
    pub(crate) pages: Vec<Page>,
    pub(crate) conns: Vec<Conn>,
    pub(crate) outstanding: Outstanding,
    pub(crate) presses: Presses,
    pub(crate) calm_since: Option<Stamp>,
    pub(crate) snapshot: Snapshot,
    pub(crate) tally: Tally,
    pub(crate) trace: VecDeque<String>,
}

pub(crate) fn ms(millis: u32) -> Duration {
    Duration::from_millis(u64::from(millis))
}

impl World {
    pub(crate) fn new(run: Run) -> Checked<Self> {
        let mut chance = Chance::new(Seed::from(run.seed), 1);
        let scenario = Scenario::new(&mut chance, run.faults);
        let now = Stamp::from_millis(1_000);
        let code = Code::of(u64::from(chance.bits()));
        let humans = scenario.humans(&mut chance);
        let deal = scenario.deal.clone();
        let founding = Founding {
            setup: scenario.setup,
            public: chance.once_in(2),
            by: humans[0].person.id,
            deal,
        };
        let wrong = |text: String| Violation { check: Check::Contract, text };
        let founded = founding.found(code).map_err(|refused| wrong(refused.text.to_string()))?;
        let lines = founded.append.lines;
        let reference = Reference::new(&lines[0]).map_err(wrong)?;
        let settings = Settings {
            spectators_most: if chance.once_in(4) { humans.len() + 1 } else { 100 },
            idle_after: Duration::from_secs(u64::from(2 + chance.below(60))),
            ..Settings::default()
        };
        let mut world = Self {
            agenda: Agenda::new(),
            server: Server {
                code,
                settings,
                table: None,
                starts: 0,
                journal: Journal::new(lines),
                reference,
                clock: (now, Moment::START),
                forgotten: Vec::new(),
                wakes: Wakes::default(),
                is_closing: false,
                lookups: 0,
            },
            pages: Vec::new(),
            conns: Vec::new(),
            outstanding: Outstanding::default(),
            presses: Presses::default(),
            calm_since: None,
            snapshot: Snapshot { after_moves: u64::from(chance.below(40)), lines: None },
            tally: Tally { tables: 1, ..Tally::default() },
            trace: VecDeque::new(),
            run,
            scenario,
            chance,
            now,
            humans,
        };
        for human in 0..world.humans.len() {
            world.open_page(human);
        }
        world.agenda.add(now.after(ms(500)), Event::Trouble);
        Ok(world)
    }

    /// Simulates until the games are over, everything is answered and the table sleeps.
    pub(crate) fn simulate(&mut self) -> Checked {
        let start = self.now;
        let mut events = 0;
        while let Some((at, event)) = self.agenda.next() {
            events += 1;
            hold!(events < EVENTS_MOST, Liveness, "the run does not end");
            self.now = self.now.max(at);
            if self.calm_since.is_none() && self.is_enough(events) {
                self.calm_down();
            }
            self.happen(event)?;
            if self.is_over()? {
                self.finish()?;
                break;
            }
        }
        self.tally.simulated_ms = start.until(self.now).as_millis() as u64;
        self.tally.lines = self.server.reference.lines;
        Ok(())
    }

    fn is_enough(&self, events: u64) -> bool {
        events >= self.run.steps || self.tally.games >= u64::from(self.scenario.games)
    }

    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.calm_since.is_none() && self.run.faults.has(fault)
    }

    fn happen(&mut self, event: Event) -> Checked {
        match event {
            Event::Wake(number) => {
                if number == self.server.wakes.number && self.server.table.is_some() {
                    self.hand(Input::Woke)?;
                }
            }
            Event::Written(number) => self.written(number)?,
            Event::Up(conn, up) => self.arrive(conn, up)?,
            Event::Down(conn, down) => {
                if self.conns[conn].client_open {
                    self.receive(conn, down);
                }
            }
            Event::Ping(conn, number) => self.ping(conn, number),
            Event::Late(conn) => {
                if self.conns[conn].server_open {
                    self.measure(conn)?;
                    self.expect_late(conn);
                }
            }
            Event::Noticed(conn) => self.lose(conn)?,
            Event::Connect(page) => self.connect(page),
            Event::Press(page, plan) => self.press(page, plan),
            Event::Tick(page) => self.tick(page),
            Event::Trouble => self.trouble()?,
            Event::Answer(start, input) => {
                if start == self.server.starts && self.server.table.is_some() {
                    if matches!(*input, Input::Found(Found::BeforeStart(_) | Found::Ghost(_))) {
                        self.server.lookups -= 1;
                    }
                    self.hand(*input)?;
                }
            }
        }
        Ok(())
    }

    /// The moment of the game at a time of the server's clock.
    pub(crate) fn moment(&self, at: Stamp) -> Moment {
        let (base, moment) = self.server.clock;
        let before = at.until(base).as_micros() as u64;
        Moment::from_micros(moment.micros().saturating_sub(before)).after(base.until(at))
    }

    /// The time of the server's clock at a moment of the game.
    pub(crate) fn stamp(&self, moment: Moment) -> Stamp {
        let (base, origin) = self.server.clock;
        base.before(moment.until(origin)).after(origin.until(moment))
    }

    /// Faults stop: the network works, and all people connect with a visible page.
    fn calm_down(&mut self) {
        self.calm_since = Some(self.now);
        for conn in &mut self.conns {
            conn.network.recover(self.now);
        }
        for page in 0..self.pages.len() {
            self.come_back(page);
        }
    }

    /// Whether everything is over: a game has ended, and all messages are answered. No game is waited
    /// for where no person sits: a host who has removed all others can be deleted before it begins.
    fn is_over(&self) -> Checked<bool> {
        let Some(since) = self.calm_since else { return Ok(false) };
        let reference = &self.server.reference;
        let was_played = self.tally.games > 0 || !reference.has_people();
        let is_idle = !reference.is_playing() && was_played;
        let waiting = self.pages.iter().map(Page::unanswered).sum::<usize>();
        if is_idle && waiting == 0 && self.pages.iter().all(Page::is_settled) {
            return Ok(true);
        }
        let calm = since.until(self.now);
        hold!(
            calm < CALM_MOST,
            Liveness,
            "{} s after the last fault {waiting} messages wait and {}",
            calm.as_secs(),
            if is_idle { self.first_waiting() } else { "the game has not ended".to_owned() }
        );
        Ok(false)
    }

    /// Why the first unsettled page is not settled.
    fn first_waiting(&self) -> String {
        let page = self.pages.iter().position(|page| !page.is_settled() || page.unanswered() > 0);
        let Some(place) = page else { return "nothing".to_owned() };
        let page = &self.pages[place];
        let conn = page.conn.map(|conn| {
            let Conn { client_open, server_open, joined, .. } = &self.conns[conn];
            format!("page {client_open}, server {server_open}, joined {joined}")
        });
        format!("page {place} waits for {:?}, open: {conn:?}", page.first_unanswered())
    }

    /// The table has to sleep when all connections have left, or when it is closed.
    fn finish(&mut self) -> Checked {
        if self.server.table.is_none() {
            return Ok(());
        }
        if self.chance.once_in(2) {
            self.close_table()?;
        } else {
            for place in 0..self.conns.len() {
                self.lose(place)?;
            }
        }
        let deadline = self.now.after(self.server.settings.idle_after + ms(10_000));
        while self.server.table.is_some() {
            let next = self.agenda.next().filter(|(at, _)| *at <= deadline);
            let Some((at, event)) = next else {
                hold!(false, Liveness, "no connection is left and the table does not sleep");
                break;
            };
            self.now = self.now.max(at);
            if matches!(event, Event::Wake(_) | Event::Written(_) | Event::Answer(..)) {
                self.happen(event)?;
            }
        }
        Ok(())
    }
}

/// A person by number.
pub(crate) fn person(number: u8, name: &str) -> Person {
    let id = PersonId::from_hash([number + 1; 32]);
    Person { id, name: name.parse().expect("a name"), mark: None, lends_tempo: true }
}
