//! Runs a case, and checks what the coordinator reported against what the hosts know themselves.

use super::case::{Case, End};
use super::network::{Connected, World};
use super::terminals::Terminals;
use std::time::{Duration, Instant};
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace};
use tenbin_hosts::protocol::{Assignment, PartInterval};
use tenbin_hosts::{HostEvent, HostsEnded, LEASE, LoadHosts};
use tenbin_model::event::Phase;
use tenbin_model::load_host::{IfLost, LoadHostPart};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Arrivals, Load, Policy, Schedule, Trial, Workers};
use tenbin_model::workload::{Catalog, DataSize, Ends, WorkloadInfo};
use tenbin_words::problem::Problem;

/// How a case went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// A host was lost before the start.
    NotStarted,
    /// To the planned end, by all hosts.
    Complete,
    /// Ended early as the user asked.
    AsAsked,
    /// To its end, by those that were left.
    WithoutTheLost,
    /// Ended because a host was lost.
    EndedByLoss,
}

impl Outcome {
    pub const ALL: [Outcome; 5] =
        [Outcome::NotStarted, Outcome::Complete, Outcome::AsAsked, Outcome::WithoutTheLost, Outcome::EndedByLoss];
}

/// What the coordinator reported.
#[derive(Default)]
struct Told {
    together: Vec<PartInterval>,
    /// By host.
    parts: Vec<Vec<PartInterval>>,
    noted: Vec<(usize, String)>,
}

impl Told {
    /// From the common start to the end of the last interval.
    fn length_ns(&self) -> u64 {
        self.together.last().map_or(0, |last| last.to_ns - self.together[0].from_ns)
    }

    /// How many hosts were noted as lost.
    fn lost(&self) -> usize {
        self.noted.iter().filter(|(_, what)| what.contains("was lost")).count()
    }
}

pub fn run(case: &Case) -> Outcome {
    let mut world = World::new(case);
    let (began, terminals) = (world.began(), world.terminals(case));
    let (ended, outcome) = world.coordinate(|view| {
        let stop = StopSignal::new();
        let mut outcome = Told { parts: vec![Vec::new(); case.fates.len()], ..Told::default() };
        let joined = LoadHosts::over(Box::new(view), case.if_lost, true, "0.1.0", &stop);
        let ended = joined.and_then(|mut hosts| drive(case, (began, &terminals), &mut hosts, &stop, &mut outcome));
        (ended, outcome)
    });
    // All orders and reports that are still on their way arrive, and all leases end.
    world.pass(Duration::from_secs(30));

    let lost = |host: usize| ended.as_ref().is_ok_and(|ended| ended.parts[host].lost.is_some());
    for (number, host) in world.hosts.iter().enumerate() {
        stops_loading(host);
        counts_what_happened(case, host);
        let accepted = &outcome.parts[number];
        let diary = host.diary.borrow();
        assert!(accepted.len() <= diary.reported.len());
        for (accepted, reported) in accepted.iter().zip(&diary.reported) {
            assert_eq!(&accepted.tally, &reported.tally, "each once, in order, unchanged: host {number}");
        }
        if ended.is_ok() && !lost(number) {
            let left_out = diary.reported.len() - accepted.len();
            // It learned too late when to end.
            let is_told = outcome.noted.iter().any(|(of, what)| *of == number && what.contains("learned too late"));
            assert!(left_out == 0 || is_told, "all that host {number} reported is taken: {left_out} {ended:?}");
        }
        if let Ok(ended) = &ended {
            notices_steps(case, number, host, &ended.parts[number], &outcome);
        }
        assert!(!host.is_closed || ended.is_err() || lost(number), "who is lost is told");
    }
    let Ok(ended) = ended else {
        assert!(!case.is_calm, "late messages alone do no harm: {ended:?}");
        return Outcome::NotStarted;
    };
    adds_up(&outcome);
    judged(case, &outcome, &ended)
}

fn drive(
    case: &Case,
    (began, terminals): (Instant, &Terminals),
    hosts: &mut LoadHosts,
    stop: &StopSignal,
    told: &mut Told,
) -> Result<HostsEnded, Problem> {
    let policy = Policy { stop_on_error: false, ..Policy::default() };
    let trial = trial(case);
    let (schedule, workers) = (case.schedule, Workers::Count(1));
    let load = Load { clients: case.clients, schedule, workers, policy, ..trial.load.clone() };
    let control = DriveControl::default();
    let what = Drive {
        load: load.clone(),
        warmup_ms: case.warmup_ms,
        measure_ms: case.measure_ms,
        interval_ms: case.interval_ms,
        seed: case.seed,
        origin: began,
        part: LoadPart::ALL,
        server: ServerPlace::Apart,
        control: control.clone(),
    };
    let assign = |part: LoadPart| Assignment {
        part: part.number,
        parts: part.of,
        trial: Trial { seed: case.seed, ..trial.clone() },
        load: load.clone(),
        round_trips: false,
        warmup_ms: case.warmup_ms,
        measure_ms: case.measure_ms,
        interval_ms: case.interval_ms,
        address: "mysql://u@db/x".into(),
        password: None,
    };
    hosts.drive(&what, terminals, &assign, stop, &mut |event| {
        match event {
            HostEvent::Together(EngineEvent::Interval {
                phase,
                from_ns,
                to_ns,
                clients,
                tally,
                completions,
                idle,
                ..
            }) => {
                told.together.push(PartInterval { phase, from_ns, to_ns, clients, tally, completions, idle });
                match case.ends.filter(|(after, _)| *after == told.together.len()) {
                    Some((_, End::Enough)) => control.enough.ask(),
                    Some((_, End::Stop)) => stop.ask(),
                    Some((_, End::StopAtOnce)) => (0..2).for_each(|_| stop.ask()),
                    None => {}
                }
            }
            HostEvent::Part { host, part } => told.parts[host].push(part),
            HostEvent::Noted { host, problem } => told.noted.push((host, problem.what.to_string())),
            _ => {}
        }
        Ok(())
    })
}

/// No transaction begins later than one second after the end of the lease, in which the drive ends.
fn stops_loading(host: &Connected) {
    let last = host.ledger.lock().unwrap().begun.last().copied().unwrap_or(0);
    let latest = host.diary.borrow().heard_ns + (LEASE + Duration::from_secs(1)).as_nanos() as u64;
    assert!(last <= latest, "it loads the server {} ms after the end of its lease", (last - latest) / 1_000_000);
}

/// A clock that was stepped while the host was driving is reported by its name, and no other.
fn notices_steps(case: &Case, number: usize, host: &Connected, part: &LoadHostPart, is_noted: &Told) {
    let is_noted = is_noted.noted.iter().any(|(of, what)| *of == number && what.contains("was stepped"));
    let (fate, diary) = (&case.fates[number], host.diary.borrow());
    let Some((at_ns, by_ns)) = fate.clock.step else {
        return assert!(!is_noted && part.clock_steps.is_none(), "no clock was stepped: {:?}", part.clock_steps);
    };
    assert!(part.clock_steps.is_none() || part.clock_steps.largest_ns.signum() == by_ns.signum());
    let reached_ns = diary.reported.last().map_or(0, |last| last.to_ns);
    let later_ns = 3_000_000_000;
    if diary.start_ns.is_some_and(|start_ns| start_ns < at_ns && at_ns + later_ns < start_ns + reached_ns)
        && part.lost.is_none()
    {
        assert!(is_noted && part.clock_steps.count == 1, "it was stepped: {:?}", part.clock_steps);
    }
}

/// What the engine counted in each interval is what the terminals noted.
fn counts_what_happened(case: &Case, host: &Connected) {
    let (diary, ledger) = (host.diary.borrow(), host.ledger.lock().unwrap());
    let mut reached_ns = 0;
    for (nth, part) in diary.reported.iter().enumerate() {
        let start_ns = diary.start_ns.unwrap();
        assert_eq!(part.from_ns, reached_ns, "intervals follow each other");
        reached_ns = part.to_ns;
        let counted = &part.tally.accounting;
        assert!(counted.balances(), "{counted:?}");
        let is_closed = case.schedule == Schedule::Closed && case.habits.rest_ms == 0;
        // In a closed loop a transaction belongs to the phase in which it ends; at a rate to that of its intended start, which
        // terminals know if it is that at which they begin.
        let measured_ns = start_ns + case.warmup_ms * 1_000_000;
        // Those of clients that began late do not.
        let is_known =
            case.warmup_ms == 0 || is_closed && ledger.begun.first().is_some_and(|first| *first < measured_ns);
        let is_last_of_aborted = diary.was_aborted && nth + 1 == diary.reported.len();
        if is_last_of_aborted || !is_known {
            continue;
        }
        let (from_ns, to_ns) = (start_ns + part.from_ns, start_ns + part.to_ns);
        let at = |ns| ledger.ended.partition_point(|ended| ended.ended_ns < ns);
        let ended = || {
            let within = &ledger.ended[at(from_ns)..at(to_ns)];
            let in_phase = |begun_ns| (begun_ns >= measured_ns) == (part.phase == Phase::Measure);
            within.iter().filter(move |ended| is_closed || in_phase(ended.begun_ns))
        };
        let failed = ended().filter(|ended| ended.has_failed).count() as u64;
        assert_eq!((counted.completed, counted.failed), (ended().count() as u64 - failed, failed), "{part:?}");
        if is_closed {
            let at = |ns| ledger.begun.partition_point(|&begun_ns| begun_ns < ns);
            assert_eq!(counted.scheduled, (at(to_ns) - at(from_ns)) as u64, "{part:?}");
        }
    }
}

/// The whole is the sum of its parts, in each interval.
fn adds_up(outcome: &Told) {
    let mut left: Vec<_> = outcome.parts.iter().map(|parts| parts.iter().peekable()).collect();
    let mut all = Tally::default();
    for (nth, merged) in outcome.together.iter().enumerate() {
        let mut sum = Tally::default();
        let mut clients = 0;
        for parts in &mut left {
            if let Some(part) = parts.next_if(|part| part.from_ns == merged.from_ns) {
                sum.merge(&part.tally);
                clients += part.clients;
            }
        }
        assert_eq!((&merged.tally, merged.clients), (&sum, clients));
        assert!(merged.tally.accounting.balances());
        let before = nth.checked_sub(1).map(|before| outcome.together[before].to_ns);
        assert!(before.is_none_or(|before| before == merged.from_ns), "without a gap");
        all.merge(&merged.tally);
    }
    assert!(left.iter_mut().all(|parts| parts.next().is_none()), "what was taken is merged");
    assert!(all.accounting.balances() && all.accounting.open >= 0, "{:?}", all.accounting);
}

fn judged(case: &Case, outcome: &Told, ended: &HostsEnded) -> Outcome {
    let lost = ended.parts.iter().filter(|part| part.lost.is_some()).count();
    let cut_short = ended.ended.cut_short.as_ref().map_or(String::new(), |problem| problem.what.to_string());
    let is_asked = cut_short.contains("by the user");
    if lost > 0 {
        assert!(!case.is_calm, "late messages alone do no harm");
        assert!(case.if_lost == IfLost::Stop || is_asked || outcome.lost() == lost, "{:?}", outcome.noted);
        return if cut_short.is_empty() { Outcome::WithoutTheLost } else { Outcome::EndedByLoss };
    }
    let has_repeats = case.fates.iter().any(|fate| fate.up.repeated > 0);
    assert!(has_repeats || ended.parts.iter().all(|part| part.late_reports == 0));
    if is_asked || outcome.length_ns() < (case.warmup_ms + case.measure_ms) * 1_000_000 {
        assert!(case.ends.is_some(), "{cut_short}");
        return Outcome::AsAsked;
    }
    assert_eq!(cut_short, "");
    if case.ends.is_none()
        && let Schedule::Open { rate, arrivals: Arrivals::Even, .. } = case.schedule
    {
        let scheduled: u64 = outcome.together.iter().map(|interval| interval.tally.accounting.scheduled).sum();
        let due = rate * (case.warmup_ms + case.measure_ms) as f64 / 1e3;
        assert!((scheduled as f64 - due).abs() <= 1.0, "{scheduled} of {due}");
    }
    Outcome::Complete
}

fn trial(case: &Case) -> Trial {
    let info = WorkloadInfo {
        name: "fake",
        family: "fake",
        dataset: "fake",
        shared: Vec::new(),
        table_per_client: false,
        has_groups: false,
        reads_only: true,
        ends: Ends::Never,
        paces_with: None,
    };
    let sizes = vec![DataSize { kind: "fake", option: "rows", default: "1", least: 1 }];
    let catalog = Catalog { workloads: vec![info], default_dataset: "fake", sizes };
    let plan = "schema = 1\n[targets]\na = { dsn = \"mysql://u@db/x\" }\n[[experiment]]\nname = \"e\"\n\
                load.workload = \"fake\"\n";
    let plan = Plan::parse(plan, &catalog).unwrap_or_else(|problems| panic!("{problems:#?}"));
    Trial { seed: case.seed, ..expand(&plan).remove(0) }
}
