//! Private servers: no one else on the machine gets in, none is lost whenever its starter is killed, none is taken from
//! under a run.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Dsn;
use tenbin_tests::{output_of, state_directory, tenbin};

/// A folder of sandboxes, with runs beside it; what is left in it is stopped at the end.
struct StateDir(tempfile::TempDir);

impl StateDir {
    fn new() -> StateDir {
        let dir = tempfile::tempdir().unwrap();
        // The server's account passes through, as it does through /tmp.
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
        StateDir(dir)
    }

    fn path(&self) -> PathBuf {
        state_directory(self.0.path())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = tenbin();
        command.args(args).env("TENBIN_STATE_DIR", self.path()).env("TENBIN_RUNS", self.0.path().join("runs"));
        command.current_dir(self.0.path());
        command
    }

    fn does(&self, args: &[&str]) -> (i32, String, String) {
        output_of(&mut self.command(args))
    }

    fn json(&self, args: &[&str]) -> serde_json::Value {
        let (code, out, err) = self.does(args);
        assert_eq!(code, 0, "{out}{err}");
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
    }

    /// Name and state of every sandbox.
    fn listed(&self) -> Vec<(String, String)> {
        let (_, out, _) = self.does(&["sandbox", "list"]);
        let rows = out.lines().filter(|l| !l.starts_with("no private servers")).skip(1);
        rows.map(|l| (word(l, 0), word(l, 1))).collect()
    }

    /// What lies in the folder that is no template.
    fn entries(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|n| !n.starts_with("template-"));
        names.sort();
        names
    }

    /// Processes with the folder on their command line.
    fn servers(&self) -> Vec<u32> {
        let text = self.path().display().to_string();
        let pids = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
        pids.filter(|pid: &u32| {
            let read = |file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
            ["mariadbd", "postgres", "mysqld"].contains(&read("comm").trim()) && read("cmdline").contains(&text)
        })
        .collect()
    }
}

impl Drop for StateDir {
    fn drop(&mut self) {
        let _ = self.command(&["sandbox", "stop", "--all", "--force"]).output();
    }
}

fn word(line: &str, n: usize) -> String {
    line.split_whitespace().nth(n).unwrap_or("").to_owned()
}

fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(90), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn quiet(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn signal(pid: u32, name: &str) {
    // It may have ended meanwhile.
    let _ = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).stderr(Stdio::null()).status();
}

/// A program as a user who has nothing to do with us, where we may become one; where we are not root the rights of
/// others cannot be tried, and the modes of the files must do.
fn as_stranger(program: &str, args: &[&str]) -> Option<(i32, String, String)> {
    let root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", program]).args(args).current_dir("/");
    root.then(|| output_of(&mut command))
}

#[test]
fn no_other_account_gets_into_a_private_server() {
    let state = StateDir::new();
    let secret = "Gehe1mnis";
    let start = |binary: &str| {
        let mut command = state.command(&["sandbox", "start", binary, "--name", binary, "--json"]);
        for variable in ["TENBIN_PASSWORD", "MYSQL_PWD", "PGPASSWORD", "BENCH_SECRET"] {
            command.env(variable, secret);
        }
        let (code, out, err) = output_of(&mut command);
        assert_eq!(code, 0, "{err}");
        (serde_json::from_str::<serde_json::Value>(&out).unwrap(), out)
    };
    let list = |args: &[&str]| args.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>();
    for binary in ["mariadbd", "postgres"] {
        let (started, printed) = start(binary);
        let dir = state.path().join(binary);
        let (path, port) =
            (dir.display().to_string(), Dsn::parse(started["dsn"].as_str().unwrap()).unwrap().port.unwrap());
        let file = PathBuf::from(started["password_file"].as_str().unwrap());
        let password = std::fs::read_to_string(&file).unwrap().trim_end().to_owned();
        assert!(password.len() >= 32, "{password:?} can be guessed");

        // Only the owner and the server's account may look.
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&dir), mode(&file)), (0o700, 0o600));
        assert_eq!(mode(&state.path().join(format!("{binary}.json"))), 0o600);
        let port = port.to_string();
        let (program, over_tcp, over_socket) = if binary == "mariadbd" {
            let tcp = list(&["--no-defaults", "-h127.0.0.1", "-P", &port, "-uroot", "-NBe", "SELECT 'inside'"]);
            let socket = list(&["--no-defaults", "-S", &format!("{path}/s.sock"), "-uroot", "-NBe", "SELECT 'inside'"]);
            ("mariadb", tcp, socket)
        } else {
            let to = |host: &str| {
                list(&["-wXAt", "-h", host, "-p", &port, "-U", "postgres", "-c", "SELECT 'inside'", "sbtest"])
            };
            ("psql", to("127.0.0.1"), to(&path))
        };
        for way in [&over_tcp, &over_socket] {
            let words: Vec<&str> = way.iter().map(String::as_str).collect();
            if let Some((code, out, err)) = as_stranger(program, &words) {
                assert!(code != 0 && !out.contains("inside"), "{words:?} let a stranger in: {out}{err}");
            }
        }
        // Over TCP without the password not even who has started it.
        let (code, out, err) =
            output_of(Command::new(program).args(&over_tcp).env_remove("PGPASSWORD").env("PGPASSFILE", "/dev/null"));
        assert!(
            code != 0 && (err.contains("using password: NO") || err.contains("no password supplied")),
            "{out}{err}"
        );
        for name in ["password", "init.sql", "client.cnf", "pgpass", "s.sock", "data"] {
            if let Some((code, out, _)) = as_stranger("cat", &[&format!("{path}/{name}")]) {
                assert!(code != 0 && out.is_empty(), "{name} can be read");
            }
        }

        // With what was said it opens: over both addresses, and in the server's own client.
        for address in ["dsn", "socket"] {
            let (code, out, err) = state.does(&["doctor", started[address].as_str().unwrap()]);
            assert!(code == 0 && out.contains("server  "), "{out}{err}");
        }
        let client: Vec<&str> = started["client"].as_str().unwrap().split(' ').collect();
        let mut client = Command::new(if client[0] == "mysql" { "mariadb" } else { client[0] })
            .args(&client[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut client.stdin.take().unwrap(), b"SELECT 'inside';\n").unwrap();
        let output = client.wait_with_output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("inside"), "{output:?}");
        if binary == "postgres" {
            let over_tcp = output_of(Command::new(program).args(&over_tcp).env("PGPASSFILE", format!("{path}/pgpass")));
            assert_eq!((over_tcp.0, over_tcp.1.trim()), (0, "inside"), "{}", over_tcp.2);
        }

        // The password is in its file and nowhere else that others see; ours are not handed on.
        let pid = started["pid"].as_u64().unwrap();
        let of_process =
            |name: &str| String::from_utf8_lossy(&std::fs::read(format!("/proc/{pid}/{name}")).unwrap()).into_owned();
        let note = std::fs::read_to_string(state.path().join(format!("{binary}.json"))).unwrap();
        let (_, table, _) = state.does(&["sandbox", "list"]);
        for (what, text) in [
            ("the command line", of_process("cmdline")),
            ("the note", note),
            ("the list", table),
            ("what start says", printed),
        ] {
            assert!(!text.contains(&password), "{what} shows the password");
        }
        let environment = of_process("environ");
        assert!(!environment.contains(secret) && environment.contains("PATH="), "{environment}");
        let log = std::fs::read_to_string(dir.join("error.log")).unwrap();
        assert!(!log.contains(&password), "{log}");
    }

    // Files that the server reads and writes for its clients are in a folder of its own.
    let (started, _) = (state.json(&["sandbox", "start", "--name", "files", "--json"]), ());
    let dsn = started["dsn"].as_str().unwrap();
    let allowed = tenbin_tests::sql::query(dsn, "SELECT @@secure_file_priv").concat();
    assert_eq!(allowed, [format!("{}/files/", state.path().join("files").display())]);
    let accounts = tenbin_tests::sql::query(
        dsn,
        "SELECT User, Host FROM mysql.user WHERE User='' OR authentication_string='' AND User<>'mariadb.sys'",
    );
    assert_eq!(accounts, Vec::<Vec<String>>::new(), "an account without a password");
}

const RUN: &str = r#"
schema = 1
[defaults]
warmup = "0s"
settle = "0s"
measure = "MEASURE"
repeats = REPEATS
[targets.own]
sandbox = "mariadbd"
server = { innodb_buffer_pool_size = "64M", innodb_log_file_size = "16M" }
[datasets.d]
table_size = 500
[[experiment]]
load = { workload = "oltp_read_only", clients = 2 }
"#;

/// Starts a run of it in the background; answers when its server is up.
fn run(state: &StateDir, measure: &str, repeats: u32) -> (Child, String, u32) {
    let plan = state.0.path().join("plan.toml");
    std::fs::write(&plan, RUN.replace("MEASURE", measure).replace("REPEATS", &repeats.to_string())).unwrap();
    let child = quiet(&mut state.command(&["run", "plan.toml"]));
    let mut folder = None;
    wait_for("the run's server", || {
        let all = state.json(&["sandbox", "list", "--json"]);
        let own = all.as_array().unwrap().iter().find(|s| s["name"].as_str().unwrap().starts_with("own-")).cloned();
        folder = own
            .filter(|s| s["pid"] != 0)
            .map(|s| (s["name"].as_str().unwrap().to_owned(), s["pid"].as_u64().unwrap() as u32));
        folder.is_some()
    });
    let (name, pid) = folder.unwrap();
    (child, name, pid)
}

#[test]
fn the_server_of_a_run_under_way_is_stopped_only_by_force() {
    let state = StateDir::new();
    assert_eq!(state.does(&["sandbox", "start", "--name", "mine"]).0, 0);
    let (mut child, name, _) = run(&state, "60s", 1);
    let whose =
        format!("in use by process {} (tenbin in {})", child.id(), state.0.path().canonicalize().unwrap().display());
    let (code, out, err) = state.does(&["sandbox", "stop", &name]);
    assert!(code == 1 && err.contains("is in use by a run") && err.contains(&whose[10..]), "{out}{err}");
    assert!(err.contains(&format!("tenbin sandbox stop {name} --force")), "{err}");
    let (code, out, err) = state.does(&["sandbox", "stop", "--all"]);
    assert!(
        code == 0 && out.contains("stopped  mine\n") && out.contains(&format!("left     {name}: {whose}\n")),
        "{out}{err}"
    );
    assert!(child.try_wait().unwrap().is_none() && state.listed().contains(&(name.clone(), "running".into())));
    let json = state.json(&["sandbox", "stop", "--all", "--json"]);
    assert_eq!(json, serde_json::json!({"stopped": [], "left": [{"name": name, "in_use_by": child.id()}]}));
    assert_eq!(state.does(&["sandbox", "list", "--clean"]).0, 0);
    assert!(state.listed().contains(&(name.clone(), "running".into())), "what is in use is nothing left over");
    let json = state.json(&["sandbox", "stop", "--all", "--force", "--json"]);
    assert_eq!(json, serde_json::json!({"stopped": [name], "left": []}));
    signal(child.id(), "KILL");
    child.wait().unwrap();
    assert_eq!(state.listed(), Vec::new());
}

/// A server that crashes in a run is reported with the end of its log, which is kept, and the next trial has a new one.
#[test]
fn a_crashed_server_leaves_its_log_and_the_next_trial_gets_another() {
    let state = StateDir::new();
    let (mut child, name, pid) = run(&state, "3s", 3);
    let log = state.0.path().join("runs");
    let measuring = || {
        // There may be other files beside the run's directory.
        std::fs::read_dir(&log).into_iter().flatten().flatten().any(|entry| {
            let text = std::fs::read_to_string(entry.path().join("trials/0001/events.jsonl")).unwrap_or_default();
            text.lines().any(|l| l.contains("\"interval\"") && l.contains("\"measure\""))
        })
    };
    wait_for("the first trial measures", measuring);
    signal(pid, "SEGV");
    child.wait().unwrap();
    let kept = state.path().join(format!("{name}.error.log"));
    let text = std::fs::read_to_string(&kept).unwrap();
    assert!(text.contains("got signal 11"), "its last words: {text}");
    let (run, json) = tenbin_tests::read_back(&log);
    let what = format!("the private server {name} has ended by itself");
    let events = |n: usize| std::fs::read_to_string(run.join(format!("trials/{n:04}/events.jsonl"))).unwrap();
    let note = (1..=2).find_map(|n| Some((n, events(n).lines().find(|l| l.contains(&what))?.to_owned())));
    let (trial, note) = note.unwrap_or_else(|| panic!("no trial says {what}"));
    assert!(note.contains("signal: 11") && note.contains(&format!("less {}", kept.display())), "{note}");
    let completed = |n: usize| json["trials"][n - 1]["accounting"]["completed"].as_u64().unwrap();
    assert!(completed(trial + 1) > 0, "the trial after it has a server: {}", json["trials"]);
    assert_eq!(state.listed(), Vec::new());
    assert_eq!(state.entries(), [format!("{name}.error.log")]);
    let (_, out, _) = state.does(&["sandbox", "list", "--clean"]);
    assert!(out.contains(&format!("removed  {name}.error.log")), "{out}");
    assert_eq!(state.entries(), Vec::<String>::new());
}

#[test]
fn a_start_that_is_interrupted_leaves_nothing_and_one_that_is_killed_nothing_unknown() {
    let state = StateDir::new();
    // So that what follows is the server's coming up and not the making of its data.
    assert_eq!(state.does(&["sandbox", "start", "--name", "first"]).0, 0);
    assert_eq!(state.does(&["sandbox", "stop", "first"]).0, 0);
    for (signals, after_ms) in
        [(1, 0), (1, 30), (1, 100), (1, 200), (1, 350), (2, 0), (2, 30), (2, 100), (2, 200), (2, 350)]
    {
        let mut child = quiet(&mut state.command(&["sandbox", "start", "--name", "broken"]));
        wait_for("the note", || state.path().join("broken.json").exists());
        std::thread::sleep(Duration::from_millis(after_ms));
        for _ in 0..signals {
            signal(child.id(), "TERM");
        }
        let code = child.wait().unwrap().code();
        if code == Some(0) {
            // It was quicker.
            assert_eq!(state.does(&["sandbox", "stop", "broken"]).0, 0);
        } else {
            // The second signal ends it at once, with its own code.
            assert!(
                code == Some(130) || (signals, code) == (2, Some(143)),
                "{signals} signals after {after_ms} ms: {code:?}"
            );
        }
        assert_eq!(
            (state.listed(), state.entries(), state.servers()),
            (vec![], vec![], vec![]),
            "{signals} {after_ms}"
        );
    }
    for after_ms in [0, 20, 60, 120, 250] {
        let mut child = quiet(&mut state.command(&["sandbox", "start", "--name", "killed"]));
        wait_for("the note", || state.path().join("killed.json").exists());
        std::thread::sleep(Duration::from_millis(after_ms));
        signal(child.id(), "KILL");
        child.wait().unwrap();
        let listed = state.listed();
        assert!(listed.len() == 1 && listed[0].0 == "killed", "{after_ms}: {listed:?}");
        let (code, out, err) = state.does(&["sandbox", "stop", "killed"]);
        assert_eq!((code, out.as_str()), (0, "stopped  killed\n"), "{err}");
        // What copied its data may have gone on a moment longer.
        assert_eq!((state.listed(), state.servers()), (vec![], vec![]), "{after_ms}");
    }
}

#[test]
fn what_lost_its_note_is_listed_and_other_peoples_folders_are_left_alone() {
    let state = StateDir::new();
    assert_eq!(state.does(&["sandbox", "start", "--name", "noteless"]).0, 0);
    std::fs::remove_file(state.path().join("noteless.json")).unwrap();
    let foreign = state.path().join("thesis");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("text"), "").unwrap();
    std::fs::create_dir(state.path().join("making-0123456789abcdef-4194999-ThreadId1")).unwrap();
    std::fs::write(state.path().join("package.json"), "{\"name\": \"pack").unwrap();
    std::fs::write(state.path().join("prod.error.log"), "the log of another server").unwrap();
    // A server that somebody else runs at X/prod/data, where X is our folder.
    let prod = state.path().join("prod/data");
    std::fs::create_dir_all(prod.join("mysql")).unwrap();
    std::fs::write(prod.join("ibdata1"), "rows").unwrap();
    std::os::unix::fs::symlink("/bin/sleep", state.0.path().join("mysqld")).unwrap();
    let mut theirs = quiet(Command::new(state.0.path().join("mysqld")).arg("600").current_dir(&prod));
    let left = |name: &str| (name.to_owned(), "left over".to_owned());
    let listed: Vec<_> =
        state.listed().into_iter().map(|(name, a)| (name, if a == "left" { "left over".into() } else { a })).collect();
    assert_eq!(listed, [left("noteless")]);
    let (code, _, err) = state.does(&["sandbox", "start", "--name", "noteless"]);
    assert!(
        code == 1 && err.contains("without a note of a sandbox") && err.contains("tenbin sandbox list --clean"),
        "{err}"
    );
    assert_eq!(state.servers().len(), 1);
    assert_eq!(state.does(&["sandbox", "list", "--clean"]).0, 0);
    let (code, _, err) = state.does(&["sandbox", "stop", "prod", "--force"]);
    assert!(code == 1 && err.contains("prod"), "{err}");
    assert_eq!(state.does(&["sandbox", "stop", "--all", "--force"]).0, 0);
    let others = ["making-0123456789abcdef-4194999-ThreadId1", "package.json", "prod", "prod.error.log", "thesis"];
    assert_eq!((state.entries(), state.servers()), (others.map(str::to_owned).to_vec(), vec![]));
    assert!(theirs.try_wait().unwrap().is_none() && prod.join("ibdata1").exists(), "theirs runs on");
    theirs.kill().unwrap();
    theirs.wait().unwrap();
    assert!(foreign.join("text").exists());
}

#[test]
fn misspelt_variables_are_told_before_anything_is_started() {
    let state = StateDir::new();
    let check = |binary: &str, server: &str| {
        let plan = state.0.path().join("plan.toml");
        let text = format!(
            "schema = 1\n[targets.a]\nsandbox = {binary:?}\nserver = {{ {server} }}\n[[experiment]]\nload = {{ workload = \"oltp_read_only\" }}\n"
        );
        std::fs::write(&plan, text).unwrap();
        let (code, _, err) = state.does(&["plan", "check", "plan.toml"]);
        (code, err)
    };
    let mysql = tenbin_tests::mysql_binary("8.0.31");
    for (binary, wrong, meant, right) in [
        (
            "mariadbd",
            "innodb_bufer_pool_size",
            "innodb_buffer_pool_size",
            "innodb_buffer_pool_size = \"64M\", skip_log_bin = 1, loose_none_such = 1, max-connections = 20, aria_pagecache_buffer_size = \"8M\"",
        ),
        (
            &mysql,
            "innodb_redo_log_capasity",
            "innodb_redo_log_capacity",
            "innodb_redo_log_capacity = \"64M\", sql_require_primary_key = \"ON\"",
        ),
        (
            "postgres",
            "shared_bufers",
            "shared_buffers",
            "shared_buffers = \"64MB\", zero_damaged_pages = \"off\", \"auto_explain.log_analyze\" = \"on\", \"pg_stat_statements.max\" = 100",
        ),
    ] {
        let (code, err) = check(binary, &format!("{wrong} = 1"));
        let printed = format!("target a: {binary} has no variable {wrong}");
        assert!(
            code == 1 && err.contains(&printed) && err.contains(&format!("did you mean {meant}?")),
            "{binary} {code} {err}"
        );
        let (code, err) = check(binary, right);
        assert_eq!((code, err.as_str()), (0, ""), "{binary} {right}");
    }
    let (code, err) = check("mariadbd", "zzz = 1");
    assert!(code == 1 && err.contains("has no variable zzz") && err.contains("mariadbd --verbose --help"), "{err}");
    assert!(!state.path().exists() || state.entries().is_empty(), "nothing was started");
}
