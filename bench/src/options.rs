//! What can be typed after `make bench` / `cargo run --release -p tenbin-bench --`.

use crate::reach::Over;
use clap::Parser;
use std::path::PathBuf;

/// The words of `--tpcc-parts`.
pub const TPCC_PARTS: [&str; 4] = ["load", "drive", "terminals", "name"];

/// Weigh Tenbin against Debian's sysbench: paired, interleaved runs; ratios with their spread.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "tenbin-bench",
    after_help = "Measurements:
  a  client CPU per query and ceiling against the null server, each on a core of its own
  b  throughput and CPU on a private MariaDB over TCP, sharing the machine's cores
  c  loading a million rows, one stream and four
  d  reported latency against the server's own, 20 ms delay, 512 clients
  e  throughput and CPU of point selects on a private PostgreSQL over TCP, sharing the machine's cores
  f  sysbench's tests of the machine itself: cpu, memory, threads, fileio
  g  mysqlslap by name against Debian's mariadb-slap
  h  TPC-C: loading, New-Orders per minute, terminals, tpcc_start; against go-tpc and tpcc-mysql, which --go-tpc and --tpcc-mysql name
  i  Debian's Lua scripts by sysbench's name: client CPU on the null server, and dry runs
  j  putting back a golden copy of 1 GiB against cp -a, by copying and by sharing blocks
  k  what the observers cost: throughput and CPU with and without them, on a private MariaDB
  l  several load hosts: what they cost the coordinator, how well they act together, how soon a lost one is noticed
  m  instructions per query by valgrind's callgrind, which no other load disturbs
  n  prepare and cleanup of many small tables by sysbench's name

Examples:
  make bench
  cargo run --release -p tenbin-bench -- --only a --points 16,64 --repeats 3
  cargo run --release -p tenbin-bench -- --only h --go-tpc ~/go/bin/go-tpc --tpcc-mysql ../tpcc-mysql
  cargo run --release -p tenbin-bench -- --only b --over socket --by-name
  cargo run --release -p tenbin-bench -- --only a --aa        sysbench against itself: ratios must be near 1"
)]
pub struct Options {
    /// Which measurements
    #[arg(long, value_delimiter = ',', default_value = "a,b,c,d,e,f,g,h,i,j,k,l,m,n", value_parser = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"])]
    pub only: Vec<String>,
    /// Numbers of clients for a, b, e, i, k and m, instead of all
    #[arg(long, value_delimiter = ',')]
    pub points: Vec<u32>,
    /// Pairs per point
    #[arg(long)]
    pub repeats: Option<u32>,
    /// Seconds of each measured window
    #[arg(long)]
    pub window: Option<f64>,
    /// Two short repeats of few points: to see that it works, not for figures
    #[arg(long)]
    pub quick: bool,
    /// Measure sysbench against itself instead
    #[arg(long)]
    pub aa: bool,
    /// Measure against another build of tenbin instead of sysbench: is the new one better?
    #[arg(long, value_name = "PATH", conflicts_with = "aa")]
    pub against: Option<PathBuf>,
    /// Which of a pair goes first, drawn from this
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The binary under test [default: beside this one]
    #[arg(long, value_name = "PATH")]
    pub tenbin: Option<PathBuf>,
    /// How clients reach the servers of b and e
    #[arg(long, value_enum, default_value_t = Over::Tcp)]
    pub over: Over,
    /// Call Tenbin by the name sysbench, with sysbench's own arguments; not for d, which reads our own report
    #[arg(long)]
    pub by_name: bool,
    /// More arguments for `tenbin bench`, split at blanks; `--workers 2`
    #[arg(long, default_value = "", allow_hyphen_values = true, value_name = "ARGUMENTS")]
    pub tenbin_args: String,
    /// The peer
    #[arg(long, default_value = "sysbench", value_name = "PATH")]
    pub sysbench: PathBuf,
    /// go-tpc's binary, for h; without it (or tpcc-mysql) the comparison is left out, and how to get it is said
    #[arg(long, value_name = "PATH")]
    pub go_tpc: Option<PathBuf>,
    /// Folder of tpcc-mysql, for h: `tpcc_load`, `tpcc_start` and the SQL files beside them
    #[arg(long, value_name = "DIR")]
    pub tpcc_mysql: Option<PathBuf>,
    /// Head of a Ray cluster on this machine with four nodes besides, for l; `tenbin-ray` on the PATH
    #[arg(long, value_name = "HOST:PORT")]
    pub ray: Option<String>,
    /// Parts of h
    #[arg(long, value_delimiter = ',', default_values = TPCC_PARTS, value_parser = TPCC_PARTS)]
    pub tpcc_parts: Vec<String>,
    /// Warehouses of h [default: 4; with --quick 1]
    #[arg(long)]
    pub warehouses: Option<u32>,
    /// Keep the round under doc/bench, and write doc/performance.md; not with other options than --only, --repeats and --window
    #[arg(long)]
    pub publish: bool,
    /// Where the JSON goes [default: target/bench/DATE.json]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl Options {
    /// Pairs per point.
    pub fn repeats(&self) -> u32 {
        self.repeats.unwrap_or(if self.quick { 2 } else { 5 }).max(1)
    }

    /// Seconds of a measured window.
    pub fn window_s(&self) -> f64 {
        self.window.unwrap_or(if self.quick { 1.0 } else { 3.0 })
    }

    /// Whether the figures go to `doc/bench` and `doc/performance.md`: those of `make bench`, and of a part of its letters.
    pub fn is_publishable(&self) -> bool {
        let usual = self.points.is_empty() && !self.by_name && self.over == Over::Tcp && self.tenbin_args.is_empty();
        self.publish && usual && !self.quick && !self.aa && self.against.is_none()
    }

    /// Warehouses to load and drive.
    pub fn warehouses(&self) -> u32 {
        self.warehouses.unwrap_or(if self.quick { 1 } else { 4 }).max(1)
    }

    /// The numbers of clients to measure at: those asked for, else `all`, few of them when it is to be quick.
    pub fn points(&self, all: &[u32]) -> Vec<u32> {
        match (&self.points[..], self.quick) {
            ([], false) => all.to_vec(),
            ([], true) => all.iter().copied().filter(|n| [16, 512].contains(n)).collect(),
            (asked, _) => asked.to_vec(),
        }
    }
}
