//! One game that is over, cut out of the lines of its table.

use std::collections::HashSet;

use anyhow::anyhow;
use rules::kit::{Moment, Outcome, Seat, Seed, Viewer};
use wire::{
    Chair, Code, GameId, RepeatedDeal, Setup, Sitter, Stage, Table, WireGame, unhex, with_game,
};

use table::{
    BadLine, Cause, Deal, DealOrigin, Entry, Happening, Occupant, PersonId, Seating, SharedDeal,
    TableGame, TableState, Unplayed, commitment, is_luck,
};

/// A game that is over.
#[derive(Clone)]
pub(crate) struct FinishedGame {
    pub(crate) id: GameId,
    pub(crate) setup: Setup,
    pub(crate) seed: Seed,
    pub(crate) outcome: Option<Outcome>,
    /// Who sat where in the end.
    pub(crate) seating: Seating,
    /// Every person who had a seat during the game.
    people: HashSet<PersonId>,
    /// People whose seat a bot held for a part of the game.
    held: HashSet<PersonId>,
    public: bool,
    /// Whether it was a lesson.
    pub(crate) lesson: bool,
    /// Its deal, if other groups play it, too, and who had seen that before.
    shared_deal: Option<SharedDeal>,
    /// Whether it was won and may go on, or does.
    pub(super) may_go_on: bool,
    /// What happened, each with the number of its line.
    happenings: Vec<(usize, Happening)>,
}

/// Why a game cannot be watched again.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoReplay {
    /// The table or the game is not there.
    #[error("there is no game {0}, check the link")]
    Unknown(GameId),
    /// It is still on.
    #[error("this game is still on, it can be watched again when it is over")]
    StillOn,
    /// A line does not follow.
    #[error("line {line} of the journal: {error}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        error: String,
    },
}

impl NoReplay {
    /// The same error for a reader of an export, which has one line before those of the journal.
    pub(crate) fn in_file(self, name: &str) -> anyhow::Error {
        match self {
            Self::Line { line, error } => anyhow!("{name}:{}: {error}", line + 1),
            Self::Unknown(_) | Self::StillOn => anyhow!("{name}: {self}"),
        }
    }
}

/// A command and its events.
pub(crate) struct Move<G: WireGame> {
    pub(crate) at: Moment,
    /// The command behind it; `None` for the first deal.
    pub(crate) by: Option<Cause>,
    pub(crate) events: Vec<G::Event>,
    /// The line of its first event, from 1.
    pub(crate) line: usize,
}

impl FinishedGame {
    /// Finds a game among the lines of its table.
    pub(crate) fn find<L: AsRef<str>>(lines: &[L], id: GameId) -> Result<Self, NoReplay> {
        let Games { over, on } = Games::read(lines, id.table)?;
        // Of a game that was won and goes on, the replay ends with the victory.
        match over.into_iter().find(|game| game.id == id) {
            Some(game) => Ok(game),
            None if on.is_some_and(|on| on.id == id) => Err(NoReplay::StillOn),
            None => Err(NoReplay::Unknown(id)),
        }
    }

    /// All games of a table that are over.
    pub(crate) fn all<L: AsRef<str>>(lines: &[L], table: Code) -> Result<Vec<Self>, NoReplay> {
        Ok(Games::read(lines, table)?.over)
    }

    /// The game that the last entry of the fold began.
    fn begun(id: GameId, setup: Setup, seed: Seed, table: &TableState<Unplayed>) -> Self {
        let mut game = Self {
            id,
            setup,
            seed,
            outcome: None,
            seating: table.seating().clone(),
            people: HashSet::new(),
            held: HashSet::new(),
            public: table.is_public(),
            lesson: table.is_lesson(),
            shared_deal: table.shared_deal().cloned(),
            may_go_on: false,
            happenings: Vec::new(),
        };
        game.seated(table.seating());
        game
    }

    fn seated(&mut self, seating: &Seating) {
        self.people.extend(seating.iter().filter_map(|(_, occupant)| match occupant {
            Occupant::Person { id, .. } => Some(*id),
            Occupant::Empty | Occupant::Bot(_) | Occupant::Ghost(_) => None,
        }));
        self.held.extend(seating.iter().filter_map(|(_, occupant)| match occupant {
            Occupant::Person { id, held: true, .. } => Some(*id),
            _ => None,
        }));
        self.seating = seating.clone();
    }

    /// Every person who had a seat during the game.
    pub(crate) fn people(&self) -> impl Iterator<Item = PersonId> {
        self.people.iter().copied()
    }

    /// Whether a person sat there while it lasted.
    pub(crate) fn played(&self, person: PersonId) -> bool {
        self.people.contains(&person)
    }

    /// The seat of a person who played all of it themselves; `None` if a bot played for them.
    pub(crate) fn seat_of_own(&self, person: PersonId) -> Option<Seat> {
        self.seating.seat_of(person).filter(|_| !self.held.contains(&person))
    }

    /// Where its deal comes from.
    pub(crate) fn deal_origin(&self) -> DealOrigin {
        self.deal().map_or(DealOrigin::Game(self.id), |deal| deal.of)
    }

    /// Its deal, if other groups play it, too.
    pub(crate) fn deal(&self) -> Option<&Deal> {
        self.shared_deal.as_ref().map(|shared| &shared.deal)
    }

    /// Its deal, for another group.
    pub(crate) fn dealt(&self) -> Result<Deal, NoReplay> {
        if let Some(deal) = self.deal().cloned() {
            let is_daily = deal.of.daily().is_some();
            return Ok(if is_daily { deal.repeated(self.id) } else { deal });
        }
        let lots = with_game!(self.setup, G, setup => self.lots::<G>(&setup));
        Ok(Deal::new(self.id, self.seed, lots?))
    }

    /// Which draw came from which stream of the seed: a step draws from the stream of its number.
    fn lots<G: TableGame>(&self, setup: &G::Setup) -> Result<Vec<(u32, u64)>, NoReplay> {
        let (mut state, mut seq, mut lots) = (G::new(setup), 0, Vec::new());
        for Move { at, by, events, .. } in self.moves::<G>()? {
            // The first deal has no command behind it, and its stream is the first in every game.
            if by.is_some() && events.iter().any(is_luck) {
                lots.push((G::draw_key(&state.view(Viewer::Spectator)), seq));
            }
            seq += events.len() as u64;
            for event in &events {
                state.apply(at, event);
            }
        }
        Ok(lots)
    }

    /// The name of the person at a seat, `None` for bots.
    pub(crate) fn name(&self, seat: Seat) -> Option<&str> {
        match self.seating.chairs.get(seat.index()) {
            Some(Occupant::Person { name, .. }) => Some(name.as_str()),
            Some(Occupant::Empty | Occupant::Bot(_) | Occupant::Ghost(_)) | None => None,
        }
    }

    /// Where a person sat when the game was over.
    pub(crate) fn seat(&self, person: Option<PersonId>) -> Option<Seat> {
        person.and_then(|person| self.seating.seat_of(person))
    }

    /// The table when the game was over.
    pub(crate) fn table(&self) -> Table {
        let chairs = self.seating.iter().map(|(seat, occupant)| Chair {
            seat,
            sitter: match occupant {
                Occupant::Empty => Sitter::Empty,
                Occupant::Bot(kind) => Sitter::Bot(*kind),
                Occupant::Ghost(ghost) => Sitter::Ghost { name: ghost.name.clone() },
                Occupant::Person { id, name, mark, .. } => Sitter::Person {
                    name: name.clone(),
                    mark: id.mark(*mark),
                    here: true,
                    held: false,
                    ready: false,
                    alike: false,
                    quality: None,
                    unhurried: false,
                },
            },
        });
        Table {
            code: self.id.table,
            setup: self.setup,
            public: self.public,
            host: self.seating.host.and_then(|host| self.seating.seat_of(host)),
            chairs: chairs.collect(),
            spectator_count: 0,
            spectators: Vec::new(),
            admission: wire::Admission::default(),
            stage: Stage::Over { outcome: self.outcome },
            games: self.id.game,
            deal: self.shared_deal.as_ref().map(|SharedDeal { deal, knows }| RepeatedDeal {
                of: deal.of.game(),
                daily: deal.of.daily().is_some(),
                knows: *knows,
            }),
            commitment: Some(commitment(&self.seed)),
            talk: true,
            strangers: None,
        }
    }

    /// Everything that happened, one command after another.
    pub(crate) fn moves<G: WireGame>(&self) -> Result<Vec<Move<G>>, NoReplay> {
        let mut moves = Vec::<Move<G>>::new();
        for (line, Happening { at, by, event }) in &self.happenings {
            let wrong = |error: String| NoReplay::Line { line: *line, error };
            let event = serde_json::from_str::<G::Event>(event.get());
            let event = event.map_err(|e| wrong(e.to_string()))?;
            match (moves.last_mut(), by) {
                (Some(last), None) => last.events.push(event),
                (last, by) => {
                    if last.is_some_and(|last| *at < last.at) {
                        return Err(wrong(
                            "the time goes backwards: this is earlier than the line before"
                                .to_owned(),
                        ));
                    }
                    moves.push(Move { at: *at, by: by.clone(), events: vec![event], line: *line });
                }
            }
        }
        Ok(moves)
    }

    /// Every event with its moment.
    pub(crate) fn events<G: WireGame>(&self) -> Result<Vec<(Moment, G::Event)>, NoReplay> {
        let moves = self.moves::<G>()?.into_iter();
        let each =
            moves.flat_map(|each| each.events.into_iter().map(move |event| (each.at, event)));
        Ok(each.collect())
    }
}

/// The games of a table.
pub(crate) struct Games {
    /// Those that are over, the first one first.
    pub(crate) over: Vec<FinishedGame>,
    /// The one that is on, as far as it went.
    pub(crate) on: Option<FinishedGame>,
}

impl Games {
    /// Reads all lines of a table, by the same fold that wakes it.
    pub(crate) fn read<L: AsRef<str>>(lines: &[L], table: Code) -> Result<Self, NoReplay> {
        let mut games = Self { over: Vec::new(), on: None };
        let each = |line: usize, state: &TableState<Unplayed>, entry: Entry| {
            games.follow(table, line, state, entry)
        };
        let state = TableState::<Unplayed>::read_with(lines, each)
            .map_err(|BadLine { line, error }| NoReplay::Line { line, error })?;
        let is_resumable = state.is_some_and(|state| state.is_resumable());
        let on = games.on.as_ref().map(|on| on.id);
        if let Some(last) = games.over.last_mut() {
            last.may_go_on = is_resumable || on == Some(last.id);
        }
        Ok(games)
    }

    /// One more entry, with the table as it stands after it.
    fn follow(
        &mut self,
        table: Code,
        line: usize,
        state: &TableState<Unplayed>,
        entry: Entry,
    ) -> Result<(), String> {
        match (entry, &mut self.on) {
            (Entry::Started { setup, seed, .. }, on) => {
                let seed = Seed::new(unhex(&seed).map_err(|e| e.to_string())?);
                let id = GameId { table, game: state.games() };
                *on = Some(FinishedGame::begun(id, setup, seed, state));
            }
            (Entry::Seated { .. } | Entry::Arranged { .. }, Some(game)) => {
                game.seated(state.seating());
            }
            (Entry::Event(happening), Some(game)) => game.happenings.push((line, happening)),
            (Entry::Ended { outcome, .. }, on @ Some(_)) => {
                let Some(game) = on.take() else { return Ok(()) };
                // The whole game replaces the one that ended with its victory.
                self.over.pop_if(|last| last.id == game.id);
                self.over.push(FinishedGame { outcome, ..game });
            }
            (Entry::Resumed, on) => *on = self.over.last().cloned(),
            // Entries between games belong to none; the fold has refused misplaced ones.
            (_, None)
            | (Entry::Opened { .. } | Entry::Admission { .. } | Entry::Takeover { .. }, Some(_)) => {
            }
        }
        Ok(())
    }
}
