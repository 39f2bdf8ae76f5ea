//! Restores the data of a trial from a golden copy (see [`tenbin_servers::golden`]). If there is none the data are loaded
//! and the copy is made first. Every trial then starts in the same state, also the first: on a server that was just started
//! on the copy, with nothing in its memory. Golden databases are in [`crate::golden_database`].

use crate::claims::Claims;
use crate::data::{self, DataAction};
use crate::emitter::{EventEmitter, TrialError};
use crate::golden_database;
use crate::golden_work::{PARTS_OF_TABLES, first_of, series, span, variant, working};
use crate::own_tables::OwnTables;
use crate::permission;
use crate::request::Request;
use crate::test_bed::{self, TestBeds, connector};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::event::{Phase, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Allow, RestoreKind, Target, Trial};
use tenbin_servers::facts::{self, Facts};
use tenbin_servers::golden::{
    self, BackupTool, Copied, GoldenCopy, GoldenData, Making, PutBack, ServerLogs, ServerObjects, Variant,
};
use tenbin_servers::{removal, role, service, settings};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::DatasetState;
use tenbin_workload::tables::others::Unmarked;
use tenbin_workload::tables::{mark, objects, others};

/// Brings the data into the required state: `step` is what would be done without a copy.
pub fn restore(
    step: DataAction,
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    if trial.target.restore.kind == RestoreKind::Template {
        return golden_database::restore(step, trial, test_beds, claims, emitter, stop);
    }
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let facts = emitter.environment.server(&test_bed.connector).map_err(TrialError::Trial)?;
    nothing_elsewhere(&facts).map_err(TrialError::Trial)?;
    no_files_elsewhere(&test_bed.connector).map_err(TrialError::Trial)?;
    let kind = test_bed.connector.dsn().scheme.kind();
    let directory = (!kind.is_file).then(|| test_beds.data_directory(trial)).transpose().map_err(TrialError::Trial)?;
    directory.as_deref().map_or(Ok(()), removal::nothing_mounted).map_err(TrialError::Trial)?;
    let variant = variant_on(&test_bed.connector, trial, &facts).map_err(TrialError::Trial)?;
    let store = store(&trial.target);
    let copy = golden::find(&store, &variant).map_err(TrialError::Trial)?;
    let unless_others = |own: &OwnTables, connector: &Connector, copy: Option<&GoldenCopy>| {
        if trial.target.sandbox.is_some() || trial.target.allow.contains(&Allow::ReplaceServer) {
            return Ok(());
        }
        let data = directory.as_deref().filter(|_| kind.has_schema_directories);
        nothing_of_others((trial, own), connector, data, copy).map_err(TrialError::Trial)
    };
    unless_others(&test_beds.own_tables, &test_bed.connector, copy.as_ref())?;
    if restarts_others(&trial.target) {
        settings::nothing_waits_for_start(&test_bed.connector).map_err(TrialError::Trial)?;
    }
    let logs = ServerLogs::of(&facts);
    let golden = match copy {
        Some(golden) => golden,
        None => {
            data::bring_into_state(step, trial, test_bed, claims, emitter, stop)?;
            // Loading may take hours, and so may a backup of the running server; for a copy it is stopped until the data are replaced.
            unless_others(&test_beds.own_tables, &test_bed.connector, None)?;
            let connector = test_bed.connector.clone();
            let version = facts.get("version").map_or("", String::as_str);
            let golden = make(trial, (&variant, version, &logs), &store, test_beds, claims, emitter, stop)?;
            if trial.target.restore.kind == RestoreKind::Backup {
                unless_others(&test_beds.own_tables, &connector, Some(&golden))?;
            }
            golden
        }
    };
    put_back(trial, (&golden, &logs), test_beds, claims, emitter, stop)
}

/// The data of the trial on the series of its server, or on its cluster of PostgreSQL: one that is not ours keeps its identity.
fn variant_on(connector: &Connector, trial: &Trial, facts: &Facts) -> Result<Variant, Problem> {
    let mut variant = variant(trial, facts);
    if trial.target.sandbox.is_none() {
        let cluster = golden::cluster(connector)?;
        variant.layout.extend(cluster.map(|identifier| ("system_identifier".to_owned(), identifier)));
    }
    Ok(variant)
}

/// Whether commands of the user stop and start the server, so that it reads its configuration, and what waits in it must stay so.
fn restarts_others(target: &Target) -> bool {
    target.sandbox.is_none() && target.restore.start.is_some() && !target.allow.contains(&Allow::ChangeOtherSettings)
}

/// Variables of MySQL and MariaDB that name a directory of data or logs.
const DIRECTORIES: [&str; 6] = [
    "innodb_data_home_dir",
    "innodb_log_group_home_dir",
    "innodb_undo_directory",
    "aria_log_dir_path",
    "rocksdb_datadir",
    "rocksdb_wal_dir",
];

/// The variable that names the files of InnoDB's system tablespace, each with its size: `ibdata1:12M;/disk/ibdata2:10M:autoextend`.
const SYSTEM_FILES: &str = "innodb_data_file_path";

/// Fails if a part of the data is outside of the data directory, of which alone a copy is made.
fn nothing_elsewhere(facts: &Facts) -> Result<(), Problem> {
    let value = |name: &str| facts.get(&format!("variable.{name}")).map(String::as_str);
    let Some(data) = value("datadir") else { return Ok(()) };
    let outside = |place: &str| {
        let leads_up = Path::new(place).components().any(|part| part == Component::ParentDir);
        leads_up || (Path::new(place).is_absolute() && !Path::new(place).starts_with(data))
    };
    let directories = DIRECTORIES.iter().filter_map(|name| Some((*name, value(name)?)));
    let files = value(SYSTEM_FILES).unwrap_or_default().split(';').filter_map(|file| file.split(':').next());
    let mut all = directories.chain(files.map(|file| (SYSTEM_FILES, file)));
    all.find(|(_, place)| outside(place)).map_or(Ok(()), |(variable, place)| {
        let what = msg!("data-outside-of-directory", variable, place);
        Err(Problem::new(what).evidence(foreign(format_args!("datadir = {data}"))).hint(msg!("restore-by-reload")))
    })
}

/// The same of files of tables and tablespaces.
fn no_files_elsewhere(connector: &Connector) -> Result<(), Problem> {
    let files = golden::files_elsewhere(connector)?;
    match files.is_empty() {
        true => Ok(()),
        false => Err(Problem::new(msg!("files-outside-of-directory", dsn = connector.dsn()))
            .evidence(first_of(&files))
            .hint(msg!("restore-by-reload"))),
    }
}

/// Fails if the server has what Tenbin did not create, or has created for others: a copy would bring it back to what it was, or lacks it; or if others
/// replicate from it or keep its log, which have then more than it has. `own`: the tables of the run.
/// `data`: the data directory of a server of MySQL or MariaDB, which may have schemas that the account cannot see. `golden`: the copy, if
/// there is one; one that is made now has all that the server has.
fn nothing_of_others(
    (trial, own): (&Trial, &OwnTables),
    connector: &Connector,
    data: Option<&Path>,
    golden: Option<&GoldenCopy>,
) -> Result<(), Problem> {
    // A script that creates the tables may create sequences too.
    let own_sequences = permission::created_by_user().contains(&trial.dataset.kind.as_str());
    let Unmarked { mut tables, mut contents, marked } = others::unmarked(connector, own_sequences)?;
    own.nothing_else(connector, &marked)?;
    let replicas = role::role(connector)?.replicas;
    if replicas > 0 {
        let what = msg!("replicas-of-restored-server", dsn = connector.dsn(), count = replicas);
        return Err(Problem::new(what).hint(msg!("allow-replace-server")));
    }
    let readers = role::readers_of_log(connector)?;
    if !readers.is_empty() {
        let what = msg!("readers-of-log-of-restored-server", dsn = connector.dsn());
        return Err(Problem::new(what).evidence(first_of(&readers)).hint(msg!("allow-replace-server")));
    }
    if let Some(data) = data {
        tables.extend(others::hidden(connector, &golden::schema_directories(data)?)?);
    }
    let comes_back = !(tables.is_empty() && contents.is_empty());
    if let Some(golden) = golden {
        let mut now = objects_of(connector)?;
        // The others are told already.
        now.retain(|kind, _| !kind.starts_with("sequence") || own_sequences && kind == "sequence");
        contents.extend(golden.lacks(&now)?);
    }
    let (dsn, count) = (connector.dsn(), tables.len() + contents.len());
    let what = match contents.is_empty() {
        true => msg!("tables-of-others", dsn, count),
        false => msg!("server-objects-of-others", dsn, count),
    };
    tables.append(&mut contents);
    if tables.is_empty() {
        return Ok(());
    }
    let hint = match golden {
        // One that is made now has them.
        Some(golden) if !comes_back => msg!("tenbin-data-remove", name = golden.name),
        _ => msg!("allow-replace-server"),
    };
    Err(Problem::new(what).evidence(first_of(&tables)).hint(hint))
}

/// What the server has besides the rows of tables, and what others have added to our tables.
fn objects_of(connector: &Connector) -> Result<ServerObjects, Problem> {
    let mut all = objects::all(connector)?;
    // Those of other kinds are among the objects, with their definitions. Also if there is none: a kind that a copy does not have is not compared.
    let of_tables = PARTS_OF_TABLES.into_iter().filter(|kind| !all.contains_key(*kind));
    let mut of_tables: ServerObjects = of_tables.map(|kind| (kind.to_owned(), BTreeMap::new())).collect();
    for (kind, name) in permission::parts_of_others(connector)? {
        if let Some(parts) = of_tables.get_mut(&kind) {
            parts.insert(name, String::new());
        }
    }
    all.append(&mut of_tables);
    Ok(all)
}

/// Why a target cannot be restored from golden copies, found before anything is done. `connector`: to its server, if that can be
/// asked.
pub fn obstacles(trial: &Trial, connector: Option<&Connector>, own: &OwnTables) -> Vec<Problem> {
    let target = &trial.target;
    if target.restore.kind == RestoreKind::Template {
        return golden_database::obstacles(target, connector, own);
    }
    let backup = target.restore.kind == RestoreKind::Backup;
    if let Some(binary) = &target.sandbox {
        // Its version is known when it runs.
        return if backup { golden::backup_program(binary).err().into_iter().collect() } else { Vec::new() };
    }
    let Some(connector) = connector.filter(|_| !target.scheme().kind().is_file) else { return Vec::new() };
    let (mut problems, mut golden) = (Vec::new(), None);
    match facts::server(connector) {
        Ok(facts) => {
            problems.extend(nothing_elsewhere(&facts).err());
            problems.extend(no_files_elsewhere(connector).err());
            problems.extend(backup.then(|| BackupTool::of(&series(target, &facts)).err()).flatten());
            match variant_on(connector, trial, &facts).and_then(|variant| golden::find(&store(target), &variant)) {
                Ok(copy) => golden = copy,
                Err(problem) => problems.push(problem),
            }
        }
        Err(problem) => problems.push(problem),
    }
    if restarts_others(target) {
        problems.extend(settings::nothing_waits_for_start(connector).err());
    }
    let data = test_bed::service(target, connector).and_then(|service| service.data_directory());
    problems.extend(data.as_ref().ok().and_then(|data| removal::nothing_mounted(data).err()));
    match data {
        Ok(data) if !target.allow.contains(&Allow::ReplaceServer) => {
            let data = connector.dsn().scheme.kind().has_schema_directories.then_some(data.as_path());
            problems.extend(nothing_of_others((trial, own), connector, data, golden.as_ref()).err());
        }
        Ok(_) => {}
        Err(problem) => problems.push(problem),
    }
    problems
}

/// What `plan check` says will be done: the data of this many rows and bytes are kept, and put back `n` times.
pub fn will(target: &Target, (rows, unit, bytes): (String, Message, u64), n: usize) -> [Message; 2] {
    let size = figure::bytes(bytes as f64);
    if target.restore.kind == RestoreKind::Template {
        return [msg!("will-create-golden-database", rows, unit, size), msg!("will-put-back-database", n)];
    }
    let whole = figure::bytes(bytes.saturating_add(own_bytes(target)) as f64);
    let store = store(target);
    [msg!("will-create-golden", rows, unit, size, whole, store = store.display()), msg!("will-put-back", n)]
}

/// Starts servers again that killed runs of this plan's targets have left stopped; returns what was done. Called before
/// anything connects to them.
pub fn recover(request: &Request) -> Result<Vec<Problem>, Problem> {
    let mut done = Vec::new();
    let mut seen = BTreeSet::new();
    for target in request.trials.iter().map(|trial| &trial.target) {
        let restored = target.sandbox.is_none() && target.restore.stop.is_some();
        if restored && seen.insert(&target.name) {
            let connector = connector(target, &request.passwords)?;
            done.extend(service::recover(&test_bed::service(target, &connector)?)?);
        }
    }
    Ok(done)
}

/// The directory of golden copies that the plan says, or the usual one.
fn store(target: &Target) -> PathBuf {
    target.restore.store.as_ref().map_or_else(golden::store, PathBuf::from)
}

/// The directory of the golden copies from which a trial restores its data; `None` if it does not.
pub fn golden_store(trial: &Trial) -> Option<PathBuf> {
    let by_copy = matches!(trial.target.restore.kind, RestoreKind::Copy | RestoreKind::Backup);
    by_copy.then(|| store(&trial.target))
}

/// What a golden copy takes beside the data set, about: tables and logs of the server itself, as measured (bytes).
fn own_bytes(target: &Target) -> u64 {
    match target.scheme() {
        Scheme::Mysql if target.sandbox.as_ref().is_some_and(|binary| binary.contains("mariadb")) => 36 << 20,
        Scheme::Mysql => 96 << 20,
        Scheme::Postgres => 48 << 20,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => 0,
    }
}

/// Makes the golden copy of the data that were just loaded.
fn make(
    trial: &Trial,
    (variant, version, logs): (&Variant, &str, &ServerLogs),
    store: &Path,
    test_beds: &mut TestBeds<'_>,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<GoldenCopy, TrialError> {
    let environment = emitter.environment;
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let rows = test_bed.dataset.as_deref().map_or(0, tenbin_workload::Dataset::rows);
    let made = environment.date();
    let objects = objects_of(&test_bed.connector).map_err(TrialError::Trial)?;
    let making =
        |made_by| Making { store, variant, server: version, made_by, made: &made, rows, objects: &objects, logs };
    let start = environment.now();
    emitter.phase(Phase::Restore)?;
    // Of the tables that were created just now.
    no_files_elsewhere(&test_bed.connector).map_err(TrialError::Trial)?;
    mark::loosen_all(&test_bed.connector).map_err(TrialError::Trial)?;
    let copy = match trial.target.restore.kind {
        RestoreKind::Reload | RestoreKind::Copy | RestoreKind::Template | RestoreKind::Command => {
            claims.release(test_bed);
            if trial.target.sandbox.is_some() && test_bed.connector.dsn().scheme.kind().has_large_redo_log {
                golden::shorten_redo_log(&test_bed.connector);
            }
            let mut copy = None;
            let stopped = working(emitter, 0, |progress| {
                test_beds.offline(trial, false, &mut |data: &Path| {
                    golden::copy_of(&making("copy"), data, progress, stop).map(|made| copy = Some(made))
                })
            })?;
            stopped.and_then(|_| copy.ok_or_else(|| Problem::new(msg!("golden-copy-incomplete"))))
        }
        RestoreKind::Backup => {
            let tool = BackupTool::of(&variant.series).map_err(TrialError::Trial)?;
            let (connector, by) = (test_bed.connector.clone(), tool.name());
            let data = test_beds.data_directory(trial).map_err(TrialError::Trial)?;
            working(emitter, 0, |_| golden::backup_of(&making(&by), &tool, &connector, &data, stop))?
        }
    };
    let copy = copy.map_err(TrialError::Trial)?;
    let what = msg!(
        "golden-copy-made",
        name = copy.name,
        by = copy.description.made_by,
        bytes = figure::bytes(copy.description.bytes as f64),
        files = copy.description.files,
        took = span(environment.now().saturating_duration_since(start))
    );
    emitter.note(Severity::Info, Problem::new(what).evidence(foreign(copy.dir.display())))?;
    Ok(copy)
}

/// Puts the golden copy in the place of the server's data, and verifies that it contains the data of the trial.
fn put_back(
    trial: &Trial,
    (golden, logs): (&GoldenCopy, &ServerLogs),
    test_beds: &mut TestBeds<'_>,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<(), TrialError> {
    emitter.phase(Phase::Restore)?;
    claims.release(test_beds.current().map_err(TrialError::Trial)?);
    let total = golden.description.bytes;
    let (started, done) = working(emitter, total, |progress| {
        let mut change = GoldenData { golden, logs, progress, stop, done: None };
        let started = test_beds.offline(trial, true, &mut change);
        (started, change.done)
    })?;
    let starting = started.map_err(TrialError::Trial)?;
    let done = done.ok_or_else(|| TrialError::Trial(Problem::new(msg!("golden-copy-incomplete"))))?;
    emitter.progress(Phase::Restore, total, total, "bytes")?;
    told(golden, &done, starting, emitter)?;
    if let Some(left) = done.keep() {
        emitter.note(Severity::Warning, left)?;
    }
    let test_bed = test_beds.restarted(trial, emitter)?;
    let Some(dataset) = test_bed.dataset.as_deref() else { return Ok(()) };
    claims.take_for_trial(&trial.target, &test_bed.connector, dataset, emitter)?;
    mark::renew(&test_bed.connector).map_err(TrialError::Trial)?;
    match dataset.inspect(&test_bed.connector).map_err(TrialError::Trial)? {
        DatasetState::Ready { .. } => Ok(()),
        DatasetState::Nothing => Err(lacking(golden, None)),
        DatasetState::Unfinished { problem } | DatasetState::Different { problem, .. } => {
            Err(lacking(golden, Some(&problem)))
        }
    }
}

fn lacking(golden: &GoldenCopy, why: Option<&Problem>) -> TrialError {
    let problem = Problem::new(msg!("golden-copy-lacks-data", name = golden.name));
    let problem = why.map_or(problem.clone(), |why| problem.evidence(foreign(why)));
    TrialError::Trial(problem.hint(msg!("tenbin-data-remove", name = golden.name)))
}

/// Records what was restored, and how long each part took.
fn told(golden: &GoldenCopy, done: &PutBack, starting: Duration, emitter: &mut EventEmitter) -> Result<(), TrialError> {
    let Copied { files, bytes, shared } = done.copied;
    let what = msg!("golden-copy-put-back", name = golden.name, bytes = figure::bytes(bytes as f64), files);
    let times = msg!(
        "golden-copy-put-back-times",
        copying = span(done.copying),
        shared = figure::bytes(shared as f64),
        writing = span(done.writing),
        starting = span(starting)
    );
    emitter.note(Severity::Info, Problem::new(what).evidence(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_outside_of_the_data_directory_are_refused() {
        let facts = |name: &str, value: &str| {
            let pairs = [("variable.datadir", "/var/lib/mysql/"), (name, value)];
            Facts::from(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())))
        };
        for (variable, value, refused) in [
            ("variable.innodb_log_group_home_dir", "./", false),
            ("variable.innodb_data_home_dir", "", false),
            ("variable.innodb_undo_directory", "/var/lib/mysql/undo", false),
            ("variable.innodb_log_group_home_dir", "/logs", true),
            ("variable.aria_log_dir_path", "/var/lib/mysql-logs", true),
            ("variable.innodb_log_group_home_dir", "../logs", true),
            ("variable.innodb_data_file_path", "ibdata1:12M:autoextend", false),
            ("variable.innodb_data_file_path", "ibdata1:12M;/disk/ibdata2:10M:autoextend", true),
        ] {
            assert_eq!(nothing_elsewhere(&facts(variable, value)).is_err(), refused, "{variable} = {value}");
        }
        assert!(nothing_elsewhere(&Facts::new()).is_ok(), "other servers do not say");
    }
}
