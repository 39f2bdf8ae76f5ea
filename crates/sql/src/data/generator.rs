//! Generators of values: `uniform(1, 100)`, `null(0.1, name)`. Which there are, how they are read, and the value of a row, which depends on nothing but the
//! seed, the table, the column and the row.

use super::calendar;
use super::call::{Argument, Call};
use super::{json, text};
use crate::language::Generator as Random;
use std::fmt::Write as _;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A generator with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Generator {
    /// `serial(first, step)`: a number for each row.
    Serial { first: i64, step: i64 },
    /// Whole numbers of a range.
    Whole(Range),
    /// `decimal(low, high, places)`
    Decimal { low: i64, high: i64, places: u32 },
    /// `float(low, high)`
    Float { low: f64, high: f64 },
    /// `bool(share)`
    Bool { share: f64 },
    /// `date(from, to)` and `timestamp(from, to)`, seconds since 1970.
    Time { from: i64, to: i64, with_time: bool },
    /// `uuid4`
    Uuid4,
    /// `uuid7(from)`: a millisecond later with each row.
    Uuid7 { from_ms: u64 },
    /// `words(least, most)`
    Words { least: u64, most: u64 },
    /// `text(least, most)`: letters.
    Text { least: u64, most: u64 },
    /// `name`
    Name,
    /// `email`: another one for each row.
    Email,
    /// `json(template)`: the pieces between `${` and `}` are generators.
    Json { pieces: Vec<JsonPiece> },
    /// `bytes(length, share)`: of which this share repeats what is before it.
    Bytes { length: u64, compressible: f64 },
    /// `ref("table.column", distribution)`
    Ref { table: String, column: String, shape: Shape },
    /// `histogram("1-10: 50, 11-100: 30")`
    Weighted { ranges: Vec<(i64, i64, u64)>, total: u64 },
    /// `file(path, distribution)` and `pick(a, b, …)`
    Pick { values: Vec<String>, shape: Shape },
    /// `null(share, generator)`
    Null { share: f64, of: Box<Generator> },
}

/// A piece of a template of JSON: text, and the generator behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonPiece {
    before: String,
    value: Option<Generator>,
    /// The generator stands within quotes: its values are a part of a text.
    is_quoted: bool,
}

/// A distribution over `low..=high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) shape: Shape,
}

/// How numbers of a range are distributed: as by the functions of the language with these names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Uniform,
    Gaussian(f64),
    Exponential(f64),
    Zipfian(f64),
}

impl Generator {
    /// Whether its values are bytes and no text.
    pub(crate) fn makes_bytes(&self) -> bool {
        match self {
            Generator::Bytes { .. } => true,
            Generator::Null { of, .. } => of.makes_bytes(),
            _ => false,
        }
    }

    /// Whether some of its values are NULL.
    pub(crate) fn makes_nulls(&self) -> bool {
        matches!(self, Generator::Null { share, of } if *share > 0.0 || of.makes_nulls())
    }
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Field {
    Null,
    Int(i64),
    /// Digits that are written without quotes.
    Digits(String),
    Text(String),
    Bytes(Vec<u8>),
}

impl Shape {
    pub(crate) fn draw(self, low: i64, high: i64, random: &mut Random) -> i64 {
        match self {
            Shape::Uniform => random.whole(low, high),
            Shape::Gaussian(parameter) => random.gaussian(low, high, parameter),
            Shape::Exponential(parameter) => random.exponential(low, high, parameter),
            Shape::Zipfian(exponent) => random.zipfian(low, high, exponent),
        }
    }

    /// An argument that is a distribution, as in `zipfian`, `zipfian(1.2)`; uniform if it is not given.
    fn of_argument(call: &Call, at: usize) -> Result<Shape, Message> {
        let wrong = || msg!("sql-argument-wrong", name = call.name, at = at + 1);
        match call.arguments.get(at) {
            None => Ok(Shape::Uniform),
            Some(Argument::Call(shape)) => Shape::named(shape, 0)?.ok_or_else(wrong),
            Some(_) => Err(wrong()),
        }
    }

    /// A shape by its name, with its parameter at this place or the usual one, and nothing after it.
    fn named(call: &Call, at: usize) -> Result<Option<Shape>, Message> {
        let parameter = |usual: f64| call.number(at).map(|given| given.unwrap_or(usual));
        let shape = match call.name.as_str() {
            "uniform" => Shape::Uniform,
            "gaussian" => match parameter(5.0)? {
                value if value >= 2.0 => Shape::Gaussian(value),
                _ => return Err(msg!("sql-gaussian-parameter")),
            },
            "exponential" => match parameter(5.0)? {
                value if value > 0.0 => Shape::Exponential(value),
                _ => return Err(msg!("sql-exponential-parameter")),
            },
            "zipfian" => match parameter(1.1)? {
                value if (1.001..=1000.0).contains(&value) => Shape::Zipfian(value),
                _ => return Err(msg!("sql-zipfian-parameter")),
            },
            _ => return Ok(None),
        };
        call.at_most(if shape == Shape::Uniform { at } else { at + 1 })?;
        Ok(Some(shape))
    }
}

/// What can be called, for messages.
pub(crate) const NAMES: &str = "serial, uniform, gaussian, exponential, zipfian, decimal, float, bool, date, timestamp, uuid4, uuid7, words, text, name, \
                                email, json, bytes, ref, histogram, file, pick, null";

impl Generator {
    /// Reads a call. `file` reads the lines of a file.
    pub(crate) fn new(call: &Call, file: &dyn Fn(&str) -> Result<Vec<String>, Message>) -> Result<Generator, Message> {
        if let Some(shape) = Shape::named(call, 2)? {
            let (low, high) = (call.whole(0)?, call.whole(1)?);
            if low > high {
                return Err(msg!("sql-empty-range"));
            }
            if high.checked_sub(low).and_then(|width| width.checked_add(1)).is_none() {
                return Err(msg!("sql-range-too-large"));
            }
            return Ok(Generator::Whole(Range { low, high, shape }));
        }
        let made = match call.name.as_str() {
            "serial" => Generator::Serial { first: call.whole_or(0, 1)?, step: call.whole_or(1, 1)? },
            "decimal" => Generator::decimal(call)?,
            "float" => Generator::Float { low: call.number_of(0)?, high: call.number_of(1)? },
            "bool" => Generator::Bool { share: call.share_or(0, 0.5)? },
            "date" | "timestamp" => Generator::Time {
                from: calendar::seconds(call.text_of(0)?).ok_or_else(|| msg!("sql-not-a-date"))?,
                to: calendar::seconds(call.text_of(1)?).ok_or_else(|| msg!("sql-not-a-date"))?,
                with_time: call.name == "timestamp",
            },
            "uuid4" => Generator::Uuid4,
            "uuid7" => {
                let from = call.text_or(0, "2024-01-01")?;
                let seconds = calendar::seconds(from).ok_or_else(|| msg!("sql-not-a-date"))?;
                Generator::Uuid7 { from_ms: seconds.unsigned_abs() * 1000 }
            }
            "words" => Generator::Words { least: call.count(0)?, most: call.count_or(1, call.count(0)?)? },
            "text" => Generator::Text { least: call.count(0)?, most: call.count_or(1, call.count(0)?)? },
            "name" => Generator::Name,
            "email" => Generator::Email,
            "json" => Generator::json(call.text_of(0)?, file)?,
            "bytes" => Generator::Bytes { length: call.count(0)?, compressible: call.share_or(1, 0.0)? },
            "ref" => {
                let (table, column) = call.text_of(0)?.rsplit_once('.').ok_or_else(|| msg!("sql-ref-needs-column"))?;
                Generator::Ref {
                    table: table.to_owned(),
                    column: column.to_owned(),
                    shape: Shape::of_argument(call, 1)?,
                }
            }
            "histogram" => Generator::histogram(call.text_of(0)?)?,
            "file" => match file(call.text_of(0)?)? {
                values if values.is_empty() => return Err(msg!("sql-no-values")),
                values => Generator::Pick { values, shape: Shape::of_argument(call, 1)? },
            },
            "pick" => {
                let values: Vec<String> =
                    (0..call.arguments.len()).map(|at| call.text(at)).collect::<Result<_, _>>()?;
                if values.is_empty() {
                    return Err(msg!("sql-no-values"));
                }
                return Ok(Generator::Pick { values, shape: Shape::Uniform });
            }
            "null" => match call.arguments.get(1) {
                Some(Argument::Call(of)) => {
                    Generator::Null { share: call.share_or(0, 0.0)?, of: Box::new(Generator::new(of, file)?) }
                }
                _ => return Err(msg!("sql-null-needs-generator")),
            },
            _ => return Err(msg!("sql-no-such-generator", name = call.name, names = NAMES)),
        };
        made.in_order()?;
        call.at_most(made.most_arguments())?;
        Ok(made)
    }

    fn decimal(call: &Call) -> Result<Generator, Message> {
        let places = u32::try_from(call.whole_or(2, 2)?).ok().filter(|places| *places <= 15);
        let places = places.ok_or_else(|| msg!("sql-decimal-places"))?;
        let unit = 10f64.powi(places as i32);
        let scaled = |at| -> Result<i64, Message> {
            let value = (call.number_of(at)? * unit).round();
            if value.abs() < 9e18 { Ok(value as i64) } else { Err(msg!("sql-number-too-large", text = value)) }
        };
        Ok(Generator::Decimal { low: scaled(0)?, high: scaled(1)?, places })
    }

    fn json(template: &str, file: &dyn Fn(&str) -> Result<Vec<String>, Message>) -> Result<Generator, Message> {
        let (mut pieces, mut rest, mut is_quoted) = (Vec::new(), template, false);
        while let Some((before, after)) = rest.split_once("${") {
            let (call, after) = Call::beginning(after)?;
            let Some(after) = after.trim_start().strip_prefix('}') else {
                let open = || msg!("sql-json-open");
                return Err(after.split_once('}').map_or_else(open, |(text, _)| msg!("sql-call-wrong", text)));
            };
            is_quoted = json::is_within_text(before, is_quoted);
            pieces.push(JsonPiece { before: before.to_owned(), value: Some(Generator::new(&call, file)?), is_quoted });
            rest = after;
        }
        pieces.push(JsonPiece { before: rest.to_owned(), value: None, is_quoted: false });
        let made = Generator::Json { pieces };
        // Where other values stand in the same places, all rows are JSON or none is.
        match made.value(0, &mut Random::new(1), &mut |_, _, _, _| Field::Null) {
            Field::Text(row) if !json::is_json(&row) => Err(msg!("sql-not-json", row)),
            _ => Ok(made),
        }
    }

    fn histogram(text: &str) -> Result<Generator, Message> {
        let wrong = || msg!("sql-histogram-wrong");
        let mut ranges = Vec::new();
        for item in text.split(',') {
            let (range, weight) = item.trim().split_once(':').ok_or_else(wrong)?;
            let (range, weight) = (range.trim(), weight.trim().parse::<u64>().map_err(|_| wrong())?);
            // A minus sign at the beginning is no separator.
            let separator = range.char_indices().skip(1).find(|(_, c)| *c == '-').map(|(at, _)| at);
            let (low, high) = separator.map_or((range, range), |at| (&range[..at], &range[at + 1..]));
            let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
            let (low, high) = (number(low)?, number(high)?);
            if low > high || weight > 1 << 40 || ranges.len() >= 10_000 {
                return Err(wrong());
            }
            ranges.push((low, high, weight));
        }
        let total = ranges.iter().map(|(_, _, weight)| weight).sum();
        if total == 0 { Err(wrong()) } else { Ok(Generator::Weighted { ranges, total }) }
    }

    /// Fails if an upper end is below its lower one, or too far from it.
    fn in_order(&self) -> Result<(), Message> {
        /// The most words or letters of a text.
        const LONGEST_TEXT: u64 = 1 << 20;
        const MOST_BYTES: u64 = 1 << 24;
        let (right, width, (length, most)) = match self {
            Generator::Decimal { low, high, .. } => (low <= high, 0.0, (0, 0)),
            Generator::Float { low, high } => (low <= high, high - low, (0, 0)),
            Generator::Time { from, to, .. } => (from <= to, 0.0, (0, 0)),
            Generator::Words { least, most } | Generator::Text { least, most } => {
                (least <= most, 0.0, (*most, LONGEST_TEXT))
            }
            Generator::Bytes { length, .. } => (true, 0.0, (*length, MOST_BYTES)),
            _ => (true, 0.0, (0, 0)),
        };
        match (right, width.is_finite()) {
            (false, _) => Err(msg!("sql-empty-range")),
            (true, false) => Err(msg!("sql-range-too-large")),
            (true, true) if length > most => Err(msg!("sql-value-too-long", length, most)),
            (true, true) => Ok(()),
        }
    }

    fn most_arguments(&self) -> usize {
        match self {
            Generator::Uuid4 | Generator::Name | Generator::Email => 0,
            Generator::Bool { .. } | Generator::Uuid7 { .. } | Generator::Json { .. } | Generator::Weighted { .. } => 1,
            Generator::Decimal { .. } | Generator::Whole(_) => 3,
            _ => 2,
        }
    }

    /// The tables and columns whose values it takes.
    pub(crate) fn refers_to(&self, each: &mut dyn FnMut(&str, &str)) {
        match self {
            Generator::Ref { table, column, .. } => each(table, column),
            Generator::Null { of, .. } => of.refers_to(each),
            Generator::Json { pieces } => {
                pieces.iter().filter_map(|piece| piece.value.as_ref()).for_each(|of| of.refers_to(each));
            }
            _ => {}
        }
    }

    /// The value of a row, counted from 0. `other` is the value that another table has in a column of a row that a distribution chooses.
    pub(crate) fn value(
        &self,
        row: u64,
        random: &mut Random,
        other: &mut dyn FnMut(&str, &str, Shape, &mut Random) -> Field,
    ) -> Field {
        match self {
            Generator::Serial { first, step } => Field::Int(first.wrapping_add((row as i64).wrapping_mul(*step))),
            Generator::Whole(Range { low, high, shape }) => Field::Int(shape.draw(*low, *high, random)),
            Generator::Decimal { low, high, places } => {
                Field::Digits(text::decimal(Shape::Uniform.draw(*low, *high, random), *places))
            }
            Generator::Float { low, high } => Field::Digits(format!("{:?}", low + (high - low) * random.unit())),
            Generator::Bool { share } => Field::Int(i64::from(random.unit() < *share)),
            Generator::Time { from, to, with_time } => Field::Text(match with_time {
                true => calendar::timestamp(random.whole(*from, *to)),
                false => calendar::date(random.whole(from.div_euclid(86400), to.div_euclid(86400))),
            }),
            Generator::Uuid4 => Field::Text(text::uuid(random.word(), random.word(), 4)),
            Generator::Uuid7 { from_ms } => {
                let head = (from_ms + row) << 16 | (random.word() & 0xFFFF);
                Field::Text(text::uuid(head, random.word(), 7))
            }
            Generator::Words { least, most } => Field::Text(text::words(*least, *most, random)),
            Generator::Text { least, most } => Field::Text(text::letters(*least, *most, random)),
            Generator::Name => Field::Text(text::name(random)),
            Generator::Email => Field::Text(text::email(row, random)),
            Generator::Json { pieces } => {
                let mut json = String::new();
                for JsonPiece { before, value, is_quoted } in pieces {
                    json.push_str(before);
                    match value.as_ref().map(|of| of.value(row, random, other)) {
                        None => {}
                        Some(Field::Null) => json.push_str("null"),
                        Some(Field::Int(value)) => _ = write!(json, "{value}"),
                        Some(Field::Digits(digits)) => json.push_str(&digits),
                        Some(Field::Text(text)) => json::push_text(&text, *is_quoted, &mut json),
                        Some(Field::Bytes(bytes)) => {
                            json::push_text(&tenbin_words::hex::hex(&bytes), *is_quoted, &mut json);
                        }
                    }
                }
                Field::Text(json)
            }
            Generator::Bytes { length, compressible } => Field::Bytes(text::bytes(*length, *compressible, random)),
            Generator::Ref { table, column, shape } => other(table, column, *shape, random),
            Generator::Weighted { ranges, total } => {
                let mut rest = random.within(total - 1);
                for (low, high, weight) in ranges {
                    match rest.checked_sub(*weight) {
                        None => return Field::Int(random.whole(*low, *high)),
                        Some(less) => rest = less,
                    }
                }
                Field::Null
            }
            Generator::Pick { values, shape } => {
                let at = shape.draw(0, values.len() as i64 - 1, random);
                Field::Text(values.get(at as usize).cloned().unwrap_or_default())
            }
            Generator::Null { share, of } => {
                if random.unit() < *share {
                    Field::Null
                } else {
                    of.value(row, random, other)
                }
            }
        }
    }
}
