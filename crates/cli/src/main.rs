//! The binary `tenbin`.

use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

/// Of all that is allocated by Rust, the states of users' scripts included (`doc/decision/0029-an-allocator-for-scripts.md`).
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    tenbin_cli::main()
}
