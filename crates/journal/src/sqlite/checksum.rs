//! The checksum of a stored line. SQLite has none: a line that the disk returns with other letters
//! than were written is a line like any other to it.

/// Where a line is in `lines`: the number of its table, and its own.
pub(super) fn place(table_id: i64, seq: i64) -> i64 {
    table_id << 32 | seq
}

/// The CRC-32 of a line at its place. Taken as a signed number, which SQLite keeps in four bytes.
pub(super) fn checksum(place: i64, line: &str) -> i64 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&place.to_be_bytes());
    crc.update(line.as_bytes());
    crc.finalize().cast_signed().into()
}

/// Whether a line is the one that was written at this place. A line of a file from before format 9
/// has no checksum and is believed.
pub(super) fn is_sound(place: i64, line: &str, stored: Option<i64>) -> bool {
    stored.is_none_or(|stored| stored == checksum(place, line))
}

/// A line as it was read; `None` if it is not the one that was written at this place.
pub(super) fn verified(place: i64, line: Box<str>, stored: Option<i64>) -> Option<Box<str>> {
    is_sound(place, &line, stored).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the line `first` at the first place of the first table. The form in files never changes.
    const FIRST: i64 = 2_142_889_811;

    #[test]
    fn another_letter_or_place_has_another_checksum() {
        let here = place(7, 3);
        let stored = checksum(here, "a line");
        assert_eq!(checksum(place(1, 1), "first"), FIRST);
        assert!(verified(here, "a line".into(), Some(stored)).is_some());
        assert!(verified(here, "a lime".into(), Some(stored)).is_none());
        for other in [place(7, 4), place(8, 3)] {
            assert!(verified(other, "a line".into(), Some(stored)).is_none());
        }
        assert!(verified(here, "a lime".into(), None).is_some(), "from before format 9");
    }
}
