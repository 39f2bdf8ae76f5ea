//! Periods in which nothing completed: of all workers of an engine, and of all load hosts, together.

/// From its start to its end, nanoseconds.
pub type Period = (u64, u64);

/// Shorter ones are not kept, nanoseconds.
pub const LEAST_NS: u64 = 100_000_000;

/// The parts of `within` that lie in a period of each of these lists, so that nothing completed anywhere: those that are long enough
/// to be kept, ascending. The periods of a list are ascending.
pub fn common<'a>(within: Period, lists: impl IntoIterator<Item = &'a [Period]>) -> Vec<Period> {
    let mut common = vec![within];
    for periods in lists {
        let overlaps = |&(from, to): &Period| {
            let cut = periods.iter().map(move |period| (period.0.max(from), period.1.min(to)));
            cut.filter(|(from, to)| to > from).collect::<Vec<_>>()
        };
        common = common.iter().flat_map(overlaps).collect();
    }
    common.retain(|(from, to)| to - from >= LEAST_NS);
    common
}

/// The length of the longest, nanoseconds; 0 if there is none.
pub fn longest_ns(periods: &[Period]) -> u64 {
    periods.iter().map(|(from, to)| to - from).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_completed_where_nothing_did_anywhere() {
        const S: u64 = 1_000_000_000;
        let (one, other) = ([(0, 3 * S), (5 * S, 9 * S)], [(2 * S, 6 * S), (8 * S, u64::MAX)]);
        let both = common((0, 10 * S), [&one[..], &other[..]]);
        assert_eq!(both, [(2 * S, 3 * S), (5 * S, 6 * S), (8 * S, 9 * S)]);
        assert_eq!((longest_ns(&both), longest_ns(&[])), (S, 0));
        assert_eq!(common((2 * S + 950_000_000, 10 * S), [&one[..], &other[..]]).len(), 2, "0.05 s is not kept");
        assert_eq!(common((0, S), []), [(0, S)]);
    }
}
