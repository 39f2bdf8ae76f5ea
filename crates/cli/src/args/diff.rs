//! `tenbin diff`.

use super::Secret;
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin diff mysql://app@old/ mysql://app@new/       two servers: the settings that differ
  tenbin diff mysql://app@db/ /etc/mysql/my.cnf       does the server have what the file sets?
  tenbin diff runs/2026-11-22T172004-x --format csv   the targets of a run
  tenbin diff variables.csv --all                     a column per server, the names in the first")]
pub struct Diff {
    /// Addresses of servers, run directories or bundles, option files (my.cnf) or CSV files; at least two servers in all
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// Show all variables, not only those that differ
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub secret: Secret,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// Print as JSON: all variables, with how they relate
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

/// The form in which variables are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// A table for the terminal
    Text,
    /// One line per variable
    Csv,
    /// All variables, with how they relate
    Json,
}
