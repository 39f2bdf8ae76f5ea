//! The wait after the load until the replicas of the target have applied everything that was written.
//!
//! The decision is made from the readings of the observer of replicas, which are events of the run: whether a replica
//! has caught up can be computed from the recording.

use crate::emitter::{EventEmitter, TrialError};
use std::time::Duration;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Observe, Trial};
use tenbin_verdict::lag;
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How often the readings are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Waits until the replicas have everything that was written until now. Replicas of which nothing is known (they cannot
/// be reached, or do not replicate the heartbeat) are not waited for; those that do not arrive in time are reported.
pub fn wait(trial: &Trial, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<(), TrialError> {
    if trial.catch_up_ms == 0 || trial.load.observe == Observe::Ends || stop.asked() {
        return Ok(());
    }
    let (load_end_ns, environment) = (emitter.now_ns(), emitter.environment);
    emitter.phase(Phase::CatchUp)?;
    loop {
        emitter.observations()?;
        let now_ns = emitter.now_ns();
        let result = emitter.summary().trial(trial.number);
        let behind = result.map(|t| lag::behind(t, load_end_ns, now_ns)).unwrap_or_default().join(", ");
        let passed_ms = now_ns.saturating_sub(load_end_ns) / 1_000_000;
        if behind.is_empty() || stop.asked() {
            return Ok(());
        }
        if passed_ms >= trial.catch_up_ms {
            let waited = figure::duration(trial.catch_up_ms as f64 / 1e3);
            let problem = Problem::new(msg!("replicas-not-caught-up", replicas = behind, waited));
            return emitter.note(Severity::Warning, problem.hint(msg!("raise-catch-up")));
        }
        emitter.progress(Phase::CatchUp, passed_ms, trial.catch_up_ms, "ms")?;
        environment.sleep(LOOK);
    }
}
