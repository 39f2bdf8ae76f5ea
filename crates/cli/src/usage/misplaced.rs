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
pub enum Thing {
    Address,
    Run,
    Plan,
    Workload,
    Other,
}

impl Thing {
    /// By its form, and by what is on the disk.
    pub fn of(word: &str) -> Thing {
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

/// The problem of a command line with arguments that another command, or another place, takes. `typed`: all of its words.
pub fn misplaced(command: &Command, typed: &[String]) -> Option<Problem> {
    match command {
        Command::Bench(a) => swapped("bench", (&a.what.workload, &a.what.dsn), typed),
        Command::Load(a) => swapped("load", (&a.what.workload, &a.what.dsn), typed),
        Command::Run(a) => instead_of_plan("run", &a.plan),
        Command::Plan(a) => match &a.action {
            PlanAction::Check { plan, .. } => instead_of_plan("plan check", plan),
            PlanAction::Example => None,
        },
        Command::Show(a) => instead_of_run("show", &a.dir),
        Command::Report(a) => instead_of_run("report", &a.dir),
        Command::Label(a) => instead_of_run("label", &a.dir),
        Command::Verify(a) => a.runs.iter().find_map(|run| instead_of_run("verify", run)),
        Command::Gate(a) => a.runs.iter().find_map(|run| instead_of_run("gate", run)),
        Command::Compare(a) => {
            compared(&a.runs).or_else(|| a.runs.iter().find_map(|run| instead_of_run("compare", run)))
        }
        Command::Bundle(a) => match &a.file {
            Some(file) if store::is_run(file) && !store::is_run(&a.run) => {
                Some(order("bundle", [&file.display().to_string(), &a.run.display().to_string()], typed))
            }
            _ => instead_of_run("bundle", &a.run),
        },
        Command::Doctor(a) => a.dsn.as_deref().and_then(|word| instead_of_address("doctor", word, "show")),
        Command::Check(a) => instead_of_address("check", &a.dsn, "verify"),
        _ => None,
    }
}

/// Two arguments in the wrong order.
fn swapped(command: &str, (workload, dsn): (&str, &str), typed: &[String]) -> Option<Problem> {
    if Thing::of(workload) != Thing::Address {
        return match Thing::of(workload) {
            Thing::Plan => Some(is_not(command, workload, Thing::Plan, Thing::Workload, &["run", workload])),
            _ => None,
        };
    }
    (Thing::of(dsn) != Thing::Address).then(|| order(command, [dsn, workload], typed))
}

/// The problem that arguments stand in the wrong order; `right`: as they should stand. Whatever was typed beside them stays where it is.
fn order(command: &str, right: [&str; 2], typed: &[String]) -> Problem {
    let mut words: Vec<&str> = typed.iter().skip(1).map(String::as_str).collect();
    let at = |wanted: &str| words.iter().position(|word| *word == wanted);
    match (at(right[1]), at(right[0])) {
        (Some(first), Some(second)) => words.swap(first, second),
        _ => words = [command].into_iter().chain(right).collect(),
    }
    Problem::new(msg!("usage-swapped", command = format_args!("tenbin {command}"))).hint(foreign(shown(&words)))
}

/// A command line of this program as it may be shown and pasted.
pub fn shown(words: &[&str]) -> String {
    let words = words.iter().map(|word| shell::word(&redact(word)));
    std::iter::once("tenbin".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
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

/// `of_run`: the command that does the same with a run.
fn instead_of_address(command: &str, word: &str, of_run: &str) -> Option<Problem> {
    match Thing::of(word) {
        Thing::Plan => Some(is_not(command, word, Thing::Plan, Thing::Address, &["plan check", word])),
        Thing::Run => Some(is_not(command, word, Thing::Run, Thing::Address, &[of_run, word])),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::Parser;

    fn hint(line: &str) -> Option<String> {
        let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let arguments = Arguments::try_parse_from(&typed).unwrap_or_else(|error| panic!("{line}: {error}"));
        misplaced(&arguments.command, &typed).map(|problem| problem.hint.unwrap_or_default().english().to_owned())
    }

    #[test]
    fn swapped_arguments_change_places_and_everything_else_stays() {
        for (line, right) in [
            ("tenbin bench sqlite:x oltp_read_only --time 5", "tenbin bench oltp_read_only sqlite:x --time 5"),
            ("tenbin load sqlite:x oltp_insert --table-size 10k", "tenbin load oltp_insert sqlite:x --table-size 10k"),
            (
                "tenbin bench --clients=4 postgres://u@h/d?passfile=/p tpcb_like -o scale=2",
                "tenbin bench --clients=4 tpcb_like 'postgres://u@h/d?passfile=/p' -o scale=2",
            ),
        ] {
            assert_eq!(hint(line).as_deref(), Some(right));
            assert_eq!(hint(&right.replace('\'', "")), None, "it is accepted");
        }
        for command in ["check", "doctor"] {
            let line = format!("tenbin {command} plan.toml");
            assert_eq!(hint(&line).as_deref(), Some("tenbin plan check plan.toml"), "{line}");
        }
        let shown = hint("tenbin load mysql://u:geheim@h/d oltp_insert").unwrap_or_default();
        assert_eq!(shown, "tenbin load oltp_insert mysql://u@h/d");
    }
}
