//! The trait for invitations: one person asks another to play.

use crate::{BoxFuture, Fault, Hash};

/// An invitation. There is one for each pair of people in each direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Who is invited.
    pub to: Hash,
    /// Who invites.
    pub from: Hash,
    /// When it was sent, in seconds since 1970.
    pub at_s: u64,
    /// What it is for.
    pub line: Box<str>,
}

/// Whose invitations are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Those that wait for this person.
    To(Hash),
    /// Those that this person sent.
    From(Hash),
}

/// Invitations that wait until they are answered or have ended. They are deleted with either of
/// their people.
pub trait Invitations: Send + Sync + 'static {
    /// Stores an invitation in place of an older one between the same people, and deletes all that
    /// were sent before `since_s`. Stores none for a person who is not known or for whom `most`
    /// wait from other people. Returns whether it was stored.
    fn invite(
        &self,
        invitation: Invitation,
        since_s: u64,
        most: u32,
    ) -> BoxFuture<Result<bool, Fault>>;

    /// The invitations of one side that were sent at `since_s` or later, the newest first.
    fn invitations(&self, side: Side, since_s: u64) -> BoxFuture<Result<Vec<Invitation>, Fault>>;

    /// Deletes the invitation between two people.
    fn uninvite(&self, to: Hash, from: Hash) -> BoxFuture<Result<(), Fault>>;
}
