//! The binary `tenbin`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tenbin_cli::main()
}
