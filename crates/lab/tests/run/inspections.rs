//! What servers have right before and right after the load of a trial, whatever was set before.

use crate::fake::{Happening, Script, When, told, told_by, told_from, trials};
use crate::plan;
use tenbin_verdict::agenda::FixedOrder;
use tenbin_verdict::answer::caution;
use tenbin_verdict::judged_trial::JudgedTrial;

const SERVER: &str = "targets.a.dsn = \"mysql://u@a\"\ntargets.a.server.x = 5";

fn inspected(all: &[(When, Happening)]) -> Script {
    Script { happens: all.to_vec(), inspected: true, ..Script::default() }
}

fn lines(text: &str) -> String {
    let words = ["  [", "  !", "trial", "the load", "Error", "Warning", "facts of a", "measured", "=>"];
    text.lines().filter(|line| words.iter().any(|word| line.contains(word))).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_server_that_is_started_again_between_two_trials_gets_its_variables_again() {
    let plan = plan(SERVER, "repeats = 2\nrestore = \"never\"");
    let restarts = inspected(&[(When::Behind("measured 400-1400"), Happening::Restarts("a"))]);
    insta::assert_snapshot!(lines(&told(&plan, restarts)), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      facts of a: tables.bytes, tables.rows, tables.unit
      facts of a: identity
      Before the load: {"variable.x": "5"}, changed []
      After the load: {}, changed []
    1405 Complete, measured 400-1400
      ! Restarts("a")
    1405 trial 2
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      facts of a: tables.bytes, tables.rows, tables.unit
      Before the load: {"variable.x": "5"}, changed []
      After the load: {}, changed []
    2410 Complete, measured 1405-2405
      [a is as it was]
    => Complete
    "#);
}

#[test]
fn a_server_that_loses_its_variables_while_data_are_loaded_gets_them_again_before_the_load() {
    let plan = plan(SERVER, "repeats = 1");
    let restarts = inspected(&[(When::Behind("load at"), Happening::Restarts("a"))]);
    insta::assert_snapshot!(lines(&told(&plan, restarts)), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      ! Restarts("a")
      facts of a: tables.bytes, tables.rows, tables.unit
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      facts of a: identity
      Before the load: {"variable.x": "5"}, changed []
      After the load: {}, changed []
    1405 Complete, measured 400-1400
      [a is as it was]
    => Complete
    "#);
}

/// Also a number, which the server has not adjusted.
#[test]
fn a_trial_does_not_begin_while_somebody_keeps_setting_its_variables() {
    let plan = plan(SERVER, "repeats = 1\nrestore = \"never\"");
    let keeps = inspected(&[(When::Behind("facts of a"), Happening::Keeps("a", "x", "1"))]);
    insta::assert_snapshot!(lines(&told(&plan, keeps)), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      ! Keeps("a", "x", "1")
      facts of a: tables.bytes, tables.rows, tables.unit
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      [a has {"x": "5"}]
      facts of a: variable.other, variable.x, version
      Error: the server of target a does not have the values that the plan asks for
    400 Failed, measured 0-0
      [a is as it was]
    => Failed
    "#);
}

#[test]
fn what_others_change_in_a_trial_is_recorded_after_it_and_refutes_it() {
    let plan = plan(SERVER, "repeats = 1\nrestore = \"never\"");
    let verdict = |happening: Happening| {
        let (text, recorded) = told_by(&FixedOrder::of(trials(&plan)), inspected(&[(When::At(700), happening)]));
        let doubts = recorded.summary.trials[0].doubts();
        let doubts = doubts.iter().filter(|d| d.code.contains("server") || d.code.contains("settings"));
        let doubts: Vec<String> = doubts.map(|d| format!("{} {}", d.verdict.name(), d.code)).collect();
        let after = text.lines().find(|line| line.contains("After the load")).unwrap_or_default().trim().to_owned();
        (after, doubts.join(", "))
    };
    let (after, doubts) = verdict(Happening::Sets("a", "x", "1"));
    assert_eq!(
        (after.as_str(), doubts.as_str()),
        ("After the load: {}, changed [\"variable.x\"]", "INVALID settings-changed")
    );
    let (after, doubts) = verdict(Happening::Sets("a", "other", "1"));
    assert_eq!(
        (after.as_str(), doubts.as_str()),
        ("After the load: {}, changed [\"variable.other\"]", "DEGRADED settings-changed")
    );
    assert_eq!(verdict(Happening::Restarts("a")).1, "INVALID server-restarted");
    let without = verdict(Happening::Returns("a"));
    assert_eq!((without.0.as_str(), without.1.as_str()), ("After the load: {}, changed []", ""));
}

#[test]
fn a_run_is_not_continued_on_a_server_that_has_changed_unless_that_is_permitted() {
    let plan = plan(SERVER, "repeats = 2\nrestore = \"never\"");
    let agenda = FixedOrder::of(trials(&plan));
    let stopped = || inspected(&[(When::Behind("1405 trial 2"), Happening::Stop)]);
    let earlier = || told_by(&agenda, stopped()).1;
    let end = |text: &str| text.lines().last().unwrap_or_default().to_owned();

    let (same, recorded) = told_from(&agenda, inspected(&[]), Some(earlier()));
    assert_eq!((end(&same).as_str(), caution(&recorded.summary)), ("=> Complete", None), "{same}");

    let other = inspected(&[(When::Behind("run"), Happening::Sets("a", "other", "1"))]);
    let (refused, _) = told_from(&agenda, other.clone(), Some(earlier()));
    assert_eq!(end(&refused), "=> error: the server of target a is not as it was in the run to resume", "{refused}");
    assert!(!refused.contains("trial 1"), "before anything is measured: {refused}");

    let (allowed, recorded) = told_from(&agenda, Script { allows_changed_server: true, ..other }, Some(earlier()));
    assert!(end(&allowed) == "=> Complete" && allowed.contains("Warning: the server of target a"), "{allowed}");
    let caution = caution(&recorded.summary).unwrap_or_default();
    insta::assert_snapshot!(caution.english(), @"The server of a was not the same in all trials (other 0 → 1): their figures are of different systems.");

    let by_another_build = || {
        let mut earlier = earlier();
        let client = earlier.summary.facts.entry("client".to_owned()).or_default();
        client.insert("tenbin".to_owned(), "0.0.1".to_owned());
        Some(earlier)
    };
    let (refused, _) = told_from(&agenda, inspected(&[]), by_another_build());
    assert!(end(&refused).starts_with("=> error: the client's machine, or the build of Tenbin, is not"), "{refused}");
    let allowed = Script { allows_changed_server: true, ..inspected(&[]) };
    let (_, recorded) = told_from(&agenda, allowed, by_another_build());
    let caution = tenbin_verdict::answer::caution(&recorded.summary).unwrap_or_default();
    assert!(caution.contains("The client was not the same in all trials (tenbin 0.0.1 → "), "{}", caution.english());

    // Continued once more with the second client, it still has trials of the first one.
    let (_, again) = told_from(&agenda, inspected(&[]), Some(recorded));
    let of_both = tenbin_verdict::answer::caution(&again.summary).unwrap_or_default();
    assert_eq!(of_both.english(), caution.english());
}
