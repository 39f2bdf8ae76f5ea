//! What an agenda may do besides a fixed order, through the same run: add repeats until they agree, and go on with an
//! earlier run.

use crate::fake::{Happening, Script, When, told_by, told_from, trials};
use crate::{BOTH, ONE, plan};
use tenbin_model::summary::Summary;
use tenbin_model::trial::Trial;
use tenbin_verdict::agenda::{self, Agenda, FixedOrder};

/// One cell, repeated until its mean is known to a tenth, at most `most` times.
struct UntilSteady {
    first: Trial,
    most: u32,
}

impl UntilSteady {
    fn is_steady(tps: &[f64]) -> bool {
        let n = tps.len() as f64;
        let mean = tps.iter().sum::<f64>() / n;
        let variance = tps.iter().map(|tps| (tps - mean).powi(2)).sum::<f64>() / (n - 1.0);
        tps.len() > 1 && (variance / n).sqrt() < mean / 10.0
    }
}

impl Agenda for UntilSteady {
    fn next(&self, summary: &Summary) -> Option<Trial> {
        let tps: Vec<f64> = summary.trials.iter().filter(|t| t.state.is_some()).map(|t| t.tps()).collect();
        let repeat = tps.len() as u32 + 1;
        // One at a time: the last one shows whether another is wanted.
        let wanted = summary.trials.len() == tps.len() && repeat <= self.most && !Self::is_steady(&tps);
        wanted.then(|| Trial { number: repeat, repeat, ..self.first.clone() })
    }

    fn expected(&self, summary: &Summary) -> u32 {
        (summary.trials.len() as u32 + 1).max(2)
    }
}

#[test]
fn repeats_are_added_until_they_agree() {
    let first = trials(&plan(ONE, "repeats = 1\nrestore = \"never\"")).remove(0);
    let agenda = UntilSteady { first, most: 9 };
    // The second is twice as slow, the others are as fast as the first.
    let slow = Script { service_ms: |t| if t.repeat == 2 { 200 } else { 100 }, ..Script::default() };
    let (text, _) = told_by(&agenda, slow);
    insta::assert_snapshot!(planned_and_ended(&text), @r"
    run
    planned 1 of 2: a 1
    0 trial 1
    1405 Complete, measured 400-1400
    planned 2 of 2: a 2
    1405 trial 2
    2410 Complete, measured 1405-2405
    planned 3 of 3: a 3
    2410 trial 3
    3415 Complete, measured 2410-3410
    planned 4 of 4: a 4
    3415 trial 4
    4420 Complete, measured 3415-4415
    planned 5 of 5: a 5
    4420 trial 5
    5425 Complete, measured 4420-5420
    planned 6 of 6: a 6
    5425 trial 6
    6430 Complete, measured 5425-6425
    planned 7 of 7: a 7
    6430 trial 7
    7435 Complete, measured 6430-7430
    7435 run Complete
    => Complete
    ");
    let (text, _) = told_by(&agenda, Script::default());
    insta::assert_snapshot!(planned_and_ended(&text), @r"
    run
    planned 1 of 2: a 1
    0 trial 1
    1405 Complete, measured 400-1400
    planned 2 of 2: a 2
    1405 trial 2
    2410 Complete, measured 1405-2405
    2410 run Complete
    => Complete
    ");
}

#[test]
fn a_run_that_was_stopped_is_continued_after_its_last_whole_trial() {
    let trials = trials(&plan(BOTH, "repeats = 2\nrestore = \"never\""));
    let stopped = Script { happens: vec![(When::Behind("trial 3"), Happening::Stop)], ..Script::default() };
    let agenda = FixedOrder::of(trials);
    let (text, earlier) = told_by(&agenda, stopped);
    insta::assert_snapshot!(planned_and_ended(&text), @"
    run
    planned 1 of 4: a 1
    planned 2 of 4: b 1
    planned 3 of 4: b 2
    planned 4 of 4: a 2
    0 trial 1
    1405 Complete, measured 400-1400
    1405 trial 2
    2810 Complete, measured 1805-2805
    2810 trial 3
    2810 Partial, measured 0-0
    2810 run Partial
    => Partial
    ");
    let (text, _) = told_from(&agenda, Script::default(), Some(earlier));
    insta::assert_snapshot!(planned_and_ended(&text), @"
    run
    planned 1 of 4: a 1
    planned 2 of 4: b 1
    planned 3 of 4: b 2
    planned 4 of 4: a 2
    0 trial 1
    1405 Complete, measured 400-1400
    1405 trial 2
    2810 Complete, measured 1805-2805
    2810 trial 3
    4215 Complete, measured 3210-4210
    4215 trial 4
    5620 Complete, measured 4615-5615
    5620 run Complete
    => Complete
    ");
}

#[test]
fn trials_that_are_taken_over_tell_the_agenda_what_is_next() {
    let first = trials(&plan(ONE, "repeats = 1\nrestore = \"never\"")).remove(0);
    let agenda = UntilSteady { first, most: 9 };
    let slow = Script { service_ms: |t| if t.repeat == 2 { 200 } else { 100 }, ..Script::default() };
    let happens = vec![(When::Behind("trial 3"), Happening::Stop)];
    let (_, earlier) = told_by(&agenda, Script { happens, ..slow.clone() });
    let (whole, _) = told_by(&agenda, slow.clone());
    let (continued, _) = told_from(&agenda, slow, Some(earlier));
    let planned = |text_of: &str| text_of.lines().filter(|line| line.starts_with("planned")).count();
    assert_eq!(planned(&continued), planned(&whole), "{continued}");
    assert!(continued.contains("trial 3") && continued.ends_with("=> Complete"), "{continued}");
}

#[test]
fn repeats_end_when_enough_is_known_of_every_target() {
    let until = plan(BOTH, "repeats = { min = 2, max = 5, until = \"ci(tps) < 5%\" }\nrestore = \"never\"");
    let agenda = agenda::of_plan(trials(&until));
    // A thousand transactions in each window: of a few, chance alone would leave more than this.
    let steady = || Script { service_ms: |_| 1, ..Script::default() };
    let (text, _) = told_by(&*agenda, steady());
    insta::assert_snapshot!(planned_and_ended(&text), @"
    run
    planned 1 of 4: a 1
    planned 2 of 4: b 1
    planned 3 of 4: b 2
    planned 4 of 4: a 2
    0 trial 1
    1405 Complete, measured 400-1400
    1405 trial 2
    2810 Complete, measured 1805-2805
    2810 trial 3
    3815 Complete, measured 2810-3810
    3815 trial 4
    4820 Complete, measured 3815-4815
    4820 run Complete
    => Complete
    ");
    // One target differs from repeat to repeat: all that are allowed, and of both targets.
    let unsteady = Script {
        service_ms: |t| if t.target.name == "b" && t.repeat % 2 == 0 { 200 } else { 100 },
        ..Script::default()
    };
    let (text, _) = told_by(&*agenda, unsteady);
    let planned: Vec<&str> = text.lines().filter(|line| line.starts_with("planned")).collect();
    insta::assert_snapshot!(planned.join("\n"), @"
    planned 1 of 4: a 1
    planned 2 of 4: b 1
    planned 3 of 4: b 2
    planned 4 of 4: a 2
    planned 5 of 5: a 3
    planned 6 of 6: b 3
    planned 7 of 7: b 4
    planned 8 of 8: a 4
    planned 9 of 9: a 5
    planned 10 of 10: b 5
    ");
    // An experiment that counts its repeats waits for it.
    let both = format!(
        "{until}[[experiment]]\nname = \"then\"\nrepeats = 1\nload = {{ workload = \"oltp_read_write\", clients = 1 }}\n"
    );
    let (text, _) = told_by(&*agenda::of_plan(trials(&both)), steady());
    assert_eq!(text.lines().filter(|line| line.starts_with("planned")).count(), 6, "{text}");
}

#[test]
fn a_window_ends_when_enough_is_known_and_is_complete() {
    let plan = plan(ONE, "repeats = 1\nrestore = \"never\"")
        .replace("measure = \"1s\"", "measure = { min = \"5s\", max = \"10m\", until = \"ci(tps) < 5%\" }");
    let agenda = agenda::of_plan(trials(&plan));
    let (text, _) = told_by(&*agenda, Script::default());
    // A hundred intervals of half a second are needed to see whether the warm-up is over.
    insta::assert_snapshot!(planned_and_ended(&text), @"
    run
    planned 1 of 1: a 1
    0 trial 1
    55405 Complete, measured 400-55400
    55405 run Complete
    => Complete
    ");
}

/// The lines about whole trials.
fn planned_and_ended(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with(' ')).collect::<Vec<_>>().join("\n")
}

/// The same trial over and over.
struct Stuck(Trial);

impl Agenda for Stuck {
    fn next(&self, _seen: &Summary) -> Option<Trial> {
        Some(self.0.clone())
    }

    fn expected(&self, _seen: &Summary) -> u32 {
        1
    }
}

#[test]
fn an_agenda_that_never_comes_to_an_end_ends_the_run() {
    let first = trials(&plan(ONE, "repeats = 1\nrestore = \"never\"")).remove(0);
    let (text, _) = told_by(&Stuck(first), Script::default());
    insta::assert_snapshot!(text, @r"
    run
    planned 1 of 1: a 1
    planned 1 of 1: a 1
    => error: trial 1 was planned twice, or was not recorded; this is a fault of Tenbin
    ");
}
