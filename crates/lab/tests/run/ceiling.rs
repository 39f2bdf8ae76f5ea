//! The ceiling of the clients is measured once for clients on a target, before everything that belongs to the trial.

use super::fake::{Happening, Script, When, told};
use super::{PRIVATE, plan};

const CLIENTS: &str = "repeats = 2\nrestore = \"never\"";

/// The plan with a load of two and one of three clients.
fn calibrated(when: &str) -> String {
    let one = "load = { workload = \"oltp_read_write\", clients = 2 }";
    plan(PRIVATE, CLIENTS).replace(
        one,
        &format!(
            "load = {{ workload = \"oltp_read_write\", calibrate = \"{when}\" }}\nmatrix = {{ load.clients = [2, 3] }}"
        ),
    )
}

fn lines(output: &str, words: &[&str]) -> String {
    output.lines().filter(|line| words.iter().any(|w| line.contains(w))).collect::<Vec<_>>().join("\n")
}

#[test]
fn once_for_each_number_of_clients_and_before_the_warm_up() {
    let script = Script { round_trip_us: Some(1000), observed: true, ..Script::default() };
    let text = told(&calibrated("always"), script);
    let words = [" trial ", "ceiling", "declares", " load at", "measure at", "Complete"];
    insta::assert_snapshot!(lines(&text, &words), @"
    0 trial 1
      ceiling: 2000 × DO 0 by 2 clients, 250-1250
      client.heart declares beats
      load at 1255
      measure at 1655
    2660 Complete, measured 1655-2655
    2660 trial 2
      ceiling: 2000 × DO 0 by 2 clients, 250-1250
      client.heart declares beats
      measure at 2660
    3665 Complete, measured 2660-3660
    3665 trial 3
      ceiling: 3000 × DO 0 by 3 clients, 3915-4915
      client.heart declares beats
      measure at 4920
    5925 Complete, measured 4920-5920
    5925 trial 4
      ceiling: 3000 × DO 0 by 3 clients, 3915-4915
      client.heart declares beats
      measure at 5925
    6930 Complete, measured 5925-6925
    6930 run Complete
    => Complete
    ");
}

#[test]
fn short_trials_and_those_that_do_not_ask_have_none() {
    for when in ["auto", "never"] {
        let script = Script { round_trip_us: Some(1000), ..Script::default() };
        assert_eq!(lines(&told(&calibrated(when), script), &["ceiling"]), "", "{when}");
    }
    let long = calibrated("auto").replace("measure = \"1s\"", "measure = \"10s\"");
    let script = Script { round_trip_us: Some(1000), ..Script::default() };
    assert_eq!(lines(&told(&long, script), &["ceiling"]).lines().count(), 4);
}

#[test]
fn a_server_that_does_not_answer_well_has_no_ceiling_and_the_trial_goes_on() {
    // So slow that a second shows nothing.
    let script = Script { round_trip_us: Some(50_000), ..Script::default() };
    let slow = told(&calibrated("always"), script);
    insta::assert_snapshot!(lines(&slow, &[" trial ", "ceiling", "Complete"]), @"
    0 trial 1
      Info: the ceiling of the clients was not measured: how often they can execute a statement that does nothing
    2660 Complete, measured 1655-2655
    2660 trial 2
    3665 Complete, measured 2660-3660
    3665 trial 3
      Info: the ceiling of the clients was not measured: how often they can execute a statement that does nothing
    5925 Complete, measured 4920-5920
    5925 trial 4
    6930 Complete, measured 5925-6925
    6930 run Complete
    => Complete
    ");
    // It dies meanwhile.
    let script =
        Script { round_trip_us: Some(1000), happens: vec![(When::At(500), Happening::Dies("a"))], ..Script::default() };
    let dead = told(&calibrated("always"), script);
    insta::assert_snapshot!(lines(&dead, &[" trial ", "ceiling", "Failed", "=>"]), @"
    0 trial 1
      Info: the ceiling of the clients was not measured: how often they can execute a statement that does nothing
    610 Failed, measured 0-0
    610 trial 2
      ceiling: 2000 × DO 0 by 2 clients, 860-1860
    3270 trial 3
      ceiling: 3000 × DO 0 by 3 clients, 3520-4520
    5530 trial 4
      ceiling: 3000 × DO 0 by 3 clients, 3520-4520
    6535 run Failed
    => Failed
    ");
}
