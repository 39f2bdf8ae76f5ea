//! Connections of work outside of a drive that are kept from one piece of work to the next, for [`Connector`](crate::Connector): many short trials would
//! otherwise measure a server that is busy with connections.

use crate::mysql::MysqlConnection;
use crate::{Connection, Error};
use std::sync::{Arc, Mutex, PoisonError};
use tenbin_model::dsn::Dsn;
use tokio::runtime::{Handle, Runtime};

/// A connection that no work uses.
#[derive(Debug)]
pub struct Idle(pub(crate) Box<MysqlConnection>);

impl Idle {
    /// The connection in this schema, which may have been created again since; an error if the server does not answer on it any more. Without a schema
    /// it is in one that has no tables of a user: a connection cannot leave its schema.
    pub(crate) async fn reset(self, schema: &str) -> Result<Connection, Error> {
        let mut connection = Connection::Mysql(self.0);
        let schema = if schema.is_empty() { "information_schema" } else { schema };
        let statement = format!("USE {}", connection.quoting().name(schema));
        connection.query(&statement).await.map(|_| connection)
    }
}

/// Idle connections, each with its address, and with the event loop that its socket belongs to.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdleConnections(Arc<IdleList>);

#[derive(Debug, Default)]
struct IdleList(Mutex<Vec<(Dsn, Runtime, Idle)>>);

impl IdleConnections {
    /// One to this server, in whatever schema it is: a run needs one for all its work.
    pub(crate) fn take(&self, dsn: &Dsn) -> Option<(Runtime, Idle)> {
        let mut all = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let position = all.iter().position(|(of, ..)| is_same_server(of, dsn))?;
        let (_, runtime, idle) = all.swap_remove(position);
        Some((runtime, idle))
    }

    pub(crate) fn put(&self, dsn: &Dsn, runtime: Runtime, idle: Idle) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).push((dsn.clone(), runtime, idle));
    }

    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Closes all of them but the one that [`Self::take`] returns next.
    pub(crate) fn keep_one(&self, dsn: &Dsn) {
        let one = self.take(dsn);
        self.0.clear();
        if let Some((runtime, idle)) = one {
            self.put(dsn, runtime, idle);
        }
    }
}

/// Whether these are the same server and account, with the same options.
fn is_same_server(one: &Dsn, other: &Dsn) -> bool {
    *one == Dsn { database: one.database.clone(), ..other.clone() }
}

impl IdleList {
    fn clear(&self) {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for (_, runtime, Idle(connection)) in all {
            match Handle::try_current() {
                Err(_) => runtime.block_on(Connection::Mysql(connection).leave()),
                // A thread that runs an event loop cannot wait for another one: the server sees the end of the socket.
                Ok(_) => runtime.shutdown_background(),
            }
        }
    }
}

impl Drop for IdleList {
    fn drop(&mut self) {
        self.clear();
    }
}
