//! What people ask of a table: seats, bots, and what to do when a player is gone.

use rules::kit::{Outcome, Seat};
use wire::{BotKind, GameId, Refusal, Request, Setup};

use crate::any_match::AnyMatch;
use crate::deal::DealOrigin;
use crate::effect::{Effect, Effects, Lookup};
use crate::entry::Entry;
use crate::game::is_race;
use crate::ghost::Ghost;
use crate::person::{Person, PersonId};
use crate::presence::all_agree;
use crate::refused::Refused;
use crate::seating::{Occupant, Seating};
use crate::stage::Stage;
use crate::table::Table;
use crate::writing::{Asked, Then};

/// What became of a request that was not refused.
pub(crate) enum Done {
    /// It is done.
    Now,
    /// It is done when something was written or looked up.
    Later,
}

/// Requests that wait for something to be looked up.
#[derive(Default)]
pub(crate) struct Lookups {
    /// A start.
    pub(crate) start: Option<StartLookup>,
    ghost: Option<(Asked, Seat)>,
    /// A new code that is being drawn.
    pub(crate) code: Option<Asked>,
}

/// A start that waits, and what was looked up for it.
pub(crate) struct StartLookup {
    pub(crate) asked: Asked,
    pub(crate) deal: Option<DealOrigin>,
    pub(crate) players: Vec<PersonId>,
}

impl Table {
    pub(crate) fn ask(
        &mut self,
        asked: Asked,
        person: &Person,
        request: Request,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        if self.state.study().is_some() {
            let text = "the study decides what happens at this table";
            return Err(Refused::new(Refusal::InStudy, text));
        }
        match request {
            Request::Sit(seat) => self.sit(asked, person, seat, out),
            Request::Stand => self.stand(asked, out),
            Request::Ready => {
                let seat = self.waiting_player(person.id)?;
                self.people.votes.ready = self.people.votes.ready.with(seat);
                Ok(Done::Now)
            }
            Request::Unready => {
                let seat = self.waiting_player(person.id)?;
                self.people.votes.ready = self.people.votes.ready.without(seat);
                Ok(Done::Now)
            }
            Request::Unhurried(needed) => {
                let seat = self.waiting_player(person.id)?;
                let unhurried = &mut self.people.votes.unhurried;
                *unhurried = if needed { unhurried.with(seat) } else { unhurried.without(seat) };
                Ok(Done::Now)
            }
            Request::Arrange(setup) => self.arrange(asked, setup, out),
            Request::AddBot { seat, kind } => {
                self.host_between_games(person.id)?;
                if !BotKind::of(self.state.setup().game()).contains(&kind) {
                    let text = "that bot plays other games, choose another one";
                    return Err(Refused::new(Refusal::BotOtherGame, text));
                }
                self.put(asked, seat, &Occupant::Empty, Occupant::Bot(kind), out)
            }
            Request::AddGhost { seat, game, of } => self.add_ghost(asked, seat, game, of, out),
            Request::RemoveBot(seat) => {
                self.host_between_games(person.id)?;
                match self.state.seating().chairs.get(seat.index()).cloned() {
                    Some(bot) if bot.is_bot() => self.put(asked, seat, &bot, Occupant::Empty, out),
                    _ => Err(Refused::new(Refusal::NoBot, "no bot sits there")),
                }
            }
            Request::Kick(seat) => self.kick(asked, seat, out),
            Request::Readmit(number) => self.readmit(asked, number, out),
            Request::RemoveSpectator(number) => self.remove_spectator(asked, number, out),
            Request::Mute { spectator, muted } => self.mute(asked, spectator, muted, out),
            Request::Lock(locked) => self.decide(asked, |it| it.locked = locked, out),
            Request::NewCode => self.new_code(asked, out),
            Request::HideCode(hides) => self.decide(asked, |it| it.hides_code = hides, out),
            Request::PlayersOnly(only) => self.decide(asked, |it| it.players_only = only, out),
            Request::PassHost(seat) => self.pass_host(asked, seat, out),
            Request::Start => self.start(asked, out),
            Request::Rematch => {
                self.host_only(person.id)?;
                if !matches!(self.state.stage(), Stage::Over(..)) {
                    let text = "a rematch follows a game, start one first";
                    return Err(Refused::new(Refusal::NotOver, text));
                }
                self.start(asked, out)
            }
            Request::AgreeToChat(agrees) => {
                let not_seated = || Refused::new(Refusal::NotSeated, "only players decide");
                let seat = self.seat_of(person.id).ok_or_else(not_seated)?;
                let chat = &mut self.people.votes.chat;
                *chat = if agrees { chat.with(seat) } else { chat.without(seat) };
                Ok(Done::Now)
            }
            Request::Hold => self.vote_to_hold(asked, out),
            Request::End => self.vote_to_end(asked, out),
            Request::Wait => {
                let seat = self.voter(person.id)?;
                self.people.votes.take_back(seat);
                Ok(Done::Now)
            }
        }
    }

    fn sit(
        &mut self,
        asked: Asked,
        person: &Person,
        seat: Seat,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        if self.state.is_playing() && self.state.is_for_strangers() {
            return self.take_over(asked, person, seat, out);
        }
        self.between_games()?;
        let mut seating = self.state.seating().clone();
        seating.vacate(person.id);
        match seating.chair(seat) {
            Some(chair @ Occupant::Empty) => {
                let name = person.name.clone();
                *chair = Occupant::Person { id: person.id, name, mark: person.mark, held: false };
                if self.state.opener() == Some(person.id) {
                    seating.host = Some(person.id);
                }
            }
            Some(_) => return Err(seat_taken()),
            None => return Err(no_such_seat()),
        }
        self.reseat(self.with_host(seating), Some(asked), out)
    }

    /// Takes the seat of a bot between two levels, at a table for strangers. The person is shown
    /// the bot's cards and plays on with them.
    fn take_over(
        &mut self,
        asked: Asked,
        person: &Person,
        seat: Seat,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        let mut seating = self.state.seating().clone();
        if seating.seat_of(person.id).is_some() {
            return Err(Refused::new(Refusal::GameOn, "a game is on, wait for its end"));
        }
        match seating.chair(seat) {
            Some(chair) if chair.is_bot() => {
                let Person { id, name, mark, .. } = person.clone();
                *chair = Occupant::Person { id, name, mark, held: false };
            }
            Some(_) => return Err(seat_taken()),
            None => return Err(no_such_seat()),
        }
        if !self.free_seats().contains(seat) {
            let text = "a level is being played, take the seat when it is over";
            return Err(Refused::new(Refusal::LevelOn, text));
        }
        self.reseat(self.with_host(seating), Some(asked), out)
    }

    fn stand(&mut self, asked: Asked, out: &mut Effects) -> Result<Done, Refused> {
        self.between_games()?;
        let mut seating = self.state.seating().clone();
        if !seating.vacate(asked.person()) {
            return Err(Refused::new(Refusal::NotSeated, "you have no seat"));
        }
        self.reseat(self.with_host(seating), Some(asked), out)
    }

    fn pass_host(&mut self, asked: Asked, seat: Seat, out: &mut Effects) -> Result<Done, Refused> {
        self.host_only(asked.person())?;
        match self.state.seating().chairs.get(seat.index()) {
            Some(Occupant::Person { id, .. }) if !self.people.presence.is_here(*id) => {
                Err(Refused::new(
                    Refusal::NotHere,
                    "they are not here, wait for them or choose another",
                ))
            }
            Some(Occupant::Person { id, .. }) => {
                let seating = Seating { host: Some(*id), ..self.state.seating().clone() };
                self.reseat(seating, Some(asked), out)
            }
            _ => Err(Refused::new(Refusal::NoPerson, "no person sits there")),
        }
    }

    /// Changes what is played, before a game or between two.
    fn arrange(&mut self, asked: Asked, setup: Setup, out: &mut Effects) -> Result<Done, Refused> {
        self.host_between_games(asked.person())?;
        let Some(seating) = self.state.seating().for_setup(&setup) else {
            let text = "more people sit here than that is for, one of them has to stand up first";
            return Err(Refused::new(Refusal::TooManyPeople, text));
        };
        let is_waiting = matches!(self.state.stage(), Stage::Gathering { .. });
        if is_waiting && setup == *self.state.setup() && seating == *self.state.seating() {
            return Ok(Done::Now);
        }
        self.may_change()?;
        let entry = Entry::Arranged { setup, seating: seating.clone(), by: asked.by };
        self.write(&[entry], Vec::new(), Then::Arrange { setup, seating, by: asked }, out)?;
        Ok(Done::Later)
    }

    /// Puts another occupant into a chair.
    fn put(
        &mut self,
        asked: Asked,
        seat: Seat,
        before: &Occupant,
        after: Occupant,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        let mut seating = self.state.seating().clone();
        match seating.chair(seat) {
            Some(chair) if chair == before => *chair = after,
            Some(_) => return Err(seat_taken()),
            None => return Err(no_such_seat()),
        }
        self.reseat(seating, Some(asked), out)
    }

    /// Writes a seating, if it is another one.
    pub(crate) fn reseat(
        &mut self,
        seating: Seating,
        by: Option<Asked>,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        if seating == *self.state.seating() {
            return Ok(Done::Now);
        }
        self.may_change()?;
        let entry = Entry::Seated { seating: seating.clone(), by: by.map(|asked| asked.by) };
        self.write(&[entry], Vec::new(), Then::Seat { seating, by }, out)?;
        Ok(Done::Later)
    }

    /// The seating with a host who is here.
    pub(crate) fn with_host(&self, seating: Seating) -> Seating {
        if self.state.study().is_some() {
            return seating;
        }
        seating.with_host(|id| self.people.presence.is_here(id))
    }

    /// Seats a bot with the tempo of a person, in an empty chair or that of another bot.
    fn add_ghost(
        &mut self,
        asked: Asked,
        seat: Seat,
        game: GameId,
        of: Seat,
        out: &mut Effects,
    ) -> Result<Done, Refused> {
        self.host_between_games(asked.person())?;
        self.may_seat_ghost()?;
        self.may_change()?;
        if let Some((waiting, _)) = &mut self.queue.lookups.ghost {
            if waiting.by == asked.by {
                // The same message came again: it is answered over the new connection.
                waiting.conn = waiting.conn.max(asked.conn);
                return Ok(Done::Later);
            }
            return Err(Refused::new(
                Refusal::Busy,
                "another bot is just taking its seat, try again",
            ));
        }
        self.queue.lookups.ghost = Some((asked, seat));
        let asker = asked.person();
        out.push(Effect::LookUp(Lookup::Ghost { asker, game, of }));
        Ok(Done::Later)
    }

    fn may_seat_ghost(&self) -> Result<(), Refused> {
        if !is_race(self.state.setup()) {
            let text = "there is no tempo in this game, choose another bot";
            return Err(Refused::new(Refusal::BotOtherGame, text));
        }
        Ok(())
    }

    /// The tempo that was looked up.
    pub(crate) fn found_ghost(&mut self, ghost: Result<Ghost, Refused>, out: &mut Effects) {
        let Some((asked, seat)) = self.queue.lookups.ghost.take() else { return };
        let done = ghost.and_then(|ghost| {
            // The table may have changed while it was looked up.
            self.host_between_games(asked.person())?;
            self.may_seat_ghost()?;
            let before = match self.state.seating().chairs.get(seat.index()) {
                Some(Occupant::Person { .. }) | None => Occupant::Empty,
                Some(bot) => bot.clone(),
            };
            self.put(asked, seat, &before, Occupant::Ghost(ghost), out)
        });
        self.answer(asked, done, out);
    }

    fn vote_to_hold(&mut self, asked: Asked, out: &mut Effects) -> Result<Done, Refused> {
        let seat = self.voter(asked.person())?;
        let seating = self.state.seating();
        let missing = self.people.presence.missing(seating);
        if missing.is_empty() {
            return Err(Refused::new(Refusal::NoPlayerMissing, "everyone is here"));
        }
        let (hold, present) =
            (self.people.votes.hold.with(seat), self.people.presence.present(seating));
        if !all_agree(hold, present) {
            self.people.votes.hold = hold;
            return Ok(Done::Now);
        }
        let mut seating = seating.clone();
        for seat in missing.iter() {
            if let Some(Occupant::Person { held, .. }) = seating.chair(seat) {
                *held = true;
            }
        }
        self.reseat(seating, Some(asked), out)
    }

    fn vote_to_end(&mut self, asked: Asked, out: &mut Effects) -> Result<Done, Refused> {
        let seat = self.voter(asked.person())?;
        let end = self.people.votes.end.with(seat);
        if !all_agree(end, self.people.presence.present(self.state.seating())) {
            self.people.votes.end = end;
            return Ok(Done::Now);
        }
        // An encore that is ended early leaves the victory as it is.
        let won = self.state.playing().is_some_and(AnyMatch::is_won);
        let outcome = won.then_some(Outcome::Won);
        let entry = Entry::Ended { outcome, by: Some(asked.by) };
        self.write(&[entry], Vec::new(), Then::End { outcome, by: Some(asked) }, out)?;
        Ok(Done::Later)
    }

    /// The seat of a player who waits for a game.
    fn waiting_player(&self, person: PersonId) -> Result<Seat, Refused> {
        self.between_games()?;
        self.seat_of(person).ok_or_else(|| Refused::new(Refusal::NotSeated, "take a seat first"))
    }

    fn voter(&self, person: PersonId) -> Result<Seat, Refused> {
        if !self.state.is_playing() {
            return Err(Refused::new(Refusal::NoGame, "no game is on"));
        }
        self.seat_of(person).ok_or_else(|| Refused::new(Refusal::NotSeated, "only players decide"))
    }

    pub(crate) fn host_only(&self, person: PersonId) -> Result<(), Refused> {
        if self.state.seating().host == Some(person) {
            return Ok(());
        }
        Err(Refused::new(Refusal::NotHost, "only the host can do that"))
    }

    fn between_games(&self) -> Result<(), Refused> {
        if self.state.is_playing() {
            return Err(Refused::new(Refusal::GameOn, "a game is on, wait for its end"));
        }
        Ok(())
    }

    pub(crate) fn host_between_games(&self, person: PersonId) -> Result<(), Refused> {
        self.host_only(person)?;
        self.between_games()
    }
}

fn seat_taken() -> Refused {
    Refused::new(Refusal::SeatTaken, "that seat is taken, take another one")
}

fn no_such_seat() -> Refused {
    Refused::new(Refusal::NoSuchSeat, "the table has no such seat")
}
