//! Cards that summarise tables, grouped in collections and found by labels.
//!
//! The catalogue is derived from the journal's lines: it can be thrown away and made again. The
//! text of a card and the meaning of a collection are up to the caller.

use crate::{BoxFuture, Fault, Hash, Key, Page};

/// The name of a collection of cards. A person's collection has the person's hash.
pub type Collection = [u8; 32];

/// A summary of one game of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Which table it is about.
    pub key: Key,
    /// Which of the table's cards it is. A card that is there already stays as it is.
    pub number: u32,
    /// What it says; opaque here. Names have no place in it: see [`Card::names`].
    pub text: Box<str>,
    /// The collections that it is in, each with the labels under which it is found there.
    pub places: Vec<(Collection, Vec<Box<str>>)>,
    /// The names of the people on it. Deleted people have no name and no collection.
    pub names: Vec<(Hash, Box<str>)>,
}

/// A table whose note changed after its cards were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The turn of its note.
    pub turn: u64,
    /// The table.
    pub key: Key,
    /// The number of its last card in the catalogue, 0 if it has none.
    pub last: u32,
}

/// Labels, each with the number of cards that have it.
pub type Labels = Vec<(Box<str>, u64)>;

/// What to look for in a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The collection.
    pub collection: Collection,
    /// Only cards that have all of these labels there.
    pub labels: Vec<Box<str>>,
    /// Only cards with a name that contains this text, ignoring case. The name of the person with
    /// this hash does not count.
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
    /// The names of the people on it. Deleted people have none.
    pub names: Vec<(Hash, Box<str>)>,
}

/// The cards of all tables.
pub trait Catalogue: Send + Sync + 'static {
    /// Sets the edition of the cards that the caller writes. Throws away cards of another edition;
    /// all tables are then behind.
    fn edition(&self, edition: u32) -> BoxFuture<Result<(), Fault>>;

    /// Tables whose note is newer than what the catalogue has, the oldest note first.
    fn behind(&self, most: usize) -> BoxFuture<Result<Vec<Behind>, Fault>>;

    /// Adds cards; one that exists is replaced if it says something else, and has to be for the
    /// same collections. With that the catalogue has everything up to this turn of the notes.
    fn file(&self, cards: Vec<Card>, turn: u64) -> BoxFuture<Result<(), Fault>>;

    /// Looks for cards.
    fn find(&self, search: Search) -> BoxFuture<Result<Vec<Filed>, Fault>>;

    /// Every label in a collection, with the number of its cards. Every card has the empty label.
    fn labels(&self, collection: Collection) -> BoxFuture<Result<Labels, Fault>>;
}
