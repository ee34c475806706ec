//! Games as races of plans.

use rayon::prelude::*;
use rules::kit::{Chance, Moment, Seat, Seed, Viewer};

use crate::simulation::{Player, Simulation};
use crate::study::Study;
use crate::tally::{GameFigures, Tally};

/// The most steps of a game. A game that reaches it has players who never finish.
const STEPS_MOST: u32 = 100_000;

/// The players of a table, seat by seat.
pub type Players<G> = Vec<Player<G>>;

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
pub fn play_game<G: Study>(table: &Table<G>, seed: u64, game: u64) -> GameFigures {
    watch_game(table, seed, game, |_, _| ())
}

/// Plays the game of that number and shows everything that happens in it.
pub fn watch_game<G: Study>(
    table: &Table<G>,
    seed: u64,
    game: u64,
    mut watch: impl FnMut(Moment, &G::Event),
) -> GameFigures {
    let mut count = Count { figures: GameFigures::default() };
    let mut watch = |count: &mut Count, at: Moment, event: &G::Event| {
        watch(at, event);
        count.add::<G>(event);
    };
    let cast = |luck: &mut Chance| (table.cast)(luck).into_iter().map(Some);
    let mut simulation = Simulation::open(table.setup, game_seed(seed, game), cast, |at, event| {
        watch(&mut count, at, event);
    });
    for _ in 0..STEPS_MOST {
        let view = simulation.live().view(Viewer::Seat(Seat::A));
        if G::is_won(&view) || simulation.live().outcome().is_some() {
            return count.finish::<G>(&view);
        }
        let Some(plan) = simulation.earliest() else { break };
        if G::is_playing(&view) {
            count.figures.play_us += plan.at.micros() - simulation.live().at().micros();
        }
        let stream = simulation.live().seq();
        let played = simulation.play(plan, stream, |at, event| watch(&mut count, at, event));
        if played.is_err() {
            // A bot that plans a move that is not permitted is broken: end the game here.
            break;
        }
    }
    count.finish::<G>(&simulation.live().view(Viewer::Spectator))
}

/// What is counted while a game is played.
struct Count {
    figures: GameFigures,
}

impl Count {
    fn add<G: Study>(&mut self, event: &G::Event) {
        let mistakes = G::mistakes(event);
        self.figures.mistakes += mistakes;
        self.figures.at_level[usize::from(self.figures.levels).min(18)] += mistakes;
        self.figures.levels += u8::from(G::completed(event));
    }

    fn finish<G: Study>(mut self, view: &G::View) -> GameFigures {
        let (_, lives, stars) = G::score(view);
        self.figures.won = G::is_won(view);
        (self.figures.lives, self.figures.stars) = (lives, stars);
        self.figures
    }
}

fn game_seed(seed: u64, game: u64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&game.to_le_bytes());
    bytes[16..19].copy_from_slice(b"lab");
    Seed::new(bytes)
}
