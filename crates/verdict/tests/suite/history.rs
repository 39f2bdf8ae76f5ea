//! Figures over the stored runs of a plan.

use crate::answers::run;

use tenbin_model::continued::{are_continued, common_trials};
use tenbin_model::figures::Figure;
use tenbin_model::summary::Summary;
use tenbin_model::tally::Tally;
use tenbin_verdict::history::{self, Absence};

fn summary(load: &str) -> Summary {
    let plan = format!(
        "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[[experiment]]\nname = \"e\"\nmeasure = \"10s\"\nrepeats = 2\n{load}\n"
    );
    run(&plan, &|_| (1000.0, 2.0, 10.0))
}

#[test]
fn runs_have_the_figures_of_their_loads_and_no_others() {
    let oltp = [summary("load.workload = \"oltp_read_write\"")];
    let of = |figure| history::of(&oltp, figure).into_iter().map(|history| history.figure).collect::<Vec<_>>();
    assert_eq!((of(None), of(Some(Figure::Transactions))), (vec![Figure::Transactions], vec![Figure::Transactions]));
    assert_eq!(of(Some(Figure::Percentile(990))), [Figure::Percentile(990)]);
    // Neither 0 New-Orders per minute nor the length of the window.
    for figure in [Figure::NewOrders, Figure::Seconds] {
        assert_eq!(of(Some(figure)), []);
        assert_eq!(history::absence(&oltp, Some(figure)), Absence::Figure(figure));
    }
    // A run that has it is in the history, whatever others have.
    let load = "load = { workload = \"slap\", queries = 10000 }";
    let both = [summary("load.workload = \"oltp_read_write\""), summary(load)];
    let seconds = history::of(&both, Some(Figure::Seconds));
    assert!(seconds.len() == 1 && seconds[0].values == [(1, 10.0)], "{seconds:?}");
}

#[test]
fn runs_without_a_history_say_why() {
    let mut searched = summary("load.workload = \"oltp_read_write\"");
    let search = tenbin_model::search::Search {
        vary: tenbin_model::search::Varied::Rate,
        until: tenbin_model::search::Objective::parse("p99 < 20ms").expect("it is one"),
        from: 100.0,
        to: None,
        trials: 4,
        cell: 1,
        level: Some(100.0),
    };
    searched.trials.iter_mut().for_each(|t| t.trial.search = Some(search.clone()));
    let mut unbegun = summary("load.workload = \"oltp_read_write\"");
    unbegun.trials.iter_mut().for_each(|t| t.begun = false);
    for (run, why) in [(searched, Absence::Searches), (unbegun, Absence::Results)] {
        let runs = [run];
        for figure in [None, Some(Figure::Transactions)] {
            assert_eq!((history::of(&runs, figure), history::absence(&runs, figure)), (Vec::new(), why));
        }
    }
}

/// A run that continues another one begins with its trials as they were measured.
#[test]
fn a_run_and_its_continuation_are_one_measurement() {
    let plan = "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[[experiment]]\nmeasure = \"10s\"\nrepeats = 2\nload.workload = \"oltp_read_write\"\n";
    let at = |tps: f64| run(plan, &|_| (tps, 2.0, 10.0));
    let (whole, other) = (at(1000.0), at(1100.0));
    let mut stopped = whole.clone();
    stopped.trials[1].tally = Tally::default();
    let mut unmeasured = whole.clone();
    unmeasured.trials.iter_mut().for_each(|t| (t.state, t.window_ns, t.tally) = (None, (0, 0), Tally::default()));
    assert_eq!([&whole, &other, &unmeasured].map(|run| common_trials(&stopped, run)), [1, 0, 0]);
    assert_eq!(common_trials(&unmeasured, &unmeasured), 0, "nothing was measured");
    let runs = [stopped, other.clone(), whole.clone(), unmeasured, whole];
    assert_eq!(are_continued(&runs), [true, false, true, false, false], "of three of a chain the newest is left");
    assert_eq!(are_continued(&[other]), [false]);
}
