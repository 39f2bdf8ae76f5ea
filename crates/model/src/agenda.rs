//! What is run next, decided from what was seen so far. [`FixedOrder`] runs a plan's trials as they stand; an agenda that adds
//! repeats, looks for a limit or goes on with an earlier run is another implementation of the same trait.

use crate::summary::Summary;
use crate::trial::Trial;

/// Which trials a run has, as a pure function of what was seen of it.
///
/// Whoever runs it asks at the beginning and after each trial, until there is no other for now; tells each answer as an event, so
/// that it is in `seen` when the next is asked for; and runs the planned trials in the order of their numbers. So an agenda may
/// plan all at once, or wait for the end of one trial before it plans the next.
pub trait Agenda {
    /// The next trial to plan, its number one more than there are trials in `seen`; `None` when there is none for now. The run ends when all that
    /// were planned have been run and there is no other.
    fn next(&self, seen: &Summary) -> Option<Trial>;

    /// How many trials it expects in all, those that are planned and those still to come.
    fn expected(&self, seen: &Summary) -> u32;
}

/// Trials in an order that nothing changes.
#[derive(Debug, Clone, Default)]
pub struct FixedOrder(Vec<Trial>);

impl FixedOrder {
    /// These, as [`expand`](crate::plan::expand()) has put them.
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
