//! Targets that are driven at the same time: which plans may do it, and what their ratio is made of.

use crate::common;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::{ClientsBeside, EndState, Event, FORMAT, Phase, Severity};
use tenbin_model::figures::Figure;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::question::Question;
use tenbin_model::random::SplitMix;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_verdict::answer::answer;
use tenbin_verdict::compared::Compared;
use tenbin_verdict::comparison::DuetUnit;
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

const SECOND: u64 = 1_000_000_000;

fn plan(targets: &str, more: &str) -> String {
    format!(
        "schema = 1\n{targets}\n[[experiment]]\nname = \"e\"\norder = \"duet\"\nmeasure = \"60s\"\nwarmup = \"0s\"\n\
         load = {{ workload = \"oltp_read_write\" }}\n{more}\n"
    )
}

const APART: &str = "[targets.a]\ndsn = \"mysql://u@h1/db\"\n[targets.b]\ndsn = \"mysql://u@h2/db\"";

fn refused(targets: &str, more: &str) -> String {
    of_text(&plan(targets, more))
}

fn of_text(text: &str) -> String {
    match Plan::parse(text, &common::catalog()) {
        Ok(_) => "permitted".to_owned(),
        Err(problems) => {
            problems.iter().map(|problem| problem.what.english().to_owned()).collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn targets_on_one_machine_and_loads_of_unequal_length_are_refused() {
    let both = |a: &str, b: &str| format!("[targets.a]\n{a}\n[targets.b]\n{b}");
    let allow = "\nallow = [\"shared-machine\"]";
    let sandbox = "sandbox = \"mariadbd\"";
    let ssh = |place: &str| format!("dsn = \"mysql://u@127.0.0.1:33060/db\"\nhost = \"ssh://{place}\"");
    let all = [
        refused(APART, ""),
        refused(&both(sandbox, sandbox), ""),
        refused(&both(&format!("{sandbox}{allow}"), &format!("{sandbox}{allow}")), ""),
        refused(&both(&format!("{sandbox}{allow}"), sandbox), ""),
        refused(&both("dsn = \"mysql://u@127.0.0.1/db\"", "sandbox = \"sqlite\""), ""),
        refused(&both("dsn = \"mysql://u@db.example/x\"", "dsn = \"postgres://u@DB.example:5433/x\""), ""),
        // One of them is here, where the clients are.
        refused(&both("dsn = \"mysql://u@127.0.0.1/db\"", "dsn = \"mysql://u@far/db\""), ""),
        refused(&both(&format!("dsn = \"mysql://u@127.0.0.1/db\"{allow}"), "dsn = \"mysql://u@far/db\""), ""),
        // Tunnels.
        refused(&both(&ssh("one"), &ssh("two").replace("33060", "33061")), ""),
        refused(&both(&ssh("one"), &ssh("me@ONE").replace("33060", "33061")), ""),
        // Whatever is permitted.
        refused(&both(&format!("dsn = \"mysql://u@h/x\"{allow}"), &format!("dsn = \"mysql://u@H:3306/y\"{allow}")), ""),
        refused("[targets.a]\ndsn = \"mysql://u@h/db\"", ""),
        refused(&format!("{APART}\n[targets.c]\ndsn = \"mysql://u@h3/db\""), ""),
        refused(&format!("{APART}\n[targets.c]\ndsn = \"postgres://u@h2/db\""), ""),
        refused(APART, "search = \"p99 < 20ms\""),
        refused(APART, "compare = \"load.clients\"\nmatrix.load.clients = [1, 2]"),
        of_text(&plan(APART, "").replace("warmup = \"0s\"", "warmup = \"auto\"")),
        of_text(&plan(APART, "").replace(" }", ", operations = 1000 }")),
        of_text(&plan(APART, "").replace(" }", ", rate = 100 }")),
        refused(&format!("{APART}\n[hosts]\ncount = 2"), ""),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    permitted
    line 6, column 1: targets a and b share a machine (localhost): driven at the same time they would disturb each other
    permitted
    line 7, column 1: targets a and b share a machine (localhost): driven at the same time they would disturb each other
    line 6, column 1: targets a and b share a machine (localhost): driven at the same time they would disturb each other
    line 6, column 1: targets a and b share a machine (db.example): driven at the same time they would disturb each other
    line 6, column 1: target a is on the machine of the clients, which drive all targets at the same time
    permitted
    permitted
    line 8, column 1: targets a and b share a machine (one): driven at the same time they would disturb each other
    line 8, column 1: targets a and b are the same server: two trials at the same time would use each other's tables and memory
    line 4, column 1: order = "duet" drives at least two targets at the same time, and there is one
    permitted
    line 8, column 1: targets b and c share a machine (h2): driven at the same time they would disturb each other
    line 6, column 1: order = "duet" drives the targets of a cell at the same time; the levels of a search and the values of an axis follow one another
    line 6, column 1: order = "duet" drives the targets of a cell at the same time; the levels of a search and the values of an axis follow one another
    line 6, column 1: order = "duet" needs a warm-up and a measurement of fixed lengths and clients that do not end by themselves, so that all targets are driven for the same time
    line 6, column 1: order = "duet" needs a warm-up and a measurement of fixed lengths and clients that do not end by themselves, so that all targets are driven for the same time
    permitted
    line 6, column 1: order = "duet" is driven by this process, and not by load hosts
    "#);
}

#[test]
fn the_trials_of_a_pair_follow_one_another_and_take_the_time_of_one() {
    let plan = Plan::parse(&plan(APART, "repeats = 3\nmatrix.load.clients = [1, 8]"), &common::catalog()).unwrap();
    let trials = expand(&plan);
    assert!(trials.iter().all(|t| t.duet));
    for pair in trials.chunks(2) {
        let [a, b] = pair else { panic!("{pair:?}") };
        assert_eq!((a.cell, a.repeat, a.seed), (b.cell, b.repeat, b.seed));
        assert_ne!(a.target.name, b.target.name);
    }
    assert_eq!(tenbin_model::plan::outline(&trials, |_| 0).driven_ms, 6 * 60_000);
}

/// A run of a duet whose targets complete this in each second: noise that both have, times their speed.
fn run(targets: &str, repeats: u32, speed: [f64; 2], seed: u64) -> Summary {
    let plan = Plan::parse(&plan(targets, &format!("repeats = {repeats}")), &common::catalog()).expect("a plan");
    let trials = expand(&plan);
    let (name, tool, started) = ("run".to_owned(), "0.0.0".to_owned(), "2026-11-23T00:00:00Z".to_owned());
    let mut all = vec![Event::RunStarted { format: FORMAT, name, tool, started, plan: plan.text.clone() }];
    let expected = trials.len() as u32;
    all.extend(trials.iter().map(|t| Event::TrialPlanned { planned: Box::new(t.clone()), expected }));
    let mut random = SplitMix(seed);
    for (place, pair) in trials.chunks(2).enumerate() {
        let from = (1 + 100 * place as u64) * SECOND;
        let (mut common, mut courses) = (0.0f64, Vec::new());
        for _ in 0..60 {
            common = 0.9 * common + 0.05 * random.normal();
            courses.push(common);
        }
        for t in pair {
            let trial = t.number;
            all.push(Event::TrialStarted { trial, at_ns: from - SECOND / 2 });
            all.push(Event::PhaseStarted { trial, phase: Phase::Measure, at_ns: from });
            for (second, common) in courses.iter().enumerate() {
                let own = 0.02 * random.normal();
                let completed = (1000.0 * speed[t.target.place as usize] * (common + own).exp()) as u64;
                let from_ns = from + second as u64 * SECOND;
                let mut of_all = TransactionTally { completed, ..TransactionTally::default() };
                for times in [&mut of_all.response, &mut of_all.service, &mut of_all.wait] {
                    times.record_n(1_000_000, completed);
                }
                let mut tally = Tally::default();
                (tally.accounting.completed, tally.accounting.scheduled) = (completed, completed);
                tally.transactions.insert("t".into(), of_all);
                let (phase, completions, per_client) = (Phase::Measure, None, Default::default());
                let to_ns = from_ns + SECOND;
                all.push(Event::Interval { trial, phase, from_ns, to_ns, clients: 1, tally, completions, per_client });
            }
        }
        for t in pair {
            all.push(Event::TrialFinished {
                trial: t.number,
                at_ns: from + 61 * SECOND,
                state: EndState::Complete,
                measured_from_ns: from,
                measured_to_ns: from + 60 * SECOND,
                client_cpu_ns: SECOND,
                workers: 1,
                per_client: Default::default(),
                client_halts: Default::default(),
                oldest_open_ns: None,
                beside: Default::default(),
            });
        }
    }
    all.push(Event::RunFinished { at_ns: 1000 * SECOND, state: EndState::Complete });
    Summary::of(&all)
}

const SHARED: &str = "[targets.a]\ndsn = \"mysql://u@h1/db\"\nallow = [\"shared-machine\"]\n\
    [targets.b]\ndsn = \"mysql://u@h1:3307/db\"\nallow = [\"shared-machine\"]";

#[test]
fn one_duet_tells_what_pairs_of_runs_cannot() {
    let summary = run(APART, 1, [1.0, 1.03], 1);
    let contrasts = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    let [c] = contrasts.as_slice() else { panic!("{contrasts:?}") };
    let done = |name: &str| {
        summary.trials.iter().filter(|t| t.trial.target.name == name).map(|t| t.tally.accounting.completed).sum::<u64>()
    };
    // Counted in another way: all that both completed.
    assert!((c.ratio - done("b") as f64 / done("a") as f64).abs() < 1e-3, "{c:?}");
    let i = c.confidence.unwrap();
    assert!(
        c.duet == Some(DuetUnit::Instants) && c.pairs == 1 && c.shows_difference() && i.low < 1.03 && i.high > 1.03,
        "{c:?}"
    );
    let sentence = answer(&summary);
    assert!(sentence.english().contains("1 pair of runs at the same time"), "{}", sentence.english());
    assert!(conditions(&summary).unwrap().english().contains("targets driven at the same time;"));
    let shared = run(SHARED, 1, [1.0, 1.03], 1);
    let text = conditions(&shared).unwrap();
    assert!(text.english().contains("driven at the same time, permitted to share a machine"), "{}", text.english());
    // Times are compared by pairs of runs: with one there is no interval.
    let times = summary.comparisons("e", Question::Throughput, Figure::Percentile(990));
    assert!(times.iter().all(|c| c.confidence.is_none()), "{times:?}");
}

#[test]
fn a_pair_of_which_one_target_died_is_in_no_ratio_and_runs_that_are_put_together_are_no_duet() {
    let mut summary = run(APART, 3, [1.0, 1.5], 2);
    let dead = summary.trials.iter().position(|t| t.trial.target.name == "b").unwrap();
    summary.trials[dead].state = Some(EndState::Failed);
    let contrasts = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    assert_eq!(contrasts[0].pairs, 2, "{contrasts:?}");
    // The other one of that pair was at work alone.
    let alone = summary.trials.iter().find(|t| t.trial.target.name == "a" && t.trial.repeat == 2).unwrap().trial.number;
    let problem = Problem::new(msg!("duet-driven-alone", targets = "b"));
    summary.take(&Event::Note { trial: alone, at_ns: 0, severity: Severity::Warning, problem });
    let trial = summary.trial(alone).unwrap();
    assert_eq!(trial.verdict(), Verdict::Invalid, "{:?}", trial.doubts());
    assert!(trial.doubts().iter().any(|doubt| doubt.code == "driven-alone"));
    let contrasts = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    assert!(contrasts[0].pairs <= 2, "{contrasts:?}");
    // Of three targets one is missing: the others were still driven at the same time.
    let other =
        summary.trials.iter().find(|t| t.trial.target.name == "a" && t.trial.number != alone).unwrap().trial.number;
    let problem = Problem::new(msg!("duet-driven-without", targets = "c"));
    summary.take(&Event::Note { trial: other, at_ns: 0, severity: Severity::Warning, problem });
    assert!(summary.trial(other).unwrap().doubts().iter().any(|doubt| doubt.code == "fewer-targets"));
    // Targets of two runs were not driven at the same time.
    let stored = |label: &str, seed| StoredRun { label: label.to_owned(), summary: run(APART, 3, [1.0, 1.5], seed) };
    let both = Summary::compared(vec![stored("before", 3), stored("after", 4)]);
    assert!(both.trials.iter().all(|t| !t.trial.duet));
    let contrasts = both.comparisons("e", Question::Throughput, Figure::Transactions);
    assert!(!contrasts.is_empty() && contrasts.iter().all(|c| c.duet.is_none()), "{contrasts:?}");
}

#[test]
fn processors_are_those_of_the_clients_of_each_target() {
    let (summary, cores) = (run(APART, 1, [1.0, 1.0], 5), [("cores".to_owned(), "2".to_owned())]);
    let evidence_of = |own_s: u64, workers: u32, beside: ClientsBeside| -> Vec<String> {
        let mut summary = summary.clone();
        summary.take(&Event::Facts { trial: 0, about: "client".into(), facts: cores.clone().into() });
        let mut events = vec![Event::TrialStarted { trial: 1, at_ns: 0 }];
        events.push(Event::TrialFinished {
            trial: 1,
            at_ns: 62 * SECOND,
            state: EndState::Complete,
            measured_from_ns: SECOND,
            measured_to_ns: 61 * SECOND,
            client_cpu_ns: own_s * SECOND,
            workers,
            per_client: Default::default(),
            client_halts: Default::default(),
            oldest_open_ns: None,
            beside,
        });
        events.iter().for_each(|event| summary.take(event));
        let busy = summary.trial(1).unwrap().doubts().iter().filter(|doubt| doubt.code == "client-busy").cloned();
        busy.map(|doubt| {
            doubt.problem.evidence.map(|evidence_text| evidence_text.english().to_owned()).unwrap_or_default()
        })
        .collect()
    };
    let beside = |cpu_s: u64, workers| ClientsBeside { cpu_ns: cpu_s * SECOND, workers };
    // A minute: the one thread of this target has all of its processor, and the other target little.
    assert_eq!(
        evidence_of(58, 1, beside(10, 1)),
        [
            "for this target Tenbin used 0.97 of the 1 cores its 1 worker can use, and for the other targets of the duet 0.17, of 2 in all"
        ]
    );
    // It is the other way round: its own clients are not the limit.
    assert_eq!(evidence_of(10, 1, beside(58, 1)), Vec::<String>::new());
    // None is busy by itself, and the machine is.
    assert_eq!(evidence_of(54, 2, beside(54, 2)).len(), 1);
    // The time of threads is not known: all are in the first figure.
    assert_eq!(evidence_of(70, 1, beside(0, 1)), Vec::<String>::new());
    assert_eq!(evidence_of(110, 1, beside(0, 1)).len(), 1);
}
