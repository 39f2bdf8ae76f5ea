//! What could not go well is refused before the load starts; what would weaken the result is noted.

use crate::stage::Stage;
use crate::teller::{Halt, Teller};
use tenbin_model::event::Severity;
use tenbin_model::problem::Problem;
use tenbin_model::trial::{Observe, Trial};
use tenbin_target::doctor::{self, Level, Needs};

/// Compares what the trial needs with what the server allows. Notes are told once per target.
pub fn look(trial: &Trial, stage: &Stage, teller: &mut Teller) -> Result<(), Halt> {
    let needs = Needs {
        clients: stage.workload.connections(trial.load.clients),
        observed: trial.load.observe == Observe::Always,
        prepared_per_client: stage.workload.prepared_per_connection(),
    };
    for finding in doctor::preflight(&stage.connector, &needs) {
        let problem = Problem { what: finding.title, evidence: finding.evidence, mend: finding.mend };
        match finding.level {
            Level::Error => return Err(Halt::Trial(problem)),
            Level::Warning => teller.note(Severity::Warning, problem)?,
            Level::Note if !stage.known => teller.note(Severity::Info, problem)?,
            Level::Note | Level::Ok => {}
        }
    }
    Ok(())
}
