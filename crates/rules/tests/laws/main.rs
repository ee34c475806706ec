//! The laws that hold in every game, for every chair, at every step.
//!
//! `cargo xtask laws --games N --seed S` plays as many games as wanted.

mod extreme;
mod harness;
mod mind;
mod royale;
mod soulmates;

use harness::hold;
use rules::door::GameName;
use rules::extreme::Extreme;
use rules::mind::Mind;
use rules::royale::Royale;
use rules::soulmates::Soulmates;

/// The games with the tests of their laws: the compiler names a game that is left out.
macro_rules! laws {
    ($($game:ident: $test:ident),+ $(,)?) => {
        fn laws_of(game: GameName) -> fn() {
            match game {
                $(GameName::$game => hold::<$game>,)+
            }
        }

        $(#[test]
        fn $test() {
            laws_of(GameName::$game)();
        })+
    };
}

laws! {
    Mind: the_laws_hold_in_the_mind,
    Extreme: the_laws_hold_in_extreme,
    Soulmates: the_laws_hold_in_soulmates,
    Royale: the_laws_hold_in_royale,
}
