//! Nodes of a cluster in simulated time: owners that die, freeze and are cut off, beats that come
//! late, and nodes that both believe that they own a table.
//!
//! Real: which nodes are there (`cluster::Members`) and how a table is taken over
//! (`cluster::Takeover`). Simulated: the brokers with their fence, the network, and what owners do.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

use cluster::{
    BEAT_EVERY, BeatState, Hint, Members, NodeId, Takeover, TakeoverEnd, TakeoverNews, TakeoverStep,
};
use rules::kit::{Chance, Seed};

/// How long faults happen in one simulated cluster.
const FAULTS_FOR: Duration = Duration::from_secs(40);
/// After the last fault every table has to be played on within this time.
const QUIET: Duration = Duration::from_secs(20);
/// How often people come to a table through some node.
const WISH_EVERY_MS: u32 = 400;

/// Whether the brokers check what an append follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// They do.
    Kept,
    /// They store everything: a check has to find that.
    Broken,
}

/// What happened in simulated clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Takeovers {
    /// How often a node took a table over.
    pub takeovers: u64,
    /// How many of them were from an owner that believed that the table was still its own.
    pub rivalries: u64,
    /// How many lines the fence refused.
    pub refused: u64,
    /// How many moves were stored.
    pub moves: u64,
    /// How many nodes died, froze, left or were cut off.
    pub faults: u64,
    /// How many clusters there were.
    pub clusters: u64,
}

impl AddAssign for Takeovers {
    fn add_assign(&mut self, other: Self) {
        self.takeovers += other.takeovers;
        self.rivalries += other.rivalries;
        self.refused += other.refused;
        self.moves += other.moves;
        self.faults += other.faults;
        self.clusters += other.clusters;
    }
}

impl fmt::Display for Takeovers {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { takeovers, rivalries, refused, moves, faults, clusters } = self;
        write!(
            f,
            "{takeovers} take-overs in {clusters} clusters, {rivalries} of them from an owner that \
             still believed in itself; {faults} faults of nodes, {refused} lines refused by the \
             fence, {moves} moves stored"
        )
    }
}

/// Simulates one cluster, which follows from its number. Fails at the first line that the log of a
/// table must not have, and if a table is not played on after the last fault.
pub fn simulate_takeovers(seed: u64, fence: Fence) -> Result<Takeovers, String> {
    let mut world = World::new(seed, fence);
    world.run().map_err(|wrong| format!("cluster {seed}: {wrong}"))?;
    Ok(Takeovers { clusters: 1, ..world.tally })
}

/// A line of a table's log.
#[derive(Clone, Copy)]
struct Line {
    by: NodeId,
    epoch: u64,
    is_takeover: bool,
}

/// A table as the brokers have it.
#[derive(Default)]
struct Table {
    log: Vec<Line>,
    hint: Option<Hint>,
    revision: u64,
    moved_at: Duration,
}

/// What a node has of a table.
enum Holding {
    Nothing,
    Taking(Takeover),
    /// It has taken the table over, and reads it.
    Reading {
        epoch: u64,
        lines: u64,
    },
    Owned {
        epoch: u64,
        known: usize,
        appends: bool,
    },
}

struct Node {
    id: NodeId,
    members: Members,
    tables: Vec<(Holding, u32)>,
    is_leaving: bool,
    frozen_until: Duration,
    cut_until: Duration,
}

/// What a node asks the brokers for.
#[derive(Clone, Copy)]
enum Request {
    Count,
    Look,
    Claim { hint: Hint, follows: u64 },
    TakeOver { epoch: u64, after: u64 },
    Read,
    Move { epoch: u64, after: usize },
    Offer { epoch: u64, to: Option<NodeId> },
}

#[derive(Clone)]
enum Answer {
    News(TakeoverNews),
    Read(usize),
    Moved(bool),
    Silence,
}

/// Who it is about: a node in one of its lives, a table, and which of the node's attempts.
#[derive(Clone, Copy)]
struct Asker {
    node: usize,
    id: NodeId,
    table: usize,
    attempt: u32,
}

enum Event {
    Beat {
        node: usize,
        id: NodeId,
    },
    Heard {
        node: usize,
        from: NodeId,
        state: BeatState,
    },
    AtBrokers(Asker, Request),
    Answered(Asker, Answer),
    Again(Asker, Request),
    Wish,
    /// People are relayed to the node that owns a table.
    Relayed(NodeId, usize),
    Play(Asker),
    Fault,
    Joined {
        node: usize,
    },
}

struct World {
    chance: Chance,
    fence: Fence,
    now: Duration,
    agenda: BinaryHeap<Reverse<(Duration, u64)>>,
    events: std::collections::HashMap<u64, Event>,
    next: u64,
    nodes: Vec<Node>,
    tables: Vec<Table>,
    lives: u64,
    tally: Takeovers,
}

impl World {
    fn new(seed: u64, fence: Fence) -> Self {
        let mut world = Self {
            chance: Chance::new(Seed::from(seed), 7),
            fence,
            now: Duration::ZERO,
            agenda: BinaryHeap::new(),
            events: std::collections::HashMap::new(),
            next: 0,
            nodes: Vec::new(),
            tables: Vec::new(),
            lives: 0,
            tally: Takeovers::default(),
        };
        let (nodes, tables) = (3 + world.chance.below(3), 1 + world.chance.below(4));
        let founder = NodeId::new([0; 16]);
        let opened = Line { by: founder, epoch: 0, is_takeover: true };
        for _ in 0..tables {
            world.tables.push(Table { log: vec![opened], ..Table::default() });
        }
        for node in 0..nodes as usize {
            let fresh = world.fresh_node();
            world.nodes.push(fresh);
            world.after_ms(0, Event::Joined { node });
        }
        world.after_ms(100, Event::Wish);
        world.after_ms(3_000, Event::Fault);
        world
    }

    fn fresh_node(&mut self) -> Node {
        self.lives += 1;
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.lives.to_be_bytes());
        let id = NodeId::new(bytes);
        let tables = (0..self.tables.len()).map(|_| (Holding::Nothing, 0)).collect();
        let (frozen_until, cut_until) = (Duration::ZERO, Duration::ZERO);
        let members = Members::new(id, self.now);
        Node { id, members, tables, is_leaving: false, frozen_until, cut_until }
    }

    fn at(&mut self, time: Duration, event: Event) {
        self.agenda.push(Reverse((time, self.next)));
        self.events.insert(self.next, event);
        self.next += 1;
    }

    fn after_ms(&mut self, ms: u32, event: Event) {
        self.at(self.now + Duration::from_millis(ms.into()), event);
    }

    fn run(&mut self) -> Result<(), String> {
        let end = FAULTS_FOR + QUIET;
        while let Some(Reverse((time, number))) = self.agenda.pop() {
            if time > end {
                break;
            }
            let Some(event) = self.events.remove(&number) else { continue };
            // What reaches a frozen node waits until it is thawed.
            if let Some(node) = node_of(&event)
                && self.nodes[node].frozen_until > time
            {
                let thaw = self.nodes[node].frozen_until;
                self.at(thaw, event);
                continue;
            }
            self.now = time;
            self.handle(event)?;
        }
        for (number, table) in self.tables.iter().enumerate() {
            if table.moved_at < end.saturating_sub(Duration::from_secs(2)) {
                let at = table.moved_at;
                return Err(format!("table {number} was last played on at {at:?} of {end:?}"));
            }
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Joined { node } => {
                let id = self.nodes[node].id;
                self.handle(Event::Beat { node, id })?;
            }
            Event::Beat { node, id } => self.beat(node, id),
            Event::Heard { node, from, state } => {
                let (now, is_cut) = (self.now, self.is_cut(node));
                if !is_cut {
                    self.nodes[node].members.hear(from, state, now);
                }
            }
            Event::AtBrokers(asker, request) => {
                let answer = self.brokers(asker, request)?;
                // An answer can be lost, and come very late.
                let late = if self.has_faults() && self.chance.once_in(30) { 3_000 } else { 8 };
                let ms = 1 + self.chance.below(late);
                let is_lost =
                    self.has_faults() && self.chance.once_in(25) || self.is_cut(asker.node);
                let answer = if is_lost { Answer::Silence } else { answer };
                self.after_ms(if is_lost { 2_000 } else { ms }, Event::Answered(asker, answer));
            }
            Event::Answered(asker, answer) => self.answered(asker, answer),
            Event::Again(asker, request) if self.is_current(asker) => self.ask(asker, request),
            Event::Again(..) => {}
            Event::Wish => {
                self.wish();
                let ms = 1 + self.chance.below(WISH_EVERY_MS);
                self.after_ms(ms, Event::Wish);
            }
            Event::Relayed(owner, table) => {
                // One that is silent or cut off answers nothing.
                let node = self.nodes.iter().position(|node| node.id == owner);
                if let Some(node) = node.filter(|node| !self.is_cut(*node)) {
                    self.arrive(node, table);
                }
            }
            Event::Play(asker) => self.play(asker),
            Event::Fault => self.fault(),
        }
        Ok(())
    }

    fn has_faults(&self) -> bool {
        self.now < FAULTS_FOR
    }

    fn is_cut(&self, node: usize) -> bool {
        self.nodes[node].cut_until > self.now
    }

    fn is_current(&self, Asker { node, id, table, attempt }: Asker) -> bool {
        self.nodes[node].id == id && self.nodes[node].tables[table].1 == attempt
    }

    /// A node says that it is there, and looks whether it hears itself.
    fn beat(&mut self, node: usize, id: NodeId) {
        if self.nodes[node].id != id {
            return;
        }
        let now = self.now;
        let one = &mut self.nodes[node];
        if one.members.is_cut_off(now) {
            // Its people are told, and it plays nothing.
            for (holding, attempt) in &mut one.tables {
                (*holding, *attempt) = (Holding::Nothing, *attempt + 1);
            }
        }
        let state = if one.is_leaving { BeatState::Leaving } else { BeatState::Serving };
        if !self.is_cut(node) {
            for other in 0..self.nodes.len() {
                let late = if self.has_faults() && self.chance.once_in(40) { 4_000 } else { 10 };
                let ms = 1 + self.chance.below(late);
                self.after_ms(ms, Event::Heard { node: other, from: id, state });
            }
        }
        self.after_ms(BEAT_EVERY.as_millis() as u32, Event::Beat { node, id });
    }

    /// People come to a table through some node.
    fn wish(&mut self) {
        let node = self.chance.below(self.nodes.len() as u32) as usize;
        let table = self.chance.below(self.tables.len() as u32) as usize;
        self.arrive(node, table);
    }

    fn arrive(&mut self, node: usize, table: usize) {
        let now = self.now;
        let one = &mut self.nodes[node];
        let is_free = matches!(one.tables[table].0, Holding::Nothing);
        if !is_free || one.is_leaving || one.frozen_until > now || one.members.is_cut_off(now) {
            return;
        }
        let takeover = Takeover::new(one.id);
        let asker = self.begin(node, table, Holding::Taking(takeover));
        self.ask(asker, Request::Count);
    }

    /// What a node has of a table from now on; answers to what it asked before count no more.
    fn begin(&mut self, node: usize, table: usize, holding: Holding) -> Asker {
        let one = &mut self.nodes[node];
        let (held, attempt) = &mut one.tables[table];
        (*held, *attempt) = (holding, *attempt + 1);
        Asker { node, id: one.id, table, attempt: *attempt }
    }

    fn ask(&mut self, asker: Asker, request: Request) {
        // It can be lost on the way, and come late, also after its node has died.
        if self.is_cut(asker.node) || (self.has_faults() && self.chance.once_in(25)) {
            return self.after_ms(2_000, Event::Answered(asker, Answer::Silence));
        }
        let late = if self.has_faults() && self.chance.once_in(25) { 4_000 } else { 8 };
        let ms = 1 + self.chance.below(late);
        self.after_ms(ms, Event::AtBrokers(asker, request));
    }

    /// What the brokers do. They check the fence, and this checks what they store.
    fn brokers(&mut self, asker: Asker, request: Request) -> Result<Answer, String> {
        let Asker { id, table: number, .. } = asker;
        let fence = self.fence;
        let table = &mut self.tables[number];
        let lines = table.log.len();
        let news = |news| Ok(Answer::News(news));
        match request {
            Request::Count => news(TakeoverNews::Lines(lines as u64)),
            Request::Look => news(TakeoverNews::Hint(table.hint, table.revision)),
            Request::Claim { follows, .. } if follows != table.revision => {
                news(TakeoverNews::Outrun)
            }
            Request::Claim { hint, .. } => {
                table.hint = Some(hint);
                table.revision += 1;
                news(TakeoverNews::Claimed)
            }
            Request::TakeOver { after, .. } if after != lines as u64 && fence == Fence::Kept => {
                self.tally.refused += 1;
                news(TakeoverNews::Conflict { found: lines as u64 })
            }
            Request::TakeOver { epoch, .. } => {
                let owner = table.log[lines - 1].by;
                table.log.push(Line { by: id, epoch, is_takeover: true });
                self.tally.takeovers += 1;
                let believes = |node: &Node| {
                    node.id == owner && matches!(node.tables[number].0, Holding::Owned { .. })
                };
                self.tally.rivalries += u64::from(owner != id && self.nodes.iter().any(believes));
                news(TakeoverNews::Appended)
            }
            Request::Read => Ok(Answer::Read(lines)),
            Request::Move { after, .. } if after != lines && fence == Fence::Kept => {
                self.tally.refused += 1;
                Ok(Answer::Moved(false))
            }
            Request::Move { epoch, after } => {
                let last = table.log[lines - 1];
                if (last.by, last.epoch) != (id, epoch) {
                    return Err(format!(
                        "table {number}: node {id} of epoch {epoch} wrote line {} behind one of \
                         node {} and epoch {} (it knows {after} lines)",
                        lines + 1,
                        last.by,
                        last.epoch
                    ));
                }
                let before = table.log.iter().rev().find(|line| line.is_takeover);
                if before.is_none_or(|line| line.by != id) {
                    return Err(format!("table {number}: node {id} writes and took nothing over"));
                }
                table.log.push(Line { by: id, epoch, is_takeover: false });
                table.moved_at = self.now;
                self.tally.moves += 1;
                Ok(Answer::Moved(true))
            }
            Request::Offer { epoch, to } => {
                if table.hint.is_some_and(|hint| (hint.node, hint.epoch) == (id, epoch)) {
                    table.hint = to.map(|node| Hint { node, epoch, offered: true });
                    table.revision += 1;
                }
                Ok(Answer::Silence)
            }
        }
    }

    fn answered(&mut self, asker: Asker, answer: Answer) {
        if !self.is_current(asker) {
            return;
        }
        let Asker { node, table, .. } = asker;
        let now = self.now;
        let one = &mut self.nodes[node];
        let (holding, _) = &mut one.tables[table];
        match (holding, answer) {
            (Holding::Taking(takeover), answer) => {
                let news = match answer {
                    Answer::News(news) => news,
                    Answer::Read(_) | Answer::Moved(_) | Answer::Silence => TakeoverNews::Nothing,
                };
                let members = &one.members;
                let step = takeover.hear(news, |node| members.standing(node, now));
                self.take(asker, step);
            }
            // Another node has taken it over since.
            (Holding::Reading { lines, .. }, Answer::Read(known)) if known as u64 != *lines => {
                self.begin(node, table, Holding::Nothing);
            }
            (Holding::Reading { epoch, .. }, Answer::Read(known)) => {
                let epoch = *epoch;
                one.tables[table].0 = Holding::Owned { epoch, known, appends: false };
                self.after_ms(5, Event::Play(asker));
            }
            (Holding::Reading { .. }, _) => self.ask(asker, Request::Read),
            (Holding::Owned { known, appends, .. }, Answer::Moved(true)) => {
                (*known, *appends) = (*known + 1, false);
                let ms = 20 + self.chance.below(600);
                self.after_ms(ms, Event::Play(asker));
            }
            // Another owner, or it is not known whether the line is stored: it is read again.
            (Holding::Owned { .. }, _) => {
                self.begin(node, table, Holding::Nothing);
            }
            (Holding::Nothing, _) => {}
        }
    }

    fn take(&mut self, asker: Asker, step: TakeoverStep) {
        let Asker { node, table, .. } = asker;
        match step {
            TakeoverStep::Count => self.ask(asker, Request::Count),
            TakeoverStep::Look => self.ask(asker, Request::Look),
            TakeoverStep::LookAgain => self.after_ms(50, Event::Again(asker, Request::Look)),
            TakeoverStep::Claim { hint, follows } => {
                self.ask(asker, Request::Claim { hint, follows });
            }
            TakeoverStep::Append { epoch, after } => {
                self.ask(asker, Request::TakeOver { epoch, after });
            }
            TakeoverStep::Done(TakeoverEnd::Mine { epoch, lines }) => {
                let asker = self.begin(node, table, Holding::Reading { epoch, lines });
                self.ask(asker, Request::Read);
            }
            TakeoverStep::Done(TakeoverEnd::Elsewhere(owner)) => {
                self.begin(node, table, Holding::Nothing);
                self.after_ms(5, Event::Relayed(owner, table));
            }
            TakeoverStep::Done(TakeoverEnd::Contested | TakeoverEnd::NoTable) => {
                self.begin(node, table, Holding::Nothing);
            }
        }
    }

    /// The owner makes a move.
    fn play(&mut self, asker: Asker) {
        if !self.is_current(asker) {
            return;
        }
        let holding = &mut self.nodes[asker.node].tables[asker.table].0;
        if let Holding::Owned { epoch, known, appends: appends @ false } = holding {
            *appends = true;
            let (epoch, after) = (*epoch, *known);
            self.ask(asker, Request::Move { epoch, after });
        }
    }

    fn fault(&mut self) {
        if !self.has_faults() {
            return;
        }
        self.tally.faults += 1;
        let node = self.chance.below(self.nodes.len() as u32) as usize;
        let for_ms = Duration::from_millis(u64::from(100 + self.chance.below(6_000)));
        match self.chance.below(5) {
            // It dies, and a new one is started in its place.
            0 => {
                self.nodes[node] = self.fresh_node();
                self.after_ms(for_ms.as_millis() as u32, Event::Joined { node });
            }
            1 => self.nodes[node].frozen_until = self.now + for_ms,
            2 => self.nodes[node].cut_until = self.now + for_ms,
            // It leaves: each table is offered to another node.
            3 if !self.nodes[node].is_leaving => {
                let now = self.now;
                self.nodes[node].is_leaving = true;
                for table in 0..self.tables.len() {
                    let Holding::Owned { epoch, appends: false, .. } =
                        self.nodes[node].tables[table].0
                    else {
                        continue;
                    };
                    let to = self.nodes[node].members.place_of(&table.to_string(), false, now);
                    let asker = self.begin(node, table, Holding::Nothing);
                    self.ask(asker, Request::Offer { epoch, to });
                }
            }
            3 => {
                self.nodes[node] = self.fresh_node();
                self.after_ms(1, Event::Joined { node });
            }
            // The brokers lose a hint: it is no more than that.
            _ => {
                let table = self.chance.below(self.tables.len() as u32) as usize;
                self.tables[table].hint = None;
                self.tables[table].revision += 1;
            }
        }
        let ms = 50 + self.chance.below(1_500);
        self.after_ms(ms, Event::Fault);
        // No node leaves for ever: another one has its place in the end.
        if self.now + Duration::from_secs(2) >= FAULTS_FOR {
            for node in 0..self.nodes.len() {
                if self.nodes[node].is_leaving {
                    self.nodes[node] = self.fresh_node();
                    self.after_ms(1, Event::Joined { node });
                }
            }
        }
    }
}

/// The node that an event happens at.
fn node_of(event: &Event) -> Option<usize> {
    match event {
        Event::Beat { node, .. } | Event::Heard { node, .. } => Some(*node),
        Event::Answered(asker, _) | Event::Again(asker, _) | Event::Play(asker) => Some(asker.node),
        Event::AtBrokers(..)
        | Event::Wish
        | Event::Relayed(..)
        | Event::Fault
        | Event::Joined { .. } => None,
    }
}
