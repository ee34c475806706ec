//! Studies with people as pure machines: no clock, file, socket or randomness of their own.
//!
//! A study's file is read into a [`StudyFile`], which may say anything, and checked into a
//! [`Study`], which can be run. A [`Cohort`] is everyone who takes part: it is handed inputs with
//! their times and proposes [`Fact`]s, which become true when they are durable.
//!
//! ```
//! use study::{Cohort, Input, Study, Time};
//! use wire::Language;
//!
//! let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/tempo-report.toml"));
//! let study = Study::read("tempo-report.toml", text).unwrap();
//! let mut cohort = Cohort::new(study.into());
//! let now = Time::from_millis(1_000);
//! let arrival = study::Arrival::of_test([1; 32], Language::En);
//! for fact in cohort.propose(now, Input::Arrive(arrival)).unwrap() {
//!     cohort.apply(now, &fact).unwrap();
//! }
//! assert_eq!(cohort.participations().len(), 1);
//! ```

mod assignment;
mod check;
mod cohort;
mod data;
mod dataset;
mod fact;
mod fault;
mod file;
mod group;
mod item;
mod page;
mod participation;
mod study;
mod text;
mod time;

pub use cohort::{Cohort, Input, ParticipationInput, Refused};
pub use data::{Column, DataTable, Dataset, Kind, Value};
pub use dataset::{Ids, Tables};
pub use fact::{Arrival, EndedGame, Fact, GroupId, LinkParameters, Logged, ParticipationId};
pub use fault::{Faults, StudyFault};
pub use file::StudyFile;
pub use group::{Group, GroupStage};
pub use item::{Item, ItemKind};
pub use participation::{Participation, Phase, Stage};
pub use study::{
    About, After, Comprehension, Condition, ConsentTexts, DataTerms, Ending, Endings, Game, Link,
    Order, Partner, Question, Questionnaire, Study, StudyVersion, TableTerms, WaitingRoom, When,
};
pub use text::Text;
pub use time::Time;
