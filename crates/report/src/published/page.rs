//! The page of published results: a single file without requests, like that of a run.

use super::{charts, head, name};
use crate::bilingual;
use crate::page;
use minijinja::{Value, context};
use tenbin_published::{FigureKind, Meaning, Published, PublishedAudit, PublishedColumn, PublishedTable};
use tenbin_words::language::Language;
use tenbin_words::message::Message;
use tenbin_words::msg;

const FRAME: &str = include_str!("../../templates/published.html");

/// The page as HTML. `version` is that of Tenbin.
pub fn render(published: &Published, audited: &PublishedAudit, version: &str, language: Language) -> String {
    let (charts, figures) = charts::all(published, audited);
    let marks = audited.marks(published);
    let doubts = audited.doubts.iter().enumerate().map(|(at, doubt)| {
        let problem = &doubt.doubt.problem;
        context! {
            number => at + 1, badge => bilingual::badge(doubt.doubt.verdict), what => bilingual::marked(&problem.what),
            evidence => problem.evidence.as_ref().map(bilingual::marked), hint => problem.hint.as_ref().map(bilingual::marked),
        }
    });
    let table = |(at, table): (usize, &PublishedTable)| {
        let words: Vec<bool> = table.columns.iter().map(|column| is_words(&column.meaning)).collect();
        let head = table.columns.iter().zip(&words).map(|(column, words)| {
            context! { heading => &column.heading, words, meaning => meaning(&column.meaning) }
        });
        let rows = table.rows.iter().enumerate().map(|(row, cells)| {
            let cell = |(column, cell): (usize, &String)| {
                let marks: Vec<usize> = marks.get(&(at, row, column)).into_iter().flatten().copied().collect();
                let class = match (marks.is_empty(), words[column]) {
                    (false, _) => Some("some"),
                    (true, true) => Some("w"),
                    (true, false) => None,
                };
                context! { text => cell, marks, class }
            };
            cells.cells.iter().enumerate().map(cell).collect::<Vec<Value>>()
        });
        let is_head = |column: &PublishedColumn| {
            is_words(&column.meaning) || matches!(column.meaning, Meaning::Figure(FigureKind::Clients, _))
        };
        let heads = table.columns.iter().take_while(|column| is_head(column)).count().clamp(1, 4);
        context! { name => name(table), heads, head => head.collect::<Vec<Value>>(), rows => rows.collect::<Vec<_>>() }
    };
    let list = |all: &[Message]| all.iter().map(bilingual::marked).collect::<Vec<_>>();
    let mut files: Vec<&str> = published.tables.iter().map(|table| table.file.as_str()).collect();
    files.dedup();
    page::frame(
        FRAME,
        &figures,
        language,
        context! {
            name => files.join(", "), head => bilingual::marked(&head(published)), verdict => bilingual::badge_of(audited.verdict_name(), &audited.verdict_word()),
            doubts => doubts.collect::<Vec<_>>(), charts, tables => published.tables.iter().enumerate().map(table).collect::<Vec<_>>(),
            confirmed => list(&audited.confirmed), not_checked => list(&audited.not_checked), remarks => list(&published.remarks),
            tool => bilingual::html(&msg!("published-tool", version)),
        },
    )
}

fn is_words(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Target | Meaning::Workload | Meaning::Axis | Meaning::Remark | Meaning::Metric)
}

/// What the column was taken for, below its heading.
fn meaning(meaning: &Meaning) -> Option<Value> {
    match meaning {
        Meaning::Figure(kind, _) => Some(bilingual::html(&kind.words())),
        Meaning::Unknown => Some(bilingual::html(&msg!("published-not-understood"))),
        _ => None,
    }
}
