//! Keys of `[refutes]`.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "limit",
        takes: KeyType::Form("a limit's name in JSON"),
        example: "\"row-locks\"",
        meaning: "The limit that the run puts to the test; \"none\": that nothing was at its limit. Required.",
        set: Setter::Section,
        ..Key::of(&[Table::Refutes])
    },
    Key {
        name: "changes",
        takes: KeyType::Form("text"),
        example: "\"load.clients\"",
        meaning: "What is changed: the key with two values in the matrix (the first one is that of the diagnosed trial), or the key that the second target lacks.",
        set: Setter::Section,
        ..Key::of(&[Table::Refutes])
    },
    Key {
        name: "expects",
        takes: KeyType::Form("\"tps >= R\", \"tps < R\", \"holds\", \"in-time\" or \"keeps-up\""),
        example: "\"tps >= 0.9\"",
        meaning: "What is to be expected with the change if the limit is the right one: the throughput over that without it; or that the rate is held, that transactions start when they are due, that the replicas keep up. Required.",
        set: Setter::Section,
        ..Key::of(&[Table::Refutes])
    },
    Key {
        name: "run",
        takes: KeyType::Form("text"),
        example: "\"hot 2026-11-27T07:52:44Z\"",
        meaning: "The run whose diagnosis is tested: its name, and when it started.",
        set: Setter::Section,
        ..Key::of(&[Table::Refutes])
    },
    Key {
        name: "trial",
        takes: KeyType::Whole(0),
        example: "1",
        meaning: "The number of its trial.",
        set: Setter::Section,
        ..Key::of(&[Table::Refutes])
    },
];
