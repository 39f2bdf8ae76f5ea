//! What a statement is, by its first words: whether it reads or writes, to which tables, whether it can be prepared, whether it begins or ends a
//! transaction. This is not a parser of SQL: what it cannot see is unknown, never guessed to be harmless.

use crate::language::SqlCommand;
use tenbin_model::tally::StatementKind;

/// What the first words of a statement show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Its first word, in capitals.
    pub(crate) verb: String,
    /// As it is counted.
    pub(crate) kind: StatementKind,
    /// The table that it writes to, or the first that it reads, as it is written.
    pub(crate) table: Option<String>,
    /// Whether it may change something: everything but what is known to read.
    pub(crate) writes: bool,
    /// Whether all that it may write to is `table`; if that is `None`, nothing that already exists. Where this is not certain, it may write to any table.
    pub(crate) sure: bool,
    /// Whether it changes the server itself, and not rows: settings of all sessions, accounts, schemas, files on its machine.
    pub(crate) beyond_rows: bool,
    /// Whether every server can prepare it.
    pub(crate) preparable: bool,
    /// Whether it creates a table.
    pub(crate) creates_table: bool,
    /// Whether what it creates may replace something that is there.
    pub(crate) replaces: bool,
    /// The table of the index or trigger that it creates.
    pub(crate) on: Option<String>,
    /// Whether a name without a schema may mean another table after it.
    pub(crate) leaves_schema: bool,
    /// Whether it opens (`Some(true)`) or ends (`Some(false)`) a transaction.
    pub(crate) transaction: Option<bool>,
}

impl Statement {
    /// The table that is there already and is written to, if that is certain: of an index that of its rows, of a table that is created none.
    pub(crate) fn written(&self) -> Option<&str> {
        match self.creates_table {
            true => None,
            false => self.on.as_deref().or(self.table.as_deref()),
        }
    }
}

/// Whether a definition of a table makes rows of others its own: it inherits, is or gets a partition, or stands for other tables.
fn ties_tables(upper: &[String]) -> bool {
    const TIES: [&str; 4] = ["ATTACH", "EXCHANGE", "INHERIT", "INHERITS"];
    const ENGINES: [&str; 7] = ["MERGE", "MRG_MYISAM", "FEDERATED", "FEDERATEDX", "CONNECT", "SPIDER", "OQGRAPH"];
    let has = |words: &[&str]| upper.iter().any(|word| words.contains(&word.as_str()));
    let is_partition = upper.iter().zip(upper.iter().skip(1)).any(|(a, b)| a == "PARTITION" && b == "OF");
    has(&TIES) || is_partition || (has(&["ENGINE", "TYPE"]) && has(&ENGINES))
}

/// What a command's first statement is; `writes` is about all that are joined.
pub(crate) fn of(sql: &SqlCommand) -> Statement {
    let words = words(&sql.text);
    let mut statement = first(&words);
    statement.preparable &= sql.statements == 1;
    statement.leaves_schema |= sql.statements > 1 && words.iter().any(|word| word.eq_ignore_ascii_case("USE"));
    // Any of the others may end the transaction, and write.
    if sql.statements > 1 && words.iter().skip(1).any(|word| ends_transaction(word)) {
        statement.transaction = Some(false);
    }
    if sql.statements > 1 && words.iter().any(|word| is_writer(&word.to_ascii_uppercase())) {
        (statement.writes, statement.sure) = (true, false);
    }
    statement
}

/// Whether a statement with this word in it may end the transaction.
fn ends_transaction(word: &str) -> bool {
    ["COMMIT", "END", "ROLLBACK", "ABORT"].iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// The same of a single statement.
pub(crate) fn of_text(text: &[u8]) -> Statement {
    first(&words(text))
}

/// The index that a statement with this verb creates or drops.
pub(crate) fn of_index(text: &[u8], verb: &str) -> Option<String> {
    let words = words(text);
    let is = |word: &String, wanted: &[&str]| wanted.iter().any(|one| word.eq_ignore_ascii_case(one));
    words.first().filter(|first| is(first, &[verb]))?;
    let at = words.iter().take(4).position(|word| is(word, &["INDEX"]))?;
    words[at + 1..].iter().find(|word| !is(word, &["IF", "NOT", "EXISTS", "CONCURRENTLY"])).cloned()
}

/// Whether a word in capitals may begin a statement that changes something.
fn is_writer(word: &str) -> bool {
    [
        "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "TRUNCATE", "DROP", "ALTER", "CREATE", "CALL", "COPY",
        "LOCK", "RENAME", "EXECUTE", "DO", "LOAD", "IMPORT",
    ]
    .contains(&word)
}

fn first(words: &[String]) -> Statement {
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let mut statement = by_first_words(words, &upper);
    statement.leaves_schema = leaves_schema(&statement.verb, &upper);
    // A variable is in the name: it may be any.
    for table in [&mut statement.table, &mut statement.on].into_iter().flatten() {
        if table.contains(':') {
            statement.sure &= !statement.writes;
            *table = table.split(':').find(|part| !part.is_empty()).unwrap_or_default().to_owned();
        }
    }
    if beyond_rows(&upper) {
        return Statement { writes: true, sure: false, beyond_rows: true, preparable: false, ..statement };
    }
    // What follows is not seen.
    if words.len() >= MOST_WORDS && !["INSERT", "REPLACE"].contains(&&*statement.verb) {
        return Statement { writes: true, sure: false, ..statement };
    }
    statement
}

/// Whether tables are looked for elsewhere after a statement: in another schema, with another search path, or as another role.
fn leaves_schema(verb: &str, upper: &[String]) -> bool {
    let has = |all: &[&str]| upper.iter().any(|word| all.contains(&word.rsplit('.').next().unwrap_or_default()));
    match verb {
        "USE" => true,
        "SET" | "RESET" | "DISCARD" => has(&["SEARCH_PATH", "SCHEMA", "ROLE", "AUTHORIZATION", "ALL"]),
        _ => has(&["SEARCH_PATH", "SET_CONFIG"]),
    }
}

/// Whether the words, in capitals, are those of a statement that changes the server itself.
fn beyond_rows(upper: &[String]) -> bool {
    let has = |all: &[&str]| upper.iter().any(|word| all.contains(&word.as_str()));
    let [verb, second] = [0, 1].map(|at| upper.get(at).map_or("", String::as_str));
    let object =
        || upper.iter().skip(1).find(|word| !["OR", "REPLACE", "IF", "NOT", "EXISTS"].contains(&word.as_str()));
    match verb {
        "SET" => {
            let scoped = |word: &String| word.starts_with("@@GLOBAL.") || word.starts_with("@@PERSIST");
            has(&["GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD"])
                || upper.iter().any(scoped)
                || upper.windows(2).any(|two| two[0] == "DEFAULT" && two[1] == "ROLE")
        }
        "GRANT" | "REVOKE" | "KILL" | "SHUTDOWN" | "PURGE" | "INSTALL" | "UNINSTALL" | "CHANGE" | "CLONE"
        | "RESTART" => true,
        "RESET" => ["MASTER", "REPLICA", "SLAVE", "BINARY", "PERSIST"].contains(&second),
        "STOP" => true,
        "START" => ["REPLICA", "SLAVE", "ALL", "GROUP_REPLICATION"].contains(&second),
        "CREATE" | "DROP" | "ALTER" => object().is_some_and(|object| {
            [
                "SYSTEM",
                "USER",
                "ROLE",
                "GROUP",
                "DATABASE",
                "SCHEMA",
                "SERVER",
                "TABLESPACE",
                "INSTANCE",
                "EVENT",
                "EXTENSION",
                "SUBSCRIPTION",
                "PUBLICATION",
                "LOGFILE",
            ]
            .contains(&object.as_str())
        }),
        "COPY" => has(&["TO", "PROGRAM"]) && !has(&["STDOUT", "STDIN"]),
        "SELECT" | "VALUES" | "TABLE" | "WITH" | "(" => {
            upper.windows(2).any(|two| two[0] == "INTO" && ["OUTFILE", "DUMPFILE"].contains(&two[1].as_str()))
                || upper.windows(2).any(|two| two[1] == "(" && is_effect(two[0].rsplit('.').next().unwrap_or("")))
        }
        _ => false,
    }
}

/// Functions of PostgreSQL whose effect is not in rows, and that read-only transactions permit (PostgreSQL manual 9.27).
fn is_effect(function: &str) -> bool {
    let known = [
        "PG_TERMINATE_BACKEND",
        "PG_CANCEL_BACKEND",
        "PG_RELOAD_CONF",
        "PG_ROTATE_LOGFILE",
        "PG_PROMOTE",
        "PG_SWITCH_WAL",
        "PG_CREATE_RESTORE_POINT",
        "PG_WAL_REPLAY_PAUSE",
        "PG_WAL_REPLAY_RESUME",
        "PG_BACKUP_START",
        "PG_BACKUP_STOP",
        "PG_CREATE_PHYSICAL_REPLICATION_SLOT",
        "PG_CREATE_LOGICAL_REPLICATION_SLOT",
        "PG_DROP_REPLICATION_SLOT",
        "PG_COPY_PHYSICAL_REPLICATION_SLOT",
        "PG_COPY_LOGICAL_REPLICATION_SLOT",
        "PG_REPLICATION_SLOT_ADVANCE",
        "LO_EXPORT",
        "LO_IMPORT",
        "PG_STAT_RESET",
        "PG_STAT_RESET_SHARED",
        "PG_STAT_STATEMENTS_RESET",
        "PG_FILE_WRITE",
        "PG_FILE_UNLINK",
        "PG_FILE_RENAME",
    ];
    known.contains(&function)
}

/// `upper`: the words in capitals.
fn by_first_words(words: &[String], upper: &[String]) -> Statement {
    let Some(verb) = upper.iter().find(|word| *word != "(").cloned() else { return Statement::default() };
    let after = |word: &str| upper.iter().position(|found| found == word).and_then(|at| words.get(at + 1)).cloned();
    // After words such as LOW_PRIORITY, IGNORE, ONLY.
    let named = |from: usize, skip: &[&str]| {
        (from..words.len()).find(|at| !skip.contains(&&*upper[*at])).map(|at| words[at].clone())
    };
    let base = Statement { verb: verb.clone(), sure: true, ..Statement::default() };
    let write = |table: Option<String>| {
        let sure = table.is_some();
        Statement { kind: StatementKind::Write, writes: true, preparable: true, table, sure, ..base.clone() }
    };
    let place = |word: &str| upper.iter().position(|found| found == word);
    // Up to a word, or the end: a list of tables, or a join of some.
    let several_until = |end: &str| {
        let until = place(end).unwrap_or(upper.len());
        upper[..until].iter().any(|word| [",", "JOIN", "USING"].contains(&word.as_str()))
    };
    let may_write_after_first = || upper.iter().skip(1).any(|word| is_writer(word));
    let second = upper.get(1).map_or("", String::as_str);
    match &*verb {
        // FOR UPDATE locks rows, which a replica refuses.
        "SELECT" | "VALUES" | "TABLE" => Statement {
            kind: StatementKind::Read,
            preparable: true,
            table: after("FROM"),
            writes: upper.iter().any(|word| word == "INTO")
                || upper
                    .windows(2)
                    .any(|two| two[0] == "FOR" && ["UPDATE", "SHARE", "NO", "KEY"].contains(&two[1].as_str())),
            ..base
        },
        "WITH" => {
            match upper.iter().find(|word| ["INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"].contains(&word.as_str()))
            {
                Some(writer) => {
                    let table = match writer.as_str() {
                        "INSERT" | "REPLACE" | "MERGE" => after("INTO"),
                        "DELETE" => after("FROM"),
                        other => after(other),
                    };
                    let only = upper.iter().filter(|word| is_writer(word)).count() == 1;
                    let sure = only && writer == "INSERT" && table.is_some();
                    Statement { sure, ..write(table) }
                }
                None => Statement { kind: StatementKind::Read, preparable: true, table: after("FROM"), ..base },
            }
        }
        "INSERT" | "REPLACE" | "MERGE" => {
            let write = write(after("INTO").or_else(|| named(1, MODIFIERS)));
            // Of PostgreSQL, a part of WITH within it may write to other tables.
            let with = place("WITH").unwrap_or(upper.len());
            let sure = write.sure && !upper[with..].iter().any(|word| is_writer(word));
            Statement { sure, ..write }
        }
        "UPDATE" => {
            let write = write(named(1, MODIFIERS));
            Statement { sure: write.sure && !several_until("SET"), ..write }
        }
        "DELETE" => {
            // `DELETE t FROM t, u`: of several tables.
            let direct = upper[1..].iter().find(|word| !DELETE_MODIFIERS.contains(&word.as_str()));
            let from = place("FROM").map_or(words.len(), |at| at + 1);
            let write = write(named(from, &["ONLY"]));
            let sure = write.sure && direct.is_some_and(|word| word == "FROM") && !several_until("WHERE");
            Statement { sure, ..write }
        }
        "BEGIN" => Statement { transaction: Some(true), ..base },
        "START" if second == "TRANSACTION" => Statement { transaction: Some(true), ..base },
        "COMMIT" | "END" | "ABORT" => Statement { transaction: Some(false), ..base },
        "ROLLBACK" if !upper.iter().any(|word| word == "TO") => Statement { transaction: Some(false), ..base },
        // SET STATEMENT … FOR DELETE …, of MariaDB.
        "SET" if may_write_after_first() => Statement { preparable: false, ..write(None) },
        // The server begins transactions by itself.
        "SET" => {
            let off =
                |at: usize| upper.get(at + 1).is_some_and(|value| ["0", "OFF", "FALSE"].contains(&value.as_str()));
            let autocommit = upper
                .iter()
                .position(|word| ["AUTOCOMMIT", "@@AUTOCOMMIT", "@@SESSION.AUTOCOMMIT"].contains(&word.as_str()));
            Statement { transaction: autocommit.filter(|at| off(*at)).map(|_| true), ..base }
        }
        "EXPLAIN" if place("ANALYZE").is_some() && may_write_after_first() => {
            Statement { preparable: false, ..write(None) }
        }
        "ROLLBACK" | "SAVEPOINT" | "RELEASE" | "SHOW" | "USE" | "EXPLAIN" | "PRAGMA" | "DEALLOCATE" | "FETCH"
        | "CLOSE" | "DECLARE" => base,
        "TRUNCATE" => {
            let write = write(named(1, &["TABLE", "ONLY"]));
            Statement { preparable: false, sure: write.sure && place(",").is_none(), ..write }
        }
        "DROP" | "ALTER" | "CREATE" => {
            let table = upper.iter().take(5).position(|word| word == "TABLE");
            let from = table.map_or(2, |at| at + 1);
            let replaces = upper.iter().take(3).any(|word| word == "REPLACE");
            let of_index = upper.iter().take(6).any(|word| word == "INDEX");
            let of_trigger = upper.iter().take(6).any(|word| word == "TRIGGER");
            let write = write(named(from, &["IF", "NOT", "EXISTS", "ONLY"]));
            let sure = match (&*verb, table.is_some()) {
                ("CREATE", true) => !replaces,
                ("CREATE", false) => of_index && !of_trigger,
                ("DROP", true) => place(",").is_none(),
                (_, true) => true,
                (_, false) => false,
            };
            let sure = sure && !ties_tables(upper);
            Statement {
                preparable: false,
                creates_table: verb == "CREATE" && table.is_some(),
                replaces,
                on: if of_index || of_trigger { after("ON") } else { None },
                sure: sure && write.sure,
                ..write
            }
        }
        "ANALYZE" if may_write_after_first() => Statement { preparable: false, ..write(None) },
        "ANALYZE" => {
            Statement { preparable: false, ..write(named(1, &["TABLE", "VERBOSE", "LOCAL", "NO_WRITE_TO_BINLOG"])) }
        }
        "CALL" | "COPY" | "LOAD" => Statement { preparable: false, ..write(None) },
        _ => Statement { writes: true, sure: false, ..base },
    }
}

/// More words of a statement are not looked at.
pub(crate) const MOST_WORDS: usize = 2_000;

/// What may stand between DELETE and FROM.
const DELETE_MODIFIERS: &[&str] = &["LOW_PRIORITY", "QUICK", "IGNORE"];

/// What may stand between UPDATE or INSERT and the table.
const MODIFIERS: &[&str] =
    &["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "ONLY", "OR", "ROLLBACK", "ABORT", "FAIL", "REPLACE"];

/// The words outside of quotes and comments, parentheses and commas as words of their own; a name in quotes is a word without them, and names with a schema are one
/// word.
pub(crate) fn words(text: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut at, mut glued) = (0, false);
    while at < text.len() && words.len() < MOST_WORDS {
        let rest = &text[at..];
        let length = match rest {
            // MySQL and MariaDB execute what stands in it.
            [b'/', b'*', b'!', ..] => 3 + rest[3..].iter().take_while(|c| c.is_ascii_digit()).count(),
            [b'/', b'*', b'M', b'!', ..] => 4 + rest[4..].iter().take_while(|c| c.is_ascii_digit()).count(),
            [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2),
            [b'-', b'-', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'\'', ..] => closing(rest),
            [b'"' | b'`', ..] => {
                let length = closing(rest);
                let name = String::from_utf8_lossy(&rest[1..(length - 1).max(1)]).into_owned();
                push(&mut words, name, glued);
                length
            }
            [first, ..] if is_of_word(*first) || variable(rest) > 0 => {
                let marks = variable(rest);
                let length = marks + rest[marks..].iter().take_while(|c| is_of_word(**c) || **c == b'$').count();
                push(&mut words, String::from_utf8_lossy(&rest[..length]).into_owned(), glued);
                length
            }
            [b':', b':', ..] => 2,
            // The value of a variable, which may be a part of a name.
            [b':', next, ..] if is_of_word(*next) => {
                let length = 1 + rest[1..].iter().take_while(|c| is_of_word(**c)).count();
                let follows = at > 0 && (is_of_word(text[at - 1]) || b"$\"`".contains(&text[at - 1]));
                push(&mut words, String::from_utf8_lossy(&rest[..length]).into_owned(), glued || follows);
                length
            }
            [b'(' | b')' | b';' | b',', ..] => {
                words.push(char::from(rest[0]).to_string());
                1
            }
            _ => 1,
        };
        // A point belongs to the name that it stands directly behind.
        glued = rest[0] == b'.' && at > 0 && !text[at - 1].is_ascii_whitespace();
        if glued && let Some(last) = words.last_mut() {
            last.push('.');
        }
        at += length.max(1);
    }
    words
}

pub(crate) fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The number of `@` in front of the name of a variable of MySQL, which are part of the word: `@a`, `@@global`.
fn variable(text: &[u8]) -> usize {
    let marks = text.iter().take(2).take_while(|c| **c == b'@').count();
    if text.get(marks).is_some_and(|next| is_of_word(*next)) { marks } else { 0 }
}

fn push(words: &mut Vec<String>, name: String, glued: bool) {
    match words.last_mut().filter(|_| glued) {
        Some(last) => last.push_str(&name),
        None => words.push(name),
    }
}

/// The length of a quoted text.
fn closing(text: &[u8]) -> usize {
    memchr::memchr(text[0], &text[1..]).map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Dialect, Names, Script};

    fn line(text: &str) -> String {
        let script = Script::parse("x", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap();
        let s = of(script.commands[0].sql().unwrap());
        let writes = if s.writes { "writes" } else { "reads" };
        let more = match s.transaction {
            Some(true) => " opens",
            Some(false) => " ends",
            None => "",
        };
        let prepared = if s.preparable { " prepared" } else { "" };
        format!("{} {} {writes}{prepared}{more}", s.verb, s.table.unwrap_or_default())
    }

    #[test]
    fn a_transaction_may_begin_and_end_in_one_text() {
        for text in
            ["BEGIN\\; UPDATE t SET a = 1\\; COMMIT;", "begin \\; SELECT 1 \\; end;", "UPDATE t SET a = 1\\; COMMIT;"]
        {
            assert!(line(text).ends_with(" ends"), "{text}: {}", line(text));
        }
        assert!(line("BEGIN\\; UPDATE t SET a = 1;").ends_with(" opens"));
    }

    #[test]
    fn where_a_statement_may_write_elsewhere_it_is_not_sure() {
        let sure = |text: &str| {
            let script = Script::parse("x", text.as_bytes(), Dialect::Mysql, &mut Names::default()).unwrap();
            let s = of(script.commands[0].sql().unwrap());
            (s.writes, s.sure)
        };
        for text in [
            "DELETE FROM t WHERE a IN (1, 2);",
            "DELETE FROM ONLY t;",
            "UPDATE t SET a = 1, b = 2;",
            "INSERT INTO t (a, b) SELECT a, b FROM u;",
            "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2;",
            "TRUNCATE TABLE t;",
            "CREATE TEMPORARY TABLE t (a int, b int);",
            "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x;",
            "DROP TABLE IF EXISTS t;",
            "CREATE TABLE t (a int) ENGINE=InnoDB PARTITION BY HASH (a) PARTITIONS 4;",
            "/*!50000 DELETE FROM t */;",
        ] {
            assert_eq!(sure(text), (true, true), "{text}");
        }
        for text in [
            "DELETE t FROM t, u;",
            "DELETE FROM t USING t JOIN u;",
            "UPDATE t, u SET u.a = 1;",
            "UPDATE t JOIN u ON t.a = u.a SET u.b = 1;",
            "DROP TABLE t, u;",
            "TRUNCATE t, u;",
            "CREATE OR REPLACE TABLE t (a int);",
            "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW DELETE FROM u;",
            "EXPLAIN ANALYZE DELETE FROM t;",
            "EXPLAIN (ANALYZE) DELETE FROM t;",
            "ANALYZE DELETE FROM t;",
            "SET STATEMENT max_statement_time = 10 FOR DELETE FROM t;",
            "SELECT 1 \\; DELETE FROM t;",
            "WITH x AS (DELETE FROM u RETURNING *) INSERT INTO t SELECT * FROM x;",
            "INSERT INTO t WITH x AS (UPDATE u SET a = 1 RETURNING *) SELECT * FROM x;",
            "CALL p();",
            "DO 1;",
            "EXECUTE IMMEDIATE 'DELETE FROM t';",
            "PREPARE q FROM 'DELETE FROM t';",
            "RENAME TABLE t TO u;",
            "CREATE TABLE t () INHERITS (u);",
            "CREATE TABLE t PARTITION OF u DEFAULT;",
            "ALTER TABLE t ATTACH PARTITION u DEFAULT;",
            "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u;",
            "CREATE TABLE t (a int) ENGINE=MERGE UNION=(u) INSERT_METHOD=LAST;",
        ] {
            assert_eq!(sure(text), (true, false), "{text}");
        }
        for text in
            ["SELECT a, b FROM t;", "EXPLAIN SELECT 1;", "SET @a = 1;", "EXPLAIN DELETE FROM t;", "SHOW TABLES;"]
        {
            assert_eq!(sure(text), (false, true), "{text}");
        }
        // The script has to commit.
        assert_eq!(of_text(b"SET autocommit = 0").transaction, Some(true));
        assert_eq!(of_text(b"SET autocommit = 1").transaction, None);
    }

    #[test]
    fn what_changes_the_server_itself_is_told_from_what_changes_rows() {
        for text in [
            "SET GLOBAL sync_binlog = 7",
            "SET @@global.sync_binlog = 9",
            "SET @a = 1, @@GLOBAL.sync_binlog = 6",
            "SET PERSIST max_connections = 9",
            "SET @@persist.max_connections = 9",
            "SET PASSWORD FOR 'root'@'localhost' = PASSWORD('x')",
            "SET DEFAULT ROLE r TO u",
            "ALTER SYSTEM SET fsync = off",
            "ALTER USER u IDENTIFIED BY 'x'",
            "GRANT ALL ON d.* TO u",
            "CREATE DATABASE d",
            "CREATE OR REPLACE USER u",
            "DROP SCHEMA IF EXISTS d",
            "KILL 7",
            "SHUTDOWN",
            "SELECT 1 INTO OUTFILE '/tmp/x'",
            "SELECT a FROM t INTO DUMPFILE '/tmp/x'",
            "VALUES (1) INTO OUTFILE '/tmp/x'",
            "WITH x AS (SELECT 1) SELECT * FROM x INTO OUTFILE '/tmp/x'",
            "(SELECT 1 INTO OUTFILE '/tmp/x')",
            "COPY t TO '/tmp/x'",
            "COPY t FROM PROGRAM 'x'",
            "SELECT pg_create_physical_replication_slot('x')",
            "SELECT pg_catalog.lo_export(4711, '/tmp/x')",
        ] {
            let s = of_text(text.as_bytes());
            assert!(s.beyond_rows && s.writes && !s.sure, "{text}: {s:?}");
        }
        for text in [
            "SET @a = 1",
            "SET @password = 'x'",
            "SET SESSION sort_buffer_size = 1",
            "SET search_path = x",
            "SELECT a FROM t WHERE global = 1",
            "SELECT 'INTO OUTFILE'",
            "CREATE TABLE user (a int)",
            "CREATE INDEX role ON t (a)",
            "START TRANSACTION",
            "INSERT INTO event (a) VALUES (1)",
            "COPY t FROM STDIN",
        ] {
            assert!(!of_text(text.as_bytes()).beyond_rows, "{text}");
        }
        assert_eq!(of_text(b"SET @@autocommit = 0").transaction, Some(true));
        assert_eq!(of_text(b"SET @autocommit = 0").transaction, None);
    }

    #[test]
    fn the_first_words_tell_what_a_statement_does() {
        let table = [
            ("select a from accounts where b = 1;", "SELECT accounts reads prepared"),
            ("(select 1) union (select 2);", "SELECT  reads prepared"),
            ("SELECT a FROM t FOR UPDATE;", "SELECT t writes prepared"),
            ("insert into s.t values (1);", "INSERT s.t writes prepared"),
            ("/* c */ update only \"my table\" set a = 1;", "UPDATE my table writes prepared"),
            ("update low_priority `a`.`b` set c = 1;", "UPDATE a.b writes prepared"),
            ("delete from t where 'from x' = a;", "DELETE t writes prepared"),
            ("with x as (select 1) insert into t select * from x;", "WITH t writes prepared"),
            ("with x as (select 1) select * from x;", "WITH x reads prepared"),
            ("begin;", "BEGIN  reads opens"),
            ("start transaction read only;", "START  reads opens"),
            ("end;", "END  reads ends"),
            ("rollback to savepoint a;", "ROLLBACK  reads"),
            ("truncate table t;", "TRUNCATE t writes"),
            ("create table if not exists t(a int);", "CREATE t writes"),
            ("create unlogged table t(a int);", "CREATE t writes"),
            ("vacuum;", "VACUUM  writes"),
            ("select 1\\; delete from t;", "SELECT t writes"),
        ];
        for (text, wanted) in table {
            assert_eq!(line(text), wanted, "{text}");
        }
    }
}
