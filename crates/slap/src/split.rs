//! Splits a text into statements at a delimiter of any length outside of quotes and comments; one statement at a
//! time, so that a file of any size needs no more memory than its longest statement. Bytes need not be UTF-8.
//!
//! mysqlslap uses only the first character of the delimiter and splits inside quotes (`SELECT ';'` becomes two
//! statements).

use std::io::{self, BufRead};

/// The maximum packet of any server.
const LONGEST: usize = 1 << 30;

/// Reads statements from `from` until there are no more.
pub struct Statements<R> {
    from: R,
    delimiter: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScanState {
    Plain,
    Quote(u8),
    /// After a backslash in a quote.
    Escaped(u8),
    /// To the end of the line; removed.
    Line,
    /// After `/*`: what follows determines whether it is a comment or a hint.
    Opened,
    Block,
}

impl<R: BufRead> Statements<R> {
    /// `delimiter` must not be empty.
    pub fn new(from: R, delimiter: &[u8]) -> Statements<R> {
        Statements { from, delimiter: delimiter.to_vec() }
    }

    /// The next statement, without its delimiter and the white space around it; empty ones are skipped.
    pub fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match self.piece()? {
                None => return Ok(None),
                Some((text, true)) => return Ok(Some(text)),
                Some((_, false)) => {}
            }
        }
    }

    /// The text up to the next delimiter or the end, and whether it contains more than comments.
    fn piece(&mut self) -> io::Result<Option<(Vec<u8>, bool)>> {
        let mut cut =
            Cut { delimiter: &self.delimiter, text: Vec::new(), state: ScanState::Plain, plain_from: 0, holds: false };
        let mut read = false;
        loop {
            let complete = if cut.state == ScanState::Line {
                // Such a comment is discarded, however long it is.
                self.from.skip_until(b'\n')?;
                cut.push(b'\n')
            } else {
                let bytes = self.from.fill_buf()?;
                if bytes.is_empty() {
                    return Ok(read.then(|| cut.finish()));
                }
                read = true;
                let stop = bytes.iter().position(|b| cut.push(*b) || cut.state == ScanState::Line);
                let used = stop.map_or(bytes.len(), |at| at + 1);
                self.from.consume(used);
                stop.is_some() && cut.state != ScanState::Line
            };
            if complete {
                cut.text.truncate(cut.text.len() - self.delimiter.len());
                return Ok(Some(cut.finish()));
            }
            if cut.text.len() > LONGEST {
                return Err(io::Error::other("a statement is longer than 1 GiB; is the delimiter right?"));
            }
        }
    }
}

struct Cut<'a> {
    delimiter: &'a [u8],
    text: Vec<u8>,
    state: ScanState,
    /// The start of the current text outside of quotes and comments.
    plain_from: usize,
    holds: bool,
}

impl Cut<'_> {
    /// Adds a byte; returns whether it completes the delimiter.
    fn push(&mut self, byte: u8) -> bool {
        match self.state {
            ScanState::Plain => return self.plain(byte),
            ScanState::Line if byte == b'\n' => {
                (self.state, self.plain_from) = (ScanState::Plain, self.text.len());
                return self.plain(byte);
            }
            ScanState::Line => return false,
            ScanState::Quote(_) if byte == b'\\' => self.state = self.escaped(),
            ScanState::Quote(quote) if byte == quote => self.back_to_plain(),
            ScanState::Escaped(quote) => self.state = ScanState::Quote(quote),
            ScanState::Quote(_) => {}
            // `/*!` and `/*M!` contain SQL that the server executes.
            ScanState::Opened => {
                self.holds |= byte == b'!' || byte == b'M';
                self.state = ScanState::Block;
            }
            ScanState::Block if byte == b'/' && self.text.ends_with(b"*") => self.back_to_plain(),
            ScanState::Block => {}
        }
        self.text.push(byte);
        false
    }

    fn plain(&mut self, byte: u8) -> bool {
        // `-- ` is a comment only with white space after the dashes.
        let dashes = self.text[self.plain_from..].ends_with(b"--") && !self.delimiter.starts_with(b"--");
        if dashes && byte.is_ascii_whitespace() {
            self.text.truncate(self.text.len() - 2);
            self.state = ScanState::Line;
            self.holds = self.text.iter().any(|b| !b.is_ascii_whitespace()) && self.holds;
            return self.push(byte);
        }
        if byte == b'#' && !self.delimiter.contains(&b'#') {
            self.state = ScanState::Line;
            return false;
        }
        self.text.push(byte);
        let mine = &self.text[self.plain_from..];
        if mine.ends_with(self.delimiter) {
            return true;
        }
        if matches!(byte, b'\'' | b'"' | b'`') && !self.delimiter.contains(&byte) {
            self.holds = true;
            self.state = ScanState::Quote(byte);
        } else if mine.ends_with(b"/*") && !self.delimiter.contains(&b'/') {
            self.state = ScanState::Opened;
        } else {
            self.holds |= !byte.is_ascii_whitespace() && byte != b'/';
        }
        false
    }

    fn escaped(&self) -> ScanState {
        match self.state {
            ScanState::Quote(b'`') => self.state,
            ScanState::Quote(quote) => ScanState::Escaped(quote),
            other => other,
        }
    }

    /// The next byte is outside of quotes and comments again.
    fn back_to_plain(&mut self) {
        (self.state, self.plain_from) = (ScanState::Plain, self.text.len() + 1);
    }

    fn finish(self) -> (Vec<u8>, bool) {
        let text = self.text.trim_ascii();
        let holds = self.holds && !text.is_empty() && text != b"--";
        (text.to_vec(), holds)
    }
}

/// All statements of a short text.
pub fn all(text: &[u8], delimiter: &[u8]) -> Vec<Vec<u8>> {
    let mut statements = Statements::new(text, delimiter);
    let mut all = Vec::new();
    // Reading from memory cannot fail.
    while let Ok(Some(statement)) = statements.next() {
        all.push(statement);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str, delimiter: &str) -> Vec<String> {
        all(text.as_bytes(), delimiter.as_bytes()).into_iter().map(|s| String::from_utf8(s).unwrap()).collect()
    }

    #[test]
    fn statements_end_at_the_delimiter() {
        assert_eq!(cut("a;b;;c;", ";"), ["a", "b", "c"], "mysqlslap stops at the empty one");
        assert_eq!(cut("select 1\nselect 2\n\nselect 3", "\n"), ["select 1", "select 2", "select 3"]);
        assert_eq!(cut("select 1", "\n"), ["select 1"]);
        assert_eq!(cut("", ";"), [""; 0]);
        assert_eq!(cut(" \n ", ";"), [""; 0]);
    }

    #[test]
    fn quotes_hide_the_delimiter() {
        assert_eq!(
            cut("SELECT ';' FROM t; SELECT \"a;\"\";b\"; SELECT `;`", ";"),
            ["SELECT ';' FROM t", "SELECT \"a;\"\";b\"", "SELECT `;`"]
        );
        assert_eq!(cut(r"SELECT 'it\'s; here', '\\'; SELECT 2", ";"), [r"SELECT 'it\'s; here', '\\'", "SELECT 2"]);
        assert_eq!(cut("SELECT 'a''b;c'; d", ";"), ["SELECT 'a''b;c'", "d"]);
        assert_eq!(cut(r"SELECT `\`; b", ";"), [r"SELECT `\`", "b"], "no escapes in names");
    }

    #[test]
    fn comments_are_no_statements_and_hide_the_delimiter() {
        assert_eq!(cut("select 1;\n-- comment; x\nselect 2;\n", ";"), ["select 1", "select 2"]);
        assert_eq!(cut("# one; two\nselect 3 # end; of line\n, 4;", ";"), ["select 3 \n, 4"]);
        assert_eq!(cut("/* a;b */ select 1; /* c */; select 2", ";"), ["/* a;b */ select 1", "select 2"]);
        assert_eq!(cut("select 5--3; select 2", ";"), ["select 5--3", "select 2"], "two minus signs");
        assert_eq!(cut("/*!50000 set @a=1;*/", ";"), ["/*!50000 set @a=1;*/"], "SQL for the server, not a comment");
        assert_eq!(cut("-- it's one line\nselect 1\n--\nselect 2", "\n"), ["select 1", "select 2"]);
        assert_eq!(cut("select 4/2; select 1", ";"), ["select 4/2", "select 1"]);
    }

    #[test]
    fn a_delimiter_of_several_letters_is_taken_whole() {
        assert_eq!(
            cut("create procedure p() begin select 1; end$$\ncall p()$$", "$$"),
            ["create procedure p() begin select 1; end", "call p()"]
        );
        assert_eq!(cut("aENDb END c", "END"), ["a", "b", "c"]);
        assert_eq!(cut("select '$$'; x$ $$ y", "$$"), ["select '$$'; x$", "y"]);
    }

    #[test]
    fn bytes_stay_what_they_are() {
        let text = b"INSERT INTO t VALUES ('\xff\x00\xfe;\x80');\xe3\x81;";
        assert_eq!(all(text, b";"), [&b"INSERT INTO t VALUES ('\xff\x00\xfe;\x80')"[..], &b"\xe3\x81"[..]]);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_small_reads_cut_alike(text in proptest::collection::vec(
            prop_oneof![Just(b'\''), Just(b';'), Just(b'-'), Just(b'#'), Just(b'*'), Just(b'/'), Just(b'\n'), Just(b'\\'), Just(b'a'), any::<u8>()], 0..60),
            delimiter in prop_oneof![Just(";"), Just("\n"), Just(";;"), Just("a*"), Just("--"), Just("/")])
        {
            let whole = all(&text, delimiter.as_bytes());
            let mut slow = Statements::new(io::BufReader::with_capacity(1, &text[..]), delimiter.as_bytes());
            let mut one_by_one = Vec::new();
            while let Some(statement) = slow.next().unwrap() {
                one_by_one.push(statement);
            }
            prop_assert_eq!(whole, one_by_one);
        }
    }
}
