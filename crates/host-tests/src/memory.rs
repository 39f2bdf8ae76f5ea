//! `memory`: reads or writes blocks of memory word by word, in order or at random, as sysbench does.
//!
//! An event is one block, by default 1 KiB: thirty nanoseconds of work and a hundred for reading the clock and
//! counting, in sysbench as well as here. Therefore several are executed per call, and the engine counts them one by
//! one.

use super::raw::{HugePages, opaque, used};
use super::{HostTask, Test};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Error};
use tenbin_model::tally::StatementKind;
use tenbin_model::workload::{Ends, NO_DATA};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{Resolved, ValueType, row};
use tenbin_workload::{Random, RunsOn, StatementRecord, TransactionContext, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "memory",
    about: "reads or writes blocks of memory word by word: MiB per second; needs no database (host:)",
    family: "sysbench",
    runs_on: RunsOn::Host,
    dataset: NO_DATA,
    ends: Ends::Always,
    options: &[&[
        row(
            "memory_block_size",
            "1K",
            ValueType::Size(WORD, 1 << 40),
            "bytes that an event transfers, a power of two; 1K fits into the cache",
        ),
        row(
            "memory_total_size",
            "100G",
            ValueType::Size(0, 1 << 60),
            "bytes to transfer in total, in equal shares for the clients; 0: no limit",
        ),
        row(
            "memory_scope",
            "global",
            ValueType::Word(&["global", "local"]),
            "global: one block for all clients; local: one for each",
        ),
        row("memory_hugetlb", "off", ValueType::Switch, "allocate the blocks in huge pages"),
        row("memory_oper", "write", ValueType::Word(&["write", "read", "none"]), "operation on each word"),
        row(
            "memory_access_mode",
            "seq",
            ValueType::Word(&["seq", "rnd"]),
            "seq: all words in order; rnd: as many random words",
        ),
    ]],
    ..WorkloadEntry::made_by(|name, options, _| {
        let options = Resolved(options);
        let size = options.size("memory_block_size");
        if !size.is_power_of_two() {
            return Err(Problem::new(msg!("memory-block-no-power-of-two", option = "memory_block_size", size))
                .hint(msg!("write-it", near = size.next_power_of_two())));
        }
        let (words, huge) = ((size / WORD) as usize, options.on("memory_hugetlb"));
        let shared = match options.text("memory_scope") {
            "local" => None,
            _ => Some(Arc::new(Block::new(words, huge).map_err(|e| e.problem(msg!("making-memory-block")))?)),
        };
        let oper = match (options.text("memory_oper"), options.text("memory_access_mode")) {
            ("none", "seq") => Oper::Nothing,
            ("none", _) => Oper::NothingAnywhere,
            ("read", "seq") => Oper::Read,
            ("read", _) => Oper::ReadAnywhere,
            (_, "seq") => Oper::Write,
            _ => Oper::WriteAnywhere,
        };
        let total = options.size("memory_total_size");
        Ok(Box::new(Test {
            name,
            statements: match oper {
                Oper::Nothing | Oper::NothingAnywhere => Vec::new(),
                Oper::Read | Oper::ReadAnywhere => vec![("read".into(), StatementKind::Read)],
                Oper::Write | Oper::WriteAnywhere => vec![("write".into(), StatementKind::Write)],
            },
            burst: BURST,
            make: Box::new(move |number, of, seed| Passes {
                oper,
                words,
                huge,
                block: shared.clone(),
                left: if total == 0 { u64::MAX } else { total / size / u64::from(of) },
                random: Random::new(seed, u64::from(number)),
            }),
        }))
    })
};

/// Bytes of the words that memory is accessed by.
const WORD: u64 = size_of::<usize>() as u64;

/// Events in one call. With four, an event costs the same as in sysbench 1.0.20, so that figures for the default block
/// are comparable (1 KiB blocks written, processor time for each: 140 ns there; here 213 with one in a call, 142 with
/// four, 115 with 64).
const BURST: u32 = 4;
/// A call ends after this time, whatever is left of its burst.
const LONGEST: Duration = Duration::from_micros(200);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Oper {
    Nothing,
    NothingAnywhere,
    Read,
    Write,
    ReadAnywhere,
    WriteAnywhere,
}

/// A block of words that several threads may write at once.
enum Block {
    Heap(Box<[AtomicUsize]>),
    Huge(HugePages),
}

impl Block {
    fn new(words: usize, huge: bool) -> Result<Block, Error> {
        if huge {
            return HugePages::new(words).map(Block::Huge);
        }
        let mut block = Vec::new();
        block.try_reserve_exact(words).map_err(|e| {
            Error::new(Class::Limit, msg!("no-memory-for-block", bytes = words as u64 * WORD, error = e))
                .hint(msg!("give-smaller-memory-block-size"))
        })?;
        // Written once, so that the pages are allocated before the measurement.
        block.extend((0..words).map(|i| AtomicUsize::new(!i)));
        Ok(Block::Heap(block.into_boxed_slice()))
    }
}

impl Deref for Block {
    type Target = [AtomicUsize];

    #[inline]
    fn deref(&self) -> &[AtomicUsize] {
        match self {
            Block::Heap(words) => words,
            Block::Huge(pages) => pages,
        }
    }
}

/// The work of one thread.
struct Passes {
    oper: Oper,
    words: usize,
    huge: bool,
    /// Shared with the others, or created when the client opens.
    block: Option<Arc<Block>>,
    /// Remaining blocks.
    left: u64,
    random: Random,
}

impl HostTask for Passes {
    fn open(&mut self) -> Result<(), Error> {
        if self.left == 0 {
            let what = msg!("memory-total-too-small");
            return Err(Error::new(Class::Limit, what).hint(msg!("give-larger-memory-total-size")));
        }
        if self.block.is_none() {
            self.block = Some(Arc::new(Block::new(self.words, self.huge)?));
        }
        Ok(())
    }

    fn event(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        let Some(block) = &self.block else { return Err(Error::new(Class::Lost, msg!("no-block"))) };
        let events = u64::from(context.leave.max(1)).min(self.left);
        let first = Instant::now();
        for done in 1..=events {
            let start = Instant::now();
            pass(self.oper, block, &mut self.random);
            let service_ns = start.elapsed().as_nanos() as u64;
            if !matches!(self.oper, Oper::Nothing | Oper::NothingAnywhere) {
                context.records.push(StatementRecord::of(0, service_ns, self.words as u64 * WORD, None));
            }
            context.burst.push(service_ns);
            self.left -= 1;
            if done == events || first.elapsed() > LONGEST {
                break;
            }
        }
        context.last = self.left == 0;
        if context.burst.len() == 1 {
            context.burst.clear();
        }
        Ok(())
    }
}

/// Accesses each word of a block once, or as many random words of it. Atomic words are plain loads and stores for the
/// processor.
///
/// The figure depends on the instructions, so these are sysbench's: a load for each word, or a store of the number of
/// remaining words, computed from the addresses. `none` with `rnd` draws the numbers without accessing memory.
#[inline(never)]
fn pass(oper: Oper, block: &[AtomicUsize], random: &mut Random) {
    let words = block.len();
    // Unrolled by hand, because the compiler does not unroll atomic accesses.
    let (groups, rest) = block.as_chunks::<16>();
    match oper {
        Oper::Nothing => {}
        Oper::Read => {
            for group in groups {
                group.iter().for_each(|w| used(w.load(Ordering::Relaxed)));
            }
            rest.iter().for_each(|w| used(w.load(Ordering::Relaxed)));
        }
        Oper::Write => {
            let end = block.as_ptr_range().end as usize;
            for group in groups {
                let first = opaque(group.as_ptr() as usize);
                for (i, word) in group.iter().enumerate() {
                    let here = opaque(first + i * size_of::<usize>());
                    word.store((end - here) >> 3, Ordering::Relaxed);
                }
            }
            for (i, word) in rest.iter().enumerate() {
                word.store(rest.len() - i, Ordering::Relaxed);
            }
        }
        Oper::NothingAnywhere => {
            for _ in 0..words {
                opaque(anywhere(random, words));
            }
        }
        Oper::ReadAnywhere => {
            for _ in 0..words {
                opaque(block[anywhere(random, words)].load(Ordering::Relaxed));
            }
        }
        Oper::WriteAnywhere => {
            for i in 0..words {
                block[anywhere(random, words)].store(i * size_of::<usize>(), Ordering::Relaxed);
            }
        }
    }
}

/// A random index, through a floating-point number as in sysbench.
#[inline]
fn anywhere(random: &mut Random, words: usize) -> usize {
    // The unit is below 1 by more than the product can round.
    (random.unit() * words as i64 as f64) as i64 as usize
}
