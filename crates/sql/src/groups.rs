//! Groups of clients with scripts of their own, as the plan's `[[experiment.load.group]]` become the option `groups`:
//! `oltp*16: pay.sql@30, look.sql@70; report*1: report.sql@1`.

use crate::language::Choice;
use crate::options::{GROUPS, SCRIPTS};
use std::ops::Range;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, Resolved};

/// A group as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenGroup {
    /// Empty if there are no groups.
    pub(crate) name: String,
    pub(crate) clients: u32,
    /// Files and weights.
    pub(crate) scripts: Vec<(String, u64)>,
}

/// The clients that choose among the same scripts.
#[derive(Debug)]
pub(crate) struct ScriptGroup {
    /// The number after that of its last client.
    pub(crate) end: u32,
    /// Its scripts among those of all groups.
    pub(crate) scripts: Range<usize>,
    pub(crate) choice: Choice,
}

/// The groups that the options describe: those of `groups`, or one without a name of all clients.
pub(crate) fn of_options(options: &OptionMap) -> Result<Vec<WrittenGroup>, Problem> {
    let (o, one) = (Resolved(options), |scripts| WrittenGroup { name: String::new(), clients: u32::MAX, scripts });
    match o.text(GROUPS) {
        "" => Ok(vec![one(weighted(o.text(SCRIPTS))?)]),
        _ if !o.text(SCRIPTS).is_empty() => {
            Err(Problem::new(msg!("sql-groups-and-scripts")).hint(msg!("keep-one-you-mean")))
        }
        text => written(text),
    }
}

/// Reads them.
fn written(text: &str) -> Result<Vec<WrittenGroup>, Problem> {
    let one = |item: &str| {
        let (head, scripts) = item.split_once(": ")?;
        let (name, clients) = head.rsplit_once('*')?;
        Some((name.to_owned(), clients.parse().ok()?, scripts.to_owned()))
    };
    let mut all = Vec::new();
    for item in text.split("; ") {
        let Some((name, clients, scripts)) = one(item) else {
            return Err(Problem::new(msg!("sql-groups-wrong", item)).hint(msg!("sql-write-groups")));
        };
        all.push(WrittenGroup { name, clients, scripts: weighted(&scripts)? });
    }
    Ok(all)
}

/// Files and their weights. Fails if there are none, or none with a weight.
fn weighted(text: &str) -> Result<Vec<(String, u64)>, Problem> {
    let mut all = Vec::new();
    for item in text.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty()) {
        let (path, weight) = match item.rsplit_once('@') {
            Some((path, weight))
                if !path.is_empty() && weight.bytes().all(|c| c.is_ascii_digit()) && !weight.is_empty() =>
            {
                let weight = weight.parse::<u32>().map_err(|_| {
                    Problem::new(msg!("sql-weight-too-large", script = item)).hint(msg!("sql-give-weights"))
                })?;
                (path, u64::from(weight))
            }
            _ => (item, 1),
        };
        all.push((path.to_owned(), weight));
    }
    if all.is_empty() {
        return Err(Problem::new(msg!("sql-no-script")).hint(msg!("sql-give-weights")));
    }
    if all.iter().all(|(_, weight)| *weight == 0) {
        return Err(Problem::new(msg!("sql-weights-all-zero")).hint(msg!("sql-give-weights")));
    }
    Ok(all)
}

/// The files that options name.
pub(crate) fn files(options: &OptionMap) -> Vec<String> {
    let text = |name: &str| options.get(name).map_or("", String::as_str);
    let groups = written(text(GROUPS)).unwrap_or_default();
    let alone = weighted(text(SCRIPTS)).unwrap_or_default();
    groups.into_iter().flat_map(|group| group.scripts).chain(alone).map(|(path, _)| path).collect()
}

/// Gives the files of options other names.
pub(crate) fn rename(options: &mut OptionMap, mut name: impl FnMut(&str) -> String) {
    let mut scripts = |all: &[(String, u64)]| {
        all.iter().map(|(path, weight)| format!("{}@{weight}", name(path))).collect::<Vec<_>>().join(", ")
    };
    if let Some(text) = options.get_mut(SCRIPTS).filter(|text| !text.is_empty()) {
        *text = scripts(&weighted(text).unwrap_or_default());
    }
    if let Some(text) = options.get_mut(GROUPS).filter(|text| !text.is_empty()) {
        let groups = written(text).unwrap_or_default();
        let mut one = |group: &WrittenGroup| format!("{}*{}: {}", group.name, group.clients, scripts(&group.scripts));
        *text = groups.iter().map(&mut one).collect::<Vec<_>>().join("; ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_as_they_are_written() {
        let text = "oltp*16: pay.sql@30, dir: x/look.sql@70; report*1: report.sql@1";
        let mut options = OptionMap::from([(GROUPS.to_owned(), text.to_owned()), (SCRIPTS.to_owned(), String::new())]);
        let all = of_options(&options).expect("groups");
        let shown: Vec<String> = all.iter().map(|g| format!("{} {} {:?}", g.name, g.clients, g.scripts)).collect();
        assert_eq!(shown, ["oltp 16 [(\"pay.sql\", 30), (\"dir: x/look.sql\", 70)]", "report 1 [(\"report.sql\", 1)]"]);
        assert_eq!(files(&options), ["pay.sql", "dir: x/look.sql", "report.sql"]);
        rename(&mut options, str::to_owned);
        assert_eq!(options[GROUPS], text);
        options.insert(SCRIPTS.to_owned(), "a.sql".to_owned());
        assert!(of_options(&options).is_err(), "not both");
        for wrong in ["oltp: a.sql", "oltp*x: a.sql", "oltp*1: a.sql@0", "oltp*1"] {
            assert!(written(wrong).is_err(), "{wrong}");
        }
    }
}
