//! What limited a target: figures in, diagnosis out; with evidence and without. `limits.rs` has each rule at its limit and just
//! below it.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod case;
mod experiment;
mod limits;
mod line;
mod memory;
mod refutation;

use case::{Case, at_the_ends, judgement, overdue, ran, usual};
use limits::{refuse, throttled};
use std::collections::BTreeMap;
use tenbin_model::event::{Event, Phase};
use tenbin_model::load_host::LoadHostPart;
use tenbin_model::summary::Summary;
use tenbin_model::tally::Tally;
use tenbin_model::trial::Trial;
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::why::{Bottleneck, BudgetKind, Diagnosis, of_most, of_targets, of_trial};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

#[test]
fn nothing_is_the_limit_of_a_load_that_is_explained_and_far_from_every_limit() {
    insta::assert_snapshot!(usual().sentence(), @"all 16 clients were busy and nothing else was at its limit, so more clients would complete more (the server's processors: 1.40 of 2 processors of its machine were busy; limit 90 %; the commit: 19 % of the response time is spent in it; limit 40 %; the client: its 2 threads used 0.30 processors and waited for 0.10 more; limit 95 %)");
    let rate = Case { load: "clients = 16\nrate = 100", tps: 100, response_ms: 40.0, ..usual() };
    insta::assert_snapshot!(rate.sentence(), @"nothing was at its limit (100 of 100 transactions per second requested; the server's processors: 1.40 of 2 processors of its machine were busy; limit 90 %; the client: its 2 threads used 0.30 processors and waited for 0.10 more; limit 95 %)");
}

#[test]
fn each_limit_is_found_by_its_figures() {
    let codes_of = |case: Case| case.sentence();
    insta::assert_snapshot!(codes_of(Case { client_cores: 1.8, ..usual() }), @"the limit was the client (Tenbin used 1.80 of 2 processors; limit 85 %)");
    let elsewhere = || Case { target: "dsn = \"mysql://root@192.0.2.1/sbtest\"", ..usual().without("server.process") };
    let full = || elsewhere().with("client.host/cpu_user_s", 1.6).with("client.host/cpu_idle_s", 0.0);
    insta::assert_snapshot!(codes_of(full().with("client.process/run_delay_s", 0.6)), @"the limit was the client (2.00 of 2 processors of its machine were busy; limit 90 %)");
    // What others do on the client's machine is not its limit as long as it does not wait.
    assert_ne!(full().diagnosis().outcome.code(), "client");
    insta::assert_snapshot!(codes_of(usual().with("server.process/cpu_user_s", 1.7)), @"the limit was the server's processors (it used 1.90 of the 2.00 processors that it may use, 95 %; limit 90 %)");
    let taken =
        Case { client_cores: 0.1, ..usual() }.with("client.host/cpu_user_s", 1.5).with("client.host/cpu_idle_s", 0.0);
    let taken = taken.with("server.process/cpu_user_s", 0.1).with("server.process/cpu_system_s", 0.1);
    insta::assert_snapshot!(codes_of(taken), @"the limit was processors that other programs took (its threads waited for a processor in 50 % of the response time; limit 40 %; 1.90 of 2 processors of its machine were busy; other programs took 1.60 of them)");
    let quota = usual().gauge("server.process", "cpu_quota_cores", 1.0);
    insta::assert_snapshot!(codes_of(quota), @"the limit was the server's processors (it used 1.00 of the 1.00 processors that it may use, 100 %; limit 90 %)");
    let reads = usual().with("server.status/innodb_buffer_pool_reads", 2000.0).with("client.host/io_waited_s", 0.9);
    insta::assert_snapshot!(codes_of(reads), @"the limit was reading from the disk (a task of the machine waited for I/O in 90 % of the time; limit 20 %; 2.00 pages not in memory for each transaction)");
    insta::assert_snapshot!(codes_of(usual().with("server.sessions/commit", 9.0)), @"the limit was the commit (56 % of the response time is spent in it; limit 40 %; 0.10 flushes for each transaction, 100 per second)");
    let locks = usual().with("server.status/innodb_row_lock_time", 9000.0);
    insta::assert_snapshot!(codes_of(locks.with("server.status/innodb_row_lock_waits", 1000.0)), @"the limit was row locks (56 % of the response time is spent waiting for them; limit 20 %; 9 of 16 clients wait on average; 1.00 waits for each transaction)");
    insta::assert_snapshot!(codes_of(usual().gauge("server.sessions", "latch", 5.0)), @"the limit was latches (5 sessions wait for a latch, 31 % of those in progress; limit 20 %)");
    insta::assert_snapshot!(codes_of(usual().gauge("server.sessions", "admission", 5.0)), @"the limit was admission: sessions wait until they are let in (5 statements wait for a thread of the pool, 31 % of those in progress; limit 20 %)");
    insta::assert_snapshot!(codes_of(usual().with("server.status/threads_connected", 6.0)), @"the limit was admission: sessions wait until they are let in (the server has 6 connections for 16 clients; limit 20 %)");
    let target = "sandbox = \"mariadbd\"\nreplicas = { r1 = { sandbox = true } }";
    let confirmed = Case { target, ..usual() }.counter("server.status", "rpl_semi_sync_master_tx_wait_time", 6e6);
    insta::assert_snapshot!(codes_of(confirmed), @"the limit was the replica (37 % of the response time waits for its confirmation; limit 20 %)");
    let behind = Case { target, ..usual() }.gauge("replica", "r1.lag_s", 1.0);
    insta::assert_snapshot!(codes_of(behind), @"all 16 clients were busy and nothing else was at its limit, so more clients would complete more (the server's processors: 1.40 of 2 processors of its machine were busy; limit 90 %; the commit: 19 % of the response time is spent in it; limit 40 %; the client: its 2 threads used 0.30 processors and waited for 0.10 more; limit 95 %)");
    let target = "sandbox = \"mariadbd\"\nlink = { rate = \"10Mbit\", delay = \"1ms\" }";
    let line = Case { target, ..usual() }
        .counter("client.path", "sent_bits", 1e6)
        .counter("client.path", "received_bits", 9e6)
        .gauge("client.rtt", "rtt_s", 0.002);
    insta::assert_snapshot!(codes_of(line), @"the limit was the network (9 of 10 Mbit/s, 90 % of the line; limit 80 %; 1.0 round trips of 2.000 ms are 12 % of the response time)");
    let target = "sandbox = \"mariadbd\"\nlink = { delay = \"1ms\" }";
    let far = Case { target, statements: 5, ..usual() }
        .counter("client.path", "sent_bits", 1e6)
        .counter("client.path", "received_bits", 9e6)
        .gauge("client.rtt", "rtt_s", 0.002);
    insta::assert_snapshot!(codes_of(far), @"the limit was the network (5.0 round trips of 2.000 ms are 62 % of the response time; limit 50 %)");
}

/// What stands on the card and in the table says what the sentence beside it says: also of a cell whose trials say different things.
#[test]
fn the_few_words_for_a_limit_agree_with_its_sentence() {
    let label = |case: Case| case.diagnosis().label().english().to_owned();
    assert_eq!(label(usual()), "its 16 clients, all busy");
    assert_eq!(label(Case { load: "clients = 16\nrate = 100", tps: 100, response_ms: 40.0, ..usual() }), "nothing");
    let taken =
        Case { client_cores: 0.1, ..usual() }.with("client.host/cpu_user_s", 1.5).with("client.host/cpu_idle_s", 0.0);
    let taken = taken.with("server.process/cpu_user_s", 0.1).with("server.process/cpu_system_s", 0.1);
    assert_eq!(label(taken), "processors that other programs took");
    let [busy, commit] = [usual(), usual().with("server.sessions/commit", 9.0)].map(|case| case.diagnosis());
    for (trials, says) in [
        (vec![&busy, &commit], &busy),
        (vec![&commit, &busy], &commit),
        (vec![&commit, &busy, &busy], &busy),
        (vec![&busy, &commit, &busy, &commit], &busy),
    ] {
        let trials: Vec<Diagnosis> = trials.into_iter().cloned().collect();
        assert_eq!(of_most(&trials).unwrap().outcome, says.outcome);
    }
    assert!(of_most(&[]).is_none());
}

/// The time in which a start waits for a free client is not spent at the server.
#[test]
fn what_limits_a_rate_that_is_not_held_is_what_limits_as_many_clients_without_one() {
    let taken = || {
        let case = Case { client_cores: 0.1, ..usual() };
        let case = case.with("client.host/cpu_user_s", 1.5).with("client.host/cpu_idle_s", 0.0);
        case.with("server.process/cpu_user_s", 0.1).with("server.process/cpu_system_s", 0.1)
    };
    let far = || {
        let target = "sandbox = \"mariadbd\"\nlink = { delay = \"1ms\" }";
        let case = Case { target, statements: 5, ..usual() }.counter("client.path", "sent_bits", 1e6);
        case.counter("client.path", "received_bits", 9e6).gauge("client.rtt", "rtt_s", 0.002)
    };
    let reads = || usual().with("server.status/innodb_buffer_pool_reads", 2000.0).gauge("server.sessions", "read", 9.0);
    let staged: [(&str, &dyn Fn() -> Case); 7] = [
        ("network", &far),
        ("server-cpu", &taken),
        ("disk-reads", &reads),
        ("commit", &|| usual().with("server.sessions/commit", 9.0)),
        ("row-locks", &|| usual().with("server.status/innodb_row_lock_time", 9000.0)),
        ("none", &usual),
        ("not-enough-evidence", &|| usual().with("server.process/run_delay_s", 1.0)),
    ];
    for (limit, case) in staged {
        let codes_of = [case(), overdue(case())].map(|case| case.diagnosis().outcome.code());
        assert_eq!(codes_of, [limit; 2]);
    }
    let hot = overdue(usual().with("server.status/innodb_row_lock_time", 9000.0));
    insta::assert_snapshot!(hot.sentence(), @"the limit was row locks (56 % of the service time is spent waiting for them; limit 20 %; 9 of 16 clients wait on average)");
}

/// Before the clients connect and after they have left, a server has no connection of them, and runs none of their statements.
#[test]
fn what_a_server_shows_without_the_clients_says_nothing_of_the_load() {
    let of_admission = |case: &Case| {
        let judgements = case.diagnosis().judgements;
        judgements.into_iter().find(|judgement| judgement.bottleneck == Bottleneck::Admission)
    };
    let connections = || usual().with("server.status/threads_connected", 1.0);
    assert_eq!(connections().diagnosis().outcome.code(), "admission");
    let at_ends = at_the_ends(connections());
    assert!(of_admission(&at_ends).is_none(), "{:?}", of_admission(&at_ends));
    assert_ne!(at_ends.diagnosis().outcome.code(), "admission");
    let tickets = || {
        let case = Case { variables: vec![("innodb_thread_concurrency", "8")], ..usual() };
        case.gauge("server.status", "threads_running", 40.0)
    };
    assert!(of_admission(&tickets()).is_some_and(|judgement| judgement.is_limit()));
    assert!(of_admission(&at_the_ends(tickets())).is_none());
    // What is counted, and what this machine shows of the network, is known all the same.
    let target = "sandbox = \"mariadbd\"\nlink = { rate = \"10Mbit\", delay = \"1ms\" }";
    let line = Case { target, ..connections() }.counter("client.path", "sent_bits", 1e6);
    let line = at_the_ends(line.counter("client.path", "received_bits", 9e6).gauge("client.rtt", "rtt_s", 0.002));
    insta::assert_snapshot!(line.sentence(), @"the limit was the network (9 of 10 Mbit/s, 90 % of the line; limit 80 %)");
    let locks = at_the_ends(connections().with("server.status/innodb_row_lock_time", 9000.0));
    assert_eq!(locks.diagnosis().outcome.code(), "row-locks");
}

/// What failed was in progress too: 12 of 16 clients in what completed, and the others in 80 transactions of 500 ms.
#[test]
fn the_time_of_failed_transactions_is_not_time_between_two() {
    let idle = Case { response_ms: 12.0, ..usual() };
    assert!(idle.sentence().starts_with("the limit was the client (25 % of the clients' time"), "{}", idle.sentence());
    let failing = Case {
        tally: |tally| {
            let all = tally.transactions.values_mut().next().unwrap();
            all.failed = 80;
            all.failed_service.record_n(500_000_000, 80);
            tally.in_progress_ns += 80 * 500_000_000;
            tally.accounting.failed = 80;
            tally.accounting.scheduled += 80;
        },
        ..idle
    };
    let client = judgement(&failing, Bottleneck::Client);
    assert!(client.degree().unwrap() < 1.0, "{client:?}");
}

/// The clients of a load host that was lost are in no transaction from then on: that is no time between two of them.
#[test]
fn the_time_without_a_lost_load_host_is_not_time_between_two_transactions() {
    let half = Case { response_ms: 8.0, ..usual() };
    let mut summary = half.summary();
    let code = |summary: &Summary| of_trial(summary, &summary.trials[0]).unwrap().outcome.code();
    assert_eq!(code(&summary), "client");
    let part = |lost: bool| LoadHostPart {
        here: true,
        clients: 8,
        workers: 1,
        lost: lost.then(|| Problem::new(foreign("gone"))),
        ..LoadHostPart::default()
    };
    for (host, lost) in [(1, false), (2, true)] {
        summary.take(&Event::HostFinished { trial: 1, host, part: part(lost) });
    }
    assert_ne!(code(&summary), "client");
    assert_eq!(of_trial(&summary, &summary.trials[0]).unwrap().busy_clients, None, "not all were there");
}

/// The plan runs on the server's machine, and its clients on another one: what lies between is not seen, and not left out either.
#[test]
fn the_network_between_load_hosts_elsewhere_and_the_server_is_not_known() {
    let mut summary = usual().summary();
    let network = |summary: &Summary| {
        let judgements = of_trial(summary, &summary.trials[0]).unwrap().judgements;
        judgements.into_iter().find(|judgement| judgement.bottleneck == Bottleneck::Network)
    };
    let is_one_machine =
        |summary: &Summary| conditions(summary).unwrap().english().contains("client and server on one machine");
    assert!(network(&summary).is_none() && is_one_machine(&summary), "on one machine there is none");
    let part = LoadHostPart { clients: 16, workers: 2, ..LoadHostPart::default() };
    summary.take(&Event::HostFinished { trial: 1, host: 1, part });
    assert!(!is_one_machine(&summary));
    let missing = network(&summary).unwrap().missing;
    let how: Vec<String> = missing.iter().map(|missing| missing.how.english().to_owned()).collect();
    assert!(
        how.len() == 2 && how.iter().all(|how| how.starts_with("run the plan on the machine of the clients")),
        "{how:?}"
    );
    assert_ne!(of_trial(&summary, &summary.trials[0]).unwrap().outcome.code(), "none");
}

/// The process that runs the plan has no quota, and neither has the second host.
#[test]
fn the_quota_of_a_load_host_is_the_limit_of_the_client() {
    let of_host = "client.process@1";
    let case = usual().gauge(of_host, "cpu_quota_cores", 0.5);
    let case = case.counter(of_host, "cpu_periods", 10.0).counter(of_host, "cpu_throttled_periods", 5.0);
    let mut summary = case.summary();
    for host in [1, 2] {
        let tally = summary.trials[0].tally.clone();
        let (from_ns, to_ns) = summary.trials[0].window_ns;
        let (phase, completions) = (Phase::Measure, None);
        summary.take(&Event::HostInterval { trial: 1, host, phase, from_ns, to_ns, clients: 8, tally, completions });
        let part = LoadHostPart {
            name: format!("load-{host}"),
            machine: format!("machine {host}"),
            cores: Some(4.0),
            clients: 8,
            workers: 1,
            client_cpu_ns: 4_000_000_000,
            ..LoadHostPart::default()
        };
        summary.take(&Event::HostFinished { trial: 1, host, part });
    }
    let sentence = of_trial(&summary, &summary.trials[0]).unwrap().words().english().to_owned();
    let limit = "the limit was the client (on load host load-1: the quota of its control group, 0.50 processors, was used up in \
                 50 % of the periods; limit 25 %";
    assert!(sentence.starts_with(limit), "{sentence}");
}

/// Another way to send statements may be limited by something else.
#[test]
fn each_value_of_the_axis_that_is_compared_has_a_diagnosis() {
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"10s\"\n\
                matrix.\"load.ps_mode\" = [\"auto\", \"disable\"]\n[experiment.load]\nworkload = \"oltp_read_write\"\nclients = 16\n";
    let is_off = |trial: &Trial| trial.axes.iter().any(|(_, value)| value == "disable");
    let summary = ran(plan, |t| if is_off(t) { Case { client_cores: 1.8, ..usual() } } else { usual() });
    let all = of_targets(&summary);
    let each: Vec<(Option<&str>, &str)> =
        all.iter().map(|one| (one.along.as_deref(), one.diagnosis.outcome.code())).collect();
    assert_eq!(each, [(Some("auto"), "none"), (Some("disable"), "client")]);
    assert!(all.iter().all(|one| one.target == "a" && one.elsewhere.is_empty()));
}

/// Of 16 ms for each of 1,000 transactions per second. One flush is counted where several commits may wait for it.
#[test]
fn flushes_that_are_counted_are_the_least_that_commits_wait() {
    let counted = |flushes: f64, wait_s: f64| {
        let case = usual().lacking("server.sessions/commit").with("server.status/innodb_data_fsyncs", 1000.0);
        case.counter("client.host", "disk_flushes", flushes).counter("client.host", "disk_flush_wait_s", wait_s)
    };
    let commit_ms = |case: &Case| 1e3 * case.diagnosis().budget.seconds(BudgetKind::Commit);
    let little = counted(500.0, 1.6);
    let commit = judgement(&little, Bottleneck::Commit);
    assert_eq!((commit.degree(), commit.missing.len()), (None, 1), "a fifth at least, and perhaps more than the limit");
    assert_eq!(commit.proofs[0].words().english(), "at least 20 % of the response time is spent in it");
    assert!((commit_ms(&little) - 3.2).abs() < 1e-9);
    insta::assert_snapshot!(counted(500.0, 3.6).with("server.process/run_delay_s", 3.0).sentence(), @"the limit was the commit (at least 45 % of the response time is spent in it; limit 40 %; 1.00 flushes for each transaction, 1000 per second)");
    // A disk without a cache flushes nothing.
    let none = counted(0.0, 0.0);
    assert_eq!(none.diagnosis().budget.parts.iter().find(|part| part.kind == BudgetKind::Commit), None);
    // The server times the flushes of its logs itself.
    let timed = counted(500.0, 1.6).counter("server.files", "log_sync_s", 5.0);
    assert!((commit_ms(&timed) - 5.0).abs() < 1e-9);
    let timed = timed.counter("server.files", "binlog_sync_s", 1.5);
    assert!((commit_ms(&timed) - 6.5).abs() < 1e-9);
    // MariaDB times those of the binary log only.
    let binlog = |seconds| counted(500.0, 1.6).counter("server.files", "binlog_sync_s", seconds);
    assert!((commit_ms(&binlog(4.0)) - 4.0).abs() < 1e-9 && (commit_ms(&binlog(0.0)) - 3.2).abs() < 1e-9);
}

/// A container of 0.5 processors; what a server in the same one used is not the client's.
#[test]
fn the_quota_of_the_client_is_the_client_if_it_used_it() {
    insta::assert_snapshot!(throttled(0.45, 9.0).sentence(), @"the limit was the client (the quota of its control group, 0.50 processors, was used up in 90 % of the periods; limit 25 %; Tenbin used 0.45 of 0.50 processors; limit 85 %)");
    let beside = judgement(&throttled(0.2, 9.0), Bottleneck::Client);
    assert!(beside.degree().unwrap() < 1.0, "{beside:?}");
    let doubts = throttled(0.45, 9.0).summary().trials[0].doubts().to_vec();
    let doubt = doubts.iter().find(|doubt| doubt.code == "client-throttled").unwrap();
    insta::assert_snapshot!(doubt.problem.evidence.as_ref().unwrap().english(), @"the quota of its control group, 0.50 processors, was used up in 90 % of the periods; limit 5 %");
    let now_and_then = throttled(0.2, 0.4).summary();
    assert!(!now_and_then.trials[0].doubts().iter().any(|doubt| doubt.code.starts_with("client-")));
}

#[test]
fn a_late_client_is_one_at_p99_and_not_by_its_longest_wait() {
    let late =
        |tally: fn(&mut Tally)| Case { load: "clients = 16\nrate = 100", tps: 100, response_ms: 2.0, tally, ..usual() };
    let seldom = late(|tally| waits(tally, 5, 1000));
    assert!(judgement(&seldom, Bottleneck::Client).degree().unwrap() < 1.0, "p99 is not late");
    let once = late(|tally| waits(tally, 1, 80));
    assert!(judgement(&once, Bottleneck::Client).degree().unwrap() < 1.0, "p99 is one start");
    insta::assert_snapshot!(late(|tally| waits(tally, 50, 1000)).sentence(), @"the limit was the client (at p99 starts were 30.0 ms late although a client was free, limit 1)");
}

/// Of these starts this many wait for 30 ms.
fn waits(tally: &mut Tally, n: u64, starts: u64) {
    let all = tally.transactions.values_mut().next().unwrap();
    all.response.clear();
    for (wait_ms, n) in [(30, n), (0, starts - n)] {
        all.wait.record_n(wait_ms * 1_000_000, n);
        all.response.record_n((wait_ms + 2) * 1_000_000, n);
    }
}

#[test]
fn a_few_refused_connections_are_not_admission() {
    let refused = |tally: fn(&mut Tally)| Case { tally, ..usual() };
    let few = refused(|tally| refuse(tally, 50));
    assert!(judgement(&few, Bottleneck::Admission).degree().unwrap() < 1.0);
    insta::assert_snapshot!(refused(|tally| refuse(tally, 4000)).sentence(), @"the limit was admission: sessions wait until they are let in (4000 connections were refused because there were too many, 28.6 % of the attempts; limit 20 %)");
}

/// In a short trial half of the samples may be taken while clients connect or close.
#[test]
fn a_server_that_once_had_all_connections_has_room_for_them() {
    let limit = |once: Option<f64>| {
        let mut summary = usual().with("server.status/threads_connected", 6.0).summary();
        let values = once.map(|n| BTreeMap::from([("threads_connected".to_owned(), n)]));
        let (observer, at_ns) = ("server.status".to_owned(), summary.trials[0].window_ns.0 + 500_000_000);
        let sample = |values| Event::Observation { trial: 1, observer, at_ns, source_unix_ns: None, values };
        values.map(sample).iter().for_each(|event| summary.take(event));
        of_trial(&summary, &summary.trials[0]).unwrap().outcome.code()
    };
    assert_eq!((limit(None), limit(Some(13.0))), ("admission", "none"));
}

/// As in a damaged log.
#[test]
fn a_sample_that_goes_back_in_time_has_no_rate() {
    let case = usual().counter("client.path", "sent_bits", 1e6).counter("client.path", "received_bits", 1e6);
    let mut summary = case.summary();
    let rates = |summary: &Summary| tenbin_verdict::network_path::rates(&summary.trials[0], "sent_bits");
    let before = rates(&summary);
    assert!(before.len() > 3, "{before:?}");
    let (observer, at_ns) = ("client.path".to_owned(), summary.trials[0].window_ns.0 + 500_000_000);
    let values = BTreeMap::from([("sent_bits".to_owned(), 1.0)]);
    summary.take(&Event::Observation { trial: 1, observer, at_ns, source_unix_ns: None, values });
    assert_eq!(rates(&summary), before);
}

#[test]
fn a_server_whose_process_is_observed_is_beside_its_clients_whatever_its_address() {
    let case = || Case { target: "dsn = \"mysql://root@172.17.0.2/sbtest\"", ..usual() };
    let beside = |case: Case| case.summary().trials.iter().all(tenbin_model::summary::TrialResult::beside_client);
    assert!(beside(case()) && !beside(case().without("server.process")));
}

#[test]
fn what_is_missing_is_named_and_nothing_is_guessed() {
    let blind = Case { target: "dsn = \"mysql://root@192.0.2.1/sbtest\"", ..usual() };
    let blind = blind.without("server.process").without("server.sessions").without("server.status");
    insta::assert_snapshot!(blind.sentence(), @"there is not enough evidence to name the limit; it would need what the network carried, the round-trip time, the processor use of the server, the waits for reads from the disk, the waits in commits, the waits for row locks, the waits for latches, on what 100 % of the response time was spent");
    assert!(blind.diagnosis().experiment.is_none());
    // The processors of another machine are not those of this one.
    let unseen = Case { target: "dsn = \"mysql://root@192.0.2.1/sbtest\"", ..usual() };
    let unseen = unseen.without("server.process").counter("client.path", "sent_bits", 1e6);
    let unseen = unseen.counter("client.path", "received_bits", 1e6).gauge("client.rtt", "rtt_s", 0.0001);
    insta::assert_snapshot!(unseen.sentence(), @"there is not enough evidence to name the limit; it would need the rate of the line, the processor use of the server, the waits for latches, on what 81 % of the response time was spent");
    // What explains most of the response time by itself is the limit, whatever else is not known.
    let decisive = Case { target: "dsn = \"mysql://root@192.0.2.1/sbtest\"", ..usual() };
    let decisive = decisive.without("server.process").with("server.sessions/row_lock", 12.0);
    insta::assert_snapshot!(decisive.sentence(), @"the limit was row locks (75 % of the response time is spent waiting for them; limit 20 %; 12 of 16 clients wait on average)");
    // Everything is far from its limit, and most of the time is not explained.
    let idle = usual().with("server.process/run_delay_s", 0.0).with("server.sessions/commit", 0.5);
    insta::assert_snapshot!(idle.sentence(), @"there is not enough evidence to name the limit; it would need the waits for latches, on what 91 % of the response time was spent");
}

#[test]
fn counters_that_are_missing_late_or_reset_give_nothing() {
    let cost = |case: &Case, code: &str| {
        let diagnosis = case.diagnosis();
        diagnosis.costs.iter().find(|cost| cost.code == code).map(|cost| cost.per_operation)
    };
    assert_eq!(cost(&usual(), "cpu"), Some(1000.0), "1 s of processor time for 1,000 transactions");
    assert_eq!(cost(&usual(), "syncs"), Some(0.1));
    assert_eq!(cost(&usual(), "binlog_bytes"), None, "not counted");
    let reset = Case { reset_at: Some(15), ..usual() };
    assert_eq!((cost(&reset, "cpu"), cost(&reset, "syncs")), (None, None));
    let reset_before = Case { reset_at: Some(9), ..usual() };
    assert_eq!(cost(&reset_before, "syncs"), Some(0.1), "the window is whole");
    let late = Case { seen: |at| !(8..=12).contains(&at), ..usual() };
    assert_eq!(cost(&late, "syncs"), None, "the first sample is 3 s after the start of the window");
    let ended = Case { seen: |at| at < 18, ..usual() };
    assert_eq!(cost(&ended, "syncs"), None, "the last one is 3 s before its end");
}

#[test]
fn the_budget_is_exactly_the_response_time_and_nothing_is_negative() {
    let cases = [
        usual(),
        usual().with("server.process/run_delay_s", 0.0),
        // More than there is: everything is reduced in proportion.
        usual().with("server.process/run_delay_s", 30.0).with("server.sessions/commit", 14.0),
        usual().without("server.process").without("server.sessions"),
        Case { load: "clients = 16\nrate = 1000", ..usual() },
    ];
    for case in cases {
        let budget = case.diagnosis().budget;
        let sum: f64 = budget.parts.iter().map(|part| part.seconds).sum();
        assert!((sum - budget.response_s).abs() < 1e-12, "{budget:?}");
        assert!(budget.parts.iter().all(|part| (0.0..=budget.response_s).contains(&part.seconds)), "{budget:?}");
    }
    let usual = usual().diagnosis().budget;
    let share = |kind| format!("{:.1}", 100.0 * usual.share(kind));
    // 1 ms of processor time, 3 sessions in commits and 8 s of waiting for processors at 1,000 per second, of 16 ms.
    assert_eq!(
        [BudgetKind::Cpu, BudgetKind::Commit, BudgetKind::Queue, BudgetKind::Unexplained].map(share),
        ["6.2", "18.7", "50.0", "25.0"]
    );
}

#[test]
fn a_target_has_the_diagnosis_of_its_fastest_cell_and_no_invalid_trial_has_one() {
    let summary = Case { client_cores: 1.8, ..usual() }.summary();
    let all = of_targets(&summary);
    assert_eq!((all.len(), all[0].cell, all[0].elsewhere.len()), (1, 1, 0));
    assert!(all[0].sentence().english().starts_with("a: the limit was the client ("), "{:?}", all[0].sentence());
    let mut cut = usual().summary();
    cut.trials[0].client_halts.stopped_ns = 9_000_000_000;
    let trial = cut.trials[0].clone();
    assert!(of_trial(&cut, &trial).is_none(), "{:?}", trial.verdict());
}

/// The run has tried it.
#[test]
fn what_more_clients_would_do_is_what_they_did_where_the_run_has_them() {
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"10s\"\n\
        load.workload = \"oltp_read_write\"\nmatrix.load.clients = [16, 24, 32]\n";
    let of = |more: u64| {
        let summary = ran(plan, |t| match t.load.clients {
            16 => usual(),
            clients => Case { tps: more, response_ms: 1000.0 * f64::from(clients) / more as f64, ..usual() },
        });
        let diagnosis = of_trial(&summary, &summary.trials[0]).unwrap();
        (diagnosis.words().english().split(" (").next().unwrap().to_owned(), diagnosis.experiment.is_some())
    };
    let text = "all 16 clients were busy and nothing else was at its limit, and 32 clients completed ";
    assert_eq!(of(810), (format!("{text}0.81× of that"), false));
    assert_eq!(of(1900), (format!("{text}1.90× of that"), false));
    assert!(usual().diagnosis().experiment.is_some());
}
