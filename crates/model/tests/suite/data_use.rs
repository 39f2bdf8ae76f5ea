//! When the data of a plan's trials are restored.

use crate::common;

use tenbin_model::data_use::DataUses;
use tenbin_model::plan::{Plan, expand, outline};
use tenbin_model::trial::Restore;

/// The trials in their order by the rows of their tables and their clients, with a star where the data are restored; and how
/// often `plan check` says so.
fn restored(rule: &str, axes: &str) -> String {
    let plan = format!(
        "schema = 1\n[targets.a]\nsandbox = \"sqlite\"\n[[experiment]]\nrepeats = 2\norder = \"sequential\"\n\
         restore = \"{rule}\"\n[experiment.load]\nworkload = \"oltp_read_write\"\n[experiment.matrix]\n{axes}\n"
    );
    let plan = Plan::parse(&plan, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let (trials, mut uses) = (expand(&plan), DataUses::default());
    let text = trials.iter().map(|trial| {
        let star = if uses.rule(trial) == Restore::BeforeRun { "*" } else { "" };
        uses.used_by(trial);
        let rows = trial.dataset.options.get("table_size").map(|rows| format!("/{rows}")).unwrap_or_default();
        format!("{}{rows}{star}", trial.load.clients)
    });
    let text = text.collect::<Vec<_>>().join(" ");
    format!("{rule}: {text} = {}", outline(&trials, |_| 0).loads)
}

#[test]
fn data_are_restored_when_the_rule_says_so() {
    let (clients, sizes) =
        ("\"load.clients\" = [1, 2]", "\"load.clients\" = [1, 2]\n\"dataset.table_size\" = [10, 20]");
    let rules = ["before-run", "before-cell", "before-dataset", "never", "require"];
    let all: Vec<String> = [clients, sizes].iter().flat_map(|axes| rules.map(|rule| restored(rule, axes))).collect();
    insta::assert_snapshot!(all.join("\n"), @"
    before-run: 1* 1* 2* 2* = 4
    before-cell: 1* 1 2* 2 = 2
    before-dataset: 1* 1 2 2 = 1
    never: 1 1 2 2 = 1
    require: 1 1 2 2 = 0
    before-run: 1/10* 1/10* 2/10* 2/10* 1/20* 1/20* 2/20* 2/20* = 8
    before-cell: 1/10* 1/10 2/10* 2/10 1/20* 1/20 2/20* 2/20 = 4
    before-dataset: 1/10* 1/10 2/10 2/10 1/20* 1/20 2/20 2/20 = 2
    never: 1/10 1/10 2/10 2/10 1/20 1/20 2/20 2/20 = 2
    require: 1/10 1/10 2/10 2/10 1/20 1/20 2/20 2/20 = 0
    ");
}
