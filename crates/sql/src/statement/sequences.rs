//! Which sequences the calls in a statement change. Used by [`crate::statement`]; whose they are, [`crate::written`] and [`crate::data`] ask.

use crate::language::Dialect;
use crate::words::{Reading, all_words};

/// A sequence as a statement names it, without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// By its own name.
    Named(String),
    /// As that of a column of this table: `pg_get_serial_sequence`.
    OfTable(String),
}

/// The sequences that a text changes; `None` if not all of them are seen.
pub(crate) fn changed(text: &[u8], reading: impl Into<Reading>) -> Option<Vec<Sequence>> {
    let reading = reading.into();
    let dialect = reading.dialect;
    let lower = String::from_utf8_lossy(text).to_lowercase();
    if dialect == Dialect::Sqlite || !["next", "setval"].iter().any(|word| lower.contains(word)) {
        return Some(Vec::new());
    }
    let words = all_words(text, reading);
    let last = |at: usize| words.get(at).map_or("", |word| word.rsplit('.').next().unwrap_or(word));
    let is = |at: usize, word: &str| last(at).eq_ignore_ascii_case(word);
    let calls = |name: &str| (0..words.len()).any(|at| is(at, name) && is(at + 1, "("));
    let mut sequences = Vec::new();
    for at in (0..words.len()).filter(|at| is(*at, "NEXT") && is(at + 1, "VALUE") && is(at + 2, "FOR")) {
        sequences.push(Sequence::Named(words.get(at + 3)?.clone()));
    }
    let changing = ["nextval", "setval"].into_iter().filter(|name| calls(name));
    if dialect == Dialect::Mysql {
        for at in (0..words.len()).filter(|at| (is(*at, "NEXTVAL") || is(*at, "SETVAL")) && is(at + 1, "(")) {
            // A text is the argument of a function that a user has made.
            let name = words.get(at + 2).filter(|name| ![")", ",", "("].contains(&name.as_str()))?;
            sequences.push(Sequence::Named(name.clone()));
        }
        return Some(sequences);
    }
    for name in changing {
        for rest in lower.split(name).skip(1) {
            sequences.push(in_text(rest)?);
        }
    }
    Some(sequences)
}

/// The sequence that the text behind the name of a function of PostgreSQL names.
fn in_text(rest: &str) -> Option<Sequence> {
    let rest = rest.trim_start().strip_prefix('(').map_or("", str::trim_start);
    let of_column = rest.strip_prefix("pg_catalog.").unwrap_or(rest).strip_prefix("pg_get_serial_sequence");
    match of_column.map(|rest| rest.trim_start().strip_prefix('(').map_or("", str::trim_start)) {
        Some(rest) => Some(Sequence::OfTable(first_text(rest)?)),
        None => Some(Sequence::Named(first_text(rest)?)),
    }
}

/// The text between single quotes with which something begins, without other quotes, if it is all of an argument.
fn first_text(rest: &str) -> Option<String> {
    let (text, behind) = rest.strip_prefix('\'')?.split_once('\'')?;
    let behind = behind.trim_start();
    let is_whole = [",", ")", "::"].iter().any(|end| behind.starts_with(end));
    is_whole.then(|| text.replace('"', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, dialect: Dialect) -> String {
        let all = changed(text.as_bytes(), dialect);
        let shown = |sequence: Sequence| match sequence {
            Sequence::Named(name) => name,
            Sequence::OfTable(table) => format!("of {table}"),
        };
        all.map_or_else(|| "any".to_owned(), |all| all.into_iter().map(shown).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_sequences_that_a_statement_changes_are_known_or_not() {
        for (text, wanted) in [
            ("SELECT NEXT VALUE FOR shop.orders_seq", "shop.orders_seq"),
            ("INSERT INTO t VALUES (NEXTVAL(`a_seq`), SETVAL(b_seq, 7))", "a_seq b_seq"),
            ("SELECT PREVIOUS VALUE FOR a_seq, LASTVAL(a_seq), value FROM t", ""),
            ("SELECT nextval('orders')", "any"),
        ] {
            assert_eq!(of(text, Dialect::Mysql), wanted, "{text}");
        }
        for (text, wanted) in [
            ("SELECT nextval('public.\"A_seq\"'::regclass), setval ( 'b_seq', 7)", "public.a_seq b_seq"),
            ("SELECT setval(pg_get_serial_sequence('public.t', 'id'), 7)", "of public.t"),
            ("SELECT currval('a_seq'), lastval(), 'nextval'", ""),
            ("SELECT nextval('a' || '_seq')", "any"),
            ("SELECT nextval(:seq)", "any"),
        ] {
            assert_eq!(of(text, Dialect::Postgres), wanted, "{text}");
        }
        assert_eq!(of("SELECT nextval('a_seq')", Dialect::Sqlite), "");
    }
}
