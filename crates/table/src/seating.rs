//! Who sits where.

use rules::kit::{Seat, Seats};
use serde::{Deserialize, Serialize};
use wire::{BotKind, Mark, Name, Setup};

use crate::game::is_race;
use crate::ghost::Ghost;
use crate::person::PersonId;

/// Who sits where, who is host, and who plays for whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seating {
    /// Who may start the game.
    pub host: Option<PersonId>,
    /// The chairs, seat A first.
    pub chairs: Vec<Occupant>,
}

/// Who sits in a chair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Occupant {
    /// The chair is empty.
    #[serde(rename = "nobody")]
    Empty,
    /// A person.
    Person {
        /// Who.
        id: PersonId,
        /// What they were called when they sat down.
        name: Name,
        /// The mark they had chosen by then; lines of older programs have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<Mark>,
        /// Whether a bot plays for them until they are back.
        held: bool,
    },
    /// A bot.
    Bot(BotKind),
    /// A bot with the recorded tempo of a person.
    Ghost(Ghost),
}

impl Occupant {
    /// What the person in the chair is called.
    pub fn name(&self) -> Option<&Name> {
        match self {
            Self::Person { name, .. } => Some(name),
            Self::Empty | Self::Bot(_) | Self::Ghost(_) => None,
        }
    }

    /// Whether a bot has the chair for itself.
    pub fn is_bot(&self) -> bool {
        matches!(self, Self::Bot(_) | Self::Ghost(_))
    }
}

impl Seating {
    /// Empty chairs.
    pub fn empty(players: u8) -> Self {
        Self { host: None, chairs: vec![Occupant::Empty; usize::from(players)] }
    }

    /// Where a person sits.
    pub fn seat_of(&self, person: PersonId) -> Option<Seat> {
        self.iter().find_map(|(seat, occupant)| match occupant {
            Occupant::Person { id, .. } if *id == person => Some(seat),
            _ => None,
        })
    }

    /// Every seat and who sits there.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Occupant)> {
        let seats = (0..self.chairs.len()).filter_map(Seat::new);
        seats.zip(&self.chairs)
    }

    /// The same people in this many seats, each in their own where it still exists; `None`
    /// if there are more of them than chairs. Bots make room.
    pub fn for_players(&self, players: u8) -> Option<Self> {
        let mut chairs = self.chairs.clone();
        let beyond = chairs.split_off(chairs.len().min(usize::from(players)));
        chairs.resize(usize::from(players), Occupant::Empty);
        for person in beyond.into_iter().filter(|chair| matches!(chair, Occupant::Person { .. })) {
            let free = chairs.iter().position(|chair| *chair == Occupant::Empty);
            let bot = || chairs.iter().position(Occupant::is_bot);
            let chair = free.or_else(bot)?;
            chairs[chair] = person;
        }
        Some(Self { host: self.host, chairs })
    }

    /// The same for another set-up: people keep a seat, bots that do not play it are replaced by
    /// the best one that does. `None` if more people sit here than it is for.
    pub fn for_setup(&self, setup: &Setup) -> Option<Self> {
        let mut seating = self.for_players(setup.players())?;
        let bots = BotKind::of(setup.game());
        for chair in &mut seating.chairs {
            let plays = match chair {
                Occupant::Bot(kind) => bots.contains(kind),
                Occupant::Ghost(_) => is_race(setup),
                Occupant::Person { .. } | Occupant::Empty => true,
            };
            if !plays {
                *chair = Occupant::Bot(bots[0]);
            }
        }
        Some(seating)
    }

    /// The seats of players whose name looks like that of another player.
    pub fn alike(&self) -> Seats {
        let names = || self.iter().filter_map(|(seat, occupant)| Some((seat, occupant.name()?)));
        let is_alike = |seat: Seat, name: &Name| {
            names().any(|(other, text)| other != seat && text.looks_like(name))
        };
        names().filter(|(seat, name)| is_alike(*seat, name)).map(|(seat, _)| seat).collect()
    }

    /// Everyone who is named: the people in seats, and the people whose recorded tempo bots have.
    pub fn named(&self) -> Vec<PersonId> {
        let named = self.chairs.iter().filter_map(|occupant| match occupant {
            Occupant::Person { id, .. } | Occupant::Ghost(Ghost { of: id, .. }) => Some(*id),
            Occupant::Empty | Occupant::Bot(_) => None,
        });
        named.collect()
    }

    /// Whether the same people and bots sit in the same chairs, whatever they are called and
    /// whether or not bots hold seats.
    pub fn has_players_of(&self, other: &Self) -> bool {
        let same = |(one, other): (&Occupant, &Occupant)| match (one, other) {
            (Occupant::Person { id, .. }, Occupant::Person { id: other, .. }) => id == other,
            (Occupant::Ghost(one), Occupant::Ghost(other)) => {
                one.of == other.of && one.kind() == other.kind()
            }
            (one, other) => one == other,
        };
        self.chairs.len() == other.chairs.len() && self.chairs.iter().zip(&other.chairs).all(same)
    }

    /// The people who sit here, each with their seat.
    pub fn people(&self) -> impl Iterator<Item = (Seat, PersonId)> {
        self.iter().filter_map(|(seat, occupant)| match occupant {
            Occupant::Person { id, .. } => Some((seat, *id)),
            Occupant::Empty | Occupant::Bot(_) | Occupant::Ghost(_) => None,
        })
    }

    /// The seats of these people.
    pub fn seats_of(&self, sits: impl Fn(PersonId) -> bool) -> Seats {
        self.people().filter(|(_, id)| sits(*id)).map(|(seat, _)| seat).collect()
    }

    /// The seats that bots hold for people.
    pub fn held(&self) -> Seats {
        let held = self.iter().filter(|(_, it)| matches!(it, Occupant::Person { held: true, .. }));
        held.map(|(seat, _)| seat).collect()
    }

    /// Empties a person's chair; whether they had one.
    pub fn vacate(&mut self, person: PersonId) -> bool {
        let seat = self.seat_of(person);
        match seat.and_then(|seat| self.chair(seat)) {
            Some(chair) => {
                *chair = Occupant::Empty;
                true
            }
            None => false,
        }
    }

    /// Takes the names of these people away; whether there were any.
    pub fn forget(&mut self, forgotten: impl Fn(PersonId) -> bool) -> bool {
        let mut found = false;
        for occupant in &mut self.chairs {
            if let Occupant::Person { id, name, .. } | Occupant::Ghost(Ghost { of: id, name, .. }) =
                occupant
                && forgotten(*id)
            {
                *name = Name::someone();
                found = true;
            }
        }
        found
    }

    /// The same with a host who sits here and is here, if there is such a person: the one it has,
    /// or else the first.
    #[must_use]
    pub fn with_host(mut self, is_here: impl Fn(PersonId) -> bool) -> Self {
        let fits = |id: PersonId| self.seat_of(id).is_some() && is_here(id);
        if !self.host.is_some_and(fits) {
            let heir = self.people().map(|(_, id)| id).find(|id| is_here(*id));
            self.host = heir.or(self.host.filter(|host| self.seat_of(*host).is_some()));
        }
        self
    }

    /// How many chairs are taken.
    pub fn taken(&self) -> u8 {
        self.chairs.iter().filter(|chair| **chair != Occupant::Empty).count() as u8
    }

    /// Who sits there, if the table has the seat.
    pub fn chair(&mut self, seat: Seat) -> Option<&mut Occupant> {
        self.chairs.get_mut(seat.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::person::Person;

    /// People by letter, bots as stars, empty chairs as dots.
    fn seating(chairs: &str) -> Seating {
        let occupant = |letter: char| match letter {
            '.' => Occupant::Empty,
            '*' => Occupant::Bot(BotKind::Steady),
            letter => {
                let id = serde_json::from_str(&format!("\"{}\"", letter.to_string().repeat(64)));
                let name = letter.to_string().parse().unwrap();
                Occupant::Person { id: id.unwrap(), name, mark: None, held: false }
            }
        };
        Seating { host: None, chairs: chairs.chars().map(occupant).collect() }
    }

    fn check(before: &str, players: u8, after: Option<&str>) {
        assert_eq!(
            seating(before).for_players(players),
            after.map(seating),
            "{before} → {players}"
        );
    }

    #[test]
    fn players_stay_the_same_when_the_name_of_a_deleted_lender_is_taken_away() {
        let id = serde_json::from_str(&format!("\"{}\"", "a".repeat(64))).unwrap();
        let name = "Ada".parse().unwrap();
        let lender = Person { id, name, mark: None, lends_tempo: true };
        let pace = |pace_us| tempo::Pace { pace_us, power_milli: 900, spread_milli: 200 };
        let with = |ghost| Seating { chairs: vec![Occupant::Ghost(ghost)], ..seating("") };
        let named = with(Ghost::new(lender.clone(), pace(60_000)));
        let mut nameless = named.clone();
        nameless.forget(|person| person == id);
        assert_ne!(named, nameless);
        assert!(named.has_players_of(&nameless));
        assert!(!named.has_players_of(&with(Ghost::new(lender, pace(50_000)))));
    }

    #[test]
    fn people_keep_a_seat_when_the_number_of_chairs_changes() {
        check("ab", 4, Some("ab.."));
        check("a..b", 2, Some("ab"));
        check("a*b", 2, Some("ab"));
        check("a**", 2, Some("a*"));
        check("a.*b", 3, Some("ab*"));
        check("abc", 2, None);
    }
}
