//! Results as JSON: a list of objects, objects on lines of their own, an object of lists, or a list of lists.

mod keyed;
mod tools;

use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::raw_table::{Extent, RawTable, Rows};
use serde_json::{Map, Value};
use tenbin_words::message::Message;

/// Objects within objects are read to this depth: `latency.p95` is a column.
const DEEPEST: usize = 4;

/// A larger text is not read: its values take many times its size.
const MOST_BYTES: usize = 16 << 20;

/// The tables of a text that is JSON, or `None` if it is not.
pub fn tables(text: &str) -> Result<Option<Vec<RawTable>>, Message> {
    if text.len() > MOST_BYTES || !text.trim_start().starts_with(['[', '{']) {
        return Ok(None);
    }
    let of_lines = || {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(n, line)| Some((n as u64 + 1, serde_json::from_str(line).ok()?))).collect()
    };
    let (mut all, mut extent) = (Vec::new(), Extent::default());
    match serde_json::from_str::<Value>(text) {
        Ok(value) => return Ok(Some(of_value(&value)?).filter(|all| !all.is_empty())),
        Err(_) => match of_lines() {
            Some(lines) => all.extend(table(String::new(), lines, &mut extent)?),
            None => return Ok(None),
        },
    }
    Ok(Some(all).filter(|all| !all.is_empty()))
}

/// The tables of a value.
pub fn of_value(value: &Value) -> Result<Vec<RawTable>, Message> {
    let (mut all, mut extent) = (Vec::new(), Extent::default());
    within(value, "", 0, &mut all, &mut extent)?;
    Ok(all)
}

/// The tables of a value and of what is in it.
fn within(
    value: &Value,
    name: &str,
    depth: usize,
    all: &mut Vec<RawTable>,
    extent: &mut Extent,
) -> Result<(), Message> {
    let other = value.as_object().and_then(|map| tools::plain(map).or_else(|| keyed::shared(map)));
    if let Some(other) = other.filter(|_| depth < DEEPEST) {
        return within(&other, name, depth + 1, all, extent);
    }
    match value {
        Value::Array(items) => {
            let rows = (1..).zip(items.iter().flat_map(keyed::each)).collect();
            all.extend(table(name.to_owned(), rows, extent)?);
        }
        Value::Object(map) if depth < DEEPEST => match of_lists(map, extent)? {
            Some(rows) => {
                all.push(RawTable { caption: name.to_owned(), rows, has_points: true, ..RawTable::default() })
            }
            None => {
                let before = all.len();
                if let Some(rows) = keyed::rows(map, depth) {
                    all.extend(table(name.to_owned(), rows, extent)?);
                } else if keyed::has_lists(map) {
                    for (key, value) in map.iter().filter(|(_, value)| keyed::has_objects(value)) {
                        within(&keyed::with_load(map, key, value), key, depth + 1, all, extent)?;
                    }
                }
                if all.len() == before {
                    all.extend(table(name.to_owned(), vec![(1, value.clone())], extent)?);
                }
            }
        },
        _ => {}
    }
    Ok(())
}

/// The rows of an object whose members are columns: `{"threads": [8, 16], "tps": [1000, 1500]}`.
fn of_lists(map: &Map<String, Value>, extent: &mut Extent) -> Result<Option<Rows>, Message> {
    let Some(columns) = columns(map) else { return Ok(None) };
    let mut rows = vec![(1, columns.iter().map(|(name, _)| without_list(name).to_owned()).collect())];
    for at in 0..columns[0].1.len() {
        extent.take(columns.len())?;
        rows.push((at as u64 + 1, columns.iter().map(|(_, list)| text(list[at])).collect()));
    }
    Ok(Some(rows))
}

/// Whether a value is no list and no object.
pub(crate) fn is_single(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// The members of an object that are columns, lists of as many single values, with what stands beside them and is of their load. One list alone is a column if
/// its name is that of a rate or a response time.
fn columns(map: &Map<String, Value>) -> Option<Vec<(&String, Vec<&Value>)>> {
    let lists: Vec<(&String, &Vec<Value>)> =
        map.iter().filter_map(|(key, value)| value.as_array().map(|list| (key, list))).collect();
    let n = lists.first().map_or(0, |(_, list)| list.len());
    let is_column = |(_, list): &(&String, &Vec<Value>)| list.len() == n && list.iter().all(is_single);
    let is_figure = |key: &str| match heading::read(without_list(key)) {
        HeadingMeaning::Figure(kind, _, None) => heading::is_rate(kind) || kind.measure() == Measure::Milliseconds,
        _ => false,
    };
    let enough = lists.len() > 1 || (n > 1 && lists.iter().all(|(key, _)| is_figure(key)));
    if n == 0 || !enough || !lists.iter().all(is_column) || map.values().any(Value::is_object) {
        return None;
    }
    let all = map.iter().filter(|(key, value)| value.is_array() || keyed::is_of_load(key));
    Some(
        all.map(|(key, value)| match value {
            Value::Array(list) => (key, list.iter().collect()),
            value => (key, vec![value; n]),
        })
        .collect(),
    )
}

/// The name of a figure without the word for several of it: `tps_list`.
fn without_list(name: &str) -> &str {
    const SEVERAL: [&str; 6] = ["_list", "List", "_array", "_values", "_samples", "_series"];
    let is_figure = |name: &&str| matches!(heading::read(name), HeadingMeaning::Figure(_, _, None));
    SEVERAL.iter().find_map(|of| name.strip_suffix(of)).filter(is_figure).unwrap_or(name)
}

/// The table of a list of objects, or of one of lists of which the first has the headings.
fn table(caption: String, items: Vec<(u64, Value)>, extent: &mut Extent) -> Result<Option<RawTable>, Message> {
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    let of_lists =
        items.len() > 1 && items.iter().all(|(_, item)| item.as_array().is_some_and(|list| list.iter().all(is_plain)));
    if of_lists {
        let mut rows = Vec::new();
        for (line, item) in &items {
            let cells: Vec<String> = item.as_array().into_iter().flatten().map(text).collect();
            extent.take(cells.len())?;
            rows.push((*line, cells));
        }
        return Ok(Some(RawTable { caption, rows, has_points: true, ..RawTable::default() }));
    }
    let (mut names, mut places, mut rows) = (Vec::new(), std::collections::HashMap::new(), Vec::new());
    for (line, item) in &items {
        let Value::Object(map) = item else { return Ok(None) };
        let (mut cells, mut pairs) = (Vec::new(), Vec::new());
        flat(map, "", 0, &mut pairs);
        without_containers(&mut pairs);
        for (name, value) in pairs {
            let at = *places.entry(name.clone()).or_insert(names.len());
            if at == names.len() {
                extent.columns(at)?;
                names.push(name.trim().to_owned());
            }
            cells.resize(cells.len().max(at + 1), String::new());
            cells[at] = text(value);
        }
        extent.take(cells.len())?;
        rows.push((*line, cells));
    }
    // The latency of sysbench's JSON is the percentile that was asked for.
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if has("qps reads") && has("qps writes") && has("reconnects") {
        names.iter_mut().filter(|name| *name == "latency").for_each(|name| name.push_str(" (percentile)"));
    }
    rows.insert(0, (rows.first().map_or(1, |(line, _)| *line), names));
    Ok((rows.len() > 1).then_some(RawTable { caption, rows, has_points: true, ..RawTable::default() }))
}

/// The values of an object and of the objects within it, by their names: `{"latency": {"p95": 12, "unit": "ms"}}` is `latency p95 (ms)`.
fn flat<'v>(map: &'v Map<String, Value>, above: &str, depth: usize, pairs: &mut Vec<(String, &'v Value)>) {
    let is_unit = |key: &str| !above.is_empty() && ["unit", "units"].contains(&key.to_ascii_lowercase().as_str());
    let unit = map.iter().find(|(key, value)| is_unit(key) && value.is_string()).and_then(|(_, unit)| unit.as_str());
    let unit = unit.map_or(String::new(), |unit| format!(" ({unit})"));
    for (key, value) in map {
        // `{"tps": {"value": 1000}}` and `{"transactions": {"total": 60000}}` are figures of the name above them.
        let is_of_above = match key.to_ascii_lowercase().as_str() {
            "value" => !above.is_empty(),
            "total" | "count" => is_of_count(above),
            _ => false,
        };
        let name = match above {
            "" => key.clone(),
            above if is_of_above => above.to_owned(),
            above => format!("{above} {key}"),
        };
        match value {
            Value::Object(inner) if depth < DEEPEST => flat(inner, &name, depth + 1, pairs),
            Value::Array(_) | Value::Object(_) => {}
            _ if is_unit(key) && value.is_string() => {}
            value => pairs.push((name + &unit, value)),
        }
    }
}

/// Whether a name is that of a number of something.
fn is_of_count(name: &str) -> bool {
    use FigureKind::{Failed, Queries, Reads, Retried, Transactions, Writes};
    let last = name.rsplit(' ').next().unwrap_or(name);
    matches!(
        heading::read(last),
        HeadingMeaning::Figure(Failed | Queries | Reads | Retried | Transactions | Writes, _, None)
    )
}

/// Names without the keys above them that say nothing of a value (`config`, `result`), unless two names would be the same.
fn without_containers(pairs: &mut [(String, &Value)]) {
    let short = |name: &str| {
        let mut rest = name;
        while let Some((first, after)) = rest.split_once(' ')
            && CONTAINERS.contains(&first.to_ascii_lowercase().as_str())
        {
            rest = after;
        }
        rest.to_owned()
    };
    let mut seen = std::collections::HashSet::new();
    if pairs.iter().all(|(name, _)| seen.insert(short(name))) {
        pairs.iter_mut().for_each(|(name, _)| *name = short(name));
    }
}

/// Keys of what is configured and of what came out.
const CONTAINERS: [&str; 22] = [
    "config",
    "configuration",
    "settings",
    "params",
    "parameters",
    "options",
    "args",
    "input",
    "meta",
    "metadata",
    "result",
    "results",
    "output",
    "outputs",
    "metrics",
    "stats",
    "statistics",
    "summary",
    "figures",
    "values",
    "measurements",
    "performance",
];

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::split;

    fn rows(text: &str) -> Vec<String> {
        let row = |(line, cells): &(u64, Vec<String>)| format!("{line}: {}", cells.join("|"));
        split::tables(text).unwrap().iter().flat_map(|table| table.rows.iter().map(row)).collect()
    }

    #[test]
    fn each_form_has_its_headings_and_rows() {
        let wanted = ["1: threads|tps", "1: 8|1000", "2: 16|1500.5"];
        for text in [
            "[{\"threads\":8,\"tps\":1000},{\"threads\":16,\"tps\":1500.5}]",
            "{\"threads\":8,\"tps\":1000}\n{\"threads\":16,\"tps\":1500.5}\n",
            "{\"threads\":[8,16],\"tps\":[1000,1500.5]}",
            "{\"run\":{\"results\":[{\"threads\":8,\"tps\":\"1000\"},{\"threads\":16,\"tps\":1500.5}]}}",
        ] {
            assert_eq!(rows(text), wanted, "{text}");
        }
        let within = "[{\"config\":{\"threads\":8},\"result\":{\"tps\":1,\"latency\":{\"avg\":2}}}]";
        assert_eq!(rows(within), ["1: threads|tps|latency avg", "1: 8|1|2"]);
        let units = "{\"threads\":8,\"tps\":{\"mean\":1,\"p95\":2},\"latency\":{\"p50\":3,\"unit\":\"us\"},\"rate\":{\"value\":4,\"unit\":\"tps\"}}";
        assert_eq!(rows(units), ["1: threads|tps mean|tps p95|latency p50 (us)|rate (tps)", "1: 8|1|2|3|4"]);
        let beside = "{\"threads\":8,\"note\":\"x\",\"mean\":2,\"tps\":[1,3]}";
        assert_eq!(rows(beside), ["1: threads|tps", "1: 8|1", "2: 8|3"]);
        let same = "[{\"config\":{\"tps\":8},\"result\":{\"tps\":1}}]";
        assert_eq!(rows(same), ["1: config tps|result tps", "1: 8|1"]);
        assert_eq!(rows("[[\"threads\",\"tps\"],[8,1000]]"), ["1: threads|tps", "2: 8|1000"]);
        let shared = "{\"threads\":[8,16],\"a\":{\"tps\":[1,2]},\"b\":{\"tps\":[3,4]}}";
        assert_eq!(rows(shared), ["1: |threads|tps", "1: a|8|1", "2: a|16|2", "3: b|8|3", "4: b|16|4"]);
        let histogram = "{\"threads\":8,\"tps\":1,\"histogram\":[[1,5],[2,10]]}";
        assert_eq!(rows(histogram), ["1: threads|tps", "1: 8|1"]);
        let nested = "[{\"threads\":8,\"latency\":{\"avg\":8,\"p95\":null}},{\"threads\":9,\"tps\":1}]";
        assert_eq!(rows(nested), ["1: threads|latency avg|latency p95|tps", "1: 8|8|", "2: 9|||1"]);
    }

    #[test]
    fn keys_that_tell_results_apart_are_a_column() {
        let one = |tps: u32| format!("{{\"tps\":{tps},\"avg_ms\":8}}");
        for (text, wanted) in [
            (format!("{{\"a\":{},\"b\":{}}}", one(1), one(2)), ["1: |tps|avg_ms", "1: a|1|8", "2: b|2|8"]),
            (format!("{{\"a\":[{}],\"b\":[{}]}}", one(1), one(2)), ["1: |tps|avg_ms", "1: a|1|8", "2: b|2|8"]),
            (
                format!("{{\"a\":{{\"runs\":[{}]}},\"b\":{{\"runs\":[{}]}}}}", one(1), one(2)),
                ["1: |tps|avg_ms", "1: a|1|8", "2: b|2|8"],
            ),
            (format!("{{\"8\":{},\"16\":{}}}", one(1), one(2)), ["1: threads|tps|avg_ms", "1: 8|1|8", "2: 16|2|8"]),
            (
                format!("{{\"t8\":{},\"threads_16\":{}}}", one(1), one(2)),
                ["1: |tps|avg_ms", "1: t8|1|8", "2: threads_16|2|8"],
            ),
            (
                format!("{{\"date\":\"x\",\"config\":{{\"threads\":4}},\"runs\":[{},{}]}}", one(1), one(2)),
                ["1: threads|tps|avg_ms", "1: 4|1|8", "2: 4|2|8"],
            ),
        ] {
            assert_eq!(rows(&text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_table_is_none() {
        for text in ["[", "{}", "[]", "[1,2]", "[[[1]]]", "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":1}}}}}}"] {
            let _ = split::tables(text);
        }
        let wide: Vec<String> = (0..5000).map(|n| format!("\"k{n}\":1")).collect();
        assert!(split::tables(&format!("[{{{}}}]", wide.join(","))).is_err());
    }
}
