//! Faults, and clients that do what our page never does.

use rules::family::FocusCommand;
use rules::kit::Seat;
use table::Ticket;
use wire::{BotKind, Command, Request, Setup};

use crate::connection::Up;
use crate::faults::Fault;
use crate::people::{Content, UNANSWERED_MOST};
use crate::violation::Checked;
use crate::world::{Event, World, ms};

impl World {
    /// Causes a fault now and then.
    pub(crate) fn trouble(&mut self) -> Checked {
        if self.calm_since.is_some() {
            return Ok(());
        }
        let wait = ms(200 + self.chance.below(2_500));
        self.agenda.add(self.now.after(wait), Event::Trouble);
        let Some(fault) = self.chance.pick(&Fault::ALL).copied() else { return Ok(()) };
        if !self.has(fault) {
            return Ok(());
        }
        let open = (0..self.conns.len()).filter(|place| self.conns[*place].client_open);
        let open = open.collect::<Vec<_>>();
        let conn = self.chance.pick(&open).copied();
        match (fault, conn) {
            (Fault::Breaks, Some(conn)) => self.break_connection(conn),
            (Fault::Silence, Some(conn)) => {
                self.tally.network_faults += 1;
                let until = self.now.after(ms(100 + self.chance.below(5_000)));
                self.conns[conn].network.silence(until);
            }
            (Fault::Hidden, Some(conn)) => {
                self.tally.network_faults += 1;
                self.turn_away(conn);
            }
            (Fault::Crash, _) if self.server.table.is_some() && self.chance.once_in(6) => {
                self.crash();
            }
            (Fault::Close, _) if self.chance.once_in(10) => {
                self.tally.restarts += 1;
                self.close_table()?;
            }
            (Fault::Pages, _) => {
                let human = self.chance.below(self.humans.len() as u32) as usize;
                let own = self.pages.iter().filter(|page| page.human == human).count();
                if own < 3 && !self.humans[human].is_deleted {
                    self.open_page(human);
                }
            }
            (Fault::Delete, _) => {
                let human = self.chance.below(self.humans.len() as u32) as usize;
                let alive = self.humans.iter().filter(|human| !human.is_deleted && human.plays);
                if alive.count() > 2 && self.server.forgotten.is_empty() && self.chance.once_in(12)
                {
                    self.delete(human)?;
                }
            }
            (Fault::Cheats, Some(conn)) => self.cheat(conn),
            _ => {}
        }
        Ok(())
    }

    /// A random request; it need not be permitted.
    pub(crate) fn any_request(&mut self) -> Request {
        let seat = Seat::new(self.chance.below(Seat::MOST as u32) as usize).unwrap_or_default();
        match self.chance.below(15) {
            0 => Request::Sit(seat),
            1 => Request::Stand,
            2 => Request::Ready,
            3 => Request::Unready,
            4 => Request::Kick(seat),
            5 => Request::PassHost(seat),
            6 => Request::Start,
            7 => Request::Rematch,
            8 => Request::Hold,
            9 => Request::End,
            10 => Request::Wait,
            11 => Request::RemoveBot(seat),
            12 => Request::AddBot { seat, kind: BotKind::Random },
            13 => Request::Unhurried(seat == Seat::default()),
            _ => Request::Arrange(self.scenario.other_setup(&mut self.chance)),
        }
    }

    /// A client does what our page never does.
    pub(crate) fn cheat(&mut self, conn: usize) {
        let page = self.conns[conn].page;
        let own = &self.pages[page];
        if own.conn != Some(conn) || own.unanswered.len() >= UNANSWERED_MOST || own.is_closed {
            return;
        }
        let (shown, seq) = (own.shown, own.shown.map_or(0, |shown| shown.seq));
        let now = own.server_time(self.now);
        let wrong = ms(self.chance.below(6_000));
        let off = if self.chance.once_in(2) { now.before(wrong) } else { now.after(wrong) };
        match self.chance.below(8) {
            0 => self.write(page, Content::Do(foreign(&self.scenario.setup)), seq, now),
            1 | 2 => {
                // The same message again, although it was answered.
                let recent = self.recently_acked(page);
                if let Some(id) = self.chance.pick(&recent).copied() {
                    self.pages[page].unanswered.push(id);
                    self.send_letter(page, conn, id);
                    self.tally.repeats += 1;
                }
            }
            3 => {
                // Another message under a number that was used.
                let recent = self.recently_acked(page);
                if let Some(id) = self.chance.pick(&recent).copied() {
                    let letter = &self.pages[page].letters[id as usize];
                    if letter.content.has_line() {
                        let content = Content::Say(format!("not {id}"));
                        let ticket = Ticket::of(self.pages[page].client, id, &content);
                        self.send(conn, Up::Message { id, ticket, seq, claimed: now, content });
                    }
                }
            }
            4 | 5 => {
                let command = shown.filter(|shown| shown.game == self.server.reference.games);
                let game = self.server.reference.game();
                let command = command.zip(game);
                let command =
                    command.and_then(|(shown, game)| game.anything(shown, &mut self.chance));
                if let Some(command) = command {
                    let stale = if self.chance.once_in(3) { seq / 2 } else { seq };
                    let count = if self.chance.once_in(40) { 6 } else { 1 };
                    for _ in 0..count {
                        self.write(page, Content::Do(command), stale, off);
                    }
                }
            }
            6 => {
                let request = self.any_request();
                self.ask(page, request);
            }
            _ => {
                let text =
                    ["", "\u{7}", &"x".repeat(501)][self.chance.below(3) as usize].to_owned();
                self.write(page, Content::Say(text), 0, now);
            }
        }
    }

    /// Messages that were acknowledged and that the table still remembers.
    pub(crate) fn recently_acked(&self, page: usize) -> Vec<u32> {
        let own = &self.pages[page];
        let first = own.letters.len().saturating_sub(8) as u32;
        let recent = first..own.letters.len() as u32;
        recent
            .filter(|id| own.letters[*id as usize].acked && !own.unanswered.contains(id))
            .collect()
    }
}

/// A command of another game than the one that is played.
pub(crate) fn foreign(setup: &Setup) -> Command {
    match setup {
        Setup::Mind(_) => Command::Extreme(FocusCommand::Rest.into()),
        _ => Command::Mind(FocusCommand::Rest.into()),
    }
}
