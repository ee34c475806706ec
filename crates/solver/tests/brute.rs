//! The search against brute force: every strategy, without bounds and without symmetry.

use std::collections::HashMap;

use rules::royale::{Code, Pack, Pegs, Row, Triple, Zone, answer};
use solver::{Class, Method, Solver, Stop};

/// Sets of codes as bits, and what every row is answered by each code.
struct Brute {
    /// By row and by answer, the codes that give it.
    classes: Vec<[u128; Pegs::INDEX_MOST]>,
    rows: Vec<Row>,
    memo: HashMap<(u128, [bool; 2], u32), Option<u32>>,
}

/// More rows than any strategy asks that is worth looking at.
const ENOUGH: u32 = 12;

impl Brute {
    fn new(pack: Pack) -> Self {
        let codes = Code::all(pack).collect::<Vec<_>>();
        assert!(codes.len() <= 128);
        let rows = Zone::ALL.iter().flat_map(|zone| Triple::all().map(|row| Row::new(*zone, row)));
        let rows = rows.collect::<Vec<_>>();
        let classes = rows.iter().map(|row| {
            let mut classes = [0; Pegs::INDEX_MOST];
            for (bit, code) in codes.iter().enumerate() {
                classes[answer(row.triple(), code.zone(row.zone())).index()] |= 1 << bit;
            }
            classes
        });
        Self { classes: classes.collect(), rows, memo: HashMap::new() }
    }

    /// The least total over all strategies for these codes that never ask more rows than that, when
    /// some zones may be solved; none if there is no such strategy.
    fn total(&mut self, codes: u128, solved: [bool; 2], left: u32) -> Option<u32> {
        if codes == 0 || solved == [true; 2] {
            return Some(0);
        }
        if left == 0 {
            return None;
        }
        if let Some(total) = self.memo.get(&(codes, solved, left)) {
            return *total;
        }
        let mut best = None::<u32>;
        for row in 0..self.rows.len() {
            let zone = usize::from(self.rows[row].zone() == Zone::Shapes);
            let classes = self.classes[row].map(|class| class & codes);
            let solves = classes[Pegs::SOLVED.index()];
            let tells = classes.iter().filter(|class| **class != 0).count() > 1;
            // A row that neither solves anything nor tells anything leads back here.
            if solved[zone] || (solves == 0 && !tells) {
                continue;
            }
            let after = classes.into_iter().enumerate().map(|(pegs, class)| {
                let mut solved = solved;
                solved[zone] |= pegs == Pegs::SOLVED.index();
                // Without a limit there is one state instead of many.
                self.total(class, solved, if left == ENOUGH { left } else { left - 1 })
            });
            let total = after.sum::<Option<u32>>().map(|after| codes.count_ones() + after);
            best = [best, total].into_iter().flatten().min();
        }
        self.memo.insert((codes, solved, left), best);
        best
    }
}

fn check(pack: Pack) {
    let codes = Code::all(pack).count() as u32;
    let brute = Brute::new(pack).total(u128::MAX >> (128 - codes), [false; 2], ENOUGH);
    for (renaming, bounds) in [(true, true), (false, true), (true, false), (false, false)] {
        let mut solver = Solver::with_method(Method { renaming, bounds });
        let solved = solver.solve(pack, &mut Stop::never()).map(|solution| solution.total);
        assert_eq!(solved, brute, "{pack} with renaming={renaming} bounds={bounds}");
    }
}

#[test]
fn every_class_of_four_cards_is_as_by_brute_force() {
    for class in Class::all(4) {
        check(class.pack());
    }
}

#[test]
fn the_worst_case_of_every_class_of_four_cards_is_as_by_brute_force() {
    for class in Class::all(4) {
        let mut brute = Brute::new(class.pack());
        let all = u128::MAX >> (128 - Code::all(class.pack()).count());
        let least = (1..ENOUGH).find_map(|rows| Some((rows, brute.total(all, [false; 2], rows)?)));
        let mut solver = Solver::default();
        let mut solution = solver.solve(class.pack(), &mut Stop::never()).unwrap();
        assert!(solver.solve_worst(&mut solution, &mut Stop::never()));
        let worst = solution.worst.map(|worst| (worst.rows, worst.total));
        assert_eq!(worst, least, "{}", class.pack());
    }
}

#[test]
fn packs_of_five_and_six_cards_are_as_by_brute_force() {
    for pack in ["A1,A2,B1,B2,C3", "A1,B2,C3,D4,E5", "A1,A2,A3,B1,C2"] {
        check(pack.parse().unwrap());
    }
    check("A1,A2,A3,B1,B2,B3".parse().unwrap());
}
