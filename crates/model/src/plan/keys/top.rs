//! Keys at the top of a plan.

use super::{Key, KeyType, Setter, Table};
use crate::plan::source::Diagnostic;
use crate::plan::value::{self, Value};
use tenbin_words::msg;

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "schema",
        takes: KeyType::Form("1"),
        example: "1",
        meaning: "The version of the plan's shape.",
        set: Setter::Plan(|_, _, value| schema(value)),
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "name",
        takes: KeyType::Form("text"),
        default: "the first experiment's name, else its workloads",
        example: "\"flash-or-cloud\"",
        meaning: "The name of the run directory and the page.",
        set: Setter::Plan(|plan, name, value| value::text(name, value).map(|text| text.clone_into(&mut plan.name))),
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "seed",
        takes: KeyType::Whole(0),
        default: "1",
        example: "20251121",
        meaning: "The seed of everything random: the order of trials, keys and values.",
        set: Setter::Plan(|plan, name, value| {
            value::count(name, value, 0, i64::MAX as u64).map(|seed| plan.seed = seed)
        }),
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "lang",
        takes: KeyType::Words(&["en", "ja"]),
        default: "the environment's",
        example: "\"ja\"",
        meaning: "The language of the page.",
        set: Setter::Plan(|plan, name, value| {
            let lang = value::word(name, value, &[("en", "en"), ("ja", "ja")])?;
            plan.lang = Some(lang.to_owned());
            Ok(())
        }),
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "defaults",
        takes: KeyType::Form("table"),
        example: "{ repeats = 3 }",
        meaning: "Defaults for all experiments.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "metrics",
        takes: KeyType::Form("table"),
        example: "{ interval = \"1s\" }",
        meaning: "Settings of the observers.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "gate",
        takes: KeyType::Form("table"),
        example: "{ max_regression = [\"p99 5%\", \"tps 3%\"] }",
        meaning: "Limits of tenbin gate for runs of the plan.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "hosts",
        takes: KeyType::Form("table"),
        example: "{ count = 2 }",
        meaning: "Load hosts that drive each trial together.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "refutes",
        takes: KeyType::Form("table"),
        example: "{ limit = \"row-locks\", changes = \"load.clients\", expects = \"tps >= 0.9\" }",
        meaning: "The limit that a run of the plan puts to the test; a diagnosis writes it into the plan that would refute it.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "targets",
        takes: KeyType::Form("tables by name"),
        example: "{ a = { dsn = \"null:\" } }",
        meaning: "The systems to compare; their names appear in tables and charts.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "datasets",
        takes: KeyType::Form("tables by name"),
        example: "{ small = { tables = 1 } }",
        meaning: "The data sets in the databases.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
    Key {
        name: "experiment",
        also: &["experiments"],
        takes: KeyType::Form("list of tables"),
        example: "[{ load = { workload = \"oltp_point_select\" } }]",
        meaning: "What is run: targets, data set, load and the matrix of varied parameters.",
        set: Setter::Section,
        ..Key::of(&[Table::Top])
    },
];

/// The version of the format.
fn schema(value: &Value<'_>) -> Result<(), Diagnostic> {
    match value::count("schema", value, 0, u64::from(u32::MAX))? {
        1 => Ok(()),
        other => Err(Diagnostic::new(msg!("plan-schema-unknown", schema = other), msg!("write-schema-or-update"))),
    }
}
