//! A warm-up that ends by itself: what the plan says of it, and what is reported of trials whose throughput did not become steady.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use tenbin_verdict::judged_trial::JudgedTrial;

use tenbin_model::event::{EndState, Event, FORMAT, Halts, Phase, Severity};
use tenbin_model::plan::{Plan, PlanScale, Reading, expand};
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::trial::Trial;
use tenbin_verdict::answer::answer;
use tenbin_verdict::conditions::conditions;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

const SECOND: u64 = 1_000_000_000;

fn text(warmup: &str) -> String {
    format!(
        "schema = 1\ntargets.a.sandbox = \"mariadbd\"\n[defaults]\nwarmup = {warmup}\n[[experiment]]\nrepeats = 1\nmeasure = \"60s\"\n\
         load = {{ workload = \"oltp_read_write\", clients = 8 }}\n"
    )
}

fn planned(warmup: &str) -> Trial {
    expand(&Plan::parse(&text(warmup), &common::catalog()).unwrap()).remove(0)
}

#[test]
fn both_forms_are_the_same_and_others_say_their_limits() {
    let auto = planned("\"auto\"");
    assert_eq!((auto.warmup_ms, auto.warmup_until.map(|until| until.min_ms)), (900_000, Some(30_000)));
    assert_eq!(planned("{ min = \"30s\", max = \"15m\", until = \"steady\" }"), auto);
    let other = planned("{ min = \"2m\" }");
    assert_eq!((other.warmup_ms, other.warmup_until.map(|until| until.min_ms)), (900_000, Some(120_000)));
    assert_eq!(planned("\"40s\"").warmup_until, None);
    let stored = serde_json::to_string(&auto).unwrap();
    assert_eq!(serde_json::from_str::<Trial>(&stored).unwrap(), auto);
}

#[test]
fn an_experiment_overrides_it_and_a_matrix_varies_it() {
    let plan = text("\"auto\"").replace("repeats = 1", "repeats = 1\nmatrix = { warmup = [\"10s\", \"auto\"] }");
    let mut trials = expand(&Plan::parse(&plan, &common::catalog()).unwrap());
    trials.sort_by_key(|t| t.cell);
    let all: Vec<_> = trials.iter().map(|t| (t.warmup_ms, t.warmup_until.is_some())).collect();
    assert_eq!(all, [(10_000, false), (900_000, true)]);
}

#[test]
fn a_try_out_shortens_both_limits_but_leaves_enough_intervals() {
    let scaled = |scale: &str| {
        let scale = Some(PlanScale::parse(scale).unwrap());
        let plan = Reading::scaled(&text("\"auto\""), &common::catalog(), scale).finish().unwrap();
        let trial = expand(&plan).remove(0);
        (trial.warmup_until.unwrap().min_ms, trial.warmup_ms, trial.interval_ms)
    };
    assert_eq!(scaled("0.1"), (3_000, 90_000, 100));
    assert_eq!(scaled("0.001"), (200, 3_000, 100));
}

/// A run of one trial with this throughput in each second; its measurement began after this many.
fn run(warmup: &str, began_s: u64, tps: impl Fn(u64) -> u64) -> Summary {
    let plan = text(warmup);
    let (name, tool, started) = ("made up".into(), "0".into(), "2026-01-01T00:00:00+00:00".into());
    let mut all = vec![
        Event::RunStarted { format: FORMAT, name, tool, started, plan },
        Event::TrialPlanned { planned: Box::new(planned(warmup)), expected: 1 },
        Event::TrialStarted { trial: 1, at_ns: 0 },
    ];
    for s in 0..began_s + 120 {
        let phase = if s < began_s { Phase::WarmUp } else { Phase::Measure };
        if s == 0 || s == began_s {
            all.push(Event::PhaseStarted { trial: 1, phase, at_ns: s * SECOND });
        }
        let mut t = TransactionTally { completed: tps(s), ..TransactionTally::default() };
        t.response.record_n(8_000_000, tps(s));
        let mut tally = Tally::default();
        (tally.accounting.completed, tally.accounting.scheduled) = (tps(s), tps(s));
        tally.transactions.insert("t".into(), t);
        let (from_ns, to_ns, per_client) = (s * SECOND, (s + 1) * SECOND, Default::default());
        all.push(Event::Interval { trial: 1, phase, from_ns, to_ns, clients: 8, tally, completions: None, per_client });
    }
    let end_ns = (began_s + 120) * SECOND;
    all.push(Event::TrialFinished {
        trial: 1,
        at_ns: end_ns,
        state: EndState::Complete,
        measured_from_ns: began_s * SECOND,
        measured_to_ns: end_ns,
        client_cpu_ns: 0,
        workers: 1,
        per_client: Default::default(),
        client_halts: Halts::default(),
        oldest_open_ns: None,
        beside: Default::default(),
    });
    Summary::of(&all)
}

fn not_steady(summary: &Summary) -> Option<String> {
    let doubts = summary.trials[0].doubts();
    let problem = &doubts.iter().find(|doubt| doubt.code == "warmup-not-steady")?.problem;
    let [evidence_text, hint] =
        [&problem.evidence, &problem.hint].map(|part| part.as_ref().unwrap().english().to_owned());
    Some(format!("{evidence_text}\n{hint}"))
}

#[test]
fn a_measurement_that_began_at_the_upper_limit_is_doubted() {
    let limits = "{ min = \"30s\", max = \"200s\" }";
    let rising = run(limits, 200, |s| 500 + 2 * s);
    assert_eq!(
        not_steady(&rising).unwrap(),
        "the warm-up ended at its upper limit, 200 s; transactions per second in its third quarter 749, in its last 849\n\
         set warmup = { min = \"30s\", max = \"400s\" }"
    );
    assert!(rising.trials[0].doubts().iter().all(|doubt| doubt.code != "warming"));
    let words = conditions(&rising).unwrap();
    assert!(words.english().contains("; not steady after a warm-up of 3 min 20 s; "), "{}", words.english());
    assert!(!words.english().contains("until steady"), "{}", words.english());
    let words = conditions(&run(limits, 31, |s| 800 + s % 3)).unwrap();
    assert!(words.english().contains("warm-up until steady: 31 s"), "{}", words.english());
    assert_eq!(rising.trials[0].warm_up_s(), 200.0);
    assert_eq!(not_steady(&run(limits, 31, |s| 800 + s % 3)), None, "it ended early");
    assert_eq!(not_steady(&run(limits, 200, |_| 800)), None, "it was steady, whenever it ended");
    assert_eq!(not_steady(&run("\"200s\"", 200, |s| 500 + 2 * s)), None, "so it was planned");
}

#[test]
fn a_warm_up_that_was_too_short_is_told_how_long_it_must_be_at_least() {
    let late = run("\"auto\"", 31, |s| if s < 80 { 500 } else { 800 });
    let all = late.trials[0].doubts();
    let hint = all.iter().find(|doubt| doubt.code == "warming").and_then(|doubt| doubt.problem.hint.clone());
    assert_eq!(hint.unwrap().english(), "set warmup = { min = \"81s\", max = \"15m\" }");
}

#[test]
fn a_run_stopped_in_its_warm_up_says_so_and_names_no_window() {
    let (name, tool, started) = ("made up".into(), "0".into(), "2026-01-01T00:00:00+00:00".into());
    let busy = Problem::new(foreign("something else is running on this machine"));
    let all = [
        Event::RunStarted { format: FORMAT, name, tool, started, plan: text("\"auto\"") },
        Event::TrialPlanned { planned: Box::new(planned("\"auto\"")), expected: 1 },
        Event::Note { trial: 0, at_ns: 0, severity: Severity::Warning, problem: busy },
        Event::TrialStarted { trial: 1, at_ns: 0 },
        Event::PhaseStarted { trial: 1, phase: Phase::WarmUp, at_ns: 0 },
        Event::TrialFinished {
            trial: 1,
            at_ns: 5 * SECOND,
            state: EndState::Partial,
            measured_from_ns: 5 * SECOND,
            measured_to_ns: 5 * SECOND,
            client_cpu_ns: 0,
            workers: 1,
            per_client: Default::default(),
            client_halts: Halts::default(),
            oldest_open_ns: None,
            beside: Default::default(),
        },
        Event::RunFinished { at_ns: 5 * SECOND, state: EndState::Partial },
    ];
    let summary = Summary::of(&all);
    assert_eq!(answer(&summary).english(), "Nothing was measured: stopped by the user.");
    let words = conditions(&summary).unwrap();
    assert!(!words.english().contains("measured for"), "{}", words.english());
}
