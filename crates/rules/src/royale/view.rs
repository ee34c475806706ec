//! What a viewer knows of a table of Royale Mastermind, and what that lets them do.

use serde::{Deserialize, Serialize};

use super::card::{Card, Pack};
use super::code::{Code, SeenCode};
use super::command::Command;
use super::refusal::Refusal;
use super::row::{Row, Triple};
use super::state::{Phase, Public};
use super::zone::Zone;
use crate::kit::{self, Seat, Viewer};

/// What a viewer knows (Y9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleView"))]
pub struct View {
    /// The viewer. Not written: a reader knows whose view it is.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub me: Viewer,
    /// What everyone sees.
    pub public: Public,
    /// The code that is being broken. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub code: Option<SeenCode>,
    /// The viewer's own marks on the grid.
    pub marks: Pack,
}

impl View {
    /// How many codes are still possible, if the table has that aid and a code is being broken.
    pub fn codes_left(&self) -> Option<u32> {
        self.aided(self.public.setup.aids.count).then(|| self.public.possible().count())
    }

    /// The cards that are still possible, if the table has that aid and a code is being broken.
    pub fn possible_cards(&self) -> Option<Pack> {
        self.aided(self.public.setup.aids.shade).then(|| self.public.possible().cards())
    }

    /// Whether the viewer may hide a code now.
    pub fn may_hide(&self) -> bool {
        self.permits_hiding().is_ok()
    }

    /// Whether the viewer may ask in that zone now.
    pub fn may_ask(&self, zone: Zone) -> bool {
        self.permits_asking(zone).is_ok()
    }

    /// Whether the viewer may mark cards now.
    pub fn may_mark(&self) -> bool {
        self.breaker().is_ok()
    }

    fn aided(&self, aid: bool) -> bool {
        aid && self.public.phase == Phase::Breaking
    }

    /// The viewer's chair, if there is still something to do.
    fn player(&self) -> Result<Seat, Refusal> {
        let me = self.me.seat().ok_or(Refusal::Watching)?;
        if self.public.phase == Phase::Over { Err(Refusal::GameOver) } else { Ok(me) }
    }

    fn breaker(&self) -> Result<Seat, Refusal> {
        let me = self.player()?;
        if self.public.roles.all_breakers().contains(me) {
            Ok(me)
        } else {
            Err(Refusal::NotBreaker)
        }
    }

    fn permits_hiding(&self) -> Result<(), Refusal> {
        let (me, maker) = (self.player()?, self.public.roles.maker);
        if me != maker {
            return Err(Refusal::NotMaker(maker));
        }
        if self.public.phase == Phase::Choosing { Ok(()) } else { Err(Refusal::NotChoosing) }
    }

    fn permits_code(&self, code: Code) -> Result<(), Refusal> {
        let covered = code.cards().into_iter().find(|card| !self.public.pack.contains(*card));
        covered.map_or(Ok(()), |card| Err(Refusal::NotInPack(card)))
    }

    fn permits_asking(&self, zone: Zone) -> Result<(), Refusal> {
        let me = self.breaker()?;
        let Public { roles, phase, rows, .. } = &self.public;
        if *phase != Phase::Breaking {
            return Err(Refusal::NotBreaking(roles.maker));
        }
        if !roles.breaks(me, zone) {
            return Err(Refusal::NotYourZone { zone, breaker: roles.breakers[zone] });
        }
        match &rows[zone] {
            rows if rows.are_open() => Ok(()),
            rows if rows.are_solved() => Err(Refusal::ZoneSolved(zone)),
            _ => Err(Refusal::ZoneSpent(zone)),
        }
    }

    fn permits_mark(&self, card: Card) -> Result<(), Refusal> {
        self.breaker()?;
        if !self.public.pack.contains(card) {
            return Err(Refusal::Covered(card));
        }
        if self.marks.contains(card) { Err(Refusal::AlreadyMarked(card)) } else { Ok(()) }
    }

    fn permits_unmark(&self, card: Card) -> Result<(), Refusal> {
        self.breaker()?;
        if self.marks.contains(card) { Ok(()) } else { Err(Refusal::NotMarked(card)) }
    }
}

impl kit::View for View {
    type Command = Command;
    type Refusal = Refusal;

    fn permits(&self, command: &Command) -> Result<(), Refusal> {
        match *command {
            Command::Hide(code) => self.permits_hiding().and_then(|()| self.permits_code(code)),
            Command::Ask(row) => self.permits_asking(row.zone()),
            Command::Mark(card) => self.permits_mark(card),
            Command::Unmark(card) => self.permits_unmark(card),
        }
    }

    fn options(&self) -> Vec<Command> {
        let mut options = Vec::new();
        // A whole pack makes 13,800 codes: they are listed only for a player who may hide one.
        if self.may_hide() {
            options.extend(Code::all(self.public.pack).map(Command::Hide));
        }
        for zone in Zone::ALL {
            if self.may_ask(*zone) {
                options.extend(Triple::all().map(|row| Command::Ask(Row::new(*zone, row))));
            }
        }
        options.extend(
            self.public.pack.iter().flat_map(|card| [Command::Mark(card), Command::Unmark(card)]),
        );
        options.retain(|command| self.permits(command).is_ok());
        options
    }

    /// Silence binds the Mind games only (M15).
    fn may_talk(&self) -> bool {
        true
    }
}
