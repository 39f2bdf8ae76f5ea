//! The table of machines: the client and each server on this machine or over `ssh`, on the page and as JSON.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use tenbin_tests::{Sshd, balanced, mariadb, output_of, read_back, tenbin, wait_until_measured};

const PLAN: &str = r#"
schema = 1
name = "machines"
defaults = { warmup = "0s", measure = "1s", settle = "0s", repeats = 1 }
[targets.private]
sandbox = "mariadbd"
[targets.nothing]
dsn = "null:"
[[experiment]]
load = { workload = "oltp_point_select", clients = 1 }
"#;

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap().trim_end().to_owned()
}

#[test]
fn a_server_on_this_machine_has_its_machine_beside_the_clients() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--json").arg("--runs").arg(dir.path()));
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {code} {out}{err}"));
    let (client, server) = (&json["machines"]["client"], &json["machines"]["private"]);
    assert_eq!(json["machines"]["nothing"], Value::Null, "there is no server");
    for (name, value) in [
        ("kernel", read("/proc/sys/kernel/osrelease")),
        ("threads", read("/proc/cpuinfo").lines().filter(|line| line.starts_with("processor")).count().to_string()),
    ] {
        assert_eq!([&client[name], &server[name]], [&value, &value], "{name}");
    }
    for name in ["cpu", "memory", "system", "virtualisation", "open_files_limit", "locked_memory_limit"] {
        assert!(client[name].is_string() && server[name].is_string(), "{name}: {client} {server}");
    }
    // What the system's own tools say about the directory of the server.
    let directory = server["data_directory"].as_str().unwrap();
    assert_eq!(client["data_directory"], Value::Null);
    // The directory of the private server was removed with it; its parents are on the same file system.
    let there = Path::new(directory).ancestors().find(|place| place.exists()).unwrap();
    let words = std::process::Command::new("findmnt")
        .args(["--noheadings", "--output", "FSTYPE,TARGET", "--target", there.to_str().unwrap()])
        .output();
    let words = String::from_utf8(words.unwrap().stdout).unwrap();
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(words, [server["file_system"].as_str().unwrap(), server["mounted_at"].as_str().unwrap()]);
    assert!(server["mount_options"].as_str().unwrap().starts_with("rw"), "{server}");

    let run = json["dir"].as_str().unwrap();
    let page = std::fs::read_to_string(Path::new(run).join("report.html")).unwrap();
    let (_, section) = page.split_once("<section id=\"machines\">").unwrap();
    let section = section.split_once("</section>").unwrap().0;
    // Equal on both: the value is there once, over both columns.
    let kernel = format!("colspan=2><span translate=no>{}</span>", read("/proc/sys/kernel/osrelease"));
    assert!(section.contains(&kernel) && section.contains("Not looked at"), "{section}");
    assert!(!page.split_once("<section id=\"environment\">").unwrap().1.contains(">kernel<"), "not a second time");
    // Read back, the recording gives the same.
    let (_, again, _) = output_of(tenbin().args(["report", run, "--format", "json"]));
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["machines"], json["machines"]);
}

/// A plan that looks at the machine of a server over `ssh`.
fn over_ssh(dsn: &str, config: &str, seconds: u32) -> String {
    format!(
        "schema = 1\nname = \"far\"\ndefaults = {{ warmup = \"0s\", measure = \"{seconds}s\", settle = \"0s\", repeats = 1 }}\n\
         [targets.far]\ndsn = \"{dsn}\"\nhost = {{ ssh = \"db\", config = \"{config}\" }}\n\
         [datasets.small]\ntables = 1\ntable_size = 100\n\
         [[experiment]]\nload = {{ workload = \"oltp_point_select\", clients = 1 }}\n"
    )
}

#[test]
fn a_machine_seen_over_ssh_is_the_one_that_is_seen_here() {
    let (server, sshd, dir) = (mariadb(&[]), Sshd::start(), tempfile::tempdir().unwrap());
    let plan = dir.path().join("plan.toml");
    let near = format!("[targets.near]\ndsn = \"{}\"\n[datasets", server.dsn());
    std::fs::write(&plan, over_ssh(&server.dsn(), &sshd.config(), 3).replacen("[datasets", &near, 1)).unwrap();
    let (code, out, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("the machine of the server can be looked at: db: Linux "), "{out}");
    let process = format!("; process {} of the server", server.pid().unwrap());
    assert!(out.contains(&process), "{process}: {out}");

    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--json").arg("--runs").arg(dir.path()));
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {code} {out}{err}"));
    // The same machine, once through /proc and once through a shell at the other end of a connection.
    assert_eq!(json["machines"]["far"], json["machines"]["near"]);
    for name in ["kernel", "data_directory", "mount_options", "open_files_limit"] {
        assert!(json["machines"]["far"][name].is_string(), "{name}: {}", json["machines"]);
    }
    let of = |target: &str, observer: &str, name: &str| -> Value {
        let trial = json["trials"].as_array().unwrap().iter().find(|trial| trial["target"] == target).unwrap();
        let readings = trial["readings"].as_array().unwrap().iter();
        let is_it = |r: &&Value| r["observer"] == observer && r["name"] == name;
        readings.clone().find(is_it).cloned().unwrap_or_default()
    };
    let cores = read("/proc/cpuinfo").lines().filter(|line| line.starts_with("processor")).count() as f64;
    let spent = |target: &str, observer: &str, names: &[&str]| -> f64 {
        names.iter().map(|name| of(target, observer, name)["per_second"].as_f64().unwrap()).sum()
    };
    // All states of the processors together are all processors, by our clock.
    let states = ["user", "nice", "system", "irq", "softirq", "steal", "iowait", "idle"].map(|s| format!("cpu_{s}_s"));
    let all = spent("far", "server.host", &states.each_ref().map(String::as_str));
    assert!((all / cores - 1.0).abs() < 0.2, "{all} of {cores} cores");
    assert!(spent("far", "server.host", &["process_cpu_user_s", "process_cpu_system_s"]) > 0.01, "it has worked");
    assert!(of("far", "server.host", "process_memory_bytes")["mean"].as_f64().unwrap() > 1e7);
    assert!(of("far", "server.host", "disk_written_bytes")["change"].is_number());
    assert_eq!(of("far", "server.process", "cpu_user_s"), Value::Null, "it is not taken for a process of this machine");
    assert!(
        of("near", "server.process", "cpu_user_s")["change"].is_number()
            && of("near", "server.host", "cpu_user_s").is_null()
    );
    assert!(sshd.sessions().is_empty(), "a connection was left open");
}

#[test]
fn a_machine_that_ssh_does_not_reach_is_refused_beforehand_with_the_words_of_ssh() {
    let (server, sshd, dir) = (mariadb(&[]), Sshd::start(), tempfile::tempdir().unwrap());
    let plan = dir.path().join("plan.toml");
    let check = |config: &str, path: Option<&Path>| {
        std::fs::write(&plan, over_ssh(&server.dsn(), config, 1)).unwrap();
        let mut command = tenbin();
        if let Some(path) = path {
            command.env("PATH", path);
        }
        let (code, out, err) = output_of(command.args(["plan", "check"]).arg(&plan));
        assert_eq!(code, 1, "{out}{err}");
        format!("{out}{err}")
    };
    for (config, evidence, hint) in [
        (sshd.config_without_key(), "Permission denied (publickey).", "ssh-copy-id -F "),
        (sshd.config_of_stranger(), "Host key verification failed.", "confirm the key of the host: ssh -F "),
        (sshd.config_without_server(), "Connection refused", "see whether this works without a question: ssh -F "),
    ] {
        let text = check(&config, None);
        for part in ["the machine of the server cannot be looked at: ssh to db failed", evidence, hint, &config] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let text = check(&sshd.config(), Some(dir.path()));
    assert!(text.contains("ssh cannot be started") && text.contains("apt-get install openssh-client"), "{text}");
}

#[test]
fn a_connection_that_ends_during_a_trial_costs_its_readings_and_not_the_trial() {
    let (server, sshd, dir) = (mariadb(&[]), Sshd::start(), tempfile::tempdir().unwrap());
    let (plan, runs) = (dir.path().join("plan.toml"), dir.path().join("runs"));
    std::fs::write(&plan, over_ssh(&server.dsn(), &sshd.config(), 5)).unwrap();
    let run =
        tenbin().arg("run").arg(&plan).arg("--runs").arg(&runs).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut run = run.unwrap();
    wait_until_measured(&runs, 1);
    assert!(!sshd.sessions().is_empty(), "it is observed");
    sshd.hang_up();
    let code = run.wait().unwrap().code();
    let (_, json) = read_back(&runs);
    let trial = &json["trials"][0];
    assert_eq!((trial["state"].as_str(), code.is_some_and(|code| code != 2)), (Some("complete"), true), "{trial}");
    balanced(&json);
    let notes = trial["notes"].to_string();
    assert!(notes.contains("ssh to db failed") && notes.contains("see whether this works"), "{notes}");
    assert_eq!(notes.matches("ssh to db failed").count(), 1, "told once: {notes}");
}

#[test]
fn a_host_that_is_no_destination_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    for host in
        ["\"db-a\"", "\"ssh://u:hidden@db-a\"", "{ ssh = \"-oProxyCommand=reboot\" }", "{ ssh = \"a b\" }", "{}", "3"]
    {
        let text = format!(
            "schema = 1\n[targets.a]\ndsn = \"null:\"\nhost = {host}\n[[experiment]]\nload.workload = \"oltp_point_select\"\n"
        );
        std::fs::write(&plan, text).unwrap();
        let (code, out, err) = output_of(tenbin().args(["plan", "check"]).arg(&plan));
        let output = format!("{out}{err}");
        assert!(
            code == 1 && output.contains("line 4, column") && !output.contains("hidden"),
            "{host}: {code} {output}"
        );
    }
}
