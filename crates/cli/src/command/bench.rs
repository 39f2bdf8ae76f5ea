//! `tenbin bench WORKLOAD DSN`: one workload on one database. The arguments are converted to a plan, so that the run
//! can be repeated from its directory.

use crate::args::{Bench, WorkloadArgs};
use crate::command::as_loaded::left_open;
use crate::command::sandbox::pairs;
use crate::command::target::target;
use crate::execute::execute;
use crate::load_keys::{self, LoadKeys};
use std::collections::BTreeMap;
use std::fmt::Write;
use tenbin_model::plan::{names, quoted};
use tenbin_model::trial::{Allow, Target};
use tenbin_terminal::exit::Exit;
use tenbin_terminal::language::language;
use tenbin_terminal::runnable::{TypedKeys, parsed};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::units::write_duration;
use tenbin_workloads::find_workload;
use tenbin_workloads::{is_script, sql};

pub fn bench(a: &Bench) -> Result<Exit, Problem> {
    let (load, what) = parted(a)?;
    let text = plan(a, &what, &load)?;
    let Some(planned) = parsed(&text, &typed_keys(a, &load)) else { return Ok(Exit::Usage) };
    // An address may contain a password, which is kept out of the recording and passed to the trials from here.
    execute(&planned.request, &a.output, language(a.output.lang.as_deref())?, None, Some(&a.live))
}

/// Separates `-o` options that are keys of the load from options of the workload.
fn parted(a: &Bench) -> Result<(LoadKeys, WorkloadArgs), Problem> {
    let (mut load, mut what) = (a.load.clone(), a.what.clone());
    let typed = what.workload.clone();
    let scripts = sql::is_scripts(&typed).then_some(&typed);
    if scripts.is_some() {
        what.workload = sql::NAME.to_owned();
    }
    let rows = find_workload(&what.workload).map(|w| w.rows()).unwrap_or_default();
    let script = scripts.is_none() && is_script(&typed);
    let own = |name: &str| script || rows.iter().any(|r| r.name == name.replace('-', "_"));
    what.option = scripts.map(|scripts| format!("{}={scripts}", sql::SCRIPTS)).into_iter().collect();
    for option in &a.what.option {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let key = if own(name) { None } else { names::meant(name) };
        match key {
            Some(key) if load_keys::all().any(|k| k == key) => _ = load.0.insert(key.name, value.to_owned()),
            Some(key) if ["measure", "warmup", "interval"].contains(&key.name) => {
                let ours = if key.name == "measure" { "time" } else { key.name };
                return Err(Problem::new(msg!(
                    "workload-has-no-option",
                    workload = what.workload,
                    option = format_args!("{name:?}")
                ))
                .hint(foreign(format!("--{ours} {}", shell::word(value)))));
            }
            _ => what.option.push(option.clone()),
        }
    }
    Ok((load, what))
}

/// The argument for each key of the generated plan.
fn typed_keys(a: &Bench, load: &LoadKeys) -> TypedKeys {
    let words: Vec<String> = std::env::args().collect();
    let typed_option = |names: &[&str], value: &str| {
        let called = |word: &&String| {
            let name = word.strip_prefix("--").map(|w| w.split('=').next().unwrap_or(w).replace('-', "_"));
            name.is_some_and(|name| names.contains(&name.as_str()))
        };
        let option = words.iter().find(called).map_or(names[0], |word| word[2..].split('=').next().unwrap_or_default());
        format!("--{} {}", option, shell::word(value))
    };
    let mut all = TypedKeys::new();
    for key in load_keys::all() {
        if let Some(value) = load.0.get(key.name) {
            let names: Vec<&str> = std::iter::once(key.name).chain(key.also.iter().copied()).collect();
            all.insert(key.name.into(), typed_option(&names, value));
        }
    }
    let spans = [("measure", "time", a.time), ("warmup", "warmup", a.warmup), ("interval", "interval", a.interval)];
    all.extend(spans.map(|(key, option, ms)| (key.to_owned(), typed_option(&[option], &write_duration(ms.0)))));
    all.insert("dsn".into(), shell::word(&tenbin_model::dsn::redact(&a.what.dsn)));
    all.insert("workload".into(), a.what.workload.clone());
    all.insert("tables".into(), format!("--tables {}", a.what.tables));
    all.insert("table_size".into(), format!("--table-size {}", a.what.table_size));
    all.extend(
        a.what.option.iter().filter_map(|o| Some((o.split('=').next()?.to_owned(), format!("-o {}", shell::word(o))))),
    );
    all
}

/// The plan for the command line.
fn plan(a: &Bench, what: &WorkloadArgs, load: &LoadKeys) -> Result<String, Problem> {
    let mut given = options(what)?;
    given.extend(left_open(what, &given, &[]));
    given.entry("tables".into()).or_insert_with(|| what.tables.to_string());
    given.entry("table_size".into()).or_insert_with(|| what.table_size.to_string());
    // An invalid number of clients is reported with the plan.
    let clients = load.0.get("clients").and_then(|n| n.parse().ok()).unwrap_or(1);
    let (kind, data, own) = tenbin_workloads::split(&what.workload, &given, clients)?;
    let mut text = head(what, kind, &data);
    let _ = write!(
        text,
        "\n[[experiment]]\nname = {}\ntargets = [\"target\"]\ndataset = \"data\"\nrepeats = 1\nmeasure = \"{}\"\nwarmup = \"{}\"\ninterval = \"{}\"\n",
        quoted(&what.workload),
        write_duration(a.time.0),
        write_duration(a.warmup.0),
        write_duration(a.interval.0),
    );
    let _ = write!(text, "\n[experiment.load]\nworkload = {}\n{}", quoted(&what.workload), load.lines());
    for (name, value) in own.iter().filter(|(name, _)| !data.contains_key(*name)) {
        let _ = writeln!(text, "{name} = {}", value_of(value));
    }
    Ok(text)
}

/// The target and the data set of the plan.
fn head(what: &WorkloadArgs, kind: &str, data: &BTreeMap<String, String>) -> String {
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

/// Options given with `-o` and `--rand-type`.
pub fn options(what: &WorkloadArgs) -> Result<BTreeMap<String, String>, Problem> {
    let mut all = pairs(&what.option, &foreign(format_args!("tenbin list {}", shell::word(&what.workload))))?;
    if let Some(kind) = &what.rand_type {
        all.insert("rand_type".into(), kind.clone());
    }
    Ok(all)
}

/// The target of a command line, with its `allow`.
pub fn allowed(what: &WorkloadArgs) -> Result<Target, Problem> {
    let mut target = target(&what.dsn, &what.secret);
    for word in &what.allow {
        let known = Allow::WORDS.iter().find(|(name, _)| name == word);
        let names = || Allow::WORDS.map(|(name, _)| name).join(", ");
        let (_, allow) = known.ok_or_else(|| {
            Problem::new(msg!("allow-is-not-known", word = format_args!("{word:?}")))
                .hint(msg!("use-one-of-all", names = names()))
        })?;
        target.allow.push(*allow);
    }
    Ok(target)
}

/// The value of an option: a number if it is one, otherwise a text.
fn value_of(text: &str) -> String {
    let number = text.parse::<i64>().map(|n| n.to_string()).ok();
    number.unwrap_or_else(|| quoted(text))
}
