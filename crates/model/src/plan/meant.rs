//! Words of other tools for the keys of a plan.

use super::keys::{Key, all};

/// Names from other tools, and the keys that they mean.
const MEANT: &[(&str, &str)] = &[
    ("time", "measure"),
    ("duration", "measure"),
    ("max_time", "measure"),
    ("run_time", "measure"),
    ("runtime", "measure"),
    ("test_time", "measure"),
    ("warmup_time", "warmup"),
    ("report_interval", "interval"),
    ("max_requests", "operations"),
    ("num_threads", "clients"),
    ("thread", "clients"),
    ("concurrency", "clients"),
    ("iterations", "repeats"),
    ("runs", "repeats"),
    ("repetitions", "repeats"),
    ("trials", "repeats"),
    ("test_duration", "measure"),
    ("measure_time", "measure"),
    ("measurement", "measure"),
    ("seconds", "measure"),
    ("warm_up_time", "warmup"),
    ("ramp_up", "warmup"),
    ("rampup", "warmup"),
    ("rampup_time", "warmup"),
    ("ramp_time", "warmup"),
    ("users", "clients"),
    ("virtual_users", "clients"),
    ("vus", "clients"),
    ("terminals", "clients"),
    ("num_clients", "clients"),
    ("num_connections", "clients"),
    ("max_events", "operations"),
    ("transactions", "operations"),
    ("num_transactions", "operations"),
    ("tx_rate", "rate"),
    ("target_rate", "rate"),
    ("max_rate", "rate"),
    ("qps", "rate"),
    ("rps", "rate"),
    ("tps", "rate"),
    ("oltp_table_size", "table_size"),
    ("num_rows", "table_size"),
    ("oltp_tables_count", "tables"),
    ("num_tables", "tables"),
];

/// The parts of an address, which other tools take one by one.
pub const OF_ADDRESS: &[&str] =
    &["port", "user", "username", "database", "db", "schema", "socket", "address", "uri", "hostname", "ip"];

/// The key that is meant by a name of another tool, or of another table.
pub fn meant(name: &str) -> Option<&'static Key> {
    let name = name.replace('-', "_");
    let meant = MEANT.iter().find(|(theirs, _)| *theirs == name).map_or(name.as_str(), |(_, ours)| ours);
    all().find(|k| k.name == meant || k.also.contains(&meant))
}

/// Whether it is a word of other tools only.
pub fn is_of_others(name: &str) -> bool {
    let name = name.replace('-', "_");
    MEANT.iter().any(|(theirs, _)| *theirs == name)
}
