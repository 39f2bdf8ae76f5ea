//! Published results, for `audit` and `report`: read from files, and in each format. On the terminal it is the table as it
//! was printed, the doubts with their numbers, and what holds.

use crate::args::AuditFormat;
use crate::table;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tenbin_model::doubt::Verdict;
use tenbin_published::{MOST_BYTES, Meaning, Published, PublishedAudit};
use tenbin_report::published::{head, name};
use tenbin_report::store::within_run;
use tenbin_terminal::exit::Exit;
use tenbin_terminal::words::TerminalWords;
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::text::{into_visible, short};
use unicode_width::UnicodeWidthStr;

/// More rows are on the page.
const MOST_ROWS: usize = 60;
/// Longer cells are cut.
const LONGEST: usize = 36;
/// More columns do not fit on any terminal.
const MOST_COLUMNS: usize = 16;

/// The results of all files, and what the checks found.
pub fn read(files: &[PathBuf]) -> Result<(Published, PublishedAudit), Problem> {
    let mut all = Published::default();
    let paths: Vec<String> = files.iter().map(|file| into_visible(file.display().to_string())).collect();
    let names = tenbin_published::file_names(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    for (file, name) in files.iter().zip(names) {
        let mut read = of_file(file)?;
        if files.len() > 1 {
            read.tables.iter_mut().for_each(|table| table.file.clone_from(&name));
        }
        all = all.and(read);
    }
    if files.len() > 1 {
        all = all.with_files_as_targets();
        all.remark_once();
    }
    let audited = tenbin_published::audit(&all);
    Ok((all, audited))
}

/// Names standard input, as in other commands that read files.
const STANDARD_INPUT: &str = "-";

fn of_file(path: &Path) -> Result<Published, Problem> {
    let shown = || path.display().to_string();
    if path == Path::new(STANDARD_INPUT) && !path.exists() {
        let cannot = |e: std::io::Error| {
            let why = if tenbin_intake::is_too_long(&e) { tenbin_intake::why(&e) } else { foreign(e) };
            Problem::new(msg!("published-cannot-be-opened", file = shown())).evidence(why)
        };
        let bytes = tenbin_intake::bytes(std::io::stdin().lock(), MOST_BYTES).map_err(cannot)?;
        return tenbin_published::read(bytes, STANDARD_INPUT);
    }
    if path.is_dir() {
        let hint = msg!("published-is-directory-hint", dir = shell::word(&shown()));
        return Err(Problem::new(msg!("published-is-directory", dir = shown())).hint(hint));
    }
    if let Some(within) = within_run(path).filter(|within| within.is_of_run()) {
        let run = shell::word(&within.run.display().to_string());
        return Err(Problem::new(msg!("published-is-of-run", file = shown()))
            .hint(msg!("published-is-directory-hint", dir = run)));
    }
    let cannot = |why: Message| Problem::new(msg!("published-cannot-be-opened", file = shown())).evidence(why);
    let unreadable = |e: std::io::Error| cannot(foreign(e)).hint(msg!("look-at-file", name = shell::word(&shown())));
    let length = path.metadata().map_err(unreadable)?.len();
    let too_large = |size: u64| {
        let size = figure::bytes(size as f64);
        cannot(msg!("published-too-large", size, most = figure::bytes(MOST_BYTES as f64)))
    };
    if length > MOST_BYTES {
        return Err(too_large(length));
    }
    // A pipe or a device says nothing about its length.
    let bytes = tenbin_intake::file(path, MOST_BYTES).map_err(|e| match tenbin_intake::is_too_long(&e) {
        true => cannot(tenbin_intake::why(&e)),
        false => unreadable(e),
    })?;
    tenbin_published::read(bytes, &into_visible(shown()))
}

/// The audit in a format.
pub fn text(format: AuditFormat, published: &Published, audited: &PublishedAudit, language: Language) -> String {
    match format {
        AuditFormat::Text => on_terminal(published, audited, language),
        AuditFormat::Markdown => tenbin_report::published::markdown(published, audited, language),
        AuditFormat::Json => tenbin_report::published::json(published, audited),
        AuditFormat::Html => tenbin_report::published::page(published, audited, env!("TENBIN_VERSION"), language),
    }
}

/// As for a run: INVALID has a code of its own.
pub fn exit_of(audited: &PublishedAudit) -> Exit {
    if audited.verdict() == Some(Verdict::Invalid) { Exit::Invalid } else { Exit::Ok }
}

/// Tables, verdict with its reasons, what holds and what could not be checked.
fn on_terminal(published: &Published, audited: &PublishedAudit, language: Language) -> String {
    let words = TerminalWords::new(language);
    let mut out = format!("{}\n", words.text(head(published)));
    let marks = audited.marks(published);
    for (at, of_table) in published.tables.iter().enumerate() {
        let _ = write!(out, "\n{}\n", short(&name(of_table), 100));
        if of_table.of_variables {
            continue;
        }
        let columns = of_table.columns.len().min(MOST_COLUMNS);
        let mut lines: Vec<Vec<String>> =
            vec![of_table.columns.iter().take(columns).map(|column| short(&column.heading, LONGEST)).collect()];
        for (row, cells) in of_table.rows.iter().take(MOST_ROWS).enumerate() {
            let cell = |(column, cell): (usize, &String)| {
                let marks: Vec<String> =
                    marks.get(&(at, row, column)).into_iter().flatten().map(usize::to_string).collect();
                let mark = if marks.is_empty() { String::new() } else { format!(" [{}]", marks.join(",")) };
                format!("{}{mark}", short(cell, LONGEST))
            };
            lines.push(cells.cells.iter().take(columns).enumerate().map(cell).collect());
        }
        for (column, of) in of_table.columns.iter().take(columns).enumerate() {
            if matches!(of.meaning, Meaning::Figure(..) | Meaning::Value | Meaning::Unknown) {
                right(&mut lines, column);
            }
        }
        out.push_str(&table::words(&lines));
        if of_table.rows.len() > MOST_ROWS {
            let n = of_table.rows.len() - MOST_ROWS;
            let _ = writeln!(out, "{}", words.text(msg!("published-more-rows", n)));
        }
    }
    if !marks.is_empty() {
        let _ = writeln!(out, "{}", words.text(msg!("published-marks")));
    }
    let _ = write!(out, "\n{} {}", words.label(msg!("label-verdict")), words.text(audited.verdict_word()));
    for (number, doubt) in audited.doubts.iter().enumerate() {
        let text = words.problem(&doubt.doubt.problem).replace('\n', "\n         ");
        let verdict = words.text(doubt.doubt.verdict.word());
        let _ = write!(out, "\n         [{}] {verdict}: {text}", number + 1);
    }
    let lists = [
        (msg!("label-holds"), audited.confirmed.clone()),
        (msg!("label-skipped"), skipped(&audited.not_checked)),
        (msg!("label-note"), published.remarks.clone()),
    ];
    for (label, all) in lists {
        for (n, message) in all.into_iter().enumerate() {
            let label = if n == 0 { label.clone() } else { foreign("") };
            let _ = write!(out, "\n{} {}", words.label(label), words.text(message));
        }
    }
    out
}

/// Aligns the figures of a column at their right; marks stand behind them.
fn right(lines: &mut [Vec<String>], column: usize) {
    let figure = |cell: &str| cell.split(" [").next().unwrap_or_default().width();
    let widest = lines.iter().map(|line| figure(&line[column])).max().unwrap_or(0);
    for line in lines {
        let pad = widest - figure(&line[column]);
        line[column].insert_str(0, &" ".repeat(pad));
    }
}

/// What could not be checked, in one line.
fn skipped(all: &[Message]) -> Vec<Message> {
    if all.is_empty() { Vec::new() } else { vec![Message::joined(all.iter().cloned(), "; ")] }
}
