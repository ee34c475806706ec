//! Licence expressions of packages (SPDX), such as `(MIT OR Apache-2.0) AND Unicode-3.0`.

use std::collections::BTreeSet;
use std::iter::Peekable;

/// Whether an expression lets us use the package if only these licences are allowed; `None` if it
/// is no expression. The old form `MIT/Apache-2.0` means `OR`.
pub fn permits(expression: &str, allowed: &BTreeSet<String>) -> Option<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let permitted = any_of(&mut words, allowed)?;
    words.next().is_none().then_some(permitted)
}

/// Alternatives between `OR`.
fn any_of<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    allowed: &BTreeSet<String>,
) -> Option<bool> {
    let mut permitted = all_of(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        permitted |= all_of(words, allowed)?;
    }
    Some(permitted)
}

/// Licences between `AND`, which all apply.
fn all_of<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    allowed: &BTreeSet<String>,
) -> Option<bool> {
    let mut permitted = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        permitted &= one(words, allowed)?;
    }
    Some(permitted)
}

/// One licence, perhaps with an exception, or an expression in brackets.
fn one<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    allowed: &BTreeSet<String>,
) -> Option<bool> {
    match words.next()? {
        "(" => {
            let permitted = any_of(words, allowed)?;
            words.next_if_eq(&")").map(|_| permitted)
        }
        "AND" | "OR" | "WITH" | ")" => None,
        name if words.next_if_eq(&"WITH").is_some() => {
            let exception = words.next()?;
            Some(allowed.contains(&format!("{name} WITH {exception}")))
        }
        name => Some(allowed.contains(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str, expected: Option<bool>) {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned).into();
        assert_eq!(permits(expression, &allowed), expected, "{expression}");
    }

    #[test]
    fn expressions_are_read_as_spdx_says() {
        check("MIT", Some(true));
        check("GPL-3.0", Some(false));
        check("GPL-3.0 OR MIT", Some(true));
        check("Unlicense/MIT", Some(true));
        check("GPL-3.0 AND MIT", Some(false));
        check("(MIT OR GPL-3.0) AND Unicode-3.0", Some(true));
        check("MIT OR GPL-3.0 AND BSL-1.0", Some(true));
        check("(MIT OR GPL-3.0) AND BSL-1.0", Some(false));
        check("Apache-2.0 WITH LLVM-exception", Some(false));
        check("Apache-2.0 WITH LLVM-exception OR MIT", Some(true));
    }

    #[test]
    fn anything_else_is_no_expression() {
        for text in ["", "MIT OR", "(MIT", "MIT)", "AND MIT", "MIT Apache-2.0", "MIT WITH"] {
            check(text, None);
        }
    }
}
