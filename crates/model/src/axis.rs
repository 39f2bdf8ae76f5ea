//! Readable names of the axes of a matrix: `load.clients` is "clients", a cell of it "8 clients". Used by answer, page and tables.

use crate::answer::Language;

/// A field of the plan that has a readable name.
struct AxisName {
    key: &'static str,
    /// English and Japanese name, for an axis or a column.
    name: (&'static str, &'static str),
    /// English and Japanese, with `{}` in place of a value.
    cell: (&'static str, &'static str),
}

/// Fields with a readable name; all others are named as in the plan.
const KNOWN: &[AxisName] = &[
    AxisName {
        key: "load.clients", name: ("clients", "クライアント数"), cell: ("{} clients", "{} クライアント")
    },
    AxisName {
        key: "load.rate",
        name: ("transactions per second asked", "指定レート(件/秒)"),
        cell: ("rate {}/s", "毎秒 {} 件"),
    },
    AxisName { key: "load.workload", name: ("workload", "ワークロード"), cell: ("{}", "{}") },
    AxisName {
        key: "dataset", name: ("data set", "データセット"), cell: ("data set {}", "データセット {}")
    },
    AxisName { key: "dataset.tables", name: ("tables", "テーブル数"), cell: ("{} tables", "{} テーブル") },
    AxisName {
        key: "dataset.table_size",
        name: ("rows per table", "テーブルあたりの行数"),
        cell: ("{} rows per table", "テーブルあたり {} 行"),
    },
];

/// The name of an axis; `None` if it has only the plan's key.
pub fn name(key: &str, language: Language) -> Option<&'static str> {
    let known = KNOWN.iter().find(|k| k.key == key)?;
    Some(pick(known.name, language))
}

/// A description of a cell's matrix values: `8 clients, oltp_insert`. Empty if nothing is varied.
pub fn cell(axes: &[(String, String)], language: Language) -> String {
    let one = |(key, value): &(String, String)| match KNOWN.iter().find(|k| k.key == key) {
        // The singular for one.
        Some(k) if language == Language::English && value == "1" && k.cell.0.ends_with('s') => {
            k.cell.0.trim_end_matches('s').replace("{}", value)
        }
        Some(k) => pick(k.cell, language).replace("{}", value),
        None => format!("{key} {value}"),
    };
    axes.iter().map(one).collect::<Vec<_>>().join(if language == Language::Japanese { "、" } else { ", " })
}

fn pick(pair: (&'static str, &'static str), language: Language) -> &'static str {
    match language {
        Language::English => pair.0,
        Language::Japanese => pair.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_said_as_people_say_them() {
        let axes =
            |k: &str, v: &str| vec![(k.to_owned(), v.to_owned()), ("load.ps_mode".to_owned(), "disable".to_owned())];
        assert_eq!(cell(&axes("load.clients", "8"), Language::English), "8 clients, load.ps_mode disable");
        assert_eq!(cell(&axes("load.clients", "1"), Language::English), "1 client, load.ps_mode disable");
        assert_eq!(cell(&axes("load.clients", "1"), Language::Japanese), "1 クライアント、load.ps_mode disable");
        assert_eq!(cell(&[], Language::Japanese), "");
        assert_eq!(
            (name("load.rate", Language::Japanese), name("x", Language::English)),
            (Some("指定レート(件/秒)"), None)
        );
    }
}
