//! Whole games of The Mind by a team that sees everything, as journals: long ones take seconds.

use std::fmt::Write;
use std::time::Duration;

use rules::family::{Card, FocusCommand, OfferCommand};
use rules::kit::{Chance, Game as _, Match, Seat, Seed, Step, View as _, Viewer};
use rules::mind::{Command, Mind, Phase, Setup};
use serde_json::{Value, json};
use wire::Code;

/// How the team plays.
#[derive(Clone, Copy)]
pub struct Team {
    /// Play is stopped once in this many moves.
    pub stops_once_in: u32,
    /// While there are lives to spare, the wrong card is played once in this many moves.
    pub errs_once_in: u32,
    /// Whether it goes on blind after the victory.
    pub encore: bool,
}

/// One game after which the table rests, in the form of an export. Everyone is the same person.
pub fn journal(table: Code, person: &str, setup: &str, team: Team, seed: u64) -> String {
    let setup = setup.parse::<Setup>().unwrap();
    let wired = wire::Setup::Mind(setup);
    let mut lines = Lines(String::new());
    lines.push(json!({"unspoken": 1, "table": table}));
    lines.push(json!({"opened": {"setup": wired, "public": false, "by": person}}));
    let chair = |seat: Seat| match seat {
        Seat::A => json!({"person": {"id": person, "name": "Ada", "held": false}}),
        _ => json!({"bot": "steady"}),
    };
    let chairs = Seat::all(setup.players).map(chair).collect::<Vec<_>>();
    lines.push(json!({"seated": {"seating": {"host": person, "chairs": chairs}}}));
    let luck = Seed::from(seed);
    let digits = luck.bytes().iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").unwrap();
        digits
    });
    let by = json!({"person": person, "ticket": {"client": 1, "id": 1, "print": 1}});
    lines.push(json!({"started": {"setup": wired, "seed": digits, "by": by}}));
    let mut live = lines.happen(Match::<Mind>::open(&setup, luck), None);
    let mut chance = Chance::new(Seed::from(seed), u64::MAX);
    while live.outcome().is_none() {
        let (wait, seat, command) = next(&live, team, &mut chance);
        let at = live.at().after(wait);
        let step = live.submit(at, seat, command).unwrap();
        live = lines.happen(step, Some(seat));
    }
    lines.push(json!({"ended": {"outcome": live.outcome()}}));
    lines.0
}

struct Lines(String);

impl Lines {
    fn push(&mut self, line: Value) {
        writeln!(self.0, "{line}").unwrap();
    }

    fn happen(&mut self, step: Step<Mind>, by: Option<Seat>) -> Match<Mind> {
        let at = step.next().at();
        for (index, event) in step.events().iter().enumerate() {
            let mut line = json!({"at": at, "event": event});
            if let Some(seat) = by.filter(|_| index == 0) {
                line["by"] = json!({"seat": seat, "arrived": at});
            }
            self.push(json!({ "event": line }));
        }
        step.commit()
    }
}

/// What happens next: the lowest card of all after a wait in step with its distance, and now and
/// then something else.
fn next(live: &Match<Mind>, team: Team, chance: &mut Chance) -> (Duration, Seat, Command) {
    let seats = || Seat::all(live.state().players());
    let may = |command: Command| {
        let view = |seat| live.view(Viewer::Seat(seat));
        seats().find(|seat| view(*seat).permits(&command).is_ok())
    };
    let jitter = u64::from(chance.below(400_000));
    let public = live.view(Viewer::Spectator).public;
    match public.phase {
        Phase::Playing { .. } => {
            let lowest = |seat: Seat| Some((live.view(Viewer::Seat(seat)).hand().lowest()?, seat));
            let mut next = seats().filter_map(lowest).collect::<Vec<_>>();
            next.sort_unstable();
            if chance.once_in(team.stops_once_in) {
                return (
                    Duration::from_micros(900_000 + jitter),
                    Seat::A,
                    FocusCommand::Stop.into(),
                );
            }
            let errs = public.lives > 2 && chance.once_in(team.errs_once_in);
            let (card, seat) = if errs { next[next.len() - 1] } else { next[0] };
            let top = live.view(Viewer::Spectator).pile.top().map_or(0, Card::number);
            let distance = u64::from(card.number().saturating_sub(top));
            let wait = Duration::from_micros(300_000 + 250_000 * distance + jitter);
            (wait, seat, Command::Play(card))
        }
        Phase::Offer { .. } => {
            let answer = if team.encore { OfferCommand::Continue } else { OfferCommand::Finish };
            let command = answer.into();
            (Duration::from_secs(2), may(command).unwrap(), command)
        }
        Phase::Focus(_) => {
            let wait = Duration::from_micros(500_000 + jitter);
            (wait, may(FocusCommand::Rest.into()).unwrap(), FocusCommand::Rest.into())
        }
        Phase::Over { .. } => unreachable!("the game would have an outcome"),
    }
}
