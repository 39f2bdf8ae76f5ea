//! The run of a refuting plan reports what it shows, and its diagnoses take that into account.

use super::case::{Case, ran, usual};
use crate::common;
use tenbin_model::event::Event;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::Summary;
use tenbin_model::tested_limit::Expectation;
use tenbin_model::trial::{Schedule, Trial};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::why::{Refutation, Ruling, of_trial, refutation, sentences};

/// Row locks for all that is known: three quarters of the response time.
fn locked() -> Case {
    usual().with("server.sessions/row_lock", 12.0)
}

/// The plan that would refute what this trial says.
fn plan_of(case: &Case) -> String {
    case.diagnosis().experiment.unwrap().plan
}

/// What a run of it shows where the throughput with the change is this share of that without, give or take this spread from
/// repeat to repeat.
fn tested(case: fn() -> Case, share: f64, spread: f64) -> (Refutation, Summary) {
    let plan = plan_of(&case());
    let clients = case().summary().trials[0].trial.load.clients;
    let summary = ran(&plan, |trial| {
        let is_changed = trial.load.clients != clients;
        let noise = if trial.repeat.is_multiple_of(2) { spread } else { -spread };
        let tps = 1000.0 * if is_changed { share * (1.0 + noise) } else { 1.0 };
        // The clients are busy all the time, however many there are.
        let response_ms = 1000.0 * f64::from(trial.load.clients) / tps;
        Case { tps: tps.round() as u64, response_ms, ..case() }
    });
    (refutation::of_run(&summary).unwrap(), summary)
}

/// What the terminal says of it.
fn told(summary: &Summary) -> String {
    sentences(summary).iter().map(|one| one.english()).collect::<Vec<_>>().join("\n")
}

fn outcomes(summary: &Summary) -> Vec<&'static str> {
    let mut all: Vec<_> = summary
        .trials
        .iter()
        .map(|t| of_trial(summary, t).unwrap_or_else(|| panic!("{:?}", t.doubts())).outcome.code())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn a_plan_says_in_itself_what_it_tests_and_of_which_run() {
    let plan = plan_of(&locked());
    let tested = Plan::parse(&plan, &common::catalog()).unwrap().refutes.unwrap();
    assert_eq!((tested.run.as_str(), tested.trial, tested.changes.as_str()), ("n s", 1, "load.clients"));
    assert_eq!(
        (tested.limit.map(|limit| limit.code()), tested.expects),
        (Some("row-locks"), Expectation::AtLeast(0.9))
    );
    let words = locked().diagnosis().experiment.unwrap().expects;
    assert_eq!(words.english(), "the throughput does not fall with half the clients (0.90× or more)");
    assert!(refutation::of_run(&locked().summary()).is_none(), "a run that tests nothing");
}

#[test]
fn what_was_expected_confirms_a_limit_and_the_same_plan_is_not_offered_again() {
    let (refutation, summary) = tested(locked, 1.0, 0.02);
    assert_eq!((refutation.ruling, refutation.trials), (Ruling::Confirmed, 5));
    insta::assert_snapshot!(refutation.sentence().english(), @"Put to the test by load.clients, row locks as the limit of trial 1 of n s is confirmed: 1.00× (95 % interval 0.97× to 1.02×), expected 0.90× or more.");
    assert_eq!(outcomes(&summary), ["row-locks"]);
    assert!(of_trial(&summary, &summary.trials[0]).unwrap().experiment.is_none());
    insta::assert_snapshot!(told(&summary), @r"
    Put to the test by load.clients, row locks as the limit of trial 1 of n s is confirmed: 1.00× (95 % interval 0.97× to 1.02×), expected 0.90× or more.
    a at 16 clients: the limit was row locks (75 % of the response time is spent waiting for them; limit 20 %; 12 of 16 clients wait on average).
    ");
}

#[test]
fn a_refuted_limit_is_not_said_again() {
    let (refutation, summary) = tested(locked, 0.52, 0.02);
    assert_eq!(refutation.ruling, Ruling::Refuted);
    insta::assert_snapshot!(refutation.sentence().english(), @"Put to the test by load.clients, row locks as the limit of trial 1 of n s is refuted: 0.52× (95 % interval 0.50× to 0.53×), expected 0.90× or more.");
    assert_eq!(outcomes(&summary), ["not-enough-evidence"]);
    let diagnosis = of_trial(&summary, &summary.trials[0]).unwrap();
    assert_ne!(diagnosis.runner_up.as_ref().unwrap().bottleneck.code(), "row-locks");
    assert!(diagnosis.experiment.is_none());
    insta::assert_snapshot!(told(&summary), @r"
    Put to the test by load.clients, row locks as the limit of trial 1 of n s is refuted: 0.52× (95 % interval 0.50× to 0.53×), expected 0.90× or more.
    a at 16 clients: there is not enough evidence to name the limit; it would need what limits it instead of row locks, which was refuted, the waits for latches.
    ");
    // The next candidate is named, if its figures say it.
    fn full() -> Case {
        locked().gauge("server.sessions", "admission", 9.0)
    }
    assert_eq!(full().diagnosis().outcome.code(), "row-locks");
    assert_eq!(outcomes(&tested(full, 0.52, 0.02).1), ["admission"]);
}

#[test]
fn trials_that_differ_too_much_decide_nothing_and_more_are_offered() {
    let (refutation, summary) = tested(locked, 0.9, 0.2);
    assert_eq!(refutation.ruling, Ruling::Undecided);
    insta::assert_snapshot!(refutation.words().english(), @"not decided: 0.85× (95 % interval 0.64× to 1.12×), expected 0.90× or more");
    assert_eq!(outcomes(&summary), ["row-locks"]);
    let again = of_trial(&summary, &summary.trials[0]).unwrap().experiment.unwrap().plan;
    let again = Plan::parse(&again, &common::catalog()).unwrap();
    let before = Plan::parse(&plan_of(&locked()), &common::catalog()).unwrap();
    assert_eq!(expand(&again).len(), 2 * expand(&before).len());
    assert_eq!(again.refutes, before.refutes);
    // Trials that are INVALID are in no pair.
    let mut cut = ran(&plan_of(&locked()), |_| locked());
    for trial in &mut cut.trials {
        trial.client_halts.stopped_ns = 9_000_000_000;
    }
    let cut = refutation::of_run(&cut).unwrap();
    assert_eq!((cut.ruling, cut.trials), (Ruling::Undecided, 0));
    assert_eq!(cut.words().english(), "not decided: there is no valid pair of trials");
}

/// What is to be decided is the question of the plan, and not what limits the trials of its run.
#[test]
fn a_plan_that_did_not_decide_is_offered_again_whatever_limits_its_trials() {
    fn flushing() -> Case {
        usual().with("server.sessions/commit", 12.0)
    }
    assert_ne!(flushing().diagnosis().outcome.code(), "row-locks");
    let summary = ran(&plan_of(&locked()), |trial| {
        let noise = if trial.repeat.is_multiple_of(2) { 1.2 } else { 0.7 };
        let tps = if trial.load.clients == 16 { 1000.0 } else { 1000.0 * noise };
        Case { tps: tps as u64, response_ms: 1000.0 * f64::from(trial.load.clients) / tps, ..flushing() }
    });
    assert_eq!(refutation::of_run(&summary).unwrap().ruling, Ruling::Undecided);
    assert!(!outcomes(&summary).contains(&"row-locks"), "{:?}", outcomes(&summary));
    let again = of_trial(&summary, &summary.trials[0]).unwrap().experiment.unwrap();
    assert_eq!(again.tested.limit.map(|limit| limit.code()), Some("row-locks"));
}

/// A rate is held or not: no ratio decides.
#[test]
fn twice_the_rate_is_held_or_not() {
    let idle = || Case { load: "clients = 16\nrate = 100", tps: 100, response_ms: 40.0, ..usual() };
    let plan = plan_of(&idle());
    let shown = |most: u64| {
        let rate = |trial: &Trial| if let Schedule::Open { rate, .. } = trial.load.schedule { rate as u64 } else { 0 };
        let summary = ran(&plan, |trial| Case { tps: rate(trial).min(most), ..idle() });
        let refutation = refutation::of_run(&summary).unwrap();
        (refutation.ruling, refutation.words().english().to_owned())
    };
    assert_eq!(shown(200), (Ruling::Confirmed, "confirmed: the rate was held in 5 of 5 trials".to_owned()));
    assert_eq!(shown(150), (Ruling::Refuted, "refuted: the rate was held in 0 of 5 trials".to_owned()));
}

/// A client that two threads keep busy on two processors is not faster with four; one that has a thread only, is.
#[test]
fn what_would_refute_a_client_depends_on_what_is_used_up() {
    let changes = |case: &Case| {
        let experiment = case.diagnosis().experiment.unwrap();
        format!("{} {}", experiment.key, experiment.tested.expects)
    };
    assert_eq!(changes(&Case { client_cores: 1.8, ..usual() }), "load.clients tps >= 0.9");
    assert_eq!(
        changes(&Case { response_ms: 10.0, ..usual() }),
        "load.clients tps >= 1.05",
        "time between transactions"
    );
    let alone = Case { load: "clients = 1", tps: 60, client_cores: 1.8, ..usual() };
    assert_eq!(changes(&alone), "load.clients tps < 1.1", "one client cannot be halved");
}

#[test]
fn stored_plans_that_cannot_be_read_test_nothing() {
    let read = |refutes: &str| {
        let mut summary = locked().summary();
        let plan = summary.plan.replacen("schema = 1\n", &format!("schema = 1\n{refutes}\n"), 1);
        let (name, tool, started) = ("n".to_owned(), "t".to_owned(), "s".to_owned());
        summary.take(&Event::RunStarted { format: 2, name, tool, started, plan });
        refutation::of_run(&summary).map(|refutation| refutation.ruling)
    };
    assert_eq!(read("refutes = { limit = \"row-locks\", expects = \"tps >= 0.9\" }"), Some(Ruling::Undecided));
    assert_eq!(read("refutes = { limit = \"row-locks\", expects = \"more\" }"), None);
    assert_eq!(read("refutes = { limit = \"row-locks\" }"), None);
    assert_eq!(read("refutes = 1"), None);
}

#[test]
fn mistakes_in_what_a_plan_tests_are_told_at_their_place() {
    let text_of = |refutes: &str| {
        let plan = locked().summary().plan.replacen("schema = 1\n", &format!("schema = 1\n[refutes]\n{refutes}\n"), 1);
        let problems = Plan::parse(&plan, &common::catalog()).unwrap_err();
        problems
            .iter()
            .map(|p| format!("{} ({})", p.what.english(), p.hint.as_ref().unwrap().english()))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let whole = "limit = \"row-lock\"\nexpects = \"tps > 2\"\ntrial = -1";
    insta::assert_snapshot!(text_of(whole), @r#"line 3, column 9: limit cannot be "row-lock" (write limit = "row-locks"); line 4, column 11: expects cannot be "tps > 2" (write expects = "tps >= 1.05"); line 5, column 9: trial cannot be -1 (give a whole number from 0 to 4294967295)"#);
    let lacks = text_of("limit = \"none\"");
    assert!(lacks.ends_with("[refutes] lacks expects (write expects = \"tps >= 0.9\")"), "{lacks}");
}
