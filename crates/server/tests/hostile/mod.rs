//! Hostile clients: other players notice nothing, and the server goes on.

mod bent;
mod floods;
mod nonsense;
mod strangers;

use crate::common::{Answer, PATIENCE, Person, Server};
use rules::kit::Seat;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use wire::{CloseReason, Code, Command, Request, ServerMessage, Sitter, Stage};

fn seat_b() -> Seat {
    Seat::new(1).unwrap()
}

/// A table of two with a game on: Ada sits at A and Bob at B.
async fn playing(server: &Server) -> (Code, Person, Person) {
    let mut ada = server.person("Ada").await;
    let mut bob = server.person("Bob").await;
    let table = server.open(&ada.cookie, r#"{"game":"mind","players":2}"#).await;
    for (person, seat) in [(&mut ada, Seat::A), (&mut bob, seat_b())] {
        person.join(table).await;
        person.ask(table, Request::Sit(seat)).await.unwrap();
    }
    ada.ask(table, Request::Start).await.unwrap();
    bob.until(|update| matches!(update.table().stage, Stage::Playing { .. })).await;
    (table, ada, bob)
}

/// Whether everyone who sits at the table is there, and the two of them can still play.
async fn undisturbed(table: Code, ada: &mut Person, bob: &mut Person) {
    for person in [ada, bob] {
        let update = person.caught_up(table).await;
        let rest = Command::Mind("rest".parse().unwrap());
        let lift = Command::Mind("lift".parse().unwrap());
        let update = person.act(table, update.seq, rest).await.unwrap();
        let update = person.act(table, update.seq, lift).await.unwrap();
        for chair in &update.table().chairs {
            assert!(matches!(chair.sitter, Sitter::Person { here: true, .. }), "{chair:?}");
        }
    }
}

async fn farewell(person: &mut Person) -> Option<CloseReason> {
    while let Some(message) = person.hear_or_end().await {
        if let ServerMessage::Bye { why, .. } = message {
            return Some(why);
        }
    }
    None
}

/// The code with which a text is refused.
async fn refusal(person: &mut Person, text: &str) -> String {
    person.send_text(text).await;
    loop {
        if let ServerMessage::Refused(refused) = person.hear().await {
            return refused.why.code().to_owned();
        }
    }
}

/// The status with which a socket is refused.
async fn turned_away(server: &Server, headers: &[(&'static str, &str)]) -> Option<u16> {
    match server.connect(headers).await {
        Ok(_) => None,
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Some(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

async fn raw(server: &Server, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    // The server may answer and hang up before everything is sent.
    let _closed = stream.write_all(request).await;
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed").unwrap();
    Answer::read(&String::from_utf8_lossy(&answer))
}
