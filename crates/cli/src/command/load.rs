//! `tenbin load WORKLOAD DSN`: creates and fills the tables, with progress; drops only what Tenbin made.

use crate::args::Load;
use crate::command::bench::{options, target};
use crate::command::script;
use crate::exit::{self, Exit};
use crate::signals;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Instant;
use tenbin_model::dsn::Scheme;
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use tenbin_workload::script::is_script;
use tenbin_workload::{Dataset, Found};

pub fn load(a: &Load) -> Result<Exit, Problem> {
    if is_script(&a.what.workload) {
        return script::load(a);
    }
    let stop = signals::listen()?;
    let connector = tenbin_lab::connector(&target(&a.what.dsn, &a.what.secret), &BTreeMap::new())?;
    let dataset = dataset(a, connector.dsn().scheme)?;
    let found = dataset.inspect(&connector)?;
    if a.drop || a.only_drop {
        if found != Found::Nothing {
            dataset.drop_ours(&connector)?;
        }
        if a.only_drop {
            exit::say(&told(a, json!({"dropped": found != Found::Nothing}), "dropped"));
            return Ok(Exit::Ok);
        }
    } else {
        refuse_what_is_there(a, found, &connector.dsn().to_string())?;
    }
    let start = Instant::now();
    let bar = bar(dataset.rows(), dataset.unit());
    let lines = Mutex::new(Lines { rows: dataset.rows(), unit: dataset.unit(), start, said_s: 0 });
    let progress = |rows: u64| {
        bar.set_position(rows);
        if !std::io::stderr().is_terminal()
            && !a.json
            && let Ok(mut lines) = lines.lock()
        {
            lines.say(rows);
        }
    };
    let outcome = dataset.load(&connector, a.streams, a.what.seed, &progress, &stop);
    bar.finish_and_clear();
    outcome?;
    if stop.asked() {
        return Ok(Exit::Interrupted);
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = dataset.rows() as f64 / seconds;
    let unit = dataset.unit();
    let words = format!(
        "loaded   {} {unit} in {:.1} s ({} {unit}/s, {} streams)\n\nnext     tenbin bench {} '{}'{} --threads 16",
        figure::whole(i128::from(dataset.rows())),
        seconds,
        figure::grouped(rate),
        a.streams,
        a.what.workload,
        connector.dsn(),
        same_options(a)
    );
    exit::say(&told(
        a,
        json!({"rows": dataset.rows(), "seconds": seconds, "rows_per_second": rate, "streams": a.streams}),
        &words,
    ));
    Ok(Exit::Ok)
}

fn dataset(a: &Load, scheme: Scheme) -> Result<Box<dyn Dataset>, Problem> {
    let mut all = options(&a.what)?;
    all.entry("tables".into()).or_insert_with(|| a.what.tables.to_string());
    all.entry("table_size".into()).or_insert_with(|| a.what.table_size.to_string());
    let workload = tenbin_workload::find_workload(&a.what.workload)?;
    let (data, _) = workload.split(&all, 1)?;
    tenbin_workload::dataset(workload.dataset, &data, scheme)
}

fn refuse_what_is_there(a: &Load, found: Found, dsn: &str) -> Result<(), Problem> {
    match found {
        Found::Nothing | Found::Unfinished { .. } => Ok(()),
        Found::Ready { ours } => Err(Problem::new("the tables are there already, complete")
            .evidence(format!("tenbin load {} '{dsn}'{}", a.what.workload, same_options(a)))
            .mend(if ours {
                "use them as they are, or load again with --drop"
            } else {
                "use them as they are; Tenbin did not make them and does not drop them"
            })),
        Found::Different { problem, .. } => Err(problem),
    }
}

/// The options that say what the tables are like, as they were typed.
fn same_options(a: &Load) -> String {
    let options: String = a.what.option.iter().map(|o| format!(" -o {o}")).collect();
    match tenbin_workload::find_workload(&a.what.workload) {
        Ok(workload) if workload.rows().iter().any(|r| r.name == "table_size") => {
            format!(" --tables {} --table-size {}{options}", a.what.tables, a.what.table_size)
        }
        Ok(workload) if a.what.tables > 1 && workload.rows().iter().any(|r| r.name == "tables") => {
            format!(" --tables {}{options}", a.what.tables)
        }
        _ => options,
    }
}

fn told(a: &Load, json: serde_json::Value, words: &str) -> String {
    if a.json { json.to_string() } else { words.to_owned() }
}

fn bar(rows: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(rows);
    let form = "{bar:36.cyan/dim} {percent:>3}%  {human_pos} of {human_len} UNIT  {per_sec}  {eta} left";
    bar.set_style(
        ProgressStyle::with_template(&form.replace("UNIT", unit)).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar
}

/// Progress where there is no terminal: a line every five seconds.
struct Lines {
    rows: u64,
    unit: &'static str,
    start: Instant,
    said_s: u64,
}

impl Lines {
    fn say(&mut self, done: u64) {
        let seconds = self.start.elapsed().as_secs_f64();
        if seconds as u64 >= self.said_s + 5 && done > 0 {
            self.said_s = seconds as u64;
            let unit = self.unit;
            let rate = done as f64 / seconds;
            exit::tell(&format!(
                "  {} of {} {unit}  {} {unit}/s  {} left",
                figure::whole(i128::from(done)),
                figure::whole(i128::from(self.rows)),
                figure::grouped(rate),
                figure::span((self.rows - done.min(self.rows)) as f64 / rate)
            ));
        }
    }
}
