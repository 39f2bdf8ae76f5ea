//! The size of a list of trials before it is run: counts and time.

use crate::data_use::DataUses;
use crate::trial::{Restore, Trial};
use std::collections::BTreeSet;

/// The size of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Trials in all.
    pub trials: u32,
    /// Combinations of the matrices.
    pub cells: u32,
    /// Names of the targets, in the plan's order.
    pub targets: Vec<String>,
    /// How often data are loaded, if there are none at the start.
    pub loads: u32,
    /// Settling, warm-up and measuring; milliseconds.
    pub driven_ms: u64,
    /// Loading, as the caller estimates it; milliseconds.
    pub load_ms: u64,
}

/// Computes the sums. `load_ms` estimates one load of a trial's data.
pub fn outline(trials: &[Trial], load_ms: impl Fn(&Trial) -> u64) -> Outline {
    let mut targets: Vec<(u32, &str)> = trials.iter().map(|t| (t.target.place, t.target.name.as_str())).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut uses = DataUses::default();
    let loading: Vec<&Trial> = trials
        .iter()
        .filter(|t| {
            let (rule, first) = (uses.rule(t), uses.is_first(t));
            uses.used_by(t);
            rule == Restore::BeforeRun || (first && rule != Restore::Require)
        })
        .collect();
    Outline {
        trials: trials.len() as u32,
        cells: trials.iter().map(|t| t.cell).collect::<BTreeSet<_>>().len() as u32,
        targets: targets.into_iter().map(|(_, name)| name.to_owned()).collect(),
        loads: loading.len() as u32,
        driven_ms: driven_ms(trials),
        load_ms: loading.into_iter().map(load_ms).sum(),
    }
}

/// Milliseconds of settling, warm-up and measuring. Targets of a duet settle one after another, and are then driven at the same time.
pub fn driven_ms(trials: &[Trial]) -> u64 {
    let mut pairs = BTreeSet::new();
    let of_trial = |t: &Trial| {
        let is_driven_with_another = t.duet && !pairs.insert((t.cell, t.repeat));
        let driven_ms = if is_driven_with_another { 0 } else { t.warmup_ms.saturating_add(t.measure_ms) };
        t.settle_ms.saturating_add(driven_ms)
    };
    trials.iter().map(of_trial).fold(0, u64::saturating_add)
}
