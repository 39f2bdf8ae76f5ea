//! Whole runs in a world of fakes: plan in, events out, exact, in no time. Times are milliseconds since the run began,
//! counts `scheduled = completed + failed + skipped + open`.

mod agendas;
mod ceiling;
mod duet;
mod fake;
mod inspections;
mod late;
mod slices;
mod variables;

use fake::{Happening, Script, When, told, told_by, trials};
use tenbin_lab::Checks;
use tenbin_verdict::agenda::FixedOrder;
use tenbin_verdict::judged_trial::JudgedTrial;

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
    insta::assert_snapshot!(told(&plan, Script::default()), @"
    run
    planned 1 of 4: a 1
    planned 2 of 4: b 1
    planned 3 of 4: b 2
    planned 4 of 4: a 2
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
      measure at 400
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
    1405 Complete, measured 400-1400
    1405 trial 2
      facts of b: version
      load at 1405
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of b: tables.bytes, tables.rows, tables.unit
      measure at 1805
      1805-2305: 10 = 8 + 0 + 0 + 2, 2 clients
      2305-2805: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 2805
    2810 Complete, measured 1805-2805
    2810 trial 3
      facts of b: tables.bytes, tables.rows, tables.unit
      measure at 2810
      2810-3310: 10 = 8 + 0 + 0 + 2, 2 clients
      3310-3810: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 3810
    3815 Complete, measured 2810-3810
    3815 trial 4
      facts of a: tables.bytes, tables.rows, tables.unit
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
    insta::assert_snapshot!(told(&plan, Script::default()), @"
    run
    planned 1 of 2: a 1
    planned 2 of 2: a 2
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      settle at 400
      facts of a: tables.bytes, tables.rows, tables.unit
      measure at 900
      900-1400: 10 = 8 + 0 + 0 + 2, 2 clients
      1400-1900: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1900
    1905 Complete, measured 900-1900
    1905 trial 2
      restore at 1905
      load at 1955
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      settle at 2355
      facts of a: tables.bytes, tables.rows, tables.unit
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
fn the_clients_start_when_the_server_has_written_what_it_has_changed_or_the_wait_is_over() {
    let lines = |settle: &str, dirty: fn(u64) -> f64| {
        let plan = plan(ONE, "repeats = 1\nrestore = \"before-run\"")
            .replace("settle = \"0s\"", &format!("settle = {settle}"));
        let script = Script { dirty_percent: Some(dirty), ..Script::default() };
        let (text, recorded) = told_by(&FixedOrder::of(trials(&plan)), script);
        let kept = |line: &&str| ["settl", "still had work", "measure at"].iter().any(|word| line.contains(word));
        let doubts: Vec<String> =
            recorded.summary.trials.iter().flat_map(|t| t.doubts()).map(|d| d.problem.to_string()).collect();
        let doubts =
            doubts.into_iter().filter(|doubt| doubt.contains("in the background")).collect::<Vec<_>>().join("\n");
        format!("{}\n{doubts}", text.lines().filter(kept).collect::<Vec<_>>().join("\n"))
    };
    // The load ends at 400 ms.
    let falling = |at_ms: u64| (2500.0 - at_ms as f64) / 500.0;
    insta::assert_snapshot!(lines("\"flush\"", falling), @r#"
    settle at 400
    server.settling declares dirty_pages, purge, checkpoint_age, vacuum_workers
    server.settling at 400: {"dirty_pages": 4.2}
    server.settling at 900: {"dirty_pages": 3.2}
    server.settling at 1400: {"dirty_pages": 2.2}
    server.settling at 1900: {"dirty_pages": 1.2}
    server.settling at 2400: {"dirty_pages": 0.2}
    Info: the server has settled after 2 s
    measure at 2400
    "#);
    insta::assert_snapshot!(lines("{ dirty_pages = 4, at_most = \"1s\" }", falling), @r#"
    settle at 400
    server.settling declares dirty_pages, purge, checkpoint_age, vacuum_workers
    server.settling at 400: {"dirty_pages": 4.2}
    server.settling at 900: {"dirty_pages": 3.2}
    Info: the server has settled after 0.5 s
    measure at 900
    "#);
    insta::assert_snapshot!(lines("{ at_most = \"1s\" }", falling), @r#"
      settle at 400
      server.settling declares dirty_pages, purge, checkpoint_age, vacuum_workers
      server.settling at 400: {"dirty_pages": 4.2}
      server.settling at 900: {"dirty_pages": 3.2}
      server.settling at 1400: {"dirty_pages": 2.2}
      Warning: after 1 s the server still had work in the background
      measure at 1400
    the clients started while the server still had work in the background
      evidence  dirty pages 2.2 % (limit 1.0 %)
      hint      raise at_most of settle; an idle MariaDB writes its pages only with server = { innodb_max_dirty_pages_pct_lwm = 0.1 } in the target
    "#);
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of b: tables.bytes, tables.rows, tables.unit
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
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
      facts of a: tables.bytes, tables.rows, tables.unit
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
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
    insta::assert_snapshot!(told(&plan, happens(&[(When::At(600), Happening::Stop)])), @"
    run
    planned 1 of 2: a 1
    planned 2 of 2: b 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
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
fn the_clients_start_when_the_replicas_have_what_was_loaded() {
    let target = "[targets.a]\nsandbox = \"mariadbd\"\nreplicas = { r1 = { sandbox = true, delay = \"1s\" } }";
    let text_of = |settle: &str, lag_ms: fn(u64) -> u64| {
        let plan = plan(target, "repeats = 1\nrestore = \"before-run\"")
            .replace("settle = \"0s\"", &format!("settle = {settle}"));
        let script = Script { dirty_percent: Some(|_| 0.1), lag_ms: Some(lag_ms), ..Script::default() };
        let (text, _) = told_by(&FixedOrder::of(trials(&plan)), script);
        let kept =
            |line: &&str| ["settle", "still had work", "measure at", "lag"].iter().any(|word| line.contains(word));
        let lines: Vec<&str> = text.lines().filter(kept).collect();
        let start = lines.iter().position(|line| line.contains("measure at")).unwrap();
        lines[..=start].join("\n")
    };
    // The load ends at 400 ms, and the plan delays the replica by a second.
    insta::assert_snapshot!(text_of("\"flush\"", |at_ms| 4000u64.saturating_sub(at_ms).max(1000)), @r#"
    settle at 400
    replica at 900: {"r1.lag_at_most_s": 3.1, "r1.lag_s": 3.1}
    replica at 1400: {"r1.lag_at_most_s": 2.6, "r1.lag_s": 2.6}
    replica at 1900: {"r1.lag_at_most_s": 2.1, "r1.lag_s": 2.1}
    replica at 2400: {"r1.lag_at_most_s": 1.6, "r1.lag_s": 1.6}
    Info: the server has settled after 2 s
    measure at 2400
    "#);
    insta::assert_snapshot!(text_of("{ replica_lag = \"10s\" }", |_| 9000), @r#"
    settle at 400
    replica at 900: {"r1.lag_at_most_s": 9.0, "r1.lag_s": 9.0}
    Info: the server has settled after 0.5 s
    measure at 900
    "#);
    insta::assert_snapshot!(text_of("{ at_most = \"1s\" }", |_| 9000), @r#"
    settle at 400
    replica at 900: {"r1.lag_at_most_s": 9.0, "r1.lag_s": 9.0}
    replica at 1400: {"r1.lag_at_most_s": 9.0, "r1.lag_s": 9.0}
    Warning: after 1 s the server still had work in the background
    measure at 1400
    "#);
}

#[test]
fn replicas_catch_up_after_the_load_or_are_waited_for_in_vain() {
    let plan = |catch_up: &str| {
        let target = "[targets.a]\nsandbox = \"mariadbd\"\nreplicas = { r1 = { sandbox = true, delay = \"1s\" } }";
        plan(target, &format!("repeats = 1\nrestore = \"never\"\ncatch_up = \"{catch_up}\""))
    };
    // One second behind.
    let steady = |_| 1000;
    insta::assert_snapshot!(told(&plan("5s"), Script { lag_ms: Some(steady), ..Script::default() }), @r#"
    run
    planned 1 of 1: a 1
      facts of client: cores, tenbin
    0 trial 1
      [a starts]
      [a-r1 starts]
      [r1 follows, 1 s behind]
      Info: started a private server for target a
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
      measure at 400
      replica at 905: {"r1.lag_at_most_s": 1.0, "r1.lag_s": 1.0}
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      replica at 1405: {"r1.lag_at_most_s": 1.0, "r1.lag_s": 1.0}
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
      catch-up at 1405
      replica at 1905: {"r1.lag_at_most_s": 1.0, "r1.lag_s": 1.0}
      replica at 2405: {"r1.lag_at_most_s": 1.0, "r1.lag_s": 1.0}
    2405 Complete, measured 400-1400
    2405 run Complete
      [a is stopped]
      [a-r1 is stopped]
    => Complete
    "#);
    // It applies nothing.
    let stands_still = |at_ms| at_ms;
    insta::assert_snapshot!(told(&plan("2s"), Script { lag_ms: Some(stands_still), ..Script::default() }), @r#"
    run
    planned 1 of 1: a 1
      facts of client: cores, tenbin
    0 trial 1
      [a starts]
      [a-r1 starts]
      [r1 follows, 1 s behind]
      Info: started a private server for target a
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
      measure at 400
      replica at 905: {"r1.lag_at_most_s": 0.905, "r1.lag_s": 0.905}
      400-900: 10 = 8 + 0 + 0 + 2, 2 clients
      replica at 1405: {"r1.lag_at_most_s": 1.405, "r1.lag_s": 1.405}
      900-1400: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1400
      catch-up at 1405
      replica at 1905: {"r1.lag_at_most_s": 1.905, "r1.lag_s": 1.905}
      replica at 2405: {"r1.lag_at_most_s": 2.405, "r1.lag_s": 2.405}
      replica at 2905: {"r1.lag_at_most_s": 2.905, "r1.lag_s": 2.905}
      replica at 3405: {"r1.lag_at_most_s": 3.405, "r1.lag_s": 3.405}
      Warning: after 2 s these replicas did not have everything that was written: r1
    3405 Complete, measured 400-1400
    3405 run Complete
      [a is stopped]
      [a-r1 is stopped]
    => Complete
    "#);
    // The lag is unknown, or is not waited for.
    for (catch_up, lag_ms) in [("2s", None), ("none", Some(stands_still as fn(u64) -> u64))] {
        let text = told(&plan(catch_up), Script { lag_ms, ..Script::default() });
        assert!(text.ends_with("=> Complete") && !text.contains("Warning"), "{text}");
        assert_eq!(text.contains("catch-up at"), catch_up != "none");
    }
    // A stop ends the wait.
    let stop = vec![(When::At(2000), Happening::Stop)];
    let text = told(&plan("10m"), Script { lag_ms: Some(stands_still), happens: stop, ..Script::default() });
    assert!(
        text.contains("catch-up at") && text.contains("Complete, measured") && text.ends_with("=> Partial"),
        "{text}"
    );
}

#[test]
fn a_private_server_that_does_not_start_costs_its_own_trials() {
    let plan =
        plan("targets.a.sandbox = \"mariadbd\"\ntargets.b.sandbox = \"mariadbd\"", "repeats = 1\nrestore = \"never\"");
    insta::assert_snapshot!(told(&plan, Script { no_start: Some("a"), ..Script::default() }), @"
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
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of b: tables.bytes, tables.rows, tables.unit
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
fn the_limits_of_servers_are_looked_at_before_each_cell_if_that_is_enough() {
    let plan = plan(PRIVATE, "repeats = 3\nrestore = \"never\"") + "matrix = { \"load.clients\" = [1, 2] }\n";
    let looks = |checks| {
        let text = told(&plan, Script { checks, ..Script::default() });
        text.lines().filter(|line| line.contains("limits of") || line.contains(" trial ")).count() - 6
    };
    // Again behind the load of the first.
    assert_eq!((looks(Checks::EachCell), looks(Checks::Never)), (3, 0));
}

#[test]
fn a_listener_that_fails_ends_the_run_and_its_servers() {
    let plan = plan(PRIVATE, "repeats = 2\nrestore = \"never\"");
    let fails = |begin| told(&plan, Script { sink_fails: Some(begin), ..Script::default() });
    insta::assert_snapshot!(fails("400-900"), @"
    run
    planned 1 of 2: a 1
    planned 2 of 2: a 2
      facts of client: cores, tenbin
    0 trial 1
      [a starts]
      Info: started a private server for target a
      facts of a: version
      load at 0
      Info: loaded 100 rows in 0.4 s (250 rows/s, 4 streams)
      facts of a: tables.bytes, tables.rows, tables.unit
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
