//! Cuts the text of a script into statements and backslash commands: quotes, dollar quotes, comments, bodies of functions and `DELIMITER` hide what ends a
//! statement. Bytes need not be UTF-8. It is fuzzed (`fuzz/fuzz_targets/sql.rs`).
//!
//! For PostgreSQL statements are the ones that psql and pgbench send, to the byte, including their semicolon. For other databases the semicolon is left
//! out, and quotes and comments are theirs.

use super::body::Body;
use std::ops::Range;
use tenbin_workload::tables::dialect::Dialect;

/// What ended a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Delimiter,
    /// A backslash command, at which the lexer stands.
    Backslash,
    Text,
}

/// The text of a statement, or what there was instead.
#[derive(Debug)]
pub(super) struct Scanned {
    pub(super) text: Vec<u8>,
    /// The parts of it within quotes and comments.
    pub(super) opaque: Vec<Range<usize>>,
    /// The comments in it that a server may execute: `/*! … */` of MySQL and MariaDB, `/*M! … */` of MariaDB.
    pub(super) executable: Vec<Range<usize>>,
    /// Comments in it and before it, with the line and whether they follow the statement before on its line.
    pub(super) comments: Vec<(Vec<u8>, u32, bool)>,
    /// The line on which it starts, from 1.
    pub(super) line: u32,
    /// The number of `\;` in it.
    pub(super) joints: u32,
    /// The quote or comment that is open at the end, and the line on which it was opened.
    pub(super) open: Option<(&'static str, u32)>,
    pub(super) end: End,
}

impl Scanned {
    /// Two minus signs that a delimiter or a backslash command follows are the last ones that MySQL gets, and a comment to it.
    fn hide_last_dashes(&mut self) {
        let end = self.text.len();
        if self.text.ends_with(b"--") && self.opaque.last().is_none_or(|range| range.end < end) {
            self.opaque.push(end - 2..end);
        }
    }
}

/// Reads a script from its beginning to its end.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
    /// Up to where `line` was counted.
    counted: usize,
    dialect: Dialect,
    delimiter: Vec<u8>,
    /// Whether a command has ended on the line on which the lexer stands.
    after_command: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8], dialect: Dialect) -> Lexer<'a> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Lexer { text, at: 0, line: 1, counted: 0, dialect, delimiter: b";".to_vec(), after_command: false }
    }

    /// The text up to the next delimiter, backslash command or the end.
    pub(super) fn statement(&mut self) -> Scanned {
        let mut scan = Scan {
            out: Scanned {
                text: Vec::new(),
                opaque: Vec::new(),
                executable: Vec::new(),
                comments: Vec::new(),
                line: self.line_here(),
                joints: 0,
                open: None,
                end: End::Text,
            },
            parentheses: 0,
            body: Body::default(),
            executable: None,
        };
        while self.at < self.text.len() {
            if let Some(end) = self.piece(&mut scan) {
                scan.out.end = end;
                break;
            }
        }
        if let Some((from, line)) = scan.executable {
            scan.out.executable.push(from..scan.out.text.len());
            scan.out.open.get_or_insert(("/*", line));
        }
        self.after_command |= scan.out.end == End::Delimiter;
        if self.dialect == Dialect::Mysql {
            scan.out.hide_last_dashes();
        }
        scan.out
    }

    /// The backslash command at which the lexer stands, without the end of its line, and its line. A backslash at the end of a line continues it.
    pub(super) fn backslash(&mut self) -> (&'a [u8], u32) {
        let (start, line) = (self.at, self.line_here());
        let mut end = start;
        loop {
            let rest = &self.text[end..];
            let Some(length) = memchr::memchr(b'\n', rest) else {
                end = self.text.len();
                self.at = end;
                break;
            };
            let whole = &rest[..length];
            end += length;
            self.at = end + 1;
            let is_begin = end == start + length;
            let line = whole.strip_suffix(b"\r").unwrap_or(whole);
            // A backslash alone is the beginning of a command without a name.
            if !line.ends_with(b"\\") || is_begin && line.len() == 1 {
                break;
            }
            end += 1;
        }
        self.after_command = false;
        (without_ends(&self.text[start..end]), line)
    }

    /// The line at which the lexer stands.
    fn line_here(&mut self) -> u32 {
        self.line += memchr::memchr_iter(b'\n', &self.text[self.counted..self.at]).count() as u32;
        self.counted = self.at;
        self.line
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Reads one piece: white space, a comment, a quote, a word, a character.
    fn piece(&mut self, scan: &mut Scan) -> Option<End> {
        let rest = self.rest();
        let first = rest[0];
        if first.is_ascii_whitespace() || first == 0x0b {
            self.after_command &= first != b'\n';
            // At the beginning it is left out.
            if scan.out.text.is_empty() {
                self.at += 1;
            } else {
                self.take(scan, 1);
            }
            return None;
        }
        if self.is_line_comment(rest) {
            self.line_comment(scan);
            return None;
        }
        if scan.out.text.is_empty() {
            if self.delimiter_command() {
                return None;
            }
            scan.out.line = self.line_here();
        }
        if let Some(length) = self.edge_of_executable(scan) {
            self.take(scan, length);
            return None;
        }
        let in_executable = scan.executable.is_some();
        if rest.starts_with(&self.delimiter) && scan.parentheses == 0 && scan.body.depth == 0 && !in_executable {
            let kept = if self.dialect == Dialect::Postgres && self.delimiter == b";" { 1 } else { 0 };
            self.take(scan, kept);
            self.at += self.delimiter.len() - kept;
            return Some(End::Delimiter);
        }
        match first {
            b'/' if rest.get(1) == Some(&b'*') => self.block_comment(scan),
            b'\'' | b'"' => self.quote(scan, first),
            b'`' if self.dialect != Dialect::Postgres => self.quote(scan, first),
            b'[' if self.dialect == Dialect::Sqlite => self.quote(scan, b']'),
            b'$' if self.dialect == Dialect::Postgres => self.dollar_quote(scan),
            b'\\' if !in_executable => return self.backslash_in_statement(scan),
            _ if is_word(first) => self.word(scan),
            _ => {
                match first {
                    // One of them may be in a comment that is not executed.
                    b'(' | b')' if in_executable => {}
                    b'(' => scan.parentheses += 1,
                    b')' => scan.parentheses = scan.parentheses.saturating_sub(1),
                    b';' => scan.body.begin_statement(),
                    _ => {}
                }
                self.take(scan, 1);
            }
        }
        None
    }

    /// Appends the next bytes to the statement.
    fn take(&mut self, scan: &mut Scan, length: usize) {
        scan.out.text.extend_from_slice(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// The same for what is within quotes or a comment.
    fn take_opaque(&mut self, scan: &mut Scan, length: usize) {
        let from = scan.out.text.len();
        self.take(scan, length);
        scan.out.opaque.push(from..scan.out.text.len());
    }

    fn is_line_comment(&self, rest: &[u8]) -> bool {
        let dashes = rest.starts_with(b"--");
        match self.dialect {
            Dialect::Postgres | Dialect::Sqlite => dashes,
            Dialect::Mysql => {
                rest[0] == b'#' || dashes && rest.get(2).is_none_or(|c| c.is_ascii_whitespace() || c.is_ascii_control())
            }
        }
    }

    fn line_comment(&mut self, scan: &mut Scan) {
        let rest = self.rest();
        let length = match self.dialect {
            Dialect::Postgres => memchr::memchr2(b'\n', b'\r', rest),
            Dialect::Mysql | Dialect::Sqlite => memchr::memchr(b'\n', rest),
        };
        let length = length.unwrap_or(rest.len());
        let line = self.line_here();
        let follows = scan.out.text.is_empty() && self.after_command;
        scan.out.comments.push((rest[..length].to_vec(), line, follows));
        if scan.out.text.is_empty() {
            self.at += length;
        } else {
            self.take_opaque(scan, length);
        }
    }

    fn block_comment(&mut self, scan: &mut Scan) {
        let rest = self.rest();
        let (mut at, mut depth) = (2, 1);
        while depth > 0 {
            let Some(next) = memchr::memchr2(b'*', b'/', &rest[at.min(rest.len())..]) else {
                scan.out.open = Some(("/*", self.line_here()));
                at = rest.len();
                break;
            };
            at += next;
            match &rest[at..] {
                [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
                [b'/', b'*', ..] if self.dialect == Dialect::Postgres => (depth, at) = (depth + 1, at + 2),
                _ => at += 1,
            }
        }
        let line = self.line_here();
        scan.out.comments.push((rest[..at].to_vec(), line, false));
        self.take_opaque(scan, at);
    }

    /// The length of what begins or ends a comment at the place of the lexer that a server may execute: within it are statements, with quotes of their own.
    fn edge_of_executable(&mut self, scan: &mut Scan) -> Option<usize> {
        let rest = self.rest();
        let begins = ["/*!", "/*M!"].into_iter().find(|mark| rest.starts_with(mark.as_bytes()));
        match (begins.filter(|_| self.dialect == Dialect::Mysql), scan.executable) {
            (Some(mark), None) => {
                scan.executable = Some((scan.out.text.len(), self.line_here()));
                Some(mark.len())
            }
            (Some(mark), Some(_)) => Some(mark.len()),
            (None, Some((from, _))) if rest.starts_with(b"*/") => {
                scan.out.executable.push(from..scan.out.text.len() + 2);
                scan.executable = None;
                Some(2)
            }
            (None, _) => None,
        }
    }

    /// Reads up to the end of a quote: the same character, or the bracket that closes one.
    fn quote(&mut self, scan: &mut Scan, quote: u8) {
        let rest = self.rest();
        let escapes = match self.dialect {
            Dialect::Postgres => quote == b'\'' && scan.after_escape_word(),
            Dialect::Mysql => quote != b'`',
            Dialect::Sqlite => false,
        };
        let of_postgres = self.dialect == Dialect::Postgres;
        let mut at = 1;
        loop {
            let Some(next) = memchr::memchr2(quote, if escapes { b'\\' } else { quote }, &rest[at.min(rest.len())..])
            else {
                let name = match quote {
                    b'\'' => "'",
                    b'"' => "\"",
                    b']' => "[",
                    _ => "`",
                };
                scan.out.open = Some((name, self.line_here()));
                at = rest.len();
                break;
            };
            at += next + 1;
            if rest[at - 1] == quote && quote != b']' && rest.get(at) == Some(&quote) {
                // Two in a row stand for one.
                at += 1;
            } else if rest[at - 1] == quote {
                // The next part of a string in PostgreSQL has the same escapes.
                match continuation(&rest[at..]).filter(|_| escapes && of_postgres) {
                    Some(length) => at += length,
                    None => break,
                }
            } else {
                at += 1;
            }
        }
        self.take_opaque(scan, at);
    }

    /// `$tag$ … $tag$`, or a dollar sign.
    fn dollar_quote(&mut self, scan: &mut Scan) {
        let rest = self.rest();
        let tag = rest[1..].iter().take_while(|c| is_word(**c) || c.is_ascii_digit()).count();
        let is_quote = rest.get(1 + tag) == Some(&b'$') && !rest[1].is_ascii_digit();
        if !is_quote {
            return self.take(scan, 1);
        }
        let mark = &rest[..tag + 2];
        let length = match memchr::memmem::find(&rest[mark.len()..], mark) {
            Some(inner) => inner + 2 * mark.len(),
            None => {
                scan.out.open = Some(("$", self.line_here()));
                rest.len()
            }
        };
        self.take_opaque(scan, length);
    }

    /// `\;` joins two statements to one, `\:` is a colon; anything else is a command of its own.
    fn backslash_in_statement(&mut self, scan: &mut Scan) -> Option<End> {
        match self.rest().get(1) {
            Some(b';') => {
                scan.out.joints += 1;
                scan.body.begin_statement();
            }
            Some(b':') => {}
            _ => return Some(End::Backslash),
        }
        self.at += 1;
        self.take(scan, 1);
        None
    }

    fn word(&mut self, scan: &mut Scan) {
        let rest = self.rest();
        let length = rest.iter().take_while(|c| is_word(**c) || c.is_ascii_digit() || **c == b'$').count();
        let with_bodies: &[&str] = match self.dialect {
            Dialect::Postgres => &["function", "procedure"],
            Dialect::Sqlite => &["trigger"],
            Dialect::Mysql => &[],
        };
        scan.body.word(&rest[..length], scan.parentheses, with_bodies);
        self.take(scan, length);
    }

    /// `DELIMITER //` on a line of its own.
    fn delimiter_command(&mut self) -> bool {
        let rest = self.rest();
        let (Some(word), Some(after)) = (rest.get(..9), rest.get(9)) else { return false };
        if !word.eq_ignore_ascii_case(b"delimiter") || !matches!(after, b' ' | b'\t') {
            return false;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let given = rest[9..end].trim_ascii();
        let given = given.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if given.is_empty() {
            return false;
        }
        self.delimiter = given.to_vec();
        self.at += end;
        self.after_command = false;
        true
    }
}

/// A command without the end of its line. Blanks before that are shown, as in pgbench; a backslash that continues it into empty lines is white space.
fn without_ends(command: &[u8]) -> &[u8] {
    let line_ends = command.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    let mut kept = command.trim_ascii_end();
    let continues = |kept: &[u8]| {
        kept.len() > 1 && kept.ends_with(b"\\") && matches!(&command[kept.len()..], [b'\n', ..] | [b'\r', b'\n', ..])
    };
    if !continues(kept) {
        return &command[..command.len() - line_ends];
    }
    while continues(kept) {
        kept = kept[..kept.len() - 1].trim_ascii_end();
    }
    kept
}

/// The length of what separates two parts of a string in PostgreSQL, with the quote that begins the second one: white space with the end of a line in it,
/// and comments.
pub(crate) fn continuation(rest: &[u8]) -> Option<usize> {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\x0c');
    let is_end = |byte: u8| matches!(byte, b'\n' | b'\r');
    let (mut at, mut has_end) = (0, false);
    loop {
        match &rest[at..] {
            [b'\'', ..] if has_end => return Some(at + 1),
            [b'-', b'-', ..] => at += memchr::memchr2(b'\n', b'\r', &rest[at..])?,
            [byte, ..] if is_blank(*byte) => at += 1,
            [byte, ..] if is_end(*byte) => (at, has_end) = (at + 1, true),
            _ => return None,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// A statement while it is read.
struct Scan {
    out: Scanned,
    parentheses: u32,
    body: Body,
    /// Where the comment begins that a server may execute and that has no end yet, and its line.
    executable: Option<(usize, u32)>,
}

impl Scan {
    /// Whether the last word is an `E`, whose string has backslashes as escapes.
    fn after_escape_word(&self) -> bool {
        match &self.out.text[..] {
            [.., before, b'e' | b'E'] => !is_word(*before) && !before.is_ascii_digit() && *before != b'$',
            [b'e' | b'E'] => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &[u8], dialect: Dialect) -> Vec<String> {
        let mut lexer = Lexer::new(text, dialect);
        let mut all = Vec::new();
        loop {
            let scanned = lexer.statement();
            if !scanned.text.is_empty() {
                all.push(String::from_utf8_lossy(&scanned.text).into_owned());
            }
            match scanned.end {
                End::Delimiter => {}
                End::Backslash => all.push(String::from_utf8_lossy(lexer.backslash().0).into_owned()),
                End::Text => return all,
            }
        }
    }

    fn postgres(text: &str) -> Vec<String> {
        cut(text.as_bytes(), Dialect::Postgres)
    }

    fn mysql(text: &str) -> Vec<String> {
        cut(text.as_bytes(), Dialect::Mysql)
    }

    // Measured of pgbench 15.18, by the server's log.
    #[test]
    fn statements_are_those_that_pgbench_sends() {
        let text = "-- head\nselect 1 -- tail\n, 2;\nselect 3 /* in */ ;\n/* before */ select 4;\n  -- c\n  select 5";
        assert_eq!(
            postgres(text),
            ["select 1 -- tail\n, 2;", "select 3 /* in */ ;", "/* before */ select 4;", "select 5"]
        );
        assert_eq!(postgres(";;select 1;;"), [";", ";", "select 1;", ";"]);
        assert_eq!(postgres("select 1\\; select 2\\;;"), ["select 1; select 2;;"]);
        assert_eq!(postgres("select 'a\\';\nselect e'a\\'';';"), ["select 'a\\';", "select e'a\\'';", "';"]);
        assert_eq!(postgres("select $a$ ; $b$ ; $a$;\nselect $$;$$;"), ["select $a$ ; $b$ ; $a$;", "select $$;$$;"]);
        assert_eq!(postgres("select 1 \\gset p_\nselect 2;"), ["select 1 ", "\\gset p_", "select 2;"]);
        let atomic = "create or replace function f() returns int begin atomic select 1; select 2; end;";
        assert_eq!(postgres(&format!("{atomic} select 7;")), [atomic, "select 7;"]);
        assert_eq!(postgres("select (1; 2); select 3;"), ["select (1; 2);", "select 3;"]);
        assert_eq!(postgres("\\set x \\\n 1 + \\\r\n 2\nselect :x;"), ["\\set x \\\n 1 + \\\r\n 2", "select :x;"]);
        assert_eq!(postgres("\u{feff}select 1;\r\n\\set a 1\r\n"), ["select 1;", "\\set a 1"]);
        assert_eq!(postgres("select \"a;b\", /* ; /* ; */ ; */ 1;"), ["select \"a;b\", /* ; /* ; */ ; */ 1;"]);
        assert_eq!(postgres(" -- only a comment \n "), [""; 0]);
    }

    // Measured of pgbench 15.18.
    #[test]
    fn a_string_with_escapes_goes_on_over_the_end_of_a_line() {
        for between in ["\n", " \t\n\n ", "\r\n", "\r", " -- c\n", "\n-- c's \\\n", "\n -- c\r\n -- d\n"] {
            let inside = format!("select E'a'{between}'b\\';\n\\foo';");
            assert_eq!(postgres(&inside), [inside.as_str()]);
            // Without escapes the backslash ends nothing.
            let plain = format!("select 'a'{between}'b\\';");
            assert_eq!(postgres(&format!("{plain}\n\\foo")), [plain.as_str(), "\\foo"]);
        }
        assert_eq!(
            postgres("select E'a''b\\';'; select 2;"),
            ["select E'a''b\\';';", "select 2;"],
            "nor do two quotes"
        );
        // On one line, or with something else between them, it is another string.
        for between in [" ", "-- c", "\n/* c */", "\n,", "/* c */\n", "\x0b\n"] {
            let first = format!("select E'a'{between}'b\\';");
            let cut = postgres(&format!("{first}\n\\foo"));
            let commented = between == "-- c";
            assert_eq!(cut.last().map(String::as_str), Some("\\foo"), "{between}");
            assert!(commented || cut[0] == first, "{cut:?}");
        }
        assert_eq!(postgres("-- c\rselect 1;"), ["select 1;"]);
    }

    #[test]
    fn other_databases_have_their_own_quotes() {
        assert_eq!(
            mysql("select 'it\\'s;', \"a\\\";\", `;`; select 2"),
            ["select 'it\\'s;', \"a\\\";\", `;`", "select 2"]
        );
        assert_eq!(mysql("# one; two\nselect 3 # end; of line\n, 4;"), ["select 3 # end; of line\n, 4"]);
        assert_eq!(mysql("select 5--3; select $$, 1;"), ["select 5--3", "select $$, 1"], "two minus signs");
        assert_eq!(mysql("/* a /* ; */ select 1;;"), ["/* a /* ; */ select 1"], "comments do not nest");
        for executable in
            ["/*!50000 'a */; b', (1 */", "/*M! \"*/\\\";\" */", "/*! `*/;` /*!1 x; \\y */", "/*! 1 /* ' */ */"]
        {
            let first = format!("select {executable} + 2");
            assert_eq!(mysql(&format!("{first}; select 3")), [first.as_str(), "select 3"]);
        }
        assert_eq!(postgres("select /*! ' */ 1; select 2;"), ["select /*! ' */ 1;", "select 2;"]);
        let trigger =
            "create trigger t after insert on a begin update b set c = 1; select case 1 when 1 then 2 end; end";
        let sqlite = |text: &str| cut(text.as_bytes(), Dialect::Sqlite);
        assert_eq!(sqlite(&format!("{trigger}; select '\\';")), [trigger, "select '\\'"]);
        assert_eq!(sqlite("select [a;b'], 1; select 2"), ["select [a;b'], 1", "select 2"]);
        assert_eq!(postgres("select a[1;2], 3; select 4;"), ["select a[1;", "2], 3;", "select 4;"]);
    }

    #[test]
    fn a_delimiter_hides_the_semicolons_of_a_procedure() {
        let text = "DELIMITER //\ncreate procedure p() begin select 1; end//\r\ndelimiter ;\ncall p();";
        assert_eq!(mysql(text), ["create procedure p() begin select 1; end", "call p()"]);
        assert_eq!(postgres(text), ["create procedure p() begin select 1; end", "call p();"]);
        assert_eq!(mysql("select delimiter from t; delimiter"), ["select delimiter from t", "delimiter"]);
    }

    #[test]
    fn what_is_not_closed_is_known_with_its_line() {
        for (text, wanted) in
            [("select 1;\nselect 'abc;\n", "'"), ("select 1;\nselect $a$ $b$;", "$"), ("select 1;\nselect /* ;", "/*")]
        {
            let mut lexer = Lexer::new(text.as_bytes(), Dialect::Postgres);
            assert_eq!(lexer.statement().open, None);
            assert_eq!(lexer.statement().open, Some((wanted, 2)));
        }
    }

    #[test]
    fn what_a_server_may_execute_of_a_comment_is_no_comment() {
        let read = |text: &str| {
            let scanned = Lexer::new(text.as_bytes(), Dialect::Mysql).statement();
            let of = |all: &[Range<usize>]| all.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>().join("|");
            (of(&scanned.opaque), of(&scanned.executable), scanned.open)
        };
        let shown = |opaque: &str, executable: &str| (opaque.to_owned(), executable.to_owned(), None);
        assert_eq!(read("select /*!5 ':x' */ :x"), shown("':x'", "/*!5 ':x' */"));
        assert_eq!(read("select /*M! :x /* c */ */ 1 /* d */"), shown("/* c */|/* d */", "/*M! :x /* c */ */"));
        assert_eq!(read("\nselect\n/*! 1").2, Some(("/*", 3)));
        assert_eq!(read("select /*! '").2, Some(("'", 1)));
    }

    proptest! {
        /// Whatever the text: it ends, and nothing is lost but white space, comments, delimiters and backslashes.
        #[test]
        fn every_text_ends(text in proptest::collection::vec(prop_oneof![
            Just(b'\''), Just(b'['), Just(b']'), Just(b'\r'), Just(b'E'), Just(b';'), Just(b'-'), Just(b'#'), Just(b'*'), Just(b'/'), Just(b'!'), Just(b'M'), Just(b'\n'), Just(b'\\'), Just(b'$'), Just(b'e'), any::<u8>()], 0..80))
        {
            for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
                let pieces = cut(&text, dialect);
                prop_assert!(pieces.len() <= text.len());
            }
        }
    }
}
