//! The part of a connection that looks at games that are over, together with others.

use table::{Refused, Ticket};
use wire::{AudienceRequest, GameId};

use super::Session;
use crate::replay::Attendant;

impl Session {
    pub(super) async fn attend(&mut self, game: GameId, id: u32, key: Option<String>) {
        if !self.games.contains(&game)
            && let Err(refused) = self.has_room()
        {
            return self.decline(game, id, &refused);
        }
        // The audience is open to the people who may watch the replay.
        if let Err(problem) = self.app.may_attend(game, self.person.id, key).await {
            let table = Some(game.table);
            return self.refuse(table, Some(id), problem.why, &problem.text);
        }
        let who = Attendant {
            conn: self.conn,
            person: self.person.clone(),
            outbox: self.outbox.clone(),
            link: self.link.clone(),
            _often: self.link.measure_often(),
        };
        match self.app.audiences.attend(game, who, id) {
            Ok(()) => {
                self.games.insert(game);
            }
            Err(refused) => self.decline(game, id, &refused),
        }
    }

    pub(super) fn depart(&mut self, game: GameId) {
        if self.games.remove(&game) {
            self.app.audiences.depart(game, self.conn);
        }
    }

    pub(super) fn ask_audience(&self, game: GameId, id: u32, request: AudienceRequest) {
        let ticket = Ticket::of(self.client, id, &("audience-request", &request));
        if let Err(refused) = self.app.audiences.ask_audience(game, self.conn, ticket, request) {
            self.decline(game, id, &refused);
        }
    }

    pub(super) fn depart_all(&mut self) {
        for game in std::mem::take(&mut self.games) {
            self.app.audiences.depart(game, self.conn);
        }
    }

    fn decline(&self, game: GameId, id: u32, refused: &Refused) {
        self.refuse(Some(game.table), Some(id), refused.why, &refused.text);
    }
}
