//! Decides which trial is next, from the events so far. [`FixedOrder`] runs trials in their order; [`of_plan`] puts together
//! what the experiments of a plan need, of which some end when enough is known.

mod limit_search;
mod until_precise;

use limit_search::LimitSearch;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::trial::Trial;
use until_precise::UntilPrecise;

/// The trials of a run, as a pure function of its events so far.
///
/// The run asks for trials at its start and after each trial, until there is no further one for the moment; it emits an event for
/// each, so that the trial is in `summary` at the next call; and it runs the planned trials in the order of their numbers.
/// An agenda may therefore plan all trials at once, or wait for the end of one before it plans the next.
pub trait Agenda {
    /// The next trial to plan, whose number is one more than the number of trials in `summary`; `None` if there is none
    /// for the moment. The run ends when all planned trials have been run and there is no further one.
    fn next(&self, summary: &Summary) -> Option<Trial>;

    /// The expected total number of trials, planned and future ones.
    fn expected(&self, summary: &Summary) -> u32;
}

/// Trials in a fixed order.
#[derive(Debug, Clone, Default)]
pub struct FixedOrder(Vec<Trial>);

impl FixedOrder {
    /// These trials, in the order of [`expand`](tenbin_model::plan::expand()).
    pub fn of(trials: Vec<Trial>) -> FixedOrder {
        FixedOrder(trials)
    }
}

impl Agenda for FixedOrder {
    fn next(&self, summary: &Summary) -> Option<Trial> {
        self.0.get(summary.trials.len()).cloned()
    }

    fn expected(&self, _seen: &Summary) -> u32 {
        self.0.len() as u32
    }
}

/// The trials of one experiment, as a pure function of its trials so far.
trait AgendaPart {
    /// As [`Agenda::next`], given the experiment's own trials; their numbers are of no account.
    fn next(&self, own: &[&TrialResult]) -> Option<Trial>;

    /// As [`Agenda::expected`].
    fn expected(&self, own: &[&TrialResult]) -> u32;
}

impl AgendaPart for FixedOrder {
    fn next(&self, own: &[&TrialResult]) -> Option<Trial> {
        self.0.get(own.len()).cloned()
    }

    fn expected(&self, _own: &[&TrialResult]) -> u32 {
        self.0.len() as u32
    }
}

/// The agenda for the trials of a plan, in the order of [`expand`](tenbin_model::plan::expand()): experiment after experiment, each as
/// its trials say.
pub fn of_plan(trials: Vec<Trial>) -> Box<dyn Agenda> {
    if !is_open_ended(&trials) {
        return Box::new(FixedOrder::of(trials));
    }
    let mut parts: Vec<Vec<Trial>> = Vec::new();
    for trial in trials {
        match parts.last_mut() {
            Some(part) if part[0].experiment == trial.experiment => part.push(trial),
            _ => parts.push(vec![trial]),
        }
    }
    let of_part = |part: Vec<Trial>| -> Box<dyn AgendaPart> {
        match (&part[0].search, part[0].repeats_until) {
            (Some(_), _) => Box::new(LimitSearch::of(part)),
            (None, Some(_)) => Box::new(UntilPrecise::of(part)),
            (None, None) => Box::new(FixedOrder::of(part)),
        }
    };
    Box::new(OneAfterAnother(parts.into_iter().map(|part| (part[0].experiment.clone(), of_part(part))).collect()))
}

/// Whether how many trials there are depends on their results.
pub fn is_open_ended(trials: &[Trial]) -> bool {
    trials.iter().any(|trial| trial.repeats_until.is_some() || trial.search.is_some())
}

/// Experiments by name, one after another.
struct OneAfterAnother(Vec<(String, Box<dyn AgendaPart>)>);

impl Agenda for OneAfterAnother {
    fn next(&self, summary: &Summary) -> Option<Trial> {
        for (experiment, part) in &self.0 {
            let own = own(summary, experiment);
            if let Some(next) = part.next(&own) {
                return Some(Trial { number: summary.trials.len() as u32 + 1, ..next });
            }
            if own.iter().any(|t| t.state.is_none()) {
                // Whether this experiment has ended depends on them.
                return None;
            }
        }
        None
    }

    fn expected(&self, summary: &Summary) -> u32 {
        self.0.iter().map(|(experiment, part)| part.expected(&own(summary, experiment))).sum()
    }
}

/// The trials of one experiment.
fn own<'s>(summary: &'s Summary, experiment: &str) -> Vec<&'s TrialResult> {
    summary.trials.iter().filter(|t| t.trial.experiment == experiment).collect()
}
