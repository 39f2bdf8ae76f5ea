//! Converts the settings to a plan, so that the run can be repeated from its directory.

use super::settings::Settings;
use crate::AS_OF_OLD;
use std::fmt::Write;
use tenbin_model::plan::quoted;
use tenbin_model::tpcc::TransactionType;
use tenbin_terminal::runnable::{RunnablePlan, TypedKeys, parsed};

/// How often a transaction is retried after a conflict, as in tpcc-mysql.
const RETRIES: u32 = 2_000;

/// The plan. Prints errors on standard error.
pub fn plan(settings: &Settings) -> Option<RunnablePlan> {
    let mut planned = parsed(&text(settings), &TypedKeys::new())?;
    if let Some(password) = &settings.server.password {
        planned.request.passwords.insert("server".into(), password.clone());
    }
    Some(planned)
}

fn text(settings: &Settings) -> String {
    // With several databases this is the first; a note in the recording names the others.
    let dsn = quoted(&settings.servers.first().unwrap_or(&settings.server).dsn());
    let mut text = format!("schema = 1\nname = \"tpcc_start\"\nseed = {}\n", settings.seed);
    let _ = write!(text, "\n[targets.server]\ndsn = {dsn}\n{AS_OF_OLD}");
    // Any population with at least as many warehouses is accepted, whoever loaded it.
    let _ = write!(
        text,
        "\n[[experiment]]\nname = \"tpcc\"\ndataset = \"none\"\nrepeats = 1\nrestore = \"require\"\nwarmup = \"{}s\"\nmeasure = \"{}s\"\ninterval = \"1s\"\n",
        settings.ramp_up_s, settings.measure_s
    );
    let _ = write!(
        text,
        "\n[experiment.load]\nworkload = \"tpcc\"\nprofile = \"tpcc-mysql\"\nclients = {}\ncalibrate = \"never\"\nretries = {RETRIES}\non_error = \"count\"\nwarehouses = {}\nhome = \"random\"\nisolation = \"server\"\n",
        settings.connections, settings.warehouses
    );
    if !settings.ratio.is_empty() {
        text += "mix = \"cards\"\n";
        let shares = TransactionType::ALL.iter().zip(&settings.ratio);
        shares.for_each(|(of, share)| text += &format!("{} = {share}\n", of.name()));
    }
    text
}
