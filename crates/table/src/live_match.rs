//! The match that is played at a table: the rules' match, what its viewers have noticed, and the
//! bots that play in it.

use std::cell::RefCell;

use bots::{Chair, Kind, Maker, Seeker, Skill};
use rules::kit::{BySeat, Chance, Match, Moment, Outcome, Seat, Seed, Step, View as _, Viewer};
use serde_json::value::RawValue;
use smallvec::SmallVec;
use wire::{
    BotKind, Command, Commitment, Help, Options, Refusal, Setup, UpdateHead, UpdateWriter, View,
    with_game,
};

use crate::advice::Question;
use crate::any_match::{AnyMatch, Luck, Proposal, Thinking, UpdateParts};
use crate::commitment::commitment;
use crate::deal::Deal;
use crate::entry::{Cause, event_line};
use crate::game::{TableGame, is_offer, is_won};
use crate::refused::Refused;

/// A table of that set-up before anything has happened. `seq` is counted on from the game before,
/// so that a late move of that game is stale in this one.
pub fn open_match(setup: &Setup, luck: Luck, seq: u64) -> Box<dyn AnyMatch> {
    with_game!(setup, G, setup => Box::new(LiveMatch::<G>::new(setup, luck, seq)))
}

/// The first events of a new game, as lines for the journal.
pub(crate) fn first_lines(setup: &Setup, seed: Seed) -> Result<Vec<Box<str>>, Refused> {
    let at = Moment::START;
    with_game!(setup, G, setup => lines(at, None, &Match::<G>::open(setup, seed)))
}

/// The events of a step as lines; the command behind them stands on the first.
fn lines<G: TableGame>(
    at: Moment,
    by: Option<&Cause>,
    step: &Step<G>,
) -> Result<Vec<Box<str>>, Refused> {
    let events = step.events().iter().enumerate();
    events.map(|(place, event)| event_line(at, by.filter(|_| place == 0), event)).collect()
}

/// For how many more events room is made when the events of a game have filled theirs.
const PAST_MORE: usize = 6;

/// How far one viewer has come.
#[derive(Clone, Copy, Default)]
struct Progress {
    seq: u64,
    fresh_from: u64,
}

struct LiveMatch<G: TableGame> {
    game: Match<G>,
    deal: Option<Deal>,
    commitment: Commitment,
    /// A step that is being written, and what everyone can see after it. Most tables wait for
    /// their players and have none, so it takes room only while it is there.
    proposed: Option<Box<(Step<G>, Facts)>>,
    seats: BySeat<Progress>,
    spectators: Progress,
    public: Facts,
    /// All events of the game: for the viewers, and for bots that sit down later.
    past: Vec<(Moment, G::Event)>,
    /// How many of these events the viewers have been told.
    told: usize,
    bots: Vec<BotChair<G>>,
    /// What the last updates were written from, so that the next are written faster.
    texts: RefCell<UpdateWriter<G::View, G::Sight>>,
}

/// What everyone can see of the state and is asked for often, worked out when it changes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Facts {
    chapter: (u8, u8, u8),
    is_level: bool,
    is_offer: bool,
    may_talk: bool,
}

impl Facts {
    fn of<G: TableGame>(game: &Match<G>) -> Self {
        let view = game.view(Viewer::Spectator);
        Self {
            chapter: G::chapter(&view),
            is_level: G::RACE.is_some_and(|race| (race.is_level)(&view)),
            is_offer: is_offer::<G>(&view),
            may_talk: view.may_talk(),
        }
    }
}

/// A chair that a bot sits in, and how many events the bot has been shown.
struct BotChair<G: TableGame> {
    seat: Seat,
    shown: usize,
    chair: Chair<G>,
}

impl<G: TableGame> BotChair<G> {
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

impl<G: TableGame> LiveMatch<G> {
    fn new(setup: &G::Setup, Luck { seed, deal }: Luck, seq: u64) -> Self {
        let game = Match::<G>::resume(G::new(setup), seed, 0, Moment::START);
        let spectators = Progress { seq, fresh_from: seq };
        let seats = BySeat::new(game.state().players(), |_| spectators);
        Self {
            public: Facts::of(&game),
            game,
            deal,
            commitment: commitment(&seed),
            proposed: None,
            seats,
            spectators,
            past: Vec::new(),
            told: 0,
            bots: Vec::new(),
            texts: RefCell::default(),
        }
    }

    /// Which part of the seed the next step draws from.
    fn stream(&self) -> u64 {
        let key = || G::draw_key(&self.game.view(Viewer::Spectator));
        self.deal.as_ref().map_or(self.game.seq(), |deal| deal.stream(key()))
    }

    /// The luck of a bot at this point of the game.
    fn chance(&self, seat: Seat, luck: Seed) -> Chance {
        Chance::new(luck, self.game.seq() * 8 + seat.index() as u64)
    }

    fn progress(&self, viewer: Viewer) -> Progress {
        match viewer.at_table_of(self.game.state().players()) {
            Viewer::Seat(seat) => self.seats[seat],
            Viewer::Spectator => self.spectators,
        }
    }

    /// Takes over the events of a step at that time, after which everyone can see these facts. The
    /// caller replaces the game.
    fn advance(&mut self, at: Moment, facts: Facts, events: &[G::Event]) {
        let turned = facts.chapter != self.public.chapter;
        for viewer in Viewer::all(self.game.state().players()) {
            let noticed = events.iter().filter(|event| G::witness(event, viewer).is_some()).count();
            let progress = match viewer {
                Viewer::Seat(seat) => &mut self.seats[seat],
                Viewer::Spectator => &mut self.spectators,
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
        self.past.extend(events.iter().map(|event| (at, event.clone())));
        self.public = facts;
    }

    /// The events that the viewers have not been told.
    fn untold(&self) -> impl Iterator<Item = &G::Event> {
        self.past.iter().skip(self.told).map(|(_, event)| event)
    }
}

impl<G: TableGame> AnyMatch for LiveMatch<G> {
    fn propose(
        &mut self,
        at: Moment,
        cause: &Cause,
        command: &Command,
    ) -> Result<Proposal, Refused> {
        let other = || Refused::new(Refusal::OtherGame, "that is a command of another game");
        let command = G::command_of(command).ok_or_else(other)?;
        let step =
            self.game.submit_from(at, cause.seat, command, self.stream()).map_err(|refusal| {
                let text = refusal.to_string();
                Refused::new(refusal.into(), text)
            })?;
        let lines = lines(at, Some(cause), &step)?;
        let facts = Facts::of(step.next());
        let opens_offer = !self.public.is_offer && facts.is_offer;
        let outcome = step.next().outcome().or(opens_offer.then_some(Outcome::Won));
        let proposal = Proposal { lines, outcome };
        self.proposed = Some(Box::new((step, facts)));
        Ok(proposal)
    }

    fn begin(&mut self) {
        let step = Match::open(self.game.state().setup(), self.game.seed());
        let facts = Facts::of(step.next());
        self.proposed = Some(Box::new((step, facts)));
        self.commit();
    }

    fn commit(&mut self) {
        if let Some(proposed) = self.proposed.take() {
            let (step, facts) = *proposed;
            self.advance(step.next().at(), facts, step.events());
            self.game = step.commit();
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
        let facts = Facts::of(&next);
        self.advance(at, facts, std::slice::from_ref(&event));
        self.game = next;
        self.clear_news();
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
        self.untold().any(|event| G::witness(event, viewer).is_some())
    }

    fn commitment(&self) -> Commitment {
        self.commitment
    }

    fn is_race(&self) -> bool {
        G::RACE.is_some()
    }

    fn is_offer(&self) -> bool {
        self.public.is_offer
    }

    fn is_won(&self) -> bool {
        is_won::<G>(&self.game.view(Viewer::Spectator))
    }

    fn is_level(&self) -> bool {
        self.public.is_level
    }

    fn is_play(&self, command: &Command) -> bool {
        let is_play = |command| G::RACE.is_some_and(|race| (race.is_play)(&command));
        G::command_of(command).is_some_and(is_play)
    }

    fn cost(&self, at: Moment, plays: &[(Seat, Command)]) -> u8 {
        let Some(race) = G::RACE else { return 0 };
        let lives = |game: &Match<G>| (race.lives)(&game.view(Viewer::Spectator));
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
        self.told < self.past.len()
    }

    fn write_update(&self, viewer: Viewer, update: &UpdateParts, out: &mut Vec<u8>) {
        let view = self.game.view(viewer);
        let options = update.is_playing.then(|| {
            if update.is_waiting { G::waiting_options(&view) } else { G::sent_options(&view) }
        });
        let untold = self.untold().take(if update.is_new { usize::MAX } else { 0 });
        let sights = untold.filter_map(|event| G::witness(event, viewer));
        let sights = sights.collect::<SmallVec<[_; 2]>>();
        let help = G::AIDS.filter(|_| update.is_playing).and_then(|aids| (aids.help)(&view));
        let around = UpdateHead {
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
        self.texts.borrow_mut().write(G::NAME, &view, &sights, &around, out);
    }

    fn clear_news(&mut self) {
        self.told = self.past.len();
    }

    fn shown(&self, viewer: Viewer, waiting: bool) -> (View, Options) {
        let view = self.game.view(viewer);
        let options = if waiting { G::waiting_options(&view) } else { G::sent_options(&view) };
        (G::sent_view(view), options)
    }

    fn question(&self, seat: Seat) -> Option<Question> {
        (G::AIDS?.question)(&self.game.view(Viewer::Seat(seat)))
    }

    fn waits(&self, command: &Command) -> bool {
        G::command_of(command).is_some_and(|command| G::waits(&command))
    }

    fn seq(&self, viewer: Viewer) -> u64 {
        self.progress(viewer).seq
    }

    fn next_seq(&self) -> u64 {
        let seats = self.seats.values().map(|progress| progress.seq);
        seats.chain([self.spectators.seq]).max().map_or(0, |seq| seq + 1)
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

    fn level(&self) -> u8 {
        G::level(&self.game.view(Viewer::Spectator))
    }

    fn may_talk(&self) -> bool {
        self.public.may_talk
    }

    fn pause(&self, seat: Seat) -> Option<Command> {
        let view = self.game.view(Viewer::Seat(seat));
        let pause = G::RACE?.pauses.iter().find(|command| view.permits(command).is_ok());
        pause.map(|command| G::sent_command(*command))
    }

    fn thought(&self, seat: Seat, kind: Kind, now: Moment, luck: Seed) -> Option<Thinking> {
        let Kind::Seeker(_) = kind else { return None };
        let mut bot = G::bot(kind)?;
        let mut chance = self.chance(seat, luck);
        let view = self.game.view(Viewer::Seat(seat));
        Some(Thinking::new(move || {
            let (at, command) = bot.plan(&view, now, &mut chance)?;
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

/// The bot that plays under a name.
pub fn player(kind: BotKind) -> Kind {
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
