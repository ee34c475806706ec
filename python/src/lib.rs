//! The native module of the Python package `unspoken`: `crates/environment` for Python.
//!
//! Whatever is decided is decided there. This crate reads arguments, turns errors into Python's
//! exceptions, and lends NumPy's memory out while other Python threads run.

mod arrays;
mod batch;
mod simulate;
mod solve;

use environment::{EnvironmentName, Partner, WAIT_S_MOST};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::door::GameName;

/// A bad argument: the text says what to type.
fn bad_argument(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The names of all environments.
#[pyfunction]
fn environment_names() -> Vec<String> {
    EnvironmentName::all().map(|name| name.to_string()).collect()
}

/// The names of the populations that simulated people come from.
#[pyfunction]
fn population_names() -> Vec<String> {
    lab::population_names()
}

/// The names of the partners that play a game.
#[pyfunction]
fn partner_names(game: &str) -> PyResult<Vec<String>> {
    let game = game.parse::<GameName>().map_err(bad_argument)?;
    Ok(Partner::names(game))
}

/// The populations that a file's text describes, each with its name and a text of its own.
#[pyfunction]
fn read_people(text: &str) -> PyResult<Vec<(String, String)>> {
    let people = lab::People::read_all(text).map_err(bad_argument)?;
    let own = |people: lab::People| {
        let text = people.write().map_err(bad_argument)?;
        Ok((people.name, text))
    };
    people.into_iter().map(own).collect()
}

/// The native module of the Python package `unspoken`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::simulate::simulate;
    #[pymodule_export]
    use super::solve::best_row;
    #[pymodule_export]
    use super::{environment_names, partner_names, population_names, read_people};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("WAIT_S_MOST", super::WAIT_S_MOST)
    }
}
