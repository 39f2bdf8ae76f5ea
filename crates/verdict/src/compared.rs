//! What the experiments of a run ask, and the comparisons of targets that answer it.

use crate::comparison::{self, Comparing, Comparison};
use crate::contender::{self, Contender};
use crate::judged_trial::JudgedTrial;
use crate::rate;
use std::collections::BTreeSet;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, TrialResult};

/// Whether the groups with a rate kept up with it in all trials: otherwise their times grow with the length of the run, and with them those of all
/// clients together.
fn groups_hold(summary: &Summary, experiment: &str, question: Question) -> bool {
    let is_of_question =
        |t: &&TrialResult| t.trial.experiment == experiment && t.counts() && Question::of(t) == question;
    let holds = |t: &TrialResult, group| rate::is_held(&t.of_group(group)) != Some(false);
    summary.trials.iter().filter(is_of_question).all(|t| t.trial.load.groups.iter().all(|group| holds(t, group)))
}

/// A run whose targets are compared.
pub trait Compared {
    /// What the trials of an experiment that are in the figures ask.
    fn questions(&self, experiment: &str) -> Vec<Question>;

    /// What is compared to answer a question, targets or values of an axis, as far as it was measured, in the order of the plan.
    fn contenders(&self, experiment: &str, question: Question) -> Vec<Contender>;

    /// The comparisons that answer a question: of each other target, or value of the axis along which the experiment compares,
    /// with the base, in the order of the plan. The base is the plan's; without one, of two the one that does worse, of more
    /// the first one. Times that stand beside the figure of the question are not compared if a group of clients did not keep up with its rate.
    fn comparisons(&self, experiment: &str, question: Question, figure: Figure) -> Vec<Comparison>;

    /// Whether the figure that answers a question may be compared: response times at a rate only if all trials kept up with it, because
    /// otherwise they grow with the length of the run.
    fn may_be_compared(&self, experiment: &str, question: Question) -> bool;
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
        if figure.is_time() && figure != question.figure() && !groups_hold(self, experiment, question) {
            return Vec::new();
        }
        let contenders = self.contenders(experiment, question);
        let named = contenders.iter().find(|one| one.is_base);
        let Some(base) = named.or(contenders.first()).map(|one| &one.name) else { return Vec::new() };
        let comparisons = contenders.len().saturating_sub(1);
        let what = |figure| Comparing { experiment, question, figure, comparisons };
        let with_base = |base: &String, figure| -> Vec<Comparison> {
            let others = contenders.iter().map(|one| &one.name).filter(|name| *name != base);
            others.filter_map(|name| comparison::compare(self, &what(figure), base, name)).collect()
        };
        let main = question.figure();
        match with_base(base, main).as_slice() {
            // The same base for every figure.
            [one] if named.is_none() && contenders.len() == 2 && (one.ratio < 1.0) != main.is_time() => {
                with_base(&one.b, figure)
            }
            found if figure == main => found.to_vec(),
            _ => with_base(base, figure),
        }
    }

    fn may_be_compared(&self, experiment: &str, question: Question) -> bool {
        let is_of_question =
            |t: &&TrialResult| t.trial.experiment == experiment && t.counts() && Question::of(t) == question;
        question != Question::Rate || self.trials.iter().filter(is_of_question).all(|t| rate::is_held(t) != Some(false))
    }
}
