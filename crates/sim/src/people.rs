//! People and their pages: what they press, ask and say, and how their pages keep at it until
//! they are answered.

use std::time::Duration;

use bots::Kind;
use rules::kit::Seat;
use serde::Serialize;
use table::fair::Stamp;
use table::{Person, Ticket};
use wire::{BotKind, Command, GameId, Request, Sitter, Stage};

use crate::connection::{Down, Up};
use crate::faults::Fault;
use crate::game::Shown;
use crate::world::{Event, World, ms};

/// How long a game without faults is played before all players vote to end it.
const CALM_PLAY: Duration = Duration::from_secs(150);
/// How many messages of a page may wait for an answer.
pub(crate) const UNANSWERED_MOST: usize = 8;

/// A person.
pub(crate) struct Human {
    pub(crate) person: Person,
    /// Whether they want a seat.
    pub(crate) plays: bool,
    /// How they wait before they press.
    pub(crate) kind: Kind,
    pub(crate) is_deleted: bool,
    /// The page that they play on.
    pub(crate) active: usize,
}

/// What a message says.
#[derive(Clone, Debug, Serialize)]
pub(crate) enum Content {
    Do(Command),
    Ask(Request),
    Say(String),
}

impl Content {
    /// Whether it is acknowledged only when a line of the journal says so.
    pub(crate) fn has_line(&self) -> bool {
        match self {
            Self::Do(_) => true,
            Self::Ask(request) => match request {
                Request::Sit(_)
                | Request::Stand
                | Request::Arrange(_)
                | Request::AddBot { .. }
                | Request::AddGhost { .. }
                | Request::RemoveBot(_)
                | Request::Kick(_)
                | Request::Readmit(_)
                | Request::RemoveSpectator(_)
                | Request::Mute { .. }
                | Request::Lock(_)
                | Request::NewCode
                | Request::HideCode(_)
                | Request::PlayersOnly(_)
                | Request::PassHost(_)
                | Request::Start
                | Request::Rematch => true,
                // Votes have a line only if they decide.
                Request::Hold
                | Request::End
                | Request::Wait
                | Request::Ready
                | Request::Unready
                | Request::Unhurried(_)
                | Request::AgreeToChat(_) => false,
            },
            Self::Say(_) => false,
        }
    }
}

/// A message that a page sent.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub(crate) ticket: Ticket,
    pub(crate) content: Content,
    pub(crate) seq: u64,
    claimed: Stamp,
    /// How often the table was handed it, and how often it answered.
    pub(crate) handed: u32,
    pub(crate) answered: u32,
    pub(crate) acked: bool,
    /// Whether it asked for what was so already, and was acknowledged without a line.
    pub(crate) changed_nothing: bool,
}

/// A page in a person's browser.
pub(crate) struct Page {
    pub(crate) human: usize,
    pub(crate) client: u32,
    pub(crate) conn: Option<usize>,
    pub(crate) letters: Vec<Letter>,
    /// The numbers of those that wait for an answer, in the order in which they were sent.
    pub(crate) unanswered: Vec<u32>,
    pub(crate) shown: Option<Shown>,
    plan: Option<Command>,
    plan_number: u32,
    /// The error of the page's estimate of the server's time.
    clock_error_us: i64,
    is_hidden: bool,
    pub(crate) is_closed: bool,
    is_settled: bool,
}

impl Page {
    pub(crate) fn unanswered(&self) -> usize {
        self.unanswered.len()
    }

    pub(crate) fn first_unanswered(&self) -> Option<&Letter> {
        self.unanswered.first().map(|id| &self.letters[*id as usize])
    }

    /// Whether it is connected and was shown the table, or never will be.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_closed || self.is_settled
    }

    /// The page is closed for good.
    pub(crate) fn close(&mut self) {
        self.is_closed = true;
        self.unanswered.clear();
        self.plan = None;
    }

    pub(crate) fn handed(&mut self, id: u32) {
        if let Some(letter) = self.letters.get_mut(id as usize) {
            letter.handed += 1;
        }
    }

    fn is_answered(&mut self, id: u32) {
        self.unanswered.retain(|other| *other != id);
    }

    /// The page's time, by what it knows of the server's clock.
    pub(crate) fn server_time(&self, now: Stamp) -> Stamp {
        Stamp::from_micros(now.micros().saturating_add_signed(self.clock_error_us))
    }
}

impl World {
    /// A person opens a page.
    pub(crate) fn open_page(&mut self, human: usize) {
        let page = self.pages.len();
        let off = i64::from(self.chance.below(20_000)) - 10_000;
        self.pages.push(Page {
            human,
            client: 1_000 + page as u32,
            conn: None,
            letters: Vec::new(),
            unanswered: Vec::new(),
            shown: None,
            plan: None,
            plan_number: 0,
            clock_error_us: if self.has(Fault::Latency) { off } else { 0 },
            is_hidden: false,
            is_closed: false,
            is_settled: false,
        });
        self.humans[human].active = page;
        let wait = ms(self.chance.below(800));
        self.agenda.add(self.now.after(wait), Event::Connect(page));
        self.agenda.add(self.now.after(wait + ms(300)), Event::Tick(page));
    }

    /// The connection that a page has now.
    fn line(&self, page: usize) -> Option<usize> {
        self.pages[page].conn.filter(|conn| self.conns[*conn].client_open)
    }

    /// A page connects, joins the table and sends again what was not answered.
    pub(crate) fn connect(&mut self, page: usize) {
        if self.pages[page].is_closed || self.line(page).is_some() {
            return;
        }
        let conn = self.new_conn(page);
        self.pages[page].conn = Some(conn);
        self.pages[page].is_settled = false;
        self.send(conn, Up::Join);
        if self.pages[page].is_hidden {
            let since = self.pages[page].server_time(self.now);
            self.send(conn, Up::Away(Some(since)));
        }
        if self.has(Fault::Cheats) && self.chance.once_in(8) {
            self.send(conn, Up::Join);
        }
        self.send_again(page, conn);
    }

    /// The page joins again over the connection that it has.
    fn rejoin(&mut self, page: usize, conn: usize) {
        self.send(conn, Up::Join);
        self.send_again(page, conn);
    }

    fn send_again(&mut self, page: usize, conn: usize) {
        for id in self.pages[page].unanswered.clone() {
            self.send_letter(page, conn, id);
            self.tally.repeats += 1;
        }
    }

    pub(crate) fn send_letter(&mut self, page: usize, conn: usize, id: u32) {
        let letter = &self.pages[page].letters[id as usize];
        let Letter { ticket, content, seq, claimed, .. } = letter.clone();
        self.send(conn, Up::Message { id, ticket, seq, claimed, content });
    }

    /// Writes a message and sends it, if the page is connected.
    pub(crate) fn write(&mut self, page: usize, content: Content, seq: u64, claimed: Stamp) {
        let own = &mut self.pages[page];
        let id = own.letters.len() as u32;
        let ticket = Ticket::of(own.client, id, &content);
        let letter = Letter {
            ticket,
            content,
            seq,
            claimed,
            handed: 0,
            answered: 0,
            acked: false,
            changed_nothing: false,
        };
        own.letters.push(letter);
        own.unanswered.push(id);
        if let Some(conn) = self.line(page) {
            self.send_letter(page, conn, id);
        }
    }

    pub(crate) fn ask(&mut self, page: usize, request: Request) {
        self.write(page, Content::Ask(request), 0, self.now);
    }

    /// A connection breaks. What is on its way to the server may still get there.
    pub(crate) fn break_connection(&mut self, conn: usize) {
        self.tally.network_faults += 1;
        self.break_up(conn);
        let noticed = if self.chance.once_in(2) { 0 } else { self.chance.below(4_000) };
        self.agenda.add(self.now.after(ms(noticed)), Event::Noticed(conn));
        let page = self.conns[conn].page;
        let back = ms(30 + self.chance.below(3_000));
        self.agenda.add(self.now.after(back), Event::Connect(page));
    }

    /// The table has no room for another spectator. The page tries again later, or gives up.
    pub(crate) fn turned_away(&mut self, conn: usize) {
        self.break_up(conn);
        let page = self.conns[conn].page;
        if self.calm_since.is_some() {
            return self.pages[page].close();
        }
        let back = ms(3_000 + self.chance.below(9_000));
        self.agenda.add(self.now.after(back), Event::Connect(page));
    }

    /// The page is hidden or seen again.
    pub(crate) fn turn_away(&mut self, conn: usize) {
        let page = self.conns[conn].page;
        if self.pages[page].is_closed {
            return;
        }
        let is_hidden = !self.pages[page].is_hidden;
        self.pages[page].is_hidden = is_hidden;
        let since = is_hidden.then(|| self.pages[page].server_time(self.now));
        self.send(conn, Up::Away(since));
    }

    /// Faults have stopped: the page is seen and connected.
    pub(crate) fn come_back(&mut self, page: usize) {
        if self.pages[page].is_closed {
            return;
        }
        match self.line(page) {
            Some(conn) => {
                if self.pages[page].is_hidden {
                    self.turn_away(conn);
                }
                if !self.conns[conn].joined {
                    self.rejoin(page, conn);
                }
            }
            None => {
                self.pages[page].is_hidden = false;
                self.connect(page);
            }
        }
    }

    /// Something arrives at a page.
    pub(crate) fn receive(&mut self, conn: usize, down: Down) {
        let page = self.conns[conn].page;
        match down {
            Down::Update { ack, shown, show_at } => {
                if let Some(id) = ack {
                    self.pages[page].is_answered(id);
                    if let Some(letter) = self.pages[page].letters.get_mut(id as usize) {
                        letter.acked = true;
                    }
                }
                if self.pages[page].conn != Some(conn) {
                    return;
                }
                self.pages[page].is_settled = true;
                let is_new = self.pages[page].shown != shown;
                self.pages[page].shown = shown;
                let human = self.pages[page].human;
                if self.line(self.humans[human].active).is_none() || self.chance.once_in(16) {
                    self.humans[human].active = page;
                }
                if is_new {
                    self.plan(page, self.now.max(show_at));
                }
            }
            Down::Refused(id) => {
                self.pages[page].is_answered(id);
                self.pages[page].plan = None;
            }
            Down::Said(id) => self.pages[page].is_answered(id),
            Down::Bye => {
                self.break_up(conn);
                self.pages[page].is_settled = false;
                let back = ms(50 + self.chance.below(2_000));
                self.agenda.add(self.now.after(back), Event::Connect(page));
            }
            Down::Ping(ping) => self.send(conn, Up::Pong(ping)),
        }
    }

    /// What the person will do now that they see the table like that.
    fn plan(&mut self, page: usize, seen: Stamp) {
        let own = &mut self.pages[page];
        own.plan = None;
        own.plan_number += 1;
        let (human, number) = (own.human, own.plan_number);
        let Some(shown) = own.shown else { return };
        let games = self.server.reference.games;
        if self.humans[human].active != page || own.is_hidden || shown.game != games {
            return;
        }
        let (kind, moment) = (self.humans[human].kind, self.moment(seen));
        if !self.server.reference.is_open() {
            return;
        }
        let Some(game) = self.server.reference.game_mut() else { return };
        let Some((at, command)) = game.plan(human, kind, shown, moment, &mut self.chance) else {
            return;
        };
        self.pages[page].plan = Some(command);
        let at = self.stamp(at).max(self.now);
        self.agenda.add(at, Event::Press(page, number));
    }

    /// The person presses what they planned, unless they have another plan by now.
    pub(crate) fn press(&mut self, page: usize, number: u32) {
        let own = &mut self.pages[page];
        if own.plan_number != number || own.is_hidden || own.is_closed {
            return;
        }
        let (Some(command), Some(shown)) = (own.plan.take(), own.shown) else { return };
        let mut pressed = own.server_time(self.now);
        if self.has(Fault::Cheats) && self.chance.once_in(12) {
            pressed = pressed.before(ms(self.chance.below(2_000)));
        }
        if self.pages[page].unanswered.len() >= UNANSWERED_MOST {
            return;
        }
        if self.has(Fault::Cheats) && self.chance.once_in(12) {
            // Something else, pressed just before.
            let game = self.server.reference.game();
            let game = game.filter(|_| shown.game == self.server.reference.games);
            if let Some(other) = game.and_then(|game| game.anything(shown, &mut self.chance)) {
                self.write(page, Content::Do(other), shown.seq, pressed);
            }
        }
        self.write(page, Content::Do(command), shown.seq, pressed);
        if self.has(Fault::Cheats) && self.chance.once_in(16) {
            self.write(page, Content::Do(command), shown.seq, pressed);
        }
    }

    /// A person looks around and does what seems right at the table.
    pub(crate) fn tick(&mut self, page: usize) {
        if self.pages[page].is_closed {
            return;
        }
        let wait = ms(400 + self.chance.below(2_200));
        self.agenda.add(self.now.after(wait), Event::Tick(page));
        let Some(conn) = self.line(page) else { return };
        if !self.conns[conn].joined && self.conns[conn].server_open {
            // The page left the table, or was turned away, and comes back.
            if self.calm_since.is_some() || self.chance.once_in(3) {
                self.rejoin(page, conn);
            }
            return;
        }
        let own = &self.pages[page];
        if own.unanswered.len() >= UNANSWERED_MOST {
            return;
        }
        if self.has(Fault::Chat) && self.chance.once_in(12) {
            let text = format!("hello {}", own.letters.len());
            self.write(page, Content::Say(text), 0, self.now);
        }
        if self.has(Fault::Hosts) && self.chance.once_in(60) {
            self.send(conn, Up::Leave);
            return;
        }
        if self.pages[page].plan.is_none() {
            self.plan(page, self.now);
        }
        self.decide(page, conn);
    }

    /// What the person asks of the table.
    fn decide(&mut self, page: usize, conn: usize) {
        let Some(table) = self.conns[conn].sent.table.clone() else { return };
        let you = self.conns[conn].sent.you;
        let human = self.pages[page].human;
        if self.humans[human].active != page {
            return;
        }
        let is_host = you.is_some() && table.host == you;
        match &table.stage {
            Stage::Gathering | Stage::Over { .. } => {
                let is_enough = self.tally.games >= u64::from(self.scenario.games)
                    || self.calm_since.is_some() && self.tally.games > 0;
                if is_enough {
                    return;
                }
                if is_host && self.has(Fault::Hosts) && self.chance.once_in(6) {
                    let request = self.host_whim(&table);
                    return self.ask(page, request);
                }
                if you.is_some() && self.has(Fault::Votes) && self.chance.once_in(4) {
                    let ready = self.chance.once_in(2);
                    self.ask(page, if ready { Request::Ready } else { Request::Unready });
                }
                self.gather(page, &table, you, is_host);
            }
            Stage::Playing { missing, .. } => {
                if you.is_none() {
                    return;
                }
                let calm = self.calm_since.map(|since| since.until(self.now));
                if calm.is_some_and(|calm| calm > CALM_PLAY) {
                    self.ask(page, Request::End);
                } else if !missing.is_empty()
                    && (calm.is_some() || self.has(Fault::Votes) && self.chance.once_in(3))
                {
                    let request = match self.chance.below(6) {
                        0 => Request::Wait,
                        1 => Request::End,
                        _ => Request::Hold,
                    };
                    self.ask(page, request);
                } else if self.has(Fault::Votes) && self.chance.once_in(40) {
                    let requests = [Request::End, Request::Hold, Request::Wait];
                    if let Some(request) = self.chance.pick(&requests).copied() {
                        self.ask(page, request);
                    }
                }
            }
        }
    }

    /// People take their seats, and the host begins.
    fn gather(&mut self, page: usize, table: &wire::Table, you: Option<Seat>, is_host: bool) {
        let plays = self.humans[self.pages[page].human].plays;
        let empty = table.chairs.iter().filter(|chair| chair.sitter == Sitter::Empty);
        let empty = empty.map(|chair| chair.seat).collect::<Vec<_>>();
        if you.is_none() {
            if plays && let Some(seat) = self.chance.pick(&empty).copied() {
                self.ask(page, Request::Sit(seat));
            }
            return;
        }
        if !is_host {
            return;
        }
        let gone = table
            .chairs
            .iter()
            .find(|chair| matches!(chair.sitter, Sitter::Person { here: false, .. }));
        if let (Some(chair), true) = (gone, self.calm_since.is_some()) {
            return self.ask(page, Request::Kick(chair.seat));
        }
        let Some(seat) = empty.first().copied() else {
            let rematch = matches!(table.stage, Stage::Over { .. });
            return self.ask(page, if rematch { Request::Rematch } else { Request::Start });
        };
        let seating = &self.server.reference.seating;
        let standing = self.humans.iter().filter(|human| {
            human.plays && !human.is_deleted && seating.seat_of(human.person.id).is_none()
        });
        let is_late = self.calm_since.is_some() && self.chance.once_in(8);
        if standing.count() == 0 || is_late || self.has(Fault::Bots) && self.chance.once_in(8) {
            let request = self.any_bot(table, seat);
            self.ask(page, request);
        }
    }

    fn any_bot(&mut self, table: &wire::Table, seat: Seat) -> Request {
        if self.has(Fault::Bots) && self.chance.once_in(8) {
            let game = GameId { table: table.code, game: 1 };
            return Request::AddGhost { seat, game, of: Seat::A };
        }
        let kinds = BotKind::of(table.setup.game());
        let kinds = kinds.iter().filter(|kind| {
            // The solver takes long over these: they play now and then.
            let is_slow = matches!(kind, BotKind::Master | BotKind::Cunning | BotKind::Student);
            !is_slow || self.chance.once_in(64)
        });
        let kinds = kinds.copied().collect::<Vec<_>>();
        let kind = self.chance.pick(&kinds).copied().unwrap_or(BotKind::Random);
        Request::AddBot { seat, kind }
    }

    /// What hosts do beside beginning games.
    fn host_whim(&mut self, table: &wire::Table) -> Request {
        let seats = table.chairs.iter().map(|chair| chair.seat).collect::<Vec<_>>();
        let seat = self.chance.pick(&seats).copied().unwrap_or_default();
        if let Some(removed) = table.admission.removed.first()
            && self.chance.once_in(2)
        {
            return Request::Readmit(removed.number);
        }
        match self.chance.below(6) {
            0 => Request::Kick(seat),
            1 => Request::PassHost(seat),
            2 => Request::Stand,
            3 => Request::RemoveBot(seat),
            4 => Request::Arrange(self.scenario.other_setup(&mut self.chance)),
            _ => self.any_bot(table, seat),
        }
    }
}
