//! Depth-first branch and bound for the least total of rows over all codes of a state.

use super::board::{Board, State};
use super::bound::{Extent, capacity};
use super::choice::Choices;
use super::geometry::{ANSWERS, Members, SOLVED, TRIPLES, geometry};
use super::key::Key;
use super::one::{LEAST, One};
use super::table::{Known, Table};

/// What is kept from one search to the next, whatever the pack.
pub struct Search {
    pub one: One,
    pub choices: Choices,
    pub table: Table,
}

/// A search on one board.
pub struct Run<'a> {
    pub search: &'a mut Search,
    pub board: &'a Board,
    pub stop: &'a mut dyn FnMut() -> bool,
    pub stopped: bool,
    pub nodes: u64,
    pub expanded: u64,
    pub stats: [[f64; 6]; 16],
    pub trace: bool,
    pub look: bool,
}

#[derive(Clone, Copy, Default)]
struct Node {
    state: State,
    key: Key,
    least: u32,
    most: u32,
    fresh: bool,
}

struct Candidate {
    least: u32,
    order: u32,
    zone: u8,
    row: u8,
    /// By answer, the least total after it.
    parts: [u16; ANSWERS],
}

impl Run<'_> {
    pub fn solve(&mut self, state: State, beta: u32) -> u32 {
        let node = self.node(state);
        self.value(&node, beta, 0)
    }

    fn closed(&mut self, state: &State) -> Option<u32> {
        let [m, k] = state.sets.map(u128::count_ones);
        if state.codes <= 2 {
            return Some([0, 2, 5][state.codes as usize]);
        }
        if state.codes == 3 && m * k > 3 {
            return Some(8 + u32::from(m == 3 && k == 3 && !three(state)));
        }
        (m * k == state.codes)
            .then(|| k * self.search.one.total(state.sets[0]) + m * self.search.one.total(state.sets[1]))
    }

    fn node(&mut self, state: State) -> Node {
        if let Some(total) = self.closed(&state) {
            return Node { state, key: Key::default(), least: total, most: total, fresh: false };
        }
        let key = Key::of(self.board, &state, 0);
        if let Some(Known { least, most }) = self.search.table.get(&key) {
            return Node { state, key, least, most, fresh: false };
        }
        let least = self.zones(&state);
        Node { state, key, least, most: u32::MAX, fresh: true }
    }

    /// With one zone known from the start, each triple of it leaves a task in the other zone alone.
    fn zones(&mut self, state: &State) -> u32 {
        let mut total = 0;
        let mut degrees = [0; 2];
        for zone in 0..2 {
            for member in Members::of(state.sets[zone]).as_slice() {
                let with = self.board.with[zone][usize::from(*member)] & state.sets[1 - zone];
                total += self.search.one.total(with);
                degrees[zone] = degrees[zone].max(with.count_ones());
            }
        }
        let triples = state.sets.map(u128::count_ones);
        total.max(capacity(Extent { codes: state.codes, triples, degrees }))
    }

    /// Hands every row worth trying to `each`, until it returns false.
    fn candidates(&mut self, state: &State, mut each: impl FnMut(Candidate) -> bool) {
        let geometry = geometry();
        let triples = state.sets.map(u128::count_ones);
        let members = state.sets.map(Members::of);
        let mut degree = [[0u16; TRIPLES]; 2];
        let mut most = [0u16; 2];
        for zone in 0..2 {
            for (i, member) in members[zone].as_slice().iter().enumerate() {
                let with = self.board.with[zone][usize::from(*member)] & state.sets[1 - zone];
                degree[zone][i] = with.count_ones() as u16;
                most[zone] = most[zone].max(degree[zone][i]);
            }
        }
        for zone in 0..2 {
            let other = 1 - zone;
            let list = members[zone].as_slice();
            if list.len() == 1 {
                continue;
            }
            let span = self.search.choices.of(state.sets[zone]);
            for row in self.search.choices.rows(span) {
                let answers = &geometry.answer[usize::from(*row)];
                let mut parts = [Part::default(); 16];
                for (member, degree) in list.iter().zip(&degree[zone]) {
                    let part = &mut parts[usize::from(answers[usize::from(*member)] & 15)];
                    part.codes += degree;
                    part.triples += 1;
                    part.degree = part.degree.max(*degree);
                }
                let solved = LEAST[usize::from(parts[SOLVED].codes)];
                let mut candidate = Candidate { least: state.codes + solved, order: 0, zone: zone as u8, row: *row, parts: [0; ANSWERS] };
                for (part, after) in parts[1..ANSWERS].iter().zip(&mut candidate.parts[1..]) {
                    if part.triples == 0 {
                        continue;
                    }
                    let codes = u32::from(part.codes);
                    let own = u32::from(part.triples);
                    // Capacity is the same whichever zone comes first.
                    let least = capacity(Extent {
                        codes,
                        triples: [own, triples[other].min(codes)],
                        degrees: [u32::from(part.degree), u32::from(most[other]).min(own)],
                    });
                    *after = least as u16;
                    candidate.least += least;
                    candidate.order += DISORDER[part.codes as usize];
                }
                if !each(candidate) {
                    return;
                }
            }
        }
    }

    /// A bound by looking one row ahead, if that is more than what is known.
    fn look(&mut self, node: &Node) -> u32 {
        let mut least = u32::MAX;
        self.candidates(&node.state, |candidate| {
            least = least.min(candidate.least);
            least > node.least
        });
        least.max(node.least)
    }

    fn value(&mut self, node: &Node, beta: u32, depth: u32) -> u32 {
        if node.least == node.most || node.least >= beta {
            return node.least;
        }
        self.nodes += 1;
        if self.nodes % 256 == 0 && (self.stop)() {
            self.stopped = true;
        }
        if self.stopped {
            return node.least;
        }
        let state = &node.state;
        let mut candidates = Vec::with_capacity(250);
        self.candidates(state, |candidate| {
            candidates.push(candidate);
            true
        });
        if state.codes < 64 {
            candidates.sort_unstable_by_key(|c| (c.least, c.order));
        } else {
            candidates.sort_unstable_by_key(|c| (c.order, c.least));
        }
        let mut best = beta.min(node.most.saturating_add(1));
        let mut low = u32::MAX;
        let mut first = 0;
        for candidate in &candidates {
            if candidate.least >= best {
                low = low.min(candidate.least);
                continue;
            }
            first += 1;
            self.expanded += 1;
            let (zone, row) = (usize::from(candidate.zone), usize::from(candidate.row));
            let mut kids = [Node::default(); ANSWERS];
            let mut open = 0;
            let mut sum = candidate.least;
            if state.sets[zone] >> row & 1 == 1 {
                let rest = self.board.with[zone][row] & state.sets[1 - zone];
                sum += self.search.one.total(rest) - LEAST[rest.count_ones() as usize];
            }
            for (class, least) in geometry().class[row].iter().zip(candidate.parts).skip(1) {
                let part = state.sets[zone] & class;
                if part == 0 {
                    continue;
                }
                let mut sets = state.sets;
                sets[zone] = part;
                let mut kid = self.node(self.board.state(sets));
                kid.least = kid.least.max(u32::from(least));
                sum += kid.least - u32::from(least);
                if kid.least != kid.most {
                    kids[open] = kid;
                    open += 1;
                }
                if sum >= best {
                    break;
                }
            }
            if sum < best {
                let kids = &mut kids[..open];
                kids.sort_unstable_by_key(|kid| kid.state.codes);
                if self.look {
                for kid in kids.iter_mut() {
                    if !kid.fresh { continue; }
                    let l = self.look(kid);
                    sum += l - kid.least; kid.least = l; 
                    self.search.table.insert(&kid.key, kid.state.codes, Known { least: l, most: kid.most });
                    if sum >= best { break; }
                } 
                if sum >= best { low = low.min(sum); continue; }
                }
                for kid in kids.iter() {
                    let value = self.value(kid, best - (sum - kid.least), depth + 1);
                    sum = sum - kid.least + value;
                    if sum >= best {
                        break;
                    }
                }
                if self.stopped {
                    return node.least;
                }
            }
            if sum < best {
                best = sum;
                if depth == 0 && self.trace {
                    eprintln!("  best {best} zone {zone} row {row} nodes {}", self.nodes);
                }
            } else {
                low = low.min(sum);
            }
        }
        if best >= beta && low == u32::MAX { panic!("{:?} beta {beta} cands {} least {} most {}", node.state, candidates.len(), node.least, node.most); }
        let known = if best < beta {
            Known { least: best, most: best }
        } else {
            Known { least: low.max(node.least).max(beta), most: u32::MAX }
        };
        if known.least < node.least { panic!("{:x?} {:?} least {} found {} zones {} table {:?}", node.state, node.state.sets.map(|x| Members::of(x).as_slice().to_vec()), node.least, known.least, self.zones(&node.state), self.search.table.get(&node.key)); }
        self.search.table.insert(&node.key, state.codes, known);
        let q = &mut self.stats[state.codes.ilog2() as usize];
        let n = f64::from(state.codes);
        q[0] += 1.0;
        q[1] += f64::from(known.least - node.least) / n;
        q[2] += f64::from(u8::from(best < beta));
        q[3] += f64::from(state.sets[0].count_ones());
        q[4] += f64::from(state.sets[1].count_ones());
        q[5] += f64::from(candidates.iter().map(|c| c.least).min().unwrap().saturating_sub(node.least)) / n;
        known.least
    }
}

#[derive(Clone, Copy, Default)]
struct Part {
    codes: u16,
    degree: u16,
    triples: u8,
}

/// By a number of codes, how much is unknown among so many, in sixteenths of a nat each.
static DISORDER: std::sync::LazyLock<Vec<u32>> = std::sync::LazyLock::new(|| {
    (0..=13_800u32).map(|n| (f64::from(n) * f64::from(n.max(1)).ln() * 16.0) as u32).collect()
});

/// Whether three codes that differ in both zones are told apart by one of their own rows.
fn three(state: &State) -> bool {
    state.sets.iter().any(|set| {
        let members = Members::of(*set);
        members.as_slice().iter().any(|row| {
            let answers = &geometry().answer[usize::from(*row)];
            let got = members.as_slice().iter().map(|member| answers[usize::from(*member)]);
            let got = got.fold(0u16, |all, answer| all | 1 << answer);
            got.count_ones() == 3
        })
    })
}
