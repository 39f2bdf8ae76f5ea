//! Results as JSON: a list of objects, objects on lines of their own, an object of lists, or a list of lists.

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
        Ok(value) => within(&value, "", 0, &mut all, &mut extent)?,
        Err(_) => match of_lines() {
            Some(lines) => all.extend(table(String::new(), lines, &mut extent)?),
            None => return Ok(None),
        },
    }
    Ok(Some(all).filter(|all| !all.is_empty()))
}

/// The tables of a value and of what is in it.
fn within(
    value: &Value,
    name: &str,
    depth: usize,
    all: &mut Vec<RawTable>,
    extent: &mut Extent,
) -> Result<(), Message> {
    match value {
        Value::Array(items) => {
            let rows = (1..).zip(items.iter().cloned()).collect();
            all.extend(table(name.to_owned(), rows, extent)?);
        }
        Value::Object(map) if depth < DEEPEST => match of_lists(map, extent)? {
            Some(rows) => all.push(RawTable { caption: name.to_owned(), rows, ..RawTable::default() }),
            None if map.values().any(|value| value.is_array() || value.is_object()) => {
                for (key, value) in map {
                    within(value, key, depth + 1, all, extent)?;
                }
                let single = || map.iter().filter(|(_, value)| !value.is_array()).map(|(k, v)| (k.clone(), v.clone()));
                if all.is_empty() {
                    all.extend(table(name.to_owned(), vec![(1, Value::Object(single().collect()))], extent)?);
                }
            }
            None => all.extend(table(name.to_owned(), vec![(1, value.clone())], extent)?),
        },
        _ => {}
    }
    Ok(())
}

/// The rows of an object whose members are columns: `{"threads": [8, 16], "tps": [1000, 1500]}`.
fn of_lists(map: &Map<String, Value>, extent: &mut Extent) -> Result<Option<Rows>, Message> {
    let lists: Option<Vec<&Vec<Value>>> = map.values().map(Value::as_array).collect();
    let Some(lists) = lists.filter(|lists| lists.len() > 1) else { return Ok(None) };
    let n = lists[0].len();
    let plain =
        |list: &&Vec<Value>| list.len() == n && list.iter().all(|value| !value.is_array() && !value.is_object());
    if n == 0 || !lists.iter().all(plain) {
        return Ok(None);
    }
    let mut rows = vec![(1, map.keys().cloned().collect())];
    for at in 0..n {
        extent.take(lists.len())?;
        rows.push((at as u64 + 1, lists.iter().map(|list| text(&list[at])).collect()));
    }
    Ok(Some(rows))
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
        return Ok(Some(RawTable { caption, rows, ..RawTable::default() }));
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
                names.push(name);
            }
            cells.resize(cells.len().max(at + 1), String::new());
            cells[at] = text(value);
        }
        extent.take(cells.len())?;
        rows.push((*line, cells));
    }
    rows.insert(0, (rows.first().map_or(1, |(line, _)| *line), names));
    Ok((rows.len() > 1).then_some(RawTable { caption, rows, ..RawTable::default() }))
}

/// The values of an object and of the objects within it, by their names.
fn flat<'v>(map: &'v Map<String, Value>, above: &str, depth: usize, pairs: &mut Vec<(String, &'v Value)>) {
    for (key, value) in map {
        let name = if above.is_empty() { key.clone() } else { format!("{above} {key}") };
        match value {
            Value::Object(inner) if depth < DEEPEST => flat(inner, &name, depth + 1, pairs),
            Value::Array(_) | Value::Object(_) => {}
            value => pairs.push((name, value)),
        }
    }
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
        let same = "[{\"config\":{\"tps\":8},\"result\":{\"tps\":1}}]";
        assert_eq!(rows(same), ["1: config tps|result tps", "1: 8|1"]);
        assert_eq!(rows("[[\"threads\",\"tps\"],[8,1000]]"), ["1: threads|tps", "2: 8|1000"]);
        let nested = "[{\"threads\":8,\"latency\":{\"avg\":8,\"p95\":null}},{\"threads\":9,\"tps\":1}]";
        assert_eq!(rows(nested), ["1: threads|latency avg|latency p95|tps", "1: 8|8|", "2: 9|||1"]);
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
