//! Converts the settings to a plan, so that the run can be repeated from its directory.

use super::settings::{Options, Settings};
use crate::command::run::{RunnablePlan, TypedKeys, parsed};
use crate::compat::AS_OF_OLD;
use std::fmt::Write;
use tenbin_model::plan::quoted;

/// The plan. Prints errors on standard error.
pub fn plan(settings: &Settings) -> Option<RunnablePlan> {
    let mut planned = parsed(&text(settings), &TypedKeys::new())?;
    if let Some(password) = &settings.password {
        planned.request.passwords.insert("server".into(), password.clone());
    }
    Some(planned)
}

fn text(settings: &Settings) -> String {
    let mut text =
        format!("schema = 1\nname = \"mysqlslap\"\n\n[targets.server]\ndsn = {}\n{AS_OF_OLD}", quoted(&settings.dsn));
    if settings.dataset {
        text += "\n[datasets.slap]\nkind = \"slap\"\n";
        text += &options(&settings.data);
    }
    if settings.dataset || settings.engines.is_empty() {
        return text + &experiment(settings, NAME);
    }
    // Nothing is created with them: mysqlslap runs everything once for each, and says so.
    settings.engines.iter().for_each(|engine| text += &experiment(settings, engine));
    text
}

/// The only experiment; without a data set there is one for each engine, which has its name.
pub const NAME: &str = "mysqlslap";

fn experiment(settings: &Settings, name: &str) -> String {
    let dataset = if settings.dataset { "slap" } else { "none" };
    let mut text = format!(
        "\n[[experiment]]\nname = {}\ndataset = \"{dataset}\"\nrepeats = {}\norder = \"sequential\"\nrestore = \"{}\"\nwarmup = \"0s\"\nmeasure = \"0s\"\n",
        quoted(name),
        settings.iterations,
        if settings.dataset { "before-run" } else { "require" },
    );
    text += "\n[experiment.load]\nkind = \"slap\"\ncalibrate = \"never\"\nretries = 0\non_lost = \"give-up\"\non_error = \"count\"\n";
    let shared: Options = settings
        .load
        .iter()
        .chain(settings.data.iter().filter(|(name, _)| own(name)))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    // Options of the data set are inherited; without one the load contains them itself.
    text += &options(if settings.dataset { &settings.load } else { &shared });
    text += "\n[experiment.matrix]\n";
    if !settings.engines.is_empty() && settings.dataset {
        let engines: Vec<String> = settings.engines.iter().map(|e| quoted(e)).collect();
        let _ = writeln!(text, "\"dataset.engine\" = [{}]", engines.join(", "));
    }
    let clients: Vec<String> = settings.concurrency.iter().map(u32::to_string).collect();
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
