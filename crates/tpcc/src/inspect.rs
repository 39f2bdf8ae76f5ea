//! Inspects what exists: our own tables (their metadata say how complete they are), tables of another tool in the same
//! layout, or something else, which is reported and left unchanged.

use super::metadata::{self, Metadata};
use super::schema::{self, SchemaForm, TABLES};
use super::set::Set;
use super::{ENTRY, Tables};
use std::collections::BTreeSet;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::promise;
use tenbin_words::message::{self, Message};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::DatasetState;
use tenbin_workload::options::OptionMap;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::catalogue::{self, Catalogue};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;

/// What is there.
#[derive(Debug)]
pub(super) enum TablesState {
    /// None of our tables.
    Nothing,
    /// Ours, complete or not.
    Ours(Metadata),
    /// Something without our metadata.
    Foreign(Problem),
}

pub(super) async fn inspect(
    tables: &Tables,
    connector: &Connector,
    c: &mut Connection,
) -> Result<Result<DatasetState, Problem>, Error> {
    if c.server_version().contains("null-server") {
        return Ok(Ok(DatasetState::Ready { ours: false }));
    }
    let metadata = match state_of(tables, c).await? {
        Err(problem) => return Ok(Err(problem)),
        Ok(TablesState::Nothing) => return Ok(Ok(DatasetState::Nothing)),
        Ok(TablesState::Foreign(problem)) => {
            // The user created empty tables for us: a load treats them like an empty schema.
            let room = tables.adopt && fits_us(&problem) && filled(tables, c).await?.is_empty();
            return if room { Ok(Ok(DatasetState::Nothing)) } else { foreign(tables, problem, c).await.map(Ok) };
        }
        Ok(TablesState::Ours(metadata)) => metadata,
    };
    let ours = !metadata.adopted;
    if let Err(problem) = fits(tables, connector, &metadata) {
        return Ok(Ok(DatasetState::Different { ours, problem }));
    }
    if metadata.finished() && metadata.complete == tables.warehouses {
        let ours = ours && replaced(tables, c).await?.is_none();
        let problem = if ours { keys_missing(tables, c).await? } else { None };
        return Ok(Ok(
            problem.map_or(DatasetState::Ready { ours }, |problem| DatasetState::Different { ours, problem })
        ));
    }
    let problem = if metadata.finished() {
        Problem::new(msg!("fewer-warehouses-complete", wanted = tables.warehouses, there = metadata.complete))
            .evidence(msg!("load-adds-warehouses"))
    } else {
        Problem::new(msg!("tables-not-loaded-to-end")).evidence(msg!(
            "rows-in-load-goes-on",
            rows = metadata.rows(tables.wanted()),
            all = tables.nominal_rows()
        ))
    };
    Ok(Ok(DatasetState::Unfinished { problem: problem.hint(tables.load_command(connector)) }))
}

/// The options of the last load that was completed.
pub(super) fn loaded_with(connector: &Connector) -> OptionMap {
    let read = with_connection(connector, msg!("looking-at-tables"), async |c| metadata::read(c).await.map(Ok));
    let Some(metadata) = read.ok().flatten().filter(Metadata::finished) else { return OptionMap::new() };
    let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
    let options = [
        ("warehouses", metadata.complete.to_string()),
        ("tables", metadata.tables.to_string()),
        ("numbered", switch(metadata.numbered)),
        ("foreign_keys", switch(metadata.foreign_keys)),
        ("layout", metadata.layout),
    ];
    options.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Inspects the schema without changing anything.
pub(super) async fn state_of(tables: &Tables, c: &mut Connection) -> Result<Result<TablesState, Problem>, Error> {
    let catalogue = match read(tables, c).await? {
        Ok(catalogue) => catalogue,
        Err(problem) => return Ok(Err(problem)),
    };
    if let Err(problem) = mark::read(c, &catalogue).await? {
        return Ok(Err(problem));
    }
    let there = tables.each().filter(|(set, t)| catalogue.contains_key(&set.named(t.name))).count();
    if catalogue.contains_key(metadata::NAME)
        && let Some(metadata) = metadata::read(c).await?
    {
        return Ok(Ok(TablesState::Ours(metadata)));
    }
    if there == 0 {
        return Ok(Ok(TablesState::Nothing));
    }
    let shape = tables.each().map(|(set, t)| (set.named(t.name), t)).find_map(|(name, t)| match catalogue.get(&name) {
        None => Some(msg!("is-missing", name)),
        Some(described) => catalogue::misshapen(&name, described, &t.held().collect::<Vec<_>>())
            .map(|p| msg!("name-and-why", name, why = p.evidence.unwrap_or_else(nothing))),
    });
    let others = ["new_order", "oorder"].iter().find(|n| catalogue.contains_key(**n));
    let whose = match (shape, others) {
        (Some(wrong), Some(name)) => {
            msg!("table-of-another-tool", why = wrong, table = name)
        }
        (Some(wrong), None) => wrong,
        (None, _) => nothing(),
    };
    Ok(Ok(TablesState::Foreign(
        Problem::new(msg!("tpcc-tables-not-ours")).evidence(whose).hint(msg!("use-empty-schema")),
    )))
}

fn nothing() -> Message {
    message::foreign("")
}

/// Whether tables that we did not create have our layout.
pub(super) fn fits_us(problem: &Problem) -> bool {
    problem.evidence.as_ref().is_none_or(|evidence| evidence.is_empty())
}

/// Those of the tables, all of which exist, that contain a row.
pub(super) async fn filled(tables: &Tables, c: &mut Connection) -> Result<Vec<String>, Error> {
    let mut filled = Vec::new();
    for name in tables.each().map(|(set, table)| set.named(table.name)) {
        if !c.table(&format!("SELECT 1 FROM {name} LIMIT 1")).await?.rows.is_empty() {
            filled.push(name);
        }
    }
    Ok(filled)
}

/// A run may use another tool's tables if they have tpcc-mysql's layout and the requested size.
async fn foreign(tables: &Tables, problem: Problem, c: &mut Connection) -> Result<DatasetState, Error> {
    if !fits_us(&problem) {
        return Ok(DatasetState::Different { ours: false, problem });
    }
    let mut wrong = None;
    for name in tables.sets.iter().map(|set| set.named("warehouse")) {
        let count = c.table(&format!("SELECT COUNT(*) FROM {name}")).await?;
        let count = count.scalar().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        if count != tables.warehouses {
            wrong = Some(count);
        }
    }
    let Some(count) = wrong else { return Ok(DatasetState::Ready { ours: false }) };
    let problem = problem.evidence(msg!("other-warehouses-there", wanted = tables.warehouses, count));
    Ok(DatasetState::Different { ours: false, problem: problem.hint(msg!("set-warehouses-or-empty-schema")) })
}

/// Whether what was loaded, completely or in part, fits what is requested now.
pub(super) fn fits(tables: &Tables, connector: &Connector, metadata: &Metadata) -> Result<(), Problem> {
    let differs = |option: &str, wanted: &str, there: &str| {
        let what = if option == "warehouses" { msg!("number-of-warehouses") } else { message::foreign(option) };
        Err(Problem::new(msg!("tables-loaded-otherwise", property = what))
            .evidence(msg!("wanted-found", option, wanted, found = there))
            .hint(msg!("set-option-or-load-again", option, value = there, load = tables.load_command(connector))))
    };
    let switch = |on: bool| if on { "on" } else { "off" };
    if tables.form.layout.name() != metadata.layout {
        return differs("layout", tables.form.layout.name(), &metadata.layout);
    }
    if tables.form.foreign_keys != metadata.foreign_keys {
        return differs("foreign_keys", switch(tables.form.foreign_keys), switch(metadata.foreign_keys));
    }
    if tables.sets.len() as u64 != metadata.tables {
        return differs("tables", &tables.sets.len().to_string(), &metadata.tables.to_string());
    }
    let (wanted, there) = (tables.numbered(), metadata.numbered);
    if tables.sets != metadata.sets() {
        return differs("numbered", switch(wanted), switch(there));
    }
    let begun = metadata.wanted.max(metadata.complete);
    if tables.warehouses < begun {
        return differs("warehouses", &tables.warehouses.to_string(), &begun.to_string());
    }
    Ok(())
}

/// Reports beforehand that the engine has no transactions: rollbacks would undo nothing, and an interrupted load
/// would leave half of a part.
pub(super) fn transactions_impossible(tables: &Tables) -> Option<Problem> {
    let SchemaForm { dialect, engine, .. } = &tables.form;
    let without = *dialect == Dialect::Mysql && !promise::without_transactions(engine).is_empty();
    without.then(|| {
        Problem::new(msg!("engine-without-transactions", engine))
            .evidence(msg!("rollback-without-effect"))
            .hint(msg!("use-engine-with-transactions"))
    })
}

/// Storage engines of MySQL and MariaDB that accept the statement for a foreign key and create none.
const WITHOUT_KEYS: &[&str] = &["myisam", "aria", "memory", "csv", "archive", "rocksdb", "tokudb", "columnstore"];

/// Reports beforehand, and not after all rows have been loaded, that the engine has no foreign keys.
pub(super) fn keys_impossible(tables: &Tables) -> Option<Problem> {
    let SchemaForm { dialect, engine, foreign_keys, .. } = &tables.form;
    let without = WITHOUT_KEYS.iter().any(|name| name.eq_ignore_ascii_case(engine));
    (*foreign_keys && *dialect == Dialect::Mysql && without).then(|| {
        Problem::new(msg!("engine-without-foreign-keys", engine))
            .evidence(msg!("foreign-key-without-effect"))
            .hint(msg!("set-foreign-keys-off"))
    })
}

/// The foreign keys that are missing; engines without foreign keys accept the statement silently.
pub(super) async fn keys_missing(tables: &Tables, c: &mut Connection) -> Result<Option<Problem>, Error> {
    if !tables.form.foreign_keys || tables.form.dialect == Dialect::Sqlite {
        return Ok(None);
    }
    let sql = format!(
        "SELECT COUNT(*) FROM information_schema.TABLE_CONSTRAINTS \
         WHERE TABLE_SCHEMA={} AND CONSTRAINT_TYPE='FOREIGN KEY' AND TABLE_NAME IN ({})",
        schema(tables.form.dialect),
        tables.form.dialect.quoting().texts(tables.names())
    );
    let there = c.table(&sql).await?.scalar().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    let wanted: usize = tables.each().map(|(_, t)| t.foreign.len()).sum();
    Ok((there < wanted).then(|| {
        Problem::new(msg!("foreign-keys-not-taken"))
            .evidence(msg!("foreign-keys-there", there, wanted, engine = tables.form.engine))
            .hint(msg!("set-foreign-keys-off"))
    }))
}

fn schema(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Mysql => "DATABASE()",
        Dialect::Postgres => "current_schema()",
        Dialect::Sqlite => "''",
    }
}

/// The names of our tables that exist.
pub(super) async fn names(tables: &Tables, c: &mut Connection) -> Result<BTreeSet<String>, Error> {
    Ok(read(tables, c).await?.map(|catalogue| catalogue.into_keys().collect()).unwrap_or_default())
}

/// Whether a table has our mark.
pub(super) async fn marked(c: &mut Connection, name: &str) -> Result<bool, Error> {
    let sql = format!("SELECT COUNT(*) FROM {} WHERE name='{name}' AND dataset='{}'", mark::NAME, ENTRY.kind);
    Ok(c.table(&sql).await?.scalar() == Some("1"))
}

/// One of the tables that somebody else has created under its name.
pub(super) async fn replaced(tables: &Tables, c: &mut Connection) -> Result<Option<String>, Error> {
    match read(tables, c).await? {
        Ok(catalogue) => Ok(mark::replaced(c, &catalogue).await?.into_iter().next()),
        Err(_) => Ok(None),
    }
}

/// The columns that we give a table.
pub(super) fn columns(table: &str) -> Vec<&'static str> {
    if table == metadata::NAME {
        return metadata::COLUMNS.to_vec();
    }
    let ours = Set::split(table).and_then(|(name, _)| TABLES.iter().find(|t| t.name == name));
    ours.map(|table| table.columns.iter().map(|(column, ..)| *column).collect()).unwrap_or_default()
}

/// The foreign keys that we give a table.
pub(super) fn foreign_keys(table: &str) -> Vec<String> {
    let Some((name, set)) = Set::split(table) else { return Vec::new() };
    let ours = TABLES.iter().find(|t| t.name == name).map_or(&[][..], |table| table.foreign);
    ours.iter().map(|key| set.sql(&schema::foreign_key(key)).into_owned()).collect()
}

/// The columns of all relevant tables.
pub(super) async fn read(tables: &Tables, c: &mut Connection) -> Result<Result<Catalogue, Problem>, Error> {
    let names = tables.names();
    let names: Vec<&str> = names.iter().map(String::as_str).chain([mark::NAME, "new_order", "oorder"]).collect();
    catalogue::read_named(tables.form.dialect, c, &names).await
}

/// Drops all existing sets and the metadata if they are ours, whatever number is requested now.
pub(super) async fn drop_ours(tables: &Tables, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
    if tables.form.dialect == Dialect::Mysql {
        c.query("SET SESSION foreign_key_checks=0").await?;
    }
    let catalogue = match read(tables, c).await? {
        Ok(catalogue) => catalogue,
        Err(problem) => return Ok(Err(problem)),
    };
    let there = if catalogue.contains_key(metadata::NAME) { metadata::read(c).await? } else { None };
    let tables = &Tables { sets: there.as_ref().map_or(tables.sets.clone(), Metadata::sets), ..tables.clone() };
    let catalogue = match read(tables, c).await? {
        Ok(catalogue) => catalogue,
        Err(problem) => return Ok(Err(problem)),
    };
    // Each before those it refers to: no foreign key has to be dropped before it is known that all of them are ours.
    mark::drop_marked_if(c, &catalogue, ENTRY.kind, &tables.names(), &|name, described| {
        if name == metadata::NAME {
            return Ok(());
        }
        let Some(table) = Set::split(name).and_then(|(name, _)| TABLES.iter().find(|t| t.name == name)) else {
            return Err(msg!("not-a-name-of-ours"));
        };
        let shape: Vec<_> = table.held().collect();
        match catalogue::misshapen(name, described, &shape) {
            Some(problem) => Err(problem.evidence.unwrap_or_else(nothing)),
            None => Ok(()),
        }
    })
    .await
}
