//! `tenbin plan check` and `tenbin plan example`.

use crate::args::{Plan, PlanAction};
use crate::command::run::read;
use crate::exit::{self, Exit};
use crate::table;
use serde_json::json;
use std::path::Path;
use tenbin_lab::check::{self, Forecast, Scripts};
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use tenbin_model::summary::label;
use tenbin_model::trial::Trial;

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
    let forecast = check::forecast(&planned.request, offline);
    if as_json {
        exit::say(&serde_json::to_string_pretty(&json_of(&planned.request.trials, &forecast)).unwrap_or_default());
    } else {
        exit::say(&text_of(&planned.request.name, &planned.request.trials, &forecast));
    }
    forecast.refusals.iter().for_each(exit::complain);
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
    for note in &forecast.notes {
        text += &format!("note     {}\n", note.to_string().replace('\n', "\n         "));
    }
    text.trim_end().to_owned()
}

fn json_of(trials: &[Trial], forecast: &Forecast) -> serde_json::Value {
    let effects: Vec<_> = forecast
        .effects
        .iter()
        .map(|e| json!({"target": e.target, "address": e.address, "found": e.found, "will": e.will, "statements": e.statements}))
        .collect();
    json!({
        "trials": trials,
        "drive_s": forecast.drive_s,
        "load_s": forecast.load_s,
        "disk_bytes": forecast.disk_bytes,
        "effects": effects,
        "notes": forecast.notes,
        "refusals": forecast.refusals,
    })
}
