//! The counts of a collection, by its labels.

use journal::{Catalogue, Collection, Fault};
use rules::door::GameName;
use wire::{BotGames, Participant, Record, SyncScore, Tally, Team};

use super::label::Label;
use super::recorded::RecordedGame;
use super::team::TeamId;

/// How many teams a record names.
const TEAMS_MOST: usize = 12;

/// How many cards a collection has under each label.
pub(super) struct LabelCounts {
    all: u32,
    labels: Vec<(Label, u32)>,
}

impl LabelCounts {
    pub(super) async fn of(
        catalogue: &dyn Catalogue,
        collection: Collection,
    ) -> Result<Self, Fault> {
        let mut counts = Self { all: 0, labels: Vec::new() };
        for (text, count) in catalogue.labels(collection).await? {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            match Label::read(&text) {
                Some(label) => counts.labels.push((label, count)),
                None => counts.all = count,
            }
        }
        Ok(counts)
    }

    /// The record: the counts, with people, teams and sync scores.
    pub(super) fn record(
        &self,
        people: Vec<Participant>,
        is_person: bool,
        teams: Vec<Team>,
        syncs: Vec<RecordedGame>,
    ) -> Record {
        let syncs = syncs.iter().rev().filter_map(|card| {
            let (game, score) = (card.entry.setup.game(), card.entry.sync?);
            Some(SyncScore { table: card.key().parse().ok()?, number: card.number(), game, score })
        });
        let tallies = GameName::ALL.iter().filter_map(|game| self.tally(*game, is_person));
        Record {
            people,
            games: self.all,
            tallies: tallies.collect(),
            bots: self.bots(),
            teams,
            syncs: syncs.collect(),
        }
    }

    fn tally(&self, game: GameName, is_person: bool) -> Option<Tally> {
        let levels = self.labels.iter().filter_map(|(label, _)| match label {
            Label::Level(other, level) if *other == game => Some(*level),
            _ => None,
        });
        let won = self.count(Label::Won(game));
        // Only a person wins a game that is played against each other.
        let won = (is_person || game.is_cooperative()).then_some(won);
        let played = self.count(Label::Game(game));
        (played > 0).then(|| Tally { game, played, won, level: levels.max() })
    }

    fn bots(&self) -> Vec<BotGames> {
        let bots = self.labels.iter().filter_map(|(label, games)| match label {
            Label::Bot(bot) => Some(BotGames { bot: *bot, games: *games }),
            _ => None,
        });
        let mut bots = bots.collect::<Vec<_>>();
        bots.sort_by_key(|partner| std::cmp::Reverse(partner.games));
        bots
    }

    /// The most frequent teams.
    pub(super) fn teams(&self) -> Vec<(TeamId, u32)> {
        let teams = self.labels.iter().filter_map(|(label, games)| match label {
            Label::Team(team) => Some((*team, *games)),
            _ => None,
        });
        let mut teams = teams.collect::<Vec<_>>();
        teams.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
        teams.truncate(TEAMS_MOST);
        teams
    }

    /// How many cards there are beside those of a team.
    pub(super) fn but(&self, team: TeamId) -> u32 {
        self.all.saturating_sub(self.count(Label::Team(team)))
    }

    pub(super) fn count(&self, wanted: Label) -> u32 {
        let found = self.labels.iter().find(|(label, _)| *label == wanted);
        found.map_or(0, |(_, count)| *count)
    }
}
