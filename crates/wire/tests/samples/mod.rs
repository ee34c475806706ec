//! One of every message, made by hand and from the rules' own notation.

use std::fmt::Debug;

use rules::door::GameName;
use rules::kit::{Match, Moment, Outcome, Preset, Seat, Seats, Seed, View as _, Viewer};
use rules::{extreme, mind, royale, soulmates};
use tempo::{Closest, Incident, Lane, Lean, LevelTempo, Mark, Play, Point, Sync, Tempo};
use wire::{
    Admission, AudienceRequest, Between, BotGames, BotKind, Chair, ClientMessage, CloseReason,
    Code, Command, Frame, FrameView, GameResult, GameSummary, Grade, Help, History, JudgedRound,
    JudgedRow, Judgement, Me, Member, PROTOCOL, Participant, Pause, PhotoFinish, Playback,
    PointOfView, Progress, Quality, Reaction, Record, Refusal, Refused, Removed, RepeatedDeal,
    Replay, Request, ServerMessage, Setup, Sitter, Spectator, Speed, Stage, Strangers, StudyTable,
    SyncScore, Table, Tally, Team, Trouble, Update, View, WireGame,
};

/// A message and what it is a sample of.
pub type Sample<T> = (&'static str, T);

/// Reads a part of a message in its notation.
pub fn read<T: std::str::FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap_or_else(|error| panic!("{text:?}: {error:?}"))
}

/// Every message of a browser.
pub fn client() -> Vec<Sample<ClientMessage>> {
    let table = code();
    let ask = |request| ClientMessage::Ask { table, id: 3, request };
    let doing =
        |command| ClientMessage::Do { table, id: 17, seq: 41, pressed: 123_456.75, command };
    let mut all = vec![
        ("hello", ClientMessage::Hello { protocol: PROTOCOL, client: 2_894_017_655 }),
        ("join", ClientMessage::Join { table }),
        ("leave", ClientMessage::Leave { table }),
        ("do", doing(Command::Mind(read("play 34")))),
        ("probe", ClientMessage::Probe { sent: 2_345.5 }),
        ("away", ClientMessage::Away { away: true, since: 123_456.75 }),
        ("ask", ask(Request::Sit(Seat::A))),
        ("say", ClientMessage::Say { table, id: 4, text: "well played 🙂".into() }),
        ("react", ClientMessage::React { table, id: 5, sign: Reaction::Bravo }),
    ];
    let (game, key) = (read("k3f9ab-1"), "0f".repeat(16));
    all.push(("attend", ClientMessage::Attend { game, id: 6, key: None }));
    all.push(("attend by a link", ClientMessage::Attend { game, id: 6, key: Some(key) }));
    all.push(("depart", ClientMessage::Depart { game }));
    let to_audience =
        |(name, request)| (name, ClientMessage::AudienceRequest { game, id: 7, request });
    all.extend(audience_requests().into_iter().map(to_audience));
    all.extend(requests().into_iter().map(|(name, request)| (name, ask(request))));
    all.extend(commands().into_iter().map(|(name, command)| (name, doing(command))));
    all
}

/// Every request about a table.
pub fn requests() -> Vec<Sample<Request>> {
    vec![
        ("sit", Request::Sit(read("B"))),
        ("stand", Request::Stand),
        ("ready", Request::Ready),
        ("unready", Request::Unready),
        ("unhurried", Request::Unhurried(true)),
        ("arrange", Request::Arrange(Setup::of(GameName::Royale, 2, Preset::Friendly).unwrap())),
        ("add-bot", Request::AddBot { seat: read("C"), kind: BotKind::Random }),
        ("add-ghost", Request::AddGhost { seat: read("C"), game: read("k3f9ab-1"), of: read("B") }),
        ("remove-bot", Request::RemoveBot(read("C"))),
        ("kick", Request::Kick(read("B"))),
        ("readmit", Request::Readmit(1)),
        ("remove-spectator", Request::RemoveSpectator(3)),
        ("mute", Request::Mute { spectator: 3, muted: true }),
        ("lock", Request::Lock(true)),
        ("new-code", Request::NewCode),
        ("hide-code", Request::HideCode(true)),
        ("players-only", Request::PlayersOnly(true)),
        ("pass-host", Request::PassHost(read("B"))),
        ("start", Request::Start),
        ("rematch", Request::Rematch),
        ("hold", Request::Hold),
        ("end", Request::End),
        ("wait", Request::Wait),
        ("agree-to-chat", Request::AgreeToChat(true)),
    ]
}

/// Every request of a member of an audience.
pub fn audience_requests() -> Vec<Sample<AudienceRequest>> {
    let speeds = [Speed::Half, Speed::True, Speed::Double, Speed::Fourfold, Speed::Eightfold];
    let mut all = vec![
        ("pass-lead", AudienceRequest::PassLead(2)),
        ("release", AudienceRequest::Release),
        ("follow", AudienceRequest::Follow),
        ("unfollow", AudienceRequest::Unfollow),
        ("remark", AudienceRequest::Remark("there!".into())),
    ];
    for speed in speeds {
        all.push(("lead", AudienceRequest::Lead(playback(true, speed, PointOfView::Open))));
    }
    for point_of_view in [PointOfView::Seat(Seat::A), PointOfView::Spectator] {
        all.push(("lead", AudienceRequest::Lead(playback(false, Speed::True, point_of_view))));
    }
    all
}

fn playback(playing: bool, speed: Speed, point_of_view: PointOfView) -> Playback {
    Playback { at: Moment::from_millis(12_345), moves: 5, playing, speed, point_of_view }
}

/// Every command of a player.
pub fn commands() -> Vec<Sample<Command>> {
    let mut all = vec![];
    for text in ["rest", "lift", "stop", "raise", "lower", "play 34", "continue", "finish"] {
        all.push((text, Command::Mind(read(text))));
    }
    for text in ["rest", "lift", "stop", "raise", "lower", "play w8", "play r33", "choose red"] {
        all.push((text, Command::Extreme(read(text))));
    }
    for text in
        ["look", "hint -", "hint 7,38", "rest", "lift", "stop", "play 34", "continue", "finish"]
    {
        all.push((text, Command::Soulmates(read(text))));
    }
    for text in ["hide A1,B2,C3", "ask AAB", "ask 112", "mark B3", "unmark B3"] {
        all.push((text, Command::Royale(read(text))));
    }
    all
}

fn probed(quality: Option<Quality>) -> ServerMessage {
    ServerMessage::Probed { sent: 2_345.5, server: 98_765.5, quality, corrected: 2 }
}

/// Every message of the server but updates.
pub fn server() -> Vec<Sample<ServerMessage>> {
    let text = || "look again and choose anew".to_string();
    let mut all = vec![
        (
            "welcome",
            ServerMessage::Welcome {
                protocol: PROTOCOL,
                me: Me { name: read("Ada"), mark: mark() },
            },
        ),
        (
            "refused",
            ServerMessage::Refused(Refused {
                table: Some(code()),
                id: Some(17),
                why: Refusal::Stale,
                text: text(),
            }),
        ),
        (
            "refused, about no table",
            ServerMessage::Refused(Refused {
                table: None,
                id: None,
                why: Refusal::Malformed,
                text: "send one of the messages in docs/protocol.md".into(),
            }),
        ),
        (
            "refused, with what belongs to it",
            ServerMessage::Refused(Refused {
                table: Some(code()),
                id: Some(18),
                why: Refusal::TooManyHints { given: 4, most: 3 },
                text: text(),
            }),
        ),
        ("found", ServerMessage::Found { code: "m4n7pq".parse().unwrap(), table: code() }),
        (
            "reacted",
            ServerMessage::Reacted {
                table: code(),
                seat: Seat::A,
                name: read("Ada"),
                sign: Reaction::Heart,
            },
        ),
        (
            "said at the table",
            ServerMessage::Said {
                table: code(),
                seat: Some(Seat::A),
                name: read("Ada"),
                text: "well played 🙂".into(),
            },
        ),
        (
            "said by a spectator",
            ServerMessage::Said {
                table: code(),
                seat: None,
                name: read("Charles"),
                text: "\u{201c}bravo\u{201d} <b>".into(),
            },
        ),
    ];
    let member = |number, name, you: bool| Member { number, name: read(name), follows: !you, you };
    let audience = |ack, lead: Option<u32>| ServerMessage::Audience {
        game: read("k3f9ab-1"),
        ack,
        members: vec![member(1, "Ada", true), member(2, "Ben", false)],
        lead,
        playback: lead.map(|_| playback(true, Speed::Double, PointOfView::Seat(Seat::A))),
        show_at: 98_765.5,
    };
    all.push(("an audience with a leader", audience(None, Some(1))));
    all.push(("an audience without one", audience(Some(6), None)));
    let (game, name) = (read("k3f9ab-1"), read("Ada"));
    all.push(("remark", ServerMessage::Remark { game, name, text: "there!".into() }));
    let measured = [None, Some(Grade::Good), Some(Grade::Fair), Some(Grade::Poor)];
    for quality in measured.map(|grade| grade.map(quality)) {
        all.push(("probed", probed(quality)));
    }
    all.push(("announcement", ServerMessage::Announcement { text: text() }));
    for why in [
        CloseReason::Restarting,
        CloseReason::Deleted,
        CloseReason::SignedOut,
        CloseReason::Flooding,
        CloseReason::TooLong,
        CloseReason::Slow,
        CloseReason::Idle,
        CloseReason::Protocol,
        CloseReason::Crowded,
        CloseReason::Blocked,
    ] {
        all.push(("bye", ServerMessage::Bye { why, text: text() }));
    }
    all
}

/// Every stage of a table.
pub fn stages() -> Vec<Sample<Stage>> {
    let over = |outcome| Stage::Over { outcome };
    vec![
        ("gathering", Stage::Gathering),
        ("playing, all there", playing()),
        (
            "playing, a player missing",
            Stage::Playing { missing: read("B"), hold: read("AC"), end: read("A"), paused: vec![] },
        ),
        (
            "paused",
            Stage::Playing {
                missing: Seats::NONE,
                hold: Seats::NONE,
                end: Seats::NONE,
                paused: [Trouble::Silent, Trouble::Unsteady, Trouble::Hidden]
                    .map(|why| Pause { seat: read("B"), why })
                    .to_vec(),
            },
        ),
        ("over, won", over(Some(Outcome::Won))),
        ("over, lost", over(Some(Outcome::Lost))),
        ("over, some are best", over(Some(Outcome::Best(read("AC"))))),
        ("over, ended early", over(None)),
    ]
}

/// A mark, as it is known to the page.
pub fn mark() -> wire::Mark {
    wire::Mark { picture: wire::MarkPicture::Moon, colour: wire::MarkColour::Amber }
}

/// Every kind of sitter.
pub fn sitters() -> Vec<Sample<Sitter>> {
    let person = |name: &str, here, held, ready: bool| Sitter::Person {
        name: read(name),
        mark: mark(),
        here,
        held,
        ready,
        quality: ready.then(|| quality(Grade::Good)),
        alike: false,
        unhurried: held,
    };
    vec![
        ("empty", Sitter::Empty),
        ("a person who is ready", person("Ada", true, false, true)),
        ("a person who is away", person("李小龍", false, false, false)),
        ("a person whose seat is held", person("Grace", false, true, false)),
        ("a machine", Sitter::Bot(BotKind::Random)),
        ("a steady machine", Sitter::Bot(BotKind::Steady)),
        ("a hasty one", Sitter::Bot(BotKind::Hasty)),
        ("a dreamy one", Sitter::Bot(BotKind::Dreamy)),
        ("one that learns", Sitter::Bot(BotKind::Kindred)),
        ("a novice", Sitter::Bot(BotKind::Novice)),
        ("a student", Sitter::Bot(BotKind::Student)),
        ("a master", Sitter::Bot(BotKind::Master)),
        ("a cunning one", Sitter::Bot(BotKind::Cunning)),
        ("a ghost", Sitter::Ghost { name: read("Ada") }),
    ]
}

/// Set-ups of every game, some as the box has it and some as a host may want it.
pub fn setups() -> Vec<Sample<Setup>> {
    let mut all = vec![];
    for text in [
        "players=2",
        "players=4 levels=3 lives=5 stars=0 seeding=fixed",
        "players=2 levels=14 first_level=3 face=blind",
    ] {
        all.push((text, Setup::Mind(read(text))));
    }
    for text in [
        "players=3",
        "players=2 blind_cost=one-per-level photo_finish=on",
        "players=4 table=oo,bb first_level=2",
    ] {
        all.push((text, Setup::Extreme(read(text))));
    }
    for text in [
        "players=2",
        "players=3 table=gentle",
        "players=4 table=3/1/1 first_seer=D tempo_report=every-level",
    ] {
        all.push((text, Setup::Soulmates(read(text))));
    }
    for text in [
        "players=3",
        "players=2 variant=series rounds=4 aid_count=on",
        "players=3 rounds=3 first_maker=C",
    ] {
        all.push((text, Setup::Royale(read(text))));
    }
    all
}

/// An update that brings a table and nothing of a game.
pub fn bare_update(table: Option<Table>, you: Option<Seat>) -> Update {
    Update {
        code: table.as_ref().map_or_else(code, |table| table.code),
        table,
        you,
        seq: 7,
        ack: None,
        sights: vec![],
        view: None,
        options: None,
        help: None,
        photo_finish: None,
        show_at: 1.5,
    }
}

/// An update before the first game, at a table with empty seats.
fn gathering() -> ServerMessage {
    let mut table = table(Setup::Mind(read("players=2")), Stage::Gathering);
    (table.host, table.deal) = (None, None);
    for chair in &mut table.chairs {
        chair.sitter = Sitter::Empty;
    }
    let update = Update { seq: 2, show_at: 0.0, ..bare_update(Some(table), None) };
    ServerMessage::Update(Box::new(update))
}

/// Updates in each game: after a move, as its maker and as a spectator see it.
pub fn updates() -> Vec<Sample<ServerMessage>> {
    let seat = Viewer::Seat(Seat::A);
    let mut all = vec![("gathering", gathering())];
    for viewer in [seat, Viewer::Spectator] {
        let mind = "players=2 | level=3 hands=18,40,77/34,35 pile=B7";
        all.push(("mind", update::<mind::Mind>(mind, "play 18", viewer)));
        let extreme = "players=2 | level=2 hands=w11,r26/w30,r20";
        all.push(("extreme", update::<extreme::Extreme>(extreme, "play w11", viewer)));
        let soulmates = "players=3 | drawn=7,35,38,42 looked=7,38,42";
        all.push(("soulmates", update::<soulmates::Soulmates>(soulmates, "hint 38", viewer)));
        let royale = "players=2";
        all.push(("royale", update::<royale::Royale>(royale, "hide A1,B2,C3", viewer)));
    }
    all
}

fn update<G: WireGame>(state: &str, command: &str, viewer: Viewer) -> ServerMessage {
    // A view leaves out when the last card was played, so it reads back as long as that is zero.
    let at = Moment::START;
    let live = Match::<G>::resume(read(state), Seed::from(7), 40, Moment::START);
    let step = live.submit(at, Seat::A, read(command)).unwrap_or_else(|error| panic!("{error}"));
    let view = step.next().view(viewer);
    let setup = G::sent_setup(*step.next().state().setup());
    let update = Update {
        code: code(),
        table: Some(Table { talk: view.may_talk(), ..table(setup, playing()) }),
        you: viewer.seat(),
        seq: 41,
        ack: viewer.seat().map(|_| 17),
        sights: step.sights(viewer).map(G::sent_sight).collect(),
        options: viewer.seat().map(|_| G::sent_options(&view)),
        help: (G::NAME == "royale").then(|| Help {
            codes: Some(24),
            cards: Some(read("B2,D1")),
            suggestion: Some(read("325")),
        }),
        view: Some(G::sent_view(view)),
        photo_finish: viewer.seat().map(|first| PhotoFinish {
            first,
            second: read("B"),
            within_ms: 18,
        }),
        show_at: 98_765.5,
    };
    ServerMessage::Update(Box::new(update))
}

/// A game that is over, two moments of it.
pub fn judgement() -> Judgement {
    let between = |least, most| Between { least, most };
    let row = JudgedRow {
        seat: Seat::A.left(2),
        row: read("ABB"),
        pegs: read("1b1w"),
        codes_before: 13_800,
        codes_after: 1_200,
        cards_after: read("A1,B2,B3"),
        best: read("ABC"),
        before: between(7.1, 7.1),
        asked: between(7.12, 7.2),
        after: between(5.8, 5.9),
        cost: between(0.02, 0.1),
    };
    let (code, pack) = (read("A1,B2,B3"), read("A1,B2,B3,C4"));
    let round = JudgedRound { round: 1, maker: Seat::A, code, pack, rows: vec![row] };
    Judgement { rounds: vec![round] }
}

pub fn replay() -> Replay {
    let state = read::<mind::Mind>("players=2 | level=3 hands=18,40,77/34,35 pile=B7");
    let shown = |viewer| FrameView {
        sights: vec![],
        view: View::Mind(rules::kit::Game::view(&state, viewer)),
    };
    let frame = |by| Frame {
        at: Moment::from_millis(12_345),
        by,
        seats: Seat::all(2).map(|seat| shown(Viewer::Seat(seat))).collect(),
        spectator: shown(Viewer::Spectator),
        open: shown(Viewer::Spectator),
    };
    let over = Stage::Over { outcome: Some(Outcome::Won) };
    let table = table(Setup::Mind(*rules::kit::Game::setup(&state)), over);
    let you = Some(Seat::A);
    Replay {
        game: 1,
        table,
        you,
        seed: Some("00".repeat(32)),
        tempo: Some(tempo()),
        frames: vec![frame(None), frame(Some(Seat::A))],
    }
}

/// The records of a person and of a team.
pub fn past() -> Vec<(Record, History)> {
    let kind = BotKind::Kindred;
    let people = vec![
        Participant::You,
        Participant::Named { name: read("Ben"), mark: mark() },
        Participant::Someone,
        Participant::Bot(kind),
        Participant::Ghost,
        Participant::Empty,
    ];
    let (id, table, game) = ("0".repeat(32), code(), GameName::Mind);
    let tally = |level: Option<u8>| Tally { game, played: 3, won: level.map(u32::from), level };
    let record = |teams| Record {
        people: people.clone(),
        games: 3,
        tallies: vec![tally(Some(2)), tally(None)],
        bots: vec![BotGames { bot: kind, games: 2 }],
        teams,
        syncs: vec![SyncScore { table, number: 1, game, score: 71.5 }],
    };
    let level = |stars| Progress::Level { level: 2, of: 12, beyond: 0, lives: 1, stars };
    let played = |outcome, result, reached, sync| GameSummary {
        table,
        number: 1,
        setup: Setup::Mind(read("players=2")),
        chairs: people.clone(),
        team: id.clone(),
        outcome,
        result,
        reached,
        sync,
        same_deal: 0,
    };
    let best = Outcome::Best(Seats::NONE.with(Seat::A));
    let games = vec![
        played(Some(Outcome::Won), GameResult::Won, level(Some(1)), Some(71.5)),
        played(Some(Outcome::Lost), GameResult::Lost, level(None), None),
        played(Some(best), GameResult::Won, Progress::Points(vec![3, 5]), None),
        played(None, GameResult::Early, level(Some(0)), None),
    ];
    let team = Team { id: id.clone(), people: people.clone(), games: 3 };
    vec![
        (record(vec![team]), History { games: games.clone(), before: Some(7) }),
        (record(vec![]), History { games, before: None }),
    ]
}

/// A tempo report with every optional part.
fn tempo() -> Tempo {
    let (at, card, seat) = (Moment::from_millis(900), read("37"), Seat::A);
    let lanes = [Lane::Pile, Lane::White, Lane::Red];
    let sync = Some(Sync { score: 81.5, plays: 6, waits: 4 });
    let leans = vec![Lean { seat, late: -0.25 }];
    let level = |one_sided| LevelTempo {
        level: 3,
        attempt: 1,
        beyond: false,
        complete: true,
        one_sided,
        length: at,
        plays: lanes.map(|lane| Play { at, lane, seat, card, mistake: false }).to_vec(),
        marks: [Incident::Stop, Incident::Star, Incident::Mistake]
            .map(|incident| Mark { at, incident })
            .to_vec(),
        curves: vec![vec![Point { at, card }]],
        closest: one_sided.map(|_| Closest { first: card, next: read("38"), apart: at }),
        sync: sync.filter(|_| one_sided.is_some()),
        leans: leans.clone(),
    };
    let levels = lanes.map(Some).into_iter().chain([None]).map(level).collect();
    Tempo { levels, sync, leans: leans.clone() }
}

pub fn table(setup: Setup, stage: Stage) -> Table {
    let sitters = sitters().into_iter().skip(1).map(|(_, sitter)| sitter);
    let chairs = Seat::all(setup.players()).zip(sitters);
    Table {
        code: code(),
        setup,
        public: false,
        host: Some(Seat::A),
        chairs: chairs.map(|(seat, sitter)| Chair { seat, sitter }).collect(),
        spectator_count: 1,
        spectators: vec![Spectator { number: 3, name: read("Eve"), muted: true }],
        admission: Admission {
            locked: true,
            hides_code: false,
            players_only: false,
            removed: vec![Removed { number: 1, name: read("Mallory") }],
        },
        stage,
        games: 1,
        talk: true,
        deal: Some(RepeatedDeal { of: Some(read("m4n7pq-2")), daily: false, knows: read("B") }),
        commitment: Some(read("60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55")),
        strangers: Some(Strangers { agreed: read("A"), chat: false, free: read("B") }),
        study: Some(StudyTable { name: read("tempo-report"), chat: false, signs: false }),
    }
}

pub fn playing() -> Stage {
    let none = Seats::NONE;
    Stage::Playing { missing: none, hold: none, end: none, paused: vec![] }
}

fn quality(grade: Grade) -> Quality {
    Quality { grade, trip_ms: 41, spread_ms: 6 }
}

pub fn code() -> Code {
    read("k3f9ab")
}

/// Every view and sight that the worked examples of a game's rules produce, for every seat and a
/// spectator.
#[allow(dead_code, reason = "only one of the tests asks")]
pub fn seen_in_examples<G: WireGame>(mut seen: impl FnMut(Setup, Viewer, &View, &[wire::Sight])) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests");
    let path = format!("{folder}/{}.examples", G::NAME);
    let examples = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut live: Option<Match<G>> = None;
    for line in examples.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let step = match (word, &live) {
            ("open", _) => Some(Match::<G>::open(&read(rest.trim()), Seed::from(7))),
            ("start", _) => {
                let state = read::<G>(rest.trim());
                live = Some(Match::resume(state, Seed::from(7), 1, Moment::START));
                None
            }
            ("do", Some(live)) => {
                let (seat, command) = rest.trim().split_once(' ').expect("a seat does something");
                live.submit(live.at(), read(seat), read(command)).ok()
            }
            _ => None,
        };
        let Some(step) = step else { continue };
        let setup = G::sent_setup(*step.next().state().setup());
        for viewer in Viewer::all(setup.players()) {
            let sights = step.sights(viewer).map(G::sent_sight).collect::<Vec<_>>();
            seen(setup, viewer, &G::sent_view(step.next().view(viewer)), &sights);
        }
        live = Some(step.commit());
    }
    assert!(live.is_some(), "the examples have no game in them");
}
