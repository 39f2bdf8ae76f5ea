//! What the tool itself reported: failed transactions, its own checks, too few of them.

use super::{percent, place, precise};
use crate::figure_kind::FigureKind::{Failed, Percentile, Transactions};
use crate::published_audit::PublishedAudit;
use crate::result::Published;
use tenbin_model::doubt::Verdict;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// From this share on a result with failed transactions is INVALID, as in the audit of a trial.
const MOST_FAILED: f64 = 0.01;
/// A p99 wants this many.
const LEAST: f64 = 1000.0;

pub fn failed(published: &Published) -> PublishedAudit {
    let of = |at: usize| {
        let result = &published.results[at];
        let failed = result.get(Failed).filter(|failed| *failed > 0.0)?;
        Some((failed, failed / (failed + result.get(Transactions).unwrap_or(0.0))))
    };
    let failures: Vec<(usize, f64, f64)> =
        (0..published.results.len()).filter_map(|at| of(at).map(|(n, s)| (at, n, s))).collect();
    let Some((at, n, share)) = failures.iter().copied().max_by(|a, b| a.2.total_cmp(&b.2)) else {
        return PublishedAudit::default();
    };
    let result = &published.results[at];
    let evidence = match result.get(Transactions) {
        Some(_) => {
            msg!("doubt-published-failed-seen", place = place(result), failed = precise(n), percent = percent(share))
        }
        None => msg!("published-figure-at", place = place(result), figure = Failed.words(), value = precise(n)),
    };
    let known = result.get(Transactions).is_some();
    let verdict = if known && share > MOST_FAILED { Verdict::Invalid } else { Verdict::Degraded };
    let problem = Problem::new(msg!("doubt-errors")).evidence(evidence);
    PublishedAudit::doubt(verdict, "errors", problem, failures.iter().map(|(at, ..)| (*at, Failed)).collect())
}

pub fn own_failures(published: &Published) -> PublishedAudit {
    let all: Vec<&str> = published.results.iter().flat_map(|r| r.own_failures.iter().map(String::as_str)).collect();
    if all.is_empty() {
        return PublishedAudit::default();
    }
    let shown: Vec<Message> = all.iter().take(6).map(foreign).collect();
    let problem = Problem::new(msg!("doubt-published-own-check", n = all.len())).evidence(Message::joined(shown, "; "));
    PublishedAudit::doubt(
        Verdict::Degraded,
        "own-check",
        problem.hint(msg!("doubt-published-own-check-hint")),
        Vec::new(),
    )
}

pub fn few_samples(published: &Published) -> PublishedAudit {
    let few = |at: &usize| {
        let result = &published.results[*at];
        let high = result.percentiles().any(|(part, _)| part >= 0.99);
        high && result.get(Transactions).is_some_and(|n| n > 0.0 && n < LEAST)
    };
    let results: Vec<usize> = (0..published.results.len()).filter(few).collect();
    let Some(first) = results.first() else { return PublishedAudit::default() };
    let result = &published.results[*first];
    let (figure, value) = (Transactions.words(), precise(result.get(Transactions).unwrap_or(0.0)));
    let problem = Problem::new(msg!("doubt-few-samples"))
        .evidence(msg!("published-figure-at", place = place(result), figure, value))
        .hint(msg!("doubt-few-samples-hint"));
    PublishedAudit::doubt(
        Verdict::Degraded,
        "few-samples",
        problem,
        results.iter().map(|at| (*at, Percentile(9900))).collect(),
    )
}
