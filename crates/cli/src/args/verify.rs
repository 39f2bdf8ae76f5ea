//! What can be typed after `tenbin verify` and `tenbin bundle`.

use super::stored::stored_run;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing was altered; 3 something was; 2 it cannot be known, because the run was recorded without digests;
1 there is no run.

Examples:
  tenbin verify runs/2026-11-21T0131-demo      is everything as it was written?
  tenbin verify result.tar.zst --json          each file of a bundle, for programs"
)]
pub struct Verify {
    /// Run directories or bundles
    #[arg(required = true, value_name = "RUN", value_parser = stored_run())]
    pub runs: Vec<PathBuf>,
    /// Print as JSON: every file
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "What takes a run directory takes a bundle too, and other programs unpack it with tar --zstd -xf.

Examples:
  tenbin bundle runs/2026-11-21T0131-demo                  runs/2026-11-21T0131-demo.tar.zst
  tenbin bundle runs/2026-11-21T0131-demo result.tar.zst
  tenbin report result.tar.zst                             its page: result.html"
)]
pub struct Bundle {
    /// The run directory
    #[arg(value_name = "RUN", value_parser = stored_run())]
    pub run: PathBuf,
    /// The bundle, which must not exist [default: RUN.tar.zst]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print as JSON: the bundle, the digest of the run, whether the run is as it was written, and what was left out
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}
