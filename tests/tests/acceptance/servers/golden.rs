//! Data restored from golden copies: made once, put back before each trial, used by later runs and other targets, and refused
//! when they are not what they were.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_tests::sql::{self, Address};
use tenbin_tests::{
    Restarting, mariadb, mysql, mysql_binary, output_of, postgres, state_directory, tenbin, tenbin_through,
};

/// A directory with golden copies, sandboxes and runs.
pub struct Bench(tempfile::TempDir);

impl Bench {
    pub fn new() -> Bench {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
        Bench(dir)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The directory of the last run.
    pub fn run_directory(&self) -> PathBuf {
        let entries = std::fs::read_dir(self.0.path().join("runs")).unwrap().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).max().unwrap()
    }

    /// A fact about a target in the recording of the last run.
    pub fn fact(&self, target: &str, name: &str) -> Option<String> {
        let trials = std::fs::read_dir(self.run_directory().join("trials")).unwrap().flatten();
        let logs = trials.map(|trial| std::fs::read_to_string(trial.path().join("events.jsonl")).unwrap());
        let lines: Vec<serde_json::Value> = logs
            .flat_map(|log| log.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>())
            .collect();
        let about = |line: &&serde_json::Value| line["event"] == "facts" && line["about"] == target;
        lines.iter().filter(about).find_map(|line| line["facts"][name].as_str().map(str::to_owned))
    }

    fn store(&self) -> PathBuf {
        self.0.path().join("store")
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = tenbin();
        command.args(args).env("TENBIN_DATA_DIR", self.store()).env("TENBIN_RUNS", self.0.path().join("runs"));
        command.env("TENBIN_STATE_DIR", state_directory(self.0.path())).current_dir(self.0.path());
        command
    }

    pub fn does(&self, args: &[&str]) -> (i32, String, String) {
        output_of(&mut self.command(args))
    }

    pub fn plan(&self, targets: &str, repeats: u32) -> PathBuf {
        let path = self.0.path().join("plan.toml");
        let plan = format!(
            "schema = 1\n{targets}\n[datasets.d]\nkind = \"sysbench\"\ntables = 2\ntable_size = 1000\n\
             [[experiment]]\ndataset = \"d\"\nrepeats = {repeats}\nwarmup = \"0s\"\nmeasure = \"20s\"\n\
             restore = \"before-run\"\n[experiment.load]\nworkload = \"oltp_insert\"\nclients = 2\noperations = 50\n"
        );
        std::fs::write(&path, plan).unwrap();
        path
    }

    /// Runs such a plan; returns what is said of golden copies, without times and digests.
    pub fn run(&self, targets: &str, repeats: u32) -> String {
        let path = self.plan(targets, repeats);
        let (code, out, err) = self.does(&["run", path.to_str().unwrap()]);
        assert!(code == 2 || tenbin_tests::is_valid_or_disturbed(code, &err), "{out}{err}");
        said(&format!("{out}{err}"))
    }

    /// Everything that a run of such a plan says, whatever comes of it.
    pub fn run_any(&self, targets: &str) -> String {
        let path = self.plan(targets, 1);
        let (_, out, err) = self.does(&["run", path.to_str().unwrap()]);
        format!("{out}{err}")
    }

    pub fn copies(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.store()).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Trials, and the lines about golden copies.
fn said(text: &str) -> String {
    let lines = text.lines().filter_map(|line| {
        let line = line.trim();
        let about = line.contains("golden copy") || line.starts_with("error:") || line.contains("loaded ");
        let trial = line.starts_with("trial ") && line.ends_with(|c: char| c.is_ascii_digit());
        (about || trial).then(|| {
            let words = line.split_whitespace().scan(false, |kept, word| {
                let number = word.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit());
                let digest = word.rsplit_once('-').filter(|(_, d)| d.trim_end_matches([':', ',']).len() == 8);
                *kept = line.starts_with("trial");
                Some(match digest {
                    Some((name, _)) => format!("{name}-…"),
                    None if number && !*kept => "N".to_owned(),
                    None => word.to_owned(),
                })
            });
            words.collect::<Vec<_>>().join(" ")
        })
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_copy_is_made_once_put_back_before_each_trial_and_used_by_later_runs() {
    let bench = Bench::new();
    let target = "[targets.a]\nsandbox = \"mariadbd\"\nrestore = \"copy\"";
    insta::assert_snapshot!(bench.run(target, 2), @"
    trial 1/2 a repeat 1
    note loaded N rows in N s N rows/s, N streams)
    note golden copy sysbench-mariadb-10.11-… made by copy: N MiB in N files in N s
    note data restored from the golden copy sysbench-mariadb-10.11-… N MiB in N files
    trial 2/2 a repeat 2
    note data restored from the golden copy sysbench-mariadb-10.11-… N MiB in N files
    ");
    let two = "[targets.b]\nsandbox = \"mariadbd\"\nserver = { innodb_flush_log_at_trx_commit = 2 }\nrestore = \"copy\"\n\
               [targets.c]\nsandbox = \"mariadbd\"\nrestore = \"copy\"";
    insta::assert_snapshot!(bench.run(two, 1), @"
    trial 1/2 b repeat 1
    note data restored from the golden copy sysbench-mariadb-10.11-… N MiB in N files
    trial 2/2 c repeat 1
    note data restored from the golden copy sysbench-mariadb-10.11-… N MiB in N files
    ");
    let (_, out, _) = bench.does(&["data", "list"]);
    assert!(out.contains("sysbench-mariadb-10.11-") && out.contains("2,000  copy"), "{out}");
}

#[test]
fn backups_of_each_server_serve_as_golden_copies() {
    let bench = Bench::new();
    let target = |binary: &str, kind: &str| format!("[targets.a]\nsandbox = \"{binary}\"\nrestore = \"{kind}\"");
    let all: Vec<String> = [
        ("mariadbd", "backup"),
        ("postgres", "backup"),
        ("postgres", "copy"),
        ("sqlite", "copy"),
        (mysql_binary("8.0.31").as_str(), "copy"),
    ]
    .into_iter()
    .map(|(binary, kind)| {
        let (_, _, _) = bench.does(&["data", "remove", "--all"]);
        bench.run(&target(binary, kind), 1)
    })
    .collect();
    insta::assert_snapshot!(all.join("\n"), @"
    trial 1/1 a repeat 1
    note loaded N rows in N s N rows/s, N streams)
    note golden copy sysbench-mariadb-10.11-… made by mariadb-backup: N MiB in N files in N s
    note data restored from the golden copy sysbench-mariadb-10.11-… N MiB in N files
    trial 1/1 a repeat 1
    note loaded N rows in N s N rows/s, N streams)
    note golden copy sysbench-postgresql-15-… made by pg_basebackup: N MiB in N files in N s
    note data restored from the golden copy sysbench-postgresql-15-… N MiB in N files
    trial 1/1 a repeat 1
    note loaded N rows in N s N rows/s, N streams)
    note golden copy sysbench-postgresql-15-… made by copy: N MiB in N files in N s
    note data restored from the golden copy sysbench-postgresql-15-… N MiB in N files
    trial 1/1 a repeat 1
    note loaded N rows in N s N rows/s, N stream)
    note golden copy sysbench-sqlite-3-… made by copy: N KiB in N file in N s
    note data restored from the golden copy sysbench-sqlite-3-… N KiB in N file
    trial 1/1 a repeat 1
    note loaded N rows in N s N rows/s, N streams)
    note golden copy sysbench-mysql-8.0-… made by copy: N MiB in N files in N s
    note data restored from the golden copy sysbench-mysql-8.0-… N MiB in N files
    ");
}

/// What a data set of 50,000 rows is on a server: its rows, and a sum over them.
fn sum_of_rows(binary: &str, restore: &str, bench: &Bench) -> (String, u64) {
    let sql = "SELECT COUNT(*), SUM(k), SUM(id) FROM sbtest1";
    let ask = match binary {
        "postgres" => format!("psql \\\"$(echo $TENBIN_ADDRESS | sed s/?.*//)\\\" -tAc '{sql}'"),
        _ => format!("mariadb --defaults-extra-file=$TENBIN_OPTION_FILE sbtest -BNe '{sql}'"),
    };
    let password = "export PGPASSWORD=$(cat $TENBIN_PASSWORD_FILE)";
    let out = bench.path().join("sum");
    let target = format!(
        "[targets.a]\nsandbox = \"{binary}\"\nrestore = \"{restore}\"\nhooks = {{ with_data = \"{password}; {ask} > {}\" }}",
        out.display()
    );
    let plan = bench.plan(&target, 2);
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, text.replace("table_size = 1000", "table_size = 25000")).unwrap();
    let (code, output, err) = bench.does(&["run", plan.to_str().unwrap()]);
    assert!([0, 2, 3].contains(&code), "on a busy disk a window may have a standstill: {output}{err}");
    let (_, list, _) = bench.does(&["data", "list", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let bytes =
        list["copies"].as_array().unwrap().iter().map(|copy| copy["description"]["bytes"].as_u64().unwrap()).sum();
    if bytes > 0 {
        assert!(err.contains("golden copies: 1, together"), "{err}");
        let (_, check, _) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
        assert!(check.contains(&format!("in {}", bench.store().display())), "{check}");
    }
    (std::fs::read_to_string(out).unwrap(), bytes)
}

/// Logs that a server does not need to start with the same data take no room.
#[test]
fn a_copy_has_no_more_of_the_logs_than_the_server_needs() {
    for (binary, most_mib) in [("mariadbd", 75), ("postgres", 75), (mysql_binary("8.0.31").as_str(), 150)] {
        let (loaded, none) = sum_of_rows(binary, "reload", &Bench::new());
        let bench = Bench::new();
        let (restored, bytes) = sum_of_rows(binary, "copy", &bench);
        assert_eq!((restored, none), (loaded, 0), "{binary}");
        assert!(bytes > 20 << 20 && bytes < most_mib << 20, "{binary}: {} MiB", bytes >> 20);
        // It was used now.
        let (code, out, err) = bench.does(&["data", "remove", "--unused"]);
        assert!(code == 0 && out.contains("nothing to remove"), "{out}{err}");
        let (_, out, _) = bench.does(&["data", "list"]);
        assert!(out.contains("unused for") && out.contains("0 d"), "{out}");
        let (code, out, err) = bench.does(&["data", "remove", "--unused", "--days", "0"]);
        assert!(code == 0 && out.matches("removed").count() == 1 && bench.copies().is_empty(), "{out}{err}");
    }
}

#[test]
fn a_program_for_backups_that_is_missing_is_told_before_anything_is_done() {
    let bench = Bench::new();
    // Percona's package is not installed.
    let output = bench.run_any(&format!("[targets.a]\nsandbox = \"{}\"\nrestore = \"backup\"", mysql_binary("8.0.31")));
    assert!(output.contains("there is no xtrabackup on this machine") && output.contains("hint"), "{output}");
    assert!(!output.contains("trial 1") && bench.copies().is_empty(), "{output}");
}

#[test]
fn the_data_are_those_that_were_loaded() {
    let bench = Bench::new();
    let file = bench.0.path().join("a.db");
    let target = format!("[targets.a]\ndsn = \"sqlite:{}\"\nrestore = \"copy\"", file.display());
    bench.run(&target, 3);
    let rows = |table: &str| {
        let sql = format!("SELECT count(*) FROM {table}");
        let dsn = tenbin_model::dsn::Dsn::parse(&format!("sqlite:{}", file.display())).unwrap();
        let connector = tenbin_driver::Connector::new(dsn, None).unwrap();
        tenbin_driver::event_loop().unwrap().block_on(async {
            let mut c = connector.connect_ready().await.unwrap();
            c.table(&sql).await.unwrap().scalar().unwrap().parse::<u64>().unwrap()
        })
    };
    assert_eq!(rows("sbtest1") + rows("sbtest2"), 2050, "2,000 rows and the 50 of the last trial");
}

#[test]
fn a_copy_that_is_not_what_it_was_is_refused_and_can_be_removed() {
    let bench = Bench::new();
    let target = "[targets.a]\nsandbox = \"sqlite\"\nrestore = \"copy\"";
    bench.run(target, 1);
    let [name] = <[String; 1]>::try_from(bench.copies()).unwrap();
    std::fs::write(bench.store().join(&name).join("data"), b"something else").unwrap();
    let plan = bench.plan(target, 1);
    let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(err.contains("was changed after it was made") && err.contains("tenbin data remove"), "{err}");
    let (code, out, _) = bench.does(&["data", "remove", &name]);
    assert_eq!((code, out.trim()), (0, format!("removed  {name}").as_str()));
    let (code, _, err) = bench.does(&["data", "remove", &name]);
    assert!(code == 1 && err.contains("there is no golden copy"), "{code} {err}");
    let (code, out, _) = bench.does(&["data", "list", "--lang", "ja"]);
    assert_eq!((code, out.trim()), (0, format!("{} にゴールデンコピーはありません", bench.store().display()).as_str()));
    assert!(bench.run(target, 1).contains("made by copy"), "the next run makes it again");
}

/// Waits until `there` holds, and fails if it never does.
pub fn wait_for(there: impl Fn() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < Duration::from_secs(90), "in vain");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_has_no_mark_of_ours_is_not_removed_from_any_directory() {
    let bench = Bench::new();
    // A project that has data, a server's directory, and one that looks like what a killed run leaves.
    for other in ["project/data", "postgresql/data/base", ".making-1-x/data"] {
        std::fs::create_dir_all(bench.store().join(other)).unwrap();
    }
    std::fs::write(bench.store().join("project/data/thesis"), "x").unwrap();
    let target = "[targets.a]\nsandbox = \"sqlite\"\nrestore = \"copy\"";
    bench.run(target, 1);
    let store = bench.store().display().to_string();
    let (_, out, _) = bench.does(&["data", "list", "--store", &store]);
    assert!(out.contains("sysbench-sqlite-3-") && !out.contains("project") && !out.contains("making"), "{out}");
    let (code, out, err) = bench.does(&["data", "remove", "--all", "--store", &store]);
    assert!(code == 0 && out.matches("removed").count() == 1, "{out}{err}");
    let (code, _, err) = bench.does(&["data", "remove", "project", "--store", &store]);
    assert!(code == 1 && err.contains("there is no golden copy"), "{err}");
    let mut left: Vec<_> = std::fs::read_dir(bench.store()).unwrap().flatten().map(|e| e.file_name()).collect();
    left.sort();
    assert_eq!(left, [".making-1-x", "postgresql", "project"]);
    assert!(bench.store().join("project/data/thesis").exists());
}

#[test]
fn a_run_killed_while_it_makes_a_copy_leaves_nothing_that_is_used() {
    let bench = Bench::new();
    let target = "[targets.a]\nsandbox = \"mariadbd\"\nrestore = \"copy\"";
    let plan = bench.plan(target, 1);
    let mut run = bench.command(&["run", plan.to_str().unwrap()]);
    let mut child = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let making = || bench.copies().into_iter().find(|name| name.starts_with(".making-"));
    wait_for(|| making().is_some_and(|name| is_begun(&bench.store().join(name))));
    child.kill().unwrap();
    child.wait().unwrap();
    let left = making().unwrap();
    let (_, out, _) = bench.does(&["data", "list"]);
    assert!(out.contains(&left) && out.contains("incomplete"), "{out}");
    let (code, out, err) = bench.does(&["data", "remove", "--all"]);
    assert!(code == 0 && out.contains(&left), "{out}{err}");
    let mut child = bench.command(&["run", plan.to_str().unwrap()]);
    let mut child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(|| making().is_some_and(|name| is_begun(&bench.store().join(name))));
    // What is being made is in use.
    let (code, out, err) = bench.does(&["data", "remove", "--all"]);
    assert!(code == 2 && err.contains("is in use"), "{out}{err}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(bench.copies().len(), 1);
    assert!(bench.run(target, 1).contains("made by copy"));
    assert!(making().is_none() && bench.copies().len() == 1, "the next run has cleaned it: {:?}", bench.copies());
    let _ = bench.does(&["sandbox", "list", "--clean"]);
}

fn is_begun(copy: &Path) -> bool {
    copy.join("data").is_dir()
}

#[test]
fn too_little_room_for_a_copy_is_told() {
    let bench = Bench::new();
    let plan = bench.plan("[targets.a]\nsandbox = \"mariadbd\"\nrestore = \"copy\"", 1);
    std::fs::create_dir(bench.store()).unwrap();
    // A small file system that only this run sees.
    let mount = "mount -t tmpfs -o size=8m small \"$TENBIN_DATA_DIR\" && exec \"$0\" \"$@\"";
    let mut run = tenbin_through("unshare", &["--mount", "bash", "-c", mount]);
    run.args(["run", plan.to_str().unwrap()]).env("TENBIN_DATA_DIR", bench.store()).current_dir(bench.0.path());
    run.env("TENBIN_STATE_DIR", state_directory(bench.0.path()));
    let (code, out, err) = output_of(&mut run);
    assert_ne!(code, 0, "{out}{err}");
    assert!(err.contains("cannot be copied") && err.contains("free space there"), "{err}");
}

/// A server that the run did not start, and the part of a plan about it.
pub fn existing(server: &Restarting, kind: &str) -> String {
    let (stop, start) = server.commands();
    format!(
        "[targets.a]\ndsn = \"{}\"\nrestore = {{ kind = \"{kind}\", stop = \"{stop}\", start = \"{start}\" }}",
        server.dsn()
    )
}

/// The number of rows of both tables.
fn rows(server: &Restarting) -> u64 {
    let sql = "SELECT (SELECT COUNT(*) FROM sbtest1) + (SELECT COUNT(*) FROM sbtest2)";
    sql::query(server, sql)[0][0].parse().unwrap()
}

#[test]
fn servers_of_an_address_are_stopped_restored_and_started() {
    let bench = Bench::new();
    for (server, kind) in
        [(mariadb(&[]), "copy"), (mariadb(&[]), "backup"), (postgres(&[]), "copy"), (mysql("8.0.31", &[]), "copy")]
    {
        let server = Restarting::of(server);
        let before = server.pid();
        let text = bench.run(&existing(&server, kind), 2);
        assert_eq!(text.matches("data restored from the golden copy").count(), 2, "{text}");
        assert_eq!(rows(&server), 2050, "2,000 rows and the 50 of the last trial");
        assert_ne!(server.pid(), before, "it was started again");
        let (_, _, _) = bench.does(&["data", "remove", "--all"]);
    }
}

#[test]
fn variables_that_a_start_does_not_keep_are_set_again() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    let target = format!("{}\nserver = {{ innodb_flush_log_at_trx_commit = 2 }}", existing(&server, "copy"));
    let plan = bench.plan(&target, 2);
    let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
    assert!([0, 2, 3].contains(&code), "{out}{err}");
    // In the first trial before the load and after the start on the restored data; in the second after the start.
    let output = format!("{out}{err}");
    assert_eq!(output.matches("innodb_flush_log_at_trx_commit = 2").count(), 3, "{output}");
    assert_eq!(sql::query(&server, "SELECT @@innodb_flush_log_at_trx_commit")[0][0], "1", "put back");
}

#[test]
fn tables_of_others_are_not_brought_back_without_permission() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    sql::query(&server, "CREATE DATABASE shop");
    sql::query(&server, "CREATE TABLE shop.orders(id INT)");
    let (target, before) = (existing(&server, "copy"), server.pid());
    let output = bench.run_any(&target);
    assert!(output.contains("1 table that Tenbin did not create") && output.contains("shop.orders"), "{output}");
    assert_eq!(server.pid(), before, "it was not stopped");
    // By an account that is not shown that schema.
    sql::query(&server, "CREATE USER blind@'127.0.0.1' IDENTIFIED BY ''");
    sql::query(&server, "GRANT ALL ON sbtest.* TO blind@'127.0.0.1'");
    let output = bench.run_any(&target.replace("mysql://root@", "mysql://blind@"));
    assert!(output.contains("1 table that Tenbin did not create") && output.contains("shop.*"), "{output}");
    assert!(bench.run(&format!("{target}\nallow = [\"replace-server\"]"), 1).contains("data restored"));
}

#[test]
fn commands_that_do_not_do_what_they_should_are_told() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    let (stop, start) = server.commands();
    let target = |stop: &str, start: &str| {
        format!(
            "[targets.a]\ndsn = \"{}\"\nrestore = {{ kind = \"copy\", stop = \"{stop}\", start = \"{start}\" }}",
            server.dsn()
        )
    };
    let output = bench.run_any(&target("echo no such service; exit 5", &start));
    assert!(output.contains("no such service") && output.contains("exit code 5"), "{output}");
    assert_eq!(rows(&server), 2000, "it still runs, with the data that were loaded");
    let output = bench.run_any(&target(&stop, "exit 6"));
    assert!(output.contains("exit code 6"), "{output}");
    // The run left it stopped; the next one with a command that works starts it.
    let output = bench.run_any(&target(&stop, &start));
    assert!(output.contains("had stopped the server") && output.contains("data restored"), "{output}");
}

/// Changes the content of a file of the golden copy, and neither its length nor its times.
fn spoil(bench: &Bench) -> PathBuf {
    let [name] = <[String; 1]>::try_from(bench.copies()).unwrap();
    let dir = bench.store().join(name);
    let file = dir.join("data/ibdata1");
    let meta = std::fs::metadata(&file).unwrap();
    std::fs::write(&file, vec![0x5a; usize::try_from(meta.len()).unwrap()]).unwrap();
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(meta.modified().unwrap()).unwrap();
    dir
}

/// Makes the golden copy one on which no server starts, and whose digests are those of its files.
fn spoil_without_a_trace(bench: &Bench) {
    let dir = spoil(bench);
    let shell = "sed '/ data\\/ibdata1$/d' digests >d && sha256sum data/ibdata1 >>d && mv d digests && sha256sum -c --quiet digests \
                 && sed -i \"s/\\(.digests.: .\\)[0-9a-f]*/\\1$(sha256sum <digests | cut -c1-64)/\" golden.json";
    assert!(Command::new("sh").args(["-c", shell]).current_dir(dir).status().unwrap().success());
}

#[test]
fn a_copy_whose_content_has_changed_is_not_put_back() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    let target = existing(&server, "copy");
    bench.run(&target, 1);
    let dir = spoil(&bench);
    let output = bench.run_any(&target);
    assert!(output.contains("was changed after it was made") && output.contains("data/ibdata1"), "{output}");
    assert_eq!(rows(&server), 2050, "the server has the data that it had");
    let (code, _, err) = output_of(Command::new("sha256sum").args(["-c", "--quiet", "digests"]).current_dir(dir));
    assert!(code == 1 && err.contains("1 computed checksum did NOT match"), "{err}");
}

/// A service manager that starts the server again when it was not stopped by it.
struct Manager(std::process::Child);

impl Manager {
    fn of(server: &Restarting) -> Manager {
        let (_, start) = server.commands();
        let watch = format!(
            "while :; do kill -0 $(cat {}) 2>/dev/null || {start}; sleep 0.05; done",
            server.dir().join("pid.now").display()
        );
        Manager(Command::new("sh").args(["-c", &watch]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_that_comes_back_keeps_its_data_and_no_copy_of_them_is_kept() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    let target = existing(&server, "copy");
    let manager = Manager::of(&server);
    let output = bench.run_any(&target);
    assert!(output.contains("came back after the command that stops it") || output.contains("are in use"), "{output}");
    assert_eq!(bench.copies(), Vec::<String>::new(), "a copy of data that change is none");
    wait_for(|| tenbin_servers::sandbox::is_alive(server.pid()));
    drop(manager);
    assert!(bench.run(&target, 1).contains("data restored"), "without it all is as it should be");
    let before = rows(&server);
    let _manager = Manager::of(&server);
    let output = bench.run_any(&target);
    assert!(output.contains("came back after the command that stops it") || output.contains("are in use"), "{output}");
    wait_for(|| tenbin_servers::sandbox::is_alive(server.pid()));
    assert_eq!(rows(&server), before, "nothing was put back under it");
}

#[test]
fn a_directory_that_is_put_in_the_place_of_the_data_meanwhile_is_not_touched() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    bench.run(&existing(&server, "copy"), 1);
    let (stop, start) = server.commands();
    let at = |name: &str| server.dir().join(name).display().to_string();
    let (data, away, other) = (at("data"), at("data-away"), at("other"));
    for exchange in [format!("ln -s {other} {data}"), format!("mv {other} {data}")] {
        std::fs::create_dir(&other).unwrap();
        std::fs::write(format!("{other}/ibdata1"), "of somebody else").unwrap();
        let stop = format!("{stop} && mv {data} {away} && {exchange}");
        let start = format!("test -d {other} || mv {data} {other}; rm -f {data}; mv {away} {data}; {start}");
        let commands = format!("stop = \"{stop}\", start = \"{start}\"");
        let text = bench
            .run_any(&format!("[targets.a]\ndsn = \"{}\"\nrestore = {{ kind = \"copy\", {commands} }}", server.dsn()));
        assert!(text.contains("is not the directory any more in which the server worked"), "{text}");
        assert_eq!(std::fs::read_to_string(format!("{other}/ibdata1")).unwrap(), "of somebody else");
        assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1, "{text}");
        assert_eq!(rows(&server), 2050, "it runs on the data that it had: {text}");
        std::fs::remove_dir_all(&other).unwrap();
    }
}

#[test]
fn a_server_that_does_not_start_on_the_copy_gets_its_data_back() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    let target = existing(&server, "copy");
    bench.run(&target, 1);
    spoil_without_a_trace(&bench);
    let output = bench.run_any(&target);
    assert!(output.contains("its former data were brought back, and it runs on them"), "{output}");
    assert_eq!(rows(&server), 2050, "what the run before has left");
    let output = bench.run_any("[targets.a]\nsandbox = \"mariadbd\"\nrestore = \"copy\"");
    assert!(output.contains("its former data were brought back, and it runs on them"), "{output}");
}

#[test]
fn a_run_killed_while_the_server_is_stopped_is_finished_by_the_next() {
    let bench = Bench::new();
    let server = Restarting::of(mariadb(&[]));
    let target = existing(&server, "copy");
    // The copy exists, so that the next stop is for a restore.
    bench.run(&target, 1);
    let slow = target.replace("start = \"", "start = \"sleep 60; ");
    let plan = bench.plan(&slow, 1);
    let mut run = bench.command(&["run", plan.to_str().unwrap()]);
    let mut child = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pid = server.pid();
    wait_for(|| !Path::new(&format!("/proc/{pid}")).exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let output = bench.run_any(&target);
    assert!(output.contains("its data directory was put in order and the server started"), "{output}");
    assert_eq!(rows(&server), 2050);
    let left: Vec<_> = std::fs::read_dir(server.dir()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("tenbin-swap")), "{left:?}");
}

#[test]
fn the_plan_of_two_servers_restores_one_backup_before_every_run() {
    let bench = Bench::new();
    let plan = include_str!("../../../../plans/e2-restore.toml");
    let small = [
        ("table_size = 150_000", "table_size = 1000"),
        ("warmup = \"3s\"", "warmup = \"0s\""),
        ("measure = \"10s\"", "measure = \"1s\""),
        ("[8, 16, 32]", "[8]"),
    ];
    let text = small.iter().fold(plan.to_owned(), |text, (full, less)| {
        assert!(text.contains(full), "{full}");
        text.replace(full, less)
    });
    let path = bench.0.path().join("e2.toml");
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = bench.does(&["run", path.to_str().unwrap()]);
    let output = format!("{out}{err}");
    assert!([0, 3].contains(&code), "{output}");
    assert_eq!(output.matches("made by mariadb-backup").count(), 1, "{output}");
    assert_eq!(output.matches("data restored from the golden copy").count(), 4, "{output}");
    assert!(output.contains("answer"), "{output}");
}
