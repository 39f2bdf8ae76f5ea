//! `tenbin gate BASELINE RUN`: has the run become worse than the baseline by more than limits? Its exit code tells.

use crate::args::Gate;
use crate::exit::{self, Exit};
use crate::language::{language, language_of_environment};
use crate::words::TerminalWords;
use serde_json::json;
use tenbin_model::doubt::Verdict;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::plan::regression_limits;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_report::store::{self, Recording};
use tenbin_verdict::answer::{percent, ratio};
use tenbin_verdict::gate::{GateCheck, GateOutcome, checks};
use tenbin_verdict::judged::Judged;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

const LABELS: [&str; 2] = ["baseline", "run"];

pub fn gate(a: &Gate) -> Result<Exit, Problem> {
    let words = TerminalWords::new(language(a.lang.as_deref())?.unwrap_or_else(language_of_environment));
    let read =
        |text: &String| RegressionLimit::parse(text).map_err(|what| Problem::new(what).hint(msg!("limit-example")));
    let mut limits: Vec<RegressionLimit> = a.max_regression.iter().map(read).collect::<Result<_, _>>()?;
    let mut runs = Vec::new();
    for (dir, label) in [&a.baseline, &a.run].into_iter().zip(LABELS) {
        let Recording { summary, doubts } = store::read(dir)?;
        doubts.iter().for_each(exit::complain);
        if summary.verdict() == Verdict::Invalid {
            let problem = Problem::new(msg!("gate-run-is-invalid", dir = dir.display()));
            return Err(problem.hint(msg!("look-at-report", dir = dir.display())));
        }
        runs.push(StoredRun { label: label.to_owned(), summary });
    }
    if limits.is_empty() {
        limits = runs.last().map(|run| regression_limits(&run.summary.plan)).unwrap_or_default();
    }
    if limits.is_empty() {
        let problem = Problem::new(msg!("gate-has-no-limits", dir = a.run.display()));
        return Err(problem.hint(msg!("give-max-regression")));
    }
    let pairs = pairs(&runs);
    let summary = Summary::beside(runs);
    let all = checks(&summary, &pairs, &limits);
    if !all.iter().any(|check| check.comparison.is_some()) {
        return Err(Problem::new(msg!("gate-compares-nothing")).hint(msg!("compare-runs-of-one-plan")));
    }
    // A limit that nothing is compared with would look as if it had been held.
    let unused = limits.iter().find(|limit| all.iter().all(|check| check.limit.figure != limit.figure));
    if let Some(limit) = unused {
        let problem = Problem::new(msg!("gate-figure-is-in-no-experiment", figure = limit.figure.code()));
        return Err(problem.hint(msg!("give-limits-of-figures-that-runs-have")));
    }
    let worst = all.iter().map(|check| check.outcome).max().unwrap_or(GateOutcome::Undecided);
    let is_closed = worst == GateOutcome::Exceeded || (a.strict && worst == GateOutcome::Undecided);
    if a.json {
        let caution = summary.of_stored_runs();
        let value = json!({
            "passed": !is_closed, "caution": caution.as_ref().map(|c| c.english().to_owned()),
            "checks": all.iter().map(as_json).collect::<Vec<_>>(),
        });
        exit::print(&serde_json::to_string_pretty(&value).unwrap_or_default());
    } else {
        all.iter().for_each(|check| exit::print(&words.text(line(check))));
        if let Some(caution) = summary.of_stored_runs() {
            exit::print(&words.text(caution));
        }
        exit::print(&words.text(if is_closed { msg!("gate-failed") } else { msg!("gate-passed") }));
    }
    Ok(if is_closed { Exit::Gate } else { Exit::Ok })
}

/// The targets that are compared: of the same name, or the only one of each run.
fn pairs(runs: &[StoredRun]) -> Vec<(String, String)> {
    let [baseline, run] = runs else { return Vec::new() };
    let (before, after) = (baseline.summary.targets(), run.summary.targets());
    let only = before.len() == 1 && after.len() == 1;
    let pair = |target: &String| {
        let former = if only { before.first()? } else { before.iter().find(|other| *other == target)? };
        Some((baseline.target_name(former), run.target_name(target)))
    };
    after.iter().filter_map(pair).collect()
}

fn outcome(outcome: GateOutcome) -> Message {
    match outcome {
        GateOutcome::Held => msg!("limit-held"),
        GateOutcome::Undecided => msg!("limit-undecided"),
        GateOutcome::Exceeded => msg!("limit-exceeded"),
    }
}

/// `p99  run 1.12× baseline (1.08× to 1.17×); limit 5 %: EXCEEDED`.
fn line(check: &GateCheck) -> Message {
    let (figure, limit) = (check.limit.figure.code(), percent(check.limit.share));
    let outcome = outcome(check.outcome);
    let Some(c) = &check.comparison else { return msg!("gate-line-without-result", figure, limit, outcome) };
    let interval =
        c.confidence.map_or(foreign("–"), |i| msg!("ratio-interval", low = ratio(i.low), high = ratio(i.high)));
    msg!("gate-line", figure, a = c.a, b = c.b, ratio = ratio(c.ratio), interval, limit, outcome)
}

fn as_json(check: &GateCheck) -> serde_json::Value {
    let c = check.comparison.as_ref();
    let outcome = match check.outcome {
        GateOutcome::Held => "held",
        GateOutcome::Undecided => "undecided",
        GateOutcome::Exceeded => "exceeded",
    };
    json!({
        "experiment": check.experiment, "figure": check.limit.figure.code(), "limit": check.limit.share, "outcome": outcome,
        "baseline": c.map(|c| &c.a), "run": c.map(|c| &c.b), "ratio": c.map(|c| c.ratio),
        "confidence": c.and_then(|c| c.confidence), "cells_differ": c.and_then(|c| c.cells_differ),
    })
}
