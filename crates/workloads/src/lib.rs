//! The list of all workloads and of all kinds of data sets, and how they are found by name.
//!
//! Each family is a crate with its own lists; a script is a workload in a file of the user. Workloads and data sets are
//! defined in [`tenbin_workload`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub use tenbin_model::workload::is_script;
pub use tenbin_pgbench as pgbench;
pub use tenbin_slap::QUERY_FILE;
pub use tenbin_sql as sql;
use tenbin_workload::{Dataset, DatasetEntry, RunsOn, Workload, WorkloadEntry, canonical};

use std::sync::{PoisonError, RwLock};
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::workload::{Catalog, NO_DATA, SCRIPT_DATA};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::options::{self, OptionError, OptionMap};
use tenbin_workload::tables::system::Outside;

/// The workloads of every family.
const WORKLOADS: [&[WorkloadEntry]; 7] = [
    tenbin_oltp::WORKLOADS,
    tenbin_slap::WORKLOADS,
    tenbin_tpcc::WORKLOADS,
    tenbin_sql::WORKLOADS,
    tenbin_tpcb::WORKLOADS,
    tenbin_pgbench::WORKLOADS,
    tenbin_host_tests::WORKLOADS,
];

/// The kinds of data sets of every family.
const DATASETS: [&[DatasetEntry]; 6] = [
    tenbin_oltp::DATASETS,
    tenbin_slap::DATASETS,
    tenbin_tpcc::DATASETS,
    tenbin_sql::DATASETS,
    tenbin_tpcb::DATASETS,
    tenbin_host_tests::DATASETS,
];

/// Workloads added by a program.
static ADDED: RwLock<Vec<&'static WorkloadEntry>> = RwLock::new(Vec::new());

/// Adds a workload of a program that is built on this crate, which is then available like all others. Fails if its
/// name exists, or if it declares an option twice.
pub fn add_workload(entry: &'static WorkloadEntry) -> Result<(), Problem> {
    if find_workload(entry.name).is_ok() {
        return Err(Problem::new(msg!("workload-exists", workload = entry.name)).hint(msg!("give-it-another-name")));
    }
    if let Some(option) = entry.declared_twice() {
        let what = msg!("workload-declares-option-twice", workload = entry.name, option);
        return Err(Problem::new(what).hint(msg!("keep-one-row")));
    }
    ADDED.write().unwrap_or_else(PoisonError::into_inner).push(entry);
    Ok(())
}

/// All workloads.
pub fn workloads() -> Vec<&'static WorkloadEntry> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    WORKLOADS.into_iter().flatten().chain(added.iter().copied()).collect()
}

/// What the parser of plans needs to know about all of them.
pub fn catalog() -> Catalog {
    let workloads = workloads().into_iter().map(|w| w.info(data_of(w))).collect();
    let sizes = datasets().flat_map(DatasetEntry::data_sizes).collect();
    Catalog { workloads, default_dataset: tenbin_oltp::DEFAULT_DATASET, sizes }
}

/// All kinds of data sets.
pub fn datasets() -> impl Iterator<Item = &'static DatasetEntry> + Clone {
    DATASETS.into_iter().flatten()
}

/// The workload of this name, ready to be driven. `given` needs to contain only what differs from the defaults.
pub fn workload(name: &str, given: &OptionMap, connector: Connector) -> Result<Box<dyn Workload>, Problem> {
    let entry = find_workload(name)?;
    (entry.make)(entry.name, &entry.resolve(given)?, connector.for_clients())
}

/// The workload of this name, or of this script, on a data set: options that are not given in the load come from the
/// data set.
pub fn workload_on(
    name: &str,
    load: &OptionMap,
    dataset: &OptionMap,
    connector: Connector,
) -> Result<Box<dyn Workload>, Problem> {
    if is_script(name) {
        return tenbin_script::workload_on(name, load, dataset, connector);
    }
    let entry = find_workload(name)?;
    (entry.make)(entry.name, &entry.resolve(&entry.inherit(load, dataset))?, connector.for_clients())
}

/// All options of a load on a data set with their values: from the load, otherwise from the data set if both have it,
/// otherwise the default. For a script this executes its body.
pub fn load_options(name: &str, load: &OptionMap, dataset: &OptionMap) -> Result<OptionMap, Problem> {
    if is_script(name) {
        return tenbin_script::all_options(name, load, dataset);
    }
    let entry = find_workload(name)?;
    entry.resolve(&entry.inherit(load, dataset))
}

/// All options of a data set with their values.
pub fn data_options(kind: &str, given: &OptionMap) -> Result<OptionMap, Problem> {
    match kind {
        NO_DATA => Ok(given.clone()),
        SCRIPT_DATA => tenbin_script::data::options_of(given),
        kind => find_dataset(kind)?.resolve(given),
    }
}

/// Splits options that were given together into those of the data set and those of the load (see
/// [`WorkloadEntry::split`]), after the data set's kind; a script has none, and creates its own tables.
pub fn split(name: &str, given: &OptionMap, clients: u32) -> Result<(&'static str, OptionMap, OptionMap), Problem> {
    if is_script(name) {
        return Ok((NO_DATA, OptionMap::new(), tenbin_script::its_own(name, given)?));
    }
    let entry = find_workload(name)?;
    entry.split(given, clients, data_of(entry)).map(|(data, load)| (entry.dataset, data, load))
}

/// The dataset of this kind for databases of `scheme`. `given` needs to contain only what differs from the defaults.
pub fn dataset(kind: &str, given: &OptionMap, scheme: Scheme) -> Result<Box<dyn Dataset>, Problem> {
    if kind == SCRIPT_DATA {
        return Ok(Box::new(Outside(tenbin_script::data::dataset(given, scheme)?)));
    }
    let entry = find_dataset(kind)?;
    let made = (entry.make)(&entry.resolve(given)?, scheme)?;
    // With its own schema, that of the address does not matter.
    Ok(if entry.own_schema { made } else { Box::new(Outside(made)) })
}

/// All errors in a load on databases of `scheme`, as far as they can be found without a server and without executing a
/// script.
pub fn wrong_load(name: &str, load: &OptionMap, dataset: &OptionMap, scheme: Scheme) -> Vec<OptionError> {
    if is_script(name) {
        return tenbin_script::unreadable(name).map(|problem| called("workload", name, problem)).into_iter().collect();
    }
    let entry = match find_workload(name) {
        Ok(entry) => entry,
        Err(problem) => return vec![called("workload", name, problem)],
    };
    let mut wrong = options::wrong(&msg!("the-workload", workload = entry.name), &entry.rows(), &canonical(load));
    if wrong.is_empty() {
        // If the two do not match, this is reported elsewhere.
        let scheme = match (entry.runs_on, scheme) {
            (RunsOn::Host, _) => Scheme::Host,
            (RunsOn::Database, Scheme::Host) => Scheme::Null,
            (RunsOn::Database, scheme) => scheme,
        };
        let made = Connector::nowhere(scheme).and_then(|nowhere| workload_on(name, load, dataset, nowhere));
        wrong.extend(made.err().map(|problem| OptionError { field: None, problem }));
    }
    wrong
}

/// All errors in the options of a data set.
pub fn wrong_data(kind: &str, given: &OptionMap, scheme: Scheme) -> Vec<OptionError> {
    if kind == SCRIPT_DATA {
        let made = tenbin_script::data::dataset(given, scheme);
        return made.err().map(|problem| OptionError { field: None, problem }).into_iter().collect();
    }
    let entry = match find_dataset(kind) {
        Ok(entry) => entry,
        Err(problem) => return vec![called("kind", kind, problem)],
    };
    let mut wrong = options::wrong(&msg!("the-dataset", dataset = entry.kind), &entry.rows(), &canonical(given));
    if wrong.is_empty() {
        let field = |problem: &Problem| {
            let (_, name) = problem.subject().filter(|(kind, _)| *kind == "option")?;
            Some((name.to_owned(), Some(given.get(name)?.clone())))
        };
        let made = dataset(kind, given, scheme);
        wrong.extend(made.err().map(|problem| OptionError { field: field(&problem), problem }));
    }
    wrong
}

/// The data set of a workload.
fn data_of(entry: &WorkloadEntry) -> Option<&'static DatasetEntry> {
    find_dataset(entry.dataset).ok()
}

fn called(field: &str, name: &str, problem: Problem) -> OptionError {
    OptionError { field: Some((field.to_owned(), Some(name.to_owned()))), problem }
}

/// The kind of data set that a load needs, if this one has other tables: those of a script, of the user's own SQL, and of no data set may be
/// any, and so may those that the user's own statements read.
pub fn lacks_data(name: &str, load: &OptionMap, kind: &str) -> Option<&'static str> {
    let (entry, data) = (find_workload(name).ok()?, find_dataset(kind).ok()?);
    let of_own_tables = data.kind == tenbin_sql::NAME || entry.dataset == NO_DATA;
    let own_statements =
        ["query", QUERY_FILE].iter().any(|option| load.get(*option).is_some_and(|text| !text.is_empty()));
    (!of_own_tables && !own_statements && entry.dataset != data.kind).then_some(entry.dataset)
}

/// The entry of this name; `-` and `_` are equivalent.
pub fn find_workload(name: &str) -> Result<&'static WorkloadEntry, Problem> {
    let wanted = name.replace('-', "_");
    let all = workloads();
    let entry = all.iter().copied().find(|e| e.name == wanted);
    entry.ok_or_else(|| unknown(msg!("workload-kind"), name, &wanted, all.iter().map(|e| e.name)))
}

/// The entry of this kind; `-` and `_` are equivalent.
pub fn find_dataset(kind: &str) -> Result<&'static DatasetEntry, Problem> {
    let wanted = kind.replace('-', "_");
    let kinds = || datasets().map(|e| e.kind).chain([SCRIPT_DATA]);
    datasets().find(|e| e.kind == wanted).ok_or_else(|| unknown(msg!("dataset-kind"), kind, &wanted, kinds()))
}

fn unknown(what: Message, typed: &str, wanted: &str, names: impl Iterator<Item = &'static str> + Clone) -> Problem {
    let problem = Problem::new(msg!("no-such-name", kind = what, name = format_args!("{typed:?}")));
    if typed.trim().contains(char::is_whitespace) {
        let statement = shell::quoted(&format!("{};", typed.trim().trim_end_matches(';')));
        return problem.hint(msg!("statement-into-file", statement));
    }
    match nearest(&wanted.to_lowercase(), names.clone()) {
        Some(right) => problem.hint(msg!("write-or-list", right)),
        None => problem.hint(msg!("use-one-of", names = names.collect::<Vec<_>>().join(", "))),
    }
}

/// Whether the workload of this name is known to change nothing in a database. For a script this is unknown.
pub fn reads_only(name: &str) -> bool {
    find_workload(name).is_ok_and(|entry| entry.reads_only)
}

/// Whether a load is known to change nothing in a database of this kind: by its name, or for the user's own SQL by its statements.
pub fn load_reads_only(name: &str, load: &OptionMap, scheme: Scheme) -> bool {
    reads_only(name) || only_reads_as_seen(name, load, scheme)
}

/// Whether the workload of this name is the user's own SQL.
pub fn is_own_sql(name: &str) -> bool {
    name == tenbin_sql::NAME
}

/// Whether the clients of a workload execute scripts of the user, or of pgbench's command line: which tables they use, and how, only the server knows.
pub fn is_of_scripts(name: &str) -> bool {
    is_script(name) || name == tenbin_pgbench::NAME
}

/// Whether a load is the user's own SQL, and its statements, as a database of this kind reads them, only read as far as can be seen: functions that they
/// call may write, which only the server knows.
pub fn only_reads_as_seen(name: &str, load: &OptionMap, scheme: Scheme) -> bool {
    is_own_sql(name) && tenbin_sql::reads_only(load, scheme).unwrap_or(false)
}

/// Whether the workload of this name creates its own schema, and does not use that of the address.
pub fn has_own_schema(name: &str) -> bool {
    find_workload(name).and_then(|entry| find_dataset(entry.dataset)).is_ok_and(|dataset| dataset.own_schema)
}

/// Fails if a host test is run on a database, or SQL without a database. `target` is the name of the
/// target.
pub fn fits(workload: &str, scheme: Scheme, target: &str) -> Result<(), Problem> {
    let on_host = find_workload(workload).is_ok_and(|entry| entry.runs_on == RunsOn::Host);
    match (on_host, scheme) {
        (false, Scheme::Host) => Err(Problem::new(msg!("workload-needs-database", workload))
            .evidence(msg!("target-is-this-machine", target))
            .hint(msg!("give-database-address"))),
        (true, Scheme::Host) | (false, _) => Ok(()),
        (true, _) => Err(Problem::new(msg!("workload-tests-this-machine", workload))
            .evidence(msg!("target-is", target))
            .hint(msg!("write-host-as-address"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::workload::{Ends, WorkloadInfo};

    #[test]
    fn every_workload_states_what_there_is() {
        for entry in workloads() {
            assert_eq!(entry.declared_twice(), None, "{}", entry.name);
            assert!(entry.dataset == NO_DATA || find_dataset(entry.dataset).is_ok(), "{}", entry.name);
            let of_many = |name: &&&str| !tenbin_workload::SHARED.contains(*name);
            let rows = entry.rows();
            for name in entry.shared.iter().filter(of_many) {
                assert!(rows.iter().any(|row| row.name == *name), "{} has no option {name}", entry.name);
            }
        }
    }

    #[test]
    fn a_statement_in_the_place_of_a_workload_is_put_into_a_file() {
        let hint = find_workload(" SELECT 'a';").err().and_then(|problem| problem.hint).unwrap_or_default();
        assert_eq!(hint.english(), r"statements are in files: echo 'SELECT '\''a'\'';' > x.sql, and name x.sql");
    }

    #[test]
    fn looking_for_mistakes_in_a_load_runs_no_script() {
        let dir = tempfile::tempdir().unwrap();
        let (path, trace) = (dir.path().join("test.lua"), dir.path().join("it-ran"));
        let body = format!("io.open({trace:?}, 'w'):close()\nfunction event() end");
        std::fs::write(&path, body).unwrap();
        let name = path.to_str().unwrap();
        assert_eq!(wrong_load(name, &OptionMap::new(), &OptionMap::new(), Scheme::Mysql), []);
        assert!(!trace.exists(), "the script ran");
        // It would have left a file.
        load_options(name, &OptionMap::new(), &OptionMap::new()).unwrap();
        assert!(trace.exists(), "the script did not run");
    }

    #[test]
    fn what_a_plan_is_told_of_each_workload() {
        let line = |w: &WorkloadInfo| {
            let shared = if w.shared.is_empty() { "-".to_owned() } else { w.shared.join(",") };
            let reads = if w.reads_only { " reads only" } else { "" };
            let own = if w.table_per_client { " a table for each client" } else { "" };
            let ends = match w.ends {
                Ends::Never => String::new(),
                Ends::Always => " ends".to_owned(),
                Ends::With(counts) => format!(" ends with {}", counts.names().collect::<Vec<_>>().join(",")),
            };
            format!("{} {} {} {shared}{reads}{own}{ends}\n", w.family, w.name, w.dataset)
        };
        let text: String = catalog().workloads.iter().map(line).collect();
        insta::assert_snapshot!(text, @"
        sysbench oltp_read_write sysbench tables,table_size
        sysbench oltp_read_only sysbench tables,table_size reads only
        sysbench oltp_write_only sysbench tables,table_size
        sysbench oltp_point_select sysbench tables,table_size reads only
        sysbench oltp_update_index sysbench tables,table_size
        sysbench oltp_update_non_index sysbench tables,table_size
        sysbench oltp_insert sysbench tables,table_size,auto_inc
        sysbench oltp_delete sysbench tables,table_size
        sysbench select_random_points sysbench tables,table_size reads only
        sysbench select_random_ranges sysbench tables,table_size reads only
        sysbench bulk_insert bulk_insert - a table for each client
        sysbench_0_4 oltp sysbench_0_4 table_size,table_name
        slap slap slap profile,schema,primary_key,secondary_indexes,int_cols,int_indexes,char_cols,char_indexes,preload,unique_writes,delimiter ends with queries,queries_per_client,once
        tpcc tpcc tpcc tables,numbered,warehouses
        sql sql none -
        tpcb tpcb_like tpcb scale
        tpcb simple_update tpcb scale
        tpcb select_only tpcb scale reads only
        pgbench pgbench none -
        sysbench cpu none -
        sysbench memory none - ends
        sysbench threads none -
        sysbench mutex none - ends
        sysbench fileio files file_dir,file_num,file_total_size,file_block_size,file_test_mode,validate reads only
        ");
    }
}
