//! Variables of servers that are not private: when they are set, and that they are put back on every way out.

use crate::fake::{Happening, Script, When, told, told_by, trials};
use crate::{happens, plan};
use tenbin_verdict::agenda::FixedOrder;

const SERVER: &str = "targets.a.dsn = \"mysql://u@a\"";

fn lines(text: &str) -> String {
    let kept = |line: &&str| {
        ["  [", "  !", "trial", "Error", "facts of a: version", "Complete", "Partial", "run ", "=>"]
            .iter()
            .any(|word| line.contains(word))
    };
    text.lines().filter(kept).collect::<Vec<_>>().join("\n")
}

#[test]
fn they_are_set_as_rarely_as_the_order_permits_and_put_back() {
    let plan = plan(SERVER, "repeats = 1\nrestore = \"never\"");
    let plan = format!("{plan}[experiment.matrix]\n\"load.clients\" = [1, 2]\n\"server.x\" = [5, 6]\n");
    insta::assert_snapshot!(lines(&told(&plan, Script::default())), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: version
    1405 Complete, measured 400-1400
    1405 trial 2
      [a has {"x": "6"}]
      facts of a: version
    2410 Complete, measured 1405-2405
    2410 trial 3
      [a has {"x": "5"}]
      facts of a: version
    3415 Complete, measured 2410-3410
    3415 trial 4
      [a has {"x": "6"}]
      facts of a: version
    4420 Complete, measured 3415-4415
      [a is as it was]
    4420 run Complete
    => Complete
    "#);
}

#[test]
fn a_refused_value_fails_its_trial_only() {
    let plan = plan(SERVER, "repeats = 1\nrestore = \"never\"");
    let plan = format!("{plan}[experiment.matrix]\n\"server.x\" = [\"5\", \"refused\", \"6\"]\n");
    insta::assert_snapshot!(lines(&told(&plan, Script::default())), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: version
    1405 Complete, measured 400-1400
    1405 trial 2
      [a has {"x": "6"}]
      facts of a: version
    2410 Complete, measured 1405-2405
    2410 trial 3
      [a is as it was]
      Error: the server refuses it
    2410 run Failed
    => Failed
    "#);
}

#[test]
fn they_are_put_back_after_a_stop_and_when_nothing_more_can_be_kept() {
    let plan = plan(&format!("{SERVER}\ntargets.a.server.x = 5"), "repeats = 2\nrestore = \"never\"");
    let stopped = happens(&[(When::At(700), Happening::Stop)]);
    insta::assert_snapshot!(lines(&told(&plan, stopped)), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: version
      ! Stop
    905 Partial, measured 400-900
      [a is as it was]
    905 run Partial
    => Partial
    "#);
    let full = Script { sink_fails: Some("measure at"), ..Script::default() };
    insta::assert_snapshot!(lines(&told(&plan, full)), @r#"
    0 trial 1
      [a has {"x": "5"}]
      facts of a: version
      [a is as it was]
    => error: the disk is full
    "#);
}

#[test]
fn commands_of_the_user_run_around_the_trials_and_after_a_failure_too() {
    let hooks = |before: &str, after: &str| {
        let own = format!(
            "targets.a.hooks = {{ before_run = \"first\", before_trial = {before:?}, after_trial = {after:?}, after_run = \"last\" }}"
        );
        plan(&format!("{SERVER}\n{own}"), "repeats = 1\nrestore = \"never\"")
    };
    let text_of = |plan: &str, script: Script| {
        let text = told(plan, script);
        let kept = |line: &&str| {
            ["  [", "  !", "Warning", "Error", "Complete", "Partial", "run F"].iter().any(|w| line.contains(w))
        };
        text.lines().filter(kept).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(text_of(&hooks("before", "after"), Script::default()), @r"
      [first for trial 1 ]
      [before for trial 1 ]
      [after for trial 1 complete]
    1405 Complete, measured 400-1400
      [last for trial 1 complete]
    1405 run Complete
    => Complete
    ");
    insta::assert_snapshot!(text_of(&hooks("fails", "after"), Script::default()), @r"
      [first for trial 1 ]
      [fails for trial 1 ]
      Error: before_trial of target a failed
      [after for trial 1 failed]
      [last for trial 1 failed]
    0 run Failed
    ");
    insta::assert_snapshot!(text_of(&hooks("before", "fails"), Script::default()), @r"
      [first for trial 1 ]
      [before for trial 1 ]
      [fails for trial 1 complete]
      Warning: after_trial of target a failed
    1405 Complete, measured 400-1400
      [last for trial 1 complete]
    1405 run Complete
    => Complete
    ");
    let stopped = happens(&[(When::At(700), Happening::Stop)]);
    insta::assert_snapshot!(text_of(&hooks("before", "after"), stopped), @r"
      [first for trial 1 ]
      [before for trial 1 ]
      ! Stop
      [after for trial 1 partial]
    905 Partial, measured 400-900
      [last for trial 1 partial]
    905 run Partial
    => Partial
    ");
}

#[test]
fn commands_that_put_things_in_order_run_when_nothing_more_can_be_kept() {
    let own = "targets.a.hooks = { before_run = \"first\", after_trial = \"after\", after_run = \"last\" }";
    let plan = plan(&format!("{SERVER}\n{own}"), "repeats = 1\nrestore = \"never\"");
    let full = Script { sink_fails: Some("measure at"), ..Script::default() };
    let text = told(&plan, full);
    let kept = text.lines().filter(|line| line.contains(" for trial 1 ") || line.starts_with("=>")).map(str::trim);
    let wanted = [
        "[first for trial 1 ]",
        "[after for trial 1 failed]",
        "[last for trial 1 failed]",
        "=> error: the disk is full",
    ];
    assert_eq!(kept.collect::<Vec<_>>(), wanted, "{text}");
}

#[test]
fn a_command_is_executed_with_its_login_and_recorded_without() {
    let own = "targets.a.hooks = { before_trial = \"curl -u me:Zq9pass https://h/?token=Zq9pass\" }";
    let plan = plan(&format!("{SERVER}\n{own}"), "repeats = 1\nrestore = \"never\"");
    let (text, recorded) = told_by(&FixedOrder::of(trials(&plan)), Script::default());
    assert!(text.contains("[curl -u me:Zq9pass https://h/?token=Zq9pass for trial 1 ]"), "{text}");
    let stored = &recorded.summary.trials[0].trial.target.hooks.before_trial;
    assert_eq!(stored.as_deref(), Some("curl -u me:… https://h/?token=…"));
}
