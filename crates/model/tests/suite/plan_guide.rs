//! The plan reference says what the parser does: every key stands in both languages, and every plan shown is a plan.
//!
//! `TENBIN_UPDATE_DOCS=1 cargo test -p tenbin-model --test suite plan_guide` writes the English tables anew.

use crate::common;

use std::path::PathBuf;
use tenbin_model::plan::keys::{self, Key, LATER, Table};
use tenbin_model::plan::{Plan, expand};

/// The tables in the order of the guide, with the mark before each.
const TABLES: &[(&str, Table)] = &[
    ("top", Table::Top),
    ("targets", Table::Target),
    ("datasets", Table::Dataset),
    ("experiment", Table::Experiment),
    ("load", Table::Load),
    ("group", Table::Group),
    ("matrix", Table::Matrix),
    ("metrics", Table::Metrics),
    ("gate", Table::Gate),
    ("hosts", Table::Hosts),
    ("refutes", Table::Refutes),
];

fn guide(language: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../doc/guide/{language}/plan.md"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    (path, text)
}

fn row(key: &Key) -> String {
    let names: Vec<String> = std::iter::once(&key.name).chain(key.also).map(|n| format!("`{n}`")).collect();
    let default = if key.default.is_empty() { "–" } else { key.default };
    format!("| {} | {} | {default} | `{}` | {} |\n", names.join(", "), key.takes, key.example, key.meaning)
}

fn table(table: Table) -> String {
    let head = "| key | takes | not given | for example | meaning |\n|---|---|---|---|---|\n";
    keys::of(table).fold(head.to_owned(), |text, key| text + &row(key))
}

/// Where the marks of one table have it.
fn range(text: &str, name: &str) -> std::ops::Range<usize> {
    let (start, end) = (format!("<!-- keys {name} -->\n"), "<!-- end -->");
    let from = text.find(&start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    from..text[from..].find(end).expect("every table has its end mark") + from
}

#[test]
fn the_english_reference_is_the_list_of_keys() {
    let (path, text) = guide("en");
    let mut right = text.clone();
    for (name, of) in TABLES {
        right.replace_range(range(&right, name), &table(*of));
    }
    let later: String =
        LATER.iter().map(|l| format!("- `{}` of {}: {}\n", l.name, l.table.header(), l.reason().english())).collect();
    right.replace_range(range(&right, "later"), &later);
    if std::env::var_os("TENBIN_UPDATE_DOCS").is_some() {
        std::fs::write(path, &right).unwrap();
    } else {
        assert!(right == text, "doc/guide/en/plan.md is behind the parser; see the head of this test for the command");
    }
}

#[test]
fn the_japanese_reference_has_every_key_with_its_names_and_example() {
    let (_, text) = guide("ja");
    for (name, of) in TABLES {
        let rows = &text[range(&text, name)];
        for key in keys::of(*of) {
            let names: Vec<String> = std::iter::once(&key.name).chain(key.also).map(|n| format!("`{n}`")).collect();
            let row = rows.lines().find(|l| l.starts_with(&format!("| {} |", names.join(", "))));
            let row = row.unwrap_or_else(|| panic!("doc/guide/ja/plan.md lacks {} in {name}", names.join(", ")));
            assert!(row.contains(&format!("`{}`", key.example)), "another example than {}: {row}", key.example);
        }
        assert_eq!(rows.lines().count(), keys::of(*of).count() + 2, "rows without a key in {name}");
    }
}

#[test]
fn every_plan_shown_is_a_plan() {
    let pages =
        ["doc/guide/en/plan.md", "doc/guide/ja/plan.md", "doc/guide/en/first-steps.md", "doc/guide/ja/first-steps.md"];
    for page in pages.into_iter().chain(["README.md", "README.ja.md"]) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let plans: Vec<&str> = text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert!(!plans.is_empty(), "{page} shows no plan");
        for shown in plans {
            let plan = Plan::parse(shown, &common::catalog()).unwrap_or_else(|e| panic!("{page}:\n{shown}\n{e:#?}"));
            assert!(!expand(&plan).is_empty());
        }
    }
}
