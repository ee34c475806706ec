//! A whole table by its inputs and effects: what is written, what becomes true, what is told.

mod deals;
mod fair;
mod scene;
mod studies;

use std::time::Duration;

use rules::door::GameName;
use rules::family::FocusCommand;
use rules::kit::{Preset, Seed};
use rules::mind;
use table::fair::{Lag, Stamp};
use table::{
    AppendFailure, Effect, Found, Founding, Input, LinkState, Lookup, Message, Origin, Refused,
    Settings, Table, Ticket,
};
use wire::{Refusal, Request, ServerMessage, Setup, Update};

use scene::{Scene, code, conn, person, seat};

#[test]
fn a_move_counts_and_is_sent_once_it_is_durable_and_not_before() {
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
fn a_table_that_the_operator_closes_sends_everyone_away_and_sleeps() {
    let mut scene = Scene::at_level(2);
    scene.forget_heard();
    scene.effects.clear();
    scene.hand_in(Input::Dismissed);
    for place in 0..2 {
        assert_eq!(scene.refusals(place).join(" "), "table-closed");
    }
    let away = scene.effects.iter().filter(|it| matches!(it, Effect::SendAway(_))).count();
    let closed = scene.effects.iter().filter(|it| matches!(it, Effect::Close { .. })).count();
    assert_eq!((away, closed), (2, 0), "their connections stay open");
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
        let lag = Lag::steady(20, Duration::from_millis(ms), Duration::ZERO);
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
    let lives = scene.table.state().playing().unwrap().shown(rules::kit::Viewer::Spectator, false);
    let wire::View::Mind(view) = lives.0 else { panic!("this is The Mind") };
    assert_eq!(view.public.lives, 3, "no life was lost: the cards lie in their order");
}

#[test]
fn a_press_that_arrives_behind_chat_while_the_journal_writes_takes_its_place() {
    let mut scene = Scene::at_level(3);
    let ms = Duration::from_millis;
    let lag = Lag::steady(20, ms(400), ms(10));
    for place in 0..3 {
        let link = LinkState { lag, ..LinkState::default() };
        scene.input(Input::Linked { conn: conn(place), link });
    }
    let [earlier, later] = [scene.now, scene.now.after(ms(20))];
    scene.now = scene.now.after(ms(60));
    let card = scene.lowest(1);
    let press = scene.pressing(1, mind::Command::Play(card), later);
    scene.hand_in(press);
    let second = scene.ids;
    scene.now = scene.now.after(ms(20));
    scene.hand_in(Input::Left { conn: conn(0), seen_until: scene.now });
    assert!(scene.pending.is_some(), "the next host is written");
    let chat = scene.saying(1, "hello");
    scene.hand_in(chat);
    let card = scene.lowest(2);
    let press = scene.pressing(2, mind::Command::Play(card), earlier);
    scene.hand_in(press);
    let first = scene.ids;
    while scene.pending.is_some() {
        scene.durable();
    }
    let place = |id: u32| {
        let cause = format!("\"id\":{id},");
        scene.lines.iter().position(|line| line.contains(&cause))
    };
    let (first, second) = (place(first).expect("it was made"), place(second));
    assert!(second.is_none_or(|second| first < second), "{:#?}", scene.lines);
}

#[test]
fn play_is_held_for_a_player_who_is_gone_and_goes_on_when_they_return() {
    let mut scene = Scene::at_level(2);
    scene.leave(1);
    scene.forget_heard();
    let card = scene.lowest(0);
    scene.press(0, mind::Command::Play(card), scene.now);
    assert_eq!(scene.refusals(0), ["player-missing"]);
    scene.join(1);
    for place in 0..2 {
        scene.press(place, FocusCommand::Rest.into(), scene.now);
    }
    scene.forget_heard();
    scene.press(0, mind::Command::Play(card), scene.now);
    assert!(scene.refusals(0).is_empty());
}

#[test]
fn a_game_ends_when_all_people_in_its_seats_are_deleted() {
    let mut scene = Scene::at_level(2);
    scene.input(Input::Forgotten(person(0).id));
    assert!(scene.table.state().is_playing(), "the other player decides");
    let lines = scene.lines.clone();
    scene.input(Input::Forgotten(person(1).id));
    assert!(!scene.table.state().is_playing());

    // The second was deleted while the table slept: each start is told of both.
    let mut woken = Scene::of(lines);
    for place in 0..2 {
        assert!(woken.table.state().is_playing());
        woken.input(Input::Forgotten(person(place).id));
    }
    assert!(!woken.table.state().is_playing());
}

#[test]
fn a_pause_that_is_not_durable_is_retried_and_nothing_is_played_before_it() {
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
    let old = scene.pressing(0, FocusCommand::Rest.into(), scene.now);
    for place in 0..2 {
        scene.press(place, FocusCommand::Rest.into(), scene.now);
    }
    scene.forget_heard();
    scene.input(old);
    assert_eq!(scene.refusals(0), ["stale"]);
    assert_eq!(scene.updates(0).len(), 1, "the player is shown how things stand");
}

#[test]
fn one_tempo_is_looked_up_at_a_time() {
    let mut scene = Scene::open(3);
    scene.join(0);
    scene.ask(0, Request::Sit(seat(0)));
    scene.forget_heard();
    let ghost = |place| Request::AddGhost {
        seat: seat(place),
        game: "k3f9ab-1".parse().unwrap(),
        of: seat(0),
    };
    let lookups = |scene: &Scene| {
        let is_ghost = |it: &&Effect| matches!(it, Effect::LookUp(Lookup::Ghost { .. }));
        scene.effects.iter().filter(is_ghost).count()
    };
    scene.ask(0, ghost(1));
    assert_eq!((lookups(&scene), scene.refusals(0).len()), (1, 0), "it waits for the answer");
    scene.ask(0, ghost(2));
    assert_eq!((lookups(&scene), scene.refusals(0)), (1, vec!["busy"]));
    let not_lent = Refused::new(Refusal::NotLent, "they do not lend it");
    scene.input(Input::Found(Found::Ghost(Err(not_lent))));
    assert_eq!(scene.refusals(0), ["busy", "not-lent"], "the first is answered");
    scene.ask(0, ghost(2));
    assert_eq!(lookups(&scene), 2, "the next one is looked up");
}

#[test]
fn the_host_passes_to_a_player_who_is_here() {
    let mut scene = Scene::playing(3);
    scene.leave(0);
    let host = scene.table.state().seating().host;
    assert_eq!(host, Some(person(1).id));
    scene.leave(1);
    scene.leave(2);
    assert_eq!(scene.table.state().seating().host, Some(person(2).id), "no other player is here");
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
    let [before, after] =
        [before, after].map(|state| state.any_match().unwrap().shown(viewer, false).0);
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
        let input = Input::Joined {
            conn: conn(place.into()),
            person: person(place),
            by: code(),
            from: Origin::default(),
            link,
        };
        table.handle(now, input).list
    };
    assert!(join(0).iter().any(|effect| matches!(effect, Effect::Admit(_))));
    let turned = join(1);
    assert!(
        matches!(&turned[..], [Effect::TurnAway { refused, .. }] if refused.why.code() == "table-full")
    );
}

#[test]
fn what_changes_nothing_is_not_written() {
    let mut scene = Scene::open(3);
    scene.join(0);
    scene.ask(0, Request::Sit(seat(1)));
    let written = scene.lines.len();
    let same = *scene.table.state().setup();
    for request in [Request::Sit(seat(1)), Request::PassHost(seat(1)), Request::Arrange(same)] {
        scene.ask(0, request);
        assert_eq!(scene.lines.len(), written, "{request:?}");
    }
    scene.ask(0, Request::Sit(seat(2)));
    assert_eq!(scene.lines.len(), written + 1);
}

#[test]
fn a_table_has_a_budget_of_changes_outside_of_play() {
    let mut scene = Scene::open(2);
    scene.join(0);
    let sit = |scene: &mut Scene, place| scene.ask(0, Request::Sit(seat(place)));
    for turn in 0..500 {
        sit(&mut scene, turn % 2);
    }
    let written = scene.lines.len();
    assert!((100..150).contains(&written), "{written} lines");
    let last = scene.heard.iter().rev().find_map(|(_, message)| match message {
        ServerMessage::Refused(refused) => Some(refused.why.code()),
        _ => None,
    });
    assert_eq!(last, Some("change-rate"));
    scene.now = scene.now.after(Duration::from_secs(10));
    sit(&mut scene, 0);
    sit(&mut scene, 1);
    assert!(scene.lines.len() > written, "the budget comes back");
}
