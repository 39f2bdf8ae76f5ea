//! The requests of all clients of one test, in sysbench's order. Pure.
//!
//! Sequentially, all clients share one position that goes over all files again and again. At random, each draws its own
//! positions, uniformly over all blocks of all files. After this many requests of all clients, if anything was written
//! since, each file is synced in turn; each of these is a request too.

use std::sync::{Mutex, PoisonError};
use tenbin_workload::Random;

/// The mode of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    SequentialWrite,
    SequentialRewrite,
    SequentialRead,
    RandomRead,
    RandomWrite,
    RandomBoth,
}

impl Mode {
    /// The mode with this name of sysbench, which has been checked.
    pub(super) fn named(name: &str) -> Mode {
        match name {
            "seqwr" => Mode::SequentialWrite,
            "seqrewr" => Mode::SequentialRewrite,
            "seqrd" => Mode::SequentialRead,
            "rndrd" => Mode::RandomRead,
            "rndwr" => Mode::RandomWrite,
            _ => Mode::RandomBoth,
        }
    }

    /// Whether it writes at all.
    pub(super) fn writes(self) -> bool {
        !matches!(self, Mode::SequentialRead | Mode::RandomRead)
    }

    /// Whether it starts with empty files.
    pub(super) fn creates(self) -> bool {
        self == Mode::SequentialWrite
    }

    fn in_order(self) -> bool {
        matches!(self, Mode::SequentialWrite | Mode::SequentialRewrite | Mode::SequentialRead)
    }
}

/// One request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    Read(BlockRange),
    Write(BlockRange),
    Fsync { file: usize },
}

/// Some blocks of a file, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockRange {
    pub(super) file: usize,
    /// The index of the first one among the blocks of the file.
    pub(super) block: u64,
    /// How many.
    pub(super) blocks: u64,
}

/// The parameters of the requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) mode: Mode,
    pub(super) files: u64,
    pub(super) blocks_per_file: u64,
    /// Consecutive blocks in one request.
    pub(super) merged: u64,
    /// Reads for each write.
    pub(super) ratio: f64,
    /// 0: never.
    pub(super) fsync_after: u64,
}

/// The state shared by all clients.
#[derive(Debug)]
pub(super) struct Queue {
    rules: Rules,
    at: Mutex<At>,
}

#[derive(Debug, Default)]
struct At {
    /// The next sequential block, over all files.
    block: u64,
    since_fsync: u64,
    written: bool,
    /// Files still to sync, from this one on.
    syncing: Option<u64>,
}

/// The state of a client.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) random: Random,
    reads: u64,
    writes: u64,
}

impl Own {
    pub(super) fn new(random: Random) -> Own {
        Own { random, reads: 0, writes: 0 }
    }
}

impl Queue {
    pub(super) fn new(rules: Rules) -> Queue {
        Queue { rules, at: Mutex::default() }
    }

    /// Blocks of the largest request.
    pub(super) fn most_blocks(&self) -> u64 {
        if self.rules.mode.in_order() { self.rules.merged.min(self.rules.blocks_per_file) } else { 1 }
    }

    /// The next request of a client.
    pub(super) fn next(&self, own: &mut Own) -> Request {
        let Rules { mode, files, blocks_per_file, merged, ratio, fsync_after } = self.rules;
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        if fsync_after > 0 && at.since_fsync >= fsync_after && at.written {
            (at.since_fsync, at.written, at.syncing) = (0, false, Some(0));
        }
        if let Some(file) = at.syncing {
            at.syncing = Some(file + 1).filter(|next| *next < files);
            return Request::Fsync { file: file as usize };
        }
        at.since_fsync += 1;
        let (block, blocks) = if mode.in_order() {
            let blocks = merged.min(blocks_per_file - at.block % blocks_per_file);
            let block = at.block;
            at.block = (at.block + blocks) % (files * blocks_per_file);
            (block, blocks)
        } else {
            (own.random.below(files * blocks_per_file), 1)
        };
        let range = BlockRange { file: (block / blocks_per_file) as usize, block: block % blocks_per_file, blocks };
        let reads = match mode {
            Mode::SequentialRead | Mode::RandomRead => true,
            Mode::RandomBoth => ((own.reads + 1) as f64) / ((own.writes + 1) as f64) < ratio,
            _ => false,
        };
        if reads {
            own.reads += 1;
            return Request::Read(range);
        }
        own.writes += 1;
        at.written = true;
        Request::Write(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(mode: &str, merged: u64, fsync_after: u64) -> Queue {
        Queue::new(Rules { mode: Mode::named(mode), files: 2, blocks_per_file: 3, merged, ratio: 1.5, fsync_after })
    }

    fn said(queue: &Queue, n: usize) -> String {
        let mut own = Own::new(Random::new(1, 0));
        let each = |r: Request| match r {
            Request::Read(p) => format!("r{}:{}+{}", p.file, p.block, p.blocks),
            Request::Write(p) => format!("w{}:{}+{}", p.file, p.block, p.blocks),
            Request::Fsync { file } => format!("f{file}"),
        };
        (0..n).map(|_| each(queue.next(&mut own))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn in_order_over_all_files_and_round_again() {
        assert_eq!(said(&queue("seqrd", 1, 0), 7), "r0:0+1 r0:1+1 r0:2+1 r1:0+1 r1:1+1 r1:2+1 r0:0+1");
        assert_eq!(said(&queue("seqrewr", 2, 0), 5), "w0:0+2 w0:2+1 w1:0+2 w1:2+1 w0:0+2", "no request spans files");
    }

    #[test]
    fn each_file_is_synced_after_so_many_requests_if_anything_was_written() {
        assert_eq!(said(&queue("seqwr", 1, 2), 8), "w0:0+1 w0:1+1 f0 f1 w0:2+1 w1:0+1 f0 f1");
        assert!(!said(&queue("rndrd", 1, 2), 50).contains('f'));
    }

    #[test]
    fn reads_and_writes_keep_their_ratio_and_random_places_are_everywhere() {
        let all = said(&queue("rndrw", 1, 0), 1000);
        assert_eq!((all.matches('r').count(), all.matches('w').count()), (600, 400));
        for place in ["0:0", "0:1", "0:2", "1:0", "1:1", "1:2"] {
            let times = all.matches(place).count();
            assert!((120..220).contains(&times), "{place}: {times}");
        }
    }
}
