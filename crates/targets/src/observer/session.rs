//! The connection of an observer that queries a server.

use std::time::Duration;
use tenbin_driver::{Connection, Connector, Transport, event_loop};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tokio::runtime::Runtime;

/// How long a reply may take. A server that does not answer must not block the run.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// A connection that is opened for the first query, and again after any error, because the server may be available
/// again.
pub(super) struct ObserverSession<T> {
    connector: Connector,
    /// The runtime, the connection on it, and what was learnt when it was opened.
    open: Option<(Runtime, Connection, T)>,
}

impl<T> ObserverSession<T> {
    pub fn new(connector: &Connector) -> ObserverSession<T> {
        ObserverSession { connector: connector.clone(), open: None }
    }

    /// Sends a query; `learn` examines the server if the connection is new.
    pub fn ask<A>(
        &mut self,
        learn: impl AsyncFnOnce(&mut Connection) -> Result<T, Problem>,
        ask: impl AsyncFnOnce(&mut Connection, &T) -> Result<A, Problem>,
    ) -> Result<A, Problem> {
        let (runtime, open) = match self.open.take() {
            Some((runtime, connection, learnt)) => (runtime, Some((connection, learnt))),
            None => (event_loop()?, None),
        };
        let asking = async {
            let (mut connection, learnt) = match open {
                Some(open) => open,
                None => {
                    let connecting = self.connector.connect(Transport::Shared).await;
                    let mut connection = connecting.map_err(|e| e.problem(msg!("connecting-to-observe-server")))?;
                    let learnt = learn(&mut connection).await?;
                    (connection, learnt)
                }
            };
            let answer = ask(&mut connection, &learnt).await?;
            Ok((answer, connection, learnt))
        };
        let limited = async { tokio::time::timeout(ANSWER, asking).await.unwrap_or_else(|_| Err(silent())) };
        let (answer, connection, learnt) = runtime.block_on(limited)?;
        self.open = Some((runtime, connection, learnt));
        Ok(answer)
    }

    /// The connector of its server.
    pub fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Closes the connection until the next query.
    pub fn close(&mut self) {
        if let Some((runtime, connection, _)) = self.open.take() {
            runtime.block_on(connection.close());
        }
    }
}

/// The problem for a server that did not answer in time.
pub(super) fn silent() -> Problem {
    let waited = msg!("status-took-too-long", seconds = ANSWER.as_secs());
    Problem::new(waited).hint(msg!("look-what-it-is-busy-with"))
}
