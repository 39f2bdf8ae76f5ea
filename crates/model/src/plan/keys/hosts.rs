//! Keys of `[hosts]`.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "at",
        takes: KeyType::Form("`local`, `ray://HEAD:PORT`, or a list of ssh destinations"),
        default: "`local`",
        example: "[\"bench@load-1\", \"ssh://bench@load-2:2222\"]",
        meaning: "Where the load hosts are: processes of this machine, nodes of the Ray cluster with this head (port 6379 unless given), or machines that ssh reaches without a password. These need the same version of Tenbin; to nodes of Ray it is carried.",
        set: Setter::Section,
        ..Key::of(&[Table::Hosts])
    },
    Key {
        name: "count",
        takes: KeyType::Whole(0),
        example: "2",
        meaning: "How many load hosts drive each trial together. Required for processes of this machine and for nodes of Ray; of a list, the number taken from its start.",
        set: Setter::Section,
        ..Key::of(&[Table::Hosts])
    },
    Key {
        name: "config",
        takes: KeyType::Form("path"),
        example: "\"ssh.conf\"",
        meaning: "Another configuration file for ssh than the user's.",
        set: Setter::Section,
        ..Key::of(&[Table::Hosts])
    },
    Key {
        name: "program",
        takes: KeyType::Form("path"),
        default: "`tenbin`; with Ray, a copy of this one",
        example: "\"/opt/tenbin/bin/tenbin\"",
        meaning: "The program on the load hosts, if they are other machines.",
        set: Setter::Section,
        ..Key::of(&[Table::Hosts])
    },
    Key {
        name: "if_lost",
        takes: KeyType::Form("`stop`, `continue`"),
        default: "`stop`",
        example: "\"continue\"",
        meaning: "What follows if a load host is lost: the trial ends and has failed, or the others go on and it is DEGRADED.",
        set: Setter::Section,
        ..Key::of(&[Table::Hosts])
    },
];
