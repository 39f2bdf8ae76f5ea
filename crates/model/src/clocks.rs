//! The three clocks of a start at a rate: the response time runs from the intended start, the service time from the actual one, and
//! the wait lies between them. In a closed loop nothing waits.

use crate::message::Message;
use crate::msg;
use crate::summary::TrialResult;
use crate::tally::TransactionTally;

/// A mean wait below this share of the mean response time is not spoken of.
const NOTABLE: f64 = 0.01;
/// The share of the clients' time in transactions from which on they count as all busy.
const BUSY: f64 = 0.95;
/// A later start than intended although a client was free, milliseconds, at p99: from here on it is spoken of.
pub const LATE_MS: f64 = 1.0;
/// The share below which a start hardly ever finds all of them busy by chance.
const IDLE: f64 = 0.5;

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
}

/// Whether starts waited at all.
pub fn waited(all: &TransactionTally) -> bool {
    all.wait.mean_ns() > NOTABLE * all.response.mean_ns()
}

/// Why the starts of a trial waited; `None` if they did not.
pub fn of_trial(trial: &TrialResult) -> Option<WaitCause> {
    let halted_ns = trial.client_halts.stopped_ns + trial.client_halts.suspended_ns;
    let seconds = trial.measured_ns() as f64 / 1e9;
    cause(&trial.tally.all_transactions(), trial.trial.load.clients, seconds, halted_ns)
}

/// How much later than intended starts were although clients were free, milliseconds at p99; `None` if they were not, or
/// something else was the cause.
pub fn late_ms(trial: &TrialResult) -> Option<f64> {
    (of_trial(trial)? == WaitCause::LateClient)
        .then(|| trial.tally.all_transactions().wait.quantile_ns(0.99) as f64 / 1e6)
}

fn cause(all: &TransactionTally, clients: u32, seconds: f64, halted_ns: u64) -> Option<WaitCause> {
    if !waited(all) || seconds <= 0.0 || clients == 0 {
        return None;
    }
    let busy = all.service_ns() / 1e9 / (seconds * f64::from(clients));
    let (wait_ns, service_ns) = (all.wait.max_ns(), all.service.max_ns());
    Some(match () {
        // Calls in progress take as long as a halt of the client, and look like a stall of the server.
        () if halted_ns > 0 && halted_ns >= wait_ns / 2 => WaitCause::LateClient,
        () if busy >= BUSY => WaitCause::Queue,
        // What falls due at the beginning of a standstill of all clients waits as long as it lasts.
        () if service_ns >= wait_ns / 2 && service_ns as f64 > 10.0 * all.service.mean_ns() => WaitCause::Stall,
        () if busy < IDLE && wait_ns > 2 * service_ns => WaitCause::LateClient,
        () => WaitCause::Chance,
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
        }
    }

    /// Its name in JSON.
    pub fn code(self) -> &'static str {
        match self {
            WaitCause::Queue => "queue",
            WaitCause::Stall => "stall",
            WaitCause::LateClient => "late-client",
            WaitCause::Chance => "chance",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts with these milliseconds of wait and service, so many of each.
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
        let of = |all: &[(f64, f64, u64)]| cause(&tally(all), 8, 10.0, 0);
        // 8 clients, each with 5 ms of service all the time: 16,000 of them in 10 s.
        assert_eq!(of(&[(900.0, 5.0, 16_000)]), Some(WaitCause::Queue));
        // 1 ms usually; for a second nothing, then what fell due meanwhile.
        assert_eq!(of(&[(0.0, 1.0, 9_000), (0.0, 1000.0, 8), (500.0, 1.0, 992)]), Some(WaitCause::Stall));
        let stall = tally(&[(0.0, 1.0, 9_000), (0.0, 1000.0, 8), (500.0, 1.0, 992)]);
        assert_eq!(cause(&stall, 8, 10.0, 900_000_000), Some(WaitCause::LateClient), "this process stood still");
        // The same waits, and no transaction took long.
        assert_eq!(of(&[(0.0, 1.0, 9_000), (500.0, 1.0, 1_000)]), Some(WaitCause::LateClient));
        // A little, at 80 % of the clients' time.
        assert_eq!(of(&[(0.0, 6.4, 9_000), (6.0, 6.4, 1_000)]), Some(WaitCause::Chance));
        assert_eq!(of(&[(0.0, 1.0, 1_000)]), None);
        assert_eq!(of(&[]), None);
    }
}
