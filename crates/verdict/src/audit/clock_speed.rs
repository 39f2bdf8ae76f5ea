//! The doubt about processors that run slower than they can: power saving, a power limit.

use super::client::{MACHINES, NameOfMachine, OTHERS_LEAST_NS};
use super::{About, DoubtCheck, doubt};
use crate::processors::Processors;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] = &[(About::Machine, slow_clock)];

/// The least mean frequency of a busy machine, as a share of the base frequency, which a processor keeps with all cores at work …
const OF_BASE: f64 = 0.9;
/// … and of the highest one if the base is not known: that is for one core alone.
const OF_HIGHEST: f64 = 0.6;
/// A machine is busy if its processors are at work for this share of the window; others save power, as they should.
const BUSY: f64 = 0.8;

/// A busy machine whose processors run slower than they can.
fn slow_clock(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() >= OTHERS_LEAST_NS).then_some(())?;
    let candidates = MACHINES.into_iter().filter_map(|(observer, machine)| Slow::of(t, observer, machine));
    let Slow { machine, mhz, of_mhz, limit, busy, governor } =
        candidates.min_by(|a, b| a.share().total_cmp(&b.share()))?;
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let governor = match governor {
        None => msg!("governor-not-known"),
        Some(performance) if performance >= 1.0 => msg!("governor-is-performance"),
        Some(_) => msg!("governor-is-another"),
    };
    let hint = match governor.is("governor-is-another") {
        true => msg!("set-performance-governor"),
        false => msg!("doubt-heat-hint"),
    };
    doubt(
        Verdict::Degraded,
        "slow-clock",
        Problem::new(msg!("doubt-slow-clock", machine = machine()))
            .evidence(msg!(
                "doubt-slow-clock-seen",
                mhz = figure::grouped(mhz),
                of_mhz = figure::grouped(of_mhz),
                percent = figure::percent_beside(mhz / of_mhz, limit),
                limit = figure::percent_of_limit(limit),
                busy = percent(busy),
                governor
            ))
            .hint(hint),
    )
}

/// A machine that is busy and slow.
struct Slow {
    machine: NameOfMachine,
    mhz: f64,
    of_mhz: f64,
    limit: f64,
    busy: f64,
    /// Whether its governor is `performance`: 1, or 0.
    governor: Option<f64>,
}

impl Slow {
    fn of(t: &TrialResult, observer: &str, machine: NameOfMachine) -> Option<Slow> {
        let mean = |name| t.observed_mean(observer, name);
        let mhz = mean("cpu_mhz")?;
        let base = mean("cpu_base_mhz").map(|base| (base, OF_BASE));
        let (of_mhz, limit) = base.or_else(|| Some((mean("cpu_max_mhz")?, OF_HIGHEST)))?;
        // What the hypervisor took was at work too.
        let processors = Processors::of(|name| t.observed_rate(observer, name))?;
        let busy = 1.0 - processors.idle / processors.all();
        let governor = mean("cpu_governor_performance");
        (busy >= BUSY && mhz < limit * of_mhz).then_some(Slow { machine, mhz, of_mhz, limit, busy, governor })
    }

    /// How slow, as a share of its limit.
    fn share(&self) -> f64 {
        self.mhz / (self.limit * self.of_mhz)
    }
}
