//! Variables of servers side by side: which differ, and which of those are settings.

use crate::meaning::{agree, is_numbered, meant};
pub use crate::meaning::{in_bytes, plain};
use crate::{log_options, same_name};
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
    /// Names of those that were left out because they may hold a secret ([`tenbin_words::secret`]).
    pub secret: BTreeSet<String>,
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
    /// A file does not set it: its server has the default, which is not known.
    Unset,
    /// A server computes its value from what a file has, such as `{DBInstanceClassMemory*3/4}` or -1, and this is not known.
    Computed,
}

/// All variables of all columns, in alphabetical order. If columns are partial, only those that one of them sets. A variable that has
/// another name in another version is one variable, under the newest name that is there.
pub fn compare(columns: &[ServerVariables]) -> Vec<ComparedVariable<'_>> {
    let is_there = |name: &str| columns.iter().any(|column| column.values.contains_key(name));
    let is_in_all = |name: &str| columns.iter().all(|column| column.values.contains_key(name));
    let each = columns.iter().flat_map(|column| column.values.keys());
    let variables: BTreeSet<String> = each.map(|name| same_name::newest(name)).collect();
    let mut rows = Vec::new();
    for variable in variables {
        let mut names = same_name::all(&variable);
        names.retain(|name| is_there(name));
        // What all servers have under a name is compared under it, for as many names as they have.
        let whole: Vec<String> = names.iter().filter(|name| is_in_all(name)).cloned().collect();
        let of_names = if whole.is_empty() { vec![names] } else { whole.into_iter().map(|name| vec![name]).collect() };
        rows.extend(of_names.iter().filter_map(|names| row(columns, names)));
    }
    rows.sort_by_key(|row| row.name);
    rows
}

/// The variable that has these names, the newest first.
fn row<'a>(columns: &'a [ServerVariables], names: &[String]) -> Option<ComparedVariable<'a>> {
    let entry = |column: &'a ServerVariables| names.iter().find_map(|name| column.values.get_key_value(name));
    let is_set =
        |column: &&ServerVariables| column.is_partial && names.iter().any(|name| column.values.contains_key(name));
    if columns.iter().any(|column| column.is_partial) && !columns.iter().any(|column| is_set(&column)) {
        return None;
    }
    let name = names.iter().find_map(|name| columns.iter().find_map(|column| column.values.get_key_value(name)))?.0;
    let values: Vec<Option<&str>> = columns.iter().map(|column| Some(entry(column)?.1.as_str())).collect();
    let there: Vec<(&str, bool)> =
        values.iter().zip(columns).filter_map(|(value, column)| Some(((*value)?, column.is_partial))).collect();
    let is_unset = columns.iter().zip(&values).any(|(column, value)| column.is_partial && value.is_none());
    let are_alike = there.iter().enumerate().all(|(at, (value, is_partial))| {
        // Only switches of files are alike without being equal, which is not handed on from one to the next.
        let before = if columns.iter().any(|column| column.is_partial) { &there[..at] } else { &there[..at.min(1)] };
        before.iter().all(|(other, is_other)| agree(name, [value, other], [*is_partial, *is_other]))
    });
    let is_open = |(value, is_partial): &(&str, bool)| is_computed(name, value, *is_partial);
    let likeness = match are_alike {
        false if there.iter().any(is_open) => Likeness::Computed,
        true if is_unset && !is_own_to_server(name) => Likeness::Unset,
        true if values.iter().any(Option::is_none) => Likeness::Missing,
        true => Likeness::Same,
        // A certificate on one server and none on another is no path that differs.
        false if is_own_to_server(name) && !(name.starts_with("ssl_") && values.contains(&Some(""))) => {
            Likeness::OwnToServer
        }
        false => Likeness::Different,
    };
    Some(ComparedVariable { name, values, likeness })
}

/// Whether a server shows another value than the one that is written: a formula of parameter groups in a cloud or of a statement (`@@x + 1`), or
/// in a file the -1 by which a server is told to compute it (MySQL manual 7.1.8, PostgreSQL manual 19.4).
fn is_computed(name: &str, value: &str, is_partial: bool) -> bool {
    const BY_SERVER: [&str; 7] = [
        "wal_buffers",
        "back_log",
        "host_cache_size",
        "thread_cache_size",
        "table_definition_cache",
        "table_open_cache_instances",
        "innodb_open_files",
    ];
    let is_formula = value.split_once('{').is_some_and(|(_, rest)| {
        let name = rest.split('}').next().unwrap_or_default();
        rest.contains('}') && name.starts_with(|c: char| c.is_ascii_uppercase())
    });
    let is_own = BY_SERVER.contains(&name) || name.starts_with("performance_schema_");
    is_formula || value.contains("@@") || (is_partial && is_own && value.trim() == "-1")
}

/// A name as servers show it: option files also have `-`, and `loose_` before names that the server may not know.
pub fn canonical_name(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase().replace('-', "_");
    name.strip_prefix("loose_").unwrap_or(&name).to_owned()
}

/// The name and the value that a line of an option file sets, where no server says which variables there are (Program Option Modifiers,
/// MySQL manual 6.2.2.4): `skip-innodb-doublewrite` is `innodb_doublewrite = OFF`, but `skip_name_resolve` is a variable of its own.
pub fn of_file(name: &str, value: Option<&str>) -> (String, String) {
    const OWN: [&str; 12] = [
        "skip_name_resolve",
        "skip_networking",
        "skip_show_database",
        "skip_external_locking",
        "skip_replication",
        "skip_parallel_replication",
        "skip_slave_start",
        "skip_replica_start",
        "skip_grant_tables",
        "skip_host_cache",
        "skip_ssl_strict",
        "skip_character_set_client_handshake",
    ];
    let name = canonical_name(name);
    let is_on = value.is_none_or(|value| plain(value) != "0");
    let switch = |on: bool| if on { "ON" } else { "OFF" }.to_owned();
    if !OWN.contains(&name.as_str()) {
        for (prefix, on) in [("skip_", !is_on), ("disable_", !is_on), ("enable_", is_on)] {
            if let Some(variable) = name.strip_prefix(prefix) {
                return (variable.to_owned(), switch(on));
            }
        }
    }
    if let Some((variable, on)) = log_options::switched_by(&name, value) {
        return (variable.to_owned(), switch(on));
    }
    let value = value.map_or_else(|| switch(true), str::to_owned);
    (name, value)
}

/// Whether a server has the value that was asked for. Of a list of switches only those that are asked for count:
/// `mrr=on` is one of the many of `optimizer_switch`.
pub fn is_same(wanted: &str, value: &str) -> bool {
    let (wanted, value) = (plain(wanted), plain(value));
    let has = |item: &str| item.contains('=') && value.split(',').any(|there| there == item);
    // Servers show `long_query_time = 10` as 10.000000.
    let number = |text: &str| text.parse::<f64>().ok();
    let is_number = value.contains('.') && number(&value).is_some() && number(&value) == number(&wanted);
    wanted == value || is_number || wanted.split(',').all(has)
}

/// Whether a variable means the same by two values, in whatever words: `on` and `pglz` of `wal_compression`.
pub fn mean_same(name: &str, a: &str, b: &str) -> bool {
    meant(name, a) == meant(name, b)
}

/// Whether a variable of MySQL or MariaDB has the value that was asked for, in whatever words: `TRADITIONAL` for the modes that it stands for, 2 for
/// the third word of an enumeration, `default` for all switches of a list.
pub fn has_value(name: &str, wanted: &str, value: &str) -> bool {
    if is_same(wanted, value) || mean_same(name, wanted, value) {
        return true;
    }
    if is_of_switches(value) {
        let is_there = |item: &str| value.split(',').any(|there| there.eq_ignore_ascii_case(item));
        return wanted.split(',').map(str::trim).all(|item| is_default(item) || is_there(item));
    }
    // What the numbers of other words are is not known here: the server has taken it, or has said why not.
    let is_number = wanted.trim().parse::<u64>().is_ok_and(|number| number == 0 || !value.is_empty());
    is_number && plain(value).parse::<f64>().is_err() && !is_numbered(name)
}

/// Whether an item of a list of switches sets one of them, or all, to what the server was built with.
fn is_default(item: &str) -> bool {
    let item = item.rsplit_once('=').map_or(item, |(_, value)| value);
    item.eq_ignore_ascii_case("default")
}

/// Whether two names are of one variable, which versions call differently.
pub fn are_one(a: &str, b: &str) -> bool {
    same_name::newest(a) == same_name::newest(b)
}

/// Whether a value is the whole present one: of a list of switches all count.
pub fn is_whole(known: &str, value: &str) -> bool {
    is_same(known, value) && (plain(known) == plain(value) || !is_of_switches(value))
}

/// Whether a value is a list of switches: `mrr=on,index_merge=off`.
fn is_of_switches(value: &str) -> bool {
    value.split(',').all(|item| item.contains('='))
}

/// The value that somebody else has given a variable since it was shown as `ours`, without what was set for a run: of a list of switches, those that
/// they have left alone are as in `former`.
pub fn without_ours(now: &str, ours: &str, former: &str) -> String {
    if ![now, ours, former].into_iter().all(is_of_switches) {
        return now.to_owned();
    }
    let find = |text: &'_ str, name: &str| -> Option<String> {
        text.split(',').find(|item| item.split_once('=').is_some_and(|(of, _)| of == name)).map(str::to_owned)
    };
    let of = |item: &str| {
        let name = item.split_once('=').map_or(item, |(name, _)| name);
        let is_ours = find(ours, name).is_some_and(|ours| ours == item);
        find(former, name).filter(|_| is_ours).unwrap_or_else(|| item.to_owned())
    };
    now.split(',').map(of).collect::<Vec<_>>().join(",")
}

/// How the value of a variable relates to the one that was asked for by an option at the start of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TookEffect {
    /// The server has it.
    Yes,
    /// Both are numbers that differ: the server has rounded or limited it.
    Adjusted,
    /// The server has something else.
    No,
}

/// The variable that an option of MySQL or MariaDB sets, and the value that it then has; `None` if no variable shows it. `has`:
/// whether the server has a variable of this name (Program Option Modifiers, MySQL manual 6.2.2.4).
pub fn of_option(name: &str, value: &str, has: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let name = canonical_name(name);
    if has(&name) {
        return Some((name, value.to_owned()));
    }
    let is_on = plain(value) != "0";
    let setting = |variable: &str, on: bool| {
        has(variable).then(|| (variable.to_owned(), if on { "ON" } else { "OFF" }.to_owned()))
    };
    if let Some(variable) = name.strip_prefix("skip_").or_else(|| name.strip_prefix("disable_")) {
        return setting(variable, !is_on);
    }
    setting(name.strip_prefix("enable_")?, is_on)
}

/// Whether a variable has the value that an option asked for. Names, and words for several values (`sql_mode = TRADITIONAL`), are
/// shown in other words.
pub fn took_effect(name: &str, wanted: &str, value: &str) -> TookEffect {
    let (option, shown) = (plain(wanted), plain(value));
    let is_switch = ["on", "off", "yes", "no"].contains(&value.to_lowercase().as_str());
    let items = |text: &str| text.split(',').map(|item| item.trim().to_owned()).collect::<BTreeSet<_>>();
    let number = |text: &str| text.parse::<f64>().is_ok();
    if has_value(name, wanted, value) || items(&option).is_subset(&items(&shown)) {
        return TookEffect::Yes;
    }
    match (number(&option), number(&shown)) {
        // `--skip-name-resolve=` and `--log-bin=name` switch something on.
        _ if is_switch && (option.is_empty() || !number(&option)) && shown == "1" => TookEffect::Yes,
        _ if is_switch => TookEffect::No,
        (true, true) => TookEffect::Adjusted,
        // The number of a word in a list.
        (true, false) => TookEffect::Yes,
        // The beginning of a word, and `utf8` for `utf8mb3`.
        _ if !option.is_empty() && shown.starts_with(&option) => TookEffect::Yes,
        _ => TookEffect::No,
    }
}

/// An option of `mysqld` or `mariadbd` as it must be written: its name, and its value if it has one. `log_bin = OFF` would be a
/// binary log of this name.
pub fn written_option<'a>(name: &'a str, value: &'a str) -> (&'a str, Option<&'a str>) {
    match (canonical_name(name).as_str(), plain(value).as_str()) {
        ("log_bin", "0") => ("skip-log-bin", None),
        ("log_bin", "1") => ("log-bin", None),
        // Its value would be ignored.
        ("skip_log_bin", "1" | "") => ("skip-log-bin", None),
        ("skip_log_bin", "0") => ("log-bin", None),
        _ => (name, Some(value)),
    }
}

/// Whether the value of a variable changes while a server works, without being set.
pub fn changes_by_itself(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "innodb_thread_sleep_delay",
        "gtid_binlog_pos",
        "gtid_binlog_state",
        "gtid_current_pos",
        "gtid_slave_pos",
        "gtid_executed",
        "gtid_purged",
        "timestamp",
        "rand_seed1",
        "rand_seed2",
        "pseudo_thread_id",
        "tidb_current_ts",
    ];
    NAMES.contains(&name)
}

/// Whether a variable is a path, an address, an identifier of a server or a clock.
pub fn is_own_to_server(name: &str) -> bool {
    const WORDS: [&str; 37] = [
        "port",
        "extra_port",
        "bind_address",
        "admin_address",
        "report_host",
        "relay_log",
        "ssl_ca",
        "ssl_cert",
        "ssl_key",
        "ssl_capath",
        "statement_id",
        "wsrep_node_address",
        "wsrep_node_name",
        "wsrep_node_incoming_address",
        "listen_addresses",
        "unix_socket_directories",
        "cluster_name",
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
        "log_error",
        "log_bin_index",
        "relay_log_index",
    ];
    // Settings end with `_index` and `_error`, too: innodb_adaptive_hash_index.
    const ENDS: [&str; 7] = ["_dir", "_dir_path", "_file", "_basename", "_socket", "_port", "_directory"];
    // Sizes of pools and logs do affect results, whatever their names end with.
    WORDS.contains(&name) || ENDS.iter().any(|e| name.ends_with(e)) && !name.contains("size")
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
    fn sets_and_sizes_are_the_same_however_they_are_written() {
        for (name, a, b, is_same) in [
            ("sql_mode", "STRICT_TRANS_TABLES,ANSI", "ANSI,strict_trans_tables", true),
            ("sql_mode", "\"ANSI, PIPES_AS_CONCAT\"", "PIPES_AS_CONCAT,ANSI", true),
            ("sql_mode", "ANSI_QUOTES", "ANSI_QUOTES,PIPES_AS_CONCAT", false),
            ("optimizer_switch", "mrr=on,icp=off", "icp=off,mrr=on", true),
            ("init_connect", "a,b", "b,a", false),
            ("min_wal_size", "1 GB", "1024MB", true),
            ("min_wal_size", "'2 GB'", "1024MB", false),
            ("x", "1 glass", "1glass", false),
        ] {
            let same = likeness(&[(name, a)], &[(name, b)]) == [(name.to_owned(), Likeness::Same)];
            assert_eq!(same, is_same, "{name} {a} {b}");
        }
    }

    #[test]
    fn a_server_has_the_value_that_was_asked_for_however_it_writes_it() {
        for (wanted, value) in
            [("10", "10.000000"), ("0.5", "0.500000"), ("on", "1"), ("16M", "16777216"), ("mrr=on", "a=off,mrr=on")]
        {
            assert!(is_same(wanted, value), "{wanted} {value}");
        }
        for (wanted, value) in
            [("10", "10.500000"), ("10", "100"), ("8.0", "8.0.31"), ("x", "1.0"), ("mrr=on", "mrr=off")]
        {
            assert!(!is_same(wanted, value), "{wanted} {value}");
        }
    }

    #[test]
    fn all_switches_of_a_list_count_when_others_may_have_changed_it() {
        let (former, ours) = ("icp=on,mrr=off,mrr_cost_based=on", "icp=on,mrr=on,mrr_cost_based=on");
        let theirs = "icp=off,mrr=on,mrr_cost_based=on";
        assert!(is_same("mrr=on", theirs) && !is_whole("mrr=on", theirs) && !is_whole(ours, theirs));
        assert!(is_whole(ours, ours) && is_whole("10", "10.000000") && is_whole("ON", "1") && !is_whole("10", "11"));
        assert_eq!(without_ours(theirs, ours, former), "icp=off,mrr=off,mrr_cost_based=on");
        assert_eq!(without_ours("17", "5", "1"), "17");
    }

    #[test]
    fn an_option_is_compared_with_the_variable_that_shows_it() {
        let has = |name: &str| ["log_bin", "skip_name_resolve", "sql_mode", "max_connections"].contains(&name);
        for (name, value, variable, wanted) in [
            ("log-bin", "OFF", "log_bin", "OFF"),
            ("skip-log-bin", "", "log_bin", "OFF"),
            ("skip_log_bin", "OFF", "log_bin", "ON"),
            ("loose-disable-log-bin", "1", "log_bin", "OFF"),
            ("skip-name-resolve", "", "skip_name_resolve", ""),
        ] {
            assert_eq!(of_option(name, value, has), Some((variable.into(), wanted.into())), "{name} = {value}");
        }
        assert_eq!(of_option("plugin-load-add", "x", has), None);
        for (wanted, value, took) in [
            ("OFF", "ON", TookEffect::No),
            ("OFF", "OFF", TookEffect::Yes),
            ("", "ON", TookEffect::Yes),
            ("", "OFF", TookEffect::No),
            ("bin", "ON", TookEffect::Yes),
            ("2", "1", TookEffect::Adjusted),
            ("100M", "134217728", TookEffect::Adjusted),
            ("128M", "134217728", TookEffect::Yes),
            ("TRADITIONAL", "STRICT_ALL_TABLES,TRADITIONAL", TookEffect::Yes),
            ("utf8", "utf8mb3", TookEffect::Yes),
            ("O_DIRECT", "fsync", TookEffect::No),
        ] {
            assert_eq!(took_effect("x", wanted, value), took, "{wanted} {value}");
        }
        assert_eq!(written_option("log_bin", "OFF"), ("skip-log-bin", None));
        assert_eq!(written_option("log_bin", "name"), ("log_bin", Some("name")));
        assert_eq!(written_option("sync_binlog", "0"), ("sync_binlog", Some("0")));
    }

    #[test]
    fn a_server_shows_values_in_other_words() {
        const TRADITIONAL: &str = "STRICT_TRANS_TABLES,NO_ZERO_DATE,TRADITIONAL,NO_ENGINE_SUBSTITUTION";
        for (name, wanted, value) in [
            ("sql_mode", "TRADITIONAL", TRADITIONAL),
            ("sql_mode", "0", ""),
            ("character_set_server", "utf8", "utf8mb3"),
            ("query_cache_type", "2", "DEMAND"),
            ("concurrent_insert", "2", "ALWAYS"),
            ("log_output", "TABLE,FILE", "FILE,TABLE"),
            ("completion_type", "1", "CHAIN"),
            ("binlog_format", "1", "STATEMENT"),
            ("use_stat_tables", "2", "PREFERABLY"),
            ("optimizer_switch", "default", "index_merge=on,mrr=off"),
            ("optimizer_switch", "default,mrr=on", "index_merge=on,mrr=on"),
            ("time_zone", "+9:00", "+09:00"),
        ] {
            assert!(has_value(name, wanted, value), "{name}: {wanted} is {value}");
            assert_eq!(took_effect(name, wanted, value), TookEffect::Yes, "{name}: {wanted} is {value}");
        }
        for (name, wanted, value) in [
            ("sql_mode", "TRADITIONAL", "STRICT_TRANS_TABLES"),
            ("sql_mode", "ANSI_QUOTES", "ANSI_QUOTES,STRICT_TRANS_TABLES"),
            ("query_cache_type", "2", "ON"),
            ("optimizer_switch", "default,mrr=on", "index_merge=on,mrr=off"),
        ] {
            assert!(!has_value(name, wanted, value), "{name}: {wanted} is not {value}");
        }
        assert!(are_one("slow_query_log", "log_slow_query") && !are_one("innodb_io_capacity", "sync_binlog"));
    }

    #[test]
    fn the_name_of_a_variable_decides_what_its_number_means() {
        let same = |name: &str, a: &str, b: &str| likeness(&[(name, a)], &[(name, b)])[0].1 == Likeness::Same;
        for (name, a, b) in [
            ("long_query_time", "10", "10.000000"),
            ("shared_buffers", "4GB", "524288"),
            ("shared_buffers", "'4GB'", "4096MB"),
            ("checkpoint_timeout", "300", "5min"),
            ("statement_timeout", "60000", "1min"),
            ("work_mem", "4096", "4MB"),
        ] {
            assert!(same(name, a, b), "{name}: {a} and {b}");
        }
        for (name, a, b) in [
            ("server_version", "15.10", "15.1"),
            ("long_query_time", "10", "10.5"),
            ("shared_buffers", "4GB", "4294967296"),
            ("statement_timeout", "0", "1"),
            ("checkpoint_timeout", "5", "5min"),
        ] {
            assert!(!same(name, a, b), "{name}: {a} and {b}");
        }
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
        for name in ["server_id", "aria_log_dir_path", "log_error", "log_bin_index", "bind_address", "wsrep_node_name"]
        {
            assert_eq!(likeness(&[(name, "1")], &[(name, "2")])[0].1, Likeness::OwnToServer);
        }
        let of_tls = |other: &str| likeness(&[("ssl_ca", "/etc/ca.pem")], &[("ssl_ca", other)])[0].1;
        assert_eq!([of_tls("/srv/ca.pem"), of_tls("")], [Likeness::OwnToServer, Likeness::Different]);
        for name in
            ["innodb_log_file_size", "innodb_adaptive_hash_index", "tidb_enable_clustered_index", "exit_on_error"]
        {
            assert_eq!(likeness(&[(name, "1")], &[(name, "2")])[0].1, Likeness::Different, "{name}");
        }
        assert_eq!(likeness(&[("x", "1")], &[]), [("x".to_owned(), Likeness::Missing)]);
    }

    #[test]
    fn what_a_server_computes_is_not_known_to_differ() {
        let of = |name: &str, wanted: &str, value: &str| {
            let mut file = server("f", &[(name, wanted)]);
            file.is_partial = true;
            compare(&[file, server("db", &[(name, value)])])[0].likeness
        };
        for (name, wanted, value, likeness) in [
            ("innodb_buffer_pool_size", "{DBInstanceClassMemory*3/4}", "12884901888", Likeness::Computed),
            ("max_connections", "LEAST({DBInstanceClassMemory/9531392},5000)", "1700", Likeness::Computed),
            ("wal_buffers", "-1", "4096kB", Likeness::Computed),
            ("max_connections", "@@GLOBAL.max_connections + 100", "251", Likeness::Computed),
            ("back_log", "-1", "151", Likeness::Computed),
            ("wal_buffers", "-1", "-1", Likeness::Same),
            ("wal_buffers", "16MB", "4MB", Likeness::Different),
            ("statement_timeout", "-1", "0", Likeness::Different),
            ("init_connect", "{x}", "y", Likeness::Different),
        ] {
            assert_eq!(of(name, wanted, value), likeness, "{name} {wanted}");
        }
    }

    #[test]
    fn a_variable_has_one_row_whatever_a_version_calls_it() {
        let shown = |columns: &[ServerVariables]| {
            let each =
                compare(columns).into_iter().map(|row| format!("{} {:?} {:?}", row.name, row.values, row.likeness));
            each.collect::<Vec<_>>().join("; ")
        };
        let of = |name: &'static str, value: &'static str| server("a", &[(name, value)]);
        assert_eq!(
            shown(&[of("tx_isolation", "READ-COMMITTED"), of("transaction_isolation", "REPEATABLE-READ")]),
            r#"transaction_isolation [Some("READ-COMMITTED"), Some("REPEATABLE-READ")] Different"#
        );
        assert_eq!(
            shown(&[of("log_slave_updates", "ON"), of("log_replica_updates", "1")]),
            r#"log_replica_updates [Some("ON"), Some("1")] Same"#
        );
        let both = server("a", &[("slow_query_log", "ON"), ("log_slow_query", "ON")]);
        assert_eq!(
            shown(&[both.clone(), of("slow_query_log", "OFF")]),
            r#"slow_query_log [Some("ON"), Some("OFF")] Different"#
        );
        assert_eq!(compare(&[both.clone(), both]).len(), 2);
    }

    #[test]
    fn any_value_of_log_bin_in_a_file_is_a_name_of_files() {
        for (name, value, on) in [
            ("log-bin", Some("OFF"), "ON"),
            ("log_bin", Some("0"), "ON"),
            ("log-bin", None, "ON"),
            ("skip-log-bin", None, "OFF"),
        ] {
            assert_eq!(of_file(name, value), ("log_bin".to_owned(), on.to_owned()), "{name} {value:?}");
        }
    }

    #[test]
    fn a_partial_column_is_compared_in_what_it_sets() {
        let mut file = server("my.cnf", &[("sync_binlog", "0"), ("innodb_buffer_pool_size", "1G")]);
        file.is_partial = true;
        let of_server = [("innodb_buffer_pool_size", "1073741824"), ("sync_binlog", "1"), ("max_connections", "151")];
        let columns = [file, server("db", &of_server)];
        let rows: Vec<(&str, Likeness)> = compare(&columns).iter().map(|row| (row.name, row.likeness)).collect();
        assert_eq!(rows, [("innodb_buffer_pool_size", Likeness::Same), ("sync_binlog", Likeness::Different)]);
    }
}
