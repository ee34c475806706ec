//! Checks of the texts that viewers are sent, against the fold of the durable lines.

use bytes::Bytes;
use rules::kit::{Seat, Viewer};
use serde::Deserialize;
use serde_json::value::RawValue;
use table::Occupant;
use table::fair::Stamp;
use wire::{Code, Help, PhotoFinish, Sitter};

use crate::check::settled;
use crate::connection::Down;
use crate::game::{AnyGame, Shown};
use crate::people::Content;
use crate::reference::Stage;
use crate::violation::{Check, Checked, Violation, hold};
use crate::world::World;

/// What a connection was sent.
#[derive(Default)]
pub(crate) struct Sent {
    /// The table as the page knows it, without what changes all the time.
    pub(crate) table: Option<wire::Table>,
    pub(crate) you: Option<Seat>,
    show_at: f64,
    pub(crate) shown: Option<Shown>,
    help: Option<Help>,
    /// When it was last sent an update, and whether play went on then.
    last: (Stamp, bool),
    /// When its player was last refused something.
    refused_at: Option<Stamp>,
    /// Up to which `seq` it was sent sights.
    sighted: u64,
    /// Whether the last update brought the table.
    is_whole: bool,
    /// Whether the connection has left and may join again.
    may_restart: bool,
}

impl Sent {
    /// The connection leaves: if it joins again, it is sent everything anew.
    pub(crate) fn leave(&mut self) {
        self.may_restart = true;
    }

    /// The table has handled all its inputs, also that the connection left.
    pub(crate) fn rest(&mut self) {
        self.may_restart = false;
    }

    /// The connection was taken in: its last update has brought everything.
    pub(crate) fn admitted(&mut self) -> Checked {
        hold!(self.is_whole, Contract, "a connection was taken in without being sent the table");
        Ok(())
    }
}

/// An update as far as it has to be read.
#[derive(Deserialize)]
struct Update<'a> {
    code: Code,
    #[serde(borrow, default)]
    table: Option<&'a RawValue>,
    #[serde(default)]
    you: Option<Seat>,
    seq: u64,
    #[serde(default)]
    ack: Option<u32>,
    #[serde(borrow, default)]
    sights: Option<&'a RawValue>,
    #[serde(borrow, default)]
    view: Option<&'a RawValue>,
    #[serde(borrow, default)]
    options: Option<&'a RawValue>,
    #[serde(default)]
    help: Option<Help>,
    #[serde(default)]
    photo_finish: Option<PhotoFinish>,
    show_at: f64,
}

#[derive(Deserialize)]
struct Refused {
    id: Option<u32>,
    code: String,
}

#[derive(Deserialize)]
struct Said {
    name: String,
    text: String,
}

fn unreadable(error: serde_json::Error) -> Violation {
    Violation { check: Check::Sent, text: format!("a text cannot be read: {error}") }
}

/// How many elements a list has: sights are objects, so their number is told by the commas
/// between them at the top.
fn count(list: &str) -> Result<usize, serde_json::Error> {
    serde_json::from_str::<Vec<&RawValue>>(list).map(|list| list.len())
}

impl World {
    /// Compares a text with the durable lines, and returns what its page was sent.
    pub(crate) fn check_text(&mut self, conn: usize, text: &Bytes) -> Checked<Down> {
        let text = std::str::from_utf8(text).unwrap_or_default();
        if text.starts_with(r#"{"t":"update""#) {
            let update = serde_json::from_str::<Update>(text).map_err(unreadable)?;
            return self.check_update(conn, &update);
        }
        let page = self.conns[conn].page;
        if text.starts_with(r#"{"t":"refused""#) {
            let refused = serde_json::from_str::<Refused>(text).map_err(unreadable)?;
            let Some(id) = refused.id else {
                // It answers no message: the host has removed the person.
                let is_known = matches!(refused.code.as_ref(), "removed" | "no-spectators");
                hold!(is_known, Contract, "{} without a message", refused.code);
                return Ok(Down::Bye);
            };
            self.check_answer(page, id)?;
            self.conns[conn].sent.refused_at = Some(self.now);
            let ticket = self.pages[page].letters[id as usize].ticket;
            let key = (self.human(conn).person.id, ticket.client, id);
            let is_done = self.server.reference.is_done(key, ticket);
            let is_known = !is_done || refused.code == "id-reused";
            hold!(
                is_known,
                Durable,
                "message {id} of page {page} was done and is refused: {}",
                refused.code
            );
            return Ok(Down::Refused(id));
        }
        let said = serde_json::from_str::<Said>(text).map_err(unreadable)?;
        let mut letters = self.pages[page].letters.iter();
        let own = letters.rposition(
            |letter| matches!(&letter.content, Content::Say(text) if *text == said.text),
        );
        // A page that uses a number again says so. The table takes such a message if it does not
        // know the first one any more: that one changed nothing, and the server has restarted.
        let is_own = said.name == self.human(conn).person.name.as_str();
        let reused = said.text.strip_prefix("not ").filter(|_| is_own);
        let own = own.map(|id| id as u32);
        if let Some(id) = own.or(reused.and_then(|id| id.parse().ok())) {
            self.outstanding.answered(page, id);
        }
        Ok(Down::Said(own.unwrap_or(u32::MAX)))
    }

    /// An answer to a message: the message was handed in, and not answered more often than that.
    fn check_answer(&mut self, page: usize, id: u32) -> Checked {
        self.outstanding.answered(page, id);
        let Some(letter) = self.pages[page].letters.get_mut(id as usize) else {
            hold!(false, Contract, "message {id} of page {page} was never sent and is answered");
            return Ok(());
        };
        letter.answered += 1;
        let (answered, handed) = (letter.answered, letter.handed);
        hold!(
            answered <= handed,
            Contract,
            "message {id} of page {page} was handed in {handed} times and answered {answered} times"
        );
        Ok(())
    }

    fn check_ack(&mut self, conn: usize, id: u32) -> Checked {
        let page = self.conns[conn].page;
        self.check_answer(page, id)?;
        let person = self.human(conn).person.id;
        let letter = &mut self.pages[page].letters[id as usize];
        if letter.content.has_line() {
            self.tally.acks += 1;
            let key = (person, letter.ticket.client, id);
            let is_done = self.server.reference.is_done(key, letter.ticket);
            let content = &letter.content;
            // A request that changes nothing has no line. Sent again, it is acknowledged again,
            // also if the table has changed since.
            letter.changed_nothing |= matches!(content, Content::Ask(request)
                if self.server.reference.is_already_so(person, request));
            hold!(
                is_done || letter.changed_nothing,
                Durable,
                "{content:?} of page {page} is acknowledged and not durable"
            );
        }
        Ok(())
    }

    fn check_update(&mut self, conn: usize, update: &Update) -> Checked<Down> {
        let sent = &mut self.conns[conn].sent;
        if sent.may_restart && update.table.is_some() {
            *sent = Sent { may_restart: true, ..Sent::default() };
        }
        sent.is_whole = update.table.is_some();
        let person = self.human(conn).person.id;
        let viewer = self.server.reference.viewer(person);
        hold!(update.code == self.server.code, Sent, "an update of another table");
        let shown = self.check_game(viewer, update)?;
        if let Some(row) = update.help.and_then(|help| help.suggestion) {
            let is_advised =
                viewer.seat().is_some_and(|seat| self.presses.advised.contains(&(seat, Some(row))));
            hold!(is_advised, Sent, "{viewer} is sent advice that the solver did not give");
        }
        self.check_sights(conn, viewer, update)?;
        if let Some(photo) = update.photo_finish {
            hold!(photo.first != photo.second, Sent, "a photo finish of one player");
        }
        if let Some(id) = update.ack {
            self.check_ack(conn, id)?;
        }
        self.check_news(conn, shown, update)?;
        let show_most = self.now.after(self.server.settings.tuning.show_max).to_wire();
        let sent = &mut self.conns[conn].sent;
        let (show_at, before) = (update.show_at, sent.show_at);
        hold!(show_at >= before, Contract, "show_at goes back from {before} to {show_at}");
        hold!(show_at <= show_most.max(before), Contract, "show_at {show_at} is too late");
        let now = self.now.to_wire();
        hold!(show_at >= now, Contract, "show_at {show_at} has passed");
        let at_once = update.sights.is_some() || sent.may_restart || show_at <= now.max(before);
        hold!(at_once, Contract, "nothing happened and the update waits until {show_at}");
        sent.show_at = show_at;
        (sent.shown, sent.help) = (shown, update.help);
        if update.sights.is_some() && show_at > before && !sent.may_restart {
            // All viewers are shown an event at the same instant.
            let happened = (self.now, shown.map_or(0, |shown| shown.place));
            let known = self.presses.showing.filter(|(other, _)| *other == happened);
            let is_same = known.is_none_or(|(_, at)| at == Stamp::from_wire(show_at));
            hold!(
                is_same,
                Contract,
                "what happened is shown at {show_at}, and to others {known:?}"
            );
            self.presses.showing = Some((happened, Stamp::from_wire(show_at)));
        }
        match update.table {
            Some(table) => {
                let table = serde_json::from_str::<wire::Table>(table.get()).map_err(unreadable)?;
                self.conns[conn].sent.you = update.you;
                hold!(
                    update.you == viewer.seat(),
                    Sent,
                    "{viewer} is sent the seat {:?}",
                    update.you
                );
                self.check_table(&table)?;
                self.conns[conn].sent.table = Some(settled(table));
            }
            None => {
                hold!(
                    sent.table.is_some(),
                    Contract,
                    "the first update of a connection has no table"
                );
                hold!(update.you.is_none(), Contract, "a seat without a table");
            }
        }
        let show_at = Stamp::from_wire(show_at);
        Ok(Down::Update { ack: update.ack, shown, show_at })
    }

    /// During a game, a viewer for whom nothing has changed is sent nothing: an update alone would
    /// tell that something happened. Only whether play goes on is sent also to viewers whose
    /// options stay the same.
    fn check_news(&mut self, conn: usize, shown: Option<Shown>, update: &Update) -> Checked {
        let is_on = self.server.table.as_ref().is_some_and(|table| table.probe().is_on);
        let (last_at, was_on) =
            std::mem::replace(&mut self.conns[conn].sent.last, (self.now, is_on));
        let Sent { table, shown: before, help, refused_at, may_restart, .. } =
            &self.conns[conn].sent;
        let is_answer = update.ack.is_some()
            || *refused_at == Some(self.now)
            || self.conns[conn].unanswered > 0;
        let is_open = !self.server.reference.is_playing() || self.is_closing();
        let has_happened = update.sights.is_some() || *before != shown || *help != update.help;
        // A change during a failed append may have been undone.
        let failed = self.presses.failed_at() == Some(self.now);
        let is_held = was_on != is_on || last_at == self.now || failed;
        if is_answer || has_happened || *may_restart || is_held || is_open {
            return Ok(());
        }
        let is_new = match update.table {
            None => false,
            Some(text) => {
                let sent = serde_json::from_str::<wire::Table>(text.get()).map_err(unreadable)?;
                // Between levels the grade of a connection may change back before it was sent.
                let is_level = self.server.reference.game().is_some_and(AnyGame::is_level);
                let unmeasured = sent.chairs.iter().any(|chair| {
                    matches!(chair.sitter, Sitter::Person { quality: None, here: true, .. })
                });
                (unmeasured && !is_level) || table.as_ref() != Some(&settled(sent))
            }
        };
        hold!(is_new, Sent, "an update without news");
        Ok(())
    }

    /// The game as the viewer is shown it.
    fn check_game(&mut self, viewer: Viewer, update: &Update) -> Checked<Option<Shown>> {
        let reference = &mut self.server.reference;
        let is_open = reference.is_open();
        let (games, next_seq) = (reference.games, reference.next_seq());
        let raw = |part: Option<&RawValue>| part.map_or("", RawValue::get).to_owned();
        match reference.game_mut() {
            None => {
                let is_bare = update.view.is_none() && update.options.is_none();
                hold!(is_bare && update.sights.is_none(), Sent, "a game is shown where none is");
                hold!(update.seq == next_seq, Sent, "seq {} is not {next_seq}", update.seq);
                Ok(None)
            }
            Some(game) => {
                let seq = game.seq(viewer);
                hold!(update.seq == seq, Sent, "{viewer} is sent seq {}, not {seq}", update.seq);
                let expected = game.expected(viewer);
                let view = update.view.map_or("", RawValue::get).as_bytes();
                hold!(
                    view == expected.view,
                    Sent,
                    "{viewer} is shown {} and not {}",
                    raw(update.view),
                    String::from_utf8_lossy(&expected.view)
                );
                let options = update.options.map(|options| options.get().as_bytes());
                let waiting = match options {
                    None => !is_open,
                    Some(options) if options == expected.options => false,
                    Some(options) if options == expected.waiting => true,
                    Some(_) => {
                        hold!(false, Sent, "{viewer} is offered {}", raw(update.options));
                        false
                    }
                };
                hold!(options.is_some() == is_open, Sent, "options of a game that is not on");
                let help = update.help.map(|help| Help { suggestion: None, ..help });
                hold!(
                    help == expected.help.filter(|_| is_open),
                    Sent,
                    "{viewer} is helped with {help:?}"
                );
                let place = game.place();
                Ok(Some(Shown { game: games, place, viewer, waiting, seq }))
            }
        }
    }

    /// Each event is sent to a connection once, in order, and none is left out unless the
    /// connection was sent how things stand instead.
    fn check_sights(&mut self, conn: usize, viewer: Viewer, update: &Update) -> Checked {
        let Some(game) = self.server.reference.game() else { return Ok(()) };
        let sent = &mut self.conns[conn].sent;
        let sights = update.sights.map(RawValue::get);
        let count_sent = sights.map_or(Ok(0), count).map_err(unreadable)? as u64;
        let seq = update.seq;
        hold!(count_sent <= seq, Sent, "more sights than events");
        if let Some(sights) = sights {
            let expected = game.sights(viewer, count_sent as usize);
            hold!(
                sights.as_bytes() == expected,
                Sent,
                "{viewer} is told {sights}, not {}",
                String::from_utf8_lossy(&expected)
            );
        }
        let before = sent
            .shown
            .filter(|shown| shown.viewer == viewer && shown.game == self.server.reference.games);
        if let Some(before) = before {
            let from = seq - count_sent;
            hold!(seq >= before.seq, Sent, "seq goes back from {} to {seq}", before.seq);
            if count_sent > 0 {
                let sighted = sent.sighted;
                hold!(from >= sighted, Sent, "{viewer} is sent an event twice");
                hold!(from <= sighted.max(before.seq), Sent, "{viewer} is not sent all events");
            } else {
                let is_whole = seq == before.seq || update.table.is_some();
                hold!(is_whole, Sent, "{viewer} is not sent what happened");
            }
        }
        if count_sent > 0 || before.is_none() {
            sent.sighted = seq;
        }
        Ok(())
    }

    /// The table that was sent has to agree with the durable lines.
    fn check_table(&self, table: &wire::Table) -> Checked {
        let reference = &self.server.reference;
        let seating = &reference.seating;
        let host = seating.host.and_then(|host| seating.seat_of(host));
        hold!(table.host == host, Sent, "the host is {host:?} and not {:?}", table.host);
        let same = table.code == self.server.code
            && table.setup == reference.setup
            && table.public == reference.public
            && table.games == reference.games
            && table.chairs.len() == seating.chairs.len();
        hold!(same, Sent, "a table that is not durable: {table:?}");
        for ((seat, occupant), chair) in seating.iter().zip(&table.chairs) {
            let is_same = chair.seat == seat
                && match (occupant, &chair.sitter) {
                    (Occupant::Empty, Sitter::Empty) => true,
                    (Occupant::Bot(kind), Sitter::Bot(other)) => kind == other,
                    (Occupant::Ghost(ghost), Sitter::Ghost { name }) => {
                        ghost.name == *name || self.server.forgotten.contains(&ghost.of)
                    }
                    (
                        Occupant::Person { id, name, mark, held },
                        Sitter::Person { name: sent, mark: drawn, held: sent_held, .. },
                    ) => {
                        let is_forgotten = self.server.forgotten.contains(id);
                        held == sent_held
                            && id.mark(*mark) == *drawn
                            && (name == sent || is_forgotten)
                    }
                    _ => false,
                };
            hold!(is_same, Sent, "{:?} is sent for {occupant:?}", chair.sitter);
        }
        let is_same = match (&reference.stage, &table.stage) {
            (Stage::Gathering { .. }, wire::Stage::Gathering) => true,
            (Stage::Playing(_), wire::Stage::Playing { .. }) => true,
            (Stage::Over(_, outcome), wire::Stage::Over { outcome: sent }) => outcome == sent,
            _ => false,
        };
        hold!(is_same, Sent, "a stage that is not durable: {:?}", table.stage);
        let talk = match &reference.stage {
            Stage::Playing(game) => game.may_talk(),
            Stage::Gathering { .. } | Stage::Over(..) => true,
        };
        hold!(table.talk == talk, Sent, "talk is {}", table.talk);
        if let Stage::Playing(game) = &reference.stage
            && game.is_level()
        {
            let has_grade = table
                .chairs
                .iter()
                .any(|chair| matches!(chair.sitter, Sitter::Person { quality: Some(_), .. }));
            hold!(!has_grade, Sent, "players are sent connection grades during a level");
        }
        Ok(())
    }
}
