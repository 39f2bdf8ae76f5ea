//! The search for a limit, on simulated queues: servers that serve in parallel, exponential service times, Poisson arrivals
//! (M/M/c), whose true limit is known from Erlang's formula.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;

use std::collections::BTreeMap;
use tenbin_model::event::{Completions, EndState, Event, FORMAT, Phase};
use tenbin_model::figures::Figure;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::question::Question;
use tenbin_model::random::SplitMix;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::trial::{Schedule, Trial};
use tenbin_verdict::agenda::{self, Agenda};
use tenbin_verdict::answer::answer;
use tenbin_verdict::compared::Compared;
use tenbin_verdict::gate::{self, GateOutcome};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::limit::{self, Limit};
use tenbin_verdict::limit_ratio;
use tenbin_verdict::subset::Subset;
use tenbin_words::language::Language;

const SECOND: u64 = 1_000_000_000;

fn trials(search: &str, targets: &[&str], more: &str) -> Vec<Trial> {
    let targets: String =
        targets.iter().map(|t| format!("[targets.{t}]\ndsn = \"mysql://a@{t}.example/d\"\n")).collect();
    let plan = format!(
        "schema = 1\n{targets}[datasets.d]\n[[experiment]]\nsearch = {search}\nwarmup = \"0s\"\nmeasure = \"300s\"\n\
         load = {{ workload = \"oltp_read_only\", clients = 8 }}\n{more}"
    );
    expand(&Plan::parse(&plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}")))
}

fn exponential(random: &mut SplitMix, mean: f64) -> f64 {
    -mean * random.uniform().ln()
}

/// The events of a trial on a queue with this many servers and this mean service time in seconds.
fn drive(trial: &Trial, servers: usize, service_s: f64) -> Vec<Event> {
    let number = trial.number;
    let start_ns = u64::from(number) * 1000 * SECOND;
    let seconds = trial.measure_ms as f64 / 1e3;
    let mut random = SplitMix(trial.seed.wrapping_mul(31).wrapping_add(u64::from(number)));
    let mut t = TransactionTally::default();
    let mut record = |wait: f64, service: f64| {
        t.completed += 1;
        t.wait.record((wait * 1e9) as u64);
        t.service.record((service * 1e9) as u64);
        t.response.record(((wait + service) * 1e9) as u64);
    };
    let mut free_at = vec![0.0f64; servers];
    let (mut scheduled, mut open) = (0u64, 0i64);
    match trial.load.schedule {
        Schedule::Open { rate, .. } => {
            let mut now = 0.0;
            loop {
                now += exponential(&mut random, 1.0 / rate);
                if now >= seconds {
                    break;
                }
                scheduled += 1;
                let first = free_at.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
                let (begin, service) = (now.max(*first), exponential(&mut random, service_s));
                *first = begin + service;
                if *first < seconds { record(begin - now, service) } else { open += 1 }
            }
        }
        Schedule::Closed => {
            // This many clients; more than servers wait inside of the server.
            let clients = trial.load.clients as usize;
            let mut arrived = vec![0.0f64; clients];
            loop {
                let (client, at) = arrived.iter().copied().enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                if at >= seconds {
                    break;
                }
                scheduled += 1;
                let first = free_at.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
                let (begin, service) = (at.max(*first), exponential(&mut random, service_s));
                *first = begin + service;
                arrived[client] = *first;
                if *first < seconds { record(0.0, *first - at) } else { open += 1 }
            }
        }
    }
    let mut tally = Tally::default();
    tally.accounting.scheduled = scheduled;
    tally.accounting.completed = t.completed;
    tally.accounting.open = open;
    let any = t.completed > 0;
    tally.transactions.insert("t".into(), t);
    let end_ns = start_ns + (seconds * 1e9) as u64;
    let completions = any.then_some(Completions { first_ns: start_ns + 1, last_ns: end_ns - 1, gap_ns: 0 });
    vec![
        Event::TrialStarted { trial: number, at_ns: start_ns },
        Event::Interval {
            trial: number,
            phase: Phase::Measure,
            from_ns: start_ns,
            to_ns: end_ns,
            clients: trial.load.clients,
            tally,
            completions,
            per_client: Default::default(),
        },
        Event::TrialFinished {
            trial: number,
            at_ns: end_ns,
            state: EndState::Complete,
            measured_from_ns: start_ns,
            measured_to_ns: end_ns,
            client_cpu_ns: 0,
            workers: 1,
            per_client: Default::default(),
            client_halts: Default::default(),
            oldest_open_ns: Some(0),
            beside: Default::default(),
        },
    ]
}

/// Runs all trials of the agenda; `service` of each target, seconds.
fn run(agenda: &dyn Agenda, service: &BTreeMap<&str, f64>) -> Summary {
    run_failing(agenda, service, 0.0)
}

/// The same, and this share of all transactions failed.
fn run_failing(agenda: &dyn Agenda, service: &BTreeMap<&str, f64>, share: f64) -> Summary {
    let mut summary = Summary::of(&[Event::RunStarted {
        format: FORMAT,
        name: "queue".into(),
        tool: "0".into(),
        started: "2026-01-01T00:00:00+00:00".into(),
        plan: String::new(),
    }]);
    let mut done = 0;
    loop {
        while let Some(trial) = agenda.next(&summary) {
            let expected = agenda.expected(&summary);
            assert!(expected >= trial.number, "{expected} {}", trial.number);
            summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected });
        }
        let Some(trial) = summary.trials.get(done).map(|t| t.trial.clone()) else { return summary };
        for mut event in drive(&trial, 8, service[trial.target.name.as_str()]) {
            if let Event::Interval { tally, .. } = &mut event {
                let failed = (tally.accounting.completed as f64 * share / (1.0 - share)) as u64;
                (tally.accounting.failed, tally.accounting.scheduled) = (failed, tally.accounting.scheduled + failed);
            }
            summary.take(&event);
        }
        done += 1;
    }
}

/// The share of responses of M/M/c that take longer than `t`.
fn longer(rate: f64, servers: u32, service_s: f64, t: f64) -> f64 {
    let (a, c, mu) = (rate * service_s, f64::from(servers), 1.0 / service_s);
    let terms: Vec<f64> = (0..servers)
        .scan(1.0, |term, n| {
            let now = *term;
            *term *= a / f64::from(n + 1);
            Some(now)
        })
        .collect();
    let last = terms[terms.len() - 1] * a / c;
    let waits = last / (1.0 - a / c) / (terms.iter().sum::<f64>() + last / (1.0 - a / c));
    // Gross and Harris, Fundamentals of Queueing Theory, 2.3: waiting and service together.
    let rest = c - a - 1.0;
    (-mu * t).exp() * (1.0 + waits * (1.0 - (-mu * t * rest).exp()) / rest)
}

/// The rate at which one response in a hundred takes as long as `t`.
fn true_limit(servers: u32, service_s: f64, t: f64) -> f64 {
    let (mut low, mut high) = (1.0, f64::from(servers) / service_s - 1e-6);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if longer(middle, servers, service_s, t) < 0.01 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn the_limit_of_a_queue_is_found_within_three_percent_in_twelve_trials() {
    for (seed, objective_ms) in [(1, 60.0), (2, 80.0), (3, 50.0), (4, 120.0)] {
        let mut trials = trials(&format!("\"p99 < {objective_ms}ms\""), &["db"], "");
        trials.iter_mut().for_each(|t| t.seed += seed);
        let summary = run(&*agenda::of_plan(trials), &BTreeMap::from([("db", 0.01)]));
        let [limit_found] = limit::of(&summary).try_into().unwrap();
        let Limit { holds: Some(holds), is_found: true, .. } = &limit_found else { panic!("{limit_found:?}") };
        let truth = true_limit(8, 0.01, objective_ms / 1e3);
        assert!((holds / truth - 1.0).abs() < 0.03, "{objective_ms} ms: {holds} instead of {truth}");
        assert!(summary.trials.len() <= 12, "{}", summary.trials.len());
    }
}

#[test]
fn each_target_has_its_own_limit_and_they_take_turns() {
    let summary = run(
        &*agenda::of_plan(trials("\"p99 < 60ms\"", &["fast", "slow"], "")),
        &BTreeMap::from([("fast", 0.01), ("slow", 0.012)]),
    );
    let limits = limit::of(&summary);
    let of = |name: &str| limits.iter().find(|l| l.target == name).unwrap().holds.unwrap();
    assert!((of("fast") / true_limit(8, 0.01, 0.06) - 1.0).abs() < 0.03);
    assert!((of("slow") / true_limit(8, 0.012, 0.06) - 1.0).abs() < 0.03);
    let turns: Vec<&str> = summary.trials.iter().take(4).map(|t| t.trial.target.name.as_str()).collect();
    assert_eq!(turns, ["fast", "slow", "fast", "slow"]);
    let words = [Language::English, Language::Japanese].map(|language| answer(&summary).text(language)).join("\n");
    insta::assert_snapshot!(words, @"
    fast holds p99 < 60ms up to 683 transactions per second, and no longer at 696. slow holds p99 < 60ms up to 511 transactions per second, and no longer at 519. The limit of fast is 1.34× that of slow: between 1.32× and 1.36×, by the levels that held and those that did not.
    fast が p99 < 60ms を満たすのは 683 トランザクション/秒までで、696 では満たしません。slow が p99 < 60ms を満たすのは 511 トランザクション/秒までで、519 では満たしません。fast の限界は slow の 1.34 倍です(満たした水準と満たさなかった水準から、1.32 倍〜1.36 倍の範囲)。
    ");
}

/// What both completed in the closed loop is no limit; and at a level that both tried both completed what was asked.
#[test]
fn stored_searches_are_compared_by_their_limits_and_not_by_the_levels_that_they_have_in_common() {
    let searched = |service_s: f64| {
        run(&*agenda::of_plan(trials("\"p99 < 60ms\"", &["db"], "")), &BTreeMap::from([("db", service_s)]))
    };
    let compared = |before: f64, after: f64| {
        let runs = [("before", before), ("after", after)];
        let run = |(label, service_s): (&str, f64)| StoredRun { label: label.to_owned(), summary: searched(service_s) };
        Summary::compared(runs.map(run).to_vec())
    };
    let both = compared(0.01, 0.012);
    assert_eq!(both.comparisons("oltp_read_only", Question::Limit, Figure::Transactions), []);
    let [lead] = limit_ratio::leads(&both).try_into().unwrap();
    let truth = true_limit(8, 0.012, 0.06) / true_limit(8, 0.01, 0.06);
    // The run that came first is the base, although it is better.
    assert_eq!((lead.a.target.as_str(), lead.b.target.as_str(), lead.is_decided()), ("before", "after", true));
    assert!(lead.interval.low < truth && truth < lead.interval.high, "{lead:?} {truth}");
    let words = answer(&both);
    assert!(
        words.english().contains("The limit of after is 0.7")
            && words.text(Language::Japanese).contains("after の限界は before の 0.7"),
        "{}",
        words.english()
    );
    let alike = limit_ratio::leads(&compared(0.01, 0.01));
    assert!(!alike[0].is_decided() && answer(&compared(0.01, 0.01)).english().contains("cannot tell the limits"));
}

/// What a search is made for, and not the response times of the levels that it happened to try.
#[test]
fn of_two_searches_the_limits_found_are_what_may_regress() {
    let searched = |service_s: f64, search: &str| {
        run(&*agenda::of_plan(trials(search, &["db"], "")), &BTreeMap::from([("db", service_s)]))
    };
    let checked = |before: Summary, now: Summary, limits: &[&str]| {
        let runs = [("baseline", before), ("run", now)];
        let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec();
        let pairs = [(runs[0].target_name("db"), Some(runs[1].target_name("db")))];
        let limits: Vec<RegressionLimit> = limits.iter().map(|limit| RegressionLimit::parse(limit).unwrap()).collect();
        gate::checks(&Summary::beside(runs), &pairs, &limits)
    };
    let until = "\"p99 < 60ms\"";
    let all = checked(searched(0.01, until), searched(0.012, until), &["tps 5%", "p99 5%", "mean 5%"]);
    let [check] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((check.outcome, &check.subset), (GateOutcome::Exceeded, &Some(Subset::Limit)));
    let (ratio, interval) = (check.ratio().unwrap(), check.interval().unwrap());
    let truth = true_limit(8, 0.012, 0.06) / true_limit(8, 0.01, 0.06);
    assert!((ratio / truth - 1.0).abs() < 0.05, "{ratio} instead of {truth}");
    assert!(interval.low < ratio && ratio < interval.high && interval.high < 1.1 * interval.low, "{interval:?}");
    assert!(check.unmeasured.is_empty(), "levels are what is found: {check:?}");
    let outcome = |before: f64, now: f64, search: &str| {
        checked(searched(before, search), searched(now, search), &["tps 5%"])[0].outcome
    };
    assert_eq!(outcome(0.01, 0.01, until), GateOutcome::Held);
    // Everything that was to be tried holds, before and now; and nothing does any more.
    assert_eq!(outcome(0.01, 0.012, "{ until = \"p99 < 1s\", from = 10, to = 200 }"), GateOutcome::Held);
    assert_eq!(outcome(0.01, 0.5, until), GateOutcome::Exceeded);
    assert_eq!(outcome(0.01, 0.02, "{ until = \"mean < 15ms\", vary = \"clients\" }"), GateOutcome::Exceeded);
}

#[test]
fn an_objective_that_nothing_or_everything_meets_is_told_so() {
    let text_of = |search: &str| {
        let summary = run(&*agenda::of_plan(trials(search, &["db"], "")), &BTreeMap::from([("db", 0.01)]));
        format!("{} ({} trials)", answer(&summary).english(), summary.trials.len())
    };
    let all = [
        "\"p99 < 1ms\"",
        "\"p99 < 100s, errors < 0.1%\"",
        "{ until = \"p99 < 100s\", from = 10, to = 200 }",
        "{ until = \"p99 < 60ms\", trials = 4 }",
        "{ until = \"mean < 15ms\", vary = \"clients\" }",
        "{ until = \"mean < 1ms\", vary = \"clients\" }",
        "{ until = \"mean < 100s\", vary = \"clients\", to = 32 }",
        "{ until = \"p99 < 1s\", from = 0.5, to = 1 }",
        "{ until = \"p99.9 < 200ms\", from = 2, to = 3, trials = 4 }",
    ];
    insta::assert_snapshot!(all.map(text_of).join("\n"), @r#"
    db does not hold p99 < 1ms even at 3.98 transactions per second. (11 trials)
    db holds p99 < 100s, errors < 0.1% up to 805 transactions per second, and no longer at 815. (9 trials)
    db holds p99 < 100s at every level probed, up to 200 transactions per second. (3 trials)
    db holds p99 < 60ms at 683 transactions per second and no longer at 756; the trials allowed did not bring the two closer. (4 trials)
    db holds mean < 15ms up to 11 clients, and no longer at 12. (11 trials)
    db does not hold mean < 1ms even at 1 client. (2 trials)
    db holds mean < 100s at every level probed, up to 32 clients. (7 trials)
    db holds p99 < 1s at every level probed, up to 1 transaction per second. (3 trials)
    db: whether p99.9 < 200ms holds at 3 transactions per second is not decided: it was met by 1,798 transactions, and it takes at least 3,000 to show it; write measure = "1002s" into the plan. (3 trials)
    "#);
}

/// More than one in a hundred, and less than the objective allows.
#[test]
fn errors_that_an_objective_allows_are_no_reason_not_to_measure() {
    let text_of = |share: f64| {
        let search = "{ until = \"errors < 5%\", vary = \"clients\", to = 2, trials = 6 }";
        let agenda = agenda::of_plan(trials(search, &["db"], ""));
        let summary = run_failing(&*agenda, &BTreeMap::from([("db", 0.01)]), share);
        let verdict = summary.trials[0].doubts().iter().find(|d| d.code == "errors").unwrap().verdict.name();
        format!("{verdict}: {}", answer(&summary).english())
    };
    insta::assert_snapshot!([0.0298, 0.06].map(text_of).join("\n"), @"
    DEGRADED: db holds errors < 5% at every level probed, up to 2 clients.
    INVALID: There is no result: all 2 trials are INVALID, the first one because some transactions failed (1,900 of 31,679 (6.00 %); errors by code: ).
    ");
}

/// A trial that is no measurement counts against its level, and is in none of the level's figures.
#[test]
fn levels_have_the_figures_of_what_was_measured() {
    let summary = run(
        &*agenda::of_plan(trials("{ until = \"p99 < 100s\", vary = \"clients\", to = 4, trials = 6 }", &["db"], "")),
        &BTreeMap::from([("db", 0.01)]),
    );
    let level = |summary: &Summary| {
        let mut limits = limit::of(summary);
        limits.remove(0).levels.into_iter().find(|limit_found| limit_found.level == Some(1.0)).unwrap()
    };
    let before = level(&summary);
    // The same level once more; nothing is said of its accounting, so that it is INVALID.
    let mut again = summary.clone();
    let first = summary.trials.iter().find(|t| t.trial.load.clients == 1).unwrap();
    let trial = Trial { number: summary.trials.len() as u32 + 1, repeat: 9, ..first.trial.clone() };
    again.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected: trial.number });
    for event in drive(&trial, 8, 0.1) {
        again.take(&match event {
            Event::Interval { trial, phase, from_ns, to_ns, clients, mut tally, completions, per_client } => {
                tally.accounting.scheduled += 1;
                Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, per_client }
            }
            other => other,
        });
    }
    let after = level(&again);
    assert_eq!((after.tps, after.time_ns, after.completed), (before.tps, before.time_ns, before.completed));
    assert_eq!((after.held, after.failed), (before.held, before.failed + 1));
    // Nothing else was measured there.
    let mut alone = again;
    alone.trials.retain(|t| t.trial.load.clients != 1 || t.trial.repeat == 9);
    let none = level(&alone);
    assert_eq!((none.tps, none.time_ns, none.completed), (None, None, 0));
}

#[test]
fn what_a_search_needs_is_read_strictly() {
    let refused = |search: &str| {
        let plan = format!(
            "schema = 1\n[targets.a]\ndsn = \"mysql://a@b/c\"\n[datasets.d]\n[[experiment]]\nsearch = {search}\nload.workload = \"oltp_read_only\"\n"
        );
        Plan::parse(&plan, &common::catalog()).unwrap_err().iter().map(|p| format!("{p}\n")).collect::<String>()
    };
    let all = [
        "\"p99 20ms\"",
        "\"p99 < 20\"",
        "\"speed < 20ms\"",
        "\"errors < 1\"",
        "{ vary = \"rate\" }",
        "{ until = \"p99 < 20ms\", vary = \"rates\" }",
        "{ until = \"p99 < 20ms\", from = 100, to = 10 }",
        "{ until = \"p99 < 20ms\", trials = 2 }",
    ];
    insta::assert_snapshot!(all.map(refused).join("\n"), @r#"
    line 6, column 10: "p99 20ms" is no objective
      evidence  6 | search = "p99 20ms"
                  |          ^^^^^^^^^^
      hint      write it as "p99 < 20ms, errors < 0.1%": mean, p50 to p99.9 or max with a time, errors with a percentage, tps > a number

    line 6, column 10: "p99 < 20" is no objective
      evidence  6 | search = "p99 < 20"
                  |          ^^^^^^^^^^
      hint      write it as "p99 < 20ms, errors < 0.1%": mean, p50 to p99.9 or max with a time, errors with a percentage, tps > a number

    line 6, column 10: "speed < 20ms" is no objective
      evidence  6 | search = "speed < 20ms"
                  |          ^^^^^^^^^^^^^^
      hint      write it as "p99 < 20ms, errors < 0.1%": mean, p50 to p99.9 or max with a time, errors with a percentage, tps > a number

    line 6, column 10: "errors < 1" is no objective
      evidence  6 | search = "errors < 1"
                  |          ^^^^^^^^^^^^
      hint      write it as "p99 < 20ms, errors < 0.1%": mean, p50 to p99.9 or max with a time, errors with a percentage, tps > a number

    line 6, column 1: search as a table needs until
      evidence  6 | search = { vary = "rate" }
                  | ^^^^^^
      hint      write until = "p99 < 20ms"

    line 6, column 1: vary cannot be "rates"
      evidence  6 | search = { until = "p99 < 20ms", vary = "rates" }
                  | ^^^^^^
      hint      write vary = "rate"

    line 6, column 1: from must be greater than 0, and less than to
      evidence  6 | search = { until = "p99 < 20ms", from = 100, to = 10 }
                  | ^^^^^^
      hint      write to = 10000

    line 6, column 1: trials cannot be 2
      evidence  6 | search = { until = "p99 < 20ms", trials = 2 }
                  | ^^^^^^
      hint      give a whole number from 3 to 100
    "#);
}
