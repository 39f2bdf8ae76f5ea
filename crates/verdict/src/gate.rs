//! Whether a run has become worse than a baseline by more than limits: for automated checks of each version.

use crate::compared::Compared;
use crate::compared_cells::Cells;
use crate::comparison::{self, CellRatio, Comparing, Comparison};
use crate::contender;
use crate::judged_trial::JudgedTrial;
use crate::limit_ratio;
use crate::rate;
use crate::subset::{self, Subset, View};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::absolute_limit::Limited;
use tenbin_model::axis;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::question::Question;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::{Summary, TrialResult};

/// What the runs say of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GateOutcome {
    /// The interval excludes a regression beyond the limit.
    Held,
    /// It neither excludes nor shows one; more repeats would.
    Undecided,
    /// The figure is worse by more than the limit, and the interval excludes that it is no worse.
    Exceeded,
}

/// One figure of one target of an experiment, and what the runs say of it.
#[derive(Debug, Clone)]
pub struct GateCheck {
    /// The experiment.
    pub experiment: String,
    /// The same as a value of the matrix, if the plan has several.
    pub of_experiment: Option<(String, String)>,
    /// The target of the baseline.
    pub target: String,
    /// The limit.
    pub limit: RegressionLimit,
    /// Which transactions the figure is of; `None`: all.
    pub subset: Option<Subset>,
    /// The comparison; `None` if the figure is not in both runs.
    pub comparison: Option<Comparison>,
    /// Of cells that differ the one that decides: the worst.
    pub cell: Option<CellRatio>,
    /// Cells that the baseline measured and the run did not.
    pub unmeasured: Vec<UnmeasuredCell>,
    /// Cells whose times are not compared, because a rate was not held in them.
    pub unheld: Vec<UnheldCell>,
    /// What it says; of cells that differ the worst. It is not held if something was not measured, or not held.
    pub outcome: GateOutcome,
}

impl GateCheck {
    /// The ratio that decides: over all cells, or in the one that decides.
    pub fn ratio(&self) -> Option<f64> {
        self.cell.as_ref().map(|cell| cell.ratio).or(self.comparison.as_ref().map(|c| c.ratio))
    }

    /// Its interval as it is shown.
    pub fn interval(&self) -> Option<Confidence> {
        let c = self.comparison.as_ref()?;
        self.cell.as_ref().map_or_else(|| c.interval(), |cell| c.interval_of(cell))
    }

    /// Where that is: the values of the cell that decides, else the experiment, if the plan has several.
    pub fn axes(&self) -> Vec<(String, String)> {
        match &self.cell {
            Some(cell) => cell.axes.clone(),
            None => self.of_experiment.iter().cloned().collect(),
        }
    }
}

/// A cell of the baseline that the run has not measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmeasuredCell {
    /// The target of the baseline.
    pub target: String,
    /// The values of the matrix.
    pub axes: Vec<(String, String)>,
    /// Which transactions of it; `None`: all.
    pub subset: Option<Subset>,
}

/// A cell in which a rate was not held in every repeat of both runs: times then grow with the length of the run, or are those of fewer starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnheldCell {
    /// The values of the matrix.
    pub axes: Vec<(String, String)>,
    /// Whether every repeat of the baseline held it, and none of the run: that is a regression without any figure.
    pub is_lost: bool,
}

/// How many times worse a figure has become: above 1 is a regression.
fn worse(limit: RegressionLimit, ratio: f64) -> f64 {
    if limit.figure.is_time() { ratio } else { 1.0 / ratio }
}

/// The ratio at which a limit is reached: the figure of the run over that of the baseline.
pub fn ratio_at(limit: RegressionLimit) -> f64 {
    if limit.figure.is_time() { 1.0 + limit.share } else { 1.0 - limit.share.min(0.999) }
}

/// What a ratio and its interval say: `ratio` is the figure of the run over that of the baseline.
fn outcome(limit: RegressionLimit, ratio: f64, confidence: Option<Confidence>) -> GateOutcome {
    let worse = |ratio: f64| worse(limit, ratio);
    let most = worse(ratio_at(limit));
    let Some(i) = confidence else { return GateOutcome::Undecided };
    let (low, high) = (worse(i.low).min(worse(i.high)), worse(i.low).max(worse(i.high)));
    match () {
        () if high <= most => GateOutcome::Held,
        () if low > 1.0 && worse(ratio) > most => GateOutcome::Exceeded,
        () => GateOutcome::Undecided,
    }
}

/// What a comparison says of a limit, by the intervals that are shown: one that says nothing to a reader decides nothing either. If
/// its cells differ, the worst of them says it, which is the second part.
fn of_comparison(limit: RegressionLimit, c: &Comparison) -> (GateOutcome, Option<CellRatio>) {
    match (c.repeats_to_tell(), c.cells_differ) {
        (Some(_), _) => (GateOutcome::Undecided, None),
        (None, Some(true)) => {
            let cells = c.cells.iter().map(|cell| (outcome(limit, cell.ratio, c.interval_of(cell)), cell));
            let by_outcome = |x: &(GateOutcome, &CellRatio), y: &(GateOutcome, &CellRatio)| {
                let [of_x, of_y] = [x, y].map(|(_, cell)| worse(limit, cell.ratio));
                x.0.cmp(&y.0).then(of_x.total_cmp(&of_y))
            };
            let worst = cells.max_by(by_outcome);
            worst.map_or((GateOutcome::Undecided, None), |(outcome, cell)| (outcome, Some(cell.clone())))
        }
        (None, _) => (outcome(limit, c.ratio, c.interval()), None),
    }
}

/// A limit to be checked: on which transactions, for which target of the baseline and its counterpart.
struct LimitToCheck<'p> {
    view: &'p View<'p>,
    question: Question,
    limit: RegressionLimit,
    a: &'p str,
    b: Option<&'p str>,
}

/// Checks the limits for pairs of targets, baseline first, in every experiment that one of them measured, of clients in groups for each group. A target of
/// the baseline may have no counterpart: what it measured is not within any limit.
pub fn checks(summary: &Summary, pairs: &[(String, Option<String>)], limits: &[RegressionLimit]) -> Vec<GateCheck> {
    let views = subset::views(summary);
    let mut all = Vec::new();
    for experiment in summary.experiments() {
        for (place, question) in summary.questions(experiment).into_iter().enumerate() {
            // Groups ask questions of their own, once.
            let views = if place == 0 { views.as_slice() } else { &views[..1] };
            let candidates = asked(views, experiment, question, pairs, limits);
            let in_both = candidates
                .iter()
                .filter(|one| one.b.is_some_and(|b| [one.a, b].map(|t| one.measures(experiment, t)) == [true; 2]));
            let comparisons = in_both.count();
            all.extend(candidates.iter().map(|one| one.check(experiment, comparisons)));
        }
    }
    all
}

/// The limits that apply to what an experiment asks by this question, where something was measured.
fn asked<'p>(
    views: &'p [View<'p>],
    experiment: &str,
    question: Question,
    pairs: &'p [(String, Option<String>)],
    limits: &[RegressionLimit],
) -> Vec<LimitToCheck<'p>> {
    let mut all = Vec::new();
    for view in views {
        let Some(first) = view.run.trials.iter().find(|t| t.trial.experiment == experiment) else { continue };
        // Each group asks its own question, of a load that asks for throughput.
        let questions = if view.is_whole() { vec![question] } else { view.run.questions(experiment) };
        for question in questions {
            let applies = |limit: &&RegressionLimit| limit.applies(question) && view.has(first, Some(limit.figure));
            let limits: Vec<&RegressionLimit> = limits.iter().filter(applies).collect();
            for (a, b) in pairs {
                let of = |limit: &&RegressionLimit| LimitToCheck { view, question, limit: **limit, a, b: b.as_deref() };
                all.extend(limits.iter().map(of));
            }
        }
    }
    all.retain(|one| one.measures(experiment, one.a) || one.b.is_some_and(|b| one.measures(experiment, b)));
    all
}

impl LimitToCheck<'_> {
    fn comparing<'e>(&self, experiment: &'e str, comparisons: usize) -> Comparing<'e> {
        Comparing { experiment, question: self.question, figure: self.limit.figure, comparisons }
    }

    /// Whether a target measured anything of it.
    fn measures(&self, experiment: &str, target: &str) -> bool {
        !comparison::only_in_first(&self.view.run, &self.comparing(experiment, 1), target, None).is_empty()
    }

    /// `comparisons`: how many stand side by side.
    fn check(&self, experiment: &str, comparisons: usize) -> GateCheck {
        let (what, run) = (self.comparing(experiment, comparisons), &self.view.run);
        let comparison = self.b.and_then(|b| match self.question {
            Question::Limit => limit_ratio::of(run, experiment, [self.a, b]),
            _ => comparison::compare_where(run, &what, self.a, b, &|t| !self.is_unheld(t)),
        });
        let unheld = self.unheld(experiment);
        let mut unmeasured = match self.question {
            // Which levels a search comes to is its result.
            Question::Limit => limit_ratio::only_in_first(run, experiment, self.a, self.b),
            _ => comparison::only_in_first(run, &what, self.a, self.b),
        };
        let silent = self.silent(experiment);
        unmeasured.extend(silent.into_iter().filter(|axes| !unmeasured.contains(axes)).collect::<Vec<_>>());
        unmeasured.extend(comparison.iter().flat_map(|c| c.unpaired.iter().cloned()));
        let (outcome, cell) =
            comparison.as_ref().map_or((GateOutcome::Undecided, None), |c| of_comparison(self.limit, c));
        let outcome = match () {
            () if unheld.iter().any(|cell| cell.is_lost) => GateOutcome::Exceeded,
            () if unmeasured.is_empty() && unheld.is_empty() => outcome,
            () => outcome.max(GateOutcome::Undecided),
        };
        let own = || run.trials.iter().filter(|t| t.trial.experiment == experiment);
        let axes = || own().flat_map(|t| &t.trial.axes);
        let first = own().find(|t| Question::of(t) == self.question);
        let subset = first.and_then(|t| self.view.subset(t, Limited::Figure(self.limit.figure)));
        let of_baseline = |axes| UnmeasuredCell { target: self.a.to_owned(), axes, subset: subset.clone() };
        GateCheck {
            experiment: experiment.to_owned(),
            of_experiment: axes().find(|(key, _)| key == axis::EXPERIMENT).cloned(),
            target: self.a.to_owned(),
            limit: self.limit,
            comparison,
            cell,
            unmeasured: unmeasured.into_iter().map(of_baseline).collect(),
            unheld,
            subset,
            outcome,
        }
    }

    /// Whether the figure of a trial is a time at a rate that was not held.
    fn is_unheld(&self, t: &TrialResult) -> bool {
        self.limit.figure.is_time() && rate::is_held(t) == Some(false)
    }

    /// The cells of both targets in which a rate was not held.
    fn unheld(&self, experiment: &str) -> Vec<UnheldCell> {
        let run = &self.view.run;
        let cells = Cells::of(run, experiment);
        let of = |target: &str| {
            let asks =
                |t: &&TrialResult| t.trial.experiment == experiment && t.counts() && Question::of(t) == self.question;
            let own = run.trials.iter().filter(asks).filter(|t| contender::name(t) == target);
            let mut all: BTreeMap<u32, Vec<&TrialResult>> = BTreeMap::new();
            own.for_each(|t| all.entry(cells.number(t)).or_default().push(t));
            all
        };
        let (of_a, of_b) = (of(self.a), self.b.map(of).unwrap_or_default());
        let cell = |(cell, of_a): (u32, Vec<&TrialResult>)| {
            let of_b = of_b.get(&cell)?;
            let is_unheld = |t: &&TrialResult| self.is_unheld(t);
            let is_lost = !of_a.iter().any(is_unheld) && of_b.iter().all(is_unheld);
            let axes = cells.axes(of_a.first()?);
            of_a.iter().chain(of_b).any(is_unheld).then_some(UnheldCell { axes, is_lost })
        };
        of_a.into_iter().filter_map(cell).collect()
    }

    /// The cells in which a group completed nothing in some repeat: that is in no pair, and the other repeats alone would speak for it.
    fn silent(&self, experiment: &str) -> BTreeSet<Vec<(String, String)>> {
        let own = self.view.run.trials.iter().filter(|t| t.trial.experiment == experiment && !self.view.is_whole());
        let of_b = own.filter(|t| Some(t.trial.target.name.as_str()) == self.b);
        of_b.filter(|t| t.begun && t.tps() == 0.0).map(|t| t.trial.axes.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_held_exceeded_or_undecided() {
        let limit = |text: &str| RegressionLimit::parse(text).expect("a limit");
        let of = |text: &str, ratio: f64, low: f64, high: f64| {
            outcome(limit(text), ratio, Some(Confidence { value: ratio, low, high }))
        };
        assert_eq!(of("p99 5%", 1.01, 0.98, 1.04), GateOutcome::Held);
        assert_eq!(of("p99 5%", 0.5, 0.4, 0.6), GateOutcome::Held, "better");
        assert_eq!(of("p99 5%", 1.10, 1.02, 1.2), GateOutcome::Exceeded);
        assert_eq!(of("p99 5%", 1.10, 0.9, 1.3), GateOutcome::Undecided);
        assert_eq!(of("p99 5%", 1.03, 1.01, 1.07), GateOutcome::Undecided, "worse, perhaps by more than the limit");
        assert_eq!(of("tps 5%", 0.97, 0.96, 0.99), GateOutcome::Held);
        assert_eq!(of("tps 5%", 0.90, 0.85, 0.96), GateOutcome::Exceeded);
        assert_eq!(of("tps 5%", 1.2, 1.1, 1.3), GateOutcome::Held);
        assert_eq!(outcome(limit("tps 5%"), 0.5, None), GateOutcome::Undecided, "one repeat says nothing of chance");
    }
}
