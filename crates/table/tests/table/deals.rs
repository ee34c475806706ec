//! Deals that several groups play: fixed ones are the same for every group, and those of a day end
//! with it.

use rules::family::{Card, FocusCommand, OfferCommand};
use rules::kit::{Outcome, Seats, Seed};
use rules::mind;
use table::{
    AppendFailure, DailyDealId, Deal, DealOrigin, Effect, Input, Lookup, Stage, TableState,
};
use wire::RepeatedDeal;

use crate::scene::{Scene, person};

/// Both hands.
fn hands(scene: &Scene) -> [Vec<Card>; 2] {
    [0, 1].map(|place| scene.view(place).hand().iter().collect())
}

/// Plays the level that is dealt without a mistake, after this many stops.
fn play_level(scene: &mut Scene, stops: u32) {
    let level = scene.view(0).public.level;
    for _ in 0..stops {
        scene.focus();
        scene.press(0, FocusCommand::Stop.into(), scene.now);
    }
    scene.focus();
    let cards = hands(scene).iter().map(Vec::len).sum::<usize>();
    for _ in 0..cards {
        let lowest = |place| scene.view(place).hand().lowest().map(|card| (card, place));
        let (card, place) = [0, 1].into_iter().filter_map(lowest).min().unwrap();
        scene.press(place, mind::Command::Play(card), scene.now);
    }
    assert_eq!(scene.view(0).public.level, level + 1);
}

/// The deal whose people the table has looked up.
fn looked_up(scene: &Scene) -> DealOrigin {
    let deals = scene.effects.iter().filter_map(|effect| match effect {
        Effect::LookUp(Lookup::BeforeStart { deal, .. }) => *deal,
        _ => None,
    });
    deals.last().expect("the deal was looked up")
}

#[test]
fn a_fixed_deal_is_the_same_at_every_level_whatever_a_group_did() {
    let mut dealt = Vec::new();
    for (seed, stops) in [(7, [0, 0]), (8, [3, 1])] {
        let mut scene = Scene::fixed(Seed::from(seed), Vec::new());
        let mut levels = vec![hands(&scene)];
        for stops in stops {
            play_level(&mut scene, stops);
            levels.push(hands(&scene));
        }
        dealt.push((looked_up(&scene), levels));
    }
    assert_eq!(dealt[0], dealt[1]);
    assert_eq!(dealt[0].1.iter().map(|hands| hands[0].len()).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn players_who_know_a_fixed_deal_are_marked_and_its_players_know_it() {
    let scene = Scene::fixed(Seed::from(7), vec![person(1).id]);
    let knows = "B".parse::<Seats>().unwrap();
    let shared = scene.table.state().shared_deal().unwrap();
    assert_eq!((shared.deal.of, shared.knows), (looked_up(&scene), knows));
    let told = scene.updates(0).last().unwrap().table().deal;
    assert_eq!(told, Some(RepeatedDeal { of: None, daily: false, knows }));
    let seen = scene.effects.iter().find_map(|effect| match effect {
        Effect::DealSeen { of, people } => Some((*of, people.clone())),
        _ => None,
    });
    let (of, people) = seen.expect("who sees it is stored");
    assert_eq!(of, looked_up(&scene));
    assert!([0, 1].iter().all(|place| people.contains(&person(*place).id)), "{people:?}");

    // A table that wakes in the game still has the deal.
    let woken = TableState::<table::Unplayed>::read(&scene.lines).unwrap().unwrap();
    let woken = woken.shared_deal().unwrap();
    assert_eq!((&woken.deal, woken.knows), (&shared.deal, knows));
    assert_eq!(woken.deal, Deal::fixed(woken.deal.seed().unwrap()));
}

#[test]
fn a_fixed_game_of_an_old_journal_keeps_its_own_luck() {
    let mut scene = Scene::fixed(Seed::from(7), Vec::new());
    let mut compared = 0;
    for line in &mut scene.lines {
        if line.contains(r#"{"started":"#) {
            let old = line.replace(r#","knows":[]"#, "");
            assert_ne!(*old, **line);
            (*line, compared) = (old.into(), compared + 1);
        }
    }
    assert_eq!(compared, 1);
    let old = TableState::<table::Unplayed>::read(&scene.lines).unwrap().unwrap();
    assert!(old.is_playing() && old.shared_deal().is_none());
}

/// The deal of a day, and the two days around the hour after which it is not played any more.
fn daily() -> (DailyDealId, [Input; 2]) {
    let id = "2026-11-18-mind-2".parse::<DailyDealId>().unwrap();
    (id, [Input::DayOver(id.day.before()), Input::DayOver(id.day)])
}

#[test]
fn the_deal_of_a_day_ends_when_it_is_not_played_any_more() {
    let (id, [before, over]) = daily();
    let mut scene = Scene::daily(id);
    scene.focus();
    scene.input(before);
    assert!(scene.table.state().is_playing());
    scene.input(over);
    assert!(matches!(scene.table.state().stage(), Stage::Over(_, None)));
    assert_eq!(scene.lines.last().unwrap().as_ref(), r#"{"ended":{"outcome":null}}"#);
    // A table that waited for its players ends when it wakes.
    let (id, [_, over]) = daily();
    let mut asleep = Scene::of(Scene::daily(id).lines);
    assert!(asleep.table.state().is_playing());
    asleep.input(over);
    assert!(matches!(asleep.table.state().stage(), Stage::Over(_, None)));
}

#[test]
fn while_its_end_cannot_be_kept_the_deal_of_a_day_is_not_played() {
    let (id, [_, over]) = daily();
    let mut scene = Scene::daily(id);
    scene.focus();
    scene.hand_in(over);
    scene.fails(AppendFailure::Fault("the disk is full".to_owned()));
    assert!(scene.table.state().is_playing());
    let (lines, card) = (scene.lines.len(), scene.lowest(0));
    scene.press(0, mind::Command::Play(card), scene.now);
    assert_eq!(scene.refusals(0), ["day-over"]);
    scene.input(Input::Woke);
    assert_eq!(scene.lines.len(), lines + 1, "only the end is written");
    assert!(matches!(scene.table.state().stage(), Stage::Over(_, None)));
}

#[test]
fn a_deal_of_a_day_that_was_won_does_not_go_on_after_it() {
    let (id, [_, over]) = daily();
    let mut scene = Scene::daily(id);
    scene.focus();
    for place in if scene.lowest(0) < scene.lowest(1) { [0, 1] } else { [1, 0] } {
        let card = scene.lowest(place);
        scene.press(place, mind::Command::Play(card), scene.now);
    }
    assert!(scene.table.state().may_resume(), "an encore is offered");
    scene.input(over);
    assert!(matches!(scene.table.state().stage(), Stage::Over(_, Some(Outcome::Won))));
    scene.press(0, OfferCommand::Continue.into(), scene.now);
    assert_eq!(scene.refusals(0), ["day-over"]);
}
