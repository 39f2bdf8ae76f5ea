//! `tenbin report DIR`: reads a finished run from its directory and prints it; `tenbin report FILE`: the same of a
//! published table or log.

use crate::args::{AuditFormat, Format, Report};
use crate::command::stored_runs;
use crate::published;
use crate::table;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use tenbin_model::plan::Plan;
use tenbin_model::summary::Summary;
use tenbin_report::store::{self, Recording};
use tenbin_report::{export, page};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_words::language::Language;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn report(a: &Report) -> Result<Exit, Problem> {
    if a.dir.is_file() && !store::is_bundle(&a.dir) {
        return of_published(a);
    }
    is_no_input(a.out.as_deref(), [&a.dir])?;
    let Recording { summary, doubts } = store::read(&a.dir)?;
    stored_runs::complain(None, &doubts);
    let language = language_of(&summary, a.lang.as_deref())?;
    let format = if a.json { Format::Json } else { a.format };
    write(format, (&summary, &doubts, Some(&a.dir)), a.out.as_deref(), language)?;
    // What was printed is valid, but a calling program must know that something is missing.
    Ok(match exit::of(&summary, false, a.strict) {
        Exit::Ok if !doubts.is_empty() => Exit::Errors,
        exit => exit,
    })
}

/// Writes the result in a format: the page into the run directory or beside the bundle, other texts to standard output, if no other place is named.
pub fn write(
    format: Format,
    (summary, doubts, dir): (&Summary, &[Problem], Option<&Path>),
    out: Option<&Path>,
    language: Language,
) -> Result<(), Problem> {
    let bytes = match format {
        Format::Parquet => export::trials(summary, dir).parquet()?,
        Format::ReadingsParquet => export::readings(summary, dir).parquet()?,
        Format::SeriesParquet => export::series(summary, dir).parquet()?,
        Format::GroupsParquet => export::groups(summary, dir).parquet()?,
        Format::Svg => return drawings(summary, out, language),
        _ => {
            let text = text(format, summary, doubts, language, dir)?;
            return match (out, dir) {
                (None, Some(dir)) if format == Format::Html => {
                    exit::print(&store::write_page(dir, &text)?.display().to_string());
                    Ok(())
                }
                _ => print_or_write(out, &text),
            };
        }
    };
    match out {
        Some(path) => {
            write_to(path, &bytes)?;
            exit::print(&path.display().to_string());
        }
        None => exit::print_bytes(&bytes),
    }
    Ok(())
}

/// Every chart as a file of its own.
fn drawings(summary: &Summary, out: Option<&Path>, language: Language) -> Result<(), Problem> {
    let Some(dir) = out else {
        return Err(Problem::new(msg!("charts-need-a-directory")).hint(msg!("name-directory-for-charts")));
    };
    written(dir, std::fs::create_dir_all(dir))?;
    for (number, drawing) in (1..).zip(page::drawings(summary, language)) {
        let file = dir.join(format!("{number:02}-{}.svg", drawing.name));
        write_to(&file, &drawing.svg)?;
        exit::print(&file.display().to_string());
    }
    Ok(())
}

/// A file is a table or a log that others published. Its page stands beside it unless it is written elsewhere.
fn of_published(a: &Report) -> Result<Exit, Problem> {
    let language = language(a.lang.as_deref())?.unwrap_or_else(language_of_environment);
    let format = match if a.json { Format::Json } else { a.format } {
        Format::Html => AuditFormat::Html,
        Format::Markdown => AuditFormat::Markdown,
        Format::Json => AuditFormat::Json,
        Format::Text => AuditFormat::Text,
        other => {
            let format = other.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            let what = Problem::new(msg!("published-no-such-form", format));
            return Err(what.hint(msg!("published-no-such-form-hint")));
        }
    };
    is_no_input(a.out.as_deref(), [&a.dir])?;
    let (results, audited) = published::read(std::slice::from_ref(&a.dir))?;
    let mut beside = a.dir.clone().into_os_string();
    beside.push(".html");
    let beside = (format == AuditFormat::Html && a.out.is_none()).then(|| Path::new(&beside));
    if let Some(page) = beside.filter(|page| !store::may_be_replaced(page)) {
        let what = msg!("file-cannot-be-written", file = page.display());
        return Err(Problem::new(what).evidence(msg!("file-of-others-is-there")).hint(msg!("name-another-file")));
    }
    let text = published::text(format, &results, &audited, language);
    print_or_write(a.out.as_deref().or(beside), &text)?;
    Ok(published::exit_of(&audited))
}

/// The language that was typed, else the plan's, else that of the environment.
pub fn language_of(summary: &Summary, typed: Option<&str>) -> Result<Language, Problem> {
    let of_plan = Plan::parse(&summary.plan, &tenbin_workloads::catalog())
        .ok()
        .and_then(|p| language(p.lang.as_deref()).ok().flatten());
    Ok(language(typed)?.or(of_plan).unwrap_or_else(language_of_environment))
}

/// The result as a text in a format. `dir`: the run directory, if there is one.
pub fn text(
    format: Format,
    summary: &Summary,
    doubts: &[Problem],
    language: Language,
    dir: Option<&Path>,
) -> Result<String, Problem> {
    Ok(match format {
        Format::Html => page::file(summary, doubts, language),
        Format::Markdown => export::markdown(summary, language),
        Format::Csv => export::trials(summary, dir).csv()?,
        Format::ReadingsCsv => export::readings(summary, dir).csv()?,
        Format::SeriesCsv => export::series(summary, dir).csv()?,
        Format::GroupsCsv => export::groups(summary, dir).csv()?,
        Format::Hdr => export::hdr_log(summary),
        Format::OpenMetrics => export::open_metrics(summary, dir),
        Format::Json => export::json(summary, dir),
        Format::Github => export::github(summary, language, job_address().as_deref()),
        // The last ones are no texts: `write` does not ask for them.
        Format::Text
        | Format::Parquet
        | Format::ReadingsParquet
        | Format::SeriesParquet
        | Format::GroupsParquet
        | Format::Svg => table::result(summary, language),
    })
}

/// The address of the job that this process is part of on GitHub, where its artifacts are; `None` elsewhere.
fn job_address() -> Option<String> {
    let of = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (server, repository, run) = (of("GITHUB_SERVER_URL")?, of("GITHUB_REPOSITORY")?, of("GITHUB_RUN_ID")?);
    Some(format!("{server}/{repository}/actions/runs/{run}"))
}

/// Fails if a result would replace what it is made of.
pub fn is_no_input<'f>(out: Option<&Path>, inputs: impl IntoIterator<Item = &'f PathBuf>) -> Result<(), Problem> {
    let Some(out) = out.filter(|out| inputs.into_iter().any(|input| store::is_one_file(out, input))) else {
        return Ok(());
    };
    let what = msg!("file-cannot-be-written", file = out.display());
    Err(Problem::new(what).evidence(msg!("file-is-read-for-it")).hint(msg!("name-another-file")))
}

/// Prints the text, or writes it to a file and prints the file's name.
pub fn print_or_write(out: Option<&Path>, text: &str) -> Result<(), Problem> {
    let Some(path) = out else {
        exit::print(text.trim_end());
        return Ok(());
    };
    write_to(path, text)?;
    exit::print(&path.display().to_string());
    Ok(())
}

/// Writes an export. What a run was recorded in is never overwritten.
fn write_to(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Problem> {
    if store::within_run(path).is_some_and(|within| within.is_of_run() && !within.is_page()) {
        let what = msg!("file-cannot-be-written", file = path.display());
        return Err(Problem::new(what).evidence(msg!("file-is-of-run")).hint(msg!("name-another-file")));
    }
    written(path, store::write_whole(path, content))
}

fn written(path: &Path, done: std::io::Result<()>) -> Result<(), Problem> {
    done.map_err(|e| {
        let what = msg!("file-cannot-be-written", file = path.display());
        store::cannot_write(what, path.parent().unwrap_or(path), &e, msg!("name-another-file"))
    })
}
