//! Plan in, events out: the engine driven against a workload that does what each test tells it to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Error, Reply, Transport};
use tenbin_engine::{Drive, Ended, Seen, drive};
use tenbin_model::event::Phase;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::{StatementKind, Tally};
use tenbin_model::trial::{Arrivals, Load, Overload, Policy, Schedule, Workers};
use tenbin_workload::{Client, Step, Turn, Workload};

/// What the n-th transaction of the whole drive does.
type Script = Arc<dyn Fn(u64, u32) -> Act + Send + Sync>;

enum Act {
    Work(Duration),
    Fail(Class),
    Panic,
}

struct Fake {
    script: Script,
    done: Arc<AtomicU64>,
    /// Connections that are still refused; counts down.
    refuse: Arc<AtomicU64>,
    refuse_first: u32,
}

fn fake(script: impl Fn(u64, u32) -> Act + Send + Sync + 'static) -> Fake {
    Fake { script: Arc::new(script), done: Arc::default(), refuse: Arc::default(), refuse_first: 0 }
}

impl Workload for Fake {
    fn name(&self) -> &str {
        "fake"
    }
    fn transactions(&self) -> Vec<String> {
        vec!["fake".into()]
    }
    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("only".into(), StatementKind::Read)]
    }
    fn prepared_per_connection(&self) -> u32 {
        0
    }
    fn blocks(&self) -> bool {
        false
    }
    fn local(&self) -> bool {
        true
    }
    fn client(&self, number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(FakeClient {
            script: self.script.clone(),
            done: self.done.clone(),
            refuse: self.refuse.clone(),
            refused: number < self.refuse_first,
        })
    }
}

struct FakeClient {
    script: Script,
    done: Arc<AtomicU64>,
    refuse: Arc<AtomicU64>,
    refused: bool,
}

impl Client for FakeClient {
    fn connect(&mut self, _: Transport) -> Step<'_, ()> {
        Box::pin(async move {
            let down = self.refuse.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok();
            if down || self.refused {
                return Err(Error::new(Class::Limit, "Too many connections")
                    .code(1040)
                    .mend("SET GLOBAL max_connections = 100"));
            }
            Ok(())
        })
    }
    fn transaction<'a>(&'a mut self, turn: &'a mut Turn) -> Step<'a, usize> {
        Box::pin(async move {
            let n = self.done.fetch_add(1, Ordering::SeqCst);
            match (self.script)(n, turn.attempt) {
                Act::Work(time) => {
                    let work = async {
                        if !time.is_zero() {
                            tokio::time::sleep(time).await;
                        } else {
                            tokio::task::yield_now().await;
                        }
                        Ok(Reply { rows: 1, affected: 0 })
                    };
                    turn.time(0, work).await?;
                    Ok(0)
                }
                Act::Fail(class) => {
                    turn.time(0, async { Err(Error::new(class, "told to fail").code(1213)) }).await?;
                    Ok(0)
                }
                Act::Panic => panic!("told to panic"),
            }
        })
    }
    fn recover(&mut self) -> Step<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    fn close(&mut self) -> Step<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

fn load(clients: u32) -> Load {
    Load {
        workload: "fake".into(),
        options: Default::default(),
        clients,
        workers: Workers::Count(1),
        schedule: Schedule::Closed,
        operations: None,
        policy: Policy { retries: 3, reconnect: true, stop_on_error: true },
    }
}

fn what(load: Load, warmup_ms: u64, measure_ms: u64) -> Drive {
    Drive { load, warmup_ms, measure_ms, interval_ms: 50, seed: 1, origin: Instant::now() }
}

struct Told {
    outcome: Result<Ended, Problem>,
    /// Of the measured phase.
    tally: Tally,
    phases: Vec<Phase>,
    intervals: Vec<(Phase, u64, u64)>,
}

fn run_with(what: &Drive, workload: &Fake, stop: &StopSignal) -> Told {
    let (mut tally, mut phases, mut intervals) = (Tally::default(), Vec::new(), Vec::new());
    let outcome = drive(what, workload, stop, &mut |seen| {
        match seen {
            Seen::Phase { phase, .. } => phases.push(phase),
            Seen::Interval { phase, from_ns, to_ns, tally: t, .. } => {
                assert!(t.accounting.balances(), "an interval does not balance: {:?}", t.accounting);
                intervals.push((phase, from_ns, to_ns));
                if phase == Phase::Measure {
                    tally.merge(&t);
                }
            }
        }
        Ok(())
    });
    assert!(tally.accounting.balances(), "{:?}", tally.accounting);
    Told { outcome, tally, phases, intervals }
}

fn run(what: &Drive, workload: &Fake) -> Told {
    run_with(what, workload, &StopSignal::new())
}

#[test]
fn the_number_of_operations_is_exact() {
    for (clients, workers) in [(1, Workers::Count(1)), (7, Workers::Count(2)), (5, Workers::PerClient)] {
        let load = Load { operations: Some(100), workers, ..load(clients) };
        let workload = fake(|_, _| Act::Work(Duration::ZERO));
        let told = run(&what(load, 0, 60_000), &workload);
        assert_eq!(told.outcome.unwrap().cut_short, None);
        let a = told.tally.accounting;
        assert_eq!((a.scheduled, a.completed, a.failed, a.skipped, a.open), (100, 100, 0, 0, 0));
        assert_eq!(told.tally.transactions["fake"].response.count(), 100);
        assert_eq!(told.tally.statements["only"].rows, 100);
        assert_eq!(workload.done.load(Ordering::SeqCst), 100);
    }
}

#[test]
fn warm_up_is_driven_and_not_counted() {
    let workload = fake(|_, _| Act::Work(Duration::from_millis(5)));
    let told = run(&what(load(4), 200, 300), &workload);
    let ended = told.outcome.unwrap();
    assert_eq!(told.phases, [Phase::WarmUp, Phase::Measure, Phase::CoolDown]);
    assert_eq!(ended.measured_to_ns - ended.measured_from_ns, 300_000_000);
    let all = workload.done.load(Ordering::SeqCst);
    let counted = told.tally.accounting.completed;
    assert!(counted > 0 && counted < all - 4, "{counted} of {all}");
    // What was under way when the window closed is open, one transaction per client at the most.
    assert!(told.tally.accounting.open <= 4);
    // Intervals follow each other without a gap and never straddle phases.
    for pair in told.intervals.windows(2) {
        assert_eq!(pair[0].2, pair[1].1);
    }
    let measured: Vec<_> = told.intervals.iter().filter(|i| i.0 == Phase::Measure).collect();
    assert_eq!((measured[0].1, measured[measured.len() - 1].2), (ended.measured_from_ns, ended.measured_to_ns));
}

#[test]
fn conflicts_are_tried_again_and_given_up() {
    // Every transaction meets a conflict twice, the seventh hundred always.
    let workload = fake(|_, attempt| if attempt < 2 { Act::Fail(Class::Conflict) } else { Act::Work(Duration::ZERO) });
    let told = run(&what(Load { operations: Some(50), ..load(2) }, 0, 60_000), &workload);
    let t = &told.tally.transactions["fake"];
    assert_eq!((t.completed, t.failed, t.retries), (50, 0, 100));
    assert_eq!(told.tally.statements["only"].errors["1213"], 100);

    let workload = fake(|_, _| Act::Fail(Class::Conflict));
    let told = run(&what(Load { operations: Some(10), ..load(2) }, 0, 60_000), &workload);
    let t = &told.tally.transactions["fake"];
    assert_eq!((t.completed, t.failed, t.retries), (0, 10, 30));
    assert_eq!(t.failed_service.count(), 10, "failures keep their time");
    assert_eq!(told.tally.accounting.failed, 10);
}

#[test]
fn a_wrong_statement_ends_the_drive_or_is_counted() {
    let script = |n, _| if n == 20 { Act::Fail(Class::Sql) } else { Act::Work(Duration::from_millis(1)) };
    let told = run(&what(load(3), 0, 60_000), &fake(script));
    let problem = told.outcome.unwrap().cut_short.expect("cut short");
    assert!(problem.what.contains("told to fail"), "{problem}");
    assert!(told.tally.accounting.completed >= 15, "what was counted until then has been told");

    let policy = Policy { stop_on_error: false, ..Policy::default() };
    let told = run(&what(Load { operations: Some(60), policy, ..load(3) }, 0, 60_000), &fake(script));
    assert_eq!(told.outcome.unwrap().cut_short, None);
    assert_eq!((told.tally.accounting.completed, told.tally.accounting.failed), (59, 1));
}

#[test]
fn an_outage_is_waited_for_and_shows_in_the_response_time() {
    let workload = fake(|n, _| if n == 10 { Act::Fail(Class::Lost) } else { Act::Work(Duration::from_millis(1)) });
    let refuse = workload.refuse.clone();
    let script = workload.script.clone();
    let workload = Fake {
        script: Arc::new(move |n, attempt| {
            if n == 10 {
                refuse.store(2, Ordering::SeqCst); // two attempts fail: 100 ms, then 200 ms
            }
            script(n, attempt)
        }),
        ..workload
    };
    let told = run(&what(Load { operations: Some(30), ..load(1) }, 0, 60_000), &workload);
    assert_eq!(told.outcome.unwrap().cut_short, None);
    assert_eq!(told.tally.reconnects, 1);
    assert_eq!((told.tally.accounting.completed, told.tally.accounting.failed), (29, 1));
    let t = &told.tally.transactions["fake"];
    assert!(t.response.max_ns() >= 300_000_000, "the outage counts from when the client wanted to go on: {t:?}");
    assert!(t.service.max_ns() < t.response.max_ns());
    assert!(t.wait.max_ns() >= 300_000_000);
}

#[test]
fn without_reconnecting_the_last_lost_client_ends_the_drive() {
    let policy = Policy { reconnect: false, ..Policy::default() };
    let told = run(&what(Load { policy, ..load(2) }, 0, 60_000), &fake(|_, _| Act::Fail(Class::Lost)));
    let problem = told.outcome.unwrap().cut_short.expect("cut short");
    assert!(problem.what.contains("all clients lost their connections"), "{problem}");
    assert_eq!(told.tally.accounting.failed, 2);
}

#[test]
fn refused_clients_are_told_with_numbers_and_a_way_out() {
    let workload = Fake { refuse_first: 3, ..fake(|_, _| Act::Work(Duration::ZERO)) };
    let told = run(&what(load(10), 0, 60_000), &workload);
    let problem = told.outcome.unwrap_err();
    assert!(problem.what.contains("Too many connections (error 1040)"), "{problem}");
    assert!(problem.evidence.as_deref().is_some_and(|e| e.contains("of 10 clients were connected")), "{problem}");
    assert_eq!(problem.mend.as_deref(), Some("SET GLOBAL max_connections = 100"));
    assert_eq!(workload.done.load(Ordering::SeqCst), 0, "nobody began");
}

#[test]
fn a_panic_of_one_client_ends_the_drive_and_hangs_nothing() {
    let told = run(
        &what(load(4), 0, 60_000),
        &fake(|n, _| if n == 50 { Act::Panic } else { Act::Work(Duration::from_millis(1)) }),
    );
    let problem = told.outcome.unwrap().cut_short.expect("cut short");
    assert!(problem.what.contains("panicked"), "{problem}");
}

#[test]
fn the_user_can_stop_it() {
    let stop = StopSignal::new();
    let asked = stop.clone();
    let helper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(120));
        asked.ask();
    });
    let told = run_with(&what(load(2), 0, 60_000), &fake(|_, _| Act::Work(Duration::from_millis(2))), &stop);
    helper.join().unwrap();
    let ended = told.outcome.unwrap();
    assert_eq!(ended.cut_short.unwrap().what, "stopped by the user");
    // The interval is finished: its end lies on the grid of 50 ms, or a little behind it.
    let (last, first) = (told.intervals[told.intervals.len() - 1], told.intervals[0]);
    assert!((last.2 - first.1) >= (told.intervals.len() as u64) * 50_000_000, "{last:?}");
    assert!(ended.measured_to_ns > ended.measured_from_ns);
}

#[test]
fn open_loop_counts_from_the_intended_start() {
    // The twentieth transaction stalls for 300 ms; one client, so all behind it wait.
    let workload = fake(|n, _| Act::Work(Duration::from_millis(if n == 20 { 300 } else { 1 })));
    let schedule = Schedule::Open { rate: 100.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 1000 } };
    let told = run(&what(Load { schedule, ..load(1) }, 0, 1000), &workload);
    assert_eq!(told.tally.accounting.scheduled, 100);
    let t = &told.tally.transactions["fake"];
    let late =
        |h: &tenbin_model::histogram::Histogram| h.buckets().filter(|b| b.0 > 100_000_000).map(|b| b.1).sum::<u64>();
    assert_eq!(late(&t.service), 1, "one was slow");
    assert!(late(&t.response) >= 15, "those behind it waited: {}", late(&t.response));
}

#[test]
fn overload_policies() {
    let slow = || fake(|_, _| Act::Work(Duration::from_millis(50)));
    let open =
        |overload| Load { schedule: Schedule::Open { rate: 200.0, arrivals: Arrivals::Poisson, overload }, ..load(1) };
    let told = run(&what(open(Overload::Skip), 0, 500), &slow());
    let a = told.tally.accounting;
    assert!(a.skipped > a.completed && a.completed > 3, "{a:?}");
    let told = run(&what(open(Overload::Queue { limit: 5 }), 0, 500), &slow());
    let a = told.tally.accounting;
    assert!(a.skipped > 0 && a.open >= 5 && a.open <= 6, "{a:?}");
    let told = run(&what(open(Overload::Stop { limit: 5 }), 0, 60_000), &slow());
    let problem = told.outcome.unwrap().cut_short.expect("cut short");
    assert!(problem.what.contains("could not keep up"), "{problem}");
}

#[test]
fn ten_thousand_clients_in_one_process() {
    let load = Load { operations: Some(30_000), ..load(10_000) };
    let told = run(&what(load, 0, 120_000), &fake(|_, _| Act::Work(Duration::from_millis(1))));
    let ended = told.outcome.unwrap();
    assert_eq!((ended.cut_short, ended.workers), (None, 1));
    assert_eq!(told.tally.accounting.completed, 30_000);
}

#[test]
fn a_failing_listener_ends_the_drive() {
    let workload = fake(|_, _| Act::Work(Duration::from_millis(1)));
    let outcome = drive(&what(load(2), 0, 60_000), &workload, &StopSignal::new(), &mut |seen| match seen {
        Seen::Interval { .. } => Err(Problem::new("the disk is full")),
        Seen::Phase { .. } => Ok(()),
    });
    assert_eq!(outcome.unwrap_err().what, "the disk is full");
}
