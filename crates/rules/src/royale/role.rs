//! Who does what in a round (Y6–Y8).

use serde::{Deserialize, Serialize};

use super::setup::{Setup, Variant};
use super::zone::{ByZone, Zone};
use crate::kit::{Seat, Seats};

/// Who hides the code, and who breaks which zone of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleRoles"))]
pub struct Roles {
    /// Who hides the code.
    pub maker: Seat,
    /// Who asks in each zone; with two players the same person.
    pub breakers: ByZone<Seat>,
}

impl Roles {
    /// The roles of a round, counted from 1. `A` hides the first code, unless the set-up names another
    /// seat (H6).
    pub fn of(setup: &Setup, round: u8) -> Self {
        let past = round.saturating_sub(1);
        let turns = match setup.variant {
            Variant::Alternate => past % setup.players,
            Variant::Series => u8::from(past >= setup.rounds / 2),
        };
        let left = |seat: Seat| seat.left(setup.players);
        let maker = (0..turns).fold(setup.first_maker, |seat, _| left(seat));
        let colours = left(maker);
        let shapes = if setup.players == 2 { colours } else { left(colours) };
        Self { maker, breakers: ByZone { colours, shapes } }
    }

    /// Who breaks either zone.
    pub fn all_breakers(&self) -> Seats {
        self.breakers.values().copied().collect()
    }

    /// Whether the seat breaks that zone.
    pub fn breaks(&self, seat: Seat, zone: Zone) -> bool {
        self.breakers[zone] == seat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(setup: &str, roles: &str) {
        let setup = setup.parse::<Setup>().unwrap();
        let found = (1..=setup.rounds).map(|round| {
            let Roles { maker, breakers } = Roles::of(&setup, round);
            format!("{maker}{}{}", breakers.colours, breakers.shapes)
        });
        assert_eq!(found.collect::<Vec<_>>().join(" "), roles);
    }

    #[test]
    fn roles_go_round() {
        check("players=2 rounds=4", "ABB BAA ABB BAA");
        check("players=2 variant=series rounds=6", "ABB ABB ABB BAA BAA BAA");
        check("players=3 rounds=6", "ABC BCA CAB ABC BCA CAB");
        check("players=2 rounds=4 first_maker=B", "BAA ABB BAA ABB");
        check("players=2 variant=series rounds=4 first_maker=B", "BAA BAA ABB ABB");
        check("players=3 rounds=3 first_maker=C", "CAB ABC BCA");
    }

    #[test]
    fn everyone_of_three_holds_each_role_eight_times() {
        let setup = "players=3".parse().unwrap();
        let rounds = (1..=24).map(|round| Roles::of(&setup, round)).collect::<Vec<_>>();
        for seat in Seat::all(3) {
            let times =
                |role: fn(&Roles) -> Seat| rounds.iter().filter(|r| role(r) == seat).count();
            assert_eq!(times(|roles| roles.maker), 8);
            assert_eq!(times(|roles| roles.breakers.colours), 8);
            assert_eq!(times(|roles| roles.breakers.shapes), 8);
        }
    }
}
