//! A game that is over as a card of the catalogue.

use std::collections::HashSet;

use journal::{Card, Hash, Key};
use rules::kit::{Outcome, Seat};
use rules::{extreme, mind, royale, soulmates};
use serde::{Deserialize, Serialize};
use wire::{BotKind, GameId, GameResult, Reached, Setup, View};

use super::label::Label;
use super::team::{Deal, TeamId};
use crate::replay::{NoReplay, Past, end_of, tempo_of};
use table::{Occupant, PersonId};

/// Changes with what is written on cards: the catalogue is made again then.
pub(super) const EDITION: u32 = 1;

/// What is written on a card. Names are not: they are kept where they can be forgotten.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) setup: Setup,
    /// Seat A first.
    pub(super) chairs: Vec<Sat>,
    pub(super) team: TeamId,
    pub(super) deal: Deal,
    pub(super) outcome: Option<Outcome>,
    pub(super) reached: Reached,
    pub(super) sync: Option<f64>,
}

/// Why there is no card of a game.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoCard {
    /// The lines cannot be understood.
    #[error(transparent)]
    Replay(#[from] NoReplay),
    /// What should stand on it cannot be written.
    #[error("a card cannot be written: {0}")]
    Text(#[from] serde_json::Error),
}

/// Who sat in a chair when the game was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sat {
    Person(PersonId),
    Bot(BotKind),
    /// A machine with somebody's tempo. Whose it was is not written down twice.
    Ghost,
    Nobody,
}

impl Entry {
    /// What is to be said about a game.
    pub(super) fn of(past: &Past) -> Result<Self, NoCard> {
        let chairs = past.seating.chairs.iter().map(|occupant| match occupant {
            Occupant::Person { id, .. } => Sat::Person(*id),
            Occupant::Bot(kind) => Sat::Bot(*kind),
            Occupant::Ghost(_) => Sat::Ghost,
            Occupant::Nobody => Sat::Nobody,
        });
        let tempo = tempo_of(past)?;
        Ok(Self {
            setup: past.setup,
            chairs: chairs.collect(),
            team: TeamId::of(past.people()),
            deal: Deal::of(&past.setup, &past.seed)?,
            outcome: past.outcome,
            reached: reached(past)?,
            // Two digits are all that anybody looks at.
            sync: tempo.and_then(|tempo| tempo.sync).map(|sync| (sync.score * 10.0).round() / 10.0),
        })
    }

    /// Where somebody sat.
    pub(super) fn seat_of(&self, person: PersonId) -> Option<Seat> {
        let place = self.chairs.iter().position(|sat| *sat == Sat::Person(person));
        place.and_then(Seat::new)
    }

    /// How it ended for somebody.
    pub(super) fn result(&self, person: PersonId) -> GameResult {
        match self.outcome {
            None => GameResult::Early,
            Some(Outcome::Won) => GameResult::Won,
            Some(Outcome::Lost) => GameResult::Lost,
            Some(Outcome::Best(best)) => match self.seat_of(person) {
                Some(seat) if best.contains(seat) => GameResult::Won,
                Some(_) | None => GameResult::Lost,
            },
        }
    }

    /// What the card is found by on everyone's shelf.
    fn labels(&self) -> Vec<Label> {
        let game = self.setup.game();
        let mut labels = vec![Label::Game(game), Label::Team(self.team)];
        if let Reached::Level { level, .. } = self.reached {
            labels.push(Label::Level(game, level));
        }
        labels.extend(self.sync.map(|_| Label::Synced));
        let bots = self.chairs.iter().filter_map(|sat| match sat {
            Sat::Bot(kind) => Some(*kind),
            Sat::Person(_) | Sat::Ghost | Sat::Nobody => None,
        });
        labels.extend(bots.collect::<HashSet<_>>().into_iter().map(Label::Bot));
        labels
    }
}

/// The card of a game.
pub(super) fn card(past: &Past, key: Key) -> Result<Card, NoCard> {
    let entry = Entry::of(past)?;
    let game = entry.setup.game();
    let common = entry.labels();
    let texts =
        |own: &[Label]| common.iter().chain(own).map(Label::text).collect::<Result<Vec<_>, _>>();
    let mut places = past
        .people()
        .map(|person| {
            let result = entry.result(person);
            let won = (result == GameResult::Won).then_some(Label::Won(game));
            let own = [Some(Label::Result(result)), won].into_iter().flatten();
            Ok((person.hash(), texts(&own.collect::<Vec<_>>())?))
        })
        .collect::<Result<Vec<_>, serde_json::Error>>()?;
    // What is won against each other is not won by the team.
    let won = (entry.outcome == Some(Outcome::Won)).then_some(Label::Won(game));
    places.push((entry.team.shelf(), texts(won.as_slice())?));
    places.push((entry.deal.shelf(), vec![Label::Team(entry.team).text()?]));
    let GameId { game: number, .. } = past.id;
    let text = serde_json::to_string(&entry)?.into();
    Ok(Card { key, number, text, places, names: names(past) })
}

/// What everyone was called when the game was over.
fn names(past: &Past) -> Vec<(Hash, Box<str>)> {
    let people = past.seating.iter().filter_map(|(_, occupant)| match occupant {
        Occupant::Person { id, name, .. } => Some((id.hash(), name.as_str().into())),
        Occupant::Bot(_) | Occupant::Ghost(_) | Occupant::Nobody => None,
    });
    people.collect()
}

/// How far a game came, by how it stood in the end.
fn reached(past: &Past) -> Result<Reached, NoReplay> {
    Ok(match end_of(past)? {
        View::Mind(mind::View { public, .. }) => {
            let of = public.setup.levels;
            let (beyond, level) = match public.mode {
                mind::Mode::Open => (0, public.level),
                mind::Mode::Blind { completed } => (completed, of),
            };
            let (lives, stars) = (public.lives, Some(public.stars));
            Reached::Level { level, of, beyond, lives, stars }
        }
        View::Extreme(extreme::View { public, .. }) => {
            let (level, of) = (public.level, public.setup.levels());
            let (lives, stars) = (public.lives, Some(public.stars));
            Reached::Level { level, of, beyond: 0, lives, stars }
        }
        View::Soulmates(soulmates::View { public, .. }) => {
            let of = public.setup.table.levels();
            let (beyond, level) = match public.mode {
                soulmates::Mode::Game => (0, public.level),
                soulmates::Mode::Extra { completed } => (completed, of),
            };
            Reached::Level { level, of, beyond, lives: public.lives, stars: None }
        }
        View::Royale(royale::View { public, .. }) => {
            Reached::Points(public.scores.values().collect())
        }
    })
}
