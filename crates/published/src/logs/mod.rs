//! The logs of benchmarks: one file for each tool, and the list of them. Each report in a log is a result.

mod benchbase;
mod benchmarksql;
mod go_tpc;
mod hammerdb;
mod jdbcrunner;
mod mysqlslap;
mod pgbench;
mod prefix;
mod sysbench;
mod sysbench_host;
mod tpcc_mysql;
mod ycsb;

use crate::figure_kind::FigureKind;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::{Meaning, Published, PublishedColumn, PublishedResult, PublishedRow, PublishedTable};
use std::collections::BTreeSet;
use tenbin_words::figure;

/// A tool's log.
struct LogFormat {
    /// The tool.
    name: &'static str,
    /// What every one of its reports has.
    signature: &'static str,
    /// The results of a log.
    read: fn(&str) -> Vec<PublishedResult>,
}

/// The logs that can be read.
const FORMATS: &[LogFormat] = &[
    sysbench::LOG,
    tpcc_mysql::LOG,
    mysqlslap::LOG,
    go_tpc::PLAIN,
    go_tpc::TABLE,
    go_tpc::JSON,
    hammerdb::LOG,
    pgbench::LOG,
    benchmarksql::LOG,
    jdbcrunner::LOG,
    benchbase::LOG,
    ycsb::JAVA,
    ycsb::GO,
    sysbench_host::LOG,
    mysqlslap::CSV,
];

/// The results of a log, or `None` if it is not one of these.
pub fn read(text: &str, file: &str) -> Option<Published> {
    let has_any = FORMATS.iter().any(|format| text.contains(format.signature));
    let passed_on = has_any.then(|| prefix::without(text)).flatten();
    passed_on.and_then(|text| of_format(&text, file)).or_else(|| of_format(text, file))
}

fn of_format(text: &str, file: &str) -> Option<Published> {
    let has_it = FORMATS.iter().filter(|format| text.contains(format.signature));
    let (format, results) =
        { has_it }.map(|format| (format, (format.read)(text))).find(|(_, results)| !results.is_empty())?;
    let kinds: BTreeSet<FigureKind> = results.iter().flat_map(|result| result.figures.keys().copied()).collect();
    let (with_target, with_workload) =
        (results.iter().any(|r| r.target.is_some()), results.iter().any(|r| r.workload.is_some()));
    let mut columns = Vec::new();
    let mut column = |heading: &str, meaning| columns.push(PublishedColumn { heading: heading.to_owned(), meaning });
    if with_target {
        column("target", Meaning::Target);
    }
    if with_workload {
        column("workload", Meaning::Workload);
    }
    let words = usize::from(with_target) + usize::from(with_workload);
    kinds.iter().for_each(|kind| column(&kind.name(), Meaning::Figure(*kind, None)));
    let mut table = PublishedTable {
        file: file.to_owned(),
        caption: format.name.to_owned(),
        of_variables: false,
        is_log: true,
        columns,
        rows: Vec::new(),
    };
    let mut all = Published::default();
    for (at, mut result) in results.into_iter().enumerate() {
        let mut cells = Vec::new();
        cells.extend(with_target.then(|| result.target_name().to_owned()));
        cells.extend(with_workload.then(|| result.workload.clone().unwrap_or_default()));
        for (n, kind) in kinds.iter().enumerate() {
            let found = result.figures.get_mut(kind);
            cells.push(found.as_ref().map_or(String::new(), |(quantity, _)| printed(*quantity)));
            if let Some((_, place)) = found {
                *place = Some((0, at, words + n));
            }
        }
        table.rows.push(PublishedRow { line: result.line, cells });
        all.results.push(result);
    }
    all.tables.push(table);
    Some(all)
}

/// With the digits that it had.
fn printed(quantity: Quantity) -> String {
    let places =
        if quantity.half > 0.0 { (-(quantity.half * 2.0).log10()).round().clamp(0.0, 9.0) as usize } else { 0 };
    let text = format!("{:.places$}", quantity.value);
    match text.parse::<i128>() {
        Ok(whole) if whole.abs() >= 10_000 => figure::whole(whole),
        _ => text,
    }
}

/// A line with its number, from 1.
type Line<'t> = (u64, &'t str);

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().enumerate().map(|(at, line)| (at as u64 + 1, line.trim()))
}

/// The number at the start of a text: `123 (4.5 per sec.)`, `12.3ms`, `1,234 rows`.
fn number(text: &str) -> Option<Quantity> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && !".,-".contains(c)).unwrap_or(text.len());
    match quantity::read(text[..end].trim_end_matches([',', '.'])) {
        CellContent::Number(quantity, _, _) => Some(quantity),
        _ => None,
    }
}

/// The number after a label, anywhere in the line.
fn after(line: &str, label: &str) -> Option<Quantity> {
    let (_, rest) = line.split_once(label)?;
    number(rest.trim_start_matches([':', '=', ' ']))
}

/// Adds a figure if it was found and is not there.
fn put(result: &mut PublishedResult, kind: FigureKind, found: Option<Quantity>) {
    if let Some(quantity) = found {
        result.figures.entry(kind).or_insert((quantity, None));
    }
}
