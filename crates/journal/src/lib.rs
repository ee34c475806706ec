//! The journal: for each table an append-only log of lines, durable before it is acknowledged.
//!
//! ```
//! use journal::{AppendError, Journal, Key, Options, Sqlite};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("tables.db");
//! let journal = Sqlite::open(&path, Options::default())?;
//! let table: Key = "k3f9pa".parse()?;
//!
//! // The table has no line yet, so these become lines 1 and 2.
//! journal.append(&table, 0, vec!["opened".into(), "dealt".into()], None).await?;
//!
//! // A caller that does not know the last line cannot append.
//! let late = journal.append(&table, 1, vec!["played".into()], None).await;
//! assert_eq!(late, Err(AppendError::Conflict { found: 2 }));
//!
//! drop(journal);
//! let journal = Sqlite::open(&path, Options::default())?;
//! assert_eq!(journal.read(&table, 1).await?, ["dealt".into()]);
//! # Ok(())
//! # }
//! ```
//!
//! A line is opaque text: the journal knows no game, reads no calendar and edits nothing. Beside
//! its lines a table has a [`Note`], from which [`Journal::list`] finds tables without reading
//! their lines. [`People`] keeps one line for each identity, [`Devices`] the browsers that are signed in, [`Invitations`] who is invited by whom. [`Catalogue`] keeps cards about what
//! the lines say, which can be made again from the lines. [`Operations`] is what the operator's tools ask, and [`Inventory`] what a copy to
//! another engine asks.
//!
//! [`Journal`], [`People`], [`Devices`], [`Invitations`], [`Catalogue`] and [`Operations`] are the interface: [`Sqlite`] implements all of them in
//! one file, and another engine can take its place. One thread writes: it takes the waiting requests
//! of all tables, commits them together (WAL, `synchronous=FULL`), and answers. An append names how
//! many lines the caller knows; any other number is a conflict, so two owners of one table cannot
//! both write. Readers have their own threads, and checkpoints do not delay the writer.
//! `docs/journal.md` describes the file.

mod catalogue;
mod devices;
mod journal;
mod key;
mod note;
mod operations;

mod fault;
mod inventory;
mod invitations;
mod sqlite;

pub use catalogue::{Behind, Card, Catalogue, Collection, Filed, Labels, Search};
pub use devices::{Devices, NewDevice, StoredLine};
pub use fault::{AppendError, Fault, OpenError};
pub use inventory::{
    Administration, Inventory, ListedTable, PresentPerson, WholePerson, WholeTable,
};
pub use invitations::{Invitation, Invitations, Side};
pub use journal::{BoxFuture, Hash, Journal, People};
pub use key::{Key, KeyError};
pub use note::{Entry, Filter, Note, PAGE_MOST, Page};
pub use operations::{
    AuditLine, Bar, Block, Operations, Replacement, Span, StoredPerson, StoredTable,
};
pub use sqlite::{
    BATCH_MOST, Content, CopyError, FORMAT, Glance, LINE_BYTES_MOST, Options, Partial, QUEUE_MOST,
    Sqlite, back_up, integrity, restore,
};
