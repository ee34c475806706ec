//! A whole table by its inputs and effects: what is written, what becomes true, what is told.

use std::time::Duration;

use rules::door::GameName;
use rules::kit::{Preset, Seat, Seed};
use rules::mind;
use table::fair::{Claim, Lag, Stamp};
use table::{
    Append, AppendFailure, ConnId, Effect, Founding, Input, LinkState, Message, Person, PersonId,
    Settings, Stage, Table, TableState, Ticket,
};
use wire::{Code, Command, Reader, Request, ServerMessage, Setup, Update};

/// A table with a journal in memory, and what each connection heard.
struct Scene {
    table: Table,
    now: Stamp,
    lines: Vec<Box<str>>,
    /// What waits for the journal's answer.
    pending: Option<Append>,
    readers: Vec<Reader>,
    heard: Vec<(ConnId, ServerMessage)>,
    effects: Vec<Effect>,
    wake_at: Option<Stamp>,
    ids: u32,
}

fn code() -> Code {
    "k3f9ab".parse().unwrap()
}

fn person(place: u8) -> Person {
    let id = PersonId::from_hash([place + 1; 32]);
    Person { id, name: format!("Player {place}").parse().unwrap(), lends_tempo: false }
}

fn seat(place: usize) -> Seat {
    Seat::new(place).unwrap()
}

fn conn(place: usize) -> ConnId {
    ConnId(place as u64)
}

impl Scene {
    /// A table of The Mind that was just opened.
    fn open(players: u8) -> Self {
        let setup = Setup::of(GameName::Mind, players, Preset::default()).unwrap();
        let founding = Founding { setup, public: false, by: person(0).id, deal: None };
        let founded = founding.found(code()).unwrap();
        Self::of(founded.append.lines)
    }

    /// A table that wakes from these lines.
    fn of(lines: Vec<Box<str>>) -> Self {
        let state = TableState::read(&lines).unwrap().unwrap();
        let now = Stamp::from_millis(1_000);
        let table = Table::new(code(), state, Settings::default(), Seed::from(7), now);
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
    fn playing(players: u8) -> Self {
        let mut scene = Self::open(players);
        for place in 0..players {
            scene.join(usize::from(place));
            scene.ask(usize::from(place), Request::Sit(seat(usize::from(place))));
        }
        scene.ask(0, Request::Start);
        assert!(matches!(scene.table.state().stage(), Stage::Playing(_)));
        scene
    }

    /// All hands are laid, so that cards are played.
    fn at_level(players: u8) -> Self {
        let mut scene = Self::playing(players);
        for place in 0..usize::from(players) {
            scene.press(place, mind::Command::Rest, scene.now);
        }
        scene
    }

    /// Hands an input in, and lets the journal write whatever comes of it.
    fn input(&mut self, input: Input) {
        self.hand_in(input);
        while self.pending.is_some() {
            self.durable();
        }
    }

    /// Hands an input in; the journal does not answer.
    fn hand_in(&mut self, input: Input) {
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
    fn durable(&mut self) {
        let append = self.pending.take().expect("something is written");
        self.lines.extend(append.lines);
        self.hand_in(Input::Appended);
    }

    /// The journal could not write.
    fn fails(&mut self, failure: AppendFailure) {
        self.pending.take().expect("something is written");
        self.hand_in(Input::AppendFailed(failure));
    }

    fn join(&mut self, place: usize) {
        let link = LinkState::default();
        self.input(Input::Joined { conn: conn(place), person: person(place as u8), link });
    }

    fn leave(&mut self, place: usize) {
        self.input(Input::Left { conn: conn(place), seen_until: self.now });
    }

    fn ask(&mut self, place: usize, request: Request) {
        let input = self.asking(place, request);
        self.input(input);
    }

    fn asking(&mut self, place: usize, request: Request) -> Input {
        self.ids += 1;
        let ticket = Ticket { client: 1, id: self.ids, print: 1 };
        Input::Message { conn: conn(place), ticket, message: Message::Ask(request) }
    }

    /// A move that was pressed at this time and arrives now.
    fn pressing(&mut self, place: usize, command: mind::Command, at: Stamp) -> Input {
        self.ids += 1;
        let ticket = Ticket { client: 1, id: self.ids, print: 1 };
        let room = self.table.state().playing().unwrap();
        let seq = room.seq(rules::kit::Viewer::Seat(seat(place)));
        let bound = Duration::from_millis(300);
        let claim = Claim { arrived: self.now, claimed: at, bound };
        let command = Command::Mind(command);
        Input::Message { conn: conn(place), ticket, message: Message::Do { seq, claim, command } }
    }

    fn press(&mut self, place: usize, command: mind::Command, at: Stamp) {
        let input = self.pressing(place, command, at);
        self.input(input);
    }

    fn lowest(&self, place: usize) -> rules::family::Card {
        let room = self.table.state().playing().unwrap();
        let (view, _) = room.shown(rules::kit::Viewer::Seat(seat(place)), false);
        let wire::View::Mind(view) = view else { panic!("this is The Mind") };
        view.hand().lowest().unwrap()
    }

    fn updates(&self, place: usize) -> Vec<&Update> {
        let own = self.heard.iter().filter(|(to, _)| *to == conn(place));
        own.filter_map(|(_, message)| match message {
            ServerMessage::Update(update) => Some(&**update),
            _ => None,
        })
        .collect()
    }

    fn refusals(&self, place: usize) -> Vec<&str> {
        let own = self.heard.iter().filter(|(to, _)| *to == conn(place));
        own.filter_map(|(_, message)| match message {
            ServerMessage::Refused { code, .. } => Some(code.as_str()),
            _ => None,
        })
        .collect()
    }

    fn forget_heard(&mut self) {
        self.heard.clear();
        self.effects.clear();
    }
}

#[test]
fn a_move_is_true_and_told_when_it_is_durable_and_not_before() {
    let mut scene = Scene::at_level(2);
    scene.forget_heard();
    let (seq, card) = (scene.updates(0).len(), scene.lowest(0));
    let input = scene.pressing(0, mind::Command::Play(card), scene.now);
    scene.hand_in(input);
    assert!(!scene.table.is_ready() && scene.heard.is_empty(), "nothing is told yet");
    assert_eq!(scene.lowest(0), card, "nothing is true yet");
    scene.durable();
    assert!(scene.table.is_ready());
    let own = scene.updates(0);
    assert_eq!((own.len(), own[0].ack), (seq + 1, Some(scene.ids)));
    assert_eq!(scene.updates(1).len(), 1, "the other player is told, too");
    let shown = |update: &Update| Stamp::from_wire(update.show_at);
    assert_eq!(shown(own[0]), shown(scene.updates(1)[0]), "both see it at the same instant");
}

#[test]
fn what_the_journal_refuses_has_not_happened_and_can_be_tried_again() {
    let mut scene = Scene::at_level(2);
    scene.forget_heard();
    let card = scene.lowest(0);
    let input = scene.pressing(0, mind::Command::Play(card), scene.now);
    scene.hand_in(input);
    scene.fails(AppendFailure::Fault("the disk is full".to_owned()));
    assert_eq!(scene.refusals(0), ["not-kept"]);
    assert!(scene.updates(1).is_empty(), "the other player learns nothing of it");
    scene.press(0, mind::Command::Play(card), scene.now);
    assert_eq!(scene.updates(1).len(), 1);
}

#[test]
fn a_conflict_puts_the_table_to_sleep_and_its_people_connect_again() {
    let mut scene = Scene::at_level(2);
    let card = scene.lowest(0);
    let input = scene.pressing(0, mind::Command::Play(card), scene.now);
    scene.hand_in(input);
    scene.effects.clear();
    scene.fails(AppendFailure::Conflict);
    let closed = scene.effects.iter().filter(|it| matches!(it, Effect::Close { .. })).count();
    assert_eq!(closed, 2);
    assert!(matches!(scene.effects.last(), Some(Effect::Sleep)));
}

#[test]
fn a_message_that_comes_again_is_answered_and_not_done_again() {
    let mut scene = Scene::at_level(2);
    let card = scene.lowest(0);
    scene.press(0, mind::Command::Play(card), scene.now);
    let lines = scene.lines.len();
    scene.forget_heard();
    let ticket = Ticket { client: 1, id: scene.ids, print: 1 };
    let again = |print: u32| Input::Message {
        conn: conn(0),
        ticket: Ticket { print, ..ticket },
        message: Message::Ask(Request::Stand),
    };
    scene.input(again(1));
    assert_eq!(scene.updates(0)[0].ack, Some(ticket.id));
    scene.input(again(2));
    assert_eq!(scene.refusals(0), ["id-reused"]);
    assert_eq!(scene.lines.len(), lines);
}

#[test]
fn a_retry_that_comes_while_the_first_is_written_is_done_once() {
    let mut scene = Scene::at_level(2);
    let card = scene.lowest(0);
    let first = scene.pressing(0, mind::Command::Play(card), scene.now);
    scene.ids -= 1;
    let second = scene.pressing(0, mind::Command::Play(card), scene.now);
    scene.hand_in(first);
    scene.hand_in(second);
    scene.forget_heard();
    let lines = scene.lines.len();
    scene.input(Input::Woke);
    assert!(scene.lines.len() > lines);
    let acks = scene.updates(0).iter().filter(|update| update.ack == Some(scene.ids)).count();
    assert_eq!(acks, 2, "both are answered");
    let cards = scene.lines.iter().filter(|line| line.contains(&format!("\"id\":{}", scene.ids)));
    assert_eq!(cards.count(), 1);
}

#[test]
fn presses_that_arrive_while_the_journal_writes_are_taken_in_their_order() {
    let mut scene = Scene::at_level(3);
    let far = |ms| {
        let lag = Lag { trips: 20, trip: Duration::from_millis(ms), spread: Duration::ZERO };
        LinkState { lag, ..LinkState::default() }
    };
    for place in 0..3 {
        scene.input(Input::Linked { conn: conn(place), link: far(60) });
    }
    let mut cards = (0..3).map(|place| (scene.lowest(place), place)).collect::<Vec<_>>();
    cards.sort_unstable();
    let [low, middle, high] = [cards[0], cards[1], cards[2]];
    let pressed = scene.now;
    let first = scene.pressing(low.1, mind::Command::Play(low.0), pressed);
    scene.hand_in(first);
    scene.now = scene.now.after(Duration::from_millis(200));
    scene.hand_in(Input::Woke);
    assert!(scene.pending.is_some(), "the first is being written");
    // The highest arrives first, though it was pressed last.
    let last = scene.pressing(high.1, mind::Command::Play(high.0), scene.now);
    scene.hand_in(last);
    let before = Stamp::from_micros(scene.now.micros() - 20_000);
    let next = scene.pressing(middle.1, mind::Command::Play(middle.0), before);
    scene.hand_in(next);
    scene.durable();
    scene.now = scene.now.after(Duration::from_millis(400));
    scene.input(Input::Woke);
    let lives = scene.table.state().playing().unwrap().shown(rules::kit::Viewer::Watcher, false);
    let wire::View::Mind(view) = lives.0 else { panic!("this is The Mind") };
    assert_eq!(view.public.lives, 3, "no life was lost: the cards lie in their order");
}

#[test]
fn play_is_held_for_a_player_who_is_gone_and_goes_on_when_they_return() {
    let mut scene = Scene::at_level(2);
    scene.leave(1);
    scene.forget_heard();
    let card = scene.lowest(0);
    scene.press(0, mind::Command::Play(card), scene.now);
    assert_eq!(scene.refusals(0), ["somebody-missing"]);
    scene.join(1);
    for place in 0..2 {
        scene.press(place, mind::Command::Rest, scene.now);
    }
    scene.forget_heard();
    scene.press(0, mind::Command::Play(card), scene.now);
    assert!(scene.refusals(0).is_empty());
}

#[test]
fn a_pause_that_is_not_kept_is_owed_and_nothing_is_played_before_it() {
    let mut scene = Scene::at_level(3);
    // The host has gone first, so that only the pause is written when the other leaves.
    scene.hand_in(Input::Left { conn: conn(2), seen_until: scene.now });
    scene.fails(AppendFailure::Fault("the disk is full".to_owned()));
    let again = scene.wake_at.expect("it is tried again");
    assert!(again > scene.now);
    let card = scene.lowest(0);
    let lines = scene.lines.len();
    let press = scene.pressing(0, mind::Command::Play(card), scene.now);
    scene.hand_in(press);
    scene.fails(AppendFailure::Fault("the disk is full".to_owned()));
    assert_eq!(scene.refusals(0), ["not-kept"]);
    assert_eq!(scene.lines.len(), lines);
    scene.now = scene.now.after(Duration::from_secs(2));
    scene.input(Input::Woke);
    assert!(scene.lines.len() > lines, "the pause is kept");
    assert!(!scene.table.state().playing().unwrap().is_level());
}

#[test]
fn a_command_on_an_older_chapter_is_stale() {
    let mut scene = Scene::playing(2);
    let old = scene.pressing(0, mind::Command::Rest, scene.now);
    for place in 0..2 {
        scene.press(place, mind::Command::Rest, scene.now);
    }
    scene.forget_heard();
    scene.input(old);
    assert_eq!(scene.refusals(0), ["stale"]);
    assert_eq!(scene.updates(0).len(), 1, "the player is shown how things stand");
}

#[test]
fn the_host_passes_to_a_player_who_is_here() {
    let mut scene = Scene::playing(3);
    scene.leave(0);
    let host = scene.table.state().seating().host;
    assert_eq!(host, Some(person(1).id));
    scene.leave(1);
    scene.leave(2);
    assert_eq!(scene.table.state().seating().host, Some(person(2).id), "nobody else is here");
}

#[test]
fn a_table_without_connections_goes_to_sleep_and_wakes_with_everything() {
    let mut scene = Scene::at_level(2);
    let card = scene.lowest(0);
    scene.press(0, mind::Command::Play(card), scene.now);
    scene.leave(0);
    scene.leave(1);
    let at = scene.wake_at.expect("it goes to sleep by itself");
    scene.now = at;
    scene.effects.clear();
    scene.input(Input::Woke);
    assert!(matches!(scene.effects.last(), Some(Effect::Sleep)));
    let mut again = Scene::of(scene.lines.clone());
    assert_eq!(again.lines.len(), scene.lines.len(), "play was held before");
    // The host is the player who left last.
    again.join(1);
    let (before, after) = (scene.table.state(), again.table.state());
    assert_eq!((before.lines(), before.games()), (after.lines(), after.games()));
    let viewer = rules::kit::Viewer::Seat(seat(1));
    let [before, after] = [before, after].map(|state| state.room().unwrap().shown(viewer, false).0);
    assert_eq!(before, after);
}

#[test]
fn the_table_is_sent_when_it_changes_and_not_with_every_card() {
    let mut scene = Scene::at_level(2);
    scene.forget_heard();
    let card = scene.lowest(0).min(scene.lowest(1));
    let place = usize::from(card != scene.lowest(0));
    let input = scene.pressing(place, mind::Command::Play(card), scene.now);
    scene.hand_in(input);
    let append = scene.pending.take().unwrap();
    scene.lines.extend(append.lines);
    scene.now = scene.now.after(Duration::from_millis(1));
    let effects = scene.table.handle(scene.now, Input::Appended);
    let texts = effects.list.iter().filter_map(|effect| match effect {
        Effect::Send { text, .. } => Some(std::str::from_utf8(text).unwrap()),
        _ => None,
    });
    let texts = texts.collect::<Vec<_>>();
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().all(|text| !text.contains("\"chairs\"")), "{texts:?}");
}

#[test]
fn a_spectator_too_many_is_turned_away() {
    let setup = Setup::of(GameName::Mind, 2, Preset::default()).unwrap();
    let founding = Founding { setup, public: false, by: person(0).id, deal: None };
    let state = founding.found(code()).unwrap().state;
    let settings = Settings { spectators_most: 1, ..Settings::default() };
    let now = Stamp::from_millis(1);
    let mut table = Table::new(code(), state, settings, Seed::from(1), now);
    let mut join = |place: u8| {
        let link = LinkState::default();
        let input = Input::Joined { conn: conn(place.into()), person: person(place), link };
        table.handle(now, input).list
    };
    assert!(join(0).iter().any(|effect| matches!(effect, Effect::Admit(_))));
    let turned = join(1);
    assert!(
        matches!(&turned[..], [Effect::TurnAway { refused, .. }] if refused.code == "table-full")
    );
}
