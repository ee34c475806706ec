//! One definition of each law, for all games.

use std::env;
use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};

use rules::kit::{Chance, Imagine, Match, Moment, Seat, Seed, View, Viewer};
use serde::{Serialize, de::DeserializeOwned};

/// Random games of each set-up that `cargo xtask test` plays.
const GAMES: u64 = 400;
/// No game goes on for longer than this, however it is played.
const STEPS_MOST: u32 = 20_000;

/// What the laws need to know about a game beside its rules.
pub trait Lawful: Imagine {
    /// Set-ups to play, in the game's notation: every number of players, and every table option at
    /// least once.
    const SETUPS: &'static [&'static str];

    /// The words of the events that reveal what a player held, as a mistake or a star does.
    const REVEALS: &'static [&'static str];

    /// Any command at all, sensible or not.
    fn any_command(chance: &mut Chance) -> Self::Command;

    /// What a player who saw all cards would do to bring the game to its best end. Games played
    /// partly so reach the late levels that random play never sees.
    fn guide(state: &Self) -> (Seat, Self::Command);

    /// What must be true of the cards at every step: where they all are.
    fn conserved(state: &Self) -> Result<(), String>;
}

/// Every seat with what it knows.
pub fn views<G: Lawful>(state: &G) -> impl Iterator<Item = (Seat, G::View)> + '_ {
    Seat::all(state.players()).map(|seat| (seat, state.view(Viewer::Seat(seat))))
}

/// The first seat that may do this.
pub fn first_who_may<G: Lawful>(state: &G, command: G::Command) -> (Seat, G::Command) {
    let (seat, _) = views(state).find(|(_, view)| view.permits(&command).is_ok()).unwrap();
    (seat, command)
}

/// Plays random games of every set-up and checks every law at every step.
pub fn hold<G: Lawful>() {
    let number = |name, default| {
        env::var(name).map_or(default, |text| text.parse().expect("the variable is a number"))
    };
    let games = number("UNSPOKEN_LAWS_GAMES", GAMES);
    let first = number("UNSPOKEN_LAWS_SEED", 0);
    for (index, text) in G::SETUPS.iter().enumerate() {
        let setup = &text.parse::<G::Setup>().unwrap_or_else(|e| panic!("{text}: {e}"));
        if env::var("UNSPOKEN_LAWS_SETUP").is_ok_and(|only| only != format!("{} {setup}", G::NAME))
        {
            continue;
        }
        let mut compared = 0;
        for seed in first..first + games {
            let game = AssertUnwindSafe(|| Walk::<G>::new(setup, seed).run());
            match panic::catch_unwind(game) {
                Ok(twins) => compared += twins,
                Err(cause) => {
                    eprintln!(
                        "repeat this failure (set-up {index}) with:\n  \
                         cargo xtask laws --games 1 --seed {seed} --setup \"{} {setup}\"",
                        G::NAME
                    );
                    panic::resume_unwind(cause);
                }
            }
        }
        // A single game that repeats a failure may have none, and a short game has few moves.
        let enough = games < 100 || compared >= games / 4;
        assert!(enough, "{} {setup}: only {compared} sights were compared", G::NAME);
    }
}

/// One random game.
struct Walk<G: Lawful> {
    setup: G::Setup,
    live: Match<G>,
    journal: Vec<(Moment, G::Event)>,
    /// The walk's own luck: who does what, and when.
    chance: Chance,
    /// In how many of four steps the guide leads.
    guided: u32,
    /// How many sights of twins were compared.
    compared: u64,
}

impl<G: Lawful> Walk<G> {
    fn new(setup: &G::Setup, seed: u64) -> Self {
        let opening = Match::<G>::open(setup, Seed::from(seed));
        let mut chance = Chance::new(Seed::from(seed), u64::MAX);
        let journal = opening.events().iter().map(|event| (Moment::START, event.clone())).collect();
        let guided = chance.below(5);
        Self { setup: *setup, live: opening.commit(), journal, chance, guided, compared: 0 }
    }

    /// Plays to the end; returns how many sights of twins were compared.
    fn run(mut self) -> u64 {
        for _ in 0..STEPS_MOST {
            self.check_state();
            if self.live.outcome().is_some() {
                self.check_replay();
                return self.compared;
            }
            self.step();
        }
        panic!("the game has not ended after {STEPS_MOST} steps: {}", self.live.state());
    }

    /// One player acts: what the guide would do, or any permitted command.
    fn step(&mut self) {
        let at = Moment::from_micros(self.live.at().micros() + u64::from(self.chance.below(9)));
        let (seat, command) = if self.chance.below(4) < self.guided {
            G::guide(self.live.state())
        } else {
            self.anything()
        };
        let before = self.live;
        let step = match self.live.submit(at, seat, command) {
            Ok(step) => step,
            Err(refusal) => panic!("{seat} may not {command}: {refusal}\n{}", before.state()),
        };
        assert_eq!(before, self.live, "submit changed something");
        assert_eq!(step, self.live.submit(at, seat, command).unwrap(), "submit is not a function");
        assert!(!step.events().is_empty(), "{command} was accepted and nothing happened");
        if self.chance.once_in(4) {
            self.check_chance(at, seat, command, step.events());
            self.check_twins(at, seat, command, step.events());
        }
        for event in step.events() {
            self.check_event(event);
            self.journal.push((at, event.clone()));
        }
        self.live = step.commit();
        if self.chance.once_in(32) {
            self.check_replay();
        }
    }

    /// What another seed would change, another step of this one changes too.
    fn check_chance(&self, at: Moment, seat: Seat, command: G::Command, events: &[G::Event]) {
        let differs = |seed, seq| {
            let live = Match::resume(*self.live.state(), seed, seq, self.live.at());
            live.submit(at, seat, command).unwrap().events() != events
        };
        let seq = self.live.seq();
        if (0..4).any(|other| differs(Seed::from(u64::MAX - other), seq)) {
            let other_step = (1..64).any(|later| differs(self.live.seed(), seq + later));
            assert!(other_step, "{command} draws the same at every step");
        }
    }

    /// What a viewer notices of a step depends on nothing that the viewer cannot see, up to where
    /// the rules reveal something.
    fn check_twins(&mut self, at: Moment, seat: Seat, command: G::Command, events: &[G::Event]) {
        for viewer in Viewer::all(self.live.state().players()) {
            let twin = G::imagine(&self.live.view(viewer), &mut self.chance);
            let twin = Match::resume(twin, self.live.seed(), self.live.seq(), self.live.at());
            let Ok(step) = twin.submit(at, seat, command) else { continue };
            for place in 0..events.len().max(step.events().len()) {
                let both = [events.get(place), step.events().get(place)];
                if both.into_iter().flatten().any(reveals::<G>) {
                    break;
                }
                let [seen, other] = both.map(|event| event.map(|event| G::witness(event, viewer)));
                let (here, there) = (self.live.state(), twin.state());
                self.compared += 1;
                assert_eq!(seen, other, "{viewer} learns from {seat} {command}:\n{here}\n{there}");
            }
        }
    }

    fn anything(&mut self) -> (Seat, G::Command) {
        let state = self.live.state();
        let options = Seat::all(state.players())
            .flat_map(|seat| {
                let options = state.view(Viewer::Seat(seat)).options();
                options.into_iter().map(move |command| (seat, command))
            })
            .collect::<Vec<_>>();
        *self.chance.pick(&options).unwrap_or_else(|| panic!("no player can act: {state}"))
    }

    fn check_state(&mut self) {
        let state = *self.live.state();
        G::conserved(&state).unwrap_or_else(|wrong| panic!("{wrong}: {state}"));
        // Writing and reading costs more than all the rest: now and then is often enough.
        let written = self.chance.once_in(8);
        if written {
            assert_eq!(state.to_string().parse(), Ok(state), "notation of {state}");
        }
        for viewer in Viewer::all(state.players()) {
            let view = state.view(viewer);
            self.check_options(viewer, &view);
            self.check_leaks(viewer, &view);
        }
    }

    /// Permitted exactly when among the options; a spectator, and anyone once the game is over, has
    /// none.
    fn check_options(&mut self, viewer: Viewer, view: &G::View) {
        let options = view.options();
        let idle = viewer == Viewer::Spectator || self.live.outcome().is_some();
        assert!(options.is_empty() || !idle, "{viewer} has options: {view}");
        let some = (0..4).filter_map(|_| self.chance.pick(&options).copied()).collect::<Vec<_>>();
        let any = (0..4).map(|_| G::any_command(&mut self.chance)).collect::<Vec<_>>();
        for command in some.into_iter().chain(any) {
            if self.chance.once_in(8) {
                round_trip(&command);
                assert_eq!(command.to_string().parse(), Ok(command), "notation of {command}");
            }
            let permitted = view.permits(&command).is_ok();
            assert_eq!(permitted, options.contains(&command), "{viewer} {command}: {view}");
            if let Viewer::Seat(seat) = viewer {
                let submitted = self.live.submit(self.live.at(), seat, command).is_ok();
                assert_eq!(submitted, permitted, "{viewer} {command}: {view}");
            }
        }
    }

    /// A view tells nothing beyond itself: other states look just the same.
    fn check_leaks(&mut self, viewer: Viewer, view: &G::View) {
        let first = G::imagine(view, &mut self.chance);
        assert_eq!(first.view(viewer), *view, "imagined for {viewer}: {first}");
        if self.chance.once_in(8) {
            assert_eq!(first.to_string().parse(), Ok(first), "imagined for {viewer}");
        }
        if !G::certain(view) {
            let differs = (0..64).any(|_| G::imagine(view, &mut self.chance) != first);
            assert!(differs, "every imagining for {viewer} is {first}");
        }
    }

    fn check_event(&mut self, event: &G::Event) {
        let written = self.chance.once_in(4);
        if written {
            round_trip(event);
            assert_eq!(event.to_string().parse(), Ok(event.clone()), "notation of {event}");
        }
        for viewer in Viewer::all(self.live.state().players()) {
            let sight = G::witness(event, viewer);
            if written {
                round_trip(&sight);
            }
            let other = G::imagine_event(event, viewer, &mut self.chance);
            assert_eq!(G::witness(&other, viewer), sight, "{viewer} can tell {event} from {other}");
        }
    }

    /// Replay equals live, without any luck of its own.
    fn check_replay(&self) {
        let other = Seed::from(u64::MAX);
        let again = Match::<G>::replay(&self.setup, other, self.journal.iter().cloned());
        assert_eq!(again.state(), self.live.state(), "replay differs from live");
        assert_eq!((again.seq(), again.at()), (self.live.seq(), self.live.at()));
    }
}

/// Whether an event reveals what a player held.
fn reveals<G: Lawful>(event: &G::Event) -> bool {
    let text = event.to_string();
    G::REVEALS.iter().any(|word| text.split(' ').next() == Some(word))
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("the value can be serialized");
    let again = serde_json::from_str::<T>(&text);
    assert_eq!(again.as_ref().ok(), Some(value), "round trip of {text}");
}
