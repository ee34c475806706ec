//! What is known of whole packs, and what the tablebase says.

use std::collections::BTreeMap;

use rules::kit::{Chance, Seed};
use rules::royale::{Code, Pack, Possible, Row, Zone, answer};
use solver::{
    Advice, Aim, Breakers, Class, Method, Position, Solver, Stop, Tablebase, play, shipped,
};

fn pack(chance: &mut Chance, size: usize) -> Pack {
    let mut cards = Pack::WHOLE.iter().collect::<Vec<_>>();
    chance.draw(&mut cards, size).iter().copied().collect()
}

fn total(solver: &mut Solver, pack: Pack) -> u32 {
    solver.solve(pack, &mut Stop::never()).expect("nothing stops it").total
}

fn advise(solver: &mut Solver, position: &Position, stop: &mut Stop) -> Advice {
    solver.advise(position, Aim::Mean, stop).expect("there is something to ask")
}

#[test]
fn the_whole_pack_takes_97982_rows_and_never_more_than_nine() {
    let mut solver = Solver::default();
    let mut solution = solver.solve(Pack::WHOLE, &mut Stop::never()).unwrap();
    assert_eq!(solution.total, 97_982);
    assert!(solver.solve_worst(&mut solution, &mut Stop::never()));
    let worst = solution.worst.unwrap();
    assert_eq!((worst.rows, worst.total), (9, 97_982));
    let played = play(&solution.tree, solution.class.pack()).unwrap();
    assert_eq!((played.total, played.worst), (97_982, 9));
}

#[test]
fn a_match_meets_1003_classes() {
    let counts = Class::SIZES.map(|size| Class::all(size).len());
    assert_eq!(counts, [1, 4, 39, 198, 399, 280, 72, 10]);
}

#[test]
fn every_shipped_tree_takes_the_total_that_is_said() {
    for solution in shipped().iter() {
        assert_eq!(solution.verify(), Ok(()), "{}", solution.class.pack());
        if let Some(worst) = solution.worst {
            assert!(worst.total >= solution.total);
            let played = play(&solution.tree, solution.class.pack()).unwrap();
            assert!(worst.total > solution.total || played.worst == worst.rows);
        }
    }
    for size in [4, 7, 10, 22, 25] {
        let solved = Class::all(size).iter().filter(|class| shipped().get(**class).is_some());
        assert_eq!(solved.count(), Class::all(size).len(), "of {size} cards");
    }
}

#[test]
fn the_shipped_totals_are_those_of_a_search() {
    let mut solver = Solver::default();
    for size in [4, 7] {
        for class in Class::all(size).iter().step_by(5) {
            let said = shipped().get(*class).map(|solution| solution.total);
            assert_eq!(Some(total(&mut solver, class.pack())), said, "{}", class.pack());
        }
    }
}

#[test]
fn symmetry_and_bounds_change_nothing() {
    let mut chance = Chance::new(Seed::from(6), 0);
    for size in [5, 5, 5, 6, 6] {
        let pack = pack(&mut chance, size);
        let found = [(true, true), (false, true), (true, false), (false, false)].map(
            |(renaming, bounds)| total(&mut Solver::with_method(Method { renaming, bounds }), pack),
        );
        assert_eq!(found, [found[0]; 4], "{pack}");
    }
    for size in [7, 7] {
        let pack = pack(&mut chance, size);
        let found = [true, false].map(|renaming| {
            total(&mut Solver::with_method(Method { renaming, bounds: true }), pack)
        });
        assert_eq!(found[0], found[1], "{pack}");
    }
}

/// Renames colours by one order and shapes by another, and swaps them.
#[test]
fn other_names_change_nothing() {
    let mut chance = Chance::new(Seed::from(7), 0);
    for _ in 0..5 {
        let pack = pack(&mut chance, 7);
        let (class, renaming) = Class::of(pack);
        assert_eq!(Class::of(class.pack()).0, class);
        let mut solver = Solver::default().without_tablebase();
        let found = advise(&mut solver, &Position::of(pack), &mut Stop::never());
        assert_eq!(found.most, total(&mut solver, class.pack()), "{pack}");
        assert_eq!(renaming.restore(renaming.rename(found.row)), found.row);
    }
}

/// Plays the advice against every code: the rows are as many as were promised.
#[test]
fn advice_keeps_what_it_promises() {
    let mut chance = Chance::new(Seed::from(9), 0);
    for remembers in [true, false] {
        let pack = pack(&mut chance, 7);
        let mut solver = Solver::default();
        if !remembers {
            solver = solver.without_tablebase();
        }
        let promised = advise(&mut solver, &Position::of(pack), &mut Stop::never());
        assert!(promised.is_exact());
        let rows = Code::all(pack).map(|code| {
            let mut position = Position::of(pack);
            let mut rows = 0;
            while Zone::ALL.iter().any(|zone| position.rows()[*zone].are_open()) {
                let row = advise(&mut solver, &position, &mut Stop::never()).row;
                position = position.and_after(row, answer(row.triple(), code.zone(row.zone())));
                rows += 1;
            }
            rows
        });
        assert_eq!(rows.sum::<u32>(), promised.most, "{pack}");
    }
}

#[test]
fn a_limit_leaves_bounds_that_hold() {
    let mut chance = Chance::new(Seed::from(10), 0);
    for steps in [1, 50, 400, 2_000] {
        let position = Position::of(pack(&mut chance, 10));
        let exact = advise(&mut Solver::default(), &position, &mut Stop::never());
        let stop = &mut Stop::after_steps(steps);
        let limited = advise(&mut Solver::default().without_tablebase(), &position, stop);
        assert!(limited.least <= exact.least && exact.most <= limited.most, "{steps} steps");
    }
}

#[test]
fn the_worst_case_comes_first_if_that_is_asked() {
    let mut chance = Chance::new(Seed::from(11), 0);
    let position = Position::of(pack(&mut chance, 7));
    let mut solver = Solver::default();
    let mean = advise(&mut solver, &position, &mut Stop::never());
    let worst = solver.advise(&position, Aim::Worst, &mut Stop::never()).unwrap();
    assert!(worst.worst.is_some_and(|rows| (5..=7).contains(&rows)), "{worst:?}");
    assert!(worst.most >= mean.most && worst.is_exact());
}

/// One zone for itself: with nothing known of the other one, and all 125 triples equally likely,
/// that would be 451 rows; the whole pack makes triples with more shapes likelier.
#[test]
fn one_zone_alone_takes_the_other_ones_answers_into_account() {
    let mut solver = Solver::default();
    let position = Position::of("A1,A2,B1,B3,C2,C4".parse().unwrap());
    let blind = solver.advise_zone(&position, Zone::Colours, &mut Stop::never()).unwrap();
    assert!(blind.is_exact());
    let row = "112".parse::<Row>().unwrap();
    let code = "A1,B1,A2".parse::<Code>().unwrap();
    let answered = position.and_after(row, answer(row.triple(), code.shapes()));
    let after = solver.advise_zone(&answered, Zone::Colours, &mut Stop::never()).unwrap();
    assert!(after.is_exact() && after.expected().1 < blind.expected().1, "{after:?} {blind:?}");
}

#[test]
fn a_judge_finds_no_fault_with_best_rows() {
    let pack = "A1,A2,B1,B3,C2,C4,D5".parse::<Pack>().unwrap();
    let code = "C4,A2,B1".parse::<Code>().unwrap();
    let mut solver = Solver::default();
    let mut position = Position::of(pack);
    let mut asked = Vec::new();
    while let Some(advice) = solver.advise(&position, Aim::Mean, &mut Stop::never()) {
        let pegs = answer(advice.row.triple(), code.zone(advice.row.zone()));
        asked.push((advice.row, pegs));
        position = position.and_after(advice.row, pegs);
    }
    let judged = solver.judge(pack, Breakers::One, &asked, Stop::never);
    assert_eq!(judged.len(), asked.len());
    assert!(judged.iter().all(solver::Judged::is_best), "{judged:?}");
    assert_eq!(judged.last().map(|last| last.codes_after), Some(1));
}

#[test]
fn a_judge_counts_what_a_wasted_row_costs() {
    let pack = "A1,A2,B1,B3,C2,C4,D5".parse::<Pack>().unwrap();
    let wasted = "EEE".parse::<Row>().unwrap();
    let code = "C4,A2,B1".parse::<Code>().unwrap();
    let pegs = answer(wasted.triple(), code.colours());
    let judged = Solver::default().judge(pack, Breakers::One, &[(wasted, pegs)], Stop::never);
    let (least, most) = judged[0].cost();
    assert!((least - 1.0).abs() < 1e-9 && (most - 1.0).abs() < 1e-9, "{judged:?}");
    assert_eq!(judged[0].codes_before, judged[0].codes_after);
    assert_eq!(judged[0].after, judged[0].best.expected(), "all is as before");
}

/// What is to be expected before an answer is the mean of what is to be expected after it.
#[test]
fn a_judge_of_two_breakers_looks_at_a_zone_alone() {
    let pack = "A1,A2,B1,B3,C2,C4,D5".parse::<Pack>().unwrap();
    let mut solver = Solver::default();
    let codes = Possible::of(pack).codes().collect::<Vec<_>>();
    for row in ["ABC", "124"].map(|row| row.parse::<Row>().unwrap()) {
        let answers = codes.iter().map(|code| answer(row.triple(), code.zone(row.zone())));
        let mut counts = BTreeMap::new();
        answers.for_each(|pegs| counts.entry(pegs.to_string()).or_insert((pegs, 0u32)).1 += 1);
        let (mut sum, mut expected) = (0.0, 0.0);
        for (pegs, count) in counts.into_values() {
            let judged = solver.judge(pack, Breakers::Two, &[(row, pegs)], Stop::never);
            sum += f64::from(count) * (1.0 + judged[0].after.0);
            expected = judged[0].expected.0;
            assert_eq!(judged[0].best.row.zone(), row.zone());
        }
        let mean = sum / codes.len() as f64;
        assert!((mean - expected).abs() < 1e-9, "{row}: {mean} and {expected}");
    }
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let bytes = shipped().write();
    assert_eq!(Tablebase::read(&bytes).as_ref(), Ok(&(shipped().clone(), bytes.len())));
    // An incomplete record at the end is ignored, and damage in the middle is an error.
    let torn = Tablebase::read(&bytes[..bytes.len() - 3]).unwrap();
    assert_eq!(torn.0.iter().count(), shipped().iter().count() - 1);
    let mut damaged = bytes.clone();
    damaged[30] ^= 1;
    assert!(Tablebase::read(&damaged).is_err());
    assert!(Tablebase::read(b"something else").is_err());
}
