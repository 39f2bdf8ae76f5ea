//! Doubts about whether the statements reached the server and had an effect: whether anything was sent, executed, and committed.

use super::server::{across_edges, beside, counted, is_of_user};
use super::{About, DoubtCheck, doubt};
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::names::observer;
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::StatementKind;
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] =
    &[(About::Trial, nothing_sent), (About::Trial, never_committed), (About::Trial, executed_fewer)];

/// Below this share of our statements, the server that is observed has not executed them.
const NOT_EXECUTED: f64 = 0.1;
/// Below this one, others have executed a part of them, or none has.
const FEWER: f64 = 0.75;
/// PostgreSQL's processes report what they counted once a second: of a shorter window much may be missing.
const REPORTED_NS: u64 = 4_000_000_000;

/// Transactions of the user's own statements without any of them.
fn nothing_sent(t: &TrialResult) -> Option<Doubt> {
    let completed = t.tally.accounting.completed;
    let sent = t.tally.statements.values().any(|s| s.completed > 0 || !s.errors.is_empty());
    let counts = t.tally.counters.values().any(|n| *n > 0);
    (is_of_user(t) && t.trial.load.workload != "slap" && completed > 0 && !sent && !counts && !t.on_host())
        .then_some(())?;
    doubt(
        Verdict::Invalid,
        "nothing-sent",
        Problem::new(msg!("doubt-nothing-sent"))
            .evidence(msg!("doubt-nothing-sent-seen", n = figure::grouped(completed as f64)))
            .hint(msg!("doubt-nothing-sent-hint")),
    )
}

/// No transaction was committed with its last statement: the session switched autocommit off, or began a transaction and never ended it.
fn never_committed(t: &TrialResult) -> Option<Doubt> {
    let completed = t.tally.accounting.completed;
    let writes = t.tally.statements.values().filter(|s| s.kind == StatementKind::Write);
    let rows: u64 = writes.map(|s| s.rows).sum();
    (completed > 1 && t.tally.left_open >= completed && rows > 0).then_some(())?;
    doubt(
        Verdict::Invalid,
        "never-committed",
        Problem::new(msg!("doubt-never-committed"))
            .evidence(msg!(
                "doubt-never-committed-seen",
                n = figure::grouped(completed as f64),
                rows = figure::grouped(rows as f64)
            ))
            .hint(match t.trial.target.scheme() {
                Scheme::Mysql => msg!("doubt-never-committed-hint"),
                _ => msg!("doubt-never-committed-hint-script"),
            }),
    )
}

/// The server counted far fewer statements, or transactions, than were answered: something before it answers, or another server does.
fn executed_fewer(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() >= 1_000_000_000 && !has_several_addresses(t)).then_some(())?;
    let window_s = t.measured_ns() as f64 / 1e9;
    beside(t)?;
    let (theirs, ours, least) = match t.observed_rate(observer::SERVER_STATUS, "questions") {
        // Those of a transaction that ended in the window may have been executed before it.
        Some(all) => (all, (counted(t) as f64 - across_edges(t)) / window_s, FEWER),
        // Of a transaction that goes on over several of ours, PostgreSQL counts one.
        None => {
            (t.measured_ns() >= REPORTED_NS).then_some(())?;
            let rate = |name: &str| t.observed_rate(observer::SERVER_STATUS, name);
            let each = t.tally.accounting.completed.saturating_sub(t.tally.left_open).min(counted(t));
            (rate("xact_commit")? + rate("xact_rollback")?, each as f64 / window_s, NOT_EXECUTED)
        }
    };
    (ours * window_s >= 100.0 && theirs < least * ours).then_some(())?;
    doubt(
        if theirs < NOT_EXECUTED * ours { Verdict::Invalid } else { Verdict::Degraded },
        "executed-fewer",
        Problem::new(msg!("doubt-executed-fewer"))
            .evidence(msg!("doubt-executed-fewer-seen", theirs = figure::grouped(theirs), ours = figure::grouped(ours)))
            .hint(msg!("doubt-executed-fewer-hint")),
    )
}

/// Whether the clients connect to several addresses in turn, of which one is observed.
fn has_several_addresses(t: &TrialResult) -> bool {
    let address = t.trial.target.dsn.as_deref().and_then(|dsn| Dsn::parse(dsn).ok());
    address.is_some_and(|dsn| dsn.options.contains_key("hosts"))
}
