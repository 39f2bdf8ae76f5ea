//! Why a target was not faster: for each trial what limited it, with the figures that show it, the limit that would be
//! next, what is missing where the evidence does not suffice, and a plan that would refute the diagnosis.
//!
//! Everything is computed from what was observed in exactly the measured window: [`mod@cost`] has what a transaction cost
//! the server, [`mod@budget`] of what its response time consists, and [`rules`] the rules in the order in which they are
//! examined. Terminal, page and exports show the same [`Diagnosis`].

mod budget;
mod cost;
mod evidence;
mod experiment;
mod full_line;
mod judgement;
mod memory;
pub mod refutation;
mod rules;
mod settings;
mod targets;

pub use budget::{BudgetKind, BudgetPart, LatencyBudget};
pub use cost::OperationCost;
pub use experiment::RefutingExperiment;
pub use judgement::{Bottleneck, Judgement, MissingEvidence, Proof};
pub use refutation::{Refutation, Ruling};
pub use targets::{TargetDiagnosis, in_short, of_most, of_targets, sentences, within_client};

use crate::answer::ratio;
use crate::clocks::{self, WaitCause};
use crate::judged::Judged;
use crate::judged_trial::JudgedTrial;
use crate::rate;
use crate::scaling;
use crate::seconds_needed;
use evidence::Evidence;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::trial::Schedule;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The most figures of a diagnosis.
const MOST_PROOFS: usize = 3;
/// The share of the response time that must be explained in a closed loop in which nothing is near its limit: otherwise
/// something that is not observed may be the limit.
const EXPLAINED: f64 = 0.5;
/// From this share of the clients in a transaction on average, they count as all busy.
const ALL_BUSY: f64 = 0.8;
/// What a trial was limited by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// This.
    Limit(Bottleneck),
    /// Nothing: the rate was held, or more clients would complete more.
    Nothing,
    /// The evidence does not suffice.
    NotKnown,
}

impl Outcome {
    /// Its name in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Outcome::Limit(bottleneck) => bottleneck.code(),
            Outcome::Nothing => "none",
            Outcome::NotKnown => "not-enough-evidence",
        }
    }

    /// What it is called.
    pub fn label(self) -> Message {
        match self {
            Outcome::Limit(bottleneck) => bottleneck.label(),
            Outcome::Nothing => msg!("bottleneck-none"),
            Outcome::NotKnown => msg!("bottleneck-not-known"),
        }
    }
}

/// Why a trial was not faster.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The trial's number.
    pub trial: u32,
    /// What limited it.
    pub outcome: Outcome,
    /// The number of clients, if nothing was at its limit and no rate was held: all of them were busy, and more would complete more.
    pub busy_clients: Option<u32>,
    /// What the run itself shows of that: the next cell with at least twice as many clients, and its throughput over that of this one.
    pub with_more_clients: Option<(u32, f64)>,
    /// The figures that show it.
    pub proofs: Vec<Proof>,
    /// What would be the limit next, or is nearest to being one.
    pub runner_up: Option<Judgement>,
    /// What all rules say.
    pub judgements: Vec<Judgement>,
    /// What would be needed, if the evidence does not suffice.
    pub missing: Vec<MissingEvidence>,
    /// What one transaction cost.
    pub costs: Vec<OperationCost>,
    /// Of what the response time consists.
    pub budget: LatencyBudget,
    /// What would refute it.
    pub experiment: Option<RefutingExperiment>,
}

/// The diagnosis of a trial; `None` if it is INVALID or nothing was measured, or if its target has no server: an embedded
/// database runs in the client.
pub fn of_trial(summary: &Summary, t: &TrialResult) -> Option<Diagnosis> {
    (t.counts() && !t.embedded()).then_some(())?;
    let mut e = Evidence::of(t, summary.target_facts(&t.trial))?;
    e.full_line = full_line::full_by_itself(&e, summary);
    let (judgements, budget) = (rules::judgements(&e), budget::budget(&e));
    let refutation = refutation::of_run(summary);
    let refuted = refutation.as_ref().and_then(Refutation::refuted);
    let outcome = outcome(&e, &judgements, &budget, refuted);
    let limit = |judgement: &&Judgement| outcome == Outcome::Limit(judgement.bottleneck);
    let is_other = |j: &&Judgement| !limit(j) && refuted != Some(Outcome::Limit(j.bottleneck));
    let mut others: Vec<&Judgement> = judgements.iter().filter(|j| is_other(j) && j.degree() > Some(0.0)).collect();
    others.sort_by(|a, b| b.degree().partial_cmp(&a.degree()).unwrap_or(std::cmp::Ordering::Equal));
    let mut proofs = match judgements.iter().find(limit) {
        Some(judgement) => shown(judgement),
        None => {
            let of = |j: &&Judgement, proof: &Proof| {
                let what = msg!("proof-of", bottleneck = j.bottleneck.label(), what = proof.what.clone());
                Proof { what, ..proof.clone() }
            };
            let nearest = others.iter().filter_map(|j| Some(of(j, j.proofs.first()?)));
            // What is beyond its limit while the rate is held does not limit it.
            held(&e).into_iter().chain(nearest.filter(|proof| proof.degree() < 1.0)).collect()
        }
    };
    proofs.truncate(MOST_PROOFS);
    let missing = match outcome {
        Outcome::NotKnown => {
            let of_rules = judgements.iter().flat_map(|j| j.missing.iter().cloned());
            let instead = refutation.as_ref().filter(|_| refuted.is_some()).map(instead_of);
            let falls_behind = rate::is_held(t) == Some(false);
            let rest = unexplained(&budget).filter(|_| falls_behind || budget.explained() < EXPLAINED);
            instead.into_iter().chain(of_rules).chain(rest).collect()
        }
        _ => Vec::new(),
    };
    let is_busy = outcome == Outcome::Nothing && held(&e).is_none() && all_busy(t);
    let with_more_clients = if is_busy { with_more_clients(summary, t) } else { None };
    Some(Diagnosis {
        trial: t.trial.number,
        outcome,
        busy_clients: is_busy.then_some(t.trial.load.clients),
        with_more_clients,
        proofs,
        runner_up: others.first().map(|judgement| (*judgement).clone()),
        missing: unique(missing),
        costs: cost::costs(&e),
        // The run has it already.
        experiment: match with_more_clients {
            Some(_) if refutation.is_none() => None,
            _ => experiment::experiment(&e, outcome, &judgements, summary, refutation.as_ref()),
        },
        judgements,
        budget,
    })
}

/// The figures that reach their limit, then those that stand beside them.
fn shown(judgement: &Judgement) -> Vec<Proof> {
    judgement.proofs.iter().filter(|proof| proof.limit.is_none() || proof.degree() >= 1.0).cloned().collect()
}

/// That most of the response time is not explained.
fn unexplained(budget: &LatencyBudget) -> Option<MissingEvidence> {
    let share = budget.share(BudgetKind::Unexplained);
    let percent = judgement::percent(share);
    let missing = MissingEvidence {
        what: msg!("missing-rest", percent),
        how: msg!("missing-rest-how", privilege = settings::PRIVILEGE, setting = settings::PERFORMANCE_SCHEMA),
    };
    (share > 0.0).then_some(missing)
}

/// What the limit is, now that the one that the figures say is refuted.
fn instead_of(refutation: &Refutation) -> MissingEvidence {
    let what = msg!("missing-instead", limit = refutation.limit().label());
    MissingEvidence { what, how: msg!("missing-instead-how", host = settings::HOST, setting = settings::OBSERVE) }
}

/// The first rule in order whose figures reach a limit, unless an experiment refuted it. Where an earlier one cannot be judged, it must explain most of the
/// response time by itself; only latches, which hardly any server reports, do not stand in the way.
fn outcome(e: &Evidence<'_>, judgements: &[Judgement], budget: &LatencyBudget, refuted: Option<Outcome>) -> Outcome {
    let is_unknown = |judgement: &Judgement| judgement.degree().is_none();
    let may_be = |j: &Judgement| j.is_limit() && refuted != Some(Outcome::Limit(j.bottleneck));
    let first = judgements.iter().position(may_be);
    // A rate that is held is limited by nothing, whatever its transactions wait for.
    let stands = |bottleneck: Bottleneck| matches!(bottleneck, Bottleneck::Client | Bottleneck::Replica);
    if held(e).is_some() && !first.is_some_and(|at| stands(judgements[at].bottleneck)) {
        return if refuted == Some(Outcome::Nothing) { Outcome::NotKnown } else { Outcome::Nothing };
    }
    if let Some(at) = first {
        let in_the_way = |judgement: &Judgement| is_unknown(judgement) && judgement.bottleneck != Bottleneck::Latches;
        let sure = judgements[at].is_decisive || !judgements[..at].iter().any(in_the_way);
        return if sure { Outcome::Limit(judgements[at].bottleneck) } else { Outcome::NotKnown };
    }
    // Something is the limit, and not what the figures say; or more clients did not complete more.
    if refuted.is_some() {
        return Outcome::NotKnown;
    }
    // More falls due than ends, although clients are free: something that is not observed is the limit.
    if rate::is_held(e.t) == Some(false) && !all_busy(e.t) {
        return Outcome::NotKnown;
    }
    let needed = [Bottleneck::Client, Bottleneck::Network, Bottleneck::ServerCpu];
    let lacks = judgements.iter().any(|j| needed.contains(&j.bottleneck) && is_unknown(j));
    if !lacks && budget.explained() >= EXPLAINED { Outcome::Nothing } else { Outcome::NotKnown }
}

/// That the load asked for a rate, and got it. Starts of a lost load host are in no count.
fn held(e: &Evidence<'_>) -> Option<Proof> {
    let Schedule::Open { rate, .. } = e.t.trial.load.schedule else { return None };
    let share = e.t.tally.accounting.share_begun(e.t.trial.load.clients);
    let queues = clocks::of_trial(e.t) == Some(WaitCause::Queue);
    let what = msg!("proof-rate-held", rate = figure::grouped(rate), tps = figure::grouped(e.tps));
    (rate::is_held(e.t) == Some(true) && !queues).then(|| Proof::beside(what, share))
}

/// Whether all clients were in a transaction all the time, but for what a client itself may take: the share from which it is a
/// limit by itself. Not if those of a load host were lost: they were in none for a part of it.
fn all_busy(t: &TrialResult) -> bool {
    let clients = f64::from(t.trial.load.clients.max(1));
    let are_there = !t.trial.load.paced && t.lost_hosts().next().is_none();
    are_there && t.in_progress().is_some_and(|busy| busy / clients >= ALL_BUSY)
}

/// The throughput of the cell that differs from that of a trial in at least twice the clients alone, the fewest of them, over that of its own.
fn with_more_clients(summary: &Summary, t: &TrialResult) -> Option<(u32, f64)> {
    let rest = |axes: &[(String, String)]| -> Vec<(String, String)> {
        axes.iter().filter(|(key, _)| key != scaling::CLIENTS).cloned().collect()
    };
    let cells = summary.cells();
    let own = cells.iter().find(|cell| cell.trials.contains(&t.trial.number))?;
    let is_like = |cell: &&Cell| {
        (&cell.experiment, &cell.target, rest(&cell.axes)) == (&own.experiment, &own.target, rest(&own.axes))
    };
    let clients = |cell: &Cell| Some(summary.trial(*cell.trials.first()?)?.trial.load.clients);
    let least = t.trial.load.clients.saturating_mul(2);
    let more =
        cells.iter().filter(is_like).filter_map(|cell| Some((clients(cell)?, cell))).filter(|(n, _)| *n >= least);
    let (n, cell) = more.min_by_key(|(n, _)| *n)?;
    let per_second = |cell: &Cell| {
        let needed = seconds_needed::of_cell(summary, cell);
        needed.map_or_else(|| statistics::mean(&cell.tps), |needed| Some(needed.per_second()))
    };
    Some((n, per_second(cell)? / per_second(own)?))
}

fn unique(all: Vec<MissingEvidence>) -> Vec<MissingEvidence> {
    let mut kept: Vec<MissingEvidence> = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

impl Diagnosis {
    /// What limited the trial, in a few words that agree with the sentence.
    pub fn label(&self) -> Message {
        let is_taken = self.proofs.iter().any(|proof| proof.what.is("proof-server-others"));
        match (self.outcome, self.busy_clients) {
            (Outcome::Limit(_), _) if is_taken => msg!("bottleneck-server-cpu-taken"),
            (Outcome::Nothing, Some(n)) => msg!("bottleneck-busy-clients", n),
            (outcome, _) => outcome.label(),
        }
    }

    /// What limited the trial, with the figures: `the commit (…; …)`.
    pub fn words(&self) -> Message {
        let proofs = Message::joined(self.proofs.iter().map(Proof::words), msg!("between-proofs"));
        match self.outcome {
            Outcome::Limit(_) => msg!("why-limit", bottleneck = self.label(), proofs),
            Outcome::Nothing => {
                let more = match self.with_more_clients {
                    None => msg!("why-more-clients"),
                    Some((n, times)) => msg!("why-more-clients-measured", n, ratio = ratio(times)),
                };
                match (self.busy_clients, self.proofs.is_empty()) {
                    (Some(clients), true) => msg!("why-clients-alone", clients, more),
                    (Some(clients), false) => msg!("why-clients", clients, more, proofs),
                    (None, true) => msg!("why-nothing-alone"),
                    (None, false) => msg!("why-nothing", proofs),
                }
            }
            Outcome::NotKnown => {
                let needed = Message::list(self.missing.iter().map(|m| m.what.clone()).collect::<Vec<_>>());
                msg!("why-not-known", needed)
            }
        }
    }

    /// What would be the limit next, in a sentence.
    pub fn runner_up_words(&self) -> Option<Message> {
        let next = self.runner_up.as_ref()?;
        let proof = next.proofs.first()?.words();
        Some(msg!("why-runner-up", bottleneck = next.bottleneck.label(), proof))
    }
}
