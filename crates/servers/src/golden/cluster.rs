//! The cluster that a copy of a data directory of PostgreSQL is of. The directory has the identifier by which archives, backups and standbys know it: on
//! another cluster the copy would be taken for the first one, so that each one that is not ours has copies of its own.

use super::elsewhere::unanswered;
use crate::server_query::query_server;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_words::problem::Problem;

/// The identifier of the cluster, or its address if the account may not know it; `None` on other servers. Blocks the calling thread.
pub fn cluster(connector: &Connector) -> Result<Option<String>, Problem> {
    let Scheme::Postgres = connector.dsn().scheme else { return Ok(None) };
    let sql = "SELECT system_identifier::text FROM pg_control_system()";
    let answer = query_server(connector, async |c| c.rows_if_visible(sql).await)?;
    let rows = answer.map_err(|why| unanswered(connector, why))?;
    let identifier = rows.into_iter().flatten().flatten().flatten().next();
    Ok(Some(identifier.unwrap_or_else(|| connector.dsn().to_string())))
}
