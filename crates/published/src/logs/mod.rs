//! The logs of benchmarks: one file for each tool, and the list of them. Each report in a log is a result.

mod benchbase;
mod benchmarksql;
mod cockroach;
mod commands;
mod find;
mod go_tpc;
mod grepped;
mod hammerdb;
mod jdbcrunner;
mod jmeter;
mod k6;
mod memtier;
mod mysqlslap;
mod names;
mod pgbench;
mod prefix;
mod prompts;
mod sysbench;
mod sysbench_host;
mod tpcc_mysql;
mod unfinished;
mod unlike;
mod unread;
mod ycsb;

use crate::figure_kind::FigureKind;
use crate::quantity::{self, CellContent, Quantity};
use crate::raw_table::MOST_ROWS;
use crate::result::{Meaning, Published, PublishedColumn, PublishedResult, PublishedRow, PublishedTable};
use crate::{html, page_text, shape, split};
use find::{count, has};
use std::collections::BTreeSet;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A tool's log.
struct LogFormat {
    /// The tool.
    name: &'static str,
    /// What every one of its reports has.
    signature: &'static str,
    /// What one line of every report begins with; empty if its lines begin with a time of its own.
    line: &'static str,
    /// The results of a log.
    read: fn(&str) -> Vec<PublishedResult>,
}

/// The logs that can be read.
const FORMATS: &[LogFormat] = &[
    sysbench::LOG,
    sysbench::LINES,
    tpcc_mysql::LOG,
    mysqlslap::LOG,
    go_tpc::PLAIN,
    go_tpc::TABLE,
    go_tpc::JSON,
    hammerdb::LOG,
    pgbench::LOG,
    benchmarksql::LOG,
    jdbcrunner::LOG,
    jmeter::LOG,
    benchbase::LOG,
    benchbase::TEXT,
    ycsb::JAVA,
    ycsb::JAVA_PART,
    ycsb::GO,
    ycsb::GO_PART,
    k6::TEXT,
    k6::JSON,
    cockroach::LOG,
    memtier::LOG,
    sysbench_host::LOG,
    sysbench_host::OLD,
    mysqlslap::CSV,
];

/// The results of a log, or `None` if it is not one of these.
pub fn read(text: &str, file: &str) -> Option<Published> {
    // What was copied from a page has blanks that end no line.
    let blanks = text.contains(NO_BREAK).then(|| text.replace(NO_BREAK, " "));
    let text = blanks.as_deref().unwrap_or(text);
    let formats = formats_of(text);
    let own = of_text(text, file, &formats);
    let may_be_page = !formats.is_empty() || ["</pre>", "</code>"].iter().any(|end| has(text, end));
    let may_be_page = may_be_page && text.len() <= MOST_OF_PAGE;
    let untagged = may_be_page.then(|| page_text::text_of(text)).flatten();
    let untagged = untagged.and_then(|text| of_text(&text, file, &formats_of(&text)));
    let figures = |read: &Published| read.results.iter().map(|result| result.figures.len()).sum::<usize>();
    match (own, untagged) {
        (Some(own), Some(untagged)) => {
            // Of a page the names of its reports have no tags.
            let is_better = figures(&untagged) + usize::from(text.starts_with('<')) > figures(&own);
            Some(if is_better { untagged } else { own })
        }
        (own, untagged) => own.or(untagged).or_else(|| {
            // Why there are no results.
            let why = unfinished::remark(text, file).or_else(|| unread::remark(text, file))?;
            Some(Published { remarks: vec![why], ..Published::default() })
        }),
    }
}

/// The formats of which a text may have a report: a large one is searched for them once.
fn formats_of(text: &str) -> Vec<&'static LogFormat> {
    FORMATS.iter().filter(|format| has(text, format.signature)).collect()
}

/// A larger page is not copied without its tags.
const MOST_OF_PAGE: usize = 16 << 20;

/// A blank at which no line ends.
const NO_BREAK: char = '\u{a0}';

/// The results of a text that has the signatures of these formats.
fn of_text(text: &str, file: &str, formats: &[&LogFormat]) -> Option<Published> {
    if formats.is_empty() {
        return None;
    }
    let is_log = |text: &str| FORMATS.iter().any(|format| !format.line.is_empty() && has(text, format.signature));
    let inner = prefix::texts_of_json(text, &is_log);
    let text = inner.as_deref().unwrap_or(text);
    let of_inner = inner.as_deref().map(formats_of);
    let formats = of_inner.as_deref().unwrap_or(formats);
    let read = |text: &str, file: &str| of_tools(text, file, formats);
    if let Some(all) = grepped::read(text, read).or_else(|| grepped::of_hosts(text, &begins(formats), read)) {
        return Some(all);
    }
    let passed_on = prefix::without(text);
    // Signs may be written otherwise in JSON.
    let of_passed = passed_on.as_deref().map(formats_of);
    let of_passed = of_passed.as_deref().unwrap_or(formats);
    let named = prefix::without_that_of(passed_on.as_deref().unwrap_or(text), &begins(of_passed));
    let stripped = [named.as_deref(), passed_on.as_deref()].into_iter().flatten();
    { stripped }.find_map(|text| of_tools(text, file, of_passed)).or_else(|| read(text, file))
}

/// What lines of reports of these formats begin with.
fn begins(formats: &[&LogFormat]) -> Vec<&'static str> {
    formats.iter().map(|format| format.line).filter(|line| !line.is_empty()).collect()
}

/// The results of all tools that have written a part of a log, which are some of these.
fn of_tools(text: &str, file: &str, formats: &[&LogFormat]) -> Option<Published> {
    // Each report has this line once: more results than are read need no memory.
    let rows = begins(formats).into_iter().map(|line| count(text, line)).max().unwrap_or(0);
    if rows > MOST_ROWS {
        let why = msg!("published-too-many-rows", rows, most = MOST_ROWS);
        return Some(Published { remarks: vec![why], ..Published::default() });
    }
    let has_it = formats.iter().copied().filter(|format| has(text, format.signature));
    let read = has_it.map(|format| (format, (format.read)(text)));
    // Words of a report within a table are none.
    let with_figures = read.map(|(format, mut results)| {
        results.retain(|result| !result.figures.is_empty());
        (format, results)
    });
    let logs: Vec<(&LogFormat, Vec<PublishedResult>)> =
        with_figures.filter(|(_, results)| !results.is_empty()).collect();
    let is_one = logs.len() < 2;
    let mut remarks = Vec::new();
    let all = logs.into_iter().map(|(format, mut results)| {
        results.iter_mut().for_each(|result| without_zeros(result, |_| true, &mut remarks));
        if !is_one {
            // Results of two tools are no repeats of one another.
            results.iter_mut().for_each(|result| result.axes.push(("tool".to_owned(), format.name.to_owned())));
        }
        names::give(text, &mut results);
        remarks.extend(unlike::mark(text, &mut results));
        of_format(format, results, file)
    });
    let in_turns = sysbench::in_turns(text, file);
    let mut all = match all.reduce(Published::and) {
        Some(all) => all,
        // Why there are no results.
        None => return Some(Published { remarks: vec![in_turns?], ..Published::default() }),
    };
    all.remarks.extend(remarks);
    all.remarks.extend(in_turns);
    all.remarks.extend(sysbench::beyond_histogram(text));
    all.remarks.extend(pgbench::scripts_left_out(text, file));
    all.remarks.extend(jdbcrunner::times_left_out(text, file));
    all.remarks.extend(tables_left_out(text, file));
    Some(all)
}

/// Leaves out percentiles, of those that may be left out, that are 0 beside times that are not: the tool was not asked for them.
pub(crate) fn without_zeros(
    result: &mut PublishedResult,
    may_be: impl Fn(FigureKind) -> bool,
    remarks: &mut Vec<Message>,
) {
    let is_above = |kind: FigureKind, half: f64| {
        result.quantity(kind).is_some_and(|time| time.value - time.half > half && time.value > 2.0 * half)
    };
    let zeros: Vec<FigureKind> = result
        .percentiles()
        .map(|(_, kind)| kind)
        .filter(|kind| may_be(*kind))
        .filter(|kind| {
            let zero = result.quantity(*kind).filter(|percentile| percentile.value == 0.0);
            zero.is_some_and(|zero| [FigureKind::Min, FigureKind::Mean].iter().any(|kind| is_above(*kind, zero.half)))
        })
        .collect();
    for kind in zeros {
        result.figures.remove(&kind);
        remarks.push(msg!("published-not-measured", line = result.line, figure = kind.words()));
    }
}

/// A remark on tables with results that stand beside a log, as in an article that shows both.
fn tables_left_out(text: &str, file: &str) -> Option<Message> {
    let is_rule = |line: &str| line.starts_with('|') && line.contains("--") && line.chars().all(|c| "|-: ".contains(c));
    let tables = match html::is_page(text) {
        true => html::tables(text),
        false if has(text, "|") && has(text, "--") && text.lines().any(|line| is_rule(line.trim())) => {
            split::tables(text)
        }
        false => return None,
    };
    let with_results = tables.ok()?.into_iter().filter(|raw| !shape::read(raw.clone(), file).results.is_empty());
    let n = with_results.count();
    (n > 0).then(|| msg!("published-tables-beside-log", file, n))
}

/// The reports of one tool, as a table.
fn of_format(format: &LogFormat, results: Vec<PublishedResult>, file: &str) -> Published {
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
            let figure = result.figures.get_mut(kind);
            cells.push(figure.as_ref().map_or(String::new(), |(quantity, _)| printed(*quantity)));
            if let Some((_, cell)) = figure {
                *cell = Some((0, at, words + n));
            }
        }
        table.rows.push(PublishedRow { line: result.line, cells });
        all.results.push(result);
    }
    all.tables.push(table);
    all
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
fn put(result: &mut PublishedResult, kind: FigureKind, quantity: Option<Quantity>) {
    if let Some(quantity) = quantity {
        result.figures.entry(kind).or_insert((quantity, None));
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    const SYSBENCH: &str = "Running the test with following options:\nNumber of threads: 8\n    queries performed:\n        read: 10\n    transactions: 10 (1.00 per sec.)\n";
    const PGBENCH: &str = "transaction type: x\nnumber of clients: 4\nnumber of transactions actually processed: 5\ntps = 2.0 (without initial connection time)\n";
    const CPU: &str = "Running the test with following options:\nNumber of threads: 2\nCPU speed:\n    events per second:   3.00\nGeneral statistics:\n    total time: 2.33s\n    total number of events: 7\n";

    #[test]
    fn the_reports_of_all_tools_of_a_log_are_read() {
        let read = read(&[SYSBENCH, PGBENCH, CPU].concat(), "x.log").unwrap();
        let shown: Vec<String> = read
            .results
            .iter()
            .map(|result| {
                let tps = result.get(crate::FigureKind::Tps).unwrap_or(0.0);
                format!("{} {} {tps}", read.tables[result.table].caption, result.axes[0].1)
            })
            .collect();
        assert_eq!(shown, ["sysbench sysbench 1", "pgbench pgbench 2", "sysbench sysbench 3"]);
        assert!(read.remarks.is_empty(), "{:?}", read.remarks);
    }

    #[test]
    fn a_table_beside_a_log_is_named() {
        let table = "|threads|TPS|\n|--|--|\n|8|100|\n";
        let remarks = |text: String| read(&text, "x.md").unwrap().remarks;
        let messages = remarks(format!("{table}\n```\n{SYSBENCH}```\n"));
        assert!(messages.len() == 1 && messages[0].is("published-tables-beside-log"), "{messages:?}");
        assert!(remarks(format!("|a|b|\n|--|--|\n|x|y|\n\n{SYSBENCH}")).is_empty());
    }
}
