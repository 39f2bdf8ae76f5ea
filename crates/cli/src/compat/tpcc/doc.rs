//! `doc/compat/tpcc-mysql.md` is generated from the tables of options; every row is tested.

use super::option::{LOAD, OptionSpec, START, SupportLevel, ValueType};
use super::parsed_args;
use crate::compat::support::reference_is;

fn reference() -> String {
    let mut text = String::new();
    for (program, rows) in [("tpcc_load", LOAD), ("tpcc_start", START)] {
        text += if text.is_empty() { "" } else { "\n" };
        text += &format!("### {program}\n\n| option | default | |\n|---|---|---|\n");
        for row in rows {
            let default = if row.default.is_empty() { "–" } else { row.default };
            text += &format!(
                "| `{}` | {default} | {} |\n",
                row.synopsis().replace('|', "\\|"),
                row.support.words(row.meaning)
            );
        }
    }
    text
}

#[test]
fn the_tpcc_mysql_reference_is_the_table() {
    reference_is("tpcc-mysql.md", "the_tpcc_mysql_reference_is_the_table", &reference());
}

#[test]
fn every_row_is_taken_as_it_says() {
    for (rows, forms) in [(LOAD, parsed_args::LOAD), (START, parsed_args::START)] {
        for row in rows {
            let value = match row.takes {
                ValueType::Nothing => "",
                ValueType::Number(from, to) => {
                    if matches!(row.support, SupportLevel::Means) { from.max(1).min(to) } else { 7 }.to_string().leak()
                }
                ValueType::Text => "x",
                ValueType::Word(words) => words[0],
            };
            let mut ways = Vec::new();
            if row.letter != ' ' {
                ways.push(vec![format!("-{}{value}", row.letter)]);
            } else {
                ways.push(vec![format!("--{}={value}", row.name)]);
            }
            if row.takes != ValueType::Nothing {
                let name = if row.letter == ' ' { format!("--{}", row.name) } else { format!("-{}", row.letter) };
                ways.push(vec![name, value.to_owned()]);
            }
            for words in ways {
                let outcome = parsed_args::read(&words, rows, forms);
                match row.support {
                    SupportLevel::Refused(because) => assert!(outcome.unwrap_err().contains(because), "{words:?}"),
                    SupportLevel::Means | SupportLevel::Inert(_) => {
                        assert!(outcome.unwrap().has(row.name), "{words:?}")
                    }
                }
            }
            if let ValueType::Number(..) | ValueType::Word(_) = row.takes {
                assert!(row.checked("wrong").is_err(), "{}", row.name);
            }
            if row.takes != ValueType::Text && row.default.parse::<u64>().is_ok() {
                assert_eq!(row.checked(row.default).as_deref(), Ok(row.default), "its own default");
            }
        }
    }
}

#[test]
fn no_name_and_no_letter_stands_twice() {
    for rows in [LOAD, START] {
        let mut names: Vec<String> = rows.iter().map(|r: &OptionSpec| r.name.to_owned()).collect();
        names.extend(rows.iter().filter(|r| r.letter != ' ').map(|r| r.letter.to_string()));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
