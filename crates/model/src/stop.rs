//! The one signal that travels backwards: *stop*.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Shared by everything that works for a run; asked often, set rarely. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<AtomicU8>);

impl StopSignal {
    /// A signal that nobody has given yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks once more: the first time means "finish the interval and close properly", the second "at once".
    pub fn ask(&self) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some(n.saturating_add(1)));
    }

    /// Whether a stop was asked for at all.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Whether it was asked for a second time: drop everything.
    pub fn at_once(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 1
    }
}
