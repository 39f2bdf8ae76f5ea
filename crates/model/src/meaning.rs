//! What values of variables mean, for comparison: the same value is written in many ways, by people, in files and by servers.

use crate::postgres_units;
use std::collections::BTreeSet;
use tenbin_words::units;

/// The value of this variable for comparison: as [`plain`], with a number without a unit in the one that PostgreSQL has for it, and
/// without zeros after the last decimal place, which count in a version: 15.10 is not 15.1.
pub(crate) fn meant(name: &str, value: &str) -> String {
    let bare = value.trim().trim_matches(['"', '\'']).trim();
    if has_letters_that_count(name, bare) {
        return if bare.len() > 1 { bare.trim_end_matches('/') } else { bare }.to_owned();
    }
    let lower = bare.to_lowercase();
    if let Some(separator) = separator_of_set(name) {
        let mut members = members(value, separator);
        if name == "sql_mode" {
            members = without_implied(members);
        }
        members.sort();
        return plain(&members.join(","));
    }
    if LISTS.contains(&name) {
        return members(value, ',').join(",");
    }
    if let Some(word) = word(name, &lower) {
        return word;
    }
    match postgres_units::usual(name) {
        Some(unit) => plain(&postgres_units::with_unit(bare, unit)),
        None if name.contains("version") => plain(bare),
        None => without_zeros(&plain(bare)),
    }
}

/// Whether capital letters make another value: in paths, in formats, and in the names of databases and tables.
fn has_letters_that_count(name: &str, value: &str) -> bool {
    const ZONES: [&str; 3] = ["timezone", "log_timezone", "time_zone"];
    let is_of_names = (name.starts_with("replicate_") && ["_db", "_table"].iter().any(|end| name.ends_with(end)))
        || ["binlog_do_db", "binlog_ignore_db", "search_path", "temp_tablespaces", "cluster_name"].contains(&name)
        || name.ends_with("_prefix");
    is_of_names && !LISTS.contains(&name) || value.contains(['/', '\\', '%']) && !ZONES.contains(&name)
}

/// The members of a list, in small letters.
fn members(value: &str, separator: char) -> Vec<String> {
    let plain = |member: &str| {
        let member = member.trim().trim_matches(['"', '\'']).trim();
        match member.split_once('=') {
            Some((name, value)) => format!("{}={}", name.trim(), value.trim()),
            None => member.to_owned(),
        }
    };
    value.split(separator).map(|member| plain(member).to_lowercase()).filter(|member| !member.is_empty()).collect()
}

/// Variables whose values are sets (SET and switches in the manuals of MySQL and MariaDB; a parameter of PostgreSQL): the order of their
/// members says nothing.
const SETS: [&str; 12] = [
    "sql_mode",
    "old_mode",
    "optimizer_switch",
    "optimizer_trace",
    "optimizer_trace_features",
    "log_output",
    "tls_version",
    "admin_tls_version",
    "myisam_recover_options",
    "log_slow_filter",
    "log_slow_verbosity",
    "log_destination",
];

fn separator_of_set(name: &str) -> Option<char> {
    match name {
        "wsrep_provider_options" => Some(';'),
        _ => SETS.contains(&name).then_some(','),
    }
}

/// Lists of PostgreSQL whose order counts, but not the blanks behind their commas.
const LISTS: [&str; 6] = [
    "shared_preload_libraries",
    "session_preload_libraries",
    "local_preload_libraries",
    "search_path",
    "temp_tablespaces",
    "listen_addresses",
];

/// Modes of SQL that stand for several (Combination SQL Modes, MySQL manual 7.1.11; SQL_MODE, MariaDB knowledge base): servers show them and what
/// they stand for.
const MODES: [(&str, &[&str]); 7] = [
    (
        "traditional",
        &[
            "strict_trans_tables",
            "strict_all_tables",
            "no_zero_in_date",
            "no_zero_date",
            "error_for_division_by_zero",
            "no_auto_create_user",
            "no_engine_substitution",
        ],
    ),
    ("ansi", &["real_as_float", "pipes_as_concat", "ansi_quotes", "ignore_space", "only_full_group_by"]),
    ("oracle", OF_OTHER_SERVERS),
    ("mssql", OF_OTHER_SERVERS),
    ("db2", OF_OTHER_SERVERS),
    ("maxdb", OF_OTHER_SERVERS),
    ("postgresql", OF_OTHER_SERVERS),
];
const OF_OTHER_SERVERS: &[&str] = &[
    "pipes_as_concat",
    "ansi_quotes",
    "ignore_space",
    "no_key_options",
    "no_table_options",
    "no_field_options",
    "no_auto_create_user",
    "simultaneous_assignment",
];

fn without_implied(mut modes: Vec<String>) -> Vec<String> {
    for (mode, implied) in MODES {
        if modes.iter().any(|one| one == mode) {
            modes.retain(|one| !implied.contains(&one.as_str()));
        }
    }
    modes
}

/// The words of variables that also take their numbers, from 0 on.
const NUMBERED: [(&str, &[&str]); 11] = [
    ("concurrent_insert", &["never", "auto", "always"]),
    ("completion_type", &["no_chain", "chain", "release"]),
    ("query_cache_type", &["off", "on", "demand"]),
    ("delay_key_write", &["off", "on", "all"]),
    ("binlog_format", &["mixed", "statement", "row"]),
    ("binlog_row_image", &["minimal", "noblob", "full"]),
    ("binlog_error_action", &["ignore_error", "abort_server"]),
    ("log_timestamps", &["utc", "system"]),
    ("slave_exec_mode", &["strict", "idempotent"]),
    ("gtid_mode", &["off", "off_permissive", "on_permissive", "on"]),
    ("enforce_gtid_consistency", &["off", "on", "warn"]),
];

/// Words of parameters that mean the same: former ones, and those that stand for another.
const EQUAL: [(&str, &str, &str); 9] = [
    ("wal_level", "hot_standby", "replica"),
    ("wal_level", "archive", "replica"),
    ("wal_compression", "on", "pglz"),
    ("wal_compression", "true", "pglz"),
    ("wal_compression", "1", "pglz"),
    ("wal_compression", "yes", "pglz"),
    ("log_min_messages", "debug", "debug2"),
    ("log_min_error_statement", "debug", "debug2"),
    ("client_min_messages", "debug", "debug2"),
];

/// Whether the numbers that a variable takes for its words are known here.
pub(crate) fn is_numbered(name: &str) -> bool {
    NUMBERED.iter().any(|(variable, _)| *variable == name)
}

/// `+09:00` for `+9:00`, as servers show the time zone that is so far from UTC.
fn offset(value: &str) -> Option<String> {
    let (hours, minutes) = value.strip_prefix(['+', '-'])?.split_once(':')?;
    Some(format!("{}{:02}:{minutes}", &value[..1], hours.parse::<u8>().ok()?))
}

/// The word that a value in small letters stands for, of variables whose words or names of character sets have several.
fn word(name: &str, value: &str) -> Option<String> {
    if let Some((_, words)) = NUMBERED.iter().find(|(variable, _)| *variable == name)
        && let Some(word) = value.parse::<usize>().ok().and_then(|at| words.get(at))
    {
        return Some(plain(word));
    }
    if let Some((_, _, same)) = EQUAL.iter().find(|(variable, word, _)| *variable == name && *word == value) {
        return Some((*same).to_owned());
    }
    if let Some(offset) = offset(value).filter(|_| name == "time_zone") {
        return Some(offset);
    }
    let is_of_characters = name.contains("character_set") || name.contains("collation");
    let rest = value.strip_prefix("utf8").filter(|rest| rest.is_empty() || rest.starts_with('_'));
    rest.filter(|_| is_of_characters).map(|rest| format!("utf8mb3{rest}"))
}

/// Whether the values of a variable of switches agree, of which a file names only those that it sets: `mrr=on` is one of the many of
/// `optimizer_switch`.
pub(crate) fn agree(name: &str, [a, b]: [&str; 2], [is_a_partial, is_b_partial]: [bool; 2]) -> bool {
    const SWITCHES: [&str; 2] = ["optimizer_switch", "wsrep_provider_options"];
    let (a, b) = (meant(name, a), meant(name, b));
    let set = |value: &str| value.split(',').map(str::to_owned).collect::<BTreeSet<_>>();
    let is_part = |part: &str, whole: &str| SWITCHES.contains(&name) && set(part).is_subset(&set(whole));
    a == b || is_a_partial && !is_b_partial && is_part(&a, &b) || is_b_partial && !is_a_partial && is_part(&b, &a)
}

/// A value for comparison: `ON`, `YES`, `TRUE` and 1 are the same, `16M` is 16777216, the slash at the end of a
/// directory does not count, and neither do capital letters; times of PostgreSQL are in milliseconds.
pub fn plain(value: &str) -> String {
    let value = value.trim().trim_matches(['"', '\'']).to_lowercase();
    let value = if value.len() > 1 { value.trim_end_matches('/') } else { &value };
    match value {
        "on" | "yes" | "true" => "1".to_owned(),
        "off" | "no" | "false" => "0".to_owned(),
        _ => match in_bytes(value).or_else(|| product(value)) {
            Some(number) => number.to_string(),
            None => postgres_units::in_milliseconds(value).unwrap_or_else(|| value.to_owned()),
        },
    }
}

/// A number as people write it: `64*1024*1024`, `134,217,728`.
fn product(value: &str) -> Option<u64> {
    if value.contains('*') {
        let mut factors = value.split('*').map(|factor| factor.trim().parse::<u64>().ok());
        return factors.try_fold(1_u64, |product, factor| product.checked_mul(factor?));
    }
    let mut groups = value.split(',');
    let first = groups.next()?;
    let is_first = !first.is_empty() && first.len() <= 3 && first.bytes().all(|b| b.is_ascii_digit());
    let has_groups =
        value.contains(',') && groups.all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()));
    (is_first && has_groups).then(|| value.replace(',', "").parse().ok()).flatten()
}

/// A decimal number without the zeros at its end, with one before its point.
fn without_zeros(value: &str) -> String {
    match value.split_once('.') {
        Some((whole, places))
            if !places.is_empty()
                && places.bytes().all(|b| b.is_ascii_digit())
                && (whole.is_empty() || whole.parse::<i64>().is_ok()) =>
        {
            let whole = if whole.is_empty() { "0" } else { whole };
            format!("{whole}.{places}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => value.to_owned(),
    }
}

/// A number with a suffix of size, in bytes. PostgreSQL writes `16MB` for what option files write as `16M`, and people write `16 MiB`; it
/// also takes `1.5GB`.
pub fn in_bytes(value: &str) -> Option<u64> {
    if value.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // PostgreSQL allows blanks before the unit: `1 GB`.
    let value = match value.split_once(' ') {
        Some((number, unit)) if number.ends_with(|c: char| c.is_ascii_digit()) => {
            format!("{number}{}", unit.trim_start())
        }
        _ => value.to_owned(),
    };
    let Some(short) = value.strip_suffix(['b', 'B']) else { return units::binary_size(&value) };
    let is_unit = |rest: &&str| rest.ends_with(['k', 'm', 'g', 't', 'K', 'M', 'G', 'T']);
    let short = short.strip_suffix(['i', 'I']).filter(is_unit).unwrap_or(short);
    let Some((whole, rest)) = short.split_once('.') else { return units::binary_size(short) };
    let places = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    let unit = units::binary_size(&format!("1{}", &rest[places.len()..]))?;
    let bytes = format!("{whole}.{places}").parse::<f64>().ok()? * unit as f64;
    (bytes.fract() == 0.0 && bytes < 2_f64.powi(53)).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::{agree, in_bytes, meant};

    #[test]
    fn the_name_of_a_variable_decides_which_words_are_the_same() {
        for (name, a, b) in [
            ("concurrent_insert", "2", "ALWAYS"),
            ("query_cache_type", "1", "ON"),
            ("wal_level", "hot_standby", "replica"),
            ("wal_compression", "on", "pglz"),
            ("log_min_messages", "DEBUG", "debug2"),
            ("time_zone", "+9:00", "+09:00"),
            ("character_set_server", "utf8", "utf8mb3"),
            ("collation_server", "utf8_general_ci", "utf8mb3_general_ci"),
            ("sql_mode", "TRADITIONAL", "STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_DATE,TRADITIONAL"),
            ("sql_mode", "ansi", "REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ANSI"),
            ("wsrep_provider_options", "gcache.size = 1G; base_port=1", "base_port=1;gcache.size=1G;"),
            ("search_path", "\"$user\", public", "\"$user\",public"),
            ("log_destination", "csvlog,stderr", "stderr, csvlog"),
            ("long_query_time", ".5", "0.500000"),
            ("max_allowed_packet", "64*1024*1024", "64M"),
            ("innodb_buffer_pool_size", "134,217,728", "128 MiB"),
            ("work_mem", "1.5GB", "1536MB"),
            ("statement_timeout", "0", "0ms"),
            ("autovacuum_vacuum_cost_delay", "0.5", "500us"),
            ("vacuum_cost_delay", "0.7", "700us"),
            ("log_temp_files", "10MB", "10240"),
            ("auto_explain.log_min_duration", "3s", "3000"),
            ("timezone", "Asia/Tokyo", "asia/tokyo"),
            ("innodb_flush_method", "o_direct", "O_DIRECT"),
            ("tmpdir", "/tmp/", "/tmp"),
            ("replicate_same_server_id", "ON", "1"),
            ("replicate_annotate_row_events", "on", "TRUE"),
        ] {
            assert_eq!(meant(name, a), meant(name, b), "{name}: {a} and {b}");
        }
        for (name, a, b) in [
            ("concurrent_insert", "2", "AUTO"),
            ("time_zone", "+9:00", "-09:00"),
            ("wal_compression", "on", "lz4"),
            ("character_set_server", "utf8", "utf8mb4"),
            ("sql_mode", "TRADITIONAL", "STRICT_TRANS_TABLES"),
            ("search_path", "a, b", "b, a"),
            ("replicate_do_db", "Shop", "shop"),
            ("replicate_wild_ignore_table", "Shop.%", "shop.%"),
            ("log_line_prefix", "%m [%p] ", "%m [%P] "),
            ("innodb_data_home_dir", "/data/A", "/data/a"),
            ("long_query_time", "1.", "1"),
        ] {
            assert_ne!(meant(name, a), meant(name, b), "{name}: {a} and {b}");
        }
        assert_eq!(["0.3GB", "x.5GB", "1.5G", "1ib"].map(in_bytes), [None; 4]);
    }

    #[test]
    fn a_file_names_the_switches_that_it_sets() {
        let list = "index_merge=on,mrr=on,mrr_cost_based=off";
        for (a, b, partial, is_same) in [
            ("mrr=on", list, [true, false], true),
            ("mrr=off", list, [true, false], false),
            (list, "mrr=on,index_merge=on", [false, true], true),
            ("mrr=on", "mrr=on,index_merge=on", [true, true], false),
        ] {
            assert_eq!(agree("optimizer_switch", [a, b], partial), is_same, "{a} {b}");
        }
        assert!(!agree("init_connect", ["a", "a,b"], [true, false]));
    }
}
