//! Whether the account has the privileges that a run needs, from the server's own privilege tables, before anything is
//! created.
//!
//! Only privileges that are certainly missing are reported. If an account has a role, or cannot see its own privileges,
//! nothing is reported here and the statements themselves may fail.

use super::Needs;
use crate::finding::{Finding, Level, finding};
use std::collections::BTreeSet;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;

/// The finding if the account lacks a privilege that the run needs; `Ok` if it has all of them, nothing if that is
/// unknown.
pub(super) async fn check(connector: &Connector, c: &mut Connection, needs: &Needs) -> Result<Option<Finding>, Error> {
    if (needs.statements.is_empty() && !needs.writes) || c.server_version().contains("null-server") {
        return Ok(None);
    }
    match connector.dsn().scheme {
        Scheme::Mysql => mysql(c, needs, &connector.dsn().database).await,
        Scheme::Postgres => postgres(c, needs).await,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => Ok(None),
    }
}

/// The privileges that MySQL and MariaDB require for statements that start with these words (MySQL manual 8.2.2).
const WANTED: &[(&str, &str)] = &[
    ("CREATE TABLE", "CREATE"),
    ("CREATE SCHEMA", "CREATE"),
    ("CREATE INDEX", "INDEX"),
    ("CREATE UNIQUE INDEX", "INDEX"),
    ("ALTER TABLE", "ALTER"),
    ("DROP TABLE", "DROP"),
    ("DROP SCHEMA", "DROP"),
];

/// The privileges required for these statements, and for filling the tables that they create.
fn wanted(statements: &[String]) -> BTreeSet<&'static str> {
    let of = |sql: &String| WANTED.iter().find(|(begin, _)| sql.starts_with(begin)).map(|(_, name)| *name);
    let mut all: BTreeSet<&str> = statements.iter().filter_map(of).collect();
    if all.contains("CREATE") {
        all.extend(["INSERT", "SELECT"]);
    }
    all
}

/// A privilege and its scope: everything, one schema (a pattern), or a table.
struct Privilege {
    privilege: String,
    schema: Option<String>,
    of_table: bool,
}

async fn mysql(c: &mut Connection, needs: &Needs, schema: &str) -> Result<Option<Finding>, Error> {
    let Ok(account) = c.table("SELECT CURRENT_USER()").await else { return Ok(None) };
    let Some((user, host)) = account.scalar().and_then(|text| text.rsplit_once('@')) else { return Ok(None) };
    const QUOTE: char = '\'';
    let grantee = format!("{QUOTE}{user}{QUOTE}@{QUOTE}{host}{QUOTE}");
    let roles = c.table("SELECT CURRENT_ROLE()").await.ok().and_then(|t| t.scalar().map(str::to_owned));
    if roles.is_some_and(|role| !role.is_empty() && !role.eq_ignore_ascii_case("NONE")) {
        return Ok(None);
    }
    let doubled = |c: char| std::iter::repeat_n(c, if matches!(c, '\'' | '\\') { 2 } else { 1 });
    let quoted: String = grantee.chars().flat_map(doubled).collect();
    // MariaDB's PUBLIC applies to every account.
    let whose = format!("(GRANTEE = '{quoted}' OR GRANTEE LIKE '''PUBLIC''@%')");
    let sql = format!(
        "SELECT PRIVILEGE_TYPE, NULL, 0 FROM information_schema.USER_PRIVILEGES WHERE {whose} \
         UNION ALL SELECT PRIVILEGE_TYPE, TABLE_SCHEMA, 0 FROM information_schema.SCHEMA_PRIVILEGES WHERE {whose} \
         UNION ALL SELECT PRIVILEGE_TYPE, TABLE_SCHEMA, 1 FROM information_schema.TABLE_PRIVILEGES WHERE {whose}"
    );
    let Ok(table) = c.table(&sql).await else { return Ok(None) };
    let held: Vec<Privilege> = table
        .rows
        .into_iter()
        .filter_map(|row| {
            let [privilege, schema, of_table] = <[_; 3]>::try_from(row).ok()?;
            Some(Privilege { privilege: privilege?, schema, of_table: of_table.as_deref() == Some("1") })
        })
        .collect();
    // Every account has at least USAGE: a server that does not report it does not maintain these tables.
    if held.is_empty() {
        return Ok(None);
    }
    let schema = needs.schema.as_deref().unwrap_or(schema);
    if schema.is_empty() {
        return Ok(None);
    }
    let missing = missing(&held, needs, schema);
    Ok(Some(if missing.is_empty() {
        finding(Level::Ok, msg!("account-has-privileges")).evidence(msg!(
            "account-in-schema",
            account = grantee,
            schema
        ))
    } else {
        lacking(&grantee, &missing, schema, format!("GRANT {} ON {schema}.* TO {grantee}", missing.join(", ")))
    }))
}

fn lacking(account: &str, missing: &[&str], schema: &str, hint: String) -> Finding {
    finding(Level::Error, msg!("account-lacks-privileges"))
        .evidence(msg!("privileges-missing", account, schema, missing = missing.join(", ")))
        .hint(msg!("as-administrator", hint))
}

/// The privileges that are certainly missing in a schema.
fn missing(held: &[Privilege], needs: &Needs, schema: &str) -> Vec<&'static str> {
    let here = |h: &&Privilege| h.schema.as_deref().is_none_or(|pattern| like(pattern, schema));
    let has = |name: &str| held.iter().filter(here).any(|h| h.privilege == name);
    // A grant on a table applies only to that table, which already exists.
    let has_for_all = |name: &str| held.iter().filter(here).any(|h| h.privilege == name && !h.of_table);
    let mut missing: Vec<&str> = wanted(&needs.statements).into_iter().filter(|name| !has_for_all(name)).collect();
    if needs.writes && !["INSERT", "UPDATE", "DELETE"].iter().any(|name| has(name)) {
        missing
            .extend(["INSERT", "UPDATE", "DELETE"].iter().filter(|name| !missing.contains(name)).collect::<Vec<_>>());
    }
    missing
}

/// Whether a schema's name matches the pattern of a grant: `%` and `_` as in LIKE, escaped with `\`.
fn like(pattern: &str, name: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => name.is_empty(),
        Some('%') => (0..=name.len()).any(|at| name.is_char_boundary(at) && like(rest.as_str(), &name[at..])),
        Some('_') => name.chars().next().is_some_and(|c| like(rest.as_str(), &name[c.len_utf8()..])),
        Some(c) => {
            let c = if c == '\\' { rest.next().unwrap_or('\\') } else { c };
            let first = name.chars().next().filter(|first| first.eq_ignore_ascii_case(&c));
            first.is_some_and(|first| like(rest.as_str(), &name[first.len_utf8()..]))
        }
    }
}

async fn postgres(c: &mut Connection, needs: &Needs) -> Result<Option<Finding>, Error> {
    const ASKED: &str = "SELECT current_user, current_schema(), has_schema_privilege(current_schema(), 'CREATE'), \
         count(t.oid), count(*) FILTER (WHERE has_table_privilege(t.oid, 'INSERT, UPDATE, DELETE')) \
         FROM (SELECT 1) one LEFT JOIN pg_class t ON t.relkind IN ('r', 'p') AND t.relnamespace = \
           (SELECT oid FROM pg_namespace WHERE nspname = current_schema())";
    let Ok(table) = c.table(ASKED).await else { return Ok(None) };
    let Some(row) = table.rows.into_iter().next() else { return Ok(None) };
    let Ok([Some(account), Some(schema), create, Some(tables), Some(writable)]) = <[_; 5]>::try_from(row) else {
        return Ok(None);
    };
    let makes = needs.statements.iter().any(|sql| sql.starts_with("CREATE TABLE"));
    Ok(Some(if makes && create.as_deref() == Some("f") {
        lacking(&account, &["CREATE"], &schema, format!("GRANT CREATE ON SCHEMA {schema} TO {account}"))
    } else if needs.writes && !makes && tables != "0" && writable == "0" {
        let hint = format!("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {account}");
        lacking(&account, &["INSERT", "UPDATE", "DELETE"], &schema, hint)
    } else {
        finding(Level::Ok, msg!("account-has-privileges")).evidence(msg!("account-in-schema", account, schema))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(all: &[(&str, Option<&str>, bool)]) -> Vec<Privilege> {
        let one = |(privilege, schema, of_table): &(&str, Option<&str>, bool)| Privilege {
            privilege: (*privilege).to_owned(),
            schema: schema.map(str::to_owned),
            of_table: *of_table,
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn only_what_is_certainly_missing_is_told() {
        let statements =
            ["CREATE TABLE t(a INT)", "CREATE INDEX k ON t(a)", "DROP TABLE t"].map(str::to_owned).to_vec();
        let load = Needs { statements, writes: true, ..Needs::default() };
        let write = Needs { writes: true, ..Needs::default() };
        let all = ["CREATE", "INDEX", "DROP", "INSERT", "SELECT"];
        let everywhere: Vec<_> = all.iter().map(|name| (*name, None, false)).collect();
        assert_eq!(missing(&held(&everywhere), &load, "sbtest"), [""; 0]);
        let here: Vec<_> = all.iter().map(|name| (*name, Some("sb%"), false)).collect();
        assert_eq!(missing(&held(&here), &load, "sbtest"), [""; 0]);
        assert_eq!(
            missing(&held(&here), &load, "other"),
            ["CREATE", "DROP", "INDEX", "INSERT", "SELECT", "UPDATE", "DELETE"]
        );
        let reader = held(&[("USAGE", None, false), ("SELECT", Some("sbtest"), false)]);
        assert_eq!(missing(&reader, &write, "sbtest"), ["INSERT", "UPDATE", "DELETE"]);
        assert_eq!(missing(&reader, &load, "sbtest"), ["CREATE", "DROP", "INDEX", "INSERT", "UPDATE", "DELETE"]);
        // On one table: sufficient to write to it, not to create others.
        let one_table = held(&[("INSERT", Some("sbtest"), true), ("CREATE", Some("sbtest"), true)]);
        assert_eq!(missing(&one_table, &write, "sbtest"), [""; 0]);
        assert!(missing(&one_table, &load, "sbtest").contains(&"CREATE"));
    }

    #[test]
    fn names_fit_the_patterns_of_grants() {
        for (pattern, name, fits) in [
            ("sbtest", "sbtest", true),
            ("sbtest", "sbtest2", false),
            ("sb%", "sbtest", true),
            ("%", "", true),
            ("sb\\_x", "sb_x", true),
            ("sb\\_x", "sbyx", false),
            ("sb_x", "sbyx", true),
            ("表%", "表1", true),
        ] {
            assert_eq!(like(pattern, name), fits, "{pattern} {name}");
        }
    }
}
