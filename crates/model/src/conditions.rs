//! The conditions of a result in one line: workload, data, clients, pace, time, servers. It accompanies the
//! answer everywhere, so that copied figures include their conditions. Pure.

use crate::answer::Language;
use crate::dsn::Scheme;
use crate::figure;
use crate::summary::{Summary, TrialResult};
use crate::tpcc;
use crate::trial::{Arrivals, Schedule, Trial};

/// The number of rows (or bytes) of the data set of a trial; one of the facts about its tables.
pub const ROWS: &str = "tables.rows";
/// Their unit: `rows` or `bytes`; one of the facts about its tables.
pub const UNIT: &str = "tables.unit";

/// The line; `None` if no trial has started.
pub fn conditions(summary: &Summary, language: Language) -> Option<String> {
    let begun: Vec<&TrialResult> = summary.trials.iter().filter(|t| t.begun).collect();
    if begun.is_empty() {
        return None;
    }
    let words = ConditionWords(language);
    let mut parts = vec![distinct(begun.iter().map(|t| words.workload(&t.trial)), language)];
    parts.extend(words.data(&begun));
    parts.push(words.clients(&begun));
    parts.push(distinct(begun.iter().map(|t| words.schedule(&t.trial.load.schedule)), language));
    parts.push(words.time(&begun));
    parts.extend(words.servers(summary));
    if begun.iter().any(|t| t.beside_client() && !t.embedded()) {
        parts.push(words.pick("client and server on one machine", "クライアントとサーバーは同一マシン").to_owned());
    }
    Some(parts.join(words.pick("; ", "、")))
}

/// Phrases in one language.
struct ConditionWords(Language);

impl ConditionWords {
    fn pick<'t>(&self, english: &'t str, japanese: &'t str) -> &'t str {
        match self.0 {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// Its name, and for TPC-C the profile, because figures of two profiles are not comparable.
    fn workload(&self, trial: &Trial) -> String {
        match tpcc::profile(trial) {
            Some(profile) => format!("{} ({} {profile})", trial.load.workload, self.pick("profile", "プロファイル")),
            None => trial.load.workload.clone(),
        }
    }

    /// `8,000,000 rows`, if the trials report it.
    fn data(&self, begun: &[&TrialResult]) -> Option<String> {
        let sizes = begun.iter().filter_map(|t| {
            let n: u64 = t.tables.get(ROWS)?.parse().ok()?;
            Some(match t.tables.get(UNIT).map(String::as_str) {
                Some("bytes") => figure::bytes(n as f64),
                _ => format!("{} {}", figure::whole(i128::from(n)), self.pick("rows", "行")),
            })
        });
        let sizes = distinct(sizes, self.0);
        (!sizes.is_empty()).then_some(sizes)
    }

    /// `1, 4, 16 clients`.
    fn clients(&self, begun: &[&TrialResult]) -> String {
        let mut all: Vec<u32> = begun.iter().map(|t| t.trial.load.clients).collect();
        all.sort_unstable();
        all.dedup();
        let numbers = few(all.iter().map(u32::to_string).collect(), self.0);
        match (self.0, all.as_slice()) {
            (Language::English, [1]) => "1 client".to_owned(),
            (Language::English, _) => format!("{numbers} clients"),
            (Language::Japanese, _) => format!("{numbers} クライアント"),
        }
    }

    fn schedule(&self, schedule: &Schedule) -> String {
        match schedule {
            Schedule::Closed => self.pick("closed loop", "クローズドループ").to_owned(),
            Schedule::Open { rate, arrivals, .. } => {
                let arrivals = match arrivals {
                    Arrivals::Even => self.pick("even", "等間隔"),
                    Arrivals::Poisson => "Poisson",
                };
                let rate = figure::grouped(*rate);
                match self.0 {
                    Language::English => format!("{rate} transactions per second asked ({arrivals})"),
                    Language::Japanese => format!("毎秒 {rate} 件を指定({arrivals})"),
                }
            }
        }
    }

    /// `measured for 60 s, 3 times`.
    fn time(&self, begun: &[&TrialResult]) -> String {
        let span = |ns: u64| {
            let seconds = ns as f64 / 1e9;
            match self.0 {
                _ if seconds < 10.0 => format!("{seconds:.1} {}", self.pick("s", "秒")),
                Language::English => figure::span(seconds),
                Language::Japanese => figure::span_ja(seconds),
            }
        };
        let measured = begun.iter().map(|t| t.measured_ns()).filter(|ns| *ns > 0);
        let (least, most) = (measured.clone().min().unwrap_or(0), measured.max().unwrap_or(0));
        let long = match (span(least), span(most)) {
            (a, b) if a == b => a,
            (a, b) => format!("{a}{}{b}", self.pick(" to ", "〜")),
        };
        let repeats = begun.iter().map(|t| t.trial.repeat).max().unwrap_or(1);
        match (self.0, repeats) {
            (Language::English, 1) => format!("measured for {long}, once"),
            (Language::English, n) => format!("measured for {long}, {n} times"),
            (Language::Japanese, n) => format!("計測 {long} × {n} 回"),
        }
    }

    /// `old: MySQL 5.7.44, new: MySQL 8.0.31`; one name where all are the same.
    fn servers(&self, summary: &Summary) -> Option<String> {
        let named: Vec<(String, String)> =
            summary.targets().into_iter().filter_map(|t| Some((product(summary, &t)?, t))).collect();
        let (first, _) = named.first()?;
        if named.iter().all(|(product, _)| product == first) {
            return Some(first.clone());
        }
        let each = named.iter().map(|(product, target)| format!("{target}: {product}")).collect::<Vec<_>>();
        Some(each.join(self.pick(", ", "、")))
    }
}

/// The product and version according to a target's facts: `MariaDB 10.11.19`.
fn product(summary: &Summary, target: &str) -> Option<String> {
    let facts = summary.facts.get(target)?;
    let version = facts.get("version").filter(|v| !v.is_empty())?;
    let trial = summary.trials.iter().find(|t| t.trial.target.name == target)?;
    let number = version.split(['-', ' ', '(']).next().unwrap_or(version);
    let name = match trial.trial.target.scheme() {
        Scheme::Mysql if version.contains("MariaDB") => "MariaDB",
        Scheme::Mysql => match facts.get("variable.version_comment") {
            // A server with MySQL's protocol is not always MySQL; its version comment says what it is.
            Some(words) if !words.is_empty() && !words.contains("MySQL") => {
                return Some(format!("{words} ({version})"));
            }
            _ => "MySQL",
        },
        Scheme::Postgres => "PostgreSQL",
        Scheme::Sqlite => "SQLite",
        Scheme::Null | Scheme::Host => return None,
    };
    Some(format!("{name} {number}"))
}

/// Each text once, in the order of first use.
fn distinct(texts: impl Iterator<Item = String>, language: Language) -> String {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    few(all, language)
}

/// A list; if it is long, only its ends.
fn few(all: Vec<String>, language: Language) -> String {
    let comma = if language == Language::Japanese { "・" } else { ", " };
    match all.as_slice() {
        [first, .., last] if all.len() > 8 => format!("{first}{comma}…{comma}{last}"),
        _ => all.join(comma),
    }
}
