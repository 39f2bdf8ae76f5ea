//! The output of tpcc-mysql's `tpcc_start`: its four forms of interval lines, and its results. Programs that descend from it print `tpmC`.

use super::{LogFormat, after, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat = LogFormat { name: "tpcc-mysql", signature: "TpmC>", line: "<TpmC>", read };

fn read(text: &str) -> Vec<PublishedResult> {
    let mut all = Vec::new();
    let mut now = PublishedResult { workload: Some("TPC-C".to_owned()), ..PublishedResult::default() };
    let (mut in_first_results, mut before, mut checks) = (false, 0.0, false);
    for (at, line) in lines(text) {
        if let Some((label, value)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]:")) {
            match label {
                "warehouse" => put(&mut now, FigureKind::Warehouses, number(value)),
                "connection" => put(&mut now, FigureKind::Clients, number(value)),
                "measure" => put(&mut now, FigureKind::Seconds, number(value)),
                _ => {}
            }
        } else if line.starts_with("<Raw Results>") {
            in_first_results = true;
        } else if line.starts_with("<Raw Results2") {
            in_first_results = false;
        } else if line.starts_with("<Constraint Check>") {
            checks = true;
        } else if line.starts_with("<TpmC>") {
            checks = false;
            now.line = at;
        } else if in_first_results && line.starts_with('[') {
            results(&mut now, line);
        } else if checks && line.contains("[NG]") {
            now.own_failures.push(line.trim_end_matches('*').trim().to_owned());
        } else if let Some(rate) = line.strip_suffix("TpmC").or_else(|| line.strip_suffix("tpmC")) {
            put(&mut now, FigureKind::Nopm, number(rate));
            let workload = now.workload.clone();
            all.push(std::mem::replace(&mut now, PublishedResult { workload, ..PublishedResult::default() }));
            before = 0.0;
        } else if let Some((seconds, count)) = interval(line) {
            // Counts of the interval; the line has the time at its end.
            now.periods.push((seconds, count / (seconds - before).max(1.0)));
            before = seconds;
        }
    }
    all
}

/// `[0] sc:3129 lt:17179  rt:0  fl:0 avg_rt: 8.2 (5)`: New-Orders are the first, and all of them the transactions.
fn results(now: &mut PublishedResult, line: &str) {
    let (Some(within), Some(late)) = (after(line, "sc:"), after(line, "lt:")) else { return };
    let completed = within.value + late.value;
    let failed = after(line, "fl:").map_or(0.0, |failed| failed.value);
    let add = |now: &mut PublishedResult, kind, value| {
        let known = now.get(kind).unwrap_or(0.0);
        now.figures.insert(kind, (Quantity::exact(known + value), None));
    };
    if line.starts_with("[0]") {
        add(now, FigureKind::NewOrders, completed);
    }
    add(now, FigureKind::Transactions, completed);
    add(now, FigureKind::Failed, failed);
}

/// `  10, trx: 12920, 95%: …` of 2016 on, `  10, 1704(0):0.4, …` before: seconds and New-Orders.
fn interval(line: &str) -> Option<(f64, f64)> {
    let (seconds, rest) = line.split_once(',')?;
    let seconds: f64 = seconds.trim().parse().ok().filter(|seconds: &f64| *seconds > 0.0)?;
    let count = match after(rest, "trx:") {
        Some(count) => count,
        None => number(rest.split_once('(')?.0)?,
    };
    Some((seconds, count.value))
}

#[cfg(test)]
mod tests {
    use crate::logs;

    #[test]
    fn a_descendant_has_new_orders_per_minute() {
        let text = "<90th Percentile RT (MaxRT)>\n   New-Order : 0.002  (0.004)\n     Payment : 0.001  (0.025)\n<TpmC>\n7815 tpmC\n";
        let read = logs::read(text, "x.log").unwrap();
        let figures = read.results[0].figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
        assert_eq!(figures.collect::<Vec<_>>(), ["nopm 7815"]);
    }

    #[test]
    fn both_forms_of_intervals_and_the_results_are_read() {
        for interval in
            ["  10, trx: 100, 95%: 9.4, 99%: 18.7, max_rt: 21.1, 99|98.7", "  10, 100(0):1.819|2.223, 99(0):0.3|0.4"]
        {
            let text = format!(
                "  [warehouse]: 10\n [connection]: 4\n    [measure]: 10 (sec.)\n{interval}\n<Raw Results>\n  [0] sc:60 lt:40  rt:0  fl:0\n\
                 \x20 [1] sc:99 lt:1  rt:0  fl:1\n in 10 sec.\n<Raw Results2(sum ver.)>\n  [0] sc:60  lt:40  rt:0  fl:0\n\
                 <Constraint Check> (all must be [OK])\n      New-Order: 60.00%  [NG] *\n<TpmC>\n                 600.000 TpmC\n"
            );
            let read = logs::read(&text, "x.log").unwrap();
            let result = &read.results[0];
            let figures = result.figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
            let figures = figures.collect::<Vec<_>>().join(", ");
            assert_eq!(
                figures,
                "clients 4, nopm 600, seconds 10, transactions 200, new_orders 100, failed 1, warehouses 10"
            );
            assert_eq!(
                (result.periods.as_slice(), result.own_failures.as_slice()),
                (&[(10.0, 10.0)][..], &["New-Order: 60.00%  [NG]".to_owned()][..])
            );
        }
    }
}
