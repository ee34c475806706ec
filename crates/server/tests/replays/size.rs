//! A replay is one small answer, however long the game was.

use std::io::Read;

use server::journal_file::{Place, import};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use wire::{Code, Replay, View};

use crate::common::Server;
use crate::common::whole::{Team, journal};

/// What a browser may have to load.
const BYTES_MOST: usize = 200_000;

/// The body of an answer as it travelled.
async fn packed(server: &Server, cookie: &str, table: Code, coding: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "GET /api/replays/{table}-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Cookie: {cookie}\r\nAccept-Encoding: {coding}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-encoding"), "{head}");
    answer.split_off(end + 4)
}

#[tokio::test]
async fn the_longest_game_opens_in_one_small_answer() {
    let server = Server::start(&[]).await;
    let cookie = server.name("Ada").await;
    let secret = cookie.split_once('=').unwrap().1;
    let digits = |pair: usize| u8::from_str_radix(&secret[pair..pair + 2], 16).unwrap();
    let secret = (0..32).step_by(2).map(digits).collect::<Vec<_>>();
    let person = Sha256::digest(secret).into_iter().map(|byte| format!("{byte:02x}"));
    let person = person.collect::<String>();
    let folder = server.stop().await;
    // Twelve levels by two players, and then twelve more face down.
    let team = Team { stops_once_in: 10, errs_once_in: 12, encore: true };
    let table = "k3f9ab".parse::<Code>().unwrap();
    let lines = journal(table, &person, "players=2", team, 7);
    let data = folder.path().join("tables.db");
    import(Place::File(&data), lines.as_bytes(), "whole", None).await.unwrap();
    let server = Server::start_in(folder, &[]).await;

    let gzip = packed(&server, &cookie, table, "gzip").await;
    let brotli = packed(&server, &cookie, table, "br, gzip").await;
    let mut text = String::new();
    flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut text).unwrap();
    let mut same = String::new();
    brotli::Decompressor::new(&brotli[..], 4_096).read_to_string(&mut same).unwrap();
    assert_eq!(text, same);
    let replay = Replay::read(&text).unwrap();
    let View::Mind(first) = replay.frames[0].open.view else { panic!("it is The Mind") };
    let View::Mind(last) = replay.frames.last().unwrap().open.view else { panic!("it still is") };
    assert_eq!((first.public.level, last.public.level), (1, 12));
    println!(
        "{} frames: {} bytes, gzip {}, brotli {}",
        replay.frames.len(),
        text.len(),
        gzip.len(),
        brotli.len()
    );
    assert!(gzip.len() < BYTES_MOST && brotli.len() < BYTES_MOST);
}
