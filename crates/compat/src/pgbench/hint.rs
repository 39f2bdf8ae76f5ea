//! The hints of pgbench: commands with the place and the account that were found.

use crate::hint::{HintWords, quoted};
use crate::libpq::Server;

/// Hints in pgbench's terms.
pub fn words(server: &Server) -> HintWords {
    let at = format!("-h {} -p {} -U {}", quoted(&server.host), server.port, quoted(&server.user));
    let database = quoted(&server.database);
    HintWords {
        account: format!("give others with -U and PGPASSWORD or ~/.pgpass; try them: psql {at} {database}"),
        ping: format!("pg_isready {at}"),
        create: format!("createdb {at} {database}"),
        plain: "PGSSLMODE=disable".into(),
        encrypted: "PGSSLMODE=require".into(),
        load: format!("pgbench -i {at} {database}"),
        ..HintWords::default()
    }
}
