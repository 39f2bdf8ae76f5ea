//! How uncertain a count of transactions is by the edges of its window alone.
//!
//! Of small counts, three pairs of runs may be the same by chance: what they differ by is then 0, and the interval of their ratio would have no width.

use crate::question;
use crate::tpcc_result;
use tenbin_model::figures::Figure;
use tenbin_model::statistics::LogRatio;
use tenbin_model::summary::TrialResult;

/// The variance of the logarithm of the number of transactions that these clients completed in a window. Of each client the part of a transaction that
/// lies across an edge is left to chance: evenly from none to all, at both edges, with a variance of 1/6 of a transaction together, even if all last the
/// same. In windows shorter than transactions, a client completes one or none, and the variance is no more than the number.
fn variance(transactions: f64, clients: u32) -> f64 {
    (1.0 / transactions).min(f64::from(clients.max(1)) / 6.0 / transactions.powi(2))
}

/// The ratio of throughput with a standard error of at least that of these pairs of numbers: `of` are those of a trial and its clients. Of the thousands of
/// transactions that most trials have, runs differ by much more.
pub(crate) fn at_least(
    ratio: LogRatio,
    pairs: &[(&TrialResult, &TrialResult)],
    of: &dyn Fn(&TrialResult) -> (f64, u32),
) -> LogRatio {
    let one = |t: &TrialResult| match of(t) {
        (transactions, clients) if transactions > 0.0 => variance(transactions, clients),
        _ => 0.0,
    };
    let sum: f64 = pairs.iter().map(|(a, b)| one(a) + one(b)).sum();
    ratio.with_least_error(sum.sqrt() / pairs.len().max(1) as f64)
}

/// The same for a figure of whole trials: of one that is no throughput nothing is changed.
pub(crate) fn of_trials(figure: Figure, ratio: LogRatio, pairs: &[(&TrialResult, &TrialResult)]) -> LogRatio {
    match figure {
        // Of statements, too: they lie across an edge with their transaction.
        Figure::Transactions | Figure::Queries => at_least(ratio, pairs, &|t| {
            let (completed, clients) = question::completed(t);
            (completed as f64, clients)
        }),
        Figure::NewOrders => at_least(ratio, pairs, &|t| (tpcc_result::new_orders(t) as f64, t.trial.load.clients)),
        _ => ratio,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::random::SplitMix;
    use tenbin_model::statistics::{deviation, mean};

    /// Clients whose transactions all last the same, and begin at random times.
    #[test]
    fn the_variance_is_that_of_simulated_windows() {
        let mut random = SplitMix(11);
        for (clients, length) in [(1, 2.5), (4, 3.3), (8, 10.5), (64, 20.5)] {
            let mut window = || (0..clients).map(|_| (length + random.uniform()).floor()).sum::<f64>();
            let logs: Vec<f64> = (0..20_000).map(|_| window().ln()).collect();
            let expected = variance(f64::from(clients) * length, clients).sqrt();
            let measured = deviation(&logs).expect("a deviation");
            assert!(
                (0.7..=1.3).contains(&(measured / expected)),
                "{clients} clients, {length}: {measured} for {expected}"
            );
            assert!(mean(&logs).is_some());
        }
        // Each completes one or none.
        assert_eq!(variance(2.0, 64), 0.5);
        assert!(variance(200_000.0, 64).sqrt() < 2e-5);
    }
}
