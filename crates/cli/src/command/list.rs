//! `tenbin list`: lists workloads, data sets and runs, or describes a workload or a data set.

use crate::args::{ListArgs, SqlOf};
use crate::command::stored_runs::{Chosen, field};
use crate::command::{script, stored_runs};
use crate::wrap::wrapped;
use crate::{screen, table};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::tally::StatementKind;
use tenbin_report::store::Listed;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::words::TerminalWords;
use tenbin_words::described::described;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::text::visible;
use tenbin_workload::options::OptionSpec;
use tenbin_workload::{DatasetEntry, WorkloadEntry};
use tenbin_workloads::{datasets, find_dataset, is_script, sql, workloads};

pub fn list(a: &ListArgs) -> Result<Exit, Problem> {
    match &a.workload {
        Some(scripts) if sql::is_scripts(scripts) => explain_sql(scripts, a.dialect, a.stored.json)?,
        Some(path) if is_script(path) => script::explain(path, a.execute, a.stored.json)?,
        Some(name) => explain(name, a.stored.json)?,
        None => everything(a)?,
    }
    Ok(Exit::Ok)
}

fn everything(a: &ListArgs) -> Result<(), Problem> {
    let Chosen { mut runs, in_folder } = stored_runs::chosen(&a.stored, a.plan.as_deref())?;
    let all = runs.len();
    runs.truncate(stored_runs::shown(&a.stored, all));
    let words = exit::words();
    if a.stored.csv {
        exit::print(csv(&runs).trim_end());
    } else if a.stored.json {
        let workloads: Vec<_> =
            workloads().iter().map(|w| json!({"name": w.name, "kind": w.family, "about": w.about})).collect();
        let datasets: Vec<_> = datasets().map(|d| json!({"kind": d.kind, "about": d.about})).collect();
        let all = json!({"workloads": workloads, "datasets": datasets, "runs": runs});
        exit::print(&serde_json::to_string_pretty(&all).unwrap_or_default());
    } else {
        if !asks_for_runs(a) {
            print_lines(&known(words));
        }
        print_lines(&match runs.as_slice() {
            [] => words.text(none(a, in_folder)),
            runs => text(runs, all, words),
        });
    }
    Ok(())
}

/// Prints lines that a terminal has room for.
fn print_lines(text: &str) {
    exit::print(&wrapped(text, screen::columns(), 4));
}

/// Whether something was said that concerns runs only.
fn asks_for_runs(a: &ListArgs) -> bool {
    a.plan.is_some() || a.stored.tag.is_some() || a.stored.last.is_some() || a.stored.all
}

/// The workloads and data sets.
fn known(words: TerminalWords) -> String {
    let about = |name: &str, about: &str| vec![format!("  {name}"), words.text(described(about))];
    let of_workload =
        |w: &&WorkloadEntry| vec![format!("  {}", w.name), w.family.to_owned(), words.text(described(w.about))];
    let workloads = table::words(&workloads().iter().map(of_workload).collect::<Vec<_>>());
    let datasets = table::words(&datasets().map(|d| about(d.kind, d.about)).collect::<Vec<_>>());
    let heads = [msg!("list-workloads"), msg!("list-datasets")].map(|head| words.text(head));
    format!("{}\n{workloads}\n{}\n{datasets}", heads[0], heads[1])
}

/// That there are no runs, or none of those in the folder is what was asked for.
fn none(a: &ListArgs, in_folder: usize) -> Message {
    let folder = a.stored.runs.display();
    let filters = [("--plan", a.plan.clone()), ("--tag", a.stored.tag.clone())].into_iter();
    let filters = filters.chain([("--last", a.stored.last.map(|last| last.to_string()))]);
    let filters =
        filters.filter_map(|(option, value)| Some(foreign(format_args!("{option} {}", shell::word(&value?)))));
    match in_folder {
        0 => msg!("list-no-runs", folder),
        n => msg!("list-none-of-runs", n, folder, asked = Message::list(filters)),
    }
}

/// The runs, the newest first, of `all` that there are.
fn text(runs: &[Listed], all: usize, words: TerminalWords) -> String {
    let mut text = words.text(msg!("list-runs"));
    for run in runs {
        let state = run.state.map_or("unfinished".into(), |s| format!("{s:?}").to_lowercase());
        let verdict = run.outcome.as_ref().map_or(state.clone(), |outcome| outcome.verdict.name().to_owned());
        let trials = words.text(msg!("trials-counted", n = run.trials));
        let scale = scale(run);
        let try_out = scale.map_or_else(String::new, |scale| words.text(msg!("condition-scaled", scale)));
        let labels = stored_runs::labels(run);
        let about = [run.started.clone(), verdict, try_out, trials, labels].into_iter().filter(|part| !part.is_empty());
        text +=
            &format!("\n  {}\n    {}", visible(&run.dir.display().to_string()), about.collect::<Vec<_>>().join("  "));
        if let Some(outcome) = &run.outcome {
            let answer = if words.language == Language::Japanese { &outcome.answer_ja } else { &outcome.answer };
            text += &format!("\n    {}", visible(answer));
        }
    }
    if runs.len() < all {
        text += &format!("\n  {}", words.text(msg!("list-more-runs", n = all - runs.len())));
    }
    text
}

/// By what the data and the time of its plan were multiplied, if it was a try-out.
fn scale(run: &Listed) -> Option<f64> {
    run.outcome.as_ref().and_then(|outcome| outcome.scale)
}

/// One row per run.
fn csv(runs: &[Listed]) -> String {
    let mut out = format!("{},tags,plan,state,trials,answer,scale\n", stored_runs::COLUMNS);
    for run in runs {
        let state = run.state.map_or("unfinished".into(), |s| format!("{s:?}").to_lowercase());
        let answer = run.outcome.as_ref().map_or("", |outcome| outcome.answer.as_str());
        let (tags, trials) = (run.labels.tags.join(" "), run.trials.to_string());
        let scale = scale(run).map_or_else(String::new, |scale| scale.to_string());
        let rest = [tags.as_str(), &run.name, &state, &trials, answer, &scale].map(field).join(",");
        out += &format!("{},{rest}\n", stored_runs::fields(run));
    }
    out
}

/// A workload with its data set, or a data set of this name.
fn explain(name: &str, as_json: bool) -> Result<(), Problem> {
    let (entry, dataset) = match (tenbin_workloads::find_workload(name), find_dataset(name)) {
        (Ok(entry), _) => (Some(entry), find_dataset(entry.dataset).ok()),
        (Err(_), Ok(dataset)) => (None, Some(dataset)),
        (Err(problem), Err(_)) => return Err(problem),
    };
    let words = if as_json { TerminalWords::new(Language::English) } else { exit::words() };
    let statements = entry.map_or_else(|| Ok(Vec::new()), |entry| statements(entry, words))?;
    if as_json {
        exit::print(&serde_json::to_string_pretty(&as_value(entry, dataset, &statements)).unwrap_or_default());
        return Ok(());
    }
    let rows = |options: Vec<&OptionSpec>| {
        let row =
            |o: &&OptionSpec| vec![format!("  {}", o.name), o.default.to_owned(), words.text(described(o.meaning))];
        table::words(&options.iter().map(row).collect::<Vec<_>>())
    };
    let mut text = String::new();
    if let Some(entry) = entry {
        text += &format!("{}: {}\n", entry.name, words.text(described(entry.about)));
        if !statements.is_empty() {
            text += &format!("\n{}\n", words.text(msg!("list-statements")));
            statements.iter().for_each(|statement| text += &format!("  {statement}\n"));
        }
        text += &format!("\n{}\n{}\n", words.text(msg!("list-options")), rows(entry.rows()));
    }
    if let Some(dataset) = dataset {
        let (kind, about) = (dataset.kind, described(dataset.about));
        text += &format!("{}\n{}", words.text(msg!("list-dataset", kind, about)), rows(dataset.rows()));
    }
    exit::print(text.trim_end());
    Ok(())
}

/// The scripts as the database that is meant reads them; without one as the first that can, of which PostgreSQL's language is that of pgbench.
fn listed(scripts: &str, dialect: Option<SqlOf>) -> Result<Vec<sql::Listed>, Problem> {
    let of = |dialect: SqlOf| {
        let scheme = match dialect {
            SqlOf::Postgres => Scheme::Postgres,
            SqlOf::Mysql => Scheme::Mysql,
            SqlOf::Sqlite => Scheme::Sqlite,
        };
        sql::listed(scripts, scheme)
    };
    match dialect {
        Some(dialect) => of(dialect),
        None => {
            of(SqlOf::Postgres).or_else(|problem| of(SqlOf::Mysql).or_else(|_| of(SqlOf::Sqlite)).map_err(|_| problem))
        }
    }
}

/// The statements and variables of scripts of SQL.
fn explain_sql(scripts: &str, dialect: Option<SqlOf>, as_json: bool) -> Result<(), Problem> {
    let listed = listed(scripts, dialect)?;
    if as_json {
        let one = |script: &sql::Listed| {
            let statements: Vec<_> =
                script.statements.iter().map(|(name, kind)| json!({"name": name, "kind": kind})).collect();
            let variables: Vec<_> = script.variables.iter().map(|v| json!({"name": v.name, "set": v.set})).collect();
            json!({"path": script.path, "weight": script.weight, "statements": statements, "variables": variables})
        };
        let all: Vec<_> = listed.iter().map(one).collect();
        exit::print(&serde_json::to_string_pretty(&all).unwrap_or_default());
        return Ok(());
    }
    let words = exit::words();
    let mut text = String::new();
    for script in &listed {
        text += &format!(
            "{}\n\n{}\n",
            words.text(msg!("list-sql-script", path = script.path, weight = script.weight)),
            words.text(msg!("list-statements"))
        );
        for (name, kind) in &script.statements {
            text += &format!("  {}\n", named(name, *kind, words));
        }
        if !script.variables.is_empty() {
            let not_set = words.text(msg!("list-sql-not-set"));
            let row = |v: &sql::ScriptVariable| {
                vec![format!("  :{}", v.name), v.set.clone().unwrap_or_else(|| not_set.clone())]
            };
            let rows: Vec<_> = script.variables.iter().map(row).collect();
            text += &format!("\n{}\n{}", words.text(msg!("list-sql-variables")), table::words(&rows));
        }
        text.push('\n');
    }
    exit::print(text.trim_end());
    Ok(())
}

/// A statement's name, and what it does.
fn named(name: &str, kind: StatementKind, words: TerminalWords) -> String {
    match kind {
        StatementKind::Read => words.text(msg!("list-statement-reads", name)),
        StatementKind::Write => words.text(msg!("list-statement-writes", name)),
        StatementKind::Other => name.to_owned(),
    }
}

fn as_value(entry: Option<&WorkloadEntry>, dataset: Option<&DatasetEntry>, statements: &[String]) -> Value {
    let rows = |options: Vec<&OptionSpec>| {
        let row = |o: &&OptionSpec| json!({"name": o.name, "default": o.default, "meaning": o.meaning});
        options.iter().map(row).collect::<Vec<_>>()
    };
    let dataset = dataset.map(|d| json!({"kind": d.kind, "about": d.about, "options": rows(d.rows())}));
    match entry {
        Some(entry) => json!({
            "name": entry.name, "about": entry.about, "statements": statements, "options": rows(entry.rows()), "dataset": dataset,
        }),
        None => json!({"dataset": dataset}),
    }
}

/// The statements of the workload with default options, as for MySQL: the complete text if it is known beforehand,
/// otherwise the names under which they are counted.
fn statements(entry: &'static WorkloadEntry, words: TerminalWords) -> Result<Vec<String>, Problem> {
    if entry.name == sql::NAME {
        // They are in the user's files.
        return Ok(Vec::new());
    }
    let nowhere = Connector::nowhere(if entry.needs_database() { Scheme::Null } else { Scheme::Host })?;
    let workload = tenbin_workloads::workload(entry.name, &BTreeMap::new(), nowhere)?;
    let outline = workload.outline();
    if !outline.is_empty() {
        return Ok(outline);
    }
    Ok(workload.statements().into_iter().map(|(name, kind)| named(&name, kind, words)).collect())
}
