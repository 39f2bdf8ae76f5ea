//! Files of a server of MySQL or MariaDB that are not in its data directory, of which alone a golden copy is made: those of tables that were created
//! with `DATA DIRECTORY`, and of tablespaces with a path. A copy that takes the place of the data would leave them as they are, which fits neither.

use crate::server_query::{NoAnswer, PATIENCE, query_server};
use tenbin_driver::{Abandoned, Class, Connection, Connector, Error};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Their paths, by the first of these that the server has: MySQL from 8.0 on; before that, and MariaDB before 10.6; MariaDB. InnoDB's names of files in the
/// data directory are relative.
const PATHS: [(&str, &str); 3] =
    [("PATH", "INNODB_DATAFILES"), ("PATH", "INNODB_SYS_DATAFILES"), ("FILENAME", "INNODB_SYS_TABLESPACES")];

/// Whether the first view shows anything: MySQL from 8.0 on has files that every account sees there, at least those of InnoDB itself.
const SEEN: &str = "SELECT PATH FROM information_schema.INNODB_DATAFILES LIMIT 1";

/// The errors of servers that do not have a view.
const UNKNOWN_TABLE: [u32; 2] = [1109, 1146];

/// The first of them; none on other servers. Fails if the server does not answer, or MySQL 8.0 does not show them to the account. Before, and in MariaDB, a
/// file in the data directory leads to each of them, which is found when a copy is made. Blocks the calling thread.
pub fn files_elsewhere(connector: &Connector) -> Result<Vec<String>, Problem> {
    if !connector.dsn().scheme.kind().has_schema_directories {
        return Ok(Vec::new());
    }
    let answer = query_server(connector, async |c| {
        let mut paths = Vec::new();
        for (column, table) in PATHS {
            let sql = format!(
                "SELECT {column} FROM information_schema.{table} WHERE {column} LIKE '/%' \
                 AND LEFT({column}, CHAR_LENGTH(@@datadir)) <> @@datadir ORDER BY 1 LIMIT 6"
            );
            if let Some(rows) = c.rows_if_visible(&sql).await? {
                paths = rows.into_iter().flatten().flatten().collect();
                break;
            }
        }
        let unseen = if paths.is_empty() { why_unseen(c).await? } else { None };
        Ok((paths, unseen))
    })?;
    let (paths, unseen) = answer.map_err(|why| unanswered(connector, why))?;
    let problem = |why| {
        Problem::new(msg!("files-outside-unseen", dsn = connector.dsn())).evidence(why).hint(msg!("grant-process"))
    };
    unseen.map_or(Ok(paths), |why| Err(problem(why)))
}

/// The problem that a server does not say how its data are kept.
pub(super) fn unanswered(connector: &Connector, why: NoAnswer) -> Problem {
    match why {
        NoAnswer::Connecting(e) | NoAnswer::Querying(e) => e.problem(msg!("looking-how-tables-are-kept")),
        NoAnswer::Abandoned(Abandoned::Stopped) => Problem::new(msg!("stopped-asking-server")),
        NoAnswer::Abandoned(Abandoned::Slow) => {
            Problem::new(msg!("files-took-too-long", dsn = connector.dsn(), seconds = PATIENCE.as_secs()))
                .hint(msg!("look-what-it-is-busy-with"))
        }
    }
}

/// Why the account cannot know whether there are any.
async fn why_unseen(c: &mut Connection) -> Result<Option<Message>, Error> {
    match c.table(SEEN).await {
        Ok(table) => Ok(table.rows.is_empty().then(|| foreign(SEEN))),
        Err(e) if e.number().is_some_and(|number| UNKNOWN_TABLE.contains(&number)) => Ok(None),
        Err(e) if matches!(e.class(), Class::Sql | Class::Refused) => Ok(Some(foreign(e))),
        Err(e) => Err(e),
    }
}
