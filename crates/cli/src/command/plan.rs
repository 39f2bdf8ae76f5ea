//! `tenbin plan check` and `tenbin plan example`.

use crate::args::{Plan, PlanAction};
use crate::command::run::read;
use crate::exit::{self, Exit};
use crate::{signals, table};
use serde_json::json;
use std::path::Path;
use tenbin_lab::check::Scripts;
use tenbin_lab::forecast::{Forecast, forecast};
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use tenbin_model::summary::label;
use tenbin_model::trial::Trial;
use tenbin_target::doctor::{Finding, Level};

const EXAMPLE: &str = include_str!("../../../../plans/first.toml");

pub fn plan(a: &Plan) -> Result<Exit, Problem> {
    match &a.action {
        PlanAction::Example => {
            exit::say(EXAMPLE.trim_end());
            Ok(Exit::Ok)
        }
        PlanAction::Check { plan, offline, json } => checked(plan, *offline, *json),
    }
}

fn checked(path: &Path, offline: bool, as_json: bool) -> Result<Exit, Problem> {
    let Some(planned) = read(path, Scripts::Compile)? else { return Ok(Exit::Usage) };
    let stop = signals::listen_saying("stopping: the other targets are not looked at")?;
    let forecast = forecast(&planned.request, offline, &stop);
    if as_json {
        exit::say(&serde_json::to_string_pretty(&json_of(&planned.request.trials, &forecast)).unwrap_or_default());
    } else {
        exit::say(&text_of(&planned.request.name, &planned.request.trials, &forecast));
    }
    forecast.refusals.iter().for_each(exit::complain);
    if stop.asked() {
        return Ok(Exit::Interrupted);
    }
    Ok(if forecast.refusals.is_empty() { Exit::Ok } else { Exit::Usage })
}

fn text_of(name: &str, trials: &[Trial], forecast: &Forecast) -> String {
    let mut text = format!("plan     {name}: {} trials, in this order\n", trials.len());
    // A long plan shows its beginning; --json has it all.
    let shown = if trials.len() > 60 { 50 } else { trials.len() };
    let rows: Vec<Vec<String>> = trials[..shown]
        .iter()
        .map(|t| {
            let times =
                format!("{} + {}", figure::span(t.warmup_ms as f64 / 1e3), figure::span(t.measure_ms as f64 / 1e3));
            vec![
                format!("  {}", t.number),
                t.target.name.clone(),
                t.load.workload.clone(),
                label(&t.axes),
                format!("repeat {}", t.repeat),
                times,
            ]
        })
        .collect();
    text += &table::words(&rows);
    if shown < trials.len() {
        text += &format!("  … and {} more (--json lists all)\n", trials.len() - shown);
    }
    for effect in &forecast.effects {
        text += &format!("\ntarget   {}: {}\n", effect.target, effect.address);
        text += &format!("  finds  {}\n", effect.found);
        text += &findings(&effect.computed);
        for line in &effect.will {
            text += &format!("  will   {line}\n");
        }
        for statement in &effect.statements {
            text += &format!("         {}\n", statement.replace('\n', "\n         "));
        }
    }
    text += &format!(
        "\ntime     about {} ({} driving, about {} loading)\ndisk     about {} in the databases\n",
        figure::span(forecast.drive_s + forecast.load_s),
        figure::span(forecast.drive_s),
        figure::span(forecast.load_s),
        figure::bytes(forecast.disk_bytes as f64),
    );
    text += &findings(&forecast.disks);
    for note in &forecast.notes {
        text += &format!("note     {}\n", note.to_string().replace('\n', "\n         "));
    }
    text.trim_end().to_owned()
}

/// What was computed beforehand, a line each.
fn findings(all: &[Finding]) -> String {
    let line = |f: &Finding| {
        let seen = f.evidence.as_ref().map(|seen| format!(": {}", seen.replace('\n', "; "))).unwrap_or_default();
        format!("  {:<6} {}{seen}\n", word(f.level), f.title)
    };
    all.iter().map(line).collect()
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Ok => "ok",
        Level::Note => "note",
        Level::Warning => "doubt",
        Level::Error => "fails",
    }
}

fn json_of_finding(f: &Finding) -> serde_json::Value {
    json!({"level": word(f.level), "title": f.title, "evidence": f.evidence, "mend": f.mend})
}

fn json_of(trials: &[Trial], forecast: &Forecast) -> serde_json::Value {
    let effects: Vec<_> = forecast
        .effects
        .iter()
        .map(|e| {
            let computed: Vec<_> = e.computed.iter().map(json_of_finding).collect();
            json!({"target": e.target, "address": e.address, "found": e.found, "computed": computed, "will": e.will, "statements": e.statements})
        })
        .collect();
    let disks: Vec<_> = forecast.disks.iter().map(json_of_finding).collect();
    json!({
        "trials": trials,
        "drive_s": forecast.drive_s,
        "load_s": forecast.load_s,
        "disk_bytes": forecast.disk_bytes,
        "effects": effects,
        "disks": disks,
        "notes": forecast.notes,
        "refusals": forecast.refusals,
    })
}
