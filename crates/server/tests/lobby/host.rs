//! The host's room: removing holds, the table can be locked, spectators are guests.

use wire::{Request, ServerMessage, Update};

use super::{THREE, gathered, look, seat, sitters};
use crate::common::scenes::begun;
use crate::common::{Person, Server};

fn refused(code: &str) -> Result<Update, String> {
    Err(code.to_owned())
}

/// What a person who tries to come in is told.
async fn turned_away(person: &mut Person, table: wire::Code) -> String {
    person.send(&wire::ClientMessage::Join { table }).await;
    loop {
        match person.hear().await {
            ServerMessage::Refused(refused) => return refused.why.code().to_owned(),
            ServerMessage::Update(_) => return "in".to_owned(),
            _ => {}
        }
    }
}

/// What becomes of a chat message: `said`, or why not.
async fn write(person: &mut Person, table: wire::Code) -> String {
    person.say(table, "hello").await;
    loop {
        match person.hear().await {
            ServerMessage::Refused(refused) => return refused.why.code().to_owned(),
            ServerMessage::Said { .. } => return "said".to_owned(),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_player_who_was_removed_does_not_come_back() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let mut cora = server.person("Cora").await;
    cora.join(table).await;
    people[0].ask(table, Request::Kick(seat("B"))).await.unwrap();
    let ben = loop {
        if let ServerMessage::Refused(refused) = people[1].hear().await {
            break refused;
        }
    };
    assert_eq!((ben.why.code(), ben.id), ("removed", None), "Ben is told");

    // Neither over the same connection, nor over a new one, nor with a new name.
    for _ in 0..10 {
        assert_eq!(turned_away(&mut people[1], table).await, "removed");
    }
    let mut again = server.again(&people[1].cookie).await;
    assert_eq!(turned_away(&mut again, table).await, "removed");
    let mut fresh = server.person("Benny").await;
    assert_eq!(turned_away(&mut fresh, table).await, "removed");
    // Cora was here before, at the same address.
    cora.ask(table, Request::Sit(seat("C"))).await.unwrap();

    // The table remembers it after a restart.
    let [ada, ben] = [0, 1].map(|index: usize| people[index].cookie.clone());
    drop((people, again, fresh, cora));
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut ben = server.again(&ben).await;
    assert_eq!(turned_away(&mut ben, table).await, "removed");

    let mut ada = server.again(&ada).await;
    let update = ada.join(table).await;
    let removed = &update.table().admission.removed;
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0].name.as_str(), "Ben");
    let update = ada.ask(table, Request::Readmit(removed[0].number)).await.unwrap();
    assert_eq!(sitters(&update), ["Ada", "Ben", "Cora"], "his seat was still free");
    assert_eq!(turned_away(&mut ben, table).await, "in");
    assert_eq!(ada.ask(table, Request::Readmit(1)).await, refused("not-removed"));
}

#[tokio::test]
async fn newcomers_from_a_removed_address_are_refused_after_a_restart() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    people[0].ask(table, Request::Kick(seat("B"))).await.unwrap();
    let ada = people[0].cookie.clone();
    drop(people);
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut fresh = server.person("Benny").await;
    assert_eq!(turned_away(&mut fresh, table).await, "removed");

    // Letting Ben back in ends it, for good.
    let mut ada = server.again(&ada).await;
    let number = ada.join(table).await.table().admission.removed[0].number;
    ada.ask(table, Request::Readmit(number)).await.unwrap();
    assert_eq!(turned_away(&mut fresh, table).await, "in");
    drop((ada, fresh));
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut fresh = server.person("Benny").await;
    assert_eq!(turned_away(&mut fresh, table).await, "in");
}

#[tokio::test]
async fn a_new_code_replaces_the_old_one() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    assert_eq!(people[1].ask(table, Request::NewCode).await, refused("not-host"));
    let update = people[0].ask(table, Request::NewCode).await.unwrap();
    let code = update.table().code;
    assert_ne!(code, table);
    assert_eq!(update.code, table, "messages name the table by its id");
    // People at the table stay and are told.
    people[1].until(|update| update.table().code == code).await;
    eve.until(|update| update.table().code == code).await;
    eve.ask(table, Request::Sit(seat("C"))).await.unwrap();
    eve.ask(table, Request::Stand).await.unwrap();

    // The old code leads only players here; the answer is that for a code which no table has.
    let mut fay = server.person("Fay").await;
    assert_eq!(turned_away(&mut fay, table).await, "no-table");
    let mut ben = server.again(&people[1].cookie).await;
    assert_eq!(turned_away(&mut ben, table).await, "in");
    let mut again = server.again(&eve.cookie).await;
    assert_eq!(turned_away(&mut again, table).await, "no-table", "Eve has no seat");

    // The new one leads everyone here, also after a restart, until it is replaced as well.
    fay.send(&wire::ClientMessage::Join { table: code }).await;
    assert_eq!(fay.hear().await, ServerMessage::Found { code, table });
    let update = fay.update().await;
    assert_eq!((update.code, update.table().code), (table, code));
    let ada = people[0].cookie.clone();
    drop((people, eve, fay, ben, again));
    let server = Server::start_in(server.stop().await, &[]).await;
    let mut gus = server.person("Gus").await;
    assert_eq!(turned_away(&mut gus, table).await, "no-table");
    gus.send(&wire::ClientMessage::Join { table: code }).await;
    assert_eq!(gus.hear().await, ServerMessage::Found { code, table });
    let mut ada = server.again(&ada).await;
    ada.join(code).await;
    let third = ada.ask(table, Request::NewCode).await.unwrap().table().code;
    let mut hal = server.person("Hal").await;
    for old in [table, code] {
        assert_eq!(turned_away(&mut hal, old).await, "no-table");
    }
    hal.send(&wire::ClientMessage::Join { table: third }).await;
    assert_eq!(hal.hear().await, ServerMessage::Found { code: third, table });
}

#[tokio::test]
async fn a_public_table_is_listed_under_its_new_code() {
    let server = Server::start(&[]).await;
    let setup = r#"{"game":"mind","players":2,"public":true}"#;
    let (table, mut people) = gathered(&server, setup, &["Ada"]).await;
    let code = people[0].ask(table, Request::NewCode).await.unwrap().table().code;
    let listed = server.http("GET /api/tables", &[], "").await.body;
    assert!(listed.contains(code.as_str()) && !listed.contains(table.as_str()), "{listed}");
}

#[tokio::test]
async fn a_locked_table_keeps_its_people_and_takes_no_others() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    assert_eq!(people[1].ask(table, Request::Lock(true)).await, refused("not-host"));
    let update = people[0].ask(table, Request::Lock(true)).await.unwrap();
    assert!(update.table().admission.locked);
    let mut eve = server.person("Eve").await;
    assert_eq!(turned_away(&mut eve, table).await, "locked");
    let mut ben = server.again(&people[1].cookie).await;
    assert_eq!(turned_away(&mut ben, table).await, "in");
    people[0].ask(table, Request::Lock(false)).await.unwrap();
    assert_eq!(turned_away(&mut eve, table).await, "in");
}

#[tokio::test]
async fn spectators_are_removed_muted_and_kept_out() {
    let server = Server::start(&[]).await;
    let (table, mut people) =
        begun(&server, r#"{"game":"mind","players":2}"#, &["Ada", "Ben"]).await;
    let (mut eve, mut fay) = (server.person("Eve").await, server.person("Fay").await);
    eve.join(table).await;
    fay.join(table).await;
    let update = people[0].until(|update| update.table().spectator_count == 2).await;
    let number = |name: &str| {
        let spectators = &update.table().spectators;
        spectators.iter().find(|spectator| spectator.name.as_str() == name).unwrap().number
    };
    let mute = Request::Mute { spectator: number("Eve"), muted: true };
    assert_eq!(people[1].ask(table, mute).await, refused("not-host"));
    people[0].ask(table, mute).await.unwrap();
    assert_eq!(write(&mut eve, table).await, "muted");
    people[0].ask(table, Request::Mute { spectator: number("Eve"), muted: false }).await.unwrap();
    assert_eq!(write(&mut eve, table).await, "said");

    people[0].ask(table, Request::RemoveSpectator(number("Fay"))).await.unwrap();
    let mut again = server.again(&fay.cookie).await;
    assert_eq!(turned_away(&mut again, table).await, "removed");
    let gone = people[0].ask(table, Request::RemoveSpectator(number("Fay"))).await;
    assert_eq!(gone, refused("no-spectator"));

    let update = people[0].ask(table, Request::PlayersOnly(true)).await.unwrap();
    assert_eq!(update.table().spectator_count, 0, "who watched is sent away");
    let mut again = server.again(&eve.cookie).await;
    assert_eq!(turned_away(&mut again, table).await, "no-spectators");
    assert!(look(&mut people[1], table).await.view.is_some(), "players stay");
}

#[tokio::test]
async fn a_spectator_does_not_write_under_a_players_name() {
    let server = Server::start(&[]).await;
    let (table, _people) = begun(&server, r#"{"game":"mind","players":2}"#, &["Ada", "Ben"]).await;
    let mut eve = server.person("\u{410}da").await;
    eve.join(table).await;
    assert_eq!(write(&mut eve, table).await, "name-alike");
}

#[tokio::test]
async fn players_whose_names_look_alike_are_marked() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "ad\u{430}", "Cora"]).await;
    let update = look(&mut people[0], table).await;
    let alike = update
        .table()
        .chairs
        .iter()
        .map(|chair| matches!(chair.sitter, wire::Sitter::Person { alike: true, .. }));
    assert_eq!(alike.collect::<Vec<_>>(), [true, true, false]);
}

#[tokio::test]
async fn one_address_does_not_fill_all_places_of_spectators() {
    let server = Server::start(&["--connections-per-address", "64"]).await;
    let (table, _people) = gathered(&server, THREE, &["Ada"]).await;
    let mut inside = Vec::new();
    for number in 0..26 {
        let mut guest = server.person(&format!("Guest {number}")).await;
        match turned_away(&mut guest, table).await.as_str() {
            "in" => inside.push(guest),
            other => {
                assert_eq!((other, inside.len()), ("table-full", 25));
                return;
            }
        }
    }
    panic!("all places were taken from one address");
}

#[tokio::test]
async fn the_opener_is_host_again_after_a_lost_connection() {
    let server = Server::start(&[]).await;
    let (table, mut people) = gathered(&server, THREE, &["Ada", "Ben"]).await;
    let ada = people.remove(0).hang_up();
    people[0].until(|update| update.table().host == Some(seat("B"))).await;
    let mut ada = server.again(&ada).await;
    ada.join(table).await;
    people[0].until(|update| update.table().host == Some(seat("A"))).await;
    // What was handed over stays handed over.
    ada.ask(table, Request::PassHost(seat("B"))).await.unwrap();
    let ada = ada.hang_up();
    let mut ada = server.again(&ada).await;
    let update = ada.join(table).await;
    assert_eq!(update.table().host, Some(seat("B")));
}
