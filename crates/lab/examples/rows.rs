//! Plays the populations that Kindred is measured with, one line each.
//!
//! ```text
//! cargo run --release -p lab --example rows -- 10000 20261 human,kindred base adaptation-0.3
//! ```
//!
//! The arguments are games, seed, seats, and the names of populations (all without any). `told`
//! instead of seats is a person and a player who was told all of their timing at the start, and
//! none of their cards.

use bots::{Curve, Timing};
use lab::{Cast, Confidant, Players, Table, model_populations, play_many};
use rules::kit::Chance;
use rules::mind::Mind;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number =
        |usual: u64| arguments.next().map_or(usual, |text| text.parse().expect("a number"));
    let (games, seed) = (number(10_000), number(20_261));
    let seats = arguments.next().unwrap_or_else(|| "human,kindred".to_owned());
    let wanted = arguments.collect::<Vec<_>>();
    let told = seats == "told";
    let names = if told { "human,linear" } else { &seats };
    let roles = names.split(',').map(|role| role.parse().expect("a role")).collect::<Vec<_>>();
    let setup = format!("players={}", roles.len()).parse().expect("a set-up");
    for people in model_populations() {
        let name = people.name.clone();
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        let cast = Cast {
            roles: roles.clone(),
            people,
            timing: Timing::EXACT,
            curve: Curve::COMMON,
            pace_s: 1.0,
            stars: false,
        };
        let seated = |luck: &mut Chance| -> Players<Mind> {
            if told {
                let person = cast.people.person::<Mind>(luck);
                vec![Box::new(person), Box::new(Confidant::new(person))]
            } else {
                cast.seat::<Mind>(luck)
            }
        };
        let table = Table::<Mind> { setup: &setup, cast: &seated };
        let begun = std::time::Instant::now();
        let tally = play_many(&table, games, seed, &|_| ());
        let taken_s = begun.elapsed().as_secs_f64();
        let win = tally.win();
        let [share, low, high] = [win.share, win.low, win.high].map(|share| 100.0 * share);
        let speed = games as f64 / taken_s;
        println!("{name:15} {seats:25} {share:5.1} % ({low:.1} to {high:.1})  {speed:.0} games/s");
    }
}
