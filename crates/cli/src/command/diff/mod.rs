//! `tenbin diff A B …`: variables of servers, finished runs, option files and CSV files side by side.

mod arguments;
mod conf;
mod csv_file;
mod deployed;
mod dump;
mod fenced;
mod heading;
mod option_files;
mod print_form;
mod statements;
mod tree;

use crate::args::{Diff, DiffFormat};
use crate::command::stored_runs;
use crate::command::target::target;
use crate::table;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tenbin_driver::credentials::option_file::{self, OptionLine};
use tenbin_lab::hint;
use tenbin_model::defaults::{self, Defaults};
use tenbin_model::dsn;
use tenbin_model::variables::{self, ComparedVariable, Likeness, ServerVariables};
use tenbin_report::{export, store};
use tenbin_servers::{changed, facts};
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::secret;
use tenbin_words::text::into_visible;
use unicode_width::UnicodeWidthStr;

/// Longer values are cut in the table; CSV and JSON have them whole.
const LONGEST: usize = 40;
/// What is shown if not all is.
const SHOWN: [Likeness; 3] = [Likeness::Different, Likeness::Unset, Likeness::Computed];
/// A file with more lines is not one of settings: two hundred servers have fewer in all.
const MOST_LINES: usize = 150_000;
/// The longest list of names in a line.
const MOST_NAMES: usize = 12;

pub fn diff(a: &Diff) -> Result<Exit, Problem> {
    let mut columns = Vec::new();
    for source in &a.sources {
        columns.extend(read(source, a)?);
    }
    if columns.len() < 2 {
        return Err(Problem::new(msg!("diff-wants-two")).hint(msg!("diff-name-two")));
    }
    apart(&mut columns);
    hide(&mut columns);
    let rows = variables::compare(&columns);
    if rows.iter().all(|row| row.likeness == Likeness::Missing) {
        return Err(nothing_in_common(&columns));
    }
    let shown: Vec<&ComparedVariable<'_>> = rows.iter().filter(|row| a.all || SHOWN.contains(&row.likeness)).collect();
    let format = if a.json { DiffFormat::Json } else { a.format };
    // The table says it itself.
    if let Some(left_out) = left_out(&columns).filter(|_| format != DiffFormat::Text) {
        exit::remark(&Problem::new(left_out));
    }
    exit::print(
        match format {
            DiffFormat::Text => text(&columns, &rows, &shown, a.all),
            DiffFormat::Csv => csv(&columns, &shown)?,
            DiffFormat::Json => json(&columns, &rows),
        }
        .trim_end(),
    );
    Ok(Exit::Ok)
}

/// Columns without a variable that all of them have are not of servers of one kind, or were not read as they were meant.
fn nothing_in_common(columns: &[ServerVariables]) -> Problem {
    let first = |column: &ServerVariables| {
        let names: Vec<&str> = column.values.keys().take(3).map(String::as_str).collect();
        foreign(format!("{}: {}", column.name, if names.is_empty() { "–".to_owned() } else { names.join(", ") }))
    };
    Problem::new(msg!("diff-nothing-in-common"))
        .evidence(Message::joined(columns.iter().take(MOST_NAMES).map(first), "; "))
        .hint(msg!("diff-nothing-in-common-hint"))
}

/// The columns of one argument.
fn read(source: &str, a: &Diff) -> Result<Vec<ServerVariables>, Problem> {
    let path = Path::new(source);
    if path.is_dir() || store::is_bundle(path) {
        return of_run(&store::run_meant(path.to_owned()));
    }
    // Option files that somebody keeps in a run directory are files.
    if let Some(within) = store::within_run(path).filter(|within| within.is_of_run()) {
        return of_run(&within.run);
    }
    // A pipe from another command is read as a file is.
    if path.exists() {
        return of_file(path);
    }
    if !source.contains(':') {
        let hint = msg!("diff-give-address-directory-or-file");
        return Err(Problem::new(msg!("diff-nothing-there", source = dsn::redact(source))).hint(hint));
    }
    let target = target(source, &a.secret);
    of_server(source, a).map_err(|problem| hint::complete(problem, &target, None))
}

fn of_server(source: &str, a: &Diff) -> Result<Vec<ServerVariables>, Problem> {
    let connector = tenbin_lab::connector(&target(source, &a.secret), &BTreeMap::new())?.existing()?;
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
    stored_runs::complain(Some(dir), &recording.doubts);
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
    let unreadable = |e: std::io::Error| match tenbin_intake::is_too_long(&e) {
        true => cannot(msg!("diff-file-too-long", most = figure::bytes(option_file::MOST_BYTES as f64))),
        false => cannot(foreign(e)).hint(msg!("look-at-file", name = path.display())),
    };
    let bytes = tenbin_intake::file(path, option_file::MOST_BYTES).map_err(unreadable)?;
    // What is no text in any encoding is read as far as it goes.
    let lossy = || String::from_utf8_lossy(&bytes).into_owned();
    let text =
        tenbin_published::decode(bytes.clone(), &path.display().to_string()).map_or_else(|_| lossy(), |(text, _)| text);
    let text = text.trim_start_matches('\u{feff}');
    let rows = text.lines().count();
    if rows > MOST_LINES {
        return Err(cannot(msg!("published-too-many-rows", rows, most = MOST_LINES)));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_called_csv = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("csv"));
    // Clients also write tables into files that are called so.
    let is_printed = || dump::is_printed(text);
    if is_called_csv && !is_printed() || csv_file::is_one(text) {
        let read = csv_file::read(text, &name);
        return read.map_err(|why| cannot(why).hint(msg!("diff-csv-looks-like")));
    }
    if let Some(columns) = fenced::changes(text).and_then(|table| dump::printed(&table, &name)) {
        return Ok(columns);
    }
    if let Some(servers) = tree::json(text).or_else(|| tree::yaml(text)) {
        return Ok(of_found(servers, &name));
    }
    if let Some(columns) = print_form::too_many_servers(text) {
        return Err(cannot(msg!("diff-too-many-columns", columns, most = print_form::MOST_COLUMNS - 1)));
    }
    if let Some(columns) = dump::tagged(text, &name).map_err(cannot)? {
        return Ok(columns);
    }
    if let Some(settings) = deployed::terraform(text).or_else(|| deployed::aws_text(text)) {
        return Ok(vec![of_settings(settings, &name, true)]);
    }
    let listed = fenced::without_signs(text);
    let text = listed.as_deref().unwrap_or(text);
    let lines = option_file::lines(text);
    if lines.as_ref().map_or(true, Vec::is_empty) {
        if let Some(columns) = dump::printed(text, &name).or_else(|| fenced::columns(text, path, &name)) {
            return Ok(columns);
        }
        // What is shown is not all that a server has, nor all that is set.
        let is_set = |settings| (settings, true);
        let given = statements::read(text).map(|given| {
            if !given.left.is_empty() {
                let names = foreign(given.left.join(", "));
                exit::remark(&Problem::new(msg!("diff-statements-left", file = path.display(), names)));
            }
            is_set(given.settings)
        });
        let given = given.or_else(|| Some((statements::shown(text)?, false)));
        if let Some((settings, is_set)) = given.or_else(|| arguments::of_commands(text).map(is_set)) {
            return Ok(vec![of_settings(settings, &name, is_set)]);
        }
        if let Some(read) = conf::read(text) {
            if !read.includes.is_empty() {
                let files = Message::list(read.includes.iter().map(foreign));
                let what = msg!("diff-conf-includes-left", file = path.display(), files);
                exit::complain(&Problem::new(what).hint(msg!("diff-includes-left-hint")));
            }
            let mut column = ServerVariables { name, is_partial: true, ..ServerVariables::default() };
            read.parameters.into_iter().for_each(|(name, value)| keep(&mut column, name, value));
            return Ok(vec![column]);
        }
        if let Some(columns) = dump::aligned(text, &name) {
            return Ok(columns);
        }
    }
    // Without any group it may be a text of another kind.
    let has_group = || text.lines().map(str::trim).any(|line| line.starts_with('[') && line.ends_with(']'));
    if let Some(line) = lines.err().filter(|_| has_group()) {
        return Err(line.problem(path));
    }
    // A part of a comparison of two files has lines of both.
    let is_of_diff = |line: &OptionLine| matches!(line, OptionLine::Set(set) if set.name.starts_with(['+', '-']) && option_files::is_of_server(&set.group));
    if let Some(OptionLine::Set(line)) = option_file::lines(text).unwrap_or_default().into_iter().find(is_of_diff) {
        return Err(cannot(foreign(into_visible(line.name))).hint(msg!("look-at-file", name = path.display())));
    }
    let settings = option_files::read(path, text).map_err(cannot)?;
    let sets_nothing = |column: &ServerVariables| column.values.is_empty() && column.secret.is_empty();
    // A unit of systemd has groups, too.
    if settings.columns.iter().all(sets_nothing)
        && let Some(settings) = arguments::of_commands(text)
    {
        return Ok(vec![of_settings(settings, &name, true)]);
    }
    if settings.columns.iter().all(sets_nothing) {
        let hint = msg!("diff-option-file-looks-like");
        return Err(Problem::new(msg!("diff-file-sets-nothing", file = path.display())).hint(hint));
    }
    settings.notes.iter().for_each(exit::complain);
    Ok(settings.columns)
}

/// The column of settings that a text gives to a server. Of several of a name the last one counts.
fn of_settings(settings: arguments::Settings, file: &str, is_partial: bool) -> ServerVariables {
    let mut column = ServerVariables { name: file.to_owned(), is_partial, ..ServerVariables::default() };
    settings.into_iter().for_each(|(name, value)| keep(&mut column, name, value));
    column
}

/// The columns of what was found in a text. A second value in a list is that of another server.
fn of_found(all: Vec<tree::DeployedSettings>, file: &str) -> Vec<ServerVariables> {
    let is_one = all.len() == 1;
    let mut columns: Vec<ServerVariables> = Vec::new();
    for server in all {
        let name = if is_one || server.place.is_empty() { file.to_owned() } else { format!("{file} {}", server.place) };
        let begun =
            || ServerVariables { name: name.clone(), is_partial: server.is_partial, ..ServerVariables::default() };
        let mut column = begun();
        for (variable, value) in server.settings {
            if server.is_list && dump::contradicts(&column, [(&variable, &value)].into_iter()) {
                columns.push(std::mem::replace(&mut column, begun()));
            }
            keep(&mut column, variable, value);
        }
        columns.push(column);
    }
    columns
}

/// Leaves a variable out everywhere if it may hold a secret anywhere: beside one it would seem to differ from nothing.
fn hide(columns: &mut [ServerVariables]) {
    let secret: BTreeSet<String> = columns.iter().flat_map(|column| column.secret.iter().cloned()).collect();
    columns.iter_mut().for_each(|column| column.values.retain(|name, _| !secret.contains(name)));
}

/// Adds a variable of a file, without its value if that may be a secret. Servers' own variables are filtered when they
/// are read ([`facts::server`]).
fn keep(column: &mut ServerVariables, name: String, value: String) {
    let name = into_visible(name);
    if secret::is_held(&name, &value) {
        column.values.remove(&name);
        column.secret.insert(name);
    } else if !column.secret.contains(&name) {
        column.values.insert(name, value);
    }
}

/// Gives columns of the same name numbers.
fn apart(columns: &mut [ServerVariables]) {
    let (mut count, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    columns.iter().for_each(|column| *count.entry(column.name.clone()).or_insert(0) += 1);
    for column in columns {
        let name = std::mem::take(&mut column.name);
        let nth = numbers.entry(name.clone()).and_modify(|nth| *nth += 1).or_insert(1);
        let is_one_of_several = count.get(&name).is_some_and(|n| *n > 1);
        column.name = into_visible(name);
        if is_one_of_several {
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
    let (unset, computed) = (count(Likeness::Unset), count(Likeness::Computed));
    let compared = rows.len() - missing - unset - computed;
    if !text.is_empty() {
        text += "\n";
    }
    if marked {
        text += &format!("{}\n", words.text(msg!("diff-changed-mark")));
    }
    let counted = match compared {
        0 => msg!("diff-nothing-in-common"),
        _ => msg!("diff-counted", n = different, compared),
    };
    text += &format!("{}\n", words.text(counted));
    // Where three are compared, a setting of two that differ is also unset.
    if unset > 0 || rows.iter().any(|row| has_default(columns, row)) {
        let defaults = Defaults::of_servers_with(rows.iter().map(|row| row.name));
        let names = rows.iter().filter(|row| has_default(columns, row)).map(|row| row.name);
        let known: Vec<Vec<String>> = names.filter_map(|name| default_of(defaults, name)).collect();
        let unset = rows.iter().filter(|row| has_default(columns, row)).count();
        let sentence =
            if known.is_empty() { msg!("diff-unset", n = unset) } else { msg!("diff-unset-known", n = unset) };
        text += &format!("{}\n", words.text(sentence));
        text += &table::words(&known);
        for version in columns.iter().filter_map(|column| of_unknown_version(defaults, column)).collect::<BTreeSet<_>>()
        {
            text += &format!("{}\n", words.text(msg!("diff-version-unknown", version)));
        }
    }
    if computed > 0 {
        text += &format!("{}\n", words.text(msg!("diff-computed", n = computed, names = names(Likeness::Computed))));
    }
    if own > 0 && !all {
        text += &format!("{}\n", words.text(msg!("diff-own-to-server", n = own, names = names(Likeness::OwnToServer))));
    }
    if missing > 0 {
        text += &format!("{}\n", words.text(msg!("diff-missing", n = missing, names = names(Likeness::Missing))));
    }
    if let Some(left_out) = left_out(columns) {
        text += &format!("{}\n", words.text(left_out));
    }
    if columns.iter().any(|column| column.is_partial) {
        text += &format!("{}\n", words.text(msg!("diff-partial")));
    }
    text
}

/// Which variables are left out because they may hold a password.
fn left_out(columns: &[ServerVariables]) -> Option<Message> {
    let secret: BTreeSet<&str> = columns.iter().flat_map(|column| &column.secret).map(String::as_str).collect();
    let names = secret.iter().copied().collect::<Vec<_>>().join(", ");
    (!secret.is_empty()).then(|| msg!("diff-secret", n = secret.len(), names))
}

/// The version of a column, by its group (`my.cnf [mysqld-8.4]`) or by its variable of that name, if the defaults of that version are not known.
fn of_unknown_version(defaults: Defaults, column: &ServerVariables) -> Option<String> {
    let of_group = || {
        let (_, group) = column.name.strip_suffix(']')?.rsplit_once('[')?;
        let (program, version) = group.rsplit_once('-').filter(|(_, version)| version.contains('.'))?;
        Some((if program.starts_with("mysql") { "MySQL" } else { "MariaDB" }, version))
    };
    let of_variable = || {
        if let Some(version) = column.values.get("server_version") {
            return Some(("PostgreSQL", version.as_str()));
        }
        let version = column.values.get("version")?;
        Some((if version.contains("MariaDB") { "MariaDB" } else { "MySQL" }, version.as_str()))
    };
    let (product, version) = of_group().or_else(of_variable)?;
    let parts = if product == "PostgreSQL" { 1 } else { 2 };
    let numbers: Vec<&str> = version.split(|c: char| !c.is_ascii_digit()).take(parts).collect();
    let version = format!("{product} {}", numbers.join("."));
    (!defaults.versions().contains(&version)).then_some(version)
}

/// Whether a file does not set a setting that another column has: its server has the default.
fn has_default(columns: &[ServerVariables], row: &ComparedVariable<'_>) -> bool {
    let is_unset = columns.iter().zip(&row.values).any(|(column, value)| column.is_partial && value.is_none());
    is_unset && [Likeness::Unset, Likeness::Different].contains(&row.likeness)
}

/// What the servers have for a variable that is not set: its name, then `0 (MySQL 5.6), 1 (MySQL 5.7, 8.0)`.
fn default_of(defaults: Defaults, name: &str) -> Option<Vec<String>> {
    let each = defaults.of(name).into_iter();
    let each = each.map(|(value, versions)| format!("{} ({})", readable(name, value), defaults::in_short(&versions)));
    let all: Vec<String> = each.collect();
    (!all.is_empty()).then(|| vec![format!("  {name}"), all.join(", ")])
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

fn csv(columns: &[ServerVariables], shown: &[&ComparedVariable<'_>]) -> Result<String, Problem> {
    let line = |fields: &mut dyn Iterator<Item = &str>| {
        fields.map(|field| export::harmless(field.to_owned().into())).collect()
    };
    let head = line(&mut ["variable"].into_iter().chain(columns.iter().map(|column| column.name.as_str())));
    let rows = shown.iter().map(|row| {
        let values = row.values.iter().map(|value| value.unwrap_or_default());
        line(&mut [row.name].into_iter().chain(values))
    });
    export::csv_of(std::iter::once(head).chain(rows))
}

fn json(columns: &[ServerVariables], rows: &[ComparedVariable<'_>]) -> String {
    let defaults = Defaults::of_servers_with(rows.iter().map(|row| row.name));
    let row = |row: &ComparedVariable<'_>| {
        let likeness = match row.likeness {
            Likeness::Same => "same",
            Likeness::Different => "different",
            Likeness::OwnToServer => "own-to-server",
            Likeness::Missing => "missing",
            Likeness::Unset => "unset",
            Likeness::Computed => "computed",
        };
        let mut all = json!({"name": row.name, "values": row.values, "likeness": likeness});
        if has_default(columns, row) {
            let each = defaults.of(row.name).into_iter();
            let each = each.map(|(value, versions)| json!({"value": value, "versions": versions}));
            all["defaults"] = each.collect();
        }
        all
    };
    let column = |column: &ServerVariables| {
        let mut all = json!({"name": column.name, "changed": column.changed, "partial": column.is_partial});
        // Their values may be passwords.
        if !column.secret.is_empty() {
            all["left_out"] = column.secret.iter().cloned().collect();
        }
        all
    };
    let all = json!({"columns": columns.iter().map(column).collect::<Vec<_>>(), "variables": rows.iter().map(row).collect::<Vec<_>>()});
    serde_json::to_string_pretty(&all).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They would take minutes.
    #[test]
    fn a_file_of_very_many_lines_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let code = |lines: usize| {
            std::fs::write(file.path(), format!("[mysqld]\n{}", "x=1\n".repeat(lines))).unwrap();
            of_file(file.path()).err().and_then(|problem| problem.code().map(str::to_owned))
        };
        assert_eq!(code(MOST_LINES).as_deref(), Some("diff-file-cannot-be-read"));
        assert_eq!(code(MOST_LINES - 1), None);
    }

    #[test]
    fn a_version_whose_defaults_are_not_known_is_named() {
        let of = |name: &str, variable: &str, version: &str| {
            let values = [(variable.to_owned(), version.to_owned())].into();
            let column = ServerVariables { name: name.to_owned(), values, ..ServerVariables::default() };
            let names = ["sync_binlog", "shared_buffers", "work_mem"].into_iter();
            let of_postgres = variable == "server_version";
            of_unknown_version(Defaults::of_servers_with(names.filter(|_| of_postgres)), &column).unwrap_or_default()
        };
        assert_eq!(of("a", "version", "8.0.36-28"), "");
        assert_eq!(of("a", "version", "9.1.0"), "MySQL 9.1");
        assert_eq!(of("a", "version", "11.8.2-MariaDB-log"), "");
        assert_eq!(of("a", "version", "12.1.2-MariaDB-log"), "MariaDB 12.1");
        assert_eq!(of("my.cnf [mysqld-8.4]", "sync_binlog", "1"), "");
        assert_eq!(of("my.cnf [mysqld-9.1]", "sync_binlog", "1"), "MySQL 9.1");
        assert_eq!(of("my.cnf [mariadb-12.0]", "sync_binlog", "1"), "MariaDB 12.0");
        assert_eq!(of("a", "server_version", "16.2 (Debian 16.2-1)"), "");
        assert_eq!(of("a", "server_version", "19devel"), "PostgreSQL 19");
    }
}
