//! Work outside the measured window — looking, creating, dropping — on a connection and a runtime of its own.

use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error, Transport};
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// How often a stop is looked for while a server is waited for.
const LOOK: Duration = Duration::from_millis(100);

/// Runs `work` on a new connection and waits for it; its errors are told as `doing … failed`. Blocks the calling
/// thread, so it must not be called on a runtime's.
pub(crate) fn with_connection<T>(
    connector: &Connector,
    doing: &str,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    alone()?.block_on(connected(connector, Transport::Alone, doing, work))
}

/// The same, but a server that does not answer cannot hold us: when a stop has been asked for and the work has not ended
/// `grace` later, it is left and its connection dropped, which the server takes for a ROLLBACK.
pub(crate) fn unless_stopped<T>(
    connector: &Connector,
    doing: &str,
    stop: &StopSignal,
    grace: Duration,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    alone()?.block_on(async {
        let left = async {
            while !stop.asked() {
                tokio::time::sleep(LOOK).await;
            }
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            outcome = connected(connector, Transport::Shared, doing, work) => outcome,
            () = left => Err(Problem::new(format!("stopped while {doing}: the server's answer was not waited for"))),
        }
    })
}

/// Sends a statement that can be left out, and reads and drops its rows; answers with the refusal of a server that does not
/// have it, or of one that does not let this account.
pub(crate) async fn optional(c: &mut Connection, sql: &str) -> Result<Option<Error>, Error> {
    match c.table(sql).await {
        Ok(_) => Ok(None),
        Err(refused) if matches!(refused.class(), Class::Sql | Class::Refused) => Ok(Some(refused)),
        Err(error) => Err(error),
    }
}

/// A runtime for the calling thread.
fn alone() -> Result<tokio::runtime::Runtime, Problem> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Problem::new("no event loop can be made").evidence(e.to_string()))
}

async fn connected<T>(
    connector: &Connector,
    transport: Transport,
    doing: &str,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let mut connection =
        connector.connect(transport).await.map_err(|e| e.problem(&format!("connecting to {}", connector.dsn())))?;
    if connector.dsn().scheme == Scheme::Mysql {
        // A server may have it off; what is done here is meant to last.
        connection.query("SET autocommit=1").await.map_err(|e| e.problem(doing))?;
    }
    let outcome = work(&mut connection).await.map_err(|e| e.problem(doing));
    connection.close().await;
    outcome?
}
