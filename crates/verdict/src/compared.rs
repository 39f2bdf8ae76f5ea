//! What the experiments of a run ask, and the comparisons of targets that answer it.

use crate::comparison::{self, Comparing, Comparison};
use crate::judged_trial::JudgedTrial;
use crate::question::Question;
use std::collections::BTreeSet;
use tenbin_model::figures::Figure;
use tenbin_model::summary::{Summary, TrialResult};

/// A run whose targets are compared.
pub trait Compared {
    /// What the trials of an experiment that are in the figures ask.
    fn questions(&self, experiment: &str) -> Vec<Question>;

    /// The comparisons that answer a question: of each other target with the base, in the order of the plan. The base is the
    /// plan's baseline; without one, of two targets the one that does worse, of more the first one.
    fn comparisons(&self, experiment: &str, question: Question, figure: Figure) -> Vec<Comparison>;
}

impl Compared for Summary {
    fn questions(&self, experiment: &str) -> Vec<Question> {
        let of_experiment = self.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
        let all: BTreeSet<Question> = of_experiment.map(Question::of).collect();
        all.into_iter().collect()
    }

    fn comparisons(&self, experiment: &str, question: Question, figure: Figure) -> Vec<Comparison> {
        let asked = |t: &&TrialResult| t.trial.experiment == experiment && t.counts() && Question::of(t) == question;
        let measured: BTreeSet<&str> = self.trials.iter().filter(asked).map(|t| t.trial.target.name.as_str()).collect();
        let targets: Vec<String> = self.targets().into_iter().filter(|t| measured.contains(t.as_str())).collect();
        let named =
            self.trials.iter().map(|t| &t.trial.target).find(|target| target.baseline).map(|target| &target.name);
        let Some(base) = named.filter(|name| targets.contains(name)).or(targets.first()) else { return Vec::new() };
        let comparisons = targets.len().saturating_sub(1);
        let what = |figure| Comparing { experiment, question, figure, comparisons };
        let with_base = |base: &String, figure| -> Vec<Comparison> {
            let others = targets.iter().filter(|target| *target != base);
            others.filter_map(|target| comparison::compare(self, &what(figure), base, target)).collect()
        };
        let main = question.figure();
        match with_base(base, main).as_slice() {
            // The same base for every figure.
            [one] if named.is_none() && targets.len() == 2 && (one.ratio < 1.0) != main.is_time() => {
                with_base(&one.b, figure)
            }
            found if figure == main => found.to_vec(),
            _ => with_base(base, figure),
        }
    }
}
