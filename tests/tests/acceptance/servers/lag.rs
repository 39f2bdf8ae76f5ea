//! The lag of replicas: measured against what a test observes itself, and with every fault of a replica reported.

use super::replicas_of::*;
use std::time::Duration;
use tenbin_model::names::replica;
use tenbin_tests::sql::{connector, query};
use tenbin_tests::{Link, mysql_binary, output_of, read_back, replication, tenbin};

/// The farthest that the bounds may be from the lag that a test measures, seconds.
const WITHIN_S: f64 = 0.3;

/// Whether a lag lies within bounds that say something: a heartbeat that a busy machine wrote late makes them wider, never wrong.
fn agrees(truth_s: f64, at_least_s: f64, at_most_s: f64) -> bool {
    at_least_s - WITHIN_S < truth_s && truth_s < at_most_s + WITHIN_S && at_most_s - at_least_s < truth_s / 2.0
}

#[test]
fn a_replica_that_is_delayed_is_as_far_behind_as_rows_of_the_test() {
    let both = replication(&[]);
    query(&both.replica, "STOP SLAVE");
    query(&both.replica, "CHANGE MASTER TO MASTER_DELAY=2");
    query(&both.replica, "START SLAVE");
    query(&both.source, "CREATE TABLE sbtest.marks (n INT PRIMARY KEY)");
    let mut replicas = Observed::of(&both);
    replicas.go_on(Duration::from_secs(3));
    // Rows written by the test between two times, and the truth that they show: when it was, and the bounds of the replica's age.
    let (mut written_s, mut truth) = (Vec::new(), Vec::new());
    for n in 0..80 {
        let before_s = replicas.now_s();
        query(&both.source, &format!("INSERT INTO sbtest.marks VALUES ({n})"));
        written_s.push((before_s, replicas.now_s()));
        let newest = query(&both.replica, "SELECT COALESCE(MAX(n), -1) FROM sbtest.marks")[0][0].parse::<i32>();
        let (newest, now_s) = (newest.unwrap_or(-1), replicas.now_s());
        if let (Ok(newest), true) = (usize::try_from(newest), n > 30) {
            let next_s = written_s.get(newest + 1).map_or(now_s, |(_, at_s)| *at_s);
            truth.push((now_s, (now_s - next_s, now_s - written_s[newest].0)));
        }
        replicas.go_on(Duration::from_millis(80));
    }
    assert!(truth.len() > 30, "{truth:?}");
    let mut compared = 0;
    for (at_s, (least_s, most_s)) in truth {
        let Some((at_least_s, at_most_s)) = replicas.bounds_around(at_s) else { continue };
        compared += 1;
        assert!(
            at_least_s < most_s + WITHIN_S && least_s < at_most_s + WITHIN_S,
            "{at_least_s} to {at_most_s} instead of {least_s} to {most_s}: {replicas:?}"
        );
        assert!(most_s > 0.9 && least_s < 5.0, "two seconds, more or less one, on a busy machine: {most_s}");
    }
    assert!(compared > 30, "{replicas:?}");
    assert!(replicas.told().is_empty(), "{:?}", replicas.told());
    replicas.end();
    assert_eq!(query(&both.source, "SHOW DATABASES LIKE 'tenbin_heartbeat'"), Vec::<Vec<String>>::new());
}

#[test]
fn a_stopped_applier_is_behind_by_the_time_since_it_stopped() {
    let both = replication(&[]);
    let mut replicas = Observed::of(&both);
    replicas.go_on(Duration::from_secs(2));
    assert!(replicas.last(&replica::at_least("r1")).is_some_and(|lag_s| lag_s < WITHIN_S), "{replicas:?}");
    query(&both.replica, "STOP SLAVE SQL_THREAD");
    let stopped_s = replicas.now_s();
    replicas.go_on(Duration::from_secs(4));
    let truth_s = replicas.last_s() - stopped_s;
    let (at_least_s, at_most_s) = replicas.bounds_near(replicas.last_s());
    assert!(agrees(truth_s, at_least_s, at_most_s), "{truth_s}: {replicas:?}");
    assert_eq!(replicas.last(&replica::seconds_behind("r1")), None, "it says NULL");
    assert!(replicas.last("r1.transactions_behind").is_some_and(|missing| missing > 10.0), "{replicas:?}");
    insta::assert_snapshot!(replicas.told().join("\n"), @"replication has stopped on replica r1: its lag grows");
    query(&both.replica, "START SLAVE SQL_THREAD");
    replicas.go_on(Duration::from_secs(2));
    assert!(replicas.last(&replica::at_most("r1")).is_some_and(|lag_s| lag_s < 2.0 * WITHIN_S), "{replicas:?}");
    // What somebody has put into the schema would be dropped with it.
    query(&both.source, "CREATE PROCEDURE tenbin_heartbeat.mine() SELECT 1");
    replicas.end();
    let routines = "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'tenbin_heartbeat'";
    assert_eq!(query(&both.source, routines), [["mine"]]);
}

#[test]
fn while_the_link_is_down_the_replica_says_that_it_is_not_behind_and_the_heartbeat_grows() {
    let both = replication(&[]);
    let link = Link::to(port(&both.source));
    query(&both.replica, "STOP SLAVE");
    query(&both.replica, &format!("CHANGE MASTER TO MASTER_PORT={}", link.port()));
    query(&both.replica, "START SLAVE");
    both.caught_up();
    let mut replicas = Observed::of(&both);
    replicas.go_on(Duration::from_secs(2));
    link.cut();
    let cut_s = replicas.now_s();
    replicas.go_on(Duration::from_secs(5));
    let truth_s = replicas.last_s() - cut_s;
    assert_eq!(replicas.last(&replica::seconds_behind("r1")), Some(0.0), "{replicas:?}");
    let (at_least_s, at_most_s) = replicas.bounds_near(replicas.last_s());
    assert!(agrees(truth_s, at_least_s, at_most_s), "{truth_s}: {replicas:?}");
    link.mend();
    replicas.go_on(Duration::from_secs(2));
    assert!(replicas.last(&replica::at_most("r1")).is_some_and(|lag_s| lag_s < 2.0 * WITHIN_S), "{replicas:?}");
    assert!(replicas.told().is_empty(), "{:?}", replicas.told());
}

#[test]
fn a_replica_that_filters_is_promoted_or_lost_is_told() {
    let both = replication(&[("replicate_wild_ignore_table", "tenbin_heartbeat.%")]);
    let mut replicas = Observed::of(&both);
    replicas.go_on(Duration::from_secs(12));
    assert_eq!(replicas.last(&replica::at_least("r1")), None, "{replicas:?}");
    insta::assert_snapshot!(replicas.told().join("\n"), @"replica r1 does not replicate the heartbeat: its lag is not measured");
    replicas.end();

    let both = replication(&[]);
    let mut replicas = Observed::of(&both);
    replicas.go_on(Duration::from_secs(2));
    query(&both.replica, "STOP SLAVE");
    query(&both.replica, "RESET SLAVE ALL");
    replicas.go_on(Duration::from_secs(8));
    assert_eq!(replicas.last(&replica::at_least("r1")), None, "{replicas:?}");
    // Between the two statements it may have been seen as stopped.
    let last = |replicas: &Observed| replicas.told().pop().unwrap_or_default();
    insta::assert_snapshot!(last(&replicas), @"replica r1 does not replicate: it says that it is no replica (was it promoted?)");
    drop(both.replica);
    replicas.go_on(Duration::from_secs(3));
    insta::assert_snapshot!(last(&replicas), @"replica r1 cannot be read: its lag is not known meanwhile");
    replicas.end();
}

#[test]
fn an_account_without_privileges_is_told_what_it_lacks() {
    let both = replication(&[]);
    for sql in ["CREATE USER mon@'127.0.0.1'", "GRANT SELECT ON sbtest.* TO mon@'127.0.0.1'"] {
        query(&both.source, sql);
    }
    both.caught_up();
    let as_mon = |at: &tenbin_servers::sandbox::Sandbox| format!("mysql://mon@127.0.0.1:{}/sbtest", port(at));
    let (source, replica) = (connector(&both.source), connector(&as_mon(&both.replica)));
    // It may not read the heartbeat, and nothing about replication.
    let mut replicas = Observed::at(source.clone(), replica);
    replicas.go_on(Duration::from_secs(2));
    replicas.end();
    query(&both.source, "GRANT SELECT ON tenbin_heartbeat.* TO mon@'127.0.0.1'");
    both.caught_up();
    let mut more = Observed::at(source, connector(&as_mon(&both.replica)));
    more.go_on(Duration::from_secs(3));
    assert!(more.last(&replica::at_most("r1")).is_some_and(|lag_s| lag_s < 2.0 * WITHIN_S), "{more:?}");
    // It may not write the heartbeat to the source, nor see its binary logs.
    let mut less = Observed::at(connector(&as_mon(&both.source)), connector(&both.replica));
    less.go_on(Duration::from_secs(3));
    less.end();
    // A schema of somebody else's is left alone.
    query(&both.source, "CREATE TABLE tenbin_heartbeat.own (id INT)");
    let mut others = Observed::of(&both);
    others.go_on(Duration::from_secs(2));
    others.end();
    more.end();
    assert_eq!(query(&both.source, "SHOW TABLES FROM tenbin_heartbeat LIKE 'own'"), [["own"]]);
    let all = [replicas, more, less, others].map(|replicas| replicas.told_with_hints().join("\n"));
    insta::assert_snapshot!(all.join("\n--\n"), @r"
    replica r1 cannot be read: its lag is not known meanwhile (reading the heartbeat failed: SELECT command denied to user 'mon'@'127.0.0.1' for table `tenbin_heartbeat`.`beat` (error 1142)): GRANT SELECT ON tenbin_heartbeat.* TO 'mon'@'…'
    --
    asking for its part in replication failed: Access denied; you need (at least one of) the SUPER, SLAVE MONITOR privilege(s) for this operation (error 1227) (-): GRANT SLAVE MONITOR ON *.* TO 'mon'@'…'
    --
    reading the binary logs failed: Access denied; you need (at least one of) the SUPER, BINLOG MONITOR privilege(s) for this operation (error 1227) (-): GRANT BINLOG MONITOR ON *.* TO 'mon'@'…'
    writing the heartbeat failed: DELETE command denied to user 'mon'@'127.0.0.1' for table `tenbin_heartbeat`.`beat` (error 1142) (-): GRANT ALL ON tenbin_heartbeat.* TO 'mon'@'…'
    --
    the schema tenbin_heartbeat was not created by Tenbin: no heartbeat is written, and the lag of the replicas is not measured (it has a table own): drop or rename the schema tenbin_heartbeat if it is not needed
    ");
}

/// The plan of the project at small scale, and what came of it: standard output, and the results.
fn small(changes: &[(&str, &str)]) -> (String, serde_json::Value) {
    let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    let (plan, runs) = (dir.path().join("plan.toml"), dir.path().join("runs"));
    let mut text = include_str!("../../../../plans/e5-replica-lag.toml").to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from} is not in the plan");
        text = text.replace(from, to);
    }
    std::fs::write(&plan, text).unwrap_or_else(|e| panic!("{e}"));
    let (code, out, err) = output_of(tenbin().args(["run", "--runs"]).arg(&runs).arg(&plan));
    // A busy machine may make the result INVALID.
    assert!([0, 3].contains(&code), "{out}{err}");
    let (run, json) = read_back(&runs);
    let page = std::fs::read_to_string(run.join("report.html")).unwrap_or_default();
    assert!(page.contains("Replication lag") && page.contains("Space of the binary logs"));
    let csv = output_of(tenbin().arg("report").arg(&run).args(["--format", "readings-csv"])).1;
    for reading in
        ["r1.lag_s", "r1.lag_at_most_s", "r1.seconds_behind", "r1.transactions_behind", "binlog_written_bytes"]
    {
        assert!(csv.contains(&format!(",{reading},")), "{reading} is missing");
    }
    assert!(csv.contains(",replica,r1.lag_s,gauge,s,replica,catch-up,"), "it is observed until it has caught up");
    (out + &err, json)
}

const SMALL: [(&str, &str); 3] =
    [("100_000", "2_000"), ("measure = \"60s\"", "measure = \"6s\""), ("clients = 16", "clients = 4")];

#[test]
fn the_plan_of_replica_lag_runs_on_private_servers() {
    let delayed = ("sandbox = true\n", "sandbox = true\ndelay = \"2s\"\n");
    let (output, json) = small(&[&SMALL[..], &[delayed]].concat());
    let replica = &json["trials"][0]["replicas"][0];
    let sentence = replica["sentence"].as_str().unwrap_or_default();
    assert!(sentence.starts_with("Replica r1 ") && sentence.contains("; it had everything "), "{replica}");
    assert!(output.contains(sentence), "{output}");
    // It is delayed by two seconds, more or less one.
    let figure = |name: &str| replica[name].as_f64().unwrap_or(f64::NAN);
    assert!(figure("lag_end_s") > 0.7 && figure("lag_max_s") >= figure("lag_end_s"), "{replica}");
    assert!(figure("caught_up_s") > 0.7 && figure("lag_slope").is_finite(), "{replica}");
}

#[test]
fn mysql_8_replicates_by_gtid() {
    let binary = format!("\"{}\"", mysql_binary("8.0.31"));
    let (_, json) = small(&[&SMALL[..], &[("\"mariadbd\"", binary.as_str())]].concat());
    let replica = &json["trials"][0]["replicas"][0];
    let figure = |name: &str| replica[name].as_f64().unwrap_or(f64::NAN);
    assert!(figure("lag_max_s") >= 0.0 && figure("caught_up_s") >= 0.0, "{replica}");
}
