//! Bytes of the server's side of the MySQL protocol (the public client/server protocol of MySQL and MariaDB).
//!
//! Everything here is made once and sent many times, so it is written for reading, not for speed.

/// `CLIENT_DEPRECATE_EOF`: result sets without the EOF packet after the columns.
pub const DEPRECATE_EOF: u32 = 1 << 24;
/// `CLIENT_SSL`.
pub const SSL: u32 = 1 << 11;
/// `CLIENT_PROTOCOL_41`.
pub const PROTOCOL_41: u32 = 1 << 9;

/// LONG_PASSWORD, FOUND_ROWS, LONG_FLAG, CONNECT_WITH_DB, LOCAL_FILES, PROTOCOL_41, INTERACTIVE, TRANSACTIONS,
/// SECURE_CONNECTION, MULTI_STATEMENTS, MULTI_RESULTS, PS_MULTI_RESULTS, PLUGIN_AUTH, CONNECT_ATTRS, lenenc auth data.
const CAPABILITIES: u32 =
    1 | 2 | 4 | 8 | 1 << 7 | PROTOCOL_41 | 1 << 10 | 1 << 13 | 1 << 15 | 0x7 << 16 | 0x7 << 19 | DEPRECATE_EOF;

const AUTOCOMMIT: u16 = 2;
const UTF8: u16 = 33;
const BINARY: u16 = 63;

/// How values of a result travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// `COM_QUERY`.
    Text,
    /// `COM_STMT_EXECUTE`.
    Binary,
}

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// BIGINT.
    Int,
    /// DECIMAL, a text in both protocols.
    Decimal,
    /// VARCHAR.
    Text,
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
}

impl Column {
    /// A text column.
    pub fn text(name: &str) -> Column {
        Column { name: name.to_owned(), kind: Kind::Text }
    }
}

/// The first packet of a connection.
pub fn greeting(version: &str, connection: u32, scramble: &[u8; 20]) -> Vec<u8> {
    let mut p = vec![10];
    p.extend_from_slice(version.as_bytes());
    p.push(0);
    p.extend_from_slice(&connection.to_le_bytes());
    p.extend_from_slice(&scramble[..8]);
    p.push(0);
    p.extend_from_slice(&(CAPABILITIES as u16).to_le_bytes());
    p.push(UTF8 as u8);
    p.extend_from_slice(&AUTOCOMMIT.to_le_bytes());
    p.extend_from_slice(&((CAPABILITIES >> 16) as u16).to_le_bytes());
    p.push(21);
    p.extend_from_slice(&[0; 10]);
    p.extend_from_slice(&scramble[8..]);
    p.push(0);
    p.extend_from_slice(b"mysql_native_password\0");
    packets(0, &[p])
}

/// An OK packet.
pub fn ok(seq: u8, affected: u8) -> Vec<u8> {
    packets(seq, &[ok_payload(0, affected)])
}

/// An EOF packet that answers a command by itself.
pub fn eof(seq: u8) -> Vec<u8> {
    packets(seq, &[eof_payload()])
}

/// An ERR packet.
pub fn error(seq: u8, code: u16, state: &str, message: &str) -> Vec<u8> {
    let mut p = vec![0xff];
    p.extend_from_slice(&code.to_le_bytes());
    p.push(b'#');
    p.extend_from_slice(state.as_bytes());
    p.extend_from_slice(message.as_bytes());
    packets(seq, &[p])
}

/// Asks the client for the file it named.
pub fn local_infile(name: &[u8]) -> Vec<u8> {
    let mut p = vec![0xfb];
    p.extend_from_slice(name);
    packets(1, &[p])
}

/// The answer to `COM_STMT_PREPARE`. Its statement number stands in bytes 5 to 8 ([`set_statement`]).
pub fn prepared(columns: &[Column], parameters: u16, eofless: bool) -> Vec<u8> {
    let mut head = vec![0, 0, 0, 0, 0];
    head.extend_from_slice(&(columns.len() as u16).to_le_bytes());
    head.extend_from_slice(&parameters.to_le_bytes());
    head.extend_from_slice(&[0, 0, 0]);
    let mut all = vec![head];
    let parameter = Column::text("?");
    for group in [vec![&parameter; parameters.into()], columns.iter().collect()] {
        if !group.is_empty() {
            all.extend(group.into_iter().map(definition));
            all.extend((!eofless).then(eof_payload));
        }
    }
    packets(1, &all)
}

/// Writes the statement's number into an answer made by [`prepared`].
pub fn set_statement(answer: &mut [u8], number: u32) {
    answer[5..9].copy_from_slice(&number.to_le_bytes());
}

/// A whole result set. A value is `None` for NULL; in an [`Kind::Int`] column what is no number counts as 0.
pub fn result_set(columns: &[Column], rows: &[Vec<Option<String>>], protocol: Protocol, eofless: bool) -> Vec<u8> {
    let mut all = vec![length(columns.len() as u64)];
    all.extend(columns.iter().map(definition));
    all.extend((!eofless).then(eof_payload));
    all.extend(rows.iter().map(|row| match protocol {
        Protocol::Text => text_row(row),
        Protocol::Binary => binary_row(columns, row),
    }));
    all.push(if eofless { ok_payload(0xfe, 0) } else { eof_payload() });
    packets(1, &all)
}

/// Puts headers before payloads and numbers them from `seq`; a payload of 2²⁴−1 bytes or more is cut as the protocol
/// asks.
fn packets(mut seq: u8, payloads: &[Vec<u8>]) -> Vec<u8> {
    const MOST: usize = 0xff_ffff;
    let mut out = Vec::with_capacity(payloads.iter().map(|p| p.len() + 4).sum());
    for payload in payloads {
        let mut rest = payload.as_slice();
        loop {
            let (part, after) = rest.split_at(rest.len().min(MOST));
            out.extend_from_slice(&(part.len() as u32).to_le_bytes()[..3]);
            out.push(seq);
            out.extend_from_slice(part);
            seq = seq.wrapping_add(1);
            rest = after;
            if part.len() < MOST {
                break;
            }
        }
    }
    out
}

fn ok_payload(header: u8, affected: u8) -> Vec<u8> {
    let mut p = vec![header, affected, 0];
    p.extend_from_slice(&AUTOCOMMIT.to_le_bytes());
    p.extend_from_slice(&[0, 0]);
    p
}

fn eof_payload() -> Vec<u8> {
    let mut p = vec![0xfe, 0, 0];
    p.extend_from_slice(&AUTOCOMMIT.to_le_bytes());
    p
}

fn definition(column: &Column) -> Vec<u8> {
    let (charset, width, kind, flags): (u16, u32, u8, u16) = match column.kind {
        Kind::Int => (BINARY, 20, 8, 0x81),
        Kind::Decimal => (BINARY, 33, 246, 0x80),
        Kind::Text => (UTF8, 765, 253, 0),
    };
    let mut p = Vec::new();
    for text in ["def", "sbtest", "sbtest1", "sbtest1", &column.name, &column.name] {
        string(&mut p, text.as_bytes());
    }
    p.push(12);
    p.extend_from_slice(&charset.to_le_bytes());
    p.extend_from_slice(&width.to_le_bytes());
    p.push(kind);
    p.extend_from_slice(&flags.to_le_bytes());
    p.extend_from_slice(&[0, 0, 0]);
    p
}

fn text_row(row: &[Option<String>]) -> Vec<u8> {
    let mut p = Vec::new();
    for value in row {
        match value {
            Some(text) => string(&mut p, text.as_bytes()),
            None => p.push(0xfb),
        }
    }
    p
}

fn binary_row(columns: &[Column], row: &[Option<String>]) -> Vec<u8> {
    let mut p = vec![0; 1 + (columns.len() + 7 + 2) / 8];
    for (i, (column, value)) in columns.iter().zip(row).enumerate() {
        match (value, column.kind) {
            (None, _) => p[1 + (i + 2) / 8] |= 1 << ((i + 2) % 8),
            (Some(text), Kind::Int) => p.extend_from_slice(&text.parse::<i64>().unwrap_or(0).to_le_bytes()),
            (Some(text), _) => string(&mut p, text.as_bytes()),
        }
    }
    p
}

fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&length(bytes.len() as u64));
    out.extend_from_slice(bytes);
}

/// A length-encoded integer.
fn length(n: u64) -> Vec<u8> {
    let bytes = n.to_le_bytes();
    match n {
        0..=250 => vec![n as u8],
        251..=0xffff => [&[0xfc], &bytes[..2]].concat(),
        0x1_0000..=0xff_ffff => [&[0xfd], &bytes[..3]].concat(),
        _ => [&[0xfe], &bytes[..]].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_take_one_three_four_or_nine_bytes() {
        assert_eq!(length(250), [250]);
        assert_eq!(length(251), [0xfc, 251, 0]);
        assert_eq!(length(0x1_0000), [0xfd, 0, 0, 1]);
        assert_eq!(length(1 << 24), [0xfe, 0, 0, 0, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn null_in_a_binary_row_is_a_bit() {
        let columns = [Column { name: "a".into(), kind: Kind::Int }, Column::text("b")];
        let row = [None, Some("x".to_owned())];
        assert_eq!(binary_row(&columns, &row), [0, 0b100, 1, b'x']);
    }

    #[test]
    fn a_payload_of_the_largest_length_is_followed_by_an_empty_packet() {
        let bytes = packets(3, &[vec![7; 0xff_ffff]]);
        assert_eq!(bytes[..4], [0xff, 0xff, 0xff, 3]);
        assert_eq!(bytes[bytes.len() - 4..], [0, 0, 0, 4]);
    }
}
