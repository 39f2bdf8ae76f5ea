//! What the experiments of a run ask, and the comparisons of targets that answer it.

use crate::comparison::{self, Comparing, Comparison};
use crate::contender::{self, Contender};
use crate::judged_trial::JudgedTrial;
use crate::rate;
use std::collections::BTreeSet;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, TrialResult};

/// Whether the clients of an experiment are in groups. Times of all of them together are those of whichever group completes most, which may
/// be another one on each target: they are compared by group ([`crate::group_ratios`]).
fn has_groups(summary: &Summary, experiment: &str) -> bool {
    summary.trials.iter().any(|t| t.trial.experiment == experiment && !t.trial.load.groups.is_empty())
}

/// Whether a trial may be compared to answer a question: of a rate only if it was held, because otherwise times grow with the length of
/// the run.
fn may_be_compared(question: Question, t: &TrialResult) -> bool {
    !question.is_at_rate() || rate::is_held(t) != Some(false)
}

/// A run whose targets are compared.
pub trait Compared {
    /// What the trials of an experiment that are in the figures ask.
    fn questions(&self, experiment: &str) -> Vec<Question>;

    /// What is compared to answer a question, targets or values of an axis, as far as it was measured, in the order of the plan.
    fn contenders(&self, experiment: &str, question: Question) -> Vec<Contender>;

    /// The comparisons that answer a question: of each other target, or value of the axis along which the experiment compares,
    /// with the base, in the order of the plan. The base is the plan's; without one, of two the one that does worse, of more
    /// the first one. At a rate they are of the cells in which all trials kept up with it, if there are any ([`Compared::may_be_compared`]);
    /// times of groups of clients are not compared together.
    fn comparisons(&self, experiment: &str, question: Question, figure: Figure) -> Vec<Comparison>;

    /// Whether the figure that answers a question may be compared: response times at a rate only if the trials of a cell kept up with it,
    /// because otherwise they grow with the length of the run.
    fn may_be_compared(&self, experiment: &str, question: Question) -> bool;

    /// Of several that are compared with a base: the best over the second, if both are better than the base. What lies between them is not
    /// seen from their ratios to the base, whose own spread is in both.
    fn leaders(&self, experiment: &str, question: Question) -> Option<Comparison>;

    /// The best of several that are compared with a base, over each of the others that it is not shown to be ahead of: what does best by its mean
    /// is no winner while there are any. The base is compared with it already.
    fn rivals(&self, experiment: &str, question: Question) -> Vec<Comparison>;
}

/// Several that are compared with a base, the best first, and how any two of them are compared: each might have turned out to be the best.
fn ranked<'e>(summary: &Summary, experiment: &'e str, question: Question) -> (Vec<Comparison>, Comparing<'e>) {
    let figure = question.figure();
    let mut all = summary.comparisons(experiment, question, figure);
    all.sort_by(|x, y| if figure.is_time() { x.ratio.total_cmp(&y.ratio) } else { y.ratio.total_cmp(&x.ratio) });
    let n = summary.contenders(experiment, question).len();
    (all, Comparing { experiment, question, figure, comparisons: n * n.saturating_sub(1) / 2 })
}

impl Compared for Summary {
    fn questions(&self, experiment: &str) -> Vec<Question> {
        let of_experiment = self.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
        let all: BTreeSet<Question> = of_experiment.map(Question::of).collect();
        all.into_iter().collect()
    }

    fn contenders(&self, experiment: &str, question: Question) -> Vec<Contender> {
        let is_of_question =
            |t: &&TrialResult| t.trial.experiment == experiment && t.counts() && Question::of(t) == question;
        contender::all(self.trials.iter().filter(is_of_question))
    }

    fn comparisons(&self, experiment: &str, question: Question, figure: Figure) -> Vec<Comparison> {
        // Which levels a search comes to is its result: what was done at one that two of them tried is what was asked there. The limits are
        // compared ([`crate::limit_ratio`]).
        if question == Question::Limit || figure.is_time() && has_groups(self, experiment) {
            return Vec::new();
        }
        let contenders = self.contenders(experiment, question);
        let named = contenders.iter().find(|one| one.is_base);
        let Some(base) = named.or(contenders.first()).map(|one| &one.name) else { return Vec::new() };
        let comparisons = contenders.len().saturating_sub(1);
        let what = |figure| Comparing { experiment, question, figure, comparisons };
        let main = question.figure();
        let those_where = |holds: &dyn Fn(&TrialResult) -> bool| -> Vec<Comparison> {
            let with_base = |base: &String, figure| -> Vec<Comparison> {
                let others = contenders.iter().map(|one| &one.name).filter(|name| *name != base);
                others.filter_map(|name| comparison::compare_where(self, &what(figure), base, name, holds)).collect()
            };
            match with_base(base, main).as_slice() {
                // The same base for every figure.
                [one] if named.is_none() && contenders.len() == 2 && (one.ratio < 1.0) != main.is_time() => {
                    with_base(&one.b, figure)
                }
                found if figure == main => found.to_vec(),
                _ => with_base(base, figure),
            }
        };
        let held = those_where(&|t| may_be_compared(question, t));
        if held.is_empty() && question.is_at_rate() { those_where(&|_| true) } else { held }
    }

    fn may_be_compared(&self, experiment: &str, question: Question) -> bool {
        if !question.is_at_rate() {
            return true;
        }
        let main = self.comparisons(experiment, question, question.figure());
        let mut numbers = main.iter().flat_map(|c| &c.cells).flat_map(|cell| &cell.trials).flatten();
        numbers.all(|number| self.trial(*number).is_none_or(|t| may_be_compared(question, t)))
    }

    fn leaders(&self, experiment: &str, question: Question) -> Option<Comparison> {
        let (mut all, what) = ranked(self, experiment, question);
        all.retain(|c| (c.ratio < 1.0) == what.figure.is_time());
        let [first, second, ..] = all.as_slice() else { return None };
        comparison::compare_where(self, &what, &second.b, &first.b, &|t| may_be_compared(question, t))
    }

    fn rivals(&self, experiment: &str, question: Question) -> Vec<Comparison> {
        let (all, what) = ranked(self, experiment, question);
        let [first, others @ ..] = all.as_slice() else { return Vec::new() };
        let over = |other: &Comparison| {
            comparison::compare_where(self, &what, &other.b, &first.b, &|t| may_be_compared(question, t))
        };
        others.iter().filter_map(over).filter(|c| !c.is_ahead()).collect()
    }
}
