//! The tablebase: computed class by class, so that it can be stopped at any time.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use solver::{Class, HEADER, Solution, Solver, Stop, Tablebase, write_solution};

use crate::out::outln;

/// What to compute, and where to.
#[derive(Args)]
pub struct Options {
    /// The file; what it has already is not computed again
    #[arg(long, default_value = "royale.tablebase")]
    file: PathBuf,
    /// Which sizes of packs
    #[arg(long, value_delimiter = ',', default_value = "25,22,4,7,10,19,13,16")]
    sizes: Vec<u8>,
    /// How many classes are solved at once; each takes up to 1 GB of memory
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// The least worst case of each class, too
    #[arg(long)]
    worst: bool,
    /// Compute nothing: only play every tree against every code, and print the table
    #[arg(long)]
    check: bool,
}

/// Room for 16 million states.
const ROOM_BITS: u32 = 24;

/// Computes what is missing, and prints what there is.
pub fn run(options: &Options) -> Result<()> {
    let (table, file) = open(&options.file, options.check)?;
    let mut todo = VecDeque::new();
    for size in &options.sizes {
        ensure!(Class::SIZES.contains(size), "the packs of a match have {:?} cards", Class::SIZES);
        todo.extend(Class::all(*size).iter().copied().filter(|class| match table.get(*class) {
            _ if options.check => table.get(*class).is_some(),
            Some(solution) => options.worst && solution.worst.is_none(),
            None => true,
        }));
    }
    let bar = ProgressBar::new(todo.iter().map(|class| effort(*class)).sum());
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent}% {elapsed_precise}, {eta_precise} left  {msg}",
    )?);
    let work =
        Work { todo: Mutex::new(todo), done: Mutex::new(Done { table, file }), options, bar };
    thread::scope(|scope| {
        let workers = (0..options.threads).map(|_| scope.spawn(|| work.run())).collect::<Vec<_>>();
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| anyhow::anyhow!("a thread ended early"))?
        })
    })?;
    work.bar.finish_and_clear();
    let Done { table, .. } = work.done.into_inner().context("a thread ended early")?;
    if !options.check {
        compact(&options.file, &table)?;
    }
    summarise(&table);
    Ok(())
}

struct Work<'a> {
    todo: Mutex<VecDeque<Class>>,
    done: Mutex<Done>,
    options: &'a Options,
    bar: ProgressBar,
}

struct Done {
    table: Tablebase,
    /// `None` if nothing is to be written.
    file: Option<File>,
}

impl Work<'_> {
    fn run(&self) -> Result<()> {
        let mut solver = Solver::with_room(if self.options.check { 2 } else { ROOM_BITS });
        while let Some(class) = lock(&self.todo).pop_front() {
            let known = lock(&self.done).table.get(class).cloned();
            let solution = match known {
                Some(solution) if self.options.check => solution,
                known => self.solve(&mut solver, class, known)?,
            };
            solution.verify().with_context(|| format!("the pack {}", class.pack()))?;
            self.bar.set_message(format!("{}: {:.4} rows", class.pack(), solution.mean()));
            self.bar.inc(effort(class));
            let mut done = lock(&self.done);
            if let Some(file) = &mut done.file {
                file.write_all(&write_solution(&solution)).context("the file cannot be written")?;
            }
            done.table.insert(solution);
        }
        Ok(())
    }

    fn solve(
        &self,
        solver: &mut Solver,
        class: Class,
        known: Option<Solution>,
    ) -> Result<Solution> {
        let never = || "a search without a limit came to no end";
        let mut solution = match known {
            Some(solution) => solution,
            None => solver.solve(class.pack(), &mut Stop::never()).with_context(never)?,
        };
        if self.options.worst {
            ensure!(solver.solve_worst(&mut solution, &mut Stop::never()), never());
        }
        Ok(solution)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Reads the file, cuts off an incomplete record at its end, and opens it for appending.
fn open(path: &Path, check: bool) -> Result<(Tablebase, Option<File>)> {
    let name = path.display();
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound && !check => HEADER.to_vec(),
        Err(error) => return Err(error).with_context(|| format!("{name} cannot be read")),
    };
    let (table, whole) = Tablebase::read(&bytes).with_context(|| name.to_string())?;
    if check {
        return Ok((table, None));
    }
    fs::write(path, &bytes[..whole]).with_context(|| format!("{name} cannot be written"))?;
    let file = File::options().append(true).open(path);
    Ok((table, Some(file.with_context(|| format!("{name} cannot be written"))?)))
}

/// Writes each class once, through a file beside it, so that nothing is lost on the way.
fn compact(path: &Path, table: &Tablebase) -> Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, table.write())
        .and_then(|()| fs::rename(&beside, path))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// About how long a class takes, for the time left.
fn effort(class: Class) -> u64 {
    match class.size() {
        19 => 400,
        16 => 500,
        13 => 150,
        22 => 100,
        10 => 15,
        25 => 10,
        _ => 1,
    }
}

/// One line for each size.
fn summarise(table: &Tablebase) {
    outln!("cards  classes  solved   least    mean  greatest  worst case");
    for size in Class::SIZES {
        let all = Class::all(size).len();
        let solved = table.iter().filter(|solution| solution.class.size() == size);
        let means = solved.clone().map(Solution::mean).collect::<Vec<_>>();
        if means.is_empty() {
            outln!("{size:>5}  {all:>7}  {:>6}", 0);
            continue;
        }
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = means.iter().copied().fold(0.0, f64::max);
        let mean = means.iter().sum::<f64>() / f64::from(u32::try_from(means.len()).unwrap_or(1));
        let worst = worst_cases(solved);
        outln!(
            "{size:>5}  {all:>7}  {:>6}  {least:.4}  {mean:.4}    {greatest:.4}  {worst}",
            means.len()
        );
    }
}

/// The worst cases of some classes, and in how many they are known unless that is all.
fn worst_cases<'a>(solved: impl Iterator<Item = &'a Solution> + Clone) -> String {
    let rows = solved.clone().filter_map(|solution| Some(solution.worst?.rows));
    let (Some(least), Some(most)) = (rows.clone().min(), rows.clone().max()) else {
        return "-".to_owned();
    };
    let span = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let (known, all) = (rows.count(), solved.count());
    if known == all { span } else { format!("{span} (in {known} classes)") }
}
