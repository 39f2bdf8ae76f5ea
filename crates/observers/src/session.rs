//! The connection of an observer that queries a server.

use super::Subject;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tenbin_driver::{Connection, Connector};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::runtime::Runtime;

/// How long a reply may take. A server that does not answer must not block the run.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// The numbers of the connections to the observed server that Tenbin keeps beside those of the clients.
#[derive(Debug, Clone, Default)]
pub struct OwnConnections(Arc<Mutex<BTreeSet<u32>>>);

impl OwnConnections {
    /// Those that are known by their numbers.
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> OwnConnections {
        OwnConnections(Arc::new(Mutex::new(numbers.into_iter().collect())))
    }

    /// One of them, until what is returned is dropped.
    pub(super) fn with(&self, connection: &Connection) -> OwnConnection {
        let number = connection.number();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(number);
        OwnConnection { all: self.clone(), number }
    }

    /// Their numbers at the moment.
    pub(super) fn numbers(&self) -> BTreeSet<u32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The place of a connection among [`OwnConnections`].
#[derive(Debug)]
pub(super) struct OwnConnection {
    all: OwnConnections,
    number: Option<u32>,
}

impl Drop for OwnConnection {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        }
    }
}

/// A connection that is opened for the first query, and again after any error, because the server may be available
/// again.
pub(super) struct ObserverSession<T> {
    connector: Connector,
    own: OwnConnections,
    open: Option<OpenSession<T>>,
}

/// An open connection.
struct OpenSession<T> {
    runtime: Runtime,
    connection: Connection,
    among_own: OwnConnection,
    /// What was learnt when it was opened.
    learnt: T,
}

impl<T> ObserverSession<T> {
    /// To the observed server.
    pub fn new(subject: &Subject) -> ObserverSession<T> {
        ObserverSession { connector: subject.connector.clone(), own: subject.own.clone(), open: None }
    }

    /// Sends a query; `learn` examines the server if the connection is new.
    pub fn ask<A>(
        &mut self,
        learn: impl AsyncFnOnce(&mut Connection) -> Result<T, Problem>,
        ask: impl AsyncFnOnce(&mut Connection, &T) -> Result<A, Problem>,
    ) -> Result<A, Problem> {
        let (runtime, idle, open) = match self.open.take() {
            Some(open) => (open.runtime, None, Some((open.connection, open.among_own, open.learnt))),
            None => {
                let (runtime, idle) = self.connector.check_out()?;
                (runtime, idle, None)
            }
        };
        let mut left = None;
        let asking = async {
            let (mut connection, among_own, learnt) = match open {
                Some(open) => open,
                None => {
                    let connecting = self.connector.connect_or_reuse(idle).await;
                    let mut connection = connecting.map_err(|e| e.problem(msg!("connecting-to-observe-server")))?;
                    let among_own = self.own.with(&connection);
                    let learnt = learn(&mut connection).await;
                    match learnt {
                        Ok(learnt) => (connection, among_own, learnt),
                        Err(problem) => {
                            left = self.connector.release(connection).await;
                            return Err(problem);
                        }
                    }
                }
            };
            let answer = ask(&mut connection, &learnt).await?;
            Ok((answer, connection, among_own, learnt))
        };
        let limited = async { tokio::time::timeout(ANSWER, asking).await.unwrap_or_else(|_| Err(silent())) };
        let answered = runtime.block_on(limited);
        let (answer, connection, among_own, learnt) = match answered {
            Ok(all) => all,
            Err(problem) => {
                self.connector.check_in(runtime, left);
                return Err(problem);
            }
        };
        self.open = Some(OpenSession { runtime, connection, among_own, learnt });
        Ok(answer)
    }

    /// The connector of its server.
    pub fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Closes the connection until the next query, or leaves it to other work.
    pub fn close(&mut self) {
        if let Some(OpenSession { runtime, connection, .. }) = self.open.take() {
            let left = runtime.block_on(self.connector.release(connection));
            self.connector.check_in(runtime, left);
        }
    }
}

/// The problem for a server that did not answer in time.
pub(super) fn silent() -> Problem {
    let waited = msg!("status-took-too-long", seconds = ANSWER.as_secs());
    Problem::new(waited).hint(msg!("look-what-it-is-busy-with"))
}
