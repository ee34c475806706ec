//! The players of a simulated table, by their names on the command line.

use std::fmt;
use std::str::FromStr;

use bots::{
    Curve, Kin, Kindred, Paced, Prior, Random, Steady, Temperament, Timing, Unison, Waiting,
};
use rules::kit::Chance;

use crate::linear::Linear;
use crate::people::People;
use crate::person::Person;
use crate::simulation::Player;

/// A player that the lab can seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Anything that is permitted.
    Random,
    /// A declared pace.
    Steady,
    /// A quick one.
    Hasty,
    /// A slow one.
    Dreamy,
    /// Learns the tempo of the others.
    Kindred,
    /// The same, knowing the pace of the first person at the table beforehand.
    Knowing,
    /// The policy of bots among themselves.
    Unison,
    /// A fixed number of seconds for each card.
    Linear,
    /// The same, with the pace of the first person at the table.
    Matched,
    /// A simulated person of the population.
    Human,
}

const ROLES: [(Role, &str); 10] = [
    (Role::Random, "random"),
    (Role::Steady, "steady"),
    (Role::Hasty, "hasty"),
    (Role::Dreamy, "dreamy"),
    (Role::Kindred, "kindred"),
    (Role::Knowing, "knowing"),
    (Role::Unison, "unison"),
    (Role::Linear, "linear"),
    (Role::Matched, "matched"),
    (Role::Human, "human"),
];

impl Role {
    /// Every player that the lab can seat.
    pub const ALL: [Self; ROLES.len()] = {
        let mut all = [Self::Random; ROLES.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = ROLES[place].0;
            place += 1;
        }
        all
    };
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = ROLES.iter().find(|(role, _)| role == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = ROLES.iter().find(|(_, name)| *name == text).map(|(role, _)| *role);
        let names = ROLES.map(|(_, name)| name).join(", ");
        found.ok_or_else(|| format!("there is no player {text:?}, choose from {names}"))
    }
}

/// The uncertainty of a player who knows a pace, as the standard deviation of its logarithm.
const KNOWN_LOG_SD: f64 = 0.02;

/// The players of a table, and their parameters.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The seats in order.
    pub roles: Vec<Role>,
    /// The population that people come from.
    pub people: People,
    /// The noise of the bots without a noise of their own: unison and linear.
    pub timing: Timing,
    /// The curve of unison.
    pub curve: Curve,
    /// The pace of linear, in seconds for each card of a deck of a hundred.
    pub pace_s: f64,
    /// Whether players propose stars.
    pub stars: bool,
}

impl Cast {
    /// The players of one game, seat by seat.
    pub fn seat<G: Kin>(&self, luck: &mut Chance) -> Vec<Player<G>> {
        let mut told_s = self.pace_s;
        let mut people = Vec::new();
        for _ in self.roles.iter().filter(|role| **role == Role::Human) {
            let person = self.people.person::<G>(luck);
            if people.is_empty() {
                told_s = person.pace_s();
            }
            people.push(person);
        }
        let mut people = people.into_iter();
        let bots = self.roles.iter().map(|role| {
            let person = if *role == Role::Human { people.next() } else { None };
            self.player(*role, person, told_s)
        });
        bots.collect()
    }

    /// The player of one seat. `person` is who sits there if the role is a person's; `told_s` is
    /// the pace that players with knowledge of it are told.
    pub fn player<G: Kin>(&self, role: Role, person: Option<Person<G>>, told_s: f64) -> Player<G> {
        match role {
            Role::Random => Box::new(Random),
            Role::Steady => steady(Temperament::STEADY),
            Role::Hasty => steady(Temperament::HASTY),
            Role::Dreamy => steady(Temperament::DREAMY),
            Role::Kindred => self.kindred::<G>(Prior::UNKNOWN_PLAYER),
            Role::Knowing => self.kindred::<G>(Prior {
                pace_s: told_s,
                log_sd: KNOWN_LOG_SD,
                bent: 0.0,
                uneven: 0.0,
                ..Prior::UNKNOWN_PLAYER
            }),
            Role::Unison => {
                Box::new(Waiting::<G, _>::new(Unison { curve: self.curve, timing: self.timing }))
            }
            Role::Linear => {
                Box::new(Waiting::<G, _>::new(Linear { pace_s: self.pace_s, timing: self.timing }))
            }
            Role::Matched => {
                Box::new(Waiting::<G, _>::new(Linear { pace_s: told_s, timing: Timing::EXACT }))
            }
            Role::Human => match person {
                Some(person) if self.stars => Box::new(person),
                Some(person) => Box::new(person.without_stars()),
                None => Box::new(Random),
            },
        }
    }

    fn kindred<G: Kin>(&self, prior: Prior) -> Player<G> {
        let kindred = Kindred::<G>::new(prior);
        Box::new(if self.stars { kindred } else { kindred.without_stars() })
    }
}

fn steady<G: Paced>(temperament: Temperament) -> Player<G> {
    Box::new(Steady::<G>::new(temperament))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (role, name) in ROLES {
            assert_eq!(name.parse(), Ok(role));
            assert_eq!(role.to_string(), name);
        }
        assert!("nonesuch".parse::<Role>().unwrap_err().contains("choose from random, steady"));
    }
}
