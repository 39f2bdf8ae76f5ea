//! Options of workloads and datasets: one row each, with name, default and meaning; resolved once into plain values.
//!
//! A row is the definition, the documentation (`tenbin list`) and the check. `-` and `_` in names are equivalent.

use crate::distribution::{self, DistributionKind};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::described::described;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;
use tenbin_words::units;

/// Unresolved options: name to value.
pub type OptionMap = BTreeMap<String, String>;

/// One option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// Its name, with `_`.
    pub name: &'static str,
    /// Its default.
    pub default: &'static str,
    /// The values it takes.
    pub takes: ValueType,
    /// What it does, in one line.
    pub meaning: &'static str,
}

impl OptionSpec {
    /// Whether this is a valid value.
    pub fn takes(&self, value: &str) -> bool {
        self.takes.read(value).is_ok()
    }
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueType {
    /// An integer from .. to, inclusive.
    Count(u64, u64),
    /// A number from .. to, inclusive.
    Number(f64, f64),
    /// `on` or `off`.
    Switch,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An identifier: letters, digits and `_`.
    Name,
    /// The name of a schema, which statements quote: letters, digits, spaces and `_ $ - .`; or nothing.
    SchemaOrNone,
    /// Any text.
    Text,
    /// A number of bytes from .. to, inclusive: `16384`, `16K`, `2G` (powers of 1024, as in sysbench), `16KiB`.
    Size(u64, u64),
}

/// Creates an option, for the lists of options.
pub const fn row(name: &'static str, default: &'static str, takes: ValueType, meaning: &'static str) -> OptionSpec {
    OptionSpec { name, default, takes, meaning }
}

/// All options of `rows` with their values, checked: from `given`, or else the default. Values are returned in a
/// canonical spelling (`on`, not `true`), names with `_`. `whose` names the owner in the problem: "the workload
/// oltp_insert".
pub fn resolve(whose: &Message, rows: &[&OptionSpec], given: &OptionMap) -> Result<OptionMap, Problem> {
    let mut resolved: OptionMap = rows.iter().map(|r| (r.name.to_owned(), r.default.to_owned())).collect();
    for (name, value) in given {
        let (name, value) = read(whose, rows, name, value).map_err(|(_, problem)| problem)?;
        resolved.insert(name, value);
    }
    Ok(resolved)
}

/// An invalid field: its name, its value if that is invalid, and the problem.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionError {
    /// The option, or `workload` or `kind`; `None`: the fields contradict each other.
    pub field: Option<(String, Option<String>)>,
    /// The problem for the user.
    pub problem: Problem,
}

/// All errors in these options.
pub fn wrong(whose: &Message, rows: &[&OptionSpec], given: &OptionMap) -> Vec<OptionError> {
    let one = |(name, value): (&String, &String)| {
        let (of_value, problem) = read(whose, rows, name, value).err()?;
        Some(OptionError { field: Some((name.clone(), of_value.then(|| value.clone()))), problem })
    };
    given.iter().filter_map(one).collect()
}

/// Name and value in canonical spelling; otherwise whether the value is invalid, and the problem.
fn read(whose: &Message, rows: &[&OptionSpec], name: &str, value: &str) -> Result<(String, String), (bool, Problem)> {
    let canonical = name.replace('-', "_");
    let Some(row) = rows.iter().find(|r| r.name == canonical) else {
        let problem = Problem::new(msg!("option-unknown", whose, option = format_args!("{name:?}")));
        return Err((false, problem.hint(hint_for(rows, &canonical))));
    };
    let value = row.takes.read(value).map_err(|wanted| {
        let problem =
            Problem::new(msg!("option-cannot-be", whose, option = row.name, value = format_args!("{value:?}")))
                .evidence(msg!("option-is", option = row.name, meaning = described(row.meaning)))
                .hint(match units::count(value).map(|count| count.to_string()).filter(|count| row.takes(count)) {
                    Some(count) => msg!("write-key", key = row.name, value = count),
                    None => msg!("give-wanted-for-example", wanted, example = row.default),
                });
        (true, problem)
    })?;
    Ok((canonical, value))
}

/// A hint for an unknown option.
fn hint_for(rows: &[&OptionSpec], name: &str) -> Message {
    let names = rows.iter().map(|r| r.name);
    match nearest(name, names.clone()) {
        Some(right) => msg!("write-or-remove-it", right),
        None if rows.is_empty() => msg!("remove-option-none-here"),
        None => {
            // Some are of the workload and of its data set.
            let mut seen = BTreeSet::new();
            msg!("use-one-of", names = names.filter(|name| seen.insert(*name)).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The rows as a readable table: name, default, meaning.
pub fn table(rows: &[&OptionSpec]) -> String {
    let width = |of: fn(&OptionSpec) -> usize| rows.iter().map(|r| of(r)).max().unwrap_or(0);
    let (names, defaults) = (width(|r| r.name.len()), width(|r| r.default.len()));
    let line = |r: &&OptionSpec| format!("{:names$}  {:defaults$}  {}\n", r.name, r.default, r.meaning);
    rows.iter().map(line).collect()
}

impl ValueType {
    /// The value in canonical spelling, or a description of valid ones.
    fn read(self, value: &str) -> Result<String, Message> {
        match self {
            ValueType::Count(from, to) => match value.replace('_', "").parse::<u64>() {
                Ok(n) if (from..=to).contains(&n) => Ok(n.to_string()),
                _ => Err(msg!("whole-number-from-to", from, to)),
            },
            ValueType::Number(from, to) => match value.parse::<f64>() {
                Ok(n) if (from..=to).contains(&n) => Ok(n.to_string()),
                _ => Err(msg!("number-from-to", from, to)),
            },
            ValueType::Switch => match value.to_ascii_lowercase().as_str() {
                "on" | "true" | "yes" | "1" | "" => Ok("on".into()),
                "off" | "false" | "no" | "0" => Ok("off".into()),
                _ => Err(msg!("on-or-off")),
            },
            ValueType::Word(words) => match words.iter().find(|w| w.eq_ignore_ascii_case(value)) {
                Some(word) => Ok((*word).to_owned()),
                None => Err(match nearest(value, words.iter().copied()) {
                    Some(word) => msg!("one-of-words-meant", words = words.join(", "), word),
                    None => msg!("one-of-words", words = words.join(", ")),
                }),
            },
            ValueType::Text => Ok(value.to_owned()),
            ValueType::SchemaOrNone if value.chars().all(in_schema) && value.len() <= 64 => Ok(value.to_owned()),
            ValueType::SchemaOrNone => Err(msg!("a-name-of-schema")),
            ValueType::Name if !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
                Ok(value.to_owned())
            }
            ValueType::Size(from, to) => match size(value) {
                // As given: `2G` is more readable than a number of bytes.
                Some(n) if (from..=to).contains(&n) => Ok(value.trim().to_owned()),
                _ => Err(msg!("a-size-from", from)),
            },
            ValueType::Name => Err(msg!("a-name")),
        }
    }
}

/// What the name of a schema may have, in any language.
fn in_schema(c: char) -> bool {
    c.is_alphanumeric() || " _$-.".contains(c)
}

/// A size in bytes: digits and a power of 1024, or in the form of plans.
fn size(text: &str) -> Option<u64> {
    units::bytes(text).ok().or_else(|| units::binary_amount(text))
}

/// Options checked by [`resolve`], read by type. An option without a row reads as zero, off or empty.
#[derive(Debug, Clone, Copy)]
pub struct Resolved<'a>(pub &'a OptionMap);

impl Resolved<'_> {
    /// A whole number.
    pub fn count(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap_or(0)
    }

    /// An integer whose maximum is at most 2³² − 1.
    pub fn count32(&self, name: &str) -> u32 {
        u32::try_from(self.count(name)).unwrap_or(u32::MAX)
    }

    /// A size, in bytes.
    pub fn size(&self, name: &str) -> u64 {
        size(self.text(name)).unwrap_or(0)
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    /// A switch.
    pub fn on(&self, name: &str) -> bool {
        self.text(name) == "on"
    }

    /// A word or name.
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The distribution described by the options of [`RANDOM`].
    pub fn shape(&self) -> DistributionKind {
        self.shape_named(self.text("rand_type"))
    }

    /// The distribution of this name, with its parameters from the same options.
    pub fn shape_named(&self, name: &str) -> DistributionKind {
        let iterations = self.count32("rand_spec_iter").max(1);
        match name {
            "uniform" => DistributionKind::Uniform,
            "gaussian" => DistributionKind::Gaussian { iterations },
            "pareto" => DistributionKind::Pareto { h: self.number("rand_pareto_h") },
            "zipfian" => DistributionKind::Zipfian { exponent: self.number("rand_zipfian_exp") },
            _ => DistributionKind::Special {
                iterations,
                percent: self.count32("rand_spec_pct"),
                share: self.count32("rand_spec_res"),
            },
        }
    }
}

/// Random numbers, with the defaults of sysbench 1.0.20 (zipfian: of 1.1).
pub const RANDOM: &[OptionSpec] = &[
    row("rand_type", "special", ValueType::Word(distribution::NAMES), "distribution of the keys"),
    row(
        "rand_spec_iter",
        "12",
        ValueType::Count(1, 1000),
        "gaussian, special: number of uniform values that are averaged",
    ),
    row("rand_spec_pct", "1", ValueType::Count(0, 100), "special: width of the hot range, in per cent of the rows"),
    row("rand_spec_res", "75", ValueType::Count(0, 100), "special: percentage of draws from the hot range"),
    row(
        "rand_pareto_h",
        "0.2",
        ValueType::Number(0.000_001, 0.999_999),
        "pareto: this share h of the rows gets the share 1 − h of the draws",
    ),
    row("rand_zipfian_exp", "0.8", ValueType::Number(0.0, 100.0), "zipfian: exponent; 0 is uniform"),
];

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[OptionSpec] = &[
        row("table_size", "10000", ValueType::Count(1, 1_000_000), "rows per table"),
        row("skip_trx", "off", ValueType::Switch, "no BEGIN and COMMIT"),
    ];

    fn given(pairs: &[(&str, &str)]) -> OptionMap {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    fn resolved(pairs: &[(&str, &str)]) -> Result<OptionMap, Problem> {
        let rows: Vec<&OptionSpec> = ROWS.iter().chain(RANDOM).collect();
        resolve(&msg!("the-workload", workload = "demo"), &rows, &given(pairs))
    }

    #[test]
    fn what_is_not_given_has_its_default_and_spelling_does_not_matter() {
        let all = resolved(&[("table-size", "5_000"), ("skip_trx", "true"), ("rand_type", "Uniform")]).unwrap();
        assert_eq!(Resolved(&all).count("table_size"), 5000);
        assert!(Resolved(&all).on("skip_trx"));
        assert_eq!(Resolved(&all).shape(), DistributionKind::Uniform);
        assert_eq!(all.len(), ROWS.len() + RANDOM.len());
        let plain = resolved(&[]).unwrap();
        assert_eq!(Resolved(&plain).shape(), DistributionKind::Special { iterations: 12, percent: 1, share: 75 });
    }

    #[test]
    fn every_default_is_a_legal_value_in_its_own_spelling() {
        for row in ROWS.iter().chain(RANDOM) {
            assert_eq!(row.takes.read(row.default).as_deref(), Ok(row.default), "{}", row.name);
        }
    }

    #[test]
    fn wrong_names_and_values_come_with_a_hint() {
        let refusal = |pairs: &[(&str, &str)]| resolved(pairs).unwrap_err().to_string();
        insta::assert_snapshot!(refusal(&[("tablesize", "5")]), @r#"
the workload demo has no option "tablesize"
  hint      write table_size, or remove it
"#);
        insta::assert_snapshot!(refusal(&[("zzz", "5")]), @r#"
the workload demo has no option "zzz"
  hint      use one of: table_size, skip_trx, rand_type, rand_spec_iter, rand_spec_pct, rand_spec_res, rand_pareto_h, rand_zipfian_exp
"#);
        insta::assert_snapshot!(refusal(&[("table_size", "many")]), @r#"
the workload demo: table_size cannot be "many"
  evidence  table_size: rows per table
  hint      give a whole number from 1 to 1000000, for example 10000
"#);
        insta::assert_snapshot!(refusal(&[("rand_type", "zipfan")]), @r#"
the workload demo: rand_type cannot be "zipfan"
  evidence  rand_type: distribution of the keys
  hint      give one of uniform, gaussian, special, pareto, zipfian (did you mean zipfian?), for example special
"#);
    }

    #[test]
    fn the_table_lines_up() {
        let rows: Vec<&OptionSpec> = ROWS.iter().collect();
        insta::assert_snapshot!(table(&rows), @r"
table_size  10000  rows per table
skip_trx    off    no BEGIN and COMMIT
");
    }
}
