//! The mark that a person is known by at a glance: a picture in a colour.
//!
//! ```
//! use wire::Mark;
//!
//! let mark: Mark = serde_json::from_str(r#"{"picture":"moon","colour":"amber"}"#).unwrap();
//! assert_eq!(serde_json::to_string(&mark).unwrap(), r#"{"picture":"moon","colour":"amber"}"#);
//! assert!(serde_json::from_str::<Mark>(r#"{"picture":"skull","colour":"amber"}"#).is_err());
//! ```

use serde::{Deserialize, Serialize};

/// A picture in a colour, from closed sets that the page has drawings for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// What is drawn.
    pub picture: MarkPicture,
    /// In which colour.
    pub colour: MarkColour,
}

impl Mark {
    /// The mark of a person who has chosen none, by their hash: the same at every table.
    pub fn of(hash: [u8; 32]) -> Self {
        let [first, second, ..] = hash;
        let picture = MarkPicture::ALL[usize::from(first) % MarkPicture::ALL.len()];
        let colour = MarkColour::ALL[usize::from(second) % MarkColour::ALL.len()];
        Self { picture, colour }
    }
}

/// What a mark shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each picture shows what its name says")]
pub enum MarkPicture {
    Wave,
    Moon,
    Leaf,
    Shell,
    Feather,
    Stone,
    Sun,
    Star,
    Drop,
    Flame,
    Mountain,
    Tree,
    Fish,
    Bird,
    Boat,
    Flower,
    Cloud,
    Key,
    Kite,
    Snail,
}

impl MarkPicture {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 20] = [
        Self::Wave,
        Self::Moon,
        Self::Leaf,
        Self::Shell,
        Self::Feather,
        Self::Stone,
        Self::Sun,
        Self::Star,
        Self::Drop,
        Self::Flame,
        Self::Mountain,
        Self::Tree,
        Self::Fish,
        Self::Bird,
        Self::Boat,
        Self::Flower,
        Self::Cloud,
        Self::Key,
        Self::Kite,
        Self::Snail,
    ];
}

/// The colour of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each colour is what its name says")]
pub enum MarkColour {
    Teal,
    Violet,
    Green,
    Orange,
    Rose,
    Amber,
    Blue,
    Sand,
}

impl MarkColour {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 8] = [
        Self::Teal,
        Self::Violet,
        Self::Green,
        Self::Orange,
        Self::Rose,
        Self::Amber,
        Self::Blue,
        Self::Sand,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_reads_back_as_it_was_written() {
        let mut read = 0;
        for picture in MarkPicture::ALL {
            for colour in MarkColour::ALL {
                let mark = Mark { picture, colour };
                let text = serde_json::to_string(&mark).unwrap();
                assert_eq!(serde_json::from_str::<Mark>(&text).unwrap(), mark);
                read += 1;
            }
        }
        assert_eq!(read, 160);
    }

    #[test]
    fn what_has_no_drawing_is_refused() {
        for wrong in [
            r#"{"picture":"moon"}"#,
            r#"{"colour":"teal"}"#,
            r#"{"picture":"Moon","colour":"teal"}"#,
            r##"{"picture":"moon","colour":"#fff"}"##,
            r#"{"picture":"moon","colour":"teal","size":9}"#,
            r#""moon""#,
        ] {
            assert!(serde_json::from_str::<Mark>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_person_without_a_choice_has_a_mark_of_their_hash() {
        let marks = |place: usize| Mark::of(std::array::from_fn(|at| (place * 7 + at * 3) as u8));
        assert_eq!(marks(1), marks(1));
        let different = (0..20).map(marks).collect::<std::collections::HashSet<_>>();
        assert!(different.len() > 10, "{different:?}");
    }
}
