//! `tenbin bench WORKLOAD DSN`: one workload on one database. What was typed becomes a plan, so the run can be repeated from its directory.

use crate::args::{Bench, Secret, What};
use crate::command::as_loaded::left_open;
use crate::command::run::parsed;
use crate::command::sandbox::pairs;
use crate::execute::{execute, language};
use crate::exit::Exit;
use std::collections::BTreeMap;
use std::fmt::Write;
use tenbin_model::problem::Problem;
use tenbin_model::trial::{Allow, Target};

pub fn bench(a: &Bench) -> Result<Exit, Problem> {
    let text = plan(a)?;
    let Some(planned) = parsed(&text, "the command line") else { return Ok(Exit::Usage) };
    // An address may carry a password: the trials keep it out of the record and take it from here.
    execute(&planned.request, &a.output, language(a.output.lang.as_deref())?)
}

/// The plan that says the same as the command line.
fn plan(a: &Bench) -> Result<String, Problem> {
    let mut given = options(&a.what)?;
    given.extend(left_open(&a.what, &given, &[]));
    given.entry("tables".into()).or_insert_with(|| a.what.tables.to_string());
    given.entry("table_size".into()).or_insert_with(|| a.what.table_size.to_string());
    let (kind, data, load) = tenbin_workload::split(&a.what.workload, &given, a.threads)?;
    let mut text = head(&a.what, kind, &data);
    let _ = write!(
        text,
        "\n[[experiment]]\nname = {}\ntargets = [\"target\"]\ndataset = \"data\"\nrepeats = 1\nmeasure = \"{}s\"\nwarmup = \"{}s\"\ninterval = \"{}s\"\n",
        quoted(&a.what.workload),
        a.time,
        a.warmup,
        a.interval,
    );
    let _ = write!(text, "\n[experiment.load]\nworkload = {}\nclients = {}\n", quoted(&a.what.workload), a.threads);
    match a.workers.parse::<u32>() {
        Ok(n) => writeln!(text, "workers = {n}"),
        Err(_) => writeln!(text, "workers = {}", quoted(&a.workers)),
    }
    .ok();
    if let Some(rate) = a.rate {
        let _ = writeln!(text, "rate = {rate}\narrivals = {}\noverload = {}", quoted(&a.arrivals), quoted(&a.overload));
    }
    if let Some(events) = a.events {
        let _ = writeln!(text, "operations = {events}");
    }
    for (name, value) in load.iter().filter(|(name, _)| !data.contains_key(*name)) {
        let _ = writeln!(text, "{name} = {}", value_of(value));
    }
    Ok(text)
}

/// The part of the plan that says where and on what.
fn head(what: &What, kind: &str, data: &BTreeMap<String, String>) -> String {
    let mut text = format!("schema = 1\nname = {}\nseed = {}\n", quoted(&what.workload), what.seed);
    let _ = write!(text, "\n[defaults]\nrestore = \"require\"\n\n[targets.target]\ndsn = {}\n", quoted(&what.dsn));
    if let Some(name) = &what.secret.password_env {
        let _ = writeln!(text, "password_env = {}", quoted(name));
    }
    if let Some(path) = &what.secret.password_file {
        let _ = writeln!(text, "password_file = {}", quoted(&path.display().to_string()));
    }
    if !what.allow.is_empty() {
        let words: Vec<String> = what.allow.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "allow = [{}]", words.join(", "));
    }
    let _ = write!(text, "\n[datasets.data]\nkind = {}\n", quoted(kind));
    for (name, value) in data {
        let _ = writeln!(text, "{name} = {}", value_of(value));
    }
    text
}

/// Options typed with `-o` and `--rand-type`.
pub fn options(what: &What) -> Result<BTreeMap<String, String>, Problem> {
    let mut all = pairs(&what.option)?;
    if let Some(kind) = &what.rand_type {
        all.insert("rand_type".into(), kind.clone());
    }
    Ok(all)
}

/// The target of a command line, with what it is allowed to have done to it.
pub fn allowed(what: &What) -> Result<Target, Problem> {
    let mut target = target(&what.dsn, &what.secret);
    for word in &what.allow {
        let known = Allow::WORDS.iter().find(|(name, _)| name == word);
        let names = || Allow::WORDS.map(|(name, _)| name).join(", ");
        let (_, allow) = known.ok_or_else(|| {
            Problem::new(format!("--allow cannot be {word:?}")).mend(format!("use one of {}", names()))
        })?;
        target.allow.push(*allow);
    }
    Ok(target)
}

/// A target that is only an address.
pub fn target(dsn: &str, secret: &Secret) -> Target {
    Target {
        name: "target".into(),
        place: 0,
        dsn: Some(dsn.to_owned()),
        password_env: secret.password_env.clone(),
        password_file: secret.password_file.as_ref().map(|p| p.display().to_string()),
        sandbox: None,
        server: BTreeMap::new(),
        allow: Vec::new(),
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// An option's value: a number where it is one, else a text.
fn value_of(text: &str) -> String {
    let number = text.parse::<i64>().map(|n| n.to_string()).ok();
    number.unwrap_or_else(|| quoted(text))
}
