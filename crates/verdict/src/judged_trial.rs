//! The doubts and the verdict of a trial.

use crate::audit;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::summary::TrialResult;

/// A trial as it is judged.
pub trait JudgedTrial {
    /// Its doubts.
    fn doubts(&self) -> &[Doubt];

    /// The worst verdict of its doubts.
    fn verdict(&self) -> Verdict;

    /// Whether its figures are included in means, ratios and charts: it is not INVALID.
    fn counts(&self) -> bool;
}

impl JudgedTrial for TrialResult {
    fn doubts(&self) -> &[Doubt] {
        self.kept_doubts(audit::doubts)
    }

    fn verdict(&self) -> Verdict {
        audit::verdict(self.doubts())
    }

    fn counts(&self) -> bool {
        self.begun && self.tps() > 0.0 && self.verdict() != Verdict::Invalid
    }
}
