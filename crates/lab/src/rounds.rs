//! Rounds on the deals of logs: a person of a population and a bot, as in the log.

use bots::Bot;
use rayon::prelude::*;
use rules::family::{Card, Cards};
use rules::kit::{BySeat, Chance, Game as _, Match, Moment, Seat, Seed, Viewer};
use rules::mind::{Event, Mind, Notice, Setup};

use crate::logs::{Log, Round};
use crate::tally::Share;

/// Who plays the rounds of one log: the person first, then the bot. Both stay for all of its
/// rounds.
pub type Pair<'a> = dyn Fn(&mut Chance) -> [Box<dyn Bot<Mind>>; 2] + Sync + 'a;

/// The bot that plays the rounds with the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundBot {
    /// One that plays as it plans.
    Honest,
    /// The computer of the logs: when both have one card left, the person laid the card before and
    /// theirs is the lower one, it holds its own back, for however long it takes. In 42 such waits
    /// of the logs that outlasted its own it did so 41 times.
    Logged,
}

/// Plays every round of every log `times` times and returns the share of rounds won. `progress` is
/// told how many more were played.
pub fn play_rounds(
    setup: &Setup,
    logs: &[Log],
    (times, seed): (u64, u64),
    bot: RoundBot,
    pair: &Pair,
    progress: &(dyn Fn(u64) + Sync),
) -> Share {
    let turns = (0..times)
        .into_par_iter()
        .flat_map(|time| (0..logs.len()).into_par_iter().map(move |log| (time, log)));
    let (won, all) = turns
        .map(|(time, log)| {
            let number = time * logs.len() as u64 + log as u64;
            let (won, all) = play_log(setup, &logs[log], (seed, number), bot, pair);
            progress(all);
            (won, all)
        })
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    Share::of(won, all)
}

fn play_log(
    setup: &Setup,
    log: &Log,
    (seed, number): (u64, u64),
    bot: RoundBot,
    pair: &Pair,
) -> (u64, u64) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    let seed = Seed::new(bytes);
    let mut players = pair(&mut Chance::new(seed, 0));
    let mut lucks = [Chance::new(seed, 1), Chance::new(seed, 2)];
    let mut now = Moment::START;
    let won = log.iter().filter(|round| {
        let (won, at) = play_round(setup, round, now, bot, (&mut players, &mut lucks));
        now = at;
        won
    });
    (won.count() as u64, log.len() as u64)
}

/// Plays one round from its deal to the last card or the first mistake, and returns when it ended.
fn play_round(
    setup: &Setup,
    round: &Round,
    now: Moment,
    bot: RoundBot,
    (players, lucks): (&mut [Box<dyn Bot<Mind>>; 2], &mut [Chance; 2]),
) -> (bool, Moment) {
    let cards = |numbers: &[u8]| numbers.iter().filter_map(|n| Card::new(*n)).collect::<Cards>();
    let hands = [cards(&round.person), cards(&round.computer)];
    let dealt =
        Event::Dealt { level: hands[0].len(), hands: BySeat::new(2, |seat| hands[seat.index()]) };
    let mut state = Mind::new(setup);
    state.apply(now, &dealt);
    show(setup, now, std::slice::from_ref(&dealt), players);
    let mut live = Match::resume(state, Seed::from(0), 1, now);
    loop {
        let held = bot == RoundBot::Logged && is_held_back(&live);
        let plans = players.iter_mut().zip(&mut *lucks).zip(Seat::all(2));
        let plans = plans.filter(|(_, seat)| *seat == Seat::A || !held);
        let plans = plans.filter_map(|((player, luck), seat)| {
            let (at, command) = player.plan(&live.view(Viewer::Seat(seat)), live.at(), luck)?;
            Some((at, seat, command))
        });
        let Some((at, seat, command)) = plans.min_by_key(|(at, seat, _)| (*at, *seat)) else {
            return (false, live.at());
        };
        let Ok(step) = live.submit(at, seat, command) else { return (false, live.at()) };
        let erred = |event: &&Event| matches!(event, Event::Notice(Notice::Erred { .. }));
        let done = |event: &&Event| matches!(event, Event::Notice(Notice::Completed { .. }));
        let lost = step.events().iter().any(|event| erred(&event));
        let ended = lost || step.events().iter().any(|event| done(&event));
        let of_round = step.events().iter().take_while(|event| !done(event));
        show(setup, at, &of_round.copied().collect::<Vec<_>>(), players);
        live = step.commit();
        if ended {
            return (!lost, live.at());
        }
    }
}

fn is_held_back(live: &Match<Mind>) -> bool {
    let hands = Seat::all(2).map(|seat| live.view(Viewer::Seat(seat)).hand()).collect::<Vec<_>>();
    let last = live.view(Viewer::Spectator).pile.iter().next_back();
    last.is_some_and(|laid| laid.seat() == Seat::A)
        && hands.iter().all(|hand| hand.len() == 1)
        && hands[0].lowest() < hands[1].lowest()
}

fn show(setup: &Setup, at: Moment, events: &[Event], players: &mut [Box<dyn Bot<Mind>>; 2]) {
    for event in events {
        for (player, seat) in players.iter_mut().zip(Seat::all(2)) {
            if let Some(sight) = Mind::witness(event, Viewer::Seat(seat)) {
                player.watch(setup, at, &sight);
            }
        }
    }
}
