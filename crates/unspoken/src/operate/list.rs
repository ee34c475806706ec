//! `unspoken tables` and `unspoken people`: lists, a page at a time.

use anyhow::Result;
use clap::Args;
use server::control::{Part, PersonLine, PersonList, Request, Stage, TableLine, TableList};

use super::{Common, age};
use crate::out::outln;

/// Which part of a list is printed.
#[derive(Args)]
pub(super) struct ListPart {
    /// Which page of the list
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    page: u64,
    /// How many rows a page has
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1000))]
    most: u16,
}

impl ListPart {
    pub(super) fn part(&self) -> Part {
        Part { page: self.page, most: self.most.into() }
    }

    /// Says which part of the list was printed, if there is more.
    pub(super) fn print_rest(&self, shown: usize, total: u64) {
        let pages = total.div_ceil(self.most.into());
        if self.page < pages {
            outln!("page {} of {pages}, {total} in all: --page {}", self.page, self.page + 1);
        } else if shown as u64 != total {
            outln!("page {} of {pages}, {total} in all", self.page);
        }
    }
}

/// `unspoken tables`
#[derive(Args)]
pub struct Tables {
    #[command(flatten)]
    part: ListPart,
    #[command(flatten)]
    common: Common,
}

/// Lists the tables, the one that changed last first.
pub fn tables(Tables { part, common }: &Tables) -> Result<()> {
    let Some(list) = common.ask::<TableList>(&Request::Tables { part: part.part() })? else {
        return Ok(());
    };
    for line in &list.tables {
        let TableLine { table, game, awake, stage, public, seated, chairs, people, changed_s } =
            line;
        let stage = match stage {
            Stage::Open => "not begun",
            Stage::Playing => "playing",
            Stage::Over => "over",
        };
        let memory = if *awake { "awake" } else { "sleeps" };
        let listed = if *public { "public" } else { "private" };
        let (game, changed) = (game.to_string(), age(*changed_s));
        outln!(
            "{table}  {game:<9}  {stage:<9}  {seated} of {chairs} seats  {people:>3} people  \
             {memory:<6}  {listed:<7}  {changed}"
        );
    }
    if list.total == 0 {
        outln!("there are no tables");
    }
    part.print_rest(list.tables.len(), list.total);
    Ok(())
}

/// `unspoken people`
#[derive(Args)]
pub struct People {
    /// Only people whose name contains this, in capital or small letters
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    part: ListPart,
    #[command(flatten)]
    common: Common,
}

/// Lists the people, those seen last first.
pub fn people(People { name, part, common }: &People) -> Result<()> {
    let request = Request::People { part: part.part(), name: name.clone() };
    let Some(list) = common.ask::<PersonList>(&request)? else { return Ok(()) };
    for PersonLine { person, name, online, seen_s, games, tables } in &list.people {
        let seen = if *online { "connected".to_owned() } else { age(*seen_s) };
        let id = person.get(..16).unwrap_or(person);
        let tables = tables.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let name = printable(name);
        outln!("{id}  {name:<20}  {seen:<14}  {games:>4} games  {tables}");
    }
    if list.total == 0 {
        outln!("there are no such people");
    }
    part.print_rest(list.people.len(), list.total);
    Ok(())
}

/// A name without characters that a terminal would act on.
fn printable(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}
