//! Effects as a broken table would answer them: tests show with these that the checks can fail.

use bytes::Bytes;
use table::fair::Stamp;
use table::{ConnId, Effect, Effects};

/// What is done to the effects of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tamper {
    /// An update that tells what happened is sent twice.
    TellTwice,
    /// Updates count one event more than there were.
    CountOn,
    /// A view has another digit in it.
    OtherView,
    /// Messages are acknowledged that were not done.
    AckAll,
    /// Refusals are not sent.
    DropRefusals,
    /// One of two connections is shown what happens at once.
    ShowAtOnce,
    /// Connections are taken in without being told.
    DropAdmits,
    /// Updates go to a connection that is not there any more.
    SendToLeft,
    /// Lines are expected after others than there are.
    ExpectOther,
    /// The table asks to be woken at once, always.
    WakeAtOnce,
    /// The table never asks to be woken.
    NeverWake,
    /// Updates that tell what happened are not sent.
    DropUpdates,
}

impl Tamper {
    /// Everything that is tried.
    pub const ALL: [Self; 12] = [
        Self::TellTwice,
        Self::CountOn,
        Self::OtherView,
        Self::AckAll,
        Self::DropRefusals,
        Self::ShowAtOnce,
        Self::DropAdmits,
        Self::SendToLeft,
        Self::ExpectOther,
        Self::WakeAtOnce,
        Self::NeverWake,
        Self::DropUpdates,
    ];

    /// The effects as a table with that fault would answer. `left` is a connection that left.
    pub(crate) fn apply(self, effects: &mut Effects, now: Stamp, left: Option<ConnId>) {
        let list = std::mem::take(&mut effects.list);
        for effect in list {
            match (self, effect) {
                (Self::TellTwice, Effect::Send { to, text }) if has(&text, "\"sights\"") => {
                    effects.list.push(Effect::Send { to, text: text.clone() });
                    effects.list.push(Effect::Send { to, text });
                }
                (Self::CountOn, Effect::Send { to, text }) => {
                    let text = replace(&text, "\"seq\":", "\"seq\":1");
                    effects.list.push(Effect::Send { to, text });
                }
                (Self::OtherView, Effect::Send { to, text }) => {
                    let text = replace(&text, "\"level\":1", "\"level\":2");
                    effects.list.push(Effect::Send { to, text });
                }
                (Self::AckAll, Effect::Send { to, text }) if has(&text, "\"t\":\"refused\"") => {
                    let text = String::from_utf8_lossy(&text).into_owned();
                    let id = text.split("\"id\":").nth(1).and_then(|rest| rest.split(',').next());
                    let fake = effects.list.iter().find_map(|effect| match effect {
                        Effect::Send { to: other, text } if *other == to => Some(text.clone()),
                        _ => None,
                    });
                    match (id, fake) {
                        (Some(id), Some(fake)) if has(&fake, "\"t\":\"update\"") => {
                            let ack = format!("\"ack\":{id},\"show_at\":");
                            let text = replace(&fake, "\"show_at\":", &ack);
                            effects.list.push(Effect::Send { to, text });
                        }
                        _ => effects.list.push(Effect::Send { to, text: text.into() }),
                    }
                }
                (Self::DropRefusals, Effect::Send { text, .. })
                    if has(&text, "\"t\":\"refused\"") => {}
                (Self::DropUpdates, Effect::Send { text, .. }) if has(&text, "\"sights\"") => {}
                (Self::ShowAtOnce, Effect::Send { to, text }) if to.0 % 2 == 1 => {
                    let text = String::from_utf8_lossy(&text).into_owned();
                    let text = match text.rsplit_once("\"show_at\":") {
                        Some((before, _)) => format!("{before}\"show_at\":{}}}", now.to_wire()),
                        None => text,
                    };
                    effects.list.push(Effect::Send { to, text: text.into() });
                }
                (Self::DropAdmits, Effect::Admit(_)) => {}
                (Self::SendToLeft, Effect::Send { to, text }) => {
                    if let Some(left) = left {
                        effects.list.push(Effect::Send { to: left, text: text.clone() });
                    }
                    effects.list.push(Effect::Send { to, text });
                }
                (Self::ExpectOther, Effect::Append(mut append)) => {
                    append.expected += u64::from(append.expected > 6);
                    effects.list.push(Effect::Append(append));
                }
                (_, effect) => effects.list.push(effect),
            }
        }
        match self {
            Self::WakeAtOnce => effects.wake_at = effects.wake_at.map(|_| now),
            Self::NeverWake => effects.wake_at = None,
            _ => {}
        }
    }
}

fn has(text: &Bytes, part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

fn replace(text: &Bytes, from: &str, to: &str) -> Bytes {
    String::from_utf8_lossy(text).replace(from, to).into()
}
