//! Workers: OS threads that carry clients, each with a runtime of its own.
//!
//! Two forms. One client per thread ([`Transport::Alone`]): the client blocks in the system call, and the kernel keeps the pair of
//! client and server threads together; on cores shared with the server this gives the most throughput. An event loop
//! ([`Transport::Shared`]) carries many clients: the least CPU per statement, at any number of clients.

use crate::client;
use crate::course::Course;
use futures_util::stream::{self, FuturesUnordered, StreamExt};
use std::sync::Arc;
use std::thread::Scope;
use std::time::Duration;
use tenbin_driver::Transport;
use tenbin_model::problem::Problem;
use tenbin_model::trial::{Load, Workers};
use tenbin_workload::{Client, Workload};
use tokio::runtime::{Builder, LocalOptions};

/// Up to so many clients get a thread each when the server shares our cores; beyond, threads cost more than they give.
const THREADS_MOST: u32 = 64;

/// Connections one event loop opens at the same time; servers have a short queue for new ones.
const CONNECTING_MOST: usize = 64;

/// How long what is under way at the end may still take before it is dropped.
const GRACE: Duration = Duration::from_secs(10);

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_millis(200);

/// How clients are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    clients: u32,
    per_client: bool,
    loops: u32,
}

/// Chooses, by what the plan says, else by cores, place of the server and number of clients.
pub fn plan(load: &Load, workload: &dyn Workload) -> Plan {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    choose(load.workers, load.clients, cores, workload.blocks(), workload.local())
}

fn choose(asked: Workers, clients: u32, cores: u32, blocks: bool, local: bool) -> Plan {
    let per_client = Plan { clients, per_client: true, loops: 0 };
    let loops = |n: u32| Plan { clients, per_client: false, loops: n.clamp(1, clients.max(1)) };
    match asked {
        _ if blocks => per_client,
        Workers::PerClient => per_client,
        Workers::Count(n) => loops(n),
        Workers::Auto if cores > 1 && local && clients <= THREADS_MOST => per_client,
        // The server needs cores too when they are shared; alone, one loop serves some hundred clients well.
        Workers::Auto if local => loops(cores / 2),
        Workers::Auto => loops(cores.min(clients.div_ceil(128))),
    }
}

impl Plan {
    /// Threads that carry clients.
    pub fn workers(&self) -> u32 {
        if self.per_client { self.clients } else { self.loops }
    }

    /// Counts are kept per event loop, or in a few shares for many threads.
    pub fn shards(&self) -> u32 {
        if self.per_client { self.clients.clamp(1, 4) } else { self.loops }
    }

    fn transport(&self) -> Transport {
        if self.per_client { Transport::Alone } else { Transport::Shared }
    }
}

/// Starts all workers.
pub fn start<'s>(
    scope: &'s Scope<'s, '_>,
    plan: &Plan,
    course: &Arc<Course>,
    workload: &'s dyn Workload,
) -> Result<(), Problem> {
    for worker in 0..plan.workers() {
        let (plan, course) = (*plan, course.clone());
        let started =
            std::thread::Builder::new().name(format!("worker-{worker}")).stack_size(512 * 1024).spawn_scoped(scope, {
                let course = course.clone();
                move || carry(worker, plan, &course, workload)
            });
        if let Err(e) = started {
            course.end();
            return Err(Problem::new(format!("worker {worker} of {} cannot be started", plan.workers()))
                .evidence(e.to_string())
                .mend("set load.workers to a small number, or raise the limit of threads (ulimit -u)"));
        }
    }
    Ok(())
}

/// One worker's life: connect its clients, wait at the gate, drive them, say goodbye.
fn carry(worker: u32, plan: Plan, course: &Arc<Course>, workload: &dyn Workload) {
    let runtime = match Builder::new_current_thread().enable_all().build_local(LocalOptions::default()) {
        Ok(runtime) => runtime,
        Err(e) => {
            course.break_off(
                Problem::new("a worker has no event loop")
                    .evidence(e.to_string())
                    .mend("raise the limit of open files (ulimit -n)"),
            );
            return;
        }
    };
    let clients = (worker..plan.clients)
        .step_by(plan.workers() as usize)
        .map(|number| workload.client(number, plan.clients, course.what.seed))
        .collect();
    let clients = runtime.block_on(connect(clients, course, plan.transport()));
    course.wait_at_gate();
    runtime.block_on(drive(clients, course, worker, plan));
}

/// Connects the worker's clients, some at a time; refused ones are told at the gate and left out.
async fn connect(clients: Vec<Box<dyn Client>>, course: &Course, transport: Transport) -> Vec<Box<dyn Client>> {
    stream::iter(clients)
        .map(|mut client| async move {
            let outcome = if course.going() { client.connect(transport).await } else { Ok(()) };
            let connected = outcome.is_ok();
            if connected {
                course.count_connected(true);
            }
            course.report_at_gate(outcome);
            connected.then_some(client)
        })
        .buffer_unordered(CONNECTING_MOST)
        .filter_map(|client| async move { client })
        .collect()
        .await
}

/// Drives the worker's clients until the course is over; what is still under way when the grace has passed is dropped.
async fn drive(clients: Vec<Box<dyn Client>>, course: &Arc<Course>, worker: u32, plan: Plan) {
    let shard = (worker % plan.shards()) as usize;
    let mut tasks: FuturesUnordered<_> = clients
        .into_iter()
        .map(|mut client| {
            let course = course.clone();
            tokio::task::spawn_local(async move {
                client::run(client.as_mut(), &course, &course.shards[shard], plan.transport()).await;
                let _ = tokio::time::timeout(GOODBYE, client.close()).await;
            })
        })
        .collect();
    let all = async {
        while let Some(ended) = tasks.next().await {
            if ended.is_err_and(|e| e.is_panic()) {
                course.break_off(
                    Problem::new("a client panicked; this is a fault of Tenbin")
                        .evidence("the message stands above, on standard error")
                        .mend("set RUST_BACKTRACE=1, run again and report it"),
                );
            }
        }
    };
    let out_of_patience = async {
        while course.overtime() < GRACE {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! { () = all => {}, () = out_of_patience => {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_follows_cores_place_and_number() {
        let form = |p: Plan| (p.per_client, p.workers());
        use Workers::{Auto, Count, PerClient};
        assert_eq!(form(choose(Auto, 16, 2, false, true)), (true, 16), "few clients beside the server");
        assert_eq!(form(choose(Auto, 16, 1, false, true)), (false, 1), "pinned to one core");
        assert_eq!(form(choose(Auto, 512, 2, false, true)), (false, 1), "many clients");
        assert_eq!(form(choose(Auto, 16, 8, false, false)), (false, 1), "few clients, server elsewhere");
        assert_eq!(form(choose(Auto, 4096, 8, false, false)), (false, 8), "many clients, server elsewhere");
        assert_eq!(form(choose(Count(3), 2, 8, false, true)), (false, 2), "never more loops than clients");
        assert_eq!(form(choose(PerClient, 300, 1, false, false)), (true, 300));
        assert_eq!(form(choose(Auto, 300, 1, true, true)), (true, 300), "calls that block need a thread each");
    }
}
