//! The workload of mysqlslap: a schema is created, used and dropped; statements are generated or given by the user.
//!
//! [`shape`] reads the options, [`texts`] generates the SQL (with [`glibc`]'s values, so that it is identical to
//! mysqlslap's), [`split`] and [`mod@file`] split the user's statements, [`settings`] is shared by the clients of a
//! trial, [`client`] sends, [`data`] creates and drops the schema, [`echo`] shows what is sent on request.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod client;
mod data;
mod echo;
mod file;
mod glibc;
mod options;
mod settings;
mod shape;
mod split;
mod texts;

use data::ENTRY as DATASET;
pub use echo::{failures_to, show_to};
pub use options::QUERY_FILE;
use tenbin_workload::{Client, DatasetEntry, TargetReach, Workload, WorkloadEntry};

use settings::SlapSettings;
use shape::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::names::tables::SET_BY_LOAD;
use tenbin_model::tally::StatementKind;
use tenbin_model::workload::Ends;
use tenbin_words::problem::Problem;
use tenbin_workload::options::OptionMap;
use tenbin_workload::tables::engines;
use tenbin_workload::tables::mark;

/// The workload of this family.
pub const WORKLOADS: &[WorkloadEntry] = &[ENTRY];

/// Its kind of data set.
pub const DATASETS: &[DatasetEntry] = &[DATASET];

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "slap",
    about: "mysqlslap's load: generated reads, writes, key reads, updates, mixed, or own statements; a transaction is a statement",
    family: "slap",
    dataset: DATASET.kind,
    shared: options::SHARED,
    ends: Ends::With(options::COUNTS),
    options: &[options::TABLE, options::LOAD],
    ..WorkloadEntry::made_by(|_, given, connector| {
        Ok(Box::new(SlapWorkload { plan: Arc::new(SlapSettings::new(given, &connector)?), connector }))
    })
};

#[derive(Debug)]
struct SlapWorkload {
    plan: Arc<SlapSettings>,
    connector: Connector,
}

impl Workload for SlapWorkload {
    fn name(&self) -> &str {
        ENTRY.name
    }

    fn unmarked(&self, _clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        // Tables written by the user's own statements are not checked.
        let generated =
            |(name, kind): &(String, StatementKind)| !name.starts_with("query") && *kind == StatementKind::Write;
        let reads = matches!(&self.plan.list, settings::QueryList::Drawn { kind: Kind::Read | Kind::Key, .. });
        match !reads && self.plan.names.iter().any(generated) {
            true => mark::without(&self.plan.connector, &["t1".to_owned()]),
            false => Ok(Vec::new()),
        }
    }

    fn transactions(&self) -> Vec<String> {
        vec![ENTRY.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.plan.names.clone()
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        // The user's statements may create their own schema.
        let mut facts = engines::found(&self.plan.connector, None).unwrap_or_default();
        facts.extend(self.plan.sets_durability().map(|statement| (SET_BY_LOAD.to_owned(), statement)));
        Ok(facts)
    }

    fn prepared_per_connection(&self) -> u32 {
        0
    }

    fn session_statements(&self) -> u32 {
        self.plan.init.len() as u32
    }

    fn longest_statement(&self) -> u64 {
        match &self.plan.list {
            settings::QueryList::Kept(list) => list.iter().map(|(text, _)| text.longest()).max().unwrap_or(0),
            settings::QueryList::File { .. } | settings::QueryList::Drawn { .. } => 0,
        }
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(client::SlapClient::new(Arc::clone(&self.plan), number, of, seed))
    }
}

/// What `mysqlslap --only-print` shows for one cell: data and load options as in a plan. `say` gets one statement at a
/// time; `drop`: including the statement that drops the schema beforehand. A query file that is streamed is read here
/// too.
pub fn only_print(
    data: &OptionMap,
    load: &OptionMap,
    clients: u32,
    repeats: u32,
    drop: bool,
    say: &mut dyn FnMut(&[u8]),
) -> Result<(), Problem> {
    let data = DATASET.resolve(data)?;
    let set = data::Slap::new(&data, Scheme::Mysql)?;
    let load = ENTRY.resolve(&ENTRY.inherit(load, &data))?;
    let plan = SlapSettings::new(&load, &Connector::new(Dsn::parse("null:")?, None)?)?;
    for _ in 0..repeats {
        set.printed(drop, say);
        for number in 0..clients {
            client::print(&plan, number, clients, say)?;
        }
        set.printed_after(say);
    }
    Ok(())
}

/// The number of statements in the list of each client; `None` for a file that is streamed.
pub fn list_length(data: &OptionMap, load: &OptionMap) -> Result<Option<u64>, Problem> {
    let load = ENTRY.resolve(&ENTRY.inherit(load, data))?;
    let plan = SlapSettings::new(&load, &Connector::new(Dsn::parse("null:")?, None)?)?;
    Ok(match &plan.list {
        settings::QueryList::Kept(list) => Some(list.len() as u64),
        _ => None,
    })
}

/// The statement that drops the schema.
pub fn drop_statement(data: &OptionMap) -> Result<String, Problem> {
    let data = DATASET.resolve(data)?;
    Ok(data::Slap::new(&data, Scheme::Mysql)?.drop_schema())
}
