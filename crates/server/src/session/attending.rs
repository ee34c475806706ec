//! The part of a connection that looks at games that are over, together with others.

use table::{Refused, Ticket};
use wire::{GameId, Gesture};

use super::Session;
use crate::replay::Attendant;

impl Session {
    pub(super) async fn attend(&mut self, game: GameId, id: u32, key: Option<String>) {
        if !self.games.contains(&game)
            && let Err(refused) = self.has_room()
        {
            return self.decline(game, id, &refused);
        }
        // What keeps somebody from watching it alone keeps them from watching it together.
        if let Err(problem) = self.app.may_attend(game, self.person.id, key).await {
            let table = Some(game.table);
            return self.refuse(table, Some(id), &problem.code, &problem.text);
        }
        let who = Attendant {
            conn: self.conn,
            person: self.person.clone(),
            outbox: self.outbox.clone(),
            line: self.line.clone(),
            _often: self.line.measure_often(),
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

    pub(super) fn gesture(&self, game: GameId, id: u32, gesture: Gesture) {
        let ticket = Ticket::of(self.client, id, &("gesture", &gesture));
        if let Err(refused) = self.app.audiences.gesture(game, self.conn, ticket, gesture) {
            self.decline(game, id, &refused);
        }
    }

    pub(super) fn depart_all(&mut self) {
        for game in std::mem::take(&mut self.games) {
            self.app.audiences.depart(game, self.conn);
        }
    }

    fn decline(&self, game: GameId, id: u32, refused: &Refused) {
        self.refuse(Some(game.table), Some(id), refused.code, &refused.text);
    }
}
