//! `tenbin plan check` and `tenbin plan example`.

use super::doctor;
use crate::args::{PlanAction, PlanArgs};
use crate::plan_file::placed;
use crate::table;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use tenbin_lab::check::Scripts;
use tenbin_lab::forecast::{Effect as TargetEffect, Forecast, Look, forecast};
use tenbin_model::plan::PlanScale;
use tenbin_model::summary::label;
use tenbin_model::trial::Trial;
use tenbin_servers::finding::{Finding, Level};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::runnable::read;
use tenbin_terminal::signals;
use tenbin_terminal::words::TerminalWords;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

const EXAMPLE: &str = include_str!("../../../../plans/first.toml");

pub fn plan(a: &PlanArgs) -> Result<Exit, Problem> {
    match &a.action {
        PlanAction::Example => {
            exit::print(EXAMPLE.trim_end());
            Ok(Exit::Ok)
        }
        PlanAction::Check { plan, scale, offline, sql, json, .. } => {
            checked(plan, *scale, *offline, if *json { Form::Json } else { Form::Text { with_sql: *sql } })
        }
    }
}

/// What is printed.
#[derive(Clone, Copy)]
enum Form {
    Json,
    Text { with_sql: bool },
}

fn checked(path: &Path, scale: Option<PlanScale>, offline: bool, form: Form) -> Result<Exit, Problem> {
    let look = if offline { Look::PlanOnly } else { Look::Servers };
    let Some(planned) = read(path, scale, Scripts::Compile, look)? else { return Ok(Exit::Usage) };
    let stop = signals::listen_saying(msg!("stopping-looks"))?;
    let forecast = forecast(&planned.request, look, &stop);
    let (name, trials) = (&planned.request.name, &planned.request.trials);
    exit::print(&match form {
        Form::Json => serde_json::to_string_pretty(&json_of(trials, &forecast)).unwrap_or_default(),
        Form::Text { with_sql } => text_of(name, trials, &forecast, with_sql),
    });
    forecast.refusals.iter().for_each(|problem| exit::complain(&placed(path, problem)));
    if stop.asked() {
        return Ok(Exit::Interrupted);
    }
    Ok(if forecast.refusals.is_empty() { Exit::Ok } else { Exit::Usage })
}

/// What is asked first stands first: how long, how much, what is lost; then what happens on each target, and the trials.
fn text_of(name: &str, trials: &[Trial], forecast: &Forecast, with_sql: bool) -> String {
    let words = exit::words();
    let says = |message: Message| message.text(words.language);
    // How many there will be is decided while they run: these are as many as there can be.
    let n = trials.len();
    let ends_early = trials.iter().any(|t| t.repeats_until.is_some() || t.search.is_some());
    let in_order = if ends_early { msg!("trials-at-most", name, n) } else { msg!("trials-in-order", name, n) };
    let mut text = format!("{} {}\n", words.label(msg!("label-plan")), says(in_order));
    text += &costs(trials, forecast, ends_early, words);
    for note in &forecast.notes {
        let note = words.problem(note).replace('\n', "\n         ");
        text += &format!("{} {note}\n", words.label(msg!("label-note")));
    }
    forecast.effects.iter().for_each(|effect| text += &of_target(effect, with_sql, words));
    text.push('\n');
    let mut named = BTreeSet::new();
    for t in trials.iter().filter(|t| named.insert(t.experiment.as_str())) {
        if let Some(until) = &t.repeats_until {
            text += &format!("  {}: {}\n", t.experiment, says(until.words()));
        }
        if t.duet {
            text += &format!("  {}: {}\n", t.experiment, says(msg!("condition-duet")));
        }
    }
    text += &in_order_of(trials, words);
    text += &first_transactions(forecast, words);
    text.trim_end().to_owned()
}

/// Time, disk space, and the tables that are dropped.
fn costs(trials: &[Trial], forecast: &Forecast, ends_early: bool, words: TerminalWords) -> String {
    let says = |message: Message| message.text(words.language);
    let (whole, drive, load) = (forecast.drive_s + forecast.load_s, forecast.drive_s, forecast.load_s);
    let (whole, drive, load) = (figure::duration(whole), figure::duration(drive), figure::duration(load));
    let time = says(match ends_early || trials.iter().any(|t| t.measure_until.is_some() || t.warmup_until.is_some()) {
        true => msg!("time-at-most", whole, drive, load),
        false => msg!("time-planned", whole, drive, load),
    });
    let disk = says(msg!("disk-planned", bytes = figure::bytes(forecast.disk_bytes as f64)));
    let mut text = format!("{} {time}\n{} {disk}\n", words.label(msg!("label-time")), words.label(msg!("label-disk")));
    text += &findings(&forecast.disks, words);
    let lost = forecast.effects.iter().flat_map(|effect| {
        let dropped = effect.will.iter().filter(|line| line.is("will-drop"));
        dropped.map(|line| format!("{}: {}", effect.target, says(line.clone())))
    });
    let lost: Vec<String> = lost.collect();
    let unseen = |effect: &TargetEffect| ["found-not-looked", "found-unseen"].iter().any(|id| effect.found.is(id));
    let none = match forecast.effects.iter().any(unseen) {
        true => msg!("not-known-what-is-lost"),
        false => msg!("nothing-is-lost"),
    };
    let lost = if lost.is_empty() { vec![says(none)] } else { lost };
    for (at, line) in lost.iter().enumerate() {
        let label = if at == 0 { msg!("label-lost") } else { foreign("") };
        text += &format!("{} {line}\n", words.label(label));
    }
    text
}

/// What happens on a target; its statements if they are asked for.
fn of_target(effect: &TargetEffect, with_sql: bool, words: TerminalWords) -> String {
    let language = words.language;
    let mut text =
        format!("\n{} {}: {}\n", words.label(msg!("label-target")), effect.target, effect.address.text(language));
    text += &format!("  {} {}\n", words.short_label(msg!("label-finds")), effect.found.text(language));
    text += &findings(&effect.computed, words);
    for line in &effect.will {
        text += &format!("  {} {}\n", words.short_label(msg!("label-will")), line.text(language));
    }
    if with_sql {
        for statement in &effect.statements {
            text += &format!("         {}\n", statement.replace('\n', "\n         "));
        }
    } else if !effect.statements.is_empty() {
        let sentence = msg!("statements-with-sql", n = effect.statements.len()).text(language);
        text += &format!("  {} {sentence}\n", words.short_label(foreign("")));
    }
    text
}

/// The first transaction of each script of SQL, with its values.
fn first_transactions(forecast: &Forecast, words: TerminalWords) -> String {
    let mut text = String::new();
    for (trial, lines) in &forecast.transactions {
        let head = msg!("first-transactions", experiment = trial.experiment, target = trial.target.name);
        text += &format!("\n{}\n", head.text(words.language));
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

/// The trials in their order. Of a long plan only the first are shown; --json has all.
fn in_order_of(trials: &[Trial], words: TerminalWords) -> String {
    let says = |message: Message| message.text(words.language);
    let shown = if trials.len() > MOST_TRIALS { MOST_TRIALS - 4 } else { trials.len() };
    let row = |t: &Trial| {
        let (warmup, measure) = (figure::span(t.warmup_ms as f64 / 1e3), figure::span(t.measure_ms as f64 / 1e3));
        let warmup = t.warmup_until.map_or(warmup.clone(), |_| says(msg!("at-most", value = warmup)));
        let measure = t.measure_until.map_or(measure.clone(), |_| says(msg!("at-most", value = measure)));
        vec![
            format!("  {}", t.number),
            t.target.name.clone(),
            t.load.workload.clone(),
            label(&t.axes),
            says(msg!("repeat-number", n = t.repeat)),
            format!("{warmup} + {measure}"),
        ]
    };
    let rows: Vec<Vec<String>> = trials[..shown].iter().map(row).collect();
    let mut text = table::words(&rows);
    if shown < trials.len() {
        text += &format!("  {}\n", says(msg!("and-more-trials", n = trials.len() - shown)));
    }
    text
}

/// The most trials of the list.
const MOST_TRIALS: usize = 24;

/// The findings, one line each.
fn findings(all: &[Finding], words: TerminalWords) -> String {
    let line = |f: &Finding| {
        let language = words.language;
        let evidence = f.evidence.as_ref().map(|evidence| format!(": {}", evidence.text(language).replace('\n', "; ")));
        let label = words.short_label(match f.level {
            Level::Ok => msg!("level-ok"),
            Level::Note => msg!("level-note"),
            Level::Warning => msg!("level-doubt"),
            Level::Error => msg!("level-fails"),
        });
        format!("  {label} {}{}\n", f.title.text(language), evidence.unwrap_or_default())
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

fn json_of(trials: &[Trial], forecast: &Forecast) -> serde_json::Value {
    let json_of_finding = |f: &Finding| doctor::as_json(f, word(f.level));
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
