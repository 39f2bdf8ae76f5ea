//! The ceiling of the clients is measured beside a trial, never in it: the server's own counts and a server that falls
//! silent meanwhile show it.

use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use tenbin_tests::{Mute, mariadb, output_of, postgres, tenbin};

fn bench(dsn: &str, runs: &Path, more: &[&str]) -> (i32, Value, String) {
    let mut command = tenbin();
    command.args(["bench", "oltp_point_select", dsn, "--json", "--threads", "3", "--table-size", "1000"]);
    let (code, out, err) = output_of(command.args(more).arg("--runs").arg(runs));
    (code, serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}")), err)
}

fn load(dsn: &str) {
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", dsn, "--table-size", "1000"]));
    assert_eq!(code, 0, "{err}");
}

#[test]
fn the_server_counts_it_before_the_window_and_only_if_it_is_wanted() {
    for (server, statement) in [(mariadb(&[]), "DO 0"), (postgres(&[]), "SELECT 1")] {
        let dsn = server.dsn();
        load(&dsn);
        for (options, prepared) in [(&[][..], true), (&["-o", "ps_mode=disable"], false)] {
            let runs = tempfile::tempdir().unwrap();
            let request = [&["--time", "2", "--calibrate", "always"], options].concat();
            let (code, json, err) = bench(&dsn, runs.path(), &request);
            assert!([0, 3].contains(&code), "{code} {err}");
            let trial = &json["trials"][0];
            let ceiling = &trial["client_ceiling"];
            assert_eq!(
                (&ceiling["statement"], &ceiling["prepared"], &ceiling["clients"]),
                (&statement.into(), &prepared.into(), &3.into())
            );
            let (per_s, share) = (ceiling["per_s"].as_f64().unwrap(), ceiling["share"].as_f64().unwrap());
            assert!(per_s > 100.0 && ceiling["client_cores"].as_f64().unwrap() > 0.0, "{ceiling}");
            assert!((share - trial["qps"].as_f64().unwrap() / per_s).abs() < 1e-9, "{ceiling}");
            // The window has the trial's statements alone; those of the calibration are as many at least.
            let names: Vec<&String> = trial["statements"].as_object().unwrap().keys().collect();
            assert_eq!(names, ["point_select"]);
            let events = tenbin_tests::read_back(runs.path()).0.join("trials/0001/events.jsonl");
            let events = std::fs::read_to_string(events).unwrap();
            let place = |event: &str| events.find(&format!("\"event\":\"{event}\"")).unwrap();
            assert!(place("client-ceiling") < place("observer-declared"), "before the observers");
            assert!(place("client-ceiling") < place("interval"));
        }
        let runs = tempfile::tempdir().unwrap();
        let (code, json, err) = bench(&dsn, runs.path(), &["--time", "1"]);
        let none = json["trials"][0]["client_ceiling"].is_null();
        assert!([0, 3].contains(&code) && none, "a short trial: {code} {err}");
    }
    // What the server itself has counted.
    let server = mariadb(&[]);
    let dos = || {
        let rows = tenbin_tests::sql::query(&server, "SHOW GLOBAL STATUS LIKE 'Com_do'");
        rows[0][1].parse::<u64>().unwrap()
    };
    load(&server.dsn());
    let runs = tempfile::tempdir().unwrap();
    let never = ["--time", "1", "--calibrate", "never"];
    let (code, _, err) = bench(&server.dsn(), runs.path(), &never);
    assert!([0, 3].contains(&code), "{code} {err}");
    assert!(dos() < 10, "locks are released by it too");
    let runs = tempfile::tempdir().unwrap();
    let (_, json, _) = bench(&server.dsn(), runs.path(), &["--time", "1", "--calibrate", "always"]);
    let per_s = json["trials"][0]["client_ceiling"]["per_s"].as_f64().unwrap();
    assert!(dos() as f64 >= per_s, "{} and {per_s}", dos());
}

#[test]
fn a_server_that_falls_silent_meanwhile_does_not_hold_tenbin() {
    let server = mariadb(&[]);
    load(&server.dsn());
    // Far more messages than the preparations need, far fewer than a second of statements.
    let mute = Mute::before(&server.dsn(), 1000);
    let runs = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let mut command = tenbin();
    command.args(["bench", "oltp_point_select", mute.dsn(), "--threads", "3", "--table-size", "1000", "--time", "2"]);
    let (code, _, err) = output_of(command.args(["--calibrate", "always", "--runs"]).arg(runs.path()));
    assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
    // Not even the clients of the trial can log in.
    assert!(mute.is_mute() && code == 1, "{code} {err}");
    assert!(err.contains("the ceiling of the clients was not measured"), "{err}");
    assert!(err.contains("the server did not let us in within 10 s"), "{err}");
}
