//! `tenbin report DIR`: reads a finished run from its directory and prints it.

use crate::args::{Format, Report};
use crate::execute::{language, language_of_environment};
use crate::exit::{self, Exit};
use crate::table;
use std::path::Path;
use tenbin_model::language::Language;
use tenbin_model::msg;
use tenbin_model::plan::Plan;
use tenbin_model::problem::Problem;
use tenbin_model::summary::Summary;
use tenbin_report::store::{self, Recording};
use tenbin_report::{export, page};

pub fn report(a: &Report) -> Result<Exit, Problem> {
    let Recording { summary, doubts } = store::read(&a.dir)?;
    doubts.iter().for_each(exit::complain);
    let language = language_of(&summary, a.lang.as_deref())?;
    let format = if a.json { Format::Json } else { a.format };
    let text = text(format, &summary, &doubts, language, Some(&a.dir));
    match &a.out {
        None if format == Format::Html => exit::print(&store::write_page(&a.dir, &text)?.display().to_string()),
        out => print_or_write(out.as_deref(), &text)?,
    }
    // What was printed is valid, but a calling program must know that something is missing.
    Ok(match exit::of(&summary, false) {
        Exit::Ok if !doubts.is_empty() => Exit::Errors,
        exit => exit,
    })
}

/// The language that was typed, else the plan's, else that of the environment.
pub fn language_of(summary: &Summary, typed: Option<&str>) -> Result<Language, Problem> {
    let of_plan = Plan::parse(&summary.plan, &tenbin_workloads::catalog())
        .ok()
        .and_then(|p| language(p.lang.as_deref()).ok().flatten());
    Ok(language(typed)?.or(of_plan).unwrap_or_else(language_of_environment))
}

/// The result in a format. `dir`: the run directory, if there is one.
pub fn text(format: Format, summary: &Summary, doubts: &[Problem], language: Language, dir: Option<&Path>) -> String {
    match format {
        Format::Html => page::render(summary, doubts, language),
        Format::Markdown => export::markdown(summary, language),
        Format::Csv => export::csv(summary),
        Format::ReadingsCsv => export::readings_csv(summary),
        Format::Json => export::json(summary, dir),
        Format::Text => table::result(summary, language),
    }
}

/// Prints the text, or writes it to a file and prints the file's name.
pub fn print_or_write(out: Option<&Path>, text: &str) -> Result<(), Problem> {
    let Some(path) = out else {
        exit::print(text.trim_end());
        return Ok(());
    };
    store::write_whole(path, text).map_err(|e| {
        let what = msg!("file-cannot-be-written", file = path.display());
        store::cannot_write(what, path.parent().unwrap_or(path), &e, msg!("name-another-file"))
    })?;
    exit::print(&path.display().to_string());
    Ok(())
}
