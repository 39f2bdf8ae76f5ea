//! A load host in the simulation: what `serve` does, as tasks on the paused clock, with the real engine.

use super::link::{Carried, Link};
use super::terminals::Terminals;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace, drive_here};
use tenbin_hosts::protocol::{
    Assignment, Numbered, Order, PROTOCOL, PartEnded, PartInterval, Report, Sequence, SequenceCheck,
};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The clock of a host: what it shows at the start of the simulation, and how much too fast it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    pub ahead_ns: u64,
    pub fast_ppm: u64,
    /// When it is stepped, since the start of the simulation, and by how much.
    pub step: Option<(u64, i64)>,
}

impl Clock {
    fn stepped_ns(self, since_ns: u64) -> i64 {
        self.step.filter(|(at_ns, _)| since_ns >= *at_ns).map_or(0, |(_, by_ns)| by_ns)
    }

    fn shows(self, since_ns: u64) -> u64 {
        let ahead_ns = self.ahead_ns.saturating_add_signed(self.stepped_ns(since_ns));
        ahead_ns + since_ns + since_ns / 1_000_000 * self.fast_ppm
    }

    /// The time of the simulation at which it shows this, as far as it is known now.
    fn since_ns(self, shown_ns: u64, now_ns: u64) -> u64 {
        let ahead_ns = self.ahead_ns.saturating_add_signed(self.stepped_ns(now_ns));
        let since = u128::from(shown_ns.saturating_sub(ahead_ns));
        (since * 1_000_000 / (1_000_000 + u128::from(self.fast_ppm))) as u64
    }
}

/// What the host itself knows of its drive.
#[derive(Debug, Default)]
pub struct Diary {
    /// When its clients started, nanoseconds of the simulation.
    pub start_ns: Option<u64>,
    /// All intervals that it has reported, since then.
    pub reported: Vec<PartInterval>,
    pub was_aborted: bool,
    /// It left before the end of its drive.
    pub has_left: bool,
    /// When it last heard from the coordinator.
    pub heard_ns: u64,
}

/// All that a host is made of.
pub struct SimulatedHost {
    pub clock: Clock,
    pub epoch: Instant,
    pub terminals: Terminals,
    pub diary: Rc<RefCell<Diary>>,
    pub reports: RefCell<(Link, u64)>,
}

struct Running {
    drive: u32,
    control: DriveControl,
    stop: StopSignal,
    task: JoinHandle<()>,
}

const LOOK: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(1);

impl SimulatedHost {
    fn since_ns(&self) -> u64 {
        self.epoch.elapsed().as_nanos() as u64
    }

    fn report(&self, message: Report) {
        let (link, reports) = &mut *self.reports.borrow_mut();
        link.send(Some(Numbered { number: *reports, message }.line().unwrap()));
        *reports += 1;
    }

    /// Executes orders until it is dismissed, cut off, or dies at this time.
    pub async fn serve(self: Rc<Self>, mut orders: UnboundedReceiver<Carried>, dies: Option<Instant>) {
        let (mut sequence, mut lease, mut heard) = (Sequence::default(), Duration::MAX, Instant::now());
        let mut current: Option<Running> = None;
        loop {
            match tokio::time::timeout(LOOK, orders.recv()).await {
                Ok(Some(Some(line))) => {
                    let order: Numbered<Order> = serde_json::from_slice(&line).unwrap();
                    match sequence.take(order.number) {
                        SequenceCheck::Next => {}
                        SequenceCheck::Repeated => continue,
                        SequenceCheck::Missing(_) => break,
                    }
                    heard = Instant::now();
                    self.diary.borrow_mut().heard_ns = self.since_ns();
                    if let Order::Join { lease_ms, .. } = order.message {
                        lease = Duration::from_millis(lease_ms);
                    }
                    if matches!(order.message, Order::Leave) {
                        break;
                    }
                    self.execute(order.message, &mut current).await;
                }
                Ok(_) => break,
                Err(_) => {}
            }
            if dies.is_some_and(|at| Instant::now() >= at) {
                if let Some(running) = current.take() {
                    running.task.abort();
                }
                return;
            }
            if heard.elapsed() > lease {
                break;
            }
        }
        self.diary.borrow_mut().has_left = true;
        if let Some(running) = current.take() {
            self.abort(running).await;
        }
        self.reports.borrow_mut().0.send(None);
    }

    async fn execute(self: &Rc<Self>, order: Order, current: &mut Option<Running>) {
        let of_drive =
            |current: &Option<Running>, drive| current.as_ref().is_some_and(|running| running.drive == drive);
        match order {
            Order::Join { .. } => {
                let version = "0.1.0".to_owned();
                let (machine, facts) = ("simulated".to_owned(), Default::default());
                self.report(Report::Joined { protocol: PROTOCOL, version, machine, facts });
            }
            Order::Probe { sent_ns } => {
                self.report(Report::Probed { sent_ns, host_ns: self.clock.shows(self.since_ns()) });
            }
            Order::Prepare { drive, assignment } => {
                assert!(current.is_none(), "one drive is simulated");
                let (control, stop) = (DriveControl::default(), StopSignal::new());
                let task = self.clone().drive(drive, *assignment, control.clone(), stop.clone());
                *current = Some(Running { drive, control, stop, task: tokio::task::spawn_local(task) });
            }
            Order::Start { drive, at_ns } if of_drive(current, drive) => {
                let at = self.epoch + Duration::from_nanos(self.clock.since_ns(at_ns, self.since_ns()));
                let start = &current.as_ref().unwrap().control.start;
                start.set(at.into_std()).expect("it is told once");
            }
            Order::EndWith { drive, interval } if of_drive(current, drive) => {
                current.as_ref().unwrap().control.last.set(interval).expect("it is told once");
            }
            Order::Abort { drive } if of_drive(current, drive) => self.abort(current.take().unwrap()).await,
            _ => {}
        }
    }

    async fn abort(&self, mut running: Running) {
        self.diary.borrow_mut().was_aborted = true;
        running.stop.ask();
        running.stop.ask();
        if tokio::time::timeout(PATIENCE, &mut running.task).await.is_err() {
            running.task.abort();
        }
    }

    async fn drive(self: Rc<Self>, drive: u32, assignment: Assignment, control: DriveControl, stop: StopSignal) {
        // Clients of the simulation are connected at once.
        self.report(Report::Connected { drive });
        let start = loop {
            if let Some(start) = control.start.get() {
                break Instant::from_std(*start);
            }
            if stop.asked() {
                let problem = Problem::new(msg!("host-told-to-stop-before-start"));
                return self.ended(Report::Failed { drive, problem });
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        let start_ns = (start - self.epoch).as_nanos() as u64;
        self.diary.borrow_mut().start_ns = Some(start_ns);
        let what = Drive {
            load: assignment.load.clone(),
            warmup_ms: assignment.warmup_ms,
            measure_ms: assignment.measure_ms,
            interval_ms: assignment.interval_ms,
            seed: assignment.trial.seed,
            origin: self.epoch.into_std(),
            part: LoadPart { number: assignment.part, of: assignment.parts },
            server: ServerPlace::Apart,
            control,
        };
        let mut listen = |event| {
            if let EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, idle, .. } = event {
                let since = |at_ns: u64| at_ns - start_ns;
                let completions = completions.map(|mut c| {
                    (c.first_ns, c.last_ns) = (since(c.first_ns), since(c.last_ns));
                    c
                });
                let idle = idle.into_iter().map(|(from, to)| (since(from), since(to))).collect();
                let (from_ns, to_ns) = (since(from_ns), since(to_ns));
                let part = PartInterval { phase, from_ns, to_ns, clients, tally, completions, idle };
                // Packed histograms are compared bucket by bucket.
                let mut kept = part.clone();
                kept.tally.pack();
                self.diary.borrow_mut().reported.push(kept);
                self.report(Report::Interval { drive, part });
            }
            Ok(())
        };
        let ended = drive_here(&what, &self.terminals, &stop, &mut listen).await;
        self.ended(match ended {
            Ok(ended) => Report::Ended { drive, ended: PartEnded::of(ended, start_ns) },
            Err(problem) => Report::Failed { drive, problem },
        });
    }

    fn ended(&self, report: Report) {
        if !self.diary.borrow().has_left {
            self.report(report);
        }
    }
}
