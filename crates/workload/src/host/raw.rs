//! What the host tests need that the compiler cannot prove sound: memory mappings seen as words, values it is not to
//! reason about. The only `unsafe` of this crate.

use memmap2::{MmapMut, MmapOptions};
use std::ops::Deref;
use std::sync::atomic::AtomicUsize;
use tenbin_driver::{Class, Error};

/// The same number, of which the compiler no longer knows anything; costs no instruction.
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
            Error::new(Class::Limit, format!("no huge pages for {bytes} bytes: {e}"))
                .mend(format!("sysctl vm.nr_hugepages={} (as root), or memory_hugetlb = off", bytes.div_ceil(PAGE)))
        })?;
        Ok(HugePages { pages, words })
    }
}

impl Deref for HugePages {
    type Target = [AtomicUsize];

    #[inline]
    fn deref(&self) -> &[AtomicUsize] {
        // SAFETY: the mapping is at least `words` words long, aligned to its page, written by nobody but through these
        // atomic words, and lives as long as `self`; every pattern of bits is a valid word.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast::<AtomicUsize>(), self.words) }
    }
}
