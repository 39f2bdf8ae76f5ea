//! Dates and times of the binary protocol, as the server writes them where it sends text (MySQL protocol, "Binary Protocol Value").

use super::Fault;
use super::bytes::Bytes;
use super::value::kind;
use std::io::{Cursor, Write};

/// The most bytes of a text; fields that would need more are of no date.
const MOST: usize = 40;

/// The most decimals of seconds. A larger number says that the column has no fixed number of them.
const MOST_DECIMALS: u8 = 6;

/// A date or time as text.
#[derive(Debug)]
pub struct MomentText(Cursor<[u8; MOST]>);

impl MomentText {
    /// Of the fields of a value, without its length byte. `kind` and `decimals` are those of its column.
    pub fn of(kind: u8, decimals: u8, fields: &[u8]) -> Result<MomentText, Fault> {
        let mut text = MomentText(Cursor::new([0; MOST]));
        let mut bytes = Bytes::new(fields, "date or time");
        let written =
            if kind == kind::TIME { text.time(&mut bytes, decimals)? } else { text.date(&mut bytes, kind, decimals)? };
        if written && bytes.is_empty() { Ok(text) } else { Err(bytes.fault()) }
    }

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        &self.0.get_ref()[..self.0.position() as usize]
    }

    /// Fields that are left out are zero. Returns whether there is space for the text.
    fn date(&mut self, bytes: &mut Bytes<'_>, kind: u8, decimals: u8) -> Result<bool, Fault> {
        let (year, month, day) = match bytes.is_empty() {
            true => (0, 0, 0),
            false => (bytes.u16()?, bytes.u8()?, bytes.u8()?),
        };
        let mut fits = write!(self.0, "{year:04}-{month:02}-{day:02}").is_ok();
        let clock = clock(bytes)?;
        if kind != kind::DATE {
            fits &= write!(self.0, " ").is_ok() && self.clock(clock, 0, decimals);
        }
        Ok(fits)
    }

    /// A time may have a sign and days, which are hours in its text.
    fn time(&mut self, bytes: &mut Bytes<'_>, decimals: u8) -> Result<bool, Fault> {
        let (negative, days) = match bytes.is_empty() {
            true => (false, 0),
            false => (bytes.u8()? != 0, bytes.u32()?),
        };
        let fits = !negative || write!(self.0, "-").is_ok();
        let clock = clock(bytes)?;
        Ok(fits && self.clock(clock, u64::from(days) * 24, decimals))
    }

    fn clock(&mut self, (hours, minutes, seconds, us): (u8, u8, u8, u32), more_hours: u64, decimals: u8) -> bool {
        let hours = u64::from(hours) + more_hours;
        let fits = write!(self.0, "{hours:02}:{minutes:02}:{seconds:02}").is_ok();
        let shown = match decimals {
            0..=MOST_DECIMALS => decimals,
            _ if us > 0 => MOST_DECIMALS,
            _ => 0,
        };
        let cut = us / 10u32.pow(u32::from(MOST_DECIMALS - shown));
        fits && (shown == 0 || write!(self.0, ".{cut:0width$}", width = usize::from(shown)).is_ok())
    }
}

/// Hours, minutes, seconds and microseconds, of which the last or all may be left out.
fn clock(bytes: &mut Bytes<'_>) -> Result<(u8, u8, u8, u32), Fault> {
    if bytes.is_empty() {
        return Ok((0, 0, 0, 0));
    }
    let (hours, minutes, seconds) = (bytes.u8()?, bytes.u8()?, bytes.u8()?);
    Ok((hours, minutes, seconds, if bytes.is_empty() { 0 } else { bytes.u32()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The fields are those that MariaDB 10.11 sends, the texts those that it sends for the same values as text.
    #[test]
    fn moments_have_the_text_of_the_server() {
        let text = |kind, decimals, fields: &[u8]| {
            let text = MomentText::of(kind, decimals, fields).unwrap();
            String::from_utf8(text.bytes().to_vec()).unwrap()
        };
        let noon = [0xe8, 7, 2, 29, 1, 2, 3, 0xd0, 0xdd, 6, 0];
        assert_eq!(text(kind::DATE, 0, &noon[..4]), "2024-02-29");
        assert_eq!(text(kind::DATE, 0, &[]), "0000-00-00");
        assert_eq!(text(kind::DATETIME, 3, &noon), "2024-02-29 01:02:03.450");
        assert_eq!(text(kind::TIMESTAMP, 0, &noon[..7]), "2024-02-29 01:02:03");
        assert_eq!(text(kind::DATETIME, 2, &noon[..7]), "2024-02-29 01:02:03.00");
        assert_eq!(text(kind::DATETIME, 0, &noon[..4]), "2024-02-29 00:00:00");
        assert_eq!(text(kind::DATETIME, 31, &noon), "2024-02-29 01:02:03.450000");
        assert_eq!(text(kind::DATETIME, 31, &noon[..7]), "2024-02-29 01:02:03");
        let minus = [1, 4, 0, 0, 0, 5, 2, 3, 0x80, 0x1a, 6, 0];
        assert_eq!(text(kind::TIME, 2, &minus), "-101:02:03.40");
        assert_eq!(text(kind::TIME, 0, &[0, 0, 0, 0, 0, 0, 0, 1]), "00:00:01");
        assert_eq!(text(kind::TIME, 0, &[]), "00:00:00");
    }

    #[test]
    fn fields_of_no_moment_are_refused() {
        for length in [1, 2, 3, 5, 6, 8, 9, 10, 12, 13, 40] {
            let fields = vec![0xff; length];
            assert!(MomentText::of(kind::DATETIME, 6, &fields).is_err(), "{length}");
        }
        for length in [1, 4, 6, 7, 9, 11, 13] {
            assert!(MomentText::of(kind::TIME, 6, &vec![0xff; length]).is_err(), "{length}");
        }
        assert!(MomentText::of(kind::TIME, 6, &[0xff; 12]).is_ok());
    }
}
