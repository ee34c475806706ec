//! A table as its journal tells it: one fold over its entries, for all that read them.

use std::sync::OnceLock;

use rules::kit::{Moment, Outcome, Seats, Seed, Seeding};
use wire::{Code, Setup, unhex};

use crate::admission::Admission;
use crate::answers::Answers;
use crate::any_match::{AnyMatch, Luck};
use crate::deal::Deal;
use crate::entry::{Asker, Entry, Happening};
use crate::events::Events;
use crate::person::PersonId;
use crate::seating::{Occupant, Seating};
use crate::stage::Stage;

/// A table as its journal tells it. It changes only when a line was written or read.
///
/// `E` is what is made of the events of a game: `Box<dyn AnyMatch>` plays them by the rules,
/// [`Unplayed`](crate::Unplayed) only keeps their order, for readers who want the course of the
/// table alone.
pub struct TableState<E = Box<dyn AnyMatch>> {
    setup: Setup,
    opening: Opening,
    seating: Seating,
    /// The players whose names look alike, once they were compared: that takes as long as some
    /// moves do, and viewers are sent the table at the start and end of each level.
    alike: OnceLock<Seats>,
    admission: Admission,
    stage: Stage<E>,
    latest: LatestGame,
    lines: u64,
    answers: Answers,
    /// Grows whenever anything but the game itself changes.
    version: u64,
}

/// How the table was opened.
struct Opening {
    /// Whether strangers find it in the list.
    public: bool,
    /// Who opened it, as long as they have the right to be its host.
    opener: Option<PersonId>,
    /// The deal of another group that it was opened for.
    deal: Option<Deal>,
    /// Whether its players found each other by a search.
    strangers: bool,
}

/// What is known of the game that is on or over, beside the game itself.
#[derive(Default)]
struct LatestGame {
    /// How many games were begun, this one included.
    games: u32,
    /// Its deal, if other groups play it, too.
    shared_deal: Option<SharedDeal>,
    /// Whether it is over, was won, and its players still sit as they did, so that it can go on if
    /// its rules offer that.
    resumable: bool,
    /// Whether it is on, was over before and was resumed.
    resumed: bool,
    /// Whether it began by itself, as a lesson does.
    lesson: bool,
    /// Where its clock stood when it began or the lines ended.
    clock_at: Moment,
}

/// A deal that other groups play, too.
#[derive(Clone, Debug)]
pub struct SharedDeal {
    /// Which.
    pub deal: Deal,
    /// The players who had seen it before.
    pub knows: Seats,
}

impl<E: Events> TableState<E> {
    /// The table that a first entry opens.
    pub(crate) fn founded(entry: &Entry) -> Result<Self, String> {
        let Entry::Opened { setup, public, by, deal, strangers } = entry else {
            return Err("the first line opens a table".to_owned());
        };
        Ok(Self {
            setup: *setup,
            opening: Opening {
                public: *public,
                opener: Some(*by),
                deal: deal.clone(),
                strangers: *strangers,
            },
            seating: Seating::empty(setup.players()),
            alike: OnceLock::new(),
            admission: Admission::default(),
            stage: Stage::Gathering { seq: 0 },
            latest: LatestGame::default(),
            lines: 1,
            answers: Answers::default(),
            version: 0,
        })
    }

    /// Folds one more entry. An entry that does not follow changes nothing.
    pub(crate) fn fold(&mut self, entry: &Entry) -> Result<(), String> {
        match entry {
            Entry::Opened { .. } => return Err("a table is opened once".to_owned()),
            Entry::Seated { seating, by } => {
                if seating.chairs.len() != self.seating.chairs.len() {
                    return Err("the table has another number of chairs".to_owned());
                }
                self.seat(seating.clone(), by.is_some());
                self.answered(*by);
            }
            Entry::Arranged { setup, seating, by } => {
                if self.is_playing() {
                    return Err("what is played changed while a game was on".to_owned());
                }
                if seating.chairs.len() != usize::from(setup.players()) {
                    return Err("there are not as many chairs as players".to_owned());
                }
                self.arrange(*setup, seating.clone());
                self.answered(Some(*by));
            }
            Entry::Started { setup, seed, by, knows } => {
                if self.is_playing() {
                    return Err("a game began while another was on".to_owned());
                }
                let seed = Seed::new(unhex(seed).map_err(|e| e.to_string())?);
                let shared = knows.map(|knows| self.share(setup, seed, knows)).transpose()?;
                let deal = shared.as_ref().map(|shared| shared.deal.clone());
                let luck = Luck { seed, deal };
                self.begin(E::begin(setup, luck, self.stage.next_seq()), shared);
                self.latest.lesson = by.is_none() && !self.opening.strangers;
                self.answered(*by);
            }
            Entry::Event(happening) => self.happened(happening)?,
            Entry::Ended { outcome, by } => {
                if !self.is_playing() {
                    return Err("a game ended while none was on".to_owned());
                }
                self.finish(*outcome);
                self.answered(*by);
            }
            Entry::Admission { admission, by } => {
                self.admit(admission.clone());
                self.answered(Some(*by));
            }
            Entry::Resumed => {
                if !self.latest.resumable {
                    return Err("a game went on that was not won or has other players".to_owned());
                }
                self.resume();
            }
            Entry::Takeover { .. } => {}
        }
        self.lines += 1;
        Ok(())
    }

    /// The deal of a game that begins with this seed and is not the table's own.
    fn share(&self, setup: &Setup, seed: Seed, knows: Seats) -> Result<SharedDeal, String> {
        let deal = match (self.offered(), setup.manners().seeding) {
            (Some(deal), _) => deal.clone(),
            (None, Seeding::Fixed) => Deal::fixed(seed),
            (None, Seeding::Fresh) => return Err("the table has no deal to repeat".to_owned()),
        };
        Ok(SharedDeal { deal, knows })
    }

    fn happened(&mut self, Happening { at, by, event }: &Happening) -> Result<(), String> {
        let Stage::Playing(game) = &mut self.stage else {
            return Err("an event stands here while no game was on".to_owned());
        };
        if *at < game.at() {
            return Err("its time is earlier than that of the entry before it".to_owned());
        }
        game.fold(*at, event)?;
        self.latest.clock_at = *at;
        if let Some(cause) = by
            && let Some(ticket) = cause.ticket
            && let Some(Occupant::Person { id, .. }) = self.seating.chairs.get(cause.seat.index())
        {
            self.answers.done(*id, ticket);
        }
        Ok(())
    }

    fn answered(&mut self, by: Option<Asker>) {
        if let Some(Asker { person, ticket }) = by {
            self.answers.done(person, ticket);
        }
    }

    /// Takes a seating. The opener is host by right until they hand that over: if another player
    /// took over because the opener had gone, which no message `asked` for, the right stays.
    pub(crate) fn seat(&mut self, seating: Seating, asked: bool) {
        let opener = self.opening.opener;
        let hands_over = asked && self.seating.host == opener && seating.host != opener;
        self.opening.opener = opener.filter(|_| !hands_over);
        self.version += u64::from(self.seating != seating);
        self.latest.resumable &= self.seating.has_players_of(&seating);
        self.seating = seating;
        self.alike = OnceLock::new();
    }

    /// Puts something else on the table, before its first game or between two.
    pub(crate) fn arrange(&mut self, setup: Setup, seating: Seating) {
        if setup != self.setup {
            self.opening.deal = None;
        }
        self.latest.shared_deal = None;
        self.latest.resumable = false;
        self.setup = setup;
        self.stage = Stage::Gathering { seq: self.stage.next_seq() };
        self.version += 1;
        self.seat(seating, true);
    }

    /// Takes what the host has decided.
    pub(crate) fn admit(&mut self, admission: Admission) {
        self.admission = admission;
        self.version += 1;
    }

    /// Puts a game on the table, with its deal if other groups play it, too.
    pub(crate) fn begin(&mut self, game: E, shared_deal: Option<SharedDeal>) {
        let games = self.latest.games + 1;
        self.latest = LatestGame { games, shared_deal, ..LatestGame::default() };
        self.stage = Stage::Playing(game);
        self.version += 1;
    }

    /// Puts the game away as over.
    pub(crate) fn finish(&mut self, outcome: Option<Outcome>) {
        let seq = self.stage.next_seq();
        self.stage = match std::mem::replace(&mut self.stage, Stage::Gathering { seq }) {
            Stage::Playing(game) => Stage::Over(game, outcome),
            other => other,
        };
        self.latest.resumable = outcome == Some(Outcome::Won);
        self.version += 1;
    }

    /// Puts the game that is over on the table again.
    pub(crate) fn resume(&mut self) {
        let seq = self.stage.next_seq();
        self.stage = match std::mem::replace(&mut self.stage, Stage::Gathering { seq }) {
            Stage::Over(game, _) => Stage::Playing(game),
            other => other,
        };
        (self.latest.resumable, self.latest.resumed) = (false, true);
        self.version += 1;
    }

    /// Counts lines that were written.
    pub(crate) fn wrote(&mut self, lines: u64) {
        self.lines += lines;
    }

    /// Which messages were done, to be changed.
    pub(crate) fn answers_mut(&mut self) -> &mut Answers {
        &mut self.answers
    }

    /// Which messages were done.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// What is played.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether its players found each other by a search.
    pub fn is_for_strangers(&self) -> bool {
        self.opening.strangers
    }

    /// Whether strangers find the table in the list.
    pub fn is_public(&self) -> bool {
        self.opening.public
    }

    /// Who opened the table, as long as they have the right to be its host.
    pub fn opener(&self) -> Option<PersonId> {
        self.opening.opener
    }

    /// Who may come to the table.
    pub fn admission(&self) -> &Admission {
        &self.admission
    }

    /// The code that leads to the table with this id.
    pub fn code(&self, id: Code) -> Code {
        self.admission.code.unwrap_or(id)
    }

    /// Who sits where.
    pub fn seating(&self) -> &Seating {
        &self.seating
    }

    /// The players whose names look like another player's name.
    pub(crate) fn alike(&self) -> Seats {
        *self.alike.get_or_init(|| self.seating.alike())
    }

    /// Takes the name of a person who was deleted from the chairs.
    pub(crate) fn forget(&mut self, person: PersonId) {
        self.answers.forget(person);
        let named = self.admission.forget(|id| id == person);
        self.alike = OnceLock::new();
        self.version += u64::from(self.seating.forget(|id| id == person) || named);
    }

    /// The deal that the table was opened for, if it comes next: it is for the first game alone.
    pub fn offered(&self) -> Option<&Deal> {
        self.opening.deal.as_ref().filter(|_| self.latest.games == 0)
    }

    /// The deal of the game that is on or over, if other groups play it, too.
    pub fn shared_deal(&self) -> Option<&SharedDeal> {
        self.latest.shared_deal.as_ref()
    }

    /// Before, in or after a game.
    pub fn stage(&self) -> &Stage<E> {
        &self.stage
    }

    /// Whether the last game was won by the players who still sit there: an encore may follow if
    /// the rules offer one.
    pub fn is_resumable(&self) -> bool {
        self.latest.resumable
    }

    /// Whether a game is on.
    pub fn is_playing(&self) -> bool {
        matches!(self.stage, Stage::Playing(_))
    }

    /// Whether the game that is on or over is a lesson: it began by itself.
    pub fn is_lesson(&self) -> bool {
        self.latest.lesson
    }

    /// Whether the game that is on was over before and was resumed.
    pub(crate) fn is_resumed(&self) -> bool {
        self.latest.resumed
    }

    /// How many games were begun here.
    pub fn games(&self) -> u32 {
        self.latest.games
    }

    /// Grows whenever anything but the game itself changes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// How many lines there are.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Where the game's clock stood when the game began or the lines ended.
    pub fn clock_at(&self) -> Moment {
        self.latest.clock_at
    }
}

impl TableState {
    /// The game that is on or over.
    pub fn any_match(&self) -> Option<&dyn AnyMatch> {
        match &self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(live) | Stage::Over(live, _) => Some(live.as_ref()),
        }
    }

    /// The game that is on.
    pub fn playing(&self) -> Option<&dyn AnyMatch> {
        match &self.stage {
            Stage::Playing(live) => Some(live.as_ref()),
            Stage::Gathering { .. } | Stage::Over(..) => None,
        }
    }

    /// Whether the game is over and goes on if its players want to: it is won, and its rules offer
    /// an encore.
    pub fn may_resume(&self) -> bool {
        match &self.stage {
            Stage::Over(live, _) => self.latest.resumable && live.is_offer(),
            Stage::Gathering { .. } | Stage::Playing(_) => false,
        }
    }

    /// The game in which players can do something: it is on, or may be resumed.
    pub fn open_game(&self) -> Option<&dyn AnyMatch> {
        self.any_match().filter(|_| self.is_playing() || self.may_resume())
    }

    /// The same, to be changed.
    pub(crate) fn open_game_mut(&mut self) -> Option<&mut dyn AnyMatch> {
        let is_open = self.is_playing() || self.may_resume();
        self.any_match_mut().filter(|_| is_open)
    }

    /// The game that is on, to be changed.
    pub(crate) fn playing_mut(&mut self) -> Option<&mut dyn AnyMatch> {
        match &mut self.stage {
            Stage::Playing(live) => Some(live.as_mut()),
            Stage::Gathering { .. } | Stage::Over(..) => None,
        }
    }

    /// The game that is on or over, to be changed.
    pub(crate) fn any_match_mut(&mut self) -> Option<&mut dyn AnyMatch> {
        match &mut self.stage {
            Stage::Gathering { .. } => None,
            Stage::Playing(live) | Stage::Over(live, _) => Some(live.as_mut()),
        }
    }
}
