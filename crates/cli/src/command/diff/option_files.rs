//! What option files of MySQL and MariaDB set, for servers: a column for each server that a file is for.
//!
//! A file that somebody has posted may include directories of their machine: what it includes is read only below its own directory,
//! and all of it is said.

use super::keep;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tenbin_driver::credentials::option_file::{self, OptionLine, Setting};
use tenbin_model::log_options;
use tenbin_model::variables::{self, ServerVariables};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// This many files are read in all.
const MOST_FILES: usize = 200;

/// A file with groups for more servers is not one of settings.
const MOST_SERVERS: usize = 256;

/// What a file sets.
pub(super) struct FileSettings {
    /// One column, or one for each version or instance that the file has a group for.
    pub columns: Vec<ServerVariables>,
    /// Which files it includes, and which of them were read.
    pub notes: Vec<Problem>,
}

/// Reads the file at this path, whose text was read already. The message says why its groups are not read.
pub(super) fn read(path: &Path, text: &str) -> Result<FileSettings, Message> {
    let own = path
        .parent()
        .and_then(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent }.canonicalize().ok());
    let mut included = Included { own: own.unwrap_or_default(), ..Included::default() };
    included.take(path, text);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let groups: BTreeSet<&str> = included.settings.iter().map(|setting| setting.group.as_str()).collect();
    // Versions, and instances of mysqld_multi.
    let special: Vec<&str> = groups.into_iter().filter(|group| matches!(of_group(group), Some(Some(_)))).collect();
    if special.len() > MOST_SERVERS {
        return Err(msg!("diff-too-many-columns", columns = special.len(), most = MOST_SERVERS));
    }
    let columns = match special.as_slice() {
        [] => vec![column(name, &included.settings, None)],
        special => {
            special.iter().map(|group| column(format!("{name} [{group}]"), &included.settings, Some(group))).collect()
        }
    };
    let list = |all: &[PathBuf]| Message::list(all.iter().map(|path| foreign(path.display())));
    let mut notes = Vec::new();
    if !included.read.is_empty() {
        notes.push(Problem::new(msg!("diff-includes-read", file = path.display(), files = list(&included.read))));
    }
    if !included.left.is_empty() {
        let what = msg!("diff-includes-left", file = path.display(), files = list(&included.left));
        notes.push(Problem::new(what).hint(msg!("diff-includes-left-hint")));
    }
    let is_off = |setting: &&Setting| {
        let value = setting.value.as_deref().map(variables::plain);
        of_group(&setting.group).is_some()
            && variables::canonical_name(&setting.name) == "log_bin"
            && value.is_some_and(|value| value == "0")
    };
    for setting in included.settings.iter().filter(is_off) {
        let value = setting.value.clone().unwrap_or_default();
        notes.push(Problem::new(msg!("diff-log-bin-name", file = path.display(), value)));
    }
    notes.extend(included.broken);
    Ok(FileSettings { columns, notes })
}

/// What a file and those that it includes set, in order.
#[derive(Default)]
struct Included {
    /// The directory of the file.
    own: PathBuf,
    settings: Vec<Setting>,
    read: Vec<PathBuf>,
    left: Vec<PathBuf>,
    /// Included files of which nothing is used.
    broken: Vec<Problem>,
}

impl Included {
    fn take(&mut self, path: &Path, text: &str) {
        let lines = match option_file::lines(text) {
            Ok(lines) => lines,
            Err(line) => return self.broken.push(line.problem(path)),
        };
        for line in lines {
            match line {
                OptionLine::Group(_) => {}
                OptionLine::Set(setting) => self.settings.push(setting),
                OptionLine::Include(path) => self.include(&path),
                OptionLine::IncludeAll(dir) if self.is_below(&dir) => {
                    option_file::files_of(&dir).iter().for_each(|path| self.include(path));
                }
                OptionLine::IncludeAll(dir) => self.left.push(dir),
            }
        }
    }

    fn include(&mut self, path: &Path) {
        if !self.is_below(path) {
            return self.left.push(path.to_owned());
        }
        if self.read.len() < MOST_FILES && !self.read.iter().any(|read| read == path) {
            self.read.push(path.to_owned());
            // Those that cannot be read are passed over, as MySQL's programs do.
            let text = tenbin_intake::regular_file(path, option_file::MOST_BYTES).unwrap_or_default();
            self.take(path, &String::from_utf8_lossy(&text));
        }
    }

    fn is_below(&self, path: &Path) -> bool {
        !self.own.as_os_str().is_empty() && path.canonicalize().is_ok_and(|path| path.starts_with(&self.own))
    }
}

/// What the groups of a server set, and one of its version or instance. Of several settings of a variable the last one counts.
fn column(name: String, settings: &[Setting], own: Option<&str>) -> ServerVariables {
    let mut column = ServerVariables { name, is_partial: true, ..ServerVariables::default() };
    let is_read = |group: &str| of_group(group).is_some_and(|special| special.is_none() || Some(group) == own);
    let mut of_many: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for setting in settings.iter().filter(|setting| is_read(&setting.group)) {
        let (name, value) = variables::of_file(&setting.name, setting.value.as_deref());
        match is_one_of_many(&name) {
            true => of_many.entry(name).or_default().push(value),
            false => keep(&mut column, name, value),
        }
        let option = variables::canonical_name(&setting.name);
        if let Some((name, value)) = log_options::file_named_by(&option, setting.value.as_deref()) {
            keep(&mut column, name, value);
        }
    }
    of_many.into_iter().for_each(|(name, values)| keep(&mut column, name, values.join(",")));
    column
}

/// Whether an option adds to what the same option before it has set.
fn is_one_of_many(name: &str) -> bool {
    let is_filter = name.starts_with("replicate_") && ["_db", "_table"].iter().any(|end| name.ends_with(end));
    is_filter || ["binlog_do_db", "binlog_ignore_db", "plugin_load_add"].contains(&name)
}

/// Whether the settings of a group are those of any server.
pub(super) fn is_of_server(group: &str) -> bool {
    of_group(group) == Some(None)
}

/// The groups that `mysqld` and `mariadbd` read; of one that only some of them read, its version (`mysqld-8.0`) or instance of
/// mysqld_multi or systemd (`mysqld2`, `mysqld@replica`, `mariadbd.node1`).
fn of_group(group: &str) -> Option<Option<&str>> {
    let special = ["mariadbd", "mariadb", "mysqld", "server"].iter().find_map(|program| {
        let rest = group.strip_prefix(program)?;
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        let is_version = rest.chars().all(|c| c.is_ascii_digit() || c == '.');
        let of = rest.strip_prefix(['@', '.']).filter(|name| !name.is_empty() && !is_version);
        of.map(Some).or_else(|| is_version.then_some((!rest.is_empty()).then_some(rest)))
    });
    special.or_else(|| ["client-server", "galera"].contains(&group).then_some(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_servers() {
        for group in ["mysqld", "mariadb", "mariadbd", "server", "client-server"] {
            assert_eq!(of_group(group), Some(None), "{group}");
        }
        for (group, of) in [
            ("mysqld-8.0", "8.0"),
            ("mariadb-11.4", "11.4"),
            ("mysqld2", "2"),
            ("mysqld@replica01", "replica01"),
            ("mariadbd.node1", "node1"),
        ] {
            assert_eq!(of_group(group), Some(Some(of)), "{group}");
        }
        let text = "[mysqld]\nreplicate-do-db=a\nreplicate-do-db=b\nx=1\nx=2\n";
        let all = read(Path::new("my.cnf"), text).unwrap();
        let off = read(Path::new("my.cnf"), "[mysqld]\nlog-bin=OFF\n").unwrap();
        assert_eq!(off.notes.iter().map(Problem::code).collect::<Vec<_>>(), [Some("diff-log-bin-name")]);
        assert_eq!(format!("{:?}", all.columns[0].values), r#"{"replicate_do_db": "a,b", "x": "2"}"#);
        for group in ["client", "mysqldump", "mysqld_safe", "mysql", "mariadb-dump", "client-mariadb", "embedded"] {
            assert_eq!(of_group(group), None, "{group}");
        }
    }

    #[test]
    fn instances_have_columns_and_foreign_files_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let (here, elsewhere) = (dir.path().join("here"), dir.path().join("elsewhere"));
        for (at, text) in [(here.join("more"), "x=2"), (elsewhere.clone(), "x=3")] {
            std::fs::create_dir_all(&at).unwrap();
            std::fs::write(at.join("a.cnf"), format!("[mysqld]\n{text}\n")).unwrap();
        }
        let text = format!(
            "[mysqld]\nx=1\nskip-y\n!includedir {}/more\n!includedir {}\n[mysqld1]\nz=1\n[mysqld2]\nz=2\n",
            here.display(),
            elsewhere.display()
        );
        let all = read(&here.join("my.cnf"), &text).unwrap();
        let shown: Vec<String> = all.columns.iter().map(|c| format!("{} {:?}", c.name, c.values)).collect();
        assert_eq!(
            shown,
            [
                "my.cnf [mysqld1] {\"x\": \"2\", \"y\": \"OFF\", \"z\": \"1\"}",
                "my.cnf [mysqld2] {\"x\": \"2\", \"y\": \"OFF\", \"z\": \"2\"}"
            ]
        );
        let notes: Vec<Option<&str>> = all.notes.iter().map(Problem::code).collect();
        assert_eq!(notes, [Some("diff-includes-read"), Some("diff-includes-left")]);
    }

    /// Each of these would take minutes.
    #[test]
    fn many_groups_are_refused_and_many_values_are_one() {
        let groups: String = (0..100_000).map(|n| format!("[mysqld{n}]\nx={n}\n")).collect();
        assert_eq!(
            read(Path::new("my.cnf"), &groups).err().and_then(|why| why.id().map(str::to_owned)).as_deref(),
            Some("diff-too-many-columns")
        );
        let values = "replicate-do-db=a\n".repeat(100_000);
        let all = read(Path::new("my.cnf"), &format!("[mysqld]\n{values}")).unwrap();
        assert_eq!(all.columns[0].values["replicate_do_db"].len(), 199_999);
    }
}
