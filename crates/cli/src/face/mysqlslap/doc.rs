//! `doc/compat/mysqlslap.md` is printed from the table of options; every row is fed.

use super::option::{FILES, Fate, OPTIONS, Takes};
use super::typed::{self, Typed};
use crate::face::fate::reference_is;

fn reference() -> String {
    let mut text = String::from("| option | default | of | |\n|---|---|---|---|\n");
    for row in FILES.iter().chain(OPTIONS) {
        let default = if row.default.is_empty() { "–" } else { row.default };
        let of = row.of.name();
        text += &format!("| `{}` | {default} | {of} | {} |\n", row.synopsis(), row.fate.words(row.meaning));
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
            Takes::Flag | Takes::Times => format!("--{}", row.name),
            Takes::Number => format!("--{}=7", row.name),
            Takes::Text | Takes::Maybe => format!("--{}=x", row.name),
        }];
        all.push(all[0].replacen('-', "_", 9).replacen("__", "--", 1));
        if row.letter != ' ' {
            let value = if matches!(row.takes, Takes::Flag | Takes::Times) { "" } else { "7" };
            all.push(format!("-{}{value}", row.letter));
        }
        for word in all {
            let mut typed = Typed::default();
            let outcome = typed::read(std::slice::from_ref(&word), false, &mut typed);
            match row.fate {
                Fate::Refused(because) => assert!(outcome.unwrap_err().contains(because), "{word}"),
                Fate::Means => assert!(outcome.is_ok() && typed.has(row.name), "{word}: {outcome:?}"),
                Fate::Inert(because) => assert!(outcome.is_ok() && typed.notes[0].contains(because), "{word}"),
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
