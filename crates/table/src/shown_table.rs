//! The table as everyone is told of it.

use rules::kit::{Seats, Seeding};
use wire::{Chair, RepeatedDeal, Sitter, Spectator, Stage as SentStage, Strangers, TableText};

use crate::admission::Admission;
use crate::any_match::AnyMatch;
use crate::presence::{Votes, all_agree};
use crate::seating::Occupant;
use crate::stage::Stage;
use crate::state::SharedDeal;
use crate::table::Table;

/// How many spectators are named to the people at a table; the others are counted.
const SPECTATORS_MOST: usize = 24;

/// All that the part of an update about the table follows from. It has to be sent again when this
/// is different.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Versions {
    state: u64,
    presence: u64,
    referee: u64,
    votes: Votes,
    deal: Option<RepeatedDeal>,
    may_talk: bool,
    is_level: bool,
    /// Whether play goes on: if not, viewers are offered less.
    pub(crate) is_on: bool,
}

/// The table as everyone is told of it, and its text.
pub(crate) struct SentTable {
    pub(crate) table: wire::Table,
    pub(crate) text: TableText,
}

impl Table {
    pub(crate) fn sent_table(&self) -> SentTable {
        let table = self.table();
        SentTable { text: TableText::of(&table), table }
    }

    /// The table as everyone is told of it.
    pub(crate) fn table(&self) -> wire::Table {
        // While a level is played the players are not told of each other's connections.
        let is_level = self.is_level();
        let presence = &self.people.presence;
        let (seating, alike) = (self.state.seating(), self.state.alike());
        let chairs = seating.iter().map(|(seat, occupant)| Chair {
            seat,
            sitter: match occupant {
                Occupant::Empty => Sitter::Empty,
                Occupant::Bot(kind) => Sitter::Bot(*kind),
                Occupant::Ghost(ghost) => Sitter::Ghost { name: ghost.name.clone() },
                Occupant::Person { id, name, mark, held } => Sitter::Person {
                    name: name.clone(),
                    mark: id.mark(*mark),
                    here: presence.is_here(*id),
                    held: *held,
                    ready: self.people.votes.ready.contains(seat),
                    alike: alike.contains(seat),
                    quality: if is_level { None } else { presence.quality(*id) },
                    unhurried: self.people.votes.unhurried.contains(seat),
                },
            },
        });
        wire::Table {
            code: self.code(),
            setup: *self.state.setup(),
            public: self.state.is_public(),
            host: seating.host.and_then(|host| seating.seat_of(host)),
            chairs: chairs.collect(),
            spectator_count: presence.spectators(seating) as u32,
            spectators: self.spectators(),
            admission: self.sent_admission(),
            stage: match self.state.stage() {
                Stage::Gathering { .. } => SentStage::Gathering,
                Stage::Playing(_) => SentStage::Playing {
                    missing: presence.missing(seating),
                    hold: self.people.votes.hold,
                    end: self.people.votes.end,
                    paused: self.referee.paused().to_vec(),
                },
                Stage::Over(_, outcome) => SentStage::Over { outcome: *outcome },
            },
            games: self.state.games(),
            deal: self.repeat(),
            commitment: self.state.any_match().map(AnyMatch::commitment),
            talk: self.may_talk() && self.state.study().is_none_or(|study| study.chat),
            strangers: self.state.is_for_strangers().then(|| Strangers {
                agreed: self.people.votes.chat,
                chat: self.is_chat_open(),
                free: self.free_seats(),
            }),
            study: self.state.study().cloned(),
        }
    }

    /// Whether people may write: at a table for strangers only when all players have agreed.
    pub(crate) fn is_chat_open(&self) -> bool {
        let players = self.state.seating().people().map(|(seat, _)| seat).collect();
        !self.state.is_for_strangers() || all_agree(self.people.votes.chat, players)
    }

    /// The seats of bots that a person may take over now: at a table for strangers, between levels.
    pub(crate) fn free_seats(&self) -> Seats {
        if !self.state.is_for_strangers() || !self.may_talk() || self.is_level() {
            return Seats::NONE;
        }
        self.bot_seats()
    }

    /// Whether it is a table for strangers with a game on, where newcomers may come in and a bot
    /// has a seat for one of them.
    pub fn has_seat_for_strangers(&self) -> bool {
        self.state.is_for_strangers()
            && self.state.is_playing()
            && !self.state.admission().locked
            && !self.state.admission().players_only
            && !self.people.presence.is_empty()
            && !self.bot_seats().is_empty()
    }

    fn bot_seats(&self) -> Seats {
        let bots = self.state.seating().iter().filter(|(_, occupant)| occupant.is_bot());
        bots.map(|(seat, _)| seat).collect()
    }

    /// The named spectators, as all viewers see them.
    fn spectators(&self) -> Vec<Spectator> {
        let admission = self.state.admission();
        let watching = self.people.presence.watching(self.state.seating()).take(SPECTATORS_MOST);
        let spectators = watching.map(|client| Spectator {
            number: client.number,
            name: client.person.name.clone(),
            muted: admission.has_muted(client.person.id),
        });
        spectators.collect()
    }

    /// The host's decisions, as all viewers see them.
    fn sent_admission(&self) -> wire::Admission {
        let Admission { locked, hides_code, players_only, removed, .. } = self.state.admission();
        let removed =
            removed.iter().map(|it| wire::Removed { number: it.number, name: it.name.clone() });
        wire::Admission {
            locked: *locked,
            hides_code: *hides_code,
            players_only: *players_only,
            removed: removed.collect(),
        }
    }

    /// The deal of the current, last or next game if other groups play it, as all viewers see it.
    pub(crate) fn repeat(&self) -> Option<RepeatedDeal> {
        if let Some(SharedDeal { deal, knows }) = self.state.shared_deal() {
            let (of, daily) = (deal.of.game(), deal.of.daily().is_some());
            return Some(RepeatedDeal { of, daily, knows: *knows });
        }
        if self.state.any_match().is_some() {
            return None;
        }
        let (of, daily) = match (self.state.offered(), self.state.setup().manners().seeding) {
            (Some(deal), _) => (deal.of.game(), deal.of.daily().is_some()),
            (None, Seeding::Fixed) => (None, false),
            (None, Seeding::Fresh) => return None,
        };
        Some(RepeatedDeal { of, daily, knows: self.people.know_deal })
    }

    pub(crate) fn versions(&self) -> Versions {
        Versions {
            state: self.state.version(),
            presence: self.people.presence.version(),
            referee: self.referee.version(),
            votes: self.people.votes,
            deal: self.repeat(),
            may_talk: self.may_talk(),
            is_level: self.is_level(),
            is_on: self.is_on(),
        }
    }

    /// Players may talk unless the game says otherwise.
    pub(crate) fn may_talk(&self) -> bool {
        self.state.playing().is_none_or(AnyMatch::may_talk)
    }

    /// Whether cards are being played, so that every player has to see the table.
    pub(crate) fn is_level(&self) -> bool {
        self.state.playing().is_some_and(AnyMatch::is_level)
    }
}
