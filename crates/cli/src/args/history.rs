//! What can be typed after `tenbin history`.

use super::StoredRuns;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin history plan.toml                        the figure that answers the plan's question, run by run
  tenbin history nightly --figure p99 --tag main
  tenbin history nightly --all --page nightly.html    with charts; --csv for a spreadsheet")]
pub struct History {
    /// The plan file, or the name of a plan
    pub plan: String,
    /// The figure: tps, qps, nopm, seconds, mean, p50 to p99.9 [default: the one that answers the plan's question]
    #[arg(long, value_name = "FIGURE")]
    pub figure: Option<String>,
    /// Write a page with charts to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "csv"])]
    pub page: Option<PathBuf>,
    #[command(flatten)]
    pub stored: StoredRuns,
}
