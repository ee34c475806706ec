//! The deal of the day: which one it is, and the seed that it is dealt from.

use std::fmt;
use std::str::FromStr;

use rules::door::GameName;
use rules::kit::Seed;
use sha2::{Digest, Sha256};

use crate::deal::DealOriginError;

const DAY_S: u64 = 86_400;

/// A day in UTC, counted from 1970-01-01. Written as in `2026-11-18`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(u32);

impl Day {
    /// The day of a time in seconds since 1970, and how many seconds are left of it.
    pub fn at(now_s: u64) -> (Self, u32) {
        let day = u32::try_from(now_s / DAY_S).unwrap_or(u32::MAX);
        (Self(day), (DAY_S - now_s % DAY_S) as u32)
    }

    /// The day after.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The day before.
    #[must_use]
    pub fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Year, month and day of the month. Years are counted from March, so that the leap day is the
    /// last of its year, and in eras of 400 years, which all have the same number of days.
    fn date(self) -> (u32, u32, u32) {
        let days = u64::from(self.0) + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + u64::from(month <= 2);
        (year as u32, month as u32, day as u32)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = DealOriginError;

    fn from_str(text: &str) -> Result<Self, DealOriginError> {
        let mut parts = text.splitn(3, '-').map(|part| part.parse::<u64>().ok());
        let mut part = || parts.next().flatten().ok_or(DealOriginError);
        let (year, month, day) = (part()?, part()?, part()?);
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
            return Err(DealOriginError);
        }
        let (from_march, year) = if month > 2 { (month - 3, year) } else { (month + 9, year - 1) };
        let (era, of_era) = (year / 400, year % 400);
        let days = of_era * 365 + of_era / 4 - of_era / 100 + (153 * from_march + 2) / 5 + day;
        let days = (era * 146_097 + days).checked_sub(719_469).ok_or(DealOriginError)?;
        let found = Self(u32::try_from(days).map_err(|_| DealOriginError)?);
        // A text that no day is written as names none: 31 days of a shorter month, or no zeros.
        if found.to_string() == text { Ok(found) } else { Err(DealOriginError) }
    }
}

/// One of the deals of a day, as in `2026-11-18-mind-2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DailyDealId {
    /// The day on which it is played.
    pub day: Day,
    /// Which game.
    pub game: GameName,
    /// For how many players.
    pub players: u8,
}

impl DailyDealId {
    /// The seed of the deal. It follows from a secret of the server, and the secret cannot be found
    /// from it.
    pub fn seed(self, secret: &str) -> Seed {
        Seed::new(Sha256::digest(format!("{secret}\ndeal of the day\n{self}")).into())
    }
}

impl fmt::Display for DailyDealId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-{}-{}", self.day, self.game, self.players)
    }
}

impl FromStr for DailyDealId {
    type Err = DealOriginError;

    fn from_str(text: &str) -> Result<Self, DealOriginError> {
        let (rest, players) = text.rsplit_once('-').ok_or(DealOriginError)?;
        let (day, game) = rest.rsplit_once('-').ok_or(DealOriginError)?;
        let found = Self {
            day: day.parse()?,
            game: game.parse().map_err(|_| DealOriginError)?,
            players: players.parse().map_err(|_| DealOriginError)?,
        };
        if found.to_string() == text { Ok(found) } else { Err(DealOriginError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_dates_and_read_back() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_775, "2026-11-18"),
            (20_818, "2026-12-31"),
            (20_819, "2027-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(Day(days).to_string(), date);
            assert_eq!(date.parse(), Ok(Day(days)), "{date}");
        }
        for day in (0..80_000).map(Day) {
            assert_eq!(day.to_string().parse(), Ok(day));
        }
        for text in ["", "2026-11", "2026-11-31", "2026-02-29", "2026-1-1", "1969-12-31", "a-b-c"] {
            assert_eq!(text.parse::<Day>(), Err(DealOriginError), "{text}");
        }
    }

    #[test]
    fn a_day_ends_at_midnight() {
        let midnight = 20_775 * DAY_S;
        let (day, left) = Day::at(midnight - 1);
        assert_eq!((day.to_string().as_str(), left), ("2026-11-17", 1));
        assert_eq!(Day::at(midnight), (day.next(), 86_400));
        assert_eq!(day.next().before(), day);
    }

    #[test]
    fn every_day_game_and_number_of_players_has_a_deal_of_its_own() {
        let first = "2026-11-18-mind-2".parse::<DailyDealId>().unwrap();
        assert_eq!(first.to_string(), "2026-11-18-mind-2");
        let mut seeds = vec![first.seed("secret"), first.seed("another secret")];
        for other in ["2026-11-19-mind-2", "2026-11-18-mind-3", "2026-11-18-extreme-2"] {
            seeds.push(other.parse::<DailyDealId>().unwrap().seed("secret"));
        }
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[index + 1..].iter().any(|other| other.bytes() == seed.bytes()));
        }
        assert_eq!(first.seed("secret").bytes(), seeds[0].bytes());
        for text in ["", "mind-2", "2026-11-18-mind", "2026-11-18-mind-02", "2026-11-18-chess-2"] {
            assert_eq!(text.parse::<DailyDealId>(), Err(DealOriginError), "{text}");
        }
    }
}
