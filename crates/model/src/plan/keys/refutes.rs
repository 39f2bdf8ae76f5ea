//! Keys of `[refutes]`.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Refutes],
        name: "limit",
        also: &[],
        takes: KeyType::Form("a limit's name in JSON"),
        default: "",
        example: "\"row-locks\"",
        meaning: "The limit that the run puts to the test; \"none\": that nothing was at its limit. Required.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Refutes],
        name: "changes",
        also: &[],
        takes: KeyType::Form("text"),
        default: "",
        example: "\"load.clients\"",
        meaning: "What is changed: the key with two values in the matrix (the first one is that of the diagnosed trial), or the key that the second target lacks.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Refutes],
        name: "expects",
        also: &[],
        takes: KeyType::Form("\"tps >= R\", \"tps < R\", \"holds\", \"in-time\" or \"keeps-up\""),
        default: "",
        example: "\"tps >= 0.9\"",
        meaning: "What is to be expected with the change if the limit is the right one: the throughput over that without it; or that the rate is held, that transactions start when they are due, that the replicas keep up. Required.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Refutes],
        name: "run",
        also: &[],
        takes: KeyType::Form("text"),
        default: "",
        example: "\"hot 2026-11-27T07:52:44Z\"",
        meaning: "The run whose diagnosis is tested: its name, and when it started.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Refutes],
        name: "trial",
        also: &[],
        takes: KeyType::Whole(0),
        default: "",
        example: "1",
        meaning: "The number of its trial.",
        varies: false,
        set: Setter::Section,
    },
];
