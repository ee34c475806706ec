//! When a table is shown its own tempo, and what of it.

use tempo::Tempo;
use wire::{Code, Request};

use super::{problem, refused, watch};
use crate::common::scenes::{act, begun, look};
use crate::common::{Person, Server};

async fn ask(server: &Server, cookie: &str, table: Code) -> Result<Tempo, (u16, String)> {
    let head = format!("GET /api/tables/{table}/tempo");
    let answer = server.http(&head, &[("Cookie", cookie)], "").await;
    match answer.status {
        200 => Ok(serde_json::from_str(&answer.body).unwrap()),
        _ => Err(problem(&answer)),
    }
}

/// Everyone plays the level that is dealt, the lowest card first.
async fn play_level(table: Code, people: &mut [Person], cards: usize) {
    for person in people.iter_mut() {
        act(person, table, "rest").await.unwrap();
    }
    for _ in 0..cards {
        let mut next = None::<(u8, usize)>;
        for (index, person) in people.iter_mut().enumerate() {
            let update = look(person, table).await;
            let Some(wire::View::Mind(view)) = &update.view else { panic!("it is The Mind") };
            if let Some(card) = view.hand().lowest() {
                let own = (card.number(), index);
                next = Some(next.map_or(own, |other| other.min(own)));
            }
        }
        let (card, index) = next.unwrap();
        act(&mut people[index], table, &format!("play {card}")).await.unwrap();
    }
}

#[tokio::test]
async fn the_tempo_is_shown_between_levels_and_never_during_one() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"mind","players":2,"preset":"friendly"}"#;
    let (table, mut people) = begun(&server, wish, &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    assert_eq!(ask(&server, &ada, table).await.unwrap().levels, []);
    play_level(table, &mut people, 2).await;
    let tempo = ask(&server, &ada, table).await.unwrap();
    assert_eq!(tempo.levels.len(), 1);
    assert_eq!((tempo.levels[0].level, tempo.levels[0].plays.len()), (1, 2));
    for person in &mut people {
        act(person, table, "rest").await.unwrap();
    }
    assert_eq!(ask(&server, &ada, table).await, Err(refused(404, "tempo-later")));
    // A stop does not end the level.
    act(&mut people[0], table, "stop").await.unwrap();
    assert_eq!(ask(&server, &ada, table).await, Err(refused(404, "tempo-later")));
    for person in &mut people {
        person.ask(table, Request::End).await.unwrap();
    }
    let whole = ask(&server, &ada, table).await.unwrap();
    assert_eq!(whole.levels.len(), 2, "the level that was not finished is there, too");
    assert_eq!(watch(&server, &ada, table, 1).await.tempo, Some(whole));
    let stranger = server.name("Mallory").await;
    assert_eq!(ask(&server, &stranger, table).await, Err(refused(403, "not-there")));
}

#[tokio::test]
async fn a_table_that_wants_it_later_sees_it_later() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, super::TWO, &["Ada", "Ben"]).await;
    let ada = people[0].cookie.clone();
    play_level(table, &mut people, 2).await;
    assert_eq!(ask(&server, &ada, table).await, Err(refused(404, "tempo-after-game")));
    let royale = server.open(&ada, r#"{"game":"royale","players":2}"#).await;
    assert_eq!(ask(&server, &ada, royale).await, Err(refused(404, "no-tempo")));
    let nowhere = "222222".parse().unwrap();
    assert_eq!(ask(&server, &ada, nowhere).await, Err(refused(403, "not-there")));
}
