//! Examples as data: situations written down with their clause, played on the real rules.
//!
//! `docs/notation.md` describes the format; `unspoken examples FILE…` runs such files.
//!
//! ```
//! let report = rules::examples::run("
//! game mind
//! [M5] Only the lowest card may be played.
//! start  players=2 | level=3 hands=21,56,93/50
//! refuse A play 56 because not-next
//! do     A play 21
//! expect pile=A21 hands=56,93/50
//! ");
//! assert!(report.mismatches.is_empty(), "{report:?}");
//! assert_eq!(report.examples[0].clauses, ["M5"]);
//! ```

mod scene;

use crate::door::GameName;
use crate::kit::Imagine;
use scene::Scene;

/// The results of a file of examples.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The examples that were found.
    pub examples: Vec<Example>,
    /// How many lines were played or compared.
    pub checks: usize,
    /// What did not come out as written.
    pub mismatches: Vec<Mismatch>,
}

/// One example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The line on which it begins, counted from 1.
    pub line: usize,
    /// The clauses that it shows.
    pub clauses: Vec<String>,
    /// What it shows, in words.
    pub title: String,
}

/// A line that did not come out as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which line, counted from 1.
    pub line: usize,
    /// What was found instead.
    pub text: String,
}

/// Runs the examples of a file.
pub fn run(text: &str) -> Report {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let game = match lines.next() {
        Some((line, first)) => match first.split_once(' ') {
            Some(("game", name)) => {
                name.trim().parse::<GameName>().map_err(|e| (line, e.to_string()))
            }
            _ => Err((line, "the first line names the game, as in: game mind".to_owned())),
        },
        None => Err((1, "the file is empty, begin it with a line such as: game mind".to_owned())),
    };
    match game {
        Ok(name) => crate::with_name!(name, G => run_all::<G>(lines)),
        Err((line, text)) => {
            Report { mismatches: vec![Mismatch { line, text }], ..Report::default() }
        }
    }
}

fn run_all<'a, G: Imagine>(lines: impl Iterator<Item = (usize, &'a str)>) -> Report {
    let mut report = Report::default();
    let mut scene = Scene::<G>::default();
    // After a surprise the rest of the example would only repeat it.
    let mut lost = true;
    for (line, text) in lines {
        if let Some(example) = heading(line, text) {
            report.examples.push(example);
            scene = Scene::default();
            lost = false;
        } else if report.examples.is_empty() {
            let text = "an example begins with its clause, as in: [M5] Lowest first".to_owned();
            report.mismatches.push(Mismatch { line, text });
            return report;
        } else if !lost {
            report.checks += 1;
            if let Err(text) = scene.play(text) {
                report.mismatches.push(Mismatch { line, text });
                lost = true;
            }
        }
    }
    report
}

/// `[M6 X3] One life for one mistake`
fn heading(line: usize, text: &str) -> Option<Example> {
    let (clauses, title) = text.strip_prefix('[')?.split_once(']')?;
    let clauses = clauses.split_whitespace().map(str::to_owned).collect();
    Some(Example { line, clauses, title: title.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, expected: &[(usize, &str)]) {
        let report = run(&format!("game mind\n[M1] test\n{lines}"));
        let found = report.mismatches.iter().map(|found| (found.line, found.text.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{lines}");
    }

    #[test]
    fn what_does_not_come_out_is_reported_with_its_line() {
        check("start players=2 | hands=3/4\nexpect level=2", &[(4, "level is 1, not 2")]);
        check("start players=2 | hands=3/4\nexpect colour=2", &[(4, "colour is -, not 2")]);
        check("start players=2 | hands=3/3", &[(3, "a card is in two places at once")]);
        check("do A rest", &[(3, "no table stands yet, begin with start or open")]);
        check(
            "start players=2 | hands=3/4\nrefuse A play 4 because not-next",
            &[(4, "refused because not-held: you do not hold 4")],
        );
        check(
            "start players=2 | hands=3/4\ndo A play 4",
            &[(4, "refused because not-held: you do not hold 4")],
        );
        check("start players=2 | hands=3/4\nrefuse A play 3 because x", &[(4, "accepted")]);
        check(
            "start players=2 | hands=3/4\nhides A hands=5/4",
            &[(
                4,
                "A sees the difference:\n  now   players=2 | level=1 lives=2 stars=1 phase=play:- \
                 hands=3/*1 pile=- aside=-/- since_us=0\n  other players=2 | level=1 lives=2 \
                 stars=1 phase=play:- hands=5/*1 pile=- aside=-/- since_us=0",
            )],
        );
        check("start players=2 | hands=3/4\nhides A lives=2", &[(4, "nothing would be different")]);
        check("fly", &[(3, "\"fly\" is no directive, docs/notation.md lists them")]);
    }

    #[test]
    fn chance_can_be_given_its_draws() {
        check(
            "open players=2\nchance dealt 1 7/8\nexpect hands=7/8\nsees A hands=7/*1\n\
             hides A hands=7/9\nnotices B dealt 1 *1/8\nevents dealt …\ntalk open\noutcome none\n\
             options A rest",
            &[],
        );
        check(
            "open players=2\nchance dealt 1 7/7\nexpect level=1",
            &[(5, "chance has led to an impossible table: a card is in two places at once")],
        );
    }

    #[test]
    fn a_file_says_which_game_it_is_about() {
        for text in ["", "[M1] x", "game chess\n[M1] x", "game mind\nstart players=2"] {
            assert_eq!(run(text).mismatches.len(), 1, "{text:?}");
        }
    }
}
