//! Converts a run to a plan, so that it can be repeated from its directory.

use super::arguments::RunArguments;
use crate::AS_OF_OLD;
use crate::libpq::Server;
use std::fmt::Write;
use std::path::Path;
use tenbin_lab::Checks;
use tenbin_model::plan::quoted;
use tenbin_pgbench::{QueryMode, ScriptSource, TEXT_BEGINS, builtin};
use tenbin_terminal::runnable::{RunnablePlan, read_generated};
use tenbin_words::problem::Problem;

/// The longest that a plan may measure: for a number of transactions.
const ENDLESS_S: u64 = 30 * 86_400;

/// The plan; otherwise what is wrong with it.
pub fn plan(run: &RunArguments, server: &Server, scale: i64) -> Result<RunnablePlan, Vec<Problem>> {
    let mut planned = read_generated(&text(run, server, scale))?;
    // pgbench starts its clients at once, and the server says itself whom it does not take.
    planned.request.checks = Checks::Never;
    if let Some(password) = &server.password {
        planned.request.passwords.insert("server".into(), password.clone());
    }
    Ok(planned)
}

fn text(run: &RunArguments, server: &Server, scale: i64) -> String {
    let dsn = quoted(&server.dsn);
    // The seed of a plan has 63 bits.
    let seed = run.seed & (i64::MAX as u64);
    let mut text =
        format!("schema = 1\nname = \"pgbench\"\nseed = {seed}\n\n[targets.server]\ndsn = {dsn}\n{AS_OF_OLD}");
    let measure = run.duration.map_or(ENDLESS_S, |duration| duration.as_secs());
    let _ = write!(
        text,
        "\n[[experiment]]\nname = \"pgbench\"\ndataset = \"none\"\nrepeats = 1\nrestore = \"require\"\nwarmup = \"0s\"\nmeasure = \"{measure}s\"\ninterval = \"1s\"\n"
    );
    let workers = run.threads.map_or_else(|| "\"auto\"".to_owned(), |threads| threads.min(run.clients).to_string());
    let _ = write!(
        text,
        "\n[experiment.load]\nworkload = \"pgbench\"\nclients = {}\nworkers = {workers}\ncalibrate = \"never\"\nobserve = \"ends\"\nretries = 0\non_lost = \"give-up\"\non_error = \"count\"\ndrain = \"{ENDLESS_S}s\"\n",
        run.clients
    );
    if run.transactions > 0 {
        let _ = writeln!(text, "operations = {}", u64::from(run.transactions) * u64::from(run.clients));
    }
    let weighted = |names: Vec<(String, i64)>, between: &str| {
        names.into_iter().map(|(name, weight)| format!("{name}@{weight}")).collect::<Vec<_>>().join(between)
    };
    let builtin_of = |title: &str| builtin::ALL.iter().find(|b| b.title == title).map(|b| b.name.to_owned());
    let built_in = run.scripts.iter().filter_map(|script| Some((builtin_of(&script.name)?, script.weight))).collect();
    // What came through a pipe cannot be read again: its text stands in the plan.
    let own = run.scripts.iter().filter(|script| builtin_of(&script.name).is_none());
    let (files, piped): (Vec<_>, Vec<_>) = own.partition(|script| Path::new(&script.name).is_file());
    let files = files.into_iter().map(|script| (script.name.clone(), script.weight)).collect();
    let text_of = |script: &ScriptSource| {
        let (name, weight, text) = (&script.name, script.weight, String::from_utf8_lossy(&script.text));
        format!("{TEXT_BEGINS}{name}@{weight}\n{text}")
    };
    let texts: Vec<String> = piped.into_iter().map(text_of).collect();
    let mode = match run.mode {
        QueryMode::Simple => "simple",
        QueryMode::Extended => "extended",
        QueryMode::Prepared => "prepared",
    };
    let variables: Vec<String> = run.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
    for (name, value) in [
        ("builtin", weighted(built_in, " ")),
        ("files", weighted(files, "\n")),
        ("texts", texts.join("\n")),
        ("protocol", mode.to_owned()),
        ("define", variables.join("\n")),
        ("random_seed", run.seed.to_string()),
        ("reconnect", if run.connect_each { "on" } else { "off" }.to_owned()),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "{name} = {}", quoted(&value));
        }
    }
    for (name, value) in [
        ("scale", scale.max(1) as u64),
        ("transactions_per_client", u64::from(run.transactions)),
        ("max_tries", u64::from(run.max_tries)),
        ("seeded_clients", u64::from(run.clients)),
        ("seeded_threads", u64::from(run.threads.unwrap_or(1).min(run.clients))),
    ] {
        let _ = writeln!(text, "{name} = {value}");
    }
    text
}
