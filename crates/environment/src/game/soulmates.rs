//! The Mind: Soulmates as an environment.

use lab::Player;
use rules::family::{FocusCommand, LevelGame, OfferCommand};
use rules::kit::{Chance, Moment, Seat, Seats, View as _};
use rules::soulmates::{Command, Event, Phase, Setup, Soulmates, View};

use super::{EnvironmentGame, PASS, SECONDS_MOST, places_to, seat_from, seconds_since};
use crate::field::Fields;
use crate::partner::{Partner, PartnerError, SeatPlan, cast_paced, check_paced};
use crate::reward::Gain;

/// The commands that every table has. The hints follow: as many as its level table can offer.
const COMMANDS: [&str; 8] = [PASS, "rest", "lift", "stop", "continue", "finish", "look", "play"];

/// How many sets of hints a Seer of this table can be offered: the most of all levels, for the
/// first hints and for another one after a failed attempt.
fn hints_most(setup: &Setup) -> usize {
    let levels = 1..=setup.table.levels_with_beyond();
    let rows = levels.filter_map(|level| setup.table.row(level));
    let most = rows.map(|row| row.ways().max(u64::from(row.cards) + 1)).max();
    usize::try_from(most.unwrap_or(1)).unwrap_or(usize::MAX)
}

/// The sets of hints that the view permits, in the order of the options.
fn hints(view: &View) -> Vec<Command> {
    match view.public.phase {
        Phase::Hinting | Phase::Amending => {
            let mut options = view.options();
            options.retain(|command| matches!(command, Command::Hint(_)));
            options
        }
        Phase::Looking | Phase::Focus(_) | Phase::Playing => vec![],
        Phase::Offer(_) | Phase::Over { .. } => vec![],
    }
}

impl EnvironmentGame for Soulmates {
    fn observe(view: &View, now: Moment, fields: &mut impl Fields) {
        const HIGHEST: u8 = Soulmates::HIGHEST;
        let public = &view.public;
        let (players, me) = (public.setup.players, view.me);
        let seats = usize::from(players);
        let (mut resting, mut agreed) = (Seats::NONE, Seats::NONE);
        let phase = match public.phase {
            Phase::Looking => 0,
            Phase::Hinting => 1,
            Phase::Focus(focus) => {
                resting = focus.resting;
                2
            }
            Phase::Playing => 3,
            Phase::Amending => 4,
            Phase::Offer(offer) => {
                agreed = offer.agreed;
                5
            }
            Phase::Over { .. } => 6,
        };
        let is_in = |set: Seats| {
            move |place| f32::from(u8::from(set.contains(seat_from(me, place, players))))
        };
        let row = public.row();
        fields.number("since_s", SECONDS_MOST, seconds_since(public.since, now));
        fields.number("level", 18.0, f32::from(public.level));
        fields.number("attempt", 255.0, f32::from(public.attempt));
        fields.number("lives", 5.0, f32::from(public.lives));
        fields.one_of("phase", 7, Some(phase));
        fields.number("cards", f32::from(HIGHEST), f32::from(row.cards));
        fields.number("looks", f32::from(HIGHEST), f32::from(row.look));
        fields.number("hints", f32::from(HIGHEST), f32::from(row.hints));
        fields.one_of("seer", seats, Some(places_to(me, public.seer, players)));
        fields.numbers("hand_sizes", seats, f32::from(HIGHEST), |place| {
            f32::from(view.hands[seat_from(me, place, players)].len())
        });
        fields.numbers("resting", seats, 1.0, is_in(resting));
        fields.numbers("agreed", seats, 1.0, is_in(agreed));
        let last = view.pile.iter().next_back();
        fields.card("lowest", HIGHEST, view.hand().lowest());
        fields.one_of("top_by", seats, last.map(|laid| places_to(me, laid.seat(), players)));
        fields.number("pile_size", f32::from(HIGHEST), f32::from(view.pile.len()));
        fields.cards("hand", HIGHEST, view.hand());
        fields.cards("pile", HIGHEST, view.pile.known());
        fields.cards("slate", HIGHEST, public.slate);
        fields.cards("vision", HIGHEST, view.vision.known());
    }

    fn command_names(setup: &Setup) -> Vec<String> {
        let hints = (0..hints_most(setup)).map(|number| format!("hint {number}"));
        COMMANDS.iter().map(ToString::to_string).chain(hints).collect()
    }

    fn command(view: &View, place: usize) -> Option<Command> {
        Some(match place {
            0 => return None,
            1 => FocusCommand::Rest.into(),
            2 => FocusCommand::Lift.into(),
            3 => FocusCommand::Stop.into(),
            4 => OfferCommand::Continue.into(),
            5 => OfferCommand::Finish.into(),
            6 => Command::Look,
            7 => Command::Play(view.hand().lowest()?),
            hint => *hints(view).get(hint - COMMANDS.len())?,
        })
    }

    fn mask(view: &View, mask: &mut [i8]) {
        let (own, rest) = mask.split_at_mut(COMMANDS.len().min(mask.len()));
        for (place, permitted) in own.iter_mut().enumerate() {
            let command = super::permitted_command::<Self>(view, place);
            *permitted = i8::from(place == 0 || command.is_some());
        }
        rest.fill(0);
        rest.iter_mut().zip(hints(view)).for_each(|(permitted, _)| *permitted = 1);
    }

    fn gain(event: &Event, _: Seat, _: u8) -> Gain {
        Gain {
            levels: f32::from(u8::from(Self::completed(event))),
            lives: f32::from(Self::mistakes(event)),
        }
    }

    fn check_partner(partner: &Partner, _: u8) -> Result<(), PartnerError> {
        check_paced(partner)
    }

    fn cast(seats: &[SeatPlan], stars: bool, luck: &mut Chance) -> Vec<Option<Player<Self>>> {
        cast_paced(seats, stars, luck)
    }
}
