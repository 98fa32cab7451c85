//! Questions about places.

use std::ops::Range;

/// Whether one of `ranges`, which are in order and apart, holds `at`.
pub(crate) fn within(ranges: &[Range<usize>], at: usize) -> bool {
    let after = ranges.partition_point(|range| range.start <= at);
    after
        .checked_sub(1)
        .and_then(|index| ranges.get(index))
        .is_some_and(|range| range.contains(&at))
}
