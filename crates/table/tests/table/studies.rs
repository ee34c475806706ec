//! Tables of studies: the study decides who sits there, what is dealt and when it ends.

use rules::door::GameName;
use rules::kit::{Preset, Seed};
use table::{Effect, Founding, Input, Person, Stage};
use wire::{Refusal, Request, Setup, Sitter, StudyTable};

use crate::scene::{Scene, code, person};

/// Two participants, called as their study's file says, with the deal of this seed.
fn of_study(seed: u64) -> Scene {
    let setup = Setup::of(GameName::Mind, 2, Preset::Faithful).unwrap();
    let study = StudyTable { name: "pairs".parse().unwrap(), chat: false, signs: false };
    let called = |place: u8, name: &str| Person { name: name.parse().unwrap(), ..person(place) };
    let people = [called(0, "Red"), called(1, "Blue")];
    let seed = Seed::from(seed);
    let founded = Founding::found_for_study(code(), setup, study, &people, &[], seed).unwrap();
    let mut scene = Scene::of(founded.append.lines);
    scene.join(0);
    scene.join(1);
    scene
}

#[test]
fn participants_decide_nothing_but_what_they_play() {
    let mut scene = of_study(7);
    for request in [Request::Stand, Request::End, Request::Hold, Request::Start] {
        scene.ask(0, request);
    }
    assert_eq!(scene.refusals(0), ["in-study"; 4]);
    let table = scene.updates(0).last().unwrap().table();
    assert_eq!((table.host, table.talk, table.public), (None, false, false));
    assert!(table.study.as_ref().is_some_and(|study| study.name.as_str() == "pairs"));
    let names = table.chairs.iter().map(|chair| match &chair.sitter {
        Sitter::Person { name, .. } => name.to_string(),
        other => panic!("{other:?} sits there"),
    });
    assert_eq!(names.collect::<Vec<_>>(), ["Red", "Blue"], "not as they are called elsewhere");
}

#[test]
fn no_other_person_comes_in() {
    let mut scene = of_study(7);
    scene.forget_heard();
    scene.join(2);
    let turned_away = scene.effects.iter().find_map(|effect| match effect {
        Effect::TurnAway { refused, .. } => Some(refused.why),
        _ => None,
    });
    assert_eq!(turned_away, Some(Refusal::InStudy));
    assert!(scene.updates(2).is_empty());
}

#[test]
fn all_groups_are_dealt_the_same() {
    let hands = |scene: &Scene| [0, 1].map(|place| scene.lowest(place));
    assert_eq!(hands(&of_study(7)), hands(&of_study(7)));
    assert_ne!(hands(&of_study(7)), hands(&of_study(8)));
}

#[test]
fn the_study_ends_the_game_when_a_partner_has_left() {
    let mut scene = of_study(7);
    scene.leave(1);
    scene.input(Input::StudyEndsGame);
    assert!(matches!(scene.table.state().stage(), Stage::Over(_, None)));
    let mut ordinary = Scene::playing(2);
    ordinary.input(Input::StudyEndsGame);
    assert!(ordinary.table.state().is_playing(), "only at tables of studies");
}
