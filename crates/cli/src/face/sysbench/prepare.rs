//! `prepare`, `prewarm` and `cleanup` of native tests: tables made, read once and dropped by name, as sysbench does.
//!
//! As in sysbench each client takes a table of its own at a time and tells its steps; unlike there, clients that find no
//! table left share one, and an error in any of them is the exit code.

use super::asked::Asked;
use super::database;
use super::plan::Options;
use super::printer::{NOTICE, say};
use super::typed::Typed;
use super::{Code, seed_of};
use crate::face::hint::Words;
use crate::{exit, signals};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_workload::{Dataset, Entry};

/// Makes and fills the tables.
pub fn prepare(typed: &Typed, asked: &Asked, entry: &Entry, data: &Options) -> Result<Code, String> {
    let stop = signals::listen().map_err(|p| p.what.english().to_owned())?;
    let connector = connector(typed, asked)?.until(&stop);
    if asked.threads > 1 {
        say(asked.verbosity, NOTICE, "Initializing worker threads...\n");
    }
    let number = |name: &str, default: u32| data.get(name).and_then(|v| v.parse().ok()).unwrap_or(default);
    let tables = number("tables", 1);
    if entry.dataset != "sysbench" {
        let set = dataset(asked, entry, data, &connector)?;
        if entry.name == "oltp" {
            let rows = number("table_size", 10_000);
            say(asked.verbosity, NOTICE, "Creating table 'sbtest'...");
            say(asked.verbosity, NOTICE, &format!("Creating {rows} records in table 'sbtest'..."));
            set.load(&connector, asked.threads, seed_of(asked), &|_| (), &stop).map_err(|p| told(&asked.words, &p))?;
            return Ok(done(&stop));
        }
        (1..=tables).for_each(|table| say(asked.verbosity, NOTICE, &format!("Creating table 'sbtest{table}'...")));
        set.load(&connector, asked.threads, seed_of(asked), &|_| (), &stop).map_err(|p| told(&asked.words, &p))?;
        return Ok(done(&stop));
    }
    let at_once = asked.threads.min(tables).max(1);
    let job = Job {
        asked,
        entry,
        data,
        connector: &connector,
        stop: &stop,
        seed: seed_of(asked),
        tables,
        rows: number("table_size", 10_000),
        indexed: data.get("create_secondary").is_none_or(|v| v != "off"),
        streams: (asked.threads / tables.max(1)).max(1),
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

/// The tables that several threads make.
struct Job<'a> {
    asked: &'a Asked,
    entry: &'a Entry,
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
        let tell = |line: String| say(self.asked.verbosity, NOTICE, &line);
        let mut data = self.data.clone();
        data.insert("first_table".into(), table.to_string());
        data.insert("tables".into(), "1".into());
        let set = dataset(self.asked, self.entry, &data, self.connector)?;
        tell(format!("Creating table 'sbtest{table}'..."));
        let begun = std::sync::Once::new();
        let full = std::sync::Once::new();
        let progress = |rows: u64| {
            // The first call comes once the table is there.
            if self.rows > 0 {
                begun.call_once(|| tell(format!("Inserting {} records into 'sbtest{table}'", self.rows)));
            }
            if rows >= u64::from(self.rows) && self.indexed {
                full.call_once(|| tell(format!("Creating a secondary index on 'sbtest{table}'...")));
            }
        };
        let loaded = set.load(self.connector, self.streams, self.seed, &progress, self.stop);
        loaded.map(|_| ()).map_err(|p| told(&self.asked.words, &p))
    }
}

/// Reads all tables once.
pub fn prewarm(typed: &Typed, asked: &Asked, entry: &Entry, data: &Options) -> Result<Code, String> {
    let connector = connector(typed, asked)?;
    let tell = |name: &str| say(asked.verbosity, NOTICE, &format!("Prewarming table {name}"));
    dataset(asked, entry, data, &connector)?.warm(&connector, &tell).map_err(|p| told(&asked.words, &p))?;
    Ok(Code::Done)
}

/// Drops the tables by name, whoever made them.
pub fn cleanup(typed: &Typed, asked: &Asked, entry: &Entry, data: &Options) -> Result<Code, String> {
    let connector = connector(typed, asked)?;
    let tell = |name: &str| say(asked.verbosity, NOTICE, &format!("Dropping table '{name}'..."));
    dataset(asked, entry, data, &connector)?.drop_named(&connector, &tell).map_err(|p| told(&asked.words, &p))?;
    Ok(Code::Done)
}

fn done(stop: &StopSignal) -> Code {
    if stop.asked() { Code::Interrupted } else { Code::Done }
}

fn connector(typed: &Typed, asked: &Asked) -> Result<Connector, String> {
    let (dsn, password) = database::address(typed)?;
    let dsn = Dsn::parse(&dsn).map_err(|p| told(&asked.words, &p))?;
    Connector::new(dsn, password.map(|p| p.reveal().to_owned())).map_err(|p| told(&asked.words, &p))
}

fn dataset(
    asked: &Asked,
    entry: &Entry,
    data: &BTreeMap<String, String>,
    connector: &Connector,
) -> Result<Box<dyn Dataset>, String> {
    tenbin_workload::dataset(entry.dataset, data, connector.dsn().scheme).map_err(|p| told(&asked.words, &p))
}

/// A problem as the lines behind `FATAL: `, with a way out that can be typed here.
pub fn told(words: &Words, problem: &Problem) -> String {
    let more = [problem.evidence.clone(), words.hint(problem)].into_iter().flatten();
    let more = more.map(|part| format!("\nFATAL: {}", part.english()));
    format!("{}{}", problem.what.english(), more.collect::<String>())
}

/// For an error that is no option's.
pub fn complain(line: &str) {
    exit::say(&format!("FATAL: {line}"));
}
