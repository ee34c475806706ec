//! Who plays beside the agents: bots, simulated people, and sets of them.

use std::fmt;

use bots::{Curve, Kin, Timing};
use lab::{Cast, First, People, PeopleError, Player, PopulationError, Role, population};
use rules::door::GameName;
use rules::kit::Chance;
use table::is_race;
use wire::{BotKind, Setup};

/// The pace of `linear` if none is named, in seconds for each card.
const PACE_S: f64 = 1.0;
/// The paces that `linear` can be given.
const PACES_S: (f64, f64) = (0.01, 60.0);

/// A player that is not an agent.
#[derive(Clone, Debug)]
pub enum Partner {
    /// A player of the lab, in a game whose players keep time.
    Role {
        /// Which one.
        role: Role,
        /// The pace of `linear`, in seconds for each card.
        pace_s: f64,
        /// The population that a person comes from.
        people: Box<People>,
    },
    /// A bot of the lobby, in a game without tempo.
    Bot(BotKind),
}

impl Partner {
    /// Reads a partner's name: that of a player of the lab, with a colon and a parameter for two of
    /// them, `human:mixture` and `linear:0.6`; in Royale that of a bot.
    pub fn read(setup: &Setup, text: &str) -> Result<Self, PartnerError> {
        if !is_race(setup) {
            let bots = BotKind::of(GameName::Royale);
            let found = bots.iter().find(|kind| bot_name(**kind) == text);
            return found.map(|kind| Self::Bot(*kind)).ok_or_else(|| PartnerError::Unknown {
                name: text.to_owned(),
                names: bots.iter().map(|kind| bot_name(*kind)).collect::<Vec<_>>().join(", "),
            });
        }
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let role = name.parse::<Role>().map_err(PartnerError::Role)?;
        let unwanted = || PartnerError::Parameter { partner: text.to_owned() };
        match (role, parameter) {
            (Role::Human, _) => {
                let people = Box::new(population(parameter.unwrap_or("base"))?);
                Ok(Self::Role { role, pace_s: PACE_S, people })
            }
            (Role::Linear, Some(pace)) => {
                let pace_s = pace
                    .parse::<f64>()
                    .ok()
                    .filter(|pace_s| (PACES_S.0..=PACES_S.1).contains(pace_s));
                Ok(Self::role(role, pace_s.ok_or_else(unwanted)?))
            }
            (_, Some(_)) => Err(unwanted()),
            (_, None) => Ok(Self::role(role, PACE_S)),
        }
    }

    /// The names of the partners that play a game. `human` and `linear` take a parameter.
    pub fn names(game: GameName) -> Vec<String> {
        if game == GameName::Royale {
            return BotKind::of(game).iter().map(|kind| bot_name(*kind)).collect();
        }
        let plays = |role: &&Role| game == GameName::Mind || !role.is_bound();
        Role::ALL.iter().filter(plays).map(ToString::to_string).collect()
    }

    /// A simulated person of the population that a file describes.
    pub fn person(text: &str) -> Result<Self, PartnerError> {
        let people = Box::new(People::read(text)?);
        Ok(Self::Role { role: Role::Human, pace_s: PACE_S, people })
    }

    fn role(role: Role, pace_s: f64) -> Self {
        Self::Role { role, pace_s, people: Box::new(People::model(PACE_S, 0.0, 0.0)) }
    }
}

impl fmt::Display for Partner {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Role { role: Role::Human, people, .. } => write!(f, "human:{}", people.name),
            Self::Role { role: Role::Linear, pace_s, .. } => write!(f, "linear:{pace_s}"),
            Self::Role { role, .. } => role.fmt(f),
            Self::Bot(kind) => f.write_str(&bot_name(*kind)),
        }
    }
}

/// A bot's name, as messages write it.
fn bot_name(kind: BotKind) -> String {
    serde_json::to_string(&kind).map(|text| text.trim_matches('"').to_owned()).unwrap_or_default()
}

/// Who sits in a seat.
#[derive(Clone, Debug)]
pub enum SeatPlan {
    /// An agent: its actions come from outside.
    Agent,
    /// One of these partners, drawn anew for each game.
    OneOf(Vec<Partner>),
}

impl SeatPlan {
    /// The partner of this game; `None` for an agent.
    pub(crate) fn choose(&self, luck: &mut Chance) -> Option<&Partner> {
        match self {
            Self::Agent => None,
            Self::OneOf(partners) if partners.len() == 1 => partners.first(),
            Self::OneOf(partners) => luck.pick(partners),
        }
    }

    pub(crate) fn partners(&self) -> &[Partner] {
        match self {
            Self::Agent => &[],
            Self::OneOf(partners) => partners,
        }
    }
}

/// Why a partner cannot sit there.
#[derive(Debug, thiserror::Error)]
pub enum PartnerError {
    /// No player of the lab has that name.
    #[error("{0}; or human:POPULATION, linear:SECONDS")]
    Role(String),
    /// No bot of the game has that name.
    #[error("there is no partner {name:?}, choose from {names}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        names: String,
    },
    /// The parameter behind the colon is wrong.
    #[error("{partner:?} is no partner, write human:POPULATION or linear:SECONDS (0.01 to 60)")]
    Parameter {
        /// What was written.
        partner: String,
    },
    /// No such population.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// The description of a population is not valid.
    #[error("the population cannot be read: {0}")]
    People(#[from] PeopleError),
    /// The partner does not play the game.
    #[error("{partner} does not play {game}, choose another partner")]
    Game {
        /// Which partner.
        partner: String,
        /// Which game.
        game: &'static str,
    },
    /// Only one person's timing can be told.
    #[error("told and informed play The Mind with one simulated person, at a table of two")]
    ToldOfTwo,
    /// There is no person whose timing could be told.
    #[error("{partner} is told the pace of a simulated person, seat one: human:POPULATION")]
    NoPerson {
        /// Which partner.
        partner: String,
    },
    /// A set without partners.
    #[error("a seat has no partner to choose from, name at least one")]
    Empty,
}

/// Whether the partner plays games in which players keep time.
pub(crate) fn check_paced(partner: &Partner) -> Result<(), PartnerError> {
    match partner {
        Partner::Role { role, .. } if role.is_bound() => Err(PartnerError::ToldOfTwo),
        Partner::Role { .. } => Ok(()),
        Partner::Bot(kind) => {
            Err(PartnerError::Game { partner: bot_name(*kind), game: "a game of tempo" })
        }
    }
}

/// Fails if a partner that knows a person's pace sits where no person plays.
pub(crate) fn check_told(seats: &[SeatPlan]) -> Result<(), PartnerError> {
    let is_person = |partner: &Partner| matches!(partner, Partner::Role { role: Role::Human, .. });
    let has_person = seats
        .iter()
        .any(|seat| !seat.partners().is_empty() && seat.partners().iter().all(is_person));
    let told = |partner: &&Partner| matches!(partner, Partner::Role { role, .. } if role.is_told());
    match seats.iter().flat_map(SeatPlan::partners).find(told) {
        Some(partner) if !has_person => {
            Err(PartnerError::NoPerson { partner: partner.to_string() })
        }
        _ => Ok(()),
    }
}

/// The players of a game in which players keep time.
pub(crate) fn cast_paced<G: Kin>(
    seats: &[SeatPlan],
    stars: bool,
    luck: &mut Chance,
) -> Vec<Option<Player<G>>> {
    let mut first = None::<First<G>>;
    let mut chosen = Vec::with_capacity(seats.len());
    for seat in seats {
        let partner = seat.choose(luck);
        let person = match partner {
            Some(Partner::Role { role: Role::Human, people, .. }) => {
                let person = people.person::<G>(luck);
                first = first.or(Some(First { person, people }));
                Some(person)
            }
            _ => None,
        };
        chosen.push((partner, person));
    }
    let players = chosen.into_iter().map(|(partner, person)| match partner? {
        Partner::Role { role, pace_s, people } => {
            let cast = Cast {
                roles: vec![],
                people: (**people).clone(),
                timing: Timing::EXACT,
                curve: Curve::COMMON,
                pace_s: *pace_s,
                stars,
            };
            Some(cast.player(*role, person, first, luck))
        }
        Partner::Bot(_) => None,
    });
    players.collect()
}
