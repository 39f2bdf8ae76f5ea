//! Reads the reply to a command as it arrives, packet by packet; rows are counted and skipped, not stored.
//!
//! [`Reply::feed`] takes the received bytes and returns how many of them were consumed. It never waits, allocates or
//! reads a socket, so the same code runs under any transport and under a fuzzer.

use super::bytes::Bytes;
use super::capability::{STATUS_IN_TRANSACTION, STATUS_MORE_RESULTS};
use super::fault::words;
use super::packet::{FULL, HEADER, unasked};
use super::{Fault, ServerError};

/// A receiver of column definitions and rows; most callers need none.
pub trait Rows {
    /// A column definition's payload.
    fn column(&mut self, _definition: &[u8]) {}
    /// The definitions of this many columns are left out ([`CACHE_METADATA`](super::capability::CACHE_METADATA)); `false`: they are not
    /// known here, which is an error.
    fn cached(&mut self, _columns: usize) -> bool {
        false
    }
    /// All definitions of a result have been received.
    fn defined(&mut self) {}
    /// A row's payload, if it fits into one packet.
    fn row(&mut self, _row: &[u8]) {}
    /// The end of the rows of a result; another result may follow.
    fn end(&mut self) {}
    /// A result without rows, and the number of rows that it changed.
    fn changed(&mut self, _rows: u64) {}
}

/// Ignores everything.
impl Rows for () {}

/// The outcome of [`Reply::feed`].
#[derive(Debug, PartialEq, Eq)]
pub enum Fed {
    /// More bytes are needed; at least this many are known to follow.
    More(usize),
    /// The reply is complete.
    Done,
    /// The server reported an error; the connection can be used for the next command.
    Refused(ServerError),
    /// The server requests this file (`LOAD DATA LOCAL`).
    WantsFile(String),
}

/// The state of reading the reply to one command.
#[derive(Debug, Default)]
pub struct Reply {
    state: ReplyState,
    sequence: u8,
    /// Packet numbers are not checked: the packets are inside frames with numbers of their own.
    unnumbered: bool,
    /// The number of columns is followed by whether their definitions are.
    caches: bool,
    /// The last packet was full: the next one continues the same message.
    continued: bool,
    /// Rows returned, over all results.
    pub rows: u64,
    /// Rows changed, over all results.
    pub affected: u64,
    /// The number generated for a row, from the last result without rows; 0: none.
    pub insert_id: u64,
    /// A transaction of the session is open after the last result.
    pub open: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ReplyState {
    /// The first packet of a result.
    #[default]
    First,
    /// This many column definitions follow.
    Columns(u64),
    /// The packet that ends them.
    ColumnsEnd,
    Rows,
}

impl Reply {
    /// A reply whose first packet has this number.
    #[inline]
    pub fn new(sequence: u8) -> Reply {
        Reply { sequence, ..Reply::default() }
    }

    /// A reply in frames of the [compressed](super::compressed) protocol.
    #[inline]
    pub fn in_frames() -> Reply {
        Reply { unnumbered: true, ..Reply::default() }
    }

    /// The same on a connection with [`CACHE_METADATA`](super::capability::CACHE_METADATA), or without.
    #[inline]
    pub fn caches(self, caches: bool) -> Reply {
        Reply { caches, ..self }
    }

    /// The number of the next packet, for a caller that sends data.
    pub fn sequence(&self) -> u8 {
        self.sequence
    }

    /// Processes the received bytes in `buffer`; returns the number of bytes consumed and the outcome.
    #[inline]
    pub fn feed(&mut self, buffer: &[u8], rows: &mut impl Rows) -> Result<(usize, Fed), Fault> {
        let mut used = 0;
        loop {
            let Some((head, rest)) = buffer[used..].split_first_chunk::<HEADER>() else {
                return Ok((used, Fed::More(HEADER + used - buffer.len())));
            };
            let word = u32::from_le_bytes(*head);
            let (len, got) = ((word & 0xFF_FFFF) as usize, (word >> 24) as u8);
            if got != self.sequence && !self.unnumbered && !unasked(got, len, rest) {
                return Err(Fault::OutOfOrder { expected: self.sequence, got });
            }
            let Some(payload) = rest.get(..len) else { return Ok((used, Fed::More(len - rest.len()))) };
            used += HEADER + len;
            self.sequence = self.sequence.wrapping_add(1);
            let continues = std::mem::replace(&mut self.continued, len == FULL);
            if continues {
                continue;
            }
            if let Some(fed) = self.packet(payload, rows)? {
                return Ok((used, fed));
            }
        }
    }

    #[inline]
    fn packet(&mut self, payload: &[u8], rows: &mut impl Rows) -> Result<Option<Fed>, Fault> {
        let first = *payload.first().ok_or(Fault::Malformed("empty packet"))?;
        match self.state {
            ReplyState::Rows if first == 0xFE && payload.len() < 9 => {
                rows.end();
                return self.end(payload);
            }
            ReplyState::Rows if first != 0xFF => {
                self.rows += 1;
                rows.row(payload);
            }
            _ if first == 0xFF => return Ok(Some(Fed::Refused(ServerError::parse(payload)?))),
            ReplyState::First => return self.first(payload, first, rows),
            ReplyState::Columns(left) => {
                rows.column(payload);
                self.state = if left > 1 { ReplyState::Columns(left - 1) } else { ReplyState::ColumnsEnd };
            }
            ReplyState::ColumnsEnd if first == 0xFE && payload.len() < 9 => {
                rows.defined();
                self.state = ReplyState::Rows;
            }
            ReplyState::ColumnsEnd | ReplyState::Rows => return Err(Fault::Malformed("end of column definitions")),
        }
        Ok(None)
    }

    fn first(&mut self, payload: &[u8], first: u8, rows: &mut impl Rows) -> Result<Option<Fed>, Fault> {
        let mut b = Bytes::new(payload, "answer");
        match first {
            0x00 => {
                b.u8()?;
                let changed = b.lenenc()?;
                self.affected = self.affected.wrapping_add(changed);
                rows.changed(changed);
                self.insert_id = b.lenenc()?;
                let status = b.u16()?;
                Ok(self.ended(status))
            }
            0xFB => Ok(Some(Fed::WantsFile(words(&payload[1..])))),
            _ => {
                let columns = b.lenenc()?;
                let follow = !self.caches || b.u8()? != 0;
                if columns == 0 || columns > 65_535 || !b.is_empty() {
                    return Err(Fault::Malformed("number of columns"));
                }
                self.state = match follow {
                    true => ReplyState::Columns(columns),
                    false if rows.cached(columns as usize) => ReplyState::ColumnsEnd,
                    false => return Err(Fault::Malformed("column definitions left out")),
                };
                Ok(None)
            }
        }
    }

    /// The end of rows: warnings, then the status.
    fn end(&mut self, payload: &[u8]) -> Result<Option<Fed>, Fault> {
        let status = payload.get(3..5).map_or(0, |s| u16::from_le_bytes([s[0], s[1]]));
        self.state = ReplyState::First;
        Ok(self.ended(status))
    }

    /// What the status at the end of a result says.
    #[inline]
    fn ended(&mut self, status: u16) -> Option<Fed> {
        self.open = status & STATUS_IN_TRANSACTION != 0;
        (status & STATUS_MORE_RESULTS == 0).then_some(Fed::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mysql::packet::message;
    use proptest::prelude::*;

    /// Two results — one row of one column, then two rows — and an OK behind them.
    fn answer() -> Vec<u8> {
        let (mut out, mut n) = (Vec::new(), 1);
        let mut put = |payload: &[u8]| n = message(&mut out, n, |o| o.extend_from_slice(payload));
        put(&[1]);
        put(b"\x03def column");
        put(&[0xFE, 0, 0, 2, 0]);
        put(b"\x01a");
        put(&[0xFE, 0, 0, 8, 0]);
        put(&[1]);
        put(b"\x03def column");
        put(&[0xFE, 0, 0, 2, 0]);
        put(b"\x01b");
        put(&[0xFB]);
        put(&[0xFE, 0, 0, 8, 0]);
        put(&[0, 5, 0, 2, 0, 0, 0]);
        out
    }

    #[test]
    fn an_answer_cut_at_any_byte_reads_the_same() {
        let whole = answer();
        for cut in 0..=whole.len() {
            let mut reply = Reply::new(1);
            let (used, fed) = reply.feed(&whole[..cut], &mut ()).unwrap();
            if cut < whole.len() {
                assert!(matches!(fed, Fed::More(n) if n > 0), "cut at {cut}: {fed:?}");
                let (more, fed) = reply.feed(&whole[used..], &mut ()).unwrap();
                assert_eq!((used + more, fed), (whole.len(), Fed::Done));
            }
            assert_eq!((reply.rows, reply.affected), (3, 5));
        }
    }

    /// Knows the definitions of one column.
    #[derive(Default)]
    struct Known {
        definitions: usize,
        rows: usize,
    }

    impl Rows for Known {
        fn column(&mut self, _: &[u8]) {
            self.definitions += 1;
        }
        fn cached(&mut self, columns: usize) -> bool {
            columns == 1
        }
        fn row(&mut self, _: &[u8]) {
            self.rows += 1;
        }
    }

    #[test]
    fn definitions_may_be_left_out_if_they_are_known() {
        let answer = |columns: &[u8], definition: bool| {
            let (mut out, mut n) = (Vec::new(), 1);
            let mut put = |payload: &[u8]| n = message(&mut out, n, |o| o.extend_from_slice(payload));
            put(columns);
            definition.then(|| put(b"\x03def column"));
            put(&[0xFE, 0, 0, 2, 0]);
            put(b"\x01a");
            put(&[0xFE, 0, 0, 2, 0]);
            out
        };
        let read = |bytes: &[u8], caches: bool| {
            let mut known = Known::default();
            let fed = Reply::new(1).caches(caches).feed(bytes, &mut known).map(|(_, fed)| fed);
            (fed, known.definitions, known.rows)
        };
        assert_eq!(read(&answer(&[1, 0], false), true), (Ok(Fed::Done), 0, 1), "left out");
        assert_eq!(read(&answer(&[1, 1], true), true), (Ok(Fed::Done), 1, 1), "sent, because they have changed");
        assert_eq!(read(&answer(&[1], true), false), (Ok(Fed::Done), 1, 1), "without the capability");
        let refused = Fault::Malformed("column definitions left out");
        assert_eq!(read(&answer(&[2, 0], false), true), (Err(refused), 0, 0), "other columns than are known");
        let bytes = answer(&[1, 0], false);
        assert!(Reply::new(1).caches(true).feed(&bytes, &mut ()).is_err(), "not known");
        assert!(Reply::new(1).feed(&bytes, &mut Known::default()).is_err(), "not agreed");
        assert!(Reply::new(1).caches(true).feed(&answer(&[1], true), &mut ()).is_err(), "agreed, and not told");
    }

    #[test]
    fn refusals_files_and_disorder() {
        let mut out = Vec::new();
        message(&mut out, 1, |o| o.extend_from_slice(b"\xFF\xBD\x04#40001Deadlock found"));
        let (_, fed) = Reply::new(1).feed(&out, &mut ()).unwrap();
        assert!(matches!(&fed, Fed::Refused(e) if e.code == 1213 && e.message == "Deadlock found"), "{fed:?}");
        assert_eq!(Reply::new(2).feed(&out, &mut ()), Err(Fault::OutOfOrder { expected: 2, got: 1 }));
        out.clear();
        message(&mut out, 0, |o| o.extend_from_slice(b"\xFF\xBF\x0F#HY000idle too long"));
        for cut in 0..out.len() {
            assert!(matches!(Reply::new(1).feed(&out[..cut], &mut ()), Ok((0, Fed::More(_)))), "cut at {cut}");
        }
        assert!(matches!(Reply::new(1).feed(&out, &mut ()), Ok((_, Fed::Refused(e))) if e.code == 4031));
        out.clear();
        message(&mut out, 1, |o| o.extend_from_slice(b"\xFB/etc/passwd"));
        assert_eq!(Reply::new(1).feed(&out, &mut ()).unwrap().1, Fed::WantsFile("/etc/passwd".into()));
        assert!(Reply::new(0).feed(&[0, 0, 0, 0], &mut ()).is_err(), "an empty packet means nothing");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic_or_run_away(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..400),
            number: bool,
            caches: bool,
        ) {
            if number && bytes.len() > 4 {
                // Plausible lengths get further than noise.
                (bytes[0], bytes[1], bytes[2], bytes[3]) = (bytes[0] % 40, 0, 0, 1);
            }
            let mut reply = Reply::new(1).caches(caches);
            if let Ok((used, _)) = reply.feed(&bytes, &mut Known::default()) {
                prop_assert!(used <= bytes.len());
            }
        }

        #[test]
        fn changed_and_cut_answers_in_pieces_make_no_panic_and_come_to_an_end(
            changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..6),
            cut: usize,
            piece in 1usize..40,
        ) {
            let mut whole = answer();
            for (at, byte) in changes {
                let at = at % whole.len();
                whole[at] = byte;
            }
            whole.truncate(cut % (whole.len() + 1));
            let (mut reply, mut start, mut end) = (Reply::new(1), 0, 0);
            while end < whole.len() {
                end = (end + piece).min(whole.len());
                match reply.feed(&whole[start..end], &mut ()) {
                    Ok((used, Fed::More(wanted))) => {
                        prop_assert!(used <= end - start && wanted > 0 && wanted <= FULL + HEADER);
                        start += used;
                    }
                    Ok((used, _)) => {
                        prop_assert!(used <= end - start);
                        break;
                    }
                    Err(_) => break,
                }
            }
        }

        #[test]
        fn one_changed_byte_makes_no_panic(at in 0usize..200, byte: u8) {
            let mut whole = answer();
            let at = at % whole.len();
            whole[at] = byte;
            let _ = Reply::new(1).feed(&whole, &mut ());
        }
    }
}
