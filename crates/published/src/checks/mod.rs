//! The checks of published results, one function for each, and what several of them share.

pub(crate) mod counts;
pub(crate) mod exchange;
pub(crate) mod failures;
pub(crate) mod growth;
pub(crate) mod implied;
mod known_workloads;
pub(crate) mod little;
mod mending;
pub(crate) mod order;
pub(crate) mod percentiles;
pub(crate) mod periods;
pub(crate) mod ratios;
pub(crate) mod repeats;
pub(crate) mod summaries;
pub(crate) mod totals;
pub(crate) mod zeros;

use crate::figure_kind::FigureKind;
use crate::published_audit::{PublishedAudit, PublishedDoubt};
use crate::result::PublishedResult;
use tenbin_model::doubt::Doubt;
use tenbin_model::doubt::Verdict;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

impl PublishedAudit {
    /// One doubt.
    fn doubt(verdict: Verdict, code: &str, problem: Problem, touches: Vec<(usize, FigureKind)>) -> PublishedAudit {
        let doubt = Doubt { verdict, code: code.to_owned(), problem };
        PublishedAudit { doubts: vec![PublishedDoubt { doubt, touches }], ..PublishedAudit::default() }
    }

    fn confirmed(message: Message) -> PublishedAudit {
        PublishedAudit { confirmed: vec![message], ..PublishedAudit::default() }
    }

    fn not_checked(message: Message) -> PublishedAudit {
        PublishedAudit { not_checked: vec![message], ..PublishedAudit::default() }
    }

    fn and(mut self, other: PublishedAudit) -> PublishedAudit {
        self.doubts.extend(other.doubts);
        self.confirmed.extend(other.confirmed);
        self.not_checked.extend(other.not_checked);
        self
    }
}

/// A figure for a sentence, with its unit if it is a time.
fn shown(kind: FigureKind, value: f64) -> String {
    match kind.measure() {
        crate::Measure::Milliseconds => format!("{} ms", precise(value)),
        crate::Measure::Seconds => format!("{} s", precise(value)),
        crate::Measure::Number => precise(value),
    }
}

/// As many digits as published figures have: whole numbers as they are, others with two decimal places or three digits.
fn precise(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return figure::whole(value as i128);
    }
    if value.abs() < 1.0 { figure::grouped(value) } else { two_places(value) }
}

fn two_places(value: f64) -> String {
    let text = format!("{value:.2}");
    let (whole, places) = text.split_once('.').unwrap_or((&text, "00"));
    match whole.parse::<i128>() {
        Ok(whole) if whole.abs() >= 1000 => format!("{}.{places}", figure::whole(whole)),
        _ => text,
    }
}

/// A share as per cent: `0.2`, `12`.
fn percent(share: f64) -> String {
    let percent = share.abs() * 100.0;
    match percent {
        p if p < 0.005 => "0.01".to_owned(),
        p if p < 0.1 => format!("{p:.2}"),
        p if p < 10.0 => format!("{p:.1}"),
        p => format!("{p:.0}"),
    }
}

/// Whether a quotient of printed figures can be 1, within a tolerance and with the part of them that rounding leaves open: if what is printed
/// as 1 was 0.5, the quotient was twice as large.
fn can_be_one(ratio: f64, tolerance: f64, rounding: f64) -> bool {
    let least = (1.0 - rounding).max(0.0);
    ratio * least <= 1.0 + tolerance && ratio >= (1.0 - tolerance) * least
}

/// With more of its figures left open by rounding a product may as well be half or twice as large: that it agrees says nothing.
const COARSE: f64 = 1.0 / 3.0;

/// `all 36 results`.
fn in_all(n: usize) -> Message {
    msg!("published-in-all", n)
}

/// Where a result is: its line, and target and number of clients if it has them.
fn place(result: &PublishedResult) -> Message {
    let mut parts = vec![msg!("published-line", line = result.line)];
    parts.extend(result.target.iter().map(foreign));
    let group = result.group();
    parts.extend((!group.is_empty()).then(|| foreign(group)));
    Message::list(parts)
}
