//! What people ask of a table: seats, the start, and what to do when somebody is gone.

use std::time::Instant;

use rules::kit::{Moment, Seat, Seats, Seed, Seeding};
use sha2::{Digest, Sha256};
use wire::{BotKind, Request, Setup};

use super::kept::Course;
use super::task::Task;
use super::tell::all_agree;
use crate::lesson::Lesson;
use crate::person::{Person, PersonId, hex};
use crate::record::{Asker, Happening, Occupant, Record, Seating, Ticket};
use crate::room::{self, Luck, Refused};

impl Task {
    pub(super) async fn ask(
        &mut self,
        person: &Person,
        ticket: Ticket,
        request: Request,
    ) -> Result<(), Refused> {
        let by = Asker { person: person.id, ticket };
        match request {
            Request::Sit(seat) => self.sit(person, by, seat).await,
            Request::Stand => self.stand(by).await,
            Request::Ready => {
                let seat = self.settled(person)?;
                self.ready = self.ready.with(seat);
                Ok(())
            }
            Request::Unready => {
                let seat = self.settled(person)?;
                self.ready = self.ready.without(seat);
                Ok(())
            }
            Request::Arrange(setup) => {
                self.host_only(person)?;
                self.not_playing()?;
                self.arrange(by, setup).await
            }
            Request::AddBot { seat, kind } => {
                self.host_only(person)?;
                self.not_playing()?;
                if !BotKind::of(self.kept.setup.game()).contains(&kind) {
                    let text = "that machine plays other games, choose another one";
                    return Err(refused("bot-other-game", text));
                }
                self.put(by, seat, Occupant::Nobody, Occupant::Bot(kind)).await
            }
            Request::AddGhost { seat, game, of } => {
                self.host_only(person)?;
                self.not_playing()?;
                self.add_ghost(by, seat, game, of).await
            }
            Request::RemoveBot(seat) => {
                self.host_only(person)?;
                self.not_playing()?;
                match self.kept.seating.chairs.get(seat.index()) {
                    Some(machine) if machine.is_machine() => {
                        self.put(by, seat, machine.clone(), Occupant::Nobody).await
                    }
                    _ => Err(refused("no-bot", "no machine sits there")),
                }
            }
            Request::Kick(seat) => {
                self.host_only(person)?;
                self.kick(by, seat).await
            }
            Request::PassHost(seat) => {
                self.host_only(person)?;
                self.pass_host(by, seat).await
            }
            Request::Start => {
                self.host_only(person)?;
                self.start(by).await
            }
            Request::Rematch => {
                self.host_only(person)?;
                if !matches!(self.kept.course, Course::Over(..)) {
                    return Err(refused("not-over", "a rematch follows a game, start one first"));
                }
                self.start(by).await
            }
            Request::Hold => self.agree_to_hold(person, by).await,
            Request::End => self.agree_to_end(person, by).await,
            Request::Wait => {
                let seat = self.voter(person)?;
                self.hold = self.hold.without(seat);
                self.end = self.end.without(seat);
                Ok(())
            }
        }
    }

    async fn sit(&mut self, person: &Person, by: Asker, seat: Seat) -> Result<(), Refused> {
        self.not_playing()?;
        let mut seating = self.kept.seating.clone();
        if let Some(own) = seating.seat_of(person.id)
            && let Some(chair) = seating.chair(own)
        {
            *chair = Occupant::Nobody;
        }
        match seating.chair(seat) {
            Some(chair @ Occupant::Nobody) => {
                let name = person.name.clone();
                *chair = Occupant::Person { id: person.id, name, held: false };
                if self.kept.opener == Some(person.id) {
                    seating.host = Some(person.id);
                }
            }
            Some(_) => return Err(refused("seat-taken", "somebody sits there, take another seat")),
            None => return Err(refused("no-such-seat", "the table has no such seat")),
        }
        self.seat(self.with_host(seating), Some(by)).await
    }

    async fn stand(&mut self, by: Asker) -> Result<(), Refused> {
        self.not_playing()?;
        let seat = self.sits(by.person).ok_or_else(|| refused("not-seated", "you have no seat"))?;
        let mut seating = self.kept.seating.clone();
        if let Some(chair) = seating.chair(seat) {
            *chair = Occupant::Nobody;
        }
        self.seat(self.with_host(seating), Some(by)).await
    }

    async fn kick(&mut self, by: Asker, seat: Seat) -> Result<(), Refused> {
        self.not_playing()?;
        let mut seating = self.kept.seating.clone();
        match seating.chair(seat) {
            Some(Occupant::Person { id, .. }) if *id == by.person => {
                Err(refused("own-seat", "that is your own seat, stand up instead"))
            }
            Some(chair @ Occupant::Person { .. }) => {
                *chair = Occupant::Nobody;
                self.seat(seating, Some(by)).await
            }
            _ => Err(refused("nobody-there", "no person sits there")),
        }
    }

    async fn pass_host(&mut self, by: Asker, seat: Seat) -> Result<(), Refused> {
        match self.kept.seating.chairs.get(seat.index()) {
            Some(Occupant::Person { id, .. }) => {
                let seating = Seating { host: Some(*id), ..self.kept.seating.clone() };
                self.seat(seating, Some(by)).await
            }
            _ => Err(refused("nobody-there", "no person sits there")),
        }
    }

    /// Puts somebody into a chair where somebody else sat before.
    pub(super) async fn put(
        &mut self,
        by: Asker,
        seat: Seat,
        before: Occupant,
        after: Occupant,
    ) -> Result<(), Refused> {
        let mut seating = self.kept.seating.clone();
        match seating.chair(seat) {
            Some(chair) if *chair == before => *chair = after,
            Some(_) => return Err(refused("seat-taken", "somebody sits there, take another seat")),
            None => return Err(refused("no-such-seat", "the table has no such seat")),
        }
        self.seat(seating, Some(by)).await
    }

    /// Makes a seating durable, then true.
    pub(super) async fn seat(
        &mut self,
        seating: Seating,
        by: Option<Asker>,
    ) -> Result<(), Refused> {
        self.keep(&[Record::Seated { seating: seating.clone(), by }]).await?;
        let same = |seat: &Seat| {
            let [before, after] =
                [&self.kept.seating, &seating].map(|it| it.chairs.get(seat.index()));
            before == after
        };
        self.ready = self.ready.iter().filter(same).collect();
        self.kept.seat(seating);
        // If it cannot be read now, the start of the game tries again.
        let _later = self.recognise().await;
        Ok(())
    }

    /// Empties the chair of somebody who is gone for good. During a game it stays theirs, and the
    /// others decide what becomes of it.
    pub(super) async fn vacate(&mut self, person: PersonId) {
        let seat = self.sits(person).filter(|_| self.not_playing().is_ok());
        let mut seating = self.kept.seating.clone();
        if let Some(chair) = seat.and_then(|seat| seating.chair(seat)) {
            *chair = Occupant::Nobody;
            // If it cannot be kept, the host can still send them away.
            let _later = self.seat(seating, None).await;
        }
    }

    /// When the host has gone, the next person who is here takes over.
    pub(super) async fn pass_host_on(&mut self) {
        let seating = self.with_host(self.kept.seating.clone());
        if seating.host != self.kept.seating.host {
            // If it cannot be kept now, the next departure or start tries again.
            let _later = self.seat(seating, None).await;
        }
    }

    /// The host is somebody who sits here and is here, if there is any such person.
    pub(super) fn with_host(&self, mut seating: Seating) -> Seating {
        let fits = |id: PersonId| seating.seat_of(id).is_some() && self.is_here(id);
        if !seating.host.is_some_and(fits) {
            let heir = seating.iter().find_map(|(_, occupant)| match occupant {
                Occupant::Person { id, .. } if self.is_here(*id) => Some(*id),
                _ => None,
            });
            seating.host = heir.or(seating.host.filter(|host| seating.seat_of(*host).is_some()));
        }
        seating
    }

    async fn start(&mut self, by: Asker) -> Result<(), Refused> {
        self.not_playing()?;
        if self.kept.seating.chairs.contains(&Occupant::Nobody) {
            let text = "every seat needs a person or a machine before the game can start";
            return Err(refused("empty-seats", text));
        }
        self.still_lent().await?;
        if let Some(deal) = self.kept.offered().cloned() {
            let seed = deal.seed().map_err(|e| refused("not-kept", &e.to_string()))?;
            let knows = self.recognise().await?;
            self.deal(Luck { seed, deal: Some(deal) }, Some(knows), Some(by)).await?;
            self.remember_deal();
            return Ok(());
        }
        let seed = match self.kept.setup.manners().seeding {
            Seeding::Fresh => fresh_seed()?,
            Seeding::Fixed => fixed_seed(&self.shared.deals, &self.kept.setup, self.kept.games),
        };
        self.deal(Luck { seed, deal: None }, None, Some(by)).await
    }

    /// Sets the table for somebody who learns: they sit down, machines fill it, and it begins.
    pub(super) async fn teach(&mut self, person: &Person, seed: Seed) -> Result<(), Refused> {
        let mut seating = Seating::empty(self.kept.setup.players());
        seating.chairs.fill(Occupant::Bot(Lesson::partner(self.kept.setup.game())));
        if let Some(first) = seating.chairs.first_mut() {
            *first = Occupant::Person { id: person.id, name: person.name.clone(), held: false };
        }
        seating.host = Some(person.id);
        self.seat(seating, None).await?;
        self.deal(Luck { seed, deal: None }, None, None).await
    }

    /// Begins a game: its first lines are made durable, then true.
    async fn deal(
        &mut self,
        luck: Luck,
        knows: Option<Seats>,
        by: Option<Asker>,
    ) -> Result<(), Refused> {
        let (setup, machines, at) = (self.kept.setup, fresh_seed()?, Moment::START);
        let seed = hex(luck.seed.bytes());
        let mut records = vec![Record::Started { setup, seed, by, knows }];
        let happening = |event| Record::Event(Happening { at, by: None, event });
        records.extend(room::first_events(&setup, luck.seed).into_iter().map(happening));
        self.keep(&records).await?;
        let mut room = room::open(&setup, luck, self.kept.course.next_seq());
        room.begin();
        self.kept.begin(room, knows);
        self.clock = Instant::now();
        self.luck = machines;
        self.planned = None;
        self.ready = Seats::NONE;
        self.void_votes();
        self.remember_watchers();
        Ok(())
    }

    async fn agree_to_hold(&mut self, person: &Person, by: Asker) -> Result<(), Refused> {
        let seat = self.voter(person)?;
        let missing = self.missing();
        if missing.is_empty() {
            return Err(refused("nobody-missing", "everyone is here"));
        }
        self.hold = self.hold.with(seat);
        if !all_agree(self.hold, self.present()) {
            return Ok(());
        }
        let mut seating = self.kept.seating.clone();
        for seat in missing.iter() {
            if let Some(Occupant::Person { held, .. }) = seating.chair(seat) {
                *held = true;
            }
        }
        self.seat(seating, Some(by)).await?;
        self.hold = Seats::NONE;
        Ok(())
    }

    async fn agree_to_end(&mut self, person: &Person, by: Asker) -> Result<(), Refused> {
        let seat = self.voter(person)?;
        self.end = self.end.with(seat);
        if !all_agree(self.end, self.present()) {
            return Ok(());
        }
        self.keep(&[Record::Ended { outcome: None, by: Some(by) }]).await?;
        self.finish(None);
        Ok(())
    }

    /// The people who sit here and are connected.
    fn present(&self) -> Seats {
        let present = self.kept.seating.iter().filter(|(_, occupant)| match occupant {
            Occupant::Person { id, .. } => self.is_here(*id),
            Occupant::Nobody | Occupant::Bot(_) | Occupant::Ghost(_) => false,
        });
        present.map(|(seat, _)| seat).collect()
    }

    /// The seat of somebody who waits for a game.
    fn settled(&self, person: &Person) -> Result<Seat, Refused> {
        self.not_playing()?;
        self.sits(person.id).ok_or_else(|| refused("not-seated", "take a seat first"))
    }

    fn voter(&self, person: &Person) -> Result<Seat, Refused> {
        if !matches!(self.kept.course, Course::Playing(_)) {
            return Err(refused("no-game", "no game is on"));
        }
        self.sits(person.id).ok_or_else(|| refused("not-seated", "only those who play decide"))
    }

    fn host_only(&self, person: &Person) -> Result<(), Refused> {
        if self.kept.seating.host == Some(person.id) {
            return Ok(());
        }
        Err(refused("not-host", "only the host can do that"))
    }

    fn not_playing(&self) -> Result<(), Refused> {
        if matches!(self.kept.course, Course::Playing(_)) {
            return Err(refused("game-on", "a game is on, wait for its end"));
        }
        Ok(())
    }
}

fn refused(code: &'static str, text: &str) -> Refused {
    Refused { code, text: text.to_owned() }
}

/// The same for every table of that set-up: what one group was dealt, another is dealt too.
fn fixed_seed(deals: &str, setup: &Setup, game: u32) -> Seed {
    let setup = serde_json::to_string(setup).unwrap_or_default();
    Seed::new(Sha256::digest(format!("{deals}\n{setup}\n{game}")).into())
}

pub(super) fn fresh_seed() -> Result<Seed, Refused> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|_| refused("no-luck", "the server has no randomness, try again"))?;
    Ok(Seed::new(bytes))
}
