//! The words of a statement, as its server reads them: what is within quotes and comments is none of them. Used by [`crate::statement`] and
//! [`crate::definition`].
//!
//! What the lexer of scripts ([`crate::language`]) does not take for a quote or a comment is not hidden here either. It cuts texts at their delimiters, though,
//! and this reads a whole one: also what MySQL executes of a comment.

use crate::language::{Dialect, continuation};

/// How a server reads a text: its settings may let it read quotes and comments in another way than usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Whose text it is.
    pub(crate) dialect: Dialect,
    /// Whether a backslash is an escape between single quotes: of MySQL unless `sql_mode` has NO_BACKSLASH_ESCAPES, of PostgreSQL with
    /// `standard_conforming_strings = off`.
    escapes: bool,
    /// The same between double quotes: of MySQL also not with ANSI_QUOTES.
    escapes_doubles: bool,
    /// Whether `/*!` is executed: not by an older server than its number says, and `/*M!` by MariaDB only.
    executes: bool,
}

impl From<Dialect> for Reading {
    /// The usual one.
    fn from(dialect: Dialect) -> Reading {
        let is_mysql = dialect == Dialect::Mysql;
        Reading { dialect, escapes: is_mysql, escapes_doubles: is_mysql, executes: is_mysql }
    }
}

/// In which ways a server may read a text: as usual, and those that differ from it and are no mistake to the server.
pub(crate) fn readings(text: &[u8], dialect: Dialect) -> Vec<Reading> {
    let usual = Reading::from(dialect);
    let mut all = vec![usual];
    if dialect != Dialect::Sqlite && memchr::memchr(b'\\', text).is_some() {
        match dialect {
            Dialect::Postgres => all.push(Reading { escapes: true, ..usual }),
            _ => all.extend([
                Reading { escapes_doubles: false, ..usual },
                Reading { escapes: false, escapes_doubles: false, ..usual },
            ]),
        }
    }
    if usual.executes && ["/*!", "/*M!"].iter().any(|mark| memchr::memmem::find(text, mark.as_bytes()).is_some()) {
        let comments: Vec<Reading> = all.iter().map(|reading| Reading { executes: false, ..*reading }).collect();
        all.extend(comments);
    }
    all.retain(|reading| *reading == usual || may_be_executed(text, *reading));
    all
}

/// The words of a text in all readings, one after the other.
pub(crate) fn words_in_all_readings(text: &[u8], dialect: Dialect) -> Vec<String> {
    readings(text, dialect).into_iter().flat_map(|reading| all_words(text, reading)).collect()
}

/// Whether a server that reads a text so may execute something of it: each quote and each parenthesis has its end, or, to MySQL, which looks at one
/// statement after the other, there are two whole statements.
fn may_be_executed(text: &[u8], reading: Reading) -> bool {
    // What is open has this too; a comment up to the end of its line has not.
    let longer = [text, b"\n"].concat();
    let mut reader = Words::new(&longer, reading);
    let (mut depth, mut ends, mut words) = (0_u32, 0_u32, Vec::new());
    let has_whole_ones = |ends: u32| reading.dialect == Dialect::Mysql && ends > 1;
    while reader.at < text.len() {
        let hidden = reader.hidden().map(|(_, length)| length);
        reader.at += hidden.unwrap_or_else(|| reader.visible(&mut words)).max(1);
        for word in words.drain(..) {
            match word.as_str() {
                "(" => depth += 1,
                ")" if depth == 0 => return has_whole_ones(ends),
                ")" => depth -= 1,
                ";" if depth > 0 => return has_whole_ones(ends),
                ";" => ends += 1,
                _ => {}
            }
        }
    }
    (reader.at <= text.len() && depth == 0) || has_whole_ones(ends)
}

/// More words of a statement are not looked at.
pub(crate) const MOST_WORDS: usize = 2_000;

/// The words outside of quotes and comments, parentheses, commas and semicolons as words of their own; a name in quotes is a word without them, and names with
/// a schema are one word. What stands between double quotes may be a text to MySQL: it keeps them.
pub(crate) fn words(text: &[u8], reading: impl Into<Reading>) -> Vec<String> {
    Words::new(text, reading).next().unwrap_or_default()
}

/// All of them, however many they are.
pub(crate) fn all_words(text: &[u8], reading: impl Into<Reading>) -> Vec<String> {
    Words::new(text, reading).flatten().collect()
}

/// The names in a text, in order, and whether they are in quotes.
pub(crate) fn names(text: &[u8], dialect: Dialect) -> Vec<(String, bool)> {
    let mut reader = Words::new(text, dialect);
    let mut names = Vec::new();
    while reader.at < text.len() {
        let length = match reader.hidden() {
            Some((Hidden::Name, length)) => {
                names.push((name(&text[reader.at..reader.at + length], dialect), true));
                length
            }
            Some((Hidden::Other, length)) => length,
            None => {
                let mut words = Vec::new();
                let length = reader.visible(&mut words);
                names.extend(words.into_iter().map(|word| (word, false)));
                length
            }
        };
        reader.at += length.max(1);
    }
    names
}

/// Reads the words of a text from its beginning to its end, [`MOST_WORDS`] at a time.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    text: &'a [u8],
    reading: Reading,
    /// The place at which it stands.
    at: usize,
    /// Whether a point in front of this place joins the next word to the one before.
    glued: bool,
    /// Whether it stands in a comment of MySQL that is executed: only there `*/` ends one.
    is_executed: bool,
}

impl Iterator for Words<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        if self.at >= self.text.len() {
            return None;
        }
        let mut words: Vec<String> = Vec::new();
        self.glued = false;
        while self.at < self.text.len() && words.len() < MOST_WORDS {
            let (text, at) = (self.text, self.at);
            let length = match self.hidden() {
                Some((Hidden::Name, length)) => {
                    push(&mut words, name(&text[at..at + length], self.reading.dialect), self.glued);
                    length
                }
                Some((Hidden::Other, length)) => {
                    if self.is_engine(&words) {
                        words.push(name(&text[at..at + length], self.reading.dialect));
                    }
                    length
                }
                None => self.visible(&mut words),
            };
            // A point belongs to the name that it stands directly behind.
            self.glued = text[at] == b'.' && at > 0 && !text[at - 1].is_ascii_whitespace();
            if self.glued
                && let Some(last) = words.last_mut()
            {
                last.push('.');
            }
            self.at += length.max(1);
        }
        Some(words)
    }
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a [u8], reading: impl Into<Reading>) -> Words<'a> {
        Words { text, reading: reading.into(), at: 0, glued: false, is_executed: false }
    }

    /// Whether the text between quotes at its place is the engine of a table that MySQL creates or changes: a word, however it is written.
    fn is_engine(&self, before: &[String]) -> bool {
        let is = |word: &String, all: [&str; 2]| all.iter().any(|one| word.eq_ignore_ascii_case(one));
        self.reading.dialect == Dialect::Mysql
            && self.text[self.at] == b'\''
            && before.last().is_some_and(|word| is(word, ["ENGINE", "TYPE"]))
            && before.iter().any(|word| is(word, ["CREATE", "ALTER"]))
    }

    /// What is hidden at its place, and its length with its quotes; `None` if nothing is.
    fn hidden(&self) -> Option<(Hidden, usize)> {
        hidden(self.text, self.at, self.reading)
    }

    /// Appends what stands at its place, where nothing is hidden, if it is a word; returns its length.
    fn visible(&mut self, words: &mut Vec<String>) -> usize {
        let (text, at, dialect, glued) = (self.text, self.at, self.reading.dialect, self.glued);
        let rest = &text[at..];
        match rest {
            // MySQL and MariaDB execute what stands in it, up to its end.
            [b'/', b'*', b'!', ..] if dialect == Dialect::Mysql => {
                self.is_executed = true;
                3 + digits(&rest[3..])
            }
            [b'/', b'*', b'M', b'!', ..] if dialect == Dialect::Mysql => {
                self.is_executed = true;
                4 + digits(&rest[4..])
            }
            [b'*', b'/', ..] if self.is_executed => {
                self.is_executed = false;
                2
            }
            [first, ..] if is_of_word(*first) || variable(rest) > 0 => {
                let marks = variable(rest);
                let length = marks + word(&rest[marks..], dialect);
                push(words, String::from_utf8_lossy(&rest[..length]).into_owned(), glued);
                length
            }
            [b':', b':', ..] => 2,
            // The value of a variable, which may be a part of a name.
            [b':', next, ..] if is_of_word(*next) => {
                let length = 1 + word(&rest[1..], dialect);
                let follows = at > 0 && (is_of_word(text[at - 1]) || b"$\"`".contains(&text[at - 1]));
                push(words, String::from_utf8_lossy(&rest[..length]).into_owned(), glued || follows);
                length
            }
            [b'(' | b')' | b';' | b',', ..] => {
                words.push(char::from(rest[0]).to_string());
                1
            }
            _ => 1,
        }
    }
}

/// What is between quotes or in a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hidden {
    /// A name, or what may be one.
    Name,
    /// A text or a comment.
    Other,
}

/// What is hidden at a place, and its length with its quotes; `None` if nothing is.
fn hidden(text: &[u8], at: usize, reading: Reading) -> Option<(Hidden, usize)> {
    let rest = &text[at..];
    let Reading { dialect, escapes, escapes_doubles, executes } = reading;
    let is_mysql = dialect == Dialect::Mysql;
    let other = |length: usize| Some((Hidden::Other, length));
    match rest {
        // Of MySQL, `5--3` is an expression.
        [b'-', b'-', behind @ ..]
            if !is_mysql || behind.first().is_none_or(|c| c.is_ascii_whitespace() || c.is_ascii_control()) =>
        {
            other(line(rest, dialect))
        }
        [b'#', ..] if is_mysql => other(line(rest, dialect)),
        [b'/', b'*', b'!', ..] | [b'/', b'*', b'M', b'!', ..] if executes => None,
        [b'/', b'*', ..] => other(comment(rest, dialect)),
        [b'\'', ..] if dialect == Dialect::Postgres && (escapes || is_after_e(&text[..at])) => other(continued(rest)),
        [b'\'', ..] => other(quoted(rest, escapes)),
        [b'[', ..] if dialect == Dialect::Sqlite => {
            Some((Hidden::Name, memchr::memchr(b']', rest).map_or(rest.len(), |last| last + 1)))
        }
        [b'"', ..] => Some((Hidden::Name, quoted(rest, escapes_doubles))),
        [b'`', ..] if dialect != Dialect::Postgres => Some((Hidden::Name, quoted(rest, false))),
        [b'$', ..] if dialect == Dialect::Postgres => dollars(rest).and_then(other),
        _ => None,
    }
}

/// The length of a comment to the end of the line, which for PostgreSQL is also a carriage return.
fn line(rest: &[u8], dialect: Dialect) -> usize {
    let end = match dialect {
        Dialect::Postgres => memchr::memchr2(b'\n', b'\r', rest),
        Dialect::Mysql | Dialect::Sqlite => memchr::memchr(b'\n', rest),
    };
    end.unwrap_or(rest.len())
}

/// The length of a comment; those of PostgreSQL nest.
fn comment(rest: &[u8], dialect: Dialect) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 {
        let Some(next) = memchr::memchr2(b'*', b'/', rest.get(at..).unwrap_or_default()) else { return rest.len() };
        at += next;
        match &rest[at..] {
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            [b'/', b'*', ..] if dialect == Dialect::Postgres => (depth, at) = (depth + 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

/// The length of what begins with a quote, to its last one: two in a row stand for one.
fn quoted(rest: &[u8], escapes: bool) -> usize {
    let (quote, mut at) = (rest[0], 1);
    while at < rest.len() {
        match rest[at] {
            b'\\' if escapes => at += 2,
            byte if byte == quote && rest.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a text of PostgreSQL with escapes, to the last quote of the last of its parts, each of which begins on a line of its own.
fn continued(rest: &[u8]) -> usize {
    let mut length = quoted(rest, true);
    while let Some(more) = continuation(&rest[length..]) {
        // What leads to the next part ends with its first quote.
        let from = length + more - 1;
        length = from + quoted(&rest[from..], true);
    }
    length
}

/// Whether a text of PostgreSQL has backslashes as escapes: it follows an `E`.
fn is_after_e(before: &[u8]) -> bool {
    match before {
        [.., other, b'e' | b'E'] => !is_of_word(*other) && *other != b'$',
        [b'e' | b'E'] => true,
        _ => false,
    }
}

/// The length of `$tag$ … $tag$`.
fn dollars(rest: &[u8]) -> Option<usize> {
    let tag = rest[1..].iter().take_while(|c| is_of_word(**c)).count();
    if rest.get(1 + tag) != Some(&b'$') || rest[1].is_ascii_digit() {
        return None;
    }
    let (mark, inner) = rest.split_at(tag + 2);
    Some(memchr::memmem::find(inner, mark).map_or(rest.len(), |length| length + 2 * mark.len()))
}

/// A name without its quotes.
fn name(quoted: &[u8], dialect: Dialect) -> String {
    let quote = quoted[0];
    if quote == b'"' && dialect == Dialect::Mysql {
        return String::from_utf8_lossy(quoted).into_owned();
    }
    let last = if quote == b'[' { b']' } else { quote };
    let inner = quoted[1..].strip_suffix(&[last]).unwrap_or(&quoted[1..]);
    let (once, twice) = (char::from(quote).to_string(), char::from(quote).to_string().repeat(2));
    String::from_utf8_lossy(inner).replace(&twice, &once)
}

pub(crate) fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The length of a word. Behind digits `$` begins a text of PostgreSQL, where no name begins with a digit.
fn word(text: &[u8], dialect: Dialect) -> usize {
    let digits = digits(text);
    if dialect == Dialect::Postgres && digits > 0 && text.get(digits) == Some(&b'$') {
        return digits;
    }
    text.iter().take_while(|c| is_of_word(**c) || **c == b'$').count()
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|c| c.is_ascii_digit()).count()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Names, Script};
    use proptest::prelude::*;

    fn joined(text: &str, dialect: Dialect) -> String {
        words(text.as_bytes(), dialect).join(" ")
    }

    #[test]
    fn each_server_has_its_quotes_and_comments() {
        for (text, dialect, wanted) in [
            ("SELECT 5--3, 1 INTO OUTFILE '/x'", Dialect::Mysql, "SELECT 5 3 , 1 INTO OUTFILE"),
            ("SELECT 5--3, 1 INTO OUTFILE '/x'", Dialect::Postgres, "SELECT 5"),
            ("SELECT 1 # INTO t\n, 2", Dialect::Mysql, "SELECT 1 , 2"),
            ("SELECT 1 # 2 INTO t", Dialect::Postgres, "SELECT 1 2 INTO t"),
            ("SELECT 'it\\'s', 1 INTO OUTFILE 'x'", Dialect::Mysql, "SELECT , 1 INTO OUTFILE"),
            ("SELECT 'a\\', 1 INTO t, ' '", Dialect::Sqlite, "SELECT , 1 INTO t ,"),
            ("SELECT e'a\\', 1 INTO t, '", Dialect::Postgres, "SELECT e"),
            ("SELECT a FROM t WHERE b = \"INTO\"", Dialect::Mysql, "SELECT a FROM t WHERE b \"INTO\""),
            ("SELECT a FROM \"my \"\"t\"", Dialect::Postgres, "SELECT a FROM my \"t"),
            ("SELECT E'a'\n -- b\n 'c\\', 1 INTO t, '", Dialect::Postgres, "SELECT E"),
            ("SELECT E'a' 'b\\', 1 INTO t", Dialect::Postgres, "SELECT E , 1 INTO t"),
            ("SELECT 1 -- a\r INTO t", Dialect::Postgres, "SELECT 1 INTO t"),
            ("SELECT [a;b].c, [d", Dialect::Sqlite, "SELECT a;b.c , d"),
            ("SELECT a[1;2]", Dialect::Postgres, "SELECT a 1 ; 2"),
            ("SELECT `a``b`.c", Dialect::Sqlite, "SELECT a`b.c"),
            ("SELECT 1$$'$$ INTO t, $1$$'$$", Dialect::Postgres, "SELECT 1 INTO t , 1"),
            ("SELECT a1$$'$$ INTO t", Dialect::Postgres, "SELECT a1$$"),
            ("SELECT 5--", Dialect::Mysql, "SELECT 5"),
            ("SELECT $a$ INTO t $a$, a$b$c", Dialect::Postgres, "SELECT , a$b$c"),
            ("SELECT 1 /* a /* b */ INTO t */", Dialect::Postgres, "SELECT 1"),
            ("SELECT 1 /* a /* b */ INTO t", Dialect::Mysql, "SELECT 1 INTO t"),
            ("SELECT 2 /*!50000 + 1 */*3 INTO OUTFILE 'x'", Dialect::Mysql, "SELECT 2 1 3 INTO OUTFILE"),
            ("SELECT /*M! '*/' INTO OUTFILE 'x' */", Dialect::Mysql, "SELECT INTO OUTFILE"),
            ("SELECT 2*/*' */3 INTO OUTFILE '/x'", Dialect::Mysql, "SELECT 2 3 INTO OUTFILE"),
            ("SELECT /*! 2*/*/*' */3 INTO OUTFILE '/x'", Dialect::Mysql, "SELECT 2 3 INTO OUTFILE"),
            ("SELECT /*! no */ 1", Dialect::Postgres, "SELECT 1"),
        ] {
            assert_eq!(joined(text, dialect), wanted, "{text}");
        }
    }

    /// `standard_conforming_strings`, `sql_mode` and the server's version decide it.
    #[test]
    fn a_text_has_the_words_of_each_way_to_read_it() {
        let of = |text: &str, dialect| -> Vec<String> {
            let all = readings(text.as_bytes(), dialect).into_iter();
            all.map(|reading| words(text.as_bytes(), reading).join(" ")).collect()
        };
        for (text, dialect, wanted) in [
            ("SELECT '\\''; DELETE FROM t; --'", Dialect::Postgres, &["SELECT", "SELECT ; DELETE FROM t ;"][..]),
            ("SELECT 'it\\'s'", Dialect::Postgres, &["SELECT s", "SELECT"]),
            ("SELECT 'a\\' INTO OUTFILE 'b\\'", Dialect::Mysql, &["SELECT b", "SELECT INTO OUTFILE"]),
            (
                "SELECT \"a\\\", 1 INTO OUTFILE '/x', \"b\"",
                Dialect::Mysql,
                &["SELECT \"a\\\", 1 INTO OUTFILE '/x', \" b \"", "SELECT \"a\\\" , 1 INTO OUTFILE , \"b\""],
            ),
            ("SELECT \"\\\"\", '\\''", Dialect::Mysql, &["SELECT \"\\\"\" ,"]),
            ("SELECT /*!99999 ' */ 1 INTO OUTFILE '/x'", Dialect::Mysql, &["SELECT x", "SELECT 1 INTO OUTFILE"]),
            // Where something stays open the server refuses it.
            ("INSERT INTO t VALUES ('it\\'s; delete it')", Dialect::Mysql, &["INSERT INTO t VALUES ( )"]),
            ("INSERT INTO t VALUES ('it\\'s; delete', 'x\\'y')", Dialect::Mysql, &["INSERT INTO t VALUES ( , )"]),
            (
                "INSERT INTO t VALUES ('it\\'); DELETE FROM u; ')",
                Dialect::Mysql,
                &["INSERT INTO t VALUES ( )", "INSERT INTO t VALUES ( ) ; DELETE FROM u ;"],
            ),
            ("SELECT 'a\\', 'b'", Dialect::Sqlite, &["SELECT ,"]),
            ("SELECT 'a', \"b\"", Dialect::Mysql, &["SELECT , \"b\""]),
        ] {
            let forms = of(text, dialect);
            assert_eq!(forms[0], wanted[0], "{text}: as usual");
            assert!(wanted.iter().all(|wanted| forms.iter().any(|form| form == wanted)), "{text}: {forms:?}");
            assert!(wanted.len() > 1 || forms.iter().all(|form| *form == wanted[0]), "{text}: {forms:?}");
        }
    }

    proptest! {
        /// Whatever the text: nothing is taken for a quote or a comment that the lexer of scripts takes for none.
        #[test]
        fn nothing_is_hidden_that_the_lexer_sees(text in proptest::collection::vec(prop_oneof![
            Just(b'\''), Just(b'"'), Just(b'`'), Just(b'-'), Just(b'#'), Just(b'*'), Just(b'/'), Just(b'!'), Just(b'M'), Just(b'\n'), Just(b'\r'), Just(b'['), Just(b']'), Just(b'\\'), Just(b'$'), Just(b'e'), Just(b'1'), Just(b' '), Just(b':')], 0..60))
        {
            for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
                let Ok(script) = Script::parse("x", &text, dialect, &mut Names::default()) else { continue };
                for sql in script.commands.iter().filter_map(|command| command.sql()) {
                    let mut reader = Words::new(&sql.text, dialect);
                    while reader.at < sql.text.len() {
                        let length = reader.hidden().map_or(0, |(_, length)| length);
                        for byte in reader.at..reader.at + length {
                            prop_assert!(sql.opaque.iter().any(|range| range.contains(&byte)), "{} {byte}", String::from_utf8_lossy(&sql.text));
                        }
                        let mut seen = Vec::new();
                        reader.at += if length > 0 { length } else { reader.visible(&mut seen).max(1) };
                    }
                }
            }
        }
    }
}
