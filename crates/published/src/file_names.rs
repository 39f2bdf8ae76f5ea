//! Several files side by side: their names as targets, without the number of clients that the names of a curve have, and with the directories
//! by which files of one name differ.

use crate::figure_kind::FigureKind;
use crate::load_in_names;
use crate::result::{Published, PublishedResult};
use std::collections::BTreeMap;

/// Between the parts of a name.
const SEPARATORS: [char; 5] = ['-', '_', ' ', '.', '/'];

/// The names of files: without their directories, but for those by which several of one name differ (`before/16.log`, `after/16.log`).
pub fn file_names(paths: &[&str]) -> Vec<String> {
    let parts: Vec<Vec<&str>> =
        paths.iter().map(|path| path.split('/').filter(|part| !part.is_empty() && *part != ".").collect()).collect();
    let mut of_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, parts) in parts.iter().enumerate() {
        of_name.entry(parts.last().copied().unwrap_or_default()).or_default().push(at);
    }
    let mut all: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    for (name, places) in of_name {
        let directories: Vec<&[&str]> =
            places.iter().map(|at| parts[*at].split_last().map_or(&[][..], |(_, before)| before)).collect();
        let shortest = directories.iter().map(|of| of.len()).min().unwrap_or(0);
        let same = |at: &dyn Fn(&[&str]) -> usize| {
            let first = directories[0][at(directories[0])];
            directories.iter().all(|of| of[at(of)] == first)
        };
        let before = (0..shortest).take_while(|n| same(&|_: &[&str]| *n)).count();
        let behind = (0..shortest - before).take_while(|n| same(&|of: &[&str]| of.len() - 1 - n)).count();
        for (at, of) in places.iter().zip(&directories) {
            let own = of[before..of.len() - behind].iter().copied().chain([name]);
            all[*at] = own.collect::<Vec<_>>().join("/");
        }
    }
    all
}

impl Published {
    /// With the file as the target of results that name none: for several files side by side. Of files with a number of clients in
    /// their names, which is that of their results (`8-threads.log`, `16-threads.log`), the rest of the name is the target, and none if
    /// it is the same of all: they are one curve.
    #[must_use]
    pub fn with_files_as_targets(mut self) -> Published {
        let file = |result: &PublishedResult| self.tables.get(result.table).map(|table| table.file.clone());
        let files: Vec<Option<String>> =
            self.results.iter().map(|result| if result.target.is_none() { file(result) } else { None }).collect();
        let (files, repeats): (Vec<Option<String>>, Vec<bool>) = without_runs(files);
        self.results.iter_mut().zip(repeats).for_each(|(result, is_repeat)| result.is_repeat |= is_repeat);
        let rests: Vec<Vec<String>> = files
            .iter()
            .zip(&self.results)
            .filter_map(|(file, result)| {
                let clients = result.get(FigureKind::Clients);
                file.as_ref().map(|file| clients.map_or_else(Vec::new, |clients| without_number(file, clients)))
            })
            .collect();
        // Which number of a name it is, is what leaves the same of most names; otherwise it is the last one.
        let mut of_all: BTreeMap<&str, usize> = BTreeMap::new();
        rests.iter().flatten().for_each(|rest| *of_all.entry(rest).or_default() += 1);
        let chosen: Vec<Option<&String>> =
            rests.iter().map(|rests| rests.iter().max_by_key(|rest| of_all.get(rest.as_str()))).collect();
        let is_curve = chosen.len() > 1 && chosen.iter().all(Option::is_some);
        let is_one = is_curve && chosen.windows(2).all(|two| two[0] == two[1]);
        let mut chosen = chosen.into_iter();
        // Of files of one name only their directories say more.
        let base = |file: &String| file.rsplit_once('/').map(|(_, base)| base.to_owned());
        let first = files.iter().flatten().next().and_then(base);
        let is_one_name = first.is_some() && files.iter().flatten().all(|file| base(file) == first);
        let own = |file: String| match file.rsplit_once('/') {
            Some((directories, _)) if is_one_name => directories.to_owned(),
            _ => file,
        };
        let targets: Vec<Option<String>> = files
            .into_iter()
            .map(|file| {
                let file = file?;
                let rest = chosen.next().flatten().cloned();
                if is_curve { rest.filter(|_| !is_one) } else { Some(own(file)).filter(|name| !name.is_empty()) }
            })
            .collect();
        for (result, target) in self.results.iter_mut().zip(targets) {
            result.target = result.target.take().or(target);
        }
        self
    }
}

/// The names without what numbers the runs or says when they were made, if all of several have it, and of which that numbers runs: they are
/// repeats, and no targets of their own.
fn without_runs(files: Vec<Option<String>>) -> (Vec<Option<String>>, Vec<bool>) {
    let each = files.iter().map(|file| file.as_deref().map(without_run));
    let each: Vec<Option<(String, bool)>> = each.collect();
    let n = files.iter().flatten().count();
    let has_one = |(file, of): (&Option<String>, &Option<(String, bool)>)| {
        file.as_ref().zip(of.as_ref()).is_none_or(|(file, (name, _))| file != name)
    };
    if n < 2 || !files.iter().zip(&each).all(has_one) {
        let none = vec![false; files.len()];
        return (files, none);
    }
    each.into_iter().map(|of| of.map_or((None, false), |(name, is_repeat)| (Some(name), is_repeat))).unzip()
}

/// A name without the part that numbers a run, and without a day and time; and whether it had the former.
fn without_run(file: &str) -> (String, bool) {
    let (stem, end) = file.rsplit_once('.').filter(|(_, end)| !end.contains('/')).unwrap_or((file, ""));
    let name = load_in_names::without_moment(stem);
    let part =
        |of: &str| of.split(['-', '_', ' ', '/']).find(|part| load_in_names::is_of_repeat(part)).map(str::to_owned);
    let (name, is_repeat) = match part(&name) {
        Some(run) => {
            let at = name.find(&run).unwrap_or(0);
            let (before, after) = (&name[..at], &name[at + run.len()..]);
            let rest = match before.is_empty() || before.ends_with('/') {
                true => format!("{before}{}", after.trim_start_matches(SEPARATORS)),
                false => format!("{}{after}", before.trim_end_matches(SEPARATORS)),
            };
            (rest, true)
        }
        None => (name, false),
    };
    // Nothing else is in it.
    if name.is_empty() {
        return (name, is_repeat);
    }
    if name == stem { (file.to_owned(), is_repeat) } else { (format!("{}.{end}", name.trim_matches('/')), is_repeat) }
}

/// The name of a file without its extension and without this number and what separates it: once for each place where it stands.
fn without_number(file: &str, number: f64) -> Vec<String> {
    let stem = file.rsplit_once('.').filter(|(_, end)| !end.contains('/')).map_or(file, |(stem, _)| stem);
    let (mut all, mut at) = (Vec::new(), 0);
    while at < stem.len() {
        let rest = &stem[at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 && rest[..digits].parse::<f64>().is_ok_and(|value| value == number) {
            let before = stem[..at].trim_end_matches(SEPARATORS);
            let after = rest[digits..].trim_start_matches(SEPARATORS);
            // With the word for clients beside it.
            let last = before.rsplit(SEPARATORS).next().unwrap_or_default();
            let first = after.split(SEPARATORS).next().unwrap_or_default();
            let (before, after) = match (load_in_names::is_of_clients(last), load_in_names::is_of_clients(first)) {
                (true, _) => (&before[..before.len() - last.len()], after),
                (false, true) => (before, &after[first.len()..]),
                (false, false) => (before, after),
            };
            let parts = before.split(['-', '_', ' ', '/']).chain(after.split(['-', '_', ' ', '/']));
            all.push(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-"));
        }
        at += if digits > 0 { digits } else { rest.chars().next().map_or(1, char::len_utf8) };
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::{Published, read};

    fn targets(files: &[(&str, u32)]) -> Vec<String> {
        let one = |(file, clients): &(&str, u32)| read(format!("threads,tps\n{clients},1\n"), file).unwrap();
        let all = files.iter().map(one).fold(Published::default(), Published::and).with_files_as_targets();
        all.results.iter().map(|result| result.target_name().to_owned()).collect()
    }

    #[test]
    fn files_of_one_name_differ_by_their_directories() {
        for (paths, names) in [
            (["before/16.log", "after/16.log"], ["before/16.log", "after/16.log"]),
            (["/x/mysql/run/r.csv", "/x/mariadb/run/r.csv"], ["mysql/r.csv", "mariadb/r.csv"]),
            (["./r.csv", "old/r.csv"], ["r.csv", "old/r.csv"]),
            (["x/a.csv", "y/b.csv"], ["a.csv", "b.csv"]),
            (["x/a.csv", "x/a.csv"], ["a.csv", "a.csv"]),
        ] {
            assert_eq!(super::file_names(&paths), names);
        }
        let named = |files: [&str; 2], clients: u32| {
            let one = |file: &&str| {
                let mut read = read(format!("threads,tps\n{clients},1\n"), file).unwrap();
                read.tables.iter_mut().for_each(|table| (*file).clone_into(&mut table.file));
                read
            };
            let all = files.iter().map(one).fold(Published::default(), Published::and).with_files_as_targets();
            all.results.iter().map(|result| result.target_name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(named(["before/16.log", "after/16.log"], 16), ["before", "after"]);
        assert_eq!(named(["mysql/r.csv", "mariadb/r.csv"], 16), ["mysql", "mariadb"]);
    }

    #[test]
    fn the_number_that_names_of_a_curve_differ_by_is_left_out() {
        for curve in [
            ["mysql-8.0-t8.log", "mysql-8.0-t16.log"],
            ["tpcc-8wh-8vu.log", "tpcc-8wh-16vu.log"],
            ["m5.16xlarge_8.log", "m5.16xlarge_16.log"],
            ["8-threads.log", "16-threads.log"],
        ] {
            assert_eq!(targets(&[(curve[0], 8), (curve[1], 16)]), ["", ""], "{curve:?}");
        }
        let two = [("a-8.0_8.log", 8), ("a-8.0_16.log", 16), ("b-8.0_8.log", 8), ("b-8.0_16.log", 16)];
        assert_eq!(targets(&two), ["a-8.0", "a-8.0", "b-8.0", "b-8.0"]);
        assert_eq!(targets(&[("a.log", 8), ("b-16.log", 16)]), ["a.log", "b-16.log"]);
        let words = [("a-8.0-8t.log", 8), ("a-8.0-16t.log", 16), ("b_th8.log", 8), ("b_th16.log", 16)];
        assert_eq!(targets(&words), ["a-8.0", "a-8.0", "b", "b"]);
    }

    #[test]
    fn runs_and_moments_are_no_targets() {
        let of = |files: &[&str], clients: u32| {
            let one = |file: &&str| {
                let mut read = read(format!("threads,tps\n{clients},1\n"), file).unwrap();
                read.tables.iter_mut().for_each(|table| (*file).clone_into(&mut table.file));
                read
            };
            let all = files.iter().map(one).fold(Published::default(), Published::and).with_files_as_targets();
            let repeated = crate::audit(&all).confirmed.iter().any(|message| message.is("published-repeated"));
            (all.results.iter().map(|result| result.target_name().to_owned()).collect::<Vec<_>>().join(" "), repeated)
        };
        let runs = ["run1/db1/8.log", "run1/db2/8.log", "run2/db1/8.log", "run2/db2/8.log"];
        assert_eq!(of(&runs, 8), ("db1 db2 db1 db2".to_owned(), true));
        assert_eq!(of(&["8.0.36_th8_run1.txt", "8.0.36_th8_run2.txt"], 8), (" ".to_owned(), true));
        assert_eq!(of(&["2024-01-02T030405-8.log", "2024-01-02T032005-8.log"], 8), (" ".to_owned(), false));
        assert_eq!(of(&["a-run1.log", "a-run2.log", "b-run1.log", "b-run2.log"], 8).0, "a.log a.log b.log b.log");
        assert_eq!(of(&["a-run1.log", "b.log"], 8), ("a-run1.log b.log".to_owned(), false));
    }
}
