//! The report of `memtier_benchmark`: the load, and a table of the rates and response times of its kinds of commands and of all.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;

/// `Type         Ops/sec     Hits/sec   Misses/sec    Avg. Latency     p50 Latency     p99 Latency   p99.9 Latency       KB/sec`
pub(super) const LOG: LogFormat =
    LogFormat { name: "memtier_benchmark", signature: "Misses/sec", line: "Type  ", read };

/// What stands above the tables of several runs.
const OF_RUNS: [(&str, &str); 3] = [
    ("BEST RUN RESULTS", "best run"),
    ("WORST RUN RESULTS", "worst run"),
    ("AGGREGATED AVERAGE RESULTS", "mean of runs"),
];

/// Of all commands; a time in milliseconds.
fn read(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut head) = (Vec::new(), Vec::new());
    let mut load: [Option<Quantity>; 3] = [None; 3];
    let mut of_runs = None;
    for (at, line) in lines(text) {
        for (n, label) in ["Threads", "Connections per thread", "Seconds"].into_iter().enumerate() {
            if let Some(count) = line.strip_suffix(label).filter(|count| is_whole(count)) {
                load[n] = number(count);
            }
        }
        of_runs = OF_RUNS.iter().find(|(begin, _)| line.starts_with(begin)).map(|(_, name)| *name).or(of_runs);
        if line.starts_with("Type ") && line.contains("Ops/sec") {
            head = columns(line);
        } else if line.starts_with("Totals ") && !head.is_empty() {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let mut now = PublishedResult { line: at, ..PublishedResult::default() };
            now.axes.extend(of_runs.map(|name| ("runs".to_owned(), name.to_owned())));
            let [threads, connections, seconds] = load;
            let clients = threads.zip(connections).map(|(threads, each)| each.times(threads.value));
            put(&mut now, FigureKind::Clients, clients.map(|clients| Quantity::exact(clients.value)));
            put(&mut now, FigureKind::Seconds, seconds);
            for (heading, cell) in head.iter().zip(&cells) {
                if let Some(kind) = figure(heading) {
                    put(&mut now, kind, number(cell).filter(|_| *cell != "---"));
                }
            }
            now.is_open_loop = is_pipelined(&now);
            all.push(now);
        }
    }
    all.retain(|result| result.get(FigureKind::Qps).is_some());
    all
}

/// Whether each connection had several requests at a time (`--pipeline`), of which the report does not say how many: its times are of that many.
fn is_pipelined(result: &PublishedResult) -> bool {
    let [clients, rate, mean] = [FigureKind::Clients, FigureKind::Qps, FigureKind::Mean].map(|kind| result.get(kind));
    let (Some(clients), Some(rate), Some(mean)) = (clients, rate, mean) else { return false };
    let each = rate * mean / 1e3 / clients;
    each > 1.5 && (each / each.round() - 1.0).abs() < NEAR
}

/// How far their number may be from a whole one.
const NEAR: f64 = 0.05;

fn is_whole(count: &str) -> bool {
    let count = count.trim();
    !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit())
}

/// The headings, of which those of times are two words: `Avg. Latency`, `p99 Latency`.
fn columns(line: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match all.last_mut().filter(|last| word == "Latency" && (last.starts_with('p') || *last == "Avg.")) {
            Some(last) => *last = format!("{last} {word}"),
            None => all.push(word.to_owned()),
        }
    }
    all
}

/// `Ops/sec`, `Latency` and `Avg. Latency`, `p99.9 Latency`.
fn figure(heading: &str) -> Option<FigureKind> {
    Some(match heading {
        "Ops/sec" => FigureKind::Qps,
        "Latency" | "Avg. Latency" => FigureKind::Mean,
        _ => {
            let percent: f64 = heading.strip_prefix('p')?.strip_suffix(" Latency")?.parse().ok()?;
            let hundredths = (percent * 100.0).round();
            (100.0..10_000.0).contains(&hundredths).then_some(FigureKind::Percentile(hundredths as u16))?
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::{audit, logs, read};

    const LOAD: &str = "4         Threads\n50        Connections per thread\n60        Seconds\n\n\nALL STATS\n";

    fn said(text: &str) -> Vec<String> {
        let all = logs::read(text, "x").map_or_else(Vec::new, |read| read.results);
        let one = |result: &crate::PublishedResult| {
            let figures = result.figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
            [result.group(), figures.collect::<Vec<_>>().join(" ")].join(": ")
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn the_totals_of_a_run_are_a_result() {
        let head = "=========\nType         Ops/sec     Hits/sec   Misses/sec    Avg. Latency     p50 Latency     p99 Latency   p99.9 Latency       KB/sec \n---------\n";
        let rows = "Sets         9090.91          ---          ---         2.01000         1.90000         4.10000         6.00000       700.00 \nGets        90909.09         0.00     90909.09         1.99900         1.90000         4.00000         6.00000      3500.00 \nWaits           0.00          ---          ---             ---             ---             ---             ---          --- \nTotals     100000.00         0.00     90909.09         2.00000         1.90000         4.00000         6.00000      4200.00 \n";
        let text = format!("{LOAD}{head}{rows}");
        assert_eq!(said(&text), [": clients 200 qps 100000 mean_ms 2 p50_ms 1.9 p99_ms 4 p99.9_ms 6 seconds 60"]);
        let read = read(text.as_bytes(), "x.log").unwrap();
        assert!(audit(&read).doubts.is_empty(), "{:?}", audit(&read).doubts);
        let several = format!("{LOAD}BEST RUN RESULTS\n{head}{rows}WORST RUN RESULTS\n{head}{rows}");
        let groups: Vec<String> =
            said(&several).iter().map(|one| one.split(':').next().unwrap_or("").to_owned()).collect();
        assert_eq!(groups, ["runs best run", "runs worst run"]);
        let old = "Type        Ops/sec     Hits/sec   Misses/sec      Latency       KB/sec\nTotals     100000.00         0.00     90909.09      2.00000      4200.00\n";
        assert_eq!(said(&format!("{LOAD}{old}")), [": clients 200 qps 100000 mean_ms 2 seconds 60"]);
        assert_eq!(said("Type Misses/sec\nTotals 5\n"), [""; 0]);
    }
}
