//! Decides which trial is next, from the events so far. [`FixedOrder`] runs a plan's trials in their order; an agenda
//! that adds repeats, searches for a limit or resumes an earlier run is another implementation of the same trait.

use crate::summary::Summary;
use crate::trial::Trial;

/// The trials of a run, as a pure function of its events so far.
///
/// The run asks for trials at its start and after each trial, until there is none for the moment; it emits an event for
/// each, so that the trial is in `seen` at the next call; and it runs the planned trials in the order of their numbers.
/// An agenda may therefore plan all trials at once, or wait for the end of one before it plans the next.
pub trait Agenda {
    /// The next trial to plan, whose number is one more than the number of trials in `seen`; `None` if there is none
    /// for the moment. The run ends when all planned trials have been run and there is no further one.
    fn next(&self, seen: &Summary) -> Option<Trial>;

    /// The expected total number of trials, planned and future ones.
    fn expected(&self, seen: &Summary) -> u32;
}

/// Trials in a fixed order.
#[derive(Debug, Clone, Default)]
pub struct FixedOrder(Vec<Trial>);

impl FixedOrder {
    /// These trials, in the order of [`expand`](crate::plan::expand()).
    pub fn of(trials: Vec<Trial>) -> FixedOrder {
        FixedOrder(trials)
    }
}

impl Agenda for FixedOrder {
    fn next(&self, seen: &Summary) -> Option<Trial> {
        self.0.get(seen.trials.len()).cloned()
    }

    fn expected(&self, _seen: &Summary) -> u32 {
        self.0.len() as u32
    }
}
