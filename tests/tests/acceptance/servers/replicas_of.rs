//! The observers of replicas on a source and its replica, without a run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::names::replica;
use tenbin_model::trial::Observe;
use tenbin_observers::{ALL, ObserverEvent, Sampling, Subject, Watch, watch};
use tenbin_servers::replica::ReplicaSubject;
use tenbin_tests::Replication;
use tenbin_tests::sql::{Address, connector};
use tenbin_words::problem::Problem;

/// Everything observed so far.
pub struct Observed {
    watch: Watch,
    origin: Instant,
    /// The samples of the observer of replicas: seconds since the origin, and values.
    samples: Vec<(f64, BTreeMap<String, f64>)>,
    problems: Vec<Problem>,
}

impl std::fmt::Debug for Observed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#?} {:?}", self.samples.iter().rev().take(5).collect::<Vec<_>>(), self.problems)
    }
}

impl Observed {
    /// A source and its replica `r1`.
    pub fn of(both: &Replication) -> Observed {
        Observed::at(connector(&both.source), connector(&both.replica))
    }

    /// The same at these addresses.
    pub fn at(source: Connector, replica: Connector) -> Observed {
        let (origin, every) = (Instant::now(), Duration::from_millis(500));
        let of_replication = ["replica", "server.binlog"];
        let entries: Vec<_> = ALL.iter().filter(|entry| of_replication.contains(&entry.name)).copied().collect();
        let replicas = vec![ReplicaSubject { name: "r1".into(), connector: replica }];
        let subject = Subject { replicas, ..Subject::at(source) };
        let sampling = Sampling { every, observe: Observe::Always, origin };
        Observed { watch: watch(&entries, &subject, sampling), origin, samples: Vec::new(), problems: Vec::new() }
    }

    /// Lets this much time pass.
    pub fn go_on(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until {
            self.take();
            std::thread::sleep(Duration::from_millis(5));
        }
        self.take();
    }

    /// Ends the observers.
    pub fn end(&mut self) {
        self.watch.finish();
        self.take();
    }

    fn take(&mut self) {
        while let Some(event) = self.watch.next() {
            match event {
                ObserverEvent::Sampled { observer: replica::OBSERVER, at_ns, sample } => {
                    self.samples.push((at_ns as f64 / 1e9, sample.values));
                }
                ObserverEvent::Trouble(problem) => self.problems.push(problem),
                _ => {}
            }
        }
    }

    /// Seconds since the origin.
    pub fn now_s(&self) -> f64 {
        self.origin.elapsed().as_secs_f64()
    }

    /// When the last sample was taken, seconds since the origin.
    pub fn last_s(&self) -> f64 {
        self.samples.last().map_or(0.0, |(at_s, _)| *at_s)
    }

    /// A reading of the last sample.
    pub fn last(&self, reading: &str) -> Option<f64> {
        self.samples.last().and_then(|(_, values)| values.get(reading)).copied()
    }

    /// The bounds of the lag in the sample nearest to this time.
    pub fn bounds_near(&self, at_s: f64) -> (f64, f64) {
        let nearest = self.samples.iter().min_by(|a, b| (a.0 - at_s).abs().total_cmp(&(b.0 - at_s).abs()));
        let (_, values) = nearest.unwrap_or_else(|| panic!("nothing was observed"));
        let of = |name: String| *values.get(&name).unwrap_or_else(|| panic!("no {name}: {self:?}"));
        (of(replica::at_least("r1")), of(replica::at_most("r1")))
    }

    /// Between which bounds the lag was at a time, by the samples before and after it, each projected to it: between samples it becomes only smaller,
    /// at once or in several steps. `None` without a sample on each side.
    pub fn bounds_around(&self, at_s: f64) -> Option<(f64, f64)> {
        let projected = |(s, values): &(f64, _)| {
            let values: &BTreeMap<String, f64> = values;
            let of = |name: String| Some(values.get(&name)? - (s - at_s));
            Some((of(replica::at_least("r1"))?, of(replica::at_most("r1"))?))
        };
        let before = self.samples.iter().rev().find(|(s, _)| *s <= at_s).and_then(projected)?;
        let after = self.samples.iter().find(|(s, _)| *s > at_s).and_then(projected)?;
        Some((before.0.min(after.0), before.1.max(after.1)))
    }

    /// The problems, by what they say.
    pub fn told(&self) -> Vec<String> {
        self.problems.iter().map(|problem| problem.what.english().to_owned()).collect()
    }

    /// The same with evidence and hint.
    pub fn told_with_hints(&self) -> Vec<String> {
        let hint = |problem: &Problem| problem.hint.as_deref().unwrap_or("-").to_owned();
        let evidence = |problem: &Problem| problem.evidence.as_deref().unwrap_or("-").to_owned();
        self.problems.iter().map(|p| format!("{} ({}): {}", p.what.english(), evidence(p), hint(p))).collect()
    }
}

/// A server's port.
pub fn port(at: &impl Address) -> u16 {
    connector(at).dsn().port.unwrap_or_else(|| panic!("it has no port"))
}
