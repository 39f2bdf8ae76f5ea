//! What the file that creates the tables of a data set may do, and the statements after its rows are loaded: nothing that changes what is not theirs. What the
//! text does not show, functions that users have made, is asked of the server.

use super::{bare, created_table};
use crate::language::{Dialect, shown_bytes};
use crate::statement::{self, Sequence, Statement};
use crate::words::{all_words, words_in_all_readings};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::writers::{Writers, is_in};

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
                let is_here = what.table.as_deref().is_some_and(|table| own.is_here(table));
                let is_table = what.creates_table && is_here && own.ties_own(text);
                !what.replaces && (is_table || (what.sure && own.has(&what.on)))
            }
            "SET" | "SELECT" | "BEGIN" | "COMMIT" | "START" => what.sure && !what.beyond_rows,
            "INSERT" | "ALTER" | "UPDATE" | "COMMENT" => what.sure && own.has_all(&what),
            "ANALYZE" => own.is_kept(text, &|_| false),
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
            "CREATE" => !what.replaces && (what.sure && own.has(&what.on) || own.is_kept(text, &own_index)),
            "DROP" => own.has(&what.on) || statement::of_index(text, "DROP", dialect).as_ref().is_some_and(own_index),
            "SET" | "SELECT" | "BEGIN" | "COMMIT" | "START" => what.sure && !what.beyond_rows,
            "ANALYZE" | "VACUUM" | "OPTIMIZE" | "CLUSTER" | "REINDEX" | "TRUNCATE" => own.is_kept(text, &own_index),
            "CHECKPOINT" | "FLUSH" => is_alone(text, dialect),
            "INSERT" | "ALTER" | "UPDATE" | "DELETE" | "REPLACE" | "COMMENT" => what.sure && own.has_all(&what),
            _ => false,
        };
        if !harmless || own.are_left(&what, text) {
            return Err(does_more_after(*line, &what.verb, text));
        }
    }
    Ok(())
}

pub(super) fn does_more(path: &str, line: u32, verb: &str, text: &[u8]) -> Problem {
    with_statement(Problem::new(msg!("sql-create-does-more", script = path, line, verb)), text)
}

/// Whether a text is one statement: with another delimiter it may have several.
fn is_alone(text: &[u8], dialect: Dialect) -> bool {
    all_words(text, dialect).split(|word| word == ";").filter(|part| !part.is_empty()).count() == 1
}

/// The same of a statement after the load.
pub(super) fn does_more_after(line: u32, verb: &str, text: &[u8]) -> Problem {
    with_statement(Problem::new(msg!("sql-after-load-does-more", option = "after_load", line, verb)), text)
}

fn with_statement(problem: Problem, text: &[u8]) -> Problem {
    problem.evidence(foreign(shown_bytes(text).lines().next().unwrap_or_default())).hint(msg!("sql-create-only"))
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

/// The first statement that uses one of these, with its name: whether only rows of ours change by it is not known.
pub(super) fn using<'a>(all: &'a [Line], writers: &Writers, dialect: Dialect) -> Option<(&'a Line, String)> {
    all.iter().find_map(|line| {
        let function = calls(&line.1, dialect).into_iter().find(|name| writers.functions.contains(name));
        let view = || reads(&line.1, dialect).into_iter().find(|name| writers.views.contains(name));
        let text = String::from_utf8_lossy(&line.1);
        let operator = || writers.operators.iter().find(|name| is_in(&text, name)).cloned();
        let name = function.map(|name| format!("{name}()")).or_else(view).or_else(operator);
        name.map(|name| (line, name))
    })
}

/// The names, in lower case, of what may be functions that a statement calls, now or, as a default or a check, for each row.
fn calls(text: &[u8], dialect: Dialect) -> Vec<String> {
    let what = statement::of_text(text, dialect);
    // `INSERT INTO account (id)` names a table.
    let is_table = |word: &String| [&what.table, &what.on].into_iter().flatten().any(|table| table == word);
    let words = words_in_all_readings(text, dialect);
    let before = words.windows(2).filter(|two| two[1] == "(" && !is_table(&two[0])).map(|two| bare(&two[0]));
    before.filter(|name| !name.is_empty() && name != "(").collect()
}

/// The names, in lower case, of what may be views that a statement reads.
fn reads(text: &[u8], dialect: Dialect) -> Vec<String> {
    let words = words_in_all_readings(text, dialect);
    let is = |word: &String, all: &[&str]| all.iter().any(|one| word.eq_ignore_ascii_case(one));
    let may_read = words.iter().any(|word| is(word, &["FROM", "JOIN", "USING"]))
        || words.windows(2).any(|two| is(&two[0], &["TABLE"]) && !is(&two[1], &["IF", "ONLY"]));
    let of_definition = words.first().is_some_and(|word| is(word, &["CREATE", "ALTER"]))
        && !words.iter().any(|word| is(word, &["SELECT", "AS"]));
    if may_read && !of_definition { words.iter().map(|word| bare(word)).collect() } else { Vec::new() }
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
        let own = |table: &String| bare(sequence).starts_with(&format!("{}_", bare(table)));
        self.is_here(sequence) && sequence.ends_with("_seq") && self.names.iter().any(own)
    }

    /// Whether a statement changes sequences of others, or where tables are looked for after it.
    fn are_left(&self, what: &Statement, text: &[u8]) -> bool {
        let leaves = leaves(what, text) && !stays(text);
        leaves || !self.keeps_to_sequences(text)
    }

    /// Whether all calls that change sequences name one of these tables.
    fn keeps_to_sequences(&self, text: &[u8]) -> bool {
        let is_own = |sequence: &Sequence| match sequence {
            // No table has those of MariaDB.
            Sequence::Named(name) => self.dialect != Dialect::Mysql && self.has_sequence(name),
            Sequence::OfTable(table) => self.has(&Some(table.clone())),
        };
        statement::sequences(text, self.dialect).is_some_and(|all| all.iter().all(is_own))
    }

    /// Whether a statement maintains these only, which changes no rows of others: statistics, the order of rows, space. Without a table it must take nothing
    /// from others meanwhile.
    fn is_kept(&self, text: &[u8], own_index: &dyn Fn(&String) -> bool) -> bool {
        const OPTIONS: &str = "TABLE INDEX CONCURRENTLY VERBOSE ANALYZE FREEZE LOCAL NO_WRITE_TO_BINLOG ONLY \
            RESTART CONTINUE IDENTITY RESTRICT WAIT NOWAIT PERSISTENT FOR ALL COLUMNS INDEXES";
        let words = all_words(text, self.dialect);
        let is = |at: usize, all: &str| {
            words.get(at).is_some_and(|word| all.split_whitespace().any(|one| word.eq_ignore_ascii_case(one)))
        };
        if is(0, "CREATE") {
            // In front of FROM are its name, kinds in parentheses and columns.
            let from = words.iter().position(|word| word.eq_ignore_ascii_case("FROM"));
            return is(1, "STATISTICS")
                && from.is_some_and(|from| words.len() == from + 2 && self.has(&words.get(from + 1).cloned()));
        }
        let (mut depth, mut names, mut locks_all, mut of_index) = (0_usize, 0, is(0, "CLUSTER REINDEX"), false);
        for (at, word) in words.iter().enumerate().skip(1) {
            match word.as_str() {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                ";" | "," => {}
                _ if is(at, "UPDATE DROP") && is(at + 1, "HISTOGRAM") && names == 1 => break,
                _ if is(at, "FULL") => locks_all = true,
                _ if depth > 0 || is(at, OPTIONS) => {}
                _ if is(at, "USING") => of_index = true,
                _ if of_index => of_index = false,
                name if self.has(&Some(name.to_owned())) || own_index(word) => names += 1,
                _ => return false,
            }
        }
        let is_sqlite = self.dialect == Dialect::Sqlite;
        names > 0 || is(0, "ANALYZE VACUUM") && !locks_all || is_sqlite && is(0, "REINDEX")
    }

    /// Whether a definition of a table reaches into these only.
    fn ties_own(&self, text: &[u8]) -> bool {
        let tied = statement::tied(&all_words(text, self.dialect));
        tied.is_some_and(|all| all.into_iter().all(|table| self.has(&Some(table))))
    }
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
    fn a_table_reaches_into_others_only_if_they_are_ours() {
        let parent = "CREATE TABLE account (id INT) PARTITION BY RANGE (id)";
        for text in [
            "CREATE TABLE a1 PARTITION OF account FOR VALUES FROM (0) TO (9)",
            "CREATE TABLE a1 (b INT) INHERITS (public.account)",
        ] {
            assert_eq!(told(&format!("{parent};;{text}"), "", Dialect::Postgres), "well", "{text}");
        }
        for text in [
            "CREATE TABLE a1 PARTITION OF theirs FOR VALUES FROM (0) TO (9)",
            "CREATE TABLE a1 (b INT) INHERITS (account, precious)",
            "CREATE TABLE a1 PARTITION OF shop.account DEFAULT",
        ] {
            let outcome = told(&format!("{parent};;{text}"), "", Dialect::Postgres);
            assert!(outcome.contains("line 2: CREATE may change"), "{text}: {outcome}");
        }
        let merged = |text: &str| told(&format!("CREATE TABLE a1 (id INT) ENGINE=MyISAM;;{text}"), "", Dialect::Mysql);
        assert_eq!(merged("CREATE TABLE a (id INT) ENGINE=MERGE UNION=(a1)"), "well");
        for text in [
            "CREATE TABLE a (id INT) ENGINE=MERGE UNION=(a1, precious) INSERT_METHOD=LAST",
            "CREATE TABLE a (id INT) ENGINE=FEDERATED CONNECTION='mysql://x/y/z'",
            "CREATE TABLE a (id INT) ENGINE='MERGE' UNION=(precious) INSERT_METHOD=LAST",
            "CREATE TABLE a (id INT) ENGINE='MRG_MyISAM'",
            "CREATE TABLE a (id INT) /*!50000 ENGINE=\"MERGE\" */",
        ] {
            assert!(merged(text).contains("line 2: CREATE may change"), "{text}");
        }
        let remote = "CREATE FOREIGN TABLE account (id INT) SERVER theirs OPTIONS (table_name 'precious')";
        assert!(told(remote, "", Dialect::Postgres).contains("line 1: CREATE may change"));
        for after in [
            "ALTER TABLE account ENGINE='MERGE', UNION=(precious)",
            "ALTER TABLE account CONVERT TABLE precious TO PARTITION p VALUES LESS THAN (9)",
        ] {
            assert!(told(TABLE, after, Dialect::Mysql).contains("line 1: ALTER may change"), "{after}");
        }
    }

    #[test]
    fn what_maintains_our_tables_is_no_harm() {
        let after = |text: &str, dialect| told(&format!("{TABLE};;CREATE INDEX i ON account (id)"), text, dialect);
        for text in [
            "ANALYZE",
            "ANALYZE VERBOSE",
            "VACUUM",
            "VACUUM ANALYZE",
            "VACUUM (FULL, ANALYZE) account",
            "VACUUM FULL account",
            "ANALYZE account (id), public.account",
            "CLUSTER account USING i",
            "REINDEX TABLE account",
            "REINDEX INDEX CONCURRENTLY i",
            "CREATE STATISTICS st (ndistinct) ON id, balance FROM account",
            "TRUNCATE account RESTART IDENTITY",
        ] {
            assert_eq!(after(text, Dialect::Postgres), "well", "{text}");
        }
        for text in [
            "VACUUM FULL",
            "VACUUM (FULL)",
            "VACUUM FULL precious",
            "ANALYZE account, precious",
            "CLUSTER",
            "CLUSTER precious USING i",
            "REINDEX DATABASE shop",
            "CREATE STATISTICS st ON id, balance FROM precious",
            "TRUNCATE account, precious",
            "TRUNCATE account CASCADE",
        ] {
            let verb = text.split(' ').next().unwrap();
            let wanted = format!("after_load, line 1: {verb} may change what is not ours");
            assert_eq!(after(text, Dialect::Postgres), wanted, "{text}");
        }
        for (text, is_well) in [("ANALYZE", true), ("VACUUM", true), ("REINDEX", true), ("VACUUM INTO 'x.db'", false)] {
            assert_eq!(after(text, Dialect::Sqlite) == "well", is_well, "{text}");
        }
        for (text, is_well) in [
            ("ANALYZE TABLE account", true),
            ("OPTIMIZE NO_WRITE_TO_BINLOG TABLE account", true),
            ("OPTIMIZE TABLE account, precious", false),
            ("ANALYZE TABLE account PERSISTENT FOR COLUMNS (id) INDEXES ()", true),
            ("ANALYZE TABLE account UPDATE HISTOGRAM ON id WITH 9 BUCKETS", true),
            ("CHECKPOINT", true),
            ("FLUSH TABLES; DELETE FROM precious", false),
            ("ANALYZE UPDATE precious SET id = 1", false),
            ("ANALYZE FORMAT=JSON DELETE FROM account", false),
        ] {
            assert_eq!(after(text, Dialect::Mysql) == "well", is_well, "{text}");
        }
    }

    #[test]
    fn a_block_of_mariadb_is_refused() {
        for text in [
            "BEGIN NOT ATOMIC DROP TABLE precious; END",
            "BEGIN NOT ATOMIC DELETE FROM precious; END",
            "SET STATEMENT max_statement_time=5 FOR FLUSH STATUS",
        ] {
            for (created, after) in [(format!("{TABLE};;{text}"), ""), (TABLE.to_owned(), text)] {
                assert!(told(&created, after, Dialect::Mysql).contains(" may change what is not ours"), "{text}");
            }
        }
    }

    #[test]
    fn what_a_statement_uses_that_may_write_is_known() {
        let of = |text: &str| {
            let writers = Writers {
                functions: vec!["wipe".to_owned(), "f del".to_owned()],
                views: vec!["log_reader".to_owned()],
                operators: vec!["@@@".to_owned()],
            };
            using(&lines(text), &writers, Dialect::Postgres).map(|((line, _), name)| format!("{line} {name}"))
        };
        for (text, wanted) in [
            ("SELECT 1;;SELECT wipe()", "2 wipe()"),
            ("INSERT INTO account (id) SELECT public.Wipe(1), now()", "1 wipe()"),
            ("CREATE TABLE account (id INT DEFAULT \"F Del\"())", "1 f del()"),
            ("CREATE TABLE account (id INT CHECK (wipe () > 0))", "1 wipe()"),
            ("ALTER TABLE account ADD COLUMN z INT DEFAULT wipe()", "1 wipe()"),
            ("UPDATE account SET id = wipe (2)", "1 wipe()"),
            ("SELECT x FROM shop.log_reader", "1 log_reader"),
            ("TABLE log_reader", "1 log_reader"),
            ("CREATE TABLE account AS TABLE log_reader", "1 log_reader"),
            ("UPDATE account SET id = 3 WHERE id @@@ 5", "1 @@@"),
        ] {
            assert_eq!(of(text).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "CREATE TABLE wipe (id INT, CHECK (id > 0))",
            "CREATE TABLE account (log_reader INT, wipe INT)",
            "INSERT INTO account (log_reader) VALUES (1)",
            "UPDATE account SET id = 3 WHERE a @@@@ 5",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
