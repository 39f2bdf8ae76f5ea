//! Keys at the top of a plan.

use super::{Key, KeyType, Setter, Table};
use crate::plan::source::Diagnostic;
use crate::plan::value::{self, Value};
use tenbin_words::msg;

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Top],
        name: "schema",
        also: &[],
        takes: KeyType::Form("1"),
        default: "",
        example: "1",
        meaning: "The version of the plan's shape.",
        varies: false,
        set: Setter::Plan(|_, _, value| schema(value)),
    },
    Key {
        tables: &[Table::Top],
        name: "name",
        also: &[],
        takes: KeyType::Form("text"),
        default: "the first experiment's name, else its workloads",
        example: "\"flash-or-cloud\"",
        meaning: "The name of the run directory and the page.",
        varies: false,
        set: Setter::Plan(|plan, name, value| value::text(name, value).map(|text| text.clone_into(&mut plan.name))),
    },
    Key {
        tables: &[Table::Top],
        name: "seed",
        also: &[],
        takes: KeyType::Whole(0),
        default: "1",
        example: "20251121",
        meaning: "The seed of everything random: the order of trials, keys and values.",
        varies: false,
        set: Setter::Plan(|plan, name, value| {
            value::count(name, value, 0, i64::MAX as u64).map(|seed| plan.seed = seed)
        }),
    },
    Key {
        tables: &[Table::Top],
        name: "lang",
        also: &[],
        takes: KeyType::Words(&["en", "ja"]),
        default: "the environment's",
        example: "\"ja\"",
        meaning: "The language of the page.",
        varies: false,
        set: Setter::Plan(|plan, name, value| {
            let lang = value::word(name, value, &[("en", "en"), ("ja", "ja")])?;
            plan.lang = Some(lang.to_owned());
            Ok(())
        }),
    },
    Key {
        tables: &[Table::Top],
        name: "defaults",
        also: &[],
        takes: KeyType::Form("table"),
        default: "",
        example: "{ repeats = 3 }",
        meaning: "Defaults for all experiments.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "metrics",
        also: &[],
        takes: KeyType::Form("table"),
        default: "",
        example: "{ interval = \"1s\" }",
        meaning: "Settings of the observers.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "gate",
        also: &[],
        takes: KeyType::Form("table"),
        default: "",
        example: "{ max_regression = [\"p99 5%\", \"tps 3%\"] }",
        meaning: "Limits of tenbin gate for runs of the plan.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "hosts",
        also: &[],
        takes: KeyType::Form("table"),
        default: "",
        example: "{ count = 2 }",
        meaning: "Load hosts that drive each trial together.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "refutes",
        also: &[],
        takes: KeyType::Form("table"),
        default: "",
        example: "{ limit = \"row-locks\", changes = \"load.clients\", expects = \"tps >= 0.9\" }",
        meaning: "The limit that a run of the plan puts to the test; a diagnosis writes it into the plan that would refute it.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "targets",
        also: &[],
        takes: KeyType::Form("tables by name"),
        default: "",
        example: "{ a = { dsn = \"null:\" } }",
        meaning: "The systems to compare; their names appear in tables and charts.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "datasets",
        also: &[],
        takes: KeyType::Form("tables by name"),
        default: "",
        example: "{ small = { tables = 1 } }",
        meaning: "The data sets in the databases.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Top],
        name: "experiment",
        also: &["experiments"],
        takes: KeyType::Form("list of tables"),
        default: "",
        example: "[{ load = { workload = \"oltp_point_select\" } }]",
        meaning: "What is run: targets, data set, load and the matrix of varied parameters.",
        varies: false,
        set: Setter::Section,
    },
];

/// The version of the format.
fn schema(value: &Value<'_>) -> Result<(), Diagnostic> {
    match value::count("schema", value, 0, u64::from(u32::MAX))? {
        1 => Ok(()),
        other => Err(Diagnostic::new(msg!("plan-schema-unknown", schema = other), msg!("write-schema-or-update"))),
    }
}
