//! Fixed deals: every group gets the same cards, and players who know them are marked.

use rules::family::{Card, FocusCommand};
use rules::kit::{Seats, Seed};
use rules::mind;
use table::{Deal, DealOrigin, Effect, Lookup, TableState};
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
