//! The latency budget: of what the mean response time consists.
//!
//! The parts are measured independently and may overlap (a server works for a transaction while the next one is on its
//! way). If they are more than the response time, all are reduced in proportion, and the budget says so. What no part
//! explains is shown as such: nothing is negative, and the parts are exactly the response time.

use super::cost::{PAGES_READ, SYNCS, per_second};
use super::evidence::Evidence;
use tenbin_model::names::observer;
use tenbin_model::names::session::SessionClass;
use tenbin_model::trial::Schedule;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Of what the mean response time of a trial consists.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyBudget {
    /// The mean response time, seconds.
    pub response_s: f64,
    /// The parts, in the order of [`BudgetKind::ALL`]; those that are not known are missing. They add up to
    /// the response time.
    pub parts: Vec<BudgetPart>,
    /// By what the measured parts were multiplied because they overlap; 1: they do not.
    pub reduced: f64,
}

/// A part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetPart {
    /// Which.
    pub kind: BudgetKind,
    /// Seconds of the mean response time.
    pub seconds: f64,
    /// How it was computed.
    pub how: Message,
}

/// The parts of a response time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetKind {
    /// From the intended start until a client was free.
    Schedule,
    /// Messages on their way.
    Network,
    /// Processors of the server.
    Cpu,
    /// Waits for pages.
    Read,
    /// Waits for log and disk in commits.
    Commit,
    /// Waits for rows.
    RowLock,
    /// Waits for a processor of the server, a latch or a thread.
    Queue,
    /// The rest.
    Unexplained,
}

impl BudgetKind {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [BudgetKind; 8] = [
        BudgetKind::Schedule,
        BudgetKind::Network,
        BudgetKind::Cpu,
        BudgetKind::Read,
        BudgetKind::Commit,
        BudgetKind::RowLock,
        BudgetKind::Queue,
        BudgetKind::Unexplained,
    ];

    /// Its name in JSON.
    pub fn code(self) -> &'static str {
        match self {
            BudgetKind::Schedule => "schedule",
            BudgetKind::Network => "network",
            BudgetKind::Cpu => "cpu",
            BudgetKind::Read => "read",
            BudgetKind::Commit => "commit",
            BudgetKind::RowLock => "row-lock",
            BudgetKind::Queue => "queue",
            BudgetKind::Unexplained => "unexplained",
        }
    }

    /// What it is called.
    pub fn label(self) -> Message {
        match self {
            BudgetKind::Schedule => msg!("budget-schedule"),
            BudgetKind::Network => msg!("budget-network"),
            BudgetKind::Cpu => msg!("budget-cpu"),
            BudgetKind::Read => msg!("budget-read"),
            BudgetKind::Commit => msg!("budget-commit"),
            BudgetKind::RowLock => msg!("budget-row-lock"),
            BudgetKind::Queue => msg!("budget-queue"),
            BudgetKind::Unexplained => msg!("budget-unexplained"),
        }
    }
}

impl LatencyBudget {
    /// The seconds of a part; 0 if it is not known.
    pub fn seconds(&self, kind: BudgetKind) -> f64 {
        self.parts.iter().find(|part| part.kind == kind).map_or(0.0, |part| part.seconds)
    }

    /// A part as a share of the response time.
    pub fn share(&self, kind: BudgetKind) -> f64 {
        if self.response_s > 0.0 { self.seconds(kind) / self.response_s } else { 0.0 }
    }

    /// How much of the response time is explained, from 0 to 1. What a start waits for a free client says nothing of the transaction.
    pub fn explained(&self) -> f64 {
        let transaction_s = self.response_s - self.seconds(BudgetKind::Schedule);
        if transaction_s > 0.0 { 1.0 - self.seconds(BudgetKind::Unexplained) / transaction_s } else { 1.0 }
    }
}

/// The budget of a trial.
pub(super) fn budget(e: &Evidence<'_>) -> LatencyBudget {
    let measured = [
        (BudgetKind::Schedule, schedule(e)),
        (BudgetKind::Network, network(e)),
        (BudgetKind::Cpu, cpu(e)),
        (BudgetKind::Read, read(e)),
        (BudgetKind::Commit, commit(e).map(|commit| (commit.seconds, commit.how))),
        (BudgetKind::RowLock, row_lock(e)),
        (BudgetKind::Queue, queue(e)),
    ];
    let known = measured.into_iter().filter_map(|(kind, part)| Some((kind, part?)));
    let mut parts: Vec<BudgetPart> =
        known.map(|(kind, (seconds, how))| BudgetPart { kind, seconds: seconds.max(0.0), how }).collect();
    let sum: f64 = parts.iter().map(|part| part.seconds).sum();
    let reduced = if sum > e.response_s { e.response_s / sum } else { 1.0 };
    parts.iter_mut().for_each(|part| part.seconds *= reduced);
    let rest = (e.response_s - parts.iter().map(|part| part.seconds).sum::<f64>()).max(0.0);
    parts.push(BudgetPart { kind: BudgetKind::Unexplained, seconds: rest, how: msg!("budget-how-rest") });
    LatencyBudget { response_s: e.response_s, parts, reduced }
}

type TimeOfPart = Option<(f64, Message)>;

fn schedule(e: &Evidence<'_>) -> TimeOfPart {
    // In a closed loop nothing waits for a client.
    matches!(e.t.trial.load.schedule, Schedule::Open { .. }).then_some(())?;
    let wait_s = e.t.tally.all_transactions().wait.mean_ns() / 1e9;
    (wait_s > 0.0).then(|| (wait_s, msg!("budget-how-schedule")))
}

fn network(e: &Evidence<'_>) -> TimeOfPart {
    let rtt_s = e.round_trip_s().filter(|_| e.has_path())?;
    let (rtt, statements) = (format!("{:.3}", rtt_s * 1e3), format!("{:.1}", e.statements));
    Some((rtt_s * e.statements, msg!("budget-how-network", rtt, statements)))
}

fn cpu(e: &Evidence<'_>) -> TimeOfPart {
    Some((e.per_operation(e.server_cpu()?), msg!("budget-how-cpu")))
}

/// Seconds of a transaction in a class of sessions, from samples.
fn sampled(e: &Evidence<'_>, class: SessionClass) -> TimeOfPart {
    let samples = e.sessions.as_ref()?.samples;
    let how = msg!("budget-how-sampled", class = class.label(), samples);
    Some((e.per_operation(e.class(class)?), how))
}

/// Waits for pages: as its sessions were seen; as the server times its reads, also those that no session waits for; or
/// pages × the mean time of a disk read.
pub(super) fn read(e: &Evidence<'_>) -> TimeOfPart {
    let timed = || {
        let seconds = e.rate(observer::SERVER_FILES, "data_read_s")?;
        Some((e.per_operation(seconds), msg!("budget-how-files", source = "performance_schema")))
    };
    let estimated = || {
        let pages = e.per_operation(per_second(e, PAGES_READ)?);
        // Pages that no disk was asked for come from the memory of its machine.
        let await_s = mean_wait(e, "disk_read_wait_s", "disk_reads")?.unwrap_or(0.0);
        let (pages_of_one, wait_ms) = (format!("{pages:.2}"), format!("{:.3}", await_s * 1e3));
        Some((pages * await_s, msg!("budget-how-read", pages = pages_of_one, wait_ms)))
    };
    sampled(e, SessionClass::Read).or_else(timed).or_else(estimated)
}

/// The mean time of a request of a kind to the disks of the server, seconds; `Some(None)` if there was none.
fn mean_wait(e: &Evidence<'_>, seconds: &str, requests: &str) -> Option<Option<f64>> {
    let (seconds, requests) = (e.server_host(seconds)?, e.server_host(requests)?);
    Some((requests > 0.0).then(|| seconds / requests))
}

/// Waits in commits.
pub(super) struct CommitWait {
    /// Seconds of the mean response time.
    pub seconds: f64,
    how: Message,
    /// Whether they are at least this long: one flush is counted, and several commits may have waited for it.
    pub is_least: bool,
}

/// How durable a commit is; with another value than 1 InnoDB flushes its log beside the commits.
const FLUSH_AT_COMMIT: &str = "innodb_flush_log_at_trx_commit";

/// Waits in commits: as the sessions were seen; as the server times the flushes of its logs; or flushes × their mean time.
pub(super) fn commit(e: &Evidence<'_>) -> Option<CommitWait> {
    let wait = |(seconds, how)| CommitWait { seconds, how, is_least: false };
    sampled(e, SessionClass::Commit).map(wait).or_else(|| {
        let (seconds, how) = flushes_of_logs(e).or_else(|| longer(flushes_of_binlog(e), flushes_of_disk(e)))?;
        Some(CommitWait { seconds, how, is_least: true })
    })
}

fn flushes_of_logs(e: &Evidence<'_>) -> TimeOfPart {
    let log_s = e.rate(observer::SERVER_FILES, "log_sync_s")?;
    let of_commits = e.variable(FLUSH_AT_COMMIT).is_none_or(|value| value == "1");
    let (binlog_s, how) = flushes_of_binlog(e).unwrap_or((0.0, how_timed()));
    Some((if of_commits { e.per_operation(log_s) } else { 0.0 } + binlog_s, how))
}

/// MariaDB times those of its binary log, and has no instrument for the redo log.
fn flushes_of_binlog(e: &Evidence<'_>) -> TimeOfPart {
    Some((e.per_operation(e.rate(observer::SERVER_FILES, "binlog_sync_s")?), how_timed()))
}

fn how_timed() -> Message {
    msg!("budget-how-flushes", source = "performance_schema")
}

/// Not known if the disk counted none: then it has no cache to flush, and writes themselves take the time.
fn flushes_of_disk(e: &Evidence<'_>) -> TimeOfPart {
    let syncs = e.per_operation(per_second(e, SYNCS)?);
    let flush_s = mean_wait(e, "disk_flush_wait_s", "disk_flushes")?.or((syncs == 0.0).then_some(0.0))?;
    let (syncs_of_one, flush_ms) = (format!("{syncs:.2}"), format!("{:.3}", flush_s * 1e3));
    Some((syncs * flush_s, msg!("budget-how-commit", syncs = syncs_of_one, flush_ms)))
}

/// The longer of two that are both known to have been.
fn longer(a: TimeOfPart, b: TimeOfPart) -> TimeOfPart {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.0 > a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Waits for rows: InnoDB counts them; of other servers they are sampled.
pub(super) fn row_lock(e: &Evidence<'_>) -> TimeOfPart {
    let counted = || Some((e.per_operation(e.status("innodb_row_lock_time")? / 1e3), msg!("budget-how-row-lock")));
    // InnoDB counts a wait when it ends, the samples see it while it lasts: the longer of both is known to have been.
    longer(counted(), sampled(e, SessionClass::RowLock))
}

fn queue(e: &Evidence<'_>) -> TimeOfPart {
    let delay = e.process("run_delay_s").map(|seconds| e.per_operation(seconds));
    let classes = [SessionClass::Latch, SessionClass::Admission].map(|class| Some(e.per_operation(e.class(class)?)));
    let known: Vec<f64> = [delay].into_iter().chain(classes).flatten().collect();
    (!known.is_empty()).then(|| (known.iter().sum(), msg!("budget-how-queue")))
}
