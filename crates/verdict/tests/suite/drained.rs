//! Loads whose transactions in progress at the end of the window are waited for: what throughput is made of, and by which time it is divided.

use crate::common;
use crate::finished::finished;
use crate::trust::SECOND;
use tenbin_model::event::{Event, FORMAT, Phase};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::{Measurements, Summary, TrialResult};
use tenbin_model::tally::{CONNECT, GroupTally, StatementTally, Tally, TransactionTally, group_prefix};
use tenbin_verdict::client_groups;
use tenbin_verdict::judged_trial::JudgedTrial;

/// What became of the starts of a second: due, ended, and ended of those that had fallen due before the window.
type Second = (u64, u64, u64);

/// A trial with these experiment settings: the seconds of its warm-up, of its window, and after it.
struct Drive<'d> {
    settings: &'d str,
    load: &'d str,
    warm_up: &'d [Second],
    window: &'d [Second],
    after: &'d [Second],
}

impl Drive<'_> {
    fn planned(&self) -> Event {
        let Drive { settings, load, warm_up, .. } = self;
        let plan = format!(
            "schema = 1\n[targets.db]\ndsn = \"mysql://a@db.example/d\"\n[datasets.d]\n[[experiment]]\ninterval = \"1s\"\nwarmup = \"{}s\"\n\
             {settings}\nload = {{ {load} }}\n",
            warm_up.len()
        );
        let plan = Plan::parse(&plan, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:#?}"));
        Event::TrialPlanned { planned: Box::new(expand(&plan).remove(0)), expected: 1 }
    }

    fn events(&self, tally: &dyn Fn(Second) -> Tally) -> Vec<Event> {
        let Drive { warm_up, window, after, .. } = *self;
        let (name, started) = ("made up".to_owned(), "2026-01-01T00:00:00+00:00".to_owned());
        let mut all = vec![Event::RunStarted { format: FORMAT, name, tool: "0".into(), started, plan: String::new() }];
        all.extend([self.planned(), Event::TrialStarted { trial: 1, at_ns: 0 }]);
        let mut to_ns = 0;
        let window_ns = (warm_up.len() as u64 * SECOND, (warm_up.len() + window.len() + after.len()) as u64 * SECOND);
        let parts = [(Phase::WarmUp, warm_up), (Phase::Measure, window), (Phase::Measure, after)];
        for (part, (phase, seconds)) in parts.into_iter().enumerate() {
            let drained = part == 2;
            if !seconds.is_empty() && !drained {
                all.push(Event::PhaseStarted { trial: 1, phase, at_ns: to_ns });
            }
            for second in seconds {
                let from_ns = to_ns;
                to_ns += SECOND;
                let tally = Tally { drained, ..tally(*second) };
                let (completions, per_client) = (None, Default::default());
                all.push(Event::Interval {
                    trial: 1,
                    phase,
                    from_ns,
                    to_ns,
                    clients: 8,
                    tally,
                    completions,
                    per_client,
                });
            }
        }
        all.push(finished(1, to_ns, window_ns));
        all
    }

    fn run(&self) -> Summary {
        Summary::of(&self.events(&|second| counted("t", second)))
    }
}

/// Of each transaction a statement.
fn counted(name: &str, (due, ended, carried): Second) -> Tally {
    let mut t = TransactionTally { completed: ended, carried, ..TransactionTally::default() };
    t.response.record_n(10_000_000, ended);
    t.service.record_n(10_000_000, ended);
    t.wait.record_n(0, ended);
    let mut tally = Tally::default();
    (tally.accounting.scheduled, tally.accounting.completed) = (due, ended);
    (tally.accounting.open, tally.accounting.carried) = (due as i64 - ended as i64, carried);
    tally.carried.statements = carried;
    tally.transactions.insert(name.into(), t);
    let statement = StatementTally { completed: ended, carried, ..StatementTally::default() };
    tally.statements.insert("select".into(), statement);
    tally
}

fn per_second(t: &TrialResult) -> (f64, f64) {
    (t.tps(), t.qps())
}

/// A thousand a second are asked for, and 770 of them end, in the warm-up, in the window, and of the eight in progress after it.
const BACKLOG: Drive<'_> = Drive {
    settings: "measure = \"4s\"",
    load: "workload = \"oltp_point_select\", clients = 8, rate = 1000, drain = \"2s\"",
    warm_up: &[(1000, 770, 0); 6],
    window: &[(1000, 0, 770), (1000, 102, 668), (1000, 770, 0), (1000, 770, 0)],
    after: &[(0, 8, 0)],
};

#[test]
fn the_throughput_of_a_rate_that_is_not_held_has_all_that_ended_in_the_window() {
    let summary = BACKLOG.run();
    assert_eq!(per_second(&summary.trials[0]), (770.0, 770.0));
    assert!(summary.trials[0].doubts().iter().all(|d| d.code != "drain-short"), "what is left found no client");
}

#[test]
fn what_is_stored_of_a_trial_has_the_same_throughput() {
    let events = BACKLOG.events(&|second| counted("t", second));
    let packed = serde_json::to_string(&Summary::of(&events).trials[0].measurements()).expect("it is text");
    let measurements: Measurements = serde_json::from_str(&packed).expect("the same");
    let mut read = Summary::of(events.iter().filter(|event| !matches!(event, Event::Interval { .. })));
    read.restore(1, measurements);
    assert_eq!(per_second(&read.trials[0]), (770.0, 770.0));
}

/// Connects that a workload times are no statements of the server's, in a closed loop and of what had fallen due before the window.
#[test]
fn connects_are_no_queries() {
    let summary = BACKLOG.run();
    let mut t = summary.trials[0].clone();
    let connects = t.tally.statements["select"].clone();
    t.tally.carried.statements += connects.carried;
    t.tally.statements.insert(CONNECT.to_owned(), connects);
    assert_eq!(per_second(&t), (770.0, 770.0));
}

/// Clients that are always at work, 140 of whose transactions end in each second.
#[test]
fn a_window_that_ended_when_enough_was_known_is_as_long_as_it_was() {
    let adaptive = Drive {
        settings: "measure = { min = \"2s\", max = \"40s\", until = \"ci(tps) < 20%\" }",
        load: "workload = \"oltp_point_select\", clients = 60, drain = \"20s\"",
        warm_up: &[(200, 140, 0)],
        window: &[(140, 80, 60), (140, 140, 0), (140, 140, 0), (140, 140, 0)],
        after: &[(0, 60, 0)],
    };
    let summary = adaptive.run();
    let t = &summary.trials[0];
    assert_eq!(per_second(t), (140.0, 140.0));
    assert_eq!((t.planned_ns(), t.measured_ns()), (4 * SECOND, 5 * SECOND));
}

/// Four clients, a second for each transaction: the last four have not ended after a tenth of a second.
#[test]
fn transactions_that_the_wait_was_too_short_for_are_told_and_cost_no_throughput() {
    let short = Drive {
        settings: "measure = \"5s\"",
        load: "workload = \"oltp_point_select\", clients = 4, drain = \"100ms\"",
        warm_up: &[(4, 4, 0), (4, 0, 0)],
        window: &[(4, 0, 4), (4, 4, 0), (4, 4, 0), (4, 4, 0), (4, 4, 0)],
        after: &[],
    };
    let summary = short.run();
    let t = &summary.trials[0];
    assert_eq!(t.tps(), 4.0);
    let doubt = t.doubts().iter().find(|d| d.code == "drain-short").expect("a doubt");
    let evidence_text = doubt.problem.evidence.as_ref().map_or("", |words| words.english());
    assert_eq!(evidence_text, "4 of 20 were still in progress after it");
    let waited =
        Drive { load: "workload = \"oltp_point_select\", clients = 4, drain = \"3s\"", after: &[(0, 4, 0)], ..short }
            .run();
    assert_eq!(waited.trials[0].tps(), 4.0);
    assert!(waited.trials[0].doubts().iter().all(|d| d.code != "drain-short"));
}

/// Without a warm-up all clients begin together, and all of their transactions end.
#[test]
fn without_a_warm_up_all_that_ended_is_divided_by_the_time_until_the_last_has() {
    let cold = Drive {
        settings: "measure = \"3s\"",
        load: "workload = \"oltp_point_select\", clients = 4, drain = \"3s\"",
        warm_up: &[],
        window: &[(4, 0, 0), (4, 4, 0), (4, 4, 0)],
        after: &[(0, 4, 0)],
    };
    assert_eq!(cold.run().trials[0].tps(), 3.0);
}

#[test]
fn a_group_at_a_rate_that_is_not_held_has_what_it_completed_too() {
    let groups = Drive {
        settings: "measure = \"2s\"",
        load: "workload = \"sql\", drain = \"2s\", group = [{ name = \"pay\", clients = 1, rate = 40, scripts = \"a.sql\" }]",
        warm_up: &[(40, 23, 0); 2],
        window: &[(40, 0, 23), (40, 12, 11)],
        after: &[(0, 1, 0)],
    };
    let of_pay = |second| {
        let mut tally = counted(&(group_prefix("pay") + "a"), second);
        let group = GroupTally { accounting: tally.accounting, ..GroupTally::default() };
        tally.groups.insert("pay".into(), group);
        tally
    };
    let summary = Summary::of(&groups.events(&of_pay));
    let t = &summary.trials[0];
    let rates: Vec<f64> = client_groups::of_trial(t).iter().map(|group| group.tps).collect();
    assert_eq!((rates, t.tps()), (vec![23.0], 23.0));
}
