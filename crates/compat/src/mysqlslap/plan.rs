//! Converts the settings to a plan, so that the run can be repeated from its directory.

use super::failure;
use super::settings::{Options, Settings};
use crate::AS_OF_OLD;
use rustix::process::{Resource, getrlimit};
use std::fmt::Write;
use tenbin_lab::Checks;
use tenbin_model::plan::quoted;
use tenbin_terminal::runnable::{RunnablePlan, read_generated};
use tenbin_words::problem::Problem;

/// The plan; otherwise what is wrong, in the terms of these programs.
pub fn plan(settings: &Settings) -> Result<RunnablePlan, Vec<Problem>> {
    let mut planned =
        read_generated(&text(settings)).map_err(|all| all.into_iter().map(failure::of_option).collect::<Vec<_>>())?;
    if let Some(password) = &settings.password {
        planned.request.passwords.insert("server".into(), password.clone());
    }
    // What is done beside the clients then keeps its connections, each with the files of an event loop.
    let keeps_connections = has_open_files(settings, OF_CONNECTIONS);
    planned.request.checks = if keeps_connections { Checks::EachCell } else { Checks::EachTrial };
    Ok(planned)
}

/// Whether the limit of open files leaves this many beside the clients' connections.
pub fn has_open_files(settings: &Settings, others: u64) -> bool {
    let clients = settings.concurrency.iter().copied().max().unwrap_or(1);
    getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX) >= u64::from(clients) + others
}

/// As many files are open beside the sockets of the clients, those of the run directory among them.
pub const OF_RUN: u64 = 24;

/// As many with connections that are kept, and some more.
const OF_CONNECTIONS: u64 = 64;

fn text(settings: &Settings) -> String {
    let mut text =
        format!("schema = 1\nname = \"mysqlslap\"\n\n[targets.server]\ndsn = {}\n{AS_OF_OLD}", quoted(&settings.dsn));
    if settings.dataset {
        text += "\n[datasets.slap]\nkind = \"slap\"\n";
        text += &options(&settings.data);
    }
    let groups = distinct(&settings.concurrency);
    let together = settings.dataset && groups.len() == 1 && distinct(&settings.engines).len() == 1;
    if together || settings.engines.is_empty() {
        for (n, clients) in groups.iter().enumerate() {
            text += &experiment(settings, &numbered(NAME, n), &settings.engines, clients);
        }
        return text;
    }
    // An engine or a number of clients that is given twice is run twice. Without a data set nothing is created with the engines:
    // mysqlslap runs everything once for each, and says so.
    for (e, engine) in settings.engines.iter().enumerate() {
        let same = settings.engines[..e].iter().filter(|other| *other == engine).count();
        let (name, before) = if settings.dataset { (NAME, e) } else { (engine.as_str(), same) };
        for (n, clients) in groups.iter().enumerate() {
            let name = numbered(name, before * groups.len() + n);
            text += &experiment(settings, &name, std::slice::from_ref(engine), clients);
        }
    }
    text
}

/// The list in parts, none of which has a value twice.
fn distinct<T: PartialEq + Clone>(list: &[T]) -> Vec<Vec<T>> {
    let mut parts: Vec<Vec<T>> = vec![Vec::new()];
    for value in list {
        if parts.last().is_some_and(|part| part.contains(value)) {
            parts.push(Vec::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(value.clone());
        }
    }
    parts
}

/// The name of an experiment that may not be the first of that name.
fn numbered(name: &str, before: usize) -> String {
    if before == 0 { name.to_owned() } else { format!("{name}{AGAIN}{}", before + 1) }
}

/// Stands between the name and the number of an experiment that is not the first of its name.
pub const AGAIN: &str = " #";

/// The experiment; without a data set there is one for each engine, which has its name.
pub const NAME: &str = "mysqlslap";

fn experiment(settings: &Settings, name: &str, engines: &[String], clients: &[u32]) -> String {
    let dataset = if settings.dataset { "slap" } else { "none" };
    let mut text = format!(
        "\n[[experiment]]\nname = {}\ndataset = \"{dataset}\"\nrepeats = {}\norder = \"sequential\"\nrestore = \"{}\"\nwarmup = \"0s\"\nmeasure = \"0s\"\n",
        quoted(name),
        settings.iterations,
        if settings.dataset { "before-run" } else { "require" },
    );
    text += "\n[experiment.load]\nkind = \"slap\"\nobserve = \"ends\"\ncalibrate = \"never\"\nretries = 0\non_lost = \"give-up\"\non_error = \"count\"\n";
    let shared: Options = settings
        .load
        .iter()
        .chain(settings.data.iter().filter(|(name, _)| own(name)))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    // Options of the data set are inherited; without one the load contains them itself.
    text += &options(if settings.dataset { &settings.load } else { &shared });
    text += "\n[experiment.matrix]\n";
    if !engines.is_empty() && settings.dataset {
        let engines: Vec<String> = engines.iter().map(|e| quoted(e)).collect();
        let _ = writeln!(text, "\"dataset.engine\" = [{}]", engines.join(", "));
    }
    let clients: Vec<String> = clients.iter().map(u32::to_string).collect();
    let _ = writeln!(text, "\"load.clients\" = [{}]", clients.join(", "));
    text
}

/// Whether an option of the data set is also one of the load.
fn own(name: &str) -> bool {
    matches!(name, "schema" | "delimiter")
}

fn options(all: &Options) -> String {
    all.iter().map(|(name, value)| format!("{name} = {}\n", quoted(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_divided_where_a_value_comes_again() {
        assert_eq!(distinct(&[1, 2, 4]), [vec![1, 2, 4]]);
        assert_eq!(distinct(&[2, 2, 4, 2]), [vec![2], vec![2, 4], vec![2]]);
    }
}
