//! Figures that come after the trial that they are about.

use crate::fake::{Script, told};

#[test]
fn the_last_whole_minute_of_cloudwatch_is_waited_for() {
    let plan = |measure: &str, wait: &str| {
        let cloud = format!("cloud = {{ rds = \"db-1\", region = \"us-east-1\", wait = \"{wait}\" }}");
        let target = format!("[targets.a]\ndsn = \"mysql://bench@db/sbtest\"\n{cloud}");
        let measured = format!("measure = \"{measure}\"");
        let text = crate::plan(&target, "repeats = 1\nrestore = \"never\"");
        text.replace("measure = \"1s\"", &measured).replace("interval = \"500ms\"", "interval = \"50s\"")
    };
    let late = |late_ms, measure, wait| {
        let printed = told(&plan(measure, wait), Script { late_ms: Some(late_ms), ..Script::default() });
        let from = printed.find("  cool-down at").unwrap_or_else(|| panic!("{printed}"));
        printed[from..].to_owned()
    };
    // The window ends at 150.4 s, its last whole minute at 140 s; that is known at 230 s.
    insta::assert_snapshot!(late(90_000, "150s", "4m"), @r#"
      cool-down at 150400
      Info: waiting at most 4 min for the figures of CloudWatch, which come one to three minutes late
      cloudwatch at 80000: {"WriteIOPS": 250.0}
      cloudwatch at 140000: {"WriteIOPS": 250.0}
    230405 Complete, measured 400-150400
    230405 run Complete
    => Complete
    "#);
    // It comes too late, and it never comes.
    insta::assert_snapshot!(late(90_000, "150s", "30s"), @r#"
      cool-down at 150400
      Info: waiting at most 30 s for the figures of CloudWatch, which come one to three minutes late
      cloudwatch at 80000: {"WriteIOPS": 250.0}
      Warning: CloudWatch has no figures for the end of the measured window: WriteIOPS
    180405 Complete, measured 400-150400
    180405 run Complete
    => Complete
    "#);
    insta::assert_snapshot!(late(900_000, "150s", "30s"), @r#"
      cool-down at 150400
      Info: waiting at most 30 s for the figures of CloudWatch, which come one to three minutes late
      Warning: CloudWatch has no figures for the measured window
    180405 Complete, measured 400-150400
    180405 run Complete
    => Complete
    "#);
    // A window without a whole minute is not waited for.
    insta::assert_snapshot!(late(1_000, "50s", "4m"), @r#"
      cool-down at 50400
      Warning: the measured window of 50 s contains no whole minute: there are no figures of CloudWatch for it
    50405 Complete, measured 400-50400
    50405 run Complete
    => Complete
    "#);
}
