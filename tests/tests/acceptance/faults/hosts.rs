//! Load hosts of which one is not as the others: slow, without the right to the server, or without a file of the plan. All are named.

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tenbin_tests::{Sshd, balanced, mariadb, output_of, read_back, sql, target_dir, tenbin, wait_until_measured};

fn plan(dsn: &str, hosts: &str, load: &str, measure: &str) -> String {
    format!(
        "schema = 1\nname = \"hosts\"\n[hosts]\n{hosts}\n[targets]\na = {{ dsn = \"{dsn}\" }}\n\
         [datasets.small]\ntable_size = 1000\n[[experiment]]\nname = \"e\"\n\
         load = {{ calibrate = \"never\", {load} }}\ndataset = \"small\"\nwarmup = 0\nmeasure = \"{measure}\"\nrepeats = 1\n"
    )
}

fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill").args([name, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// The load hosts that a process has started, in their order.
fn hosts_of(run: u32) -> Vec<u32> {
    let output = output_of(Command::new("pgrep").args(["-f", "-P", &run.to_string(), "load-host"])).1;
    output.split_whitespace().map(|pid| pid.parse().expect("a process")).collect()
}

#[test]
fn a_host_that_is_ten_times_slower_is_told_by_name() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let (file, runs) = (dir.path().join("plan.toml"), dir.path().join("runs"));
    let load = "workload = \"oltp_point_select\", clients = 6, rate = 300";
    std::fs::write(&file, plan(&server.dsn(), "count = 3", load, "8s")).unwrap();
    let mut command = tenbin();
    let log = dir.path().join("log");
    let printed = std::fs::File::create(&log).unwrap();
    command.arg("run").arg(&file).arg("--runs").arg(&runs).stdout(Stdio::null()).stderr(printed);
    let mut run = command.spawn().unwrap();
    wait_until_measured(&runs, 1);
    let hosts = hosts_of(run.id());
    assert_eq!(hosts.len(), 3);
    let is_over = AtomicBool::new(false);
    let status = std::thread::scope(|scope| {
        // It runs for a tenth of the time, and often enough to answer within its lease also where other tests have the processors.
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                signal(hosts[1], "-STOP");
                std::thread::sleep(Duration::from_millis(450));
                signal(hosts[1], "-CONT");
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let status = run.wait().unwrap();
        is_over.store(true, Ordering::SeqCst);
        status
    });
    assert!(matches!(status.code(), Some(0 | 3)), "{status} {}", std::fs::read_to_string(&log).unwrap_or_default());
    let (_, json) = read_back(&runs);
    let trial = &json["trials"][0];
    assert_ne!(trial["verdict"], "VALID");
    let evidence = |doubt: &Value| doubt["problem"]["evidence"].as_str().unwrap_or_default().to_owned();
    let doubts = trial["doubts"].as_array().unwrap();
    // Others may have waited for a processor too, on a busy machine: by far not as long.
    let invalid = doubts.iter().filter(|doubt| doubt["code"] == "client-stopped" && doubt["verdict"] == "INVALID");
    let [of_slow] = &invalid.collect::<Vec<_>>()[..] else { panic!("one host is INVALID: {doubts:#?}") };
    assert!(evidence(of_slow).contains("on load host process 2"), "{doubts:#?}");
    let others = ["process 1", "process 3"];
    assert!(!others.iter().any(|other| evidence(of_slow).contains(other)), "{doubts:#?}");
    balanced(&json);
}

/// Two hosts over ssh, of which the second one to be started is started in another way.
fn second_started_by(dir: &Path, ssh: &Sshd, how: &str) -> String {
    let (program, here) = (dir.join("tenbin-there"), dir.display());
    let tenbin = target_dir().join("tenbin");
    let tenbin = tenbin.display();
    let script = format!(
        "#!/bin/sh\nif mkdir {here}/first 2>/dev/null; then exec {tenbin} \"$@\"; fi\nexec {how} {tenbin} \"$@\"\n"
    );
    std::fs::write(&program, script).expect("the directory can be written");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("it is ours");
    format!("at = [\"db\", \"db\"]\nconfig = \"{}\"\nprogram = \"{}\"\n", ssh.config(), program.display())
}

#[test]
fn a_host_without_the_right_to_the_server_is_told() {
    let (server, ssh) = (mariadb(&[]), Sshd::start());
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    // Over its socket the server asks the kernel who connects.
    let socket = sql::query(&server, "SELECT @@socket").remove(0).remove(0);
    sql::query(&server, "ALTER USER root@localhost IDENTIFIED VIA unix_socket");
    let dsn = format!("mysql://root@localhost/sbtest?socket={socket}");
    let somebody = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    let hosts = second_started_by(dir.path(), &ssh, somebody);
    std::fs::write(&file, plan(&dsn, &hosts, "workload = \"oltp_point_select\", clients = 4", "2s")).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(dir.path().join("runs")));
    let all = format!("{out}{err}");
    assert!(code != 0 && all.contains("on load host db") && all.contains("denied"), "{code}: {all}");
}

#[test]
fn a_script_that_a_host_does_not_have_is_told_with_the_host() {
    let (server, ssh) = (mariadb(&[]), Sshd::start());
    let dir = tempfile::tempdir().unwrap();
    let (file, script) = (dir.path().join("plan.toml"), dir.path().join("scripts/mine.lua"));
    std::fs::create_dir(dir.path().join("scripts")).unwrap();
    std::fs::write(&script, "function event() db_query(\"SELECT 1\") end\n").unwrap();
    // The second one has an empty directory in its place.
    let how = format!(
        "unshare --mount sh -c 'mount -t tmpfs none {} && exec \"$0\" \"$@\"'",
        dir.path().join("scripts").display()
    );
    let hosts = second_started_by(dir.path(), &ssh, &how);
    let load = format!("workload = \"{}\", clients = 4", script.display());
    let text = plan(&server.dsn(), &hosts, &load, "2s").replace("dataset = \"small\"", "dataset = \"none\"");
    std::fs::write(&file, text).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(dir.path().join("runs")));
    let all = format!("{out}{err}");
    assert!(code != 0 && all.contains("on load host db") && all.contains("mine.lua"), "{code}: {all}");
}
