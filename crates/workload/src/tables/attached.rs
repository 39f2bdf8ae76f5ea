//! What others have attached to tables of ours, so that a client that writes to these writes elsewhere too: foreign keys that change their rows with ours, tables
//! that inherit from ours, triggers and rules. Looked at before clients write; and what would be lost with our tables, before these are dropped.

use crate::tables::admin::with_connection;
use crate::tables::identity::{MarkRow, NAME};
use crate::tables::parts::{self, AT_ONCE, HERE, OF_WHOLE_TABLE, TablePart};
use crate::tables::{identity, others};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// All that others have attached to tables with our mark in the schema of the connection, each as a sentence. `of_user`: the data sets that statements and
/// scripts of the user make; their marks name what these have attached. Blocks the calling thread.
pub fn to_ours(connector: &Connector, of_user: &[&str]) -> Result<Vec<Message>, Problem> {
    if !connector.dsn().scheme.kind().keeps_tables {
        return Ok(Vec::new());
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let ours = ours(c).await?;
        let all: Vec<&str> = ours.iter().map(|row| row.name.as_str()).collect();
        let generated = generated(&ours, of_user);
        let mut messages = Vec::new();
        for some in all.chunks(AT_ONCE) {
            messages.extend(of_tables(c, some, &generated, Attached::Writing).await?);
        }
        let mut reacting = BTreeSet::new();
        for some in all.chunks(AT_ONCE) {
            reacting.extend(parts::reactions(c, some, false).await?);
        }
        messages.extend(of_others(reacting, &ours, of_user, &[]).map(is_attached));
        Ok(Ok(messages))
    })
}

/// What of others is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attached {
    /// What happens when our rows are written.
    Writing,
    /// All, which is lost or refers to nothing when our tables are dropped: a load drops them without a check of foreign keys, or SQLite deletes what
    /// refers to them.
    Any,
}

/// What the tables of a kind of data set consist of.
#[derive(Debug, Clone, Copy)]
pub struct OwnParts<'a> {
    /// The kind.
    pub kind: &'a str,
    /// How its indexes are called ([`DatasetEntry::indexes`](crate::DatasetEntry::indexes)).
    pub indexes: &'a [&'a str],
    /// The columns of its table of a name ([`DatasetEntry::columns`](crate::DatasetEntry::columns)).
    pub columns: fn(&str) -> Vec<&'static str>,
    /// The foreign keys of its table of a name ([`DatasetEntry::foreign_keys`](crate::DatasetEntry::foreign_keys)).
    pub foreign_keys: fn(&str) -> Vec<String>,
}

/// What would be lost with the tables that have our mark in the schema of the connection, each as a sentence: columns and indexes that no data set has,
/// foreign keys of other tables, triggers and rules, and on PostgreSQL views, publications, policies, privileges, constraints and comments. `of_user` as
/// above. Blocks the calling thread.
pub fn lost_with_ours(connector: &Connector, of_user: &[&str], own: &[OwnParts<'_>]) -> Result<Vec<Message>, Problem> {
    if !connector.dsn().scheme.kind().keeps_tables {
        return Ok(Vec::new());
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let ours = ours(c).await?;
        let all: Vec<&str> = ours.iter().map(|row| row.name.as_str()).collect();
        let generated = generated(&ours, of_user);
        let mut messages = Vec::new();
        for some in all.chunks(AT_ONCE) {
            messages.extend(of_tables(c, some, &generated, Attached::Any).await?);
        }
        let lost = parts::all(c, &all).await?;
        messages.extend(of_others(lost, &ours, of_user, own).map(is_attached));
        Ok(Ok(messages))
    })
}

/// What a part of somebody else is called.
fn is_attached((table, object): TablePart) -> Message {
    match parts::REACTIONS.iter().find_map(|kind| object.strip_prefix(kind)) {
        Some(trigger) => msg!("trigger-of-others", trigger, table),
        None => msg!("belonging-of-others", object, table),
    }
}

/// What others have added to the tables with our mark. Blocks the calling thread.
pub fn parts_of_others(
    connector: &Connector,
    of_user: &[&str],
    own: &[OwnParts<'_>],
) -> Result<Vec<TablePart>, Problem> {
    if !connector.dsn().scheme.kind().keeps_tables {
        return Ok(Vec::new());
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let ours = ours(c).await?;
        let all = parts_of(c, &ours).await?;
        Ok(Ok(of_others(all, &ours, of_user, own).collect()))
    })
}

/// Those that are not of a data set.
fn of_others<'a>(
    all: BTreeSet<TablePart>,
    ours: &'a [MarkRow],
    of_user: &'a [&str],
    own: &'a [OwnParts<'_>],
) -> impl Iterator<Item = TablePart> + 'a {
    let rows = by_name(ours);
    all.into_iter().filter(move |(table, part)| {
        let row = rows.get(&table.to_ascii_lowercase());
        row.is_some_and(|row| !is_own_part(row, part, of_user, own))
    })
}

/// What the tables with our mark have besides rows. Blocks the calling thread.
pub fn parts_of_ours(connector: &Connector) -> Result<BTreeSet<TablePart>, Problem> {
    if !connector.dsn().scheme.kind().keeps_tables {
        return Ok(BTreeSet::new());
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let ours = ours(c).await?;
        parts_of(c, &ours).await.map(Ok)
    })
}

/// Lets what a command of the plan has added to our tables be a part of these, as an index that it tries out: what was not there `before`. Tables of the data
/// sets `of_user` whose marks name no parts have any. Blocks the calling thread.
pub fn keep_parts_since(connector: &Connector, of_user: &[&str], before: &BTreeSet<TablePart>) -> Result<(), Problem> {
    if !connector.dsn().scheme.kind().keeps_tables {
        return Ok(());
    }
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let ours = ours(c).await?;
        let mut added: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, part) in parts_of(c, &ours).await?.difference(before) {
            added.entry(table.clone()).or_default().push(part.clone());
        }
        let rows = by_name(&ours);
        for (table, new) in added {
            let Some(row) = rows.get(&table.to_ascii_lowercase()) else { continue };
            if of_user.contains(&row.dataset.as_str()) && parts::is_recorded(&row.options, "").is_none() {
                continue;
            }
            let options = parts::with_parts(&row.options, new.iter().map(String::as_str));
            let (options, name) = (c.quoting().text(&options), c.quoting().text(&row.name));
            c.query(&format!("UPDATE {NAME} SET options={options} WHERE name={name}")).await?;
        }
        Ok(Ok(()))
    })
}

/// The marks by the names of their tables in lower case: a schema may have thousands.
fn by_name(ours: &[MarkRow]) -> HashMap<String, &MarkRow> {
    ours.iter().map(|row| (row.name.to_ascii_lowercase(), row)).collect()
}

/// What these tables have besides rows.
async fn parts_of(c: &mut Connection, ours: &[MarkRow]) -> Result<BTreeSet<TablePart>, Error> {
    let names: Vec<&str> = ours.iter().map(|row| row.name.as_str()).collect();
    parts::all(c, &names).await
}

/// Whether a part is one of the data set of its table, or of a command of the plan.
fn is_own_part(row: &MarkRow, part: &str, of_user: &[&str], own: &[OwnParts<'_>]) -> bool {
    let recorded = parts::is_recorded(&row.options, part);
    if recorded == Some(true) {
        return true;
    }
    if of_user.contains(&row.dataset.as_str()) {
        // Tables with other columns are refused when they are dropped.
        return recorded.is_none() || part.starts_with(parts::COLUMN);
    }
    own.iter().filter(|own| own.kind == row.dataset).any(|own| match part.strip_prefix(parts::COLUMN) {
        Some(column) => {
            let columns = (own.columns)(&row.name.to_ascii_lowercase());
            columns.is_empty() || columns.iter().any(|own| own.eq_ignore_ascii_case(column))
        }
        None => match part.strip_prefix(parts::INDEX) {
            Some(index) => {
                own.indexes.iter().any(|own| is_numbered(index, own) || index == format!("{own}_{}", row.name))
            }
            None => match part.strip_prefix(parts::FOREIGN_KEY) {
                Some(key) => (own.foreign_keys)(&row.name).iter().any(|own| own == key),
                None => false,
            },
        },
    })
}

/// Whether a name is this one, with nothing but the number of a table behind it.
fn is_numbered(name: &str, base: &str) -> bool {
    let number = name.strip_prefix(base).map(|rest| rest.strip_prefix('_').unwrap_or(rest));
    number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

/// The marks of the schema of the connection that are about the tables of now.
async fn ours(c: &mut Connection) -> Result<Vec<MarkRow>, Error> {
    if c.server_version().contains("null-server") {
        return Ok(Vec::new());
    }
    match identity::rows(c, None).await {
        Ok(rows) => Ok(rows.into_iter().filter(|row| row.current).collect()),
        // There is no mark, or none that can be read.
        Err(e) if matches!(e.class(), Class::Sql | Class::Refused) => Ok(Vec::new()),
        Err(e) => Err(e),
    }
}

/// Those that are not of the data sets of the user.
fn generated<'t>(ours: &'t [MarkRow], of_user: &[&str]) -> Vec<&'t str> {
    ours.iter().filter(|row| !of_user.contains(&row.dataset.as_str())).map(|row| row.name.as_str()).collect()
}

/// Foreign keys and heirs without our mark. Our partitions have no marks: those of `generated` tables are known by their names, and those of other
/// tables are left out.
async fn of_tables(
    c: &mut Connection,
    ours: &[&str],
    generated: &[&str],
    sought: Attached,
) -> Result<Vec<Message>, Error> {
    // The actions of those that are left out.
    let nothing = if sought == Attached::Any { "''" } else { "'RESTRICT', 'NO ACTION', 'a', 'r'" };
    let names = c.quoting().texts(ours);
    let generated = if generated.is_empty() { "NULL".to_owned() } else { c.quoting().texts(generated) };
    // Schema, table, constraint (none for an heir), and our table.
    let attached = match c {
        Connection::Mysql(_) => format!(
            "SELECT constraint_schema, table_name, constraint_name, referenced_table_name \
             FROM information_schema.referential_constraints WHERE unique_constraint_schema = DATABASE() \
             AND referenced_table_name IN ({names}) AND (delete_rule NOT IN ({nothing}) OR update_rule NOT IN ({nothing}))"
        ),
        Connection::Postgres(_) => format!(
            "SELECT n.nspname, t.relname, k.conname, o.relname FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid \
             JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_class o ON o.oid = k.confrelid \
             WHERE k.contype = 'f' AND {OF_WHOLE_TABLE} AND (k.confdeltype::text NOT IN ({nothing}) OR k.confupdtype::text NOT IN ({nothing})) \
             AND o.relnamespace = {HERE} AND o.relname IN ({names}) \
             UNION ALL SELECT n.nspname, t.relname, NULL, o.relname FROM pg_inherits i JOIN pg_class t ON t.oid = i.inhrelid \
             JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_class o ON o.oid = i.inhparent \
             WHERE o.relnamespace = {HERE} AND o.relname IN ({names}) AND (NOT t.relispartition \
             OR o.relname IN ({generated}) AND left(t.relname, length(o.relname) + 1) <> o.relname || '_')"
        ),
        Connection::Sqlite(_) => {
            if c.table("PRAGMA foreign_keys").await?.scalar() != Some("1") {
                return Ok(Vec::new());
            }
            format!(
                "SELECT 'main', m.name, f.\"from\", f.\"table\" FROM sqlite_master m \
                 JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND lower(f.\"table\") IN ({}) \
                 AND (f.on_delete NOT IN ({nothing}) OR f.on_update NOT IN ({nothing}))",
                names.to_lowercase()
            )
        }
        Connection::Null(_) => return Ok(Vec::new()),
    };
    if are_free_of_references(c, ours).await? {
        return Ok(Vec::new());
    }
    let rows = c.table(&attached).await?.rows;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let foreign: BTreeSet<String> = others::without_mark(c, &attached).await?.into_iter().collect();
    let messages = rows.into_iter().filter_map(|row| {
        let [schema, table, constraint, ours] = <[_; 4]>::try_from(row).ok()?;
        let table = Some(format!("{}.{}", schema?, table?)).filter(|table| foreign.contains(table))?;
        Some(match constraint {
            Some(constraint) if sought == Attached::Any => {
                let object = format!("foreign key {constraint} of {table}");
                msg!("belonging-of-others", object, table = ours?)
            }
            Some(constraint) => msg!("foreign-key-of-others", constraint, table, ours = ours?),
            None => msg!("table-inherits-from-ours", table, ours = ours?),
        })
    });
    Ok(messages.collect())
}

/// Whether InnoDB says that no foreign key refers to these tables. MariaDB and MySQL 5.7 open all tables of the server to answer a question to
/// `referential_constraints` (1.6 s with 4,000 tables); they have this view, for which an account needs the privilege PROCESS.
async fn are_free_of_references(c: &mut Connection, ours: &[&str]) -> Result<bool, Error> {
    let Connection::Mysql(_) = c else { return Ok(false) };
    let Some(names) = identity::innodb_names(c, None, ours).await? else { return Ok(false) };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sql = format!(
        "SELECT COUNT(*) FROM information_schema.INNODB_SYS_FOREIGN WHERE REF_NAME IN ({})",
        c.quoting().texts(&names)
    );
    let rows = c.rows_if_visible(&sql).await?;
    Ok(rows.is_some_and(|rows| rows.first().and_then(|row| row.first()?.as_deref()) == Some("0")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::dialect::Dialect;
    use crate::tables::{created, mark};
    use tenbin_model::dsn::Dsn;
    use tenbin_words::message::foreign;

    #[test]
    fn what_somebody_else_has_added_is_told_and_what_the_data_set_has_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let dsn = Dsn::parse(&format!("sqlite:{}/db?foreign_keys=on", dir.path().display())).unwrap();
        let at = Connector::new(dsn, None).unwrap();
        let lost = |statements: &[&str]| {
            with_connection(&at, foreign("testing"), async |c| {
                for sql in statements {
                    c.query(sql).await?;
                }
                Ok(Ok(()))
            })
            .unwrap();
            let own = [("sysbench", &["k", "xid"][..]), ("sql", &[][..])];
            let columns = |table: &str| if table == "sbtest1" { vec!["id", "k", "name"] } else { Vec::new() };
            let own = own.map(|(kind, indexes)| OwnParts { kind, indexes, columns, foreign_keys: |_| Vec::new() });
            let lost = lost_with_ours(&at, &["sql"], &own).unwrap();
            lost.iter().map(|message| message.english().to_owned()).collect::<Vec<_>>()
        };
        with_connection(&at, foreign("testing"), async |c| {
            mark::create(c).await?;
            c.query("CREATE TABLE sbtest1(id INTEGER, k INTEGER, name TEXT UNIQUE)").await?;
            c.query("CREATE TABLE own(id INTEGER)").await?;
            mark::leave_complete(c, "sbtest1", "sysbench", 1, "").await?;
            mark::leave_complete(c, "own", "sql", 1, "").await.map(Ok)
        })
        .unwrap();
        let of_data_set = [
            "CREATE INDEX k_1 ON sbtest1(k)",
            "CREATE INDEX xid1 ON sbtest1(id)",
            // With a name of its own, the table of sysbench 0.4 has it in those of its indexes.
            "CREATE INDEX k_sbtest1 ON sbtest1(k)",
        ];
        assert_eq!(lost(&of_data_set), [] as [&str; 0]);
        assert_eq!(lost(&["CREATE INDEX by_user ON own(id)"]), [] as [&str; 0], "statements of the user may create it");
        assert_eq!(
            lost(&["CREATE INDEX k_of_bi ON sbtest1(k, id)", "CREATE TABLE x(k INTEGER)", "CREATE INDEX y ON x(k)"]),
            ["sbtest1 has index k_of_bi, which Tenbin did not create"]
        );
        assert_eq!(lost(&["DROP INDEX k_of_bi"]), [] as [&str; 0]);
        assert_eq!(
            lost(&["ALTER TABLE sbtest1 ADD COLUMN note TEXT", "UPDATE sbtest1 SET note = 'of the BI team'"]),
            ["sbtest1 has column note, which Tenbin did not create"]
        );
        assert_eq!(lost(&["ALTER TABLE sbtest1 DROP COLUMN note"]), [] as [&str; 0]);

        let before = parts_of_ours(&at).unwrap();
        let of_command = ["CREATE INDEX of_hook ON sbtest1(name)", "ALTER TABLE sbtest1 ADD COLUMN of_hook TEXT"];
        assert_eq!(lost(&of_command).len(), 2);
        keep_parts_since(&at, &[], &before).unwrap();
        assert_eq!(lost(&[]), [] as [&str; 0], "a command of the plan has added them");
        let before = parts_of_ours(&at).unwrap();
        lost(&["CREATE INDEX another ON sbtest1(name)"]);
        keep_parts_since(&at, &[], &before).unwrap();
        let more = lost(&["CREATE INDEX theirs ON sbtest1(name)"]);
        assert_eq!(more, ["sbtest1 has index theirs, which Tenbin did not create"]);
        let child =
            lost(&["DROP INDEX theirs", "CREATE TABLE child(id INTEGER REFERENCES sbtest1(id) ON DELETE CASCADE)"]);
        assert_eq!(child, ["sbtest1 has foreign key id of main.child, which Tenbin did not create"]);
    }

    #[test]
    fn a_foreign_key_is_ours_if_it_is_the_one_that_the_data_set_creates() {
        let row = |name: &str| MarkRow {
            name: name.to_owned(),
            dataset: "tpcb".to_owned(),
            complete: true,
            options: String::new(),
            size_rows: 0,
            made_by: String::new(),
            current: true,
        };
        let foreign_keys = |table: &str| vec![format!("{table}_bid_fkey (bid) REFERENCES pgbench_branches(bid)")];
        let own = [OwnParts { kind: "tpcb", indexes: &[], columns: |_| Vec::new(), foreign_keys }];
        let accounts = row("pgbench_accounts");
        for (part, is_own) in [
            ("foreign key pgbench_accounts_bid_fkey (bid) REFERENCES pgbench_branches(bid)", true),
            // As PostgreSQL calls one that somebody else gives no name.
            ("foreign key pgbench_accounts_bid_fkey (bid) REFERENCES branches(id)", false),
            ("foreign key pgbench_accounts_bid_fkey (bid) REFERENCES pgbench_branches(bid) ON DELETE CASCADE", false),
            ("foreign key of_bi (bid) REFERENCES pgbench_branches(bid)", false),
            ("parent all_accounts", false),
        ] {
            assert_eq!(is_own_part(&accounts, part, &["sql"], &own), is_own, "{part}");
        }
    }

    #[test]
    fn an_index_on_a_table_of_statements_of_the_user_is_told_if_these_did_not_create_it() {
        let dir = tempfile::tempdir().unwrap();
        let dsn = Dsn::parse(&format!("sqlite:{}/db", dir.path().display())).unwrap();
        let at = Connector::new(dsn, None).unwrap();
        with_connection(&at, foreign("testing"), async |c| {
            mark::create(c).await?;
            c.query("CREATE TABLE own(id INTEGER, name TEXT)").await?;
            c.query("CREATE INDEX by_name ON own(name)").await?;
            let parts = created::parts_of(c, &["own"]).await?;
            let options = created::options_of(("digest", "shape"), "own", &parts);
            mark::leave_complete(c, "own", "sql", 1, &options).await.map(Ok)
        })
        .unwrap();
        let lost = || {
            let lost = lost_with_ours(&at, &["sql"], &[]).unwrap();
            lost.iter().map(|message| message.english().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(lost(), [] as [&str; 0]);
        with_connection(&at, foreign("testing"), async |c| {
            let ours = created::ours(Dialect::Sqlite, c, "sql").await?.unwrap();
            assert_eq!((ours[0].digest.as_str(), ours[0].shape.as_str()), ("digest", "shape"));
            c.query("CREATE INDEX of_bi ON own(name, id)").await.map(|_| Ok(()))
        })
        .unwrap();
        assert_eq!(lost(), ["own has index of_bi, which Tenbin did not create"]);
        with_connection(&at, foreign("testing"), async |c| {
            c.query("CREATE TRIGGER watcher AFTER DELETE ON own BEGIN DELETE FROM own; END").await.map(|_| Ok(()))
        })
        .unwrap();
        let attached = to_ours(&at, &["sql"]).unwrap();
        let attached: Vec<&str> = attached.iter().map(Message::english).collect();
        assert_eq!(attached, ["own has watcher, a trigger or rule that Tenbin did not create"]);
        assert_eq!(lost().len(), 2);
        keep_parts_since(&at, &["sql"], &BTreeSet::new()).unwrap();
        assert_eq!(lost(), [] as [&str; 0], "a command of the plan has added them");
    }
}
