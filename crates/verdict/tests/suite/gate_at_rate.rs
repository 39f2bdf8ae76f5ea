//! Limits of loads at a rate that was not held, and of searches: what they found is their figure.

use crate::answers::{run, told, wobble};
use crate::tpcc;
use tenbin_model::absolute_limit::AbsoluteLimit;
use tenbin_model::figures::Figure;
use tenbin_model::gate::RegressionLimit;
use tenbin_model::question::Question;
use tenbin_model::summary::{StoredRun, Summary, label};
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Schedule, Trial};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::gate::{self, GateCheck, GateOutcome};
use tenbin_verdict::gate_check::checks;
use tenbin_verdict::history;
use tenbin_verdict::judged_trial::JudgedTrial;

fn plan(rates: &str) -> String {
    format!(
        "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[[experiment]]\nname = \"e\"\nrepeats = 3\nmeasure = \"10s\"\n\
         matrix.load.rate = {rates}\nload = {{ workload = \"oltp_read_write\", clients = 4 }}\n"
    )
}

/// A server that completes at most this many per second, and answers in this many milliseconds.
fn server(rates: &str, most: impl Fn(&Trial) -> f64, ms: f64) -> Summary {
    run(&plan(rates), &|t| {
        let Schedule::Open { rate, .. } = t.load.schedule else { panic!("it has a rate") };
        (rate.min(most(t)), ms * wobble(t), 2.0 * ms * wobble(t))
    })
}

/// 582 of 2,000 per second, the others still wait: the times of those that began are no times of that rate.
#[test]
fn times_and_errors_of_a_rate_that_was_not_held_are_within_no_limit() {
    let outcome = |summary: &Summary, limit: &str| {
        let check = checks(summary, &[AbsoluteLimit::parse(limit).unwrap()]).remove(0);
        (check.outcome, check.repeats, check.behind)
    };
    let behind = server("[2000]", |_| 582.0, 10.0);
    for limit in ["p99 < 60ms", "mean < 60ms", "max < 1s", "errors < 1%"] {
        assert_eq!(outcome(&behind, limit), (GateOutcome::Exceeded, (0, 3), 3), "{limit}");
    }
    // How much was done is what it is.
    assert_eq!(outcome(&behind, "tps > 500"), (GateOutcome::Held, (3, 3), 0));
    let one = server("[2000]", |t| if t.repeat == 2 { 582.0 } else { 2000.0 }, 10.0);
    assert_eq!(outcome(&one, "p99 < 60ms"), (GateOutcome::Undecided, (2, 3), 1));
    let held = server("[2000]", |_| 2000.0, 10.0);
    assert_eq!(outcome(&held, "p99 < 60ms"), (GateOutcome::Held, (3, 3), 0));
    assert_eq!(outcome(&held, "errors < 1%"), (GateOutcome::Held, (3, 3), 0));
}

fn regressions(before: Summary, now: Summary, limit: &str) -> Vec<GateCheck> {
    let runs = [("baseline", before), ("run", now)];
    let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec();
    let pairs = [(runs[0].target_name("a"), Some(runs[1].target_name("a")))];
    gate::checks(&Summary::beside(runs), &pairs, &[RegressionLimit::parse(limit).expect("a limit")])
}

#[test]
fn times_are_compared_where_both_runs_held_the_rate() {
    let of = |before: Summary, now: Summary| {
        let check = regressions(before, now, "p99 20%").remove(0);
        let unheld: Vec<String> = check
            .unheld
            .iter()
            .map(|cell| format!("{}{}", label(&cell.axes), if cell.is_lost { " lost" } else { "" }))
            .collect();
        (check.outcome, check.comparison.map(|c| c.cells.len()), unheld.join(", "))
    };
    let at = |rates: &str, most: f64, ms: f64| server(rates, move |_| most, ms);
    let none = String::new;
    assert_eq!(of(at("[200]", 300.0, 10.0), at("[200]", 300.0, 10.5)), (GateOutcome::Held, Some(1), none()));
    // Its p99 is no longer than before, and of a part of the starts only.
    let lost = of(at("[200]", 300.0, 10.0), at("[200]", 100.0, 10.0));
    assert_eq!(lost, (GateOutcome::Exceeded, None, "load.rate 200 lost".to_owned()));
    let never = of(at("[200]", 100.0, 10.0), at("[200]", 100.0, 60.0));
    assert_eq!(never, (GateOutcome::Undecided, None, "load.rate 200".to_owned()));
    // A sweep ends beyond what a server can do.
    let sweep = of(at("[50, 200, 800]", 300.0, 10.0), at("[50, 200, 800]", 300.0, 10.0));
    assert_eq!(sweep, (GateOutcome::Undecided, Some(2), "load.rate 800".to_owned()));
    let worse = of(at("[50, 200, 800]", 300.0, 10.0), at("[50, 200, 800]", 300.0, 20.0));
    assert_eq!(worse, (GateOutcome::Exceeded, Some(2), "load.rate 800".to_owned()));
    // One of three repeats does not show that the rate is lost.
    let once = of(at("[200]", 300.0, 10.0), server("[200]", |t| if t.repeat == 2 { 100.0 } else { 300.0 }, 10.0));
    assert_eq!(once, (GateOutcome::Undecided, None, "load.rate 200".to_owned()));
}

#[test]
fn a_history_marks_times_of_a_rate_that_was_not_held() {
    let runs = [300.0, 100.0].map(|most| server("[200]", move |_| most, 10.0));
    let of = |figure: Option<Figure>| {
        let all = history::of(&runs, figure);
        (all[0].held.clone(), [0, 1].map(|place| all[0].is_behind(place)))
    };
    let held = vec![Some(true), Some(false)];
    assert_eq!(of(None), (held.clone(), [false, true]));
    assert_eq!(of(Some(Figure::Transactions)), (held, [false, false]), "that is what was done");
}

/// 23 transactions end in a second, and as many fall due.
fn second_of(due: u64, ms: u64) -> Tally {
    let mut tally = tpcc::decks(1, ms);
    tally.accounting.scheduled = due;
    tally.accounting.open = due as i64 - 23;
    tally
}

/// How many orders there are at a rate is what was asked for; what is found is how long they take, and whether it is held.
#[test]
fn tpcc_at_a_rate_is_asked_what_every_rate_is() {
    let at = |rate: u64, ms: u64| {
        let load = format!("clients = 16\nrate = {rate}\narrivals = \"even\"");
        tpcc::run("warehouses = 10", &load, 60, move |_| second_of(rate, ms))
    };
    let behind = at(100, 5);
    assert_eq!(behind.questions("e"), [Question::NewOrdersAtRate]);
    let text = told(&behind);
    assert!(
        text.contains("one did not hold the rate: of 100 transactions per second requested it completed 23"),
        "{text}"
    );
    let compared = |one: Summary, other: Summary| {
        let runs = [("before", one), ("after", other)];
        told(&Summary::compared(runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary }).to_vec()))
    };
    let queue = compared(at(100, 5), at(100, 50));
    assert!(queue.contains("did not hold the rate") && queue.contains("Response times are not compared"), "{queue}");
    assert!(!queue.contains('×'), "{queue}");
    let held = compared(at(23, 5), at(23, 50));
    assert!(held.contains("held the rate of 23 transactions per second"), "{held}");
    assert!(held.contains("the p99 response time of") && held.contains("those of New-Orders"), "{held}");
    assert!(!held.contains("New-Orders per minute of"), "what was asked for is no result: {held}");
}

#[test]
fn a_search_of_tpcc_judges_the_times_of_new_orders() {
    let search = "clients = 2\n[experiment.search]\nuntil = \"p99 < 60ms\"\nvary = \"clients\"\nto = 2\n";
    let slow_payments = |_| {
        let mut all = tpcc::decks(10, 5);
        let payments = all.transactions.get_mut("payment").unwrap();
        payments.response = Default::default();
        payments.response.record_n(80_000_000, payments.completed);
        all
    };
    let mut summary = tpcc::run("warehouses = 1", search, 10, slow_payments);
    summary.trials[0].trial.search.as_mut().unwrap().level = Some(2.0);
    let result = tenbin_verdict::limit::of(&summary).remove(0);
    let level = &result.levels[0];
    assert!(level.time_ns.is_some_and(|ns| (4e6..6e6).contains(&ns)), "{level:?}");
    assert_eq!((level.held, level.failed, result.holds), (1, 0, Some(2.0)));
    // 300 New-Orders are 690 transactions.
    assert_eq!((level.completed, level.needed), (2300, 690));
    assert!(
        result.sentence().english().contains("p99 < 60ms (times of New-Orders)"),
        "{}",
        result.sentence().english()
    );
}

/// The percentile that is compared and limited is that of New-Orders, of which there are fewer than of all transactions.
#[test]
fn the_samples_of_tpcc_are_its_new_orders() {
    let few = |seconds: u64| {
        let summary = tpcc::run("warehouses = 1", "clients = 2", seconds, |_| tpcc::decks(5, 5));
        let doubts = summary.trials[0].doubts().iter().filter(|d| d.code == "few-samples");
        doubts
            .map(|d| d.problem.evidence.as_ref().map_or("", |evidence_text| evidence_text.english()).to_owned())
            .collect::<String>()
    };
    // 1,150 transactions, and 2,300.
    assert_eq!([few(10), few(20)], ["500 New-Orders completed; p99 wants 1,000", ""]);
}
