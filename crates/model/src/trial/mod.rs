//! A trial: one cell of a plan, fully resolved. Running it needs no other defaults.

mod apply;
mod load;
mod looks;
mod recorded;
mod settle_limits;

pub use apply::{Apply, ParameterGroupAccess};
pub use load::{Arrivals, Calibrate, ClientGroup, Load, Observe, Overload, Policy, Schedule, Transient, Workers};
pub use settle_limits::SettleLimits;

pub use crate::ssh_access::SshAccess;

use crate::cloud::CloudAccess;
use crate::compared_axis::ComparedAxis;
use crate::dsn::{Dsn, Scheme};
use crate::exporter::Exporter;
use crate::load_host::{ClientPlace, LoadHostsSpec};
use crate::omit;
use crate::precision::{MeasureUntil, RepeatsUntil};
use crate::price::Price;
use crate::search::Search;
use crate::warmup::WarmupUntil;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// One execution unit of a plan: one target, one load, one repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in the order of execution, from 1.
    pub number: u32,
    /// Which combination of the matrix (without target and repeat), from 1; repeats and targets share it.
    pub cell: u32,
    /// Which repeat of the cell on this target, from 1. Trials of one `(cell, repeat)` on different targets are a pair.
    pub repeat: u32,
    /// The experiment's name.
    pub experiment: String,
    /// The system under test.
    pub target: Target,
    /// The data in it.
    pub dataset: TrialDataset,
    /// What the clients do.
    pub load: Load,
    /// The files of the user that load and data set name, as they were when the trial was planned; of older recordings none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<UsedFile>,
    /// The load hosts that drive it together; `None`: this process alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<LoadHostsSpec>,
    /// The matrix values of this cell, by dotted field, in the plan's order: used for the axes of charts.
    pub axes: Vec<(String, String)>,
    /// The axis along which its experiment compares; `None`: it compares targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<ComparedAxis>,
    /// Whether it is driven at the same time as the trials of its pair.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duet: bool,
    /// What to do with the data before the trial.
    pub restore: Restore,
    /// Wait before the load starts, after loading; milliseconds.
    pub settle_ms: u64,
    /// When the server has settled; `None`: after [`settle_ms`](Trial::settle_ms).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle_until: Option<SettleLimits>,
    /// The longest wait after the load until the target's replicas have caught up, milliseconds; 0: no wait.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub catch_up_ms: u64,
    /// Load that is driven but not counted; milliseconds. With [`warmup_until`](Trial::warmup_until) it is the upper limit.
    pub warmup_ms: u64,
    /// What ends the warm-up before [`warmup_ms`](Trial::warmup_ms); `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup_until: Option<WarmupUntil>,
    /// Length of the measured window; milliseconds. With [`Load::operations`] set it is the upper limit.
    pub measure_ms: u64,
    /// What ends the window before [`measure_ms`](Trial::measure_ms); `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_until: Option<MeasureUntil>,
    /// What ends the repeats of its cell before the last; `None`: they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats_until: Option<RepeatsUntil>,
    /// The search for a limit that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// Length of a reporting interval; milliseconds.
    pub interval_ms: u64,
    /// By what the data and the time of the plan were multiplied for a try-out; `None`: they were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// All randomness of the trial comes from this and the client's number. Equal for all targets of a pair.
    pub seed: u64,
}

/// The system under test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The name used in tables and charts.
    pub name: String,
    /// Its position among the experiment's targets in the plan, from 0; the order in tables and of colours.
    pub place: u32,
    /// Whether the others are compared with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub baseline: bool,
    /// What it costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// How to reach it, without a password; `None` for a sandbox, which gets its address when it starts.
    pub dsn: Option<String>,
    /// The address in the plan, without password, if this is a private server in its place, for a try-out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<String>,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The file that holds the password.
    pub password_file: Option<String>,
    /// Start a private server with this binary: `mariadbd`, `mysqld`, `postgres`, or a path to one; `sqlite` for a
    /// private file.
    pub sandbox: Option<String>,
    /// The directory in which the data of a private server lie; `None`: in that of private servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_directory: Option<String>,
    /// The option file of a private server; its settings are among `server`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option_file: Option<String>,
    /// Server variables, or pragmas of SQLite.
    pub server: BTreeMap<String, String>,
    /// How server variables of an existing server are set; `None`: as its kind of database does it without a restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apply: Option<Apply>,
    /// What the server must be, so that another one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// Where its machine can be looked at; `None`: here, if its server is found to run here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostAccess>,
    /// What it is at the provider that manages it; `None`: it is not managed, or the plan does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud: Option<CloudAccess>,
    /// The user's commands before and after its trials.
    #[serde(default, skip_serializing_if = "Hooks::is_empty")]
    pub hooks: Hooks,
    /// What the user has permitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Allow>,
    /// How data are restored.
    #[serde(default, skip_serializing_if = "RestoreMethod::is_reload")]
    pub restore: RestoreMethod,
    /// A simulated link between the clients and a private server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkSpec>,
    /// The rate of the line to the server, bits per second, as the plan says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_bits: Option<u64>,
    /// Where its clients run; `None`: as the plan says for all targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientPlace>,
    /// The servers that replicate from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<Replica>,
    /// Prometheus exporters with figures about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exporters: Vec<Exporter>,
}

/// What a server must be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Its version, in which `*` stands for anything: `8.0.*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Values of its variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
}

/// Where the machine of a server can be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostAccess {
    /// It is this machine.
    Local,
    /// Nowhere.
    None,
    /// Over `ssh`.
    Ssh(SshAccess),
}

/// The user's commands, for `sh -c`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hooks {
    /// Before the first trial on the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_run: Option<String>,
    /// Before each trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_trial: Option<String>,
    /// When the data of each trial are there, before it settles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_data: Option<String>,
    /// After each trial, however it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_trial: Option<String>,
    /// At the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_run: Option<String>,
    /// How long each may take, milliseconds.
    pub timeout_ms: u64,
}

impl Default for Hooks {
    fn default() -> Self {
        let timeout_ms = 300_000;
        Hooks { before_run: None, before_trial: None, with_data: None, after_trial: None, after_run: None, timeout_ms }
    }
}

impl Hooks {
    /// Whether there are no commands.
    pub fn is_empty(&self) -> bool {
        [&self.before_run, &self.before_trial, &self.with_data, &self.after_trial, &self.after_run]
            .iter()
            .all(|hook| hook.is_none())
    }
}

/// How the data of a target are restored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreMethod {
    /// By what.
    pub kind: RestoreKind,
    /// The directory of golden copies; `None`: the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// The command that stops the server, unless Tenbin has started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// The command that starts the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The command that restores the data, with [`RestoreKind::Command`] only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<RestoreCommand>,
}

impl RestoreMethod {
    /// Whether data are loaded again.
    pub fn is_reload(&self) -> bool {
        self.kind == RestoreKind::Reload
    }

    /// Whether data are put back from a golden copy or a golden database.
    pub fn is_golden(&self) -> bool {
        matches!(self.kind, RestoreKind::Copy | RestoreKind::Backup | RestoreKind::Template)
    }
}

/// A command of the user that restores data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreCommand {
    /// The command, for `sh -c`.
    pub run: String,
    /// How long it may take, until the server accepts connections again; milliseconds.
    pub timeout_ms: u64,
}

/// By what data are restored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestoreKind {
    /// Dropped and loaded again.
    #[default]
    Reload,
    /// From a copy of the data directory of the stopped server.
    Copy,
    /// From a prepared physical backup of the running server: `mariadb-backup`, `xtrabackup`, or `pg_basebackup`.
    Backup,
    /// From a golden database of the same server, as its template: PostgreSQL.
    Template,
    /// By a command of the user.
    Command,
}

impl RestoreKind {
    /// All of them, with their names in plans.
    pub const WORDS: [(&'static str, RestoreKind); 5] = [
        ("reload", RestoreKind::Reload),
        ("copy", RestoreKind::Copy),
        ("backup", RestoreKind::Backup),
        ("template", RestoreKind::Template),
        ("command", RestoreKind::Command),
    ];
}

/// A simulated link: the same in each direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSpec {
    /// Bits per second of all connections together; `None`: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits_per_s: Option<u64>,
    /// The delay of one direction, microseconds.
    pub delay_us: u64,
}

impl LinkSpec {
    /// `100 Mbit/s, 2 ms each way`.
    pub fn words(&self) -> Message {
        let delay = self.delay_us as f64 / 1e3;
        match self.bits_per_s {
            Some(bits) => msg!("link-of-rate-and-delay", rate = units::write_bit_rate(bits), delay),
            None => msg!("link-of-delay", delay),
        }
    }
}

/// A server that replicates from a target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replica {
    /// Its name and address, or the private server that is started for it.
    pub at: Target,
    /// The delay with which a private replica applies what it receives (`MASTER_DELAY`), seconds.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub delay_s: u64,
}

impl Replica {
    /// The name under which its password is kept, apart from those of targets.
    pub fn secret_name(&self, source: &Target) -> String {
        format!("{}/{}", source.name, self.at.name)
    }
}

impl Target {
    /// A target of which only the name and the position are known.
    pub fn named(name: &str, place: u32) -> Target {
        Target {
            name: name.to_owned(),
            place,
            dsn: None,
            stands_for: None,
            data_directory: None,
            option_file: None,
            password_env: None,
            password_file: None,
            sandbox: None,
            server: BTreeMap::new(),
            apply: None,
            pin: None,
            host: None,
            cloud: None,
            hooks: Hooks::default(),
            allow: Vec::new(),
            restore: RestoreMethod::default(),
            link: None,
            line_bits: None,
            client: None,
            replicas: Vec::new(),
            baseline: false,
            price: None,
            exporters: Vec::new(),
        }
    }

    /// Whether it says how to reach the system: an address, or a server to start.
    pub fn is_reachable(&self) -> bool {
        self.dsn.is_some() || self.sandbox.is_some()
    }
}

/// What Tenbin refuses to do to a server unless it is permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allow {
    /// Write into tables that do not carry Tenbin's mark.
    WriteUnmarked,
    /// Write to a replica or a read-only server.
    WriteReplica,
    /// Use tables that another run is using.
    ShareTables,
    /// Replace the whole data directory of a server, with tables that Tenbin did not create.
    ReplaceServer,
    /// Reboot a managed instance, for parameters that need it.
    RebootInstance,
    /// Change a parameter group that other instances use too.
    ChangeSharedGroup,
    /// Put in force, by a restart, what others have written into the configuration of a server.
    ChangeOtherSettings,
    /// Drive it at the same time as a target on the same machine.
    SharedMachine,
}

impl Allow {
    /// All of them, with their names in plans and on command lines.
    pub const WORDS: [(&'static str, Allow); 8] = [
        ("write-unmarked", Allow::WriteUnmarked),
        ("write-replica", Allow::WriteReplica),
        ("share-tables", Allow::ShareTables),
        ("replace-server", Allow::ReplaceServer),
        ("reboot-instance", Allow::RebootInstance),
        ("change-shared-group", Allow::ChangeSharedGroup),
        ("change-other-settings", Allow::ChangeOtherSettings),
        ("shared-machine", Allow::SharedMachine),
    ];
}

impl Target {
    /// The family of database, from its address or its sandbox.
    pub fn scheme(&self) -> Scheme {
        match (&self.sandbox, &self.dsn) {
            (Some(binary), _) => sandbox_scheme(binary),
            (None, Some(dsn)) => Dsn::parse(dsn).map_or(Scheme::Mysql, |d| d.scheme),
            (None, None) => Scheme::Mysql,
        }
    }
}

/// The family of database of a sandbox's binary, given as a name or a path.
pub fn sandbox_scheme(binary: &str) -> Scheme {
    match binary.rsplit('/').next().unwrap_or(binary) {
        "sqlite" => Scheme::Sqlite,
        "postgres" | "postgresql" | "postmaster" => Scheme::Postgres,
        _ => Scheme::Mysql,
    }
}

/// The data in the database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialDataset {
    /// The plan's name for it.
    pub name: String,
    /// Which generator: `sysbench`, …
    pub kind: String,
    /// The generator's own options by name (`tables`, `table_size`, …): those given in the plan, and in a recording all
    /// of them, as in a [`Load`].
    pub options: BTreeMap<String, String>,
    /// The number of connections that load it in parallel.
    pub streams: u32,
}

/// A file of the user: a script of SQL or Lua, the file that creates tables, a file of statements.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UsedFile {
    /// Its path as the plan has it.
    pub path: String,
    /// The SHA-256 of its content.
    pub sha256: String,
}

/// What to do with the data before a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restore {
    /// Use existing data; fail if there are none. Nothing is created or dropped.
    Require,
    /// Load if there are no data; otherwise use them as they are.
    Never,
    /// Restore before the first trial of the run that uses these data on a target.
    BeforeDataset,
    /// Restore before each trial of another cell than the last one that used these data on the target: the repeats of a
    /// cell that follow one another share them.
    BeforeCell,
    /// Restore before each trial: drop data with our mark and load them again, or put a copy back.
    BeforeRun,
}
