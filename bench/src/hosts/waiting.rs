//! The load of the hosts that are measured: transactions of as many statements as sysbench's read-write mix has, which only wait, so
//! that hosts cost little and report histograms of the usual width. And the process that is such a host.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tenbin_client::{BoxFuture, Client, Reply, TargetReach, TransactionContext, Transport, Workload};
use tenbin_driver::Connector;
use tenbin_hosts::protocol::{Assignment, ServerAssignment, SliceAssignment};
use tenbin_hosts::{Site, serve};
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::StatementKind;
use tenbin_servers::finding::Finding;
use tenbin_words::problem::Problem;

/// The first argument of a process that is a load host.
pub const HOST: &str = "measured-host";
/// The fact that says when the clock of a host began, nanoseconds of `CLOCK_MONOTONIC`, which all processes of a machine share.
pub const BEGAN: &str = "began_ns";
/// The fact that names its process.
pub const PID: &str = "pid";

const STATEMENTS: [&str; 10] =
    ["point", "simple", "sum", "order", "distinct", "index", "non-index", "delete", "insert", "commit"];

/// Now, nanoseconds of `CLOCK_MONOTONIC`.
pub fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Is a load host until the coordinator lets it go.
pub fn host() -> io::Result<()> {
    let site: Arc<dyn Site> = Arc::new(Bare { began_ns: monotonic_ns() });
    let served = serve(io::stdin(), io::stdout(), &site).map_err(|problem| io::Error::other(problem.to_string()));
    served.map(|_| ())
}

/// The version of all hosts here.
pub const VERSION: &str = "0";

struct Bare {
    began_ns: u64,
}

impl Site for Bare {
    fn facts(&self) -> BTreeMap<String, String> {
        [(BEGAN.to_owned(), self.began_ns.to_string()), (PID.to_owned(), std::process::id().to_string())].into()
    }

    fn machine(&self) -> String {
        "this one".into()
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }

    fn examine(&self, _: &[ServerAssignment]) -> Vec<Finding> {
        Vec::new()
    }

    fn load(&self, _: &SliceAssignment, _: &(dyn Fn(u64) + Sync), _: &StopSignal) -> Result<u64, Problem> {
        Ok(0)
    }

    fn prepare(&self, _: &Assignment) -> Result<(Connector, Arc<dyn Workload>), Problem> {
        Ok((Connector::nowhere(Scheme::Mysql)?, Arc::new(Waiting)))
    }
}

/// The workload.
#[derive(Debug, Clone, Copy)]
pub struct Waiting;

struct Waits {
    state: u64,
}

impl Workload for Waiting {
    fn name(&self) -> &str {
        "waiting"
    }
    fn transactions(&self) -> Vec<String> {
        vec!["waiting".into()]
    }
    fn statements(&self) -> Vec<(String, StatementKind)> {
        STATEMENTS.iter().map(|name| ((*name).to_owned(), StatementKind::Read)).collect()
    }
    fn prepared_per_connection(&self) -> u32 {
        0
    }
    fn reach(&self) -> TargetReach {
        TargetReach::default()
    }
    fn client(&self, number: u32, _of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(Waits { state: seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 })
    }
}

impl Client for Waits {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            for statement in 0..STATEMENTS.len() {
                // xorshift64 (Marsaglia 2003); 1 to 9 ms.
                self.state ^= self.state << 13;
                self.state ^= self.state >> 7;
                self.state ^= self.state << 17;
                let wait = Duration::from_micros(1000 + self.state % 8000);
                let work = async {
                    tokio::time::sleep(wait).await;
                    Ok(Reply { rows: 1, ..Reply::default() })
                };
                context.time(statement, work).await?;
            }
            Ok(0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}
