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
    for item in parts(text, |rest| rest.starts_with("; ")) {
        let item = item.trim_start();
        let Some((name, clients, scripts)) = one(item) else {
            return Err(Problem::new(msg!("sql-groups-wrong", item)).hint(msg!("sql-write-groups")));
        };
        all.push(WrittenGroup { name, clients, scripts: weighted(&scripts)? });
    }
    Ok(all)
}

/// The parts of a text between separators of one byte, but for those after a backslash, which belong to a name.
fn parts(text: &str, separates: impl Fn(&str) -> bool) -> Vec<&str> {
    let (mut all, mut start) = (Vec::new(), 0);
    for (at, _) in text.char_indices() {
        if !text[..at].ends_with('\\') && separates(&text[at..]) {
            all.push(&text[start..at]);
            start = at + 1;
        }
    }
    all.push(&text[start..]);
    all
}

/// The items of a list of scripts.
pub(crate) fn items(text: &str) -> impl Iterator<Item = &str> {
    parts(text, |rest| rest.starts_with([',', '\n'])).into_iter().map(str::trim)
}

/// A name as a list has it, as the plan's lists become text: a comma or a semicolon in it stands after a backslash.
fn escaped(name: &str) -> String {
    name.replace(',', "\\,").replace(';', "\\;")
}

fn plain(name: &str) -> String {
    name.replace("\\,", ",").replace("\\;", ";")
}

/// Files and their weights. Fails if there are none, or none with a weight.
fn weighted(text: &str) -> Result<Vec<(String, u64)>, Problem> {
    let mut all = Vec::new();
    for item in items(text).filter(|item| !item.is_empty()) {
        let (path, weight) = match item.rsplit_once('@') {
            Some((path, weight)) if with_weight(item).is_some() => {
                let weight = weight.parse::<u32>().map_err(|_| {
                    Problem::new(msg!("sql-weight-too-large", script = plain(item))).hint(msg!("sql-give-weights"))
                })?;
                (path, u64::from(weight))
            }
            Some((path, weight)) if is_wrong_weight(path, weight) => {
                let problem = Problem::new(msg!("sql-weight-wrong", script = plain(path), weight));
                return Err(problem.hint(msg!("sql-give-weights")));
            }
            _ => (item, 1),
        };
        all.push((plain(path), weight));
    }
    if all.is_empty() {
        return Err(Problem::new(msg!("sql-no-script")).hint(msg!("sql-give-weights")));
    }
    if all.iter().all(|(_, weight)| *weight == 0) {
        return Err(Problem::new(msg!("sql-weights-all-zero")).hint(msg!("sql-give-weights")));
    }
    Ok(all)
}

/// The path and the weight of an item, if it has one: digits behind the last `@`.
fn with_weight(item: &str) -> Option<(&str, &str)> {
    let is_weight = |weight: &str| !weight.is_empty() && weight.bytes().all(|c| c.is_ascii_digit());
    item.rsplit_once('@').filter(|(path, weight)| !path.is_empty() && is_weight(weight))
}

/// Whether an item is a file of SQL by its name, with a weight or without, or with what is meant as one.
pub(crate) fn is_script(item: &str) -> bool {
    let is_sql = |path: &str| path.len() > 4 && path.to_ascii_lowercase().ends_with(".sql");
    let before = || item.rsplit_once('@').filter(|(_, weight)| !weight.contains('/')).map_or(item, |(path, _)| path);
    is_sql(item) || is_sql(before())
}

/// Whether what follows the last `@` is meant as a weight: a number that is not whole, or one below 0, or, after a file of SQL, what is no part of a name.
fn is_wrong_weight(path: &str, weight: &str) -> bool {
    let is_number = weight.contains(|c: char| c.is_ascii_digit()) && weight.parse::<f64>().is_ok();
    !path.is_empty() && (is_number || is_script(path) && !weight.contains(['/', '.']))
}

/// The files that options name.
pub(crate) fn files(options: &OptionMap) -> Vec<String> {
    let text = |name: &str| options.get(name).map_or("", String::as_str);
    let groups = written(text(GROUPS)).unwrap_or_default();
    let alone = weighted(text(SCRIPTS)).unwrap_or_default();
    groups.into_iter().flat_map(|group| group.scripts).chain(alone).map(|(path, _)| path).collect()
}

/// Gives the files of options other names. What is wrong stays as it is, and is reported where the options are read.
pub(crate) fn rename(options: &mut OptionMap, mut name: impl FnMut(&str) -> String) {
    let mut scripts = |all: &[(String, u64)]| {
        all.iter().map(|(path, weight)| format!("{}@{weight}", escaped(&name(path)))).collect::<Vec<_>>().join(", ")
    };
    if let Some(text) = options.get_mut(SCRIPTS)
        && let Ok(all) = weighted(text)
    {
        *text = scripts(&all);
    }
    if let Some(text) = options.get_mut(GROUPS)
        && let Ok(groups) = written(text)
    {
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

    #[test]
    fn a_name_with_a_comma_is_one_name() {
        let mut options = OptionMap::from([(SCRIPTS.to_owned(), "x\\, y.sql@2, a\\;b.sql\nc.sql".to_owned())]);
        assert_eq!(files(&options), ["x, y.sql", "a;b.sql", "c.sql"]);
        rename(&mut options, |name| format!("d,e/{name}"));
        assert_eq!(options[SCRIPTS], "d\\,e/x\\, y.sql@2, d\\,e/a\\;b.sql@1, d\\,e/c.sql@1");
        assert_eq!(files(&options), ["d,e/x, y.sql", "d,e/a;b.sql", "d,e/c.sql"]);
        let groups = "oltp*2: x\\; y.sql@3; report*1: a\\,b.sql@1";
        let mut options = OptionMap::from([(GROUPS.to_owned(), groups.to_owned())]);
        assert_eq!(files(&options), ["x; y.sql", "a,b.sql"]);
        rename(&mut options, str::to_owned);
        assert_eq!(options[GROUPS], groups);
    }

    #[test]
    fn a_weight_is_a_whole_number() {
        let outcome =
            |text: &str| weighted(text).map_or_else(|problem| problem.what.to_string(), |all| format!("{all:?}"));
        for weight in ["-1", "1.5", "+1", "1e3", "", ".5", "x", "30%"] {
            let wanted = format!("the weight of nm.sql is not a whole number: {weight}");
            assert_eq!(outcome(&format!("nm.sql@{weight}")), wanted);
        }
        assert_eq!(outcome("nm.sql@5000000000"), "the weight of nm.sql@5000000000 is too large");
        for name in ["a@b.sql", "x@2.sql", "a@inf", "@1.5", "me@host/x.sql"] {
            assert_eq!(outcome(name), format!("[({name:?}, 1)]"));
        }
        // A mistake is not renamed away.
        let mut options = OptionMap::from([(SCRIPTS.to_owned(), "nm.sql@-1".to_owned())]);
        rename(&mut options, str::to_owned);
        assert_eq!(options[SCRIPTS], "nm.sql@-1");
    }
}
