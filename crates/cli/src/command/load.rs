//! `tenbin load WORKLOAD DSN`: creates and loads the tables, with progress; drops only what Tenbin created.

use crate::args::LoadArgs;
use crate::command::as_loaded::left_open;
use crate::command::bench::{allowed, options};
use crate::command::target::target;
use crate::progress::Progress;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Instant;
use tenbin_driver::Connector;
use tenbin_lab::{Claims, hint};
use tenbin_model::dsn::{Scheme, redact};
use tenbin_model::stop::StopSignal;
use tenbin_model::workload::{NO_DATA, SCRIPT_DATA};
use tenbin_script::data::SCRIPT;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::signals;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::{Dataset, DatasetState};
use tenbin_workloads::{is_script, sql};

pub fn load(a: &LoadArgs) -> Result<Exit, Problem> {
    let target = target(&a.what.dsn, &a.what.secret);
    stoppable(a).map_err(|problem| hint::complete(problem, &target, Some(&a.what.workload)))
}

fn stoppable(a: &LoadArgs) -> Result<Exit, Problem> {
    let stop = signals::listen()?;
    loaded(a, &stop).or_else(|problem| {
        if !stop.asked() {
            return Err(problem);
        }
        exit::complain(&problem);
        Ok(Exit::Interrupted)
    })
}

fn loaded(a: &LoadArgs, stop: &StopSignal) -> Result<Exit, Problem> {
    let target = allowed(&a.what)?;
    let connector = tenbin_lab::connector(&target, &BTreeMap::new())?.until(stop);
    let dataset = dataset(a, connector.dsn().scheme)?;
    tenbin_lab::writable(&connector, &target)?;
    let mut claims = Claims::new(&format!("load of {}", a.what.workload));
    // Parts of one population are loaded in parallel.
    if !dataset.in_parts() || a.drop || a.only_drop {
        claims.take(&target, &connector, &*dataset)?;
        claims.alone(&connector, &*dataset)?;
    }
    // What a script's own prepare creates.
    let script = dataset.prepared_by();
    let state = dataset.inspect(&connector)?;
    let fresh = a.drop || state == DatasetState::Nothing;
    if a.drop || a.only_drop {
        if let DatasetState::Different { problem, .. } = &state
            && problem.what.is("table-of-other-script")
        {
            return Err(problem.clone());
        }
        // Tables of a script without our mark are not found, which is not to look as if they had been dropped.
        if state != DatasetState::Nothing || a.only_drop && script.is_some() {
            tenbin_lab::may_drop(&target, &connector)?;
            dataset.drop_ours(&connector)?;
        }
        if a.only_drop {
            exit::print(&render(
                a,
                json!({"dropped": state != DatasetState::Nothing}),
                &exit::words().text(msg!("load-dropped")),
            ));
            return Ok(Exit::Ok);
        }
    } else {
        refuse_what_is_there(a, state, &connector, script.is_some())?;
    }
    // Only a warning: an interrupted load can be continued after space was freed.
    tenbin_lab::room_warning(&*dataset, &connector, fresh).iter().for_each(exit::remark);
    claims.say(&connector, &*dataset, dataset.schema().is_none());
    let start = Instant::now();
    let progress = Progress::new(dataset.rows(), dataset.unit(), a.json);
    let leave = stop.below();
    let within = connector.until(&leave);
    let work = || dataset.load(&within, a.streams, a.what.seed, &|rows| progress.at(rows, dataset.rows()), &leave);
    let outcome = match script {
        None => progress.watched(|| tenbin_servers::waiting(&connector), &leave, work),
        // How far its prepare is only the script knows. It need not create a table: the rows may be of tables that are there.
        Some(_) => work().or_else(|problem| {
            if problem.what.is("script-prepare-made-no-table") { Ok(vec![problem]) } else { Err(problem) }
        }),
    };
    drop(progress);
    if stop.asked() {
        if let Err(problem) = outcome {
            exit::complain(&problem);
        }
        return Ok(Exit::Interrupted);
    }
    let outcome = outcome.map_err(|problem| if leave.asked() { silent(&problem) } else { problem });
    outcome?.iter().for_each(exit::remark);
    let seconds = start.elapsed().as_secs_f64();
    if let Some(script) = script {
        let took = msg!("seconds", value = format_args!("{seconds:.1}"));
        let took = exit::words().text(msg!("prepared-by-script", script, took));
        exit::print(&render(a, json!({"seconds": seconds}), &took));
        return Ok(Exit::Ok);
    }
    let rate = dataset.rows() as f64 / seconds;
    let words = exit::words();
    let unit = tenbin_lab::unit(dataset.unit());
    let took = msg!(
        "load-took",
        rows = figure::whole(i128::from(dataset.rows())),
        unit,
        took = msg!("seconds", value = format_args!("{seconds:.1}")),
        rate = msg!("rate-of-load", n = figure::grouped(rate), unit),
        streams = dataset.streams_used(&connector, a.streams),
    );
    let loaded = format!("{} {}", words.label(msg!("label-loaded")), words.text(took));
    let next = format!(
        "{} tenbin bench {} '{}'{} --threads 16",
        words.label(msg!("label-next")),
        a.what.workload,
        connector.dsn(),
        secret_of(a) + &same_options(a)
    );
    let words = format!("{loaded}\n\n{next}");
    exit::print(&render(
        a,
        json!({"rows": dataset.rows(), "seconds": seconds, "rows_per_second": rate, "streams": a.streams}),
        &words,
    ));
    Ok(Exit::Ok)
}

/// The problem for a server that was given up.
fn silent(problem: &Problem) -> Problem {
    Problem::new(msg!("server-silent-for-a-minute")).evidence(foreign(problem)).hint(msg!("look-into-error-log"))
}

fn dataset(a: &LoadArgs, scheme: Scheme) -> Result<Box<dyn Dataset>, Problem> {
    let mut all = options(&a.what)?;
    if !a.drop && !a.only_drop {
        // Additional warehouses.
        all.extend(left_open(&a.what, &all, &["warehouses"]));
    }
    all.entry("tables".into()).or_insert_with(|| a.what.tables.to_string());
    all.entry("table_size".into()).or_insert_with(|| a.what.table_size.to_string());
    if is_script(&a.what.workload) {
        let (_, _, mut own) = tenbin_workloads::split(&a.what.workload, &all, a.streams)?;
        own.insert(SCRIPT.to_owned(), a.what.workload.clone());
        return tenbin_workloads::dataset(SCRIPT_DATA, &own, scheme);
    }
    let name = a.what.workload.as_str();
    let nothing = || {
        let bench = [name, redact(&a.what.dsn).as_str()].map(shell::word).join(" ");
        Problem::new(msg!("workload-loads-nothing", workload = name))
            .hint(foreign(format_args!("tenbin bench {bench}")))
    };
    if sql::is_scripts(name) {
        return Err(nothing());
    }
    let workload = tenbin_workloads::find_workload(name)?;
    if workload.dataset == NO_DATA {
        return Err(nothing());
    }
    let (kind, data, _) = tenbin_workloads::split(workload.name, &all, 1)?;
    tenbin_workloads::dataset(kind, &data, scheme)
}

fn refuse_what_is_there(
    a: &LoadArgs,
    state: DatasetState,
    connector: &Connector,
    of_script: bool,
) -> Result<(), Problem> {
    let dsn = connector.dsn().to_string();
    match state {
        DatasetState::Nothing | DatasetState::Unfinished { .. } => Ok(()),
        // Those of another script may be beside its own, at which its prepare fails.
        DatasetState::Different { .. } if of_script => Ok(()),
        DatasetState::Ready { ours } => Err(Problem::new(msg!("tables-are-there-already-complete"))
            .evidence(msg!(
                "tenbin-load-command",
                workload = a.what.workload,
                dsn,
                secret = secret_of(a),
                options = same_options(a)
            ))
            .hint(if ours { msg!("use-them-as-they-are") } else { msg!("use-them-as-they-are-not-ours") })),
        DatasetState::Different { problem, .. } => Err(problem),
    }
}

fn secret_of(a: &LoadArgs) -> String {
    hint::secret(&target(&a.what.dsn, &a.what.secret))
}

/// The options that describe the tables, as they were given.
fn same_options(a: &LoadArgs) -> String {
    let options: String = a.what.option.iter().map(|o| format!(" -o {}", shell::word(o))).collect();
    let has = |name: &str| match tenbin_workloads::find_workload(&a.what.workload) {
        Ok(workload) => workload.rows().iter().any(|row| row.name == name),
        Err(_) => (a.what.tables, a.what.table_size) != (1, 10_000),
    };
    if has("table_size") {
        format!(" --tables {} --table-size {}{options}", a.what.tables, a.what.table_size)
    } else if a.what.tables > 1 && has("tables") {
        format!(" --tables {}{options}", a.what.tables)
    } else {
        options
    }
}

fn render(a: &LoadArgs, json: serde_json::Value, words: &str) -> String {
    if a.json { json.to_string() } else { words.to_owned() }
}
