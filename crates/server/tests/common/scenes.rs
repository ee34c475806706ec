//! People around a table, as far along as a test wants them.

use rules::kit::Seat;
use wire::{ClientMessage, Code, Request, ServerMessage, Stage, Update};

use super::{Person, Server};

pub fn seat(letter: &str) -> Seat {
    letter.parse().unwrap()
}

/// These people at a table that the first of them has opened, each in the next seat.
pub async fn gathered(server: &Server, wish: &str, names: &[&str]) -> (Code, Vec<Person>) {
    let mut people = Vec::new();
    for name in names {
        people.push(server.person(name).await);
    }
    let table = server.open(&people[0].cookie.clone(), wish).await;
    for (index, person) in people.iter_mut().enumerate() {
        person.join(table).await;
        person.ask(table, Request::Sit(Seat::new(index).unwrap())).await.unwrap();
    }
    (table, people)
}

/// The same, with the game begun.
pub async fn begun(server: &Server, wish: &str, names: &[&str]) -> (Code, Vec<Person>) {
    let (table, mut people) = gathered(server, wish, names).await;
    people[0].ask(table, Request::Start).await.unwrap();
    (table, people)
}

/// The same, with all hands laid on the table and lifted.
pub async fn playing(server: &Server, wish: &str, names: &[&str]) -> (Code, Vec<Person>) {
    let (table, mut people) = begun(server, wish, names).await;
    for person in &mut people {
        act(person, table, "rest").await.unwrap();
    }
    (table, people)
}

/// The state of the table now, by joining it again.
pub async fn look(person: &mut Person, table: Code) -> Update {
    person.send(&ClientMessage::Join { table }).await;
    let hello = ClientMessage::Hello { protocol: wire::PROTOCOL, client: person.client };
    person.send(&hello).await;
    let mut last = None;
    loop {
        match person.hear().await {
            ServerMessage::Update(update) => last = Some(*update),
            ServerMessage::Welcome { .. } => return last.expect("joining is answered"),
            _ => {}
        }
    }
}

/// Does something as the notation writes it, looking at the table as it stands now.
pub async fn act(person: &mut Person, table: Code, command: &str) -> Result<Update, String> {
    let update = look(person, table).await;
    let command = wire::with_game!(update.table().setup, G, _own => {
        <G as wire::WireGame>::sent_command(command.parse().unwrap())
    });
    person.act(table, update.seq, command).await
}

/// The lowest card of a player's hand in The Mind.
pub fn lowest(update: &Update) -> String {
    let Some(wire::View::Mind(view)) = &update.view else { panic!("it is The Mind") };
    view.hand().lowest().expect("there is a card").to_string()
}

/// Who is missing, and who agrees to what.
pub fn stage(update: &Update) -> (String, String, String) {
    match update.table().stage {
        Stage::Playing { missing, hold, end, .. } => {
            (missing.to_string(), hold.to_string(), end.to_string())
        }
        ref other => panic!("no game is on but {other:?}"),
    }
}

pub fn missing(update: &Update) -> String {
    stage(update).0
}

/// The phase of The Mind in the notation: `focus:-`, `refocus:A`, `playing:-`.
pub fn phase(update: &Update) -> String {
    use rules::mind::Phase;
    let Some(wire::View::Mind(view)) = &update.view else { panic!("it is The Mind") };
    match view.public.phase {
        Phase::Focus(focus) => focus.to_string(),
        Phase::Playing(vote) => format!("playing:{}", vote.raised),
        Phase::Offer(offer) => offer.to_string(),
        Phase::Over { won } => format!("over:{won}"),
    }
}

/// Plays the level that is dealt: each has one card.
pub async fn play_level(table: Code, people: &mut [Person]) {
    for person in people.iter_mut() {
        act(person, table, "rest").await.unwrap();
    }
    let mut cards = Vec::new();
    for (index, person) in people.iter_mut().enumerate() {
        cards.push((lowest(&look(person, table).await).parse::<u8>().unwrap(), index));
    }
    cards.sort_unstable();
    for (card, index) in cards {
        act(&mut people[index], table, &format!("play {card}")).await.unwrap();
    }
}
