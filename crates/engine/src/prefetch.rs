//! Where the memory of the clients of an event loop is, and having it fetched into the processor's caches before a client goes on.

use std::cell::Cell;
use tenbin_client::MemoryRange;

/// The bytes of a cache line.
const LINE: usize = 64;
/// Pieces of memory of a client that are known: its task, its transaction, what the engine counts of it, and what
/// [`tenbin_client::Client::memory`] names.
const PIECES: usize = 8;

/// The memory of each client of an event loop.
#[derive(Debug)]
pub struct MemoryTable(Box<[Pieces]>);

/// One cache line for each client.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Pieces([Cell<Lines>; PIECES]);

/// Cache lines: the address of the first, whose last six bits are free for the number of lines; 0 if there are none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Lines(usize);

impl Lines {
    #[inline]
    fn of(MemoryRange { address, bytes }: MemoryRange) -> Lines {
        let lines = match bytes {
            0 => 0,
            _ => (address % LINE + bytes).div_ceil(LINE).min(LINE - 1),
        };
        Lines(address / LINE * LINE + lines)
    }

    #[inline]
    fn fetch(self) {
        let first = self.0 / LINE * LINE;
        for n in 0..self.0 % LINE {
            fetch(first.wrapping_add(n * LINE));
        }
    }
}

impl MemoryTable {
    /// Of this many clients, of whose memory nothing is known yet.
    pub fn new(clients: usize) -> MemoryTable {
        MemoryTable((0..clients).map(|_| Pieces::default()).collect())
    }

    /// The task that polls this client.
    pub fn set_task(&self, client: usize, memory: MemoryRange) {
        self.set(client, 0, memory);
    }

    /// Its transaction in progress. The next one is nearly always in the same place.
    #[inline]
    pub fn set_transaction(&self, client: usize, memory: MemoryRange) {
        self.set(client, 1, memory);
    }

    /// The rest, of which the first pieces are kept.
    pub fn set_rest(&self, client: usize, memory: impl Iterator<Item = MemoryRange>) {
        (2..PIECES).zip(memory).for_each(|(piece, memory)| self.set(client, piece, memory));
    }

    #[inline]
    fn set(&self, client: usize, piece: usize, memory: MemoryRange) {
        if let Some(Pieces(pieces)) = self.0.get(client) {
            pieces[piece].set(Lines::of(memory));
        }
    }

    /// Begins to fetch what is known of this client's memory. It changes nothing but the time that the client takes.
    #[inline]
    pub fn prefetch(&self, client: usize) {
        if let Some(Pieces(pieces)) = self.0.get(client) {
            pieces.iter().map(Cell::get).for_each(Lines::fetch);
        }
    }

    /// Begins to fetch its entry in this table, which [`Self::prefetch`] needs.
    #[inline]
    pub fn prefetch_entry(&self, client: usize) {
        self.0.get(client).into_iter().for_each(value);
    }
}

/// Begins to fetch the cache line in which a value begins.
#[inline]
pub fn value<T>(value: &T) {
    fetch((&raw const *value).addr());
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn fetch(address: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the instruction is a hint and accesses nothing, so that any address is allowed.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::without_provenance(address)) };
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn fetch(_: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(address: usize, bytes: usize) -> (usize, usize) {
        let Lines(packed) = Lines::of(MemoryRange { address, bytes });
        (packed / LINE * LINE, packed % LINE)
    }

    #[test]
    fn a_piece_is_every_line_that_it_touches() {
        assert_eq!(lines(0x1000, 64), (0x1000, 1));
        assert_eq!(lines(0x1000, 65), (0x1000, 2));
        assert_eq!(lines(0x103f, 2), (0x1000, 2));
        assert_eq!(lines(0x1010, 480), (0x1000, 8));
        assert_eq!(lines(0x1000, 0), (0x1000, 0));
        // What is larger than the caches can hold for each of many clients is fetched in part.
        assert_eq!(lines(0x1000, 1 << 20), (0x1000, 63));
    }

    #[test]
    fn an_entry_is_one_cache_line() {
        assert_eq!(size_of::<Pieces>(), LINE);
    }

    #[test]
    fn nothing_is_needed_of_memory_that_is_gone() {
        let table = MemoryTable::new(2);
        let text = vec![1_u8; 1000];
        table.set_task(1, MemoryRange::of(&*text));
        drop(text);
        for client in 0..3 {
            table.prefetch_entry(client);
            table.prefetch(client);
        }
    }
}
