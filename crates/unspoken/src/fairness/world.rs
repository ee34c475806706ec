//! One table in the simulation: events in the order of their time, from the first probe to the
//! last card that is seen. Time is in milliseconds of the server's clock, which is the truth here.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use table::fair::{Claim, Fit, Link, Order, Peer, Ping, Stamp, Tuning, lead};

use super::network::Node;
use super::scenario::Scenario;

/// A pair of presses and the order in which they counted.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub gap_ms: u32,
    /// Whether the one who pressed first came first.
    pub fair: bool,
    /// Whether they would have by the arrival of packets.
    pub arrival: bool,
}

/// What one run showed.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub pairs: Vec<Pair>,
    /// From its arrival to its leaving the order, for each play.
    pub held_ms: Vec<f64>,
    /// How much later a card was seen than without fair time, for each play and player.
    pub delay_ms: Vec<f64>,
    /// From the first to the last player who saw a card.
    pub spread_ms: Vec<f64>,
    /// The same if cards were shown as they come.
    pub plain_spread_ms: Vec<f64>,
    pub players: Vec<Trust>,
}

/// The results of one player's claims.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trust {
    pub presses: u32,
    /// How many claims reached back further than believed.
    pub clamped: u32,
    /// The most by which a press counted as earlier than it was.
    pub gained_ms: f64,
    /// The largest bound.
    pub bound_ms: f64,
}

/// Plays one run of a scenario.
pub fn run(scenario: &Scenario, tuning: &Tuning, number: u32) -> Seen {
    let mut rng = ChaCha12Rng::seed_from_u64(scenario.seed << 32 | u64::from(number));
    let nodes = scenario.players.iter().map(|player| Node::draw(player, &mut rng)).collect();
    let mut world = World::new(nodes, *tuning);
    let mut at = scenario.settle_s * 1_000.0;
    for _ in 0..scenario.pairs {
        let gap_ms = scenario.gaps_ms[rng.random_range(0..scenario.gaps_ms.len())];
        let first = rng.random_range(0..world.nodes.len());
        let other = rng.random_range(1..world.nodes.len());
        world.pair(at, gap_ms, [first, (first + other) % world.nodes.len()]);
        at += scenario.pause_s * 1_000.0 * rng.random_range(0.9..1.1);
    }
    world.go(at + 5_000.0);
    world.seen()
}

enum Happening {
    Ping(usize),
    PingHeard(usize, Ping),
    PongHeard(usize, Ping),
    Probe(usize),
    ProbeHeard(usize, f64),
    ProbeBack(usize, f64, f64),
    Press(usize, usize),
    PressHeard(usize, usize, Stamp, f64),
    Wake,
    Shown { play: usize, who: usize, show_at: f64, arrived: f64 },
}

/// A play on its way, and when each player saw it.
struct Play {
    heard: f64,
    left: f64,
    place: usize,
    /// When each player saw it, and would have seen it as it comes.
    seen: Vec<(f64, f64)>,
}

struct World {
    tuning: Tuning,
    nodes: Vec<Node>,
    links: Vec<Link>,
    order: Order<usize, usize>,
    /// What is to come: when, and its number, which keeps equal times in order.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
    happenings: Vec<Option<Happening>>,
    now: f64,
    show_at: f64,
    left: usize,
    plays: Vec<Play>,
    pairs: Vec<(u32, [usize; 2])>,
    held_ms: Vec<f64>,
    trust: Vec<Trust>,
}

impl World {
    fn new(nodes: Vec<Node>, tuning: Tuning) -> Self {
        let count = nodes.len();
        let mut world = Self {
            tuning,
            nodes,
            links: vec![Link::default(); count],
            order: Order::default(),
            queue: BinaryHeap::new(),
            happenings: Vec::new(),
            now: 0.0,
            show_at: 0.0,
            left: 0,
            plays: Vec::new(),
            pairs: Vec::new(),
            held_ms: Vec::new(),
            trust: vec![Trust::default(); count],
        };
        // No two players connect at the same time.
        let mut comes = 0.0;
        for who in 0..count {
            world.at(comes, Happening::Ping(who));
            world.at(comes + 5.0, Happening::Probe(who));
            comes += 37.0;
        }
        world
    }

    fn at(&mut self, at: f64, happening: Happening) {
        self.queue.push(Reverse((stamp(at).micros(), self.happenings.len())));
        self.happenings.push(Some(happening));
    }

    fn pair(&mut self, at: f64, gap_ms: u32, who: [usize; 2]) {
        let first = self.plays.len();
        for (play, (who, after)) in who.into_iter().zip([0.0, f64::from(gap_ms)]).enumerate() {
            let play = first + play;
            self.plays.push(Play { heard: 0.0, left: 0.0, place: 0, seen: Vec::new() });
            self.at(at + after, Happening::Press(who, play));
        }
        self.pairs.push((gap_ms, [first, first + 1]));
    }

    fn go(&mut self, end: f64) {
        while let Some(Reverse((micros, number))) = self.queue.pop() {
            self.now = Stamp::from_micros(micros).to_wire();
            if self.now > end {
                break;
            }
            if let Some(happening) = self.happenings[number].take() {
                self.happen(happening);
            }
        }
    }

    fn happen(&mut self, happening: Happening) {
        let now = self.now;
        match happening {
            Happening::Ping(who) => {
                let ping = self.links[who].pinged(stamp(now));
                let there = self.nodes[who].down.send(now);
                self.at(there, Happening::PingHeard(who, ping));
                let every = self.tuning.ping_every.as_secs_f64() * 1_000.0;
                self.at(now + every, Happening::Ping(who));
            }
            Happening::PingHeard(who, ping) => {
                let there = self.nodes[who].up.send(now);
                self.at(there, Happening::PongHeard(who, ping));
            }
            Happening::PongHeard(who, ping) => {
                self.links[who].ponged(ping, stamp(now));
            }
            Happening::Probe(who) => {
                let sent = self.nodes[who].local(now);
                let there = self.nodes[who].up.send(now);
                self.at(there, Happening::ProbeHeard(who, sent));
                let pause = self.nodes[who].clock.pause();
                self.at(now + pause, Happening::Probe(who));
            }
            Happening::ProbeHeard(who, sent) => {
                let there = self.nodes[who].down.send(now);
                self.at(there, Happening::ProbeBack(who, sent, now));
            }
            Happening::ProbeBack(who, sent, server) => {
                let heard = self.nodes[who].local(now);
                self.nodes[who].clock.add(sent, server, heard);
            }
            Happening::Press(who, play) => {
                let node = &mut self.nodes[who];
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
                let node = &self.nodes[who];
                let shows = node.clock.to_local(show_at).map_or(now, |local| node.truth(local));
                self.plays[play].seen.push((shows.max(now), arrived));
            }
        }
        self.release();
    }

    fn heard(&mut self, who: usize, play: usize, claimed: Stamp, pressed: f64) {
        let lag = self.links[who].lag();
        let claim = Claim::judge(stamp(self.now), claimed, lag, &self.tuning);
        let trust = &mut self.trust[who];
        trust.presses += 1;
        trust.clamped += u32::from(claim.fit() == Fit::TooEarly);
        trust.gained_ms = trust.gained_ms.max(pressed - claim.press().to_wire());
        trust.bound_ms = trust.bound_ms.max(ms(claim.bound));
        self.plays[play].heard = self.now;
        self.order.take(who, claim, play);
    }

    fn release(&mut self) {
        if self.order.waiting().is_empty() {
            return;
        }
        let peers = self.links.iter().enumerate();
        let peers = peers.map(|(who, link)| Peer::new(who, link.lag())).collect::<Vec<_>>();
        let now = stamp(self.now);
        while let Some(released) = self.order.release(now, &peers, &self.tuning, None) {
            let play = released.play;
            self.left += 1;
            let lead = lead(peers.iter().map(|peer| peer.lag), &self.tuning);
            self.show_at = self.show_at.max(self.now + ms(lead));
            let heard = self.plays[play.item].heard;
            self.plays[play.item].left = self.now;
            self.plays[play.item].place = self.left;
            self.held_ms.push(self.now - heard);
            for who in 0..self.nodes.len() {
                let there = self.nodes[who].down.send(self.now);
                let (show_at, arrived) = (self.show_at, heard + there - self.now);
                let shown = Happening::Shown { play: play.item, who, show_at, arrived };
                self.at(there, shown);
            }
        }
        if let Some(at) = self.order.next_at(&peers, &self.tuning, false) {
            self.at(at.to_wire().max(self.now), Happening::Wake);
        }
    }

    fn seen(self) -> Seen {
        let plays = &self.plays;
        let pairs = self.pairs.iter().map(|(gap_ms, [first, second])| Pair {
            gap_ms: *gap_ms,
            fair: plays[*first].place < plays[*second].place,
            arrival: plays[*first].heard < plays[*second].heard,
        });
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let spread = plays.iter().map(|play| {
                let times = play.seen.iter().map(of);
                let (first, last) =
                    times.fold((f64::MAX, 0.0_f64), |(a, b), at| (a.min(at), b.max(at)));
                last - first
            });
            spread.collect()
        };
        let delay = plays.iter().flat_map(|play| &play.seen);
        Seen {
            pairs: pairs.collect(),
            held_ms: self.held_ms,
            delay_ms: delay.map(|(shown, plain)| shown - plain).collect(),
            spread_ms: spread(|(shown, _)| *shown),
            plain_spread_ms: spread(|(_, plain)| *plain),
            players: self.trust,
        }
    }
}

fn stamp(ms: f64) -> Stamp {
    Stamp::from_wire(ms)
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
