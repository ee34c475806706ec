//! Every game begins with a commitment to its deals, and its replay reveals the seed behind it as
//! soon as no cards can follow from it any more.

use rules::kit::Outcome;
use wire::{Request, Stage};

use super::{TWO, end, watch};
use crate::common::Server;
use crate::common::scenes::{act, begun, look, play_level};

/// One level is the whole game.
const ONE_LEVEL: &str = r#"{"setup":{"mind":{"players":2,"levels":1,"lives":5,"stars":0,
    "blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game",
    "seeding":"fresh","export":false}}}}"#;

/// The commitment that belongs to a seed in a replay.
fn commitment_of(seed: &str) -> wire::Commitment {
    table::commitment(&seed.parse().unwrap())
}

#[tokio::test]
async fn a_replay_reveals_the_seed_that_was_committed_to() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let first = look(&mut people[0], table).await.table().commitment.unwrap();
    assert_eq!(look(&mut people[1], table).await.table().commitment, Some(first));
    end(table, &mut people).await;

    let replay = watch(&server, &people[0].cookie, table, 1).await;
    let seed = replay.seed.expect("the game is over");
    assert_eq!((commitment_of(&seed), replay.table.commitment), (first, Some(first)));
    for text in people.iter().flat_map(|person| &person.frames) {
        assert!(!text.contains(&seed), "the seed was sent while the game was on: {text}");
    }

    people[0].ask(table, Request::Rematch).await.unwrap();
    let second = look(&mut people[0], table).await.table().commitment.unwrap();
    assert_ne!(first, second, "another game has other deals");
}

#[tokio::test]
async fn a_seed_stays_hidden_while_an_encore_can_follow() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, ONE_LEVEL, &["Ada", "Ben"]).await;
    let shown = look(&mut people[0], table).await.table().commitment.unwrap();
    play_level(table, &mut people).await;
    let update = look(&mut people[0], table).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: Some(Outcome::Won) });
    let ada = people[0].cookie.clone();
    assert_eq!(watch(&server, &ada, table, 1).await.seed, None, "the encore is offered");

    for person in &mut people {
        act(person, table, "continue").await.unwrap();
    }
    assert_eq!(watch(&server, &ada, table, 1).await.seed, None, "the encore is played");
    end(table, &mut people).await;
    let seed = watch(&server, &ada, table, 1).await.seed.expect("the encore is over");
    assert_eq!(commitment_of(&seed), shown);
}

#[tokio::test]
async fn the_seed_of_a_deal_that_others_play_is_not_revealed() {
    let server = Server::start(&[]).await;
    let fixed = ONE_LEVEL.replace("fresh", "fixed");
    let (table, mut people) = begun(&server, &fixed, &["Ada", "Ben"]).await;
    end(table, &mut people).await;
    let replay = watch(&server, &people[0].cookie, table, 1).await;
    assert!(replay.table.commitment.is_some() && replay.seed.is_none(), "{replay:?}");
}
