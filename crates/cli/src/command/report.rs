//! `tenbin report DIR`: reads a finished run from its directory and prints it.

use crate::args::{Format, Report};
use crate::execute::{language, language_of_environment};
use crate::exit::{self, Exit};
use crate::table;
use tenbin_model::msg;
use tenbin_model::plan::Plan;
use tenbin_model::problem::Problem;
use tenbin_report::store::{self, Recording};
use tenbin_report::{export, page};

pub fn report(a: &Report) -> Result<Exit, Problem> {
    let Recording { summary, doubts } = store::read(&a.dir)?;
    doubts.iter().for_each(exit::complain);
    let of_plan = Plan::parse(&summary.plan, &tenbin_workloads::catalog())
        .ok()
        .and_then(|p| language(p.lang.as_deref()).ok().flatten());
    let language = language(a.lang.as_deref())?.or(of_plan).unwrap_or_else(language_of_environment);
    let text = match if a.json { Format::Json } else { a.format } {
        Format::Html => page::render(&summary, &doubts, language),
        Format::Markdown => export::markdown(&summary, language),
        Format::Csv => export::csv(&summary),
        Format::ReadingsCsv => export::readings_csv(&summary),
        Format::Json => export::json(&summary, Some(&a.dir)),
        Format::Text => table::result(&summary, language),
    };
    let html = !a.json && a.format == Format::Html;
    match &a.out {
        None if html => exit::print(&store::write_page(&a.dir, &text)?.display().to_string()),
        None => exit::print(text.trim_end()),
        Some(path) => {
            let place = path.parent().unwrap_or(path);
            let told = |e| {
                store::cannot_write(
                    msg!("file-cannot-be-written", file = path.display()),
                    place,
                    &e,
                    msg!("name-another-file"),
                )
            };
            store::write_whole(path, text).map_err(told)?;
            exit::print(&path.display().to_string());
        }
    }
    // What was printed is valid, but a calling program must know that something is missing.
    Ok(match exit::of(&summary, false) {
        Exit::Ok if !doubts.is_empty() => Exit::Errors,
        exit => exit,
    })
}
