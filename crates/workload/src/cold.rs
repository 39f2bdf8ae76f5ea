//! Work outside the measured window — looking, creating, dropping — on a connection and a runtime of its own.

use tenbin_driver::{Connection, Connector, Error, Transport};
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;

/// Runs `work` on a new connection and waits for it; its errors are told as `doing … failed`. Blocks the calling
/// thread, so it must not be called on a runtime's.
pub(crate) fn with_connection<T>(
    connector: &Connector,
    doing: &str,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Problem::new("no event loop can be made").evidence(e.to_string()))?;
    runtime.block_on(async {
        let mut connection = connector
            .connect(Transport::Alone)
            .await
            .map_err(|e| e.problem(&format!("connecting to {}", connector.dsn())))?;
        if connector.dsn().scheme == Scheme::Mysql {
            // A server may have it off; what is done here is meant to last.
            connection.query("SET autocommit=1").await.map_err(|e| e.problem(doing))?;
        }
        let outcome = work(&mut connection).await.map_err(|e| e.problem(doing));
        connection.close().await;
        outcome?
    })
}
