//! What we doubt about runs in which the system died, hung, or was not measured: events in, doubts and answer out.
//! Doubts about the client are in `client.rs`, those about what the server counted in `server.rs`.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::judged_trial::JudgedTrial;

use std::collections::BTreeMap;
use tenbin_model::event::{Completions, EndState, Event, FORMAT, Halts, Phase, Severity};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::Summary;
use tenbin_model::tally::{CONNECT, StatementTally, Tally, TransactionTally};
use tenbin_verdict::answer::{answer, footnotes};
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

pub(crate) const SECOND: u64 = 1_000_000_000;

/// One trial of ten seconds with eight clients, to be made worse.
#[derive(Clone)]
pub(crate) struct TrialShape {
    /// For each second: transactions completed, each of 0.4 ms or as many as eight clients can; clients at its end.
    pub(crate) seconds: Vec<(u64, u32)>,
    /// Added to the last second.
    pub(crate) more: Tally,
    /// When, what (`observer/reading`; without an observer, of the server's process), its value.
    pub(crate) observations: Vec<(u64, &'static str, f64)>,
    pub(crate) halts: Halts,
    pub(crate) oldest_open_ns: Option<u64>,
    /// The longest response time, seconds; of this many transactions.
    pub(crate) long: (f64, u64),
    /// Where the server is.
    pub(crate) host: &'static str,
}

pub(crate) fn sound() -> TrialShape {
    TrialShape {
        seconds: vec![(20_000, 8); 10],
        more: Tally::default(),
        observations: Vec::new(),
        halts: Halts::default(),
        oldest_open_ns: None,
        long: (0.0, 0),
        host: "127.0.0.1",
    }
}

/// From this second to that one nothing is answered.
pub(crate) fn silent(shape: TrialShape, from: usize, to: usize) -> TrialShape {
    let mut seconds = shape.seconds;
    seconds[from..to].iter_mut().for_each(|s| s.0 = 0);
    TrialShape { seconds, ..shape }
}

fn plan(load: &str) -> String {
    format!(
        "schema = 1\n[targets.db]\ndsn = \"mysql://a@127.0.0.1/d\"\n[datasets.d]\n[[experiment]]\nrepeats = REPEATS\n\
         warmup = \"0s\"\nmeasure = \"10s\"\ninterval = \"1s\"\nload = {{ workload = \"oltp_read_only\", clients = 8{load} }}\n"
    )
}

/// A run of these repeats.
pub(crate) fn run(load: &str, repeats: &[TrialShape]) -> Summary {
    let plan = plan(load).replace("REPEATS", &repeats.len().to_string()).replace("127.0.0.1", repeats[0].host);
    let trials = expand(&Plan::parse(&plan, &common::catalog()).unwrap());
    let mut all = vec![Event::RunStarted {
        format: FORMAT,
        name: "made up".into(),
        tool: "0".into(),
        started: "2026-01-01T00:00:00+00:00".into(),
        plan,
    }];
    all.extend(trials.into_iter().map(|t| Event::TrialPlanned { planned: Box::new(t), expected: 1 }));
    for (n, shape) in repeats.iter().enumerate() {
        all.extend(trial(n as u32 + 1, n as u64 * 100 * SECOND, shape));
    }
    all.push(Event::RunFinished { at_ns: 1000 * SECOND, state: EndState::Complete });
    Summary::of(&all)
}

fn trial(trial: u32, start_ns: u64, shape: &TrialShape) -> Vec<Event> {
    let mut all = vec![Event::TrialStarted { trial, at_ns: start_ns }];
    for (at, name, value) in &shape.observations {
        let (observer, name) = name.split_once('/').unwrap_or(("server.process", name));
        if let Some(Event::Observation { observer: before, at_ns, values, .. }) = all.last_mut()
            && (before.as_str(), *at_ns) == (observer, start_ns + at)
        {
            values.insert(name.to_owned(), *value);
            continue;
        }
        let values = BTreeMap::from([(name.to_owned(), *value)]);
        all.push(Event::Observation {
            trial,
            observer: observer.into(),
            at_ns: start_ns + at,
            source_unix_ns: None,
            values,
        });
    }
    let last = shape.seconds.len() - 1;
    for (s, (completed, clients)) in shape.seconds.iter().enumerate() {
        let from_ns = start_ns + s as u64 * SECOND;
        let mut t = TransactionTally { completed: *completed, ..TransactionTally::default() };
        for (ns, n) in [(400_000, *completed), ((shape.long.0 * 1e9) as u64, if s == last { shape.long.1 } else { 0 })]
        {
            t.response.record_n(ns, n);
            t.service.record_n(ns, n);
            t.wait.record_n(0, n);
        }
        let mut tally = if s == last { shape.more.clone() } else { Tally::default() };
        // Where nothing is answered, all connected clients wait for it.
        tally.in_progress_ns += match completed {
            0 => u64::from(*clients) * SECOND,
            n => n * 400_000,
        };
        tally.accounting.completed += completed;
        tally.accounting.scheduled += completed;
        if s == last && shape.more.accounting.open == 0 {
            (tally.accounting.open, tally.accounting.scheduled) = (8, tally.accounting.scheduled + 8);
        }
        tally.transactions.insert("t".into(), t);
        let completions = (*completed > 0).then(|| Completions {
            first_ns: from_ns + 1_000_000,
            last_ns: from_ns + SECOND - 1_000_000,
            gap_ns: 0,
        });
        let (phase, to_ns, clients) = (Phase::Measure, from_ns + SECOND, *clients);
        all.push(Event::Interval {
            trial,
            phase,
            from_ns,
            to_ns,
            clients,
            tally,
            completions,
            per_client: Default::default(),
        });
    }
    let end_ns = start_ns + shape.seconds.len() as u64 * SECOND;
    all.push(Event::TrialFinished {
        trial,
        at_ns: end_ns,
        state: EndState::Complete,
        measured_from_ns: start_ns,
        measured_to_ns: end_ns,
        client_cpu_ns: 0,
        workers: 1,
        per_client: Default::default(),
        client_halts: shape.halts,
        oldest_open_ns: shape.oldest_open_ns,
        beside: Default::default(),
    });
    all
}

/// Verdict, code and evidence of each doubt, a line each.
pub(crate) fn doubts(load: &str, shape: TrialShape) -> String {
    let summary = run(load, &[shape]);
    let of = |d: &tenbin_model::doubt::Doubt| {
        format!(
            "{} {}: {}\n",
            d.verdict.name(),
            d.code,
            d.problem.evidence.as_ref().map_or("", |evidence_text| evidence_text.english())
        )
    };
    summary.trials[0].doubts().iter().map(of).collect()
}

/// Outputs of commands and statements stand among the reasons.
#[test]
fn the_answer_says_what_failed_and_has_no_output_of_programs() {
    let failed = |measured: bool| {
        let mut summary = run("", &[sound(), sound()]);
        let output = "psql: one\npsql: two";
        let problem =
            Problem::new(foreign("the hook with_data failed")).evidence(foreign(output)).hint(foreign("try it"));
        let trial = &mut summary.trials[1];
        trial.notes.push((Severity::Error, problem));
        trial.state = Some(EndState::Failed);
        if !measured {
            (trial.window_ns, trial.tally) = ((0, 0), Tally::default());
        }
        let evidence: Vec<String> = summary.trials[1]
            .doubts()
            .iter()
            .filter_map(|d| Some(d.problem.evidence.as_ref()?.english().to_owned()))
            .collect();
        assert!(evidence.iter().any(|text| text.contains(output) && text.contains("try it")), "{evidence:?}");
        answer(&summary).english().to_owned()
    };
    for measured in [true, false] {
        let text = failed(measured);
        assert!(text.contains("the hook with_data failed") && !text.contains("psql"), "{text}");
        assert!(!text.contains('\n') && !text.contains("try it"), "{text}");
    }
}

#[test]
fn a_sound_trial_is_beyond_doubt() {
    assert_eq!(doubts("", sound()), "");
}

#[test]
fn a_server_killed_after_two_seconds_of_ten_gives_no_figure() {
    let mut killed = silent(sound(), 2, 10);
    killed.seconds[2..].iter_mut().for_each(|s| s.1 = 0);
    killed.more.unavailable_ns = 64 * SECOND;
    killed.more.accounting.failed = 8;
    killed.more.accounting.scheduled = 8;
    killed.observations = vec![(0, "cpu_user_s", 1.0), (2 * SECOND, "lost", 1.0)];
    let text = doubts("", killed.clone());
    let of = |part: &str| text.lines().any(|line| line == part);
    for part in [
        "INVALID server-gone: the process that was observed is no longer there",
        "INVALID clients-lost: 0 of 8 clients",
        "INVALID silent-at-end: no transaction completed in the last 8.0 s of 10.0 s; 8 were under way",
        "INVALID unavailable: 64.0 s of client time, 80.00 % of 8 clients × 10.0 s; 0 connections were opened again",
        "DEGRADED littles-law: 1.60 clients were in a transaction on average, of 8: what is missing of their time went into Tenbin itself",
    ] {
        assert!(of(part), "{part} is missing in\n{text}");
    }
    let summary = run("", &[sound(), killed.clone(), sound()]);
    let cell = &summary.cells()[0];
    assert_eq!((cell.tps.as_slice(), &cell.trials, &cell.left_out), (&[20_000.0; 2][..], &vec![1, 3], &vec![2]));
    assert_eq!(
        answer(&summary),
        "db completed 20,000 transactions per second (20,000–20,000 in 2 repeats), with a p99 response time of 0.400 ms. 1 of 3 trials is INVALID \
         and not in these figures: the server's process ended before the measurement did (the process that was observed \
         is no longer there)."
    );
    let alone = answer(&run("", &[killed])).english().to_owned();
    assert!(
        alone.starts_with("There is no result: the trial is INVALID, because the server's process ended"),
        "{alone}"
    );
    assert!(!alone.contains("TPS") && !alone.contains("p99"), "{alone}");
}

#[test]
fn a_server_that_hangs_to_the_end_is_told_without_a_lost_connection() {
    assert_eq!(
        doubts("", silent(sound(), 5, 10)).lines().next().unwrap(),
        "INVALID silent-at-end: no transaction completed in the last 5.0 s of 10.0 s; 8 were under way"
    );
    // The last half second says nothing yet.
    let mut short = sound();
    short.seconds[9].0 = 18_000;
    assert_eq!(doubts("", short), "");
}

#[test]
fn a_standstill_is_graded_by_its_share_and_told_beside_p99() {
    let still = |from, to, long| TrialShape { long: (long, 8), ..silent(sound(), from, to) };
    let first = |shape| doubts("", shape).lines().next().map(str::to_owned);
    assert_eq!(
        first(still(3, 8, 5.0)).unwrap(),
        "INVALID standstill: none completed for 5.0 s, of 10.0 s measured; p99 is 0.400 ms"
    );
    assert_eq!(
        first(still(3, 5, 2.0)).unwrap(),
        "DEGRADED standstill: none completed for 2.0 s, of 10.0 s measured; p99 is 0.400 ms"
    );
    assert_eq!(first(still(0, 0, 0.0)), None);
    let summary = run("", &[still(3, 5, 2.0)]);
    let sentence = answer(&summary).english().to_owned();
    assert!(
        sentence.ends_with("with a p99 response time of 0.400 ms. For 2.0 s none completed, which that hardly shows."),
        "{sentence}"
    );
    assert!(footnotes(&summary)[0].text(Language::Japanese).contains("最長 2.0 秒"));
}

#[test]
fn a_stop_of_our_own_is_told_as_that() {
    let halts = Halts { stopped_ns: 5 * SECOND, ..Halts::default() };
    let stopped = TrialShape { halts, long: (5.0, 8), ..silent(sound(), 3, 8) };
    assert_eq!(
        doubts("", stopped).lines().next().unwrap(),
        "INVALID client-stopped: for 5.0 s of 10.0 s: it was stopped (SIGSTOP, Ctrl-Z, a debugger), or got no processor"
    );
    // Again and again for less than half a second: nothing stood still for long.
    let briefly = |ns: u64| TrialShape { halts: Halts { briefly_ns: ns, ..Halts::default() }, ..sound() };
    assert!(doubts("", briefly(9 * SECOND)).starts_with("INVALID client-stopped: for 9.0 s of 10.0 s"));
    assert!(doubts("", briefly(SECOND / 5)).starts_with("DEGRADED client-stopped: for 0.2 s of 10.0 s"));
    assert_eq!(doubts("", briefly(SECOND / 50)), "");
    // Only the collector waited; the clients went on.
    let late = TrialShape { halts: Halts { stopped_ns: SECOND, ..Halts::default() }, ..sound() };
    assert_eq!(doubts("", late), "");
    let suspended =
        |s: u64| TrialShape { halts: Halts { suspended_ns: s * SECOND / 10, ..Halts::default() }, ..sound() };
    assert_eq!(
        doubts("", suspended(50)),
        "INVALID client-suspended: for 5.0 s, which the 10.0 s measured do not contain\n"
    );
    assert!(doubts("", suspended(5)).starts_with("DEGRADED client-suspended: for 0.5 s"));
}

#[test]
fn a_client_that_waits_for_the_whole_window_is_reported_although_no_percentile_has_its_time() {
    let with = |load, completed: [u64; 8]| {
        let mut summary = run(load, &[sound()]);
        summary.trials[0].per_client.completed = completed.to_vec();
        let doubts = tenbin_verdict::audit::doubts(&summary.trials[0]);
        doubts
            .iter()
            .filter(|d| d.code == "clients-starved")
            .find_map(|d| Some(d.problem.evidence.as_ref()?.text(Language::English)))
    };
    assert_eq!(
        with("", [0, 3000, 3000, 3000, 3000, 3000, 3000, 0]).unwrap(),
        "2 of 8 clients completed nothing, the rest 3,000 transactions each on average"
    );
    // All were served; so few that one may have got none by chance; and clients that share a number of transactions, or follow a rate.
    assert_eq!(with("", [1, 3000, 3000, 3000, 3000, 3000, 3000, 3000]), None);
    assert_eq!(with("", [0, 19, 19, 19, 19, 19, 19, 19]), None);
    assert_eq!(with(", operations = 200000", [0, 3000, 3000, 3000, 3000, 3000, 3000, 3000]), None);
    assert_eq!(with(", rate = 20000", [0, 3000, 3000, 3000, 3000, 3000, 3000, 3000]), None);
}

#[test]
fn clients_that_were_away_for_a_while_degrade() {
    let mut away = sound();
    away.more.unavailable_ns = 400_000_000;
    away.more.reconnects = 8;
    assert_eq!(
        doubts("", away.clone()),
        "DEGRADED unavailable: 0.4 s of client time, 0.50 % of 8 clients × 10.0 s; 8 connections were opened again\n"
    );
    let errors = [("1040".to_owned(), 3), ("refused".to_owned(), 12)].into();
    away.more.statements.insert(CONNECT.to_owned(), StatementTally { errors, ..StatementTally::default() });
    assert_eq!(
        doubts("", away.clone()),
        "DEGRADED unavailable: 0.4 s of client time, 0.50 % of 8 clients × 10.0 s; 8 connections were opened again; \
         connects that failed: 3 × 1040, 12 × refused\n"
    );
    away.more.unavailable_ns = 10 * SECOND;
    assert!(doubts("", away).starts_with("INVALID unavailable: 10.0 s of client time, 12.50 %"));
}

#[test]
fn littles_law_is_judged_with_failures_and_their_time() {
    // A fifth of the clients' time went into failures that took as long as anything.
    let mut failing = sound();
    failing.seconds.iter_mut().for_each(|s| s.0 = 16_000);
    let mut failed = TransactionTally { failed: 1000, ..TransactionTally::default() };
    failed.failed_service.record_n(16_000_000, 1000);
    failing.more.transactions.insert("f".into(), failed);
    failing.more.accounting.failed = 1000;
    failing.more.accounting.scheduled = 1000;
    failing.more.in_progress_ns = 16 * SECOND;
    assert!(!doubts("", failing.clone()).contains("littles-law"), "{}", doubts("", failing));
    failing.more.in_progress_ns = 0;
    let text = doubts("", failing);
    assert!(text.contains("DEGRADED littles-law: 6.40 clients were in a transaction on average, of 8"), "{text}");
    let mut twice = sound();
    twice.more.in_progress_ns = 8 * SECOND;
    let text = doubts("", twice.clone());
    let more = "8.80 clients were in a transaction on average, of 8: more than there are, so that some of their time was counted twice";
    assert!(text.contains(&format!("DEGRADED littles-law: {more}")), "{text}");
    // What an error has ended may have lasted for less time than threads take to begin.
    let mut failed = run("", &[twice]);
    failed.trials[0].state = Some(EndState::Failed);
    assert!(!failed.trials[0].doubts().iter().any(|doubt| doubt.code == "littles-law"));
}

/// Eight clients that begin and end together, every 3.4 s: of a window of 10 s three waves end in it, or two, whichever begins when.
#[test]
fn waves_of_which_few_end_in_the_window_make_the_throughput_doubtful() {
    let waves = |n: u64| {
        let mut shape = silent(sound(), 0, 10);
        for second in 0..n as usize {
            shape.seconds[3 * second + 2].0 = 1;
        }
        shape.long = (3.4, 8 * n);
        // All of them are busy in all seconds; the intervals with a completion say only 0.4 ms.
        shape.more.in_progress_ns = n * 8 * SECOND;
        doubts("", shape)
    };
    // 3 × 8 × 3.4 s is 8.16 of 8 clients, 2 × 8 × 3.4 s is 5.44.
    assert!(!waves(3).contains("long-transactions"), "{}", waves(3));
    let text = waves(2);
    assert!(text.contains("DEGRADED long-transactions: the longest 3.4 s, the window 10"), "{text}");
    assert!(text.contains("took 68 % of the time that its clients were in transactions"), "{text}");
    assert!(!doubts("", sound()).contains("long-transactions"));
}

#[test]
fn a_trial_in_which_everything_failed_says_with_which_error() {
    let mut shape = silent(sound(), 0, 10);
    (shape.more.accounting.failed, shape.more.accounting.scheduled) = (900, 900);
    let errors = [("1146".to_owned(), 30), ("TN001".to_owned(), 870)].into();
    shape.more.statements.insert("look 1".to_owned(), StatementTally { errors, ..StatementTally::default() });
    let summary = run("", &[shape.clone()]);
    let sentence = answer(&summary).text(Language::English);
    assert!(
        sentence.contains("all 900 transactions failed") && sentence.contains("error TN001 of the statement look 1"),
        "{sentence}"
    );
    let doubts = summary.trials[0].doubts();
    let of = doubts.iter().find(|doubt| doubt.code == "not-measured").unwrap();
    assert!(of.problem.what.english().starts_with("all 900 transactions failed"), "{:?}", of.problem);
    // The answer is of the run.
    let sentence = answer(&run("", &[shape.clone(), shape])).text(Language::English);
    assert!(sentence.contains("all 1800 transactions failed"), "{sentence}");
}

#[test]
fn starts_without_an_answer_are_in_the_percentiles_of_a_rate() {
    let mut dead = silent(sound(), 2, 10);
    dead.seconds[..2].iter_mut().for_each(|s| s.0 = 500);
    for n in 0..4000 {
        dead.more.unanswered.record(n * 2_000_000);
    }
    dead.more.accounting.open = 4000;
    dead.more.accounting.scheduled = 4000;
    dead.oldest_open_ns = Some(8 * SECOND);
    let summary = run(", rate = 500", &[dead.clone()]);
    let p99_ms = summary.trials[0].tally.all_starts().response.quantile_ns(0.99) / 1_000_000;
    assert!((7_850..=8_000).contains(&p99_ms), "{p99_ms}");
    let text = doubts(", rate = 500", dead);
    assert!(
        text.starts_with(
            "INVALID silent-at-end: no transaction completed in the last 8.0 s of 10.0 s; 4000 were under way\n"
        ),
        "{text}"
    );
    assert!(text.contains("DEGRADED rate: requested 500 per second; due 5000, completed 1000"), "{text}");
}

#[test]
fn a_rate_without_starts_for_a_while_is_no_standstill() {
    let mut seldom = silent(sound(), 2, 10);
    seldom.seconds[..2].iter_mut().for_each(|s| s.0 = 600);
    seldom.oldest_open_ns = Some(0);
    assert!(!doubts(", rate = 120", seldom).contains("silent-at-end"));
}

#[test]
fn repeats_that_scatter_are_a_doubt_about_the_cell() {
    let at = |tps: u64| TrialShape { seconds: vec![(tps, 8); 10], ..sound() };
    let summary = run("", &[at(987), at(260)]);
    let cell = &summary.cells()[0];
    assert_eq!(cell.doubts.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["scatter"]);
    assert_eq!(
        cell.doubts[0].problem.evidence.as_deref().unwrap(),
        "260 to 987 TPS in 2 repeats: the standard deviation is 82 % of the mean"
    );
    assert_eq!((cell.verdict.name(), summary.verdict().name()), ("DEGRADED", "DEGRADED"));
    assert!(run("", &[at(20_000), at(19_000), at(18_500)]).cells()[0].doubts.is_empty());
}

/// A sound trial in whose ten seconds this counter rose by this amount.
pub(crate) fn rose(name: &'static str, by: f64) -> TrialShape {
    TrialShape { observations: vec![(0, name, 100.0), (10 * SECOND, name, 100.0 + by)], ..sound() }
}

#[test]
fn a_course_that_is_not_steady_is_told_with_the_part_that_is() {
    // Little's law does not fit: all transactions take 0.4 ms.
    let course = |of: &dyn Fn(usize) -> u64| {
        let waves = |s: usize| of(s) + (s * 7919 % 101) as u64;
        doubts("", TrialShape { seconds: (0..300).map(|s| (waves(s), 8)).collect(), ..sound() })
    };
    assert_eq!(course(&|_| 19_900), "");
    let text = course(&|s| if s < 90 { 12_000 } else { 19_900 });
    let line = text.lines().find(|line| line.contains("warming")).unwrap_or_default();
    assert!(
        line.starts_with("DEGRADED warming: 12,0")
            && line.contains("in the first 90 s, then 19,9")
            && line.contains("-11.9 % off"),
        "{text}"
    );
    assert!(!text.contains("drift"), "{text}");
    let text = course(&|s| 18_000 + 10 * s as u64);
    assert!(text.contains("DEGRADED drift: +15") || text.contains("DEGRADED drift: +14"), "{text}");
    let text = course(&|s| 18_000 + (2_000.0 * (s as f64 * std::f64::consts::TAU / 130.0).sin()) as u64);
    assert!(text.contains("DEGRADED oscillation: a period of 1"), "{text}");
    // A rate is what was asked for.
    let rate = TrialShape { seconds: (0..300).map(|s| (100 + s, 8)).collect(), ..sound() };
    assert!(!doubts(", rate = 20000", rate).contains("drift"));
}

#[test]
fn trials_on_changed_data_are_a_doubt_about_the_cell() {
    let updates = |writes| {
        let kind = tenbin_model::tally::StatementKind::Write;
        let update = StatementTally { kind, completed: writes, ..Default::default() };
        Tally { statements: BTreeMap::from([("update".into(), update)]), ..Tally::default() }
    };
    let changing = |writes| TrialShape { more: updates(writes), ..sound() };
    let told_of = |writes, warm_up: u64, restored| {
        let mut events = Vec::new();
        let rows = BTreeMap::from([("tables.rows".to_owned(), "100000".to_owned())]);
        let trials = [1, 2].map(|n| trial(n, u64::from(n) * 100 * SECOND, &changing(writes)));
        for (n, of_trial) in (1..).zip(trials) {
            let mut of_trial = of_trial;
            of_trial.insert(1, Event::Facts { trial: n, about: "db".into(), facts: rows.clone() });
            if warm_up > 0 {
                let (to_ns, tally) = (u64::from(n) * 100 * SECOND, updates(warm_up));
                let (phase, from_ns, clients) = (Phase::WarmUp, to_ns - SECOND, 8);
                let (completions, per_client) = (None, Default::default());
                of_trial.insert(
                    2,
                    Event::Interval { trial: n, phase, from_ns, to_ns, clients, tally, completions, per_client },
                );
            }
            if restored {
                of_trial.insert(
                    1,
                    Event::PhaseStarted { trial: n, phase: Phase::Restore, at_ns: u64::from(n) * 100 * SECOND },
                );
            }
            events.extend(of_trial);
        }
        let mut summary = Summary::default();
        let plan = plan("").replace("REPEATS", "2");
        for t in expand(&Plan::parse(&plan, &common::catalog()).unwrap()) {
            summary.take(&Event::TrialPlanned { planned: Box::new(t), expected: 2 });
        }
        events.iter().for_each(|event| summary.take(event));
        let doubts = &summary.cells()[0].doubts;
        doubts.iter().map(|d| format!("{}: {}", d.code, d.problem.evidence.as_deref().unwrap())).collect::<String>()
    };
    let text_of = |writes, restored| told_of(writes, 0, restored);
    assert_eq!(
        text_of(50_000, false),
        "not-restored: 50,000 changes of rows since the data were restored or loaded, 50 % of the number of rows (limit 1 %)"
    );
    assert_eq!(text_of(50_000, true), "");
    assert_eq!(text_of(500, false), "");
    assert!(told_of(500, 49_500, false).contains(": 50,000 changes of rows"), "those of the warm-up, too");
}

/// A group that waits for its next start is in no transaction: which of those of the others lie across an edge is not to be seen from all together.
#[test]
fn groups_of_which_one_has_a_rate_are_not_judged_as_clients_that_are_always_busy() {
    use tenbin_model::trial::{Arrivals, ClientGroup, Overload, Schedule};
    let rate = Schedule::Open { rate: 10.0, arrivals: Arrivals::Even, overload: Overload::Skip };
    let is_doubted = |other: Schedule| {
        let mut summary = run("", &[TrialShape { long: (10.5, 1), ..sound() }]);
        let load = &mut summary.trials[0].trial.load;
        for (name, schedule) in [("bulk", Schedule::Closed), ("few", other)] {
            load.groups.push(ClientGroup { name: name.into(), clients: 4, schedule });
        }
        summary.trials[0].doubts().iter().any(|doubt| doubt.code == "long-transactions")
    };
    assert_eq!([is_doubted(Schedule::Closed), is_doubted(rate)], [true, false]);
}

/// That no transaction ended is one doubt: there is no percentile that would not show it.
#[test]
fn a_trial_in_which_nothing_ended_has_no_standstill() {
    let dead = silent(sound(), 0, 10);
    let of_dead = doubts("", dead);
    assert!(of_dead.contains("not-measured") && !of_dead.contains("standstill"), "{of_dead}");
    assert!(!of_dead.contains("p99 is 0"), "{of_dead}");
}

#[test]
fn a_trial_that_was_stopped_near_its_end_says_how_near() {
    let evidence_of = |measured_ns: u64| {
        let mut summary = run("", &[sound()]);
        let t = &mut summary.trials[0];
        (t.state, t.window_ns.1) = (Some(EndState::Partial), t.window_ns.0 + measured_ns);
        let doubts = t.doubts().iter().filter(|doubt| doubt.code == "partial");
        doubts.filter_map(|doubt| Some(doubt.problem.evidence.as_ref()?.english().to_owned())).collect::<String>()
    };
    assert_eq!(evidence_of(6 * SECOND), "measured 6.0 s of 10.0 s");
    assert_eq!(evidence_of(9_980_000_000), "measured 9.980 s of 10.000 s");
    assert_eq!(evidence_of(10 * SECOND), "all 10.0 s were measured; it ended in what follows them");
}
