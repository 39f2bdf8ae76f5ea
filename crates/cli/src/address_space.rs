//! A process whose addresses are limited (`ulimit -v`). The allocator of the C library reserves 64 MiB of them for each of many threads, and threads could
//! not be started any more although hardly anything of it is used.

/// Lets all threads share one arena of that allocator, if addresses are limited.
#[cfg(target_env = "gnu")]
pub fn share_one_arena() {
    use rustix::process::{Resource, getrlimit};
    if getrlimit(Resource::As).current.is_some() {
        // SAFETY: it sets a parameter of the allocator, before there is another thread.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

#[cfg(not(target_env = "gnu"))]
pub fn share_one_arena() {}
