//! The two zones of the board, and values kept for each of them.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::kit::text::words;

/// Half of the board: what is asked there is about colours only, or about shapes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// Where the colours of the code are found.
    Colours,
    /// Where its shapes are found.
    Shapes,
}

words!(Zone { Colours = "colours", Shapes = "shapes" });

/// One value for each zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleByZone"))]
pub struct ByZone<T> {
    /// What belongs to the colours.
    pub colours: T,
    /// What belongs to the shapes.
    pub shapes: T,
}

impl<T> ByZone<T> {
    /// A value for each zone.
    pub fn new(mut value: impl FnMut(Zone) -> T) -> Self {
        Self { colours: value(Zone::Colours), shapes: value(Zone::Shapes) }
    }

    /// Both values, that of the colours first.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        [&self.colours, &self.shapes].into_iter()
    }
}

impl<T> Index<Zone> for ByZone<T> {
    type Output = T;

    fn index(&self, zone: Zone) -> &T {
        match zone {
            Zone::Colours => &self.colours,
            Zone::Shapes => &self.shapes,
        }
    }
}

impl<T> IndexMut<Zone> for ByZone<T> {
    fn index_mut(&mut self, zone: Zone) -> &mut T {
        match zone {
            Zone::Colours => &mut self.colours,
            Zone::Shapes => &mut self.shapes,
        }
    }
}
