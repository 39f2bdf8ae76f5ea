//! The verdict on a result, VALID, DEGRADED or INVALID, with the reasons (doubts).
//!
//! There is a file for each subject, with a function for each doubt and the list of them; each examines a finished trial and returns a reason or
//! nothing. To add a doubt, add it to the file of its subject. `repeats` has those about the repeats of a cell.
//!
//! Thresholds follow common practice (steal 1 %, client 85 %, Little's law 5 %, rate 99 %, others a tenth of a fully
//! used machine; repeats 10 %, as in pyperf). Time in which nothing was measured (the server stalled, clients had no
//! connection, Tenbin itself did not run) falsifies a result by its share of the window: from 1 % on it is reported,
//! from [`LOST`] on the result is INVALID.

mod client;
mod clock_speed;
mod effect;
pub(crate) mod hosts;
mod measurement;
mod repeats;
mod server;
mod settings;
mod standstill;
mod starts;
mod statements;
mod steady;

pub use measurement::all_failed;
pub use repeats::ChangesBefore;
pub use standstill::STANDSTILL;
pub(crate) use standstill::is_hidden;

use About::{EachGroup, Group, Machine, Process, Trial};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

type DoubtCheck = fn(&TrialResult) -> Option<Doubt>;

/// What a doubt is about, if several load hosts drive a trial together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// The trial as a whole.
    Trial,
    /// Each group of clients; the trial as a whole if it has none.
    Group,
    /// Each group of clients, and nothing if there are none.
    EachGroup,
    /// Each process that drives clients.
    Process,
    /// Each machine on which there is one.
    Machine,
}

/// The doubts about each subject.
const SUBJECTS: [&[(About, DoubtCheck)]; 11] = [
    measurement::DOUBTS,
    standstill::DOUBTS,
    settings::DOUBTS,
    starts::DOUBTS,
    hosts::DOUBTS,
    client::DOUBTS,
    effect::DOUBTS,
    statements::DOUBTS,
    clock_speed::DOUBTS,
    server::DOUBTS,
    steady::DOUBTS,
];

/// All doubts about one finished trial, the most serious first.
pub fn doubts(trial: &TrialResult) -> Vec<Doubt> {
    let hosts = hosts::views(trial);
    let elsewhere = trial.machines_elsewhere();
    let groups = starts::groups(trial);
    let of = |(about, look): &(About, DoubtCheck)| -> Vec<Doubt> {
        let on_hosts = hosts.iter().filter(|host| match about {
            Trial | Group | EachGroup => false,
            Process => true,
            Machine => elsewhere.contains(&host.number),
        });
        let on_hosts = on_hosts.filter_map(|host| Some(hosts::named(look(&host.view)?, &host.name)));
        let of_groups = groups.iter().filter(|_| matches!(about, Group | EachGroup));
        let of_groups = of_groups.filter_map(|(name, view)| Some(starts::named(look(view)?, name)));
        let is_whole = match about {
            // The machine of the process that runs the plan is judged as ever.
            Trial | Machine => true,
            Process => hosts.is_empty(),
            Group => groups.is_empty(),
            EachGroup => false,
        };
        let whole = is_whole.then(|| look(trial)).flatten();
        whole.into_iter().chain(of_groups).chain(on_hosts).collect()
    };
    let mut all: Vec<Doubt> = SUBJECTS.into_iter().flatten().flat_map(of).collect();
    all.sort_by_key(|doubt| Reverse(doubt.verdict));
    all
}

/// The doubts about the repeats of a cell as a whole.
pub fn doubts_of_cell(cell: &Cell, changes: &ChangesBefore) -> Vec<Doubt> {
    repeats::scatter(cell).into_iter().chain(repeats::not_restored(cell, changes)).collect()
}

/// The most serious of them; VALID if there is none.
pub fn verdict(doubts: &[Doubt]) -> Verdict {
    doubts.iter().map(|d| d.verdict).max().unwrap_or(Verdict::Valid)
}

fn doubt(verdict: Verdict, code: &str, problem: Problem) -> Option<Doubt> {
    Some(Doubt { verdict, code: code.to_owned(), problem })
}

/// A complete problem as the evidence of another.
fn in_one(problem: &Problem) -> Message {
    let Problem { what, evidence, hint } = problem.clone();
    match (evidence, hint) {
        (None, None) => what,
        (Some(evidence), None) => msg!("problem-with-evidence", what, seen = evidence),
        (None, Some(hint)) => msg!("problem-with-hint", what, hint),
        (Some(evidence), Some(hint)) => msg!("problem-with-evidence-and-hint", what, seen = evidence, hint),
    }
}

/// What happened in a problem that is the evidence of another, if this is one.
pub fn quoted(evidence: &Message) -> Option<&Message> {
    let forms = ["problem-with-evidence", "problem-with-hint", "problem-with-evidence-and-hint"];
    forms.iter().any(|form| evidence.is(form)).then(|| evidence.arg("what"))?
}

/// Time in which nothing was measured is reported from this share of the window on …
const REPORTED: f64 = 0.01;
/// … and from this on the result is INVALID.
pub const LOST: f64 = 0.25;

fn grade(share: f64) -> Option<Verdict> {
    match share {
        s if s >= LOST => Some(Verdict::Invalid),
        s if s >= REPORTED => Some(Verdict::Degraded),
        _ => None,
    }
}

/// Nanoseconds as seconds for evidence.
fn s(ns: u64) -> Message {
    seconds(ns as f64 / 1e9)
}

/// Of less than a tenth as many digits as there are: a transaction of 0.0 s would be none.
fn seconds(value: f64) -> Message {
    msg!("seconds", value = if value < 0.05 { figure::grouped(value) } else { figure::seconds(value) })
}

fn share(t: &TrialResult, ns: u64) -> f64 {
    ns as f64 / t.measured_ns().max(1) as f64
}

/// `3 × 1213, 1 × lost`.
fn codes(errors: &BTreeMap<String, u64>) -> String {
    errors.iter().map(|(code, n)| format!("{} × {code}", figure::whole(i128::from(*n)))).collect::<Vec<_>>().join(", ")
}
