//! The card of a finished game in the catalogue.

use std::collections::HashSet;

use journal::{Card, Hash, Key};
use rules::kit::{Outcome, Seat};
use serde::{Deserialize, Serialize};
use wire::{BotKind, GameId, GameResult, Progress, Setup};

use super::label::Label;
use super::team::{DealId, TeamId};
use crate::replay::{FinishedGame, NoReplay, mistakes, reached, tempo_of};
use table::{Occupant, PersonId};

/// Changes with what is written on cards: the catalogue is made again then.
pub(super) const EDITION: u32 = 3;

/// The contents of a card. Names are stored apart, where they can be deleted.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameCard {
    pub(super) setup: Setup,
    /// Seat A first.
    pub(super) chairs: Vec<CardSeat>,
    pub(super) team: TeamId,
    pub(super) deal: DealId,
    pub(super) outcome: Option<Outcome>,
    pub(super) reached: Progress,
    pub(super) sync: Option<f64>,
    /// How many mistakes were made; `None` in Royale.
    pub(super) mistakes: Option<u16>,
    /// Whether it was the deal of the day.
    pub(super) daily: bool,
}

/// Why there is no card of a game.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoCard {
    /// The table's journal cannot be read.
    #[error(transparent)]
    Replay(#[from] NoReplay),
    /// The contents cannot be serialized.
    #[error("a card cannot be written: {0}")]
    Text(#[from] serde_json::Error),
}

/// Who was in a seat when the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CardSeat {
    Person(PersonId),
    Bot(BotKind),
    /// A bot with a recorded tempo. The person is named in the journal only.
    Ghost,
    /// The seat was empty.
    #[serde(rename = "nobody")]
    Empty,
}

impl GameCard {
    /// What is to be said about a game.
    pub(super) fn of(past: &FinishedGame) -> Result<Self, NoCard> {
        let chairs = past.seating.chairs.iter().map(|occupant| match occupant {
            Occupant::Person { id, .. } => CardSeat::Person(*id),
            Occupant::Bot(kind) => CardSeat::Bot(*kind),
            Occupant::Ghost(_) => CardSeat::Ghost,
            Occupant::Empty => CardSeat::Empty,
        });
        let tempo = tempo_of(past)?;
        Ok(Self {
            setup: past.setup,
            chairs: chairs.collect(),
            team: TeamId::of(past.people()),
            deal: DealId::of(&past.setup, &past.seed)?,
            outcome: past.outcome,
            reached: reached(past)?,
            mistakes: mistakes(past)?,
            daily: past.deal_origin().daily().is_some(),
            // The page shows two digits.
            sync: tempo.and_then(|tempo| tempo.sync).map(|sync| (sync.score * 10.0).round() / 10.0),
        })
    }

    /// A person's seat.
    pub(super) fn seat_of(&self, person: PersonId) -> Option<Seat> {
        let place = self.chairs.iter().position(|sat| *sat == CardSeat::Person(person));
        place.and_then(Seat::new)
    }

    /// How the game ended for a person.
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

    /// The labels that the card has in every collection.
    fn labels(&self) -> Vec<Label> {
        let game = self.setup.game();
        let mut labels = vec![Label::Game(game), Label::Team(self.team)];
        if let Progress::Level { level, .. } = self.reached {
            labels.push(Label::Level(game, level));
        }
        labels.extend(self.sync.map(|_| Label::Synced));
        labels.extend(self.daily.then_some(Label::Daily));
        let bots = self.chairs.iter().filter_map(|sat| match sat {
            CardSeat::Bot(kind) => Some(*kind),
            CardSeat::Person(_) | CardSeat::Ghost | CardSeat::Empty => None,
        });
        labels.extend(bots.collect::<HashSet<_>>().into_iter().map(Label::Bot));
        labels
    }
}

/// The card of a game.
pub(super) fn card(past: &FinishedGame, key: Key) -> Result<Card, NoCard> {
    let entry = GameCard::of(past)?;
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
    // A win against each other is not a win of the team.
    let won = (entry.outcome == Some(Outcome::Won)).then_some(Label::Won(game));
    places.push((entry.team.collection(), texts(won.as_slice())?));
    let daily = entry.daily.then_some(Label::Daily);
    let of_deal = [Label::Team(entry.team)].into_iter().chain(daily);
    let of_deal = of_deal.map(|label| label.text()).collect::<Result<_, _>>()?;
    places.push((entry.deal.collection(), of_deal));
    let GameId { game: number, .. } = past.id;
    let text = serde_json::to_string(&entry)?.into();
    Ok(Card { key, number, text, places, names: names(past) })
}

/// What everyone was called when the game was over.
fn names(past: &FinishedGame) -> Vec<(Hash, Box<str>)> {
    let people = past.seating.iter().filter_map(|(_, occupant)| match occupant {
        Occupant::Person { id, name, .. } => Some((id.hash(), name.as_str().into())),
        Occupant::Bot(_) | Occupant::Ghost(_) | Occupant::Empty => None,
    });
    people.collect()
}
