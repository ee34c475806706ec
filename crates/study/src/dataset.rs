//! What participants gave, as tables: people, groups, answers and notes.

use sha2::{Digest, Sha256};
use wire::{StudyAnswer, StudyDeal, StudyNoteKind, hex};

use crate::cohort::Cohort;
use crate::data::{DataTable, Kind, Value};
use crate::fact::{Fact, GroupId, Logged, ParticipationId};
use crate::group::GroupStage;
use crate::participation::{Participation, Stage};
use crate::text::code;
use crate::time::Time;

/// Names people and groups in the data. The salt is secret and the same for every export of a
/// study, so that exports fit together and no id leads back to a person.
pub struct Ids {
    salt: [u8; 32],
}

impl Ids {
    /// Ids with this salt.
    pub fn new(salt: [u8; 32]) -> Self {
        Self { salt }
    }

    /// The id of a participant.
    pub fn person(&self, id: ParticipationId) -> String {
        self.id("person", id.0)
    }

    /// The id of a group.
    pub fn group(&self, id: GroupId) -> String {
        self.id("group", id.0)
    }

    fn id(&self, what: &str, number: u32) -> String {
        let hash = Sha256::new_with_prefix(self.salt);
        hex(&hash.chain_update(format!("{what} {number}")).finalize()[..8])
    }
}

/// The columns with which every row begins.
const COMMON: [(&str, Kind, &str); 4] = [
    ("study", Kind::Text, "The name of the study."),
    ("file_version", Kind::Text, "The first 16 digits of the SHA-256 hash of the study's file."),
    ("consent_version", Kind::Text, "The version of information and consent, as the file has it."),
    ("program_version", Kind::Text, "The version of the program that made the export."),
];

/// Makes the tables of a study.
pub struct Tables<'a> {
    /// Everyone in the study.
    pub cohort: &'a Cohort,
    /// How people and groups are called.
    pub ids: &'a Ids,
    /// The version of the program.
    pub program: &'a str,
}

impl Tables<'_> {
    /// A table whose rows begin with the columns that all have.
    pub fn table(&self, name: &str, row: &str, columns: &[(&str, Kind, &str)]) -> DataTable {
        DataTable::new(name, row, &[&COMMON[..], columns].concat())
    }

    /// A row that begins with what all rows begin with.
    pub fn row(&self, values: Vec<Value>) -> Vec<Value> {
        let study = self.cohort.study();
        let mut row = vec![
            Value::text(&study.about.name),
            Value::text(study.about.version),
            Value::text(&study.consent.version),
            Value::text(self.program),
        ];
        row.extend(values);
        row
    }

    /// The participants whose data may be in the tables: they consented, and nothing is erased.
    pub fn participants(&self) -> impl Iterator<Item = &Participation> {
        self.cohort.participations().iter().filter(|it| is_in_data(it))
    }

    /// Whether a participant's data may be in the tables.
    pub fn has(&self, id: ParticipationId) -> bool {
        self.cohort.participation(id).is_some_and(is_in_data)
    }

    /// One row a participant.
    pub fn people(&self) -> DataTable {
        let mut table = self.table(
            "participants",
            "one participant who consented",
            &[
                ("participant", Kind::Text, "A salted id; the same in every table."),
                ("group", Kind::Text, "The group, if the participant was matched."),
                ("condition", Kind::Text, "The condition of the group."),
                ("seat", Kind::Text, "Where they sat: A, B and so on."),
                ("language", Kind::Text, "The language of all texts."),
                ("embedded", Kind::Flag, "Whether the page was shown within another site."),
                ("day", Kind::Whole, "The day of arrival, 0 for the day of the first arrival."),
                ("end", Kind::Text, "How the study ended for them; missing if it has not."),
                ("took_s", Kind::Whole, "Seconds from arrival to the end, or to the last step."),
                ("pay", Kind::Text, "What the file says is paid for this end."),
                ("link_participant", Kind::Text, "The participant id of the link, if stored."),
                ("link_study", Kind::Text, "The study id of the link, if stored."),
                ("link_session", Kind::Text, "The session id of the link, if stored."),
            ],
        );
        let study = self.cohort.study();
        let first = self.cohort.participations().first().map_or(0, |it| it.arrived.millis());
        for it in self.participants() {
            let group = it.place.and_then(|(group, _)| self.cohort.group(group));
            let condition = group.and_then(|group| study.conditions.get(group.condition));
            let link = it.arrival.parameters.clone().unwrap_or_default();
            let end = match it.stage {
                Stage::Over(end) => Some(end),
                _ => None,
            };
            let seat = it.place.and_then(|(_, seat)| rules::kit::Seat::new(seat));
            table.rows.push(self.row(vec![
                Value::text(self.ids.person(it.id)),
                Value::or_missing(group, |group| Value::text(self.ids.group(group.id))),
                Value::or_missing(condition, |condition| Value::text(&condition.name)),
                Value::or_missing(seat, Value::text),
                Value::text(code(it.language(study))),
                Value::Flag(it.arrival.embedded),
                Value::whole((it.arrived.millis() - first) / 86_400_000),
                Value::or_missing(end, |end| Value::text(<&str>::from(end))),
                Value::whole(it.since.since(it.arrived).as_secs()),
                Value::or_missing(end.and_then(|end| study.after.endings.of(end).pay), Value::text),
                Value::or_missing(link.participant, Value::text),
                Value::or_missing(link.study, Value::text),
                Value::or_missing(link.session, Value::text),
            ]));
        }
        table
    }

    /// One row a group.
    pub fn groups(&self) -> DataTable {
        let mut table = self.table(
            "groups",
            "one group",
            &[
                ("group", Kind::Text, "A salted id."),
                ("condition", Kind::Text, "Its condition."),
                ("people", Kind::Whole, "How many participants it had."),
                (
                    "order",
                    Kind::Text,
                    "The games of the condition in the order of playing, from 1.",
                ),
                ("state", Kind::Text, "open, done, or broken: a participant left for good."),
                ("games_played", Kind::Whole, "How many games were played to their end."),
            ],
        );
        let study = self.cohort.study();
        for group in self.cohort.groups() {
            let condition = study.conditions.get(group.condition);
            let order = group.order.iter().map(|game| (game + 1).to_string());
            let state = match group.stage {
                GroupStage::Gathering { .. } | GroupStage::Playing { .. } => "open",
                GroupStage::Done => "done",
                GroupStage::Broken { .. } => "broken",
            };
            table.rows.push(self.row(vec![
                Value::text(self.ids.group(group.id)),
                Value::or_missing(condition, |condition| Value::text(&condition.name)),
                Value::whole(group.members.len()),
                Value::text(order.collect::<Vec<_>>().join(" ")),
                Value::text(state),
                Value::whole(group.played.len()),
            ]));
        }
        table
    }

    /// One row an answer.
    pub fn answers(&self, log: &[Logged]) -> DataTable {
        let mut table = self.table(
            "answers",
            "one answer to one question",
            &[
                ("participant", Kind::Text, "Whose."),
                ("form", Kind::Text, "The questionnaire, or comprehension."),
                ("time", Kind::Whole, "How often this form was answered before, and once more."),
                ("question", Kind::Text, "The id of the question."),
                ("answer", Kind::Text, "The text, the option, or the options in order."),
                ("number", Kind::Real, "The number, place or point, if it is one."),
                ("right", Kind::Flag, "Whether it is the right answer, of comprehension alone."),
                ("form_took_ms", Kind::Whole, "How long the form was shown."),
                ("at_ms", Kind::Whole, "Milliseconds from the arrival to the answer."),
            ],
        );
        let mut times = std::collections::BTreeMap::new();
        for Logged { at, fact } in log {
            let (id, form, answers, wrong, took_ms) = match fact {
                Fact::Answered { participation, form, answers, took_ms } => {
                    (*participation, form.as_str(), answers, None, *took_ms)
                }
                Fact::Tried { participation, answers, wrong, took_ms } => {
                    (*participation, "comprehension", answers, Some(wrong), *took_ms)
                }
                _ => continue,
            };
            let Some(it) = self.cohort.participation(id).filter(|it| is_in_data(it)) else {
                continue;
            };
            let time = times.entry((id, form.to_owned())).or_insert(0_i64);
            *time += 1;
            for (question, answer) in answers {
                let (text, number) = match answer {
                    StudyAnswer::Text(text) | StudyAnswer::Choice(text) => {
                        (Value::text(text), Value::Missing)
                    }
                    StudyAnswer::Choices(ids) => (Value::text(ids.join(" ")), Value::Missing),
                    StudyAnswer::Number(number) => (Value::text(number), Value::Real(*number)),
                    StudyAnswer::Likert(point) => {
                        (Value::text(point), Value::Real(f64::from(*point)))
                    }
                };
                table.rows.push(self.row(vec![
                    Value::text(self.ids.person(id)),
                    Value::text(form),
                    Value::Whole(*time),
                    Value::text(question),
                    text,
                    number,
                    Value::or_missing(wrong, |wrong| Value::Flag(!wrong.contains(question))),
                    Value::whole(took_ms),
                    Value::whole(since(*at, it.arrived)),
                ]));
            }
        }
        table
    }

    /// One row a note of a page.
    pub fn notes(&self, log: &[Logged]) -> DataTable {
        let mut table = self.table(
            "notes",
            "one note of a participant's page",
            &[
                ("participant", Kind::Text, "Whose page."),
                ("received_ms", Kind::Whole, "Milliseconds from the arrival until the server had it."),
                ("at_ms", Kind::Real, "When it happened, in milliseconds of the server's clock; the server's start is 0."),
                ("what", Kind::Text, "screen, hidden, seen, shown or pressed."),
                ("table", Kind::Text, "The table, as a salted id of its group and the game's number."),
                ("seq", Kind::Whole, "The update that was shown."),
                ("message", Kind::Text, "The page and number of the message that was pressed."),
                ("input", Kind::Text, "What was pressed with."),
                ("width_px", Kind::Whole, "The width of the page in CSS pixels."),
                ("height_px", Kind::Whole, "Its height."),
                ("scale", Kind::Real, "Device pixels in a CSS pixel."),
            ],
        );
        for Logged { at, fact } in log {
            let Fact::Noted { participation, notes } = fact else { continue };
            let found = self.cohort.participation(*participation).filter(|it| is_in_data(it));
            let Some(it) = found else { continue };
            for note in notes {
                let mut row = vec![
                    Value::text(self.ids.person(*participation)),
                    Value::whole(since(*at, it.arrived)),
                    Value::Real(note.at),
                ];
                row.extend(self.note(note.what));
                table.rows.push(self.row(row));
            }
        }
        table
    }

    fn note(&self, what: StudyNoteKind) -> [Value; 8] {
        let mut row = [(); 8].map(|()| Value::Missing);
        match what {
            StudyNoteKind::Screen { width, height, scale } => {
                row[0] = Value::text("screen");
                row[5] = Value::whole(width);
                row[6] = Value::whole(height);
                row[7] = Value::Real(f64::from(scale));
            }
            StudyNoteKind::Hidden => row[0] = Value::text("hidden"),
            StudyNoteKind::Seen => row[0] = Value::text("seen"),
            StudyNoteKind::Shown { table, seq } => {
                row[0] = Value::text("shown");
                row[1] = self.table_id(table);
                row[2] = Value::whole(seq);
            }
            StudyNoteKind::Pressed { table, client, id, input } => {
                row[0] = Value::text("pressed");
                row[1] = self.table_id(table);
                row[3] = Value::text(format_args!("{client}-{id}"));
                row[4] = Value::text(<&str>::from(input));
            }
        }
        row
    }

    /// What stands for a table in the data: its code would lead to it.
    pub fn table_id(&self, table: wire::Code) -> Value {
        let found = self.cohort.groups().iter().find_map(|group| {
            let game = group.tables.iter().position(|other| *other == table)?;
            Some(format!("{}-{}", self.ids.group(group.id), game + 1))
        });
        Value::or_missing(found, Value::text)
    }

    /// One row a deal.
    pub fn deals(&self, deals: &[StudyDeal]) -> DataTable {
        let mut table = self.table(
            "deals",
            "the deal of one game of one condition",
            &[
                ("condition", Kind::Text, "The condition."),
                ("game", Kind::Whole, "Which of its games, from 1, as the file has them."),
                ("commitment", Kind::Text, "The SHA-256 hash of the seed's digits."),
                ("seed", Kind::Text, "The seed, once the study is closed."),
            ],
        );
        for deal in deals {
            table.rows.push(self.row(vec![
                Value::text(&deal.condition),
                Value::whole(deal.game),
                Value::text(deal.commitment),
                Value::or_missing(deal.seed.as_ref(), Value::text),
            ]));
        }
        table
    }

    /// What is stored and not in the tables, a sentence each.
    pub fn left_out(&self) -> Vec<String> {
        let all = self.cohort.participations();
        let without = all.iter().filter(|it| !it.erased && !is_in_data(it)).count();
        let erased = all.iter().filter(|it| it.erased).count();
        let on = all.iter().filter(|it| !it.is_over()).count();
        let stores = self.cohort.study().link.store;
        let mut sentences = vec![
            format!("{without} arrivals without consent are left out."),
            format!(
                "{erased} participants withdrew or their time is over: what they gave is deleted, \
                 with the games of their groups."
            ),
            format!("{on} participants are still on their way; what they gave so far is here."),
            "Names, network addresses, cookies and times of day are in no table.".to_owned(),
            "The salt of the ids is kept in the server's data file and is in no export.".to_owned(),
        ];
        if !stores {
            sentences.push(
                "The parameters of the links were not stored: the file says store = false."
                    .to_owned(),
            );
        }
        sentences
    }
}

/// Whether a participant consented and nothing of theirs is deleted.
fn is_in_data(it: &Participation) -> bool {
    it.consented && !it.erased
}

fn since(at: Time, arrived: Time) -> u64 {
    at.millis().saturating_sub(arrived.millis())
}
