//! A workload that does what a script says, and what a test reads of a drive.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tenbin_client::{BoxFuture, Class, Client, Error, Reply, TargetReach, TransactionContext, Transport, Workload};
use tenbin_engine::{Drive, DriveControl, Ended, EngineEvent, LoadPart, ServerPlace, drive, drive_here};
use tenbin_model::event::{Completions, Phase};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::{StatementKind, Tally};
use tenbin_model::trial::{Load, Policy, Workers};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;
use tokio::runtime::{Builder, LocalOptions};

/// One attempt of a transaction.
pub struct Call {
    pub client: u32,
    /// Its number in the whole drive, over all clients, from 0.
    pub n: u64,
    pub attempt: u32,
}

/// What an attempt does.
pub enum Act {
    Work(Duration),
    Fail(Class),
    /// Works this long, then fails.
    FailAfter(Duration, Class),
    /// Blocks its thread.
    Block(Duration),
    /// As many transactions in one call as the engine leaves to it, each this long.
    Burst(Duration),
    Panic,
    /// Works this long and has no more to do.
    Last(Duration),
    /// Was due this long before its client was free, by a schedule of the workload's own; then works this long.
    Overdue(Duration, Duration),
    /// Ends its client without a transaction.
    Quit,
}

pub fn work(ms: u64) -> Act {
    Act::Work(Duration::from_millis(ms))
}

/// The workload; clones share what they count.
#[derive(Clone)]
pub struct Fake {
    pub script: Arc<dyn Fn(&Call) -> Act + Send + Sync>,
    pub blocks: bool,
    pub shares_cores: bool,
    /// Transactions that a client would like to do in one call.
    pub burst: u32,
    /// Clients from this number on are refused at the start.
    pub refuse_from: u32,
    /// How many of the next connections are refused.
    pub refuse: Arc<AtomicU64>,
    /// How long client number so rests before each transaction; nothing: it goes on at once.
    pub rests: Option<fn(u32) -> Duration>,
    /// How long ROLLBACK takes.
    pub recover: Duration,
    /// How long closing a client takes, and the rows of how many transactions that writes.
    pub goodbye: (Duration, u64),
    pub begun: Arc<AtomicU64>,
    pub connects: Arc<AtomicU64>,
    pub closed: Arc<AtomicU64>,
}

pub fn fake(script: impl Fn(&Call) -> Act + Send + Sync + 'static) -> Fake {
    Fake {
        script: Arc::new(script),
        blocks: false,
        shares_cores: true,
        burst: 1,
        refuse_from: u32::MAX,
        refuse: Arc::default(),
        rests: None,
        recover: Duration::ZERO,
        goodbye: (Duration::ZERO, 0),
        begun: Arc::default(),
        connects: Arc::default(),
        closed: Arc::default(),
    }
}

struct FakeClient {
    number: u32,
    fake: Fake,
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
    fn counters(&self) -> Vec<String> {
        vec!["seven".into()]
    }
    fn paces(&self) -> bool {
        self.rests.is_some()
    }
    fn reach(&self) -> TargetReach {
        TargetReach { blocks: self.blocks, shares_cores: self.shares_cores, ..TargetReach::default() }
    }
    fn burst(&self) -> u32 {
        self.burst
    }
    fn client(&self, number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(FakeClient { number, fake: self.clone() })
    }
}

impl Client for FakeClient {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Fake { refuse, connects, refuse_from, .. } = &self.fake;
            connects.fetch_add(1, Ordering::SeqCst);
            let down = refuse.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok();
            if down || self.number >= *refuse_from {
                let error = Error::new(Class::Limit, foreign("Too many connections")).code(1040);
                return Err(error.hint(foreign("SET GLOBAL max_connections = 100")));
            }
            Ok(())
        })
    }

    fn pause(&mut self) -> Duration {
        self.fake.rests.map_or(Duration::ZERO, |rest| rest(self.number))
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            context.count(0, 7);
            let n = self.fake.begun.fetch_add(1, Ordering::SeqCst);
            let fail = |class| Err(Error::new(class, foreign("told to fail")).code(1213));
            match (self.fake.script)(&Call { client: self.number, n, attempt: context.attempt }) {
                Act::Work(time) if time.is_zero() => {
                    let work = async {
                        tokio::task::yield_now().await;
                        Ok(Reply { rows: 1, ..Reply::default() })
                    };
                    context.time(0, work).await?;
                }
                Act::Work(time) => {
                    let work = async {
                        tokio::time::sleep(time).await;
                        Ok(Reply { rows: 1, ..Reply::default() })
                    };
                    context.time(0, work).await?;
                }
                Act::Fail(class) => {
                    context.time(0, async { fail(class) }).await?;
                }
                Act::FailAfter(time, class) => {
                    let work = async {
                        tokio::time::sleep(time).await;
                        fail(class)
                    };
                    context.time(0, work).await?;
                }
                Act::Block(time) => {
                    let work = async {
                        std::thread::sleep(time);
                        Ok(Reply { rows: 1, ..Reply::default() })
                    };
                    context.time(0, work).await?;
                }
                Act::Last(time) => {
                    context.last = true;
                    let work = async {
                        tokio::time::sleep(time).await;
                        Ok(Reply { rows: 1, ..Reply::default() })
                    };
                    context.time(0, work).await?;
                }
                Act::Overdue(waited, time) => {
                    context.waited = waited;
                    let work = async {
                        tokio::time::sleep(time).await;
                        Ok(Reply { rows: 1, ..Reply::default() })
                    };
                    context.time(0, work).await?;
                }
                Act::Quit => context.quit = true,
                Act::Burst(each) => {
                    for _ in 0..context.leave {
                        let work = async {
                            tokio::time::sleep(each).await;
                            Ok(Reply { rows: 1, ..Reply::default() })
                        };
                        context.time(0, work).await?;
                        context.burst.push(each.as_nanos() as u64);
                    }
                }
                Act::Panic => panic!("told to panic"),
            }
            Ok(0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            tokio::time::sleep(self.fake.recover).await;
            Ok(())
        })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            tokio::time::sleep(self.fake.goodbye.0).await;
            self.fake.goodbye.1 = 0;
            self.fake.closed.fetch_add(1, Ordering::SeqCst);
            Ok(())
        })
    }

    fn unwritten(&self) -> u64 {
        self.fake.goodbye.1
    }
}

pub fn load(clients: u32) -> Load {
    Load {
        workload: "fake".into(),
        clients,
        workers: Workers::Count(1),
        policy: Policy { retries: 3, reconnect: true, stop_on_error: true, ..Policy::default() },
        ..Load::default()
    }
}

pub fn what(load: Load, warmup_ms: u64, measure_ms: u64, interval_ms: u64) -> Drive {
    let (part, control) = (LoadPart::ALL, DriveControl::default());
    Drive {
        load,
        warmup_ms,
        measure_ms,
        interval_ms,
        seed: 1,
        origin: Instant::now(),
        part,
        server: ServerPlace::Apart,
        control,
    }
}

/// What a listener received, and the outcome.
pub struct Recorded {
    pub outcome: Result<Ended, Problem>,
    /// Of the measured phase.
    pub tally: Tally,
    pub phases: Vec<(Phase, u64)>,
    pub intervals: Vec<Interval>,
    /// Answers to the question from which interval on nothing has been decided.
    pub undecided: Vec<u64>,
}

#[derive(Debug, Clone)]
pub struct Interval {
    pub phase: Phase,
    pub from_ns: u64,
    pub to_ns: u64,
    pub clients: u32,
    pub tally: Tally,
    pub completions: Option<Completions>,
}

#[derive(Default)]
struct Listener {
    tally: Tally,
    phases: Vec<(Phase, u64)>,
    intervals: Vec<Interval>,
    undecided: Vec<u64>,
}

impl Listener {
    fn hear(&mut self, event: EngineEvent) -> Result<(), Problem> {
        match event {
            EngineEvent::Connected => {}
            EngineEvent::Undecided { interval } => self.undecided.push(interval),
            EngineEvent::Phase { phase, at_ns } => self.phases.push((phase, at_ns)),
            EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, .. } => {
                assert!(tally.accounting.balances(), "an interval does not balance: {:?}", tally.accounting);
                if phase == Phase::Measure {
                    self.tally.merge(&tally);
                }
                self.intervals.push(Interval { phase, from_ns, to_ns, clients, tally, completions });
            }
        }
        Ok(())
    }

    fn told(self, outcome: Result<Ended, Problem>) -> Recorded {
        let Listener { tally, phases, intervals, undecided } = self;
        assert!(tally.accounting.balances(), "{:?}", tally.accounting);
        for pair in intervals.windows(2) {
            assert_eq!(pair[0].to_ns, pair[1].from_ns, "intervals follow each other without a gap");
        }
        Recorded { outcome, tally, phases, intervals, undecided }
    }
}

/// Drives on real threads and the real clock.
pub fn run(what: &Drive, workload: &Fake, stop: &StopSignal) -> Recorded {
    let mut listener = Listener::default();
    let workload: Arc<dyn Workload> = Arc::new(workload.clone());
    let outcome = drive(what, &workload, stop, &mut |ends| listener.hear(ends));
    listener.told(outcome)
}

/// Drives on one thread and a paused clock; event times count from the start of the drive. Stops are asked at these
/// milliseconds.
pub fn exact_with(what: &Drive, workload: &Fake, stops_ms: &[u64]) -> Recorded {
    let stop = StopSignal::new();
    let ask = |ms: &u64| {
        let stop = stop.clone();
        (*ms, Box::new(move || stop.ask()) as Box<dyn FnOnce()>)
    };
    exact_while(what, workload, &stop, stops_ms.iter().map(ask).collect())
}

/// The same, while something is done at these milliseconds.
pub fn exact_while(
    what: &Drive,
    workload: &Fake,
    stop: &StopSignal,
    meanwhile: Vec<(u64, Box<dyn FnOnce()>)>,
) -> Recorded {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build_local(LocalOptions::default())
        .expect("a runtime");
    let mut listener = Listener::default();
    let outcome = runtime.block_on(async {
        let start = tokio::time::Instant::now();
        for (ms, act) in meanwhile {
            tokio::task::spawn_local(async move {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                act();
            });
        }
        let what = Drive { origin: start.into_std(), ..what.clone() };
        drive_here(&what, workload, stop, &mut |ends| listener.hear(ends)).await
    });
    listener.told(outcome)
}

pub fn exact(what: &Drive, workload: &Fake) -> Recorded {
    exact_with(what, workload, &[])
}

impl Recorded {
    pub fn ended(&self) -> &Ended {
        self.outcome.as_ref().expect("the drive ran")
    }

    pub fn cut_short(&self) -> &str {
        self.ended().cut_short.as_ref().map_or("", |p| &p.what)
    }

    /// One line per event, times in milliseconds, counts as scheduled = completed + failed + skipped + open; before the first of them,
    /// those that had begun before, if there are any.
    pub fn story(&self) -> String {
        let mut lines: Vec<(u64, u8, String)> = Vec::new();
        for (phase, at_ns) in &self.phases {
            lines.push((*at_ns, 1, format!("{} at {}", phase.name(), ms(*at_ns))));
        }
        for i in &self.intervals {
            let a = &i.tally.accounting;
            let counts = format!("{} = {} + {} + {} + {}", a.scheduled, a.completed, a.failed, a.skipped, a.open);
            let before = if a.begun_before > 0 { format!("{} + ", a.begun_before) } else { String::new() };
            lines.push((i.from_ns, 2, format!("  {}-{}: {before}{counts}", ms(i.from_ns), ms(i.to_ns))));
        }
        lines.sort_by_key(|(at, order, line)| (*at, *order, line.starts_with(' ')));
        lines.into_iter().map(|(_, _, line)| line + "\n").collect()
    }
}

impl Recorded {
    /// One line per interval of the measured phase: first and last completion, the longest stretch between two, and
    /// client time without a connection, all in milliseconds.
    pub fn quiet(&self) -> String {
        let line = |i: &Interval| {
            let ends = i.completions.map_or("nothing".to_owned(), |c| {
                format!("{}-{}, gap {}", ms(c.first_ns), ms(c.last_ns), ms(c.gap_ns))
            });
            format!("{}-{}: {ends}; without {}\n", ms(i.from_ns), ms(i.to_ns), ms(i.tally.unavailable_ns))
        };
        self.intervals.iter().filter(|i| i.phase == Phase::Measure).map(line).collect()
    }
}

/// Nanoseconds as milliseconds, without trailing zeros.
pub fn ms(ns: u64) -> String {
    format!("{}", ns as f64 / 1e6)
}
