//! The output of CockroachDB's `cockroach workload run`: a line for each second and kind of operation, the totals of each kind and of all, and of
//! TPC-C tpmC at the end. What the lines have is in its `pkg/workload/cli/format.go` and `pkg/workload/tpcc/tpcc.go`.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;

/// `_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__result`
pub(super) const LOG: LogFormat = LogFormat { name: "cockroach workload", signature: HEAD, line: HEAD, read };

/// What all headings begin with.
const HEAD: &str = "_elapsed___";

/// The reports of a log, and what has been read of the last one.
#[derive(Default)]
struct CockroachReports {
    all: Vec<PublishedResult>,
    clients: Option<Quantity>,
    /// Whether operations start at a rate.
    has_rate: bool,
    /// Of each kind of operation.
    of_kinds: Vec<PublishedResult>,
    of_all: Option<PublishedResult>,
    /// Seconds, and the operations of all kinds in the second before them.
    periods: Vec<(f64, f64)>,
}

fn read(text: &str) -> Vec<PublishedResult> {
    let (mut reports, mut head) = (CockroachReports::default(), Vec::new());
    for (at, line) in lines(text) {
        if line.starts_with(HEAD) {
            head = line.split('_').filter(|name| !name.is_empty()).collect();
        } else if line.contains("workload run ") || line.contains("workload.LATEST run ") {
            reports.flush();
            reports.clients = number_of(line, "--concurrency");
            reports.has_rate = number_of(line, "--max-rate").is_some_and(|rate| rate.value > 0.0);
        } else if !head.is_empty() {
            reports.row(at, &head, line);
        }
    }
    reports.flush();
    reports.all
}

/// The value of an option: `--concurrency=16`, `--concurrency 16`.
fn number_of(line: &str, option: &str) -> Option<Quantity> {
    let rest = line.split_once(option)?.1;
    number(rest.strip_prefix(['=', ' '])?)
}

impl CockroachReports {
    /// A line below these headings, which begins with the seconds since the start.
    fn row(&mut self, at: u64, head: &[&str], line: &str) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let Some(seconds) = cells.first().and_then(|cell| cell.strip_suffix('s')).and_then(number) else { return };
        let cell = |name: &str| number(cells.get(head.iter().position(|heading| *heading == name)?)?);
        if let Some(rate) = cell("ops/sec(inst)") {
            if self.of_all.is_some() || !self.of_kinds.is_empty() {
                self.flush();
            }
            match self.periods.last_mut() {
                Some((last, of_all)) if *last == seconds.value => *of_all += rate.value,
                // What was before ramped up the load.
                Some((last, _)) if *last > seconds.value => self.periods = vec![(seconds.value, rate.value)],
                _ => self.periods.push((seconds.value, rate.value)),
            }
            return;
        }
        let mut now = PublishedResult { line: at, is_open_loop: self.has_rate, ..PublishedResult::default() };
        put(&mut now, FigureKind::Clients, self.clients);
        put(&mut now, FigureKind::Seconds, Some(seconds));
        put(&mut now, FigureKind::Failed, cell("errors"));
        put(&mut now, FigureKind::Transactions, cell("ops(total)"));
        put(&mut now, FigureKind::Tps, cell("ops/sec(cum)"));
        put(&mut now, FigureKind::Nopm, cell("tpmC"));
        put(&mut now, FigureKind::Mean, cell("avg(ms)"));
        for (name, hundredths) in [("p50(ms)", 5000), ("p90(ms)", 9000), ("p95(ms)", 9500), ("p99(ms)", 9900)] {
            put(&mut now, FigureKind::Percentile(hundredths), cell(name));
        }
        put(&mut now, FigureKind::Max, cell("pMax(ms)"));
        let names = cells.get(head.len() - 1..).unwrap_or_default().join(" ");
        match head.last() {
            Some(&"total") => {
                if self.of_all.is_some() {
                    self.flush();
                }
                now.workload = Some(names).filter(|name| !name.is_empty());
                now.shares_clients = true;
                self.of_kinds.push(now);
            }
            Some(&"result") => {
                if self.of_all.is_some() {
                    self.flush();
                }
                now.periods = std::mem::take(&mut self.periods);
                self.of_all = Some(now);
            }
            _ if now.get(FigureKind::Nopm).is_some() => {
                // Terminals wait between their transactions, whose times are those of New-Order.
                let errors = self.of_all.as_ref().and_then(|all| all.quantity(FigureKind::Failed));
                put(&mut now, FigureKind::Failed, errors);
                (now.workload, now.is_open_loop) = (Some("TPC-C".to_owned()), true);
                (self.of_kinds, self.of_all) = (Vec::new(), None);
                self.periods.clear();
                self.all.push(now);
            }
            _ => {}
        }
    }

    /// The report has ended. Of a single kind of operation its totals are there twice.
    fn flush(&mut self) {
        let mut kinds = std::mem::take(&mut self.of_kinds);
        match (self.of_all.take(), kinds.len()) {
            (Some(mut all), ..2) => {
                all.workload = kinds.pop().and_then(|only| only.workload);
                self.all.push(all);
            }
            (all, _) => {
                self.all.extend(kinds);
                self.all.extend(all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{audit, logs, read};

    const TICKS: &str = "_elapsed___errors__ops/sec(inst)___ops/sec(cum)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)\n    1.0s        0         1990.0         1990.0      3.1      7.1     12.1     24.1 read\n    1.0s        0          110.0          110.0      6.8     12.6     17.8     17.8 write\n    2.0s        0         2010.0         2000.0      3.1      7.1     12.1     24.1 read\n    2.0s        0           90.0          100.0      6.8     12.6     17.8     17.8 write\n";
    const TOTAL: &str =
        "\n_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__total\n";

    fn said(text: &str) -> Vec<String> {
        let all = logs::read(text, "x").map_or_else(Vec::new, |read| read.results);
        let one = |result: &crate::PublishedResult| {
            let figures = result.figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
            [result.workload.clone().unwrap_or_default(), figures.collect::<Vec<_>>().join(" ")].join(": ")
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn kinds_of_operations_and_the_whole_are_results() {
        let text = format!(
            "$ cockroach workload run kv --concurrency=8 --duration=2s\n{TICKS}{TOTAL}    2.0s        0           4000         2000.0      3.7      3.1      7.1     12.1     24.1  read\n{TOTAL}    2.0s        0            200          100.0      6.9      6.8     12.6     17.8     17.8  write\n{}    2.0s        0           4200         2100.0      3.8      3.3      7.6     12.6     24.1  \n",
            TOTAL.replace("__total", "__result")
        );
        let times = |of: &str| format!("{of} seconds 2 transactions");
        assert_eq!(
            said(&text),
            [
                format!(
                    "read: clients 8 tps 2000 mean_ms 3.7 p50_ms 3.1 p95_ms 7.1 p99_ms 12.1 max_ms 24.1 {} 4000 failed 0",
                    times("").trim()
                ),
                format!(
                    "write: clients 8 tps 100 mean_ms 6.9 p50_ms 6.8 p95_ms 12.6 p99_ms 17.8 max_ms 17.8 {} 200 failed 0",
                    times("").trim()
                ),
                format!(
                    ": clients 8 tps 2100 mean_ms 3.8 p50_ms 3.3 p95_ms 7.6 p99_ms 12.6 max_ms 24.1 {} 4200 failed 0",
                    times("").trim()
                ),
            ]
        );
        let read = read(text.as_bytes(), "x.log").unwrap();
        let doubts: Vec<String> = audit(&read).doubts.into_iter().map(|found| found.doubt.code).collect();
        assert_eq!(doubts, ["few-samples"], "of 200 writes");
        assert_eq!(read.results[2].periods, [(1.0, 2100.0), (2.0, 2100.0)]);
    }

    #[test]
    fn a_single_kind_is_there_once_and_tpcc_has_its_rate() {
        let row = "   60.0s        0         126137         2102.3      3.6      3.1      7.1     11.5     41.9  ";
        let result = TOTAL.replace("__total", "__result");
        assert_eq!(said(&format!("{TOTAL}{row}read\n{result}{row}\n")).len(), 1);
        assert_eq!(said(&format!("{result}{row}\n{result}{row}\n")).len(), 2, "two runs");
        let tpcc = format!(
            "{TOTAL}  300.0s        0            608            2.0     41.0     39.8     71.3     96.5    130.0  newOrder\n{result}  300.0s        3           1370            4.6     30.0     28.0     60.0     90.0    130.0  \n\n_elapsed_______tpmC____efc__avg(ms)__p50(ms)__p90(ms)__p95(ms)__p99(ms)_pMax(ms)\n  300.0s      121.6  94.6%     41.0     39.8     54.5     71.3     96.5    130.0\n"
        );
        assert_eq!(
            said(&tpcc),
            [
                "TPC-C: nopm 121.6 mean_ms 41 p50_ms 39.8 p90_ms 54.5 p95_ms 71.3 p99_ms 96.5 max_ms 130 seconds 300 failed 3"
            ]
        );
        for text in
            [HEAD_ONLY, "_elapsed___\n1.0s", "_elapsed___x\nxs 1 2", "_elapsed___errors\n1s 2 3 4 5 6 7 8 9 10 11"]
        {
            let _ = said(text);
        }
    }

    const HEAD_ONLY: &str = "_elapsed___errors__ops/sec(inst)\n";
}
