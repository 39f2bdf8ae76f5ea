//! Whether the targets promise the same when they say "committed": a faster server that may lose commits has answered another question.
//!
//! The settings are the servers' own; what a commit survives is read from them as the makers document it: MySQL manual 17.14
//! (`innodb_flush_log_at_trx_commit`) and 19.1.6.4 (`sync_binlog`), PostgreSQL manual 20.5 (WAL), SQLite `PRAGMA synchronous`.

use crate::answer::Language;
use crate::summary::Summary;
use std::collections::BTreeMap;

/// Settings that decide what a commit survives, in reading order.
const SETTINGS: &[&str] = &[
    "innodb_flush_log_at_trx_commit",
    "sync_binlog",
    "log_bin",
    "innodb_doublewrite",
    "journal_mode",
    "synchronous",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
];

/// What a commit that the client has seen survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// A power failure of the machine.
    PowerFailure,
    /// The server's own crash; a power failure may lose the last commits.
    Crash,
    /// Not even a crash of the server for certain: the last commits may be lost.
    Neither,
    /// A power failure may damage the database.
    Damage,
}

impl Promise {
    /// In the reader's words.
    pub fn words(self, language: Language) -> &'static str {
        match (self, language) {
            (Promise::PowerFailure, Language::English) => "commits survive a power failure",
            (Promise::PowerFailure, Language::Japanese) => "コミットは電源断でも失われない",
            (Promise::Crash, Language::English) => "a power failure may lose the last commits",
            (Promise::Crash, Language::Japanese) => "電源断で直近のコミットが失われることがある",
            (Promise::Neither, Language::English) => "even a crash of the server may lose the last commits",
            (Promise::Neither, Language::Japanese) => "サーバーの異常終了でも直近のコミットが失われることがある",
            (Promise::Damage, Language::English) => "a power failure may damage the database",
            (Promise::Damage, Language::Japanese) => "電源断でデータベースが壊れることがある",
        }
    }
}

/// Where the targets' durability differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Targets with known settings, in the plan's order.
    pub targets: Vec<String>,
    /// Settings that differ: name and each target's value, `None` where a target has no such setting.
    pub settings: Vec<(&'static str, Vec<Option<String>>)>,
    /// What a commit survives on each target, where its settings tell.
    pub promises: Vec<Option<Promise>>,
}

/// How the targets' durability differs; `None` when it does not, or is not known of two targets.
///
/// A setting counts when two targets that both have it differ in it: a MySQL server has no `synchronous`, which says nothing.
/// Databases of different kinds differ when what a commit survives differs.
pub fn difference(summary: &Summary) -> Option<Difference> {
    let known: Vec<(String, BTreeMap<&'static str, String>)> = summary
        .targets()
        .into_iter()
        .filter_map(|name| {
            let facts = summary.facts.get(&name)?;
            let set = SETTINGS.iter().filter_map(|s| Some((*s, facts.get(&format!("variable.{s}"))?.clone())));
            let set: BTreeMap<&'static str, String> = set.collect();
            (!set.is_empty()).then_some((name, set))
        })
        .collect();
    let promises: Vec<Option<Promise>> = known.iter().map(|(_, set)| promise(set)).collect();
    let of = |setting: &'static str| known.iter().map(|(_, set)| set.get(setting).cloned()).collect::<Vec<_>>();
    let differs = |values: &[Option<String>]| {
        let mut there = values.iter().flatten().map(|v| plain(v));
        there.next().is_some_and(|first| there.any(|v| v != first))
    };
    let settings: Vec<_> = SETTINGS.iter().map(|s| (*s, of(s))).filter(|(_, values)| differs(values)).collect();
    let unlike = promises.iter().flatten().any(|p| promises.iter().flatten().any(|q| p != q));
    if settings.is_empty() && !unlike {
        return None;
    }
    // Databases of different kinds share no setting: all of theirs are shown, so that the reader sees what the promise rests on.
    let settings = match settings.is_empty() {
        true => SETTINGS.iter().map(|s| (*s, of(s))).filter(|(_, v)| v.iter().any(Option::is_some)).collect(),
        false => settings,
    };
    Some(Difference { targets: known.into_iter().map(|(name, _)| name).collect(), settings, promises })
}

/// One sentence for where there is no room for a table.
pub fn sentence(difference: &Difference, language: Language) -> String {
    let names: Vec<&str> = difference.settings.iter().map(|(name, _)| *name).collect();
    match language {
        Language::English => format!(
            "Durability settings differ between the targets ({}): this is no like-for-like comparison of speed unless that is the question.",
            names.join(", ")
        ),
        Language::Japanese => format!(
            "対象間で耐久性の設定が異なります({})。その違い自体を調べる目的でなければ、同条件での速度比較にはなりません。",
            names.join("、")
        ),
    }
}

/// `ON` and `1` are one value.
fn plain(value: &str) -> String {
    match value.to_lowercase().as_str() {
        "on" | "true" | "yes" => "1".into(),
        "off" | "false" | "no" => "0".into(),
        other => other.to_owned(),
    }
}

fn promise(set: &BTreeMap<&'static str, String>) -> Option<Promise> {
    let get = |name: &str| set.get(name).map(|v| plain(v));
    if let Some(flush) = get("innodb_flush_log_at_trx_commit") {
        if get("innodb_doublewrite").as_deref() == Some("0") {
            return Some(Promise::Damage);
        }
        // With a binary log the commit is in there: what is not in it is rolled back at recovery.
        let unsynced_log = get("log_bin").as_deref() == Some("1") && get("sync_binlog").is_some_and(|v| v != "1");
        return Some(match flush.as_str() {
            "0" => Promise::Neither,
            "2" => Promise::Crash,
            _ if unsynced_log => Promise::Crash,
            _ => Promise::PowerFailure,
        });
    }
    if let Some(fsync) = get("fsync") {
        if fsync == "0" || get("full_page_writes").as_deref() == Some("0") {
            return Some(Promise::Damage);
        }
        return Some(match get("synchronous_commit").as_deref() {
            Some("0") => Promise::Neither,
            _ => Promise::PowerFailure,
        });
    }
    let (journal, synchronous) = (get("journal_mode")?, get("synchronous")?);
    Some(match (journal.as_str(), synchronous.as_str()) {
        (_, "0") | ("off" | "memory", _) => Promise::Damage,
        ("wal", "1" | "normal") => Promise::Crash,
        // A rollback journal that is not synchronised at every step may lose, rarely, more than the last commits.
        (_, "1" | "normal") => Promise::Damage,
        _ => Promise::PowerFailure,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promised(settings: &[(&'static str, &str)]) -> Option<Promise> {
        promise(&settings.iter().map(|(k, v)| (*k, (*v).to_owned())).collect())
    }

    #[test]
    fn settings_are_read_as_their_makers_document_them() {
        use Promise::{Crash, Damage, Neither, PowerFailure};
        type Case = (&'static [(&'static str, &'static str)], Option<Promise>);
        let cases: &[Case] = &[
            (&[("innodb_flush_log_at_trx_commit", "1"), ("innodb_doublewrite", "ON")], Some(PowerFailure)),
            (&[("innodb_flush_log_at_trx_commit", "2")], Some(Crash)),
            (&[("innodb_flush_log_at_trx_commit", "0")], Some(Neither)),
            (&[("innodb_flush_log_at_trx_commit", "1"), ("innodb_doublewrite", "OFF")], Some(Damage)),
            (&[("innodb_flush_log_at_trx_commit", "1"), ("log_bin", "ON"), ("sync_binlog", "1000")], Some(Crash)),
            (&[("innodb_flush_log_at_trx_commit", "1"), ("log_bin", "OFF"), ("sync_binlog", "0")], Some(PowerFailure)),
            (&[("fsync", "on"), ("synchronous_commit", "on")], Some(PowerFailure)),
            (&[("fsync", "on"), ("synchronous_commit", "off")], Some(Neither)),
            (&[("fsync", "off"), ("synchronous_commit", "on")], Some(Damage)),
            (&[("journal_mode", "wal"), ("synchronous", "1")], Some(Crash)),
            (&[("journal_mode", "wal"), ("synchronous", "2")], Some(PowerFailure)),
            (&[("journal_mode", "delete"), ("synchronous", "2")], Some(PowerFailure)),
            (&[("journal_mode", "memory"), ("synchronous", "2")], Some(Damage)),
            (&[("sync_binlog", "1")], None),
        ];
        for (settings, expected) in cases {
            assert_eq!(promised(settings), *expected, "{settings:?}");
        }
        assert_eq!((plain("ON"), plain("FULL")), ("1".to_owned(), "full".to_owned()));
    }
}
