//! `tenbin report DIR`: reads a finished run from its directory and prints it; `tenbin report FILE`: the same of a
//! published table or log.

use crate::args::{AuditFormat, Format, Report};
use crate::execute::{language, language_of_environment};
use crate::exit::{self, Exit};
use crate::published;
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
    if a.dir.is_file() {
        return of_published(a);
    }
    let Recording { summary, doubts } = store::read(&a.dir)?;
    doubts.iter().for_each(exit::complain);
    let of_plan = Plan::parse(&summary.plan, &tenbin_workloads::catalog())
        .ok()
        .and_then(|p| language(p.lang.as_deref()).ok().flatten());
    let language = language(a.lang.as_deref())?.or(of_plan).unwrap_or_else(language_of_environment);
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

/// A file is a table or a log that others published. Its page stands beside it unless it is written elsewhere.
fn of_published(a: &Report) -> Result<Exit, Problem> {
    let language = language(a.lang.as_deref())?.unwrap_or_else(language_of_environment);
    let format = match if a.json { Format::Json } else { a.format } {
        Format::Html => AuditFormat::Html,
        Format::Markdown => AuditFormat::Markdown,
        Format::Json => AuditFormat::Json,
        Format::Text => AuditFormat::Text,
        other @ (Format::Csv | Format::ReadingsCsv) => {
            let format = if other == Format::Csv { "csv" } else { "readings-csv" };
            let what = Problem::new(msg!("published-no-such-form", format));
            return Err(what.hint(msg!("published-no-such-form-hint")));
        }
    };
    let (results, audited) = published::read(std::slice::from_ref(&a.dir))?;
    let mut beside = a.dir.clone().into_os_string();
    beside.push(".html");
    let beside = (format == AuditFormat::Html).then(|| Path::new(&beside));
    let text = published::text(format, &results, &audited, language);
    print_or_write(a.out.as_deref().or(beside), &text)?;
    Ok(published::exit_of(&audited))
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
