//! Options and the command that concern load hosts.

use clap::{Args, Subcommand};
use std::path::PathBuf;
use tenbin_model::load_host::MOST_HOSTS;

/// Load hosts in place of those of a plan.
#[derive(Debug, Args)]
pub struct HostsOptions {
    /// Let several load hosts drive each trial together: processes of this machine (local), nodes of a Ray cluster (ray://HEAD:PORT), or ssh destinations
    #[arg(long, value_name = "local|ray://HEAD|DESTINATION,…", value_delimiter = ',')]
    pub hosts: Option<Vec<String>>,
    /// How many load hosts [default: all destinations]
    #[arg(long, value_name = "N", requires = "hosts", value_parser = clap::value_parser!(u32).range(1..=MOST_HOSTS as i64))]
    pub hosts_count: Option<u32>,
}

#[derive(Debug, Args)]
pub struct HostsArgs {
    #[command(subcommand)]
    pub action: HostsAction,
}

#[derive(Debug, Subcommand)]
pub enum HostsAction {
    /// Start the load hosts of a plan and look whether they are fit: version, open files, ports, clock, distance to the servers
    #[command(after_help = "Examples:
  tenbin hosts check plan.toml
  tenbin hosts check plan.toml --hosts ray://head:6379 --hosts-count 4")]
    Check {
        /// The plan file
        plan: PathBuf,
        #[command(flatten)]
        hosts: HostsOptions,
        /// Print as JSON
        #[arg(long)]
        json: bool,
        /// Language of the output [default: LANG]
        #[arg(long, value_name = "en|ja")]
        lang: Option<String>,
    },
}
