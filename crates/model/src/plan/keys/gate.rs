//! Keys of `[gate]`.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "max_regression",
        takes: KeyType::Form("list of figures with percentages"),
        example: "[\"p99 5%\", \"tps 3%\"]",
        meaning: "The largest regression of each figure (tps, qps, nopm, seconds, mean, p50 to p99.9) that tenbin gate accepts of a run of this plan, unless --max-regression says otherwise.",
        set: Setter::Section,
        ..Key::of(&[Table::Gate])
    },
    Key {
        name: "check",
        takes: KeyType::Form("list of conditions"),
        example: "[\"p99 < 20ms\", \"errors < 0.1%\", \"tps > 500\"]",
        meaning: "Limits without another run: tps and nopm above a number, mean, p50 to p99.9, max and seconds below a time, errors below a percentage; with <= and >= it may be exactly that (errors <= 0%). tenbin gate RUN checks them in every cell, and exits with 4.",
        set: Setter::Section,
        ..Key::of(&[Table::Gate])
    },
    Key {
        name: "undecided",
        takes: KeyType::Words(&["pass", "fail"]),
        default: "\"pass\"",
        example: "\"fail\"",
        meaning: "What a limit does to the gate that the runs do not decide.",
        set: Setter::Section,
        ..Key::of(&[Table::Gate])
    },
];
