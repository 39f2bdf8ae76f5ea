//! The output of go-tpc's `tpcc run` in its three forms (`--output plain`, `table` and `json`): in each period, and at the end, the
//! figures of each type of transaction, and at the end tpmC. What the forms have is in go-tpc's `tpcc/workload.go` and
//! `pkg/util/output.go`.

use super::{LogFormat, after, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;
use std::collections::BTreeMap;

pub(super) const PLAIN: LogFormat = LogFormat { name: "go-tpc", signature: "tpmC: ", line: "tpmC: ", read: read_plain };
/// Its library writes headings in capitals.
pub(super) const TABLE: LogFormat =
    LogFormat { name: "go-tpc --output table", signature: "TPMTOTAL", line: "| TPMC", read: read_table };
pub(super) const JSON: LogFormat =
    LogFormat { name: "go-tpc --output json", signature: "\"tpmTotal\":", line: "", read: read_json };

const TYPES: [&str; 5] = ["NEW_ORDER", "PAYMENT", "ORDER_STATUS", "DELIVERY", "STOCK_LEVEL"];

/// The figure of a line with this heading.
type Figure<'f> = &'f dyn Fn(&str) -> Option<Quantity>;

/// The results so far.
struct GoTpcReports {
    all: Vec<PublishedResult>,
    now: PublishedResult,
    /// The end of the period before, seconds.
    before_s: f64,
}

impl GoTpcReports {
    fn new() -> GoTpcReports {
        GoTpcReports { all: Vec::new(), now: empty(), before_s: 0.0 }
    }

    /// A line on a type of transaction: `prefix` says whether it is of a period or of all.
    fn operation(&mut self, prefix: &str, name: &str, figure: Figure<'_>) {
        match prefix.trim() {
            "[Summary]" => of_type(&mut self.now, name, figure),
            "[Current]" if name == "NEW_ORDER" => {
                if let (Some(takes), Some(rate)) = (figure("Takes(s)"), figure("TPM")) {
                    self.before_s += takes.value;
                    self.now.periods.push((self.before_s, rate.value / 60.0));
                }
            }
            _ => {}
        }
    }

    /// The last line of a report.
    fn totals(&mut self, line: u64, figure: Figure<'_>) {
        put(&mut self.now, FigureKind::Nopm, figure("tpmC"));
        put(&mut self.now, FigureKind::Tpm, figure("tpmTotal"));
        self.now.line = line;
        let now = std::mem::replace(&mut self.now, empty());
        // A report without a rate is no report.
        self.all.extend(Some(now).filter(|now| now.figures.contains_key(&FigureKind::Nopm)));
        self.before_s = 0.0;
    }
}

fn empty() -> PublishedResult {
    PublishedResult { workload: Some("TPC-C".to_owned()), ..PublishedResult::default() }
}

/// The figures of New-Order are those of the result: times of types cannot be joined. Those of errors count as failed.
fn of_type(now: &mut PublishedResult, name: &str, figure: Figure<'_>) {
    let count = figure("Count");
    let add = |now: &mut PublishedResult, kind| {
        if let Some(count) = count {
            let known = now.get(kind).unwrap_or(0.0);
            now.figures.insert(kind, (Quantity::exact(known + count.value), None));
        }
    };
    if name.ends_with("_ERR") {
        return add(now, FigureKind::Failed);
    }
    if TYPES.contains(&name) {
        add(now, FigureKind::Transactions);
    }
    if name == "NEW_ORDER" {
        put(now, FigureKind::NewOrders, count);
        put(now, FigureKind::Seconds, figure("Takes(s)"));
    }
}

/// `[Summary] NEW_ORDER - Takes(s): 10.0, Count: 450, TPM: 2700.0, …`.
fn read_plain(text: &str) -> Vec<PublishedResult> {
    let mut reports = GoTpcReports::new();
    for (at, line) in lines(text) {
        if let Some((prefix, rest)) = line.split_once(' ').filter(|(prefix, _)| prefix.starts_with('[')) {
            let rest = rest.trim_start();
            let name = rest.split([' ', '-']).next().unwrap_or_default();
            reports.operation(prefix, name, &|heading| after(rest, &format!("{heading}:")));
        } else if line.starts_with("tpmC: ") {
            reports.totals(at, &|heading| after(line, &format!("{heading}:")));
        }
    }
    reports.all
}

/// `| PREFIX | OPERATION | TAKES(S) | …`, and at the end `| TPMC | TPMTOTAL | EFFICIENCY |`.
fn read_table(text: &str) -> Vec<PublishedResult> {
    let mut reports = GoTpcReports::new();
    let mut head: Vec<&str> = Vec::new();
    for (at, line) in lines(text) {
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            // A border stands below the headings and below the rows.
            if !line.starts_with('+') {
                head.clear();
            }
            continue;
        };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if matches!(cells[0], "PREFIX" | "TPMC") {
            head = cells;
            continue;
        }
        if cells.len() != head.len() {
            continue;
        }
        let cell = |heading: &str| head.iter().position(|name| name.eq_ignore_ascii_case(heading)).map(|n| cells[n]);
        let figure: Figure<'_> = &|heading| number(cell(heading)?);
        match head[0] {
            "TPMC" => reports.totals(at, figure),
            _ => reports.operation(cells[0], cell("Operation").unwrap_or_default(), figure),
        }
    }
    reports.all
}

/// A line for each table: `[{"Prefix":"[Summary] ","Operation":"NEW_ORDER","Count":"450",…},…]`, all values as text.
fn read_json(text: &str) -> Vec<PublishedResult> {
    let mut reports = GoTpcReports::new();
    for (at, line) in lines(text).filter(|(_, line)| line.starts_with("[{")) {
        let Ok(rows) = serde_json::from_str::<Vec<BTreeMap<String, String>>>(line) else { continue };
        for row in rows {
            let figure: Figure<'_> = &|heading| number(row.get(heading)?);
            match (row.get("Prefix"), row.get("Operation")) {
                (Some(prefix), Some(name)) => reports.operation(prefix, name, figure),
                _ => reports.totals(at, figure),
            }
        }
    }
    reports.all
}

#[cfg(test)]
mod tests {
    use crate::logs;
    use crate::result::PublishedResult;

    fn of(text: &str) -> Vec<PublishedResult> {
        logs::read(text, "x.log").map_or_else(Vec::new, |read| read.results)
    }

    fn said(result: &PublishedResult) -> String {
        let figures = result.figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
        figures.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_same_run_in_three_forms_has_the_same_figures() {
        // Written by go-tpc's own code (pkg/measurement, tpcc/workload.go) for the same transactions.
        let [plain, table, json] =
            [include_str!("plain.txt"), include_str!("table.txt"), include_str!("json.txt")].map(of);
        assert_eq!((plain.len(), table.len(), json.len()), (1, 1, 1));
        let without_line = |result: &PublishedResult| PublishedResult { line: 0, ..result.clone() };
        let figures = |result: &PublishedResult| {
            result.figures.iter().map(|(kind, (quantity, _))| (*kind, *quantity)).collect::<Vec<_>>()
        };
        for other in [&table[0], &json[0]] {
            assert_eq!(figures(other), figures(&plain[0]));
            assert_eq!(without_line(other).periods, plain[0].periods);
        }
        insta::assert_snapshot!(said(&plain[0]), @"nopm 2790, tpm 6090, seconds 20, transactions 2030, new_orders 930, failed 10");
        assert_eq!(plain[0].periods.len(), 2);
    }

    #[test]
    fn summaries_and_tpmc_are_read() {
        let line = |prefix: &str, name: &str, count: u32| {
            format!(
                "[{prefix}] {name} - Takes(s): 10.0, Count: {count}, TPM: {}.0, Sum(ms): 9000.0, Avg(ms): 9.0, 50th(ms): 8.0, 99th(ms): 20.0, Max(ms): 30.0\n",
                count * 6
            )
        };
        let text = line("Current", "NEW_ORDER", 450)
            + &line("Summary", "NEW_ORDER", 450)
            + &line("Summary", "NEW_ORDER_ERR", 5)
            + &line("Summary", "PAYMENT", 430)
            + "tpmC: 2700.0, tpmTotal: 5280.0, efficiency: 2099.5%\n";
        let read = of(&text);
        assert_eq!(said(&read[0]), "nopm 2700, tpm 5280, seconds 10, transactions 880, new_orders 450, failed 5");
        assert_eq!(read[0].periods, [(10.0, 45.0)]);
    }

    #[test]
    fn what_only_looks_like_it_is_no_report() {
        for text in [
            // A table of somebody else, without a summary.
            "| TPMTOTAL |\n",
            "+------+----------+\n| TPMC | TPMTOTAL |\n+------+----------+\n| x | y |\n",
            "| TPMC | TPMTOTAL |\n| 5 |\n",
            "[{\"tpmTotal\":5}]\n",
            "[{\"tpmTotal\":\"5\"\n",
            "[{\"tpmTotal\":\"5\"}]\n",
            "[{\"tpmTotal\":\"x\",\"tpmC\":\"-\"}]\n",
            "[] tpmC: \n",
            "tpmC: x, tpmTotal: y\n",
        ] {
            assert!(of(text).is_empty(), "{text}");
        }
        // A run that was stopped has no report, and a summary without it is not one.
        let table = include_str!("table.txt");
        let stopped = table.split_once("TPMC").unwrap().0;
        assert!(of(stopped).is_empty());
    }
}
