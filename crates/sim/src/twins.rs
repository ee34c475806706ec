//! Twins: two tables that differ only in what a viewer may not know are handed the same inputs,
//! and the viewer has to be sent the same bytes at the same times.
//!
//! Both start from the durable lines of a game among people, with states that look alike to the
//! viewer. What the others do may differ between the two, as long as the rules let the viewer
//! notice nothing of the difference: another code hidden, another card marked, a mark in one world
//! and a refused command in the other.

use std::time::Duration;

use bytes::Bytes;
use rules::kit::{Chance, Match, Moment, Seat, Seed, View as _, Viewer};
use table::fair::{Claim, Health, Lag, Stamp};
use table::{
    ConnId, Deal, Effect, Entry, Input, LinkState, Message, Occupant, Origin, Person, Settings,
    Stage, Table, TableGame, TableState, Ticket,
};
use wire::{Code, Request, with_game};

use crate::trouble::foreign;
use crate::violation::{Check, Checked, Violation, hold};
use crate::world::{World, ms, person};

/// How many inputs a pair of twins gets.
const STEPS: u32 = 80;
/// The connection of a viewer without a seat; players have the number of their seat.
const SPECTATOR: u64 = 5;

/// Compares twins from where the world's snapshot was taken, if there is one.
pub(crate) fn compare(world: &mut World) -> Checked {
    let Some(lines) = world.snapshot.lines.take() else { return Ok(()) };
    let wrong = |text: String| Violation { check: Check::Leak, text };
    let state = TableState::<table::Unplayed>::read(&lines);
    let state = state.map_err(|line| wrong(line.to_string()))?;
    let Some(state) = state.filter(TableState::is_playing) else { return Ok(()) };
    let setup = *state.setup();
    let mut chance = Chance::new(Seed::from(world.run.seed), 2);
    for viewer in Viewer::all(setup.players()) {
        let found = with_game!(setup, G, _own => run::<G>(&lines, viewer, &mut chance))?;
        world.tally.twins += u64::from(found > 0);
        world.tally.twin_texts += found;
    }
    Ok(())
}

/// One of the two worlds.
struct Twin<G: TableGame> {
    table: Table,
    game: Match<G>,
    /// What the game's draws come from, if other groups play its deal, too.
    deal: Option<Deal>,
    wake_at: Option<Stamp>,
    /// What the viewer noticed, by the rules.
    noticed: Vec<G::Sight>,
    /// What the viewer was sent, and when.
    sent: Vec<(Stamp, Bytes)>,
    is_over: bool,
    /// How many answers were given.
    answers: u32,
}

/// Who looks at the table: the viewer who has to notice nothing, and who sits where.
struct Party {
    viewer: Viewer,
    people: Vec<(Seat, Person)>,
    setup_seed: Seed,
}

impl Party {
    fn conn(&self) -> ConnId {
        ConnId(self.viewer.seat().map_or(SPECTATOR, |seat| seat.index() as u64))
    }
}

/// What the rules let the viewer notice of a command: what they see of it, and what they know
/// after it.
#[derive(PartialEq)]
struct Noticed<G: TableGame> {
    sights: Vec<G::Sight>,
    view: G::View,
}

impl<G: TableGame> Twin<G> {
    fn new(lines: &[Box<str>], party: &Party, now: Stamp, chance: &mut Chance) -> Checked<Self> {
        let wrong = |text: String| Violation { check: Check::Leak, text };
        let state = TableState::read(lines).map_err(|line| wrong(line.to_string()))?;
        let mut state = state.ok_or_else(|| wrong("no lines".to_owned()))?;
        let deal = state.shared_deal().map(|shared| shared.deal.clone());
        let mut game = fold::<G>(lines, party.setup_seed)?;
        let imagined = G::imagine(&game.view(party.viewer), chance);
        state.replace_game(&imagined.to_string()).map_err(wrong)?;
        game = Match::resume(imagined, party.setup_seed, game.seq(), game.at());
        let settings = Settings { idle_after: Duration::from_hours(1), ..Settings::default() };
        let code = Code::of(7);
        let table = Table::new(code, state, settings, Seed::from(3), now);
        let (noticed, sent) = (Vec::new(), Vec::new());
        Ok(Self { table, game, deal, wake_at: None, noticed, sent, is_over: false, answers: 0 })
    }

    /// Hands in an input, and all that follows at the same time. The journal answers at once.
    fn hand(&mut self, now: Stamp, input: Input, party: &Party) -> Checked {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            let effects = self.table.handle(now, input);
            self.wake_at = effects.wake_at;
            for effect in effects.list {
                match effect {
                    Effect::Append(append) => {
                        for line in &append.lines {
                            self.fold(line, party.viewer)?;
                        }
                        next = Some(Input::Appended);
                    }
                    Effect::Send { to, text } => {
                        let is_answer = text.starts_with(br#"{"t":"refused""#)
                            || text.windows(6).any(|part| part == br#""ack":"#);
                        self.answers += u32::from(is_answer);
                        if to == party.conn() {
                            self.sent.push((now, text));
                        }
                    }
                    Effect::Ping { conn, often } if conn == party.conn() => {
                        self.sent.push((now, Bytes::from(format!("ping {often}"))));
                    }
                    Effect::Sleep => self.is_over = true,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn fold(&mut self, line: &str, viewer: Viewer) -> Checked {
        let wrong = |text: String| Violation { check: Check::Leak, text };
        match Entry::read(line).map_err(wrong)? {
            Entry::Event(happening) => {
                let event = serde_json::from_str::<G::Event>(happening.event.get());
                let event = event.map_err(|error| wrong(error.to_string()))?;
                self.noticed.extend(G::witness(&event, viewer));
                let mut state = *self.game.state();
                state.apply(happening.at, &event);
                let (seed, seq) = (self.game.seed(), self.game.seq() + 1);
                self.game = Match::resume(state, seed, seq, happening.at);
            }
            Entry::Started { .. } | Entry::Ended { .. } => self.is_over = true,
            Entry::Opened { .. }
            | Entry::Seated { .. }
            | Entry::Arranged { .. }
            | Entry::Admission { .. }
            | Entry::Resumed
            | Entry::Takeover { .. } => {}
        }
        Ok(())
    }

    /// What the viewer would notice if a seat did this now; nothing if it is refused.
    fn noticed(&self, seat: Seat, command: Option<G::Command>, viewer: Viewer) -> Noticed<G> {
        let key = || G::draw_key(&self.game.view(Viewer::Spectator));
        let stream = self.deal.as_ref().map_or(self.game.seq(), |deal| deal.stream(key()));
        let submit = |command| self.game.submit_from(self.game.at(), seat, command, stream);
        let step = command.map(submit);
        match step {
            Some(Ok(step)) => {
                Noticed { sights: step.sights(viewer).collect(), view: step.next().view(viewer) }
            }
            _ => Noticed { sights: Vec::new(), view: self.game.view(viewer) },
        }
    }

    /// Lets the time pass up to then.
    fn pass(&mut self, until: Stamp, party: &Party) -> Checked {
        let mut wakes = 0;
        while let Some(at) = self.wake_at.filter(|at| *at <= until) {
            wakes += 1;
            hold!(wakes < 1_000, Liveness, "a twin wakes itself without end");
            self.hand(at, Input::Woke, party)?;
        }
        Ok(())
    }
}

/// The game in the lines, up to their end.
fn fold<G: TableGame>(lines: &[Box<str>], seed: Seed) -> Checked<Match<G>> {
    let wrong = |text: String| Violation { check: Check::Leak, text };
    let mut game = None::<Match<G>>;
    for line in lines {
        match Entry::read(line).map_err(wrong)? {
            Entry::Started { setup, .. } => {
                let setup = G::setup_of(&setup);
                game = setup.map(|setup| Match::resume(G::new(&setup), seed, 0, Moment::START));
            }
            Entry::Event(happening) => {
                if let Some(live) = &mut game {
                    let event = serde_json::from_str::<G::Event>(happening.event.get());
                    let Ok(event) = event else { continue };
                    let mut state = *live.state();
                    state.apply(happening.at, &event);
                    *live = Match::resume(state, seed, live.seq() + 1, happening.at);
                }
            }
            _ => {}
        }
    }
    game.ok_or_else(|| wrong("there is no game in the lines".to_owned()))
}

/// The seed of the last game in the lines.
fn seed_of(lines: &[Box<str>]) -> Option<Seed> {
    let seeds = lines.iter().rev().filter_map(|line| match Entry::read(line) {
        Ok(Entry::Started { seed, .. }) => seed.parse().ok(),
        _ => None,
    });
    seeds.into_iter().next()
}

/// Runs two twins and returns the number of compared texts of the viewer.
fn run<G: TableGame>(lines: &[Box<str>], viewer: Viewer, chance: &mut Chance) -> Checked<u64> {
    let wrong = |text: String| Violation { check: Check::Leak, text };
    let state = TableState::<table::Unplayed>::read(lines);
    let state = state.map_err(|line| wrong(line.to_string()))?;
    let (Some(state), Some(setup_seed)) = (state, seed_of(lines)) else { return Ok(0) };
    if !matches!(state.stage(), Stage::Playing(_)) {
        return Ok(0);
    }
    let people = state.seating().iter().filter_map(|(seat, occupant)| match occupant {
        Occupant::Person { id, name, mark, .. } => {
            Some((seat, Person { id: *id, name: name.clone(), mark: *mark, lends_tempo: false }))
        }
        _ => None,
    });
    let people = people.collect::<Vec<_>>();
    let party = Party { viewer, people, setup_seed };
    let start = Stamp::from_millis(1_000);
    let mut twins =
        [Twin::<G>::new(lines, &party, start, chance)?, Twin::new(lines, &party, start, chance)?];
    if twins[0].game.state() == twins[1].game.state() {
        return Ok(0);
    }
    let mut lockstep = Lockstep { party, now: start, ids: 0, pending: None };
    lockstep.begin(&mut twins)?;
    for _ in 0..STEPS {
        lockstep.step(&mut twins, chance)?;
        let [one, other] = &twins;
        if one.is_over || other.is_over {
            break;
        }
        let is_known =
            one.noticed != other.noticed || one.game.view(viewer) != other.game.view(viewer);
        if is_known {
            // What differs has become known, by the rules.
            break;
        }
        lockstep.same(one, other)?;
    }
    Ok(twins[0].sent.len() as u64)
}

/// The inputs that both are handed.
struct Lockstep {
    party: Party,
    now: Stamp,
    ids: u32,
    /// A move that was sent, and how many answers there were before it.
    pending: Option<[u32; 2]>,
}

impl Lockstep {
    fn begin<G: TableGame>(&mut self, twins: &mut [Twin<G>; 2]) -> Checked {
        self.both(twins, || Input::Woke)?;
        for (seat, person) in self.party.people.clone() {
            let conn = ConnId(seat.index() as u64);
            let joined = || Input::Joined {
                conn,
                person: person.clone(),
                by: Code::of(7),
                from: Origin::default(),
                link: well(20),
            };
            self.both(twins, joined)?;
        }
        if self.party.viewer == Viewer::Spectator {
            let person = person(200, "Zoe");
            let conn = ConnId(SPECTATOR);
            self.both(twins, || Input::Joined {
                conn,
                person: person.clone(),
                by: Code::of(7),
                from: Origin::default(),
                link: well(40),
            })?;
        }
        Ok(())
    }

    fn both<G: TableGame>(
        &mut self,
        twins: &mut [Twin<G>; 2],
        input: impl Fn() -> Input,
    ) -> Checked {
        for twin in twins {
            twin.hand(self.now, input(), &self.party)?;
        }
        Ok(())
    }

    fn step<G: TableGame>(&mut self, twins: &mut [Twin<G>; 2], chance: &mut Chance) -> Checked {
        self.now = self.now.after(ms(1 + chance.below(300)));
        for twin in twins.iter_mut() {
            twin.pass(self.now, &self.party)?;
        }
        if let Some(before) = self.pending {
            let is_answered = twins.iter().zip(before).all(|(twin, before)| twin.answers > before);
            if !is_answered && twins.iter().any(|twin| twin.wake_at.is_some()) {
                return Ok(());
            }
            self.pending = None;
        }
        let Some((seat, person)) = chance.pick(&self.party.people).cloned() else { return Ok(()) };
        let conn = ConnId(seat.index() as u64);
        let now = self.now;
        match chance.below(14) {
            0 => {
                let hidden = chance.once_in(2).then_some(now);
                let link = LinkState { hidden_since: hidden, ..well(20) };
                self.both(twins, || Input::Linked { conn, link })
            }
            1 => {
                let health = [
                    Health::Well,
                    Health::Late { since: now.before(ms(150)) },
                    Health::Silent { since: now.before(ms(2_000)) },
                ][chance.below(3) as usize];
                let link = LinkState { health, ..well(20 + chance.below(200)) };
                self.both(twins, || Input::Linked { conn, link })
            }
            2 if Some(seat) != self.party.viewer.seat() => {
                self.both(twins, || Input::Left { conn, seen_until: now })?;
                self.now = self.now.after(ms(chance.below(400)));
                let link = well(30);
                for twin in twins.iter_mut() {
                    twin.pass(self.now, &self.party)?;
                }
                self.both(twins, || Input::Joined {
                    conn,
                    person: person.clone(),
                    by: Code::of(7),
                    from: Origin::default(),
                    link,
                })
            }
            3 => {
                let requests = [Request::End, Request::Wait, Request::Hold];
                let request = chance.pick(&requests).copied().unwrap_or(Request::Wait);
                let ticket = self.ticket(seat);
                let message = || Message::Ask(request);
                self.both(twins, || Input::Message { conn, ticket, message: message() })
            }
            4 => {
                let ticket = self.ticket(seat);
                let message = || Message::Say(format!("hello {}", ticket.id));
                self.both(twins, || Input::Message { conn, ticket, message: message() })
            }
            _ => self.press(twins, seat, conn, chance),
        }
    }

    /// A move in each world, of which the viewer notices the same by the rules.
    fn press<G: TableGame>(
        &mut self,
        twins: &mut [Twin<G>; 2],
        seat: Seat,
        conn: ConnId,
        chance: &mut Chance,
    ) -> Checked {
        let is_viewer = Some(seat) == self.party.viewer.seat();
        let mut commands = [0, 1].map(|_| None);
        let mut picks = [chance.bits(), chance.bits()];
        if is_viewer || chance.once_in(2) {
            picks[1] = picks[0];
        }
        for ((twin, command), pick) in twins.iter().zip(&mut commands).zip(picks) {
            let options = twin.game.view(Viewer::Seat(seat)).options();
            *command = options.get(pick as usize % options.len().max(1)).copied();
        }
        let [Some(one), other] = commands else { return Ok(()) };
        // In the other world the same command, whether it is permitted or not, or one of another
        // game, which is refused.
        let other = match chance.below(4) {
            _ if is_viewer => Some(one),
            0 => Some(one),
            1 => None,
            _ => other,
        };
        let viewer = self.party.viewer;
        let [first, second] = &*twins;
        if first.noticed(seat, Some(one), viewer) != second.noticed(seat, other, viewer) {
            return Ok(());
        }
        let way = ms(5 + chance.below(30));
        let claim = Claim {
            arrived: self.now,
            claimed: self.now.before(way),
            bound: Duration::from_millis(60),
            usual: Duration::ZERO,
        };
        let ticket = self.ticket(seat);
        self.pending = Some([twins[0].answers, twins[1].answers]);
        for (twin, command) in twins.iter_mut().zip([Some(one), other]) {
            let command =
                command.map_or_else(|| foreign(twin.table.state().setup()), G::sent_command);
            let live = twin.table.state().playing();
            let seq = live.map_or(0, |live| live.seq(Viewer::Seat(seat)));
            let message = Message::Do { seq, claim, command };
            twin.hand(self.now, Input::Message { conn, ticket, message }, &self.party)?;
        }
        Ok(())
    }

    fn ticket(&mut self, seat: Seat) -> Ticket {
        self.ids += 1;
        Ticket { client: seat.index() as u32, id: self.ids, print: 0 }
    }

    /// The viewer was sent the same in both worlds.
    fn same<G: TableGame>(&self, one: &Twin<G>, other: &Twin<G>) -> Checked {
        if one.sent == other.sent {
            return Ok(());
        }
        let pairs = one.sent.iter().zip(&other.sent);
        let place = pairs.take_while(|(one, other)| one == other).count();
        let show = |twin: &Twin<G>| match twin.sent.get(place) {
            Some((at, text)) => format!("{at:?} {}", String::from_utf8_lossy(text)),
            None => "nothing".to_owned(),
        };
        hold!(
            false,
            Leak,
            "{} is sent {} in one world and {} in another that looks the same: {} and {}",
            self.party.viewer,
            show(one),
            show(other),
            one.game.state(),
            other.game.state()
        );
        Ok(())
    }
}

/// A link of that round trip.
fn well(trip_ms: u32) -> LinkState {
    let lag = Lag::steady(20, ms(trip_ms), ms(2));
    LinkState { lag, ..LinkState::default() }
}
