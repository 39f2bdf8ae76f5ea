//! What a private server takes on disk before anything is loaded. Compared with the room that is there before one is made, and for all of a plan.
//!
//! Measured (`du`), as made and as started with our settings: MariaDB 10.11 26 and 286 MB, 11.4 55 MB as made; MySQL 5.7.22 42 and 550 MB, 8.0.15 74 and
//! 582 MB, 8.0.31 97 and 590 MB; PostgreSQL 15 46 MB both.

use super::Options;
use super::launch::TemplateUse;
use std::collections::BTreeMap;
use std::path::Path;
use tenbin_model::dsn::Scheme;
use tenbin_model::trial::sandbox_scheme;
use tenbin_model::variables::{canonical_name, in_bytes};

/// The bytes of the data directory as it is made.
fn of_template(binary: &str) -> u64 {
    match sandbox_scheme(binary) {
        Scheme::Mysql if is_mariadb(binary) => 56 << 20,
        Scheme::Mysql => 98 << 20,
        Scheme::Postgres => 48 << 20,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => 0,
    }
}

/// The bytes that a server takes with these settings: its data, the space for temporary tables, and its log as large as it will be.
pub fn own_bytes(binary: &str, server: &BTreeMap<String, String>) -> u64 {
    const TEMPORARY: u64 = 12 << 20;
    const SEGMENT: u64 = 16 << 20;
    let more = match sandbox_scheme(binary) {
        Scheme::Mysql => TEMPORARY.saturating_add(log_of_innodb(binary, server)),
        // The next segment of its log.
        Scheme::Postgres => SEGMENT,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => 0,
    };
    of_template(binary).saturating_add(more)
}

/// A template and the first server that is made of it.
pub(super) fn first_of_template<'a>(data: &'a Path, options: &Options) -> TemplateUse<'a> {
    let server_bytes = own_bytes(&options.binary, &options.server);
    TemplateUse { data, template_bytes: of_template(&options.binary), server_bytes }
}

/// A file of the log with our settings.
const LOG: u64 = 256 << 20;

fn is_mariadb(binary: &str) -> bool {
    binary.contains("mariadb")
}

/// The log has its whole size from the start: of two files before MySQL 8.0.30, which takes their sum, and of one in MariaDB from 10.5 on.
fn log_of_innodb(binary: &str, server: &BTreeMap<String, String>) -> u64 {
    let set = |wanted: &str| {
        let value = server.iter().find(|(name, _)| canonical_name(name) == wanted)?.1;
        in_bytes(value).or_else(|| value.trim().parse().ok())
    };
    if let Some(capacity) = set("innodb_redo_log_capacity") {
        return capacity;
    }
    let files = set("innodb_log_files_in_group").unwrap_or(if is_mariadb(binary) { 1 } else { 2 });
    set("innodb_log_file_size").unwrap_or(LOG).saturating_mul(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_takes_what_its_log_takes() {
        let mib = |binary: &str, set: &[(&str, &str)]| {
            let server = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            own_bytes(binary, &server) >> 20
        };
        assert_eq!(mib("mariadbd", &[]), 56 + 12 + 256);
        assert_eq!(mib("/opt/mysql/bin/mysqld", &[]), 98 + 12 + 512);
        assert_eq!(mib("mariadbd", &[("innodb-log-file-size", "1G")]), 56 + 12 + 1024);
        assert_eq!(mib("mysqld", &[("innodb_log_file_size", "67108864")]), 98 + 12 + 128);
        assert_eq!(mib("mysqld", &[("loose_innodb_redo_log_capacity", "2G")]), 98 + 12 + 2048);
        assert_eq!(mib("mysqld", &[("innodb_log_files_in_group", "4")]), 98 + 12 + 1024);
        let ours = super::super::mysql::DEFAULTS.iter().find(|(name, _)| *name == "innodb-log-file-size").unwrap();
        assert_eq!(in_bytes(ours.1), Some(LOG));
        assert_eq!((mib("postgres", &[]), mib("sqlite", &[])), (64, 0));
    }
}
