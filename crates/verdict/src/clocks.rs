//! The three clocks of a start at a rate: the response time runs from the intended start, the service time from the actual one, and
//! the wait lies between them. In a closed loop nothing is due while a client is busy; what waits there is a transaction that is
//! tried again, or a client without a connection.

use tenbin_model::summary::TrialResult;
use tenbin_model::tally::{GroupFigures, TransactionTally};
use tenbin_model::tpcc;
use tenbin_model::trial::{ClientGroup, Schedule};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A mean wait below this share of the mean response time is not spoken of.
const NOTABLE: f64 = 0.01;
/// The share of the clients' time in transactions from which on they count as all busy.
const BUSY: f64 = 0.95;
/// A later start than intended although a client was free, milliseconds, at p99: from here on it is spoken of.
pub const LATE_MS: f64 = 1.0;
/// The starts that may still wait for a client at the end, as a share of those that ended.
const IN_LINE: f64 = 0.01;
/// The share below which a start hardly ever finds all of them busy by chance.
const IDLE: f64 = 0.5;
/// How often all clients must have been busy at a time, were they independent of each other, for that to be why starts waited.
const BY_CHANCE: f64 = 0.01;
/// A time without completions this many times as long as the mean one is no matter of chance.
const SILENT: f64 = 10.0;
/// The longest pause before a retry, milliseconds (`engine/src/policy.rs`).
const PAUSE_MS: f64 = 96.0;
/// The shortest one, nanoseconds.
const LEAST_PAUSE_NS: u64 = 500_000;

/// Why starts waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitCause {
    /// All clients were busy all the time: the rate is more than they and the server complete.
    Queue,
    /// The server did not answer for a while, and starts that fell due meanwhile waited.
    Stall,
    /// Clients were free and no transaction took as long as the longest wait: the client's machine or Tenbin itself was late.
    LateClient,
    /// Starts fell due while all clients happened to be busy.
    Chance,
    /// Transactions were tried again, after a pause.
    Retry,
    /// Clients had lost their connections and opened others.
    Outage,
    /// None of these, by what was observed.
    Unknown,
}

/// Whether starts waited at all.
pub fn waited(all: &TransactionTally) -> bool {
    all.wait.mean_ns() > NOTABLE * all.response.mean_ns()
}

/// Whether starts of a trial fall due by themselves, at a rate or after a pause: where they do not, none can be late, and there is
/// no wait to show.
pub fn fall_due(trial: &TrialResult) -> bool {
    !trial.trial.load.is_closed() || trial.trial.load.paced || tpcc::paced(&trial.trial)
}

/// Why the starts of a trial waited; `None` if they did not. Of groups of clients it is that of the group whose starts waited longest,
/// all together: clients of another group cannot take them, and are not busy with them.
pub fn of_trial(trial: &TrialResult) -> Option<WaitCause> {
    cause(&waits(trial))
}

fn waits(trial: &TrialResult) -> Waits {
    let tally = &trial.tally;
    let between_ns = trial.measured_ns() as f64 / tally.accounting.all_completed().max(1) as f64;
    let silent_ns = Some(trial.longest_silence_ns()).filter(|ns| *ns as f64 > SILENT * between_ns).unwrap_or(0);
    let whole = Waits {
        all: tally.all_transactions(),
        clients: trial.trial.load.clients,
        seconds: trial.measured_ns() as f64 / 1e9,
        halted_ns: trial.client_halts.not_running_ns() + trial.client_halts.suspended_ns,
        unavailable_ns: tally.unavailable_ns,
        carried_ns: tally.carried.service_ns as f64,
        in_line: tally.accounting.not_begun(trial.trial.load.clients),
        silent_ns,
        has_due_times: fall_due(trial),
    };
    let of_group = |group: &ClientGroup| {
        let GroupFigures { accounting, all, .. } = tally.group(&group.name);
        let carried_ns = accounting.carried as f64 * all.service.mean_ns();
        let (in_line, has_due_times) = (accounting.not_begun(group.clients), group.schedule != Schedule::Closed);
        Waits { all, clients: group.clients, carried_ns, in_line, has_due_times, ..whole.clone() }
    };
    let waited_ns = |waits: &Waits| waits.all.wait.sum_ns();
    let groups = trial.trial.load.groups.iter().map(of_group);
    groups.max_by(|a, b| waited_ns(a).total_cmp(&waited_ns(b))).unwrap_or_else(|| whole.clone())
}

/// From what the cause is concluded.
#[derive(Clone)]
struct Waits {
    all: TransactionTally,
    clients: u32,
    seconds: f64,
    halted_ns: u64,
    /// Of all clients, without a connection.
    unavailable_ns: u64,
    /// Of all clients, in transactions that had fallen due before the window.
    carried_ns: f64,
    /// Starts that found no free client until the end.
    in_line: u64,
    /// The longest time in which none of all clients completed anything, longer than by chance.
    silent_ns: u64,
    /// Starts fall due by themselves: at a rate, or after a pause.
    has_due_times: bool,
}

/// How much later than intended starts were although clients were free, milliseconds at p99; `None` if they were not, or
/// something else was the cause.
pub fn late_ms(trial: &TrialResult) -> Option<f64> {
    late(trial).map(|(p99_ns, _)| p99_ns as f64 / 1e6)
}

/// The same in nanoseconds, and how many starts waited as long or longer.
pub fn late(trial: &TrialResult) -> Option<(u64, u64)> {
    let waits = waits(trial);
    (cause(&waits)? == WaitCause::LateClient).then_some(())?;
    let wait = waits.all.wait;
    let p99_ns = wait.quantile_ns(0.99);
    Some((p99_ns, wait.buckets().filter(|(ns, _)| *ns >= p99_ns).map(|(_, starts)| starts).sum()))
}

/// Each cause by evidence of its own; what has none is not known.
fn cause(waits: &Waits) -> Option<WaitCause> {
    let Waits { ref all, clients, seconds, halted_ns, unavailable_ns, carried_ns, in_line, silent_ns, has_due_times } =
        *waits;
    if !waited(all) || seconds <= 0.0 || clients == 0 {
        return None;
    }
    let (wait_ns, service_ns) = (all.wait.max_ns(), all.service.max_ns());
    let waited_ns = all.wait.sum_ns();
    let pauses = all.retries as f64 * PAUSE_MS * 1e6 >= waited_ns;
    let as_long: u64 = all.wait.buckets().filter(|(ns, _)| *ns >= LEAST_PAUSE_NS).map(|(_, starts)| starts).sum();
    let are_pauses = pauses && 2 * all.retries >= as_long;
    let outage =
        unavailable_ns > 0 && (unavailable_ns as f64 / f64::from(clients) >= wait_ns as f64 / 2.0 || !has_due_times);
    let all_ns = seconds * 1e9 * f64::from(clients);
    // Without a connection a client is not free either.
    let busy = (all.service_ns() + carried_ns + unavailable_ns as f64) / all_ns;
    // In the end no client was free for them.
    let is_queued = in_line as f64 > IN_LINE * (all.completed + all.failed) as f64;
    Some(match () {
        () if !has_due_times && outage && unavailable_ns as f64 >= waited_ns / 2.0 => WaitCause::Outage,
        () if !has_due_times && pauses => WaitCause::Retry,
        () if !has_due_times => WaitCause::Unknown,
        // Calls in progress take as long as a halt of the client, and look like a stall of the server.
        () if halted_ns > 0 && halted_ns >= wait_ns / 2 => WaitCause::LateClient,
        () if outage => WaitCause::Outage,
        () if busy >= BUSY || is_queued => WaitCause::Queue,
        // What falls due at the beginning of a standstill of all clients waits as long as it lasts. One transaction that lasts as long beside others
        // that end is none.
        () if silent_ns.min(service_ns) >= wait_ns / 2 && service_ns as f64 > 10.0 * all.service.mean_ns() => {
            WaitCause::Stall
        }
        // A transaction that pauses before it is tried again waits beside free clients too.
        () if are_pauses => WaitCause::Retry,
        () if busy < IDLE && wait_ns > 2 * service_ns => WaitCause::LateClient,
        () if busy.powf(f64::from(clients)) >= BY_CHANCE => WaitCause::Chance,
        () if pauses => WaitCause::Retry,
        () => WaitCause::Unknown,
    })
}

impl WaitCause {
    /// What it means for the figures.
    pub fn words(self) -> Message {
        match self {
            WaitCause::Queue => msg!("wait-queue"),
            WaitCause::Stall => msg!("wait-stall"),
            WaitCause::LateClient => msg!("wait-late-client"),
            WaitCause::Chance => msg!("wait-chance"),
            WaitCause::Retry => msg!("wait-retry"),
            WaitCause::Outage => msg!("wait-outage"),
            WaitCause::Unknown => msg!("wait-unknown"),
        }
    }

    /// Its name in JSON.
    pub fn code(self) -> &'static str {
        match self {
            WaitCause::Queue => "queue",
            WaitCause::Stall => "stall",
            WaitCause::LateClient => "late-client",
            WaitCause::Chance => "chance",
            WaitCause::Retry => "retry",
            WaitCause::Outage => "outage",
            WaitCause::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts with these milliseconds of wait and service, this many of each.
    fn tally(all: &[(f64, f64, u64)]) -> TransactionTally {
        let mut tally = TransactionTally::default();
        for (wait, service, n) in all {
            let ns = |ms: f64| (ms * 1e6) as u64;
            tally.completed += n;
            tally.wait.record_n(ns(*wait), *n);
            tally.service.record_n(ns(*service), *n);
            tally.response.record_n(ns(wait + service), *n);
        }
        tally
    }

    #[test]
    fn a_queue_a_stall_and_a_late_client_look_different() {
        let waits = |all: &[(f64, f64, u64)]| Waits {
            all: tally(all),
            clients: 8,
            seconds: 10.0,
            halted_ns: 0,
            unavailable_ns: 0,
            carried_ns: 0.0,
            in_line: 0,
            silent_ns: 0,
            has_due_times: true,
        };
        let of = |all: &[(f64, f64, u64)]| cause(&waits(all));
        // 8 clients, each with 5 ms of service all the time: 16,000 of them in 10 s.
        assert_eq!(of(&[(900.0, 5.0, 16_000)]), Some(WaitCause::Queue));
        // 1 ms usually; for a second nothing, then what fell due meanwhile.
        let stall = [(0.0, 1.0, 9_000), (0.0, 1000.0, 8), (500.0, 1.0, 992)];
        let silent = Waits { silent_ns: 1_000_000_000, ..waits(&stall) };
        assert_eq!(cause(&silent), Some(WaitCause::Stall));
        assert_eq!(of(&stall), Some(WaitCause::Unknown), "others completed all the time");
        // Slow ones among many, at 80 % of the clients' time.
        let tail = [(0.0, 5.0, 11_000), (0.0, 150.0, 60), (60.0, 5.0, 400)];
        assert_eq!(of(&tail), Some(WaitCause::Chance));
        let halted = Waits { halted_ns: 900_000_000, ..waits(&stall) };
        assert_eq!(cause(&halted), Some(WaitCause::LateClient), "this process stood still");
        // The same waits, and no transaction took long.
        let late = [(0.0, 1.0, 9_000), (500.0, 1.0, 1_000)];
        assert_eq!(of(&late), Some(WaitCause::LateClient));
        let without = Waits { unavailable_ns: 8 * 500_000_000, ..waits(&late) };
        assert_eq!(cause(&without), Some(WaitCause::Outage), "all were without a connection");
        // A little, at 80 % of the clients' time.
        assert_eq!(of(&[(0.0, 6.4, 9_000), (6.0, 6.4, 1_000)]), Some(WaitCause::Chance));
        // At 24 % of it all eight hardly ever work at the same time.
        assert_eq!(of(&[(0.0, 1.9, 9_000), (2.0, 1.9, 1_000)]), Some(WaitCause::Unknown));
        // Those that fell due before the window kept all eight busy for three quarters of it, and some are still in line at its end.
        let backlog = [(3500.0, 10.0, 1_400)];
        assert_eq!(of(&backlog), Some(WaitCause::LateClient), "of those of the window alone");
        let carried = Waits { carried_ns: 8.0 * 8.0e9, ..waits(&backlog) };
        assert_eq!(cause(&carried), Some(WaitCause::Queue), "with what had fallen due before");
        assert_eq!(
            cause(&Waits { in_line: 3_500, ..waits(&backlog) }),
            Some(WaitCause::Queue),
            "no client was free in the end"
        );
        assert_eq!(of(&[(0.0, 1.0, 1_000)]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn in_a_closed_loop_nothing_is_due_while_all_are_busy() {
        let mut all = tally(&[(0.0, 5.0, 9_000), (3.0, 5.0, 1_000)]);
        all.retries = 1_200;
        let none = Waits {
            all: tally(&[]),
            clients: 8,
            seconds: 6.25,
            halted_ns: 0,
            unavailable_ns: 0,
            carried_ns: 0.0,
            in_line: 0,
            silent_ns: 0,
            has_due_times: false,
        };
        let retried = Waits { all, ..none };
        assert_eq!(cause(&retried), Some(WaitCause::Retry));
        // At a rate, beside clients that are free: as many retries as long waits, and hardly any.
        let at_rate = |retries| {
            let all = TransactionTally { retries, ..tally(&[(0.0, 2.0, 700), (8.0, 2.0, 200)]) };
            cause(&Waits { all, clients: 16, has_due_times: true, ..none })
        };
        assert_eq!(at_rate(300), Some(WaitCause::Retry));
        assert_eq!(at_rate(20), Some(WaitCause::LateClient));
        let lost =
            Waits { all: tally(&[(0.0, 5.0, 9_000), (3000.0, 5.0, 8)]), unavailable_ns: 8 * 3_000_000_000, ..retried };
        assert_eq!(cause(&lost), Some(WaitCause::Outage));
        assert_eq!(cause(&Waits { unavailable_ns: 0, ..lost }), Some(WaitCause::Unknown));
    }
}
