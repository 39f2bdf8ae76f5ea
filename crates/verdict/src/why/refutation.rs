//! What the run of a refuting plan shows of the limit that it tests: confirmed, refuted, or not decided. The diagnoses of that run
//! do not name a limit again that it refutes.
//!
//! The plan says what it tests in `[refutes]`. Its first cell (or target) is that of the diagnosed trial, its last one has the
//! change, and trials of equal repeats are pairs.

use super::evidence::Evidence;
use super::{Outcome, memory};
use crate::clocks;
use crate::counting;
use crate::judged_trial::JudgedTrial;
use crate::lag::{self, Trend};
use crate::question;
use crate::rate;
use std::collections::BTreeMap;
use tenbin_model::bottleneck::Bottleneck;
use tenbin_model::figures::Figure;
use tenbin_model::plan::tested_limit;
use tenbin_model::statistics::{self, ALPHA, Confidence, LogRatio};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tested_limit::{Expectation, TestedLimit};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Of fewer trials nothing is decided.
const LEAST_TRIALS: usize = 2;

/// What the run of a refuting plan shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Refutation {
    /// What was tested.
    pub tested: TestedLimit,
    /// The throughput with the change over that without it; `None` if there are no pairs, or no ratio decides.
    pub ratio: Option<f64>,
    /// Its 95 % interval; `None` with one pair.
    pub confidence: Option<Confidence>,
    /// The pairs of trials; where no ratio decides, the trials with the change that tell.
    pub trials: usize,
    /// Those of them of which what is expected holds, where no ratio decides.
    pub held: usize,
    /// Of the pairs of a plan with more memory for pages, those whose larger memory the load had not filled: it could not show what it is
    /// good for.
    pub not_filled: usize,
    /// Of the same pairs, those in which nothing was read from the disk without the change: what limited the diagnosed trial, such as
    /// memory that was being filled, did not limit these.
    pub not_read: usize,
    /// What it shows.
    pub ruling: Ruling,
}

/// What a test of a limit shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// What was expected came true.
    Confirmed,
    /// What was expected did not.
    Refuted,
    /// The trials do not suffice.
    Undecided,
}

impl Ruling {
    /// Its name in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Ruling::Confirmed => "confirmed",
            Ruling::Refuted => "refuted",
            Ruling::Undecided => "not-decided",
        }
    }
}

/// What this run shows of the limit that its plan tests; `None` if it tests none.
pub fn of_run(summary: &Summary) -> Option<Refutation> {
    let tested = tested_limit(&summary.plan)?;
    let position = |t: &&TrialResult| (t.trial.cell, t.trial.target.place);
    let (first, last) =
        (summary.trials.iter().map(|t| position(&t)).min()?, summary.trials.iter().map(|t| position(&t)).max()?);
    let valid = |at: (u32, u32)| -> BTreeMap<u32, &TrialResult> {
        let of = summary.trials.iter().filter(|t| t.counts() && position(t) == at);
        of.map(|t| (t.trial.repeat, t)).collect()
    };
    let (unchanged, changed) = (valid(first), valid(last));
    Some(match tested.expects {
        Expectation::AtLeast(_) | Expectation::LessThan(_) => {
            let changed_ones = changed.iter().filter(|_| first != last);
            let pairs: Vec<(&TrialResult, &TrialResult)> = changed_ones
                .filter_map(|(repeat, t)| Some((*unchanged.get(repeat)?, *t)))
                .filter(|(before, _)| question::tps(before) > 0.0)
                .collect();
            let is_of_reads = tested.limit == Some(Bottleneck::DiskReads);
            let of_pairs = |trials: &BTreeMap<u32, &TrialResult>, is: fn(&Evidence<'_>) -> bool| {
                let evidence =
                    |t: &TrialResult| Evidence::of(t, summary.target_facts(&t.trial)).is_some_and(|e| is(&e));
                let of_pairs =
                    trials.iter().filter(|(repeat, _)| unchanged.contains_key(repeat) && changed.contains_key(repeat));
                if is_of_reads { of_pairs.filter(|(_, t)| evidence(t)).count() } else { 0 }
            };
            let not_filled = of_pairs(&changed, memory::is_being_filled_since_start);
            let not_read = of_pairs(&unchanged, memory::reads_nothing);
            Refutation { not_filled, not_read, ..by_ratio(tested, &pairs, not_filled + not_read == 0) }
        }
        expects => by_trials(tested, &changed.values().filter_map(|t| holds(expects, t)).collect::<Vec<_>>()),
    })
}

/// `refutes`: whether these pairs can refute it.
fn by_ratio(tested: TestedLimit, pairs: &[(&TrialResult, &TrialResult)], refutes: bool) -> Refutation {
    let tps: Vec<(f64, f64)> = pairs.iter().map(|(before, t)| (question::tps(before), question::tps(t))).collect();
    let log = LogRatio::of_pairs(&tps).map(|log| counting::of_trials(Figure::Transactions, log, pairs));
    let pooled = log.and_then(|log| statistics::pooled_ratio(&[log], ALPHA));
    let (ratio, confidence) = pooled.map_or((None, None), |(ratio, confidence)| (Some(ratio), confidence));
    let ruling = match (confidence, tested.expects) {
        (Some(of), Expectation::AtLeast(bound)) if of.low >= bound => Ruling::Confirmed,
        (Some(of), Expectation::AtLeast(bound)) if of.high < bound && refutes => Ruling::Refuted,
        (Some(of), Expectation::LessThan(bound)) if of.high < bound => Ruling::Confirmed,
        (Some(of), Expectation::LessThan(bound)) if of.low >= bound && refutes => Ruling::Refuted,
        _ => Ruling::Undecided,
    };
    Refutation { tested, ratio, confidence, trials: pairs.len(), held: 0, not_filled: 0, not_read: 0, ruling }
}

fn by_trials(tested: TestedLimit, held: &[bool]) -> Refutation {
    let ruling = match held.iter().filter(|held| **held).count() {
        _ if held.len() < LEAST_TRIALS => Ruling::Undecided,
        // One trial in five may be the exception.
        n if n * 5 <= held.len() => Ruling::Refuted,
        n if n * 5 >= held.len() * 4 => Ruling::Confirmed,
        _ => Ruling::Undecided,
    };
    let (trials, held) = (held.len(), held.iter().filter(|held| **held).count());
    Refutation { tested, ratio: None, confidence: None, trials, held, not_filled: 0, not_read: 0, ruling }
}

/// Whether what is expected holds of a trial; `None` if it does not show.
fn holds(expects: Expectation, t: &TrialResult) -> Option<bool> {
    match expects {
        Expectation::AtLeast(_) | Expectation::LessThan(_) => None,
        Expectation::Holds => rate::is_held(t),
        Expectation::InTime => Some(clocks::late_ms(t).is_none_or(|ms| ms < clocks::LATE_MS)),
        Expectation::KeepsUp => {
            let all = lag::of_trial(t);
            // A replica that is still busy with what was written before says nothing about this rate.
            let is_busy = |lag: &lag::ReplicaLag| !lag.is_reached && matches!(lag.trend(), Some(Trend::FallsBehind(_)));
            if all.iter().any(is_busy) {
                return None;
            }
            let trends: Option<Vec<Trend>> = all.iter().map(lag::ReplicaLag::trend).collect();
            let trends = trends.filter(|trends| !trends.is_empty())?;
            Some(!trends.iter().any(|trend| matches!(trend, Trend::FallsBehind(_))))
        }
    }
}

impl Refutation {
    /// The limit that was tested.
    pub fn limit(&self) -> Outcome {
        self.tested.limit.map_or(Outcome::Nothing, Outcome::Limit)
    }

    /// The limit, if the run refutes it.
    pub fn refuted(&self) -> Option<Outcome> {
        (self.ruling == Ruling::Refuted).then(|| self.limit())
    }

    /// What the run shows, with its figures: `refuted: 0.98× (95 % interval 0.93× to 1.03×), expected 1.05× or more`.
    pub fn words(&self) -> Message {
        let times = |ratio: f64| format!("{ratio:.2}");
        let figures = match (self.ratio, self.confidence, self.tested.expects.ratio_words()) {
            (Some(ratio), Some(of), Some(expected)) => {
                let (ratio, low, high) = (times(ratio), times(of.low), times(of.high));
                msg!("refutation-ratio", ratio, low, high, expected)
            }
            (Some(ratio), None, Some(expected)) => msg!("refutation-ratio-alone", ratio = times(ratio), expected),
            (None, _, Some(_)) => msg!("refutation-no-pairs"),
            (.., None) if self.trials < LEAST_TRIALS => msg!("refutation-no-trials"),
            (.., None) => {
                let (held, n) = (self.held, self.trials);
                match self.tested.expects {
                    Expectation::Holds => msg!("refutation-hold", held, n),
                    Expectation::InTime => msg!("refutation-in-time", held, n),
                    _ => msg!("refutation-keep-up", held, n),
                }
            }
        };
        match self.ruling {
            Ruling::Confirmed => msg!("refutation-confirmed", figures),
            Ruling::Refuted => msg!("refutation-refuted", figures),
            Ruling::Undecided if self.not_filled > 0 => {
                msg!("refutation-not-filled", figures, cold = self.not_filled, n = self.trials)
            }
            Ruling::Undecided if self.not_read > 0 => {
                msg!("refutation-not-read", figures, without = self.not_read, n = self.trials)
            }
            Ruling::Undecided => msg!("refutation-undecided", figures),
        }
    }

    /// What was tested, how, and what the run shows, in a sentence.
    pub fn sentence(&self) -> Message {
        let TestedLimit { changes, run, trial, .. } = &self.tested;
        let limit = match self.tested.limit {
            Some(bottleneck) => bottleneck.label(),
            None => msg!("refutation-of-nothing"),
        };
        let of = if run.is_empty() { msg!("refutation-of-a-run") } else { msg!("refutation-of-run", run, trial) };
        let by = if changes.is_empty() { msg!("refutation-by-plan") } else { msg!("refutation-by", key = changes) };
        msg!("refutation", limit, of, by, words = self.words())
    }
}
