//! Whole runs in a world of fakes: plan in, events out, exact, in no time. Times are milliseconds since the run began,
//! counts `scheduled = completed + failed + skipped + open`.

mod agendas;
mod fake;

use fake::{Happening, Script, When, told};

/// Two targets, one or more private; a second in two intervals.
fn plan(targets: &str, more: &str) -> String {
    format!(
        "schema = 1\nname = \"fake\"\n{targets}\n[defaults]\norder = \"abba\"\nwarmup = \"0s\"\nmeasure = \"1s\"\ninterval = \"500ms\"\nsettle = \"0s\"\n{more}\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_write\", clients = 2 }}\n"
    )
}

const BOTH: &str = "targets.a.dsn = \"null:\"\ntargets.b.dsn = \"null:\"";
const ONE: &str = "targets.a.dsn = \"null:\"";
const PRIVATE: &str = "targets.a.sandbox = \"mariadbd\"";

fn happens(all: &[(When, Happening)]) -> Script {
    Script { happens: all.to_vec(), ..Script::default() }
}

#[test]
fn two_targets_with_repeats_in_the_order_of_the_plan() {
    let plan = plan(BOTH, "repeats = 2\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, Script::default()), @r"
    run
    planned 1 of 4: a 1
    planned 2 of 4: b 1
    planned 3 of 4: b 2
    planned 4 of 4: a 2
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      measure at 400
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
    1405 Complete, measured 400-1400
    1405 trial 2
      facts of b: version
      load at 1405
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of b: tables.rows, tables.unit
      measure at 1805
      1805-2305: 10 = 8 + 0 + 0 + 2, 2 clients
      2305-2805: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 2805
    2810 Complete, measured 1805-2805
    2810 trial 3
      facts of b: tables.rows, tables.unit
      measure at 2810
      2810-3310: 10 = 8 + 0 + 0 + 2, 2 clients
      3310-3810: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 3810
    3815 Complete, measured 2810-3810
    3815 trial 4
      facts of a: tables.rows, tables.unit
      measure at 3815
      3815-4315: 10 = 8 + 0 + 0 + 2, 2 clients
      4315-4815: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 4815
    4820 Complete, measured 3815-4815
    4820 run Complete
    => Complete
    ");
}

#[test]
fn data_are_restored_before_each_run_and_the_server_settles() {
    let plan = plan(ONE, "repeats = 2\nrestore = \"before-run\"").replace("settle = \"0s\"", "settle = \"500ms\"");
    insta::assert_snapshot!(told(&plan, Script::default()), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: a 2
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      settle at 400
      facts of a: tables.rows, tables.unit
      measure at 900
      900-1400: 10 = 8 + 0 + 0 + 2, 2 clients
      1400-1900: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1900
    1905 Complete, measured 900-1900
    1905 trial 2
      restore at 1905
      load at 1955
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      settle at 2355
      facts of a: tables.rows, tables.unit
      measure at 2855
      2855-3355: 10 = 8 + 0 + 0 + 2, 2 clients
      3355-3855: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 3855
    3860 Complete, measured 2855-3855
    3860 run Complete
    => Complete
    ");
}

#[test]
fn a_server_lost_before_the_run_costs_its_own_trials() {
    let plan = plan(BOTH, "repeats = 1\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, happens(&[(When::Behind("facts of client"), Happening::Dies("a"))])), @r#"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
      ! Dies("a")
    0 trial 1
      Error: a does not answer
    0 Failed, measured 0-0
    0 trial 2
      facts of b: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of b: tables.rows, tables.unit
      measure at 400
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
    1405 Complete, measured 400-1400
    1405 run Failed
    => Failed
    "#);
}

#[test]
fn a_server_lost_in_a_trial_is_seen_in_its_intervals_and_replaced() {
    let plan = plan(PRIVATE, "repeats = 2\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, happens(&[(When::At(850), Happening::Dies("a"))])), @r#"
    run
    planned 1 of 2: a 1
    planned 2 of 2: a 2
      facts of client: cores, tenbin
    0 trial 1
      [a starts]
      Info: started a private server for target a
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      measure at 400
      ! Dies("a")
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 2 = 0 + 2 + 0 + 0, 0 clients
      cool-down at 1400
      Error: a has ended by itself
      [a is stopped]
    1405 Complete, measured 400-1400
    1405 trial 2
      [a starts]
      Info: started a private server for target a
      facts of a: version
      load at 1405
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      measure at 1805
      1805-2305: 10 = 8 + 0 + 0 + 2, 2 clients
      2305-2805: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 2805
    2810 Complete, measured 1805-2805
    2810 run Complete
      [a is stopped]
    => Complete
    "#);
}

#[test]
fn a_server_lost_between_trials_costs_the_next_one_alone() {
    let plan = plan(ONE, "repeats = 3\nrestore = \"never\"");
    let script = happens(&[
        (When::Behind("1405 Complete"), Happening::Dies("a")),
        (When::Behind("1405 Failed"), Happening::Returns("a")),
    ]);
    insta::assert_snapshot!(told(&plan, script), @r#"
    run
    planned 1 of 3: a 1
    planned 2 of 3: a 2
    planned 3 of 3: a 3
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      measure at 400
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
    1405 Complete, measured 400-1400
      ! Dies("a")
    1405 trial 2
      Error: a does not answer
    1405 Failed, measured 0-0
      ! Returns("a")
    1405 trial 3
      facts of a: tables.rows, tables.unit
      measure at 1405
      1405-1905: 10 = 8 + 0 + 0 + 2, 2 clients
      1905-2405: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 2405
    2410 Complete, measured 1405-2405
    2410 run Failed
    => Failed
    "#);
}

#[test]
fn a_stop_while_loading() {
    let plan = plan(BOTH, "repeats = 1\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, happens(&[(When::At(250), Happening::Stop)])), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      ! Stop
      Info: stopped while loading
    300 Partial, measured 0-0
    300 run Partial
    => Partial
    ");
}

#[test]
fn a_stop_while_settling() {
    let plan = plan(BOTH, "repeats = 1\nrestore = \"never\"").replace("settle = \"0s\"", "settle = \"1h\"");
    insta::assert_snapshot!(told(&plan, happens(&[(When::At(60_000), Happening::Stop)])), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      settle at 400
      ! Stop
      Info: stopped by the user while waiting for the server to settle
    60000 Partial, measured 0-0
    60000 run Partial
    => Partial
    ");
}

#[test]
fn a_stop_while_measuring_ends_with_the_interval() {
    let plan = plan(BOTH, "repeats = 1\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, happens(&[(When::At(600), Happening::Stop)])), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      measure at 400
      ! Stop
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      cool-down at 900
      Info: stopped by the user
    905 Partial, measured 400-900
    905 run Partial
    => Partial
    ");
}

#[test]
fn what_observers_read_arrives_where_it_was_read() {
    let plan = plan(ONE, "repeats = 1\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, Script { observed: true, ..Script::default() }), @r#"
    run
    planned 1 of 1: a 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      client.heart declares beats
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      client.heart at 400: {"beats": 400.0}
      client.heart at 400: {"beats": 400.0}
      measure at 400
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      client.heart at 1405: {"beats": 1405.0}
      cool-down at 1400
      client.heart at 1405: {"beats": 1405.0}
    1405 Complete, measured 400-1400
    1405 run Complete
    => Complete
    "#);
}

#[test]
fn a_private_server_that_does_not_start_costs_its_own_trials() {
    let plan =
        plan("targets.a.sandbox = \"mariadbd\"\ntargets.b.sandbox = \"mariadbd\"", "repeats = 1\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, Script { no_start: Some("a"), ..Script::default() }), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      Error: the server did not start
    0 Failed, measured 0-0
    0 trial 2
      [b starts]
      Info: started a private server for target b
      facts of b: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of b: tables.rows, tables.unit
      measure at 400
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
    1405 Complete, measured 400-1400
    1405 run Failed
      [b is stopped]
    => Failed
    ");
}

#[test]
fn a_listener_that_fails_ends_the_run_and_its_servers() {
    let plan = plan(PRIVATE, "repeats = 2\nrestore = \"never\"");
    let fails = |begin| told(&plan, Script { sink_fails: Some(begin), ..Script::default() });
    insta::assert_snapshot!(fails("400-900"), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: a 2
      facts of client: cores, tenbin
    0 trial 1
      [a starts]
      Info: started a private server for target a
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0 s (250 rows/s, 4 streams)
      facts of a: tables.rows, tables.unit
      measure at 400
      [a is stopped]
    => error: the disk is full
    ");
    insta::assert_snapshot!(fails("load"), @r"
    run
    planned 1 of 2: a 1
    planned 2 of 2: a 2
      facts of client: cores, tenbin
    0 trial 1
      [a starts]
      Info: started a private server for target a
      facts of a: version
      [a is stopped]
    => error: the disk is full
    ");
    insta::assert_snapshot!(fails("run"), @r"=> error: the disk is full");
}
