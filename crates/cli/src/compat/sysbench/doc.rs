//! `doc/compat/sysbench.md` is generated from the table of options; every row is tested.

use super::option::{OptionGroup, SupportLevel};
use super::{options, parsed_args};
use crate::compat::support::reference_is;

/// The table in the reference.
fn reference() -> String {
    let mut text = String::new();
    for group in OptionGroup::ALL {
        text += if text.is_empty() { "" } else { "\n" };
        text += &format!("### {}\n\n| option | default | versions | |\n|---|---|---|---|\n", group.title());
        for row in options::all().filter(|r| r.group == *group) {
            let default = if row.default.is_empty() || row.default == "-" { "–" } else { row.default };
            text += &format!(
                "| `{}` | {default} | {} | {} |\n",
                row.synopsis(),
                row.since.words(),
                row.support.words(row.meaning)
            );
        }
    }
    text
}

#[test]
fn the_reference_is_the_table() {
    reference_is("sysbench.md", "the_reference_is_the_table", &reference());
}

#[test]
fn every_row_is_taken_as_it_says() {
    for row in options::all() {
        let value = match row.takes {
            super::option::ValueType::Bool => "on",
            super::option::ValueType::Int | super::option::ValueType::Seconds | super::option::ValueType::Double => "7",
            super::option::ValueType::Size => "8K",
            _ => "something",
        };
        for name in [row.name.to_owned(), row.name.replace('-', "_")] {
            if options::global(row.name).is_none() {
                // An option of the test: checked as by `given`.
                assert_eq!(
                    parsed_args::checked(row, Some(value)).is_err(),
                    matches!(row.support, SupportLevel::Refused(_)),
                    "{name}"
                );
                continue;
            }
            let read = |_: &str| Ok(String::new());
            let outcome = parsed_args::parse(&[format!("--{name}={value}")], read);
            match row.support {
                SupportLevel::Refused(because) => assert!(outcome.unwrap_err().0.contains(because), "{name}"),
                SupportLevel::Means | SupportLevel::Inert(_) => {
                    assert_eq!(outcome.unwrap().text(row.name), value, "{name}")
                }
            }
            if !row.default.is_empty() && row.default != "-" {
                let default = parsed_args::parse(&[format!("--{name}={}", row.default)], read);
                assert!(default.is_ok(), "--{name}={} is its own default", row.default);
            }
        }
        let wrong = match row.takes {
            super::option::ValueType::Text | super::option::ValueType::List | super::option::ValueType::File => {
                continue;
            }
            _ => "wrong",
        };
        assert!(parsed_args::checked(row, Some(wrong)).is_err(), "--{}={wrong}", row.name);
    }
}

#[test]
fn no_name_stands_twice() {
    let mut names: Vec<&str> = options::all().map(|r| r.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
