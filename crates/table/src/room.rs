//! The game at a table, whichever it is: commands are proposed, made durable by the journal, and
//! only then committed.

use std::cell::RefCell;
use std::fmt;

use bots::{Chair, Kind, Maker, Seeker, Skill};
use rules::kit::{BySeat, Chance, Match, Moment, Outcome, Seat, Seed, Step, View as _, Viewer};
use rules::{extreme, mind, royale, soulmates};
use serde_json::value::RawValue;
use smallvec::SmallVec;
use wire::{
    Around, BotKind, Code, Command, Help, Options, PhotoFinish, Setup, TableText, Updates, View,
};

use crate::advice::Question;
use crate::deal::Deal;
use crate::entry::{Cause, event_line};
use crate::fair::Stamp;
use crate::refused::Refused;
use crate::seated::Seated;

/// A game at a table, with its type behind the door.
pub trait Room: Send {
    /// What would happen if the seat of `cause` did this: its events, as lines for the journal.
    /// They are held until they are committed or abandoned.
    fn propose(
        &mut self,
        at: Moment,
        cause: &Cause,
        command: &Command,
    ) -> Result<Proposal, Refused>;
    /// Makes the first events true, which `first_lines` has written for the journal.
    fn begin(&mut self);
    /// Makes what was proposed true.
    fn commit(&mut self);
    /// Forgets what was proposed.
    fn abandon(&mut self);
    /// Folds an event of the journal.
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), serde_json::Error>;

    /// Whether the state is one that the game can be in.
    fn check(&self) -> Result<(), String>;
    /// Replaces the state by one in the game's notation: for the simulation, which compares tables
    /// that differ in what is hidden.
    fn replace(&mut self, state: &str) -> Result<(), String>;

    /// Whether it matters which of two commands was pressed first.
    fn is_race(&self) -> bool;
    /// Whether cards are being played, so that every player has to see the table.
    fn is_level(&self) -> bool;
    /// Whether a command plays a card.
    fn is_play(&self, command: &Command) -> bool;
    /// How many lives it costs if these are made in this order; what is refused costs nothing.
    fn cost(&self, at: Moment, plays: &[(Seat, Command)]) -> u8;

    /// Whether anything has happened since the viewers were told last.
    fn has_news(&self) -> bool;
    /// Whether a viewer noticed something since the viewers were told last.
    fn noticed(&self, viewer: Viewer) -> bool;
    /// An update for a viewer, as text.
    fn write_update(&self, viewer: Viewer, update: &UpdateParts) -> Vec<u8>;
    /// The viewers have been told.
    fn told(&mut self);
    /// What a player would like a suggestion for, if the table has that aid.
    fn question(&self, seat: Seat) -> Option<Question>;
    /// What a viewer knows and may do; less while the table waits for a missing player.
    fn shown(&self, viewer: Viewer, waiting: bool) -> (View, Options);
    /// Whether a command has to wait until every player is there.
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
    /// The thinking of a bot that takes its time over it, to be done apart from the table;
    /// `None` for those that can simply be asked for their plan.
    fn thought(&self, seat: Seat, kind: Kind, now: Moment, luck: Seed) -> Option<Thinking>;
    /// What a bot in that seat will do and when.
    fn plan(
        &mut self,
        seat: Seat,
        kind: Kind,
        now: Moment,
        luck: Seed,
    ) -> Option<(Moment, Command)>;
}

/// What an update says beside the game.
pub struct UpdateParts<'a> {
    /// Which table.
    pub code: Code,
    /// The table, if that is new to the viewer.
    pub table: Option<&'a TableText>,
    /// The message that it answers.
    pub ack: Option<u32>,
    /// Whether it tells what happened since the last one.
    pub is_new: bool,
    /// Whether the game is on.
    pub is_playing: bool,
    /// Whether the game waits for a player.
    pub is_waiting: bool,
    /// The row that is suggested to the viewer.
    pub suggestion: Option<royale::Row>,
    /// Two presses that were too close to tell apart.
    pub photo_finish: Option<PhotoFinish>,
    /// When it is shown.
    pub show_at: Stamp,
}

/// What leads to a plan. It depends on nothing but what it holds, so it can be done anywhere.
pub struct Thinking(Box<dyn FnOnce() -> Option<(Moment, Command)> + Send>);

impl Thinking {
    /// Thinks to the end.
    pub fn finish(self) -> Option<(Moment, Command)> {
        (self.0)()
    }
}

impl fmt::Debug for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Thinking")
    }
}

/// What would happen.
pub struct Proposal {
    /// The events, as lines for the journal.
    pub lines: Vec<Box<str>>,
    /// How the game would have ended with them, if it has.
    pub outcome: Option<Outcome>,
}

/// What decides the deals of a game.
pub struct Luck {
    /// The seed of all draws.
    pub seed: Seed,
    /// Another game's deal, if it is repeated.
    pub deal: Option<Deal>,
}

/// A table of that set-up before anything has happened. `seq` is counted on from the game before,
/// so that a late move of that game is stale in this one.
pub fn open_room(setup: &Setup, luck: Luck, seq: u64) -> Box<dyn Room> {
    match setup {
        Setup::Mind(setup) => Box::new(Live::<mind::Mind>::new(setup, luck, seq)),
        Setup::Extreme(setup) => Box::new(Live::<extreme::Extreme>::new(setup, luck, seq)),
        Setup::Soulmates(setup) => Box::new(Live::<soulmates::Soulmates>::new(setup, luck, seq)),
        Setup::Royale(setup) => Box::new(Live::<royale::Royale>::new(setup, luck, seq)),
    }
}

/// The first events of a new game, as lines for the journal.
pub(crate) fn first_lines(setup: &Setup, seed: Seed) -> Result<Vec<Box<str>>, Refused> {
    let at = Moment::START;
    match setup {
        Setup::Mind(setup) => lines(at, None, &Match::<mind::Mind>::open(setup, seed)),
        Setup::Extreme(setup) => lines(at, None, &Match::<extreme::Extreme>::open(setup, seed)),
        Setup::Soulmates(setup) => {
            lines(at, None, &Match::<soulmates::Soulmates>::open(setup, seed))
        }
        Setup::Royale(setup) => lines(at, None, &Match::<royale::Royale>::open(setup, seed)),
    }
}

/// The events of a step as lines; the command behind them stands on the first.
fn lines<G: Seated>(
    at: Moment,
    by: Option<&Cause>,
    step: &Step<G>,
) -> Result<Vec<Box<str>>, Refused> {
    let events = step.events().iter().enumerate();
    events.map(|(place, event)| event_line(at, by.filter(|_| place == 0), event)).collect()
}

/// For how many more events room is made when the events of a game have filled theirs.
const PAST_MORE: usize = 12;

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
    public: Facts,
    /// All events of the game, for bots that sit down later.
    past: Vec<(Moment, G::Event)>,
    bots: Vec<BotChair<G>>,
    /// What the last updates were written from, so that the next are written faster.
    texts: RefCell<Updates<G::View, G::Sight>>,
}

/// What everyone can see of the state and is asked for often, worked out when it changes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Facts {
    chapter: (u8, u8, u8),
    is_level: bool,
    may_talk: bool,
}

impl Facts {
    fn of<G: Seated>(game: &Match<G>) -> Self {
        let view = game.view(Viewer::Watcher);
        Self {
            chapter: G::chapter(&view),
            is_level: G::IS_RACE && G::is_level(&view),
            may_talk: view.may_talk(),
        }
    }
}

/// A chair that a bot sits in, and how many events the bot has been shown.
struct BotChair<G: Seated> {
    seat: Seat,
    shown: usize,
    chair: Chair<G>,
}

impl<G: Seated> BotChair<G> {
    /// Shows the bot what it has not seen yet.
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
        Self {
            public: Facts::of(&game),
            game,
            deal,
            proposed: None,
            untold: Vec::new(),
            seats,
            watcher,
            past: Vec::new(),
            bots: Vec::new(),
            texts: RefCell::default(),
        }
    }

    /// Which part of the seed the next step draws from.
    fn stream(&self) -> u64 {
        let lot = || G::lot(&self.game.view(Viewer::Watcher));
        self.deal.as_ref().map_or(self.game.seq(), |deal| deal.stream(lot()))
    }

    /// The luck of a bot at this point of the game.
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
        let facts = Facts::of(&next);
        let turned = facts.chapter != self.public.chapter;
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
        if self.past.len() + events.len() > self.past.capacity() {
            // A table keeps these for the whole game, so not twice the room is taken.
            self.past.reserve_exact(events.len() + PAST_MORE);
        }
        self.past.extend(events.iter().map(|event| (next.at(), event.clone())));
        self.game = next;
        self.public = facts;
    }
}

impl<G: Seated> Room for Live<G> {
    fn propose(
        &mut self,
        at: Moment,
        cause: &Cause,
        command: &Command,
    ) -> Result<Proposal, Refused> {
        let other = || Refused::new("other-game", "that is a command of another game");
        let command = G::command_of(command).ok_or_else(other)?;
        let step = self
            .game
            .submit_from(at, cause.seat, command, self.stream())
            .map_err(|refusal| Refused::new(refusal.code(), refusal.to_string()))?;
        let lines = lines(at, Some(cause), &step)?;
        let proposal = Proposal { lines, outcome: step.next().outcome() };
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

    fn replace(&mut self, state: &str) -> Result<(), String> {
        let state = state.parse::<G>().map_err(|error| error.to_string())?;
        let (seed, seq, at) = (self.game.seed(), self.game.seq(), self.game.at());
        self.game = Match::resume(state, seed, seq, at);
        Ok(())
    }

    fn noticed(&self, viewer: Viewer) -> bool {
        self.untold.iter().any(|event| G::witness(event, viewer).is_some())
    }

    fn is_race(&self) -> bool {
        G::IS_RACE
    }

    fn is_level(&self) -> bool {
        self.public.is_level
    }

    fn is_play(&self, command: &Command) -> bool {
        G::command_of(command).is_some_and(|command| G::is_play(&command))
    }

    fn cost(&self, at: Moment, plays: &[(Seat, Command)]) -> u8 {
        let lives = |game: &Match<G>| G::lives(&game.view(Viewer::Watcher));
        let mut game = self.game;
        for (seat, command) in plays {
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

    fn write_update(&self, viewer: Viewer, update: &UpdateParts) -> Vec<u8> {
        let view = self.game.view(viewer);
        let options = update.is_playing.then(|| {
            let options = G::sent_options(&view);
            if update.is_waiting { while_waiting(options) } else { options }
        });
        let untold = if update.is_new { self.untold.as_slice() } else { &[] };
        let sights = untold.iter().filter_map(|event| G::witness(event, viewer));
        let sights = sights.collect::<SmallVec<[_; 2]>>();
        let help = if G::HAS_AIDS && update.is_playing { G::help(&view) } else { None };
        let around = Around {
            code: update.code,
            table: update.table,
            you: viewer.seat(),
            seq: self.progress(viewer).seq,
            ack: update.ack,
            options: options.as_ref(),
            help: help.map(|help| Help { suggestion: update.suggestion, ..help }),
            photo_finish: update.photo_finish,
            show_at: update.show_at.to_wire(),
        };
        self.texts.borrow_mut().text(G::NAME, &view, &sights, &around)
    }

    fn told(&mut self) {
        self.untold.clear();
    }

    fn shown(&self, viewer: Viewer, waiting: bool) -> (View, Options) {
        let view = self.game.view(viewer);
        let options = G::sent_options(&view);
        (G::sent_view(view), if waiting { while_waiting(options) } else { options })
    }

    fn question(&self, seat: Seat) -> Option<Question> {
        if G::HAS_AIDS { G::question(&self.game.view(Viewer::Seat(seat))) } else { None }
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
        self.public.may_talk
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
        Some(Thinking(Box::new(move || {
            let (at, command) = G::seek(seeker, &view, now, &mut chance)?;
            Some((at, G::sent_command(command)))
        })))
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
        let place = match self.bots.iter().position(|bot| bot.seat == seat) {
            Some(place) => place,
            None => {
                self.bots.push(BotChair { seat, shown: 0, chair: Chair::new(kind) });
                self.bots.len() - 1
            }
        };
        let bot = &mut self.bots[place];
        if bot.chair.kind() != kind {
            // Another bot sits there now. It is shown the whole game.
            *bot = BotChair { seat, shown: 0, chair: Chair::new(kind) };
        }
        bot.catch_up(self.game.state().setup(), &self.past);
        let (at, command) = bot.chair.plan(&view, now, &mut chance)?;
        Some((at, G::sent_command(command)))
    }
}

/// What may be done while a player is missing.
fn while_waiting(options: Options) -> Options {
    fn left<G: Seated>(mut commands: Vec<G::Command>) -> Vec<G::Command> {
        commands.retain(|command| !G::waits(command));
        commands
    }
    match options {
        Options::Mind(commands) => Options::Mind(left::<mind::Mind>(commands)),
        Options::Extreme(commands) => Options::Extreme(left::<extreme::Extreme>(commands)),
        Options::Soulmates(commands) => Options::Soulmates(left::<soulmates::Soulmates>(commands)),
        Options::Royale { mark, .. } => {
            Options::Royale { hide: false, colours: false, shapes: false, mark }
        }
    }
}

/// The bot that plays under a name.
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
