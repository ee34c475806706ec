//! Logs of rounds that people have played with a computer, and the deals in them.
//!
//! A log is a text with rounds such as
//!
//! ```text
//! Game 1
//! Hand Participant: [37, 39, 96]
//! Hand Computer: [24, 73, 75]
//! Computer played 24. Time passed: 7462
//! Participant played 37. Time passed: 905
//! WON
//! ```
//!
//! with milliseconds since the play before.

use std::path::Path;

/// One round of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// What the person was dealt.
    pub person: Vec<u8>,
    /// What the computer was dealt.
    pub computer: Vec<u8>,
    /// Who played what, after how many seconds.
    pub plays: Vec<Play>,
    /// Whether it was won.
    pub won: bool,
}

/// A card that was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// Whether the person played it.
    pub by_person: bool,
    /// Which card.
    pub card: u8,
    /// After how many seconds.
    pub wait_s: f64,
}

/// Everything that one person played.
pub type Log = Vec<Round>;

/// Why logs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The folder or a file in it cannot be read.
    #[error("{path} cannot be read, name a folder of logs: {error}")]
    Unreadable {
        /// The folder or file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A line is not in the format.
    #[error("{path}, line {line}: {misprint}")]
    Line {
        /// In which file.
        path: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        misprint: LineMisprint,
    },
    /// There are no rounds in them.
    #[error("{path}: no rounds there, name a folder of logs as .txt files")]
    Empty {
        /// The folder.
        path: String,
    },
}

/// What is wrong with a line of a log, and what to write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineMisprint {
    /// Something stands before the first round.
    #[error("no round has begun, write \"Game 1\" first")]
    NoRound,
    /// A hand is not a list.
    #[error("the hand {hand:?} is no list, write it as in [37, 39, 96]")]
    Hand {
        /// What it says.
        hand: String,
    },
    /// A card is none.
    #[error("{card:?} is no card, write a number from 1 to 100 and separate cards by commas")]
    Card {
        /// What it says.
        card: String,
    },
    /// The player of a card is unknown.
    #[error("{player:?} is no player, write Participant or Computer")]
    Player {
        /// What it says.
        player: String,
    },
    /// The time of a card is missing or no number.
    #[error("the time is missing, write it as in \"Computer played 24. Time passed: 7462\"")]
    Time,
    /// It is none of the lines that a round has.
    #[error(
        "{text:?} is no line of a round, write \"Hand Participant: […]\", \"Hand Computer: […]\", \
         \"Computer played 24. Time passed: 7462\", WON or LOST"
    )]
    Unknown {
        /// What it says.
        text: String,
    },
}

/// Reads every `.txt` file of a folder, one person each, in the order of their names.
pub fn read_logs(folder: &Path) -> Result<Vec<Log>, LogError> {
    let shown = |path: &Path| path.display().to_string();
    let unreadable = |path: &Path, error| LogError::Unreadable { path: shown(path), error };
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut paths = entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    paths.sort();
    let mut logs = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
        let log = read_log(&text).map_err(|(line, misprint)| {
            let path = shown(&path);
            LogError::Line { path, line, misprint }
        })?;
        logs.push(log);
    }
    if logs.iter().all(Vec::is_empty) {
        return Err(LogError::Empty { path: shown(folder) });
    }
    Ok(logs)
}

/// Reads one log. Fails with the number of the first line that is not in the format, and what is
/// wrong with it.
pub fn read_log(text: &str) -> Result<Log, (usize, LineMisprint)> {
    let mut log = Log::new();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        read_line(&mut log, line).map_err(|misprint| (index + 1, misprint))?;
    }
    Ok(log)
}

fn read_line(log: &mut Log, line: &str) -> Result<(), LineMisprint> {
    if line.is_empty() || line.starts_with('-') {
        return Ok(());
    }
    if line.starts_with("Game ") {
        log.push(Round { person: vec![], computer: vec![], plays: vec![], won: false });
        return Ok(());
    }
    let round = log.last_mut().ok_or(LineMisprint::NoRound)?;
    if let Some(hand) = line.strip_prefix("Hand Participant: ") {
        round.person = cards(hand)?;
    } else if let Some(hand) = line.strip_prefix("Hand Computer: ") {
        round.computer = cards(hand)?;
    } else if line == "WON" || line == "LOST" {
        round.won = line == "WON";
    } else {
        round.plays.push(play(line)?);
    }
    Ok(())
}

fn cards(hand: &str) -> Result<Vec<u8>, LineMisprint> {
    let inner = hand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.ok_or_else(|| LineMisprint::Hand { hand: hand.to_owned() })?;
    inner.split(',').map(card).collect()
}

fn card(text: &str) -> Result<u8, LineMisprint> {
    let card = text.trim();
    let number = card.parse().ok().filter(|number| (1..=100).contains(number));
    number.ok_or_else(|| LineMisprint::Card { card: card.to_owned() })
}

fn play(line: &str) -> Result<Play, LineMisprint> {
    let unknown = || LineMisprint::Unknown { text: line.to_owned() };
    let (player, rest) = line.split_once(" played ").ok_or_else(unknown)?;
    let (number, rest) = rest.split_once('.').ok_or(LineMisprint::Time)?;
    let by_person = match player {
        "Participant" => true,
        "Computer" => false,
        _ => return Err(LineMisprint::Player { player: player.to_owned() }),
    };
    let card = card(number)?;
    let time = rest.trim().strip_prefix("Time passed: ").ok_or(LineMisprint::Time)?;
    let millis = time.parse::<f64>().ok().filter(|millis| millis.is_finite() && *millis >= 0.0);
    Ok(Play { by_person, card, wait_s: millis.ok_or(LineMisprint::Time)? / 1000.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: &str = "Game 1\nHand Participant: [13, 16, 45]\nHand Computer: [1, 5, 68]\n\
        Computer played 1. Time passed: 306\nParticipant played 13. Time passed: 1110\nWON\n-----\n";

    #[test]
    fn rounds_are_read() {
        let log = read_log(ROUND).unwrap();
        assert_eq!((log.len(), log[0].won), (1, true));
        assert_eq!(log[0].person, [13, 16, 45]);
        assert_eq!(log[0].plays[1], Play { by_person: true, card: 13, wait_s: 1.11 });
    }

    #[test]
    fn an_error_names_the_line_what_is_wrong_and_what_to_write() {
        for (from, to, line, part) in [
            ("Computer played", "Stranger played", 4, "\"Stranger\" is no player"),
            ("[13, 16, 45]", "[13 16 45]", 2, "separate cards by commas"),
            ("[1, 5, 68]", "1, 5, 68", 3, "write it as in [37, 39, 96]"),
            ("played 13", "played 130", 5, "\"130\" is no card"),
            ("Time passed: 306", "at once", 4, "Time passed"),
            ("WON", "DRAWN", 6, "WON or LOST"),
            ("Game 1", "", 2, "write \"Game 1\" first"),
        ] {
            let (found, misprint) = read_log(&ROUND.replace(from, to)).unwrap_err();
            let text = misprint.to_string();
            assert!(found == line && text.contains(part), "{from}: line {found}, {text}");
        }
    }
}
