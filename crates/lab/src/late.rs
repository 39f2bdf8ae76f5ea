//! The wait after the load for figures that a provider has late: those of CloudWatch for the last whole minute of the
//! measured window.
//!
//! As with replicas, the decision is made from the readings, which are events of the run.

use crate::emitter::{EventEmitter, TrialError};
use std::time::Duration;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_verdict::cloudwatch::{self, WindowFigures};
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How often the readings are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Waits until the figures of the window (nanoseconds since the start of the run) are there. What does not come in time, and
/// a window without a whole minute, is reported.
pub fn wait(
    trial: &Trial,
    window: (u64, u64),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    let target = &trial.target;
    let managed = std::iter::once(target).chain(target.replicas.iter().map(|replica| &replica.at));
    let Some(wait_ms) = managed.filter_map(|at| at.cloud.as_ref()).map(|access| access.wait_ms).max() else {
        return Ok(());
    };
    let (since_ns, mut is_reported) = (emitter.now_ns(), false);
    loop {
        emitter.observations()?;
        let figures = emitter.summary().trial(trial.number).map(|t| cloudwatch::figures(t, window));
        let passed_ms = emitter.now_ns().saturating_sub(since_ns) / 1_000_000;
        let missing = match figures {
            Some(WindowFigures::Missing(missing)) => missing,
            Some(WindowFigures::NoMinute) => {
                let seconds = figure::duration(window.1.saturating_sub(window.0) as f64 / 1e9);
                let what = Problem::new(msg!("cloudwatch-no-whole-minute", seconds));
                return emitter
                    .note(Severity::Warning, what.hint(msg!("write-key", key = "measure", value = "\"5m\"")));
            }
            Some(WindowFigures::Complete | WindowFigures::Lost) | None => return Ok(()),
        };
        if stop.asked() || passed_ms >= wait_ms {
            let what = match missing.is_empty() {
                true => msg!("cloudwatch-nothing"),
                false => msg!("cloudwatch-late", readings = missing.join(", ")),
            };
            let waited = msg!("cloudwatch-waited", waited = figure::duration(passed_ms as f64 / 1e3));
            let problem = Problem::new(what).evidence(waited).hint(msg!("cloudwatch-raise-wait"));
            return emitter.note(Severity::Warning, problem);
        }
        if !std::mem::replace(&mut is_reported, true) {
            let at_most = figure::duration(wait_ms as f64 / 1e3);
            emitter.note(Severity::Info, Problem::new(msg!("cloudwatch-waiting", at_most)))?;
        }
        emitter.progress(Phase::CoolDown, passed_ms, wait_ms, "ms")?;
        emitter.environment.sleep(LOOK);
    }
}
