//! Files: what is right, and what the faults of wrong ones say.

use study::Study;

const EXAMPLE: &str = include_str!("../../../studies/tempo-report.toml");

/// The example with this replaced has this fault.
fn check(find: &str, replace: &str, fault: &str) {
    assert!(EXAMPLE.contains(find), "{find:?} is not in the example");
    let text = EXAMPLE.replacen(find, replace, 1);
    let found = Study::read("x.toml", &text).expect_err(fault).to_string();
    assert!(found.contains(fault), "{fault:?} is not in:\n{found}");
    let Some(written) = replace.lines().last() else { return };
    let line = text.lines().position(|line| line.contains(written)).unwrap() + 1;
    let place = found.lines().find(|it| it.contains(fault)).unwrap();
    assert!(place.starts_with(&format!("x.toml:{line}:")), "line {line}: {place}");
}

#[test]
fn the_example_is_right() {
    let study = Study::read("tempo-report.toml", EXAMPLE).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(study.about.name.to_string(), "tempo-report");
    assert_eq!(study.about.version.to_string().len(), 16);
    assert_eq!(study.conditions.len(), 2);
}

#[test]
fn faults_name_the_line_and_say_what_to_write() {
    check(r#"name = "tempo-report""#, r#"name = "Tempo Report""#, "small letters, digits");
    check("limit_s = 300", "limit_s = 0", "write 1 to 3600 seconds");
    check("retention_days = 365", "retention_days = 0", "write 1 to 3650 days");
    check(r#"right = "rising""#, r#"right = "up""#, "no answer can be right");
    check(r#"partners = ["person"]"#, r#"partners = ["robot"]"#, "neither \"person\" nor a bot");
    check(r#"game = "mind""#, r#"game = "chess""#, "conditions[0].games[0].game");
    check("title.de = \"Wortlos zusammenspielen\"\n", "", "write study.title.de");
    check("away_s = 90", "away_s = 90\nhurry = true", "unknown field `hurry`");
}
