//! What is timed of each level: the plays, what interrupted them, and every wait.

use rules::family::{Card, Cards, Face};
use rules::kit::{BySeat, Moment, Seat};
use serde::{Deserialize, Serialize};

use crate::clocks::Wait;
use crate::report::{Incident, Mark, Play};

/// On which pile a card goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// The only one.
    Pile,
    /// The white one of Extreme, which goes up.
    White,
    /// The red one of Extreme, which goes down.
    Red,
}

impl Lane {
    /// How far up its way a card lies: red goes down from 50.
    fn place(self, card: Card) -> Card {
        match self {
            Self::Pile | Self::White => card,
            Self::Red => card.mirrored(rules::extreme::Colour::HIGHEST),
        }
    }
}

/// A level or an attempt at one, as it was timed.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) level: u8,
    pub(crate) attempt: u8,
    pub(crate) beyond: bool,
    pub(crate) complete: bool,
    pub(crate) one_sided: Option<Lane>,
    pub(crate) plays: Vec<Play>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) waits: Vec<Wait>,
    /// How long it was played, focus excepted.
    pub(crate) length: Moment,
}

/// Follows a game and times its levels.
pub(crate) struct Recorder {
    players: u8,
    over: Vec<Track>,
    on: Option<On>,
}

/// The level that is on.
struct On {
    track: Track,
    ways: Vec<Way>,
    /// How long it was played before hands were last lifted, in microseconds.
    before: u64,
    /// When hands were lifted, while it is played.
    lifted: Option<Moment>,
}

/// A pile, with the cards that are still to come there.
struct Way {
    lane: Lane,
    face: Face,
    hands: BySeat<Cards>,
    /// What everyone knows of an open pile: how far it is, and since when.
    known: PileProgress,
    /// What each player knows of a face-down pile: only their own cards.
    own: BySeat<PileProgress>,
}

/// How far a pile has come as far as a player knows, and since when.
#[derive(Clone, Copy, Default)]
struct PileProgress {
    place: u8,
    since: u64,
}

impl Recorder {
    pub(crate) fn new(players: u8) -> Self {
        Self { players, over: Vec::new(), on: None }
    }

    /// The levels of a game that has come to its end, or to where it is now.
    pub(crate) fn finish(mut self) -> Vec<Track> {
        self.put_away(false);
        self.over
    }

    /// A level is dealt, each pile with its cards.
    pub(crate) fn dealt(
        &mut self,
        (level, attempt, beyond): (u8, u8, bool),
        ways: &[(Lane, Face, BySeat<Cards>)],
    ) {
        self.put_away(false);
        let ways = ways.iter().map(|&(lane, face, hands)| Way {
            lane,
            face,
            hands: hands.map(|_, cards| cards.iter().map(|card| lane.place(card)).collect()),
            known: PileProgress::default(),
            own: BySeat::new(self.players, |_| PileProgress::default()),
        });
        let track = Track {
            level,
            attempt,
            beyond,
            complete: false,
            one_sided: None,
            plays: Vec::new(),
            marks: Vec::new(),
            waits: Vec::new(),
            length: Moment::START,
        };
        self.on = Some(On { track, ways: ways.collect(), before: 0, lifted: None });
    }

    /// All hands were lifted.
    pub(crate) fn begun(&mut self, at: Moment) {
        if let Some(on) = &mut self.on {
            on.lifted = Some(at);
            for way in &mut on.ways {
                way.known.since = on.before;
            }
        }
    }

    /// A card went down.
    pub(crate) fn played(&mut self, at: Moment, lane: Lane, seat: Seat, card: Card) {
        let Some(on) = &mut self.on else { return };
        let now = on.now(at);
        let place = lane.place(card);
        if let Some(way) = on.ways.iter_mut().find(|way| way.lane == lane) {
            on.track.waits.extend(way.waits(now, Some(seat)));
            way.hands[seat] -= Cards::one(place);
            way.known = PileProgress { place: place.number(), since: now };
            way.own[seat] = way.known;
        }
        let at = Moment::from_micros(now);
        on.track.length = at;
        on.track.plays.push(Play { at, lane, seat, card, mistake: false });
    }

    /// Play is interrupted: players who had not played yet would have waited longer.
    pub(crate) fn interrupted(&mut self, at: Moment, incident: Incident) {
        let Some(on) = &mut self.on else { return };
        let now = on.now(at);
        let waits = on.ways.iter().filter(|way| way.face == Face::Open);
        on.track.waits.extend(waits.flat_map(|way| way.waits(now, None)));
        on.track.marks.push(Mark { at: Moment::from_micros(now), incident });
        (on.before, on.lifted) = (now, None);
        on.track.length = Moment::from_micros(now);
    }

    /// The last play was a mistake, and these cards should have come earlier.
    pub(crate) fn erred(&mut self, at: Moment) {
        if let Some(play) = self.on.as_mut().and_then(|on| on.track.plays.last_mut()) {
            play.mistake = true;
        }
        self.interrupted(at, Incident::Mistake);
    }

    /// Cards were set aside.
    pub(crate) fn set_aside(&mut self, lane: Lane, cards: BySeat<Cards>) {
        let ways = self.on.iter_mut().flat_map(|on| &mut on.ways);
        for way in ways.filter(|way| way.lane == lane) {
            for (seat, cards) in cards.iter() {
                way.hands[seat] -= cards.iter().map(|card| lane.place(card)).collect();
            }
        }
    }

    /// A face-down pile was turned over: what came too early is known now.
    pub(crate) fn turned(&mut self, lane: Lane) {
        let Some(on) = &mut self.on else { return };
        let plays = || on.track.plays.iter().filter(|play| play.lane == lane);
        let mut to_come = plays().map(|play| lane.place(play.card)).collect::<Cards>();
        for play in on.track.plays.iter_mut().filter(|play| play.lane == lane) {
            let place = lane.place(play.card);
            if to_come.contains(place) {
                let lower = to_come.below(place);
                play.mistake = !lower.is_empty();
                to_come -= lower | Cards::one(place);
            }
        }
    }

    /// The level is complete.
    pub(crate) fn completed(&mut self, one_sided: Option<Lane>) {
        if let Some(on) = &mut self.on {
            on.track.one_sided = one_sided;
        }
        self.put_away(true);
    }

    /// The level was not completed, and there will be no other like it.
    pub(crate) fn put_away(&mut self, complete: bool) {
        if let Some(on) = self.on.take() {
            self.over.push(Track { complete, ..on.track });
        }
    }
}

impl On {
    /// How long the level has been played.
    fn now(&self, at: Moment) -> u64 {
        let since = self.lifted.map_or(0, |lifted| lifted.until(at).as_micros());
        self.before + u64::try_from(since).unwrap_or(u64::MAX)
    }
}

impl Way {
    /// How long each player has waited at this pile by now; `player` plays, if given. At a
    /// face-down pile only that player's wait ends: the others do not see how far the pile has
    /// come.
    fn waits(&self, now: u64, player: Option<Seat>) -> impl Iterator<Item = Wait> {
        let open = self.face == Face::Open;
        let waiting = self.hands.iter().filter_map(move |(seat, cards)| {
            let known = if open { self.known } else { self.own[seat] };
            let distance = cards.lowest()?.number().checked_sub(known.place)?;
            let time = now.saturating_sub(known.since);
            let played = player == Some(seat);
            // There is nothing to wait for between neighbouring numbers.
            let tells = distance > 1 && time > 0 && (open || played);
            let (time, distance) = (time as f64 / 1e6, f64::from(distance));
            tells.then_some(Wait { seat, time, distance, played })
        });
        waiting.collect::<Vec<_>>().into_iter()
    }
}
