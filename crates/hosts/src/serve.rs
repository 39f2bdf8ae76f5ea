//! The load host's side: executes orders until the coordinator says that it may leave.
//!
//! The host holds a lease. If it has not heard from the coordinator for this long, or the connection is closed, it stops loading the
//! database by itself: nothing else could stop it.

use crate::protocol::{
    Assignment, HostFinding, Numbered, Order, PROTOCOL, PartEnded, PartInterval, Report, Sequence, SequenceCheck,
    ServerAssignment, SliceAssignment,
};
use crate::report_queue::Allowance;
use std::collections::BTreeMap;
use std::io::{BufWriter, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_client::Workload;
use tenbin_driver::Connector;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace};
use tenbin_intake::{Line, Lines};
use tenbin_model::load_host::OF_CLIENT;
use tenbin_model::stop::StopSignal;
use tenbin_observers::{ObserverEvent, Sampling, Subject, Watch};
use tenbin_servers::finding::Finding;
use tenbin_servers::machine;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How often the lease is checked.
const LOOK: Duration = Duration::from_millis(50);
/// How often a client that waits for its start looks for it.
const START_LOOK: Duration = Duration::from_micros(200);
/// How often the progress of a load is reported.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// How long the drive of a host that stops may take to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// The longest order, bytes: it has a trial with all its settings.
const LONGEST_ORDER: usize = 4 << 20;
/// This many orders may wait; further ones wait in the connection.
const MOST_ORDERS: usize = 64;
/// This many lines may be no orders.
const MOST_NONSENSE: u32 = 100;

/// What a load host needs of the levels above.
pub trait Site: Send + Sync {
    /// Facts about this machine.
    fn facts(&self) -> BTreeMap<String, String>;
    /// Which machine this is: the same text for all processes on it.
    fn machine(&self) -> String;
    /// The version of this program, with the commit that it was built from.
    fn version(&self) -> String;
    /// Looks whether this machine is fit to load these servers.
    fn examine(&self, servers: &[ServerAssignment]) -> Vec<Finding>;

    /// Loads a slice of a data set; returns how many rows it has. `progress` is called from any thread.
    fn load(
        &self,
        assignment: &SliceAssignment,
        progress: &(dyn Fn(u64) + Sync),
        stop: &StopSignal,
    ) -> Result<u64, Problem>;
    /// The connector and the workload of an assignment.
    fn prepare(&self, assignment: &Assignment) -> Result<(Connector, Arc<dyn Workload>), Problem>;
}

/// How a load host's work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// The coordinator let it go.
    Dismissed,
    /// Nothing was heard from the coordinator for as long as the lease lasts.
    LeaseExpired,
    /// The connection was closed.
    Closed,
    /// Orders did not arrive, so that it is not known what to do.
    OrdersMissing,
    /// More was sent than a coordinator sends, or something else.
    TooMuch,
}

/// Executes the orders from `orders` and writes reports, until one of [`Served`]. Blocks the calling thread.
pub fn serve(
    orders: impl Read + Send + 'static,
    reports: impl Write + Send + 'static,
    site: &Arc<dyn Site>,
) -> Result<Served, Problem> {
    let epoch = Instant::now();
    let reporter = Reporter::to(Box::new(BufWriter::new(reports)));
    let (tell, told) = mpsc::sync_channel(MOST_ORDERS);
    let is_examining: Arc<AtomicBool> = Arc::default();
    let prober = reporter.clone();
    // Not joined: it ends with the connection, and it must answer probes whatever else is going on.
    std::thread::spawn(move || read(orders, &prober, epoch, &tell));
    let (mut lease, mut heard) = (Duration::from_secs(3600), Instant::now());
    let mut current: Option<Running> = None;
    let served = loop {
        match told.recv_timeout(LOOK) {
            Ok(Heard::Order(order)) => {
                heard = Instant::now();
                match order {
                    Order::Join { protocol: _, version: _, lease_ms } => {
                        lease = Duration::from_millis(lease_ms);
                        let version = site.version();
                        let (machine, facts) = (site.machine(), site.facts());
                        reporter.report(Report::Joined { protocol: PROTOCOL, version, machine, facts });
                    }
                    Order::Prepare { drive, assignment } => {
                        if let Some(running) = current.take() {
                            running.abort();
                        }
                        current = Some(Running::begin(drive, *assignment, site.clone(), reporter.clone(), epoch));
                    }
                    Order::LoadSlice { drive, assignment } => {
                        if let Some(running) = current.take() {
                            running.abort();
                        }
                        current = Some(Running::load(drive, *assignment, site.clone(), reporter.clone()));
                    }
                    Order::Examine { drive, servers } => {
                        // A second one meanwhile has no answer: the coordinator asks one at a time.
                        if !is_examining.swap(true, Ordering::SeqCst) {
                            let (site, reporter, is_over) = (site.clone(), reporter.clone(), is_examining.clone());
                            // Not joined: it ends by itself, and looks at what nothing else uses.
                            std::thread::spawn(move || examine(drive, &servers, &*site, &reporter, &is_over));
                        }
                    }
                    Order::Start { drive, at_ns } => {
                        if let Some(running) = current.as_ref().filter(|running| running.drive == drive) {
                            // A second one changes nothing.
                            let _ = running.control.start.set(epoch + Duration::from_nanos(at_ns));
                        }
                    }
                    Order::AskUndecided { drive } => {
                        if let Some(running) = current.as_ref().filter(|running| running.drive == drive) {
                            running.control.inquiries.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                    Order::MeasureFrom { drive, interval } => {
                        if let Some(running) = current.as_ref().filter(|running| running.drive == drive) {
                            let _ = running.control.measure_from.set(interval);
                        }
                    }
                    Order::EndWith { drive, interval } => {
                        if let Some(running) = current.as_ref().filter(|running| running.drive == drive) {
                            let _ = running.control.last.set(interval);
                        }
                    }
                    Order::Abort { drive } => {
                        if let Some(running) = current.take_if(|running| running.drive == drive) {
                            running.abort();
                        }
                    }
                    Order::Probe { .. } => {}
                    Order::Leave => break Served::Dismissed,
                }
            }
            Ok(Heard::Nonsense(problem)) => {
                if let Some(running) = &current {
                    reporter.report(Report::Failed { drive: running.drive, problem });
                }
            }
            Ok(Heard::Gap) => break Served::OrdersMissing,
            Ok(Heard::TooMuch) => break Served::TooMuch,
            Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => break Served::Closed,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if heard.elapsed() > lease {
            break Served::LeaseExpired;
        }
    };
    if let Some(running) = current.take() {
        running.leave();
    }
    Ok(served)
}

enum Heard {
    Order(Order),
    /// Orders are missing.
    Gap,
    /// More than a coordinator sends.
    TooMuch,
    Nonsense(Problem),
    End,
}

/// Looks at this machine and at servers, and reports what was found.
fn examine(drive: u32, servers: &[ServerAssignment], site: &dyn Site, reporter: &Reporter, is_over: &AtomicBool) {
    let findings = site.examine(servers).into_iter();
    let findings = findings.map(|f| HostFinding { level: f.level, problem: f.problem() }).collect();
    is_over.store(false, Ordering::SeqCst);
    reporter.report(Report::Examined { drive, findings });
}

/// Reads orders, and answers probes at once.
fn read(orders: impl Read, reporter: &Reporter, epoch: Instant, tell: &SyncSender<Heard>) {
    let (mut lines, mut allowance, mut sequence) = (Lines::of(orders), Allowance::new(), Sequence::default());
    let mut nonsense = 0;
    while let Some(Ok(line)) = lines.next(LONGEST_ORDER) {
        let host_ns = epoch.elapsed().as_nanos() as u64;
        let is_cut = matches!(line, Line::Cut(_));
        if is_cut || nonsense > MOST_NONSENSE || !allowance.take(line.bytes().len()) {
            let _ = tell.send(Heard::TooMuch);
            return;
        }
        let heard = match serde_json::from_slice::<Numbered<Order>>(line.bytes()) {
            Ok(order) => match sequence.take(order.number) {
                SequenceCheck::Next => {
                    if let Order::Probe { sent_ns } = order.message {
                        reporter.report(Report::Probed { sent_ns, host_ns });
                    }
                    Heard::Order(order.message)
                }
                SequenceCheck::Repeated => continue,
                SequenceCheck::Missing(_) => Heard::Gap,
            },
            Err(error) => {
                nonsense += 1;
                Heard::Nonsense(Problem::new(msg!("host-order-not-understood")).evidence(foreign(error)))
            }
        };
        if tell.send(heard).is_err() {
            return;
        }
    }
    let _ = tell.send(Heard::End);
}

/// Writes reports, one per line. If the coordinator is gone, the lease ends everything.
#[derive(Clone)]
struct Reporter(Arc<Mutex<OutgoingReports>>);

struct OutgoingReports {
    to: Box<dyn Write + Send>,
    reports: u64,
}

impl Reporter {
    fn to(to: Box<dyn Write + Send>) -> Reporter {
        Reporter(Arc::new(Mutex::new(OutgoingReports { to, reports: 0 })))
    }

    fn report(&self, message: Report) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(line) = (Numbered { number: out.reports, message }).line() else { return };
        out.reports += 1;
        let _ = out.to.write_all(&line).and_then(|()| out.to.flush());
    }
}

/// A drive or a load in progress.
struct Running {
    drive: u32,
    /// The host leaves before its end.
    left: Arc<AtomicBool>,
    control: DriveControl,
    stop: StopSignal,
    thread: JoinHandle<()>,
}

impl Running {
    fn begin(drive: u32, assignment: Assignment, site: Arc<dyn Site>, reporter: Reporter, epoch: Instant) -> Running {
        let (control, stop) = (DriveControl::default(), StopSignal::new());
        let (given, stopped) = (control.clone(), stop.clone());
        let left: Arc<AtomicBool> = Arc::default();
        let has_left = left.clone();
        let thread = std::thread::spawn(move || {
            let outcome = run(drive, &assignment, &*site, &reporter, epoch, given, &stopped);
            // The connection is closed next, and the host is lost: no report of this end is expected.
            if !has_left.load(Ordering::SeqCst) {
                reporter.report(match outcome {
                    Ok(ended) => Report::Ended { drive, ended },
                    Err(problem) => Report::Failed { drive, problem },
                });
            }
        });
        Running { drive, left, control, stop, thread }
    }

    /// Stops it at once, because the host leaves.
    fn leave(self) {
        self.left.store(true, Ordering::SeqCst);
        self.abort();
    }

    fn load(drive: u32, assignment: SliceAssignment, site: Arc<dyn Site>, reporter: Reporter) -> Running {
        let stop = StopSignal::new();
        let (stopped, left) = (stop.clone(), Arc::<AtomicBool>::default());
        let has_left = left.clone();
        let thread = std::thread::spawn(move || {
            let (rows, next) = (AtomicU64::new(0), Mutex::new(Instant::now()));
            let progress = |so_far: u64| {
                let so_far = rows.fetch_max(so_far, Ordering::Relaxed).max(so_far);
                // A thread that finds it locked leaves it to the other.
                let Ok(mut next) = next.try_lock() else { return };
                if Instant::now() >= *next {
                    *next = Instant::now() + PROGRESS_EVERY;
                    reporter.report(Report::Progress { drive, rows: so_far });
                }
            };
            let outcome = std::thread::scope(|scope| {
                let loading = scope.spawn(|| site.load(&assignment, &progress, &stopped));
                loading.join().unwrap_or_else(|_| Err(Problem::new(msg!("loading-thread-panicked"))))
            });
            if !has_left.load(Ordering::SeqCst) {
                reporter.report(match outcome {
                    Ok(rows) => Report::Loaded { drive, rows },
                    Err(problem) => Report::Failed { drive, problem },
                });
            }
        });
        Running { drive, left, control: DriveControl::default(), stop, thread }
    }

    /// Stops it at once.
    fn abort(self) {
        self.stop.ask();
        self.stop.ask();
        let until = Instant::now() + PATIENCE;
        while !self.thread.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn run(
    drive: u32,
    assignment: &Assignment,
    site: &dyn Site,
    reporter: &Reporter,
    epoch: Instant,
    control: DriveControl,
    stop: &StopSignal,
) -> Result<PartEnded, Problem> {
    let (connector, workload) = site.prepare(assignment)?;
    let server = ServerPlace::of_process(machine::process_here(&connector).map(machine::same_scheduling_group));
    let watch = watch(assignment, connector, epoch);
    watch.begin();
    let what = Drive {
        load: assignment.load.clone(),
        warmup_ms: assignment.warmup_ms,
        measure_ms: assignment.measure_ms,
        interval_ms: assignment.interval_ms,
        seed: assignment.trial.seed,
        origin: epoch,
        part: LoadPart { number: assignment.part, of: assignment.parts },
        server,
        control: control.clone(),
    };
    let start_ns = || control.start.get().map_or(0, |at| at.saturating_duration_since(epoch).as_nanos() as u64);
    let ended = tenbin_engine::drive(&what, &workload, stop, &mut |event| {
        match event {
            EngineEvent::Connected => {
                reporter.report(Report::Connected { drive });
                while control.start.get().is_none() {
                    if stop.asked() {
                        return Err(Problem::new(msg!("host-told-to-stop-before-start")));
                    }
                    std::thread::sleep(START_LOOK);
                }
            }
            EngineEvent::Phase { .. } => watch.edge(Duration::ZERO),
            EngineEvent::Undecided { interval } => reporter.report(Report::Undecided { drive, interval }),
            EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, idle, per_client: _ } => {
                let start_ns = start_ns();
                let since = |at_ns: u64| at_ns.saturating_sub(start_ns);
                let completions = completions.map(|mut c| {
                    (c.first_ns, c.last_ns) = (since(c.first_ns), since(c.last_ns));
                    c
                });
                let idle = idle.into_iter().map(|(from, to)| (since(from), since(to))).collect();
                let (from_ns, to_ns) = (since(from_ns), since(to_ns));
                let part = PartInterval { phase, from_ns, to_ns, clients, tally, completions, idle };
                reporter.report(Report::Interval { drive, part });
            }
        }
        tell_readings(drive, &watch, reporter);
        Ok(())
    });
    watch.finish();
    tell_readings(drive, &watch, reporter);
    Ok(PartEnded::of(ended?, start_ns()))
}

/// The observers of this machine and this process.
fn watch(assignment: &Assignment, connector: Connector, epoch: Instant) -> Watch {
    let entries: Vec<_> =
        tenbin_observers::ALL.iter().filter(|entry| entry.name.starts_with(OF_CLIENT)).copied().collect();
    let every = Duration::from_millis(assignment.interval_ms);
    let sampling = Sampling { every, observe: assignment.load.observe, origin: epoch };
    tenbin_observers::watch(&entries, &Subject::at(connector), sampling)
}

fn tell_readings(drive: u32, watch: &Watch, reporter: &Reporter) {
    while let Some(event) = watch.next() {
        match event {
            ObserverEvent::Declared { observer, period, readings } => {
                let period_ms = period.as_millis() as u64;
                reporter.report(Report::Declared { drive, observer: observer.to_owned(), period_ms, readings });
            }
            ObserverEvent::Sampled { observer, at_ns, sample } => {
                let (observer, values) = (observer.to_owned(), sample.values);
                reporter.report(Report::Sampled { drive, observer, host_ns: at_ns, values });
            }
            ObserverEvent::Trouble(problem) => reporter.report(Report::Noted { drive, problem }),
            // No observer of this machine counts statements.
            ObserverEvent::Statements(_) => {}
        }
    }
}
