//! `tenbin plan check` and `tenbin plan example`.

use crate::args::{PlanAction, PlanArgs};
use crate::command::run::read;
use crate::exit::{self, Exit};
use crate::plan_file::placed;
use crate::words::TerminalWords;
use crate::{signals, table};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use tenbin_lab::check::Scripts;
use tenbin_lab::forecast::{Forecast, Look, forecast};
use tenbin_model::plan::PlanScale;
use tenbin_model::summary::label;
use tenbin_model::trial::Trial;
use tenbin_targets::doctor::{Finding, Level};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

const EXAMPLE: &str = include_str!("../../../../plans/first.toml");

pub fn plan(a: &PlanArgs) -> Result<Exit, Problem> {
    match &a.action {
        PlanAction::Example => {
            exit::print(EXAMPLE.trim_end());
            Ok(Exit::Ok)
        }
        PlanAction::Check { plan, scale, offline, json, .. } => checked(plan, *scale, *offline, *json),
    }
}

fn checked(path: &Path, scale: Option<PlanScale>, offline: bool, as_json: bool) -> Result<Exit, Problem> {
    let look = if offline { Look::PlanOnly } else { Look::Servers };
    let Some(planned) = read(path, scale, Scripts::Compile, look)? else { return Ok(Exit::Usage) };
    let stop = signals::listen_saying(msg!("stopping-looks"))?;
    let forecast = forecast(&planned.request, look, &stop);
    if as_json {
        exit::print(&serde_json::to_string_pretty(&json_of(&planned.request.trials, &forecast)).unwrap_or_default());
    } else {
        exit::print(&text_of(&planned.request.name, &planned.request.trials, &forecast));
    }
    forecast.refusals.iter().for_each(|problem| exit::complain(&placed(path, problem)));
    if stop.asked() {
        return Ok(Exit::Interrupted);
    }
    Ok(if forecast.refusals.is_empty() { Exit::Ok } else { Exit::Usage })
}

fn text_of(name: &str, trials: &[Trial], forecast: &Forecast) -> String {
    let words = exit::words();
    let language = words.language;
    let says = |message: Message| message.text(language);
    // How many there will be is decided while they run: these are as many as there can be.
    let n = trials.len();
    let ends_early = trials.iter().any(|t| t.repeats_until.is_some() || t.search.is_some());
    let in_order = if ends_early { msg!("trials-at-most", name, n) } else { msg!("trials-in-order", name, n) };
    let mut text = format!("{} {}\n", words.label(msg!("label-plan")), says(in_order));
    let mut named = BTreeSet::new();
    for t in trials.iter().filter(|t| named.insert(t.experiment.as_str())) {
        if let Some(until) = &t.repeats_until {
            text += &format!("  {}: {}\n", t.experiment, says(until.words()));
        }
    }
    // Of a long plan only the first trials are shown; --json has all.
    let shown = if trials.len() > 60 { 50 } else { trials.len() };
    let rows: Vec<Vec<String>> = trials[..shown]
        .iter()
        .map(|t| {
            let (warmup, measure) = (figure::span(t.warmup_ms as f64 / 1e3), figure::span(t.measure_ms as f64 / 1e3));
            let warmup = t.warmup_until.map_or(warmup.clone(), |_| says(msg!("at-most", value = warmup)));
            let measure = t.measure_until.map_or(measure.clone(), |_| says(msg!("at-most", value = measure)));
            let times = format!("{warmup} + {measure}");
            vec![
                format!("  {}", t.number),
                t.target.name.clone(),
                t.load.workload.clone(),
                label(&t.axes),
                says(msg!("repeat-number", n = t.repeat)),
                times,
            ]
        })
        .collect();
    text += &table::words(&rows);
    if shown < trials.len() {
        text += &format!("  {}\n", says(msg!("and-more-trials", n = trials.len() - shown)));
    }
    for effect in &forecast.effects {
        text +=
            &format!("\n{} {}: {}\n", words.label(msg!("label-target")), effect.target, effect.address.text(language));
        text += &format!("  {} {}\n", words.short_label(msg!("label-finds")), effect.found.text(language));
        text += &findings(&effect.computed, words);
        for line in &effect.will {
            text += &format!("  {} {}\n", words.short_label(msg!("label-will")), line.text(language));
        }
        for statement in &effect.statements {
            text += &format!("         {}\n", statement.replace('\n', "\n         "));
        }
    }
    for (trial, lines) in &forecast.transactions {
        text += &format!(
            "\n{}\n",
            says(msg!("first-transactions", experiment = trial.experiment, target = trial.target.name))
        );
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    let (whole, drive, load) = (forecast.drive_s + forecast.load_s, forecast.drive_s, forecast.load_s);
    let (whole, drive, load) = (figure::duration(whole), figure::duration(drive), figure::duration(load));
    let time = says(match ends_early || trials.iter().any(|t| t.measure_until.is_some() || t.warmup_until.is_some()) {
        true => msg!("time-at-most", whole, drive, load),
        false => msg!("time-planned", whole, drive, load),
    });
    let disk = says(msg!("disk-planned", bytes = figure::bytes(forecast.disk_bytes as f64)));
    text += &format!("\n{} {time}\n{} {disk}\n", words.label(msg!("label-time")), words.label(msg!("label-disk")));
    text += &findings(&forecast.disks, words);
    for note in &forecast.notes {
        let note = words.problem(note).replace('\n', "\n         ");
        text += &format!("{} {note}\n", words.label(msg!("label-note")));
    }
    text.trim_end().to_owned()
}

/// The findings, one line each.
fn findings(all: &[Finding], words: TerminalWords) -> String {
    let line = |f: &Finding| {
        let language = words.language;
        let seen = f.evidence.as_ref().map(|seen| format!(": {}", seen.text(language).replace('\n', "; ")));
        let label = words.short_label(match f.level {
            Level::Ok => msg!("level-ok"),
            Level::Note => msg!("level-note"),
            Level::Warning => msg!("level-doubt"),
            Level::Error => msg!("level-fails"),
        });
        format!("  {label} {}{}\n", f.title.text(language), seen.unwrap_or_default())
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
    let english = |part: &Option<Message>| part.as_ref().map(|part| part.english().to_owned());
    json!({"level": word(f.level), "title": f.title.english(), "evidence": english(&f.evidence), "hint": english(&f.hint)})
}

fn json_of(trials: &[Trial], forecast: &Forecast) -> serde_json::Value {
    let effects: Vec<_> = forecast
        .effects
        .iter()
        .map(|e| {
            let computed: Vec<_> = e.computed.iter().map(json_of_finding).collect();
            json!({"target": e.target, "address": e.address.english(), "found": e.found.english(), "computed": computed, "will": e.will.iter().map(|line| line.english()).collect::<Vec<_>>(), "statements": e.statements})
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
