//! How Tenbin ends when what it stands on gives way: the terminal, standard output, the run directory, a server that
//! falls silent, a setup that is wrong. Each is reported, leaves nothing half behind, and has the exit code of the
//! documents.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_tests::{Mute, NullServer, mariadb, output_of, read_back, target_dir, tenbin, tenbin_through};

/// Waits for something that other processes make; a busy machine may take its time.
fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(120);
    while !there() {
        assert!(Instant::now() < until, "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether the first trial of the one run under `runs` has an interval.
fn measures(runs: &Path) -> bool {
    let dirs = fs::read_dir(runs).into_iter().flatten().flatten();
    dirs.map(|d| d.path().join("trials/0001/events.jsonl"))
        .any(|log| fs::read_to_string(log).is_ok_and(|text| text.contains("\"event\":\"interval\"")))
}

/// Runs on a terminal that is taken away once the trial measures; how the run ended. The kernel tells the leader of the
/// terminal's session, which it is.
fn on_a_lost_terminal(runs: &Path, before: &str, time: &str) -> String {
    let binary = target_dir().join("tenbin");
    let bench = format!("bench oltp_point_select null: --time {time} --interval 0.2 --runs '{}'", runs.display());
    let mut terminal = Command::new("script");
    terminal.args(["-q", "-c", &format!("{before} '{}' {bench}", binary.display()), "/dev/null"]);
    let mut terminal = terminal.env("SHELL", "/bin/sh").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    wait_for("the measured window", || measures(runs));
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    let (run, _) = read_back(runs);
    let state = || {
        let about = fs::read(run.join("run.json")).unwrap();
        serde_json::from_slice::<serde_json::Value>(&about).unwrap()["state"].as_str().map(str::to_owned)
    };
    wait_for("the run's end", || state().is_some() && run.join("report.html").exists());
    state().unwrap()
}

#[test]
fn a_lost_terminal_ends_a_run_in_order_and_under_nohup_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    // The tests themselves may run under nohup, and what is ignored is inherited.
    assert_eq!(on_a_lost_terminal(&dir.path().join("hung-up"), "exec env --default-signal=HUP", "600"), "partial");
    assert_eq!(on_a_lost_terminal(&dir.path().join("nohup"), "trap '' HUP; exec", "4"), "complete");
}

#[test]
fn what_cannot_be_printed_is_an_error_for_every_command_and_name() {
    let dir = tempfile::tempdir().unwrap();
    let (code, _, err) =
        output_of(tenbin().args(["bench", "oltp_point_select", "null:", "--time", "1", "--runs"]).arg(dir.path()));
    assert!([0, 3].contains(&code), "{code} {err}");
    let (run, _) = read_back(dir.path());
    let run = run.display().to_string();
    for (code, arguments) in [
        (2, &["list"][..]),
        (2, &["--help"]),
        (2, &["--version"]),
        (2, &["plan", "example"]),
        (2, &["completions", "bash"]),
        (2, &["sandbox", "list"]),
        (2, &["report", &run, "--format", "csv"]),
        (2, &["report", &run, "--out", "/dev/stdout"]),
        (2, &["bench", "oltp_point_select", "null:", "--time", "1", "--runs", &run]),
        (1, &["sysbench", "--version"]),
        (1, &["sysbench", "cpu", "--time=1", "run"]),
        (1, &["mysqlslap", "--only-print", "--auto-generate-sql"]),
        (1, &["tpcc_load", "--help"]),
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = tenbin().args(arguments).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        // What a report is written to is named by the report itself.
        let expected = if arguments.contains(&"--out") { 1 } else { code };
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}\n{err}");
        assert!(err.contains("No space left on device"), "{arguments:?}\n{err}");
        // A reader that has gone away is not a fault.
        let script = format!("set -o pipefail; \"$0\" \"$@\" | true; test ${{PIPESTATUS[0]}} -ne {code}");
        if !arguments.contains(&"--out") {
            let (piped, out, err) = output_of(tenbin_through("bash", &["-c", &script]).args(arguments));
            assert!(piped == 0 && !err.contains("standard output"), "{arguments:?} {piped}\n{out}{err}");
        }
    }
}

/// By the name of another tool the work is over when its reader is, as SIGPIPE ends the tool itself.
#[test]
fn a_pipe_that_is_closed_ends_what_is_called_by_an_old_name() {
    let dir = tempfile::tempdir().unwrap();
    let ended = |line: &str, reader: &str| {
        let script = format!("\"$0\" {line} | {reader}; echo \"${{PIPESTATUS[0]}}\"");
        let mut command = tenbin_through("bash", &["-c", &script]);
        let (_, out, err) = output_of(command.env("TENBIN_RUNS", dir.path()));
        (out.lines().last().unwrap_or_default().to_owned(), err)
    };
    let begun = Instant::now();
    for (line, reader) in [
        ("sysbench cpu --time=600 --report-interval=1 run", "grep -m1 thds"),
        ("mysqlslap --only-print --auto-generate-sql --iterations=10000", "head -1"),
    ] {
        assert_eq!(ended(line, reader), ("141".to_owned(), String::new()), "{line}");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    let (run, _) = read_back(dir.path());
    let about: serde_json::Value = serde_json::from_slice(&fs::read(run.join("run.json")).unwrap()).unwrap();
    assert_eq!(about["state"], "partial", "what was measured is kept");
}

#[test]
fn a_run_directory_that_is_deleted_meanwhile_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let bench = ["bench", "oltp_point_select", "null:", "--time", "600", "--interval", "0.2", "--runs"];
    let child = tenbin().args(bench).arg(&runs).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the measured window", || measures(&runs));
    fs::remove_dir_all(&runs).unwrap();
    // It does not measure for ten minutes what it cannot keep.
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{out}\n{err}");
    assert!(err.contains("deleted while the run went on") && err.contains("kept: 0 of 1 trials"), "{err}");
    assert!(!out.contains("saved") && !runs.exists(), "{out}");
}

/// Nothing is left of it, it is reported once, and the code says that nothing was measured.
fn is_setup(arguments: &[&str], runs: &Path, cause: &str) {
    let (code, out, err) = output_of(tenbin().args(arguments).arg("--runs").arg(runs));
    assert_eq!((code, out.as_str()), (1, ""), "{arguments:?}\n{err}");
    assert_eq!(err.matches(cause).count(), 1, "{cause:?} once in\n{err}");
    assert!(!runs.exists(), "{:?} is left behind", fs::read_dir(runs).unwrap().collect::<Vec<_>>());
}

#[test]
fn a_setup_that_is_wrong_leaves_nothing_and_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let server = mariadb(&[]);
    let dsn = server.dsn();
    for (dsn, cause) in [
        ("mysql://root@127.0.0.1:1/x".to_owned(), "nothing answers at 127.0.0.1:1"),
        ("mysql://root@localhost/x?socket=/nonexistent.sock".to_owned(), "nothing answers at the socket"),
        (dsn.replace("root@", "nobody@"), "Access denied"),
        (dsn.replace("/sbtest", "/nothing"), "Unknown database"),
        (dsn.clone(), "are not there"),
    ] {
        is_setup(&["bench", "oltp_read_only", &dsn, "--time", "1"], &runs, cause);
    }
    // Of several targets the one that is not there is named before anything is done with the others.
    let plan = dir.path().join("plan.toml");
    let text = format!(
        "schema = 1\nname = \"two\"\n[targets.good]\ndsn = \"{dsn}\"\n[targets.bad]\ndsn = \"mysql://root@127.0.0.1:1/x\"\n[datasets.d]\ntable_size = 100\n[[experiment]]\nmeasure = \"1s\"\nload = {{ workload = \"oltp_read_only\" }}\nrepeats = 5\n"
    );
    fs::write(&plan, text).unwrap();
    is_setup(&["run", plan.to_str().unwrap()], &runs, "target bad: connecting to mysql://root@127.0.0.1:1/x failed");
    // By an old name too.
    let old = ["sysbench", "oltp_read_only", "--mysql-host=127.0.0.1", "--mysql-port=1", "--time=1", "run"];
    let (code, _, _) = output_of(tenbin().args(old).env("TENBIN_RUNS", &runs));
    assert!(code == 1 && !runs.exists(), "{code}");
}

/// Starts it, asks it once to stop when `when` holds, and gives its code and what it said on standard error.
fn stopped_once(command: &mut Command, when: impl Fn() -> bool) -> (Option<i32>, String) {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the silence", when);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    wait_for("the end after one Ctrl-C", || child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn one_ctrl_c_ends_it_whatever_a_server_has_stopped_to_say() {
    let dir = tempfile::tempdir().unwrap();
    let null = NullServer::start(&[]);
    // Whichever message goes unanswered: of logins, looking, preparing, warming up, measuring.
    for messages in [0, 1, 2, 3, 5, 8, 11, 14, 18, 24, 40] {
        let mute = Mute::before(&null.dsn(), messages);
        let runs = dir.path().join(messages.to_string());
        let mut bench = tenbin();
        bench
            .args(["bench", "oltp_read_only", mute.dsn(), "--threads", "2", "--warmup", "1", "--time", "2", "--runs"])
            .arg(&runs);
        let since = Instant::now();
        let (code, err) = stopped_once(&mut bench, || mute.is_mute() && since.elapsed() > Duration::from_millis(1500));
        assert!(code == Some(130), "after {messages} messages: {code:?}\n{err}");
    }
    // The same while tables are looked at, made and filled.
    let server = mariadb(&[]);
    for messages in [1, 2, 3, 4, 6, 9, 12] {
        let mute = Mute::before(&server.dsn(), messages);
        let mut load = tenbin();
        load.args(["load", "oltp_read_only", mute.dsn(), "--tables", "3", "--table-size", "1000"]);
        let (code, err) = stopped_once(&mut load, || mute.is_mute());
        assert!(code == Some(130), "after {messages} messages: {code:?}\n{err}");
        let dropped =
            tenbin().args(["load", "oltp_read_only", &server.dsn(), "--tables", "3", "--only-drop"]).output().unwrap();
        assert!(dropped.status.success(), "{}", String::from_utf8_lossy(&dropped.stderr));
    }
}

#[test]
fn a_server_that_lets_us_in_and_says_nothing_is_not_waited_for() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let load = |messages| {
        let mute = Mute::before(&server.dsn(), messages);
        let dsn = format!("{}?connect_timeout_s=1", mute.dsn());
        output_of(tenbin().args(["load", "oltp_read_only", &dsn, "--table-size", "100"]))
    };
    let (code, _, err) = load(0);
    assert!(code == 1 && err.contains("the server did not let us in within 1 s"), "{code} {err}");
    let (code, _, err) = load(1);
    assert!(code == 1 && err.contains("let us in, and then did not answer for 3 s"), "{code} {err}");
    let mute = Mute::before(&server.dsn(), 0);
    let dsn = format!("{}?connect_timeout_s=1", mute.dsn());
    let runs: PathBuf = dir.path().join("runs");
    is_setup(&["bench", "oltp_read_only", &dsn, "--time", "1"], &runs, "the server did not let us in within 1 s");
}
