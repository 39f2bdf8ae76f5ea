//! Observers at work: each has its own period, and one that panics, hangs or returns what it must not costs its own
//! readings only.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::readings::LOST;
use tenbin_model::trial::Observe;
use tenbin_observers::{Observer, ObserverEntry, ObserverEvent, Sample, Sampling, Subject, Watch, watch};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// An observer that does what its function says, with the number of the sample.
struct Fake(fn(u32) -> Result<Sample, Problem>, u32);

impl Observer for Fake {
    fn read(&mut self) -> Result<Sample, Problem> {
        self.1 += 1;
        (self.0)(self.1)
    }
}

fn number() -> Vec<ReadingSpec> {
    vec![ReadingSpec::counter("n", "", Whose::Client).label("number", "番号")]
}

fn n(value: f64) -> Sample {
    BTreeMap::from([("n".to_owned(), value)]).into()
}

/// One that does its work, and counts.
const SOUND: ObserverEntry = ObserverEntry {
    name: "fake.sound",
    readings: |_| number(),
    period: Some(Duration::from_millis(1)),
    patience: Duration::from_secs(60),
    connects: false,
    edges: false,
    each: None,
    make: |_| Some(Box::new(Fake(|turn| Ok(n(f64::from(turn))), 0))),
};

fn begin(entries: &[ObserverEntry], observe: Observe) -> Watch {
    let connector = Connector::new(Dsn::parse("null:").unwrap(), None).unwrap();
    // An observer that has no period of its own reads when it is asked to.
    let every = Duration::from_secs(3600);
    let sampling = Sampling { every, observe, origin: Instant::now() };
    watch(entries, &Subject::at(connector), sampling)
}

/// Everything seen until `enough`.
fn until(watch: &Watch, enough: impl Fn(&[ObserverEvent]) -> bool) -> Vec<ObserverEvent> {
    let mut all = Vec::new();
    while !enough(&all) {
        match watch.next() {
            Some(seen) => all.push(seen),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    all
}

/// Everything that is seen when all have come to an end.
fn rest(watch: &Watch) -> Vec<ObserverEvent> {
    watch.finish();
    std::iter::from_fn(|| watch.next()).collect()
}

fn samples(all: &[ObserverEvent], of: &str) -> Vec<BTreeMap<String, f64>> {
    all.iter()
        .filter_map(|event| match event {
            ObserverEvent::Sampled { observer, sample, .. } if *observer == of => Some(sample.values.clone()),
            _ => None,
        })
        .collect()
}

fn troubles(all: &[ObserverEvent]) -> Vec<String> {
    let text = all.iter().filter_map(|event| match event {
        ObserverEvent::Trouble(problem) => {
            Some(format!("{} ({})", problem.what.english(), problem.evidence.as_deref().unwrap_or_default()))
        }
        _ => None,
    });
    text.collect()
}

#[test]
fn what_an_observer_reads_is_declared_first_and_read_in_its_own_period() {
    const SLOW: ObserverEntry = ObserverEntry { name: "fake.slow", period: None, ..SOUND };
    const UNFIT: ObserverEntry = ObserverEntry { name: "fake.unfit", make: |_| None, ..SOUND };
    let watch = begin(&[SOUND, SLOW, UNFIT], Observe::Always);
    let mut all = until(&watch, |all| samples(all, "fake.sound").len() >= 5 && !samples(all, "fake.slow").is_empty());
    assert_eq!(samples(&all, "fake.slow").len(), 1, "one in an hour");
    watch.edge(Duration::ZERO);
    all.extend(rest(&watch));
    assert_eq!(samples(&all, "fake.slow"), [1.0, 2.0, 3.0].map(|v| n(v).values), "at once, when asked, and at last");
    let counted = samples(&all, "fake.sound");
    assert!(counted.iter().zip(1..).all(|(values, turn)| values["n"] == f64::from(turn)), "{counted:?}");
    let mut known = BTreeSet::new();
    for event in &all {
        match event {
            ObserverEvent::Declared { observer, period, readings } => {
                let own = if *observer == "fake.sound" { Duration::from_millis(1) } else { Duration::from_secs(3600) };
                assert_eq!((period, readings), (&own, &number()));
                assert!(known.insert(*observer), "declared once");
            }
            ObserverEvent::Sampled { observer, .. } => assert!(known.contains(observer), "declared before it reads"),
            ObserverEvent::Trouble(problem) => panic!("{problem}"),
            ObserverEvent::Statements(_) => panic!("none of these reads statements"),
        }
    }
    assert_eq!(known, BTreeSet::from(["fake.slow", "fake.sound"]));
}

#[test]
fn one_that_panics_is_told_and_the_others_go_on() {
    const PANICS: ObserverEntry = ObserverEntry {
        name: "fake.panics",
        make: |_| Some(Box::new(Fake(|turn| if turn < 3 { Ok(n(f64::from(turn))) } else { panic!("turn {turn}") }, 0))),
        ..SOUND
    };
    const NEVER_MADE: ObserverEntry = ObserverEntry { name: "fake.never", make: |_| panic!("cannot be made"), ..SOUND };
    let watch = begin(&[PANICS, NEVER_MADE, SOUND], Observe::Always);
    let mut all = until(&watch, |all| troubles(all).len() == 2);
    let before = samples(&all, "fake.sound").len();
    all.extend(until(&watch, |more| samples(more, "fake.sound").len() > 1));
    all.extend(rest(&watch));
    let mut text = troubles(&all);
    text.sort();
    assert_eq!(
        text,
        [
            "observer fake.never panicked: a fault of Tenbin, its readings end here (cannot be made)",
            "observer fake.panics panicked: a fault of Tenbin, its readings end here (turn 3)",
        ]
    );
    assert_eq!(samples(&all, "fake.panics"), [1.0, 2.0].map(|v| n(v).values));
    assert!(samples(&all, "fake.sound").len() > before);
    assert!(watch.hung().is_empty());
}

#[test]
fn one_that_hangs_is_told_once_and_not_waited_for_again() {
    const HANGS: ObserverEntry = ObserverEntry {
        name: "fake.hangs",
        patience: Duration::from_secs(1),
        make: |_| {
            Some(Box::new(Fake(
                |_| loop {
                    std::thread::park();
                },
                0,
            )))
        },
        ..SOUND
    };
    let watch = begin(&[HANGS, SOUND], Observe::Always);
    let mut all = until(&watch, |all| !troubles(all).is_empty());
    assert_eq!(watch.hung(), ["fake.hangs"]);
    all.extend(rest(&watch));
    assert_eq!(troubles(&all), ["observer fake.hangs hangs; it is left out from here on (it was waited for 1 s)"]);
    assert!(samples(&all, "fake.hangs").is_empty() && samples(&all, "fake.sound").len() > 1);
}

#[test]
fn one_that_hangs_at_the_last_is_told_after_the_finish() {
    static LAST: AtomicU32 = AtomicU32::new(0);
    const HANGS: ObserverEntry = ObserverEntry {
        name: "fake.hangs",
        patience: Duration::from_secs(1),
        period: None,
        make: |_| {
            Some(Box::new(Fake(
                |turn| {
                    while LAST.load(Ordering::Relaxed) > 0 {
                        std::thread::park();
                    }
                    Ok(n(f64::from(turn)))
                },
                0,
            )))
        },
        ..SOUND
    };
    let watch = begin(&[HANGS], Observe::Always);
    let mut all = until(&watch, |all| !samples(all, "fake.hangs").is_empty());
    LAST.store(1, Ordering::Relaxed);
    all.extend(rest(&watch));
    assert_eq!(troubles(&all), ["observer fake.hangs hangs; it is left out from here on (it was waited for 1 s)"]);
    assert_eq!((samples(&all, "fake.hangs").len(), watch.hung()), (1, vec!["fake.hangs"]));
}

#[test]
fn what_was_not_declared_and_what_is_no_number_is_left_out_and_told_once() {
    const STRANGE: ObserverEntry = ObserverEntry {
        name: "fake.strange",
        make: |_| {
            Some(Box::new(Fake(
                |turn| {
                    let other = if turn % 2 == 0 { ("n", f64::NAN) } else { ("m", 1.0) };
                    let values = [("n", f64::from(turn)), ("l", f64::INFINITY), other];
                    Ok(values
                        .map(|(name, value)| (name.to_owned(), value))
                        .into_iter()
                        .collect::<BTreeMap<_, _>>()
                        .into())
                },
                0,
            )))
        },
        ..SOUND
    };
    let watch = begin(&[STRANGE], Observe::Always);
    let mut all = until(&watch, |all| samples(all, "fake.strange").len() > 3);
    all.extend(rest(&watch));
    assert_eq!(
        troubles(&all),
        ["observer fake.strange read what it did not declare, or no number; that is left out (l inf, m 1)"]
    );
    let read = samples(&all, "fake.strange");
    assert_eq!(read[..4], [n(1.0).values, BTreeMap::new(), n(3.0).values, BTreeMap::new()]);
}

#[test]
fn a_failure_is_told_when_it_begins_and_the_sample_after_it_counts_again() {
    const FAILS: ObserverEntry = ObserverEntry {
        name: "fake.fails",
        make: |_| {
            let read = |turn| {
                if (3..=5).contains(&turn) { Err(Problem::new(foreign("it is away"))) } else { Ok(n(f64::from(turn))) }
            };
            Some(Box::new(Fake(read, 0)))
        },
        ..SOUND
    };
    let watch = begin(&[FAILS], Observe::Always);
    let all = until(&watch, |all| samples(all, "fake.fails").len() == 4);
    let lost = BTreeMap::from([(LOST.to_owned(), 1.0)]);
    assert_eq!(samples(&all, "fake.fails"), [n(1.0).values, n(2.0).values, lost, n(6.0).values]);
    assert_eq!(troubles(&all), ["it is away ()"]);
}

#[test]
fn at_the_ends_one_that_connects_reads_before_the_clients_and_after_them_only() {
    static OPEN: AtomicU32 = AtomicU32::new(0);
    struct Connects(u32);
    impl Observer for Connects {
        fn read(&mut self) -> Result<Sample, Problem> {
            OPEN.store(1, Ordering::SeqCst);
            self.0 += 1;
            Ok(Sample { source_unix_ns: Some(7), ..n(f64::from(self.0)) })
        }
        fn disconnect(&mut self) {
            OPEN.store(0, Ordering::SeqCst);
        }
    }
    const CONNECTS: ObserverEntry =
        ObserverEntry { name: "fake.connects", connects: true, make: |_| Some(Box::new(Connects(0))), ..SOUND };
    let watch = begin(&[CONNECTS, SOUND], Observe::Ends);
    let mut all = until(&watch, |all| samples(all, "fake.sound").len() > 3);
    assert!(samples(&all, "fake.connects").is_empty(), "the data are loaded without it");
    watch.begin();
    assert_eq!(OPEN.load(Ordering::SeqCst), 0, "it has left when the clients come");
    watch.edge(Duration::ZERO);
    all.extend(rest(&watch));
    assert_eq!(samples(&all, "fake.connects"), [n(1.0).values, n(2.0).values]);
    let text_of = |event: &&ObserverEvent| matches!(event, ObserverEvent::Sampled { observer: "fake.connects", sample, .. } if sample.source_unix_ns == Some(7));
    assert_eq!(all.iter().filter(text_of).count(), 2, "with the time of its source");
    assert_eq!(OPEN.load(Ordering::SeqCst), 0);
}

#[test]
fn a_server_is_left_alone_while_it_is_asked_who_is_at_work_on_it() {
    static READS: AtomicU32 = AtomicU32::new(0);
    const CONNECTS: ObserverEntry = ObserverEntry {
        name: "fake.connects",
        connects: true,
        make: |_| {
            Some(Box::new(Fake(
                |turn| {
                    READS.fetch_add(1, Ordering::SeqCst);
                    Ok(n(f64::from(turn)))
                },
                0,
            )))
        },
        ..SOUND
    };
    let watch = begin(&[CONNECTS, SOUND], Observe::Always);
    until(&watch, |all| samples(all, "fake.connects").len() > 2);
    assert_eq!(watch.connections(), 1);
    let (before, after) = watch.quietly(|| {
        let before = READS.load(Ordering::SeqCst);
        until(&watch, |all| samples(all, "fake.sound").len() > 20);
        (before, READS.load(Ordering::SeqCst))
    });
    assert_eq!(before, after, "the other observer went on meanwhile");
    until(&watch, |all| samples(all, "fake.connects").len() > 2);
    rest(&watch);
    assert_eq!(watch.connections(), 0);
}

#[test]
fn clients_wait_for_the_first_sample_of_one_that_has_to_connect() {
    const SLOW: ObserverEntry = ObserverEntry {
        name: "fake.slow",
        make: |_| {
            Some(Box::new(Fake(
                |turn| {
                    std::thread::sleep(Duration::from_millis(if turn == 1 { 300 } else { 0 }));
                    Ok(n(f64::from(turn)))
                },
                0,
            )))
        },
        period: None,
        ..SOUND
    };
    let watch = begin(&[SLOW], Observe::Always);
    watch.begin();
    let event: Vec<ObserverEvent> = std::iter::from_fn(|| watch.next()).collect();
    assert!(!samples(&event, "fake.slow").is_empty(), "{event:?}");
    drop(rest(&watch));
}

#[test]
fn every_reading_is_explained_in_the_guide() {
    let connector = Connector::new(Dsn::parse("null:").unwrap(), None).unwrap();
    let subject = Subject::at(connector);
    let mut declared: Vec<(String, ReadingSpec)> = Vec::new();
    for entry in tenbin_observers::ALL {
        declared.extend((entry.readings)(&subject).into_iter().map(|spec| (entry.name.to_owned(), spec)));
    }
    assert!(declared.len() > 150, "{}", declared.len());
    for (language, heading) in [("en", "## All readings"), ("ja", "## 観測値の一覧")] {
        let path = format!("{}/../../doc/guide/{language}/observers.md", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        let table = text.split_once(heading).and_then(|(_, rest)| rest.split("\n## ").next()).unwrap();
        let missing: Vec<String> = declared
            .iter()
            .filter(|(observer, spec)| {
                // Those of the server's process on another machine have the same names after this.
                let name = spec.name.strip_prefix("process_").unwrap_or(&spec.name);
                !table.contains(&format!("`{name}`")) || !table.contains(&format!("`{observer}`"))
            })
            .map(|(observer, spec)| format!("{observer} {}", spec.name))
            .collect();
        assert!(missing.is_empty(), "{path}: {missing:?}");
    }
}
