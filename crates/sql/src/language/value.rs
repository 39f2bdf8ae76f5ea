//! Values of variables and expressions, and their texts.

use super::number;
use std::fmt;

/// What an expression has as its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Unknown.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number of 64 bits.
    Int(i64),
    /// A double.
    Double(f64),
}

impl Value {
    /// The name of its type in messages.
    pub fn type_name(self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) => "int",
            Value::Double(_) => "double",
        }
    }

    /// Appends its text as it is put into statements: `NULL`, `true`, whole numbers, doubles with 15 digits.
    pub fn write(self, out: &mut Vec<u8>) {
        match self {
            Value::Null => out.extend_from_slice(b"NULL"),
            Value::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Value::Int(value) => number::write_int(value, out),
            Value::Double(value) => out.extend_from_slice(number::double(value).as_bytes()),
        }
    }

    /// Whether `\if` executes what follows: true, and numbers other than 0.
    pub fn is_true(self) -> bool {
        match self {
            Value::Null => false,
            Value::Bool(value) => value,
            Value::Int(value) => value != 0,
            Value::Double(value) => value != 0.0,
        }
    }
}

/// As `debug()` prints it: with its type.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "boolean {value}"),
            Value::Int(value) => write!(f, "int {value}"),
            Value::Double(value) => write!(f, "double {}", number::double(*value)),
        }
    }
}
