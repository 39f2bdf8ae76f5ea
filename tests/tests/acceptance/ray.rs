//! Load hosts that Ray places: three raylets in three network namespaces, and a MariaDB that all of them reach.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use tenbin_tests::{ControlGroup, Link, RayCluster, balanced, mariadb, output_of, read_back, sql, wait_until_measured};

const SECRET: &str = "geheim-4711";

/// A script and a module beside it, which only this machine has.
const SCRIPT: &str = "require(\"own_module\")\nfunction thread_init() drv = sysbench.sql.driver() con = drv:connect() end\n\
                      function event() con:query(own_statement(sysbench.tid)) end\n";
const MODULE: &str = "function own_statement(tid) return \"SELECT \" .. tid end\n";

struct Bench {
    cluster: RayCluster,
    dsn: String,
    dir: tempfile::TempDir,
}

impl Bench {
    fn plan(&self, hosts: u32, more: &str, load: &str, measure: &str) -> PathBuf {
        let file = self.dir.path().join("plan.toml");
        let text = format!(
            "schema = 1\nname = \"ray\"\n[hosts]\nat = \"ray://{}\"\ncount = {hosts}\n{more}\n[targets.a]\ndsn = \"{}\"\n\
             password_env = \"BENCH_PASSWORD\"\n[datasets.small]\ntables = 2\ntable_size = 10000\n[[experiment]]\nname = \"e\"\n\
             load = {{ calibrate = \"never\", {load} }}\nwarmup = 0\nmeasure = \"{measure}\"\nrepeats = 1\n",
            self.cluster.head(),
            self.dsn
        );
        std::fs::write(&file, text).unwrap();
        file
    }

    fn run(&self, plan: &Path, runs: &Path) -> Command {
        let mut command = self.cluster.tenbin();
        command.env("BENCH_PASSWORD", SECRET).arg("run").arg(plan).arg("--runs").arg(runs);
        command
    }

    fn begin(&self, plan: &Path, runs: &Path) -> Child {
        let log = File::create(runs.with_extension("log")).unwrap();
        self.run(plan, runs).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
    }

    /// Runs a plan and does this to the cluster while it is measured; how long the rest took, exit code and result.
    fn disturbed(&mut self, case: &str, plan: &Path, disturb: impl FnOnce(&mut RayCluster)) -> Outcome {
        let runs = self.dir.path().join(case);
        let mut run = self.begin(plan, &runs);
        wait_until_measured(&runs, 2);
        disturb(&mut self.cluster);
        let began = Instant::now();
        let code = run.wait().unwrap().code();
        let (dir, json) = read_back(&runs);
        Outcome { took: began.elapsed(), code, json, page: dir.join("report.html") }
    }

    /// How long a node's load hosts go on.
    fn ends_on(&self, node: usize, patience: Duration) -> Option<Duration> {
        let began = Instant::now();
        while began.elapsed() < patience {
            if self.cluster.hosts_on(node).is_empty() {
                return Some(began.elapsed());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        None
    }
}

struct Outcome {
    took: Duration,
    code: Option<i32>,
    json: Value,
    page: PathBuf,
}

impl Outcome {
    fn verdict(&self) -> &str {
        self.json["trials"][0]["verdict"].as_str().unwrap()
    }

    /// What was doubted and noted.
    fn told(&self) -> String {
        format!("{:#} {:#}", self.json["trials"][0]["doubts"], self.json["trials"][0]["notes"])
    }

    fn says(&self, what: &str) {
        assert!(self.told().contains(what), "{what:?}: {}", self.told());
    }
}

const POINT: &str = "workload = \"oltp_point_select\", clients = 6, rate = 300";

#[test]
fn nodes_of_a_ray_cluster_act_as_one_client() {
    let server = mariadb(&[]);
    sql::query(&server, &format!("CREATE USER bench IDENTIFIED BY '{SECRET}'"));
    sql::query(&server, "GRANT ALL ON *.* TO bench");
    let cluster = RayCluster::start(3, &[("BENCH_PASSWORD", SECRET)]);
    let port = server.dsn().rsplit_once(':').unwrap().1.split('/').next().unwrap().parse().unwrap();
    let link = Link::from(&cluster.server(), port);
    let dsn = format!("mysql://bench@{}:{}/sbtest", cluster.server(), link.port());
    let mut bench = Bench { cluster, dsn, dir: tempfile::tempdir().unwrap() };

    what_cannot_be_placed_is_refused(&bench);
    fit_nodes_are_told(&bench);
    a_script_and_its_modules_are_carried(&bench);
    one_result_and_no_secret(&bench);
    a_slow_node_is_told_by_name(&mut bench);
    a_node_that_is_cut_off_is_lost_and_stops(&mut bench);
    a_node_that_is_killed_is_lost(&mut bench);
    all_stop_if_the_coordinator_is_killed(&bench);
    without_its_head_a_cluster_gives_no_wrong_result(&mut bench);
}

fn what_cannot_be_placed_is_refused(bench: &Bench) {
    let runs = bench.dir.path().join("refused");
    let refused = |plan: &Path, change: &dyn Fn(&mut Command)| {
        let mut command = bench.run(plan, &runs);
        change(&mut command);
        let (code, _, err) = output_of(&mut command);
        assert_eq!(code, 1, "{err}");
        err
    };
    let four = refused(&bench.plan(4, "", POINT, "1s"), &|_| {});
    assert!(four.contains("4 load hosts are asked for") && four.contains("3 nodes"), "{four}");
    assert!(four.contains("load-1, load-2, load-3") && four.contains("ray start --address="), "{four}");
    let good = bench.plan(3, "", POINT, "1s");
    let token = refused(&good, &|command| {
        command.env("RAY_AUTH_TOKEN", "0123456789abcdef0123456789abcdef");
    });
    assert!(token.contains("token is missing or wrong") && token.contains("RAY_AUTH_MODE=token"), "{token}");
    let missing = refused(&good, &|command| {
        command.env("PATH", "/nowhere");
    });
    assert!(missing.contains("pip install ./python"), "{missing}");
    let head = bench.cluster.head();
    let nobody = good.with_file_name("nobody.toml");
    std::fs::write(&nobody, std::fs::read_to_string(&good).unwrap().replace(&head, "127.0.0.1:9")).unwrap();
    assert!(refused(&nobody, &|_| {}).contains("ray start --head"));
    let bad_plan = good.with_file_name("told.toml");
    let text = std::fs::read_to_string(&good).unwrap().replace("password_env = \"BENCH_PASSWORD\"\n", "");
    std::fs::write(&bad_plan, text.replace("bench@", &format!("bench:{SECRET}@"))).unwrap();
    let refusal = refused(&bad_plan, &|_| {});
    let is_told = refusal.contains("not confidential") && refusal.contains("password_env");
    assert!(is_told && !refusal.contains(SECRET), "{refusal}");
}

fn fit_nodes_are_told(bench: &Bench) {
    let plan = bench.plan(3, "", POINT, "1s");
    let mut command = bench.cluster.tenbin();
    let (code, out, err) =
        output_of(command.env("BENCH_PASSWORD", SECRET).args(["hosts", "check", "--json"]).arg(&plan));
    assert_eq!(code, 0, "{out}{err}");
    let outcome: Value = serde_json::from_str(&out).unwrap();
    let names: Vec<&str> = outcome.as_array().unwrap().iter().map(|host| host["host"].as_str().unwrap()).collect();
    assert_eq!(names, ["load-1", "load-2", "load-3"]);
    for host in outcome.as_array().unwrap() {
        let titles: Vec<&str> =
            host["findings"].as_array().unwrap().iter().map(|f| f["title"].as_str().unwrap()).collect();
        for expected in ["open files are enough", "ports are enough", "target a can be used"] {
            assert!(titles.contains(&expected), "{titles:?}");
        }
        assert!(titles.iter().any(|title| title.contains("its clock")), "{titles:?}");
    }
}

fn a_script_and_its_modules_are_carried(bench: &Bench) {
    let script = bench.dir.path().join("own.lua");
    std::fs::write(&script, SCRIPT).unwrap();
    std::fs::write(script.with_file_name("own_module.lua"), MODULE).unwrap();
    let load = format!("workload = \"{}\", clients = 6", script.display());
    let runs = bench.dir.path().join("script");
    let (code, out, err) = output_of(&mut bench.run(&bench.plan(3, "", &load, "1s"), &runs));
    assert!(code == 0 || code == 3, "{out}\n{err}");
    assert!(balanced(&read_back(&runs).1)["completed"].as_u64().unwrap() > 100);
}

fn one_result_and_no_secret(bench: &Bench) {
    let runs = bench.dir.path().join("good");
    let plan = bench.dir.path().join("hosts.toml");
    let target = format!("dsn = \"{}\"\npassword_env = \"BENCH_PASSWORD\"", bench.dsn);
    let text = include_str!("../../../plans/hosts.toml")
        .replace("at = \"local\"", &format!("at = \"ray://{}\"", bench.cluster.head()))
        .replace("sandbox = \"mariadbd\"", &target)
        .replace("measure = \"20s\"", "measure = \"4s\"")
        .replace("repeats = 2", "repeats = 1");
    std::fs::write(&plan, text).unwrap();
    let mut run = bench.begin(&plan, &runs);
    wait_until_measured(&runs, 1);
    assert!((0..3).all(|node| bench.cluster.hosts_on(node).len() == 1), "one on each node");
    assert!(!output_of(Command::new("ps").args(["-eo", "args"])).1.contains(SECRET));
    assert!(matches!(run.wait().unwrap().code(), Some(0 | 3)));
    let (dir, json) = read_back(&runs);
    assert!(balanced(&json)["completed"].as_u64().unwrap() > 100);
    for trial in json["trials"].as_array().unwrap() {
        let hosts = trial["hosts"].as_array().unwrap();
        let names: Vec<&str> = hosts.iter().map(|host| host["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["load-1", "load-2", "load-3"]);
        for host in hosts {
            assert!((0.1..0.6).contains(&host["share"].as_f64().unwrap()), "{host}");
        }
    }
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    assert_eq!(page.matches("<section id=\"load-hosts\">").count(), 1);
    assert!((0..3).all(|node| bench.ends_on(node, Duration::from_secs(20)).is_some()), "no process is left");
    for written in [bench.cluster.written(), &dir] {
        let (_, outcome, _) = output_of(Command::new("grep").args(["-rlF", SECRET]).arg(written));
        assert_eq!(outcome, "", "the password is in no file");
    }
}

fn a_slow_node_is_told_by_name(bench: &mut Bench) {
    // As fast as they can: a tenth of a processor is not enough for a third of them.
    let plan = bench.plan(3, "", "workload = \"oltp_point_select\", clients = 6, rate = 1500", "10s");
    let mut group = None;
    let outcome = bench.disturbed("slow", &plan, |cluster| {
        let host = cluster.hosts_on(1)[0];
        group = Some(ControlGroup::with_processor(host, 3));
    });
    assert!(outcome.verdict() != "OK", "{}", outcome.told());
    outcome.says("load host load-2");
}

fn a_node_that_is_cut_off_is_lost_and_stops(bench: &mut Bench) {
    let plan = bench.plan(3, "if_lost = \"continue\"", POINT, "12s");
    let runs = bench.dir.path().join("cut");
    let mut run = bench.begin(&plan, &runs);
    wait_until_measured(&runs, 2);
    bench.cluster.connect(2, false);
    let stopped = bench.ends_on(2, Duration::from_secs(30));
    assert!(stopped.is_some(), "by its lease, as no message reaches it");
    // What it reports when it is back is not mixed in.
    bench.cluster.connect(2, true);
    let code = run.wait().unwrap().code();
    let (dir, json) = read_back(&runs);
    let outcome = Outcome { took: Duration::ZERO, code, json, page: dir.join("report.html") };
    assert_eq!((outcome.verdict(), outcome.code), ("DEGRADED", Some(0)), "{}", outcome.told());
    outcome.says("load host load-3 was lost");
    let page = std::fs::read_to_string(&outcome.page).unwrap();
    assert!(page.contains("load host load-3 was lost"), "the page says so");
    assert!(balanced(&outcome.json)["completed"].as_u64().unwrap() > 1000, "the others went on");
    bench.cluster.restart(2);
}

fn a_node_that_is_killed_is_lost(bench: &mut Bench) {
    let plan = bench.plan(3, "", POINT, "60s");
    let outcome = bench.disturbed("killed", &plan, |cluster| cluster.kill(0));
    assert_eq!((outcome.verdict(), outcome.code), ("INVALID", Some(2)), "{}", outcome.told());
    outcome.says("load host load-1 was lost");
    assert!(outcome.took < Duration::from_secs(30), "long before the planned end: {:?}", outcome.took);
    bench.cluster.restart(0);
}

fn all_stop_if_the_coordinator_is_killed(bench: &Bench) {
    let runs = bench.dir.path().join("coordinator");
    let plan = bench.plan(3, "", POINT, "60s");
    let mut run = bench.begin(&plan, &runs);
    wait_until_measured(&runs, 1);
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(
        (0..3).all(|node| bench.ends_on(node, Duration::from_secs(20)).is_some()),
        "they load the server no longer"
    );
}

/// The hosts and the coordinator may go on without the head, as they are connected. Then the result is whole; otherwise it says so.
fn without_its_head_a_cluster_gives_no_wrong_result(bench: &mut Bench) {
    let plan = bench.plan(3, "", POINT, "10s");
    let outcome = bench.disturbed("head", &plan, RayCluster::kill_head);
    let completed = balanced(&outcome.json)["completed"].as_u64().unwrap();
    if outcome.verdict() == "INVALID" {
        outcome.says("was lost");
    } else {
        assert!((2700..3300).contains(&completed), "300 per second for 10 s: {completed}");
    }
    assert!((0..3).all(|node| bench.ends_on(node, Duration::from_secs(20)).is_some()), "no process is left");
}
