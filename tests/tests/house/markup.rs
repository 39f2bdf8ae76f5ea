//! HTML stands in the page's templates, not in Rust; drawings (SVG) are made of figures and stay where these are.

use super::{files, root};
use std::fs;

/// The files that draw; those that shorten or measure what templates have written; and Markdown for GitHub, which has small print by no other way.
const DRAWINGS: &[&str] = &[
    "crates/report/src/chart/ends.rs",
    "crates/report/src/chart/heat.rs",
    "crates/report/src/chart/spark.rs",
    "crates/report/src/chart/strip.rs",
    "crates/report/src/chart/svg.rs",
    "crates/report/src/chart/ticks.rs",
    "crates/report/src/export/github.rs",
    "crates/report/src/page/compact.rs",
    "crates/report/src/page/other_language.rs",
    "crates/report/src/page/width.rs",
];

#[test]
fn html_stands_in_templates() {
    let mut findings = Vec::new();
    let sources = files(&root().join("crates/report/src"), "rs");
    assert!(sources.len() > 30, "the sources are found");
    for file in sources {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        let code = crate::without_tests(&text);
        let marked = code.lines().enumerate().filter(|(_, line)| has_markup(line) && !DRAWINGS.contains(&&*name));
        findings.extend(marked.map(|(n, line)| format!("{name}:{}: {}", n + 1, line.trim())));
    }
    assert!(findings.is_empty(), "put this into crates/report/templates:\n{}", findings.join("\n"));
}

#[test]
fn markup_is_told_from_types_and_comparisons() {
    for line in [
        "format!(\"<span class=\\\"target\\\">{name}</span>\")",
        "out += \"<br>\";",
        "\"<p>{}\"",
        "\",<wbr>\"",
        "r#\"<!doctype html>\"#",
    ] {
        assert!(has_markup(line), "{line}");
    }
    for line in [
        "let all: Vec<u8> = a <b> c;",
        "if a < b && c > d {",
        "/// `<svg>` element",
        "fn f<'a>(x: Option<&'a str>)",
        "\"tenbin load <DSN>\"",
        "field(\"tps\").parse::<f64>()",
    ] {
        assert!(!has_markup(line), "{line}");
    }
}

/// Whether a text in quotes on this line has a tag of HTML.
fn has_markup(line: &str) -> bool {
    let quoted = line.split('"').skip(1).collect::<Vec<_>>().join("\"");
    let code = !line.trim_start().starts_with("//");
    let tag = |rest: &str| {
        let rest = rest.strip_prefix(['/', '!']).unwrap_or(rest);
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        let ends = rest[name.len()..].starts_with([' ', '>', '\\', '/']);
        ends && !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    code && quoted.match_indices('<').any(|(at, _)| !quoted[..at].ends_with(':') && tag(&quoted[at + 1..]))
}
