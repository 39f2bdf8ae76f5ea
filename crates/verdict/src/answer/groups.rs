//! What groups of clients did on what is compared, each by itself: times of all groups together are those of whichever completes most.

use super::{ends, percent, ratio};
use crate::comparison::{Comparable, RatioInCell, reading};
use crate::contender;
use crate::group_ratios::{self, GroupRatios};
use tenbin_model::axis;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most groups and cells that the answer speaks of; the table of groups has all.
const MOST: usize = 6;

/// A sentence for each that is compared with the base; none without groups.
pub(super) fn compared(summary: &Summary, experiment: &str) -> Vec<Message> {
    let mut all: Vec<(Message, Message, Vec<Message>)> = Vec::new();
    for ((cell, target, group), ratios) in &group_ratios::all(summary) {
        let is_own = |t: &&TrialResult| t.trial.cell == *cell && t.trial.target.name == *target;
        let Some(t) = summary.trials.iter().find(is_own).filter(|t| t.trial.experiment == experiment) else { continue };
        let Some(figures) = figures(ratios) else { continue };
        let (base, other) = (contender::words_of_name(summary, experiment, &ratios.base), contender::words(t));
        let axes = contender::shared(t).map_or_else(|| t.trial.axes.clone(), |(_, rest)| rest);
        let at = match super::compared::within(&axes) {
            [] => foreign(group),
            axes => Message::list([foreign(group), axis::cell(axes)]),
        };
        let part = msg!("answer-group", group = at, figures);
        match all.iter_mut().find(|(_, known, _)| *known == other) {
            Some((.., parts)) => parts.push(part),
            None => all.push((base, other, vec![part])),
        }
    }
    let sentence = |(a, b, mut parts): (Message, Message, Vec<Message>)| {
        let left_out = parts.len().saturating_sub(MOST);
        parts.truncate(MOST);
        let more = if left_out > 0 { msg!("answer-more-groups", n = left_out) } else { foreign("") };
        msg!("answer-groups", a, b, parts = Message::joined(parts, msg!("semicolon")), more)
    };
    all.into_iter().map(sentence).collect()
}

/// The ratios of a group that are known.
fn figures(of: &GroupRatios) -> Option<Message> {
    let tps = of.tps.map(|r| msg!("answer-group-tps", ratio = told(r)));
    let p99 = of.p99.map(|r| msg!("answer-group-p99", ratio = told(r)));
    let all: Vec<Message> = tps.into_iter().chain(p99).collect();
    (!all.is_empty()).then(|| Message::list(all))
}

/// A ratio with its interval, as far as that tells the two apart.
fn told(r: RatioInCell) -> Message {
    let of = msg!("ratio-times", n = ratio(r.ratio));
    match (reading(r.confidence), r.confidence) {
        (Comparable::Alike { within }, _) => msg!("group-ratio-alike", within = percent(within)),
        (Comparable::Unclear, Some(i)) => {
            let [low, high] = ends(i.low, i.high);
            msg!("group-ratio-unclear", low, high)
        }
        (Comparable::Higher | Comparable::Lower, Some(i)) => {
            let [low, high] = ends(i.low, i.high);
            msg!("group-ratio", ratio = of, low, high)
        }
        _ => msg!("group-ratio-by-chance", ratio = of),
    }
}
