//! How much of an answer is kept for somebody who looks at it, and what is said when it was too much or could not be read.

use crate::{Class, Error};

/// Bytes of rows. Inspections are not for reading tables.
const MOST: usize = 256 << 20;

/// What was seen of one answer's rows.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Of rows, kept or not.
    bytes: usize,
    /// One of them could not be read.
    pub(crate) broken: bool,
}

impl Seen {
    /// Takes down a row; whether there is room to keep it.
    pub(crate) fn room_for(&mut self, row: &[u8]) -> bool {
        self.bytes = self.bytes.saturating_add(row.len());
        self.bytes <= MOST
    }

    /// An error unless every row could be read and kept.
    pub(crate) fn whole(&self) -> Result<(), Error> {
        if self.broken {
            return Err(Error::new(Class::Protocol, "a row of the answer cannot be read"));
        }
        if self.bytes > MOST {
            let what = format!("the answer has more than {} MiB of rows", MOST >> 20);
            return Err(Error::new(Class::Limit, what).mend("ask for fewer rows: add LIMIT to the statement"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_or_unreadable_is_no_answer() {
        let (mut seen, row) = (Seen::default(), vec![0; MOST / 2]);
        assert!(seen.room_for(&row) && seen.room_for(&row) && seen.whole().is_ok());
        assert!(!seen.room_for(&[0]));
        assert_eq!(seen.whole().unwrap_err().class(), Class::Limit);
        let unreadable = Seen { broken: true, ..Seen::default() };
        assert_eq!(unreadable.whole().unwrap_err().class(), Class::Protocol);
    }
}
