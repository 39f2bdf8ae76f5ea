//! What a target alone needed for fixed numbers of statements, as mysqlslap asks: seconds, and milliseconds for each statement
//! of a client, for each kind of load at its largest size. A rate over loads that are unlike would say nothing.

use super::compared;
use tenbin_model::axis;
use tenbin_model::counted;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most kinds of load that a sentence names; the page has all.
const MOST_KINDS: usize = 6;

/// A cell that was not cut off by time, with the statements of all its clients.
struct Timed<'c> {
    cell: &'c Cell,
    trials: Vec<&'c TrialResult>,
    statements: u64,
}

/// The sentence on a target; `None` if it has no such cells.
pub fn alone(summary: &Summary, target: &str, cells: &[&Cell]) -> Option<Message> {
    if cells.is_empty() {
        return None;
    }
    let timed: Vec<Timed<'_>> = cells.iter().filter_map(|cell| timed(summary, cell)).collect();
    let mut kinds: Vec<(Vec<&str>, &Timed<'_>)> = Vec::new();
    for one in &timed {
        let kind = kind(one.cell);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, largest)) if one.statements > largest.statements => *largest = one,
            Some(_) => {}
            None => kinds.push((kind, one)),
        }
    }
    let left_out = kinds.len().saturating_sub(MOST_KINDS);
    let parts: Vec<Message> = kinds.iter().take(MOST_KINDS).map(|(_, largest)| largest.words()).collect();
    if parts.is_empty() {
        return Some(msg!("answer-seconds-cut-off", target));
    }
    let more = if left_out > 0 { msg!("answer-seconds-more", n = left_out) } else { foreign("") };
    Some(msg!("answer-seconds", target, parts = Message::joined(parts, msg!("semicolon")), more))
}

fn timed<'c>(summary: &'c Summary, cell: &'c Cell) -> Option<Timed<'c>> {
    let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
    let statements = counted::expected(&trials.first()?.trial.load)?;
    (!trials.iter().any(|t| counted::truncated(t))).then_some(Timed { cell, trials, statements })
}

/// The values of a cell that are no numbers: what makes its load another one.
fn kind(cell: &Cell) -> Vec<&str> {
    let values = compared::within(&cell.axes).iter().map(|(_, value)| value.as_str());
    values.filter(|value| value.parse::<f64>().is_err()).collect()
}

impl Timed<'_> {
    /// `1.23 s (1.2 to 1.3 in 3 runs), 0.12 ms for each statement of a client, at mixed, 100 clients`.
    fn words(&self) -> Message {
        let all: Vec<f64> = self.trials.iter().map(|t| t.measured_ns() as f64 / 1e9).collect();
        let mean = statistics::mean(&all).unwrap_or(0.0);
        let (low, high) = all.iter().fold((f64::MAX, 0.0_f64), |(low, high), s| (low.min(*s), high.max(*s)));
        let clients = self.trials.first().map_or(1, |t| t.trial.load.clients);
        let each = mean * 1e3 * f64::from(clients) / self.statements.max(1) as f64;
        let seconds = |value: f64| format!("{value:.3}");
        let spread = match all.len() {
            1 => foreign(""),
            n => msg!("seconds-spread", low = seconds(low), high = seconds(high), n),
        };
        let at = match compared::within(&self.cell.axes) {
            [] => foreign(""),
            axes => msg!("seconds-at", cell = axis::cell(axes)),
        };
        msg!("seconds-needed", seconds = seconds(mean), spread, each = figure::grouped(each), at)
    }
}
