//! The open files of a test, shared by its clients, and the three ways to reach them: calls, mappings, io_uring.

use super::Plan;
use super::files::{Files, trouble};
use super::raw::{Mapping, Ring};
use super::requests::Place;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::sync::{Arc, OnceLock, RwLock};
use tenbin_driver::{Class, Error};
use tenbin_model::problem::Problem;

/// How the files are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Calls,
    Mapped,
    Ring,
}

/// Flags the files are opened with.
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
                    return Err(Problem::new(format!("file_extra_flags cannot be {other:?}"))
                        .mend("give sync, dsync, direct, or several with commas"));
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
pub(super) type Shared = OnceLock<Result<Arc<Storage>, Error>>;

/// The open files.
pub(super) struct Storage {
    files: Files,
    open: Arc<Vec<File>>,
    mapped: Vec<Mapping>,
    /// While blocks are checked, nobody reads what somebody else is writing.
    busy: Vec<RwLock<()>>,
    direct: bool,
    sync: Sync,
}

impl Storage {
    /// The files of a plan, opened by whoever comes first.
    pub(super) fn of(plan: &Plan) -> Result<Arc<Storage>, Error> {
        plan.storage.get_or_init(|| Storage::open(plan).map(Arc::new)).clone()
    }

    fn open(plan: &Plan) -> Result<Storage, Error> {
        let files = &plan.files;
        let refuse = |p: Problem| refused(&p);
        files.look().map_err(refuse)?;
        if plan.mode.creates() {
            let there = files.names().map(|n| files.length(&n)).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
            files.room((files.num * files.size).saturating_sub(there.into_iter().flatten().sum())).map_err(refuse)?;
            files.claim(if plan.validate { files.block } else { 0 }).map_err(refuse)?;
        }
        let mut open = Vec::with_capacity(files.num as usize);
        for name in files.names() {
            let path = files.path(&name);
            let mut options = OpenOptions::new();
            options.read(true).write(plan.mode.writes()).custom_flags(plan.flags.bits as i32);
            options.create(plan.mode.creates()).truncate(plan.mode.creates()).mode(0o600);
            let file = options.open(&path).map_err(|e| {
                let problem = trouble("opened", &path, &e);
                refused(&match e.kind() {
                    io::ErrorKind::NotFound => problem.mend(files.load_command()),
                    io::ErrorKind::InvalidInput if plan.flags.direct => {
                        problem.mend("this file system has no direct I/O: leave direct out of file_extra_flags")
                    }
                    _ => problem,
                })
            })?;
            let length = file.metadata().map_err(|e| refused(&trouble("looked at", &path, &e)))?.len();
            if plan.mode.creates() && plan.way == Way::Mapped {
                file.set_len(files.size).map_err(|e| refused(&trouble("made longer", &path, &e)))?;
            } else if !plan.mode.creates() && length < files.size {
                let problem = Problem::new(format!("{} has {length} of {} bytes", path.display(), files.size));
                return Err(refused(&problem.mend(files.load_command())));
            }
            open.push(file);
        }
        let mapped = match plan.way {
            Way::Mapped => {
                open.iter().map(|f| Mapping::new(f, plan.mode.writes())).collect::<Result<_, _>>().map_err(|e| {
                    refused(&Problem::new("the files cannot be mapped into memory").evidence(e.to_string()))
                })?
            }
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
            Error::new(Class::Refused, format!("the kernel gives no io_uring for file_io_mode = async: {e}"))
                .mend("sysctl kernel.io_uring_disabled=0 (as root), or file_io_mode = sync")
        })
    }

    pub(super) fn read(&self, place: Place, buffer: &mut [u8]) -> Result<(), Error> {
        let _nobody_writes = self.busy.get(place.file).map(RwLock::read);
        let at = place.block * self.files.block;
        match self.mapped.get(place.file) {
            Some(mapping) => mapping.read(at as usize, buffer),
            None => {
                self.open[place.file].read_exact_at(buffer, at).map_err(|e| self.failed("read", place.file, at, &e))?
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, place: Place, buffer: &[u8]) -> Result<(), Error> {
        let _alone = self.busy.get(place.file).map(RwLock::write);
        let at = place.block * self.files.block;
        match self.mapped.get(place.file) {
            Some(mapping) => mapping.write(at as usize, buffer),
            None => {
                self.open[place.file].write_all_at(buffer, at).map_err(|e| self.failed("write", place.file, at, &e))?
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

    /// The error of a request, with the way out that goes with it.
    pub(super) fn failed(&self, what: &str, file: usize, at: u64, e: &io::Error) -> Error {
        let path = self.files.path(&Files::name(file as u64));
        let class = match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Class::Limit,
            _ => Class::Sql,
        };
        let mut error = Error::new(class, format!("{what} of {} at byte {at}: {e}", path.display()));
        if let Some(number) = e.raw_os_error() {
            error = error.code(number as u32);
        }
        let mend = match e.kind() {
            io::ErrorKind::InvalidInput if self.direct => Some(format!(
                "direct I/O takes whole blocks of the device: give file_block_size a multiple of 4096 instead of {}, or leave direct out",
                self.files.block
            )),
            io::ErrorKind::UnexpectedEof => Some(self.files.load_command()),
            _ => trouble("", &path, e).mend,
        };
        match mend {
            Some(mend) => error.mend(mend),
            None => error,
        }
    }

    /// A block that is not as it was written. The number is that of file systems for a wrong checksum (EBADMSG).
    pub(super) fn corrupt(&self, place: Place, block: u64, why: &str) -> Error {
        let path = self.files.path(&Files::name(place.file as u64));
        let at = block * self.files.block;
        let what = format!("what was read of {} at byte {at} is not what was written: {why}", path.display());
        Error::new(Class::Sql, what).code(74).mend(format!("{} --drop makes the files anew", self.files.load_command()))
    }
}

/// As an error of a connection.
fn refused(problem: &Problem) -> Error {
    let evidence = problem.evidence.as_ref().map(|e| format!(": {e}")).unwrap_or_default();
    let error = Error::new(Class::Refused, format!("{}{evidence}", problem.what));
    match &problem.mend {
        Some(mend) => error.mend(mend.clone()),
        None => error,
    }
}
