//! Two people at one table, near and far, who know what the server's clock shows.

use std::time::{Duration, Instant};

use rules::mind;
use tokio::time::sleep_until;
use wire::{ClientMessage, Code, Command, Quality, Request, ServerMessage, Update, View};

use crate::common::network::Network;
use crate::common::scenes::{phase, seat};
use crate::common::{Person, Server};

pub const NEAR: Duration = Duration::from_millis(10);
pub const FAR: Duration = Duration::from_millis(150);

/// A person behind a simulated network.
pub struct Player {
    pub person: Person,
    pub network: Network,
    pub latest: Update,
    begun: Instant,
    /// What the server's clock is ahead, in milliseconds.
    ahead: f64,
}

/// Ada is near and sits in A, Ben is far and sits in B; the level has begun.
pub struct Pair {
    pub table: Code,
    pub ada: Player,
    pub ben: Player,
}

impl Pair {
    /// Both at a new table of that set-up, with the level begun and their connections measured.
    pub async fn new(server: &Server, setup: &str) -> Self {
        let (near, far) =
            (Network::new(server.address, NEAR).await, Network::new(server.address, FAR).await);
        let mut ada = Server::at(near.address).person("Ada").await;
        let mut ben = Server::at(far.address).person("Ben").await;
        let table = server.open(&ada.cookie, setup).await;
        let latest = ada.join(table).await;
        ben.join(table).await;
        ada.ask(table, Request::Sit(seat("A"))).await.unwrap();
        ben.ask(table, Request::Sit(seat("B"))).await.unwrap();
        ada.ask(table, Request::Start).await.unwrap();
        let begun = Instant::now();
        let player =
            |person, network| Player { person, network, latest: latest.clone(), begun, ahead: 0.0 };
        let mut pair = Self { table, ada: player(ada, near), ben: player(ben, far) };
        pair.ada.measured(NEAR).await;
        pair.ben.measured(FAR).await;
        pair.focus().await;
        pair
    }

    /// The same where Ben holds the lower card, or the higher one.
    pub async fn dealt(server: &Server, setup: &str, ben_lower: bool) -> Self {
        loop {
            let pair = Self::new(server, setup).await;
            if (pair.ben.lowest() < pair.ada.lowest()) == ben_lower {
                return pair;
            }
        }
    }

    /// Both lay their hands on the table, and play begins.
    pub async fn focus(&mut self) {
        for player in [&mut self.ada, &mut self.ben] {
            player.latest = player.person.caught_up(self.table).await;
            let rest = player.press(self.table, Instant::now(), "rest").await;
            player.latest = player.person.answer(rest).await.unwrap();
        }
        for player in [&mut self.ada, &mut self.ben] {
            if !phase(&player.latest).starts_with("playing") {
                let playing = |update: &Update| phase(update).starts_with("playing");
                player.latest = player.person.until(playing).await;
            }
        }
    }
}

impl Player {
    /// Does something at that time, and says so; hands back its number.
    pub async fn press(&mut self, table: Code, at: Instant, command: &str) -> u32 {
        self.claim(table, at, self.server_time(at), command).await
    }

    /// The same, saying that it was at another time of the server's.
    pub async fn claim(&mut self, table: Code, at: Instant, pressed: f64, command: &str) -> u32 {
        sleep_until(at.into()).await;
        let id = self.person.id();
        let command = Command::Mind(command.parse().unwrap());
        let seq = self.latest.seq;
        self.person.send(&ClientMessage::Do { table, id, seq, pressed, command }).await;
        id
    }

    /// What the server's clock shows then.
    pub fn server_time(&self, at: Instant) -> f64 {
        (at - self.begun).as_secs_f64() * 1_000.0 + self.ahead
    }

    pub fn lowest(&self) -> u8 {
        self.mind().hand().lowest().expect("there is a card").number()
    }

    pub fn mind(&self) -> &mind::View {
        let Some(View::Mind(view)) = &self.latest.view else { panic!("it is The Mind") };
        view
    }

    /// What the server has measured of the connection.
    pub async fn probe(&mut self) -> Option<Quality> {
        let sent = self.begun.elapsed().as_secs_f64() * 1_000.0;
        self.person.send(&ClientMessage::Probe { sent }).await;
        loop {
            if let ServerMessage::Probed { sent, server, quality, .. } = self.person.hear().await {
                let heard = self.begun.elapsed().as_secs_f64() * 1_000.0;
                self.ahead = server - sent.midpoint(heard);
                return quality;
            }
        }
    }

    /// Waits until the server knows the connection, and this side its clock.
    async fn measured(&mut self, one_way: Duration) {
        let trip_ms = 2 * one_way.as_millis() as u32;
        while self.probe().await.is_none_or(|quality| quality.trip_ms < trip_ms) {}
        // The quickest probe of a few is the best one.
        let mut best = (Duration::MAX, 0.0);
        for _ in 0..4 {
            let sent = Instant::now();
            self.probe().await;
            if sent.elapsed() < best.0 {
                best = (sent.elapsed(), self.ahead);
            }
        }
        self.ahead = best.1;
    }
}
