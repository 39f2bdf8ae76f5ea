//! Whether the limits of a plan hold in a run by itself, and how that is said: by `tenbin gate`, and at the end of `tenbin run`.

use tenbin_model::absolute_limit::Limited;
use tenbin_model::axis;
use tenbin_model::figures::Figure;
use tenbin_model::plan::gate_limits;
use tenbin_model::summary::Summary;
use tenbin_terminal::exit;
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::gate::GateOutcome;
use tenbin_verdict::gate_check::{self, LimitCheck};
use tenbin_verdict::subset::Subset;
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// Whether a run that has just ended exceeds the limits of its plan that need no baseline; they are printed, unless the output is
/// for programs. A try-out says nothing about them.
pub fn is_closed(run: &Summary, language: Language, is_quiet: bool) -> bool {
    let limits = gate_limits(&run.plan);
    if limits.check.is_empty() || run.scale().is_some() {
        return false;
    }
    let all = gate_check::checks(run, &limits.check);
    let outcomes: Vec<GateOutcome> = all.iter().map(|check| check.outcome).collect();
    let is_closed = closes(&outcomes, limits.undecided_fails);
    if !is_quiet {
        let words = TerminalWords::new(language);
        all.iter().for_each(|check| exit::print(&words.text(own_line(check))));
        exit::print(&words.text(last_line(is_closed, &outcomes)));
    }
    is_closed
}

/// Whether these outcomes close the gate; `strict`: undecided ones do, too.
pub fn closes(outcomes: &[GateOutcome], strict: bool) -> bool {
    let worst = outcomes.iter().copied().max().unwrap_or(GateOutcome::Undecided);
    worst == GateOutcome::Exceeded || (strict && worst == GateOutcome::Undecided)
}

/// Whether the gate is open; and of an open one how much was decided at all.
pub fn last_line(is_closed: bool, outcomes: &[GateOutcome]) -> Message {
    let all = outcomes.len();
    if all == 0 {
        return msg!("gate-passed-unchecked");
    }
    match outcomes.iter().filter(|outcome| **outcome == GateOutcome::Undecided).count() {
        n if is_closed && n > 0 && !outcomes.contains(&GateOutcome::Exceeded) => msg!("gate-failed-undecided", n),
        _ if is_closed => msg!("gate-failed"),
        0 => msg!("gate-passed"),
        n if n == all => msg!("gate-passed-undecided", n),
        n => msg!("gate-passed-partly", n, all),
    }
}

pub fn outcome(outcome: GateOutcome) -> Message {
    match outcome {
        GateOutcome::Held => msg!("limit-held"),
        GateOutcome::Undecided => msg!("limit-undecided"),
        GateOutcome::Exceeded => msg!("limit-exceeded"),
    }
}

/// `a, 8 clients, group pay`: the target, the cell, and the transactions that a figure is of, as far as they are to be named.
pub fn place(target: Option<&str>, axes: &[(String, String)], subset: Option<&Subset>) -> Message {
    let cell = (!axes.is_empty()).then(|| axis::cell(axes));
    Message::list(target.map(foreign).into_iter().chain(cell).chain(subset.map(Subset::words)))
}

/// `p99 < 20ms  a, 8 clients: 12.3 ms: held`.
pub fn own_line(check: &LimitCheck) -> Message {
    let (held, all) = check.repeats;
    let cell = place(Some(&check.target), &check.axes, check.subset.as_ref());
    let bound = check.limit.bound;
    // So that what is shown is on the side of the limit that decided.
    let value = match (check.value, check.limit.of) {
        (None, Limited::Figure(Figure::Seconds)) if check.behind > 0 => msg!("gate-not-all-ended"),
        (None, _) => msg!("gate-nothing-measured"),
        (Some(share), Limited::Errors) => {
            let [percent, bound] = [share, bound].map(|share| (share * 1e8).round() / 1e6);
            msg!("percent", n = figure::beside(percent, bound, 3))
        }
        (Some(value), Limited::Figure(Figure::Transactions | Figure::Queries | Figure::NewOrders)) => {
            foreign(figure::grouped_beside(value, bound))
        }
        (Some(value), Limited::Figure(Figure::Seconds)) => foreign(format!("{} s", figure::beside(value, bound, 3))),
        (Some(ns), _) => foreign(format!("{} ms", figure::grouped_beside(ns / 1e6, bound / 1e6))),
    };
    let value = match check.behind {
        0 => value,
        _ if check.limit.of == Limited::Figure(Figure::Seconds) => value,
        n if n == all => msg!("gate-rate-not-held", value),
        behind => msg!("gate-rate-not-held-in", value, behind, all),
    };
    let outcome = outcome(check.outcome);
    match check.outcome {
        GateOutcome::Undecided if all > 1 => {
            msg!("gate-own-line-repeats", limit = check.limit, place = cell, value, outcome, held, all)
        }
        _ => msg!("gate-own-line", limit = check.limit, place = cell, value, outcome),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::absolute_limit::AbsoluteLimit;

    /// The value of a line: what stands between the last two colons.
    fn shown(limit: &str, value: f64) -> String {
        let limit = AbsoluteLimit::parse(limit).expect("a limit");
        let outcome = if limit.holds(value) { GateOutcome::Held } else { GateOutcome::Exceeded };
        let (experiment, target) = (String::new(), "a".to_owned());
        let (axes, subset, value, repeats, behind) = (Vec::new(), None, Some(value), (1, 1), 0);
        let check = LimitCheck { limit, experiment, target, axes, subset, value, repeats, behind, outcome };
        let line = own_line(&check).english().to_owned();
        line.rsplit(": ").nth(1).expect("a value").to_owned()
    }

    #[test]
    fn a_value_close_to_its_limit_is_shown_on_its_own_side() {
        for (limit, bound, unit) in [
            ("p99 < 13.53ms", 13.53e6, 1e6),
            ("p99 < 20ms", 20e6, 1e6),
            ("max < 1.5s", 1.5e9, 1e6),
            ("mean < 250us", 250e3, 1e6),
            ("tps > 500", 500.0, 1.0),
            ("tps > 12345", 12345.0, 1.0),
            ("nopm > 100000", 100_000.0, 1.0),
            ("seconds < 2s", 2.0, 1.0),
            ("errors < 0.1%", 0.001, 0.01),
        ] {
            for factor in [0.9999, 1.0001, 1.0] {
                let value = bound * factor;
                let text = shown(limit, value);
                let number = text.trim_end_matches([' ', 'm', 's', '%']).replace(',', "");
                let read: f64 = number.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                let sides = [read, value / unit].map(|value| value.total_cmp(&(bound / unit)));
                assert_eq!(sides[0], sides[1], "{limit}: {text} of {}", value / unit);
            }
        }
        assert_eq!(shown("p99 < 13.53ms", 13.5314e6), "13.531 ms");
        assert_eq!(shown("p99 < 20ms", 12.34567e6), "12.3 ms", "no more digits than it takes");
        assert_eq!(shown("tps > 500", 50_123.4), "50,123");
        assert_eq!(shown("errors < 0.1%", 0.0), "0.000 %");
    }

    #[test]
    fn a_gate_that_fails_says_whether_anything_is_exceeded() {
        let (held, undecided, exceeded) = (GateOutcome::Held, GateOutcome::Undecided, GateOutcome::Exceeded);
        let last =
            |outcomes: &[GateOutcome], strict| last_line(closes(outcomes, strict), outcomes).english().to_owned();
        assert_eq!(last(&[held, exceeded, undecided], true), "gate    FAILED");
        assert_eq!(
            last(&[held, undecided], true),
            "gate    FAILED: no limit is exceeded, but one limit is undecided, which fails with --strict, or with undecided = \"fail\" in the \
             plan's table gate"
        );
        assert!(last(&[undecided, undecided], true).contains("but 2 limits are undecided"));
        assert_eq!(last(&[held], true), "gate    passed");
        assert!(last(&[held, undecided], false).starts_with("gate    passed, but 1 of 2"));
    }
}
