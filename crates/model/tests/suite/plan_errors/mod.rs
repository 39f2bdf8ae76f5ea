//! What a user reads when a plan is wrong: text in, text out, one test per kind of mistake.
//! Every message stands here word for word.

mod cloud;
use crate::common;
mod later;
mod many;
mod matrix;
mod parts;
mod restore;
mod text;
mod warmup;

use tenbin_model::plan::Plan;

/// All that is wrong with a plan, as a user reads it.
fn told(text: &str) -> String {
    let problems = Plan::parse(text, &common::catalog()).expect_err("this plan should be refused");
    problems.iter().map(|p| format!("{p}\n")).collect::<Vec<_>>().join("\n")
}

const HEAD: &str = r#"schema = 1
[targets.mysql]
dsn = "mysql://bench@db-a:3306/sbtest"
[targets.maria]
sandbox = "mariadbd"
[datasets.sb]
tables = 16
[[experiment]]
dataset = "sb"
"#;

fn with(rest: &str) -> String {
    told(&format!("{HEAD}{rest}"))
}
