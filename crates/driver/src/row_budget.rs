//! The limit on the rows that are kept of a reply, and the errors if it is exceeded or a row cannot be read.

use crate::{Class, Error};
use tenbin_words::msg;

/// Bytes of memory for rows. Inspections are not for reading tables.
const MOST: usize = 256 << 20;

/// The memory of a value in addition to its bytes, and of a row in addition to its values: a reply may have empty rows,
/// or thousands of columns that are NULL.
const EACH: usize = 32;

/// What was received of the rows of one reply.
#[derive(Debug, Default)]
pub(crate) struct RowBudget {
    /// Of rows and names of columns, kept or not.
    bytes: usize,
    /// One of them could not be read.
    pub(crate) broken: bool,
}

impl RowBudget {
    /// Adds a row (or the name of a column) with this many values; returns whether it may be kept.
    #[inline]
    pub(crate) fn room_for(&mut self, row: &[u8], values: usize) -> bool {
        self.bytes = self.bytes.saturating_add(row.len() + EACH * (1 + values));
        self.bytes <= MOST
    }

    /// An error unless all rows could be read and kept.
    pub(crate) fn whole(&self) -> Result<(), Error> {
        if self.broken {
            return Err(Error::new(Class::Protocol, msg!("row-unreadable")));
        }
        if self.bytes > MOST {
            let what = msg!("answer-too-large", mib = MOST >> 20);
            return Err(Error::new(Class::Limit, what).hint(msg!("ask-for-fewer-rows")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_or_unreadable_is_no_answer() {
        let (mut budget, row) = (RowBudget::default(), vec![0; MOST / 2 - 64]);
        assert!(budget.room_for(&row, 1) && budget.room_for(&row, 1) && budget.whole().is_ok());
        assert!(!budget.room_for(&[0], 1));
        assert_eq!(budget.whole().unwrap_err().class(), Class::Limit);
        // Empty rows, and rows of NULL values, which take one bit each on the wire.
        let mut empty = RowBudget::default();
        assert_eq!((0..MOST).take_while(|_| empty.room_for(&[], 0)).count(), MOST / 32);
        let mut nulls = RowBudget::default();
        assert_eq!((0..MOST).take_while(|_| nulls.room_for(&[0; 8193], 65_535)).count(), 127);
        let unreadable = RowBudget { broken: true, ..RowBudget::default() };
        assert_eq!(unreadable.whole().unwrap_err().class(), Class::Protocol);
    }
}
