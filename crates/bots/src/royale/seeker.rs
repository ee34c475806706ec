//! Bots that break codes.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rules::kit::{Chance, Moment};
use rules::royale::{ByZone, Command, Possible, Row, Rows, Royale, View, Zone};
use solver::{Position, Solver, Stop};

use super::maker::Maker;
use crate::Bot;

/// The skill of a codebreaking bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Skill {
    /// Asks a row that may be right, and now and then overlooks an answer.
    Novice,
    /// Always asks the row that tells most.
    Student,
    /// Asks the best row there is: from the tablebase, or as far as a bounded search sees.
    Master,
}

/// A player of Royale Mastermind. Nothing is kept from one plan to the next: the same view and the
/// same luck bring the same row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeker {
    /// How it breaks codes.
    pub skill: Skill,
    /// How it chooses codes to hide.
    pub maker: Maker,
}

/// A novice overlooks an answer in one row of this number.
const SLIP_ONCE_IN: u32 = 6;
/// Room for the states of one bounded search.
const ROOM_BITS: u32 = 16;
/// How far the Master searches; a step takes about ten microseconds.
const STEPS: u32 = 3_000;

impl Seeker {
    /// What it would do with this view: a code to hide, a row to ask, or nothing.
    pub fn choose(&self, view: &View, chance: &mut Chance) -> Option<Command> {
        if view.may_hide() {
            return self.maker.choose(view.public.pack, chance).map(Command::Hide);
        }
        let zones =
            Zone::ALL.iter().copied().filter(|zone| view.may_ask(*zone)).collect::<Vec<_>>();
        if zones.is_empty() {
            return None;
        }
        let position = Position::seen(&view.public);
        self.skill.row(&position, &zones, chance).map(Command::Ask)
    }
}

impl Skill {
    /// The row to ask in one of these zones.
    pub fn row(self, position: &Position, zones: &[Zone], chance: &mut Chance) -> Option<Row> {
        match self {
            Self::Novice => novice(position, zones, chance),
            Self::Student => Solver::with_room(ROOM_BITS).greedy_row(position, zones),
            Self::Master => {
                let mut solver = Solver::with_room(ROOM_BITS);
                let stop = &mut Stop::after_steps(STEPS);
                solver.suggest(position, zones, stop).map(|advice| advice.row)
            }
        }
    }
}

/// A row of some code that the answers allow, or all but one of them.
fn novice(position: &Position, zones: &[Zone], chance: &mut Chance) -> Option<Row> {
    let zone = *chance.pick(zones)?;
    let asked = Zone::ALL.iter().map(|zone| u32::from(position.rows()[*zone].len())).sum::<u32>();
    let overlooked = (asked > 0 && chance.once_in(SLIP_ONCE_IN)).then(|| chance.below(asked));
    let mut number = 0;
    let mut rows = ByZone::<Rows>::default();
    for zone in Zone::ALL {
        for asked in position.rows()[*zone].iter() {
            if overlooked != Some(number) {
                rows[*zone].ask(asked.row, asked.pegs);
            }
            number += 1;
        }
    }
    let possible = Possible::after(position.pack(), &rows);
    let code = possible.nth(chance.below(possible.count().max(1)))?;
    Some(Row::new(zone, code.zone(zone)))
}

impl Bot<Royale> for Seeker {
    fn plan(&mut self, view: &View, now: Moment, chance: &mut Chance) -> Option<(Moment, Command)> {
        let command = self.choose(view, chance)?;
        let thought = Duration::from_millis(1_200 + u64::from(chance.below(1_800)));
        Some((now.after(thought), command))
    }
}

impl Skill {
    /// Each of them, the weakest first.
    pub const ALL: [Self; 3] = [Self::Novice, Self::Student, Self::Master];
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Novice => "novice",
            Self::Student => "student",
            Self::Master => "master",
        })
    }
}

impl FromStr for Skill {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|skill| skill.to_string() == text);
        found.ok_or("a seeker is novice, student or master")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::{Game, Match, Seat, Seed, Viewer};

    /// Plays a whole match and returns the number of rows asked.
    fn rows_of_a_match(setup: &str, skill: Skill, maker: Maker, seed: u64) -> u32 {
        let setup = setup.parse().unwrap();
        let mut live = Match::<Royale>::open(&setup, Seed::from(seed)).commit();
        for step in 0..2_000 {
            if live.outcome().is_some() {
                let scores = live.view(Viewer::Spectator).public.scores;
                return scores.values().map(u32::from).sum();
            }
            let mut chance = Chance::new(Seed::from(seed + 1), step);
            let plans = Seat::all(live.state().players()).filter_map(|seat| {
                let view = live.view(Viewer::Seat(seat));
                let plan = Seeker { skill, maker }.plan(&view, live.at(), &mut chance)?;
                Some((plan.0, seat, plan.1))
            });
            let (at, seat, command) = plans.min_by_key(|(at, ..)| *at).expect("a bot has a plan");
            live = live.submit(at, seat, command).expect("a plan is permitted").commit();
        }
        panic!("the match has not ended: {}", live.state());
    }

    #[test]
    fn the_better_ones_need_fewer_rows() {
        let total = |skill| {
            (0..6)
                .map(|seed| rows_of_a_match("players=2", skill, Maker::Uniform, seed))
                .sum::<u32>()
        };
        let [novice, student, master] = Skill::ALL.map(total);
        assert!(master <= student && student < novice, "{master}, {student}, {novice}");
    }

    #[test]
    fn three_of_them_bring_a_match_to_its_end() {
        for skill in Skill::ALL {
            let rows = rows_of_a_match("players=3 rounds=6", skill, Maker::Cunning, 4);
            assert!(rows >= 6 * 4, "{skill}: {rows}");
        }
    }

    #[test]
    fn the_same_view_brings_the_same_row() {
        let live = Match::<Royale>::open(&"players=2".parse().unwrap(), Seed::from(2)).commit();
        let view = live.view(Viewer::Seat(Seat::all(2).next().unwrap()));
        let seeker = Seeker { skill: Skill::Master, maker: Maker::Cunning };
        let choose = || seeker.choose(&view, &mut Chance::new(Seed::from(3), 1));
        assert_eq!(choose(), choose());
    }

    #[test]
    fn skills_are_read_as_they_are_written() {
        for skill in Skill::ALL {
            assert_eq!(skill.to_string().parse(), Ok(skill));
        }
    }
}
