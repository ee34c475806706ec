//! Who is there, and what they have agreed to.

use std::collections::HashSet;

use rules::kit::{Seat, Seats};
use smallvec::SmallVec;

use crate::admission::Origin;
use crate::fair::{Peer, Stamp};
use crate::link::LinkState;
use crate::person::{Person, PersonId};
use crate::seating::{Occupant, Seating};
use crate::viewers::Sent;

/// A connection, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnId(pub u64);

/// A connection that looks at the table.
pub(crate) struct Client {
    pub(crate) conn: ConnId,
    pub(crate) person: Person,
    /// By what the host names the person as a spectator.
    pub(crate) number: u32,
    pub(crate) from: Origin,
    pub(crate) link: LinkState,
    /// What it was sent.
    pub(crate) sent: Sent,
    /// Whether its link is measured every second.
    pub(crate) pinged_often: bool,
}

/// The connections that look at the table.
#[derive(Default)]
pub(crate) struct Presence {
    clients: Vec<Client>,
    /// The last number that was given to a person.
    numbers: u32,
    version: u64,
}

/// Everyone whose presses matter. Few, so that they stay on the stack.
pub(crate) type Peers = SmallVec<[Peer<Seat>; Seat::MOST]>;

impl Presence {
    pub(crate) fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// The clients, so that what they were sent can be noted. Who they are does not change by it.
    pub(crate) fn clients_mut(&mut self) -> &mut [Client] {
        &mut self.clients
    }

    /// Grows whenever viewers have to be told of the connections again.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    pub(crate) fn get(&self, conn: ConnId) -> Option<&Client> {
        self.clients.iter().find(|client| client.conn == conn)
    }

    pub(crate) fn is_here(&self, person: PersonId) -> bool {
        self.clients.iter().any(|client| client.person.id == person)
    }

    /// Takes a connection in. One that is there already only wants to be told everything again,
    /// which the others do not notice.
    pub(crate) fn join(
        &mut self,
        conn: ConnId,
        person: Person,
        from: Origin,
        link: LinkState,
        seating: &Seating,
    ) {
        if let Some(client) = self.clients.iter_mut().find(|client| client.conn == conn) {
            client.sent = client.sent.again();
            client.link = link;
            return;
        }
        self.count_page(person.id, seating);
        let same = self.clients.iter().find(|client| client.person.id == person.id);
        let number = same.map_or(self.numbers + 1, |client| client.number);
        self.numbers = self.numbers.max(number);
        let (sent, pinged_often) = (Sent::default(), false);
        self.clients.push(Client { conn, person, number, from, link, sent, pinged_often });
    }

    /// Lets a connection go.
    pub(crate) fn leave(&mut self, conn: ConnId, seating: &Seating) {
        if let Some(place) = self.clients.iter().position(|client| client.conn == conn) {
            let person = self.clients.remove(place).person.id;
            self.count_page(person, seating);
        }
    }

    /// A page is opened or closed beside those that are there. Viewers notice it unless it is one
    /// of several of a player.
    fn count_page(&mut self, person: PersonId, seating: &Seating) {
        if !self.is_here(person) || seating.seat_of(person).is_none() {
            self.version += 1;
        }
    }

    /// The word for a person's connection.
    pub(crate) fn grade(&self, person: PersonId) -> Option<wire::Grade> {
        self.quality(person).map(|quality| quality.grade)
    }

    /// Lets all connections of a person go.
    pub(crate) fn forget(&mut self, person: PersonId) {
        let before = self.clients.len();
        self.clients.retain(|client| client.person.id != person);
        self.version += u64::from(self.clients.len() < before);
    }

    /// The state of a link has changed.
    pub(crate) fn linked(&mut self, conn: ConnId, link: LinkState) {
        if let Some(client) = self.clients.iter_mut().find(|client| client.conn == conn) {
            client.link = link;
        }
    }

    /// What viewers are told of the connections has changed.
    pub(crate) fn touch(&mut self) {
        self.version += 1;
    }

    /// Players who should be there and are not.
    pub(crate) fn missing(&self, seating: &Seating) -> Seats {
        let missing = seating.iter().filter(|(_, occupant)| match occupant {
            Occupant::Person { id, held, .. } => !held && !self.is_here(*id),
            Occupant::Empty | Occupant::Bot(_) | Occupant::Ghost(_) => false,
        });
        missing.map(|(seat, _)| seat).collect()
    }

    /// Players who are there.
    pub(crate) fn present(&self, seating: &Seating) -> Seats {
        seating.seats_of(|id| self.is_here(id))
    }

    /// How many people watch without a seat, each connection counted.
    pub(crate) fn spectators(&self, seating: &Seating) -> usize {
        self.clients.iter().filter(|client| seating.seat_of(client.person.id).is_none()).count()
    }

    /// How many of them come from there.
    pub(crate) fn spectators_from(&self, from: Origin, seating: &Seating) -> usize {
        let clients = self.clients.iter().filter(|client| client.from == from);
        clients.filter(|client| seating.seat_of(client.person.id).is_none()).count()
    }

    /// Every person who watches without a seat, the first page of each.
    pub(crate) fn watching<'a>(&'a self, seating: &'a Seating) -> impl Iterator<Item = &'a Client> {
        let mut seen = HashSet::new();
        self.clients.iter().filter(move |client| {
            seating.seat_of(client.person.id).is_none() && seen.insert(client.person.id)
        })
    }

    /// Every player who is here, with the lag of their slowest page.
    pub(crate) fn peers(&self, seating: &Seating) -> Peers {
        let mut peers = Peers::new();
        for (seat, person) in seating.people() {
            let mut peer = None::<Peer<Seat>>;
            for client in self.clients.iter().filter(|client| client.person.id == person) {
                let (lag, dark_since) = (client.link.lag, client.link.dark_since());
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

    /// The players who are here and yet cannot see the table or be heard in time, why, and since
    /// when. One page that is well is enough.
    pub(crate) fn troubles(
        &self,
        seating: &Seating,
        now: Stamp,
    ) -> SmallVec<[(Seat, wire::Trouble, Stamp); Seat::MOST]> {
        let seats = seating.people().filter_map(|(seat, person)| {
            let mut pages = self.clients.iter().filter(|client| client.person.id == person);
            let first = pages.next()?;
            let (why, since) = first.link.trouble(now)?;
            if pages.any(|client| client.link.trouble(now).is_none()) {
                return None;
            }
            Some((seat, why, since))
        });
        seats.collect()
    }

    /// What the best of a person's connections is like.
    pub(crate) fn quality(&self, person: PersonId) -> Option<wire::Quality> {
        let pages = self.clients.iter().filter(|client| client.person.id == person);
        pages.filter_map(|client| client.link.quality()).min_by_key(|quality| quality.trip_ms)
    }
}

/// What the people at the table have said and agreed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Votes {
    /// The next game may begin.
    pub(crate) ready: Seats,
    /// Who needs a moment more than others. It is said between games alone: during a level a
    /// change of it would be a signal.
    pub(crate) unhurried: Seats,
    /// Bots hold the seats of missing players.
    pub(crate) hold: Seats,
    /// The game ends here.
    pub(crate) end: Seats,
    /// Strangers chat with each other.
    pub(crate) chat: Seats,
}

impl Votes {
    /// An agreement about a running game holds only while the same players are there.
    pub(crate) fn void(&mut self) {
        (self.hold, self.end) = (Seats::NONE, Seats::NONE);
    }

    /// Takes back what a player agreed to about a running game.
    pub(crate) fn take_back(&mut self, seat: Seat) {
        self.hold = self.hold.without(seat);
        self.end = self.end.without(seat);
    }

    /// What holds when a game begins: who needs a moment more, and who agreed to chat.
    pub(crate) fn at_start(self) -> Self {
        Self { unhurried: self.unhurried, chat: self.chat, ..Self::default() }
    }

    /// Only players whose chair is the same as before are still ready, unhurried or agree to chat,
    /// and when bots hold seats that was agreed to.
    pub(crate) fn reseated(&mut self, before: &Seating, after: &Seating) {
        if before.held() != after.held() {
            self.hold = Seats::NONE;
        }
        let same = |seat: &Seat| before.chairs.get(seat.index()) == after.chairs.get(seat.index());
        self.ready = self.ready.iter().filter(same).collect();
        self.unhurried = self.unhurried.iter().filter(same).collect();
        self.chat = self.chat.iter().filter(same).collect();
    }
}

/// Whether all of these people, of whom there is one at least, have agreed.
pub(crate) fn all_agree(agreed: Seats, people: Seats) -> bool {
    !people.is_empty() && people.iter().all(|seat| agreed.contains(seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(digit: u8) -> Person {
        let id = PersonId::from_hash([digit; 32]);
        Person { id, name: "Ada".parse().unwrap(), mark: None, lends_tempo: false }
    }

    fn seating(people: &[u8]) -> Seating {
        let mut seating = Seating::empty(people.len() as u8);
        for (chair, digit) in seating.chairs.iter_mut().zip(people) {
            let Person { id, name, .. } = person(*digit);
            *chair = Occupant::Person { id, name, mark: None, held: false };
        }
        seating
    }

    #[test]
    fn a_player_is_there_while_one_page_is_open() {
        let (seating, link) = (seating(&[1, 2]), LinkState::default());
        let mut presence = Presence::default();
        presence.join(ConnId(1), person(1), Origin(1), link, &seating);
        let before = presence.version();
        presence.join(ConnId(2), person(1), Origin(1), link, &seating);
        presence.join(ConnId(1), person(1), Origin(1), link, &seating);
        assert_eq!(presence.version(), before, "the others do not notice a second page");
        assert_eq!(presence.missing(&seating), Seats::from_iter(Seat::new(1)));
        presence.leave(ConnId(1), &seating);
        assert_eq!(presence.present(&seating), Seats::from_iter(Seat::new(0)));
        let before = presence.version();
        presence.leave(ConnId(1), &seating);
        assert_eq!(presence.version(), before, "a connection that is not there changes nothing");
        presence.leave(ConnId(2), &seating);
        assert_eq!(presence.missing(&seating).iter().count(), 2);
    }

    #[test]
    fn one_page_that_is_well_is_enough() {
        let (seating, now) = (seating(&[1]), Stamp::from_millis(5_000));
        let well = LinkState::default();
        let hidden = LinkState { hidden_since: Some(Stamp::from_millis(4_000)), ..well };
        let mut presence = Presence::default();
        presence.join(ConnId(1), person(1), Origin(1), hidden, &seating);
        assert_eq!(presence.troubles(&seating, now).len(), 1);
        presence.join(ConnId(2), person(1), Origin(1), well, &seating);
        assert_eq!(presence.troubles(&seating, now).len(), 0);
    }

    #[test]
    fn nothing_is_agreed_where_no_one_is() {
        assert!(!all_agree(Seats::NONE, Seats::NONE));
        let a = Seats::from_iter(Seat::new(0));
        assert!(all_agree(a, a) && !all_agree(Seats::NONE, a));
    }
}
