//! Golden copies: copies of a server's whole data directory (of a database file for SQLite) from which data are put back
//! before a trial, instead of loading them again. There is one for each variant of the data and series of servers; it is
//! used for several targets, and by later runs.
//!
//! A golden copy is a directory with `data`, the copy; `digests`, one of each file; `objects`, what else its server had ([`objects`]);
//! `golden.json`, its description; and a mark ([`mark`]), written before anything else. It is created under another name and renamed when it is complete, so that an
//! incomplete one is never used; its files are compared with the description before each use, and their content while they
//! are copied. Nothing is removed from a directory of golden copies that does not have the mark.

mod age;
mod backup;
mod cluster;
pub mod database;
mod database_properties;
mod digests;
mod elsewhere;
mod logs;
mod mark;
mod objects;
mod own_files;
mod schemas;
mod server_logs;
mod stored;
mod swap;
mod tree;

pub use age::unused;
pub use backup::{BackupTool, backup_program};
pub use cluster::cluster;
pub use elsewhere::files_elsewhere;
pub use logs::shortened as shorten_redo_log;
pub use objects::ServerObjects;
pub use schemas::schema_directories;
pub use server_logs::ServerLogs;
pub use stored::{Stored, list, remove};
pub use swap::{GoldenData, PutBack, exchanged, nothing_aside, put_back, put_in_order};
pub use tree::Copied;

use crate::removal;
use crate::rights::Rights;
use logs::NeededLogs;
use mark::GoldenMark;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use stored::{clean, take_away};
use tenbin_driver::Connector;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tree::{Copying, Digests, TreePlace};

/// The version of the layout of golden copies.
const FORMAT: u32 = 1;
/// The name of the description.
const DESCRIPTION: &str = "golden.json";
/// The name of the copy.
const DATA: &str = "data";
/// The name of the digests of its files.
const DIGESTS: &str = "digests";
/// The directory of a program for backups, while it makes one.
const OF_TOOL: &str = "tool";
/// The prefix of the name of one that is being created; the number of the process follows.
const MAKING: &str = ".making-";
/// A longer description is not ours.
const LONGEST_DESCRIPTION: u64 = 1 << 20;

/// The data that a golden copy contains, and the servers that can use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// The generator of the data: `sysbench`, `tpcc`, ….
    pub kind: String,
    /// All options of the generator.
    pub options: BTreeMap<String, String>,
    /// The servers whose data directories are interchangeable: `mariadb-10.11`, `mysql-8.0`, `postgresql-15`, `sqlite-3`.
    pub series: String,
    /// Properties of a data directory that its server must share: `innodb_page_size`, ….
    pub layout: BTreeMap<String, String>,
}

impl Variant {
    /// The name of its golden copy: the kind, the series and a digest of everything.
    pub fn name(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{}-{}-{}", self.kind, self.series, &digests::of(text.as_bytes())[..8])
    }
}

/// The series of a server, from its version: the first two numbers of MySQL and MariaDB, the first of PostgreSQL and
/// SQLite. Within a series data directories are interchangeable.
pub fn series(vendor: &str, version: &str) -> String {
    let numbers: Vec<&str> = version.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let parts = if ["postgresql", "sqlite"].contains(&vendor) { 1 } else { 2 };
    format!("{vendor}-{}", numbers.iter().take(parts).copied().collect::<Vec<_>>().join("."))
}

/// The description of a golden copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// [`FORMAT`].
    format: u32,
    /// What it contains.
    pub variant: Variant,
    /// The full version of the server it was made from.
    pub server: String,
    /// How it was made: `copy`, `mariadb-backup`, `xtrabackup`, `clone`, `pg_basebackup`.
    pub made_by: String,
    /// When, RFC 3339 with offset.
    pub made: String,
    /// Rows of the data set.
    pub rows: u64,
    /// Regular files.
    pub files: u64,
    /// The sum of their lengths.
    pub bytes: u64,
    /// A digest of names, lengths and times of change of all files.
    pub fingerprint: String,
    /// SHA-256 of the file with the digests of their content.
    pub digests: String,
    /// SHA-256 of the file with what the server had besides the rows of its tables.
    pub objects: String,
    /// The position in the log up to which the copy contains changes (InnoDB's LSN), if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_position: Option<String>,
}

/// A golden copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenCopy {
    /// Its name.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// Its description.
    pub description: Description,
}

/// The most bytes that the digests of a copy may take: of a million files.
const MOST_DIGESTS: u64 = 512 << 20;

impl GoldenCopy {
    /// The copy itself: a directory, or a file for SQLite.
    pub fn data(&self) -> PathBuf {
        self.dir.join(DATA)
    }

    /// Compares its files with the description, without reading them; fails if they have changed.
    pub fn verify(&self) -> Result<(), Problem> {
        let (files, bytes, fingerprint) = tree::fingerprint(TreePlace::ours(&self.data()))?;
        let Description { files: all, bytes: length, fingerprint: noted, .. } = &self.description;
        if (files, bytes, &fingerprint) == (*all, *length, noted) {
            return Ok(());
        }
        Err(self.changed(msg!("golden-copy-files", all = *all, length = *length, files, bytes)))
    }

    fn changed(&self, evidence: Message) -> Problem {
        Problem::new(msg!("golden-copy-changed", name = self.name))
            .evidence(evidence)
            .hint(msg!("tenbin-data-remove", name = self.name))
    }

    /// The digests of its files, as they were when it was made.
    fn digests(&self) -> Result<Digests, Problem> {
        let path = self.dir.join(DIGESTS);
        let text = tenbin_intake::regular_file(&path, MOST_DIGESTS)
            .map_err(|e| self.changed(foreign(format_args!("{}: {e}", path.display()))))?;
        if digests::of(&text) != self.description.digests {
            return Err(self.changed(msg!("golden-copy-file-differs", file = DIGESTS)));
        }
        digests::read(&text).ok_or_else(|| self.changed(msg!("golden-copy-file-differs", file = DIGESTS)))
    }

    /// Fails if a file does not have the content that it had when the copy was made.
    fn compare(&self, expected: &Digests, found: &Digests) -> Result<(), Problem> {
        let names = expected.keys().chain(found.keys());
        match names.into_iter().find(|name| expected.get(*name) != found.get(*name)) {
            Some(name) => {
                let file = tree::below(Path::new(DATA), name);
                Err(self.changed(msg!("golden-copy-file-differs", file = file.display())))
            }
            None => Ok(()),
        }
    }

    /// Keeps it from being removed until the result is dropped.
    fn hold(&self) -> Result<std::fs::File, Problem> {
        mark::shared(&self.dir).map_err(|e| self.changed(foreign(e)))
    }
}

/// The directory of golden copies: `TENBIN_DATA_DIR`, else `/var/lib/tenbin` for root and `~/.local/share/tenbin` for
/// other users. It may not exist yet.
pub fn store() -> PathBuf {
    let home = || std::env::var_os("HOME").map(PathBuf::from).unwrap_or_else(std::env::temp_dir);
    match std::env::var_os("TENBIN_DATA_DIR") {
        Some(dir) => std::path::absolute(&dir).unwrap_or_else(|_| PathBuf::from(&dir)),
        None if rustix::process::geteuid().is_root() => PathBuf::from("/var/lib/tenbin"),
        None => home().join(".local/share/tenbin"),
    }
}

/// The golden copy of a variant, its files verified; `None` if there is none.
pub fn find(store: &Path, variant: &Variant) -> Result<Option<GoldenCopy>, Problem> {
    let name = variant.name();
    if std::fs::symlink_metadata(store.join(&name)).is_err() {
        return Ok(None);
    }
    let golden = read(store, &name).map_err(|why| {
        Problem::new(msg!("golden-copy-unusable", name))
            .evidence(why)
            .hint(msg!("tenbin-data-remove", name = variant.name()))
    })?;
    if golden.description.variant != *variant {
        return Err(Problem::new(msg!("golden-copy-of-other-data", name = golden.name))
            .hint(msg!("tenbin-data-remove", name = golden.name)));
    }
    golden.verify()?;
    Ok(Some(golden))
}

/// What is known about a golden copy that is being made.
#[derive(Debug, Clone)]
pub struct Making<'a> {
    /// Where it is kept.
    pub store: &'a Path,
    /// What it contains.
    pub variant: &'a Variant,
    /// The full version of the server.
    pub server: &'a str,
    /// How it is made.
    pub made_by: &'a str,
    /// The present time, RFC 3339 with offset.
    pub made: &'a str,
    /// Rows of the data set.
    pub rows: u64,
    /// What the server has besides the rows of its tables.
    pub objects: &'a ServerObjects,
    /// Its own logs, which the copy does not have.
    pub logs: &'a ServerLogs,
}

/// Makes a golden copy: `fill` creates the copy `data` in the directory it is given, and returns the digests of its files, and its
/// position in the log, if known.
fn make(
    making: &Making<'_>,
    fill: impl FnOnce(&Path) -> Result<(Digests, Option<String>), Problem>,
) -> Result<GoldenCopy, Problem> {
    let cannot = |path: &Path, e: std::io::Error| {
        Problem::new(msg!("golden-copy-cannot-be-made", path = path.display()))
            .evidence(foreign(e))
            .hint(msg!("export-data-dir"))
    };
    let Making { store, variant, .. } = *making;
    if let Err(e) = std::fs::DirBuilder::new().recursive(true).mode(0o755).create(store) {
        return Err(cannot(store, e));
    }
    clean(store);
    let name = variant.name();
    let working_name = format!("{MAKING}{}-{name}", std::process::id());
    let work = store.join(&working_name);
    std::fs::DirBuilder::new().mode(0o700).create(&work).map_err(|e| cannot(&work, e))?;
    let mark = GoldenMark { tenbin_golden_copy: working_name.clone(), becomes: name.clone() };
    let locked = mark.write(&work).map_err(|e| cannot(&work, e))?;
    let made = fill(&work).and_then(|(digests, log_position)| {
        let (files, bytes, fingerprint) = tree::fingerprint(TreePlace::ours(&work.join(DATA)))?;
        let lines = digests::written(&digests).ok_or_else(|| Problem::new(msg!("name-with-line-break")))?;
        std::fs::write(work.join(DIGESTS), &lines).map_err(|e| cannot(&work, e))?;
        let objects = objects::write(&work, making.objects).map_err(|e| cannot(&work, e))?;
        let description = Description {
            format: FORMAT,
            variant: variant.clone(),
            server: making.server.to_owned(),
            made_by: making.made_by.to_owned(),
            made: making.made.to_owned(),
            rows: making.rows,
            files,
            bytes,
            fingerprint,
            digests: digests::of(&lines),
            objects,
            log_position,
        };
        let text = serde_json::to_string_pretty(&description).unwrap_or_default() + "\n";
        std::fs::write(work.join(DESCRIPTION), text).map_err(|e| cannot(&work, e))?;
        tree::sync(TreePlace::ours(&work))?;
        let dir = store.join(&name);
        // Not over another one.
        match if dir.exists() { Ok(false) } else { std::fs::rename(&work, &dir).map(|()| true) } {
            Ok(true) => Ok(Some(GoldenCopy { name: name.clone(), dir, description })),
            Err(e) if !dir.exists() => Err(cannot(&dir, e)),
            // Another run has made the same one meanwhile, which is not the same to the byte.
            Ok(false) | Err(_) => find(store, variant),
        }
    });
    drop(locked);
    if work.exists() {
        let _ = take_away(&work, &working_name);
    }
    made?.ok_or_else(|| Problem::new(msg!("golden-copy-incomplete")))
}

/// Makes a golden copy of the data directory of a server that does not run, or of a database file that no process has open. Fails if
/// anything works there, before or after the copying: what was copied meanwhile is not a state that ever was.
pub fn copy_of(
    making: &Making<'_>,
    data: &Path,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> Result<GoldenCopy, Problem> {
    let from = TreePlace { path: data, rights: Rights::of_owner(data)? };
    swap::unused(data)?;
    make(making, |work| {
        let logs = NeededLogs::of(data, from.rights);
        let keep = |path: &Path| {
            let is_of_data = |name: &OsStr| belongs(name) && logs.has(name);
            path.file_name().is_some_and(is_of_data) && !making.logs.has(path)
        };
        let how = Copying { keep: &keep, progress, stop, into: false };
        let (_, digests) = tree::copy(from, TreePlace::ours(&work.join(DATA)), &how)?;
        swap::unused(data)?;
        Ok((digests, None))
    })
}

/// Makes a golden copy of the data directory `data` of a running server. The program for it has the rights of the server's
/// account.
pub fn backup_of(
    making: &Making<'_>,
    tool: &BackupTool,
    connector: &Connector,
    data: &Path,
    stop: &StopSignal,
) -> Result<GoldenCopy, Problem> {
    let rights = Rights::of_owner(data)?;
    make(making, |work| {
        let cannot = |e| Problem::new(msg!("file-cannot-be-written", file = work.display())).evidence(foreign(e));
        let (of_tool, copy) = (work.join(OF_TOOL), work.join(DATA));
        std::fs::DirBuilder::new().mode(0o700).create(&of_tool).map_err(cannot)?;
        if let Some((user, group)) = rights.account() {
            std::os::unix::fs::chown(&of_tool, Some(user), Some(group)).map_err(cannot)?;
            // It passes through to what is its own.
            std::fs::set_permissions(work, std::os::unix::fs::PermissionsExt::from_mode(0o711)).map_err(cannot)?;
        }
        let position = tool.take(connector, (data, &of_tool.join(DATA)), rights, stop)?;
        std::fs::set_permissions(work, std::os::unix::fs::PermissionsExt::from_mode(0o700)).map_err(cannot)?;
        std::fs::rename(of_tool.join(DATA), &copy).map_err(cannot)?;
        removal::tree(&of_tool).map_err(cannot)?;
        if rights.account().is_some() {
            tree::take_over(&copy).map_err(cannot)?;
        }
        removal::nothing_mounted(&copy)?;
        strip(&copy, Path::new(""), making.logs).map_err(cannot)?;
        Ok((tree::digests(TreePlace::ours(&copy), stop)?, position))
    })
}

/// Removes what does not belong in a copy, and was made by another program. `below`: the path of the directory from the root of the copy.
fn strip(dir: &Path, below: &Path, logs: &ServerLogs) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, below.join(entry.file_name()));
        match kind.is_dir() {
            true if logs.has(&path) => removal::tree(&entry.path())?,
            true => strip(&entry.path(), &path, logs)?,
            false if logs.has(&path) || !belongs(&entry.file_name()) => std::fs::remove_file(entry.path())?,
            false => {}
        }
    }
    Ok(())
}

/// Whether a file belongs in a copy. Left out are the files of a running process, those of the server and not of its data, spare
/// files of its redo log, and the list of pages for warming the buffer pool, so that every trial starts with a cold one.
fn belongs(name: &OsStr) -> bool {
    let text = name.to_string_lossy();
    let of_process = [".pid", ".sock", ".sock.lock"].iter().any(|end| text.ends_with(end));
    !(of_process
        || is_of_server(name)
        || logs::is_spare(&text)
        || ["ib_buffer_pool", "ibtmp1"].contains(&text.as_ref()))
}

/// Whether a file of a data directory, or of a directory in it, belongs to the server and not to its data: its identity,
/// settings, access rules and certificates. When data are put back, a server keeps its own.
fn is_of_server(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let ends = [".cnf", ".conf", ".pem", ".crt", ".cer", ".key", ".csr", ".srl", ".p12"];
    ends.iter().any(|end| name.ends_with(end))
}

/// Reads a description.
fn read(store: &Path, name: &str) -> Result<GoldenCopy, Message> {
    let dir = store.join(name);
    if name.starts_with(MAKING) {
        return Err(msg!("golden-copy-incomplete"));
    }
    let path = dir.join(DESCRIPTION);
    let meta = std::fs::symlink_metadata(&path).map_err(|e| foreign(format_args!("{}: {e}", path.display())))?;
    if !meta.is_file() || meta.len() > LONGEST_DESCRIPTION {
        return Err(msg!("golden-copy-without-description"));
    }
    let text = tenbin_intake::regular_file(&path, tenbin_intake::SMALL)
        .map_err(|e| foreign(format_args!("{}: {e}", path.display())))?;
    let description: Description =
        serde_json::from_slice(&text).map_err(|e| foreign(format_args!("{DESCRIPTION}: {e}")))?;
    if description.format != FORMAT {
        return Err(msg!("golden-copy-of-other-format", format = description.format));
    }
    Ok(GoldenCopy { name: name.to_owned(), dir, description })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(rows: &str) -> Variant {
        Variant {
            kind: "sysbench".into(),
            options: BTreeMap::from([("table_size".into(), rows.into())]),
            series: series("mariadb", "10.11.19-MariaDB"),
            layout: BTreeMap::new(),
        }
    }

    static NO_LOGS: ServerLogs = ServerLogs::NONE;

    fn making<'a>(store: &'a Path, variant: &'a Variant, objects: &'a ServerObjects) -> Making<'a> {
        let made = "2026-01-01T00:00:00+00:00";
        Making { store, variant, server: "10.11.19-MariaDB", made_by: "copy", made, rows: 10, objects, logs: &NO_LOGS }
    }

    fn golden(store: &Path, variant: &Variant) -> Result<GoldenCopy, Problem> {
        let data = store.join("source");
        std::fs::create_dir_all(&data).unwrap();
        std::fs::write(data.join("ibdata1"), b"0123456789").unwrap();
        std::fs::write(data.join("auto.cnf"), b"uuid").unwrap();
        copy_of(&making(store, variant, &ServerObjects::new()), &data, &|_| {}, &StopSignal::new())
    }

    #[test]
    fn series_are_those_whose_data_are_interchangeable() {
        let all = [
            ("mariadb", "10.11.19-MariaDB-0+deb12u1"),
            ("mysql", "8.0.31"),
            ("postgresql", "15.18"),
            ("sqlite", "3.54.1"),
        ];
        let series: Vec<String> = all.iter().map(|(vendor, version)| series(vendor, version)).collect();
        assert_eq!(series, ["mariadb-10.11", "mysql-8.0", "postgresql-15", "sqlite-3"]);
    }

    #[test]
    fn a_copy_is_found_by_its_variant_and_only_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let (store, ten) = (dir.path(), variant("10"));
        assert_eq!(find(store, &ten).unwrap(), None);
        let made = golden(store, &ten).unwrap();
        assert_eq!(find(store, &ten).unwrap(), Some(made.clone()));
        assert_eq!(find(store, &variant("20")).unwrap(), None);
        assert!(!made.data().join("auto.cnf").exists(), "the identity of the server is not copied");
        assert_eq!(made.description.bytes, 10);
        assert_eq!(list(store).unwrap().iter().map(Stored::name).collect::<Vec<_>>(), [made.name.as_str()]);
        std::fs::write(made.data().join("ibdata1"), b"9876543210").unwrap();
        let changed = find(store, &ten).unwrap_err();
        assert!(changed.what.english().contains("changed"), "{changed}");
        remove(store, &made.name).unwrap();
        assert_eq!(find(store, &ten).unwrap(), None);
        assert!(remove(store, "..").is_err() && remove(store, "source").is_err());
    }

    #[test]
    fn of_two_runs_that_make_the_same_copy_both_have_the_first_one() {
        let dir = tempfile::tempdir().unwrap();
        let (store, elsewhere, ten) = (dir.path(), dir.path().join("elsewhere"), variant("10"));
        let nothing = ServerObjects::new();
        let making = making(store, &ten, &nothing);
        let mut first = None;
        let second = make(&making, |to| {
            let made = golden(&elsewhere, &ten).unwrap();
            std::fs::rename(&made.dir, store.join(&made.name)).unwrap();
            first = Some(GoldenCopy { dir: store.join(&made.name), ..made });
            std::fs::create_dir(to.join(DATA)).unwrap();
            std::fs::write(to.join(DATA).join("ibdata1"), b"other pages").unwrap();
            Ok((tree::digests(TreePlace::ours(&to.join(DATA)), &StopSignal::new())?, None))
        });
        let second = second.unwrap();
        assert_eq!(Some(&second), first.as_ref());
        second.verify().unwrap();
        assert_eq!(list(store).unwrap().len(), 1);
    }

    #[test]
    fn what_a_server_has_since_is_told_from_what_the_copy_has() {
        let dir = tempfile::tempdir().unwrap();
        let one = |kind: &str, name: &str, definition: &str| {
            (kind.to_owned(), BTreeMap::from([(name.to_owned(), definition.to_owned())]))
        };
        let then =
            ServerObjects::from([one("view", "app.v", "SELECT 1"), one("view@postgres", "postgres.public.v", "x")]);
        let ten = variant("10");
        let making = making(dir.path(), &ten, &then);
        std::fs::write(dir.path().join("source"), b"0123456789").unwrap();
        let made = copy_of(&making, &dir.path().join("source"), &|_| {}, &StopSignal::new()).unwrap();
        assert_eq!(made.lacks(&then).unwrap(), [""; 0]);
        let now = ServerObjects::from([
            one("view", "app.v", "SELECT 2"),
            one("view@postgres", "postgres.public.w", "x"),
            // Of a kind that was not looked at.
            one("account", "app@%", "x"),
        ]);
        assert_eq!(made.lacks(&now).unwrap(), ["view app.v", "view postgres.public.w"]);
        assert!(!std::fs::read_to_string(made.dir.join("objects")).unwrap().contains("SELECT"));
        std::fs::write(made.dir.join("objects"), "{}").unwrap();
        assert!(made.lacks(&now).unwrap_err().what.english().contains("changed"));
    }

    #[test]
    fn what_is_not_complete_or_not_ours_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let (store, ten) = (dir.path(), variant("10"));
        let nothing = ServerObjects::new();
        let making = making(store, &ten, &nothing);
        let broken = make(&making, |to| {
            std::fs::create_dir(to.join(DATA)).unwrap();
            Err(Problem::new(foreign("no")))
        });
        assert!(broken.is_err() && list(store).unwrap().is_empty(), "nothing is left");
        let made = golden(store, &ten).unwrap();
        let path = made.dir.join(DESCRIPTION);
        let text = std::fs::read_to_string(&path).unwrap();
        for (damaged, why) in [
            ("{".to_owned(), "EOF"),
            (text.replace("\"format\": 1", "\"format\": 9"), "layout"),
            (text.replace("\"10\"", "\"11\""), "other data"),
        ] {
            std::fs::write(&path, damaged).unwrap();
            let refused = find(store, &ten).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
        assert!(find(store, &ten).is_err(), "links are not followed");
        std::fs::create_dir_all(store.join(".making-1-x/data")).unwrap();
        std::fs::create_dir_all(store.join("project/data")).unwrap();
        std::fs::create_dir_all(store.join(".making-2-y/data")).unwrap();
        let mark = GoldenMark { tenbin_golden_copy: ".making-2-y".into(), becomes: "y".into() };
        let made_now = mark.write(&store.join(".making-2-y")).unwrap();
        let names = || list(store).unwrap().iter().map(|stored| stored.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(), [".making-2-y", made.name.as_str()], "what has a mark can be removed by name");
        assert!(remove(store, ".making-1-x").is_err() && remove(store, "project").is_err());
        assert_eq!(remove(store, ".making-2-y").unwrap_err().code(), Some("golden-copy-in-use"));
        drop(made_now);
        // Killed runs' are removed when the next copy is made, and what somebody has put beside the copy is left.
        clean(store);
        assert_eq!(names(), [made.name.as_str()]);
        std::fs::write(made.dir.join("notes"), "mine").unwrap();
        assert!(remove(store, &made.name).is_err() && made.dir.join("notes").exists());
        assert!(
            !made.data().exists() && store.join("project/data").exists() && store.join(".making-1-x/data").exists()
        );
    }
}
