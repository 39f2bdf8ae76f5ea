//! What the servers counted by statement in the measured window, trial by trial.

use super::Section;
use super::columns::aligned;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::digest::{DigestCounts, DigestReport, StatementDigest};
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "server-statements",
    heading: || msg!("section-server-statements"),
    values,
    template: include_str!("../../templates/digests.html"),
};

/// The most trials with a table; the exports have all.
const MOST_TRIALS: usize = 40;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let reported = m.summary.trials.iter().filter_map(|t| Some((t, t.server_statements.as_ref()?)));
    let all: Vec<(&TrialResult, &DigestReport)> = reported.collect();
    // If no server counts statements, the reason of each target is enough.
    let mut reasons: Vec<(String, Value)> = Vec::new();
    for (t, problem) in all.iter().flat_map(|(t, report)| report.problems.iter().map(move |p| (t, p))) {
        let key = format!("{} {}", t.trial.target.name, problem.what.english());
        if !reasons.iter().any(|(known, _)| *known == key) {
            let hint = problem.hint.as_ref().map(bilingual::html);
            let evidence = problem.evidence.as_ref().map(bilingual::html);
            let what = bilingual::html(&problem.what);
            reasons.push((key, context! { target => m.target(&t.trial.target.name), what, evidence, hint }));
        }
    }
    let with_statements = all.iter().filter(|(_, report)| !report.statements.is_empty());
    let trials: Vec<Value> = with_statements.take(MOST_TRIALS).map(|(t, report)| trial(m, t, report)).collect();
    let reasons: Vec<Value> = reasons.into_iter().map(|(_, reason)| reason).collect();
    (trials.len() + reasons.len() > 0).then(|| context! { trials, reasons })
}

fn trial(m: &PageContext<'_>, t: &TrialResult, report: &DigestReport) -> Value {
    let mut total = report.others;
    report.statements.iter().for_each(|digest| total.add(&digest.counts));
    let others = (report.others.count > 0).then_some(&report.others);
    let all = report.statements.iter().map(|digest| &digest.counts).chain(others);
    let mut all = aligned(all.map(|counts| figures(counts, &total)).collect());
    let others = others.and_then(|_| all.pop());
    let rows: Vec<Value> = report.statements.iter().zip(all).map(|(digest, figures)| row(digest, figures)).collect();
    let seconds = report.to_ns.saturating_sub(report.from_ns) as f64 / 1e9;
    context! {
        trial => t.trial.number, target => m.target(&t.trial.target.name), cell => bilingual::cell(&t.trial.axes), rows,
        others, seconds => format!("{seconds:.1}"),
    }
}

fn row(digest: &StatementDigest, figures: Vec<Value>) -> Value {
    context! {
        text => digest.text.as_str(), schema => digest.schema.as_deref().unwrap_or("–"), foreign => digest.foreign,
        figures,
    }
}

/// Count, mean, total and share of the time, rows, rows examined, without index, temporary tables on disk, errors.
fn figures(counts: &DigestCounts, total: &DigestCounts) -> Vec<Value> {
    let whole = |n: u64| Value::from(figure::whole(i128::from(n)));
    let share = 100.0 * counts.total_ns as f64 / (total.total_ns as f64).max(1.0);
    vec![
        whole(counts.count),
        Value::from(counts.mean_ns() / 1e6),
        Value::from(counts.total_ns as f64 / 1e9),
        Value::from(format!("{share:.1}")),
        whole(counts.rows),
        whole(counts.rows_examined),
        whole(counts.no_index),
        whole(counts.tmp_disk_tables),
        whole(counts.errors),
    ]
}
