//! Converts the settings to a plan, so that the run can be repeated from its directory.

use super::database::Address;
use super::settings::Settings;
use super::{Options, host, messages};
use crate::AS_OF_OLD;
use crate::parsed_args::ParsedArgs;
use std::fmt::Write;
use std::sync::Arc;
use tenbin_lab::{PrebuiltWorkload, Request};
use tenbin_model::plan::{Plan, expand, quoted};
use tenbin_terminal::exit;
use tenbin_terminal::runnable::read_generated;
use tenbin_workload::{Workload, WorkloadEntry};

/// A test to run.
pub struct TestRun {
    /// The test's name in the plan and the run directory.
    pub name: String,
    /// Whether it uses a database; `None`: not known before.
    pub sql: Option<bool>,
    pub options: Options,
    /// Created already, if it is a script.
    pub workload: Option<Arc<dyn Workload>>,
}

/// How often an event is restarted after a conflict: sysbench never gives up.
const RETRIES: u32 = 1_000_000;

/// A run without a time limit: the maximum duration of a plan with intervals of a second.
const ENDLESS_S: f64 = 11.0 * 86_400.0;

/// The error numbers of a lost connection. sysbench reconnects if they are among the errors to ignore.
pub const LOST: &[&str] = &["1927", "2006", "2011", "2013", "2055", "4031"];

/// The plan of a run. Prints errors in sysbench's form.
pub fn plan(args: &ParsedArgs, settings: &Settings, load: &TestRun, address: &Address, seed: u64) -> Option<Request> {
    let text = text(args, settings, load, &address.0, seed);
    let mut request = match &load.workload {
        None => {
            read_generated(&text)
                .inspect_err(|all| all.iter().for_each(|p| messages::complain(&messages::told(&settings.words, p))))
                .ok()?
                .request
        }
        // A script is open already; checking its options again would execute its body again.
        Some(workload) => {
            let plan = Plan::parse(&text, &tenbin_workloads::catalog())
                .inspect_err(|all| all.iter().for_each(exit::complain))
                .ok()?;
            Request {
                tool: tenbin_terminal::version::version().to_owned(),
                name: plan.name.clone(),
                plan: plan.text.clone(),
                passwords: plan.passwords.clone(),
                trials: expand(&plan),
                workload: Some(PrebuiltWorkload(workload.clone())),
                ..Request::default()
            }
        }
    };
    if let Some(password) = &address.1 {
        request.passwords.insert("target".into(), password.clone());
    }
    Some(request)
}

/// The name of a test, if it was given as a path.
pub fn title(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    match last.trim_end_matches(".lua") {
        "-" | "" => "script",
        title => title,
    }
}

fn text(args: &ParsedArgs, settings: &Settings, load: &TestRun, dsn: &str, seed: u64) -> String {
    let (name, options) = (load.name.as_str(), &load.options);
    let mut text = format!("schema = 1\nname = {}\nseed = {seed}\n", quoted(title(name)));
    let _ = write!(text, "\n[targets.target]\ndsn = {}\n{AS_OF_OLD}", quoted(dsn));
    // sysbench does not inspect the tables before it starts, so they are not checked here either.
    let _ = write!(
        text,
        "\n[[experiment]]\nname = {}\ntargets = [\"target\"]\ndataset = \"none\"\nrepeats = 1\nrestore = \"require\"\nmeasure = \"{}ms\"\nwarmup = \"{}ms\"\ninterval = \"{}ms\"\n",
        quoted(title(name)),
        (settings.time_s.filter(|_| host::ends(name).1).unwrap_or(ENDLESS_S) * 1e3).round().max(1.0),
        (settings.warmup_s * 1e3).round(),
        interval_ms(settings),
    );
    let _ = write!(
        text,
        "\n[experiment.load]\nworkload = {}\nclients = {}\nretries = {RETRIES}\ndrain = \"{}ms\"\nobserve = \"ends\"\ncalibrate = \"never\"\n",
        quoted(name),
        settings.threads,
        drain_ms(settings),
    );
    if load.sql != Some(false) {
        let _ = writeln!(text, "transient = {}", quoted(&ignored(args)));
    }
    if settings.rate > 0 {
        // A full queue ends a run of sysbench; here it is reported.
        let _ = write!(
            text,
            "rate = {}\narrivals = \"poisson\"\noverload = \"queue\"\noverload_limit = 100000000\n",
            settings.rate
        );
    }
    let (by_events, _) = host::ends(&load.name);
    if let Some(events) = settings.events.filter(|_| by_events) {
        let _ = writeln!(text, "operations = {events}");
    }
    // Those of a script may have the name of any key of a plan.
    if load.workload.is_some() && !options.is_empty() {
        text.push_str("\n[experiment.load.options]\n");
    }
    for (name, value) in options {
        let _ = match value.parse::<i64>() {
            Ok(n) => writeln!(text, "{name} = {n}"),
            Err(_) => writeln!(text, "{name} = {}", quoted(value)),
        };
    }
    text
}

/// How long to wait for events in progress at the limit: until they end, or until the forced shutdown.
fn drain_ms(settings: &Settings) -> f64 {
    let after_s = settings.forced_shutdown_s.zip(settings.time_s).map(|(at, limit)| at - limit);
    (after_s.unwrap_or(ENDLESS_S) * 1e3).round().max(1.0)
}

/// The errors after which an event is restarted, in the form of a plan.
fn ignored(args: &ParsedArgs) -> String {
    let list = args.list("mysql-ignore-errors");
    if args.text("db-driver") != "mysql" {
        // The errors after which sysbench's PostgreSQL driver restarts an event.
        "40001, 40P01, 23505".into()
    } else if list.contains(&"all") {
        "all".into()
    } else {
        // No number: nothing is ignored.
        let mut numbers: Vec<&str> = list.into_iter().filter(|n| n.parse::<u32>().is_ok()).collect();
        if ignores_loss(args) {
            // Which of them it is depends on when the connection ends.
            numbers.extend(LOST.iter().copied());
        }
        if numbers.is_empty() { "0".into() } else { numbers.join(", ") }
    }
}

/// Whether a lost connection is among the errors to ignore.
pub fn ignores_loss(args: &ParsedArgs) -> bool {
    args.list("mysql-ignore-errors").iter().any(|n| *n == "all" || LOST.contains(n))
}

/// The longest interval of which all lines and checkpoints are multiples; at most a second, for the run directory.
fn interval_ms(settings: &Settings) -> u64 {
    if settings.time_s.is_some_and(|s| s < 1.0) {
        (settings.time_s.unwrap_or(1.0) * 1e3).max(10.0) as u64
    } else {
        1000
    }
}

/// Splits the test's options into those for a data set and those for a workload.
pub fn split(entry: &WorkloadEntry, given: &Options, settings: &Settings, args: &ParsedArgs) -> (Options, Options) {
    let mut all = given.clone();
    all.insert("ps_mode".into(), args.text("db-ps-mode").to_owned());
    if settings.validate {
        all.insert("validate".into(), "on".into());
    }
    for name in ["rand-type", "rand-spec-iter", "rand-spec-pct", "rand-spec-res", "rand-pareto-h", "rand-zipfian-exp"] {
        if args.has(name) {
            all.insert(name.replace('-', "_"), args.text(name).to_owned());
        }
    }
    let only = |rows: Vec<&tenbin_workload::options::OptionSpec>| -> Options {
        all.iter()
            .filter(|(name, _)| rows.iter().any(|r| r.name == **name))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect()
    };
    // A test that has no tables has no data set.
    let mut data = tenbin_workloads::find_dataset(entry.dataset).map(|d| only(d.rows())).unwrap_or_default();
    if tenbin_workloads::find_dataset(entry.dataset).is_ok_and(|d| d.table_per_client) {
        data.insert("tables".into(), settings.threads.to_string());
    }
    if entry.name == "oltp_insert" && data.get("auto_inc").is_some_and(|v| v == "off") {
        // Its ids could collide with those of existing rows: sysbench leaves the tables empty.
        data.insert("table_size".into(), "0".into());
    }
    (data, only(entry.rows()))
}
