//! The command line arguments. The help texts are also the manual pages, so each command has examples.

mod diff;
mod history;
mod hosts;
mod label;
mod published;
mod show;
mod stored;
mod values;
mod verify;

pub use diff::{Diff, DiffFormat};
pub use history::History;
pub use hosts::{HostsAction, HostsArgs, HostsOptions};
pub use label::{Label, LabelArgs};
pub use published::{Audit, AuditFormat};
pub use show::Show;
pub use stored::{AllowedChange, Compare, Format, Gate, Report, StoredRuns};
pub use values::{Milliseconds, WrongValue};
pub use verify::{Bundle, Verify};

use crate::load_keys::LoadKeys;
use crate::workload_name::WorkloadName;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tenbin_model::plan::PlanScale;
use values::{count, duration, scale};

/// Compare database servers: one plan in, one trustworthy comparison out.
#[derive(Debug, Parser)]
#[command(
    name = "tenbin",
    version = env!("TENBIN_VERSION"),
    max_term_width = 110,
    after_help = "Examples:
  tenbin demo                               compare two settings of SQLite, no server needed, about a minute
  tenbin plan check plan.toml               show what a plan would do, how long it takes, what it would drop
  tenbin run plan.toml                      run it; prints a table and a summary, and writes a page
  tenbin doctor mysql://root@127.0.0.1/     is this server fit to be measured?

Other tools' names: tenbin sysbench …, or a symbolic link named sysbench, behaves as sysbench does.

Exit codes: 0 ok, 1 usage or setup, 2 the run had errors, 3 the result is INVALID,
4 a limit of the plan or of tenbin gate is exceeded, 130 interrupted (partial run kept)."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands, in the order of the help.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare two settings of one database in about a minute
    Demo(Demo),
    /// Run a plan
    Run(RunArgs),
    /// Write a finished run's page, or print it in another form
    Report(Report),
    /// Print a finished run's table and answer, or what limited its targets
    Show(Show),
    /// Compare stored runs, as if they were targets of one run
    Compare(Compare),
    /// Check that a run is no worse than a baseline by more than limits
    Gate(Gate),
    /// Show a figure over the stored runs of a plan, and when its level changed
    History(History),
    /// Check and draw results that others published: tables and logs
    Audit(Audit),
    /// List workloads, data sets and runs, or explain one
    List(ListArgs),
    /// Give a stored run a name, tags or a note
    Label(Label),
    /// Check that the files of stored runs are as they were written
    Verify(Verify),
    /// Put a stored run into one file, which is read as its directory is
    Bundle(Bundle),
    /// Check a plan, or print an example
    Plan(PlanArgs),
    /// Look at the load hosts of a plan
    Hosts(HostsArgs),
    /// Check whether a server and this machine are ready to be measured
    Doctor(Doctor),
    /// Compare the variables of servers, runs, option files and CSV files
    Diff(Diff),
    /// Put back server variables that an interrupted run has left changed
    RestoreSettings(RestoreSettings),
    /// Start, stop and list private servers
    Sandbox(SandboxArgs),
    /// List and remove golden copies, from which runs restore data
    Data(DataArgs),
    /// Create and load a workload's tables
    Load(LoadArgs),
    /// Check TPC-C's twelve consistency conditions
    Check(Check),
    /// Run one workload on one database, without a plan file
    Bench(Bench),
    /// Print shell completions
    Completions(Completions),
    /// Print or write the manual pages
    Man(Man),
    /// Print the names of other tools under which Tenbin can be called, or make links of them
    Names(Names),
    /// Drive clients as the process that runs a plan orders through standard input
    #[command(hide = true)]
    LoadHost,
}

impl Command {
    /// The value of `--lang`, for commands that have it.
    pub fn lang(&self) -> Option<&str> {
        match self {
            Command::Run(a) => a.output.lang.as_deref(),
            Command::Bench(a) => a.output.lang.as_deref(),
            Command::Demo(a) => a.output.lang.as_deref(),
            Command::Report(a) => a.lang.as_deref(),
            Command::Show(a) => a.lang.as_deref(),
            Command::Compare(a) => a.lang.as_deref(),
            Command::Gate(a) => a.lang.as_deref(),
            Command::Audit(a) => a.lang.as_deref(),
            Command::Doctor(a) => a.lang.as_deref(),
            Command::Load(a) => a.lang.as_deref(),
            Command::Check(a) => a.lang.as_deref(),
            Command::Diff(a) => a.lang.as_deref(),
            Command::RestoreSettings(a) => a.lang.as_deref(),
            Command::Plan(a) => match &a.action {
                PlanAction::Check { lang, .. } => lang.as_deref(),
                PlanAction::Example => None,
            },
            Command::Hosts(HostsArgs { action: HostsAction::Check { lang, .. } }) => lang.as_deref(),
            Command::List(a) => a.stored.lang.as_deref(),
            Command::History(a) => a.stored.lang.as_deref(),
            Command::Label(a) => a.lang.as_deref(),
            Command::Verify(a) => a.lang.as_deref(),
            Command::Bundle(a) => a.lang.as_deref(),
            Command::Sandbox(a) => a.lang.as_deref(),
            Command::Data(a) => a.lang.as_deref(),
            Command::Completions(_) | Command::Man(_) | Command::Names(_) | Command::LoadHost => None,
        }
    }
}

/// Where runs are stored and how results are printed.
#[derive(Debug, Clone, Args)]
pub struct Output {
    /// Directory for run directories
    #[arg(long, env = "TENBIN_RUNS", default_value = "runs", value_name = "DIR")]
    pub runs: PathBuf,
    /// Print the result as JSON on standard output
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 also if the result is DEGRADED
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub label: LabelArgs,
    /// Language of the page and the answer [default: the plan's, else LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

/// Live figures for other programs.
#[derive(Debug, Clone, Args)]
pub struct LiveMetrics {
    /// Serve live figures for Prometheus (OpenMetrics) at this address while it runs: 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin demo                  SQLite: journal_mode WAL against DELETE
  tenbin demo --on mariadb     two private MariaDB servers: innodb_flush_log_at_trx_commit 1 against 2
  tenbin demo --on postgres    two private PostgreSQL servers: synchronous_commit on against off")]
pub struct Demo {
    /// Which database
    #[arg(long, value_enum, default_value = "sqlite")]
    pub on: DemoOn,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum DemoOn {
    Sqlite,
    Mariadb,
    #[value(alias = "postgresql")]
    Postgres,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin run plan.toml
  tenbin run plan.toml --json > result.json
  tenbin run plan.toml --runs /srv/results
  tenbin run plan.toml --scale 0.001       try it out with a thousandth of data and time, on private servers")]
pub struct RunArgs {
    /// The plan file
    pub plan: PathBuf,
    /// Continue an interrupted run of this plan: its finished trials are taken over, the others are run
    #[arg(long, value_name = "RUN", value_parser = stored::stored_run())]
    pub resume: Option<PathBuf>,
    /// With --resume: add the plan's repeats once more, also to a finished run
    #[arg(long, requires = "resume")]
    pub redo: bool,
    /// With --resume: continue although a server or the client is not as it was; the answer says what differs
    #[arg(long, value_name = "WORD", requires = "resume")]
    pub allow: Vec<AllowedChange>,
    /// Try the plan out with this part of its data and time, on private servers only
    #[arg(long, value_name = "PART", value_parser = scale)]
    pub scale: Option<PlanScale>,
    #[command(flatten)]
    pub hosts: HostsOptions,
    #[command(flatten)]
    pub live: LiveMetrics,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin list                     workloads, data sets and runs
  tenbin list oltp_read_write     one workload: its statements, its options with their defaults, and those of its data set
  tenbin list sysbench            one data set: its options
  tenbin list ./x.lua --execute   a script of yours: its options and commands
  tenbin list pay.sql             a file of SQL: its statements and variables
  tenbin list pay.sql --as mysql  the same, with the quotes and comments of MySQL and MariaDB")]
pub struct ListArgs {
    /// The workload or the kind of data set to describe
    #[arg(value_parser = WorkloadName, hide_possible_values = true)]
    pub workload: Option<String>,
    /// Execute the top level of a script to list its options (a script is a program and may do anything)
    #[arg(long)]
    pub execute: bool,
    /// Whose quotes and comments a file of SQL has; without it, the first database of these that can read it
    #[arg(long = "as", value_name = "DATABASE", value_enum)]
    pub dialect: Option<SqlOf>,
    /// Only runs of this plan: its file, or its name
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    #[command(flatten)]
    pub stored: StoredRuns,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SqlOf {
    #[value(alias = "postgresql")]
    Postgres,
    #[value(alias = "mariadb")]
    Mysql,
    Sqlite,
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(subcommand)]
    pub action: PlanAction,
}

#[derive(Debug, Subcommand)]
pub enum PlanAction {
    /// Show what a plan would do: time, disk space, data that are dropped, trials and their order
    #[command(after_help = "Examples:
  tenbin plan check plan.toml
  tenbin plan check plan.toml --offline      look at the plan alone
  tenbin plan check plan.toml --sql          with the statements that create and drop")]
    Check {
        /// The plan file
        plan: PathBuf,
        /// Check the try-out of `tenbin run --scale`, with this part of data and time
        #[arg(long, value_name = "PART", value_parser = scale)]
        scale: Option<PlanScale>,
        /// Look at the plan alone: needs no password, opens no connection, runs no program of a private server
        #[arg(long)]
        offline: bool,
        /// Print the statements that create and drop tables, too
        #[arg(long)]
        sql: bool,
        /// Print as JSON
        #[arg(long)]
        json: bool,
        /// Language of the output [default: LANG]
        #[arg(long, value_name = "en|ja")]
        lang: Option<String>,
    },
    /// Print a short plan to start from
    Example,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin doctor                                       this machine
  tenbin doctor mysql://root@127.0.0.1:3306/          and a server
  tenbin doctor mysql://app@db/ --clients 512         enough connections for 512 clients?")]
pub struct Doctor {
    /// The database
    pub dsn: Option<String>,
    /// Number of clients that will connect
    #[arg(long, default_value_t = 16)]
    pub clients: u32,
    #[command(flatten)]
    pub secret: Secret,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin restore-settings                             all servers that interrupted runs have left changed
  tenbin restore-settings --list                      show them and their former values, and change nothing
  tenbin restore-settings mysql://app@db:3306/        only this one; an address with another account may be given")]
pub struct RestoreSettings {
    /// Address of a server; all that are left if it is not given
    #[arg(value_name = "DSN")]
    pub dsn: Option<String>,
    /// Show what is left, and change nothing
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub secret: Secret,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

/// The source of a password. Never argv, which every user of the machine can read.
#[derive(Debug, Clone, Args)]
pub struct Secret {
    /// Environment variable that holds the password
    #[arg(long, value_name = "NAME")]
    pub password_env: Option<String>,
    /// File that holds the password
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct DataArgs {
    #[command(subcommand)]
    pub action: DataAction,
    /// The directory of golden copies [default: TENBIN_DATA_DIR, else /var/lib/tenbin or ~/.local/share/tenbin]
    #[arg(long, global = true, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Language of the output [default: LANG]
    #[arg(long, global = true, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum DataAction {
    /// List golden copies, including remains of interrupted ones
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove golden copies; a run that needs one makes it again
    Remove {
        /// Their names
        #[arg(required_unless_present_any = ["all", "unused"], value_name = "NAME")]
        names: Vec<String>,
        /// All of them
        #[arg(long, conflicts_with_all = ["names", "unused"])]
        all: bool,
        /// Those from which no run has restored data for this many days (--days), and remains of interrupted ones that are as old
        #[arg(long, conflicts_with = "names")]
        unused: bool,
        /// After how many days a copy is unused
        #[arg(long, value_name = "N", default_value_t = 30, requires = "unused")]
        days: u32,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub struct SandboxArgs {
    #[command(subcommand)]
    pub action: SandboxAction,
    /// Language of the output [default: LANG]
    #[arg(long, global = true, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum SandboxAction {
    /// Start a private server and leave it running
    #[command(after_help = "Examples:
  tenbin sandbox start
  tenbin sandbox start mariadbd --name small --set innodb_buffer_pool_size=64M
  tenbin sandbox start postgres --set shared_buffers=64MB")]
    Start {
        /// The server's binary: mariadbd, mysqld, postgres or a path
        #[arg(default_value = "mariadbd")]
        binary: String,
        /// Its name
        #[arg(long, default_value = "sandbox")]
        name: String,
        /// A server variable; may be repeated
        #[arg(long = "set", value_name = "NAME=VALUE")]
        set: Vec<String>,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Stop a private server and remove its data
    Stop {
        /// Its name
        #[arg(required_unless_present = "all")]
        name: Option<String>,
        /// All of them, including leftovers of killed runs, except those that a run is using
        #[arg(long)]
        all: bool,
        /// Also those that a run is using, which makes the run fail
        #[arg(long)]
        force: bool,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// List private servers, including leftovers of killed runs
    List {
        /// Remove leftovers: servers whose run is gone, and their data
        #[arg(long)]
        clean: bool,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

/// One workload on one database, without a plan file. Names and defaults are those of sysbench 1.0.
#[derive(Debug, Clone, Args)]
pub struct WorkloadArgs {
    /// The workload (see `tenbin list`), a sysbench script: ./script.lua, or files of SQL with weights: pay.sql@30 look.sql@70
    #[arg(value_parser = WorkloadName, hide_possible_values = true)]
    pub workload: String,
    /// The database: mysql://user@host:3306/sbtest, postgres://user@host:5432/sbtest, sqlite:file.db
    pub dsn: String,
    /// Number of tables; of tpcc: sets of its nine tables
    #[arg(long, default_value = "1", value_parser = count::<u32>)]
    pub tables: u32,
    /// Rows per table: 10000, 10k, 1M, 1e6
    #[arg(long, default_value = "10000", alias = "table_size", value_parser = count::<u64>)]
    pub table_size: u64,
    /// Distribution of random rows: uniform, gaussian, special, pareto, zipfian
    #[arg(long, value_name = "NAME")]
    pub rand_type: Option<String>,
    /// Another option of the workload (see `tenbin list WORKLOAD`); may be repeated
    #[arg(short = 'o', long = "option", value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Permit what is refused by default: write-unmarked (write to tables that Tenbin did not create), write-replica
    /// (write to a replica or a read-only server), share-tables (use tables that another run is using); may be repeated
    #[arg(long, value_name = "WORD")]
    pub allow: Vec<String>,
    #[command(flatten)]
    pub secret: Secret,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin load oltp_read_write mysql://root@127.0.0.1:3306/sbtest --tables 8 --table-size 1000000 --streams 4
  tenbin load oltp_read_write sqlite:test.db --drop      load again what Tenbin loaded before")]
pub struct LoadArgs {
    #[command(flatten)]
    pub what: WorkloadArgs,
    /// Connections that load in parallel
    #[arg(long, default_value_t = 4)]
    pub streams: u32,
    /// First drop the tables, if Tenbin created them
    #[arg(long)]
    pub drop: bool,
    /// Only drop the tables
    #[arg(long)]
    pub only_drop: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin check mysql://root@127.0.0.1:3306/tpcc             after a run: eleven conditions
  tenbin check mysql://root@127.0.0.1:3306/tpcc --fresh     after the load: all twelve
  tenbin check mysql://root@127.0.0.1:3306/tpcc --tables 4  warehouse1 to warehouse4 and their like

Ends with 3 when a condition fails. Nothing is changed; run it while no other client writes.")]
pub struct Check {
    /// The database
    pub dsn: String,
    /// Number of sets of tables [default: those that exist]
    #[arg(long)]
    pub tables: Option<u32>,
    /// Connections that check in parallel
    #[arg(long, default_value_t = 4)]
    pub streams: u32,
    /// Nothing has run on the tables since they were loaded: check condition 11 too
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub secret: Secret,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin bench oltp_read_write mysql://root@127.0.0.1:3306/sbtest --threads 16 --time 60s
  tenbin bench oltp_point_select mysql://app@db/sbtest --password-env PW --rate 2000 --arrivals poisson --threads 64
  tenbin bench oltp_read_only sqlite:test.db --threads 4 --events 10000
  tenbin bench ./script.lua mysql://root@127.0.0.1:3306/sbtest -o scale=10
  tenbin bench pay.sql@30 look.sql@70 postgres://app@db/shop --threads 8     your own SQL, with weights")]
pub struct Bench {
    #[command(flatten)]
    pub what: WorkloadArgs,
    /// How long to measure: 60, 60s, 5m
    #[arg(long, default_value = "10s", value_name = "DURATION", value_parser = duration)]
    pub time: Milliseconds,
    /// How long to run beforehand without counting
    #[arg(long, default_value = "0s", value_name = "DURATION", value_parser = duration)]
    pub warmup: Milliseconds,
    /// Length of a reporting interval
    #[arg(long, default_value = "1s", value_name = "DURATION", value_parser = duration)]
    pub interval: Milliseconds,
    #[command(flatten)]
    pub load: LoadKeys,
    #[command(flatten)]
    pub live: LiveMetrics,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin completions bash > /etc/bash_completion.d/tenbin
  tenbin completions zsh > ~/.zfunc/_tenbin")]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin man | man -l -                            read it now
  tenbin man --dir /usr/local/share/man/man1       tenbin.1, tenbin-run.1, tenbin-bench.1, …")]
pub struct Man {
    /// Write a page for each command to this directory
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin names                                     sysbench, mysqlslap, tpcc_start, …
  tenbin names --dir ~/.local/bin                  a link of each of these names to this program; nothing is replaced")]
pub struct Names {
    /// Make a link of each name in this directory
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}
