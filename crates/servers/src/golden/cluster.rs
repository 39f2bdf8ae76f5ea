//! The cluster that a copy of a data directory of PostgreSQL is of. The directory has the identifier by which archives, backups and standbys know it: on
//! another cluster the copy would be taken for the first one, so that each one that is not ours has copies of its own.

use std::time::Duration;
use tenbin_driver::{Abandoned, Connector, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long a server may take to say it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The identifier of the cluster, or its address if the account may not know it; `None` on other servers. Blocks the calling thread.
pub fn cluster(connector: &Connector) -> Result<Option<String>, Problem> {
    let Scheme::Postgres = connector.dsn().scheme else { return Ok(None) };
    let asking = async {
        let mut c = connector.connect_ready().await?;
        let rows = c.rows_if_visible("SELECT system_identifier::text FROM pg_control_system()").await?;
        c.leave().await;
        Ok::<_, tenbin_driver::Error>(rows)
    };
    let answer = event_loop()?.block_on(connector.within(PATIENCE, asking)).map_err(|why| match why {
        Abandoned::Stopped => Problem::new(msg!("stopped-asking-server")),
        Abandoned::Slow => {
            Problem::new(msg!("files-took-too-long", dsn = connector.dsn(), seconds = PATIENCE.as_secs()))
                .hint(msg!("look-what-it-is-busy-with"))
        }
    })?;
    let rows = answer.map_err(|e| e.problem(msg!("looking-how-tables-are-kept")))?;
    let identifier = rows.into_iter().flatten().flatten().flatten().next();
    Ok(Some(identifier.unwrap_or_else(|| connector.dsn().to_string())))
}
