//! A statement with variables in it, and how it is sent: as text with their values in place of them, or with parameters.

use super::names::{Names, Slot, Variables, is_name_byte};
use std::ops::Range;

/// The most parameters of a statement, as in pgbench.
pub const MOST_PARAMETERS: usize = 255;

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlCommand {
    /// As in the file, without comments before it.
    pub text: Box<[u8]>,
    /// The text in pieces.
    pub parts: Vec<Part>,
    /// The variables that are mentioned, one for each time, in order: the parameters of [`Self::numbered`].
    pub parameters: Vec<Slot>,
    /// The number of statements in it: more than 1 if they are joined by `\;`.
    pub statements: u32,
    /// Where its result is stored.
    pub store: Option<Store>,
    /// The quote or comment that is open at its end, and the line on which it was opened.
    pub open: Option<(&'static str, u32)>,
    /// The parts of the text within quotes and comments, in order.
    pub opaque: Vec<Range<usize>>,
    /// The comments in the text that a server may execute or not, in order.
    pub executable: Vec<Range<usize>>,
}

/// A piece of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text that stays as it is.
    Text(Range<usize>),
    /// A variable.
    Variable {
        /// Which.
        slot: Slot,
        /// Its name with the colon.
        place: Range<usize>,
        /// Whether it is within quotes or a comment.
        quoted: bool,
    },
}

/// `\gset` or `\aset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// What the names of columns are preceded by.
    pub prefix: String,
    /// Whether the last row of every result is stored (`\aset`), not the only row of the last one (`\gset`).
    pub every: bool,
}

impl Store {
    /// The name of the command.
    pub fn command(&self) -> &'static str {
        if self.every { "aset" } else { "gset" }
    }
}

impl SqlCommand {
    /// Finds the variables of a text; `opaque` are its parts within quotes and comments, in order.
    pub(super) fn new(text: Vec<u8>, opaque: Vec<Range<usize>>, joints: u32, names: &mut Names) -> SqlCommand {
        let (mut parts, mut parameters) = (Vec::new(), Vec::new());
        let (mut kept, mut hidden) = (0, opaque.iter().peekable());
        for place in variables(&text) {
            let name = super::bytes::text(&text[place.start + 1..place.end]);
            while hidden.next_if(|range| range.end <= place.start).is_some() {}
            let quoted = hidden.peek().is_some_and(|range| range.start < place.start);
            if kept < place.start {
                parts.push(Part::Text(kept..place.start));
            }
            kept = place.end;
            let slot = names.slot(&name);
            parameters.push(slot);
            parts.push(Part::Variable { slot, place, quoted });
        }
        if kept < text.len() {
            parts.push(Part::Text(kept..text.len()));
        }
        SqlCommand {
            text: text.into(),
            parts,
            parameters,
            statements: joints + 1,
            store: None,
            open: None,
            opaque,
            executable: Vec::new(),
        }
    }

    /// Appends the text with the values of variables in it, also within quotes and comments. Those that are not set are left as they are.
    #[inline]
    pub fn write(&self, variables: &Variables, out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Text(range) => out.extend_from_slice(&self.text[range.clone()]),
                Part::Variable { slot, place, .. } => {
                    if !variables.write(*slot, out) {
                        out.extend_from_slice(&self.text[place.clone()]);
                    }
                }
            }
        }
    }

    /// The text with `$1`, `$2`, … in place of all variables, as pgbench prepares it.
    pub fn numbered(&self) -> Vec<u8> {
        let (mut out, mut number) = (Vec::with_capacity(self.text.len()), 0);
        for part in &self.parts {
            match part {
                Part::Text(range) => out.extend_from_slice(&self.text[range.clone()]),
                Part::Variable { .. } => {
                    number += 1;
                    out.extend_from_slice(format!("${number}").as_bytes());
                }
            }
        }
        out
    }

    /// Whether a place is in a comment, which no server reads.
    pub fn is_comment(&self, place: &Range<usize>) -> bool {
        let begins = |range: &Range<usize>| {
            ["--", "/*", "#"].iter().any(|mark| self.text[range.start..].starts_with(mark.as_bytes()))
        };
        self.opaque.iter().any(|range| range.contains(&place.start) && begins(range))
    }

    /// Its first line.
    pub fn first_line(&self) -> String {
        let end = self.text.iter().position(|c| matches!(c, b'\n' | b'\r')).unwrap_or(self.text.len());
        super::bytes::shown_bytes(&self.text[..end])
    }
}

/// The places of `:name` in a text. A name does not start with a digit, because of times; of `::` no colon belongs to one.
fn variables(text: &[u8]) -> Vec<Range<usize>> {
    let (mut places, mut at) = (Vec::new(), 0);
    while let Some(next) = memchr::memchr(b':', &text[at..]) {
        let colon = at + next;
        let name = &text[colon + 1..];
        let length = name.iter().take_while(|byte| is_name_byte(**byte)).count();
        if length > 0 && !name[0].is_ascii_digit() {
            places.push(colon..colon + 1 + length);
            at = colon + 1 + length;
        } else {
            at = colon + text[colon..].iter().take_while(|byte| **byte == b':').count();
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Dialect, Script, Value};

    fn sql(text: &str, names: &mut Names) -> SqlCommand {
        let script = Script::parse("x.sql", text.as_bytes(), Dialect::Postgres, names).unwrap();
        let crate::language::CommandKind::Sql(sql) = &script.commands[0].kind else { panic!("{text}") };
        sql.clone()
    }

    #[test]
    fn values_stand_in_place_of_names_everywhere() {
        let mut names = Names::default();
        let sql = sql("select ':x', :x::text, '12:30', :y, a:=1, :x_ /* :x */;", &mut names);
        let mut variables = Variables::new(&names);
        variables.set(names.slot("x"), Value::Int(5));
        let mut out = Vec::new();
        sql.write(&variables, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "select '5', 5::text, '12:30', :y, a:=1, :x_ /* 5 */;");
        assert_eq!(
            String::from_utf8(sql.numbered()).unwrap(),
            "select '$1', $2::text, '12:30', $3, a:=1, $4 /* $5 */;"
        );
        let quoted: Vec<bool> = sql
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Variable { quoted, .. } => Some(*quoted),
                Part::Text(_) => None,
            })
            .collect();
        assert_eq!(quoted, [true, false, false, false, true]);
    }
}
