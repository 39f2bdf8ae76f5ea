//! What limited each target: what the run of a refuting plan shows of the limit that it tests, a sentence with its figures, the next limit, what is missing and the plan that would refute it;
//! the latency budgets as stacked bars, and what one transaction cost, by cell and target.

use super::Section;
use super::columns::{aligned, number};
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::summary::Cell;
use tenbin_verdict::why::{self, BudgetKind, Diagnosis, TargetDiagnosis, refutation};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "why", heading: || msg!("section-why"), values, template: include_str!("../../templates/why.html") };

/// The most cells with a budget; the exports have all.
const MOST_CELLS: usize = 60;
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
    let mut all: Vec<OfCell<'_>> = Vec::new();
    for cell in m.cells {
        let trials = cell.trials.iter().filter_map(|number| m.summary.trial(*number));
        let own =
            trials.filter_map(|t| Some((t.tally.all_starts().response.count() as f64, why::of_trial(m.summary, t)?)));
        let (weights, own): (Vec<f64>, Vec<Diagnosis>) = own.unzip();
        if !own.is_empty() && all.len() < MOST_CELLS {
            all.push(OfCell { cell, own, weights });
        }
    }
    let longest_s = all.iter().map(OfCell::response_s).fold(0.0, f64::max);
    let is_known = |kind: &BudgetKind| all.iter().any(|of| of.seconds(*kind).is_some());
    let kinds: Vec<BudgetKind> = BudgetKind::ALL.into_iter().filter(is_known).collect();
    let heads = kinds.iter().map(|kind| context! { class => class(*kind), label => bilingual::html(&kind.label()) });
    let heads: Vec<Value> = heads.collect();
    // A budget of which nothing is explained is no budget.
    let explained = kinds.iter().any(|kind| *kind != BudgetKind::Unexplained);
    let shown = all.iter().filter(|_| explained);
    // The digits of a column stand below one another.
    let ms = |of: &OfCell<'_>| {
        let parts = kinds.iter().map(|kind| of.seconds(*kind));
        [Some(of.response_s())].into_iter().chain(parts).map(|s| number(s.map(|s| 1e3 * s))).collect()
    };
    let ms = aligned(all.iter().map(ms).collect());
    let bars: Vec<Value> = shown.zip(&ms).map(|(of, ms)| bar(m, of, ms, &kinds, longest_s)).collect();
    let methods = methods(&all, &kinds);
    let tested = refutation::of_run(m.summary).map(|tested| bilingual::sentence(&tested.sentence()));
    (!targets.is_empty()).then(|| context! { tested, targets, heads, bars, methods, costs => costs(m, &all) })
}

/// The diagnoses of the trials of a cell.
struct OfCell<'m> {
    cell: &'m Cell,
    own: Vec<Diagnosis>,
    /// How many transactions each of them is of: the figures of a cell are those of all its transactions, as in the table of results.
    weights: Vec<f64>,
}

impl OfCell<'_> {
    /// The mean response time.
    fn response_s(&self) -> f64 {
        self.mean(|d| Some(d.budget.response_s)).unwrap_or(0.0)
    }

    /// The mean of a figure over all transactions of the trials that have it.
    fn mean(&self, of: impl Fn(&Diagnosis) -> Option<f64>) -> Option<f64> {
        let known = self.own.iter().zip(&self.weights).filter_map(|(d, weight)| Some((of(d)?, *weight)));
        let (sum, weight) = known.fold((0.0, 0.0), |(sum, all), (value, weight)| (sum + value * weight, all + weight));
        (weight > 0.0).then(|| sum / weight)
    }

    /// The mean of a part over the trials of which it is known.
    fn seconds(&self, kind: BudgetKind) -> Option<f64> {
        let is_known = |d: &&Diagnosis| d.budget.parts.iter().any(|part| part.kind == kind);
        self.mean(|d| Some(d).filter(is_known).map(|d| d.budget.seconds(kind)))
    }

    /// The mean of a cost over the trials of which it is known.
    fn cost(&self, of: &why::OperationCost) -> Option<f64> {
        self.mean(|d| Some(d.costs.iter().find(|cost| cost.code == of.code)?.per_operation))
    }
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

/// The budget of a cell: a bar as long as its response time, and its parts; both with their milliseconds.
fn bar(m: &PageContext<'_>, of: &OfCell<'_>, ms: &[Value], kinds: &[BudgetKind], longest_s: f64) -> Value {
    let response_s = of.response_s();
    let mut x = 0.0;
    let mut parts = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        let seconds = of.seconds(*kind);
        let width = if longest_s > 0.0 { 100.0 * seconds.unwrap_or(0.0) / longest_s } else { 0.0 };
        let share = if response_s > 0.0 { 100.0 * seconds.unwrap_or(0.0) / response_s } else { 0.0 };
        parts.push(context! {
            class => class(*kind), x => format!("{x:.3}"), width => format!("{width:.3}"), known => seconds.is_some(),
            ms => ms.get(at + 1), percent => format!("{share:.0}"),
        });
        x += width;
    }
    let reduced = of.own.iter().map(|d| d.budget.reduced).fold(1.0, f64::min);
    context! {
        target => m.target(&of.cell.target), cell => bilingual::cell(&of.cell.axes), parts,
        limit => why::of_most(&of.own).map(|most| bilingual::html(&most.label())),
        response => ms.first(), reduced => (reduced < 1.0).then(|| format!("{reduced:.2}")),
    }
}

/// How the parts of the first budget that has them were computed.
fn methods(all: &[OfCell<'_>], kinds: &[BudgetKind]) -> Vec<Value> {
    let part = |kind: &BudgetKind| {
        let budgets = all.iter().flat_map(|of| &of.own).map(|d| &d.budget);
        let part = budgets.flat_map(|budget| &budget.parts).find(|part| part.kind == *kind)?;
        Some(context! { label => bilingual::html(&kind.label()), how => bilingual::marked(&part.how) })
    };
    kinds.iter().filter_map(part).collect()
}

/// The class of a part in the style sheet.
fn class(kind: BudgetKind) -> String {
    let style = STYLES.iter().find(|(of, _)| *of == kind);
    style.map_or("rest".to_owned(), |(_, style)| format!("f{style}"))
}

/// The costs of one transaction: a row for each cell and target, a column for each cost.
fn costs(m: &PageContext<'_>, all: &[OfCell<'_>]) -> Option<Value> {
    let mut kinds: Vec<&why::OperationCost> = Vec::new();
    for cost in all.iter().flat_map(|of| &of.own).flat_map(|d| &d.costs) {
        if !kinds.iter().any(|known| known.code == cost.code) {
            kinds.push(cost);
        }
    }
    let column = |kind: &&why::OperationCost| {
        figure::alike(&all.iter().map(|of| of.cost(kind).unwrap_or(f64::NAN)).collect::<Vec<_>>())
    };
    let columns: Vec<Vec<String>> = kinds.iter().map(column).collect();
    let rows = all.iter().enumerate().map(|(at, of)| {
        let values: Vec<String> = columns.iter().map(|column| column[at].clone()).collect();
        context! { target => m.target(&of.cell.target), cell => bilingual::cell(&of.cell.axes), values }
    });
    let rows: Vec<Value> = rows.collect();
    let heads = kinds.iter().map(|kind| context! { label => bilingual::html(&kind.label), unit => kind.unit });
    (!kinds.is_empty()).then(|| context! { heads => heads.collect::<Vec<_>>(), rows })
}
