//! Numbers on the command line, checked like those in files.

/// A finite number above zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text).filter(|number| *number > 0.0).ok_or_else(|| "write a number above 0".to_owned())
}

/// A finite number, zero or more.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|number| *number >= 0.0)
        .ok_or_else(|| "write a number from 0 on".to_owned())
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_numbers_are_numbers() {
        assert_eq!((positive("0.5"), not_negative("0")), (Ok(0.5), Ok(0.0)));
        for wrong in ["", "x", "nan", "NaN", "inf", "-inf", "1e999", "-1"] {
            assert!(positive(wrong).is_err() && not_negative(wrong).is_err(), "{wrong}");
        }
        assert!(positive("0").is_err());
    }
}
