//! The stop signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Shared by everything that works for a run; read often, set rarely. Clones share the signal.
#[derive(Debug, Clone, Default)]
pub struct StopSignal {
    own: Arc<AtomicU8>,
    above: Option<Arc<AtomicU8>>,
}

impl StopSignal {
    /// A signal that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A signal for a part of the work: it is set when this one is, and can be set separately.
    pub fn below(&self) -> StopSignal {
        StopSignal { own: Arc::default(), above: Some(self.own.clone()) }
    }

    /// Requests a stop: the first request means "finish the interval and close in order", the second "at once".
    pub fn ask(&self) {
        let _ = self.own.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some(n.saturating_add(1)));
    }

    /// Whether a stop was requested.
    pub fn asked(&self) -> bool {
        self.times() > 0
    }

    /// Whether it was requested a second time: drop everything.
    pub fn at_once(&self) -> bool {
        self.times() > 1
    }

    fn times(&self) -> u8 {
        let above = self.above.as_ref().map_or(0, |above| above.load(Ordering::Relaxed));
        self.own.load(Ordering::Relaxed).max(above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_not_the_other_way() {
        let whole = StopSignal::new();
        let (one, other) = (whole.below(), whole.below());
        one.ask();
        assert!(one.asked() && !other.asked() && !whole.asked());
        whole.ask();
        whole.ask();
        assert!(one.at_once() && other.at_once());
    }
}
