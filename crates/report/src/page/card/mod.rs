//! The result card, the first thing on the page: for each question of the run who is ahead, by how much and how surely, a row for each
//! cell, what limited the targets, and the gravest reason to doubt it.

mod alone;
mod compared;
mod limits;

use super::context::PageContext;
use super::trust;
use crate::bilingual;
use crate::figures::{named, times, value};
use minijinja::{Value, context};
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::Cell;
use tenbin_verdict::answer::{unmeasured, within};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::durability;
use tenbin_verdict::why;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most cards that are shown before a fold: one for each experiment and question.
pub(super) const MOST: usize = 2;
/// The most chips of limits, and of what has no result.
const MOST_CHIPS: usize = 6;
/// The most rows of a card that are not folded.
const MOST_ROWS: usize = 8;

/// The cards, what limited the targets, and the gravest doubt.
pub(super) fn values(m: &PageContext<'_>) -> Value {
    let mut cards: Vec<Value> = Vec::new();
    for experiment in m.summary.experiments() {
        for question in m.summary.questions(experiment) {
            let name = (m.summary.experiments().len() > 1).then(|| bilingual::foreign(experiment));
            let card = card(m, experiment, question);
            cards.extend(card.map(|card| context! { experiment => name, ..card }));
        }
    }
    if cards.is_empty() {
        cards.push(context! { nothing => true });
    }
    let limited = |d: why::TargetDiagnosis| {
        // Where nothing is at its limit, the figures are of what is nearest to one.
        let is_limit = matches!(d.diagnosis.outcome, why::Outcome::Limit(_));
        let proof = d.diagnosis.proofs.first().filter(|_| is_limit).map(|proof| bilingual::html(&proof.words()));
        context! {
            target => m.target(d.along.as_ref().unwrap_or(&d.target)), experiment => d.of_several.then(|| d.experiment.clone()),
            limit => bilingual::html(&d.diagnosis.label()), proof,
        }
    };
    let all = why::of_targets(m.summary);
    // That nothing is known is said once.
    let embedded = all.is_empty() && why::within_client(m.summary);
    let unknown = !all.is_empty() && all.iter().all(|d| d.diagnosis.outcome == why::Outcome::NotKnown);
    let limits: Vec<Value> = if unknown { Vec::new() } else { all.into_iter().map(limited).collect() };
    let more = limits.len().saturating_sub(MOST_CHIPS);
    let is_measured = |target: &&String| m.cells.iter().any(|cell| cell.target == **target && !cell.tps.is_empty());
    let without: Vec<&String> = m.targets.iter().filter(|target| !is_measured(target)).collect();
    let is_nothing = without.len() == m.targets.len();
    let values: Vec<String> = unmeasured(m.summary).into_iter().map(|(_, value)| value).collect();
    let without = without.into_iter().chain(&values).filter(|_| !is_nothing);
    let without: Vec<Value> = without.map(|one| m.target(one)).collect();
    let more_without = without.len().saturating_sub(MOST_CHIPS);
    let first = |all: Vec<Value>| all.into_iter().take(MOST_CHIPS).collect::<Vec<_>>();
    context! {
        cards, most => MOST, without => first(without), more_without, limits => first(limits), more, unknown, embedded,
        promises => promises(m), doubt => trust::gravest(m),
    }
}

fn card(m: &PageContext<'_>, experiment: &str, question: Question) -> Option<Value> {
    if question == Question::Limit {
        return limits::card(m, experiment);
    }
    let main = m.summary.comparisons(experiment, question, question.figure());
    match main.as_slice() {
        [] => alone::card(m, experiment, question),
        _ if !m.summary.may_be_compared(experiment, question) => alone::card(m, experiment, question),
        [one] => Some(compared::two(m, experiment, question, one)),
        several => Some(compared::several(m, experiment, question, several)),
    }
}

/// What a commit survives, where all that are compared promise the same; a difference is a caution of its own.
fn promises(m: &PageContext<'_>) -> Option<Value> {
    if durability::difference(m.summary).is_some() {
        return None;
    }
    durability::of_all(m.summary).map(|promise| bilingual::html(&promise.words()))
}

/// The cells of an experiment that have results.
fn cells<'m>(m: &'m PageContext<'_>, experiment: &str, question: Question) -> Vec<&'m Cell> {
    let asks = |cell: &&Cell| {
        let first = cell.trials.first().and_then(|number| m.summary.trial(*number));
        cell.experiment == experiment && !cell.tps.is_empty() && first.is_some_and(|t| Question::of(t) == question)
    };
    m.cells.iter().filter(asks).collect()
}

/// The name of a figure as the label of a row.
fn short_name(figure: Figure) -> Message {
    match figure {
        Figure::Mean => msg!("column-mean"),
        Figure::Percentile(_) => foreign(figure.code()),
        other => foreign(other.unit()),
    }
}

/// The label of a cell's row.
fn at(axes: &[(String, String)]) -> Value {
    bilingual::cell(within(axes))
}
