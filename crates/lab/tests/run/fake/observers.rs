//! Observers that need no server.

use super::{Shared, locked};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tenbin_lab::Observers;
use tenbin_model::names::{cloud_metrics, replica};
use tenbin_observers::Sample;

/// One observer that counts the milliseconds of the run.
pub struct FakeObservers {
    pub shared: Arc<Shared>,
    pub seen: RefCell<VecDeque<tenbin_observers::ObserverEvent>>,
    /// When the lag was read last, milliseconds.
    pub read_ms: Cell<u64>,
    /// How many minutes of CloudWatch were read.
    pub minute: Cell<u64>,
}

impl FakeObservers {
    /// The lag of the replica, once in 500 ms.
    fn lag(&self) -> Option<tenbin_observers::ObserverEvent> {
        let at_ms = locked(&self.shared.passed).as_millis() as u64;
        let lag_ms = self.shared.script.lag_ms.filter(|_| at_ms >= self.read_ms.get() + 500)?(at_ms);
        self.read_ms.set(at_ms);
        let values = [replica::at_least("r1"), replica::at_most("r1")].map(|name| (name, lag_ms as f64 / 1e3));
        let sample = Sample::from(BTreeMap::from(values));
        Some(tenbin_observers::ObserverEvent::Sampled { observer: replica::OBSERVER, at_ns: at_ms * 1_000_000, sample })
    }
}

impl FakeObservers {
    /// The next minute of CloudWatch, if it has it already.
    fn minute(&self) -> Option<tenbin_observers::ObserverEvent> {
        let (at_ms, late_ms) = (locked(&self.shared.passed).as_millis() as u64, self.shared.script.late_ms?);
        let end_ms = 20_000 + 60_000 * self.minute.get();
        (at_ms >= end_ms + late_ms).then(|| {
            self.minute.set(self.minute.get() + 1);
            let sample = Sample::from(BTreeMap::from([("WriteIOPS".to_owned(), 250.0)]));
            tenbin_observers::ObserverEvent::Sampled {
                observer: cloud_metrics::OBSERVER,
                at_ns: end_ms * 1_000_000,
                sample,
            }
        })
    }
}

impl Observers for FakeObservers {
    fn next(&self) -> Option<tenbin_observers::ObserverEvent> {
        self.seen.borrow_mut().pop_front().or_else(|| self.lag()).or_else(|| self.minute())
    }

    fn begin(&self) {
        self.edge(Duration::ZERO);
    }

    fn edge(&self, _: Duration) {
        if self.shared.script.observed {
            let passed = *locked(&self.shared.passed);
            let values = BTreeMap::from([("beats".to_owned(), passed.as_millis() as f64)]);
            let (observer, at_ns) = ("client.heart", passed.as_nanos() as u64);
            self.seen.borrow_mut().push_back(tenbin_observers::ObserverEvent::Sampled {
                observer,
                at_ns,
                sample: Sample::from(values),
            });
        }
    }

    fn connections(&self) -> u32 {
        0
    }

    fn quietly(&self, work: &mut dyn FnMut()) {
        work();
    }

    fn finish(&self) {
        self.edge(Duration::ZERO);
    }

    fn hung(&self) -> Vec<&'static str> {
        Vec::new()
    }
}
