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

/// Reads whole numbers within these bounds, which the error names.
pub(crate) fn whole<T: TryFrom<u64> + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse::<u64>().ok().filter(|number| *number >= least);
        let number =
            number.filter(|number| *number <= most).and_then(|number| number.try_into().ok());
        number.ok_or_else(|| format!("write a whole number from {least} to {most}"))
    }
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

    #[test]
    fn whole_numbers_are_within_their_bounds() {
        let read = whole::<u32>(10, 100);
        assert_eq!((read("10"), read(" 100 ")), (Ok(10), Ok(100)));
        for wrong in ["", "9", "101", "1e2", "-10", "99999999999999999999999"] {
            assert_eq!(
                read(wrong),
                Err("write a whole number from 10 to 100".to_owned()),
                "{wrong}"
            );
        }
        assert!(whole::<u8>(0, 1_000)("300").is_err());
    }
}
