//! The audiences of all replays that are open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use wire::{AudienceRequest, GameId};

use super::audience::{Attendant, Audience, not_attending};
use crate::limits::lock;
use crate::tables::Shared;
use table::{ConnId, Refused, Ticket};

/// The people at each open replay. No call waits: messages are put into outboxes.
pub(crate) struct Audiences {
    shared: Arc<Shared>,
    by_game: Mutex<HashMap<GameId, Audience>>,
}

impl Audiences {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, by_game: Mutex::default() }
    }

    /// Adds a person who may watch the game.
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

    /// Carries out a gesture of a person in the audience.
    pub(crate) fn ask_audience(
        &self,
        game: GameId,
        conn: ConnId,
        ticket: Ticket,
        request: AudienceRequest,
    ) -> Result<(), Refused> {
        let mut by_game = lock(&self.by_game);
        let audience = by_game.get_mut(&game).ok_or_else(not_attending)?;
        audience.ask_audience(&self.shared, conn, ticket, request)
    }
}
