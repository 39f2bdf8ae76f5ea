//! The trials of a plan.

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
