//! The output of mysqlslap: its blocks of text, and the lines of `--csv`.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::raw_table::MOST_ROWS;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat = LogFormat {
    name: "mysqlslap",
    signature: "number of seconds to run all queries:",
    line: "Average number of seconds to run all queries:",
    read,
};
pub(super) const CSV: LogFormat = LogFormat { name: "mysqlslap --csv", signature: ",", line: "", read: read_csv };

fn read(text: &str) -> Vec<PublishedResult> {
    let mut all: Vec<PublishedResult> = Vec::new();
    for (at, line) in lines(text) {
        if line == "Benchmark" {
            all.push(PublishedResult { line: at, ..PublishedResult::default() });
            continue;
        }
        let Some(now) = all.last_mut() else { continue };
        if let Some(engine) = line.strip_prefix("Running for engine ") {
            now.axes.push(("engine".to_owned(), engine.to_owned()));
        }
        let Some((label, value)) = line.split_once(": ") else { continue };
        let kind = match label {
            "Average number of seconds to run all queries" => FigureKind::MeanSeconds,
            "Minimum number of seconds to run all queries" => FigureKind::MinSeconds,
            "Maximum number of seconds to run all queries" => FigureKind::MaxSeconds,
            "Number of clients running queries" => FigureKind::Clients,
            "Average number of queries per client" => FigureKind::QueriesPerClient,
            _ => continue,
        };
        put(now, kind, number(value));
    }
    all.retain(|result| result.figures.contains_key(&FigureKind::MeanSeconds));
    all
}

/// `innodb,mixed,0.002,0.001,0.004,2,2` on every line; the engine may be empty. Anything else is no output of it.
fn read_csv(text: &str) -> Vec<PublishedResult> {
    const KINDS: [FigureKind; 5] = [
        FigureKind::MeanSeconds,
        FigureKind::MinSeconds,
        FigureKind::MaxSeconds,
        FigureKind::Clients,
        FigureKind::QueriesPerClient,
    ];
    let one = |(at, line): (u64, &str)| {
        let fields: Vec<&str> = line.split(',').collect();
        let [engine, load, ..] = fields[..] else { return None };
        let mut result = PublishedResult { line: at, ..PublishedResult::default() };
        if fields.len() != 7 || !["mixed", "update", "write", "key", "read"].contains(&load) {
            return None;
        }
        result.workload = Some(load.to_owned());
        if !engine.is_empty() {
            result.axes.push(("engine".to_owned(), engine.to_owned()));
        }
        for (kind, field) in KINDS.into_iter().zip(&fields[2..]) {
            put(&mut result, kind, Some(number(field)?));
        }
        Some(result)
    };
    let all: Option<Vec<PublishedResult>> =
        lines(text).filter(|(_, line)| !line.is_empty()).take(MOST_ROWS + 1).map(one).collect();
    all.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::logs;

    #[test]
    fn blocks_and_lines_say_the_same() {
        let block = "Benchmark\n\tRunning for engine innodb\n\tAverage number of seconds to run all queries: 0.616 seconds\n\
                     \tMinimum number of seconds to run all queries: 0.598 seconds\n\tMaximum number of seconds to run all queries: 0.641 seconds\n\
                     \tNumber of clients running queries: 1\n\tAverage number of queries per client: 1000\n\n";
        let [block, line] =
            [block, "innodb,mixed,0.616,0.598,0.641,1,1000\n"].map(|text| logs::read(text, "x").unwrap());
        assert_eq!(block.results[0].figures.len(), 5);
        let values = |all: &crate::Published| {
            all.results[0].figures.iter().map(|(kind, (q, _))| (*kind, *q)).collect::<Vec<_>>()
        };
        assert_eq!(values(&block), values(&line));
        assert_eq!(block.results[0].axes, [("engine".to_owned(), "innodb".to_owned())]);
    }
}
