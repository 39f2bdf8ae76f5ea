//! The activity of a server that has not answered for a while, queried on a separate connection and reported during
//! loads.

use std::time::Duration;
use tenbin_driver::{Connector, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long this query may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The state of a MySQL or MariaDB session whose file cannot grow: it retries every minute until there is free space.
const FULL: &str = "Waiting for someone to free space";

/// The outcome of the query.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The problem to report.
    pub problem: Problem,
    /// Whether the server answers at all.
    pub answers: bool,
}

/// The longest-running statement of our account, with its state according to the server. If the server does not
/// answer this query either, that is reported instead.
pub fn waiting(connector: &Connector) -> Waiting {
    let runtime = event_loop();
    let asking = async { connector.within(PATIENCE, longest(connector)).await.ok().flatten() };
    let (problem, answers) = match runtime.ok().and_then(|runtime| runtime.block_on(asking)) {
        Some(Some((state, statement, seconds))) if state == FULL => (
            Problem::new(msg!("server-disk-full"))
                .evidence(msg!(
                    "statement-in-state",
                    statement = format_args!("{statement:?}"),
                    state = format_args!("{state:?}"),
                    seconds
                ))
                .hint(msg!("free-space-and-wait")),
            true,
        ),
        Some(Some((state, statement, seconds))) => (
            Problem::new(msg!("server-still-busy")).evidence(msg!(
                "statement-in-state",
                statement = format_args!("{statement:?}"),
                state = format_args!("{state:?}"),
                seconds
            )),
            true,
        ),
        Some(None) => (Problem::new(msg!("server-answers-nothing-under-way")), true),
        None => (
            Problem::new(msg!("server-does-not-answer"))
                .evidence(msg!("no-answer-on-another-connection", patience = PATIENCE.as_secs()))
                .hint(msg!("look-into-error-log")),
            false,
        ),
    };
    Waiting { problem, answers }
}

/// Its state, text and duration in seconds, if there is one; `None` if the query fails.
async fn longest(connector: &Connector) -> Option<Option<(String, String, String)>> {
    let sql = match connector.dsn().scheme {
        Scheme::Mysql => {
            "SELECT STATE, LEFT(INFO, 60), TIME FROM information_schema.PROCESSLIST \
             WHERE COMMAND='Query' AND ID<>CONNECTION_ID() AND INFO IS NOT NULL \
             ORDER BY STATE='Waiting for someone to free space' DESC, TIME DESC LIMIT 1"
        }
        Scheme::Postgres => {
            "SELECT COALESCE(wait_event, 'running'), LEFT(query, 60), \
             ROUND(EXTRACT(EPOCH FROM now() - query_start)) FROM pg_stat_activity \
             WHERE state='active' AND pid<>pg_backend_pid() AND usename=current_user ORDER BY query_start LIMIT 1"
        }
        _ => return None,
    };
    let mut c = connector.connect_ready().await.ok()?;
    let rows = c.table(sql).await.ok()?.rows;
    c.leave().await;
    Some(match rows.into_iter().next().as_deref() {
        Some([Some(state), Some(statement), Some(seconds)]) => {
            Some((state.clone(), statement.clone(), seconds.clone()))
        }
        _ => None,
    })
}
