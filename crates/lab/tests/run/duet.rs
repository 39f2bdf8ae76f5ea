//! Trials of a pair driven at the same time: prepared one after another, started together, concluded one after another.

use super::fake::{Happening, Script, When, told, told_by, told_from, trials};
use tenbin_model::doubt::Verdict;
use tenbin_model::event::EndState;
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::Trial;
use tenbin_verdict::agenda::FixedOrder;
use tenbin_verdict::judged_trial::JudgedTrial;

fn plan(more: &str) -> String {
    format!(
        "schema = 1\nname = \"fake\"\n[targets.a]\ndsn = \"null:\"\nallow = [\"shared-machine\"]\n[targets.b]\ndsn = \"null:\"\n\
         allow = [\"shared-machine\"]\n[defaults]\norder = \"duet\"\nwarmup = \"500ms\"\nmeasure = \"1s\"\ninterval = \"500ms\"\n\
         settle = \"0s\"\nrestore = \"never\"\n{more}\n[[experiment]]\nload = {{ workload = \"oltp_read_write\", clients = 2 }}\n"
    )
}

fn happens(all: &[(When, Happening)]) -> Script {
    Script { happens: all.to_vec(), ..Script::default() }
}

#[test]
fn both_targets_are_driven_in_the_same_instants() {
    insta::assert_snapshot!(told(&plan("repeats = 1"), Script::default()), @r#"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      1: load at 0
      1: Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
    400 trial 2
      facts of b: version
      2: load at 400
      2: Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of b: tables.bytes, tables.rows, tables.unit
      1: warm-up at 800
      2: warm-up at 800
      1: 800-1300: 10 = 8 + 0 + 0 + 2, 2 clients
      1: measure at 1300
      2: 800-1300: 10 = 8 + 0 + 0 + 2, 2 clients
      2: measure at 1300
      1: 1300-1800: 10 = 10 + 0 + 0 + 2, 2 clients
      2: 1300-1800: 10 = 10 + 0 + 0 + 2, 2 clients
      1: 1800-2300: 10 = 10 + 0 + 0 + 0, 2 clients
      1: cool-down at 2300
      2: 1800-2300: 10 = 10 + 0 + 0 + 0, 2 clients
      2: cool-down at 2300
    2305 1: Complete, measured 1300-2300
    2305 2: Complete, measured 1300-2300
    2305 run Complete
    => Complete
    "#);
}

#[test]
fn a_target_that_dies_leaves_the_other_alone_whatever_its_clients_do_then() {
    let dies = || happens(&[(When::At(1500), Happening::Dies("b"))]);
    insta::assert_snapshot!(told(&plan("repeats = 1").replace(", clients = 2", ", clients = 2, on_lost = \"give-up\""), dies()), @r#"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      1: load at 0
      1: Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
    400 trial 2
      facts of b: version
      2: load at 400
      2: Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of b: tables.bytes, tables.rows, tables.unit
      1: warm-up at 800
      2: warm-up at 800
      1: 800-1300: 10 = 8 + 0 + 0 + 2, 2 clients
      1: measure at 1300
      2: 800-1300: 10 = 8 + 0 + 0 + 2, 2 clients
      2: measure at 1300
      ! Dies("b")
      2: 1300-1500: 4 = 4 + 2 + 0 + 0, 0 clients
      2: cool-down at 1500
      1: 1300-1800: 10 = 10 + 0 + 0 + 2, 2 clients
      1: 1800-2300: 10 = 10 + 0 + 0 + 0, 2 clients
      1: cool-down at 2300
      2: Error: all clients lost their connections, and new ones were not to be opened
    2305 2: Failed, measured 1300-1500
      1: Warning: driven alone for a part of the time at least, and not at the same time as another target; not driven to the end: b
    2305 1: Complete, measured 1300-2300
    2305 run Failed
    => Failed
    "#);
    // Its clients go on trying to the end.
    let (text, recorded) = told_by(&FixedOrder::of(trials(&plan("repeats = 1"))), dies());
    assert!(recorded.summary.trials.iter().all(|t| t.state == Some(EndState::Complete)), "{text}");
    let of = |name: &str| recorded.summary.trials.iter().find(|t| t.trial.target.name == name).unwrap();
    assert_eq!(codes(of("a")), ["driven-alone"], "{text}");
    assert_eq!([of("a"), of("b")].map(|t| t.verdict()), [Verdict::Invalid; 2], "{text}");
}

#[test]
fn a_target_that_is_dead_from_the_start_keeps_one_other_from_being_driven_and_not_two() {
    for first in [true, false] {
        let agenda = FixedOrder::of(trials(&plan("repeats = 1")));
        let dead = if first == (trials(&plan("repeats = 1"))[0].target.name == "a") { "a" } else { "b" };
        let (text, recorded) = told_by(&agenda, happens(&[(When::Behind("facts of client"), Happening::Dies(dead))]));
        assert!(recorded.summary.trials.iter().all(|t| t.state == Some(EndState::Failed)), "{text}");
        assert!(!text.contains("warm-up at"), "{text}");
        assert_eq!(
            text.matches(&format!("not driven, because {dead} cannot be driven at the same time")).count(),
            1,
            "{text}"
        );
    }
    let three = plan("repeats = 1")
        .replace("[defaults]", "[targets.c]\ndsn = \"null:\"\nallow = [\"shared-machine\"]\n[defaults]");
    let (text, recorded) =
        told_by(&FixedOrder::of(trials(&three)), happens(&[(When::Behind("facts of client"), Happening::Dies("b"))]));
    for t in &recorded.summary.trials {
        let (state, code) = match t.trial.target.name.as_str() {
            "b" => (EndState::Failed, "not-measured"),
            _ => (EndState::Complete, "fewer-targets"),
        };
        assert_eq!(t.state, Some(state), "{text}");
        assert!(codes(t).contains(&code.to_owned()), "{:?}\n{text}", codes(t));
    }
}

/// The codes of what makes a trial invalid or doubtful because of the others of its duet, or because it was not measured.
fn codes(t: &TrialResult) -> Vec<String> {
    let own = ["driven-alone", "fewer-targets", "not-measured"];
    t.doubts().iter().map(|doubt| doubt.code.clone()).filter(|code| own.contains(&code.as_str())).collect()
}

/// A hundred per second are due and it completes twenty: in the whole window its clients do what had fallen due in the warm-up.
#[test]
fn a_target_that_is_busy_with_its_backlog_is_driven_to_the_end() {
    let text = plan("repeats = 1")
        .replace(", clients = 2", ", clients = 2, rate = 100")
        .replace("warmup = \"500ms\"", "warmup = \"2s\"")
        .replace("measure = \"1s\"", "measure = \"2s\"");
    let service_ms = |trial: &Trial| if trial.target.name == "a" { 100 } else { 1 };
    let script = Script { service_ms, ..Script::default() };
    let (text, recorded) = told_by(&FixedOrder::of(trials(&text)), script);
    let of = |name: &str| recorded.summary.trials.iter().find(|t| t.trial.target.name == name).unwrap();
    assert_eq!(codes(of("b")), [""; 0], "{text}");
    assert_eq!((codes(of("a")), of("a").tps()), (vec!["not-measured".to_owned()], 20.0), "{text}");
    let the_doubt = of("a").doubts().iter().find(|doubt| doubt.code == "not-measured").unwrap();
    assert!(the_doubt.problem.what.is("doubt-carried-only"), "{the_doubt:?}");
}

#[test]
fn a_stop_ends_both_and_an_interrupted_pair_is_run_again_as_a_whole() {
    let agenda = FixedOrder::of(trials(&plan("repeats = 2")));
    // In the second pair.
    let script = happens(&[(When::At(3000), Happening::Stop)]);
    let (text, recorded) = told_by(&agenda, script);
    let states: Vec<_> = recorded.summary.trials.iter().map(|t| t.state).collect();
    let (complete, partial) = (Some(EndState::Complete), Some(EndState::Partial));
    assert_eq!(states, [complete, complete, partial, partial], "{text}");
    let (text, again) = told_from(&agenda, Script::default(), Some(recorded));
    assert!(again.summary.trials.iter().all(|t| t.state == complete), "{text}");
    assert!(text.ends_with("=> Complete"), "{text}");
}

#[test]
fn a_listener_that_fails_ends_the_run() {
    let script = Script { sink_fails: Some("measure at"), ..Script::default() };
    let text = told(&plan("repeats = 2"), script);
    assert!(text.ends_with("=> error: the disk is full"), "{text}");
}

#[test]
fn rates_and_cells_are_driven_pair_by_pair() {
    let text =
        plan("repeats = 2").replace(", clients = 2 }", ", clients = 2, rate = 10 }\nmatrix.load.clients = [2, 4]");
    let agenda = FixedOrder::of(trials(&text));
    let (text, recorded) = told_by(&agenda, Script::default());
    let all = &recorded.summary.trials;
    assert_eq!((all.len(), all.iter().filter(|t| t.state == Some(EndState::Complete)).count()), (8, 8), "{text}");
    for pair in all.chunks(2) {
        let [a, b] = pair else { panic!("{text}") };
        assert_eq!((a.trial.cell, a.trial.repeat, a.window_ns), (b.trial.cell, b.trial.repeat, b.window_ns), "{text}");
        assert_eq!(a.tally.accounting, b.tally.accounting, "the same intended starts");
    }
}

#[test]
fn a_pair_of_which_one_trial_failed_is_run_again_as_a_whole() {
    let text = plan("repeats = 1").replace(", clients = 2", ", clients = 2, on_lost = \"give-up\"");
    let agenda = FixedOrder::of(trials(&text));
    let (text, recorded) = told_by(&agenda, happens(&[(When::At(1500), Happening::Dies("b"))]));
    let states = |of: &[TrialResult]| of.iter().map(|t| t.state).collect::<Vec<_>>();
    assert_eq!(states(&recorded.summary.trials), [Some(EndState::Complete), Some(EndState::Failed)], "{text}");
    let (text, again) = told_from(&agenda, Script::default(), Some(recorded));
    assert_eq!(states(&again.summary.trials), [Some(EndState::Complete); 2], "{text}");
    assert_eq!(text.matches("measure at").count(), 2, "both are driven: {text}");
    assert!(again.summary.trials.iter().all(|t| codes(t).is_empty()), "{text}");
}
