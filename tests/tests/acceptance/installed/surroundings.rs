//! Machines that are unlike a developer's: an old kernel, a container's filter of system calls and its process 1, no `/proc`, a root that cannot
//! be written, hardly any environment.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::tool;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_tests::{output_of, tenbin, tenbin_through, wait_until_measured};

/// The words of a command that runs [`plan`].
const RUN: [&str; 5] = ["run", "plan.toml", "--json", "--runs", "runs"];

/// A measurement of this many seconds, which needs no server, as `plan.toml` in a directory.
fn plan(dir: &Path, seconds: u32, database: &str) {
    let text = format!(
        "schema = 1\n[targets.own]\ndsn = \"sqlite:{database}\"\n[defaults]\nwarmup = \"0s\"\nmeasure = \"{seconds}s\"\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_write\", table_size = 100, clients = 4 }}\n"
    );
    fs::write(dir.join("plan.toml"), text).unwrap();
}

/// The transactions that the run of a plan completed; it must end without a problem.
fn completed(command: &mut Command) -> u64 {
    let (code, out, err) = output_of(command);
    assert!(code == 0 || code == 3, "{code}\n{out}\n{err}");
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"));
    json["trials"][0]["accounting"]["completed"].as_u64().unwrap()
}

fn old_kernel(option: &[&str]) -> Command {
    let script = tool("old_kernel.py");
    tenbin_through("python3", &[&[script.to_str().unwrap()], option].concat())
}

#[test]
fn on_a_kernel_without_the_calls_of_the_last_ten_years_it_measures_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = old_kernel(&[]);
    plan(dir.path(), 1, "own.db");
    command.args(RUN).current_dir(dir.path());
    assert!(completed(&mut command) > 0);
    let (code, out, err) = output_of(old_kernel(&[]).arg("doctor").current_dir(dir.path()));
    assert_eq!(code, 0, "{out}{err}");
}

/// What the file test prints without io_uring: with these options of the filter.
fn without_io_uring(option: &[&str]) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let fileio = ["sysbench", "fileio", "--file-total-size=1M", "--file-num=1"];
    let (code, out, err) = output_of(tenbin().args(fileio).arg("prepare").current_dir(dir.path()));
    assert_eq!(code, 0, "{out}{err}");
    let run = ["--file-test-mode=rndrd", "--file-io-mode=async", "--time=1", "run"];
    let (code, out, err) = output_of(old_kernel(option).args(fileio).args(run).current_dir(dir.path()));
    (code, out + &err)
}

#[test]
fn without_io_uring_the_reason_is_the_containers_filter_or_the_kernels_age() {
    let (code, output) = without_io_uring(&["--docker"]);
    assert!(code == 1 && output.contains("io_uring") && output.contains("seccomp"), "{output}");
    let (code, output) = without_io_uring(&[]);
    assert!(code == 1 && output.contains("io_uring") && output.contains("5.1"), "{output}");
}

#[test]
fn an_environment_with_nothing_in_it_is_enough() {
    let dir = tempfile::tempdir().unwrap();
    plan(dir.path(), 1, "own.db");
    for set in [&[][..], &[("LC_ALL", "ja_JP.EUC-JP"), ("TERM", "dumb")]] {
        let program = tenbin_tests::binary();
        let mut command = Command::new(program);
        command.env_clear().envs(set.iter().copied()).args(RUN).current_dir(dir.path());
        assert!(completed(&mut command) > 0, "{set:?}");
    }
}

/// A root directory with the binary and the libraries it is linked to, and nothing else.
fn bare_root(dir: &Path) {
    let program = tenbin_tests::binary();
    ["runs", "tmp", "proc", "bin"].iter().for_each(|name| fs::create_dir_all(dir.join(name)).unwrap());
    fs::copy(&program, dir.join("bin/tenbin")).unwrap();
    let (_, libraries, _) = output_of(Command::new("ldd").arg(&program));
    for path in libraries.split_whitespace().filter(|word| word.starts_with('/')) {
        let copy = dir.join(path.trim_start_matches('/'));
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(path, copy).unwrap();
    }
}

#[test]
fn in_a_root_that_cannot_be_written_without_proc_as_another_account_runs_has_everything() {
    let dir = tempfile::tempdir().unwrap();
    bare_root(dir.path());
    // As the image has it: one place to write to.
    let script = r#"set -e; mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; mount -t tmpfs -o mode=0777 runs "$0/runs"
        exec chroot --userspec=65534:65534 "$0" /bin/tenbin "$@""#;
    plan(dir.path(), 1, "/runs/own.db");
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script]).arg(dir.path());
    command.args(["run", "/plan.toml", "--json", "--runs", "/runs"]).env_clear();
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("TENBIN_STATE_DIR", "/runs/.tenbin");
    let (_, _, output) = output_of(&mut command);
    assert!(output.contains("there is no /proc"), "{output}");
    assert!(completed(&mut command) > 0);
    assert!(fs::read_dir(dir.path().join("runs")).unwrap().next().is_none(), "it was written to the file system above");
}

/// `tenbin` as process 1 of a namespace of processes, as in a container.
struct Container {
    unshare: Child,
}

impl Container {
    fn start(dir: &Path, words: &[&str]) -> Container {
        let mut command = tenbin_through("unshare", &["--pid", "--fork", "--kill-child", "--mount-proc"]);
        command.args(words).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null());
        Container { unshare: command.stderr(fs::File::create(dir.join("runs.log")).unwrap()).spawn().unwrap() }
    }

    /// Process 1, by its number outside.
    fn first(&self) -> u32 {
        let result_of = || children(self.unshare.id()).first().copied();
        until("there is a process 1", || result_of().is_some());
        result_of().unwrap()
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        let _ = self.unshare.kill();
        let _ = self.unshare.wait();
    }
}

fn children(of: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: not so after a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn as_process_1_it_ends_in_order_on_a_signal() {
    let dir = tempfile::tempdir().unwrap();
    plan(dir.path(), 600, "own.db");
    let mut container = Container::start(dir.path(), &RUN);
    let first = container.first();
    wait_until_measured(&dir.path().join("runs"), 1);
    output_of(Command::new("kill").args(["-TERM", &first.to_string()]));
    let status = container.unshare.wait().unwrap();
    let errors = fs::read_to_string(dir.path().join("runs.log")).unwrap();
    assert_eq!(status.code(), Some(130), "{errors}");
}

#[test]
fn as_process_1_it_waits_for_what_others_left() {
    let dir = tempfile::tempdir().unwrap();
    // A process whose parent ends at once, and which ends soon after.
    fs::write(
        dir.path().join("leaves.lua"),
        "os.execute('sleep 0.1 & echo $! > left')\nfunction event() os.execute('sleep 0.05') end\n",
    )
    .unwrap();
    let bench = ["bench", "./leaves.lua", "sqlite:own.db", "--time", "600", "--runs", "runs"];
    let container = Container::start(dir.path(), &bench);
    let first = container.first();
    until("a process is left", || dir.path().join("left").is_file());
    let zombie = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
    };
    // Longer than any of them takes to end.
    std::thread::sleep(Duration::from_millis(500));
    until("nothing that has ended is still there", || !children(first).iter().any(zombie));
    assert!(!children(first).is_empty(), "it still runs: {}", fs::read_to_string(dir.path().join("runs.log")).unwrap());
}
