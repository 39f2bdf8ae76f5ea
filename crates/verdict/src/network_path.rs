//! What the network path to a target carried: figures and a sentence for page and exports, computed from the readings of
//! the observer [`OBSERVER`].

use tenbin_model::names::path::{OBSERVER, RECEIVED, RETRANSMITTED, SEGMENTS, SENT};
use tenbin_model::observed::{Figures, ObservedReading};
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Rates of shorter times are not computed, as a fraction of the reporting interval: the samples at the edges of the
/// window may be close to regular ones.
const SHORTEST: f64 = 0.5;

/// The network path in the measured window of one trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkPath {
    /// Sent to the server and everything else behind the interface.
    pub sent: Bandwidth,
    /// Received.
    pub received: Bandwidth,
    /// The share of TCP segments that were sent again, by all connections of the client's machine; `None` if none were
    /// sent.
    pub retransmitted: Option<f64>,
}

/// The use of one direction, bits per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bandwidth {
    /// The mean over the window.
    pub mean: f64,
    /// The largest between two samples.
    pub max: f64,
}

/// The path in a trial; `None` if its target is on this machine, or nothing was read.
pub fn of_trial(t: &TrialResult) -> Option<NetworkPath> {
    let all = t.observed();
    let find = |name: &str| all.iter().find(|o| o.observer == OBSERVER && o.spec.name == name);
    let change = |name: &str| match find(name)?.figures()? {
        Figures::Counter { change, .. } => Some(change),
        Figures::Gauge { .. } => None,
    };
    let retransmitted = change(SEGMENTS).zip(change(RETRANSMITTED)).and_then(|(sent, again)| {
        let all = sent + again;
        (all > 0.0).then_some(again / all)
    });
    let (sent, received) = (bandwidth(t, find(SENT)?)?, bandwidth(t, find(RECEIVED)?)?);
    Some(NetworkPath { sent, received, retransmitted })
}

/// The rates of a direction in the measured window, bits per second, from sample to sample.
pub fn rates(t: &TrialResult, name: &str) -> Vec<f64> {
    let all = t.observed();
    let reading = all.iter().find(|o| o.observer == OBSERVER && o.spec.name == name);
    reading.map_or_else(Vec::new, |reading| rates_of(t, reading))
}

fn bandwidth(t: &TrialResult, reading: &ObservedReading<'_>) -> Option<Bandwidth> {
    let Figures::Counter { per_second: mean, .. } = reading.figures()? else { return None };
    Some(Bandwidth { mean, max: rates_of(t, reading).into_iter().fold(mean, f64::max) })
}

fn rates_of(t: &TrialResult, reading: &ObservedReading<'_>) -> Vec<f64> {
    let (from, to) = t.window_ns;
    let shortest_s = SHORTEST * t.trial.interval_ms as f64 / 1e3;
    let (mut before, mut rates): (Option<(u64, f64)>, Vec<f64>) = (None, Vec::new());
    for v in reading.values().filter(|v| (from..=to).contains(&v.at_ns)) {
        let Some((at_ns, value)) = before else {
            before = Some((v.at_ns, v.value));
            continue;
        };
        let seconds = v.at_ns.saturating_sub(at_ns) as f64 / 1e9;
        if seconds >= shortest_s && seconds > 0.0 {
            rates.push((v.value - value) / seconds);
            before = Some((v.at_ns, v.value));
        }
    }
    rates
}

impl NetworkPath {
    /// The mean rate of the direction that carries more, bits per second.
    pub fn busier(&self) -> f64 {
        self.sent.mean.max(self.received.mean)
    }

    /// The use of the path in a sentence.
    pub fn sentence(&self) -> Message {
        let (sent, sent_max) = (megabits(self.sent.mean), megabits(self.sent.max));
        let (received, received_max) = (megabits(self.received.mean), megabits(self.received.max));
        match self.retransmitted {
            Some(share) => {
                let share = figure::grouped(100.0 * share);
                msg!("network-path-carried", received, received_max, sent, sent_max, share)
            }
            None => msg!("network-path-carried-no-tcp", received, received_max, sent, sent_max),
        }
    }
}

/// Bits per second as Mbit/s, without the unit.
pub fn megabits(bits_per_second: f64) -> String {
    figure::grouped(bits_per_second / 1e6)
}
