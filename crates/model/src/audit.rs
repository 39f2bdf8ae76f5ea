//! What we doubt about a result: VALID, DEGRADED or INVALID, with reasons.
//!
//! One function per doubt and one list of them; each looks at a finished trial and answers with a reason or nothing.
//! Thresholds are those of the field's practice (steal 1 %, client 85 %, Little's law 5 %, rate 99 %).

use crate::event::State;
use crate::problem::Problem;
use crate::summary::TrialResult;
use crate::trial::Schedule;
use serde::{Deserialize, Serialize};

/// How far a result can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Nothing found that would weaken it.
    Valid,
    /// It stands, with the reasons named.
    Degraded,
    /// It must not be used as a measurement of the target.
    Invalid,
}

impl Verdict {
    /// The word as users read it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Valid => "VALID",
            Verdict::Degraded => "DEGRADED",
            Verdict::Invalid => "INVALID",
        }
    }
}

/// One reason for less than VALID.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// How much it weighs.
    pub verdict: Verdict,
    /// A short fixed name for machines: `errors`, `client-busy`, ….
    pub code: String,
    /// What, evidence, way out.
    pub problem: Problem,
}

type Look = fn(&TrialResult) -> Option<Doubt>;

/// The list of doubts, gravest first.
const DOUBTS: &[Look] =
    &[not_measured, unbalanced, cut_short, errors, rate_not_reached, littles_law, client_busy, steal, few_samples];

/// Everything we doubt about one finished trial.
pub fn doubts(trial: &TrialResult) -> Vec<Doubt> {
    DOUBTS.iter().filter_map(|look| look(trial)).collect()
}

/// The gravest of them; VALID when there is none.
pub fn verdict(doubts: &[Doubt]) -> Verdict {
    doubts.iter().map(|d| d.verdict).max().unwrap_or(Verdict::Valid)
}

fn doubt(verdict: Verdict, code: &str, problem: Problem) -> Option<Doubt> {
    Some(Doubt { verdict, code: code.to_owned(), problem })
}

fn not_measured(t: &TrialResult) -> Option<Doubt> {
    if t.state.is_some() && t.measured_ns() > 0 && t.tally.accounting.completed > 0 {
        return None;
    }
    let mut problem = Problem::new("nothing was measured");
    problem.evidence = match t.state {
        None => Some("the record of the trial has no end: the run was killed, or its last lines are lost".into()),
        Some(_) => t.failure().map(|p| p.to_string()),
    };
    doubt(
        Verdict::Invalid,
        "not-measured",
        problem.mend("read the notes of this trial, mend the cause and run the plan again"),
    )
}

fn unbalanced(t: &TrialResult) -> Option<Doubt> {
    let a = &t.tally.accounting;
    if a.balances() {
        return None;
    }
    doubt(
        Verdict::Invalid,
        "accounting",
        Problem::new("transactions are missing from the record").evidence(format!(
            "scheduled {} ≠ completed {} + failed {} + skipped {} + open {}",
            a.scheduled, a.completed, a.failed, a.skipped, a.open
        )),
    )
}

fn cut_short(t: &TrialResult) -> Option<Doubt> {
    let measured_s = t.measured_ns() as f64 / 1e9;
    let planned_s = t.trial.measure_ms as f64 / 1e3;
    let seen = format!("measured {measured_s:.1} s of {planned_s:.1} s");
    match t.state? {
        State::Complete => None,
        State::Partial => {
            doubt(Verdict::Degraded, "partial", Problem::new("the trial was stopped before its end").evidence(seen))
        }
        State::Failed => doubt(
            Verdict::Invalid,
            "failed",
            Problem::new("the trial ended with an error")
                .evidence(t.failure().map_or(seen.clone(), |p| format!("{seen}; {p}"))),
        ),
    }
}

fn errors(t: &TrialResult) -> Option<Doubt> {
    let a = &t.tally.accounting;
    if a.failed == 0 || a.completed == 0 {
        return None;
    }
    let share = a.failed as f64 / (a.failed + a.completed) as f64;
    let verdict = if share > 0.01 { Verdict::Invalid } else { Verdict::Degraded };
    let codes: Vec<String> = t.tally.errors().iter().map(|(code, n)| format!("{n} × {code}")).collect();
    doubt(
        verdict,
        "errors",
        Problem::new(format!("{} of {} transactions failed", a.failed, a.failed + a.completed)).evidence(format!(
            "{:.2} %; statement errors by code: {}",
            share * 100.0,
            codes.join(", ")
        )),
    )
}

fn rate_not_reached(t: &TrialResult) -> Option<Doubt> {
    let Schedule::Open { rate, .. } = t.trial.load.schedule else { return None };
    let (offered, reached) = (t.tally.accounting.scheduled, t.tally.accounting.completed);
    if t.state != Some(State::Complete) || reached as f64 >= 0.99 * offered as f64 {
        return None;
    }
    let mut problem = Problem::new("the asked rate was not reached: percentiles are a lower bound").evidence(format!(
        "asked {rate} per second; due {offered}, completed {reached}, skipped {}, open {}",
        t.tally.accounting.skipped, t.tally.accounting.open
    ));
    if t.tps() > 0.0 {
        problem = problem.mend(format!("ask for less than {:.0} per second, or give more clients", t.tps()));
    }
    doubt(Verdict::Degraded, "rate", problem)
}

/// In a closed loop clients = throughput × response time (Little 1961). Published tables with swapped columns fail it.
fn littles_law(t: &TrialResult) -> Option<Doubt> {
    let all = t.tally.all_transactions();
    let window_ns = t.measured_ns() as f64;
    // Transactions under way at the edges and failed ones blur it: judge only what is long and clean enough.
    if t.trial.load.schedule != Schedule::Closed
        || t.trial.load.operations.is_some()
        || t.tally.accounting.failed > 0
        || t.tally.reconnects > 0
        || all.response.count() < 1000
        || window_ns < 20.0 * all.response.mean_ns()
    {
        return None;
    }
    let product = t.tps() * all.response.mean_ns() / 1e9;
    let clients = f64::from(t.trial.load.clients);
    // Between two transactions a client spends a little time in the engine, so slightly below is sound.
    ((product - clients).abs() / clients > 0.05).then_some(())?;
    doubt(
        Verdict::Degraded,
        "littles-law",
        Problem::new("throughput × mean response time does not give the number of clients").evidence(format!(
            "{:.1}/s × {:.3} ms = {product:.2}, clients {clients}: the rest of their time went into {} transactions that did not end in the window, or into Tenbin itself",
            t.tps(),
            all.response.mean_ns() / 1e6,
            t.tally.accounting.open
        )),
    )
}

fn client_busy(t: &TrialResult) -> Option<Doubt> {
    // The embedded database runs inside our own process: its work is the target's.
    if t.embedded() || t.measured_ns() == 0 {
        return None;
    }
    let cores = t.client_cores()?;
    let used = t.client_cpu_ns as f64 / t.measured_ns() as f64;
    let reachable = f64::from(t.workers).min(cores);
    (used > 0.85 * reachable).then_some(())?;
    doubt(
        Verdict::Degraded,
        "client-busy",
        Problem::new("the client was the limit, or close to it")
            .evidence(format!("Tenbin used {used:.2} of the {reachable:.0} cores its {} workers can use", t.workers))
            .mend("drive from a machine of its own, give it more cores, or set load.workers"),
    )
}

fn steal(t: &TrialResult) -> Option<Doubt> {
    let stolen_s = t.observed_change("client.host", "cpu_steal_s")?;
    let cores = t.client_cores()?;
    let share = stolen_s / (cores * t.measured_ns() as f64 / 1e9);
    (share > 0.01).then_some(())?;
    doubt(
        Verdict::Degraded,
        "steal",
        Problem::new("the hypervisor took processor time away from the client's machine")
            .evidence(format!("steal {:.1} % of {cores:.0} cores in the measured window", share * 100.0)),
    )
}

fn few_samples(t: &TrialResult) -> Option<Doubt> {
    let n = t.tally.accounting.completed;
    // A percentile p wants 10/(1−p) samples: 1,000 for p99.
    (n > 0 && n < 1000).then_some(())?;
    doubt(
        Verdict::Degraded,
        "few-samples",
        Problem::new("too few transactions for a p99")
            .evidence(format!("{n} completed; p99 wants 1,000"))
            .mend("measure longer"),
    )
}
