//! What JMeter's summariser prints: a line for each period (`summary +`) and one for the run so far (`summary =`), of which the last counts.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat = LogFormat { name: "JMeter", signature: "summary =", line: "summary =", read };

fn read(text: &str) -> Vec<PublishedResult> {
    let mut all: Vec<PublishedResult> = Vec::new();
    for (at, line) in lines(text) {
        let Some(result) = line.strip_prefix("summary =").and_then(|rest| of_line(at, rest)) else { continue };
        // Of one run neither the number of requests nor the time shrinks.
        let grows = |last: &PublishedResult, kind| result.get(kind).unwrap_or(0.0) >= last.get(kind).unwrap_or(0.0);
        match all.last_mut() {
            Some(last) if grows(last, FigureKind::Transactions) && grows(last, FigureKind::Seconds) => *last = result,
            _ => all.push(result),
        }
    }
    all
}

/// `1000 in 00:00:10 = 100.0/s Avg: 80 Min: 5 Max: 300 Err: 0 (0.00%)`.
fn of_line(at: u64, rest: &str) -> Option<PublishedResult> {
    let (count, rest) = rest.split_once(" in ")?;
    let (time, rest) = rest.split_once('=')?;
    let mut result = PublishedResult { line: at, ..PublishedResult::default() };
    put(&mut result, FigureKind::Transactions, number(count));
    put(&mut result, FigureKind::Seconds, seconds(time.trim()));
    put(&mut result, FigureKind::Tps, number(rest));
    let labels = [
        ("Avg:", FigureKind::Mean),
        ("Min:", FigureKind::Min),
        ("Max:", FigureKind::Max),
        ("Err:", FigureKind::Failed),
    ];
    for (label, kind) in labels {
        put(&mut result, kind, rest.split_once(label).and_then(|(_, rest)| number(rest)));
    }
    result.figures.contains_key(&FigureKind::Mean).then_some(result)
}

/// `00:01:10`, to the second.
fn seconds(time: &str) -> Option<Quantity> {
    let parts: Option<Vec<f64>> = time.split(':').map(|part| part.parse().ok()).collect();
    let value = parts?.iter().fold(0.0, |all, part| all * 60.0 + part);
    (value > 0.0).then_some(Quantity { value, half: 1.0 })
}

#[cfg(test)]
mod tests {
    use crate::{audit, read};

    #[test]
    fn the_last_line_of_a_run_is_its_result() {
        let log = "summary +    500 in 00:00:05 =  100.0/s Avg:    70 Min:     6 Max:   300 Err:     0 (0.00%) Active: 8\n\
                   summary =    500 in 00:00:05 =  100.0/s Avg:    70 Min:     6 Max:   300 Err:     0 (0.00%)\n\
                   summary +    500 in 00:00:05 =  100.0/s Avg:    90 Min:     5 Max:   310 Err:     2 (0.40%) Active: 8\n\
                   summary =   1000 in 00:00:10 =  100.0/s Avg:    80 Min:     5 Max:   310 Err:     2 (0.20%)\n";
        let published = read(log, "x.log").unwrap();
        let figures = published.results[0].figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
        let figures = figures.collect::<Vec<_>>().join(" ");
        assert_eq!(published.results.len(), 1);
        assert_eq!(figures, "tps 100 min_ms 5 mean_ms 80 max_ms 310 seconds 10 transactions 1000 failed 2");
        assert!(audit(&published).doubts.iter().all(|doubt| doubt.doubt.code == "errors"));
    }

    #[test]
    fn a_run_begins_where_the_time_or_the_number_shrinks() {
        let line = |count: u32, time: &str| {
            format!("summary = {count} in {time} = 100.0/s Avg: 70 Min: 6 Max: 300 Err: 0 (0.00%)\n")
        };
        let counts = |lines: &[(u32, &str)]| -> Vec<Option<f64>> {
            let text: String = lines.iter().map(|(count, time)| line(*count, time)).collect();
            let results = read(text.as_bytes(), "x.log").unwrap().results;
            results.iter().map(|one| one.get(crate::FigureKind::Transactions)).collect()
        };
        assert_eq!(counts(&[(1000, "00:00:20"), (3000, "00:01:00"), (4000, "00:00:20")]), [Some(3000.0), Some(4000.0)]);
        assert_eq!(counts(&[(3000, "00:01:00"), (1000, "00:01:10")]), [Some(3000.0), Some(1000.0)]);
        assert_eq!(counts(&[(3000, "00:01:00"), (3000, "00:01:00")]), [Some(3000.0)]);
    }
}
