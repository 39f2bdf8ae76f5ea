//! Loads at a rate: whether it was held, what of the work in the window is whose, and why starts waited; events in, what is said of them out.

use crate::common;
use crate::finished::finished;
use crate::trust::SECOND;
use tenbin_model::absolute_limit::AbsoluteLimit;
use tenbin_model::event::{Completions, Event, FORMAT, Phase};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Carried, GroupTally, StatementTally, Tally, TransactionTally, group_prefix};
use tenbin_model::trial::{Arrivals, ClientGroup, Overload, Schedule};
use tenbin_verdict::answer::answer;
use tenbin_verdict::clocks::{self, WaitCause};
use tenbin_verdict::gate_check;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::rate::is_held;
use tenbin_verdict::why;
use tenbin_words::problem::Problem;

/// What became of the starts of a second.
#[derive(Clone, Copy)]
struct Second {
    phase: Phase,
    due: u64,
    /// Of those that fell due in the same phase.
    ended: u64,
    /// Of those that fell due before the window.
    carried: u64,
    /// Milliseconds from the intended start to the actual one, and from there to the end.
    took_ms: (u64, u64),
}

const fn second(due: u64, ended: u64) -> Second {
    Second { phase: Phase::Measure, due, ended, carried: 0, took_ms: (0, 1000) }
}

/// A trial of these seconds at this rate, even or random, with this many clients; of each transaction a statement.
fn trial(clients: u32, rate: &str, seconds: &[Second]) -> Summary {
    trial_by(1, clients, rate, seconds)
}

/// The same with intervals of this many seconds, the last one shorter if they do not fit.
fn trial_by(interval: usize, clients: u32, rate: &str, seconds: &[Second]) -> Summary {
    let count = |phase| seconds.iter().filter(|second| second.phase == phase).count();
    let (warmup, measure) = (count(Phase::WarmUp), count(Phase::Measure));
    let plan = format!(
        "schema = 1\n[targets.db]\ndsn = \"mysql://a@db.example/d\"\n[datasets.d]\n[[experiment]]\nwarmup = \"{warmup}s\"\n\
         measure = \"{measure}s\"\ninterval = \"{interval}s\"\nload = {{ workload = \"oltp_read_only\", clients = {clients}, rate = {rate} }}\n"
    );
    let trials = expand(&Plan::parse(&plan, &common::catalog()).expect("the plan is right"));
    let started = "2026-01-01T00:00:00+00:00".into();
    let mut all = vec![Event::RunStarted { format: FORMAT, name: "made up".into(), tool: "0".into(), started, plan }];
    all.extend(trials.into_iter().map(|t| Event::TrialPlanned { planned: Box::new(t), expected: 1 }));
    all.push(Event::TrialStarted { trial: 1, at_ns: 0 });
    let mut to_ns = 0;
    for of_phase in seconds.chunk_by(|a, b| a.phase == b.phase) {
        let phase = of_phase[0].phase;
        all.push(Event::PhaseStarted { trial: 1, at_ns: to_ns, phase });
        for seconds in of_phase.chunks(interval) {
            let from_ns = to_ns;
            to_ns += seconds.len() as u64 * SECOND;
            let mut tally = Tally::default();
            seconds.iter().for_each(|second| tally.merge(&counted(second)));
            all.push(Event::Interval {
                trial: 1,
                phase,
                from_ns,
                to_ns,
                clients,
                tally,
                completions: Some(Completions { first_ns: from_ns + 1, last_ns: to_ns - 1, gap_ns: 0 }),
                per_client: Default::default(),
            });
        }
    }
    let from_ns = warmup as u64 * SECOND;
    all.push(finished(1, to_ns, (from_ns, to_ns)));
    Summary::of(&all)
}

fn counted(second: &Second) -> Tally {
    let (wait_ms, service_ms) = second.took_ms;
    let mut t = TransactionTally { completed: second.ended, ..TransactionTally::default() };
    t.response.record_n((wait_ms + service_ms) * 1_000_000, second.ended);
    t.service.record_n(service_ms * 1_000_000, second.ended);
    t.wait.record_n(wait_ms * 1_000_000, second.ended);
    let mut statement = StatementTally { completed: second.ended, ..StatementTally::default() };
    statement.service.record_n(service_ms * 1_000_000, second.ended);
    let mut tally = Tally::default();
    (tally.accounting.scheduled, tally.accounting.completed) = (second.due, second.ended);
    (tally.accounting.open, tally.accounting.carried) = (second.due as i64 - second.ended as i64, second.carried);
    tally.carried = Carried {
        statements: second.carried,
        failed_statements: 0,
        service_ns: second.carried * service_ms * 1_000_000,
    };
    tally.transactions.insert("t".into(), t);
    tally.statements.insert("select".into(), statement);
    tally
}

fn rate_doubt(summary: &Summary) -> Option<String> {
    let doubt = summary.trials[0].doubts().iter().find(|d| d.code == "rate")?;
    let of = |m: &Option<tenbin_words::message::Message>| m.as_ref().map_or("", |m| m.english()).to_owned();
    Some(format!("{}; {}", of(&doubt.problem.evidence), of(&doubt.problem.hint)))
}

/// 45 fall due and 33 end in each second, and there are enough clients to take each start at once.
#[test]
fn a_rate_at_which_more_and_more_are_in_progress_is_not_held() {
    let behind = trial(140, "45, arrivals = \"even\"", &[second(45, 33); 8]);
    assert_eq!(is_held(&behind.trials[0]), Some(false));
    assert_eq!(
        rate_doubt(&behind).expect("a doubt"),
        "requested 45 per second; due 360, completed 264, failed 0, skipped 0, open 96; 48 had not ended in the middle of the window, \
         96 at its end; ask for less than 33 per second: more clients would not complete more"
    );
    let sentence = answer(&behind).english().to_owned();
    assert!(
        sentence.contains("did not hold the rate: of 45 transactions per second requested it completed 33"),
        "{sentence}"
    );
    let diagnosis = why::of_trial(&behind, &behind.trials[0]).expect("something was measured");
    assert_eq!(diagnosis.outcome, why::Outcome::NotKnown, "{}", diagnosis.words().english());
}

/// Windows of 12 to 90 starts, each of which takes its time by chance: none in progress at one instant, and one or two at another.
#[test]
fn at_a_low_rate_one_more_in_progress_is_no_growth() {
    let mut state = 1_u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut grown = 0;
    for n in 0..400 {
        let (rate, mean_s) = (2 + n % 14, 0.02 + 0.48 * uniform());
        let mut seconds = [second(rate, 0); 6];
        for start in 0..6 * rate {
            let end_s = start as f64 / rate as f64 - mean_s * (1.0 - uniform()).ln();
            if let Some(second) = seconds.get_mut(end_s as usize) {
                second.ended += 1;
            }
        }
        let summary = trial(64, &format!("{rate}, arrivals = \"even\""), &seconds);
        grown += u32::from(is_held(&summary.trials[0]) == Some(false));
    }
    assert!(grown <= 4, "{grown} of 400");
}

/// The window is one interval, or one and a rest: 45 fall due and 33 or 45 end in each second.
#[test]
fn few_intervals_show_too_whether_a_rate_is_held() {
    let warm =
        |second: Second, n: usize| [vec![Second { phase: Phase::WarmUp, ..second }; n], vec![second; 10]].concat();
    let text_of = |interval: usize, seconds: &[Second]| {
        let summary = trial_by(interval, 400, "45, arrivals = \"even\"", seconds);
        let doubt = rate_doubt(&summary).unwrap_or_default();
        let grown = doubt.split("; ").find(|part| part.contains("had not ended")).unwrap_or("").to_owned();
        (is_held(&summary.trials[0]), grown)
    };
    let held = (Some(true), String::new());
    let lost = |what: &str| (Some(false), what.to_owned());
    let (behind, enough) = (second(45, 33), second(45, 45));
    // Each takes a second.
    let by_time = lost("120 had not ended at the end of the window, and by rate and response time it would be 45");
    assert_eq!([text_of(10, &[behind; 10]), text_of(10, &[enough; 10])], [by_time.clone(), held.clone()]);
    assert_eq!(
        [text_of(10, &warm(behind, 2)), text_of(10, &warm(enough, 2))].map(|text| text.0),
        [Some(false), Some(true)]
    );
    let by_start = lost("60 had not ended at the start of the window, 180 at its end");
    assert_eq!([text_of(10, &warm(behind, 5)), text_of(10, &warm(enough, 5))], [by_start, held.clone()]);
    let by_middle = lost("120 had not ended in the middle of the window, 180 at its end");
    assert_eq!([text_of(10, &[behind; 15]), text_of(10, &[enough; 15])], [by_middle, held.clone()]);
    // As many as the rate asks for are in progress: each takes two seconds, and in the first two none ends.
    let slow = Second { took_ms: (0, 2000), ..enough };
    let mut begins = [slow; 10];
    (begins[0].ended, begins[1].ended) = (0, 0);
    assert_eq!(text_of(10, &begins), held);
}

#[test]
fn a_rate_is_held_however_many_are_in_progress_if_they_do_not_become_more() {
    // Each takes two seconds: in the first two of the load none ends, and then as many as fall due.
    let mut seconds = vec![second(100, 100); 10];
    (seconds[0].ended, seconds[1].ended) = (0, 0);
    let begins = trial(400, "100", &seconds);
    assert_eq!((is_held(&begins.trials[0]), rate_doubt(&begins)), (Some(true), None));
    // By chance a few more are in progress at the end, and those were in the warm-up what they are in the window.
    let mut seconds = vec![second(100, 100); 10];
    seconds[..4].iter_mut().for_each(|second| second.phase = Phase::WarmUp);
    (seconds[0].ended, seconds[1].ended, seconds[9].ended) = (0, 0, 80);
    (seconds[4].ended, seconds[4].carried, seconds[5].ended, seconds[5].carried) = (0, 100, 0, 100);
    let later = trial(400, "100", &seconds);
    let t = &later.trials[0];
    assert_eq!((is_held(t), rate_doubt(&later)), (Some(true), None));
    // Completed are those that ended in the window, and not only those of its starts.
    assert!((t.tps() - 580.0 / 6.0).abs() < 1e-9 && (t.qps() - t.tps()).abs() < 1e-9, "{} {}", t.tps(), t.qps());
    let rates: Vec<f64> = t.series.rates().filter(|p| p.phase == Phase::Measure).map(|p| p.tps).collect();
    assert_eq!(rates, [100.0, 100.0, 100.0, 100.0, 100.0, 80.0]);
}

/// A thousand a second were due for four seconds, and 770 ended: the clients begin the window with those that wait.
fn backlog() -> Summary {
    let of = |phase, ended, carried| Second { phase, due: 1000, ended, carried, took_ms: (3000, 10) };
    let warm = [of(Phase::WarmUp, 770, 0); 4];
    let window = [
        of(Phase::Measure, 0, 770),
        of(Phase::Measure, 620, 150),
        of(Phase::Measure, 770, 0),
        of(Phase::Measure, 770, 0),
    ];
    trial(8, "1000", &[&warm[..], &window].concat())
}

#[test]
fn a_backlog_of_the_warm_up_is_work_and_no_idleness_of_the_clients() {
    let behind = backlog();
    let t = &behind.trials[0];
    assert!((t.tps() - 770.0).abs() < 1e-9, "{}", t.tps());
    assert_eq!(clocks::of_trial(t), Some(WaitCause::Queue));
    let codes: Vec<&str> = t.doubts().iter().map(|d| d.code.as_str()).collect();
    assert!(codes.contains(&"rate") && !codes.contains(&"client-late"), "{codes:?}");
    assert!(rate_doubt(&behind).expect("a doubt").contains("ask for less than 770 per second, or give more clients"));
    assert!(answer(&behind).english().contains("it completed 770"), "{}", answer(&behind).english());
}

#[test]
fn statements_of_starts_before_the_window_are_ours() {
    let text_of = |questions: f64| {
        let mut summary = backlog();
        for (at_ns, value) in [(4 * SECOND, 0.0), (8 * SECOND, questions)] {
            let values = [("questions".to_owned(), value)].into();
            let (trial, observer) = (1, "server.status".into());
            summary.take(&Event::Observation { trial, observer, at_ns, source_unix_ns: None, values });
        }
        summary.trials[0].doubts().iter().any(|d| d.code == "foreign-statements")
    };
    assert!(!text_of(3080.0), "all of the 770 that ended in each second");
    assert!(text_of(4000.0));
}

/// Sixty clients that start again at once beside two with a rate, each of which is busy for three quarters of the time.
#[test]
fn clients_of_another_group_are_not_busy_with_what_waits() {
    let mut summary = trial(62, "0", &[second(0, 0); 6]);
    let t = &mut summary.trials[0];
    let (arrivals, overload) = (Arrivals::Poisson, Overload::Queue { limit: 1000 });
    let rate = Schedule::Open { rate: 150.0, arrivals, overload };
    t.tally = Tally::default();
    for (name, clients, schedule, n, wait_ms, service_ms) in
        [("bulk", 60, Schedule::Closed, 3600, 0, 100), ("few", 2, rate, 900, 9, 10)]
    {
        t.trial.load.groups.push(ClientGroup { name: name.into(), clients, schedule });
        let mut own = GroupTally::default();
        (own.accounting.scheduled, own.accounting.completed) = (n, n);
        t.tally.accounting.merge(&own.accounting);
        t.tally.groups.insert(name.into(), own);
        let mut of_group = TransactionTally { completed: n, ..TransactionTally::default() };
        of_group.response.record_n((wait_ms + service_ms) * 1_000_000, n);
        of_group.service.record_n(service_ms * 1_000_000, n);
        of_group.wait.record_n(wait_ms * 1_000_000, n);
        t.tally.transactions.insert(group_prefix(name) + "script", of_group);
    }
    assert_eq!(clocks::of_trial(t), Some(WaitCause::Chance), "both of two are often busy at a time");
}

/// Beside clients that start again at once, 45 starts of a group fall due in each second, and there are enough of its clients to take each at once.
#[test]
fn a_group_of_which_more_and_more_is_in_progress_does_not_hold_its_rate() {
    let judged = |ended: u64| {
        let mut planned = trial(142, "0", &[second(0, 0); 8]).trials[0].trial.clone();
        let rate = Schedule::Open { rate: 45.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 1000 } };
        for (name, clients, schedule) in [("bulk", 2, Schedule::Closed), ("many", 140, rate)] {
            planned.load.groups.push(ClientGroup { name: name.into(), clients, schedule });
        }
        let mut all = vec![Event::TrialPlanned { planned: Box::new(planned), expected: 1 }];
        all.push(Event::TrialStarted { trial: 1, at_ns: 0 });
        for n in 0..8 {
            let mut tally = Tally::default();
            for (name, counts) in [("bulk", second(600, 600)), ("many", second(45, ended))] {
                let Tally { accounting, mut transactions, .. } = counted(&counts);
                tally.accounting.merge(&accounting);
                tally.groups.insert(name.into(), GroupTally { accounting, ..GroupTally::default() });
                tally.transactions.extend(transactions.remove("t").map(|t| (group_prefix(name) + "script", t)));
            }
            let (from_ns, to_ns) = (n * SECOND, (n + 1) * SECOND);
            let completions = Some(Completions { first_ns: from_ns + 1, last_ns: to_ns - 1, gap_ns: 0 });
            let (phase, clients, per_client) = (Phase::Measure, 142, Default::default());
            all.push(Event::Interval { trial: 1, phase, from_ns, to_ns, clients, tally, completions, per_client });
        }
        all.push(finished(1, 8 * SECOND, (0, 8 * SECOND)));
        Summary::of(&all)
    };
    assert_eq!(rate_doubt(&judged(45)), None);
    assert_eq!(
        rate_doubt(&judged(33)).expect("a doubt"),
        "group many: requested 45 per second; due 360, completed 264, failed 0, skipped 0, open 96; 48 had not ended in the middle of \
         the window, 96 at its end; ask for less than 33 per second: more clients would not complete more"
    );
}

/// A hundred a second were due for five seconds, and forty ended: in a window of three seconds none of its own starts is reached.
#[test]
fn where_only_starts_of_the_warm_up_ended_there_are_no_times_and_it_is_said() {
    let of = |phase, ended, carried| Second { phase, due: 100, ended, carried, took_ms: (3000, 100) };
    let seconds = [[of(Phase::WarmUp, 40, 0); 5].to_vec(), [of(Phase::Measure, 0, 40); 3].to_vec()].concat();
    let behind = trial(4, "100", &seconds);
    let t = &behind.trials[0];
    assert!((t.tps() - 40.0).abs() < 1e-9, "{}", t.tps());
    let doubts = t.doubts();
    let doubt = doubts.iter().find(|d| d.code == "not-measured").expect("a doubt");
    assert_eq!(doubt.verdict.name(), "INVALID");
    let Problem { what, evidence, hint } = &doubt.problem;
    let words = [Some(what), evidence.as_ref(), hint.as_ref()].map(|part| part.map_or("", |part| part.english()));
    assert_eq!(
        words,
        [
            "none of the starts of the measured window completed",
            "only 120 that had fallen due in the warm-up did",
            "ask for less than 40 per second, or shorten the warm-up"
        ]
    );
}

/// Where a number of transactions ends the window, what was in progress at its start is throughput too.
#[test]
fn the_throughput_of_a_number_of_transactions_has_what_ended_in_its_window() {
    let of = |phase, ended, carried| Second { phase, due: ended, ended, carried, took_ms: (0, 1000) };
    let seconds =
        [of(Phase::WarmUp, 4, 0), of(Phase::Measure, 0, 4), of(Phase::Measure, 4, 0), of(Phase::Measure, 4, 0)];
    let mut summary = trial(4, "0", &seconds);
    let t = &mut summary.trials[0];
    t.trial.load.operations = Some(8);
    assert_eq!((t.tps(), t.qps()), (4.0, 4.0), "of three seconds");
    // A third of them had begun before it, at whatever time.
    assert!(t.doubts().iter().any(|d| d.code == "long-transactions"), "{:?}", t.doubts());
    // Also where the last ones are waited for.
    t.trial.load.drain_ms = 3000;
    assert_eq!(t.tps(), 4.0);
}

/// Four clients, ten seconds each time, all together: those that begin in the window are waited for. In seven seconds they begin once, or not at all.
#[test]
fn a_short_window_of_a_load_that_is_waited_for_leaves_its_throughput_to_chance() {
    let of = |phase, due, ended, carried| Second { phase, due, ended, carried, took_ms: (0, 10_000) };
    let doubted = |warm: usize, seconds: &[Second], window_s: u64| {
        let warmed: Vec<Second> =
            (0..warm).map(|at| of(Phase::WarmUp, 4, if at % 10 == 9 { 4 } else { 0 }, 0)).collect();
        let mut summary = trial(4, "0, drain = \"20s\"", &[&warmed[..], seconds].concat());
        let t = &mut summary.trials[0];
        t.trial.measure_ms = window_s * 1000;
        t.tally.in_progress_ns = 4 * window_s * SECOND;
        let doubt = t.doubts().iter().find(|d| d.code == "long-transactions");
        doubt.map(|d| d.problem.evidence.as_ref().map_or("", |m| m.english()).to_owned())
    };
    // They begin in second 20 of the load, and end with second 29; the window is that from 15 to 22.
    let mut seconds = [of(Phase::Measure, 0, 0, 0); 15];
    (seconds[4].carried, seconds[5].due, seconds[14].ended) = (4, 4, 4);
    let lines = doubted(15, &seconds, 7);
    assert_eq!(
        lines.as_deref(),
        Some("the longest 10.0 s, the window 7.0 s: how many of them end within it is a matter of chance")
    );
    // Seventy seconds, in which they begin seven times.
    let mut seconds = [of(Phase::Measure, 0, 0, 0); 75];
    seconds[4].carried = 4;
    for begin in (5..70).step_by(10) {
        (seconds[begin].due, seconds[begin + 9].ended) = (4, 4);
    }
    assert_eq!(doubted(15, &seconds, 70), None);
    // Without a warm-up all begin and end together: of 75 seconds, until the last of them has ended.
    let mut seconds = [of(Phase::Measure, 0, 0, 0); 80];
    for begin in (0..75).step_by(10) {
        (seconds[begin].due, seconds[begin + 9].ended) = (4, 4);
    }
    assert_eq!(doubted(0, &seconds, 75), None);
}

/// In its course they are, or it would begin with a gap that looks like a warm-up.
#[test]
fn the_course_of_a_load_that_is_waited_for_begins_without_a_gap() {
    let of = |phase, ended, carried| Second { phase, due: ended, ended, carried, took_ms: (0, 1000) };
    let warm = [of(Phase::WarmUp, 320, 0); 5];
    let begins = [of(Phase::Measure, 0, 320), of(Phase::Measure, 0, 320), of(Phase::Measure, 150, 170)];
    let seconds = [&warm[..], &begins, &[of(Phase::Measure, 320, 0); 60]].concat();
    let drained = trial(32, "0, drain = \"3s\"", &seconds);
    let t = &drained.trials[0];
    assert!(t.series.rates().all(|p| p.tps == 320.0));
    assert!(!t.doubts().iter().any(|d| d.code == "warming"), "{:?}", t.doubts());
}

#[test]
fn what_fell_due_before_the_window_and_failed_in_it_is_an_error() {
    let mut summary = backlog();
    let t = &mut summary.trials[0];
    t.tally.accounting.carried_failed = t.tally.accounting.all_completed();
    let refused = StatementTally { carried_errors: [("1054".to_owned(), 3080)].into(), ..StatementTally::default() };
    t.tally.statements.insert("refused".into(), refused);
    let doubts = t.doubts();
    let doubt = doubts.iter().find(|d| d.code == "errors").expect("a doubt");
    assert_eq!(doubt.verdict.name(), "INVALID");
    let lines = doubt.problem.evidence.as_ref().map_or("", |lines| lines.english());
    assert_eq!(lines, "3,080 of 6,160 (50.00 %); errors by code: 3,080 × 1054");
    // An INVALID trial is in no limit.
    let mut summary = backlog();
    summary.trials[0].tally.accounting.carried_failed = 20;
    let limit = AbsoluteLimit::parse("errors < 1%").expect("a limit");
    assert_eq!(gate_check::checks(&summary, &[limit])[0].value, Some(20.0 / 3100.0));
}
