//! The populations of people that the project measures with, by their names.

use crate::people::{People, PeopleError};

/// The people that were fitted to published logs.
const THESIS: &str = include_str!("../../../humans/thesis.toml");

/// The population of that name: a model's, or `thesis`, fitted to logs of real people.
pub fn population(name: &str) -> Result<People, PopulationError> {
    let found = model_populations().into_iter().find(|people| people.name == name);
    match found {
        Some(people) => Ok(people),
        None if name == "thesis" => Ok(People::read(THESIS)?),
        None => Err(PopulationError::Unknown {
            name: name.to_owned(),
            names: population_names().join(", "),
        }),
    }
}

/// The names of all populations.
pub fn population_names() -> Vec<String> {
    let models = model_populations().into_iter().map(|people| people.name);
    models.chain(["thesis".to_owned()]).collect()
}

/// Why there is no such population.
#[derive(Debug, thiserror::Error)]
pub enum PopulationError {
    /// No population has that name.
    #[error("there is no population {name:?}, choose from {names}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        names: String,
    },
    /// A file of people is not valid.
    #[error(transparent)]
    People(#[from] PeopleError),
}

/// The people of the table in `docs/lab.md`: models whose parameters were chosen.
pub fn model_populations() -> Vec<People> {
    let model = |name: &str, change: &dyn Fn(&mut People)| {
        let mut people = People { name: name.to_owned(), ..People::model(1.0, 0.39, 0.15) };
        change(&mut people);
        people
    };
    vec![
        model("base", &|_| ()),
        model("fast", &|people| people.pace.median_s = 0.3),
        model("exponent-0.6", &|people| people.curve.exponent = 0.6),
        model("drift", &|people| people.change.drift_log_sd = 0.15),
        model("lapses", &|people| (people.lapse.rate, people.lapse.mean_s) = (0.05, 8.0)),
        model("adaptation-0.1", &|people| people.change.adaptation = 0.1),
        model("adaptation-0.3", &|people| people.change.adaptation = 0.3),
        model("adaptation-0.5", &|people| people.change.adaptation = 0.5),
        model("trend", &|people| people.change.trend_log = 1.3_f64.ln() / 7.0),
        model("mixture", &|people| {
            people.pace.median_s = 0.6;
            people.curve.exponent = 0.85;
            people.curve.exponent_sd = 0.15;
            people.change.drift_log_sd = 0.05;
            people.change.adaptation = 0.15;
            (people.lapse.rate, people.lapse.mean_s) = (0.02, 4.0);
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_population() {
        let names = population_names();
        assert!(names.len() > 10, "{names:?}");
        for name in names {
            assert_eq!(population(&name).unwrap().name, name);
        }
        let error = population("nonesuch").unwrap_err().to_string();
        assert!(error.contains("choose from base, fast"), "{error}");
    }
}
