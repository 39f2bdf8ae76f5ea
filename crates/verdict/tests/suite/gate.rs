//! Limits of a plan, with and without a baseline, and stored runs of the same targets.

use crate::answers::{run, told, wobble};
use crate::common;
use crate::group_ratios::{PLAN as OF_GROUPS, with_groups};
use crate::tpcc;

use tenbin_model::absolute_limit::AbsoluteLimit;
use tenbin_model::figures::Figure;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::plan::{Plan, gate_limits};
use tenbin_model::summary::{StoredRun, Summary, TrialResult, label};
use tenbin_model::tally::Tally;
use tenbin_model::trial::Trial;
use tenbin_verdict::gate::{self, GateCheck, GateOutcome};
use tenbin_verdict::gate_check::{LimitCheck, checks};
use tenbin_verdict::history;
use tenbin_verdict::subset::Subset;

fn plan(gate: &str, load: &str) -> String {
    format!(
        "schema = 1\n[gate]\n{gate}\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[targets.b]\ndsn = \"mysql://u@h/b\"\n[[experiment]]\n\
         name = \"e\"\nmeasure = \"10s\"\nload = {{ {load} }}\n"
    )
}

const OLTP: &str = "workload = \"oltp_read_write\", clients = 4";

fn of(summary: &Summary, limit: &str) -> Vec<LimitCheck> {
    checks(summary, &[AbsoluteLimit::parse(limit).expect("a limit")])
}

fn outcomes(summary: &Summary, limit: &str) -> Vec<(String, GateOutcome, (usize, usize))> {
    of(summary, limit).into_iter().map(|check| (check.target, check.outcome, check.repeats)).collect()
}

#[test]
fn a_limit_without_a_baseline_holds_in_every_repeat_or_is_undecided() {
    let had = |t: &Trial| match (t.target.name.as_str(), t.repeat) {
        ("a", _) => (1000.0 * wobble(t), 2.0, 10.0),
        (_, 2) => (600.0, 2.0, 30.0),
        _ => (500.0, 2.0, 15.0),
    };
    let summary = run(&plan("", OLTP), &had);
    let [a, b] = ["a", "b"].map(str::to_owned);
    let (held, exceeded, undecided) = (GateOutcome::Held, GateOutcome::Exceeded, GateOutcome::Undecided);
    // The mean of b is below, one of its repeats above.
    assert_eq!(outcomes(&summary, "tps > 550"), [(a.clone(), held, (3, 3)), (b.clone(), undecided, (1, 3))]);
    assert_eq!(outcomes(&summary, "tps > 700"), [(a.clone(), held, (3, 3)), (b.clone(), exceeded, (0, 3))]);
    assert_eq!(outcomes(&summary, "p99 < 20ms"), [(a.clone(), held, (3, 3)), (b.clone(), undecided, (2, 3))]);
    assert_eq!(outcomes(&summary, "errors < 0.1%"), [(a, held, (3, 3)), (b, held, (3, 3))]);
    assert!(of(&summary, "nopm > 1").is_empty(), "no load has it");
}

#[test]
fn a_limit_is_not_held_by_a_handful_of_transactions() {
    // Three repeats of ten seconds, all of them well within the limits.
    let outcome = |tps: f64, limit: &str| of(&run(&plan("", OLTP), &|_| (tps, 2.0, 10.0)), limit)[0].outcome;
    let (held, undecided) = (GateOutcome::Held, GateOutcome::Undecided);
    assert_eq!([outcome(1.0, "p99 < 20ms"), outcome(100.0, "p99 < 20ms")], [undecided, held], "30 and 3,000");
    assert_eq!([outcome(1.0, "p50 < 20ms"), outcome(90.0, "p99.9 < 20ms")], [held, undecided], "none of 2,700 above");
    assert_eq!([outcome(90.0, "errors < 0.1%"), outcome(110.0, "errors < 0.1%")], [undecided, held], "none of 2,700");
    assert_eq!(outcome(1.0, "errors <= 0%"), held, "none is what is asked for");
    assert_eq!(outcome(1.0, "p99 < 1ms"), GateOutcome::Exceeded, "what is exceeded is");
    assert_eq!(outcome(1.0, "tps > 0.5"), held);
}

/// A run that was stopped, or whose plan has become smaller, is not within the limits of what the baseline has measured.
#[test]
fn what_only_the_baseline_measured_is_undecided() {
    let text = plan("", OLTP).replace("measure", "matrix.load.clients = [1, 8]\nmeasure");
    let all = |text: &str| run(text, &|t| (1000.0 * wobble(t), 2.0, 10.0));
    let checked = |after: Summary, target: Option<&str>| {
        let runs = [("baseline", all(&text)), ("run", after)];
        let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec();
        let pairs = [("a", Some("a")), ("b", target)];
        let pairs = pairs.map(|(a, b)| (runs[0].target_name(a), b.map(|b| runs[1].target_name(b))));
        let limits = [RegressionLimit::parse("p99 50%").expect("a limit")];
        let all = gate::checks(&Summary::beside(runs), &pairs, &limits);
        let cells = |check: &GateCheck| {
            let named = check.unmeasured.iter().map(|cell| format!("{} {}", cell.target, label(&cell.axes)));
            named.collect::<Vec<_>>().join("; ")
        };
        all.iter().map(|check| format!("{:?} {}", check.outcome, cells(check))).collect::<Vec<_>>()
    };
    assert_eq!(checked(all(&text), Some("b")), ["Held ", "Held "]);
    let mut stopped = all(&text);
    let never = stopped.trials.iter_mut().filter(|t| t.trial.load.clients == 8);
    never.for_each(|t| (t.begun, t.state, t.tally) = (false, None, Tally::default()));
    assert_eq!(
        checked(stopped, Some("b")),
        ["Undecided a (baseline) load.clients 8", "Undecided b (baseline) load.clients 8"]
    );
    let without_b = all(&text.replace("[targets.b]\ndsn = \"mysql://u@h/b\"\n", ""));
    assert_eq!(
        checked(without_b, None),
        ["Held ", "Undecided b (baseline) load.clients 1; b (baseline) load.clients 8"]
    );
}

#[test]
fn what_was_not_measured_is_within_no_limit() {
    let had = |t: &Trial| if t.target.name == "a" { (1000.0, 2.0, 10.0) } else { (0.0, 1.0, 1.0) };
    let summary = run(&plan("", OLTP), &had);
    let dead = of(&summary, "p99 < 20ms").into_iter().find(|check| check.target == "b").unwrap();
    assert_eq!((dead.outcome, dead.value.is_none()), (GateOutcome::Exceeded, true));
}

#[test]
fn limits_stand_in_the_plan_and_those_that_no_load_has_are_refused() {
    let text = plan("check = [\"p99 < 20ms\", \"tps > 500\"]\nundecided = \"fail\"\nmax_regression = \"p99 5%\"", OLTP);
    let read = Plan::parse(&text, &common::catalog()).unwrap().gate;
    assert_eq!(read, gate_limits(&text));
    assert_eq!((read.check.len(), read.max_regression.len(), read.undecided_fails), (2, 1, true));
    let refused = |gate: &str, load: &str| {
        let problems = Plan::parse(&plan(gate, load), &common::catalog()).unwrap_err();
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let all = [
        refused("check = [\"nopm > 1000\", \"p99 < 20\"]", OLTP),
        refused("check = \"tps < 500\"", OLTP),
        refused(
            "max_regression = [\"nopm 5%\", \"seconds 5%\", \"tps 5%\"]",
            "workload = \"oltp_read_write\", rate = 100",
        ),
        refused("undecided = \"maybe\"", OLTP),
        refused("check = []", OLTP),
    ];
    insta::assert_snapshot!(all.join("\n\n"), @r#"
    line 3, column 10: no load of the plan has the figure of the limit nopm > 1000
      evidence  3 | check = ["nopm > 1000", "p99 < 20"]
                  |          ^^^^^^^^^^^^^
      hint      tps and qps of a closed loop may regress, nopm is of tpcc, seconds of slap with a number of queries; every load but a search has mean, p50 to p99.9, max and errors; of a search the limit found may regress, as tps
    line 3, column 25: "p99 < 20" is no condition of a figure
      evidence  3 | check = ["nopm > 1000", "p99 < 20"]
                  |                         ^^^^^^^^^^
      hint      check = ["p99 < 20ms", "errors < 0.1%", "tps > 500"]

    line 3, column 9: "tps < 500" would accept every bad value: tps is better on the other side
      evidence  3 | check = "tps < 500"
                  |         ^^^^^^^^^^^
      hint      check = ["p99 < 20ms", "errors < 0.1%", "tps > 500"]

    line 3, column 19: no load of the plan has the figure of the limit nopm
      evidence  3 | max_regression = ["nopm 5%", "seconds 5%", "tps 5%"]
                  |                   ^^^^^^^^^
      hint      tps and qps of a closed loop may regress, nopm is of tpcc, seconds of slap with a number of queries; every load but a search has mean, p50 to p99.9, max and errors; of a search the limit found may regress, as tps
    line 3, column 30: no load of the plan has the figure of the limit seconds
      evidence  3 | max_regression = ["nopm 5%", "seconds 5%", "tps 5%"]
                  |                              ^^^^^^^^^^^^
      hint      tps and qps of a closed loop may regress, nopm is of tpcc, seconds of slap with a number of queries; every load but a search has mean, p50 to p99.9, max and errors; of a search the limit found may regress, as tps
    line 3, column 44: no load of the plan has the figure of the limit tps
      evidence  3 | max_regression = ["nopm 5%", "seconds 5%", "tps 5%"]
                  |                                            ^^^^^^^^
      hint      tps and qps of a closed loop may regress, nopm is of tpcc, seconds of slap with a number of queries; every load but a search has mean, p50 to p99.9, max and errors; of a search the limit found may regress, as tps

    line 3, column 13: undecided cannot be "maybe"
      evidence  3 | undecided = "maybe"
                  |             ^^^^^^^
      hint      use one of pass, fail

    line 3, column 9: check is empty
      evidence  3 | check = []
                  |         ^^
      hint      give it a value or remove check
    "#);
}

#[test]
fn stored_runs_of_the_same_targets_compare_each_target_with_itself() {
    let text = plan("", OLTP).replace("measure", "matrix.load.clients = [1, 8]\nmeasure");
    let at = |factor: f64| {
        let had = move |t: &Trial| {
            let tps = if t.target.name == "b" { 2000.0 * factor } else { 1000.0 } * wobble(t);
            (tps, 1000.0 / tps, 3000.0 / tps)
        };
        run(&text, &had)
    };
    let stored = |label: &str, summary| StoredRun { label: label.to_owned(), summary };
    let compared = Summary::compared(vec![stored("before", at(1.0)), stored("after", at(1.5))]);
    insta::assert_snapshot!(told(&compared), @"
    after completed 1.50× (b, 1 client) to 1.50× (b, 8 clients) the transactions per second of before in 2 of 4 cells; at a, 1 client, a, 8 clients they cannot be told apart (95 % intervals of the cells together, 12 pairs of runs). The p99 response time of after was 0.67× (b, 1 client) to 0.67× (b, 8 clients) that of before in 2 of 4 cells; in the rest they cannot be told apart.
    4 条件のうち 2 条件で、after の毎秒トランザクション数は before の 1.50 倍(b、1 クライアント)〜1.50 倍(b、8 クライアント)です。a、1 クライアント、a、8 クライアントでは優劣を判断できません(条件全体での 95% 信頼区間による判定、12 組)。4 条件のうち 2 条件で、after の応答時間の p99 は before の 0.67 倍(b、1 クライアント)〜0.67 倍(b、8 クライアント)です。残りの条件では優劣を判断できません。
    ");
    // Other targets: all of them side by side.
    let mut other = at(1.0);
    for t in &mut other.trials {
        t.trial.target.name = format!("{}2", t.trial.target.name);
    }
    let unlike = Summary::compared(vec![stored("before", at(1.0)), stored("after", other)]);
    assert!(unlike.trials.iter().all(|t| t.of_run.is_none()));
}

/// Two cells in opposite directions: the one that became worse decides, and is named with its own ratio.
#[test]
fn of_cells_that_differ_the_worst_decides_and_is_named() {
    let checked = |text: &str, slower: &str| {
        let had = |factor: f64| {
            let slower = slower.to_owned();
            move |t: &Trial| {
                let is_slower = t.axes.iter().any(|(_, value)| *value == slower);
                let noise = if factor > 1.0 { 1.0 + 0.002 * f64::from(t.repeat) } else { 1.0 };
                let ms = 10.0 * wobble(t) * noise * if is_slower { factor * factor } else { 1.0 / factor };
                (1000.0 * wobble(t), ms / 5.0, ms)
            }
        };
        let runs = [("baseline", 1.0), ("run", 3.0)]
            .map(|(label, factor)| StoredRun { label: label.to_owned(), summary: run(text, &had(factor)) });
        let pairs = vec![(runs[0].target_name("a"), Some(runs[1].target_name("a")))];
        let limits = [RegressionLimit::parse("p99 5%").expect("a limit")];
        gate::checks(&Summary::beside(runs.to_vec()), &pairs, &limits)
    };
    let text = plan("", OLTP).replace("[targets.b]\ndsn = \"mysql://u@h/b\"\n", "");
    let clients = text.replace("measure", "matrix.load.clients = [1, 8]\nmeasure");
    for slower in ["1", "8"] {
        let all = checked(&clients, slower);
        let [check] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(check.comparison.as_ref().and_then(|c| c.cells_differ), Some(true));
        assert_eq!((check.outcome, label(&check.axes())), (GateOutcome::Exceeded, format!("load.clients {slower}")));
        let (ratio, interval) = (check.ratio().unwrap(), check.interval().unwrap());
        assert!((ratio - 9.0).abs() < 0.2 && interval.low > 8.0, "{ratio} {interval:?}, and not that of both");
    }
    // Where the cells agree, nothing is named; of several experiments each is.
    let all = checked(&clients, "none");
    assert_eq!((all[0].cell.clone(), all[0].axes()), (None, Vec::new()));
    let second = text.split("[[experiment]]").nth(1).unwrap().replace("name = \"e\"", "name = \"other\"");
    let all = checked(&format!("{text}[[experiment]]{second}"), "other");
    let shown: Vec<String> = all.iter().map(|check| format!("{}: {:?}", label(&check.axes()), check.outcome)).collect();
    assert_eq!(shown, ["experiment e: Held", "experiment other: Exceeded"]);
}

/// Runs of which one has a target more or less: those of the same name are compared, and the others stand alone.
#[test]
fn a_target_that_only_one_run_has_is_reported_by_itself() {
    let text = |names: &[&str]| {
        let of_b = "[targets.b]\ndsn = \"mysql://u@h/b\"\n";
        let more: String = names.iter().map(|name| of_b.replace("s.b", &format!("s.{name}"))).collect();
        plan("", OLTP).replace(of_b, &more)
    };
    let at = |names: &[&str], factor: f64| {
        let had = move |t: &Trial| {
            let tps = if t.target.name == "a" { 1000.0 * factor } else { 300.0 } * wobble(t);
            (tps, 1000.0 / tps, 3000.0 / tps)
        };
        run(&text(names), &had)
    };
    let answer = |runs: &[(&str, &[&str])]| {
        let stored = (1u32..)
            .zip(runs)
            .map(|(n, (label, names))| StoredRun { label: (*label).to_owned(), summary: at(names, f64::from(n)) });
        told(&Summary::compared(stored.collect())).lines().next().unwrap_or_default().to_owned()
    };
    let all = [
        answer(&[("before", &["b"]), ("after", &[])]),
        answer(&[("before", &[]), ("after", &["b"])]),
        answer(&[("before", &["b"]), ("after", &["c"])]),
        answer(&[("one", &["b"]), ("two", &["b"]), ("three", &[])]),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    after completed 2.00× (a) the transactions per second of before (95 % interval 1.9995× to 2.0005×, 3 pairs of runs). The p99 response time of after was 0.50× (a) that of before (95 % interval 0.50× to 0.50×). At b there is no result of after. b (before) completed 304 transactions per second (95 % interval ± 4, 3 repeats), with a p99 response time of 9.89 ms.
    after completed 2.00× (a) the transactions per second of before (95 % interval 1.9995× to 2.0005×, 3 pairs of runs). The p99 response time of after was 0.50× (a) that of before (95 % interval 0.50× to 0.50×). At b there is no result of before. b (after) completed 304 transactions per second (95 % interval ± 4, 3 repeats), with a p99 response time of 9.89 ms.
    after completed 2.00× (a) the transactions per second of before (95 % interval 1.9995× to 2.0005×, 3 pairs of runs). The p99 response time of after was 0.50× (a) that of before (95 % interval 0.50× to 0.50×). At c there is no result of before. At b there is no result of after. b (before) completed 304 transactions per second (95 % interval ± 4, 3 repeats), with a p99 response time of 9.89 ms. c (after) completed 304 transactions per second (95 % interval ± 4, 3 repeats), with a p99 response time of 9.89 ms.
    Transactions per second compared with one: three 3.00× (a) (2.999× to 3.001×); two 1.000× (b) to 2.00× (a), which differs by cell (95 % intervals of 2 comparisons together). Of the first two: three completed 1.50× (a) the transactions per second of two (95 % interval 1.4997× to 1.5003×, 3 pairs of runs). At b there is no result of three.
    ");
}

/// What is read is the answer: a run that was compared with nothing would be taken for one that is like the others.
#[test]
fn a_run_without_a_cell_in_common_is_named_or_refused() {
    let compared = |runs: &[(&str, &[&str], &str)]| {
        let stored = runs.iter().map(|(label, targets, axis)| {
            let targets = targets.iter().map(|name| format!("[targets.{name}]\ndsn = \"mysql://u@h/{name}\"\n"));
            let text = format!(
                "schema = 1\n{}[[experiment]]\nname = \"e\"\nmeasure = \"10s\"\n{axis}\nload.workload = \"oltp_read_write\"\n",
                targets.collect::<String>()
            );
            let summary = run(&text, &|t| (1000.0 * wobble(t), 2.0, 10.0));
            StoredRun { label: (*label).to_owned(), summary }
        });
        let all = Summary::compared(stored.collect());
        (all.has_common_cell(), told(&all).lines().next().unwrap_or_default().to_owned())
    };
    let [one, two] = ["matrix.load.clients = [1]", "matrix.load.clients = [2]"];
    let (common, answer) = compared(&[("x", &["a"], one), ("y", &["a"], one), ("z", &["a"], two)]);
    assert!(common && answer.ends_with("Of z there is no comparison: no cell is in common with x."), "{answer}");
    let (common, answer) = compared(&[("x", &["a"], one), ("y", &["a"], one)]);
    assert!(common && !answer.contains("no comparison"), "{answer}");
    // Two targets of one run have their cells in common, and no two runs.
    assert!(!compared(&[("x", &["wal", "del"], one), ("y", &["a", "b"], two)]).0);
    assert!(!compared(&[("x", &["a", "b"], one), ("y", &["a", "b"], two)]).0);
    assert!(!compared(&[("x", &["a"], one), ("y", &["a", "b", "c"], two)]).0);
    // Whether rates were held is said once, and not with every target.
    let [slow, quick] = ["matrix.load.rate = [50]", "matrix.load.rate = [100]"];
    let (common, answer) = compared(&[("x", &["a", "b"], slow), ("y", &["a", "b"], quick)]);
    assert!(!common && answer.matches("held the rate").count() == 1, "{answer}");
}

/// An interval that is not shown, because repeats are too few for it, decides nothing.
#[test]
fn a_regression_is_judged_by_the_interval_that_is_shown() {
    let mut outcomes = Vec::new();
    for (repeats, factor) in [1, 2, 3, 5].into_iter().flat_map(|n| [0.5, 0.97, 1.0, 2.0].map(|factor| (n, factor))) {
        let text = plan("", OLTP).replace("measure", &format!("repeats = {repeats}\nmeasure"));
        let at = |factor: f64| run(&text, &move |t| (1000.0 * factor * wobble(t), 2.0 / factor, 10.0 / factor));
        let runs = [("baseline", at(1.0)), ("run", at(factor))];
        let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec();
        let pairs = ["a", "b"].map(|name| (runs[0].target_name(name), Some(runs[1].target_name(name))));
        let limits = ["tps 5%", "p99 5%"].map(|limit| RegressionLimit::parse(limit).expect("a limit"));
        for check in gate::checks(&Summary::beside(runs), &pairs, &limits) {
            let comparison = check.comparison.as_ref().unwrap();
            if comparison.interval().is_none() {
                assert_eq!(check.outcome, GateOutcome::Undecided, "{repeats} repeats, {factor}: {comparison:?}");
            }
            outcomes.push((repeats, check.outcome));
        }
    }
    let of = |wanted: u32| -> Vec<GateOutcome> {
        outcomes.iter().filter(|(repeats, _)| *repeats == wanted).map(|(_, outcome)| *outcome).collect()
    };
    assert!(of(2).iter().all(|outcome| *outcome == GateOutcome::Undecided), "{:?}", of(2));
    for outcome in [GateOutcome::Exceeded, GateOutcome::Held] {
        assert!(of(5).contains(&outcome), "{:?}", of(5));
    }
}

/// A run of one target with a quick group and a slow one, whose batches last this many milliseconds.
fn of_groups(batch_ms: f64) -> Summary {
    let plan = OF_GROUPS.replace("b = { dsn = \"mysql://u@h/b\" }\n", "");
    with_groups(&plan, &|t: &TrialResult, name: &str| match name {
        "oltp" => (2.0 * wobble(&t.trial), (10_000.0 * wobble(&t.trial)) as u64),
        _ => (batch_ms * wobble(&t.trial), 200),
    })
}

/// Of all clients together the slow group is one transaction in fifty: its p99 is not theirs.
#[test]
fn each_group_of_clients_is_within_limits_by_itself() {
    let slow = of_groups(60.0);
    let shown = |summary: &Summary, limit: &str| -> Vec<String> {
        let named = |subset: &Option<Subset>| subset.as_ref().map_or("all".to_owned(), Subset::code);
        of(summary, limit).iter().map(|c| format!("{} {:?}", named(&c.subset), c.outcome)).collect()
    };
    assert_eq!(shown(&slow, "p99 < 30ms"), ["group oltp Held", "group batch Exceeded"]);
    assert_eq!(shown(&slow, "mean < 30ms"), ["group oltp Held", "group batch Exceeded"]);
    assert!((of(&slow, "p99 < 30ms")[1].value.unwrap() / 61e6 - 1.0).abs() < 0.05);
    // What all complete together is one figure, without what a rate asks for.
    assert_eq!(shown(&slow, "tps > 500"), ["groups_without_rate Held"]);
    let mut failing = of_groups(10.0);
    for t in &mut failing.trials {
        // More than one in a hundred would make the trial INVALID.
        t.tally.groups.get_mut("batch").unwrap().accounting.failed = 2;
    }
    assert_eq!(shown(&failing, "errors < 0.5%"), ["group oltp Held", "group batch Exceeded"]);
}

#[test]
fn each_group_of_clients_is_compared_with_itself_in_the_baseline() {
    let checked = |after: Summary| -> Vec<String> {
        let runs = [("baseline", of_groups(10.0)), ("run", after)];
        let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec();
        let limits = ["p99 20%", "tps 10%"].map(|limit| RegressionLimit::parse(limit).unwrap());
        let pairs = [(runs[0].target_name("a"), Some(runs[1].target_name("a")))];
        let all = gate::checks(&Summary::beside(runs), &pairs, &limits);
        let named = |check: &GateCheck| check.subset.as_ref().map_or("all".to_owned(), Subset::code);
        let shown = |check: &GateCheck| {
            let missing = if check.unmeasured.is_empty() { "" } else { ", not all of it measured" };
            format!("{} {}: {:?}{missing}", named(check), check.limit.figure.code(), check.outcome)
        };
        all.iter().map(shown).collect()
    };
    let held =
        ["groups_without_rate tps: Held", "group oltp p99: Held", "group oltp tps: Held", "group batch p99: Held"];
    assert_eq!(checked(of_groups(10.0)), held);
    assert_eq!(checked(of_groups(60.0))[3], "group batch p99: Exceeded");
    // A repeat in which a group completed nothing is in no pair.
    let mut silent = of_groups(10.0);
    let last = silent.trials.last_mut().unwrap();
    last.tally.transactions.retain(|name, _| !name.starts_with("oltp"));
    last.tally.groups.get_mut("oltp").unwrap().accounting.completed = 0;
    let all = checked(silent);
    assert_eq!(all[1], "group oltp p99: Undecided, not all of it measured", "{all:?}");
}

#[test]
fn each_group_of_clients_has_a_history() {
    let runs = [10.0, 60.0].map(of_groups);
    let shown = |figure: Option<Figure>| -> Vec<String> {
        let named = |subset: &Option<Subset>| subset.as_ref().map_or("all".to_owned(), Subset::code);
        let values =
            |h: &history::History| h.values.iter().map(|(_, v)| format!("{:.0}", h.shown(*v))).collect::<Vec<_>>();
        history::of(&runs, figure)
            .iter()
            .map(|h| format!("{} {}: {}", named(&h.subset), h.figure.code(), values(h).join(", ")))
            .collect()
    };
    assert_eq!(shown(Some(Figure::Percentile(990))), ["group oltp p99: 2, 2", "group batch p99: 10, 61"]);
    let all = shown(None);
    assert!(all.len() == 3 && all[2] == "group batch p99: 10, 61", "{all:?}");
}

/// The table, the page and the answer have statements over seconds.
#[test]
fn the_throughput_of_a_number_of_statements_is_over_the_seconds_of_all_repeats() {
    let load = "workload = \"slap\", queries = 10000, clients = 4";
    let text = plan("", load).replace("measure", "repeats = 2\nmeasure");
    let summary = run(&text, &|t| (if t.repeat == 1 { 1000.0 } else { 5000.0 }, 2.0, 10.0));
    let check = &of(&summary, "tps > 2000")[0];
    assert_eq!((check.value, check.repeats), (Some(20_000.0 / 12.0), (1, 2)), "and not 3,000");
    assert_eq!(history::of(&[summary], Some(Figure::Transactions))[0].values, [(0, 20_000.0 / 12.0)]);
}

#[test]
fn times_of_tpcc_are_those_of_its_new_orders_and_named_so() {
    let second = |_| {
        let mut all = tpcc::decks(1, 5);
        let payments = all.transactions.get_mut("payment").unwrap();
        payments.response = Default::default();
        payments.response.record_n(80_000_000, payments.completed);
        all
    };
    let summary = tpcc::run("warehouses = 1", "clients = 2", 20, second);
    let check = &of(&summary, "p99 < 60ms")[0];
    assert_eq!(check.subset, Some(Subset::NewOrders));
    assert!(check.value.is_some_and(|ns| (4e6..6e6).contains(&ns)), "{check:?}");
    // 200 New-Orders do not show it, though 460 transactions of all types would.
    assert_eq!(check.outcome, GateOutcome::Undecided);
    assert_eq!(of(&summary, "tps > 1")[0].subset, None);
    assert_eq!(history::of(&[summary], Some(Figure::Percentile(990)))[0].subset, Some(Subset::NewOrders));
}

/// What neither run measures in an experiment is nothing that is undecided there.
#[test]
fn a_target_that_an_experiment_does_not_have_is_not_asked_for_there() {
    let first = plan("", OLTP);
    let second =
        first.split("[[experiment]]").nth(1).unwrap().replace("name = \"e\"", "name = \"only\"\ntargets = [\"a\"]");
    let both = format!("{first}[[experiment]]{second}");
    let at = |text: &str| run(text, &|t| (1000.0 * wobble(t), 2.0, 10.0));
    let checked = |before: &str, now: &str| -> Vec<String> {
        let runs = [("baseline", at(before)), ("run", at(now))];
        let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec();
        let pairs = ["a", "b"].map(|name| (runs[0].target_name(name), Some(runs[1].target_name(name))));
        let limits = [RegressionLimit::parse("tps 80%").unwrap()];
        let all = gate::checks(&Summary::beside(runs), &pairs, &limits);
        all.iter().map(|c| format!("{} {}: {:?}", c.experiment, c.target, c.outcome)).collect()
    };
    let held = ["e a (baseline): Held", "e b (baseline): Held", "only a (baseline): Held"];
    assert_eq!(checked(&both, &both), held);
    // What only the new run measures has nothing to be held against.
    let more = both.replace("targets = [\"a\"]", "");
    assert_eq!(checked(&both, &more)[3], "only b (baseline): Undecided");
}
