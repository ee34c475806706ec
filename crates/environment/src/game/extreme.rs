//! The Mind Extreme as an environment.

use lab::Player;
use rules::extreme::{Card, Colour, Command, Event, Extreme, Notice, Phase, Setup, View};
use rules::family::{Cards, Face, FocusCommand, LevelGame, SeenPile, VoteCommand};
use rules::kit::{Chance, Moment, Seat, Seats};

use super::{EnvironmentGame, PASS, SECONDS_MOST, names, places_to, seat_from, seconds_since};
use crate::field::Fields;
use crate::partner::{Partner, PartnerError, SeatPlan, cast_paced, check_paced};
use crate::reward::Gain;

const COMMANDS: [&str; 10] = [
    PASS,
    "rest",
    "lift",
    "stop",
    "raise",
    "lower",
    "play white",
    "play red",
    "choose white",
    "choose red",
];

/// The names of the fields of one colour.
struct ColourNames {
    next: &'static str,
    top: &'static str,
    top_by: &'static str,
    pile_size: &'static str,
    blind: &'static str,
    hand: &'static str,
    pile: &'static str,
    aside: &'static str,
}

const WHITE: ColourNames = ColourNames {
    next: "next_white",
    top: "top_white",
    top_by: "top_white_by",
    pile_size: "pile_white_size",
    blind: "blind_white",
    hand: "hand_white",
    pile: "pile_white",
    aside: "aside_white",
};

const RED: ColourNames = ColourNames {
    next: "next_red",
    top: "top_red",
    top_by: "top_red_by",
    pile_size: "pile_red_size",
    blind: "blind_red",
    hand: "hand_red",
    pile: "pile_red",
    aside: "aside_red",
};

fn observe_colour(view: &View, colour: Colour, fields: &mut impl Fields) {
    const HIGHEST: u8 = Colour::HIGHEST;
    let names = match colour {
        Colour::White => WHITE,
        Colour::Red => RED,
    };
    let players = view.public.setup.players;
    let (hand, pile): (Cards, &SeenPile) = (view.hand()[colour], &view.piles[colour]);
    let last = pile.iter().next_back();
    fields.card(names.next, HIGHEST, colour.first(hand));
    fields.card(names.top, HIGHEST, pile.top());
    fields.one_of(
        names.top_by,
        usize::from(players),
        last.map(|laid| places_to(view.me, laid.seat(), players)),
    );
    fields.number(names.pile_size, f32::from(HIGHEST), f32::from(pile.len()));
    fields.flag(names.blind, view.public.face(colour) == Face::Blind);
    fields.cards(names.hand, HIGHEST, hand);
    fields.cards(names.pile, HIGHEST, pile.known());
    let aside = view.public.aside.values().map(|aside| aside[colour]);
    fields.cards(names.aside, HIGHEST, aside.collect());
}

impl EnvironmentGame for Extreme {
    fn observe(view: &View, now: Moment, fields: &mut impl Fields) {
        let public = &view.public;
        let (players, me) = (public.setup.players, view.me);
        let seats = usize::from(players);
        let (mut resting, mut raised, mut chosen) = (Seats::NONE, Seats::NONE, Seats::NONE);
        let (phase, underway) = match public.phase {
            Phase::Focus(focus) => {
                resting = focus.resting;
                (0, focus.underway)
            }
            Phase::Playing(vote) => {
                raised = vote.raised;
                (1, true)
            }
            Phase::Choosing { chosen: seats } => {
                chosen = seats;
                (2, true)
            }
            Phase::Over { .. } => (3, false),
        };
        let is_in = |set: Seats| {
            move |place| f32::from(u8::from(set.contains(seat_from(me, place, players))))
        };
        fields.number("since_s", SECONDS_MOST, seconds_since(public.since, now));
        fields.number("level", 12.0, f32::from(public.level));
        fields.number("levels", 12.0, f32::from(public.setup.levels()));
        fields.number("lives", 5.0, f32::from(public.lives));
        fields.number("stars", 3.0, f32::from(public.stars));
        fields.one_of("phase", 4, Some(phase));
        fields.flag("underway", underway);
        fields.numbers("hand_sizes", seats, 100.0, |place| {
            f32::from(view.hands[seat_from(me, place, players)].len())
        });
        fields.numbers("resting", seats, 1.0, is_in(resting));
        fields.numbers("raised", seats, 1.0, is_in(raised));
        fields.numbers("chosen", seats, 1.0, is_in(chosen));
        let choice = view.choice.map(|colour| match colour {
            Colour::White => 0,
            Colour::Red => 1,
        });
        fields.one_of("choice", 2, choice);
        for &colour in Colour::ALL {
            observe_colour(view, colour, fields);
        }
    }

    fn command_names(_: &Setup) -> Vec<String> {
        names(&COMMANDS)
    }

    fn command(view: &View, place: usize) -> Option<Command> {
        let play = |colour: Colour| {
            let value = colour.first(view.hand()[colour])?;
            Some(Command::Play(Card { colour, value }))
        };
        Some(match place {
            1 => FocusCommand::Rest.into(),
            2 => FocusCommand::Lift.into(),
            3 => FocusCommand::Stop.into(),
            4 => VoteCommand::Raise.into(),
            5 => VoteCommand::Lower.into(),
            6 => play(Colour::White)?,
            7 => play(Colour::Red)?,
            8 => Command::Choose(Colour::White),
            9 => Command::Choose(Colour::Red),
            _ => return None,
        })
    }

    fn gain(event: &Event, _: Seat, _: u8) -> Gain {
        let lives = match event {
            Event::Notice(Notice::Erred { .. }) => 1,
            Event::Notice(Notice::Checked { cost }) => *cost,
            _ => 0,
        };
        Gain { levels: f32::from(u8::from(Self::completed(event))), lives: f32::from(lives) }
    }

    fn check_partner(partner: &Partner, _: u8) -> Result<(), PartnerError> {
        check_paced(partner)
    }

    fn cast(seats: &[SeatPlan], stars: bool, luck: &mut Chance) -> Vec<Option<Player<Self>>> {
        cast_paced(seats, stars, luck)
    }
}
