//! The same deal in the hands of other teams.

use serde_json::Value;
use wire::{GameResult, SameDeal};

use super::{end, fetched, get, problem, refused};
use crate::common::scenes::{begun, look};
use crate::common::{Server, counted};

/// Every group is dealt the same.
const FIXED: &str = r#"{"game":"mind","players":2,"preset":"research"}"#;

#[tokio::test]
async fn games_of_the_same_deal_are_counted_and_open_to_their_players_and_spectators() {
    let server = Server::start(&[]).await;
    let (first, mut people) = begun(&server, FIXED, &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    end(first, &mut people).await;
    let (second, mut others) = begun(&server, FIXED, &["Cyd", "Dan"]).await;
    look(&mut people[0], second).await;
    end(second, &mut others).await;
    let (third, mut more) = begun(&server, FIXED, &["Eve", "Fay"]).await;
    end(third, &mut more).await;
    counted(&server, &more[0].cookie, 1).await;

    let own = counted(&server, &ada, 1).await;
    assert_eq!((own.games.len(), own.games[0].same_deal), (1, 2));
    let path = format!("/api/me/games/{first}-1/deal");
    let SameDeal { open, closed } = fetched(&server, &ada, &path).await;
    assert_eq!(open.iter().map(|game| game.table).collect::<Vec<_>>(), [second], "she looked on");
    assert_eq!((open[0].result, closed), (GameResult::Early, 1));
    let SameDeal { open, closed } = fetched(&server, &people[1].cookie, &path).await;
    assert_eq!((open, closed), (vec![], 2));
    let answer = get(&server, &others[0].cookie, &path).await;
    assert_eq!(problem(&answer), refused(403, "not-there"));

    // The replay lays the same games beside it that she may watch, and no others.
    let beside = |id: String| format!("/api/replays/{id}/others");
    let games: Vec<Value> = fetched(&server, &ada, &beside(format!("{first}-1"))).await;
    let ids = games.iter().map(|game| game["game"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids, [format!("{second}-1")]);
    let games: Vec<Value> =
        fetched(&server, &people[1].cookie, &beside(format!("{first}-1"))).await;
    assert_eq!(games, Vec::<Value>::new());

    // The same people again are no other team.
    people[0].ask(first, wire::Request::Rematch).await.unwrap();
    end(first, &mut people).await;
    let own = counted(&server, &ada, 2).await;
    assert_eq!(own.games[0].same_deal, 0, "the second game of a table is another deal");
}
