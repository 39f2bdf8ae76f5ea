//! The summaries of YCSB and of go-ycsb: throughput of the run, and the response times of each operation.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;

/// `[READ], AverageLatency(us), 1054.07`
pub(super) const JAVA: LogFormat = LogFormat {
    name: "YCSB",
    signature: "[OVERALL], Throughput(ops/sec)",
    line: "[OVERALL], Throughput(ops/sec)",
    read: read_java,
};
/// `READ   - Takes(s): 9.3, Count: 4950, OPS: 530.4, Avg(us): 840, …`
pub(super) const GO: LogFormat =
    LogFormat { name: "go-ycsb", signature: "Run finished, takes", line: "Run finished, takes", read: read_go };

fn read_java(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut clients) = (Vec::<PublishedResult>::new(), None);
    for (at, line) in lines(text) {
        clients = threads(line).or(clients);
        let mut parts = line.splitn(3, ',').map(str::trim);
        let (Some(operation), Some(label), Some(value)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let Some(operation) = operation.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { continue };
        if label == "RunTime(ms)" || all.last().is_none_or(|now| now.workload.as_deref() != Some(operation)) {
            let workload = Some(operation.to_owned());
            let mut now = PublishedResult { line: at, workload, ..PublishedResult::default() };
            put(&mut now, FigureKind::Clients, clients);
            all.push(now);
        }
        let Some(now) = all.last_mut() else { continue };
        match label {
            "RunTime(ms)" => put(now, FigureKind::Seconds, number(value).map(|ms| ms.times(1e-3))),
            "Throughput(ops/sec)" => put(now, FigureKind::Tps, number(value)),
            "Operations" => put(now, FigureKind::Transactions, number(value)),
            label => time(now, label, number(value)),
        }
    }
    all.retain(|result| {
        let is_run = result.workload.as_deref() == Some("OVERALL");
        is_run || (result.get(FigureKind::Mean).is_some() && result.workload.as_deref() != Some("CLEANUP"))
    });
    all
}

/// `AverageLatency(us)`, `95thPercentileLatency(us)`, `99.9PercentileLatency(us)`.
fn time(now: &mut PublishedResult, label: &str, value: Option<Quantity>) {
    let Some((name, unit)) = label.strip_suffix(')').and_then(|label| label.split_once("Latency(")) else { return };
    let factor = match unit {
        "us" => 1e-3,
        "ms" => 1.0,
        "ns" => 1e-6,
        _ => return,
    };
    let kind = match name {
        "Average" => FigureKind::Mean,
        "Min" => FigureKind::Min,
        "Max" => FigureKind::Max,
        name => {
            let Some(part) = name.strip_suffix("Percentile").and_then(percentile) else { return };
            part
        }
    };
    put(now, kind, value.map(|value| value.times(factor)));
}

/// `95th`, `99.9`.
fn percentile(text: &str) -> Option<FigureKind> {
    let percent = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<f64>().ok()?;
    let hundredths = (percent * 100.0).round();
    (100.0..10_000.0).contains(&hundredths).then_some(FigureKind::Percentile(hundredths as u16))
}

/// The number of threads in the command line or the properties: `-threads 16`, `"threadcount"="16"`.
fn threads(line: &str) -> Option<Quantity> {
    ["-threads ", "threadcount=", "\"threadcount\"=\""].iter().find_map(|label| number(line.split_once(label)?.1))
}

/// The lines after the end of the run are of the whole of it; those before of what was done so far.
fn read_go(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut clients, mut seconds) = (Vec::new(), None, None);
    for (at, line) in lines(text) {
        clients = threads(line).or(clients);
        if let Some(rest) = line.strip_prefix("Run finished, takes ") {
            seconds = duration(rest);
            continue;
        }
        let Some((operation, rest)) = line.split_once(" - Takes(s):").filter(|_| seconds.is_some()) else { continue };
        let workload = Some(operation.trim().to_owned());
        let mut now = PublishedResult { line: at, workload, ..PublishedResult::default() };
        put(&mut now, FigureKind::Clients, clients);
        put(&mut now, FigureKind::Seconds, seconds.map(Quantity::exact).filter(|_| operation.trim() == "TOTAL"));
        for (label, value) in rest.split(',').filter_map(|part| part.split_once(':')) {
            let (label, value) = (label.trim(), number(value));
            let us = value.map(|value| value.times(1e-3));
            match label {
                "Count" => put(&mut now, FigureKind::Transactions, value),
                "OPS" => put(&mut now, FigureKind::Tps, value),
                "Avg(us)" => put(&mut now, FigureKind::Mean, us),
                "Min(us)" => put(&mut now, FigureKind::Min, us),
                "Max(us)" => put(&mut now, FigureKind::Max, us),
                label => {
                    if let Some(kind) = label.strip_suffix("(us)").and_then(percentile) {
                        put(&mut now, kind, us);
                    }
                }
            }
        }
        // Little's law holds of all operations together.
        if now.workload.as_deref() != Some("TOTAL") {
            now.figures.remove(&FigureKind::Clients);
        }
        all.push(now);
    }
    all
}

/// `1m9.335s`, `9.335s` in seconds.
fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    let (minutes, rest) = text.split_once('m').filter(|(_, rest)| !rest.starts_with('s')).unwrap_or(("0", text));
    Some(minutes.parse::<f64>().ok()? * 60.0 + rest.strip_suffix('s')?.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use crate::FigureKind::{Clients, Mean, Percentile, Seconds, Tps};
    use crate::logs;

    #[test]
    fn summaries_of_both_are_read() {
        let java = "Command line: -t -db site.ycsb.BasicDB -threads 4 -p x=1\n[OVERALL], RunTime(ms), 10110\n[OVERALL], Throughput(ops/sec), 98.91\n[READ], Operations, 504\n[READ], AverageLatency(us), 1054.07\n[READ], MinLatency(us), 531\n[READ], MaxLatency(us), 92863\n[READ], 95thPercentileLatency(us), 1324\n[READ], Return=OK, 504\n[CLEANUP], AverageLatency(us), 1\n";
        let read = logs::read(java, "x.log").unwrap();
        let [run, reads] = &read.results[..] else { panic!("{:?}", read.results) };
        assert_eq!((run.get(Tps), run.get(Seconds), run.get(Clients)), (Some(98.91), Some(10.11), Some(4.0)));
        assert_eq!((reads.get(Mean), reads.get(Percentile(9500))), (Some(1.05407), Some(1.324)));
        let go = "\"threadcount\"=\"8\"\nREAD   - Takes(s): 5.0, Count: 1, OPS: 1.0, Avg(us): 9\nRun finished, takes 1m9.5s\nREAD   - Takes(s): 9.3, Count: 4950, OPS: 530.4, Avg(us): 840, Min(us): 300, Max(us): 9000, 99th(us): 2500, 99.9th(us): 9000\nTOTAL  - Takes(s): 9.3, Count: 9900, OPS: 1060.8, Avg(us): 7541\n";
        let read = logs::read(go, "x.log").unwrap();
        let [reads, total] = &read.results[..] else { panic!("{:?}", read.results) };
        assert_eq!((reads.get(Mean), reads.get(Percentile(9990)), reads.get(Clients)), (Some(0.84), Some(9.0), None));
        assert_eq!((total.get(Tps), total.get(Seconds), total.get(Clients)), (Some(1060.8), Some(69.5), Some(8.0)));
    }
}
