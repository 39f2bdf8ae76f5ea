//! The lag of replicas: readings in, sentences out.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use crate::finished::finished;

use std::collections::BTreeMap;
use tenbin_model::event::{Event, Phase};
use tenbin_model::names::replica::{OBSERVER, at_least, at_most};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::Summary;
use tenbin_verdict::lag::{behind, of};

/// A trial whose load is measured from 10 to 20 s, with these lags at each second; the wait ends at 30 s.
fn result(lag: impl Fn(f64) -> f64) -> Summary {
    let plan = "schema = 1\n[targets.a]\ndsn = \"mysql://a/\"\nreplicas = { r1 = \"mysql://b/\" }\n\
                [[experiment]]\nrepeats = 1\nload.workload = \"oltp_point_select\"\nwarmup = \"0s\"";
    let plan = Plan::parse(plan, &common::catalog()).unwrap();
    let planned = Box::new(expand(&plan).remove(0));
    assert_eq!(planned.catch_up_ms, 600_000);
    let mut summary = Summary::of(&[Event::TrialPlanned { planned, expected: 1 }]);
    let ns = |s: f64| (s * 1e9) as u64;
    for at in 0..=60 {
        let at = f64::from(at) / 2.0;
        if at == 20.5 {
            summary.take(&Event::PhaseStarted { trial: 1, phase: Phase::CatchUp, at_ns: ns(20.1) });
        }
        let values = BTreeMap::from([(at_least("r1"), lag(at)), (at_most("r1"), lag(at) + 0.25)]);
        summary.take(&Event::Observation {
            trial: 1,
            observer: OBSERVER.into(),
            at_ns: ns(at),
            source_unix_ns: None,
            values,
        });
    }
    summary.take(&finished(1, ns(31.0), (ns(10.0), ns(20.0))));
    summary
}

fn said(lag: impl Fn(f64) -> f64) -> String {
    of(&result(lag)).iter().map(|lag| lag.sentence().english().to_owned()).collect()
}

#[test]
fn a_replica_keeps_up_or_falls_behind() {
    let slow = |at: f64| if at < 20.0 { at / 4.0 } else { (5.0 - (at - 20.0)).max(0.0) };
    let all = [said(|_| 0.0), said(|_| 5.0), said(slow), said(|at| at / 4.0), said(|at| 20.0 - at / 2.0)];
    insta::assert_snapshot!(all.join("\n"), @"
    Replica r1 keeps up: at most 0.0 s behind; it had everything 0.4 s after the load
    Replica r1 keeps up: at most 5.0 s behind; it had everything 5.4 s after the load
    Replica r1 falls behind by 0.250 seconds each second: 5.0 s at the end of the load; it had everything 2.9 s after the load
    Replica r1 falls behind by 0.250 seconds each second: 5.0 s at the end of the load; it had everything 7.4 s after the load
    Replica r1 catches up by 0.500 seconds each second: 10.0 s behind at the end of the load; it had everything 6.9 s after the load
    ");
    assert_eq!(said(|_| f64::NAN), "", "without readings there is nothing to say");
}

#[test]
fn a_replica_that_is_read_is_waited_for_until_it_has_everything() {
    let behind =
        |lag: fn(f64) -> f64, now_s: f64| behind(&result(lag).trials[0], 20_100_000_000, (now_s * 1e9) as u64).len();
    assert_eq!(behind(|_| 60.0, 30.5), 1);
    assert_eq!(behind(|_| 60.0, 40.0), 0, "it was not read for ten seconds");
    assert_eq!(behind(|_| 5.0, 30.5), 0);
    assert_eq!(behind(|_| f64::NAN, 30.5), 0);
}
