//! What a client sends. Messages are built in one reused buffer and sent with one call.

use super::Fault;
use bytes::{BufMut, BytesMut};
use postgres_protocol::IsNull;
use postgres_protocol::message::frontend;

/// Messages to be sent.
#[derive(Debug, Default)]
pub struct Out(BytesMut);

/// One parameter of a prepared statement, as it goes over the wire.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter<'a> {
    /// SQL NULL.
    Null,
    /// `int2`, binary.
    Int2(i16),
    /// `int4`, binary.
    Int4(i32),
    /// `int8`, binary.
    Int8(i64),
    /// `float8`, binary.
    Float8(f64),
    /// Any type as text, from an integer.
    Digits(i64),
    /// Any type as text, from a double.
    Decimal(f64),
    /// Any type as text.
    Text(&'a [u8]),
}

impl Parameter<'_> {
    /// 0 for text, 1 for binary.
    #[inline]
    fn format(&self) -> i16 {
        use Parameter::{Float8, Int2, Int4, Int8};
        i16::from(matches!(self, Int2(_) | Int4(_) | Int8(_) | Float8(_)))
    }

    #[inline]
    fn write(&self, out: &mut BytesMut) -> IsNull {
        match *self {
            Parameter::Null => return IsNull::Yes,
            Parameter::Int2(v) => out.put_i16(v),
            Parameter::Int4(v) => out.put_i32(v),
            Parameter::Int8(v) => out.put_i64(v),
            Parameter::Float8(v) => out.put_f64(v),
            Parameter::Digits(v) => out.put_slice(v.to_string().as_bytes()),
            Parameter::Decimal(v) => out.put_slice(v.to_string().as_bytes()),
            Parameter::Text(v) => out.put_slice(v),
        }
        IsNull::No
    }
}

/// A text that contains a zero, or a message of more than 2 GiB, cannot be sent in this protocol.
fn unsayable<E>(_: E) -> Fault {
    Fault::Malformed("text to send: it holds a zero byte or is too long")
}

impl Out {
    /// The bytes to be sent.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Clears the buffer, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Asks whether the server supports TLS.
    pub fn ssl_request(&mut self) {
        frontend::ssl_request(&mut self.0);
    }

    /// The startup message with its parameters: `user`, `database`, settings.
    pub fn startup<'a>(&mut self, parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), Fault> {
        frontend::startup_message(parameters, &mut self.0).map_err(unsayable)
    }

    /// A password, in clear text or hashed.
    pub fn password(&mut self, password: &[u8]) -> Result<(), Fault> {
        frontend::password_message(password, &mut self.0).map_err(unsayable)
    }

    /// The first message of a SASL exchange.
    pub fn sasl_first(&mut self, mechanism: &str, data: &[u8]) -> Result<(), Fault> {
        frontend::sasl_initial_response(mechanism, data, &mut self.0).map_err(unsayable)
    }

    /// The next message of a SASL exchange.
    pub fn sasl_next(&mut self, data: &[u8]) -> Result<(), Fault> {
        frontend::sasl_response(data, &mut self.0).map_err(unsayable)
    }

    /// Parses a statement under a name and requests the description of its parameters and columns.
    pub fn prepare(&mut self, name: &str, sql: &str) -> Result<(), Fault> {
        frontend::parse(name, sql, [], &mut self.0).map_err(unsayable)?;
        frontend::describe(b'S', name, &mut self.0).map_err(unsayable)?;
        frontend::sync(&mut self.0);
        Ok(())
    }

    /// [`Self::execute_part`], and the end.
    #[inline]
    pub fn execute<'a>(
        &mut self,
        name: &str,
        parameters: impl Iterator<Item = Parameter<'a>> + Clone,
        binary: bool,
    ) -> Result<(), Fault> {
        self.execute_part(name, parameters, binary)?;
        frontend::sync(&mut self.0);
        Ok(())
    }

    /// Binds and executes a prepared statement. Results are requested in binary if `binary` is set.
    #[inline]
    pub fn execute_part<'a>(
        &mut self,
        name: &str,
        parameters: impl Iterator<Item = Parameter<'a>> + Clone,
        binary: bool,
    ) -> Result<(), Fault> {
        let formats = parameters.clone().map(|p| p.format());
        let results = binary.then_some(1i16);
        let write = |p: Parameter<'a>, out: &mut BytesMut| Ok(p.write(out));
        frontend::bind("", name, formats, parameters, write, results, &mut self.0).map_err(unsayable)?;
        frontend::execute("", 0, &mut self.0).map_err(unsayable)
    }

    /// Parses a statement, which need not be UTF-8, under a name; `""`: for the next execution only.
    pub fn parse(&mut self, name: &str, sql: &[u8]) -> Result<(), Fault> {
        let length = i32::try_from(name.len() + sql.len() + 8).map_err(unsayable)?;
        if sql.contains(&0) || name.contains('\0') {
            return Err(unsayable(()));
        }
        self.0.put_u8(b'P');
        self.0.put_i32(length);
        self.0.put_slice(name.as_bytes());
        self.0.put_u8(0);
        self.0.put_slice(sql);
        self.0.put_u8(0);
        self.0.put_i16(0);
        Ok(())
    }

    /// Binds a parsed statement to values as text (`None`: NULL), requests the description of its columns, and executes it; results are
    /// text.
    #[inline]
    pub fn execute_text<'a>(
        &mut self,
        name: &str,
        values: impl Iterator<Item = Option<&'a [u8]>>,
    ) -> Result<(), Fault> {
        let write = |value: Option<&'a [u8]>, out: &mut BytesMut| {
            let Some(text) = value else { return Ok(IsNull::Yes) };
            out.put_slice(text);
            Ok(IsNull::No)
        };
        frontend::bind("", name, [], values, write, [], &mut self.0).map_err(unsayable)?;
        frontend::describe(b'P', "", &mut self.0).map_err(unsayable)?;
        frontend::execute("", 0, &mut self.0).map_err(unsayable)
    }

    /// The end of a sequence of messages: the server answers that it is ready.
    #[inline]
    pub fn sync(&mut self) {
        frontend::sync(&mut self.0);
    }

    /// Adds the messages of another buffer.
    pub fn append(&mut self, other: &Out) {
        self.0.put_slice(&other.0);
    }

    /// SQL text, of one statement or several.
    #[inline]
    pub fn query(&mut self, sql: &str) -> Result<(), Fault> {
        frontend::query(sql, &mut self.0).map_err(unsayable)
    }

    /// The same for bytes: not every server uses UTF-8.
    pub fn query_bytes(&mut self, sql: &[u8]) -> Result<(), Fault> {
        let length = i32::try_from(sql.len() + 5).map_err(unsayable)?;
        if sql.contains(&0) {
            return Err(unsayable(()));
        }
        self.0.put_u8(b'Q');
        self.0.put_i32(length);
        self.0.put_slice(sql);
        self.0.put_u8(0);
        Ok(())
    }

    /// A piece of the rows of `COPY … FROM STDIN`.
    pub fn copy_data(&mut self, data: &[u8]) -> Result<(), Fault> {
        frontend::CopyData::new(data).map_err(unsayable)?.write(&mut self.0);
        Ok(())
    }

    /// The end of the rows.
    pub fn copy_done(&mut self) {
        frontend::copy_done(&mut self.0);
    }

    /// Makes the statement fail instead of sending rows.
    pub fn copy_fail(&mut self, why: &str) -> Result<(), Fault> {
        frontend::copy_fail(why, &mut self.0).map_err(unsayable)
    }

    /// The termination message.
    pub fn terminate(&mut self) {
        frontend::terminate(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_statement_is_bind_execute_and_sync_in_one_piece() {
        let mut out = Out::default();
        let values = [Parameter::Int4(7), Parameter::Null, Parameter::Text(b"x"), Parameter::Digits(-3)];
        out.execute("s1", values.into_iter(), true).unwrap();
        let bind = b"\0s1\0\0\x04\0\x01\0\0\0\0\0\0\0\x04\0\0\0\x04\0\0\0\x07\xff\xff\xff\xff\0\0\0\x01x\0\0\0\x02-3\0\x01\0\x01";
        let wanted = [b"B\0\0\0\x2f", &bind[..], b"E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04"].concat();
        assert_eq!(out.bytes(), wanted, "{:?}", String::from_utf8_lossy(out.bytes()));
        out.clear();
        assert_eq!(out.query("a\0b"), Err(unsayable(())));
    }
}
