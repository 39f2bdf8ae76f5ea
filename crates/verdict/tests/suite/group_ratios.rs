//! Groups of clients on two targets: each group is compared with itself on the base.

use crate::answers::{run, wobble};
use tenbin_model::absolute_limit::AbsoluteLimit;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tally::{GroupTally, StatementTally, TransactionTally, group_prefix};
use tenbin_verdict::answer::{answer, footnotes};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::gate::GateOutcome;
use tenbin_verdict::gate_check;
use tenbin_verdict::group_ratios;
use tenbin_verdict::history;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::subset::Subset;

pub const PLAN: &str = "
    schema = 1
    [targets]
    a = { dsn = \"mysql://u@h/a\", baseline = true }
    b = { dsn = \"mysql://u@h/b\" }
    [[experiment]]
    name = \"e\"
    measure = \"10s\"
    repeats = 5
    [experiment.load]
    workload = \"sql\"
    [[experiment.load.group]]
    name = \"oltp\"
    scripts = \"oltp.sql\"
    clients = 3
    [[experiment.load.group]]
    name = \"batch\"
    scripts = \"batch.sql\"
    rate = 20
";

/// On b, OLTP completes twice as much in half the time, and batches take three times as long: milliseconds, and completed in ten seconds.
fn group(t: &TrialResult, name: &str) -> (f64, u64) {
    let is_b = t.trial.target.name == "b";
    match name {
        "oltp" if is_b => (1.0 * wobble(&t.trial), (20_000.0 * wobble(&t.trial)) as u64),
        "oltp" => (2.0 * wobble(&t.trial), (10_000.0 * wobble(&t.trial)) as u64),
        _ if is_b => (30.0 * wobble(&t.trial), 200),
        _ => (10.0 * wobble(&t.trial), 200),
    }
}

/// The run of a plan whose groups had this: milliseconds, and completed in ten seconds.
pub fn with_groups(plan: &str, group: &dyn Fn(&TrialResult, &str) -> (f64, u64)) -> Summary {
    let mut summary = run(plan, &|t| (1000.0 * wobble(t), 1.0, 2.0));
    for t in &mut summary.trials {
        let all = ["oltp", "batch"].map(|name| (name, group(t, name)));
        t.tally.transactions.clear();
        for (name, (ms, completed)) in all {
            let mut transaction = TransactionTally { completed, ..TransactionTally::default() };
            transaction.response.record_n((ms * 1e6) as u64, completed);
            t.tally.transactions.insert(group_prefix(name) + "script", transaction);
            let statement = StatementTally { completed, ..StatementTally::default() };
            t.tally.statements.insert(group_prefix(name) + "read", statement);
            let mut starts = GroupTally::default();
            (starts.accounting.completed, starts.accounting.scheduled) = (completed, completed);
            t.tally.groups.insert(name.to_owned(), starts);
        }
    }
    summary
}

#[test]
fn each_group_is_compared_with_itself_on_the_base() {
    let all = group_ratios::all(&with_groups(PLAN, &group));
    let places: Vec<(&str, &str)> = all.keys().map(|(_, target, group)| (target.as_str(), group.as_str())).collect();
    assert_eq!(places, [("b", "batch"), ("b", "oltp")], "the base is compared with nothing");
    let of = |name: &str| &all[&(1, "b".to_owned(), name.to_owned())];
    let near = |of: f64, expected: f64| assert!((of / expected - 1.0).abs() < 0.03, "{of} for {expected}");
    let oltp = of("oltp");
    assert_eq!(oltp.base, "a");
    let tps = oltp.tps.expect("it is a closed loop");
    near(tps.ratio, 2.0);
    near(oltp.p99.expect("times").ratio, 0.5);
    let interval = tps.confidence.expect("five pairs");
    assert!(
        tps.pairs == 5 && interval.low > 1.9 && interval.low < 2.0 && interval.high > 2.0 && interval.high < 2.1,
        "{interval:?}"
    );
    // What it completes is what its rate asks for.
    assert_eq!(of("batch").tps, None);
    near(of("batch").p99.expect("times").ratio, 3.0);
}

#[test]
fn a_group_that_completed_nothing_and_a_run_of_one_target_have_no_ratios() {
    let nothing = |t: &TrialResult, name: &str| {
        if t.trial.target.name == "b" && name == "oltp" { (1.0, 0) } else { group(t, name) }
    };
    let all = group_ratios::all(&with_groups(PLAN, &nothing));
    let oltp = all.get(&(1, "b".to_owned(), "oltp".to_owned()));
    assert!(oltp.is_none_or(|oltp| oltp.tps.is_none() && oltp.p99.is_none()), "{oltp:?}");
    assert!(all.contains_key(&(1, "b".to_owned(), "batch".to_owned())));
    let alone = PLAN.replace("b = { dsn = \"mysql://u@h/b\" }\n", "");
    assert_eq!(group_ratios::all(&with_groups(&alone, &group)).len(), 0);
    let once = PLAN.replace("repeats = 5", "repeats = 1");
    let all = group_ratios::all(&with_groups(&once, &group));
    let tps = all[&(1, "b".to_owned(), "oltp".to_owned())].tps.expect("a ratio");
    assert_eq!(tps.confidence, None, "one pair shows no spread");
    let answer = answer(&with_groups(&once, &group)).english().to_owned();
    assert!(answer.contains("× (one repeat only)") && !answer.contains("95 %"), "{answer}");
}

#[test]
fn two_repeats_give_no_interval_of_a_group() {
    let twice = with_groups(&PLAN.replace("repeats = 5", "repeats = 2"), &group);
    let tps = group_ratios::all(&twice)[&(1, "b".to_owned(), "oltp".to_owned())].tps.expect("a ratio");
    assert!(tps.confidence.is_some() && tps.interval().is_none(), "{tps:?}");
    let answer = answer(&twice).english().to_owned();
    let of_groups = &answer[answer.find("By group").expect("a sentence")..];
    assert!(of_groups.contains("(too few repeats for an interval)") && !of_groups.contains("95 %"), "{of_groups}");
}

/// What the answer says of all groups and what it says of each has the same base: without one in the plan, of two the one that does worse.
#[test]
fn groups_have_the_base_of_the_comparison_of_all_of_them() {
    let quick_first = |t: &TrialResult, name: &str| match (name, t.trial.target.name.as_str()) {
        ("oltp", "a") => (1.0 * wobble(&t.trial), (20_000.0 * wobble(&t.trial)) as u64),
        ("oltp", _) => (2.0 * wobble(&t.trial), (10_000.0 * wobble(&t.trial)) as u64),
        _ => (10.0 * wobble(&t.trial), 200),
    };
    let mut summary = with_groups(&PLAN.replace(", baseline = true", ""), &quick_first);
    for t in summary.trials.iter_mut().filter(|t| t.trial.target.name == "a") {
        let all = &mut t.tally.accounting;
        (all.completed, all.scheduled) = (2 * all.completed, 2 * all.scheduled);
    }
    assert_eq!(summary.comparisons("e", Question::Throughput, Figure::Transactions)[0].a, "b");
    let all = group_ratios::all(&summary);
    assert!(!all.is_empty() && all.values().all(|of| of.base == "b"), "{all:?}");
    let answer = answer(&summary).english().to_owned();
    assert!(
        answer.contains("the transactions per second of b (") && answer.contains("By group, a compared with b:"),
        "{answer}"
    );
}

/// Of runs of equal targets at most one in twenty has an interval without 1, all groups and figures of a cell together.
#[test]
fn equal_groups_are_rarely_told_apart() {
    use tenbin_model::random::SplitMix;
    let random = std::cell::RefCell::new(SplitMix(39));
    let unlike = |_: &TrialResult, name: &str| {
        let by = (0.05 * random.borrow_mut().normal()).exp();
        if name == "oltp" { (2.0 / by, (10_000.0 * by) as u64) } else { (10.0 * by, 200) }
    };
    let claims = |summary: &Summary| {
        let all = group_ratios::all(summary);
        let differs = |r: &group_ratios::GroupRatios| {
            r.tps.and_then(|r| r.confidence).is_some_and(|i| i.low > 1.0 || i.high < 1.0)
        };
        all.values().any(differs)
    };
    let wrong = (0..400).filter(|_| claims(&with_groups(PLAN, &unlike))).count();
    // 5 % of 400 and three standard errors.
    assert!(wrong <= 33, "{wrong} of 400");
}

/// The other repeats would be compared without the one that did worst.
#[test]
fn a_group_that_completed_nothing_in_a_repeat_has_no_ratio() {
    let stuck = |t: &TrialResult, name: &str| match (t.trial.target.name.as_str(), t.trial.repeat, name) {
        ("b", 2, "oltp") => (1.0, 0),
        _ => group(t, name),
    };
    let all = group_ratios::all(&with_groups(PLAN, &stuck));
    assert!(!all.contains_key(&(1, "b".to_owned(), "oltp".to_owned())), "{all:?}");
    assert!(all[&(1, "b".to_owned(), "batch".to_owned())].p99.is_some());
}

/// Times of all groups together are those of whichever completes most, here of OLTP alone.
#[test]
fn the_answer_claims_times_by_group_and_none_of_all_together() {
    let summary = with_groups(PLAN, &group);
    assert_eq!(summary.comparisons("e", Question::Throughput, Figure::Percentile(990)), []);
    let answer = crate::answers::told(&summary);
    assert!(!answer.contains("The p99 response time of"), "{answer}");
    let by_group = "By group, b compared with a: batch p99 3.01× (2.95× to 3.07×); \
        oltp transactions per second 2.00× (1.96× to 2.05×), p99 0.50× (0.49× to 0.51×) (95 % intervals).";
    assert!(answer.contains(by_group), "{answer}");
    assert!(
        answer.contains("グループごとに a と比べた b: batch は応答時間の p99 3.01 倍(2.95〜3.07 倍)、oltp は"),
        "{answer}"
    );
}

/// Of the starts of the batches on b, a fifth is never made: their times, and those of all together, would be longer in a longer run.
#[test]
fn times_of_a_group_that_did_not_keep_up_are_not_compared() {
    let compared = |skipped: u64| {
        let mut summary = with_groups(PLAN, &group);
        for t in summary.trials.iter_mut().filter(|t| t.trial.target.name == "b") {
            let starts = &mut t.tally.groups.get_mut("batch").expect("it is there").accounting;
            (starts.skipped, starts.scheduled) = (skipped, starts.scheduled + skipped);
        }
        let all = group_ratios::all(&summary);
        let has_p99 = |name: &str| all.get(&(1, "b".to_owned(), name.to_owned())).is_some_and(|of| of.p99.is_some());
        assert_eq!(summary.comparisons("e", Question::Throughput, Figure::Transactions).len(), 1);
        (has_p99("batch"), has_p99("oltp"))
    };
    assert_eq!(compared(0), (true, true));
    assert_eq!(compared(50), (false, true));
}

/// The table of cells has the times of all groups together, which are those of whichever completes most: it says so, and so does a result by itself.
#[test]
fn times_of_all_groups_together_are_named_so() {
    let summary = with_groups(&PLAN.replace("    b = { dsn = \"mysql://u@h/b\" }\n", ""), &group);
    let notes = footnotes(&summary);
    let note = notes.iter().map(|note| note.english()).collect::<Vec<_>>().join("\n");
    assert!(note.contains("Times in this table are of all groups of clients together"), "{note}");
    assert!(notes.len() == 2 && note.contains("TPS and QPS are of the groups of clients without a rate"), "{note}");
    let answer = answer(&summary).english().to_owned();
    assert!(answer.contains("ms over all groups together"), "{answer}");
    let plan = "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[[experiment]]\nload.workload = \"oltp_insert\"\n";
    assert!(footnotes(&run(plan, &|_| (100.0, 1.0, 2.0))).is_empty());
}

/// A rate of 1,000 asks both targets for as much as OLTP completes on a. Of all groups together b would be ahead by 1.5 times.
#[test]
fn what_a_rate_asks_for_is_not_compared() {
    let plan = PLAN.replace("rate = 20", "rate = 1000");
    let group_at_rate = |t: &TrialResult, name: &str| match name {
        "batch" => (10.0, 10_000),
        _ => group(t, name),
    };
    let summary = with_groups(&plan, &group_at_rate);
    let near = |of: f64, expected: f64| assert!((of / expected - 1.0).abs() < 0.03, "{of} for {expected}");
    let ratio = |figure| summary.comparisons("e", Question::Throughput, figure)[0].ratio;
    near(ratio(Figure::Transactions), 2.0);
    near(ratio(Figure::Queries), 2.0);
    for cell in summary.cells() {
        let expected = if cell.target == "b" { 2000.0 } else { 1000.0 };
        near(tenbin_model::statistics::mean(&cell.tps).expect("five repeats"), expected);
    }
    let text = answer(&summary).english().to_owned();
    assert!(text.contains("Transactions per second are those of the groups without a rate"), "{text}");
    // A limit without a baseline is not held by what was asked for.
    let limit = AbsoluteLimit::parse("tps > 1500").expect("a limit");
    let all = gate_check::checks(&summary, &[limit]);
    let outcomes: Vec<_> =
        all.iter().map(|check| (check.target.as_str(), check.subset.clone(), check.outcome)).collect();
    let of = |target, outcome| (target, Some(Subset::WithoutRate), outcome);
    assert_eq!(outcomes, [of("a", GateOutcome::Exceeded), of("b", GateOutcome::Held)]);
    let all = history::of(std::slice::from_ref(&summary), Some(Figure::Transactions));
    let whole: Vec<f64> =
        all.iter().filter(|one| one.subset == Some(Subset::WithoutRate)).map(|one| one.values[0].1).collect();
    near(whole[0], 1000.0);
    near(whole[1], 2000.0);
}

/// Where each group has a rate, nothing is compared but the times of each.
#[test]
fn groups_that_all_have_a_rate_are_compared_by_their_times() {
    let plan = PLAN.replace("clients = 3", "clients = 3\n    rate = 1000");
    let all_given = |t: &TrialResult, name: &str| match name {
        "oltp" => (group(t, name).0, 10_000),
        _ => group(t, name),
    };
    let text = crate::answers::told(&with_groups(&plan, &all_given));
    assert!(text.contains("By group, b compared with a: batch p99 3.01×"), "{text}");
    assert!(!text.contains("transactions per second of a"), "{text}");
}
