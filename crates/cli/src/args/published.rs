//! What can be typed after `audit`, which reads results that others published.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Reads tables (CSV, Markdown, HTML, JSON, markup of wikis; UTF-8, Shift_JIS), and the logs of sysbench, tpcc-mysql, mysqlslap,
go-tpc, HammerDB, pgbench, BenchmarkSQL, BenchBase, JdbcRunner, JMeter, YCSB, k6, cockroach workload and
memtier_benchmark. Columns are found by their headings: threads, target, tps, qps, avg_ms, p99_ms, …. Nothing is measured: what is checked
is whether the figures can be of one measurement.

Examples:
  tenbin audit published.csv                            the table, with what is to be doubted
  tenbin audit article.md --lang ja                     several tables of a text, in Japanese
  tenbin audit old-8.log old-16.log old-32.log          logs side by side
  kubectl logs bench | tenbin audit -                   what another command writes
  tenbin audit published.csv --format html --out p.html a page with charts

UNCHECKED says that no check applies: nothing was found, and nothing was confirmed.

Exit codes: 0 VALID, DEGRADED or UNCHECKED, 1 the file cannot be read, 3 INVALID."
)]
pub struct Audit {
    /// The files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub format: AuditFormat,
    /// Where to write it [default: standard output]
    #[arg(long, alias = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

/// The form in which an audit is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// The table, and what is to be doubted
    Text,
    #[value(alias = "md")]
    Markdown,
    Json,
    /// A page with charts
    Html,
}
