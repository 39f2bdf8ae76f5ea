//! Statements per transaction of sysbench's workloads, by which results are checked that name one.

use crate::words::{is_among, lower, words};

/// Each workload with its statements per transaction by default, and without BEGIN and COMMIT (`--skip-trx`).
const WORKLOADS: &[(&str, f64, f64)] = &[
    ("oltp_read_write", 20.0, 18.0),
    ("oltp_read_only", 16.0, 14.0),
    ("oltp_write_only", 6.0, 4.0),
    ("oltp_point_select", 1.0, 1.0),
    ("oltp_update_index", 1.0, 1.0),
    ("oltp_update_non_index", 1.0, 1.0),
    ("oltp_insert", 1.0, 1.0),
    ("oltp_delete", 1.0, 1.0),
];

/// The options that say how many statements of a kind a transaction has: the words of the name, how many there are by default, whether they
/// read, whether they are of a range, and how many statements each is.
const OPTIONS: &[(&[&str], f64, bool, bool, f64)] = &[
    (&["point", "selects"], 10.0, true, false, 1.0),
    (&["simple", "ranges"], 1.0, true, true, 1.0),
    (&["sum", "ranges"], 1.0, true, true, 1.0),
    (&["order", "ranges"], 1.0, true, true, 1.0),
    (&["distinct", "ranges"], 1.0, true, true, 1.0),
    // Its words are at the end of those of the next one.
    (&["non", "index", "updates"], 1.0, false, false, 1.0),
    (&["index", "updates"], 1.0, false, false, 1.0),
    (&["delete", "inserts"], 1.0, false, false, 2.0),
];
const RANGES: &[&str] = &["range", "selects"];
const WITHOUT_TRANSACTION: &[&str] = &["skip", "trx"];

/// How many statements a transaction of a workload may have.
pub(super) struct Statements {
    /// The numbers: with and without BEGIN and COMMIT.
    pub either: [f64; 2],
    /// Whether a text names options that change them.
    pub has_options: bool,
}

/// The statements per transaction of a workload of this name with the options that a text names. `None` if it is none, or the text says that
/// it was changed in a way that is not understood: `without range queries`.
pub(super) fn statements(name: &str, text: &str) -> Option<Statements> {
    let (_, by_default, without) = WORKLOADS.iter().find(|(of, ..)| *of == name)?;
    let mut all = lower(&words(text));
    let mut counts: Vec<Option<f64>> = OPTIONS.iter().map(|(words, ..)| value(&mut all, words)).collect();
    let ranges = value(&mut all, RANGES);
    value(&mut all, WITHOUT_TRANSACTION);
    if all.iter().any(|word| is_among(word, "of-change")) {
        return None;
    }
    let has_options = ranges.is_some() || counts.iter().any(Option::is_some);
    if !has_options {
        return Some(Statements { either: [*by_default, *without], has_options });
    }
    let is_of = |reads: bool| match name {
        "oltp_read_write" => true,
        "oltp_read_only" => reads,
        "oltp_write_only" => !reads,
        _ => false,
    };
    // Those of one statement take other options.
    if by_default == without {
        return None;
    }
    for (count, (.., is_of_range, _)) in counts.iter_mut().zip(OPTIONS) {
        *count = count
            .filter(|_| !is_of_range || ranges != Some(0.0))
            .or((*is_of_range && ranges == Some(0.0)).then_some(0.0));
    }
    let each = counts.iter().zip(OPTIONS).filter(|(_, (_, _, reads, ..))| is_of(*reads));
    let sum: f64 = each.map(|(count, (_, by_default, .., statements))| count.unwrap_or(*by_default) * statements).sum();
    Some(Statements { either: [sum + by_default - without, sum], has_options })
}

/// Takes an option of these words out of a text in words, with its value: `range_selects=off` is 0, and one without a value 1.
fn value(all: &mut Vec<String>, name: &[&str]) -> Option<f64> {
    let at = all.windows(name.len()).position(|part| part == name)?;
    let value = all.get(at + name.len()).and_then(|value| match value.as_str() {
        "off" | "false" | "no" => Some(0.0),
        "on" | "true" | "yes" => Some(1.0),
        number => number.parse().ok(),
    });
    all.drain(at..at + name.len() + usize::from(value.is_some()));
    Some(value.unwrap_or(1.0))
}

/// The workload that sends this many statements of several per transaction, with their number.
pub(super) fn by_ratio(ratio: f64, tolerance: f64) -> Option<(f64, &'static str)> {
    let is_it = |(_, queries, _): &&(&str, f64, f64)| *queries > 1.0 && (ratio / queries - 1.0).abs() <= tolerance;
    WORKLOADS.iter().find(is_it).map(|(name, queries, _)| (*queries, *name))
}

/// The only workload of sysbench that a text names.
pub(super) fn named(text: &str) -> Option<&'static str> {
    let all = lower(&words(text));
    let names = |name: &str| {
        let name: Vec<&str> = name.split('_').collect();
        all.windows(name.len()).any(|part| part == name.as_slice())
    };
    let mut workloads = WORKLOADS.iter().map(|(name, ..)| *name).filter(|name| names(name));
    workloads.next().filter(|_| workloads.next().is_none())
}
