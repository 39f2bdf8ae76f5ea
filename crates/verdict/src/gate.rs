//! Whether a run has become worse than a baseline by more than limits: for automated checks of each version.

use crate::compared::Compared;
use crate::comparison::{self, CellRatio, Comparing, Comparison};
use tenbin_model::axis;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::question::Question;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::Summary;

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
    /// The limit.
    pub limit: RegressionLimit,
    /// The comparison; `None` if the figure is not in both runs.
    pub comparison: Option<Comparison>,
    /// Of cells that differ the one that decides: the worst.
    pub cell: Option<CellRatio>,
    /// Cells that the baseline measured and the run did not.
    pub unmeasured: Vec<UnmeasuredCell>,
    /// What it says; of cells that differ the worst. It is not held if something was not measured.
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
        if let Some(cell) = &self.cell {
            return cell.axes.clone();
        }
        let of_cells = self.comparison.iter().flat_map(|c| &c.cells).map(|cell| &cell.axes);
        let mut all = of_cells.chain(self.unmeasured.iter().map(|cell| &cell.axes)).flatten();
        all.find(|(key, _)| key == axis::EXPERIMENT).cloned().into_iter().collect()
    }
}

/// A cell of the baseline that the run has not measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmeasuredCell {
    /// The target of the baseline.
    pub target: String,
    /// The values of the matrix.
    pub axes: Vec<(String, String)>,
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

/// Checks the limits for pairs of targets, baseline first, in every experiment that measured both. A target of the baseline may have no
/// counterpart: what it measured is not within any limit.
pub fn checks(summary: &Summary, pairs: &[(String, Option<String>)], limits: &[RegressionLimit]) -> Vec<GateCheck> {
    let mut all = Vec::new();
    for experiment in summary.experiments() {
        for question in summary.questions(experiment) {
            let limits: Vec<&RegressionLimit> = limits.iter().filter(|limit| limit.applies(question)).collect();
            let comparisons = limits.len() * pairs.iter().filter(|(_, b)| b.is_some()).count();
            for (a, b) in pairs {
                for limit in &limits {
                    let what = Comparing { experiment, question, figure: limit.figure, comparisons };
                    let comparison = b.as_ref().and_then(|b| comparison::compare(summary, &what, a, b));
                    let unmeasured = match question {
                        // Which levels a search comes to is its result.
                        Question::Limit if comparison.is_some() => Vec::new(),
                        _ => comparison::only_in_first(summary, &what, a, b.as_deref()),
                    };
                    if b.is_none() && unmeasured.is_empty() {
                        continue;
                    }
                    let (outcome, cell) =
                        comparison.as_ref().map_or((GateOutcome::Undecided, None), |c| of_comparison(**limit, c));
                    let outcome = if unmeasured.is_empty() { outcome } else { outcome.max(GateOutcome::Undecided) };
                    let of_baseline = |axes| UnmeasuredCell { target: a.clone(), axes };
                    all.push(GateCheck {
                        experiment: experiment.to_owned(),
                        limit: **limit,
                        comparison,
                        cell,
                        unmeasured: unmeasured.into_iter().map(of_baseline).collect(),
                        outcome,
                    });
                }
            }
        }
    }
    all
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
