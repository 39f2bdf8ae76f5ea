//! Arguments in the place of others: an address before the workload, a plan where a run is expected.

use crate::args::{Command, PlanAction};
use std::path::Path;
use tenbin_model::dsn::redact;
use tenbin_report::store;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workloads::{find_workload, is_script};

/// What a word on a command line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    Address,
    Run,
    Plan,
    Workload,
    Other,
}

impl Thing {
    fn of(word: &str) -> Thing {
        let path = Path::new(word);
        let scheme = word.split_once(':').map_or("", |(scheme, _)| scheme);
        let schemes = ["mysql", "mariadb", "postgres", "postgresql", "sqlite", "null", "host"];
        if schemes.contains(&scheme) || (word.contains("://") && !path.exists()) {
            return Thing::Address;
        }
        if find_workload(word).is_ok() || (is_script(word) && path.is_file()) {
            return Thing::Workload;
        }
        // A run is called after its plan: its name may end as that does.
        if store::is_bundle(path) || store::is_run(path) {
            return Thing::Run;
        }
        if path.extension().is_some_and(|ending| ending == "toml") { Thing::Plan } else { Thing::Other }
    }
}

/// The problem of a command line with arguments that another command, or another place, takes.
pub fn misplaced(command: &Command) -> Option<Problem> {
    match command {
        Command::Bench(a) => swapped("bench", &a.what.workload, &a.what.dsn),
        Command::Load(a) => swapped("load", &a.what.workload, &a.what.dsn),
        Command::Run(a) => instead_of_plan("run", &a.plan),
        Command::Plan(a) => match &a.action {
            PlanAction::Check { plan, .. } => instead_of_plan("plan check", plan),
            PlanAction::Example => None,
        },
        Command::Show(a) => instead_of_run("show", &a.dir),
        Command::Report(a) => instead_of_run("report", &a.dir),
        Command::Label(a) => instead_of_run("label", &a.dir),
        Command::Verify(a) => a.runs.iter().find_map(|run| instead_of_run("verify", run)),
        Command::Gate(a) => [&a.baseline, &a.run].into_iter().find_map(|run| instead_of_run("gate", run)),
        Command::Compare(a) => {
            compared(&a.runs).or_else(|| a.runs.iter().find_map(|run| instead_of_run("compare", run)))
        }
        Command::Bundle(a) => match &a.file {
            Some(file) if store::is_run(file) && !store::is_run(&a.run) => {
                Some(order("bundle", &[&file.display().to_string(), &a.run.display().to_string()]))
            }
            _ => instead_of_run("bundle", &a.run),
        },
        Command::Doctor(a) => a.dsn.as_deref().and_then(|word| match Thing::of(word) {
            Thing::Plan => Some(is_not("doctor", word, Thing::Plan, Thing::Address, &["plan check", word])),
            Thing::Run => Some(is_not("doctor", word, Thing::Run, Thing::Address, &["show", word])),
            _ => None,
        }),
        _ => None,
    }
}

/// Two arguments in the wrong order.
fn swapped(command: &str, workload: &str, dsn: &str) -> Option<Problem> {
    if Thing::of(workload) != Thing::Address {
        return match Thing::of(workload) {
            Thing::Plan => Some(is_not(command, workload, Thing::Plan, Thing::Workload, &["run", workload])),
            _ => None,
        };
    }
    (Thing::of(dsn) != Thing::Address).then(|| order(command, &[dsn, workload]))
}

/// The problem that arguments stand in the wrong order; `right`: as they should stand.
fn order(command: &str, right: &[&str]) -> Problem {
    let words: Vec<String> = right.iter().map(|word| shell::word(&redact(word))).collect();
    Problem::new(msg!("usage-swapped", command = format_args!("tenbin {command}")))
        .hint(foreign(format_args!("tenbin {command} {}", words.join(" "))))
}

fn instead_of_plan(command: &str, path: &Path) -> Option<Problem> {
    let word = path.display().to_string();
    match Thing::of(&word) {
        Thing::Run => Some(is_not(command, &word, Thing::Run, Thing::Plan, &["show", &word])),
        Thing::Address => Some(is_not(command, &word, Thing::Address, Thing::Plan, &["bench oltp_read_write", &word])),
        Thing::Workload if !path.exists() => {
            Some(is_not(command, &word, Thing::Workload, Thing::Plan, &["bench", &word, "DSN"]))
        }
        _ => None,
    }
}

fn instead_of_run(command: &str, path: &Path) -> Option<Problem> {
    let word = path.display().to_string();
    match Thing::of(&word) {
        Thing::Plan => Some(is_not(command, &word, Thing::Plan, Thing::Run, &["run", &word])),
        Thing::Address => Some(is_not(command, &word, Thing::Address, Thing::Run, &["doctor", &word])),
        _ => None,
    }
}

/// Servers are compared by their variables, and by a plan.
fn compared(runs: &[std::path::PathBuf]) -> Option<Problem> {
    let words: Vec<String> = runs.iter().map(|run| run.display().to_string()).collect();
    words.iter().all(|word| Thing::of(word) == Thing::Address).then(|| {
        let shown: Vec<String> = words.iter().map(|word| shell::word(&redact(word))).collect();
        Problem::new(msg!("usage-compare-takes-runs")).hint(msg!("usage-diff-or-plan", servers = shown.join(" ")))
    })
}

/// The problem that a word is one thing where a command takes another; `right`: the command that takes it.
fn is_not(command: &str, word: &str, is: Thing, takes: Thing, right: &[&str]) -> Problem {
    let name = |thing| match thing {
        Thing::Address => msg!("thing-address"),
        Thing::Run => msg!("thing-run"),
        Thing::Plan => msg!("thing-plan"),
        Thing::Workload | Thing::Other => msg!("thing-workload"),
    };
    let (first, rest) = right.split_first().unwrap_or((&"", &[]));
    let rest: Vec<String> = rest.iter().map(|word| shell::word(&redact(word))).collect();
    let what = msg!(
        "usage-wrong-thing",
        word = redact(word),
        is = name(is),
        command = format_args!("tenbin {command}"),
        takes = name(takes)
    );
    Problem::new(what).hint(foreign(format_args!("tenbin {first} {}", rest.join(" ")).to_string().trim()))
}
