//! What is on record, for whom, and where it comes from.

use rules::door::GameName;
use rules::kit::Seat;
use rusqlite::Connection;
use server::journal_file::{Place, import};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use wire::{
    BotGames, BotKind, Code, GameResult, Mark, MarkColour, MarkPicture, Participant, Progress,
    Request,
};

use super::{TWO, end, games, get, ids, names, problem, record, refused};
use crate::common::scenes::{begun, gathered};
use crate::common::whole::{Team, journal};
use crate::common::{Server, counted};

#[tokio::test]
async fn a_game_is_on_record_once_it_is_over_and_only_for_its_players() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let [ada, ben] = [0, 1].map(|index: usize| people[index].cookie.clone());
    let mut eve = server.person("Eve").await;
    eve.join(table).await;
    assert_eq!(record(&server, &ada).await.games, 0, "a game that is on shows nothing");
    assert_eq!(games(&server, &ada, "").await.games, []);

    end(table, &mut people).await;
    let history = counted(&server, &ada, 1).await;
    assert_eq!(history.before, None);
    let game = &history.games[0];
    assert_eq!((game.table, game.number, game.setup.game()), (table, 1, GameName::Mind));
    assert_eq!(names(&game.chairs), ["you", "Ben"]);
    assert_eq!((game.outcome, game.result), (None, GameResult::Early));
    let reached = Progress::Level { level: 1, of: 12, beyond: 0, lives: 2, stars: Some(1) };
    assert_eq!((&game.reached, game.sync), (&reached, None));

    let mine = record(&server, &ada).await;
    assert_eq!((mine.games, mine.people), (1, vec![Participant::You]));
    assert_eq!((mine.tallies.len(), mine.tallies[0].played), (1, 1));
    assert_eq!((mine.tallies[0].won, mine.tallies[0].level), (Some(0), Some(1)));
    assert_eq!((mine.bots, mine.syncs), (vec![], vec![]));
    assert_eq!(mine.teams.len(), 1);
    assert_eq!(names(&mine.teams[0].people), ["you", "Ben"]);

    // Ben sees the same from his chair, in the same team.
    let theirs = record(&server, &ben).await;
    assert_eq!(theirs.teams[0].id, mine.teams[0].id);
    assert_eq!(names(&theirs.teams[0].people), ["you", "Ada"]);
    assert_eq!(record(&server, &eve.cookie).await.games, 0, "who looked on did not play");
}

#[tokio::test]
async fn a_team_is_its_people_without_the_bots() {
    let server = Server::start(&[]).await;
    let wish = r#"{"game":"mind","players":3}"#;
    let (table, mut people) = gathered(&server, wish, &["Ada", "Ben"]).await;
    let third = Seat::new(2).unwrap();
    for kind in [BotKind::Steady, BotKind::Kindred, BotKind::Kindred] {
        people[0].ask(table, Request::AddBot { seat: third, kind }).await.unwrap();
        people[0].ask(table, Request::Start).await.unwrap();
        end(table, &mut people).await;
        people[0].ask(table, Request::RemoveBot(third)).await.unwrap();
    }
    let ada = people[0].cookie.clone();
    let history = counted(&server, &ada, 3).await;
    assert_eq!(ids(&history.games), [3, 2, 1].map(|game| format!("{table}-{game}")));
    let team = history.games[0].team.clone();
    assert!(history.games.iter().all(|game| game.team == team));

    let path = format!("/api/teams/{team}");
    let page: wire::Record = super::fetched(&server, &ada, &path).await;
    assert_eq!((page.games, names(&page.people)), (3, vec!["you", "Ben"]));
    let bots = [(BotKind::Kindred, 2), (BotKind::Steady, 1)];
    assert_eq!(page.bots, bots.map(|(bot, games)| BotGames { bot, games }));
    assert_eq!(games(&server, &ada, &format!("team={team}&bot=steady")).await.games.len(), 1);

    // A stranger cannot tell such a team from one that there is not.
    let stranger = server.name("Mallory").await;
    for path in [path.as_str(), "/api/teams/nonsense", &format!("/api/teams/{}", "0".repeat(32))] {
        let answer = get(&server, &stranger, path).await;
        assert_eq!(problem(&answer), refused(404, "no-team"), "{path}");
    }
    assert_eq!(games(&server, &stranger, &format!("team={team}")).await.games, []);
}

#[tokio::test]
async fn people_of_the_past_have_the_marks_of_today() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    end(table, &mut people).await;
    let [ada, ben] = [0, 1].map(|index: usize| people[index].cookie.clone());
    let mark = |who: &Participant| match who {
        Participant::Named { mark, .. } => *mark,
        who => panic!("{who:?} has no mark"),
    };
    let history = counted(&server, &ada, 1).await;
    let me: wire::Me = super::fetched(&server, &ben, "/api/me").await;
    assert_eq!(mark(&history.games[0].chairs[1]), me.mark, "a mark that was not chosen");

    let chosen = Mark { picture: MarkPicture::Snail, colour: MarkColour::Amber };
    let body = serde_json::json!({ "name": "Ben", "mark": chosen }).to_string();
    assert_eq!(server.http("POST /api/me", &[("Cookie", &ben)], &body).await.status, 200);
    assert_eq!(mark(&games(&server, &ada, "").await.games[0].chairs[1]), chosen);
    let mine = record(&server, &ada).await;
    assert_eq!(mark(&mine.teams[0].people[1]), chosen);
    let path = format!("/api/teams/{}", mine.teams[0].id);
    let team: wire::Record = super::fetched(&server, &ada, &path).await;
    assert_eq!(mark(&team.people[1]), chosen);
}

#[tokio::test]
async fn games_are_found_by_partner_game_and_result() {
    let server = Server::start(&[]).await;
    let (mind, mut people) = begun(&server, TWO, &["Ada", "Björn"]).await;
    end(mind, &mut people).await;
    let ada = people[0].cookie.clone();
    let royale = server.open(&ada, r#"{"game":"royale","players":2}"#).await;
    let mut cyd = server.person("Cyd").await;
    people[0].join(royale).await;
    people[0].ask(royale, Request::Sit(Seat::A)).await.unwrap();
    cyd.join(royale).await;
    cyd.ask(royale, Request::Sit(Seat::new(1).unwrap())).await.unwrap();
    people[0].ask(royale, Request::Start).await.unwrap();
    people[0].ask(royale, Request::End).await.unwrap();
    cyd.ask(royale, Request::End).await.unwrap();
    counted(&server, &ada, 2).await;

    let (mind, royale) = (format!("{mind}-1"), format!("{royale}-1"));
    for (search, expected) in [
        ("", vec![&royale, &mind]),
        ("game=mind", vec![&mind]),
        ("partner=bj%C3%96", vec![&mind]),
        ("partner=cyd&game=royale", vec![&royale]),
        ("partner=cyd&game=mind", vec![]),
        // Ada looks for others, not for herself.
        ("partner=ada", vec![]),
        ("result=early", vec![&royale, &mind]),
        ("result=won", vec![]),
        ("partner=%25&result=early", vec![]),
    ] {
        let found = games(&server, &ada, search).await;
        assert_eq!(ids(&found.games).iter().collect::<Vec<_>>(), expected, "{search}");
    }
    let long = format!("/api/me/games?partner={}", "x".repeat(300));
    for wrong in ["/api/me/games?game=chess", "/api/me/games?speed=1", &long] {
        assert_eq!(problem(&get(&server, &ada, wrong).await), refused(400, "malformed"), "{wrong}");
    }
}

/// A person of that server, and their hash as it stands in journals.
async fn person(server: &Server) -> (String, String) {
    let cookie = server.name("Ada").await;
    let secret = cookie.split_once('=').unwrap().1;
    let digits = |pair: usize| u8::from_str_radix(&secret[pair..pair + 2], 16).unwrap();
    let secret = (0..32).step_by(2).map(digits).collect::<Vec<_>>();
    let hash = Sha256::digest(secret).into_iter().map(|byte| format!("{byte:02x}"));
    (cookie, hash.collect())
}

/// This many short games of one person with a bot, each at a table of its own.
async fn imported(folder: &TempDir, person: &str, games: u64) {
    let team = Team { stops_once_in: 10, errs_once_in: 12, encore: false };
    for seed in 0..games {
        let table = Code::of(seed);
        let lines = journal(table, person, "players=2 levels=3 lives=5 stars=1", team, seed);
        let data = folder.path().join("tables.db");
        import(Place::File(&data), lines.as_bytes(), "short", None).await.unwrap();
    }
}

#[tokio::test]
async fn what_was_stored_before_is_on_record_after_the_next_start() {
    let server = Server::start(&[]).await;
    let (cookie, person) = person(&server).await;
    let folder = server.stop().await;
    imported(&folder, &person, 23).await;
    let server = Server::start_in(folder, &[]).await;
    // Each table is filed by itself, so the pages change until all of them are.
    let mine = loop {
        let mine = record(&server, &cookie).await;
        if mine.games == 23 {
            break mine;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let first = counted(&server, &cookie, 20).await;
    let rest = games(&server, &cookie, &format!("before={}", first.before.unwrap())).await;
    assert_eq!((rest.games.len(), rest.before), (3, None));
    assert_eq!((mine.games, mine.tallies[0].won, mine.tallies[0].level), (23, Some(23), Some(3)));
    let best = first.games.iter().filter_map(|game| game.sync).fold(0.0, f64::max);
    assert!(best > 50.0, "a team in step scores high: {best}");
    let shown = mine.syncs.iter().map(|sync| sync.table).collect::<std::collections::HashSet<_>>();
    assert_eq!(shown.len(), mine.syncs.len());

    // A catalogue of another edition is made again, and says the same.
    let folder = server.stop().await;
    let file = Connection::open(folder.path().join("tables.db")).unwrap();
    file.execute("UPDATE catalogue SET edition = 99", []).unwrap();
    drop(file);
    let server = Server::start_in(folder, &[]).await;
    while record(&server, &cookie).await.games < 23 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(counted(&server, &cookie, 20).await, first);
}

#[tokio::test]
async fn a_damaged_table_keeps_no_other_game_out_of_the_record() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    end(table, &mut people).await;
    counted(&server, &people[0].cookie, 1).await;
    drop(people);
    let folder = server.stop().await;
    let file = Connection::open(folder.path().join("tables.db")).unwrap();
    // The catalogue is made again, and finds a gap in the first table.
    let damage = "DELETE FROM lines WHERE place & 0xffffffff = 2; DELETE FROM names;
        DELETE FROM shelved; DELETE FROM cards; UPDATE catalogue SET turn = 0";
    file.execute_batch(damage).unwrap();
    drop(file);

    let server = Server::start_in(folder, &[]).await;
    let (table, mut people) = begun(&server, TWO, &["Cora", "Dan"]).await;
    end(table, &mut people).await;
    let history = counted(&server, &people[0].cookie, 1).await;
    assert_eq!(history.games[0].table, table);
}

#[tokio::test]
async fn a_lesson_is_no_game_of_the_record() {
    let server = Server::start(&[]).await;
    let mut ada = server.person("Ada").await;
    let headers = [("Cookie", ada.cookie.as_str())];
    let lesson = server.http("POST /api/lessons", &headers, r#"{"game":"mind"}"#).await;
    assert_eq!(lesson.status, 201, "{lesson:?}");
    let lesson = serde_json::from_str::<serde_json::Value>(&lesson.body).unwrap();
    let lesson = lesson["table"].as_str().unwrap().parse().unwrap();
    ada.join(lesson).await;
    let update = ada.ask(lesson, Request::End).await.unwrap();
    assert!(matches!(update.table().stage, wire::Stage::Over { .. }), "{update:?}");

    // Games are counted in the order of their ends: when a later one is, the lesson was passed.
    let (table, mut others) = begun(&server, TWO, &["Ben", "Cyd"]).await;
    end(table, &mut others).await;
    counted(&server, &others[0].cookie, 1).await;
    assert_eq!(record(&server, &ada.cookie).await.games, 0);
    assert_eq!(games(&server, &ada.cookie, "").await.games, vec![]);
}
