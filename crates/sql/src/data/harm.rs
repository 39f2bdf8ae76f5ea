//! What the file that creates the tables of a data set may do, and the statements after its rows are loaded: nothing that changes what is not theirs. What the
//! text does not show, functions that users have made, is asked of the server.

use super::{bare, created_table};
use crate::language::{Dialect, shown_bytes};
use crate::statement::{self, Statement};
use crate::words::{MOST_WORDS, words};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A statement with its line.
type Line = (u32, Vec<u8>);

/// The file may only create: what it changed or dropped might be somebody else's.
pub(super) fn refuse(path: &str, create: &[Line], dialect: Dialect) -> Result<(), Problem> {
    let own = OwnTables::of(create, dialect);
    for (line, text) in create {
        let what = statement::of_text(text, dialect);
        let harmless = match what.verb.as_str() {
            // Other objects would stay when the tables are dropped.
            "CREATE" => {
                let is_table = what.creates_table && what.table.as_deref().is_some_and(|table| own.is_here(table));
                !what.replaces && (is_table || (what.sure && own.has(&what.on)))
            }
            "SET" | "SELECT" | "BEGIN" | "COMMIT" | "START" => what.sure && !what.beyond_rows,
            "INSERT" | "ALTER" | "ANALYZE" | "UPDATE" | "COMMENT" => what.sure && own.has_all(&what),
            _ => false,
        };
        if !harmless || own.are_left(&what, text) {
            return Err(does_more(path, *line, &what.verb, text));
        }
    }
    Ok(())
}

/// The statements after the load may change what the file has created, and nothing else.
pub(super) fn refuse_after(create: &[Line], after: &[Line], dialect: Dialect) -> Result<(), Problem> {
    let own = OwnTables::of(create, dialect);
    let all = create.iter().chain(after);
    let indexes: Vec<String> = all.filter_map(|(_, text)| statement::of_index(text, "CREATE", dialect)).collect();
    let own_index = |index: &String| own.is_here(index) && indexes.iter().any(|other| bare(index) == bare(other));
    for (line, text) in after {
        let what = statement::of_text(text, dialect);
        let harmless = match what.verb.as_str() {
            "CREATE" => !what.replaces && what.sure && own.has(&what.on),
            "DROP" => own.has(&what.on) || statement::of_index(text, "DROP", dialect).as_ref().is_some_and(own_index),
            "SET" | "SELECT" | "BEGIN" | "COMMIT" | "START" => what.sure && !what.beyond_rows,
            // Without a table it changes no rows.
            "ANALYZE" | "VACUUM" | "OPTIMIZE" | "CHECKPOINT" | "FLUSH" => what.sure || what.verb != "ANALYZE",
            "INSERT" | "ALTER" | "UPDATE" | "DELETE" | "REPLACE" | "COMMENT" => what.sure && own.has_all(&what),
            _ => false,
        };
        if !harmless || own.are_left(&what, text) {
            return Err(does_more("after_load", *line, &what.verb, text));
        }
    }
    Ok(())
}

pub(super) fn does_more(path: &str, line: u32, verb: &str, text: &[u8]) -> Problem {
    Problem::new(msg!("sql-create-does-more", script = path, line, verb))
        .evidence(foreign(shown_bytes(text).lines().next().unwrap_or_default()))
        .hint(msg!("sql-create-only"))
}

/// Whether statements mean the schema `public` by its name, which must be that of the connection then. Dumps of PostgreSQL do.
pub(super) fn names_public(all: &[Line], dialect: Dialect) -> bool {
    dialect == Dialect::Postgres
        && all.iter().any(|(_, text)| {
            let what = statement::of_text(text, dialect);
            let named = [&what.table, &what.on].into_iter().flatten();
            let mut schemas = named.filter_map(|table| table.rsplit_once('.')).map(|(schema, _)| schema);
            schemas.any(|schema| schema.eq_ignore_ascii_case("public")) || leaves(&what, text)
        })
}

/// Whether statements change where tables are looked for.
pub(super) fn leave_schema(all: &[Line], dialect: Dialect) -> bool {
    all.iter().any(|(_, text)| leaves(&statement::of_text(text, dialect), text))
}

/// The first statement that calls one of these functions, given in lower case, with the function: whether only rows of ours change by it is not known.
pub(super) fn calling<'a>(all: &'a [Line], functions: &[String], dialect: Dialect) -> Option<(&'a Line, String)> {
    all.iter().find_map(|line| {
        let called = calls(&line.1, dialect);
        called.into_iter().find(|name| functions.contains(name)).map(|name| (line, name))
    })
}

/// The names, in lower case, of what may be functions that a statement calls when it is executed.
pub(super) fn calls(text: &[u8], dialect: Dialect) -> Vec<String> {
    let what = statement::of_text(text, dialect);
    let words = words(text, dialect);
    let is_select = words.iter().any(|word| word.eq_ignore_ascii_case("SELECT"));
    if !is_select && !["INSERT", "UPDATE", "DELETE", "REPLACE", "SET", "VALUES"].contains(&what.verb.as_str()) {
        return Vec::new();
    }
    // `INSERT INTO account (id)` names a table.
    let is_table = |word: &String| [&what.table, &what.on].into_iter().flatten().any(|table| table == word);
    let before = words.windows(2).filter(|two| two[1] == "(" && !is_table(&two[0])).map(|two| bare(&two[0]));
    before.filter(|name| !name.is_empty() && name != "(").collect()
}

/// Whether tables are looked for elsewhere after a statement. A column may be called like the setting.
fn leaves(what: &Statement, text: &[u8]) -> bool {
    let decides = |name: &str| ["search_path", "role", "session_authorization"].contains(&name);
    let by_call = || configured(&compact(text)).iter().any(|set| set.as_ref().is_none_or(|(name, _)| decides(name)));
    what.leaves_schema && (what.verb == "SET" || by_call())
}

/// A text in lower case and without white space and semicolons.
fn compact(text: &[u8]) -> String {
    let lower = String::from_utf8_lossy(text).to_lowercase();
    lower.chars().filter(|c| !c.is_whitespace() && *c != ';').collect()
}

/// The names and values that calls of `set_config` have; `None` for one that does not show both.
fn configured(compact: &str) -> Vec<Option<(&str, &str)>> {
    let calls = compact.split("set_config").skip(1);
    let both = calls.map(|rest| {
        let (name, behind) = rest.strip_prefix("('")?.split_once("','")?;
        let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b));
        let (value, _) = behind.split_once("',").filter(|_| is_plain)?;
        Some((name, value))
    });
    both.collect()
}

/// The tables that the file creates.
struct OwnTables {
    names: Vec<String>,
    dialect: Dialect,
}

impl OwnTables {
    fn of(create: &[Line], dialect: Dialect) -> OwnTables {
        OwnTables { names: create.iter().filter_map(|(_, text)| created_table(text, dialect)).collect(), dialect }
    }

    /// Whether a name means the schema of the connection: it names none, or the usual one of PostgreSQL, as dumps do. Whether that is the one of the
    /// connection is asked of the server before anything is created. Tables of another schema get no marks.
    fn is_here(&self, name: &str) -> bool {
        name.rsplit_once('.').is_none_or(|(schema, _)| {
            self.dialect == Dialect::Postgres && schema.trim_matches('"').eq_ignore_ascii_case("public")
        })
    }

    fn has(&self, table: &Option<String>) -> bool {
        let is = |table: &str| self.is_here(table) && self.names.iter().any(|name| bare(name) == bare(table));
        table.as_deref().is_some_and(is)
    }

    /// Whether all tables that a statement writes to are among them.
    fn has_all(&self, what: &Statement) -> bool {
        self.has(&what.table) && what.others.iter().all(|table| self.has(&Some(table.clone())))
    }

    /// The sequence of a column of a table has the names of both: `account_id_seq`.
    fn has_sequence(&self, sequence: &str) -> bool {
        let sequence = sequence.replace('"', "");
        let own = |table: &String| bare(&sequence).starts_with(&format!("{}_", bare(table)));
        self.is_here(&sequence) && sequence.ends_with("_seq") && self.names.iter().any(own)
    }

    /// Whether a statement changes sequences of others, or where tables are looked for after it.
    fn are_left(&self, what: &Statement, text: &[u8]) -> bool {
        let leaves = leaves(what, text) && !stays(text);
        leaves || !self.keeps_to_sequences(text)
    }

    /// Whether all calls that change sequences name one of these tables.
    fn keeps_to_sequences(&self, text: &[u8]) -> bool {
        let upper: Vec<String> = words(text, self.dialect)
            .iter()
            .map(|word| word.rsplit('.').next().unwrap_or(word).to_uppercase())
            .collect();
        if upper.windows(3).any(|three| three == ["NEXT", "VALUE", "FOR"]) {
            return false;
        }
        // Of very many words the last ones are not seen.
        let is_cut = upper.len() >= MOST_WORDS;
        let is_called =
            |name: &&str| is_cut || upper.windows(2).any(|two| two[0].eq_ignore_ascii_case(name) && two[1] == "(");
        let changing: Vec<&str> = ["nextval", "setval"].into_iter().filter(is_called).collect();
        if changing.is_empty() {
            return true;
        }
        let lower = String::from_utf8_lossy(text).to_lowercase();
        // The names of sequences are texts.
        let named = |rest: &str| {
            let rest = rest.trim_start().strip_prefix('(').map_or("", str::trim_start);
            let of_column = rest.strip_prefix("pg_catalog.").unwrap_or(rest).strip_prefix("pg_get_serial_sequence");
            match of_column.map(|rest| rest.trim_start().strip_prefix('(').map_or("", str::trim_start)) {
                Some(rest) => first_text(rest).is_some_and(|table| self.has(&Some(table.replace('"', "")))),
                None => first_text(rest).is_some_and(|sequence| self.has_sequence(sequence)),
            }
        };
        changing.into_iter().all(|name| lower.split(name).skip(1).all(named))
    }
}

/// The text between single quotes with which something begins.
fn first_text(rest: &str) -> Option<&str> {
    rest.strip_prefix('\'')?.split_once('\'').map(|(text, _)| text)
}

/// Whether what a statement sets leaves tables in the usual schema of PostgreSQL: names without a schema mean it, or nothing.
fn stays(text: &[u8]) -> bool {
    let compact = compact(text);
    let is_usual = |path: &str| {
        let plain = path.replace(['\'', '"'], "");
        plain.is_empty() || plain.split(',').all(|schema| ["public", "pg_catalog", "default"].contains(&schema))
    };
    if let Some(set) = compact.strip_prefix("set") {
        let set = ["session", "local"].iter().find_map(|scope| set.strip_prefix(scope)).unwrap_or(set);
        let path = set.strip_prefix("search_path");
        let path = path.and_then(|rest| rest.strip_prefix('=').or_else(|| rest.strip_prefix("to")));
        return path.is_some_and(is_usual) || ["rolenone", "authorizationdefault"].contains(&set);
    }
    configured(&compact).into_iter().all(|set| {
        set.is_some_and(|(name, value)| match name {
            "search_path" => is_usual(value),
            name => !["role", "session_authorization"].contains(&name),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        (1..).zip(text.split(";;").map(|text| text.trim().as_bytes().to_vec())).collect()
    }

    /// `well`, or what is refused.
    fn told(created: &str, after: &str, dialect: Dialect) -> String {
        let created = lines(created);
        let after = if after.is_empty() { Vec::new() } else { lines(after) };
        let outcome = refuse("s.sql", &created, dialect).and_then(|()| refuse_after(&created, &after, dialect));
        outcome.map_or_else(|problem| problem.what.english().to_owned(), |()| "well".to_owned())
    }

    const TABLE: &str = "CREATE TABLE account (id INT)";

    #[test]
    fn a_schema_is_elsewhere_but_for_the_usual_one_of_postgresql() {
        let (plain, public) = (TABLE, "CREATE TABLE public.account (id INT)");
        for dialect in [Dialect::Mysql, Dialect::Sqlite] {
            assert_eq!(told(plain, "", dialect), "well");
            assert!(told(public, "", dialect).contains("line 1: CREATE may change"), "{dialect:?}");
        }
        for created in [plain, public] {
            for after in [
                "UPDATE account SET id = 1",
                "UPDATE public.account SET id = 1",
                "CREATE INDEX i ON public.account (id);;DROP INDEX public.i",
                "COMMENT ON TABLE public.account IS 'x'",
                "COMMENT ON COLUMN account.id IS 'x'",
            ] {
                assert_eq!(told(created, after, Dialect::Postgres), "well", "{created} {after}");
            }
            for after in [
                "UPDATE shop.account SET id = 1",
                "DELETE FROM accounts",
                "CREATE INDEX i ON account (id);;DROP INDEX shop.i",
                "CREATE INDEX i ON account (id);;DROP INDEX i, theirs",
                "COMMENT ON TABLE victim IS 'x'",
                "COMMENT ON COLUMN victim.id IS 'x'",
                "COMMENT ON DATABASE shop IS 'x'",
            ] {
                assert!(told(created, after, Dialect::Postgres).contains("may change what is not ours"), "{after}");
            }
        }
        let named = |text: &str| names_public(&lines(text), Dialect::Postgres);
        assert!(named(public) && named("CREATE INDEX i ON public.account (id)") && !named(plain));
    }

    #[test]
    fn statements_with_another_delimiter_are_seen() {
        for text in ["CREATE TABLE account (id INT); DROP TABLE precious", "SELECT 1; DELETE FROM precious"] {
            assert!(told(text, "", Dialect::Mysql).contains("may change"), "{text}");
        }
    }

    #[test]
    fn functions_that_change_what_others_have_are_refused() {
        let of = |more: &str| told(&format!("{TABLE};;{more}"), "", Dialect::Postgres);
        for text in [
            "SELECT pg_catalog.setval('public.account_id_seq', 1, false)",
            "SELECT pg_catalog.setval('account_id_seq'::regclass, 1)",
            "SELECT setval(pg_get_serial_sequence('public.account', 'id'), 100)",
            "INSERT INTO account VALUES (nextval('account_id_seq'))",
            "ALTER TABLE ONLY account ALTER COLUMN id SET DEFAULT nextval('public.account_id_seq'::regclass)",
            "SELECT pg_catalog.set_config('search_path', '', false)",
            "SET search_path = public, pg_catalog",
            "SET SESSION AUTHORIZATION DEFAULT",
            "SELECT set_config('work_mem', '1GB', false)",
            "SELECT 'setval'",
            "COMMENT ON TABLE account IS 'setval(''orders_id_seq'')'",
        ] {
            assert_eq!(of(text), "well", "{text}");
        }
        for text in [
            "SELECT pg_catalog.setval('public.orders_id_seq', 1, false)",
            "SELECT setval('shop.account_id_seq', 1)",
            "SELECT setval('account_id_seq', 1), setval('orders_id_seq', 1)",
            "SELECT setval(pg_get_serial_sequence('orders', 'id'), 100)",
            "SELECT setval('orders' || '_id_seq', 1)",
            "SELECT nextval('orders_id_seq')",
            "INSERT INTO account VALUES (nextval('orders_id_seq'))",
            "SELECT lo_unlink(16400)",
            "SELECT lo_put(16400, 0, 'x')",
            "INSERT INTO account SELECT lo_unlink(16400)",
            "SELECT dblink_exec('dbname=shop', 'DELETE FROM orders')",
            "SET search_path = shop",
            "SET ROLE shop",
            "SELECT set_config('search_path', 'shop', false)",
            "SELECT set_config('search_' || 'path', 'shop', false)",
            "SELECT set_config('role', 'shop', false)",
        ] {
            assert!(of(text).contains("line 2: "), "{text}: {}", of(text));
        }
        let in_mariadb = format!("{TABLE};;INSERT INTO account VALUES (NEXT VALUE FOR orders_seq)");
        assert!(told(&in_mariadb, "", Dialect::Mysql).contains("INSERT may change"));
    }

    #[test]
    fn the_functions_that_a_statement_calls_are_known() {
        let of = |text: &str| calls(text.as_bytes(), Dialect::Postgres).join(" ");
        assert_eq!(of("INSERT INTO account (id) SELECT public.Wipe(1), now()"), "wipe now");
        assert_eq!(of("CREATE TABLE wipe (id INT, CHECK (id > 0))"), "");
        assert_eq!(of("UPDATE account SET id = wipe (2)"), "wipe");
        let all = lines("SELECT 1;;SELECT wipe()");
        let call = calling(&all, &["wipe".to_owned()], Dialect::Postgres).map(|((line, _), name)| (*line, name));
        assert_eq!(call, Some((2, "wipe".to_owned())));
    }
}
