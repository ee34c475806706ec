//! Bots with the recorded tempo of a person who lends it.

use rules::family::Seen;
use rules::mind;
use serde_json::Value;
use wire::{Code, GameId, Lender, Request, Sight, Sitter, Update};

use super::deals::level;
use super::end;
use crate::common::scenes::{act, begun, look, seat};
use crate::common::{Person, Server, counted};

/// Enough levels that the tempo of both players can be measured.
const LONG: &str = r#"{"setup":{"mind":{"players":2,"levels":8,"lives":5,"stars":1,"blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game","seeding":"fixed","export":false}}}}"#;
const SHORT: &str = r#"{"game":"mind","players":2}"#;

/// A game of Ada and Ben that is over and on record.
async fn played(server: &Server, levels: u32) -> (GameId, Person, Person) {
    let (table, mut people) = begun(server, LONG, &["Ada", "Ben"]).await;
    {
        let [ada, ben] = &mut people[..] else { panic!("two sit there") };
        for _ in 0..levels {
            level(table, &mut [ada, ben], 0).await;
        }
    }
    end(table, &mut people).await;
    let ben = people.pop().unwrap();
    counted(server, &ben.cookie, 1).await;
    (GameId { table, game: 1 }, people.pop().unwrap(), ben)
}

async fn lend(server: &Server, person: &Person, lends: bool) {
    let body = format!(r#"{{"lends_tempo":{lends}}}"#);
    let answer = server.http("PUT /api/me/consent", &[("Cookie", &person.cookie)], &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

async fn lenders(server: &Server, person: &Person) -> Vec<Lender> {
    let answer = server.http("GET /api/ghosts", &[("Cookie", &person.cookie)], "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

/// A table with one person and a free seat for a bot.
async fn table_of(server: &Server, person: &mut Person) -> Code {
    let table = server.open(&person.cookie, SHORT).await;
    person.join(table).await;
    person.ask(table, Request::Sit(seat("A"))).await.unwrap();
    table
}

fn ghost(game: GameId) -> Request {
    Request::AddGhost { seat: seat("B"), game, of: seat("A") }
}

/// Whether a card of the other seat went down, right or wrong.
fn ghost_played(update: &Update) -> bool {
    update.sights.iter().any(|sight| match sight {
        Sight::Mind(mind::Sight::Played(Seen::Known(laid))) => laid.seat == seat("B"),
        _ => false,
    })
}

/// Who sits in the other seat.
fn partner(table: &wire::Table) -> &Sitter {
    &table.chairs[1].sitter
}

#[tokio::test]
async fn a_tempo_is_lent_while_its_player_agrees() {
    let server = Server::start(&[]).await;
    let (game, ada, mut ben) = played(&server, 7).await;
    let table = table_of(&server, &mut ben).await;
    assert_eq!(
        ben.ask(table, ghost(game)).await.unwrap_err(),
        "not-lent",
        "lending is off until the person agrees"
    );
    assert!(lenders(&server, &ben).await.is_empty());

    lend(&server, &ada, true).await;
    let [lender] = &lenders(&server, &ben).await[..] else { panic!("Ada lends it") };
    assert_eq!((lender.name.as_str(), lender.game, lender.seat), ("Ada", game, seat("A")));
    let update = ben.ask(table, ghost(game)).await.unwrap();
    assert_eq!(*partner(update.table()), Sitter::Ghost { name: "Ada".parse().unwrap() });
    // Only to people who played with her or watched.
    let mut eve = server.person("Eve").await;
    let other = table_of(&server, &mut eve).await;
    assert_eq!(eve.ask(other, ghost(game)).await.unwrap_err(), "not-lent");

    ben.ask(table, Request::Start).await.unwrap();
    act(&mut ben, table, "rest").await.unwrap();
    lend(&server, &ada, false).await;
    // The bots that are seated finish their game, and no other begins.
    ben.until(ghost_played).await;
    ben.ask(table, Request::End).await.unwrap();
    assert_eq!(ben.ask(table, Request::Rematch).await.unwrap_err(), "not-lent");
    ben.ask(table, Request::RemoveBot(seat("B"))).await.unwrap();
    assert_eq!(ben.ask(table, ghost(game)).await.unwrap_err(), "not-lent");
}

/// The game goes on and can be watched again after its lender was deleted; her name is gone.
#[tokio::test]
async fn a_ghost_outlives_what_is_kept_of_its_player() {
    let server = Server::start(&[]).await;
    let (game, ada, mut ben) = played(&server, 7).await;
    lend(&server, &ada, true).await;
    let table = table_of(&server, &mut ben).await;
    ben.ask(table, ghost(game)).await.unwrap();
    ben.ask(table, Request::Start).await.unwrap();
    let answer = server.http("DELETE /api/me", &[("Cookie", &ada.cookie)], "").await;
    assert_eq!(answer.status, 204);

    let ben = ben.hang_up();
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut ben = server.again(&ben).await;
    let update = ben.join(table).await;
    let Sitter::Ghost { name } = partner(update.table()) else { panic!("{update:?}") };
    assert_ne!(name.as_str(), "Ada");
    act(&mut ben, table, "rest").await.unwrap();
    ben.until(ghost_played).await;
    ben.ask(table, Request::End).await.unwrap();
    let replay = super::watch(&server, &ben.cookie, table, 1).await;
    assert!(matches!(partner(&replay.table), Sitter::Ghost { .. }));
}

#[tokio::test]
async fn a_person_with_few_plays_has_no_tempo_to_lend() {
    let server = Server::start(&[]).await;
    let (game, ada, mut ben) = played(&server, 2).await;
    lend(&server, &ada, true).await;
    let table = table_of(&server, &mut ben).await;
    assert_eq!(ben.ask(table, ghost(game)).await.unwrap_err(), "too-few-plays");
    let refused = ben.frames.last().map(|text| serde_json::from_str::<Value>(text).unwrap());
    let text = refused.unwrap()["text"].as_str().unwrap().to_owned();
    assert!(text.contains("20 plays"), "{text}");
    // There is no tempo in Royale at all.
    let royale = server.open(&ben.cookie, r#"{"game":"royale","players":2}"#).await;
    ben.join(royale).await;
    ben.ask(royale, Request::Sit(seat("A"))).await.unwrap();
    assert_eq!(ben.ask(royale, ghost(game)).await.unwrap_err(), "bot-other-game");
    // Nor does it take a person's seat.
    lend(&server, &ada, true).await;
    let own = Request::AddGhost { seat: seat("A"), game, of: seat("A") };
    assert_ne!(ben.ask(table, own).await.unwrap_err(), "");
    assert!(matches!(look(&mut ben, table).await.table().chairs[0].sitter, Sitter::Person { .. }));
}
