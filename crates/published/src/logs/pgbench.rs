//! The report of pgbench, of version 9 on, and the lines of its `--progress`.

use super::find::has;
use super::{LogFormat, after, lines, number, put};
use crate::checks::periods;
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;
use std::borrow::Cow;
use tenbin_words::message::Message;
use tenbin_words::msg;

pub(super) const LOG: LogFormat = LogFormat {
    name: "pgbench",
    signature: "number of transactions actually processed:",
    line: "number of transactions actually processed:",
    read,
};

fn read(text: &str) -> Vec<PublishedResult> {
    let mut all: Vec<PublishedResult> = Vec::new();
    let (mut progress_of, mut with_connecting) = (Vec::new(), None);
    // Transactions that were asked for and not processed, by result.
    let mut missing: Vec<f64> = Vec::new();
    let text = with_points(text);
    for (at, line) in lines(&text) {
        if let Some(progress) = line.strip_prefix("progress:") {
            if let (Some(seconds), Some(tps)) =
                (number(progress), progress.split_once(" s,").and_then(|(_, r)| number(r)))
            {
                progress_of.push((seconds.value, tps.value));
            }
            continue;
        }
        if let Some(workload) = line.strip_prefix("transaction type:") {
            all.push(PublishedResult {
                line: at,
                workload: Some(workload.trim().to_owned()),
                periods: from_the_start(std::mem::take(&mut progress_of)),
                ..PublishedResult::default()
            });
            missing.push(0.0);
        }
        let last = all.len().saturating_sub(1);
        let Some(now) = all.last_mut() else { continue };
        if let Some(skipped) = line.strip_prefix("number of transactions skipped:") {
            // Those of `--latency-limit` did not fail.
            missing[last] -= number(skipped).map_or(0.0, |skipped| skipped.value);
        }
        if let Some(rest) = line.strip_prefix("tps = ") {
            match number(rest) {
                // Of the two lines of old versions the one without the time of connecting. With a connection for each transaction
                // new versions have a line that includes it, and no other.
                Some(tps) if line.contains("including connections") => with_connecting = Some(tps),
                tps => {
                    let without = tps.map_or(0.0, |tps| tps.value);
                    let with = with_connecting.take().filter(|_| without > 0.0);
                    let share = with.map_or(0.0, |with| 1.0 - with.value / without);
                    if is_rate_of_mean(now, with, without) {
                        // A connection for each transaction: the mean has the time that it takes, and so has its rate.
                        put(now, FigureKind::Tps, with);
                    } else {
                        now.connecting_s += now.get(FigureKind::Seconds).unwrap_or(0.0) * share.clamp(0.0, 1.0);
                        put(now, FigureKind::Tps, tps);
                    }
                }
            }
            continue;
        }
        match line.split_once([':', '=']).map(|(label, value)| (label.trim(), value.trim())) {
            Some(("initial connection time", value)) => {
                now.connecting_s = number(value).map_or(0.0, |ms| ms.value / 1e3);
            }
            Some((label @ ("scaling factor" | "query mode"), value)) => {
                now.axes.push((label.to_owned(), value.to_owned()));
            }
            _ => {}
        }
        now.is_open_loop |= line.starts_with("rate limit schedule lag");
        let kind = match line.split([':', '=']).next().unwrap_or_default().trim() {
            "number of clients" => FigureKind::Clients,
            "duration" => FigureKind::Seconds,
            "number of transactions actually processed" => FigureKind::Transactions,
            "number of failed transactions" => FigureKind::Failed,
            "latency average" => FigureKind::Mean,
            "latency stddev" => FigureKind::Deviation,
            _ => continue,
        };
        let label = line.split([':', '=']).next().unwrap_or_default();
        put(now, kind, after(line, label));
        if kind == FigureKind::Transactions
            && let (Some(processed), Some(wanted)) =
                (now.get(kind), line.split_once('/').and_then(|(_, wanted)| number(wanted)))
        {
            missing[last] = wanted.value - processed;
        }
    }
    // Clients that were aborted leave out what remains of their transactions, which no other line counts.
    for (result, missing) in all.iter_mut().zip(missing) {
        if missing > result.get(FigureKind::Failed).unwrap_or(0.0) {
            result.figures.insert(FigureKind::Failed, (Quantity::exact(missing), None));
        }
    }
    all.retain(|result| result.figures.contains_key(&FigureKind::Tps));
    all
}

/// A remark on the figures of each of several scripts, below those of all together.
pub(super) fn scripts_left_out(text: &str, file: &str) -> Option<Message> {
    if !has(text, "SQL script ") || !has(text, LOG.signature) {
        return None;
    }
    let is_script = |line: &str| {
        let rest = line.strip_prefix("SQL script ");
        rest.and_then(|rest| rest.split_once(": "))
            .is_some_and(|(n, _)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let n = lines(text).filter(|(_, line)| is_script(line)).count();
    (n > 0).then(|| msg!("published-scripts-left-out", file, n))
}

/// Periods with the times from the start of the run: with `--progress-timestamp` they are those of day, in seconds since 1970.
fn from_the_start(mut periods: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    /// No run takes three years.
    const OF_DAY: f64 = 1e8;
    if let Some((first, _)) = periods.first().copied().filter(|(first, _)| *first > OF_DAY) {
        let start = first - periods::usual_length(&periods).unwrap_or(0.0);
        periods.iter_mut().for_each(|(seconds, _)| *seconds = ((*seconds - start) * 1e3).round() / 1e3);
    }
    periods
}

/// Whether the mean response time, which up to version 13 is computed from the whole time, is that of the rate with the time of
/// connecting and not that of the rate without it: the product is the number of clients.
fn is_rate_of_mean(result: &PublishedResult, with: Option<Quantity>, without: f64) -> bool {
    const NEAR: f64 = 0.01;
    let (Some(mean), Some(clients), Some(with)) = (result.get(FigureKind::Mean), result.get(FigureKind::Clients), with)
    else {
        return false;
    };
    let distance = |tps: f64| (tps * mean / 1e3 / clients - 1.0).abs();
    distance(with.value) < NEAR && distance(without) > NEAR
}

/// Some languages have a decimal comma (`latency average = 0,100 ms`), and pgbench separates no thousands.
fn with_points(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_decimal = |(at, _): &(usize, &str)| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    if !text.match_indices(',').any(|comma| is_decimal(&comma)) {
        return Cow::Borrowed(text);
    }
    let one = |(at, c): (usize, char)| if c == ',' && is_decimal(&(at, ",")) { '.' } else { c };
    Cow::Owned(text.char_indices().map(one).collect())
}

#[cfg(test)]
mod tests {
    use crate::logs;

    #[test]
    fn reports_of_old_and_new_versions_are_read() {
        let head = "progress: 1.0 s, 85.2 tps, lat 11.7 ms stddev 1.0\ntransaction type: <builtin: TPC-B (sort of)>\nscaling factor: 1\nnumber of clients: 2\nduration: 5 s\nnumber of transactions actually processed: 1000\n";
        let new = format!(
            "{head}number of failed transactions: 3 (0.300%)\nlatency average = 9.999 ms\nlatency stddev = 0.5 ms\ntps = 200.000000 (without initial connection time)\n"
        );
        let old = format!(
            "{head}latency average: 9.999 ms\ntps = 190.0 (including connections establishing)\ntps = 200.0 (excluding connections establishing)\n"
        );
        for (text, count) in [(new, 7), (old, 5)] {
            let read = logs::read(&text, "x.log").unwrap();
            let result = &read.results[0];
            assert_eq!((result.figures.len(), result.get(crate::FigureKind::Tps)), (count, Some(200.0)));
            assert_eq!(
                (result.get(crate::FigureKind::Mean), result.periods.as_slice()),
                (Some(9.999), &[(1.0, 85.2)][..])
            );
        }
    }

    #[test]
    fn times_of_day_are_counted_from_the_start() {
        let progress = |times: [&str; 6]| {
            let lines = times
                .iter()
                .zip([20.0, 90.0, 110.0, 100.0, 90.0, 110.0])
                .map(|(time, tps)| format!("progress: {time} s, {tps} tps, lat 11.7 ms stddev 1.0\n"));
            lines.collect::<String>()
                + "transaction type: x\nnumber of clients: 2\nnumber of transactions actually processed: 5200\nlatency average = 23.0 ms\ntps = 86.7 (without initial connection time)\n"
        };
        let of_day = ["010.123", "020.124", "030.123", "040.123", "050.123", "060.123"].map(|s| format!("1700000{s}"));
        let of_day = logs::read(&progress(of_day.each_ref().map(String::as_str)), "x.log").unwrap();
        let times: Vec<f64> = of_day.results[0].periods.iter().map(|(seconds, _)| *seconds).collect();
        assert_eq!(times, [10.0, 20.001, 30.0, 40.0, 50.0, 60.0]);
        let of_run = logs::read(&progress(["10.0", "20.0", "30.0", "40.0", "50.0", "60.0"]), "x.log").unwrap();
        for read in [of_day, of_run] {
            let audit = crate::audit(&read);
            assert!(audit.doubts.is_empty(), "{:?}", audit.doubts);
            assert!(audit.confirmed.iter().any(|held| held.is("published-mean-of-periods-holds")));
        }
        // Pasted from the 260th second on: what was before is not known.
        let part = logs::read(&progress(["260.0", "270.0", "280.0", "290.0", "300.0", "310.0"]), "x.log").unwrap();
        let audit = crate::audit(&part);
        assert!(audit.doubts.is_empty(), "{:?}", audit.doubts);
        assert!(!audit.confirmed.iter().any(|held| held.is("published-mean-of-periods-holds")));
    }

    #[test]
    fn transactions_of_aborted_clients_failed() {
        let text = |processed: &str, more: &str| {
            format!(
                "transaction type: x\nnumber of clients: 10\nnumber of transactions actually processed: {processed}\n{more}latency average = 2.0 ms\ntps = 5000.0 (without initial connection time)\n"
            )
        };
        for (processed, more, failed) in [
            ("10000/10000", "", None),
            ("10000/20000", "", Some(10_000.0)),
            ("10000/20000", "number of failed transactions: 3 (0.015%)\n", Some(10_000.0)),
            ("19000/20000", "number of transactions skipped: 1000 (5.000%)\n", None),
            ("10000", "number of failed transactions: 3 (0.030%)\n", Some(3.0)),
        ] {
            let read = logs::read(&text(processed, more), "x.log").unwrap();
            assert_eq!(read.results[0].get(crate::FigureKind::Failed), failed, "{processed} {more}");
            let is_doubted = crate::audit(&read).doubts.iter().any(|doubt| doubt.doubt.code == "errors");
            assert_eq!(is_doubted, failed.is_some(), "{processed} {more}");
        }
    }
}
