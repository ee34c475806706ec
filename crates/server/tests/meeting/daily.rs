//! The deal of the day over real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use server::WallClock;
use server::journal_file::verify;
use tempfile::TempDir;
use tokio::time::timeout;
use wire::{
    BotKind, ClientMessage, Code, DailyDeals, DailyTeam, Request, ServerMessage, Stage, View,
};

use super::{code, get, post, table};
use crate::common::scenes::{act, look, play_level, seat};
use crate::common::{PATIENCE, Person, Server, counted, options};
use crate::record::export::unchunked;
use crate::replays::{end, watch};

const MIND_FOR_TWO: &str = r#"{"game":"mind","players":2}"#;
const MIND_ON_THE_DAY: &str = "/api/daily/2026-11-18-mind-2";

/// A server on 2026-11-18 at noon, and its clock.
async fn at_noon() -> (Server, Arc<AtomicU64>) {
    let now_s = Arc::new(AtomicU64::new(20_775 * 86_400 + 43_200));
    let folder = TempDir::new().unwrap();
    let wall_clock = WallClock::Set(now_s.clone());
    let options =
        server::Options { wall_clock, ..options(folder.path(), &["--table-idle-s", "0.2"]) };
    (Server::start_with(folder, options).await, now_s)
}

/// People at a table for the deal of the day.
async fn gathered(server: &Server, names: [&str; 2]) -> (Code, Vec<Person>) {
    let mut people = Vec::new();
    for name in names {
        people.push(server.person(name).await);
    }
    let table = table(&post(server, &people[0].cookie, "/api/daily", MIND_FOR_TWO).await);
    for (person, letter) in people.iter_mut().zip(["A", "B"]) {
        person.join(table).await;
        person.ask(table, Request::Sit(seat(letter))).await.unwrap();
    }
    (table, people)
}

/// The first hands of a game.
async fn hands(table: Code, people: &mut [Person]) -> Vec<String> {
    let mut hands = Vec::new();
    for person in people {
        let Some(View::Mind(view)) = look(person, table).await.view else { panic!("it is on") };
        hands.push(view.hand().to_string());
    }
    hands
}

/// What a person downloads of their games.
async fn download(server: &Server, cookie: &str) -> String {
    let answer = server.http("GET /api/me/export", &[("Cookie", cookie)], "").await;
    unchunked(&answer.body)
}

/// The deals when those of yesterday are public: the server looks once a second.
async fn revealed(server: &Server, cookie: &str) -> DailyDeals {
    let asked = async {
        loop {
            let deals = get::<DailyDeals>(server, cookie, "/api/daily").await;
            if !deals.revealed.is_empty() {
                return deals;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, asked).await.expect("the deals of yesterday are revealed")
}

fn mind_for_two(deals: &DailyDeals) -> &wire::DailyDeal {
    let found =
        deals.deals.iter().find(|deal| deal.game.to_string() == "mind" && deal.players == 2);
    found.expect("there is a deal for each game")
}

#[tokio::test]
async fn all_teams_get_the_same_cards_once_and_see_how_the_others_did() {
    let (server, _now_s) = at_noon().await;
    let (first, mut people) = gathered(&server, ["Ada", "Ben"]).await;
    people[0].ask(first, Request::Start).await.unwrap();
    let (second, mut others) = gathered(&server, ["Cyd", "Dan"]).await;
    others[0].ask(second, Request::Start).await.unwrap();
    let dealt = hands(first, &mut people).await;
    assert_eq!(dealt, hands(second, &mut others).await);
    assert!(look(&mut people[0], first).await.table().deal.unwrap().daily);

    // Before the end of the own game nothing is told of others.
    let cookie = people[0].cookie.clone();
    let answer = server.http(&format!("GET {MIND_ON_THE_DAY}"), &[("Cookie", &cookie)], "").await;
    assert_eq!((answer.status, code(&answer).as_str()), (403, "day-on"));
    end(first, &mut people).await;
    end(second, &mut others).await;
    counted(&server, &cookie, 1).await;
    counted(&server, &others[0].cookie, 1).await;
    let teams = get::<Vec<DailyTeam>>(&server, &cookie, MIND_ON_THE_DAY).await;
    assert_eq!(teams.iter().map(|team| team.you).collect::<Vec<_>>(), [false, true]);
    assert!(teams.iter().all(|team| team.mistakes == Some(0) && team.bots == 0), "{teams:?}");
    let answer = server.http(&format!("GET {MIND_ON_THE_DAY}"), &[("Cookie", &cookie)], "").await;
    assert!(!answer.body.contains("Cyd") && !answer.body.contains("sync"), "{answer:?}");

    let deals = get::<DailyDeals>(&server, &cookie, "/api/daily").await;
    let deal = mind_for_two(&deals);
    assert_eq!((deal.teams, deal.played), (2, Some(format!("{first}-1").parse().unwrap())));
}

#[tokio::test]
async fn a_deal_of_the_day_is_played_once_by_each_person_and_on_its_day() {
    let (server, now_s) = at_noon().await;
    let (first, mut people) = gathered(&server, ["Ada", "Ben"]).await;
    people[0].ask(first, Request::Start).await.unwrap();
    end(first, &mut people).await;
    let ada = people[0].cookie.clone();
    let answer = post(&server, &ada, "/api/daily", MIND_FOR_TWO).await;
    assert_eq!((answer.status, code(&answer).as_str()), (409, "deal-played"));

    // Nor at the table of others.
    let mut cyd = server.person("Cyd").await;
    let table = table(&post(&server, &cyd.cookie, "/api/daily", MIND_FOR_TWO).await);
    cyd.join(table).await;
    cyd.ask(table, Request::Sit(seat("A"))).await.unwrap();
    people[0].join(table).await;
    people[0].ask(table, Request::Sit(seat("B"))).await.unwrap();
    assert_eq!(cyd.ask(table, Request::Start).await.unwrap_err(), "deal-played");
    people[0].ask(table, Request::Stand).await.unwrap();
    let mut dan = server.person("Dan").await;
    dan.join(table).await;
    dan.ask(table, Request::Sit(seat("B"))).await.unwrap();
    // Midnight passes while they wait.
    now_s.fetch_add(86_400, Ordering::Relaxed);
    assert_eq!(cyd.ask(table, Request::Start).await.unwrap_err(), "day-over");
    assert_eq!(post(&server, &ada, "/api/daily", MIND_FOR_TWO).await.status, 201, "a new day");
    // Nor are there deals for as many players as the box is not for.
    for wrong in [r#"{"game":"royale","players":5}"#, r#"{"game":"mind","players":5}"#] {
        assert_eq!(code(&post(&server, &ada, "/api/daily", wrong).await), "setup", "{wrong}");
    }
}

#[tokio::test]
async fn the_seed_is_committed_to_ahead_and_revealed_on_the_next_day() {
    let (server, now_s) = at_noon().await;
    let (first, mut people) = gathered(&server, ["Ada", "Ben"]).await;
    people[0].ask(first, Request::Start).await.unwrap();
    let ada = people[0].cookie.clone();
    let before = get::<DailyDeals>(&server, &ada, "/api/daily").await;
    let today = mind_for_two(&before);
    assert_eq!(before.day, "2026-11-18");
    assert_eq!(before.seconds_left, 43_200);
    let shown = look(&mut people[0], first).await.table().commitment;
    assert_eq!(shown, Some(today.commitment), "the game is dealt from the seed of the day");
    end(first, &mut people).await;
    counted(&server, &ada, 1).await;
    assert_eq!(watch(&server, &ada, first, 1).await.seed, None, "others may still play it");
    for path in [format!("/api/replays/{first}-1/link"), format!("/api/replays/{first}-1/deal")] {
        let answer = post(&server, &ada, &path, "{}").await;
        assert_eq!((answer.status, code(&answer).as_str()), (403, "day-on"), "{path}");
    }
    let hidden = download(&server, &ada).await;

    // Yesterday's deals may be played for another hour.
    now_s.fetch_add(43_200 + 3_599, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let early = get::<DailyDeals>(&server, &ada, "/api/daily").await;
    assert_eq!((early.day.as_str(), early.revealed.len()), ("2026-11-19", 0));
    assert_eq!(watch(&server, &ada, first, 1).await.seed, None);
    now_s.fetch_add(1, Ordering::Relaxed);
    let after = revealed(&server, &ada).await;
    assert_eq!(mind_for_two(&after).commitment, today.tomorrow, "it was shown a day ahead");
    let revealed = after.revealed.iter().find(|deal| deal.commitment == today.commitment);
    let revealed = revealed.expect("the deal of yesterday");
    assert_eq!(table::commitment(&revealed.seed.parse().unwrap()), today.commitment);
    assert_eq!(revealed.teams, 1);
    assert_eq!(watch(&server, &ada, first, 1).await.seed.as_ref(), Some(&revealed.seed));
    let open = download(&server, &ada).await;
    assert!(!hidden.contains(&revealed.seed) && open.contains(&revealed.seed));
    let verified = verify(open.as_bytes(), "the download").unwrap();
    assert_eq!(verified.len(), 1);
    assert!(verified[0].is_verified() && verified[0].commitment == today.commitment);
    assert!(!verify(hidden.as_bytes(), "the download").unwrap()[0].is_verified());
    for text in people.iter().flat_map(|person| &person.frames) {
        assert!(!text.contains(&revealed.seed), "the seed was sent on its day: {text}");
    }
    // Everyone sees yesterday's teams.
    let eve = server.name("Eve").await;
    let teams = get::<Vec<DailyTeam>>(&server, &eve, MIND_ON_THE_DAY).await;
    assert_eq!(teams.len(), 1);
    assert!(!teams[0].you);
    let link = post(&server, &ada, &format!("/api/replays/{first}-1/link"), "{}").await;
    assert_eq!(link.status, 201, "{link:?}");
}

#[tokio::test]
async fn a_game_that_is_on_an_hour_after_its_day_ends_before_the_seed_is_shown() {
    let (server, now_s) = at_noon().await;
    let (awake, mut people) = gathered(&server, ["Ada", "Ben"]).await;
    people[0].ask(awake, Request::Start).await.unwrap();
    play_level(awake, &mut people).await;
    let (asleep, mut others) = gathered(&server, ["Cyd", "Dan"]).await;
    others[0].ask(asleep, Request::Start).await.unwrap();
    let cyd = others.remove(0).hang_up();
    drop(others);
    // Their table leaves the memory.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let ada = people[0].cookie.clone();

    // Midnight passes, and both games may go on.
    now_s.fetch_add(43_200, Ordering::Relaxed);
    for person in &mut people {
        act(person, awake, "rest").await.unwrap();
    }
    now_s.fetch_add(3_600, Ordering::Relaxed);
    let over = people[0].until(|update| matches!(update.table().stage, Stage::Over { .. })).await;
    assert_eq!(over.table().stage, Stage::Over { outcome: None });
    let refused = act(&mut people[0], awake, "rest").await;
    assert_eq!(refused.unwrap_err(), "day-over");
    let deals = revealed(&server, &ada).await;
    assert_eq!(deals.day, "2026-11-19");
    // What was reached counts.
    counted(&server, &ada, 1).await;
    let teams = get::<Vec<DailyTeam>>(&server, &ada, MIND_ON_THE_DAY).await;
    assert!(teams.iter().any(|team| team.you && team.outcome.is_none()), "{teams:?}");
    let mut cyd = server.again(&cyd).await;
    let update = cyd.join(asleep).await;
    assert_eq!(update.table().stage, Stage::Over { outcome: None }, "it wakes and is over");
}

#[tokio::test]
async fn two_tables_that_start_at_once_do_not_both_begin_with_the_same_player() {
    let (server, _now_s) = at_noon().await;
    let mut ada = server.person("Ada").await;
    let mut tables = Vec::new();
    for _ in 0..2 {
        let table = table(&post(&server, &ada.cookie, "/api/daily", MIND_FOR_TWO).await);
        ada.join(table).await;
        ada.ask(table, Request::Sit(seat("A"))).await.unwrap();
        ada.ask(table, Request::AddBot { seat: seat("B"), kind: BotKind::Steady }).await.unwrap();
        tables.push(table);
    }
    let ids = tables.iter().map(|_| ada.id()).collect::<Vec<_>>();
    for (table, id) in tables.iter().zip(&ids) {
        let (table, id) = (*table, *id);
        ada.send(&ClientMessage::Ask { table, id, request: Request::Start }).await;
    }
    let mut answers = Vec::new();
    while answers.len() < 2 {
        match ada.hear().await {
            ServerMessage::Update(update) => {
                answers.extend(update.ack.filter(|id| ids.contains(id)).map(|_| None));
            }
            ServerMessage::Refused(refused) => answers.push(Some(refused.why.code())),
            _ => {}
        }
    }
    answers.sort_unstable();
    assert_eq!(answers, [None, Some("deal-played")]);
}

#[tokio::test]
async fn after_its_day_a_deal_is_repeated_like_that_of_any_game() {
    let (server, now_s) = at_noon().await;
    let (first, mut people) = gathered(&server, ["Ada", "Ben"]).await;
    people[0].ask(first, Request::Start).await.unwrap();
    let dealt = hands(first, &mut people).await;
    end(first, &mut people).await;
    let (second, mut others) = gathered(&server, ["Cyd", "Dan"]).await;
    others[0].ask(second, Request::Start).await.unwrap();
    end(second, &mut others).await;
    let ada = people[0].cookie.clone();
    counted(&server, &ada, 1).await;
    now_s.fetch_add(86_400, Ordering::Relaxed);
    revealed(&server, &ada).await;

    let path = format!("/api/replays/{first}-1/deal");
    let again = table(&post(&server, &ada, &path, "{}").await);
    let mut eve = server.person("Eve").await;
    eve.join(again).await;
    eve.ask(again, Request::Sit(seat("B"))).await.unwrap();
    let mut cyd = others.remove(0);
    cyd.join(again).await;
    cyd.ask(again, Request::Sit(seat("A"))).await.unwrap();
    eve.ask(again, Request::Start).await.unwrap();
    let mut players = [cyd, eve];
    assert_eq!(hands(again, &mut players).await, dealt);
    let deal = look(&mut players[0], again).await.table().deal.unwrap();
    assert_eq!((deal.of, deal.daily), (Some(format!("{first}-1").parse().unwrap()), false));
    assert_eq!(deal.knows.to_string(), "A", "Cyd has played it on its day");
    end(again, &mut players).await;
    counted(&server, &players[1].cookie, 1).await;
    let teams = get::<Vec<DailyTeam>>(&server, &ada, MIND_ON_THE_DAY).await;
    assert_eq!(teams.len(), 2, "the repetition is not one of the day");
}
