//! Variables of servers that Tenbin did not start: set for a run, read back, and put back on every way out.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod dependents;
mod hooks;
mod inspections;
mod left_behind;
mod other_words;
mod parameter_group;
mod puts_back;
mod restart;
mod restore;
mod statements;
mod waiting;

use std::path::Path;
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{output_of, read_back, tenbin};

/// A plan of one target and one short experiment in a directory, with more lines of the target and of the experiment.
fn plan(dir: &Path, dsn: &str, target: &str, experiment: &str) -> String {
    let text = format!(
        "schema = 1\nname = \"settings\"\n[targets.a]\ndsn = {dsn:?}\n{target}\n[datasets.d]\ntables = 1\ntable_size = 100\n\
         [[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"300ms\"\ninterval = \"100ms\"\n\
         load = {{ workload = \"oltp_point_select\", clients = 1 }}\n{experiment}\n"
    );
    let path = dir.join("plan.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Runs Tenbin with a state directory of its own.
fn run(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = tenbin();
    command.args(arguments).env("TENBIN_STATE_DIR", dir.join("state")).env("TENBIN_RUNS", dir.join("runs"));
    output_of(&mut command)
}

/// The value of a variable.
fn value(at: &(impl Address + ?Sized), variable: &str) -> String {
    match at.dsn().starts_with("postgres") {
        true => query(at, &format!("SHOW {variable}"))[0][0].clone(),
        false => query(at, &format!("SELECT @@GLOBAL.{variable}"))[0][0].clone(),
    }
}

/// The lines of a run's progress that say what was done with variables.
fn about_variables(err: &str) -> String {
    let words = ["set: ", "put back: ", "adjusted", "did not take", "interrupted run", "may not set"];
    let kept = err.lines().filter(|line| words.iter().any(|word| line.contains(word)));
    kept.map(|line| line.trim().split(" in effect after").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// A variable of a target as the run recorded it last.
fn recorded(dir: &Path, target: &str, variable: &str) -> String {
    let (_, out, err) = run(dir, &["diff", &run_directory(dir), &run_directory(dir), "--all", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
    let name = |column: &serde_json::Value| column["name"].as_str().unwrap().starts_with(target);
    let column = json["columns"].as_array().unwrap().iter().position(name).unwrap();
    let rows = json["variables"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == variable).unwrap();
    row["values"][column].as_str().unwrap().to_owned()
}

fn run_directory(dir: &Path) -> String {
    read_back(&dir.join("runs")).0.display().to_string()
}

/// The journals that are left.
fn journals(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("state/.settings")).map_or(0, |all| all.flatten().count())
}
