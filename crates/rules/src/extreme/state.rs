//! The full state of a table of Extreme, and what commands make of it.

use serde::{Deserialize, Serialize};

use super::card::{ByColour, Card, Colour, Hand, Holding};
use super::command::Command;
use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::view::View;
use crate::family::{Cards, Deck, Face, Focus, Laid, Pile};
use crate::kit::text::is_default;
use crate::kit::{BySeat, Chance, Game, Moment, Outcome, Play, Seat, Seats, Viewer};

/// A table of Extreme with all its secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    pub(super) public: Public,
    pub(super) hands: BySeat<Holding>,
    pub(super) piles: ByColour<Pile>,
    /// What those who have chosen for a star chose (X5).
    pub(super) choices: BySeat<Option<Colour>>,
}

/// What everyone at the table sees (M14, X7), beside the piles and the sizes of the hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremePublic"))]
pub struct Public {
    /// How the table is set up. Not written: it is the table's.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub setup: Setup,
    /// The level that is played.
    pub level: u8,
    /// Lives left.
    pub lives: u8,
    /// Stars left.
    pub stars: u8,
    /// What the table is doing.
    pub phase: Phase,
    /// Cards set aside face up, and whose they were. Left out if there are none.
    #[serde(skip_serializing_if = "BySeat::are_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<BySeat<Holding>>"))]
    pub aside: BySeat<Holding>,
    /// How far the first colour had got when the second was begun. Left out before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub lead: Option<Lead>,
    /// When hands were last lifted or the last card was played. Not written: nobody is shown it.
    #[serde(skip_serializing, default)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub since: Moment,
}

/// What the table is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremePhase"))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Hands are laid on the table (M2).
    Focus(Focus),
    /// Cards are played.
    Playing {
        /// Whose hands are raised for a star (M7). Left out if none is.
        #[serde(default, skip_serializing_if = "is_default")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Seats>"))]
        raised: Seats,
    },
    /// Everyone who holds a card chooses one for the star (X5).
    Choosing {
        /// Who has chosen. Those with one colour act too: it would tell the table about their
        /// hand if the choice were made for them.
        chosen: Seats,
    },
    /// Nothing more can happen.
    Over {
        /// Whether the team won.
        won: bool,
    },
}

/// How far one colour had got when the other was begun (X6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeLead"))]
pub struct Lead {
    /// The colour that came first.
    pub colour: Colour,
    /// How many of its cards had been played or set aside by then.
    pub gone: u8,
}

impl Public {
    /// How a colour is laid at this level (X4).
    pub fn face(&self, colour: Colour) -> Face {
        self.setup.level(self.level).faces[colour]
    }

    fn set_aside_of(&self, colour: Colour) -> u8 {
        self.aside.values().map(|cards| cards[colour]).collect::<Cards>().len()
    }
}

impl Extreme {
    fn gone(&self, colour: Colour) -> u8 {
        self.piles[colour].len() + self.public.set_aside_of(colour)
    }

    /// The colour that was finished before the other was begun (X6). With one card of each there
    /// was no other way.
    fn one_sided(&self) -> Option<Colour> {
        let Lead { colour, gone } = self.public.lead?;
        let avoidable = self.gone(Colour::White) + self.gone(Colour::Red) > 2;
        (avoidable && gone == self.gone(colour)).then_some(colour)
    }

    fn nobody_holds_a_card(&self) -> bool {
        self.hands.values().all(|hand| hand.is_empty())
    }

    /// Who holds a card, and so chooses one for a star.
    fn holders(&self) -> Seats {
        self.hands.iter().filter(|(_, hand)| !hand.is_empty()).map(|(seat, _)| seat).collect()
    }

    fn set_aside(&mut self, cards: &BySeat<Holding>) {
        for (seat, cards) in cards.iter() {
            self.hands[seat] = self.hands[seat].without(&cards);
            self.public.aside[seat] = self.public.aside[seat].with(&cards);
        }
        self.public.phase = Phase::Focus(Focus::WITHIN);
    }

    fn notice(&mut self, notice: &Notice) {
        let Public { lives, stars, phase, .. } = &mut self.public;
        match (*notice, &mut *phase) {
            (Notice::Rested(seat), Phase::Focus(focus)) => focus.resting = focus.resting.with(seat),
            (Notice::Lifted(seat), Phase::Focus(focus)) => {
                focus.resting = focus.resting.without(seat);
            }
            (Notice::Raised(seat), Phase::Playing { raised }) => *raised = raised.with(seat),
            (Notice::Lowered(seat), Phase::Playing { raised }) => *raised = raised.without(seat),
            (Notice::Rested(_) | Notice::Lifted(_) | Notice::Raised(_) | Notice::Lowered(_), _) => {
            }
            (Notice::Begun, _) => *phase = Phase::Playing { raised: Seats::NONE },
            (Notice::Stopped(_), _) => *phase = Phase::Focus(Focus::WITHIN),
            (Notice::Erred { earlier }, _) => {
                *lives = lives.saturating_sub(1);
                self.set_aside(&earlier);
            }
            (Notice::Choosing, _) => *phase = Phase::Choosing { chosen: Seats::NONE },
            (Notice::Starred { chosen }, _) => {
                *stars = stars.saturating_sub(1);
                self.choices = self.choices.map(|_, _| None);
                self.set_aside(&chosen);
            }
            (Notice::Turned { .. }, _) => {}
            (Notice::Checked { cost }, _) => *lives = lives.saturating_sub(cost),
            (Notice::Completed { reward, .. }, _) => reward.earn(lives, stars),
            (Notice::Won, _) => *phase = Phase::Over { won: true },
            (Notice::Lost, _) => *phase = Phase::Over { won: false },
        }
    }

    fn played(&mut self, at: Moment, colour: Colour, laid: Laid) {
        let other = colour.other();
        if self.piles[colour].is_empty() && !self.piles[other].is_empty() {
            self.public.lead = Some(Lead { colour: other, gone: self.gone(other) });
        }
        self.hands[laid.seat][colour] -= Cards::one(laid.card);
        self.piles[colour].lay(laid.seat, laid.card);
        // A card played lowers every raised hand (M7).
        self.public.phase = Phase::Playing { raised: Seats::NONE };
        self.public.since = at;
    }
}

impl Game for Extreme {
    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type View = View;
    type Sight = Sight;

    const NAME: &'static str = "extreme";

    fn new(setup: &Setup) -> Self {
        let nothing = BySeat::new(setup.players, |_| Holding::NONE);
        let public = Public {
            setup: *setup,
            level: 1,
            lives: setup.lives,
            stars: setup.stars,
            phase: Phase::Focus(Focus::BEFORE),
            aside: nothing,
            lead: None,
            since: Moment::START,
        };
        let choices = BySeat::new(setup.players, |_| None);
        Self { public, hands: nothing, piles: ByColour::default(), choices }
    }

    fn setup(&self) -> &Setup {
        &self.public.setup
    }

    fn players(&self) -> u8 {
        self.public.setup.players
    }

    fn open(play: &mut Play<Self>, chance: &mut Chance) {
        deal(play, 1, chance);
    }

    fn act(play: &mut Play<Self>, seat: Seat, command: Command, chance: &mut Chance) {
        match command {
            Command::Rest => {
                play.emit(Notice::Rested(seat));
                if let Phase::Focus(focus) = play.state().public.phase
                    && focus.resting.are_all(play.state().players())
                {
                    play.emit(Notice::Begun);
                }
            }
            Command::Lift => play.emit(Notice::Lifted(seat)),
            Command::Stop => play.emit(Notice::Stopped(seat)),
            Command::Raise => {
                play.emit(Notice::Raised(seat));
                if let Phase::Playing { raised } = play.state().public.phase
                    && raised.are_all(play.state().players())
                {
                    play.emit(Notice::Choosing);
                }
            }
            Command::Lower => play.emit(Notice::Lowered(seat)),
            Command::Play(card) => lay(play, seat, card, chance),
            Command::Choose(colour) => {
                play.emit(Event::Chose { seat, colour });
                if let Phase::Choosing { chosen } = play.state().public.phase
                    && chosen == play.state().holders()
                {
                    throw_star(play, chance);
                }
            }
        }
    }

    fn apply(&mut self, at: Moment, event: &Event) {
        match *event {
            Event::Dealt { level, hands } => {
                self.public.level = level;
                self.hands = hands;
                self.piles = ByColour::default();
                self.public.aside = hands.map(|_, _| Holding::NONE);
                self.public.lead = None;
                self.public.phase = Phase::Focus(Focus::BEFORE);
            }
            Event::Played { colour, laid, .. } => self.played(at, colour, laid),
            Event::Chose { seat, colour } => {
                self.choices[seat] = Some(colour);
                if let Phase::Choosing { chosen } = &mut self.public.phase {
                    *chosen = chosen.with(seat);
                }
            }
            Event::Notice(notice) => {
                self.notice(&notice);
                if notice == Notice::Begun {
                    self.public.since = at;
                }
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let me = viewer.at_table_of(self.players());
        View {
            me,
            public: self.public,
            hands: self.hands.map(|seat, cards| Hand::seen(cards, seat, me)),
            piles: ByColour::new(|colour| self.piles[colour].seen(self.public.face(colour), me)),
            choice: me.seat().and_then(|seat| self.choices[seat]),
        }
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Sight> {
        Some(event.witness(viewer))
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.public.phase {
            Phase::Focus(_) | Phase::Playing { .. } | Phase::Choosing { .. } => None,
            Phase::Over { won: true } => Some(Outcome::Won),
            Phase::Over { won: false } => Some(Outcome::Lost),
        }
    }
}

fn deal(play: &mut Play<Extreme>, level: u8, chance: &mut Chance) {
    // The 100 cards are numbered through: whites as they are, reds fifty higher.
    let mut deck = Deck::of(Cards::deck(2 * Colour::HIGHEST));
    let hands = BySeat::new(play.state().players(), |_| {
        deck.draw_many(level, chance).iter().filter_map(Card::of_both).collect()
    });
    play.emit(Event::Dealt { level, hands });
}

fn lay(play: &mut Play<Extreme>, seat: Seat, card: Card, chance: &mut Chance) {
    let Card { colour, value } = card;
    let face = play.state().public.face(colour);
    play.emit(Event::Played { colour, laid: Laid { seat, card: value }, face });
    let earlier =
        play.state().hands.map(|_, hand| Holding::of(colour, colour.before(hand[colour], value)));
    // Face down, nobody notices before the pile is turned over.
    if face == Face::Open && earlier.values().any(|cards| !cards.is_empty()) {
        play.emit(Notice::Erred { earlier });
        if play.state().public.lives == 0 {
            // Lost without any check of a face-down pile (X8).
            return play.emit(Notice::Lost);
        }
    }
    end_level_when_done(play, chance);
}

fn throw_star(play: &mut Play<Extreme>, chance: &mut Chance) {
    let state = play.state();
    let chosen = state.choices.map(|seat, choice| {
        let card = choice.and_then(|colour| {
            let value = colour.first(state.hands[seat][colour])?;
            Some(Card { colour, value })
        });
        card.into_iter().collect()
    });
    play.emit(Notice::Starred { chosen });
    end_level_when_done(play, chance);
}

fn end_level_when_done(play: &mut Play<Extreme>, chance: &mut Chance) {
    let Extreme { public: Public { setup, level, .. }, piles, .. } = *play.state();
    if !play.state().nobody_holds_a_card() {
        return;
    }
    let blind = |colour: &&Colour| setup.level(level).faces[**colour] == Face::Blind;
    let mut total = 0;
    for &colour in Colour::ALL.iter().filter(blind) {
        let mistakes = colour.mistakes(&piles[colour]);
        play.emit(Notice::Turned { colour, pile: piles[colour], mistakes });
        total += mistakes;
    }
    if Colour::ALL.iter().any(|colour| blind(&colour)) {
        play.emit(Notice::Checked { cost: setup.blind_cost.lives(total) });
        // The check comes before the reward (B2).
        if play.state().public.lives == 0 {
            return play.emit(Notice::Lost);
        }
    }
    let one_sided = play.state().one_sided();
    play.emit(Notice::Completed { level, reward: setup.level(level).reward, one_sided });
    if level < setup.levels() {
        deal(play, level + 1, chance);
    } else {
        play.emit(Notice::Won);
    }
}
