//! What `tenbin gate` checks of the runs of a plan.

use crate::absolute_limit::AbsoluteLimit;
use crate::gate::RegressionLimit;

/// The limits of a plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GateLimits {
    /// The largest regressions, compared with another run.
    pub max_regression: Vec<RegressionLimit>,
    /// Limits of figures, without another run.
    pub check: Vec<AbsoluteLimit>,
    /// Whether a limit that the runs do not decide closes the gate.
    pub undecided_fails: bool,
}
