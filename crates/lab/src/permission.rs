//! What a run may do on a server: nothing in the server's own schemas, and nothing on a replica or in tables that
//! Tenbin did not create unless the plan permits it (`allow`).

use crate::emitter::{EventEmitter, TrialError};
use crate::test_bed::TestBed;
use tenbin_driver::Connector;
use tenbin_model::event::Severity;
use tenbin_model::trial::{Allow, Target, Trial};
use tenbin_model::workload::SCRIPT_DATA;
use tenbin_servers::role::{self, Role};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::attached::{self, OwnParts};
use tenbin_workload::tables::parts::{self, TablePart};
use tenbin_workload::{DatasetEntry, Workload};

/// Called before anything is written by clients or a load. A sandbox may always be written to.
pub fn to_write(trial: &Trial, test_bed: &TestBed, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    if test_bed.is_checked && trial.target.allow.contains(&Allow::WriteReplica) {
        // It was told of the first one.
        return Ok(());
    }
    let Some(role) = emitter.environment.may_write(trial, &test_bed.connector).map_err(TrialError::Trial)? else {
        return Ok(());
    };
    if let (false, Some(why)) = (role.not_to_be_written(), &role.unseen) {
        let unseen = Problem::new(msg!("replica-unknown")).evidence(foreign(why));
        return if test_bed.known { Ok(()) } else { emitter.note(Severity::Info, unseen) };
    }
    if role.not_to_be_written() {
        let allowed = Problem::new(msg!("writes-to-replica"));
        return emitter.note(Severity::Warning, Problem { evidence: role.words(), ..allowed });
    }
    Ok(())
}

/// Fails if the server or the schema must not be written to; returns the server's role, `None` for a sandbox.
pub fn may_write(trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem> {
    if trial.target.sandbox.is_some() {
        return Ok(None);
    }
    // What a script does, and in which schema, is unknown.
    let name = trial.load.workload.as_str();
    if !tenbin_workloads::has_own_schema(name) && !tenbin_workloads::is_of_scripts(name) {
        tenbin_workload::tables::system::refuse_system_schema(connector)?;
    }
    writable(connector, &trial.target).map(Some)
}

/// The server's role in replication; fails if it must not be written to. Also used by loads outside of a run.
/// Blocks the calling thread.
pub fn writable(connector: &Connector, target: &Target) -> Result<Role, Problem> {
    let role = role::role(connector)?;
    if !role.not_to_be_written() || target.allow.contains(&Allow::WriteReplica) {
        return Ok(role);
    }
    let what =
        if role.copies.is_empty() { msg!("server-is-read-only-refused") } else { msg!("server-is-replica-refused") };
    let problem = Problem::new(what).hint(msg!("give-address-of-source"));
    Err(Problem { evidence: role.words(), ..problem })
}

/// Whether the clients of a trial write.
pub fn writes(trial: &Trial) -> bool {
    !tenbin_workloads::load_reads_only(&trial.load.workload, &trial.load.options, trial.target.scheme())
}

/// Called when the tables exist and before the clients start; also before anything is done, with the tables that will be created then.
pub fn to_write_tables(
    trial: &Trial,
    workload: &dyn Workload,
    connector: &Connector,
    coming: &[String],
) -> Result<(), Problem> {
    if trial.target.allow.contains(&Allow::WriteUnmarked) {
        return Ok(());
    }
    if let Some(statement) = workload.beyond_rows().filter(|_| trial.target.sandbox.is_none()) {
        return Err(Problem::new(msg!("changes-server-itself", workload = trial.load.workload))
            .evidence(foreign(statement))
            .hint(msg!("remove-it-or-allow-change")));
    }
    let unmarked = workload.unmarked(trial.load.clients, coming)?;
    let Some(evidence) = without_mark(&unmarked, connector) else { return nothing_attached(trial, connector) };
    let problem = Problem::new(msg!("writes-to-foreign-tables", workload = trial.load.workload));
    Err(problem.evidence(evidence).hint(msg!("use-workload-that-reads")))
}

/// Called before the first trial on a server: tables of others that a script may write to are told, since it is not known what it writes.
pub fn tell_reach(trial: &Trial, test_bed: &TestBed, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let target = &trial.target;
    if test_bed.known || target.sandbox.is_some() || target.allow.contains(&Allow::WriteUnmarked) {
        return Ok(());
    }
    let reached = test_bed.workload.within_reach().map_err(TrialError::Trial)?;
    let Some(evidence) = without_mark(&reached, &test_bed.connector) else { return Ok(()) };
    let problem = Problem::new(msg!("may-write-to-foreign-tables", workload = trial.load.workload));
    emitter.note(Severity::Warning, problem.evidence(evidence).hint(msg!("script-leaves-tables-alone")))
}

/// The first of these tables and how many there are besides; `None` if there is none.
fn without_mark(tables: &[String], connector: &Connector) -> Option<Message> {
    let first = tables.first()?;
    let several = if tables.len() > 1 { msg!("and-more-tables", more = tables.len() - 1) } else { foreign("") };
    Some(msg!("tables-without-mark", first, several, dsn = connector.dsn()))
}

/// Fails if writing to tables of ours would write to those of others too.
fn nothing_attached(trial: &Trial, connector: &Connector) -> Result<(), Problem> {
    if !writes(trial) || trial.target.sandbox.is_some() {
        return Ok(());
    }
    let attached = attached::to_ours(connector, &created_by_user())?;
    if attached.is_empty() {
        return Ok(());
    }
    Err(Problem::new(msg!("writes-to-foreign-tables", workload = trial.load.workload))
        .evidence(Message::joined(attached.into_iter().take(MOST_ATTACHED), "\n"))
        .hint(msg!("use-workload-that-reads")))
}

/// Fails if dropping our tables would take with them what others have attached. Also used by loads outside of a run. Blocks the calling thread.
pub fn may_drop(target: &Target, connector: &Connector) -> Result<(), Problem> {
    let replaces = target.restore.is_golden() && target.allow.contains(&Allow::ReplaceServer);
    if target.sandbox.is_some() || target.allow.contains(&Allow::WriteUnmarked) || replaces {
        return Ok(());
    }
    nothing_lost_with_ours(connector)
}

/// The same for a server on which nothing is permitted. Blocks the calling thread.
pub fn nothing_lost_with_ours(connector: &Connector) -> Result<(), Problem> {
    let lost = attached::lost_with_ours(connector, &created_by_user(), &own_parts())?;
    if lost.is_empty() {
        return Ok(());
    }
    Err(Problem::new(msg!("drops-what-others-attached"))
        .evidence(Message::joined(lost.into_iter().take(MOST_ATTACHED), "\n"))
        .hint(msg!("detach-or-allow-drop")))
}

/// What others have added to our tables, by kind: `column`, `sbtest1.note`. Blocks the calling thread.
pub fn parts_of_others(connector: &Connector) -> Result<Vec<(String, String)>, Problem> {
    let all = attached::parts_of_others(connector, &created_by_user(), &own_parts())?;
    let named = |(table, part): TablePart| {
        let (kind, name) = parts::kind_and_name(&part);
        // A comment has no name.
        (kind.to_owned(), if name.is_empty() { table } else { format!("{table}.{name}") })
    };
    Ok(all.into_iter().map(named).collect())
}

/// What the tables of each kind of data set consist of.
fn own_parts() -> Vec<OwnParts<'static>> {
    let own = |entry: &DatasetEntry| OwnParts {
        kind: entry.kind,
        indexes: entry.indexes,
        columns: entry.columns,
        foreign_keys: entry.foreign_keys,
    };
    tenbin_workloads::datasets().map(own).collect()
}

/// The kinds of data sets that statements or scripts of the user create: more may be theirs than the tables.
pub fn created_by_user() -> Vec<&'static str> {
    let kinds = tenbin_workloads::datasets().filter(|entry| entry.created_by_user).map(|entry| entry.kind);
    kinds.chain([SCRIPT_DATA]).collect()
}

/// The most that is told of what is attached.
const MOST_ATTACHED: usize = 5;
