//! Cards about what stands in the tables' lines, on shelves where they are found.
//!
//! Everything here follows from the lines: it can be thrown away and made again. What a card says
//! is the caller's business, and so is what the shelves are for.

use crate::{BoxFuture, Fault, Hash, Key, Page};

/// The name of a shelf. A person's shelf has the person's hash.
pub type Shelf = [u8; 32];

/// Something about a table that is worth finding again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Which table it is about.
    pub key: Key,
    /// Which of the table's cards it is. A card that is there already stays as it is.
    pub number: u32,
    /// What it says; opaque here. Names have no place in it: see [`Card::names`].
    pub text: Box<str>,
    /// Where it stands, and under which labels it is found there.
    pub places: Vec<(Shelf, Vec<Box<str>>)>,
    /// What the people on it are called. Those who are forgotten have no name and no shelf.
    pub names: Vec<(Hash, Box<str>)>,
}

/// A table that the catalogue has not seen as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The turn of its note.
    pub turn: u64,
    /// The table.
    pub key: Key,
    /// The last of its cards that are there, 0 if there are none.
    pub last: u32,
}

/// Labels, each with the number of cards that have it.
pub type Labels = Vec<(Box<str>, u64)>;

/// What to look for on a shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Which shelf.
    pub shelf: Shelf,
    /// Only cards that have all of these labels there.
    pub labels: Vec<Box<str>>,
    /// Only cards with a name that has this in it, whatever the case, of anybody but this person.
    pub name: Option<(Box<str>, Hash)>,
    /// Which part of what is found, the newest first. A card's turn is its place in the order.
    pub page: Page,
}

/// A card that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filed {
    /// Cards that were made later have greater turns.
    pub turn: u64,
    /// Which table it is about.
    pub key: Key,
    /// Which of the table's cards it is.
    pub number: u32,
    /// What it says.
    pub text: Box<str>,
    /// What the people on it are called, as far as they are not forgotten.
    pub names: Vec<(Hash, Box<str>)>,
}

/// The cards of all tables.
pub trait Catalogue: Send + Sync + 'static {
    /// Says which edition of the cards the caller writes. Cards of another one are thrown away,
    /// and all tables are behind again.
    fn edition(&self, edition: u32) -> BoxFuture<Result<(), Fault>>;

    /// Tables whose note is newer than what the catalogue has, the oldest note first.
    fn behind(&self, most: usize) -> BoxFuture<Result<Vec<Behind>, Fault>>;

    /// Adds cards. With that the catalogue has everything up to this turn of the notes.
    fn file(&self, cards: Vec<Card>, turn: u64) -> BoxFuture<Result<(), Fault>>;

    /// Looks for cards.
    fn find(&self, search: Search) -> BoxFuture<Result<Vec<Filed>, Fault>>;

    /// Every label on a shelf, with the number of its cards. The empty one is on all of them.
    fn labels(&self, shelf: Shelf) -> BoxFuture<Result<Labels, Fault>>;
}
