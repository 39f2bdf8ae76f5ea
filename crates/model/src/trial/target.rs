//! The system under test: how to reach it, what the plan sets of it, and how its data are restored.

use super::apply::Apply;
use super::differing::{Differing, keys};
use crate::cloud::CloudAccess;
use crate::dsn::{Dsn, Scheme};
use crate::exporter::Exporter;
use crate::load_host::ClientPlace;
use crate::omit;
use crate::price::Price;
use crate::ssh_access::SshAccess;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// The system under test.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
        Target { name: name.to_owned(), place, ..Target::default() }
    }

    /// Whether it says how to reach the system: an address, or a server to start.
    pub fn is_reachable(&self) -> bool {
        self.dsn.is_some() || self.sandbox.is_some()
    }

    /// The family of database, from its address or its sandbox.
    pub fn scheme(&self) -> Scheme {
        match (&self.sandbox, &self.dsn) {
            (Some(binary), _) => sandbox_scheme(binary),
            (None, Some(dsn)) => Dsn::parse(dsn).map_or(Scheme::Mysql, |d| d.scheme),
            (None, None) => Scheme::Mysql,
        }
    }

    /// What the plans say of a target that two trials have in common. Where it is does not count: [`crate::changed_server`] knows whether its server is
    /// another one.
    pub(crate) fn differing(&self, other: &Target) -> Vec<Differing> {
        let Target {
            sandbox,
            data_directory,
            server,
            hooks,
            restore,
            link,
            client,
            replicas,
            // What it is called, and what it costs.
            name: _,
            place: _,
            baseline: _,
            price: _,
            // Where it is, and how it is reached.
            dsn: _,
            stands_for: _,
            password_env: _,
            password_file: _,
            cloud: _,
            // Its settings are among `server`.
            option_file: _,
            apply: _,
            // What is asked, looked at and permitted.
            pin: _,
            host: _,
            line_bits: _,
            allow: _,
            exporters: _,
        } = self;
        let is_other = |(a, b): (&Replica, &Replica)| a.delay_s != b.delay_s || !a.at.differing(&b.at).is_empty();
        let of_plan = [
            ("sandbox", *sandbox != other.sandbox),
            ("data_directory", *data_directory != other.data_directory),
            ("hooks", *hooks != other.hooks),
            ("restore", restore.kind != other.restore.kind),
            ("link", *link != other.link),
            ("client", *client != other.client),
            ("replicas", replicas.len() != other.replicas.len() || replicas.iter().zip(&other.replicas).any(is_other)),
        ];
        let variables: BTreeSet<&String> = server.keys().chain(other.server.keys()).collect();
        let settings = variables.into_iter().filter(|name| server.get(*name) != other.server.get(*name));
        keys(&of_plan).chain(settings.map(|name| Differing::Setting(format!("server.{name}")))).collect()
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

/// The family of database of a sandbox's binary, given as a name or a path.
pub fn sandbox_scheme(binary: &str) -> Scheme {
    match binary.rsplit('/').next().unwrap_or(binary) {
        "sqlite" => Scheme::Sqlite,
        "postgres" | "postgresql" | "postmaster" | "psql" => Scheme::Postgres,
        _ => Scheme::Mysql,
    }
}
