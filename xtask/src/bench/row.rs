//! The lines of a result: what was found, beside what it should be.

/// One line of the result.
pub struct Row {
    what: String,
    target: Option<Target>,
    found: String,
    /// The same of the yardstick in the same run.
    yardstick: String,
    held: Option<bool>,
}

/// What a figure should be.
#[derive(Clone, Copy)]
pub enum Target {
    AtLeast(f64, &'static str),
    AtMost(f64, &'static str),
}

impl Target {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(limit, _) => value >= limit,
            Self::AtMost(limit, _) => value <= limit,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtLeast(limit, unit) => format!("≥ {limit}{unit}"),
            Self::AtMost(limit, unit) => format!("≤ {limit}{unit}"),
        }
    }
}

impl Row {
    /// A figure without a target.
    pub fn new(what: impl Into<String>, found: impl Into<String>) -> Self {
        let (what, found) = (what.into(), found.into());
        Self { what, target: None, found, yardstick: String::new(), held: None }
    }

    /// The same, judged: `value` should be as the target says. A figure that is not a number has
    /// missed it.
    pub fn judged(mut self, value: f64, target: Target) -> Self {
        self.held = Some(target.holds(value));
        self.target = Some(target);
        self
    }

    /// The same, beside what the yardstick took.
    pub fn beside(mut self, yardstick: impl Into<String>) -> Self {
        self.yardstick = yardstick.into();
        self
    }
}

/// Prints all of them and how many missed their target.
pub fn print(rows: &[Row]) {
    println!("\n{:<62} {:<16} {:<30} {:<22}", "", "target", "found", "bare room");
    for Row { what, target, found, yardstick, held } in rows {
        let target = target.map_or_else(String::new, Target::text);
        let verdict = if *held == Some(false) { "missed" } else { "" };
        println!("{what:<62} {target:<16} {found:<30} {yardstick:<22} {verdict}");
    }
    let judged = rows.iter().filter(|row| row.held.is_some()).count();
    let missed = rows.iter().filter(|row| row.held == Some(false)).count();
    println!("\n{missed} of {judged} targets missed");
}

/// The middle of some figures; not a number if there are none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        for (values, expected) in [(vec![3.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0], 2.5)] {
            assert!((median(values) - expected).abs() < f64::EPSILON);
        }
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn a_figure_is_judged_by_its_target() {
        let held = |value, target| Row::new("", "").judged(value, target).held;
        assert_eq!(held(0.7, Target::AtLeast(0.7, "")), Some(true));
        assert_eq!(held(0.69, Target::AtLeast(0.7, "")), Some(false));
        assert_eq!(held(16.0, Target::AtMost(15.0, " ms")), Some(false));
        assert_eq!(held(f64::NAN, Target::AtMost(15.0, " ms")), Some(false));
        assert_eq!(Target::AtMost(15.0, " ms").text(), "≤ 15 ms");
    }
}
