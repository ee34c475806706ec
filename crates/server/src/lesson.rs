//! Lessons: tables where somebody learns a game on the real rules, with calm machine partners and
//! a deal that suits a beginner.

use rules::door::GameName;
use rules::kit::Seed;
use wire::{BotKind, Setup};

/// How a lesson's table is set up, and what is dealt there.
#[derive(Debug)]
pub(crate) struct Lesson {
    pub(crate) setup: Setup,
    pub(crate) seed: Seed,
}

impl Lesson {
    /// Who sits in the other chairs: somebody predictable, and no master.
    pub(crate) fn partner(game: GameName) -> BotKind {
        match game {
            GameName::Mind | GameName::Extreme | GameName::Soulmates => BotKind::Steady,
            GameName::Royale => BotKind::Student,
        }
    }

    /// The lesson for a game.
    pub(crate) fn of(game: GameName) -> Result<Self, rules::kit::text::Misprint> {
        let (setup, seed) = match game {
            // The partner comes first, then the learner: the first level is about waiting.
            GameName::Mind => ("players=2 levels=3 lives=5 stars=1", 212),
            GameName::Extreme => ("players=2 lives=5", 40),
            // The partner sees first, so that a slate is read before one is written.
            GameName::Soulmates => ("players=2 lives=5 first_seer=B", 1),
            GameName::Royale => ("players=2 rounds=2 preset=friendly", 1),
        };
        Ok(Self { setup: Setup::read(game, setup)?, seed: Seed::from(seed) })
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
        let Lesson { setup: Setup::Mind(setup), seed } = Lesson::of(GameName::Mind).unwrap() else {
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
