//! Where the memory of a client is, so that the engine can have it fetched into the processor's caches before the client goes on.

/// A piece of memory. Only its place is known, not what is there, and it may have been freed since: for hints to the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryRange {
    /// The address of its first byte.
    pub address: usize,
    /// Its length in bytes.
    pub bytes: usize,
}

impl MemoryRange {
    /// The memory of a value.
    pub fn of<T: ?Sized>(value: &T) -> MemoryRange {
        MemoryRange { address: (&raw const *value).addr(), bytes: size_of_val(value) }
    }
}
