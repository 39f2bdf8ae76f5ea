//! The figures of CloudWatch: moto's, and those of a CloudWatch that fails.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::cloud::{plan, steady, with_credentials};
use serde_json::Value;
use std::path::Path;
use std::time::{Instant, SystemTime};
use tenbin_tests::moto::REGION;
use tenbin_tests::{FakeAws, Moto, mariadb, output_of, read_back, replication, tenbin};

fn unix_s() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64()
}

/// A managed source and its replica, as in the experiment E5. A window of two minutes has one whole minute at least; the
/// figure of each minute is its number, so that it is seen which of them were taken, and where each stands.
#[test]
fn the_whole_minutes_of_the_window_are_the_figures_of_a_source_and_its_replica() {
    let (both, moto, dir) = (replication(&[]), Moto::start(), tempfile::tempdir().unwrap());
    let now = unix_s() as i64 / 60;
    for name in ["db-1", "db-2"] {
        moto.instance(name);
    }
    for minute in now - 3..now + 15 {
        moto.metric("db-1", "WriteIOPS", 60 * minute, minute as f64);
        moto.metric("db-1", "BinLogDiskUsage", 60 * minute, 1e9);
        moto.metric("db-1", "ReplicaLag", 60 * minute, -1.0);
        moto.metric("db-2", "ReplicaLag", 60 * minute, 7.0);
    }
    let endpoint = moto.endpoint();
    let cloud = |name| format!("rds = \"{name}\", region = \"{REGION}\", endpoint = \"{endpoint}\", wait = \"3m\"");
    let plan = plan(dir.path(), &both.source, &cloud("db-1"));
    let replica = format!(
        "[targets.rds.replicas]\nr1 = {{ dsn = \"{}\", cloud = {{ {} }} }}\n[datasets.small]",
        both.replica.dsn(),
        cloud("db-2")
    );
    let text = std::fs::read_to_string(&plan).unwrap().replace("[datasets.small]", &replica);
    let slow = text.replace("measure = \"1s\"", "measure = \"2m\"").replace("clients = 1", "clients = 1, rate = 20");
    std::fs::write(&plan, slow).unwrap();
    let (started, before) = (Instant::now(), unix_s());
    let runs = dir.path().join("runs");
    let (code, out, err) =
        output_of(with_credentials(dir.path()).arg("run").arg(&plan).arg("--json").arg("--runs").arg(&runs));
    let took_s = started.elapsed().as_secs_f64();
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {code} {out}{err}"));
    let reading = |name: &str| {
        let all = json["trials"][0]["readings"].as_array().unwrap();
        all.iter().find(|r| r["observer"] == "cloudwatch" && r["name"] == name).cloned().unwrap_or_default()
    };
    let writes = reading("WriteIOPS");
    let figure = |name: &str| writes[name].as_f64().unwrap_or_else(|| panic!("{err}{writes}"));
    let [mean, min, max] = ["mean", "min", "max"].map(figure);
    assert!(mean == f64::midpoint(min, max) && max - min <= 1.0, "one or two minutes: {writes}");
    assert!(60.0 * min >= before && 60.0 * (max + 1.0) <= before + took_s, "whole, and within the run: {writes}");
    let means = ["BinLogDiskUsage", "r1.ReplicaLag"].map(|name| reading(name)["mean"].as_f64());
    assert_eq!(means, [Some(1e9), Some(7.0)], "{err}");
    assert_eq!(reading("ReplicaLag"), Value::Null, "the source does not replicate");
    assert!(err.contains("CloudWatch says that db-1 does not replicate (ReplicaLag is -1)"), "{err}");
    assert!(!err.contains("CloudWatch has no figures"), "{err}");
    let of_replica = json["machines"]["rds"]["cloud_replica_r1"].as_str().unwrap();
    assert_eq!(of_replica, "db-2; db.r5.large; mysql 8.0.31; io1, 100 GiB, 3000 IOPS; ap-northeast-1a");

    // Each minute stands at its end, on the clock of the run.
    let run = Path::new(json["dir"].as_str().unwrap());
    let csv = output_of(tenbin().args(["report", "--format", "readings-csv"]).arg(run)).1;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let field =
        |row: &csv::StringRecord, name: &str| row[heads.iter().position(|head| head == name).unwrap()].to_owned();
    let of_writes =
        rows.iter().filter(|row| field(row, "observer") == "cloudwatch" && field(row, "reading") == "WriteIOPS");
    let drawn: Vec<(f64, f64)> =
        of_writes.map(|row| (field(row, "at_s").parse().unwrap(), field(row, "value").parse().unwrap())).collect();
    assert!(!drawn.is_empty(), "{csv}");
    for (at_s, minute) in &drawn {
        let (end_s, first) = (60.0 * (minute - drawn[0].1), drawn[0].0);
        assert!((at_s - first - end_s).abs() < 0.1, "a minute apart: {drawn:?}");
        // The clock of the run starts when the command does, or some seconds later; the clock of AWS has whole seconds.
        let late_s = 60.0 * (minute + 1.0) - before - at_s;
        assert!((-2.0..30.0).contains(&late_s), "{late_s}: {drawn:?}");
    }
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    for label in ["WriteIOPS: writes per second (CloudWatch)", "ReplicaLag: lag of this replica (r1, CloudWatch)"] {
        assert!(page.contains(label), "its curve");
    }
}

#[test]
fn a_cloudwatch_that_fails_loses_its_own_series_and_says_so() {
    let server = mariadb(&[]);
    let text_of = |status: u16, body: &'static str| {
        let dir = tempfile::tempdir().unwrap();
        let aws = FakeAws::start(move |request| match request.contains("Action=DescribeDBInstances") {
            true => {
                let name = "<DBInstanceIdentifier>db-1</DBInstanceIdentifier>";
                let rest = "<DBInstanceStatus>available</DBInstanceStatus><Engine>mysql</Engine>";
                (
                    200,
                    format!(
                        "<R><DBInstance>{name}{rest}<Endpoint><Address>127.0.0.1</Address></Endpoint></DBInstance></R>"
                    ),
                )
            }
            false => {
                let question: Value = serde_json::from_str(request.rsplit("\r\n\r\n").next().unwrap()).unwrap();
                match question["StartTime"].as_i64() < question["EndTime"].as_i64() {
                    true => (status, body.to_owned()),
                    // As CloudWatch, and not moto, refuses it.
                    false => (400, r#"{"__type": "ValidationError", "Message": "an empty time"}"#.to_owned()),
                }
            }
        });
        let cloud = format!("rds = \"db-1\", region = \"{REGION}\", endpoint = \"{}\"", aws.endpoint());
        let plan = plan(dir.path(), &server, &cloud);
        let runs = dir.path().join("runs");
        let (_, _, err) = output_of(with_credentials(dir.path()).arg("run").arg(&plan).arg("--runs").arg(&runs));
        let (_, json) = read_back(&runs);
        assert_eq!(json["trials"][0]["state"], "complete", "{err}");
        let part = |note: &Value, part: &str| note[1][part].as_str().unwrap_or("-").to_owned();
        let warnings = json["trials"][0]["notes"].as_array().unwrap().iter().filter(|note| note[0] == "warning");
        let notes: Vec<String> =
            warnings.map(|note| ["what", "evidence", "hint"].map(|name| part(note, name)).join("\n  ")).collect();
        steady(&notes.join("\n"), &server, &aws.endpoint(), dir.path())
    };
    insta::assert_snapshot!(text_of(400, r#"{"__type": "AccessDeniedException", "Message": "not authorized"}"#), @r#"
    the credentials for AWS do not permit cloudwatch:GetMetricData
      AccessDeniedException: not authorized
      allow the action cloudwatch:GetMetricData in the IAM policy of these credentials; whose they are: aws sts get-caller-identity --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    insta::assert_snapshot!(text_of(200, "{}"), @r#"
    the answer of AWS to cloudwatch:GetMetricData cannot be understood
      {}
      look whether http://ENDPOINT is CloudWatch
    "#);
    insta::assert_snapshot!(text_of(200, r#"{"MetricDataResults": []}"#), @r#"
    the measured window of 1 s contains no whole minute: there are no figures of CloudWatch for it
      -
      write measure = "5m"
    "#);
}
