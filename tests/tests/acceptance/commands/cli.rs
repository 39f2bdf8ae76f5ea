//! The binary as its users meet it: what they type, what they get, and what is left on disk.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tenbin_tests::{mariadb, output_of, state_directory, tenbin, wait_until_completed, wait_until_measured};

fn plan(dir: &Path, text: &str) -> String {
    let path = dir.join("plan.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

const SHORT: &str = r#"
schema = 1
name = "short"
[defaults]
warmup = "0s"
measure = "400ms"
interval = "200ms"
repeats = 2
[targets.fast]
sandbox = "sqlite"
server = { journal_mode = "wal", synchronous = "off" }
[targets.safe]
sandbox = "sqlite"
server = { journal_mode = "delete" }
[datasets.d]
table_size = 500
[[experiment]]
[experiment.load]
workload = "oltp_read_only"
[experiment.matrix]
"load.clients" = [1, 2]
"#;

#[test]
fn a_plan_becomes_a_run_a_table_and_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let (code, out, err) = output_of(tenbin().args(["run", &plan(dir.path(), SHORT), "--runs"]).arg(&runs));
    assert!(code == 0 || code == 3, "{code}\n{out}\n{err}");
    assert!(
        out.contains("answer   ") && out.contains("page     ") && out.contains("fast") && out.contains("safe"),
        "{out}"
    );
    let table: Vec<&str> =
        out.lines().skip_while(|l| !l.starts_with("clients ")).take_while(|l| !l.is_empty()).collect();
    assert!(table.len() > 4 && table.iter().all(|l| l.chars().count() <= 80), "{out}");
    assert!(
        out.contains(
            "\nmeasured oltp_read_only; 500 rows (about 202 KiB); 1, 2 clients; closed loop; measured for 0.4 s, 2 times; SQLite 3."
        ),
        "{out}"
    );
    let run = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("http://") && !page.contains("https://"), "no request to anywhere");

    let (code, json, _) = output_of(tenbin().args(["report", "--json"]).arg(&run));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["trials"].as_array().unwrap().len(), 8);
    assert!(code == 0 || code == 3);
    for trial in json["trials"].as_array().unwrap() {
        let a = &trial["accounting"];
        let n = |k: &str| a[k].as_i64().unwrap();
        assert_eq!(n("begun_before") + n("scheduled"), n("completed") + n("failed") + n("skipped") + n("open"));
        assert!(trial["tps"].as_f64().unwrap() > 0.0);
    }
    let (_, csv, _) = output_of(tenbin().args(["report", "--format", "csv"]).arg(&run));
    assert_eq!(csv.lines().count(), 9, "{csv}");
    let (_, list, _) = output_of(tenbin().args(["list", "--runs"]).arg(&runs));
    assert!(list.contains("oltp_read_write") && list.contains("complete"), "{list}");

    // Cut off anywhere, the rest still opens and says what is missing.
    let log = run.join("trials/0008/events.jsonl");
    let whole = std::fs::read(&log).unwrap();
    for cut in [0, 1, whole.len() / 2, whole.len() - 2] {
        std::fs::write(&log, &whole[..cut]).unwrap();
        let (code, out, err) = output_of(tenbin().args(["report", "--format", "text"]).arg(&run));
        assert!(code == 2 || code == 3, "{code} {out}\n{err}");
        assert!(err.contains("error: trial 8 has no end") && out.contains("answer"), "{out}\n{err}");
    }
    // Where several runs are read, it says of which.
    let (_, _, err) = output_of(tenbin().args(["history", &plan(dir.path(), SHORT), "--runs"]).arg(&runs));
    assert!(err.contains(&format!("error: {}: trial 8 has no end", run.display())), "{err}");
}

#[test]
fn plan_check_says_what_would_happen() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = output_of(tenbin().args(["plan", "check", "--sql", &plan(dir.path(), SHORT)]));
    assert_eq!(code, 0, "{err}");
    for part in ["8 trials", "CREATE TABLE sbtest1", "time     about", "disk     about"] {
        assert!(out.contains(part), "{part} is missing in\n{out}");
    }
}

#[test]
fn wrong_plans_are_refused_with_their_line() {
    let dir = tempfile::tempdir().unwrap();
    for (wrong, part) in [
        (SHORT.replace("repeats = 2", "repeat = 2"), "repeats"),
        (SHORT.replace("\"400ms\"", "\"400 fortnights\""), "fortnights"),
        (SHORT.replace("[1, 2]", "[]"), "load.clients"),
        (SHORT.replace("[1, 2]", "[0]"), "0"),
        (SHORT.replace("repeats = 2", "repeats = 1_000_000_000"), "1000000000"),
        (SHORT.replace("oltp_read_only", "oltp_read_onyl"), "oltp_read_only"),
        (SHORT.replace("table_size", "tabel_size"), "table_size"),
    ] {
        let (code, out, err) = output_of(tenbin().args(["plan", "check", &plan(dir.path(), &wrong)]));
        assert_eq!(code, 1, "{out}\n{err}");
        assert!(err.contains(part) && err.contains("hint"), "{part} is missing in\n{err}");
    }
    let (code, _, err) = output_of(tenbin().args(["run", "/nonexistent.toml"]));
    assert!(code == 1 && err.contains("cannot be read") && err.contains("tenbin plan example"), "{err}");
}

#[test]
fn load_bench_and_the_safety_of_what_is_not_ours() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    let bench = |extra: &[&str]| {
        let common = ["bench", "oltp_read_write", &dsn, "--table-size", "2000", "--runs"];
        output_of(tenbin().args(common).arg(dir.path()).args(extra))
    };
    let (code, _, err) = bench(&[]);
    assert!(code == 1 && err.contains("are not there") && err.contains("tenbin load oltp_read_write"), "{code} {err}");
    let load = |extra: &[&str]| {
        output_of(tenbin().args(["load", "oltp_read_write", &dsn, "--table-size", "2000"]).args(extra))
    };
    let (code, out, err) = load(&["--json"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap()["rows"], 2000);
    let (code, out, err) = bench(&["--threads", "4", "--time", "3", "--json"]);
    assert!(code == 0 || code == 3, "{code} {err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let t = &json["trials"][0];
    let completed = t["accounting"]["completed"].as_u64().unwrap();
    assert!(completed > 0);
    // Twenty statements each, ten of them point selects; those under way at the end may add some.
    let selects = t["statements"]["point_select"]["completed"].as_u64().unwrap();
    assert!(
        selects >= completed * 10 && selects <= completed * 10 + 40 + 40 * t["retries"].as_u64().unwrap(),
        "{selects} {completed}"
    );
    // Exactly as many as asked for.
    let (_, out, _) = bench(&["--threads", "4", "--events", "100", "--time", "60", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let a = &json["trials"][0]["accounting"];
    assert_eq!(a["completed"].as_u64().unwrap() + a["failed"].as_u64().unwrap(), 100);

    let (code, _, err) = load(&[]);
    assert!(code == 1 && err.contains("there already"), "{err}");
    let (code, _, err) = load(&["--drop"]);
    assert_eq!(code, 0, "{err}");

    // Without our mark nothing is dropped.
    let sysbench = |command: &str| {
        let port = format!("--mysql-port={}", dsn.rsplit(':').next().unwrap().split('/').next().unwrap());
        let common = [
            "oltp_read_write",
            "--mysql-host=127.0.0.1",
            "--mysql-user=root",
            "--mysql-db=sbtest",
            "--table-size=2000",
            "--events=50",
            "--time=0",
        ];
        output_of(std::process::Command::new("sysbench").args(common).arg(port).arg(command))
    };
    let (code, out, _) = sysbench("run");
    assert!(code == 0 && out.contains("transactions:                        50"), "our tables serve sysbench: {out}");
    assert_eq!(load(&["--only-drop"]).0, 0);
    assert_eq!(sysbench("prepare").0, 0);
    let (code, _, err) = load(&["--drop"]);
    assert!(code == 1 && err.contains("nothing is dropped"), "{err}");
    let (code, _, err) = bench(&["--threads", "2", "--time", "1"]);
    assert!(code == 1 && err.contains("would write into tables that Tenbin did not make"), "{code} {err}");
    let (code, _, err) = bench(&["--threads", "2", "--time", "1", "--allow", "write-unmarked"]);
    assert!(code == 0 || code == 3, "sysbench's tables serve us: {code} {err}");
}

#[test]
fn too_many_clients_are_refused_beforehand() {
    let server = mariadb(&[("max_connections", "12"), ("max_prepared_stmt_count", "30")]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    assert_eq!(
        output_of(tenbin().args(["load", "oltp_read_write", &dsn, "--table-size", "100", "--streams", "2"])).0,
        0
    );
    let bench = |threads: &str| {
        output_of(
            tenbin()
                .args([
                    "bench",
                    "oltp_read_write",
                    &dsn,
                    "--table-size",
                    "100",
                    "--time",
                    "1",
                    "--threads",
                    threads,
                    "--runs",
                ])
                .arg(dir.path()),
        )
    };
    let (code, _, err) = bench("64");
    assert!(
        code == 1 && err.contains("does not allow so many connections") && err.contains("SET GLOBAL max_connections"),
        "{code} {err}"
    );
    let (code, _, err) = bench("8");
    assert!(
        code == 1 && err.contains("so many prepared statements") && err.contains("max_prepared_stmt_count"),
        "{code} {err}"
    );
}

#[test]
fn a_server_that_dies_leaves_a_run_that_says_so() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    assert_eq!(output_of(tenbin().args(["load", "oltp_read_write", &dsn, "--table-size", "1000"])).0, 0);
    let run = tenbin()
        .args([
            "bench",
            "oltp_read_write",
            &dsn,
            "--table-size",
            "1000",
            "--time",
            "8",
            "--interval",
            "0.5",
            "--threads",
            "4",
            "--json",
            "--runs",
        ])
        .arg(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_completed(dir.path(), 1);
    drop(server);
    let output = run.wait_with_output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let t = &json["trials"][0];
    assert!(t["accounting"]["completed"].as_u64().unwrap() > 0, "what was measured before stands");
    assert!(t["accounting"]["failed"].as_u64().unwrap() >= 1, "{}", t["accounting"]);
    assert_ne!(json["verdict"], "VALID");
    assert_eq!(output.status.code(), Some(3), "{json}");
}

#[test]
fn ctrl_c_closes_the_run_and_a_password_stands_nowhere() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    assert_eq!(output_of(tenbin().args(["load", "oltp_read_write", &dsn, "--table-size", "1000"])).0, 0);
    let sql = "CREATE USER p@'127.0.0.1' IDENTIFIED BY 'Gehe1mnis'; GRANT ALL ON *.* TO p@'127.0.0.1'";
    let socket = server.dir().join("s.sock");
    let made =
        std::process::Command::new("mariadb").arg("-uroot").arg("-S").arg(socket).args(["-e", sql]).status().unwrap();
    assert!(made.success());
    let secret = dir.path().join("secret");
    std::fs::File::create(&secret).unwrap().write_all(b"Gehe1mnis\n").unwrap();
    let runs = dir.path().join("runs");
    let child = tenbin()
        .args([
            "bench",
            "oltp_read_write",
            &dsn.replace("root@", "p@"),
            "--table-size",
            "1000",
            "--time",
            "60",
            "--threads",
            "2",
        ])
        .arg("--password-file")
        .arg(&secret)
        .arg("--runs")
        .arg(&runs)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_measured(&runs, 1);
    let request = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(request.success());
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{out}\n{err}");
    assert!(out.contains("the trial was stopped before its end") && out.contains("answer"), "{out}");
    let leaked = std::process::Command::new("grep").args(["-r", "Gehe1mnis"]).arg(&runs).output().unwrap();
    assert!(leaked.stdout.is_empty() && !out.contains("Gehe1mnis") && !err.contains("Gehe1mnis"));
}

#[test]
fn a_killed_run_leaves_no_server_and_its_note_is_cleaned() {
    let dir = tempfile::tempdir().unwrap();
    // Reachable for the server's account.
    std::process::Command::new("chmod").arg("711").arg(dir.path()).status().unwrap();
    let state = state_directory(dir.path());
    let text = SHORT
        .replace(
            "sandbox = \"sqlite\"\nserver = { journal_mode = \"wal\", synchronous = \"off\" }",
            "sandbox = \"mariadbd\"",
        )
        .replace("400ms", "30s");
    let mut child = tenbin()
        .args(["run", &plan(dir.path(), &text), "--runs"])
        .arg(dir.path().join("runs"))
        .env("TENBIN_STATE_DIR", &state)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let list = || {
        let (_, out, _) = output_of(tenbin().args(["sandbox", "list", "--json"]).env("TENBIN_STATE_DIR", &state));
        serde_json::from_str::<Vec<serde_json::Value>>(&out).unwrap_or_default()
    };
    let pid = (0..300).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        list().iter().find_map(|s| s["pid"].as_u64().filter(|p| *p != 0))
    });
    let pid = pid.expect("a private server is started");
    child.kill().unwrap();
    child.wait().unwrap();
    let gone = (0..150).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        !Path::new(&format!("/proc/{pid}/exe")).exists() || std::fs::read_link(format!("/proc/{pid}/exe")).is_err()
    });
    assert!(gone, "the kernel ends the server of a killed run");
    assert!(!list().is_empty());
    assert_eq!(output_of(tenbin().args(["sandbox", "list", "--clean"]).env("TENBIN_STATE_DIR", &state)).0, 0);
    assert!(list().is_empty());
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ["demo", "run", "report", "list", "doctor", "diff", "load", "bench", "completions", "man"] {
        let (code, out, _) = output_of(tenbin().args([command, "--help"]));
        assert!(code == 0 && out.contains("Examples:"), "{command}: {out}");
    }
    assert_eq!(output_of(tenbin().arg("nonsense")).0, 1);
    let (code, out, _) = output_of(tenbin().args(["completions", "bash"]));
    assert!(code == 0 && out.contains("_tenbin"));
    assert!(out.contains(" oltp_read_write oltp_read_only "), "completions know the workloads: {out}");
}

#[test]
fn the_binary_carries_its_manual_pages_and_tells_its_commit() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = output_of(tenbin().args(["man", "--dir"]).arg(dir.path().join("man1")));
    assert_eq!(code, 0, "{out}{err}");
    for page in ["tenbin", "tenbin-run", "tenbin-bench", "tenbin-plan-check"] {
        let text = std::fs::read_to_string(dir.path().join("man1").join(format!("{page}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {page} 1")) && text.contains(".SH OPTIONS"), "{page}: {text}");
    }
    let (code, out, _) = output_of(tenbin().arg("man"));
    assert!(code == 0 && out.contains(".TH tenbin 1"), "{out}");
    std::fs::write(dir.path().join("file"), "").unwrap();
    let (code, _, err) = output_of(tenbin().args(["man", "--dir"]).arg(dir.path().join("file/man1")));
    assert!(code == 1 && err.contains("tenbin man --dir FOLDER"), "{code}: {err}");

    let (_, version, _) = output_of(tenbin().arg("--version"));
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    assert!(version.contains(&format!("({commit}")), "{version} {commit}");
}

#[test]
fn list_and_sandbox_speak_the_language_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let text_of = |arguments: &str| {
        let state = dir.path().join("state");
        let (code, out, err) = output_of(tenbin().args(arguments.split(' ')).env("TENBIN_STATE_DIR", &state));
        assert_eq!(code, 0, "{err}");
        out.replace(&state.display().to_string(), "DIR")
    };
    let transcript = [
        text_of("sandbox start sqlite --name one --lang ja"),
        text_of("sandbox --lang ja stop one"),
        text_of("sandbox stop --all --lang ja"),
        text_of("sandbox list --lang ja"),
    ];
    insta::assert_snapshot!(transcript.concat(), @r"
    開始      one
    ファイル  sqlite:DIR/one/sbtest.db

    次に      tenbin load oltp_read_write 'sqlite:DIR/one/sbtest.db'
              tenbin sandbox stop one
    停止     one
    専用サーバーはありません
    ");
    let loaded =
        text_of(&format!("load oltp_read_only sqlite:{}/x.db --table-size 100 --lang ja", dir.path().display()));
    assert!(
        loaded.starts_with("ロード   100 行(") && loaded.contains("\n次に     tenbin bench oltp_read_only"),
        "{loaded}"
    );
    let listed = text_of("list --runs /nonexistent/runs --lang ja");
    let (head, runs) = (listed.lines().next().unwrap(), listed.lines().last().unwrap());
    assert_eq!(
        (head, runs),
        (
            "ワークロード(名前、[experiment.load] の kind、内容。tenbin list 名前 で説明を表示)",
            "/nonexistent/runs に実行はありません(別のディレクトリの実行: --runs DIR)"
        )
    );
}

#[test]
fn targets_may_be_called_what_one_likes() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let text = SHORT
        .replace("[targets.fast]", "[targets.\"速い <1>\"]")
        .replace("[targets.safe]", "[targets.\"安全/2\"]")
        .replace("repeats = 2", "repeats = 1");
    let (code, out, err) = output_of(tenbin().args(["run", &plan(dir.path(), &text), "--runs"]).arg(&runs));
    assert!(code == 0 || code == 3, "{code}\n{out}\n{err}");
    assert!(out.contains("速い <1>") && out.contains("安全/2"), "{out}");
}

#[test]
fn a_reader_of_errors_that_has_gone_away_stops_nothing() {
    for (arguments, code) in
        [(&["load", "tpcc", "mysql://root@127.0.0.1:1/x"][..], 1), (&["load", "nothing", "null:"], 1)]
    {
        let mut child = tenbin().args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn where_starts_wait_service_and_wait_stand_beside_the_response_time() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let text = SHORT.replace("workload = \"oltp_read_only\"", "workload = \"oltp_read_only\"\nrate = 300");
    let (_, out, err) = output_of(tenbin().args(["run", &plan(dir.path(), &text), "--runs"]).arg(&runs));
    assert!(out.contains("response p99") && out.contains("service p99") && out.contains("wait p99"), "{out}{err}");
    let (_, out, err) =
        output_of(tenbin().args(["run", &plan(dir.path(), &text), "--lang", "ja", "--runs"]).arg(&runs));
    assert!(out.contains("待ち p99") && out.contains("\n結論 ") && out.contains("\n計測内容 "), "{out}{err}");
    let (_, out, _) = output_of(tenbin().args(["run", &plan(dir.path(), SHORT), "--runs"]).arg(&runs));
    assert!(!out.contains("wait p99"), "in a closed loop nothing waits: {out}");
}

#[test]
fn a_workload_shows_what_it_sends() {
    let (code, out, _) = output_of(tenbin().args(["list", "oltp_read_write"]));
    assert!(code == 0 && out.contains("  10 × SELECT c FROM sbtest1 WHERE id=?\n"), "{out}");
    // Those of scripts send what a script says.
    for workload in tenbin_workloads::workloads().iter().filter(|w| w.needs_database() && w.dataset != "none") {
        let (code, out, err) = output_of(tenbin().args(["list", workload.name]));
        let (_, shown) = out.split_once("default options\n").unwrap_or_else(|| panic!("{out}{err}"));
        assert!(code == 0 && shown.starts_with("  "), "{}: {out}", workload.name);
    }
}
