//! Variables of servers side by side: which differ, and which of those are settings.

use std::collections::{BTreeMap, BTreeSet};

/// The variables of one server, or what an option file sets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerVariables {
    /// How the column is called.
    pub name: String,
    /// Values by name, in lower case and with `_`.
    pub values: BTreeMap<String, String>,
    /// Names of those that do not have the value that the server was built with, if it says.
    pub changed: Option<BTreeSet<String>>,
    /// It has only what is set, as an option file: what is missing has its default, which is not known.
    pub is_partial: bool,
}

/// One variable in all columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedVariable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value in each column; `None` if it does not exist there.
    pub values: Vec<Option<&'a str>>,
    /// How its values relate.
    pub likeness: Likeness,
}

/// How the values of a variable relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// The values are the same.
    Same,
    /// They differ.
    Different,
    /// They differ, but they are paths, addresses, identifiers or clocks: these differ on every server and do not affect
    /// results.
    OwnToServer,
    /// At least one server does not have it, so that it cannot be compared; the values that exist are the same.
    Missing,
}

/// All variables of all columns, in alphabetical order. If a column is partial, only those that it sets.
pub fn compare(columns: &[ServerVariables]) -> Vec<ComparedVariable<'_>> {
    let mut names: BTreeSet<&str> = columns.iter().flat_map(|c| c.values.keys()).map(String::as_str).collect();
    for partial in columns.iter().filter(|c| c.is_partial) {
        names.retain(|name| partial.values.contains_key(*name));
    }
    names
        .into_iter()
        .map(|name| {
            let values: Vec<Option<&str>> = columns.iter().map(|c| c.values.get(name).map(String::as_str)).collect();
            let mut there = values.iter().flatten().map(|value| plain(value));
            let first = there.next().unwrap_or_default();
            let likeness = match there.all(|other| other == first) {
                true if values.iter().any(Option::is_none) => Likeness::Missing,
                true => Likeness::Same,
                false if is_own_to_server(name) => Likeness::OwnToServer,
                false => Likeness::Different,
            };
            ComparedVariable { name, values, likeness }
        })
        .collect()
}

/// A name as servers show it: option files also have `-`, and `loose_` before names that the server may not know.
pub fn canonical_name(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase().replace('-', "_");
    name.strip_prefix("loose_").unwrap_or(&name).to_owned()
}

/// A value for comparison: `ON`, `YES`, `TRUE` and 1 are the same, `16M` is 16777216, the slash at the end of a
/// directory does not count, and neither do capital letters.
fn plain(value: &str) -> String {
    let value = value.trim().trim_matches(['"', '\'']).to_lowercase();
    let value = if value.len() > 1 { value.trim_end_matches('/') } else { &value };
    match value {
        "on" | "yes" | "true" => "1".to_owned(),
        "off" | "no" | "false" => "0".to_owned(),
        _ => bytes(value).map_or_else(|| value.to_owned(), |bytes| bytes.to_string()),
    }
}

/// A number with a suffix of size, as in option files (`16M`) and in PostgreSQL (`16MB`), in bytes.
fn bytes(value: &str) -> Option<u64> {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match &value[digits.len()..] {
        "k" | "kb" => 1 << 10,
        "m" | "mb" => 1 << 20,
        "g" | "gb" => 1 << 30,
        "t" | "tb" => 1 << 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// Whether a variable is a path, an address, an identifier of a server or a clock.
pub fn is_own_to_server(name: &str) -> bool {
    const WORDS: [&str; 18] = [
        "port",
        "socket",
        "hostname",
        "datadir",
        "tmpdir",
        "slave_load_tmpdir",
        "replica_load_tmpdir",
        "server_id",
        "server_uuid",
        "server_uid",
        "basedir",
        "secure_file_priv",
        "timestamp",
        "pseudo_thread_id",
        "gtid_executed",
        "gtid_purged",
        "rand_seed1",
        "rand_seed2",
    ];
    const ENDS: [&str; 8] = ["_dir", "_file", "_basename", "_index", "_error", "_socket", "_port", "_directory"];
    // Sizes of pools and logs do affect results, whatever their names end with.
    WORDS.contains(&name) || ENDS.iter().any(|e| name.ends_with(e)) && !name.contains("size")
}

/// The settings of servers in an option file: its groups for servers. Of a variable that is set several times the last
/// value counts.
pub fn of_option_file(name: &str, text: &str) -> ServerVariables {
    let mut values = BTreeMap::new();
    let mut ours = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';', '!'])) {
        if let Some(group) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            ours = is_of_servers(group.trim());
            continue;
        }
        if !ours {
            continue;
        }
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (canonical_name(name), without_comment(value).trim_matches(['"', '\'']).to_owned()),
            None => (canonical_name(without_comment(line)), "ON".to_owned()),
        };
        // The name of the log's files switches the log on.
        let is_log = name == "log_bin" && !["0", "off", "OFF"].contains(&value.as_str());
        values.insert(name, if is_log { "ON".to_owned() } else { value });
    }
    ServerVariables { name: name.to_owned(), values, changed: None, is_partial: true }
}

/// `mysqld`, `server`, `mariadb`, and these with a version: `mysqld-8.0`.
fn is_of_servers(group: &str) -> bool {
    let base = group.split(['-', '.']).next().unwrap_or_default();
    let base = base.trim_end_matches(|c: char| c.is_ascii_digit());
    ["mysqld", "server", "mariadb", "mariadbd", "galera", "client-server"].contains(&base) && group != "client"
}

fn without_comment(text: &str) -> &str {
    let end = text.find(" #").unwrap_or(text.len());
    text[..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(name: &str, values: &[(&str, &str)]) -> ServerVariables {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        ServerVariables { name: name.to_owned(), values, ..ServerVariables::default() }
    }

    fn likeness(a: &[(&str, &str)], b: &[(&str, &str)]) -> Vec<(String, Likeness)> {
        let columns = [server("a", a), server("b", b)];
        compare(&columns).into_iter().map(|row| (row.name.to_owned(), row.likeness)).collect()
    }

    #[test]
    fn values_are_compared_by_their_meaning() {
        let one = |a: &str, b: &str| likeness(&[("x", a)], &[("x", b)])[0].1;
        for (a, b) in [("ON", "1"), ("off", "NO"), ("16M", "16777216"), ("16MB", "16384kB"), ("/var/lib/", "/var/lib")]
        {
            assert_eq!(one(a, b), Likeness::Same, "{a} {b}");
        }
        for (a, b) in [("1", "2"), ("", "O_DIRECT"), ("16M", "16"), ("/", "")] {
            assert_eq!(one(a, b), Likeness::Different, "{a} {b}");
        }
        assert_eq!(likeness(&[("server_id", "1")], &[("server_id", "2")])[0].1, Likeness::OwnToServer);
        assert_eq!(
            likeness(&[("innodb_log_file_size", "1")], &[("innodb_log_file_size", "2")])[0].1,
            Likeness::Different
        );
        assert_eq!(likeness(&[("x", "1")], &[]), [("x".to_owned(), Likeness::Missing)]);
    }

    #[test]
    fn an_option_file_is_compared_in_what_it_sets() {
        let text = "# mine\n[client]\nport=1\n[mysqld]\ninnodb-buffer-pool-size = 1G # big\nskip_name_resolve\nlog-bin=mysql-bin\n\
                    loose-innodb_io_capacity = \"2000\"\n[mysqld-8.0]\nsync_binlog=0\n[mysqldump]\nquick\n";
        let file = of_option_file("my.cnf", text);
        let server = server(
            "db",
            &[
                ("innodb_buffer_pool_size", "1073741824"),
                ("skip_name_resolve", "ON"),
                ("log_bin", "ON"),
                ("innodb_io_capacity", "200"),
                ("sync_binlog", "1"),
                ("max_connections", "151"),
            ],
        );
        let columns = [file, server];
        let rows: Vec<(&str, Likeness)> = compare(&columns).iter().map(|row| (row.name, row.likeness)).collect();
        use Likeness::{Different, Same};
        assert_eq!(
            rows,
            [
                ("innodb_buffer_pool_size", Same),
                ("innodb_io_capacity", Different),
                ("log_bin", Same),
                ("skip_name_resolve", Same),
                ("sync_binlog", Different)
            ]
        );
    }
}
