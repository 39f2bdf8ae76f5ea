//! What can be typed after `tenbin history`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin history plan.toml                        the figure that answers the plan's question, run by run
  tenbin history nightly --figure p99 --tag main")]
pub struct History {
    /// The plan file, or the name of a plan
    pub plan: String,
    /// The figure: tps, nopm, seconds, mean, p50 to p99.9 [default: the one that answers the plan's question]
    #[arg(long, value_name = "FIGURE")]
    pub figure: Option<String>,
    /// Only runs with this tag
    #[arg(long, value_name = "WORD")]
    pub tag: Option<String>,
    /// Directory of run directories
    #[arg(long, env = "TENBIN_RUNS", default_value = "runs", value_name = "DIR")]
    pub runs: PathBuf,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}
