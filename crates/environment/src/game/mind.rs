//! The Mind as an environment.

use lab::Player;
use rules::family::{FocusCommand, LevelGame, OfferCommand, VoteCommand};
use rules::kit::{Chance, Moment, Seat, Seats};
use rules::mind::{Command, Event, Mind, Notice, Phase, Setup, View};

use super::{EnvironmentGame, PASS, SECONDS_MOST, names, places_to, seat_from, seconds_since};
use crate::field::Fields;
use crate::partner::{Partner, PartnerError, SeatPlan, cast_paced, check_paced};
use crate::reward::Gain;

const COMMANDS: [&str; 9] =
    [PASS, "rest", "lift", "stop", "raise", "lower", "continue", "finish", "play"];

impl EnvironmentGame for Mind {
    fn observe(view: &View, now: Moment, fields: &mut impl Fields) {
        let public = &view.public;
        let (players, me) = (public.setup.players, view.me);
        let seats = usize::from(players);
        let (mut resting, mut raised, mut agreed) = (Seats::NONE, Seats::NONE, Seats::NONE);
        let (phase, underway) = match public.phase {
            Phase::Focus(focus) => {
                resting = focus.resting;
                (0, focus.underway)
            }
            Phase::Playing(vote) => {
                raised = vote.raised;
                (1, true)
            }
            Phase::Offer(offer) => {
                agreed = offer.agreed;
                (2, false)
            }
            Phase::Over { .. } => (3, false),
        };
        let is_in = |set: Seats| {
            move |place| f32::from(u8::from(set.contains(seat_from(me, place, players))))
        };
        fields.number("since_s", SECONDS_MOST, seconds_since(public.since, now));
        fields.number("level", f32::from(Self::HIGHEST), f32::from(public.level));
        fields.number("levels", f32::from(Self::HIGHEST), f32::from(public.setup.levels));
        fields.number("lives", 5.0, f32::from(public.lives));
        fields.number("stars", 3.0, f32::from(public.stars));
        fields.one_of("phase", 4, Some(phase));
        fields.flag("underway", underway);
        fields.flag("blind", public.face() == rules::family::Face::Blind);
        fields.numbers("hand_sizes", seats, f32::from(Self::HIGHEST), |place| {
            f32::from(view.hands[seat_from(me, place, players)].len())
        });
        fields.numbers("resting", seats, 1.0, is_in(resting));
        fields.numbers("raised", seats, 1.0, is_in(raised));
        fields.numbers("agreed", seats, 1.0, is_in(agreed));
        let last = view.pile.iter().next_back();
        fields.card("lowest", Self::HIGHEST, view.hand().lowest());
        fields.card("top", Self::HIGHEST, view.pile.top());
        fields.one_of("top_by", seats, last.map(|laid| places_to(me, laid.seat(), players)));
        fields.number("pile_size", f32::from(Self::HIGHEST), f32::from(view.pile.len()));
        fields.cards("hand", Self::HIGHEST, view.hand());
        fields.cards("pile", Self::HIGHEST, view.pile.known());
        fields.cards("aside", Self::HIGHEST, public.aside.values().collect());
    }

    fn command_names(_: &Setup) -> Vec<String> {
        names(&COMMANDS)
    }

    fn command(view: &View, place: usize) -> Option<Command> {
        Some(match place {
            1 => FocusCommand::Rest.into(),
            2 => FocusCommand::Lift.into(),
            3 => FocusCommand::Stop.into(),
            4 => VoteCommand::Raise.into(),
            5 => VoteCommand::Lower.into(),
            6 => OfferCommand::Continue.into(),
            7 => OfferCommand::Finish.into(),
            8 => Command::Play(view.hand().lowest()?),
            _ => return None,
        })
    }

    fn gain(event: &Event, _: Seat, _: u8) -> Gain {
        let lives = match event {
            Event::Notice(Notice::Erred { .. }) => 1,
            Event::Notice(Notice::Turned { cost, .. }) => *cost,
            _ => 0,
        };
        Gain { levels: f32::from(u8::from(Self::completed(event))), lives: f32::from(lives) }
    }

    fn check_partner(partner: &Partner, players: u8) -> Result<(), PartnerError> {
        match partner {
            Partner::Role { role, .. } if role.is_bound() && players == 2 => Ok(()),
            other => check_paced(other),
        }
    }

    fn cast(seats: &[SeatPlan], stars: bool, luck: &mut Chance) -> Vec<Option<Player<Self>>> {
        cast_paced(seats, stars, luck)
    }
}

/// The places of commands are those of their names.
#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::{Game, Match, Seed, Viewer};

    #[test]
    fn names_are_those_of_the_notation() {
        let setup = "players=2".parse().unwrap();
        let live = Match::<Mind>::open(&setup, Seed::from(1)).commit();
        let view = live.state().view(Viewer::Seat(Seat::A));
        for (place, name) in COMMANDS.iter().enumerate().skip(1) {
            let command = Mind::command(&view, place).unwrap().to_string();
            assert_eq!(command.split(' ').next(), Some(*name));
        }
        assert_eq!(Mind::command(&view, 0), None);
        assert_eq!(Mind::command(&view, COMMANDS.len()), None);
    }
}
