//! The errors of the journal. Each text says what to do.

use std::path::PathBuf;

/// Why the journal could not read or write.
///
/// Nothing that was acknowledged is lost by any of these. Unless the text says otherwise the
/// journal goes on by itself once the cause is gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The disk or the file's page limit is full.
    #[error("the journal's disk is full: free some space on it; writing then goes on by itself")]
    Full,
    /// The file cannot be written to.
    #[error(
        "the journal's file is read-only: make it, its folder and its disk writable for the \
         server; writing then goes on by itself"
    )]
    ReadOnly,
    /// Another program holds the database's own lock.
    #[error(
        "the journal's file is locked by another program: close whatever has it open; writing \
         then goes on by itself"
    )]
    Locked,
    /// More is waiting than the queue holds.
    #[error("the journal has more to do than it can keep waiting: try again in a moment")]
    Busy,
    /// A text is longer than a line may be.
    #[error("a line or note in the journal has at most {bytes_most} bytes: send a shorter one")]
    TooLong {
        /// The longest that is taken.
        bytes_most: usize,
    },
    /// The journal was closed, or is closing.
    #[error("the journal is closed: start the server again")]
    Closed,
    /// The file was deleted, renamed or replaced while the journal was open.
    #[error(
        "the journal's file was deleted or replaced while the server used it: put it back under \
         its name, or start the server again"
    )]
    Replaced,
    /// What is stored is damaged.
    #[error(
        "the journal is damaged ({0}): stop the server, copy what is stored, then restore a backup; \
         a file can be recovered from its copy with `sqlite3 COPY .recover`"
    )]
    Damaged(String),
    /// The machines that store the lines do not answer.
    #[error(
        "the brokers of the cluster do not answer ({0}): look at them and at the network between; \
         the server then goes on by itself"
    )]
    Unreachable(String),
    /// The machines that store the lines did not say whether they are stored. They may be stored
    /// later; then the next append is a conflict.
    #[error(
        "the brokers of the cluster did not say whether this was stored: look at them and at the \
         network between; the server then goes on by itself"
    )]
    Unanswered,
    /// What was asked for is possible in a file alone.
    #[error(
        "{0} in a cluster, whose streams are never rewritten: copy it into a file, do it there, and \
         copy the file into a cluster with another name (unspoken journal copy)"
    )]
    InCluster(&'static str),
    /// Any other error of the file system.
    #[error("the journal's file cannot be used ({0}): look at the disk and at the system's log")]
    Disk(String),
}

/// Why an append did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// The table has another number of lines than the caller thought.
    #[error("the table has {found} lines, not as many as expected: read it and decide again")]
    Conflict {
        /// The number of lines in the table.
        found: u64,
    },
    /// The journal could not write.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Why a journal could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Only one server may write to a file.
    #[error("another server uses {}: stop it, or give this one another file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// There is no file to look into.
    #[error("there is no file {}: name the server's --data", path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// The file would lie in a folder that is not there.
    #[error("there is no folder for {}: make it first", path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer program.
    #[error(
        "{} has the format {found}, and this program knows formats up to {known}: use the newer \
         program that wrote it",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that is known here.
        known: u32,
    },
    /// The file is some other database.
    #[error("{} is a database of something else: give the server another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is what a node of a cluster made from the streams.
    #[error(
        "{} is a node's index of a cluster, not the data file of a server on one machine: serve it \
         with --cluster, give the operator's tools while it is served, and name the brokers by \
         --cluster for backup, check and journal",
        path.display()
    )]
    Index {
        /// The file.
        path: PathBuf,
    },
    /// The file has the tables of a server on one machine.
    #[error(
        "{} is the data file of a server on one machine, not a node's index of a cluster: give \
         the node another --data",
        path.display()
    )]
    NoIndex {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read or written.
    #[error("cannot open {}: {fault}", path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// Why it cannot be used.
        fault: Fault,
    },
}
