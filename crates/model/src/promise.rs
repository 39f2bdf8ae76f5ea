//! What a commit survives on a server, by its settings.
//!
//! The settings are those of the servers; what a commit survives follows from their documentation: MySQL manual 17.14
//! (`innodb_flush_log_at_trx_commit`, `innodb_doublewrite`, `innodb_flush_method`), 19.1.6.4 (`sync_binlog`) and 15.1.5
//! (`ALTER INSTANCE DISABLE INNODB REDO_LOG`), PostgreSQL manual 20.5 (WAL) and CREATE TABLE (`UNLOGGED`), SQLite
//! `PRAGMA synchronous`. They are meaningful only for tables of the engine they belong to, and on servers that have
//! that engine: servers with MySQL's protocol and another storage often show InnoDB's settings without implementing
//! them.

use crate::names::server_facts::{PAGE_SIZE, REDO_LOG, VERSION};
use crate::names::tables::{ENGINE, PERSISTENCE, SET_BY_LOAD};
use crate::variables::plain;
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Engines of MySQL and MariaDB whose tables have no transactions: ROLLBACK has no effect.
const WITHOUT_TRANSACTIONS: &[&str] =
    &["myisam", "aria", "memory", "heap", "csv", "archive", "blackhole", "mrg_myisam", "s3"];

/// Names in the versions of servers that have another storage than MySQL or MariaDB.
const OTHER_STORAGE: &[&str] = &[
    "tidb",
    "oceanbase",
    "seekdb",
    "starrocks",
    "doris",
    "singlestore",
    "memsql",
    "vitess",
    "planetscale",
    "polardb",
    "matrixone",
    "databend",
    "clickhouse",
    "dolt",
    "manticore",
    "aurora",
    "cockroach",
    "yugabyte",
    "-yb-",
    "redshift",
    "greenplum",
    "cratedb",
    "materialize",
    "risingwave",
    "questdb",
    "spanner",
    "duckdb",
    "null-server",
];

/// Settings that determine what a commit survives, in reading order.
pub const SETTINGS: &[&str] = &[
    "innodb_flush_log_at_trx_commit",
    "sync_binlog",
    "log_bin",
    "innodb_doublewrite",
    "rocksdb_flush_log_at_trx_commit",
    "journal_mode",
    "synchronous",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
];

/// Whether a fact is among those that determine what a commit survives.
pub fn decides(fact: &str) -> bool {
    let variable = fact.strip_prefix("variable.");
    [REDO_LOG, PAGE_SIZE, VERSION].contains(&fact)
        || FILE_SYSTEMS.contains(&fact)
        || variable.is_some_and(|name| SETTINGS.contains(&name) || MORE.contains(&name))
}

/// What a commit that was confirmed to the client survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// A power failure of the machine.
    PowerFailure,
    /// A crash of the server; a power failure may lose the last commits.
    Crash,
    /// Not even a crash of the server: the last commits may be lost.
    Neither,
    /// The data are in the memory of the machine: a power failure loses all of them.
    InMemory,
    /// Nothing at all: a crash of the server empties the tables.
    Emptied,
    /// A power failure may damage the database.
    Damage,
    /// A crash of the server may damage the database.
    CrashDamage,
    /// The tables have no transactions: nothing is rolled back, and a crash may lose or damage rows.
    NoTransactions,
}

impl Promise {
    /// The fixed word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Promise::PowerFailure => "power-failure",
            Promise::Crash => "server-crash",
            Promise::Neither => "none",
            Promise::InMemory => "power-failure-empties",
            Promise::Emptied => "crash-empties",
            Promise::Damage => "power-failure-damages",
            Promise::CrashDamage => "crash-damages",
            Promise::NoTransactions => "no-transactions",
        }
    }

    /// The description in a language.
    pub fn words(self) -> Message {
        match self {
            Promise::PowerFailure => msg!("promise-power-failure"),
            Promise::Crash => msg!("promise-crash"),
            Promise::Neither => msg!("promise-neither"),
            Promise::InMemory => msg!("promise-in-memory"),
            Promise::Emptied => msg!("promise-emptied"),
            Promise::Damage => msg!("promise-damage"),
            Promise::CrashDamage => msg!("promise-crash-damage"),
            Promise::NoTransactions => msg!("promise-no-transactions"),
        }
    }
}

/// What is said of a promise, known or not.
pub fn words(promise: Option<Promise>) -> Message {
    promise.map_or_else(|| msg!("promise-not-known"), Promise::words)
}

/// Facts by name, as in a recording.
type RecordedFacts = BTreeMap<String, String>;

/// What a commit survives on a server with these facts, in tables of its default engine; `None` if that is unknown.
pub fn of_server(facts: &BTreeMap<String, String>) -> Option<Promise> {
    of_tables(facts, &RecordedFacts::new())
}

/// The facts of a server that determine it, as `name value`.
pub fn settings(facts: &BTreeMap<String, String>) -> Vec<String> {
    let of_variable = |name: &&str| Some(format!("{name} {}", facts.get(&format!("variable.{name}"))?));
    let off = facts.get(REDO_LOG).filter(|written| plain(written) == "0");
    SETTINGS.iter().filter_map(of_variable).chain(off.map(|off| format!("innodb_redo_log_enabled {off}"))).collect()
}

/// Those of the engines in such a list that have no transactions.
pub fn without_transactions(engines: &str) -> Vec<&str> {
    engines.split(", ").filter(|e| WITHOUT_TRANSACTIONS.iter().any(|w| w.eq_ignore_ascii_case(e))).collect()
}

/// What is shown in addition to [`SETTINGS`] if durability differs.
pub const MORE: &[&str] = &["innodb_flush_method", "innodb_redo_log_enabled", "storage engine", "file system"];

/// The facts that say on what file system the data are: of a database that is a file, and of a server.
pub const FILE_SYSTEMS: [&str; 2] = ["storage.file_system", "machine.file_system"];
/// File systems of Linux whose files are in memory (tmpfs(5); Documentation/filesystems/ramfs-rootfs-initramfs.rst).
const IN_MEMORY: [&str; 3] = ["tmpfs", "ramfs", "rootfs"];

/// Whether the files of such a file system are in memory.
pub fn is_in_memory(file_system: &str) -> bool {
    IN_MEMORY.contains(&file_system)
}

/// Whether a statement may set what the commits of its own session survive.
pub fn is_set_by(statement: &str) -> bool {
    let lower = statement.to_ascii_lowercase();
    let (mut sets, mut decides) = (false, false);
    for word in lower.split(|c: char| !is_of_name(c)) {
        sets |= ["set", "pragma", "alter", "set_config"].contains(&word);
        decides |= word == "sql_log_bin" || SETTINGS.contains(&word);
    }
    sets && decides
}

fn is_of_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// What a commit survives on a server and in tables with these facts; not known where the load sets it itself.
pub fn of_tables(facts: &RecordedFacts, tables: &RecordedFacts) -> Option<Promise> {
    if tables.contains_key(SET_BY_LOAD) {
        return None;
    }
    let promise = by_settings(facts, tables);
    match FILE_SYSTEMS.iter().filter_map(|fact| facts.get(*fact)).any(|kind| is_in_memory(kind)) {
        true => promise.map(|promise| promise.max(Promise::InMemory)),
        false => promise,
    }
}

/// What a commit survives by the settings of the server, if its files do.
fn by_settings(facts: &RecordedFacts, tables: &RecordedFacts) -> Option<Promise> {
    let text = |name: &str| facts.get(name).map(String::as_str);
    let get = |name: &str| text(&format!("variable.{name}")).map(plain);
    let says = ["version", "variable.version", "variable.version_comment", VERSION].map(|n| text(n).unwrap_or(""));
    let says = says.join(" ").to_lowercase();
    if OTHER_STORAGE.iter().any(|name| says.contains(name)) || text("variable.aurora_version").is_some() {
        return None;
    }
    if get("innodb_flush_log_at_trx_commit").is_some() || get("default_storage_engine").is_some() {
        let usual = get("default_storage_engine").unwrap_or_else(|| "innodb".to_owned());
        let engines = tables.get(ENGINE).cloned().unwrap_or(usual);
        let all: Option<Vec<Promise>> = engines.split(", ").map(|engine| of_engine(engine, facts)).collect();
        return all?.into_iter().max();
    }
    if let Some(fsync) = get("fsync") {
        return Some(
            match (fsync.as_str(), get("full_page_writes").as_deref(), get("synchronous_commit").as_deref()) {
                _ if tables.get(PERSISTENCE).is_some_and(|kept| kept.contains("unlogged")) => Promise::Emptied,
                ("0", ..) | (_, Some("0"), _) => Promise::Damage,
                (_, _, Some("0")) => Promise::Neither,
                _ => Promise::PowerFailure,
            },
        );
    }
    let (journal, synchronous) = (get("journal_mode")?, get("synchronous")?);
    Some(match (journal.as_str(), synchronous.as_str()) {
        (_, "0") | ("0" | "memory", _) => Promise::Damage,
        ("wal", "1" | "normal") => Promise::Crash,
        // A rollback journal that is not synchronised at every step may lose, rarely, more than the last commits.
        (_, "1" | "normal") => Promise::Damage,
        _ => Promise::PowerFailure,
    })
}

/// The same for tables of one engine of MySQL or MariaDB.
fn of_engine(engine: &str, facts: &RecordedFacts) -> Option<Promise> {
    let get = |name: &str| facts.get(&format!("variable.{name}")).map(|v| plain(v));
    // With a binary log, the commit is in the log: transactions that are not in it are rolled back at recovery.
    let unsynced_log = get("log_bin").as_deref() == Some("1") && get("sync_binlog").is_some_and(|v| v != "1");
    let synced = if unsynced_log { Promise::Crash } else { Promise::PowerFailure };
    match engine.to_lowercase().as_str() {
        "innodb" => {
            if facts.get(PAGE_SIZE).is_some_and(String::is_empty) {
                // It has InnoDB's settings but not its status.
                return None;
            }
            let method = get("innodb_flush_method").unwrap_or_default();
            let promise = match get("innodb_flush_log_at_trx_commit")?.as_str() {
                _ if facts.get(REDO_LOG).is_some_and(|v| plain(v) == "0") => Promise::CrashDamage,
                // With detect_only torn pages are detected but not repaired.
                _ if ["0", "detect_only"].contains(&get("innodb_doublewrite").unwrap_or_default().as_str()) => {
                    Promise::Damage
                }
                _ if ["nosync", "littlesync"].contains(&method.as_str()) => Promise::Damage,
                "0" => Promise::Neither,
                "2" => Promise::Crash,
                // 3 exists in MariaDB: as 1, with an additional flush.
                _ => synced,
            };
            Some(promise)
        }
        "rocksdb" => match get("rocksdb_flush_log_at_trx_commit")?.as_str() {
            "1" => Some(synced),
            "2" => Some(Promise::Crash),
            _ => None,
        },
        "memory" | "heap" | "blackhole" => Some(Promise::Emptied),
        engine => WITHOUT_TRANSACTIONS.contains(&engine).then_some(Promise::NoTransactions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Settings by their names; `tables.…` and `status.…` are other facts.
    fn promised(settings: &[(&'static str, &str)]) -> Option<Promise> {
        let all = settings.iter().map(|(k, v)| match k.split_once('.') {
            Some(_) => ((*k).to_owned(), (*v).to_owned()),
            None => (format!("variable.{k}"), (*v).to_owned()),
        });
        let (tables, facts) = all.partition(|(name, _)| name.starts_with("tables."));
        of_tables(&facts, &tables)
    }

    #[test]
    fn settings_are_read_as_their_makers_document_them() {
        use Promise::{Crash, CrashDamage, Damage, Emptied, InMemory, Neither, NoTransactions, PowerFailure};
        const FLUSH: (&str, &str) = ("innodb_flush_log_at_trx_commit", "1");
        type Case = (&'static [(&'static str, &'static str)], Option<Promise>);
        let cases: &[Case] = &[
            (&[("innodb_flush_log_at_trx_commit", "1"), ("innodb_doublewrite", "ON")], Some(PowerFailure)),
            (&[("innodb_flush_log_at_trx_commit", "2")], Some(Crash)),
            (&[("innodb_flush_log_at_trx_commit", "0")], Some(Neither)),
            (&[("innodb_flush_log_at_trx_commit", "1"), ("innodb_doublewrite", "OFF")], Some(Damage)),
            (&[("innodb_flush_log_at_trx_commit", "1"), ("log_bin", "ON"), ("sync_binlog", "1000")], Some(Crash)),
            (&[("innodb_flush_log_at_trx_commit", "1"), ("log_bin", "OFF"), ("sync_binlog", "0")], Some(PowerFailure)),
            (&[("fsync", "on"), ("synchronous_commit", "on")], Some(PowerFailure)),
            (&[("fsync", "on"), ("synchronous_commit", "off")], Some(Neither)),
            (&[("fsync", "off"), ("synchronous_commit", "on")], Some(Damage)),
            (&[("journal_mode", "wal"), ("synchronous", "1")], Some(Crash)),
            (&[("journal_mode", "wal"), ("synchronous", "2")], Some(PowerFailure)),
            (&[("journal_mode", "delete"), ("synchronous", "2")], Some(PowerFailure)),
            (&[("journal_mode", "memory"), ("synchronous", "2")], Some(Damage)),
            (&[("sync_binlog", "1")], None),
            (&[FLUSH, ("innodb_doublewrite", "DETECT_ONLY")], Some(Damage)),
            (&[FLUSH, ("innodb_doublewrite", "DETECT_AND_RECOVER")], Some(PowerFailure)),
            (&[FLUSH, ("innodb_doublewrite", "fast")], Some(PowerFailure)),
            (&[FLUSH, ("innodb_flush_method", "nosync")], Some(Damage)),
            (&[FLUSH, ("innodb_flush_method", "O_DIRECT")], Some(PowerFailure)),
            (&[FLUSH, (REDO_LOG, "OFF")], Some(CrashDamage)),
            (&[FLUSH, (REDO_LOG, "ON"), (PAGE_SIZE, "16384")], Some(PowerFailure)),
            (&[("innodb_flush_log_at_trx_commit", "3"), ("log_bin", "ON"), ("sync_binlog", "1")], Some(PowerFailure)),
            (&[("innodb_flush_log_at_trx_commit", "3"), ("log_bin", "ON"), ("sync_binlog", "0")], Some(Crash)),
            // InnoDB's settings are meaningless for other engines, and on servers that only show them.
            (&[FLUSH, (ENGINE, "innodb")], Some(PowerFailure)),
            (&[FLUSH, (ENGINE, "aria")], Some(NoTransactions)),
            (&[FLUSH, (ENGINE, "innodb, myisam")], Some(NoTransactions)),
            (&[FLUSH, (ENGINE, "memory")], Some(Emptied)),
            (&[FLUSH, (ENGINE, "columnstore")], None),
            (&[FLUSH, (ENGINE, "rocksdb"), ("rocksdb_flush_log_at_trx_commit", "1")], Some(PowerFailure)),
            (&[FLUSH, (ENGINE, "rocksdb")], None),
            (&[FLUSH, ("default_storage_engine", "MyISAM")], Some(NoTransactions)),
            (&[FLUSH, ("version_comment", "MySQL Community Server - GPL")], Some(PowerFailure)),
            (&[FLUSH, ("version_comment", "OceanBase seekdb 1.4.0.0 (r…)")], None),
            (&[FLUSH, ("version_comment", "TiDB Server (Apache License 2.0)")], None),
            (&[FLUSH, (VERSION, "5.7.25-OceanBase seekdb-v1.4.0.0")], None),
            (&[FLUSH, (PAGE_SIZE, "")], None),
            (&[("fsync", "on"), (PERSISTENCE, "logged")], Some(PowerFailure)),
            (&[("fsync", "on"), (PERSISTENCE, "logged, unlogged")], Some(Emptied)),
            (&[("fsync", "on"), ("full_page_writes", "off")], Some(Damage)),
            (&[("fsync", "on"), ("synchronous_commit", "local")], Some(PowerFailure)),
            (&[("fsync", "on"), (VERSION, "PostgreSQL 11.2-YB-2.14.0.0-b0")], None),
            (&[("journal_mode", "off"), ("synchronous", "2")], Some(Damage)),
            (&[("journal_mode", "wal"), ("synchronous", "0")], Some(Damage)),
            // Files in memory survive no power failure, whatever is synchronised.
            (&[("journal_mode", "delete"), ("synchronous", "2"), ("storage.file_system", "tmpfs")], Some(InMemory)),
            (&[FLUSH, ("machine.file_system", "tmpfs")], Some(InMemory)),
            (&[FLUSH, ("machine.file_system", "ext4")], Some(PowerFailure)),
            (&[("fsync", "off"), ("machine.file_system", "tmpfs")], Some(Damage)),
            (&[("sync_binlog", "1"), ("machine.file_system", "tmpfs")], None),
        ];
        for (settings, expected) in cases {
            assert_eq!(promised(settings), *expected, "{settings:?}");
        }
    }
}
