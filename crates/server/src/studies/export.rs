//! The data of a study: what its log and the journals of its tables say, as tables.

use std::collections::HashMap;

use journal::{Fault, Key};
use rules::kit::Seat;
use sha2::{Digest, Sha256};
use study::{DataTable, Dataset, Fact, Group, Ids, Kind, Logged, ParticipationId, Tables, Value};
use table::{Cause, TableGame};
use wire::{Code, StudyInput, StudyNoteKind, with_game};

use super::deals::deals;
use super::ledger::LogLine;
use super::registry::RunningStudy;
use crate::App;
use crate::replay::{FinishedGame, Games, Move, reached};

/// What a page noted of one press.
#[derive(Clone, Copy)]
struct PressNote {
    at_ms: f64,
    input: StudyInput,
    /// The last update that was on the screen before, and how long.
    shown: Option<(u32, f64)>,
    /// The page's size by then.
    screen: Option<(u16, u16)>,
    /// Whether the page was hidden by then.
    hidden: bool,
}

/// What pages noted of presses: by participant, table, page and message.
type PressNotes = HashMap<(ParticipationId, Code, u32, u32), PressNote>;

/// All data of a study. The same file gives the same data.
pub(crate) async fn export(app: &App, running: &RunningStudy) -> Result<Dataset, Fault> {
    let (cohort, lines) = {
        let ledger = running.ledger.lock().await;
        (ledger.cohort.clone(), ledger.stored(&*app.studies.journal).await?)
    };
    let log = lines.into_iter().map(|LogLine { at, fact, .. }| Logged { at, fact });
    let log = log.collect::<Vec<_>>();
    let secret = &app.shared.deals;
    let name = &running.study.about.name;
    let salt = Sha256::digest(format!("{secret}\nids of study\n{name}"));
    let ids = Ids::new(salt.into());
    let tables = Tables { cohort: &cohort, ids: &ids, program: env!("CARGO_PKG_VERSION") };
    let mut left_out = tables.left_out();
    let (games, presses) = played(app, &tables, &press_notes(&log), &mut left_out).await?;
    let shown = running.are_deals_public().await;
    if !shown {
        left_out.push("The seeds of the deals are secret until the study is closed.".to_owned());
    }
    Ok(Dataset {
        study: name.to_string(),
        file: running.text.clone(),
        tables: vec![
            tables.people(),
            tables.groups(),
            games,
            presses,
            tables.answers(&log),
            tables.notes(&log),
            tables.deals(&deals(secret, &running.study, shown)),
        ],
        left_out,
    })
}

/// What pages noted of each press, with what they had noted before it.
fn press_notes(log: &[Logged]) -> PressNotes {
    let mut found = PressNotes::new();
    let mut by_person = HashMap::<ParticipationId, Vec<wire::StudyNote>>::new();
    for Logged { fact, .. } in log {
        if let Fact::Noted { participation, notes } = fact {
            by_person.entry(*participation).or_default().extend(notes);
        }
    }
    for (participation, notes) in by_person {
        let (mut shown, mut screen, mut hidden) = (HashMap::new(), None, false);
        for note in notes {
            match note.what {
                StudyNoteKind::Screen { width, height, .. } => screen = Some((width, height)),
                StudyNoteKind::Hidden => hidden = true,
                StudyNoteKind::Seen => hidden = false,
                StudyNoteKind::Shown { table, seq } => {
                    shown.insert(table, (seq, note.at));
                }
                StudyNoteKind::Pressed { table, client, id, input } => {
                    let before = shown.get(&table).copied();
                    let before = before.map(|(seq, at): (u32, f64)| (seq, note.at - at));
                    let press = PressNote { at_ms: note.at, input, shown: before, screen, hidden };
                    found.insert((participation, table, client, id), press);
                }
            }
        }
    }
    found
}

/// The tables of games and presses.
async fn played(
    app: &App,
    tables: &Tables<'_>,
    notes: &PressNotes,
    left_out: &mut Vec<String>,
) -> Result<(DataTable, DataTable), Fault> {
    let mut games = tables.table(
        "games",
        "one game of one group",
        &[
            ("group", Kind::Text, "The group."),
            ("game", Kind::Whole, "Which of its games, from 1 in the order of playing."),
            ("place", Kind::Whole, "Which game of the condition it is, from 1."),
            ("setup", Kind::Text, "What was played, in the game's notation."),
            ("outcome", Kind::Text, "won, lost or best; missing if it was broken off."),
            ("reached", Kind::Text, "How far it came, as JSON."),
            ("plays", Kind::Whole, "How many moves were made."),
        ],
    );
    let mut presses = tables.table(
        "presses",
        "one move of one seat",
        &[
            ("group", Kind::Text, "The group."),
            ("game", Kind::Whole, "Which of its games, from 1 in the order of playing."),
            ("move", Kind::Whole, "The number of the move in its game, from 1."),
            ("seat", Kind::Text, "The seat: A, B and so on."),
            ("participant", Kind::Text, "Who sits there; missing for a bot."),
            ("what", Kind::Text, "What happened first, in the game's notation."),
            ("level", Kind::Whole, "The level, if a card was played."),
            ("attempt", Kind::Whole, "Which try of the level."),
            ("card", Kind::Text, "The card that was played."),
            ("result", Kind::Text, "How the card went: the result as the replay names it."),
            ("at_us", Kind::Whole, "When the move counts, in microseconds of the game's clock, which stands still during pauses."),
            ("wait_us", Kind::Whole, "How long after the last play or the start it is."),
            ("claimed_us", Kind::Whole, "When the participant's page says that they pressed."),
            ("arrived_us", Kind::Whole, "When it reached the server."),
            ("bound_us", Kind::Whole, "How far before its arrival a press was believed."),
            ("error_us", Kind::Whole, "By how much at_us may be off: the bound; 0 for bots."),
            ("round_trip_us", Kind::Whole, "The usual round trip of the connection then."),
            ("hold_us", Kind::Whole, "How long it was held for presses that may have been earlier."),
            ("photo_us", Kind::Whole, "How close another press was, if it was put before that by a photo finish."),
            ("page_ms", Kind::Real, "When it was pressed, in milliseconds of the server's clock, as in notes."),
            ("input", Kind::Text, "What was pressed with."),
            ("seen_seq", Kind::Whole, "The last update that was on the screen."),
            ("seen_for_ms", Kind::Real, "For how long it was."),
            ("width_px", Kind::Whole, "The width of the page."),
            ("height_px", Kind::Whole, "Its height."),
            ("hidden", Kind::Flag, "Whether the page was hidden."),
        ],
    );
    let mut missing = 0;
    for group in tables.cohort.groups() {
        for (number, code) in group.tables.iter().enumerate() {
            let key = code.as_str().parse::<Key>().map_err(|e| Fault::Disk(e.to_string()))?;
            let lines = app.shared.redacted.lines(&key).await?;
            let damaged = |e: crate::replay::NoReplay| Fault::Damaged(format!("{code}: {e}"));
            let Games { over, on } = Games::read(&lines, *code).map_err(damaged)?;
            let Some(past) = over.into_iter().next().or(on) else {
                missing += 1;
                continue;
            };
            let seated = SeatedGame { tables, group, number, code: *code, past: &past, notes };
            let rows = with_game!(past.setup, G, setup => seated.rows::<G>(&setup));
            let rows = rows.map_err(damaged)?;
            games.rows.push(seated.game(rows.len())?);
            presses.rows.extend(rows);
        }
    }
    if missing > 0 {
        left_out.push(format!("{missing} games are deleted."));
    }
    Ok((games, presses))
}

/// A game of a group.
struct SeatedGame<'a> {
    tables: &'a Tables<'a>,
    group: &'a Group,
    number: usize,
    code: Code,
    past: &'a FinishedGame,
    notes: &'a PressNotes,
}

impl SeatedGame<'_> {
    fn game(&self, moves: usize) -> Result<Vec<Value>, Fault> {
        let damaged = |e: crate::replay::NoReplay| Fault::Damaged(e.to_string());
        let reached = reached(self.past).map_err(damaged)?;
        let reached = serde_json::to_string(&reached).map_err(|e| Fault::Damaged(e.to_string()))?;
        let setup = with_game!(self.past.setup, G, setup => setup.to_string());
        let outcome = self.past.outcome.map(|outcome| match outcome {
            rules::kit::Outcome::Won => "won",
            rules::kit::Outcome::Lost => "lost",
            rules::kit::Outcome::Best(_) => "best",
        });
        let place = self.group.order.get(self.number);
        Ok(self.tables.row(vec![
            Value::text(self.tables.ids.group(self.group.id)),
            Value::whole(self.number + 1),
            Value::or_missing(place, |place| Value::whole(u16::from(*place) + 1)),
            Value::text(setup),
            Value::or_missing(outcome, Value::text),
            Value::text(reached),
            Value::whole(moves),
        ]))
    }

    /// The participant at a seat, if their data may be in the tables.
    fn participant(&self, seat: Seat) -> Option<ParticipationId> {
        let id = self.group.members.get(seat.index()).copied();
        id.filter(|id| self.tables.has(*id))
    }

    /// The moves of the game, a row each.
    fn rows<G: TableGame>(
        &self,
        setup: &G::Setup,
    ) -> Result<Vec<Vec<Value>>, crate::replay::NoReplay> {
        let (mut state, mut rows) = (G::new(setup), Vec::new());
        for Move { at, by, events, .. } in self.past.moves::<G>()? {
            let mut play = None;
            for (index, event) in events.iter().enumerate() {
                if let Some(found) = state.play_of(event)
                    && play.is_none()
                {
                    play = Some((found, G::result_of(&events[index + 1..])));
                }
                state.apply(at, event);
            }
            let Some(cause) = by else { continue };
            let what = events.first().map(ToString::to_string);
            let mut row = vec![
                Value::text(self.tables.ids.group(self.group.id)),
                Value::whole(self.number + 1),
                Value::whole(rows.len() + 1),
                Value::text(cause.seat),
            ];
            let participant = self.participant(cause.seat);
            row.push(Value::or_missing(participant, |id| Value::text(self.tables.ids.person(id))));
            row.push(Value::or_missing(what, Value::text));
            match play {
                Some((play, result)) => {
                    let wait = play.since.map(|since| at.micros().saturating_sub(since.micros()));
                    row.extend([
                        Value::whole(play.level),
                        Value::whole(play.attempt),
                        Value::text(play.card),
                        Value::text(result),
                        Value::whole(at.micros()),
                        Value::or_missing(wait, Value::whole),
                    ]);
                }
                None => {
                    row.extend([(); 4].map(|()| Value::Missing));
                    row.extend([Value::whole(at.micros()), Value::Missing]);
                }
            }
            row.extend(timing(&cause));
            row.extend(self.noted(participant, &cause));
            rows.push(self.tables.row(row));
        }
        Ok(rows)
    }

    /// What the participant's page noted of a move.
    fn noted(&self, participant: Option<ParticipationId>, cause: &Cause) -> [Value; 7] {
        let note = participant.zip(cause.ticket).and_then(|(participant, ticket)| {
            self.notes.get(&(participant, self.code, ticket.client, ticket.id))
        });
        let Some(note) = note else { return [(); 7].map(|()| Value::Missing) };
        let shown = note.shown;
        [
            Value::Real(note.at_ms),
            Value::text(<&str>::from(note.input)),
            Value::or_missing(shown, |(seq, _)| Value::whole(seq)),
            Value::or_missing(shown, |(_, ms)| Value::Real(ms)),
            Value::or_missing(note.screen, |(width, _)| Value::whole(width)),
            Value::or_missing(note.screen, |(_, height)| Value::whole(height)),
            Value::Flag(note.hidden),
        ]
    }
}

/// How a move was timed.
fn timing(cause: &Cause) -> [Value; 7] {
    let fair = cause.fair.as_ref();
    let is_person = cause.ticket.is_some();
    let bound = fair.map(|fair| fair.bound);
    [
        Value::or_missing(fair, |fair| Value::whole(fair.claim.micros())),
        Value::whole(cause.arrived.micros()),
        Value::or_missing(bound, Value::whole),
        if is_person { Value::or_missing(bound, Value::whole) } else { Value::Whole(0) },
        Value::or_missing(fair.and_then(|fair| fair.trip), Value::whole),
        Value::or_missing(fair.map(|fair| fair.hold), Value::whole),
        Value::or_missing(fair.and_then(|fair| fair.photo), Value::whole),
    ]
}
