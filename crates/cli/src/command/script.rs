//! For workloads that are sysbench scripts (`./script.lua`): `tenbin load` runs their prepare and cleanup, `tenbin
//! list` prints their options and commands.

use crate::args::{LoadArgs, WorkloadArgs};
use crate::command::bench::{allowed, options};
use crate::command::target::target;
use crate::table;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Instant;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_script::Script;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::signals;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// Runs the script's command that creates or drops its tables.
pub fn load(a: &LoadArgs) -> Result<Exit, Problem> {
    let stop = signals::listen()?;
    let target = allowed(&a.what)?;
    let connector = tenbin_lab::connector(&target, &BTreeMap::new())?;
    tenbin_workload::tables::system::refuse_system_schema(&connector)?;
    tenbin_lab::writable(&connector, &target)?;
    let start = Instant::now();
    let mut done = Vec::new();
    let wanted = [("cleanup", a.drop || a.only_drop), ("prepare", !a.only_drop)];
    for command in wanted.iter().filter(|(_, wanted)| *wanted).map(|(command, _)| *command) {
        let script = open(&a.what, command, a.streams)?;
        let outcome = tenbin_script::data::run_command(&script, command, a.streams, &stop);
        if stop.asked() {
            return Ok(Exit::Interrupted);
        }
        outcome?;
        done.push(command);
    }
    let seconds = start.elapsed().as_secs_f64();
    if a.json {
        exit::print(&json!({"commands": done, "seconds": seconds}).to_string());
    } else {
        let commands = Message::joined(done.iter().map(foreign), msg!("and"));
        let took = msg!("script-took", commands, seconds = format_args!("{seconds:.1}"));
        exit::print(&exit::words().text(took));
    }
    Ok(Exit::Ok)
}

fn open(what: &WorkloadArgs, command: &str, threads: u32) -> Result<Script, Problem> {
    let connector = tenbin_lab::connector(&target(&what.dsn, &what.secret), &BTreeMap::new())?;
    let mut given = options(what)?;
    given.insert("tables".into(), what.tables.to_string());
    given.insert("table_size".into(), what.table_size.to_string());
    let (_, _, mut own) = tenbin_workloads::split(&what.workload, &given, threads)?;
    own.insert("threads".into(), threads.to_string());
    own.insert("rand_seed".into(), what.seed.to_string());
    Script::open(&what.workload, Some(command), &own, connector)
}

/// Prints what the script declares, which is known only after executing its top level; this is done only on request.
pub fn explain(path: &str, execute: bool, as_json: bool) -> Result<(), Problem> {
    if !execute {
        if let Some(problem) = tenbin_script::unreadable(path) {
            return Err(problem);
        }
        let how = format!("tenbin list {} --execute", shell::word(path));
        if as_json {
            exit::print(&json!({"name": path, "executed": false, "hint": how}).to_string());
        } else {
            let words = exit::words();
            let [compiles, execute] = [msg!("script-compiles", path), msg!("script-execute", how)];
            exit::print(&format!("{}\n\n{}", words.text(compiles), words.text(execute)));
        }
        return Ok(());
    }
    let nowhere = Connector::nowhere(Scheme::Null)?;
    let script = Script::open(path, Some("help"), &BTreeMap::new(), nowhere)?;
    if as_json {
        let options: Vec<_> =
            script.options().iter().map(|o| json!({"name": o.name, "default": o.default, "meaning": o.help})).collect();
        let commands: Vec<_> =
            script.commands().iter().map(|c| json!({"name": c.name, "parallel": c.parallel})).collect();
        let all = json!({"name": path, "options": options, "commands": commands});
        exit::print(&serde_json::to_string_pretty(&all).unwrap_or_default());
        return Ok(());
    }
    let rows: Vec<Vec<String>> = script
        .options()
        .iter()
        .map(|o| vec![format!("  {}", o.name), o.default.clone().unwrap_or_default(), o.help.clone()])
        .collect();
    let run = (script.has_event() && !script.replaces_run()).then_some("run");
    let commands: Vec<&str> = run.into_iter().chain(script.commands().iter().map(|c| c.name.as_str())).collect();
    let words = exit::words();
    let [head, names, head_of_options] =
        [msg!("script-listed", path), msg!("list-commands"), msg!("list-options")].map(|message| words.text(message));
    exit::print(&format!(
        "{head}\n\n{names}\n  {}\n\n{head_of_options}\n{}",
        commands.join(", "),
        table::words(&rows).trim_end()
    ));
    Ok(())
}
