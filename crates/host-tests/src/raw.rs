//! The `unsafe` code of this crate: memory mappings accessed as words, and values that the compiler must not
//! reason about.

use io_uring::{IoUring, opcode, types};
use memmap2::{MmapMut, MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use tenbin_driver::{Class, Error};
use tenbin_words::msg;

/// The same number, but opaque to the compiler; costs no instruction.
#[inline(always)]
pub(super) fn opaque(mut x: usize) -> usize {
    // SAFETY: there is nothing in it; the register keeps its value.
    unsafe { std::arch::asm!("/* {} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

/// Makes the compiler believe that a value is used.
#[inline(always)]
pub(super) fn used(x: usize) {
    // SAFETY: as above.
    unsafe { std::arch::asm!("/* {} */", in(reg) x, options(nomem, nostack, preserves_flags)) };
}

/// Words in the system's huge pages.
pub(super) struct HugePages {
    pages: MmapMut,
    words: usize,
}

impl HugePages {
    pub(super) fn new(words: usize) -> Result<HugePages, Error> {
        const PAGE: usize = 2 << 20;
        let bytes = words * size_of::<usize>();
        // A mapping of huge pages is a whole number of them.
        let mut map = MmapOptions::new();
        map.len(bytes.next_multiple_of(PAGE)).huge(None);
        let pages = map.map_anon().map_err(|e| {
            Error::new(Class::Limit, msg!("no-huge-pages", bytes, error = e))
                .hint(msg!("raise-huge-pages", pages = bytes.div_ceil(PAGE)))
        })?;
        Ok(HugePages { pages, words })
    }
}

impl Deref for HugePages {
    type Target = [AtomicUsize];

    #[inline]
    fn deref(&self) -> &[AtomicUsize] {
        // SAFETY: the mapping is at least `words` words long, aligned to its page, written only through these atomic
        // words, and lives as long as `self`; every pattern of bits is a valid word.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast::<AtomicUsize>(), self.words) }
    }
}

/// A whole file, mapped and shared. Several threads may read and write the same place at once.
pub(super) struct Mapping {
    bytes: MmapRaw,
    writable: bool,
}

impl Mapping {
    /// `writable` as the file was opened.
    pub(super) fn new(file: &File, writable: bool) -> io::Result<Mapping> {
        let map = MmapOptions::new();
        let bytes = if writable { map.map_raw(file) } else { map.map_raw_read_only(file) };
        Ok(Mapping { bytes: bytes?, writable })
    }

    /// Copies from the file. Panics beyond its end.
    pub(super) fn read(&self, at: usize, out: &mut [u8]) {
        let (words, bytes) = self.place(at, out.len());
        let (whole, rest) = out.as_chunks_mut::<8>();
        for (to, from) in whole.iter_mut().zip(words) {
            *to = from.load(Ordering::Relaxed).to_ne_bytes();
        }
        let whole = whole.as_flattened_mut();
        let by_words = words.len() * 8;
        for (to, from) in whole[by_words..].iter_mut().chain(rest).zip(bytes) {
            *to = from.load(Ordering::Relaxed);
        }
    }

    /// Copies into the file. Panics beyond its end, and when it is not writable.
    pub(super) fn write(&self, at: usize, from: &[u8]) {
        assert!(self.writable, "the file was opened for reading");
        let (words, bytes) = self.place(at, from.len());
        for (to, from) in words.iter().zip(from.as_chunks::<8>().0) {
            to.store(u64::from_ne_bytes(*from), Ordering::Relaxed);
        }
        for (to, from) in bytes.iter().zip(&from[words.len() * 8..]) {
            to.store(*from, Ordering::Relaxed);
        }
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.bytes.flush()
    }

    /// A range as words, if it starts at one, and the remaining bytes.
    fn place(&self, at: usize, len: usize) -> (&[AtomicU64], &[AtomicU8]) {
        assert!(at.checked_add(len).is_some_and(|end| end <= self.bytes.len()), "a place beyond the file's end");
        let words = if at.is_multiple_of(8) { len / 8 } else { 0 };
        let start = self.bytes.as_mut_ptr().wrapping_add(at);
        // SAFETY: the stretch lies inside the mapping, which lives as long as `self`, begins at a page and is reached
        // through these atomics only; words begin at multiples of 8. Other processes may change the file, to any
        // pattern of bits, which is as good as another; nothing here makes it shorter.
        unsafe {
            let words_at = std::slice::from_raw_parts(start.cast::<AtomicU64>(), words);
            (words_at, std::slice::from_raw_parts(start.wrapping_add(words * 8).cast::<AtomicU8>(), len - words * 8))
        }
    }
}

/// Concurrent reads and writes through io_uring. It owns the memory and the files that the kernel uses.
pub(super) struct Ring {
    ring: IoUring,
    files: Arc<Vec<File>>,
    /// A buffer for each request; owned by the kernel while it is in flight.
    buffers: ManuallyDrop<Vec<MmapMut>>,
    free: Vec<usize>,
}

impl Ring {
    /// For `depth` requests of at most `largest` bytes.
    pub(super) fn new(depth: u32, largest: usize, files: Arc<Vec<File>>) -> io::Result<Ring> {
        let ring = IoUring::new(depth)?;
        let buffers = (0..depth).map(|_| MmapMut::map_anon(largest)).collect::<io::Result<Vec<_>>>()?;
        Ok(Ring { ring, files, free: (0..buffers.len()).rev().collect(), buffers: ManuallyDrop::new(buffers) })
    }

    /// A free slot for another request.
    pub(super) fn free(&self) -> Option<usize> {
        self.free.last().copied()
    }

    pub(super) fn under_way(&self) -> usize {
        self.buffers.len() - self.free.len()
    }

    /// Starts a request in a free slot. Panics if the slot is not free, or the buffer is too small.
    pub(super) fn start(&mut self, slot: usize, write: bool, file: usize, at: u64, length: usize) -> io::Result<()> {
        assert_eq!(self.free.last(), Some(&slot), "the place is taken");
        let buffer = &mut self.buffers[slot][..length];
        let (fd, length) = (types::Fd(self.files[file].as_raw_fd()), length as u32);
        let entry = match write {
            true => opcode::Write::new(fd, buffer.as_ptr(), length).offset(at).build(),
            false => opcode::Read::new(fd, buffer.as_mut_ptr(), length).offset(at).build(),
        };
        // SAFETY: the file stays open and the buffer where it is, untouched, until the request has completed:
        // `slot` is not free until then, and `drop` waits for it.
        let pushed = unsafe { self.ring.submission().push(&entry.user_data(slot as u64)) };
        pushed.map_err(io::Error::other)?;
        self.free.pop();
        self.ring.submit().map(|_| ())
    }

    /// Waits for a request; returns its slot, which is free again, and the number of bytes transferred.
    pub(super) fn wait(&mut self) -> io::Result<(usize, io::Result<usize>)> {
        loop {
            if let Some(entry) = self.ring.completion().next() {
                let slot = entry.user_data() as usize;
                self.free.push(slot);
                let outcome =
                    usize::try_from(entry.result()).map_err(|_| io::Error::from_raw_os_error(-entry.result()));
                return Ok((slot, outcome));
            }
            match self.ring.submit_and_wait(1) {
                Err(e) if e.kind() != io::ErrorKind::Interrupted => return Err(e),
                _ => {}
            }
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        while self.under_way() > 0 {
            if self.wait().is_err() {
                // The kernel may still write to the buffers, so they are leaked.
                return;
            }
        }
        // SAFETY: nothing is under way, and nothing uses them after this.
        unsafe { ManuallyDrop::drop(&mut self.buffers) };
    }
}
