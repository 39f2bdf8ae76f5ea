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
    /// Whether every server can prepare it.
    pub(crate) preparable: bool,
    /// Whether it creates a table.
    pub(crate) creates_table: bool,
    /// Whether what it creates may replace something that is there.
    pub(crate) replaces: bool,
    /// The table of the index or trigger that it creates.
    pub(crate) on: Option<String>,
    /// Whether it opens (`Some(true)`) or ends (`Some(false)`) a transaction.
    pub(crate) transaction: Option<bool>,
}

/// What a command's first statement is; `writes` is about all that are joined.
pub(crate) fn of(sql: &SqlCommand) -> Statement {
    let words = words(&sql.text);
    let mut statement = first(&words);
    statement.preparable &= sql.statements == 1;
    // Any of the others may write.
    let writers = [
        "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "TRUNCATE", "DROP", "ALTER", "CREATE", "CALL", "COPY", "LOCK",
    ];
    statement.writes |= sql.statements > 1 && words.iter().any(|word| writers.contains(&&*word.to_ascii_uppercase()));
    statement
}

/// The same of a single statement.
pub(crate) fn of_text(text: &[u8]) -> Statement {
    first(&words(text))
}

fn first(words: &[String]) -> Statement {
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let Some(verb) = upper.iter().find(|word| *word != "(").cloned() else { return Statement::default() };
    let after = |word: &str| upper.iter().position(|found| found == word).and_then(|at| words.get(at + 1)).cloned();
    // After words such as LOW_PRIORITY, IGNORE, ONLY.
    let named = |from: usize, skip: &[&str]| {
        (from..words.len()).find(|at| !skip.contains(&&*upper[*at])).map(|at| words[at].clone())
    };
    let base = Statement { verb: verb.clone(), ..Statement::default() };
    let write = |table| Statement { kind: StatementKind::Write, writes: true, preparable: true, table, ..base.clone() };
    let second = upper.get(1).map_or("", String::as_str);
    match &*verb {
        // FOR UPDATE locks rows, which a replica refuses.
        "SELECT" | "VALUES" | "TABLE" => Statement {
            kind: StatementKind::Read,
            preparable: true,
            table: after("FROM"),
            writes: upper.iter().any(|word| word == "INTO")
                || upper.windows(2).any(|two| two[0] == "FOR" && two[1] == "UPDATE"),
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
                    write(table)
                }
                None => Statement { kind: StatementKind::Read, preparable: true, table: after("FROM"), ..base },
            }
        }
        "INSERT" | "REPLACE" | "MERGE" => write(after("INTO").or_else(|| named(1, MODIFIERS))),
        "UPDATE" => write(named(1, MODIFIERS)),
        "DELETE" => write(after("FROM")),
        "BEGIN" => Statement { transaction: Some(true), ..base },
        "START" if second == "TRANSACTION" => Statement { transaction: Some(true), ..base },
        "COMMIT" | "END" | "ABORT" => Statement { transaction: Some(false), ..base },
        "ROLLBACK" if !upper.iter().any(|word| word == "TO") => Statement { transaction: Some(false), ..base },
        "ROLLBACK" | "SAVEPOINT" | "RELEASE" | "SET" | "SHOW" | "USE" | "EXPLAIN" | "PRAGMA" | "DEALLOCATE"
        | "FETCH" | "CLOSE" | "DECLARE" => base,
        "TRUNCATE" => Statement { preparable: false, ..write(named(1, &["TABLE", "ONLY"])) },
        "DROP" | "ALTER" | "CREATE" => {
            let table = upper.iter().take(5).position(|word| word == "TABLE");
            let from = table.map_or(2, |at| at + 1);
            Statement {
                preparable: false,
                creates_table: verb == "CREATE" && table.is_some(),
                replaces: upper.iter().take(3).any(|word| word == "REPLACE"),
                on: if upper.iter().take(6).any(|word| word == "INDEX" || word == "TRIGGER") {
                    after("ON")
                } else {
                    None
                },
                ..write(named(from, &["IF", "NOT", "EXISTS", "ONLY"]))
            }
        }
        "ANALYZE" => {
            Statement { preparable: false, ..write(named(1, &["TABLE", "VERBOSE", "LOCAL", "NO_WRITE_TO_BINLOG"])) }
        }
        "CALL" | "COPY" | "LOAD" => Statement { preparable: false, ..write(None) },
        _ => Statement { writes: true, ..base },
    }
}

/// What may stand between UPDATE or INSERT and the table.
const MODIFIERS: &[&str] =
    &["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "ONLY", "OR", "ROLLBACK", "ABORT", "FAIL", "REPLACE"];

/// The words outside of quotes and comments, parentheses as words of their own; a name in quotes is a word without them, and names with a schema are one
/// word.
fn words(text: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut at, mut glued) = (0, false);
    while at < text.len() && words.len() < 200 {
        let rest = &text[at..];
        let length = match rest {
            [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2),
            [b'-', b'-', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'\'', ..] => closing(rest),
            [b'"' | b'`', ..] => {
                let length = closing(rest);
                let name = String::from_utf8_lossy(&rest[1..(length - 1).max(1)]).into_owned();
                push(&mut words, name, glued);
                length
            }
            [first, ..] if first.is_ascii_alphanumeric() || *first == b'_' || *first >= 0x80 => {
                let length = rest
                    .iter()
                    .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$') || **c >= 0x80)
                    .count();
                push(&mut words, String::from_utf8_lossy(&rest[..length]).into_owned(), glued);
                length
            }
            [b'(' | b')' | b';', ..] => {
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
