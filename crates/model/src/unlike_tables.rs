//! Targets whose tables were not alike in the same cell: their ratio is not that of the servers alone. Pure.

use crate::inspection::without;
use crate::names::tables::{ENGINE, PARTS, PERSISTENCE, SEPARATOR};
use crate::summary::{Summary, TrialResult};
use crate::trial::Target;
use std::collections::BTreeMap;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most items of a list that are named.
const MOST: usize = 6;

/// Of a run: the targets of the same kind of server whose tables differ from those of the baseline, or of the first of them. Stored runs say it as a whole. What
/// a command of the plan does to one of the targets only is what the plan compares.
pub fn of_targets(summary: &Summary) -> Option<Message> {
    let mut cells: BTreeMap<(&str, u32), Vec<&TrialResult>> = BTreeMap::new();
    let is_compared = |t: &&TrialResult| t.begun && t.trial.compare.is_none() && summary.stored.is_none();
    for t in summary.trials.iter().filter(is_compared) {
        let cell = cells.entry((&t.trial.experiment, t.trial.cell)).or_default();
        if cell.iter().all(|other| other.trial.target.name != t.trial.target.name) {
            cell.push(t);
        }
    }
    let mut all: BTreeMap<(&str, &str), Message> = BTreeMap::new();
    for mut cell in cells.into_values() {
        cell.sort_by_key(|t| (!t.trial.target.baseline, t.trial.target.place));
        for (at, other) in cell.iter().enumerate() {
            let (of_other, is_like) = (&other.trial.target, |one: &&&TrialResult| are_alike(one, other));
            let Some(one) = cell[..at].iter().find(is_like) else { continue };
            let of_one = &one.trial.target;
            let seen: Vec<Message> = [ENGINE, PERSISTENCE, PARTS].iter().filter_map(|f| seen(f, one, other)).collect();
            if !seen.is_empty() && commands(of_one) == commands(of_other) {
                let (one, other, seen) = (&of_one.name, &of_other.name, Message::joined(seen, "; "));
                all.entry((one, other)).or_insert_with(|| msg!("tables-unlike", one, other, seen));
            }
        }
    }
    (!all.is_empty()).then(|| Message::joined(all.into_values(), msg!("between-sentences")))
}

/// Whether two servers name what tables consist of in the same way.
fn are_alike(one: &TrialResult, other: &TrialResult) -> bool {
    one.trial.target.scheme() == other.trial.target.scheme()
}

/// What may change the tables of a target before it is measured.
fn commands(target: &Target) -> [Option<&String>; 4] {
    let (hooks, restore) = (&target.hooks, target.restore.command.as_ref().map(|command| &command.run));
    [hooks.before_run.as_ref(), hooks.before_trial.as_ref(), hooks.with_data.as_ref(), restore]
}

/// A fact that differs, with what each of both has.
fn seen(fact: &str, one: &TrialResult, other: &TrialResult) -> Option<Message> {
    let of = |t: &'_ TrialResult| t.before.as_ref().and_then(|of| of.inspection.facts.get(fact)).cloned();
    let (a, b) = of(one).zip(of(other)).filter(|(a, b)| a != b)?;
    let (own, others) = (named(&without(&a, &b)), named(&without(&b, &a)));
    Some(msg!("tables-unlike-seen", one = one.trial.target.name, own, other = other.trial.target.name, others))
}

/// The first items of a list.
fn named(list: &str) -> Message {
    let items: Vec<&str> = list.split(SEPARATOR).collect();
    let more = items.len().saturating_sub(MOST);
    let more = (more > 0).then(|| msg!("and-more-settings", more));
    Message::joined(items.into_iter().take(MOST).map(foreign).chain(more), ", ")
}
