//! The table `tenbin_tpcc` besides the nine: the seed and C-Load of the population, and which parts of it have been
//! loaded. A part's rows and its row here are one transaction, so an interrupted load continues without duplicate rows.

use super::part::Part;
use super::population::TableRows;
use super::set::Set;
use std::collections::BTreeMap;
use tenbin_driver::{Class, Connection, Error};
use tenbin_workload::tables::dialect::Dialect;

/// The row that records a run with the profile of tpcc-mysql.
const TPCC_MYSQL_RAN: &str = "profile tpcc-mysql";

/// Its name.
pub(super) const NAME: &str = "tenbin_tpcc";

/// Its columns.
pub(super) const COLUMNS: [&str; 2] = ["name", "value"];

/// The statement that creates it.
pub(super) fn create(dialect: Dialect, engine: &str) -> String {
    let tail = if dialect == Dialect::Mysql { format!(" ENGINE = {engine}") } else { String::new() };
    format!(
        "CREATE TABLE IF NOT EXISTS {NAME}(name VARCHAR(64) NOT NULL PRIMARY KEY, value VARCHAR(64) NOT NULL){tail}"
    )
}

/// Its content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    pub(super) seed: u64,
    pub(super) c_load: u64,
    pub(super) layout: String,
    pub(super) foreign_keys: bool,
    /// Whether the tables existed, empty, and were created by somebody else.
    pub(super) adopted: bool,
    /// Sets of tables.
    pub(super) tables: u64,
    /// Whether the names of the only set have a number too.
    pub(super) numbered: bool,
    /// How many warehouses the last load was to load, in each set.
    pub(super) wanted: u64,
    /// How many are complete, indexes and keys included.
    pub(super) complete: u64,
    /// Rows of each part that has been loaded.
    pub(super) parts: BTreeMap<Part, u64>,
    /// Whether the statements of tpcc-mysql ever ran on these tables.
    pub(super) tpcc_mysql_ran: bool,
    /// Steps after the rows that are done: `index customer`, `keys customer`.
    pub(super) steps: Vec<String>,
}

/// Reads all of it; `None` if there is no such table, or its content is not ours.
pub(super) async fn read(c: &mut Connection) -> Result<Option<Metadata>, Error> {
    let table = match c.table("SELECT name, value FROM tenbin_tpcc").await {
        Ok(table) => table,
        Err(error) if error.class() == Class::Sql => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut all = BTreeMap::new();
    for row in table.rows {
        if let Ok([Some(name), Some(value)]) = <[_; 2]>::try_from(row) {
            all.insert(name, value);
        }
    }
    Ok(of(&all))
}

/// Interprets its rows.
fn of(all: &BTreeMap<String, String>) -> Option<Metadata> {
    let number = |name: &str| all.get(name)?.parse::<u64>().ok();
    let mut metadata = Metadata {
        seed: number("seed")?,
        c_load: number("c_load")?,
        layout: all.get("layout")?.clone(),
        foreign_keys: all.get("foreign_keys")? == "on",
        adopted: all.get("adopted").is_some_and(|v| v == "on"),
        // Loads by versions without sets did not record it.
        tables: number("tables").unwrap_or(1),
        numbered: all.get("numbered").is_some_and(|v| v == "on"),
        wanted: number("wanted")?,
        complete: number("complete")?,
        tpcc_mysql_ran: all.contains_key(TPCC_MYSQL_RAN),
        ..Metadata::default()
    };
    for (name, value) in all {
        if let Some(part) = name.strip_prefix("part ") {
            let (table, w) = part.split_once(' ')?;
            let (table, set) = Set::split(table)?;
            let what = TableRows::ALL.into_iter().find(|what| what.table() == table)?;
            metadata.parts.insert(Part { what, set, w: w.parse().ok()? }, value.parse().ok()?);
        } else if name.starts_with("index ") || name.starts_with("keys ") {
            metadata.steps.push(name.clone());
        }
    }
    Some(metadata)
}

impl Metadata {
    /// The sets that were loaded.
    pub(super) fn sets(&self) -> Vec<Set> {
        Set::all(self.tables, self.numbered)
    }

    /// Rows of these parts that have been loaded.
    pub(super) fn rows(&self, of: impl Iterator<Item = Part>) -> u64 {
        of.filter_map(|part| self.parts.get(&part)).sum()
    }

    /// Whether the last load is complete.
    pub(super) fn finished(&self) -> bool {
        self.complete == self.wanted
    }

    /// The initial rows of a new table.
    pub(super) fn first(&self) -> Vec<(&'static str, String)> {
        vec![
            ("seed", self.seed.to_string()),
            ("c_load", self.c_load.to_string()),
            ("layout", self.layout.clone()),
            ("foreign_keys", (if self.foreign_keys { "on" } else { "off" }).to_owned()),
            ("adopted", (if self.adopted { "on" } else { "off" }).to_owned()),
            ("tables", self.tables.to_string()),
            ("numbered", (if self.numbered { "on" } else { "off" }).to_owned()),
            ("wanted", self.wanted.to_string()),
            ("complete", self.complete.to_string()),
        ]
    }
}

/// The name of a part's row.
pub(super) fn part(part: Part) -> String {
    format!("part {} {}", part.set.named(part.what.table()), part.w)
}

/// Adds a row; fails if it exists.
pub(super) async fn add(c: &mut Connection, name: &str, value: &str) -> Result<(), Error> {
    c.query(&format!("INSERT INTO {NAME} (name, value) VALUES ('{name}', '{value}')")).await.map(|_| ())
}

/// Records, once, that the statements of tpcc-mysql run on these tables: a check must know. An account that may not
/// write here may still run.
pub(super) async fn tpcc_mysql_runs(c: &mut Connection) -> Result<(), Error> {
    match add(c, TPCC_MYSQL_RAN, "ran").await {
        Err(error) if error.class() == Class::Lost => Err(error),
        _ => Ok(()),
    }
}

/// Changes a row.
pub(super) async fn set(c: &mut Connection, name: &str, value: u64) -> Result<(), Error> {
    c.query(&format!("UPDATE {NAME} SET value='{value}' WHERE name='{name}'")).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let metadata = Metadata {
            seed: 7,
            c_load: 200,
            layout: "spec".into(),
            adopted: true,
            tables: 2,
            numbered: true,
            wanted: 3,
            ..Metadata::default()
        };
        let mut all: BTreeMap<String, String> = metadata.first().into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        assert_eq!(of(&all), Some(metadata.clone()));
        let (alone, second) = (Set::ALONE, Set::numbered(2));
        let [a, b] = [alone, second].map(|set| Part { what: TableRows::OrderLine, set, w: 12 });
        assert_eq!([part(a), part(b)], ["part order_line 12", "part order_line2 12"]);
        all.insert(part(a), "300123".into());
        all.insert(part(b), "300124".into());
        all.insert("index stock".into(), "1".into());
        let parts = BTreeMap::from([(a, 300_123), (b, 300_124)]);
        let wanted = Metadata { parts, steps: vec!["index stock".into()], ..metadata };
        assert_eq!(of(&all), Some(wanted.clone()));
        all.remove("tables");
        assert_eq!(of(&all), Some(Metadata { tables: 1, ..wanted }), "a load of before there were sets");
        all.insert(TPCC_MYSQL_RAN.into(), "ran".into());
        assert!(of(&all).unwrap().tpcc_mysql_ran);
        all.insert("part sbtest 1".into(), "1".into());
        assert_eq!(of(&all), None, "not ours");
    }
}
