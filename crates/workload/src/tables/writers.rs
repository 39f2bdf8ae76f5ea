//! What users have made on a server that may change rows where a statement only names it: functions, and aggregates, operators and views that call them.

use crate::tables::admin::with_connection;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Names without schemas, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writers {
    /// Functions, those of libraries too, and aggregates that call them.
    pub functions: Vec<String>,
    /// Views that call them.
    pub views: Vec<String>,
    /// Operators of PostgreSQL that call them. Those for types of users that are called like one of the server
    /// are not among them: each `=` would name one.
    pub operators: Vec<String>,
}

impl Writers {
    /// Whether a text in lower case contains one of the names.
    pub fn are_in(&self, text: &str) -> bool {
        [&self.functions, &self.views, &self.operators].into_iter().flatten().any(|name| is_in(text, name))
    }
}

/// Whether a text contains a name of letters, or an operator, and not as a part of a longer one.
pub fn is_in(text: &str, name: &str) -> bool {
    let of_name = |c: char| c.is_alphanumeric() || c == '_';
    let of_operator = |c: char| "+-*/<>=~!@#%^&|`?".contains(c);
    let is_operator = name.starts_with(of_operator);
    let is_more = |c: Option<char>| c.is_some_and(|c| if is_operator { of_operator(c) } else { of_name(c) });
    !name.is_empty()
        && text
            .match_indices(name)
            .any(|(at, _)| !is_more(text[..at].chars().next_back()) && !is_more(text[at + name.len()..].chars().next()))
}

/// What users have made that may change rows. Blocks the calling thread.
pub fn writers(connector: &Connector) -> Result<Writers, Problem> {
    let sql = match connector.dsn().scheme {
        Scheme::Mysql => OF_MYSQL,
        Scheme::Postgres => OF_POSTGRES,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => return Ok(Writers::default()),
    };
    let table = with_connection(connector, msg!("looking-whose-tables"), async |c| c.table(sql).await.map(Ok))?;
    let rows = table.rows.into_iter().filter_map(|row| {
        let mut columns = row.into_iter();
        let (kind, name) = (columns.next()??, columns.next()??.to_lowercase());
        Some((kind, name, columns.next().flatten().unwrap_or_default()))
    });
    let (mut writers, mut views) = (Writers::default(), Vec::new());
    for (kind, name, definition) in rows {
        match kind.as_str() {
            "function" => writers.functions.push(name),
            "operator" => writers.operators.push(name),
            "view" => writers.views.push(name),
            _ => views.push((name, definition.to_lowercase())),
        }
    }
    let loadable = loadable(connector)?;
    writers.views.extend(calling(views, &loadable));
    writers.functions.extend(loadable);
    Ok(writers)
}

/// Functions of MySQL and MariaDB that libraries have, as far as the account may see them, in lower case: they may do anything. Blocks the calling
/// thread.
pub fn loadable(connector: &Connector) -> Result<Vec<String>, Problem> {
    match connector.dsn().scheme {
        Scheme::Mysql => {}
        Scheme::Postgres | Scheme::Sqlite | Scheme::Null | Scheme::Host => return Ok(Vec::new()),
    }
    let doing = msg!("looking-whose-tables");
    let rows =
        with_connection(connector, doing, async |c| c.rows_if_visible("SELECT name FROM mysql.func").await.map(Ok))?;
    Ok(rows.into_iter().flatten().filter_map(|row| Some(row.into_iter().next()??.to_lowercase())).collect())
}

/// Which of these views, with their definitions, call functions that users have made, or read such views. MySQL and MariaDB show only these functions with
/// quotes, those of libraries (`loadable`) without, and no definition to an account without the privilege for it.
fn calling(mut views: Vec<(String, String)>, loadable: &[String]) -> Vec<String> {
    let mut callers: Vec<String> = Vec::new();
    loop {
        let reads = |definition: &str| callers.iter().any(|name| definition.contains(&format!("`{name}`")));
        let calls = |(_, definition): &mut (String, String)| {
            let names_one = loadable.iter().any(|name| is_in(definition, name));
            definition.is_empty() || definition.contains("`(") || names_one || reads(definition)
        };
        let more: Vec<String> = views.extract_if(.., calls).map(|(name, _)| name).collect();
        if more.is_empty() {
            return callers;
        }
        callers.extend(more);
    }
}

const OF_MYSQL: &str = "SELECT 'function', routine_name, '' FROM information_schema.routines \
     WHERE routine_type = 'FUNCTION' AND LOWER(routine_schema) NOT IN ('mysql', 'sys') \
     UNION ALL SELECT 'definition', table_name, view_definition FROM information_schema.views \
     WHERE LOWER(table_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')";

/// Only volatile functions may change rows; the volatility of an aggregate means nothing. A materialized view calls them when it is refreshed.
const OF_POSTGRES: &str = "WITH RECURSIVE f AS (SELECT p.oid, p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace \
     WHERE p.provolatile = 'v' AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND NOT EXISTS \
     (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.classid = p.tableoid AND d.deptype = 'e')), \
     a AS (SELECT p.oid, p.proname FROM pg_aggregate g JOIN pg_proc p ON p.oid = g.aggfnoid WHERE EXISTS (SELECT FROM f WHERE f.oid IN \
     (g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn))), \
     o AS (SELECT o.oid, o.oprname, o.oprleft, o.oprright FROM pg_operator o JOIN f ON f.oid = o.oprcode), \
     v AS (SELECT r.ev_class AS oid FROM pg_rewrite r JOIN pg_depend d ON d.classid = r.tableoid AND d.objid = r.oid \
     WHERE d.refclassid = 'pg_proc'::regclass AND (d.refobjid IN (SELECT oid FROM f) OR d.refobjid IN (SELECT oid FROM a)) \
     OR d.refclassid = 'pg_operator'::regclass AND d.refobjid IN (SELECT oid FROM o) \
     UNION SELECT r.ev_class FROM v JOIN pg_class m ON m.oid = v.oid AND m.relkind <> 'm' JOIN pg_depend d \
     ON d.refclassid = 'pg_class'::regclass AND d.refobjid = v.oid JOIN pg_rewrite r ON d.classid = r.tableoid AND d.objid = r.oid) \
     SELECT 'function', proname, '' FROM f UNION SELECT 'function', proname, '' FROM a UNION SELECT 'operator', oprname, '' FROM o \
     WHERE oprname NOT IN (SELECT oprname FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace) OR NOT EXISTS \
     (SELECT FROM pg_type t WHERE t.oid IN (oprleft, oprright) AND t.typnamespace <> 'pg_catalog'::regnamespace) \
     UNION SELECT 'view', c.relname, '' FROM v JOIN pg_class c ON c.oid = v.oid WHERE c.relkind <> 'm'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_whole() {
        for (text, name) in [("select f(1)", "f"), ("a@@@b", "@@@"), ("select \"f del\"()", "f del")] {
            assert!(is_in(text, name), "{text}");
        }
        for (text, name) in [("select of(1)", "f"), ("a @@@@ b", "@@@"), ("select f_del()", "f")] {
            assert!(!is_in(text, name), "{text}");
        }
    }

    #[test]
    fn views_that_call_functions_are_known_by_their_definitions() {
        let view = |name: &str, definition: &str| (name.to_owned(), definition.to_owned());
        let views = vec![
            view("plain", "select count(0) AS `n` from (`h`.`a` join `h`.`b` on(`a`.`id` = `b`.`id`))"),
            view("above", "select `vf`.`x` AS `x` from `h`.`vf`"),
            view("vf", "select `h`.`f`() AS `x`"),
            view("hidden", ""),
        ];
        let of_library = view("lib", "select sys_eval(`h`.`a`.`x`) AS `x` from `h`.`a`");
        assert_eq!(calling([views.clone(), vec![of_library.clone()]].concat(), &[]), ["vf", "hidden", "above"]);
        let loadable = ["sys_eval".to_owned()];
        assert_eq!(calling([views, vec![of_library]].concat(), &loadable), ["vf", "hidden", "lib", "above"]);
    }
}
