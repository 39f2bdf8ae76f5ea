//! Finds the line of a plan that a problem with a server variable is about.

use tenbin_model::dsn::{Scheme, sqlite_options};
use tenbin_targets::sandbox;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The line of a plan in which a server variable is set, with its number: for this target, or in the matrix.
pub fn line_of(plan: &str, target: &str, variable: &str) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let sets = |line: &str| {
        let plain = line.replace('-', "_");
        let line = plain.split('#').next().unwrap_or_default();
        line.match_indices(&variable.replace('-', "_")).any(|(at, found)| {
            let after = line[at + found.len()..].trim_start_matches(['"', '\'', ' ', '\t']);
            !line[..at].ends_with(part) && after.starts_with('=')
        })
    };
    let lines = || (1..).zip(plan.lines());
    let heads = [format!("[targets.{target}]"), format!("[targets.\"{target}\"]")];
    let own = lines().skip_while(|(_, line)| !heads.iter().any(|head| line.trim() == head));
    let found = own.chain(lines()).find(|(_, line)| sets(line));
    found.map(|(number, line)| format!("{number} | {}", line.trim_end()))
}

/// The problem that the binary of a sandbox does not know a variable of the plan.
pub fn misspelt(binary: &str, target: &str, plan: &str, unknown: &sandbox::Unknown) -> Problem {
    let line = line_of(plan, target, &unknown.name);
    let problem = Problem::new(msg!("target-has-no-variable", target, binary, variable = unknown.name))
        .evidence(foreign(line.unwrap_or_else(|| format!("server.{}", unknown.name))));
    match &unknown.nearest {
        Some(nearest) => problem.hint(msg!("did-you-mean", nearest)),
        None => problem.hint(match sandbox::scheme(binary) {
            Scheme::Postgres => msg!("describe-config-lists-variables", binary),
            Scheme::Sqlite => msg!("use-one-of-all", names = sqlite_options().join(", ")),
            _ => msg!("verbose-help-lists-variables", binary),
        }),
    }
}

/// The problem that the binary of a sandbox does not take a value of the plan.
pub fn not_taken(binary: &str, target: &str, plan: &str, wrong: &sandbox::WrongValue) -> Problem {
    let sandbox::WrongValue { name, value, said, becomes, right, default, words } = wrong;
    let line = line_of(plan, target, name).unwrap_or_else(|| format!("server.{name} = {value:?}"));
    let becomes = becomes.as_ref().map(|becomes| msg!("server-would-have", value = becomes));
    let said = (!said.is_empty()).then(|| foreign(said));
    let evidence = Message::joined([Some(foreign(line)), said, becomes].into_iter().flatten(), "\n");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_its_line_in_the_plan() {
        let plan = "schema = 1\n[targets.b]\nserver = { max_connections = 9 }\n[targets.a]\n# max_connections = 1\n\
                    server.max-connections = 12\nserver.max_connect = 3\n[experiment.matrix]\n\"server.sync_binlog\" = [0, 1]\n";
        let line = |target, name| line_of(plan, target, name).unwrap_or_default();
        assert_eq!(line("a", "max_connections"), "6 | server.max-connections = 12");
        assert_eq!(line("b", "max_connections"), "3 | server = { max_connections = 9 }");
        assert_eq!(line("a", "max_connect"), "7 | server.max_connect = 3");
        assert_eq!(line("a", "sync_binlog"), "9 | \"server.sync_binlog\" = [0, 1]");
        assert_eq!(line("a", "connections"), "");
    }
}
