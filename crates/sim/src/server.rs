//! The server: it drives the table as the real one does, crashes and reads it again.

use std::time::Duration;

use rules::kit::{Moment, Seed};
use rules::royale::{Row, Triple, Zone};
use table::fair::Stamp;
use table::{
    ConnId, Effect, Effects, Entry, Found, Ghost, Input, Lookup, Refused, StartCheck, Table,
    TableState,
};

use wire::{Code, Refusal};

use crate::check::Before;
use crate::connection::Down;
use crate::faults::Fault;
use crate::reference::Change;
use crate::violation::{Check, Checked, Violation, hold};
use crate::world::{Event, World};

/// How many of the last inputs are shown when something is wrong.
const TRACE_MOST: usize = 60;

impl World {
    /// Hands an input to the table and does what it answers.
    pub(crate) fn hand(&mut self, input: Input) -> Checked {
        if self.run.trace {
            self.note(format!("{:>12} {input:?}", self.now.micros()));
        }
        let is_wake = matches!(input, Input::Woke);
        let before = self.before();
        let Some(table) = &mut self.server.table else { return Ok(()) };
        let mut effects = table.handle(self.now, input);
        if let Some(tamper) = self.run.tamper {
            let left = self.conns.iter().position(|conn| conn.left);
            tamper.apply(&mut effects, self.now, left.map(|conn| ConnId(conn as u64)));
        }
        self.tally.inputs += 1;
        self.count_wakes(is_wake)?;
        if self.run.trace {
            self.note_effects(&effects);
        }
        self.after(before, effects)
    }

    /// Keeps a line to be shown if something is wrong.
    pub(crate) fn note(&mut self, line: String) {
        if self.trace.len() == TRACE_MOST {
            self.trace.pop_front();
        }
        self.trace.push_back(line);
    }

    pub(crate) fn note_effects(&mut self, effects: &Effects) {
        for effect in &effects.list {
            let text = match effect {
                Effect::Append(append) => format!("append {} lines", append.lines.len()),
                Effect::Send { to, text } => {
                    let text = String::from_utf8_lossy(text);
                    format!("send {}: {}", to.0, text.chars().take(150).collect::<String>())
                }
                other => format!("{other:?}"),
            };
            self.note(format!("             → {text}"));
        }
    }

    pub(crate) fn count_wakes(&mut self, is_wake: bool) -> Checked {
        let wakes = &mut self.server.wakes;
        let second = self.now.micros() / 1_000_000;
        if second != wakes.second {
            (wakes.second, wakes.in_second, wakes.inputs_in_second) = (second, 0, 0);
        }
        if is_wake {
            wakes.in_second += 1;
            let most = 40 + 4 * wakes.inputs_in_second;
            hold!(wakes.in_second <= most, Liveness, "the table wakes itself without end");
        } else {
            wakes.inputs_in_second += 1;
        }
        Ok(())
    }

    /// Does what the table answered.
    pub(crate) fn after(&mut self, before: Before, effects: Effects) -> Checked {
        let most = 40 + 24 * (self.conns.len() + 2) * (before.backlog + 2);
        let count = effects.list.len();
        hold!(count <= most, Bounds, "{count} effects of one input, {most} are plenty");
        let mut sleeps = false;
        for effect in effects.list {
            hold!(!sleeps, Contract, "the table goes on after it fell asleep: {effect:?}");
            sleeps |= matches!(effect, Effect::Sleep);
            self.carry_out(effect)?;
        }
        if sleeps {
            let writes = self.server.journal.writing.is_some();
            hold!(!writes, Contract, "the table fell asleep while the journal writes");
            self.fall_asleep();
            return Ok(());
        }
        let wakes = &mut self.server.wakes;
        wakes.number += 1;
        wakes.at = effects.wake_at;
        match effects.wake_at {
            Some(at) if at <= self.now => wakes.at_once += 1,
            _ => wakes.at_once = 0,
        }
        hold!(wakes.at_once <= 1, Contract, "the table asks again and again to be woken at once");
        if let Some(at) = effects.wake_at {
            self.agenda.add(at.max(self.now), Event::Wake(wakes.number));
        }
        self.check_rest(before, effects.wake_at)
    }

    pub(crate) fn carry_out(&mut self, effect: Effect) -> Checked {
        match effect {
            Effect::Append(append) => self.append(append)?,
            Effect::Send { to, text } => {
                self.tally.texts += 1;
                let conn = to.0 as usize;
                hold!(conn < self.conns.len(), Contract, "a text goes to an unknown connection");
                hold!(!self.conns[conn].left, Contract, "a text goes to a connection that left");
                hold!(text.len() <= 24_000, Bounds, "a text has {} bytes", text.len());
                let down = self.check_text(conn, &text)?;
                self.deliver(conn, down);
            }
            Effect::Admit(conn) => self.answered(conn)?,
            Effect::SendAway(conn) => {
                let conn = conn.0 as usize;
                self.conns[conn].joined = false;
                self.conns[conn].left = true;
                self.conns[conn].server_open = false;
                self.outstanding.left(conn);
            }
            Effect::TurnAway { conn, .. } => {
                let conn = conn.0 as usize;
                hold!(self.conns[conn].unanswered > 0, Contract, "a join was answered twice");
                self.conns[conn].unanswered -= 1;
                // The server lets it go; the page tries again later.
                self.conns[conn].joined = false;
                self.conns[conn].left = true;
                self.conns[conn].server_open = false;
                self.outstanding.left(conn);
                self.turned_away(conn);
            }
            Effect::Ping { conn, often } => {
                let place = conn.0 as usize;
                self.conns[place].measured.often = often;
                self.conns[place].measured.pings += 1;
                let number = self.conns[place].measured.pings;
                self.agenda.add(self.now, Event::Ping(place, number));
            }
            Effect::LookUp(lookup) => self.look_up(lookup),
            Effect::Advise { seat, question } => {
                let zone = question.zone.unwrap_or(Zone::Colours);
                let triples = Triple::all().collect::<Vec<_>>();
                let triple = self.chance.pick(&triples).copied();
                let row = triple.map(|triple| Row::new(zone, triple));
                self.presses.advised(seat, row);
                self.answer_later(200, Input::Advised { seat, question, row });
            }
            Effect::Think { plan, thinking } => {
                let act = thinking.finish();
                self.answer_later(400, Input::Planned { plan, act });
            }
            Effect::GameOver => self.tally.games += 1,
            Effect::Close { conn, .. } => self.deliver(conn.0 as usize, Down::Bye),
            Effect::Sleep
            | Effect::List(_)
            | Effect::Bar(_)
            | Effect::Unbar
            | Effect::Watched { .. }
            | Effect::DealSeen { .. }
            | Effect::Noted(_) => {}
        }
        Ok(())
    }

    pub(crate) fn answered(&mut self, conn: ConnId) -> Checked {
        let conn = &mut self.conns[conn.0 as usize];
        hold!(conn.unanswered > 0, Contract, "a join was answered twice");
        conn.unanswered -= 1;
        conn.sent.admitted()?;
        Ok(())
    }

    pub(crate) fn answer_later(&mut self, within_ms: u32, input: Input) {
        let wait = Duration::from_micros(u64::from(self.chance.below(within_ms * 1_000)));
        let start = self.server.starts;
        self.agenda.add(self.now.after(wait), Event::Answer(start, Box::new(input)));
    }

    pub(crate) fn look_up(&mut self, lookup: Lookup) {
        let fails = self.has(Fault::Refuse) && self.chance.once_in(4);
        let found = match lookup {
            Lookup::DealSeenBy { .. } if fails => Found::DealSeenBy(Err("not now".to_owned())),
            Lookup::DealSeenBy { .. } => Found::DealSeenBy(Ok(vec![self.humans[0].person.id])),
            Lookup::BeforeStart { .. } => {
                self.server.lookups += 1;
                let check = StartCheck::default();
                Found::BeforeStart(if fails { Err("not now".to_owned()) } else { Ok(check) })
            }
            Lookup::NewCode { .. } => {
                self.server.lookups += 1;
                let code = Code::of(u64::from(self.chance.below(1 << 20)));
                let refused = || Refused::new(Refusal::NotKept, "not now");
                Found::NewCode(if fails { Err(refused()) } else { Ok(code) })
            }
            Lookup::Ghost { asker, .. } => {
                self.server.lookups += 1;
                let lender = self.humans.iter().find(|human| human.person.id != asker);
                let pace = tempo::Pace { pace_us: 60_000, power_milli: 900, spread_milli: 200 };
                let ghost = lender.map(|lender| Ghost::new(lender.person.clone(), pace));
                let refused = || Refused::new(Refusal::NoTempo, "they have played too little");
                Found::Ghost(ghost.filter(|_| !fails).ok_or_else(refused))
            }
        };
        self.answer_later(300, Input::Found(found));
    }

    pub(crate) fn lookups(&self) -> u32 {
        self.server.lookups
    }

    /// Folds a line that is durable; `since` is when the table had it written.
    pub(crate) fn fold(&mut self, line: &str, since: Option<Stamp>) -> Checked {
        let seating = self.server.reference.seating.clone();
        let folded = self.server.reference.fold(line);
        let folded = folded.map_err(|text| Violation { check: Check::Durable, text })?;
        match folded {
            Change::Nothing | Change::Ended => {}
            Change::Began => {
                self.server.clock = (self.now, Moment::START);
                self.presses.begin();
            }
            Change::Moved { cause, at, before, fresh } => {
                if let Some(since) = since {
                    self.tally.moves += 1;
                    self.check_fresh(&cause, fresh)?;
                    self.check_move(&cause, at, before, since)?;
                }
            }
        }
        if since.is_some() {
            self.check_host(&seating)?;
        }
        Ok(())
    }

    /// Keeps the lines if it is time for that and only people play.
    pub(crate) fn take_snapshot(&mut self) {
        let reference = &self.server.reference;
        let people = reference.seating.chairs.iter();
        let only_people = people
            .into_iter()
            .all(|chair| matches!(chair, table::Occupant::Person { held: false, .. }));
        if self.snapshot.lines.is_none()
            && reference.is_playing()
            && self.tally.moves >= self.snapshot.after_moves
            && only_people
            && self.server.forgotten.is_empty()
        {
            let lines = &self.server.journal.lines[..reference.lines as usize];
            self.snapshot.lines = Some(lines.to_vec());
        }
    }

    /// Reads the table from its durable lines.
    pub(crate) fn wake(&mut self) -> Checked {
        let known = self.server.reference.lines as usize;
        let lines = self.server.journal.lines.clone();
        for line in &lines[known..] {
            self.fold(line, None)?;
        }
        let lines = lines.into_iter().map(|line| self.without_names(line)).collect::<Vec<_>>();
        let checked = self.chance.once_in(8);
        let state =
            if checked { TableState::read_checked(&lines) } else { TableState::read(&lines) };
        let wrong = |text: String| Violation { check: Check::Durable, text };
        let state = state.map_err(|line| wrong(line.to_string()))?;
        let state = state.ok_or_else(|| wrong("no lines are left".to_owned()))?;
        let seed = Seed::from(u64::from(self.chance.bits()) << 32 | u64::from(self.chance.bits()));
        let server = &mut self.server;
        server.clock = (self.now, server.reference.clock_at);
        server.table =
            Some(Table::new(server.code, state, server.settings.clone(), seed, self.now));
        server.starts += 1;
        server.is_closing = false;
        server.lookups = 0;
        server.wakes.at_once = 0;
        self.presses.begin();
        self.hand(Input::Woke)?;
        for person in self.server.forgotten.clone() {
            self.hand(Input::Forgotten(person))?;
        }
        Ok(())
    }

    /// The line without the names of deleted people, as the server reads lines.
    pub(crate) fn without_names(&self, line: Box<str>) -> Box<str> {
        if self.server.forgotten.is_empty() {
            return line;
        }
        let Ok(mut entry) = Entry::read(&line) else { return line };
        let forgotten = |person| self.server.forgotten.contains(&person);
        let found = entry.forget(forgotten);
        let written = found.then(|| entry.line().ok()).flatten();
        written.unwrap_or(line)
    }

    /// The table has left the memory: its connections are closed.
    pub(crate) fn fall_asleep(&mut self) {
        self.server.table = None;
        self.server.wakes.number += 1;
        self.drop_connections();
    }

    /// The server stops at once.
    pub(crate) fn crash(&mut self) {
        if let Some(writing) = self.server.journal.writing.take()
            && writing.append.expected == self.server.journal.lines.len() as u64
            && self.chance.once_in(2)
        {
            self.server.journal.lines.extend(writing.append.lines);
        }
        self.server.table = None;
        self.server.wakes.number += 1;
        self.tally.restarts += 1;
        self.drop_connections();
    }

    pub(crate) fn drop_connections(&mut self) {
        self.outstanding.clear();
        for place in 0..self.conns.len() {
            let conn = &mut self.conns[place];
            if conn.server_open {
                (conn.server_open, conn.joined, conn.left) = (false, false, true);
                (conn.was_here, conn.has_joined) = (false, false);
                conn.unanswered = 0;
                if conn.client_open {
                    self.deliver_at_last(place);
                }
            }
        }
    }

    /// The page learns that its connection is gone.
    pub(crate) fn deliver_at_last(&mut self, conn: usize) {
        let at = self.conns[conn].network.down(self.now, &mut self.chance);
        self.agenda.add(at, Event::Down(conn, Down::Bye));
    }

    /// Has the table close in good order.
    pub(crate) fn close_table(&mut self) -> Checked {
        if self.server.table.is_some() && !self.server.is_closing {
            self.server.is_closing = true;
            self.hand(Input::Closing)?;
        }
        Ok(())
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.server.is_closing
    }

    /// A person is deleted.
    pub(crate) fn delete(&mut self, human: usize) -> Checked {
        let person = self.humans[human].person.id;
        self.humans[human].is_deleted = true;
        self.server.forgotten.push(person);
        let own = |world: &Self, place: usize| world.pages[world.conns[place].page].human == human;
        let places = (0..self.conns.len()).filter(|place| own(self, *place)).collect::<Vec<_>>();
        if self.server.table.is_some() {
            for place in &places {
                self.outstanding.left(*place);
                self.conns[*place].joined = false;
            }
            self.hand(Input::Forgotten(person))?;
        }
        for place in places {
            self.break_up(place);
            self.lose(place)?;
        }
        for page in &mut self.pages {
            if page.human == human {
                page.close();
            }
        }
        Ok(())
    }
}
