//! Keys of `[hosts]`.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Hosts],
        name: "at",
        also: &[],
        takes: KeyType::Form("`local`, `ray://HEAD:PORT`, or a list of ssh destinations"),
        default: "`local`",
        example: "[\"bench@load-1\", \"ssh://bench@load-2:2222\"]",
        meaning: "Where the load hosts are: processes of this machine, nodes of the Ray cluster with this head (port 6379 unless given), or machines that ssh reaches without a password. These need the same version of Tenbin; to nodes of Ray it is carried.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Hosts],
        name: "count",
        also: &[],
        takes: KeyType::Whole(0),
        default: "",
        example: "2",
        meaning: "How many load hosts drive each trial together. Required for processes of this machine and for nodes of Ray; of a list, the number taken from its start.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Hosts],
        name: "config",
        also: &[],
        takes: KeyType::Form("path"),
        default: "",
        example: "\"ssh.conf\"",
        meaning: "Another configuration file for ssh than the user's.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Hosts],
        name: "program",
        also: &[],
        takes: KeyType::Form("path"),
        default: "`tenbin`; with Ray, a copy of this one",
        example: "\"/opt/tenbin/bin/tenbin\"",
        meaning: "The program on the load hosts, if they are other machines.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Hosts],
        name: "if_lost",
        also: &[],
        takes: KeyType::Form("`stop`, `continue`"),
        default: "`stop`",
        example: "\"continue\"",
        meaning: "What follows if a load host is lost: the trial ends and has failed, or the others go on and it is DEGRADED.",
        varies: false,
        set: Setter::Section,
    },
];
