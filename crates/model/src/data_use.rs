//! Which trial used the data of a server last in a run: determines when data are restored.

use crate::trial::{Restore, Trial};
use std::collections::BTreeMap;

/// The last use of each kind of data on each server, in the order of execution.
#[derive(Debug, Default, Clone)]
pub struct DataUses(BTreeMap<DataPlace, DataUse>);

/// Tables of one kind on one server. Those of different kinds have different names and do not replace each other.
type DataPlace = (String, BTreeMap<String, String>, String);

/// The options of the data, and the cell of the trial.
type DataUse = (BTreeMap<String, String>, u32);

impl DataUses {
    /// The rule for `trial`, reduced to [`Restore::BeforeRun`], [`Restore::Never`] or [`Restore::Require`] by the trials
    /// before it.
    pub fn rule(&self, trial: &Trial) -> Restore {
        let last = self.last(trial);
        let restored = match trial.restore {
            Restore::BeforeDataset => last.is_none(),
            Restore::BeforeCell => last != Some(trial.cell),
            rule => return rule,
        };
        if restored { Restore::BeforeRun } else { Restore::Never }
    }

    /// Whether no trial before it used the same data.
    pub fn is_first(&self, trial: &Trial) -> bool {
        self.last(trial).is_none()
    }

    /// Records that `trial` uses its data.
    pub fn used_by(&mut self, trial: &Trial) {
        self.0.insert(place(trial), (trial.dataset.options.clone(), trial.cell));
    }

    /// Records that the whole server was replaced by the data of `trial`: those of other kinds are gone.
    pub fn replaced_by(&mut self, trial: &Trial) {
        let (target, variables, _) = place(trial);
        self.0.retain(|(name, set, _), _| (name, set) != (&target, &variables));
        self.used_by(trial);
    }

    /// The cell of the last trial that used the same data, unless others of the same kind have replaced them since.
    fn last(&self, trial: &Trial) -> Option<u32> {
        let (options, cell) = self.0.get(&place(trial))?;
        (*options == trial.dataset.options).then_some(*cell)
    }
}

/// A private server is another one for other server variables; an existing server remains the same.
fn place(trial: &Trial) -> DataPlace {
    let target = &trial.target;
    let variables = if target.sandbox.is_some() { target.server.clone() } else { BTreeMap::new() };
    (target.name.clone(), variables, trial.dataset.kind.clone())
}
