//! Keys of `[gate]`.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[Key {
    tables: &[Table::Gate],
    name: "max_regression",
    also: &[],
    takes: KeyType::Form("list of figures with percentages"),
    default: "",
    example: "[\"p99 5%\", \"tps 3%\"]",
    meaning: "The largest regression of each figure (tps, nopm, seconds, mean, p50 to p99.9) that tenbin gate accepts of a run of this plan, unless --max-regression says otherwise.",
    varies: false,
    set: Setter::Section,
}];
