//! The summaries of YCSB and of go-ycsb: throughput of the run, and the response times of each operation.

use super::{LogFormat, after, lines, number, put};
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
/// The lines of its operations alone, cut out of their log.
pub(super) const JAVA_PART: LogFormat = LogFormat {
    name: "YCSB",
    signature: "], AverageLatency(",
    line: "",
    read: |text| if text.contains(JAVA.signature) { Vec::new() } else { read_java(text) },
};
/// `READ   - Takes(s): 9.3, Count: 4950, OPS: 530.4, Avg(us): 840, …`
pub(super) const GO: LogFormat =
    LogFormat { name: "go-ycsb", signature: "Run finished, takes", line: "Run finished, takes", read: read_go };

/// The same without the line that ends a run: what is cut out of a log, or a run that was stopped.
pub(super) const GO_PART: LogFormat = LogFormat {
    name: "go-ycsb",
    signature: ", OPS: ",
    line: "",
    read: |text| if text.contains(GO.signature) { Vec::new() } else { read_go_part(text) },
};

fn read_java(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut clients) = (Vec::<PublishedResult>::new(), None);
    for (at, line) in lines(text) {
        clients = threads(line).or(clients);
        let (file, line) = file(line);
        let mut parts = line.splitn(3, ',').map(str::trim);
        let (Some(operation), Some(label), Some(value)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let Some(operation) = operation.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { continue };
        // The operations of another run begin with a number that is there already.
        let begins_again = |now: &PublishedResult| {
            label == "Operations" && now.figures.contains_key(&FigureKind::Transactions) && operation != "OVERALL"
        };
        let is_other = |now: &PublishedResult| {
            now.workload.as_deref() != Some(operation) || now.target.as_deref() != file || begins_again(now)
        };
        if label == "RunTime(ms)" || all.last().is_none_or(is_other) {
            let workload = Some(operation.to_owned());
            let target = file.map(str::to_owned);
            let mut now = PublishedResult { line: at, target, workload, ..PublishedResult::default() };
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

/// The name of the file that `grep` has put before a line, and the line: `run1.log:[READ], Operations, 504`.
fn file(line: &str) -> (Option<&str>, &str) {
    match line.split_once(":[") {
        Some((file, rest)) if !file.starts_with('[') && !file.contains(' ') => {
            (Some(file), &line[line.len() - rest.len() - 1..])
        }
        _ => (None, line),
    }
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

/// The rate at which operations are started, in the properties of a run, which go-ycsb prints first: `"target"="500"`. `before` is that of
/// the lines before.
fn has_rate(line: &str, before: bool) -> bool {
    let rate = line.strip_prefix("\"target\"=\"").and_then(number);
    rate.map_or(before && !line.contains("* properties *"), |rate| rate.value > 0.0)
}

/// The lines after the end of a run are of the whole of it; those before of what was done so far.
fn read_go(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut clients, mut seconds) = (Vec::<PublishedResult>::new(), None, None);
    // The first result of the run that has ended.
    let (mut first, mut at_a_rate) = (0, false);
    for (at, line) in lines(text) {
        clients = threads(line).or(clients);
        at_a_rate = has_rate(line, at_a_rate);
        if let Some(rest) = line.strip_prefix("Run finished, takes ") {
            (seconds, first) = (duration(rest), all.len());
            continue;
        }
        let Some(mut now) = operation(at, line) else {
            // Other lines are those of the next run.
            if !line.is_empty() {
                seconds = None;
            }
            continue;
        };
        // The same operation again is one of the next run.
        if all[first..].iter().any(|known| known.workload == now.workload) {
            seconds = None;
        }
        if let Some(seconds) = seconds {
            now.is_open_loop |= at_a_rate;
            all.push(whole(now, clients, Some(seconds)));
        }
    }
    all
}

/// Of lines of what was done so far the last one of each operation counts: it has the figures of the others too. A run begins where time
/// goes back.
fn read_go_part(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut clients, mut at_a_rate) = (Vec::<(f64, PublishedResult)>::new(), None, false);
    for (at, line) in lines(text) {
        clients = threads(line).or(clients);
        at_a_rate = has_rate(line, at_a_rate);
        let Some(mut now) = operation(at, line) else { continue };
        now.is_open_loop |= at_a_rate;
        let takes = after(line, "Takes(s)").map_or(0.0, |takes| takes.value);
        let now = whole(now, clients, None);
        match all.iter_mut().rev().find(|(_, known)| known.workload == now.workload) {
            Some(known) if known.0 < takes => *known = (takes, now),
            _ => all.push((takes, now)),
        }
    }
    all.into_iter().map(|(_, result)| result).collect()
}

/// Little's law holds of all operations together.
fn whole(mut now: PublishedResult, clients: Option<Quantity>, seconds: Option<f64>) -> PublishedResult {
    if now.workload.as_deref() == Some("TOTAL") {
        put(&mut now, FigureKind::Clients, clients);
        put(&mut now, FigureKind::Seconds, seconds.map(Quantity::exact));
    }
    now
}

/// `READ   - Takes(s): 9.3, Count: 4950, OPS: 530.4, Avg(us): 840, …`.
fn operation(at: u64, line: &str) -> Option<PublishedResult> {
    let (operation, rest) = line.split_once(" - Takes(s):")?;
    let workload = Some(operation.trim().to_owned());
    let mut now = PublishedResult { line: at, workload, ..PublishedResult::default() };
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
    now.figures.contains_key(&FigureKind::Tps).then_some(now)
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

    #[test]
    fn a_run_at_a_rate_is_no_closed_loop() {
        let total = "TOTAL  - Takes(s): 9.3, Count: 4650, OPS: 500.0, Avg(us): 2000\n";
        let run = |properties: &str| {
            let head = "***************** properties *****************\n";
            format!("{head}{properties}\"threadcount\"=\"50\"\n***\n{total}Run finished, takes 9.3s\n{total}")
        };
        let are_open = |text: &str| -> Vec<bool> {
            logs::read(text, "x.log").unwrap().results.iter().map(|one| one.is_open_loop).collect()
        };
        let at_a_rate = run("\"target\"=\"500\"\n");
        assert_eq!(are_open(&(at_a_rate.clone() + &run(""))), [true, false]);
        assert_eq!(are_open(&run("\"target\"=\"0\"\n")), [false]);
        assert_eq!(are_open(&at_a_rate.replace("Run finished, takes 9.3s\n", "")), [true, true]);
        for command in
            ["go-ycsb run mysql --target 500 -P a", "go-ycsb run mysql --target=500", "ycsb run jdbc -p target=500"]
        {
            assert_eq!(are_open(&format!("$ {command}\n{}", run(""))), [true], "{command}");
        }
    }

    #[test]
    fn several_runs_and_parts_of_logs_are_read() {
        let run = |takes: u32, tps: u32| {
            format!(
                "READ   - Takes(s): {takes}.0, Count: {}, OPS: {tps}.0, Avg(us): 400\nTOTAL  - Takes(s): {takes}.0, Count: {}, OPS: {tps}.0, Avg(us): 400\n",
                takes * tps,
                takes * tps
            )
        };
        let of = |text: &str| -> Vec<(String, Option<f64>)> {
            let read = logs::read(text, "x.log").map_or_else(Vec::new, |read| read.results);
            read.iter().map(|result| (result.workload.clone().unwrap_or_default(), result.get(Tps))).collect()
        };
        let wanted = |rates: &[f64]| -> Vec<(String, Option<f64>)> {
            let each = rates.iter().flat_map(|tps| ["READ", "TOTAL"].map(|name| (name.to_owned(), Some(*tps))));
            each.collect()
        };
        // Periods of the second run are no results, whether or not other lines stand between.
        for between in ["\"threadcount\"=\"8\"\n", "\n", ""] {
            let text = [run(10, 99), format!("Run finished, takes 20s\n{}{between}", run(20, 100)), run(10, 88)]
                .concat()
                + &format!("Run finished, takes 20s\n{}", run(20, 110));
            assert_eq!(of(&text), wanted(&[100.0, 110.0]), "{between:?}");
        }
        assert_eq!(of(&[run(10, 99), run(20, 100), run(10, 110)].concat()), wanted(&[100.0, 110.0]));
        let part = "[READ], Operations, 10\n[READ], AverageLatency(us), 400\n";
        let means = |text: &str| -> Vec<Option<f64>> {
            logs::read(text, "x").map_or_else(Vec::new, |read| read.results.iter().map(|one| one.get(Mean)).collect())
        };
        assert_eq!(means(&part.repeat(2)), [Some(0.4), Some(0.4)]);
        let of_files = "8.log:[OVERALL], Throughput(ops/sec), 98.9\n8.log:[READ], AverageLatency(us), 400\n16.log:[OVERALL], Throughput(ops/sec), 99.9\n16.log:[READ], AverageLatency(us), 500\n";
        let targets: Vec<Option<String>> =
            logs::read(of_files, "x").unwrap().results.into_iter().map(|one| one.target).collect();
        assert_eq!(targets, ["8.log", "8.log", "16.log", "16.log"].map(|name| Some(name.to_owned())));
    }
}
