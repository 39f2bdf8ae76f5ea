//! Writes generated values, one after the other: a line of `LOAD DATA` or a tuple of a multi-row INSERT. Appends to a
//! buffer that is reused; nothing is allocated per row.

use tenbin_workload::{Random, digits};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Tabs between the values, a newline after the last, `\N` for NULL.
    Lines,
    /// `(1,'a',NULL)`.
    Tuples,
}

/// The row being written. Values consist of letters, digits, spaces and points, so nothing needs an escape.
#[derive(Debug)]
pub(super) struct RowWriter<'a> {
    out: &'a mut Vec<u8>,
    format: Format,
    /// Whether decimals have a point; otherwise they are whole cents and ten-thousandths.
    decimals: bool,
    first: bool,
}

impl<'a> RowWriter<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, format: Format, decimals: bool) -> RowWriter<'a> {
        RowWriter { out, format, decimals, first: true }
    }

    /// Begins a row.
    #[inline]
    pub(super) fn begin(&mut self) -> &mut Self {
        self.first = true;
        if self.format == Format::Tuples {
            self.out.push(b'(');
        }
        self
    }

    /// Ends it.
    #[inline]
    pub(super) fn end(&mut self) {
        match self.format {
            Format::Lines => self.out.push(b'\n'),
            Format::Tuples => self.out.extend_from_slice(b"),"),
        }
    }

    #[inline]
    fn next(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(if self.format == Format::Lines { b'\t' } else { b',' });
        }
    }

    #[inline]
    pub(super) fn int(&mut self, value: u64) -> &mut Self {
        self.next();
        digits::push(self.out, value);
        self
    }

    #[inline]
    pub(super) fn null(&mut self) -> &mut Self {
        self.next();
        self.out.extend_from_slice(if self.format == Format::Lines { b"\\N" } else { b"NULL" });
        self
    }

    /// Money in cents.
    #[inline]
    pub(super) fn cents(&mut self, value: i64) -> &mut Self {
        self.next();
        if value < 0 {
            self.out.push(b'-');
        }
        self.fixed(value.unsigned_abs(), 2)
    }

    /// A rate in 1/10,000, with this many decimals (4 or 2) if there are decimals.
    #[inline]
    pub(super) fn rate(&mut self, ten_thousandths: u64, decimals: u32) -> &mut Self {
        self.next();
        match self.decimals {
            true => self.fixed(ten_thousandths / 10u64.pow(4 - decimals), decimals),
            false => self.fixed(ten_thousandths, decimals),
        }
    }

    /// Digits with a point before the last `decimals`.
    #[inline]
    fn fixed(&mut self, value: u64, decimals: u32) -> &mut Self {
        if !self.decimals {
            digits::push(self.out, value);
            return self;
        }
        let unit = 10u64.pow(decimals);
        digits::push(self.out, value / unit);
        self.out.push(b'.');
        let mut place_value = unit / 10;
        while place_value > 0 {
            self.out.push(b'0' + (value / place_value % 10) as u8);
            place_value /= 10;
        }
        self
    }

    #[inline]
    pub(super) fn text(&mut self, value: &[u8]) -> &mut Self {
        self.made(|out| out.extend_from_slice(value))
    }

    /// Text that `make` appends.
    #[inline]
    pub(super) fn made(&mut self, make: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        self.next();
        if self.format == Format::Tuples {
            self.out.push(b'\'');
        }
        make(self.out);
        if self.format == Format::Tuples {
            self.out.push(b'\'');
        }
        self
    }

    /// An a-string.
    #[inline]
    pub(super) fn string(&mut self, random: &mut Random, from: usize, to: usize) -> &mut Self {
        self.made(|out| super::text::alphanumeric(random, from, to, out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_with_and_without_decimals() {
        let row = |format, decimals| {
            let mut out = Vec::new();
            let mut line = RowWriter::new(&mut out, format, decimals);
            line.begin().int(7).cents(-1005).rate(1234, 4).rate(1234, 2).null().text(b"BAR").end();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(row(Format::Lines, true), "7\t-10.05\t0.1234\t0.12\t\\N\tBAR\n");
        assert_eq!(row(Format::Tuples, true), "(7,-10.05,0.1234,0.12,NULL,'BAR'),");
        assert_eq!(row(Format::Tuples, false), "(7,-1005,1234,1234,NULL,'BAR'),");
    }
}
