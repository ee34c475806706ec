//! The game at a table, whichever it is: commands are proposed, made durable by the caller, and
//! only then committed.

use bots::{Chair, Kind, Maker, Seeker, Skill};
use rules::kit::{BySeat, Chance, Match, Moment, Outcome, Seat, Seed, Step, View as _, Viewer};
use rules::{extreme, mind, royale, soulmates};
use serde::Serialize;
use serde_json::value::RawValue;
use wire::{BotKind, Command, Help, Options, Setup, Sight, View};

use crate::advisor::Question;
use crate::deal::Deal;
use crate::seated::Seated;

/// A game at a table, with its type behind the door.
pub(crate) trait Room: Send {
    /// What would happen if the seat did this: its events, as lines for the journal. They are
    /// held until they are committed or abandoned.
    fn propose(&mut self, at: Moment, seat: Seat, command: &Command) -> Result<Proposal, Refused>;
    /// Makes the first events true, which [`first_events`] has written for the journal.
    fn begin(&mut self);
    /// Makes what was proposed true.
    fn commit(&mut self);
    /// Forgets what was proposed.
    fn abandon(&mut self);
    /// Folds an event of the journal.
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), serde_json::Error>;

    /// Whether the state is one that the game can be in.
    fn check(&self) -> Result<(), String>;

    /// Whether it matters which of two commands was pressed first.
    fn is_race(&self) -> bool;
    /// Whether cards are being played, so that everyone has to see the table.
    fn is_level(&self) -> bool;
    /// Whether a command plays a card.
    fn is_play(&self, command: &Command) -> bool;
    /// How many lives it costs if these are made in this order; what is refused costs nothing.
    fn cost(&self, at: Moment, deeds: &[(Seat, Command)]) -> u8;

    /// Whether anything has happened since everyone was told last.
    fn has_news(&self) -> bool;
    /// Whether a viewer noticed something since everyone was told last.
    fn noticed(&self, viewer: Viewer) -> bool;
    /// What a viewer noticed since everyone was told last.
    fn sights(&self, viewer: Viewer) -> Vec<Sight>;
    /// Everyone has been told.
    fn told(&mut self);
    /// What the table works out for a viewer, but for a suggestion.
    fn help(&self, viewer: Viewer) -> Option<Help>;
    /// What a player would like a suggestion for, if the table has that aid.
    fn question(&self, seat: Seat) -> Option<Question>;
    /// What a viewer knows and may do; less while the table waits for somebody.
    fn shown(&self, viewer: Viewer, waiting: bool) -> (View, Options);
    /// Whether a command has to wait until everyone is there.
    fn waits(&self, command: &Command) -> bool;
    /// How many events the viewer could notice so far, games before this one included.
    fn seq(&self, viewer: Viewer) -> u64;
    /// More than any viewer could notice so far.
    fn next_seq(&self) -> u64;
    /// The `seq` at which what the viewer was looking at last changed its meaning.
    fn fresh_from(&self, viewer: Viewer) -> u64;

    /// How many events there were.
    fn steps(&self) -> u64;
    /// When the last event was.
    fn at(&self) -> Moment;
    /// Whether players may talk now.
    fn may_talk(&self) -> bool;
    /// What holds play for a seat whose player has gone; `None` if nothing has to be done.
    fn pause(&self, seat: Seat) -> Option<Command>;
    /// The thinking of a machine that takes its time over it, to be done apart from the table;
    /// `None` for those who can simply be asked for their plan.
    fn thought(&self, seat: Seat, kind: Kind, now: Moment, luck: Seed) -> Option<Thinking>;
    /// What a machine in that seat will do and when.
    fn plan(
        &mut self,
        seat: Seat,
        kind: Kind,
        now: Moment,
        luck: Seed,
    ) -> Option<(Moment, Command)>;
}

/// What leads to a plan.
pub(crate) type Thinking = Box<dyn FnOnce() -> Option<(Moment, Command)> + Send>;

/// What would happen.
pub(crate) struct Proposal {
    /// The events, for the journal.
    pub(crate) lines: Lines,
    /// How the game would have ended with them, if it has.
    pub(crate) outcome: Option<Outcome>,
}

/// Events on their way to the journal.
pub(crate) type Lines = Vec<Box<RawValue>>;

/// Why nothing happened: a word for catalogues, a sentence for people.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

/// A table of that set-up before anything has happened. `seq` is counted on from the game before,
/// so that a late move of that game is stale in this one.
pub(crate) fn open(setup: &Setup, luck: Luck, seq: u64) -> Box<dyn Room> {
    match setup {
        Setup::Mind(setup) => Box::new(Live::<mind::Mind>::new(setup, luck, seq)),
        Setup::Extreme(setup) => Box::new(Live::<extreme::Extreme>::new(setup, luck, seq)),
        Setup::Soulmates(setup) => Box::new(Live::<soulmates::Soulmates>::new(setup, luck, seq)),
        Setup::Royale(setup) => Box::new(Live::<royale::Royale>::new(setup, luck, seq)),
    }
}

/// What decides the deals of a game.
pub(crate) struct Luck {
    pub(crate) seed: Seed,
    /// Another game's, if it is repeated.
    pub(crate) deal: Option<Deal>,
}

/// The first events of a new game, as lines for the journal.
pub(crate) fn first_events(setup: &Setup, seed: Seed) -> Lines {
    match setup {
        Setup::Mind(setup) => lines(&Match::<mind::Mind>::open(setup, seed)),
        Setup::Extreme(setup) => lines(&Match::<extreme::Extreme>::open(setup, seed)),
        Setup::Soulmates(setup) => lines(&Match::<soulmates::Soulmates>::open(setup, seed)),
        Setup::Royale(setup) => lines(&Match::<royale::Royale>::open(setup, seed)),
    }
}

fn lines<G: Seated>(step: &Step<G>) -> Lines {
    step.events().iter().filter_map(|event| raw(event).ok()).collect()
}

fn raw<T: Serialize>(value: &T) -> Result<Box<RawValue>, serde_json::Error> {
    serde_json::value::to_raw_value(value)
}

/// How far one viewer has come.
#[derive(Clone, Copy, Default)]
struct Progress {
    seq: u64,
    fresh_from: u64,
}

struct Live<G: Seated> {
    game: Match<G>,
    deal: Option<Deal>,
    proposed: Option<Step<G>>,
    untold: Vec<G::Event>,
    seats: BySeat<Progress>,
    watcher: Progress,
    /// Everything that has happened, for machines that sit down later.
    past: Vec<(Moment, G::Event)>,
    machines: Vec<Machine<G>>,
}

/// What a chair is to the machines in it: how many events it has been shown, and what came of
/// them. It is made when a machine first sits there, so that people's tables do without.
struct Machine<G: Seated> {
    seat: Seat,
    shown: usize,
    chair: Chair<G>,
}

impl<G: Seated> Machine<G> {
    /// Shows the chair what it has not seen yet.
    fn catch_up(&mut self, setup: &G::Setup, past: &[(Moment, G::Event)]) {
        for (at, event) in past.iter().skip(self.shown) {
            if let Some(sight) = G::witness(event, Viewer::Seat(self.seat)) {
                self.chair.watch(setup, *at, &sight);
            }
        }
        self.shown = past.len();
    }
}

impl<G: Seated> Live<G> {
    fn new(setup: &G::Setup, Luck { seed, deal }: Luck, seq: u64) -> Self {
        let game = Match::<G>::resume(G::new(setup), seed, 0, Moment::START);
        let watcher = Progress { seq, fresh_from: seq };
        let seats = BySeat::new(game.state().players(), |_| watcher);
        let (past, machines) = (Vec::new(), Vec::new());
        Self { game, deal, proposed: None, untold: Vec::new(), seats, watcher, past, machines }
    }

    /// Which part of the seed the next step draws from.
    fn stream(&self) -> u64 {
        let lot = || G::lot(&self.game.view(Viewer::Watcher));
        self.deal.as_ref().map_or(self.game.seq(), |deal| deal.stream(lot()))
    }

    /// The luck of a machine at this point of the game.
    fn chance(&self, seat: Seat, luck: Seed) -> Chance {
        Chance::new(luck, self.game.seq() * 8 + seat.index() as u64)
    }

    fn progress(&self, viewer: Viewer) -> Progress {
        match viewer.at_table_of(self.game.state().players()) {
            Viewer::Seat(seat) => self.seats[seat],
            Viewer::Watcher => self.watcher,
        }
    }

    /// Moves on to `next`, which these events led to.
    fn advance(&mut self, next: Match<G>, events: &[G::Event]) {
        let turned =
            G::chapter(&self.game.view(Viewer::Watcher)) != G::chapter(&next.view(Viewer::Watcher));
        for viewer in Viewer::all(self.game.state().players()) {
            let noticed = events.iter().filter(|event| G::witness(event, viewer).is_some()).count();
            let progress = match viewer {
                Viewer::Seat(seat) => &mut self.seats[seat],
                Viewer::Watcher => &mut self.watcher,
            };
            progress.seq += noticed as u64;
            if turned {
                progress.fresh_from = progress.seq;
            }
        }
        self.past.extend(events.iter().map(|event| (next.at(), event.clone())));
        self.game = next;
    }
}

impl<G: Seated> Room for Live<G> {
    fn propose(&mut self, at: Moment, seat: Seat, command: &Command) -> Result<Proposal, Refused> {
        let text = || "that is a command of another game".to_owned();
        let command =
            G::command_of(command).ok_or_else(|| Refused { code: "other-game", text: text() })?;
        let step = self
            .game
            .submit_from(at, seat, command, self.stream())
            .map_err(|refusal| Refused { code: refusal.code(), text: refusal.to_string() })?;
        let proposal = Proposal { lines: lines(&step), outcome: step.next().outcome() };
        self.proposed = Some(step);
        Ok(proposal)
    }

    fn begin(&mut self) {
        self.proposed = Some(Match::open(self.game.state().setup(), self.game.seed()));
        self.commit();
    }

    fn commit(&mut self) {
        if let Some(step) = self.proposed.take() {
            let events = step.events().to_vec();
            self.advance(step.commit(), &events);
            self.untold.extend(events);
        }
    }

    fn abandon(&mut self) {
        self.proposed = None;
    }

    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), serde_json::Error> {
        let event = serde_json::from_str::<G::Event>(event.get())?;
        let mut state = *self.game.state();
        state.apply(at, &event);
        let next = Match::resume(state, self.game.seed(), self.game.seq() + 1, at);
        self.advance(next, std::slice::from_ref(&event));
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        // The notation can write everything and reads only what can be.
        let (state, text) = (self.game.state(), self.game.state().to_string());
        match text.parse::<G>() {
            Ok(read) if read == *state => Ok(()),
            Ok(_) => Err(format!("{} cannot stand like this: {text}", G::NAME)),
            Err(error) => Err(format!("{} cannot stand like this: {error}", G::NAME)),
        }
    }

    fn noticed(&self, viewer: Viewer) -> bool {
        self.untold.iter().any(|event| G::witness(event, viewer).is_some())
    }

    fn is_race(&self) -> bool {
        G::IS_RACE
    }

    fn is_level(&self) -> bool {
        G::IS_RACE && G::is_level(&self.game.view(Viewer::Watcher))
    }

    fn is_play(&self, command: &Command) -> bool {
        G::command_of(command).is_some_and(|command| G::is_play(&command))
    }

    fn cost(&self, at: Moment, deeds: &[(Seat, Command)]) -> u8 {
        let lives = |game: &Match<G>| G::lives(&game.view(Viewer::Watcher));
        let mut game = self.game;
        for (seat, command) in deeds {
            if let Some(command) = G::command_of(command)
                && let Ok(step) = game.submit(at, *seat, command)
            {
                game = step.commit();
            }
        }
        lives(&self.game).saturating_sub(lives(&game))
    }

    fn has_news(&self) -> bool {
        !self.untold.is_empty()
    }

    fn sights(&self, viewer: Viewer) -> Vec<Sight> {
        let sights = self.untold.iter().filter_map(|event| G::witness(event, viewer));
        sights.map(G::sent_sight).collect()
    }

    fn told(&mut self) {
        self.untold.clear();
    }

    fn shown(&self, viewer: Viewer, waiting: bool) -> (View, Options) {
        let view = self.game.view(viewer);
        let options = match G::sent_options(&view) {
            Options::Commands(mut commands) if waiting => {
                commands.retain(|command| !self.waits(command));
                Options::Commands(commands)
            }
            Options::Royale { mark, .. } if waiting => {
                Options::Royale { hide: false, colours: false, shapes: false, mark }
            }
            options => options,
        };
        (G::sent_view(view), options)
    }

    fn help(&self, viewer: Viewer) -> Option<Help> {
        G::help(&self.game.view(viewer))
    }

    fn question(&self, seat: Seat) -> Option<Question> {
        G::question(&self.game.view(Viewer::Seat(seat)))
    }

    fn waits(&self, command: &Command) -> bool {
        G::command_of(command).is_some_and(|command| G::waits(&command))
    }

    fn seq(&self, viewer: Viewer) -> u64 {
        self.progress(viewer).seq
    }

    fn next_seq(&self) -> u64 {
        let seats = self.seats.values().map(|progress| progress.seq);
        seats.chain([self.watcher.seq]).max().map_or(0, |seq| seq + 1)
    }

    fn fresh_from(&self, viewer: Viewer) -> u64 {
        self.progress(viewer).fresh_from
    }

    fn steps(&self) -> u64 {
        self.game.seq()
    }

    fn at(&self) -> Moment {
        self.game.at()
    }

    fn may_talk(&self) -> bool {
        self.game.view(Viewer::Watcher).may_talk()
    }

    fn pause(&self, seat: Seat) -> Option<Command> {
        let view = self.game.view(Viewer::Seat(seat));
        let pause = G::PAUSES.iter().find(|command| view.permits(command).is_ok());
        pause.map(|command| G::sent_command(*command))
    }

    fn thought(&self, seat: Seat, kind: Kind, now: Moment, luck: Seed) -> Option<Thinking> {
        let Kind::Seeker(seeker) = kind else { return None };
        let mut chance = self.chance(seat, luck);
        let view = self.game.view(Viewer::Seat(seat));
        Some(Box::new(move || {
            let (at, command) = G::seek(seeker, &view, now, &mut chance)?;
            Some((at, G::sent_command(command)))
        }))
    }

    fn plan(
        &mut self,
        seat: Seat,
        kind: Kind,
        now: Moment,
        luck: Seed,
    ) -> Option<(Moment, Command)> {
        let mut chance = self.chance(seat, luck);
        let view = self.game.view(Viewer::Seat(seat));
        let known = self.machines.iter().position(|machine| machine.seat == seat);
        let known = known.unwrap_or_else(|| {
            self.machines.push(Machine { seat, shown: 0, chair: Chair::new() });
            self.machines.len() - 1
        });
        let machine = &mut self.machines[known];
        machine.catch_up(self.game.state().setup(), &self.past);
        let (at, command) = machine.chair.plan(kind, &view, now, &mut chance)?;
        Some((at, G::sent_command(command)))
    }
}

/// Who plays under a name.
pub(crate) fn player(kind: BotKind) -> Kind {
    let seeker = |skill, maker| Kind::Seeker(Seeker { skill, maker });
    match kind {
        BotKind::Random => Kind::Random,
        BotKind::Steady => Kind::Steady,
        BotKind::Hasty => Kind::Hasty,
        BotKind::Dreamy => Kind::Dreamy,
        BotKind::Kindred => Kind::Kindred,
        BotKind::Novice => seeker(Skill::Novice, Maker::Uniform),
        BotKind::Student => seeker(Skill::Student, Maker::Uniform),
        BotKind::Master => seeker(Skill::Master, Maker::Uniform),
        BotKind::Cunning => seeker(Skill::Master, Maker::Cunning),
    }
}
