//! Everyone who takes part in a study: groups, waiting, and people who go.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use table::PersonId;
use wire::{Code, StudyEnd};

use crate::assignment;
use crate::fact::{Arrival, EndedGame, Fact, GroupId, ParticipationId};
use crate::group::{Group, GroupStage};
use crate::participation::{Participation, Stage, after_game};
use crate::study::Study;
use crate::time::Time;

pub use crate::participation::ParticipationInput;

/// A waiting page asks every second or two. One that has not asked for this long is not matched.
const UNSEEN_AFTER: Duration = Duration::from_secs(8);
/// A participant who is gone for this long where no partner depends on them has dropped out.
const ABANDONED_AFTER: Duration = Duration::from_hours(24);
/// How often it is noted that a participant id came again.
const REPEATS_MOST: u32 = 20;
/// How many people may take part in one study.
const PARTICIPATIONS_MOST: usize = 100_000;

/// All participations and groups of a study.
#[derive(Clone, Debug)]
pub struct Cohort {
    study: Arc<Study>,
    participations: Vec<Participation>,
    groups: Vec<Group>,
    closed: Option<Time>,
    /// When pages were last seen, and how often a participant id came again. It is in no log:
    /// after a start everyone counts as just seen.
    seen: HashMap<ParticipationId, Time>,
    repeats: HashMap<ParticipationId, u32>,
    started: Time,
}

/// What happens to a study.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A person follows the link.
    Arrive(Arrival),
    /// A participant does something.
    Of(ParticipationId, ParticipationInput),
    /// Time passes: groups form, people are let go, or have gone.
    Tick,
    /// A table was opened for a group's next game.
    Opened {
        /// Which group.
        group: GroupId,
        /// Where.
        table: Code,
    },
    /// The game of a group is over.
    Played {
        /// Which group.
        group: GroupId,
        /// How it ended.
        result: EndedGame,
    },
    /// The operator closes the study.
    Close,
}

/// Why something is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The participant is at another step.
    #[error("the study is at another step, load the page again")]
    Moved,
    /// An answer is missing or does not fit.
    #[error("{0}")]
    Answer(String),
    /// The participant id has taken part before.
    #[error("this participant id has taken part before")]
    SecondTry(ParticipationId),
    /// The link has no participant id.
    #[error("the link has no {0}, use the link that you were given")]
    NoParticipant(String),
    /// The study takes no participants any more.
    #[error("the study takes no participants any more")]
    Closed,
}

impl Cohort {
    /// A study in which no person has taken part.
    pub fn new(study: Arc<Study>) -> Self {
        Self {
            study,
            participations: Vec::new(),
            groups: Vec::new(),
            closed: None,
            seen: HashMap::new(),
            repeats: HashMap::new(),
            started: Time::default(),
        }
    }

    /// The server has started at this time: pages that were open have had no chance to be seen.
    pub fn start(&mut self, now: Time) {
        self.started = now;
    }

    /// What participants gave who are erased has left the log: it leaves the memory, too.
    pub fn forget_erased(&mut self) {
        for it in self.participations.iter_mut().filter(|it| it.erased) {
            it.arrival = Arrival::default();
        }
    }

    /// Which study.
    pub fn study(&self) -> &Arc<Study> {
        &self.study
    }

    /// All participations in the order of their arrivals.
    pub fn participations(&self) -> &[Participation] {
        &self.participations
    }

    /// One of them.
    pub fn participation(&self, id: ParticipationId) -> Option<&Participation> {
        self.participations.get(id.0 as usize)
    }

    /// All groups in the order in which they formed.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// One of them.
    pub fn group(&self, id: GroupId) -> Option<&Group> {
        self.groups.get(id.0 as usize)
    }

    /// When the study was closed.
    pub fn closed(&self) -> Option<Time> {
        self.closed
    }

    /// The newest participation of a person.
    pub fn of_person(&self, person: PersonId) -> Option<&Participation> {
        self.participations.iter().rev().find(|it| it.arrival.person == Some(person))
    }

    /// Whether a participant's page was seen lately. Only participants with an open page are matched.
    pub(crate) fn is_there(&self, id: ParticipationId, now: Time) -> bool {
        now.since(self.last_seen(id)) < UNSEEN_AFTER
    }

    fn last_seen(&self, id: ParticipationId) -> Time {
        let since = self.participation(id).map_or(Time::default(), |it| it.since);
        self.seen.get(&id).copied().unwrap_or_default().max(since).max(self.started)
    }

    /// A participant's page was seen: it asked, or is at the table.
    pub fn see(&mut self, id: ParticipationId, now: Time) {
        let seen = self.seen.entry(id).or_default();
        *seen = now.max(*seen);
    }

    /// The facts that follow from an input. Nothing changes before they are applied, in this order.
    pub fn propose(&self, now: Time, input: Input) -> Result<Vec<Fact>, Refused> {
        match input {
            Input::Arrive(arrival) => self.arrive(arrival),
            Input::Of(id, input) => {
                let participation = self.participation(id).ok_or(Refused::Moved)?;
                let mut facts = participation.handle(&self.study, input)?;
                let leaves = facts.iter().any(|fact| matches!(fact, Fact::Ended { .. }));
                if leaves {
                    facts.extend(self.broken_by(id));
                }
                Ok(facts)
            }
            Input::Tick => Ok(self.tick(now)),
            Input::Opened { group, table } => match self.group(group).map(|it| it.stage) {
                Some(GroupStage::Gathering { game }) => {
                    Ok(vec![Fact::Opened { group, game, table }])
                }
                _ => Err(Refused::Moved),
            },
            Input::Played { group, result } => self.played(group, result),
            Input::Close if self.closed.is_some() => Err(Refused::Closed),
            Input::Close => Ok(vec![Fact::Closed]),
        }
    }

    fn arrive(&self, arrival: Arrival) -> Result<Vec<Fact>, Refused> {
        let link = &self.study.link;
        if let Some(person) = arrival.person
            && let Some(before) = self.of_person(person)
        {
            let is_same =
                arrival.participant.is_none() || arrival.participant == before.arrival.participant;
            if is_same {
                return Ok(Vec::new());
            }
            if link.once_per_browser {
                return Err(Refused::SecondTry(before.id));
            }
        }
        let same = |it: &&Participation| it.arrival.participant == arrival.participant;
        if arrival.participant.is_some()
            && let Some(before) = self.participations.iter().find(same)
        {
            let repeats = self.repeats.get(&before.id).copied().unwrap_or_default();
            if repeats < REPEATS_MOST {
                return Ok(vec![Fact::CameAgain { participation: before.id }]);
            }
            return Err(Refused::SecondTry(before.id));
        }
        if arrival.participant.is_none() && link.required {
            return Err(Refused::NoParticipant(link.participant.clone()));
        }
        if self.closed.is_some() || self.participations.len() >= PARTICIPATIONS_MOST {
            return Err(Refused::Closed);
        }
        let participation = ParticipationId(self.participations.len() as u32);
        Ok(vec![Fact::Arrived { participation, arrival }])
    }

    /// What follows for the others when a member of a group goes.
    fn broken_by(&self, id: ParticipationId) -> Vec<Fact> {
        let Some(gone) = self.participation(id).filter(|it| it.is_in_group()) else {
            return Vec::new();
        };
        let Some(group) = gone.place.and_then(|(group, _)| self.group(group)) else {
            return Vec::new();
        };
        let mut facts = vec![Fact::Broken { group: group.id, by: id }];
        if self.study.forms(crate::study::When::After).next().is_none() {
            let others = group.members.iter().filter(|other| **other != id);
            let others = others.filter(|other| {
                self.participation(**other).is_some_and(Participation::is_in_group)
            });
            facts.extend(
                others
                    .map(|other| Fact::Ended { participation: *other, end: StudyEnd::PartnerLeft }),
            );
        }
        facts
    }

    fn played(&self, group: GroupId, result: EndedGame) -> Result<Vec<Fact>, Refused> {
        let found = self.group(group).ok_or(Refused::Moved)?;
        let GroupStage::Playing { game, .. } = found.stage else { return Err(Refused::Moved) };
        let is_last = usize::from(game) + 1 == found.order.len();
        let mut facts = vec![Fact::Played { group, game, result }];
        let has_more = self.study.forms(crate::study::When::After).next().is_some();
        if is_last && !has_more {
            let ended = found
                .members
                .iter()
                .map(|member| Fact::Ended { participation: *member, end: StudyEnd::Completed });
            facts.extend(ended);
        }
        Ok(facts)
    }

    fn tick(&self, now: Time) -> Vec<Fact> {
        let mut facts = Vec::new();
        for it in &self.participations {
            let unseen = now.since(self.last_seen(it.id));
            let waited = now.since(it.since);
            let end = match &it.stage {
                Stage::Over(_) => {
                    let days = u64::from(self.study.after.data.retention_days);
                    let is_due = now.since(it.since) >= Duration::from_hours(24 * days);
                    if is_due && !it.erased {
                        facts.push(Fact::Erased { participation: it.id });
                    }
                    continue;
                }
                Stage::Waiting if unseen >= self.study.table.away => StudyEnd::DroppedOut,
                Stage::Waiting if waited >= self.study.waiting.limit => StudyEnd::NoPartner,
                _ if it.is_in_group() && unseen >= self.study.table.away => StudyEnd::DroppedOut,
                _ if unseen >= ABANDONED_AFTER => StudyEnd::DroppedOut,
                _ => continue,
            };
            // One of a group that two people left at once breaks it.
            let is_broken_already = it.place.is_some_and(|(group, _)| {
                let breaks = |fact: &Fact| matches!(fact, Fact::Broken { group: other, .. } if *other == group);
                facts.iter().any(breaks)
            });
            let has_ended = |fact: &Fact| matches!(fact, Fact::Ended { participation, .. } if *participation == it.id);
            if facts.iter().any(has_ended) {
                continue;
            }
            facts.push(Fact::Ended { participation: it.id, end });
            if !is_broken_already {
                facts.extend(self.broken_by(it.id));
            }
        }
        let ended = facts.iter().filter_map(Fact::participation).collect::<Vec<_>>();
        facts.extend(self.form_groups(now, &ended));
        facts
    }

    /// groups of people who wait, in the order of their waits. The next condition decides
    /// how many it takes: while they are too few, no person is taken for another condition.
    fn form_groups(&self, now: Time, ended: &[ParticipationId]) -> Vec<Fact> {
        let is_waiting = |it: &&Participation| {
            it.stage == Stage::Waiting && !ended.contains(&it.id) && self.is_there(it.id, now)
        };
        let mut waiting = self.participations.iter().filter(is_waiting).collect::<Vec<_>>();
        waiting.sort_by_key(|it| (it.since, it.id));
        let mut waiting = waiting.into_iter().map(|it| it.id);
        let (mut groups, mut facts) = (self.groups.clone(), Vec::new());
        loop {
            let condition = assignment::next_condition(&self.study, &groups);
            let Some(found) = self.study.conditions.get(condition) else { return facts };
            let members = waiting.by_ref().take(found.people()).collect::<Vec<_>>();
            if members.is_empty() || members.len() < found.people() {
                return facts;
            }
            let group = GroupId(groups.len() as u32);
            let order = assignment::order(&self.study, condition, &groups);
            let name = found.name.clone();
            groups.push(new_group(group, condition, members.clone(), order.clone(), now));
            facts.push(Fact::Grouped { group, condition: name, members, order });
        }
    }

    /// Takes in a fact that is durable. Fails if it does not follow from those before, as in a log
    /// that was edited; then nothing has changed.
    pub fn apply(&mut self, at: Time, fact: &Fact) -> Result<(), String> {
        if let Some(id) = fact.participation()
            && !matches!(fact, Fact::Arrived { .. })
            && self.participation(id).is_none()
        {
            return Err(format!("there is no {id}"));
        }
        match fact {
            Fact::Arrived { participation, arrival } => {
                if participation.0 as usize != self.participations.len() {
                    return Err(format!("{participation} is not the next one"));
                }
                let begun = Participation::begun(*participation, arrival.clone(), at);
                self.participations.push(begun);
            }
            Fact::CameAgain { participation } => {
                *self.repeats.entry(*participation).or_default() += 1;
            }
            Fact::Grouped { group, condition, members, order } => {
                let named = |it: &crate::study::Condition| it.name == *condition;
                let number = self.study.conditions.iter().position(named);
                let condition = number.ok_or_else(|| format!("no condition is {condition}"))?;
                if group.0 as usize != self.groups.len() {
                    return Err("it is not the next group".to_owned());
                }
                for (seat, member) in members.iter().enumerate() {
                    let place = Some((*group, seat));
                    self.change(*member, |it| {
                        it.place = place;
                        it.go_to(Stage::Gathered { game: 0 }, at);
                    })?;
                }
                self.groups.push(new_group(*group, condition, members.clone(), order.clone(), at));
            }
            Fact::Opened { group, game, table } => {
                let (game, table) = (*game, *table);
                let members = self.change_group(*group, |it| {
                    it.stage = GroupStage::Playing { game, table };
                    it.tables.push(table);
                })?;
                for member in members {
                    self.change(member, |it| it.go_to(Stage::Playing { game }, at))?;
                }
            }
            Fact::Played { group, game, result } => self.apply_played(at, *group, *game, result)?,
            Fact::Broken { group, by } => {
                let members =
                    self.change_group(*group, |it| it.stage = GroupStage::Broken { by: *by })?;
                let study = self.study.clone();
                for member in members.into_iter().filter(|member| member != by) {
                    self.change(member, |it| {
                        if it.is_in_group() {
                            it.cut_short = true;
                            it.go_to(after_game(&study, 0, true), at);
                        }
                    })?;
                }
            }
            Fact::Closed => self.closed = Some(at),
            Fact::Consented { participation, .. }
            | Fact::Read { participation, .. }
            | Fact::Tried { participation, .. }
            | Fact::Answered { participation, .. }
            | Fact::Ended { participation, .. }
            | Fact::Erased { participation }
            | Fact::Noted { participation, .. } => {
                let study = self.study.clone();
                self.change(*participation, |it| it.apply(&study, at, fact))?;
            }
        }
        if let Some(id) = fact.participation() {
            self.see(id, at);
        }
        Ok(())
    }

    fn apply_played(
        &mut self,
        at: Time,
        group: GroupId,
        game: u8,
        result: &EndedGame,
    ) -> Result<(), String> {
        let mut is_last = false;
        let members = self.change_group(group, |it| {
            it.played.push(result.clone());
            is_last = usize::from(game) + 1 >= it.order.len();
            let next = GroupStage::Gathering { game: game + 1 };
            it.stage = if is_last { GroupStage::Done } else { next };
        })?;
        let study = self.study.clone();
        for member in members {
            self.change(member, |it| {
                if it.stage == (Stage::Playing { game }) {
                    it.go_to(after_game(&study, game, is_last), at);
                }
            })?;
        }
        Ok(())
    }

    fn change(
        &mut self,
        id: ParticipationId,
        change: impl FnOnce(&mut Participation),
    ) -> Result<(), String> {
        let found = self.participations.get_mut(id.0 as usize);
        found.map(change).ok_or_else(|| format!("there is no {id}"))
    }

    fn change_group(
        &mut self,
        id: GroupId,
        change: impl FnOnce(&mut Group),
    ) -> Result<Vec<ParticipationId>, String> {
        let found = self.groups.get_mut(id.0 as usize);
        let group = found.ok_or_else(|| format!("there is no group {}", id.0))?;
        change(group);
        Ok(group.members.clone())
    }

    /// The groups whose people are all ready for a game, and which game of the condition that is.
    pub fn ready_groups(&self) -> impl Iterator<Item = (&Group, u8)> {
        self.groups.iter().filter_map(|group| match group.stage {
            GroupStage::Gathering { game } => {
                let is_ready = |member: &ParticipationId| {
                    let found = self.participation(*member);
                    found.is_some_and(|it| it.stage == (Stage::Gathered { game }))
                };
                let ready = group.members.iter().all(is_ready);
                ready.then_some((group, game))
            }
            GroupStage::Playing { .. } | GroupStage::Done | GroupStage::Broken { .. } => None,
        })
    }

    /// Whether a group has played at this table, or plays there.
    pub fn has_table(&self, table: Code) -> bool {
        self.groups.iter().any(|group| group.tables.contains(&table))
    }

    /// The groups that play, each with its table.
    pub fn playing_groups(&self) -> impl Iterator<Item = (&Group, Code)> {
        self.groups.iter().filter_map(|group| match group.stage {
            GroupStage::Playing { table, .. } => Some((group, table)),
            GroupStage::Gathering { .. } | GroupStage::Done | GroupStage::Broken { .. } => None,
        })
    }
}

fn new_group(
    id: GroupId,
    condition: usize,
    members: Vec<ParticipationId>,
    order: Vec<u8>,
    formed: Time,
) -> Group {
    let stage = GroupStage::Gathering { game: 0 };
    let (tables, played) = (Vec::new(), Vec::new());
    Group { id, condition, members, order, stage, tables, played, formed }
}
