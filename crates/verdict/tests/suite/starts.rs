//! What is doubted about the starts of a load, of all clients or of one of their groups: late, failed, too few, or in a standstill.

use crate::trust::{SECOND, TrialShape, doubts, rose, run, silent, sound};
use tenbin_model::doubt::Verdict;
use tenbin_model::summary::Summary;
use tenbin_model::tally::{GroupTally, StatementKind, StatementTally, TransactionTally, group_prefix};
use tenbin_model::trial::{Arrivals, ClientGroup, Overload, Schedule};
use tenbin_verdict::answer::{answer, footnotes};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::rate::is_held;
use tenbin_verdict::reasons;
use tenbin_words::message::Message;

/// A rate of this many per second that were answered in ten seconds; what became of the others.
fn at_rate(completed: u64, failed: u64, skipped: u64, open: u64) -> TrialShape {
    let mut shape = TrialShape { seconds: vec![(completed / 10, 8); 10], ..sound() };
    let accounting = &mut shape.more.accounting;
    (accounting.failed, accounting.skipped, accounting.open) = (failed, skipped, open as i64);
    accounting.scheduled = failed + skipped + open;
    shape
}

#[test]
fn a_rate_is_reached_if_its_starts_were_in_time_whatever_became_of_them() {
    let of = |shape| doubts(", rate = 100", shape).lines().find(|line| line.contains(" rate: ")).map(str::to_owned);
    assert_eq!(of(at_rate(900, 100, 0, 1)), None, "they failed");
    assert_eq!(of(at_rate(30, 0, 0, 8)), None, "eight clients were at work on them");
    assert_eq!(of(at_rate(990, 0, 9, 1)), None);
    assert_eq!(
        of(at_rate(880, 20, 50, 50)).unwrap(),
        "DEGRADED rate: requested 100 per second; due 1000, completed 880, failed 20, skipped 50, open 50"
    );
    // 92 of them waited for a client.
    assert!(of(at_rate(900, 0, 0, 100)).is_some());
    // What depends on a rate that was held sees it in the same way.
    let held = |shape| is_held(&run(", rate = 100", &[shape]).trials[0]);
    assert_eq!([held(at_rate(900, 100, 0, 1)), held(at_rate(880, 20, 50, 50))], [Some(true), Some(false)]);
}

/// The name of a group, what it asks for, and what became of its starts: completed, failed, skipped, open.
type Group = (&'static str, Option<f64>, [u64; 4]);

fn in_groups(groups: &[Group]) -> Summary {
    let mut summary = run("", &[sound()]);
    let trial = &mut summary.trials[0];
    trial.tally = Default::default();
    for &(name, rate, [completed, failed, skipped, open]) in groups {
        let schedule = rate.map_or(Schedule::Closed, |rate| {
            let (arrivals, overload) = (Arrivals::Even, Overload::Skip);
            Schedule::Open { rate, arrivals, overload }
        });
        trial.trial.load.groups.push(ClientGroup { name: name.into(), clients: 4, schedule });
        let mut starts = GroupTally::default();
        (starts.accounting.completed, starts.accounting.failed) = (completed, failed);
        (starts.accounting.skipped, starts.accounting.open) = (skipped, open as i64);
        starts.accounting.scheduled = completed + failed + skipped + open;
        trial.tally.accounting.merge(&starts.accounting);
        trial.tally.groups.insert(name.into(), starts);
        let mut transaction = TransactionTally { completed, failed, ..TransactionTally::default() };
        transaction.response.record_n(400_000, completed);
        transaction.service.record_n(400_000, completed);
        trial.tally.transactions.insert(group_prefix(name) + "script", transaction);
        let mut statement = StatementTally { completed, ..StatementTally::default() };
        if failed > 0 {
            statement.errors.insert("1146".into(), failed);
        }
        trial.tally.statements.insert(group_prefix(name) + "look", statement);
    }
    summary
}

fn doubts_of(groups: &[Group]) -> String {
    let summary = in_groups(groups);
    let of = |d: &tenbin_model::doubt::Doubt| {
        let evidence_text = d.problem.evidence.as_ref().map_or("", |words| words.english());
        format!("{} {}: {}; {evidence_text}\n", d.verdict.name(), d.code, d.problem.what.english())
    };
    let about_starts = ["not-measured", "errors", "rate", "few-samples"];
    let doubts = summary.trials[0].doubts().iter().filter(|d| about_starts.contains(&d.code.as_str()));
    doubts.map(of).collect()
}

#[test]
fn each_group_of_clients_is_judged_as_it_would_be_alone() {
    assert_eq!(doubts_of(&[("oltp", None, [90_000, 0, 0, 4]), ("batch", Some(100.0), [1_000, 0, 0, 0])]), "");
    // Of the pool 0.01 % failed.
    assert_eq!(
        doubts_of(&[("oltp", None, [99_167, 0, 0, 4]), ("batch", Some(1.0), [0, 14, 0, 0])]),
        "INVALID not-measured: all 14 transactions failed, most of them with the error 1146 of the statement batch: look; group batch\n"
    );
    assert_eq!(
        doubts_of(&[("oltp", None, [99_167, 0, 0, 4]), ("batch", None, [1_000, 200, 0, 4])]),
        "INVALID errors: some transactions failed; group batch: 200 of 1,200 (16.67 %); errors by code: 200 × 1146\n"
    );
    assert_eq!(
        doubts_of(&[("oltp", None, [99_167, 0, 0, 4]), ("batch", None, [8, 0, 0, 4])]),
        "DEGRADED few-samples: too few transactions for a p99; group batch: 8 completed; p99 wants 1,000\n"
    );
    // One long transaction for the whole window.
    let none = doubts_of(&[("oltp", None, [99_167, 0, 0, 4]), ("batch", None, [0, 0, 0, 4])]);
    assert!(none.starts_with("DEGRADED not-measured: ") && none.contains("group batch"), "{none}");
    assert_eq!(none.lines().count(), 1, "{none}");
    // If nothing at all completed, it is said once.
    let dead = doubts_of(&[("oltp", None, [0, 9, 0, 4]), ("batch", None, [0, 14, 0, 4])]);
    assert_eq!(dead.matches("not-measured").count(), 1, "{dead}");
}

/// Its starts of the warm-up outlast the window.
#[test]
fn a_group_that_is_still_busy_with_its_warm_up_is_told_so() {
    let mut summary = in_groups(&[("oltp", None, [99_167, 0, 0, 4]), ("batch", Some(100.0), [0, 0, 0, 1_400])]);
    let trial = &mut summary.trials[0];
    trial.tally.groups.get_mut("batch").unwrap().accounting.carried = 760;
    trial.tally.accounting.carried = 760;
    let doubts = trial.doubts();
    let doubt = doubts.iter().find(|d| d.code == "not-measured").unwrap();
    let words = |part: &Option<Message>| part.as_ref().map_or("", |part| part.english()).to_owned();
    assert_eq!(doubt.verdict, Verdict::Degraded);
    assert_eq!(words(&doubt.problem.evidence), "group batch: only 760 that had fallen due in the warm-up did");
    assert_eq!(words(&doubt.problem.hint), "ask for less than 76 per second, or shorten the warm-up");
}

#[test]
fn clients_of_a_group_that_only_waited_are_told() {
    let of = |rate: Option<f64>, completed: [u64; 8]| {
        let mut summary = in_groups(&[("one", rate, [400, 0, 0, 4]), ("other", None, [400, 0, 0, 4])]);
        summary.trials[0].per_client.completed = completed.into();
        let doubts = summary.trials[0].doubts();
        let doubt = doubts.iter().find(|d| d.code == "clients-starved");
        doubt.map(|d| d.problem.evidence.as_ref().map_or("", |evidence_text| evidence_text.english()).to_owned())
    };
    assert_eq!(
        of(None, [400, 0, 0, 0, 100, 100, 100, 100]).unwrap(),
        "group one: 3 of 4 clients completed nothing, the rest 400 transactions each on average"
    );
    // Beside a group that does much more.
    assert_eq!(of(None, [9_000, 9_000, 9_000, 9_000, 7, 7, 0, 7]), None);
    // At a rate one client may do all.
    assert_eq!(of(Some(40.0), [400, 0, 0, 0, 100, 100, 100, 100]), None);
}

#[test]
fn a_client_that_still_waits_at_the_end_is_told_with_how_long() {
    let of = |load: &str, oldest_s: f64, longest_s: f64| {
        let oldest_open_ns = Some((oldest_s * 1e9) as u64);
        doubts(load, TrialShape { oldest_open_ns, long: (longest_s, 1), ..sound() })
    };
    assert_eq!(
        of("", 6.6, 0.68),
        "DEGRADED clients-waiting: the oldest transaction had been in progress for 6.6 s of 10.0 s at the end, \
         the longest that ended took 0.7 s\n"
    );
    assert_eq!(of("", 6.6, 2.0), "", "such transactions end too");
    assert_eq!(of("", 0.9, 0.01), "");
    // Longer than the window it is not the length of transactions that is doubted.
    assert!(
        of("", 11.0, 0.68).starts_with("DEGRADED clients-waiting") && !of("", 11.0, 0.68).contains("long-transactions")
    );
}

#[test]
fn a_group_that_does_not_reach_its_rate_is_named() {
    let oltp: Group = ("oltp", None, [99_167, 0, 0, 4]);
    assert_eq!(doubts_of(&[oltp, ("batch", Some(200.0), [1_800, 200, 0, 2])]).matches(" rate:").count(), 0);
    let text = doubts_of(&[oltp, ("batch", Some(200.0), [1_500, 0, 498, 2])]);
    assert_eq!(
        text,
        "DEGRADED rate: the requested rate was not reached: percentiles are a lower bound; group batch: requested 200 per second; \
         due 2000, completed 1500, failed 0, skipped 498, open 2\n"
    );
}

#[test]
fn a_standstill_that_percentiles_show_is_not_said_to_be_hidden() {
    let what = |load: &str, shape: TrialShape| {
        let summary = run(load, &[shape]);
        let doubts = summary.trials[0].doubts();
        let of = doubts.iter().find(|d| d.code == "standstill").unwrap();
        let hint = of.problem.hint.as_ref().unwrap().english().to_owned();
        (of.verdict.name(), of.problem.what.english().to_owned(), hint)
    };
    let still = |to: usize, waiting: u64| {
        let mut shape = TrialShape { long: (to as f64 - 3.0, waiting), ..silent(sound(), 3, to) };
        shape.seconds.iter_mut().filter(|second| second.0 > 0).for_each(|second| second.0 = 50);
        shape
    };
    let (verdict, hidden, hint) = what("", TrialShape { long: (3.0, 8), ..silent(sound(), 3, 6) });
    assert!(hidden.ends_with("percentiles hardly show it") && hint.contains("load.rate"), "{hidden} {hint}");
    assert_eq!(verdict, "INVALID");
    // The starts of these three seconds have waited for them, and are counted with that.
    let (verdict, shown, hint) = what(", rate = 50", still(6, 150));
    assert!(!shown.contains("hardly") && !hint.contains("load.rate"), "{shown} {hint}");
    assert_eq!(verdict, "DEGRADED");
    let summary = run(", rate = 50", &[still(6, 150)]);
    assert!(!answer(&summary).english().contains("hardly") && footnotes(&summary).is_empty());
    // In a closed loop they may show it too, if there were few.
    let (_, shown, hint) = what("", still(5, 100));
    assert!(!shown.contains("hardly") && hint.contains("load.rate"), "{shown} {hint}");
}

#[test]
fn what_a_dying_server_did_is_not_compared_with_a_window_that_it_did_not_see() {
    let mut killed = silent(rose("server.status/questions", 80_000.0), 4, 10);
    // The last answer to the observer was in the fourth second.
    killed.observations[1].0 = 4 * SECOND;
    let mut select = StatementTally { completed: 80_000, ..StatementTally::default() };
    select.service.record_n(390_000, 80_000);
    killed.more.statements.insert("select".into(), select);
    let text = doubts("", killed);
    assert!(!text.contains("foreign-statements"), "{text}");
}

/// Eight clients in step: each ends one transaction of 2,000 statements in the window, of which half were executed before it.
#[test]
fn statements_that_were_executed_before_the_window_are_not_missing_in_it() {
    let of = |executed: f64, transactions: u64| {
        let mut shape = silent(rose("server.status/questions", executed), 0, 9);
        shape.seconds[9].0 = transactions;
        let select = StatementTally { completed: 16_000, ..StatementTally::default() };
        shape.more.statements.insert("select".into(), select);
        doubts("", shape).contains("executed-fewer")
    };
    assert!(!of(8_000.0, 8));
    assert!(of(8_000.0, 1_000), "of short transactions hardly any is at an edge");
}

#[test]
fn the_parallel_workers_of_a_users_own_statements_are_nobodys_transactions() {
    for workload in ["sql", "pgbench", "slap", "own.lua"] {
        let mut shape = sound();
        let select = StatementTally { completed: 200_000, ..StatementTally::default() };
        shape.more.statements.insert("look".into(), select);
        for (at, here) in [(0, 0.0), (10 * SECOND, 1_200_000.0)] {
            let names =
                ["xact_commit", "xact_rollback", "other_databases_xact_commit", "other_databases_xact_rollback"];
            for (name, value) in names.into_iter().zip([here, 0.0, 0.0, 0.0]) {
                shape.observations.push((at, format!("server.status/{name}").leak(), value));
            }
            shape.observations.push((at, "server.status/parallel_workers", 0.0));
        }
        let mut summary = run("", &[shape]);
        summary.trials[0].trial.load.workload = workload.into();
        let codes: Vec<&str> = summary.trials[0].doubts().iter().map(|d| d.code.as_str()).collect();
        assert!(!codes.contains(&"foreign-transactions"), "{workload}: {codes:?}");
    }
}

#[test]
fn several_statements_in_one_text_are_all_ours() {
    let mut shape = rose("server.status/questions", 400_000.0);
    let mut both = StatementTally { completed: 200_000, more: 200_000, ..StatementTally::default() };
    both.service.record_n(390_000, 200_000);
    shape.more.statements.insert("select".into(), both);
    let summary = run("", &[shape.clone()]);
    assert_eq!(summary.trials[0].qps(), 40_000.0);
    assert_eq!(doubts("", shape.clone()), "");
    // Of texts that failed it is not known how many statements were executed before.
    let mut failing = shape;
    failing.observations = rose("server.status/questions", 480_000.0).observations;
    assert!(doubts("", failing.clone()).starts_with("DEGRADED foreign-statements"));
    let both = failing.more.statements.get_mut("select").unwrap();
    both.errors.insert("1064".into(), 40_000);
    both.more_failed = 40_000;
    assert!(!doubts("", failing).contains("foreign-statements"));
}

#[test]
fn rows_that_went_missing_in_the_tables_of_sysbench_are_told() {
    let selects = |empty: u64, more: &[&str]| {
        let mut shape = sound();
        let of = |completed, empty| {
            let rows = completed - empty;
            StatementTally { completed, empty, rows, ..StatementTally::default() }
        };
        shape.more.statements.insert("point_select".into(), of(200_000, empty));
        more.iter().for_each(|name| _ = shape.more.statements.insert((*name).into(), of(20_000, 0)));
        doubts("", shape)
    };
    assert_eq!(selects(0, &[]), "");
    assert_eq!(selects(19, &[]), "");
    assert_eq!(
        selects(4_000, &[]),
        "DEGRADED rows-missing: 4,000 of 200,000 statements on one row by its key found none (2.0 %)\n"
    );
    assert!(selects(126_000, &[]).starts_with("INVALID rows-missing: 126,000 of 200,000"));
    // Rows that are deleted and inserted again by other clients are gone for a moment, without transactions.
    assert!(!selects(4_000, &["delete", "insert"]).contains("rows-missing"));
    assert!(selects(126_000, &["delete", "insert"]).contains("rows-missing"));
    // Within transactions they are not.
    assert!(selects(4_000, &["begin", "delete", "insert", "commit"]).contains("rows-missing"));
    // Updates that change nothing: a rule of PostgreSQL does something else instead.
    let updates = |workload: &str, empty: u64| {
        let mut shape = sound();
        let of = StatementTally { completed: 200_000, empty, rows: 200_000 - empty, ..StatementTally::default() };
        shape.more.statements.insert("non_index_update".into(), of);
        let mut summary = run("", &[shape]);
        summary.trials[0].trial.load.workload = workload.into();
        summary.trials[0].doubts().iter().any(|d| d.code == "rows-missing")
    };
    assert!(updates("oltp_update_non_index", 200_000) && updates("oltp_update_non_index", 4_000));
    assert!(!updates("oltp_update_non_index", 19) && !updates("own.lua", 200_000));
}

#[test]
fn what_had_no_effect_on_the_server_is_no_result() {
    let first = |shape: TrialShape, workload: &str| {
        let mut summary = run("", &[shape]);
        summary.trials[0].trial.load.workload = workload.into();
        let doubts = summary.trials[0].doubts();
        doubts.first().map(|d| (d.verdict, d.code.clone()))
    };
    let is = |verdict, code: &str| Some((verdict, code.to_owned()));
    // Nothing was sent: of a script. What else sends nothing measures something else.
    assert_eq!(first(sound(), "sql"), is(Verdict::Invalid, "nothing-sent"));
    assert_eq!(first(sound(), "cpu"), None);
    // Nothing was committed: not even once.
    let inserts = |left_open: u64| {
        let mut shape = sound();
        let kind = StatementKind::Write;
        let of = StatementTally { kind, completed: 200_000, rows: 200_000, ..StatementTally::default() };
        shape.more.statements.insert("insert".into(), of);
        shape.more.left_open = left_open;
        shape
    };
    let completed = run("", &[sound()]).trials[0].tally.accounting.completed;
    assert_eq!(first(inserts(completed), "own.lua"), is(Verdict::Invalid, "never-committed"));
    assert_eq!(first(inserts(completed - 100), "own.lua"), None, "it commits a hundred times");
    let hint = |dsn: &str| {
        let mut summary = run("", &[inserts(completed)]);
        summary.trials[0].trial.target.dsn = Some(dsn.to_owned());
        let hint = summary.trials[0].doubts().first().and_then(|doubt| doubt.problem.hint.clone());
        hint.map(|hint| hint.english().to_owned()).unwrap_or_default()
    };
    assert!(hint("mysql://a@b/c").contains("SHOW GLOBAL VARIABLES"), "{}", hint("mysql://a@b/c"));
    for dsn in ["postgres://a@b/c", "sqlite:a.db"] {
        assert!(hint(dsn).contains("COMMIT AND CHAIN") && !hint(dsn).contains("SHOW"), "{dsn}: {}", hint(dsn));
    }
    // The server executed few of them, or a part.
    for (executed, words) in [
        (200.0, is(Verdict::Invalid, "executed-fewer")),
        (100_000.0, is(Verdict::Degraded, "executed-fewer")),
        (190_000.0, None),
    ] {
        let mut shape = rose("server.status/questions", executed);
        shape.more.statements = inserts(0).more.statements;
        assert_eq!(first(shape, "oltp_insert"), words, "{executed}");
    }
    // Of several addresses one is observed.
    let mut shape = rose("server.status/questions", 100_000.0);
    shape.more.statements = inserts(0).more.statements;
    let mut summary = run("", &[shape]);
    summary.trials[0].trial.target.dsn = Some("mysql://a@127.0.0.1/d?hosts=127.0.0.1,127.0.0.2".into());
    assert_eq!(summary.trials[0].doubts().len(), 0);
}

/// Two groups of one trial that have the same doubt are one trial, with the evidence of both.
#[test]
fn a_reason_counts_trials_and_not_their_groups() {
    let summary = in_groups(&[("look", None, [500, 0, 0, 0]), ("pay", None, [118, 0, 0, 0])]);
    let all = reasons::of(&summary);
    let few = all.iter().find(|reason| reason.doubt.code == "few-samples").expect("a reason");
    assert_eq!((few.trials.as_slice(), few.found()), ([1].as_slice(), 1));
    let evidence_text: Vec<&str> = few.evidence.iter().map(|(_, seen)| seen.english()).collect();
    assert_eq!(
        evidence_text,
        ["group look: 500 completed; p99 wants 1,000", "group pay: 118 completed; p99 wants 1,000"]
    );
}
