//! What players pressed, waiting for its turn.

use std::time::Duration;

use rules::kit::{Seat, Viewer};
use wire::{Command, PhotoFinish, Refusal};

use crate::any_match::AnyMatch;
use crate::entry::{Fair, Ticket};
use crate::fair::{Claim, Finish, Order, Peer, Stamp, Tuning, Waiting};
use crate::person::PersonId;
use crate::presence::ConnId;
use crate::refused::Refused;

/// How much may wait at one table: far more than players press in the time.
const WAITING_MOST: usize = 128;

/// A move as its player pressed it.
#[derive(Clone, Debug)]
pub(crate) struct Press {
    /// Where to answer.
    pub(crate) conn: ConnId,
    pub(crate) person: PersonId,
    pub(crate) ticket: Ticket,
    /// The `seq` that the player was looking at.
    pub(crate) seq: u64,
    pub(crate) command: Command,
}

impl Press {
    /// Whether both are the same message, over any connection.
    fn is_same(&self, other: &Self) -> bool {
        self.person == other.person && self.ticket == other.ticket
    }
}

/// A press whose turn has come, and how its place was found.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) press: Press,
    pub(crate) claim: Claim,
    /// When it counts as pressed.
    pub(crate) at: Stamp,
    /// How long it was held for others.
    hold: Duration,
    finish: Option<Finish>,
    /// What the table says of a photo finish.
    pub(crate) photo: Option<PhotoFinish>,
}

impl Turn {
    /// A press that is taken as it arrives.
    pub(crate) fn at_once(press: Press, claim: Claim) -> Self {
        let (at, hold) = (claim.arrived, Duration::ZERO);
        Self { press, claim, at, hold, finish: None, photo: None }
    }

    fn of(waiting: Waiting<Seat, Press>, now: Stamp, photo: Option<(Finish, Seat)>) -> Self {
        let Waiting { who, claim, press: at, item } = waiting;
        Self {
            press: item,
            claim,
            at,
            hold: claim.arrived.until(now),
            finish: photo.map(|(finish, _)| finish),
            photo: photo.map(|(finish, second)| PhotoFinish {
                first: who,
                second,
                within_ms: finish.within.as_millis() as u32,
            }),
        }
    }

    /// The usual round trip of its connection.
    pub(crate) fn trip(&self) -> Duration {
        self.claim.usual * 2
    }

    /// How the place was found, as the journal has it. `moment` turns the server's time into the
    /// game's, `place` is the number of events before it.
    pub(crate) fn fair(&self, moment: impl Fn(Stamp) -> rules::kit::Moment, place: u64) -> Fair {
        Fair {
            claim: moment(self.claim.claimed),
            bound: self.claim.bound.as_micros() as u64,
            hold: self.hold.as_micros() as u64,
            place,
            photo: self.finish.map(|finish| finish.within.as_micros() as u64),
            trip: None,
        }
    }
}

/// The presses that wait for their turn.
#[derive(Default)]
pub(crate) struct Presses {
    order: Order<Seat, Press>,
}

impl Presses {
    pub(crate) fn is_empty(&self) -> bool {
        self.order.waiting().is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.order.waiting().len()
    }

    /// Whether this press waits here, over this connection or another.
    pub(crate) fn holds(&self, press: &Press) -> bool {
        self.order.waiting().iter().any(|waiting| waiting.item.is_same(press))
    }

    /// Takes a press in. One that came before over another connection stays where it is, and is
    /// answered over the newer one, whichever of the two copies was here first.
    pub(crate) fn take(&mut self, seat: Seat, claim: Claim, press: Press) -> Result<(), Refused> {
        let mut waiting = self.order.waiting_mut().iter_mut().map(|waiting| &mut waiting.item);
        let again = waiting.find(|other| other.is_same(&press));
        if let Some(other) = again {
            other.conn = other.conn.max(press.conn);
            return Ok(());
        }
        if self.order.waiting().len() >= WAITING_MOST {
            return Err(Refused::new(
                Refusal::Crowded,
                "too much waits for its turn here, try again",
            ));
        }
        self.order.take(seat, claim, press);
        Ok(())
    }

    /// When the next press has its turn; `None` if nothing waits, or only for a player of whom it
    /// is unknown whether they see the table.
    pub(crate) fn due_at(
        &self,
        peers: &[Peer<Seat>],
        tuning: &Tuning,
        photo: bool,
    ) -> Option<Stamp> {
        self.order.next_at(peers, tuning, photo)
    }

    /// The press that has its turn now, in the fair order; where the table has photo finishes, one
    /// that is too close to the first to tell apart is taken before it if that saves lives.
    pub(crate) fn release(
        &mut self,
        now: Stamp,
        peers: &[Peer<Seat>],
        tuning: &Tuning,
        photo: Option<(&dyn AnyMatch, rules::kit::Moment)>,
    ) -> Option<Turn> {
        let released = match photo {
            None => self.order.release(now, peers, tuning, None),
            Some((live, at)) => {
                let mut cost = |one: &Waiting<Seat, Press>, other: &Waiting<Seat, Press>| {
                    let pair = [one, other];
                    // What is not a play, or was made on another level's table, stays in its place.
                    let are_plays = pair.iter().all(|waiting| {
                        let press = &waiting.item;
                        live.is_play(&press.command)
                            && press.seq >= live.fresh_from(Viewer::Seat(waiting.who))
                    });
                    let plays = pair.map(|waiting| (waiting.who, waiting.item.command));
                    if are_plays { live.cost(at, &plays) } else { 0 }
                };
                self.order.release(now, peers, tuning, Some(&mut cost))
            }
        };
        released.map(|released| Turn::of(released.play, now, released.photo))
    }

    /// The first press if it was made before `since`, whether its turn has come or not.
    pub(crate) fn release_before(&mut self, since: Stamp, now: Stamp) -> Option<Turn> {
        self.order.release_before(since).map(|waiting| Turn::of(waiting, now, None))
    }

    /// Takes all out.
    pub(crate) fn drain(&mut self) -> Vec<Press> {
        self.order.drain().into_iter().map(|waiting| waiting.item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a broken connection still carries may arrive after it was sent again over a new one.
    #[test]
    fn a_repeated_press_waits_once_and_is_answered_over_the_newest_connection() {
        let (mut presses, at) = (Presses::default(), Stamp::from_millis(10));
        let press = |conn: u64| Press {
            conn: ConnId(conn),
            person: PersonId::from_hash([1; 32]),
            ticket: Ticket { client: 1, id: 2, print: 3 },
            seq: 4,
            command: Command::Mind(rules::family::FocusCommand::Rest.into()),
        };
        for conn in [7, 8, 6] {
            assert_eq!(presses.take(Seat::A, Claim::here(at), press(conn)), Ok(()));
        }
        assert_eq!(presses.drain().iter().map(|press| press.conn).collect::<Vec<_>>(), [ConnId(8)]);
    }

    #[test]
    fn a_table_holds_a_bounded_number_of_presses() {
        let (mut presses, at) = (Presses::default(), Stamp::from_millis(10));
        let mut take = |id: usize| {
            let press = Press {
                conn: ConnId(1),
                person: PersonId::from_hash([1; 32]),
                ticket: Ticket { client: 1, id: id as u32, print: 3 },
                seq: 4,
                command: Command::Mind(rules::family::FocusCommand::Rest.into()),
            };
            presses.take(Seat::A, Claim::here(at), press)
        };
        assert!((0..WAITING_MOST).all(|id| take(id).is_ok()));
        assert_eq!(take(WAITING_MOST).map_err(|refused| refused.why.code()), Err("crowded"));
    }
}
