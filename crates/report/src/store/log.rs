//! Reads the lines of a log one by one. The memory it takes is limited, whatever the file contains.

use super::files::{RunFile, size};
use std::io::{self, BufRead, BufReader};

/// The longest line that is read, bytes. Lines that Tenbin writes are shorter, even with a million clients or ten
/// thousand trials.
pub const MOST_LINE: usize = 64 << 20;

/// How many bytes of longer lines are skipped in total to find the next one. The limit is for files without line
/// breaks.
const MOST_PASSED: u64 = 256 << 20;

/// A log being read.
pub struct LogLines {
    from: BufReader<RunFile>,
    line: Vec<u8>,
    /// The number of lines read so far.
    pub number: u64,
    /// Whether the last of them had an end: a killed process may leave a part of one.
    pub is_ended: bool,
    passed: u64,
}

/// What [`LogLines::next`] has read.
pub enum LogLine<'a> {
    /// A line, without white space at its end.
    Line(&'a [u8]),
    /// A line that is too long for one that Tenbin has written; the reason why it is left out.
    TooLong(String),
    /// The end of the file, or of the part that is read.
    End,
}

impl LogLines {
    /// Reads a file from its current position, which should be its beginning.
    pub fn of(file: RunFile) -> LogLines {
        LogLines { from: BufReader::new(file), line: Vec::new(), number: 0, is_ended: true, passed: 0 }
    }

    /// Reads the next line. Fails if the file cannot be read.
    pub fn next(&mut self) -> io::Result<LogLine<'_>> {
        if self.passed > MOST_PASSED {
            return Ok(LogLine::End);
        }
        self.line.clear();
        let mut over = false;
        loop {
            let some = match self.from.fill_buf() {
                Ok(some) => some,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            let end = memchr::memchr(b'\n', some);
            let (taken, whole) = (end.map_or(some.len(), |at| at + 1), end.is_some() || some.is_empty());
            if over {
                self.passed += taken as u64;
            } else {
                self.line.extend_from_slice(&some[..taken]);
                over = self.line.len() > MOST_LINE;
            }
            let nothing = some.is_empty();
            self.is_ended = end.is_some();
            self.from.consume(taken);
            if nothing && self.line.is_empty() {
                return Ok(LogLine::End);
            }
            if over && self.passed > MOST_PASSED {
                self.number += 1;
                self.line = Vec::new();
                let what =
                    format!("line {} is longer than {}: nothing behind it is read", self.number, size(MOST_PASSED));
                return Ok(LogLine::TooLong(what));
            }
            if whole {
                self.number += 1;
                if over {
                    self.line = Vec::new();
                    return Ok(LogLine::TooLong(format!(
                        "line {} is longer than {}",
                        self.number,
                        size(MOST_LINE as u64)
                    )));
                }
                return Ok(LogLine::Line(self.line.trim_ascii_end()));
            }
        }
    }
}
