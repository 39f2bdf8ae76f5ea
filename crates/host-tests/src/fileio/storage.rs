//! The open files of a test, shared by its clients, and the three ways to access them: system calls, mappings,
//! io_uring.

use super::FileTest;
use super::files::{Files, NO_LINK, hint_for, trouble};
use super::raw::{Mapping, Ring};
use super::requests::BlockRange;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::sync::{Arc, OnceLock, RwLock};
use tenbin_driver::{Class, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What the kernel answers to a call that it does not know.
const ENOSYS: i32 = rustix::io::Errno::NOSYS.raw_os_error();

/// How the files are accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileAccess {
    Calls,
    Mapped,
    Ring,
}

/// Flags for opening the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    bits: u32,
    direct: bool,
}

impl Flags {
    /// From sysbench's list of names.
    pub(super) fn named(list: &str) -> Result<Flags, Problem> {
        use rustix::fs::OFlags;
        let mut flags = Flags::default();
        for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            flags.bits |= match name {
                "sync" => OFlags::SYNC,
                "dsync" => OFlags::DSYNC,
                "direct" => OFlags::DIRECT,
                other => {
                    return Err(Problem::new(msg!(
                        "file-extra-flags-cannot-be",
                        option = "file_extra_flags",
                        value = format_args!("{other:?}")
                    ))
                    .hint(msg!("give-extra-flags")));
                }
            }
            .bits();
            flags.direct |= name == "direct";
        }
        Ok(flags)
    }
}

/// When and how files are synced.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sync {
    /// After each write.
    pub(super) all: bool,
    /// fdatasync instead of fsync.
    pub(super) data_only: bool,
}

/// Opened by the first client, for all.
pub(super) type SharedStorage = OnceLock<Result<Arc<Storage>, Error>>;

/// The open files.
pub(super) struct Storage {
    files: Files,
    open: Arc<Vec<File>>,
    mapped: Vec<Mapping>,
    /// While blocks are checked, no client reads what another is writing.
    busy: Vec<RwLock<()>>,
    direct: bool,
    sync: Sync,
}

impl Storage {
    /// The files of a plan, opened by the first client.
    pub(super) fn of(plan: &FileTest) -> Result<Arc<Storage>, Error> {
        plan.storage.get_or_init(|| Storage::open(plan).map(Arc::new)).clone()
    }

    fn open(plan: &FileTest) -> Result<Storage, Error> {
        let files = &plan.files;
        let refuse = |p: Problem| refused(&p);
        files.inspect().map_err(refuse)?;
        if plan.mode.creates() {
            let there = files.names().map(|n| files.length(&n)).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
            files.room((files.num * files.size).saturating_sub(there.into_iter().flatten().sum())).map_err(refuse)?;
            files.claim(if plan.validate { files.block } else { 0 }).map_err(refuse)?;
        }
        let mut open = Vec::with_capacity(files.num as usize);
        for name in files.names() {
            let path = files.path(&name);
            let mut options = OpenOptions::new();
            // What is emptied is none of others.
            let link = if plan.mode.creates() { NO_LINK } else { 0 };
            options.read(true).write(plan.mode.writes()).custom_flags(plan.flags.bits as i32 | link);
            options.create(plan.mode.creates()).truncate(plan.mode.creates()).mode(0o600);
            let file = options.open(&path).map_err(|e| {
                let problem = trouble(msg!("file-cannot-be-opened", path = path.display()), &e);
                refused(&match e.kind() {
                    io::ErrorKind::NotFound => problem.hint(files.load_command()),
                    io::ErrorKind::InvalidInput if plan.flags.direct => problem.hint(msg!("no-direct-io")),
                    _ => problem,
                })
            })?;
            let length = file
                .metadata()
                .map_err(|e| refused(&trouble(msg!("file-cannot-be-looked-at", path = path.display()), &e)))?
                .len();
            if plan.mode.creates() && plan.way == FileAccess::Mapped {
                file.set_len(files.size)
                    .map_err(|e| refused(&trouble(msg!("file-cannot-be-made-longer", path = path.display()), &e)))?;
            } else if !plan.mode.creates() && length < files.size {
                let problem =
                    Problem::new(msg!("file-has-wrong-size", file = path.display(), length, size = files.size));
                return Err(refused(&problem.hint(files.load_command())));
            }
            open.push(file);
        }
        if plan.mode.creates() {
            files.bind().map_err(refuse)?;
        }
        let mapped = match plan.way {
            FileAccess::Mapped => open
                .iter()
                .map(|f| Mapping::new(f, plan.mode.writes()))
                .collect::<Result<_, _>>()
                .map_err(|e| refused(&Problem::new(msg!("files-cannot-be-mapped")).evidence(foreign(e))))?,
            _ => Vec::new(),
        };
        let busy = (0..if plan.validate { files.num } else { 0 }).map(|_| RwLock::new(())).collect();
        Ok(Storage {
            files: files.clone(),
            open: Arc::new(open),
            mapped,
            busy,
            direct: plan.flags.direct,
            sync: plan.sync,
        })
    }

    /// A queue of requests to these files for one client.
    pub(super) fn ring(&self, depth: u32, largest: usize) -> Result<Ring, Error> {
        Ring::new(depth, largest, self.open.clone()).map_err(|e| {
            // A kernel that does not know the call is too old; one that forbids it does so by a setting or a filter.
            let hint = match e.raw_os_error() {
                Some(ENOSYS) => msg!("io-uring-needs-kernel"),
                _ => msg!("enable-io-uring"),
            };
            Error::new(Class::Refused, msg!("no-io-uring", error = e)).hint(hint)
        })
    }

    pub(super) fn read(&self, range: BlockRange, buffer: &mut [u8]) -> Result<(), Error> {
        let _no_writer = self.busy.get(range.file).map(RwLock::read);
        let at = range.block * self.files.block;
        match self.mapped.get(range.file) {
            Some(mapping) => mapping.read(at as usize, buffer),
            None => {
                self.open[range.file].read_exact_at(buffer, at).map_err(|e| self.failed("read", range.file, at, &e))?
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, range: BlockRange, buffer: &[u8]) -> Result<(), Error> {
        let _alone = self.busy.get(range.file).map(RwLock::write);
        let at = range.block * self.files.block;
        match self.mapped.get(range.file) {
            Some(mapping) => mapping.write(at as usize, buffer),
            None => {
                self.open[range.file].write_all_at(buffer, at).map_err(|e| self.failed("write", range.file, at, &e))?
            }
        }
        Ok(())
    }

    pub(super) fn fsync(&self, file: usize) -> Result<(), Error> {
        let outcome = match (self.mapped.get(file), self.sync.data_only) {
            (Some(mapping), _) => mapping.sync(),
            (None, true) => self.open[file].sync_data(),
            (None, false) => self.open[file].sync_all(),
        };
        outcome.map_err(|e| self.failed("fsync", file, 0, &e))
    }

    /// The error of a request, with a hint.
    pub(super) fn failed(&self, what: &str, file: usize, at: u64, e: &io::Error) -> Error {
        let path = self.files.path(&Files::name(file as u64));
        let class = match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Class::Limit,
            _ => Class::Sql,
        };
        let mut error =
            Error::new(class, msg!("file-operation-failed", operation = what, path = path.display(), at, error = e));
        if let Some(number) = e.raw_os_error() {
            error = error.code(number as u32);
        }
        let hint = match e.kind() {
            io::ErrorKind::InvalidInput if self.direct => {
                Some(msg!("direct-io-wants-whole-blocks", block = self.files.block))
            }
            io::ErrorKind::UnexpectedEof => Some(self.files.load_command()),
            _ => hint_for(e),
        };
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    /// The error for a corrupt block. The number is that of file systems for a wrong checksum (EBADMSG).
    pub(super) fn corrupt(&self, range: BlockRange, block: u64, why: &str) -> Error {
        let path = self.files.path(&Files::name(range.file as u64));
        let at = block * self.files.block;
        let what = msg!("file-content-wrong", path = path.display(), at, why);
        Error::new(Class::Sql, what).code(74).hint(msg!("load-makes-files-anew", load = self.files.load_command()))
    }
}

/// Converts it to an error of a connection.
fn refused(problem: &Problem) -> Error {
    let what = match &problem.evidence {
        Some(evidence) => msg!("what-seen", what = problem.what, seen = evidence),
        None => problem.what.clone(),
    };
    let error = Error::new(Class::Refused, what);
    match &problem.hint {
        Some(hint) => error.hint(hint.clone()),
        None => error,
    }
}
