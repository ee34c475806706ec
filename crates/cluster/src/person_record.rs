//! What a cluster stores of a person: one value with everything that belongs to them.
//!
//! A change of it is a pure function, decided again if another node has changed the value
//! meanwhile. Values under other keys, as those of further devices, only lead here: what a person's
//! own value does not name does not count.

use journal::{Fault, Hash, Invitation, NewDevice};
use serde::{Deserialize, Serialize};

use crate::bucket::Change;
use crate::hex::HexHash;

/// The version of the values.
const FORM: u32 = 1;

/// A person's time is written again after this number of seconds, as in a file.
const SEEN_EVERY_S: u64 = 600;

/// The value of a person's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonValue {
    form: u32,
    /// Whose it is.
    pub(crate) hash: HexHash,
    /// `None` for a person who was deleted.
    pub(crate) person: Option<PersonRecord>,
}

/// What is stored of a person who is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonRecord {
    pub(crate) line: Box<str>,
    pub(crate) devices: Vec<DeviceRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) phrase: Option<HexHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seen_s: Option<u64>,
    /// The invitations that wait for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) received: Vec<Received>,
    /// Whom they have invited. The invitation itself is with its recipient.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) invited: Vec<Invited>,
}

/// A device that is signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeviceRecord {
    pub(crate) at_s: u64,
    pub(crate) hash: HexHash,
}

/// An invitation that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Received {
    pub(crate) from: HexHash,
    pub(crate) at_s: u64,
    pub(crate) line: Box<str>,
}

/// A person who was invited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invited {
    pub(crate) to: HexHash,
    pub(crate) at_s: u64,
}

impl PersonValue {
    pub(crate) fn read(value: &[u8]) -> Result<Self, Fault> {
        let read = serde_json::from_slice::<Self>(value);
        let read = read.map_err(|error| Fault::Damaged(format!("a person's value: {error}")))?;
        if read.form != FORM {
            let text = format!(
                "a person's value has the form {}, and this program knows form {FORM}: use the \
                 newer program",
                read.form
            );
            return Err(Fault::Damaged(text));
        }
        Ok(read)
    }

    /// The value of a person, or of one who was deleted.
    pub(crate) fn of(hash: Hash, person: Option<PersonRecord>) -> Self {
        Self { form: FORM, hash: HexHash(hash), person }
    }

    pub(crate) fn written(&self) -> Result<Vec<u8>, Fault> {
        serde_json::to_vec(self).map_err(|error| Fault::Disk(error.to_string()))
    }
}

/// What a change of a person makes of them.
pub(crate) enum Edit<T> {
    /// They stay as they are.
    Keep(T),
    /// They have changed.
    Changed(T),
}

/// Decides a change of a person who is there. For others nothing changes, and the result is
/// `otherwise`.
pub(crate) fn edit<T>(
    hash: Hash,
    value: Option<&[u8]>,
    otherwise: T,
    change: impl FnOnce(&mut PersonRecord) -> Edit<T>,
) -> Result<Change<T>, Fault> {
    let Some(value) = value else { return Ok(Change::Keep(otherwise)) };
    let mut value = PersonValue::read(value)?;
    if value.hash.0 != hash {
        return Err(Fault::Damaged("a person's value lies under another key".to_owned()));
    }
    let Some(person) = &mut value.person else { return Ok(Change::Keep(otherwise)) };
    Ok(match change(person) {
        Edit::Keep(done) => Change::Keep(done),
        Edit::Changed(done) => Change::Set(value.written()?, done),
    })
}

/// Decides the storing of a person's line. A person who was deleted stays deleted.
pub(crate) fn put(
    hash: Hash,
    value: Option<&[u8]>,
    line: &str,
    device: Option<DeviceRecord>,
) -> Result<Change<()>, Fault> {
    if value.is_some() {
        return edit(hash, value, (), |person| {
            person.line = line.into();
            let is_new = |device: &DeviceRecord| !person.has(device.hash.0);
            if let Some(device) = device.filter(is_new) {
                person.add(device);
            }
            Edit::Changed(())
        });
    }
    let person = PersonRecord {
        line: line.into(),
        devices: device.into_iter().collect(),
        phrase: None,
        seen_s: None,
        received: Vec::new(),
        invited: Vec::new(),
    };
    let value = PersonValue { form: FORM, hash: HexHash(hash), person: Some(person) };
    Ok(Change::Set(value.written()?, ()))
}

/// Decides the deletion of a person, whether or not they were there.
pub(crate) fn forget(hash: Hash, value: Option<&[u8]>) -> Result<Change<()>, Fault> {
    let gone = PersonValue { form: FORM, hash: HexHash(hash), person: None };
    match value.map(PersonValue::read).transpose()? {
        Some(value) if value.person.is_none() => Ok(Change::Keep(())),
        Some(_) | None => Ok(Change::Set(gone.written()?, ())),
    }
}

impl PersonRecord {
    /// Whether a device is signed in.
    pub(crate) fn has(&self, device: Hash) -> bool {
        self.devices.iter().any(|it| it.hash.0 == device)
    }

    fn add(&mut self, device: DeviceRecord) {
        self.devices.push(device);
        self.devices.sort_unstable();
    }

    /// Signs a device in, unless there are `most` already. Whether it is signed in afterwards.
    pub(crate) fn sign_in(&mut self, device: &NewDevice, most: u32) -> Edit<bool> {
        if self.has(device.hash) {
            return Edit::Keep(true);
        }
        if self.devices.len() >= most as usize {
            return Edit::Keep(false);
        }
        self.add(DeviceRecord { at_s: device.at_s, hash: HexHash(device.hash) });
        Edit::Changed(true)
    }

    /// Signs all devices out but one. Returns those that were.
    pub(crate) fn keep_device(&mut self, device: Hash) -> Edit<Vec<HexHash>> {
        let (kept, gone) =
            std::mem::take(&mut self.devices).into_iter().partition(|it| it.hash.0 == device);
        self.devices = kept;
        let gone: Vec<DeviceRecord> = gone;
        let gone = gone.into_iter().map(|device| device.hash).collect::<Vec<_>>();
        if gone.is_empty() { Edit::Keep(gone) } else { Edit::Changed(gone) }
    }

    /// Sets the recovery phrase, or removes it. Returns the one before.
    pub(crate) fn set_phrase(&mut self, phrase: Option<Hash>) -> Edit<Option<HexHash>> {
        let phrase = phrase.map(HexHash);
        if self.phrase == phrase {
            return Edit::Keep(None);
        }
        Edit::Changed(std::mem::replace(&mut self.phrase, phrase))
    }

    /// Sets when they were last seen. A time less than ten minutes after the stored one changes
    /// nothing.
    pub(crate) fn set_seen(&mut self, at_s: u64) -> Edit<()> {
        let is_due = self.seen_s.is_none_or(|seen_s| at_s >= seen_s.saturating_add(SEEN_EVERY_S));
        if !is_due {
            return Edit::Keep(());
        }
        self.seen_s = Some(at_s);
        Edit::Changed(())
    }

    /// Takes an invitation in place of an older one of the same sender, and leaves out those that
    /// were sent before `since_s`. Whether it waits afterwards: not if `most` of other people do.
    pub(crate) fn receive(
        &mut self,
        invitation: &Invitation,
        since_s: u64,
        most: u32,
    ) -> Edit<bool> {
        let before = self.received.len();
        self.received.retain(|it| it.at_s >= since_s);
        let has_expired = self.received.len() < before;
        let from = HexHash(invitation.from);
        if self.received.iter().filter(|it| it.from != from).count() >= most as usize {
            return if has_expired { Edit::Changed(false) } else { Edit::Keep(false) };
        }
        self.received.retain(|it| it.from != from);
        let Invitation { at_s, ref line, .. } = *invitation;
        self.received.push(Received { from, at_s, line: line.clone() });
        Edit::Changed(true)
    }

    /// Notes that a person is invited, and leaves out people who were invited before `since_s`.
    pub(crate) fn invite(&mut self, to: Hash, at_s: u64, since_s: u64) -> Edit<()> {
        let to = HexHash(to);
        self.invited.retain(|it| it.to != to && it.at_s >= since_s);
        self.invited.push(Invited { to, at_s });
        Edit::Changed(())
    }

    /// The invitation of a person does not wait any longer.
    pub(crate) fn drop_received(&mut self, from: Hash) -> Edit<()> {
        let before = self.received.len();
        self.received.retain(|it| it.from.0 != from);
        if self.received.len() < before { Edit::Changed(()) } else { Edit::Keep(()) }
    }

    /// A person is not invited any longer.
    pub(crate) fn drop_invited(&mut self, to: Hash) -> Edit<()> {
        let before = self.invited.len();
        self.invited.retain(|it| it.to.0 != to);
        if self.invited.len() < before { Edit::Changed(()) } else { Edit::Keep(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Hash = [0xa1; 32];

    fn device(number: u8, at_s: u64) -> DeviceRecord {
        DeviceRecord { at_s, hash: HexHash([number; 32]) }
    }

    fn stored(change: Change<()>) -> Vec<u8> {
        match change {
            Change::Set(value, ()) => value,
            Change::Keep(()) | Change::SetFor(..) | Change::Remove(()) => {
                panic!("nothing was stored")
            }
        }
    }

    fn ada() -> Vec<u8> {
        stored(put(ADA, None, "Ada", Some(device(0xa1, 5))).unwrap())
    }

    fn record(value: &[u8]) -> PersonRecord {
        PersonValue::read(value).unwrap().person.unwrap()
    }

    /// Makes a change of Ada, and returns its result and whether anything was stored.
    fn changed<T>(
        person: &mut PersonRecord,
        change: impl FnOnce(&mut PersonRecord) -> Edit<T>,
    ) -> (T, bool) {
        match change(person) {
            Edit::Keep(done) => (done, false),
            Edit::Changed(done) => (done, true),
        }
    }

    /// Values of this form are in buckets: it never changes.
    #[test]
    fn a_person_is_written_like_this() {
        let hash = "a1".repeat(32);
        let expected = format!(
            r#"{{"form":1,"hash":"{hash}","person":{{"line":"Ada","devices":[{{"at_s":5,"hash":"{hash}"}}]}}}}"#
        );
        assert_eq!(String::from_utf8(ada()).unwrap(), expected);
        let gone = stored(forget(ADA, Some(&ada())).unwrap());
        let expected = format!(r#"{{"form":1,"hash":"{hash}","person":null}}"#);
        assert_eq!(String::from_utf8(gone).unwrap(), expected);
        let newer = expected.replace("\"form\":1", "\"form\":2");
        assert!(matches!(PersonValue::read(newer.as_bytes()), Err(Fault::Damaged(_))));
    }

    #[test]
    fn a_person_who_was_deleted_stays_deleted() {
        let gone = stored(forget(ADA, Some(&ada())).unwrap());
        assert!(matches!(forget(ADA, Some(&gone)), Ok(Change::Keep(()))));
        assert!(matches!(put(ADA, Some(&gone), "Ada", None), Ok(Change::Keep(()))));
        let changed = edit(ADA, Some(&gone), 0, |_| Edit::Changed(1));
        assert!(matches!(changed, Ok(Change::Keep(0))));
        // A person of whom nothing is stored is deleted, too.
        assert!(matches!(forget(ADA, None), Ok(Change::Set(..))));
    }

    #[test]
    fn a_value_under_the_key_of_another_person_is_damage() {
        let changed = edit([0; 32], Some(&ada()), (), |_| Edit::Changed(()));
        assert!(matches!(changed, Err(Fault::Damaged(_))));
    }

    #[test]
    fn a_new_line_keeps_the_devices() {
        let after = stored(put(ADA, Some(&ada()), "Ada Lovelace", None).unwrap());
        let mut expected = record(&ada());
        expected.line = "Ada Lovelace".into();
        assert_eq!(record(&after), expected);
    }

    #[test]
    fn devices_are_signed_in_up_to_a_number_and_out_again() {
        let mut ada = record(&ada());
        let new = |number, at_s| NewDevice { hash: [number; 32], person: ADA, at_s };
        assert_eq!(changed(&mut ada, |it| it.sign_in(&new(2, 3), 2)), (true, true));
        assert_eq!(changed(&mut ada, |it| it.sign_in(&new(2, 3), 2)), (true, false));
        assert_eq!(changed(&mut ada, |it| it.sign_in(&new(3, 9), 2)), (false, false));
        assert_eq!(ada.devices, [device(2, 3), device(0xa1, 5)]);
        assert_eq!(changed(&mut ada, |it| it.keep_device([2; 32])), (vec![HexHash(ADA)], true));
        assert_eq!(changed(&mut ada, |it| it.keep_device([2; 32])), (vec![], false));
        assert!(ada.has([2; 32]) && !ada.has(ADA));
    }

    #[test]
    fn a_phrase_takes_the_place_of_the_one_before() {
        let mut ada = record(&ada());
        let phrase = |number| Some([number; 32]);
        assert_eq!(changed(&mut ada, |it| it.set_phrase(phrase(1))), (None, true));
        assert_eq!(changed(&mut ada, |it| it.set_phrase(phrase(1))), (None, false));
        let first = Some(HexHash([1; 32]));
        assert_eq!(changed(&mut ada, |it| it.set_phrase(phrase(2))), (first, true));
        assert_eq!(changed(&mut ada, |it| it.set_phrase(None)), (Some(HexHash([2; 32])), true));
    }

    #[test]
    fn a_time_is_stored_every_ten_minutes() {
        let mut ada = record(&ada());
        let times =
            [1_000, 1_599, 1_600, 900].map(|at_s| changed(&mut ada, |it| it.set_seen(at_s)).1);
        assert_eq!((times, ada.seen_s), ([true, false, true, false], Some(1_600)));
    }

    #[test]
    fn invitations_wait_one_for_each_sender() {
        let mut ada = record(&ada());
        let from = |number, at_s| Invitation {
            to: ADA,
            from: [number; 32],
            at_s,
            line: format!("{at_s}").into(),
        };
        let mut receive =
            |invitation, since_s| changed(&mut ada, |it| it.receive(&invitation, since_s, 2));
        assert_eq!(receive(from(1, 10), 0), (true, true));
        assert_eq!(receive(from(2, 20), 0), (true, true));
        assert_eq!(receive(from(3, 30), 0), (false, false), "two wait already");
        assert_eq!(receive(from(1, 40), 0), (true, true), "it replaces its own");
        assert_eq!(receive(from(3, 50), 30), (true, true), "one has expired");
        let waiting = ada.received.iter().map(|it| (it.from.0[0], it.at_s)).collect::<Vec<_>>();
        assert_eq!(waiting, [(1, 40), (3, 50)]);
        assert_eq!(changed(&mut ada, |it| it.drop_received([1; 32])), ((), true));
        assert_eq!(changed(&mut ada, |it| it.drop_received([1; 32])), ((), false));

        for (to, at_s, since_s) in [(1, 10, 0), (2, 20, 0), (1, 30, 0), (3, 40, 25)] {
            changed(&mut ada, |it| it.invite([to; 32], at_s, since_s));
        }
        let invited = ada.invited.iter().map(|it| (it.to.0[0], it.at_s)).collect::<Vec<_>>();
        assert_eq!(invited, [(1, 30), (3, 40)]);
        assert_eq!(changed(&mut ada, |it| it.drop_invited([1; 32])), ((), true));
    }
}
