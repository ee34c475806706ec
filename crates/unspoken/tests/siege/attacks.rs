//! The attacks on people, tables and the file.

use std::collections::BTreeMap;
use std::fs;
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::{Duration, Instant};

use rules::kit::{Chance, Seed};
use serde_json::{Value, json};

use super::attacker::{Attacker, Line};
use super::{DAMAGED, Outcome, PROXY, Siege, WHOLE, requests, sample};

/// What an attack does; it returns what it came to.
type Attack = fn(&Siege) -> Outcome;

/// All attacks, in the order in which they are made.
pub const ATTACKS: [(&str, Attack); 16] = [
    ("forged addresses behind a proxy", requests::forged_addresses),
    ("pages of other sites", requests::foreign_pages),
    ("requests that are none", requests::bent_requests),
    ("replays and tempo for strangers", requests::replays),
    ("connections that come and go", requests::churn),
    ("half a request, held open", requests::half_open),
    ("guessed codes", guessed_codes),
    ("new people in a loop", new_people),
    ("puzzles collected for later", collected_puzzles),
    ("bent messages", bent_messages),
    ("empty frames without end", empty_frames),
    ("seats changed without end", seats),
    ("a line changed on the disk", changed_line),
    ("journals with a line dropped", dropped_lines),
    ("a second server on the file", second_server),
    ("the file taken away", taken_away),
];

/// The attacker of a number, at an address of its own.
pub fn attacker(siege: &Siege, group: u8, number: usize) -> Attacker {
    let number = u8::try_from(number).expect("an attack comes from 255 addresses at most");
    Attacker::new(Ipv4Addr::new(127, 0, group, number), siege.server.address)
}

/// A connection of a new person.
fn line(attacker: Attacker) -> Line {
    let cookie = attacker.name().expect("the first people of an address are let in");
    attacker.connect(&cookie).expect("a person is let in")
}

/// How often each code was answered, with what is not a refusal under its kind.
fn answers(line: &mut Line, most: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for _ in 0..most {
        let Some(heard) = line.hear() else { break };
        let word = if heard["t"] == "refused" { &heard["code"] } else { &heard["t"] };
        *counts.entry(word.as_str().unwrap_or("").to_owned()).or_default() += 1;
    }
    counts
}

fn guessed_codes(siege: &Siege) -> Outcome {
    let from = attacker(siege, 10, 1);
    let begun = Instant::now();
    let (mut tried, mut looked_up, mut found) = (0, 0, 0);
    for round in 0..siege.number(2, 20) {
        let mut line = line(from);
        // As many as a connection may send at once.
        for number in 0..38 {
            let digits = (round * 38 + number).to_string();
            let code = digits.chars().chain("2345678".chars()).take(6).collect::<String>();
            line.say(&json!({"t": "join", "table": code.replace(['0', '1'], "9")}).to_string());
        }
        let answers = answers(&mut line, 39);
        let of = |code: &str| answers.get(code).copied().unwrap_or(0);
        tried += 38;
        looked_up += of("no-table");
        found += of("update");
    }
    // Ten at once, and one more every ten seconds.
    let most = 11 + begun.elapsed().as_secs() as usize / 10;
    Outcome {
        count: tried,
        text: format!("{looked_up} were looked up, {found} found"),
        held: looked_up <= most && found == 0,
    }
}

fn new_people(siege: &Siege) -> Outcome {
    let from = attacker(siege, 11, 1);
    let begun = Instant::now();
    let count = siege.number(60, 2_000);
    let people = (0..count).filter(|_| from.name().is_some()).count();
    // Twenty at once, and one more every fifty seconds.
    let most = 21 + begun.elapsed().as_secs() as usize / 50;
    let text = format!("{people} people without a proof of work");
    Outcome { count, text, held: (1..=most).contains(&people) }
}

/// Puzzles for new people, asked for and kept: each has to cost more than those before it, or a
/// stranger would buy many identities at the price of the first.
fn collected_puzzles(siege: &Siege) -> Outcome {
    let from = attacker(siege, 16, 1);
    while from.name().is_some() {}
    let count = siege.number(40, 80);
    let bits = (0..count).filter_map(|_| {
        let answer = from.ask("POST /api/me", "", r#"{"name":"Eve"}"#);
        let (_, body) = answer.text.split_once("\r\n\r\n")?;
        serde_json::from_str::<Value>(body).ok()?["bits"].as_u64()
    });
    let bits = bits.collect::<Vec<_>>();
    let cheap = bits.iter().filter(|bits| **bits < 19).count();
    let hardest = bits.iter().max().copied().unwrap_or_default();
    let text = format!("{cheap} of {} are cheap, the hardest asks for {hardest} bits", bits.len());
    Outcome { count, text, held: (1..=9).contains(&cheap) && hardest == 25 }
}

/// Messages that were real once, with letters cut, doubled or swapped.
fn bent_messages(siege: &Siege) -> Outcome {
    let mut chance = Chance::new(Seed::from(1), 0);
    let connections = siege.number(10, 500);
    let whole = [
        format!(r#"{{"t":"join","table":"{WHOLE}"}}"#),
        format!(r#"{{"t":"ask","id":1,"table":"{WHOLE}","request":{{"sit":"A"}}}}"#),
        format!(
            r#"{{"t":"do","table":"{WHOLE}","id":7,"seq":1,"pressed":1.5,"command":{{"mind":{{"play":34}}}}}}"#
        ),
        r#"{"t":"hello","protocol":7,"client":5}"#.to_owned(),
    ];
    let mut sent = 0;
    for number in 0..connections {
        let from = attacker(siege, 12, 1 + number / 15);
        let Some(cookie) = from.name() else { continue };
        let Some(mut line) = from.connect(&cookie) else { continue };
        for _ in 0..38 {
            line.say(&bend(&mut chance, &whole));
            sent += 1;
        }
    }
    Outcome {
        count: sent,
        text: "the server answers".to_owned(),
        held: sent > connections * 30 && is_ready(siege) == Some(200),
    }
}

fn bend(chance: &mut Chance, whole: &[String]) -> String {
    let mut letters = chance.pick(whole).expect("there are some").chars().collect::<Vec<_>>();
    for _ in 0..=chance.below(3) {
        let place = chance.below(letters.len() as u32) as usize;
        let other = char::from_u32(chance.below(0x11_0000)).unwrap_or('\u{fffd}');
        match chance.below(3) {
            0 => drop(letters.remove(place)),
            1 => letters.insert(place, letters[place]),
            _ => letters[place] = other,
        }
    }
    letters.into_iter().collect()
}

fn empty_frames(siege: &Siege) -> Outcome {
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
    let mut line = line(attacker(siege, 13, 1));
    let frame = |kind| Message::Frame(Frame::message(Vec::new(), OpCode::Data(kind), false));
    let _closed = line.0.send(frame(Data::Text));
    let most = siege.number(2_000, 1_000_000);
    let sent = (0..most).take_while(|_| line.0.send(frame(Data::Continue)).is_ok()).count();
    let mut heard = Vec::new();
    while let Some(message) = line.hear() {
        heard.push(message["why"].clone());
    }
    let is_closed = heard.contains(&json!("flooding")) || sent < most;
    Outcome { count: sent, text: "the connection is closed".to_owned(), held: is_closed }
}

/// Four people at a table sit down and stand up as quickly as their connections may, at fifteen
/// tables when the siege is full.
fn seats(siege: &Siege) -> Outcome {
    let begun = Instant::now();
    let lasts = Duration::from_secs(siege.number(2, 12) as u64);
    let before = fs::metadata(siege.data()).unwrap().len();
    let tables = (0..siege.number(1, 15)).map(|number| {
        let from = attacker(siege, 14, 1 + number / 5);
        let cookies = [(); 4].map(|()| from.name().expect("there are few people at the address"));
        let table = from.open(&cookies[0]).expect("a table can be opened");
        cookies.map(|cookie| (from.connect(&cookie).expect("they are let in"), table.clone()))
    });
    let people = tables.flatten().collect::<Vec<_>>();
    let attacking = people.into_iter().enumerate().map(|(number, (mut line, table))| {
        thread::spawn(move || {
            let seat = ["A", "B", "C", "D"][number % 4];
            line.say(&json!({"t": "join", "table": table}).to_string());
            let mut sent = 0;
            while begun.elapsed() < lasts {
                let request = if sent % 2 == 0 { json!({"sit": seat}) } else { json!("stand") };
                sent += 1;
                let ask = json!({"t": "ask", "table": table, "id": sent, "request": request});
                line.say(&ask.to_string());
                // Twenty a second in the long run, and forty at once.
                thread::sleep(Duration::from_millis(if sent < 38 { 5 } else { 52 }));
            }
            let mut refused = 0;
            while let Some(heard) = line.hear() {
                refused += usize::from(heard["code"] == "change-rate");
                // The answer to the last one.
                if heard["id"] == sent || heard["ack"] == sent {
                    break;
                }
            }
            (sent, refused)
        })
    });
    let attacking = attacking.collect::<Vec<_>>();
    let (mut sent, mut refused) = (0, 0);
    for person in attacking {
        let (of_one, refused_of_one) = person.join().unwrap();
        sent += of_one;
        refused += refused_of_one;
    }
    let grown = fs::metadata(siege.data()).unwrap().len().saturating_sub(before);
    Outcome {
        count: sent,
        text: format!("{refused} refused, the file has grown by {} kB", grown / 1_000),
        // Four megabytes an address at once, and some room for pages.
        held: refused > 0 && grown < 3 * 6_000_000,
    }
}

fn changed_line(siege: &Siege) -> Outcome {
    // The record reads every table of the file once, so it finds the damage by itself.
    let begun = Instant::now();
    while siege.metric("unspoken_damaged_tables") != Some(1.0) {
        if begun.elapsed() > Duration::from_secs(20) {
            let text = format!("{DAMAGED} was not noticed");
            return Outcome { count: 1, text, held: false };
        }
        thread::sleep(Duration::from_millis(50));
    }
    let text = "the table is left out and counted".to_owned();
    Outcome { count: 1, text, held: is_ready(siege) == Some(200) }
}

fn dropped_lines(siege: &Siege) -> Outcome {
    let whole = sample();
    let lines = whole.lines().collect::<Vec<_>>();
    let every = siege.number(8, 1);
    let (mut count, mut accepted, mut refused) = (0, 0, 0);
    for dropped in (2..lines.len()).step_by(every) {
        let rest = lines.iter().enumerate().filter(|(place, _)| *place != dropped);
        let rest = rest.map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
        fs::write(siege.folder.path().join("dropped.jsonl"), rest).unwrap();
        let (_, replayed) = siege.run(&["replay", "dropped.jsonl"]);
        if !replayed.contains("error:") || replayed.contains("is over") {
            continue;
        }
        count += 1;
        let data = format!("dropped-{dropped}.db");
        let (code, _) = siege.run(&["journal", "import", "dropped.jsonl", "--data", &data]);
        if code == Some(0) { accepted += 1 } else { refused += 1 }
    }
    let text = format!("{refused} refused, {accepted} accepted");
    Outcome { count, text, held: count > 0 && accepted == 0 }
}

fn second_server(siege: &Siege) -> Outcome {
    let file = siege.data();
    let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    fs::hard_link(&file, siege.folder.path().join("hard.db")).unwrap();
    let names = ["unspoken.db", "hard.db"];
    let refused = names.iter().filter(|name| {
        let listen = ["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"];
        let (code, text) = siege.run(&[&listen[..], &["--data", name]].concat());
        code == Some(2) && text.contains("another server uses")
    });
    let refused = refused.count();
    let text = format!("{refused} refused; the file has the mode {mode:o}");
    Outcome { count: names.len(), text, held: refused == names.len() && mode == 0o600 }
}

/// Without its file, which is also what a full disk is to the server: it can store nothing.
fn taken_away(siege: &Siege) -> Outcome {
    let from = attacker(siege, 15, 1);
    let cookie = from.name().expect("a person is let in");
    let away = siege.folder.path().join("away.db");
    fs::rename(siege.data(), &away).unwrap();
    let begun = Instant::now();
    while is_ready(siege) == Some(200) && begun.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(50));
    }
    let noticed = begun.elapsed();
    let count = siege.number(8, 80);
    let ready = (0..count).filter(|_| is_ready(siege) == Some(200)).count();
    let opened = (0..8).filter(|_| from.open(&cookie).is_some()).count();
    fs::rename(&away, siege.data()).unwrap();
    let begun = Instant::now();
    while is_ready(siege) != Some(200) && begun.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(50));
    }
    let goes_on = from.open(&cookie).is_some();
    Outcome {
        count: count + 8,
        text: format!(
            "noticed after {:.1} s; {ready} times ready, {opened} tables opened without it",
            noticed.as_secs_f64()
        ),
        held: ready == 0 && opened == 0 && goes_on && noticed < Duration::from_secs(3),
    }
}

/// The status of `/readyz`, which is free of limits.
fn is_ready(siege: &Siege) -> Option<u16> {
    Attacker::new(PROXY.parse().unwrap(), siege.server.address).ask("GET /readyz", "", "").status
}
