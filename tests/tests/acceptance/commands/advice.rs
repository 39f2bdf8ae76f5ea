//! Messages about mistakes can be followed: all mistakes at once, with their lines, and no command that loses what is
//! there.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use std::process::Command;
use tenbin_tests::{output_of, tenbin, tenbin_through};

fn write(dir: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// Exit code and standard error, the folder's name left out.
fn errors(dir: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = output_of(tenbin().args(arguments).current_dir(dir));
    format!("exit {code}\n{out}{err}").replace(&dir.display().to_string(), "DIR")
}

#[test]
fn a_plan_with_mistakes_of_every_kind_tells_them_in_one_pass() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "plan.toml",
        r#"schema = 1
nmae = "x
[targets.a]
dsn = "null:"
[datasets.d]
zzz = 1
[datasets.e]
kind = "sysbnech"
[[experiment]]
targets = ["a", "b"]
dataset = "d"
[experiment.load]
workload = "oltp_read_wirte"
clients = 0
[[experiment]]
name = "two"
measure = 60
dataset = "e"
[experiment.load]
workload = "oltp_read_only"
range_size = "many"
time = 5
[experiment.matrix]
load.simple_ranges = [1, "x"]
[[experiment]]
name = "three"
dataset = "d"
[experiment.load]
workload = "oltp_read_only"
range_size = "many"
"#,
    );
    for command in [&["run", "plan.toml"][..], &["plan", "check", "plan.toml"]] {
        insta::assert_snapshot!("mistakes", errors(dir.path(), command));
    }
}

#[test]
fn four_mistakes_are_told_at_once_in_both_languages() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "plan.toml",
        r#"schema = 1
mesure = "5s"
[targets.a]
dsn = "sqlite:a.db"
[[experiment]]
repeats = "many"
interval = "1ms"
[experiment.load]
workload = "oltp_read_only"
point_selcts = 3
"#,
    );
    let [english, japanese] = ["en", "ja"].map(|lang| errors(dir.path(), &["run", "plan.toml", "--lang", lang]));
    insta::assert_snapshot!("four_mistakes_en", english);
    insta::assert_snapshot!("four_mistakes_ja", japanese);
    let lines =
        |text: &str| text.lines().filter(|l| l.trim_start().starts_with("evidence") || l.contains("根拠")).count();
    assert_eq!((lines(&english), lines(&japanese)), (4, 4));
    assert_eq!(errors(dir.path(), &["plan", "check", "plan.toml", "--lang", "ja"]), japanese);
}

#[test]
fn what_is_told_before_a_run_is_told_in_the_language_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let request = [
        &["run", "nothing.toml", "--lang", "ja"][..],
        &["bench", "oltp_raed", "sqlite:a.db", "--lang", "ja"],
        &["bench", "cpu", "sqlite:a.db", "--lang", "ja"],
        &["load", "oltp_read_only", "oracle://a", "--lang", "ja"],
        &["doctor", "mysql://root@127.0.0.1:1/", "--lang", "fr"],
    ];
    insta::assert_snapshot!("refusals_ja", request.map(|arguments| errors(dir.path(), arguments)).join(""));
    let plan = "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"sqlite:a.db\"\n[datasets.d]\nkind = \"sysbench\"\n[[experiment]]\n\
                measure = \"2m\"\n[experiment.load]\nworkload = \"oltp_read_only\"\n";
    write(dir.path(), "plan.toml", plan);
    let (code, forecast, _) =
        output_of(tenbin().args(["plan", "check", "--offline", "plan.toml", "--lang", "ja"]).current_dir(dir.path()));
    assert_eq!(code, 0);
    insta::assert_snapshot!("forecast_ja", forecast);
    // The statements are printed where they are asked for.
    let check =
        |more: &[&str]| output_of(tenbin().args(["plan", "check", "plan.toml"]).args(more).current_dir(dir.path())).1;
    let (short, long) = (check(&[]), check(&["--sql"]));
    assert!(short.contains("--sql") && !short.contains("CREATE TABLE"), "{short}");
    assert!(long.contains("CREATE TABLE") && !long.contains("--sql"), "{long}");
    let (_, output, _) = self::output_of(tenbin().args(["doctor", "--lang", "ja"]));
    assert!(output.contains("クライアント  ") && output.contains("システム  "), "{output}");
    assert!(output.lines().last().is_some_and(|line| line.starts_with("正常 ")), "{output}");
}

#[test]
fn a_plan_in_latin_1_is_told_where_and_is_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), "my plan.toml", b"schema = 1\nname = \"caf\xe9\"\n[targets.a]\nsandbox = \"sqlite\"\n[[experiment]]\nload.workload = \"oltp_read_only\"\n");
    let text = errors(dir.path(), &["plan", "check", "my plan.toml"]);
    insta::assert_snapshot!(text, @r#"
    exit 1
    error: my plan.toml: line 2, column 12: the byte 0xE9 is not UTF-8, which plans are written in
      evidence  2 | name = "caf�"
                  |            ^
      hint      iconv -f LATIN1 -t UTF-8 'my plan.toml' > 'my plan.utf8.toml'
    "#);
    // The command is followed, and the plan is one.
    let command = text.lines().find_map(|l| l.trim().strip_prefix("hint")).unwrap().trim().to_owned();
    assert!(Command::new("sh").arg("-c").arg(command).current_dir(dir.path()).status().unwrap().success());
    assert_eq!(
        output_of(tenbin().args(["plan", "check", "--offline", "my plan.utf8.toml"]).current_dir(dir.path())).0,
        0
    );
    assert!(std::fs::read(path).unwrap().contains(&0xe9), "the plan is as it was");
}

#[test]
fn a_plan_that_cannot_be_read_is_no_reason_to_write_over_one() {
    let dir = tempfile::tempdir().unwrap();
    let all = ["nothing.toml", ".", "/dev/zero"].map(|plan| errors(dir.path(), &["run", plan]));
    insta::assert_snapshot!(all.join(""), @r"
    exit 1
    error: the plan nothing.toml cannot be read
      evidence  No such file or directory (os error 2)
      hint      give the path of a plan, or begin one: tenbin plan example > nothing.toml
    exit 1
    error: the plan . cannot be read
      evidence  Is a directory (os error 21)
      hint      give a plan in it: ls .
    exit 1
    error: the plan /dev/zero cannot be read
      evidence  it is longer than 4 MiB
      hint      give a plan: tenbin plan example prints one
    ");
}

#[test]
fn looking_at_a_plan_or_a_script_runs_no_script() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "x.lua",
        "io.open('ran', 'w'):close()\nsysbench.cmdline.options = { n = {'how many', 1} }\nfunction event() end\n",
    );
    write(
        dir.path(),
        "plan.toml",
        "schema = 1\n[targets.a]\nsandbox = \"sqlite\"\n[[experiment]]\ndataset = \"none\"\nload = { workload = \"./x.lua\", m = 1 }\n",
    );
    let offline = errors(dir.path(), &["plan", "check", "--offline", "plan.toml"]);
    assert!(offline.contains("note     the script ./x.lua was compiled, not run"), "{offline}");
    assert!(errors(dir.path(), &["plan", "check", "plan.toml"]).starts_with("exit 0"));
    insta::assert_snapshot!(errors(dir.path(), &["list", "./x.lua"]), @r"
    exit 0
    ./x.lua: a sysbench script; it compiles, and was not run

    What options and commands it has is known when its top level has run. A script is a program and may do
    anything its user may; read it first, then: tenbin list ./x.lua --execute
    ");
    assert!(!dir.path().join("ran").exists());
    insta::assert_snapshot!(errors(dir.path(), &["list", "./x.lua", "--execute"]), @r"
    exit 0
    ./x.lua: a sysbench script

    commands
      run, help

    options (name, default, meaning)
      n  1  how many
    ");
    assert!(dir.path().join("ran").exists());
    // A run has the script's own word for what it does not know, before anything starts.
    insta::assert_snapshot!(errors(dir.path(), &["run", "plan.toml"]), @r#"
    exit 1
    error: plan.toml: line 6, column 32: the script ./x.lua has no option "m"
      evidence  6 | load = { workload = "./x.lua", m = 1 }
                  |                                ^^^^^
      hint      use one of: n
    "#);
}

#[test]
fn what_is_wrong_on_a_command_line_is_told_by_what_was_typed() {
    let dir = tempfile::tempdir().unwrap();
    let bench = |more: &[&str]| errors(dir.path(), &[&["bench", "oltp_read_only", "null:"], more].concat());
    let all = [
        bench(&["--threads", "0"]),
        bench(&["--clients=0", "--on-error", "x y", "--transient", "many", "--rate", "-1"]),
        bench(&["--time", "5 parsecs"]),
        bench(&["--interval", "1ms", "--workers", "none"]),
        bench(&["-o", "time=5s"]),
        bench(&["-o", "range_size=many"]),
        errors(dir.path(), &["bench", "cpu", "null:"]),
    ];
    insta::assert_snapshot!(all.join(""), @r#"
    exit 1
    error: clients cannot be 0
      evidence  --threads 0
      hint      give a whole number from 1 to 1000000
    exit 1
    error: --on-error <stop|count> cannot be "x y"
      hint      use one of stop, count
    exit 1
    error: --time <DURATION> cannot be "5 parsecs"
      evidence  "parsecs" is not a unit of time (ms, s, m, h, d)
      hint      write --time 60s
    exit 1
    error: an interval is at least 10ms
      evidence  --interval 1ms
      hint      --interval 1s
    error: workers cannot be "none"
      evidence  --workers none
      hint      use one of auto, per-client
    exit 1
    error: the workload oltp_read_only has no option "time"
      hint      --time 5s
    exit 1
    error: the workload oltp_read_only: range_size cannot be "many"
      evidence  range_size: rows in a range
      hint      give a whole number from 0 to 2147483647, for example 100
    exit 1
    error: the workload cpu tests this machine, not a database
      evidence  the target is null:
                cpu
      hint      write host: as the target's address, or host:DIRECTORY for the storage under a directory
    "#);
}

#[test]
fn durations_have_a_unit_or_are_seconds_and_every_key_of_a_load_can_be_typed() {
    let dir = tempfile::tempdir().unwrap();
    let bench = [
        "bench",
        "oltp_read_only",
        "null:",
        "--time",
        "200ms",
        "--warmup",
        "0.1",
        "--interval",
        "100ms",
        "--connections",
        "2",
        "--ops",
        "50",
        "--rate",
        "1000",
        "--arrivals",
        "even",
        "--overload-limit",
        "9",
        "--retries",
        "3",
        "--transient",
        "1213, 1205",
        "--on-lost",
        "give-up",
        "-o",
        "on_error=count",
        "--workers",
        "1",
        "--json",
    ];
    let (code, out, err) = output_of(tenbin().args(bench).arg("--runs").arg(dir.path()));
    assert!(code == 0 || code == 3, "{code}\n{out}\n{err}");
    let run = std::fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
    let plan = std::fs::read_to_string(run.join("plan.toml")).unwrap();
    insta::assert_snapshot!(plan, @r#"
    schema = 1
    name = "oltp_read_only"
    seed = 1

    [defaults]
    restore = "require"

    [targets.target]
    dsn = "null:"

    [datasets.data]
    kind = "sysbench"
    table_size = 10000
    tables = 1

    [[experiment]]
    name = "oltp_read_only"
    targets = ["target"]
    dataset = "data"
    repeats = 1
    measure = "200ms"
    warmup = "100ms"
    interval = "100ms"

    [experiment.load]
    workload = "oltp_read_only"
    clients = 2
    workers = 1
    rate = 1000
    arrivals = "even"
    overload_limit = 9
    operations = 50
    retries = 3
    transient = "1213, 1205"
    on_lost = "give-up"
    on_error = "count"
    "#);
}

#[test]
fn a_command_that_is_offered_has_the_address_and_the_password_that_were_typed() {
    let dir = tempfile::tempdir().unwrap();
    // A port that no server listens on any more.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let dsn = format!("mysql://app@127.0.0.1:{port}/x");
    let text_of = |arguments: &[&str]| {
        let more = ["--password-env", "PW"];
        let (_, out, err) = output_of(
            tenbin()
                .args(arguments)
                .args(more)
                .env("PW", "SECRET")
                .env("TENBIN_RUNS", dir.path())
                .current_dir(dir.path()),
        );
        let all = format!("{out}{err}").replace(&port.to_string(), "PORT");
        assert!(!all.contains("SECRET"), "{all}");
        all.lines().filter_map(|l| l.find("tenbin doctor").map(|at| l[at..].to_owned())).next().unwrap_or(all)
    };
    let all = [
        text_of(&["doctor", &dsn]),
        text_of(&["load", "oltp_read_only", &dsn]),
        text_of(&["check", &dsn]),
        text_of(&["bench", "oltp_read_only", &dsn]),
    ];
    insta::assert_snapshot!(all.join("\n"), @r"
    tenbin doctor 'mysql://app@127.0.0.1:PORT/x' --password-env PW
    tenbin doctor 'mysql://app@127.0.0.1:PORT/x' --password-env PW
    tenbin doctor 'mysql://app@127.0.0.1:PORT/x' --password-env PW
    tenbin doctor 'mysql://app@127.0.0.1:PORT/x' --password-env PW
    ");
    // Tables that are missing are reported with the whole command that makes them; what is as by default is left out.
    let missing = errors(
        dir.path(),
        &["bench", "oltp_read_only", "sqlite:empty.db", "--table-size", "5000", "--time", "100ms", "--runs", "runs"],
    );
    let load = missing.lines().find_map(|l| l.find("tenbin load").map(|at| l[at..].to_owned())).unwrap_or(missing);
    insta::assert_snapshot!(load, @r"tenbin load oltp_read_only 'sqlite:empty.db' --table-size 5000");
    let typed = load.replacen("tenbin", "\"$0\"", 1);
    assert_eq!(output_of(tenbin_through("sh", &["-c", &typed]).current_dir(dir.path())).0, 0);
}

/// A plan that names a target it does not describe gets one error about it, not another about its address.
#[test]
fn a_target_that_is_not_described_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let plan = "schema = 1\n[targets.a]\nsandbox = \"sqlite\"\n[[experiment]]\ntargets = [\"b\"]\n[experiment.load]\nworkload = \"oltp_read_only\"\n";
    write(dir.path(), "plan.toml", plan);
    for command in [&["run", "plan.toml"][..], &["plan", "check", "plan.toml"]] {
        let text = errors(dir.path(), command);
        assert!(text.contains("there is no target \"b\"") && text.matches("error:").count() == 1, "{text}");
    }
}
