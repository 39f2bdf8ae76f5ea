//! Logs of runs that were ended before their report, or of which only the lines of periods were kept: they are known, and are no results.

use super::{lines, number};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A remark on a text that is such a log: half of its lines are of periods, or it begins as a log of sysbench does.
pub(super) fn remark(text: &str, file: &str) -> Option<Message> {
    let (mut of_periods, mut others, mut tool, mut begins) = (0_usize, 0_usize, None, false);
    for (_, line) in lines(text).filter(|(_, line)| !line.is_empty()) {
        if line.starts_with('|') {
            return None;
        }
        begins |= line.starts_with("Running the test with following options");
        match of_period(line) {
            Some(name) => {
                of_periods += 1;
                tool = tool.or(Some(name));
            }
            None => others += 1,
        }
    }
    let is_log = of_periods >= others.max(1) || (begins && of_periods > 0);
    tool.filter(|_| is_log).map(|tool| msg!("published-log-without-report", file, tool, n = of_periods))
}

/// The tool that writes such a line for each period of a run.
pub(super) fn of_period(line: &str) -> Option<&'static str> {
    if let Some(rest) = line.strip_prefix('[') {
        // `[ 10s ] thds: 8 tps: …`, `[  10s] threads: 8, tps: …`.
        let (seconds, rest) = rest.split_once(']')?;
        let is_seconds = seconds.trim().strip_suffix('s').is_some_and(|text| number(text).is_some());
        let rest = rest.trim_start();
        return (is_seconds && (rest.starts_with("thds:") || rest.starts_with("threads:"))).then_some("sysbench");
    }
    if let Some(rest) = line.strip_prefix("progress: ") {
        return (number(rest).is_some() && rest.contains(" tps, lat ")).then_some("pgbench");
    }
    // `2024-01-02 03:04:05:678 10 sec: 1000 operations; …`.
    if line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" sec: ") && line.contains(" operations; ") {
        return Some("YCSB");
    }
    // `  10, trx: 1234, 95%: 12.3, …`, and the older `  10, 1234(0):12.3|…`.
    let (seconds, rest) = line.split_once(", ")?;
    let is_seconds = !seconds.is_empty() && seconds.bytes().all(|b| b.is_ascii_digit());
    let counts = rest.starts_with("trx: ") || (rest.contains("):") && rest.contains('|'));
    (is_seconds && counts).then_some("tpcc-mysql")
}
