//! Load hosts that act as one client: processes of this machine, started by the real binary, on a real server.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::{
    Sshd, balanced, general_log, mariadb, output_of, read_back, sql, target_dir, tenbin, wait_until,
    wait_until_measured,
};

fn plan(dsn: &str, hosts: u32, more: &str, load: &str, measure: &str) -> String {
    format!(
        "schema = 1\nname = \"hosts\"\n[hosts]\ncount = {hosts}\n{more}\n[targets]\na = {{ dsn = \"{dsn}\" }}\n\
         [datasets.small]\ntable_size = 1000\n[[experiment]]\nname = \"e\"\n\
         load = {{ calibrate = \"never\", {load} }}\ndataset = \"small\"\nwarmup = 0\nmeasure = \"{measure}\"\nrepeats = 1\n"
    )
}

/// The load hosts that a process has started.
fn hosts_of(run: &Child) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{}/task", run.id())).unwrap();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    let children: Vec<u32> =
        children.flat_map(|of| of.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<_>>()).collect();
    let is_host = |pid: &u32| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.contains("load-host")
    };
    let mut all: Vec<u32> = children.into_iter().filter(is_host).collect();
    all.sort_unstable();
    all
}

fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

fn is_there(pid: u32) -> bool {
    // One that has ended and was not waited for is a zombie.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn ends_within(pid: u32, seconds: u64) -> bool {
    let until = Instant::now() + Duration::from_secs(seconds);
    while is_there(pid) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    !is_there(pid)
}

fn begin(plan: &Path, runs: &Path) -> Child {
    let mut command = tenbin();
    command.arg("run").arg(plan).arg("--runs").arg(runs).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn codes(json: &Value) -> Vec<String> {
    let doubts = json["trials"][0]["doubts"].as_array().cloned().unwrap_or_default();
    doubts.iter().map(|doubt| doubt["code"].as_str().unwrap_or_default().to_owned()).collect()
}

/// What each connection executes first, by the server's log.
fn statements(log: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(log).unwrap();
    let mut connections: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (connection, command, argument) in text.lines().filter_map(general_log::entry) {
        if command == "Execute" {
            connections.entry(connection).or_default().push(argument.to_owned());
        }
    }
    let mut first: Vec<Vec<String>> = connections.into_values().filter(|all| all.len() > FIRST).collect();
    first.iter_mut().for_each(|all| all.truncate(FIRST));
    first.sort();
    first
}

const FIRST: usize = 60;

#[test]
fn many_hosts_send_exactly_the_statements_that_one_would() {
    let dir = tempfile::tempdir().unwrap();
    let mut streams: Option<Vec<Vec<String>>> = None;
    for hosts in [1, 2, 5] {
        let server = mariadb(&[]);
        let log = server.dir().join("general.log");
        sql::query(&server, &format!("SET GLOBAL general_log_file='{}'", log.display()));
        sql::query(&server, "SET GLOBAL general_log=1");
        let file = dir.path().join("plan.toml");
        // Without writes, so that no conflict repeats a transaction. All clients share the transactions: enough of them that each
        // has some, also on a machine where other tests keep one of them waiting.
        let load = "workload = \"oltp_read_only\", clients = 5, operations_per_client = 60";
        std::fs::write(&file, plan(&server.dsn(), hosts, "", load, "120s")).unwrap();
        let runs = dir.path().join(format!("runs-{hosts}"));
        let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(&runs));
        assert!(code == 0 || code == 3, "{out}\n{err}");
        let (_, json) = read_back(&runs);
        assert_eq!(balanced(&json)["completed"], 300);
        sql::query(&server, "SET GLOBAL general_log=0");
        let sent = statements(&log);
        assert_eq!(sent.len(), 5, "a connection for each client");
        match &streams {
            None => streams = Some(sent),
            Some(one) => {
                let differ = one.iter().flatten().zip(sent.iter().flatten()).find(|(one, sent)| one != sent);
                assert_eq!(differ, None, "{hosts} hosts");
            }
        }
    }
}

#[test]
fn a_host_that_is_killed_or_frozen_is_told_by_name() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let load = "workload = \"oltp_point_select\", clients = 6, rate = 300";
    for (case, (signal_name, if_lost)) in
        [("-KILL", "stop"), ("-KILL", "continue"), ("-STOP", "stop"), ("-STOP", "continue")].into_iter().enumerate()
    {
        let measure = if if_lost == "stop" { "60s" } else { "8s" };
        std::fs::write(&file, plan(&server.dsn(), 3, &format!("if_lost = \"{if_lost}\""), load, measure)).unwrap();
        let runs = dir.path().join(format!("runs-{case}"));
        let mut run = begin(&file, &runs);
        wait_until_measured(&runs, 2);
        let hosts = hosts_of(&run);
        assert_eq!(hosts.len(), 3);
        signal(hosts[1], signal_name);
        let began = Instant::now();
        let status = run.wait().unwrap();
        let took = began.elapsed();
        let (_, json) = read_back(&runs);
        let (verdict, all) = (json["trials"][0]["verdict"].as_str().unwrap(), codes(&json));
        let text = json.to_string();
        assert!(text.contains("load host process 2 was lost"), "{signal_name} {if_lost}: {text}");
        if if_lost == "stop" {
            assert_eq!((verdict, status.code()), ("INVALID", Some(2)), "{all:?}");
            assert!(took < Duration::from_secs(30), "long before the planned end: {took:?}");
        } else {
            assert_eq!(verdict, "DEGRADED", "{all:?}");
            assert!(all.contains(&"host-lost".to_owned()), "{all:?}");
            assert!(took > Duration::from_secs(5), "the others went on: {took:?}");
        }
        assert!(balanced(&json)["completed"].as_u64().unwrap() > 100, "what was measured is kept");
        if signal_name == "-STOP" {
            // Unless it has been killed already.
            let _ = Command::new("kill").args(["-CONT", &hosts[1].to_string()]).stderr(Stdio::null()).status();
        }
        assert!(hosts.iter().all(|&pid| ends_within(pid, 60)), "no process is left");
    }
}

/// One of four clients takes three seconds for each transaction, and the others a fifth of one: their host has done its part long before.
#[test]
fn a_host_that_has_done_its_part_before_the_others_is_not_lost() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let lua = "function thread_init() con = sysbench.sql.driver():connect() end\n\
               function event() con:query('SELECT SLEEP(' .. (sysbench.tid == 0 and 3.1 or 0.2) .. ')') end\n";
    std::fs::write(dir.path().join("unlike.lua"), lua).unwrap();
    for (name, load) in
        [("drain", "drain = \"10s\""), ("operations", "operations = 12"), ("rate", "drain = \"10s\", rate = 8")]
    {
        let file = dir.path().join(format!("{name}.toml"));
        let text = format!(
            "schema = 1\nname = \"hosts\"\n[hosts]\nat = \"local\"\ncount = 2\n[targets]\na = {{ dsn = \"{}\" }}\n[[experiment]]\n\
             load = {{ workload = \"./unlike.lua\", clients = 4, calibrate = \"never\", {load} }}\nwarmup = 0\nmeasure = \"2s\"\nrepeats = 1\n",
            server.dsn()
        );
        let text = if name == "operations" { text.replace("measure = \"2s\"", "measure = \"60s\"") } else { text };
        std::fs::write(&file, text).unwrap();
        let runs = dir.path().join(format!("runs-{name}"));
        let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(&runs));
        // While one client sleeps and the others have no more to do, nothing completes: that is another doubt.
        assert!(code == 0 || code == 3, "{name}: {out}{err}");
        let (_, json) = read_back(&runs);
        assert!(balanced(&json)["completed"].as_u64().unwrap() > 0, "{name}");
        assert!(!codes(&json).contains(&"clients-lost".to_owned()), "{name}: {:?}", codes(&json));
    }
}

#[test]
fn hosts_stop_when_the_coordinator_is_gone() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    std::fs::write(&file, plan(&server.dsn(), 2, "", "workload = \"oltp_point_select\", clients = 4", "60s")).unwrap();
    for signal_name in ["-KILL", "-STOP", "-INT"] {
        let runs = dir.path().join(signal_name);
        let mut run = begin(&file, &runs);
        wait_until_measured(&runs, 2);
        let hosts = hosts_of(&run);
        assert_eq!(hosts.len(), 2);
        signal(run.id(), signal_name);
        // The lease of a coordinator that hangs is 3 s.
        assert!(hosts.iter().all(|&pid| ends_within(pid, 60)), "{signal_name}: they load the server no longer");
        if signal_name == "-STOP" {
            signal(run.id(), "-CONT");
        }
        let status = run.wait().unwrap();
        match signal_name {
            "-KILL" => {}
            "-STOP" => {
                let (_, json) = read_back(&runs);
                assert_eq!(json["trials"][0]["verdict"], "INVALID");
                assert!(json.to_string().contains("was lost"), "{json}");
            }
            _ => {
                assert_eq!(status.code(), Some(130));
                let (_, json) = read_back(&runs);
                assert_eq!(json["trials"][0]["state"], "partial");
                assert!(balanced(&json)["completed"].as_u64().unwrap() > 100, "what was measured is kept");
            }
        }
    }
}

#[test]
fn hosts_warm_up_until_they_are_steady_together() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let load = "workload = \"oltp_point_select\", clients = 6, rate = 300, arrivals = \"even\"";
    let auto = "warmup = { min = \"2s\", max = \"60s\" }\ninterval = \"100ms\"";
    std::fs::write(&file, plan(&server.dsn(), 3, "", load, "2s").replace("warmup = 0", auto)).unwrap();
    let runs = dir.path().join("runs");
    let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(&runs));
    assert!([0, 3].contains(&code) && out.contains("warm-up until steady: "), "{code} {out}{err}");
    let (place, json) = read_back(&runs);
    let accounting = balanced(&json);
    assert_eq!(accounting["scheduled"], 600, "300 per second for 2 s: {accounting}");
    let events = std::fs::read_to_string(place.join("trials/0001/events.jsonl")).unwrap();
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &'static str| events.iter().filter(move |event| event["event"] == name);
    let began =
        |phase: &str| of("phase-started").find(|event| event["phase"] == phase).unwrap()["at_ns"].as_u64().unwrap();
    let (from_ns, measured_ns) = (began("measure"), began("cool-down") - began("measure"));
    let warmed_up_ms = (from_ns - began("warm-up")) / 1_000_000;
    assert!((2_000..60_000).contains(&warmed_up_ms) && warmed_up_ms % 100 == 0, "{warmed_up_ms}");
    assert_eq!(measured_ns, 2_000_000_000, "the window is as long as planned");
    let mut intervals = 0;
    for interval in of("host-interval").chain(of("interval")) {
        let measured = interval["from_ns"].as_u64().unwrap() >= from_ns;
        assert_eq!(interval["phase"], if measured { "measure" } else { "warm-up" }, "{interval}");
        intervals += u32::from(measured);
    }
    assert_eq!(intervals, 4 * 20, "of three hosts and of all together");
}

/// The content of all tables of a schema but our marks and records, by checksum, and their definition.
fn content(server: &Sandbox, schema: &str) -> BTreeMap<String, (String, String)> {
    let tables =
        sql::query(server, &format!("SELECT table_name FROM information_schema.tables WHERE table_schema='{schema}'"));
    let tables = tables.into_iter().map(|mut row| row.remove(0)).filter(|name| !name.starts_with("tenbin_"));
    let describe = |name: String| {
        let sum = sql::query(server, &format!("CHECKSUM TABLE {schema}.{name} EXTENDED")).remove(0).remove(1);
        let definition = sql::query(server, &format!("SHOW CREATE TABLE {schema}.{name}")).remove(0).remove(1);
        // The next number of an AUTO_INCREMENT depends on the size of the last statement.
        let lines = definition.lines().filter(|line| !line.starts_with(") ENGINE")).collect::<Vec<_>>();
        (name, (sum, lines.join("\n")))
    };
    tables.map(describe).collect()
}

#[test]
fn hosts_load_exactly_the_data_that_one_process_would() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    // Row counts that no number of hosts divides; a table of more rows than a piece.
    let reads = "workload = \"tpcc\", mix = \"weights\", new_order = 0, payment = 0, delivery = 0";
    let sbtest = "workload = \"oltp_point_select\"";
    let cases = [
        ("few", sbtest, "tables = 3\ntable_size = 7001\nstreams = 4"),
        ("one", sbtest, "table_size = 30011\nstreams = 2\nauto_inc = \"off\""),
        ("tpcc", reads, "kind = \"tpcc\"\nwarehouses = 2\nforeign_keys = \"on\"\ncheck = \"load\"\nstreams = 2"),
    ];
    for (name, load, data) in cases {
        let mut alone = None;
        for hosts in [0, 1, 2, 5] {
            let schema = format!("{name}_{hosts}");
            sql::query(&server, &format!("CREATE DATABASE {schema}"));
            let dsn = server.dsn().replace("/sbtest", &format!("/{schema}"));
            let text = plan(&dsn, hosts, "", &format!("{load}, clients = 5"), "1s").replace("table_size = 1000", data);
            let text = if hosts == 0 { text.replace("[hosts]\ncount = 0\n", "") } else { text };
            std::fs::write(&file, text).unwrap();
            let runs = dir.path().join(&schema);
            let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(&runs));
            if name == "tpcc" && hosts == 5 {
                // The terminals of a warehouse stay on one host.
                assert!(code == 1 && err.contains("5 load hosts cannot share the 5 clients of tpcc"), "{err}");
                assert!(err.contains("2 hosts would have clients"), "{err}");
                assert!(content(&server, &schema).is_empty(), "it is said before anything is loaded");
                continue;
            }
            assert!(code == 0 || code == 3, "{out}\n{err}");
            let events = read_back(&runs).0.join("trials/0001/events.jsonl");
            let events = std::fs::read_to_string(events).unwrap();
            assert_eq!(events.contains("\"loaded-by-hosts\""), hosts > 0, "{schema}: {events}");
            let content = content(&server, &schema);
            assert_eq!(
                content.len(),
                match name {
                    "few" => 3,
                    "one" => 1,
                    _ => 9,
                },
                "{content:?}"
            );
            match &alone {
                None => alone = Some(content),
                Some(alone) => assert_eq!(alone, &content, "{schema}"),
            }
        }
    }
}

#[test]
fn a_load_ends_with_any_of_its_hosts_and_with_the_coordinator() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let load = "workload = \"oltp_point_select\", clients = 4";
    let text = plan(&server.dsn(), 2, "if_lost = \"continue\"", load, "1s");
    std::fs::write(&file, text.replace("table_size = 1000", "table_size = 20000000\nstreams = 2")).unwrap();
    let rows =
        || sql::query(&server, "SELECT COUNT(*) FROM sbtest.sbtest1").remove(0).remove(0).parse::<u64>().unwrap();
    let is_there = || !sql::query(&server, "SHOW TABLES FROM sbtest LIKE 'sbtest1'").is_empty();
    for (case, signal_name) in ["-KILL", "-INT"].into_iter().enumerate() {
        let runs = dir.path().join(signal_name);
        let mut run = begin(&file, &runs);
        wait_until("rows are loaded", || is_there() && rows() > 0);
        let hosts = hosts_of(&run);
        assert_eq!(hosts.len(), 2);
        signal(if case == 0 { hosts[1] } else { run.id() }, signal_name);
        let output = run.wait().map(|status| status.code()).unwrap();
        assert!(hosts.iter().all(|&pid| ends_within(pid, 60)), "no process is left");
        let (_, json) = read_back(&runs);
        let (state, text) = (json["trials"][0]["state"].as_str().unwrap(), json.to_string());
        if case == 0 {
            assert_eq!((output, state), (Some(2), "failed"), "whatever follows in a trial: {text}");
            assert!(text.contains("load host process 2 was lost"), "{text}");
        } else {
            assert_eq!((output, state), (Some(130), "partial"), "{text}");
        }
        let loaded = rows();
        std::thread::sleep(Duration::from_secs(1));
        assert_eq!(rows(), loaded, "no process inserts rows any longer");
        assert!(loaded < 20_000_000);
        sql::query(&server, "DROP TABLE sbtest.sbtest1");
        sql::query(&server, "DROP TABLE sbtest.tenbin_mark");
    }
}

#[test]
fn machines_that_ssh_reaches_act_as_one_client() {
    let (server, ssh) = (mariadb(&[]), Sshd::start());
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let program = target_dir().join("tenbin").display().to_string();
    // Only the coordinator knows the password.
    let secret = "geheim-4711";
    sql::query(&server, &format!("CREATE USER bench IDENTIFIED BY '{secret}'"));
    sql::query(&server, "GRANT ALL ON *.* TO bench");
    let port = server.dsn().rsplit_once(':').unwrap().1.split('/').next().unwrap().to_owned();
    let dsn = format!("mysql://bench@127.0.0.1:{port}/sbtest\", password_env = \"BENCH_PASSWORD");
    let over_ssh = |config: &str, program: &str| {
        let text = plan(&dsn, 2, "", "workload = \"oltp_point_select\", clients = 4, rate = 200", "3s");
        let at = format!("at = [\"db\", \"db\"]\nconfig = \"{config}\"\nprogram = \"{program}\"\n");
        std::fs::write(&file, text.replace("count = 2\n", &at)).unwrap();
    };
    over_ssh(&ssh.config(), &program);
    let runs = dir.path().join("runs");
    let mut command = tenbin();
    command.env("BENCH_PASSWORD", secret).arg("run").arg(&file).arg("--runs").arg(&runs);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until_measured(&runs, 1);
    // Nothing secret is in anybody's command line.
    let lines = output_of(Command::new("ps").args(["-eo", "args"])).1;
    assert!(lines.contains("load-host"), "{lines}");
    assert!(!lines.contains(secret));
    assert!(matches!(run.wait().unwrap().code(), Some(0 | 3)));
    let (place, json) = read_back(&runs);
    let accounting = balanced(&json);
    assert!((500..700).contains(&accounting["scheduled"].as_u64().unwrap()), "200 per second for 3 s: {accounting}");
    let kept = std::fs::read_to_string(place.join("trials/0001/events.jsonl")).unwrap();
    assert!(kept.matches("\"event\":\"host-finished\"").count() == 2 && !kept.contains(secret));

    let refused = |config: &str, program: &str| {
        over_ssh(config, program);
        let mut command = tenbin();
        command.env("BENCH_PASSWORD", secret).arg("run").arg(&file).arg("--runs").arg(dir.path().join("none"));
        let (code, _, err) = output_of(&mut command);
        assert_eq!(code, 1, "{err}");
        err
    };
    assert!(refused(&ssh.config_without_key(), &program).contains("Permission denied"));
    let err = refused(&ssh.config(), "/nowhere/tenbin");
    assert!(err.contains("load host db was lost") && err.contains("/nowhere/tenbin"), "{err}");
}

/// E2 in one plan: the clients of one server once in the process that runs the plan, and once on the server's machine.
#[test]
fn a_target_has_its_clients_where_the_plan_says() {
    let (server, ssh) = (mariadb(&[]), Sshd::start());
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let program = target_dir().join("tenbin").display().to_string();
    let dsn = server.dsn();
    let text = format!(
        "schema = 1\nname = \"both\"\n[hosts]\nat = [\"db\"]\nconfig = \"{}\"\nprogram = \"{program}\"\n\
         [targets]\nremote = {{ dsn = \"{dsn}\", client = \"here\" }}\nlocal = {{ dsn = \"{dsn}\", client = \"host:db\" }}\n\
         process = {{ dsn = \"{dsn}\", client = \"host:local\" }}\n[datasets.small]\ntable_size = 1000\n\
         [[experiment]]\nload = {{ calibrate = \"never\", workload = \"oltp_point_select\", clients = 2 }}\n\
         warmup = 0\nmeasure = \"1s\"\nrepeats = 1\n",
        ssh.config()
    );
    std::fs::write(&file, text).unwrap();
    let runs = dir.path().join("runs");
    let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(&runs));
    assert!(matches!(code, 0 | 3), "{out}{err}");
    let (_, json) = read_back(&runs);
    let hosts: BTreeMap<String, usize> = json["trials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|trial| (trial["target"].as_str().unwrap().to_owned(), trial["hosts"].as_array().map_or(0, Vec::len)))
        .collect();
    let expected = [("local", 1), ("process", 1), ("remote", 0)].map(|(name, n)| (name.to_owned(), n));
    assert_eq!(hosts, BTreeMap::from(expected), "{json}");
    assert!(json["trials"].as_array().unwrap().iter().all(|trial| trial["tps"].as_f64().unwrap() > 0.0), "{json}");
}

#[test]
fn what_load_hosts_cannot_drive_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let refused = |text: &str, options: &[&str]| {
        std::fs::write(&file, text).unwrap();
        let (code, _, err) = output_of(tenbin().arg("run").arg(&file).args(options));
        assert_eq!(code, 1, "{err}");
        err
    };
    let of = |dsn: &str, hosts: u32, load: &str| plan(dsn, hosts, "", load, "1s");
    let point = "workload = \"oltp_point_select\", clients = 2";
    let err = refused(&of("sqlite:x.db", 2, point), &[]);
    assert!(err.contains("load hosts cannot drive a together: it runs inside the process that drives it"), "{err}");
    let err = refused(&of("mysql://u@127.0.0.1:1/x", 3, point), &[]);
    assert!(err.contains("3 load hosts cannot share 2 clients"), "{err}");
    let none = of("mysql://u@127.0.0.1:1/x", 2, point).replace("count = 2\n", "");
    assert!(refused(&none, &[]).contains("count = 2"));
    let alone = of("mysql://u@127.0.0.1:1/x", 2, point).replace("[hosts]\ncount = 2\n", "");
    let err = refused(&alone, &["--hosts", "local", "--hosts-count", "3"]);
    assert!(err.contains("3 load hosts cannot share 2 clients"), "{err}");
    let many = refused(&alone, &["--hosts", "load-1,load-2", "--hosts-count", "3"]);
    assert!(many.contains("3 load hosts are asked for, and 2 are named"), "{many}");
    for wrong in
        [&["--hosts", "local,load-1"][..], &["--hosts", "u:secret@h"], &["--hosts", "local", "--hosts-count", "0"]]
    {
        assert!(!refused(&alone, wrong).contains("secret"));
    }
}

#[test]
fn hosts_that_cannot_use_a_server_are_told_before_a_run() {
    let server = mariadb(&[]);
    sql::query(&server, "CREATE USER reader IDENTIFIED BY 'r'");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    let check = |dsn: &str, clients: u32| {
        let load = format!("workload = \"oltp_point_select\", clients = {clients}");
        std::fs::write(&file, plan(dsn, 2, "", &load, "1s")).unwrap();
        output_of(tenbin().args(["hosts", "check"]).arg(&file))
    };
    let (code, out, err) = check(&server.dsn(), 4);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.matches("target a can be used").count() == 2 && out.contains("load host process 2"), "{out}");
    assert!(out.contains("allowed for 2 clients"), "half of them each: {out}");
    let (code, out, _) = check(&server.dsn().replace("root@", "reader:wrong@"), 4);
    assert_eq!(code, 1, "{out}");
    assert!(out.matches("target a cannot be used from this load host").count() == 2, "{out}");
    assert!(out.contains("Access denied"), "{out}");
    let (code, out, err) = check(&server.dsn(), 1_000_000);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("open files are too few") && out.contains("ports are too few"), "{out}");
    std::fs::write(
        &file,
        plan(&server.dsn(), 2, "", "workload = \"oltp_point_select\", clients = 4", "1s")
            .replace("[hosts]\ncount = 2\n", ""),
    )
    .unwrap();
    let (code, _, err) = output_of(tenbin().args(["hosts", "check"]).arg(&file));
    assert!(code == 1 && err.contains("--hosts"), "{err}");
}
