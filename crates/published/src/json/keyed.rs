//! Objects whose keys tell results apart, `{"mysql": {…}, "postgres": {…}}`, and lists of results beside what they were measured with.

use super::is_single;
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The name of the keys if they are numbers of clients.
const CLIENTS: &str = "threads";

/// A row for each result below the keys of an object, with the keys that lead to it, or `None` if the keys are names of figures.
pub(super) fn rows(map: &Map<String, Value>, depth: usize) -> Option<Vec<(u64, Value)>> {
    let mut all = Vec::new();
    take(map, depth, &Map::new(), &mut all).then(|| (1..).zip(all.into_iter().map(Value::Object)).collect())
}

/// Whether the keys of an object are names of results, which are added with the keys above them.
fn take(map: &Map<String, Value>, depth: usize, above: &Map<String, Value>, all: &mut Vec<Map<String, Value>>) -> bool {
    if depth > super::DEEPEST || !are_results(map) {
        return false;
    }
    let keys: Vec<String> = map.keys().cloned().collect();
    let of_clients = clients(&keys);
    for (at, (key, value)) in map.iter().enumerate() {
        let mut above = above.clone();
        match &of_clients {
            Some(numbers) => above.insert(CLIENTS.to_owned(), Value::from(numbers[at] as u64)),
            // Names without a word above them: blanks tell those of several levels apart.
            None => above.insert(" ".repeat(depth), Value::from(key.clone())),
        };
        let with_names = |item: &Map<String, Value>| {
            let mut row = above.clone();
            row.extend(item.iter().map(|(key, value)| (key.clone(), value.clone())));
            row
        };
        match value {
            Value::Object(inner) if take(inner, depth + 1, &above, all) => {}
            Value::Object(inner) if super::columns(inner).is_some() => {
                all.extend(of_columns(inner).iter().map(with_names));
            }
            Value::Object(inner) => match only_list(inner) {
                Some((name, list)) => {
                    let with_load = |item: &Map<String, Value>| with_names(&load_of(inner, name, item, true));
                    all.extend(list.iter().filter_map(Value::as_object).map(with_load));
                }
                None => all.push(with_names(inner)),
            },
            Value::Array(list) => all.extend(list.iter().filter_map(Value::as_object).map(with_names)),
            _ => return false,
        }
    }
    true
}

/// The object with the lists beside its objects within each of them, if these have lists that are as long: `{"threads": [8, 16], "a": {"tps": [1, 2]},
/// "b": {"tps": [3, 4]}}`.
pub(super) fn shared(map: &Map<String, Value>) -> Option<Value> {
    let list =
        |value: &Value| value.as_array().filter(|list| list.len() > 1 && list.iter().all(is_single)).map(Vec::len);
    if !map.values().any(Value::is_object) {
        return None;
    }
    let n = map.values().find_map(list)?;
    let (lists, others): (Map<String, Value>, Map<String, Value>) =
        map.clone().into_iter().partition(|(_, value)| list(value).is_some());
    let has_as_long = |value: &Value| match value {
        Value::Object(inner) => inner.values().all(|value| list(value) == Some(n)) && !inner.is_empty(),
        value => is_single(value),
    };
    let fits = lists.values().all(|value| list(value) == Some(n)) && others.values().all(has_as_long);
    if !fits {
        return None;
    }
    // The load of all stands beside them too.
    let of_load = others.iter().filter(|(name, value)| !value.is_object() && is_of_load(name));
    let of_all: Vec<(String, Value)> =
        lists.iter().chain(of_load).map(|(name, value)| (name.clone(), value.clone())).collect();
    let with = |(name, value): (&String, &Value)| {
        let inner = value.as_object()?;
        let own = of_all.iter().filter(|(name, _)| !inner.contains_key(name)).cloned();
        let inner = inner.iter().map(|(name, value)| (name.clone(), value.clone()));
        Some((name.clone(), Value::Object(own.chain(inner).collect())))
    };
    Some(Value::Object(others.iter().filter_map(with).collect()))
}

/// The rows of an object whose members are columns.
fn of_columns(map: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let columns = super::columns(map).unwrap_or_default();
    let n = columns.first().map_or(0, |(_, list)| list.len());
    let row = |at: usize| columns.iter().map(|(key, list)| ((*key).clone(), list[at].clone())).collect();
    (0..n).map(row).collect()
}

/// Whether a name is that of the load of a result.
pub(super) fn is_of_load(name: &str) -> bool {
    matches!(
        heading::read(name),
        HeadingMeaning::Figure(
            FigureKind::Clients | FigureKind::Seconds | FigureKind::Warehouses | FigureKind::QueriesPerClient,
            _,
            None
        )
    )
}

/// Whether the values are several objects, or lists of objects, with some of the same names, and their keys name no figures.
fn are_results(map: &Map<String, Value>) -> bool {
    let names = |value: &Value| -> Option<BTreeSet<String>> {
        match value {
            Value::Object(inner) if !inner.is_empty() => Some(inner.keys().cloned().collect()),
            Value::Array(list) => match list.first()? {
                Value::Object(first) if !first.is_empty() => Some(first.keys().cloned().collect()),
                _ => None,
            },
            _ => None,
        }
    };
    let all: Option<Vec<BTreeSet<String>>> = map.values().map(names).collect();
    let Some(all) = all.filter(|all| all.len() > 1) else { return false };
    let is_figure = |key: &String| {
        matches!(heading::read(key), HeadingMeaning::Figure(..) | HeadingMeaning::Named("statistic"))
            && matrix::clients_in_words(key).is_none()
    };
    let of_numbers = |names: &BTreeSet<String>| names.iter().all(|name| matrix::whole(name).is_some());
    let is_alike = |names: &BTreeSet<String>| {
        names.intersection(&all[0]).count() * 2 > names.len().max(all[0].len())
            || (of_numbers(names) && of_numbers(&all[0]))
    };
    all.iter().all(is_alike) && !map.keys().any(is_figure) && !are_of_one(map)
}

/// Whether the objects are figures of one result, such as those of a k6 summary: `{"a": {"avg": 1, "max": 2}, "b": {"avg": 3, "max": 4}}` may be
/// either, and only names of statistics say that the keys are figures.
fn are_of_one(map: &Map<String, Value>) -> bool {
    let is_statistic = |key: &String| {
        let is_figure = matches!(
            heading::read(key),
            HeadingMeaning::Figure(
                FigureKind::Mean
                    | FigureKind::Min
                    | FigureKind::Max
                    | FigureKind::Percentile(_)
                    | FigureKind::Deviation,
                _,
                None
            )
        );
        is_figure && !heading::says_time(key)
    };
    let all = |value: &Value| match value {
        Value::Object(inner) => {
            inner.keys().all(|key| is_statistic(key) && !key.contains("ms") && !key.contains("lat"))
        }
        _ => false,
    };
    map.values().all(all)
}

/// The numbers of clients that keys are: `8`, `threads_16`.
fn clients(keys: &[String]) -> Option<Vec<f64>> {
    let in_words: Option<Vec<f64>> = keys.iter().map(|key| matrix::clients_in_words(key)).collect();
    in_words.or_else(|| {
        let mut numbers: Vec<f64> = keys.iter().map(|key| matrix::whole(key)).collect::<Option<_>>()?;
        let own = numbers.clone();
        numbers.sort_by(f64::total_cmp);
        let headings: Vec<String> =
            std::iter::once(String::new()).chain(numbers.iter().map(|number| number.to_string())).collect();
        (!matrix::clients(&headings, &[]).is_empty()).then_some(own)
    })
}

/// The only list of objects of an object, with its name.
fn only_list(map: &Map<String, Value>) -> Option<(&str, &Vec<Value>)> {
    let mut lists = map.iter().filter_map(|(key, value)| {
        let list = value.as_array()?;
        list.iter().any(Value::is_object).then_some((key.as_str(), list))
    });
    lists.next().filter(|_| lists.next().is_none())
}

/// An item of a list, or each result of a list within it, with what the item says of its load: `{"db": "mysql", "runs": [{…}, {…}]}`.
pub(super) fn each(item: &Value) -> Vec<Value> {
    let of_list = || {
        let map = item.as_object()?;
        let (name, list) = only_list(map)?;
        let with = |one: &Value| one.as_object().map(|one| Value::Object(load_of(map, name, one, true)));
        list.iter().map(with).collect::<Option<Vec<Value>>>()
    };
    of_list().unwrap_or_else(|| vec![item.clone()])
}

/// Whether an object or one within it has a list of objects.
pub(super) fn has_lists(map: &Map<String, Value>) -> bool {
    map.values().any(|value| match value {
        Value::Array(list) => is_table(list),
        Value::Object(inner) => has_lists(inner) || rows(inner, 1).is_some() || super::columns(inner).is_some(),
        _ => false,
    })
}

/// Whether a list has objects, or lists of which the first has headings: pairs of numbers beside figures are those of a histogram.
fn is_table(list: &[Value]) -> bool {
    let has_headings = |item: &Value| item.as_array().is_some_and(|first| first.iter().any(Value::is_string));
    list.iter().any(Value::is_object) || list.first().is_some_and(has_headings)
}

/// Whether a value has results: a list of objects, or an object with one in it.
pub(super) fn has_objects(value: &Value) -> bool {
    match value {
        Value::Array(list) => is_table(list),
        Value::Object(inner) => has_lists(inner) || rows(inner, 1).is_some() || super::columns(inner).is_some(),
        _ => false,
    }
}

/// A list of results with the load that stands beside it: `{"config": {"threads": 8}, "runs": [{"tps": 1000}]}`.
pub(super) fn with_load<'v>(map: &Map<String, Value>, key: &str, value: &'v Value) -> Cow<'v, Value> {
    let Value::Array(list) = value else { return Cow::Borrowed(value) };
    let with = |item: &Value| item.as_object().map(|item| Value::Object(load_of(map, key, item, false)));
    match list.iter().map(with).collect::<Option<Vec<Value>>>() {
        Some(list) => Cow::Owned(Value::Array(list)),
        None => Cow::Borrowed(value),
    }
}

/// An item with what stands beside its list and is of its load, or its target or workload if there are several lists, unless it says so
/// itself.
fn load_of(
    map: &Map<String, Value>,
    list: &str,
    item: &Map<String, Value>,
    is_one_of_several: bool,
) -> Map<String, Value> {
    let mut pairs = Vec::new();
    let beside: Map<String, Value> =
        map.iter().filter(|(key, _)| *key != list).map(|(key, value)| (key.clone(), value.clone())).collect();
    super::flat(&beside, "", 0, &mut pairs);
    super::without_containers(&mut pairs);
    let mut own = Vec::new();
    super::flat(item, "", 0, &mut own);
    super::without_containers(&mut own);
    let is_own = |meaning: &HeadingMeaning| own.iter().any(|(name, _)| heading::read(name) == *meaning);
    let mut row = Map::new();
    for (name, value) in &pairs {
        let meaning = heading::read(name);
        let is_name = is_one_of_several && matches!(meaning, HeadingMeaning::Named("target" | "workload"));
        if (is_of_load(name) || is_name) && !is_own(&meaning) && !value.is_null() {
            row.insert(name.clone(), (*value).clone());
        }
    }
    row.extend(item.iter().map(|(key, value)| (key.clone(), value.clone())));
    row
}
