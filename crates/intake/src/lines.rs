//! Lines of a connection, none of which is held beyond a limit.

use std::io::{BufRead, BufReader, ErrorKind, Read};

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// As much of it as may be held. What follows is the next line, because it is not known whether it has an end.
    Cut(Vec<u8>),
}

impl Line {
    /// The bytes that are there.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Line::Whole(bytes) | Line::Cut(bytes) => bytes,
        }
    }

    /// The same as text; what is no UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes()).trim_end_matches('\r').to_owned()
    }
}

/// The lines of a source.
#[derive(Debug)]
pub struct Lines<R> {
    from: BufReader<R>,
}

impl<R: Read> Lines<R> {
    /// Of this source.
    pub fn of(from: R) -> Lines<R> {
        Lines { from: BufReader::new(from) }
    }

    /// The next line, of which at most this many bytes are held; `None` at the end.
    pub fn next(&mut self, most: usize) -> Option<std::io::Result<Line>> {
        let (mut line, mut is_begun) = (Vec::new(), false);
        loop {
            let there = match self.from.fill_buf() {
                Ok(there) => there,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Some(Err(error)),
            };
            if there.is_empty() {
                return is_begun.then_some(Ok(Line::Whole(line)));
            }
            is_begun = true;
            let end = memchr::memchr(b'\n', there);
            let piece = &there[..end.unwrap_or(there.len())];
            let fits = piece.len().min(most.saturating_sub(line.len()));
            line.extend_from_slice(&piece[..fits]);
            if fits < piece.len() {
                self.from.consume(fits);
                return Some(Ok(Line::Cut(line)));
            }
            let taken = fits + usize::from(end.is_some());
            self.from.consume(taken);
            if end.is_some() {
                return Some(Ok(Line::Whole(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Endless;

    fn all(text: &str, most: usize) -> Vec<(String, bool)> {
        let mut lines = Lines::of(text.as_bytes());
        let next = || lines.next(most).map(|line| line.unwrap());
        std::iter::from_fn(next).map(|line| (line.text(), matches!(line, Line::Whole(_)))).collect()
    }

    #[test]
    fn lines_are_whole_up_to_the_limit() {
        let whole = |text: &str| (text.to_owned(), true);
        assert_eq!(all("a\n\nbcd\r\ne", 4), [whole("a"), whole(""), whole("bcd"), whole("e")]);
        assert_eq!(all("abcde\nf\n", 4), [("abcd".to_owned(), false), whole("e"), whole("f")]);
        assert_eq!(all("abcd\n", 4), [whole("abcd")]);
        assert_eq!(all("", 4), []);
    }

    #[test]
    fn a_line_without_an_end_is_not_waited_for() {
        let mut taken = 0;
        let mut lines = Lines::of(Endless(&mut taken));
        assert_eq!(lines.next(100_000).unwrap().unwrap(), Line::Cut(vec![b'x'; 100_000]));
        drop(lines);
        assert!(taken < 120_000, "no more than a buffer beyond: {taken}");
    }
}
