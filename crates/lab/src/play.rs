//! Games as races of plans.

use bots::Bot;
use rayon::prelude::*;
use rules::kit::{Chance, Match, Moment, Seat, Seed, Viewer};

use crate::study::Study;
use crate::tally::{GameResult, Tally};

/// The most steps of a game. A game that reaches it has players who never finish.
const STEPS_MOST: u32 = 100_000;
/// The streams of a game's seed that seats draw from lie beyond those of its steps.
const SEATS_FROM: u64 = 1 << 40;
const CAST_FROM: u64 = 1 << 41;

/// The players of a table, seat by seat.
pub type Players<G> = Vec<Box<dyn Bot<G>>>;

/// A table that the lab plays at again and again.
pub struct Table<'a, G: Study> {
    /// The set-up of the game.
    pub setup: &'a G::Setup,
    /// Makes the players, seat by seat, anew for each game with the luck of that game.
    pub cast: &'a (dyn Fn(&mut Chance) -> Players<G> + Sync),
}

/// Plays `games` games. The result is the same for any number of threads.
pub fn play_many<G: Study>(
    table: &Table<G>,
    games: u64,
    seed: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Tally {
    const PORTION: u64 = 64;
    let portions = games.div_ceil(PORTION);
    let portion = |number: u64| {
        let first = number * PORTION;
        let last = games.min(first + PORTION);
        let tally = (first..last)
            .map(|game| play_game(table, seed, game))
            .fold(Tally::default(), Tally::with);
        progress(last - first);
        tally
    };
    (0..portions).into_par_iter().map(portion).reduce(Tally::default, Tally::and)
}

/// Plays the game of that number.
pub fn play_game<G: Study>(table: &Table<G>, seed: u64, game: u64) -> GameResult {
    watch_game(table, seed, game, |_, _| ())
}

/// Plays the game of that number and shows everything that happens in it.
pub fn watch_game<G: Study>(
    table: &Table<G>,
    seed: u64,
    game: u64,
    mut watch: impl FnMut(Moment, &G::Event),
) -> GameResult {
    let seed = game_seed(seed, game);
    let step = Match::<G>::open(table.setup, seed);
    let players = step.next().state().players();
    let cast = (table.cast)(&mut Chance::new(seed, CAST_FROM));
    let mut seats = Seat::all(players)
        .zip(cast)
        .map(|(seat, bot)| (seat, bot, Chance::new(seed, SEATS_FROM + seat.index() as u64)))
        .collect::<Vec<_>>();
    let mut race = Race { result: GameResult::default(), setup: table.setup };
    let mut live = race.take(step, &mut seats, &mut watch);
    for _ in 0..STEPS_MOST {
        let mut first = None::<(_, Seat, G::Command)>;
        let mut playing = false;
        for (seat, bot, luck) in &mut seats {
            let view = live.view(Viewer::Seat(*seat));
            playing = G::is_playing(&view);
            if seat.index() == 0 && (G::is_won(&view) || live.outcome().is_some()) {
                return race.finish(&view);
            }
            if let Some((at, command)) = bot.plan(&view, live.at(), luck)
                && first.is_none_or(|(earliest, ..)| at < earliest)
            {
                first = Some((at, *seat, command));
            }
        }
        let Some((at, seat, command)) = first else { break };
        if playing {
            race.result.play_us += at.micros() - live.at().micros();
        }
        match live.submit(at, seat, command) {
            Ok(step) => live = race.take(step, &mut seats, &mut watch),
            // A bot that plans a move that is not permitted is broken: end the game here.
            Err(_) => break,
        }
    }
    race.finish(&live.view(Viewer::Watcher))
}

/// A seat, the bot in it and the bot's luck.
type BotSeat<G> = (Seat, Box<dyn Bot<G>>, Chance);

struct Race<'a, G: Study> {
    result: GameResult,
    setup: &'a G::Setup,
}

impl<G: Study> Race<'_, G> {
    /// Counts the events of a step and shows them to all players.
    fn take(
        &mut self,
        step: rules::kit::Step<G>,
        seats: &mut [BotSeat<G>],
        watch: &mut impl FnMut(Moment, &G::Event),
    ) -> Match<G> {
        let at = step.next().at();
        for event in step.events() {
            watch(at, event);
            let mistakes = G::mistakes(event);
            self.result.mistakes += mistakes;
            self.result.at_level[usize::from(self.result.levels).min(18)] += mistakes;
            self.result.levels += u8::from(G::completed(event));
            for (seat, bot, _) in &mut *seats {
                if let Some(sight) = G::witness(event, Viewer::Seat(*seat)) {
                    bot.watch(self.setup, at, &sight);
                }
            }
        }
        step.commit()
    }

    fn finish(mut self, view: &G::View) -> GameResult {
        let (_, lives, stars) = G::score(view);
        self.result.won = G::is_won(view);
        (self.result.lives, self.result.stars) = (lives, stars);
        self.result
    }
}

fn game_seed(seed: u64, game: u64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&game.to_le_bytes());
    bytes[16..19].copy_from_slice(b"lab");
    Seed::new(bytes)
}
