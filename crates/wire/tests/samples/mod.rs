//! One of every message, made by hand and from the rules' own notation.

use std::fmt::Debug;

use rules::door::GameName;
use rules::kit::{Match, Moment, Outcome, Preset, Seat, Seats, Seed, View as _, Viewer};
use rules::{extreme, mind, royale, soulmates};
use tempo::{Closest, Incident, Lane, Lean, LevelTempo, Mark, Play, Point, Sync, Tempo};
use wire::{
    Between, BotKind, Chair, ClientMessage, Code, Command, Companion, Course, Eyes, Farewell,
    Frame, GameResult, Gesture, Grade, Help, History, JudgedRound, JudgedRow, Judgement, Known, Me,
    Member, PROTOCOL, Partner, Pause, PhotoFinish, Played, Quality, Reached, Record, Repeat,
    Replay, Request, ServerMessage, Setup, Shown, Sitter, Speed, Stage, Synced, Table, Tally, Team,
    Trouble, Update, View,
};

/// A message and what it is a sample of.
pub type Sample<T> = (&'static str, T);

/// Reads a part of a message in its notation.
pub fn read<T: std::str::FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap_or_else(|error| panic!("{text:?}: {error:?}"))
}

/// Everything that a browser says.
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
    ];
    let (game, key) = (read("k3f9ab-1"), "0f".repeat(16));
    all.push(("attend", ClientMessage::Attend { game, id: 6, key: None }));
    all.push(("attend by a link", ClientMessage::Attend { game, id: 6, key: Some(key) }));
    all.push(("depart", ClientMessage::Depart { game }));
    let gesture = |(name, gesture)| (name, ClientMessage::Gesture { game, id: 7, gesture });
    all.extend(gestures().into_iter().map(gesture));
    all.extend(requests().into_iter().map(|(name, request)| (name, ask(request))));
    all.extend(commands().into_iter().map(|(name, command)| (name, doing(command))));
    all
}

/// Everything that people want of a table.
pub fn requests() -> Vec<Sample<Request>> {
    vec![
        ("sit", Request::Sit(read("B"))),
        ("stand", Request::Stand),
        ("ready", Request::Ready),
        ("unready", Request::Unready),
        ("arrange", Request::Arrange(Setup::of(GameName::Royale, 2, Preset::Friendly).unwrap())),
        ("add-bot", Request::AddBot { seat: read("C"), kind: BotKind::Random }),
        ("add-ghost", Request::AddGhost { seat: read("C"), game: read("k3f9ab-1"), of: read("B") }),
        ("remove-bot", Request::RemoveBot(read("C"))),
        ("kick", Request::Kick(read("B"))),
        ("pass-host", Request::PassHost(read("B"))),
        ("start", Request::Start),
        ("rematch", Request::Rematch),
        ("hold", Request::Hold),
        ("end", Request::End),
        ("wait", Request::Wait),
    ]
}

/// Everything that people do who look at a game that is over.
pub fn gestures() -> Vec<Sample<Gesture>> {
    let speeds = [Speed::Half, Speed::True, Speed::Double, Speed::Fourfold, Speed::Eightfold];
    let mut all = vec![
        ("pass-lead", Gesture::PassLead(2)),
        ("release", Gesture::Release),
        ("follow", Gesture::Follow),
        ("stray", Gesture::Stray),
        ("remark", Gesture::Remark("there!".into())),
    ];
    for speed in speeds {
        all.push(("lead", Gesture::Lead(course(true, speed, Eyes::Open))));
    }
    for eyes in [Eyes::Seat(Seat::A), Eyes::Watcher] {
        all.push(("lead", Gesture::Lead(course(false, Speed::True, eyes))));
    }
    all
}

fn course(playing: bool, speed: Speed, eyes: Eyes) -> Course {
    Course { at: Moment::from_millis(12_345), moves: 5, playing, speed, eyes }
}

/// Everything that players do.
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

/// Everything that the server says but updates, of which there are many kinds.
pub fn server() -> Vec<Sample<ServerMessage>> {
    let text = || "look again and choose anew".to_string();
    let mut all = vec![
        ("welcome", ServerMessage::Welcome { protocol: PROTOCOL, me: Me { name: read("Ada") } }),
        (
            "refused",
            ServerMessage::Refused {
                table: Some(code()),
                id: Some(17),
                code: "stale".into(),
                text: text(),
            },
        ),
        (
            "refused, about no table",
            ServerMessage::Refused {
                table: None,
                id: None,
                code: "malformed".into(),
                text: "send one of the messages in docs/protocol.md".into(),
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
            "said by a watcher",
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
        course: lead.map(|_| course(true, Speed::Double, Eyes::Seat(Seat::A))),
        show_at: 98_765.5,
    };
    all.push(("an audience with a leader", audience(None, Some(1))));
    all.push(("an audience without one", audience(Some(6), None)));
    let (game, name) = (read("k3f9ab-1"), read("Ada"));
    all.push(("remark", ServerMessage::Remark { game, name, text: "there!".into() }));
    let measured = [None, Some(Grade::Good), Some(Grade::Fair), Some(Grade::Poor)];
    for quality in measured.map(|grade| grade.map(quality)) {
        all.push(("probed", ServerMessage::Probed { sent: 2_345.5, server: 98_765.5, quality }));
    }
    for why in [
        Farewell::Restarting,
        Farewell::Deleted,
        Farewell::Flooding,
        Farewell::TooLong,
        Farewell::Slow,
        Farewell::Idle,
        Farewell::Protocol,
        Farewell::Crowded,
    ] {
        all.push(("bye", ServerMessage::Bye { why, text: text() }));
    }
    all
}

/// Everything that goes on around a game.
pub fn stages() -> Vec<Sample<Stage>> {
    let over = |outcome| Stage::Over { outcome };
    vec![
        ("gathering", Stage::Gathering),
        ("playing, all there", playing()),
        (
            "playing, somebody missing",
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

/// Everybody who can sit in a chair.
pub fn sitters() -> Vec<Sample<Sitter>> {
    let person = |name: &str, here, held, ready: bool| Sitter::Person {
        name: read(name),
        here,
        held,
        ready,
        quality: ready.then(|| quality(Grade::Good)),
        corrected: 0,
    };
    vec![
        ("nobody", Sitter::Nobody),
        ("somebody who is ready", person("Ada", true, false, true)),
        ("somebody who is away", person("李小龍", false, false, false)),
        ("somebody whose seat is held", person("Grace", false, true, false)),
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
    for text in ["players=2", "players=4 levels=3 lives=5 stars=0 seeding=fixed"] {
        all.push((text, Setup::Mind(read(text))));
    }
    for text in ["players=3", "players=2 blind_cost=one-per-level photo_finish=on"] {
        all.push((text, Setup::Extreme(read(text))));
    }
    for text in [
        "players=2",
        "players=3 table=gentle",
        "players=4 table=3/1/1 first_seer=D tempo_report=every-level",
    ] {
        all.push((text, Setup::Soulmates(read(text))));
    }
    for text in ["players=3", "players=2 variant=series rounds=4 aid_count=on"] {
        all.push((text, Setup::Royale(read(text))));
    }
    all
}

/// An update before there is a game, at a table where nobody sits yet.
fn gathering() -> ServerMessage {
    let mut table = table(Setup::Mind(read("players=2")), Stage::Gathering);
    (table.host, table.deal) = (None, None);
    for chair in &mut table.chairs {
        chair.sitter = Sitter::Nobody;
    }
    let update = Update {
        code: code(),
        table: Some(table),
        you: None,
        seq: 2,
        ack: None,
        sights: vec![],
        view: None,
        options: None,
        help: None,
        photo_finish: None,
        show_at: 0.0,
    };
    ServerMessage::Update(Box::new(update))
}

/// Updates in each game: after a move, as its maker and as a watcher see it.
pub fn updates() -> Vec<Sample<ServerMessage>> {
    let seat = Viewer::Seat(Seat::A);
    let mut all = vec![("gathering", gathering())];
    for viewer in [seat, Viewer::Watcher] {
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

fn update<G: Known>(state: &str, command: &str, viewer: Viewer) -> ServerMessage {
    // A view leaves out when the last card was played, so it reads back as long as that is zero.
    let at = Moment::START;
    let live = Match::<G>::resume(read(state), Seed::from(7), 40, Moment::START);
    let step = live.submit(at, Seat::A, read(command)).unwrap_or_else(|error| panic!("{error}"));
    let view = step.next().view(viewer);
    let sent = G::sent_view(view.clone());
    let update = Update {
        code: code(),
        table: Some(Table { talk: view.may_talk(), ..table(setup_of(&sent), playing()) }),
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
        view: Some(sent),
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
    let shown =
        |viewer| Shown { sights: vec![], view: View::Mind(rules::kit::Game::view(&state, viewer)) };
    let frame = |by| Frame {
        at: Moment::from_millis(12_345),
        by,
        seats: Seat::all(2).map(|seat| shown(Viewer::Seat(seat))).collect(),
        watcher: shown(Viewer::Watcher),
        open: shown(Viewer::Watcher),
    };
    let over = Stage::Over { outcome: Some(Outcome::Won) };
    let table = table(Setup::Mind(*rules::kit::Game::setup(&state)), over);
    let you = Some(Seat::A);
    Replay {
        game: 1,
        table,
        you,
        tempo: Some(tempo()),
        frames: vec![frame(None), frame(Some(Seat::A))],
    }
}

/// What somebody and a team are told of what they played.
pub fn past() -> Vec<(Record, History)> {
    let kind = BotKind::Kindred;
    let people = vec![
        Companion::You,
        Companion::Named(read("Ben")),
        Companion::Someone,
        Companion::Bot(kind),
        Companion::Ghost,
        Companion::Nobody,
    ];
    let (id, table, game) = ("0".repeat(32), code(), GameName::Mind);
    let tally = |level: Option<u8>| Tally { game, played: 3, won: level.map(u32::from), level };
    let record = |teams| Record {
        people: people.clone(),
        games: 3,
        tallies: vec![tally(Some(2)), tally(None)],
        bots: vec![Partner { bot: kind, games: 2 }],
        teams,
        syncs: vec![Synced { table, number: 1, game, score: 71.5 }],
    };
    let level = |stars| Reached::Level { level: 2, of: 12, beyond: 0, lives: 1, stars };
    let played = |outcome, result, reached, sync| Played {
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
        played(Some(best), GameResult::Won, Reached::Points(vec![3, 5]), None),
        played(None, GameResult::Early, level(Some(0)), None),
    ];
    let team = Team { id: id.clone(), people: people.clone(), games: 3 };
    vec![
        (record(vec![team]), History { games: games.clone(), before: Some(7) }),
        (record(vec![]), History { games, before: None }),
    ]
}

/// How a team kept time, with everything in it that there may be.
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

pub fn setup_of(view: &View) -> Setup {
    match view {
        View::Mind(view) => Setup::Mind(view.public.setup),
        View::Extreme(view) => Setup::Extreme(view.public.setup),
        View::Soulmates(view) => Setup::Soulmates(view.public.setup),
        View::Royale(view) => Setup::Royale(view.public.setup),
    }
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
        watchers: 1,
        stage,
        games: 1,
        talk: true,
        deal: Some(Repeat { of: read("m4n7pq-2"), knows: read("B") }),
    }
}

pub fn playing() -> Stage {
    let nobody = Seats::NONE;
    Stage::Playing { missing: nobody, hold: nobody, end: nobody, paused: vec![] }
}

fn quality(grade: Grade) -> Quality {
    Quality { grade, trip_ms: 41, spread_ms: 6 }
}

pub fn code() -> Code {
    read("k3f9ab")
}

/// What a game sends whenever something happens in the worked examples of its rules, to every
/// chair and to a watcher: the way to nearly every view and sight that there is.
#[allow(dead_code, reason = "only one of the tests asks")]
pub fn seen_in_examples<G: Known>(examples: &str, mut seen: impl FnMut(&View, &[wire::Sight])) {
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
        for viewer in Viewer::all(G::players(step.next().state())) {
            let sights = step.sights(viewer).map(G::sent_sight).collect::<Vec<_>>();
            seen(&G::sent_view(step.next().view(viewer)), &sights);
        }
        live = Some(step.commit());
    }
    assert!(live.is_some(), "the examples have no game in them");
}
