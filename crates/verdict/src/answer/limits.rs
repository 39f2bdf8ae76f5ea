//! What searches found: the limit of each target, and how far the two highest lie apart.

use super::{ends, ratio};
use crate::limit::{self, Limit};
use crate::limit_ratio::{self, LimitLead};
use tenbin_model::axis;
use tenbin_model::summary::Summary;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most cells of which the answer says how far limits lie apart; the page has the limits of all.
const MOST: usize = 4;

/// The sentences on the searches of an experiment.
pub(super) fn found(summary: &Summary, experiment: &str) -> Vec<Message> {
    let limits = limit::of(summary);
    let limits = limits.iter().filter(|limit| limit.experiment == experiment).map(Limit::sentence);
    let leads = limit_ratio::leads(summary);
    let leads = leads.iter().filter(|lead| lead.experiment == experiment).take(MOST).map(self::lead);
    limits.chain(leads).collect()
}

/// By how much one limit is that of another, as far as the levels that were tried show it.
pub fn lead(of: &LimitLead) -> Message {
    let cell = match of.axes.as_slice() {
        [] => foreign(""),
        axes => msg!("limit-in-cell", cell = axis::cell(axes)),
    };
    let (a, b, times) = (of.a.target.as_str(), of.b.target.as_str(), ratio(of.interval.value));
    let [low, high] = ends(of.interval.low, of.interval.high);
    match (of.is_decided(), of.b.fails) {
        (true, None) => msg!("limit-lead-at-least", a, b, cell, low),
        (true, Some(_)) => msg!("limit-lead", a, b, cell, ratio = times, low, high),
        (false, _) => msg!("limit-lead-open", a, b, cell, ratio = times, low, high),
    }
}
