//! (f) sysbench's tests of the machine itself: the same work in the same time, or the figures could not be compared.
//!
//! What is held to 3 % are events per second of processor time: on a machine that others use too, those of wall time
//! say more about the others.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::More;
use crate::paired::Figures;
use crate::paired_run::run_pairs;
use crate::process;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

/// One test: its name in the table, sysbench's name, its options.
type Test = (&'static str, &'static str, &'static [&'static str]);

const TESTS: &[Test] = &[
    ("cpu", "cpu", &[]),
    ("memory, write 1K", "memory", &[]),
    ("memory, read 1K", "memory", &["memory-oper=read"]),
    ("memory, write 1M", "memory", &["memory-block-size=1M"]),
    ("memory, read 1M", "memory", &["memory-block-size=1M", "memory-oper=read"]),
    ("memory, write 1M at random", "memory", &["memory-block-size=1M", "memory-access-mode=rnd"]),
    ("threads", "threads", &[]),
    ("fileio, rndrd cached", "fileio", &["file-num=4", "file-total-size=64M", "file-test-mode=rndrd"]),
    ("fileio, rndrw", "fileio", &["file-num=4", "file-total-size=64M", "file-test-mode=rndrw"]),
];

const FILES: u64 = 4;
const FILE_BYTES: usize = 16 << 20;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let seconds = options.window_s().ceil() as u64;
    let points: Vec<(String, Test)> = TESTS.iter().map(|test| (test.0.to_owned(), *test)).collect();
    let points = run_pairs(options, &points, |tool, (_, test, asked)| {
        let dir = tempfile::tempdir()?;
        if *test == "fileio" {
            make_files(dir.path())?;
        }
        let process = process::start(&tool.program, &tool.host(test, asked, seconds), None, dir.path())?;
        let ended = process.wait(Duration::from_secs(60 + seconds))?;
        let events = tool.events(&ended.said)?;
        Ok(Figures::from([
            ("events_per_cpu_s", events.number / ended.cpu.total_s()),
            ("events_per_s", events.number / events.seconds),
        ]))
    })?;
    Ok(Measurement {
        key: "f",
        name: "sysbench's tests of the machine itself: the same work".into(),
        columns: vec![
            Column::new("events_per_cpu_s", "events/s of CPU", More),
            Column::new("events_per_s", "events/s", More),
        ],
        points,
    })
}

/// Files that both accept, on the disk before anything is measured.
fn make_files(dir: &Path) -> io::Result<()> {
    for file in 0..FILES {
        let path = dir.join(format!("test_file.{file}"));
        std::fs::write(&path, vec![0; FILE_BYTES])?;
        File::open(&path)?.sync_all()?;
    }
    Ok(())
}
