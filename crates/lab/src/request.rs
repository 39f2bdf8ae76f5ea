//! What a run is asked to do.

use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_model::dsn::Password;
use tenbin_model::trial::Trial;
use tenbin_workload::Workload;

/// What to run.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The program that runs it, with its version and commit, for the record.
    pub tool: String,
    /// The plan's name.
    pub name: String,
    /// The plan as given, for the record; passwords left out.
    pub plan: String,
    /// Its trials as far as they are known beforehand, in order.
    pub trials: Vec<Trial>,
    /// Passwords from addresses, by target; those in files and the environment are read when they are needed.
    pub passwords: BTreeMap<String, Password>,
    /// The workload if it was created already (a script that was opened); otherwise it is named by the loads of the
    /// trials.
    pub workload: Option<PrebuiltWorkload>,
}

/// A workload that was created beforehand.
#[derive(Clone)]
pub struct PrebuiltWorkload(pub Arc<dyn Workload>);

impl std::fmt::Debug for PrebuiltWorkload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrebuiltWorkload({})", self.0.name())
    }
}
