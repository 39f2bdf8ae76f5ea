//! What the server says about itself: variables, status, and the queries that clients ask when they connect.

use crate::encode::{Column, Kind};
use crate::shape::{find, first_word, split, starts};
use crate::stats::Snapshot;

/// Its version; the prefix lets old replication clients pass and new ones skip it, as MariaDB does.
pub const VERSION: &str = "5.5.5-10.11.0-MariaDB-tenbin-null-server";

/// Variables as `SHOW VARIABLES` lists them: enough for clients and for a look at the limits beforehand.
const VARIABLES: &[(&str, &str)] = &[
    ("auto_increment_increment", "1"),
    ("autocommit", "ON"),
    ("character_set_client", "utf8mb4"),
    ("character_set_connection", "utf8mb4"),
    ("character_set_results", "utf8mb4"),
    ("character_set_server", "utf8mb4"),
    ("collation_connection", "utf8mb4_general_ci"),
    ("collation_server", "utf8mb4_general_ci"),
    ("hostname", "null"),
    ("init_connect", ""),
    ("innodb_buffer_pool_size", "134217728"),
    ("innodb_flush_log_at_trx_commit", "1"),
    ("interactive_timeout", "28800"),
    ("license", "MIT OR Apache-2.0"),
    ("local_infile", "ON"),
    ("lower_case_table_names", "0"),
    ("max_allowed_packet", "1073741824"),
    ("max_connections", "100000"),
    ("max_prepared_stmt_count", "4294967295"),
    ("max_user_connections", "0"),
    ("net_buffer_length", "16384"),
    ("performance_schema", "OFF"),
    ("query_cache_size", "0"),
    ("query_cache_type", "OFF"),
    ("sql_log_bin", "OFF"),
    ("sql_mode", "STRICT_TRANS_TABLES"),
    ("system_time_zone", "UTC"),
    ("thread_handling", "one-thread-per-connection"),
    ("time_zone", "SYSTEM"),
    ("transaction_isolation", "REPEATABLE-READ"),
    ("tx_isolation", "REPEATABLE-READ"),
    ("version", VERSION),
    ("version_comment", "answers at once, stores nothing"),
    ("wait_timeout", "28800"),
];

/// Columns and rows; `None` for NULL.
pub type Sheet = (Vec<Column>, Vec<Vec<Option<String>>>);

/// The answer to `SHOW …`. `figures` are the server's own; unknown things to show have no rows.
pub fn show(what: &str, figures: &Snapshot, uptime_s: u64) -> Sheet {
    let (word, rest) = first_word(what);
    let (word, rest) = match word.to_ascii_uppercase().as_str() {
        "GLOBAL" | "SESSION" | "LOCAL" => first_word(rest),
        _ => (word, rest),
    };
    match word.to_ascii_uppercase().as_str() {
        "VARIABLES" => pairs("Variable_name", VARIABLES.iter().map(|(n, v)| (*n, (*v).to_owned())), rest),
        "STATUS" => pairs("Variable_name", status(figures, uptime_s), rest),
        "NULL_SERVER" => pairs("name", figures.rows().iter().map(|(n, v)| (*n, v.to_string())), rest),
        "DATABASES" | "SCHEMAS" => (vec![Column::text("Database")], vec![vec![Some("sbtest".into())]]),
        other => (vec![Column::text(&format!("{other} {rest}"))], Vec::new()),
    }
}

/// The answer of `information_schema` about a table: every `sbtest…` is there in sysbench's shape, nothing else is.
pub fn catalogue(columns: &str, table: &str) -> Sheet {
    let there = table.starts_with("sbtest");
    if starts(columns, "COUNT(") {
        let column = Column { name: columns.to_owned(), kind: Kind::Int };
        return (vec![column], vec![vec![Some(u8::from(there).to_string())]]);
    }
    let value = |expression: &str, of: &str| match expression.to_ascii_uppercase().as_str() {
        "COLUMN_NAME" => Some(of.to_owned()),
        "TABLE_NAME" => Some(table.to_owned()),
        "TABLE_SCHEMA" => Some("sbtest".to_owned()),
        _ => None,
    };
    let expressions: Vec<&str> = split(columns).collect();
    let names: &[&str] = match (there, expressions.iter().any(|c| c.eq_ignore_ascii_case("COLUMN_NAME"))) {
        (false, _) => &[],
        (true, true) => &["id", "k", "c", "pad"],
        (true, false) => &[""],
    };
    let rows = names.iter().map(|name| expressions.iter().map(|c| value(c, name)).collect()).collect();
    (expressions.iter().map(|c| Column::text(c)).collect(), rows)
}

/// The answer to a SELECT without FROM; `Err` with the name of an unknown variable.
pub fn expressions(text: &str) -> Result<Sheet, String> {
    let text = find(text, " LIMIT ").map_or(text, |at| &text[..at]);
    let (mut columns, mut row) = (Vec::new(), Vec::new());
    for item in split(text) {
        let (expression, name) = match find(item, " AS ") {
            Some(at) => {
                (item[..at].trim(), item[at + 4..].trim_matches(|c: char| c.is_whitespace() || "`'\"".contains(c)))
            }
            None => (item, item),
        };
        let value = value(expression)?;
        let kind = if value.as_ref().is_some_and(|v| v.parse::<i64>().is_ok()) { Kind::Int } else { Kind::Text };
        columns.push(Column { name: name.to_owned(), kind });
        row.push(value);
    }
    Ok((columns, vec![row]))
}

fn value(expression: &str) -> Result<Option<String>, String> {
    if let Some(name) = expression.strip_prefix("@@") {
        let name = name.to_ascii_lowercase();
        let name = ["global.", "session.", "local."].iter().find_map(|p| name.strip_prefix(p)).unwrap_or(&name);
        let setting = VARIABLES.iter().find(|(n, _)| *n == name).ok_or(name)?.1;
        // As a value a switch is a number.
        return Ok(Some(match setting {
            "ON" => "1".into(),
            "OFF" => "0".into(),
            other => other.to_owned(),
        }));
    }
    let call = |name: &str| starts(expression, name);
    Ok(match expression {
        _ if call("DATABASE(") || call("SCHEMA(") => Some("sbtest".into()),
        _ if call("VERSION(") => Some(VERSION.into()),
        _ if call("USER(") || call("CURRENT_USER") || call("SESSION_USER(") => Some("root@localhost".into()),
        _ if call("CONNECTION_ID(") => Some("1".into()),
        _ if call("NULL") => None,
        number if number.parse::<f64>().is_ok() => Some(number.to_owned()),
        quoted if quoted.len() > 1 && quoted.starts_with(['\'', '"']) => Some(quoted[1..quoted.len() - 1].to_owned()),
        _ => Some("1".into()),
    })
}

fn status(figures: &Snapshot, uptime_s: u64) -> Vec<(&'static str, String)> {
    let figure = |name| figures.get(name).unwrap_or(0).to_string();
    vec![
        ("Connections", figure("connections")),
        ("Prepared_stmt_count", "0".into()),
        ("Queries", figure("queries")),
        ("Questions", figure("queries")),
        ("Threads_connected", figure("connections_open")),
        ("Threads_running", "1".into()),
        ("Uptime", uptime_s.to_string()),
    ]
}

/// Two columns, filtered by what `LIKE '…'` or `WHERE …= '…'` names.
fn pairs<'a>(name: &str, all: impl IntoIterator<Item = (&'a str, String)>, condition: &str) -> Sheet {
    let pattern = condition.split(['\'', '"']).nth(1);
    let rows = all
        .into_iter()
        .filter(|(n, _)| pattern.is_none_or(|p| like(n.as_bytes(), p.as_bytes())))
        .map(|(n, v)| vec![Some(n.to_owned()), Some(v)])
        .collect();
    (vec![Column::text(name), Column::text("Value")], rows)
}

/// SQL's LIKE with `%` and `_`, ignoring case.
fn like(text: &[u8], pattern: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((b'%', after)), _) => (0..=text.len()).any(|i| like(&text[i..], after)),
        (Some((b'_', after)), Some((_, rest))) => like(rest, after),
        (Some((p, after)), Some((t, rest))) => p.eq_ignore_ascii_case(t) && like(rest, after),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Stats;

    #[test]
    fn variables_are_found_by_name_and_pattern() {
        let (_, rows) = show("GLOBAL VARIABLES LIKE 'max_conn%'", &Stats::default().snapshot(), 0);
        assert_eq!(rows, [[Some("max_connections".to_owned()), Some("100000".to_owned())]]);
        let (columns, rows) =
            expressions("@@max_allowed_packet, @@session.autocommit AS a, 'x', NULL limit 1").unwrap();
        let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["@@max_allowed_packet", "a", "'x'", "NULL"]);
        assert_eq!(rows, [[Some("1073741824".to_owned()), Some("1".to_owned()), Some("x".to_owned()), None]]);
        assert_eq!(expressions("@@no_such_thing").unwrap_err(), "no_such_thing");
    }

    #[test]
    fn the_catalogue_knows_the_tables_of_sysbench() {
        let count = |table| catalogue("count(*)", table).1[0][0].clone();
        assert_eq!(count("sbtest12").as_deref(), Some("1"));
        assert_eq!(count("orders").as_deref(), Some("0"));
        let names = catalogue("COLUMN_NAME", "sbtest1").1.concat();
        assert_eq!(names.into_iter().flatten().collect::<Vec<_>>(), ["id", "k", "c", "pad"]);
    }

    #[test]
    fn the_list_is_in_order() {
        assert!(VARIABLES.is_sorted());
    }
}
