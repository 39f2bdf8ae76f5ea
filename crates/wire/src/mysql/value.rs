//! Decoding of one row. Not for the hot path, which skips rows.

use super::Fault;
use super::bytes::Bytes;

/// The values of a row of the text protocol in order; `None` for NULL.
pub fn text_row(message: &[u8]) -> impl Iterator<Item = Result<Option<&[u8]>, Fault>> {
    let mut bytes = Bytes::new(message, "row");
    let mut broken = false;
    std::iter::from_fn(move || {
        if bytes.is_empty() || broken {
            return None;
        }
        let mut after = bytes;
        let value = match after.u8() {
            Ok(0xFB) => {
                bytes = after;
                Ok(None)
            }
            _ => bytes.lenenc_str().map(Some),
        };
        broken = value.is_err();
        Some(value)
    })
}

/// Column types as their numbers on the wire (MySQL `enum_field_types`), those used here.
pub mod kind {
    /// 8-bit integer.
    pub const TINY: u8 = 1;
    /// 16-bit integer.
    pub const SHORT: u8 = 2;
    /// 32-bit integer.
    pub const LONG: u8 = 3;
    /// 32-bit float.
    pub const FLOAT: u8 = 4;
    /// 64-bit float.
    pub const DOUBLE: u8 = 5;
    /// No value.
    pub const NULL: u8 = 6;
    /// Date and time, seconds.
    pub const TIMESTAMP: u8 = 7;
    /// 64-bit integer.
    pub const LONGLONG: u8 = 8;
    /// 24-bit integer, sent as 32.
    pub const INT24: u8 = 9;
    /// Date.
    pub const DATE: u8 = 10;
    /// Time of day or duration.
    pub const TIME: u8 = 11;
    /// Date and time.
    pub const DATETIME: u8 = 12;
    /// Year, sent as 16 bits.
    pub const YEAR: u8 = 13;
    /// Text of fixed length.
    pub const STRING: u8 = 254;
}

/// A value of the binary protocol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Binary<'a> {
    /// SQL NULL.
    Null,
    /// Any integer column; an unsigned one above `i64::MAX` wraps.
    Int(i64),
    /// FLOAT or DOUBLE.
    Float(f64),
    /// Text, bytes, DECIMAL, and everything else that is prefixed by its length.
    Text(&'a [u8]),
    /// Date or time fields as they are on the wire, without the length byte ([`super::moment`] has their text).
    Moment(&'a [u8]),
}

/// The values of a row of the binary protocol. `columns`: type number and whether unsigned, in order.
pub fn binary_row<'a>(message: &'a [u8], columns: &[(u8, bool)]) -> Result<Vec<Binary<'a>>, Fault> {
    let mut bytes = Bytes::new(message, "row");
    if bytes.u8()? != 0 {
        return Err(bytes.fault());
    }
    let nulls = bytes.take((columns.len() + 2).div_ceil(8))?;
    let mut row = Vec::with_capacity(columns.len());
    for (i, &(kind, unsigned)) in columns.iter().enumerate() {
        let bit = i + 2;
        row.push(if nulls[bit / 8] & (1 << (bit % 8)) != 0 {
            Binary::Null
        } else {
            value(&mut bytes, kind, unsigned)?
        });
    }
    if bytes.is_empty() { Ok(row) } else { Err(bytes.fault()) }
}

/// One value that is not NULL, as rows and parameters carry it.
pub fn value<'a>(bytes: &mut Bytes<'a>, kind: u8, unsigned: bool) -> Result<Binary<'a>, Fault> {
    Ok(match kind {
        kind::NULL => Binary::Null,
        kind::TINY => Binary::Int(if unsigned { bytes.u8()?.into() } else { (bytes.u8()? as i8).into() }),
        kind::SHORT => Binary::Int(if unsigned { bytes.u16()?.into() } else { (bytes.u16()? as i16).into() }),
        kind::YEAR => Binary::Int(bytes.u16()?.into()),
        kind::LONG | kind::INT24 => {
            Binary::Int(if unsigned { bytes.u32()?.into() } else { (bytes.u32()? as i32).into() })
        }
        kind::LONGLONG => Binary::Int(bytes.u64()? as i64),
        kind::FLOAT => Binary::Float(f32::from_bits(bytes.u32()?).into()),
        kind::DOUBLE => Binary::Float(f64::from_bits(bytes.u64()?)),
        kind::DATE | kind::DATETIME | kind::TIMESTAMP | kind::TIME => {
            let n = bytes.u8()?;
            Binary::Moment(bytes.take(n.into())?)
        }
        _ => Binary::Text(bytes.lenenc_str()?),
    })
}
