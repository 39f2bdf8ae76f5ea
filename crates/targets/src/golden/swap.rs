//! Puts a golden copy in the place of the data of a server that does not run.
//!
//! The present data are kept beside it until the server has started on the copy, if the file system has room for both;
//! otherwise they are removed first.

use super::{GoldenCopy, tree};
use crate::disk;
use crate::offline::DataChange;
use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tenbin_model::figure;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

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
    former: Option<PathBuf>,
}

impl PutBack {
    /// Removes the former data.
    pub fn keep(self) {
        if let Some(former) = self.former {
            remove(&former);
        }
    }

    /// Brings the former data back; fails if they were removed to make room.
    pub fn undo(self) -> Result<(), Problem> {
        let Some(former) = self.former else {
            return Err(Problem::new(msg!("former-data-removed", data = self.data.display())));
        };
        remove(&self.data);
        std::fs::rename(&former, &self.data).map_err(|e| cannot(&self.data, &e))
    }
}

/// Puts a golden copy in place while a server is stopped, and takes it back if the server does not start on it.
pub struct GoldenData<'a> {
    /// What is put back.
    pub golden: &'a GoldenCopy,
    /// Told of bytes that have been copied.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Ends the copying.
    pub stop: &'a StopSignal,
    /// What was done; `None` before, and after it was undone.
    pub done: Option<PutBack>,
}

impl DataChange for GoldenData<'_> {
    fn make(&mut self, data: &Path) -> Result<(), Problem> {
        put_back(self.golden, data, self.progress, self.stop).map(|done| self.done = Some(done))
    }

    fn undo(&mut self) -> Option<Result<(), Problem>> {
        self.done.take().map(PutBack::undo)
    }
}

/// Replaces the data directory, or the database file, `data` by a copy of `golden`. The server must not run. Everything gets
/// the owner of the present data.
pub fn put_back(
    golden: &GoldenCopy,
    data: &Path,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> Result<PutBack, Problem> {
    let start = Instant::now();
    let meta = std::fs::symlink_metadata(data).map_err(|e| cannot(data, &e))?;
    let former = beside(data, "former");
    remove(&former);
    let keeps = is_movable(data, &meta) && has_room(golden, data);
    if !keeps {
        enough(golden, data)?;
    }
    let copied = if keeps {
        // Complete before the present data move away: an interruption leaves those in place.
        let fresh = beside(data, "restored");
        remove(&fresh);
        let copied = tree::copy(&golden.data(), &fresh, &|_| true, progress, stop);
        let copied = copied.and_then(|copied| own_files(data, &fresh, stop).map(|()| copied));
        let copied = copied.and_then(|copied| tree::give(&fresh, (meta.uid(), meta.gid())).map(|()| copied));
        let moved = copied.and_then(|copied| {
            std::fs::rename(data, &former).map_err(|e| cannot(data, &e))?;
            std::fs::rename(&fresh, data).map_err(|e| cannot(data, &e)).map(|()| copied)
        });
        if moved.is_err() {
            remove(&fresh);
            if !data.exists() {
                let _ = std::fs::rename(&former, data);
            }
        }
        moved?
    } else {
        replace(golden, data, &meta, progress, stop)?
    };
    for log in ["-wal", "-shm", "-journal"].iter().filter(|_| meta.is_file()) {
        // Of the former database file: SQLite would apply it to the copy.
        let _ = std::fs::remove_file(with_suffix(data, log));
    }
    let copying = start.elapsed();
    tree::sync(data)?;
    let writing = start.elapsed().saturating_sub(copying);
    Ok(PutBack { copied, copying, writing, data: data.to_owned(), former: keeps.then_some(former) })
}

/// The file in a data directory that is being replaced in place: it contains the path of the golden copy.
const INCOMPLETE: &str = ".tenbin-incomplete";

/// Finishes what a killed process has left of a data directory that it was replacing.
pub fn put_in_order(data: &Path) -> Result<(), Problem> {
    let (former, fresh, marker) = (beside(data, "former"), beside(data, "restored"), data.join(INCOMPLETE));
    if !data.exists() && former.exists() {
        std::fs::rename(&former, data).map_err(|e| cannot(data, &e))?;
    }
    remove(&former);
    remove(&fresh);
    let Ok(path) = tenbin_intake::text(&marker, tenbin_intake::SMALL) else { return Ok(()) };
    let path = PathBuf::from(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unusable = |why| Problem::new(msg!("golden-copy-unusable", name)).evidence(why);
    let golden = super::read(path.parent().unwrap_or(&path), &name).map_err(unusable)?;
    golden.verify()?;
    let meta = std::fs::symlink_metadata(data).map_err(|e| cannot(data, &e))?;
    replace(&golden, data, &meta, &|_| {}, &StopSignal::new()).map(drop)
}

/// Copies the files that belong to the server itself.
fn own_files(from: &Path, to: &Path, stop: &StopSignal) -> Result<(), Problem> {
    // A database file has none.
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        if super::is_of_server(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            tree::copy(&entry.path(), &to.join(entry.file_name()), &|_| true, &|_| {}, stop)?;
        }
    }
    Ok(())
}

/// Empties the data directory and copies into it.
fn replace(
    golden: &GoldenCopy,
    data: &Path,
    meta: &std::fs::Metadata,
    progress: &dyn Fn(u64),
    stop: &StopSignal,
) -> Result<tree::Copied, Problem> {
    if meta.is_file() {
        std::fs::remove_file(data).map_err(|e| cannot(data, &e))?;
        let copied = tree::copy(&golden.data(), data, &|_| true, progress, stop)?;
        return tree::give(data, (meta.uid(), meta.gid())).map(|()| copied);
    }
    let marker = data.join(INCOMPLETE);
    std::fs::write(&marker, golden.dir.as_os_str().as_encoded_bytes()).map_err(|e| cannot(&marker, &e))?;
    for entry in std::fs::read_dir(data).map_err(|e| cannot(data, &e))?.flatten() {
        if entry.path() != marker && !super::is_of_server(&entry.file_name()) {
            remove(&entry.path());
        }
    }
    let mut all = tree::Copied::default();
    for entry in std::fs::read_dir(golden.data()).map_err(|e| cannot(data, &e))?.flatten() {
        let so_far = all.bytes;
        let copied =
            tree::copy(&entry.path(), &data.join(entry.file_name()), &|_| true, &|n| progress(so_far + n), stop)?;
        all.files += copied.files;
        all.bytes += copied.bytes;
        all.shared += copied.shared;
    }
    tree::give(data, (meta.uid(), meta.gid()))?;
    remove(&marker);
    Ok(all)
}

/// Whether a directory can be renamed: it is no mount point, and its parent is ours to write.
fn is_movable(data: &Path, meta: &std::fs::Metadata) -> bool {
    let Some(parent) = data.parent() else { return false };
    let writable = rustix::fs::access(parent, rustix::fs::Access::WRITE_OK).is_ok();
    writable && std::fs::metadata(parent).is_ok_and(|parent| parent.dev() == meta.dev())
}

/// Free space that stays free.
const RESERVE: u64 = 1 << 30;

/// Whether the file system has room for the copy beside the present data.
fn has_room(golden: &GoldenCopy, data: &Path) -> bool {
    disk::room(data).is_some_and(|room| room.free > golden.description.bytes.saturating_add(RESERVE))
}

/// Fails if there is no room even without the present data.
fn enough(golden: &GoldenCopy, data: &Path) -> Result<(), Problem> {
    let wanted = golden.description.bytes;
    let there = tree::fingerprint(data).map_or(0, |(_, bytes, _)| bytes);
    match disk::room(data) {
        Some(room) if room.free.saturating_add(there) < wanted => {
            Err(Problem::new(msg!("no-room-for-golden-copy", name = golden.name, data = data.display()))
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

/// A path beside the data, on the same file system.
fn beside(data: &Path, what: &str) -> PathBuf {
    let name = data.file_name().unwrap_or(OsStr::new("data")).to_string_lossy();
    data.with_file_name(format!(".{name}.tenbin-{what}"))
}

fn with_suffix(data: &Path, suffix: &str) -> PathBuf {
    let mut name = data.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn remove(path: &Path) {
    let _ = match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(_) => Ok(()),
    };
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
        let making = Making { store, variant: &variant, server: "10.11.19", made_by: "copy", made: "", rows: 1 };
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
        let back = put_back(&golden, &data, &|_| {}, &StopSignal::new()).unwrap();
        assert_eq!((read("a"), read("b"), back.copied.files), ("golden".into(), String::new(), 1));
        back.undo().unwrap();
        assert_eq!((read("a"), read("b")), ("changed".into(), "new".into()));
        put_back(&golden, &data, &|_| {}, &StopSignal::new()).unwrap().keep();
        assert_eq!((read("a"), read("b")), ("golden".into(), String::new()));
        spoilt();
        let meta = std::fs::symlink_metadata(&data).unwrap();
        replace(&golden, &data, &meta, &|_| {}, &StopSignal::new()).unwrap();
        assert_eq!((read("a"), read("b")), ("golden".into(), String::new()), "without room for both");
        assert_eq!(std::fs::read(data.join("auto.cnf")).unwrap(), b"identity", "it keeps its own");
        // Killed after the data were removed, and between the two renames.
        std::fs::remove_file(data.join("sbtest/a")).unwrap();
        std::fs::write(data.join(INCOMPLETE), golden.dir.as_os_str().as_encoded_bytes()).unwrap();
        put_in_order(&data).unwrap();
        assert_eq!(read("a"), "golden");
        assert!(!data.join(INCOMPLETE).exists());
        std::fs::rename(&data, beside(&data, "former")).unwrap();
        std::fs::create_dir(beside(&data, "restored")).unwrap();
        put_in_order(&data).unwrap();
        assert_eq!(read("a"), "golden");
        let mut left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["data", "store"]);
        let stop = StopSignal::new();
        stop.ask();
        spoilt();
        assert!(put_back(&golden, &data, &|_| {}, &stop).is_err());
        assert_eq!(read("b"), "new", "an interruption leaves the data in place");
    }

    #[test]
    fn a_database_file_loses_its_logs() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("a.db");
        std::fs::write(&data, b"golden").unwrap();
        let golden = golden(&dir.path().join("store"), &data);
        std::fs::write(&data, b"changed").unwrap();
        std::fs::write(dir.path().join("a.db-wal"), b"log").unwrap();
        put_back(&golden, &data, &|_| {}, &StopSignal::new()).unwrap().keep();
        assert_eq!(std::fs::read(&data).unwrap(), b"golden");
        assert!(!dir.path().join("a.db-wal").exists());
    }
}
