//! One direction of a connection, and what can happen to it.

use super::draw::Draw;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

/// What happens to messages, by the time since the start of the simulation.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// Each takes at least this long, …
    pub delay: Duration,
    /// … and up to this much longer.
    pub jitter: Duration,
    /// This many in 1,000 take up to `slower` longer, and all behind them.
    pub slow_permille: u64,
    /// See there.
    pub slower: Duration,
    /// What is sent meanwhile arrives afterwards.
    pub partitions: Vec<(Duration, Duration)>,
    /// What is sent from then on is lost, and neither end learns of it.
    pub silent_from: Option<Duration>,
    /// The other end learns that the connection is closed.
    pub closed_from: Option<Duration>,
    /// This many in 10,000 are lost.
    pub lost: u64,
    /// This many in 10,000 arrive twice.
    pub repeated: u64,
}

/// What arrives: a line, or the end.
pub type Carried = Option<Vec<u8>>;

/// The end that is sent to.
pub struct Link {
    to: UnboundedSender<(Instant, Carried)>,
    faults: Faults,
    draw: Draw,
    epoch: Instant,
    last: Instant,
    closed: bool,
}

impl Link {
    /// A link, and the end where things arrive. Within the runtime.
    pub fn new(faults: Faults, draw: Draw, epoch: Instant) -> (Link, UnboundedReceiver<Carried>) {
        let (to, mut sent) = unbounded_channel::<(Instant, Carried)>();
        let (arrive, arrived) = unbounded_channel();
        tokio::task::spawn_local(async move {
            while let Some((at, carried)) = sent.recv().await {
                tokio::time::sleep_until(at).await;
                if arrive.send(carried).is_err() {
                    return;
                }
            }
        });
        (Link { to, faults, draw, epoch, last: epoch, closed: false }, arrived)
    }

    /// Sends a line, or closes the connection.
    pub fn send(&mut self, line: Carried) {
        let (now, Faults { delay, jitter, slow_permille, .. }) = (Instant::now(), self.faults.clone());
        let since = now - self.epoch;
        if self.closed || self.faults.silent_from.is_some_and(|from| since >= from) {
            return;
        }
        let is_closed = self.faults.closed_from.is_some_and(|from| since >= from);
        let line = if is_closed { None } else { line };
        self.closed = line.is_none();
        let mut at = now + delay + jitter.mul_f64(self.draw.between(0, 1001) as f64 / 1000.0);
        if self.draw.chance(slow_permille) {
            at += self.faults.slower.mul_f64(self.draw.between(0, 1001) as f64 / 1000.0);
        }
        if let Some((_, end)) = self.faults.partitions.iter().find(|(from, to)| (*from..*to).contains(&since)) {
            at += *end - since;
        }
        self.last = self.last.max(at);
        let is_drawn = |of_10_000| of_10_000 > 0 && line.is_some();
        if is_drawn(self.faults.lost) && self.draw.between(0, 10_000) < self.faults.lost {
            return;
        }
        if is_drawn(self.faults.repeated) && self.draw.between(0, 10_000) < self.faults.repeated {
            let _ = self.to.send((self.last, line.clone()));
        }
        let _ = self.to.send((self.last, line));
    }
}
