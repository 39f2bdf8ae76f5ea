//! The plan of a managed source and its read replica, and a cluster of Aurora, on an imitated Amazon RDS: moto describes
//! the instances, real servers stand behind the addresses, and what they do is what CloudWatch says.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::cloud::{plan, steady, with_credentials};
use serde_json::Value;
use tenbin_tests::moto::REGION;
use tenbin_tests::sql::query;
use tenbin_tests::{Moto, RdsFigures, mariadb, output_of, read_back, replication, tenbin};

/// How long after its source the replica applies what it has.
const DELAY_S: f64 = 6.0;

#[test]
fn the_plan_of_managed_replica_lag_shows_cloudwatch_beside_the_heartbeat() {
    let (both, moto, dir) = (replication(&[]), Moto::start(), tempfile::tempdir().unwrap());
    moto.instance("db-1");
    moto.replica("db-2", "db-1");
    for sql in ["STOP SLAVE", &format!("CHANGE MASTER TO MASTER_DELAY={DELAY_S}"), "START SLAVE"] {
        query(&both.replica, sql);
    }
    for server in [&both.source, &both.replica] {
        query(server, "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
    let figures = RdsFigures::report(&moto, &[("db-1", both.source.dsn()), ("db-2", both.replica.dsn())]);
    let mut text = include_str!("../../../../plans/e5-rds.toml").to_owned();
    let host = "abcdefghijkl.ap-northeast-1.rds.amazonaws.com:3306";
    let endpoint = format!("region = \"ap-northeast-1\", endpoint = \"{}\"", moto.endpoint());
    for (from, to) in [
        (format!("mysql://bench@db-1.{host}/load_test"), both.source.dsn()),
        (format!("mysql://bench@db-2.{host}"), both.replica.dsn()),
        ("password_env = \"BENCH_PASSWORD\"\n".to_owned(), String::new()),
        ("region = \"ap-northeast-1\"".to_owned(), endpoint),
        ("10_000_000".to_owned(), "2_000".to_owned()),
        ("measure = \"2h\"".to_owned(), "measure = \"130s\"".to_owned()),
        ("clients = 16".to_owned(), "clients = 4\nrate = 40".to_owned()),
    ] {
        assert!(text.contains(&from), "{from}");
        text = text.replace(&from, &to);
    }
    let (path, runs) = (dir.path().join("plan.toml"), dir.path().join("runs"));
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = output_of(with_credentials(dir.path()).arg("run").arg(&path).arg("--runs").arg(&runs));
    // A busy machine may make the result INVALID.
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    drop(figures);
    let (run, json) = read_back(&runs);
    let trial = &json["trials"][0];
    let reading = |name: &str| {
        let all = trial["readings"].as_array().unwrap();
        let one = all.iter().find(|r| r["observer"] == "cloudwatch" && r["name"] == name);
        one.and_then(|r| r["mean"].as_f64()).unwrap_or_else(|| panic!("{name}: {err}"))
    };
    // One replica, seen by two: the figure of the server itself, and the clock of the client.
    let replica = &trial["replicas"][0];
    let heartbeat_s = replica["lag_max_s"].as_f64().unwrap();
    let lag_s = reading("r1.ReplicaLag");
    assert!((DELAY_S - 2.0..DELAY_S + 60.0).contains(&lag_s), "{lag_s}: {replica}");
    assert!(heartbeat_s >= lag_s - 2.0, "{heartbeat_s} is the most, {lag_s} a mean: {replica}");
    let writes = ["WriteIOPS", "r1.WriteIOPS"].map(reading);
    assert!(writes.iter().all(|writes| *writes > 10.0), "of 40 transactions per second: {writes:?}");
    let logs = reading("BinLogDiskUsage");
    let now: f64 = query(&both.source, "SHOW BINARY LOGS").iter().map(|row| row[1].parse::<f64>().unwrap()).sum();
    assert!(logs > 1e4 && logs <= now, "{logs} of {now}");
    assert!(reading("DatabaseConnections") >= 4.0);
    assert_eq!(json["machines"]["source"]["cloud_replica_r1"].as_str().unwrap().split(';').next(), Some("db-2"));
    // The three curves of the experiment, and the lag of the heartbeat, are on the page.
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    for label in [
        "WriteIOPS: writes per second (CloudWatch)",
        "BinLogDiskUsage: disk use of the binary logs (CloudWatch)",
        "ReplicaLag: lag of this replica (r1, CloudWatch)",
        "Replication lag",
        "r1: ReplicaLag (CloudWatch)",
        "managed replica ",
        "source: BinLogDiskUsage (CloudWatch)",
        "source: WriteIOPS (CloudWatch)",
        "r1: WriteIOPS (CloudWatch)",
    ] {
        assert!(page.contains(label), "{label}");
    }
    let csv = output_of(tenbin().args(["report", "--format", "readings-csv"]).arg(&run)).1;
    for name in ["cloudwatch,r1.ReplicaLag", "cloudwatch,WriteIOPS", "cloudwatch,BinLogDiskUsage", "replica,r1.lag_s"] {
        assert!(csv.contains(&format!(",{name},")), "{name}");
    }
}

/// The text without the random part of the addresses of a cluster.
fn of_any(text: &str) -> String {
    let mut parts = text.split(".cluster-");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (id, rest) = part.split_once('.').unwrap();
        let reader = if id.starts_with("ro-") { "ro-" } else { "" };
        format!("{text}.cluster-{reader}ID.{rest}")
    })
}

#[test]
fn a_cluster_of_aurora_is_its_instance_that_writes() {
    let (server, moto, dir) = (mariadb(&[]), Moto::start(), tempfile::tempdir().unwrap());
    moto.cluster("cluster-1", &["aurora-1", "aurora-2"]);
    let endpoint = moto.endpoint();
    let text_of = |cloud: &str| {
        let cloud = format!("{cloud}, region = \"{REGION}\", endpoint = \"{endpoint}\", wait = \"0s\"");
        let plan = plan(dir.path(), &server, &cloud);
        let (code, out, err) = output_of(with_credentials(dir.path()).args(["plan", "check"]).arg(&plan));
        let evidence =
            out.lines().map(str::trim).filter(|line| line.contains("managed instance")).collect::<Vec<_>>().join("\n");
        (code, of_any(&steady(&format!("{evidence}\n{err}"), &server, &endpoint, dir.path())))
    };
    let (code, output) = text_of("cluster = \"cluster-1\"");
    assert_eq!(code, 0);
    insta::assert_snapshot!(output, @r#"
    note     the address of the target is not one of the managed instance aurora-1
    ok     managed instance aurora-1 in ap-northeast-1: aurora-mysql 5.7.mysql_aurora.2.07.2 on db.r5.large: aurora
    doubt  the address of the target is not one of the managed instance aurora-1: the instance has aurora-1.aaaaaaaaaa.ap-northeast-1.rds.amazonaws.com, cluster-1.cluster-ID.ap-northeast-1.rds.amazonaws.com, cluster-1.cluster-ro-ID.ap-northeast-1.rds.amazonaws.com, the target has 127.0.0.1
    "#);
    let (code, output) = text_of("rds = \"aurora-2\", cluster = \"cluster-1\"");
    assert!(code == 0 && output.contains("managed instance aurora-2 in"), "{output}");
    let (code, output) = text_of("cluster = \"cluster-2\"");
    assert_eq!(code, 1);
    insta::assert_snapshot!(output.trim(), @r#"
    error: there is no cluster cluster-2 in ap-northeast-1
      evidence  DBClusterNotFoundFault: DBCluster cluster-2 not found.
      hint      aws rds describe-db-clusters --query 'DBClusters[].DBClusterIdentifier' --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    let cloud = format!("cluster = \"cluster-1\", region = \"{REGION}\", endpoint = \"{endpoint}\", wait = \"0s\"");
    let plan = plan(dir.path(), &server, &cloud);
    let runs = dir.path().join("runs");
    let (code, out, err) =
        output_of(with_credentials(dir.path()).arg("run").arg(&plan).arg("--json").arg("--runs").arg(&runs));
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {code} {out}{err}"));
    let of = |name: &str| json["machines"]["rds"][name].as_str().unwrap_or_default().to_owned();
    assert_eq!([of("cloud_cluster"), of("cloud_instance")], ["cluster-1", "aurora-1"], "{json}");
    assert!(of("cloud_engine").starts_with("aurora-mysql "), "{}", of("cloud_engine"));
}
