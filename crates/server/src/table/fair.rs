//! The fair order at a table: what people do waits for its turn, and is seen by all at once.

use std::time::Duration;

use rules::kit::{Seat, Viewer};
use wire::PhotoFinish;

use super::kept::Course;
use super::task::Task;
use super::{ConnId, Deed};
use crate::fair::{Claim, Finish, Fit, Health, Peer, Stamp, lead, photo_finish};
use crate::person::Person;
use crate::record::{Cause, Fair, Occupant, Ticket};
use crate::room::Refused;

/// How much may wait at one table: far more than anybody presses in the time.
const WAITING_MOST: usize = 128;

/// What somebody told the table to do.
pub(super) struct Told {
    pub(super) conn: ConnId,
    pub(super) person: Person,
    pub(super) ticket: Ticket,
    pub(super) deed: Deed,
}

/// How something found its place.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    claim: Claim,
    /// When it counts as pressed.
    pub(super) press: Stamp,
    hold: Duration,
    finish: Option<Finish>,
    /// What the table says of that.
    pub(super) photo: Option<PhotoFinish>,
}

impl Task {
    /// Takes in what somebody wants to do, and does it when its turn has come.
    pub(super) async fn hear_deed(&mut self, seat: Option<Seat>, told: Told) {
        let claim = self.judge(&told);
        match seat {
            Some(seat) if self.is_race() => {
                let mut waiting = self.order.waiting_mut().iter_mut().map(|play| &mut play.item);
                let again = waiting
                    .find(|other| other.person.id == told.person.id && other.ticket == told.ticket);
                // It came again over another connection: that is where to answer.
                if let Some(other) = again {
                    other.conn = told.conn;
                    return;
                }
                if self.order.waiting().len() >= WAITING_MOST {
                    let text = "too much waits for its turn here, try again".to_owned();
                    let refused = Refused { code: "crowded", text };
                    return self.refuse(told.conn, told.ticket.id, refused);
                }
                self.order.take(seat, claim, told);
                self.release().await;
            }
            _ => {
                let (press, hold) = (claim.arrived, Duration::ZERO);
                let placed = Placed { claim, press, hold, finish: None, photo: None };
                self.act(seat, told, placed).await;
            }
        }
    }

    /// Does whatever has its turn now.
    pub(super) async fn release(&mut self) {
        while !self.astray && !self.order.waiting().is_empty() {
            let (peers, now) = (self.peers(), self.shared.stamp());
            let photo = self.kept.setup.manners().photo_finish;
            let at = self.order.next_at(&peers, &self.shared.tuning, photo);
            if at.is_none_or(|at| at > now) {
                return;
            }
            let finish = if photo { self.photo(&peers) } else { None };
            self.turn(finish, now).await;
        }
    }

    /// Somebody could not see the table since then: what was pressed before counts, and what was
    /// pressed later does not.
    pub(super) async fn settle(&mut self, since: Stamp) {
        while let Some(first) = self.order.waiting().first() {
            if first.press < since && !self.astray {
                self.turn(None, self.shared.stamp()).await;
            } else if let Some(late) = self.order.remove(0) {
                let text = "somebody could not see the table, so this does not count".to_owned();
                self.refuse(late.item.conn, late.item.ticket.id, Refused { code: "blind", text });
            }
        }
    }

    /// How long until something has its turn; `None` if nothing waits, or only for somebody of
    /// whom nobody knows whether they see the table.
    pub(super) fn due(&self) -> Option<Duration> {
        if self.order.waiting().is_empty() {
            return None;
        }
        let photo = self.kept.setup.manners().photo_finish;
        let at = self.order.next_at(&self.peers(), &self.shared.tuning, photo)?;
        Some(self.shared.stamp().until(at))
    }

    /// How long machines wait for people who pressed before them; `None` while somebody may not
    /// see the table.
    pub(super) fn patience(&self) -> Option<Duration> {
        if !self.is_race() {
            return Some(Duration::ZERO);
        }
        let peers = self.peers();
        if peers.iter().any(|peer| peer.dark_since.is_some()) {
            return None;
        }
        let far = peers.iter().filter(|peer| !peer.lag.is_near());
        let longest = far.map(|peer| peer.lag.horizon()).max().unwrap_or_default();
        Some(longest.min(self.shared.tuning.hold_max))
    }

    /// The command as the journal has it.
    pub(super) fn cause(&self, seat: Seat, ticket: Ticket, placed: &Placed) -> Cause {
        let Placed { claim, hold, finish, .. } = placed;
        let place = match &self.kept.course {
            Course::Playing(room) => room.steps(),
            Course::Gathering { .. } | Course::Over(..) => 0,
        };
        let fair = Fair {
            claim: self.moment(claim.claimed),
            bound: claim.bound.as_micros() as u64,
            hold: hold.as_micros() as u64,
            place,
            photo: finish.map(|finish| finish.within.as_micros() as u64),
        };
        let arrived = self.moment(claim.arrived);
        Cause { seat, ticket: Some(ticket), arrived, pressed: None, fair: Some(fair) }
    }

    /// Decides when the next update is shown: what has just happened, when everyone can have it;
    /// all else as soon as what came before it.
    pub(super) fn schedule(&mut self) {
        let now = self.shared.stamp();
        let news = match &self.kept.course {
            Course::Playing(room) | Course::Over(room, _) => room.has_news(),
            Course::Gathering { .. } => false,
        };
        let lead = if news {
            lead(self.peers().into_iter().map(|peer| peer.lag), &self.shared.tuning)
        } else {
            Duration::ZERO
        };
        self.show_at = self.show_at.max(now.after(lead));
    }

    /// Everyone whose presses matter: who plays and is here.
    pub(super) fn peers(&self) -> Vec<Peer<Seat>> {
        let (now, tuning) = (self.shared.stamp(), &self.shared.tuning);
        let mut peers = Vec::with_capacity(self.kept.seating.chairs.len());
        for (seat, occupant) in self.kept.seating.iter() {
            let Occupant::Person { id, .. } = occupant else { continue };
            let mut peer = None::<Peer<Seat>>;
            for client in self.clients.iter().filter(|client| client.person.id == *id) {
                let (lag, health) = (client.line.lag(), client.line.health(now, tuning));
                let dark_since = match health {
                    Health::Late { since } | Health::Silent { since } => {
                        client.line.wait_for_pong();
                        Some(since)
                    }
                    Health::Well | Health::Unsteady => None,
                };
                // Of several pages the slowest may be the one that is pressed on, and the one
                // that is well is the one that is looked at.
                peer = Some(match peer {
                    None => Peer { who: seat, lag, dark_since },
                    Some(other) => Peer {
                        who: seat,
                        lag: if lag.horizon() > other.lag.horizon() { lag } else { other.lag },
                        dark_since: other.dark_since.zip(dark_since).map(|(a, b)| a.min(b)),
                    },
                });
            }
            peers.extend(peer);
        }
        peers
    }

    /// Whether it matters who pressed first.
    pub(super) fn is_race(&self) -> bool {
        match &self.kept.course {
            Course::Playing(room) => self.shared.tuning.fair_order && room.is_race(),
            Course::Gathering { .. } | Course::Over(..) => false,
        }
    }

    /// What somebody's word on when they pressed is worth.
    fn judge(&self, told: &Told) -> Claim {
        let Deed { pressed, arrived, .. } = told.deed;
        let client = self.clients.iter().find(|client| client.conn == told.conn);
        let lag = client.map(|client| client.line.lag()).unwrap_or_default();
        let claim = Claim::judge(arrived, pressed, lag, &self.shared.tuning);
        if claim.fit() == Fit::TooEarly
            && let Some(client) = client
        {
            client.line.put_right();
        }
        claim
    }

    /// Does the first of those that wait, or the one that a photo finish puts before it.
    async fn turn(&mut self, finish: Option<Finish>, now: Stamp) {
        let first = self.order.waiting().first().map(|play| play.who);
        let place = finish.map_or(0, |finish| finish.place);
        let Some(play) = self.order.remove(place) else { return };
        let photo = finish.zip(first).map(|(finish, second)| PhotoFinish {
            first: play.who,
            second,
            within_ms: finish.within.as_millis() as u32,
        });
        let hold = play.claim.arrived.until(now);
        let placed = Placed { claim: play.claim, press: play.press, hold, finish, photo };
        // Whoever has given their seat up meanwhile plays no more.
        let seat = self.sits(play.item.person.id);
        self.act(seat, play.item, placed).await;
    }

    /// Whether another play could just as well have come before the first, and would have cost
    /// fewer lives.
    fn photo(&self, peers: &[Peer<Seat>]) -> Option<Finish> {
        let Course::Playing(room) = &self.kept.course else { return None };
        let at = self.now().max(room.at());
        photo_finish(&self.order, peers, |one, other| {
            let deeds = [one, other].map(|play| (play.who, play.item.deed.command));
            // What is not a play, or was made on another level's table, stays where it is.
            let plays = [one, other].into_iter().all(|play| {
                let (viewer, seq) = (Viewer::Seat(play.who), play.item.deed.seq);
                room.is_play(&play.item.deed.command) && seq >= room.fresh_from(viewer)
            });
            if plays { room.cost(at, &deeds) } else { 0 }
        })
    }
}
