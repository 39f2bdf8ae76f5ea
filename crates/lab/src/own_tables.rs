//! Which tables with Tenbin's mark are those of a run: its trials load them, and find them in their golden copies. Others are of other plans and other
//! users, and a copy that takes the place of a server's data would take them away.

use crate::golden_work::first_of;
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_model::trial::Trial;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Dataset;
use tenbin_workload::tables::others::MarkedTable;

/// The data sets of a run.
#[derive(Debug, Clone, Default)]
pub struct OwnTables(Vec<OwnDataset>);

/// The tables of one kind of data set in one database.
#[derive(Debug, Clone, PartialEq)]
struct OwnDataset {
    at: Dsn,
    schema: String,
    kind: String,
}

impl OwnTables {
    /// Those of these trials.
    pub fn of(trials: &[Trial]) -> OwnTables {
        let mut all: Vec<OwnDataset> = Vec::new();
        for trial in trials.iter().filter(|trial| trial.target.sandbox.is_none()) {
            let Some(at) = trial.target.dsn.as_deref().and_then(|dsn| Dsn::parse(dsn).ok()) else { continue };
            let (kind, options) = (&trial.dataset.kind, &trial.dataset.options);
            let dataset = tenbin_workloads::dataset(kind, options, trial.target.scheme()).ok();
            let schema = dataset.as_deref().and_then(Dataset::schema).unwrap_or(&at.database).to_owned();
            let own = OwnDataset { at, schema, kind: kind.clone() };
            if !all.contains(&own) {
                all.push(own);
            }
        }
        OwnTables(all)
    }

    /// Fails if one of these tables of the server is of another run.
    pub fn nothing_else(&self, connector: &Connector, marked: &[MarkedTable]) -> Result<(), Problem> {
        let others = marked.iter().filter(|table| !self.has(connector, table));
        let others: Vec<String> = others.map(|table| format!("{}.{}", table.schema, table.name)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let what = msg!("tables-of-other-plans", dsn = connector.dsn(), count = others.len());
        Err(Problem::new(what).evidence(first_of(&others)).hint(msg!("allow-replace-server")))
    }

    /// Whether a table of the server is one of them.
    fn has(&self, connector: &Connector, table: &MarkedTable) -> bool {
        let here = connector.dsn();
        let is_here = |own: &&OwnDataset| {
            let (at, socket) = (&own.at, |dsn: &Dsn| dsn.options.get("socket").cloned());
            (&at.scheme, &at.host, at.port, socket(at)) == (&here.scheme, &here.host, here.port, socket(here))
        };
        let is_its = |own: &OwnDataset| match here.scheme.kind().has_schema_directories {
            // Their names may be in lower case there.
            true => own.schema.eq_ignore_ascii_case(&table.schema),
            // Of the database of the address are those without its name.
            false => own.at.database == here.database && !table.schema.contains('.'),
        };
        self.0.iter().filter(is_here).any(|own| own.kind == table.dataset && is_its(own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::{Plan, expand};

    #[test]
    fn tables_are_of_the_run_by_server_schema_and_kind_of_data() {
        let text = "schema = 1\n[targets]\na = { dsn = \"mysql://u@db/app\" }\nb = { dsn = \"mysql://u@db/other\" }\n\
                    [[experiment]]\nload.workload = \"oltp_read_only\"\n";
        let own = OwnTables::of(&expand(&Plan::parse(text, &tenbin_workloads::catalog()).unwrap()));
        let at = |dsn: &str| Connector::new(Dsn::parse(dsn).unwrap(), Some(String::new())).unwrap();
        let here = at("mysql://u@db/app");
        let has = |connector: &Connector, schema: &str, dataset: &str| {
            let (schema, name, dataset) = (schema.to_owned(), "sbtest1".to_owned(), dataset.to_owned());
            own.has(connector, &MarkedTable { schema, name, dataset })
        };
        assert!(has(&here, "app", "sysbench") && has(&here, "APP", "sysbench") && has(&here, "other", "sysbench"));
        assert!(!has(&here, "shop", "sysbench") && !has(&here, "app", "tpcc"));
        assert!(!has(&at("mysql://u@elsewhere/app"), "app", "sysbench"));
    }
}
