//! The values that MySQL and MariaDB have for a variable that is not set, by version (`defaults.txt`, from the servers' own help):
//! what an option file leaves out has a value, too.

const TABLE: &str = include_str!("defaults.txt");
/// Where a version has none.
const NONE: &str = "-";

/// The defaults of a variable, in the order of the versions: each value with the versions that have it, `MySQL 5.6`. Empty if it is not
/// known.
pub fn of(variable: &str) -> Vec<(&'static str, Vec<String>)> {
    let mut rows = TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' '));
    let versions: Vec<&str> = rows.next().map(|heads| heads.skip(1).collect()).unwrap_or_default();
    let Some(values) = rows.find_map(|mut row| (row.next() == Some(variable)).then_some(row)) else {
        return Vec::new();
    };
    let mut all: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (value, version) in values.zip(versions).filter(|(value, _)| *value != NONE) {
        let version = version.replace("mysql-", "MySQL ").replace("mariadb-", "MariaDB ");
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

    #[test]
    fn versions_differ_where_their_manuals_say_so() {
        let text = |variable| {
            let each = of(variable).into_iter().map(|(value, versions)| format!("{value}: {}", versions.join(", ")));
            each.collect::<Vec<_>>().join("; ")
        };
        assert_eq!(text("sync_binlog"), "0: MySQL 5.6, MariaDB 10.11, MariaDB 11.4; 1: MySQL 5.7, MySQL 8.0");
        assert_eq!(text("log_bin"), "OFF: MySQL 5.6, MySQL 5.7, MariaDB 10.11, MariaDB 11.4; ON: MySQL 8.0");
        assert_eq!(text("innodb_flush_log_at_trx_commit").split(':').next(), Some("1"));
        assert_eq!(text("query_cache_type"), "OFF: MySQL 5.6, MySQL 5.7, MariaDB 10.11, MariaDB 11.4");
        assert_eq!(text("shared_buffers"), "");
    }

    #[test]
    fn each_row_has_a_value_for_each_version() {
        let rows: Vec<usize> =
            TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').count()).collect();
        assert!(rows.len() > 300 && rows.iter().all(|columns| *columns == rows[0]), "{rows:?}");
    }
}
