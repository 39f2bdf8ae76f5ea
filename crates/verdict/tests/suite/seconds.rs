//! Numbers of statements that did not all end, as of mysqlslap: cut off by time, or because clients left.

use crate::answers::run;
use tenbin_model::absolute_limit::AbsoluteLimit;
use tenbin_model::counted;
use tenbin_model::summary::Summary;
use tenbin_verdict::answer::answer;
use tenbin_verdict::gate::GateOutcome;
use tenbin_verdict::gate_check;
use tenbin_verdict::history;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::seconds_needed;

/// A thousand statements of which 149 ended in ten seconds, one of them with an error; the trial may take this many seconds.
fn unfinished(measure_s: u64) -> Summary {
    let plan = "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[[experiment]]\nrepeats = 1\nmeasure = \"10s\"\n\
                load = { workload = \"slap\", clients = 4, queries = 1000 }\n";
    let mut summary = run(plan, &|_| (100.0, 40.0, 40.0));
    let t = &mut summary.trials[0];
    t.trial.measure_ms = measure_s * 1000;
    let starts = &mut t.tally.accounting;
    (starts.scheduled, starts.completed, starts.failed) = (149, 148, 1);
    summary
}

#[test]
fn failures_do_not_hide_that_time_cut_a_load_off() {
    let summary = unfinished(10);
    assert!(counted::truncated(&summary.trials[0]));
    let needed = seconds_needed::of_cell(&summary, &summary.cells()[0]).expect("it asks for seconds");
    assert_eq!((needed.statements, needed.per_second()), (148.0, 14.8));
    let sentence = answer(&summary);
    assert!(
        sentence.english().contains("completed none of its numbers of statements before its time was up"),
        "{sentence:?}"
    );
}

#[test]
fn a_load_whose_clients_left_after_errors_has_what_it_completed() {
    let summary = unfinished(60);
    assert!(!counted::truncated(&summary.trials[0]));
    let needed = seconds_needed::of_cell(&summary, &summary.cells()[0]).expect("it asks for seconds");
    assert_eq!(needed.per_second(), 14.8);
    let sentence = answer(&summary);
    assert!(sentence.english().contains("its clients ended after errors"), "{sentence:?}");
}

/// Ten seconds for 149 of a thousand statements are no seconds that a thousand need.
#[test]
fn seconds_of_fewer_statements_are_within_no_limit_and_in_no_history() {
    for summary in [unfinished(10), unfinished(60)] {
        let limit = AbsoluteLimit::parse("seconds < 20s").expect("a limit");
        let check = &gate_check::checks(&summary, &[limit])[0];
        assert_eq!((check.outcome, check.value, check.behind), (GateOutcome::Exceeded, None, 1));
        assert_eq!(history::of(&[summary], None), []);
    }
}
