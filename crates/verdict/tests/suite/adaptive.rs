//! Plans that end when enough is known: how often they are wrong, and how much time they save. All figures are simulated.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use crate::common::trials::{TWO, trials};
use crate::finished::finished;
use tenbin_verdict::compared::Compared;

use std::collections::BTreeMap;
use tenbin_model::event::{EndState, Event, Phase};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::precision::{MeasureUntil, Precision, WindowCourse};
use tenbin_model::question::Question;
use tenbin_model::random::SplitMix;
use tenbin_model::statistics;
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::trial::Trial;
use tenbin_verdict::agenda::{self, Agenda, FixedOrder};

#[test]
fn a_fixed_order_is_run_as_the_plan_has_it() {
    let matrix = format!("{TWO} order = \"random-block\"\n[experiment.matrix]\nload.clients = [1, 2, 4]\n");
    for text in [TWO, &matrix] {
        let all = trials(text);
        let agenda = FixedOrder::of(all.clone());
        // `run`: whether each ends before the next is asked for, or all are asked for at once.
        for run in [true, false] {
            let (mut summary, mut planned) = (Summary::default(), Vec::new());
            while let Some(trial) = agenda.next(&summary) {
                assert_eq!(agenda.expected(&summary) as usize, all.len());
                summary.take(&Event::TrialPlanned { planned: Box::new(trial.clone()), expected: 0 });
                if run {
                    drive(&trial, 1000.0).iter().for_each(|event| summary.take(event));
                    assert!(summary.trials.iter().all(|t| t.state == Some(EndState::Complete)));
                }
                planned.push(trial);
            }
            assert_eq!(planned, all);
        }
    }
}

/// The events of a trial of ten seconds with this throughput.
fn drive(trial: &Trial, tps: f64) -> Vec<Event> {
    let (number, start) = (trial.number, u64::from(trial.number) * 100_000_000_000);
    let completed = (tps * 10.0) as u64;
    let mut t = TransactionTally { completed, ..TransactionTally::default() };
    t.response.record_n((8e9 / tps) as u64, completed);
    t.service.record_n((8e9 / tps) as u64, completed);
    let mut tally = Tally::default();
    (tally.accounting.scheduled, tally.accounting.completed) = (completed, completed);
    tally.transactions.insert("t".into(), t);
    let to_ns = start + 10_000_000_000;
    let (phase, per_client, clients) = (Phase::Measure, Default::default(), trial.load.clients);
    vec![
        Event::TrialStarted { trial: number, at_ns: start },
        Event::Interval { trial: number, phase, from_ns: start, to_ns, clients, tally, completions: None, per_client },
        finished(number, to_ns, (start, to_ns)),
    ]
}

/// A run on this many targets, of which the second is faster by this factor; runs differ by 1.5 %.
fn run(targets: usize, faster: f64, repeats: &str, random: &mut SplitMix) -> Summary {
    run_with(targets, repeats, |trial| {
        let level = if trial.target.place == 1 { 10_000.0 * faster } else { 10_000.0 };
        level * (1.0 + 0.015 * random.normal())
    })
}

/// A run on this many targets whose trials have the throughput that is given.
fn run_with(targets: usize, repeats: &str, mut tps: impl FnMut(&Trial) -> f64) -> Summary {
    let names: String = (0..targets).map(|n| format!("[targets.t{n}]\ndsn = \"mysql://a@t{n}.example/d\"\n")).collect();
    let plan = format!(
        "schema = 1\n{names}[datasets.d]\n[[experiment]]\nrepeats = {repeats}\nwarmup = \"0s\"\nmeasure = \"10s\"\n\
         interval = \"10s\"\nload = {{ workload = \"oltp_read_only\", clients = 8 }}\n"
    );
    let trials = expand(&Plan::parse(&plan, &common::catalog()).unwrap());
    let agenda = agenda::of_plan(trials);
    let mut summary = Summary::default();
    let mut done = 0;
    loop {
        while let Some(trial) = agenda.next(&summary) {
            summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected: 1 });
        }
        let Some(trial) = summary.trials.get(done).map(|t| t.trial.clone()) else { return summary };
        drive(&trial, tps(&trial)).iter().for_each(|event| summary.take(event));
        done += 1;
    }
}

fn shows_difference(summary: &Summary) -> bool {
    let experiment = summary.experiments()[0].to_owned();
    let compared = summary.comparisons(&experiment, Question::Throughput, Question::Throughput.figure());
    assert!(!compared.is_empty());
    compared.iter().any(|c| c.shows_difference())
}

#[test]
fn equal_targets_are_told_apart_in_at_most_one_of_twenty_runs_that_stop_early() {
    let mut random = SplitMix(1);
    let mut report = BTreeMap::new();
    for targets in [2, 3, 5] {
        let mut wrong = 0;
        let mut early = 0;
        for _ in 0..200 {
            let summary = run(targets, 1.0, "{ min = 3, max = 8, until = \"ci(tps) < 3%\" }", &mut random);
            wrong += u32::from(shows_difference(&summary));
            early += u32::from(summary.trials.len() < 8 * targets);
        }
        report.insert(targets, (wrong, early));
    }
    assert!(report.values().all(|(wrong, early)| *wrong <= 10 && *early > 20), "{report:?}");
}

/// Transactions per second of 120 trials of 3 s on equal servers, one after another: point selects by four clients on five private
/// MariaDB servers, recorded on two cores on which others compiled. They differ by up to a factor of four, and neighbours are alike.
#[rustfmt::skip]
const RECORDED: [f64; 120] = [
    55_048.0, 47_298.0, 49_207.0, 73_825.0, 56_581.0, 46_639.0, 71_449.0, 70_967.0, 49_101.0, 43_614.0, 63_680.0, 41_154.0,
    67_223.0, 73_081.0, 58_405.0, 75_601.0, 97_081.0, 61_936.0, 61_946.0, 62_076.0, 55_364.0, 57_310.0, 68_618.0, 80_844.0,
    71_386.0, 59_486.0, 62_034.0, 101_501.0, 73_269.0, 65_102.0, 52_406.0, 39_718.0, 24_640.0, 58_216.0, 59_526.0, 46_340.0,
    27_091.0, 73_817.0, 83_563.0, 61_302.0, 51_327.0, 66_820.0, 39_680.0, 60_489.0, 31_422.0, 59_504.0, 38_245.0, 57_933.0,
    52_043.0, 59_661.0, 45_733.0, 61_418.0, 49_332.0, 51_745.0, 63_350.0, 50_931.0, 72_369.0, 52_838.0, 52_987.0, 54_470.0,
    52_204.0, 72_292.0, 54_655.0, 66_830.0, 59_022.0, 72_260.0, 107_235.0, 91_064.0, 108_855.0, 50_867.0, 46_973.0, 60_041.0,
    74_935.0, 76_753.0, 25_274.0, 32_180.0, 44_623.0, 50_127.0, 60_315.0, 71_804.0, 63_381.0, 54_741.0, 69_644.0, 75_846.0,
    47_970.0, 60_520.0, 53_428.0, 55_417.0, 63_127.0, 59_124.0, 48_902.0, 78_507.0, 54_554.0, 60_097.0, 52_214.0, 52_674.0,
    55_459.0, 50_805.0, 40_687.0, 55_515.0, 50_935.0, 65_182.0, 63_670.0, 51_098.0, 55_298.0, 65_434.0, 53_088.0, 45_672.0,
    53_119.0, 52_423.0, 71_332.0, 62_019.0, 62_390.0, 49_353.0, 60_844.0, 49_463.0, 109_420.0, 63_825.0, 64_544.0, 75_749.0,
];

#[test]
fn equal_targets_are_told_apart_in_at_most_one_of_twenty_recorded_runs() {
    let mut random = SplitMix(5);
    let mut report = BTreeMap::new();
    for targets in [2, 3, 5] {
        for repeats in ["5", "{ min = 3, max = 8, until = \"ci(tps) < 3%\" }"] {
            let wrong = (0..200).filter(|_| {
                // A part of the series, in the order of the run's trials: which of the equal servers is which is chance.
                let start = (random.uniform() * (RECORDED.len() - 8 * targets) as f64) as usize;
                let mut part = RECORDED[start..].iter();
                shows_difference(&run_with(targets, repeats, |_| *part.next().unwrap()))
            });
            report.insert((targets, repeats), wrong.count());
        }
    }
    // 5 % of 200, and two standard deviations of what chance adds to a rate of 5 %. In 2,000 runs of each kind it was at most 5.3 %.
    assert!(report.values().all(|wrong| *wrong <= 16), "{report:?}");
}

#[test]
fn a_real_difference_is_found_by_runs_that_stop_early() {
    let mut random = SplitMix(2);
    let times = (0..100)
        .filter(|_| shows_difference(&run(2, 1.10, "{ min = 3, max = 8, until = \"ci(tps) < 3%\" }", &mut random)))
        .count();
    assert!(times >= 80, "10 % was found in {times} of 100");
}

#[test]
fn an_hour_is_known_to_two_percent_in_a_fifth_of_it() {
    let until = MeasureUntil { min_ms: 60_000, until: Precision::parse("ci(tps) < 2%").unwrap() };
    let (mut stopped, mut right) = (0, 0);
    for seed in 0..100 {
        let mut random = SplitMix(1000 + seed);
        // Seconds that depend on the one before, 5 % apart, and half a minute of warm-up.
        let mut last = 0.0;
        let series: Vec<f64> = (0..3600)
            .map(|s| {
                last = 0.6 * last + 0.8 * random.normal();
                let level = if s < 30 { 700.0 + 10.0 * f64::from(s) } else { 1000.0 };
                level + 50.0 * last
            })
            .collect();
        let hour = statistics::mean(&series[30..]).unwrap();
        let mut course = WindowCourse::new(until, 3_600_000);
        let end = (0..3600u64)
            .find(|s| course.take(s * 1_000_000_000, (s + 1) * 1_000_000_000, series[*s as usize].max(0.0) as u64));
        if let Some(end) = end.filter(|end| *end <= 720) {
            stopped += 1;
            right += u32::from((statistics::mean(&series[..=end as usize]).unwrap() / hour - 1.0).abs() <= 0.025);
        }
    }
    assert!(
        stopped >= 90 && right >= 95 * stopped / 100,
        "{stopped} of 100 ended in a fifth, {right} of them within 2.5 %"
    );
}

#[test]
fn five_percent_are_found_at_the_default_repeats_where_runs_differ_by_one() {
    for (repeats, spread) in [("3", 0.01), ("5", 0.02), ("10", 0.03)] {
        let mut random = SplitMix(77);
        let mut tps = |trial: &Trial| {
            let level = if trial.target.place == 1 { 10_500.0 } else { 10_000.0 };
            level * (1.0 + spread * random.normal())
        };
        let times = (0..100).filter(|_| shows_difference(&run_with(2, repeats, &mut tps))).count();
        assert!(times >= 75, "{repeats} repeats that differ by {spread}: found in {times} of 100");
    }
}
