//! `tenbin diff A B …`: variables of servers, finished runs, option files and CSV files side by side.

use crate::args::{Diff, DiffFormat};
use crate::command::target::target;
use crate::exit::{self, Exit};
use crate::table;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use tenbin_lab::hint;
use tenbin_model::figure;
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::text::into_visible;
use tenbin_model::variables::{self, ComparedVariable, Likeness, ServerVariables};
use tenbin_report::store;
use tenbin_targets::{changed, facts};
use unicode_width::UnicodeWidthStr;

/// Longer values are cut in the table; CSV and JSON have them whole.
const LONGEST: usize = 40;
/// The longest list of names in a line.
const MOST_NAMES: usize = 12;
/// The largest file that is read, bytes.
const MOST_BYTES: u64 = 16 << 20;

pub fn diff(a: &Diff) -> Result<Exit, Problem> {
    let mut columns = Vec::new();
    for source in &a.sources {
        columns.extend(read(source, a)?);
    }
    if columns.len() < 2 {
        return Err(Problem::new(msg!("diff-wants-two")).hint(msg!("diff-name-two")));
    }
    apart(&mut columns);
    let rows = variables::compare(&columns);
    let shown: Vec<&ComparedVariable<'_>> =
        rows.iter().filter(|row| a.all || row.likeness == Likeness::Different).collect();
    exit::print(
        match if a.json { DiffFormat::Json } else { a.format } {
            DiffFormat::Text => text(&columns, &rows, &shown, a.all),
            DiffFormat::Csv => csv(&columns, &shown),
            DiffFormat::Json => json(&columns, &rows),
        }
        .trim_end(),
    );
    Ok(Exit::Ok)
}

/// The columns of one argument.
fn read(source: &str, a: &Diff) -> Result<Vec<ServerVariables>, Problem> {
    let path = Path::new(source);
    if path.is_dir() {
        return of_run(path);
    }
    if path.is_file() {
        return of_file(path);
    }
    if !source.contains(':') {
        let hint = msg!("diff-give-address-directory-or-file");
        return Err(Problem::new(msg!("diff-nothing-there", source)).hint(hint));
    }
    let asked = target(source, &a.secret);
    of_server(source, a).map_err(|problem| hint::complete(problem, &asked, None))
}

fn of_server(source: &str, a: &Diff) -> Result<Vec<ServerVariables>, Problem> {
    let connector = tenbin_lab::connector(&target(source, &a.secret), &BTreeMap::new())?;
    let facts = facts::server(&connector)?;
    let dsn = connector.dsn();
    let name = match dsn.port {
        Some(port) => format!("{}:{port}", dsn.host),
        None if dsn.host.is_empty() => dsn.database.clone(),
        None => dsn.host.clone(),
    };
    Ok(vec![ServerVariables { changed: changed::changed(&connector), ..of_facts(name, &facts) }])
}

fn of_facts(name: String, facts: &BTreeMap<String, String>) -> ServerVariables {
    let variable = |(fact, value): (&String, &String)| {
        Some((variables::canonical_name(fact.strip_prefix("variable.")?), value.clone()))
    };
    ServerVariables { name, values: facts.iter().filter_map(variable).collect(), ..ServerVariables::default() }
}

/// The targets of a finished run.
fn of_run(dir: &Path) -> Result<Vec<ServerVariables>, Problem> {
    let recording = store::read(dir)?;
    recording.doubts.iter().for_each(exit::complain);
    let facts = &recording.summary.facts;
    let of = |target: &String| facts.get(target).map(|facts| of_facts(target.clone(), facts));
    let all: Vec<ServerVariables> =
        recording.summary.targets().iter().filter_map(of).filter(|column| !column.values.is_empty()).collect();
    if all.is_empty() {
        return Err(
            Problem::new(msg!("diff-run-has-no-variables", dir = dir.display())).hint(msg!("diff-name-another"))
        );
    }
    Ok(all)
}

fn of_file(path: &Path) -> Result<Vec<ServerVariables>, Problem> {
    let cannot = |why: Message| Problem::new(msg!("diff-file-cannot-be-read", file = path.display())).evidence(why);
    if path.metadata().is_ok_and(|file| file.len() > MOST_BYTES) {
        return Err(cannot(msg!("diff-file-too-long", most = figure::bytes(MOST_BYTES as f64))));
    }
    let bytes =
        std::fs::read(path).map_err(|e| cannot(foreign(e)).hint(msg!("look-at-file", name = path.display())))?;
    let whole = String::from_utf8_lossy(&bytes);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("csv")) {
        return of_csv(&whole).map_err(|why| cannot(why).hint(msg!("diff-csv-looks-like")));
    }
    let column = variables::of_option_file(&name, &whole);
    if column.values.is_empty() {
        let hint = msg!("diff-option-file-looks-like");
        return Err(Problem::new(msg!("diff-file-sets-nothing", file = path.display())).hint(hint));
    }
    Ok(vec![column])
}

/// A table whose first column has the names, and each further one the values of a server.
fn of_csv(text: &str) -> Result<Vec<ServerVariables>, Message> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let heads = reader.headers().map_err(foreign)?.clone();
    let mut columns: Vec<ServerVariables> = heads
        .iter()
        .skip(1)
        .map(|name| ServerVariables { name: name.to_owned(), ..ServerVariables::default() })
        .collect();
    for record in reader.records() {
        let record = record.map_err(foreign)?;
        if record.iter().any(|field| field.contains('\n')) {
            // Otherwise an open quote would hide all lines up to the next one.
            return Err(msg!("diff-csv-field-of-lines", line = record.position().map_or(0, |at| at.line())));
        }
        let name = variables::canonical_name(&record[0]);
        for (column, value) in columns.iter_mut().zip(record.iter().skip(1)) {
            column.values.insert(name.clone(), value.to_owned());
        }
    }
    if columns.iter().all(|column| column.values.is_empty()) {
        return Err(msg!("diff-csv-is-empty"));
    }
    Ok(columns)
}

/// Gives columns of the same name numbers.
fn apart(columns: &mut [ServerVariables]) {
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    for (at, column) in columns.iter_mut().enumerate() {
        column.name = into_visible(std::mem::take(&mut column.name));
        if names.iter().filter(|name| **name == names[at]).count() > 1 {
            let nth = names[..=at].iter().filter(|name| **name == names[at]).count();
            column.name += &format!(" ({nth})");
        }
    }
}

fn text(
    columns: &[ServerVariables],
    rows: &[ComparedVariable<'_>],
    shown: &[&ComparedVariable<'_>],
    all: bool,
) -> String {
    let words = exit::words();
    let mut lines = vec![vec![words.text(msg!("column-variable"))]];
    lines[0].extend(columns.iter().map(|column| column.name.clone()));
    let mut marked = false;
    for row in shown {
        let mut line = vec![row.name.to_owned()];
        for (column, value) in columns.iter().zip(&row.values) {
            let is_changed = column.changed.as_ref().is_some_and(|changed| changed.contains(row.name));
            marked |= is_changed && value.is_some();
            let mark = if is_changed { " *" } else { "" };
            line.push(value.map_or("–".to_owned(), |value| format!("{}{mark}", readable(row.name, value))));
        }
        lines.push(line);
    }
    let mut text = if shown.is_empty() { String::new() } else { table::words(&lines) };
    let count = |likeness| rows.iter().filter(|row| row.likeness == likeness).count();
    let names = |likeness| {
        let names: Vec<&str> = rows.iter().filter(|row| row.likeness == likeness).map(|row| row.name).collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        let first = names[..names.len() - more].join(", ");
        if more == 0 { first } else { words.text(msg!("diff-names-and-more", names = first, n = more)) }
    };
    let (different, own, missing) =
        (count(Likeness::Different), count(Likeness::OwnToServer), count(Likeness::Missing));
    let compared = rows.len() - missing;
    if !text.is_empty() {
        text += "\n";
    }
    if marked {
        text += &format!("{}\n", words.text(msg!("diff-changed-mark")));
    }
    text += &format!("{}\n", words.text(msg!("diff-counted", n = different, compared)));
    if own > 0 && !all {
        text += &format!("{}\n", words.text(msg!("diff-own-to-server", n = own, names = names(Likeness::OwnToServer))));
    }
    if missing > 0 {
        text += &format!("{}\n", words.text(msg!("diff-missing", n = missing, names = names(Likeness::Missing))));
    }
    if columns.iter().any(|column| column.is_partial) {
        text += &format!("{}\n", words.text(msg!("diff-partial")));
    }
    text
}

/// The value, cut if it is long, with its size if it is one.
fn readable(name: &str, value: &str) -> String {
    let value = into_visible(value.to_owned());
    if value.is_empty() {
        return "''".to_owned();
    }
    match value.parse::<u64>() {
        Ok(bytes) if bytes >= 1 << 20 && bytes % 1024 == 0 && is_size(name) => {
            format!("{value} ({})", figure::bytes(bytes as f64))
        }
        _ if value.width() > LONGEST => value.chars().take(LONGEST - 1).chain(['…']).collect(),
        _ => value,
    }
}

fn is_size(name: &str) -> bool {
    ["size", "packet", "buffer", "memory"].iter().any(|word| name.contains(word))
}

fn csv(columns: &[ServerVariables], shown: &[&ComparedVariable<'_>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = ["variable"].into_iter().chain(columns.iter().map(|column| column.name.as_str()));
    let _into_memory = writer.write_record(head);
    for row in shown {
        let values = row.values.iter().map(|value| value.unwrap_or_default());
        let _into_memory = writer.write_record([row.name].into_iter().chain(values));
    }
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn json(columns: &[ServerVariables], rows: &[ComparedVariable<'_>]) -> String {
    let row = |row: &ComparedVariable<'_>| {
        let likeness = match row.likeness {
            Likeness::Same => "same",
            Likeness::Different => "different",
            Likeness::OwnToServer => "own-to-server",
            Likeness::Missing => "missing",
        };
        json!({"name": row.name, "values": row.values, "likeness": likeness})
    };
    let column = |column: &ServerVariables| json!({"name": column.name, "changed": column.changed, "partial": column.is_partial});
    let all = json!({"columns": columns.iter().map(column).collect::<Vec<_>>(), "variables": rows.iter().map(row).collect::<Vec<_>>()});
    serde_json::to_string_pretty(&all).unwrap_or_default()
}
