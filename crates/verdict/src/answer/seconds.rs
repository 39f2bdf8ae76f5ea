//! What a target alone needed for fixed numbers of statements, as mysqlslap asks: seconds, and milliseconds for each statement
//! of a client, for each kind of load at its largest size.

use super::compared;
use crate::seconds_needed::{self, SecondsNeeded};
use tenbin_model::axis;
use tenbin_model::counted;
use tenbin_model::summary::{Cell, Summary};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most kinds of load that a sentence names; the page has all.
const MOST_KINDS: usize = 6;

/// The sentence on a target; `None` if it has no such cells.
pub fn alone(summary: &Summary, target: &str, cells: &[&Cell]) -> Option<Message> {
    if cells.is_empty() {
        return None;
    }
    let kinds = seconds_needed::largest(summary, cells.iter().copied());
    let left_out = kinds.len().saturating_sub(MOST_KINDS);
    let parts: Vec<Message> = kinds.iter().take(MOST_KINDS).map(|(cell, needed)| words(cell, needed)).collect();
    if parts.is_empty() {
        let is_cut_off = cells.iter().any(|cell| counted::truncated_cell(summary, cell));
        return Some(if is_cut_off {
            msg!("answer-seconds-cut-off", target)
        } else {
            msg!("answer-seconds-left", target)
        });
    }
    let more = if left_out > 0 { msg!("answer-seconds-more", n = left_out) } else { foreign("") };
    Some(msg!("answer-seconds", target, parts = Message::joined(parts, msg!("semicolon")), more))
}

/// `1.23 s (1.2 to 1.3 in 3 runs), 0.12 ms for each statement of a client, at mixed, 100 clients`.
fn words(cell: &Cell, needed: &SecondsNeeded) -> Message {
    let seconds = |value: f64| format!("{value:.3}");
    let spread = match needed.runs {
        1 => foreign(""),
        n => msg!("seconds-spread", low = seconds(needed.low), high = seconds(needed.high), n),
    };
    let at = match compared::within(&cell.axes) {
        [] => foreign(""),
        axes => msg!("seconds-at", cell = axis::cell(axes)),
    };
    msg!("seconds-needed", seconds = seconds(needed.mean), spread, each = figure::grouped(needed.each_ms), at)
}
