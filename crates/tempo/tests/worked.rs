//! Worked levels of each game, from their events in notation.
#![allow(clippy::cast_sign_loss, reason = "small numbers, none negative")]

use std::str::FromStr;

use rules::extreme::Extreme;
use rules::kit::Moment;
use rules::mind::Mind;
use rules::soulmates::Soulmates;
use tempo::{Incident, Lane, Tempo, Timed, of};

/// Events as the notation writes them, each behind its second.
fn timed<G: Timed>(setup: &str, events: &[(f64, &str)]) -> Tempo
where
    G::Setup: FromStr<Err: std::fmt::Debug>,
{
    let at = |seconds: f64| Moment::from_micros((seconds * 1e6).round() as u64);
    let event = |(seconds, text): &(f64, &str)| {
        let event = text.parse::<G::Event>();
        (at(*seconds), event.unwrap_or_else(|e| panic!("{text}: {e}")))
    };
    of::<G>(&setup.parse().unwrap(), events.iter().map(event))
}

fn seconds(at: Moment) -> f64 {
    Moment::START.until(at).as_secs_f64()
}

#[test]
fn a_level_of_the_mind() {
    let tempo = timed::<Mind>(
        "players=2",
        &[
            (0.0, "dealt 2 10,50/20,51"),
            (5.0, "begun"),
            (15.0, "played A10"),
            (25.0, "played B20"),
            (30.0, "stopped A"),
            (90.0, "begun"),
            (120.0, "played A50"),
            (120.14, "played B51"),
            (120.14, "completed 2 star"),
        ],
    );
    let level = &tempo.levels[0];
    assert_eq!((level.level, level.complete, level.plays.len()), (2, true, 4));
    // A minute of focus is not counted.
    let times = level.plays.iter().map(|play| seconds(play.at)).collect::<Vec<_>>();
    assert_eq!(times, [10.0, 20.0, 55.0, 55.14]);
    assert_eq!(level.marks[0].incident, Incident::Stop);
    assert!((seconds(level.marks[0].at) - 25.0).abs() < 1e-9);
    let closest = level.closest.unwrap();
    assert_eq!((closest.first.number(), closest.next.number()), (50, 51));
    assert_eq!(closest.apart, Moment::from_millis(140));
    // A waits 10 s for 10 numbers, B the same, then A 30 s for 30: all in step. Neighbours do not
    // count, and waits of players who did not play do.
    let sync = level.sync.unwrap();
    assert!(sync.score > 99.0, "{sync:?}");
    assert_eq!((sync.plays, sync.waits), (3, 5));
    assert_eq!(level.curves.len(), 1);
}

#[test]
fn a_mistake_is_marked_and_costs() {
    let in_step =
        [(0.0, "dealt 2 10,50/20,80"), (0.0, "begun"), (10.0, "played A10"), (20.0, "played B20")];
    let rest = [(50.0, "played A50"), (80.0, "played B80")];
    let right = timed::<Mind>("players=2", &[&in_step[..], &rest[..]].concat());
    let wrong = [(25.0, "played B80"), (25.0, "erred 50/-")];
    let wrong = timed::<Mind>("players=2", &[&in_step[..], &wrong[..]].concat());
    let level = &wrong.levels[0];
    assert!(level.plays.last().unwrap().mistake && !level.complete);
    assert_eq!(level.marks.last().unwrap().incident, Incident::Mistake);
    let (right, wrong) = (right.sync.unwrap().score, level.sync.unwrap().score);
    assert!(right > 95.0 && wrong < right - 20.0, "{right} {wrong}");
}

#[test]
fn both_piles_of_extreme() {
    let tempo = timed::<Extreme>(
        "players=2",
        &[
            (0.0, "dealt 2 w10,r45/w20,r30"),
            (0.0, "begun"),
            (6.0, "played A r45"),
            (10.0, "played A w10"),
            (20.0, "played B w20"),
            (21.0, "played B r30"),
            (21.0, "completed 2 star one_sided=-"),
        ],
    );
    let level = &tempo.levels[0];
    assert_eq!(level.curves.len(), 2);
    assert_eq!(level.plays[0].lane, Lane::Red);
    // Red goes down: 45 is six from the top, and 30 fifteen further.
    let sync = level.sync.unwrap();
    assert!(sync.score > 99.0, "{sync:?}");
}

#[test]
fn attempts_of_soulmates_are_told_apart() {
    let tempo = timed::<Soulmates>(
        "players=2",
        &[
            (0.0, "next 1 A"),
            (0.0, "dealt 10,30/20,40"),
            (0.0, "begun"),
            (10.0, "played A10"),
            (20.0, "played B20"),
            (50.0, "played B40"),
            (60.0, "played A30"),
            (60.0, "failed A A10,B20,B40,A30"),
            (70.0, "dealt 10,20/30,40"),
            (70.0, "begun"),
            (80.0, "played A10"),
            (90.0, "played A20"),
            (100.0, "played B30"),
            (110.0, "played B40"),
            (110.0, "completed 1 A10,A20,B30,B40"),
        ],
    );
    let [first, second] = &tempo.levels[..] else { panic!("{tempo:?}") };
    assert_eq!(
        (first.attempt, first.complete, second.attempt, second.complete),
        (1, false, 2, true)
    );
    let mistakes = first.plays.iter().map(|play| play.mistake).collect::<Vec<_>>();
    assert_eq!(mistakes, [false, false, true, false]);
    assert!(second.sync.unwrap().score > first.sync.unwrap().score);
}

#[test]
fn nothing_played_says_nothing() {
    let tempo =
        timed::<Mind>("players=2", &[(0.0, "dealt 1 10/20"), (1.0, "begun"), (2.0, "played A10")]);
    assert_eq!((tempo.sync, tempo.levels[0].sync), (None, None));
    assert!(tempo.levels[0].leans.is_empty());
}
