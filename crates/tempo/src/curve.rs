//! The curve of a team: when each number came, if it never goes back.

/// The times that lie nearest to these and never decrease: the least sum of squares.
pub(crate) fn never_back(times: &[f64]) -> Vec<f64> {
    // Neighbours in the wrong order are put together until none are.
    let mut blocks = Vec::<(f64, usize)>::new();
    for time in times {
        let mut block = (*time, 1);
        while let Some((sum, count)) = blocks.pop() {
            if sum / count as f64 <= block.0 / block.1 as f64 {
                blocks.push((sum, count));
                break;
            }
            block = (block.0 + sum, block.1 + count);
        }
        blocks.push(block);
    }
    blocks
        .iter()
        .flat_map(|(sum, count)| std::iter::repeat_n(sum / *count as f64, *count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(times: &[f64], curve: &[f64]) {
        assert_eq!(never_back(times), curve, "{times:?}");
    }

    #[test]
    fn what_goes_back_is_levelled() {
        check(&[], &[]);
        check(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]);
        check(&[1.0, 3.0, 2.0, 4.0], &[1.0, 2.5, 2.5, 4.0]);
        check(&[3.0, 2.0, 1.0], &[2.0, 2.0, 2.0]);
        check(&[2.0, 2.0, 1.0, 1.0], &[1.5, 1.5, 1.5, 1.5]);
    }
}
