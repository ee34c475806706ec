//! A deleted person's name is replaced in all their games, and the games stay.

use server::journal_file::{Place, export};
use wire::{Participant, Replay, Sitter, Update};

use super::{TWO, end, fetched, games, get, names, problem, record, refused};
use crate::common::scenes::{begun, gathered, look};
use crate::common::{Server, counted};

fn names_in(update: &Update) -> Vec<String> {
    let name = |sitter: &Sitter| match sitter {
        Sitter::Person { name, .. } => name.to_string(),
        other => format!("{other:?}"),
    };
    update.table().chairs.iter().map(|chair| name(&chair.sitter)).collect()
}

#[tokio::test]
async fn a_name_is_gone_from_everything_and_the_games_are_not() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Benjamin"]).await;
    let [ada, ben] = [0, 1].map(|index: usize| people[index].cookie.clone());
    end(table, &mut people).await;
    let team = counted(&server, &ben, 1).await.games[0].team.clone();
    // Another game with him is on.
    let (on, mut pair) = begun(&server, TWO, &["Cyd", "Dan"]).await;
    end(on, &mut pair).await;
    people[0].ask(table, wire::Request::Rematch).await.unwrap();
    assert_eq!(names_in(&look(&mut people[0], table).await), ["Ada", "Benjamin"]);

    let gone = server.http("DELETE /api/me", &[("Cookie", &ben)], "").await;
    assert_eq!(gone.status, 204);
    for path in ["/api/me/record", "/api/me/games", "/api/me/export", &format!("/api/teams/{team}")]
    {
        assert_eq!(problem(&get(&server, &ben, path).await), refused(401, "no-name"), "{path}");
    }
    let now = people[0].until(|update| names_in(update)[1] == "someone").await;
    assert_eq!(names_in(&now), ["Ada", "someone"], "the game that is on goes on without the name");

    let check = async |server: &Server| {
        let history = counted(server, &ada, 1).await;
        assert_eq!(history.games[0].chairs, [Participant::You, Participant::Someone]);
        assert_eq!(games(server, &ada, "partner=benj").await.games, []);
        let mine = record(server, &ada).await;
        assert_eq!(mine.teams[0].people, [Participant::You, Participant::Someone]);
        let page: wire::Record = fetched(server, &ada, &format!("/api/teams/{team}")).await;
        assert_eq!((page.games, page.people), (1, vec![Participant::You, Participant::Someone]));
        let replay = get(server, &ada, &format!("/api/replays/{table}-1")).await;
        let replay = Replay::read(&replay.body).unwrap();
        assert!(matches!(&replay.table.chairs[1].sitter,
            Sitter::Person { name, .. } if name.as_str() == "someone"));
        for path in
            [&format!("/api/replays/{table}-1/plays.csv"), "/api/me/export", "/api/me/games"]
        {
            let answer = get(server, &ada, path).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            assert!(!answer.body.contains("Benjamin"), "{path}: {answer:?}");
        }
        // What the operator takes out has no name either.
        let mut out = Vec::new();
        let data = server.folder.path().join("tables.db");
        export(Place::File(&data), table, &mut out).await.unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(!out.contains("Benjamin") && out.contains("\"someone\""), "{out}");
    };
    check(&server).await;

    // The old secret does not bring the person back, not even after a restart.
    let again = server.http("POST /api/me", &[("Cookie", &ben)], r#"{"name":"Ben"}"#).await;
    let fresh = again.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_ne!(fresh, ben);
    assert_eq!(record(&server, &fresh).await.games, 0);
    drop(people);
    let server = Server::start_in(server.stop().await, &[]).await;
    check(&server).await;
    let mut back = server.again(&ada).await;
    assert_eq!(names_in(&back.join(table).await), ["Ada", "someone"]);
    assert_eq!(names(&counted(&server, &pair[0].cookie, 1).await.games[0].chairs)[1], "Dan");
}

#[tokio::test]
async fn a_person_deleted_while_a_table_sleeps_has_left_it_when_it_wakes() {
    let server = Server::start(&[]).await;
    let (lobby, people) = gathered(&server, TWO, &["Ada", "Benjamin"]).await;
    let [ada, ben] = [0, 1].map(|index: usize| people[index].cookie.clone());
    drop(people);
    let server = Server::start_in(server.stop().await, &[]).await;
    let gone = server.http("DELETE /api/me", &[("Cookie", &ben)], "").await;
    assert_eq!(gone.status, 204);
    let mut back = server.again(&ada).await;
    assert_eq!(names_in(&back.join(lobby).await), ["Ada", "Empty"]);
}
