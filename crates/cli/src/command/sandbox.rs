//! `tenbin sandbox start|stop|list`: private servers outside of runs.

use crate::args::{SandboxAction, SandboxArgs as Arguments};
use crate::table;
use serde_json::json;
use std::collections::BTreeMap;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_servers::sandbox::{self, Options, Sandbox, scheme};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::signals;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn sandbox(a: &Arguments) -> Result<Exit, Problem> {
    match &a.action {
        SandboxAction::Start { binary, name, set, json } => start(binary, name, set, *json),
        SandboxAction::Stop { name, all, force, json } => stop(name.as_deref(), *all, *force, *json),
        SandboxAction::List { clean, json } => list(*clean, *json),
    }
}

fn start(binary: &str, name: &str, set: &[String], as_json: bool) -> Result<Exit, Problem> {
    let server = pairs(set, &msg!("for-example-innodb-buffer-pool-size-64m"))?;
    let stop = signals::listen_saying(msg!("stopping-sandbox"))?;
    let options = Options {
        binary: binary.to_owned(),
        server,
        name: name.to_owned(),
        detached: true,
        stop: stop.clone(),
        ..Options::default()
    };
    let started = match Sandbox::start(&options) {
        Err(problem) if stop.asked() => {
            exit::complain(&problem);
            return Ok(Exit::Interrupted);
        }
        outcome => outcome?,
    };
    let password = started.password_file().map(|path| path.display().to_string());
    if as_json {
        exit::print(
            &json!({"name": started.name(), "dsn": started.dsn(), "socket": started.socket_dsn(), "pid": started.pid(),
                "password_file": password, "client": client(&started)})
            .to_string(),
        );
        return Ok(Exit::Ok);
    }
    let words = exit::words();
    let line = |label: Message, text: &str| exit::print(&format!("{}{text}", words.wide(label, 10)));
    line(msg!("label-started"), started.name());
    if let (Some(file), Some(client)) = (password, client(&started)) {
        line(msg!("label-tcp"), &started.dsn());
        line(msg!("label-socket"), &started.socket_dsn());
        line(msg!("label-password"), &words.text(msg!("sandbox-password-in", file)));
        line(msg!("label-client"), &client);
    } else {
        line(msg!("label-file"), &started.dsn());
    }
    exit::print("");
    line(msg!("label-next"), &format!("tenbin load oltp_read_write '{}'", started.dsn()));
    line(foreign(""), &format!("tenbin sandbox stop {}", started.name()));
    Ok(Exit::Ok)
}

/// The command that starts the server's own client.
fn client(started: &Sandbox) -> Option<String> {
    let dir = started.dir().display();
    let port = Dsn::parse(&started.dsn()).ok()?.port?;
    Some(match scheme(started.binary()) {
        Scheme::Postgres => format!("psql -h {dir} -p {port} -U postgres sbtest"),
        _ => format!("mysql --defaults-extra-file={dir}/client.cnf sbtest"),
    })
}

fn stop(name: Option<&str>, all: bool, force: bool, as_json: bool) -> Result<Exit, Problem> {
    let known = sandbox::list()?;
    // With `--all`, those that a run is using are left alone; if one is named explicitly, it is refused.
    let (left, stopped): (Vec<_>, Vec<_>) =
        known.iter().filter(|_| all).partition(|k| !force && k.in_use_by().is_some());
    let names: Vec<String> = match name {
        Some(name) => vec![name.to_owned()],
        None => stopped.iter().map(|k| k.name.clone()).collect(),
    };
    let mut exit = Exit::Ok;
    let mut done = Vec::new();
    for name in names {
        match sandbox::stop(&name, force) {
            Ok(()) => done.push(name),
            Err(problem) if all => {
                exit::complain(&problem);
                exit = Exit::Errors;
            }
            Err(problem) => return Err(problem),
        }
    }
    let names = done;
    if as_json {
        let left: Vec<_> = left.iter().map(|k| json!({"name": k.name, "in_use_by": k.in_use_by()})).collect();
        exit::print(&json!({ "stopped": names, "left": left }).to_string());
        return Ok(exit);
    }
    let words = exit::words();
    let line = |label: Message, text: &str| exit::print(&format!("{} {text}", words.label(label)));
    names.iter().for_each(|name| line(msg!("label-stopped"), name));
    for known in &left {
        let in_use = msg!("sandbox-is-in-use", name = known.name, user = known.user().unwrap_or_default());
        line(msg!("label-left"), &words.text(in_use));
    }
    if !left.is_empty() {
        exit::print(&format!("\n{}", words.text(msg!("sandbox-is-in-use-hint"))));
    }
    Ok(exit)
}

fn list(clean: bool, as_json: bool) -> Result<Exit, Problem> {
    let words = exit::words();
    let mut exit = Exit::Ok;
    if clean {
        let (removed, kept) = sandbox::clean()?;
        for problem in &kept {
            exit::complain(problem);
            exit = Exit::Errors;
        }
        if !as_json {
            let line = |name| exit::print(&format!("{} {name}", words.label(msg!("label-removed"))));
            removed.iter().for_each(line);
        }
    }
    let known = sandbox::list()?;
    if as_json {
        exit::print(&serde_json::to_string_pretty(&known).unwrap_or_default());
        return Ok(exit);
    }
    if known.is_empty() {
        exit::print(&words.text(msg!("sandbox-none")));
        return Ok(exit);
    }
    let head = [msg!("column-name"), msg!("column-state"), foreign("pid"), msg!("column-address"), msg!("column-data")];
    let mut rows = vec![head.map(|name| words.text(name)).to_vec()];
    rows.extend(known.iter().map(|s| {
        vec![s.name.clone(), s.state().to_owned(), s.pid.to_string(), s.dsn.clone(), s.dir.display().to_string()]
    }));
    exit::print(table::words(&rows).trim_end());
    Ok(exit)
}

/// `NAME=VALUE` pairs; `hint`: what is said of a word that is none.
pub fn pairs(set: &[String], hint: &Message) -> Result<BTreeMap<String, String>, Problem> {
    set.iter()
        .map(|pair| {
            pair.split_once('=')
                .map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned()))
                .ok_or_else(|| Problem::new(msg!("not-name-value", pair = format_args!("{pair:?}"))).hint(hint.clone()))
        })
        .collect()
}
