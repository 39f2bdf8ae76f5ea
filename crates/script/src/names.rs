//! Names of statements that are not known before they are sent: the text without its values, `sbtest7` as `sbtest#`.
//!
//! All clients of a script share one list, so that an index means the same to each; it only ever grows, up to
//! [`MOST`]. Everything after that is counted as [`OTHERS`]: a script that builds a new text each time must not
//! exhaust memory.

use memchr::memchr2;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tenbin_driver::{Error, Reply};
use tenbin_model::tally::StatementKind;

/// How many names there may be.
const MOST: usize = 256;

/// The name of all statements after the limit was reached.
const OTHERS: &str = "(other statements)";

/// Only this many bytes of a statement are examined; the rest of a bulk INSERT adds nothing.
const LOOKED_AT: usize = 600;

/// The approximate maximum length of a name in bytes.
const LONGEST: usize = 160;

/// The names so far.
#[derive(Debug, Default)]
pub(super) struct StatementRegistry(Mutex<RegistryList>);

#[derive(Debug, Default)]
struct RegistryList {
    names: Vec<(String, StatementKind)>,
    places: HashMap<(String, StatementKind), u16>,
}

/// How many texts a thread compares the next one with before it derives a name.
const RECENT: usize = 8;

/// The names of one thread's texts: most are found here without the shared list.
#[derive(Debug, Default)]
pub(super) struct RegisteredStatement {
    places: HashMap<Vec<u8>, u16>,
    /// The name of the text searched last, if it was none of the recent ones.
    name: Vec<u8>,
    /// Texts found before, with their indexes, and which of them was found last: nearly every text differs from one of
    /// them in its values only.
    recent: Vec<(Skeleton, u16)>,
    last: usize,
}

impl RegisteredStatement {
    /// The index of a statement's name, new or not.
    pub(super) fn name_of(&mut self, sql: &[u8], all: &StatementRegistry) -> u16 {
        match self.find(sql) {
            Some(name) => name,
            None => self.add(all, kind(&String::from_utf8_lossy(sql))),
        }
    }

    /// The index of the statement's name, if this thread has seen it; otherwise its name is kept for [`Self::add`].
    pub(super) fn find(&mut self, sql: &[u8]) -> Option<u16> {
        // A script repeats its statements in their order: the same again, or the one after it.
        let (before, from_last) = self.recent.split_at(self.last);
        let offset = from_last.iter().chain(before).position(|(skeleton, _)| skeleton.fits(sql));
        if let Some(offset) = offset {
            self.last = (self.last + offset) % self.recent.len();
            return Some(self.recent[self.last].1);
        }
        let skeleton = Skeleton::of(sql, &mut self.name);
        let index = *self.places.get(&self.name)?;
        if let Some(skeleton) = skeleton {
            if self.recent.len() < RECENT {
                self.recent.push((skeleton, index));
                self.last = self.recent.len() - 1;
            } else {
                self.last = (self.last + RECENT - 1) % RECENT;
                self.recent[self.last] = (skeleton, index);
            }
        }
        Some(index)
    }

    /// The index of the name that [`Self::find`] did not find.
    pub(super) fn add(&mut self, all: &StatementRegistry, kind: StatementKind) -> u16 {
        // Of a character that was cut in the middle, this remains.
        let name = String::from_utf8_lossy(&self.name);
        let index = all.index(name.trim_end_matches(char::REPLACEMENT_CHARACTER), kind);
        if self.places.len() < 1024 {
            self.places.insert(self.name.clone(), index);
        }
        index
    }
}

/// A text of which only the values may differ: whatever fits has the same name, found without deriving it.
#[derive(Debug)]
struct Skeleton {
    /// The text, its values left out.
    literal: Vec<u8>,
    /// Where in `literal` each value stood, and which.
    values: Vec<(usize, Variable)>,
}

/// What may differ between texts of the same name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Variable {
    /// The number at the end of a name.
    Suffix,
    /// A number, or a word that begins with one.
    Number,
    /// A text in single quotes.
    Text,
}

impl Variable {
    /// How many bytes of `rest` are one; 0 if none is there.
    #[inline]
    fn length(self, rest: &[u8]) -> usize {
        let run = |of: fn(&u8) -> bool| rest.iter().take_while(|b| of(b)).count();
        match (self, rest.first()) {
            (Variable::Suffix, _) => run(u8::is_ascii_digit),
            (Variable::Number, Some(b'0'..=b'9')) => run(|b| b.is_ascii_alphanumeric() || *b == b'.'),
            (Variable::Text, Some(b'\'')) => text(rest),
            _ => 0,
        }
    }
}

impl Skeleton {
    /// Writes the name of a text; the skeleton, unless the text is too long to be examined whole.
    fn of(sql: &[u8], name: &mut Vec<u8>) -> Option<Skeleton> {
        let mut variables = Vec::new();
        normalise(sql, name, &mut variables);
        if sql.len() > LOOKED_AT {
            return None;
        }
        let (mut literal, mut values, mut end) = (Vec::new(), Vec::new(), 0);
        for (start, variable) in variables {
            literal.extend_from_slice(&sql[end..start]);
            values.push((literal.len(), variable));
            end = start + variable.length(&sql[start..]);
        }
        literal.extend_from_slice(&sql[end..]);
        Some(Skeleton { literal, values })
    }

    /// Whether a text differs in its values only.
    #[inline]
    fn fits(&self, sql: &[u8]) -> bool {
        if sql.len() > LOOKED_AT {
            return false;
        }
        let (mut rest, mut begin) = (sql, 0);
        for &(end, variable) in &self.values {
            let Some(after) = rest.strip_prefix(&self.literal[begin..end]) else { return false };
            let length = variable.length(after);
            if length == 0 {
                return false;
            }
            (rest, begin) = (&after[length..], end);
        }
        rest == &self.literal[begin..]
    }
}

impl StatementRegistry {
    /// The index of a name, new or not.
    pub(super) fn index(&self, name: &str, kind: StatementKind) -> u16 {
        let mut list = self.lock();
        // One name has one kind: another thread may have derived it from another answer.
        if let Some(index) = list.names.iter().position(|(known, _)| known == name) {
            return index as u16;
        }
        let others = list.names.len() + 1 >= MOST;
        let key = if others { (OTHERS.to_owned(), StatementKind::Other) } else { (name.to_owned(), kind) };
        if let Some(index) = list.places.get(&key) {
            return *index;
        }
        let index = list.names.len() as u16;
        list.names.push(key.clone());
        list.places.insert(key, index);
        index
    }

    /// All of them in the order of their appearance.
    pub(super) fn all(&self) -> Vec<(String, StatementKind)> {
        self.lock().names.clone()
    }

    /// One of them.
    pub(super) fn get(&self, index: u16) -> Option<String> {
        self.lock().names.get(usize::from(index)).map(|(name, _)| name.clone())
    }

    fn lock(&self) -> MutexGuard<'_, RegistryList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The kind of a statement, as sysbench counts it: by its answer, if its first word does not tell. `reads`: whether that has rows.
pub(super) fn kind_by_answer(sql: &[u8], outcome: &Result<Reply, Error>, reads: bool) -> StatementKind {
    match (kind(&String::from_utf8_lossy(sql)), outcome) {
        (StatementKind::Other, Ok(_)) if reads => StatementKind::Read,
        (StatementKind::Other, Ok(reply)) if reply.affected > 0 => StatementKind::Write,
        (kind, _) => kind,
    }
}

/// The kind of a statement by its first word.
pub(super) fn kind(sql: &str) -> StatementKind {
    let start = after_comments(sql);
    let word = start.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    let is = |all: &[&str]| all.iter().any(|w| w.eq_ignore_ascii_case(word));
    if is(&["SELECT", "SHOW", "WITH", "TABLE", "VALUES", "DESCRIBE", "DESC", "EXPLAIN", "FETCH", "HANDLER", "ANALYZE"])
    {
        StatementKind::Read
    } else if is(&["INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "LOAD", "COPY"]) {
        StatementKind::Write
    } else {
        StatementKind::Other
    }
}

/// The text from its first word on. What only some servers take for a comment may be one.
fn after_comments(sql: &str) -> &str {
    let mut rest = sql;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        let after = match rest {
            _ if rest.starts_with("/*!") || rest.starts_with("/*M!") => None,
            _ if rest.starts_with("/*") => rest.split_once("*/"),
            _ if rest.starts_with("--") || rest.starts_with('#') => rest.split_once('\n'),
            _ => None,
        };
        match after {
            Some((_, after)) => rest = after,
            None => return rest,
        }
    }
}

/// Replaces `out` with the statement's text without its values: numbers and texts as `?`, a run of more than four of
/// them as `?, …`, the number at the end of a name as `#`, white space as one blank. Its last character may be cut.
/// Adds the places of what may differ between texts of this name.
fn normalise(sql: &[u8], out: &mut Vec<u8>, variables: &mut Vec<(usize, Variable)>) {
    out.clear();
    write(&sql[..sql.len().min(LOOKED_AT)], out, variables);
    while out.last().is_some_and(|b| matches!(b, b' ' | b';')) {
        out.pop();
    }
}

/// The name's bytes. Plain text is copied unchanged; only possible values are examined.
fn write(sql: &[u8], out: &mut Vec<u8>, variables: &mut Vec<(usize, Variable)>) {
    let (mut at, mut values) = (0, 0);
    while let Some(&byte) = sql.get(at) {
        if out.len() >= LONGEST {
            out.extend_from_slice("…".as_bytes());
            return;
        }
        let after_word = out.last().is_some_and(|b| is_word(*b) || *b == b'#');
        match byte {
            b'0'..=b'9' if after_word => {
                let end = at + Variable::Suffix.length(&sql[at..]);
                if sql.get(end).is_some_and(|b| is_word(*b)) {
                    out.extend_from_slice(&sql[at..end.min(at + LONGEST - out.len())]);
                } else {
                    out.push(b'#');
                    variables.push((at, Variable::Suffix));
                }
                at = end;
            }
            b'0'..=b'9' => {
                variables.push((at, Variable::Number));
                at += Variable::Number.length(&sql[at..]);
                value(out, &mut values);
            }
            b'-' | b'+' if !after_word && sql.get(at + 1).is_some_and(u8::is_ascii_digit) => at += 1,
            b'?' => {
                at += 1;
                value(out, &mut values);
            }
            b'\'' | b'"' => {
                let (start, end) = (at, at + text(&sql[at..]));
                let inside = &sql[at + 1..end.max(at + 2) - 1];
                at = end;
                // PostgreSQL quotes names this way; a value that looks like one may remain in the name.
                if byte == b'"'
                    && !inside.is_empty()
                    && inside.iter().all(|b| is_word(*b))
                    && !inside[0].is_ascii_digit()
                {
                    values = 0;
                    out.push(b'"');
                    write(inside, out, &mut Vec::new());
                    out.push(b'"');
                } else {
                    if byte == b'\'' {
                        variables.push((start, Variable::Text));
                    }
                    value(out, &mut values);
                }
            }
            b' ' | b'\n' | b'\t' | b'\r' => {
                if !matches!(out.last(), None | Some(b' ')) {
                    out.push(b' ');
                }
                at += 1;
            }
            b',' | b';' => {
                out.push(byte);
                at += 1;
            }
            _ => {
                values = 0;
                out.push(byte);
                at += 1;
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// How many values of a list are shown before the rest is left out.
const VALUES: u32 = 4;

/// One value of the statement.
fn value(out: &mut Vec<u8>, values: &mut u32) {
    *values += 1;
    if *values <= VALUES {
        out.push(b'?');
        return;
    }
    // The separator before this one: a comma and a blank.
    while out.last().is_some_and(|b| matches!(b, b',' | b' ')) {
        out.pop();
    }
    if *values == VALUES + 1 {
        out.extend_from_slice(", …".as_bytes());
    }
}

/// The length of the quoted text at this position: all of the rest if it does not end.
fn text(rest: &[u8]) -> usize {
    let (quote, mut at) = (rest[0], 1);
    while let Some(next) = rest.get(at..).and_then(|rest| memchr2(quote, b'\\', rest)) {
        at += next;
        at += match rest[at] {
            b'\\' => 2,
            _ if rest.get(at + 1) == Some(&quote) => 2,
            _ => return at + 1,
        };
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(sql: &str) -> String {
        let mut out = Vec::new();
        normalise(sql.as_bytes(), &mut out, &mut Vec::new());
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn a_name_is_the_text_without_its_values() {
        for (sql, expected) in [
            ("SELECT c FROM sbtest12 WHERE id=?", "SELECT c FROM sbtest# WHERE id=?"),
            (
                "SELECT  c\n  FROM sbtest1 WHERE id BETWEEN 50 AND -149;",
                "SELECT c FROM sbtest# WHERE id BETWEEN ? AND ?",
            ),
            (
                "INSERT INTO t (id, c) VALUES (1, 'it''s a \\' 7'), (2, 'b')",
                "INSERT INTO t (id, c) VALUES (?, ?), (?, ?)",
            ),
            ("SELECT 1 FROM t WHERE k IN (1, 2, 3, 4, 5, 6, 7)", "SELECT ? FROM t WHERE k IN (?, ?, ?, ?, …)"),
            ("SELECT \"c2\" FROM \"t3\" WHERE x = \"a b\"", "SELECT \"c#\" FROM \"t#\" WHERE x = ?"),
            ("SET tmp_table_size=2*1024*1024", "SET tmp_table_size=?*?*?"),
            ("SELECT a1b FROM t WHERE x=1.5e3 AND y=0xFF", "SELECT a1b FROM t WHERE x=? AND y=?"),
            ("  BEGIN ", "BEGIN"),
            ("SELECT 'never ends", "SELECT ?"),
            ("", ""),
        ] {
            assert_eq!(name(sql), expected);
        }
        assert_eq!(name(&format!("SELECT {}", "a + ".repeat(300))).chars().count(), LONGEST + 1);
        assert!(name(&format!("SELECT {}", "ä".repeat(400))).starts_with("SELECT ää"));
        assert_eq!(name(&format!("SELECT a{}b", "1".repeat(400))).chars().count(), LONGEST + 1, "digits of a name");
    }

    #[test]
    fn kinds_are_told_by_the_first_word() {
        for (sql, expected) in [
            ("select 1", StatementKind::Read),
            (" (SELECT 1)", StatementKind::Read),
            ("/* by the app */ -- and\n # why\n select 1", StatementKind::Read),
            ("/*! SELECT 1 */", StatementKind::Other),
            ("/* open", StatementKind::Other),
            ("\nINSERT INTO t", StatementKind::Write),
            ("update t", StatementKind::Write),
            ("BEGIN", StatementKind::Other),
            ("", StatementKind::Other),
        ] {
            assert_eq!(kind(sql), expected, "{sql}");
        }
    }

    #[test]
    fn there_is_an_end_to_names() {
        let names = StatementRegistry::default();
        for n in 0..10_000 {
            let index = names.index(&format!("statement {n}"), StatementKind::Read);
            assert_eq!(usize::from(index), n.min(MOST - 1));
        }
        assert_eq!(names.index("statement 3", StatementKind::Read), 3);
        assert_eq!(names.all().len(), MOST);
        assert_eq!(names.all()[MOST - 1], (OTHERS.to_owned(), StatementKind::Other));
        assert_eq!(names.get(0).as_deref(), Some("statement 0"));
    }

    /// Whether the other text fits the skeleton of the one.
    fn fits(one: &str, other: &str) -> bool {
        Skeleton::of(one.as_bytes(), &mut Vec::new()).is_some_and(|skeleton| skeleton.fits(other.as_bytes()))
    }

    #[test]
    fn a_text_with_other_values_fits() {
        for (one, other, expected) in [
            ("INSERT INTO sbtest7 VALUES (1, 'a''b')", "INSERT INTO sbtest12 VALUES (37, '')", true),
            ("SELECT c FROM t WHERE x=1", "SELECT c FROM t WHERE x=1.5e7", true),
            ("SELECT c FROM t1", "SELECT c FROM t12", true),
            ("SELECT c FROM t1", "SELECT c FROM t1b", false),
            ("SELECT c FROM t1b", "SELECT c FROM t2b", false),
            ("SELECT c FROM t1", "SELECT c FROM t", false),
            ("SELECT c FROM t WHERE x=1", "SELECT c FROM t WHERE x='1'", false),
            ("SELECT c FROM t WHERE x=1", "SELECT c FROM t WHERE x=1 ", false),
            ("SELECT c FROM t WHERE x=1", "SELECT c FROM t WHERE y=1", false),
        ] {
            assert_eq!(fits(one, other), expected, "{one} / {other}");
        }
        let long = format!("SELECT '{}'", "a".repeat(LOOKED_AT));
        assert!(!fits(&long, &long) && !fits("SELECT 'a'", &long));
    }

    #[test]
    fn texts_in_turn_have_their_own_names() {
        let (all, mut known) = (StatementRegistry::default(), RegisteredStatement::default());
        for n in 0..200_u32 {
            let kind = n % 11;
            let sql = format!("SELECT {}c FROM t{n} WHERE id={n} AND p='{n}'", "-".repeat(kind as usize));
            assert_eq!(u32::from(known.name_of(sql.as_bytes(), &all)), kind, "{sql}");
        }
    }

    /// The same piece of two texts: a value of either, or something that they share.
    fn piece() -> impl Strategy<Value = (String, String)> {
        let shared = prop_oneof!["[a-z]{1,2}", "[ ,;.?+\"(-]{1,2}", "\"[a-z0-9]{0,3}\"", "[äé]{1,60}"];
        prop_oneof![
            ("[0-9]{1,3}", "[0-9]{1,3}"),
            ("'[a0'\\\\]{0,3}'?", "'[a0'\\\\]{0,3}'?"),
            shared.prop_map(|text| (text.clone(), text)),
        ]
    }

    proptest! {
        #[test]
        fn what_fits_has_the_same_name(pieces in prop::collection::vec(piece(), 1..9)) {
            let (one, other): (Vec<String>, Vec<String>) = pieces.into_iter().unzip();
            let (one, other) = (one.concat(), other.concat());
            if fits(&one, &other) {
                prop_assert_eq!(name(&one), name(&other));
            }
            prop_assert!(one.len() > LOOKED_AT || fits(&one, &one), "{}", one);
        }

        #[test]
        fn any_text_has_a_short_name(sql in "\\PC{0,80}|[ '\"\\\\0-9a-z?,()ä-]{0,700}") {
            prop_assert!(name(&sql).chars().count() <= LONGEST + 12);
        }
    }
}
