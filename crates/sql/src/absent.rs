//! Tables that scripts name and that are nowhere: a mistake in a name is told beforehand, and not by the first transaction of the run. What is not
//! certain is left to the run.

use crate::definition;
use crate::language::{CommandKind, Dialect};
use crate::settings::SqlSettings;
use tenbin_driver::{Connection, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::with_connection;

/// A table that a script names, and where.
struct NamedTable<'a> {
    script: &'a str,
    line: u32,
    text: &'a str,
    name: String,
}

/// The first table that is neither among those that will be created nor on the server, of a server that is asked.
pub(crate) fn first(settings: &SqlSettings, coming: &[String]) -> Result<Option<Problem>, Problem> {
    let mut named = named(settings);
    named.retain(|table| !coming.iter().any(|name| name.eq_ignore_ascii_case(&table.name)));
    if named.is_empty() || !settings.connector.dsn().scheme.kind().keeps_tables {
        return Ok(None);
    }
    let mut names: Vec<&str> = named.iter().map(|table| table.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let there =
        with_connection(&settings.connector, msg!("looking-at-tables"), async |c| there(c, &names).await.map(Ok))?;
    let Some(there) = there else { return Ok(None) };
    let is_there = |name: &str| there.iter().any(|other| other.eq_ignore_ascii_case(name));
    let Some(table) = named.iter().find(|table| !is_there(&table.name)) else { return Ok(None) };
    let (script, line, name) = (table.script, table.line, &table.name);
    let problem = Problem::new(msg!("sql-table-nowhere", script, line, table = name)).evidence(foreign(table.text));
    let known = coming.iter().chain(&there).map(String::as_str);
    Ok(Some(match nearest(name, known) {
        Some(nearest) => problem.hint(msg!("did-you-mean", nearest)),
        None => problem.hint(msg!("sql-create-table-or-correct", table = name)),
    }))
}

/// The tables that scripts name for certain; none if something may create tables, or look for them elsewhere.
fn named(settings: &SqlSettings) -> Vec<NamedTable<'_>> {
    let (mut named, mut created) = (Vec::new(), Vec::new());
    let dialect = Dialect::of(settings.connector.dsn().scheme);
    for script in settings.executed() {
        for (command, planned) in script.script.commands.iter().zip(&script.sql) {
            let (CommandKind::Sql(sql), Some(planned)) = (&command.kind, planned) else {
                match &command.kind {
                    CommandKind::Shell { .. } | CommandKind::SetShell { .. } => return Vec::new(),
                    _ => continue,
                }
            };
            let what = &planned.what;
            if what.leaves_schema || sql.statements > 1 || definition::may_create(&sql.text, dialect) {
                return Vec::new();
            }
            if what.creates_table {
                created.extend(what.table.clone());
            } else if let Some(name) = definition::named_table(&sql.text, dialect) {
                named.push(NamedTable { script: &script.path, line: command.line, text: &command.first_line, name });
            }
        }
    }
    named.retain(|table| !created.iter().any(|name: &String| name.eq_ignore_ascii_case(&table.name)));
    named
}

/// Of these names those of tables and views that the connection finds, and names of others that may be meant; `None` if it has no schema.
async fn there(c: &mut Connection, names: &[&str]) -> Result<Option<Vec<String>>, Error> {
    let quoted = c.quoting().texts(names);
    let (named, others) = match c {
        Connection::Mysql(_) => {
            if c.server_version().contains("null-server") || c.table("SELECT DATABASE()").await?.scalar().is_none() {
                return Ok(None);
            }
            let all = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";
            (format!("{all} AND TABLE_NAME IN ({quoted})"), format!("{all} LIMIT {MOST}"))
        }
        Connection::Postgres(_) => (
            format!(
                "SELECT n FROM unnest(ARRAY[{quoted}]) n WHERE to_regclass(quote_ident(n)) IS NOT NULL \
                 OR to_regclass(quote_ident(lower(n))) IS NOT NULL"
            ),
            format!(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_table_is_visible(oid) LIMIT {MOST}"
            ),
        ),
        Connection::Sqlite(_) => {
            let all = "SELECT name FROM (SELECT name FROM sqlite_master UNION ALL SELECT name FROM sqlite_temp_master)";
            (all.to_owned(), format!("{all} LIMIT {MOST}"))
        }
        Connection::Null(_) => return Ok(None),
    };
    let mut all: Vec<String> = c.table(&named).await?.rows.into_iter().flatten().flatten().collect();
    all.extend(c.table(&others).await?.rows.into_iter().flatten().flatten());
    Ok(Some(all))
}

/// The most names of other tables that are looked at for one that may be meant.
const MOST: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ENTRY;
    use tenbin_driver::Connector;
    use tenbin_model::dsn::Dsn;
    use tenbin_workload::options::OptionMap;

    #[test]
    fn a_table_that_is_nowhere_is_told_with_its_line_and_what_may_be_meant() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        let at = Connector::new(Dsn::parse(&format!("sqlite:{}", path("db"))).unwrap(), None).unwrap();
        with_connection(&at, foreign("creating"), async |c| {
            c.query("CREATE TABLE account (id INTEGER)").await?;
            c.query("CREATE VIEW rich AS SELECT id FROM account").await.map(|_| Ok(()))
        })
        .unwrap();
        let of = |script: &str, coming: &[&str]| {
            std::fs::write(path("s.sql"), script).unwrap();
            let options = OptionMap::from([("scripts".to_owned(), path("s.sql"))]);
            let settings = SqlSettings::new(&ENTRY.resolve(&options).unwrap(), &at).unwrap();
            let coming: Vec<String> = coming.iter().map(|name| (*name).to_owned()).collect();
            let problem = first(&settings, &coming).unwrap();
            let hint = |problem: &Problem| problem.hint.as_ref().map_or("", |hint| hint.english()).to_owned();
            problem.map_or("well".to_owned(), |p| format!("{} | {}", p.what.english(), hint(&p)).replace(&path(""), ""))
        };
        assert_eq!(
            of("SELECT id FROM account;\nSELECT id\nFROM acount WHERE id = 1;\n", &[]),
            "s.sql, line 2: there is no table acount, and the data set creates none | did you mean account?"
        );
        assert!(of("UPDATE entry SET a = 1;", &[]).contains("there is no table entry"));
        for script in [
            "SELECT id FROM Account;\nDELETE FROM rich WHERE id = 1;",
            "CREATE TEMP TABLE entry (id int);\nINSERT INTO entry VALUES (1);",
            "SELECT 1 FROM (SELECT 2);\nSELECT x FROM json_each('[1]');\nWITH entry AS (SELECT 1) SELECT 1 FROM entry;",
            "SELECT 1 FROM other.entry;\nSELECT 1 FROM sqlite_master;\nSELECT COUNT(*) FROM pragma_table_list;",
            "SELECT 1 IS DISTINCT FROM entry FROM account;\nSELECT id AS \"from\" FROM account;\nSELECT \"from\" FROM entry;",
        ] {
            assert_eq!(of(script, &[]), "well", "{script}");
        }
        assert_eq!(of("SELECT 1 FROM entry;", &["ENTRY"]), "well", "it is created before");
    }
}
