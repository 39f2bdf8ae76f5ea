//! Work outside of the measured window (inspecting, creating, dropping), on a separate connection and runtime.

use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error, Idle, event_loop};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How often a stop request is checked while waiting for a server.
const LOOK: Duration = Duration::from_millis(100);

/// How long a server may continue its current work after a stop was requested.
const GRACE: Duration = Duration::from_secs(2);

/// Runs `work` on a new connection, or on one that earlier work has left if the connector keeps them, and waits for it, or until the connector's stop
/// ([`Connector::until`]); its errors are reported as `doing … failed`. Blocks the calling thread, so it must not be called on a runtime's.
pub fn with_connection<T>(
    connector: &Connector,
    doing: Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let (runtime, idle) = connector.check_out()?;
    let (outcome, left) = runtime.block_on(async {
        tokio::select! {
            outcome = connected(connector, idle, &doing, work) => outcome,
            () = connector.abandoned(GRACE) => (Err(left(&doing)), None),
        }
    });
    connector.check_in(runtime, left);
    outcome
}

/// The same, but not blocked by a server that does not answer: if a stop was requested and the work has not ended
/// `grace` later, it is abandoned and its connection dropped, upon which the server rolls back.
pub fn unless_stopped<T>(
    connector: &Connector,
    doing: Message,
    stop: &StopSignal,
    grace: Duration,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let connector = &connector.keeping_none();
    event_loop()?.block_on(async {
        let stopped = async {
            while !stop.asked() {
                tokio::time::sleep(LOOK).await;
            }
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            (outcome, _) = connected(connector, None, &doing, work) => outcome,
            () = stopped => Err(left(&doing)),
        }
    })
}

/// Sends an optional statement and discards its rows; returns the error of a server that does not
/// support it, or denies it to this account.
pub async fn optional(c: &mut Connection, sql: &str) -> Result<Option<Error>, Error> {
    match c.table(sql).await {
        Ok(_) => Ok(None),
        Err(refused) if matches!(refused.class(), Class::Sql | Class::Refused) => Ok(Some(refused)),
        Err(error) => Err(error),
    }
}

fn left(doing: &Message) -> Problem {
    Problem::new(msg!("stopped-without-answer", doing))
}

/// The outcome, and the connection if it is kept; after an error it is not, because it may be in the middle of something.
async fn connected<T>(
    connector: &Connector,
    idle: Option<Idle>,
    doing: &Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> (Result<T, Problem>, Option<Idle>) {
    let mut connection = match connector.connect_or_reuse(idle).await {
        Ok(connection) => connection,
        Err(e) => return (Err(e.problem(msg!("connecting-to", dsn = connector.dsn()))), None),
    };
    let outcome = work(&mut connection).await.map_err(|e| e.problem(doing)).and_then(|done| done);
    if outcome.is_ok() {
        return (outcome, connector.release(connection).await);
    }
    connection.leave().await;
    (outcome, None)
}
