//! A game folded from the durable lines by the rules alone. It does not use the table's own code
//! for games, so that the two can be compared.

use std::rc::Rc;

use bots::{Chair, Kind};
use rules::kit::{BySeat, Chance, Moment, Outcome, Seat, View as _, Viewer};
use serde::Serialize;
use serde_json::value::RawValue;
use table::TableGame;
use wire::{Command, Help, Setup, Sight, with_game};

/// What a page shows: the game after `place` events, as that viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Which game of the table.
    pub(crate) game: u32,
    /// After how many events.
    pub(crate) place: usize,
    pub(crate) viewer: Viewer,
    /// Whether a player is missing, so that only some options are open.
    pub(crate) waiting: bool,
    pub(crate) seq: u64,
}

/// What a viewer has to be sent of the game as it stands.
pub(crate) struct Expected {
    pub(crate) view: Vec<u8>,
    pub(crate) options: Vec<u8>,
    /// The options while a player is missing.
    pub(crate) waiting: Vec<u8>,
    pub(crate) help: Option<Help>,
}

/// A game of any kind.
pub(crate) trait AnyGame {
    /// Folds one more event.
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), String>;
    /// The moment of the last event.
    fn at(&self) -> Moment;
    /// The number of events so far.
    fn place(&self) -> usize;
    /// How many events a viewer could notice, games before this one included.
    fn seq(&self, viewer: Viewer) -> u64;
    /// The first `seq` on which a viewer's command is not stale.
    fn fresh_from(&self, viewer: Viewer) -> u64;
    /// More than any viewer could notice.
    fn next_seq(&self) -> u64;
    fn outcome(&self) -> Option<Outcome>;
    /// Whether it is won and an encore is offered.
    fn is_offer(&self) -> bool;
    fn is_race(&self) -> bool;
    fn is_level(&self) -> bool;
    fn may_talk(&self) -> bool;
    /// What a viewer has to be sent now.
    fn expected(&mut self, viewer: Viewer) -> Rc<Expected>;
    /// The last `count` sights of a viewer, as JSON.
    fn sights(&self, viewer: Viewer, count: usize) -> Vec<u8>;
    /// What a person who plays like `kind` will do when they see that.
    fn plan(
        &mut self,
        person: usize,
        kind: Kind,
        shown: Shown,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, Command)>;
    /// A random command that is permitted to a viewer who sees that.
    fn anything(&self, shown: Shown, chance: &mut Chance) -> Option<Command>;
}

/// The game of that set-up before anything has happened.
pub(crate) fn open(setup: &Setup, seq: u64) -> Box<dyn AnyGame> {
    with_game!(setup, G, setup => Box::new(Folded::<G>::new(setup, seq)))
}

struct Folded<G: TableGame> {
    /// The state after each event, the first one before any.
    states: Vec<G>,
    events: Vec<(Moment, G::Event)>,
    seats: BySeat<u64>,
    spectators: u64,
    /// Where each viewer stood when play last began, stopped or came to another level.
    fresh: BySeat<u64>,
    /// What the viewers have to be sent now, computed on first use.
    expected: [Option<Rc<Expected>>; Seat::MOST + 1],
    planners: Vec<Planner<G>>,
}

/// The bot that plans a person's moves, and how many events it was shown.
struct Planner<G: TableGame> {
    person: usize,
    seat: Seat,
    seen: usize,
    chair: Chair<G>,
}

fn index(viewer: Viewer) -> usize {
    viewer.seat().map_or(Seat::MOST, Seat::index)
}

impl<G: TableGame> Folded<G> {
    fn new(setup: &G::Setup, seq: u64) -> Self {
        let state = G::new(setup);
        let seats = BySeat::new(state.players(), |_| seq);
        let (states, events) = (vec![state], Vec::new());
        let (expected, planners) = (Default::default(), Vec::new());
        Self { states, events, seats, spectators: seq, fresh: seats, expected, planners }
    }

    fn state(&self) -> &G {
        &self.states[self.states.len() - 1]
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("messages are plain data")
}

impl<G: TableGame> AnyGame for Folded<G> {
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), String> {
        let event = serde_json::from_str::<G::Event>(event.get()).map_err(|e| e.to_string())?;
        let mut state = *self.state();
        state.apply(at, &event);
        for viewer in Viewer::all(state.players()) {
            let noticed = u64::from(G::witness(&event, viewer).is_some());
            match viewer {
                Viewer::Seat(seat) => self.seats[seat] += noticed,
                Viewer::Spectator => self.spectators += noticed,
            }
        }
        let chapter = |state: &G| G::chapter(&state.view(Viewer::Spectator));
        if chapter(&state) != chapter(self.state()) {
            self.fresh = self.seats;
        }
        self.states.push(state);
        self.events.push((at, event));
        self.expected = Default::default();
        Ok(())
    }

    fn at(&self) -> Moment {
        self.events.last().map_or(Moment::START, |(at, _)| *at)
    }

    fn place(&self) -> usize {
        self.events.len()
    }

    fn seq(&self, viewer: Viewer) -> u64 {
        match viewer.at_table_of(self.seats.players()) {
            Viewer::Seat(seat) => self.seats[seat],
            Viewer::Spectator => self.spectators,
        }
    }

    fn fresh_from(&self, viewer: Viewer) -> u64 {
        viewer.seat().map_or(0, |seat| self.fresh[seat])
    }

    fn next_seq(&self) -> u64 {
        self.seats.values().fold(self.spectators, u64::max) + 1
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state().outcome()
    }

    fn is_offer(&self) -> bool {
        table::is_offer::<G>(&self.state().view(Viewer::Spectator))
    }

    fn is_race(&self) -> bool {
        G::RACE.is_some()
    }

    fn is_level(&self) -> bool {
        G::RACE.is_some_and(|race| (race.is_level)(&self.state().view(Viewer::Spectator)))
    }

    fn may_talk(&self) -> bool {
        self.state().view(Viewer::Spectator).may_talk()
    }

    fn expected(&mut self, viewer: Viewer) -> Rc<Expected> {
        if let Some(known) = &self.expected[index(viewer)] {
            return known.clone();
        }
        let view = self.state().view(viewer);
        let expected = Rc::new(Expected {
            options: json(&G::sent_options(&view)),
            waiting: json(&G::waiting_options(&view)),
            help: G::AIDS.and_then(|aids| (aids.help)(&view)),
            view: json(&G::sent_view(view)),
        });
        self.expected[index(viewer)] = Some(expected.clone());
        expected
    }

    fn sights(&self, viewer: Viewer, count: usize) -> Vec<u8> {
        let seen = self.events.iter().rev().filter_map(|(_, event)| G::witness(event, viewer));
        let mut sights = seen.take(count).map(G::sent_sight).collect::<Vec<Sight>>();
        sights.reverse();
        json(&sights)
    }

    fn plan(
        &mut self,
        person: usize,
        kind: Kind,
        shown: Shown,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, Command)> {
        let seat = shown.viewer.seat()?;
        let setup = *self.states[0].setup();
        self.planners.retain(|mind| mind.person != person || mind.seat == seat);
        let known = self.planners.iter().position(|mind| mind.person == person);
        let place = known.unwrap_or_else(|| {
            self.planners.push(Planner { person, seat, seen: 0, chair: Chair::new(kind) });
            self.planners.len() - 1
        });
        let mind = &mut self.planners[place];
        for (at, event) in &self.events[mind.seen.min(shown.place)..shown.place] {
            if let Some(sight) = G::witness(event, shown.viewer) {
                mind.chair.watch(&setup, *at, &sight);
            }
        }
        mind.seen = mind.seen.max(shown.place);
        let view = self.states[shown.place].view(shown.viewer);
        let (at, command) = mind.chair.plan(&view, now, chance)?;
        let open = !shown.waiting || !G::waits(&command);
        open.then(|| (at, G::sent_command(command)))
    }

    fn anything(&self, shown: Shown, chance: &mut Chance) -> Option<Command> {
        let view = self.states[shown.place].view(shown.viewer);
        let options = view.options();
        chance.pick(&options).map(|command| G::sent_command(*command))
    }
}
