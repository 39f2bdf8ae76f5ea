//! What clients have in common and what one does between its transactions, without a server.

use crate::client::PgbenchClient;
use crate::settings::{QueryMode, RunSettings, ScriptSource};
use crate::shared::Shared;
use crate::workload::Silent;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_workload::Client;

fn settings() -> RunSettings {
    RunSettings {
        mode: QueryMode::Simple,
        clients: 2,
        threads: 1,
        transactions: 0,
        duration: None,
        connect_each: false,
        variables: Vec::new(),
        scale: 1,
        seed: 7,
        throttle_us: 0.0,
        latency_limit: None,
        max_tries: 1,
        verbose_errors: false,
        debug: false,
        per_command: false,
        continue_on_error: false,
        log: None,
    }
}

fn shared(settings: RunSettings) -> Arc<Shared> {
    let script = ScriptSource { name: "a.sql".into(), text: b"SELECT 1;".to_vec(), weight: 1 };
    let connector = Connector::nowhere(Scheme::Postgres).unwrap();
    Arc::new(Shared::new(settings, &[script], connector, Arc::new(Silent)).unwrap())
}

/// Starts that have no time between them are all late: skipping them ends with the time of the run, or when the run is interrupted, or with the last of
/// the client's transactions.
#[test]
fn a_client_whose_starts_are_all_late_ends() {
    let late = RunSettings {
        throttle_us: 0.001,
        latency_limit: Some(Duration::from_micros(1)),
        duration: Some(Duration::from_secs(3600)),
        ..settings()
    };
    let short = RunSettings { duration: Some(Duration::from_millis(20)), ..late.clone() };
    let few = RunSettings { duration: None, transactions: 3, ..late.clone() };
    for (settings, interrupts, skipped) in [(short, false, None), (late, true, None), (few, false, Some(3))] {
        let shared = shared(settings);
        shared.now_us();
        std::thread::sleep(Duration::from_millis(1));
        let (ended, end) = channel();
        let skipping = Arc::clone(&shared);
        std::thread::spawn(move || ended.send(PgbenchClient::new(skipping, 0).pause()).unwrap());
        if interrupts {
            shared.interrupt();
        }
        assert_eq!(end.recv_timeout(Duration::from_secs(60)), Ok(Duration::ZERO), "it skips for ever");
        let counted = shared.counts().counts.all.skipped;
        assert!(skipped.map_or(counted > 0, |skipped| counted == skipped), "{counted}");
    }
}

/// As pgbench 15 does it, whatever the text of the variable is.
#[test]
fn no_seed_is_drawn_for_a_variable_that_is_set() {
    let of = |variables: &[(&str, &str)]| {
        let variables = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        shared(RunSettings { variables, ..settings() }).seeds.threads.clone()
    };
    let set = of(&[("default_seed", "5")]);
    assert_eq!(of(&[("default_seed", "1.5")]), set);
    assert_ne!(of(&[]), set);
}

/// Each command is counted under its number, of which there are 65,535.
#[test]
fn commands_beyond_the_numbers_of_statements_are_refused() {
    let made = |commands: [usize; 2]| {
        let script = |n: usize| ScriptSource { name: "a.sql".into(), text: b"SELECT 1;\n".repeat(n), weight: 1 };
        let connector = Connector::nowhere(Scheme::Postgres).unwrap();
        let made = Shared::new(settings(), &commands.map(script), connector, Arc::new(Silent));
        made.map_or_else(|error| error.as_pgbench(), |shared| shared.first[2].to_string())
    };
    assert_eq!(made([65_000, 535]), "65535");
    assert_eq!(made([65_000, 536]), "the scripts have 65536 commands (maximum is 65535)");
}

/// Commands that are alike have figures of their own, in one script and in several.
#[test]
fn no_two_commands_have_one_name() {
    let script = |name: &str, text: &str| ScriptSource { name: name.into(), text: text.into(), weight: 1 };
    let scripts = [script("a.sql", "SELECT 1;\nSELECT 1;\n"), script("a.sql", "SELECT 2;\nSELECT 1;\n")];
    let connector = Connector::nowhere(Scheme::Postgres).unwrap();
    let run = crate::made(settings(), &scripts, connector, Arc::new(Silent)).unwrap();
    let workload = run.workload();
    assert_eq!(workload.transactions(), ["a.sql", "a.sql #2"]);
    let names: Vec<String> = workload.statements().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["SELECT 1;", "SELECT 1; #2", "SELECT 2;", "SELECT 1; #3"]);
}
