//! For workloads that are sysbench scripts (`./script.lua`): `tenbin list` prints their options and commands.

use crate::table;
use serde_json::json;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_script::Script;
use tenbin_terminal::exit;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

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
