//! Any text, read as messages of a client and of the server.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{ClientMessage, Reader, Replay, SameDealGame};

fuzz_target!(|text: &str| {
    let mut reader = Reader::default();
    for line in text.lines() {
        hear(line);
        // A reader keeps the tables of earlier messages, also after one that it refuses.
        let _ = reader.read(line);
    }
    let _ = Replay::read(text);
    let _ = SameDealGame::read(text);
});

/// The quick way to read a message agrees with serde's own, and what is written is read again.
fn hear(text: &str) {
    let read = ClientMessage::read(text).ok();
    if text.starts_with('{') {
        assert_eq!(read, serde_json::from_str(text).ok());
    }
    if let Some(message) = read {
        let written = serde_json::to_string(&message).expect("a message can be written");
        assert_eq!(ClientMessage::read(&written).expect("and read"), message);
    }
}
