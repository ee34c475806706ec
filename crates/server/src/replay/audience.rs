//! The people who watch one replay together: who leads, who follows, and where they are.

use std::sync::Arc;

use wire::{AudienceRequest, GameId, Member, Playback, Refusal, ServerMessage};

use crate::chat;
use crate::outbox::{Outbox, written};
use crate::shared_link::{MeasuredOften, SharedLink};
use crate::tables::Shared;
use table::fair::{Stamp, lead};
use table::{Answers, ConnId, Heard, Person, Refused, Ticket, plain_text};

/// The most people in one audience. Each member is sent the list of all others, so it is limited.
const MEMBERS_MOST: usize = 64;

/// A page that looks at the game, and the way to it.
pub(crate) struct Attendant {
    pub(crate) conn: ConnId,
    pub(crate) person: Person,
    pub(crate) outbox: Outbox,
    pub(crate) link: Arc<SharedLink>,
    /// Its link is measured every second while it is there.
    pub(crate) _often: MeasuredOften,
}

/// The people who watch a replay together. Nothing of it is stored.
pub(super) struct Audience {
    game: GameId,
    /// In the order in which they came.
    members: Vec<AudienceMember>,
    numbered: u32,
    led: Option<Lead>,
    answers: Answers,
}

struct AudienceMember {
    number: u32,
    follows: bool,
    who: Attendant,
}

/// Where the leader is, and since when.
#[derive(Clone, Copy)]
struct Lead {
    by: u32,
    playback: Playback,
    show_at: Stamp,
}

impl Audience {
    pub(super) fn new(game: GameId) -> Self {
        let (members, answers) = (Vec::new(), Answers::default());
        Self { game, members, numbered: 0, led: None, answers }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Adds a person, who follows from now on. A page that is there already keeps its number.
    pub(super) fn attend(&mut self, who: Attendant, id: u32) -> Result<(), Refused> {
        let conn = who.conn;
        if self.place(conn).is_none() {
            if self.members.len() >= MEMBERS_MOST {
                let text = format!(
                    "{MEMBERS_MOST} watch this game together, which is the most; try again later"
                );
                let most = MEMBERS_MOST.try_into().unwrap_or(u32::MAX);
                return Err(Refused::new(Refusal::AudienceFull { most }, text));
            }
            self.numbered += 1;
            self.members.push(AudienceMember { number: self.numbered, follows: true, who });
        }
        self.tell(Some((conn, id)));
        Ok(())
    }

    /// Removes a person; the lead passes on.
    pub(super) fn depart(&mut self, conn: ConnId) {
        let Some(place) = self.place(conn) else { return };
        let gone = self.members.remove(place).number;
        self.pass_on_from(gone);
        self.tell(None);
    }

    /// Does what a member wants, unless it was done before.
    pub(super) fn ask_audience(
        &mut self,
        shared: &Shared,
        conn: ConnId,
        ticket: Ticket,
        request: AudienceRequest,
    ) -> Result<(), Refused> {
        let place = self.place(conn).ok_or_else(not_attending)?;
        let person = self.members[place].who.person.id;
        match self.answers.heard(person, ticket) {
            Heard::New => {}
            Heard::Repeated => {
                self.tell_one(place, Some(ticket.id));
                return Ok(());
            }
            Heard::Reused => {
                let text = "that number was used for another message, count on";
                return Err(Refused::new(Refusal::IdReused, text));
            }
        }
        self.make(shared, place, request)?;
        self.answers.done(person, ticket);
        self.tell(Some((conn, ticket.id)));
        Ok(())
    }

    fn make(
        &mut self,
        shared: &Shared,
        place: usize,
        request: AudienceRequest,
    ) -> Result<(), Refused> {
        let number = self.members[place].number;
        match request {
            AudienceRequest::Lead(playback) => {
                if self.led.is_some_and(|led| led.by != number) {
                    let text = "another person leads, ask them to hand it over";
                    return Err(Refused::new(Refusal::Led, text));
                }
                self.members[place].follows = true;
                let show_at = self.show_at(shared);
                self.led = Some(Lead { by: number, playback, show_at });
            }
            AudienceRequest::PassLead(to) => {
                let led = self.leading(number)?;
                let member = self.members.iter_mut().find(|member| member.number == to);
                let text = "they have gone, choose another person";
                let member = member.ok_or_else(|| Refused::new(Refusal::NoMember, text))?;
                member.follows = true;
                self.led = Some(Lead { by: to, ..led });
            }
            AudienceRequest::Release => {
                self.leading(number)?;
                self.led = None;
            }
            AudienceRequest::Follow => self.members[place].follows = true,
            AudienceRequest::Unfollow => {
                self.members[place].follows = false;
                self.pass_on_from(number);
            }
            AudienceRequest::Remark(text) => self.remark(shared, place, &text)?,
        }
        Ok(())
    }

    /// What a leader needs; the error says that they are none.
    fn leading(&self, number: u32) -> Result<Lead, Refused> {
        let text = "only the person who leads does that, take the lead first";
        let led = self.led.filter(|led| led.by == number);
        led.ok_or_else(|| Refused::new(Refusal::NotLeading, text))
    }

    /// Passes the lead of a person who has gone to the person who has followed longest.
    fn pass_on_from(&mut self, number: u32) {
        let Some(led) = self.led.filter(|led| led.by == number) else { return };
        let next = self.members.iter().find(|member| member.follows);
        self.led = next.map(|member| Lead { by: member.number, ..led });
    }

    /// When all followers can be at the leader's position. It never goes back.
    fn show_at(&self, shared: &Shared) -> Stamp {
        let now = shared.stamp();
        let followers = self.members.iter().filter(|member| member.follows);
        let lags = followers.map(|member| member.who.link.lag());
        let then = now.after(lead(lags, &shared.tuning));
        self.led.map_or(then, |led| led.show_at.max(then))
    }

    fn remark(&self, shared: &Shared, place: usize, text: &str) -> Result<(), Refused> {
        let person = &self.members[place].who.person;
        let text = plain_text(text, shared.limits.messages.chat_chars_most)?;
        chat::count(shared, person.id)?;
        let (name, text) = (person.name.clone(), text.into_owned());
        let said = written(&ServerMessage::Remark { game: self.game, name, text });
        for member in &self.members {
            member.who.outbox.send(said.clone());
        }
        Ok(())
    }

    fn place(&self, conn: ConnId) -> Option<usize> {
        self.members.iter().position(|member| member.who.conn == conn)
    }

    /// Sends the audience to all members; the sender's has the number of the message that it answers.
    fn tell(&self, answered: Option<(ConnId, u32)>) {
        for (place, member) in self.members.iter().enumerate() {
            let ack = answered.filter(|(conn, _)| *conn == member.who.conn).map(|(_, id)| id);
            self.tell_one(place, ack);
        }
    }

    fn tell_one(&self, place: usize, ack: Option<u32>) {
        let members = self.members.iter().enumerate().map(|(other, member)| Member {
            number: member.number,
            name: member.who.person.name.clone(),
            follows: member.follows,
            you: other == place,
        });
        self.members[place].who.outbox.say(&ServerMessage::Audience {
            game: self.game,
            ack,
            members: members.collect(),
            lead: self.led.map(|led| led.by),
            playback: self.led.map(|led| led.playback),
            show_at: self.led.map_or(0.0, |led| led.show_at.to_wire()),
        });
    }
}

pub(super) fn not_attending() -> Refused {
    Refused::new(Refusal::NotAttending, "look at the game first")
}

#[cfg(test)]
mod tests {
    use table::PersonId;
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    fn attendant(number: usize, outbox: &Outbox) -> Attendant {
        let id = PersonId::from_hash([1; 32]);
        let person = Person { id, name: "Ada".parse().unwrap(), mark: None, lends_tempo: false };
        let link = Arc::new(SharedLink::default());
        let (conn, outbox) = (ConnId(number as u64), outbox.clone());
        Attendant { conn, person, outbox, _often: link.measure_often(), link }
    }

    #[tokio::test]
    async fn an_audience_has_a_limit_and_a_member_who_leaves_makes_room() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let outbox = Outbox::new(stream.into_split().1, 1);
        let mut audience = Audience::new("k3f9ab-1".parse().unwrap());
        for number in 0..MEMBERS_MOST {
            audience.attend(attendant(number, &outbox), 1).unwrap();
        }
        let next = |audience: &mut Audience| {
            let attended = audience.attend(attendant(MEMBERS_MOST, &outbox), 1);
            attended.map_err(|refused| refused.why.code())
        };
        assert_eq!(next(&mut audience), Err("audience-full"));
        let again = audience.attend(attendant(0, &outbox), 2);
        assert_eq!(again, Ok(()), "a member who is there already is not refused");
        audience.depart(ConnId(0));
        assert_eq!(next(&mut audience), Ok(()));
        assert_eq!(next(&mut audience), Ok(()), "it has its place by now");
    }
}
