//! Sampled sessions: readings in, sentences out.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use crate::finished::finished;

use std::collections::BTreeMap;
use tenbin_model::event::Event;
use tenbin_model::names::session::{ACTIVE, IN_TRANSACTION, OBSERVER, OF_OTHERS};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::readings::LOST;
use tenbin_model::summary::Summary;
use tenbin_verdict::sessions::{ActiveSessions, of_trial};
use tenbin_words::language::Language;

/// A trial that is measured from 10 to 20 s, with these samples, one each second from 0 to 25 s.
fn result(observe: &str, sample: impl Fn(u32) -> Vec<(&'static str, f64)>) -> ActiveSessions {
    let plan = format!(
        "schema = 1\n[targets.a]\ndsn = \"mysql://a/\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\ninterval = \"1s\"\n\
         load = {{ workload = \"oltp_point_select\", observe = \"{observe}\" }}"
    );
    let plan = Plan::parse(&plan, &common::catalog()).unwrap();
    let mut summary = Summary::of(&[Event::TrialPlanned { planned: Box::new(expand(&plan).remove(0)), expected: 1 }]);
    let ns = |s: u32| u64::from(s) * 1_000_000_000;
    for at in 0..=25 {
        let values: BTreeMap<String, f64> = sample(at).into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
        if !values.is_empty() {
            let (observer, at_ns) = (OBSERVER.into(), ns(at));
            summary.take(&Event::Observation { trial: 1, observer, at_ns, source_unix_ns: None, values });
        }
    }
    summary.take(&finished(1, ns(26), (ns(10), ns(20))));
    of_trial(&summary.trials[0]).unwrap()
}

/// Eight sessions in commit, and every other time two that wait for a row, but only while the load is measured.
fn steady(at: u32) -> Vec<(&'static str, f64)> {
    let rows = f64::from(2 * (at % 2));
    match at {
        10..20 => vec![
            (ACTIVE, 8.0 + rows),
            ("commit", 8.0),
            ("row_lock", rows),
            ("executing", 0.0),
            (IN_TRANSACTION, 3.0),
            (OF_OTHERS, 1.0),
        ],
        _ => vec![(ACTIVE, 1000.0), ("commit", 0.0), ("executing", 1000.0)],
    }
}

#[test]
fn means_are_of_the_samples_in_the_window_alone() {
    let outcome = result("always", steady);
    let classes: Vec<String> = outcome.classes.iter().map(|(class, mean)| format!("{} {mean}", class.name())).collect();
    assert_eq!(
        (outcome.samples, outcome.active, classes.join(", ").as_str()),
        (10, 9.0, "executing 0, commit 8, row_lock 1")
    );
    assert_eq!((outcome.in_transaction, outcome.of_others, outcome.gap_s), (Some(3.0), Some(1.0), None));
    insta::assert_snapshot!(outcome.sentence().english(), @"9 active sessions on average (10 samples): commit 89 %, row locks 11 %");
    insta::assert_snapshot!(outcome.sentence().text(Language::Japanese), @"アクティブなセッションは平均 9(サンプル数 10): コミット 89%、行ロック待ち 11%");
    let idle = result("always", |_| vec![(ACTIVE, 0.0), ("commit", 0.0)]);
    insta::assert_snapshot!(idle.sentence().english(), @"no active session in 10 samples");
}

#[test]
fn missing_samples_are_told_and_give_no_figures() {
    let none = result("always", |at| if at == 0 { vec![(LOST, 1.0)] } else { Vec::new() });
    assert_eq!((none.samples, none.classes.len(), none.in_transaction), (0, 0, None));
    insta::assert_snapshot!(none.sentence().english(), @"the sessions of the server were not sampled in the measured window: see the notes of the trial");
    let ends = result("ends", |at| if (10..20).contains(&at) { Vec::new() } else { steady(at) });
    insta::assert_snapshot!(ends.sentence().english(), @r#"the sessions of the server were not sampled in the measured window, because load.observe is "ends""#);
    let hole = result("always", |at| if (12..17).contains(&at) { Vec::new() } else { steady(at) });
    insta::assert_snapshot!(hole.sentence().english(), @"9.20 active sessions on average (5 samples): commit 87 %, row locks 13 %; without a sample for up to 6.0 s");
    let end = result("always", |at| if at > 15 { Vec::new() } else { steady(at) });
    assert_eq!(end.gap_s, Some(5.0), "up to the end of the window");
}
