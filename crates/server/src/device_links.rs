//! Links that sign another device in: used once, for two minutes, confirmed on the first device.
//!
//! The first device shows a link. The other device opens it and asks; both show the same number.
//! When the first device has confirmed it, the other one gets a cookie of its own. All of it is in
//! memory: a restart ends the links.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use table::{PersonId, Refused};
use wire::{DeviceLinkState, NotHex, Refusal, hex, unhex};

use crate::limits::lock;

/// How long a link can be used.
pub(crate) const LASTS: Duration = Duration::from_mins(2);
/// How many links there may be at once.
const LINKS_MOST: usize = 4_096;

/// 128 random bits that a link or a device that asks is known by. Only their hash is kept.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token([u8; 16]);

impl Token {
    fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }

    /// The token for the device that it is for.
    pub(crate) fn to_text(&self) -> String {
        hex(&self.0)
    }
}

/// Prints nothing of the token.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Token")
    }
}

impl FromStr for Token {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        unhex(text).map(Self)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TokenHash([u8; 32]);

/// The links of all people, one for each at most.
#[derive(Default)]
pub(crate) struct DeviceLinks(Mutex<HashMap<PersonId, Link>>);

struct Link {
    token: TokenHash,
    opened: Instant,
    stage: Stage,
}

/// How far a link is.
#[derive(Clone, Copy)]
enum Stage {
    Waiting,
    /// A device asks. No other one can use the link any more.
    Asked {
        ticket: TokenHash,
        number: u8,
    },
    Confirmed {
        ticket: TokenHash,
    },
    Done,
}

impl DeviceLinks {
    /// Opens a link to a person's identity; an older one ends.
    pub(crate) fn open(&self, person: PersonId, now: Instant) -> Result<Token, Refused> {
        let mut links = lock(&self.0);
        links.retain(|_, link| link.is_open(now));
        if links.len() >= LINKS_MOST {
            return Err(Refused::new(Refusal::Busy, "many devices are being added, try again"));
        }
        let token = Token::fresh().map_err(no_randomness)?;
        let stage = Stage::Waiting;
        links.insert(person, Link { token: token.hash(), opened: now, stage });
        Ok(token)
    }

    /// What has become of a person's link.
    pub(crate) fn state(&self, person: PersonId, now: Instant) -> DeviceLinkState {
        let links = lock(&self.0);
        match links.get(&person).filter(|link| link.is_open(now)).map(|link| link.stage) {
            None => DeviceLinkState::Ended,
            Some(Stage::Waiting) => DeviceLinkState::Waiting,
            Some(Stage::Asked { number, .. }) => DeviceLinkState::Asked { number },
            Some(Stage::Confirmed { .. }) => DeviceLinkState::Confirmed,
            Some(Stage::Done) => DeviceLinkState::Done,
        }
    }

    /// Ends a person's link.
    pub(crate) fn cancel(&self, person: PersonId) {
        lock(&self.0).remove(&person);
    }

    /// A device asks to be signed in by a link. Returns what it asks again with, and the number
    /// that both devices show. Fails if the link has ended or another device has used it.
    pub(crate) fn ask(&self, token: &Token, now: Instant) -> Result<(Token, u8), Refused> {
        let ticket = Token::fresh().map_err(no_randomness)?;
        let mut drawn = [0; 8];
        getrandom::fill(&mut drawn).map_err(no_randomness)?;
        let number = 10 + (u64::from_le_bytes(drawn) % 90) as u8;
        let hash = token.hash();
        let mut links = lock(&self.0);
        let mut open = links.values_mut().filter(|link| link.is_open(now));
        let link = open.find(|link| link.token == hash).ok_or_else(no_link)?;
        if !matches!(link.stage, Stage::Waiting) {
            return Err(no_link());
        }
        link.stage = Stage::Asked { ticket: ticket.hash(), number };
        Ok((ticket, number))
    }

    /// The person confirms the device that shows this number.
    pub(crate) fn confirm(&self, person: PersonId, shown: u8, now: Instant) -> Result<(), Refused> {
        let mut links = lock(&self.0);
        let link = links.get_mut(&person).filter(|link| link.is_open(now));
        let link = link.ok_or_else(no_link)?;
        match link.stage {
            Stage::Asked { ticket, number } if number == shown => {
                link.stage = Stage::Confirmed { ticket };
                Ok(())
            }
            Stage::Asked { .. } | Stage::Waiting | Stage::Confirmed { .. } | Stage::Done => {
                Err(no_link())
            }
        }
    }

    /// Whom the device with this ticket is signed in as: `None` until the first device has
    /// confirmed it. It is answered with a person once. Fails if the link has ended.
    pub(crate) fn finish(&self, ticket: &Token, now: Instant) -> Result<Option<PersonId>, Refused> {
        let asked = ticket.hash();
        let mut links = lock(&self.0);
        for (person, link) in links.iter_mut().filter(|(_, link)| link.is_open(now)) {
            match link.stage {
                Stage::Asked { ticket, .. } if ticket == asked => return Ok(None),
                Stage::Confirmed { ticket } if ticket == asked => {
                    link.stage = Stage::Done;
                    return Ok(Some(*person));
                }
                Stage::Asked { .. } | Stage::Confirmed { .. } | Stage::Waiting | Stage::Done => {}
            }
        }
        Err(no_link())
    }
}

impl Link {
    fn is_open(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.opened) < LASTS
    }
}

fn no_link() -> Refused {
    let text = "the link has ended or was used already, show a new one on your other device";
    Refused::new(Refusal::NoDeviceLink, text)
}

fn no_randomness(_: getrandom::Error) -> Refused {
    Refused::new(Refusal::NoRandomness, "the server has no randomness, try again")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why<T>(done: Result<T, Refused>) -> &'static str {
        done.map_or_else(|refused| refused.why.code(), |_| "done")
    }

    #[test]
    fn a_link_signs_one_confirmed_device_in_once() {
        let (links, now) = (DeviceLinks::default(), Instant::now());
        let ada = PersonId::from_hash([1; 32]);
        let token = links.open(ada, now).unwrap();
        let token = token.to_text().parse::<Token>().unwrap();
        assert_eq!(links.state(ada, now), DeviceLinkState::Waiting);
        let (ticket, number) = links.ask(&token, now).unwrap();
        assert!((10..=99).contains(&number));
        assert_eq!(links.state(ada, now), DeviceLinkState::Asked { number });
        assert_eq!(why(links.ask(&token, now)), "no-device-link", "it is used");
        assert_eq!(links.finish(&ticket, now), Ok(None));
        assert_eq!(why(links.confirm(ada, number ^ 1, now)), "no-device-link");
        assert_eq!(why(links.confirm(PersonId::from_hash([2; 32]), number, now)), "no-device-link");
        assert_eq!(links.finish(&ticket, now), Ok(None), "no other person and number confirms it");
        links.confirm(ada, number, now).unwrap();
        assert_eq!(why(links.finish(&token, now)), "no-device-link", "the link is no ticket");
        assert_eq!(links.finish(&ticket, now), Ok(Some(ada)));
        assert_eq!(links.state(ada, now), DeviceLinkState::Done);
        assert_eq!(why(links.finish(&ticket, now)), "no-device-link", "once");
    }

    #[test]
    fn a_link_ends_after_two_minutes_or_when_it_is_cancelled_or_replaced() {
        let (links, now) = (DeviceLinks::default(), Instant::now());
        let ada = PersonId::from_hash([1; 32]);
        let token = links.open(ada, now).unwrap();
        let late = now + LASTS;
        assert_eq!(why(links.ask(&token, late)), "no-device-link");
        assert_eq!(links.state(ada, late), DeviceLinkState::Ended);
        let (ticket, number) = links.ask(&token, now).unwrap();
        assert_eq!(why(links.confirm(ada, number, late)), "no-device-link");
        links.confirm(ada, number, now).unwrap();
        assert_eq!(why(links.finish(&ticket, late)), "no-device-link");

        let second = links.open(ada, now).unwrap();
        assert_eq!(why(links.finish(&ticket, now)), "no-device-link", "it was replaced");
        links.cancel(ada);
        assert_eq!(why(links.ask(&second, now)), "no-device-link");
        assert_eq!(format!("{token:?}"), "Token");
    }
}
