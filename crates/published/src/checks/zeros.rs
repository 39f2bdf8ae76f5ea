//! A column of zeros is one that was not measured: a percentile that was switched off, a rate that rounding or an export lost.

use super::place;
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{Max, Mean, Nopm, Percentile, Qps, Tpm, Tps};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use std::collections::BTreeSet;
use tenbin_model::doubt::Verdict;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Of one result a zero may be true: nothing completed.
const LEAST: usize = 2;

pub fn columns_of_zeros(published: &Published) -> PublishedAudit {
    // A log says zero of what its user switched off, in a form that is known.
    let of_table = |result: &&PublishedResult| published.tables.get(result.table).is_none_or(|table| !table.is_log);
    let results: Vec<(usize, &PublishedResult)> =
        published.results.iter().enumerate().filter(|(_, result)| of_table(result)).collect();
    let kinds: BTreeSet<FigureKind> = results.iter().flat_map(|(_, result)| result.figures.keys().copied()).collect();
    let measured = |kind: &FigureKind| matches!(kind, Tps | Qps | Nopm | Tpm | Mean | Max | Percentile(_));
    let is_zero = |kind: &FigureKind| {
        let all: Vec<_> = results.iter().filter_map(|(_, result)| result.quantity(*kind)).collect();
        all.len() >= LEAST && all.iter().all(|quantity| quantity.value == 0.0)
    };
    let zeros: Vec<FigureKind> = kinds.iter().copied().filter(measured).filter(is_zero).collect();
    let Some(first) = zeros.first() else { return PublishedAudit::default() };
    let with: Vec<usize> = results.iter().filter(|(_, r)| r.figures.contains_key(first)).map(|(at, _)| *at).collect();
    let figures = Message::list(zeros.iter().map(|kind| kind.words()));
    let evidence = msg!("doubt-published-zeros-seen", n = with.len(), place = place(&published.results[with[0]]));
    let problem = Problem::new(msg!("doubt-published-zeros", figures)).evidence(evidence);
    let touches = with.iter().flat_map(|at| zeros.iter().map(|kind| (*at, *kind))).collect();
    PublishedAudit::doubt(Verdict::Degraded, "zeros", problem.hint(msg!("doubt-published-look-at-source")), touches)
}
