//! What tables have besides rows, which somebody else may have added to ours and which is dropped with them: columns, indexes, triggers, privileges and the
//! like. Used by [`super::attached`] and [`super::created`].
//!
//! A mark may name those that statements and scripts of the user have created, behind its options ([`is_recorded`]).

use crate::tables::identity;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use tenbin_driver::{Connection, Error};
use tenbin_words::hex::hex;

/// A table, and one of its parts: `column note`, `index by_note`, `trigger watcher`, `comment`.
pub type TablePart = (String, String);

/// How the text of a column begins.
pub(crate) const COLUMN: &str = "column ";

/// How the text of an index begins.
pub(crate) const INDEX: &str = "index ";

/// How the text of a foreign key begins; its name, its columns and what it refers to follow: `of_bi (bid) REFERENCES branches(id)`.
pub(crate) const FOREIGN_KEY: &str = "foreign key ";

/// How the texts of what reacts to changes of rows begin.
pub(crate) const REACTIONS: [&str; 2] = ["trigger ", "rule "];

/// What stands before the parts in the options of a mark.
const PARTS: &str = " parts:";

/// The bytes that the options of a mark have room for.
const ROOM: usize = 1024;

/// The schema of a connection of PostgreSQL.
pub(crate) const HERE: &str = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())";

/// Holds for a constraint `k` of PostgreSQL that is not the part of another one: a foreign key of, or to, a table with partitions has one for each of them. (Before
/// PostgreSQL 11 there are none, nor the column.)
pub(crate) const OF_WHOLE_TABLE: &str = "coalesce(to_jsonb(k) ->> 'conparentid', '0') = '0'";

/// This many tables are asked about by one statement.
pub(crate) const AT_ONCE: usize = 500;

/// The kind of a part, and its name, if it has one: `column`, `note`.
pub fn kind_and_name(part: &str) -> (&str, &str) {
    match part.strip_prefix(FOREIGN_KEY) {
        Some(name) => (FOREIGN_KEY.trim_end(), name),
        None => part.split_once(' ').unwrap_or((part, "")),
    }
}

/// All parts of these tables.
pub(crate) async fn all(c: &mut Connection, names: &[&str]) -> Result<BTreeSet<TablePart>, Error> {
    let mut all = BTreeSet::new();
    for some in names.chunks(AT_ONCE) {
        all.extend(columns_and_indexes(c, some).await?);
        all.extend(reactions(c, some, true).await?);
        all.extend(belongings(c, some).await?);
    }
    Ok(all)
}

/// Primary keys and what belongs to the mark are left out, and on MySQL and MariaDB all indexes: a table with another one is not
/// ours any more ([`super::identity`]).
pub(crate) async fn columns_and_indexes(c: &mut Connection, names: &[&str]) -> Result<BTreeSet<TablePart>, Error> {
    let names = c.quoting().texts(names);
    let sql = match c {
        Connection::Postgres(_) => {
            let table = format!("o.relname IN ({names}) AND o.relnamespace = {HERE}");
            format!(
                "SELECT o.relname, '{COLUMN}' || a.attname FROM pg_attribute a JOIN pg_class o ON o.oid = a.attrelid \
                 WHERE a.attnum > 0 AND NOT a.attisdropped AND {table} \
                 UNION ALL SELECT o.relname, '{INDEX}' || i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
                 JOIN pg_class o ON o.oid = x.indrelid WHERE NOT x.indisprimary AND {table}"
            )
        }
        // An index without a statement belongs to a key of the table.
        Connection::Sqlite(_) => {
            let names = names.to_lowercase();
            format!(
                "SELECT m.name, '{COLUMN}' || c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c \
                 WHERE m.type = 'table' AND lower(m.name) IN ({names}) \
                 UNION ALL SELECT tbl_name, '{INDEX}' || name FROM sqlite_master \
                 WHERE type = 'index' AND sql IS NOT NULL AND lower(tbl_name) IN ({names})"
            )
        }
        // The key that MySQL 8.0 adds by itself to a table without one.
        Connection::Mysql(_) => format!(
            "SELECT TABLE_NAME, CONCAT('{COLUMN}', COLUMN_NAME) FROM information_schema.COLUMNS \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ({names}) AND COLUMN_NAME <> 'my_row_id'"
        ),
        Connection::Null(_) => return Ok(BTreeSet::new()),
    };
    let of_mark = |part: &str| part.strip_prefix(INDEX).is_some_and(identity::is_index_of_mark);
    Ok(found(c, &sql).await?.filter(|(_, part)| !of_mark(part)).collect())
}

/// Triggers and rules. `idle`: also those that are disabled.
pub(crate) async fn reactions(c: &mut Connection, names: &[&str], idle: bool) -> Result<BTreeSet<TablePart>, Error> {
    let names = c.quoting().texts(names);
    let ([trigger, rule], idle) = (REACTIONS, if idle { "''" } else { "'D'" });
    let sql = match c {
        Connection::Mysql(_) => format!(
            "SELECT event_object_table, CONCAT('{trigger}', trigger_name) FROM information_schema.triggers \
             WHERE event_object_schema = DATABASE() AND event_object_table IN ({names})"
        ),
        Connection::Postgres(_) => format!(
            "SELECT o.relname, '{trigger}' || t.tgname FROM pg_trigger t JOIN pg_class o ON o.oid = t.tgrelid \
             WHERE NOT t.tgisinternal AND t.tgenabled::text <> {idle} AND o.relnamespace = {HERE} AND o.relname IN ({names}) \
             UNION ALL SELECT o.relname, '{rule}' || r.rulename FROM pg_rewrite r JOIN pg_class o ON o.oid = r.ev_class \
             WHERE r.rulename <> '_RETURN' AND r.ev_enabled::text <> {idle} AND o.relnamespace = {HERE} \
             AND o.relname IN ({names})"
        ),
        Connection::Sqlite(_) => format!(
            "SELECT tbl_name, '{trigger}' || name FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) IN ({})",
            names.to_lowercase()
        ),
        Connection::Null(_) => return Ok(BTreeSet::new()),
    };
    Ok(found(c, &sql).await?.collect())
}

/// What else belongs to tables of PostgreSQL and ends with them. Default privileges give the next ones theirs. A view ends if a script drops its tables by
/// `CASCADE`.
async fn belongings(c: &mut Connection, names: &[&str]) -> Result<BTreeSet<TablePart>, Error> {
    let Connection::Postgres(_) = c else { return Ok(BTreeSet::new()) };
    let table = format!("o.relnamespace = {HERE} AND o.relname IN ({})", c.quoting().texts(names));
    let grantee = "'privileges of ' || CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(a.grantee) END";
    let sql = format!(
        "SELECT o.relname, 'publication ' || p.pubname FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid \
         JOIN pg_class o ON o.oid = r.prrelid WHERE {table} \
         UNION ALL SELECT o.relname, 'policy ' || p.polname FROM pg_policy p JOIN pg_class o ON o.oid = p.polrelid WHERE {table} \
         UNION ALL SELECT o.relname, 'statistics ' || s.stxname FROM pg_statistic_ext s JOIN pg_class o ON o.oid = s.stxrelid \
         WHERE {table} \
         UNION ALL SELECT o.relname, 'constraint ' || k.conname FROM pg_constraint k JOIN pg_class o ON o.oid = k.conrelid \
         WHERE k.contype = 'c' AND {table} \
         UNION ALL SELECT o.relname, '{FOREIGN_KEY}' || k.conname || replace(pg_get_constraintdef(k.oid), 'FOREIGN KEY', '') \
         FROM pg_constraint k JOIN pg_class o ON o.oid = k.conrelid \
         WHERE k.contype = 'f' AND {OF_WHOLE_TABLE} AND {table} \
         UNION ALL SELECT o.relname, 'parent ' || i.inhparent::regclass FROM pg_inherits i JOIN pg_class o ON o.oid = i.inhrelid \
         WHERE {table} \
         UNION ALL SELECT o.relname, 'view ' || v.oid::regclass FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid \
         JOIN pg_class v ON v.oid = r.ev_class JOIN pg_class o ON o.oid = d.refobjid WHERE d.classid = 'pg_rewrite'::regclass \
         AND d.refclassid = 'pg_class'::regclass AND v.relkind IN ('v', 'm') AND v.oid <> o.oid AND {table} \
         UNION ALL SELECT o.relname, {grantee} \
         FROM pg_class o, aclexplode(o.relacl) a WHERE a.grantee <> o.relowner AND {table} AND NOT EXISTS (SELECT FROM pg_default_acl) \
         UNION ALL SELECT o.relname, {grantee} \
         FROM pg_class o JOIN pg_attribute t ON t.attrelid = o.oid, aclexplode(t.attacl) a WHERE a.grantee <> o.relowner AND {table} \
         UNION ALL SELECT o.relname, {grantee} \
         FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' JOIN pg_class o ON o.oid = d.refobjid, aclexplode(s.relacl) a \
         WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') \
         AND a.grantee <> s.relowner AND {table} AND NOT EXISTS (SELECT FROM pg_default_acl) \
         UNION ALL SELECT o.relname, 'comment' FROM pg_description d JOIN pg_class o ON o.oid = d.objoid \
         AND d.classoid = 'pg_class'::regclass WHERE {table}"
    );
    Ok(found(c, &sql).await?.collect())
}

/// The parts that a query finds: table and part.
pub(crate) async fn found(c: &mut Connection, sql: &str) -> Result<impl Iterator<Item = TablePart> + use<>, Error> {
    let rows = c.table(sql).await?.rows.into_iter();
    Ok(rows.filter_map(|row| {
        let [table, part] = <[_; 2]>::try_from(row).ok()?;
        Some((table?, part?))
    }))
}

/// Whether a mark names this part of its table; `None` if it names none.
pub(crate) fn is_recorded(options: &str, part: &str) -> Option<bool> {
    let (_, parts) = options.split_once(PARTS)?;
    Some(parts.split(',').any(|known| known == part || known == digest(part)))
}

/// The options of a mark without the parts that it names.
pub(crate) fn without_parts(options: &str) -> &str {
    options.split_once(PARTS).map_or(options, |(options, _)| options)
}

/// The options of a mark with these parts besides those that it names; as they were if there is no room.
pub(crate) fn with_parts<'p>(options: &str, parts: impl Iterator<Item = &'p str> + Clone) -> String {
    let (before, known) = options.split_once(PARTS).unwrap_or((options, ""));
    let known = || known.split(',').filter(|part| !part.is_empty()).map(str::to_owned);
    let is_plain = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$-. ".contains(&b));
    let by_name = |part: &str| if is_plain(part) { part.to_owned() } else { digest(part) };
    let all = |named: &dyn Fn(&str) -> String| {
        let all: BTreeSet<String> = known().chain(parts.clone().map(named)).collect();
        format!("{before}{PARTS}{}", all.into_iter().collect::<Vec<_>>().join(","))
    };
    let fits = |all: &String| all.len() <= ROOM;
    Some(all(&by_name)).filter(fits).or_else(|| Some(all(&digest)).filter(fits)).unwrap_or_else(|| options.to_owned())
}

/// A part with an unusual name, or for which there is little room.
fn digest(part: &str) -> String {
    format!("#{}", hex(&Sha256::digest(part)[..4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_a_kind_and_perhaps_a_name() {
        let all = ["column note", "foreign key a to b", "privileges of u", "comment"].map(kind_and_name);
        assert_eq!(all, [("column", "note"), ("foreign key", "a to b"), ("privileges", "of u"), ("comment", "")]);
    }

    #[test]
    fn a_mark_knows_parts_with_any_name_and_many_of_them() {
        let parts: Vec<String> = (0..80).map(|n| format!("index by {n}, 'x' and so on and so forth")).collect();
        let options = with_parts("digest shape", parts.iter().map(String::as_str));
        assert!(
            options.len() <= ROOM && !options.contains('\'') && without_parts(&options) == "digest shape",
            "{options}"
        );
        assert_eq!(parts.iter().filter(|part| is_recorded(&options, part) == Some(true)).count(), 80);
        assert_eq!((is_recorded(&options, "index x"), is_recorded("digest shape", "index x")), (Some(false), None));
        let more = with_parts("digest shape parts:index a", ["index b"].into_iter());
        assert_eq!(more, "digest shape parts:index a,index b");
        let many: Vec<String> = (0..200).map(|n| format!("index {n} of a table")).collect();
        assert_eq!(with_parts("digest shape", many.iter().map(String::as_str)), "digest shape");
    }
}
