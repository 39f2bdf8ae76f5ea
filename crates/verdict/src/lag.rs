//! How far the replicas of a trial's target were behind: figures and sentences for terminal, page and exports, computed
//! from the readings of the observer of replicas.
//!
//! A reading has two bounds (see `observers::heartbeat`): at the time of the sample the replica was behind by at
//! least the lower and at most the upper one. The figures are those of the lower bound; whether it has caught up is
//! decided by the upper one.

use tenbin_model::event::Phase;
use tenbin_model::names::replica::{OBSERVER, at_least, at_most};
use tenbin_model::statistics::{mean, theil_sen};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A replica falls behind if its lag grows by more than this, seconds per second: a hundredth of what is written is not
/// applied in time.
const STEADY: f64 = 0.01;
/// A change of the lag over the whole window that is smaller is within the resolution of the heartbeat, seconds.
const RESOLUTION_S: f64 = 0.5;
/// The most samples of which the slope is computed; further ones are thinned.
const MOST_SAMPLES: usize = 400;
/// A replica without a reading for this long is not waited for.
const SILENT_NS: u64 = 5_000_000_000;

/// The lag of one replica in one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplicaLag {
    /// The trial's number.
    pub trial: u32,
    /// The target, which is the source.
    pub target: String,
    /// The replica's name.
    pub replica: String,
    /// The mean over the measured window, seconds.
    pub mean_s: f64,
    /// The largest in the measured window, seconds.
    pub max_s: f64,
    /// At the end of the measured window, seconds.
    pub end_s: f64,
    /// By how many seconds it grew in each second of the measured window (Theil and Sen); `None` if the window has too
    /// few readings.
    pub slope: Option<f64>,
    /// Whether anything that was written in this trial reached it until the end of the window: otherwise it may have been busy with what came
    /// before.
    pub is_reached: bool,
    /// The length of the measured window, seconds.
    pub window_s: f64,
    /// What came after the load.
    pub after: AfterLoad,
}

/// Whether a replica caught up after the load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AfterLoad {
    /// It had everything that was written after this many seconds.
    CaughtUp(f64),
    /// It had not when the wait ended, after this many seconds.
    Not(f64),
    /// The run did not wait for it.
    NotWaited,
}

/// The direction in which a lag changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Trend {
    /// It does not grow.
    KeepsUp,
    /// It grows by this many seconds each second.
    FallsBehind(f64),
    /// It becomes smaller by this many seconds each second.
    CatchesUp(f64),
}

/// The lag of every observed replica, by trial, in the plan's order of replicas.
pub fn of(summary: &Summary) -> Vec<ReplicaLag> {
    summary.trials.iter().flat_map(of_trial).collect()
}

/// The lag of the replicas of one trial; of those without a reading in the measured window there is none.
pub fn of_trial(t: &TrialResult) -> Vec<ReplicaLag> {
    let (from, to) = t.window_ns;
    let measured = t.trial.target.replicas.iter().filter_map(|replica| {
        let readings = t.observations.get(OBSERVER)?;
        let name = &replica.at.name;
        let within = readings.course(&at_least(name)).filter(|(sample, _)| (from..=to).contains(&sample.at_ns));
        let points: Vec<(f64, f64)> =
            within.map(|(sample, lag)| (sample.at_ns.saturating_sub(from) as f64 / 1e9, lag)).collect();
        let lags: Vec<f64> = points.iter().map(|(_, lag)| *lag).collect();
        let thinned: Vec<(f64, f64)> =
            points.iter().step_by(points.len().div_ceil(MOST_SAMPLES).max(1)).copied().collect();
        Some(ReplicaLag {
            trial: t.trial.number,
            target: t.trial.target.name.clone(),
            replica: name.clone(),
            mean_s: mean(&lags)?,
            max_s: lags.iter().copied().fold(0.0, f64::max),
            end_s: *lags.last()?,
            slope: theil_sen(&thinned),
            is_reached: readings.course(&at_most(name)).any(|(sample, _)| sample.at_ns <= to),
            window_s: to.saturating_sub(from) as f64 / 1e9,
            after: after_load(t, name),
        })
    });
    measured.collect()
}

fn after_load(t: &TrialResult, replica: &str) -> AfterLoad {
    let Some(at) = t.phases.iter().position(|(_, phase)| *phase == Phase::CatchUp) else { return AfterLoad::NotWaited };
    let load_end_ns = t.phases[at].0;
    let seconds = |at_ns: u64| at_ns.saturating_sub(load_end_ns) as f64 / 1e9;
    match caught_up_ns(t, replica, load_end_ns) {
        Some(at_ns) => AfterLoad::CaughtUp(seconds(at_ns)),
        None => {
            let last = t.observations.get(OBSERVER).and_then(|readings| readings.samples().last());
            AfterLoad::Not(last.map_or(0.0, |sample| seconds(sample.at_ns)))
        }
    }
}

/// The time of the first reading by which a replica had everything that was committed until `load_end_ns`.
fn caught_up_ns(t: &TrialResult, replica: &str, load_end_ns: u64) -> Option<u64> {
    let readings = t.observations.get(OBSERVER)?;
    let reached = |at_ns: u64, lag_s: f64| at_ns as f64 - lag_s * 1e9 >= load_end_ns as f64;
    let mut after = readings.course(&at_most(replica)).filter(|(sample, _)| sample.at_ns >= load_end_ns);
    after.find(|(sample, lag_s)| reached(sample.at_ns, *lag_s)).map(|(sample, _)| sample.at_ns)
}

/// The replicas that have not everything yet that was committed until `load_end_ns`, among those that were read
/// recently.
pub fn behind(t: &TrialResult, load_end_ns: u64, now_ns: u64) -> Vec<&str> {
    let Some(readings) = t.observations.get(OBSERVER) else { return Vec::new() };
    let names = t.trial.target.replicas.iter().map(|replica| replica.at.name.as_str());
    let is_read = |name: &str| {
        let last = readings.course(&at_least(name)).last();
        last.is_some_and(|(sample, _)| now_ns.saturating_sub(sample.at_ns) < SILENT_NS)
    };
    names.filter(|name| is_read(name) && caught_up_ns(t, name, load_end_ns).is_none()).collect()
}

/// The lag of the replica that is furthest behind at this time, beyond the delay that the plan gives it, seconds; `None`
/// if none was read recently.
pub fn furthest_behind(t: &TrialResult, now_ns: u64) -> Option<f64> {
    let readings = t.observations.get(OBSERVER)?;
    let last = |name: &str| readings.course(name).take_while(|(sample, _)| sample.at_ns <= now_ns).last();
    let each = t.trial.target.replicas.iter().filter_map(|replica| {
        let name = replica.at.name.as_str();
        // Before the first heartbeat has arrived, only the lower bound is known.
        let (sample, lag_s) = last(&at_most(name)).or_else(|| last(&at_least(name)))?;
        let is_recent = now_ns.saturating_sub(sample.at_ns) < SILENT_NS;
        is_recent.then_some((lag_s - replica.delay_s as f64).max(0.0))
    });
    each.max_by(f64::total_cmp)
}

impl ReplicaLag {
    /// Whether the lag grew in the measured window; `None` if that is not known.
    pub fn trend(&self) -> Option<Trend> {
        let slope = self.slope?;
        Some(if slope.abs() < STEADY || (slope * self.window_s).abs() < RESOLUTION_S {
            Trend::KeepsUp
        } else if slope > 0.0 {
            Trend::FallsBehind(slope)
        } else {
            Trend::CatchesUp(-slope)
        })
    }

    /// Whether the replica keeps up, and how it ended, in a sentence.
    pub fn sentence(&self) -> Message {
        let replica = &self.replica;
        let (end, max) = (figure::seconds(self.end_s), figure::seconds(self.max_s));
        let during = match self.trend() {
            Some(Trend::FallsBehind(rate)) => msg!("replica-falls-behind", replica, rate = figure::grouped(rate), end),
            Some(Trend::CatchesUp(rate)) => msg!("replica-catches-up", replica, rate = figure::grouped(rate), end),
            Some(Trend::KeepsUp) => msg!("replica-keeps-up", replica, max),
            None => msg!("replica-trend-unknown", replica, max),
        };
        match self.after {
            AfterLoad::CaughtUp(after) => msg!("replica-caught-up", during, after = figure::seconds(after)),
            AfterLoad::Not(after) => msg!("replica-not-caught-up", during, after = figure::seconds(after)),
            AfterLoad::NotWaited => during,
        }
    }
}
