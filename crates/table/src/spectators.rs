//! Who has watched a game, and so has seen its deal and may watch it again.

use std::collections::HashSet;

use wire::GameId;

use crate::effect::{Effect, Effects};
use crate::state::SharedDeal;
use crate::table::Table;

/// How many people are remembered to have watched one game.
const REMEMBERED_MOST: usize = 1_024;

impl Table {
    /// Has it remembered who watches the game that is on, and so has seen its deal.
    pub(crate) fn note_spectators(&mut self, out: &mut Effects) {
        if !self.state.is_playing() {
            return;
        }
        let (number, watched) = &mut self.viewers.watched;
        if *number != self.state.games() {
            (*number, *watched) = (self.state.games(), HashSet::new());
        }
        let seating = self.state.seating();
        let mut new = Vec::new();
        for client in self.people.presence.clients() {
            let person = client.person.id;
            if seating.seat_of(person).is_none()
                && watched.len() < REMEMBERED_MOST
                && watched.insert(person)
            {
                new.push(person);
            }
        }
        if !new.is_empty() {
            // At a private table only people who are there at its end may watch a game again: a
            // stranger who found the code and looked in gets no hands to see.
            if self.state.is_public() {
                let game = GameId { table: self.terms.id, game: *number };
                out.push(Effect::Watched { game, people: new });
            }
            self.note_deal_seen(out);
        }
    }

    /// Has it remembered who is there when a game at a private table is over.
    pub(crate) fn note_end_spectators(&self, out: &mut Effects) {
        let seating = self.state.seating();
        let mut people = Vec::new();
        for client in self.people.presence.clients() {
            let person = client.person.id;
            let is_new = seating.seat_of(person).is_none() && !people.contains(&person);
            if is_new && people.len() < REMEMBERED_MOST {
                people.push(person);
            }
        }
        if !self.state.is_public() && !people.is_empty() {
            let game = GameId { table: self.terms.id, game: self.state.games() };
            out.push(Effect::Watched { game, people });
        }
    }

    /// Has it remembered that all who sit here or watch see the deal from now on.
    pub(crate) fn note_deal_seen(&self, out: &mut Effects) {
        // A study knows by itself who has played its deals.
        if self.state.study().is_some() {
            return;
        }
        let Some(SharedDeal { deal, .. }) = self.state.shared_deal() else { return };
        let seated = self.state.seating().people().map(|(_, id)| id);
        let here = self.people.presence.clients().iter().map(|client| client.person.id);
        out.push(Effect::DealSeen { of: deal.of, people: seated.chain(here).collect() });
    }
}
