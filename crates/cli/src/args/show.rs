//! What can be typed after `tenbin show`.

use super::stored::stored_run;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin show runs/2026-11-21T0131-demo           the table, the verdict and the answer, as at the end of the run
  tenbin show runs/… --why                        what limited each target, with the figures that show it
  tenbin show runs/… --why --plan refute.toml     … and write the plan that would refute the first diagnosis
  tenbin show runs/… --json                       everything, for programs, as tenbin report --json")]
pub struct Show {
    /// The run directory or bundle
    #[arg(value_parser = stored_run())]
    pub dir: PathBuf,
    /// Print what limited each target: the figures, the next limit, what a transaction cost, what is missing
    #[arg(long)]
    pub why: bool,
    /// Write the plan of the experiment that would refute the first diagnosis to this file
    #[arg(long, value_name = "FILE", requires = "why")]
    pub plan: Option<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 also if the result is DEGRADED
    #[arg(long)]
    pub strict: bool,
    /// Language of the output [default: the plan's, else LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}
