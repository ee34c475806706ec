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
    #[error("{path}: {error}")]
    Unreadable {
        /// The folder or file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A line is not in the format.
    #[error("{path}, line {line}: cannot be read as part of a round")]
    Line {
        /// In which file.
        path: String,
        /// Which line, from 1.
        line: usize,
    },
    /// There are no rounds in them.
    #[error("{path}: no rounds there, name a folder of logs as .txt files")]
    Empty {
        /// The folder.
        path: String,
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
        let log = read_log(&text).map_err(|line| LogError::Line { path: shown(&path), line })?;
        logs.push(log);
    }
    if logs.iter().all(Vec::is_empty) {
        return Err(LogError::Empty { path: shown(folder) });
    }
    Ok(logs)
}

/// Reads one log. Fails with the number of the first line that is not in the format.
pub fn read_log(text: &str) -> Result<Log, usize> {
    let mut log = Log::new();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        let wrong = index + 1;
        if line.is_empty() || line.starts_with('-') {
            continue;
        }
        if line.starts_with("Game ") {
            log.push(Round { person: vec![], computer: vec![], plays: vec![], won: false });
            continue;
        }
        let round = log.last_mut().ok_or(wrong)?;
        if let Some(hand) = line.strip_prefix("Hand Participant: ") {
            round.person = cards(hand).ok_or(wrong)?;
        } else if let Some(hand) = line.strip_prefix("Hand Computer: ") {
            round.computer = cards(hand).ok_or(wrong)?;
        } else if line == "WON" || line == "LOST" {
            round.won = line == "WON";
        } else {
            round.plays.push(play(line).ok_or(wrong)?);
        }
    }
    Ok(log)
}

fn cards(text: &str) -> Option<Vec<u8>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner.split(',').map(|card| card.trim().parse().ok()).collect()
}

fn play(line: &str) -> Option<Play> {
    let (who, rest) = line.split_once(" played ")?;
    let (card, rest) = rest.split_once('.')?;
    let millis = rest.trim().strip_prefix("Time passed: ")?.parse::<f64>().ok()?;
    let by_person = match who {
        "Participant" => true,
        "Computer" => false,
        _ => return None,
    };
    Some(Play { by_person, card: card.trim().parse().ok()?, wait_s: millis / 1000.0 })
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
    fn a_line_that_makes_no_sense_is_named() {
        assert_eq!(read_log(&ROUND.replace("Computer played", "Stranger played")), Err(4));
        assert_eq!(read_log("WON"), Err(1));
    }
}
