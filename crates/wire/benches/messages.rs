//! What it costs to read a player's move: `cargo xtask bench wire`.

use divan::{Bencher, black_box};
use wire::ClientMessage;

const TAG_FIRST: &str = r#"{"t":"do","table":"k3f9ab","id":17,"seq":412,"pressed":1234567.8,"command":{"mind":{"play":34}}}"#;
const TAG_LAST: &str = r#"{"table":"k3f9ab","id":17,"seq":412,"pressed":1234567.8,"command":{"mind":{"play":34}},"t":"do"}"#;

fn main() {
    divan::main();
}

/// As the page writes it.
#[divan::bench]
fn read_tag_first(bencher: Bencher) {
    bencher.bench(|| ClientMessage::read(black_box(TAG_FIRST)).is_ok());
}

/// The same with its tag at the end: tried, and then read with a buffer.
#[divan::bench]
fn read_tag_last(bencher: Bencher) {
    bencher.bench(|| ClientMessage::read(black_box(TAG_LAST)).is_ok());
}

/// As serde reads a tagged enum: with a buffer, wherever the tag is.
#[divan::bench]
fn read_buffered(bencher: Bencher) {
    bencher.bench(|| serde_json::from_str::<ClientMessage>(black_box(TAG_FIRST)).is_ok());
}
