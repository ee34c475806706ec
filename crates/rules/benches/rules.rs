//! How fast the rules are: `cargo xtask bench rules`.
//!
//! Divan prints the items a second: one `submit` with its legality checked and its events
//! produced, or one answer to a row.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rules::extreme::Extreme;
use rules::family::FocusCommand;
use rules::kit::{Chance, Game, Match, Moment, Seat, Seed, View, Viewer};
use rules::mind::{Command, Mind, Phase};
use rules::royale::{Royale, Triple, answer};
use rules::soulmates::Soulmates;

fn main() {
    divan::main();
}

/// Moments of random games: a match, and a command that is permitted in it.
fn moments<G: Game>(setup: &str) -> Vec<(Match<G>, Seat, G::Command)> {
    let setup = setup.parse::<G::Setup>().expect("the set-up is possible");
    let mut chance = Chance::new(Seed::from(1), u64::MAX);
    let mut moments = Vec::new();
    let mut live = Match::<G>::open(&setup, Seed::from(0)).commit();
    while moments.len() < 4_096 {
        if live.outcome().is_some() {
            live = Match::open(&setup, Seed::from(moments.len() as u64)).commit();
        }
        let options = Seat::all(live.state().players())
            .flat_map(|seat| {
                let options = live.view(Viewer::Seat(seat)).options();
                options.into_iter().map(move |command| (seat, command))
            })
            .collect::<Vec<_>>();
        let (seat, command) = *chance.pick(&options).expect("a player can act");
        moments.push((live, seat, command));
        live = live.submit(Moment::START, seat, command).expect("an option is permitted").commit();
    }
    moments
}

fn submits<G: Game>(bencher: Bencher, setup: &str) {
    let moments = moments::<G>(setup);
    bencher.counter(ItemsCount::new(moments.len())).bench_local(|| {
        for (live, seat, command) in black_box(&moments) {
            let _ = black_box(live.submit(Moment::START, *seat, *command));
        }
    });
}

#[divan::bench]
fn submit_mind_four_players(bencher: Bencher) {
    submits::<Mind>(bencher, "players=4");
}

/// Whole games in which everyone focuses and the lowest card is always played: deals, plays and
/// rewards in the mix that a good team has.
#[divan::bench]
fn games_mind_four_players(bencher: Bencher) {
    let setup = "players=4".parse().expect("the set-up is possible");
    let game = |seed: u64| {
        let mut live = Match::<Mind>::open(&setup, Seed::from(seed)).commit();
        let mut submits = 0_usize;
        loop {
            let phase = live.view(Viewer::Spectator).public.phase;
            let (seat, command) = match phase {
                Phase::Focus(focus) => {
                    let next = Seat::all(4).find(|seat| !focus.resting.contains(*seat));
                    (next.unwrap_or_default(), FocusCommand::Rest.into())
                }
                Phase::Playing { .. } => {
                    let lowest = Seat::all(4).filter_map(|seat| {
                        Some((live.view(Viewer::Seat(seat)).hand().lowest()?, seat))
                    });
                    let (card, seat) = lowest.min().expect("a player holds a card");
                    (seat, Command::Play(card))
                }
                Phase::Offer { .. } | Phase::Over { .. } => return submits,
            };
            let step = live.submit(Moment::START, seat, command);
            live = step.expect("a good move is permitted").commit();
            submits += 1;
        }
    };
    let submits = (0..64).map(game).sum::<usize>();
    bencher
        .counter(ItemsCount::new(submits))
        .bench_local(|| (0..64).map(|seed| black_box(game(seed))).sum::<usize>());
}

#[divan::bench]
fn submit_extreme_four_players(bencher: Bencher) {
    submits::<Extreme>(bencher, "players=4");
}

#[divan::bench]
fn submit_soulmates_four_players(bencher: Bencher) {
    submits::<Soulmates>(bencher, "players=4");
}

#[divan::bench]
fn submit_royale_two_players(bencher: Bencher) {
    submits::<Royale>(bencher, "players=2");
}

/// For comparison in the same run: the view that decides whether a command is permitted.
#[divan::bench]
fn view_mind_four_players(bencher: Bencher) {
    let moments = moments::<Mind>("players=4");
    bencher.counter(ItemsCount::new(moments.len())).bench_local(|| {
        for (live, seat, _) in black_box(&moments) {
            let _ = black_box(live.view(Viewer::Seat(*seat)));
        }
    });
}

/// Every row against every code of one zone.
#[divan::bench]
fn answer_royale(bencher: Bencher) {
    let all = Triple::all().collect::<Vec<_>>();
    bencher.counter(ItemsCount::new(all.len() * all.len())).bench_local(|| {
        let mut blacks = 0_u32;
        for row in black_box(&all) {
            for code in black_box(&all) {
                blacks += u32::from(black_box(answer(*row, *code)).black());
            }
        }
        blacks
    });
}
