//! Problems with the server variables of a plan, with their line in it.

use tenbin_model::dsn::{Scheme, sqlite_options};
use tenbin_model::plan::line_of_variable;
use tenbin_servers::sandbox;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The problem that the binary of a sandbox does not know a variable of the plan.
pub fn misspelt(binary: &str, target: &str, plan: &str, unknown: &sandbox::Unknown) -> Problem {
    let line = line_of_variable(plan, target, &unknown.name).unwrap_or_else(|| assigned(&unknown.name, None));
    let problem = Problem::new(msg!("target-has-no-variable", target, binary, variable = unknown.name)).evidence(line);
    match &unknown.nearest {
        Some(nearest) => problem.hint(msg!("did-you-mean", nearest)),
        None => problem.hint(match sandbox::scheme(binary) {
            Scheme::Postgres => msg!("describe-config-lists-variables", binary),
            Scheme::Sqlite => msg!("use-one-of-all", names = sqlite_options().join(", ")),
            _ => msg!("verbose-help-lists-variables", binary),
        }),
    }
}

/// The problem that a variable of the plan would lead a private server out of its directory, with its line.
pub fn leading_out(target: &str, plan: &str, name: &str, problem: Problem) -> Problem {
    let line = line_of_variable(plan, target, name).unwrap_or_else(|| assigned(name, None));
    Problem { what: msg!("target-leads-out", target, what = problem.what), ..problem }.evidence(line)
}

/// The problem that the binary of a sandbox does not take a value of the plan.
pub fn not_taken(binary: &str, target: &str, plan: &str, wrong: &sandbox::WrongValue) -> Problem {
    let sandbox::WrongValue { name, value, complaint, becomes, right, default, words } = wrong;
    let line = line_of_variable(plan, target, name).unwrap_or_else(|| assigned(name, Some(value)));
    let becomes = becomes.as_ref().map(|becomes| msg!("server-would-have", value = becomes));
    let message = (!complaint.is_empty()).then(|| foreign(complaint));
    let evidence = Message::joined([Some(line), message, becomes].into_iter().flatten(), "\n");
    let what = msg!("target-refuses-value", target, binary, variable = name, value = format_args!("{value:?}"));
    let problem = Problem::new(what).evidence(evidence);
    let written = |value: &String| if value.parse::<i64>().is_ok() { value.clone() } else { format!("{value:?}") };
    let key = format!("server.{name}");
    match (right, default) {
        (Some(right), _) => problem.hint(msg!("write-key", key, value = written(right))),
        (None, _) if !words.is_empty() => problem.hint(msg!("use-one-of-all", names = words.join(", "))),
        (None, Some(default)) => problem.hint(msg!("write-key-for-example", key, value = written(default))),
        (None, None) => problem.hint(match sandbox::scheme(binary) {
            Scheme::Postgres => msg!("look-up-pg-setting", name),
            Scheme::Sqlite => foreign(format_args!("https://www.sqlite.org/pragma.html#pragma_{name}")),
            _ => msg!("look-up-server-option", name),
        }),
    }
}

/// A variable that no line of the plan names, as one would.
fn assigned(name: &str, value: Option<&String>) -> Message {
    let key = format!("server.{name}");
    foreign(value.map_or(key.clone(), |value| format!("{key} = {value:?}")))
}
