//! The trials of a plan, and a line for each.

use tenbin_model::plan::{Plan, expand};
use tenbin_model::trial::Trial;

pub const TWO: &str = r#"
    schema = 1
    [targets]
    a = { sandbox = "mariadbd" }
    b = { sandbox = "mysqld" }
    [[experiment]]
    name = "e"
    load.workload = "oltp_read_write"
    repeats = 2
"#;

/// The trials of a plan that has no mistakes.
pub fn trials(text: &str) -> Vec<Trial> {
    expand(&Plan::parse(text, &super::catalog()).unwrap_or_else(|problems| panic!("{problems:#?}")))
}

/// One line per trial: number, experiment, target, cell, repeat, axes.
pub fn lines(trials: &[Trial]) -> String {
    let line = |t: &Trial| {
        let axes: Vec<_> = t.axes.iter().map(|(k, v)| format!("{k}={v}")).collect();
        format!(
            "{} {} {} cell {} repeat {} {}",
            t.number,
            t.experiment,
            t.target.name,
            t.cell,
            t.repeat,
            axes.join(" ")
        )
    };
    trials.iter().map(line).collect::<Vec<_>>().join("\n")
}
