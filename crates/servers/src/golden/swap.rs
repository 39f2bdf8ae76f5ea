//! Puts a golden copy in the place of the data of a server that does not run.
//!
//! The present data are kept beside it until the server has started on the copy, if the file system has room for both and
//! the directory of the data can be renamed; otherwise they are removed first, and what was begun then is finished, also if
//! a stop is asked for. All of it is done with the rights of the owner of the data.
//!
//! long because an exchange, its undoing and what a kill leaves of both are read together.

use super::own_files::OwnFiles;
use super::tree::{self, Copying, Digests, TreePlace, below};
use super::{GoldenCopy, ServerLogs};
use crate::disk;
use crate::in_use::{self, DirectoryUser};
use crate::offline::DataChange;
use crate::removal;
use crate::rights::Rights;
use rustix::fs::{Access, AtFlags, CWD, accessat};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tenbin_model::stop::StopSignal;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A copy that has been put in place. Dropping it leaves everything as it is; [`keep`](PutBack::keep) removes the data that
/// were there before, [`undo`](PutBack::undo) brings them back.
#[derive(Debug)]
pub struct PutBack {
    /// What was copied.
    pub copied: tree::Copied,
    /// How long copying took.
    pub copying: Duration,
    /// How long writing everything to the disk took after that.
    pub writing: Duration,
    data: PathBuf,
    beside: Option<Beside>,
}

impl PutBack {
    /// Removes the former data; returns what is left of them, and why.
    pub fn keep(self) -> Option<Problem> {
        let dir = self.beside.as_ref()?.dir.clone();
        let left = self.beside?.remove().err()?;
        let what = msg!("former-data-left", data = self.data.display(), dir = dir.display());
        Some(Problem::new(what).evidence(foreign(left)).hint(msg!("remove-it-yourself", dir = dir.display())))
    }

    /// Brings the former data back; fails if they were removed to make room.
    pub fn undo(self) -> Result<(), Problem> {
        let Some(beside) = self.beside else {
            return Err(Problem::new(msg!("former-data-removed", data = self.data.display())));
        };
        beside.bring_back(&self.data)
    }
}

/// Puts a golden copy in place while a server is stopped, and takes it back if the server does not start on it.
pub struct GoldenData<'a> {
    /// What is put back.
    pub golden: &'a GoldenCopy,
    /// The logs that the server keeps.
    pub logs: &'a ServerLogs,
    /// Told of bytes that have been copied.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Ends the copying, as long as the present data are in their place.
    pub stop: &'a StopSignal,
    /// What was done; `None` before, and after it was undone.
    pub done: Option<PutBack>,
}

impl DataChange for GoldenData<'_> {
    fn make(&mut self, data: &Path) -> Result<(), Problem> {
        put_back((self.golden, self.logs), data, self.progress, self.stop).map(|done| self.done = Some(done))
    }

    fn undo(&mut self) -> Option<Result<(), Problem>> {
        self.done.take().map(PutBack::undo)
    }

    fn source(&self) -> Option<&Path> {
        Some(&self.golden.dir)
    }

    fn is_half_made(&self, data: &Path) -> bool {
        is_half_replaced(data)
    }
}

/// Replaces the data directory, or the database file, `data` by a copy of `golden`; the server keeps its own logs. It must not run: fails if anything
/// works there, before or after the copying.
pub fn put_back(
    (golden, logs): (&GoldenCopy, &ServerLogs),
    data: &Path,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> Result<PutBack, Problem> {
    let start = Instant::now();
    let _held = golden.hold()?;
    golden.used();
    let expected = golden.digests()?;
    let meta = std::fs::symlink_metadata(data).map_err(|e| cannot(data, &e))?;
    let root = TreePlace { path: data, rights: Rights::of_owner(data)? };
    unused(data)?;
    if let Some(beside) = Beside::of_killed(data) {
        beside.is_over(data)?;
        // What is left of one is left again.
        let _ = beside.remove();
    }
    let beside = if has_room(golden, data) { Beside::make(root, &meta) } else { None };
    let copied = match &beside {
        Some(beside) => exchange((golden, logs), &expected, root, beside, (progress, stop)),
        None => {
            enough(golden, root)?;
            replace((golden, logs), &expected, root, (progress, stop))
        }
    };
    let copied = copied.inspect_err(|_| {
        if let Some(beside) = &beside {
            let _ = beside.clone().remove();
        }
    })?;
    for log in ["-wal", "-shm", "-journal"].iter().filter(|_| meta.is_file()) {
        // Of the former database file: SQLite would apply it to the copy.
        let _ = root.rights.within(|| std::fs::remove_file(with_suffix(data, log)));
    }
    let copying = start.elapsed();
    tree::sync(root)?;
    let writing = start.elapsed().saturating_sub(copying);
    Ok(PutBack { copied, copying, writing, data: data.to_owned(), beside })
}

/// Copies beside the data and exchanges both. An interruption leaves the present data in their place.
fn exchange(
    (golden, logs): (&GoldenCopy, &ServerLogs),
    expected: &Digests,
    data: TreePlace<'_>,
    beside: &Beside,
    (progress, stop): (&dyn Fn(u64), &StopSignal),
) -> Result<tree::Copied, Problem> {
    let restored = beside.restored();
    let fresh = TreePlace { path: &restored, rights: data.rights };
    let how = Copying { keep: &|path| !logs.has(path), progress, stop, into: restored.is_dir() };
    let (copied, digests) = tree::copy(TreePlace::ours(&golden.data()), fresh, &how)?;
    golden.compare(&without(expected, logs), &digests)?;
    let own = OwnFiles { data: data.path, logs };
    data.rights.within(|| own.copy(data.path, fresh.path)).map_err(|e| cannot(data.path, &e))?;
    unused(data.path)?;
    beside.exchange(data.path)?;
    // One that was started in this moment works on the former data.
    if let Some(user) = in_use::user_of(&beside.former()) {
        beside.clone().bring_back(data.path)?;
        return Err(came_back(data.path, &user));
    }
    Ok(copied)
}

/// A path of data leads to others than before.
pub fn exchanged(data: &Path) -> Problem {
    Problem::new(msg!("data-directory-exchanged", data = data.display())).hint(msg!("restore-by-reload"))
}

/// How long the last processes of a server that has ended may take to go: PostgreSQL's workers end after their parent.
const LEAVING: Duration = Duration::from_secs(5);

/// Fails if anything works in a directory, or has the file open; or if it is a link, which leads wherever its owner wants; or if anything is
/// mounted in it.
pub(super) fn unused(data: &Path) -> Result<(), Problem> {
    let start = Instant::now();
    loop {
        if data.is_symlink() && data.is_dir() {
            return Err(exchanged(data));
        }
        removal::nothing_mounted(data)?;
        match in_use::user_of(data) {
            None => return Ok(()),
            Some(user) if start.elapsed() > LEAVING => return Err(came_back(data, &user)),
            Some(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn came_back(data: &Path, user: &DirectoryUser) -> Problem {
    Problem::new(msg!("data-in-use", data = data.display()))
        .evidence(user.told(data))
        .hint(msg!("stop-what-starts-it", pid = user.pid))
}

/// The file in a data directory that is being replaced in place.
const INCOMPLETE: &str = ".tenbin-incomplete";

/// Its content.
#[derive(Debug, Serialize, Deserialize)]
struct IncompleteMark {
    /// The name of the golden copy.
    golden: String,
    /// The logs that the server keeps.
    logs: ServerLogs,
}

/// Whether a data directory is being replaced in place, so that no server may start on it.
fn is_half_replaced(data: &Path) -> bool {
    data.join(INCOMPLETE).symlink_metadata().is_ok()
}

/// Fails if the data that a killed process has put aside are still there, and somebody else has made others in their place.
pub fn nothing_aside(data: &Path) -> Result<(), Problem> {
    Beside::of_killed(data).map_or(Ok(()), |beside| beside.is_over(data))
}

/// Finishes what a killed process has left of a data directory that it was replacing by the golden copy in the directory
/// `source`.
pub fn put_in_order(data: &Path, source: Option<&Path>) -> Result<(), Problem> {
    if let Some(beside) = Beside::of_killed(data) {
        if data.symlink_metadata().is_err() && beside.former().symlink_metadata().is_ok() {
            beside.bring_back(data)?;
        } else {
            beside.is_over(data)?;
            let _ = beside.remove();
        }
    }
    if !is_half_replaced(data) {
        return Ok(());
    }
    let Some(source) = source else {
        return Err(Problem::new(msg!("data-half-replaced", data = data.display())).hint(msg!("restore-other-backup")));
    };
    let marker = tenbin_intake::regular_file(&data.join(INCOMPLETE), tenbin_intake::SMALL).unwrap_or_default();
    // That of an earlier version says nothing of logs.
    let logs = serde_json::from_slice::<IncompleteMark>(&marker).map_or(ServerLogs::NONE, |mark| mark.logs);
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let unusable = |why| Problem::new(msg!("golden-copy-unusable", name)).evidence(why);
    let golden = super::read(source.parent().unwrap_or(source), &name).map_err(unusable)?;
    golden.verify()?;
    unused(data)?;
    let root = TreePlace { path: data, rights: Rights::of_owner(data)? };
    replace((&golden, &logs), &golden.digests()?, root, (&|_| {}, &StopSignal::new())).map(drop)
}

/// Empties the data directory and copies into it. Once it has begun no stop ends it: half of a directory is no data.
fn replace(
    (golden, logs): (&GoldenCopy, &ServerLogs),
    expected: &Digests,
    data: TreePlace<'_>,
    (progress, stop): (&dyn Fn(u64), &StopSignal),
) -> Result<tree::Copied, Problem> {
    // Nothing is removed for a copy that could not be used.
    golden.compare(expected, &tree::digests(TreePlace::ours(&golden.data()), stop)?)?;
    unused(data.path)?;
    let within = |work: &dyn Fn() -> io::Result<()>| data.rights.within(work).map_err(|e| cannot(data.path, &e));
    let is_file = data.path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let marker = data.path.join(INCOMPLETE);
    if is_file {
        within(&|| std::fs::remove_file(data.path))?;
    } else {
        let mark = IncompleteMark { golden: golden.name.clone(), logs: logs.clone() };
        let mark = serde_json::to_vec(&mark).unwrap_or_default();
        within(&|| std::fs::write(&marker, &mark))?;
        let own = OwnFiles { data: data.path, logs };
        within(&|| removal::emptied(data.path, &|path| own.has(path) || path == marker).map(drop))?;
    }
    let copied = put_into((golden, logs), data, progress, is_file)?;
    if !is_file {
        unused(data.path)?;
        within(&|| std::fs::remove_file(&marker))?;
    }
    golden.compare(&without(expected, logs), &copied.1)?;
    Ok(copied.0)
}

/// The digests without those of logs, which copies of earlier versions have.
fn without(digests: &Digests, logs: &ServerLogs) -> Digests {
    digests.iter().filter(|(path, _)| !logs.has(path)).map(|(path, digest)| (path.clone(), digest.clone())).collect()
}

fn put_into(
    (golden, logs): (&GoldenCopy, &ServerLogs),
    data: TreePlace<'_>,
    progress: &dyn Fn(u64),
    is_file: bool,
) -> Result<(tree::Copied, Digests), Problem> {
    let (never, source) = (StopSignal::new(), golden.data());
    if is_file {
        let how = Copying { keep: &|_| true, progress, stop: &never, into: false };
        return tree::copy(TreePlace::ours(&source), data, &how);
    }
    let (mut all, mut digests) = (tree::Copied::default(), Digests::new());
    let top = std::fs::read_dir(&source).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    for entry in top.map_err(|e| cannot(data.path, &e))? {
        let (so_far, name) = (all.bytes, entry.file_name());
        if logs.has(Path::new(&name)) {
            continue;
        }
        let (from, to) = (entry.path(), data.path.join(&name));
        let keep = |path: &Path| !logs.has(&below(Path::new(&name), path));
        // A directory that was not removed has files of the server itself.
        let how = Copying { keep: &keep, progress: &|n| progress(so_far + n), stop: &never, into: to.is_dir() };
        let (copied, of_entry) = tree::copy(TreePlace::ours(&from), TreePlace { path: &to, ..data }, &how)?;
        all.files += copied.files;
        all.bytes += copied.bytes;
        all.shared += copied.shared;
        digests
            .extend(of_entry.into_iter().map(|(path, digest)| (below(Path::new(&entry.file_name()), &path), digest)));
    }
    Ok((all, digests))
}

/// Free space that stays free.
const RESERVE: u64 = 1 << 30;

/// Whether the file system has room for the copy beside the present data.
fn has_room(golden: &GoldenCopy, data: &Path) -> bool {
    disk::room(data).is_some_and(|room| room.free > golden.description.bytes.saturating_add(RESERVE))
}

/// Fails if there is no room even without the present data.
fn enough(golden: &GoldenCopy, data: TreePlace<'_>) -> Result<(), Problem> {
    let wanted = golden.description.bytes;
    let there = tree::fingerprint(data).map_or(0, |(_, bytes, _)| bytes);
    match disk::room(data.path) {
        Some(room) if room.free.saturating_add(there) < wanted => {
            Err(Problem::new(msg!("no-room-for-golden-copy", name = golden.name, data = data.path.display()))
                .evidence(msg!(
                    "copy-and-free",
                    bytes = figure::bytes(wanted as f64),
                    free = figure::bytes(room.free as f64),
                    there = figure::bytes(there as f64)
                ))
                .hint(msg!("free-space-for-copy")))
        }
        _ => Ok(()),
    }
}

/// A directory beside the data, on the same file system, with a mark: the copy that is made there, and the former data after
/// the exchange.
#[derive(Debug, Clone)]
struct Beside {
    dir: PathBuf,
    /// With whose rights names in the directory of the data are changed.
    names: Rights,
    /// With whose rights the data are touched.
    data: Rights,
}

/// The mark in it, written before anything else.
#[derive(Debug, Serialize, Deserialize)]
struct SwapMark {
    /// What it is of: the name of the data.
    tenbin_swap_of: String,
    /// The numbers of the directory that was marked: a copy of it is not.
    directory: (u64, u64),
}

/// The name of the mark.
const MARK: &str = "mark.json";
/// A longer one is not ours.
const LONGEST_MARK: u64 = 4096;

impl Beside {
    /// Makes the directory; `None` if data cannot be renamed: they are a mount point, or their directory is not ours or their
    /// owner's to write.
    fn make(data: TreePlace<'_>, meta: &std::fs::Metadata) -> Option<Beside> {
        let parent = data.path.parent()?;
        let same_device = std::fs::metadata(parent).is_ok_and(|parent| parent.dev() == meta.dev());
        let names = if !same_device { None } else { who_may_rename(parent, data.rights) }?;
        let dir = beside(data.path);
        let made = Beside { dir: dir.clone(), names, data: data.rights };
        let mark = |numbers| {
            let of = data.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            serde_json::to_vec(&SwapMark { tenbin_swap_of: of, directory: numbers }).unwrap_or_default()
        };
        let filled = names.within(|| {
            // The owner of the data passes through to what is theirs.
            std::fs::DirBuilder::new().mode(0o711).create(&dir)?;
            let own = dir.symlink_metadata()?;
            std::fs::write(dir.join(MARK), mark((own.dev(), own.ino())))?;
            match (meta.is_dir(), data.rights.account()) {
                (true, Some(owner)) if names == Rights::OURS => {
                    std::fs::DirBuilder::new().mode(0o700).create(made.restored())?;
                    std::os::unix::fs::fchown(tree::open_directory(&made.restored())?, Some(owner.0), Some(owner.1))
                }
                _ => Ok(()),
            }
        });
        // A file cannot be created by its owner in a directory of ours.
        let usable = filled.is_ok() && (meta.is_dir() || names == data.rights);
        if !usable && filled.is_ok() {
            let _ = made.clone().remove();
        }
        usable.then_some(made)
    }

    /// What a killed process has left beside these data: with our mark, written by us or the owner of the data.
    fn of_killed(data: &Path) -> Option<Beside> {
        let dir = beside(data);
        let meta = dir.symlink_metadata().ok().filter(std::fs::Metadata::is_dir)?;
        let names = Rights::of_user(meta.uid()).ok()?;
        let text = names.within(|| marked_text(&dir.join(MARK))).ok()?;
        let mark: SwapMark = serde_json::from_slice(&text).ok()?;
        let is_ours =
            mark.directory == (meta.dev(), meta.ino()) && Some(OsStr::new(&mark.tenbin_swap_of)) == data.file_name();
        let inside = Beside { dir, names, data: names };
        let of = |path: PathBuf| path.symlink_metadata().ok().map(|meta| meta.uid());
        let owner = of(inside.restored()).or_else(|| of(inside.former())).unwrap_or(meta.uid());
        // Below the rights of those who may rename.
        let rights = if names == Rights::OURS { Rights::of_user(owner).ok()? } else { names };
        is_ours.then_some(Beside { data: rights, ..inside })
    }

    fn restored(&self) -> PathBuf {
        self.dir.join("restored")
    }

    fn former(&self) -> PathBuf {
        self.dir.join("former")
    }

    /// Fails if the data are neither those that were here nor the copy: both are still beside them, so that somebody else has made others after a kill
    /// between the two renames.
    fn is_over(&self, data: &Path) -> Result<(), Problem> {
        let [former, restored] = [self.former(), self.restored()];
        if ![data, &former, &restored].into_iter().all(|path| path.symlink_metadata().is_ok()) {
            return Ok(());
        }
        let (former, restored) = (former.display(), restored.display());
        Err(Problem::new(msg!("data-made-by-others", data = data.display()))
            .evidence(msg!("former-and-restored-data", former, restored))
            .hint(msg!("put-former-data-back", former, data = data.display())))
    }

    /// Moves the data away, and the copy into their place.
    fn exchange(&self, data: &Path) -> Result<(), Problem> {
        let moved = self.names.within(|| {
            std::fs::rename(data, self.former())?;
            std::fs::rename(self.restored(), data).inspect_err(|_| {
                let _ = std::fs::rename(self.former(), data);
            })
        });
        moved.map_err(|e| cannot(data, &e))
    }

    /// Brings the former data back.
    fn bring_back(self, data: &Path) -> Result<(), Problem> {
        let back = self.names.within(|| {
            if data.symlink_metadata().is_ok() {
                std::fs::rename(data, self.restored())?;
            }
            std::fs::rename(self.former(), data)
        });
        back.map_err(|e| cannot(data, &e))?;
        let _ = self.remove();
        Ok(())
    }

    /// Removes it and all that is in it, unless anything works there.
    fn remove(self) -> io::Result<()> {
        for tree in [self.restored(), self.former()] {
            if let Some(user) = in_use::user_of(&tree) {
                return Err(io::Error::other(user.told(&tree).english()));
            }
            remove(&tree, self.data, self.names)?;
        }
        self.names.within(|| {
            std::fs::remove_file(self.dir.join(MARK))?;
            std::fs::remove_dir(&self.dir)
        })
    }
}

/// The content of a mark, which is a short regular file.
pub(super) fn marked_text(path: &Path) -> io::Result<Vec<u8>> {
    let meta = path.symlink_metadata()?;
    if !meta.is_file() || meta.len() > LONGEST_MARK {
        return Err(io::ErrorKind::InvalidData.into());
    }
    tenbin_intake::regular_file(path, LONGEST_MARK)
}

/// Removes a tree, the content with the first rights and its root with the second.
fn remove(path: &Path, content: Rights, root: Rights) -> io::Result<()> {
    let Ok(meta) = path.symlink_metadata() else { return Ok(()) };
    if !meta.is_dir() {
        return root.within(|| std::fs::remove_file(path));
    }
    content.within(|| removal::emptied(path, &|_| false).map(drop))?;
    root.within(|| std::fs::remove_dir(path))
}

/// With whose rights names in this directory can be changed: those of the owner of the data if they suffice; ours only if root
/// alone can change anything on the way to it.
fn who_may_rename(parent: &Path, owner: Rights) -> Option<Rights> {
    let writable = |rights: Rights| {
        rights.within(|| Ok(accessat(CWD, parent, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)?)).is_ok()
    };
    if writable(owner) {
        return Some(owner);
    }
    let parent = parent.canonicalize().ok()?;
    let roots_alone = |dir: &Path| {
        let sticky = |mode: u32| mode & 0o1000 != 0;
        dir.symlink_metadata().is_ok_and(|meta| meta.uid() == 0 && (meta.mode() & 0o022 == 0 || sticky(meta.mode())))
    };
    (parent.ancestors().all(roots_alone) && writable(Rights::OURS)).then_some(Rights::OURS)
}

/// A path beside the data, on the same file system.
fn beside(data: &Path) -> PathBuf {
    let name = data.file_name().unwrap_or(OsStr::new("data")).to_string_lossy();
    data.with_file_name(format!(".{name}.tenbin-swap"))
}

fn with_suffix(data: &Path, suffix: &str) -> PathBuf {
    let mut name = data.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn cannot(path: &Path, e: &io::Error) -> Problem {
    Problem::new(msg!("golden-copy-not-put-back", data = path.display())).evidence(foreign(e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{Making, Variant, copy_of};
    use std::collections::BTreeMap;

    fn golden(store: &Path, data: &Path) -> GoldenCopy {
        let variant = Variant {
            kind: "sysbench".into(),
            options: BTreeMap::new(),
            series: "mariadb-10.11".into(),
            layout: BTreeMap::new(),
        };
        let objects = BTreeMap::new();
        let (server, made_by) = ("10.11.19", "copy");
        let logs = &ServerLogs::NONE;
        let making = Making { store, variant: &variant, server, made_by, made: "", rows: 1, objects: &objects, logs };
        copy_of(&making, data, &|_| {}, &StopSignal::new()).unwrap()
    }

    #[test]
    fn the_copy_takes_the_place_of_the_data_and_can_be_undone() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir_all(data.join("sbtest")).unwrap();
        std::fs::write(data.join("sbtest/a"), b"golden").unwrap();
        let golden = golden(&dir.path().join("store"), &data);
        std::fs::write(data.join("auto.cnf"), b"identity").unwrap();
        let spoilt = || {
            std::fs::write(data.join("sbtest/a"), b"changed").unwrap();
            std::fs::write(data.join("sbtest/b"), b"new").unwrap();
        };
        let read = |name: &str| std::fs::read_to_string(data.join("sbtest").join(name)).unwrap_or_default();
        spoilt();
        let back = put_back((&golden, &ServerLogs::NONE), &data, &|_| {}, &StopSignal::new()).unwrap();
        assert_eq!((read("a"), read("b"), back.copied.files), ("golden".into(), String::new(), 1));
        back.undo().unwrap();
        assert_eq!((read("a"), read("b")), ("changed".into(), "new".into()));
        put_back((&golden, &ServerLogs::NONE), &data, &|_| {}, &StopSignal::new()).unwrap().keep();
        assert_eq!((read("a"), read("b")), ("golden".into(), String::new()));
        spoilt();
        let in_place = |stop: &StopSignal| {
            let of = (&golden, &ServerLogs::NONE);
            replace(of, &golden.digests().unwrap(), TreePlace::ours(&data), (&|_| stop.ask(), stop))
        };
        in_place(&StopSignal::new()).unwrap();
        assert_eq!(
            (read("a"), read("b")),
            ("golden".into(), String::new()),
            "without room for both, though a stop was asked for"
        );
        assert_eq!(std::fs::read(data.join("auto.cnf")).unwrap(), b"identity", "it keeps its own");
        // Killed after the data were removed, and between the two renames.
        std::fs::remove_file(data.join("sbtest/a")).unwrap();
        std::fs::write(data.join(INCOMPLETE), golden.name.as_bytes()).unwrap();
        assert_eq!(put_in_order(&data, None).unwrap_err().code(), Some("data-half-replaced"));
        put_in_order(&data, Some(&golden.dir)).unwrap();
        assert_eq!(read("a"), "golden");
        assert!(!data.join(INCOMPLETE).exists());
        let meta = std::fs::symlink_metadata(&data).unwrap();
        let killed = Beside::make(TreePlace::ours(&data), &meta).unwrap();
        std::fs::rename(&data, killed.former()).unwrap();
        std::fs::create_dir(killed.restored()).unwrap();
        put_in_order(&data, None).unwrap();
        assert_eq!(read("a"), "golden");
        // The same, and somebody has made other data before it is put in order.
        let killed = Beside::make(TreePlace::ours(&data), &meta).unwrap();
        std::fs::rename(&data, killed.former()).unwrap();
        for made in [&killed.restored(), &data] {
            std::fs::create_dir(made).unwrap();
        }
        let both = [
            put_in_order(&data, None),
            put_back((&golden, &ServerLogs::NONE), &data, &|_| {}, &StopSignal::new()).map(drop),
        ];
        for refused in both.map(Result::unwrap_err) {
            assert_eq!(refused.code(), Some("data-made-by-others"));
            let evidence = refused.evidence.unwrap().english().to_owned();
            assert!(evidence.contains("/former") && evidence.contains("/restored"), "{evidence}");
        }
        assert!(killed.former().join("sbtest/a").exists(), "the only whole data stay");
        std::fs::remove_dir(&data).unwrap();
        put_in_order(&data, None).unwrap();
        assert_eq!(read("a"), "golden");
        let mut left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["data", "store"]);
        let stop = StopSignal::new();
        stop.ask();
        spoilt();
        assert!(put_back((&golden, &ServerLogs::NONE), &data, &|_| {}, &stop).is_err());
        assert_eq!(read("b"), "new", "an interruption leaves the data in place");
    }

    #[test]
    fn a_server_keeps_its_logs() {
        let dir = tempfile::tempdir().unwrap();
        let (data, store) = (dir.path().join("data"), dir.path().join("store"));
        std::fs::create_dir_all(data.join("log")).unwrap();
        for name in ["table", "db-slow.log", "log/today.log"] {
            std::fs::write(data.join(name), "golden").unwrap();
        }
        let facts = [("variable.log_directory", "log"), ("variable.data_directory", "/d")];
        let logs = ServerLogs::of(&facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        // Of an earlier version, which copied them too.
        let golden = golden(&store, &data);
        assert!(golden.data().join("log/today.log").exists());
        let read = |name: &str| std::fs::read_to_string(data.join(name)).unwrap_or_default();
        let spoilt = || {
            for name in ["table", "log/today.log", "log/more.log"] {
                std::fs::write(data.join(name), "since").unwrap();
            }
        };
        spoilt();
        put_back((&golden, &logs), &data, &|_| {}, &StopSignal::new()).unwrap().keep();
        let now = || [read("table"), read("log/today.log"), read("log/more.log")];
        assert_eq!(now(), ["golden", "since", "since"]);
        spoilt();
        let stop = StopSignal::new();
        replace((&golden, &logs), &golden.digests().unwrap(), TreePlace::ours(&data), (&|_| {}, &stop)).unwrap();
        assert_eq!(now(), ["golden", "since", "since"], "without room for both");
        // Killed meanwhile.
        let mark = IncompleteMark { golden: golden.name.clone(), logs: logs.clone() };
        std::fs::write(data.join(INCOMPLETE), serde_json::to_vec(&mark).unwrap()).unwrap();
        std::fs::remove_file(data.join("table")).unwrap();
        put_in_order(&data, Some(&golden.dir)).unwrap();
        assert_eq!(now(), ["golden", "since", "since"]);
        super::super::remove(&store, &golden.name).unwrap();
        let variant = golden.description.variant;
        let objects = BTreeMap::new();
        let (server, made_by) = ("15.1", "copy");
        let making = Making {
            store: &store,
            variant: &variant,
            server,
            made_by,
            made: "",
            rows: 1,
            objects: &objects,
            logs: &logs,
        };
        let made = copy_of(&making, &data, &|_| {}, &StopSignal::new()).unwrap();
        assert!(made.data().join("table").exists() && !made.data().join("log").exists());
    }

    #[test]
    fn a_database_file_loses_its_logs() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("a.db");
        std::fs::write(&data, b"golden").unwrap();
        let golden = golden(&dir.path().join("store"), &data);
        std::fs::write(&data, b"changed").unwrap();
        std::fs::write(dir.path().join("a.db-wal"), b"log").unwrap();
        put_back((&golden, &ServerLogs::NONE), &data, &|_| {}, &StopSignal::new()).unwrap().keep();
        assert_eq!(std::fs::read(&data).unwrap(), b"golden");
        assert!(!dir.path().join("a.db-wal").exists());
    }
}
