//! Connections: what they carry, and what the server measures of them.

use std::time::Duration;

use table::fair::{Claim, Link, Ping, Stamp};
use table::{ConnId, Input, LinkState, Message, Origin, Table, Ticket};

use crate::faults::Fault;
use crate::game::Shown;
use crate::network::Network;
use crate::people::{Content, Human};
use crate::sent::Sent;
use crate::violation::Checked;
use crate::world::{Event, World, ms};

/// What a page sends.
#[derive(Debug)]
pub(crate) enum Up {
    Join,
    Leave,
    Message { id: u32, ticket: Ticket, seq: u64, claimed: Stamp, content: Content },
    Away(Option<Stamp>),
    Pong(Ping),
}

/// What a page receives.
#[derive(Debug)]
pub(crate) enum Down {
    Update { ack: Option<u32>, shown: Option<Shown>, show_at: Stamp },
    Refused(u32),
    Said(u32),
    Bye,
    Ping(Ping),
}

/// A connection.
#[allow(clippy::struct_excessive_bools, reason = "both ends and the table know different things")]
pub(crate) struct Conn {
    pub(crate) page: usize,
    pub(crate) network: Network,
    /// Whether the page still has it.
    pub(crate) client_open: bool,
    /// Whether the server still has it.
    pub(crate) server_open: bool,
    /// Whether it looks at the table, as far as the table was told.
    pub(crate) joined: bool,
    /// How many joins the table has not answered.
    pub(crate) unanswered: u32,
    /// Whether the table has taken in that it left.
    pub(crate) left: bool,
    /// Whether it looked at the table when that last had nothing to do.
    pub(crate) was_here: bool,
    /// Whether it has joined since then, also if it has left again.
    pub(crate) has_joined: bool,
    pub(crate) measured: Measured,
    pub(crate) sent: Sent,
}

/// What the server measures of a connection.
pub(crate) struct Measured {
    pub(crate) link: Link,
    pub(crate) sent: LinkState,
    pub(crate) hidden_since: Option<Stamp>,
    pub(crate) often: bool,
    pub(crate) pings: u32,
}

impl World {
    /// Something arrives at the server.
    pub(crate) fn arrive(&mut self, place: usize, up: Up) -> Checked {
        if !self.conns[place].server_open {
            return Ok(());
        }
        let id = ConnId(place as u64);
        match up {
            Up::Join => {
                if self.server.table.is_none() {
                    self.wake()?;
                }
                if !self.conns[place].server_open {
                    return Ok(());
                }
                let person = self.human(place).person.clone();
                if self.server.forgotten.contains(&person.id) {
                    return Ok(());
                }
                let link = self.link_state(place);
                let conn = &mut self.conns[place];
                conn.measured.sent = link;
                (conn.joined, conn.has_joined, conn.left) = (true, true, false);
                conn.unanswered += 1;
                if conn.measured.pings == 0 {
                    conn.measured.pings = 1;
                    self.agenda.add(self.now, Event::Ping(place, 1));
                }
                let by = self.server.code;
                self.hand(Input::Joined { conn: id, person, by, from: Origin(id.0), link })?;
            }
            Up::Leave => {
                if self.conns[place].joined {
                    self.leave(place, self.now)?;
                }
            }
            Up::Message { id: number, ticket, seq, claimed, content } => {
                if !self.conns[place].joined {
                    return Ok(());
                }
                let lag = self.conns[place].measured.link.lag();
                let claim = Claim::judge(self.now, claimed, lag, &self.server.settings.tuning);
                let page = self.conns[place].page;
                let message = match content {
                    Content::Do(command) => {
                        let person = self.human(place).person.id;
                        self.presses.handed((person, ticket.client, number), claim);
                        Message::Do { seq, claim, command }
                    }
                    Content::Ask(request) => Message::Ask(request),
                    Content::Say(text) => Message::Say(text),
                };
                self.outstanding.handed(page, number, place, self.now, &message);
                self.pages[page].handed(number);
                self.hand(Input::Message { conn: id, ticket, message })?;
            }
            Up::Away(since) => {
                self.conns[place].measured.hidden_since = since.map(|since| since.min(self.now));
                self.measure(place)?;
            }
            Up::Pong(ping) => {
                self.conns[place].measured.link.ponged(ping, self.now);
                self.measure(place)?;
            }
        }
        Ok(())
    }

    pub(crate) fn human(&self, conn: usize) -> &Human {
        &self.humans[self.pages[self.conns[conn].page].human]
    }

    pub(crate) fn link_state(&self, conn: usize) -> LinkState {
        let Measured { link, hidden_since, .. } = &self.conns[conn].measured;
        LinkState::of(link, *hidden_since, self.now, &self.server.settings.tuning)
    }

    /// Tells the table of a connection's measurements if they changed.
    pub(crate) fn measure(&mut self, place: usize) -> Checked {
        let state = self.link_state(place);
        let conn = &mut self.conns[place];
        if conn.joined && self.server.table.is_some() && state.is_news(&conn.measured.sent) {
            // While the journal writes, the level may be over before the table hears of it.
            let is_ready = self.server.table.as_ref().is_some_and(Table::is_ready);
            let was_well = is_ready && self.is_level() && !self.is_troubled(place);
            self.conns[place].measured.sent = state;
            if was_well && self.is_troubled(place) {
                self.presses.expect_pause();
            }
            self.hand(Input::Linked { conn: ConnId(place as u64), link: state })?;
        }
        Ok(())
    }

    pub(crate) fn ping(&mut self, place: usize, number: u32) {
        let conn = &mut self.conns[place];
        if !conn.server_open || conn.measured.pings != number {
            return;
        }
        let ping = conn.measured.link.pinged(self.now);
        let trips = conn.measured.link.lag().trips;
        let wait = match (conn.measured.often, trips) {
            (true, 0..6) => ms(150),
            (true, _) => self.server.settings.tuning.ping_every,
            (false, _) => ms(20_000),
        };
        let at = conn.network.down(self.now, &mut self.chance);
        self.agenda.add(at, Event::Down(place, Down::Ping(ping)));
        self.agenda.add(self.now.after(wait), Event::Ping(place, number));
        self.expect_late(place);
    }

    /// Looks again when the first ping without an answer is late, and when it is silent.
    pub(crate) fn expect_late(&mut self, place: usize) {
        let link = &self.conns[place].measured.link;
        let Some(since) = link.unanswered_since() else { return };
        let lag = link.lag();
        let late = since.after(lag.trip + lag.spread * 4 + ms(100) + Duration::from_micros(1));
        let silent = since.after(self.server.settings.tuning.silent_after);
        let times = [(lag.trips > 0).then_some(late), Some(silent)];
        if let Some(at) = times.into_iter().flatten().filter(|at| *at > self.now).min() {
            self.agenda.add(at, Event::Late(place));
        }
    }

    /// A connection leaves the table, because it closed or joined another one.
    pub(crate) fn leave(&mut self, place: usize, seen_until: Stamp) -> Checked {
        let conn = &mut self.conns[place];
        conn.joined = false;
        conn.sent.leave();
        self.outstanding.left(place);
        self.hand(Input::Left { conn: ConnId(place as u64), seen_until })
    }

    /// The server notices that a connection is broken.
    pub(crate) fn lose(&mut self, place: usize) -> Checked {
        let conn = &mut self.conns[place];
        if !conn.server_open {
            return Ok(());
        }
        conn.server_open = false;
        if conn.joined && self.server.table.is_some() {
            let seen_until = conn.measured.link.unanswered_since().unwrap_or(self.now);
            self.leave(place, seen_until)?;
        }
        Ok(())
    }

    pub(crate) fn deliver(&mut self, place: usize, down: Down) {
        let conn = &mut self.conns[place];
        if conn.client_open {
            let at = conn.network.down(self.now, &mut self.chance);
            self.agenda.add(at, Event::Down(place, down));
        }
    }

    /// The page's end of a connection is gone.
    pub(crate) fn break_up(&mut self, place: usize) {
        self.conns[place].client_open = false;
    }

    /// Sends something from a page.
    pub(crate) fn send(&mut self, place: usize, up: Up) {
        let conn = &mut self.conns[place];
        let at = conn.network.up(self.now, &mut self.chance);
        self.agenda.add(at, Event::Up(place, up));
    }

    /// A new connection of a page.
    pub(crate) fn new_conn(&mut self, page: usize) -> usize {
        let network =
            if self.has(Fault::Latency) { Network::any(&mut self.chance) } else { Network::well() };
        self.conns.push(Conn {
            page,
            network,
            client_open: true,
            server_open: true,
            joined: false,
            unanswered: 0,
            left: false,
            was_here: false,
            has_joined: false,
            measured: Measured {
                link: Link::default(),
                sent: LinkState::default(),
                hidden_since: None,
                often: false,
                pings: 0,
            },
            sent: Sent::default(),
        });
        self.conns.len() - 1
    }
}
