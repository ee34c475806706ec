//! A match in progress: commands are proposed, events make them true.

use smallvec::SmallVec;

use super::chance::{Chance, Seed};
use super::game::{Game, Outcome, Reason, View};
use super::seat::{Seat, Viewer};
use super::time::Moment;

/// Most steps bring one or two events; a deal after a finished level brings a few more.
type Events<G> = SmallVec<[<G as Game>::Event; 2]>;

/// A state, and the events that carry it on.
///
/// [`emit`](Self::emit) applies what it records, so that state and events cannot disagree.
pub struct Play<G: Game> {
    state: G,
    at: Moment,
    events: Events<G>,
}

impl<G: Game> Play<G> {
    /// The state so far.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Records an event and applies it.
    pub fn emit(&mut self, event: impl Into<G::Event>) {
        let event = event.into();
        self.state.apply(self.at, &event);
        self.events.push(event);
    }
}

/// A match: the seed, how many events there were, when the last one was, and the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<G: Game> {
    seed: Seed,
    seq: u64,
    at: Moment,
    state: G,
}

impl<G: Game> Match<G> {
    /// Opens a table: the first deal, and the match that stands after it.
    pub fn open(setup: &G::Setup, seed: Seed) -> Step<G> {
        Self::resume(G::new(setup), seed, 0, Moment::START).step(Moment::START, 0, G::open)
    }

    /// Folds a journal. No randomness is needed: what chance decided stands in the events.
    pub fn replay<E>(setup: &G::Setup, seed: Seed, events: E) -> Self
    where
        E: IntoIterator<Item = (Moment, G::Event)>,
    {
        let mut live = Self::resume(G::new(setup), seed, 0, Moment::START);
        for (at, event) in events {
            live.at = live.at.max(at);
            live.seq += 1;
            live.state.apply(live.at, &event);
        }
        live
    }

    /// A match that goes on from a known state, after that number of events.
    pub fn resume(state: G, seed: Seed, seq: u64, at: Moment) -> Self {
        Self { seed, seq, at, state }
    }

    /// What would happen if the seat did this now. Nothing changes: the step holds the match as
    /// it would be, and the keeper of the journal decides when that becomes true.
    ///
    /// Whether the command is permitted is asked of the seat's view alone, so that a refusal can
    /// tell nothing that the seat does not know.
    pub fn submit(
        &self,
        at: Moment,
        seat: Seat,
        command: G::Command,
    ) -> Result<Step<G>, Refusal<<G::View as View>::Refusal>> {
        self.submit_from(at, seat, command, self.seq)
    }

    /// The same with the luck of another stream of the seed than this step's own: a table that
    /// repeats the deals of another gets there after another number of events.
    pub fn submit_from(
        &self,
        at: Moment,
        seat: Seat,
        command: G::Command,
        stream: u64,
    ) -> Result<Step<G>, Refusal<<G::View as View>::Refusal>> {
        let players = self.state.players();
        if seat.index() >= usize::from(players) {
            return Err(Refusal::NoSuchSeat { seat, players });
        }
        if at < self.at {
            return Err(Refusal::Past { at, now: self.at });
        }
        self.view(Viewer::Seat(seat)).permits(&command).map_err(Refusal::Rule)?;
        Ok(self.step(at, stream, |play, chance| G::act(play, seat, command, chance)))
    }

    /// What a viewer knows.
    pub fn view(&self, viewer: Viewer) -> G::View {
        self.state.view(viewer)
    }

    /// The full state, secrets included.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The seed of all draws: for the journal only, never for a client.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many events there were.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// When the last event was.
    pub fn at(&self) -> Moment {
        self.at
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    fn step(
        &self,
        at: Moment,
        stream: u64,
        act: impl FnOnce(&mut Play<G>, &mut Chance),
    ) -> Step<G> {
        let mut play = Play { state: self.state, at, events: Events::<G>::new() };
        act(&mut play, &mut Chance::new(self.seed, stream));
        let seq = self.seq + play.events.len() as u64;
        Step { events: play.events, next: Self { seed: self.seed, seq, at, state: play.state } }
    }
}

/// What a command brings about: its events, and the match as it stands after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<G: Game> {
    events: Events<G>,
    next: Match<G>,
}

impl<G: Game> Step<G> {
    /// What happened, in order.
    pub fn events(&self) -> &[G::Event] {
        &self.events
    }

    /// What a viewer notices of it, in order.
    pub fn sights(&self, viewer: Viewer) -> impl Iterator<Item = G::Sight> + '_ {
        self.events.iter().filter_map(move |event| G::witness(event, viewer))
    }

    /// The match as it would stand.
    pub fn next(&self) -> &Match<G> {
        &self.next
    }

    /// Makes it true.
    pub fn commit(self) -> Match<G> {
        self.next
    }
}

/// Why a command did nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal<R: Reason> {
    /// The table has no such seat.
    #[error("there is no seat {seat} at a table of {players}")]
    NoSuchSeat {
        /// The seat that was named.
        seat: Seat,
        /// How many the table has.
        players: u8,
    },
    /// Time does not run backwards.
    #[error("the command is dated {at}, before the last event at {now}")]
    Past {
        /// The command's time.
        at: Moment,
        /// The time of the last event.
        now: Moment,
    },
    /// The rules do not allow it.
    #[error(transparent)]
    Rule(R),
}

impl<R: Reason> Refusal<R> {
    /// The refusal's word, for catalogues and examples.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchSeat { .. } => "no-such-seat",
            Self::Past { .. } => "past",
            Self::Rule(reason) => reason.code(),
        }
    }
}
