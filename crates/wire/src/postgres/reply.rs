//! Reads the reply to a command as it arrives, message by message; rows are counted and skipped, not stored.
//!
//! [`Reply::feed`] takes the received bytes and returns how many of them were consumed. It never waits or reads a
//! socket, and allocates for an error only, so the same code runs under any transport and under a fuzzer. A row that
//! that is not needed is skipped even before it has arrived completely.

use super::message::{HEADER, Head};
use super::{Fault, ServerError};

/// A receiver of descriptions and rows; most callers need none.
pub trait Rows {
    /// Whether rows are needed: if so, each row is collected completely first.
    const LOOKS: bool;
    /// Whether notices are needed.
    const NOTICES: bool = false;
    /// The body of a row description.
    fn columns(&mut self, _body: &[u8]) {}
    /// The body of a row.
    fn row(&mut self, _body: &[u8]) {}
    /// The body of a notice.
    fn notice(&mut self, _body: &[u8]) {}
    /// One result is over; another may follow.
    fn end(&mut self) {}
    /// The number of rows that a result changed; called before its end.
    fn changed(&mut self, _rows: u64) {}
    /// The number of rows that all results so far have returned; called before the end of each.
    fn returned(&mut self, _rows: u64) {}
}

/// Ignores everything.
impl Rows for () {
    const LOOKS: bool = false;
}

/// The outcome of [`Reply::feed`].
#[derive(Debug, PartialEq, Eq)]
pub enum Fed {
    /// More bytes are needed; there should be space for this many.
    More(usize),
    /// The reply is complete.
    Done,
    /// The server reported an error. Unless it is fatal, the connection can be used for the next command.
    Refused(ServerError),
    /// The server waits for the rows of `COPY … FROM STDIN`.
    WantsData,
}

/// The state of reading the reply to one command.
#[derive(Debug, Default)]
pub struct Reply {
    /// Bytes of the current message that are still to be skipped.
    skip: usize,
    error: Option<ServerError>,
    /// A statement was completed with ROLLBACK. COMMIT does this, without an error, if an earlier statement had failed.
    pub rolled_back: bool,
    /// Rows returned, over all results.
    pub rows: u64,
    /// Rows changed, over all results.
    pub affected: u64,
    /// Of the rows changed, those that were returned too.
    pub changed_and_returned: u64,
    /// Rows were sent by `COPY … TO STDOUT`, which are not counted.
    pub copies_out: bool,
    /// Rows returned by the statements that are completed.
    rows_before: u64,
    /// At its end: `I` idle, `T` in a transaction, `E` in one that has failed; 0 before it.
    pub status: u8,
}

/// The maximum length of a command tag.
const TAG_MOST: usize = 1024;

/// The maximum length of error messages and descriptions.
const WORDS_MOST: usize = 1 << 20;

/// The maximum length of a row that is collected. PostgreSQL's own limit for one value is four times that, but
/// no caller needs such values; skipped rows may have any length.
const ROW_MOST: usize = 256 << 20;

/// Space requested while a long row is skipped.
const ROOM: usize = 64 * 1024;

impl Reply {
    /// A reply of which nothing was received yet.
    #[inline]
    pub fn new() -> Reply {
        Reply::default()
    }

    /// Processes the received bytes in `buffer`; returns the number of bytes consumed and the outcome.
    #[inline]
    pub fn feed<R: Rows>(&mut self, buffer: &[u8], rows: &mut R) -> Result<(usize, Fed), Fault> {
        let mut used = 0;
        loop {
            let rest = &buffer[used..];
            if self.skip > rest.len() {
                self.skip -= rest.len();
                return Ok((buffer.len(), Fed::More(self.skip.min(ROOM))));
            }
            let rest = &rest[self.skip..];
            used += self.skip;
            self.skip = 0;
            let Some(head) = Head::read(rest)? else { return Ok((used, Fed::More(HEADER - rest.len()))) };
            let (most, passed) = match head.kind {
                b'D' => {
                    if !R::LOOKS {
                        self.rows += 1;
                    }
                    (ROW_MOST, !R::LOOKS)
                }
                b'T' => (WORDS_MOST, !R::LOOKS),
                b'N' => (WORDS_MOST, !R::NOTICES),
                b'C' => (TAG_MOST, false),
                b'E' => (WORDS_MOST, false),
                b'Z' => (1, false),
                b'G' => (WORDS_MOST, false),
                // Parsed, bound, closed, no data, empty, suspended; parameters described; notice, setting,
                // notification, key; rows that COPY sends out, and their end.
                b'1' | b'2' | b'3' | b'n' | b'I' | b's' | b't' | b'S' | b'A' | b'K' | b'd' | b'c' => (0, true),
                b'H' => {
                    self.copies_out = true;
                    (0, true)
                }
                other => return Err(Fault::Unexpected(char::from(other))),
            };
            if passed {
                used += HEADER;
                self.skip = head.len;
                continue;
            }
            if head.len > most {
                return Err(Fault::TooLong { limit: most });
            }
            let Some(body) = rest.get(HEADER..HEADER + head.len) else {
                return Ok((used, Fed::More(HEADER + head.len - rest.len())));
            };
            used += HEADER + head.len;
            if let Some(fed) = self.message(head.kind, body, rows)? {
                return Ok((used, fed));
            }
        }
    }

    #[inline]
    fn message(&mut self, kind: u8, body: &[u8], rows: &mut impl Rows) -> Result<Option<Fed>, Fault> {
        match kind {
            b'C' => {
                let before = self.affected;
                self.complete(body);
                let changed = self.affected.wrapping_sub(before);
                self.changed_and_returned += changed.min(self.rows - self.rows_before);
                self.rows_before = self.rows;
                rows.changed(changed);
                rows.returned(self.rows);
                rows.end();
            }
            b'Z' => {
                // Idle, in a transaction, in one that has failed.
                if !matches!(body, b"I" | b"T" | b"E") {
                    return Err(Fault::Malformed("transaction status"));
                }
                self.status = body.first().copied().unwrap_or(0);
                return Ok(Some(match self.error.take() {
                    None => Fed::Done,
                    Some(error) => Fed::Refused(error),
                }));
            }
            b'E' => {
                let error = ServerError::parse(body)?;
                if error.fatal {
                    return Ok(Some(Fed::Refused(error)));
                }
                self.error.get_or_insert(error);
            }
            b'G' => return Ok(Some(Fed::WantsData)),
            b'N' => rows.notice(body),
            b'D' => {
                self.rows += 1;
                rows.row(body);
            }
            _ => rows.columns(body),
        }
        Ok(None)
    }

    /// The command tag that ends a statement: `INSERT 0 3`, `UPDATE 1`, `SELECT 100`, `BEGIN`.
    #[inline]
    fn complete(&mut self, body: &[u8]) {
        let tag = body.strip_suffix(&[0]).unwrap_or(body);
        let verb = tag.split(|b| *b == b' ').next().unwrap_or(tag);
        match verb {
            b"INSERT" | b"UPDATE" | b"DELETE" | b"MERGE" | b"COPY" => {
                let last = tag.rsplit(|b| *b == b' ').next().unwrap_or(&[]);
                let number = last.iter().try_fold(0u64, |n, b| {
                    b.is_ascii_digit().then(|| n.wrapping_mul(10).wrapping_add(u64::from(b - b'0')))
                });
                self.affected = self.affected.wrapping_add(number.unwrap_or(0));
            }
            b"ROLLBACK" => self.rolled_back = true,
            _ => {}
        }
    }

    /// The error of a reply that ended early.
    pub fn error(self) -> Option<ServerError> {
        self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        [&[kind][..], &(body.len() as i32 + 4).to_be_bytes(), body].concat()
    }

    fn drive(bytes: &[u8], piece: usize) -> (Reply, Result<Fed, Fault>) {
        let (mut reply, mut start, mut end) = (Reply::new(), 0, 0);
        loop {
            end = (end + piece).min(bytes.len());
            match reply.feed(&bytes[start..end], &mut ()) {
                Ok((used, Fed::More(_))) if end < bytes.len() => start += used,
                Ok((_, fed)) => return (reply, Ok(fed)),
                Err(fault) => return (reply, Err(fault)),
            }
        }
    }

    fn ready() -> Vec<u8> {
        message(b'Z', b"I")
    }

    #[test]
    fn rows_are_counted_and_tags_summed() {
        let bytes = [
            message(b'2', b""),
            message(b'D', b"\0\x01\0\0\0\x011"),
            message(b'N', b"whatever"),
            message(b'D', &[7; 5000]),
            message(b'C', b"SELECT 2\0"),
            message(b'C', b"INSERT 0 12\0"),
            message(b'C', b"UPDATE 30\0"),
            message(b'C', b"BEGIN\0"),
            ready(),
        ]
        .concat();
        for piece in [1, 3, 100, 4096, bytes.len()] {
            let (reply, fed) = drive(&bytes, piece);
            assert_eq!((fed, reply.rows, reply.affected, reply.rolled_back), (Ok(Fed::Done), 2, 42, false));
        }
    }

    #[test]
    fn rows_that_a_change_returns_are_counted_once() {
        let row = message(b'D', b"\0\x01\0\0\0\x011");
        let bytes = [
            row.clone(),
            message(b'C', b"SELECT 1\0"),
            row.clone(),
            row,
            message(b'C', b"INSERT 0 2\0"),
            message(b'C', b"UPDATE 5\0"),
            ready(),
        ]
        .concat();
        for piece in [1, bytes.len()] {
            let reply = drive(&bytes, piece).0;
            assert_eq!((reply.rows, reply.affected, reply.changed_and_returned), (3, 7, 2));
        }
    }

    #[test]
    fn an_error_ends_where_the_server_is_ready_again_and_a_fatal_one_at_once() {
        let bytes =
            [message(b'E', b"VERROR\0C40P01\0Mdeadlock\0\0"), message(b'E', b"C00000\0Mlater\0\0"), ready()].concat();
        let Ok(Fed::Refused(error)) = drive(&bytes, bytes.len()).1 else { panic!() };
        assert_eq!((error.code(), error.fatal), ("40P01", false));
        let (reply, fed) = drive(&message(b'E', b"VERROR\0C40P01\0Mdeadlock\0\0"), 4);
        assert!(matches!(fed, Ok(Fed::More(_))), "the server is not ready yet");
        assert_eq!(reply.error().unwrap().code(), "40P01");
        let Ok(Fed::Refused(error)) = drive(&message(b'E', b"VFATAL\0C57P01\0Mbye\0\0"), 9).1 else { panic!() };
        assert!(error.fatal);
    }

    #[test]
    fn what_is_no_answer_is_a_fault() {
        assert_eq!(drive(b"HTTP/1.1 400 Bad Request", 24).1, Ok(Fed::More(ROOM)), "a length that one might believe");
        assert_eq!(drive(b"Z\0\0\0\x03xx", 7).1, Err(Fault::Malformed("message length")));
        assert_eq!(drive(&message(b'Z', b"?"), 6).1, Err(Fault::Malformed("transaction status")));
        assert_eq!(drive(&message(b'W', b""), 5).1, Err(Fault::Unexpected('W')));
        assert_eq!(drive(b"C\x7f\xff\xff\xff", 5).1, Err(Fault::TooLong { limit: TAG_MOST }));
    }

    #[test]
    fn copy_waits_for_data_and_commit_may_have_rolled_back() {
        assert_eq!(drive(&message(b'G', b"\0\0\0"), 8).1, Ok(Fed::WantsData));
        let (reply, fed) = drive(&[message(b'C', b"ROLLBACK\0"), ready()].concat(), 5);
        assert_eq!((fed, reply.rolled_back), (Ok(Fed::Done), true));
    }

    proptest! {
        /// The outcome does not depend on how the bytes are split, and at least one byte is always requested.
        #[test]
        fn pieces_do_not_matter(
            parts in proptest::collection::vec((proptest::sample::select(b"DTCEZGNS12I".to_vec()), proptest::collection::vec(any::<u8>(), 0..40)), 0..12),
            piece in 1usize..50,
        ) {
            let bytes: Vec<u8> = parts.iter().flat_map(|(kind, body)| message(*kind, body)).collect();
            let (whole, a) = drive(&bytes, bytes.len().max(1));
            let (cut, b) = drive(&bytes, piece);
            prop_assert_eq!((whole.rows, whole.affected, a), (cut.rows, cut.affected, b));
        }
    }
}
