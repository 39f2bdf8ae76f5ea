//! Variables as clients of databases print them: SHOW VARIABLES and SHOW ALL in a frame, with tabs or one below the other, tables of
//! Markdown, and the JSON of cloud providers.

use super::keep;
use serde_json::Value;
use tenbin_model::postgres_units::with_unit;
use tenbin_model::variables::{self, ServerVariables};

/// The columns of a text that a client has printed, or `None` if it is not such a text. `file` names the column of a single server.
pub(super) fn read(text: &str, file: &str) -> Option<Vec<ServerVariables>> {
    let rows = json(text).or_else(|| one_below_the_other(text)).or_else(|| framed(text)).or_else(|| tabbed(text))?;
    let columns = of_rows(rows, file);
    columns.iter().any(|column| !column.values.is_empty() || !column.secret.is_empty()).then_some(columns)
}

/// Rows of cells; the first one may have headings.
type Rows = Vec<Vec<String>>;

/// The headings above the names and above the values.
const NAMES: [&str; 6] = ["variable_name", "name", "variable", "parameter", "setting", "parametername"];
const VALUES: [&str; 5] = ["value", "setting", "variable_value", "current_value", "parametervalue"];

/// Of names beside values: the values of a server in each column. Of `pg_settings` and of SHOW ALL the columns beside the value say
/// more about it, and are no servers.
pub(super) fn of_rows(rows: Rows, file: &str) -> Vec<ServerVariables> {
    let heads: Vec<String> =
        rows.first().map(|cells| cells.iter().map(|cell| cell.to_lowercase()).collect()).unwrap_or_default();
    let with_heads = heads.first().is_some_and(|head| NAMES.contains(&head.as_str()));
    let (name_at, value_at) =
        (0, heads.iter().skip(1).position(|head| VALUES.contains(&head.as_str())).map(|at| at + 1));
    let unit_at = heads.iter().position(|head| head == "unit");
    let is_one = !with_heads || value_at.is_some() && (heads.len() == 2 || is_of_settings(&heads));
    let names: Vec<String> = match is_one {
        true => vec![file.to_owned()],
        false => rows[0].iter().skip(1).cloned().collect(),
    };
    let mut columns: Vec<ServerVariables> =
        names.into_iter().map(|name| ServerVariables { name, ..ServerVariables::default() }).collect();
    for cells in rows.iter().skip(usize::from(with_heads)) {
        let Some(name) = cells.get(name_at).filter(|name| !name.is_empty()) else { continue };
        let name = variables::canonical_name(name);
        for (at, column) in columns.iter_mut().enumerate() {
            let place = if is_one { value_at.unwrap_or(1) } else { at + 1 };
            let Some(value) = cells.get(place) else { continue };
            let unit = unit_at.filter(|_| is_one).and_then(|at| cells.get(at));
            keep(column, name.clone(), with_unit(value, unit.map_or("", String::as_str)));
        }
    }
    columns
}

/// Whether the headings are those of PostgreSQL's pg_settings or of SHOW ALL.
pub(super) fn is_of_settings(heads: &[String]) -> bool {
    const BESIDE: [&str; 9] =
        ["unit", "category", "short_desc", "extra_desc", "context", "vartype", "source", "description", "boot_val"];
    heads.len() > 2
        && heads.iter().any(|head| head == "setting")
        && heads.iter().any(|head| BESIDE.contains(&head.as_str()))
}

/// `*** 1. row ***`, as `\G` prints it.
fn one_below_the_other(text: &str) -> Option<Rows> {
    if !text.lines().any(|line| line.starts_with("***") && line.contains(". row ***")) {
        return None;
    }
    let (mut all, mut name) = (Vec::new(), None);
    for (label, value) in text.lines().filter_map(|line| line.split_once(':')) {
        match label.trim().to_lowercase().as_str() {
            "variable_name" | "name" => name = Some(value.trim().to_owned()),
            "value" | "setting" | "variable_value" => {
                all.extend(name.take().map(|name| vec![name, value.trim().to_owned()]));
            }
            _ => {}
        }
    }
    (!all.is_empty()).then_some(all)
}

/// Rows between `|`: of `mysql -t`, of psql, of Markdown.
fn framed(text: &str) -> Option<Rows> {
    let is_rule = |line: &str| line.contains('-') && line.chars().all(|c| "+-|=: ".contains(c));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // The first row stands above or below a line of dashes.
    let rule = lines.iter().position(|line| is_rule(line))?;
    let head = if rule > 0 && lines[rule - 1].contains('|') { rule - 1 } else { rule + 1 };
    let rows = lines.iter().skip(head).take_while(|line| line.contains('|') || is_rule(line));
    let cells = |line: &&str| {
        let line = line.strip_prefix('|').unwrap_or(line);
        let line = line.strip_suffix('|').unwrap_or(line);
        line.split('|').map(|cell| cell.trim().trim_matches(['`', '*']).to_owned()).collect::<Vec<_>>()
    };
    let all: Rows = rows.filter(|line| !is_rule(line)).map(cells).collect();
    (all.len() > 1 && all[0].len() > 1).then_some(all)
}

/// A name, a tab and a value in each line, as `mysql -B` prints it.
fn tabbed(text: &str) -> Option<Rows> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    let all: Rows = lines
        .iter()
        .map(|line| line.split('\t').map(|cell| cell.trim_end_matches('\r').to_owned()).collect::<Vec<_>>())
        .filter(|cells| cells.len() > 1 && is_name(&cells[0]))
        .collect();
    (!all.is_empty() && 10 * all.len() >= 9 * lines.len()).then_some(all)
}

/// `aws rds describe-db-parameters`, the flags of Cloud SQL, and an object of names and values.
fn json(text: &str) -> Option<Rows> {
    if !text.trim_start().starts_with(['{', '[']) || text.trim_start().starts_with("[mysql") {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let list = ["Parameters", "databaseFlags", "parameters", "flags"].iter().find_map(|name| value.get(*name));
    let list = list.or_else(|| value.get("settings")?.get("databaseFlags")).unwrap_or(&value);
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    let pair = |entry: &Value| {
        let of = |names: &[&str]| names.iter().find_map(|name| word(entry.get(*name)?));
        Some(vec![
            of(&["ParameterName", "name", "Variable_name"])?,
            of(&["ParameterValue", "value", "Value", "setting"])?,
        ])
    };
    let rows: Rows = match list {
        Value::Array(all) => all.iter().filter_map(pair).collect(),
        Value::Object(all) => all.iter().filter_map(|(name, value)| Some(vec![name.clone(), word(value)?])).collect(),
        _ => Vec::new(),
    };
    (!rows.is_empty()).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each column as `name: variable=value, …`.
    fn shown(text: &str) -> String {
        let columns = read(text, "f").unwrap_or_default();
        let values = |column: &ServerVariables| {
            column.values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
        };
        columns.iter().map(|column| format!("{}: {}", column.name, values(column))).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn what_clients_print_is_read() {
        let framed = "+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| sync_binlog   | 1     |\n+---------------+-------+\n1 row in set\n";
        let psql = "      name      | setting |  unit | category\n----------------+---------+-------+------\n shared_buffers | 16384   | 8kB   | Memory\n(1 row)\n";
        let show_all = " name | setting | description\n------+---------+------\n fsync | on | Forces\n(1 row)\n";
        for (text, columns) in [
            (framed, "f: sync_binlog=1"),
            ("Variable_name\tValue\nsync_binlog\t1\nsql_mode\t\n", "f: sql_mode=, sync_binlog=1"),
            ("sync_binlog\t1\nmax_connections\t151\n", "f: max_connections=151, sync_binlog=1"),
            (
                "*************** 1. row ***************\nVariable_name: sync_binlog\n        Value: 1\n",
                "f: sync_binlog=1",
            ),
            (psql, "f: shared_buffers=131072kB"),
            (show_all, "f: fsync=on"),
            ("| Variable | A | B |\n|--|--|--|\n| `sync-binlog` | 0 | 1 |\n", "A: sync_binlog=0; B: sync_binlog=1"),
            (
                "{\"Parameters\":[{\"ParameterName\":\"sync_binlog\",\"ParameterValue\":\"1\"},{\"ParameterName\":\"x\"}]}",
                "f: sync_binlog=1",
            ),
            (
                "{\"settings\":{\"databaseFlags\":[{\"name\":\"max_connections\",\"value\":\"9\"}]}}",
                "f: max_connections=9",
            ),
            ("just words\nand more of them\n", ""),
        ] {
            assert_eq!(shown(text), columns, "{text}");
        }
    }
}
