//! `prepare`, `prewarm` and `cleanup` of native tests: creates the tables, reads them once, and drops them by name, as
//! sysbench does.
//!
//! As in sysbench each client processes one table at a time and prints its steps; unlike in sysbench, clients that find
//! no table left share one, and an error in any of them sets the exit code.

use super::database;
use super::messages::{NOTICE, print, told};
use super::settings::Settings;
use super::{Code, Options, seed_of};
use crate::compat::parsed_args::ParsedArgs;
use crate::signals;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_model::stop::StopSignal;
use tenbin_workload::{Dataset, WorkloadEntry};

/// Creates and loads the tables.
pub fn prepare(args: &ParsedArgs, settings: &Settings, entry: &WorkloadEntry, data: &Options) -> Result<Code, String> {
    let stop = signals::listen().map_err(|p| p.what.english().to_owned())?;
    let connector = connector(args, settings)?.until(&stop);
    if settings.threads > 1 {
        print(settings.verbosity, NOTICE, "Initializing worker threads...\n");
    }
    let number = |name: &str, default: u32| data.get(name).and_then(|v| v.parse().ok()).unwrap_or(default);
    let tables = number("tables", 1);
    if entry.dataset != "sysbench" {
        let set = dataset(settings, entry, data, &connector)?;
        if entry.name == "oltp" {
            let rows = number("table_size", 10_000);
            print(settings.verbosity, NOTICE, "Creating table 'sbtest'...");
            print(settings.verbosity, NOTICE, &format!("Creating {rows} records in table 'sbtest'..."));
            set.load(&connector, settings.threads, seed_of(settings), &|_| (), &stop)
                .map_err(|p| told(&settings.words, &p))?;
            return Ok(done(&stop));
        }
        (1..=tables).for_each(|table| print(settings.verbosity, NOTICE, &format!("Creating table 'sbtest{table}'...")));
        set.load(&connector, settings.threads, seed_of(settings), &|_| (), &stop)
            .map_err(|p| told(&settings.words, &p))?;
        return Ok(done(&stop));
    }
    let at_once = settings.threads.min(tables).max(1);
    let job = Job {
        settings,
        entry,
        data,
        connector: &connector,
        stop: &stop,
        seed: seed_of(settings),
        tables,
        rows: number("table_size", 10_000),
        indexed: data.get("create_secondary").is_none_or(|v| v != "off"),
        streams: (settings.threads / tables.max(1)).max(1),
        next: AtomicU32::new(1),
        failed: Mutex::new(None),
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| job.tables_in_turn());
        }
    });
    match job.failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(problem) => Err(problem),
        None => Ok(done(&stop)),
    }
}

/// The tables that several threads create.
struct Job<'a> {
    settings: &'a Settings,
    entry: &'a WorkloadEntry,
    data: &'a Options,
    connector: &'a Connector,
    stop: &'a StopSignal,
    seed: u64,
    tables: u32,
    rows: u32,
    indexed: bool,
    /// Connections that fill one table.
    streams: u32,
    next: AtomicU32,
    failed: Mutex<Option<String>>,
}

impl Job<'_> {
    fn tables_in_turn(&self) {
        loop {
            let table = self.next.fetch_add(1, Ordering::Relaxed);
            if table > self.tables || self.stop.asked() {
                return;
            }
            if let Err(problem) = self.one(table) {
                let mut failed = self.failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                failed.get_or_insert(problem);
                self.next.store(self.tables + 1, Ordering::Relaxed);
                return;
            }
        }
    }

    fn one(&self, table: u32) -> Result<(), String> {
        let tell = |line: String| print(self.settings.verbosity, NOTICE, &line);
        let mut data = self.data.clone();
        data.insert("first_table".into(), table.to_string());
        data.insert("tables".into(), "1".into());
        let set = dataset(self.settings, self.entry, &data, self.connector)?;
        tell(format!("Creating table 'sbtest{table}'..."));
        let begun = std::sync::Once::new();
        let full = std::sync::Once::new();
        let progress = |rows: u64| {
            // The first call is made after the table was created.
            if self.rows > 0 {
                begun.call_once(|| tell(format!("Inserting {} records into 'sbtest{table}'", self.rows)));
            }
            if rows >= u64::from(self.rows) && self.indexed {
                full.call_once(|| tell(format!("Creating a secondary index on 'sbtest{table}'...")));
            }
        };
        let loaded = set.load(self.connector, self.streams, self.seed, &progress, self.stop);
        loaded.map(|_| ()).map_err(|p| told(&self.settings.words, &p))
    }
}

/// Reads all tables once.
pub fn prewarm(args: &ParsedArgs, settings: &Settings, entry: &WorkloadEntry, data: &Options) -> Result<Code, String> {
    let connector = connector(args, settings)?;
    let tell = |name: &str| print(settings.verbosity, NOTICE, &format!("Prewarming table {name}"));
    dataset(settings, entry, data, &connector)?.warm(&connector, &tell).map_err(|p| told(&settings.words, &p))?;
    Ok(Code::Done)
}

/// Drops the tables by name, whoever created them.
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
    let (dsn, password) = database::address(args)?;
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
