//! The output of go-tpc's `tpcc run`, in its plain form: a summary of each type of transaction, and tpmC.

use super::{LogFormat, after, lines, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat = LogFormat { name: "go-tpc", signature: "tpmC: ", read };

const TYPES: [&str; 5] = ["NEW_ORDER", "PAYMENT", "ORDER_STATUS", "DELIVERY", "STOCK_LEVEL"];

fn read(text: &str) -> Vec<PublishedResult> {
    let empty = || PublishedResult { workload: Some("TPC-C".to_owned()), ..PublishedResult::default() };
    let (mut all, mut now, mut before) = (Vec::new(), empty(), 0.0);
    for (at, line) in lines(text) {
        if let Some(summary) = line.strip_prefix("[Summary]") {
            of_type(&mut now, summary.trim_start());
        } else if let Some(current) = line.strip_prefix("[Current]") {
            let current = current.trim_start();
            if let (true, Some(takes), Some(rate)) =
                (is_of(current, "NEW_ORDER"), after(current, "Takes(s):"), after(current, "TPM:"))
            {
                before += takes.value;
                now.periods.push((before, rate.value / 60.0));
            }
        } else if line.starts_with("tpmC: ") {
            put(&mut now, FigureKind::Nopm, after(line, "tpmC:"));
            put(&mut now, FigureKind::Tpm, after(line, "tpmTotal:"));
            now.line = at;
            all.push(std::mem::replace(&mut now, empty()));
            before = 0.0;
        }
    }
    all
}

/// The figures of New-Order are those of the result: times of types cannot be joined. Those of errors count as failed.
fn of_type(now: &mut PublishedResult, line: &str) {
    let count = after(line, "Count:");
    let add = |now: &mut PublishedResult, kind| {
        if let Some(count) = count {
            let known = now.get(kind).unwrap_or(0.0);
            now.figures.insert(kind, (Quantity::exact(known + count.value), None));
        }
    };
    let name = line.split([' ', '-']).next().unwrap_or_default();
    if name.ends_with("_ERR") {
        return add(now, FigureKind::Failed);
    }
    if TYPES.contains(&name) {
        add(now, FigureKind::Transactions);
    }
    if is_of(line, "NEW_ORDER") {
        put(now, FigureKind::NewOrders, count);
        put(now, FigureKind::Seconds, after(line, "Takes(s):"));
    }
}

fn is_of(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '-']))
}

#[cfg(test)]
mod tests {
    use crate::logs;

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
        let read = logs::read(&text, "x.log").unwrap();
        let figures = read.results[0].figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
        assert_eq!(
            figures.collect::<Vec<_>>().join(", "),
            "nopm 2700, tpm 5280, seconds 10, transactions 880, new_orders 450, failed 5"
        );
        assert_eq!(read.results[0].periods, [(10.0, 45.0)]);
    }
}
