//! Which variables of a server do not have the value that it was built with, as far as the server says.

use std::collections::BTreeSet;
use tenbin_driver::{Connector, event_loop};
use tenbin_model::dsn::Scheme;

/// Queries for their names, in the order in which they are tried: MariaDB from 10.1 on, MySQL from 8.0 on. A value that
/// the server calculated itself at its start is not changed.
const MYSQL: &[&str] = &[
    "SELECT variable_name FROM information_schema.system_variables \
     WHERE global_value_origin NOT IN ('COMPILE-TIME', 'AUTO')",
    "SELECT variable_name FROM performance_schema.variables_info WHERE variable_source <> 'COMPILED'",
];
const POSTGRES: &[&str] = &["SELECT name FROM pg_settings WHERE source <> 'default'"];

/// Their names in lower case; `None` if the server does not say.
pub fn changed(connector: &Connector) -> Option<BTreeSet<String>> {
    let queries = match connector.dsn().scheme {
        Scheme::Mysql => MYSQL,
        Scheme::Postgres => POSTGRES,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => return None,
    };
    event_loop().ok()?.block_on(async {
        let mut c = match connector.dsn().scheme {
            // Our own sessions have some settings of their own.
            Scheme::Postgres => connector.connect_for_settings().await.ok()?,
            _ => connector.connect_ready().await.ok()?,
        };
        for query in queries {
            if let Ok(table) = c.table(query).await {
                c.leave().await;
                let names = table.rows.into_iter().filter_map(|row| row.into_iter().next().flatten());
                return Some(names.map(|name| name.to_lowercase()).collect());
            }
        }
        c.leave().await;
        None
    })
}
