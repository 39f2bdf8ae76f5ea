//! What the sessions of a server were doing: active sessions by class, sampled by the observer [`OBSERVER`]. The classes
//! and their names, and the means over the measured window with a sentence for page and exports.
//!
//! The mean number of active sessions in a class, divided by the throughput, is the time that a transaction spends in
//! it (Little's law); the share of a class is its part of the time that the server's sessions worked or waited.

use tenbin_model::names::session::{ACTIVE, IN_TRANSACTION, LEAST_PERIOD_MS, OBSERVER, OF_OTHERS, SessionClass};
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::Observe;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A time without a sample is reported if it is longer than this many periods.
const MOST_PERIODS: u64 = 2;
/// On a machine without idle processors a sample may be this late, nanoseconds.
const SLOW_NS: u64 = 500_000_000;

/// The sessions of the server in the measured window of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveSessions {
    /// How many samples were taken in it. If there are none, nothing else is known.
    pub samples: u32,
    /// The mean number of active sessions.
    pub active: f64,
    /// The mean number of sessions in each class that the server reports, in the order of [`SessionClass::ALL`].
    pub classes: Vec<(SessionClass, f64)>,
    /// The mean number of sessions that were idle in a transaction; `None` if the server does not report it.
    pub in_transaction: Option<f64>,
    /// The mean number of active sessions of others; `None` if they are not visible to the account.
    pub of_others: Option<f64>,
    /// The longest time in the window without a sample, seconds, if it is longer than [`MOST_PERIODS`].
    pub gap_s: Option<f64>,
    /// Whether the plan asks for samples before and after the clients only.
    at_the_ends: bool,
}

/// The sessions in a trial; `None` if nothing was measured, or its server has no sessions to sample.
pub fn of_trial(t: &TrialResult) -> Option<ActiveSessions> {
    let readings = t.observations.get(OBSERVER).filter(|_| t.measured_ns() > 0)?;
    let (from, to) = t.window_ns;
    // The sample that is taken at the end of the window may be later than the last transaction.
    let within = |at_ns: u64| (from..to).contains(&at_ns);
    let mean = |name: &str| {
        let values = readings.course(name).filter(|(sample, _)| within(sample.at_ns)).map(|(_, value)| value);
        let (n, sum) = values.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
        (n > 0.0).then(|| sum / n)
    };
    let sampled: Vec<u64> = readings.course(ACTIVE).map(|(s, _)| s.at_ns).filter(|at_ns| within(*at_ns)).collect();
    Some(ActiveSessions {
        samples: sampled.len() as u32,
        active: mean(ACTIVE).unwrap_or_default(),
        classes: SessionClass::ALL.into_iter().filter_map(|class| Some((class, mean(class.name())?))).collect(),
        in_transaction: mean(IN_TRANSACTION),
        of_others: mean(OF_OTHERS),
        gap_s: gap(&sampled, t.window_ns, longest_ns(t)),
        at_the_ends: t.trial.load.observe == Observe::Ends,
    })
}

/// The longest time from one sample to the next that is usual, nanoseconds.
pub fn longest_ns(t: &TrialResult) -> u64 {
    let period_ns = t.trial.interval_ms.max(LEAST_PERIOD_MS).saturating_mul(1_000_000);
    period_ns.saturating_mul(MOST_PERIODS).saturating_add(SLOW_NS)
}

/// The longest time without a sample, if it is too long.
fn gap(sampled: &[u64], (from, to): (u64, u64), most_ns: u64) -> Option<f64> {
    let begun = std::iter::once(from).chain(sampled.iter().copied());
    let longest = begun.zip(sampled.iter().copied().chain([to])).map(|(a, b)| b.saturating_sub(a)).max()?;
    (longest > most_ns).then_some(longest as f64 / 1e9)
}

impl ActiveSessions {
    /// The part of the active sessions that this number of them is, from 0 to 1.
    pub fn share(&self, mean: f64) -> f64 {
        if self.active > 0.0 { mean / self.active } else { 0.0 }
    }

    /// The sessions in a sentence: how many were active, and the classes, the largest first.
    pub fn sentence(&self) -> Message {
        if self.samples == 0 {
            return if self.at_the_ends { msg!("sessions-at-the-ends") } else { msg!("sessions-not-sampled") };
        }
        let (n, samples) = (figure::grouped((self.active * 100.0).round() / 100.0), self.samples);
        // What rounds to 0 % is in the table.
        let shown = |part: &&(SessionClass, f64)| self.share(part.1) >= 0.005;
        let mut largest: Vec<&(SessionClass, f64)> = self.classes.iter().filter(shown).collect();
        largest.sort_by(|a, b| b.1.total_cmp(&a.1));
        let part = |(class, mean): &&(SessionClass, f64)| {
            let share = format!("{:.0}", 100.0 * self.share(*mean));
            msg!("sessions-share", class = class.label(), share)
        };
        let activity = if largest.is_empty() {
            msg!("sessions-none-active", samples)
        } else {
            let classes = Message::list(largest.iter().map(part).collect::<Vec<_>>());
            msg!("sessions-active", n, samples, classes)
        };
        match self.gap_s {
            Some(gap) => msg!("sessions-with-gap", seen = activity, seconds = format!("{gap:.1}")),
            None => activity,
        }
    }
}
