//! What limited each target: what the run of a refuting plan shows of the limit that it tests, a sentence with its figures, the next limit, what is missing and the plan that would refute it;
//! the latency budgets as stacked bars, and what one transaction cost.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::summary::TrialResult;
use tenbin_verdict::why::{self, BudgetKind, Diagnosis, TargetDiagnosis, refutation};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "why", heading: || msg!("section-why"), values, template: include_str!("../../templates/why.html") };

/// The most trials with a budget; the exports have all.
const MOST_TRIALS: usize = 60;
/// The colour of each part, as in the chart of the sessions; what is not explained is drawn as an outline.
const STYLES: [(BudgetKind, usize); 7] = [
    (BudgetKind::Schedule, 6),
    (BudgetKind::Network, 5),
    (BudgetKind::Cpu, 0),
    (BudgetKind::Read, 3),
    (BudgetKind::Commit, 2),
    (BudgetKind::RowLock, 1),
    (BudgetKind::Queue, 4),
];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let diagnoses = why::of_targets(m.summary);
    // What is missing mostly is missing of all targets: it is listed once.
    let first_with = |of: &TargetDiagnosis| diagnoses.iter().find(|d| d.diagnosis.missing == of.diagnosis.missing);
    let targets: Vec<Value> =
        diagnoses.iter().map(|d| target(d, first_with(d).filter(|first| first.target != d.target))).collect();
    let seen = m.summary.trials.iter().filter_map(|t| Some((t, why::of_trial(m.summary, t)?)));
    let all: Vec<(&TrialResult, Diagnosis)> = seen.take(MOST_TRIALS).collect();
    let longest_s = all.iter().map(|(_, d)| d.budget.response_s).fold(0.0, f64::max);
    let is_known = |kind: &BudgetKind| all.iter().any(|(_, d)| d.budget.parts.iter().any(|part| part.kind == *kind));
    let kinds: Vec<BudgetKind> = BudgetKind::ALL.into_iter().filter(is_known).collect();
    let heads = kinds.iter().map(|kind| context! { class => class(*kind), label => bilingual::html(&kind.label()) });
    let heads: Vec<Value> = heads.collect();
    let bars: Vec<Value> = all.iter().map(|(t, d)| bar(m, t, d, &kinds, longest_s)).collect();
    let methods = methods(&all, &kinds);
    let tested = refutation::of_run(m.summary).map(|tested| bilingual::sentence(&tested.sentence()));
    (!targets.is_empty()).then(|| context! { tested, targets, heads, bars, methods, costs => costs(m, &all) })
}

/// A target, and the one before it of which the same is missing.
fn target(target: &TargetDiagnosis, like: Option<&TargetDiagnosis>) -> Value {
    let d = &target.diagnosis;
    let listed = if like.is_some() { &[][..] } else { &d.missing[..] };
    let like = like.filter(|_| !d.missing.is_empty());
    let missing = listed.iter().map(|missing| {
        context! { what => bilingual::html(&missing.what), how => bilingual::marked(&missing.how) }
    });
    let experiment = d.experiment.as_ref().map(|experiment| {
        let (key, expects) = (&experiment.key, experiment.expects.clone());
        context! { sentence => bilingual::marked(&msg!("why-experiment", key, expects)), plan => experiment.plan.clone() }
    });
    context! {
        sentence => bilingual::sentence(&target.sentence()),
        next => d.runner_up_words().map(|next| bilingual::html(&next)),
        missing => missing.collect::<Vec<_>>(),
        like => like.map(|first| bilingual::html(&msg!("missing-as-for", target = foreign(&first.target)))),
        experiment,
    }
}

/// The budget of a trial: a bar as long as its response time, and its parts.
fn bar(m: &PageContext<'_>, t: &TrialResult, d: &Diagnosis, kinds: &[BudgetKind], longest_s: f64) -> Value {
    let budget = &d.budget;
    let mut x = 0.0;
    let mut parts = Vec::new();
    for kind in kinds {
        let known = budget.parts.iter().any(|part| part.kind == *kind);
        let seconds = budget.seconds(*kind);
        let width = if longest_s > 0.0 { 100.0 * seconds / longest_s } else { 0.0 };
        parts.push(context! {
            class => class(*kind), x => format!("{x:.3}"), width => format!("{width:.3}"), known,
            ms => figure::grouped(1e3 * seconds), percent => format!("{:.0}", 100.0 * budget.share(*kind)),
        });
        x += width;
    }
    context! {
        trial => t.trial.number, target => m.target(&t.trial.target.name), cell => bilingual::cell(&t.trial.axes),
        limit => bilingual::html(&d.outcome.label()),
        next => d.runner_up.as_ref().map(|next| bilingual::html(&next.bottleneck.label())),
        response => figure::grouped(1e3 * budget.response_s), parts,
        reduced => (budget.reduced < 1.0).then(|| format!("{:.2}", budget.reduced)),
    }
}

/// How the parts of the first budget that has them were computed.
fn methods(all: &[(&TrialResult, Diagnosis)], kinds: &[BudgetKind]) -> Vec<Value> {
    let part = |kind: &BudgetKind| {
        let part = all.iter().find_map(|(_, d)| d.budget.parts.iter().find(|part| part.kind == *kind))?;
        Some(context! { label => bilingual::html(&kind.label()), how => bilingual::marked(&part.how) })
    };
    kinds.iter().filter_map(part).collect()
}

/// The class of a part in the style sheet.
fn class(kind: BudgetKind) -> String {
    let style = STYLES.iter().find(|(of, _)| *of == kind);
    style.map_or("rest".to_owned(), |(_, style)| format!("f{style}"))
}

/// The costs of one transaction: a row for each, a column for each trial.
fn costs(m: &PageContext<'_>, all: &[(&TrialResult, Diagnosis)]) -> Option<Value> {
    let mut kinds: Vec<&why::OperationCost> = Vec::new();
    for cost in all.iter().flat_map(|(_, d)| &d.costs) {
        if !kinds.iter().any(|known| known.code == cost.code) {
            kinds.push(cost);
        }
    }
    let rows = all.iter().map(|(t, d)| {
        let value = |kind: &&why::OperationCost| {
            let cost = d.costs.iter().find(|cost| cost.code == kind.code);
            cost.map_or("–".to_owned(), |cost| figure::grouped(cost.per_operation))
        };
        context! {
            trial => t.trial.number, target => m.target(&t.trial.target.name), cell => bilingual::cell(&t.trial.axes),
            values => kinds.iter().map(value).collect::<Vec<_>>(),
        }
    });
    let rows: Vec<Value> = rows.collect();
    let heads = kinds.iter().map(|kind| context! { label => bilingual::html(&kind.label), unit => kind.unit });
    (!kinds.is_empty()).then(|| context! { heads => heads.collect::<Vec<_>>(), rows })
}
