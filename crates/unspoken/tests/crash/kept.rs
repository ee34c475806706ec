//! What is stored after a kill, compared with what people were sent.

use std::path::Path;

use cluster::Cluster;
use journal::{Glance, Journal};
use rules::kit::Seat;
use serde_json::Value;
use wire::{Code, ServerMessage};

use crate::common::{read_all, truth};
use crate::crew::Player;

/// Where the lines of tables are.
#[derive(Clone, Copy)]
pub enum Stored<'a> {
    File(&'a Path),
    Cluster(&'a Cluster),
}

/// Checks that every acknowledged message is stored once, and that no person was sent anything that
/// is not. Returns how much was acknowledged since the last check, and whether the game is over.
pub async fn check(stored: Stored<'_>, table: Code, players: &mut [Player]) -> (usize, bool) {
    let lines = stored.lines(table).await;
    let tickets = lines.iter().filter_map(ticket).collect::<Vec<_>>();
    for ticket in &tickets {
        let count = tickets.iter().filter(|other| *other == ticket).count();
        assert_eq!(count, 1, "the message {ticket:?} was done twice at table {table}");
    }
    for player in players.iter() {
        for id in &player.acked {
            let there = tickets.contains(&(player.client(), *id));
            assert!(there, "message {id} was acknowledged at table {table} and is lost");
        }
    }
    if lines.iter().any(|line| line.get("started").is_some()) {
        let truth = truth::of_lines(&lines);
        for (index, player) in players.iter().enumerate() {
            for message in read_all(&player.frames) {
                if let ServerMessage::Update(update) = message
                    && update.code == table
                {
                    truth.check(Seat::new(index), &update);
                }
            }
        }
    }
    let is_over = lines.iter().any(|line| line.get("ended").is_some());
    (players.iter_mut().map(Player::checked).sum(), is_over)
}

impl Stored<'_> {
    async fn lines(self, table: Code) -> Vec<Value> {
        let key = table.as_str().parse().unwrap();
        let lines = match self {
            Self::File(data) => Glance::open(data).unwrap().lines(&key).unwrap(),
            Self::Cluster(cluster) => cluster.read(&key, 0).await.unwrap(),
        };
        assert!(!lines.is_empty(), "table {table} was opened and is lost");
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The page and the number of the message behind a line.
fn ticket(line: &Value) -> Option<(u32, u32)> {
    let (_, record) = line.as_object()?.iter().next()?;
    let ticket = record.get("by")?.get("ticket")?;
    let number = |name: &str| u32::try_from(ticket[name].as_u64().unwrap()).unwrap();
    Some((number("client"), number("id")))
}
