//! `doc/compat/mysqlslap.md` is printed from the table of options; every row is fed.

use super::option::{FILES, Fate, OPTIONS, Row, Takes};
use super::typed::{self, Typed};

fn reference() -> String {
    let mut text = String::from("| option | default | of | |\n|---|---|---|---|\n");
    for row in FILES.iter().chain(OPTIONS) {
        let default = if row.default.is_empty() { "–" } else { row.default };
        let of = row.of.name();
        text += &format!("| `{}` | {default} | {of} | {} |\n", row.synopsis(), words(row));
    }
    text
}

fn words(row: &Row) -> String {
    match row.fate {
        Fate::Means => format!("*means* {}", row.meaning),
        Fate::Inert(because) => format!("{} — *accepted without effect* because {because}", row.meaning),
        Fate::Refused(because) => format!("{} — *refused* because {because}", row.meaning),
    }
}

const BEGIN: &str = "<!-- the table: printed by the test `the_mysqlslap_reference_is_the_table` -->\n";
const END: &str = "<!-- the table ends -->\n";

#[test]
fn the_mysqlslap_reference_is_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../doc/compat/mysqlslap.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (head, rest) = text.split_once(BEGIN).expect("the table has its place");
    let (_, tail) = rest.split_once(END).expect("the table has its end");
    let wanted = format!("{head}{BEGIN}\n{}\n{END}{tail}", reference());
    if std::env::var_os("TENBIN_UPDATE_DOCS").is_some() {
        std::fs::write(path, wanted).unwrap();
    } else {
        let how = "TENBIN_UPDATE_DOCS=1 cargo test -p tenbin-cli the_mysqlslap_reference_is_the_table";
        assert!(text == wanted, "{path} is behind the table of options: {how}");
    }
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
