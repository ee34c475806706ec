//! Invitations: one for each pair of people, until they are answered or have ended.

use journal::{Devices, Hash, Invitation, Invitations, People, Side, Sqlite};

use crate::{open, wait};

const ADA: Hash = [1; 32];
const MIA: Hash = [2; 32];
const EVE: Hash = [3; 32];

fn known(journal: &Sqlite, people: &[Hash]) {
    for person in people {
        wait(journal.introduce(*person, "a person".into(), 100)).unwrap();
    }
}

fn invite(journal: &Sqlite, from: Hash, to: Hash, at_s: u64, since_s: u64) -> bool {
    let invitation = Invitation { to, from, at_s, line: format!("at {at_s}").into() };
    wait(journal.invite(invitation, since_s, 2)).unwrap()
}

fn of(journal: &Sqlite, side: Side) -> Vec<String> {
    let found = wait(journal.invitations(side, 0)).unwrap();
    found.iter().map(|it| format!("{}>{} {}", it.from[0], it.to[0], it.line)).collect()
}

#[test]
fn the_latest_invitation_of_each_person_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    known(&journal, &[ADA, MIA, EVE]);
    assert!(invite(&journal, ADA, MIA, 500, 0));
    assert!(invite(&journal, EVE, MIA, 600, 0));
    assert!(invite(&journal, ADA, MIA, 700, 0));
    assert_eq!(of(&journal, Side::To(MIA)), ["1>2 at 700", "3>2 at 600"]);
    assert_eq!(of(&journal, Side::From(ADA)), ["1>2 at 700"]);
    assert!(of(&journal, Side::To(ADA)).is_empty());
    let recent = wait(journal.invitations(Side::To(MIA), 650)).unwrap();
    assert_eq!(recent.len(), 1, "one was sent before");
    drop(journal);
    let journal = open(&path);
    wait(journal.uninvite(MIA, ADA)).unwrap();
    assert_eq!(of(&journal, Side::To(MIA)), ["3>2 at 600"]);
}

#[test]
fn an_invitation_is_deleted_when_it_has_ended_or_a_person_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    known(&journal, &[ADA, MIA, EVE]);
    assert!(invite(&journal, ADA, MIA, 500, 0));
    assert!(invite(&journal, EVE, ADA, 900, 501));
    assert!(of(&journal, Side::To(MIA)).is_empty(), "it was sent before second 501");
    assert!(invite(&journal, ADA, MIA, 950, 501));
    wait(journal.forget(ADA)).unwrap();
    assert!(of(&journal, Side::To(MIA)).is_empty() && of(&journal, Side::From(EVE)).is_empty());
}

#[test]
fn a_person_who_is_not_known_or_has_many_invitations_gets_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("j.db"));
    known(&journal, &[MIA]);
    assert!(!invite(&journal, MIA, ADA, 500, 0), "Ada is not known");
    assert!(invite(&journal, ADA, MIA, 500, 0));
    assert!(invite(&journal, EVE, MIA, 500, 0));
    assert!(!invite(&journal, [4; 32], MIA, 500, 0), "two wait from other people");
    assert!(invite(&journal, EVE, MIA, 600, 0), "a later one takes the place of the first");
    assert_eq!(of(&journal, Side::To(MIA)).len(), 2);
}
