//! The commands that a client sends after the login.

use super::bytes::put_lenenc_str;

/// COM_QUIT.
pub const QUIT: u8 = 0x01;
/// COM_QUERY.
pub const QUERY: u8 = 0x03;
/// COM_STMT_PREPARE.
pub const PREPARE: u8 = 0x16;
/// COM_STMT_EXECUTE.
pub const EXECUTE: u8 = 0x17;
/// COM_STMT_CLOSE.
pub const CLOSE: u8 = 0x19;

/// A command that consists of its byte and a text.
pub fn text(out: &mut Vec<u8>, command: u8, text: &[u8]) {
    out.push(command);
    out.extend_from_slice(text);
}

/// COM_STMT_CLOSE. The server sends no answer to it.
pub fn close(out: &mut Vec<u8>, statement: u32) {
    out.push(CLOSE);
    out.extend_from_slice(&statement.to_le_bytes());
}

/// One parameter of a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter<'a> {
    /// NULL; its type is that of text.
    Null,
    /// LONGLONG.
    Int(i64),
    /// DOUBLE.
    Float(f64),
    /// VAR_STRING.
    Text(&'a [u8]),
}

/// COM_STMT_EXECUTE. With `types` it includes the parameter types, which is required the first time and whenever they
/// change.
#[inline]
pub fn execute<'a>(
    out: &mut Vec<u8>,
    statement: u32,
    values: impl ExactSizeIterator<Item = Parameter<'a>> + Clone,
    types: bool,
) {
    out.push(EXECUTE);
    out.extend_from_slice(&statement.to_le_bytes());
    // No cursor; one iteration.
    out.extend_from_slice(&[0, 1, 0, 0, 0]);
    if values.len() == 0 {
        return;
    }
    let nulls = out.len();
    out.resize(nulls + values.len().div_ceil(8), 0);
    out.push(u8::from(types));
    if types {
        for value in values.clone() {
            out.extend_from_slice(match value {
                Parameter::Int(_) => &[8, 0],
                Parameter::Float(_) => &[5, 0],
                Parameter::Null | Parameter::Text(_) => &[253, 0],
            });
        }
    }
    for (i, value) in values.enumerate() {
        match value {
            Parameter::Null => out[nulls + i / 8] |= 1 << (i % 8),
            Parameter::Int(v) => out.extend_from_slice(&v.to_le_bytes()),
            Parameter::Float(v) => out.extend_from_slice(&v.to_le_bytes()),
            Parameter::Text(v) if v.len() <= 0xFA => {
                out.push(v.len() as u8);
                out.extend_from_slice(v);
            }
            Parameter::Text(v) => put_lenenc_str(out, v),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn execute_is_laid_out_as_documented() {
        let mut out = Vec::new();
        let values = [Parameter::Int(7), Parameter::Null, Parameter::Text(b"ab")];
        execute(&mut out, 3, values.iter().copied(), true);
        let right = [
            &[EXECUTE, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0b010, 1, 8, 0, 253, 0, 253, 0][..],
            &7i64.to_le_bytes(),
            &[2, b'a', b'b'],
        ];
        assert_eq!(out, right.concat());
        out.clear();
        execute(&mut out, 3, [].iter().copied(), false);
        assert_eq!(out, [EXECUTE, 3, 0, 0, 0, 0, 1, 0, 0, 0]);
    }
}
