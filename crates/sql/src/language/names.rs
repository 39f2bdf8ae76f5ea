//! Names of variables, each with its place, and the variables of one client.

use super::error::EvalError;
use super::number::{self, Whole};
use super::value::Value;
use std::collections::HashMap;

/// The place of a variable in [`Variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub(super) u32);

/// The names of all variables that a set of scripts mentions.
#[derive(Debug, Clone, Default)]
pub struct Names {
    places: HashMap<Box<str>, Slot>,
    names: Vec<Box<str>>,
}

impl Names {
    /// The place of this name, which is added if it is new.
    pub fn slot(&mut self, name: &str) -> Slot {
        if let Some(slot) = self.places.get(name) {
            return *slot;
        }
        let slot = Slot(self.names.len() as u32);
        self.names.push(name.into());
        self.places.insert(name.into(), slot);
        slot
    }

    /// The place of this name, if anything mentions it.
    pub fn find(&self, name: &str) -> Option<Slot> {
        self.places.get(name).copied()
    }

    /// The name of a place.
    pub fn name(&self, slot: Slot) -> &str {
        self.names.get(slot.0 as usize).map_or("", |name| name)
    }

    /// All names, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Whether this may be the name of a variable: letters, digits, underscores and bytes above 127, and no digit first.
pub fn is_name(name: &[u8]) -> bool {
    !name.first().is_none_or(u8::is_ascii_digit) && name.iter().all(|byte| is_name_byte(*byte))
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// What a variable holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Variable {
    /// The result of an expression.
    Value(Value),
    /// A text, of `-D`, `\gset` or `\setshell`: it gets a type when an expression uses it.
    Text(Box<[u8]>),
}

/// The variables of one client.
#[derive(Debug, Default)]
pub struct Variables {
    places: Vec<Option<Variable>>,
}

impl Clone for Variables {
    fn clone(&self) -> Variables {
        Variables { places: self.places.clone() }
    }

    fn clone_from(&mut self, from: &Variables) {
        self.places.clone_from(&from.places);
    }
}

impl Variables {
    /// None is set.
    pub fn new(names: &Names) -> Variables {
        Variables { places: vec![None; names.len()] }
    }

    /// Sets a variable to a value.
    #[inline]
    pub fn set(&mut self, slot: Slot, value: Value) {
        *self.place(slot) = Some(Variable::Value(value));
    }

    /// Sets a variable to a text, whose type is determined when an expression uses it.
    pub fn set_text(&mut self, slot: Slot, text: &[u8]) {
        *self.place(slot) = Some(Variable::Text(text.into()));
    }

    fn place(&mut self, slot: Slot) -> &mut Option<Variable> {
        let at = slot.0 as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, None);
        }
        &mut self.places[at]
    }

    /// What a variable holds, if it is set.
    #[inline]
    pub fn get(&self, slot: Slot) -> Option<&Variable> {
        self.places.get(slot.0 as usize)?.as_ref()
    }

    /// The value of a variable in an expression.
    #[inline]
    pub fn value(&self, slot: Slot, names: &Names) -> Result<Value, EvalError> {
        match self.get(slot) {
            Some(Variable::Value(value)) => Ok(*value),
            Some(Variable::Text(text)) => typed(text, || names.name(slot).to_owned()),
            None => Err(EvalError::UndefinedVariable(names.name(slot).to_owned())),
        }
    }

    /// Appends the text of a variable; returns whether it is set.
    #[inline]
    pub fn write(&self, slot: Slot, out: &mut Vec<u8>) -> bool {
        match self.get(slot) {
            Some(Variable::Value(value)) => value.write(out),
            Some(Variable::Text(text)) => out.extend_from_slice(text),
            None => return false,
        }
        true
    }
}

/// The value of a text: null, a boolean or a beginning of one, a whole number, a double.
fn typed(text: &[u8], name: impl Fn() -> String) -> Result<Value, EvalError> {
    let malformed = || EvalError::MalformedVariable { name: name(), text: String::from_utf8_lossy(text).into_owned() };
    let begins = |word: &[u8]| text.len() <= word.len() && word[..text.len()].eq_ignore_ascii_case(text);
    if text.is_empty() {
        return Err(malformed());
    }
    if text.eq_ignore_ascii_case(b"null") {
        return Ok(Value::Null);
    }
    if begins(b"true") || begins(b"yes") || text.eq_ignore_ascii_case(b"on") {
        return Ok(Value::Bool(true));
    }
    if begins(b"false") || begins(b"no") || (begins(b"off") && text.len() > 1) {
        return Ok(Value::Bool(false));
    }
    match number::whole(text) {
        Whole::Int(value) => Ok(Value::Int(value)),
        Whole::OutOfRange => Err(EvalError::TextOutOfRange(String::from_utf8_lossy(text).into_owned())),
        Whole::Malformed => Err(EvalError::TextNotInt(String::from_utf8_lossy(text).into_owned())),
        Whole::Other => number::read_double(text).map(Value::Double).ok_or_else(malformed),
    }
}
