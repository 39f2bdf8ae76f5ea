//! `tenbin list`: lists workloads and runs, or describes one workload.

use crate::args::ListArgs;
use crate::command::script;
use crate::exit::{self, Exit};
use crate::table;
use serde_json::json;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::language::Language;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::tally::StatementKind;
use tenbin_model::text::visible;
use tenbin_report::store;
use tenbin_workloads::is_script;
use tenbin_workloads::workloads;

pub fn list(a: &ListArgs) -> Result<Exit, Problem> {
    match &a.workload {
        Some(path) if is_script(path) => script::explain(path, a.execute, a.stored.json)?,
        Some(name) => explain(name, a.stored.json)?,
        None => everything(a)?,
    }
    Ok(Exit::Ok)
}

fn everything(a: &ListArgs) -> Result<(), Problem> {
    let mut runs = store::list(&a.stored.runs)?;
    runs.retain(|run| a.stored.tag.as_ref().is_none_or(|tag| run.labels.tags.contains(tag)));
    if a.stored.json {
        let workloads: Vec<_> = workloads().iter().map(|w| json!({"name": w.name, "about": w.about})).collect();
        exit::print(&serde_json::to_string_pretty(&json!({"workloads": workloads, "runs": runs})).unwrap_or_default());
        return Ok(());
    }
    let words = exit::words();
    let rows: Vec<Vec<String>> =
        workloads().iter().map(|w| vec![format!("  {}", w.name), w.about.to_owned()]).collect();
    exit::print(&format!("{}\n{}", words.text(msg!("list-workloads")), table::words(&rows)));
    if runs.is_empty() {
        exit::print(&words.text(msg!("list-no-runs", folder = a.stored.runs.display())));
        return Ok(());
    }
    let mut text = words.text(msg!("list-runs"));
    for run in &runs {
        let state = run.state.map_or("unfinished".into(), |s| format!("{s:?}").to_lowercase());
        let verdict = run.outcome.as_ref().map_or(state.clone(), |found| found.verdict.name().to_owned());
        let trials = words.text(msg!("trials-counted", n = run.trials));
        let labels = run.labels.name.iter().chain(&run.labels.tags).map(|label| visible(label).into_owned());
        let labels = labels.collect::<Vec<_>>().join(", ");
        let about = [run.started.clone(), verdict, trials, labels].into_iter().filter(|part| !part.is_empty());
        text +=
            &format!("\n  {}\n    {}", visible(&run.dir.display().to_string()), about.collect::<Vec<_>>().join("  "));
        if let Some(found) = &run.outcome {
            let answer = if words.language == Language::Japanese { &found.answer_ja } else { &found.answer };
            text += &format!("\n    {}", visible(answer));
        }
    }
    exit::print(&text);
    Ok(())
}

fn explain(name: &str, as_json: bool) -> Result<(), Problem> {
    let entry = tenbin_workloads::find_workload(name)?;
    let options = entry.rows();
    let statements = statements(entry)?;
    if as_json {
        let rows: Vec<_> =
            options.iter().map(|o| json!({"name": o.name, "default": o.default, "meaning": o.meaning})).collect();
        exit::print(
            &serde_json::to_string_pretty(
                &json!({"name": entry.name, "about": entry.about, "statements": statements, "options": rows}),
            )
            .unwrap_or_default(),
        );
        return Ok(());
    }
    let rows: Vec<Vec<String>> =
        options.iter().map(|o| vec![format!("  {}", o.name), o.default.to_owned(), o.meaning.to_owned()]).collect();
    let words = exit::words();
    let mut text = format!("{}: {}\n", entry.name, entry.about);
    if !statements.is_empty() {
        text += &format!("\n{}\n", words.text(msg!("list-statements")));
        statements.iter().for_each(|statement| text += &format!("  {statement}\n"));
    }
    text += &format!("\n{}\n{}", words.text(msg!("list-options")), table::words(&rows));
    exit::print(text.trim_end());
    Ok(())
}

/// The statements of the workload with default options, as for MySQL: the complete text if it is known beforehand,
/// otherwise the names under which they are counted.
fn statements(entry: &'static tenbin_workload::WorkloadEntry) -> Result<Vec<String>, Problem> {
    let nowhere = Connector::nowhere(if entry.needs_database() { Scheme::Null } else { Scheme::Host })?;
    let workload = tenbin_workloads::workload(entry.name, &BTreeMap::new(), nowhere)?;
    let outline = workload.outline();
    if !outline.is_empty() {
        return Ok(outline);
    }
    let named = workload.statements().into_iter().map(|(name, kind)| match kind {
        StatementKind::Read => format!("{name} (reads)"),
        StatementKind::Write => format!("{name} (writes)"),
        StatementKind::Other => name,
    });
    Ok(named.collect())
}
