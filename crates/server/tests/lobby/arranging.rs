//! What is played changes while people gather.

use rules::door::GameName;
use rules::kit::Preset;
use wire::{BotKind, Request, Setup, Stage, View};

use super::{THREE, TWO, begun, gathered, look, seat, sitters};
use crate::common::{Person, Server};

fn arrange(game: GameName, players: u8) -> Request {
    Request::Arrange(Setup::of(game, players, Preset::Friendly).unwrap())
}

#[tokio::test]
async fn the_host_changes_what_is_played_and_everyone_keeps_a_seat() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben", "Cora"]).await;
    let refused = people[1].ask(table, arrange(GameName::Soulmates, 5)).await;
    assert_eq!(refused, Err("not-host".to_owned()));
    people[1].ask(table, Request::Ready).await.unwrap();
    let update = people[0].ask(table, arrange(GameName::Soulmates, 5)).await.unwrap();
    assert_eq!(update.table().setup.game(), GameName::Soulmates);
    assert_eq!(sitters(&update), ["Ada", "Ben", "Cora", "-", "-"]);
    assert_eq!(update.table().host, Some(seat("A")));
    let ready = serde_json::to_string(&update.table().chairs).unwrap().contains(r#""ready":true"#);
    assert!(!ready, "who was ready was so for something else");
    let refused = people[0].ask(table, arrange(GameName::Royale, 2)).await;
    assert_eq!(refused, Err("too-many-people".to_owned()));
    people[1].ask(table, Request::Stand).await.unwrap();
    let update = people[0].ask(table, arrange(GameName::Royale, 2)).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "Cora"]);
    people[0].ask(table, Request::Start).await.unwrap();
    let update = people[2].until(|update| update.view.is_some()).await;
    assert!(matches!(update.view, Some(View::Royale(_))), "{update:?}");
}

#[tokio::test]
async fn a_game_that_is_over_is_put_away_and_the_next_counts_on() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let refused = people[0].ask(table, arrange(GameName::Extreme, 2)).await;
    assert_eq!(refused, Err("game-on".to_owned()));
    for person in &mut people {
        person.ask(table, Request::End).await.unwrap();
    }
    let over = look(&mut people[0], table).await;
    let update = people[0].ask(table, arrange(GameName::Extreme, 3)).await.unwrap();
    assert_eq!(update.table().stage, Stage::Gathering);
    assert!(update.view.is_none(), "{update:?}");
    let bot = Request::AddBot { seat: seat("C"), kind: BotKind::Steady };
    people[0].ask(table, bot).await.unwrap();
    let update = people[0].ask(table, Request::Start).await.unwrap();
    assert!(matches!(update.view, Some(View::Extreme(_))), "{update:?}");
    assert!(update.seq > over.seq, "{} follows {}", update.seq, over.seq);
}

#[tokio::test]
async fn it_is_still_so_after_the_table_slept() {
    let server = Server::start(&["--table-idle-s", "0.01"]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    people[0].ask(table, arrange(GameName::Royale, 2)).await.unwrap();
    let cookies = people.into_iter().map(Person::hang_up).collect::<Vec<_>>();
    let mut ben = server.again(&cookies[1]).await;
    let update = ben.join(table).await;
    assert_eq!(update.table().setup.game(), GameName::Royale);
    assert_eq!(sitters(&update), ["Ada", "Ben"]);
}
