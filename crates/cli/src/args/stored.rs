//! What can be typed after the commands that read stored runs: `report`, `compare`, `gate`; and which runs, after those that list
//! them.

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tenbin_report::store;

/// A run directory or a bundle. A file within a run stands for the run.
pub fn stored_run() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(store::run_meant)
}

/// The stored runs that `list` and `history` show.
#[derive(Debug, Args)]
pub struct StoredRuns {
    /// Only runs with this tag
    #[arg(long, value_name = "WORD")]
    pub tag: Option<String>,
    /// Number of runs, the newest first [default: 20; as JSON and CSV all]
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub last: Option<usize>,
    /// All runs
    #[arg(long)]
    pub all: bool,
    /// Directory of run directories
    #[arg(long, env = "TENBIN_RUNS", default_value = "runs", value_name = "DIR")]
    pub runs: PathBuf,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Print as CSV: run, date, label, verdict, and what else there is
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin report runs/2026-11-21T0131-demo                  write report.html into it and print the path
  tenbin report runs/… --format csv > trials.csv           one row per trial
  tenbin report runs/… --format readings-csv > r.csv       one row per value that observers read
  tenbin report --json runs/…                              everything, for programs
  tenbin report runs/… --format github >> $GITHUB_STEP_SUMMARY
  tenbin report result.tar.zst                             the page of a bundle (see tenbin bundle): result.html
  tenbin report published.csv                              a page of a published table or log: published.csv.html")]
pub struct Report {
    /// The run directory or bundle, or a table or log that others published (see tenbin audit)
    #[arg(value_parser = stored_run())]
    pub dir: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value = "html")]
    pub format: Format,
    /// Where to write it [default: report.html in the run directory, FILE.html beside a file or bundle; other forms to standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 also if the result is DEGRADED
    #[arg(long)]
    pub strict: bool,
    /// Language of the page [default: the plan's, else LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

/// What is refused in stored results by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AllowedChange {
    /// A server that is not as it was: another one, another version, or other variables than those that the plan sets
    ChangedServer,
    /// Files that the plan names (scripts of SQL and Lua, the file that creates the tables) with another content
    ChangedFiles,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin compare runs/before runs/after                     the table and the answer
  tenbin compare runs/2026-* --names 8.0,8.4,11.4           more than two; each is compared with the first
  tenbin compare runs/before runs/after --allow changed-server    one server, whose settings somebody has changed
  tenbin compare runs/before runs/after --format html --out upgrade.html")]
pub struct Compare {
    /// The run directories or bundles, the base first
    #[arg(required = true, num_args = 2.., value_parser = stored_run())]
    pub runs: Vec<PathBuf>,
    /// Names of the runs in tables and charts [default: those of the directories]
    #[arg(long, value_delimiter = ',', value_name = "NAME,NAME")]
    pub names: Vec<String>,
    /// Compare runs of one server although variables that their plans do not set have other values; the answer says so
    #[arg(long, value_name = "WORD")]
    pub allow: Vec<AllowedChange>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Where to write it [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 also if the result is DEGRADED
    #[arg(long)]
    pub strict: bool,
    /// Language of the page and the answer [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 no limit is exceeded; 4 one is, or with --strict cannot be excluded to be.

Examples:
  tenbin gate runs/release runs/candidate --max-regression 'p99 5%'
  tenbin gate runs/release runs/candidate --max-regression 'tps 3%' --max-regression 'p99.9 20%' --strict
  tenbin gate runs/candidate --check 'p99 < 20ms' --check 'errors < 0.1%'    without another run
  tenbin gate runs/release runs/candidate              the limits of [gate] in the candidate's plan")]
pub struct Gate {
    /// The run directory or bundle to check; of two the first one is the baseline with which it is compared
    #[arg(required = true, num_args = 1..=2, value_name = "RUN", value_parser = stored_run())]
    pub runs: Vec<PathBuf>,
    /// A condition of the run by itself: tps and nopm above a number, mean, p50 to p99.9, max and seconds below a time,
    /// errors below a percentage; may be repeated [default: those of the table gate in the plan of RUN]
    #[arg(long, value_name = "CONDITION")]
    pub check: Vec<String>,
    /// The largest regression of a figure: tps, qps, nopm, seconds, mean, p50 to p99.9; may be repeated [default:
    /// those of the table gate in the plan of RUN]
    #[arg(long, value_name = "FIGURE PERCENT%")]
    pub max_regression: Vec<String>,
    /// Fail too if the runs do not decide about a limit, as undecided = "fail" in the plan's table gate
    #[arg(long)]
    pub strict: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Html,
    Markdown,
    Csv,
    /// Every value read by observers, one row each
    ReadingsCsv,
    /// Every reporting interval, one row each
    SeriesCsv,
    /// Groups of clients that ran together, one row for each of a trial
    GroupsCsv,
    /// The same as csv, readings-csv, series-csv and groups-csv, for DuckDB and pandas
    Parquet,
    ReadingsParquet,
    SeriesParquet,
    GroupsParquet,
    /// Histogram log of hdrhistogram.org: response, service and wait of each trial
    Hdr,
    /// OpenMetrics text
    OpenMetrics,
    /// Every chart of the page as a file, into the directory of --out
    Svg,
    Json,
    /// The table and the answer as at the end of a run
    Text,
    /// The summary of a job on GitHub, to be appended to the file that GITHUB_STEP_SUMMARY names
    Github,
}
