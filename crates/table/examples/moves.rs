//! How long a move takes in the table core alone: no socket, no journal.
//!
//! `cargo run --release -p table --example moves -- 200000`, or under
//! `valgrind --tool=callgrind --toggle-collect='*Table::handle*'` with fewer moves. A second
//! argument changes the set-up: with `levels=1` every eighth move ends a game.

use std::time::Instant;

use bytes::Bytes;
use rules::door::GameName;
use rules::family::{FocusCommand, OfferCommand};
use rules::kit::{Seat, Seed};
use rules::mind;
use table::fair::{Claim, Stamp};
use table::{
    ConnId, Effect, Founding, Input, LinkState, Message, Origin, Person, PersonId, Settings, Stage,
    Table, Ticket,
};
use wire::{Command, Options, Request, Setup};

const PLAYERS: u8 = 4;

fn main() {
    let moves = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(200_000);
    let mut people = Players::sit_down(&std::env::args().nth(2).unwrap_or_default());
    people.play(100);
    let (bytes_before, started) = (people.bytes, Instant::now());
    people.play(moves);
    let each = started.elapsed().as_secs_f64() / f64::from(moves) * 1e6;
    let bytes = (people.bytes - bytes_before) as f64 / f64::from(moves) / f64::from(PLAYERS);
    println!("{each:.2} µs a move, {bytes:.0} bytes an update");
}

/// Four people at a table of The Mind, who see each other's cards.
struct Players {
    table: Table,
    now: Stamp,
    id: u32,
    bytes: usize,
    last: Vec<Option<Bytes>>,
}

impl Players {
    fn sit_down(rest: &str) -> Self {
        let text = format!("players={PLAYERS} {rest}");
        let setup = Setup::read(GameName::Mind, text.trim()).expect("a set-up");
        let code = "k3f9ab".parse().expect("a code");
        let people = (0..PLAYERS).map(|place| Person {
            id: PersonId::from_hash([place; 32]),
            name: format!("Player {place}").parse().expect("a name"),
            mark: None,
            lends_tempo: false,
        });
        let people = people.collect::<Vec<_>>();
        let founding = Founding { setup, public: false, by: people[0].id, deal: None };
        let state = founding.found(code).expect("a table").state;
        let now = Stamp::from_millis(1);
        let table = Table::new(code, state, Settings::default(), Seed::from(1), now);
        let last = vec![None; usize::from(PLAYERS)];
        let mut all = Self { table, now, id: 0, bytes: 0, last };
        for (place, person) in people.into_iter().enumerate() {
            let conn = ConnId(place as u64);
            all.handle(Input::Joined {
                conn,
                person,
                by: code,
                from: Origin::default(),
                link: LinkState::default(),
            });
            all.send(place, Message::Ask(Request::Sit(Seat::new(place).expect("a seat"))));
        }
        all.send(0, Message::Ask(Request::Start));
        all
    }

    fn play(&mut self, moves: u32) {
        for _ in 0..moves {
            let Some((place, seq, command)) = self.choose() else {
                self.send(0, Message::Ask(Request::Rematch));
                continue;
            };
            let claim = Claim::here(self.now);
            self.send(place, Message::Do { seq, claim, command: Command::Mind(command) });
        }
    }

    /// The lowest card of all, or else a hand on the table.
    fn choose(&self) -> Option<(usize, u64, mind::Command)> {
        let Stage::Playing(room) = self.table.state().stage() else { return None };
        let ranked = (0..usize::from(PLAYERS)).filter_map(|place| {
            let viewer = rules::kit::Viewer::Seat(Seat::new(place)?);
            let (_, Options::Mind(options)) = room.shown(viewer, false) else { return None };
            let rank = |command: &mind::Command| match command {
                mind::Command::Play(card) => Some(u32::from(card.number())),
                mind::Command::Focus(FocusCommand::Rest) => Some(200),
                mind::Command::Offer(OfferCommand::Finish) => Some(201),
                _ => None,
            };
            let best = options.into_iter().filter_map(|it| Some((rank(&it)?, it)));
            let (rank, command) = best.min_by_key(|(rank, _)| *rank)?;
            Some((rank, place, room.seq(viewer), command))
        });
        ranked.min_by_key(|(rank, ..)| *rank).map(|(_, place, seq, command)| (place, seq, command))
    }

    fn send(&mut self, place: usize, message: Message) {
        self.id += 1;
        let ticket = Ticket { client: 1, id: self.id, print: self.id };
        self.handle(Input::Message { conn: ConnId(place as u64), ticket, message });
    }

    fn handle(&mut self, input: Input) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            self.now = Stamp::from_micros(self.now.micros() + 50);
            for effect in self.table.handle(self.now, input).list {
                match effect {
                    Effect::Append(_) => next = Some(Input::Appended),
                    Effect::Send { to, text } => {
                        self.bytes += text.len();
                        if text.starts_with(b"{\"t\":\"refused\"") {
                            let refused = serde_json::from_slice::<serde_json::Value>(&text);
                            panic!("{refused:?}");
                        }
                        self.last[to.0 as usize] = Some(text);
                    }
                    _ => {}
                }
            }
        }
    }
}
