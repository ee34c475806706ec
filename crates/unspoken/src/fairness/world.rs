//! One table in the simulation: events in the order of their time, from the first probe to the
//! last card that is seen. Time is in milliseconds of the server's clock, which is the truth here.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use table::fair::{
    Claim, Fit, Health, Link, Order, Peer, PhotoCost, Ping, Stamp, Tuning, Waiting, lead,
};

use super::agenda::Agenda;
use super::network::{Kernel, Node};
use super::scenario::{Change, Scenario};
use super::seen::{Pair, Seen, Trust};

/// A path that changes, and a clock that stood still, have to be known after this time.
const KNOWN_WITHIN_MS: f64 = 2_000.0;
/// Pings leave this often until a connection is known, as at the server.
const PAUSE_FIRST_MS: f64 = 150.0;

/// Plays one run of a scenario.
pub fn run(scenario: &Scenario, tuning: &Tuning, number: u32) -> Seen {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&scenario.seed.to_le_bytes());
    seed[8..12].copy_from_slice(&number.to_le_bytes());
    let mut rng = ChaCha12Rng::from_seed(seed);
    let nodes = scenario.players.iter().map(|player| Node::draw(player, &mut rng)).collect();
    let mut world = World::new(nodes, *tuning, scenario.photo_finish);
    for (who, player) in scenario.players.iter().enumerate() {
        for change in &player.changes {
            world.at(change.at_s * 1_000.0, Happening::Change(who, *change));
        }
        for sleep in &player.sleeps {
            world.at((sleep.at_s + sleep.for_s) * 1_000.0, Happening::Woke(who));
        }
    }
    let mut at = scenario.settle_s * 1_000.0;
    for _ in 0..scenario.pairs {
        let gap_ms = scenario.gaps_ms[rng.random_range(0..scenario.gaps_ms.len())];
        let first = rng.random_range(0..world.players.len());
        let other = rng.random_range(1..world.players.len());
        let second = (first + other) % world.players.len();
        world.pair(at, gap_ms, [first, second], rng.random_bool(0.5));
        at += scenario.pause_s * 1_000.0 * rng.random_range(0.9..1.1);
    }
    world.go(at + 5_000.0);
    world.seen()
}

enum Happening {
    Ping(usize),
    PingHeard(usize, Ping, f64),
    /// A client answers a ping.
    Pong(usize, Ping),
    PongHeard(usize, Ping),
    Probe(usize, u32),
    ProbeHeard(usize, f64),
    ProbeBack(usize, f64, f64),
    Press(usize, usize),
    PressHeard(usize, usize, Stamp, f64),
    /// The page says whether its player can play.
    AwayHeard(usize, bool),
    /// The kernel of the server hears that its bytes arrived, and when they had left.
    Acknowledged(usize, f64),
    Change(usize, Change),
    /// The device has slept until now.
    Woke(usize),
    Wake,
    Shown {
        play: usize,
        who: usize,
        show_at: f64,
        arrived: f64,
    },
}

/// A play on its way, and when each player saw it.
struct Play {
    who: usize,
    /// Whether its card is the lower one of its pair.
    is_lower: bool,
    /// Whether it counted: not while the level had paused.
    counts: bool,
    photo_finish: bool,
    heard: f64,
    left: f64,
    place: usize,
    /// When each player saw it, and would have seen it as it comes.
    seen: Vec<(f64, f64)>,
}

/// A player, and what the server knows of their connection.
struct Player {
    node: Node,
    link: Link,
    /// Whether the page says that its player cannot play.
    says_away: bool,
    /// Whether the server has heard so.
    is_away: bool,
    /// The number of the latest probe, so that there is one series of them.
    probe: u32,
    /// When the player presses.
    presses: Vec<f64>,
    trust: Trust,
}

impl Player {
    fn new(node: Node) -> Self {
        Self {
            node,
            link: Link::default(),
            says_away: false,
            is_away: false,
            probe: 0,
            presses: Vec::new(),
            trust: Trust::default(),
        }
    }
}

struct World {
    tuning: Tuning,
    photo_finish: bool,
    agenda: Agenda<Happening>,
    players: Vec<Player>,
    order: Order<usize, usize>,
    plays: Vec<Play>,
    pairs: Vec<(u32, [usize; 2])>,
    /// How many plays have left the order.
    left: usize,
    show_at: f64,
    held_ms: Vec<f64>,
}

impl World {
    fn new(nodes: Vec<Node>, tuning: Tuning, photo_finish: bool) -> Self {
        let mut world = Self {
            tuning,
            photo_finish,
            agenda: Agenda::default(),
            players: nodes.into_iter().map(Player::new).collect(),
            order: Order::default(),
            plays: Vec::new(),
            pairs: Vec::new(),
            left: 0,
            show_at: 0.0,
            held_ms: Vec::new(),
        };
        // No two players connect at the same time.
        let mut comes = 0.0;
        let people = world.players.iter().enumerate().filter(|(_, player)| !player.node.is_bot);
        for who in people.map(|(who, _)| who).collect::<Vec<_>>() {
            world.at(comes, Happening::Ping(who));
            world.at(comes + 5.0, Happening::Probe(who, 0));
            comes += 37.0;
        }
        world
    }

    fn at(&mut self, at: f64, happening: Happening) {
        self.agenda.add(at, happening);
    }

    fn now(&self) -> f64 {
        self.agenda.now()
    }

    fn pair(&mut self, at: f64, gap_ms: u32, who: [usize; 2], first_is_lower: bool) {
        let first = self.plays.len();
        for (play, (who, after)) in who.into_iter().zip([0.0, f64::from(gap_ms)]).enumerate() {
            let is_lower = (play == 0) == first_is_lower;
            let play = first + play;
            let at = at + after;
            self.plays.push(Play {
                who,
                is_lower,
                counts: true,
                photo_finish: false,
                heard: 0.0,
                left: 0.0,
                place: 0,
                seen: Vec::new(),
            });
            self.players[who].presses.push(at);
            self.at(at, Happening::Press(who, play));
        }
        self.pairs.push((gap_ms, [first, first + 1]));
    }

    fn go(&mut self, end: f64) {
        while let Some(happening) = self.agenda.next(end) {
            self.happen(happening);
        }
    }

    /// Puts off what happens at a device that sleeps.
    fn is_put_off(&mut self, happening: &mut Option<Happening>) -> bool {
        let who = match happening {
            Some(
                Happening::PingHeard(who, ..)
                | Happening::Pong(who, _)
                | Happening::Probe(who, _)
                | Happening::ProbeBack(who, ..)
                | Happening::Press(who, _)
                | Happening::Shown { who, .. },
            ) => *who,
            _ => return false,
        };
        let Some(until) = self.players[who].node.asleep_until(self.now()) else { return false };
        if let Some(Happening::Press(_, play)) = happening {
            self.plays[*play].counts = false;
        }
        if let Some(happening) = happening.take() {
            self.at(until, happening);
        }
        true
    }

    fn happen(&mut self, happening: Happening) {
        let now = self.now();
        let mut happening = Some(happening);
        if self.is_put_off(&mut happening) {
            return;
        }
        let Some(happening) = happening else { return };
        match happening {
            Happening::Ping(who) => {
                let ping = self.players[who].link.pinged(stamp(now));
                let there = self.players[who].node.down.send(now);
                self.at(there, Happening::PingHeard(who, ping, now));
                let every = ms(self.tuning.ping_every);
                let pause =
                    if self.players[who].link.is_settled() { every } else { PAUSE_FIRST_MS };
                self.at(now + pause, Happening::Ping(who));
            }
            Happening::PingHeard(who, ping, sent) => {
                let presses_soon = self.presses_soon(who);
                let node = &mut self.players[who].node;
                let leaves = now + node.waits(presses_soon);
                let acknowledged = node.acknowledged(now, leaves);
                self.at(acknowledged, Happening::Acknowledged(who, sent));
                self.at(leaves, Happening::Pong(who, ping));
            }
            Happening::Pong(who, ping) => {
                let there = self.players[who].node.up.send(now);
                self.at(there, Happening::PongHeard(who, ping));
            }
            Happening::Acknowledged(who, sent) => {
                if let Some(kernel) = &mut self.players[who].node.kernel {
                    kernel.add(now - sent);
                }
            }
            Happening::PongHeard(who, ping) => {
                if let Some(trip) = self.players[who].node.kernel.and_then(Kernel::trip) {
                    self.players[who].link.acknowledged(trip);
                }
                self.players[who].link.ponged(ping, stamp(now));
            }
            Happening::Change(who, change) => self.players[who].node.change(change, now),
            Happening::Woke(who) => {
                self.players[who].node.changed_at = now;
                self.probe(who);
            }
            Happening::AwayHeard(who, away) => self.players[who].is_away = away,
            Happening::Probe(who, number) => {
                if number == self.players[who].probe {
                    self.probe(who);
                }
            }
            Happening::ProbeHeard(who, sent) => {
                let there = self.players[who].node.down.send(now);
                self.at(there, Happening::ProbeBack(who, sent, now));
            }
            Happening::ProbeBack(who, sent, server) => {
                let heard = self.players[who].node.local(now);
                let clock = &mut self.players[who].node.clock;
                let knew = clock.is_certain();
                clock.add(sent, server, heard);
                let is_certain = clock.is_certain();
                if knew && !is_certain {
                    self.turn_away(who, true);
                    self.probe(who);
                } else if is_certain && self.players[who].says_away {
                    self.turn_away(who, false);
                }
            }
            Happening::Press(who, play) if self.players[who].node.is_bot => {
                self.plays[play].heard = now;
                self.order.take(who, Claim::here(stamp(now)), play);
            }
            Happening::Press(who, play) => {
                let node = &mut self.players[who].node;
                // Without a clock nothing is claimed: what lies ahead counts as it arrives.
                let claimed = node.clock.to_server(node.local(now)).unwrap_or(f64::MAX);
                let claimed = stamp(claimed - node.lies_ms);
                let there = node.up.send(now);
                self.at(there, Happening::PressHeard(who, play, claimed, now));
            }
            Happening::PressHeard(who, play, claimed, pressed) => {
                self.heard(who, play, claimed, pressed);
            }
            Happening::Wake => {}
            Happening::Shown { play, who, show_at, arrived } => {
                let node = &self.players[who].node;
                let shows = node.clock.to_local(show_at).map_or(now, |local| node.truth(local));
                self.plays[play].seen.push((shows.max(now), arrived));
            }
        }
        self.release();
    }

    /// A probe leaves, and others after it.
    fn probe(&mut self, who: usize) {
        self.players[who].probe += 1;
        let (now, player) = (self.now(), &mut self.players[who]);
        let (node, number) = (&mut player.node, player.probe);
        let sent = node.local(now);
        let there = node.up.send(now);
        let next = now + node.clock.pause();
        self.at(there, Happening::ProbeHeard(who, sent));
        self.at(next, Happening::Probe(who, number));
    }

    /// The page says that its player cannot play, because it does not know the time, or can again.
    fn turn_away(&mut self, who: usize, away: bool) {
        self.players[who].says_away = away;
        let now = self.now();
        let there = self.players[who].node.up.send(now);
        self.at(there, Happening::AwayHeard(who, away));
    }

    /// Whether a player presses within the next second.
    fn presses_soon(&self, who: usize) -> bool {
        let presses = &self.players[who].presses;
        let next = presses.partition_point(|at| *at < self.now());
        presses.get(next).is_some_and(|at| at - self.now() < 1_000.0)
    }

    /// Whether the referee has paused the level.
    fn is_paused(&self) -> bool {
        let now = stamp(self.now());
        self.players.iter().any(|player| {
            let health = player.link.health(now, &self.tuning);
            player.is_away || matches!(health, Health::Silent { .. } | Health::Unsteady)
        })
    }

    fn heard(&mut self, who: usize, play: usize, claimed: Stamp, pressed: f64) {
        self.plays[play].heard = self.now();
        if self.is_paused() {
            self.plays[play].counts = false;
            return;
        }
        let lag = self.players[who].link.lag();
        let claim = Claim::judge(stamp(self.now()), claimed, lag, &self.tuning);
        let Player { node, trust, .. } = &mut self.players[who];
        if pressed - node.changed_at >= KNOWN_WITHIN_MS {
            trust.presses += 1;
            trust.clamped += u32::from(claim.fit() == Fit::TooEarly);
        }
        trust.gained_ms = trust.gained_ms.max(pressed - claim.press().to_wire());
        trust.bound_ms = trust.bound_ms.max(ms(claim.bound));
        self.order.take(who, claim, play);
    }

    fn release(&mut self) {
        if self.order.waiting().is_empty() {
            return;
        }
        if self.is_paused() {
            for play in self.order.drain() {
                self.plays[play.item].counts = false;
            }
            return;
        }
        let now = stamp(self.now());
        let people = (0..self.players.len()).filter(|who| !self.players[*who].node.is_bot);
        let peers = people.map(|who| {
            let link = &self.players[who].link;
            let dark_since = match link.health(now, &self.tuning) {
                Health::Late { since } => Some(since),
                Health::Well | Health::Silent { .. } | Health::Unsteady => None,
            };
            Peer { dark_since, ..Peer::new(who, link.lag()) }
        });
        let peers = peers.collect::<Vec<_>>();
        let later = peers
            .iter()
            .filter_map(|peer| self.players[peer.who].link.changes_at(now, &self.tuning));
        if let Some(at) = later.min() {
            self.at(at.to_wire(), Happening::Wake);
        }
        loop {
            let plays = &self.plays;
            let mut cost = |first: &Waiting<usize, usize>, next: &Waiting<usize, usize>| {
                let is_pair = first.item / 2 == next.item / 2;
                u8::from(is_pair && plays[next.item].is_lower)
            };
            let cost = self.photo_finish.then_some(&mut cost as PhotoCost<usize, usize>);
            let Some(released) = self.order.release(now, &peers, &self.tuning, cost) else { break };
            let play = released.play;
            self.plays[play.item].photo_finish = released.photo.is_some();
            self.left += 1;
            let lead = lead(peers.iter().map(|peer| peer.lag), &self.tuning);
            self.show_at = self.show_at.max(self.now() + ms(lead));
            let heard = self.plays[play.item].heard;
            self.plays[play.item].left = self.now();
            self.plays[play.item].place = self.left;
            self.held_ms.push(self.now() - heard);
            for who in peers.iter().map(|peer| peer.who) {
                let now = self.now();
                let there = self.players[who].node.down.send(now);
                let (show_at, arrived) = (self.show_at, heard + there - now);
                let shown = Happening::Shown { play: play.item, who, show_at, arrived };
                self.at(there, shown);
            }
        }
        if let Some(at) = self.order.next_at(&peers, &self.tuning, self.photo_finish) {
            self.at(at.to_wire().max(self.now()), Happening::Wake);
        }
    }

    fn seen(self) -> Seen {
        let plays = &self.plays;
        let counted = |(_, [first, second]): &&(u32, [usize; 2])| {
            plays[*first].counts && plays[*second].counts
        };
        let pairs = self.pairs.iter().filter(counted).map(|(gap_ms, [first, second])| {
            let (first, second) = (&plays[*first], &plays[*second]);
            let photo_finish = first.photo_finish || second.photo_finish;
            Pair {
                gap_ms: *gap_ms,
                fair: first.place < second.place || photo_finish,
                arrival: first.heard < second.heard,
                photo_finish,
                honest: [first, second]
                    .iter()
                    .all(|play| self.players[play.who].node.lies_ms == 0.0),
            }
        });
        let pairs = pairs.collect::<Vec<_>>();
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let spread = plays.iter().filter(|play| play.counts).map(|play| {
                let times = play.seen.iter().map(of);
                let (first, last) =
                    times.fold((f64::MAX, 0.0_f64), |(a, b), at| (a.min(at), b.max(at)));
                last - first
            });
            spread.collect()
        };
        let delay = plays.iter().flat_map(|play| &play.seen);
        Seen {
            paused: self.pairs.len() - pairs.len(),
            pairs,
            held_ms: self.held_ms,
            delay_ms: delay.map(|(shown, plain)| shown - plain).collect(),
            spread_ms: spread(|(shown, _)| *shown),
            plain_spread_ms: spread(|(_, plain)| *plain),
            players: self.players.into_iter().map(|player| player.trust).collect(),
        }
    }
}

fn stamp(ms: f64) -> Stamp {
    Stamp::from_wire(ms)
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
