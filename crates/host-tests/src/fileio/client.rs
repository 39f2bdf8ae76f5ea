//! One thread of a storage test: takes the next request, executes it, and records its time.
//!
//! With io_uring a client keeps several requests in flight, and each completed one is an event; its statement's
//! time is from its own start to its end, however many others are in flight.

use super::raw::Ring;
use super::requests::{BlockRange, Own, Request};
use super::storage::{FileAccess, Storage};
use super::{FSYNC, FileTest, READ, WRITE, block};
use crate::HostTask;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use tenbin_driver::{Class, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_workload::{Random, StatementRecord, TransactionContext};

pub(super) struct Requester {
    plan: Arc<FileTest>,
    own: Own,
    storage: Option<Arc<Storage>>,
    buffer: Vec<u8>,
    /// The aligned start within `buffer`, for direct I/O.
    from: usize,
    flight: Option<Flight>,
}

/// The requests in flight.
struct Flight {
    ring: Ring,
    /// By index in the ring: the request and its start.
    started: Vec<Option<(Request, Instant)>>,
    /// Completed, not yet reported; a write with the fsync that followed it.
    done: VecDeque<[Option<StatementRecord>; 2]>,
}

/// The alignment of memory for direct I/O.
const PAGE: usize = 4096;

impl Requester {
    pub(super) fn new(plan: Arc<FileTest>, number: u32, seed: u64) -> Requester {
        let own = Own::new(Random::new(seed, u64::from(number)));
        Requester { plan, own, storage: None, buffer: Vec::new(), from: 0, flight: None }
    }

    fn storage(&self) -> Result<Arc<Storage>, Error> {
        self.storage.clone().ok_or_else(|| Error::new(Class::Lost, msg!("files-are-not-open")))
    }
}

impl HostTask for Requester {
    fn open(&mut self) -> Result<(), Error> {
        let storage = Storage::of(&self.plan)?;
        let largest = self.plan.largest();
        if self.plan.way == FileAccess::Ring {
            let ring = storage.ring(self.plan.backlog, largest)?;
            let started = (0..self.plan.backlog).map(|_| None).collect();
            self.flight = Some(Flight { ring, started, done: VecDeque::new() });
        } else {
            self.buffer = vec![0; largest + PAGE];
            self.from = self.buffer.as_ptr().align_offset(PAGE);
        }
        self.storage = Some(storage);
        Ok(())
    }

    fn event(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        let storage = self.storage()?;
        match &mut self.flight {
            None => {
                let request = self.plan.queue.next(&mut self.own);
                self.at_once(&storage, request, context)
            }
            Some(flight) => flight.event(&self.plan, &mut self.own, &storage, context),
        }
    }

    fn close(&mut self) -> Result<(), Error> {
        // Requests in flight end first.
        self.flight = None;
        if self.plan.fsync_end
            && let Some(storage) = self.storage.take()
        {
            (0..self.plan.files.num as usize).try_for_each(|file| storage.fsync(file))?;
        }
        Ok(())
    }
}

impl Requester {
    /// Executes a request and waits for it.
    fn at_once(&mut self, storage: &Storage, request: Request, context: &mut TransactionContext) -> Result<(), Error> {
        let FileTest { files, validate, sync, .. } = &*self.plan;
        let length = |range: BlockRange| (range.blocks * files.block) as usize;
        match request {
            Request::Read(range) => {
                let buffer = &mut self.buffer[self.from..][..length(range)];
                timed(context, READ, length(range), || storage.read(range, buffer))?;
                let blocks = buffer.chunks(files.block as usize).zip(range.block..).filter(|_| *validate);
                for (bytes, number) in blocks {
                    if let Some(why) = block::wrong(bytes, range.file, number) {
                        let error = storage.corrupt(range, number, &why);
                        if let Some(mark) = context.records.last_mut() {
                            mark.error = Some(error.clone());
                        }
                        return Err(error);
                    }
                }
                Ok(())
            }
            Request::Write(range) => {
                let buffer = &mut self.buffer[self.from..][..length(range)];
                for (bytes, number) in buffer.chunks_mut(files.block as usize).zip(range.block..).filter(|_| *validate)
                {
                    block::fill(bytes, range.file, number, &mut self.own.random);
                }
                timed(context, WRITE, length(range), || storage.write(range, buffer))?;
                if sync.all { timed(context, FSYNC, 0, || storage.fsync(range.file)) } else { Ok(()) }
            }
            Request::Fsync { file } => timed(context, FSYNC, 0, || storage.fsync(file)),
        }
    }
}

/// Executes an operation and records its time and outcome.
fn timed(
    context: &mut TransactionContext,
    statement: u16,
    bytes: usize,
    work: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Error> {
    let start = Instant::now();
    let outcome = work();
    context.records.push(mark(statement, bytes, start, outcome.as_ref().err()));
    outcome
}

fn mark(statement: u16, bytes: usize, start: Instant, error: Option<&Error>) -> StatementRecord {
    let rows = if error.is_none() { bytes as u64 } else { 0 };
    let (service_ns, error) = (start.elapsed().as_nanos() as u64, error.cloned());
    StatementRecord::of(statement, service_ns, rows, error)
}

impl Flight {
    /// Starts as many requests as possible and reports one that has completed.
    fn event(
        &mut self,
        plan: &FileTest,
        own: &mut Own,
        storage: &Storage,
        context: &mut TransactionContext,
    ) -> Result<(), Error> {
        let mut to_sync = None;
        while self.done.is_empty() {
            while to_sync.is_none()
                && let Some(slot) = self.ring.free()
            {
                match plan.queue.next(own) {
                    Request::Fsync { file } => to_sync = Some(file),
                    request => self.start(plan, slot, request).map_err(|e| Error::new(Class::Sql, foreign(e)))?,
                }
            }
            if self.ring.under_way() > 0 {
                self.wait(plan, storage)?;
            }
            // An fsync must include all earlier writes.
            if let Some(file) = to_sync
                && self.ring.under_way() == 0
            {
                let start = Instant::now();
                let outcome = storage.fsync(file);
                self.done.push_back([Some(mark(FSYNC, 0, start, outcome.as_ref().err())), None]);
                to_sync = None;
            }
        }
        // Several requests have completed: the pending fsync must not be lost.
        if let Some(file) = to_sync {
            while self.ring.under_way() > 0 {
                self.wait(plan, storage)?;
            }
            let start = Instant::now();
            let outcome = storage.fsync(file);
            self.done.push_back([Some(mark(FSYNC, 0, start, outcome.as_ref().err())), None]);
        }
        let records = self.done.pop_front().into_iter().flatten().flatten();
        context.records.extend(records);
        context.records.iter().find_map(|m| m.error.clone()).map_or(Ok(()), Err)
    }

    fn start(&mut self, plan: &FileTest, slot: usize, request: Request) -> io::Result<()> {
        let (Request::Read(range) | Request::Write(range)) = request else { return Ok(()) };
        let (at, length) = (range.block * plan.files.block, (range.blocks * plan.files.block) as usize);
        self.started[slot] = Some((request, Instant::now()));
        self.ring.start(slot, matches!(request, Request::Write(_)), range.file, at, length)
    }

    /// Waits for a request in flight.
    fn wait(&mut self, plan: &FileTest, storage: &Storage) -> Result<(), Error> {
        let (slot, outcome) = self.ring.wait().map_err(|e| Error::new(Class::Sql, msg!("io-uring", error = e)))?;
        let Some((request, start)) = self.started[slot].take() else { return Ok(()) };
        let (statement, what, range) = match request {
            Request::Read(range) => (READ, "read", range),
            Request::Write(range) => (WRITE, "write", range),
            Request::Fsync { .. } => return Ok(()),
        };
        let (at, length) = (range.block * plan.files.block, (range.blocks * plan.files.block) as usize);
        let outcome = match outcome {
            Ok(n) if n == length => Ok(()),
            Ok(_) => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            Err(e) => Err(e),
        };
        let error = outcome.err().map(|e| storage.failed(what, range.file, at, &e));
        let first = mark(statement, length, start, error.as_ref());
        let mut second = None;
        if plan.sync.all && statement == WRITE && error.is_none() {
            let start = Instant::now();
            let outcome = storage.fsync(range.file);
            second = Some(mark(FSYNC, 0, start, outcome.as_ref().err()));
        }
        self.done.push_back([Some(first), second]);
        Ok(())
    }
}
