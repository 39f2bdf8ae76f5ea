//! What was asked as a plan, so that the run can be repeated from its directory.

use super::asked::{Asked, Options};
use crate::command::run::{Planned, Said, parsed};
use crate::face::AS_OF_OLD;
use std::fmt::Write;

/// The plan. Complains on standard error when it is refused.
pub fn plan(asked: &Asked) -> Option<Planned> {
    let mut planned = parsed(&text(asked), &Said::new())?;
    if let Some(password) = &asked.password {
        planned.request.passwords.insert("server".into(), password.clone());
    }
    Some(planned)
}

fn text(asked: &Asked) -> String {
    let mut text =
        format!("schema = 1\nname = \"mysqlslap\"\n\n[targets.server]\ndsn = {}\n{AS_OF_OLD}", quoted(&asked.dsn));
    if asked.dataset {
        text += "\n[datasets.slap]\nkind = \"slap\"\n";
        text += &options(&asked.data);
    }
    let dataset = if asked.dataset { "slap" } else { "none" };
    let _ = write!(
        text,
        "\n[[experiment]]\nname = \"mysqlslap\"\ndataset = \"{dataset}\"\nrepeats = {}\norder = \"sequential\"\nrestore = \"{}\"\nwarmup = \"0s\"\nmeasure = \"0s\"\n",
        asked.iterations,
        if asked.dataset { "before-run" } else { "require" },
    );
    text += "\n[experiment.load]\nkind = \"slap\"\nretries = 0\non_lost = \"give-up\"\non_error = \"count\"\n";
    let shared: Options = asked
        .load
        .iter()
        .chain(asked.data.iter().filter(|(name, _)| own(name)))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    // What the data set says is inherited; without one the load says it itself.
    text += &options(if asked.dataset { &asked.load } else { &shared });
    text += "\n[experiment.matrix]\n";
    if !asked.engines.is_empty() && asked.dataset {
        let engines: Vec<String> = asked.engines.iter().map(|e| quoted(e)).collect();
        let _ = writeln!(text, "\"dataset.engine\" = [{}]", engines.join(", "));
    }
    let clients: Vec<String> = asked.concurrency.iter().map(u32::to_string).collect();
    let _ = writeln!(text, "\"load.clients\" = [{}]", clients.join(", "));
    text
}

/// Whether an option of the data set is the load's as well.
fn own(name: &str) -> bool {
    matches!(name, "schema" | "delimiter")
}

fn options(all: &Options) -> String {
    all.iter().map(|(name, value)| format!("{name} = {}\n", quoted(value))).collect()
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
