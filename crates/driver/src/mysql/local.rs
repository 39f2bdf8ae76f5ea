//! The file that a LOAD DATA LOCAL statement names: the only one that is sent to its server.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The file name in the statement, verbatim; `None` if it is not a LOAD … LOCAL INFILE 'file'.
pub fn named(sql: &[u8]) -> Option<Vec<u8>> {
    let mut rest = word(sql.trim_ascii_start(), b"LOAD")?;
    // DATA or XML; LOW_PRIORITY or CONCURRENT.
    while let Some(after) = [&b"DATA"[..], b"XML", b"LOW_PRIORITY", b"CONCURRENT"].iter().find_map(|w| word(rest, w)) {
        rest = after;
    }
    let rest = word(word(rest, b"LOCAL")?, b"INFILE")?;
    let (quote, mut at) = (*rest.first().filter(|q| matches!(q, b'\'' | b'"'))?, 1);
    let mut path = Vec::new();
    loop {
        match (*rest.get(at)?, rest.get(at + 1)) {
            (b'\\', Some(b'0' | b'b' | b'n' | b'r' | b't' | b'Z')) => return None,
            (b'\\', Some(byte)) => {
                path.push(*byte);
                at += 2;
            }
            (byte, Some(next)) if byte == quote && *next == quote => {
                path.push(quote);
                at += 2;
            }
            (byte, _) if byte == quote => return Some(path),
            (byte, _) => {
                path.push(byte);
                at += 1;
            }
        }
    }
}

/// The text after this word and the blanks that follow it.
fn word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = text.split_at_checked(word.len())?;
    let whole = rest.first().is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_');
    (head.eq_ignore_ascii_case(word) && whole).then(|| rest.trim_ascii_start())
}

pub fn open(path: &[u8]) -> io::Result<File> {
    File::open(Path::new(std::ffi::OsStr::from_bytes(path)))
}

/// The next bytes of it, at most this many; none at its end.
pub fn chunk(file: &mut File, most: usize) -> io::Result<Vec<u8>> {
    let mut chunk = Vec::new();
    #[expect(clippy::disallowed_methods, reason = "it ends at the limit")]
    file.take(most as u64).read_to_end(&mut chunk)?;
    Ok(chunk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_statement_itself_names_a_file() {
        let of = |sql: &str| named(sql.as_bytes()).map(|path| String::from_utf8(path).unwrap());
        for (sql, path) in [
            ("LOAD DATA LOCAL INFILE '/tmp/a b.csv' INTO TABLE t", Some("/tmp/a b.csv")),
            (" load data\n concurrent local infile \"it''s.csv\" into table t", Some("it''s.csv")),
            ("LOAD DATA LOCAL INFILE 'it''s \\'x' INTO TABLE t", Some("it's 'x")),
            ("LOAD XML LOCAL INFILE'x' INTO TABLE t", Some("x")),
            ("LOAD DATA INFILE '/etc/passwd' INTO TABLE t", None),
            ("SELECT 'LOAD DATA LOCAL INFILE ''x'''", None),
            ("LOAD DATA LOCAL INFILE 'never ends", None),
            ("LOAD DATA LOCAL INFILE x", None),
            ("LOADDATA LOCAL INFILE 'x'", None),
        ] {
            assert_eq!(of(sql).as_deref(), path, "{sql}");
        }
    }
}
