//! What the simulated people of the load do: any command that advances the game.

use anyhow::{Context, Result};
use rules::family::{FocusCommand, OfferCommand};
use rules::royale::{self, Pack, Row, Triple, Zone};
use rules::{extreme, mind, soulmates};
use serde::Deserialize;
use wire::Command;

/// What a person would do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// No game is on.
    NoGame,
    /// Nothing that advances the game.
    Nothing,
    /// This command, before commands of a higher rank.
    Do { rank: u32, command: Command },
    /// Ask any row of this zone.
    Ask(Zone),
}

/// What the server permits.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Options {
    Mind(Vec<mind::Command>),
    Extreme(Vec<extreme::Command>),
    Soulmates(Vec<soulmates::Command>),
    Royale {
        hide: bool,
        colours: bool,
        shapes: bool,
        #[serde(rename = "mark")]
        _mark: bool,
    },
    /// The form of protocol 2, so that an older server can be measured by the same generator.
    Commands(Vec<Command>),
}

impl Choice {
    /// The choice of a person with these options. `update` is the whole text that the options stand
    /// in.
    pub fn of(options: Option<&[u8]>, update: &[u8]) -> Result<Self> {
        let Some(options) = options else { return Ok(Self::NoGame) };
        let options = serde_json::from_slice(options).context("the options cannot be read")?;
        Ok(match options {
            Options::Mind(list) => first(list, mind_rank, Command::Mind),
            Options::Extreme(list) => first(list, extreme_rank, Command::Extreme),
            Options::Soulmates(list) => first(list, soulmates_rank, Command::Soulmates),
            Options::Royale { hide: true, .. } => {
                let mut codes = royale::Code::all(pack(update)?);
                let code = codes.next().context("a pack has codes")?;
                Self::Do { rank: 0, command: Command::Royale(royale::Command::Hide(code)) }
            }
            Options::Royale { colours: true, .. } => Self::Ask(Zone::Colours),
            Options::Royale { shapes: true, .. } => Self::Ask(Zone::Shapes),
            Options::Royale { .. } => Self::Nothing,
            Options::Commands(list) => first(list, rank, |command| command),
        })
    }

    /// The command and its rank, if there is one. `turn` picks among the rows of Royale.
    pub fn command(self, turn: usize) -> Option<(u32, Command)> {
        match self {
            Self::NoGame | Self::Nothing => None,
            Self::Do { rank, command } => Some((rank, command)),
            Self::Ask(zone) => {
                let row = Triple::all().nth(turn % Triple::all().count())?;
                Some((0, Command::Royale(royale::Command::Ask(Row::new(zone, row)))))
            }
        }
    }
}

fn first<C: Copy>(list: Vec<C>, rank: fn(&C) -> Option<u32>, sent: fn(C) -> Command) -> Choice {
    let ranked = list.into_iter().filter_map(|command| Some((rank(&command)?, command)));
    ranked
        .min_by_key(|(rank, _)| *rank)
        .map_or(Choice::Nothing, |(rank, command)| Choice::Do { rank, command: sent(command) })
}

/// The rank of a command, lower first; `None` for a command that does not advance the game.
fn rank(command: &Command) -> Option<u32> {
    match command {
        Command::Mind(command) => mind_rank(command),
        Command::Extreme(command) => extreme_rank(command),
        Command::Soulmates(command) => soulmates_rank(command),
        // Its options are kinds of commands, never these.
        Command::Royale(_) => None,
    }
}

/// Cards are played in order over the whole table, so that levels are completed.
fn mind_rank(command: &mind::Command) -> Option<u32> {
    match command {
        mind::Command::Play(card) => Some(u32::from(card.number())),
        mind::Command::Focus(FocusCommand::Rest) => Some(200),
        mind::Command::Offer(OfferCommand::Finish) => Some(201),
        mind::Command::Focus(_) | mind::Command::Vote(_) | mind::Command::Offer(_) => None,
    }
}

fn extreme_rank(command: &extreme::Command) -> Option<u32> {
    match command {
        extreme::Command::Choose(_) => Some(0),
        extreme::Command::Play(_) => Some(1),
        extreme::Command::Focus(FocusCommand::Rest) => Some(2),
        extreme::Command::Focus(_) | extreme::Command::Vote(_) => None,
    }
}

fn soulmates_rank(command: &soulmates::Command) -> Option<u32> {
    match command {
        soulmates::Command::Play(card) => Some(u32::from(card.number())),
        soulmates::Command::Look | soulmates::Command::Hint(_) => Some(200),
        soulmates::Command::Focus(FocusCommand::Rest) => Some(201),
        soulmates::Command::Offer(OfferCommand::Finish) => Some(202),
        soulmates::Command::Focus(_) | soulmates::Command::Offer(_) => None,
    }
}

/// The pack of a game of Royale: the only part of a view that a choice needs.
fn pack(update: &[u8]) -> Result<Pack> {
    #[derive(Deserialize)]
    struct Update {
        view: View,
    }
    #[derive(Deserialize)]
    struct View {
        royale: Royale,
    }
    #[derive(Deserialize)]
    struct Royale {
        public: Public,
    }
    #[derive(Deserialize)]
    struct Public {
        pack: Pack,
    }
    let update = serde_json::from_slice::<Update>(update).context("a game of Royale has a pack")?;
    Ok(update.view.royale.public.pack)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(options: &str, expected: Option<&str>) {
        let choice = Choice::of(Some(options.as_bytes()), b"").unwrap();
        let command =
            choice.command(0).map(|(_, command)| serde_json::to_string(&command).unwrap());
        assert_eq!(command.as_deref(), expected, "{options}");
    }

    #[test]
    fn the_lowest_card_is_played_before_hands_are_rested() {
        check(r#"{"mind":["stop",{"play":40},{"play":7}]}"#, Some(r#"{"mind":{"play":7}}"#));
        check(r#"{"mind":["rest"]}"#, Some(r#"{"mind":"rest"}"#));
        check(r#"{"mind":["stop","raise"]}"#, None);
        check(r#"{"mind":["continue","finish"]}"#, Some(r#"{"mind":"finish"}"#));
        let choose = r#"{"extreme":["rest",{"choose":"red"}]}"#;
        check(choose, Some(r#"{"extreme":{"choose":"red"}}"#));
        check(r#"{"soulmates":["rest","look"]}"#, Some(r#"{"soulmates":"look"}"#));
        let row = r#"{"royale":{"hide":false,"colours":true,"shapes":false,"mark":true}}"#;
        check(row, Some(r#"{"royale":{"ask":{"colours":[1,1,1]}}}"#));
        let mark = r#"{"royale":{"hide":false,"colours":false,"shapes":false,"mark":true}}"#;
        check(mark, None);
        assert_eq!(Choice::of(None, b"").unwrap(), Choice::NoGame);
    }

    #[test]
    fn protocol_2_is_still_read() {
        let commands = r#"{"commands":[{"mind":"raise"},{"mind":{"play":9}}]}"#;
        check(commands, Some(r#"{"mind":{"play":9}}"#));
    }

    #[test]
    fn a_code_is_hidden_from_the_pack_of_the_view() {
        let options = br#"{"royale":{"hide":true,"colours":false,"shapes":false,"mark":false}}"#;
        let update =
            br#"{"t":"update","view":{"royale":{"public":{"round":1,"pack":["A1","B2","C3"]}}}}"#;
        let choice = Choice::of(Some(options), update).unwrap();
        assert!(matches!(choice, Choice::Do { rank: 0, command: Command::Royale(_) }));
        assert!(Choice::of(Some(options), b"{}").is_err());
    }
}
