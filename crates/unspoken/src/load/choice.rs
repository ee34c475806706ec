//! What the people of the load do: whatever brings the game on.

use anyhow::{Context, Result, bail};
use rules::kit::View as _;
use rules::royale::{self, Row, Triple, Zone};
use rules::{extreme, mind, soulmates};
use wire::{Command, Options, View};

use super::person::News;

/// Who does what next; `None` when the game is over. `turn` grows with each choice.
pub fn choose(news: &[News], turn: usize) -> Result<Option<(usize, Command)>> {
    let mut best: Option<(u32, usize, Command)> = None;
    let mut over = true;
    // Whoever comes first wins a tie, so each begins in turn.
    for place in (0..news.len()).map(|place| (place + turn) % news.len()) {
        let found = match news[place].options()? {
            None => continue,
            Some(Options::Commands(commands)) => {
                let ranked = commands.into_iter().filter_map(|it| Some((rank(&it)?, it)));
                ranked.min_by_key(|(rank, _)| *rank)
            }
            Some(Options::Royale { hide, colours, shapes, mark: _ }) => {
                ask(&news[place], hide, colours, shapes, turn)?.map(|command| (0, command))
            }
        };
        over = false;
        if let Some((rank, command)) = found
            && best.is_none_or(|(other, ..)| rank < other)
        {
            best = Some((rank, place, command));
        }
    }
    match best {
        Some((_, place, command)) => Ok(Some((place, command))),
        None if over => Ok(None),
        None => bail!("a game is on and nobody may bring it on"),
    }
}

/// What is done first; `None` for what does not bring the game on. Cards are played in order over
/// the whole table, which takes those who see all hands.
fn rank(command: &Command) -> Option<u32> {
    match command {
        Command::Mind(command) => match command {
            mind::Command::Play(card) => Some(u32::from(card.number())),
            mind::Command::Rest => Some(200),
            mind::Command::Finish => Some(201),
            mind::Command::Lift
            | mind::Command::Stop
            | mind::Command::Raise
            | mind::Command::Lower
            | mind::Command::Continue => None,
        },
        Command::Extreme(command) => match command {
            extreme::Command::Choose(_) => Some(0),
            extreme::Command::Play(_) => Some(1),
            extreme::Command::Rest => Some(2),
            extreme::Command::Lift
            | extreme::Command::Stop
            | extreme::Command::Raise
            | extreme::Command::Lower => None,
        },
        Command::Soulmates(command) => match command {
            soulmates::Command::Play(card) => Some(u32::from(card.number())),
            soulmates::Command::Look | soulmates::Command::Hint(_) => Some(200),
            soulmates::Command::Rest => Some(201),
            soulmates::Command::Finish => Some(202),
            soulmates::Command::Lift | soulmates::Command::Stop | soulmates::Command::Continue => {
                None
            }
        },
        // Its options are kinds of commands, never these.
        Command::Royale(_) => None,
    }
}

/// A row to ask or a code to hide, as far as that is permitted.
fn ask(
    news: &News,
    hide: bool,
    colours: bool,
    shapes: bool,
    turn: usize,
) -> Result<Option<Command>> {
    let row = || Triple::all().nth(turn % Triple::all().count()).context("there are rows");
    let command = if hide {
        let Some(View::Royale(view)) = news.whole()?.view else {
            bail!("Royale has its own views")
        };
        let mut codes = royale::Code::all(view.public.pack).map(royale::Command::Hide);
        codes.find(|command| view.permits(command).is_ok())
    } else if colours {
        Some(royale::Command::Ask(Row::new(Zone::Colours, row()?)))
    } else if shapes {
        Some(royale::Command::Ask(Row::new(Zone::Shapes, row()?)))
    } else {
        None
    };
    Ok(command.map(Command::Royale))
}
