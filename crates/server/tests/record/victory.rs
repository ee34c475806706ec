//! A victory counts when it happens; what is played after it updates the same record.

use rules::kit::Outcome;
use wire::{Code, GameResult, GameSummary, Progress, Request, Stage, View};

use super::{end, get, record};
use crate::common::scenes::{act, begun, look, phase, play_level};
use crate::common::{Person, Server, counted};

/// One level is the whole game.
const ONE_LEVEL: &str = r#"{"setup":{"mind":{"players":2,"levels":1,"lives":5,"stars":0,
    "blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game",
    "seeding":"fresh","export":false}}}}"#;

/// Twelve levels of one card each are the whole game.
fn soulmates() -> String {
    let row = r#"{"cards":1,"look":0,"hints":0}"#;
    let rows = [row; 12].join(",");
    format!(
        r#"{{"setup":{{"soulmates":{{"players":2,"lives":3,"table":{{"free":[{rows}]}},
        "first_seer":"A","manners":{{"photo_finish":false,"tempo_report":"after-game",
        "seeding":"fresh","export":false}}}}}}}}"#
    )
}

async fn soulmates_view(person: &mut Person, table: Code) -> rules::soulmates::View {
    match look(person, table).await.view {
        Some(View::Soulmates(view)) => view,
        other => panic!("it is Soulmates, not {other:?}"),
    }
}

/// Plays a level of Soulmates in the right order, without hints.
async fn play_soulmates_level(table: Code, people: &mut [Person]) {
    let seer = soulmates_view(&mut people[0], table).await.public.seer.index();
    for command in ["look", "hint -"] {
        act(&mut people[seer], table, command).await.unwrap();
    }
    for person in people.iter_mut() {
        act(person, table, "rest").await.unwrap();
    }
    let mut cards = Vec::new();
    for (index, person) in people.iter_mut().enumerate() {
        let hand = soulmates_view(person, table).await.hand();
        cards.extend(hand.iter().map(|card| (card.number(), index)));
    }
    cards.sort_unstable();
    for (card, index) in cards {
        act(&mut people[index], table, &format!("play {card}")).await.unwrap();
    }
}

/// The one game of a person's record.
async fn only_game(server: &Server, cookie: &str) -> GameSummary {
    counted(server, cookie, 1).await.games.remove(0)
}

fn beyond(game: &GameSummary) -> u8 {
    match game.reached {
        Progress::Level { beyond, .. } => beyond,
        Progress::Points(_) => panic!("it is no game of points"),
    }
}

/// Waits until a person's record has one level beyond the victory, and one game that was won.
async fn has_one_level_beyond(server: &Server, person: &str) {
    for _ in 0..100 {
        if beyond(&only_game(server, person).await) == 1 {
            let mine = record(server, person).await;
            return assert_eq!((mine.games, mine.tallies[0].won), (1, Some(1)));
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the level beyond the victory is not on the record");
}

#[tokio::test]
async fn two_who_win_and_close_the_page_have_won() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, ONE_LEVEL, &["Ada", "Ben"]).await;
    play_level(table, &mut people).await;
    let update = look(&mut people[0], table).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
    assert_eq!(phase(&update), "offer:-", "going on is offered");
    let [ada, ben] = [0, 1].map(|index: usize| people[index].cookie.clone());
    for person in people {
        person.hang_up();
    }

    let game = only_game(&server, &ada).await;
    assert_eq!((game.outcome, game.result), (Some(Outcome::Won), GameResult::Won));
    assert_eq!(record(&server, &ben).await.tallies[0].won, Some(1));
    let replay = get(&server, &ada, &format!("/api/replays/{table}-1")).await;
    assert_eq!(replay.status, 200, "{replay:?}");
    let tables = get(&server, &ada, "/api/me/tables").await;
    assert_eq!(tables.body, "[]", "a game that is won waits for no one");
}

#[tokio::test]
async fn an_encore_updates_the_same_record() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, ONE_LEVEL, &["Ada", "Ben"]).await;
    play_level(table, &mut people).await;
    let ada = people[0].cookie.clone();
    assert_eq!(beyond(&only_game(&server, &ada).await), 0);

    act(&mut people[0], table, "continue").await.unwrap();
    let update = act(&mut people[1], table, "continue").await.unwrap();
    assert!(matches!(update.table().stage, Stage::Playing { .. }), "{update:?}");
    let path = format!("/api/replays/{table}-1");
    assert_eq!(get(&server, &ada, &path).await.status, 200, "the victory can be watched meanwhile");
    assert_eq!(record(&server, &ada).await.tallies[0].won, Some(1));

    // The table sleeps in the encore and wakes from its journal.
    let people = people.into_iter().map(Person::hang_up).collect::<Vec<_>>();
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut awake = Vec::new();
    for person in &people {
        awake.push(server.again(person).await);
        awake.last_mut().unwrap().join(table).await;
    }
    play_level(table, &mut awake).await;
    let update = look(&mut awake[0], table).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
    has_one_level_beyond(&server, &ada).await;
}

#[tokio::test]
async fn twelve_levels_of_soulmates_are_won_before_the_levels_beyond() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, &soulmates(), &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    for _ in 0..12 {
        play_soulmates_level(table, &mut people).await;
    }
    let update = look(&mut people[0], table).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
    let game = only_game(&server, &ada).await;
    assert_eq!((game.outcome, game.result), (Some(Outcome::Won), GameResult::Won));
    assert_eq!(beyond(&game), 0);

    // Level 13 updates the same record.
    for person in &mut people {
        act(person, table, "continue").await.unwrap();
    }
    assert_eq!(soulmates_view(&mut people[0], table).await.public.level, 13);
    assert_eq!(record(&server, &ada).await.tallies[0].won, Some(1), "also while it is played");
    play_soulmates_level(table, &mut people).await;
    end(table, &mut people).await;
    let update = look(&mut people[0], table).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
    has_one_level_beyond(&server, &ada).await;
}

#[tokio::test]
async fn an_encore_that_is_ended_early_stays_a_victory() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, ONE_LEVEL, &["Ada", "Ben"]).await;
    play_level(table, &mut people).await;
    for person in &mut people {
        act(person, table, "continue").await.unwrap();
    }
    end(table, &mut people).await;
    let update = look(&mut people[0], table).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
}

#[tokio::test]
async fn an_encore_is_for_the_players_who_won() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, ONE_LEVEL, &["Ada", "Ben"]).await;
    play_level(table, &mut people).await;
    people[1].ask(table, Request::Stand).await.unwrap();
    let refused = act(&mut people[0], table, "continue").await;
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(look(&mut people[0], table).await.options, None);
}
