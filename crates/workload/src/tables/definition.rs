//! What tables consist of, and which they are, right before and right after a load: somebody who alters, empties or replaces one meanwhile is seen by it.

use crate::tables::admin::with_connection;
use crate::tables::identity;
use crate::tables::parts::{self, AT_ONCE, HERE, TablePart};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::names::tables::{DEFINITION, SEPARATOR};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long a server may take: somebody may have locked a table.
const PATIENCE: Duration = Duration::from_secs(10);

/// A fact about each of these tables of the current schema, as a list; about the schema as a whole for SQLite, which counts its changes. None where the server
/// does not say. Blocks the calling thread.
pub fn found(connector: &Connector, names: &[String]) -> Result<BTreeMap<String, String>, Problem> {
    let mut facts = BTreeMap::<String, String>::new();
    if names.is_empty() || !connector.dsn().scheme.kind().keeps_tables {
        return Ok(facts);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let all = with_connection(connector, msg!("looking-at-tables"), async |c| {
        match connector.within(PATIENCE, all(c, &names)).await {
            Ok(Err(e)) if matches!(e.class(), Class::Sql | Class::Refused) => Ok(Ok(BTreeSet::new())),
            Ok(all) => all.map(Ok),
            Err(_) => Err(Error::new(Class::Lost, msg!("server-did-not-answer-in-time"))),
        }
    })?;
    for (table, item) in all {
        let fact = facts.entry(format!("{DEFINITION}{table}")).or_default();
        if !fact.is_empty() {
            fact.push_str(SEPARATOR);
        }
        fact.push_str(&item);
    }
    if !facts.is_empty() {
        // One that is dropped is not as it was.
        names.iter().for_each(|name| _ = facts.entry(format!("{DEFINITION}{name}")).or_insert_with(|| "–".to_owned()));
    }
    Ok(facts)
}

async fn all(c: &mut Connection, names: &[&str]) -> Result<BTreeSet<TablePart>, Error> {
    if c.server_version().contains("null-server") {
        return Ok(BTreeSet::new());
    }
    let mut all = BTreeSet::new();
    for some in names.chunks(AT_ONCE) {
        all.extend(themselves(c, some).await?);
        all.extend(parts::columns_and_indexes(c, some).await?);
        all.extend(parts::reactions(c, some, true).await?);
    }
    Ok(all)
}

/// What tells a table from another one of its name, and from itself before it was rebuilt or emptied.
async fn themselves(c: &mut Connection, names: &[&str]) -> Result<Vec<TablePart>, Error> {
    let texts = c.quoting().texts(names);
    let sql = match c {
        // Of what inherits only partitions: to a table of an extension an INSERT may add others (chunks of TimescaleDB).
        Connection::Postgres(_) => {
            let table = format!("o.relname IN ({texts}) AND o.relnamespace = {HERE}");
            format!(
                "SELECT o.relname, 'number ' || o.oid FROM pg_class o WHERE {table} \
                 UNION ALL SELECT o.relname, 'file ' || f.relfilenode FROM pg_class o JOIN pg_class f ON f.oid = o.oid \
                 OR o.relkind = 'p' AND f.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = o.oid) WHERE {table} \
                 UNION ALL SELECT o.relname, 'option ' || unnest(o.reloptions) FROM pg_class o WHERE {table} \
                 UNION ALL SELECT o.relname, 'index ' || i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
                 JOIN pg_class o ON o.oid = x.indrelid WHERE {table}"
            )
        }
        Connection::Sqlite(_) => "SELECT 'schema', 'version ' || schema_version FROM pragma_schema_version".to_owned(),
        Connection::Mysql(_) => format!(
            "SELECT TABLE_NAME, CONCAT('created ', COALESCE(CREATE_TIME, '')) FROM information_schema.TABLES \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ({texts}) \
             UNION ALL SELECT DISTINCT TABLE_NAME, CONCAT('index ', INDEX_NAME) FROM information_schema.STATISTICS \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ({texts})"
        ),
        Connection::Null(_) => return Ok(Vec::new()),
    };
    let mut all: Vec<TablePart> = parts::found(c, &sql).await?.collect();
    if matches!(c, Connection::Mysql(_)) {
        // TRUNCATE gives a table another one.
        let numbers = identity::numbers(c, None, names).await?.into_iter();
        all.extend(numbers.map(|(table, number)| (table, format!("number {number}"))));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::dsn::Dsn;
    use tenbin_model::inspection::changes;
    use tenbin_words::message::foreign;

    #[test]
    fn a_table_that_is_altered_or_replaced_has_another_definition() {
        let dir = tempfile::tempdir().unwrap();
        let dsn = format!("sqlite:{}", dir.path().join("own.db").display());
        let at = Connector::new(Dsn::parse(&dsn).unwrap(), None).unwrap();
        let changed = |statements: &[&str]| {
            let look = || found(&at, &["own".to_owned(), "none".to_owned()]).unwrap();
            let before = look();
            with_connection(&at, foreign("testing"), async |c| {
                for sql in statements {
                    c.query(sql).await?;
                }
                Ok(Ok(()))
            })
            .unwrap();
            let all = changes(&before, &look()).into_iter();
            let all = all.map(|(fact, [a, b])| format!("{}: {a} → {b}", fact.trim_start_matches(DEFINITION)));
            all.filter(|line| !line.starts_with("schema")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(changed(&["CREATE TABLE own (id INTEGER PRIMARY KEY, k INTEGER)"]), "own: – → column id; column k");
        assert_eq!(changed(&["INSERT INTO own VALUES (1, 2)"]), "");
        assert_eq!(
            changed(&["CREATE INDEX by_k ON own(k)", "ALTER TABLE own ADD COLUMN note"]),
            "own: – → column note; index by_k"
        );
        assert_eq!(changed(&["DROP TABLE own"]), "own: column id; column k; column note; index by_k → –");
    }
}
