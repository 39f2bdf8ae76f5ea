//! What workloads, data sets and their options are: each has a Japanese text too, `tenbin list` shows it, and the guide has all options.
//!
//! `TENBIN_UPDATE_DOCS=1 cargo test -p tenbin-tests --test house described` writes the tables of the guide anew.

use super::root;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use tenbin_words::described::{by_text, described};
use tenbin_words::language::Language;
use tenbin_workload::options::OptionSpec;
use tenbin_workloads::{datasets, workloads};

/// All descriptions in the entries.
fn texts() -> BTreeSet<&'static str> {
    let meanings = |rows: Vec<&'static OptionSpec>| rows.into_iter().map(|row| row.meaning).collect::<Vec<_>>();
    let of_workloads = workloads().into_iter().flat_map(|w| meanings(w.rows()).into_iter().chain([w.about]));
    let of_datasets = datasets().flat_map(|d| meanings(d.rows()).into_iter().chain([d.about]));
    of_workloads.chain(of_datasets).collect()
}

#[test]
fn every_description_has_a_japanese_text() {
    let texts = texts();
    assert!(texts.len() > 100, "the entries were not found");
    let lacking: Vec<&str> = texts.iter().copied().filter(|text| !by_text().contains_key(text)).collect();
    assert!(lacking.is_empty(), "put these into crates/words/locales/*/described.ftl:\n{}", lacking.join("\n"));
    let gone: Vec<&str> = by_text().keys().copied().filter(|text| !texts.contains(text)).collect();
    assert!(gone.is_empty(), "nothing is described by these any more:\n{}", gone.join("\n"));
    let same: Vec<&str> =
        texts.iter().copied().filter(|text| described(text).text(Language::Japanese) == *text).collect();
    assert!(same.iter().all(|text| *text == "id is AUTO_INCREMENT"), "English in Japanese: {same:?}");
    assert_eq!(described("a text of another program").text(Language::Japanese), "a text of another program");
}

#[test]
fn the_guide_has_the_options_of_every_data_set_and_workload() {
    for (name, language) in [("en", Language::English), ("ja", Language::Japanese)] {
        let path: PathBuf = root().join(format!("doc/guide/{name}/workloads.md"));
        let text = std::fs::read_to_string(&path).unwrap();
        let mut right = text.clone();
        for (mark, tables) in [("data sets", of_datasets(language)), ("workloads", of_workloads(language))] {
            let (start, end) = (format!("<!-- {mark} -->\n"), "<!-- end -->");
            let from = right.find(&start).unwrap_or_else(|| panic!("{path:?} has no {start}")) + start.len();
            let to = from + right[from..].find(end).unwrap();
            right.replace_range(from..to, &tables);
        }
        if std::env::var_os("TENBIN_UPDATE_DOCS").is_some() {
            std::fs::write(&path, &right).unwrap();
        } else {
            assert!(right == text, "{path:?} is behind the entries; see the head of this file for the command");
        }
    }
}

fn of_datasets(language: Language) -> String {
    datasets().map(|d| table((d.kind, d.about), d.rows(), language)).collect()
}

fn of_workloads(language: Language) -> String {
    workloads().into_iter().map(|w| table((w.name, w.about), w.rows(), language)).collect()
}

fn table((name, about): (&str, &str), rows: Vec<&'static OptionSpec>, language: Language) -> String {
    let says = |text: &str| described(text).text(language).replace('|', "\\|");
    let mut text = format!("\n### `{name}`\n\n{}\n\n", says(about));
    text += match language {
        Language::English => "| option | not given | meaning |\n|---|---|---|\n",
        Language::Japanese => "| オプション | 既定値 | 意味 |\n|---|---|---|\n",
    };
    for row in rows {
        let default = if row.default.is_empty() { "–".to_owned() } else { format!("`{}`", row.default) };
        let _ = writeln!(text, "| `{}` | {default} | {} |", row.name, says(row.meaning));
    }
    text + "\n"
}
