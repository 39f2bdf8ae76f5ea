//! The binary `tenbin`.

use std::process::ExitCode;

/// Of all that is allocated by Rust, the states of users' scripts included (`doc/decision/0029-an-allocator-for-scripts.md`).
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    tenbin_cli::main()
}
