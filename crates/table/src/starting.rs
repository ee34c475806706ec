//! The start of a game: what has to hold before it, and which deal it has.

use rules::kit::{Moment, Seed, Seeding};
use sha2::{Digest, Sha256};
use wire::{Refusal, Setup, hex};

use crate::any_match::Luck;
use crate::deal::{Deal, DealOrigin};
use crate::effect::{Effect, Effects, Lookup};
use crate::entry::Entry;
use crate::fair::Stamp;
use crate::input::StartCheck;
use crate::live_match::{first_lines, open_match};
use crate::person::PersonId;
use crate::refused::Refused;
use crate::requests::{Done, StartLookup};
use crate::seating::Occupant;
use crate::state::SharedDeal;
use crate::table::Table;
use crate::writing::{Asked, Then};

impl Table {
    pub(crate) fn start(&mut self, asked: Asked, out: &mut Effects) -> Result<Done, Refused> {
        self.may_start(asked)?;
        self.may_change()?;
        let lenders = self.state.seating().chairs.iter().filter_map(|occupant| match occupant {
            Occupant::Ghost(ghost) => Some(ghost.of),
            Occupant::Empty | Occupant::Person { .. } | Occupant::Bot(_) => None,
        });
        let lenders = lenders.collect::<Vec<_>>();
        let deal = self.next_deal()?.map(|deal| deal.of);
        if lenders.is_empty() && deal.is_none() {
            return self.begin(asked, out);
        }
        if let Some(StartLookup { asked: waiting, .. }) = &mut self.queue.lookups.start {
            if waiting.by == asked.by {
                waiting.conn = waiting.conn.max(asked.conn);
                return Ok(Done::Later);
            }
            return Err(Refused::new(Refusal::Busy, "the game is just starting"));
        }
        let players = self.players();
        let lookup = StartLookup { asked, deal, players: players.clone() };
        self.queue.lookups.start = Some(lookup);
        out.push(Effect::LookUp(Lookup::BeforeStart { lenders, deal, players }));
        Ok(Done::Later)
    }

    /// The people who sit at the table.
    fn players(&self) -> Vec<PersonId> {
        self.state.seating().people().map(|(_, id)| id).collect()
    }

    /// What had to be looked up before the start.
    pub(crate) fn found_start(&mut self, found: Result<StartCheck, String>, out: &mut Effects) {
        let Some(StartLookup { asked, deal, players }) = self.queue.lookups.start.take() else {
            return;
        };
        let done = found.map_err(Refused::not_kept).and_then(|check| {
            // The table may have changed while it was looked up.
            self.may_start(asked)?;
            if self.next_deal()?.map(|deal| deal.of) != deal || self.players() != players {
                let text = "the set-up or the players have changed since, start again";
                return Err(Refused::new(Refusal::Stale, text));
            }
            self.all_lend(&check.not_lending)?;
            self.recognise(&check.know_deal);
            self.may_play_daily(deal, check.day_over)?;
            self.begin(asked, out)
        });
        self.answer(asked, done, out);
    }

    /// Whether the deal of the day can still be played: on its day, by people who have not seen it.
    fn may_play_daily(&self, deal: Option<DealOrigin>, day_over: bool) -> Result<(), Refused> {
        if deal.and_then(DealOrigin::daily).is_none() {
            return Ok(());
        }
        if day_over {
            let text = "the day of this deal is over, open a table for that of today";
            return Err(Refused::new(Refusal::DayOver, text));
        }
        if !self.people.know_deal.is_empty() {
            let text = "a player has already seen the deal of the day, which is played once";
            return Err(Refused::new(Refusal::DealPlayed, text));
        }
        Ok(())
    }

    fn may_start(&self, asked: Asked) -> Result<(), Refused> {
        self.host_between_games(asked.person())?;
        if self.state.seating().chairs.contains(&Occupant::Empty) {
            let text = "every seat needs a person or a bot before the game can start";
            return Err(Refused::new(Refusal::EmptySeats, text));
        }
        Ok(())
    }

    /// Whether all whose tempo sits here still lend it: a game that has begun is played to its
    /// end, but no other begins.
    fn all_lend(&self, not_lending: &[PersonId]) -> Result<(), Refused> {
        for (seat, occupant) in self.state.seating().iter() {
            if let Occupant::Ghost(ghost) = occupant
                && not_lending.contains(&ghost.of)
            {
                let name = &ghost.name;
                let text =
                    format!("{name} no longer lends their tempo, put another bot into seat {seat}");
                return Err(Refused::new(Refusal::NotLent, text));
            }
        }
        Ok(())
    }

    /// Notes who of the players has seen the deal that is to be played.
    pub(crate) fn recognise(&mut self, people: &[PersonId]) {
        self.people.know_deal = self.state.seating().seats_of(|id| people.contains(&id));
    }

    /// Has it looked up who has seen the deal that is still to be played.
    pub(crate) fn look_up_deal(&self, out: &mut Effects) {
        if self.state.any_match().is_some() {
            return;
        }
        // If the deal cannot be found now, the start of the game tries again.
        if let Ok(Some(deal)) = self.next_deal() {
            out.push(Effect::LookUp(Lookup::DealSeenBy { of: deal.of }));
        }
    }

    /// The deal of the next game, if other groups play it, too; `None` if it is drawn afresh.
    fn next_deal(&self) -> Result<Option<Deal>, Refused> {
        let setup = self.state.setup();
        match (self.state.offered(), setup.manners().seeding) {
            (Some(deal), _) => Ok(Some(deal.clone())),
            (None, Seeding::Fresh) => Ok(None),
            (None, Seeding::Fixed) => {
                let secret = &self.terms.settings.fixed_deals;
                fixed_seed(secret, setup, self.state.games()).map(|seed| Some(Deal::fixed(seed)))
            }
        }
    }

    /// Writes the first lines of a game.
    fn begin(&mut self, asked: Asked, out: &mut Effects) -> Result<Done, Refused> {
        let setup = *self.state.setup();
        let deal = self.next_deal()?;
        let seed = match &deal {
            Some(deal) => deal.seed().map_err(Refused::not_kept)?,
            None => self.clock.luck.next_seed(),
        };
        let knows = self.people.know_deal;
        let shared_deal = deal.clone().map(|deal| SharedDeal { deal, knows });
        let knows = deal.as_ref().map(|_| knows);
        let luck = Luck { seed, deal };
        let (seed, by) = (hex(luck.seed.bytes()), Some(asked.by));
        let first = first_lines(&setup, luck.seed)?;
        let mut live = open_match(&setup, luck, self.state.stage().next_seq());
        live.begin();
        let entry = Entry::Started { setup, seed, by, knows };
        self.write(&[entry], first, Then::Begin { live, shared_deal, by: asked }, out)?;
        Ok(Done::Later)
    }

    /// A game has begun on the table.
    pub(crate) fn begun(&mut self, now: Stamp) {
        let luck = self.clock.luck.next_seed();
        self.plans.restart(luck);
        self.clock.restart(now, Moment::START);
        self.people.votes = self.people.votes.at_start();
    }
}

/// The same for every table of that set-up: what one group was dealt, another is dealt too.
/// Games that drew by the number of the step had other seeds: their cards are another deal.
fn fixed_seed(secret: &str, setup: &Setup, game: u32) -> Result<Seed, Refused> {
    let setup = serde_json::to_string(setup).map_err(Refused::not_kept)?;
    Ok(Seed::new(Sha256::digest(format!("{secret}\nby draw key\n{setup}\n{game}")).into()))
}
