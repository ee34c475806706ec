//! The order and the bounds of presses, and the pauses of levels.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use rules::kit::{Moment, Seat, Seats};
use rules::royale::Row;
use table::fair::{Claim, Stamp};
use table::{Cause, Occupant, PersonId, Seating};

use crate::connection::Conn;
use crate::game::AnyGame;
use crate::reference::{Key, Stage};
use crate::violation::{Checked, hold};
use crate::world::{World, ms};

/// How many of the last moves are compared with the next one.
const MOVES_COMPARED: usize = 16;

/// The claimed press times, and the last moves.
#[derive(Default)]
pub(crate) struct Presses {
    /// The claims of each message, one for each time that it was handed in. Only asked by key.
    claims: HashMap<Key, Vec<Claim>>,
    /// The latest press time of each person.
    heard: Vec<(PersonId, Stamp)>,
    moves: Vec<Moved>,
    pub(crate) advised: Vec<(Seat, Option<Row>)>,
    /// When the last change is shown: the time of sending and the number of events, and its
    /// `show_at`.
    pub(crate) showing: Option<((Stamp, usize), Stamp)>,
    pause: Pause,
}

/// Whether a level has to stop.
#[derive(Default)]
struct Pause {
    /// A player's connection has gone bad during a level.
    is_expected: bool,
    /// When the journal last failed; the table tries again a second later.
    failed_at: Option<Stamp>,
}

struct Moved {
    person: PersonId,
    client: u32,
    id: u32,
    press: Stamp,
    released: Stamp,
    by_photo: bool,
}

impl Presses {
    pub(crate) fn handed(&mut self, key: Key, claim: Claim) {
        self.claims.entry(key).or_default().push(claim);
        match self.heard.iter_mut().find(|(person, _)| *person == key.0) {
            Some((_, heard)) => *heard = believed(&claim).max(*heard),
            None => self.heard.push((key.0, believed(&claim))),
        }
    }

    /// The journal failed to write.
    pub(crate) fn failed(&mut self, now: Stamp) {
        self.pause.failed_at = Some(now);
    }

    /// When the journal last failed to write.
    pub(crate) fn failed_at(&self) -> Option<Stamp> {
        self.pause.failed_at
    }

    /// If a level is played, it has to stop.
    pub(crate) fn expect_pause(&mut self) {
        self.pause.is_expected = true;
    }

    /// A game or the table has begun: moves before it are not compared.
    pub(crate) fn begin(&mut self) {
        self.moves.clear();
        self.pause.is_expected = false;
    }

    pub(crate) fn advised(&mut self, seat: Seat, row: Option<Row>) {
        self.advised.push((seat, row));
    }
}

/// When a press counts: as claimed; if that is further before its arrival than the link explains, as
/// far before it as is usual.
fn believed(claim: &Claim) -> Stamp {
    if claim.claimed.after(claim.bound) < claim.arrived {
        return claim.arrived.before(claim.usual.min(claim.bound));
    }
    claim.claimed.min(claim.arrived)
}

impl World {
    /// The order and the bounds of a move that became durable. `since` is when it was proposed.
    pub(crate) fn check_move(
        &mut self,
        cause: &Cause,
        at: Moment,
        before: Moment,
        since: Stamp,
    ) -> Checked {
        let proposed = self.moment(since);
        hold!(at <= proposed.max(before), Order, "a move of {at} was made at {proposed}");
        let (Some(ticket), Some(fair)) = (cause.ticket, cause.fair) else {
            let is_own = cause.ticket.is_none() && cause.fair.is_none();
            hold!(is_own, Order, "a message without what was found of its press");
            return Ok(());
        };
        let Some(Occupant::Person { id: person, .. }) =
            self.server.reference.seating.chairs.get(cause.seat.index())
        else {
            return Ok(());
        };
        let key = (*person, ticket.client, ticket.id);
        let claims = self.presses.claims.get(&key).map_or(&[][..], Vec::as_slice);
        let claim = claims.iter().find(|claim| {
            self.moment(claim.arrived) == cause.arrived
                && self.moment(claim.claimed) == fair.claim
                && claim.bound.as_micros() as u64 == fair.bound
        });
        let Some(claim) = claim else {
            hold!(false, Order, "a move says {fair:?} of its press, which no client claimed");
            return Ok(());
        };
        let tuning = &self.server.settings.tuning;
        hold!(claim.bound <= tuning.claim_max, Order, "a claim of {:?} was believed", claim.bound);
        let press = believed(claim);
        let is_race = self.server.reference.game().is_some_and(AnyGame::is_race);
        let heard = self.presses.heard.iter().find(|(other, _)| other == person);
        let heard = heard.map_or(press, |(_, heard)| *heard);
        let (earliest, latest) = if is_race {
            (self.moment(press), self.moment(heard.max(press)))
        } else {
            (self.moment(claim.arrived), self.moment(claim.arrived))
        };
        hold!(at >= earliest, Order, "a move counts at {at}, before its press at {earliest}");
        hold!(
            at <= latest.max(before),
            Order,
            "a move counts at {at}, after its press at {latest}"
        );
        if is_race {
            let released = claim.arrived.after(Duration::from_micros(fair.hold));
            let moved = Moved {
                person: *person,
                client: ticket.client,
                id: ticket.id,
                press,
                released,
                by_photo: fair.photo.is_some(),
            };
            for other in &self.presses.moves {
                let is_late = other.person != moved.person
                    && heard.max(press) < other.press
                    && claim.arrived < other.released
                    && !other.by_photo;
                hold!(
                    !is_late,
                    Order,
                    "a press of {press:?} that was there at {:?} came after one of {:?} made at {:?}",
                    claim.arrived,
                    other.press,
                    other.released
                );
                let is_swapped = other.person == moved.person
                    && other.client == moved.client
                    && other.id > moved.id;
                hold!(
                    !is_swapped,
                    Order,
                    "message {} of a page was done after {}",
                    moved.id,
                    other.id
                );
            }
            self.presses.moves.push(moved);
            if self.presses.moves.len() > MOVES_COMPARED {
                self.presses.moves.remove(0);
            }
        }
        Ok(())
    }

    /// A move was made on a view that was not stale.
    pub(crate) fn check_fresh(&self, cause: &Cause, fresh: RangeInclusive<u64>) -> Checked {
        let Some(ticket) = cause.ticket else { return Ok(()) };
        let page = self.pages.iter().find(|page| page.client == ticket.client);
        let seq = page.and_then(|page| page.letters.get(ticket.id as usize)).map(|it| it.seq);
        let is_fresh = seq.is_some_and(|seq| fresh.contains(&seq));
        hold!(is_fresh, Order, "a move was made on seq {seq:?}, which is not of {fresh:?}");
        Ok(())
    }

    /// A host who is connected does not lose the role to a player who is not.
    pub(crate) fn check_host(&self, before: &Seating) -> Checked {
        let seating = &self.server.reference.seating;
        if seating.host == before.host {
            return Ok(());
        }
        // A person who has just connected or left may count as here or not.
        let any = |id: PersonId, is_here: fn(&Conn) -> bool| {
            (0..self.conns.len())
                .any(|conn| is_here(&self.conns[conn]) && self.human(conn).person.id == id)
        };
        let any_player_here =
            seating.people().any(|(_, id)| any(id, |conn| conn.joined && conn.was_here));
        let may_be_here = |conn: &Conn| conn.joined || conn.was_here || conn.has_joined;
        let host = seating.host.is_some_and(|id| any(id, may_be_here));
        let is_absent = any_player_here && !host;
        hold!(!is_absent, Contract, "the table was handed to a host who is not here");
        Ok(())
    }

    /// A level stops when a player goes missing or cannot see it.
    pub(crate) fn check_pause(&mut self, table: &wire::Table) -> Checked {
        let is_level = self.is_level();
        let pause = &mut self.presses.pause;
        let is_expected = std::mem::take(&mut pause.is_expected);
        let tried = pause.failed_at.is_some_and(|at| at.until(self.now) <= ms(1_100));
        if !is_level || tried {
            return Ok(());
        }
        hold!(!is_expected, Liveness, "a level goes on although a player cannot see it");
        let missing = match &table.stage {
            wire::Stage::Playing { missing, .. } => *missing,
            wire::Stage::Gathering | wire::Stage::Over { .. } => Seats::NONE,
        };
        hold!(missing.is_empty(), Liveness, "a level goes on without {missing}");
        Ok(())
    }

    pub(crate) fn is_level(&self) -> bool {
        match &self.server.reference.stage {
            Stage::Playing(game) => game.is_level(),
            Stage::Gathering { .. } | Stage::Over(..) => false,
        }
    }

    /// Whether a connection's player sits at the table and cannot see it on any page.
    pub(crate) fn is_troubled(&self, conn: usize) -> bool {
        let person = self.human(conn).person.id;
        let joined = (0..self.conns.len()).filter(|conn| self.conns[*conn].joined);
        let mut own = joined.filter(|conn| self.human(*conn).person.id == person);
        self.server.reference.seat_of(person).is_some()
            && own.all(|conn| self.conns[conn].measured.sent.trouble(self.now).is_some())
    }
}
