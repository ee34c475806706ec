//! Presses count in the order in which they were made, and not while a player cannot see the table.

use std::time::Duration;

use rules::family::FocusCommand;
use rules::kit::{Preset, Viewer};
use rules::mind::Command;
use serde_json::Value;
use table::fair::{Claim, Health, Lag, Stamp, Tuning};
use table::{Input, LinkState, Message, Settings, Ticket};
use wire::{Pause, PhotoFinish, Sitter, Stage, Trouble};

use crate::scene::{Scene, conn, seat};

const MS: Duration = Duration::from_millis(1);
/// The round trips of the two players.
const TRIPS: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(300)];

fn lag(place: usize) -> Lag {
    Lag::steady(20, TRIPS[place], Duration::ZERO)
}

fn link(place: usize) -> LinkState {
    LinkState { lag: lag(place), ..LinkState::default() }
}

/// The first player is near, the second far and has the lower card.
fn near_and_far(preset: Preset, tuning: Tuning) -> Scene {
    let mut scene = Scene::second_has_lower(preset, &Settings { tuning, ..Settings::default() });
    for place in 0..2 {
        scene.input(Input::Linked { conn: conn(place), link: link(place) });
    }
    scene
}

fn faithful() -> Scene {
    near_and_far(Preset::Faithful, Tuning::default())
}

/// A press: by whom, when, and when their page says it was.
struct Press {
    place: usize,
    command: Command,
    at: Stamp,
    claimed: Stamp,
}

impl Press {
    fn new(place: usize, command: Command, at: Stamp) -> Self {
        Self { place, command, at, claimed: at }
    }

    /// When it is at the server.
    fn arrives(&self) -> Stamp {
        self.at.after(TRIPS[self.place] / 2)
    }

    /// A press of the player's lowest card.
    fn play(scene: &Scene, place: usize, at: Stamp) -> Self {
        Self::new(place, Command::Play(scene.lowest(place)), at)
    }
}

/// Lets the presses arrive, each when its link brings it, and a second pass.
fn press_all<const N: usize>(scene: &mut Scene, mut presses: [Press; N]) {
    presses.sort_by_key(Press::arrives);
    let live = scene.table.state().playing().unwrap();
    // What both look at when they press.
    let seqs = [0, 1].map(|place| live.seq(Viewer::Seat(seat(place))));
    for press in presses {
        scene.run_until(press.arrives());
        scene.ids += 1;
        let ticket = Ticket { client: 1, id: scene.ids, print: 1 };
        let tuning = Tuning::default();
        let claim = Claim::judge(press.arrives(), press.claimed, lag(press.place), &tuning);
        let (seq, command) = (seqs[press.place], wire::Command::Mind(press.command));
        let message = Message::Do { seq, claim, command };
        scene.input(Input::Message { conn: conn(press.place), ticket, message });
    }
    scene.run_until(scene.now.after(1_000 * MS));
}

/// The level and the lives.
fn standing(scene: &Scene) -> (u8, u8) {
    let public = scene.view(0).public;
    (public.level, public.lives)
}

fn paused(scene: &Scene) -> Vec<Pause> {
    let updates = scene.updates(0);
    match &updates.last().expect("the table was told of").table().stage {
        Stage::Playing { paused, .. } => paused.clone(),
        other => panic!("a game is on, not {other:?}"),
    }
}

#[test]
fn the_far_player_who_pressed_first_comes_first_and_the_journal_says_how() {
    let mut scene = faithful();
    let ((_, lives), at) = (standing(&scene), scene.now.after(20 * MS));
    scene.forget_heard();
    let presses = [Press::play(&scene, 1, at), Press::play(&scene, 0, at.after(100 * MS))];
    press_all(&mut scene, presses);
    assert_eq!(standing(&scene), (2, lives));
    let shown =
        [0, 1].map(|place| scene.updates(place).iter().map(|it| it.show_at).collect::<Vec<_>>());
    assert_eq!(shown[0], shown[1], "both see it at once");

    let lines = scene.lines.iter().map(|line| serde_json::from_str(line).unwrap());
    let lines = lines.collect::<Vec<Value>>();
    let plays = lines.iter().map(|line| &line["event"]);
    let plays = plays.filter(|event| !event["event"]["played"].is_null()).collect::<Vec<_>>();
    let [first, second] = plays[..] else { panic!("two cards were played: {plays:?}") };
    assert_eq!([&first["by"]["seat"], &second["by"]["seat"]], ["B", "A"]);
    let micros = |event: &Value, name: &str| event["by"]["fair"][name].as_u64().unwrap();
    assert!(first["by"]["arrived"].as_u64() > second["by"]["arrived"].as_u64());
    assert_eq!(micros(second, "claim") - micros(first, "claim"), 100_000);
    assert!(micros(first, "place") < micros(second, "place"));
    assert_eq!(
        [first, second].map(|it| micros(it, "bound")),
        [0, 1].map(|place| { lag(1 - place).bound(&Tuning::default()).as_micros() as u64 })
    );
    assert!(micros(second, "hold") > 20_000, "the near player was held: {second}");
    let at = |event: &Value| event["at"].as_u64().unwrap();
    assert_eq!(at(second) - at(first), 100_000, "they count when they were pressed");
}

#[test]
fn by_arrival_the_far_player_costs_a_life() {
    let tuning = Tuning { fair_order: false, ..Tuning::default() };
    let mut scene = near_and_far(Preset::Faithful, tuning);
    let ((_, lives), at) = (standing(&scene), scene.now.after(20 * MS));
    let presses = [Press::play(&scene, 1, at), Press::play(&scene, 0, at.after(100 * MS))];
    press_all(&mut scene, presses);
    assert_eq!(standing(&scene).1, lives - 1);
}

#[test]
fn a_stop_that_was_pressed_before_a_play_wins_over_it() {
    let mut scene = faithful();
    let (before, at) = (standing(&scene), scene.now.after(20 * MS));
    let presses =
        [Press::new(1, FocusCommand::Stop.into(), at), Press::play(&scene, 0, at.after(100 * MS))];
    press_all(&mut scene, presses);
    assert_eq!(scene.refusals(0), ["stale"]);
    assert_eq!(standing(&scene), before);
    assert!(!scene.table.state().playing().unwrap().is_level(), "the level is stopped");
}

#[test]
fn a_photo_finish_costs_no_life_and_the_table_says_so() {
    let mut scene = near_and_far(Preset::Friendly, Tuning::default());
    let ((_, lives), at) = (standing(&scene), scene.now.after(20 * MS));
    scene.forget_heard();
    // The higher card first, by less than anyone can measure over 300 ms.
    let presses = [Press::play(&scene, 0, at), Press::play(&scene, 1, at.after(8 * MS))];
    press_all(&mut scene, presses);
    let photo = scene.updates(0).iter().find_map(|update| update.photo_finish).unwrap();
    let PhotoFinish { first, second, within_ms } = photo;
    assert_eq!((first, second), (seat(1), seat(0)));
    assert!((60..=80).contains(&within_ms), "{photo:?}");
    assert_eq!(standing(&scene), (2, lives));
}

#[test]
fn without_photo_finishes_the_first_press_comes_first() {
    let mut scene = faithful();
    let ((_, lives), at) = (standing(&scene), scene.now.after(20 * MS));
    let presses = [Press::play(&scene, 0, at), Press::play(&scene, 1, at.after(8 * MS))];
    press_all(&mut scene, presses);
    assert_eq!(standing(&scene).1, lives - 1);
}

#[test]
fn a_lie_gains_nothing_beyond_the_bound() {
    let mut scene = faithful();
    let ((_, lives), at) = (standing(&scene), scene.now.after(20 * MS));
    // The second player is right to press first; the first one's page says: a second ago.
    let lie =
        Press { claimed: Stamp::from_millis(1), ..Press::play(&scene, 0, at.after(100 * MS)) };
    let presses = [Press::play(&scene, 1, at), lie];
    press_all(&mut scene, presses);
    assert_eq!(standing(&scene), (2, lives));
}

#[test]
fn while_a_level_is_played_no_one_is_told_of_the_others_connections() {
    let scene = faithful();
    for place in 0..2 {
        let updates = scene.updates(place);
        for chair in &updates.last().unwrap().table().chairs {
            let has_grade = matches!(chair.sitter, Sitter::Person { quality: Some(_), .. });
            assert!(!has_grade, "{chair:?}");
        }
    }
}

/// Both lay their hands on the table, which waits for presses of the far player.
fn focus(scene: &mut Scene) {
    scene.focus();
    scene.run_until(scene.now.after(1_000 * MS));
}

/// The far player's link changes so.
fn becomes(scene: &mut Scene, link: LinkState) {
    scene.input(Input::Linked { conn: conn(1), link });
}

/// The far player's page is hidden now.
fn hides(scene: &mut Scene) {
    let since = scene.now;
    becomes(scene, LinkState { hidden_since: Some(since), ..link(1) });
}

#[test]
fn a_hidden_page_pauses_the_level_until_hands_are_laid_again() {
    let mut scene = faithful();
    let (before, since) = (standing(&scene), scene.now);
    // The first player does not know yet, and plays: that does not count.
    let press = Press::play(&scene, 0, since.after(50 * MS));
    let card = scene.lowest(0);
    scene.run_until(since.after(55 * MS));
    becomes(&mut scene, LinkState { hidden_since: Some(since), ..link(1) });
    assert_eq!(paused(&scene), [Pause { seat: seat(1), why: Trouble::Hidden }]);
    press_all(&mut scene, [press]);
    assert!(!scene.refusals(0).is_empty(), "the card was not played");
    becomes(&mut scene, link(1));
    focus(&mut scene);
    assert_eq!((paused(&scene), standing(&scene), scene.lowest(0)), (vec![], before, card));
    assert!(scene.table.state().playing().unwrap().is_level());
}

#[test]
fn what_was_pressed_after_a_page_was_hidden_does_not_count() {
    let mut scene = faithful();
    let (card, since) = (scene.lowest(0), scene.now);
    let press = Press::play(&scene, 0, since.after(20 * MS));
    let input = scene.pressing(0, press.command, press.at);
    scene.now = press.arrives();
    scene.input(input);
    becomes(&mut scene, LinkState { hidden_since: Some(since), ..link(1) });
    assert_eq!((scene.refusals(0), scene.lowest(0)), (vec!["blind"], card));
}

#[test]
fn a_player_with_another_page_open_still_sees_the_table() {
    let mut scene = faithful();
    scene.join_again(1, conn(5));
    scene.input(Input::Linked { conn: conn(5), link: link(1) });
    hides(&mut scene);
    assert_eq!(paused(&scene), []);
    assert!(scene.table.state().playing().unwrap().is_level());
}

#[test]
fn a_player_who_comes_back_and_looks_away_again_is_waited_for_again() {
    let mut scene = faithful();
    hides(&mut scene);
    scene.leave(1);
    scene.join(1);
    becomes(&mut scene, link(1));
    focus(&mut scene);
    assert_eq!(paused(&scene), []);
    hides(&mut scene);
    assert_eq!(paused(&scene), [Pause { seat: seat(1), why: Trouble::Hidden }]);
}

#[test]
fn a_connection_that_falls_silent_pauses_the_level() {
    let mut scene = faithful();
    let (card, since) = (scene.lowest(0), scene.now);
    becomes(&mut scene, LinkState { health: Health::Late { since }, ..link(1) });
    // What is pressed now waits until it is known whether the other can see it.
    let press = Press::play(&scene, 0, since.after(1_200 * MS));
    press_all(&mut scene, [press]);
    assert_eq!((scene.lowest(0), scene.refusals(0).len()), (card, 0));
    becomes(&mut scene, LinkState { health: Health::Silent { since }, ..link(1) });
    assert_eq!(scene.refusals(0), ["blind"]);
    assert_eq!(paused(&scene), [Pause { seat: seat(1), why: Trouble::Silent }]);
    becomes(&mut scene, link(1));
    focus(&mut scene);
    assert_eq!((paused(&scene), scene.lowest(0)), (vec![], card));
}

#[test]
fn a_connection_that_hesitates_delays_a_play_and_no_more() {
    let mut scene = faithful();
    let (before, since) = (scene.updates(0).len(), scene.now);
    becomes(&mut scene, LinkState { health: Health::Late { since }, ..link(1) });
    let press = Press::play(&scene, 0, since.after(1_200 * MS));
    press_all(&mut scene, [press]);
    assert_eq!(scene.updates(0).len(), before, "the card waits");
    becomes(&mut scene, link(1));
    scene.run_until(scene.now.after(1_000 * MS));
    assert!(scene.updates(0).len() > before && scene.refusals(0).is_empty());
    assert_eq!(paused(&scene), []);
}
