//! Queries of a server outside of a drive, each for a limited time: on a connection of its own, or on one that earlier work has left.

use std::time::Duration;
use tenbin_driver::{Abandoned, Connection, Connector, Error};
use tenbin_words::problem::Problem;

/// How long a server may take to answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// No connection could be opened.
    Connecting(Error),
    /// The query failed.
    Querying(Error),
    /// A stop was requested, or the server took longer than [`PATIENCE`].
    Abandoned(Abandoned),
}

/// Queries a server. Fails if there can be no event loop. Blocks the calling thread, so it must not be called on a runtime's.
pub(crate) fn query_server<T>(
    connector: &Connector,
    query: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
) -> Result<Result<T, NoAnswer>, Problem> {
    let (runtime, idle) = connector.check_out()?;
    let answering = async {
        let mut c = connector.connect_or_reuse(idle).await.map_err(NoAnswer::Connecting)?;
        match query(&mut c).await {
            Ok(answer) => Ok((answer, connector.release(c).await)),
            Err(error) => {
                c.leave().await;
                Err(NoAnswer::Querying(error))
            }
        }
    };
    let answered = runtime.block_on(connector.within(PATIENCE, answering));
    Ok(match answered.map_err(NoAnswer::Abandoned).flatten() {
        Ok((answer, left)) => {
            connector.check_in(runtime, left);
            Ok(answer)
        }
        Err(why) => Err(why),
    })
}
