//! Looking together at a game that is over.

use wire::{ClientMessage, Course, Eyes, GameId, Gesture, Member, ServerMessage, Speed};

use super::common::scenes::begun;
use super::common::{Person, Server};
use super::{TWO, end};

/// What an audience was told.
#[derive(Debug)]
struct Audience {
    ack: Option<u32>,
    members: Vec<Member>,
    lead: Option<u32>,
    course: Option<Course>,
    show_at: f64,
}

impl Audience {
    /// Who is there, as in `Ada! Ben (Cleo)`: whoever leads, whoever follows, whoever does not.
    fn told(&self) -> String {
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
        if let ServerMessage::Audience { ack, members, lead, course, show_at, .. } =
            person.hear().await
        {
            return Audience { ack, members, lead, course, show_at };
        }
    }
}

async fn answered(person: &mut Person, id: u32) -> Result<Audience, String> {
    loop {
        match person.hear().await {
            ServerMessage::Audience { ack, members, lead, course, show_at, .. }
                if ack == Some(id) =>
            {
                return Ok(Audience { ack, members, lead, course, show_at });
            }
            ServerMessage::Refused { id: Some(other), code, .. } if other == id => {
                return Err(code);
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

async fn gesture(person: &mut Person, game: GameId, gesture: Gesture) -> Result<Audience, String> {
    let id = person.id();
    person.send(&ClientMessage::Gesture { game, id, gesture }).await;
    answered(person, id).await
}

/// Waits until somebody is told of this.
async fn until(person: &mut Person, told: &str) -> Audience {
    loop {
        let audience = audience(person).await;
        if audience.told() == told {
            return audience;
        }
    }
}

fn at(millis: u64) -> Course {
    let at = rules::kit::Moment::from_millis(millis);
    Course { at, moves: 3, playing: true, speed: Speed::Double, eyes: Eyes::Open }
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
    assert_eq!(attend(&mut ada, game, None).await.unwrap().told(), "Ada");
    assert_eq!(attend(&mut ben, game, None).await.unwrap().told(), "Ada Ben");
    until(&mut ada, "Ada Ben").await;

    let told = gesture(&mut ben, game, Gesture::Lead(at(5_000))).await.unwrap();
    assert_eq!(told.told(), "Ada Ben!");
    let seen = until(&mut ada, "Ada Ben!").await;
    assert_eq!((seen.course, seen.show_at), (Some(at(5_000)), told.show_at), "at the same instant");
    assert_eq!((seen.ack, seen.members[0].you, seen.members[1].you), (None, true, false));

    // Who has the lead keeps it until they give it away.
    assert_eq!(gesture(&mut ada, game, Gesture::Lead(at(1))).await.unwrap_err(), "led");
    assert_eq!(gesture(&mut ada, game, Gesture::Release).await.unwrap_err(), "not-leading");
    assert_eq!(gesture(&mut ben, game, Gesture::PassLead(99)).await.unwrap_err(), "no-member");
    let steered = gesture(&mut ben, game, Gesture::Lead(at(7_000))).await.unwrap();
    assert!(steered.show_at >= told.show_at);
    let passed = gesture(&mut ben, game, Gesture::PassLead(steered.number("Ada"))).await.unwrap();
    assert_eq!((passed.told().as_str(), passed.course), ("Ada! Ben", Some(at(7_000))));
    assert_eq!(gesture(&mut ben, game, Gesture::Stray).await.unwrap().told(), "Ada! (Ben)");
    assert_eq!(gesture(&mut ben, game, Gesture::Follow).await.unwrap().told(), "Ada! Ben");
    let released = gesture(&mut ada, game, Gesture::Release).await.unwrap();
    assert_eq!((released.told().as_str(), released.course), ("Ada Ben", None));
}

#[tokio::test]
async fn who_comes_late_is_right_at_once_and_the_lead_passes_when_its_holder_goes() {
    let server = Server::start(&[]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    attend(&mut ada, game, None).await.unwrap();
    let led = gesture(&mut ada, game, Gesture::Lead(at(5_000))).await.unwrap();
    attend(&mut ben, game, None).await.unwrap();
    let link = format!("POST /api/replays/{game}/link");
    let link = server.http(&link, &[("Cookie", &ada.cookie)], "").await;
    let key = serde_json::from_str::<serde_json::Value>(&link.body).unwrap();
    let mut cleo = server.person("Cleo").await;
    assert_eq!(attend(&mut cleo, game, None).await.unwrap_err(), "not-there");
    let late = attend(&mut cleo, game, key["key"].as_str()).await.unwrap();
    assert_eq!((late.course, late.show_at), (led.course, led.show_at));
    assert_eq!(late.told(), "Ada! Ben Cleo");

    gesture(&mut ben, game, Gesture::Stray).await.unwrap();
    ada.hang_up();
    let passed = until(&mut cleo, "(Ben) Cleo!").await;
    assert_eq!((passed.course, passed.show_at), (led.course, led.show_at), "where they were");
    // Who strays leads nobody, and then nobody does.
    assert_eq!(gesture(&mut cleo, game, Gesture::Stray).await.unwrap().told(), "(Ben) (Cleo)");
    cleo.send(&ClientMessage::Depart { game }).await;
    assert_eq!(until(&mut ben, "(Ben)").await.course, None);
    assert_eq!(gesture(&mut cleo, game, Gesture::Follow).await.unwrap_err(), "not-attending");
}

#[tokio::test]
async fn remarks_reach_everybody_there_within_the_limits_of_chat() {
    let server = Server::start(&["--chat-rate", "2/0.001", "--chat-chars", "10"]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    attend(&mut ada, game, None).await.unwrap();
    attend(&mut ben, game, None).await.unwrap();
    let say = |text: &str| Gesture::Remark(text.to_owned());
    let long = gesture(&mut ada, game, say("much too long")).await.unwrap_err();
    assert_eq!(long, "chat-length");
    assert_eq!(gesture(&mut ada, game, say("a\u{7}")).await.unwrap_err(), "chat-control");
    gesture(&mut ada, game, say(" there! ")).await.unwrap();
    let heard = loop {
        if let ServerMessage::Remark { name, text, .. } = ben.hear().await {
            break format!("{name}: {text}");
        }
    };
    assert_eq!(heard, "Ada: there!");
    // Sent again with the same number it is answered and not said again.
    let (id, gesture_again) = (ada.id(), say("again"));
    let again = ClientMessage::Gesture { game, id, gesture: gesture_again };
    ada.send(&again).await;
    answered(&mut ada, id).await.unwrap();
    ada.send(&again).await;
    answered(&mut ada, id).await.unwrap();
    assert_eq!(gesture(&mut ada, game, say("third")).await.unwrap_err(), "chat-rate");
    let remarks = ada.frames.iter().filter(|frame| frame.contains(r#""t":"remark""#)).count();
    assert_eq!(remarks, 2);
}

#[tokio::test]
async fn nobody_looks_together_at_what_they_may_not_watch() {
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
    assert_eq!(gesture(&mut eve, game, Gesture::Follow).await.unwrap_err(), "not-attending");

    // Games count among the tables that a connection looks at.
    attend(&mut people[0], game, None).await.unwrap();
    people[0].ask(table, wire::Request::Rematch).await.unwrap();
    end(table, &mut people).await;
    assert_eq!(attend(&mut people[0], next, None).await.unwrap_err(), "tables");
}

/// Nobody waits for a slow reader: their connection ends, and the others go on.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_read_holds_nobody_up() {
    let server =
        Server::start(&["--queue", "8", "--send-s", "0.3", "--chat-rate", "100000/100000"]).await;
    let (game, mut ada, mut ben) = over(&server).await;
    attend(&mut ada, game, None).await.unwrap();
    attend(&mut ben, game, None).await.unwrap();
    ben.socket.turn_deaf(true);
    let long = "🙂".repeat(300);
    for _ in 0..20_000 {
        let told = gesture(&mut ada, game, Gesture::Remark(long.clone())).await.unwrap();
        if told.told() == "Ada" {
            return;
        }
    }
    panic!("the slow reader is still there");
}
