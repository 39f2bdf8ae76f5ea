//! What a statement is, by its first words: whether it reads or writes, to which tables, whether it can be prepared, whether it begins or ends a
//! transaction. This is not a parser of SQL: what it cannot see is unknown, never guessed to be harmless.

use crate::effects::{Pragma, begins_beyond_rows, beyond_rows, changes_by_call, pragma, unlocks};
use crate::language::{Dialect, Part, SqlCommand};
use crate::words::{MOST_WORDS, Reading, Words, readings, words};
use std::collections::VecDeque;
use std::ops::Range;
use tenbin_model::tally::StatementKind;

mod savepoints;
mod sequences;
mod ties;

pub(crate) use savepoints::Savepoints;
pub(crate) use sequences::{Sequence, changed as sequences};
pub(crate) use ties::tied;

/// What the first words of a statement show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Its first word, in capitals.
    pub(crate) verb: String,
    /// As it is counted.
    pub(crate) kind: StatementKind,
    /// The table that it writes to, or the first that it reads, as it is written.
    pub(crate) table: Option<String>,
    /// The other tables that it may write to: those of a join or a list.
    pub(crate) others: Vec<String>,
    /// Whether it may change something: everything but what is known to read.
    pub(crate) writes: bool,
    /// Whether all that it may write to is `table` and `others`; without them, nothing that already exists. Otherwise it may write to any table.
    pub(crate) sure: bool,
    /// Whether it changes the server itself, and not rows: settings of all sessions, accounts, schemas, files on its machine.
    pub(crate) beyond_rows: bool,
    /// Whether every server can prepare it, and understands it then as it does as text.
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
    /// Whether it may let a read-only session write, and does nothing else that counts as writing.
    pub(crate) unlocks: bool,
    /// The sequences that its calls change. Those that are not certain make it unsure.
    pub(crate) sequences: Vec<Sequence>,
    /// Whether it writes to nothing but these.
    pub(crate) only_sequences: bool,
}

impl Statement {
    /// The tables that are there already and are written to, if that is certain: of an index that of its rows, of a table that is created none.
    pub(crate) fn written(&self) -> impl Iterator<Item = &str> {
        let first = match self.creates_table || self.only_sequences {
            true => None,
            false => self.on.as_deref().or(self.table.as_deref()),
        };
        first.into_iter().chain(self.others.iter().map(String::as_str))
    }

    /// What is true of a text that may be this or that.
    fn or(self, other: Statement) -> Statement {
        let is_about = |one: &Statement| (one.table.clone(), one.on.clone(), one.others.clone(), one.creates_table);
        let is_same = !(self.writes && other.writes) || is_about(&self) == is_about(&other);
        let is_certain = |one: &Statement| one.sure || !one.writes;
        let only_unlocks = |one: &Statement| one.unlocks || !one.writes;
        let only_sequences = |one: &Statement| one.only_sequences || !one.writes;
        let (one, other) = if self.writes || !other.writes { (self, other) } else { (other, self) };
        let more = other.sequences.iter().filter(|sequence| !one.sequences.contains(sequence));
        Statement {
            sure: one.sure && is_certain(&other) && is_same,
            creates_table: one.creates_table && is_same,
            beyond_rows: one.beyond_rows || other.beyond_rows,
            preparable: one.preparable && other.preparable,
            leaves_schema: one.leaves_schema || other.leaves_schema,
            unlocks: one.unlocks && only_unlocks(&other),
            only_sequences: one.only_sequences && only_sequences(&other),
            sequences: one.sequences.iter().chain(more).cloned().collect(),
            ..one
        }
    }

    /// Whether it is certain that it changes no more of tables than their rows.
    pub(crate) fn keeps_tables(&self) -> bool {
        const OF_ROWS: [&str; 9] =
            ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "WITH", "VALUES", "TABLE"];
        !self.beyond_rows && (!self.writes || self.sure && OF_ROWS.contains(&&*self.verb))
    }

    /// Whether a table that was there is another one to MySQL and MariaDB afterwards, with another time of creation.
    pub(crate) fn rebuilds(&self) -> bool {
        match self.verb.as_str() {
            "ALTER" | "OPTIMIZE" | "RENAME" => !self.beyond_rows,
            // Of an index, and not of a trigger.
            "CREATE" => self.on.is_some() && self.sure,
            "DROP" => self.on.is_some(),
            _ => false,
        }
    }
}

/// What a command's first statement is; `writes` and `beyond_rows` are about all that are joined.
pub(crate) fn of(sql: &SqlCommand, dialect: Dialect) -> Statement {
    let statement = in_all_readings(&sql.text, dialect, |reading| read_as(sql, reading));
    match calls_variable(sql) {
        true => Statement { writes: true, sure: false, unlocks: false, ..statement },
        false => statement,
    }
}

/// Whether a variable is the name of a function or a part of it, as in `pay_:n(7)`: it may be any.
fn calls_variable(sql: &SqlCommand) -> bool {
    sql.parts.iter().any(|part| match part {
        Part::Variable { place, quoted: false, .. } => sql.text[place.end..].trim_ascii_start().starts_with(b"("),
        _ => false,
    })
}

/// The same of a text.
pub(crate) fn of_text(text: &[u8], dialect: Dialect) -> Statement {
    in_all_readings(text, dialect, |reading| whole(text, &words(text, reading), reading))
}

/// What is true of a text however the settings of its server let it be read.
fn in_all_readings(text: &[u8], dialect: Dialect, of: impl Fn(Reading) -> Statement) -> Statement {
    readings(text, dialect).into_iter().map(of).reduce(Statement::or).unwrap_or_default()
}

fn read_as(sql: &SqlCommand, reading: Reading) -> Statement {
    let words = words(&sql.text, reading);
    let mut statement = whole(&sql.text, &words, reading);
    statement.preparable &= sql.statements == 1;
    statement.leaves_schema |= sql.statements > 1 && words.iter().any(|word| word.eq_ignore_ascii_case("USE"));
    // Any of the others may end the transaction, and write.
    if sql.statements > 1 && words.iter().skip(1).any(|word| ends_transaction(word)) {
        statement.transaction = Some(false);
    }
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    if sql.statements > 1 && (0..upper.len()).any(|at| is_writer_at(&upper, at)) {
        (statement.writes, statement.sure) = (true, false);
    }
    statement
}

/// Whether a statement with this word in it may end the transaction.
fn ends_transaction(word: &str) -> bool {
    ["COMMIT", "END", "ROLLBACK", "ABORT"].iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// The first statement of a text, and what is true of the others too: with another delimiter a text may have several.
fn whole(text: &[u8], words: &[String], reading: Reading) -> Statement {
    let mut parts = words.split(|word| word == ";").filter(|part| !part.is_empty());
    let mut statement = first(parts.next().unwrap_or_default(), text);
    let mut is_several = false;
    for part in parts {
        let other = first(part, text);
        is_several = true;
        statement.writes |= other.writes;
        statement.beyond_rows |= other.beyond_rows;
        statement.leaves_schema |= other.leaves_schema;
        statement.table = statement.table.or(other.table);
    }
    if words.len() >= MOST_WORDS {
        // What follows is not seen, but for rows.
        is_several |= changes_behind(text, reading);
        statement.sure &= ["INSERT", "REPLACE"].contains(&&*statement.verb);
        statement.writes = true;
    }
    if is_several {
        statement.sure &= !statement.writes;
        (statement.unlocks, statement.creates_table) = (false, false);
    }
    match sequences::changed(text, reading) {
        Some(sequences) if sequences.is_empty() => {}
        Some(sequences) => {
            statement.only_sequences = !statement.writes;
            (statement.writes, statement.unlocks, statement.sequences) = (true, false, sequences);
        }
        None => (statement.writes, statement.sure) = (true, false),
    }
    if reading.dialect == Dialect::Postgres && names_by_numbers(text) {
        (statement.writes, statement.sure, statement.unlocks) = (true, false, false);
    }
    statement
}

/// Whether a text may have a name of PostgreSQL whose letters are numbers, which is not seen: `U&"d\0061ta"`.
fn names_by_numbers(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"&\"").any(|at| at > 0 && text[at - 1].eq_ignore_ascii_case(&b'u'))
}

/// Whether the part of a text of very many words that is not looked at may change more than rows of its table.
fn changes_behind(text: &[u8], reading: Reading) -> bool {
    let mut ended = false;
    let mut before: Vec<String> = Vec::new();
    for mut words in Words::new(text, reading) {
        for word in &words {
            match word == ";" {
                true => ended = true,
                false if ended => return true,
                false => {}
            }
        }
        let last = words.last().cloned();
        before.append(&mut words);
        if changes_by_call(&before.iter().map(|word| word.to_ascii_uppercase()).collect::<Vec<_>>()) {
            return true;
        }
        before = last.into_iter().collect();
    }
    false
}

/// The index that a statement with this verb creates or drops, if it is one.
pub(crate) fn of_index(text: &[u8], verb: &str, dialect: Dialect) -> Option<String> {
    let words = words(text, dialect);
    let is = |word: &String, wanted: &[&str]| wanted.iter().any(|one| word.eq_ignore_ascii_case(one));
    words.first().filter(|first| is(first, &[verb]))?;
    let at = words.iter().take(4).position(|word| is(word, &["INDEX"]))?;
    // `DROP INDEX a, b` is about several.
    if verb == "DROP" && words.iter().any(|word| word == ",") {
        return None;
    }
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

/// Whether the word at this place may begin one. In front of a parenthesis, some of them are functions.
fn is_writer_at(upper: &[String], at: usize) -> bool {
    let is_function =
        ["INSERT", "REPLACE", "TRUNCATE"].contains(&&*upper[at]) && upper.get(at + 1).is_some_and(|next| next == "(");
    // `FOR UPDATE` locks.
    let locks = upper[at] == "UPDATE" && at > 0 && ["FOR", "KEY"].contains(&&*upper[at - 1]);
    is_writer(&upper[at]) && !is_function && !locks
}

/// `text`: the whole of which the words are, or are a part.
fn first(words: &[String], text: &[u8]) -> Statement {
    // PostgreSQL knows two ways to write the first one.
    let capitals = |word: &String| match word.eq_ignore_ascii_case("ANALYSE") {
        true => "ANALYZE".to_owned(),
        false => word.to_ascii_uppercase(),
    };
    let upper: Vec<String> = words.iter().map(capitals).collect();
    let mut statement = by_first_words(words, &upper, text);
    statement.leaves_schema |= leaves_schema(&statement.verb, &upper);
    if !statement.writes && unlocks(&statement.verb, &upper, text) {
        (statement.writes, statement.unlocks) = (true, true);
    }
    statement.preparable &= !orders_by_variable(&upper);
    // A variable is in the name: it may be any.
    let named = [&mut statement.table, &mut statement.on].into_iter().flatten();
    for table in named.chain(&mut statement.others) {
        if table.contains(':') {
            statement.sure &= !statement.writes;
            *table = table.split(':').find(|part| !part.is_empty()).unwrap_or_default().to_owned();
        }
    }
    // Of a block, each of its words may begin a statement.
    let is_block = !statement.sure && BLOCKS.contains(&upper.first().map_or("", String::as_str));
    if beyond_rows(&upper) || (is_block && (1..upper.len()).any(|at| begins_beyond_rows(&upper[at..]))) {
        return Statement { writes: true, sure: false, beyond_rows: true, preparable: false, ..statement };
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

/// `upper`: the words in capitals.
fn by_first_words(words: &[String], upper: &[String], text: &[u8]) -> Statement {
    let Some(verb) = upper.iter().find(|word| *word != "(").cloned() else { return Statement::default() };
    let after =
        |word: &str| upper.iter().position(|candidate| candidate == word).and_then(|at| words.get(at + 1)).cloned();
    // After words such as LOW_PRIORITY, IGNORE, ONLY.
    let named = |from: usize, skip: &[&str]| {
        (from..words.len()).find(|at| !skip.contains(&&*upper[*at])).map(|at| words[at].clone())
    };
    let base = Statement { verb: verb.clone(), sure: true, ..Statement::default() };
    let write = |table: Option<String>| {
        let sure = table.is_some();
        Statement { kind: StatementKind::Write, writes: true, preparable: true, table, sure, ..base.clone() }
    };
    // FOR UPDATE locks rows, which a replica refuses; INTO may create a table, unless it is a variable of MySQL.
    let read = |table: Option<String>| {
        let two = |first: &'static str| upper.windows(2).filter(move |two| two[0] == first).map(|two| &*two[1]);
        let locks = two("FOR").any(|next| ["UPDATE", "SHARE", "NO", "KEY"].contains(&next));
        let keeps = two("INTO").any(|next| !next.starts_with('@')) || upper.last().is_some_and(|last| last == "INTO");
        Statement { kind: StatementKind::Read, preparable: true, table, writes: locks || keeps, ..base.clone() }
    };
    let has = |word: &str| upper.iter().any(|candidate| candidate == word);
    let index_of = |word: &str| upper.iter().position(|candidate| candidate == word);
    // Each of a join or a list may be written to. `first`: the one that is shown if they are not certain.
    let write_each = |first: Option<String>, tables: Option<Vec<String>>| match tables.map(VecDeque::from) {
        Some(mut tables) => {
            let first = tables.pop_front();
            Statement { others: tables.into(), ..write(first) }
        }
        None => Statement { sure: false, ..write(first) },
    };
    let may_write_after_first = || (1..upper.len()).any(|at| is_writer_at(upper, at));
    let second = upper.get(1).map_or("", String::as_str);
    match &*verb {
        "SELECT" | "VALUES" | "TABLE" => read(after("FROM")),
        "WITH" => {
            let writers: Vec<&str> =
                (0..upper.len()).filter(|at| is_writer_at(upper, *at)).map(|at| &*upper[at]).collect();
            let known = ["INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"];
            match writers.iter().find(|word| known.contains(word)) {
                Some(writer) => {
                    let table = match *writer {
                        "INSERT" | "REPLACE" | "MERGE" => after("INTO"),
                        "DELETE" => after("FROM"),
                        other => after(other),
                    };
                    let sure = writers.len() == 1 && *writer == "INSERT" && table.is_some();
                    Statement { sure, ..write(table) }
                }
                None => read(after("FROM")),
            }
        }
        "INSERT" | "REPLACE" | "MERGE" => {
            let write = write(after("INTO").or_else(|| named(1, MODIFIERS)));
            // Of PostgreSQL, a part of WITH within it may write to other tables.
            let with = index_of("WITH").unwrap_or(upper.len());
            let sure = write.sure && !(with..upper.len()).any(|at| is_writer_at(upper, at));
            Statement { sure, ..write }
        }
        "UPDATE" => {
            let from = (1..words.len()).find(|at| !MODIFIERS.contains(&&*upper[*at])).unwrap_or(words.len());
            let until = index_of("SET").unwrap_or(words.len());
            write_each(words.get(from).cloned(), joined(words, upper, from..until))
        }
        "DELETE" => {
            let direct = upper[1..].iter().find(|word| !DELETE_MODIFIERS.contains(&word.as_str()));
            let from = index_of("FROM").map_or(words.len(), |at| at + 1);
            let ends = |at: &usize| ["WHERE", "ORDER", "LIMIT", "RETURNING"].contains(&&*upper[*at]);
            let until = (from..words.len()).find(ends).unwrap_or(words.len());
            // `DELETE FROM t USING t JOIN u`; in `DELETE t FROM t JOIN u USING (a)` it is a part of the join.
            let using = (from..until).find(|at| upper[*at] == "USING" && direct.is_some_and(|word| word == "FROM"));
            let tables = joined(words, upper, from..using.unwrap_or(until));
            let tables = tables.and_then(|tables| match using {
                Some(using) => Some([tables, joined(words, upper, using + 1..until)?].concat()),
                None => Some(tables),
            });
            write_each(named(from, &["ONLY"]), tables)
        }
        "LOCK" if ["TABLE", "TABLES"].contains(&second) => {
            let locks = write_each(words.get(2).cloned(), joined(words, upper, 2..words.len()));
            Statement { kind: base.kind, preparable: false, ..locks }
        }
        "UNLOCK" if ["TABLE", "TABLES"].contains(&second) => base,
        // Not the blocks of MariaDB, `BEGIN NOT ATOMIC DELETE …; END`: they open no transaction.
        "BEGIN" | "START" if opens_transaction(upper) => Statement { transaction: Some(true), ..base },
        // Transactions that others may have prepared.
        "COMMIT" | "ROLLBACK" if second == "PREPARED" => Statement { writes: true, sure: false, ..base },
        "PREPARE" if second == "TRANSACTION" => {
            Statement { writes: true, sure: false, transaction: Some(false), ..base }
        }
        "ROLLBACK" if has("TO") => base,
        _ if ends_transaction(&verb) => {
            let begins_next = has("CHAIN") && !upper.windows(2).any(|two| two[0] == "NO" && two[1] == "CHAIN");
            Statement { transaction: Some(begins_next), ..base }
        }
        // Of MariaDB: what follows is a statement of its own.
        "SET" if second == "STATEMENT" => {
            let statement = index_of("FOR").map_or_else(|| write(None), |at| first(&words[at + 1..], text));
            Statement { verb: verb.clone(), preparable: false, sure: statement.sure && !statement.writes, ..statement }
        }
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
        "EXPLAIN" | "DESCRIBE" | "DESC" if index_of("ANALYZE").is_some() && may_write_after_first() => {
            Statement { preparable: false, ..write(None) }
        }
        "PRAGMA" => match pragma(words.get(1).map_or("", String::as_str), text) {
            Pragma::Reads => base,
            Pragma::Unlocks => Statement { writes: true, unlocks: true, ..base },
            Pragma::Writes => Statement { preparable: false, ..write(None) },
        },
        // Of MySQL, the cache that all sessions share.
        "RESET" if second == "QUERY" => Statement { preparable: false, ..write(None) },
        // What they read is a statement, or none.
        "DEALLOCATE" | "FETCH" | "CLOSE" | "DECLARE" | "RESET" | "DISCARD" | "UNLISTEN" | "USE"
            if may_write_after_first() =>
        {
            Statement { preparable: false, ..write(None) }
        }
        "SAVEPOINT" | "RELEASE" | "SHOW" | "USE" | "EXPLAIN" | "DESCRIBE" | "DESC" | "DEALLOCATE" | "FETCH"
        | "CLOSE" | "DECLARE" | "RESET" | "DISCARD" | "LISTEN" | "UNLISTEN" | "CHECKSUM" => base,
        "COMMENT" => {
            let named = words.get(3).filter(|_| second == "ON");
            let table = match upper.get(2).map_or("", String::as_str) {
                "TABLE" => named.cloned(),
                "COLUMN" => named.and_then(|column| column.rsplit_once('.')).map(|(table, _)| table.to_owned()),
                _ => None,
            };
            Statement { preparable: false, ..write(table) }
        }
        "TRUNCATE" => {
            let write = write(named(1, &["TABLE", "ONLY"]));
            Statement { preparable: false, sure: write.sure && index_of(",").is_none() && !cascades(upper), ..write }
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
                ("DROP", true) => index_of(",").is_none(),
                (_, true) => true,
                (_, false) => false,
            };
            let sure = sure && !cascades(upper) && tied(words).is_some_and(|others| others.is_empty());
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

/// Whether a statement takes what depends on its table with it, which may be of others. `ON DELETE CASCADE` is about rows to come.
fn cascades(upper: &[String]) -> bool {
    upper.windows(2).any(|two| two[1] == "CASCADE" && !["DELETE", "UPDATE"].contains(&&*two[0]))
}

/// Whether a variable is a whole item of ORDER BY or GROUP BY: as text it is the number of a column, as a parameter a constant, but to MariaDB.
fn orders_by_variable(upper: &[String]) -> bool {
    /// What may follow an item.
    const ENDS: &str =
        ", ) ; ASC DESC NULLS LIMIT OFFSET FETCH FOR HAVING WINDOW UNION EXCEPT INTERSECT INTO WITH ORDER";
    let is_end = |at: usize| upper.get(at).is_none_or(|word| ENDS.split_whitespace().any(|end| end == word));
    let (mut in_list, mut depth) = (false, 0_usize);
    for (at, word) in upper.iter().enumerate() {
        match word.as_str() {
            "BY" => (in_list, depth) = (at > 0 && ["ORDER", "GROUP"].contains(&&*upper[at - 1]), 0),
            "(" => depth += 1,
            ")" if depth == 0 => in_list = false,
            ")" => depth -= 1,
            "," | "ASC" | "DESC" | "NULLS" | "FIRST" | "LAST" => {}
            _ if in_list
                && depth == 0
                && word.starts_with(':')
                && ["BY", ","].contains(&&*upper[at - 1])
                && is_end(at + 1) =>
            {
                return true;
            }
            "LIMIT" | "OFFSET" | "HAVING" | "FETCH" | ";" if depth == 0 => in_list = false,
            _ => {}
        }
    }
    false
}

/// With what a block of MariaDB, or a part of one, may begin.
const BLOCKS: [&str; 10] = ["BEGIN", "DECLARE", "IF", "ELSE", "ELSEIF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR"];

/// Whether all words are of a statement that begins a transaction. A variable may be one of its modes.
fn opens_transaction(upper: &[String]) -> bool {
    const MODES: &str = "TRANSACTION WORK ISOLATION LEVEL SERIALIZABLE REPEATABLE READ COMMITTED UNCOMMITTED WRITE ONLY \
        NOT DEFERRABLE DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT WITH CONSISTENT SNAPSHOT \
        PESSIMISTIC OPTIMISTIC CAUSAL CONSISTENCY PRIORITY LOW NORMAL HIGH AS OF SYSTEM TIME";
    let is_mode =
        |word: &String| word == "," || word.starts_with(':') || MODES.split_whitespace().any(|mode| mode == word);
    (upper[0] == "BEGIN" || upper.get(1).is_some_and(|word| word == "TRANSACTION")) && upper[1..].iter().all(is_mode)
}

/// The tables of a list or a join of which these words are, as they are written; `None` if one of them is no plain name.
fn joined(words: &[String], upper: &[String], places: Range<usize>) -> Option<Vec<String>> {
    let (mut tables, mut is_table, mut depth) = (Vec::new(), true, 0_usize);
    for at in places {
        match upper[at].as_str() {
            "ONLY" if is_table => {}
            "(" | ")" | "," | "JOIN" | "STRAIGHT_JOIN" | "LATERAL" | "SELECT" if is_table => return None,
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ if depth > 0 => {}
            "," | "JOIN" | "STRAIGHT_JOIN" => is_table = true,
            // A function has a parenthesis behind its name.
            _ if is_table && upper.get(at + 1).is_some_and(|next| next == "(") => return None,
            _ if is_table => {
                tables.push(words[at].clone());
                is_table = false;
            }
            _ => {}
        }
    }
    (!is_table).then_some(tables)
}

/// What may stand between DELETE and FROM.
const DELETE_MODIFIERS: &[&str] = &["LOW_PRIORITY", "QUICK", "IGNORE"];

/// What may stand between UPDATE or INSERT and the table.
const MODIFIERS: &[&str] =
    &["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "ONLY", "OR", "ROLLBACK", "ABORT", "FAIL", "REPLACE"];

#[cfg(test)]
mod tests;
