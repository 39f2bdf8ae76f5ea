//! Decoding of descriptions of parameters and columns, and of rows. Not for the hot path.

use super::Fault;
use super::command::Parameter;
use super::message::Fields;

/// The OIDs of supported types (`pg_type.oid`).
pub mod oid {
    /// 64 bits.
    pub const INT8: u32 = 20;
    /// 16 bits.
    pub const INT2: u32 = 21;
    /// 32 bits.
    pub const INT4: u32 = 23;
    /// A float.
    pub const FLOAT4: u32 = 700;
    /// A double.
    pub const FLOAT8: u32 = 701;
}

/// Types whose values every server can send in binary: bool, bytea, int8, int2, int4, text, json, float4, float8,
/// bpchar, varchar, date, time, timestamp, timestamptz, numeric, uuid.
const BINARY: [u32; 17] = [16, 17, 20, 21, 23, 25, 114, 700, 701, 1042, 1043, 1082, 1083, 1114, 1184, 1700, 2950];

/// The types of a statement's parameters, from the body of a parameter description.
pub fn parameters(body: &[u8]) -> Result<Vec<u32>, Fault> {
    let mut f = Fields::new(body, "parameter description");
    let count = f.u16()?;
    (0..count).map(|_| f.i32().map(i32::cast_unsigned)).collect()
}

/// The description of one column.
#[derive(Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its type's number.
    pub oid: u32,
}

impl Column<'_> {
    /// Whether the server can send its values in binary.
    pub fn has_binary(&self) -> bool {
        BINARY.contains(&self.oid)
    }
}

/// The columns of a row description's body.
pub fn columns(body: &[u8]) -> Result<Vec<Column<'_>>, Fault> {
    let mut f = Fields::new(body, "row description");
    let count = f.u16()?;
    (0..count)
        .map(|_| {
            let name = f.text()?;
            // The table's number and the column's place in it; behind the type its size, modifier and format.
            f.bytes(6)?;
            let oid = f.i32()?.cast_unsigned();
            f.bytes(8)?;
            Ok(Column { name, oid })
        })
        .collect()
}

/// The values of a row's body; `None` for NULL.
pub fn row(body: &[u8]) -> Result<Vec<Option<&[u8]>>, Fault> {
    values(body)?.collect()
}

/// The values of a row's body, one after the other.
#[inline]
pub fn values(body: &[u8]) -> Result<impl Iterator<Item = Result<Option<&[u8]>, Fault>>, Fault> {
    let mut f = Fields::new(body, "row");
    let count = f.u16()?;
    Ok((0..count).map(move |_| match f.i32()? {
        -1 => Ok(None),
        len => f.bytes(usize::try_from(len).map_err(|_| Fault::Malformed("row"))?).map(Some),
    }))
}

/// The encoding of an integer for a parameter of this type: binary if it fits, otherwise digits.
#[inline]
pub fn integer(value: i64, oid: u32) -> Parameter<'static> {
    let narrow = match oid {
        oid::INT4 => i32::try_from(value).ok().map(Parameter::Int4),
        oid::INT8 => Some(Parameter::Int8(value)),
        oid::INT2 => i16::try_from(value).ok().map(Parameter::Int2),
        _ => None,
    };
    // A value that does not fit is sent as digits, so that the server's own error states the range.
    narrow.unwrap_or(Parameter::Digits(value))
}

/// The encoding of a double for a parameter of this type.
#[inline]
pub fn double(value: f64, oid: u32) -> Parameter<'static> {
    if oid == oid::FLOAT8 { Parameter::Float8(value) } else { Parameter::Decimal(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_taken_apart_and_short_ones_refused() {
        assert_eq!(parameters(b"\0\x02\0\0\0\x17\0\0\x04\x12").unwrap(), [23, 1042]);
        let described = b"\0\x01id\0\0\0\0\x01\0\x02\0\0\0\x17\0\x04\xff\xff\xff\xff\0\0";
        assert_eq!(columns(described).unwrap(), [Column { name: b"id", oid: 23 }]);
        assert_eq!(row(b"\0\x02\xff\xff\xff\xff\0\0\0\x01x").unwrap(), [None, Some(&b"x"[..])]);
        for n in 0..described.len() {
            assert!(columns(&described[..n]).is_err());
        }
        assert!(row(b"\0\x01\x80\0\0\0").is_err() && row(b"\0\x01\0\0\0\x02x").is_err());
        assert!(parameters(b"\xff\xff\0\0").is_err());
    }

    #[test]
    fn integers_take_the_form_of_the_parameter() {
        assert_eq!(integer(5, oid::INT4), Parameter::Int4(5));
        assert_eq!(integer(1 << 40, oid::INT4), Parameter::Digits(1 << 40));
        assert_eq!(integer(-1, oid::INT8), Parameter::Int8(-1));
        assert_eq!(integer(5, 1700), Parameter::Digits(5));
        assert_eq!(double(0.5, 1700), Parameter::Decimal(0.5));
    }
}
