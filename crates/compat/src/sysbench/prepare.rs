//! `prepare`, `prewarm` and `cleanup` of native tests: creates the tables, reads them once, and drops them by name, as
//! sysbench does.
//!
//! As in sysbench each client processes one table at a time and prints its steps; unlike in sysbench, clients that find
//! no table left share one, and an error in any of them sets the exit code.

use super::database;
use super::messages::{NOTICE, print, told};
use super::settings::Settings;
use super::{Code, Options, failure, seed_of};
use crate::parsed_args::ParsedArgs;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_model::stop::StopSignal;
use tenbin_terminal::signals;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, LoadStep, WorkloadEntry};

/// Creates and loads the tables.
pub fn prepare(args: &ParsedArgs, settings: &Settings, entry: &WorkloadEntry, data: &Options) -> Result<Code, String> {
    let stop = signals::listen_saying(msg!("stopping-loading")).map_err(|p| p.what.english().to_owned())?;
    // The tables of bulk_insert are made by one thread.
    if settings.threads > 1 && entry.name != "bulk_insert" {
        print(settings.verbosity, NOTICE, "Initializing worker threads...\n");
    }
    let connector = connector(args, settings)?.until(&stop);
    // After a signal nothing is to be said of what it has ended.
    let failed = |problem: Problem| match stop.asked() {
        true => Ok(Code::Interrupted),
        false => Err(told(&settings.words, &problem)),
    };
    let number = |name: &str, default: u32| data.get(name).and_then(|v| v.parse().ok()).unwrap_or(default);
    if entry.dataset != "sysbench" {
        let set = dataset(settings, entry, data, &connector)?;
        if entry.name == "oltp" {
            let rows = number("table_size", 10_000);
            let table = data.get("table_name").map_or("sbtest", String::as_str);
            print(settings.verbosity, NOTICE, &format!("Creating table '{table}'..."));
            print(settings.verbosity, NOTICE, &format!("Creating {rows} records in table '{table}'..."));
            let loaded = set.load(&connector, settings.threads, seed_of(settings), &|_| (), &stop);
            return loaded.map_or_else(failed, |_| Ok(done(&stop)));
        }
        let tell =
            |_: LoadStep, table: &str| print(settings.verbosity, NOTICE, &format!("Creating table '{table}'..."));
        let loaded = set.load_each(&connector, settings.threads, seed_of(settings), &tell, &stop);
        return loaded.map_or_else(failed, |()| Ok(done(&stop)));
    }
    let rows = number("table_size", 10_000);
    let tell = |step: LoadStep, table: &str| {
        let line = match step {
            LoadStep::Create => format!("Creating table '{table}'..."),
            LoadStep::Insert => format!("Inserting {rows} records into '{table}'"),
            LoadStep::Index => format!("Creating a secondary index on '{table}'..."),
        };
        print(settings.verbosity, NOTICE, &line);
    };
    let set = dataset(settings, entry, data, &connector)?;
    let loaded = set.load_each(&connector, settings.threads, seed_of(settings), &tell, &stop);
    loaded.map_or_else(failed, |()| Ok(done(&stop)))
}

/// Reads all tables once.
pub fn prewarm(args: &ParsedArgs, settings: &Settings, entry: &WorkloadEntry, data: &Options) -> Result<Code, String> {
    if settings.threads > 1 {
        print(settings.verbosity, NOTICE, "Initializing worker threads...\n");
    }
    let connector = connector(args, settings)?;
    let tell = |name: &str| print(settings.verbosity, NOTICE, &format!("Prewarming table {name}"));
    dataset(settings, entry, data, &connector)?.warm(&connector, &tell).map_err(|p| told(&settings.words, &p))?;
    Ok(Code::Done)
}

/// Drops the tables by name, no matter who created them.
pub fn cleanup(args: &ParsedArgs, settings: &Settings, entry: &WorkloadEntry, data: &Options) -> Result<Code, String> {
    let connector = connector(args, settings)?;
    let tell = |name: &str| print(settings.verbosity, NOTICE, &format!("Dropping table '{name}'..."));
    dataset(settings, entry, data, &connector)?.drop_named(&connector, &tell).map_err(|p| told(&settings.words, &p))?;
    Ok(Code::Done)
}

fn done(stop: &StopSignal) -> Code {
    if stop.asked() { Code::Interrupted } else { Code::Done }
}

fn connector(args: &ParsedArgs, settings: &Settings) -> Result<Connector, String> {
    let (dsn, password) =
        database::address(args, &settings.words).map_err(|why| failure::without_address(&settings.words, &why))?;
    let dsn = Dsn::parse(&dsn).map_err(|p| told(&settings.words, &p))?;
    Connector::new(dsn, password.map(|p| p.reveal().to_owned())).map_err(|p| told(&settings.words, &p))
}

fn dataset(
    settings: &Settings,
    entry: &WorkloadEntry,
    data: &BTreeMap<String, String>,
    connector: &Connector,
) -> Result<Box<dyn Dataset>, String> {
    tenbin_workloads::dataset(entry.dataset, data, connector.dsn().scheme).map_err(|p| told(&settings.words, &p))
}
