//! Drops tables named `sbtest…`, of either kind: those with our mark, or all with these names.

use tenbin_driver::Connector;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::catalogue::{self, Kind};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;

/// Drops what the data set of this kind has created, if the tables still have its columns; `base`: what their names begin with.
pub(super) fn ours(
    connector: &Connector,
    (kind, base): (&str, &str),
    names: &[String],
    columns: &[(&str, Kind)],
) -> Result<(), Problem> {
    let scheme = connector.dsn().scheme;
    if !scheme.kind().keeps_tables {
        return Ok(());
    }
    with_connection(connector, msg!("dropping-our-tables"), async |c| {
        match catalogue::read(Dialect::of(scheme), c, base).await? {
            Ok(catalogue) => mark::drop_marked(c, &catalogue, kind, names, columns).await,
            Err(problem) => Ok(Err(problem)),
        }
    })
}

/// Drops all tables with these names, reporting each before.
pub(super) fn named(connector: &Connector, names: &[String], tell: &dyn Fn(&str)) -> Result<(), Problem> {
    let scheme = connector.dsn().scheme;
    if !scheme.kind().keeps_tables {
        names.iter().for_each(|name| tell(name));
        return Ok(());
    }
    with_connection(connector, msg!("dropping-tables"), async |c| {
        // Of the tables themselves nothing needs to be known.
        match catalogue::read_named(Dialect::of(scheme), c, &[mark::NAME]).await? {
            Ok(catalogue) => mark::drop_named(c, catalogue.get(mark::NAME), names, tell).await.map(Ok),
            Err(problem) => Ok(Err(problem)),
        }
    })
}
