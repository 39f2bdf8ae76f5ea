//! Several load hosts in the audit: each is judged by itself and named, and the whole as that of one client.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use tenbin_verdict::judged_trial::JudgedTrial;

use std::collections::BTreeMap;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::event::{EndState, Event, Halts, Phase};
use tenbin_model::load_host::{ClockSteps, LoadHostPart, observer_of_host};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tally::{GroupTally, StatementTally, Tally, TransactionTally, group_prefix};
use tenbin_model::trial::{Arrivals, ClientGroup, Overload, Schedule};
use tenbin_verdict::host_share;
use tenbin_verdict::rate::is_held;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

const SECOND: u64 = 1_000_000_000;
const SECONDS: u64 = 10;

/// A load host, and what its observers counted per second.
struct Host {
    part: LoadHostPart,
    tps: u64,
    run_delay: f64,
    /// Processors at work on its machine.
    busy: f64,
}

/// A host on its own machine of four cores, which uses half a core.
fn host(number: u32) -> Host {
    let part = LoadHostPart {
        name: format!("host {number}"),
        machine: format!("machine {number}"),
        cores: Some(4.0),
        clients: 8,
        workers: 1,
        client_cpu_ns: SECONDS * SECOND / 2,
        offset_error_ns: 50_000,
        ..LoadHostPart::default()
    };
    Host { part, tps: 1000, run_delay: 0.01, busy: 0.6 }
}

fn tally(completed: u64) -> Tally {
    let mut t = TransactionTally { completed, ..TransactionTally::default() };
    for times in [&mut t.response, &mut t.service] {
        times.record_n(7_900_000, completed);
    }
    t.wait.record_n(0, completed);
    let mut tally = Tally::default();
    tally.transactions.insert("t".into(), t);
    (tally.accounting.scheduled, tally.accounting.completed) = (completed, completed);
    tally
}

fn summary(hosts: &[Host]) -> Summary {
    let clients = 8 * hosts.len();
    let plan = format!(
        "schema = 1\n[hosts]\ncount = {}\n[targets]\na = {{ dsn = \"mysql://u@db/x\" }}\n[[experiment]]\nname = \"e\"\n\
         load = {{ workload = \"oltp_read_only\", clients = {clients} }}\nmeasure = \"{SECONDS}s\"\nrepeats = 1\n",
        hosts.len()
    );
    let trial = expand(&Plan::parse(&plan, &common::catalog()).unwrap()).remove(0);
    assert_eq!(trial.hosts.as_ref().unwrap().count as usize, hosts.len());
    let facts = BTreeMap::from([("cores".to_owned(), "2".to_owned())]);
    let mut all = vec![
        Event::Facts { trial: 0, about: "client".into(), facts },
        Event::TrialPlanned { planned: Box::new(trial), expected: 1 },
        Event::TrialStarted { trial: 1, at_ns: 0 },
        Event::PhaseStarted { trial: 1, phase: Phase::Measure, at_ns: 0 },
    ];
    for second in 0..=SECONDS {
        let (from_ns, to_ns, phase) = (second * SECOND, (second + 1) * SECOND, Phase::Measure);
        for (host, number) in hosts.iter().zip(1..) {
            let mut observe = |observer: &str, values: &[(&str, f64)]| {
                let values = values.iter().map(|(name, rate)| ((*name).to_owned(), rate * second as f64)).collect();
                let observer = observer_of_host(observer, number);
                all.push(Event::Observation { trial: 1, observer, at_ns: from_ns, source_unix_ns: None, values });
            };
            observe("client.process", &[("run_delay_s", host.run_delay)]);
            let idle = host.part.cores.unwrap() - host.busy;
            let none = ["cpu_nice_s", "cpu_system_s", "cpu_irq_s", "cpu_softirq_s", "cpu_iowait_s", "cpu_steal_s"];
            let rates = [("cpu_user_s", host.busy), ("cpu_idle_s", idle)];
            observe("client.host", &[&rates[..], &none.map(|name| (name, 0.0))].concat());
        }
        if second == SECONDS {
            break;
        }
        let there = hosts.iter().zip(1..).filter(|(host, _)| second == 0 || host.part.lost.is_none());
        let (mut whole, mut clients) = (Tally::default(), 0);
        for (Host { tps, .. }, host) in there {
            let tally = tally(*tps);
            (clients, _) = (clients + 8, whole.merge(&tally));
            all.push(Event::HostInterval {
                trial: 1,
                host,
                phase,
                from_ns,
                to_ns,
                clients: 8,
                tally,
                completions: None,
            });
        }
        let (completions, per_client) = Default::default();
        all.push(Event::Interval { trial: 1, phase, from_ns, to_ns, clients, tally: whole, completions, per_client });
    }
    let parts = hosts.iter().zip(1..);
    all.extend(parts.map(|(host, number)| Event::HostFinished { trial: 1, host: number, part: host.part.clone() }));
    all.push(Event::TrialFinished {
        trial: 1,
        at_ns: SECONDS * SECOND,
        state: EndState::Complete,
        measured_from_ns: 0,
        measured_to_ns: SECONDS * SECOND,
        client_cpu_ns: hosts.iter().map(|host| host.part.client_cpu_ns).sum(),
        workers: hosts.iter().map(|host| host.part.workers).sum(),
        per_client: Default::default(),
        client_halts: Halts {
            stopped_ns: hosts.iter().map(|host| host.part.halts.stopped_ns).max().unwrap(),
            ..Halts::default()
        },
        oldest_open_ns: None,
        beside: Default::default(),
    });
    Summary::of(&all)
}

/// The doubts about such a trial.
fn doubts(change: impl FnOnce(&mut Vec<Host>)) -> Vec<Doubt> {
    let mut hosts: Vec<Host> = (1..=3).map(host).collect();
    change(&mut hosts);
    summary(&hosts).trials[0].doubts().to_vec()
}

/// Codes, verdicts, and the hosts that the evidence begins with.
fn told(doubts: &[Doubt]) -> String {
    let line = |doubt: &Doubt| {
        let evidence: &str = doubt.problem.evidence.as_ref().map_or("", |evidence| evidence);
        let host =
            evidence.strip_prefix("on load host ").map_or("", |rest| rest.split_once(':').map_or("", |(host, _)| host));
        format!("{} {} {host}", doubt.verdict.name(), doubt.code).trim().to_owned()
    };
    doubts.iter().map(line).collect::<Vec<_>>().join(", ")
}

#[test]
fn hosts_without_faults_are_valid_and_their_shares_are_whole() {
    assert_eq!(told(&doubts(|_| {})), "");
    let mut hosts: Vec<Host> = (1..=3).map(host).collect();
    hosts[0].tps = 2000;
    let trial = &summary(&hosts).trials[0];
    assert_eq!(trial.tps(), 4000.0);
    let shares: Vec<_> = host_share::of([trial]).into_iter().map(|host| host.share).collect();
    assert_eq!(shares, [Some(0.5), Some(0.25), Some(0.25)]);
    assert_eq!(trial.client_cores(), Some(12.0), "of three machines");
    assert_eq!(trial.observed_rate("client.process", "run_delay_s"), Some(0.03), "of all processes");
}

/// At a rate, with what had fallen due before the window, and with what was waited for after it.
#[test]
fn the_throughput_of_hosts_is_that_of_the_trial() {
    let tps = |change: fn(&mut TrialResult)| {
        let mut summary = summary(&[host(1), host(2)]);
        let t = &mut summary.trials[0];
        t.trial.load.schedule =
            Schedule::Open { rate: 2000.0, arrivals: Arrivals::Poisson, overload: Overload::Queue { limit: 10 } };
        change(t);
        let of_hosts: f64 = host_share::of([&*t]).iter().filter_map(|host| host.tps).sum();
        (of_hosts, t.tps())
    };
    let carried = tps(|t| {
        t.tally.accounting.carried = 3000;
        t.hosts.values_mut().zip([1000, 2000]).for_each(|(host, n)| host.tally.accounting.carried = n);
    });
    assert_eq!(carried, (2300.0, 2300.0));
    let drained = tps(|t| (t.trial.load.drain_ms, t.trial.measure_ms) = (2000, 8000));
    assert_eq!(drained, (2500.0, 2500.0));
}

/// It goes on until it notices that nobody hears it.
#[test]
fn statements_of_a_host_that_was_lost_are_not_those_of_others() {
    let is_doubted = |lost: bool| {
        let mut hosts = [host(1), host(2)];
        hosts[1].part.lost = lost.then(|| Problem::new(foreign("gone")));
        let mut summary = summary(&hosts);
        for (at, questions) in [(0, 0.0), (SECONDS, 40_000.0)] {
            let (observer, values) = ("server.status".into(), [("questions".to_owned(), questions)].into());
            let at_ns = at * SECOND;
            summary.take(&Event::Observation { trial: 1, observer, at_ns, source_unix_ns: None, values });
        }
        let t = &mut summary.trials[0];
        t.tally.statements.insert("select".into(), StatementTally { completed: 11_000, ..StatementTally::default() });
        t.doubts().iter().any(|doubt| doubt.code == "foreign-statements")
    };
    assert_eq!([false, true].map(is_doubted), [true, false]);
}

#[test]
fn one_starved_host_degrades_the_trial_by_name() {
    assert_eq!(told(&doubts(|hosts| hosts[1].run_delay = 0.2)), "DEGRADED client-delayed host 2");
    assert_eq!(told(&doubts(|hosts| hosts[2].run_delay = 0.6)), "INVALID client-delayed host 3");
    let busy = doubts(|hosts| hosts[1].part.client_cpu_ns = SECONDS * SECOND * 95 / 100);
    assert_eq!(told(&busy), "DEGRADED client-busy host 2");
    let stopped = doubts(|hosts| hosts[0].part.halts.stopped_ns = SECONDS * SECOND * 6 / 10);
    assert_eq!(told(&stopped), "INVALID client-stopped host 1");
    let others = doubts(|hosts| hosts[2].busy = 3.9);
    assert_eq!(told(&others), "DEGRADED others-busy host 3", "{others:#?}");
}

#[test]
fn hosts_on_one_machine_are_not_others_to_each_other() {
    let together = |hosts: &mut Vec<Host>, here: bool, cores_each: f64| {
        for host in hosts.iter_mut() {
            (host.part.machine, host.part.here, host.part.workers) = ("the same".into(), here, 2);
            host.part.client_cpu_ns = (cores_each * (SECONDS * SECOND) as f64) as u64;
            host.busy = 3.0 * cores_each + 0.1;
        }
    };
    for here in [false, true] {
        assert_eq!(told(&doubts(|hosts| together(hosts, here, 1.2))), "");
        let busy = told(&doubts(|hosts| together(hosts, here, 1.28)));
        let all = ["host 1", "host 2", "host 3"].map(|host| format!("DEGRADED client-busy {host}")).join(", ");
        assert_eq!(busy, all, "what the others take of the machine cannot be used");
    }
    // A machine is judged once, however many hosts are on it.
    let others = doubts(|hosts| {
        together(hosts, false, 0.5);
        hosts.iter_mut().for_each(|host| host.busy = 3.9);
    });
    assert_eq!(told(&others), "DEGRADED others-busy host 1");
}

#[test]
fn lost_hosts_and_clocks_that_cannot_be_followed_are_doubts() {
    let lost = |hosts: &mut Vec<Host>| {
        hosts[1].part.lost = Some(Problem::new(foreign("load host host 2 was lost")));
        hosts[1].part.late_reports = 4;
    };
    let all = doubts(lost);
    assert_eq!(told(&all), "DEGRADED host-lost");
    assert!(all.iter().all(|doubt| doubt.verdict == Verdict::Degraded), "the plan lets the others go on: {all:#?}");
    let the_doubt = all.iter().find(|doubt| doubt.code == "host-lost").unwrap();
    assert_eq!(&*the_doubt.problem.what, "1 of 3 load hosts was lost during the trial");
    assert!(the_doubt.problem.evidence.as_ref().unwrap().contains("4 late reports"), "{the_doubt:#?}");

    for far in [
        (|part| part.late_ns = 60_000_000) as fn(&mut LoadHostPart),
        |part| part.offset_error_ns = 60_000_000,
        |part| (part.drift_ns, part.drift_error_ns) = (-70_000_000, 1_000_000),
    ] {
        assert_eq!(told(&doubts(|hosts| far(&mut hosts[1].part))), "DEGRADED hosts-not-together");
        assert_eq!(told(&doubts(|hosts| hosts[1].part.late_ns = 40_000_000)), "", "within 5 % of an interval");
    }
}

#[test]
fn a_rate_is_not_held_without_a_host_that_was_to_make_starts() {
    let held = |lost: bool| {
        let mut hosts = [host(1), host(2)];
        hosts[1].part.lost = lost.then(|| Problem::new(foreign("gone")));
        let mut summary = summary(&hosts);
        summary.trials[0].trial.load.schedule =
            Schedule::Open { rate: 2000.0, arrivals: Arrivals::Poisson, overload: Overload::Skip };
        let trial = &summary.trials[0];
        assert_eq!(trial.tally.accounting.scheduled, trial.tally.accounting.completed, "all that was started");
        is_held(trial)
    };
    assert_eq!((held(false), held(true)), (Some(true), Some(false)));
}

#[test]
fn a_clock_that_is_stepped_is_a_doubt_about_its_host() {
    let step = |ms: i64| {
        let steps = ClockSteps { count: 1, largest_ns: ms * 1_000_000 };
        doubts(|hosts| hosts[1].part.clock_steps = steps)
    };
    assert_eq!(told(&step(-20)), "DEGRADED clock-stepped");
    let far = step(2500);
    assert_eq!(told(&far), "INVALID clock-stepped", "by more than an interval");
    assert_eq!(far[0].problem.evidence.as_deref(), Some("host 2: by +2500.0 ms or more; an interval is 1000 ms"));
}

/// Eight clients of a group on two hosts, at work for nine tenths of the time: a start often finds all four of its host busy.
#[test]
fn a_host_has_its_own_clients_of_a_group_and_no_others() {
    let mut summary = summary(&[host(1), host(2)]);
    let t = &mut summary.trials[0];
    let schedule =
        Schedule::Open { rate: 800.0, arrivals: Arrivals::Poisson, overload: Overload::Queue { limit: 1000 } };
    t.trial.load.clients = 8;
    t.trial.load.groups.push(ClientGroup { name: "batch".into(), clients: 8, schedule });
    let mut transaction = TransactionTally { completed: 4000, ..TransactionTally::default() };
    for (wait_ms, n) in [(0, 3900), (30, 100)] {
        transaction.response.record_n((wait_ms + 9) * 1_000_000, n);
        transaction.service.record_n(9_000_000, n);
        transaction.wait.record_n(wait_ms * 1_000_000, n);
    }
    let mut own = Tally::default();
    (own.accounting.scheduled, own.accounting.completed) = (4000, 4000);
    own.transactions.insert(group_prefix("batch") + "script", transaction);
    own.groups.insert("batch".into(), GroupTally { accounting: own.accounting, ..GroupTally::default() });
    t.tally = own.clone();
    t.tally.merge(&own);
    t.hosts.values_mut().for_each(|host| (host.part.clients, host.tally) = (4, own.clone()));
    let of_group = |number| t.of_load_host(number).unwrap().trial.load.groups[0].clients;
    assert_eq!([of_group(1), of_group(2)], [4, 4]);
    let codes: Vec<&str> = t.doubts().iter().map(|doubt| doubt.code.as_str()).collect();
    assert!(!codes.contains(&"client-late"), "{codes:?}");
}
