//! Checks of the table after every input.

use rules::kit::Seats;
use table::fair::Stamp;
use table::{Message, PersonId};
use wire::{Request, Sitter};

use crate::violation::{Checked, hold};
use crate::world::World;

/// Messages that the table was handed and has not answered.
#[derive(Default)]
pub(crate) struct Outstanding {
    list: Vec<Handed>,
}

struct Handed {
    page: usize,
    id: u32,
    conn: usize,
    at: Stamp,
    is_move: bool,
    /// Whether the answer may need a lookup outside the table.
    may_wait: bool,
}

impl Outstanding {
    pub(crate) fn handed(
        &mut self,
        page: usize,
        id: u32,
        conn: usize,
        at: Stamp,
        message: &Message,
    ) {
        let is_move = matches!(message, Message::Do { .. });
        let may_wait = matches!(
            message,
            Message::Ask(Request::Start | Request::Rematch | Request::AddGhost { .. })
        );
        match self.list.iter_mut().find(|handed| handed.page == page && handed.id == id) {
            // The first one keeps its place and is answered over the newest connection.
            Some(handed) => handed.conn = handed.conn.max(conn),
            None => self.list.push(Handed { page, id, conn, at, is_move, may_wait }),
        }
    }

    pub(crate) fn answered(&mut self, page: usize, id: u32) {
        self.list.retain(|handed| handed.page != page || handed.id != id);
    }

    /// A connection has left: its messages need no answer.
    pub(crate) fn left(&mut self, conn: usize) {
        self.list.retain(|handed| handed.conn != conn);
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }
}

/// The state before an input.
pub(crate) struct Before {
    pub(crate) backlog: usize,
}

/// The table without fields that change all the time and are sent only with the next change.
pub(crate) fn settled(mut table: wire::Table) -> wire::Table {
    for chair in &mut table.chairs {
        if let Sitter::Person { quality: Some(quality), .. } = &mut chair.sitter {
            (quality.trip_ms, quality.spread_ms) = (0, 0);
        }
    }
    table
}

/// How the table differs from what a page was sent, if it does. The first measurement of a
/// connection is left out: it is sent with the next change.
fn news(known: &wire::Table, table: &wire::Table) -> Option<String> {
    let mut known = known.clone();
    for (chair, now) in known.chairs.iter_mut().zip(&table.chairs) {
        if let (Sitter::Person { quality: known @ None, .. }, Sitter::Person { quality: now, .. }) =
            (&mut chair.sitter, &now.sitter)
        {
            *known = *now;
        }
    }
    if known == *table {
        return None;
    }
    let chairs = known.chairs.iter().zip(&table.chairs);
    let chair = chairs.into_iter().find(|(one, other)| one != other);
    let stages = (&known.stage, &table.stage);
    Some(match chair {
        Some((known, now)) => format!("{now:?}, it knows {known:?}"),
        None if stages.0 != stages.1 => format!("{:?}, it knows {:?}", stages.1, stages.0),
        None => format!("{table:?}, it knows {known:?}"),
    })
}

impl World {
    pub(crate) fn before(&self) -> Before {
        let backlog = self.server.table.as_ref().map_or(0, |table| table.probe().backlog);
        Before { backlog }
    }

    /// What has to hold when the table has nothing more to do.
    pub(crate) fn check_rest(&mut self, _: Before, wake_at: Option<Stamp>) -> Checked {
        let Some(table) = &self.server.table else { return Ok(()) };
        if !table.is_ready() {
            hold!(wake_at.is_none(), Contract, "the table wants to be woken while it writes");
            return Ok(());
        }
        let probe = table.probe();
        hold!(probe.backlog == 0, Bounds, "{} inputs wait for nothing", probe.backlog);
        hold!(probe.presses <= 128, Bounds, "{} presses wait", probe.presses);
        hold!(!self.is_closing(), Liveness, "the table was closed and does not sleep");
        self.check_people(&probe.table)?;
        self.check_pause(&probe.table)?;
        let table = settled(probe.table);
        for conn in &mut self.conns {
            (conn.left, conn.was_here) = (!conn.joined, conn.joined);
            conn.has_joined = false;
            if !conn.joined {
                conn.unanswered = 0;
                continue;
            }
            conn.sent.rest();
            hold!(conn.unanswered == 0, Contract, "{} joins are not answered", conn.unanswered);
            let known = conn.sent.table.as_ref();
            let news =
                known.map_or_else(|| Some("nothing".to_owned()), |known| news(known, &table));
            hold!(
                news.is_none(),
                Sent,
                "a page was not sent a change: {}",
                news.unwrap_or_default()
            );
            if let Some(shown) = conn.sent.shown
                && self.server.reference.is_open()
                && let Some(game) = self.server.reference.game_mut()
            {
                let expected = game.expected(shown.viewer);
                let differ = expected.options != expected.waiting;
                let stale = differ && shown.waiting == probe.is_on;
                hold!(
                    !stale,
                    Sent,
                    "{} is offered what does not hold any more: is on {}",
                    shown.viewer,
                    probe.is_on
                );
            }
        }
        self.check_outstanding(wake_at)
    }

    /// The table sends as present exactly the people who joined.
    fn check_people(&self, table: &wire::Table) -> Checked {
        let seating = &self.server.reference.seating;
        let is_here = |id: PersonId| {
            let mut joined = (0..self.conns.len()).filter(|conn| self.conns[*conn].joined);
            joined.any(|conn| self.human(conn).person.id == id)
        };
        let joined = (0..self.conns.len()).filter(|conn| self.conns[*conn].joined);
        let spectators =
            joined.filter(|conn| seating.seat_of(self.human(*conn).person.id).is_none());
        let spectators = spectators.count() as u32;
        hold!(
            table.spectator_count == spectators,
            Sent,
            "{} watch, not {spectators}",
            table.spectator_count
        );
        let mut missing = Seats::NONE;
        for (seat, id) in seating.people() {
            let Some(Sitter::Person { here, held, name, .. }) =
                table.chairs.get(seat.index()).map(|chair| &chair.sitter)
            else {
                hold!(false, Sent, "no person is sent at {seat}");
                continue;
            };
            hold!(*here == is_here(id), Sent, "whether {seat} is here is sent wrongly: {here}");
            let is_named = !self.server.forgotten.contains(&id) || name.as_str() == "someone";
            hold!(is_named, Sent, "the name of a deleted person is sent: {name}");
            if !here && !held {
                missing = missing.with(seat);
            }
        }
        match &table.stage {
            wire::Stage::Gathering | wire::Stage::Over { .. } => {}
            wire::Stage::Playing { missing: sent, hold, end, .. } => {
                hold!(*sent == missing, Sent, "{sent} are sent as missing, not {missing}");
                let present = seating.seats_of(is_here);
                let vote = hold.iter().chain(end.iter()).all(|seat| present.contains(seat));
                hold!(vote, Sent, "a person who is not here votes");
            }
        }
        Ok(())
    }

    /// Whether there is a player whose connection state is unknown.
    fn is_dark(&self) -> bool {
        self.server.reference.seating.people().any(|(_, id)| {
            let joined = (0..self.conns.len()).filter(|conn| self.conns[*conn].joined);
            let mut own = joined.filter(|conn| self.human(*conn).person.id == id).peekable();
            own.peek().is_some()
                && own.all(|conn| self.conns[conn].measured.sent.dark_since().is_some())
        })
    }

    /// Every message is answered at once, except for moves that wait for their turn and requests
    /// that need a lookup.
    fn check_outstanding(&self, wake_at: Option<Stamp>) -> Checked {
        let hold_max = self.server.settings.tuning.hold_max;
        for handed in &self.outstanding.list {
            let content = &self.pages[handed.page].letters[handed.id as usize].content;
            if handed.is_move {
                let latest = handed.at.after(hold_max);
                let is_held = latest < self.now || wake_at.is_none_or(|at| at > latest);
                hold!(
                    !is_held || self.is_dark(),
                    Order,
                    "{content:?} of page {} is held longer than {hold_max:?}: since {:?}, woken {wake_at:?}",
                    handed.page,
                    handed.at
                );
            } else {
                let waits = handed.may_wait && self.lookups() > 0;
                hold!(waits, Liveness, "{content:?} of page {} is not answered", handed.page);
            }
        }
        Ok(())
    }
}
