//! The players of a simulated table, by their names on the command line.

use std::fmt;
use std::str::FromStr;

use bots::{
    Curve, Kin, Kindred, Paced, Prior, Random, Steady, Temperament, Timing, Unison, Waiting,
};
use rules::kit::Chance;

use crate::confidant::{informed, told};
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
    /// Told all of the first person's timing, and none of their cards: a bound for partners.
    Told,
    /// Told the population that the first person comes from: a bound for partners that learn.
    Informed,
    /// A simulated person of the population.
    Human,
}

const ROLES: [(Role, &str); 12] = [
    (Role::Random, "random"),
    (Role::Steady, "steady"),
    (Role::Hasty, "hasty"),
    (Role::Dreamy, "dreamy"),
    (Role::Kindred, "kindred"),
    (Role::Knowing, "knowing"),
    (Role::Unison, "unison"),
    (Role::Linear, "linear"),
    (Role::Matched, "matched"),
    (Role::Told, "told"),
    (Role::Informed, "informed"),
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

    /// Whether it weighs one person's timing at a table of two, which only one game has a player
    /// for.
    pub fn is_bound(self) -> bool {
        matches!(self, Self::Told | Self::Informed)
    }

    /// Whether it is told something of the first person at the table.
    pub fn is_told(self) -> bool {
        self.is_bound() || matches!(self, Self::Matched | Self::Knowing)
    }
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
        found.ok_or_else(|| {
            let commas =
                if text.contains([' ', ';', '+']) { "separate players by commas: " } else { "" };
            format!("{commas}there is no player {text:?}, choose from {names}")
        })
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

/// The first person at a table, of whom some players are told.
#[derive(Clone, Copy, Debug)]
pub struct First<'a, G: Paced> {
    /// Who it is.
    pub person: Person<G>,
    /// The population that they come from.
    pub people: &'a People,
}

impl Cast {
    /// The players of one game, seat by seat.
    pub fn seat<G: Kin>(&self, luck: &mut Chance) -> Vec<Player<G>> {
        let is_human = |role: &&Role| **role == Role::Human;
        let people = self.roles.iter().filter(is_human).map(|_| self.people.person::<G>(luck));
        let people = people.collect::<Vec<_>>();
        let first = people.first().map(|person| First { person: *person, people: &self.people });
        let mut people = people.iter().copied();
        let bots = self.roles.iter().map(|role| {
            let person = if *role == Role::Human { people.next() } else { None };
            self.player(*role, person, first, luck)
        });
        bots.collect()
    }

    /// The player of one seat. `person` is who sits there if the role is a person's; `first` is the
    /// person of whom players are told.
    pub fn player<G: Kin>(
        &self,
        role: Role,
        person: Option<Person<G>>,
        first: Option<First<G>>,
        luck: &mut Chance,
    ) -> Player<G> {
        let told_s = first.map_or(self.pace_s, |first| first.person.pace_s());
        match role {
            Role::Random => Box::new(Random),
            Role::Steady => steady(Temperament::STEADY),
            Role::Hasty => steady(Temperament::HASTY),
            Role::Dreamy => steady(Temperament::DREAMY),
            Role::Kindred => self.kindred::<G>(Prior::UNKNOWN_PLAYER),
            Role::Knowing => self.kindred::<G>(Prior {
                pace_s: told_s / G::DECK_SHARE,
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
            Role::Told => {
                first.and_then(|first| told(first.person)).unwrap_or_else(|| Box::new(Random))
            }
            Role::Informed => first
                .and_then(|first| informed(first.people, luck))
                .unwrap_or_else(|| Box::new(Random)),
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
        let several = "human kindred".parse::<Role>().unwrap_err();
        assert!(several.starts_with("separate players by commas"), "{several}");
    }
}
