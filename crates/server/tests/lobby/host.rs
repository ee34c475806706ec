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
    assert_eq!(ada.ask(table, Request::Readmit(1)).await, refused("nobody-removed"));
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
    let update = people[0].until(|update| update.table().watchers == 2).await;
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
    assert_eq!(update.table().watchers, 0, "who watched is sent away");
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
