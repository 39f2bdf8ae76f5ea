//! How many transactions it takes to tell that a limit holds; used by searches and gates.

/// The transactions of which ten are above this percentile, in thousandths: with fewer, one slow transaction more or less decides its value.
pub(crate) fn for_percentile(thousandths: u16) -> f64 {
    10_000.0 / f64::from(1000_u16.saturating_sub(thousandths).max(1))
}

/// The transactions, none of which takes longer than a limit, that show that this percentile, in thousandths, is below it.
pub(crate) fn without_any_above(thousandths: u16) -> f64 {
    without_failure(f64::from(1000_u16.saturating_sub(thousandths).max(1)) / 1000.0)
}

/// The transactions without any failure that show that fewer than this share fail: among them, three failures would be expected (the rule of
/// three, Hanley and Lippman-Hand 1983). If no failure is allowed, none is what is asked for.
pub(crate) fn without_failure(share: f64) -> f64 {
    if share > 0.0 { 3.0 / share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_events_take_more_transactions() {
        assert_eq!(for_percentile(500), 20.0);
        assert_eq!(for_percentile(990), 1000.0);
        assert_eq!(for_percentile(999), 10_000.0);
        assert!((without_any_above(990) - 300.0).abs() < 1e-6);
        assert!((without_failure(0.001) - 3000.0).abs() < 1e-6);
        assert_eq!(without_failure(0.0), 0.0);
    }
}
