//! On real threads and the real clock: what the paused clock cannot show. No test here depends on being fast.

use crate::fake::{Act, Call, Fake, Recorded, fake, load, work};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tenbin_client::Workload;
use tenbin_engine::{Drive, EngineEvent, drive};
use tenbin_model::event::Phase;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule, Workers};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn what(load: Load, warmup_ms: u64, measure_ms: u64) -> Drive {
    crate::fake::what(load, warmup_ms, measure_ms, 50)
}

fn run(what: &Drive, workload: &Fake) -> Recorded {
    crate::fake::run(what, workload, &StopSignal::new())
}

#[test]
fn the_number_of_operations_is_exact_over_any_spread() {
    for (clients, workers) in
        [(1, Workers::Count(1)), (7, Workers::Count(2)), (5, Workers::PerClient), (40, Workers::Auto)]
    {
        let load = Load { operations: Some(100), workers, ..load(clients) };
        let workload = fake(|_| Act::Work(Duration::ZERO));
        let recorded = run(&what(load, 0, 60_000), &workload);
        assert_eq!(recorded.cut_short(), "");
        let a = recorded.tally.accounting;
        assert_eq!((a.scheduled, a.completed, a.failed, a.skipped, a.open), (100, 100, 0, 0, 0));
        assert_eq!(recorded.tally.transactions["fake"].response.count(), 100);
        assert_eq!(recorded.tally.statements["only"].rows, 100);
        assert_eq!(workload.begun.load(Ordering::SeqCst), 100);
        assert_eq!(workload.closed.load(Ordering::SeqCst), u64::from(clients), "everybody said goodbye");
    }
}

#[test]
fn phases_and_intervals_follow_the_grid_whatever_the_load() {
    let recorded = run(&what(load(4), 120, 260), &fake(|_| work(5)));
    let ended = recorded.ended();
    let start = recorded.intervals[0].from_ns;
    let ends: Vec<_> = recorded.intervals.iter().map(|i| (i.phase, (i.to_ns - start) / 1_000_000)).collect();
    let (w, m) = (Phase::WarmUp, Phase::Measure);
    let expected = [(w, 50), (w, 100), (w, 120), (m, 170), (m, 220), (m, 270), (m, 320), (m, 370), (m, 380)];
    assert_eq!(ends, expected);
    let phases: Vec<_> = recorded.phases.iter().map(|(p, at)| (*p, (at - start) / 1_000_000)).collect();
    assert_eq!(phases, [(w, 0), (m, 120), (Phase::CoolDown, 380)]);
    assert_eq!((ended.measured_from_ns, ended.measured_to_ns), (start + 120_000_000, start + 380_000_000));
    assert!(recorded.intervals.iter().all(|i| i.clients == 4));
    let a = recorded.tally.accounting;
    assert!(a.completed > 0 && (0..=4).contains(&a.open), "{a:?}");
    assert!(ended.client_cpu_ns > 0);
}

#[test]
fn a_slow_listener_loses_nothing() {
    let workload: Arc<dyn Workload> = Arc::new(fake(|_| work(1)));
    let mut intervals = Vec::new();
    let load = Load { operations: None, ..load(2) };
    let outcome = drive(&what(load, 0, 500), &workload, &StopSignal::new(), &mut |slot| {
        if let EngineEvent::Interval { from_ns, to_ns, tally, .. } = slot {
            if intervals.is_empty() {
                std::thread::sleep(Duration::from_millis(230));
            }
            intervals.push((to_ns - from_ns, tally.accounting.completed));
        }
        Ok(())
    });
    assert!(outcome.is_ok());
    assert_eq!(intervals.len(), 10);
    assert!(intervals.iter().all(|(length, _)| *length == 50_000_000), "{intervals:?}");
    let while_it_slept: u64 = intervals[1..5].iter().map(|(_, completed)| completed).sum();
    assert!(while_it_slept > 0, "{intervals:?}");
}

#[test]
fn arrivals_are_kept_by_event_loops_and_by_threads() {
    let overload = Overload::Queue { limit: 100_000 };
    let schedule = Schedule::Open { rate: 1000.0, arrivals: Arrivals::Even, overload };
    for workers in [Workers::Count(2), Workers::PerClient] {
        let recorded = run(&what(Load { schedule, workers, ..load(8) }, 0, 300), &fake(|_| Act::Work(Duration::ZERO)));
        let a = recorded.tally.accounting;
        assert_eq!((a.scheduled, a.failed, a.skipped), (300, 0, 0));
        let t = &recorded.tally.transactions["fake"];
        assert_eq!(t.wait.count(), t.completed);
        // No transaction starts before its time: in 300 ms at this rate hardly more than 300 can have been begun.
        assert_eq!(a.completed as i64 + a.open, 300);
    }
}

#[test]
fn refused_clients_are_told_with_numbers_and_a_hint() {
    for workers in [Workers::Count(1), Workers::PerClient] {
        let workload = Fake { refuse_from: 7, ..fake(|_| Act::Work(Duration::ZERO)) };
        let recorded = run(&what(Load { workers, ..load(10) }, 0, 60_000), &workload);
        let problem = recorded.outcome.expect_err("refused");
        assert!(problem.what.contains("Too many connections (error 1040)"), "{problem}");
        assert!(problem.evidence.as_deref().is_some_and(|e| e.contains("of 10 clients were connected")), "{problem}");
        assert_eq!(problem.hint.as_deref(), Some("SET GLOBAL max_connections = 100"));
        assert_eq!(workload.begun.load(Ordering::SeqCst), 0, "no client began");
        assert!(workload.closed.load(Ordering::SeqCst) <= 7, "those who were in said goodbye");
    }
}

#[test]
fn a_panic_of_one_client_ends_the_drive_and_hangs_nothing() {
    for workers in [Workers::Count(1), Workers::PerClient] {
        let recorded = run(
            &what(Load { workers, ..load(4) }, 0, 60_000),
            &fake(|c| if c.n == 50 { Act::Panic } else { Act::Work(Duration::from_millis(1)) }),
        );
        let problem = recorded.ended().cut_short.clone().expect("cut short");
        assert!(problem.what.contains("panicked"), "{problem}");
        assert_eq!(problem.evidence.as_deref(), Some("told to panic"));
        assert!(recorded.tally.accounting.open >= 1, "what the client had under way is open");
    }
}

#[test]
fn the_user_can_stop_it() {
    let stop = StopSignal::new();
    let stopping = stop.clone();
    let workload: Arc<dyn Workload> = Arc::new(fake(|_| work(2)));
    let mut ends = Vec::new();
    let outcome = drive(&what(load(2), 0, 60_000), &workload, &stop, &mut |slot| {
        if let EngineEvent::Interval { from_ns, to_ns, .. } = slot {
            ends.push(to_ns - from_ns);
            if ends.len() == 2 {
                stopping.ask();
            }
        }
        Ok(())
    });
    let ended = outcome.expect("a drive");
    assert_eq!(ended.cut_short.map(|p| p.what).as_deref(), Some("stopped by the user"));
    // On a busy machine the third is over before it is asked.
    assert!((3..1000).contains(&ends.len()) && ends.iter().all(|ns| *ns == 50_000_000), "not finished: {ends:?}");
}

#[test]
fn a_client_stuck_in_a_blocking_call_does_not_keep_the_drive() {
    let stuck =
        Fake { blocks: true, ..fake(|c| if c.client == 1 { Act::Block(Duration::from_secs(600)) } else { work(1) }) };
    let stop = StopSignal::new();
    let stopping = stop.clone();
    let workload: Arc<dyn Workload> = Arc::new(stuck);
    let start = Instant::now();
    let mut text = 0;
    let outcome = drive(&what(load(2), 0, 600_000), &workload, &stop, &mut |slot| {
        if let EngineEvent::Interval { .. } = slot {
            text += 1;
            if text == 2 {
                stopping.ask();
                stopping.ask();
            }
        }
        Ok(())
    });
    assert_eq!(outcome.expect("a drive").cut_short.map(|p| p.what).as_deref(), Some("stopped at once by the user"));
    assert!(start.elapsed() < Duration::from_secs(500), "it did not wait for the stuck client");
}

#[test]
fn ten_thousand_clients_in_one_process() {
    let load = Load { operations: Some(30_000), ..load(10_000) };
    let workload = fake(|_| work(1));
    let recorded = run(&what(load, 0, 120_000), &workload);
    assert_eq!((recorded.cut_short(), recorded.ended().workers), ("", 1));
    assert_eq!(recorded.tally.accounting.completed, 30_000);
    assert_eq!(workload.closed.load(Ordering::SeqCst), 10_000);
}

#[test]
fn a_failing_listener_ends_the_drive() {
    let workload: Arc<dyn Workload> = Arc::new(fake(|_| work(1)));
    let outcome = drive(&what(load(2), 0, 60_000), &workload, &StopSignal::new(), &mut |slot| match slot {
        EngineEvent::Interval { .. } => Err(Problem::new(foreign("the disk is full"))),
        EngineEvent::Connected | EngineEvent::Undecided { .. } | EngineEvent::Phase { .. } => Ok(()),
    });
    assert_eq!(outcome.expect_err("the listener's problem").what, "the disk is full");
}

#[test]
fn nonsense_is_refused() {
    let refused = |what: &Drive| run(what, &fake(|_| work(1))).outcome.expect_err("refused").what;
    assert!(refused(&what(load(0), 0, 100)).contains("at least one client"));
    assert!(refused(&Drive { interval_ms: 0, ..what(load(1), 0, 100) }).contains("interval of 0 ms"));
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let schedule = Schedule::Open { rate, arrivals: Arrivals::Even, overload: Overload::Skip };
        assert!(refused(&what(Load { schedule, ..load(1) }, 0, 100)).contains("arrival rate"), "{rate}");
    }
}

/// The class of the calling thread: the 41st field of `stat` in proc(5).
#[cfg(target_os = "linux")]
fn scheduling_class() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("a mounted /proc");
    let after_name = stat.rsplit(')').next().expect("a line");
    after_name.split_whitespace().nth(38).and_then(|class| class.parse().ok()).expect("the 41st field")
}

#[test]
#[cfg(target_os = "linux")]
fn clients_do_not_interrupt_a_server_on_their_cores_unless_they_have_to_start_in_time() {
    // sched(7): SCHED_OTHER and SCHED_BATCH.
    const OTHER: u64 = 0;
    const BATCH: u64 = 3;
    let here = scheduling_class();
    assert_eq!(here, OTHER, "tests run in the default class");
    let rate = Schedule::Open { rate: 1000.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 1000 } };
    let rests: fn(u32) -> Duration = |_| Duration::from_millis(1);
    for (shares_cores, schedule, rests, wanted) in [
        (true, Schedule::Closed, None, BATCH),
        (false, Schedule::Closed, None, OTHER),
        (true, rate, None, OTHER),
        (true, Schedule::Closed, Some(rests), OTHER),
    ] {
        for workers in [Workers::Count(1), Workers::PerClient] {
            let slot = Arc::new(AtomicU64::new(u64::MAX));
            let record = {
                let slot = slot.clone();
                move |_: &Call| {
                    slot.store(scheduling_class(), Ordering::SeqCst);
                    work(1)
                }
            };
            let workload = Fake { shares_cores, rests, ..fake(record) };
            let load = Load { schedule, workers, operations: Some(4), ..load(2) };
            run(&what(load, 0, 60_000), &workload);
            let slot = slot.load(Ordering::SeqCst);
            assert_eq!(slot, wanted, "{shares_cores} {schedule:?} {workers:?} {}", rests.is_some());
        }
    }
    assert_eq!(scheduling_class(), here, "only the threads of the clients");
}
