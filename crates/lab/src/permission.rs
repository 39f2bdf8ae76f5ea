//! What a run may do to somebody's server: nothing in the server's own schemas, and nothing in a replica or in tables that
//! Tenbin did not make unless the plan says so (`allow`).

use crate::stage::Stage;
use crate::teller::{Halt, Teller};
use tenbin_driver::Connector;
use tenbin_model::event::Severity;
use tenbin_model::problem::Problem;
use tenbin_model::trial::{Allow, Target, Trial};
use tenbin_target::role::{self, Role};
use tenbin_workload::Workload;

/// Asked before anything is written: by the clients, or by a load. A sandbox is ours.
pub fn to_write(trial: &Trial, stage: &Stage, teller: &mut Teller) -> Result<(), Halt> {
    let Some(role) = teller.environment.may_write(trial, &stage.connector).map_err(Halt::Trial)? else { return Ok(()) };
    if let (false, Some(why)) = (role.not_to_be_written(), &role.unseen) {
        let unseen = Problem::new("whether the server is a replica could not be seen").evidence(why);
        return if stage.known { Ok(()) } else { teller.note(Severity::Info, unseen) };
    }
    if role.not_to_be_written() {
        let words = role.words().unwrap_or_default();
        let allowed = Problem::new("this run writes to a replica or a read-only server, as it was allowed to");
        return teller.note(Severity::Warning, allowed.evidence(words));
    }
    Ok(())
}

/// Fails where the server, or the schema, is not to be written to; answers with the server's role, `None` for a sandbox.
pub fn may_write(trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem> {
    if trial.target.sandbox.is_some() {
        return Ok(None);
    }
    // What a script does there is not known.
    let name = trial.load.workload.as_str();
    if !tenbin_workload::has_own_schema(name) && !tenbin_workload::script::is_script(name) {
        tenbin_workload::refuse_system_schema(connector)?;
    }
    writable(connector, &trial.target).map(Some)
}

/// The server's part in replication; fails where it is not to be written to. Also for who loads tables without a run.
/// Blocks the calling thread.
pub fn writable(connector: &Connector, target: &Target) -> Result<Role, Problem> {
    let role = role::role(connector)?;
    if !role.not_to_be_written() || target.allow.contains(&Allow::WriteReplica) {
        return Ok(role);
    }
    let what = if role.copies.is_empty() {
        "the server is read-only: nothing is written to it, also by an account that could"
    } else {
        "the server is a replica: rows written to it would make its data differ from its source's and may stop replication"
    };
    Err(Problem::new(what).evidence(role.words().unwrap_or_default()).mend(
        "give the address of the source, or use a workload that only reads, such as oltp_read_only; to write here all the same: --allow write-replica, or allow = [\"write-replica\"] in the plan's target",
    ))
}

/// Whether the clients of a trial write.
pub fn writes(trial: &Trial) -> bool {
    !tenbin_workload::reads_only(&trial.load.workload)
}

/// Asked when the tables are there and before the clients start.
pub fn to_write_tables(trial: &Trial, workload: &dyn Workload, connector: &Connector) -> Result<(), Problem> {
    if trial.target.allow.contains(&Allow::WriteUnmarked) {
        return Ok(());
    }
    let unmarked = workload.unmarked(trial.load.clients)?;
    let Some(first) = unmarked.first() else { return Ok(()) };
    let several = if unmarked.len() > 1 { format!(" and {} more", unmarked.len() - 1) } else { String::new() };
    Err(Problem::new(format!("{} would write into tables that Tenbin did not make", trial.load.workload))
        .evidence(format!("{first}{several} in {} without a row in tenbin_mark", connector.dsn()))
        .mend(
            "use a workload that only reads, or an empty schema; if the rows may be changed: --allow write-unmarked, or allow = [\"write-unmarked\"] in the plan's target",
        ))
}
