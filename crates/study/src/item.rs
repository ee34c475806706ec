//! Questions, and whether an answer fits.

use wire::{Language, StudyAnswer, StudyItem, StudyItemKind, StudyOption};

use crate::text::Text;

/// A question, or a text between questions.
#[derive(Clone, Debug)]
pub struct Item {
    /// By what it is named in the data.
    pub id: String,
    /// The question.
    pub text: Text,
    /// Whether it has to be answered.
    pub required: bool,
    /// How it is answered.
    pub kind: ItemKind,
}

/// How a question is answered.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// Not at all.
    Note,
    /// By a text.
    Text {
        /// How many lines the field has.
        lines: u8,
        /// How many characters it may have.
        chars_most: u32,
    },
    /// By a number.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// Whether it has to be whole.
        whole: bool,
    },
    /// By one of these options.
    Choice(Vec<(String, Text)>),
    /// By several options.
    Choices {
        /// The options.
        options: Vec<(String, Text)>,
        /// How many have to be chosen.
        least: u8,
        /// How many may be chosen.
        most: u8,
    },
    /// By a point on a scale.
    Likert {
        /// How many points it has.
        points: u8,
        /// What the first means.
        low: Text,
        /// What the last means.
        high: Text,
    },
    /// By a place on a line.
    Slider {
        /// The number at its left end.
        least: f64,
        /// The number at its right end.
        most: f64,
        /// The distance of two places.
        step: f64,
        /// What its left end means.
        low: Text,
        /// What its right end means.
        high: Text,
    },
}

impl Item {
    /// The question as a page is sent it.
    pub fn sent(&self, language: Language) -> StudyItem {
        let options = |options: &[(String, Text)]| {
            let sent = options.iter().map(|(id, text)| sent_option(id, text, language));
            sent.collect::<Vec<_>>()
        };
        let kind = match &self.kind {
            ItemKind::Note => StudyItemKind::Note,
            ItemKind::Text { lines, chars_most } => {
                StudyItemKind::Text { lines: *lines, chars_most: *chars_most }
            }
            ItemKind::Number { least, most, whole } => {
                StudyItemKind::Number { least: *least, most: *most, whole: *whole }
            }
            ItemKind::Choice(all) => StudyItemKind::Choice { options: options(all) },
            ItemKind::Choices { options: all, least, most } => {
                StudyItemKind::Choices { options: options(all), least: *least, most: *most }
            }
            ItemKind::Likert { points, low, high } => StudyItemKind::Likert {
                points: *points,
                low: low.to(language),
                high: high.to(language),
            },
            ItemKind::Slider { least, most, step, low, high } => StudyItemKind::Slider {
                least: *least,
                most: *most,
                step: *step,
                low: low.to(language),
                high: high.to(language),
            },
        };
        let (id, text) = (self.id.clone(), self.text.to(language));
        StudyItem { id, text, required: self.required, kind }
    }

    /// Whether the question is answered at all.
    pub fn is_question(&self) -> bool {
        !matches!(self.kind, ItemKind::Note)
    }

    /// Whether an answer fits; the error says what is wanted.
    pub fn fits(&self, answer: &StudyAnswer) -> Result<(), String> {
        let within = |number: f64, least: f64, most: f64| {
            let fits = number.is_finite() && (least..=most).contains(&number);
            if fits { Ok(()) } else { Err(format!("give a number from {least} to {most}")) }
        };
        let knows = |options: &[(String, Text)], id: &str| {
            let known = options.iter().any(|(other, _)| other == id);
            if known { Ok(()) } else { Err(format!("{id:?} is none of the options")) }
        };
        match (&self.kind, answer) {
            (ItemKind::Text { chars_most, .. }, StudyAnswer::Text(text)) => {
                if text.chars().count() > *chars_most as usize {
                    return Err(format!("write at most {chars_most} characters"));
                }
                Ok(())
            }
            (ItemKind::Number { least, most, whole }, StudyAnswer::Number(number)) => {
                within(*number, *least, *most)?;
                if *whole && number.fract() != 0.0 {
                    return Err("give a whole number".to_owned());
                }
                Ok(())
            }
            (ItemKind::Slider { least, most, .. }, StudyAnswer::Number(number)) => {
                within(*number, *least, *most)
            }
            (ItemKind::Choice(options), StudyAnswer::Choice(id)) => knows(options, id),
            (ItemKind::Choices { options, least, most }, StudyAnswer::Choices(ids)) => {
                ids.iter().try_for_each(|id| knows(options, id))?;
                let distinct = ids.iter().collect::<std::collections::BTreeSet<_>>().len();
                let fits = distinct == ids.len()
                    && (usize::from(*least)..=usize::from(*most)).contains(&ids.len());
                if fits { Ok(()) } else { Err(format!("choose {least} to {most} options")) }
            }
            (ItemKind::Likert { points, .. }, StudyAnswer::Likert(point)) => {
                let fits = (1..=*points).contains(point);
                if fits { Ok(()) } else { Err(format!("choose a point from 1 to {points}")) }
            }
            (
                ItemKind::Note
                | ItemKind::Text { .. }
                | ItemKind::Number { .. }
                | ItemKind::Slider { .. }
                | ItemKind::Choice(_)
                | ItemKind::Choices { .. }
                | ItemKind::Likert { .. },
                _,
            ) => Err("the question is answered in another way".to_owned()),
        }
    }
}

/// Whether answers fit all of these questions: each that is required has one, and each answer has
/// its question. The error names the first question that does not.
pub(crate) fn check_answers<'a>(
    items: impl Iterator<Item = &'a Item> + Clone,
    answers: &std::collections::BTreeMap<String, StudyAnswer>,
) -> Result<(), String> {
    for id in answers.keys() {
        if !items.clone().any(|item| item.id == *id) {
            return Err(format!("{id}: there is no such question here"));
        }
    }
    for item in items {
        match answers.get(&item.id) {
            Some(answer) => item.fits(answer).map_err(|e| format!("{}: {e}", item.id))?,
            None if item.required && item.is_question() => {
                return Err(format!("{}: this has to be answered", item.id));
            }
            None => {}
        }
    }
    Ok(())
}

/// An option as a page is sent it.
pub(crate) fn sent_option(id: &str, text: &Text, language: Language) -> StudyOption {
    StudyOption { id: id.to_owned(), text: text.to(language) }
}
