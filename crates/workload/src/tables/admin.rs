//! Work outside the measured window — looking, creating, dropping — on a connection and a runtime of its own.

use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error, event_loop};
use tenbin_model::message::Message;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// How often a stop is looked for while a server is waited for.
const LOOK: Duration = Duration::from_millis(100);

/// How long a server may go on with what it is at when a stop has been asked for.
const GRACE: Duration = Duration::from_secs(2);

/// The same server, with `schema` for the database.
pub fn within(connector: &Connector, schema: &str) -> Result<Connector, Problem> {
    let mut dsn = connector.dsn().clone();
    schema.clone_into(&mut dsn.database);
    Connector::new(dsn, None)
}

/// Runs `work` on a new connection and waits for it, or until the connector's stop ([`Connector::until`]); its errors are told as
/// `doing … failed`. Blocks the calling thread, so it must not be called on a runtime's.
pub fn with_connection<T>(
    connector: &Connector,
    doing: Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    event_loop()?.block_on(async {
        tokio::select! {
            outcome = connected(connector, &doing, work) => outcome,
            () = connector.abandoned(GRACE) => Err(left(&doing)),
        }
    })
}

/// The same, but a server that does not answer cannot hold us: when a stop has been asked for and the work has not ended
/// `grace` later, it is left and its connection dropped, which the server takes for a ROLLBACK.
pub fn unless_stopped<T>(
    connector: &Connector,
    doing: Message,
    stop: &StopSignal,
    grace: Duration,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    event_loop()?.block_on(async {
        let stopped = async {
            while !stop.asked() {
                tokio::time::sleep(LOOK).await;
            }
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            outcome = connected(connector, &doing, work) => outcome,
            () = stopped => Err(left(&doing)),
        }
    })
}

/// Sends a statement that can be left out, and reads and drops its rows; answers with the refusal of a server that does not
/// have it, or of one that does not let this account.
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

async fn connected<T>(
    connector: &Connector,
    doing: &Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let mut connection =
        connector.connect_ready().await.map_err(|e| e.problem(msg!("connecting-to", dsn = connector.dsn())))?;
    let outcome = work(&mut connection).await.map_err(|e| e.problem(doing));
    connection.close().await;
    outcome?
}
