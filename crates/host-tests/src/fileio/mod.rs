//! `fileio`: reads and writes blocks of a set of files, in order or at random, as sysbench does.
//!
//! [`requests`] determines the next request (pure), [`files`] knows the files and which of them are ours,
//! [`storage`] opens them and executes requests, [`client`] is one thread, [`dataset`] creates and removes the
//! files, [`block`] fills and checks blocks.

mod block;
mod client;
pub(crate) mod dataset;
mod files;
mod requests;
mod storage;

use super::{Test, raw};
use files::Files;
use requests::{Mode, Queue, Rules};
use std::sync::Arc;
use storage::{FileAccess, Flags, Sync};
use tenbin_driver::Connector;
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::{RunsOn, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "fileio",
    about: "reads and writes blocks of files, sequentially or at random; needs no database (host:DIRECTORY)",
    family: "sysbench",
    runs_on: RunsOn::Host,
    dataset: dataset::ENTRY.kind,
    shared: SHARED,
    reads_only: true,
    options: &[FILES, ACCESS],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let plan = Arc::new(FileTest::new(options, &connector)?);
        Ok(Box::new(Test {
            name,
            statements: vec![
                ("read".into(), StatementKind::Read),
                ("write".into(), StatementKind::Write),
                ("fsync".into(), StatementKind::Other),
            ],
            burst: 1,
            make: Box::new(move |number, _, seed| client::Requester::new(plan.clone(), number, seed)),
        }))
    })
};

/// The files. These options are shared by the data set and the load.
pub(crate) const FILES: &[OptionSpec] = &[
    row(
        "file_dir",
        "",
        ValueType::Text,
        "directory of the files; empty: the target's directory, or else the current one",
    ),
    row("file_num", "128", ValueType::Count(1, 1_000_000), "number of files: test_file.0, test_file.1, …"),
    row("file_total_size", "2G", ValueType::Size(1, 1 << 60), "total size of the files, which are all of equal size"),
    row("file_block_size", "16384", ValueType::Size(1, 1 << 30), "bytes per request"),
    row(
        "file_test_mode",
        "rndrw",
        ValueType::Word(&["seqwr", "seqrewr", "seqrd", "rndrd", "rndwr", "rndrw"]),
        "access pattern; seqwr recreates the files, the others use those created by `tenbin load fileio`",
    ),
    row("validate", "off", ValueType::Switch, "blocks have checksums, which are verified on every read"),
];

/// Names of [`FILES`].
const SHARED: &[&str] = &["file_dir", "file_num", "file_total_size", "file_block_size", "file_test_mode", "validate"];

/// How they are accessed.
const ACCESS: &[OptionSpec] = &[
    row(
        "file_io_mode",
        "sync",
        ValueType::Word(&["sync", "async", "mmap"]),
        "how blocks are accessed; async: with io_uring",
    ),
    row("file_async_backlog", "128", ValueType::Count(1, 4096), "async: requests in flight per client"),
    row(
        "file_extra_flags",
        "",
        ValueType::Text,
        "flags to open the files with: sync, dsync, direct, or several separated by commas",
    ),
    row("file_fsync_freq", "100", ValueType::Count(0, 1 << 40), "fsync all files after this many requests; 0: never"),
    row("file_fsync_all", "off", ValueType::Switch, "fsync after each write"),
    row("file_fsync_end", "on", ValueType::Switch, "fsync all files at the end, after the measured window"),
    row("file_fsync_mode", "fsync", ValueType::Word(&["fsync", "fdatasync"]), "system call used for fsync"),
    row(
        "file_merged_requests",
        "0",
        ValueType::Count(0, 1 << 20),
        "sequential modes: number of blocks merged into a request; 0: none",
    ),
    row("file_rw_ratio", "1.5", ValueType::Number(0.0, 1e9), "rndrw: reads per write"),
];

/// Indexes of the statements.
const READ: u16 = 0;
const WRITE: u16 = 1;
const FSYNC: u16 = 2;

/// One test, resolved: shared by all its clients.
struct FileTest {
    files: Files,
    mode: Mode,
    queue: Queue,
    way: FileAccess,
    backlog: u32,
    flags: Flags,
    sync: Sync,
    fsync_end: bool,
    validate: bool,
    storage: storage::SharedStorage,
}

impl FileTest {
    fn new(options: &OptionMap, connector: &Connector) -> Result<FileTest, Problem> {
        let options = Resolved(options);
        let files = Files::new(&options, connector)?;
        let mode = Mode::named(options.text("file_test_mode"));
        let way = match options.text("file_io_mode") {
            "async" => FileAccess::Ring,
            "mmap" => FileAccess::Mapped,
            _ => FileAccess::Calls,
        };
        let validate = options.on("validate");
        if validate && way == FileAccess::Ring {
            return Err(Problem::new(msg!("validate-with-async", option = "file_io_mode"))
                .evidence(msg!("block-read-while-written"))
                .hint(msg!("write-sync-or-mmap")));
        }
        if validate && files.block < block::SMALLEST {
            return Err(Problem::new(msg!("blocks-too-small-for-checksum", block = files.block))
                .hint(msg!("give-larger-blocks", smallest = block::SMALLEST)));
        }
        let fsync_all = options.on("file_fsync_all") && mode.writes();
        let rules = Rules {
            mode,
            files: files.num,
            blocks_per_file: files.size / files.block,
            merged: options.count("file_merged_requests").max(1),
            ratio: options.number("file_rw_ratio"),
            fsync_after: if fsync_all || !mode.writes() { 0 } else { options.count("file_fsync_freq") },
        };
        Ok(FileTest {
            queue: Queue::new(rules),
            flags: Flags::named(options.text("file_extra_flags"))?,
            sync: Sync { all: fsync_all, data_only: options.text("file_fsync_mode") == "fdatasync" },
            fsync_end: options.on("file_fsync_end") && mode.writes() && !fsync_all,
            backlog: options.count32("file_async_backlog"),
            files,
            mode,
            way,
            validate,
            storage: storage::SharedStorage::default(),
        })
    }

    /// Bytes of the largest request.
    fn largest(&self) -> usize {
        (self.files.block * self.queue.most_blocks()) as usize
    }
}
