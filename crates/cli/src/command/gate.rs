//! `tenbin gate [BASELINE] RUN`: is the run within limits, by itself or compared with a baseline? Its exit code says.

use crate::args::Gate;
use crate::command::stored_runs;
use crate::gating::{closes, last_line, outcome, own_line, place};
use serde_json::{Value, json};
use std::path::Path;
use tenbin_model::absolute_limit::AbsoluteLimit;
use tenbin_model::axis;
use tenbin_model::changed_server::{self, ChangedServer};
use tenbin_model::doubt::Verdict;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::gate_limits::GateLimits;
use tenbin_model::plan::gate_limits;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_report::store::{self, Recording};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::answer::{ends, percent, ratio};
use tenbin_verdict::gate::{GateCheck, GateOutcome, UnheldCell, UnmeasuredCell, checks, ratio_at};
use tenbin_verdict::gate_check::{self, LimitCheck};
use tenbin_verdict::judged::Judged;
use tenbin_verdict::reasons;
use tenbin_verdict::subset::Subset;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

const LABELS: [&str; 2] = ["baseline", "run"];

pub fn gate(a: &Gate) -> Result<Exit, Problem> {
    let words = TerminalWords::new(language(a.lang.as_deref())?.unwrap_or_else(language_of_environment));
    let typed = typed(a)?;
    let runs = read(a)?;
    let Some(run) = runs.last() else { return Ok(Exit::Usage) };
    if let Some(invalid) = runs.iter().position(|run| run.summary.verdict() == Verdict::Invalid) {
        return Ok(refused(a, &a.runs[invalid]));
    }
    let limits = limits(a, &run.summary, typed)?;
    let own = own_checks(&run.summary, &limits.check)?;
    let not_begun = not_begun(&run.summary);
    let mut cautions = try_outs(&runs);
    cautions.extend(degraded(&runs));
    let verdict = run.summary.verdict().name();
    // The first run of a plan has none, and passes; not silently.
    let unchecked = if runs.len() < 2 { limits.max_regression.as_slice() } else { &[] };
    let (compared, caution) = if runs.len() > 1 && !limits.max_regression.is_empty() {
        regressions(runs, &limits.max_regression)?
    } else {
        (Vec::new(), None)
    };
    cautions.extend(caution);
    let caution = (!cautions.is_empty()).then(|| Message::joined(cautions, msg!("between-sentences")));
    let outcomes: Vec<GateOutcome> =
        own.iter().map(|check| check.outcome).chain(compared.iter().map(|check| check.outcome)).collect();
    let strict = a.strict || limits.undecided_fails;
    let is_closed = !outcomes.is_empty() && closes(&outcomes, strict);
    if a.json {
        let checks: Vec<Value> = own.iter().map(own_json).chain(compared.iter().map(as_json)).collect();
        let undecided = outcomes.iter().filter(|outcome| **outcome == GateOutcome::Undecided).count();
        let value = json!({
            "passed": !is_closed, "verdict": verdict, "undecided": undecided, "caution": caution.as_ref().map(|c| c.english().to_owned()),
            "checks": checks, "not_checked": unchecked.iter().map(limit_json).collect::<Vec<_>>(), "not_begun": not_begun,
        });
        exit::print(&serde_json::to_string_pretty(&value).unwrap_or_default());
    } else {
        own.iter().for_each(|check| exit::print(&words.text(own_line(check))));
        compared.iter().for_each(|check| exit::print(&words.text(line(check))));
        unmeasured(&compared).into_iter().for_each(|line| exit::print(&words.text(line)));
        if !not_begun.is_empty() {
            exit::print(&words.text(msg!("gate-not-begun", trials = figure::ranges(&not_begun))));
        }
        if !unchecked.is_empty() {
            exit::print(&words.text(msg!("gate-not-checked", limits = Message::list(unchecked.iter().map(named)))));
        }
        if let Some(caution) = caution {
            exit::print(&words.text(caution));
        }
        exit::print(&words.text(last_line(is_closed, &outcomes)));
    }
    Ok(if is_closed { Exit::Gate } else { Exit::Ok })
}

/// The runs, the baseline first if there is one.
fn read(a: &Gate) -> Result<Vec<StoredRun>, Problem> {
    let labels = &LABELS[LABELS.len() - a.runs.len().min(LABELS.len())..];
    stored_runs::are_different(&a.runs, &[])?;
    let mut runs = Vec::new();
    for (dir, label) in a.runs.iter().zip(labels) {
        let Recording { summary, doubts } = store::read(dir)?;
        stored_runs::complain((a.runs.len() > 1).then_some(dir.as_path()), &doubts);
        runs.push(StoredRun { label: (*label).to_owned(), summary });
    }
    stored_runs::are_different(&a.runs, &runs)?;
    Ok(runs)
}

/// Says that a run is INVALID: no figure of it can be checked, nor be what others are checked against.
fn refused(a: &Gate, dir: &Path) -> Exit {
    let what = match a.runs.len() {
        1 => msg!("gate-invalid-run-alone", dir = dir.display()),
        _ => msg!("gate-run-is-invalid", dir = dir.display()),
    };
    exit::complain(&Problem::new(what).hint(msg!("look-at-report", dir = dir.display())));
    if a.json {
        let value = json!({ "passed": false, "invalid": dir.to_string_lossy(), "undecided": 0, "checks": [] });
        exit::print(&serde_json::to_string_pretty(&value).unwrap_or_default());
    }
    Exit::Invalid
}

/// That runs were made with a part of the data and time of their plan: what holds of them says nothing about the plan.
fn try_outs(runs: &[StoredRun]) -> Vec<Message> {
    let of = |(at, run): (usize, &StoredRun)| {
        let scale = run.summary.scale()?;
        let is_baseline = runs.len() > 1 && at == 0;
        Some(if is_baseline { msg!("gate-baseline-is-try-out", scale) } else { msg!("gate-run-is-try-out", scale) })
    };
    runs.iter().enumerate().filter_map(of).collect()
}

/// The most reasons for a verdict that a gate names.
const MOST_REASONS: usize = 3;

/// That runs are DEGRADED, and the gravest reasons: a limit that is held or exceeded by such a run is so with that reservation.
fn degraded(runs: &[StoredRun]) -> Vec<Message> {
    let of = |(at, run): (usize, &StoredRun)| {
        (run.summary.verdict() == Verdict::Degraded).then_some(())?;
        let mut reasons: Vec<Message> = Vec::new();
        for reason in reasons::of(&run.summary) {
            let what = reason.doubt.problem.what.without_full_stop();
            if !reasons.contains(&what) && reasons.len() < MOST_REASONS {
                reasons.push(what);
            }
        }
        let why = Message::joined(reasons, msg!("semicolon"));
        let is_baseline = runs.len() > 1 && at == 0;
        Some(if is_baseline { msg!("gate-baseline-is-degraded", why) } else { msg!("gate-run-is-degraded", why) })
    };
    runs.iter().enumerate().filter_map(of).collect()
}

/// The trials of the run of which nothing was measured, because it was stopped before.
fn not_begun(run: &Summary) -> Vec<u32> {
    run.trials.iter().filter(|t| !t.is_judged()).map(|t| t.trial.number).collect()
}

/// `p99 5 %`.
fn named(limit: &RegressionLimit) -> Message {
    Message::joined([foreign(limit.figure.code()), percent(limit.share)], " ")
}

fn limit_json(limit: &RegressionLimit) -> Value {
    json!({ "figure": limit.figure.code(), "limit": limit.share })
}

/// The limits that were typed.
fn typed(a: &Gate) -> Result<GateLimits, Problem> {
    let regression =
        |text: &String| RegressionLimit::parse(text).map_err(|what| Problem::new(what).hint(msg!("limit-example")));
    let check =
        |text: &String| AbsoluteLimit::parse(text).map_err(|what| Problem::new(what).hint(msg!("check-example")));
    Ok(GateLimits {
        max_regression: a.max_regression.iter().map(regression).collect::<Result<_, _>>()?,
        check: a.check.iter().map(check).collect::<Result<_, _>>()?,
        undecided_fails: false,
    })
}

/// The limits that were typed, else those of the run's plan.
fn limits(a: &Gate, run: &Summary, typed: GateLimits) -> Result<GateLimits, Problem> {
    let of_plan = gate_limits(&run.plan);
    let is_typed = !typed.max_regression.is_empty() || !typed.check.is_empty();
    let names_no_baseline = !typed.max_regression.is_empty() && a.runs.len() < 2;
    let mut limits = GateLimits { undecided_fails: of_plan.undecided_fails, ..typed };
    if !is_typed {
        limits = of_plan;
    }
    let dir = a.runs.last().map_or(foreign(""), |dir| foreign(dir.display()));
    let is_alone = a.runs.len() < 2;
    if names_no_baseline {
        return Err(Problem::new(msg!("gate-regression-without-baseline")).hint(msg!("gate-name-baseline", dir)));
    }
    if limits.check.is_empty() && limits.max_regression.is_empty() {
        let hint = if is_alone { msg!("give-check") } else { msg!("give-max-regression") };
        return Err(Problem::new(msg!("gate-has-no-limits", dir)).hint(hint));
    }
    Ok(limits)
}

/// The checks of the run by itself.
fn own_checks(run: &Summary, limits: &[AbsoluteLimit]) -> Result<Vec<LimitCheck>, Problem> {
    let all = gate_check::checks(run, limits);
    match limits.iter().find(|limit| all.iter().all(|check| check.limit != **limit)) {
        Some(limit) => Err(Problem::new(msg!("gate-check-is-of-no-load", limit)).hint(msg!("gate-figures-of-loads"))),
        None => Ok(all),
    }
}

/// The checks against the baseline, and what makes them weaker than they look.
fn regressions(runs: Vec<StoredRun>, limits: &[RegressionLimit]) -> Result<(Vec<GateCheck>, Option<Message>), Problem> {
    let pairs = pairs(&runs);
    let servers = changed_server::between(&runs);
    let summary = Summary::beside(runs);
    let all = checks(&summary, &pairs, limits);
    let are_searches = summary.trials.iter().all(|t| t.trial.search.is_some());
    if are_searches && all.is_empty() {
        return Err(Problem::new(msg!("gate-searches-have-limits")).hint(msg!("give-limit-of-search")));
    }
    if !all.iter().any(|check| check.comparison.is_some() || !check.unheld.is_empty()) {
        return Err(Problem::new(msg!("gate-compares-nothing")).hint(msg!("compare-runs-of-one-plan")));
    }
    // A limit that nothing is compared with would look as if it had been held.
    let unused = limits.iter().find(|limit| all.iter().all(|check| check.limit.figure != limit.figure));
    if let Some(limit) = unused {
        let problem = Problem::new(msg!("gate-figure-is-in-no-experiment", figure = limit.figure.code()));
        return Err(problem.hint(msg!("give-limits-of-figures-that-runs-have")));
    }
    // What differs, by its names: the caution says only that something does.
    let differ = |server: &ChangedServer| {
        msg!("gate-server-differs", target = server.target, seen = changed_server::words(&server.changes))
    };
    let caution = summary.of_stored_runs().map(|caution| {
        Message::joined(std::iter::once(caution).chain(servers.iter().map(differ)), msg!("between-sentences"))
    });
    Ok((all, caution))
}

/// The targets of the baseline, and what each is compared with: the one of the same name, or the only one of each run.
fn pairs(runs: &[StoredRun]) -> Vec<(String, Option<String>)> {
    let [baseline, run] = runs else { return Vec::new() };
    let (before, after) = (baseline.summary.targets(), run.summary.targets());
    let only = before.len() == 1 && after.len() == 1;
    let pair = |former: &String| {
        let target = if only { after.first() } else { after.iter().find(|other| *other == former) };
        (baseline.target_name(former), target.map(|target| run.target_name(target)))
    };
    before.iter().map(pair).collect()
}

/// The most cells that a line names.
const MOST_NAMED: usize = 10;

/// What the baseline measured and the run did not.
fn unmeasured(checks: &[GateCheck]) -> Option<Message> {
    let mut cells: Vec<&UnmeasuredCell> = Vec::new();
    for cell in checks.iter().flat_map(|check| &check.unmeasured) {
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    let named = |cell: &&UnmeasuredCell| place(Some(&cell.target), &cell.axes, cell.subset.as_ref());
    let named = Message::joined(cells.iter().take(MOST_NAMED).map(named), "; ");
    match cells.len() {
        0 => None,
        n if n <= MOST_NAMED => Some(msg!("gate-not-measured", cells = named)),
        n => Some(msg!("gate-not-measured-more", cells = named, n = n - MOST_NAMED)),
    }
}

/// `p99  run 1.12× baseline (1.08× to 1.17×); limit 5 %: EXCEEDED`; of one of several experiments, or where cells differ of the one that
/// decides: `p99  writes, 8 clients: run 1.12× baseline …`.
fn line(check: &GateCheck) -> Message {
    let (figure, limit) = (check.limit.figure.code(), percent(check.limit.share));
    let (axes, subset) = (check.axes(), check.subset.as_ref());
    let mut lost = check.unheld.iter().filter(|cell| cell.is_lost).peekable();
    let outcome = match check.outcome {
        GateOutcome::Exceeded if lost.peek().is_some() => msg!("limit-exceeded-rate-lost", at = at(&mut lost)),
        GateOutcome::Undecided if !check.unmeasured.is_empty() => msg!("limit-undecided-not-measured"),
        GateOutcome::Undecided if !check.unheld.is_empty() => {
            msg!("limit-undecided-rate-not-held", at = at(&mut check.unheld.iter()))
        }
        // No repeats would change it.
        GateOutcome::Undecided if check.comparison.is_none() => msg!("limit-undecided-without-ratio"),
        other => outcome(other),
    };
    let (Some(c), Some(value)) = (&check.comparison, check.ratio()) else {
        let place = place(Some(&check.target), &axes, subset);
        if !check.unheld.is_empty() {
            return msg!("gate-line-at-rate", figure, place, limit, outcome);
        }
        let figure = Message::joined([foreign(figure), place], "  ");
        return msg!("gate-line-without-result", figure, limit, outcome);
    };
    let interval = match (c.repeats_to_tell(), check.interval()) {
        (Some(n), _) => msg!("gate-few-pairs", n),
        (None, Some(i)) => {
            let [low, high] = ends(i.low, i.high);
            msg!("ratio-interval", low, high)
        }
        (None, None) => foreign("–"),
    };
    let ratio = figure::beside_as(ratio(value), value, ratio_at(check.limit));
    match axes.is_empty() && subset.is_none() {
        true => msg!("gate-line", figure, a = c.a, b = c.b, ratio, interval, limit, outcome),
        false => {
            let place = place(None, &axes, subset);
            msg!("gate-line-at", figure, place, a = c.a, b = c.b, ratio, interval, limit, outcome)
        }
    }
}

/// ` at 200/s, 800/s`: where a rate was not held; nothing if there is one cell only.
fn at(cells: &mut dyn Iterator<Item = &UnheldCell>) -> Message {
    let cells: Vec<Message> =
        cells.filter(|cell| !cell.axes.is_empty()).take(MOST_NAMED).map(|cell| axis::cell(&cell.axes)).collect();
    if cells.is_empty() { foreign("") } else { msg!("gate-at-cells", cells = Message::joined(cells, "; ")) }
}

fn outcome_code(outcome: GateOutcome) -> &'static str {
    match outcome {
        GateOutcome::Held => "held",
        GateOutcome::Undecided => "undecided",
        GateOutcome::Exceeded => "exceeded",
    }
}

fn own_json(check: &LimitCheck) -> Value {
    json!({
        "experiment": check.experiment, "check": check.limit.to_string(), "target": check.target, "axes": axes_json(&check.axes),
        "subset": check.subset.as_ref().map(Subset::code), "value": check.value, "bound": check.limit.bound, "repeats": check.repeats.1, "repeats_held": check.repeats.0,
        "repeats_behind": check.behind, "outcome": outcome_code(check.outcome),
    })
}

fn as_json(check: &GateCheck) -> Value {
    let c = check.comparison.as_ref();
    json!({
        "experiment": check.experiment, "figure": check.limit.figure.code(), "limit": check.limit.share,
        "target": check.target, "subset": check.subset.as_ref().map(Subset::code), "outcome": outcome_code(check.outcome),
        "baseline": c.map(|c| &c.a), "run": c.map(|c| &c.b), "ratio": check.ratio(),
        "confidence": check.interval(), "cells_differ": c.and_then(|c| c.cells_differ),
        "axes": axes_json(check.cell.as_ref().map_or(&[], |cell| cell.axes.as_slice())),
        "unmeasured": check.unmeasured.iter().map(unmeasured_json).collect::<Vec<_>>(),
        "rate_not_held": check.unheld.iter().map(unheld_json).collect::<Vec<_>>(),
    })
}

fn unmeasured_json(cell: &UnmeasuredCell) -> Value {
    json!({ "target": cell.target, "axes": axes_json(&cell.axes), "subset": cell.subset.as_ref().map(Subset::code) })
}

fn unheld_json(cell: &UnheldCell) -> Value {
    json!({ "axes": axes_json(&cell.axes), "lost": cell.is_lost })
}

fn axes_json(axes: &[(String, String)]) -> serde_json::Map<String, Value> {
    axes.iter().map(|(k, v)| (k.clone(), json!(v))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::statistics::Confidence;
    use tenbin_verdict::comparison::{CellRatio, Comparison};

    fn axes(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn cell(place: &[(&str, &str)], ratio: f64) -> CellRatio {
        let confidence = Some(Confidence { value: ratio, low: ratio * 0.99, high: ratio * 1.01 });
        CellRatio {
            cell: 1,
            label: String::new(),
            axes: axes(place),
            ratio,
            confidence,
            among_cells: confidence,
            pairs: 3,
            trials: Default::default(),
        }
    }

    fn check(cells: Vec<CellRatio>, decides: Option<usize>) -> GateCheck {
        let limit = RegressionLimit::parse("p99 5%").expect("a limit");
        let ratio = 0.14;
        let comparison = Comparison {
            a: "baseline".to_owned(),
            b: "run".to_owned(),
            words: [foreign("baseline"), foreign("run")],
            along: None,
            figure: limit.figure,
            ratio,
            confidence: Some(Confidence { value: ratio, low: 0.0086, high: 0.3 }),
            cells_differ: Some(decides.is_some()),
            pairs: 6,
            freedom: 4,
            duet: None,
            more_repeats: None,
            of_one_only: Default::default(),
            unpaired: Vec::new(),
            cells: cells.clone(),
        };
        let of_experiment = cells.iter().flat_map(|cell| &cell.axes).find(|(key, _)| key == "experiment").cloned();
        GateCheck {
            experiment: "writes".to_owned(),
            of_experiment,
            target: "a".to_owned(),
            limit,
            subset: None,
            comparison: Some(comparison),
            cell: decides.and_then(|at| cells.get(at).cloned()),
            unmeasured: Vec::new(),
            unheld: Vec::new(),
            outcome: GateOutcome::Exceeded,
        }
    }

    #[test]
    fn a_line_names_the_cell_that_decides_and_the_experiment_of_several() {
        let of = |check: &GateCheck| line(check).english().to_owned();
        let cells = || vec![cell(&[("load.clients", "1")], 0.05), cell(&[("load.clients", "8")], 1.0504)];
        assert_eq!(
            of(&check(cells(), Some(1))),
            "p99  8 clients: run 1.0504× baseline (1.04× to 1.06×); largest regression 5.0 %: EXCEEDED"
        );
        assert_eq!(
            of(&check(cells(), None)),
            "p99  run 0.14× baseline (0.0086× to 0.30×); largest regression 5.0 %: EXCEEDED"
        );
        let of_experiment = |at: f64| cell(&[("experiment", "writes"), ("load.clients", "1")], at);
        assert!(of(&check(vec![of_experiment(1.2)], None)).starts_with("p99  writes: run 0.14× baseline"));
        assert!(of(&check(vec![of_experiment(1.2)], Some(0))).starts_with("p99  writes, 1 client: run 1.20× baseline"));
        let (subset, axes) = (Some(Subset::Group("pay".to_owned())), axes(&[("experiment", "writes")]));
        let missing = GateCheck {
            limit: RegressionLimit::parse("tps 5%").expect("a limit"),
            unmeasured: vec![UnmeasuredCell { target: "a".to_owned(), axes, subset: subset.clone() }],
            comparison: None,
            cell: None,
            subset: subset.clone(),
            outcome: GateOutcome::Undecided,
            ..check(vec![of_experiment(1.2)], None)
        };
        let without = "tps  a, writes, group pay  not in both runs; largest regression 5.0 %: UNDECIDED: ";
        assert_eq!(of(&missing), format!("{without}the run did not measure all of it"));
        assert_eq!(
            unmeasured(std::slice::from_ref(&missing)).map(|line| line.english().to_owned()).unwrap_or_default(),
            "not measured in the run, but in the baseline: a, writes, group pay"
        );
        // More repeats of something else would not change it.
        let incomparable = GateCheck { unmeasured: Vec::new(), ..missing };
        assert_eq!(of(&incomparable), format!("{without}no ratio can be made of it"));
        let of_group = GateCheck { subset, ..check(cells(), None) };
        assert!(of(&of_group).starts_with("p99  group pay: run 0.14× baseline"), "{}", of(&of_group));
        let json = as_json(&check(cells(), Some(1)));
        assert_eq!((json["ratio"].as_f64(), json["axes"]["load.clients"].as_str()), (Some(1.0504), Some("8")));
        assert!(json["confidence"]["low"].as_f64().is_some_and(|low| low > 1.0), "{json}");
    }
}
