//! A few hundred games with every fault, and faults of the table that the checks have to find.

use sim::{
    Fault, Faults, Fence, Run, STEPS, Takeovers, Tally, Tamper, shrink, simulate,
    simulate_takeovers,
};

fn run(seed: u64) -> Run {
    Run { seed, faults: Faults::ALL, steps: STEPS, trace: false, tamper: None }
}

#[test]
fn everything_holds_in_some_hundred_games() {
    let mut tally = Tally::default();
    for seed in 0..240 {
        match simulate(run(seed)) {
            Ok(one) => tally += one,
            Err(failure) => panic!("seed {seed}: {}", failure.violation),
        }
    }
    assert!(tally.games >= 240 && tally.acks > 5_000 && tally.moves > 5_000, "{tally}");
    assert!(tally.restarts > 100 && tally.repeats > 200, "{tally}");
    assert!(tally.network_faults > 1_000 && tally.journal_faults > 300, "{tally}");
    assert!(tally.twins > 20 && tally.twin_texts > 500, "twins were not compared: {tally}");
}

#[test]
fn the_same_seed_is_the_same_world() {
    for seed in [3, 16, 77] {
        assert_eq!(simulate(run(seed)).unwrap(), simulate(run(seed)).unwrap());
    }
}

#[test]
fn nothing_fails_where_nothing_goes_wrong() {
    for seed in 0..20 {
        let tally = simulate(Run { faults: Faults::NONE, ..run(seed) }).unwrap();
        assert_eq!((tally.network_faults, tally.journal_faults, tally.restarts), (0, 0, 0));
    }
}

#[test]
fn each_fault_of_a_table_is_found() {
    for tamper in Tamper::ALL {
        let found =
            (0..60).find(|seed| simulate(Run { tamper: Some(tamper), ..run(*seed) }).is_err());
        assert!(found.is_some(), "{tamper:?} was not found in 60 tables");
    }
}

#[test]
fn a_failure_is_made_smaller_and_stays_a_failure() {
    let tampered = Run { tamper: Some(Tamper::DropRefusals), ..run(0) };
    let mut failing = (0..60).map(|seed| Run { seed, ..tampered });
    let (run, failure) = failing
        .find_map(|run| simulate(run).err().map(|failure| (run, failure)))
        .expect("a refusal that is not sent is found");
    let (small, violation) = shrink(run, &failure.violation);
    assert!(small.faults.iter().count() < Fault::ALL.len(), "{}", small.faults);
    assert!(simulate(small).is_err_and(|again| again.violation.text == violation.text));
}

#[test]
fn a_table_has_one_owner_at_a_time() {
    let mut all = Takeovers::default();
    for seed in 0..150 {
        match simulate_takeovers(seed, Fence::Kept) {
            Ok(one) => all += one,
            Err(wrong) => panic!("{wrong}"),
        }
    }
    assert!(all.takeovers > 2_000 && all.rivalries > 100 && all.refused > 100, "{all}");
    assert!(all.moves > 10_000 && all.faults > 2_000, "{all}");
}

#[test]
fn a_broken_fence_is_found() {
    let found = (0..20).find(|seed| simulate_takeovers(*seed, Fence::Broken).is_err());
    assert!(found.is_some(), "two owners wrote to one table, and it was not found");
}
