//! `doc/compat/mysqlslap.md` is generated from the table of options; every row is tested.

use super::option::{FILES, OPTIONS, SupportLevel, ValueType};
use super::parsed_args::{self, ParsedArgs};
use crate::compat::support::reference_is;

fn reference() -> String {
    let mut text = String::from("| option | default | of | |\n|---|---|---|---|\n");
    for row in FILES.iter().chain(OPTIONS) {
        let default = if row.default.is_empty() { "–" } else { row.default };
        let of = row.of.name();
        text += &format!("| `{}` | {default} | {of} | {} |\n", row.synopsis(), row.support.words(row.meaning));
    }
    text
}

#[test]
fn the_mysqlslap_reference_is_the_table() {
    reference_is("mysqlslap.md", "the_mysqlslap_reference_is_the_table", &reference());
}

#[test]
fn every_row_is_taken_as_it_says() {
    for row in OPTIONS {
        let mut all = vec![match row.takes {
            ValueType::Flag | ValueType::Times => format!("--{}", row.name),
            ValueType::Number => format!("--{}=7", row.name),
            ValueType::Text | ValueType::Maybe => format!("--{}=x", row.name),
        }];
        all.push(all[0].replacen('-', "_", 9).replacen("__", "--", 1));
        if row.letter != ' ' {
            let value = if matches!(row.takes, ValueType::Flag | ValueType::Times) { "" } else { "7" };
            all.push(format!("-{}{value}", row.letter));
        }
        for word in all {
            let mut args = ParsedArgs::default();
            let outcome = parsed_args::read(std::slice::from_ref(&word), false, &mut args);
            match row.support {
                SupportLevel::Refused(because) => assert!(outcome.unwrap_err().contains(because), "{word}"),
                SupportLevel::Means => assert!(outcome.is_ok() && args.has(row.name), "{word}: {outcome:?}"),
                SupportLevel::Inert(because) => assert!(outcome.is_ok() && args.notes[0].contains(because), "{word}"),
            }
        }
    }
}

#[test]
fn no_name_and_no_letter_stands_twice() {
    let mut names: Vec<String> = OPTIONS.iter().map(|r| r.name.to_owned()).collect();
    names.extend(OPTIONS.iter().filter(|r| r.letter != ' ').map(|r| r.letter.to_string()));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
