//! Any lines, read as the journal of a table.
#![no_main]

use libfuzzer_sys::fuzz_target;
use table::{AnyMatch, Entry, TableState, Unplayed};

fuzz_target!(|text: &str| {
    let lines = text.lines().take(400).collect::<Vec<_>>();
    for line in &lines {
        if let Ok(entry) = Entry::read(line) {
            let written = entry.line().expect("an entry can be written");
            let again = Entry::read(&written).expect("and read");
            assert_eq!(again.line().expect("and written again"), written);
        }
    }
    let course = TableState::<Unplayed>::read(&lines);
    let played = TableState::<Box<dyn AnyMatch>>::read(&lines);
    let checked = TableState::read_checked(&lines);
    // Each reader refuses at least what the one before it refuses.
    assert!(course.is_ok() || played.is_err(), "the course of a table is refused that can be played");
    assert!(played.is_ok() || checked.is_err(), "a check accepts what cannot be played");
});
