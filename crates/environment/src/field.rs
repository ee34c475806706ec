//! Observations as rows of numbers. A game names its fields and writes them by the same function,
//! so that the two cannot drift.

use rules::family::{Card, Cards};

/// A named part of an observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Where it begins.
    pub start: usize,
    /// How many numbers it has.
    pub len: usize,
    /// The highest value that a number of it can have. The lowest is 0.
    pub high: f32,
}

/// Takes the fields of an observation, one after the other.
pub trait Fields {
    /// Several numbers from 0 to `high`; the function gives the value of each place.
    fn numbers(
        &mut self,
        name: &'static str,
        len: usize,
        high: f32,
        value: impl FnMut(usize) -> f32,
    );

    /// One at the places that are listed, zero at all others.
    fn places(&mut self, name: &'static str, len: usize, places: impl Iterator<Item = usize>);

    /// A number from 0 to `high`.
    fn number(&mut self, name: &'static str, high: f32, value: f32) {
        self.numbers(name, 1, high, |_| value);
    }

    /// One if it holds, zero if not.
    fn flag(&mut self, name: &'static str, holds: bool) {
        self.number(name, 1.0, f32::from(u8::from(holds)));
    }

    /// One at the place of the variant, zero at all others.
    fn one_of(&mut self, name: &'static str, len: usize, place: Option<usize>) {
        self.places(name, len, place.into_iter());
    }

    /// One for each card of a deck that is in the set; the lowest card is the first place.
    fn cards(&mut self, name: &'static str, highest: u8, cards: Cards) {
        let places = cards.iter().map(|card| usize::from(card.number()) - 1);
        self.places(name, usize::from(highest), places);
    }

    /// A card's number, 0 for none.
    fn card(&mut self, name: &'static str, highest: u8, card: Option<Card>) {
        self.number(name, f32::from(highest), f32::from(card.map_or(0, Card::number)));
    }
}

/// Lists the fields.
#[derive(Debug, Default)]
pub struct FieldList {
    /// The fields so far.
    pub fields: Vec<Field>,
}

impl FieldList {
    /// How many numbers the fields have.
    pub fn len(&self) -> usize {
        self.fields.last().map_or(0, |last| last.start + last.len)
    }

    fn add(&mut self, name: &'static str, len: usize, high: f32) {
        let start = self.len();
        self.fields.push(Field { name, start, len, high });
    }
}

impl Fields for FieldList {
    fn numbers(&mut self, name: &'static str, len: usize, high: f32, _: impl FnMut(usize) -> f32) {
        self.add(name, len, high);
    }

    fn places(&mut self, name: &'static str, len: usize, _: impl Iterator<Item = usize>) {
        self.add(name, len, 1.0);
    }
}

/// Writes the values into a row.
pub struct FieldWriter<'a> {
    rest: &'a mut [f32],
}

impl<'a> FieldWriter<'a> {
    /// Writes into this row, which has to be as long as the fields are.
    pub fn new(row: &'a mut [f32]) -> Self {
        row.fill(0.0);
        Self { rest: row }
    }

    fn take(&mut self, len: usize) -> &'a mut [f32] {
        let (field, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        field
    }
}

impl Fields for FieldWriter<'_> {
    fn numbers(
        &mut self,
        _: &'static str,
        len: usize,
        high: f32,
        mut value: impl FnMut(usize) -> f32,
    ) {
        for (place, number) in self.take(len).iter_mut().enumerate() {
            *number = value(place).clamp(0.0, high);
        }
    }

    fn places(&mut self, _: &'static str, len: usize, places: impl Iterator<Item = usize>) {
        let field = self.take(len);
        for place in places {
            if let Some(number) = field.get_mut(place) {
                *number = 1.0;
            }
        }
    }
}
