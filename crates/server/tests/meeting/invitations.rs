//! People who have played with each other, and invitations between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use server::WallClock;
use tempfile::TempDir;
use wire::{Companion, Invitation, Me};

use super::{code, get, post, table};
use crate::common::scenes::begun;
use crate::common::{Person, Server, counted, options};
use crate::replays::end;

const TWO: &str = r#"{"game":"mind","players":2}"#;

async fn people_of(server: &Server, person: &Person) -> Vec<Companion> {
    get(server, &person.cookie, "/api/me/people").await
}

async fn invitations(server: &Server, person: &Person) -> Vec<Invitation> {
    get(server, &person.cookie, "/api/me/invitations").await
}

/// Two people who have finished a game with each other.
async fn companions(server: &Server) -> (Person, Person) {
    let (table, mut people) = begun(server, TWO, &["Ada", "Mia"]).await;
    end(table, &mut people).await;
    for person in &people {
        counted(server, &person.cookie, 1).await;
    }
    let mia = people.pop().unwrap();
    (people.pop().unwrap(), mia)
}

#[tokio::test]
async fn an_invitation_waits_for_a_person_and_leads_to_the_same_game() {
    let server = Server::start(&[]).await;
    let (ada, mut mia) = companions(&server).await;
    let [companion] = people_of(&server, &ada).await.try_into().unwrap();
    assert_eq!((companion.name.as_str(), companion.games, companion.invited), ("Mia", 1, None));
    let me: Me = get(&server, &mia.cookie, "/api/me").await;
    assert_eq!((companion.setup.players(), companion.mark), (2, me.mark));

    let wish = format!(r#"{{"person":"{}"}}"#, companion.id);
    let table = table(&post(&server, &ada.cookie, "/api/me/invitations", &wish).await);
    assert_eq!(people_of(&server, &ada).await[0].invited, Some(table));
    assert!(invitations(&server, &ada).await.is_empty());

    // It outlasts a restart.
    let folder = server.stop().await;
    let server = Server::start_in(folder, &[]).await;
    let [invitation] = invitations(&server, &mia).await.try_into().unwrap();
    assert_eq!((invitation.from.as_str(), invitation.table), ("Ada", table));
    mia = server.again(&mia.cookie.clone()).await;
    let update = mia.join(table).await;
    assert_eq!(update.table().setup, invitation.setup);

    let head = format!("DELETE /api/me/invitations/{}", invitation.id);
    assert_eq!(server.http(&head, &[("Cookie", &ada.cookie)], "").await.status, 204);
    assert_eq!(invitations(&server, &mia).await.len(), 1, "another person answers nothing");
    assert_eq!(server.http(&head, &[("Cookie", &mia.cookie)], "").await.status, 204);
    assert!(invitations(&server, &mia).await.is_empty());
    assert_eq!(people_of(&server, &ada).await[0].invited, None);
}

#[tokio::test]
async fn only_people_who_have_played_together_are_invited() {
    let server = Server::start(&[]).await;
    let (ada, mia) = companions(&server).await;
    let eve = server.person("Eve").await;
    assert!(people_of(&server, &eve).await.is_empty());
    let of_mia = people_of(&server, &ada).await[0].id.clone();
    // What Ada calls Mia by means nothing to Eve.
    for (person, wanted) in [(&eve, of_mia.as_str()), (&mia, of_mia.as_str()), (&ada, "someone")] {
        let wish = format!(r#"{{"person":"{wanted}"}}"#);
        let answer = post(&server, &person.cookie, "/api/me/invitations", &wish).await;
        assert_eq!((answer.status, code(&answer).as_str()), (404, "no-companion"));
    }
    let answer = server.http("GET /api/me/people", &[], "").await;
    assert_eq!(code(&answer), "no-name");
    // No answer has a person's id or secret in it.
    let answer = server.http("GET /api/me/people", &[("Cookie", &ada.cookie)], "").await;
    let secret = mia.cookie.split('=').nth(1).unwrap();
    assert!(!answer.body.contains(secret), "{answer:?}");
}

#[tokio::test]
async fn an_invitation_ends_after_a_week_or_with_its_sender() {
    let now_s = Arc::new(AtomicU64::new(1_795_000_000));
    let folder = TempDir::new().unwrap();
    let wall_clock = WallClock::Set(now_s.clone());
    let options = server::Options { wall_clock, ..options(folder.path(), &[]) };
    let server = Server::start_with(folder, options).await;
    let (ada, mia) = companions(&server).await;
    let wish = format!(r#"{{"person":"{}"}}"#, people_of(&server, &ada).await[0].id);
    table(&post(&server, &ada.cookie, "/api/me/invitations", &wish).await);
    table(&post(&server, &ada.cookie, "/api/me/invitations", &wish).await);
    assert_eq!(invitations(&server, &mia).await.len(), 1, "one from each person");
    now_s.fetch_add(7 * 86_400, Ordering::Relaxed);
    assert_eq!(invitations(&server, &mia).await.len(), 1);
    now_s.fetch_add(1, Ordering::Relaxed);
    assert!(invitations(&server, &mia).await.is_empty(), "a week is over");

    table(&post(&server, &ada.cookie, "/api/me/invitations", &wish).await);
    assert_eq!(invitations(&server, &mia).await.len(), 1);
    let deleted = server.http("DELETE /api/me", &[("Cookie", &ada.cookie)], "").await;
    assert_eq!(deleted.status, 204);
    assert!(invitations(&server, &mia).await.is_empty());
    assert!(people_of(&server, &mia).await.is_empty(), "a deleted person is not named");
}
