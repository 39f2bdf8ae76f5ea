//! The values that MySQL and MariaDB have for a variable that is not set, by version (`defaults.txt`, from the servers' own help and manual), and those of
//! PostgreSQL (`defaults_postgresql.txt`, from pg_settings): what an option file leaves out has a value, too.

use crate::same_name;
use std::collections::HashMap;
use std::sync::LazyLock;

const MYSQL: &str = include_str!("defaults.txt");
const POSTGRES: &str = include_str!("defaults_postgresql.txt");
/// Where a version has none.
const NONE: &str = "-";

/// The names of all variables in lower case, as PostgreSQL writes some with capital letters; whether MySQL or MariaDB has them, and PostgreSQL.
static NAMES: LazyLock<HashMap<String, (bool, bool)>> = LazyLock::new(|| {
    let mut all: HashMap<String, (bool, bool)> = HashMap::new();
    for name in rows(MYSQL).skip(1).filter_map(|mut row| row.next()) {
        all.entry(name.to_ascii_lowercase()).or_default().0 = true;
    }
    for name in rows(POSTGRES).skip(1).filter_map(|mut row| row.next()) {
        all.entry(name.to_ascii_lowercase()).or_default().1 = true;
    }
    all
});

/// Whether a server is known to have this variable, whatever its version.
pub fn is_known(name: &str) -> bool {
    same_name::all(&same_name::newest(name)).iter().any(|name| NAMES.contains_key(&name.to_ascii_lowercase()))
}

/// The defaults of the servers whose variables these are.
#[derive(Debug, Clone, Copy)]
pub struct Defaults(&'static str);

impl Defaults {
    /// Those of PostgreSQL if more of the names are known only there, otherwise those of MySQL and MariaDB.
    pub fn of_servers_with<'n>(names: impl Iterator<Item = &'n str>) -> Defaults {
        let (mut mysql, mut postgres) = (0, 0);
        for name in names {
            match NAMES.get(&name.to_ascii_lowercase()) {
                Some((true, false)) => mysql += 1,
                Some((false, true)) => postgres += 1,
                _ => {}
            }
        }
        Defaults(if postgres > mysql { POSTGRES } else { MYSQL })
    }

    /// The versions whose defaults are known: `MySQL 5.6`.
    pub fn versions(self) -> Vec<String> {
        rows(self.0).next().map(|heads| heads.skip(1).map(in_words).collect()).unwrap_or_default()
    }

    /// The defaults of a variable, in the order of the versions: each value with the versions that have it, `MySQL 5.6`. Empty if it is not
    /// known.
    pub fn of(self, variable: &str) -> Vec<(&'static str, Vec<String>)> {
        if !is_known(variable) {
            return Vec::new();
        }
        let names = [variable.to_owned()].into_iter().chain(same_name::all(&same_name::newest(variable)));
        names.map(|name| of(self.0, &name)).find(|all| !all.is_empty()).unwrap_or_default()
    }
}

/// Versions for a sentence, with the name of each product once: `MySQL 5.7, 8.0, MariaDB 11.4`.
pub fn in_short(versions: &[String]) -> String {
    let mut before = "";
    let each = versions.iter().map(|version| match version.split_once(' ') {
        Some((product, number)) if product == before => number,
        of => {
            before = of.map_or("", |(product, _)| product);
            version
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The rows of a table, each as its cells; the first one is its head.
fn rows(table: &'static str) -> impl Iterator<Item = std::str::Split<'static, char>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' '))
}

/// `MySQL 5.6` of `mysql-5.6`.
fn in_words(version: &str) -> String {
    version.replace("mysql-", "MySQL ").replace("mariadb-", "MariaDB ").replace("postgresql-", "PostgreSQL ")
}

fn of(table: &'static str, variable: &str) -> Vec<(&'static str, Vec<String>)> {
    let mut rows = rows(table);
    let versions: Vec<&str> = rows.next().map(|heads| heads.skip(1).collect()).unwrap_or_default();
    let Some(values) =
        rows.find_map(|mut row| row.next().is_some_and(|name| name.eq_ignore_ascii_case(variable)).then_some(row))
    else {
        return Vec::new();
    };
    let mut all: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (value, version) in values.zip(versions).filter(|(value, _)| *value != NONE) {
        let version = in_words(version);
        match all.iter_mut().find(|(known, _)| *known == value) {
            Some((_, versions)) => versions.push(version),
            None => all.push((value, vec![version])),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variables::is_own_to_server;

    #[test]
    fn versions_differ_where_their_manuals_say_so() {
        let text = |variable| {
            let all = Defaults::of_servers_with([variable, "log_bin"].into_iter());
            let each =
                all.of(variable).into_iter().map(|(value, versions)| format!("{value}: {}", versions.join(", ")));
            each.collect::<Vec<_>>().join("; ")
        };
        assert_eq!(
            text("sync_binlog"),
            "0: MySQL 5.6, MariaDB 10.11, MariaDB 11.4, MariaDB 11.8; 1: MySQL 5.7, MySQL 8.0, MySQL 8.4"
        );
        assert_eq!(
            text("log_bin"),
            "OFF: MySQL 5.6, MySQL 5.7, MariaDB 10.11, MariaDB 11.4, MariaDB 11.8; ON: MySQL 8.0, MySQL 8.4"
        );
        assert_eq!(
            text("innodb_io_capacity"),
            "200: MySQL 5.6, MySQL 5.7, MySQL 8.0, MariaDB 10.11, MariaDB 11.4, MariaDB 11.8; 10000: MySQL 8.4"
        );
        assert_eq!(text("innodb_change_buffering").split("; ").last(), Some("none: MySQL 8.4, MariaDB 10.11"));
        assert_eq!(text("innodb_flush_log_at_trx_commit").split(':').next(), Some("1"));
        assert_eq!(text("query_cache_type"), "OFF: MySQL 5.6, MySQL 5.7, MariaDB 10.11, MariaDB 11.4, MariaDB 11.8");
        assert_eq!(text("innodb_snapshot_isolation"), "OFF: MariaDB 10.11, MariaDB 11.4; ON: MariaDB 11.8");
        assert_eq!(text("shared_buffers"), "");
        let of_postgres = Defaults::of_servers_with(["max_connections", "shared_buffers"].into_iter());
        let of = |variable| {
            let all = of_postgres.of(variable).into_iter();
            all.map(|(value, versions)| format!("{value}: {}", in_short(&versions))).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(of("max_connections"), "100: PostgreSQL 13, 14, 15, 16, 17, 18");
        assert_eq!(of("effective_io_concurrency"), "1: PostgreSQL 13, 14, 15, 16, 17; 16: PostgreSQL 18");
        assert_eq!(of("password_encryption"), "md5: PostgreSQL 13; scram-sha-256: PostgreSQL 14, 15, 16, 17, 18");
        assert_eq!(of("io_method"), "worker: PostgreSQL 18");
        let both = ["MySQL 5.7", "MySQL 8.0", "MariaDB 10.11", "MySQL 9"].map(str::to_owned);
        assert_eq!(in_short(&both), "MySQL 5.7, 8.0, MariaDB 10.11, MySQL 9");
        assert_eq!(of_postgres.of("max_wal_size")[0].0, "1GB");
        assert_eq!(of_postgres.of("timezone")[0].0, "GMT");
        assert_eq!(text("transaction_isolation"), text("tx_isolation"));
        assert!(is_known("tx_isolation") && is_known("TimeZone") && is_known("work_mem") && !is_known("description"));
    }

    #[test]
    fn what_is_on_or_off_or_a_number_is_a_setting() {
        let has_setting = |row: std::str::Split<'static, char>| {
            row.skip(1).any(|value| ["ON", "OFF", "on", "off"].contains(&value) || value.parse::<f64>().is_ok())
        };
        for row in [MYSQL, POSTGRES].into_iter().flat_map(|table| rows(table).skip(1)) {
            let name = row.clone().next().unwrap();
            assert!(name.ends_with("_port") || !has_setting(row) || !is_own_to_server(name), "{name}");
        }
    }

    #[test]
    fn each_row_has_a_value_for_each_version() {
        for (table, least) in [(MYSQL, 300), (POSTGRES, 200)] {
            let rows: Vec<usize> = rows(table).map(Iterator::count).collect();
            assert!(rows.len() > least && rows.iter().all(|columns| *columns == rows[0]), "{rows:?}");
        }
    }
}
