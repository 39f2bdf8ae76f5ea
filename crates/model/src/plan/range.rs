//! Ranges of an axis: `{ from = 1, to = 256, times = 2 }` and `{ from = "128MiB", to = "1GiB", step = "128MiB" }`.
//!
//! `from` and `to` are numbers, or amounts with a unit: both with the same one, or both of one family of units. The values are
//! those that do not exceed `to`, in the form of `from`.

use super::source::{Diagnostic, Diagnostics};
use super::value::{self, Value, in_order};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use toml::de::{DeTable, DeValue};

/// No range has more values: a plan cannot have more trials either.
const MOST: usize = super::MOST_TRIALS as usize;

/// Numbers below this are exact.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// The keys of a range.
const KEYS: [&str; 4] = ["from", "to", "times", "step"];

/// Units that are multiples of one another, smallest first. `MB` and `GB` are none: to PostgreSQL they are powers of 2.
const FAMILIES: [&[(&str, f64)]; 3] = [
    &[("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3_600e3), ("d", 86_400e3)],
    &[("B", 1.0), ("KiB", 1024.0), ("MiB", 1_048_576.0), ("GiB", 1_073_741_824.0), ("TiB", 1_099_511_627_776.0)],
    &[("K", 1024.0), ("M", 1_048_576.0), ("G", 1_073_741_824.0), ("T", 1_099_511_627_776.0)],
];

/// Whether a table in a matrix is a range, and not a part of the name of an axis: server variables may have dotted names.
pub fn is_range(axis: &str, table: &DeTable<'_>) -> bool {
    let one_value = |value: &Value<'_>| !matches!(value.get_ref(), DeValue::Array(_) | DeValue::Table(_));
    let of_range = in_order(table).into_iter().any(|(key, value)| KEYS.contains(key.get_ref()) && one_value(value));
    let names_no_further = ["load.", "dataset."].iter().any(|part| axis.starts_with(part));
    of_range || names_no_further
}

/// A number and its unit, which is empty for a bare number.
#[derive(Debug, Clone, PartialEq)]
struct Amount {
    number: f64,
    unit: String,
}

/// The values of a range, as a plan would write them in a list; `None` if it is not one.
pub fn values(
    axis: &str,
    table: &DeTable<'_>,
    at: &Value<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Option<Vec<String>> {
    let before = complaints.count();
    let mut given: [Option<Amount>; 4] = [const { None }; 4];
    for (key, value) in in_order(table) {
        match KEYS.iter().position(|known| known == key.get_ref()) {
            Some(place) => match amount(axis, key.get_ref(), value) {
                Ok(amount) => given[place] = Some(amount),
                Err(refusal) => complaints.add(value.span(), refusal),
            },
            None => complaints.add(key.span(), value::unknown_key(key.get_ref(), axis, &KEYS)),
        }
    }
    if complaints.count() > before {
        return None;
    }
    let [from, to, times, step] = given;
    match of(axis, from, to, times, step) {
        Ok(values) => Some(values),
        Err(refusal) => {
            complaints.add(at.span(), refusal);
            None
        }
    }
}

fn amount(axis: &str, key: &str, value: &Value<'_>) -> Result<Amount, Diagnostic> {
    let text = match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::String(_) => value::scalar(value).unwrap_or_default(),
        other => return Err(no_number(axis, key, value::kind(other))),
    };
    let text = text.trim();
    let digits =
        text.find(|c: char| c.is_ascii_alphabetic()).filter(|_| value.get_ref().is_str()).unwrap_or(text.len());
    let (number, unit) = (text[..digits].trim(), &text[digits..]);
    let number: f64 = match number.replace('_', "").parse() {
        Ok(number) if unit.chars().all(|c| c.is_ascii_alphabetic()) => number,
        _ => return Err(no_number(axis, key, foreign(format_args!("{text:?}")))),
    };
    if !number.is_finite() || number.abs() >= LARGEST {
        return Err(no_number(axis, key, foreign(text)));
    }
    Ok(Amount { number, unit: unit.to_owned() })
}

fn no_number(axis: &str, key: &str, found: Message) -> Diagnostic {
    Diagnostic::new(msg!("range-takes-numbers", axis, key, found), msg!("list-the-values", axis))
}

fn of(
    axis: &str,
    from: Option<Amount>,
    to: Option<Amount>,
    times: Option<Amount>,
    step: Option<Amount>,
) -> Result<Vec<String>, Diagnostic> {
    let example = || msg!("write-key", key = axis, value = "{ from = 1, to = 256, times = 2 }");
    let (Some(from), Some(to)) = (from, to) else {
        return Err(Diagnostic::new(msg!("range-without-ends", axis), example()));
    };
    let grows = match (times, step) {
        (Some(_), Some(_)) => return Err(Diagnostic::new(msg!("range-with-both", axis), msg!("keep-one-you-mean"))),
        (None, None) => return Err(Diagnostic::new(msg!("range-without-step", axis), example())),
        (Some(times), None) if !times.unit.is_empty() || times.number <= 1.0 => {
            return Err(Diagnostic::new(msg!("range-times-too-small", axis), example()));
        }
        (Some(times), None) if from.number <= 0.0 => {
            let what = msg!("range-from-zero", axis, times = plain(times.number));
            return Err(Diagnostic::new(what, example()));
        }
        (Some(times), None) => Growth::Times(times.number),
        (None, Some(step)) if step.number <= 0.0 => {
            return Err(Diagnostic::new(msg!("range-step-too-small", axis), example()));
        }
        (None, Some(step)) => Growth::Step(step),
    };
    let units = Units::of(axis, &from, &to, &grows)?;
    let [first, last] = [&from, &to].map(|amount| amount.number * units.of_one(&amount.unit));
    if first > last {
        return Err(Diagnostic::new(msg!("range-ends-before", axis), msg!("exchange-from-and-to")));
    }
    let numbers = match grows {
        Growth::Times(times) => by_factor(first, last, times),
        Growth::Step(step) => by_step(first, last, step.number * units.of_one(&step.unit)),
    };
    let numbers = numbers.ok_or_else(|| {
        let what = msg!("range-too-long", axis, most = tenbin_words::figure::whole(MOST as i128));
        Diagnostic::new(what, msg!("shorten-range"))
    })?;
    Ok(units.written(&numbers, &from))
}

/// How each value follows from the one before.
enum Growth {
    Times(f64),
    Step(Amount),
}

/// `first`, and each value after it this many times as large, as far as `last`. Values of whole numbers are rounded to whole
/// numbers, each of which appears once.
fn by_factor(first: f64, last: f64, times: f64) -> Option<Vec<f64>> {
    let steps = (last / first).log(times);
    if !steps.is_finite() || steps >= MOST as f64 {
        return None;
    }
    let whole = first.fract() == 0.0;
    let exact = (0..=steps.ceil() as i32 + 1).map(|n| first * times.powi(n));
    let mut all: Vec<f64> = exact.map(|x| if whole { x.round() } else { rounded(x) }).filter(|x| *x <= last).collect();
    all.dedup();
    Some(all)
}

fn by_step(first: f64, last: f64, step: f64) -> Option<Vec<f64>> {
    // A little more, because 0.1 and its multiples are not exact.
    let steps = ((last - first) / step + 1e-9).floor();
    (steps < MOST as f64).then(|| (0..=steps as u32).map(|n| rounded(first + f64::from(n) * step)).collect())
}

/// Without what floating-point numbers add: 0.30000000000000004 is 0.3.
fn rounded(x: f64) -> f64 {
    if x.fract() == 0.0 { x } else { (x * 1e9).round() / 1e9 }
}

/// A number as a plan writes it; whole ones without a fraction.
fn plain(x: f64) -> String {
    format!("{x}")
}

/// Units, each once; a number without one has none.
fn named(units: &[&str]) -> Message {
    let mut each: Vec<&str> = units.to_vec();
    each.sort_unstable();
    each.dedup();
    Message::list(each.into_iter().map(|unit| if unit.is_empty() { msg!("no-unit") } else { foreign(unit) }))
}

/// What the units of a range are to one another.
enum Units {
    /// All the same, perhaps none.
    Same,
    /// Of one family.
    Family(&'static [(&'static str, f64)]),
}

impl Units {
    fn of(axis: &str, from: &Amount, to: &Amount, grows: &Growth) -> Result<Units, Diagnostic> {
        let mut all = vec![from.unit.as_str(), to.unit.as_str()];
        if let Growth::Step(step) = grows {
            all.push(&step.unit);
        }
        let fraction = |number: f64| number.fract() != 0.0;
        let family = FAMILIES.iter().find(|family| all.iter().all(|unit| family.iter().any(|(name, _)| name == unit)));
        let fractions = match grows {
            Growth::Times(times) => fraction(from.number) || fraction(*times),
            Growth::Step(step) => fraction(from.number) || fraction(step.number),
        };
        match family {
            Some(family) if fractions || all.iter().any(|unit| *unit != all[0]) => Ok(Units::Family(family)),
            _ if all.iter().all(|unit| *unit == all[0]) => Ok(Units::Same),
            _ => Err(Diagnostic::new(
                msg!("range-of-different-units", axis, units = named(&all)),
                msg!("write-one-unit"),
            )),
        }
    }

    /// How much one of this unit is, of what is calculated with.
    fn of_one(&self, unit: &str) -> f64 {
        match self {
            Units::Same => 1.0,
            Units::Family(family) => family.iter().find(|(name, _)| *name == unit).map_or(1.0, |(_, one)| *one),
        }
    }

    fn written(&self, numbers: &[f64], like: &Amount) -> Vec<String> {
        let bare = like.unit.is_empty();
        let one = |number: &f64| match self {
            Units::Same if bare => plain(*number),
            Units::Same => format!("\"{}{}\"", plain(*number), like.unit),
            Units::Family(family) => {
                // The largest unit of which it is a whole number.
                let unit = family.iter().rev().find(|(_, one)| *number >= *one && number % one == 0.0);
                let (unit, one) = unit.copied().unwrap_or(family[0]);
                format!("\"{}{unit}\"", plain((number / one).round()))
            }
        };
        numbers.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> String {
        let document = format!("r = {text}");
        let parsed = DeTable::parse(&document).unwrap();
        let at = parsed.get_ref().get("r").unwrap();
        let mut complaints = Diagnostics::about(&document);
        if let Some(all) = values("load.x", at.get_ref().as_table().unwrap(), at, &mut complaints) {
            return all.join(" ");
        }
        let refused = complaints.finish().unwrap_err();
        let what = |p: &tenbin_words::problem::Problem| p.what.english().to_owned();
        refused.iter().map(what).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn ranges_have_the_values_that_a_list_would_have() {
        let all = [
            "{ from = 1, to = 256, times = 2 }",
            "{ from = 10, to = 100, step = 10 }",
            "{ from = 1, to = 100, times = 10 }",
            "{ from = 1, to = 99, times = 10 }",
            "{ from = 8, to = 8, step = 1 }",
            "{ from = 1, to = 20, times = 1.5 }",
            "{ from = 0, to = 3, step = 1 }",
            "{ from = 0.1, to = 0.5, step = 0.1 }",
            "{ from = 0.5, to = 4, times = 2 }",
            "{ from = 1_000, to = 1_000_000, times = 10 }",
            "{ from = \"128MiB\", to = \"1GiB\", times = 2 }",
            "{ from = \"256MiB\", to = \"1024MiB\", step = \"256MiB\" }",
            "{ from = \"128MB\", to = \"512MB\", times = 2 }",
            "{ from = \"128M\", to = \"1G\", times = 4 }",
            "{ from = \"1GiB\", to = \"3GiB\", step = \"512MiB\" }",
            "{ from = \"10s\", to = \"1m\", step = \"10s\" }",
            "{ from = \"1s\", to = \"4s\", times = 1.5 }",
            "{ from = \"1min\", to = \"3min\", step = \"1min\" }",
        ];
        insta::assert_snapshot!(all.map(|text| format!("{text}: {}", range(text))).join("\n"), @r#"
    { from = 1, to = 256, times = 2 }: 1 2 4 8 16 32 64 128 256
    { from = 10, to = 100, step = 10 }: 10 20 30 40 50 60 70 80 90 100
    { from = 1, to = 100, times = 10 }: 1 10 100
    { from = 1, to = 99, times = 10 }: 1 10
    { from = 8, to = 8, step = 1 }: 8
    { from = 1, to = 20, times = 1.5 }: 1 2 3 5 8 11 17
    { from = 0, to = 3, step = 1 }: 0 1 2 3
    { from = 0.1, to = 0.5, step = 0.1 }: 0.1 0.2 0.3 0.4 0.5
    { from = 0.5, to = 4, times = 2 }: 0.5 1 2 4
    { from = 1_000, to = 1_000_000, times = 10 }: 1000 10000 100000 1000000
    { from = "128MiB", to = "1GiB", times = 2 }: "128MiB" "256MiB" "512MiB" "1GiB"
    { from = "256MiB", to = "1024MiB", step = "256MiB" }: "256MiB" "512MiB" "768MiB" "1024MiB"
    { from = "128MB", to = "512MB", times = 2 }: "128MB" "256MB" "512MB"
    { from = "128M", to = "1G", times = 4 }: "128M" "512M"
    { from = "1GiB", to = "3GiB", step = "512MiB" }: "1GiB" "1536MiB" "2GiB" "2560MiB" "3GiB"
    { from = "10s", to = "1m", step = "10s" }: "10s" "20s" "30s" "40s" "50s" "1m"
    { from = "1s", to = "4s", times = 1.5 }: "1s" "1500ms" "2250ms" "3375ms"
    { from = "1min", to = "3min", step = "1min" }: "1min" "2min" "3min"
    "#);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        let all = [
            "{ from = 1, to = 8 }",
            "{ from = 1, times = 2 }",
            "{ to = 8, step = 2 }",
            "{ from = 1, to = 8, times = 2, step = 2 }",
            "{ from = 1, to = 8, times = 1 }",
            "{ from = 1, to = 8, times = 0 }",
            "{ from = 1, to = 8, times = -2 }",
            "{ from = 1, to = 8, times = \"2s\" }",
            "{ from = 1, to = 8, step = 0 }",
            "{ from = 1, to = 8, step = -1 }",
            "{ from = 8, to = 1, step = 1 }",
            "{ from = \"1GiB\", to = \"512MiB\", times = 2 }",
            "{ from = 0, to = 8, times = 2 }",
            "{ from = -8, to = 8, times = 2 }",
            "{ from = 1, to = 1_000_000, step = 1 }",
            "{ from = 1, to = 1_000_000_000, times = 1.0000001 }",
            "{ from = 1, to = 99_999_999_999_999_999_999, times = 2 }",
            "{ from = nan, to = 8, times = 2 }",
            "{ from = 1, to = inf, times = 2 }",
            "{ from = \"a\", to = \"b\", step = 1 }",
            "{ from = true, to = 8, step = 1 }",
            "{ from = [1], to = 8, step = 1 }",
            "{ from = \"1s\", to = 8, step = 1 }",
            "{ from = \"1MB\", to = \"1GB\", times = 2 }",
            "{ from = 1, to = \"8s\", times = 2 }",
            "{ from = \"1h 30m\", to = \"3h\", step = \"30m\" }",
            "{ from = 1, upto = 8, times = 2 }",
            "{ from = 1, until = 8, by = 2 }",
        ];
        insta::assert_snapshot!(all.map(|text| format!("{text}: {}", range(text))).join("\n"), @r#"
    { from = 1, to = 8 }: line 1, column 5: the range of load.x says neither times nor step
    { from = 1, times = 2 }: line 1, column 5: the range of load.x needs from and to
    { to = 8, step = 2 }: line 1, column 5: the range of load.x needs from and to
    { from = 1, to = 8, times = 2, step = 2 }: line 1, column 5: the range of load.x has both times and step
    { from = 1, to = 8, times = 1 }: line 1, column 5: times in the range of load.x is a number above 1
    { from = 1, to = 8, times = 0 }: line 1, column 5: times in the range of load.x is a number above 1
    { from = 1, to = 8, times = -2 }: line 1, column 5: times in the range of load.x is a number above 1
    { from = 1, to = 8, times = "2s" }: line 1, column 5: times in the range of load.x is a number above 1
    { from = 1, to = 8, step = 0 }: line 1, column 5: step in the range of load.x must be more than 0
    { from = 1, to = 8, step = -1 }: line 1, column 5: step in the range of load.x must be more than 0
    { from = 8, to = 1, step = 1 }: line 1, column 5: the range of load.x ends before it begins
    { from = "1GiB", to = "512MiB", times = 2 }: line 1, column 5: the range of load.x ends before it begins
    { from = 0, to = 8, times = 2 }: line 1, column 5: the range of load.x does not grow: 2 times 0, or a negative number, is not more
    { from = -8, to = 8, times = 2 }: line 1, column 5: the range of load.x does not grow: 2 times 0, or a negative number, is not more
    { from = 1, to = 1_000_000, step = 1 }: line 1, column 5: the range of load.x has more than 10,000 values
    { from = 1, to = 1_000_000_000, times = 1.0000001 }: line 1, column 5: the range of load.x has more than 10,000 values
    { from = 1, to = 99_999_999_999_999_999_999, times = 2 }: line 1, column 22: to in the range of load.x is a number, perhaps with a unit, not 99999999999999999999
    { from = nan, to = 8, times = 2 }: line 1, column 14: from in the range of load.x is a number, perhaps with a unit, not nan
    { from = 1, to = inf, times = 2 }: line 1, column 22: to in the range of load.x is a number, perhaps with a unit, not inf
    { from = "a", to = "b", step = 1 }: line 1, column 14: from in the range of load.x is a number, perhaps with a unit, not "a"; line 1, column 24: to in the range of load.x is a number, perhaps with a unit, not "b"
    { from = true, to = 8, step = 1 }: line 1, column 14: from in the range of load.x is a number, perhaps with a unit, not true or false
    { from = [1], to = 8, step = 1 }: line 1, column 14: from in the range of load.x is a number, perhaps with a unit, not a list
    { from = "1s", to = 8, step = 1 }: line 1, column 5: the range of load.x has units that are no multiples of one another: no unit, s
    { from = "1MB", to = "1GB", times = 2 }: line 1, column 5: the range of load.x has units that are no multiples of one another: GB, MB
    { from = 1, to = "8s", times = 2 }: line 1, column 5: the range of load.x has units that are no multiples of one another: no unit, s
    { from = "1h 30m", to = "3h", step = "30m" }: line 1, column 14: from in the range of load.x is a number, perhaps with a unit, not "1h 30m"
    { from = 1, upto = 8, times = 2 }: line 1, column 17: "upto" is not a key of load.x
    { from = 1, until = 8, by = 2 }: line 1, column 17: "until" is not a key of load.x; line 1, column 28: "by" is not a key of load.x
    "#);
    }
}
