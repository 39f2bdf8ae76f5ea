//! The line of a plan in which a server variable is set, by the positions that the parser of TOML gives.

use super::path::Path;
use super::source::numbered_line;
use super::spelling::server_name;
use super::value::{Value, in_order};
use std::ops::Range;
use tenbin_words::message::Message;
use toml::de::{DeTable, DeValue};

/// The line, with its number, in which the variable of this target is set: in the target, on an axis, or in an experiment. `None`
/// if the plan does not set it, or is not TOML. Passwords are left out.
pub fn line_of_variable(plan: &str, target: &str, variable: &str) -> Option<Message> {
    let variable = server_name(variable);
    let document = DeTable::parse(plan).ok()?;
    let top = document.get_ref();
    let own = table(top, "targets").and_then(|all| table(all, target)).and_then(|target| set_by(target, &variable));
    let experiments: Vec<&DeTable<'_>> = match top.get("experiment").map(|value| value.get_ref()) {
        Some(DeValue::Array(all)) => all.iter().filter_map(|value| value.get_ref().as_table()).collect(),
        Some(DeValue::Table(one)) => vec![one],
        _ => Vec::new(),
    };
    let axes: Vec<(Path, Range<usize>)> =
        experiments.iter().filter_map(|e| table(e, "matrix")).flat_map(axes).collect();
    let axis = |path: Path| axes.iter().find(|(of, _)| *of == path).map(|(_, span)| span.clone());
    let span = own
        .or_else(|| axis(Path::TargetServer(target.to_owned(), variable.clone())))
        .or_else(|| axis(Path::Server(variable.clone())))
        .or_else(|| experiments.iter().find_map(|experiment| set_by(experiment, &variable)))?;
    Some(numbered_line(plan, span.start))
}

fn table<'t, 'a>(of: &'t DeTable<'a>, name: &str) -> Option<&'t DeTable<'a>> {
    of.get(name)?.get_ref().as_table()
}

/// Where `server` of this table has the variable.
fn set_by(of: &DeTable<'_>, variable: &str) -> Option<Range<usize>> {
    let server = table(of, "server")?;
    server.iter().find(|(name, _)| server_name(name.get_ref()) == variable).map(|(name, _)| name.span())
}

/// The variables that a matrix varies: `"server.x" = […]`, and `server.x = […]`, which TOML reads as tables in tables.
fn axes(matrix: &DeTable<'_>) -> Vec<(Path, Range<usize>)> {
    fn walk(name: &str, span: Range<usize>, value: &Value<'_>, into: &mut Vec<(Path, Range<usize>)>) {
        match (Path::of(name), value.get_ref()) {
            (Ok(path @ (Path::Server(_) | Path::TargetServer(..))), _) => into.push((path, span)),
            (_, DeValue::Table(inner)) => {
                for (key, value) in in_order(inner) {
                    walk(&format!("{name}.{}", key.get_ref()), key.span(), value, into);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    for (key, value) in in_order(matrix) {
        walk(key.get_ref(), key.span(), value, &mut all);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_the_line_of_its_own_target() {
        let plan = "schema = 1\n[targets.b]\nserver = { max_connections = 9 }\n[targets.a]\n# max_connections = 1\n\
                    server.max-connections = 12\nserver.max_connect = 3\n[[experiment]]\n[experiment.matrix]\n\
                    \"server.sync_binlog\" = [0, 1]\nserver.a_b = [1]\ntargets.b.server.max_connect = [5]\n";
        let line = |target, name| line_of_variable(plan, target, name).unwrap_or_default();
        assert_eq!(line("a", "max_connections"), "6 | server.max-connections = 12");
        assert_eq!(line("b", "max_connections"), "3 | server = { max_connections = 9 }");
        assert_eq!(line("a", "max_connect"), "7 | server.max_connect = 3");
        assert_eq!(line("b", "max_connect"), "12 | targets.b.server.max_connect = [5]");
        assert_eq!(line("a", "sync_binlog"), "10 | \"server.sync_binlog\" = [0, 1]");
        assert_eq!(line("b", "a_b"), "11 | server.a_b = [1]");
        assert_eq!([line("a", "connections"), line("c", "max_connections")], ["", ""]);
    }

    /// All targets in one table, in lines of their own: a line of another target is never shown.
    #[test]
    fn targets_in_inline_tables_are_told_apart() {
        let plan = "schema = 1\n[targets]\na = { dsn = \"null:\" }\nb.server.x_y = 'x_y = 1'\n\
                    c = { sandbox = \"mysqld\", \"server\" = { \"x-y\" = 2 } }\n\"d e\" = { server.x_y = 3 }\n\
                    [[experiment]]\nserver = { x_z = 4 }\n";
        let line = |target, name| line_of_variable(plan, target, name).unwrap_or_default();
        assert_eq!(line("a", "x_y"), "");
        assert_eq!(line("b", "x_y"), "4 | b.server.x_y = 'x_y = 1'");
        assert_eq!(line("c", "x_y"), "5 | c = { sandbox = \"mysqld\", \"server\" = { \"x-y\" = 2 } }");
        assert_eq!(line("d e", "x_y"), "6 | \"d e\" = { server.x_y = 3 }");
        assert_eq!(line("a", "x_z"), "8 | server = { x_z = 4 }");
    }
}
