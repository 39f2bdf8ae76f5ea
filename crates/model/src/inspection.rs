//! What a server says of itself right before and right after the load of a trial, and whether it is still the same in between. Pure.

use crate::names::tables::{DEFINITION, SEPARATOR};
use crate::variables::{changes_by_itself, plain};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the fact that identifies a server.
pub const IDENTITY: &str = "identity";

/// When a server was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// Before the clients connect.
    Before,
    /// After they have ended.
    After,
}

/// What a server says of itself, in one statement where its kind permits it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerInspection {
    /// What makes it different from all others, whatever its address.
    pub identity: String,
    /// Its version.
    pub version: String,
    /// Seconds since its start, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uptime_s: Option<f64>,
    /// When it was started, in its own words (PostgreSQL).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The connections since its start (MySQL).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
    /// Whether it replicates from another one, and what makes it read-only: `read_only ON`.
    pub role: Vec<String>,
    /// Facts by their names in recordings: `variable.…`, `status.…`. A recording has only those that the plan sets, and
    /// those that decide what a commit survives.
    pub facts: BTreeMap<String, String>,
    /// Variables that do not have the value that the plan asks for: the value asked for, and the value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unlike: BTreeMap<String, [String; 2]>,
    /// What was set while the server ran, as far as it says so: global variables of MySQL with time and account, of MariaDB those that a
    /// statement has set; of PostgreSQL the time at which it last read its configuration, under [`CONFIGURATION`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
}

/// The name of all settings together, of a server that reads them at once.
pub const CONFIGURATION: &str = "configuration";

/// What the identity of a file of SQLite begins with: it is that of a trial only, since a golden copy takes its place.
pub const FILE: &str = "file ";

/// The identity where there is no file of that name.
pub const NO_FILE: &str = "no file";

/// How a variable of MariaDB was set, if no time is known: by a statement, now or long ago.
pub const SET_BY_STATEMENT: &str = "SQL";

/// Facts about a server, or its variables, by name.
pub type ServerFacts = BTreeMap<String, String>;

/// Facts that changed: the former value and the present one.
pub type Changes = BTreeMap<String, [String; 2]>;

/// The clocks of servers count whole seconds, and the answer takes some time.
const SLACK_S: f64 = 2.0;

impl ServerInspection {
    /// Whether the server was started again before `after`, which was read this many seconds later.
    pub fn was_restarted(&self, after: &ServerInspection, elapsed_s: f64) -> bool {
        let both = |of: fn(&ServerInspection) -> Option<f64>| of(self).zip(of(after));
        let has_other_start = self.started.as_ref().zip(after.started.as_ref()).is_some_and(|(a, b)| a != b);
        let is_younger = both(|i| i.uptime_s).is_some_and(|(a, b)| b + SLACK_S < a + elapsed_s);
        let counts_anew = self.connections.zip(after.connections).is_some_and(|(a, b)| b < a);
        has_other_start || is_younger || counts_anew
    }

    /// The facts that have another value in `after`, except for those that change while a server works.
    pub fn changes(&self, after: &ServerInspection) -> Changes {
        changes(&self.facts, &after.facts)
    }

    /// What was set since, of what has the same value in `after`: the name, and when or how, if the server says it.
    pub fn set_meanwhile<'a>(&'a self, after: &'a ServerInspection) -> impl Iterator<Item = (&'a String, &'a String)> {
        // A time that is not known any more, because somebody emptied what the server counts, is none of a change.
        let is_later = move |name: &String, how: &String| {
            self.set.get(name).is_none_or(|known| known != how && how != SET_BY_STATEMENT)
        };
        after.set.iter().filter(move |(name, how)| is_later(name, how) && !changes_by_itself(name))
    }

    /// Its facts with its identity, unless that is of a file.
    pub fn all_facts(&self) -> BTreeMap<String, String> {
        let lasts = !self.identity.is_empty() && self.identity != NO_FILE && !self.identity.starts_with(FILE);
        let identity = lasts.then(|| (IDENTITY.to_owned(), self.identity.clone()));
        self.facts.clone().into_iter().chain(identity).collect()
    }

    /// What its tables consist of: each item with their names without the numbers at the ends, and in how many of them it is. `None` if nothing is known of
    /// tables.
    pub fn parts_of_tables(&self) -> Option<String> {
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let mut tables: BTreeMap<String, u32> = BTreeMap::new();
        for (fact, items) in &self.facts {
            let Some(table) = fact.strip_prefix(DEFINITION) else { continue };
            for item in items.split(SEPARATOR).filter(|item| LASTING.iter().any(|kind| item.starts_with(kind))) {
                *tables.entry(format!("{} {}", stem(table), stem(item))).or_default() += 1;
            }
        }
        let named = |(part, tables): (String, u32)| if tables > 1 { format!("{part} ({tables})") } else { part };
        let mut all = tables.into_iter().map(named).collect::<Vec<_>>().join(SEPARATOR);
        all.truncate(all.floor_char_boundary(MOST_PARTS));
        (!all.is_empty()).then_some(all)
    }

    /// The same with these facts only.
    pub fn with_facts(&self, kept: impl Fn(&str) -> bool) -> ServerInspection {
        let facts = self.facts.iter().filter(|(name, _)| kept(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
        ServerInspection { facts, ..self.clone() }
    }
}

/// The most bytes that are recorded of what tables consist of: a server may say more than there is.
const MOST_PARTS: usize = 64 << 10;

/// How the items of a table begin that are the same when it is loaded again.
const LASTING: [&str; 5] = ["column ", "index ", "trigger ", "rule ", "option "];

/// Facts that both have, with values that differ; of lists only the items that one of both has.
pub fn changes(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Changes {
    let changed = |(name, now): (&String, &String)| {
        let former = before.get(name).filter(|former| plain(former) != plain(now))?;
        let by_itself = changes_by_itself(name.strip_prefix("variable.").unwrap_or(name));
        let is_list = name.starts_with(DEFINITION);
        let values = if is_list { [without(former, now), without(now, former)] } else { [former.clone(), now.clone()] };
        (!by_itself).then(|| (name.clone(), values))
    };
    after.iter().filter_map(changed).collect()
}

/// The items of a list that another one does not have.
pub(crate) fn without(list: &str, other: &str) -> String {
    let others: Vec<&str> = other.split(SEPARATOR).collect();
    let own: Vec<&str> = list.split(SEPARATOR).filter(|item| !others.contains(item)).collect();
    if own.is_empty() { "–".to_owned() } else { own.join(SEPARATOR) }
}

/// An inspection of a trial's server, as recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspected {
    /// When, nanoseconds since the run started.
    pub at_ns: u64,
    /// What it said.
    pub inspection: ServerInspection,
    /// What differs from the inspection before the load.
    pub changed: Changes,
}

/// The inspections of a server around the load of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AroundLoad {
    /// Right before the load; `None` if it was not asked, or did not answer.
    pub before: Option<Inspected>,
    /// Right after it.
    pub after: Option<Inspected>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_file_are_no_fact_of_its_target() {
        let facts = |identity: &str| {
            ServerInspection { identity: identity.to_owned(), ..ServerInspection::default() }.all_facts().len()
        };
        assert_eq!(["db 3306", "file 2049:7", NO_FILE, ""].map(facts), [1, 0, 0, 0]);
    }

    fn up(uptime_s: f64, connections: u64) -> ServerInspection {
        ServerInspection { uptime_s: Some(uptime_s), connections: Some(connections), ..ServerInspection::default() }
    }

    #[test]
    fn a_restart_is_seen_by_the_age_of_the_server_or_by_its_counters() {
        for (before, after, elapsed_s, restarted) in [
            (up(1000.0, 10), up(1010.0, 30), 10.4, false),
            (up(0.0, 10), up(9.0, 30), 10.9, false),
            (up(1000.0, 10), up(4.0, 30), 10.0, true),
            (up(5.0, 10), up(8.0, 30), 20.0, true),
            (up(1.0, 10), up(1.0, 4), 1.0, true),
        ] {
            assert_eq!(before.was_restarted(&after, elapsed_s), restarted, "{before:?} {after:?}");
        }
        let started = |text: &str| ServerInspection { started: Some(text.into()), ..ServerInspection::default() };
        assert!(started("12:00").was_restarted(&started("12:01"), 1.0));
        assert!(!started("12:00").was_restarted(&started("12:00"), 90.0));
        assert!(!ServerInspection::default().was_restarted(&ServerInspection::default(), 90.0), "nothing is known");
    }

    #[test]
    fn what_was_set_meanwhile_has_a_later_time_or_was_not_set_before() {
        let set = |all: &[(&str, &str)]| ServerInspection {
            set: all.iter().map(|(name, how)| ((*name).to_owned(), (*how).to_owned())).collect(),
            ..ServerInspection::default()
        };
        for (before, after, expected) in [
            (set(&[]), set(&[("a", SET_BY_STATEMENT)]), 1),
            (set(&[("a", SET_BY_STATEMENT)]), set(&[("a", SET_BY_STATEMENT)]), 0),
            (set(&[("a", SET_BY_STATEMENT)]), set(&[("a", "12:01")]), 1),
            (set(&[("a", "12:00")]), set(&[("a", "12:00")]), 0),
            (set(&[("a", "12:00")]), set(&[("a", "12:01")]), 1),
            (set(&[("a", "12:00")]), set(&[("a", SET_BY_STATEMENT)]), 0),
        ] {
            assert_eq!(before.set_meanwhile(&after).count(), expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn what_tables_consist_of_lasts_when_they_are_loaded_again() {
        let parts = |tables: &[(&str, &str)]| {
            let facts = tables.iter().map(|(name, items)| (format!("{DEFINITION}{name}"), (*items).to_owned()));
            ServerInspection { facts: facts.collect(), ..ServerInspection::default() }.parts_of_tables()
        };
        let first = [("t1", "column id; created 10:00; index k_1; number 7"), ("t2", "column id; index k_2; number 8")];
        let again = [("t1", "column id; created 11:00; index k_1; number 9"), ("t2", "column id; index k_2")];
        assert_eq!(parts(&first).as_deref(), Some("t column id (2); t index k_ (2)"));
        assert_eq!(parts(&first), parts(&again));
        let dropped = [first[0], ("t2", "column id")];
        assert_eq!(parts(&dropped).as_deref(), Some("t column id (2); t index k_"));
        assert_eq!((parts(&[]), parts(&[("t", "–")])), (None, None));
    }

    #[test]
    fn of_a_list_only_what_differs_is_a_change() {
        let facts = |list: &str| [(format!("{DEFINITION}t"), list.to_owned())].into();
        let changed = changes(&facts("column id; index a"), &facts("column id; index b; number 2"));
        assert_eq!(changed.into_values().collect::<Vec<_>>(), [["index a", "index b; number 2"]]);
        assert!(changes(&facts("column id"), &facts("column id")).is_empty());
    }

    #[test]
    fn what_changes_by_itself_is_no_change() {
        let facts = |pairs: &[(&str, &str)]| pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let before = facts(&[("variable.gtid_executed", "a:1"), ("variable.x", "ON"), ("variable.y", "1")]);
        let after = facts(&[("variable.gtid_executed", "a:2"), ("variable.x", "1"), ("variable.y", "2"), ("new", "")]);
        assert_eq!(changes(&before, &after), [("variable.y".to_owned(), ["1".into(), "2".into()])].into());
    }
}
