//! The audiences of all games that somebody looks at.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use wire::{GameId, Gesture};

use super::audience::{Attendant, Audience, not_attending};
use crate::limits::lock;
use crate::tables::Shared;
use table::{ConnId, Refused, Ticket};

/// Everybody who looks at a game that is over. Whatever happens there takes no time: messages are
/// put into outboxes, and nobody waits for anybody.
pub(crate) struct Audiences {
    shared: Arc<Shared>,
    by_game: Mutex<HashMap<GameId, Audience>>,
}

impl Audiences {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, by_game: Mutex::default() }
    }

    /// Takes somebody in who may watch the game.
    pub(crate) fn attend(&self, game: GameId, who: Attendant, id: u32) -> Result<(), Refused> {
        lock(&self.by_game).entry(game).or_insert_with(|| Audience::new(game)).attend(who, id)
    }

    /// A page looks elsewhere or is gone.
    pub(crate) fn depart(&self, game: GameId, conn: ConnId) {
        let mut by_game = lock(&self.by_game);
        if let Some(audience) = by_game.get_mut(&game) {
            audience.depart(conn);
            if audience.is_empty() {
                by_game.remove(&game);
            }
        }
    }

    /// Does what somebody wants who is there.
    pub(crate) fn gesture(
        &self,
        game: GameId,
        conn: ConnId,
        ticket: Ticket,
        gesture: Gesture,
    ) -> Result<(), Refused> {
        let mut by_game = lock(&self.by_game);
        let audience = by_game.get_mut(&game).ok_or_else(not_attending)?;
        audience.gesture(&self.shared, conn, ticket, gesture)
    }
}
