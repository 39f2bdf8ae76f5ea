//! What the clients of a trial do, and when.

use super::differing::{Differing, keys, options_differ};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What the clients do, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// The workload's name: `oltp_read_write`, …
    pub workload: String,
    /// The workload's own options by name (`point_selects`, `rand_type`, …): those given in the plan, and in a
    /// recording all of them, with the values that were used.
    pub options: BTreeMap<String, String>,
    /// Concurrent users.
    pub clients: u32,
    /// How clients are distributed over engine threads.
    pub workers: Workers,
    /// The intended starts of transactions.
    pub schedule: Schedule,
    /// Stop after this many transactions in all; `None`: by time alone.
    pub operations: Option<u64>,
    /// How long transactions in progress at the end of measure may take to finish and be counted,
    /// milliseconds; 0: they are not counted, and remain open.
    #[serde(default)]
    pub drain_ms: u64,
    /// When the server is observed.
    #[serde(default)]
    pub observe: Observe,
    /// Whether the ceiling of its clients is measured before the first trial.
    #[serde(default, skip_serializing_if = "Calibrate::is_auto")]
    pub calibrate: Calibrate,
    /// Whether clients pause between transactions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paced: bool,
    /// What to do about errors.
    pub policy: Policy,
    /// Groups of clients that run together, each with a schedule of its own; none: all clients do the same. Their clients are numbered through in this
    /// order, and together they are [`Load::clients`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<ClientGroup>,
}

/// Clients of a load that do something else than the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClientGroup {
    /// Its name: letters, digits, `-` and `_`.
    pub name: String,
    /// How many.
    pub clients: u32,
    /// Their intended starts.
    pub schedule: Schedule,
}

impl ClientGroup {
    /// No load has more groups than this.
    pub const MOST: usize = 8;
}

impl Load {
    /// Whether all clients start again as soon as they have ended.
    pub fn is_closed(&self) -> bool {
        self.schedule == Schedule::Closed && self.groups.iter().all(|group| group.schedule == Schedule::Closed)
    }

    /// The groups without a rate, where others have one: what those complete is given, and only that of these is measured. `None`: what all clients
    /// complete is of one kind.
    pub fn groups_without_rate(&self) -> Option<Vec<&ClientGroup>> {
        let (closed, at_rate): (Vec<&ClientGroup>, Vec<&ClientGroup>) =
            self.groups.iter().partition(|group| group.schedule == Schedule::Closed);
        (!closed.is_empty() && !at_rate.is_empty()).then_some(closed)
    }

    /// What two loads differ in.
    pub(super) fn differing(&self, other: &Load) -> Vec<Differing> {
        let Load {
            workload,
            options,
            clients,
            workers,
            schedule,
            operations,
            drain_ms,
            observe,
            policy,
            groups,
            // Before the first trial.
            calibrate: _,
            // What the workload and its options make of it.
            paced: _,
        } = self;
        let Policy { retries, reconnect, stop_on_error, transient } = policy;
        let of_load = [
            ("workload", *workload != other.workload),
            ("clients", *clients != other.clients),
            ("workers", *workers != other.workers),
            ("operations", *operations != other.operations),
            ("drain", *drain_ms != other.drain_ms),
            ("observe", *observe != other.observe),
            ("retries", *retries != other.policy.retries),
            ("on_lost", *reconnect != other.policy.reconnect),
            ("on_error", *stop_on_error != other.policy.stop_on_error),
            ("transient", *transient != other.policy.transient),
        ];
        let names = |groups: &[ClientGroup]| groups.iter().map(|group| group.name.clone()).collect::<BTreeSet<_>>();
        let of_groups = [("group", names(groups) != names(&other.groups))];
        let each = groups.iter().filter_map(|group| {
            let ClientGroup { name, clients, schedule } = group;
            let other = other.groups.iter().find(|other| other.name == *name)?;
            let keys = [("clients", *clients != other.clients)].into_iter().chain(schedule.differing(&other.schedule));
            Some(keys.filter(|(_, differ)| *differ).map(move |(key, _)| Differing::OfGroup(name.clone(), key)))
        });
        let options = options_differ(options, &other.options).then_some(Differing::Options);
        let schedule = schedule.differing(&other.schedule);
        keys(&of_load).chain(keys(&schedule)).chain(keys(&of_groups)).chain(each.flatten()).chain(options).collect()
    }
}

impl Default for Load {
    fn default() -> Load {
        Load {
            workload: String::new(),
            options: BTreeMap::new(),
            clients: 1,
            workers: Workers::Auto,
            schedule: Schedule::Closed,
            operations: None,
            drain_ms: 0,
            observe: Observe::Always,
            calibrate: Calibrate::Auto,
            paced: false,
            policy: Policy::default(),
            groups: Vec::new(),
        }
    }
}

/// When the server is observed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observe {
    /// All the time, on a separate connection.
    #[default]
    Always,
    /// Before the clients connect and after they have disconnected: meanwhile there are no connections but theirs.
    Ends,
}

/// Whether the ceiling of the clients is measured before the first trial with them on a target, with a statement that does
/// nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calibrate {
    /// If warm-up and window last at least ten times as long as it, and nothing but time ends the window.
    #[default]
    Auto,
    /// If the target is a server.
    Always,
    /// It is not.
    Never,
}

impl Calibrate {
    /// Whether it is the default.
    pub fn is_auto(&self) -> bool {
        *self == Calibrate::Auto
    }
}

/// How clients are distributed over engine threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workers {
    /// The engine chooses, from the number of clients, the available cores and the location of the server.
    Auto,
    /// One thread per client.
    PerClient,
    /// This many event loops.
    Count(u32),
}

/// The intended starts of transactions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Closed loop: each client starts the next when the last has ended.
    Closed,
    /// Open loop: starts fall due whether or not a client is free.
    Open {
        /// Intended starts per second, of all clients together.
        rate: f64,
        /// How the gaps between them are drawn.
        arrivals: Arrivals,
        /// What to do with a start that finds no free client.
        overload: Overload,
    },
}

impl Schedule {
    /// The keys of the plan, and whether two schedules differ in them.
    fn differing(&self, other: &Schedule) -> [(&'static str, bool); 3] {
        match (*self, *other) {
            (Schedule::Closed, Schedule::Closed) => [("rate", false), ("arrivals", false), ("overload", false)],
            (
                Schedule::Open { rate, arrivals, overload },
                Schedule::Open { rate: rate_there, arrivals: arrivals_there, overload: overload_there },
            ) => [
                ("rate", rate != rate_there),
                ("arrivals", arrivals != arrivals_there),
                ("overload", overload != overload_there),
            ],
            _ => [("rate", true), ("arrivals", false), ("overload", false)],
        }
    }
}

/// How the gaps between intended starts are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// All gaps equal.
    Even,
    /// Exponential gaps.
    Poisson,
}

/// What to do with an intended start that finds no free client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overload {
    /// It waits; if `limit` starts are waiting, further ones are skipped and counted.
    Queue {
        /// How many may wait.
        limit: u64,
    },
    /// It is skipped at once, and counted as such.
    Skip,
    /// The trial ends when `limit` starts are waiting.
    Stop {
        /// How many may wait.
        limit: u64,
    },
}

/// What to do about errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Attempts of one transaction beyond the first after a transient conflict (deadlock, lock wait timeout).
    pub retries: u32,
    /// Reopen a lost connection (with back-off, for as long as the trial lasts) instead of giving up the client.
    pub reconnect: bool,
    /// End the trial on any other failed statement (wrong SQL, a limit) instead of counting it and continuing.
    pub stop_on_error: bool,
    /// Which errors are transient conflicts.
    #[serde(default)]
    pub transient: Transient,
}

/// Which errors are transient conflicts, after which the same transaction is retried.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transient {
    /// Deadlocks, lock wait timeouts and the like, as classified by the driver.
    #[default]
    Known,
    /// Exactly those with these codes of the server: numbers (MySQL) or SQLSTATEs (PostgreSQL).
    Codes(Vec<String>),
    /// Every error with a code of the server.
    All,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { retries: 10, reconnect: true, stop_on_error: true, transient: Transient::Known }
    }
}
