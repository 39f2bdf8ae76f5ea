//! Results that others published, as Markdown, JSON and a page: what was read, and what the checks found.

mod charts;
mod page;

pub use page::render as page;

use crate::export::escaped;
use serde_json::{Value, json};
use std::fmt::Write;
use tenbin_published::{Meaning, Published, PublishedAudit, PublishedTable};
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The number of results and the targets.
pub fn head(published: &Published) -> Message {
    /// A list of more targets says nothing.
    const MOST: usize = 8;
    let targets = published.targets();
    let names: Vec<&str> = targets.iter().take(MOST).copied().collect();
    let more = if targets.len() > MOST { ", …" } else { "" };
    let names = format!("{}{more}", names.join(", "));
    let of = match targets.len() {
        0 => foreign(""),
        n => msg!("published-of-targets", n, names),
    };
    msg!("published-head", results = published.results.len(), targets = of)
}

/// What a table is called: its file, and the words above it.
pub fn name(table: &PublishedTable) -> String {
    let parts: Vec<&str> = [&table.file, &table.caption].into_iter().map(String::as_str).collect();
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
}

/// Tables, doubts and checks as Markdown.
pub fn markdown(published: &Published, audited: &PublishedAudit, language: Language) -> String {
    let text = |message: &Message| escaped(&message.text(language));
    let mut out = format!("**{}** — {}\n", audited.verdict_name(), text(&head(published)));
    for (number, doubt) in audited.doubts.iter().enumerate() {
        let problem = &doubt.doubt.problem;
        let (number, verdict) = (number + 1, doubt.doubt.verdict.name());
        let _ = write!(out, "\n{number}. **{verdict}** {}", text(&problem.what));
        for part in [&problem.evidence, &problem.hint].into_iter().flatten() {
            let _ = write!(out, "\n   - {}", text(part).replace('\n', "\n     "));
        }
    }
    if !audited.doubts.is_empty() {
        out.push('\n');
    }
    let marks = audited.marks(published);
    for (at, table) in published.tables.iter().enumerate() {
        let _ = write!(out, "\n{}\n\n", escaped(&name(table)));
        let head: Vec<String> = table.columns.iter().map(|column| escaped(&column.heading)).collect();
        let _ = writeln!(out, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
        for (row, cells) in table.rows.iter().enumerate() {
            let cell = |(column, cell): (usize, &String)| {
                let marks = marks.get(&(at, row, column)).into_iter().flatten();
                marks.fold(escaped(cell), |text, mark| format!("{text} \\[{mark}\\]"))
            };
            let cells: Vec<String> = cells.cells.iter().enumerate().map(cell).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    let lists = [
        (msg!("published-checks-hold"), &audited.confirmed),
        (msg!("published-checks-skipped"), &audited.not_checked),
        (msg!("published-checks-remarks"), &published.remarks),
    ];
    for (heading, all) in lists.into_iter().filter(|(_, all)| !all.is_empty()) {
        let _ = write!(out, "\n{}\n\n", text(&heading));
        for message in all {
            let _ = writeln!(out, "- {}", text(message));
        }
    }
    out
}

/// Everything for programs (`doc/format/audit.md`).
pub fn json(published: &Published, audited: &PublishedAudit) -> String {
    let english = |all: &[Message]| all.iter().map(|message| message.english().to_owned()).collect::<Vec<_>>();
    let touched = audited.touched();
    let results = published.results.iter().enumerate().map(|(at, result)| {
        let figures: serde_json::Map<String, Value> = result
            .figures
            .iter()
            .map(|(kind, (quantity, _))| (kind.name().into_owned(), json!(rounded(quantity.value))))
            .collect();
        let doubted: Vec<_> =
            result.figures.keys().filter(|kind| touched.contains(&(at, **kind))).map(|kind| kind.name()).collect();
        let axes: serde_json::Map<String, Value> =
            result.axes.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "file": published.tables.get(result.table).map(|table| &table.file), "line": result.line,
            "target": result.target, "workload": result.workload, "axes": axes, "figures": figures, "doubted": doubted,
        })
    });
    let doubts = audited.doubts.iter().map(|found| {
        let mut doubt = serde_json::to_value(&found.doubt).unwrap_or_default();
        let touches = found.touches.iter().map(|(at, kind)| json!({"result": at, "figure": kind.name()}));
        doubt["touches"] = touches.collect();
        doubt
    });
    let columns = published.tables.iter().map(|table| {
        let columns = table.columns.iter().map(|column| {
            let (meaning, figure) = match &column.meaning {
                Meaning::Figure(kind, _) => ("figure", Some(kind.name())),
                Meaning::Target => ("target", None),
                Meaning::Workload => ("workload", None),
                Meaning::Axis => ("axis", None),
                Meaning::Remark => ("remark", None),
                Meaning::Metric => ("metric", None),
                Meaning::Value => ("value", None),
                Meaning::Unknown => ("unknown", None),
            };
            json!({"heading": column.heading, "meaning": meaning, "figure": figure})
        });
        json!({"file": table.file, "caption": table.caption, "rows": table.rows.len(), "columns": columns.collect::<Vec<_>>()})
    });
    let all = json!({
        "format": 1, "verdict": audited.verdict_name(), "tables": columns.collect::<Vec<_>>(),
        "results": results.collect::<Vec<_>>(), "doubts": doubts.collect::<Vec<_>>(),
        "confirmed": english(&audited.confirmed), "not_checked": english(&audited.not_checked),
        "remarks": english(&published.remarks),
    });
    // Foreign text is escaped by JSON; what would act on a terminal too.
    serde_json::to_string_pretty(&all).unwrap_or_default()
}

/// Conversions of units leave 4.4 at 4.4.
fn rounded(value: f64) -> f64 {
    format!("{value:.9}").parse().unwrap_or(value)
}
