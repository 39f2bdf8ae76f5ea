//! What the rows of the tables of options are made of: groups, and versions of sysbench.

use crate::option::ValueType::{self, File};
use crate::option::{DefaultValue, OptionSpec};

// Groups.
pub const GENERAL: &str = "General options";
pub const RANDOM: &str = "Random numbers";
pub const LOG: &str = "Reports and messages";
pub const DATABASE: &str = "Databases";
pub const MYSQL: &str = "MySQL and MariaDB";
pub const PGSQL: &str = "PostgreSQL";
pub const OF_OLTP: &str = "Options of the oltp_* tests";
pub const OF_OLD: &str = "Options of sysbench 0.4 and 0.5";

/// The groups in the order of the help.
pub const GROUPS: &[&str] = &[GENERAL, RANDOM, LOG, DATABASE, MYSQL, PGSQL, OF_OLTP, OF_OLD];

// Versions of sysbench that have an option.
pub const BOTH: &str = "";
/// Removed in 1.1.
pub const UNTIL_1_0: &str = "1.0";
pub const FROM_1_1: &str = "1.1";
pub const OLD_ONLY: &str = "0.4, 0.5";
/// Not an option of sysbench, but of Tenbin under this name.
pub const OURS: &str = "Tenbin";

/// A row of the tables; the default `-`: none.
pub const fn row(
    group: &'static str,
    name: &'static str,
    takes: ValueType,
    default: &'static str,
    of: &'static str,
    meaning: &'static str,
) -> OptionSpec {
    let default = match (takes, default.as_bytes()) {
        (File, _) | (_, b"-") => DefaultValue::None,
        _ => DefaultValue::Value(default),
    };
    OptionSpec { group, of, ..OptionSpec::new(name, takes, default, meaning) }
}
