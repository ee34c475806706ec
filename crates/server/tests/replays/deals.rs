//! The deal of a game that is over, played by others.

use std::collections::BTreeMap;

use rules::family::Card;
use serde_json::Value;
use wire::{Code, RepeatedDeal, Request, SameDealGame, Setup, View};

use super::{end, problem, refused, watch};
use crate::common::scenes::{act, begun, look, lowest, seat};
use crate::common::{Person, Server, counted};

/// A short game of The Mind.
const SHORT: &str = r#"{"setup":{"mind":{"players":2,"levels":3,"lives":5,"stars":1,"blind_cost":"per-mistake","manners":{"photo_finish":false,"tempo_report":"after-game","seeding":"fresh","export":false}}}}"#;

/// Opens a table for the deal of a game.
async fn repeat(server: &Server, person: &Person, game: &str) -> Code {
    let head = format!("POST /api/replays/{game}/deal");
    let answer = server.http(&head, &[("Cookie", &person.cookie)], "{}").await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let body = serde_json::from_str::<Value>(&answer.body).unwrap();
    body["table"].as_str().unwrap().parse().unwrap()
}

/// These people sit down and begin.
async fn sit(table: Code, people: &mut [&mut Person]) {
    for (person, letter) in people.iter_mut().zip(["A", "B", "C"]) {
        person.join(table).await;
        person.ask(table, Request::Sit(seat(letter))).await.unwrap();
    }
    people[0].ask(table, Request::Start).await.unwrap();
}

/// Plays a level of The Mind to its end with this many stops, and returns the deal.
pub async fn level(table: Code, people: &mut [&mut Person], stops: u32) -> Vec<Vec<u8>> {
    let mut dealt = Vec::new();
    for person in people.iter_mut() {
        let Some(View::Mind(view)) = look(person, table).await.view else { panic!("it is on") };
        dealt.push(view.hand().iter().map(Card::number).collect());
    }
    for stop in 0..=stops {
        for person in people.iter_mut() {
            act(person, table, "rest").await.unwrap();
        }
        if stop < stops {
            act(people[0], table, "stop").await.unwrap();
        }
    }
    loop {
        let mut next = Vec::new();
        for (index, person) in people.iter_mut().enumerate() {
            let update = look(person, table).await;
            let Some(View::Mind(view)) = &update.view else { panic!("it is on") };
            if !view.hand().is_empty() {
                next.push((lowest(&update).parse::<u8>().unwrap(), index));
            }
        }
        let (card, index) = *next.iter().min().expect("a player holds a card");
        let last = next.len() == 1;
        let level = level_of(people[index], table).await;
        act(people[index], table, &format!("play {card}")).await.unwrap();
        if last && level_of(people[0], table).await != level || is_over(people[0], table).await {
            return dealt;
        }
    }
}

async fn level_of(person: &mut Person, table: Code) -> u8 {
    match look(person, table).await.view {
        Some(View::Mind(view)) => view.public.level,
        _ => panic!("it is The Mind"),
    }
}

async fn is_over(person: &mut Person, table: Code) -> bool {
    match look(person, table).await.view {
        Some(View::Mind(view)) => !matches!(
            view.public.phase,
            rules::mind::Phase::Focus(_) | rules::mind::Phase::Playing { .. }
        ),
        _ => panic!("it is The Mind"),
    }
}

/// Which deal a table has and who knows it, as in `k3f9ab-1 B` or `fixed -`.
fn repeats(table: &wire::Table) -> String {
    table.deal.map_or_else(String::new, |RepeatedDeal { of, knows, .. }| {
        let of = of.map_or_else(|| "fixed".to_owned(), |game| game.to_string());
        format!("{of} {knows}")
    })
}

async fn others(server: &Server, cookie: &str, game: &str) -> Vec<SameDealGame> {
    let head = format!("GET /api/replays/{game}/others");
    let answer = server.http(&head, &[("Cookie", cookie)], "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let reruns = serde_json::from_str::<Vec<serde_json::Value>>(&answer.body).unwrap();
    reruns.iter().map(|rerun| SameDealGame::read(&rerun.to_string()).unwrap()).collect()
}

/// Another group is dealt the same in every level, however it came there, also in levels that the
/// first one never saw, and after the server was started again.
#[tokio::test]
async fn the_same_is_dealt_in_every_level() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, SHORT, &["Ada", "Ben"]).await;
    let [ada, ben] = &mut people[..] else { panic!("two sit there") };
    let mut first = Vec::new();
    for _ in 0..2 {
        first.push(level(table, &mut [ada, ben], 0).await);
    }
    end(table, &mut people).await;
    let game = format!("{table}-1");
    let (mut eve, mut dan) = (server.person("Eve").await, server.person("Dan").await);
    let (mut fay, mut guy) = (server.person("Fay").await, server.person("Guy").await);

    let second = repeat(&server, &people[0], &game).await;
    sit(second, &mut [&mut eve, &mut dan]).await;
    let mut dealt = Vec::new();
    for stops in [1, 0, 2] {
        dealt.push(level(second, &mut [&mut eve, &mut dan], stops).await);
    }
    assert_eq!(dealt[..2], first);

    // The third table has the second one's deal, and sleeps between its levels.
    act(&mut eve, second, "finish").await.unwrap();
    let third = repeat(&server, &eve, &format!("{second}-1")).await;
    sit(third, &mut [&mut fay, &mut guy]).await;
    let mut again = vec![level(third, &mut [&mut fay, &mut guy], 3).await];
    let (fay, guy) = (fay.hang_up(), guy.hang_up());
    let server = Server::start_in(server.stop().await, &[]).await;
    let (mut fay, mut guy) = (server.again(&fay).await, server.again(&guy).await);
    for stops in [0, 1] {
        again.push(level(third, &mut [&mut fay, &mut guy], stops).await);
    }
    assert_eq!(again, dealt, "also where the first game never came to");
    let update = look(&mut fay, third).await;
    assert_eq!(repeats(update.table()), format!("{game} -"), "the deal is that of the first game");

    // What comes next at that table is another deal.
    act(&mut fay, third, "finish").await.unwrap();
    fay.ask(third, Request::Rematch).await.unwrap();
    assert_eq!(look(&mut fay, third).await.table().deal, None);
    let rematch = level(third, &mut [&mut fay, &mut guy], 0).await;
    assert_ne!(rematch, dealt[0]);
}

/// Which seats know the deal of a table. The server looks it up after a player sat down and sends it
/// later, so this looks until it is `wanted`.
async fn knowing(person: &mut Person, table: Code, wanted: &str) -> String {
    let mut knows = String::new();
    for _ in 0..100 {
        knows = look(person, table).await.table().deal.unwrap().knows.to_string();
        if knows == wanted {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    knows
}

#[tokio::test]
async fn who_has_seen_a_deal_is_known_at_the_table() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, SHORT, &["Ada", "Ben"]).await;
    let game = format!("{table}-1");
    let mut spectator = server.person("Wim").await;
    spectator.join(table).await;
    end(table, &mut people).await;
    let link = format!("POST /api/replays/{game}/link");
    let link = server.http(&link, &[("Cookie", &people[0].cookie)], "").await;
    let key =
        serde_json::from_str::<Value>(&link.body).unwrap()["key"].as_str().unwrap().to_owned();
    let (mut reader, mut fresh) = (server.person("Rea").await, server.person("Fee").await);
    let open = format!("GET /api/replays/{game}?key={key}");
    assert_eq!(server.http(&open, &[("Cookie", &reader.cookie)], "").await.status, 200);

    let again = repeat(&server, &people[0], &game).await;
    let mut check = BTreeMap::new();
    for (name, person) in [
        ("Ada", &mut people[0]),
        ("Wim", &mut spectator),
        ("Rea", &mut reader),
        ("Fee", &mut fresh),
    ] {
        person.join(again).await;
        person.ask(again, Request::Sit(seat("A"))).await.unwrap();
        let wanted = if name == "Fee" { "-" } else { "A" };
        check.insert(name, knowing(person, again, wanted).await);
        person.ask(again, Request::Stand).await.unwrap();
    }
    let found = check.iter().map(|(name, knows)| format!("{name}{knows}")).collect::<Vec<_>>();
    assert_eq!(found, ["AdaA", "Fee-", "ReaA", "WimA"]);

    // It is stored with the game: its players and spectators know the deal from then on.
    sit(again, &mut [&mut fresh, &mut reader]).await;
    let mut late = server.person("Lou").await;
    late.join(again).await;
    fresh.ask(again, Request::End).await.unwrap();
    reader.ask(again, Request::End).await.unwrap();
    let replay = watch(&server, &fresh.cookie, again, 1).await;
    assert_eq!(repeats(&replay.table), format!("{game} B"));
    let third = repeat(&server, &fresh, &format!("{again}-1")).await;
    for person in [&mut fresh, &mut late] {
        person.join(third).await;
        person.ask(third, Request::Sit(seat("A"))).await.unwrap();
        assert_eq!(knowing(person, third, "A").await, "A");
        assert_eq!(repeats(look(person, third).await.table()), format!("{game} A"));
        person.ask(third, Request::Stand).await.unwrap();
    }
    // With other rules it is another game, and no longer that deal.
    fresh.ask(third, Request::Sit(seat("A"))).await.unwrap();
    let other = Setup::Mind("players=2 levels=2".parse().unwrap());
    let update = fresh.ask(third, Request::Arrange(other)).await.unwrap();
    assert_eq!(update.table().deal, None);
}

#[tokio::test]
async fn results_are_laid_beside_each_other_when_both_are_over() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, SHORT, &["Ada", "Ben"]).await;
    let game = format!("{table}-1");
    {
        let [ada, ben] = &mut people[..] else { panic!("two sit there") };
        level(table, &mut [ada, ben], 0).await;
    }
    let ada = people[0].cookie.clone();
    let head = format!("POST /api/replays/{game}/deal");
    let answer = server.http(&head, &[("Cookie", &ada)], "{}").await;
    assert_eq!(problem(&answer), refused(404, "still-on"), "a deal that is on is a secret");
    end(table, &mut people).await;

    let (mut eve, mut dan) = (server.person("Eve").await, server.person("Dan").await);
    let answer = server.http(&head, &[("Cookie", &eve.cookie)], "{}").await;
    assert_eq!(problem(&answer), refused(403, "not-there"));
    let again = repeat(&server, &people[0], &game).await;
    sit(again, &mut [&mut eve, &mut dan]).await;
    assert!(others(&server, &ada, &game).await.is_empty(), "the other game is on");
    level(again, &mut [&mut eve, &mut dan], 1).await;
    let head = format!("GET /api/replays/{again}-1/others");
    let answer = server.http(&head, &[("Cookie", &eve.cookie)], "").await;
    assert_eq!(problem(&answer), refused(404, "still-on"));
    eve.ask(again, Request::End).await.unwrap();
    dan.ask(again, Request::End).await.unwrap();

    // The record has a game a moment after its end.
    counted(&server, &eve.cookie, 1).await;
    let [rerun] = &others(&server, &ada, &game).await[..] else { panic!("one other game") };
    assert_eq!(rerun.game.to_string(), format!("{again}-1"));
    assert!(!rerun.open, "Ada was not there");
    assert_eq!(repeats(&rerun.table), format!("{game} -"));
    let View::Mind(end) = &rerun.end else { panic!("it is The Mind") };
    assert_eq!((end.public.level, end.public.lives), (2, 5));
    let plays = rerun.tempo.as_ref().map(|tempo| tempo.levels[0].plays.len());
    assert_eq!(plays, Some(2));
    let [first] = &others(&server, &eve.cookie, &format!("{again}-1")).await[..] else {
        panic!("one other game")
    };
    assert_eq!(first.game.to_string(), game);
    // No answer contains the seed.
    let found = others(&server, &ada, &game).await;
    let frames = people.iter().chain([&eve, &dan]).flat_map(|person| &person.frames);
    for text in frames.cloned().chain([serde_json::to_string(&found).unwrap()]) {
        assert!(!text.contains("seed\"") && !text.contains("lots"), "{text}");
    }
}

/// The same, with a fixed deal.
fn short_fixed() -> String {
    SHORT.replace("fresh", "fixed")
}

/// Groups that need different numbers of steps get the same cards at every level, also after a
/// restart; a player who comes back with others is known to know them.
#[tokio::test]
async fn a_fixed_deal_is_the_same_in_every_level_and_known_to_its_players() {
    let server = Server::start(&[]).await;
    let (table, mut people) = begun(&server, &short_fixed(), &["Ada", "Ben"]).await;
    let [ada, ben] = &mut people[..] else { panic!("two sit there") };
    let mut first = Vec::new();
    for stops in [0, 2, 0] {
        first.push(level(table, &mut [ada, ben], stops).await);
    }
    act(ada, table, "finish").await.unwrap();
    assert_eq!(repeats(look(ada, table).await.table()), "fixed -", "they were the first");
    let replay = watch(&server, &ada.cookie, table, 1).await;
    assert_eq!(repeats(&replay.table), "fixed -");

    let mut cyd = server.person("Cyd").await;
    let second = server.open(&cyd.cookie, &short_fixed()).await;
    let ben = &mut people[1];
    for (person, letter) in [(&mut cyd, "A"), (&mut *ben, "B")] {
        person.join(second).await;
        person.ask(second, Request::Sit(seat(letter))).await.unwrap();
    }
    assert_eq!(knowing(&mut cyd, second, "B").await, "B", "Ben has played it");
    cyd.ask(second, Request::Start).await.unwrap();
    assert_eq!(repeats(look(&mut cyd, second).await.table()), "fixed B");
    let mut again = vec![level(second, &mut [&mut cyd, ben], 3).await];
    let (cyd, ben) = (cyd.hang_up(), people.remove(1).hang_up());
    let server = Server::start_in(server.stop().await, &[]).await;
    let (mut cyd, mut ben) = (server.again(&cyd).await, server.again(&ben).await);
    again.push(level(second, &mut [&mut cyd, &mut ben], 0).await);
    let (mut wim, mut fee) = (server.person("Wim").await, server.person("Fee").await);
    wim.join(second).await;
    again.push(level(second, &mut [&mut cyd, &mut ben], 1).await);
    assert_eq!(again, first);

    // A spectator knows the deal, too; a person who was never there does not.
    act(&mut cyd, second, "finish").await.unwrap();
    let third = server.open(&fee.cookie, &short_fixed()).await;
    for (person, letter) in [(&mut fee, "A"), (&mut wim, "B")] {
        person.join(third).await;
        person.ask(third, Request::Sit(seat(letter))).await.unwrap();
    }
    assert_eq!(knowing(&mut fee, third, "B").await, "B");

    // The second game of a table has the next deal.
    cyd.ask(second, Request::Rematch).await.unwrap();
    assert_eq!(repeats(look(&mut cyd, second).await.table()), "fixed -");
    assert_ne!(level(second, &mut [&mut cyd, &mut ben], 0).await, first[0]);
}
