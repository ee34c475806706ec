//! A table with a journal in memory, in time that the test hands in.

use std::time::Duration;

use rules::door::GameName;
use rules::family::FocusCommand;
use rules::kit::{Preset, Seat, Seed};
use rules::mind;
use table::fair::{Claim, Stamp};
use table::{
    Append, AppendFailure, ConnId, DailyDealId, Deal, Effect, Found, Founding, Input, LinkState,
    Message, Origin, Person, PersonId, Settings, Stage, StartCheck, Table, TableState, Ticket,
};
use wire::{Code, Command, Reader, Request, ServerMessage, Setup, Update};

/// A table with a journal in memory, and what each connection heard.
pub struct Scene {
    pub table: Table,
    pub now: Stamp,
    pub lines: Vec<Box<str>>,
    /// What waits for the journal's answer.
    pub pending: Option<Append>,
    pub readers: Vec<Reader>,
    pub heard: Vec<(ConnId, ServerMessage)>,
    pub effects: Vec<Effect>,
    pub wake_at: Option<Stamp>,
    pub ids: u32,
}

pub fn code() -> Code {
    "k3f9ab".parse().unwrap()
}

pub fn person(place: u8) -> Person {
    let id = PersonId::from_hash([place + 1; 32]);
    Person { id, name: format!("Player {place}").parse().unwrap(), mark: None, lends_tempo: false }
}

pub fn seat(place: usize) -> Seat {
    Seat::new(place).unwrap()
}

pub fn conn(place: usize) -> ConnId {
    ConnId(place as u64)
}

impl Scene {
    /// A table of The Mind that was just opened.
    pub fn open(players: u8) -> Self {
        Self::arranged(players, Preset::default(), Settings::default(), Seed::from(7))
    }

    /// The same, of that preset, with these settings and luck.
    fn arranged(players: u8, preset: Preset, settings: Settings, seed: Seed) -> Self {
        let setup = Setup::of(GameName::Mind, players, preset).unwrap();
        Self::founded(setup, None, settings, seed)
    }

    fn founded(setup: Setup, deal: Option<Deal>, settings: Settings, seed: Seed) -> Self {
        let founding = Founding { setup, public: false, by: person(0).id, deal };
        let founded = founding.found(code()).unwrap();
        Self::woken(founded.append.lines, settings, seed)
    }

    /// Two have begun the deal of a day, a game of one level.
    pub fn daily(id: DailyDealId) -> Self {
        let setup = r#"{"mind":{"players":2,"levels":1,"lives":5,"stars":0,
            "blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game",
            "seeding":"fresh","export":false}}}"#;
        let setup = serde_json::from_str(setup).unwrap();
        let deal = Deal::daily(id, id.seed("a secret"));
        let mut scene = Self::founded(setup, Some(deal), Settings::default(), Seed::from(7));
        scene.sit_down(2);
        scene.ask(0, Request::Start);
        scene.input(Input::Found(Found::BeforeStart(Ok(StartCheck::default()))));
        assert!(matches!(scene.table.state().stage(), Stage::Playing(_)));
        scene
    }

    /// A table that wakes from these lines.
    pub fn of(lines: Vec<Box<str>>) -> Self {
        Self::woken(lines, Settings::default(), Seed::from(7))
    }

    fn woken(lines: Vec<Box<str>>, settings: Settings, seed: Seed) -> Self {
        let state = TableState::read(&lines).unwrap().unwrap();
        let now = Stamp::from_millis(1_000);
        let table = Table::new(code(), state, settings, seed, now);
        let mut scene = Self {
            table,
            now,
            lines,
            pending: None,
            readers: (0..8).map(|_| Reader::default()).collect(),
            heard: Vec::new(),
            effects: Vec::new(),
            wake_at: None,
            ids: 0,
        };
        scene.input(Input::Woke);
        scene
    }

    /// Everyone sits and a game has begun.
    pub fn playing(players: u8) -> Self {
        Self::open(players).begun(players)
    }

    /// Two have begun a game with a fixed deal, which these people have seen; the luck of the table
    /// is drawn from `seed`.
    pub fn fixed(seed: Seed, know_deal: Vec<PersonId>) -> Self {
        let settings = Settings { fixed_deals: "a secret".to_owned(), ..Settings::default() };
        let mut scene = Self::arranged(2, Preset::Research, settings, seed);
        scene.sit_down(2);
        scene.ask(0, Request::Start);
        assert!(matches!(scene.table.state().stage(), Stage::Gathering { .. }), "it is looked up");
        let check = StartCheck { know_deal, ..StartCheck::default() };
        scene.input(Input::Found(Found::BeforeStart(Ok(check))));
        assert!(matches!(scene.table.state().stage(), Stage::Playing(_)));
        scene
    }

    fn sit_down(&mut self, players: u8) {
        for place in 0..players {
            self.join(usize::from(place));
            self.ask(usize::from(place), Request::Sit(seat(usize::from(place))));
        }
    }

    fn begun(mut self, players: u8) -> Self {
        self.sit_down(players);
        self.ask(0, Request::Start);
        assert!(matches!(self.table.state().stage(), Stage::Playing(_)));
        self
    }

    /// Two at a level of that preset with these settings, where the second has the lower card.
    pub fn second_has_lower(preset: Preset, settings: &Settings) -> Self {
        let scenes = (0..).map(|seed| {
            let mut scene = Self::arranged(2, preset, settings.clone(), Seed::from(seed)).begun(2);
            scene.focus();
            scene
        });
        let mut found = scenes.filter(|scene| scene.lowest(1) < scene.lowest(0));
        found.next().expect("half of all deals are so")
    }

    /// All hands are laid, so that cards are played.
    pub fn at_level(players: u8) -> Self {
        let mut scene = Self::playing(players);
        scene.focus();
        scene
    }

    /// All lay their hands on the table.
    pub fn focus(&mut self) {
        for place in 0..self.table.state().setup().players().into() {
            self.press(place, FocusCommand::Rest.into(), self.now);
        }
    }

    /// Hands an input in, and lets the journal write whatever comes of it.
    pub fn input(&mut self, input: Input) {
        self.hand_in(input);
        while self.pending.is_some() {
            self.durable();
        }
    }

    /// Hands an input in; the journal does not answer.
    pub fn hand_in(&mut self, input: Input) {
        self.now = self.now.after(Duration::from_millis(1));
        let effects = self.table.handle(self.now, input);
        self.wake_at = effects.wake_at;
        for effect in effects.list {
            match effect {
                Effect::Append(append) => {
                    assert_eq!(append.expected, self.lines.len() as u64);
                    assert!(self.pending.replace(append).is_none(), "one append at a time");
                }
                Effect::Send { to, text } => {
                    let text = std::str::from_utf8(&text).unwrap();
                    let message = self.readers[to.0 as usize].read(text).unwrap();
                    self.heard.push((to, message));
                }
                other => self.effects.push(other),
            }
        }
    }

    /// The journal has written.
    pub fn durable(&mut self) {
        let append = self.pending.take().expect("something is written");
        self.lines.extend(append.lines);
        self.hand_in(Input::Appended);
    }

    /// The journal could not write.
    pub fn fails(&mut self, failure: AppendFailure) {
        self.pending.take().expect("something is written");
        self.hand_in(Input::AppendFailed(failure));
    }

    pub fn join(&mut self, place: usize) {
        self.join_again(place, conn(place));
    }

    /// The player opens the table over that connection, too.
    pub fn join_again(&mut self, place: usize, conn: ConnId) {
        let link = LinkState::default();
        self.input(Input::Joined {
            conn,
            person: person(place as u8),
            by: code(),
            from: Origin::default(),
            link,
        });
    }

    pub fn leave(&mut self, place: usize) {
        self.input(Input::Left { conn: conn(place), seen_until: self.now });
    }

    pub fn ask(&mut self, place: usize, request: Request) {
        let input = self.asking(place, request);
        self.input(input);
    }

    pub fn asking(&mut self, place: usize, request: Request) -> Input {
        self.ids += 1;
        let ticket = Ticket { client: 1, id: self.ids, print: 1 };
        Input::Message { conn: conn(place), ticket, message: Message::Ask(request) }
    }

    /// A move that was pressed at this time and arrives now.
    pub fn pressing(&mut self, place: usize, command: mind::Command, at: Stamp) -> Input {
        self.ids += 1;
        let ticket = Ticket { client: 1, id: self.ids, print: 1 };
        let live = self.table.state().open_game().unwrap();
        let seq = live.seq(rules::kit::Viewer::Seat(seat(place)));
        let bound = Duration::from_millis(300);
        let claim = Claim { arrived: self.now, claimed: at, bound, usual: Duration::ZERO };
        let command = Command::Mind(command);
        Input::Message { conn: conn(place), ticket, message: Message::Do { seq, claim, command } }
    }

    /// A chat message of a player.
    pub fn saying(&mut self, place: usize, text: &str) -> Input {
        self.ids += 1;
        let ticket = Ticket { client: 1, id: self.ids, print: 2 };
        Input::Message { conn: conn(place), ticket, message: Message::Say(text.to_owned()) }
    }

    pub fn press(&mut self, place: usize, command: mind::Command, at: Stamp) {
        let input = self.pressing(place, command, at);
        self.input(input);
    }

    /// Time passes until then, and the table wakes whenever it wanted to.
    pub fn run_until(&mut self, then: Stamp) {
        while let Some(at) = self.wake_at.filter(|at| *at <= then) {
            self.now = self.now.max(at);
            self.input(Input::Woke);
        }
        self.now = self.now.max(then);
    }

    /// How the game stands for a player.
    pub fn view(&self, place: usize) -> mind::View {
        let live = self.table.state().playing().unwrap();
        let (view, _) = live.shown(rules::kit::Viewer::Seat(seat(place)), false);
        let wire::View::Mind(view) = view else { panic!("this is The Mind") };
        view
    }

    pub fn lowest(&self, place: usize) -> rules::family::Card {
        self.view(place).hand().lowest().unwrap()
    }

    pub fn updates(&self, place: usize) -> Vec<&Update> {
        let own = self.heard.iter().filter(|(to, _)| *to == conn(place));
        own.filter_map(|(_, message)| match message {
            ServerMessage::Update(update) => Some(&**update),
            _ => None,
        })
        .collect()
    }

    pub fn refusals(&self, place: usize) -> Vec<&str> {
        let own = self.heard.iter().filter(|(to, _)| *to == conn(place));
        own.filter_map(|(_, message)| match message {
            ServerMessage::Refused(refused) => Some(refused.why.code()),
            _ => None,
        })
        .collect()
    }

    pub fn forget_heard(&mut self) {
        self.heard.clear();
        self.effects.clear();
    }
}
