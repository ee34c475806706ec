//! Lessons: tables where a person learns a game on the real rules, with a calm bot as partner and a
//! deal that suits a beginner.

use rules::door::GameName;
use rules::kit::Seed;
use rules::kit::text::Misprint;
use rules::with_name;
use table::TableGame;
use wire::{BotKind, Setup};

/// How a lesson's table is set up, what is dealt there, and which bot is the partner.
#[derive(Debug)]
pub(crate) struct Lesson {
    pub(crate) setup: Setup,
    pub(crate) seed: Seed,
    pub(crate) partner: BotKind,
}

impl Lesson {
    /// The lesson of a game. Fails if the game's set-up for lessons is impossible.
    pub(crate) fn of(game: GameName) -> Result<Self, Misprint> {
        let table::Lesson { setup, seed, partner } =
            with_name!(game, G => <G as TableGame>::LESSON);
        Ok(Self { setup: Setup::read(game, setup)?, seed: Seed::from(seed), partner })
    }
}

#[cfg(test)]
mod tests {
    use rules::kit::{Match, Viewer};
    use rules::mind::Mind;

    use super::*;

    #[test]
    fn there_is_a_lesson_for_every_game() {
        for game in GameName::ALL.iter().copied() {
            let lesson = Lesson::of(game).unwrap();
            assert_eq!((lesson.setup.game(), lesson.setup.players()), (game, 2));
        }
    }

    #[test]
    fn the_first_level_is_about_waiting() {
        let Lesson { setup: Setup::Mind(setup), seed, .. } = Lesson::of(GameName::Mind).unwrap()
        else {
            panic!("it is The Mind")
        };
        let live = Match::<Mind>::open(&setup, seed).commit();
        let [own, other] = ["A", "B"].map(|seat| {
            let view = live.view(Viewer::Seat(seat.parse().unwrap()));
            view.hand().lowest().unwrap().number()
        });
        assert!((10..25).contains(&other) && (other + 12..60).contains(&own), "{own} {other}");
    }
}
