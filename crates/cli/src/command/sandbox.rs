//! `tenbin sandbox start|stop|list`: private servers outside of runs.

use crate::args::{Sandbox as Arguments, SandboxAction};
use crate::exit::{self, Exit};
use crate::table;
use serde_json::json;
use std::collections::BTreeMap;
use tenbin_model::problem::Problem;
use tenbin_target::sandbox::{self, Options, Sandbox};

pub fn sandbox(a: &Arguments) -> Result<Exit, Problem> {
    match &a.action {
        SandboxAction::Start { binary, name, set, json } => start(binary, name, set, *json),
        SandboxAction::Stop { name, all, json } => stop(name.as_deref(), *all, *json),
        SandboxAction::List { clean, json } => list(*clean, *json),
    }
}

fn start(binary: &str, name: &str, set: &[String], as_json: bool) -> Result<Exit, Problem> {
    let server = pairs(set)?;
    let options = Options { binary: binary.to_owned(), server, name: name.to_owned(), detached: true };
    let started = Sandbox::start(&options)?;
    if as_json {
        exit::say(&json!({"name": started.name(), "dsn": started.dsn(), "socket": started.socket_dsn(), "pid": started.pid()}).to_string());
    } else {
        exit::say(&format!("started  {}", started.name()));
        exit::say(&format!("tcp      {}", started.dsn()));
        exit::say(&format!("socket   {}", started.socket_dsn()));
        exit::say(&format!("\nnext     tenbin load oltp_read_write '{}'", started.dsn()));
        exit::say(&format!("         tenbin sandbox stop {}", started.name()));
    }
    Ok(Exit::Ok)
}

fn stop(name: Option<&str>, all: bool, as_json: bool) -> Result<Exit, Problem> {
    let names: Vec<String> = match name {
        Some(name) => vec![name.to_owned()],
        None if all => sandbox::list()?.into_iter().map(|s| s.name).collect(),
        None => Vec::new(),
    };
    for name in &names {
        sandbox::stop(name)?;
    }
    if as_json {
        exit::say(&json!({ "stopped": names }).to_string());
    } else {
        names.iter().for_each(|n| exit::say(&format!("stopped  {n}")));
    }
    Ok(Exit::Ok)
}

fn list(clean: bool, as_json: bool) -> Result<Exit, Problem> {
    if clean {
        let removed = sandbox::clean()?;
        if !as_json {
            removed.iter().for_each(|n| exit::say(&format!("removed  {n}")));
        }
    }
    let known = sandbox::list()?;
    if as_json {
        exit::say(&serde_json::to_string_pretty(&known).unwrap_or_default());
        return Ok(Exit::Ok);
    }
    if known.is_empty() {
        exit::say("no private servers");
        return Ok(Exit::Ok);
    }
    let mut rows = vec![["name", "state", "pid", "address", "data"].map(str::to_owned).to_vec()];
    rows.extend(known.iter().map(|s| {
        vec![s.name.clone(), s.state().to_owned(), s.pid.to_string(), s.dsn.clone(), s.dir.display().to_string()]
    }));
    exit::say(table::words(&rows).trim_end());
    Ok(Exit::Ok)
}

/// `NAME=VALUE` pairs.
pub fn pairs(set: &[String]) -> Result<BTreeMap<String, String>, Problem> {
    set.iter()
        .map(|pair| {
            pair.split_once('=').map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned())).ok_or_else(|| {
                Problem::new(format!("{pair:?} is not NAME=VALUE")).mend("for example innodb_buffer_pool_size=64M")
            })
        })
        .collect()
}
