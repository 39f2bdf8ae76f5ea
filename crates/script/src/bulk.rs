//! sysbench's bulk INSERT: rows are collected behind one beginning, and sent as one statement before they are too long.

/// A bulk INSERT is sent before its text exceeds this number of bytes, which is sysbench's.
const BULK_MOST: usize = 512 * 1024;

/// A bulk INSERT on one connection.
#[derive(Debug, Default)]
pub(super) struct Bulk {
    /// The length of the text before the first row; 0: not begun.
    prefix: usize,
    text: Vec<u8>,
    rows: u32,
    /// The registered statement under which its time is recorded.
    name: u16,
}

impl Bulk {
    /// Begins with the text before the first row; rows that were not sent are discarded.
    pub(super) fn begin(&mut self, prefix: &[u8], name: u16) {
        self.text.clear();
        self.text.extend_from_slice(prefix);
        (self.prefix, self.rows, self.name) = (self.text.len(), 0, name);
    }

    pub(super) fn begun(&self) -> bool {
        self.prefix > 0
    }

    /// Whether a row can be added without sending the others first; a single row always can.
    pub(super) fn has_room_for(&self, row: &[u8]) -> bool {
        self.rows == 0 || self.text.len() + row.len() < BULK_MOST
    }

    pub(super) fn add(&mut self, row: &[u8]) {
        if self.rows > 0 {
            self.text.push(b',');
        }
        self.text.extend_from_slice(row);
        self.rows += 1;
    }

    /// The registered statement and the text to send; `None` if there are no rows.
    pub(super) fn statement(&self) -> Option<(u16, &[u8])> {
        (self.rows > 0).then_some((self.name, &self.text))
    }

    /// Keeps the beginning, for further rows.
    pub(super) fn remove_rows(&mut self) {
        self.text.truncate(self.prefix);
        self.rows = 0;
    }
}
