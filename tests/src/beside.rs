//! Debian's sysbench and our workloads of its names on one server, for tests that compare them.

use crate::output_of;
use crate::sql::{Address, connector};
use std::process::Command;
use tenbin_driver::Transport;
use tenbin_model::dsn::Scheme;
use tenbin_workload::{TransactionContext, Workload};

/// Runs sysbench with a script by name or path; answers with what it printed.
pub fn sysbench<T: AsRef<str>>(at: &impl Address, script: &str, options: &[T], command: &str) -> String {
    let connector = connector(at);
    let dsn = connector.dsn();
    let driver = if dsn.scheme == Scheme::Postgres { "pgsql" } else { "mysql" };
    let mut sysbench = Command::new("sysbench");
    sysbench.arg(script).args(options.iter().map(AsRef::as_ref)).args([
        format!("--db-driver={driver}"),
        format!("--{driver}-host=127.0.0.1"),
        format!("--{driver}-port={}", dsn.port.expect("a test's server has a port")),
        format!("--{driver}-user={}", dsn.user),
        format!("--{driver}-db={}", dsn.database),
        command.to_owned(),
    ]);
    let (code, out, err) = output_of(&mut sysbench);
    assert!(code == 0, "{sysbench:?}\n{out}\n{err}");
    out
}

/// Runs this many transactions of one client; answers with the names of the statements it took down, and the rows of
/// each.
pub async fn drive(work: &dyn Workload, number: u32, of: u32, times: u32) -> Vec<(String, u64)> {
    let mut client = work.client(number, of, 11);
    client.connect(Transport::Alone).await.unwrap_or_else(|e| panic!("{}: {e}", work.name()));
    let (names, mut executed, mut turn) = (work.statements(), Vec::new(), TransactionContext::default());
    for _ in 0..times {
        turn.records.clear();
        client.transaction(&mut turn).await.unwrap_or_else(|e| panic!("{}: {e}", work.name()));
        executed.extend(turn.records.iter().map(|m| (names[usize::from(m.statement)].0.clone(), m.rows)));
    }
    client.close().await.unwrap_or_else(|e| panic!("{}: {e}", work.name()));
    executed
}
