//! The attacks by requests and connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use super::attacker::Attacker;
use super::attacks::attacker;
use super::{Outcome, PROXY, Siege, WHOLE};

/// The proxy sets one header, as the files in `dist` have it do; a client has made up the others.
pub fn forged_addresses(siege: &Siege) -> Outcome {
    let proxy = Attacker::new(PROXY.parse().unwrap(), siege.server.address);
    let begun = Instant::now();
    let count = siege.number(300, 3_000);
    let accepted = (0..count).filter(|number| {
        let made_up = format!("203.0.{}.{}", number / 250, number % 250 + 1);
        let more = format!(
            "X-Forwarded-For: {made_up}, 192.0.2.1\r\nForwarded: for={made_up}\r\n\
             X-Real-IP: {made_up}\r\n"
        );
        proxy.ask("GET /api/setups", &more, "").status == Some(200)
    });
    let accepted = accepted.count();
    // 120 at once, and 20 a second.
    let most = 121 + begun.elapsed().as_millis() as usize / 50;
    let text = format!("{accepted} accepted: they count as one address");
    Outcome { count, text, held: (1..=most).contains(&accepted) && accepted < count }
}

pub fn foreign_pages(siege: &Siege) -> Outcome {
    let from = attacker(siege, 20, 1);
    let cookie = from.name().expect("a person is let in");
    let origins = ["https://evil.example", "null", "http://127.0.0.1.evil.example"];
    let each = siege.number(5, 30);
    let (mut count, mut let_in) = (0, 0);
    for origin in origins {
        for _ in 0..each {
            let_in += usize::from(from.upgrade(&cookie, origin).is_ok());
            let more = format!("Cookie: {cookie}\r\nOrigin: {origin}\r\n");
            let wish = r#"{"game":"mind","players":2}"#;
            let opened = from.ask("POST /api/tables", &more, wish);
            let_in += usize::from(opened.status == Some(201));
            let more = format!("Cookie: {cookie}\r\nSec-Fetch-Site: cross-site\r\n");
            let deleted = from.ask("DELETE /api/me", &more, "");
            let_in += usize::from(deleted.status == Some(204));
            count += 3;
        }
    }
    Outcome { count, text: format!("{let_in} let in"), held: let_in == 0 }
}

/// Too long, smuggled, or on the way to other files.
pub fn bent_requests(siege: &Siege) -> Outcome {
    let long = "y".repeat(100_000);
    let requests = [
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        "\u{0}\u{0}\u{0}\r\n\r\n".to_owned(),
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n".to_owned(),
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX: {long}\r\n\r\n"),
        format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"),
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: y\r\n".repeat(200)),
        "POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"
            .to_owned(),
        "POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n".to_owned(),
        "POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\
         \r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            .to_owned(),
        "GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(),
        "GET /assets/..%2f..%2f..%2fetc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            .to_owned(),
        "GET /api/tables/..%2f..%2fme HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(),
    ];
    let mut failed = Vec::new();
    let times = siege.number(1, 50);
    for round in 0..times {
        let from = attacker(siege, 21, 1 + round / 8);
        for (number, request) in requests.iter().enumerate() {
            let answer = from.send(request.as_bytes());
            // The page itself is the answer to addresses that lead nowhere on it.
            let is_page = answer.status == Some(200) && answer.text.contains("<title>Unspoken");
            let is_refused = answer.status.is_none_or(|status| status >= 400);
            let answers = answer.text.matches("HTTP/1.1 200").count();
            if !(is_refused || is_page) || answers > 1 || answer.text.contains("root:") {
                failed.push(number);
            }
        }
    }
    let text = match failed.len() {
        0 => "all refused".to_owned(),
        _ => format!("answered wrongly: {failed:?}"),
    };
    Outcome { count: times * requests.len(), text, held: failed.is_empty() }
}

/// Forty at once ask for the games of a table that they have nothing to do with.
pub fn replays(siege: &Siege) -> Outcome {
    let each = siege.number(3, 100);
    let paths = [
        format!("GET /api/replays/{WHOLE}-1"),
        format!("GET /api/replays/{WHOLE}-1/plays.csv"),
        format!("GET /api/tables/{WHOLE}/tempo"),
    ];
    let asking = (0..40).map(|number| {
        let from = attacker(siege, 22, 1 + number);
        let paths = paths.clone();
        thread::spawn(move || {
            let asked = paths.iter().cycle().take(each);
            asked.filter(|path| from.ask(path, "", "").status == Some(200)).count()
        })
    });
    let asking = asking.collect::<Vec<_>>();
    let shown = asking.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>();
    Outcome { count: 40 * each, text: format!("{shown} shown"), held: shown == 0 }
}

pub fn churn(siege: &Siege) -> Outcome {
    let count = siege.number(300, 20_000);
    let failed = (0..count).filter(|number| {
        let from = attacker(siege, 23, 1 + number % 200);
        from.stream().is_err()
    });
    let failed = failed.count();
    let text = format!("{failed} could not be made");
    Outcome { count, text, held: failed < count / 10 }
}

/// More connections than one address may have, each with half a request.
pub fn half_open(siege: &Siege) -> Outcome {
    let from = attacker(siege, 24, 1);
    let count = 450;
    let open = |_| {
        let mut stream = from.stream().ok()?;
        let _closed_already = stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n");
        Some(stream)
    };
    let streams = (0..count).filter_map(open).collect::<Vec<_>>();
    thread::sleep(Duration::from_millis(300));
    let is_open = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).is_ok()
            && matches!(stream.read(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let held_open = streams.iter().filter(|stream| is_open(stream)).count();
    let text = format!("{held_open} of them stay open");
    Outcome { count, text, held: held_open <= 400 }
}
