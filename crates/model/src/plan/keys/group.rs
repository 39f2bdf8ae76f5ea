//! Keys of `[[experiment.load.group]]`.

use super::{Key, KeyType, Setter, Table};
use crate::plan::source::Diagnostic;
use crate::plan::value;
use tenbin_words::msg;

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "name",
        takes: KeyType::Form("letters, digits, - and _"),
        example: "\"oltp\"",
        meaning: "Its name, with which those of its transactions and statements begin.",
        set: Setter::Group(|group, name, value| {
            let text = value::text(name, value)?;
            let is_name = text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_');
            if !is_name || text.len() > 40 {
                let what = msg!("key-cannot-be", key = name, value = format_args!("{text:?}"));
                return Err(Diagnostic::new(what, msg!("name-of-group")));
            }
            group.name = text.to_owned();
            Ok(())
        }),
        ..Key::of(&[Table::Group])
    },
    Key {
        name: "scripts",
        also: &["script"],
        takes: KeyType::Form("list of files, each with its weight"),
        example: "[\"pay.sql@30\", \"look.sql@70\"]",
        meaning: "What its clients execute; each transaction is one of them.",
        set: Setter::Group(|group, name, value| value::option(name, value).map(|text| group.scripts = text)),
        ..Key::of(&[Table::Group])
    },
    Key {
        name: "clients",
        also: &["threads", "connections"],
        takes: KeyType::Whole(1),
        default: "1",
        example: "16",
        meaning: "Number of its clients.",
        set: Setter::Group(|group, name, value| {
            value::count(name, value, 1, 1_000_000).map(|n| group.clients = n as u32)
        }),
        ..Key::of(&[Table::Group])
    },
    Key {
        name: "rate",
        takes: KeyType::Number,
        default: "0",
        example: "0.5",
        meaning: "Intended starts per second of its clients together; 0: each client starts again as soon as it has ended.",
        set: Setter::Group(|group, name, value| {
            group.rate = value::number(name, value)?;
            match group.rate > 1e9 {
                true => Err(Diagnostic::new(msg!("rate-too-high"), msg!("give-starts-per-second"))),
                false => Ok(()),
            }
        }),
        ..Key::of(&[Table::Group])
    },
];
