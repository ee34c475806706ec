//! The people of one table, who go on wherever the server left them.

use std::time::{Duration, Instant};

use rules::kit::{Chance, Seat};
use rules::{extreme, mind, soulmates};
use tokio::sync::watch;
use tokio::time::sleep;
use wire::{
    BotKind, ClientMessage, CloseReason, Code, Refusal, Request, ServerMessage, Sitter, Stage,
    Update, View,
};

use crate::cluster_node::Nodes;
use crate::common::chance::any_option;
use crate::common::{Person, Server};
use crate::kept::{self, Stored};

/// How many moves a table has to make to have gone on.
const MOVES_ENOUGH: usize = 5;

/// The people of one table.
pub struct Crew {
    wish: &'static str,
    bots: usize,
    chance: Chance,
    table: Option<Code>,
    players: Vec<Player>,
    /// Whether the game is over: the next one is at a new table, after the check.
    is_over: bool,
}

/// A person with a page that stays open over all connections.
pub struct Player {
    name: String,
    cookie: Option<String>,
    person: Option<Person>,
    client: u32,
    ids: u32,
    /// What was sent and not answered.
    pending: Option<ClientMessage>,
    /// The numbers of what was acknowledged at this table.
    pub acked: Vec<u32>,
    /// How many of them were compared with the journal.
    checked: usize,
    /// What was received and not yet compared with the journal.
    pub frames: Vec<String>,
}

/// The connection is gone.
pub struct Gone;

impl Crew {
    pub fn new((wish, players, bots): (&'static str, usize, usize), chance: Chance) -> Self {
        let players = (0..players - bots).map(Player::new).collect();
        Self { wish, bots, chance, table: None, players, is_over: false }
    }

    /// Plays until the connection breaks, or until the table has gone on if that is asked for.
    pub async fn play(&mut self, server: &Server, patient: bool) {
        for (index, player) in self.players.iter_mut().enumerate() {
            if player.connect(server).await.is_err() {
                return;
            }
            if let Some(table) = self.table {
                let Ok(update) = player.look(table).await else { return };
                if index == 0 {
                    check_frozen(&update);
                }
            }
        }
        self.volleys(server, patient).await;
    }

    /// Plays through several nodes of a cluster, each person through another one, and goes on
    /// wherever one answers when a connection breaks. Ends when the table has gone on after `fault`,
    /// or its game is over; returns how long after the fault the first request was done.
    pub async fn play_through(
        &mut self,
        nodes: &Nodes,
        fault: &watch::Sender<Option<Instant>>,
    ) -> Option<Duration> {
        let mut moves = 0;
        let mut first = None;
        for attempt in 0.. {
            let mut all_there = true;
            for (index, player) in self.players.iter_mut().enumerate() {
                all_there = false;
                for other in 0..nodes.count() {
                    let server = nodes.at(index + attempt + other);
                    all_there = player.connect(&server).await.is_ok();
                    if all_there {
                        break;
                    }
                }
                if let Some(table) = self.table {
                    all_there = all_there && player.look(table).await.is_ok();
                }
                if !all_there {
                    break;
                }
            }
            let server = nodes.at(attempt);
            while all_there && let Ok(made) = self.volley(&server).await {
                let Some(at) = *fault.borrow() else { continue };
                if made > 0 {
                    first.get_or_insert_with(|| at.elapsed());
                }
                moves += made;
                if moves >= MOVES_ENOUGH {
                    break;
                }
            }
            for player in &mut self.players {
                player.hang_up();
            }
            if self.is_over || moves >= MOVES_ENOUGH {
                break;
            }
            sleep(Duration::from_millis(100)).await;
        }
        first
    }

    async fn volleys(&mut self, server: &Server, patient: bool) {
        let mut moves = 0;
        while let Ok(made) = self.volley(server).await {
            moves += made;
            if patient && moves >= MOVES_ENOUGH {
                break;
            }
        }
        for player in &mut self.players {
            player.hang_up();
        }
    }

    /// All people do something at the same time; returns how many requests were done.
    async fn volley(&mut self, server: &Server) -> Result<usize, Gone> {
        let Some(table) = self.table else {
            let cookie = self.players[0].cookie.clone().ok_or(Gone)?;
            self.table = Some(open(server, &cookie, self.wish).await?);
            return Ok(0);
        };
        let mut done = 0;
        let mut over = false;
        for index in 0..self.players.len() {
            let player = &mut self.players[index];
            let update = player.look(table).await?;
            over |= matches!(update.table().stage, Stage::Over { .. });
            if player.pending.is_none() {
                player.pending = choice(index, self.bots, &update, player, &mut self.chance);
            }
            if let Some(message) = player.pending.clone() {
                player.send(&message).await;
            }
        }
        for player in &mut self.players {
            done += usize::from(player.answered().await?);
        }
        if over && self.players.iter().all(|player| player.pending.is_none()) {
            // The next game is at a new table: the check reads one game.
            self.is_over = true;
            return Err(Gone);
        }
        Ok(done)
    }

    /// Compares all that was acknowledged and seen with what is stored, and returns the number of
    /// moves.
    pub async fn check(&mut self, stored: Stored<'_>) -> usize {
        let Some(table) = self.table else { return 0 };
        let (moves, is_over) = kept::check(stored, table, &mut self.players).await;
        if is_over {
            self.table = None;
            self.is_over = false;
            for player in &mut self.players {
                player.acked.clear();
                player.checked = 0;
                player.pending = None;
            }
        }
        moves
    }
}

/// The first person after a restart finds the others missing and play at rest.
fn check_frozen(update: &Update) {
    let Stage::Playing { missing, .. } = update.table().stage else { return };
    let people = update.table().chairs.iter();
    let people = people.filter(|chair| matches!(chair.sitter, Sitter::Person { .. })).count();
    assert_eq!(usize::from(missing.len()), people - 1, "no other person is back yet");
    let resting = match &update.view {
        Some(View::Mind(view)) => !matches!(view.public.phase, mind::Phase::Playing { .. }),
        Some(View::Extreme(view)) => !matches!(view.public.phase, extreme::Phase::Playing { .. }),
        Some(View::Soulmates(view)) => !matches!(view.public.phase, soulmates::Phase::Playing),
        Some(View::Royale(_)) => true,
        None => panic!("a game is on, so there is something to see"),
    };
    assert!(resting, "play goes on by the ritual of focus");
}

/// What a person does next: take a seat, start, move.
fn choice(
    index: usize,
    bots: usize,
    update: &Update,
    player: &mut Player,
    chance: &mut Chance,
) -> Option<ClientMessage> {
    let table = update.table().code;
    let chairs = &update.table().chairs;
    let empty = |index: usize| matches!(chairs[index].sitter, Sitter::Empty);
    let seat = |index: usize| Seat::new(index).unwrap();
    let first_bot = chairs.len() - bots;
    match update.table().stage {
        Stage::Gathering => {
            let request = if empty(index) {
                Request::Sit(seat(index))
            } else if index > 0 {
                return None;
            } else if let Some(place) = (first_bot..chairs.len()).find(|index| empty(*index)) {
                Request::AddBot { seat: seat(place), kind: BotKind::Random }
            } else if (0..chairs.len()).any(empty) {
                return None;
            } else {
                Request::Start
            };
            Some(ClientMessage::Ask { table, id: player.id(), request })
        }
        Stage::Playing { .. } => {
            let command = any_option(update, chance)?;
            let (id, seq) = (player.id(), update.seq);
            Some(ClientMessage::Do { table, id, seq, pressed: f64::from(id), command })
        }
        Stage::Over { .. } => None,
    }
}

/// Opens a table. A table whose opening was not answered may be lost.
async fn open(server: &Server, cookie: &str, wish: &str) -> Result<Code, Gone> {
    let body =
        server.try_http("POST /api/tables", &[("Cookie", cookie)], wish).await.ok_or(Gone)?;
    if body.status != 201 {
        return Err(Gone);
    }
    let body = serde_json::from_str::<serde_json::Value>(&body.body).map_err(|_| Gone)?;
    Ok(body["table"].as_str().unwrap().parse().unwrap())
}

impl Player {
    fn new(index: usize) -> Self {
        Self {
            name: format!("person {index}"),
            cookie: None,
            person: None,
            client: 0,
            ids: 0,
            pending: None,
            acked: Vec::new(),
            checked: 0,
            frames: Vec::new(),
        }
    }

    fn id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    /// Marks everything so far as compared with the journal, and returns how much was acknowledged
    /// since the last time.
    pub fn checked(&mut self) -> usize {
        self.frames.clear();
        let new = self.acked.len() - self.checked;
        self.checked = self.acked.len();
        new
    }

    /// The number of the page.
    pub fn client(&self) -> u32 {
        self.client
    }

    /// Connects as the person that they are, or become.
    async fn connect(&mut self, server: &Server) -> Result<(), Gone> {
        if self.cookie.is_none() {
            let body = serde_json::json!({ "name": self.name }).to_string();
            let answer = server.try_http("POST /api/me", &[], &body).await.ok_or(Gone)?;
            let cookie = answer.header("set-cookie").ok_or(Gone)?;
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        let cookie = self.cookie.as_deref().unwrap_or_default();
        let mut person = server.connect(&[("Cookie", cookie)]).await.map_err(|error| {
            // A node that is cut off answers that it has to be tried again.
            let refused = matches!(
                &error,
                tokio_tungstenite::tungstenite::Error::Http(answer)
                    if !answer.status().is_server_error()
            );
            assert!(!refused, "{} is not known any more: {error}", self.name);
            Gone
        })?;
        if self.client == 0 {
            self.client = person.client;
        }
        let hello = ClientMessage::Hello { protocol: wire::PROTOCOL, client: self.client };
        person.send(&hello).await;
        self.person = Some(person);
        match self.hear().await? {
            ServerMessage::Welcome { .. } => Ok(()),
            // A node that has just been cut off, or that leaves, sends its people away.
            ServerMessage::Bye { why: CloseReason::Restarting, .. } => {
                self.hang_up();
                Err(Gone)
            }
            other => panic!("no welcome but {other:?}"),
        }
    }

    async fn send(&mut self, message: &ClientMessage) {
        if let Some(person) = &mut self.person {
            person.send(message).await;
        }
    }

    async fn hear(&mut self) -> Result<ServerMessage, Gone> {
        let message = match &mut self.person {
            Some(person) => person.hear_or_end().await,
            None => None,
        };
        if message.is_none() {
            self.hang_up();
        }
        message.ok_or(Gone)
    }

    fn hang_up(&mut self) {
        if let Some(person) = self.person.take() {
            self.frames.extend(person.frames);
        }
    }

    /// How the table stands now: joins again, and waits until everything else has arrived.
    async fn look(&mut self, table: Code) -> Result<Update, Gone> {
        self.send(&ClientMessage::Join { table }).await;
        let hello = ClientMessage::Hello { protocol: wire::PROTOCOL, client: self.client };
        self.send(&hello).await;
        let mut last = None;
        loop {
            match self.hear().await? {
                ServerMessage::Update(update) => last = Some(*update),
                ServerMessage::Welcome { .. } => return Ok(last.expect("joining is answered")),
                ServerMessage::Bye { .. } => return Err(Gone),
                // A table that changes its node, or a node that is cut off.
                ServerMessage::Refused(wire::Refused {
                    why: Refusal::Unreadable | Refusal::NotKept,
                    ..
                }) => return Err(Gone),
                ServerMessage::Refused(refused) => panic!("{refused:?}"),
                ServerMessage::Said { .. } | ServerMessage::Probed { .. } => {}
                ServerMessage::Audience { .. } | ServerMessage::Remark { .. } => {}
                ServerMessage::Announcement { .. } | ServerMessage::Found { .. } => {}
                ServerMessage::Reacted { .. } => {}
            }
        }
    }

    /// Waits for the answer to the pending message, if there is one, and returns whether it was
    /// done.
    async fn answered(&mut self) -> Result<bool, Gone> {
        let Some(ClientMessage::Do { id, .. } | ClientMessage::Ask { id, .. }) = self.pending
        else {
            return Ok(false);
        };
        loop {
            match self.hear().await? {
                ServerMessage::Update(update) if update.ack == Some(id) => {
                    self.pending = None;
                    self.acked.push(id);
                    return Ok(true);
                }
                ServerMessage::Refused(refused) if refused.id == Some(id) => {
                    // The table has another owner by now: the same message is sent again.
                    if refused.why == Refusal::NotKept {
                        self.hang_up();
                        return Err(Gone);
                    }
                    assert!(refused.why != Refusal::IdReused, "{refused:?}");
                    self.pending = None;
                    return Ok(false);
                }
                _ => {}
            }
        }
    }
}
