//! Which intervals of a trial follow its measured window.

use super::TrialResult;
use crate::tally::Tally;

impl TrialResult {
    /// Whether an interval of the measured window follows its end. Older recordings do not say it, but where the window has a fixed length.
    pub(super) fn is_drained(&self, from_ns: u64, tally: &Tally) -> bool {
        let planned_end_ns = || self.window_ns.0.saturating_add(self.trial.measure_ms.saturating_mul(1_000_000));
        let is_fixed = self.trial.load.drain_ms > 0 && self.trial.measure_until.is_none() && self.window_ns.1 > 0;
        tally.drained || is_fixed && from_ns >= planned_end_ns()
    }
}
