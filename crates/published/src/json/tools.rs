//! What certain tools write as JSON: data frames of pandas, which have the names of their columns beside the cells or numbers of rows as keys, and the
//! summary of memtier_benchmark.

use super::is_single;
use serde_json::{Map, Value};

/// The same value as other JSON has it, if an object is of such a tool.
pub(super) fn plain(map: &Map<String, Value>) -> Option<Value> {
    split_frame(map).or_else(|| indexed_frame(map)).or_else(|| memtier(map))
}

/// `to_json(orient="split")`: `{"columns": ["threads", "tps"], "index": [0, 1], "data": [[8, 1000], [16, 1800]]}`.
fn split_frame(map: &Map<String, Value>) -> Option<Value> {
    let (columns, data) = (map.get("columns")?.as_array()?, map.get("data")?.as_array()?);
    let is_row =
        |row: &Value| row.as_array().is_some_and(|row| row.len() == columns.len() && row.iter().all(is_single));
    // Of several levels of headings one says the figure and another what has it.
    let name = |column: &Value| match column {
        Value::Array(levels) => levels.iter().map(super::text).collect::<Vec<_>>().join(" "),
        column => super::text(column),
    };
    if columns.len() < 2 || data.is_empty() || !data.iter().all(is_row) {
        return None;
    }
    let head = Value::Array(columns.iter().map(|column| Value::from(name(column))).collect());
    Some(Value::Array(std::iter::once(head).chain(data.iter().cloned()).collect()))
}

/// `to_json()`: `{"threads": {"0": 8, "1": 16}, "tps": {"0": 1000, "1": 1800}}`.
fn indexed_frame(map: &Map<String, Value>) -> Option<Value> {
    let column = |value: &Value| -> Option<Value> {
        let cells = value.as_object()?;
        let in_order = (0..cells.len()).map(|n| cells.get(&n.to_string()).filter(|cell| is_single(cell)).cloned());
        Some(Value::Array(in_order.collect::<Option<_>>()?))
    };
    let columns: Map<String, Value> =
        map.iter().map(|(name, value)| Some((name.clone(), column(value)?))).collect::<Option<_>>()?;
    let lengths = || columns.values().filter_map(Value::as_array).map(Vec::len);
    let first = lengths().next().filter(|first| *first > 0)?;
    (columns.len() > 1 && lengths().all(|length| length == first)).then_some(Value::Object(columns))
}

/// `memtier_benchmark --json-out-file`: each of its threads has as many clients as the configuration says.
fn memtier(map: &Map<String, Value>) -> Option<Value> {
    let all = map.get("ALL STATS")?;
    let totals = all.get("Totals")?.as_object()?;
    let load = map.get("configuration")?;
    let clients = load.get("threads")?.as_u64()?.checked_mul(load.get("clients")?.as_u64()?)?;
    let mut row = Map::from_iter([("clients".to_owned(), Value::from(clients))]);
    if let Some(duration) = all.get("Runtime").and_then(|runtime| runtime.get("Total duration")) {
        row.insert("duration (ms)".to_owned(), duration.clone());
    }
    for name in ["Ops/sec", "Average Latency", "Min Latency", "Max Latency"] {
        if let Some(value) = totals.get(name) {
            let unit = if name.ends_with("Latency") { " (ms)" } else { "" };
            row.insert(format!("{name}{unit}"), value.clone());
        }
    }
    for (name, value) in totals.get("Percentile Latencies").and_then(Value::as_object).into_iter().flatten() {
        if name.starts_with('p') && value.is_number() {
            row.insert(format!("{name} (ms)"), value.clone());
        }
    }
    Some(Value::Array(vec![Value::Object(row)]))
}

#[cfg(test)]
mod tests {
    use crate::split;

    #[test]
    fn frames_and_summaries_are_the_tables_that_they_were() {
        let rows = |text: &str| -> Vec<String> {
            let tables = split::tables(text).unwrap_or_default();
            tables.iter().flat_map(|table| table.rows.iter().map(|(_, cells)| cells.join("|"))).collect()
        };
        let wanted = ["threads|tps", "8|1000", "16|1800"];
        assert_eq!(rows("{\"columns\":[\"threads\",\"tps\"],\"index\":[0,1],\"data\":[[8,1000],[16,1800]]}"), wanted);
        assert_eq!(rows("{\"threads\":{\"0\":8,\"1\":16},\"tps\":{\"0\":1000,\"1\":1800}}"), wanted);
        let memtier = "{\"ALL STATS\":{\"Runtime\":{\"Total duration\":60000},\"Totals\":{\"Ops/sec\":100000.5,\"KB/sec\":5,\
                       \"Average Latency\":2.0,\"Percentile Latencies\":{\"p99.00\":4.1}}},\"configuration\":{\"threads\":4,\"clients\":50}}";
        let wanted = ["clients|duration (ms)|Ops/sec|Average Latency (ms)|p99.00 (ms)", "200|60000|100000.5|2.0|4.1"];
        assert_eq!(rows(memtier), wanted);
    }
}
