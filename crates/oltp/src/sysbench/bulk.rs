//! The tables of bulk_insert: one for each client, `sbtest1`, `sbtest2`, …, with a key and a number, empty at the
//! start.

use super::{PREFIX, dropping, sql};
use std::collections::HashSet;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::catalogue::{self, Kind};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::{Dataset, DatasetEntry, DatasetState, LoadStep, Progress, Steps};

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: "bulk_insert",
    about: "empty tables sbtest1, sbtest2, … for bulk_insert, one for each client: id, k",
    options: &[OPTIONS],
    table_per_client: true,
    columns: |_| COLUMNS.iter().map(|(column, _)| *column).collect(),
    ..DatasetEntry::made_by(|options, scheme| {
        let tables = Resolved(options).count32("tables");
        Ok(Box::new(BulkTables { dialect: Dialect::of(scheme), scheme, tables }))
    })
};

const OPTIONS: &[OptionSpec] = &[row("tables", "1", ValueType::Count(1, 100_000), "number of tables, one per client")];

const COLUMNS: [(&str, Kind); 2] = [("id", Kind::Integer), ("k", Kind::Integer)];

#[derive(Debug)]
struct BulkTables {
    dialect: Dialect,
    scheme: Scheme,
    tables: u32,
}

impl BulkTables {
    fn names(&self) -> Vec<String> {
        (1..=self.tables).map(|t| format!("sbtest{t}")).collect()
    }

    async fn inspect(&self, c: &mut Connection) -> Result<Result<DatasetState, Problem>, Error> {
        if c.server_version().contains("null-server") {
            return Ok(Ok(DatasetState::Ready { ours: false }));
        }
        let catalogue = match catalogue::read(self.dialect, c, PREFIX).await? {
            Ok(catalogue) => catalogue,
            Err(problem) => return Ok(Err(problem)),
        };
        let marked = match mark::read(c, &catalogue).await? {
            Ok(marked) => marked,
            Err(problem) => return Ok(Err(problem)),
        };
        let names = self.names();
        let there: Vec<&String> = names.iter().filter(|n| catalogue.contains_key(*n)).collect();
        if there.is_empty() {
            return Ok(Ok(DatasetState::Nothing));
        }
        let ours: HashSet<&str> = marked.iter().filter(|m| m.dataset == ENTRY.kind).map(|m| m.name.as_str()).collect();
        let ours = there.iter().all(|t| ours.contains(t.as_str()));
        let mut problem = None;
        for name in &names {
            problem = match catalogue.get(name) {
                None => Some(Problem::new(msg!("table-is-missing", table = name)).evidence(msg!(
                    "tables-there-one-per-client",
                    there = there.len(),
                    tables = self.tables
                ))),
                Some(table) if table.columns.len() == COLUMNS.len() => catalogue::misshapen(name, table, &COLUMNS),
                Some(_) => Some(
                    Problem::new(msg!("table-not-of-bulk-insert", table = name)).evidence(msg!("wanted-columns-id-k")),
                ),
            };
            if problem.is_none() && c.table(&format!("SELECT id FROM {name} LIMIT 1")).await?.scalar().is_some() {
                problem = Some(
                    Problem::new(msg!("table-not-empty", table = name))
                        .evidence(msg!("bulk-insert-numbers-rows-from-1")),
                );
            }
            if problem.is_some() {
                break;
            }
        }
        Ok(Ok(match problem {
            None => DatasetState::Ready { ours },
            Some(problem) => DatasetState::Different {
                ours,
                problem: problem.hint(match ours {
                    true => msg!("restore-or-load-bulk-insert", dsn = "DSN"),
                    false => msg!("empty-tables-yourself"),
                }),
            },
        }))
    }

    /// Creates the tables. `tell`: those that exist are left as they are, without a mark, and every name is reported.
    async fn create(&self, c: &mut Connection, tell: Option<Steps<'_>>) -> Result<Result<(), Problem>, Error> {
        let existing = match catalogue::names(self.dialect, c, PREFIX).await? {
            Ok(existing) => existing,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(name) = self.names().into_iter().find(|n| tell.is_none() && existing.contains(n)) {
            return Ok(Err(Problem::new(msg!("table-exists", table = name))
                .evidence(msg!("nothing-was-changed"))
                .hint(msg!("load-with-drop-or-empty-schema"))));
        }
        if let Err(problem) = mark::make_sure(self.dialect, c).await? {
            return Ok(Err(problem));
        }
        let mut created = Vec::new();
        for (table, name) in (1..).zip(self.names()) {
            if let Some(tell) = tell {
                tell(LoadStep::Create, &name);
            }
            if existing.contains(&name) {
                continue;
            }
            c.query(&sql::create_bulk(table)).await?;
            mark::leave_complete(c, &name, ENTRY.kind, 0, &format!("tables={}", self.tables)).await?;
            created.push(name);
        }
        mark::all_complete(c, &created).await.map(Ok)
    }
}

impl Dataset for BulkTables {
    fn kind(&self) -> &str {
        ENTRY.kind
    }

    fn rows(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        u64::from(self.tables) * 98_304
    }

    fn statements(&self) -> Vec<String> {
        let and_so_on =
            if self.tables > 1 { format!("   (and so on to sbtest{})", self.tables) } else { String::new() };
        vec![mark::CREATE.to_owned(), sql::create_bulk(1) + &and_so_on, format!("DROP TABLE sbtest1{and_so_on}")]
    }

    fn creates(&self) -> Option<Vec<String>> {
        Some(self.names())
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(DatasetState::Ready { ours: false });
        }
        with_connection(connector, msg!("looking-at-tables"), async |c| self.inspect(c).await)
    }

    fn streams_used(&self, _connector: &Connector, _streams: u32) -> u32 {
        1
    }

    fn load(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        progress: Progress<'_>,
        _stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        if self.scheme.kind().keeps_tables {
            with_connection(connector, msg!("creating-tables"), async |c| self.create(c, None).await)?;
        }
        progress(0);
        Ok(Vec::new())
    }

    fn load_each(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        tell: Steps<'_>,
        _stop: &StopSignal,
    ) -> Result<(), Problem> {
        match self.scheme.kind().keeps_tables {
            true => with_connection(connector, msg!("creating-tables"), async |c| self.create(c, Some(tell)).await),
            false => {
                self.names().iter().for_each(|name| tell(LoadStep::Create, name));
                Ok(())
            }
        }
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        dropping::ours(connector, (ENTRY.kind, PREFIX), &self.names(), &COLUMNS)
    }

    fn drop_named(&self, connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        dropping::named(connector, &self.names(), tell)
    }

    fn warm(&self, _connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        // They are empty.
        self.names().iter().for_each(|name| tell(name));
        Ok(())
    }
}
