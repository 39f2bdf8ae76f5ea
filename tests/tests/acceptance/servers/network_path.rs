//! What the network path to a server on another machine carries: a client in a network namespace of its own, and a
//! MariaDB that it reaches through a pair of interfaces.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::Stdio;
use std::time::Duration;
use tenbin_tests::{Link, Namespace, mariadb, read_back, run_beside_others, sql, wait_until_measured};

const PLAN: &str = r#"schema = 1
name = "path"
[defaults]
warmup = "0s"
interval = "200ms"
repeats = 1
[targets.far]
dsn = "DSN"
[datasets.d]
tables = 1
table_size = 1000
[[experiment]]
measure = "MEASURE"
load = { workload = "oltp_point_select", clients = 2 }
"#;

/// The plan for a server that listens at our end of the namespace.
fn plan(namespace: &Namespace, dsn: &str, measure: &str) -> (tempfile::TempDir, String) {
    let port = dsn.rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
    let link = Link::from(&namespace.server(), port);
    let far = dsn.replace(&format!("127.0.0.1:{port}"), &format!("{}:{}", namespace.server(), link.port()));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.toml");
    std::fs::write(&file, PLAN.replace("DSN", &far).replace("MEASURE", measure)).unwrap();
    (folder, file.display().to_string())
}

fn reading<'j>(trial: &'j serde_json::Value, observer: &str, name: &str) -> &'j serde_json::Value {
    let all = trial["readings"].as_array().unwrap();
    let row = all.iter().find(|r| r["observer"] == observer && r["name"] == name);
    row.unwrap_or_else(|| panic!("no {name} of {observer}: {all:#?}"))
}

#[test]
fn the_path_carries_what_the_server_says_that_it_sent() {
    let (server, namespace) = (mariadb(&[]), Namespace::new());
    let (folder, plan) = plan(&namespace, &server.dsn(), "2s");
    let runs = run_beside_others(folder.path(), |runs| {
        let mut command = namespace.tenbin();
        command.args(["run", &plan, "--runs"]).arg(runs);
        command
    });
    let (dir, json) = read_back(&runs);
    let trial = &json["trials"][0];
    let per_second = |observer, name| reading(trial, observer, name)["per_second"].as_f64().unwrap();
    // Each row comes in a packet of its own, whose headers are as long as it is; a statement of some twenty bytes has headers three times
    // as long, and a client that is late acknowledges each row in a packet beside it.
    for (path, by_server, most) in [("received_bits", "bytes_sent", 4.0), ("sent_bits", "bytes_received", 8.0)] {
        let ratio = per_second("client.path", path) / (8.0 * per_second("server.status", by_server));
        assert!((1.0..most).contains(&ratio), "{path}: {ratio} times what the server counted");
    }
    assert!(per_second("client.path", "tcp_segments") > 0.0);
    assert_eq!(reading(trial, "client.path", "dropped_packets")["change"], 0.0);
    let sentence = trial["network"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("Mbit/s (at most ") && sentence.ends_with("% of the TCP segments were sent again"));
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    let (_, section) = page.split_once("<section id=\"network\">").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    assert!(section.contains(sentence) && section.contains("Received from the server") && section.contains("eth0"));
}

#[test]
fn an_interface_that_goes_away_is_told_and_counted_again_when_it_is_back() {
    let (server, namespace) = (mariadb(&[]), Namespace::new());
    let (folder, plan) = plan(&namespace, &server.dsn(), "60s");
    let runs = folder.path().join("runs");
    let mut command = namespace.tenbin();
    let child = command.args(["run", &plan, "--runs"]).arg(&runs).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = child.unwrap();
    wait_until_measured(&runs, 3);
    let events = || {
        let run = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
        std::fs::read_to_string(run.join("trials/0001/events.jsonl")).unwrap()
    };
    let until = |enough: &dyn Fn(&str) -> bool| {
        let is_full = (0..1200).any(|_| {
            enough(&events()) || {
                std::thread::sleep(Duration::from_millis(50));
                false
            }
        });
        assert!(is_full, "not within a minute:\n{}", events());
    };
    let samples = |events: &str| events.matches(r#""observer":"client.path","at_ns""#).count();
    namespace.ip(&["link", "set", "eth0", "down"]);
    until(&|events| events.contains("there is no network interface to"));
    let before = samples(&events());
    namespace.ip(&["link", "set", "eth0", "up"]);
    until(&|events| samples(events) > before + 5);
    run_ended(&mut child);
    let (_, json) = read_back(&runs);
    let received = reading(&json["trials"][0], "client.path", "received_bits");
    assert!(received["change"].as_f64().unwrap() > 0.0, "{received}");
    assert_eq!(json["trials"][0]["state"], "partial");
}

/// As a server in a container of this machine is: its address is not a loopback one.
#[test]
fn a_server_in_another_network_of_this_machine_is_known_to_share_its_processors() {
    let (server, namespace) = (mariadb(&[("bind_address", "*")]), Namespace::new());
    let account = format!("beside@'{}'", namespace.client());
    sql::query(&server, &format!("CREATE USER {account}"));
    sql::query(&server, &format!("GRANT ALL ON *.* TO {account}"));
    let port = sql::connector(&server).dsn().port.unwrap();
    let dsn = format!("mysql://beside@{}:{port}/sbtest", namespace.server());
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    std::fs::write(&plan, PLAN.replace("DSN", &dsn).replace("MEASURE", "1s")).unwrap();
    let runs = run_beside_others(folder.path(), |runs| {
        let mut command = namespace.tenbin();
        command.args(["run", &plan.display().to_string(), "--runs"]).arg(runs);
        command
    });
    let (dir, json) = read_back(&runs);
    let trial = &json["trials"][0];
    assert!(reading(trial, "server.process", "cpu_user_s")["per_second"].as_f64().unwrap() > 0.0);
    // Beside a server each of two clients has a thread; with a server elsewhere, or on a single processor, they would share one.
    let processors = std::thread::available_parallelism().unwrap().get();
    assert_eq!(trial["workers"], processors.min(2));
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    assert!(page.contains("client and server on one machine"));
}

/// Stops a run as Ctrl-C does, and waits for its end.
fn run_ended(child: &mut std::process::Child) {
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    child.wait().unwrap();
}
