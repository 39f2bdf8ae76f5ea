//! Keys of `[hosts]`.

use super::{Key, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Hosts],
        name: "at",
        also: &[],
        takes: "`local`",
        default: "`local`",
        example: "\"local\"",
        meaning: "Where the load hosts are: local, processes of this machine.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Hosts],
        name: "count",
        also: &[],
        takes: "whole number",
        default: "",
        example: "2",
        meaning: "How many load hosts drive each trial together. Required.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Hosts],
        name: "if_lost",
        also: &[],
        takes: "`stop`, `continue`",
        default: "`stop`",
        example: "\"continue\"",
        meaning: "What follows if a load host is lost: the trial ends and has failed, or the others go on and it is DEGRADED.",
        varies: false,
        set: Setter::Section,
    },
];
