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
    let mut all: Vec<Sentence> = Vec::new();
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
        let part = (msg!("answer-group", group = at, figures), ratios.has_interval());
        match all.iter_mut().find(|one| one.other == other) {
            Some(one) => one.parts.push(part),
            None => all.push(Sentence { base, other, parts: vec![part] }),
        }
    }
    all.into_iter().map(Sentence::message).collect()
}

/// What the groups of one that is compared did, over those of the base.
struct Sentence {
    base: Message,
    other: Message,
    /// Of each group, and whether it has an interval.
    parts: Vec<(Message, bool)>,
}

impl Sentence {
    fn message(mut self) -> Message {
        let left_out = self.parts.len().saturating_sub(MOST);
        self.parts.truncate(MOST);
        let more = if left_out > 0 { msg!("answer-more-groups", n = left_out) } else { foreign("") };
        let any = self.parts.iter().any(|(_, has_interval)| *has_interval);
        let intervals = if any { msg!("answer-groups-intervals") } else { foreign("") };
        let parts = Message::joined(self.parts.into_iter().map(|(part, _)| part), msg!("semicolon"));
        msg!("answer-groups", a = self.base, b = self.other, parts, more, intervals)
    }
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
    match (reading(r.interval()), r.interval()) {
        (Comparable::Alike { within }, _) => msg!("group-ratio-alike", within = percent(within)),
        (Comparable::Unclear, Some(i)) => {
            let [low, high] = ends(i.low, i.high);
            msg!("group-ratio-unclear", low, high)
        }
        (Comparable::Higher | Comparable::Lower, Some(i)) => {
            let [low, high] = ends(i.low, i.high);
            msg!("group-ratio", ratio = of, low, high)
        }
        _ if r.pairs < 2 => msg!("group-ratio-by-chance", ratio = of),
        _ if !r.has_enough_pairs() => msg!("group-ratio-few-pairs", ratio = of),
        _ => msg!("group-ratio-scattered"),
    }
}
