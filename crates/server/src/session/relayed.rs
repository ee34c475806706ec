//! The part of a connection whose tables are at another node.

use cluster::NodeId;
use table::fair::Stamp;
use tungstenite::Message;
use wire::{ClientMessage, CloseReason, Code, Refusal};

use super::Session;
use crate::relay::Introduction;

impl Session {
    /// Whether the session is at another node.
    pub(crate) fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// Moves the session to the node that has a table. A connection follows the clock of one node, so
    /// it looks at tables of one node at a time.
    pub(super) fn go_away(
        &mut self,
        table: Code,
        node: NodeId,
        text: &str,
    ) -> Result<(), CloseReason> {
        // What this node was told is out of date: the page looks again through its own node.
        let (false, Some(relays)) = (self.is_guest, self.app.relays()) else {
            return Err(CloseReason::Restarting);
        };
        if !self.tables.is_empty() || !self.games.is_empty() {
            let text = "leave the other table first, this one is at another node";
            self.refuse(Some(table), None, Refusal::Tables { most: 1 }, text);
            return Ok(());
        }
        let introduction = Introduction::new(self.person.id, self.device, self.from, self.client);
        let mut away = relays.open(node, &introduction, self.outbox.clone());
        away.joins(table);
        let is_sent = away.pass(&Message::text(text));
        self.away = Some(Box::new(away));
        if is_sent { Ok(()) } else { Err(CloseReason::Restarting) }
    }

    /// Passes a message on to the node that has the session. A connection that has left the tables
    /// there may look at one anywhere.
    pub(super) async fn pass_on(
        &mut self,
        message: Message,
        arrived: Stamp,
    ) -> Result<(), CloseReason> {
        let Some(away) = &mut self.away else { return Ok(()) };
        if let Message::Text(text) = &message
            // Only these few are read here.
            && (text.contains("\"join\"") || text.contains("\"leave\""))
        {
            match ClientMessage::read(text) {
                Ok(ClientMessage::Join { .. }) if !away.has_tables() => {
                    self.away = None;
                    let text = text.as_str().to_owned();
                    return Box::pin(self.hear(&text, arrived)).await;
                }
                Ok(ClientMessage::Join { table }) => away.joins(table),
                Ok(ClientMessage::Leave { table }) => away.leaves(table),
                Ok(_) | Err(_) => {}
            }
        }
        if away.pass(&message) { Ok(()) } else { Err(CloseReason::Restarting) }
    }
}
