//! Looking together at a game that is over.

use wire::{
    AudienceRequest, ClientMessage, GameId, Member, Playback, PointOfView, ServerMessage, Speed,
};

use super::{TWO, end};
use crate::common::scenes::begun;
use crate::common::{Person, Server};

/// What an audience was told.
#[derive(Debug)]
struct Audience {
    ack: Option<u32>,
    members: Vec<Member>,
    lead: Option<u32>,
    playback: Option<Playback>,
    show_at: f64,
}

impl Audience {
    /// The members, as in `Ada! Ben (Cleo)`: Ada leads, Ben follows, Cleo watches alone.
    fn summary(&self) -> String {
        let member = |member: &Member| {
            let lead = if self.lead == Some(member.number) { "!" } else { "" };
            if member.follows {
                format!("{}{lead}", member.name)
            } else {
                format!("({})", member.name)
            }
        };
        self.members.iter().map(member).collect::<Vec<_>>().join(" ")
    }

    fn number(&self, name: &str) -> u32 {
        let found = self.members.iter().find(|member| member.name.as_str() == name);
        found.expect("they are there").number
    }
}

async fn audience(person: &mut Person) -> Audience {
    loop {
        if let ServerMessage::Audience { ack, members, lead, playback, show_at, .. } =
            person.hear().await
        {
            return Audience { ack, members, lead, playback, show_at };
        }
    }
}

async fn answered(person: &mut Person, id: u32) -> Result<Audience, String> {
    loop {
        match person.hear().await {
            ServerMessage::Audience { ack, members, lead, playback, show_at, .. }
                if ack == Some(id) =>
            {
                return Ok(Audience { ack, members, lead, playback, show_at });
            }
            ServerMessage::Refused(refused) if refused.id == Some(id) => {
                return Err(refused.why.code().to_owned());
            }
            _ => {}
        }
    }
}

async fn attend(person: &mut Person, game: GameId, key: Option<&str>) -> Result<Audience, String> {
    let (id, key) = (person.id(), key.map(str::to_owned));
    person.send(&ClientMessage::Attend { game, id, key }).await;
    answered(person, id).await
}

async fn ask(
    person: &mut Person,
    game: GameId,
    request: AudienceRequest,
) -> Result<Audience, String> {
    let id = person.id();
    person.send(&ClientMessage::AudienceRequest { game, id, request }).await;
    answered(person, id).await
}

/// Waits for an audience with these members.
async fn until(person: &mut Person, answer: &str) -> Audience {
    loop {
        let audience = audience(person).await;
        if audience.summary() == answer {
            return audience;
        }
    }
}

fn at(millis: u64) -> Playback {
    let at = rules::kit::Moment::from_millis(millis);
    Playback { at, moves: 3, playing: true, speed: Speed::Double, point_of_view: PointOfView::Open }
}

/// A game of Ada and Ben that is over.
async fn over(server: &Server) -> (GameId, Person, Person) {
    let (table, mut people) = begun(server, TWO, &["Ada", "Ben"]).await;
    end(table, &mut people).await;
    let ben = people.pop().unwrap();
    (GameId { table, game: 1 }, people.pop().unwrap(), ben)
}

#[tokio::test]
async fn one_leads_and_the_others_follow() {
    let server = Server::start(&[]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    assert_eq!(attend(&mut ada, game, None).await.unwrap().summary(), "Ada");
    assert_eq!(attend(&mut ben, game, None).await.unwrap().summary(), "Ada Ben");
    until(&mut ada, "Ada Ben").await;

    let answer = ask(&mut ben, game, AudienceRequest::Lead(at(5_000))).await.unwrap();
    assert_eq!(answer.summary(), "Ada Ben!");
    let seen = until(&mut ada, "Ada Ben!").await;
    assert_eq!(
        (seen.playback, seen.show_at),
        (Some(at(5_000)), answer.show_at),
        "at the same instant"
    );
    assert_eq!((seen.ack, seen.members[0].you, seen.members[1].you), (None, true, false));

    // Who has the lead keeps it until they give it away.
    assert_eq!(ask(&mut ada, game, AudienceRequest::Lead(at(1))).await.unwrap_err(), "led");
    assert_eq!(ask(&mut ada, game, AudienceRequest::Release).await.unwrap_err(), "not-leading");
    assert_eq!(ask(&mut ben, game, AudienceRequest::PassLead(99)).await.unwrap_err(), "no-member");
    let steered = ask(&mut ben, game, AudienceRequest::Lead(at(7_000))).await.unwrap();
    assert!(steered.show_at >= answer.show_at);
    let passed =
        ask(&mut ben, game, AudienceRequest::PassLead(steered.number("Ada"))).await.unwrap();
    assert_eq!((passed.summary().as_str(), passed.playback), ("Ada! Ben", Some(at(7_000))));
    assert_eq!(
        ask(&mut ben, game, AudienceRequest::Unfollow).await.unwrap().summary(),
        "Ada! (Ben)"
    );
    assert_eq!(ask(&mut ben, game, AudienceRequest::Follow).await.unwrap().summary(), "Ada! Ben");
    let released = ask(&mut ada, game, AudienceRequest::Release).await.unwrap();
    assert_eq!((released.summary().as_str(), released.playback), ("Ada Ben", None));
}

#[tokio::test]
async fn who_comes_late_is_right_at_once_and_the_lead_passes_when_its_holder_goes() {
    let server = Server::start(&[]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    attend(&mut ada, game, None).await.unwrap();
    let led = ask(&mut ada, game, AudienceRequest::Lead(at(5_000))).await.unwrap();
    attend(&mut ben, game, None).await.unwrap();
    let link = format!("POST /api/replays/{game}/link");
    let link = server.http(&link, &[("Cookie", &ada.cookie)], "").await;
    let key = serde_json::from_str::<serde_json::Value>(&link.body).unwrap();
    let mut cleo = server.person("Cleo").await;
    assert_eq!(attend(&mut cleo, game, None).await.unwrap_err(), "not-there");
    let late = attend(&mut cleo, game, key["key"].as_str()).await.unwrap();
    assert_eq!((late.playback, late.show_at), (led.playback, led.show_at));
    assert_eq!(late.summary(), "Ada! Ben Cleo");

    ask(&mut ben, game, AudienceRequest::Unfollow).await.unwrap();
    ada.hang_up();
    let passed = until(&mut cleo, "(Ben) Cleo!").await;
    assert_eq!((passed.playback, passed.show_at), (led.playback, led.show_at), "where they were");
    // A member who watches alone does not become the leader.
    assert_eq!(
        ask(&mut cleo, game, AudienceRequest::Unfollow).await.unwrap().summary(),
        "(Ben) (Cleo)"
    );
    cleo.send(&ClientMessage::Depart { game }).await;
    assert_eq!(until(&mut ben, "(Ben)").await.playback, None);
    assert_eq!(ask(&mut cleo, game, AudienceRequest::Follow).await.unwrap_err(), "not-attending");
}

#[tokio::test]
async fn chat_reaches_the_whole_audience_within_its_limits() {
    let server = Server::start(&["--chat-rate", "2/0.001", "--chat-chars", "10"]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    attend(&mut ada, game, None).await.unwrap();
    attend(&mut ben, game, None).await.unwrap();
    let say = |text: &str| AudienceRequest::Remark(text.to_owned());
    let long = ask(&mut ada, game, say("much too long")).await.unwrap_err();
    assert_eq!(long, "chat-length");
    assert_eq!(ask(&mut ada, game, say("\u{7}")).await.unwrap_err(), "chat-length");
    ask(&mut ada, game, say(" there! ")).await.unwrap();
    let heard = loop {
        if let ServerMessage::Remark { name, text, .. } = ben.hear().await {
            break format!("{name}: {text}");
        }
    };
    assert_eq!(heard, "Ada: there!");
    // Sent again with the same number it is answered and not said again.
    let (id, request_again) = (ada.id(), say("again"));
    let again = ClientMessage::AudienceRequest { game, id, request: request_again };
    ada.send(&again).await;
    answered(&mut ada, id).await.unwrap();
    ada.send(&again).await;
    answered(&mut ada, id).await.unwrap();
    assert_eq!(ask(&mut ada, game, say("third")).await.unwrap_err(), "chat-rate");
    let remarks = ada.frames.iter().filter(|frame| frame.contains(r#""t":"remark""#)).count();
    assert_eq!(remarks, 2);
}

#[tokio::test]
async fn a_person_joins_no_audience_of_a_replay_they_may_not_watch() {
    let server = Server::start(&["--tables-per-connection", "2"]).await;
    let (table, mut people) = begun(&server, TWO, &["Ada", "Ben"]).await;
    let game = GameId { table, game: 1 };
    assert_eq!(attend(&mut people[0], game, None).await.unwrap_err(), "still-on");
    let next = GameId { table, game: 2 };
    assert_eq!(attend(&mut people[0], next, None).await.unwrap_err(), "no-replay");
    end(table, &mut people).await;
    let mut eve = server.person("Eve").await;
    assert_eq!(attend(&mut eve, game, None).await.unwrap_err(), "not-there");
    let wrong = "0".repeat(32);
    assert_eq!(attend(&mut eve, game, Some(&wrong)).await.unwrap_err(), "not-there");
    assert_eq!(ask(&mut eve, game, AudienceRequest::Follow).await.unwrap_err(), "not-attending");

    // Games count among the tables that a connection looks at.
    attend(&mut people[0], game, None).await.unwrap();
    people[0].ask(table, wire::Request::Rematch).await.unwrap();
    end(table, &mut people).await;
    assert_eq!(attend(&mut people[0], next, None).await.unwrap_err(), "tables");
}

/// A slow reader is disconnected, and the others go on without waiting.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_read_delays_no_other_page() {
    let server =
        Server::start(&["--queue", "8", "--send-s", "0.3", "--chat-rate", "100000/100000"]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    attend(&mut ada, game, None).await.unwrap();
    attend(&mut ben, game, None).await.unwrap();
    ben.socket.turn_deaf(true);
    let long = "🙂".repeat(300);
    for _ in 0..20_000 {
        let answer = ask(&mut ada, game, AudienceRequest::Remark(long.clone())).await.unwrap();
        if answer.summary() == "Ada" {
            return;
        }
    }
    panic!("the slow reader is still there");
}
