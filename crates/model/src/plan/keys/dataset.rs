//! Keys of `[datasets.<name>]`; other names are options of the data set.

use super::{Key, KeyType, Setter, Table};
use crate::plan::settings::DatasetSpec;
use crate::plan::source::Outcome;
use crate::plan::value::{self, Value};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "kind",
        takes: KeyType::Form("a generator of `tenbin list`, \"script\" or \"none\""),
        default: "\"sysbench\"",
        example: "\"sysbench\"",
        meaning: "The generator of the tables. \"script\": the command prepare of the file that the option script names; all other options are the script's.",
        set: Setter::Dataset(kind),
        ..Key::of(&[Table::Dataset])
    },
    Key {
        name: "tables",
        takes: KeyType::Whole(1),
        default: "the generator's",
        example: "8",
        meaning: "Number of tables.",
        varies: true,
        set: Setter::Dataset(|spec, name, value| option(spec, name, value, 1, 100_000)),
        ..Key::of(&[Table::Dataset])
    },
    Key {
        name: "table_size",
        also: &["rows"],
        takes: KeyType::Whole(0),
        default: "the generator's",
        example: "1_000_000",
        meaning: "Rows of each table.",
        varies: true,
        set: Setter::Dataset(|spec, name, value| option(spec, name, value, 0, 1 << 40)),
        ..Key::of(&[Table::Dataset])
    },
    Key {
        name: "streams",
        takes: KeyType::Whole(1),
        default: "4",
        example: "4",
        meaning: "Number of connections that load concurrently.",
        varies: true,
        set: Setter::Dataset(|spec, name, value| {
            value::count(name, value, 1, 1024).map(|n| spec.streams = Some(n as u32))
        }),
        ..Key::of(&[Table::Dataset])
    },
];

/// The generator of the tables. Whether it exists is checked by the crate `workloads`.
fn kind(spec: &mut DatasetSpec, name: &str, value: &Value<'_>) -> Outcome {
    let kind = value::text(name, value)?;
    spec.kind = kind.to_owned();
    Ok(())
}

/// An option of many generators.
fn option(spec: &mut DatasetSpec, name: &str, value: &Value<'_>, from: u64, to: u64) -> Outcome {
    spec.options.insert(name.into(), value::count(name, value, from, to)?.to_string());
    Ok(())
}
