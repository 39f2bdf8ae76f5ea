//! The workers' threads: started together, joined at the end, abandoned if they are stuck in a blocking call.

use crate::DriveControl;
use crate::pace::Timing;
use crate::run::{DriveState, WorkerPhase};
use crate::worker::{carry, make};
use crate::workers::{Spread, share};
use std::future::Future;
use std::num::NonZeroU64;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_client::{Transport, Workload};
use tenbin_model::names::client_process;
use tenbin_sockets::Poller;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::runtime::{Builder, LocalOptions};

/// How long threads may take to end after the order to drop everything.
const PATIENCE: Duration = Duration::from_secs(1);

/// This many tasks are polled before an event loop asks for further replies, instead of tokio's 61. One task is all clients whose replies the
/// last call has returned ([`crate::together`]); the others keep the time.
const EVENT_INTERVAL: u32 = 4;

/// The threads of one drive.
pub struct Threads(Vec<JoinHandle<()>>);

/// Starts all workers. They are not scoped: one that hangs in a blocking call must not keep the drive from ending.
pub fn start(run: &Arc<DriveState>, workload: &Arc<dyn Workload>, spread: Spread) -> Result<Threads, Problem> {
    let mut threads = Threads(Vec::with_capacity(spread.workers as usize));
    for n in 0..spread.workers {
        let body = {
            let (run, workload) = (run.clone(), workload.clone());
            move || match catch_unwind(AssertUnwindSafe(|| live(&run, workload, spread, n))) {
                Ok(Ok(())) => {}
                Ok(Err(problem)) => run.abort(problem),
                Err(_) => run.abort(Problem::new(msg!("worker-panicked", number = n))),
            }
        };
        let name = match run.control.number {
            Some(number) => format!("{}{n}", DriveControl::threads_of(number)),
            None => format!("{}{n}", client_process::WORKERS),
        };
        match std::thread::Builder::new().name(name).spawn(body) {
            Ok(thread) => threads.0.push(thread),
            Err(error) => {
                run.enter_stage(WorkerPhase::Drop);
                threads.join();
                return Err(Problem::new(msg!("too-few-threads", started = n, workers = spread.workers))
                    .evidence(foreign(error))
                    .hint(msg!("raise-processes")));
            }
        }
    }
    Ok(threads)
}

/// The main function of a worker's thread.
fn live(run: &Arc<DriveState>, workload: Arc<dyn Workload>, spread: Spread, n: u32) -> Result<(), Problem> {
    let client_slots = make(workload.as_ref(), share(run.clients, run.workers, n), run)?;
    // Without connections there is no event loop either, of which each takes open files. A client that has the thread for itself waits for its
    // connection without one, if it opens one nevertheless.
    let connects = match spread.transport {
        Transport::Shared => workload.connections(1) > 0,
        Transport::Alone => workload.sockets(1) > 0,
    };
    drop(workload);
    match run.has_intended_starts() {
        // A start must not wait until a thread of the server does.
        true if spread.transport == Transport::Alone => {
            // By default the kernel may delay the end of a sleep by 50 µs.
            let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        }
        true => {}
        false => spread.class.apply(),
    }
    let mut runtime = Builder::new_current_thread();
    match connects {
        true => runtime.enable_all(),
        false => runtime.enable_time(),
    };
    runtime.event_interval(EVENT_INTERVAL);
    let runtime = runtime.build_local(LocalOptions::default()).map_err(|e| no_runtime(&e))?;
    runtime.block_on(async {
        let _entered = match spread.transport {
            Transport::Shared if connects => Some(Poller::enter().map_err(|e| no_runtime(&e))?),
            Transport::Shared | Transport::Alone => None,
        };
        carry(run.clone(), client_slots, spread.transport, Timing::Kernel, n as usize).await;
        Ok(())
    })
}

/// Runs the collector on the calling thread.
pub fn block_on<T>(collector: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    let runtime = Builder::new_current_thread().enable_time().build().map_err(|e| no_runtime(&e))?;
    runtime.block_on(collector)
}

fn no_runtime(error: &std::io::Error) -> Problem {
    Problem::new(msg!("event-loop-failed", error)).hint(msg!("raise-open-files"))
}

impl Threads {
    /// Waits for the threads to end. One that is stuck in a blocking call is abandoned: it holds no resources that are
    /// needed.
    pub fn join(self) {
        let until = Instant::now() + PATIENCE;
        for thread in self.0 {
            while !thread.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
            }
            if thread.is_finished() {
                // A panic has been reported already.
                let _ = thread.join();
            }
        }
    }
}
